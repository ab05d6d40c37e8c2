//! Seconds and bytes.

use clap::Args;
use frit_network::Refusal;
use frit_traffic::pace::Pace;

/// Seconds and bytes beside cycles and words.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct PaceArgs {
    /// Bytes of a word: with --link or --clock, time and throughput are reported beside cycles
    #[arg(long, visible_alias = "bytes-per-word", value_name = "B", value_parser = clap::value_parser!(u32).range(1..1 << 31))]
    pub word_bytes: Option<u32>,
    /// Rate of a terminal in bits a second, for example 400G: a cycle is the time of a word
    #[arg(long, value_name = "RATE", conflicts_with = "clock")]
    pub link: Option<String>,
    /// Clock rate in cycles a second, for example 250M
    #[arg(long, value_name = "RATE")]
    pub clock: Option<String>,
}

impl PaceArgs {
    /// The pace that is given, if any.
    ///
    /// # Errors
    /// A rate that is none, or no bytes of a word.
    pub fn pace(&self) -> Result<Option<Pace>, Refusal> {
        Pace::parse(self.word_bytes, self.link.as_deref(), self.clock.as_deref())
    }
}
