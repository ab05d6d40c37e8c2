//! What runs the rounds: a sequencer that sends them, a line that tells when they arrive, and what counts both.

use super::{Exchange, Form};
use crate::cells::{ArrivalsSpec, CycleCounterSpec, DelayLineSpec, PassSequencerSpec, SequencerSpec};
use crate::describe::counter_bits;
use crate::netlist::{Expr, Instance, Kind, Module, Net, Of};
use frit_schedule::second_pass::SecondPass;
use frit_schedule::{Control, Plan};

/// The wires between the cells that run the rounds and the rest.
pub(super) struct Sequence {
    /// A word is sent.
    pub sending: Net,
    /// A word arrives.
    pub arriving: Net,
    /// The last cycle in which something is under way.
    pub ends: Net,
    /// The inputs belong to the second pass, where there is one.
    pub again: Option<Net>,
    /// An exchange begins with the next cycle.
    begin: Net,
    /// The numbers of the round being sent and of the one arriving, for controls that follow from them, if the cells that run
    /// the rounds know them.
    pub rounds: Option<[Net; 2]>,
}

/// The ports that tell of an exchange.
pub(super) struct Told {
    pub start: Net,
    pub ready: Net,
    pub busy: Net,
    pub done: Net,
    pub cycles: Net,
}

/// The last cycle in which a word is sent, not counting those of second passes, and the bits of its number.
fn last_slot(plan: &Plan, form: Form) -> (u64, u32) {
    let last = u64::from(plan.rounds) * u64::from(form.words) - 1;
    (last, counter_bits(last))
}

/// The cell that sends the rounds.
fn sequencer_cell(plan: &Plan, form: Form) -> Of {
    let (last, bits) = last_slot(plan, form);
    match plan.second_pass.map(SecondPass::window) {
        None => Of::cell(SequencerSpec { bits, last }),
        Some(window) => {
            let slot_bits = counter_bits(u64::from(window) - 1);
            Of::cell(PassSequencerSpec { bits, slot_bits, last, window: window as u64 })
        }
    }
}

impl Sequence {
    /// Declares the wires.
    pub fn wires(module: &mut Module, plan: &Plan, form: Form) -> Self {
        let mut wire = |name: &str, bits| module.net(Kind::Wires, name, bits);
        let counted = matches!(plan.control, Control::Stages(_) | Control::Table(_)) && form.words == 1;
        let (_, bits) = last_slot(plan, form);
        Sequence {
            sending: wire("sending", 1),
            arriving: wire("arriving", 1),
            ends: wire("ends", 1),
            again: plan.second_pass.map(|_| wire("again", 1)),
            begin: wire("beginning", 1),
            rounds: counted.then(|| ["round", "arrival"].map(|name| wire(name, bits))),
        }
    }
}

impl Exchange<'_> {
    /// Adds the cells that run the rounds.
    pub(super) fn sequence(&mut self, run: &Sequence, told: Told) {
        let sequencer = self
            .clocked("u_sequencer", sequencer_cell(self.plan, self.form))
            .input("start_i", told.start)
            .output("ready_o", told.ready)
            .output("begin_o", run.begin)
            .output("sending_o", run.sending);
        let sequencer = match run.again {
            Some(again) => sequencer.output("again_o", again),
            // Where a bit sets all levels at a time, those of the exchange before need the same as those of the next.
            None => {
                let late = self.plan.joins_late(self.form.words);
                let hold = if late { Expr::constant(0, 1) } else { told.busy.into() };
                sequencer.input("hold_i", hold).outputs("round_o", vec![run.rounds.map(|[round, _]| round)])
            }
        };
        self.module.instances.push(sequencer);
        self.delay(run.sending, run.arriving);
        let (last, bits) = last_slot(self.plan, self.form);
        // As many as begin while the first of them is under way, its last cycle included.
        let words = self.form.words;
        let cycles = self.plan.message_cycles(words) + u64::from(self.form.ahead);
        let flight_bits = counter_bits(cycles / self.plan.message_period(words) + 1);
        let arrivals = self
            .clocked("u_arrivals", Of::cell(ArrivalsSpec { bits, last, flight_bits }))
            .input("begin_i", run.begin)
            .input("arriving_i", run.arriving)
            .outputs("arrival_o", vec![run.rounds.map(|[_, arrival]| arrival)])
            .output("done_o", told.done)
            .output("busy_o", told.busy)
            .output("ends_o", run.ends);
        self.module.instances.push(arrivals);
        let counter = self
            .clocked("u_cycle_counter", Of::cell(CycleCounterSpec { most: (1 << counter_bits(cycles)) - 1 }))
            .input("count_i", told.busy)
            .input("clear_i", Expr::Any(vec![run.begin.into(), run.ends.into()]))
            .output("cycles_o", told.cycles);
        self.module.instances.push(counter);
    }

    /// Lines behind each other, as long as the way from sending to arrival.
    fn delay(&mut self, sending: Net, arriving: Net) {
        let latency = self.plan.latency() + u32::from(self.form.ahead);
        let lines = latency.div_ceil(DelayLineSpec::MOST);
        let mut bit = sending;
        for line in 0..lines {
            let cycles = DelayLineSpec::MOST.min(latency - line * DelayLineSpec::MOST);
            let name = |what: &str| if lines == 1 { what.to_string() } else { format!("{what}_{line}") };
            let next = match line + 1 == lines {
                true => arriving,
                false => self.module.net(Kind::Wires, name("delayed"), 1),
            };
            let instance = self
                .clocked(&name("u_delay_line"), Of::cell(DelayLineSpec { cycles }))
                .input("bit_i", bit)
                .output("bit_o", next);
            self.module.instances.push(instance);
            bit = next;
        }
    }

    /// An instance with clock and reset.
    fn clocked(&self, name: &str, of: Of) -> Instance {
        Instance::new(name, of).input("clk_i", self.clk).input("rst_i", self.rst)
    }
}
