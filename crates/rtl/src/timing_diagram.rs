//! The timing of a run of `D_exchange` as a diagram: one table of waves, written as WaveJSON (WaveDrom) and as SVG.
//!
//! Every cycle number is asked of the plan. A long run is shown at its beginning, around the first arrival and at its
//! end, with gaps between.

mod svg;

use frit_network::RoundIdx;
use frit_schedule::Plan;
use serde_json::json;

/// Cycles up to which a run is shown whole.
const WHOLE: i64 = 24;

/// What a signal does in a column of the diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Level {
    /// A clock period, from a rising edge to the next.
    Clock,
    Low,
    High,
    /// Nothing is said of it.
    Unknown,
    /// High, or a number, and which: a round, a cycle.
    Value(u64),
}

/// A signal with a level for every column that is no gap.
#[derive(Clone, Debug, PartialEq, Eq)]
struct DiagramRow {
    name: &'static str,
    levels: Vec<Level>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    title: String,
    /// The cycle of each column, -1 being that of `start_i`; `None` is a gap.
    columns: Vec<Option<i64>>,
    rows: Vec<DiagramRow>,
}

impl Diagram {
    /// One run of the exchange of `plan`, from the period of `start_i` to the one after `done_o`.
    pub fn of_run(plan: &Plan, design: &str) -> Self {
        let last = plan.message_cycles(1) as i64;
        let columns = columns(plan, last);
        let row = |name, level: &dyn Fn(i64) -> Level| DiagramRow {
            name,
            levels: columns.iter().flatten().map(|&cycle| level(cycle)).collect(),
        };
        let bit = |high| if high { Level::High } else { Level::Low };
        let running = |cycle: i64| (0..=last).contains(&cycle);
        let round = |round: Option<RoundIdx>| round.map_or(Level::Low, |round| Level::Value(round.0.into()));
        // No round is on its way before cycle 0 or after the last one.
        let at = |cycle: i64, of: fn(&Plan, u64) -> Option<RoundIdx>| {
            round(u64::try_from(cycle).ok().and_then(|cycle| of(plan, cycle)))
        };
        let rows = vec![
            row("clk_i", &|_| Level::Clock),
            row("start_i", &|cycle| bit(cycle == -1)),
            row("ready_o", &|cycle| bit(!running(cycle) || plan.takes_start(cycle as u64))),
            row("busy_o", &|cycle| bit(running(cycle))),
            row("send_valid_o", &|cycle| at(cycle, Plan::injecting)),
            row("recv_valid_o", &|cycle| at(cycle, Plan::arriving)),
            row("done_o", &|cycle| bit(cycle == last)),
            row("cycles_o", &|cycle| {
                if running(cycle) { Level::Value(cycle as u64) } else { Level::Unknown }
            }),
        ];
        let title = format!("{design}: rounds sent and received in a run, by cycle");
        Diagram { title, columns, rows }
    }

    /// As WaveJSON, the format of WaveDrom.
    pub fn wave_json(&self) -> String {
        let signals: Vec<_> = self.rows.iter().map(|row| self.wave_signal(row)).collect();
        let value = json!({"head": {"text": self.title}, "signal": signals});
        format!("{value:#}\n")
    }

    fn wave_signal(&self, row: &DiagramRow) -> serde_json::Value {
        let mut levels = row.levels.iter();
        let mut before = None;
        let mut wave = String::new();
        let mut data = Vec::new();
        for column in &self.columns {
            let level = column.and_then(|_| levels.next());
            match level {
                // A gap goes on with what was before; what comes after it is said again.
                None => wave.push('|'),
                same if same == before => wave.push('.'),
                Some(Level::Clock) => wave.push('p'),
                Some(Level::Low) => wave.push('0'),
                Some(Level::High) => wave.push('1'),
                Some(Level::Unknown) => wave.push('x'),
                Some(Level::Value(value)) => {
                    wave.push('=');
                    data.push(value.to_string());
                }
            }
            before = level;
        }
        match data.is_empty() {
            true => json!({"name": row.name, "wave": wave}),
            false => json!({"name": row.name, "wave": wave, "data": data}),
        }
    }

    /// As a picture that needs nothing else.
    pub fn svg(&self) -> String {
        svg::render(self)
    }
}

