//! A demand on a Beneš network with stuck switches: the configurations of its plan, each with settings that use these switches as they are.

use crate::demand::Demand;
use crate::exchange::{Exchange, Machine, Slot, State};
use crate::peel::Held;
use frit_network::{Refusal, RoundIdx, StuckSwitches};
use frit_schedule::route::route_settings;
use frit_schedule::stuck::permutation::{check, scheduled, serving};
use frit_schedule::{Request, plan};

/// The exchange that holds these permutations, which carry the demand, one after the other. A permutation without settings takes several rounds; what a
/// round carries besides shortens the rounds behind it.
///
/// # Errors
/// If the network does not exist with so many terminals or has not these switches; if a pair of terminals has no path any more; if there are more
/// configurations than tables are made for.
pub fn exchange(demand: &Demand, held: Vec<Held>, stuck: &StuckSwitches) -> Result<Exchange, Refusal> {
    let plan = plan(&Request::new("benes", demand.terminals().into()))?;
    check(&plan.network, stuck)?;
    let n = demand.terminals() as usize;
    let mut left = demand.matrix().to_vec();
    let (mut settings, mut slots) = (Vec::new(), Vec::new());
    for Held { to, hold } in held {
        let to: Vec<u32> = to.into_iter().map(u32::from).collect();
        for round in serving(&plan.network, stuck, &to) {
            let reached = route_settings(&plan.network, &round).destinations;
            let pairs = || reached.iter().enumerate().map(|(source, &to)| source * n + to as usize);
            let hold = pairs().map(|pair| left[pair].min(hold)).max().unwrap_or(0);
            if hold > 0 {
                pairs().for_each(|pair| left[pair] = left[pair].saturating_sub(hold));
                slots.push(Slot { hold, state: State::Round(RoundIdx(settings.len() as u32)) });
                settings.push(round);
            }
        }
    }
    // A plan has a round even if there is nothing to send.
    if settings.is_empty() {
        settings = serving(&plan.network, stuck, &(0..demand.terminals()).collect::<Vec<u32>>());
    }
    Ok(Exchange { machine: Machine::Cyclic(Box::new(scheduled(plan, stuck, settings)?)), slots })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Kind, generate};
    use crate::peel::permutations;
    use crate::run::run;

    #[test]
    fn every_word_arrives_and_few_rounds_are_added() {
        let stuck = |text: &str| StuckSwitches::parse(text).unwrap();
        for (n, seed, text) in
            [(8, 1, "2:1:1"), (8, 2, "2:1:1,0:3:0"), (16, 3, "3:4:0,3:5:1"), (4, 4, "1:0:1")]
        {
            for kind in [Kind::LogNormal { words: 400, sigma: 1.0 }, Kind::Sparse { pairs: 3, words: 40 }] {
                let demand = generate(&kind, n, seed).unwrap();
                let exchange = exchange(&demand, permutations(&demand), &stuck(text)).unwrap();
                let report = run(&demand, &exchange, &mut ()).unwrap();
                assert_eq!(report.words, demand.total());
                let most = u64::from(demand.h()) * 3 / 2 + 4;
                assert!(report.rounds <= most, "{n} {text}: {} rounds, h is {}", report.rounds, demand.h());
            }
        }
        let nothing = Demand::new(4, vec![0; 16]).unwrap();
        let exchange = exchange(&nothing, permutations(&nothing), &stuck("1:0:1")).unwrap();
        assert_eq!((exchange.rounds(), exchange.slots.len()), (0, 0));
    }

    #[test]
    fn what_is_not_possible_is_said() {
        let demand = Demand::new(4, vec![1; 16]).unwrap();
        let error = |text: &str| {
            let stuck = StuckSwitches::parse(text).unwrap();
            exchange(&demand, permutations(&demand), &stuck).unwrap_err().to_string()
        };
        assert!(error("3:0:1").contains("there is no switch 0 in stage 3"));
        assert!(error("1:0:0,1:1:0").contains("every path from terminal"));
    }
}
