//! `frit synth` of streamed systems.

use super::synth;
use crate::Verdict;
use crate::args::{PartArg, SynthArgs};
use crate::design::Chosen;
use crate::streamed::{need, refuse_memory};
use crate::ui::Ui;
use anyhow::Result;
use frit_cells::design::permute::{build, design_name};
use frit_cosim::synth::{Design, Part};
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
    synth(ui, args, Design::whole(Part::Permute, design_name(plan, width), netlist), about)
}
