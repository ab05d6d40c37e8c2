//! The dilated butterfly.

use super::{Core, Kind, Synthesis};
use crate::Verdict;
use crate::args::{GenerateArgs, PacketArgs, SynthArgs};
use crate::dilated::{Traffic, words};
use crate::emitted::chosen;
use crate::verified::report::{self, Summary, Verified, VerifyRequest};
use anyhow::Result;
use frit_cells::design::dilated::Hardware;
use frit_cosim::synth::SynthDesign;
use frit_design::generate::{self, Form, Written, style_name};
use frit_design::packets::{dilated_command, is_large};
use frit_device::dilated::DilatedDevice;
use frit_network::facts;
use frit_router::dilated::{Dilated, Packets};
use serde_json::json;

/// The packets that the arguments ask for, with the command that writes the files of this design with these packets, every
/// number named.
pub fn packets(args: &PacketArgs, system: &Dilated, seed: u64) -> Result<(Packets, String)> {
    let traffic = Traffic::new(system, args.traffic.as_deref(), None, args.per_source, args.direct)?;
    let packets = traffic.packets(seed)?;
    let command = dilated_command(&packets, &traffic.short_name(), traffic.per_input);
    Ok((packets, command))
}

impl Kind for Dilated {
    fn generate(&self, core: &Core, _: &GenerateArgs, form: &Form) -> Result<Written> {
        let (packets, command) = packets(&core.args.packets, self, core.args.payload.seed)?;
        Ok(generate::dilated(&packets, &command, form)?)
    }

    fn verify(&self, asked: &VerifyRequest, core: &Core) -> Result<Verified> {
        let args = asked.args;
        let (packets, command) = packets(&core.args.packets, self, core.args.payload.seed)?;
        let hardware = Hardware::new(&packets)?;
        // Yosys is given what it would be given for a board.
        let style = chosen(args.fabric_style, args.netlist.is_none() && is_large(&hardware));
        let (name, fault) = (hardware.design_name(), args.fault.as_deref());
        let design = || Ok(DilatedDevice::new(&packets, hardware, style, fault, command.clone())?);
        report::verify(asked, core.named(), &name, &command, design, |design| {
            let (trace, all) = (&design.expected, packets.packets().len());
            let (shunts, arrive) = (trace.shunts.len(), all - trace.left.len());
            Summary {
                what: format!("{arrive} of {all} packets arrive, {shunts} shunts"),
                members: facts! {
                    "steps": trace.steps, "packets": all, "delivered": arrive, "blocked": trace.left.len(),
                    "shunts": shunts, "fabric_style": style_name(style),
                },
                words: ["steps", "step"],
            }
        })
    }

    fn synth(&self, _: &Core, _: &SynthArgs, run: &Synthesis) -> Result<Verdict> {
        let hardware = Hardware::new(&Traffic::new(self, None, None, None, false)?.packets(1)?)?;
        let about = json!({
            "design": hardware.design_name(), "system": "dilated", "terminals": hardware.network().rows(),
            "width": null, "bundle": hardware.bundle(), "per_input": hardware.per_input(),
            "switch": words(&self.parameters)[0],
        });
        run(SynthDesign::dilated(&hardware), about)
    }
}
