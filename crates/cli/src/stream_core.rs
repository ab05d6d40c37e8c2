//! A core with streams of its own that is neither planned nor routed: what commands and sweeps ask of it.

use anyhow::{Result, bail};
use frit_cells::design::permute::Dress;
use frit_cells::fault::Faults;
use frit_cells::netlist::Netlist;
use frit_cosim::formal::Contract;
use frit_cosim::synth::{self, Target};
use frit_device::Recorded;
use frit_network::options::Request;
use frit_schedule::plan::Variant;
use serde_json::{Value, json};
use std::any::Any;
use std::fmt::Debug;

pub trait StreamCore: Any + Debug + Send + Sync {
    /// The word behind the name of a design in that of its top, `permute` in `D_permute`.
    fn core(&self) -> &'static str;
    /// What was asked for: its system, words a cycle, options.
    fn request(&self) -> Request;
    fn name(&self, width: u32) -> String {
        let Request { system, terminals, .. } = self.request();
        format!("{system}_n{terminals}_w{width}")
    }
    /// The arguments of commands that give it again.
    fn arguments(&self, width: u32) -> String {
        let Request { system, terminals, .. } = self.request();
        format!("{system} -n {terminals} -w {width}")
    }
    /// Bits of a lane of its streams.
    fn word_bits(&self, width: u32) -> u32 {
        width
    }
    /// About how many switches it has, and words pass them in a trial.
    fn work(&self) -> [u64; 2] {
        [1, 1000].map(|each| each * self.request().terminals)
    }
    /// The core with its trial.
    fn make(&self, width: u32, fault: Option<&str>, _: Option<Variant>) -> Result<Box<dyn Recorded>>;
    /// The same with what `dress` says around it.
    fn make_dressed(
        &self,
        width: u32,
        fault: Option<&str>,
        variant: Option<Variant>,
        dress: Dress,
    ) -> Result<Box<dyn Recorded>> {
        if dress != Dress::default() {
            let system = self.request().system;
            bail!("{} does not apply to {system}; leave it out", dress.arguments().trim_start());
        }
        self.make(width, fault, variant)
    }
    /// Its hardware, with a fault if one is given. A core whose trial takes long to make does without it here.
    fn hardware(&self, width: u32, fault: Option<&str>) -> Result<Netlist> {
        Ok(self.make(width, fault, None)?.netlist().clone())
    }
    fn faults(&self, width: u32) -> Box<dyn Faults>;
    /// What it promises; with words of one bit if no width is given.
    fn contract(&self, _width: u32) -> Result<Contract<'_>> {
        bail!("frit verify --formal does not apply to {}; use frit verify", self.request().system)
    }
    fn synthesised(&self, width: u32) -> Result<synth::SynthDesign> {
        Ok(synth::SynthDesign::whole(self.core(), self.name(width), self.hardware(width, None)?))
    }
    /// The members of JSON that say which design is synthesised.
    fn about(&self, width: u32) -> Value {
        let Request { system, terminals, .. } = self.request();
        json!({ "design": self.name(width), "system": system, "lanes": terminals, "width": width })
    }

    /// Refuses what there is no memory for: `what` is made of the core, which takes so many times the words of a data set.
    fn need(&self, _what: &str, _times: u64) -> Result<()> {
        Ok(())
    }
    /// Refuses a netlist in place of its modules, if its testbench instantiates others as well.
    fn refuse_netlist(&self) -> Result<()> {
        Ok(())
    }
    /// Refuses a device in which it has no room, as far as that is known before it is mapped.
    fn refuse_target(&self, _width: u32, _: Target) -> Result<()> {
        Ok(())
    }
}

impl dyn StreamCore {
    /// The core itself, if it is an `S`.
    pub fn of<S: StreamCore>(&self) -> Option<&S> {
        (self as &dyn Any).downcast_ref()
    }
}
