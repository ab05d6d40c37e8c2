//! The testbench of a streamed permutation, its table, file lists and Makefile.

use crate::Files;
use crate::memh::table;
use crate::phases::{Port, ports, ports_beside};
use crate::registers;
use crate::routed::Package;
use crate::template::{context, fill};
use crate::testbench::lists;
use frit_cells::design::permute::{
    arguments, constants, design_name, fields, size_bits, top_name, with_registers,
};
use frit_cells::netlist::Netlist;
use frit_cells::registers::VERSION;
use frit_network::facts;
use frit_permute::Streamed;
use frit_permute::script::{Words, limit, phases, seed, sizes, trials};
use serde::Serialize;

/// A phase of [`frit_permute::script`].
#[derive(Serialize)]
struct Phase {
    beats: u64,
    /// -1: it ends when all beats have left.
    cut: i64,
    offering: u32,
    taking: u32,
    limit: u64,
    seed: String,
    /// Which words: 0 pseudo-random ones, 1 zeros, 2 ones.
    words: u32,
}

/// What the templates are filled with.
#[derive(Serialize)]
struct PermuteValues<'a> {
    design: &'a str,
    top: &'a str,
    tb: &'a str,
    command: &'a str,
    ports: Vec<Port>,
    /// The top with registers, where sizes are loaded.
    axil: &'a str,
    axil_ports: Vec<Port>,
    lanes: u32,
    width_bits: u32,
    keep_bits: u32,
    user_bits: u32,
    cycles: u32,
    latency: u32,
    /// Of the model of when beats are due: the waits of the banks, cycles to the queue, its limit.
    waits: Vec<u32>,
    flight: u32,
    limit: u32,
    /// The phases that every engine makes.
    recorded: usize,
    /// They, and those of the testbench alone.
    phases: Vec<Phase>,
    /// Rows and columns of the matrices that follow each other, where sizes are loaded, the largest first.
    sizes: Vec<(u32, u32)>,
    /// Bits of the inputs of the size.
    size_bits: [u32; 2],
    /// What constant registers read.
    version: String,
    system: String,
    width_word: String,
}

/// The testbench side of a design D with words of `width_bits` bits: `tb_D.sv`, `D_sources.memh`, the file lists `D.f` (without
/// testbench) and `D_tb.f`, and the Makefile. `rtl_files` are the names of the design's own files in the order in which tools should read them.
pub fn render(plan: &Streamed, width_bits: u32, netlist: &Netlist, rtl_files: &[String]) -> Files {
    let (design, top) = (design_name(plan, width_bits), top_name(plan, width_bits));
    let tb = format!("tb_{design}");
    let command = command(plan, width_bits);
    let phase = |(at, (phase, words)): (usize, (frit_permute::script::Phase, Words))| Phase {
        beats: phase.beats,
        cut: phase.cut.map_or(-1, |cut| cut as i64),
        offering: phase.pace.offering,
        taking: phase.pace.taking,
        limit: limit(plan, phase),
        seed: format!("{:08x}", seed(at)),
        words: words as u32,
    };
    let recorded = phases(plan).into_iter().map(|phase| (phase, Words::Random));
    let [keep_bits, user_bits] = plan.side_bits(width_bits);
    let registers = if plan.largest().is_some() { constants(plan, width_bits) } else { Vec::new() };
    let register = |name: &str| {
        let found = registers.iter().find(|(own, _)| *own == name);
        found.map_or_else(String::new, |(_, value)| format!("{value:08x}"))
    };
    let driven: Vec<String> = fields(plan, width_bits).map(|(name, _)| format!("s_axis_{name}_i")).collect();
    let (ports, with_registers) = (ports(netlist.top(), &driven), with_registers(plan, width_bits, netlist));
    let values = context(&PermuteValues {
        design: &design,
        top: &top,
        tb: &tb,
        command: &command,
        axil: &with_registers.top().name,
        axil_ports: ports_beside(with_registers.top(), &ports, "axil_"),
        ports,
        lanes: plan.lanes,
        width_bits,
        keep_bits,
        user_bits,
        cycles: plan.cycles,
        latency: plan.latency(),
        waits: plan.memories().map(|memory| memory.wait).collect(),
        flight: plan.flight(),
        limit: plan.queue().1,
        recorded: recorded.len(),
        phases: recorded.chain(trials(plan)).enumerate().map(phase).collect(),
        sizes: sizes(plan),
        size_bits: size_bits(plan),
        version: format!("{VERSION:08x}"),
        system: register("SYSTEM"),
        width_word: register("WIDTH"),
    });
    let mut files =
        vec![(format!("{tb}.sv"), fill(include_str!("../testbench/permute/tb.sv.tera"), &values))];
    match plan.largest() {
        None => files.push((format!("{design}_sources.memh"), sources(plan))),
        Some(_) => files.extend(registers::sized(&format!("{design}_axil"), &command, &registers)),
    }
    files.extend(lists(&design, &command, rtl_files));
    files.push(("Makefile".into(), fill(include_str!("../testbench/Makefile.tera"), &values)));
    files
}

