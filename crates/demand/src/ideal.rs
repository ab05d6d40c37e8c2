//! The ideal crossbar: any number of terminals, any permutation in any round, and one register. It has no switches inside, so it is the
//! measure of what planners can do, and it stands for what people have who ask: one optical switch, or one electronic one, with N ports.

use frit_network::options::Row;
use frit_network::{LaneIdx, RoundIdx, StageIdx, SwitchIdx};
use frit_schedule::route::{Conflict, Routed};

/// The name used on the command line.
pub const KEY: &str = "ideal";

/// How it describes itself.
pub static ROW: Row = Row {
    key: KEY,
    title: "an ideal crossbar: any permutation in any round; it has plans of demands, and no switches",
    sizes: "N = 2 to 4096",
    cycles: "h",
    drivers: "a destination for each source",
    paper: "none",
    options: &[],
    example: 72,
};

/// Where the lanes lead in a configuration; no two may lead to the same terminal.
pub(crate) fn routed(to: &[u16]) -> Result<Routed, Conflict> {
    let mut source_of = vec![None; to.len()];
    for (source, &destination) in (0..).map(LaneIdx).zip(to) {
        if let Some(other) = source_of[usize::from(destination)].replace(source) {
            return Err(Conflict {
                round: RoundIdx(0),
                stage: StageIdx(0),
                switch: SwitchIdx(0),
                inputs: [other, source],
                wanted: destination.into(),
            });
        }
    }
    Ok(Routed { destinations: to.iter().map(|&to| to.into()).collect(), states: Vec::new() })
}

#[cfg(test)]
mod tests {
    use crate::demand::Demand;
    use crate::exchange::{Exchange, Machine, State};
    use crate::generate::{Kind, generate};
    use crate::peel::permutations;
    use crate::run::{Fault, run};

    /// A plan in h rounds.
    fn exact(demand: &Demand) -> Exchange {
        Exchange::held(Machine::Ideal(demand.terminals()), permutations(demand))
    }

    #[test]
    fn any_demand_of_any_size_takes_h_cycles() {
        for n in [2, 3, 5, 6, 24, 72, 150] {
            for kind in Kind::ALL.iter().map(|(name, _)| Kind::named(name).unwrap()) {
                let Ok(demand) = generate(&kind, n, n) else { continue };
                let exchange = exact(&demand);
                let report = run(&demand, &exchange, &mut ()).unwrap();
                assert_eq!(
                    (report.words, report.cycles),
                    (demand.total(), u64::from(demand.h())),
                    "{kind:?}"
                );
            }
        }
    }

    #[test]
    fn two_words_for_one_terminal_are_found() {
        let demand = generate(&Kind::Uniform { words: 20 }, 7, 1).unwrap();
        let mut exchange = exact(&demand);
        let State::Permutation(to) = &mut exchange.slots[2].state else {
            panic!("a configuration is stored")
        };
        to[3] = to[5];
        assert!(matches!(run(&demand, &exchange, &mut ()), Err(Fault::Conflict(_))));
    }
}
