use crate::atoms::{BitReg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, ready};
use rust_hdl::prelude::*;

/// What an instance of [`StageSequencer`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageSequencerSpec;

impl Describe for StageSequencerSpec {
    fn module(&self) -> String {
        "frit_stage_sequencer".into()
    }
    fn title(&self) -> &'static str {
        "frit_stage_sequencer"
    }
    fn summary(&self) -> &'static str {
        "The steps of a stage: step 1, rounds of requests (request, decide, cancel), g', first reports, rounds of moves (snap, transfers, post, count, clean), sizes."
    }
    fn details(&self) -> &'static str {
        "Counters outside say when rounds and transfers are over. State: a bit for each step (all reset to 0)."
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(StageSequencer::default())
    }
    fn example() -> Self {
        StageSequencerSpec
    }
}

/// The steps of a stage of a multibutterfly, one a cycle.
#[derive(LogicBlock, Default)]
pub struct StageSequencer {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    begin_i: Signal<In, Bit>,
    end_i: Signal<In, Bit>,
    requests_end_i: Signal<In, Bit>,
    transfers_end_i: Signal<In, Bit>,
    moves_end_i: Signal<In, Bit>,
    unasked_o: Signal<Out, Bit>,
    hear_o: Signal<Out, Bit>,
    decide_o: Signal<Out, Bit>,
    cancel_o: Signal<Out, Bit>,
    weigh_o: Signal<Out, Bit>,
    count_o: Signal<Out, Bit>,
    snap_o: Signal<Out, Bit>,
    transfer_o: Signal<Out, Bit>,
    clean_o: Signal<Out, Bit>,
    set_o: Signal<Out, Bit>,
    unasked: BitReg,
    request: BitReg,
    decide: BitReg,
    cancel: BitReg,
    weigh: BitReg,
    report: BitReg,
    snap: BitReg,
    transfer: BitReg,
    post: BitReg,
    count: BitReg,
    clean: BitReg,
    set: BitReg,
}

cell_ports!(StageSequencer:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: no step",
    In begin_i "stage 0 comes",
    In end_i "this stage is the last",
    In requests_end_i "this round of requests is the last",
    In transfers_end_i "this transfer is the last of the round",
    In moves_end_i "this round of moves is the last",
    Out unasked_o "step 1: small sides commit",
    Out hear_o "requests are made or taken back",
    Out decide_o "grants are there",
    Out cancel_o "requests are taken back",
    Out weigh_o "g' is set",
    Out count_o "g'' is set",
    Out snap_o "a round of moves begins",
    Out transfer_o "messages move",
    Out clean_o "a round of moves ends: ghosts are deleted",
    Out set_o "the stage ends: sizes are set",
);

impl Logic for StageSequencer {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, unasked, request, decide, cancel, weigh, report, snap, transfer, post, count, clean, set);
        self.unasked.reset.next = self.rst_i.val();
        self.request.reset.next = self.rst_i.val();
        self.decide.reset.next = self.rst_i.val();
        self.cancel.reset.next = self.rst_i.val();
        self.weigh.reset.next = self.rst_i.val();
        self.report.reset.next = self.rst_i.val();
        self.snap.reset.next = self.rst_i.val();
        self.transfer.reset.next = self.rst_i.val();
        self.post.reset.next = self.rst_i.val();
        self.count.reset.next = self.rst_i.val();
        self.clean.reset.next = self.rst_i.val();
        self.set.reset.next = self.rst_i.val();
        self.unasked.d.next = self.begin_i.val() | (self.set.q.val() & !self.end_i.val());
        self.request.d.next = self.unasked.q.val() | (self.cancel.q.val() & !self.requests_end_i.val());
        self.decide.d.next = self.request.q.val();
        self.cancel.d.next = self.decide.q.val();
        self.weigh.d.next = self.cancel.q.val() & self.requests_end_i.val();
        self.report.d.next = self.weigh.q.val();
        self.snap.d.next = self.report.q.val() | (self.clean.q.val() & !self.moves_end_i.val());
        self.transfer.d.next = self.snap.q.val() | (self.transfer.q.val() & !self.transfers_end_i.val());
        self.post.d.next = self.transfer.q.val() & self.transfers_end_i.val();
        self.count.d.next = self.post.q.val();
        self.clean.d.next = self.count.q.val();
        self.set.d.next = self.clean.q.val() & self.moves_end_i.val();
        self.unasked_o.next = self.unasked.q.val();
        self.hear_o.next = self.request.q.val() | self.cancel.q.val();
        self.decide_o.next = self.decide.q.val();
        self.cancel_o.next = self.cancel.q.val();
        self.weigh_o.next = self.weigh.q.val();
        self.count_o.next = self.report.q.val() | self.count.q.val();
        self.snap_o.next = self.snap.q.val();
        self.transfer_o.next = self.transfer.q.val();
        self.clean_o.next = self.clean.q.val();
        self.set_o.next = self.set.q.val();
    }
}
