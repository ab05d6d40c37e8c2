//! The fewest cells that do the work of a module.

mod dilated;

pub use dilated::SwitchFloor;

use frit_cells::cells::{CellSpec, LinkSpec, OpticalSwitchSpec, Switch4Spec, SwitchSpec, WideSwitchSpec};
use frit_cells::design::dilated::Hardware;
use frit_schedule::Plan;

/// The fewest cells that do the work of a module, in LUTs with four inputs and in flip-flops.
///
/// A bit of a 2×2 switch is a LUT with three inputs before each of its two outputs, and a register of it a flip-flop: 2W + 2
/// of each for a registered switch whose words have W bits and are marked valid by one more. A bit of a 4×4 switch is two LUTs before each of its
/// four outputs. That of a dilated butterfly's
/// switch is a [`SwitchFloor`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Floor {
    pub luts: u64,
    pub ffs: u64,
}

impl Floor {
    /// Of the cells that have one: switches and links.
    pub fn of_cell(spec: &CellSpec) -> Option<Self> {
        let (luts, ffs) = match *spec {
            CellSpec::Switch(SwitchSpec { width }) => (2 * width + 2, 2 * width + 2),
            CellSpec::WideSwitch(WideSwitchSpec { width }) => (2 * width + 2, 4 * width + 4),
            CellSpec::Switch4(Switch4Spec { width }) => (8 * width + 8, 4 * width + 4),
            CellSpec::OpticalSwitch(OpticalSwitchSpec { width }) => (2 * width + 2, 0),
            CellSpec::Link(LinkSpec { width }) => (0, width + 1),
            _ => return None,
        };
        Some(Floor { luts: luts as u64, ffs: ffs as u64 })
    }

    /// Of a fabric: a switch's LUTs for every switch, two of a 4×4 switch for each lane of a group, and a register for every lane and cycle of
    /// latency.
    pub fn of_fabric(plan: &Plan, width: u32) -> Self {
        let network = &plan.network;
        let bits = width as u64 + 1;
        let of_group = |group| if network.group(group).len() > 1 { 2 } else { 1 };
        let luts: u64 = (0..network.groups()).map(of_group).sum();
        Floor {
            luts: bits * u64::from(network.lanes()) * luts,
            ffs: bits
                * network.lanes() as u64
                * u64::from(plan.entry_delay + plan.pipeline * network.groups()),
        }
    }

    /// Of all switches of a dilated butterfly.
    pub fn of_dilated(hardware: &Hardware) -> Self {
        let network = hardware.network();
        let of_level = |level| SwitchFloor::of_level(hardware, level).floor();
        let of_row = (0..network.levels()).map(of_level);
        let rows = u64::from(network.rows());
        of_row.fold(Floor { luts: 0, ffs: 0 }, |sum, switch| Floor {
            luts: sum.luts + rows * switch.luts,
            ffs: sum.ffs + rows * switch.ffs,
        })
    }
}
