//! From arguments and design files to a plan, a width and a payload: the one place where they are checked.

use crate::args::{DesignArgs, NotationArg, PayloadArgs, WidthArgs};
use anyhow::{Context, Result, bail};
use frit_cosim::output;
use frit_network::Name;
use frit_network::export::from_json;
use frit_schedule::benes::plan_with_permutation;
use frit_schedule::de_bruijn::DeBruijn;
use frit_schedule::obf::{SEQUENCES, plan_with_sequence};
use frit_schedule::photonics::MAX_DIMENSION;
use frit_schedule::plan::CUSTOM;
use frit_schedule::{Plan, Request, plan, user};
use frit_traffic::payload::{MAX_WIDTH, Notation, Payload, PayloadError, from_bin, from_csv};
use frit_traffic::permutation;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Bits of a word when nobody says.
const DEFAULT_WIDTH: u32 = 32;

/// Of all words of an exchange; a run holds them twice.
const MAX_PAYLOAD_BYTES: u64 = 2 << 30;

/// A design file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DesignFile {
    system: Name,
    #[serde(default)]
    terminals: u64,
    network: Option<PathBuf>,
    schedule: Option<PathBuf>,
    width: Option<u32>,
    #[serde(default)]
    options: BTreeMap<String, String>,
}

/// A design as asked for; its plan exists.
pub struct Design {
    /// The plan.
    pub plan: Plan,
    /// Bits of a word in the design file.
    file_width: Option<u32>,
}

/// The designs that the arguments ask for: one per number of terminals.
pub fn designs(args: &DesignArgs) -> Result<Vec<Design>> {
    let Asked { request: base, width: file_width, network, schedule } = request(args)?;
    if base.system == user::KEY || network.is_some() || schedule.is_some() {
        let plan = with_network(args, &base, network, schedule)?;
        return Ok(vec![Design { plan, file_width }]);
    }
    if let Some(path) = &args.permutation {
        let plan = with_permutation(args, &base, path)?;
        return Ok(vec![Design { plan, file_width }]);
    }
    let sizes: Vec<u64> = match &args.terminals {
        Some(list) => list.split(',').map(|text| number("-n", text)).collect::<Result<_>>()?,
        None if base.terminals > 0 => vec![base.terminals],
        None => {
            let known = frit_schedule::system(&base.system);
            let example = known.map_or(8, |system| system.example);
            let sizes = known.map_or("a number of terminals", |system| system.sizes);
            bail!("-n is missing: {} needs {sizes}; for example -n {example}", base.system)
        }
    };
    sizes
        .into_iter()
        .map(|terminals| {
            let request = Request { terminals, ..base.clone() };
            let plan = match &args.sequence {
                Some(name) if !SEQUENCES.contains(&name.as_str()) => with_sequence(&request, name)?,
                _ => plan(&request)?,
            };
            Ok(Design { plan, file_width })
        })
        .collect()
}

/// The one design that the arguments ask for.
pub fn design(args: &DesignArgs) -> Result<Design> {
    let mut designs = designs(args)?;
    match designs.len() {
        1 => Ok(designs.remove(0)),
        _ => bail!(
            "this command takes one number of terminals, not {}",
            args.terminals.as_deref().unwrap_or("")
        ),
    }
}

/// The number of terminals that an option gives.
pub fn number(option: &str, text: &str) -> Result<u64> {
    text.trim().parse().map_err(|_| {
        anyhow::anyhow!(
            "{option} {text}: not a number of terminals; give a whole number, for example {option} 16"
        )
    })
}

/// What a design file and the arguments ask for, before it is known to exist.
struct Asked {
    /// Without its size, which is 0 unless a design file gives it.
    request: Request,
    width: Option<u32>,
    network: Option<PathBuf>,
    schedule: Option<PathBuf>,
}

