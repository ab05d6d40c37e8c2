//! The hardware of the core from cells that are there, its faults, and its testbenches: the emitted one and the one on rust-hdl.

use super::{Event, Gather, GatherMark, Phase, Senders, WORDS};
use crate::stream_core::StreamCore;
use frit_cells::cells::{BeatGateSpec, StepRegisterSpec, TurnRingSpec};
use frit_cells::design::crossbar::PORTS;
use frit_cells::design::multibutterfly::merge::{Offer, Take, merge};
use frit_cells::fault::{Change, FaultTable, change, row, top};
use frit_cells::netlist::{Expr, Instance, Kind, Module, Net, Netlist, Of, Part};
use frit_device::agent::{Marks, Way};
use frit_device::{Device, Record, Recorded, Seen, agent};
use frit_model::crossbar::word;
use frit_model::event::PhaseRun;
use frit_network::{Refusal, facts, facts::Facts};
use frit_rtl::Files;
use frit_rtl::phases::{Phased, Row};
use frit_schedule::plan::Variant;
use serde_json::json;

pub static FAULTS: FaultTable<Netlist> = FaultTable {
    core: "gather",
    rows: &[
        row(
            "turn:INPUT",
            "the words of an input leave whether or not it has its turn",
            |netlist, [lane, ..]| {
                change(top(netlist), &format!("u_take_{lane:02}"), "advance_i", Change::Constant(1))
            },
        ),
        row(
            "ready:INPUT",
            "an input is told that its word is taken before its turn",
            |netlist, [lane, ..]| {
                change(top(netlist), &format!("u_ready_{lane:02}"), "valid_i", Change::Constant(1))
            },
        ),
        row("room", "the word at the output is replaced whether or not it was taken", |netlist, _| {
            change(top(netlist), "u_output", "step_i", Change::Constant(1))
        }),
        row("step", "the turn moves on without a word", |netlist, _| {
            change(top(netlist), "u_ring", "step_i", Change::Signal("advance"))
        }),
        row("last", "tlast is inverted", |netlist, _| {
            change(top(netlist), "u_output", "data_i", Change::Invert(1))
        }),
    ],
};

fn bits(net: Net, high: u32, low: u32) -> Part {
    Part::Net { net, bits: Some((high, low)), invert: false }
}

impl Gather {
    pub fn netlist(self, width: u32, design: &str) -> Netlist {
        let n = self.lanes;
        let about = format!("{n} streams in, one out: a word of each in turn.");
        let mut module = Module::new(format!("{design}_gather"), vec![about]);
        let [clk, rst] = ["clk_i", "rst_i"].map(|name| module.net(Kind::Input, name, 1));
        let valid = module.bundle(Kind::Input, "s_axis_tvalid_i", n, 1);
        let ready = module.bundle(Kind::Output, "s_axis_tready_o", n, 1);
        let data = module.bundle(Kind::Input, "s_axis_tdata_i", n, width);
        let last = module.bundle(Kind::Input, "s_axis_tlast_i", n, 1);
        let out_valid = module.bundle(Kind::Output, "m_axis_tvalid_o", 1, 1).lane(0);
        let out_ready = module.bundle(Kind::Input, "m_axis_tready_i", 1, 1).lane(0);
        let out_data = module.bundle(Kind::Output, "m_axis_tdata_o", 1, width).lane(0);
        let out_last = module.bundle(Kind::Output, "m_axis_tlast_o", 1, 1).lane(0);
        let round = module.net(Kind::Output, "round_o", 1);
        let turn = module.net(Kind::Vector, "turn", n);
        let [advance, moves] = ["advance", "moves"].map(|name| module.net(Kind::Vector, name, 1));
        let shown = module.net(Kind::Vector, "shown", width + 2);
        let bit = |net, at| Expr::Concat(vec![bits(net, at, at)]);
        let gate = |name: String| Instance::new(name, Of::cell(BeatGateSpec));
        let mut offers = Vec::new();
        for lane in 0..n {
            let take = module.net(Kind::Vector, format!("take_{lane:02}"), 1);
            module.instances.extend([
                gate(format!("u_take_{lane:02}"))
                    .input("valid_i", valid.lane(lane))
                    .input("advance_i", bit(turn, lane))
                    .output("step_o", take),
                gate(format!("u_ready_{lane:02}"))
                    .input("valid_i", bit(turn, lane))
                    .input("advance_i", advance)
                    .output("step_o", ready.lane(lane)),
            ]);
            let word = Expr::Concat(vec![last.lane(lane).into(), data.lane(lane).into()]);
            offers.push(Offer { take: take.into(), word });
        }
        let Offer { take, word } = merge(&mut module, "merge", width + 1, offers, Take::Used);
        let next = [take.as_net(), word.as_net()].map(|net| net.expect("two inputs or more are merged"));
        let next = vec![next[0].into(), bits(next[1], width, width), bits(next[1], width - 1, 0)];
        let clocked = |name, of| Instance::new(name, of).input("clk_i", clk).input("rst_i", rst);
        module.instances.extend([
            gate("u_moves".into()).input("valid_i", take).input("advance_i", advance).output("step_o", moves),
            clocked("u_ring", Of::cell(TurnRingSpec { bits: n }))
                .input("run_i", Expr::constant(1, 1))
                .input("step_i", moves)
                .output("turn_o", turn)
                .output("wrap_o", round),
            clocked("u_output", Of::cell(StepRegisterSpec { bits: width + 2, start: 0 }))
                .input("step_i", advance)
                .input("data_i", Expr::Concat(next))
                .output("data_o", shown),
        ]);
        let free = Part::Net { net: out_valid, bits: None, invert: true };
        module.assigns.extend([
            (advance, Expr::Any(vec![out_ready.into(), free])),
            (out_valid, bit(shown, width + 1)),
            (out_last, bit(shown, width)),
            (out_data, Expr::Concat(vec![bits(shown, width - 1, 0)])),
        ]);
        module.explain(&[PORTS, &[("round_o", "the last input's word is taken")]].concat());
        let mut netlist = Netlist::of_design(design);
        netlist.add(module);
        netlist
    }
}

