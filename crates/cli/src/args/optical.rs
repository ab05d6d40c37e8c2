//! What the commands of the optical butterfly take.

use super::Format;
use clap::{Args, ValueEnum};
use frit_schedule::photonics::{Parameters, SOURCES};
use std::path::PathBuf;

/// The built-in de Bruijn sequences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SequenceKind {
    /// The paper's sequence: append a one whenever that makes a new word.
    #[default]
    PreferOne,
    /// Repeat the last bit whenever that makes a new word.
    PreferSame,
    /// The lexicographically least sequence.
    Granddaddy,
}

/// `frit sequence`.
#[derive(Debug, Args)]
pub struct SequenceArgs {
    /// Bits of a word, 1 to 24 (log2 N - 1 for N processors) [default with --check: computed from the length]
    #[arg(required_unless_present = "check")]
    pub order: Option<u32>,
    /// Sequence to print
    #[arg(long, value_enum, default_value_t, conflicts_with = "check")]
    pub kind: SequenceKind,
    /// Check the sequence in this file (characters 0 and 1; white space is ignored)
    #[arg(long, value_name = "FILE")]
    pub check: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// `frit photonics`.
#[derive(Debug, Args)]
pub struct PhotonicsArgs {
    /// Calculate the paper's example; takes no other parameter [default if no parameter is given]
    #[arg(long, conflicts_with_all = ["dimension", "terminals", "bit_rate", "packet_bits", "index", "light_speed",
        "switching", "guard", "loss_per_switch", "loss_per_metre", "crosstalk_per_switch", "crosstalk_limit", "laser",
        "sensitivity", "clock", "link", "slots_per_link", "laser_efficiency", "switch_power", "electronics_power"])]
    pub paper: bool,
    /// Dimension: 2^R processors, 2 to 20 [default: 6]
    #[arg(short = 'r', long, value_name = "R", conflicts_with = "terminals")]
    pub dimension: Option<u32>,
    /// Number of processors, a power of two, instead of -r
    #[arg(short = 'n', long, value_name = "N")]
    pub terminals: Option<u64>,
    /// Bit rate of a link, in Gb/s
    #[arg(long, value_name = "GBPS", default_value_t = Parameters::paper().bit_rate_gbps, allow_negative_numbers = true)]
    pub bit_rate: f64,
    /// Bit times of a packet, including switching and guard times
    #[arg(long, value_name = "BITS", default_value_t = Parameters::paper().packet_bits)]
    pub packet_bits: u32,
    /// Length of a link, in mm of fibre; sets the length of a slot [default: the length of its packets]
    #[arg(long, value_name = "MM", allow_negative_numbers = true)]
    pub link: Option<f64>,
    /// Number of slots, and so of packets, in a link
    #[arg(long, value_name = "K", default_value_t = Parameters::paper().slots_per_link)]
    pub slots_per_link: u32,
    /// Refractive index of the fibre
    #[arg(long, value_name = "INDEX", default_value_t = Parameters::paper().refractive_index, allow_negative_numbers = true)]
    pub index: f64,
    /// Speed of light in vacuum, in m/ns
    #[arg(long, value_name = "M_PER_NS", default_value_t = Parameters::paper().light_speed_m_per_ns, allow_negative_numbers = true)]
    pub light_speed: f64,
    /// Time that a switch needs to change its state, in ps
    #[arg(long, value_name = "PS", default_value_t = Parameters::paper().switching_ps, allow_negative_numbers = true)]
    pub switching: f64,
    /// Guard time without light, in addition to switching, for jitter and unequal links, in ps
    #[arg(long, value_name = "PS", default_value_t = Parameters::paper().guard_ps, allow_negative_numbers = true)]
    pub guard: f64,
    /// Loss from fibre to fibre through one switch, in dB
    #[arg(long, value_name = "DB", default_value_t = Parameters::paper().loss_per_switch_db, allow_negative_numbers = true)]
    pub loss_per_switch: f64,
    /// Loss of the fibre, in dB per metre
    #[arg(long, value_name = "DB", default_value_t = Parameters::paper().loss_per_metre_db, allow_negative_numbers = true)]
    pub loss_per_metre: f64,
    /// Crosstalk of a switch: power from the wrong input, in dB relative to the right input (negative)
    #[arg(long, value_name = "DB", default_value_t = Parameters::paper().crosstalk_per_switch_db, allow_negative_numbers = true)]
    pub crosstalk_per_switch: f64,
    /// Maximum crosstalk that the receiver tolerates, in dB (negative)
    #[arg(long, value_name = "DB", default_value_t = Parameters::paper().crosstalk_limit_db, allow_negative_numbers = true)]
    pub crosstalk_limit: f64,
    /// Power into the first link, in dBm
    #[arg(long, value_name = "DBM", default_value_t = Parameters::paper().laser_dbm, allow_negative_numbers = true)]
    pub laser: f64,
    /// Power that the receiver needs, in dBm
    #[arg(long, value_name = "DBM", default_value_t = Parameters::paper().sensitivity_dbm, allow_negative_numbers = true)]
    pub sensitivity: f64,
    /// Clock of the processors, in GHz
    #[arg(long, value_name = "GHZ", default_value_t = Parameters::paper().clock_ghz, allow_negative_numbers = true)]
    pub clock: f64,
    /// Efficiency of the laser: power into the first link divided by electrical power, up to 1
    #[arg(long, value_name = "PART", default_value_t = Parameters::paper().laser_efficiency, allow_negative_numbers = true)]
    pub laser_efficiency: f64,
    /// Electrical power of a switch and its driver, in mW
    #[arg(long, value_name = "MW", default_value_t = Parameters::paper().switch_mw, allow_negative_numbers = true)]
    pub switch_power: f64,
    /// Electrical power of a lane's modulator, receiver and their electronics, in mW
    #[arg(long, value_name = "MW", default_value_t = Parameters::paper().electronics_mw, allow_negative_numbers = true)]
    pub electronics_power: f64,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// What the help of `frit photonics` ends with; the long one says where the defaults come from.
pub fn photonics_help(long: bool) -> String {
    let examples = "Examples:
  frit photonics                            the paper's 64 processors
  frit photonics -n 16 --loss-per-switch 2  another size and switch; the largest r
  frit photonics -r 4 --clock 2.5 --format json";
    if !long {
        return format!("{examples}\n\n--help and -v show the sources of the defaults.");
    }
    let sources: String = SOURCES.iter().map(|(what, source)| format!("\n  {what}: {source}")).collect();
    format!("{examples}\n\nSources of the defaults:{sources}")
}
