//! The files of a design, as `frit generate` writes them.

pub use frit_device::style_name;
pub use frit_rtl::permute::command as streamed_command;

use crate::package::package;
use crate::packets::is_large;
use frit_cells::design::axis::{self, Face, Streams};
use frit_cells::design::dilated::Hardware;
use frit_cells::design::permute::Dress;
use frit_cells::design::pinout;
use frit_cells::design::reset::Reset;
use frit_cells::design::selftest;
use frit_cells::fault::EXCHANGE;
use frit_cells::netlist::print::Style;
use frit_cells::netlist::{Module, Netlist};
use frit_cells::units::units;
use frit_device::exchange::{design_files, reset_files, selftest_files, stream_files};
use frit_device::multibutterfly::{MultibutterflyDevice, hardware};
use frit_device::permute::Permute;
use frit_device::{Device, dilated::DilatedDevice};
use frit_network::Refusal;
use frit_permute::Streamed;
use frit_router::dilated::Packets;
use frit_router::multibutterfly::Problem;
use frit_rtl::Files;
use frit_rtl::library::in_one_file;
use frit_schedule::Plan;
use frit_schedule::plan::Variant;
use frit_traffic::Payload;
use serde_json::{Value, json};

/// Above this a testbench of the whole exchange has tables of gigabytes.
pub const MAX_TERMINALS: u32 = 4096;

/// Up to here simulators build the unrolled form in seconds (docs/rtl-simulation.md).
const MAX_UNROLLED: u32 = 64;

/// Where the cells of a design are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells<'a> {
    /// In a folder that several designs share; the path is relative to the folder of the design.
    Folder(&'a str),
    /// Beside the other files of the design; the name of each cell begins with that of the design.
    Prefix,
    /// In one file with the other modules of the design; named as with [`Cells::Prefix`].
    OneFile,
}

impl<'a> Cells<'a> {
    /// The folder, if designs share them.
    pub fn folder(self) -> Option<&'a str> {
        match self {
            Cells::Folder(folder) => Some(folder),
            Cells::Prefix | Cells::OneFile => None,
        }
    }
}

/// How the text of a design is written.
#[derive(Clone, Copy, Debug)]
pub struct Form<'a> {
    /// How its modules are written. `None` leaves the choice to the size of the design.
    pub style: Option<Style>,
    pub cells: Cells<'a>,
    pub fault: Option<&'a str>,
    /// The name of the design, in place of one that says all that changes its text.
    pub name: Option<&'a str>,
    /// Whether a routed system has a testbench of its modules one by one; its modules are unrolled then.
    pub units: bool,
}

impl Default for Form<'_> {
    fn default() -> Self {
        Form { style: Some(Style::Unrolled), cells: Cells::OneFile, fault: None, name: None, units: false }
    }
}

impl<'a> Form<'a> {
    /// The style asked for, or the one that suits a design that is `large` or not.
    pub fn style(&self, large: bool) -> Style {
        self.style.unwrap_or(if large { Style::Compact } else { Style::Unrolled })
    }

    /// The same for an exchange.
    pub fn style_of(&self, plan: &Plan) -> Style {
        self.style(plan.network.terminals() > MAX_UNROLLED)
    }

    /// The part of a design's name that tells it from designs with the same system, size and options: its modules are compact, its cells
    /// have names of their own, or it has a fault. `None` if none of these holds, and
    /// the user gave it no name.
    pub fn variant(&self, style: Style) -> Option<Variant> {
        let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
        let compact = (style == Style::Compact).then(|| ("compact".into(), " --fabric-style compact".into()));
        // A design in one file has the name of one with a shared library: a project takes one of the two.
        let own = match self.cells {
            Cells::OneFile => None,
            // The text is the same wherever the folder is.
            Cells::Folder(_) => Some((String::new(), " --layout files".into())),
            Cells::Prefix => Some(("own".into(), " --cells prefix".into())),
        };
        let fault = self.fault.map(written).map(|fault| {
            let letters: String = fault.chars().map(letter).collect();
            (format!("fault_{letters}"), format!(" --fault {fault}"))
        });
        let (names, mut arguments): (Vec<String>, Vec<String>) =
            [compact, own, fault].into_iter().flatten().unzip();
        let given = self.name.map(String::from);
        arguments.extend(self.name.map(|name| format!(" --name {name}")));
        (!arguments.is_empty()).then(|| Variant {
            name: names.into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>().join("_"),
            arguments: arguments.concat(),
            given,
        })
    }

