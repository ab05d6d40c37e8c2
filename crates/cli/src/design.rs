//! Makes a design and a word width from the arguments and the design file. Both are checked here and nowhere else.

pub mod from_files;

use crate::args::{DesignArgs, WidthArgs};
use crate::catalog;
pub use crate::catalog::Design;
use crate::memory::{self, estimate};
use crate::streamed;
use anyhow::{Context, Result, bail};
use frit_demand::ideal;
use frit_network::export::from_json;
use frit_network::options::{Request, Row, UnknownOption, Values, complete};
use frit_network::{Name, Network, StuckSwitches};
use frit_permute::{Streamed, streamed_row};
use frit_router::Router;
use frit_router::multibutterfly::row as multibutterfly;
use frit_schedule::benes;
use frit_schedule::obf;
use frit_schedule::radix::RADIX;
use frit_schedule::{Plan, baseline, plan, stuck, user};
use frit_trace::output;
use frit_traffic::payload::{MAX_WIDTH, check_width};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Bits of a word when nobody says.
pub const DEFAULT_WIDTH: u32 = 32;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DesignFile {
    system: Name,
    #[serde(default)]
    terminals: u64,
    network: Option<String>,
    schedule: Option<String>,
    width: Option<u32>,
    #[serde(default)]
    options: BTreeMap<String, FileValue>,
}

/// The value of an option in a design file.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a whole number or a text in quotes, for example 8, \"yes\" or \"3,4,5\"")]
enum FileValue {
    Number(i64),
    Text(String),
}

impl std::fmt::Display for FileValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FileValue::Number(number) => write!(f, "{number}"),
            FileValue::Text(text) => f.write_str(text),
        }
    }
}

/// A design as asked for; it exists.
#[derive(Debug)]
pub struct Chosen {
    pub design: Design,
    pub row: &'static Row,
    /// Bits of a word in the design file.
    file_width: Option<u32>,
}

impl Chosen {
    /// The plan, for a command that needs rounds.
    pub fn plan(&self) -> Result<&Plan> {
        match &self.design {
            Design::Planned(plan) => Ok(plan),
            Design::Routed(router) => Err(no_rounds(router.row())),
            Design::Streamed(_) => Err(streamed::no_rounds(self.row)),
        }
    }

    /// The plan round stuck switches, if a file names more than the options can.
    fn around(self, many: Option<&StuckSwitches>) -> Result<Chosen> {
        match (self.design, many) {
            (Design::Planned(plan), Some(many)) => {
                Ok(Chosen { design: Design::Planned(Box::new(stuck::around(*plan, many)?)), ..self })
            }
            (design, _) => Ok(Chosen { design, ..self }),
        }
    }

    /// The router, of a system that is routed.
    pub fn routed(&self) -> Option<&dyn Router> {
        match &self.design {
            Design::Routed(router) => Some(router.as_ref()),
            _ => None,
        }
    }

    /// The plan of a streamed permutation.
    pub fn streamed(&self) -> Option<&Streamed> {
        match &self.design {
            Design::Streamed(core) => core.of(),
            _ => None,
        }
    }

    /// The plan itself, as [`Chosen::plan`].
    pub fn into_plan(self) -> Result<Plan> {
        match self.design {
            Design::Planned(plan) => Ok(*plan),
            Design::Routed(router) => Err(no_rounds(router.row())),
            Design::Streamed(_) => Err(streamed::no_rounds(self.row)),
        }
    }

    /// The width that the arguments or the design file give.
    pub fn width(&self, args: &WidthArgs) -> Result<u32> {
        width(args.width.as_deref(), self.file_width.unwrap_or(DEFAULT_WIDTH))
    }
}

fn no_rounds(row: &Row) -> anyhow::Error {
    anyhow::anyhow!(
        "{} is a routed system and has no rounds; give it traffic with frit route {} -n {}",
        row.key,
        row.key,
        row.example
    )
}

