//! The film of an uneven exchange: every word of a demand on its way, as the bare network leads it, or an ideal crossbar.

use frit_demand::exchange::Slot;
use frit_demand::run::{Arrival, Observer, run};
use frit_demand::{Demand, Exchange, Fault, Machine};
use frit_network::drawing::{Layout, Words};
use frit_network::{Network, RoundIdx, SwitchState};
use frit_schedule::route::Routed;
use frit_view::Film;
use frit_view::film::{Arrivals, Body, FORMAT, Planned};
use frit_view::planned::{packed, stuck, words};
use std::iter::repeat_n;

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
    /// Where each slot leads the lanes, if no switches do.
    joined: Vec<Vec<u32>>,
}

impl Observer for UnevenRecorder {
    fn arrival(&mut self, arrival: Arrival) {
        self.arrivals.push(arrival);
    }
    fn routed(&mut self, slot: &Slot, routed: &Routed) {
        let digit = |state: &SwitchState| b'0' + u8::from(state.bit());
        let row = |row: &Vec<SwitchState>| packed(&row.iter().map(digit).collect::<Vec<u8>>());
        self.set.push((slot.hold, routed.states.iter().map(row).collect()));
        if routed.states.is_empty() {
            self.joined.push(routed.destinations.clone());
        }
    }
}

/// The film of an exchange that carries a demand; `arguments` are those of the command that shows it.
///
/// # Errors
/// If the exchange does not carry the demand.
pub fn of_demand(
    demand: &Demand,
    exchange: &Exchange,
    arguments: &str,
) -> Result<(Film, Vec<Arrival>), Fault> {
    let mut seen = UnevenRecorder::default();
    let report = run(demand, exchange, &mut seen)?;
    let UnevenRecorder { arrivals, set, joined } = seen;
    let machine = &exchange.machine;
    let network = machine.network();
    let plan = machine.plan();
    let (stages, lanes) = (network.map_or(0, Network::stages), machine.lanes());
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
    let mut configuration: Vec<u32> = Vec::new();
    for (at, (hold, rows)) in set.iter().enumerate() {
        for round in configurations.len() as u64..configurations.len() as u64 + u64::from(*hold) {
            for (stage, row) in rows.iter().enumerate() {
                states[(round + delay[stage]) as usize][stage].clone_from(row);
            }
        }
        let name = format!("{at} of {}, held for {hold} rounds", set.len());
        configurations.extend(repeat_n(name, *hold as usize));
        configuration.extend(repeat_n(at as u32, *hold as usize));
    }
    let mut sends = vec![vec![false; lanes as usize]; rounds as usize];
    let mut deliveries = vec![Arrivals::default(); last as usize + 1];
    for &Arrival { cycle, output, source, round, lane, .. } in &arrivals {
        sends[round as usize][lane.idx()] = true;
        deliveries[cycle as usize].0.push([output, source, round as u32]);
    }
    let columns = match network {
        Some(network) => network.links().to_vec(),
        // It is at rest.
        None if joined.is_empty() => vec![(0..lanes).collect()],
        None => joined,
    };
    let body = Planned {
        stuck: exchange.machine.plan().map(stuck).unwrap_or_default(),
        layout: Layout::new(lanes, stages, false),
        lanes_per_terminal: machine.lanes_per_terminal(),
        columns,
        configuration: network.is_none().then_some(configuration),
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
        body: if network.is_some() { Body::Planned(body) } else { Body::Crossbar(body) },
    };
    Ok((film, arrivals))
}

fn about(demand: &Demand, exchange: &Exchange) -> Vec<String> {
    let machine = &exchange.machine;
    let bound = demand.cycles_bound(machine.latency(), machine.lanes_per_terminal());
    vec![
        format!(
            "{} terminals send {} words to {} pairs; no terminal sends or receives more than {}. {} configurations of the {} for {} rounds: {} cycles, and no plan needs fewer than {bound}.",
            demand.terminals(),
            demand.total(),
            demand.nonzeros(),
            demand.h(),
            exchange.slots.len(),
            if machine.network().is_some() { "network" } else { "crossbar" },
            exchange.rounds(),
            exchange.cycles(),
        ),
        "A terminal without a word for the destination of a round sends nothing in it. In the table of pairs a pair is filled when its last word has arrived.".into(),
    ]
}

