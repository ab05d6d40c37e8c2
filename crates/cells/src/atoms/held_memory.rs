//! A memory whose output register stands still between reads.

use super::memory::{BLOCK, COLLIDES, MEMORY};
use super::{Bus, Word};
use rust_hdl::prelude::*;

/// Memory of run-time width and 2^A words: one port to write, one to read in a cycle with `read`. The word that was read stays until the
/// next such cycle. A word read in the cycle in which it is written is the old one.
#[derive(Clone, Debug, LogicBlock)]
pub struct HeldMemory {
    pub clock: Signal<In, Clock>,
    /// Whether a word is written.
    pub write: Signal<In, Bit>,
    pub write_address: Bus<In>,
    /// The word written.
    pub d: Bus<In>,
    /// Whether a word is read.
    pub read: Signal<In, Bit>,
    /// Which word is read.
    pub read_address: Bus<In>,
    /// The word that was read last.
    pub q: Bus<Out>,
    _words: Vec<Word>,
    _collides: bool,
    _block: bool,
}

impl HeldMemory {
    /// Words as wide as the parameter `width_name` says, addresses as the parameter `address_name`.
    pub fn new(width: usize, width_name: &str, address_bits: usize, address_name: &str) -> Self {
        let (d, q) = (Bus::named(width, width_name), Bus::named(width, width_name));
        HeldMemory { d, q, ..HeldMemory::fixed(width, address_bits, address_name) }
    }

    /// Words of a width that no parameter changes, addresses as wide as the parameter `address_name` says.
    pub fn fixed(width: usize, address_bits: usize, address_name: &str) -> Self {
        HeldMemory {
            clock: Signal::default(),
            write: Signal::default(),
            write_address: Bus::named(address_bits, address_name),
            d: Bus::new(width),
            read: Signal::default(),
            read_address: Bus::named(address_bits, address_name),
            q: Bus::new(width),
            _words: vec![Word::new(0, width); 1 << address_bits],
            _collides: false,
            _block: false,
        }
    }

    /// As [`Memory::collides`](super::Memory::collides).
    pub fn collides(self) -> Self {
        HeldMemory { _collides: true, ..self }
    }

    /// It is a block RAM even if it is small: LUTs used as RAM need multiplexers behind them, which are slow.
    pub fn block(self) -> Self {
        HeldMemory { _block: true, ..self }
    }
}

impl Logic for HeldMemory {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            if self.read.val() {
                self.q.next = self._words[self.read_address.val().value() as usize];
            }
            if self.write.val() {
                self._words[self.write_address.val().value() as usize] = self.d.val();
            }
        }
    }
    fn connect(&mut self) {
        self.q.connect();
    }
    fn hdl(&self) -> Verilog {
        let (width, words) = (self._words[0].width(), self._words.len());
        Verilog::Custom(format!(
            "reg [{}:0] words [0:{}];\nalways @(posedge clock) begin\n  if (write) words[write_address] <= d;\n  if (read) q <= words[read_address];\nend",
            width - 1,
            words - 1
        ))
    }
    fn timing(&self) -> Vec<TimingInfo> {
        let entry = |name: &str| TimingInfo {
            name: name.into(),
            clock: "clock".into(),
            inputs: ["write", "write_address", "d", "read", "read_address"].map(String::from).into(),
            outputs: vec!["q".into()],
        };
        let said = [(self._collides, COLLIDES), (self._block, BLOCK)];
        let said = said.into_iter().filter(|(is, _)| *is).map(|(_, name)| entry(name));
        std::iter::once(entry(MEMORY)).chain(said).collect()
    }
}
