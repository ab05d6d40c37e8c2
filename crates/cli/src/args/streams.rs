//! Arguments of the tops around an exchange: streams, how their ports look, resets.

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use frit_cells::design::axis::{Bundles, Face, Streams};
use frit_cells::design::permute::Dress;
use frit_cells::design::pinout::Pinout;
use frit_cells::design::reset::Reset;
use frit_traffic::payload::MAX_WIDTH;

/// How the ports of the streams look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PortStyle {
    /// One vector for all terminals: `s_axis_tdata_i`, `clk_i`, `rst_i`.
    #[default]
    Packed,
    /// One bundle of ports for each terminal: `s00_axis_tdata`, `aclk`, `aresetn`.
    Axis,
}

/// When a reset comes and goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ResetKind {
    /// Reset changes with the clock.
    #[default]
    Sync,
    /// Reset changes at any time; registers synchronise it.
    Async,
}

/// In which level a reset resets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ResetLevel {
    /// Reset is active high.
    High,
    /// Reset is active low.
    Low,
}

/// The design with AXI4-Streams, and resets.
#[derive(Debug, Default, Args)]
pub struct StreamArgs {
    /// Also write D_axis, with an AXI4-Stream input and output for every terminal (docs/streams.md)
    #[arg(long)]
    pub axis: bool,
    /// Words of a message, 1 to 256 [default: 1]; with a loaded schedule: of the longest message, 1 to 4096 [default: the longest
    /// message of the demand]
    #[arg(long, value_name = "WORDS")]
    pub length: Option<u32>,
    /// Sets of messages that the memories hold. With 1 set loading, exchanging and draining take turns, at about half the rate;
    /// with 2 (recommended) they overlap
    #[arg(long, value_name = "SETS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=2))]
    pub buffers: u32,
    /// Names of ports; axis adds a top with the names of AXI4-Stream (aclk, aresetn): a bundle for each terminal (s00_axis_tdata, ...), or, of
    /// transpose and permute, one for each stream (s_axis_tdata, ...)
    #[arg(long, value_enum, value_name = "STYLE", default_value_t)]
    pub port_style: PortStyle,
    /// With --port-style axis: carry tkeep, one bit for each byte of tdata, with each word
    #[arg(long)]
    pub tkeep: bool,
    /// With --port-style axis: carry tuser with this many bits with each word
    #[arg(long, value_name = "BITS", default_value_t = 0)]
    pub tuser: u32,
    /// With --port-style axis: add control and status registers with an AXI4-Lite port, and an interrupt (docs/registers.md)
    #[arg(long)]
    pub axil: bool,
    /// Add a top with this kind of reset
    #[arg(long, value_enum, value_name = "KIND")]
    pub reset: Option<ResetKind>,
    /// Add a top whose reset is active at this level [default: low with --port-style axis, else high]
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub reset_level: Option<ResetLevel>,
}

impl StreamArgs {
    /// Refuses options of streams without `--axis`.
    pub fn need_axis(&self) -> Result<()> {
        let given = [
            ("--length", self.length.is_some()),
            ("--buffers", self.buffers != 1),
            ("--port-style axis", self.port_style == PortStyle::Axis),
            ("--tkeep", self.tkeep),
            ("--tuser", self.tuser > 0),
            ("--axil", self.axil),
        ];
        match given.iter().find(|(_, given)| *given && !self.axis) {
            Some((option, _)) => {
                bail!("{option} needs --axis, which adds the streams; pass both, or leave {option} out")
            }
            None => Ok(()),
        }
    }

    /// What is around a core that has streams of its own.
    pub fn dress(&self) -> Result<Dress> {
        let axis = self.port_style == PortStyle::Axis;
        if self.axil && !axis {
            bail!("--axil needs --port-style axis; pass both");
        }
        let low = self.reset_level.map(|level| level == ResetLevel::Low);
        let pinout = Pinout::of(axis, self.reset == Some(ResetKind::Async), low);
        Ok(Dress { pinout, registers: self.axil })
    }

    /// The streams asked for, if any are; `data_bits` is the width that was asked for.
    pub fn streams(&self, data_bits: u32) -> Result<Option<Streams>> {
        self.need_axis()?;
        let face = match self.port_style {
            PortStyle::Packed if self.tkeep || self.tuser > 0 => bail!(
                "--tkeep and --tuser need --port-style axis; packed ports have no such ports: pass --port-style axis, or carry the bits in a larger -w"
            ),
            PortStyle::Packed if self.axil => {
                bail!("--axil needs --port-style axis; pass both")
            }
            PortStyle::Packed => Face::Packed(self.reset_of(Reset::OWN)),
            PortStyle::Axis => Face::Bundles(self.bundles(data_bits)),
        };
        Ok(self.axis.then_some(Streams { words: self.length.unwrap_or(1), sets: self.buffers, face }))
    }

    /// Bits of a word of the exchange: those asked for, and what is carried with them.
    pub fn word_bits(&self, data_bits: u32) -> Result<u32> {
        if self.port_style == PortStyle::Packed {
            return Ok(data_bits);
        }
        match self.bundles(data_bits).word_bits() {
            bits if bits <= MAX_WIDTH => Ok(bits),
            _ => bail!(
                "-w {data_bits} with --tuser {}{} is too wide: a word of the exchange has at most {MAX_WIDTH} bits, including tuser and tkeep; pass a smaller -w or --tuser",
                self.tuser,
                if self.tkeep { " and --tkeep" } else { "" }
            ),
        }
    }

    fn bundles(&self, data_bits: u32) -> Bundles {
        let reset = self.reset_of(Reset::AXI);
        Bundles { data_bits, user_bits: self.tuser, keep: self.tkeep, registers: self.axil, reset }
    }

    pub fn asks_reset(&self) -> bool {
        self.reset.is_some() || self.reset_level.is_some()
    }

    /// The reset of an exchange without streams, if it is another than that of its modules.
    pub fn exchange_reset(&self) -> Option<Reset> {
        let reset = self.reset_of(Reset::OWN);
        (!self.axis && reset != Reset::OWN).then_some(reset)
    }

    fn reset_of(&self, usual: Reset) -> Reset {
        Reset {
            asynchronous: self.reset == Some(ResetKind::Async),
            low: self.reset_level.map_or(usual.low, |level| level == ResetLevel::Low),
        }
    }
}
