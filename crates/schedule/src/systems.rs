//! The table of systems. A new fabric is a builder in `frit-network`, a module here, and a row in [`SYSTEMS`].

use crate::plan::{Plan, Request, ScheduleError};
use crate::{atape, benes, flattened, folded, obf, rotation, stage_control, xor};
use std::collections::BTreeMap;

/// An option of a system.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Its name, e.g. `algorithm`.
    pub name: &'static str,
    /// Its values; the first is the default.
    pub values: &'static [&'static str],
    /// What it chooses.
    pub help: &'static str,
    /// Whether its values are other fabrics or schedules, with figures of their own, and so stand side by side in a
    /// comparison ([`System::variants`]). Those that only turn the order of rounds or choose how a bit is computed do not.
    pub compared: bool,
}

impl OptionSpec {
    /// The value in force when none is given.
    pub fn default(&self) -> &'static str {
        self.values[0]
    }
}

/// Builds a plan from a request whose options have been completed and checked against the table.
type Builder = fn(&Request) -> Result<Plan, ScheduleError>;

/// A row of the table.
pub struct System {
    /// The name used on the command line.
    pub key: &'static str,
    /// The system in one line.
    pub title: &'static str,
    /// The sizes that exist.
    pub sizes: &'static str,
    /// Cycles of an exchange, as a formula.
    pub cycles: &'static str,
    /// What drives the switches.
    pub drivers: &'static str,
    /// The paper and its section.
    pub paper: &'static str,
    /// Options and their values.
    pub options: &'static [OptionSpec],
    /// A size to show in examples.
    pub example: u64,
    build: Builder,
}

impl System {
    /// Every combination of the values of its compared options, in the order of the table; one without options if
    /// there are none.
    pub fn variants(&self) -> Vec<Vec<(&'static str, &'static str)>> {
        let compared = self.options.iter().filter(|spec| spec.compared);
        compared.fold(vec![vec![]], |variants, spec| {
            let with = |variant: &Vec<_>, value| [variant.as_slice(), &[(spec.name, value)]].concat();
            variants.iter().flat_map(|v| spec.values.iter().map(move |&value| with(v, value))).collect()
        })
    }
}

/// All systems.
pub static SYSTEMS: &[System] = &[
    System {
        key: "rls",
        title: "Latin square of rotations on the Butterfly-Butterfly, self-routing labels",
        sizes: "N = 2^n, n >= 2",
        cycles: "(2n - 1) + (N - 1)",
        drivers: "a label generator per terminal",
        paper: rotation::SOURCE,
        options: &[rotation::DIRECTION],
        example: 16,
        build: rotation::plan,
    },
    System {
        key: "rls-folded",
        title: "Latin square of rotations on one Butterfly that every message passes twice",
        sizes: "N = 2^n, n >= 2",
        cycles: "windowed 2nG + j - 1 with G = ceil(N/n), j = N - (G - 1)n; buffered 2N + n - 1; two-plane 2n + N - 1",
        drivers: "a label generator per terminal",
        paper: rotation::SOURCE,
        options: &[folded::PLAN, rotation::DIRECTION],
        example: 8,
        build: folded::plan,
    },
    System {
        key: flattened::KEY,
        title: "Latin square of rotations on the flattened butterfly of N/2 routers",
        sizes: "N = 2^n, n >= 2",
        cycles: "capacity 2: (2n - 1) + (N - 1); 1: 2dG + j + 2n - 2 with d = n - 1, G = ceil(N/d) - 1, j = N - Gd",
        drivers: "a label generator per terminal",
        paper: flattened::SOURCE,
        options: &[flattened::CAPACITY, rotation::DIRECTION],
        example: 8,
        build: flattened::plan,
    },
    System {
        key: "gsen",
        title: "Stage control on the general shuffle-exchange network, any even number of terminals",
        sizes: "even N >= 4 (ata2: N = 2^n + 2, n >= 2)",
        cycles: "2^(n+1) + n per phase, 2 phases (ata2: N + n); 2^n < N <= 2^(n+1)",
        drivers: "one driver per stage (ata2: two)",
        paper: stage_control::SOURCE,
        options: &[OptionSpec {
            name: "algorithm",
            values: &["stage-control", "ata2"],
            help: "stage control, or the second algorithm, which never sends a message twice",
            compared: true,
        }],
        example: 10,
        build: stage_control::plan,
    },
    System {
        key: "obf",
        title: "Systolic routing in the optical butterfly, one control bit for all routers",
        sizes: "N = 2^r, r >= 2",
        cycles: "2^(r-1) + r - 1",
        drivers: "one for the whole network, a de Bruijn sequence",
        paper: obf::SOURCE,
        options: &[
            OptionSpec {
                name: "sequence",
                values: obf::SEQUENCES,
                help: "the de Bruijn sequence that controls the routers",
                compared: false,
            },
            OptionSpec {
                name: "controller",
                values: &["auto", "successor", "feedback", "table"],
                help: "how the hardware makes the next bit; auto: by successor rule if there is one",
                compared: false,
            },
            OptionSpec {
                name: "fanout",
                values: &["shared", "per-level"],
                help: "one control line for all routers, or a register of its own for each level",
                compared: false,
            },
        ],
        example: 16,
        build: obf::plan,
    },
    System {
        key: "xor",
        title: "XOR method on a banyan network, every stage set as a whole",
        sizes: "N = 2^n, n >= 2",
        cycles: "N + n - 1",
        drivers: "one driver per stage",
        paper: xor::SOURCE,
        options: &[OptionSpec {
            name: "network",
            values: xor::NETWORKS,
            help: "the Butterfly, or the shuffle-exchange network",
            compared: true,
        }],
        example: 16,
        build: xor::plan,
    },
    System {
        key: "atape",
        title: "Latin-square method on a banyan network, destinations stored",
        sizes: "N = 2^n, n >= 2, up to 4096",
        cycles: "N + n - 1",
        drivers: "a table of destinations per terminal",
        paper: atape::SOURCE,
        options: &[],
        example: 16,
        build: atape::plan,
    },
    System {
        key: "benes",
        title: "Benes network with stored settings, any permutation",
        sizes: "N = 2^n, n >= 2, up to 4096 (one permutation: up to 2^20)",
        cycles: "(2n - 1) + (N - 1); one permutation: 2n - 1",
        drivers: "a table of settings per stage",
        paper: benes::SOURCE,
        options: &[OptionSpec {
            name: "permutation",
            values: benes::PERMUTATIONS,
            help: "a round for each rotation; --permutation FILE routes one of yours instead",
            compared: false,
        }],
        example: 16,
        build: benes::plan,
    },
];

