//! The testbench of a crossbar, its tables, its header for C, file lists and Makefile.

use crate::Files;
use crate::crossbar_registers::rdl;
use crate::ip_xact;
use crate::memh::table;
use crate::phases::{Phased, Row};
use crate::routed::Package;
use crate::template::{context, fill};
use crate::top::listed;
use frit_cells::design::crossbar::Hardware;
use frit_cells::netlist::Netlist;
use frit_demand::crossbar::{ADDRESS_BITS, program};
use frit_model::crossbar::script::{self, Access};
use frit_model::crossbar::{CrossbarMark, CrossbarRun, Trial};
use frit_network::facts;
use frit_network::facts::Facts;
use serde::Serialize;

/// What its template is filled with besides.
#[derive(Serialize)]
struct CrossbarValues {
    terminals: u32,
    width_bits: u32,
    address_bits: u32,
    accesses: usize,
    /// What a host writes for the sources, and the access with which the testbench begins to write it.
    writes: usize,
    first_write: usize,
    /// What belongs to a word that leaves, with its bits; and where it is from.
    sent: [(&'static str, &'static str); 2],
    source: &'static str,
}

/// What the header is filled with.
#[derive(Serialize)]
struct Header<'a> {
    top: &'a str,
    macros: &'a str,
    command: &'a str,
    terminals: u32,
    terminal_bits: u32,
    setting_words: usize,
}

/// The header for C that finds settings and writes the registers: `T.h`.
pub fn header(hardware: &Hardware) -> (String, String) {
    let (top, shape) = (hardware.top_name(), hardware.shape);
    let values = context(&Header {
        top: &top,
        macros: &top.to_uppercase(),
        command: &command(hardware),
        terminals: shape.terminals(),
        terminal_bits: shape.bits(),
        setting_words: shape.setting_words().len(),
    });
    (format!("{top}.h"), fill(include_str!("../testbench/crossbar/sources.h.tera"), &values))
}

/// The testbench side of a design, its top being T = `D_crossbar`: `tb_T.sv`; `T_phases.memh` and `T_accesses.memh`, what it does; `T_writes.memh`, what a
/// host writes for the sources that were given; `T.h`, which finds this in C; `T.rdl`, the registers in SystemRDL; the file lists `T.f` (without
/// testbench) and `T_tb.f`; and the Makefile. `rtl_files` are the names of the design's own files in the order in which tools should read them.
pub fn render(trial: &Trial, hardware: &Hardware, netlist: &Netlist, rtl_files: &[String]) -> Files {
    let (top, command) = (hardware.top_name(), command(hardware));
    let bench = Phased {
        module: netlist.top(),
        command: &command,
        instance: "u_crossbar",
        template: include_str!("../testbench/crossbar/tb.sv.tera"),
        rows: rows(trial),
        compared: trial.phases.len(),
        long: 0,
        counted: CrossbarMark::Out,
    };
    let accesses: Vec<String> = trial.phases.iter().flat_map(|phase| &phase.accesses).map(row).collect();
    let writes = program(trial.shape, &trial.sources);
    let own = CrossbarValues {
        terminals: trial.shape.terminals(),
        width_bits: trial.width,
        address_bits: ADDRESS_BITS,
        accesses: accesses.len(),
        writes: writes.len(),
        first_write: trial.phases[0].accesses.len(),
        sent: [("tdata", "WidthBits"), ("tlast", "1")],
        source: "0",
    };
    let what = "What the host does: pause; write and overlap, strobes, delays, address; word (32 bits each).";
    let writes = writes.iter().map(|(address, word)| format!("{address:08x}{word:08x}"));
    let files = vec![
        (format!("{top}_accesses.memh"), table(what, accesses.into_iter())),
        (
            format!("{top}_writes.memh"),
            table("What a host writes for these sources: address in bytes, word.", writes),
        ),
        header(hardware),
        rdl(hardware, &command),
    ];
    bench.render(own, files, rtl_files)
}

