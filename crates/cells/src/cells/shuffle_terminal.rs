use crate::table::*;

cell! {
    /// A terminal of the general shuffle-exchange network: asks for the word of the destination that it reaches in the
    /// round being sent, and knows whose word arrives in the round being received. No table and no register: it follows
    /// the path through the stages in arithmetic.
    ///
    /// Forward, port p becomes 2p mod N, plus 1 if exactly one of "p ≥ N/2" and "the switch crosses" holds. Backward, port
    /// q (its last bit inverted if the switch crosses) becomes ⌊q/2⌋, plus N/2 if q is odd. With `alternate` the odd
    /// switches of the inner stages take the other state (ATA-2); the last but one bit of a port is the parity of its
    /// switch.
    ///
    /// Sums and the comparison are written as carries, bit by bit: with its number a parameter a terminal is a function of a
    /// few bits of the control word, and a synthesis tool sees that only where it need not keep a carry chain.
    ShuffleTerminal, ShuffleTerminalSpec, "frit_shuffle_terminal_STAGES" of stages:
    "Terminal of the general shuffle-exchange network: computes the destination of the round that is sent and the source of the round that arrives. Combinational.";
    "It follows the path of the message that is sent forward, and the path of the message that arrives backward, in arithmetic. No state.";
    members {
        stages: u32 = 4, "stages of the network, and bits of a terminal's number";
        terminal: u64 = 0, "the terminal";
        half: u64 = 8, "half the number of terminals";
    }
    ports {
        In send_word_i: Bus(bits), "control word of the round that is sent, reversed: bit j sets stage j";
        In send_alternate_i: Bit, "the round that is sent alternates (ATA-2; else 0)";
        In arrive_word_i: Bus(bits), "control word of the round that arrives, not reversed: bit 0 sets the last stage";
        In arrive_alternate_i: Bit, "the round that arrives alternates (ATA-2; else 0)";
        Out send_dest_o: Bus(bits), "destination of the message that is sent, same cycle";
        Out recv_source_o: Bus(bits), "source of the message that arrives, same cycle";
    }
    with {
        let bits = stages;
        let inner = ((1u64 << (stages - 1)) - 1) & !1;
        let local = |count: usize, purpose: &str| -> Vec<Bus<Local>> {
            (0..count).map(|_| Bus::new(bits).purpose(purpose)).collect()
        };
        let flags = |count: usize| (0..count).map(|_| Signal::default()).collect::<Vec<Signal<Local, Bit>>>();
    }
    parts {
        terminal: Const = Const::parameter(terminal, bits, None);
        half: Const = Const::parameter(half, bits, None);
        one: Const = Const::local(1, bits, None, &format!("{bits}'d1"));
        low: Const = Const::local(0, 32, None, "0");
        parity: Const = Const::local(1, 32, None, "1");
        inner: Const = Const::local(inner, bits, None, &format!("{bits}'d{inner}"));
        top: Const = Const::local(bits as u64 - 1, 32, None, &format!("{}", bits - 1));
        complement: Const = Const::local((1u64 << bits) - half, bits, None, "~Half + 1'b1");
        port: Vec<Bus<Local>> = local(stages + 1, "the port that the path forward has reached");
        differs: Vec<Bus<Local>> = local(stages, "port - Half, the sum without its carries");
        both: Vec<Bus<Local>> = local(stages, "positions where a carry begins");
        carry: Vec<Bus<Local>> = local(stages, "the carries; the top carry says that the port is not below Half");
        base: Vec<Bus<Local>> = local(stages, "the port behind a straight switch: 2 port, plus 1 in the upper half");
        crossed: Vec<Signal<Local, Bit>> = flags(stages);
        back: Vec<Bus<Local>> = local(stages + 1, "the port that the path backward has reached");
        side: Vec<Bus<Local>> = local(stages, "the port before the switch");
        halved: Vec<Bus<Local>> = local(stages, "half of side: the port before the shuffle, if side is even");
        back_carry: Vec<Bus<Local>> = local(stages, "the carries of adding Half, if side is odd");
        uncrossed: Vec<Signal<Local, Bit>> = flags(stages);
        _stages: usize = stages;
        _end: usize = stages + 1;
    }
    describe {
        fn parameters(&self) -> Vec<Parameter> {
            vec![
                Parameter::sized("Terminal", self.terminal, self.stages, "number of this terminal"),
                Parameter::sized("Half", self.half, self.stages, "half the number of terminals"),
            ]
        }
        fn fixed(&self) -> Vec<Parameter> {
            vec![
                Parameter::plain("Stages", self.stages, "stages of the network, and bits of a terminal's number; the steps are unrolled, so each number of stages has its own module"),
            ]
        }
        fn canonical(&self) -> Self {
            ShuffleTerminalSpec { terminal: 0, half: 1 << (self.stages - 1), ..*self }
        }
    }
}

