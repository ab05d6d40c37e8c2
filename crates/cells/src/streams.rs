//! Runs `D_axis` on the rust-hdl network: random messages through its streams, with random pauses on both sides, every
//! word that comes out checked.

mod ports;

use crate::design::axis::Streams;
use crate::netlist::Netlist;
use crate::netlist::simulate::Simulated;
use frit_network::Refusal;
use frit_schedule::Plan;
use frit_traffic::random::SplitMix64;
use ports::StreamPorts;

/// What is sent, and how eagerly.
#[derive(Clone, Copy, Debug)]
pub struct Traffic {
    /// Exchanges, one after the other.
    pub exchanges: u32,
    /// Of 256 cycles, those in which a sender that has a word ready offers it; with 256 it never pauses.
    pub offering: u16,
    /// Of 256 cycles, those in which a receiver is ready.
    pub taking: u16,
    /// The seed of messages, order and pauses.
    pub seed: u64,
}

/// What was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamsOutcome {
    /// `cycles_o` of each exchange.
    pub cycles: Vec<u64>,
    pub words: u64,
    /// Clock cycles in all, from the end of the reset.
    pub clocks: u64,
    /// What was wrong first, if anything was.
    pub complaint: Option<String>,
}

/// The word `word` of the message from `source` to `dest` in an exchange, of `width` bits.
pub fn message_word(seed: u64, exchange: u32, [source, dest, word]: [u32; 3], width: u32) -> u64 {
    let key = [exchange, source, dest, word]
        .into_iter()
        .fold(seed, |key, part| SplitMix64(key ^ u64::from(part)).next());
    key & u64::MAX >> (64 - width)
}

/// Runs the exchanges of `traffic`; `start_i` follows `ready_o`.
///
/// # Errors
/// If rust-hdl cannot simulate the design.
pub fn run(
    plan: &Plan,
    width: u32,
    streams: Streams,
    netlist: &Netlist,
    traffic: Traffic,
) -> Result<StreamsOutcome, Refusal> {
    let mut bench = StreamsBench::new(plan, width, streams, netlist, traffic)?;
    bench.reset()?;
    let terminals = u64::from(plan.network.terminals());
    let words = terminals * u64::from(streams.words);
    let pace = |of_256: u16| words * 256 / u64::from(of_256.max(1));
    let most = (pace(traffic.offering) + pace(traffic.taking) + plan.message_cycles(streams.words) + 64) * 4;
    let limit = most * u64::from(traffic.exchanges) + (2 << plan.address_bits());
    let due = words * terminals * u64::from(traffic.exchanges);
    while bench.outcome.words < due && bench.outcome.complaint.is_none() {
        if bench.outcome.clocks == limit {
            bench.complain(format!("{} of {due} words after {limit} clock cycles", bench.outcome.words));
            break;
        }
        bench.clock()?;
    }
    Ok(bench.outcome)
}

/// A sender: the messages of an exchange in random order.
struct Sender {
    exchange: u32,
    order: Vec<u32>,
    message: usize,
    word: u32,
    offering: bool,
}

/// A receiver: how many messages of each source it has, and the one being received.
struct Receiver {
    messages: Vec<u32>,
    source: Option<u32>,
    word: u32,
    /// What stood at the output unaccepted in the last cycle: word, source, last.
    waiting: Option<[u64; 3]>,
}

struct StreamsBench {
    width: u32,
    streams: Streams,
    traffic: Traffic,
    random: SplitMix64,
    design: Simulated,
    ports: StreamPorts,
    senders: Vec<Sender>,
    receivers: Vec<Receiver>,
    outcome: StreamsOutcome,
}

impl StreamsBench {
    fn new(
        plan: &Plan,
        width: u32,
        streams: Streams,
        netlist: &Netlist,
        traffic: Traffic,
    ) -> Result<Self, Refusal> {
        let design = Simulated::new(netlist)?;
        let terminals = plan.network.terminals();
        let sender = |_| Sender { exchange: 0, order: vec![], message: 0, word: 0, offering: false };
        let receiver =
            |_| Receiver { messages: vec![0; terminals as usize], source: None, word: 0, waiting: None };
        let mut bench = StreamsBench {
            width,
            streams,
            traffic,
            random: SplitMix64(traffic.seed),
            ports: StreamPorts::find(&design, plan, streams),
            design,
            senders: (0..terminals).map(sender).collect(),
            receivers: (0..terminals).map(receiver).collect(),
            outcome: StreamsOutcome::default(),
        };
        (0..terminals).for_each(|terminal| bench.shuffle(terminal as usize));
        Ok(bench)
    }

    /// The destinations of the next exchange of a sender, in random order.
    fn shuffle(&mut self, terminal: usize) {
        let count = self.senders.len() as u32;
        let mut order: Vec<u32> = (0..count).collect();
        for at in (1..order.len()).rev() {
            order.swap(at, (self.random.next() % (at as u64 + 1)) as usize);
        }
        self.senders[terminal].order = order;
    }

    fn complain(&mut self, what: String) {
        let clock = self.outcome.clocks;
        self.outcome.complaint.get_or_insert_with(|| format!("clock {clock}: {what}"));
    }

