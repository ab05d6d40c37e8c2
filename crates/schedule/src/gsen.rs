//! Stage control, ATA-2 and the labels of a window on the general shuffle-exchange network.
//!
//! Source: "Optimal All-to-All Personalized Exchange in General Shuffle-Exchange Networks" (thesis), sections 3 and
//! 4. Its M1 and M2 are printed as 2^n + 1 and 2^n + 2; the algorithm and the figures use 2^n + 2^(n-1) and the
//! next, and so does this.

use crate::certificate;
use crate::pipeline::PIPELINE;
use crate::plan::{Control, Demand, Figures, Labels, Phases, Plan};
use crate::stage_control::{Rule, StageControl};
use crate::stuck::STUCK;
use crate::window::WindowLabels;
use frit_network::options::{OptionSpec, Request, Row, Values};
use frit_network::{MAX_TERMINALS, Network, Refusal, refuse, shuffle_exchange};

/// Where this comes from.
pub const SOURCE: &str =
    "All-to-all personalized exchange in general shuffle-exchange networks, sections 3 and 4";

/// Where the labels of a window come from.
const OWN: &str = "docs/latin.md, N rounds for N = 4k + 2";

/// Above this many terminals the certificate (N·2^(n+1) steps) is not computed for a plan's figures.
const CERTIFY_UP_TO: u64 = 1024;

/// The option that says which of the two algorithms.
pub const ALGORITHM: OptionSpec = OptionSpec {
    name: "algorithm",
    values: Values::Words(&["stage-control", "ata2", "latin"]),
    help: "stage-control: one control word sets each stage; ata2: a second algorithm, without duplicates; latin: labels, N rounds in one phase",
    compared: true,
};

/// The option that says what makes the labels of `latin`.
pub const LABELS: OptionSpec = OptionSpec {
    name: "labels",
    values: Values::Words(&["ring", "adder"]),
    help: "latin: ring: a terminal takes the last label of the terminal before it; adder: a terminal computes its label from its previous label",
    compared: false,
};

/// The fewest terminals that are worth a network.
const LEAST_SERVED: u64 = 2;

/// What is said of the sizes of a padded exchange.
const PADDED_SIZES: &str = "2 to 1048574 terminals with --pad";

/// The option that lets `latin` serve any number of terminals.
pub const PAD: OptionSpec = OptionSpec {
    name: "pad",
    values: Values::Words(&["no", "yes"]),
    help: "latin: if the number of terminals is not 4k + 2, use the next larger size; the spare terminals neither send nor receive",
    compared: false,
};

/// The system in the table.
pub static ROW: Row = Row {
    key: "gsen",
    title: "Stage control on the general shuffle-exchange network, any even number of terminals",
    sizes: "even N >= 4 (ata2: N = 2^n + 2, n >= 2; latin: N = 4k + 2, k >= 1; pad: any N >= 2)",
    cycles: "2^(n+1) + n per phase, 2 phases (ata2: N + n; latin: N + n, 1 phase); 2^n < N <= 2^(n+1)",
    drivers: "one driver per stage (ata2: two; latin: a label generator per terminal)",
    paper: SOURCE,
    options: &[ALGORITHM, LABELS, PAD, PIPELINE, STUCK],
    example: 10,
};

/// The plan of stage control, ATA-2 or the labels of a window.
pub fn plan(request: &Request) -> Result<Plan, Refusal> {
    let terminals = request.terminals;
    let algorithm = request.options[ALGORITHM.name].as_str();
    if algorithm == "latin" {
        return latin(request);
    }
    if request.options[LABELS.name] != "ring" {
        let labels = request.options[LABELS.name].to_string();
        refuse!(
            "labels={labels} does not apply to algorithm={algorithm}, which has no labels; leave it out, or use algorithm=latin"
        );
    }
    if request.options[PAD.name] != "no" {
        refuse!("pad=yes does not apply to algorithm={algorithm}; leave it out, or use algorithm=latin");
    }
    let ata2 = algorithm == "ata2";
    if ata2 {
        check_ata2(terminals)?;
    }
    let network = shuffle_exchange(terminals)?;
    let n = network.stages() - 1;
    let control = StageControl { n, rule: if ata2 { Rule::Ata2 } else { Rule::Counter } };
    let rounds = if ata2 { terminals as u32 } else { 1 << (n + 1) };
    let cycles = rounds as u64 + n as u64;
    let drivers = u64::from(n) + 1;
    let figures = if ata2 {
        // The even and the odd switches of each inner stage are driven apart.
        Figures { drivers: drivers + u64::from(n) - 1, ..Figures::full_outputs(rounds, n + 1, SOURCE) }
    } else {
        let (cycles_lower_bound, reason) = stage_control_bound(&network, n);
        Figures { cycles_lower_bound, drivers, ..Figures::tight(cycles, reason, SOURCE) }
    };
    let control = Control::Stages(control);
    // They have no labels, so nothing is said of what makes them, nor are they padded.
    let mut options = request.options.clone();
    options.remove(LABELS.name);
    options.remove(PAD.name);
    let plan = Plan::new(&ROW, &options, network, rounds, control, figures);
    Ok(Plan { phases: Phases::PrepareAndSend, ..plan })
}

