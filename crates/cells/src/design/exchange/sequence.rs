//! What runs the rounds: a sequencer that sends them, a line that tells when they arrive, and what counts both.

use super::{Exchange, Form};
use crate::cells::{
    CycleCounterSpec, DelayLineSpec, FlightSpec, PassSequencerSpec, RoundCounterSpec, SendLineSpec,
    SequencerSpec,
};
use crate::describe::counter_bits;
use crate::netlist::{Expr, Instance, Kind, Module, Net, Of, Part};
use frit_schedule::second_pass::SecondPass;
use frit_schedule::{Control, Plan};

/// Lanes that one register tells that a round is sent: fewer where it also moves on the labels of each.
fn lanes_per_send_line(plan: &Plan) -> u32 {
    if matches!(plan.control, Control::Labels(_)) { 8 } else { 16 }
}

/// The wires between the cells that run the rounds and the rest.
pub(super) struct Sequence {
    /// A word is sent.
    pub sending: Net,
    /// A word arrives.
    pub arriving: Net,
    /// The last cycle in which something is under way, unless an exchange begins with the next.
    pub ends: Option<Net>,
    /// Something is under way in the next cycle, whether or not an exchange begins with it: where that holds a start back, or is asked for.
    stays: Option<Net>,
    /// The inputs belong to the second pass, where there is one.
    pub again: Option<Net>,
    /// An exchange is under way, is so in the next cycle, and none begins with it.
    ages: Net,
    /// An exchange begins with the next cycle.
    begin: Net,
    /// The numbers of the round being sent and of the one arriving, for controls that follow from them, if the cells that run
    /// the rounds know them.
    pub rounds: Option<[Net; 2]>,
}

/// The ports that tell of an exchange.
pub(super) struct ExchangeStatus {
    pub start: Net,
    pub ready: Net,
    /// High if a start is taken in the next cycle. `None` if the design has no such port.
    pub next: Option<Net>,
    /// High if the exchange goes on in the next cycle whether or not another one begins. `None` if the design has no such port.
    pub stays: Option<Net>,
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
    pub fn wires(module: &mut Module, plan: &Plan, form: Form) -> Self {
        let mut wire = |name: &str, bits, meaning| {
            let wire = module.net(Kind::Wires, name, bits);
            module.means(wire, meaning);
            wire
        };
        let counted = matches!(plan.control, Control::Stages(_) | Control::Table(_)) && form.words == 1;
        let (_, bits) = last_slot(plan, form);
        Sequence {
            sending: wire("sending", 1, "a round is sent in this cycle"),
            arriving: wire("arriving", 1, "a round arrives in this cycle"),
            ends: matches!(plan.control, Control::Systolic(_))
                .then(|| wire("ends", 1, "only the round that arrives is under way")),
            ages: wire("ages", 1, "the youngest exchange is under way, in the next cycle, too"),
            stays: (form.ahead || !plan.joins_late(form.words))
                .then(|| wire("stays", 1, "busy_o of the next cycle, if no exchange begins")),
            again: plan
                .second_pass
                .map(|_| wire("again", 1, "the words at the inputs are in their second pass")),
            begin: wire("beginning", 1, "a start is taken: the next cycle is cycle 0"),
            rounds: counted.then(|| {
                [
                    ("round", "number of the round that is sent"),
                    ("arrival", "number of the round that arrives"),
                ]
                .map(|(name, what)| wire(name, bits, what))
            }),
        }
    }
}

