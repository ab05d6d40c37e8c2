//! A cell with its parameters: what an instance in a netlist is of.

use crate::cell::{Cell, CellPort};
use crate::cells::{
    AlternatingDriver, Ata2Word, AxisControl, AxisDrain, AxisLoad, AxisMarks, AxisMerge, AxisSieve, Checker,
    Feedback, FeedbackMux, Fifo, LabelGen, LevelDriver, Link, MessageMemory, ModuloCounter, NextBitTable,
    OpticalSwitch, OpticalTerminal, PassGate, PassSequencer, Pattern, Report, Rom, RoundDelay, RoutingWord,
    SelfRoutingSwitch, SelftestControl, Sequencer, ShuffleTerminal, StageDriver, Successor, Switch, Terminal,
    UartTx, XorTerminal,
};
use crate::minimise::feedback_terms;
use frit_schedule::de_bruijn::DeBruijn;
use rust_hdl::prelude::Block;

/// The widest word that rust-hdl simulates here, in bits.
pub const MAX_SIMULATED_WIDTH: u32 = 64;

/// A cell and the values of its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellSpec {
    /// [`Switch`] for words of `width` bits.
    Switch {
        /// Bits of a word.
        width: u32,
    },
    /// [`SelfRoutingSwitch`] for labels of `bits` bits.
    SelfRoutingSwitch {
        /// Bits of a label.
        bits: u32,
    },
    /// [`StageDriver`] for control words of `bits` bits.
    StageDriver {
        /// Bits of a control word.
        bits: u32,
    },
    /// [`AlternatingDriver`] for control words of `bits` bits.
    AlternatingDriver {
        /// Bits of a control word.
        bits: u32,
    },
    /// [`Ata2Word`] for control words of `bits` bits.
    Ata2Word {
        /// Bits of a control word.
        bits: u32,
    },
    /// [`LabelGen`].
    LabelGen {
        /// Bits of a terminal's number.
        bits: u32,
        /// The terminal.
        terminal: u64,
        /// What is added to the destination each round.
        step: u64,
    },
    /// [`Terminal`].
    Terminal {
        /// Bits of a terminal's number.
        bits: u32,
        /// The terminal.
        terminal: u64,
        /// What is added to the source with each arrival.
        step: u64,
    },
    /// [`ShuffleTerminal`].
    ShuffleTerminal {
        /// Stages of the network, and bits of a terminal's number.
        stages: u32,
        /// The terminal.
        terminal: u64,
        /// Half the number of terminals.
        half: u64,
    },
    /// [`OpticalSwitch`] for words of `width` bits.
    OpticalSwitch {
        /// Bits of a word.
        width: u32,
    },
    /// [`LevelDriver`] of `bits` lines.
    LevelDriver {
        /// Lines.
        bits: u32,
    },
    /// [`Link`] for words of `width` bits.
    Link {
        /// Bits of a word.
        width: u32,
    },
    /// [`cells::DeBruijn`](crate::cells::DeBruijn).
    DeBruijn {
        /// The order of the sequence.
        order: u32,
        /// Its first bits, the first on top.
        start: u64,
    },
    /// [`Successor`].
    Successor {
        /// The order of the sequence.
        order: u32,
    },
    /// [`Feedback`].
    Feedback {
        /// The order of the sequence.
        order: u32,
        /// The name of the sequence, part of the module's.
        sequence: String,
        /// The product terms: (mask, value).
        terms: Vec<(u64, u64)>,
    },
    /// [`NextBitTable`].
    NextBitTable {
        /// The order of the sequence.
        order: u32,
        /// The name of the sequence, part of the module's.
        sequence: String,
        /// The next bit of every state.
        table: Vec<bool>,
    },
    /// [`RoutingWord`].
    RoutingWord {
        /// The order of the sequence.
        order: u32,
        /// The word of slot 0.
        idle: u64,
    },
    /// [`OpticalTerminal`].
    OpticalTerminal {
        /// Bits of a terminal's number.
        bits: u32,
        /// The terminal.
        terminal: u64,
    },
    /// [`XorTerminal`].
    XorTerminal {
        /// Bits of a terminal's number.
        bits: u32,
        /// The destination in round 0.
        dest: u64,
        /// The source in round 0.
        source: u64,
    },
    /// [`Rom`].
    Rom {
        /// The name of the table, part of the module's.
        name: String,
        /// Bits of a round's number.
        bits: u32,
        /// Bits of a word, 64 at most.
        width: u32,
        /// The word of every round.
        words: Vec<u64>,
    },
    /// [`RoundDelay`].
    RoundDelay {
        /// Bits of a round's number.
        bits: u32,
    },
    /// [`Sequencer`].
    Sequencer {
        /// Bits of a round's number.
        bits: u32,
        /// The last round.
        last: u64,
        /// Cycles from sending to arrival.
        latency: u64,
    },
    /// [`PassSequencer`].
    PassSequencer {
        /// Bits of a round's number.
        bits: u32,
        /// Bits of a cycle's number in its window.
        slot_bits: u32,
        /// The last round.
        last: u64,
        /// Cycles of a window.
        window: u64,
        /// Cycles from sending to arrival.
        latency: u64,
    },
    /// [`Pattern`] for words of `width` bits.
    Pattern {
        /// Bits of a word.
        width: u32,
    },
    /// [`Checker`].
    Checker {
        /// Bits of a word.
        width: u32,
        /// Words that arrive in a run.
        total: u64,
    },
    /// [`SelftestControl`].
    SelftestControl {
        /// Cycles after which a run is judged.
        limit: u64,
        /// Cycles of a run.
        total: u64,
    },
    /// [`Report`].
    Report {
        /// Bits of a character's place in the line.
        bits: u32,
    },
    /// [`UartTx`].
    UartTx {
        /// Cycles of a bit, 4 at least.
        divider: u64,
    },
    /// [`FeedbackMux`] for words of `width` bits.
    FeedbackMux {
        /// Bits of a word.
        width: u32,
    },
    /// [`PassGate`].
    PassGate,
    /// [`Fifo`] of 2^`address_bits` words of `width` bits.
    Fifo {
        /// Bits of a word.
        width: u32,
        /// Bits of an address.
        address_bits: u32,
    },
    /// [`ModuloCounter`].
    ModuloCounter {
        /// Bits of the count.
        bits: u32,
        /// The count before it is 0 again.
        last: u64,
    },
    /// [`MessageMemory`] of 2^`address_bits` words of `width` bits.
    MessageMemory {
        /// Bits of a word.
        width: u32,
        /// Bits of an address.
        address_bits: u32,
    },
    /// [`AxisLoad`].
    AxisLoad {
        /// Bits of a word.
        width: u32,
        /// Bits of a terminal's number.
        bits: u32,
        /// The last terminal.
        last_terminal: u64,
        /// The words of a message.
        message: MessageWords,
    },
    /// [`AxisMarks`].
    AxisMarks {
        /// Bits of a terminal's number.
        bits: u32,
        /// The last terminal.
        last: u64,
    },
    /// [`AxisSieve`].
    AxisSieve {
        /// Bits of a word with its source.
        width: u32,
        /// The words of a message.
        message: MessageWords,
    },
    /// [`AxisDrain`].
    AxisDrain {
        /// Bits of a word with its source.
        width: u32,
        /// Bits of an address.
        address_bits: u32,
        /// The last word of an exchange.
        last_of_set: u64,
        /// The words of a message.
        message: MessageWords,
        /// Exchanges that it holds.
        sets: u64,
    },
    /// [`AxisMerge`] for words of `width` bits, their source included.
    AxisMerge {
        /// Bits of a word with its source.
        width: u32,
    },
    /// [`AxisControl`].
    AxisControl,
}

