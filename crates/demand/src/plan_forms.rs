//! A plan of configurations in the forms of other projects: time slices of OpenOptics, cross-connects of an optical circuit switch as
//! OpenConfig describes them, and flows of htsim that start when their circuit is there.

use crate::demand::Demand;
use crate::plan_file::{PlanFile, Row};
use frit_network::{Refusal, refuse};
use frit_traffic::pace::Pace;
use serde_json::{Value, json};
use std::io::{Result as Written, Write};

/// The most circuits of [`openoptics`], about 20 bytes each in the file.
const MAX_CIRCUITS: u64 = 1 << 24;

/// The cycles of a time slice: the longest slices in which no configuration begins or ends.
///
/// # Errors
///
/// Several networks: OpenOptics joins two nodes by one circuit at a time. Too many circuits.
pub fn slice(plan: &PlanFile) -> Result<u64, Refusal> {
    if plan.planes > 1 {
        refuse!(
            "the plan has {} planes, but openoptics joins two nodes by one circuit at a time; give --planes 1, or another --schedule-form",
            plan.planes
        );
    }
    let times = plan.rows.iter().flat_map(|row| [row.start, row.hold]);
    let slice = times.fold(0, greatest_common_divisor).max(1);
    let circuits = (plan.cycles() / slice).saturating_mul(plan.terminals.into());
    if circuits > MAX_CIRCUITS {
        refuse!(
            "the plan has up to {circuits} circuits in time slices of {slice} cycles, and a file of openoptics at most {MAX_CIRCUITS}; count in larger words, or give another --schedule-form"
        );
    }
    Ok(slice)
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// Circuits for OpenOptics (`openoptics/Toolbox.py` of github.com/mpi-ncs/openoptics): a list of `[time_slice, node1, node2, port1, port2]`,
/// the arguments of `BaseNetwork.connect`, in time slices of one length. A permutation is not symmetric, so each circuit leads one way
/// (`unidirectional`): a node sends on port 0 and receives on port 1. Slices in which the network changes its configuration have no
/// circuits. Words of a terminal for itself need none.
pub fn openoptics(plan: &PlanFile, slice: u64, out: &mut impl Write, pace: Option<Pace>) -> Written<()> {
    writeln!(out, "{{\n  \"nb_node\": {},\n  \"nb_link\": 2,", plan.terminals)?;
    writeln!(out, "  \"nb_time_slices\": {},\n  \"time_slice_cycles\": {slice},", plan.cycles() / slice)?;
    if let Some(pace) = pace {
        writeln!(out, "  \"time_slice_duration_us\": {},", pace.time_ps(slice) as f64 / 1e6)?;
    }
    write!(out, "  \"circuits\": [")?;
    let mut separator = "\n";
    for row in &plan.rows {
        for time_slice in row.start / slice..row.end() / slice {
            for (from, to) in row.circuits().filter(|&(from, to)| from != usize::from(to)) {
                write!(out, "{separator}    [{time_slice}, {from}, {to}, 0, 1]")?;
                separator = ",\n";
            }
        }
    }
    writeln!(out, "\n  ]\n}}")
}

/// The cross-connects of each configuration, as the model `openconfig-optical-switch` lists them that was proposed to OpenConfig
/// (github.com/openconfig/public, pull request 1187): `port-connections`, each with `slot`, `port`, `peer-slot` and `peer-port`. The slot is
/// the network. Terminal i sends into port i, and the port N + j leads to terminal j. The model has no times: `start` and `hold` stand
/// beside the connections.
pub fn openconfig(plan: &PlanFile, out: &mut impl Write, pace: Option<Pace>) -> Written<()> {
    let more = [("ingress-start-index", json!(0)), ("egress-start-index", json!(plan.terminals))];
    plan.json_with(out, &more, pace, |row: &Row| {
        let slot = row.plane.to_string();
        let connection = |(from, to): (usize, u16)| {
            let (port, peer) = (from.to_string(), (u32::from(to) + plan.terminals).to_string());
            let config = json!({ "slot": slot, "port": port, "peer-slot": slot, "peer-port": peer });
            json!({ "slot": slot, "port": port, "config": config })
        };
        let connections: Vec<Value> = row.circuits().map(connection).collect();
        ("port-connections", json!({ "port-connection": connections }))
    })
}

/// The connection matrix of htsim (`connection_matrix.cpp` of github.com/Broadcom/csg-htsim): for each configuration a flow for each pair
/// of different terminals that still has words. The flow starts with the configuration, in picoseconds, and has no more words than the
/// configuration is held.
pub fn htsim(plan: &PlanFile, demand: &Demand, out: &mut impl Write, pace: Pace) -> Written<()> {
    writeln!(out, "Nodes {}\nConnections {}", plan.terminals, flows(plan, demand, |_, _, _, _| Ok(()))?)?;
    let bytes = u64::from(pace.word_bytes());
    flows(plan, demand, |id, start, (from, to), words| {
        writeln!(out, "{from}->{to} id {id} start {} size {}", pace.time_ps(start), words * bytes)
    })?;
    Ok(())
}

/// Calls `flow` with number (from 1), start, pair and words of each flow, in the order of starts; the number of flows.
fn flows(
    plan: &PlanFile,
    demand: &Demand,
    mut flow: impl FnMut(u64, u64, (usize, u16), u64) -> Written<()>,
) -> Written<u64> {
    let mut left = demand.matrix().to_vec();
    let mut order: Vec<&Row> = plan.rows.iter().collect();
    order.sort_by_key(|row| row.start);
    let mut id = 0;
    for row in order {
        for (from, to) in row.circuits().filter(|&(from, to)| from != usize::from(to)) {
            let cell = &mut left[from * plan.terminals as usize + usize::from(to)];
            let words = u64::from(*cell).min(row.hold);
            if words > 0 {
                *cell -= words as u32;
                id += 1;
                flow(id, row.start, (from, to), words)?;
            }
        }
    }
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::few::{Fabric, spread};
    use crate::generate::{Kind, generate};
    use crate::peel::permutations;

    fn planned(demand: &Demand, delta: u32, planes: u32) -> PlanFile {
        let few = spread(&permutations(demand), Fabric { delta, planes, matchings: None });
        PlanFile::new(demand.terminals(), delta, few)
    }

    fn written(write: impl Fn(&mut Vec<u8>) -> Written<()>) -> String {
        let mut bytes = Vec::new();
        write(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    fn value(text: &str) -> Value {
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    fn pace() -> Pace {
        Pace::parse(Some(1000), Some("8M"), None).unwrap().unwrap() // a millisecond for each word
    }

    #[test]
    fn time_slices_join_every_pair_as_long_as_it_has_words() {
        for (seed, delta) in [(1, 0), (2, 3), (3, 10)] {
            let demand = generate(&Kind::Uniform { words: 50 }, 6, seed).unwrap();
            let plan = planned(&demand, delta, 1);
            let slice = slice(&plan).unwrap();
            let made = value(&written(|out| openoptics(&plan, slice, out, Some(pace()))));
            assert_eq!(made["time_slice_duration_us"].as_f64(), Some(1000.0 * slice as f64));
            let slices = made["nb_time_slices"].as_u64().unwrap();
            assert_eq!(slices * slice, plan.cycles());
            let mut joined = [0; 36];
            let mut ports = std::collections::BTreeSet::new();
            for circuit in made["circuits"].as_array().unwrap() {
                let [time, from, to, send, receive] = [0, 1, 2, 3, 4].map(|at| circuit[at].as_u64().unwrap());
                assert!(time < slices && (send, receive) == (0, 1));
                assert!(ports.insert((time, from, send)) && ports.insert((time, to, receive)), "{circuit}");
                joined[(6 * from + to) as usize] += slice;
            }
            let enough = |(from, to, words): (u32, u32, u32)| {
                from == to || joined[(6 * from + to) as usize] >= u64::from(words)
            };
            assert!(demand.pairs().all(enough), "{joined:?}");
        }
    }

    #[test]
    fn slices_are_as_long_as_they_can_be_and_impossible_ones_are_refused() {
        let demand = Demand::from_list(2, [(0, 1, 60), (1, 1, 40), (1, 0, 20), (0, 0, 40)]).unwrap();
        let plan = planned(&demand, 20, 1);
        assert_eq!(slice(&plan), Ok(20));
        let made = value(&written(|out| openoptics(&plan, 20, out, None)));
        assert_eq!((&made["nb_time_slices"], made.get("time_slice_duration_us")), (&7.into(), None));
        let times: Vec<u64> =
            made["circuits"].as_array().unwrap().iter().map(|circuit| circuit[0].as_u64().unwrap()).collect();
        // Slices 0 and 4 change the configuration, and in 5 and 6 every terminal sends to itself.
        assert_eq!(times, [1, 1, 2, 2, 3, 3]);
        let error = slice(&planned(&demand, 20, 2)).unwrap_err().to_string();
        assert!(error.starts_with("the plan has 2 planes, but openoptics"), "{error}");
        let long = Demand::from_list(2, [(0, 1, 1 << 24), (0, 0, 1)]).unwrap();
        let error = slice(&planned(&long, 0, 1)).unwrap_err().to_string();
        assert!(
            error.starts_with("the plan has up to 33554434 circuits in time slices of 1 cycles"),
            "{error}"
        );
        let none = planned(&Demand::new(2, vec![0; 4]).unwrap(), 0, 1);
        assert!(
            written(|out| openoptics(&none, slice(&none).unwrap(), out, None)).contains("\"circuits\": [\n")
        );
    }

    #[test]
    fn cross_connects_have_a_port_for_each_end() {
        let demand = Demand::from_list(2, [(0, 1, 60), (1, 0, 40)]).unwrap();
        let made = value(&written(|out| openconfig(&planned(&demand, 5, 2), out, None)));
        assert_eq!((&made["egress-start-index"], &made["planes"]), (&2.into(), &2.into()));
        let first = &made["configurations"][0];
        assert_eq!((&first["start"], &first["hold"]), (&5.into(), &30.into()));
        let connections = first["port-connections"]["port-connection"].as_array().unwrap();
        let config = json!({ "slot": "0", "port": "1", "peer-slot": "0", "peer-port": "2" });
        assert_eq!(connections[1], json!({ "slot": "0", "port": "1", "config": config }));
        assert_eq!(connections.len(), 2);
    }

    #[test]
    fn flows_have_all_words_and_start_with_their_configuration() {
        let demand = Demand::from_list(3, [(0, 1, 3), (0, 2, 2), (1, 1, 4), (2, 0, 5)]).unwrap();
        let plan = planned(&demand, 1, 1);
        let text = written(|out| htsim(&plan, &demand, out, pace()));
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("Nodes 3"));
        let mut words = [0; 9];
        let mut count = 0;
        let mut before = 0;
        for (line, id) in lines.clone().skip(1).zip(1u64..) {
            let parts: Vec<&str> = line.split([' ', '>']).collect();
            let number = |at: usize| parts[at].trim_end_matches('-').parse::<u64>().unwrap();
            assert_eq!(number(3), id, "{line}");
            let (start, size) = (number(5), number(7));
            let row = plan.rows.iter().find(|row| row.start * 1_000_000_000 == start).expect(line);
            assert_eq!(u64::from(row.to[number(0) as usize]), number(1), "{line}");
            assert!(start >= before && size % 1000 == 0 && size / 1000 <= row.hold, "{line}");
            words[(3 * number(0) + number(1)) as usize] += (size / 1000) as u32;
            (before, count) = (start, id);
        }
        assert_eq!(lines.next(), Some(format!("Connections {count}").as_str()));
        words[4] = 4; // Words of a terminal for itself are no flow.
        assert_eq!(words, demand.matrix());
    }
}
