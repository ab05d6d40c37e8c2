//! The testbench of a network whose schedule is loaded, its tables, file lists and Makefile.

use crate::Files;
use crate::memh::table;
use crate::phases::{self, Phased, Row};
use crate::routed::Package;
use crate::template::{context, fill};
use frit_cells::design::loaded::Hardware;
use frit_cells::netlist::Netlist;
use frit_model::loaded::script::{self, Beat};
use frit_model::loaded::{LoadedMark, LoadedRun, Trial};
use frit_network::facts;
use frit_network::facts::Facts;
use serde::Serialize;

/// What its template is filled with besides.
#[derive(Serialize)]
struct LoadedValues {
    terminals: u32,
    terminal_bits: u32,
    width_bits: u32,
    latency: u32,
    beats: usize,
    program: usize,
    /// Where the stream of the programs is.
    programs: &'static str,
    exchanges: usize,
}

/// What the header is filled with.
#[derive(Serialize)]
struct Header<'a> {
    top: &'a str,
    macros: &'a str,
    command: &'a str,
    terminals: u32,
    terminal_bits: u32,
    entries: u64,
    entry_words: u32,
    /// Of a network whose settings the caller gives; empty where the looping algorithm finds them.
    links: &'a [Vec<u32>],
}

/// The header for C that makes the entries of programs: `T.h`. Of a Beneš network they are made from permutations, of a user's network from
/// the states of its switches.
pub fn header(hardware: &Hardware) -> (String, String) {
    program_header(hardware, &hardware.top_name(), &command(hardware))
}

/// That of a design with this top, which the command makes.
pub(crate) fn program_header(hardware: &Hardware, top: &str, command: &str) -> (String, String) {
    let shape = hardware.shape();
    let values = context(&Header {
        top,
        macros: &top.to_uppercase(),
        command,
        terminals: shape.terminals(),
        terminal_bits: shape.terminal_bits(),
        entries: shape.entries(),
        entry_words: shape.beats(),
        links: if hardware.on.permutes() { &[] } else { hardware.on.network().links() },
    });
    (format!("{top}.h"), fill(include_str!("../testbench/loaded/program.h.tera"), &values))
}

/// The testbench side of a design, its top being T = `D_loaded`: `tb_T.sv`; `T_phases.memh`, what it does; `T_beats.memh` and `T_words.memh`, what it
/// sends; `T_program.memh`, the program; `T.h`, which makes programs in C; the file lists `T.f` (without testbench) and `T_tb.f`; and the
/// Makefile. `rtl_files` are the names of the design's own files in the order in which tools should read them.
pub fn render(trial: &Trial, hardware: &Hardware, netlist: &Netlist, rtl_files: &[String]) -> Files {
    let (shape, top, program) = (trial.shape(), hardware.top_name(), trial.program.words());
    let bench = Phased {
        module: netlist.top(),
        command: &command(hardware),
        instance: "u_loaded",
        template: include_str!("../testbench/loaded/tb.sv.tera"),
        rows: rows(trial),
        compared: trial.compared,
        long: trial.long,
        counted: LoadedMark::Word,
    };
    let beats: Vec<&Beat> = trial.phases.iter().flat_map(|phase| &phase.beats).collect();
    let exchanges: Vec<&Vec<u32>> = trial.phases.iter().flat_map(|phase| &phase.words).collect();
    let own = LoadedValues {
        terminals: shape.terminals(),
        terminal_bits: shape.terminal_bits(),
        width_bits: trial.width,
        latency: shape.latency(),
        beats: beats.len(),
        program: program.len(),
        programs: "s_axis",
        exchanges: exchanges.len(),
    };
    let words = exchanges.into_iter().flatten().map(|words| format!("{words:08x}"));
    let what = "Words of each pair of terminals: [(exchange * N + source) * N + destination].";
    let files = vec![
        phases::beats(&top, beats.into_iter()),
        (format!("{top}_words.memh"), table(what, words)),
        (format!("{top}_program.memh"), memh(&program)),
        header(hardware),
    ];
    bench.render(own, files, rtl_files)
}

