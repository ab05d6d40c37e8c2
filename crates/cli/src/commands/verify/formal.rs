//! `frit verify --formal`.

use super::routed::VerifyRequest;
use super::{mapping, workplace};
use crate::Verdict as Exit;
use crate::args::{FabricStyle, Format, VerifyArgs};
use crate::design::{Chosen, width};
use crate::emitted;
use crate::streamed::refuse;
use crate::table;
use crate::ui::{BAD, GOOD, HEAD, Ui, WARN};
use anyhow::{Result, bail};
use frit_cells::design::axis::{Face, Streams};
use frit_cells::design::reset::Reset;
use frit_cells::design::{self, axis, permute};
use frit_cells::fault::{PlantedFault, inject};
use frit_cells::netlist::print::{SourceFile, Style, files};
use frit_cosim::formal::{
    Against, Contract, Ground, PermuteContract, PortsContract, Proof, StreamContract, Verdict,
    prove_contract, prove_equal, prove_permute, prove_ports, prove_streams,
};
use frit_cosim::tools::{ABC, ToolPath, YOSYS};
use frit_cosim::verify::seconds;
use frit_device::permute::PermuteFault;
use frit_network::Refusal;
use frit_permute::Streamed;
use frit_rtl::permute_contract::most_words;
use frit_rtl::ports_contract::bundles;
use frit_schedule::Plan;
use frit_trace::output::Workplace;
use serde_json::{Value, json};
use std::time::Duration;

/// A design with its proofs.
struct Proved {
    design: String,
    proofs: Vec<Proof>,
    folder: Workplace,
}

impl Proved {
    fn holds(&self) -> bool {
        self.proofs.iter().all(Proof::holds)
    }
}

/// Proves designs one after the other.
pub fn run(ui: &Ui, args: &VerifyArgs, tools: &ToolPath, designs: Vec<Chosen>) -> Result<Exit> {
    tools.find(YOSYS)?;
    tools.find(ABC)?;
    let many = designs.len() > 1;
    let mut all = Vec::new();
    for chosen in designs {
        let proved = prove(ui, args, tools, chosen, many)?;
        if args.format == Format::Text {
            ui.print(&text(&proved))?;
        }
        all.push(proved);
    }
    end(ui, args, all, many)
}

/// Proves a design that is not one of the table of systems.
pub fn alone(
    asked: &VerifyRequest,
    design: String,
    prove: impl FnOnce(&Ground) -> Result<Vec<Proof>, Refusal>,
) -> Result<Exit> {
    let VerifyRequest { ui, args, tools } = *asked;
    tools.find(YOSYS)?;
    tools.find(ABC)?;
    let folder = workplace(args, &design, false)?;
    let ground = Ground { folder: folder.path(), tools, limit: Duration::from_secs(args.proof_time) };
    let bar = ui.progress(&format!("{design}: proving"), None);
    let proofs = prove(&ground);
    bar.finish_and_clear();
    let proved = proved(design, proofs, folder)?;
    if args.format == Format::Text {
        ui.print(&text(&proved))?;
    }
    end(ui, args, vec![proved], false)
}

/// What was proved; a folder in which an error names a log is kept.
fn proved(design: String, proofs: Result<Vec<Proof>, Refusal>, folder: Workplace) -> Result<Proved> {
    match proofs {
        Ok(proofs) => Ok(Proved { design, proofs, folder }),
        Err(error) => {
            folder.keep_if_named(&error.to_string());
            bail!(error)
        }
    }
}

/// Prints the end of a report, and keeps the folders that it names.
fn end(ui: &Ui, args: &VerifyArgs, all: Vec<Proved>, many: bool) -> Result<Exit> {
    if args.format == Format::Json {
        let mut values: Vec<Value> = all.iter().map(json).collect();
        let value = if many { Value::Array(values) } else { values.remove(0) };
        ui.print(&format!("{}\n", serde_json::to_string_pretty(&value)?))?;
    }
    let holds = all.iter().all(Proved::holds);
    for proved in all {
        if !proved.holds() {
            proved.folder.keep();
        }
    }
    Ok(Exit::of(holds))
}

fn prove(ui: &Ui, args: &VerifyArgs, tools: &ToolPath, chosen: Chosen, many: bool) -> Result<Proved> {
    // No word decides anything, so one bit of each is enough.
    let width = width(args.width.width.as_deref(), 1)?;
    if let Some(plan) = chosen.streamed() {
        return prove_streamed(ui, args, tools, (plan, width), many);
    }
    let plan = chosen.into_plan()?;
    emitted::check_size(&plan)?;
    let design = plan.design_name(width);
    let mut netlist = design::build(&plan, width);
    if let Some(fault) = args.fault.as_deref() {
        inject(&mut netlist, fault.parse::<PlantedFault>()?)?;
    }
    let folder = workplace(args, &design, many)?;
    let ground = Ground { folder: folder.path(), tools, limit: Duration::from_secs(args.proof_time) };
    let style = emitted::style(args.fabric_style, &plan);
    let with_streams = streams(args, &plan, width, style)?;
    let files = files(&netlist, style);
    let bar = ui.progress(&format!("{design}: proving"), None);
    let contract = Contract { plan: &plan, width, files: &files, lemmas: true };
    let mut proofs = vec![prove_contract(&ground, &contract)];
    if let Some(mapping) = mapping(args) {
        proofs.push(prove_equal(&ground, &netlist, Against::Netlist(mapping)));
    }
    if args.fabric_style == FabricStyle::Compact {
        proofs.push(prove_equal(&ground, &netlist, Against::Compact));
    }
    if let Some((streams, files)) = &with_streams {
        proofs.push(prove_top(&ground, &plan, width, *streams, files));
    }
    bar.finish_and_clear();
    proved(design, proofs.into_iter().collect(), folder)
}