/// The designs that the arguments ask for: one per number of terminals.
pub fn designs(args: &DesignArgs) -> Result<Vec<Chosen>> {
    let DesignRequest { row, request: mut base, width: file_width, mut files } = request(args)?;
    let many_stuck =
        match files.remove(stuck::STUCK.name).map(|path| from_files::stuck_switches(&path)).transpose()? {
            Some(read) if Name::new(read.name()).is_ok() => {
                base.options.insert(stuck::STUCK.name.into(), read.name());
                None
            }
            many => many,
        };
    if row.key == ideal::KEY {
        bail!(
            "{} has no network of switches and no exchange of its own; it takes a demand: frit simulate ideal --demand FILE, or frit schedule, view, compare or sweep with one",
            row.key
        );
    }
    let file = |name: &str| files.get(name).map(PathBuf::as_path);
    let is_streamed = streamed_row(row.key).is_some();
    let from_files = match row.key {
        user::KEY => Some(from_files::with_network(args, &base, file("network"), file("schedule"))?),
        _ if is_streamed => None,
        _ => file(benes::PERMUTATION.name)
            .map(|path| from_files::with_permutation(args, &base, path))
            .transpose()?,
    };
    let from_files = from_files.map(|plan| Design::Planned(Box::new(plan)));
    let wired = || {
        file(multibutterfly::WIRING.name)
            .map(|path| from_files::with_wiring(args, &base, path).map(Design::Routed))
    };
    if let Some(design) = from_files.map(Ok).or_else(wired) {
        return Ok(vec![Chosen { design: design?, row, file_width }.around(many_stuck.as_ref())?]);
    }
    let sizes: Vec<u64> = match &args.terminals {
        Some(list) => list.split(',').map(|text| number("-n", text)).collect::<Result<_>>()?,
        None if base.terminals > 0 => vec![base.terminals],
        None => bail!("-n is missing; {} needs {}, for example -n {}", row.key, row.sizes, row.example),
    };
    let one = |terminals| -> Result<Chosen> {
        let request = Request { terminals, ..base.clone() };
        if is_streamed {
            let design = Design::Streamed(Box::new(streamed::plan(&request, &files)?));
            return Ok(Chosen { design, row, file_width });
        }
        if let Some(added) = catalog::added(row.key) {
            return Ok(Chosen { design: added.design(&request)?, row, file_width });
        }
        need_plan(row.key, terminals)?;
        let design = match (file(obf::SEQUENCE.name), catalog::router(&request)) {
            (Some(path), _) => Design::Planned(Box::new(from_files::with_sequence(&request, path)?)),
            (None, Some(router)) => Design::Routed(router?),
            (None, None) => Design::Planned(Box::new(plan(&request)?)),
        };
        Ok(Chosen { design, row, file_width })
    };
    let chosen =
        sizes.into_iter().map(|terminals| one(terminals)?.around(many_stuck.as_ref())).collect::<Result<_>>();
    match args.terminals {
        Some(_) => chosen,
        None => chosen.with_context(|| of_file(Path::new(&args.system))),
    }
}

/// Refuses a plan for which there is no memory.
pub fn need_plan(system: &str, terminals: u64) -> Result<()> {
    let what = format!("the plan of {system} -n {terminals}");
    memory::need(&what, estimate::plan(system, terminals), "use a smaller -n")
}

/// Refuses a baseline for a command that draws 2×2 switches; `what` it would draw.
pub fn refuse_baseline(system: &str, what: &str) -> Result<()> {
    match baseline(system) {
        Some(_) => bail!(
            "{what} does not exist for {system}, which has multiplexers in place of 2x2 switches; give a system of frit systems"
        ),
        None => Ok(()),
    }
}

/// What an error says of a value in a design file.
fn of_file(path: &Path) -> String {
    format!("the design file {}", path.display())
}

/// The one design that the arguments ask for.
pub fn design(args: &DesignArgs) -> Result<Chosen> {
    let mut designs = designs(args)?;
    match designs.len() {
        1 => Ok(designs.remove(0)),
        _ => Err(too_many(args)),
    }
}

/// The error of a command that takes one design, and is asked for several.
pub fn too_many(args: &DesignArgs) -> anyhow::Error {
    anyhow::anyhow!(
        "this command takes one number of terminals, but {} were given; give one -n",
        args.terminals.as_deref().unwrap_or("")
    )
}

/// The system that the arguments ask for.
pub fn asked_row(args: &DesignArgs) -> Result<&'static Row> {
    Ok(request(args)?.row)
}

/// The system that the arguments ask for, and the number of terminals if they give one; nothing is made of it.
pub fn asked_size(args: &DesignArgs) -> Result<(&'static Row, Option<u64>)> {
    let DesignRequest { row, request, .. } = request(args)?;
    let terminals = args.terminals.as_deref().map(|text| number("-n", text)).transpose()?;
    Ok((row, terminals.or((request.terminals > 0).then_some(request.terminals))))
}