/// A row of the table of accesses.
fn row(access: &Access) -> String {
    let Access { write, read, address, word, strobes, pause, late, overlaps } = access;
    let kind = u32::from(*write) | u32::from(*overlaps) << 1 | u32::from(*read) << 2;
    format!("{pause:08x}{kind:x}{strobes:x}{:x}{:x}{address:04x}{word:08x}", late[0], late[1])
}

/// The command that makes the files.
pub fn command(hardware: &Hardware) -> String {
    format!("frit generate {}", hardware.arguments())
}

/// What the testbench writes.
const PLUSARGS: [(&str, &str); 1] = [("events", "every word, response and error")];

/// The facts of a crossbar and of its trial.
pub fn facts(trial: &Trial) -> Facts {
    let shape = trial.shape;
    facts! {
        "terminals": shape.terminals(), "width": trial.width, "queue": 1u32 << shape.queue_bits(),
        "columns": shape.stages(), "switches": shape.switches() * shape.stages(), "setting_words": shape.setting_words().len(),
        "commit_cycles": shape.last_age() - 2, "latency": shape.groups() + 2, "phases": trial.phases.len(),
        "accesses": trial.phases.iter().map(|phase| phase.accesses.len()).sum::<usize>(),
    }
}

const FIGURES: [(&str, &str); 8] = [
    ("terminals (N)", "{terminals}"),
    ("bits of a word (W)", "{width}"),
    ("switches", "{switches} in {columns} columns"),
    ("words of the queue at an output", "{queue}"),
    ("words with settings, 32 bits each", "{setting_words}"),
    ("cycles in which a commit closes the inputs", "{commit_cycles}"),
    ("cycles from a word taken to the same word offered, at least", "{latency}"),
    ("reset", "synchronous, active high, at least 1 cycle"),
];

/// `T.core`, `Bender.yml`, `T_datasheet.md`, `T_pkg.vhd` and `component.xml` of the design that `files` are of, its top being T; `netlist` is the
/// hardware's, `cells` the folder of the cells that designs share, if it shares some.
pub fn package(
    trial: &Trial,
    hardware: &Hardware,
    netlist: &Netlist,
    files: &Files,
    cells: Option<&str>,
) -> Files {
    let shape = trial.shape;
    let count = |what| trial.events().filter(|event| event.what == what).count().to_string();
    let package = Package {
        design: &hardware.top_name(),
        library: "crossbar",
        description: &format!(
            "Crossbar of {n} × {n} streams on a Beneš network, {} bits",
            trial.width,
            n = shape.terminals()
        ),
        netlist,
        command: &command(hardware),
        plusargs: &PLUSARGS,
        cells,
        figures: facts::rows(&facts(trial), &FIGURES),
        run: vec![
            ("phases, each after a reset", trial.phases.len().to_string()),
            ("words that leave", count(CrossbarMark::Out)),
            ("writes of the host", count(CrossbarMark::Response)),
            ("reads of the host", count(CrossbarMark::Read)),
        ],
        note: "The phases commit under traffic, with outputs that stand still, and with settings that do not fit; the testbench lists them.",
    };
    let mut made = package.render(files);
    let module = netlist.modules.last().expect("D_crossbar");
    let sources = listed(files, &format!("{}.f", hardware.top_name()));
    made.push((ip_xact::FILE.into(), ip_xact::crossbar(hardware, module, &sources, &command(hardware))));
    made
}

fn rows(trial: &Trial) -> Vec<Row> {
    let mut first_access = 0;
    let row = |(at, (phase, ran)): (usize, (&script::Phase, &CrossbarRun))| {
        let driven = [
            ("first_access", first_access),
            ("access_count", phase.accesses.len() as i64),
            ("offers", phase.offering.into()),
            ("takes", phase.taking.into()),
            ("answers", phase.answering.into()),
            ("quiet", ran.quiet.min(ran.cycles) as i64),
        ];
        first_access += phase.accesses.len() as i64;
        Row::new(at, phase.what, &driven, (&ran.events, ran.cycles))
    };
    trial.phases.iter().zip(&trial.ran).enumerate().map(row).collect()
}