/// How the words of a message are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageWords {
    /// Bits of a word's number in its message, 1 at least.
    pub bits: u32,
    /// The last word.
    pub last: u64,
}

impl MessageWords {
    /// For messages of `words` words, 1 at least.
    pub fn new(words: u32) -> Self {
        MessageWords { bits: (words - 1).max(1).ilog2() + 1, last: u64::from(words) - 1 }
    }
}

/// Bits of a counter up to `last`: 2 at least, since the kernels' constant 1 has a 0 above it.
pub fn counter_bits(last: u64) -> u32 {
    last.max(2).ilog2() + 1
}

/// A parameter of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: u64,
    /// Its width for a sized literal; `None` for a width or another plain integer.
    pub bits: Option<u32>,
}

/// Bits in which a sequencer counts the cycles until the first arrival, 2 at least.
fn wait_bits(latency: u64) -> u32 {
    counter_bits(latency - 1)
}

impl CellSpec {
    /// The Verilog module of the cell; also its file's name.
    pub fn module(&self) -> String {
        match self {
            CellSpec::Switch { .. } => "frit_switch".into(),
            CellSpec::SelfRoutingSwitch { .. } => "frit_self_routing_switch".into(),
            CellSpec::StageDriver { .. } => "frit_stage_driver".into(),
            CellSpec::AlternatingDriver { .. } => "frit_alternating_driver".into(),
            CellSpec::Ata2Word { .. } => "frit_ata2_word".into(),
            CellSpec::LabelGen { .. } => "frit_label_gen".into(),
            CellSpec::Terminal { .. } => "frit_terminal".into(),
            // Its loops over the stages are unrolled, so the number of stages is part of the module.
            CellSpec::ShuffleTerminal { stages, .. } => format!("frit_shuffle_terminal_{stages}"),
            CellSpec::OpticalSwitch { .. } => "frit_optical_switch".into(),
            CellSpec::LevelDriver { .. } => "frit_level_driver".into(),
            CellSpec::Link { .. } => "frit_link".into(),
            CellSpec::DeBruijn { .. } => "frit_debruijn".into(),
            // Loops over the bits of a state are unrolled, so the order is part of the module.
            CellSpec::Successor { order } => format!("frit_successor_{order}"),
            CellSpec::Feedback { order, sequence, .. } => format!("frit_feedback_{sequence}_{order}"),
            CellSpec::NextBitTable { order, sequence, .. } => {
                format!("frit_next_bit_table_{sequence}_{order}")
            }
            CellSpec::RoutingWord { order, .. } => format!("frit_routing_word_{order}"),
            CellSpec::OpticalTerminal { .. } => "frit_optical_terminal".into(),
            CellSpec::XorTerminal { .. } => "frit_xor_terminal".into(),
            CellSpec::Rom { name, .. } => format!("frit_rom_{name}"),
            CellSpec::RoundDelay { .. } => "frit_round_delay".into(),
            CellSpec::Sequencer { .. } => "frit_sequencer".into(),
            CellSpec::PassSequencer { .. } => "frit_pass_sequencer".into(),
            CellSpec::Pattern { .. } => "frit_pattern".into(),
            CellSpec::Checker { .. } => "frit_checker".into(),
            CellSpec::SelftestControl { .. } => "frit_selftest_control".into(),
            CellSpec::Report { .. } => "frit_report".into(),
            CellSpec::UartTx { .. } => "frit_uart_tx".into(),
            CellSpec::FeedbackMux { .. } => "frit_feedback_mux".into(),
            CellSpec::PassGate => "frit_pass_gate".into(),
            CellSpec::Fifo { .. } => "frit_fifo".into(),
            CellSpec::ModuloCounter { .. } => "frit_modulo_counter".into(),
            CellSpec::MessageMemory { .. } => "frit_message_memory".into(),
            CellSpec::AxisLoad { .. } => "frit_axis_load".into(),
            CellSpec::AxisMarks { .. } => "frit_axis_marks".into(),
            CellSpec::AxisSieve { .. } => "frit_axis_sieve".into(),
            CellSpec::AxisDrain { .. } => "frit_axis_drain".into(),
            CellSpec::AxisMerge { .. } => "frit_axis_merge".into(),
            CellSpec::AxisControl => "frit_axis_control".into(),
        }
    }

