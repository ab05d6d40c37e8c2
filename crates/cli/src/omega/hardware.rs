//! The hardware of the Omega network from cells that are there, its testbench, and its campaign.

use super::{Arrival, Omega, Traffic};
use crate::kind::Core;
use crate::verified::report::{self, Summary, Verified, VerifyRequest};
use anyhow::{Result, bail};
use frit_cells::bench::PeriodObserver;
use frit_cells::cells::{PassGateSpec, RoundDelaySpec, WordMergeSpec};
use frit_cells::netlist::simulate::Simulated;
use frit_cells::netlist::{Expr, Instance, Kind, Module, Net, Netlist, Of, Part};
use frit_cosim::campaign::{FirstDifference, Printed, WaveDifference, rows, wave_difference};
use frit_cosim::routed::Routed;
use frit_cosim::verify::Engine;
use frit_device::Device;
use frit_network::facts;
use frit_network::facts::Facts;
use frit_network::{PortIdx, Refusal, RowIdx};
use frit_rtl::Files;
use frit_trace::output::open;
use std::path::Path;

/// A design with what must happen in it.
struct OmegaHardware {
    traffic: Traffic,
    netlist: Netlist,
    arrivals: Vec<Arrival>,
    steps: u64,
}

/// What an engine saw, and what its testbench found wrong first.
struct OmegaEvents {
    arrivals: Vec<Arrival>,
    complaint: Option<(u64, String)>,
}

pub fn verify(asked: &VerifyRequest, core: &Core, omega: Omega) -> Result<Verified> {
    let args = asked.args;
    let seed = core.args.payload.seed;
    let traffic = omega.traffic(core.args.packets.traffic.as_deref().unwrap_or("permutation"), seed)?;
    let fault = match args.fault.as_deref() {
        None => false,
        Some("swapped-inputs") => true,
        Some(other) => bail!("{other:?} is not a fault of omega; the fault is swapped-inputs"),
    };
    let (name, command) = (traffic.name(), format!("frit verify omega -n {} --seed {seed}", omega.rows));
    let design = || {
        let (arrivals, steps) = traffic.run();
        Ok(OmegaHardware { netlist: traffic.netlist(fault), traffic, arrivals, steps })
    };
    report::verify(asked, core.named(), &name, &command, design, |design| {
        let (arrive, all) = (design.arrivals.len(), design.traffic.messages.len());
        Summary {
            what: format!("{arrive} of {all} messages arrive"),
            members: facts! { "steps": design.steps, "delivered": arrive },
            words: ["delivered", "cycle"],
        }
    })
}

fn bits(net: Net, high: u32, low: u32) -> Part {
    Part::Net { net, bits: Some((high, low)), invert: false }
}

impl Traffic {
    fn name(&self) -> String {
        format!("omega_n{}_k{}", self.omega.rows, self.omega.count)
    }

    /// Bits of the number of a message.
    fn number_bits(&self) -> u32 {
        (self.messages.len() as u32 - 1).ilog2() + 1
    }

    fn word_bits(&self) -> u32 {
        self.omega.stages() + self.number_bits()
    }

    /// A switch: the topmost bit of a word says where it goes, and becomes the lowest of the destination.
    fn switch(&self) -> Module {
        let (word_bits, number) = (self.word_bits(), self.number_bits());
        let mut module =
            Module::new(format!("{}_switch", self.name()), vec!["A switch without buffers.".into()]);
        let clk = module.net(Kind::Input, "clk_i", 1);
        let rst = module.net(Kind::Input, "rst_i", 1);
        let valid = module.bundle(Kind::Input, "valid_i", 2, 1);
        let word = module.bundle(Kind::Input, "word_i", 2, word_bits);
        let valid_o = module.bundle(Kind::Output, "valid_o", 2, 1);
        let word_o = module.bundle(Kind::Output, "word_o", 2, word_bits);
        let wants = [0, 1].map(|x| module.bundle(Kind::Wires, format!("wants{x}"), 2, 1));
        for side in 0..2 {
            let top = Expr::Concat(vec![bits(word.lane(side), word_bits - 1, word_bits - 1)]);
            module.instances.push(
                Instance::new(format!("u_wants_{side}"), Of::cell(PassGateSpec))
                    .input("deliver_i", top)
                    .input("valid_i", valid.lane(side))
                    .output("valid_o", wants[1].lane(side))
                    .output("back_valid_o", wants[0].lane(side)),
            );
        }
        for (x, wants) in (0..2).zip(wants) {
            let lower = module.net(Kind::Wires, format!("lower{x}"), 1);
            let take = module.net(Kind::Wires, format!("take{x}"), 1);
            let passed = module.net(Kind::Wires, format!("passed{x}"), word_bits);
            let kept = module.net(Kind::Wires, format!("kept{x}"), word_bits + 1);
            module.instances.extend([
                Instance::new(format!("u_lower_{x}"), Of::cell(PassGateSpec))
                    .input("deliver_i", wants.lane(0))
                    .input("valid_i", wants.lane(1))
                    .unused("valid_o")
                    .output("back_valid_o", lower),
                Instance::new(format!("u_merge_{x}"), Of::cell(WordMergeSpec { width: word_bits }))
                    .input("left_take_i", wants.lane(0))
                    .input("left_word_i", word.lane(0))
                    .input("right_take_i", lower)
                    .input("right_word_i", word.lane(1))
                    .output("take_o", take)
                    .output("word_o", passed),
                Instance::new(format!("u_register_{x}"), Of::cell(RoundDelaySpec { bits: word_bits + 1 }))
                    .input("clk_i", clk)
                    .input("rst_i", rst)
                    .input("round_i", Expr::Concat(vec![take.into(), passed.into()]))
                    .output("round_o", kept),
            ]);
            let turned = [(word_bits - 2, number), (word_bits - 1, word_bits - 1), (number - 1, 0)];
            let turned = turned.map(|(high, low)| bits(kept, high, low)).to_vec();
            module.assigns.push((valid_o.lane(x), Expr::Concat(vec![bits(kept, word_bits, word_bits)])));
            module.assigns.push((word_o.lane(x), Expr::Concat(turned)));
        }
        module.explain(&PORTS);
        module
    }