/// The command that makes the files.
pub fn command(hardware: &Hardware) -> String {
    format!("frit generate {}", hardware.arguments())
}

/// What the testbench writes.
const PLUSARGS: [(&str, &str); 1] = [("events", "every word, end of an exchange and error")];

/// The facts of a network with a loaded schedule, and of its trial.
pub fn facts(trial: &Trial) -> Facts {
    let (shape, program) = (trial.shape(), &trial.program);
    facts! {
        "terminals": shape.terminals(), "width": trial.width, "entries": shape.entries(), "entry_bits": shape.width(),
        "entry_words": shape.beats(), "columns": shape.stages(), "switches": shape.switches() * shape.stages(),
        "start_cycles": 4, "latency": shape.latency(), "program_entries": program.entries.len(),
        "rounds": program.rounds(), "phases": trial.phases.len(),
    }
}

const FIGURES: [(&str, &str); 9] = [
    ("terminals (N)", "{terminals}"),
    ("bits of a word (W)", "{width}"),
    ("entries of a bank (K)", "{entries}"),
    ("bits of an entry", "{entry_bits}"),
    ("words of an entry in a program, 32 bits each", "{entry_words}"),
    ("switches", "{switches} in {columns} columns"),
    ("cycles from a start to its first round", "{start_cycles}"),
    ("cycles from a round to its words' arrival", "{latency}"),
    ("reset", "synchronous, active high, at least 1 cycle"),
];

/// `T.core`, `Bender.yml`, `T_datasheet.md` and `T_pkg.vhd` of the design that `files` are of, its top being T; `netlist` is the
/// hardware's, `cells` the folder of the cells that designs share, if it shares some.
pub fn package(
    trial: &Trial,
    hardware: &Hardware,
    netlist: &Netlist,
    files: &Files,
    cells: Option<&str>,
) -> Files {
    let shape = trial.shape();
    let network = match trial.on.permutes() {
        true => "Beneš network".to_string(),
        false => format!("Network {}", trial.on.network().name()),
    };
    let events = || trial.ran.iter().flat_map(|ran| &ran.events);
    let count = |what| events().filter(|event| event.what == what).count().to_string();
    let package = Package {
        design: &hardware.top_name(),
        library: "loaded",
        description: &format!(
            "{network} of {} terminals with a loaded schedule: {} entries, {} bits",
            shape.terminals(),
            shape.entries(),
            trial.width
        ),
        netlist,
        command: &command(hardware),
        plusargs: &PLUSARGS,
        cells,
        figures: facts::rows(&facts(trial), &FIGURES),
        run: vec![
            ("phases, each after a reset", (trial.phases.len() - trial.long).to_string()),
            ("phases more, with +long", trial.long.to_string()),
            ("words that arrive", count(LoadedMark::Word)),
            ("ends of exchanges", count(LoadedMark::Done)),
        ],
        note: "The phases load programs in time, late, damaged and with settings that do not fit; the header of the testbench lists them.",
    };
    package.render(files)
}

fn rows(trial: &Trial) -> Vec<Row> {
    let (mut first_beat, mut first_exchange) = (0, 0);
    let row = |(at, (phase, ran)): (usize, (&script::Phase, &LoadedRun))| {
        let driven = [
            ("first_beat", first_beat),
            ("beat_count", phase.beats.len() as i64),
            ("offers", phase.offering.into()),
            ("starts", phase.starting.into()),
            ("early", phase.early.map_or(-1, |early| early as i64)),
            ("first_exchange", first_exchange),
            ("exchange_count", phase.words.len() as i64),
        ];
        first_beat += phase.beats.len() as i64;
        first_exchange += phase.words.len() as i64;
        Row::new(at, phase.what, &driven, (&ran.events, ran.cycles))
    };
    trial.phases.iter().zip(&trial.ran).enumerate().map(row).collect()
}

/// The words of a program as a table.
pub fn memh(words: &[u32]) -> String {
    let lines = words.iter().map(|word| format!("{word:08x}"));
    table("A program, words of 32 bits; tlast belongs to the last one.", lines)
}
