//! The testbench of messages of any length around a loaded schedule, its tables, file lists and Makefile.

use crate::Files;
use crate::loaded::{memh, program_header};
use crate::memh::table;
use crate::phases::{self, Phased, Row};
use crate::routed::Package;
use frit_cells::design::messages::Messages;
use frit_cells::netlist::Netlist;
use frit_model::loaded::script::Beat;
use frit_model::messages::script::{self, Word};
use frit_model::messages::{MessageMark, MessagesRun, Trial};
use frit_network::facts;
use frit_network::facts::Facts;
use serde::Serialize;

/// What its template is filled with besides.
#[derive(Serialize)]
struct MessagesValues {
    terminals: u32,
    terminal_bits: u32,
    width_bits: u32,
    beats: usize,
    program: usize,
    /// Where the stream of the programs is.
    programs: &'static str,
    words: usize,
    /// What belongs to a word that leaves, with its bits; and where it is from.
    sent: [(&'static str, &'static str); 3],
    source: &'static str,
}

/// The testbench side of a design, its top being T = `D_axis`: `tb_T.sv`; `T_phases.memh`, what it does; `T_beats.memh` and `T_words.memh`, what it
/// sends; `T_streams.memh`, where the words of each terminal begin; `T_program.memh`, the program; `T.h`, which makes programs in C; the file
/// lists `T.f` (without testbench) and `T_tb.f`; and the Makefile. `rtl_files` are the names of the design's own files in the order in which
/// tools should read them.
pub fn render(trial: &Trial, messages: &Messages, netlist: &Netlist, rtl_files: &[String]) -> Files {
    let (shape, top, program) = (trial.shape(), messages.top_name(), trial.program.words());
    let command = command(messages);
    let bench = Phased {
        module: netlist.top(),
        command: &command,
        instance: "u_messages",
        template: include_str!("../testbench/messages/tb.sv.tera"),
        rows: rows(trial),
        compared: trial.phases.len(),
        long: 0,
        counted: MessageMark::Out,
    };
    let streams = || trial.phases.iter().flat_map(|phase| &phase.words);
    let first = |at: &mut usize, stream: &Vec<Word>| {
        *at += stream.len();
        Some(*at)
    };
    let firsts = std::iter::once(0).chain(streams().scan(0, first)).map(|first| format!("{first:08x}"));
    let row = |word: &Word| {
        let marks = u32::from(word.empty) << 2 | u32::from(word.set) << 1 | u32::from(word.last);
        format!("{marks:x}{:02x}", word.dest)
    };
    let words: Vec<String> = streams().flatten().map(row).collect();
    let beats: Vec<&Beat> = trial.phases.iter().flat_map(|phase| &phase.programs).collect();
    let own = MessagesValues {
        terminals: shape.terminals(),
        terminal_bits: shape.terminal_bits(),
        width_bits: trial.width,
        beats: beats.len(),
        program: program.len(),
        programs: "program_axis",
        words: words.len(),
        sent: [("tdata", "WidthBits"), ("tid", "TerminalBits"), ("tlast", "1")],
        source: "int'(m_axis_tid_o[lane*TerminalBits +: TerminalBits])",
    };
    let what =
        "Beats of all terminals: empty, end of a set, end of a message (a digit), and the destination.";
    let places =
        "First beat of each terminal in each phase: [phase * N + terminal]; then the number of beats.";
    let files = vec![
        phases::beats(&top, beats.into_iter()),
        (format!("{top}_words.memh"), table(what, words.into_iter())),
        (format!("{top}_streams.memh"), table(places, firsts)),
        (format!("{top}_program.memh"), memh(&program)),
        program_header(&messages.hardware, &top, &command),
    ];
    bench.render(own, files, rtl_files)
}

/// The command that makes the files.
pub fn command(messages: &Messages) -> String {
    format!("frit generate {}", messages.arguments())
}

/// What the testbench writes.
const PLUSARGS: [(&str, &str); 1] =
    [("events", "every beat and word, start and end of an exchange, and error")];

/// The facts of messages around a loaded schedule, and of their trial.
pub fn facts(trial: &Trial) -> Facts {
    let (shape, program) = (trial.shape(), &trial.program);
    facts! {
        "terminals": shape.terminals(), "width": trial.width, "length": trial.length,
        "memory_words": 2 * shape.terminals() * trial.length, "entries": shape.entries(), "entry_words": shape.beats(),
        "start_cycles": 5, "latency": shape.message_latency(), "program_entries": program.entries.len(),
        "rounds": program.rounds(), "phases": trial.phases.len(),
    }
}

const FIGURES: [(&str, &str); 9] = [
    ("terminals (N)", "{terminals}"),
    ("bits of a word (W)", "{width}"),
    ("words of the longest message (L)", "{length}"),
    ("words of the memories of a terminal, at its input and at its output", "{memory_words}"),
    ("entries of a bank (K)", "{entries}"),
    ("words of an entry in a program, 32 bits each", "{entry_words}"),
    ("cycles from a start to its first round", "{start_cycles}"),
    ("cycles from a round to its words' arrival", "{latency}"),
    ("reset", "synchronous, active high, at least 1 cycle"),
];

/// `T.core`, `Bender.yml`, `T_datasheet.md` and `T_pkg.vhd` of the design that `files` are of, its top being T; `netlist` is the
/// hardware's, `cells` the folder of the cells that designs share, if it shares some.
pub fn package(
    trial: &Trial,
    messages: &Messages,
    netlist: &Netlist,
    files: &Files,
    cells: Option<&str>,
) -> Files {
    let shape = trial.shape();
    let count = |what| trial.events().filter(|event| event.what == what).count().to_string();
    let package = Package {
        design: &messages.top_name(),
        library: "messages",
        description: &format!(
            "Streams of {} terminals around a loaded schedule: messages of 1 to {} words of {} bits",
            shape.terminals(),
            trial.length,
            trial.width
        ),
        netlist,
        command: &command(messages),
        plusargs: &PLUSARGS,
        cells,
        figures: facts::rows(&facts(trial), &FIGURES),
        run: vec![
            ("phases, each after a reset", trial.phases.len().to_string()),
            ("words that leave", count(MessageMark::Out)),
            ("ends of exchanges", count(MessageMark::Done)),
        ],
        note: "The phases pause on all sides, and have messages and programs with mistakes; the testbench lists them.",
    };
    package.render(files)
}

fn rows(trial: &Trial) -> Vec<Row> {
    let mut first_beat = 0;
    let row = |(at, (phase, ran)): (usize, (&script::Phase, &MessagesRun))| {
        let driven = [
            ("first_beat", first_beat),
            ("beat_count", phase.programs.len() as i64),
            ("exchange_count", phase.exchanges.into()),
            ("offers", phase.offering.into()),
            ("takes", phase.taking.into()),
            ("loads", phase.loading.into()),
            ("starts", phase.starting.into()),
            ("early", phase.early.map_or(-1, |early| early as i64)),
        ];
        first_beat += phase.programs.len() as i64;
        Row::new(at, phase.what, &driven, (&ran.events, ran.cycles))
    };
    trial.phases.iter().zip(&trial.ran).enumerate().map(row).collect()
}
