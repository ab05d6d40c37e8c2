//! `frit synth`.

mod breakdown;

use crate::Verdict;
use crate::args::{SynthArgs, SynthFormat};
use crate::kind::Cores;
use crate::table;
use crate::ui::{BAD, HEAD, Ui, pretty};
use anyhow::{Result, bail};
use frit_cosim::synth::{
    Options, Part, Proof, Speed, SynthDesign, SynthReport, SynthRow, Target, synthesise,
};
use frit_cosim::tools::ToolPath;
use frit_trace::output::Workplace;
use serde_json::{Value, json};

pub fn run(ui: &Ui, args: &SynthArgs) -> Result<Verdict> {
    refuse_of_areas(args)?;
    if args.breakdown && args.format == SynthFormat::Csv {
        bail!("--breakdown has no CSV output; pass --format text or json");
    }
    let asked = args.core();
    let cores = Cores::asked("synth", &asked)?;
    let core = cores.one()?;
    core.kind.synth(&core, args, &|design, about| synth(ui, args, design, about))
}

/// Refuses what needs a device (seeds of a placement, a proof of a netlist, areas by kind of cell) where the target is a family.
fn refuse_of_areas(args: &SynthArgs) -> Result<()> {
    let target = Target::from(args.target);
    let asked = [("--seeds", args.seeds.is_some()), ("--prove", args.prove), ("--breakdown", args.breakdown)];
    match asked.into_iter().find(|(_, given)| *given && target.device().is_none()) {
        Some((option, _)) => bail!(
            "{option} does not apply to --target {}, for which there are areas only; leave {option} out, or give a device as --target",
            target.name()
        ),
        None => Ok(()),
    }
}

/// Synthesises a design; `about` are the members of JSON that say which it is.
fn synth(ui: &Ui, args: &SynthArgs, design: SynthDesign, about: Value) -> Result<Verdict> {
    let folder = Workplace::new(args.output.as_deref(), "frit-synth-")?;
    let parts = parts(args, &design)?;
    let seeds: Vec<u32> = if args.no_pnr { vec![] } else { (1..=args.seeds.unwrap_or(5)).collect() };
    let bar = ui.progress(&design.name, None);
    let report = synthesise(
        design,
        Target::from(args.target),
        &Options {
            parts: &parts,
            seeds: &seeds,
            prove: args.prove,
            breakdown: args.breakdown,
            folder: folder.path(),
            tools: &ToolPath::from_environment(),
        },
        &|what| bar.set_message(what.to_string()),
    );
    bar.finish_and_clear();
    let report = match report {
        Ok(report) => report,
        Err(error) => {
            folder.keep_if_named(&error.to_string());
            return Err(error.into());
        }
    };
    ui.print(&match args.format {
        SynthFormat::Text => text(ui, &report),
        SynthFormat::Json => pretty(&json(about, &report))?,
        SynthFormat::Csv => csv(&report),
    })?;
    Ok(Verdict::of(report.fits() && report.proved()))
}

fn parts(args: &SynthArgs, design: &SynthDesign) -> Result<Vec<Part>> {
    if args.parts.is_empty() {
        return Ok(design.parts());
    }
    let parts: Vec<Part> = args.parts.iter().map(|&part| part.into()).collect();
    if let Some(none) = parts.iter().find(|part| !design.parts().contains(part)) {
        let has: Vec<&str> = design.parts().iter().map(|part| part.name()).collect();
        bail!("--part {} does not exist in {}; give one of {}", none.name(), design.name, has.join(", "));
    }
    Ok(parts)
}

fn ratio(value: Option<f64>) -> String {
    value.map_or("-".into(), |value| format!("{value:.3}"))
}

fn text(ui: &Ui, report: &SynthReport) -> String {
    let mut notes = String::new();
    let rows: Vec<Vec<String>> = report
        .rows
        .iter()
        .map(|row| {
            let (luts, ffs) = row.ratios();
            let mhz = match row.fmax() {
                Some(fmax) => [fmax.median(), fmax.min(), fmax.max()].map(|mhz| format!("{mhz:.0}")),
                None => ["-", "-", "-"].map(String::from),
            };
            if let Speed::TooLarge(too_large) = &row.speed {
                notes += &format!("{BAD}{} does not fit{BAD:#}: {too_large}\n", row.name);
            }
            if let Proof::Unproven(pairs) = row.proof {
                notes += &format!(
                    "{BAD}{}: equivalence of netlist and RTL is not proved{BAD:#}: {pairs} pairs of signals are left\n",
                    row.name
                );
            }
            if !row.area.sizes.is_empty() {
                let sizes: Vec<String> =
                    row.area.sizes.iter().map(|(inputs, count)| format!("{count} LUT{inputs}")).collect();
                notes += &format!("{} has LUTs of these sizes: {}\n", row.name, sizes.join(", "));
            }
            if !row.area.other.is_empty() {
                let cells: Vec<String> =
                    row.area.other.iter().map(|(cell, count)| format!("{count} {cell}")).collect();
                notes += &format!("{} also has: {}\n", row.name, cells.join(", "));
            }
            if let Some((from, to)) = row.fmax().and_then(|fmax| fmax.critical()).filter(|_| ui.verbose()) {
                notes += &format!("{}: slowest path from {from} to {to}\n", row.name);
            }
            let numbers = [row.count, row.area.luts, row.area.ffs, row.area.carries, row.area.brams];
            let mut cells = vec![row.part.name().to_string(), row.name.clone(), row.parameters.clone()];
            cells.extend(numbers.map(|number| number.to_string()));
            cells.extend([ratio(luts), ratio(ffs)]);
            cells.extend(mhz);
            cells
        })
        .collect();
    let seeds = match report.seeds.len() {
        0 => match report.target {
            Target::Device(_) => "areas only".to_string(),
            Target::Areas(_) => {
                "areas only; Fmax is not measured, since no tool here places and routes this family".into()
            }
        },
        1 => "seed 1".into(),
        seeds => format!("Fmax in MHz: median, minimum and maximum of seeds 1 to {seeds}"),
    };
    let proved = report.rows.iter().filter(|row| row.proof == Proof::Proved).count();
    if proved > 0 {
        notes += &format!("equivalence of netlist and RTL proved by induction: {proved} modules\n");
    }
    let mut text = format!("{HEAD}{}{HEAD:#} on {}; {seeds}\n", report.design, report.target.title());
    let lut = report.target.library().lut();
    let of_floor = format!("{lut}/floor");
    let header = [
        "part",
        "module",
        "parameters",
        "count",
        lut,
        "FF",
        "carry",
        "BRAM",
        &of_floor,
        "FF/floor",
        "Fmax",
        "min",
        "max",
    ];
    text += &table::render(&header, &rows);
    if let Some((luts, ffs)) = report.controllers() {
        let whole = report.rows.iter().find(|row| row.part.is_whole()).map_or("", |row| row.part.name());
        text += &format!("controllers ({whole} less fabric): {luts} {lut}, {ffs} FF\n");
    }
    text + &notes + &breakdown::text(report)
}

