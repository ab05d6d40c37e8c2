//! A part of a design on a device: mapped once, by the first point that needs it, placed with each seed.

use crate::emitted;
use crate::streamed::refuse_memory;
use crate::sweep::designs::Subject;
use anyhow::{Result, bail};
use frit_cells::design::permute::{build, design_name};
use frit_cosim::synth::{Design, Mapped, Part, Speed, Target};
use frit_cosim::tools::ToolPath;
use frit_schedule::Control;
use frit_trace::output::TemporaryFolder;
use std::sync::{Arc, Mutex, PoisonError};

/// A part of a design on a device.
pub struct Case {
    subject: Arc<Subject>,
    width: u32,
    part: Part,
    target: Target,
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
    /// Of a design that there is; `placed`: it will be.
    pub fn new(subject: Arc<Subject>, width: u32, part: Part, target: Target, placed: bool) -> Result<Self> {
        match &*subject {
            Subject::Planned(plan) => {
                emitted::check_size(plan)?;
                emitted::need_memory(plan, width)?;
                if part == Part::Labels && !matches!(plan.control, Control::Labels(_)) {
                    bail!("parts: labels: the switches of {} are not set by labels", plan.name());
                }
            }
            Subject::Streamed(plan) => {
                if placed {
                    refuse_memory(plan, width, target)?;
                }
                build(plan, width)?;
            }
        }
        Ok(Case { subject, width, part, target, mapped: Mutex::default() })
    }

    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    pub fn target(&self) -> Target {
        self.target
    }

    /// About how many milliseconds a point takes on one core: tools that are WebAssembly, and what goes with the LUTs.
    pub fn work(&self, placed: bool) -> u64 {
        let switches = match &*self.subject {
            Subject::Planned(plan) => plan.network.switches(),
            // Memories and the queue are about as large as a column.
            Subject::Streamed(plan) => plan.switches() + u64::from(plan.lanes),
        };
        let luts = switches * u64::from(2 * self.width + 2);
        if placed { 6000 + 15 * luts } else { 2000 + 4 * luts }
    }

    /// Runs a seed of so many, or areas only; the cells behind the key.
    pub fn run(&self, seed: Option<u32>, seeds: usize) -> Result<Vec<String>> {
        let tools = ToolPath::from_environment();
        let ground = self.ground(seed.is_some(), seeds, &tools)?;
        let speed = match (ground.mapped.too_large(), seed) {
            (Some(too_large), _) => Speed::TooLarge(too_large),
            (None, None) => Speed::NotAsked,
            (None, Some(seed)) => ground.place(seed, &tools)?,
        };
        let (fmax, fits) = match &speed {
            Speed::NotAsked => (String::new(), true),
            Speed::Placed(fmax) => (format!("{:.2}", fmax.median()), true),
            Speed::TooLarge(_) => (String::new(), false),
        };
        let area = ground.mapped.area();
        let mut cells: Vec<String> =
            [area.luts, area.ffs, area.carries, area.brams].map(|count| count.to_string()).into();
        cells.extend([fmax, u8::from(fits).to_string()]);
        Ok(cells)
    }

    /// The mapped part: others that need it wait while it is made. The last of `seeds` points takes it away.
    fn ground(&self, timed: bool, seeds: usize, tools: &ToolPath) -> Result<Arc<Ground>> {
        let mut slot = self.mapped.lock().unwrap_or_else(PoisonError::into_inner);
        let ground = match slot.mapped.take() {
            Some(ground) => ground,
            None => Arc::new(self.map(timed, tools)?),
        };
        slot.points += 1;
        if slot.points < seeds {
            slot.mapped = Some(ground.clone());
        }
        Ok(ground)
    }

    fn map(&self, timed: bool, tools: &ToolPath) -> Result<Ground> {
        let folder = TemporaryFolder::new("frit-sweep-")?;
        let of = |design| Mapped::of(design, self.part, self.target, timed, folder.path(), tools);
        let mapped = match &*self.subject {
            Subject::Planned(plan) => of(Design::exchange(plan, self.width)),
            Subject::Streamed(plan) => {
                let (name, netlist) = (design_name(plan, self.width), build(plan, self.width)?);
                of(Design::whole(Part::Permute, name, netlist))
            }
        };
        match mapped {
            Ok(Some(mapped)) => Ok(Ground { mapped, folder: Mutex::new(Some(folder)) }),
            Ok(None) => bail!("{} has no {}", self.subject.design_name(self.width), self.part.name()),
            Err(error) => {
                folder.keep_if_named(&error.to_string());
                Err(error.into())
            }
        }
    }
}
