//! The contract of a network whose schedule is loaded as a circuit that watches its ports, for model checkers.

use crate::groups::Group;
use crate::probes::vector;
use crate::template::{context, fill};
use frit_cells::design::loaded::{self, Hardware};
use frit_demand::program::{BEAT_BITS, Shape};
use frit_network::StageIdx;
use serde::Serialize;
use std::ops::Range;

/// What the circuit watches for: the bits of its `violation_o`, the lowest first.
pub const PROPERTIES: [&str; 8] =
    ["load", "start", "round", "destination", "word", "arrival", "stray", "done"];

/// The cells' own contracts, which the tests of the cells prove alone.
const CELLS: [&str; 2] = [
    include_str!("../testbench/loaded/loader_contract.sv"),
    include_str!("../testbench/loaded/fetch_contract.sv"),
];

/// Terminals up to which words that stray are counted: the sums are a burden for the solver.
const COUNTED: u32 = 8;

/// What the template is filled with.
#[derive(Serialize)]
struct Contract {
    contract: String,
    /// The module that it watches.
    top: String,
    command: String,
    terminals: u32,
    address: u32,
    width: u32,
    entry_bits: u32,
    entries: u64,
    beats: u32,
    beat_bits: u32,
    /// Bits of all words of an entry.
    width_bits: u32,
    stages: u32,
    switches: u32,
    /// Bits of all settings, and the first of them in an entry.
    settings: u32,
    settings_at: u32,
    counts: bool,
    /// 2 to the cycles from a round to the arrival, and without the first.
    ages: Vec<u32>,
    later: Vec<u32>,
    /// Columns of registers in the network.
    groups: u32,
    group_list: Vec<Group>,
    /// What the settings of the groups select.
    numbers: String,
    pairs: Vec<u32>,
    lanes: Vec<u32>,
    network: Vec<Links>,
    states: Vec<State>,
    pieces: Vec<Piece>,
    probes: String,
    cells: String,
}

/// The links before a stage, or behind the last one.
#[derive(Serialize)]
struct Links {
    /// The word before them.
    word: String,
    /// The lane of each lane behind them, the highest first.
    from: Vec<usize>,
    /// The cycles since the round in the stage behind them.
    age: u32,
    /// Whether this stage has registers.
    stored: bool,
}

/// A register of settings: the stage, the cycles since their round, the first of them among all settings.
#[derive(Serialize)]
struct State {
    stage: u32,
    age: u32,
    low: u32,
}

/// A part of an entry with a memory of its own.
#[derive(Clone, Copy, Serialize)]
struct Piece {
    low: u32,
    bits: u32,
    /// Bits in the memory.
    stored: u32,
    /// The word of the entry.
    beat: u32,
}

/// The name of the module for a design.
pub fn module(design: &str) -> String {
    format!("{design}_loaded_contract")
}

/// The module that watches the hardware.
pub fn render(hardware: &Hardware) -> String {
    let (shape, width) = (hardware.shape(), hardware.width);
    let (stages, switches, groups) = (shape.stages(), shape.switches(), shape.groups());
    let network = hardware.on.network();
    // The states of 4×4 switches are stored as what they select in the last cycle before their words.
    let delays = |stage| {
        let group = network.group_of(StageIdx(stage));
        if network.group(group).len() > 1 { 0..group } else { 0..group + 1 }
    };
    let pieces = pieces(shape);
    let contract = Contract {
        contract: module(&hardware.design_name()),
        top: hardware.top_name(),
        command: format!("frit verify {} --formal", hardware.arguments()),
        terminals: shape.terminals(),
        address: shape.terminal_bits(),
        width,
        entry_bits: shape.entry_bits(),
        entries: shape.entries(),
        beats: shape.beats(),
        beat_bits: shape.width().min(BEAT_BITS),
        width_bits: shape.beats() * BEAT_BITS,
        stages,
        switches,
        settings: stages * switches,
        settings_at: shape.stage_at(0),
        counts: shape.terminals() <= COUNTED,
        groups,
        ages: (2..=groups + 1).collect(),
        later: (3..=groups + 1).collect(),
        group_list: crate::groups::groups(network),
        numbers: crate::groups::numbers(network, |stage, switch| {
            format!("settings_{}[{}]", network.group_of(stage) + 1, stage.0 * switches + switch.0)
        }),
        pairs: (0..switches).collect(),
        lanes: (0..shape.terminals()).collect(),
        network: (0..=stages).map(|column| links(hardware, column)).collect(),
        states: (0..stages)
            .flat_map(|stage| {
                delays(stage).map(move |at| State { stage, age: at + 1, low: stage * switches })
            })
            .collect(),
        probes: probes(hardware, &pieces, delays),
        pieces,
        cells: CELLS.concat(),
    };
    fill(include_str!("../testbench/loaded/contract.sv.tera"), &context(&contract))
}

