//! What a design uses of a device.

use crate::synth::{Area, Capacity, timing};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Its name: LUT4, FF, block RAM, or nextpnr's.
    pub resource: String,
    pub used: u64,
    /// How many the device has.
    pub has: u64,
}

impl Usage {
    /// Whether more are needed than there are.
    pub fn too_much(&self) -> bool {
        self.used > self.has
    }

    /// Per cent of the device.
    pub fn percent(&self) -> f64 {
        100.0 * self.used as f64 / self.has as f64
    }
}

/// What Yosys counts.
pub(super) fn of_area(area: &Area, capacity: Capacity) -> Vec<Usage> {
    [
        ("LUT4", area.luts, capacity.luts),
        ("FF", area.ffs, capacity.ffs),
        ("block RAM", area.brams, capacity.brams),
    ]
    .into_iter()
    .map(|(resource, used, has)| Usage { resource: resource.into(), used, has })
    .collect()
}

/// What nextpnr counts, of the resources that are used.
pub(super) fn of_log(log: &str) -> Vec<Usage> {
    timing::utilisation(log)
        .filter(|(_, used, _)| *used > 0)
        .map(|(resource, used, has)| Usage { resource, used, has })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_and_what_is_too_much() {
        let log = "Info: Device utilisation:\nInfo: \t         ICESTORM_LC:    5281/   5280   100%\n\
                   Info: \t        ICESTORM_RAM:       0/     30     0%\nInfo: \t               SB_IO:       5/     96     5%\n";
        let usage = of_log(log);
        assert_eq!(usage.len(), 2);
        assert!(usage[0].too_much() && !usage[1].too_much());
        assert_eq!(usage[1].percent().round(), 5.0);
    }
}
