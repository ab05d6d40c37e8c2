//! A module that Yosys has mapped, to be placed and routed with any seeds.

use super::parts::{Subject, subjects};
use super::{Area, Device, Family, Fmax, Part, Speed, SynthDesign, Target, Timing, TooLarge, bad_output};
use super::{left_by, netlist, timing, unreadable};
use crate::made_from::{MadeFrom, other_sources};
use crate::simulator::{Failed, tool};
use crate::tools::ToolPath;
use crate::yosys::yosys;
use frit_network::Refusal;
use frit_rtl::harness;
use frit_trace::output::{make_folder, read, remove_file, write_file};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A mapped module, and the folder with its files.
pub struct Mapped {
    pub(super) subject: Subject,
    pub(super) area: Area,
    pub(super) folder: PathBuf,
    target: Target,
}

impl Mapped {
    /// Maps the first module of a part, for seeds if it is `timed`; none if the design has no such part. Its files are in a folder
    /// below `folder`. A target of which there are areas only is never timed.
    ///
    /// # Errors
    /// If Yosys is missing or fails.
    pub fn of(
        design: SynthDesign,
        part: Part,
        target: Target,
        timed: bool,
        folder: &Path,
        tools: &ToolPath,
    ) -> Result<Option<Self>, Refusal> {
        let first = subjects(&design, &[part]).into_iter().next();
        first.map(|subject| Mapped::new(subject, target, timed, folder, tools)).transpose()
    }

    /// Maps the module alone, then, if it is `timed`, in its harness: `stat.json`, `harness.json`.
    pub(super) fn new(
        subject: Subject,
        target: Target,
        timed: bool,
        folder: &Path,
        tools: &ToolPath,
    ) -> Result<Self, Refusal> {
        let folder = folder.join(&subject.name);
        make_folder(&folder)?;
        let timed = timed && target.device().is_some();
        let area = map(&subject, target, timed, &folder, tools)?;
        Ok(Mapped { subject, area, folder, target })
    }

    pub fn name(&self) -> &str {
        &self.subject.name
    }

    /// The area of the module alone.
    pub fn area(&self) -> &Area {
        &self.area
    }

    /// What the device has too little of for the module alone.
    pub fn too_large(&self) -> Option<TooLarge> {
        let (resource, needs, has) = self.area.exceeds(self.target.device()?.capacity())?;
        Some(TooLarge { resource: resource.into(), needs, has, alone: true })
    }

    /// Places and routes a `timed` module in its harness with every seed, one at least, as many at a time as there are processors.
    /// `progress` is told of each.
    ///
    /// # Errors
    /// If nextpnr is missing or fails, but for a harness that does not fit.
    pub fn place(
        &self,
        seeds: &[u32],
        tools: &ToolPath,
        progress: &(dyn Fn(u32) + Sync),
    ) -> Result<Speed, Refusal> {
        let Some(device) = self.target.device() else { return Ok(Speed::NotAsked) };
        let one = |seed: u32| {
            progress(seed);
            self.seed(device, seed, tools)
        };
        // The first seed alone: what does not fit with one does not with another.
        let first = match one(seeds[0]) {
            Err(error) => {
                let Some(Failed { log, .. }) = error.detail() else { return Err(error) };
                let text = String::from_utf8_lossy(&read(log)?).into_owned();
                return match timing::overflow(&text) {
                    Some((resource, needs, has)) => {
                        Ok(Speed::TooLarge(TooLarge { resource, needs, has, alone: false }))
                    }
                    None => Err(error),
                };
            }
            Ok(first) => first,
        };
        let next = AtomicUsize::new(1);
        let work = || -> Result<Vec<(usize, Timing)>, Refusal> {
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(&seed) = seeds.get(at) else { return Ok(done) };
                done.push((at, one(seed)?));
            }
        };
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let results: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            threads
                .into_iter()
                .map(|t| t.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        let mut timings = vec![(0, first)];
        for result in results {
            timings.extend(result?);
        }
        timings.sort_by_key(|(at, _)| *at);
        Ok(Speed::Placed(Fmax { seeds: timings.into_iter().map(|(_, timing)| timing).collect() }))
    }