fn request(args: &DesignArgs) -> Result<Asked> {
    let mut asked = if args.system.ends_with(".toml") {
        let path = Path::new(&args.system);
        let text = read_text(path)?;
        let file: DesignFile = toml::from_str(&text).with_context(|| {
            format!(
                "{} is not a design file (members: system, terminals, network, schedule, width, [options])",
                path.display()
            )
        })?;
        let request =
            Request { system: file.system.to_string(), terminals: file.terminals, options: file.options };
        // What a design file names lies beside it.
        let beside = |file: PathBuf| path.with_file_name("").join(file);
        let (network, schedule) = (file.network.map(beside), file.schedule.map(beside));
        Asked { request, width: file.width, network, schedule }
    } else {
        let request = Request::new(args.system.clone(), 0);
        Asked { request, width: None, network: None, schedule: None }
    };
    asked.network = args.network.clone().or(asked.network);
    asked.schedule = args.schedule.clone().or(asked.schedule);
    let request = &mut asked.request;
    // A name of no built-in sequence is a file.
    let sequence = args.sequence.clone().filter(|name| SEQUENCES.contains(&name.as_str()));
    let flags = [("algorithm", &args.algorithm), ("direction", &args.direction), ("sequence", &sequence)];
    let mut given: Vec<(&str, &str)> =
        flags.into_iter().filter_map(|(key, value)| Some((key, value.as_deref()?))).collect();
    for pair in &args.set {
        let Some(pair) = pair.split_once('=') else {
            bail!("--set {pair}: not KEY=VALUE, for example --set algorithm=ata2")
        };
        given.push(pair);
    }
    for (at, (key, value)) in given.iter().enumerate() {
        if let Some((_, other)) =
            given[..at].iter().find(|(earlier, earlier_value)| earlier == key && earlier_value != value)
        {
            bail!("{key} is given as {other} and as {value}; give it once");
        }
        request.options.insert(key.to_string(), value.to_string());
    }
    Ok(asked)
}

fn read_text(path: &Path) -> Result<String> {
    Ok(String::from_utf8_lossy(&output::read(path)?).into_owned())
}

/// Refuses a number of terminals, from the arguments or the design file, that is not that of a file (`what` it is).
fn same_terminals(args: &DesignArgs, base: &Request, what: &str, terminals: u64) -> Result<()> {
    let given = match &args.terminals {
        Some(text) => number("-n", text)?,
        None => base.terminals,
    };
    // A design file without a size has 0.
    if given != terminals && (given > 0 || args.terminals.is_some()) {
        bail!("{what} of {terminals} terminals, not of {given}; leave -n out or give -n {terminals}");
    }
    Ok(())
}

/// The plan of a user's network and schedule.
fn with_network(
    args: &DesignArgs,
    base: &Request,
    network: Option<PathBuf>,
    schedule: Option<PathBuf>,
) -> Result<Plan> {
    if base.system != user::KEY {
        bail!("--network and --schedule are files of the system user, not of {}", base.system);
    }
    let (Some(network), Some(schedule)) = (network, schedule) else {
        bail!("user needs a network and a schedule: give --network FILE.json and --schedule FILE.json");
    };
    let others = [args.permutation.is_some(), args.sequence.is_some(), !base.options.is_empty()];
    if others.contains(&true) {
        bail!("user has no options: everything is in its two files");
    }
    let wired = from_json(&read_text(&network)?).with_context(|| network.display().to_string())?;
    same_terminals(args, base, &format!("{} is a network", network.display()), wired.terminals().into())?;
    user::plan(wired, &read_text(&schedule)?).with_context(|| schedule.display().to_string())
}

/// The plan with the sequence in a file, in place of a built-in one.
fn with_sequence(request: &Request, name: &str) -> Result<Plan> {
    let path = Path::new(name);
    if request.system != "obf" {
        // The option is refused before the file is looked at.
        plan(&request.clone().with("sequence", name))?;
    }
    // The other options are checked at the smallest size.
    plan(&Request { terminals: 4, ..request.clone() })?;
    if !path.exists() {
        bail!("--sequence {name}: neither a sequence ({}) nor a file that exists", SEQUENCES.join(", "));
    }
    let Some(order) = sequence_order(request.terminals) else {
        return Ok(plan(request)?); // says which sizes there are
    };
    let text = read_text(path)?;
    let sequence = DeBruijn::parse(&text, order)
        .with_context(|| format!("{name} (a de Bruijn sequence of order {order})"))?;
    Ok(plan_with_sequence(request.terminals, sequence)?)
}

