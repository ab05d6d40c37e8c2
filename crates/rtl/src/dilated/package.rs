//! What other build tools read of a dilated butterfly, and its datasheet.

use super::Expected;
use crate::Files;
use crate::routed::Package;
use frit_cells::design::dilated::Hardware;
use frit_cells::netlist::Netlist;
use frit_router::dilated::row::ROW;
use frit_router::dilated::{Packets, Switch};

/// What the testbench writes.
const PLUSARGS: [(&str, &str); 2] = [
    ("shunts", "every shunt with its step"),
    ("arrivals", "every payload bit that comes out, with its step"),
];

/// `D.core`, `Bender.yml` and `D_datasheet.md` of the design that `files` are of. `netlist` is the hardware's, `command`
/// what makes the files.
pub fn render(
    packets: &Packets,
    hardware: &Hardware,
    netlist: &Netlist,
    expected: Expected,
    command: &str,
    files: &Files,
    cells: Option<&str>,
) -> Files {
    let (rows, bundle) = (hardware.network().rows(), hardware.bundle());
    let package = Package {
        design: &hardware.design_name(),
        library: "router",
        description: &format!("{}: {rows} rows, bundles of {bundle} edges", ROW.title),
        netlist,
        command,
        plusargs: &PLUSARGS,
        cells,
        figures: figures(packets, hardware),
        run: run(packets, expected),
        note: "Steps are counted from the cycle behind `start_i`, which is step 0. The packets are those of the command above; the hardware takes any others that start in\nthese places, with payloads of any length.",
    };
    package.render(files)
}

fn figures(packets: &Packets, hardware: &Hardware) -> Vec<(&'static str, String)> {
    let network = hardware.network();
    let switch = match hardware.switch() {
        Switch::Strong => "strong: every head that it sees is given an edge while there is one",
        Switch::Weak => "weak: one head of a bundle is looked at and one is shunted in a step",
    };
    vec![
        ("rows (N)", network.rows().to_string()),
        ("packets that can start in a row", hardware.per_input().to_string()),
        ("edges of a bundle (b)", hardware.bundle().to_string()),
        ("levels", format!("{} of {} switches", network.levels(), network.rows())),
        ("edges", network.edges().to_string()),
        ("bits of a queue (Q)", packets.parameters().queue.to_string()),
        ("switches", switch.into()),
        ("routing bits of a packet", packets.header_bits().to_string()),
        ("reset", "synchronous, active high, at least 1 cycle".into()),
        ("source", ROW.paper.into()),
    ]
}

fn run(packets: &Packets, expected: Expected) -> Vec<(&'static str, String)> {
    let parameters = packets.parameters();
    vec![
        ("packets", packets.packets().len().to_string()),
        ("bits of a payload (M)", parameters.payload.to_string()),
        ("packets that arrive", (packets.packets().len() - expected.left.len()).to_string()),
        ("packets that are blocked for ever", expected.left.len().to_string()),
        ("shunts", expected.shunts.len().to_string()),
        ("steps until the last payload bit", expected.steps.to_string()),
        ("fewest steps of any run that delivers", parameters.least_steps().to_string()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datasheet::ports;
    use crate::routed::cells;
    use frit_router::dilated::Parameters;
    use frit_router::dilated::packets::permutations;
    use std::collections::BTreeMap;

    #[test]
    fn cells_are_counted_through_all_modules_and_every_port_has_a_meaning() {
        let packets = Packets::new(Parameters::new(4, 3, 1), &permutations(4, 2, 1)).unwrap();
        let netlist = Hardware::new(&packets).unwrap().netlist();
        let counts: BTreeMap<String, u64> = cells(&netlist).into_iter().collect();
        // Four levels of four switches, of which the first have two in edges and no queues, the others six.
        assert_eq!(counts["frit_bit_queue"], 3 * 4 * 6);
        assert_eq!(counts["frit_shunt"], 3 * 4 * 6 + 4 * 2);
        assert_eq!((counts["frit_dilated_gate"], counts["frit_dilated_control"]), (4, 1));
        let ports = ports(netlist.top());
        assert_eq!(ports.len(), 12);
        assert!(ports.iter().all(|port| !port.meaning.is_empty()));
    }
}
