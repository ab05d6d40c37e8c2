//! The memories of streams beside the block RAMs of a device.

use anyhow::{Result, bail};
use frit_cells::cells::{AxisDrainSpec, AxisMarksSpec, BankMemorySpec, CellSpec, MessageMemorySpec};
use frit_cells::netlist::{Netlist, Of};
use frit_cosim::synth::{Device, Family};

/// Refuses streams whose memories are more than the device has. ECP5 has small memories in LUTs, too: which, only Yosys says.
pub fn refuse(netlist: &Netlist, width: u32, device: Device) -> Result<()> {
    let has = device.capacity().brams;
    let needs = block_rams(netlist, 0);
    if device.family() != Family::Ice40 || needs <= has {
        return Ok(());
    }
    let fits = (1..width).rev().find(|fits| block_rams(netlist, width - fits) <= has);
    let words = match fits {
        Some(fits) => format!("words of up to {fits} bits fit (-w {fits}): give these, a smaller -n, "),
        None => "words of one bit do not fit either: give a smaller -n, ".into(),
    };
    bail!(
        "{} needs {needs} block RAMs for the memories of its streams, but {} has {has}; {words}another --target, or --no-pnr for areas only",
        netlist.top().name,
        device.title()
    );
}

/// The block RAMs of iCE40 for all memories of the streams, if their words had so many bits fewer.
fn block_rams(netlist: &Netlist, fewer: u32) -> u64 {
    let of = |address_bits: u32, bits: u32| Family::ice40_block_rams(1 << address_bits, bits.into());
    let instances = netlist.top().instances.iter();
    let rams = instances.map(|instance| match &instance.of {
        Of::Cell(
            CellSpec::MessageMemory(MessageMemorySpec { width, address_bits })
            | CellSpec::BankMemory(BankMemorySpec { width, address_bits }),
        ) => of(*address_bits, width - fewer),
        Of::Cell(CellSpec::AxisDrain(AxisDrainSpec { width, address_bits, .. })) => {
            of(*address_bits, width - fewer)
        }
        // Two bits for each terminal.
        Of::Cell(CellSpec::AxisMarks(AxisMarksSpec { bits, .. })) => of(*bits, 2),
        _ => 0,
    });
    rams.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_cells::design::axis::{Streams, build};
    use frit_schedule::{Request, plan};

    /// The figures of Yosys, which `block_rams_of_streams_are_those_of_yosys` has from it: marks, messages or all of them may be in
    /// flip-flops.
    #[test]
    fn block_rams_are_those_of_yosys() {
        for (system, terminals, width, words, sets, expected) in [
            ("rls", 8, 32, 1, 1, 40),
            ("rls", 8, 29, 1, 1, 32),
            ("rls", 4, 32, 1, 1, 0),
            ("rls", 16, 4, 1, 1, 16),
            ("rls", 16, 16, 8, 2, 48),
            ("obf", 8, 8, 1, 2, 32),
            ("rls", 64, 1, 1, 1, 128),
        ] {
            let plan = plan(&Request::new(system, terminals)).unwrap();
            let netlist = build(&plan, width, Streams::packed(words, sets)).unwrap();
            assert_eq!(block_rams(&netlist, 0), expected, "{system} -n {terminals} -w {width}");
        }
    }
}