/// What the testbench writes.
const PLUSARGS: [(&str, &str); 1] = [("beats", "every beat that leaves, with its phase and cycle")];

/// `D.core`, `Bender.yml` and `D_datasheet.md` of the design that `files` are of; `netlist` is the hardware's, `cells` the folder of the
/// cells that designs share, if it shares some.
pub fn package(
    plan: &Streamed,
    width_bits: u32,
    netlist: &Netlist,
    files: &Files,
    cells: Option<&str>,
) -> Files {
    let words = plan.order.words();
    let phases = phases(plan);
    let (largest, sizes) = match plan.largest() {
        None => (["words of a data set", "cycles of a data set"], "one, fixed".into()),
        Some((rows, columns)) => (
            ["words of the largest data set", "cycles of the largest data set"],
            format!(
                "loaded at run time, multiples of {} up to {rows} x {columns}: ports `rows_i`, `columns_i`, or register SIZE of `{}_axil`",
                plan.lanes,
                design_name(plan, width_bits)
            ),
        ),
    };
    let package = Package {
        design: &design_name(plan, width_bits),
        library: "stream",
        description: &format!("{}: {words} words, {} a cycle, {width_bits} bits", plan.row.title, plan.lanes),
        netlist,
        command: &command(plan, width_bits),
        plusargs: &PLUSARGS,
        cells,
        figures: facts::rows(
            &plan.facts(Some(width_bits)),
            &[
                ("words of a cycle (N)", "{lanes}"),
                ("bits of a word (W)", "{width}"),
                ("bits of tkeep and of tuser for a word", "{side_bits}"),
                (largest[0], "{words}"),
                (largest[1], "{cycles}"),
                ("switches", "{switches} in {columns} columns"),
                ("latency", "{latency} cycles, of which {waits} wait for words"),
                ("words of memory", "{memory_words}"),
                ("data sets for which the memories have room (pages)", "{pages}"),
                ("orders of addresses that data sets take in turn", "{address_orders}"),
                ("sizes", &sizes),
                ("reset", "synchronous, active high, at least 1 cycle"),
                ("source", "{source}"),
            ],
        ),
        run: vec![
            ("phases, each after a reset", phases.len().to_string()),
            ("beats that the sender has", phases.iter().map(|phase| phase.beats).sum::<u64>().to_string()),
            ("further phases, of the testbench alone", trials(plan).len().to_string()),
        ],
        note: "The phases: a reset in the middle of a data set (of a short one at each of its beats), a full queue, random pauses, no pause, a slow and a fast receiver. Last, `s_axis_tlast_i` comes early and late.",
    };
    package.render(files)
}

/// The command that makes the files.
pub fn command(plan: &Streamed, width_bits: u32) -> String {
    format!("frit generate {}", arguments(plan, width_bits))
}

/// The number of the input word in each place of the output.
fn sources(plan: &Streamed) -> String {
    let lines = plan.order.sources().into_iter().map(|source| format!("{source:08x}"));
    table("The number of the input word in each place of the output, place 0 first.", lines)
}
