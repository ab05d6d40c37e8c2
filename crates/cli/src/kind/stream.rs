//! The core that brings a stream into another order: `transpose`, `permute`.

use super::{Core, Kind, Synthesis};
use crate::Verdict;
use crate::args::{GenerateArgs, PartArg, SynthArgs};
use crate::streamed::{need, refuse_memory};
use crate::verified::proofs::{Proved, proving};
use crate::verified::report::{Verified, VerifyRequest, verify_device};
use anyhow::{Result, bail};
use frit_cells::design::permute::{build, design_name};
use frit_cells::netlist::print::{Style, files};
use frit_cosim::formal::Contract;
use frit_cosim::synth::{Design, Part};
use frit_design::generate::{Form, Written, streamed};
use frit_device::Recorded;
use frit_device::permute::{Permute, STREAMED};
use frit_permute::Streamed;
use frit_rtl::permute_contract::most_words;
use frit_schedule::plan::Variant;
use serde_json::json;

impl Kind for Streamed {
    fn device(
        &self,
        core: &Core,
        fault: Option<&str>,
        variant: Option<Variant>,
    ) -> Result<Box<dyn Recorded>> {
        Ok(Box::new(Permute::new(Streamed { variant, ..self.clone() }, core.width()?, fault)?))
    }

    fn generate(&self, core: &Core, _: &GenerateArgs, form: &Form) -> Result<Written> {
        need(&format!("the files of {}", self.name()), self.order.words())?;
        Ok(streamed(self, core.width()?, form)?)
    }

    fn verify(&self, asked: &VerifyRequest, core: &Core) -> Result<Verified> {
        if self.largest().is_some() && asked.args.netlist.is_some() {
            bail!(
                "--netlist maps a core of one size, and dims=runtime has a top with registers as well; leave --netlist out"
            );
        }
        need(&format!("the verification of {}", self.name()), 4 * self.order.words())?;
        verify_device(asked, core.named(), &*self.device(core, asked.args.fault.as_deref(), None)?)
    }

    fn prove(&self, asked: &VerifyRequest, core: &Core) -> Result<Proved> {
        let width = core.width_or(1)?;
        if self.word_bits(width) > width {
            bail!(
                "--formal proves one bit of a word, and --keep and --user carry bits beside it; leave --keep and --user out"
            );
        }
        if self.largest().is_some() {
            bail!(
                "--formal proves cores of one size, and dims=runtime loads sizes; leave --formal out, or give dims=fixed"
            );
        }
        let (words, most) = (self.order.words(), most_words(self.form));
        if words > most {
            bail!(
                "{} has data sets of {words} words, and --formal proves at most {most} in this form; give fewer words",
                self.name()
            );
        }
        let (fault, mut built) = (&asked.args.fault, self.clone());
        fault.as_ref().map_or(Ok(()), |fault| STREAMED.plant(&mut built, fault))?;
        let files = files(&build(&built, width)?, Style::Unrolled);
        let contract = Contract::permute(self, width);
        proving(asked, core.many, design_name(self, width), |ground| {
            Ok(vec![contract.prove(ground, &files, fault.is_none())?])
        })
    }

    fn synth(&self, core: &Core, args: &SynthArgs, run: &Synthesis) -> Result<Verdict> {
        let width = core.width()?;
        need(&format!("the synthesis of {}", self.name()), self.order.words())?;
        if !args.no_pnr && (args.parts.is_empty() || args.parts.contains(&PartArg::Permute)) {
            refuse_memory(self, width, args.target.into())?;
        }
        let netlist = build(self, width)?;
        let about = json!({
            "design": design_name(self, width), "system": self.row.key, "lanes": self.lanes,
            "words": self.order.words(), "width": width, "latency": self.latency(),
            "memory_words": self.memory_words(),
        });
        run(Design::whole(Part::Permute, design_name(self, width), netlist), about)
    }
}
