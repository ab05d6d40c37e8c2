//! What the tests of the cells share: the cells under test, one cell to be driven by hand, and external tools.
#![allow(dead_code)] // Each test binary uses a part of it.

#[path = "common/controller.rs"] // for `behaviour` as well, which names this file
pub mod controller;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use frit_cells::cell::{Cell, CellPort, Dir};
use frit_cells::cells::{
    AlternatingDriverSpec, Ata2WordSpec, AxilPortSpec, AxilSizeSpec, AxisDrainSpec, AxisLoadSpec,
    AxisMarksSpec, AxisMergeSpec, AxisSieveSpec, BankMemorySpec, BankReaderSpec, BeatQueueSpec,
    BeatReaderSpec, CellSpec, CheckerSpec, ColumnWaveSpec, CountAdderSpec, CountRestSpec,
    CrossbarControlSpec, CrossbarInputSpec, CrossbarOutputSpec, CrossbarSelectSpec, CrossbarWordSpec,
    CycleCounterSpec, DeBruijnSpec, DelayLineSpec, DilatedGateSpec, EdgeUseSpec, ExchangeAgeSpec,
    FeedbackMuxSpec, FeedbackSpec, FifoSpec, FillPointerSpec, GhostCounterSpec, GhostEndSpec, LabelEntrySpec,
    LabelGenSpec, LabelSwitchSpec, LevelDriverSpec, LinearMapSpec, LinkSpec, MatrixReaderSpec,
    MatrixWriterSpec, MeetingMemorySpec, MessageDrainSpec, MessageInputSpec, MessageMemorySpec,
    MessageQueueSpec, MessageSendSpec, ModuloCounterSpec, NextBitTableSpec, OpticalSwitchSpec,
    OpticalTerminalSpec, PairCounterSpec, ParitySpec, PassSequencerSpec, PatternSpec, PlainSwitchSpec,
    PortChoiceSpec, ProgramMemorySpec, QueuePointerSpec, RankAdderSpec, RankCountSpec, RankEdgeSpec,
    RankMatchSpec, ReportSpec, RingWordSpec, RomSpec, RotatePairSpec, RotateTerminalSpec, RoundCounterSpec,
    RoundDelaySpec, RoutingWordSpec, RunControlSpec, ScheduleFetchSpec, ScheduleLoaderSpec, ScheduleSinkSpec,
    ScheduleSourceSpec, ScheduleWordSpec, SelfRoutingSwitchSpec, SelftestControlSpec, SequencerSpec,
    ShortTableSpec, ShuffleTerminalSpec, ShuntSpec, SideSizeSpec, SizePairSpec, SourceWordSpec,
    SpareGateSpec, StageDriverSpec, StandingRequestSpec, StepRegisterSpec, StrideCounterSpec, SuccessorSpec,
    Switch4Spec, SwitchSpec, TerminalSpec, TurnMemorySpec, TurnRingSpec, TurnSwitchSpec, TurnWordSpec,
    UartTxSpec, WeakChoiceSpec, WeakTurnSpec, WideSwitchSpec, WindowCounterSpec, WordChoiceSpec,
    WordMergeSpec, WordSumSpec, XorTerminalSpec,
};
use frit_cells::describe::{Describe, counter_bits};
use frit_cells::message::MessageWords;
use frit_schedule::de_bruijn::DeBruijn;
use frit_traffic::random::SplitMix64;
use rust_hdl::prelude::*;

/// Every `step`-th of these in `make test`, all of them in `make test-all`.
pub fn every<T: Clone>(all: &[T], step: usize) -> Vec<T> {
    let step = if std::env::var_os("FRIT_ALL_TESTS").is_some() { 1 } else { step };
    all.iter().step_by(step).cloned().collect()
}