    fn seed(&self, device: Device, seed: u32, tools: &ToolPath) -> Result<Timing, Refusal> {
        let folder = &self.folder;
        let program = device.family().nextpnr();
        let report = format!("seed{seed}.json");
        let mut command = tools.command(program)?;
        command.args(device.nextpnr_arguments());
        if self.subject.shared_control && device.family() == Family::Ice40 {
            // Such a line may use one of the device's global nets.
            command.arg("--promote-logic");
        }
        command.args(["--json", "harness.json", "--seed", &seed.to_string(), "--report", &report]);
        command.args(["--write", &format!("seed{seed}.placed.json")]);
        command.arg("--timing-allow-fail").current_dir(folder);
        let log = folder.join(format!("seed{seed}.log"));
        let placed = folder.join(format!("seed{seed}.placed.json"));
        tool(command, &log, &[&folder.join(&report), &placed])?;
        placed_is(&folder.join("harness.json"), &placed, &log)?;
        let (path, text) = left_by(program.program, folder, &report)?;
        match Timing::parse(&text) {
            Ok(Some(timing)) => Ok(timing),
            Ok(None) => Err(bad_output(program.program, &path, "has no clock")),
            Err(source) => Err(unreadable(program.program, &path, source)),
        }
    }
}

/// Refuses a placed design that is not what Yosys made of the harness: nextpnr writes the digest back that stands there.
fn placed_is(harness: &Path, placed: &Path, log: &Path) -> Result<(), Refusal> {
    let digest = |path: &Path| -> Result<Option<String>, Refusal> {
        let text = String::from_utf8_lossy(&read(path)?).into_owned();
        let found = text.split_once(&format!("\"{MADE_FROM}\": \""));
        Ok(found.and_then(|(_, rest)| Some(rest.split_once('"')?.0.to_string())))
    };
    let (expected, got) = (digest(harness)?, digest(placed)?);
    if expected.is_none() || expected != got {
        return Err(other_sources("nextpnr", &expected.unwrap_or_default(), got.as_deref(), log));
    }
    remove_file(placed)
}

/// The attribute of the harness with the digest of what it was made from.
const MADE_FROM: &str = "frit_made_from";

/// Maps the module alone, then in its harness: `stat.json`, `harness.json`.
fn map(
    subject: &Subject,
    target: Target,
    timed: bool,
    folder: &Path,
    tools: &ToolPath,
) -> Result<Area, Refusal> {
    let harness = harness::name(&subject.module.name);
    let mut files: Vec<(String, String)> = subject.sources.clone();
    if timed {
        files.push((format!("{harness}.v"), harness::render(&subject.module)));
    }
    for (name, text) in &files {
        write_file(&folder.join(name), text)?;
    }
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let (read_all, map) = (format!("read_verilog {}", names.join(" ")), target.library().synthesis());
    let family = target.device().map(Device::family);
    let mut script = format!(
        "{read_all}\n{map} -top {}\ncheck -assert\ntee -q -o stat.json stat -json\nwrite_verilog -noattr {}\n{}",
        subject.module.name,
        netlist::FILE,
        family.map_or("", Family::as_json),
    );
    if timed {
        let contents = files.iter().map(|(name, text)| (name.as_str(), text.as_bytes()));
        let digest = MadeFrom::new(contents, &script).hex();
        script += &format!(
            "design -reset\n{read_all}\n{map} -top {harness}\n\
             setattr -mod -set {MADE_FROM} \"{digest}\" {harness}\nwrite_json harness.json\n"
        );
    }
    // Its abc9 can stop without an error: the last product then is missing.
    let products = ["stat.json", netlist::FILE, "harness.json"];
    let products = if timed { &products[..] } else { &products[..2] };
    remove_file(&folder.join("harness.json"))?;
    yosys(tools, folder, "synth", &script, "yosys.log", products)?;
    if family == Some(Family::Ecp5) {
        netlist::use_output_registers(tools, Family::Ecp5, folder)?;
        if timed {
            netlist::registered(folder, "harness.json")?;
        }
    }
    let (path, text) = left_by("yosys", folder, "stat.json")?;
    Area::parse(target.library(), &text).map_err(|source| unreadable("yosys", &path, source))
}
