//! How many lanes the switches of a stage have.

use frit_network::options::{OptionSpec, Values};
use std::collections::BTreeMap;

/// The option that builds groups of stages ([`Network::grouped`](frit_network::Network::grouped)) as columns of 4×4 switches.
pub const RADIX: OptionSpec = OptionSpec {
    name: "radix",
    values: Values::Words(&["2", "4"]),
    help: "2: a register after each stage of 2x2 switches; 4: 4x4 switches, a register after two or three stages of 2x2 switches",
    compared: false,
};

/// Whether 4×4 switches are asked for. What is left of the options is what a design with 2×2 switches has in every file.
pub(crate) fn takes_radix4(options: &mut BTreeMap<String, String>) -> bool {
    let asked = options.get(RADIX.name).is_some_and(|radix| radix == "4");
    if !asked {
        options.remove(RADIX.name);
    }
    asked
}

#[cfg(test)]
mod tests {
    use crate::check::check_plan;
    use crate::{Request, plan};
    use frit_network::{RoundIdx, StageIdx};

    /// Settings and destinations are those of 2×2 switches; only the cycles in which stages act differ.
    #[test]
    fn the_stages_of_a_group_act_in_the_same_cycle() {
        for (terminals, groups) in [(4, 1), (8, 3), (16, 3), (32, 5), (64, 5)] {
            let two = plan(&Request::new("benes", terminals)).unwrap();
            let four = plan(&Request::new("benes", terminals).with("radix", "4")).unwrap();
            assert_eq!((four.latency(), four.hops(), four.control_ahead()), (groups, two.hops(), 1));
            assert_eq!(
                (four.cycles(), four.figures.cycles_paper),
                (terminals + u64::from(groups) - 1, four.cycles())
            );
            assert_eq!((four.control == two.control, four.period()), (true, two.period()));
            assert!(check_plan(&four).complete());
            for stage in 0..four.network.stages() {
                let group = four.network.group_of(StageIdx(stage));
                let at = four.acts_at(stage, RoundIdx(2));
                assert_eq!(at, 2 + u64::from(group));
                assert_eq!(four.acting(StageIdx(stage), at).unwrap().round, RoundIdx(2));
            }
            let name = format!("benes_radix4_n{terminals}");
            assert_eq!((four.name(), plan(&four.request()).unwrap().name()), (name.clone(), name));
        }
        let deep = plan(&Request::new("benes", 16).with("radix", "4").with("pipeline", "2")).unwrap();
        assert_eq!((deep.latency(), deep.cycles(), deep.figures.cycles_paper), (6, 21, 21));
        let facts = deep.facts(None);
        assert_eq!((facts["groups"].as_u64(), facts["stages"].as_u64()), (Some(3), Some(7)));
    }

    #[test]
    fn radix_2_is_what_a_design_without_the_option_has() {
        let two = plan(&Request::new("benes", 16).with("radix", "2")).unwrap();
        assert_eq!(
            (two.name(), two.options.contains_key("radix"), two.control_ahead()),
            ("benes_n16".into(), false, 0)
        );
        let error = plan(&Request::new("benes", 16).with("radix", "3")).unwrap_err().to_string();
        assert_eq!(error, "benes: radix cannot be \"3\"; give one of 2, 4");
        let none = plan(&Request::new("rls", 16).with("radix", "4")).unwrap_err().to_string();
        assert!(none.starts_with("rls has no option \"radix\""), "{none}");
    }
}