/// The core of a streamed system, whose ports are streams.
fn prove_streamed(
    ui: &Ui,
    args: &VerifyArgs,
    tools: &ToolPath,
    (plan, width): (&Streamed, u32),
    many: bool,
) -> Result<Proved> {
    super::streamed::refuse_options_of_exchanges(args, plan)?;
    let options =
        [("--netlist", args.netlist.is_some()), ("--keep and --user", plan.word_bits(width) > width)];
    refuse(
        plan,
        &options,
        "whose proof with --formal is of the emitted Verilog and one bit of a word; leave it out",
    )?;
    if plan.largest().is_some() {
        bail!(
            "--formal proves cores of one size, and dims=runtime loads sizes; leave --formal out, or give dims=fixed"
        );
    }
    let (words, most) = (plan.order.words(), most_words(plan.form));
    if words > most {
        bail!(
            "{} has data sets of {words} words, and --formal proves at most {most} in this form; give fewer words",
            plan.name()
        );
    }
    let design = permute::design_name(plan, width);
    let fault = args.fault.as_deref().map(str::parse::<PermuteFault>).transpose()?;
    let built = fault.map(|fault| fault.planted(plan)).transpose()?;
    let netlist = permute::build(built.as_ref().unwrap_or(plan), width)?;
    let folder = workplace(args, &design, many)?;
    let ground = Ground { folder: folder.path(), tools, limit: Duration::from_secs(args.proof_time) };
    let bar = ui.progress(&format!("{design}: proving"), None);
    let contract =
        PermuteContract { plan, width, files: &files(&netlist, Style::Unrolled), lemmas: fault.is_none() };
    let proof = prove_permute(&ground, &contract);
    bar.finish_and_clear();
    proved(design, proof.map(|proof| vec![proof]), folder)
}

/// The streams of `D_axis` are proved as a whole; of a top with bundles its handshakes.
fn prove_top(
    ground: &Ground,
    plan: &Plan,
    width: u32,
    streams: Streams,
    files: &[SourceFile],
) -> Result<Proof, Refusal> {
    match bundles(streams) {
        Some(bundles) => prove_ports(ground, &PortsContract { plan, width, streams, bundles, files }),
        None => prove_streams(ground, &StreamContract { plan, width, streams, files, lemmas: true }),
    }
}

/// The streams that were asked for, and their Verilog.
fn streams(
    args: &VerifyArgs,
    plan: &Plan,
    width: u32,
    style: Style,
) -> Result<Option<(Streams, Vec<SourceFile>)>> {
    let Some(streams) = args.streams.streams(width)? else { return Ok(None) };
    if streams.face != Face::Packed(Reset::OWN) && bundles(streams).is_none() {
        bail!(
            "--formal does not prove streams whose reset is asynchronous, or active low without --port-style axis: leave out --reset and --reset-level"
        );
    }
    let mut netlist = axis::build(plan, width, streams)?;
    if let Some(fault) = args.fault.as_deref() {
        inject(&mut netlist, fault.parse::<PlantedFault>()?)?;
    }
    Ok(Some((streams, files(&netlist, style))))
}

fn text(proved: &Proved) -> String {
    let mut text = format!("{HEAD}{}{HEAD:#}: proofs\n", proved.design);
    let mut notes = String::new();
    let mut rows = Vec::new();
    for Proof { property, engine, verdict, time } in &proved.proofs {
        let (said, how) = match verdict {
            Verdict::Proved { depth, lemmas: 0 } => {
                (format!("{GOOD}proved{GOOD:#}"), format!("{engine}, depth {depth}"))
            }
            Verdict::Proved { depth, lemmas } => {
                (format!("{GOOD}proved{GOOD:#}"), format!("{engine}, depth {depth}, {lemmas} lemmas"))
            }
            Verdict::Refuted { cycle, what, wave } => {
                notes += &format!("  {property}: {} does not hold in cycle {cycle}\n", what.join(", "));
                notes += &format!("  waveform: {}\n", wave.display());
                (format!("{BAD}refuted{BAD:#}"), format!("{engine}, depth {cycle}"))
            }
            Verdict::Open => {
                notes += &format!(
                    "  {property}: neither proved nor refuted within the time limit; pass a larger --proof-time\n"
                );
                (format!("{WARN}open{WARN:#}"), (*engine).to_string())
            }
        };
        rows.push(vec![property.clone(), said, how, seconds(*time)]);
    }
    text += &table::render(&["property", "verdict", "engine", "time"], &rows);
    text += &notes;
    if proved.folder.is_named() || !proved.holds() {
        text += &format!("  files: {}\n", proved.folder.path().display());
    }
    text
}

fn json(proved: &Proved) -> Value {
    let proofs: Vec<Value> = proved.proofs.iter().map(proof_json).collect();
    json!({"design": proved.design, "proved": proved.holds(), "proofs": proofs})
}

fn proof_json(proof: &Proof) -> Value {
    let (verdict, depth, lemmas, what, wave) = match &proof.verdict {
        Verdict::Proved { depth, lemmas } => ("proved", Some(u64::from(*depth)), Some(*lemmas), None, None),
        Verdict::Refuted { cycle, what, wave } => ("refuted", Some(*cycle), None, Some(what), Some(wave)),
        Verdict::Open => ("open", None, None, None, None),
    };
    json!({
        "property": proof.property, "verdict": verdict, "engine": proof.engine, "depth": depth,
        "lemmas": lemmas, "violated": what, "wave": wave, "seconds": proof.time.as_secs_f64(),
    })
}
