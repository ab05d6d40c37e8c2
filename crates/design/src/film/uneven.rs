//! The film of an uneven exchange: every word of a demand on its way, as the bare network leads it.

use frit_demand::exchange::Slot;
use frit_demand::run::{Arrival, Observer, run};
use frit_demand::{Demand, Exchange, Fault, Machine};
use frit_network::drawing::{Layout, Words};
use frit_network::{Network, RoundIdx, SwitchState};
use frit_schedule::route::Routed;
use frit_view::Film;
use frit_view::film::{Arrivals, Body, FORMAT, Planned};
use frit_view::planned::{packed, stuck, words};

/// Above so many words that may be sent (rounds times lanes) a page has tens of megabytes.
pub const MOST: u64 = 1 << 20;

/// Bytes that the film takes, and the words that arrive.
pub fn bytes(exchange: &Exchange) -> u64 {
    let stages = exchange.machine.network().map_or(0, Network::stages);
    exchange.rounds() * u64::from(exchange.machine.lanes()) * (64 + u64::from(stages))
}

/// Words that arrive, and what the network is set to.
#[derive(Default)]
struct UnevenRecorder {
    arrivals: Vec<Arrival>,
    /// Of each slot its rounds and the states of each stage.
    set: Vec<(u32, Vec<String>)>,
}

impl Observer for UnevenRecorder {
    fn arrival(&mut self, arrival: Arrival) {
        self.arrivals.push(arrival);
    }
    fn routed(&mut self, slot: &Slot, routed: &Routed) {
        let digit = |state: &SwitchState| b'0' + u8::from(state.bit());
        let row = |row: &Vec<SwitchState>| packed(&row.iter().map(digit).collect::<Vec<u8>>());
        self.set.push((slot.hold, routed.states.iter().map(row).collect()));
    }
}

/// The film of an exchange that carries a demand; `arguments` are those of the command that shows it.
///
/// # Errors
/// If the exchange does not carry the demand.
///
/// # Panics
/// If the machine has no network of switches.
pub fn of_demand(
    demand: &Demand,
    exchange: &Exchange,
    arguments: &str,
) -> Result<(Film, Vec<Arrival>), Fault> {
    let mut seen = UnevenRecorder::default();
    let report = run(demand, exchange, &mut seen)?;
    let UnevenRecorder { arrivals, set } = seen;
    let machine = &exchange.machine;
    let network = machine.network().expect("a film shows a network of switches");
    let plan = machine.plan();
    let (stages, lanes) = (network.stages(), network.lanes());
    let delay: Vec<u64> = (0..stages)
        .map(|hop| {
            plan.map_or(hop.into(), |plan| plan.acts_at(hop, RoundIdx(0)) - plan.injected_at(RoundIdx(0)))
        })
        .collect();
    let rounds = exchange.rounds() as u32;
    // A round behind the last word is on its way for as long.
    let last = exchange.cycles();
    let mut states = vec![vec![String::new(); stages as usize]; last as usize + 1];
    let mut configurations: Vec<String> = Vec::new();
    for (at, (hold, rows)) in set.iter().enumerate() {
        for round in configurations.len() as u64..configurations.len() as u64 + u64::from(*hold) {
            for (stage, row) in rows.iter().enumerate() {
                states[(round + delay[stage]) as usize][stage].clone_from(row);
            }
        }
        let name = format!("{at} of {}, held for {hold} rounds", set.len());
        configurations.extend(std::iter::repeat_n(name, *hold as usize));
    }
    let mut sends = vec![vec![false; lanes as usize]; rounds as usize];
    let mut deliveries = vec![Arrivals::default(); last as usize + 1];
    for &Arrival { cycle, output, source, round, lane, .. } in &arrivals {
        sends[round as usize][lane.idx()] = true;
        deliveries[cycle as usize].0.push([output, source, round as u32]);
    }
    let body = Planned {
        stuck: exchange.machine.plan().map(stuck).unwrap_or_default(),
        layout: Layout::new(lanes, stages, false),
        lanes_per_terminal: machine.lanes_per_terminal(),
        columns: network.links().to_vec(),
        stage_of: (0..stages).collect(),
        second_pass: None,
        injected: (0..u64::from(rounds)).collect(),
        delay,
        latency: machine.latency().into(),
        states,
        expected: None,
        deliveries: deliveries.iter().map(|cycle| cycle.rows(demand.terminals())).collect(),
        wrong: vec![],
        missing: vec![],
        ways: None,
        silent: Some(
            sends.iter().map(|sends| (0..lanes).filter(|&lane| !sends[lane as usize]).collect()).collect(),
        ),
        demand: Some(demand.matrix().to_vec()),
        labels: None,
        control: Some(configurations),
    };
    let film = Film {
        format: FORMAT,
        title: format!("{}, {} words", machine.name(), report.words),
        about: about(demand, exchange),
        why: why(machine).into(),
        command: format!("frit view {arguments}"),
        unit: "cycle",
        last,
        terminals: demand.terminals(),
        difference: None,
        words: plan.map_or(Words::ELECTRONIC, words),
        body: Body::Planned(body),
    };
    Ok((film, arrivals))
}

