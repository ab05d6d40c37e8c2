//! What Yosys's `stat -json` says of a mapped module.

use super::target::{Capacity, Family};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Cells of a mapped module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// Look-up tables with four inputs; on ECP5 those of carry cells too.
    pub luts: u64,
    /// Flip-flops.
    pub ffs: u64,
    /// Bits of carry chains.
    pub carries: u64,
    /// Block RAMs.
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

impl Area {
    /// Reads `stat -json` of a flattened design mapped for a family.
    pub fn parse(family: Family, json: &str) -> Result<Self, serde_json::Error> {
        let stat: Stat = serde_json::from_str(json)?;
        let mut area = Area::default();
        for (cell, count) in stat.design.num_cells_by_type {
            area.add(family, cell, count);
        }
        Ok(area)
    }

    /// Adds cells of a type.
    pub(super) fn add(&mut self, family: Family, cell: String, count: u64) {
        match (family, cell.as_str()) {
            // Names of flattened modules: no hardware.
            (_, "$scopeinfo") => {}
            (Family::Ice40, "SB_LUT4") | (Family::Ecp5, "LUT4") => self.luts += count,
            (Family::Ice40, "SB_CARRY") => self.carries += count,
            // Two bits each, in the place of two LUTs.
            (Family::Ecp5, "CCU2C") => {
                self.carries += 2 * count;
                self.luts += 2 * count;
            }
            (Family::Ecp5, "TRELLIS_FF") => self.ffs += count,
            (Family::Ecp5, "DP16KD" | "PDPW16KD") => self.brams += count,
            (Family::Ice40, name) if name.starts_with("SB_DFF") => self.ffs += count,
            (Family::Ice40, name) if name.starts_with("SB_RAM40") => self.brams += count,
            _ => *self.other.entry(cell).or_default() += count,
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
    use super::super::Target;
    use super::*;

    #[test]
    fn both_families_are_counted() {
        let ice40 = include_str!("fixtures/stat_ice40.json");
        let area = Area::parse(Family::Ice40, ice40).unwrap();
        assert_eq!((area.luts, area.ffs, area.carries, area.brams), (54, 64, 30, 1));
        assert!(area.other.is_empty(), "{area:?}");
        let ecp5 = include_str!("fixtures/stat_ecp5.json");
        let area = Area::parse(Family::Ecp5, ecp5).unwrap();
        assert_eq!((area.luts, area.ffs, area.carries, area.brams), (36, 37, 32, 1));
        assert!(area.other.is_empty(), "{area:?}");
    }

    #[test]
    fn a_cell_of_another_kind_is_not_lost() {
        let json = r#"{"design": {"num_cells_by_type": {"LUT4": 3, "MULT18X18D": 2, "SB_LUT4": 1}}}"#;
        let area = Area::parse(Family::Ecp5, json).unwrap();
        assert_eq!(area.luts, 3);
        assert_eq!(area.other, [("MULT18X18D".into(), 2), ("SB_LUT4".into(), 1)].into());
    }

    #[test]
    fn what_is_too_large_is_named() {
        let area = |luts, ffs, brams| Area { luts, ffs, brams, ..Area::default() };
        let capacity = Target::Ice40Hx8k.capacity();
        assert_eq!(area(7680, 7680, 32).exceeds(capacity), None);
        assert_eq!(area(7681, 9000, 0).exceeds(capacity), Some(("LUT4", 7681, 7680)));
        assert_eq!(area(0, 7681, 0).exceeds(capacity), Some(("FF", 7681, 7680)));
        assert_eq!(area(0, 0, 33).exceeds(capacity), Some(("block RAM", 33, 32)));
    }

    #[test]
    fn what_is_no_statistic_is_refused() {
        assert!(Area::parse(Family::Ice40, "{}").is_err());
        assert!(Area::parse(Family::Ice40, "").is_err());
    }
}
