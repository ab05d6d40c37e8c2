//! The multibutterfly.

use super::{Core, Kind, Synthesis};
use crate::Verdict;
use crate::args::{GenerateArgs, PacketArgs, SynthArgs};
use crate::verified::report::{self, Summary, Verified, VerifyRequest};
use anyhow::{Result, bail};
use frit_cosim::synth::SynthDesign;
use frit_design::generate::{self, Form, Written};
use frit_design::packets::{self, multibutterfly_command, rule};
use frit_device::multibutterfly::{MultibutterflyDevice, hardware};
use frit_network::facts;
use frit_router::multibutterfly::traffic::Traffic;
use frit_router::multibutterfly::{Multibutterfly, Parameters, Problem};
use serde_json::json;

/// The messages that the arguments ask for, drawn from a seed as the wires are, and the command that writes the files of this
/// design with them, every number named.
fn problem(args: &PacketArgs, system: &Multibutterfly, seed: u64) -> Result<(Problem, String)> {
    if system.rerun {
        bail!("rerun=yes cannot be built in hardware; pass rerun=no, or give the larger h");
    }
    let Some((name, rule)) = rule(args.traffic.as_deref()) else {
        let given = args.traffic.as_deref().unwrap_or_default();
        bail!(
            "--traffic {given} cannot be verified; give one of {}",
            Traffic::ALL.map(|(name, _)| name).join(", ")
        );
    };
    let offered = args.per_source.unwrap_or(system.parameters.offered);
    let parameters = Parameters { offered, seed, ..system.parameters };
    parameters.shape()?;
    let problem = packets::problem(system, parameters, &rule.messages(&parameters))?;
    let command = multibutterfly_command(&parameters, name, system.wiring.is_some());
    Ok((problem, command))
}

impl Kind for Multibutterfly {
    fn generate(&self, core: &Core, _: &GenerateArgs, form: &Form) -> Result<Written> {
        let (problem, command) = problem(&core.args.packets, self, core.args.payload.seed)?;
        Ok(generate::multibutterfly(&problem, &command, form)?)
    }

    fn verify(&self, asked: &VerifyRequest, core: &Core) -> Result<Verified> {
        let (problem, command) = problem(&core.args.packets, self, core.args.payload.seed)?;
        let name = format!("multibutterfly_n{}", self.parameters.rows);
        let fault = asked.args.fault.as_deref();
        let design = || Ok(MultibutterflyDevice::new(&problem, hardware(&problem)?, fault, command.clone())?);
        report::verify(asked, core.named(), &name, &command, design, |design| {
            let (happens, all) = (&design.expected, problem.messages().len());
            let (events, arrive) = (happens.events.len(), all - happens.left.len());
            Summary {
                what: format!(
                    "{arrive} of {all} messages arrive, {events} events in {} phases",
                    happens.phases
                ),
                members: facts! {
                    "stages": happens.phases, "cycles": happens.cycles, "messages": all, "delivered": arrive,
                    "left": happens.left.len(), "events": events,
                },
                words: ["cycles", "stage"],
            }
        })
    }

    fn synth(&self, core: &Core, args: &SynthArgs, run: &Synthesis) -> Result<Verdict> {
        let (problem, _) = problem(&PacketArgs::default(), self, args.seed.unwrap_or(1))?;
        let (hardware, _) = hardware(&problem)?;
        let hardware = match &core.args.width.width {
            Some(_) => {
                let width = core.width_or(hardware.payload())?;
                hardware.carrying(width)?
            }
            None => hardware,
        };
        let parameters = hardware.parameters();
        let about = json!({
            "design": hardware.design_name(), "system": "multibutterfly", "terminals": parameters.rows,
            "width": null, "d": parameters.degree, "r": parameters.committed, "h": parameters.threshold,
            "seed": parameters.seed, "buffers": hardware.buffers(), "in_ports": hardware.turns(),
            "payload": hardware.payload(),
        });
        run(SynthDesign::multibutterfly(&hardware), about)
    }
}