    /// The plan, renamed so that files in this form have a name of their own.
    pub fn named(&self, plan: &Plan) -> Plan {
        Plan { variant: self.variant(self.style_of(plan)), ..plan.clone() }
    }

    /// Names the cells of a netlist as they are to be placed; the folder of those that designs share.
    fn place_cells(&self, netlist: &mut Netlist) -> Option<&'a str> {
        let folder = self.cells.folder();
        if folder.is_none() {
            netlist.names.prefix = Some(netlist.names.design.clone());
            netlist.names.one_file = self.cells == Cells::OneFile;
        }
        folder
    }

    /// The files of a design, its modules in one file if that is asked for.
    fn laid_out(&self, files: Files, design: &str) -> Files {
        match self.cells {
            Cells::OneFile => in_one_file(files, &format!("{design}.v")),
            Cells::Folder(_) | Cells::Prefix => files,
        }
    }

    /// Plants the fault of an exchange, if there is one.
    fn plant(&self, netlist: &mut Netlist) -> Result<(), Refusal> {
        self.fault.map_or(Ok(()), |fault| EXCHANGE.plant(netlist, fault))
    }
}

/// A fault as names and files say it: each of its numbers is written as it was read.
fn written(fault: &str) -> String {
    let word = |word: &str| word.parse().map_or_else(|_| word.to_string(), |number: u32| number.to_string());
    fault.split(':').map(word).collect::<Vec<_>>().join(":")
}

/// The tops that are written besides the exchange.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tops {
    pub streams: Option<Streams>,
    /// A top whose reset is of this kind.
    pub reset: Option<Reset>,
    /// A self-test whose serial line has this many cycles a bit.
    pub selftest: Option<u64>,
}

/// A design as files.
#[derive(Clone, Debug)]
pub struct Written {
    pub name: String,
    /// Its files, without the cells that designs share.
    pub files: Files,
    /// The module that was asked for, which a user instantiates.
    pub top: Module,
    /// The targets of the Makefile that simulate what was asked for.
    pub targets: Vec<String>,
    /// What `frit generate --format json` reports of this kind of system only: an object.
    pub about: Value,
}

/// The files of an exchange: `plan` as [`Form::named`] names it, words of `width` bits (what the streams carry included), the words
/// that the testbench sends.
///
/// # Errors
/// The fault has no place in the design, or the design cannot have these streams.
pub fn exchange(
    plan: &Plan,
    width: u32,
    payload: &Payload,
    form: &Form,
    tops: &Tops,
) -> Result<Written, Refusal> {
    let style = form.style_of(plan);
    let unrolled = style == Style::Unrolled;
    let mut netlist = of_any_width(width, unrolled, |width| Ok(frit_cells::design::build(plan, width)))?;
    let library = form.place_cells(&mut netlist);
    form.plant(&mut netlist)?;
    let mut parts = design_files(plan, payload, &netlist, style, library)?;
    let mut modules = vec![netlist];
    // Where the module that was asked for stands, and what simulates it.
    let (mut top, mut targets) = (0, Vec::new());
    if let Some(reset) = tops.reset {
        let mut netlist = of_any_width(width, unrolled, |width| Ok(pinout::exchange(plan, width, reset)))?;
        form.place_cells(&mut netlist);
        add(&mut parts, reset_files(plan, width, reset, &netlist, style, library));
        let design = format!("{}_", plan.design_name(width));
        targets.push(netlist.top().name.replacen(&design, "", 1));
        top = modules.len();
        modules.push(netlist);
    }
    for streams in faces(tops.streams) {
        // Bundles have the bytes of one width.
        let any = unrolled && matches!(streams.face, Face::Packed(_));
        let mut netlist = of_any_width(width, any, |width| axis::build(plan, width, streams))?;
        form.place_cells(&mut netlist);
        add(&mut parts, stream_files(plan, width, streams, &netlist, style, library));
        top = modules.len();
        modules.push(netlist);
    }
    targets.extend(tops.streams.map(|_| "axis".into()));
    if let Some(divider) = tops.selftest {
        let mut netlist = selftest::build(plan, width, divider);
        form.place_cells(&mut netlist);
        form.plant(&mut netlist)?;
        add(&mut parts, selftest_files(plan, width, divider, &netlist, library));
        targets.push("selftest".into());
        // Streams are what a user instantiates; the self-test is tried beside them.
        top = if tops.streams.is_some() { top } else { modules.len() };
        modules.push(netlist);
    }
    if targets.is_empty() {
        targets.push("sim".into());
    }
    let mut files = form.laid_out(parts, &plan.design_name(width));
    let modules: Vec<_> = modules.iter().map(Netlist::top).collect();
    let command = match tops.reset {
        Some(reset) => frit_rtl::reset::generator(plan, width, reset),
        None => frit_rtl::streams::generator(plan, width, tops.streams),
    };
    let command = command + if tops.selftest.is_some() { " --selftest" } else { "" };
    files.extend(package(plan, &modules, width, command, library, &files));
    Ok(Written {
        name: plan.design_name(width),
        files,
        top: (*modules[top]).clone(),
        targets,
        about: json!({}),
    })
}

