//! The public trace of coflows, `FB2010-1Hr-150-0.txt` of coflow/coflow-benchmark: shuffles between racks of a MapReduce cluster.
//!
//! The first line has the number of ports and of coflows. Each further line is a coflow: its id, its arrival in ms, the number of
//! mappers and their ports, the number of reducers and for each `port:megabytes`. What a reducer gets is divided evenly among the
//! mappers. Ports are numbered from 0.

use crate::demand::Demand;
use crate::reading::{Coflows, Reading};
use frit_network::name::beginning;
use frit_network::{Refusal, refusal, refuse};

/// The words of one coflow of a trace, of those that arrive in a window, or of all together: ⌈megabytes · `words_per_mb` / mappers⌉ from
/// each mapper to a reducer.
pub fn parse(text: &str, reading: Reading) -> Result<(Demand, Coflows), Refusal> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (at, head) = lines.next().unwrap_or((0, ""));
    let wrong = |line: usize, given: &str, expected| {
        refusal!("line {}: {:?} is not {expected}", line + 1, beginning(given))
    };
    let head_numbers: Option<Vec<u64>> = head.split_whitespace().map(|word| word.parse().ok()).collect();
    let Some([ports, count]) = head_numbers.as_deref() else {
        return Err(wrong(at, head, "the number of ports and the number of coflows"));
    };
    let (ports, count) = (*ports, *count);
    crate::demand::check_terminals(ports)?;
    let (mut list, mut ids, mut arrivals, mut merged) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for (at, line) in lines {
        let one = read(line)
            .ok_or_else(|| wrong(at, line, "ID ARRIVAL_MS MAPPERS PORT... REDUCERS PORT:MEGABYTES..."))?;
        ids.push(one.id);
        arrivals.push(one.arrival);
        if reading.coflow.is_some_and(|asked| asked != one.id)
            || reading.window.is_some_and(|(from, to)| !(from..to).contains(&one.arrival))
        {
            continue;
        }
        merged += 1;
        for &(reducer, megabytes) in &one.reducers {
            let words =
                (megabytes * f64::from(reading.words_per_mb.unwrap_or(1)) / one.mappers.len() as f64).ceil();
            list.extend(one.mappers.iter().map(|&mapper| (mapper, reducer, words as u64)));
        }
    }
    if ids.len() as u64 != count {
        refuse!("the trace has {} coflows, but its first line says {count}", ids.len() as u64);
    }
    if merged == 0
        && let Some(given) = reading.coflow
    {
        let (first, last) = (ids.first().copied().unwrap_or(0), ids.last().copied().unwrap_or(0));
        refuse!("the trace has no coflow {given}; its first is {first} and its last {last}");
    }
    if merged == 0
        && let Some((from, to)) = reading.window
    {
        let (first, last) = (arrivals.iter().min().unwrap_or(&0), arrivals.iter().max().unwrap_or(&0));
        refuse!(
            "no coflow arrives in {from}..{to} ms; the first arrives at {first} ms, the last at {last} ms"
        );
    }
    Ok((Demand::from_list(ports, list)?, Coflows { merged, all: count }))
}

struct Coflow {
    id: u64,
    /// In ms.
    arrival: u64,
    mappers: Vec<u64>,
    reducers: Vec<(u64, f64)>,
}

fn read(line: &str) -> Option<Coflow> {
    let mut words = line.split_whitespace();
    let id = words.next()?.parse().ok()?;
    let arrival = words.next()?.parse().ok()?;
    let count: usize = words.next()?.parse().ok().filter(|&count| count > 0)?;
    let mappers: Vec<u64> =
        words.by_ref().take(count).map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let reducer_count: usize = words.next()?.parse().ok()?;
    let reducer = |word: &str| {
        let (port, megabytes) = word.split_once(':')?;
        let megabytes: f64 = megabytes.parse().ok()?;
        ((0.0..1e9).contains(&megabytes)).then_some((port.parse().ok()?, megabytes))
    };
    let reducers: Vec<(u64, f64)> = words.map(reducer).collect::<Option<_>>()?;
    (mappers.len() == count && reducers.len() == reducer_count).then_some(Coflow {
        id,
        arrival,
        mappers,
        reducers,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4 3\n1 0 1 2 1 3:1.0\n2 10 2 0 1 1 2:5.0\n7 20 1 3 2 0:4.0 1:2.0\n";

    #[test]
    fn megabytes_are_divided_among_mappers() {
        let (all, coflows) = parse(TRACE, Reading::default()).unwrap();
        assert_eq!(coflows, Coflows { merged: 3, all: 3 });
        let pairs: Vec<_> = all.pairs().collect();
        assert_eq!(pairs, [(0, 2, 3), (1, 2, 3), (2, 3, 1), (3, 0, 4), (3, 1, 2)]);
        let ten = Reading { coflow: Some(2), words_per_mb: Some(10), ..Reading::default() };
        let (one, coflows) = parse(TRACE, ten).unwrap();
        assert_eq!((one.pairs().collect::<Vec<_>>(), coflows.merged), (vec![(0, 2, 25), (1, 2, 25)], 1));
    }

    #[test]
    fn a_window_has_the_coflows_that_arrive_in_it() {
        let of = |from, to| parse(TRACE, Reading { window: Some((from, to)), ..Reading::default() });
        for ((from, to), words) in [((0, 10), 1), ((0, 11), 7), ((10, 20), 6), ((10, 21), 12), ((20, 99), 6)]
        {
            assert_eq!(of(from, to).unwrap().0.total(), words, "{from}..{to}");
        }
        assert_eq!(of(0, 11).unwrap().1, Coflows { merged: 2, all: 3 });
        assert_eq!(
            of(11, 20).unwrap_err().to_string(),
            "no coflow arrives in 11..20 ms; the first arrives at 0 ms, the last at 20 ms"
        );
    }

    #[test]
    fn damage_is_explained() {
        let text = |trace: &str, coflow| {
            parse(trace, Reading { coflow, ..Reading::default() }).unwrap_err().to_string()
        };
        assert_eq!(text(TRACE, Some(3)), "the trace has no coflow 3; its first is 1 and its last 7");
        assert_eq!(
            text("4 2\n1 0 1 2 1 3:1.0\n", None),
            "the trace has 1 coflows, but its first line says 2"
        );
        assert!(text("", None).starts_with("line 1: \"\" is not the number of ports"));
        for line in ["1 0 2 2 1 3:1.0", "1 0 1 2 2 3:1.0", "1 0 1 2 1 3:-1", "1 0 1 2 1 3:nan", "1 0 0 0"] {
            assert!(text(&format!("4 1\n{line}\n"), None).starts_with("line 2: "), "{line}");
        }
        assert!(text("4 1\n1 0 1 9 1 3:1.0\n", None).contains("9 -> 3 is out of range"));
        assert!(text("99999 0\n", None).contains("99999 terminals are not allowed"));
    }
}
