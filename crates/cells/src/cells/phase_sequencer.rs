use crate::table::*;

cell! {
    /// The steps of a phase of a multibutterfly, one a cycle. In its paper a phase is called a stage.
    PhaseSequencer, PhaseSequencerSpec, "frit_phase_sequencer":
    "Steps of a phase of a multibutterfly, one a cycle. First part: small sides commit, rounds of requests (request, decide, cancel), g', first reports. Second part: rounds of moves (snap, transfers, post, count, clean), sizes.";
    "Counters outside this cell show when rounds and transfers end. State: one bit for each step (all reset to 0).";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: no step";
        In begin_i: Bit, "phase 0 begins in the next cycle";
        In end_i: Bit, "this phase is the last";
        In requests_end_i: Bit, "this round of requests is the last";
        In transfers_end_i: Bit, "this transfer is the last of the round";
        In moves_end_i: Bit, "this round of moves is the last";
        Out unasked_o: Bit = unasked.q, "step 1: small sides commit without asking";
        Out hear_o: Bit, "requests are made or withdrawn";
        Out decide_o: Bit = decide.q, "grants are valid";
        Out cancel_o: Bit = cancel.q, "requests are withdrawn";
        Out weigh_o: Bit = weigh.q, "g' is set: ghosts for inputs that are not committed";
        Out count_o: Bit, "g'' is set: ghosts for committed inputs";
        Out snap_o: Bit = snap.q, "a round of moves begins";
        Out transfer_o: Bit = transfer.q, "messages move";
        Out clean_o: Bit = clean.q, "a round of moves ends: ghosts are deleted";
        Out set_o: Bit = set.q, "the phase ends: sizes are set";
    }
    parts {
        unasked: BitReg;
        request: BitReg;
        decide: BitReg;
        cancel: BitReg;
        weigh: BitReg;
        report: BitReg;
        snap: BitReg;
        transfer: BitReg;
        post: BitReg;
        count: BitReg;
        clean: BitReg;
        set: BitReg;
    }
}

impl kernel::Kernel for PhaseSequencer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Step 1: requests, decisions, cancelled requests, repeated as often as the design says.");
        self.unasked.d.next = self.begin_i.val() | (self.set.q.val() & !self.end_i.val());
        self.request.d.next = self.unasked.q.val() | (self.cancel.q.val() & !self.requests_end_i.val());
        self.decide.d.next = self.request.q.val();
        self.cancel.d.next = self.decide.q.val();
        comment!("Step 2: the sums of requests and of reports.");
        self.weigh.d.next = self.cancel.q.val() & self.requests_end_i.val();
        self.report.d.next = self.weigh.q.val();
        comment!("Step 3: moves, in turns, repeated as often as the design says; then the sizes are set.");
        self.snap.d.next = self.report.q.val() | (self.clean.q.val() & !self.moves_end_i.val());
        self.transfer.d.next = self.snap.q.val() | (self.transfer.q.val() & !self.transfers_end_i.val());
        self.post.d.next = self.transfer.q.val() & self.transfers_end_i.val();
        self.count.d.next = self.post.q.val();
        self.clean.d.next = self.count.q.val();
        self.set.d.next = self.clean.q.val() & self.moves_end_i.val();
        comment!("What the columns are told.");
        self.hear_o.next = self.request.q.val() | self.cancel.q.val();
        self.count_o.next = self.report.q.val() | self.count.q.val();
    }
}
