//! The testbench of a streamed permutation, its table, file lists and Makefile.

use crate::Files;
use crate::memh::table;
use crate::phases::{EARLY_RESET, Port, ports, ports_beside};
use crate::routed::Package;
use crate::template::{context, fill};
use crate::testbench::lists;
use crate::top::listed;
use crate::{ip_xact, registers};
use frit_cells::design::permute::{
    Dress, arguments, constants, design_name, fields, registers_name, size_bits, top_name, with_registers,
};
use frit_cells::design::pinout::Pinout;
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
    /// The module whose streams are tried in all phases.
    streamed: &'a str,
    tb: &'a str,
    command: &'a str,
    ports: Vec<Port>,
    /// Cycles for which a synchroniser holds a reset that comes and goes at any time.
    reset_delay: u32,
    early_reset: &'static str,
    /// The reset that the streams' module does not have, where another module beside it does.
    other_reset: &'static str,
    /// The top with registers, if there is one.
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
    limits: String,
}

/// The testbench side of a design D with words of `width_bits` bits: `tb_D.sv`, `D_sources.memh`, the file lists `D.f` (without
/// testbench) and `D_tb.f`, and the Makefile. `netlist` has the core and what `dress` says around it; `rtl_files` are the names of the design's own
/// files in the order in which tools should read them.
pub fn render(
    plan: &Streamed,
    width_bits: u32,
    (netlist, dress): (&Netlist, Dress),
    rtl_files: &[String],
) -> Files {
    let design = design_name(plan, width_bits);
    let tb = format!("tb_{design}");
    let command = command(plan, width_bits, dress);
    let written = with_registers(plan, width_bits, netlist);
    let module = |name: String| written.modules.iter().find(|module| module.name == name);
    // The streams are tried at the top, or at the core if registers are around it.
    let core = module(top_name(plan, width_bits)).expect("a core");
    let (streamed, pinout) = match dress.registers {
        true => (core, Pinout::OWN),
        false => (netlist.top(), dress.pinout),
    };
    let with_registers = match dress.registers {
        true => Some((netlist.top(), dress.pinout)),
        false => module(registers_name(plan, width_bits)).map(|module| (module, Pinout::OWN)),
    };
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
    let registers = if with_registers.is_some() { constants(plan, width_bits) } else { Vec::new() };
    let register = |name: &str| {
        let found = registers.iter().find(|(own, _)| *own == name);
        found.map_or_else(String::new, |(_, value)| format!("{value:08x}"))
    };
    let driven: Vec<String> = fields(plan, width_bits).map(|(name, _)| format!("s_axis_{name}_i")).collect();
    let ports = ports(streamed, pinout, &driven);
    let values = context(&PermuteValues {
        design: &design,
        top: &netlist.top().name,
        streamed: &streamed.name,
        tb: &tb,
        command: &command,
        reset_delay: dress.pinout.reset.delay(),
        early_reset: EARLY_RESET,
        other_reset: if dress.registers { EARLY_RESET } else { "rst_i" },
        axil: with_registers.map_or("", |(module, _)| &module.name),
        axil_ports: with_registers
            .map_or(Vec::new(), |(module, pinout)| ports_beside(module, pinout, &ports, "axil_")),
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
        limits: register("LIMITS"),
    });
    let mut files =
        vec![(format!("{tb}.sv"), fill(include_str!("../testbench/permute/tb.sv.tera"), &values))];
    if plan.largest().is_none() {
        files.push((format!("{design}_sources.memh"), places(plan)));
    }
    if with_registers.is_some() {
        files.extend(registers::sized(
            &registers_name(plan, width_bits),
            &command,
            plan.largest().is_some(),
            &registers,
        ));
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
    (netlist, dress): (&Netlist, Dress),
    files: &Files,
    cells: Option<&str>,
) -> Files {
    let words = plan.order.words();
    let phases = phases(plan);
    let meaning = dress.pinout.reset.meaning();
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
        command: &command(plan, width_bits, dress),
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
                (
                    "reset",
                    &format!("{}, at least 1 cycle", meaning.strip_prefix("reset, ").unwrap_or(meaning)),
                ),
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
    let mut made = package.render(files);
    if dress.pinout.axis {
        let sources = listed(files, &format!("{}.f", design_name(plan, width_bits)));
        let constants = if dress.registers { constants(plan, width_bits) } else { Vec::new() };
        let text = ip_xact::streamed(
            netlist.top(),
            dress.pinout,
            (plan.largest().is_some(), &constants),
            &sources,
            &command(plan, width_bits, dress),
        );
        made.push((ip_xact::FILE.into(), text));
    }
    made
}

/// The command that makes the files.
pub fn command(plan: &Streamed, width_bits: u32, dress: Dress) -> String {
    format!("frit generate {}{}", arguments(plan, width_bits), dress.arguments())
}

/// The number of the input word in each place of the output.
fn places(plan: &Streamed) -> String {
    let lines = plan.order.sources().into_iter().map(|source| format!("{source:08x}"));
    table("The number of the input word in each place of the output, place 0 first.", lines)
}
