//! What readers of demands are told beside a file, and what they find beside a demand.

use frit_network::{Refusal, refuse};

/// What a reader needs to know beside the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The number of terminals, if it is known. A list without it has as many as its largest terminal needs.
    pub terminals: Option<u64>,
    /// Of a trace: the one coflow, or all together.
    pub coflow: Option<u64>,
    /// Of a trace: only the coflows that arrive from the first time on and before the second, in ms.
    pub window: Option<(u64, u64)>,
    /// Of a trace: words for each megabyte; 1 without it.
    pub words_per_mb: Option<u32>,
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

impl Reading {
    /// Refuses what does not apply to a file of this form: all but the options of these names.
    ///
    /// # Errors
    ///
    /// Another option is given.
    pub fn need_only(&self, form: &str, apply: &[&str]) -> Result<(), Refusal> {
        let given = [
            ("--coflow", self.coflow.is_some()),
            ("--window", self.window.is_some()),
            ("--words-per-mb", self.words_per_mb.is_some()),
            ("--layer", self.layer.is_some()),
            ("--experts-per-rank", self.experts_per_rank.is_some()),
            ("--collective", self.collective.is_some()),
        ];
        match given.iter().find(|(name, given)| *given && !apply.contains(name)) {
            Some((name, _)) => {
                refuse!("{name} does not apply to {form} (but {} does); leave it out", apply.join(" or "))
            }
            None => Ok(()),
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
