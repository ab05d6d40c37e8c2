//! The cells: each a table (`cell!` in `table.rs`: parameters, ports, parts, words) and a rust-hdl kernel, in one file: the only statement
//! of its behaviour. `kernel.rs` adds what all cells share. This file lists them; a new cell is its file and its line here.
//!
//! Rules for kernels (each broken one was seen to make rust-hdl and Verilog disagree silently; a test over these
//! sources holds them): parenthesise every comparison beside a bitwise operator; no integer literals, use
//! [`Const`](crate::atoms::Const); no `..=`; default assignment first, but for registers, which keep their value; no `match` on a bool;
//! only one-dimensional indices, of loop variables; bits only of
//! signals, not of an expression in parentheses; no name that is a keyword of SystemVerilog.

use crate::cell::{Cell, CellPort};
use crate::describe::{Assertion, Describe, MAX_SIMULATED_WIDTH, Parameter};

/// From one line for each cell (its file, its rust-hdl block and what an instance is made with): the modules, [`CellSpec`]
/// and what holds for every cell.
macro_rules! cells {
    ($($group:literal { $($file:ident: $block:ident, $spec:ident;)+ })+) => {
        $($(
            mod $file;
            pub use $file::{$block, $spec};

            impl From<$spec> for CellSpec {
                fn from(spec: $spec) -> Self {
                    CellSpec::$block(spec)
                }
            }
        )+)+

        /// A cell and the values of its parameters.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum CellSpec {
            $($(
                #[doc = concat!("A [`", stringify!($block), "`](struct@", stringify!($block), ").")]
                $block($spec),
            )+)+
        }

        impl CellSpec {
            /// A small instance of every cell, with the parameters that its printed module has by default.
            pub fn all() -> Vec<CellSpec> {
                vec![$($(<$spec as Describe>::example().into()),+),+]
            }

            pub fn groups() -> Vec<(&'static str, Vec<CellSpec>)> {
                vec![$(($group, vec![$(<$spec as Describe>::example().into()),+])),+]
            }

            /// The same cell with its default parameters, those of [`CellSpec::all`]: what its Verilog file is printed
            /// from, so that the file is the same in every design.
            pub fn canonical(&self) -> CellSpec {
                match self {
                    $($(CellSpec::$block(spec) => spec.canonical().into(),)+)+
                }
            }

            fn description(&self) -> &dyn Describe {
                match self {
                    $($(CellSpec::$block(spec) => spec,)+)+
                }
            }
        }
    };
}

