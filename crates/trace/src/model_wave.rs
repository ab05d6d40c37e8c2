//! The model's waveform, with the scopes, names and times of the emitted testbench, so that either can be laid over
//! the other.
//!
//! ```
//! use frit_trace::model_wave::{ModelWave, WaveSink, declarations};
//! use frit_schedule::{Request, plan};
//! use frit_traffic::Payload;
//!
//! /// Counts the changes of every signal.
//! struct Activity(Vec<u64>);
//! impl WaveSink for Activity {
//!     fn time(&mut self, _ticks: u64) {}
//!     fn change(&mut self, signal: usize, _limbs: &[u64]) {
//!         self.0[signal] += 1;
//!     }
//! }
//!
//! let plan = plan(&Request::new("rls", 8))?;
//! let payload = Payload::random(8, 32, 1);
//! let signals = declarations(&plan, 32);
//! let mut wave = ModelWave::new(&plan, 32, Activity(vec![0; signals.len()]));
//! frit_model::waves(&plan, &payload, &mut wave);
//! let activity = wave.finish();
//! let busy = signals.iter().position(|s| s.name == "busy_o").unwrap();
//! assert_eq!(activity.0[busy], 3); // 0, then 1, then 0
//! # Ok::<(), frit_network::Refusal>(())
//! ```

use crate::wave::{SignalDecl, renew};
use frit_model::{Lanes, Snapshot, WaveObserver};
use frit_schedule::Plan;
use frit_schedule::timeline::{FIRST_EDGE_NS, PERIOD_NS};
use frit_traffic::payload::limbs_of;
use std::sync::Arc;

/// Takes changes in the order of time. Ticks are nanoseconds.
pub trait WaveSink {
    /// What follows happens at this time.
    fn time(&mut self, ticks: u64);
    /// A signal, by its place in [`declarations`], has a new value: ⌈width / 64⌉ limbs, least significant first.
    fn change(&mut self, signal: usize, limbs: &[u64]);
}

/// The signals of a plan's waveform with words of `width_bits` bits.
pub fn declarations(plan: &Plan, width_bits: u32) -> Vec<SignalDecl> {
    let exchange = [format!("tb_{}_w{width_bits}", plan.name()), "u_exchange".to_string()];
    let fabric: Arc<[String]> = [&exchange[..], &["u_fabric".to_string()]].concat().into();
    let exchange: Arc<[String]> = exchange.into();
    let mut signals = Vec::new();
    let idle = Snapshot::idle(plan, width_bits);
    visit(&idle, Widths::new(plan, width_bits), &mut |scope, name, value| {
        let scope = if scope == Scope::Exchange { &exchange } else { &fabric };
        let (name, width_bits) = (name.to_string(), value.width_bits());
        signals.push(SignalDecl { scope: scope.clone(), name, width_bits });
    });
    for (group, lanes) in (0..).zip(&idle.stages) {
        // Only the last stage of a group has registers.
        let stage = plan.network.group(group).end - 1;
        let kinds = [("valid", 1), ("data", width_bits)];
        let kinds = kinds.map(|(name, width_bits)| (format!("s{stage}_{name}_"), width_bits));
        for port in 0..lanes.valid.len() {
            for (name, width_bits) in &kinds {
                let (name, width_bits) = ([name, itoa::Buffer::new().format(port)].concat(), *width_bits);
                signals.push(SignalDecl { scope: fabric.clone(), name, width_bits });
            }
        }
    }
    signals
}

/// Turns snapshots into changes: all values at time 0, later what differs, and the clock.
pub struct ModelWave<S: WaveSink> {
    sink: S,
    widths: Widths,
    clocks: Vec<usize>,
    /// The value of every signal in front of the stages' registers; empty until the first snapshot.
    values: Vec<Vec<u64>>,
    /// The registers of the stages, as they are in a snapshot.
    stages: Vec<Lanes>,
    /// A value being packed.
    limbs: Vec<u64>,
    /// When the clock rises next.
    next_edge: u64,
}

