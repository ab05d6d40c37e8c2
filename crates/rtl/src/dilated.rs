//! The testbench of a dilated butterfly, with what must happen in it: every shunt, every payload bit, what is left.

use crate::Files;
use crate::routed::end;
use crate::template::{context, fill};
use crate::testbench::lists;
use frit_cells::design::dilated::{Hardware, switch_name};
use frit_network::dilated::InEdge;
use frit_router::dilated::{Arrival, Packets, Shunt, Switch};
use serde::Serialize;
use std::fmt::Write;

pub mod package;

/// Steps after the last that a run may take until it has ended, so that a wrong one is seen to its end.
pub const GRACE: u64 = 64;

/// The signals inside the design that the testbench reads or forces, of a switch first: a netlist must still have them.
pub const PROBES: [&str; 9] =
    ["valid", "front", "pop", "room", "take", "edge_taken", "moves", "holds", "arrives"];

/// What must happen in a run, by a model.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// Every shunt, in its order.
    pub shunts: &'a [Shunt],
    /// Every bit that comes out, in its order: payload, and behind the first of two passes the bits for the second.
    pub arrivals: &'a [Arrival],
    /// Steps until the last of them; of two passes the sum of those of each.
    pub steps: u64,
    /// Steps of the timeline until the last shunt and the last bit.
    pub last_step: u64,
    /// The packets that must not arrive, by their numbers.
    pub left: &'a [u32],
}

/// A traffic that the testbench runs, and what must happen with it.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The packets. A row has no more of them than the hardware has inputs.
    pub packets: &'a Packets,
    pub expected: Expected<'a>,
    /// What the packets are, in a few words.
    pub what: &'a str,
}

/// What the testbench says of a run.
#[derive(Serialize)]
struct Figures<'a> {
    what: &'a str,
    /// The end of the names of its tables.
    end: String,
    shunts: usize,
    arrivals: usize,
    steps: u64,
    left: usize,
}

/// A switch and its number.
#[derive(Serialize)]
struct Named {
    number: u32,
    name: String,
}

/// What the templates are filled with.
#[derive(Serialize)]
struct DilatedValues<'a> {
    design: &'a str,
    tb: &'a str,
    command: &'a str,
    top: String,
    rows: u32,
    row_bits: u32,
    levels: u32,
    bundle: u32,
    switch: &'static str,
    weak: u8,
    release: bool,
    release_bit: u8,
    passes: u32,
    packets: u32,
    packet_bits: u32,
    header: u32,
    payload: u32,
    inputs: u32,
    runs: Vec<Figures<'a>>,
    most_shunts: usize,
    most_arrivals: usize,
    last_step: u64,
    switches: Vec<Named>,
}

/// The testbench side of a design: `tb_D.sv`, the tables of each run, the file lists `D.f` (without testbench) and `D_tb.f`, and the
/// `Makefile`. The first run is the one that the testbench tells of. `rtl_files` are the names of the design's own files in the order in
/// which tools should read them, `command` what makes them.
///
/// # Panics
/// Without a run.
pub fn render(runs: &[Run], hardware: &Hardware, command: &str, rtl_files: &[String]) -> Files {
    let packets = runs.first().expect("a testbench has a run").packets;
    let (network, name) = (hardware.network(), hardware.design_name());
    let (tb, top) = (format!("tb_{name}"), format!("{name}_route"));
    let last_level = network.levels() - 1;
    let values = context(&DilatedValues {
        design: &name,
        tb: &tb,
        command,
        rows: network.rows(),
        row_bits: network.dimensions(),
        levels: network.levels(),
        bundle: hardware.bundle(),
        switch: match hardware.switch() {
            Switch::Strong => "strong",
            Switch::Weak => "weak",
        },
        weak: u8::from(hardware.switch() == Switch::Weak),
        release: hardware.release(),
        release_bit: u8::from(hardware.release()),
        passes: hardware.passes(),
        packets: hardware.per_input(),
        packet_bits: packets.packet_bits(),
        header: packets.header_bits(),
        payload: packets.parameters().payload,
        inputs: hardware.inputs(0).max(if last_level > 0 { hardware.inputs(1) } else { 0 }),
        runs: (0..).zip(runs).map(|(number, run)| figures(number, run)).collect(),
        most_shunts: runs.iter().map(|run| run.expected.shunts.len()).max().unwrap_or(0),
        most_arrivals: runs.iter().map(|run| run.expected.arrivals.len()).max().unwrap_or(0),
        last_step: runs.iter().map(|run| run.expected.last_step + GRACE).sum(),
        switches: (0..network.switches() as u32)
            .map(|number| Named { number, name: switch_name(network.node(number)) })
            .collect(),
        top,
    });
    let mut files =
        vec![(format!("{tb}.sv"), fill(include_str!("../testbench/dilated/tb.sv.tera"), &values))];
    for (number, run) in (0..).zip(runs) {
        files.extend(tables(&name, &end(number), hardware, run));
    }
    files.extend(lists(&name, command, rtl_files));
    files.push(("Makefile".into(), fill(include_str!("../testbench/Makefile.tera"), &values)));
    files
}

fn figures<'a>(number: u32, run: &Run<'a>) -> Figures<'a> {
    let Run { expected, what, .. } = *run;
    Figures {
        what,
        end: end(number),
        shunts: expected.shunts.len(),
        arrivals: expected.arrivals.len(),
        steps: expected.steps,
        left: expected.left.len(),
    }
}

