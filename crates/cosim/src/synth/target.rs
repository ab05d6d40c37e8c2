//! What is synthesised for, and how tools are called: devices, which are placed and routed, and families of which Yosys gives areas only.

use crate::tools::{NEXTPNR_ECP5, NEXTPNR_ICE40, Tool};

/// What a design is synthesised for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A device: areas and clock frequencies.
    Device(Device),
    /// Any device of a family: areas only, since no tool here places and routes it.
    Areas(Library),
}

/// A device that is placed and routed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Device {
    Ice40Hx8k,
    /// Lattice iCE40 UltraPlus 5K.
    Ice40Up5k,
    /// Lattice ECP5 25F, speed grade 6.
    Ecp5_25k,
    /// Lattice ECP5 85F, speed grade 6.
    Ecp5_85k,
}

/// Cells that Yosys maps to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Library {
    Ice40,
    Ecp5,
    /// Xilinx 7 series.
    Xilinx,
    Intel,
    Gowin,
    Nexus,
    GateMate,
}

/// Devices that share cells and tools, and whose netlists are simulated and proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    Ice40,
    Ecp5,
}

/// What a device has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Look-up tables with four inputs.
    pub luts: u64,
    pub ffs: u64,
    pub brams: u64,
}

impl Target {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Target::Device(device) => device.name(),
            Target::Areas(library) => library.name(),
        }
    }

    /// Device, package and speed grade, or the family.
    pub fn title(self) -> &'static str {
        match self {
            Target::Device(device) => device.title(),
            Target::Areas(library) => library.title(),
        }
    }

    pub fn device(self) -> Option<Device> {
        match self {
            Target::Device(device) => Some(device),
            Target::Areas(_) => None,
        }
    }

    /// The cells that Yosys maps to.
    pub fn library(self) -> Library {
        match self {
            Target::Device(device) => device.family().library(),
            Target::Areas(library) => library,
        }
    }
}

impl Device {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Device::Ice40Hx8k => "ice40-hx8k",
            Device::Ice40Up5k => "ice40-up5k",
            Device::Ecp5_25k => "ecp5-25k",
            Device::Ecp5_85k => "ecp5-85k",
        }
    }

    /// Device, package and speed grade.
    pub fn title(self) -> &'static str {
        match self {
            Device::Ice40Hx8k => "iCE40 HX8K, ct256",
            Device::Ice40Up5k => "iCE40 UP5K, sg48",
            Device::Ecp5_25k => "ECP5 LFE5U-25F, CABGA381, speed grade 6",
            Device::Ecp5_85k => "ECP5 LFE5U-85F, CABGA381, speed grade 6",
        }
    }

    pub fn family(self) -> Family {
        match self {
            Device::Ice40Hx8k | Device::Ice40Up5k => Family::Ice40,
            Device::Ecp5_25k | Device::Ecp5_85k => Family::Ecp5,
        }
    }

    /// What it has (nextpnr's own figures).
    pub fn capacity(self) -> Capacity {
        let (luts, brams) = match self {
            Device::Ice40Hx8k => (7680, 32),
            Device::Ice40Up5k => (5280, 30),
            Device::Ecp5_25k => (24288, 56),
            Device::Ecp5_85k => (83640, 208),
        };
        Capacity { luts, ffs: luts, brams }
    }

    /// The arguments of nextpnr that choose it.
    pub(crate) fn nextpnr_arguments(self) -> &'static [&'static str] {
        match self {
            Device::Ice40Hx8k => &["--hx8k", "--package", "ct256"],
            Device::Ice40Up5k => &["--up5k", "--package", "sg48"],
            Device::Ecp5_25k => &["--25k", "--package", "CABGA381", "--speed", "6"],
            Device::Ecp5_85k => &["--85k", "--package", "CABGA381", "--speed", "6"],
        }
    }
}

impl Library {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Library::Ice40 => "ice40",
            Library::Ecp5 => "ecp5",
            Library::Xilinx => "xilinx",
            Library::Intel => "intel",
            Library::Gowin => "gowin",
            Library::Nexus => "nexus",
            Library::GateMate => "gatemate",
        }
    }

    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Library::Ice40 => "iCE40",
            Library::Ecp5 => "ECP5",
            Library::Xilinx => "Xilinx 7 series",
            Library::Intel => "Intel Cyclone V",
            Library::Gowin => "Gowin GW1N",
            Library::Nexus => "Lattice Nexus",
            Library::GateMate => "Cologne Chip GateMate",
        }
    }

    /// The command of Yosys that maps a design, its top still to be named. Pins and clock buffers are none of the module's, and wide
    /// multiplexers would hide LUTs.
    pub fn synthesis(self) -> &'static str {
        match self {
            Library::Ice40 => "synth_ice40",
            Library::Ecp5 => "synth_ecp5 -nowidelut",
            Library::Xilinx => "synth_xilinx -flatten -noiopad -noclkbuf -nowidelut",
            Library::Intel => "synth_intel_alm -noiopad -noclkbuf",
            Library::Gowin => "synth_gowin -noiopads -nowidelut",
            Library::Nexus => "synth_nexus -noiopad -nowidelut",
            Library::GateMate => "synth_gatemate -noiopad -noclkbuf -nomx8 -nomx4",
        }
    }

    pub fn lut_inputs(self) -> u32 {
        match self {
            Library::Xilinx | Library::Intel => 6,
            _ => 4,
        }
    }

    /// The head of a column of LUTs.
    pub fn lut(self) -> &'static str {
        if self.lut_inputs() == 4 { "LUT4" } else { "LUT" }
    }
}

impl Family {
    /// What it is called.
    pub fn title(self) -> &'static str {
        self.library().title()
    }

    pub fn library(self) -> Library {
        match self {
            Family::Ice40 => Library::Ice40,
            Family::Ecp5 => Library::Ecp5,
        }
    }

    /// The command of Yosys that maps a design ([`Library::synthesis`]).
    pub fn synthesis(self) -> &'static str {
        self.library().synthesis()
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

    /// Block RAMs of iCE40 that Yosys takes for a memory of `words` words of `width` bits: none if flip-flops cost less.
    pub fn ice40_block_rams(words: u64, width: u64) -> u64 {
        let rams = Family::Ice40.block_rams(words, width);
        if words * width > 64 * rams { rams } else { 0 }
    }

    /// The tool that places and routes.
    pub fn nextpnr(self) -> Tool {
        match self {
            Family::Ice40 => NEXTPNR_ICE40,
            Family::Ecp5 => NEXTPNR_ECP5,
        }
    }
}
