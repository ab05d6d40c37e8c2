//! The testbench of messages of any length around a loaded schedule, its tables, file lists and Makefile.

use crate::Files;
use crate::loaded::{memh, program_header};
use crate::memh::table;
use crate::routed::Package;
use crate::template::{context, fill};
use crate::testbench::lists;
use frit_cells::design::messages::Messages;
use frit_cells::netlist::Netlist;
use frit_model::event::digest;
use frit_model::loaded::script::seed;
use frit_model::messages::script::{self, Word};
use frit_model::messages::{MessageMark, MessagesRun, Trial};
use serde::Serialize;

/// A phase of [`frit_model::messages::script`], and what is due in it.
#[derive(Serialize)]
struct Phase {
    what: &'static str,
    first_beat: usize,
    beats: usize,
    exchanges: u32,
    offering: u32,
    taking: u32,
    loading: u32,
    starting: u32,
    /// -1: no start but those that are taken.
    early: i64,
    seed: String,
    cycles: u64,
    entered: usize,
    left: usize,
    done: usize,
    /// Left, message, stray, start, load.
    errors: String,
    digest: String,
}

/// What the templates are filled with.
#[derive(Serialize)]
struct MessagesValues<'a> {
    design: &'a str,
    top: &'a str,
    tb: &'a str,
    command: &'a str,
    terminals: u32,
    terminal_bits: u32,
    width_bits: u32,
    beats: usize,
    words: usize,
    phases: Vec<Phase>,
}

/// The testbench side of a design, its top being T = `D_axis`: `tb_T.sv`; `T_beats.memh` and `T_words.memh`, what the testbench sends;
/// `T_streams.memh`, where the words of each terminal begin; `T_program.memh`, the program; `T.h`, which makes programs in C; the file lists
/// `T.f` (without testbench) and `T_tb.f`; and the Makefile. `rtl_files` are the names of the design's own files in the order in which tools
/// should read them.
pub fn render(trial: &Trial, messages: &Messages, rtl_files: &[String]) -> Files {
    let design = messages.top_name();
    let tb = format!("tb_{design}");
    let command = command(messages);
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
    let beats: Vec<String> = trial
        .phases
        .iter()
        .flat_map(|phase| &phase.programs)
        .map(|beat| format!("{:09x}", u64::from(beat.last) << 32 | u64::from(beat.word)))
        .collect();
    let values = context(&MessagesValues {
        design: &design,
        top: &design,
        tb: &tb,
        command: &command,
        terminals: trial.shape().terminals(),
        terminal_bits: trial.shape().terminal_bits(),
        width_bits: trial.width,
        beats: beats.len(),
        words: words.len(),
        phases: phases(trial),
    });
    let mut files = vec![
        (format!("{tb}.sv"), fill(include_str!("../testbench/messages/tb.sv.tera"), &values)),
        (
            format!("{design}_beats.memh"),
            table("What the testbench loads: tlast, and a word of 32 bits.", beats.into_iter()),
        ),
        (
            format!("{design}_words.memh"),
            table(
                "Beats of all terminals: empty, end of a set, end of a message (a digit), and the destination.",
                words.into_iter(),
            ),
        ),
        (
            format!("{design}_streams.memh"),
            table(
                "First beat of each terminal in each phase: [phase * N + terminal]; then the number of beats.",
                firsts,
            ),
        ),
        (format!("{design}_program.memh"), memh(&trial.program.words())),
        program_header(&messages.hardware, &design, &command),
    ];
    files.extend(lists(&design, &command, rtl_files));
    files.push(("Makefile".into(), fill(include_str!("../testbench/Makefile.tera"), &values)));
    files
}

/// The command that makes the files.
pub fn command(messages: &Messages) -> String {
    format!("frit generate {}", messages.arguments())
}

/// What the testbench writes.
const PLUSARGS: [(&str, &str); 1] =
    [("events", "every beat and word, start and end of an exchange, and error")];

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
    let words = |banks: u32| (banks * shape.terminals() * trial.length).to_string();
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
        figures: vec![
            ("terminals (N)", shape.terminals().to_string()),
            ("bits of a word (W)", trial.width.to_string()),
            ("words of the longest message (L)", trial.length.to_string()),
            ("words of the memories of a terminal, at its input and at its output", words(2)),
            ("entries of a bank (K)", shape.entries().to_string()),
            ("words of an entry in a program, 32 bits each", shape.beats().to_string()),
            ("cycles from a start to its first round", "4".into()),
            ("cycles from a round to its words' arrival", shape.latency().to_string()),
            ("reset", "synchronous, active high, at least 1 cycle".into()),
        ],
        run: vec![
            ("phases, each after a reset", trial.phases.len().to_string()),
            ("words that leave", count(MessageMark::Out)),
            ("ends of exchanges", count(MessageMark::Done)),
        ],
        note: "The phases pause on all sides, and have messages and programs with mistakes; the testbench lists them.",
    };
    package.render(files)
}

fn phases(trial: &Trial) -> Vec<Phase> {
    let mut first_beat = 0;
    let phase = |(at, (phase, ran)): (usize, (&script::Phase, &MessagesRun))| {
        let count = |what| ran.events.iter().filter(|event| event.what == what).count();
        let errors = [
            MessageMark::Left,
            MessageMark::Message,
            MessageMark::Stray,
            MessageMark::Early,
            MessageMark::Load,
        ];
        let made = Phase {
            what: phase.what,
            first_beat,
            beats: phase.programs.len(),
            exchanges: phase.exchanges,
            offering: phase.offering,
            taking: phase.taking,
            loading: phase.loading,
            starting: phase.starting,
            early: phase.early.map_or(-1, |early| early as i64),
            seed: format!("{:08x}", seed(at)),
            cycles: ran.cycles,
            entered: count(MessageMark::In),
            left: count(MessageMark::Out),
            done: count(MessageMark::Done),
            errors: errors.map(|what| count(what).to_string()).concat(),
            digest: format!("{:08x}", digest(&ran.events)),
        };
        first_beat += made.beats;
        made
    };
    trial.phases.iter().zip(&trial.ran).enumerate().map(phase).collect()
}
