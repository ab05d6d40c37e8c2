//! A second pass through the same network.

/// A network that every message passes twice: after the first `after` stages it enters again at the inputs, `wait`
/// cycles later. The second pass takes all stages.
///
/// The inputs belong to the first pass for [`window`](SecondPass::window) cycles, then to the second pass of the same
/// rounds for as many, and so on: a message enters its second pass exactly one window after its first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecondPass {
    /// Stages of the first pass. The link column of this number, which leads to the next stage or to the outputs, leads
    /// to the inputs of the same numbers as well.
    pub after: u32,
    /// Cycles between the end of the first pass and the beginning of the second, spent in a buffer of as many words at
    /// every input.
    pub wait: u32,
}

impl SecondPass {
    /// Cycles for which the inputs belong to the first pass, and then to the second.
    pub fn window(self) -> u32 {
        self.after + self.wait
    }
}