/// A netlist for words of `width` bits; if `any`, that width is a parameter of its modules, and only a default.
fn of_any_width(
    width: u32,
    any: bool,
    build: impl Fn(u32) -> Result<Netlist, Refusal>,
) -> Result<Netlist, Refusal> {
    let mut netlist = build(width)?;
    if any {
        netlist.make_width_a_parameter(width, &build(width + 1)?);
    }
    Ok(netlist)
}

/// The tops with streams: the one asked for, before it that with packed ports, whose core has what they share.
fn faces(asked: Option<Streams>) -> impl Iterator<Item = Streams> {
    asked.into_iter().flat_map(|streams| {
        let packed = Streams::packed(streams.words, streams.sets);
        Some(packed).filter(|packed| *packed != streams).into_iter().chain([streams])
    })
}

/// Adds the files of another top; cells and modules that both tops use are the same.
fn add(files: &mut Files, more: Files) {
    for (name, text) in more {
        if !files.iter().any(|(other, _)| *other == name) {
            files.push((name, text));
        }
    }
}

/// The files of a dilated butterfly with these packets; `command` writes them.
///
/// # Errors
/// If it has no hardware, or no such fault.
pub fn dilated(packets: &Packets, command: &str, form: &Form) -> Result<Written, Refusal> {
    let mut hardware = Hardware::new(packets)?;
    let style = form.style(is_large(&hardware));
    hardware.variant = form.variant(style);
    let command = with_variant(command, &hardware.variant);
    Ok(core(&mut DilatedDevice::new(packets, hardware, style, form.fault, command)?, form))
}

/// The command that writes this variant.
fn with_variant(command: &str, variant: &Option<Variant>) -> String {
    format!("{command}{}", variant.as_ref().map_or("", |variant| &variant.arguments))
}

/// The files of a multibutterfly with these messages; `command` writes them. Its modules have one form.
///
/// # Errors
/// If it has no hardware, or no such fault.
pub fn multibutterfly(problem: &Problem, command: &str, form: &Form) -> Result<Written, Refusal> {
    let (mut hardware, expected) = hardware(problem)?;
    hardware.variant = form.variant(Style::Unrolled);
    let command = with_variant(command, &hardware.variant);
    Ok(core(&mut MultibutterflyDevice::new(problem, (hardware, expected), form.fault, command)?, form))
}

/// The files of a device; with its modules one by one, if that is asked for and rust-hdl simulates words as wide.
pub fn core(device: &mut dyn Device, form: &Form) -> Written {
    let library = form.place_cells(device.netlist_mut());
    let mut files = form.laid_out(device.files(library), &device.name());
    let sound = device.sound().filter(|_| form.units);
    let mut targets = vec!["sim".to_string()];
    if let Some(Ok(units)) = sound.map(|netlist| units(&netlist, device.style() == Style::Unrolled)) {
        let units = frit_rtl::units::render(&device.name(), &device.command(), &units, &files);
        targets.extend((!units.is_empty()).then(|| "units".into()));
        files.extend(units);
    }
    files.extend(device.package(&files, library));
    let about = device.facts().into_iter().map(|(key, value)| (key.to_string(), value)).collect();
    let top = device.netlist().top().clone();
    Written { name: device.name(), files, top, targets, about: Value::Object(about) }
}

/// The files of the core that brings a stream into another order, its words `width` bits wide, with what `dress` says around it.
///
/// # Errors
/// If there is no such core, or no such fault.
pub fn streamed(plan: &Streamed, width: u32, form: &Form, dress: Dress) -> Result<Written, Refusal> {
    let plan = Streamed { variant: form.variant(Style::Unrolled), ..plan.clone() };
    Ok(core(&mut Permute::new(plan, width, form.fault, dress)?, form))
}
