//! An exchange of the table of systems, alone and with its tops: streams (`--axis`), another reset, a self-test.

mod memory;
mod streams;

use super::{Core, Kind, Synthesis};
use crate::Verdict;
use crate::args::{FabricStyle, GenerateArgs, PartArg, SynthArgs};
use crate::emitted::{self, check_size, need_memory, style, style_compared};
use crate::payload::{check_payload_size, messages_or_random};
use crate::summary;
use crate::verified::proofs::{Proved, proving};
use crate::verified::report::{Verified, VerifyRequest, check_required, not_run, or_keep};
use crate::verified::{engines, mapping, netlist_name, netlist_note, workplace};
use anyhow::{Result, bail};
use frit_cells::design::axis::{self, Face, Streams};
use frit_cells::design::build;
use frit_cells::design::reset::Reset;
use frit_cells::fault::plant;
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::{SourceFile, files};
use frit_cosim::formal::{Against, Contract, Ground, Proof, prove_equal};
use frit_cosim::prototype;
use frit_cosim::synth::{SynthDesign, Target};
use frit_cosim::verify::{Config, Engine, verify, verify_streams};
use frit_design::generate::{Form, Tops, Written, exchange, style_name};
use frit_design::package::about_streams;
use frit_network::Refusal;
use frit_rtl::ports_contract::bundles;
use frit_schedule::{Faults, Phases, Plan, Timeline};
use serde_json::{Map, json};

impl Kind for Plan {
    fn generate(&self, core: &Core, args: &GenerateArgs, form: &Form) -> Result<Written> {
        let plan = &form.named(self);
        check_size(plan)?;
        let data_bits = core.width()?;
        let streams = core.args.streams.streams(data_bits)?;
        let width = core.args.streams.word_bits(data_bits)?;
        check_payload_size(plan.network.terminals(), width)?;
        need_memory(plan, width)?;
        let messages = messages_or_random(&core.args.payload, plan, width)?;
        let divider = || prototype::divider(args.selftest.clock, args.selftest.baud);
        let selftest = args.selftest.selftest.then(divider).transpose()?;
        let tops = Tops { streams, reset: core.args.streams.exchange_reset(), selftest };
        let written = exchange(plan, width, &messages.payload, form, &tops)?;
        let streams = streams.map(|streams| about_streams(plan, width, streams, &written.files));
        Ok(Written { about: json!({"payload": messages.origin, "streams": streams}), ..written })
    }

    fn verify(&self, asked: &VerifyRequest, core: &Core) -> Result<Verified> {
        let VerifyRequest { ui, args, tools } = *asked;
        let data_bits = core.width()?;
        if core.args.streams.asks_reset() && !core.args.streams.axis {
            bail!(
                "--reset applies to tops with streams only; pass --axis, or run frit generate --reset, which writes a testbench of its own"
            );
        }
        let (width, streams) =
            (core.args.streams.word_bits(data_bits)?, core.args.streams.streams(data_bits)?);
        let mut plan = Plan { exchanges: args.exchanges, ..self.clone() };
        if args.expected {
            if core.args.streams.axis {
                bail!("--expected applies to the exchange itself; leave out --axis");
            }
            plan.faults = Faults::parse(&plan, args.fault.as_slice())?;
        }
        let engines = engines(args);
        emitted::check(&plan, width, engines.len())?;
        let messages = messages_or_random(&core.args.payload, &plan, width)?;
        let name = plan.design_name(width);
        let folder = workplace(args, &name, core.many)?;
        let bar = ui.progress(&format!("{name}: generating"), None);
        let progress =
            |engine: Engine, what: &str| bar.set_message(format!("{name}: {} {what}", engine.name()));
        let config = Config {
            plan: &plan,
            payload: &messages.payload,
            engines: &engines,
            folder: folder.path(),
            fault: args.fault.as_deref(),
            wave: args.wave.kind(),
            style: style_compared(args.fabric_style, &plan, args.netlist.is_some()),
            netlist: mapping(args),
            tools,
            progress: &progress,
        };
        let report = verify(&config).and_then(|report| {
            let streams = streams.map(|streams| verify_streams(&config, streams)).transpose()?;
            Ok((report, streams))
        });
        bar.finish_and_clear();
        let ((report, streams), folder) = or_keep(report, folder)?;
        check_required(args, |engine| {
            let of = streams.iter().flat_map(|report| &report.engines).find(|of| of.engine == engine);
            not_run(&report.engines, engine).or_else(|| of?.state.not_run())
        })?;
        let (run, of_streams) = (&report.run, streams.as_ref().is_none_or(|streams| streams.agrees()));
        let mut members = summary::facts(&plan, width, run);
        let mut text = streams.as_ref().map(streams::text).unwrap_or_default();
        if !run.ok() {
            text += &summary::text(&plan, &members);
        }
        members.insert("design".into(), name.clone().into());
        members.insert("payload".into(), messages.origin.clone().into());
        members.insert("fabric_style".into(), style_name(report.style).into());
        members.insert("agrees".into(), (report.agrees() && of_streams).into());
        members.insert("netlist".into(), netlist_name(args.netlist).into());
        let json: Map<_, _> = streams.iter().map(|of| ("streams".into(), streams::json(of))).collect();
        let timeline = (plan.phases == Phases::PrepareAndSend).then(|| Timeline::new(&plan, width));
        let of_run = move |run| match &timeline {
            None => String::new(),
            Some(timeline) if run < timeline.prepare_runs => format!(" of prepare run {run}"),
            Some(_) => " of the run that carries the messages".into(),
        };
        Ok(Verified {
            what: format!("{}{}", messages.origin, netlist_note(args.netlist)),
            members,
            words: ["cycles", "cycle", "signal"],
            paper: Some(plan.figures.cycles_paper),
            of_run: Some(Box::new(of_run)),
            // What arrives with a fault is not complete; that it is what the model says is what is asked.
            complete: run.ok() || args.expected,
            behind: (text, json, of_streams),
            times: [report.generate, report.total],
            design: name,
            ..Verified::new(report.engines, folder)
        })
    }