/// No name and no number has a comma in it.
fn csv(report: &SynthReport) -> String {
    let mut text = String::from(
        "target,part,module,parameters,count,lut4,ff,carry,bram,floor_lut4,floor_ff,fmax_mhz_median,fmax_mhz_min,fmax_mhz_max,fits\n",
    );
    for row in &report.rows {
        let number = |value: Option<u64>| value.map(|v| v.to_string()).unwrap_or_default();
        let mhz = |value: Option<f64>| value.map(|v| format!("{v:.2}")).unwrap_or_default();
        let fields = [
            report.target.name().to_string(),
            row.part.name().into(),
            row.name.clone(),
            row.parameters.clone(),
            row.count.to_string(),
            row.area.luts.to_string(),
            row.area.ffs.to_string(),
            row.area.carries.to_string(),
            row.area.brams.to_string(),
            number(row.floor.map(|floor| floor.luts)),
            number(row.floor.map(|floor| floor.ffs)),
            mhz(row.fmax().map(|fmax| fmax.median())),
            mhz(row.fmax().map(|fmax| fmax.min())),
            mhz(row.fmax().map(|fmax| fmax.max())),
            (!matches!(row.speed, Speed::TooLarge(_))).to_string(),
        ];
        text += &fields.join(",");
        text.push('\n');
    }
    text
}

fn json(about: Value, report: &SynthReport) -> Value {
    let modules: Vec<Value> = report.rows.iter().map(module).collect();
    let capacity = report.target.device().map(|device| {
        let capacity = device.capacity();
        json!({"luts": capacity.luts, "ffs": capacity.ffs, "brams": capacity.brams})
    });
    let found = json!({
        "target": report.target.name(), "device": report.target.title(),
        "capacity": capacity,
        "seeds": report.seeds.len(), "fits": report.fits(), "modules": modules,
        "controllers": report.controllers().map(|(luts, ffs)| json!({"luts": luts, "ffs": ffs})),
    });
    let members = [about, found].into_iter().filter_map(|value| match value {
        Value::Object(members) => Some(members),
        _ => None,
    });
    Value::Object(members.flatten().collect())
}

fn module(row: &SynthRow) -> Value {
    let (lut_ratio, ff_ratio) = row.ratios();
    let fmax = row.fmax().map(|fmax| {
        let seeds: Vec<f64> = fmax.seeds.iter().map(|timing| timing.fmax_mhz).collect();
        json!({
            "median": fmax.median(), "min": fmax.min(), "max": fmax.max(), "seeds": seeds,
            "critical_path": fmax.critical().map(|(from, to)| json!({"from": from, "to": to})),
        })
    });
    let too_large = match &row.speed {
        Speed::TooLarge(t) => {
            json!({"resource": t.resource, "needs": t.needs, "has": t.has, "without_harness": t.alone})
        }
        Speed::NotAsked | Speed::Placed(_) => Value::Null,
    };
    let proved = match row.proof {
        Proof::NotAsked => Value::Null,
        Proof::Proved => true.into(),
        Proof::Unproven(_) => false.into(),
    };
    json!({
        "part": row.part.name(), "name": row.name, "parameters": row.parameters, "count": row.count,
        "luts": row.area.luts, "ffs": row.area.ffs, "carries": row.area.carries, "brams": row.area.brams,
        "lut_sizes": row.area.sizes, "other": row.area.other,
        "floor": row.floor.map(|floor| json!({"luts": floor.luts, "ffs": floor.ffs})),
        "lut_ratio": lut_ratio, "ff_ratio": ff_ratio, "fmax_mhz": fmax, "too_large": too_large, "proved": proved,
        "shares": breakdown::json(row),
    })
}
