//! What Yosys's `stat -json` says of a mapped module.

use super::target::{Capacity, Library};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Cells of a mapped module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// Look-up tables, each with one output; those of carry cells too, where a bit of a carry chain takes the place of one.
    pub luts: u64,
    /// Look-up tables by their number of inputs, where the cells say it.
    pub sizes: BTreeMap<u32, u64>,
    pub ffs: u64,
    /// Bits of carry chains.
    pub carries: u64,
    /// Block RAMs; a RAM of two halves that could be two RAMs is two.
    pub brams: u64,
    /// Cells that are none of these, by their type.
    pub other: BTreeMap<String, u64>,
}

/// The part of the output that is read.
#[derive(Deserialize)]
struct Stat {
    design: Counts,
}

#[derive(Deserialize)]
struct Counts {
    num_cells_by_type: BTreeMap<String, u64>,
}

/// What a cell is.
enum Kind {
    Lut,
    /// A look-up table whose name says how many inputs it has.
    Sized(u32),
    /// Bits of a carry chain in the place of as many look-up tables.
    Adder(u64),
    /// Bits of a carry chain.
    Carry(u64),
    FlipFlop,
    BlockRam(u64),
    /// No hardware: names of flattened modules, constants.
    None,
    Other,
}

fn kind(library: Library, cell: &str) -> Kind {
    let sized = |start: &str| cell.strip_prefix(start).and_then(|inputs| inputs.parse().ok());
    let (look_up, flip_flop) = match library {
        Library::Ice40 => (None, "SB_DFF"),
        Library::Ecp5 => (None, "TRELLIS_FF"),
        Library::Xilinx => (sized("LUT"), "FD"),
        Library::Intel => (sized("MISTRAL_ALUT"), "MISTRAL_FF"),
        Library::Gowin => (sized("LUT"), "DFF"),
        Library::Nexus => (None, "FD1P3"),
        Library::GateMate => (sized("CC_LUT"), "CC_DFF"),
    };
    match (library, cell) {
        (_, "$scopeinfo" | "GND" | "VCC" | "VLO" | "VHI") => Kind::None,
        (Library::Ice40, "SB_LUT4") | (Library::Ecp5 | Library::Nexus, "LUT4") => Kind::Lut,
        (Library::Ice40, "SB_CARRY") => Kind::Carry(1),
        (Library::Xilinx, "CARRY4") => Kind::Carry(4),
        (Library::Ecp5, "CCU2C") | (Library::Nexus, "CCU2") => Kind::Adder(2),
        (Library::Intel, "MISTRAL_ALUT_ARITH") | (Library::Gowin, "ALU") | (Library::GateMate, "CC_ADDF") => {
            Kind::Adder(1)
        }
        (Library::Ice40, name) if name.starts_with("SB_RAM40") => Kind::BlockRam(1),
        (Library::Ecp5, "DP16KD" | "PDPW16KD")
        | (Library::Xilinx, "RAMB18E1")
        | (Library::Intel, "MISTRAL_M10K")
        | (Library::Gowin, "SP" | "SPX9" | "SDPB" | "SDPX9B" | "DPB" | "DPX9B" | "pROM" | "pROMX9")
        | (Library::Nexus, "DP16K" | "PDP16K" | "PDPSC16K" | "SP16K")
        | (Library::GateMate, "CC_BRAM_20K") => Kind::BlockRam(1),
        (Library::Xilinx, "RAMB36E1") | (Library::GateMate, "CC_BRAM_40K") => Kind::BlockRam(2),
        (_, name) if name.starts_with(flip_flop) => Kind::FlipFlop,
        _ => look_up.map_or(Kind::Other, Kind::Sized),
    }
}

impl Area {
    /// Reads `stat -json` of a flattened design mapped to cells.
    pub fn parse(library: Library, json: &str) -> Result<Self, serde_json::Error> {
        let stat: Stat = serde_json::from_str(json)?;
        let mut area = Area::default();
        for (cell, count) in stat.design.num_cells_by_type {
            area.add(library, cell, count);
        }
        Ok(area)
    }

    pub(super) fn add(&mut self, library: Library, cell: String, count: u64) {
        match kind(library, &cell) {
            Kind::Lut => self.luts += count,
            Kind::Sized(inputs) => {
                self.luts += count;
                *self.sizes.entry(inputs).or_default() += count;
            }
            Kind::Adder(bits) => {
                self.carries += bits * count;
                self.luts += bits * count;
            }
            Kind::Carry(bits) => self.carries += bits * count,
            Kind::FlipFlop => self.ffs += count,
            Kind::BlockRam(halves) => self.brams += halves * count,
            Kind::None => {}
            Kind::Other => *self.other.entry(cell).or_default() += count,
        }
    }