    fn reset(&mut self) -> Result<(), Refusal> {
        for terminal in 0..self.senders.len() {
            self.ports.input[0].set(&mut self.design, terminal, 0);
        }
        self.design.set(&self.ports.rst, 0, self.ports.resets);
        (0..2).try_for_each(|_| self.edge())?;
        self.design.set(&self.ports.rst, 0, 1 - self.ports.resets);
        (0..self.streams.reset().delay()).try_for_each(|_| self.edge())
    }

    fn edge(&mut self) -> Result<(), Refusal> {
        for level in [0, 1] {
            self.design.set(&self.ports.clk, 0, level);
            self.design.settle()?;
        }
        Ok(())
    }

    /// One clock cycle: inputs, what is seen just before the edge, the edge.
    fn clock(&mut self) -> Result<(), Refusal> {
        self.design.set(&self.ports.clk, 0, 0);
        for terminal in 0..self.senders.len() {
            self.offer(terminal);
            let ready = self.random.next() % 256 < u64::from(self.traffic.taking);
            self.ports.output[1].set(&mut self.design, terminal, u64::from(ready));
        }
        self.design.settle()?;
        let ready = self.ports.ready.get(&self.design, 0);
        self.ports.start.set(&mut self.design, 0, ready);
        self.design.settle()?;
        for terminal in 0..self.senders.len() {
            self.sent(terminal);
            self.received(terminal);
        }
        self.flags();
        self.outcome.clocks += 1;
        self.edge()
    }

    /// Offers the next word of a sender; a word once offered stays until it is taken.
    fn offer(&mut self, terminal: usize) {
        let draw = self.random.next() % 256 < u64::from(self.traffic.offering);
        let sender = &mut self.senders[terminal];
        sender.offering |= draw && sender.exchange < self.traffic.exchanges;
        self.ports.input[0].set(&mut self.design, terminal, u64::from(sender.offering));
        let dest = sender.order[sender.message];
        let place = [terminal as u32, dest, sender.word];
        let word = message_word(self.traffic.seed, sender.exchange, place, self.width);
        let last = sender.word + 1 == self.streams.words;
        for (port, value) in [(2, word), (3, u64::from(dest)), (4, u64::from(last))] {
            self.ports.input[port].set(&mut self.design, terminal, value);
        }
    }

    /// Goes on to the next word if this one was taken.
    fn sent(&mut self, terminal: usize) {
        let taken = self.ports.input[1].get(&self.design, terminal) == 1;
        let sender = &mut self.senders[terminal];
        if !(sender.offering && taken) {
            return;
        }
        sender.offering = false;
        sender.word += 1;
        if sender.word < self.streams.words {
            return;
        }
        (sender.word, sender.message) = (0, sender.message + 1);
        if sender.message == sender.order.len() {
            (sender.message, sender.exchange) = (0, sender.exchange + 1);
            self.shuffle(terminal);
        }
    }

    fn received(&mut self, terminal: usize) {
        let [valid, ready, data, id, last] =
            [0, 1, 2, 3, 4].map(|port: usize| self.ports.output[port].get(&self.design, terminal));
        let beat = [data, id, last];
        let before = self.receivers[terminal].waiting.take();
        if before.is_some_and(|before| valid == 0 || before != beat) {
            self.complain(format!("terminal {terminal}: a word was offered and then withdrawn or changed"));
        }
        if valid == 1 && ready == 0 {
            self.receivers[terminal].waiting = Some(beat);
        }
        if valid == 1 && self.ports.output[2].read(&self.design, terminal).is_none() {
            self.complain(format!("terminal {terminal}: the padding bits of tdata are not 0"));
        }
        if valid == 1 && ready == 1 {
            self.take(terminal, beat);
        }
    }

    /// Checks a word that was taken.
    fn take(&mut self, terminal: usize, [data, id, last]: [u64; 3]) {
        self.outcome.words += 1;
        let receiver = &mut self.receivers[terminal];
        let source = *receiver.source.get_or_insert(id as u32);
        let Some(&exchange) = receiver.messages.get(source as usize) else {
            return self
                .complain(format!("terminal {terminal}: a message from {source}, which does not exist"));
        };
        let place = [source, terminal as u32, receiver.word];
        let expected = message_word(self.traffic.seed, exchange, place, self.width);
        let ends = receiver.word + 1 == self.streams.words;
        let seen = (id, data, last == 1);
        receiver.word += 1;
        if ends {
            (receiver.word, receiver.source) = (0, None);
            receiver.messages[source as usize] += 1;
        }
        if seen != (u64::from(source), expected, ends) {
            let wanted = (source, expected, ends);
            let text = format!(
                "terminal {terminal}, word {}: (source, word, last) {seen:x?}, not {wanted:x?}",
                place[2]
            );
            self.complain(text);
        }
    }

    fn flags(&mut self) {
        if self.ports.done.get(&self.design, 0) == 1 {
            let cycles = self.ports.cycles.get(&self.design, 0);
            self.outcome.cycles.push(cycles);
        }
        let raised: Vec<String> = self
            .ports
            .errors
            .iter()
            .filter(|(_, port)| port.get(&self.design, 0) == 1)
            .map(|(name, _)| name.to_string())
            .collect();
        if !raised.is_empty() {
            self.complain(raised.join(", "));
        }
    }
}