impl kernel::Kernel for ShuffleTerminal {
    // Bit j of `send_word_i` drives stage j; bit j of `arrive_word_i` drives stage (stages - 1 - j), so that both are
    // used in the order in which the path is followed. Bit j of `inner` says that the stage is neither the first nor
    // the last; it is the same from both ends. `port - half` is `port + complement`, which carries if port is not below
    // half; each pass of the inner loops carries one bit further.
    #[hdl_gen]
    fn update(&mut self) {
        self.port[0].next = self.terminal.val();
        for j in 0..self._stages {
            self.differs[j].next = self.port[j].val() ^ self.complement.val();
            self.both[j].next = self.port[j].val() & self.complement.val();
            self.carry[j].next = self.both[j].val();
            for _k in 0..self._stages {
                self.carry[j].next =
                    self.both[j].val() | (self.differs[j].val() & (self.carry[j].val() << self.one.val()));
            }
            self.base[j].next = self.port[j].val() << self.one.val();
            if self.carry[j].val().get_bit(self.top.val().index()) {
                self.base[j].next = ((self.differs[j].val() ^ (self.carry[j].val() << self.one.val()))
                    << self.one.val())
                    | self.one.val();
            }
            self.crossed[j].next = self.send_word_i.val().get_bit(j)
                ^ (self.send_alternate_i.val()
                    & self.inner.val().get_bit(j)
                    & self.base[j].val().get_bit(self.parity.val().index()));
            self.port[j + 1].next = self.base[j].val();
            if self.crossed[j].val() {
                self.port[j + 1].next = self.base[j].val() ^ self.one.val();
            }
        }
        self.back[0].next = self.terminal.val();
        for j in 0..self._stages {
            self.uncrossed[j].next = self.arrive_word_i.val().get_bit(j)
                ^ (self.arrive_alternate_i.val()
                    & self.inner.val().get_bit(j)
                    & self.back[j].val().get_bit(self.parity.val().index()));
            self.side[j].next = self.back[j].val();
            if self.uncrossed[j].val() {
                self.side[j].next = self.back[j].val() ^ self.one.val();
            }
            self.halved[j].next = self.side[j].val() >> self.one.val();
            self.back_carry[j].next = self.halved[j].val() & self.half.val();
            for _k in 0..self._stages {
                self.back_carry[j].next = (self.halved[j].val() & self.half.val())
                    | ((self.halved[j].val() ^ self.half.val())
                        & (self.back_carry[j].val() << self.one.val()));
            }
            self.back[j + 1].next = self.halved[j].val();
            if self.side[j].val().get_bit(self.low.val().index()) {
                self.back[j + 1].next =
                    self.halved[j].val() ^ self.half.val() ^ (self.back_carry[j].val() << self.one.val());
            }
        }
        for z in self._stages..self._end {
            self.send_dest_o.next = self.port[z].val();
            self.recv_source_o.next = self.back[z].val();
        }
    }
}