    /// The first resource of which a device has too little: (name, needed, there).
    pub fn exceeds(&self, capacity: Capacity) -> Option<(&'static str, u64, u64)> {
        [
            ("LUT4", self.luts, capacity.luts),
            ("FF", self.ffs, capacity.ffs),
            ("block RAM", self.brams, capacity.brams),
        ]
        .into_iter()
        .find(|(_, needs, has)| needs > has)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Device;
    use super::*;

    #[test]
    fn both_families_are_counted() {
        let ice40 = include_str!("fixtures/stat_ice40.json");
        let area = Area::parse(Library::Ice40, ice40).unwrap();
        assert_eq!((area.luts, area.ffs, area.carries, area.brams), (54, 64, 30, 1));
        assert!(area.other.is_empty(), "{area:?}");
        let ecp5 = include_str!("fixtures/stat_ecp5.json");
        let area = Area::parse(Library::Ecp5, ecp5).unwrap();
        assert_eq!((area.luts, area.ffs, area.carries, area.brams), (36, 37, 32, 1));
        assert!(area.other.is_empty(), "{area:?}");
    }

    /// Cells of `D_permute` of a corner turn (xilinx, intel, gowin, nexus, gatemate), as Yosys 0.70 has them, and RAMs of two halves.
    #[test]
    fn every_library_is_counted() {
        let of = |library, cells: &str| {
            Area::parse(library, &format!("{{\"design\": {{\"num_cells_by_type\": {{{cells}}}}}}}")).unwrap()
        };
        let figures = |area: &Area| (area.luts, area.ffs, area.carries, area.brams);
        let rest = |area: &Area| area.other.keys().cloned().collect::<Vec<_>>();
        let xilinx = r#""$scopeinfo": 9, "CARRY4": 23, "FDRE": 1281, "FDSE": 13, "INV": 10, "LUT2": 44, "LUT6": 10, "RAM32M": 24,
                        "RAMB18E1": 8, "RAMB36E1": 2, "SRL16E": 3"#;
        let area = of(Library::Xilinx, xilinx);
        assert_eq!(
            (figures(&area), rest(&area)),
            ((54, 1294, 92, 12), vec!["INV".into(), "RAM32M".into(), "SRL16E".into()])
        );
        assert_eq!(area.sizes, [(2, 44), (6, 10)].into());
        let intel = r#""MISTRAL_ALUT2": 64, "MISTRAL_ALUT6": 3, "MISTRAL_ALUT_ARITH": 79, "MISTRAL_FF": 1419, "MISTRAL_M10K": 8,
                       "MISTRAL_MLAB": 128, "MISTRAL_NOT": 29"#;
        let area = of(Library::Intel, intel);
        assert_eq!(
            (figures(&area), rest(&area)),
            ((146, 1419, 79, 8), vec!["MISTRAL_MLAB".into(), "MISTRAL_NOT".into()])
        );
        let gowin = r#""ALU": 83, "DFF": 1024, "DFFRE": 88, "DPX9B": 8, "GND": 1, "LUT1": 7, "LUT4": 26, "RAM16SDP4": 32, "VCC": 1"#;
        let area = of(Library::Gowin, gowin);
        assert_eq!((figures(&area), rest(&area)), ((116, 1112, 83, 8), vec!["RAM16SDP4".into()]));
        let nexus = r#""CCU2": 48, "DPR16X4": 32, "FD1P3IX": 1281, "FD1P3JX": 13, "LUT4": 890, "PDPSC16K": 8, "VHI": 1, "VLO": 1"#;
        let area = of(Library::Nexus, nexus);
        assert_eq!((figures(&area), rest(&area)), ((986, 1294, 96, 8), vec!["DPR16X4".into()]));
        let gatemate = r#""CC_ADDF": 83, "CC_BRAM_20K": 16, "CC_BRAM_40K": 1, "CC_DFF": 1166, "CC_LUT1": 1, "CC_LUT4": 132, "CC_MX4": 2"#;
        let area = of(Library::GateMate, gatemate);
        assert_eq!((figures(&area), rest(&area)), ((216, 1166, 83, 18), vec!["CC_MX4".into()]));
    }

    #[test]
    fn a_cell_of_another_kind_is_not_lost() {
        let json = r#"{"design": {"num_cells_by_type": {"LUT4": 3, "MULT18X18D": 2, "SB_LUT4": 1}}}"#;
        let area = Area::parse(Library::Ecp5, json).unwrap();
        assert_eq!(area.luts, 3);
        assert_eq!(area.other, [("MULT18X18D".into(), 2), ("SB_LUT4".into(), 1)].into());
    }

    #[test]
    fn what_is_too_large_is_named() {
        let area = |luts, ffs, brams| Area { luts, ffs, brams, ..Area::default() };
        let capacity = Device::Ice40Hx8k.capacity();
        assert_eq!(area(7680, 7680, 32).exceeds(capacity), None);
        assert_eq!(area(7681, 9000, 0).exceeds(capacity), Some(("LUT4", 7681, 7680)));
        assert_eq!(area(0, 7681, 0).exceeds(capacity), Some(("FF", 7681, 7680)));
        assert_eq!(area(0, 0, 33).exceeds(capacity), Some(("block RAM", 33, 32)));
    }

    #[test]
    fn what_is_no_statistic_is_refused() {
        assert!(Area::parse(Library::Ice40, "{}").is_err());
        assert!(Area::parse(Library::Ice40, "").is_err());
    }
}
