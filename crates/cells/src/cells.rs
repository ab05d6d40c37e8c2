//! The cells: each a rust-hdl description, the only statement of its behaviour.
//!
//! Rules for kernels (each broken one was seen to make rust-hdl and Verilog disagree silently; a test over these
//! sources holds them): parenthesise every comparison beside a bitwise operator; no integer literals, use
//! [`Const`](crate::atoms::Const); no `..=`; default assignment first; no `match` on a bool; only one-dimensional
//! indices, of loop variables; no name that is a keyword of SystemVerilog.

mod alternating_driver;
mod ata2_word;
mod axis_control;
mod axis_drain;
mod axis_load;
mod axis_marks;
mod axis_merge;
mod axis_sieve;
mod debruijn;
mod feedback;
mod feedback_mux;
mod fifo;
mod label_gen;
mod level_driver;
mod link;
mod message_memory;
mod modulo_counter;
mod next_bit_table;
mod optical_switch;
mod optical_terminal;
mod pass_gate;
mod pass_sequencer;
mod rom;
mod round_delay;
mod routing_word;
mod self_routing_switch;
mod sequencer;
mod shuffle_terminal;
mod stage_driver;
mod successor;
mod switch;
mod terminal;
mod xor_terminal;

pub use alternating_driver::AlternatingDriver;
pub use ata2_word::Ata2Word;
pub use axis_control::AxisControl;
pub use axis_drain::AxisDrain;
pub use axis_load::AxisLoad;
pub use axis_marks::AxisMarks;
pub use axis_merge::AxisMerge;
pub use axis_sieve::AxisSieve;
pub use debruijn::DeBruijn;
pub use feedback::Feedback;
pub use feedback_mux::FeedbackMux;
pub use fifo::Fifo;
pub use label_gen::LabelGen;
pub use level_driver::LevelDriver;
pub use link::Link;
pub use message_memory::MessageMemory;
pub use modulo_counter::ModuloCounter;
pub use next_bit_table::NextBitTable;
pub use optical_switch::OpticalSwitch;
pub use optical_terminal::OpticalTerminal;
pub use pass_gate::PassGate;
pub use pass_sequencer::PassSequencer;
pub use rom::Rom;
pub use round_delay::RoundDelay;
pub use routing_word::RoutingWord;
pub use self_routing_switch::SelfRoutingSwitch;
pub use sequencer::Sequencer;
pub use shuffle_terminal::ShuffleTerminal;
pub use stage_driver::StageDriver;
pub use successor::Successor;
pub use switch::Switch;
pub use terminal::Terminal;
pub use xor_terminal::XorTerminal;