    /// `D_route`; with the fault the inputs of the first switch are swapped.
    fn netlist(&self, fault: bool) -> Netlist {
        let (rows, stages, word_bits) = (self.omega.rows, self.omega.stages(), self.word_bits());
        let mut netlist = Netlist::of_design(self.name());
        let switch = netlist.add(self.switch());
        let mut module = Module::new(format!("{}_route", self.name()), vec!["An Omega network.".into()]);
        let clk = module.net(Kind::Input, "clk_i", 1);
        let rst = module.net(Kind::Input, "rst_i", 1);
        let mut valid = module.bundle(Kind::Input, "inject_valid_i", rows, 1);
        let mut word = module.bundle(Kind::Input, "inject_word_i", rows, word_bits);
        let last_valid = module.bundle(Kind::Output, "deliver_valid_o", rows, 1);
        let last_word = module.bundle(Kind::Output, "deliver_word_o", rows, word_bits);
        for stage in 0..stages {
            let (next_valid, next_word) = match stage + 1 == stages {
                true => (last_valid, last_word),
                false => (
                    module.bundle(Kind::Wires, format!("s{stage}_valid"), rows, 1),
                    module.bundle(Kind::Wires, format!("s{stage}_word"), rows, word_bits),
                ),
            };
            for k in 0..rows / 2 {
                let mut from = [2 * k, 2 * k + 1].map(|port| self.omega.before(PortIdx(port)));
                if fault && (stage, k) == (0, 0) {
                    from.reverse();
                }
                let to = [2 * k, 2 * k + 1];
                module.instances.push(
                    Instance::new(format!("u_s{stage}_{k}"), Of::Module(switch))
                        .input("clk_i", clk)
                        .input("rst_i", rst)
                        .inputs("valid_i", from.map(|wire| valid.lane(wire).into()).to_vec())
                        .inputs("word_i", from.map(|wire| word.lane(wire).into()).to_vec())
                        .outputs("valid_o", to.map(|row| Some(next_valid.lane(row))).to_vec())
                        .outputs("word_o", to.map(|row| Some(next_word.lane(row))).to_vec()),
                );
            }
            (valid, word) = (next_valid, next_word);
        }
        module.explain(&PORTS);
        netlist.add(module);
        netlist
    }

    /// The word that a row offers in a step, if it has a message then.
    fn offered(&self, step: u32, row: RowIdx) -> Option<u64> {
        let number = (step < self.omega.count).then(|| self.messages.first(row.0) + step)?;
        let to = self.messages.destinations()[number as usize];
        Some(u64::from(to) << self.number_bits() | u64::from(number))
    }
}

const PORTS: [(&str, &str); 10] = [
    ("clk_i", "clock, rising edge"),
    ("rst_i", "reset, synchronous, active high"),
    ("valid_i", "word_i holds a message"),
    ("word_i", "destination, then the number of the message"),
    ("valid_o", "word_o holds a message"),
    ("word_o", "destination, turned by a bit, then the number of the message"),
    ("inject_valid_i", "inject_word_i holds a message"),
    ("inject_word_i", "destination, then the number of the message"),
    ("deliver_valid_o", "deliver_word_o holds a message"),
    ("deliver_word_o", "destination, then the number of the message"),
];

impl Device for OmegaHardware {
    fn netlist(&self) -> &Netlist {
        &self.netlist
    }

    fn netlist_mut(&mut self) -> &mut Netlist {
        &mut self.netlist
    }