/// The cycles that are shown: where something begins or ends, with their neighbours.
fn columns(plan: &Plan, last: i64) -> Vec<Option<i64>> {
    if last < WHOLE {
        return (-1..=last + 1).map(Some).collect();
    }
    let last_sent = plan.injected_at(RoundIdx(plan.rounds - 1)) as i64;
    let first_arrival = plan.arrives_at(RoundIdx(0)) as i64;
    let mut shown: Vec<i64> = [-1, 0, 1, 2, first_arrival, last_sent, last]
        .into_iter()
        .flat_map(|cycle| cycle - 1..=cycle + 1)
        .filter(|cycle| (-1..=last + 1).contains(cycle))
        .collect();
    shown.sort_unstable();
    shown.dedup();
    let mut columns = Vec::new();
    for cycle in shown {
        match columns.last() {
            // A gap takes a column itself.
            Some(&Some(before)) if cycle == before + 2 => columns.push(Some(cycle - 1)),
            Some(&Some(before)) if cycle > before + 2 => columns.push(None),
            _ => {}
        }
        columns.push(Some(cycle));
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_schedule::{Request, plan};

    fn diagram(request: &Request) -> Diagram {
        Diagram::of_run(&plan(request).unwrap(), "d")
    }

    fn waves(diagram: &Diagram) -> Vec<String> {
        let value: serde_json::Value = serde_json::from_str(&diagram.wave_json()).unwrap();
        let signals = value["signal"].as_array().unwrap();
        signals.iter().map(|signal| format!("{} {}", signal["name"], signal["wave"])).collect()
    }

    #[test]
    fn a_short_run_is_shown_whole() {
        // 4 rounds, 3 stages: sent in cycles 0 to 3, received in 3 to 6.
        assert_eq!(
            waves(&diagram(&Request::new("rls", 4))),
            [
                r#""clk_i" "p........""#,
                r#""start_i" "10.......""#,
                r#""ready_o" "10..1....""#,
                r#""busy_o" "01......0""#,
                r#""send_valid_o" "0====0...""#,
                r#""recv_valid_o" "0...====0""#,
                r#""done_o" "0......10""#,
                r#""cycles_o" "x=======x""#,
            ]
        );
    }

    #[test]
    fn the_two_passes_of_a_folded_network_show() {
        // Windows of 2 cycles: two rounds, then their second pass.
        let waves = waves(&diagram(&Request::new("rls-folded", 4).with("plan", "windowed")));
        assert_eq!(waves[4], r#""send_valid_o" "0==0.==0....""#);
        assert_eq!(waves[5], r#""recv_valid_o" "0....==0.==0""#);
    }

    #[test]
    fn a_long_run_has_gaps_and_both_ends() {
        let diagram = diagram(&Request::new("rls", 1024));
        let cycles: Vec<i64> = diagram.columns.iter().flatten().copied().collect();
        assert_eq!((cycles[0], *cycles.last().unwrap()), (-1, 1023 + 19 + 1));
        assert!(cycles.contains(&19) && cycles.contains(&1023), "{cycles:?}");
        assert!(diagram.columns.len() < 30, "{:?}", diagram.columns);
        let gap_after = |at: usize| diagram.columns[at + 1].is_none();
        for (at, pair) in diagram.columns.windows(2).enumerate() {
            if let [Some(a), Some(b)] = pair {
                assert_eq!(a + 1, *b);
            } else {
                assert!(pair[1].is_some() || gap_after(at), "two gaps in a row");
            }
        }
        // The waves have a character for every column, the data one for every `=`.
        let value: serde_json::Value = serde_json::from_str(&diagram.wave_json()).unwrap();
        for signal in value["signal"].as_array().unwrap() {
            let wave = signal["wave"].as_str().unwrap();
            assert_eq!(wave.len(), diagram.columns.len());
            assert_eq!(wave.matches('=').count(), signal["data"].as_array().map_or(0, Vec::len));
        }
    }

    #[test]
    fn the_picture_has_every_name_and_value() {
        let svg = diagram(&Request::new("rls", 4)).svg();
        for text in [">clk_i<", ">send_valid_o<", ">cycles_o<", ">6<", "<title>d: rounds"] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    }
}