impl<S: WaveSink> ModelWave<S> {
    /// A waveform of the signals that [`declarations`] names.
    pub fn new(plan: &Plan, width_bits: u32, sink: S) -> Self {
        let widths = Widths::new(plan, width_bits);
        let (mut clocks, mut signals) = (Vec::new(), 0);
        visit(&Snapshot::idle(plan, width_bits), widths, &mut |_, name, _| {
            clocks.extend((name == CLOCK).then_some(signals));
            signals += 1;
        });
        let (values, stages, limbs) = (Vec::new(), Vec::new(), Vec::new());
        ModelWave { sink, widths, clocks, values, stages, limbs, next_edge: FIRST_EDGE_NS }
    }

    /// The clock edge that samples the last period, then the sink.
    pub fn finish(mut self) -> S {
        if !self.values.is_empty() {
            self.clock(self.next_edge, true);
        }
        self.sink
    }

    fn clock(&mut self, ticks: u64, high: bool) {
        self.sink.time(ticks);
        for &signal in &self.clocks {
            self.sink.change(signal, &[high as u64]);
        }
    }
}

impl<S: WaveSink> ModelWave<S> {
    /// The registers of the stages, of which `signal` is the first: everything at first, later the ports that differ.
    fn registers(&mut self, snapshot: &Snapshot, mut signal: usize, first: bool) {
        if first {
            self.stages.clone_from(&snapshot.stages);
        }
        let limbs = limbs_of(self.widths.word_bits);
        for (now, last) in snapshot.stages.iter().zip(&mut self.stages) {
            // In most rows only words move: valid bits are compared together.
            let valid_moves = first || now.valid != last.valid;
            let ports = now.valid.iter().zip(&last.valid);
            let words = now.data.chunks_exact(limbs).zip(last.data.chunks_exact_mut(limbs));
            for ((valid, last_valid), (word, last_word)) in ports.zip(words) {
                if valid_moves && (first || valid != last_valid) {
                    self.sink.change(signal, &[*valid as u64]);
                }
                if renew(last_word, word) || first {
                    self.sink.change(signal + 1, word);
                }
                signal += 2;
            }
            if valid_moves {
                last.valid.clone_from(&now.valid);
            }
        }
    }
}

impl<S: WaveSink> WaveObserver for ModelWave<S> {
    fn snapshot(&mut self, snapshot: &Snapshot) {
        let first = self.values.is_empty();
        if first {
            self.sink.time(0);
        } else {
            self.clock(self.next_edge, true);
        }
        let (mut signal, limbs) = (0, &mut self.limbs);
        visit(snapshot, self.widths, &mut |_, _, value| {
            value.pack(limbs);
            if first {
                self.values.push(limbs.clone());
                self.sink.change(signal, limbs);
            } else if self.values[signal] != *limbs {
                self.values[signal].clone_from(limbs);
                self.sink.change(signal, limbs);
            }
            signal += 1;
        });
        self.registers(snapshot, signal, first);
        if !first {
            self.clock(self.next_edge + PERIOD_NS / 2, false);
            self.next_edge += PERIOD_NS;
        }
    }
}

const CLOCK: &str = "clk_i";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    Exchange,
    Fabric,
}

#[derive(Clone, Copy)]
struct Widths {
    address_bits: u32,
    word_bits: u32,
}

impl Widths {
    fn new(plan: &Plan, word_bits: u32) -> Self {
        Widths { address_bits: plan.address_bits(), word_bits }
    }
}

/// A value before it is packed.
enum Value<'a> {
    Bit(bool),
    Bits(&'a [bool]),
    Number {
        value: u32,
        bits: u32,
    },
    /// One number after another, the first least significant.
    Numbers {
        values: &'a [u32],
        bits: u32,
    },
    /// One word after another, the first least significant.
    Words {
        limbs: &'a [u64],
        bits: u32,
    },
}