fn about(demand: &Demand, exchange: &Exchange) -> Vec<String> {
    let machine = &exchange.machine;
    let bound = demand.cycles_bound(machine.latency(), machine.lanes_per_terminal());
    vec![
        format!(
            "{} terminals send {} words to {} pairs; no terminal sends or receives more than {}. {} configurations of the network for {} rounds: {} cycles, and no plan needs fewer than {bound}.",
            demand.terminals(),
            demand.total(),
            demand.nonzeros(),
            demand.h(),
            exchange.slots.len(),
            exchange.rounds(),
            exchange.cycles(),
        ),
        "A terminal without a word for the destination of a round sends nothing in it. In the table of pairs a pair is filled when its last word has arrived.".into(),
    ]
}

fn why(machine: &Machine) -> &'static str {
    match machine {
        Machine::Benes(_) | Machine::Ideal(_) => {
            "Why: a stored configuration sets each switch; it is held for as many rounds as the plan says."
        }
        Machine::Cyclic(_) => {
            "Why: the switches are set as in the round of the system's own exchange, which lasts as long as its longest pair has words."
        }
        Machine::Systolic(..) => {
            "Why: one control bit, a new one in each cycle, sets all routers; the bits of the cycles to come decide which pairs are joined."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_demand::exchange::plain;
    use frit_demand::{Kind, benes, cyclic, generate};

    /// The words that the film shows at the outputs, and those that its switches lead there.
    fn led(film: &Film) -> Vec<(u64, u32, u32)> {
        let Body::Planned(body) = &film.body else { panic!("an exchange is planned") };
        let silent = body.silent.as_ref().unwrap();
        let mut led = Vec::new();
        for (round, &from) in body.injected.iter().enumerate() {
            let lanes = body.columns[0].len() as u32;
            for lane in (0..lanes).filter(|lane| !silent[round].contains(lane)) {
                let mut at = body.columns[0][lane as usize];
                for (hop, next) in body.columns[1..].iter().enumerate() {
                    let states =
                        frit_view::planned::reported_states(body, RoundIdx(round as u32), hop as u32);
                    let crossed = u32::from(states[at as usize / 2] == b'1');
                    at = next[(at ^ crossed) as usize];
                }
                let owned = body.lanes_per_terminal;
                led.push((from + body.latency, at / owned, lane / owned));
            }
        }
        led.sort_unstable();
        led
    }

    #[test]
    fn the_switches_of_the_film_lead_every_word_where_it_arrives() {
        for terminals in [4, 8] {
            let demand = generate(&Kind::named("zipf").unwrap(), terminals, 3).unwrap();
            let plans = ["rls", "xor", "gsen", "obf"]
                .map(|key| cyclic::plan(&demand, plain(key, demand.terminals()).unwrap()).unwrap());
            for exchange in plans.iter().chain([&benes::plan(&demand).unwrap()]) {
                let (film, arrivals) = of_demand(&demand, exchange, "").unwrap();
                let mut told: Vec<_> = arrivals.iter().map(|a| (a.cycle, a.output, a.source)).collect();
                told.sort_unstable();
                assert_eq!(told.len() as u64, demand.total());
                assert_eq!(led(&film), told, "{}", film.title);
            }
        }
    }

    #[test]
    fn an_exchange_that_loses_words_is_no_film() {
        let demand = generate(&Kind::named("zipf").unwrap(), 8, 3).unwrap();
        let mut exchange = benes::plan(&demand).unwrap();
        exchange.slots.pop();
        assert!(of_demand(&demand, &exchange, "").is_err());
    }
}