/// Every cell with the parameters it is printed with, and with others.
pub fn variants() -> Vec<CellSpec> {
    let mut specs = CellSpec::all();
    specs.extend([1, 33, 64].map(|width| CellSpec::from(SwitchSpec { width })));
    specs.extend([1, 33, 64].map(|width| CellSpec::from(WideSwitchSpec { width })));
    specs.extend([1, 33].map(|width| CellSpec::from(Switch4Spec { width })));
    specs.extend([1, 5].map(|width| CellSpec::from(PlainSwitchSpec { width })));
    for bits in [2, 7] {
        specs.push(CellSpec::from(SelfRoutingSwitchSpec { bits }));
        specs.push(CellSpec::from(LabelEntrySpec { bits }));
        specs.push(CellSpec::from(LabelSwitchSpec { bits }));
        specs.push(CellSpec::from(StageDriverSpec { bits }));
        specs.push(CellSpec::from(AlternatingDriverSpec { bits }));
    }
    specs.extend([3, 7].map(|bits| CellSpec::from(Ata2WordSpec { bits })));
    for (bits, terminal, step) in [(5, 19, 31), (5, 31, 1), (2, 1, 3)] {
        specs.push(CellSpec::from(LabelGenSpec { bits, terminal, step }));
        specs.push(CellSpec::from(TerminalSpec { bits, terminal, step }));
    }
    // Windows at 0 and above, that fill their bits or not, with a small step and with the largest.
    for (bits, start, step, last, modulus) in
        [(4, 10, 8, 12, 10), (4, 0, 3, 9, 10), (2, 1, 2, 3, 3), (6, 35, 33, 48, 34), (6, 40, 61, 62, 62)]
    {
        specs.push(CellSpec::from(WindowCounterSpec { bits, start, step, last, modulus }));
    }
    specs.extend([(1, 1), (7, 99)].map(|(bits, start)| CellSpec::from(RingWordSpec { bits, start })));
    specs.extend([(1, 1), (6, 63)].map(|(bits, served)| CellSpec::from(SpareGateSpec { bits, served })));
    for (stages, terminal, half) in [(2, 3, 2), (3, 4, 3), (4, 3, 5), (5, 21, 11), (6, 40, 25), (6, 63, 32)] {
        specs.push(CellSpec::from(ShuffleTerminalSpec { stages, terminal, half }));
    }
    for (bits, last) in [(2, 0), (2, 3), (4, 15), (7, 99)] {
        specs.push(CellSpec::from(SequencerSpec { bits, last }));
        specs.push(CellSpec::from(RoundCounterSpec { bits }));
    }
    specs.extend([1, 2, 64].map(|cycles| CellSpec::from(DelayLineSpec { cycles })));
    specs.extend([1, 0xffff_ffff].map(|most| CellSpec::from(CycleCounterSpec { most })));
    for (bits, dest, source) in [(2, 3, 1), (5, 19, 7), (6, 63, 32)] {
        specs.push(CellSpec::from(XorTerminalSpec { bits, dest, source }));
    }
    specs.extend([1, 33].map(|width| CellSpec::from(RotatePairSpec { width })));
    specs.extend(
        [(2, 3), (6, 63)].map(|(bits, terminal)| CellSpec::from(RotateTerminalSpec { bits, terminal })),
    );
    let mut random = SplitMix64(11);
    for (name, bits, width, rounds) in [("narrow", 2, 1, 4), ("part", 4, 9, 11), ("wide", 5, 64, 32)] {
        let words = (0..rounds).map(|_| random.next() & u64::MAX >> (64 - width)).collect();
        specs.push(CellSpec::from(RomSpec { name: name.into(), bits, width, words }));
    }
    specs.extend([2, 7].map(|bits| CellSpec::from(RoundDelaySpec { bits })));
    for (bits, slot_bits, last, window) in [(2, 2, 3, 1), (4, 4, 15, 15), (5, 2, 30, 3)] {
        specs.push(CellSpec::from(PassSequencerSpec { bits, slot_bits, last, window }));
    }
    specs.extend([1, 64].map(|width| CellSpec::from(FeedbackMuxSpec { width })));
    specs.extend(
        [(1, 2), (33, 4)].map(|(width, address_bits)| CellSpec::from(FifoSpec { width, address_bits })),
    );
    for (width, total) in [(1, 1), (33, 5), (64, 16)] {
        specs.push(CellSpec::from(PatternSpec { width }));
        specs.push(CellSpec::from(CheckerSpec { width, total }));
        specs.push(CellSpec::from(ParitySpec { width }));
    }
    specs.extend(
        [(4, 2), (60, 51)].map(|(limit, total)| CellSpec::from(SelftestControlSpec { limit, total })),
    );
    specs.extend([2, 7].map(|bits| CellSpec::from(ReportSpec { bits })));
    specs.extend([4, 5, 1000].map(|divider| CellSpec::from(UartTxSpec { divider })));
    optical_variants(&mut specs);
    dilated_variants(&mut specs);
    node_variants(&mut specs);
    stream_variants(&mut specs);
    permute_variants(&mut specs);
    loaded_variants(&mut specs);
    message_variants(&mut specs);
    crossbar_variants(&mut specs);
    specs
}