    /// What the cell does, for the header of its Verilog file.
    pub fn summary(&self) -> &'static str {
        match self {
            CellSpec::Switch { .. } => {
                "Controlled 2x2 switch: state_i 0 is straight, 1 is cross. Latency 1 cycle, initiation interval 1."
            }
            CellSpec::SelfRoutingSwitch { .. } => {
                "Self-routing 2x2 switch for labels: the top bit asks for output 0 or 1 and is shifted out. state_o sets the data switch beside it in the same cycle; conflict_o: both inputs want one output. Latency 1 cycle, initiation interval 1."
            }
            CellSpec::StageDriver { .. } => {
                "Driver of one stage: the top bit of the control word sets the stage in this cycle, the rest goes on to the next driver one cycle later."
            }
            CellSpec::AlternatingDriver { .. } => {
                "Driver of one stage in ATA-2: even_o sets the even switches, odd_o the odd ones, which take the other state in rounds that alternate."
            }
            CellSpec::Ata2Word { .. } => "Control word of ATA-2 for a round: combinational.",
            CellSpec::LabelGen { .. } => {
                "Label generator (Algorithm 1): destination and intermediate terminal of each round from the terminal's own number, without a table."
            }
            CellSpec::Terminal { .. } => {
                "Terminal of a rotation schedule: asks for the word of the scheduled destination and knows whose word arrives."
            }
            CellSpec::ShuffleTerminal { .. } => {
                "Terminal of the general shuffle-exchange network: destination of the round being sent and source of the round arriving, by following the path in arithmetic. Combinational."
            }
            CellSpec::OpticalSwitch { .. } => {
                "Optical 2x2 switch: control_i 0 is push (up to up, down to down), 1 is invert. Combinational: light passes, the links hold the delay."
            }
            CellSpec::LevelDriver { .. } => {
                "Driver of the routers of one level: the control bit of the next cycle, in a register of its own."
            }
            CellSpec::Link { .. } => {
                "Link between optical switches: holds a packet for one step. Latency 1 cycle, initiation interval 1."
            }
            CellSpec::DeBruijn { .. } => {
                "de Bruijn controller: shift register of the next bits of the sequence; bit_i comes from a next-bit rule."
            }
            CellSpec::Successor { .. } => {
                "Next bit of the prefer-one de Bruijn sequence by its successor rule (necklace test), without a table. Combinational."
            }
            CellSpec::Feedback { .. } => {
                "Next bit of a de Bruijn sequence by its minimised feedback function. Combinational."
            }
            CellSpec::NextBitTable { .. } => {
                "Next bit of a de Bruijn sequence from a table with a bit for every state. Combinational."
            }
            CellSpec::RoutingWord { .. } => {
                "Routing word of a slot from the control bits that its packets will meet. Combinational."
            }
            CellSpec::OpticalTerminal { .. } => {
                "Processor interface of the optical butterfly: two destinations of the slot being sent, two sources of the one arriving. Combinational."
            }
            CellSpec::XorTerminal { .. } => {
                "Terminal of the XOR method: destination of the round being sent and source of the round arriving, each a constant XOR the round. Combinational."
            }
            CellSpec::Rom { .. } => "Table of a stored schedule: a word for every round. Combinational.",
            CellSpec::RoundDelay { .. } => {
                "Hands the round from the table of one stage to that of the next, one cycle later."
            }
            CellSpec::Sequencer { .. } => {
                "Runs the rounds: counts the round being sent, the round arriving and the cycles, from start_i to done_o."
            }
            CellSpec::PassSequencer { .. } => {
                "Runs the rounds through a network that is passed twice: the inputs belong to new rounds for a window of cycles, then to their second pass for as many."
            }
            CellSpec::Pattern { .. } => {
                "Word of the self-test: who sends it to whom, inverted by the seed of the run. Combinational."
            }
            CellSpec::Checker { .. } => {
                "Checker of the self-test for one lane: every word against the expected one, and how many came in a run. bad_o two cycles after a wrong word."
            }
            CellSpec::SelftestControl { .. } => {
                "Runs the self-test: starts an exchange, counts errors and cycles, judges the run after a fixed time and asks for a report."
            }
            CellSpec::Report { .. } => {
                "Line of text for a UART: characters of a table, and the hexadecimal digits of the fields where the table has 128; 0 ends it."
            }
            CellSpec::UartTx { .. } => {
                "Serial line, 8N1: a byte is taken when valid_i and ready_o are high, each bit lasts DIVIDER cycles."
            }
            CellSpec::FeedbackMux { .. } => {
                "Input of a network that is passed twice: again_i takes the word that comes back. Combinational."
            }
            CellSpec::PassGate => {
                "End of the first pass of a network that is passed twice: deliver_i lets a word go on, else it goes back. Combinational."
            }
            CellSpec::Fifo { .. } => {
                "FIFO of 2^A words, its memory read a cycle ahead (block RAM): a word can be popped two cycles after it was pushed. valid_o: a word was there to pop."
            }
            CellSpec::ModuloCounter { .. } => {
                "Counts steps from 0 to LAST and begins again: the word of a message, or the round whose words are on their way."
            }
            CellSpec::MessageMemory { .. } => {
                "The messages of one terminal: 2^A words, written by the input stream, read a cycle after the address by the exchange (block RAM)."
            }
            CellSpec::AxisLoad { .. } => {
                "AXI4-Stream input of a terminal: takes one message of LAST_WORD + 1 words for each of LAST_TERMINAL + 1 destinations, and says where its words are kept. Latency 1 cycle, a word a cycle."
            }
            CellSpec::AxisMarks { .. } => {
                "Which terminals have had their message in this set: marked_o and unknown_o speak of the look_i of the last cycle, which mark_i marks. turn_i begins the next set."
            }
            CellSpec::AxisSieve { .. } => {
                "Lets the first message of every source pass, a cycle later, and drops what arrives again."
            }
            CellSpec::AxisDrain { .. } => {
                "AXI4-Stream output of a lane: keeps what arrives, in that order, until the receiver takes it (block RAM). A word can leave two cycles after it came, then one a cycle."
            }
            CellSpec::AxisMerge { .. } => {
                "Two AXI4-Streams as one, a message of each in turn. Combinational but for whose turn it is."
            }
            CellSpec::AxisControl => {
                "Starts the exchange between the streams, and keeps what went wrong until the next reset."
            }
        }
    }

    /// The parameters of the instance, in the order of the module.
    pub fn parameters(&self) -> Vec<Parameter> {
        let plain = |name, value| Parameter { name, value, bits: None };
        let sized = |name, value, bits| Parameter { name, value, bits: Some(bits) };
        match *self {
            CellSpec::Switch { width }
            | CellSpec::OpticalSwitch { width }
            | CellSpec::Link { width }
            | CellSpec::AxisMerge { width }
            | CellSpec::Pattern { width }
            | CellSpec::FeedbackMux { width } => vec![plain("W", width as u64)],
            CellSpec::Checker { width, total } => vec![
                plain("C", counter_bits(2 * total) as u64),
                plain("W", width as u64),
                sized("TOTAL", total, counter_bits(2 * total)),
            ],
            CellSpec::SelftestControl { limit, total } => vec![
                plain("T", counter_bits(limit) as u64),
                sized("LIMIT", limit, counter_bits(limit)),
                sized("TOTAL", total, 32),
            ],
            CellSpec::Report { bits } => vec![plain("X", bits as u64)],
            CellSpec::UartTx { divider } => {
                vec![
                    plain("B", counter_bits(divider) as u64),
                    sized("DIVIDER", divider, counter_bits(divider)),
                ]
            }
            CellSpec::Fifo { width, address_bits } | CellSpec::MessageMemory { width, address_bits } => {
                vec![plain("A", address_bits as u64), plain("W", width as u64)]
            }
            CellSpec::PassGate | CellSpec::AxisControl => vec![],
            CellSpec::ModuloCounter { bits, last } => {
                vec![plain("K", bits as u64), sized("LAST", last, bits)]
            }
            CellSpec::AxisLoad { width, bits, last_terminal, message } => vec![
                plain("A", bits as u64),
                plain("B", message.bits as u64),
                plain("W", width as u64),
                sized("LAST_TERMINAL", last_terminal, bits),
                sized("LAST_WORD", message.last, message.bits),
            ],
            CellSpec::AxisMarks { bits, last } => vec![plain("A", bits as u64), sized("LAST", last, bits)],
            CellSpec::AxisSieve { width, message } => vec![
                plain("B", message.bits as u64),
                plain("W", width as u64),
                sized("LAST_WORD", message.last, message.bits),
            ],
            CellSpec::AxisDrain { width, address_bits, last_of_set, message, sets } => vec![
                plain("B", message.bits as u64),
                plain("K", address_bits as u64),
                plain("W", width as u64),
                sized("LAST_OF_SET", last_of_set, address_bits),
                sized("LAST_WORD", message.last, message.bits),
                sized("SETS", sets, 2),
            ],
            CellSpec::PassSequencer { bits, slot_bits, last, window, latency } => vec![
                plain("D", wait_bits(latency) as u64),
                plain("K", bits as u64),
                plain("S", slot_bits as u64),
                sized("LAST", last, bits),
                sized("TURN", window - 1, slot_bits),
                sized("FIRST", latency - 1, wait_bits(latency)),
            ],
            CellSpec::DeBruijn { order, start } => {
                vec![plain("L", order as u64), sized("START", start, order)]
            }
            CellSpec::Successor { .. }
            | CellSpec::Feedback { .. }
            | CellSpec::NextBitTable { .. }
            | CellSpec::Rom { .. } => vec![],
            CellSpec::RoutingWord { order, idle } => vec![sized("IDLE", idle, order)],
            CellSpec::OpticalTerminal { bits, terminal } => {
                vec![plain("A", bits as u64), sized("TERMINAL", terminal, bits)]
            }
            CellSpec::SelfRoutingSwitch { bits }
            | CellSpec::StageDriver { bits }
            | CellSpec::AlternatingDriver { bits }
            | CellSpec::Ata2Word { bits }
            | CellSpec::RoundDelay { bits }
            | CellSpec::LevelDriver { bits } => vec![plain("K", bits as u64)],
            CellSpec::LabelGen { bits, terminal, step } | CellSpec::Terminal { bits, terminal, step } => {
                vec![plain("A", bits as u64), sized("TERMINAL", terminal, bits), sized("STEP", step, bits)]
            }
            CellSpec::ShuffleTerminal { stages, terminal, half } => {
                vec![sized("TERMINAL", terminal, stages), sized("HALF", half, stages)]
            }
            CellSpec::XorTerminal { bits, dest, source } => {
                vec![plain("A", bits as u64), sized("DEST", dest, bits), sized("SOURCE", source, bits)]
            }
            CellSpec::Sequencer { bits, last, latency } => vec![
                plain("D", wait_bits(latency) as u64),
                plain("K", bits as u64),
                sized("LAST", last, bits),
                sized("FIRST", latency - 1, wait_bits(latency)),
            ],
        }
    }

    /// Builds the rust-hdl block, or `None` when its words are wider than rust-hdl simulates here.
    pub fn build(&self) -> Option<Box<dyn Cell>> {
        let narrow = self.word_width().is_none_or(|width| width <= MAX_SIMULATED_WIDTH);
        narrow.then(|| self.prototype())
    }

    /// Bits of the words it carries, for cells whose parameter `W` that is.
    fn word_width(&self) -> Option<u32> {
        match *self {
            CellSpec::Switch { width }
            | CellSpec::OpticalSwitch { width }
            | CellSpec::Link { width }
            | CellSpec::FeedbackMux { width }
            | CellSpec::Fifo { width, .. }
            | CellSpec::MessageMemory { width, .. }
            | CellSpec::AxisLoad { width, .. }
            | CellSpec::AxisDrain { width, .. }
            | CellSpec::AxisSieve { width, .. }
            | CellSpec::AxisMerge { width }
            | CellSpec::Pattern { width }
            | CellSpec::Checker { width, .. } => Some(width),
            _ => None,
        }
    }

    /// The block, its words at most as wide as rust-hdl simulates: enough to print it, since widths are parameters.
    pub fn prototype(&self) -> Box<dyn Cell> {
        fn ready<C: Cell + 'static>(mut cell: C) -> Box<dyn Cell> {
            Block::connect_all(&mut cell);
            Box::new(cell)
        }
        let word = self.word_width().map_or(0, |width| width.min(MAX_SIMULATED_WIDTH)) as usize;
        match *self {
            CellSpec::OpticalSwitch { .. } => ready(OpticalSwitch::new(word)),
            CellSpec::Link { .. } => ready(Link::new(word)),
            CellSpec::FeedbackMux { .. } => ready(FeedbackMux::new(word)),
            CellSpec::PassGate => ready(PassGate::default()),
            CellSpec::Pattern { .. } => ready(Pattern::new(word)),
            CellSpec::Checker { total, .. } => {
                ready(Checker::new(word, counter_bits(2 * total) as usize, total))
            }
            CellSpec::SelftestControl { limit, total } => {
                ready(SelftestControl::new(counter_bits(limit) as usize, limit, total))
            }
            CellSpec::Report { bits } => ready(Report::new(bits as usize)),
            CellSpec::UartTx { divider } => ready(UartTx::new(counter_bits(divider) as usize, divider)),
            CellSpec::Fifo { address_bits, .. } => ready(Fifo::new(word, address_bits as usize)),
            CellSpec::ModuloCounter { bits, last } => ready(ModuloCounter::new(bits as usize, last)),
            CellSpec::MessageMemory { address_bits, .. } => {
                ready(MessageMemory::new(word, address_bits as usize))
            }
            CellSpec::AxisLoad { bits, last_terminal, message, .. } => {
                let (bits, word_bits) = (bits as usize, message.bits as usize);
                ready(AxisLoad::new(word, bits, last_terminal, word_bits, message.last))
            }
            CellSpec::AxisMarks { bits, last } => ready(AxisMarks::new(bits as usize, last)),
            CellSpec::AxisSieve { message, .. } => {
                ready(AxisSieve::new(word, message.bits as usize, message.last))
            }
            CellSpec::AxisDrain { address_bits, last_of_set, message, sets, .. } => {
                let (bits, word_bits) = (address_bits as usize, message.bits as usize);
                ready(AxisDrain::new(word, bits, last_of_set, word_bits, message.last, sets))
            }
            CellSpec::AxisMerge { .. } => ready(AxisMerge::new(word)),
            CellSpec::AxisControl => ready(AxisControl::default()),
            CellSpec::PassSequencer { bits, slot_bits, last, window, latency } => {
                let widths = [bits, slot_bits, wait_bits(latency)].map(|bits| bits as usize);
                ready(PassSequencer::new(widths, last, window, latency))
            }
            CellSpec::LevelDriver { bits } => ready(LevelDriver::new(bits as usize)),
            CellSpec::DeBruijn { order, start } => ready(crate::cells::DeBruijn::new(order as usize, start)),
            CellSpec::Successor { order } => ready(Successor::new(order as usize)),
            CellSpec::Feedback { order, ref terms, .. } => ready(Feedback::new(order as usize, terms)),
            CellSpec::NextBitTable { order, ref table, .. } => {
                ready(NextBitTable::new(order as usize, table.clone()))
            }
            CellSpec::RoutingWord { order, idle } => ready(RoutingWord::new(order as usize, idle)),
            CellSpec::OpticalTerminal { bits, terminal } => {
                ready(OpticalTerminal::new(bits as usize, terminal))
            }
            CellSpec::Switch { .. } => ready(Switch::new(word)),
            CellSpec::SelfRoutingSwitch { bits } => ready(SelfRoutingSwitch::new(bits as usize)),
            CellSpec::StageDriver { bits } => ready(StageDriver::new(bits as usize)),
            CellSpec::AlternatingDriver { bits } => ready(AlternatingDriver::new(bits as usize)),
            CellSpec::Ata2Word { bits } => ready(Ata2Word::new(bits as usize)),
            CellSpec::LabelGen { bits, terminal, step } => {
                ready(LabelGen::new(bits as usize, terminal, step))
            }
            CellSpec::Terminal { bits, terminal, step } => {
                ready(Terminal::new(bits as usize, terminal, step))
            }
            CellSpec::ShuffleTerminal { stages, terminal, half } => {
                ready(ShuffleTerminal::new(stages as usize, terminal, half))
            }
            CellSpec::XorTerminal { bits, dest, source } => {
                ready(XorTerminal::new(bits as usize, dest, source))
            }
            CellSpec::Rom { bits, width, ref words, .. } => {
                ready(Rom::new(bits as usize, width as usize, words.clone()))
            }
            CellSpec::RoundDelay { bits } => ready(RoundDelay::new(bits as usize)),
            CellSpec::Sequencer { bits, last, latency } => {
                ready(Sequencer::new(bits as usize, wait_bits(latency) as usize, last, latency))
            }
        }
    }

    /// The feedback function of a sequence, or `None` where no minimal form is computed.
    pub fn feedback(sequence: &DeBruijn, name: &str) -> Option<CellSpec> {
        let terms = feedback_terms(sequence)?;
        Some(CellSpec::Feedback { order: sequence.order(), sequence: name.into(), terms })
    }

    /// The next-bit table of a sequence.
    pub fn next_bit_table(sequence: &DeBruijn, name: &str) -> CellSpec {
        let (order, bits) = (sequence.order(), sequence.feedback());
        let table = (0..1usize << order).map(|state| bits.get(state)).collect();
        CellSpec::NextBitTable { order, sequence: name.into(), table }
    }

    /// A small instance of every cell, with the parameters that its printed module has by default.
    pub fn all() -> Vec<CellSpec> {
        let example = |order| DeBruijn::prefer_one(order).expect("a small order has a sequence");
        vec![
            CellSpec::Switch { width: 8 },
            CellSpec::SelfRoutingSwitch { bits: 5 },
            CellSpec::StageDriver { bits: 4 },
            CellSpec::AlternatingDriver { bits: 4 },
            CellSpec::Ata2Word { bits: 4 },
            CellSpec::LabelGen { bits: 3, terminal: 0, step: 7 },
            CellSpec::Terminal { bits: 3, terminal: 0, step: 1 },
            CellSpec::ShuffleTerminal { stages: 4, terminal: 0, half: 8 },
            CellSpec::Sequencer { bits: 4, last: 9, latency: 4 },
            CellSpec::OpticalSwitch { width: 8 },
            CellSpec::LevelDriver { bits: 1 },
            CellSpec::Link { width: 8 },
            CellSpec::DeBruijn { order: 4, start: 0 },
            CellSpec::Successor { order: 4 },
            CellSpec::feedback(&example(3), "prefer_one").expect("a small order has a minimal form"),
            CellSpec::next_bit_table(&example(2), "prefer_one"),
            CellSpec::RoutingWord { order: 4, idle: 1 },
            CellSpec::OpticalTerminal { bits: 3, terminal: 0 },
            CellSpec::PassSequencer { bits: 4, slot_bits: 3, last: 9, window: 4, latency: 8 },
            CellSpec::FeedbackMux { width: 8 },
            CellSpec::PassGate,
            CellSpec::Fifo { width: 8, address_bits: 3 },
            CellSpec::XorTerminal { bits: 3, dest: 0, source: 0 },
            CellSpec::Rom { name: "example".into(), bits: 2, width: 3, words: vec![0, 5, 3] },
            CellSpec::RoundDelay { bits: 3 },
            CellSpec::ModuloCounter { bits: 3, last: 4 },
            CellSpec::MessageMemory { width: 8, address_bits: 4 },
            CellSpec::AxisLoad { width: 8, bits: 3, last_terminal: 7, message: MessageWords::new(4) },
            CellSpec::AxisMarks { bits: 3, last: 5 },
            CellSpec::AxisSieve { width: 8, message: MessageWords::new(4) },
            CellSpec::AxisDrain {
                width: 8,
                address_bits: 5,
                last_of_set: 31,
                message: MessageWords::new(4),
                sets: 1,
            },
            CellSpec::AxisMerge { width: 8 },
            CellSpec::AxisControl,
            CellSpec::Pattern { width: 8 },
            CellSpec::Checker { width: 8, total: 8 },
            CellSpec::SelftestControl { limit: 20, total: 12 },
            CellSpec::Report { bits: 6 },
            CellSpec::UartTx { divider: 104 },
        ]
    }

    /// The same cell with its default parameters, those of [`CellSpec::all`]: what its Verilog file is printed from, so
    /// that the file is the same in every design.
    pub fn canonical(&self) -> CellSpec {
        match *self {
            CellSpec::ShuffleTerminal { stages, .. } => {
                CellSpec::ShuffleTerminal { stages, terminal: 0, half: 1 << (stages - 1) }
            }
            CellSpec::RoutingWord { order, .. } => CellSpec::RoutingWord { order, idle: 1 },
            // No parameters: terms and table are in the text itself.
            CellSpec::Feedback { .. } | CellSpec::NextBitTable { .. } | CellSpec::Rom { .. } => self.clone(),
            _ => {
                let all = CellSpec::all();
                let same = all.iter().find(|spec| spec.module() == self.module());
                same.cloned().unwrap_or_else(|| self.clone())
            }
        }
    }

    /// Whether synthesis must keep its registers although others are equal: that there are several is what they are for.
    pub fn kept(&self) -> bool {
        matches!(self, CellSpec::LevelDriver { .. })
    }

    /// The ports, with the widths of this instance.
    pub fn ports(&self) -> Vec<CellPort> {
        let mut ports = self.prototype().ports();
        if let Some(width) = self.word_width() {
            for port in ports.iter_mut().filter(|port| port.width_name.as_deref() == Some("W")) {
                port.width = width;
            }
        }
        ports
    }
}
