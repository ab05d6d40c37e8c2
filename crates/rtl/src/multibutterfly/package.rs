//! What other build tools read of a multibutterfly, and its datasheet.

use super::Expected;
use crate::Files;
use crate::routed::Package;
use frit_cells::design::multibutterfly::Hardware;
use frit_cells::netlist::Netlist;
use frit_router::multibutterfly::row::ROW;
use frit_router::multibutterfly::{NodeEvent, Parameters, Problem};

/// What the testbench writes.
const PLUSARGS: [(&str, &str); 1] = [("events", "every commit, placement and delivery, with its phase")];

/// `D.core`, `Bender.yml` and `D_datasheet.md` of the design that `files` are of. `netlist` is the hardware's, `command`
/// what makes the files.
pub fn render(
    problem: &Problem,
    hardware: &Hardware,
    netlist: &Netlist,
    expected: Expected,
    command: &str,
    files: &Files,
    cells: Option<&str>,
) -> Files {
    let Parameters { degree, committed, .. } = *hardware.parameters();
    let rows = hardware.network().shape().rows();
    let package = Package {
        design: &hardware.design_name(),
        library: "router",
        description: &format!("{}: {rows} rows, d = {degree}, R = {committed}", ROW.title),
        netlist,
        command,
        plusargs: &PLUSARGS,
        cells,
        figures: figures(hardware),
        run: run(problem, hardware, expected),
        note: "Cycles are counted from the one behind `start_i`. The messages are those of the command above; the hardware takes any others, as long as no side\nneeds more buffers than it has.",
    };
    package.render(files)
}

fn figures(hardware: &Hardware) -> Vec<(&'static str, String)> {
    let shape = hardware.network().shape();
    let Parameters { degree, committed, threshold, requests, moves, free, strict, .. } =
        *hardware.parameters();
    let size = if strict { "greater than the count" } else { "not less than the count" };
    vec![
        ("rows (N)", shape.rows().to_string()),
        ("columns of inputs", hardware.columns().to_string()),
        ("edges", shape.edges().to_string()),
        ("ports of an input on a side (d)", degree.to_string()),
        ("ports that a side commits to (R)", committed.to_string()),
        ("largest size that need not ask (h)", threshold.to_string()),
        ("rounds of requests (Z)", requests.to_string()),
        ("rounds of moves (Y)", moves.to_string()),
        ("sizes", format!("the smallest power of two {size}")),
        ("splitters that commit without asking (free)", format!("of at most {free} inputs")),
        ("buffers of a side (B)", hardware.buffers().to_string()),
        ("payload bits of a message", hardware.payload().to_string()),
        ("cycles of a phase", hardware.phase_cycles().to_string()),
        ("most phases of a run", hardware.parameters().most_phases().to_string()),
        ("reset", "synchronous, active high, at least 1 cycle".into()),
        ("source", ROW.paper.into()),
    ]
}

fn run(problem: &Problem, hardware: &Hardware, expected: Expected) -> Vec<(&'static str, String)> {
    let count = |kind: fn(&NodeEvent) -> bool| expected.events.iter().filter(|event| kind(event)).count();
    let messages = problem.messages().len();
    vec![
        ("messages", messages.to_string()),
        ("messages that arrive", (messages - expected.left.len()).to_string()),
        ("messages that are left", expected.left.len().to_string()),
        ("commits", count(|event| matches!(event, NodeEvent::Commit { .. })).to_string()),
        ("placements", count(|event| matches!(event, NodeEvent::Place { .. })).to_string()),
        ("phases", expected.phases.to_string()),
        ("cycles", (u64::from(expected.phases) * hardware.phase_cycles()).to_string()),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::tests::{hardware, problem};
    use crate::datasheet::ports;
    use crate::routed::cells;
    use std::collections::BTreeMap;

    #[test]
    fn cells_are_counted_through_all_modules_and_every_port_has_a_meaning() {
        let problem = problem();
        let hardware = hardware(&problem);
        let netlist = hardware.netlist();
        let counts: BTreeMap<String, u64> = cells(&netlist).into_iter().collect();
        // Three columns of eight nodes with two sides of one bank each; ghosts behind the sources.
        assert_eq!((counts["frit_fill_pointer"], counts["frit_bank_memory"]), (48, 48));
        assert_eq!((counts["frit_ghost_end"], counts["frit_run_control"]), (32, 1));
        let ports = ports(netlist.top());
        assert_eq!(ports.len(), 13);
        assert!(ports.iter().all(|port| !port.meaning.is_empty()));
    }
}
