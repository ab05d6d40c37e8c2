use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, ready};
use rust_hdl::prelude::*;

/// What an instance of [`WormControl`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WormControlSpec;

impl Describe for WormControlSpec {
    fn module(&self) -> String {
        "frit_worm_control".into()
    }
    fn title(&self) -> &'static str {
        "frit_worm_control"
    }
    fn summary(&self) -> &'static str {
        "Runs a network of worms until nothing moves, and counts the steps until the last bit came out."
    }
    fn details(&self) -> &'static str {
        "A start while it runs is ignored. done_o follows the first cycle in which nothing moved; steps_o and stuck_o stay until the next start. State: whether it runs, steps, all reset to 0."
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(WormControl::default())
    }
    fn example() -> Self {
        WormControlSpec
    }
}

/// The controller around a network of worms: cycle 0 of a run is the one behind `start_i`.
#[derive(LogicBlock)]
pub struct WormControl {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    start_i: Signal<In, Bit>,
    moves_i: Signal<In, Bit>,
    holds_i: Signal<In, Bit>,
    arrives_i: Signal<In, Bit>,
    clear_o: Signal<Out, Bit>,
    busy_o: Signal<Out, Bit>,
    done_o: Signal<Out, Bit>,
    stuck_o: Signal<Out, Bit>,
    steps_o: Bus<Out>,
    one: Const,
    none: Const,
    clear: Signal<Local, Bit>,
    run: BitReg,
    done: BitReg,
    stuck: BitReg,
    now: Reg,
    last: Reg,
}

impl Default for WormControl {
    fn default() -> Self {
        let steps = |value: u64| Const::local(value, 32, None, &format!("32'd{value}"));
        WormControl {
            clk_i: Default::default(),
            rst_i: Default::default(),
            start_i: Default::default(),
            moves_i: Default::default(),
            holds_i: Default::default(),
            arrives_i: Default::default(),
            clear_o: Default::default(),
            busy_o: Default::default(),
            done_o: Default::default(),
            stuck_o: Default::default(),
            steps_o: Bus::new(32),
            one: steps(1),
            none: steps(0),
            clear: Default::default(),
            run: BitReg::default(),
            done: BitReg::default(),
            stuck: BitReg::default().purpose("something waited when nothing moved"),
            now: Reg::fixed(32).purpose("the number of this step"),
            last: Reg::fixed(32).purpose("steps until the last bit that came out"),
        }
    }
}

cell_ports!(WormControl:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous, active high",
    In start_i "begin a run",
    In moves_i "a bit moves in this cycle",
    In holds_i "a bit is somewhere, or waits to be sent",
    In arrives_i "a bit comes out in this cycle",
    Out clear_o "a run begins: the network forgets the last one, same cycle",
    Out busy_o "the network runs",
    Out done_o "nothing moved in the cycle before",
    Out stuck_o "and something is left",
    Out steps_o "cycles from the first of the run to the last in which a bit came out",
);

impl Logic for WormControl {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, run, done, stuck, now, last);
        self.run.reset.next = self.rst_i.val();
        self.done.reset.next = self.rst_i.val();
        self.stuck.reset.next = self.rst_i.val();
        self.now.reset.next = self.rst_i.val();
        self.last.reset.next = self.rst_i.val();
        self.clear.next = self.start_i.val() & !self.run.q.val();
        self.run.d.next = self.run.q.val();
        self.done.d.next = false;
        self.stuck.d.next = self.stuck.q.val();
        self.now.d.next = self.now.q.val();
        self.last.d.next = self.last.q.val();
        if self.run.q.val() {
            self.now.d.next = self.now.q.val() + self.one.val();
            if self.arrives_i.val() {
                self.last.d.next = self.now.q.val() + self.one.val();
            }
            if !self.moves_i.val() {
                self.run.d.next = false;
                self.done.d.next = true;
                self.stuck.d.next = self.holds_i.val();
            }
        }
        if self.clear.val() {
            self.run.d.next = true;
            self.stuck.d.next = false;
            self.now.d.next = self.none.val();
            self.last.d.next = self.none.val();
        }
        self.clear_o.next = self.clear.val();
        self.busy_o.next = self.run.q.val();
        self.done_o.next = self.done.q.val();
        self.stuck_o.next = self.stuck.q.val();
        self.steps_o.next = self.last.q.val();
    }
}
