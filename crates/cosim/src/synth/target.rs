//! The devices that are synthesised for, and how their tools are called.

use crate::tools::{NEXTPNR_ECP5, NEXTPNR_ICE40, Tool};

/// A device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// Lattice iCE40 HX8K.
    Ice40Hx8k,
    /// Lattice iCE40 UltraPlus 5K.
    Ice40Up5k,
    /// Lattice ECP5 25F, speed grade 6.
    Ecp5_25k,
    /// Lattice ECP5 85F, speed grade 6.
    Ecp5_85k,
}

/// Devices that share cells and tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// iCE40.
    Ice40,
    /// ECP5.
    Ecp5,
}

/// What a device has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Look-up tables with four inputs.
    pub luts: u64,
    /// Flip-flops.
    pub ffs: u64,
    /// Block RAMs.
    pub brams: u64,
}

impl Target {
    /// All targets.
    pub const ALL: [Target; 4] = [Target::Ice40Hx8k, Target::Ice40Up5k, Target::Ecp5_25k, Target::Ecp5_85k];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Target::Ice40Hx8k => "ice40-hx8k",
            Target::Ice40Up5k => "ice40-up5k",
            Target::Ecp5_25k => "ecp5-25k",
            Target::Ecp5_85k => "ecp5-85k",
        }
    }

    /// Device, package and speed grade.
    pub fn device(self) -> &'static str {
        match self {
            Target::Ice40Hx8k => "iCE40 HX8K, ct256",
            Target::Ice40Up5k => "iCE40 UP5K, sg48",
            Target::Ecp5_25k => "ECP5 LFE5U-25F, CABGA381, speed grade 6",
            Target::Ecp5_85k => "ECP5 LFE5U-85F, CABGA381, speed grade 6",
        }
    }

    /// Its family.
    pub fn family(self) -> Family {
        match self {
            Target::Ice40Hx8k | Target::Ice40Up5k => Family::Ice40,
            Target::Ecp5_25k | Target::Ecp5_85k => Family::Ecp5,
        }
    }

    /// What it has (nextpnr's own figures).
    pub fn capacity(self) -> Capacity {
        let (luts, brams) = match self {
            Target::Ice40Hx8k => (7680, 32),
            Target::Ice40Up5k => (5280, 30),
            Target::Ecp5_25k => (24288, 56),
            Target::Ecp5_85k => (83640, 208),
        };
        Capacity { luts, ffs: luts, brams }
    }

    /// The arguments of nextpnr that choose it.
    pub(crate) fn nextpnr_arguments(self) -> &'static [&'static str] {
        match self {
            Target::Ice40Hx8k => &["--hx8k", "--package", "ct256"],
            Target::Ice40Up5k => &["--up5k", "--package", "sg48"],
            Target::Ecp5_25k => &["--25k", "--package", "CABGA381", "--speed", "6"],
            Target::Ecp5_85k => &["--85k", "--package", "CABGA381", "--speed", "6"],
        }
    }
}

impl Family {
    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Family::Ice40 => "iCE40",
            Family::Ecp5 => "ECP5",
        }
    }

    /// The command of Yosys that maps a design, its top still to be named. Wide multiplexers of ECP5 would hide LUTs.
    pub fn synthesis(self) -> &'static str {
        match self {
            Family::Ice40 => "synth_ice40",
            Family::Ecp5 => "synth_ecp5 -nowidelut",
        }
    }

    /// Block RAMs that hold `words` words of `width` bits.
    pub fn block_rams(self, words: u64, width: u64) -> u64 {
        let shapes: &[(u64, u64)] = match self {
            Family::Ice40 => &[(256, 16), (512, 8), (1024, 4), (2048, 2)],
            Family::Ecp5 => &[(512, 36), (1024, 18), (2048, 9), (4096, 4), (8192, 2), (16384, 1)],
        };
        let of = |&(depth, bits): &(u64, u64)| words.div_ceil(depth) * width.div_ceil(bits);
        shapes.iter().map(of).min().expect("a shape")
    }

    /// The tool that places and routes.
    pub fn nextpnr(self) -> Tool {
        match self {
            Family::Ice40 => NEXTPNR_ICE40,
            Family::Ecp5 => NEXTPNR_ECP5,
        }
    }
}