/// A core with what is done with it and seen there.
pub struct GatherDevice {
    gather: Gather,
    width: u32,
    command: String,
    netlist: Netlist,
    ran: Vec<(PhaseRun<GatherMark>, Phase)>,
}

impl GatherDevice {
    pub fn new(
        gather: Gather,
        width: u32,
        fault: Option<&str>,
        variant: Option<Variant>,
    ) -> Result<Self, Refusal> {
        let name = Variant::design_name(variant.as_ref(), gather.name(width));
        let more = variant.map(|variant| variant.arguments).unwrap_or_default();
        let command = format!("frit generate {}{more}", gather.arguments(width));
        let mut netlist = gather.netlist(width, &name);
        fault.map_or(Ok(()), |fault| FAULTS.plant(&mut netlist, fault))?;
        let run = |(at, phase)| (gather.run(width, at, &phase), phase);
        let ran = gather.phases().into_iter().enumerate().map(run).collect();
        Ok(GatherDevice { gather, width, command, netlist, ran })
    }
}

impl Device for GatherDevice {
    fn netlist(&self) -> &Netlist {
        &self.netlist
    }

    fn netlist_mut(&mut self) -> &mut Netlist {
        &mut self.netlist
    }

    fn bench(&self, sources: &[String]) -> Files {
        let row = |(at, (ran, phase)): (usize, &(PhaseRun<GatherMark>, Phase))| {
            let driven = [
                ("last_words", i64::from(phase.last_words)),
                ("offers", phase.offering.into()),
                ("takes", phase.taking.into()),
            ];
            Row::new(at, phase.what, &driven, (&ran.events, ran.cycles))
        };
        let bench = Phased {
            module: self.netlist.top(),
            command: &self.command,
            instance: "u_gather",
            template: include_str!("tb.sv.tera"),
            rows: self.ran.iter().enumerate().map(row).collect(),
            compared: self.ran.len(),
            long: 0,
            counted: GatherMark::Out,
        };
        let own = json!({
            "terminals": self.gather.lanes, "width_bits": self.width, "receivers": "1", "source": "0", "words": WORDS,
            "sent": [["tdata", "WidthBits"], ["tlast", "1"]],
        });
        bench.render(own, vec![], sources)
    }

    fn command(&self) -> String {
        self.command.clone()
    }

    fn facts(&self) -> Facts {
        facts! { "lanes": self.gather.lanes, "width": self.width, "latency": 1 }
    }
}

fn record(event: &Event) -> Record {
    let Event { phase, cycle, what, place, data, .. } = event;
    let (phase, cycle, counts) = (*phase, *cycle, *what == GatherMark::Out);
    let what = match what {
        GatherMark::Round => "the last input's word is taken".into(),
        GatherMark::In => format!("{data} is taken from input {place}"),
        GatherMark::Out => format!("{data} leaves"),
    };
    Record { phase, cycle, what, counts }
}

impl Recorded for GatherDevice {
    fn trial(&self) -> String {
        format!("{} streams into one, {} phases, {} bits", self.gather.lanes, self.ran.len(), self.width)
    }

    fn expected(&self) -> Vec<Record> {
        self.ran.iter().flat_map(|(ran, _)| ran.events.iter().map(record)).collect()
    }

    fn simulate(&self) -> Result<Seen, Refusal> {
        let (width, mut core) = (self.width, agent::Core::new(&self.netlist)?);
        let inputs = core.stream("s_axis_", Way::In, ["tdata", "tlast"]);
        let output = core.stream("m_axis_", Way::Out, ["tdata", "tlast"]);
        let (mut marks, mut events) = (Marks::<GatherMark>::new(&core), Vec::new());
        for (at, (_, phase)) in self.ran.iter().enumerate() {
            marks.forget();
            core.reset_with(&[&inputs.valid, &output.ready])?;
            let mut senders = Senders::new(self.gather, at);
            for cycle in 0..phase.cycles {
                senders.cycle(phase);
                for (lane, (&offered, &k)) in (0..).zip(senders.offered.iter().zip(&senders.sent)) {
                    let none = [u64::MAX >> (64 - width), 1];
                    let payload = if offered { word(width, at, lane, k) } else { none };
                    inputs.offer(&mut core, lane, offered, payload);
                }
                core.set(&output.ready, 0, senders.takes.into());
                core.settle()?;
                let seen = |what, (lane, word)| Event::word(at, cycle, what, [lane, 0], width + 1, word);
                for taken in inputs.words(&core, width) {
                    events.push(seen(GatherMark::In, taken));
                    senders.taken(taken.0 as usize);
                }
                events.extend(output.words(&core, width).into_iter().map(|word| seen(GatherMark::Out, word)));
                events.extend(marks.said(&core).into_iter().map(|what| Event::mark(at, cycle, what)));
                core.edge()?;
            }
        }
        events.sort();
        Ok(Seen { records: events.iter().map(record).collect(), complaint: None })
    }

    fn read(&self, line: &str) -> Option<Record> {
        Event::read(line).as_ref().map(record)
    }
}
