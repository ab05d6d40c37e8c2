//! The plan of a streamed permutation, from its options and files, and what commands ask of it.

use crate::demand::contents;
use crate::memory;
use crate::stream_core::StreamCore;
use anyhow::{Context, Result, bail};
use frit_cells::design::permute::{Dress, arguments, build, design_name};
use frit_cells::fault::{Faults, FaultsOf};
use frit_cells::netlist::Netlist;
use frit_cosim::formal::Contract;
use frit_cosim::synth::Target;
use frit_device::Recorded;
use frit_device::permute::{Permute, STREAMED};
use frit_network::options::{Request, Row};
use frit_permute::gf2::Matrix;
use frit_permute::script::phases;
use frit_permute::systems::{GATHER, MATRIX, PERMUTATION};
use frit_permute::{Streamed, streamed, with_matrix, with_permutation};
use frit_rtl::permute_contract::most_words;
use frit_schedule::plan::Variant;
use frit_trace::output;
use frit_traffic::permutation;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Bytes for each word of an order while its plan is made and its parts are run.
const BYTES_PER_WORD: u64 = 256;

/// The plan of a request, with the files that were given for its options.
pub fn plan(request: &Request, files: &BTreeMap<&'static str, PathBuf>) -> Result<Streamed> {
    let given = [MATRIX, PERMUTATION, GATHER].map(|spec| Some((spec.name, files.get(spec.name)?)));
    let mut given = given.into_iter().flatten();
    let Some((option, path)) = given.next() else { return Ok(streamed(request)?) };
    if let Some((other, _)) = given.next() {
        bail!("--{option} and --{other} were both given; give one of them");
    }
    if option == MATRIX.name {
        let (matrix, constant) =
            Matrix::parse(&output::read_text(path)?).with_context(|| path.display().to_string())?;
        return Ok(with_matrix(request, matrix, constant)?);
    }
    let read = if option == GATHER.name { permutation::read_gather } else { permutation::read };
    let order = read(&contents(path)?).with_context(|| path.display().to_string())?;
    need("the order in a file", order.len() as u64)?;
    Ok(with_permutation(request, order)?)
}

/// Refuses to run the words of a data set for which there is no memory.
pub fn need(what: &str, words: u64) -> Result<()> {
    memory::need(what, words * BYTES_PER_WORD, "give fewer words")
}

/// Refuses a core whose memories alone are more than the device has.
pub fn refuse_memory(plan: &Streamed, width: u32, target: Target) -> Result<()> {
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

/// Refuses the first of these options that is given (its name, whether it is); `why` says what stands against it and what to do.
pub fn refuse(system: &str, options: &[(&str, bool)], why: &str) -> Result<()> {
    match options.iter().find(|(_, given)| *given) {
        Some((option, _)) => bail!("{option} does not apply to {system}, {why}"),
        None => Ok(()),
    }
}

/// What a command that needs rounds or traffic says.
pub fn no_rounds(row: &Row) -> anyhow::Error {
    anyhow::anyhow!(
        "{} is a streamed system, which this command does not take yet; give it to frit simulate {} -n {}, frit generate, frit verify or frit synth",
        row.key,
        row.key,
        row.example
    )
}

impl StreamCore for Streamed {
    fn core(&self) -> &'static str {
        "permute"
    }

    fn request(&self) -> Request {
        let (system, terminals) = (self.row.key.to_string(), self.lanes.into());
        Request { system, terminals, options: self.options.clone() }
    }

    fn name(&self, width: u32) -> String {
        design_name(self, width)
    }

    fn arguments(&self, width: u32) -> String {
        arguments(self, width)
    }

    fn word_bits(&self, width: u32) -> u32 {
        self.word_bits(width)
    }

    /// Memories and the queue are about as large as a column.
    fn work(&self) -> [u64; 2] {
        let (lanes, beats) =
            (u64::from(self.lanes), phases(self).iter().map(|phase| phase.beats).sum::<u64>());
        [self.switches() + lanes, beats * lanes * u64::from(self.columns() + 3)]
    }

    fn make(&self, width: u32, fault: Option<&str>, variant: Option<Variant>) -> Result<Box<dyn Recorded>> {
        self.make_dressed(width, fault, variant, Dress::default())
    }

    fn make_dressed(
        &self,
        width: u32,
        fault: Option<&str>,
        variant: Option<Variant>,
        dress: Dress,
    ) -> Result<Box<dyn Recorded>> {
        Ok(Box::new(Permute::new(Streamed { variant, ..self.clone() }, width, fault, dress)?))
    }

    /// Without the check of the plan, which runs every word of several data sets.
    fn hardware(&self, width: u32, fault: Option<&str>) -> Result<Netlist> {
        let mut built = self.clone();
        fault.map_or(Ok(()), |fault| STREAMED.plant(&mut built, fault))?;
        Ok(build(&built, width)?)
    }

    fn faults(&self, _: u32) -> Box<dyn Faults> {
        let columns = self.columns();
        Box::new(FaultsOf { table: &STREAMED, subject: self.clone(), count: move |_: &str| columns })
    }

    fn refuse_target(&self, width: u32, target: Target) -> Result<()> {
        refuse_memory(self, width, target)
    }

    fn contract(&self, width: u32) -> Result<Contract<'_>> {
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
        Ok(Contract::permute(self, width))
    }

    fn about(&self, width: u32) -> Value {
        json!({
            "design": design_name(self, width), "system": self.row.key, "lanes": self.lanes,
            "words": self.order.words(), "width": width, "latency": self.latency(),
            "memory_words": self.memory_words(),
        })
    }

    fn need(&self, what: &str, times: u64) -> Result<()> {
        need(&format!("{what} of {}", self.name()), times * self.order.words())
    }

    fn refuse_netlist(&self) -> Result<()> {
        match self.largest() {
            None => Ok(()),
            Some(_) => bail!(
                "--netlist maps a core of one size, and dims=runtime has a top with registers as well; leave --netlist out"
            ),
        }
    }
}