cells! {
    "Switches and links" {
        switch: Switch, SwitchSpec;
        switch4: Switch4, Switch4Spec;
        plain_switch: PlainSwitch, PlainSwitchSpec;
        wide_switch: WideSwitch, WideSwitchSpec;
        self_routing_switch: SelfRoutingSwitch, SelfRoutingSwitchSpec;
        label_entry: LabelEntry, LabelEntrySpec;
        label_switch: LabelSwitch, LabelSwitchSpec;
        optical_switch: OpticalSwitch, OpticalSwitchSpec;
        link: Link, LinkSpec;
        rotate_pair: RotatePair, RotatePairSpec;
    }
    "Control of the stages" {
        sequencer: Sequencer, SequencerSpec;
        send_line: SendLine, SendLineSpec;
        send_ahead: SendAhead, SendAheadSpec;
        delay_line: DelayLine, DelayLineSpec;
        flight: Flight, FlightSpec;
        round_counter: RoundCounter, RoundCounterSpec;
        cycle_counter: CycleCounter, CycleCounterSpec;
        pass_sequencer: PassSequencer, PassSequencerSpec;
        stage_driver: StageDriver, StageDriverSpec;
        alternating_driver: AlternatingDriver, AlternatingDriverSpec;
        ata2_word: Ata2Word, Ata2WordSpec;
        level_driver: LevelDriver, LevelDriverSpec;
        round_delay: RoundDelay, RoundDelaySpec;
        rom: Rom, RomSpec;
    }
    "Terminals" {
        label_gen: LabelGen, LabelGenSpec;
        terminal: Terminal, TerminalSpec;
        window_counter: WindowCounter, WindowCounterSpec;
        ring_word: RingWord, RingWordSpec;
        spare_gate: SpareGate, SpareGateSpec;
        xor_terminal: XorTerminal, XorTerminalSpec;
        rotate_terminal: RotateTerminal, RotateTerminalSpec;
        shuffle_terminal: ShuffleTerminal, ShuffleTerminalSpec;
        optical_terminal: OpticalTerminal, OpticalTerminalSpec;
    }
    "De Bruijn controllers" {
        debruijn: DeBruijn, DeBruijnSpec;
        successor: Successor, SuccessorSpec;
        feedback: Feedback, FeedbackSpec;
        next_bit_table: NextBitTable, NextBitTableSpec;
        routing_word: RoutingWord, RoutingWordSpec;
        source_word: SourceWord, SourceWordSpec;
    }
    "Networks that messages pass twice" {
        feedback_mux: FeedbackMux, FeedbackMuxSpec;
        pass_gate: PassGate, PassGateSpec;
        fifo: Fifo, FifoSpec;
    }
    "Switches of a dilated butterfly" {
        bit_queue: BitQueue, BitQueueSpec;
        shunt: Shunt, ShuntSpec;
        rank_adder: RankAdder, RankAdderSpec;
        rank_count: RankCount, RankCountSpec;
        rank_edge: RankEdge, RankEdgeSpec;
        weak_turn: WeakTurn, WeakTurnSpec;
        weak_choice: WeakChoice, WeakChoiceSpec;
        dilated_tail: DilatedTail, DilatedTailSpec;
        edge_use: EdgeUse, EdgeUseSpec;
        rank_match: RankMatch, RankMatchSpec;
        dilated_gate: DilatedGate, DilatedGateSpec;
        dilated_control: DilatedControl, DilatedControlSpec;
    }
    "Nodes of a multibutterfly" {
        inject_gate: InjectGate, InjectGateSpec;
        arrival_side: ArrivalSide, ArrivalSideSpec;
        word_merge: WordMerge, WordMergeSpec;
        fill_pointer: FillPointer, FillPointerSpec;
        ghost_end: GhostEnd, GhostEndSpec;
        side_size: SideSize, SideSizeSpec;
        side_commit: SideCommit, SideCommitSpec;
        port_choice: PortChoice, PortChoiceSpec;
        bank_reader: BankReader, BankReaderSpec;
        bank_memory: BankMemory, BankMemorySpec;
        count_adder: CountAdder, CountAdderSpec;
        count_rest: CountRest, CountRestSpec;
        standing_request: StandingRequest, StandingRequestSpec;
        size_pair: SizePair, SizePairSpec;
        ghost_counter: GhostCounter, GhostCounterSpec;
        column_control: ColumnControl, ColumnControlSpec;
        column_wave: ColumnWave, ColumnWaveSpec;
        turn_ring: TurnRing, TurnRingSpec;
        phase_sequencer: PhaseSequencer, PhaseSequencerSpec;
        run_control: RunControl, RunControlSpec;
    }
    "Streams and messages of many words" {
        modulo_counter: ModuloCounter, ModuloCounterSpec;
        message_memory: MessageMemory, MessageMemorySpec;
        axis_load: AxisLoad, AxisLoadSpec;
        axis_marks: AxisMarks, AxisMarksSpec;
        axis_sieve: AxisSieve, AxisSieveSpec;
        axis_drain: AxisDrain, AxisDrainSpec;
        axis_merge: AxisMerge, AxisMergeSpec;
        axis_control: AxisControl, AxisControlSpec;
        begin_copy: BeginCopy, BeginCopySpec;
        exchange_age: ExchangeAge, ExchangeAgeSpec;
    }
    "Streamed permutations" {
        turn_switch: TurnSwitch, TurnSwitchSpec;
        turn_memory: TurnMemory, TurnMemorySpec;
        meeting_memory: MeetingMemory, MeetingMemorySpec;
        linear_map: LinearMap, LinearMapSpec;
        stride_counter: StrideCounter, StrideCounterSpec;
        step_register: StepRegister, StepRegisterSpec;
        word_sum: WordSum, WordSumSpec;
        word_choice: WordChoice, WordChoiceSpec;
        beat_gate: BeatGate, BeatGateSpec;
        beat_check: BeatCheck, BeatCheckSpec;
        beat_end: BeatEnd, BeatEndSpec;
        beat_reader: BeatReader, BeatReaderSpec;
        beat_queue: BeatQueue, BeatQueueSpec;
        queue_pointer: QueuePointer, QueuePointerSpec;
        turn_word: TurnWord, TurnWordSpec;
        matrix_writer: MatrixWriter, MatrixWriterSpec;
        matrix_reader: MatrixReader, MatrixReaderSpec;
    }
    "Loaded schedules" {
        program_beat: ProgramBeat, ProgramBeatSpec;
        schedule_loader: ScheduleLoader, ScheduleLoaderSpec;
        program_memory: ProgramMemory, ProgramMemorySpec;
        schedule_word: ScheduleWord, ScheduleWordSpec;
        schedule_fetch: ScheduleFetch, ScheduleFetchSpec;
        schedule_source: ScheduleSource, ScheduleSourceSpec;
        schedule_sink: ScheduleSink, ScheduleSinkSpec;
        error_flag: ErrorFlag, ErrorFlagSpec;
    }
    "Messages of any length" {
        message_control: MessageControl, MessageControlSpec;
        message_input: MessageInput, MessageInputSpec;
        message_send: MessageSend, MessageSendSpec;
        pair_counter: PairCounter, PairCounterSpec;
        short_table: ShortTable, ShortTableSpec;
        message_queue: MessageQueue, MessageQueueSpec;
        message_drain: MessageDrain, MessageDrainSpec;
    }
    "Crossbars" {
        return_switch: ReturnSwitch, ReturnSwitchSpec;
        crossbar_input: CrossbarInput, CrossbarInputSpec;
        crossbar_output: CrossbarOutput, CrossbarOutputSpec;
        crossbar_control: CrossbarControl, CrossbarControlSpec;
        crossbar_word: CrossbarWord, CrossbarWordSpec;
        crossbar_select: CrossbarSelect, CrossbarSelectSpec;
        crossbar_port: CrossbarPort, CrossbarPortSpec;
    }
    "Resets and registers" {
        reset_sync: ResetSync, ResetSyncSpec;
        axil_port: AxilPort, AxilPortSpec;
        axil_registers: AxilRegisters, AxilRegistersSpec;
        axil_size: AxilSize, AxilSizeSpec;
    }
    "Self-test" {
        pattern: Pattern, PatternSpec;
        checker: Checker, CheckerSpec;
        parity: Parity, ParitySpec;
        signature: Signature, SignatureSpec;
        selftest_control: SelftestControl, SelftestControlSpec;
        report: Report, ReportSpec;
        uart_tx: UartTx, UartTxSpec;
    }
}

