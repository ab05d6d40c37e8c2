//! The testbench of a network whose schedule is loaded, its tables, file lists and Makefile.

use crate::Files;
use crate::memh::table;
use crate::routed::Package;
use crate::template::{context, fill};
use crate::testbench::lists;
use frit_cells::design::loaded::Hardware;
use frit_cells::netlist::Netlist;
use frit_model::loaded::script::seed;
use frit_model::loaded::{Event, LoadedMark, LoadedRun, Trial};
use serde::Serialize;

/// A phase of [`frit_model::loaded::script`], and what is due in it.
#[derive(Serialize)]
struct Phase {
    what: &'static str,
    first_beat: usize,
    beats: usize,
    offering: u32,
    starting: u32,
    /// -1: no start but those that are taken.
    early: i64,
    first_exchange: usize,
    exchanges: usize,
    seed: String,
    cycles: u64,
    words: usize,
    done: usize,
    /// The cycle in which the last exchange is done, or -1.
    last_done: i64,
    load: usize,
    early_error: usize,
    stray: usize,
    digest: String,
}

/// What is in the table of the trials.
const TRIALS: &str =
    "Phases that only the testbench runs: what run and verdict of the testbench take, 32 bits each.";

impl Phase {
    /// Fields of a row.
    const FIELDS: usize = 14;

    /// Its row in the table of the trials.
    fn row(&self) -> String {
        let numbers = [
            self.first_beat as i64,
            self.beats as i64,
            self.offering.into(),
            self.starting.into(),
            self.early,
            self.first_exchange as i64,
            self.exchanges as i64,
        ];
        let due = [self.words as i64, self.done as i64, self.last_done];
        let errors = (self.stray << 2 | self.early_error << 1 | self.load) as i64;
        let hexadecimal = |number: i64| format!("{:08x}", number as u32);
        let head: String = numbers.into_iter().map(hexadecimal).collect();
        let tail: String = due.into_iter().map(hexadecimal).collect();
        format!(
            "{head}{}{}{tail}{}{}",
            self.seed,
            hexadecimal(self.cycles as i64),
            hexadecimal(errors),
            self.digest
        )
    }
}

/// What the templates are filled with.
#[derive(Serialize)]
struct LoadedValues<'a> {
    design: &'a str,
    top: &'a str,
    tb: &'a str,
    command: &'a str,
    terminals: u32,
    terminal_bits: u32,
    width_bits: u32,
    latency: u32,
    beats: usize,
    exchanges: usize,
    phases: Vec<Phase>,
    trials: usize,
    trial_fields: usize,
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

/// The testbench side of a design, its top being T = `D_loaded`: `tb_T.sv`; `T_beats.memh` and `T_words.memh`, what the testbench sends;
/// `T_trials.memh`, its phases that no other engine runs; `T_program.memh`, the program; `T.h`, which makes programs in C; the file lists
/// `T.f` (without testbench) and `T_tb.f`; and the Makefile. `rtl_files` are the names of the design's own files in the order in which tools should read them.
pub fn render(trial: &Trial, hardware: &Hardware, rtl_files: &[String]) -> Files {
    let (shape, width_bits) = (trial.shape(), trial.width);
    let design = hardware.top_name();
    let tb = format!("tb_{design}");
    let command = command(hardware);
    let mut phases = phases(trial);
    let (beats, exchanges) = phases
        .iter()
        .fold((0, 0), |(beats, exchanges), phase| (beats + phase.beats, exchanges + phase.exchanges));
    let trials: Vec<String> = phases.drain(trial.compared..).map(|phase| phase.row()).collect();
    let values = context(&LoadedValues {
        design: &design,
        top: &design,
        tb: &tb,
        command: &command,
        terminals: shape.terminals(),
        terminal_bits: shape.terminal_bits(),
        width_bits,
        latency: shape.latency(),
        beats,
        exchanges,
        phases,
        trials: trials.len(),
        trial_fields: Phase::FIELDS,
    });
    let beats = trial.phases.iter().flat_map(|phase| &phase.beats);
    let beats = beats.map(|beat| format!("{:09x}", u64::from(beat.last) << 32 | u64::from(beat.word)));
    let words = trial.phases.iter().flat_map(|phase| &phase.words).flatten();
    let mut files = vec![
        (format!("{tb}.sv"), fill(include_str!("../testbench/loaded/tb.sv.tera"), &values)),
        (
            format!("{design}_beats.memh"),
            table("What the testbench loads: tlast, and a word of 32 bits.", beats),
        ),
        (
            format!("{design}_words.memh"),
            table(
                "Words of each pair of terminals: [(exchange * N + source) * N + destination].",
                words.map(|words| format!("{words:08x}")),
            ),
        ),
        (format!("{design}_trials.memh"), table(TRIALS, trials.into_iter())),
        (format!("{design}_program.memh"), memh(&trial.program.words())),
        header(hardware),
    ];
    files.extend(lists(&design, &command, rtl_files));
    files.push(("Makefile".into(), fill(include_str!("../testbench/Makefile.tera"), &values)));
    files
}