/// Whether a core around a Beneš network has 4×4 switches. The other options of the network do not apply, which `reason` explains.
pub fn asks_radix4(args: &DesignArgs, reason: &str) -> Result<bool> {
    let DesignRequest { row, request: asked, .. } = request(args)?;
    no_other_options(args, row, RADIX.name, reason)?;
    Ok(asked.options.get(RADIX.name).is_some_and(|radix| radix == "4"))
}

/// The stuck switches of a Beneš network that routes permutations, if some are named. Then no other options apply, which `reason` explains.
pub fn asks_stuck(args: &DesignArgs, reason: &str) -> Result<Option<StuckSwitches>> {
    let DesignRequest { row, request: asked, files, .. } = request(args)?;
    let name = stuck::STUCK.name;
    let found = match (files.get(name), asked.options.get(name)) {
        (Some(path), _) => from_files::stuck_switches(path)?,
        (None, Some(named)) => StuckSwitches::parse(named.as_str())?,
        (None, None) => return Ok(None),
    };
    no_other_options(args, row, name, reason)?;
    Ok(Some(found))
}

/// Refuses options other than one.
fn no_other_options(args: &DesignArgs, row: &Row, only: &str, reason: &str) -> Result<()> {
    let other = |pair: &String| pair.split('=').next() != Some(only);
    if args.options.given.iter().any(other) {
        bail!("options of {} other than {only} do not apply with {reason}; leave them out", row.key);
    }
    Ok(())
}

/// The number of terminals that an option gives.
pub fn number(option: &str, text: &str) -> Result<u64> {
    text.trim().parse().map_err(|_| {
        anyhow::anyhow!(
            "{option} {text} is not a number of terminals; give a whole number, for example {option} 16"
        )
    })
}

/// What a design file and the arguments ask for, before it is known to exist.
struct DesignRequest {
    row: &'static Row,
    /// Without its size, which is 0 unless a design file gives it. Its options exist, and their values are allowed.
    request: Request,
    width: Option<u32>,
    /// The options for which a file was given, with its path; they are not among those of the request.
    files: BTreeMap<&'static str, PathBuf>,
}

/// The row of the system that an argument or the design file in it names, if there is one.
pub fn system_row(argument: &str) -> Option<&'static Row> {
    if !argument.ends_with(".toml") {
        return catalog::row(argument);
    }
    let table: toml::Table = toml::from_str(&output::read_text(Path::new(argument)).ok()?).ok()?;
    catalog::row(table.get("system")?.as_str()?)
}

fn design_file(path: &Path) -> Result<DesignFile> {
    let text = output::read_text(path)?;
    crate::toml_text::read(&text).with_context(|| {
        format!(
            "{} is not a design file (members: system, terminals, network, schedule, width, [options])",
            path.display()
        )
    })
}

fn request(args: &DesignArgs) -> Result<DesignRequest> {
    let path = Path::new(&args.system);
    let file = args.system.ends_with(".toml").then(|| design_file(path)).transpose()?;
    let key = file.as_ref().map_or(args.system.as_str(), |file| file.system.as_str());
    let row = match (catalog::row(key), &file) {
        (Some(row), _) => row,
        (None, None) => return Err(catalog::unknown(key).into()),
        (None, Some(_)) => return Err(catalog::unknown(key)).with_context(|| of_file(path)),
    };
    let mut asked = DesignRequest { row, request: Request::new(key, 0), width: None, files: BTreeMap::new() };
    if let Some(file) = file {
        asked.request.terminals = file.terminals;
        asked.width = file.width;
        let files = [("network", file.network), ("schedule", file.schedule)];
        let files = files.into_iter().filter_map(|(key, name)| Some((key.to_string(), name?)));
        let options = file.options.into_iter().map(|(key, value)| (key, value.to_string()));
        for (key, value) in files.chain(options) {
            // What a design file names lies beside it.
            asked.take(&key, &value, path.with_file_name("").as_path());
        }
        asked.check_options().with_context(|| of_file(path))?;
        asked.width.map(|bits| width(None, bits)).transpose().with_context(|| of_file(path))?;
    }
    let mut given: Vec<(&str, &str)> = Vec::new();
    for pair in &args.options.given {
        let Some(pair) = pair.split_once('=') else {
            bail!("--set {pair} is not of the form KEY=VALUE; write for example --set algorithm=ata2")
        };
        given.push(pair);
    }
    for (at, (key, value)) in given.iter().enumerate() {
        if let Some((_, other)) =
            given[..at].iter().find(|(earlier, earlier_value)| earlier == key && earlier_value != value)
        {
            bail!("option {key} was given twice, as {other} and as {value}; give it once");
        }
        asked.take(key, value, Path::new(""));
    }
    asked.check_options()?;
    Ok(asked)
}