impl CellSpec {
    /// The Verilog module of the cell; also its file's name.
    pub fn module(&self) -> String {
        self.description().module()
    }

    /// The module, with a letter or a word for each value that is part of its name.
    pub fn title(&self) -> &'static str {
        self.description().title()
    }

    /// What the cell does, for the header of its Verilog file.
    pub fn summary(&self) -> &'static str {
        self.description().summary()
    }

    /// What else one must know to use it: sentences of plain text.
    pub fn details(&self) -> &'static str {
        self.description().details()
    }

    /// The parameters of the instance, in the order of the module.
    pub fn parameters(&self) -> Vec<Parameter> {
        self.description().parameters()
    }

    /// The numbers that are part of its text.
    pub fn fixed(&self) -> Vec<Parameter> {
        self.description().fixed()
    }

    /// Whether its text is the same in every design: no number, no table is part of it.
    pub fn is_shared(&self) -> bool {
        self.fixed().is_empty()
    }

    /// Builds the rust-hdl block, or `None` when its words are wider than rust-hdl simulates here.
    pub fn build(&self) -> Option<Box<dyn Cell>> {
        let narrow = self.description().word_width().is_none_or(|width| width <= MAX_SIMULATED_WIDTH);
        narrow.then(|| self.prototype())
    }

    /// The block, its words at most as wide as rust-hdl simulates: enough to print it, since widths are parameters.
    pub fn prototype(&self) -> Box<dyn Cell> {
        self.description().prototype()
    }

    /// Whether synthesis must keep its registers although others are equal: that there are several is what they are for.
    pub fn kept(&self) -> bool {
        self.description().kept()
    }

    /// What it relies on: checked in simulation.
    pub fn assertions(&self) -> Vec<Assertion> {
        self.description().assertions()
    }

    /// The ports, with the widths of this instance.
    pub fn ports(&self) -> Vec<CellPort> {
        let mut ports = self.prototype().ports();
        if let Some(width) = self.description().word_width() {
            for port in ports.iter_mut().filter(|port| port.width_name.as_deref() == Some("W")) {
                port.width = width;
            }
        }
        ports
    }
}