fn why(machine: &Machine) -> &'static str {
    match machine {
        Machine::Ideal(_) => {
            "Why: a stored configuration joins each input to one output; it is held for as many rounds as the plan says."
        }
        Machine::Benes(_) => {
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
    use frit_demand::exchange::{State, plain};
    use frit_demand::peel::permutations;
    use frit_demand::{Kind, benes, cyclic, generate};
    use frit_view::still::{Moment, planned};

    fn rounds(film: &Film) -> &Planned {
        let (Body::Planned(body) | Body::Crossbar(body)) = &film.body else { panic!("no rounds") };
        body
    }

    fn crossbar(demand: &Demand) -> Exchange {
        Exchange::held(Machine::Ideal(demand.terminals()), permutations(demand))
    }

    /// The words that the switches of the film, or the wires of its configurations, lead to the outputs.
    fn led(film: &Film) -> Vec<(u64, u32, u32)> {
        let body = rounds(film);
        let silent = body.silent.as_ref().unwrap();
        let mut led = Vec::new();
        for (round, &from) in body.injected.iter().enumerate() {
            let lanes = body.columns[0].len() as u32;
            for lane in (0..lanes).filter(|lane| !silent[round].contains(lane)) {
                if let Some(configuration) = &body.configuration {
                    let to = body.columns[configuration[round] as usize][lane as usize];
                    led.push((from + body.latency, to, lane));
                    continue;
                }
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

    fn agrees(demand: &Demand, exchange: &Exchange) -> Film {
        let (film, arrivals) = of_demand(demand, exchange, "").unwrap();
        let mut told: Vec<_> = arrivals.iter().map(|a| (a.cycle, a.output, a.source)).collect();
        told.sort_unstable();
        assert_eq!(told.len() as u64, demand.total());
        assert_eq!(led(&film), told, "{}", film.title);
        film
    }

    #[test]
    fn the_switches_of_the_film_lead_every_word_where_it_arrives() {
        for terminals in [4, 8] {
            let demand = generate(&Kind::named("zipf").unwrap(), terminals, 3).unwrap();
            let plans = ["rls", "xor", "gsen", "obf"]
                .map(|key| cyclic::plan(&demand, plain(key, demand.terminals()).unwrap()).unwrap());
            for exchange in plans.iter().chain([&benes::plan(&demand).unwrap()]) {
                agrees(&demand, exchange);
            }
        }
    }

    #[test]
    fn the_wires_of_a_crossbar_lead_every_word_where_it_arrives() {
        for terminals in [2, 3, 8, 25] {
            let demand = generate(&Kind::Uniform { words: 20 }, terminals, 3).unwrap();
            let mut film = agrees(&demand, &crossbar(&demand));
            let expected = led(&film);
            let Body::Crossbar(body) = &mut film.body else { panic!("a crossbar has no switches") };
            assert_eq!(body.injected.len(), demand.h() as usize);
            let json = serde_json::to_string(body).unwrap();
            assert!(json.contains("\"configuration\":[0,") && json.contains("\"stage_of\":[]"), "{json}");
            // Two wires to one output lead a word elsewhere.
            let silent = &body.silent.as_ref().unwrap()[0];
            let sends = (0..terminals as usize).find(|lane| !silent.contains(&(*lane as u32))).unwrap();
            body.columns[0][sends] = body.columns[0][(sends + 1) % terminals as usize];
            assert_ne!(led(&film), expected);
        }
    }

    #[test]
    fn a_still_of_a_crossbar_has_the_wires_of_its_round_and_a_mark_for_each_word() {
        let demand = generate(&Kind::Uniform { words: 20 }, 5, 3).unwrap();
        let (film, arrivals) = of_demand(&demand, &crossbar(&demand), "").unwrap();
        let body = rounds(&film);
        let [left, right] = [body.layout.input_x, body.layout.output_x];
        let ends = |svg: &str, round: usize| {
            let to = &body.columns[body.configuration.as_ref().unwrap()[round] as usize];
            to.iter().enumerate().all(|(lane, &to)| {
                let [from, to] = [lane, to as usize].map(|lane| body.layout.lane_y[lane]);
                let starts = format!("points=\"{left},{from} ");
                svg.lines().any(|line| line.contains(&starts) && line.contains(&format!(" {right},{to}\"")))
            })
        };
        let sent = |round: u64| arrivals.iter().filter(|arrival| arrival.round == round).count();
        let rounds = body.injected.len() as u64;
        for round in 0..rounds {
            let svg = planned(&film, body, &[Moment::Round(RoundIdx(round as u32))]);
            assert!(ends(&svg, round as usize), "{svg}");
            assert_eq!(svg.matches("stroke-width=\"1.8\"").count(), sent(round), "{svg}");
            let named = body.control.as_ref().unwrap()[round as usize].as_str();
            assert!(svg.contains(&format!(", configuration {named}<")) && !svg.contains("switch"), "{svg}");
            // The words of a round cross in the cycle behind it, while those of the next one enter.
            let svg = planned(&film, body, &[Moment::Cycle(round + 1)]);
            assert!(ends(&svg, round as usize), "{svg}");
            assert_eq!(svg.matches("<circle ").count(), sent(round) + sent(round + 1), "{svg}");
            assert_eq!(svg.matches("cx=\"110.0\"").count(), sent(round), "{svg}");
        }
        // Wires of another configuration are found.
        let last = planned(&film, body, &[Moment::Cycle(rounds)]);
        assert!(!ends(&last, 0));
        let first = planned(&film, body, &[Moment::Cycle(0)]);
        assert!(ends(&first, 0));
        assert_eq!(first.matches("cx=\"90.0\"").count(), sent(0));
    }

    #[test]
    fn a_crossbar_without_words_is_at_rest() {
        let demand = Demand::new(3, vec![0; 9]).unwrap();
        let (film, _) = of_demand(&demand, &crossbar(&demand), "").unwrap();
        assert_eq!((film.last, &rounds(&film).columns), (0, &vec![vec![0, 1, 2]]));
        assert_eq!(planned(&film, rounds(&film), &[Moment::Cycle(0)]).matches("<polyline ").count(), 3);
    }

    #[test]
    fn an_exchange_that_loses_words_is_no_film() {
        let demand = generate(&Kind::named("zipf").unwrap(), 8, 3).unwrap();
        let mut exchange = benes::plan(&demand).unwrap();
        exchange.slots.pop();
        assert!(of_demand(&demand, &exchange, "").is_err());
        let mut exchange = crossbar(&demand);
        let State::Permutation(to) = &mut exchange.slots[0].state else { panic!("it is stored") };
        to[0] = to[1];
        assert!(matches!(of_demand(&demand, &exchange, ""), Err(Fault::Conflict(_))));
    }
}