impl Value<'_> {
    fn width_bits(&self) -> u32 {
        match *self {
            Value::Bit(_) => 1,
            Value::Bits(values) => values.len() as u32,
            Value::Number { bits, .. } => bits,
            Value::Numbers { values, bits } => values.len() as u32 * bits,
            Value::Words { limbs, bits } => (limbs.len() / limbs_of(bits)) as u32 * bits,
        }
    }

    fn pack(&self, packed: &mut Vec<u64>) {
        let mut packer = Packer::into(packed);
        match *self {
            Value::Bit(value) => packer.put(value as u64, 1),
            Value::Bits(values) => values.iter().for_each(|&bit| packer.put(bit as u64, 1)),
            Value::Number { value, bits } => packer.put(value as u64, bits),
            Value::Numbers { values, bits } => {
                values.iter().for_each(|&value| packer.put(value as u64, bits))
            }
            Value::Words { limbs, bits } => {
                for word in limbs.chunks_exact(limbs_of(bits)) {
                    let (top, below) = word.split_last().expect("a word has a limb");
                    below.iter().for_each(|&limb| packer.put(limb, 64));
                    packer.put(*top, bits - 64 * below.len() as u32);
                }
            }
        }
        packer.finish();
    }
}

/// Puts numbers side by side, the first in the least significant bits.
pub struct Packer<'a> {
    packed: &'a mut Vec<u64>,
    /// The bits of the next limb, and so many of them.
    limb: u64,
    filled: u32,
}

impl<'a> Packer<'a> {
    /// In place of what stands there.
    pub fn into(packed: &'a mut Vec<u64>) -> Self {
        packed.clear();
        Packer { packed, limb: 0, filled: 0 }
    }

    /// A number of 1 to 64 bits, and nothing above them.
    pub fn put(&mut self, value: u64, bits: u32) {
        self.limb |= value << self.filled;
        self.filled += bits;
        if self.filled >= 64 {
            self.packed.push(self.limb);
            self.filled -= 64;
            self.limb = value.checked_shr(bits - self.filled).unwrap_or(0);
        }
    }

    /// Ends the last limb.
    pub fn finish(self) {
        if self.filled > 0 {
            self.packed.push(self.limb);
        }
    }
}

/// Every signal in front of the stages' registers in its order, with its value.
fn visit(s: &Snapshot, widths: Widths, see: &mut dyn FnMut(Scope, &str, Value)) {
    let numbers = |values| Value::Numbers { values, bits: widths.address_bits };
    let words = |limbs| Value::Words { limbs, bits: widths.word_bits };

    let mut exchange = |name: &str, value| see(Scope::Exchange, name, value);
    exchange(CLOCK, Value::Bit(false)); // the clock moves between snapshots
    exchange("rst_i", Value::Bit(s.reset));
    exchange("start_i", Value::Bit(s.start));
    exchange("ready_o", Value::Bit(s.ready));
    exchange("busy_o", Value::Bit(s.busy));
    exchange("done_o", Value::Bit(s.done));
    exchange("conflict_o", Value::Bit(s.conflict));
    exchange("cycles_o", Value::Number { value: s.cycles, bits: 32 });
    exchange("send_valid_o", Value::Bits(&s.send.valid));
    exchange("send_dest_o", numbers(&s.send_destinations));
    exchange("send_data_i", words(&s.send.data));
    exchange("recv_valid_o", Value::Bits(&s.receive.valid));
    exchange("recv_source_o", numbers(&s.receive_sources));
    exchange("recv_data_o", words(&s.receive.data));

    let mut fabric = |name: &str, value| see(Scope::Fabric, name, value);
    fabric(CLOCK, Value::Bit(false));
    fabric("rst_i", Value::Bit(s.reset));
    fabric("valid_i", Value::Bits(&s.send.valid));
    fabric("data_i", words(&s.send.data));
    for signal in &s.control {
        fabric(signal.name, Value::Bits(&signal.bits));
    }
    if let Some(passes) = s.passes {
        fabric("again_i", Value::Bit(passes.again));
        fabric("deliver_i", Value::Bit(passes.deliver));
    }
    fabric("valid_o", Value::Bits(&s.receive.valid));
    fabric("data_o", words(&s.receive.data));
}

#[cfg(test)]
mod tests;
