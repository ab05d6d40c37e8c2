//! A part of a design on a device: mapped once, by the first point that needs it, placed with each seed.

use crate::emitted;
use crate::sweep::designs::Subject;
use anyhow::{Result, bail};
use frit_cosim::synth::{Mapped, Part, Speed, SynthDesign, Target};
use frit_cosim::tools::ToolPath;
use frit_network::facts;
use frit_network::facts::Facts;
use frit_schedule::Control;
use frit_trace::output::TemporaryFolder;
use std::sync::{Arc, Mutex, PoisonError};

/// A part of a design on a device.
pub struct Case {
    pub subject: Arc<Subject>,
    width: u32,
    part: Part,
    pub target: Target,
    /// How many seeds it will be placed with; none for areas only.
    seeds: usize,
    mapped: Mutex<Slot>,
}

/// What was made for a case, and for how many points.
#[derive(Default)]
struct Slot {
    mapped: Option<Arc<Ground>>,
    points: usize,
}

/// The files go with the last point that uses them.
struct Ground {
    mapped: Mapped,
    /// Until an error names a log in it.
    folder: Mutex<Option<TemporaryFolder>>,
}

impl Ground {
    fn place(&self, seed: u32, tools: &ToolPath) -> Result<Speed> {
        let placed = self.mapped.place(&[seed], tools, &|_| ());
        if let Err(error) = &placed {
            let folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner).take();
            folder.into_iter().for_each(|folder| folder.keep_if_named(&error.to_string()));
        }
        Ok(placed?)
    }
}

impl Case {
    /// Of a design that there is.
    pub fn new(subject: Arc<Subject>, width: u32, part: Part, target: Target, seeds: usize) -> Result<Self> {
        match &*subject {
            Subject::Planned(plan) => {
                emitted::check_size(plan)?;
                emitted::need_memory(plan, width)?;
                if part == Part::Labels && !matches!(plan.control, Control::Labels(_)) {
                    bail!("parts: labels: the switches of {} are not set by labels", plan.name());
                }
            }
            Subject::Streamed(core) => {
                if seeds > 0 {
                    core.refuse_target(width, target)?;
                }
                core.make(width, None, None)?;
            }
        }
        Ok(Case { subject, width, part, target, seeds, mapped: Mutex::default() })
    }

    pub fn name(&self) -> String {
        self.subject.design_name(self.width)
    }

    /// Its cells in the columns of the key but the seed.
    pub fn key(&self) -> Vec<String> {
        let own = [self.width.to_string(), self.part.name().into(), self.target.name().into()];
        [self.subject.key(), own.into()].concat()
    }

    /// About how many milliseconds a point takes on one core: tools that are WebAssembly, and what goes with the LUTs.
    pub fn work(&self) -> u64 {
        let switches = match &*self.subject {
            Subject::Planned(plan) => plan.network.switches(),
            Subject::Streamed(core) => core.work()[0],
        };
        let luts = switches * u64::from(2 * self.width + 2);
        if self.seeds > 0 { 6000 + 15 * luts } else { 2000 + 4 * luts }
    }

    /// Runs a seed, or areas only.
    pub fn run(&self, seed: Option<u32>) -> Result<Facts> {
        let tools = ToolPath::from_environment();
        let ground = self.ground(&tools)?;
        let speed = match (ground.mapped.too_large(), seed) {
            (Some(too_large), _) => Speed::TooLarge(too_large),
            (None, None) => Speed::NotAsked,
            (None, Some(seed)) => ground.place(seed, &tools)?,
        };
        let fmax = match &speed {
            Speed::Placed(fmax) => Some(format!("{:.2}", fmax.median())),
            Speed::NotAsked | Speed::TooLarge(_) => None,
        };
        let area = ground.mapped.area();
        Ok(facts! {
            "lut4": area.luts, "ff": area.ffs, "carry": area.carries, "bram": area.brams, "fmax_mhz": fmax,
            "fits": !matches!(speed, Speed::TooLarge(_)),
        })
    }

    /// The mapped part: others that need it wait while it is made. The last point takes it away.
    fn ground(&self, tools: &ToolPath) -> Result<Arc<Ground>> {
        let mut slot = self.mapped.lock().unwrap_or_else(PoisonError::into_inner);
        let ground = match slot.mapped.take() {
            Some(ground) => ground,
            None => Arc::new(self.map(tools)?),
        };
        slot.points += 1;
        if slot.points < self.seeds {
            slot.mapped = Some(ground.clone());
        }
        Ok(ground)
    }

    fn map(&self, tools: &ToolPath) -> Result<Ground> {
        let folder = TemporaryFolder::new("frit-sweep-")?;
        let of = |design| Mapped::of(design, self.part, self.target, self.seeds > 0, folder.path(), tools);
        let mapped = match &*self.subject {
            Subject::Planned(plan) => of(SynthDesign::exchange(plan, self.width)),
            Subject::Streamed(core) => of(core.synthesised(self.width)?),
        };
        match mapped {
            Ok(Some(mapped)) => Ok(Ground { mapped, folder: Mutex::new(Some(folder)) }),
            Ok(None) => bail!("{} has no {}", self.name(), self.part.name()),
            Err(error) => {
                folder.keep_if_named(&error.to_string());
                Err(error.into())
            }
        }
    }
}