/// The cells of messages of any length with parameters other than those they are printed with.
fn message_variants(specs: &mut Vec<CellSpec>) {
    for (width, bits, words) in [(1, 2, 1), (33, 3, 3), (5, 6, 4096)] {
        let (pairs, message) = (1 << bits, MessageWords::new(words));
        specs.push(CellSpec::from(MessageInputSpec { width, bits, pairs, message }));
        specs.push(CellSpec::from(MessageSendSpec { bits, pairs, word_bits: message.bits }));
        specs.push(CellSpec::from(ShortTableSpec { width, address_bits: bits }));
        // Of 64 pairs none comes twice before a clear.
        let few = bits.min(3);
        specs.push(CellSpec::from(PairCounterSpec { bits: few, pairs: 1 << few, word_bits: message.bits }));
        specs.push(CellSpec::from(MessageQueueSpec {
            address_bits: bits + 1,
            width: 1 + bits + message.bits,
        }));
        specs.push(CellSpec::from(MessageDrainSpec { bits, word_bits: message.bits }));
    }
}

/// The cells of crossbars with parameters other than those they are printed with.
fn crossbar_variants(specs: &mut Vec<CellSpec>) {
    for (steps, number, bits, swap) in [(3, 7, 4, 3), (5, 17, 5, 7), (8, 255, 6, 13)] {
        specs.push(CellSpec::from(CrossbarInputSpec { steps, number }));
        specs.push(CellSpec::from(CrossbarOutputSpec { steps }));
        let (check, last) = (2 * swap + 1, 2 * swap + u64::from(steps) + 3);
        specs.push(CellSpec::from(CrossbarControlSpec { bits, steps, swap, check, last }));
        specs.push(CellSpec::from(CrossbarWordSpec { bits: steps, start: number }));
        specs.push(CellSpec::from(CrossbarSelectSpec { address_bits: bits - 2, address: swap & 3 }));
    }
}

/// The cells of loaded schedules with parameters other than those they are printed with.
fn loaded_variants(specs: &mut Vec<CellSpec>) {
    for (beats, entry_bits) in [(1, 1), (3, 2), (5, 3)] {
        specs.push(CellSpec::from(ScheduleLoaderSpec { beats, entry_bits }));
        specs.push(CellSpec::from(ScheduleFetchSpec { entry_bits }));
    }
    for (bits, terminal) in [(2, 0), (5, 31)] {
        specs.push(CellSpec::from(ScheduleSourceSpec { bits }));
        specs.push(CellSpec::from(ScheduleWordSpec { width: bits }));
        specs.push(CellSpec::from(ScheduleSinkSpec { bits, terminal }));
    }
}