/// The command that makes the files.
pub fn command(hardware: &Hardware) -> String {
    format!("frit generate {}", hardware.arguments())
}

/// What the testbench writes.
const PLUSARGS: [(&str, &str); 1] = [("events", "every word, end of an exchange and error")];

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
        figures: vec![
            ("terminals (N)", shape.terminals().to_string()),
            ("bits of a word (W)", trial.width.to_string()),
            ("entries of a bank (K)", shape.entries().to_string()),
            ("bits of an entry", shape.width().to_string()),
            ("words of an entry in a program, 32 bits each", shape.beats().to_string()),
            ("switches", format!("{} in {} columns", shape.switches() * shape.stages(), shape.stages())),
            ("cycles from a start to its first round", "4".into()),
            ("cycles from a round to its words' arrival", shape.latency().to_string()),
            ("reset", "synchronous, active high, at least 1 cycle".into()),
        ],
        run: vec![
            ("phases, each after a reset, one of them with +long only", trial.phases.len().to_string()),
            ("words that arrive", count(LoadedMark::Word)),
            ("ends of exchanges", count(LoadedMark::Done)),
        ],
        note: "The phases load programs in time, late, damaged and with settings that do not fit; the header of the testbench lists them.",
    };
    package.render(files)
}

fn phases(trial: &Trial) -> Vec<Phase> {
    let (mut first_beat, mut first_exchange) = (0, 0);
    let phase = |(at, (phase, ran)): (usize, (&frit_model::loaded::script::Phase, &LoadedRun))| {
        let count = |what| ran.events.iter().filter(|event| event.what == what).count();
        let last_done = ran.events.iter().rfind(|event| event.what == LoadedMark::Done);
        let made = Phase {
            what: phase.what,
            first_beat,
            beats: phase.beats.len(),
            offering: phase.offering,
            starting: phase.starting,
            early: phase.early.map_or(-1, |early| early as i64),
            first_exchange,
            exchanges: phase.words.len(),
            seed: format!("{:08x}", seed(at)),
            cycles: ran.cycles,
            words: count(LoadedMark::Word),
            done: count(LoadedMark::Done),
            last_done: last_done.map_or(-1, |event| event.cycle as i64),
            load: count(LoadedMark::Load),
            early_error: count(LoadedMark::Early),
            stray: count(LoadedMark::Stray),
            digest: format!("{:08x}", digest(&ran.events)),
        };
        first_beat += made.beats;
        first_exchange += made.exchanges;
        made
    };
    trial.phases.iter().zip(&trial.ran).enumerate().map(phase).collect()
}

/// The words of a program as a table.
pub fn memh(words: &[u32]) -> String {
    let lines = words.iter().map(|word| format!("{word:08x}"));
    table("A program, words of 32 bits; tlast belongs to the last one.", lines)
}

/// All events in one number, as the testbench computes it.
fn digest(events: &[Event]) -> u32 {
    events.iter().fold(0x811c_9dc5, |digest: u32, event| {
        let number = match event.what {
            LoadedMark::Word => event.place << 8 ^ event.source,
            what => 0xff00 ^ what as u32,
        };
        (digest ^ (event.cycle as u32) << 16 ^ number).wrapping_mul(0x0100_0193)
    })
}
