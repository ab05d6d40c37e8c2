//! A crossbar of streams: `--crossbar`.

use super::{Core, Kind, Synthesis};
use crate::Verdict;
use crate::args::SynthArgs;
use crate::design::{asked_size, asks_radix4};
use crate::verified::proofs::{Proved, proving};
use crate::verified::report::VerifyRequest;
use anyhow::{Context, Result, bail};
use frit_cells::design::crossbar::Hardware;
use frit_cells::netlist::print::{Style, files};
use frit_cosim::formal::Contract;
use frit_cosim::synth::SynthDesign;
use frit_demand::crossbar::{Shape, sources};
use frit_device::Recorded;
use frit_device::crossbar::{self, netlist};
use frit_model::crossbar::Trial;
use frit_schedule::plan::Variant;
use serde_json::json;

/// The system that can be a crossbar.
const SYSTEM: &str = "benes";

pub struct Crossbar;

/// The crossbar that is asked for, with words of `width` bits.
fn hardware(core: &Core, width: u32) -> Result<Hardware> {
    let (design, key) = (&core.args.design, core.row.key);
    if key != SYSTEM {
        bail!("--crossbar does not apply to {key}: only {SYSTEM} can be a crossbar; give {SYSTEM}");
    }
    let radix4 = asks_radix4(design, "--crossbar, whose settings come from registers")?;
    let terminals = asked_size(design)?.1;
    let terminals =
        terminals.context("-n is missing; a crossbar needs a power of two from 4 on, for example -n 16")?;
    let shape = Shape::new(terminals)?;
    Ok(Hardware::new(if radix4 { shape.radix4() } else { shape }, width))
}

impl Kind for Crossbar {
    fn device(
        &self,
        core: &Core,
        fault: Option<&str>,
        variant: Option<Variant>,
    ) -> Result<Box<dyn Recorded>> {
        let Hardware { shape, width, .. } = hardware(core, core.width()?)?;
        let sources = match &core.args.crossbar.sources {
            Some(text) => sources(shape, text)?,
            None => (0..shape.terminals()).map(Some).collect(),
        };
        Ok(Box::new(crossbar::Crossbar::new(Trial::new(shape, width, sources), fault, variant)?))
    }

    /// For all settings and words: no cell computes with a word, so one bit of each is enough. A fault needs no lemmas to be found.
    fn prove(&self, asked: &VerifyRequest, core: &Core) -> Result<Proved> {
        let fault = asked.args.fault.as_deref();
        let hardware = hardware(core, core.width_or(1)?)?;
        let files = files(&netlist(&hardware, fault)?, Style::Unrolled);
        proving(asked, core.many, hardware.design_name(), |ground| {
            Ok(vec![Contract::crossbar(&hardware).prove(ground, &files, fault.is_none())?])
        })
    }

    fn synth(&self, core: &Core, _: &SynthArgs, run: &Synthesis) -> Result<Verdict> {
        let hardware = hardware(core, core.width()?)?;
        let about = json!({
            "design": hardware.design_name(), "system": SYSTEM, "terminals": hardware.shape.terminals(),
            "width": hardware.width,
        });
        run(SynthDesign::whole("crossbar", hardware.design_name(), hardware.netlist()), about)
    }
}