/// The cells of streamed permutations with parameters other than those they are printed with.
fn permute_variants(specs: &mut Vec<CellSpec>) {
    for (width, address_bits) in [(1, 1), (33, 2)] {
        specs.push(CellSpec::from(TurnSwitchSpec { width }));
        specs.push(CellSpec::from(TurnWordSpec { width }));
        specs.push(CellSpec::from(TurnMemorySpec { address_bits, width }));
        specs.push(CellSpec::from(ProgramMemorySpec { address_bits, width }));
        specs.push(CellSpec::from(MeetingMemorySpec { address_bits, width }));
    }
    for (bits, start) in [(1, 1), (6, 45)] {
        specs.push(CellSpec::from(StepRegisterSpec { bits, start }));
        specs.push(CellSpec::from(WordSumSpec { bits }));
        specs.push(CellSpec::from(WordChoiceSpec { bits }));
    }
    for (bits, first, last, stride) in [(1, 1, 1, 1), (2, 0, 2, 1), (5, 6, 18, 6)] {
        specs.push(CellSpec::from(StrideCounterSpec { bits, first, last, stride }));
    }
    for (bits, lag) in [(2, 0), (2, 2), (3, 3), (5, 9)] {
        specs.push(CellSpec::from(BeatReaderSpec { bits, lag }));
    }
    for (bits, lane_bits, row_limit, column_limit) in [(2, 1, 1, 2), (5, 3, 4, 6)] {
        specs.push(CellSpec::from(MatrixWriterSpec { bits, lane_bits, row_limit, column_limit }));
        specs.push(CellSpec::from(MatrixReaderSpec { bits, lane_bits }));
    }
    let largest =
        AxilSizeSpec { row_limit: 65_528, column_limit: 8, lane_mask: 7, ..AxilSizeSpec::example() };
    specs.extend([CellSpec::from(largest), CellSpec::from(AxilPortSpec { bits: 36 })]);
    for (address_bits, limit) in [(2, 1), (3, 5)] {
        specs.push(CellSpec::from(QueuePointerSpec { address_bits }));
        specs.push(CellSpec::from(BeatQueueSpec { address_bits, used_bits: address_bits + 1, limit }));
    }
    let one = vec![vec![(0x2d, true)]];
    let three = vec![
        vec![(1, false), (6, true), (0, false)],
        vec![(7, false); 3],
        vec![(0, true), (2, true), (5, false)],
    ];
    for (name, bits, turn_bits, maps) in [("one_bit", 6, 0, one), ("three_turns", 3, 2, three)] {
        specs.push(CellSpec::from(LinearMapSpec { name: name.into(), bits, turn_bits, maps }));
    }
}

/// The cells of the dilated butterfly with parameters other than those they are printed with.
fn dilated_variants(specs: &mut Vec<CellSpec>) {
    for (edges, bits) in [(1, 2), (6, 4), (8, 4)] {
        specs.push(CellSpec::from(ShuntSpec { edges }));
        specs.push(CellSpec::from(RankAdderSpec { bits }));
        specs.push(CellSpec::from(RankCountSpec { bits }));
        specs.push(CellSpec::from(RankEdgeSpec { edges, bits }));
        for cyclic in [0, 1] {
            specs.push(CellSpec::from(WeakTurnSpec { edges, cyclic }));
            specs.push(CellSpec::from(WeakChoiceSpec { edges, cyclic }));
        }
        specs.push(CellSpec::from(EdgeUseSpec { edges }));
        specs.push(CellSpec::from(RankMatchSpec { bits }));
        specs.push(CellSpec::from(DilatedGateSpec { packets: edges }));
    }
}

/// The cells of the nodes of a multibutterfly with parameters other than those they are printed with.
fn node_variants(specs: &mut Vec<CellSpec>) {
    for (bits, banks, ports) in [(2, 1, 1), (5, 4, 7), (6, 2, 4)] {
        specs.push(CellSpec::from(WordMergeSpec { width: 3 * bits }));
        specs.push(CellSpec::from(FillPointerSpec { bits, banks }));
        specs.push(CellSpec::from(GhostEndSpec { bits }));
        specs.push(CellSpec::from(PortChoiceSpec { ports, first: 1 }));
        specs.push(CellSpec::from(BankReaderSpec { ports, bits }));
        specs.push(CellSpec::from(CountAdderSpec { bits }));
        specs.push(CellSpec::from(CountRestSpec { bits }));
        specs.push(CellSpec::from(StandingRequestSpec { bits: ports }));
        specs.push(CellSpec::from(SizePairSpec { bits: ports }));
        specs.push(CellSpec::from(GhostCounterSpec { bits }));
        specs.push(CellSpec::from(ColumnWaveSpec { bits }));
        specs.push(CellSpec::from(TurnRingSpec { bits }));
        specs.push(CellSpec::from(RunControlSpec { limit: u64::from(bits) }));
    }
    for (width, address_bits) in [(1, 1), (9, 3), (33, 6)] {
        specs.push(CellSpec::from(BankMemorySpec { width, address_bits }));
    }
    for (bits, strict, asks) in [(2, 0, 2), (7, 1, 0x78), (9, 0, 0), (20, 1, 0xff000)] {
        specs.push(CellSpec::from(SideSizeSpec { bits, strict, asks }));
    }
}

