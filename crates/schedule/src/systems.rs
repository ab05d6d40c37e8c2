//! The table of planned systems. A new fabric is a builder in `frit-network`, a module here, which describes the system and
//! makes its plan, and a row in [`SYSTEMS`].

use crate::light::chosen_named;
use crate::plan::Plan;
use crate::stuck::around_named;
use crate::{atape, benes, flattened, folded, gsen, obf, rls, rotator, xor};
use frit_network::Refusal;
use frit_network::options::{Request, Row, complete};

/// Builds a plan from a request whose options have been completed and checked against the table.
type Builder = fn(&Request) -> Result<Plan, Refusal>;

/// A planned system.
pub struct System {
    /// How it describes itself.
    pub row: &'static Row,
    build: Builder,
}

/// All planned systems.
pub static SYSTEMS: &[System] = &[
    System { row: &rls::ROW, build: rls::plan },
    System { row: &folded::ROW, build: folded::plan },
    System { row: &flattened::ROW, build: flattened::plan },
    System { row: &gsen::ROW, build: gsen::plan },
    System { row: &obf::ROW, build: obf::plan },
    System { row: &xor::ROW, build: xor::plan },
    System { row: &atape::ROW, build: atape::plan },
    System { row: &benes::ROW, build: benes::plan },
];

/// What systems are compared with where it is named: it has other parts than 2×2 switches, so it stands beside the table.
pub static BASELINES: &[System] = &[System { row: &rotator::ROW, build: rotator::plan }];

/// The baseline with this key.
pub fn baseline(key: &str) -> Option<&'static System> {
    BASELINES.iter().find(|system| system.row.key == key)
}

/// The system with this key.
pub fn system(key: &str) -> Option<&'static System> {
    SYSTEMS.iter().find(|system| system.row.key == key)
}

/// Builds the plan of a request: the one place where keys, sizes and options are checked.
pub fn plan(request: &Request) -> Result<Plan, Refusal> {
    let system = system(&request.system).or_else(|| baseline(&request.system)).ok_or_else(|| {
        let known: Vec<&str> = SYSTEMS.iter().map(|system| system.row.key).collect();
        frit_network::name::unknown(&request.system, "a system", "the systems", &known)
    })?;
    let options = complete(system.row.key, system.row.options, &request.options)?;
    chosen_named(around_named((system.build)(&Request { options, ..request.clone() })?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_systems_options_and_values_are_named() {
        let text = |r: &Request| plan(r).unwrap_err().to_string();
        let keys: Vec<&str> = SYSTEMS.iter().map(|system| system.row.key).collect();
        assert_eq!(
            text(&Request::new("mesh", 8)),
            format!("\"mesh\" is not a system; the systems are {}", keys.join(", "))
        );
        assert!(["rls", "gsen", "obf", "benes"].iter().all(|key| keys.contains(key)));
        assert_eq!(
            text(&Request::new("rls", 8).with("algorithm", "ata2")),
            "rls has no option \"algorithm\"; the options of rls are: direction=right|left, conflict=yes|no, pipeline=1..4, stuck=STAGE:SWITCH:STATE[,...]|FILE, choose=loss|spread|crosstalk[:SWITCH]"
        );
        assert_eq!(
            text(&Request::new("gsen", 8).with("algorithm", "best")),
            "gsen: algorithm cannot be \"best\"; give one of stage-control, ata2, latin"
        );
    }

    #[test]
    fn variants_are_the_fabrics_and_schedules_of_a_system() {
        let variants = |key: &str| -> Vec<String> {
            let text = |(name, value): &(&str, &str)| format!("{name}={value}");
            let variants = system(key).unwrap().row.variants();
            variants.iter().map(|v| v.iter().map(text).collect::<Vec<_>>().join(" ")).collect()
        };
        assert_eq!(variants("rls"), [""]);
        assert_eq!(variants("obf"), [""]);
        assert_eq!(variants("rls-folded"), ["plan=windowed", "plan=buffered", "plan=two-plane"]);
        assert_eq!(variants("gsen"), ["algorithm=stage-control", "algorithm=ata2", "algorithm=latin"]);
    }

    #[test]
    fn a_size_that_does_not_exist_names_one_that_does_and_none_is_nearer() {
        for system in SYSTEMS {
            for variant in system.row.variants() {
                let request = |n| {
                    variant.iter().fold(Request::new(system.row.key, n), |request, (k, v)| request.with(k, v))
                };
                let exists: Vec<bool> = (0..200).map(|n| plan(&request(n)).is_ok()).collect();
                for n in 0..140u64 {
                    let Err(error) = plan(&request(n)) else { continue };
                    let nearest = error.nearest().unwrap_or_else(|| panic!("{error}"));
                    assert!(exists[nearest as usize], "{} {variant:?}: {error}", system.row.key);
                    let away = nearest.abs_diff(n);
                    let nearer = (n.saturating_sub(away - 1)..n + away).find(|&m| exists[m as usize]);
                    assert_eq!(nearer, None, "{} {variant:?}: {error}", system.row.key);
                }
            }
        }
    }

    #[test]
    fn tables_that_would_be_too_large_name_the_largest_size() {
        for key in ["atape", "benes"] {
            let nearest = |n| plan(&Request::new(key, n)).unwrap_err().nearest();
            assert_eq!((nearest(8192), nearest(7000), nearest(5)), (Some(4096), Some(8192), Some(4)));
        }
    }

    #[test]
    fn names_say_what_is_not_the_default() {
        let name = |r: &Request| plan(r).unwrap().name();
        assert_eq!(name(&Request::new("rls", 8)), "rls_n8");
        assert_eq!(name(&Request::new("rls", 8).with("direction", "left")), "rls_left_n8");
        assert_eq!(name(&Request::new("obf", 8)), "obf_n8");
        assert_eq!(name(&Request::new("obf", 8).with("sequence", "granddaddy")), "obf_granddaddy_n8");
        assert_eq!(name(&Request::new("gsen", 10).with("algorithm", "ata2")), "gsen_ata2_n10");
    }

    #[test]
    fn arguments_give_the_plan_again() {
        let ata2 = plan(&Request::new("gsen", 6).with("algorithm", "ata2")).unwrap();
        assert_eq!(ata2.arguments(), "gsen -n 6 --set algorithm=ata2");
        assert_eq!(plan(&Request::new("rls", 8)).unwrap().arguments(), "rls -n 8");
        assert_eq!(ata2.design_name(8), "gsen_ata2_n6_w8");
    }
}