    fn bench(&self, list: &[String]) -> Files {
        let (name, traffic) = (self.name(), &self.traffic);
        let (steps, rows, number) = (self.steps as u32, traffic.omega.rows, traffic.number_bits());
        let cells = || (0..steps).flat_map(|step| (0..rows).map(move |row| (step, row)));
        let offered = cells().map(|(step, row)| match traffic.offered(step, RowIdx(row)) {
            Some(word) => format!("{:x}\n", word | 1 << traffic.word_bits()),
            None => "0\n".into(),
        });
        let expected = cells().map(|(step, row)| {
            let comes =
                self.arrivals.iter().find(|arrival| (arrival.step, arrival.row) == (step, RowIdx(row)));
            format!("{:x}\n", comes.map_or(0, |arrival| arrival.message | 1 << number))
        });
        let numbers = [
            ("@D@", name.clone()),
            ("@ROWS@", rows.to_string()),
            ("@BITS@", traffic.word_bits().to_string()),
            ("@NUMBER@", number.to_string()),
            ("@CYCLES@", steps.to_string()),
        ];
        let tb =
            numbers.iter().fold(include_str!("tb.sv").to_string(), |text, (from, to)| text.replace(from, to));
        vec![
            (format!("{name}_offered.memh"), offered.collect()),
            (format!("{name}_expected.memh"), expected.collect()),
            (format!("{name}_tb.f"), format!("{}\ntb_{name}.sv\n", list.join("\n"))),
            (format!("tb_{name}.sv"), tb),
        ]
    }

    fn command(&self) -> String {
        String::new()
    }

    fn facts(&self) -> Facts {
        Facts::new()
    }
}

impl Routed for OmegaHardware {
    type Events = OmegaEvents;
    const RESULTS: &'static [&'static str] = &["arrivals.csv", "wave.fst", "wave.vcd", "run.log"];
    const EVENTS: &'static [&'static str] = &["arrivals"];
    const PROBES: &'static [&'static str] = &[];
    const SHOWN: Engine = Engine::RustHdl;

    fn expected(&self) -> u64 {
        self.arrivals.len() as u64
    }

    fn counted(seen: &OmegaEvents) -> u64 {
        seen.arrivals.len() as u64
    }

    fn simulate(
        &self,
        mut design: Simulated,
        periods: &mut dyn PeriodObserver,
    ) -> Result<OmegaEvents, Refusal> {
        let find = |name: &str| design.find("", name).expect("a port of D_route");
        let [clk, rst] = ["clk_i", "rst_i"].map(find);
        let [valid, word] = ["inject_valid_i", "inject_word_i"].map(find);
        let [out, out_word] = ["deliver_valid_o", "deliver_word_o"].map(find);
        let (rows, mask) = (self.traffic.omega.rows, (1 << self.traffic.number_bits()) - 1);
        let mut arrivals = Vec::new();
        for period in 0..self.steps + 3 {
            let step = (period as u32).checked_sub(3);
            design.set(&clk, 0, 0);
            design.set(&rst, 0, u64::from(period < 2));
            for row in RowIdx::all(rows) {
                let offered = step.and_then(|step| self.traffic.offered(step, row));
                design.set(&valid, row.idx(), offered.is_some().into());
                design.set(&word, row.idx(), offered.unwrap_or(0));
            }
            design.settle()?;
            periods.period(period, &design);
            let comes = |row: &u32| step.is_some() && design.get(&out, *row as usize) != 0;
            arrivals.extend((0..rows).filter(comes).map(|row| {
                let message = design.get(&out_word, row as usize) & mask;
                Arrival { step: step.unwrap_or(0), row: RowIdx(row), message: message as u32 }
            }));
            design.set(&clk, 0, 1);
            design.settle()?;
        }
        Ok(OmegaEvents { arrivals, complaint: None })
    }

    fn read(&self, printed: &Printed) -> Result<OmegaEvents, Refusal> {
        let path = printed.folder.join("arrivals.csv");
        let arrivals = rows(open(&path)?, &path)?;
        let said =
            printed.output.lines().find_map(|line| line.strip_prefix("FAIL: cycle ")?.split_once(": "));
        Ok(OmegaEvents {
            arrivals: arrivals
                .into_iter()
                .map(|[step, row, message]| Arrival { step, row: RowIdx(row), message })
                .collect(),
            complaint: said.map(|(cycle, what)| (cycle.parse().unwrap_or(0), what.into())),
        })
    }

    fn first(&self, got: &OmegaEvents) -> Option<FirstDifference> {
        let told =
            |cycle: u64, expected: String, got: String| FirstDifference::new(cycle, "arrival", expected, got);
        let (a, b) = (&self.arrivals, &got.arrivals);
        let at = (0..a.len().max(b.len())).find(|&at| a.get(at) != b.get(at));
        let words = |arrival: Option<&Arrival>| match arrival {
            Some(Arrival { step, row, message }) => format!("message {message} in row {row} in cycle {step}"),
            None => "none".into(),
        };
        let event = at.map(|at| {
            let first = a.get(at).into_iter().chain(b.get(at)).map(|arrival| arrival.step).min();
            told(first.unwrap_or(0).into(), words(a.get(at)), words(b.get(at)))
        });
        event.or_else(|| got.complaint.clone().map(|(cycle, what)| told(cycle, "PASS".into(), what)))
    }

    fn first_of_waves(&self, a: &Path, b: &Path) -> Result<Option<FirstDifference>, Refusal> {
        Ok(wave_difference(a, b, &[])?.map(|WaveDifference { cycle, signal, expected, got }| {
            let cycle = (cycle.unwrap_or(0) as u64).saturating_sub(1);
            FirstDifference::new(cycle, &signal, expected, got)
        }))
    }
}