    /// No word decides anything, so one bit of each is enough.
    fn prove(&self, asked: &VerifyRequest, core: &Core) -> Result<Proved> {
        let (plan, args, width) = (self, asked.args, core.width_or(1)?);
        check_size(plan)?;
        let faulty = |mut netlist: Netlist| -> Result<Netlist> {
            plant(&mut netlist, plan, args.fault.as_deref())?;
            Ok(netlist)
        };
        let (netlist, style) = (faulty(build(plan, width))?, style(args.fabric_style, plan));
        let streams = core.args.streams.streams(width)?;
        if streams.is_some_and(|of| of.face != Face::Packed(Reset::OWN) && bundles(of).is_none()) {
            bail!(
                "--formal does not prove streams whose reset is asynchronous, or active low without --port-style axis: leave out --reset and --reset-level"
            );
        }
        let top = |streams| anyhow::Ok((streams, files(&faulty(axis::build(plan, width, streams)?)?, style)));
        let with_streams = streams.map(top).transpose()?;
        let files = files(&netlist, style);
        proving(asked, core.many, plan.design_name(width), |ground| {
            let mut proofs = vec![Contract::exchange(plan, width).prove(ground, &files, true)?];
            if let Some(mapping) = mapping(args) {
                proofs.push(prove_equal(ground, &netlist, Against::Netlist(mapping))?);
            }
            if args.fabric_style == FabricStyle::Compact {
                proofs.push(prove_equal(ground, &netlist, Against::Compact)?);
            }
            if let Some((streams, files)) = &with_streams {
                proofs.push(prove_top(ground, plan, width, *streams, files)?);
            }
            Ok(proofs)
        })
    }

    fn synth(&self, core: &Core, args: &SynthArgs, run: &Synthesis) -> Result<Verdict> {
        check_size(self)?;
        let width = core.width()?;
        need_memory(self, width)?;
        let about = json!({
            "design": self.design_name(width), "system": self.system,
            "terminals": self.network.terminals(), "width": width,
        });
        if !args.axis {
            return run(SynthDesign::exchange(self, width), about);
        }
        let streams = Streams::packed(args.length.unwrap_or(1), args.buffers);
        let netlist = axis::build(self, width, streams)?;
        let whole = args.parts.is_empty() || args.parts.contains(&PartArg::Axis);
        if let Some(device) = Target::from(args.target).device().filter(|_| whole && !args.no_pnr) {
            memory::refuse(&netlist, width, device)?;
        }
        run(SynthDesign::whole("axis", self.design_name(width), netlist), about)
    }
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
        Some(bundles) => Contract::ports(plan, width, streams, bundles).prove(ground, files, true),
        None => Contract::streams(plan, width, streams).prove(ground, files, true),
    }
}
