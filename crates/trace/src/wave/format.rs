//! What a waveform format takes.

/// Why a format could not be written: the system's words.
pub(super) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Takes what happens, in the order of time. Signals are numbered as declared; repeats have been left out.
pub(super) trait Format {
    /// What follows happens at this time, which is later than the last.
    fn time(&mut self, ticks: u64) -> Result<(), Failure>;
    /// A signal has this value: all its limbs, the least significant first, and nothing above its width.
    fn value(&mut self, signal: usize, limbs: &[u64]) -> Result<(), Failure>;
    /// All bits of a signal are `x`.
    fn unknown(&mut self, signal: usize) -> Result<(), Failure>;
    /// Writes what is left.
    fn finish(self) -> Result<(), Failure>;
}