/// The row with this key.
pub fn system(key: &str) -> Option<&'static System> {
    SYSTEMS.iter().find(|s| s.key == key)
}

/// Builds the plan of a request: the one place where keys, sizes and options are checked.
pub fn plan(request: &Request) -> Result<Plan, ScheduleError> {
    let system = system(&request.system).ok_or_else(|| ScheduleError::UnknownSystem {
        given: request.system.clone(),
        known: SYSTEMS.iter().map(|s| s.key).collect(),
    })?;
    let options = complete(system, &request.options)?;
    (system.build)(&Request { options, ..request.clone() })
}

fn complete(
    system: &'static System,
    given: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, ScheduleError> {
    let mut options: BTreeMap<String, String> =
        system.options.iter().map(|spec| (spec.name.to_string(), spec.default().to_string())).collect();
    for (key, value) in given {
        let Some(spec) = system.options.iter().find(|spec| spec.name == key) else {
            let allowed: Vec<String> =
                system.options.iter().map(|s| format!("{}={}", s.name, s.values.join("|"))).collect();
            let allowed = if allowed.is_empty() { "none".into() } else { allowed.join(", ") };
            return Err(ScheduleError::UnknownOption { system: system.key, given: key.clone(), allowed });
        };
        if !spec.values.contains(&value.as_str()) {
            return Err(ScheduleError::OptionValue {
                system: system.key,
                option: spec.name,
                given: value.clone(),
                allowed: spec.values,
            });
        }
        options.insert(key.clone(), value.clone());
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_systems_options_and_values_are_named() {
        let text = |r: &Request| plan(r).unwrap_err().to_string();
        let keys: Vec<&str> = SYSTEMS.iter().map(|system| system.key).collect();
        assert_eq!(
            text(&Request::new("mesh", 8)),
            format!("there is no system \"mesh\"; the systems are {}", keys.join(", "))
        );
        assert!(["rls", "gsen", "obf", "benes"].iter().all(|key| keys.contains(key)));
        assert_eq!(
            text(&Request::new("rls", 8).with("algorithm", "ata2")),
            "rls has no option \"algorithm\"; its options are: direction=right|left"
        );
        assert_eq!(
            text(&Request::new("gsen", 8).with("algorithm", "best")),
            "gsen: algorithm cannot be \"best\"; it is one of stage-control, ata2"
        );
    }

    #[test]
    fn variants_are_the_fabrics_and_schedules_of_a_system() {
        let variants = |key: &str| -> Vec<String> {
            let text = |(name, value): &(&str, &str)| format!("{name}={value}");
            let variants = system(key).unwrap().variants();
            variants.iter().map(|v| v.iter().map(text).collect::<Vec<_>>().join(" ")).collect()
        };
        assert_eq!(variants("rls"), [""]);
        assert_eq!(variants("obf"), [""]);
        assert_eq!(variants("rls-folded"), ["plan=windowed", "plan=buffered", "plan=two-plane"]);
        assert_eq!(variants("gsen"), ["algorithm=stage-control", "algorithm=ata2"]);
        let option = |name, values| OptionSpec { name, values, help: "", compared: true };
        let options: &'static [OptionSpec] =
            Box::leak(Box::new([option("a", &["1", "2"]), option("b", &["x", "y"])]));
        let both = System { options, ..*system("xor").unwrap() };
        assert_eq!(both.variants()[1], [("a", "1"), ("b", "y")]);
        assert_eq!(both.variants().len(), 4);
    }

    #[test]
    fn a_size_that_does_not_exist_names_one_that_does_and_none_is_nearer() {
        for system in SYSTEMS {
            for variant in system.variants() {
                let request = |n| {
                    variant.iter().fold(Request::new(system.key, n), |request, (k, v)| request.with(k, v))
                };
                let exists: Vec<bool> = (0..200).map(|n| plan(&request(n)).is_ok()).collect();
                for n in 0..140u64 {
                    let Err(error) = plan(&request(n)) else { continue };
                    let nearest = error.nearest().unwrap_or_else(|| panic!("{error}"));
                    assert!(exists[nearest as usize], "{} {variant:?}: {error}", system.key);
                    let away = nearest.abs_diff(n);
                    let nearer = (n.saturating_sub(away - 1)..n + away).find(|&m| exists[m as usize]);
                    assert_eq!(nearer, None, "{} {variant:?}: {error}", system.key);
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