/// N rounds in one phase, self-routed by the labels of a window (docs/latin.md).
fn latin(request: &Request) -> Result<Plan, Refusal> {
    let served = request.terminals;
    let pad = request.options[PAD.name] == "yes";
    let terminals = if pad && served >= LEAST_SERVED { padded(served) } else { served };
    if terminals % 4 != 2 || !(6..=MAX_TERMINALS).contains(&terminals) {
        let below = MAX_TERMINALS - 2;
        let nearest = match served {
            _ if pad && served < LEAST_SERVED => LEAST_SERVED,
            0..6 => 6,
            _ => (served / 4 * 4 + 2).min(below),
        };
        let reason = match terminals {
            _ if pad => "",
            t if t.is_power_of_two() => {
                "; for a power of two the system xor takes as many rounds as terminals"
            }
            _ => "; --pad takes the next size that exists, with spare terminals",
        };
        let allowed = if pad { PADDED_SIZES } else { "N = 4k + 2 with k >= 1 (6, 10, 14, 18, ...)" };
        return Err(Refusal::size("gsen --algorithm latin", served, allowed, nearest, reason));
    }
    let network = shuffle_exchange(terminals)?;
    let (rounds, stages) = (network.terminals(), network.stages());
    let mut figures =
        Figures { drivers: rounds.into(), label_bits: stages, ..Figures::full_outputs(rounds, stages, OWN) };
    let control = Control::Labels(Labels::Windows(WindowLabels { terminals: rounds, stages }));
    if served == terminals {
        // Nothing is spare: the design is the one that is not padded.
        let request = request.clone().with(PAD.name, "no");
        return Ok(Plan::new(&ROW, &request.options, network, rounds, control, figures));
    }
    let needed = Figures::full_outputs(served as u32, stages, OWN);
    figures.cycles_lower_bound = needed.cycles_lower_bound;
    figures.bound_reason = needed.bound_reason;
    let plan = Plan::new(&ROW, &request.options, network, rounds, control, figures);
    Ok(Plan { demand: Demand::Among(served as u32), ..plan })
}

/// The least size that `latin` has, of at least so many terminals.
fn padded(terminals: u64) -> u64 {
    let next = |size: u64| size + (6 - size % 4) % 4;
    next(terminals.clamp(6, MAX_TERMINALS + 2))
}

fn check_ata2(terminals: u64) -> Result<(), Refusal> {
    // Of two as near the larger, as everywhere.
    let sizes = (2..MAX_TERMINALS.ilog2()).rev().map(|n| (1u64 << n) + 2);
    let nearest = sizes.min_by_key(|size| size.abs_diff(terminals)).unwrap_or(6);
    if nearest == terminals {
        return Ok(());
    }
    let reason = match terminals {
        4 => "; 4 = 2^1 + 2 would need a third bit of control word, but that network has two stages",
        _ => "",
    };
    let allowed = "N = 2^n + 2 with n >= 2 (6, 10, 18, 34, ...)";
    Err(Refusal::size("gsen --algorithm ata2", terminals, allowed, nearest, reason))
}