/// The cells of the streams with parameters other than those they are printed with.
fn stream_variants(specs: &mut Vec<CellSpec>) {
    for (width, bits, terminals, words, sets) in [(1, 2, 4, 1, 1), (9, 3, 5, 3, 2), (33, 3, 6, 2, 1)] {
        let (message, last) = (MessageWords::new(words), u64::from(terminals) - 1);
        let set = terminals * words;
        specs.push(CellSpec::from(ModuloCounterSpec { bits: message.bits, last: message.last }));
        specs.push(CellSpec::from(MessageMemorySpec { width, address_bits: bits + message.bits }));
        specs.push(CellSpec::from(AxisLoadSpec { width, bits, last_terminal: last, message }));
        specs.push(CellSpec::from(AxisMarksSpec { bits, last }));
        specs.push(CellSpec::from(AxisSieveSpec { width, message }));
        specs.push(CellSpec::from(AxisDrainSpec {
            width,
            address_bits: counter_bits(u64::from(set * sets) - 1),
            last_of_set: u64::from(set) - 1,
            message,
            sets: u64::from(sets),
        }));
        specs.push(CellSpec::from(AxisMergeSpec { width }));
    }
    specs.extend([2, 32].map(|bits| CellSpec::from(ExchangeAgeSpec { bits })));
    let message = MessageWords::new(256);
    specs.push(CellSpec::from(AxisLoadSpec { width: 8, bits: 5, last_terminal: 17, message }));
}

/// The cells of the optical butterfly with parameters other than those they are printed with.
fn optical_variants(specs: &mut Vec<CellSpec>) {
    for width in [1, 33, 64] {
        specs.push(CellSpec::from(OpticalSwitchSpec { width }));
        specs.push(CellSpec::from(LinkSpec { width }));
        specs.push(CellSpec::from(LevelDriverSpec { bits: width }));
    }
    for (order, start) in [(1, 0), (1, 1), (4, 9), (9, 0x155)] {
        specs.push(CellSpec::from(DeBruijnSpec { order, start }));
    }
    specs.extend([2, 3, 5, 7].map(|order| CellSpec::from(SuccessorSpec { order })));
    for order in 1..=6 {
        for (name, sequence) in sequences(order) {
            specs.push(FeedbackSpec::of(&sequence, name).expect("a small order has a minimal form").into());
            specs.push(NextBitTableSpec::of(&sequence, name).into());
        }
    }
    // A table of several literals.
    let long = DeBruijn::prefer_one(10).expect("an order up to 24");
    specs.push(NextBitTableSpec::of(&long, "prefer_one").into());
    for (order, idle) in [(1, 0), (1, 1), (2, 2), (3, 1), (5, 21), (9, 0x1aa)] {
        specs.push(CellSpec::from(RoutingWordSpec { order, idle }));
        specs.push(CellSpec::from(SourceWordSpec { order, idle }));
    }
    for (bits, terminal) in [(2, 3), (3, 4), (4, 9), (5, 19), (6, 63)] {
        specs.push(CellSpec::from(OpticalTerminalSpec { bits, terminal }));
    }
}

/// The memory of a cell that has one: its name, and the bits of its addresses.
pub fn memory(spec: &CellSpec) -> Option<(&'static str, u32)> {
    match *spec {
        CellSpec::Fifo(FifoSpec { address_bits, .. })
        | CellSpec::MessageMemory(MessageMemorySpec { address_bits, .. })
        | CellSpec::BankMemory(BankMemorySpec { address_bits, .. })
        | CellSpec::TurnMemory(TurnMemorySpec { address_bits, .. })
        | CellSpec::ProgramMemory(ProgramMemorySpec { address_bits, .. })
        | CellSpec::ShortTable(ShortTableSpec { address_bits, .. })
        | CellSpec::MeetingMemory(MeetingMemorySpec { address_bits, .. })
        | CellSpec::AxisDrain(AxisDrainSpec { address_bits, .. }) => Some(("memory", address_bits)),
        CellSpec::AxisMarks(AxisMarksSpec { bits, .. }) => Some(("marks", bits)),
        CellSpec::PairCounter(PairCounterSpec { bits, .. }) => Some(("counts", bits)),
        CellSpec::MessageQueue(MessageQueueSpec { address_bits, .. }) => Some(("entries", address_bits)),
        _ => None,
    }
}

