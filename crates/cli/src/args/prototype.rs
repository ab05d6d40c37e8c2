//! The arguments of `frit prototype`, and those of the self-test.

use super::{DesignArgs, Format, WidthArgs};
use clap::{Args, ValueEnum};
use frit_cosim::prototype::Board;
use std::path::PathBuf;

/// What the help of `frit prototype` ends with.
pub const HELP: &str = "Examples:
  frit prototype --board hx8k rls -n 8 -w 8                       out/rls_n8_w8_hx8k/rls_n8_w8_hx8k.bin
  frit prototype --board ulx3s obf -n 8 -w 8 --frequency 100      at 100 MHz by the PLL
  frit prototype --board icebreaker rls -n 64 -w 32               does not fit, and says by how much

Boards, the serial line, measured designs: docs/prototype.md.
Exit codes: 0 a bitstream, 1 it does not fit or is too slow for the clock, 2 unusable input, 3 a tool is missing.";

/// Boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BoardArg {
    /// Lattice iCE40-HX8K breakout board, 12 MHz.
    Hx8k,
    /// iCEBreaker, iCE40 UP5K, 12 MHz.
    Icebreaker,
    /// ULX3S, ECP5-85F, 25 MHz.
    Ulx3s,
}

impl From<BoardArg> for Board {
    fn from(arg: BoardArg) -> Self {
        match arg {
            BoardArg::Hx8k => Board::Hx8k,
            BoardArg::Icebreaker => Board::IceBreaker,
            BoardArg::Ulx3s => Board::Ulx3s,
        }
    }
}

/// A frequency in MHz, as Hz.
fn hertz(text: &str) -> Result<u64, String> {
    let mhz: f64 = text.parse().map_err(|_| "a number of MHz is expected, e.g. 48".to_string())?;
    if (0.01..=1000.0).contains(&mhz) {
        Ok((mhz * 1e6).round() as u64)
    } else {
        Err("0.01 to 1000 MHz are allowed".into())
    }
}

/// `frit prototype`.
#[derive(Debug, Args)]
pub struct PrototypeArgs {
    /// The design.
    #[command(flatten)]
    pub design: DesignArgs,
    /// The width.
    #[command(flatten)]
    pub width: WidthArgs,
    /// Board that the bitstream is for
    #[arg(long, value_enum, value_name = "BOARD")]
    pub board: BoardArg,
    /// Clock in MHz, made by the PLL [default: the oscillator's]
    #[arg(long, value_name = "MHZ", value_parser = hertz)]
    pub frequency: Option<u64>,
    /// Bits a second of the serial line
    #[arg(long, default_value_t = 115_200, value_name = "B", value_parser = clap::value_parser!(u64).range(1..))]
    pub baud: u64,
    /// Seed of the placer
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub seed: u32,
    /// Folder for all files [default: out/DESIGN_BOARD]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Format of what is printed
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// What `frit generate` needs for a self-test.
#[derive(Debug, Args)]
pub struct SelftestArgs {
    /// Write D_selftest too: sources and checkers around the exchange, a report over a serial line (docs/prototype.md)
    #[arg(long)]
    pub selftest: bool,
    /// Bits a second of the self-test's serial line
    #[arg(long, default_value_t = 115_200, value_name = "B", requires = "selftest", value_parser = clap::value_parser!(u64).range(1..))]
    pub baud: u64,
    /// Clock of the self-test in Hz
    #[arg(long, default_value_t = 12_000_000, value_name = "HZ", requires = "selftest", value_parser = clap::value_parser!(u64).range(1..))]
    pub clock: u64,
}