fn stage_control_bound(network: &Network, n: u32) -> (u64, String) {
    let terminals = network.terminals() as u64;
    let all = (1u64 << (n + 1)) + n as u64;
    if terminals <= CERTIFY_UP_TO {
        let certificate = certificate::stage_control(network);
        if certificate.every_configuration_needed() {
            return (
                all,
                format!(
                    "each of the {} configurations is the only one for some pair (computed)",
                    1u64 << (n + 1)
                ),
            );
        }
    } else if terminals >= (1 << n) + (1 << (n - 1)) {
        return (all, "Theorem 6 of the thesis: N >= 2^n + 2^(n-1)".into());
    }
    (terminals + n as u64, format!("each output takes {terminals} messages, one a cycle"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check_plan;
    use frit_network::{LaneIdx, RoundIdx};

    fn gsen(terminals: u64, algorithm: &str) -> Plan {
        crate::plan(&Request::new("gsen", terminals).with("algorithm", algorithm)).unwrap()
    }

    #[test]
    fn the_check_values_for_ten() {
        let plan = gsen(10, "stage-control");
        let row: Vec<u32> = LaneIdx::all(10).map(|i| plan.destination(RoundIdx(10), i).0).collect();
        assert_eq!(row, [1, 4, 6, 0, 7, 2, 9, 3, 5, 8]);
        let ata2 = gsen(10, "ata2");
        let arriving = |output: u32| -> Vec<u32> {
            RoundIdx::all(10)
                .map(|round| {
                    (0..10).find(|&i| ata2.destination(round, LaneIdx(i)) == LaneIdx(output)).unwrap()
                })
                .collect()
        };
        assert_eq!(arriving(0), [0, 4, 8, 5, 7, 6, 1, 3, 2, 9]);
        assert_eq!(arriving(9), [9, 5, 1, 4, 2, 3, 8, 6, 7, 0]);
    }

    #[test]
    fn stage_control_is_complete_for_every_even_size() {
        for terminals in (4..=130).step_by(2) {
            let plan = gsen(terminals, "stage-control");
            let report = check_plan(&plan);
            assert!(report.complete(), "N = {terminals}: {report:?}");
            assert_eq!(report.repeated, plan.rounds as u64 * terminals - terminals * terminals);
            assert_eq!(plan.cycles(), plan.figures.cycles_paper);
        }
    }

    #[test]
    fn ata2_sends_every_pair_once() {
        for n in 2..=8 {
            let terminals = (1u64 << n) + 2;
            let plan = gsen(terminals, "ata2");
            let report = check_plan(&plan);
            assert!(report.complete() && report.repeated == 0, "N = {terminals}");
            assert_eq!(plan.cycles(), terminals + n as u64);
        }
    }

    #[test]
    fn latin_sends_every_pair_once_in_one_phase() {
        for terminals in (6..=130).step_by(4).chain([258, 514, 1026]) {
            let plan = gsen(terminals, "latin");
            let report = check_plan(&plan);
            assert!(
                report.complete() && report.repeated == 0 && report.misrouted == 0,
                "N = {terminals}: {report:?}"
            );
            assert_eq!((plan.rounds, plan.phases), (terminals as u32, Phases::One));
            assert_eq!(plan.cycles(), terminals + u64::from(plan.network.stages()) - 1);
            assert_eq!(plan.cycles(), plan.figures.cycles_lower_bound);
            let square = crate::latin::check(plan.rounds, |round, lane| {
                plan.destination(RoundIdx(round), LaneIdx(lane)).0
            });
            assert_eq!(square, Ok(()), "N = {terminals}");
        }
        for terminals in [4, 8, 12, 16, 20] {
            let request = Request::new("gsen", terminals).with("algorithm", "latin");
            let error = crate::plan(&request).unwrap_err();
            assert!(error.to_string().contains("it needs N = 4k + 2"), "{error}");
            assert_eq!(error.nearest().unwrap() % 4, 2);
        }
    }

    #[test]
    fn a_padded_exchange_serves_the_first_terminals() {
        let padded = |served| Request::new("gsen", served).with("algorithm", "latin").with("pad", "yes");
        for served in 2..=70 {
            let plan = crate::plan(&padded(served)).unwrap();
            let (all, rounds) = (plan.network.terminals(), plan.rounds);
            assert!((served..=served + 4).contains(&all.into()) && all % 4 == 2 && rounds == all, "{served}");
            assert_eq!((u64::from(plan.served()), plan.pairs_due()), (served, served * served));
            let report = check_plan(&plan);
            assert!(report.complete() && report.repeated == 0, "{served}: {report:?}");
            // One that does not send is seen.
            let short = Plan { demand: Demand::Among(served as u32 + 1), ..plan.clone() };
            assert_eq!(plan.due().missing_count(), served * served);
            assert!(!plan.has_spare() || short.pairs_due() > plan.pairs_due());
            if plan.has_spare() {
                assert_eq!(plan.name(), format!("gsen_latin_pad_n{served}"));
                assert_eq!(plan.arguments(), format!("gsen -n {served} --set algorithm=latin --set pad=yes"));
            } else {
                assert_eq!(plan.name(), format!("gsen_latin_n{served}"));
            }
            assert_eq!(crate::plan(&plan.request()).unwrap().name(), plan.name());
            let bound = plan.figures.cycles_lower_bound;
            assert_eq!(bound, served + u64::from(plan.network.stages()) - 1);
            assert!((bound..=bound + 4).contains(&plan.cycles()));
        }
        for (served, nearest) in [(0, 2), (1, 2), (1 << 20, (1 << 20) - 2), (u64::MAX, (1 << 20) - 2)] {
            let error = crate::plan(&padded(served)).unwrap_err();
            assert_eq!(error.nearest(), Some(nearest), "{error}");
        }
        let error = crate::plan(&Request::new("gsen", 12).with("pad", "yes")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "pad=yes does not apply to algorithm=stage-control; leave it out, or use algorithm=latin"
        );
    }

    #[test]
    fn ata2_of_four_is_refused_with_its_reason() {
        let error =
            |n| crate::plan(&Request::new("gsen", n).with("algorithm", "ata2")).unwrap_err().to_string();
        assert!(error(4).contains("third bit"), "{}", error(4));
        for (given, nearest) in [(0, 6), (8, 10), (12, 10), (15, 18), (1 << 40, (1 << 19) + 2)] {
            assert!(error(given).ends_with(&format!("the nearest size is {nearest}")), "{}", error(given));
        }
    }
}
