//! What every kind of control stands on: the rounds being sent and arriving, their words, and the two passes of a
//! message where its network has them.

use super::{Controls, Exchange};
use crate::cells::{ModuloCounterSpec, RoundDelaySpec};
use crate::describe::counter_bits;
use crate::message::MessageWords;
use crate::netlist::{Expr, Instance, Kind, Net, Of};

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

    /// The last cycle of a round that arrives.
    pub(super) fn arrived(&mut self) -> Net {
        if self.form.words == 1 {
            return self.arriving;
        }
        let ends = self.module.net(Kind::Wires, "arrive_round_ends", 1);
        self.count("arrive_word", MessageWords::new(self.form.words), self.arriving, [None, Some(ends)]);
        ends
    }

    /// The numbers of the round being sent and of the one arriving, for controls that follow from them: those that are counted
    /// already, or a count of the rounds of several words.
    pub(super) fn rounds(&mut self, counted: Option<[Net; 2]>) -> [Net; 2] {
        if let Some(rounds) = counted {
            return rounds;
        }
        let last = u64::from(self.plan.rounds) - 1;
        let rounds = MessageWords { bits: counter_bits(last), last };
        let [round, arrival] =
            ["round", "arrival"].map(|name| self.module.net(Kind::Wires, name, rounds.bits));
        let arrived = self.arrived();
        self.count("round", rounds, self.advance, [Some(round), None]);
        self.count("arrival", rounds, arrived, [Some(arrival), None]);
        [round, arrival]
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

    /// A control that has passed one register on its way from a stage to the next, as late as the words, which have passed all.
    pub(super) fn with_words(&mut self, name: &str, control: Net, bits: u32) -> Net {
        (1..self.plan.pipeline)
            .fold(control, |control, cycle| self.later(&format!("{name}_{cycle}"), control.into(), bits))
    }

    /// What steers the words of a network that is passed twice, given when its inputs belong to the second pass; nothing
    /// for other networks.
    pub(super) fn passes(&mut self, again: Option<Net>) -> Controls {
        let (Some(again), Some(second)) = (again, self.plan.second_pass) else { return Vec::new() };
        let again = if self.form.ahead { self.later("entering_again", again.into(), 1) } else { again };
        // Without a buffer what stands at the end of the first pass entered a window before.
        let deliver = match second.wait {
            0 => (0..second.window())
                .fold(again, |again, cycle| self.later(&format!("again_{cycle}"), again.into(), 1)),
            _ => self.arriving,
        };
        vec![("again_i", vec![again.into()]), ("deliver_i", vec![deliver.into()])]
    }
}
