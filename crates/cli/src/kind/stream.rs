//! A core with streams of its own: `transpose`, `permute`.

use super::{Core, Kind, Synthesis};
use crate::Verdict;
use crate::args::{GenerateArgs, SynthArgs};
use crate::stream_core::StreamCore;
use crate::verified::proofs::{Proved, proving};
use crate::verified::report::{Verified, VerifyRequest, verify_device};
use anyhow::Result;
use frit_cells::netlist::print::{Style, files};
use frit_cosim::synth::Part;
use frit_design::generate::{Form, Written, core};
use frit_device::Recorded;
use frit_schedule::plan::Variant;

impl Kind for Box<dyn StreamCore> {
    fn device(
        &self,
        core: &Core,
        fault: Option<&str>,
        variant: Option<Variant>,
    ) -> Result<Box<dyn Recorded>> {
        self.make_dressed(core.width()?, fault, variant, core.args.streams.dress()?)
    }

    fn generate(&self, of: &Core, _: &GenerateArgs, form: &Form) -> Result<Written> {
        self.need("the files", 1)?;
        Ok(core(&mut *self.device(of, form.fault, form.variant(Style::Unrolled))?, form))
    }

    fn verify(&self, asked: &VerifyRequest, core: &Core) -> Result<Verified> {
        asked.args.netlist.map_or(Ok(()), |_| self.refuse_netlist())?;
        self.need("the verification", 4)?;
        verify_device(asked, core.named(), &*self.device(core, asked.args.fault.as_deref(), None)?)
    }

    fn prove(&self, asked: &VerifyRequest, core: &Core) -> Result<Proved> {
        let (fault, width) = (asked.args.fault.as_deref(), core.width_or(1)?);
        let contract = self.contract(width)?;
        let files = files(&self.hardware(width, fault)?, Style::Unrolled);
        proving(asked, core.many, self.name(width), |ground| {
            Ok(vec![contract.prove(ground, &files, fault.is_none())?])
        })
    }

    fn synth(&self, core: &Core, args: &SynthArgs, run: &Synthesis) -> Result<Verdict> {
        let width = core.width()?;
        self.need("the synthesis", 1)?;
        if !args.no_pnr
            && (args.parts.is_empty() || args.parts.iter().any(|&part| Part::from(part).is_whole()))
        {
            self.refuse_target(width, args.target.into())?;
        }
        run(self.synthesised(width)?, self.about(width))
    }
}