impl DesignRequest {
    /// Refuses options that the system has not. Those that it has are kept as they were read: `2:1:1` as 2-1-1.
    fn check_options(&mut self) -> Result<()> {
        let read = check_options(self.row, &self.request.options)?;
        self.request.options.iter_mut().for_each(|(key, value)| value.clone_from(&read[key]));
        Ok(())
    }

    /// Takes an option: a text that is none of its words is a file, if the option takes one.
    fn take(&mut self, key: &str, value: &str, folder: &Path) {
        let spec = self.row.options.iter().find(|spec| spec.name == key);
        match spec.filter(|spec| spec.values.takes_file() && !spec.values.reads(value)) {
            Some(spec) => {
                self.request.options.remove(key);
                self.files.insert(spec.name, folder.join(value));
            }
            None => {
                self.files.remove(key);
                self.request.options.insert(key.into(), value.into());
            }
        }
    }
}

/// The options as they are kept. Those that the system has not are refused before any file is looked at.
fn check_options(row: &'static Row, given: &BTreeMap<String, String>) -> Result<BTreeMap<String, String>> {
    match complete(row.key, row.options, given) {
        Ok(read) => Ok(read),
        Err(error) => match error.detail() {
            Some(UnknownOption(_)) if row.key == user::KEY => bail!(
                "the system user has two options, pipeline and stuck; its two files describe everything else (frit schedule user --algorithm exact searches for a schedule)"
            ),
            Some(UnknownOption(given))
                if user::ROW.options.iter().any(|spec| spec.values == Values::File && spec.name == given) =>
            {
                bail!("--network and --schedule do not apply to {}; use them with the system user", row.key)
            }
            _ => Err(error.into()),
        },
    }
}

/// Refuses a `-n`, or the size in a design file, that contradicts the `terminals` of a file; `what` names the content of the file.
fn same_terminals(args: &DesignArgs, base: &Request, what: &str, terminals: u64) -> Result<()> {
    let given = match &args.terminals {
        Some(text) => number("-n", text)?,
        None => base.terminals,
    };
    // A design file without a size has 0.
    if given != terminals && (given > 0 || args.terminals.is_some()) {
        bail!(
            "{what} of {terminals} terminals, but -n {given} was given; leave -n out or give -n {terminals}"
        );
    }
    Ok(())
}

/// Whether the arguments, without a design file, ask for a user's network.
pub fn is_user(args: &DesignArgs) -> bool {
    args.system == user::KEY
}

/// A user's network without a schedule, for a command that makes one because of the option `besides`.
pub fn lone_network(args: &DesignArgs, besides: &str) -> Result<(Network, PathBuf)> {
    let mut args = args.clone();
    args.options.given.retain(|given| given != besides);
    let DesignRequest { request: base, files, .. } = request(&args)?;
    if files.contains_key("schedule") {
        bail!(
            "--schedule cannot be used with {besides}, which searches for a schedule; leave --schedule out"
        );
    }
    if files.contains_key(stuck::STUCK.name) || base.options.contains_key(stuck::STUCK.name) {
        bail!(
            "--stuck cannot be used with {besides}, which searches for the settings of a whole network; leave it out, or give --stuck with the schedule that is found"
        );
    }
    let Some(path) = files.get("network") else {
        bail!("{besides} needs a network; give --network FILE.json")
    };
    Ok((wired(&args, &base, path)?, path.clone()))
}

fn wired(args: &DesignArgs, base: &Request, path: &Path) -> Result<Network> {
    let wired = from_json(&output::read_text(path)?).with_context(|| path.display().to_string())?;
    same_terminals(args, base, &format!("{} is a network", path.display()), wired.terminals().into())?;
    Ok(wired)
}

/// The width that `-w` gives, or another one.
pub fn width(text: Option<&str>, otherwise: u32) -> Result<u32> {
    let given = match text {
        Some(text) => text.parse::<u64>().map_err(|_| {
            anyhow::anyhow!("-w {text} is not a width; give a whole number of bits, 1 to {MAX_WIDTH}")
        })?,
        None => otherwise as u64,
    };
    Ok(check_width(given)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_needs_rounds_says_in_one_sentence_what_to_use() {
        assert_eq!(
            no_rounds(&Row { key: "waits", ..user::ROW }).to_string(),
            "waits is a routed system and has no rounds; give it traffic with frit route waits -n 8"
        );
    }
}