fn links(hardware: &Hardware, column: u32) -> Links {
    let network = hardware.on.network();
    let link = network.link(StageIdx(column));
    let group = (column < network.stages()).then(|| network.group_of(StageIdx(column)));
    let mut from = vec![0; link.len()];
    link.iter().enumerate().for_each(|(lane, &to)| from[to as usize] = lane);
    from.reverse();
    let word = match column {
        // All terminals but one have no word.
        0 => "chosen".into(),
        column => format!("spot_{}", column - 1),
    };
    let stored = group.is_some_and(|group| network.group(group).end == column + 1);
    Links { word, from, age: group.map_or(0, |group| group + 1), stored }
}

fn pieces(shape: Shape) -> Vec<Piece> {
    let piece = |at: Range<u32>| {
        let (low, bits) = (at.start, at.len() as u32);
        Piece { low, bits, stored: loaded::stored(&at), beat: low / BEAT_BITS }
    };
    loaded::pieces(shape).map(piece).collect()
}

/// All registers and wires that the lemmas speak of.
fn probes(hardware: &Hardware, pieces: &[Piece], delays: impl Fn(u32) -> Range<u32>) -> String {
    let (shape, width, network) = (hardware.shape(), hardware.width, hardware.on.network());
    let mut text = String::new();
    let (beats, entry, bits) = (shape.beats(), shape.entry_bits(), shape.terminal_bits());
    let mut all = |name: &str, bits: u32, paths: &[String]| vector(&mut text, "u_loaded", name, bits, paths);
    for (name, bits, path) in [
        ("beat_valid", 1, "u_beat.taken_q"),
        ("beat_fits", 1, "u_beat.fits_q"),
        ("beat_run", 1, "u_beat.run_q"),
        ("beat_once", 1, "u_beat.once_q"),
        ("beat_twice", 1, "u_beat.twice_q"),
        ("beat_last", 1, "u_beat.last_q"),
        ("beat_word", shape.width().min(BEAT_BITS), "u_word.round_q"),
        ("loader_tready", 1, "unused_loader_tready"),
        ("loader_write", beats, "write"),
        ("loader_bank", 1, "load_bank"),
        ("loader_entry", entry, "load_entry"),
        ("loader_full", 1, "full"),
        ("loader_last", entry, "last_entry"),
        ("loader_loading", 1, "u_loader.loading_q"),
        ("loader_dropping", 1, "u_loader.dropping_q"),
        ("loader_at_last", 1, "u_loader.at_last_q"),
        ("loader_rest", entry, "u_loader.rest_q"),
        ("loader_beat", beats, "u_loader.beat_q"),
        ("fetch_take", 1, "take"),
        ("fetch_read", 1, "read"),
        ("fetch_bank", 1, "bank"),
        ("fetch_entry", entry, "entry"),
        ("fetch_move", 1, "move"),
        ("fetch_step", 1, "step"),
        ("fetch_reading", 1, "u_fetch.reading_q"),
        ("fetch_fetched", 1, "u_fetch.fetched_q"),
        ("fetch_ahead", 1, "u_fetch.ahead_q"),
        ("fetch_last", entry, "u_fetch.last_q"),
        ("fetch_fetched_last", 1, "u_fetch.fetched_last_q"),
        ("fetch_ahead_last", 1, "u_fetch.ahead_last_q"),
        ("fetch_running_last", 1, "u_fetch.running_last_q"),
        ("fetch_left", 16, "u_fetch.left_q"),
        ("fetch_only", 1, "u_fetch.only_q"),
        ("fetch_both", 1, "u_fetch.both_q"),
        ("line", shape.latency(), "u_done.line_q"),
    ] {
        all(name, bits, &[path.into()]);
    }
    for (at, piece) in pieces.iter().enumerate() {
        let words = |word| format!("u_memory_{at}.memory[{word}]");
        all(&format!("memory_{at}"), piece.stored, &(0..2 * shape.entries()).map(words).collect::<Vec<_>>());
        all(&format!("read_{at}"), piece.stored, &[format!("u_memory_{at}.memory_q")]);
        all(&format!("next_{at}"), piece.stored, &[format!("u_next_{at}.word_q")]);
        if at > 0 {
            all(&format!("running_{at}"), piece.bits, &[format!("u_running_{at}.word_q")]);
        }
    }
    let lanes = |of: &dyn Fn(u32) -> String| -> Vec<String> { (0..shape.terminals()).map(of).collect() };
    all("source_due", 1, &lanes(&|lane| format!("u_source_{lane}.due_q")));
    all("source_dest", bits, &lanes(&|lane| format!("u_source_{lane}.dest_q")));
    all("sink_stray", 1, &lanes(&|lane| format!("u_sink_{lane}.stray_q")));
    for stage in 0..shape.stages() {
        for delay in delays(stage) {
            let wire = format!("state_{stage}_{delay}");
            all(&wire, shape.switches(), &[format!("u_{wire}.round_q")]);
        }
    }
    for group in crate::groups::groups(network) {
        let stage = group.last;
        if group.quads {
            all(&format!("select_{stage}"), 2, &crate::groups::selects(network, &group));
        }
        all(&format!("valid_{stage}"), 1, &lanes(&|lane| format!("s{stage}_valid_{lane}")));
        all(&format!("data_{stage}"), width + 2 * bits, &lanes(&|lane| format!("s{stage}_data_{lane}")));
    }
    text
}