/// The built-in sequences of an order, with their names as parts of a module's.
pub fn sequences(order: u32) -> [(&'static str, DeBruijn); 3] {
    [
        ("prefer_one", DeBruijn::prefer_one(order)),
        ("prefer_same", DeBruijn::prefer_same(order)),
        ("granddaddy", DeBruijn::granddaddy(order)),
    ]
    .map(|(name, sequence)| (name, sequence.expect("an order up to 24")))
}

/// A cell in rust-hdl's simulator, driven and read by the names of its ports.
pub struct Rig {
    cell: Box<dyn Cell>,
    pub ports: Vec<CellPort>,
}

impl Rig {
    pub fn new(spec: &CellSpec) -> Self {
        let cell = spec.build().expect("these cells are narrow enough to be simulated");
        let ports = cell.ports();
        Rig { cell, ports }
    }

    /// A rig whose registers have been reset.
    pub fn after_reset(spec: &CellSpec) -> Self {
        let mut rig = Rig::new(spec);
        rig.set("rst_i", 1);
        rig.clock();
        rig.set("rst_i", 0);
        rig.settle();
        rig
    }

    fn port(&self, name: &str, dir: Dir) -> usize {
        let at = self.ports.iter().position(|port| port.name == name && port.dir == dir);
        at.unwrap_or_else(|| panic!("there is no {dir:?} port {name}"))
    }

    pub fn set(&mut self, name: &str, value: u64) {
        self.cell.drive(self.port(name, Dir::In), value);
    }

    pub fn get(&self, name: &str) -> u64 {
        self.cell.read(self.port(name, Dir::Out))
    }

    pub fn settle(&mut self) {
        assert!(simulate(self, 100), "the cell does not settle");
    }

    /// One rising edge with the inputs as they are.
    pub fn clock(&mut self) {
        self.settle();
        self.set("clk_i", 1);
        self.settle();
        self.set("clk_i", 0);
        self.settle();
    }

    pub fn is_clocked(&self) -> bool {
        self.ports.iter().any(|port| port.name == "clk_i")
    }
}

impl Logic for Rig {
    fn update(&mut self) {}
}

impl Block for Rig {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {
        self.cell.update_all();
    }
    fn has_changed(&self) -> bool {
        self.cell.has_changed()
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        self.cell.accept(name, probe);
    }
}

/// `scripts/setup` puts tools here; they come before those of the system.
fn tool_folders() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools/bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::iter::once(own).chain(std::env::split_paths(&path)).collect()
}

/// Whether all these tools are installed. If not, the caller returns: its test was not run, and this has said so. With
/// FRIT_REQUIRE_TOOLS=1 that is a failure.
pub fn tools_found(names: &[&str]) -> bool {
    let installed = |name: &&str| tool_folders().iter().any(|folder| folder.join(name).is_file());
    let Some(missing) = names.iter().find(|name| !installed(name)) else { return true };
    let required = std::env::var("FRIT_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
    assert!(
        !required,
        "{missing} is missing, and FRIT_REQUIRE_TOOLS=1 requires it (scripts/setup installs it)"
    );
    // Not println!, which the test harness hides when the test passes.
    let _ = writeln!(std::io::stderr(), "NOT RUN: {missing} is missing (scripts/setup installs it)");
    false
}

/// A tool's command, run in `folder` (Yosys as WebAssembly sees only relative names of the folder it is started in).
pub fn tool(name: &str, folder: &Path) -> Command {
    let folders = tool_folders();
    let program = folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file());
    let mut command = Command::new(program.unwrap_or_else(|| name.into()));
    command.current_dir(folder).env("PATH", std::env::join_paths(folders).expect("PATH without separators"));
    command
}

/// All that a tool has printed.
pub fn text_of(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Runs a tool to its end and returns what it printed; fails if the tool does.
pub fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} cannot be started: {error}"));
    let text = text_of(&output);
    assert!(output.status.success(), "{command:?} failed with {}:\n{text}", output.status);
    text
}

/// The parameters of a cell as an instance sets them.
pub fn parameters(spec: &CellSpec) -> String {
    let text: Vec<String> = spec
        .parameters()
        .iter()
        .map(|p| match p.bits {
            Some(bits) => format!(".{}({bits}'d{})", p.name, p.value),
            None => format!(".{}({})", p.name, p.value),
        })
        .collect();
    text.join(", ")
}