impl Exchange<'_> {
    /// Adds the cells that run the rounds.
    pub(super) fn sequence(&mut self, run: &Sequence, told: ExchangeStatus) {
        let last_sent = self.module.net(Kind::Wires, "sending_last", 1);
        self.module.means(last_sent, "the last round is sent in this cycle");
        // A net of its own: the testbench of the self-test forces the output, and a simulator may carry that back to the counter.
        let cycles = self.module.net(Kind::Wires, "cycles", 32);
        self.module.means(cycles, "cycle of the youngest exchange");
        self.module.assigns.push((told.cycles, cycles.into()));
        if let (Some(port), Some(stays)) = (told.stays, run.stays) {
            self.module.assigns.push((port, stays.into()));
        }
        let sequencer = self
            .clocked("u_sequencer", sequencer_cell(self.plan, self.form))
            .input("start_i", told.start)
            .output("ready_o", told.ready)
            .output("begin_o", run.begin)
            .output("sending_o", run.sending)
            .output("last_o", last_sent);
        let sequencer = match told.next {
            Some(next) => sequencer.output("next_o", next),
            None => sequencer.unused("next_o"),
        };
        let sequencer = match run.again {
            Some(again) => sequencer.output("again_o", again),
            // Where a bit sets all levels at a time, those of the exchange before need the same as those of the next.
            None => {
                let holds = !self.plan.joins_late(self.form.words);
                let hold = run.stays.filter(|_| holds).map_or(Expr::constant(0, 1), Expr::from);
                let (_, bits) = last_slot(self.plan, self.form);
                // While a round is sent, its number is the cycle of the youngest exchange.
                let low = || Part::Net { net: cycles, bits: Some((bits - 1, 0)), invert: false };
                let round = run.rounds.map_or_else(low, |[round, _]| round.into());
                self.send_lines(told.start, told.ready, last_sent);
                sequencer.input("hold_i", hold).input("round_i", Expr::Concat(vec![round]))
            }
        };
        self.module.instances.push(sequencer);
        // A line of one cycle does not know what is sent in the next; then the last round is the only one.
        let only = match self.latency() {
            1 => last_sent,
            _ => {
                let only = self.module.net(Kind::Wires, "only_arriving", 1);
                self.module.means(only, "a round arrives in the next cycle, and no other is under way");
                only
            }
        };
        self.delay("delay", run.sending, run.arriving, (only != last_sent).then_some(only));
        self.delay("done", last_sent, told.done, None);
        let flight = self
            .clocked("u_flight", Of::cell(FlightSpec))
            .input("begin_i", run.begin)
            .input("only_i", only)
            .output("busy_o", told.busy)
            .outputs("ends_o", vec![run.ends])
            .outputs("stays_o", vec![run.stays])
            .output("ages_o", run.ages);
        self.module.instances.push(flight);
        if let Some([round, arrival]) = run.rounds {
            self.round_counter("u_rounds", [run.sending, last_sent], round);
            self.round_counter("u_arrivals", [run.arriving, told.done], arrival);
        }
        let last = self.plan.message_cycles(self.form.words) + u64::from(self.form.ahead);
        let counter = self
            .clocked("u_cycle_counter", Of::cell(CycleCounterSpec { most: (1 << counter_bits(last)) - 1 }))
            .input("count_i", run.ages)
            .output("cycles_o", cycles);
        self.module.instances.push(counter);
    }

    /// A counter of the rounds that are sent or arrive; given are whether there is one and whether it is the last.
    fn round_counter(&mut self, name: &str, [step, last_of_all]: [Net; 2], round: Net) {
        let (last, bits) = last_slot(self.plan, self.form);
        // A count that is full begins again by itself.
        let full = last + 1 == 1 << bits;
        let counter = self
            .clocked(name, Of::cell(RoundCounterSpec { bits }))
            .input("step_i", step)
            .input("last_i", if full { Expr::constant(0, 1) } else { last_of_all.into() })
            .output("round_o", round);
        self.module.instances.push(counter);
    }

    /// The lines that tell groups of lanes that a round is sent; none where the register of the sequencer drives few lanes.
    fn send_lines(&mut self, start: Net, ready: Net, last: Net) {
        if self.plan.network.lanes() <= 8 {
            return;
        }
        for group in 0..self.send_groups() {
            let line = self.module.net(Kind::Wires, format!("sending_{group}"), 1);
            let instance = self
                .clocked(&format!("u_send_line_{group}"), Of::cell(SendLineSpec))
                .input("start_i", start)
                .input("ready_i", ready)
                .input("last_i", last)
                .output("sending_o", line);
            self.module.instances.push(instance);
            self.send_lines.push(line);
        }
    }

    /// Groups of neighbouring lanes, of equal size but for the last.
    fn send_groups(&self) -> u32 {
        self.plan.network.lanes().div_ceil(lanes_per_send_line(self.plan))
    }

    /// Whether a lane takes a word of a round that is sent in this cycle.
    pub(super) fn sends(&self, lane: u32) -> Net {
        let size = self.plan.network.lanes().div_ceil(self.send_groups());
        self.send_lines.get((lane / size) as usize).copied().unwrap_or(self.sending)
    }

    /// Whether a round ends at a lane with this cycle.
    pub(super) fn advances(&self, lane: u32) -> Net {
        if self.form.words > 1 { self.advance } else { self.sends(lane) }
    }

    /// Cycles from sending to arrival.
    fn latency(&self) -> u32 {
        self.plan.latency() + u32::from(self.form.ahead)
    }

    /// Lines behind each other, as long as the way from sending to arrival; `only` is whether what arrives in the next cycle is the
    /// only bit under way.
    fn delay(&mut self, line_name: &str, sending: Net, arriving: Net, only: Option<Net>) {
        let latency = self.latency();
        let lines = latency.div_ceil(DelayLineSpec::MOST);
        let (mut bit, mut empty) = (sending, Expr::constant(1, 1));
        for line in 0..lines {
            let cycles = DelayLineSpec::MOST.min(latency - line * DelayLineSpec::MOST);
            let name = |what: &str| if lines == 1 { what.to_string() } else { format!("{what}_{line}") };
            let end = line + 1 == lines;
            let delayed = match end {
                true => arriving,
                false => self.module.net(Kind::Wires, name(&format!("{line_name}ed")), 1),
            };
            let none = (!end && only.is_some())
                .then(|| self.module.net(Kind::Wires, name(&format!("{line_name}_empty")), 1));
            let instance = self
                .clocked(&name(&format!("u_{line_name}_line")), Of::cell(DelayLineSpec { cycles }))
                .input("bit_i", bit)
                .input("empty_i", empty)
                .output("bit_o", delayed)
                .outputs("only_o", vec![only.filter(|_| end)])
                .outputs("empty_o", vec![none]);
            self.module.instances.push(instance);
            (bit, empty) = (delayed, none.map_or(Expr::constant(1, 1), Expr::from));
        }
    }

    /// An instance with clock and reset.
    fn clocked(&self, name: &str, of: Of) -> Instance {
        Instance::new(name, of).input("clk_i", self.clk).input("rst_i", self.rst)
    }
}