fn tables(name: &str, end: &str, hardware: &Hardware, run: &Run) -> Files {
    let Run { packets, expected, .. } = *run;
    vec![
        (format!("{name}_packets{end}.memh"), packets_table(name, packets, hardware)),
        (format!("{name}_shunts{end}.memh"), shunts_table(name, hardware, expected.shunts)),
        (format!("{name}_arrivals{end}.memh"), arrivals_table(name, hardware, expected.arrivals)),
        (format!("{name}_left{end}.memh"), left_table(name, packets, hardware, expected.left)),
    ]
}

fn header(design: &str, what: &str) -> String {
    format!("// {design}: {what}.\n// Generated; do not edit.\n")
}

/// The packets by row and place; `None` where a row has fewer.
fn places<'a>(packets: &'a Packets, hardware: &'a Hardware) -> impl Iterator<Item = Option<usize>> + 'a {
    let first = |row: u32| packets.packets().partition_point(|packet| packet.source < row);
    (0..hardware.network().rows()).flat_map(move |row| {
        let (from, to) = (first(row), first(row + 1));
        (0..hardware.per_input() as usize).map(move |place| Some(from + place).filter(|&at| at < to))
    })
}

// Writing to a String cannot fail, so the results of write! and writeln! are dropped in this file.

/// Bits as one number in hexadecimal, the first bit in the least significant place.
fn number(bits: &[bool]) -> String {
    let digit = |nibble: &[bool]| nibble.iter().rev().fold(0, |value, &bit| value << 1 | u32::from(bit));
    bits.chunks(4).rev().map(|nibble| char::from_digit(digit(nibble), 16).unwrap_or('0')).collect()
}

fn packets_table(design: &str, packets: &Packets, hardware: &Hardware) -> String {
    let mut text = header(
        design,
        "packets by row and place: whether there is one, its destination, its bits, the first in the lowest place",
    );
    let row_bits = hardware.network().dimensions();
    for packet in places(packets, hardware) {
        let bits: Vec<bool> = match packet {
            None => vec![false; (packets.packet_bits() + row_bits + 1) as usize],
            Some(at) => {
                let destination = packets.packets()[at].destination;
                (0..packets.packet_bits())
                    .map(|bit| packets.bit(at, bit))
                    .chain((0..row_bits).map(|bit| destination >> bit & 1 == 1))
                    .chain([true])
                    .collect()
            }
        };
        let _ = writeln!(text, "{}", number(&bits));
    }
    text
}

fn shunts_table(design: &str, hardware: &Hardware, shunts: &[Shunt]) -> String {
    let mut text = header(design, "shunts: step, switch (level * rows + row), in edge, out edge");
    let (rows, bundle) = (hardware.network().rows(), hardware.bundle());
    for shunt in shunts {
        let (switch, input) = (shunt.level * rows + shunt.row.0, shunt.y * bundle + shunt.e);
        let out = shunt.x * bundle + shunt.out;
        let _ = writeln!(text, "{:08x}{switch:08x}{input:04x}{out:04x}", shunt.step);
    }
    text
}

fn arrivals_table(design: &str, hardware: &Hardware, arrivals: &[Arrival]) -> String {
    let mut text = header(design, "bits that come out: step, edge, bit");
    let network = hardware.network();
    let first = network.edges() as usize - (2 * network.rows() * network.bundle()) as usize;
    for arrival in arrivals {
        let node = frit_network::dilated::Node { level: network.levels(), row: arrival.row };
        let edge = network.edge_number(InEdge { node, y: arrival.y, e: arrival.e }) - first;
        let _ = writeln!(text, "{:08x}{edge:08x}{:02x}", arrival.step, u8::from(arrival.bit));
    }
    text
}

fn left_table(design: &str, packets: &Packets, hardware: &Hardware, left: &[u32]) -> String {
    let mut text = header(design, "packets by row and place: 1 if it must not arrive");
    for packet in places(packets, hardware) {
        let left = packet.is_some_and(|at| left.binary_search(&(at as u32)).is_ok());
        let _ = writeln!(text, "{}", u8::from(left));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_router::dilated::Parameters;
    use frit_traffic::Messages;
    use std::collections::BTreeSet;

    #[test]
    fn numbers_have_their_first_bit_in_the_lowest_place() {
        assert_eq!(number(&[true, false, false, false, true, true]), "31");
        assert_eq!(number(&[false, true]), "2");
    }

    #[test]
    fn the_testbench_reads_the_probes_and_nothing_else() {
        let parts = [
            include_str!("../testbench/dilated/tb.sv.tera"),
            include_str!("../testbench/dilated/checks.tera"),
        ];
        let bench = parts.concat();
        let bench = bench.replace("{{ s.name }}", "s");
        let in_path = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let paths =
            bench.split("u_route.").skip(1).map(|text| text.split(|c| !in_path(c)).next().unwrap_or(""));
        let read: BTreeSet<&str> = paths.filter_map(|path| path.split('.').next_back()).collect();
        assert_eq!(read, BTreeSet::from(PROBES));
    }

    #[test]
    fn rows_with_fewer_packets_have_empty_places() {
        let messages = Messages::parse("0,1\n0,0\n1,0\n", 2).unwrap();
        let packets =
            Packets::new(Parameters { direct: true, payload: 2, ..Parameters::new(2, 2, 1) }, &messages)
                .unwrap();
        let hardware = Hardware::new(&packets).unwrap();
        assert_eq!(places(&packets, &hardware).collect::<Vec<_>>(), [Some(0), Some(1), Some(2), None]);
        let text = left_table("d", &packets, &hardware, &[1]);
        assert!(text.ends_with("\n0\n1\n0\n0\n"), "{text}");
        assert!(packets_table("d", &packets, &hardware).ends_with("\n00\n"));
    }
}