/// The plan that routes the permutation in a file.
fn with_permutation(args: &DesignArgs, base: &Request, path: &Path) -> Result<Plan> {
    let name = path.display();
    if base.system != "benes" {
        // The option is refused before the file is looked at.
        plan(&base.clone().with("permutation", CUSTOM))?;
    }
    if let Some(other) = base.options.get("permutation") {
        bail!("permutation is given as {other} and as {name}; give it once");
    }
    // The other options are checked at the smallest size.
    plan(&Request { terminals: 4, ..base.clone() })?;
    let text = read_text(path)?;
    let permutation = permutation::parse(&text).with_context(|| name.to_string())?;
    same_terminals(args, base, &format!("{name} is a permutation"), permutation.len() as u64)?;
    plan_with_permutation(&permutation).with_context(|| name.to_string())
}

/// The order of the sequence that controls `terminals` processors, if there is such a network.
fn sequence_order(terminals: u64) -> Option<u32> {
    let dimension = terminals.checked_ilog2().filter(|r| (2..=MAX_DIMENSION).contains(r))?;
    terminals.is_power_of_two().then(|| dimension - 1)
}

impl Design {
    /// The width that the arguments or the design file give.
    pub fn width(&self, args: &WidthArgs) -> Result<u32> {
        width(args.width.as_deref(), self.file_width.unwrap_or(DEFAULT_WIDTH))
    }
}

/// The width that `-w` gives, or another one.
pub fn width(text: Option<&str>, otherwise: u32) -> Result<u32> {
    let given = match text {
        Some(text) => text.parse::<u64>().map_err(|_| {
            anyhow::anyhow!("-w {text}: not a width; give a whole number of bits, 1 to {MAX_WIDTH}")
        })?,
        None => otherwise as u64,
    };
    if given == 0 || given > MAX_WIDTH as u64 {
        return Err(PayloadError::Width { given }.into());
    }
    Ok(given as u32)
}

/// Messages, and how to write what is received.
pub struct Messages {
    /// The words.
    pub payload: Payload,
    /// The notation of the file, hexadecimal if there is none.
    pub notation: Notation,
    /// Where they come from, for people.
    pub origin: String,
}

/// The messages that the arguments name, or none.
pub fn messages(args: &PayloadArgs, terminals: u32, width: u32) -> Result<Option<Messages>> {
    match args.payload.as_deref() {
        None => Ok(None),
        Some("random") => random(args, terminals, width).map(Some),
        Some(name) => file(Path::new(name), args.notation, terminals, width).map(Some),
    }
}

/// Random messages.
pub fn random(args: &PayloadArgs, terminals: u32, width: u32) -> Result<Messages> {
    check_payload_size(terminals, width)?;
    Ok(Messages {
        payload: Payload::random(terminals, width, args.seed),
        notation: Notation::Hex,
        origin: format!("random words, seed {}", args.seed),
    })
}

/// Refuses messages that would not fit into memory.
pub fn check_payload_size(terminals: u32, width: u32) -> Result<()> {
    let bytes = u64::from(terminals) * u64::from(terminals) * u64::from(width).div_ceil(64) * 8;
    if bytes > MAX_PAYLOAD_BYTES {
        bail!(
            "{terminals} x {terminals} words of {width} bits take {} GiB, up to {} GiB are allowed; give a smaller -n or -w",
            bytes.div_ceil(1 << 30),
            MAX_PAYLOAD_BYTES >> 30
        );
    }
    Ok(())
}

fn file(path: &Path, notation: NotationArg, terminals: u32, width: u32) -> Result<Messages> {
    check_payload_size(terminals, width)?;
    let bytes = output::read(path)?;
    let origin = path.display().to_string();
    if path.extension().is_some_and(|extension| extension == "bin") {
        let payload = from_bin(&bytes, terminals, width).context(origin.clone())?;
        return Ok(Messages { payload, notation: Notation::Hex, origin });
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| anyhow::anyhow!("{origin} is not text; raw binary words go into a file named .bin"))?;
    let notation = match notation {
        NotationArg::Auto => None,
        NotationArg::Dec => Some(Notation::Decimal),
        NotationArg::Hex => Some(Notation::Hex),
    };
    // Spreadsheets start a text file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let (payload, notation) = from_csv(text, terminals, width, notation).context(origin.clone())?;
    Ok(Messages { payload, notation, origin })
}
