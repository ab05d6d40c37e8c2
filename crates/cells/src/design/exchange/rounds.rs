//! What every kind of control stands on: the rounds being sent and arriving, their words, and the two passes of a
//! message where its network has them.

use super::{Controls, Exchange};
use crate::cells::{ModuloCounterSpec, RoundDelaySpec};
use crate::describe::counter_bits;
use crate::message::MessageWords;
use crate::netlist::{Expr, Instance, Kind, Net, Of, Part};

/// What steers a network that is passed twice; nothing for other networks.
pub(super) struct Passes {
    pub(super) controls: Controls,
    /// Whether a round arrives, if the sequencer has an output for it already.
    pub(super) arriving: Option<Net>,
}

impl Exchange<'_> {
    /// What stands between the terminals and the fabric: a counter of the words of the message being sent, and the
    /// register in which its word waits for the memory.
    pub(super) fn messages(&mut self, send_word: Option<Net>) {
        if let Some(word) = send_word {
            self.advance = self.module.net(Kind::Wires, "send_round_ends", 1);
            let words = MessageWords::new(self.form.words);
            self.count("send_word", words, self.sending, [Some(word), Some(self.advance)]);
        }
        if self.form.ahead {
            let entering = self.later("entering", self.sending.into(), 1);
            self.entering = vec![entering.into(); self.plan.network.lanes() as usize];
        }
    }

    /// A counter of the steps `step`; what is given are its count and whether it ends.
    fn count(&mut self, name: &str, counted: MessageWords, step: Net, [count, wrap]: [Option<Net>; 2]) {
        let spec = ModuloCounterSpec { bits: counted.bits, last: counted.last };
        self.module.instances.push(
            Instance::new(format!("u_count_{name}"), Of::cell(spec))
                .input("clk_i", self.clk)
                .input("rst_i", self.rst)
                .input("step_i", step)
                .outputs("count_o", vec![count])
                .outputs("wrap_o", vec![wrap]),
        );
    }

    /// The last cycle of a round that arrives, given the cycles in which its words do.
    pub(super) fn arrived(&mut self, arriving: Net) -> Net {
        if self.form.words == 1 {
            return arriving;
        }
        let ends = self.module.net(Kind::Wires, "arrive_round_ends", 1);
        self.count("arrive_word", MessageWords::new(self.form.words), arriving, [None, Some(ends)]);
        ends
    }

    /// The numbers of the round being sent and of the one arriving, for controls that follow from them.
    pub(super) fn rounds(&mut self, sequencer: Instance) -> (Net, Net) {
        let last = u64::from(self.plan.rounds) - 1;
        let rounds = MessageWords { bits: counter_bits(last), last };
        let round = self.module.net(Kind::Wires, "round", rounds.bits);
        let arrival = self.module.net(Kind::Wires, "arrival", rounds.bits);
        if self.form.words == 1 {
            let sequencer = sequencer.output("round_o", round).output("arrival_o", arrival);
            self.module.instances.push(sequencer.unused("arriving_o"));
            return (round, arrival);
        }
        let arriving = self.module.net(Kind::Wires, "arriving", 1);
        let sequencer = sequencer.unused("round_o").unused("arrival_o").output("arriving_o", arriving);
        self.module.instances.push(sequencer);
        let arrived = self.arrived(arriving);
        self.count("round", rounds, self.advance, [Some(round), None]);
        self.count("arrival", rounds, arrived, [Some(arrival), None]);
        (round, arrival)
    }

    /// A control a cycle later, where the fabric works behind the terminals.
    pub(super) fn in_time(&mut self, name: &str, control: Expr, bits: u32) -> Expr {
        match self.form.ahead {
            true => self.later(name, control, bits).into(),
            false => control,
        }
    }

    pub(super) fn later(&mut self, name: &str, control: Expr, bits: u32) -> Net {
        let later = self.module.net(Kind::Wires, name, bits);
        self.module.instances.push(
            Instance::new(format!("u_{name}"), Of::cell(RoundDelaySpec { bits }))
                .input("clk_i", self.clk)
                .input("rst_i", self.rst)
                .input("round_i", control)
                .output("round_o", later),
        );
        later
    }

    /// Connects what a sequencer of two passes has more than another one.
    pub(super) fn passes(&mut self, sequencer: Instance) -> (Instance, Passes) {
        let Some(second) = self.plan.second_pass else {
            return (sequencer, Passes { controls: Vec::new(), arriving: None });
        };
        let again = self.module.net(Kind::Wires, "again", 1);
        let arriving = self.module.net(Kind::Wires, "arriving", 1);
        let sequencer = sequencer.output("again_o", again).output("arriving_o", arriving);
        let again = if self.form.ahead { self.later("entering_again", again.into(), 1) } else { again };
        // Without a buffer the end of the first pass is one window from the inputs, where the other pass is.
        let deliver = match second.wait {
            0 => Expr::Concat(vec![Part::Net { net: again, bits: None, invert: true }]),
            _ => arriving.into(),
        };
        let controls = vec![("again_i", vec![again.into()]), ("deliver_i", vec![deliver])];
        (sequencer, Passes { controls, arriving: Some(arriving) })
    }
}
