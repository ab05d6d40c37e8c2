//! Waveforms (VCD and FST) and CSV traces, written and read.
//!
//! [`WaveWriter`] streams a run into a file; [`Wave`] opens any VCD or FST, ours or a simulator's,
//! and loads the signals that are asked for; [`TraceReader`] reads a CSV whose first column is
//! `cycle`, one cycle at a time.

mod declare;
pub(crate) mod error;
mod file;
mod format;
mod fst_check;
mod fst_out;
mod fst_section;
mod given;
mod guard;
mod limits;
mod lists;
mod read;
mod text;
mod trace;
pub(crate) mod value;
mod vcd_check;
mod vcd_ids;
mod vcd_line;
mod vcd_out;
mod write;

pub use declare::{MAX_WIDTH_BITS, SignalDecl};
pub use error::UnknownFormat;
pub(crate) use file::{OpenedWave, WaveFile};
pub use given::with_files;
pub(crate) use guard::guarded;
pub use read::{SignalKind, Traces, Wave, WaveFormat, WaveSignal};
pub use trace::{TraceCycle, TraceReader, TraceRow};
pub use value::Value;
pub use write::WaveWriter;
pub(crate) use write::renew;
