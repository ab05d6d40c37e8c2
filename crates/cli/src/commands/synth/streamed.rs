//! `frit synth` of streamed systems.

use super::synth;
use crate::Verdict;
use crate::args::{PartArg, SynthArgs};
use crate::design::Chosen;
use crate::streamed::need;
use crate::ui::Ui;
use anyhow::{Result, bail};
use frit_cells::design::permute::{build, design_name};
use frit_cosim::synth::{Design, Target};
use frit_permute::Streamed;
use serde_json::json;

/// Synthesises the core.
pub fn run(ui: &Ui, args: &SynthArgs, chosen: &Chosen, plan: &Streamed) -> Result<Verdict> {
    let width = chosen.width(&args.width)?;
    need(&format!("the synthesis of {}", plan.name()), plan.order.words())?;
    if !args.no_pnr && (args.parts.is_empty() || args.parts.contains(&PartArg::Permute)) {
        refuse_memory(plan, width, args.target.into())?;
    }
    let netlist = build(plan, width)?;
    let about = json!({
        "design": design_name(plan, width), "system": plan.row.key, "lanes": plan.lanes, "words": plan.order.words(),
        "width": width, "latency": plan.latency(), "memory_words": plan.memory_words(),
    });
    synth(ui, args, Design::Streamed { plan, width, netlist: &netlist }, about)
}

/// Refuses a core whose memories alone are more than the device has.
fn refuse_memory(plan: &Streamed, width: u32, target: Target) -> Result<()> {
    let bits = u64::from(plan.word_bits(width));
    let Some(device) = target.device() else { return Ok(()) };
    let of = |depth: u32| device.family().block_rams(depth.next_power_of_two().into(), bits);
    let needs: u64 = plan.memories().map(|memory| u64::from(plan.lanes) * of(memory.depth)).sum();
    let has = device.capacity().brams;
    if needs > has {
        bail!(
            "{} needs {needs} block RAMs for its memories, but {} has {has}; give fewer words, a smaller -w, another --target, or --no-pnr for areas only",
            design_name(plan, width),
            device.title()
        );
    }
    Ok(())
}
