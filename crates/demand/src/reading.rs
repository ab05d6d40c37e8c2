//! What readers of demands are told beside a file, and what they find beside a demand.

/// What a reader needs to know beside the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The number of terminals, if it is known. A list without it has as many as its largest terminal needs.
    pub terminals: Option<u64>,
    /// Of a trace: the one coflow, or all together.
    pub coflow: Option<u64>,
    /// Of a trace: only the coflows that arrive from the first time on and before the second, in ms.
    pub window: Option<(u64, u64)>,
    /// Of a trace: words for each megabyte.
    pub words_per_mb: u32,
    /// Of a file with layers: which one.
    pub layer: Option<usize>,
    /// Each column is an expert, and so many neighbouring ones are on one terminal: their numbers are added.
    pub experts_per_rank: Option<u32>,
    /// Of traces of PyTorch: which of their uneven exchanges.
    pub collective: Option<usize>,
    /// Of traces of PyTorch: the bytes of a word. Without them a word is a row of the tensor.
    pub word_bytes: Option<u32>,
}

/// What a file says beside its demand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Of a trace of coflows: how many there are.
    pub coflows: Option<Coflows>,
    /// Of traces of PyTorch, if words have a size: the bytes of the exchange.
    pub bytes: Option<u64>,
}

impl Default for Reading {
    fn default() -> Self {
        Reading {
            terminals: None,
            coflow: None,
            window: None,
            words_per_mb: 1,
            layer: None,
            experts_per_rank: None,
            collective: None,
            word_bytes: None,
        }
    }
}

/// How many coflows a trace has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coflows {
    /// Of the demand.
    pub merged: u64,
    /// Of the trace.
    pub all: u64,
}
