//! A memory that a synthesis tool can map to block RAM.

use super::{Bus, Word};
use rust_hdl::prelude::*;

/// How a memory tells our printer what it is; see [`super::register::REGISTER`].
pub(crate) const MEMORY: &str = "memory";

/// A memory that is read in the same cycle.
pub(crate) const SHORT: &str = "short memory";

/// That a word read while it is written is not looked at.
pub(crate) const COLLIDES: &str = "collides";
/// The name under which [`super::HeldMemory::block`] is told to the printer.
pub(crate) const BLOCK: &str = "block";

/// Memory of run-time width and 2^A words: one port to write, one to read a cycle later. A word read in the cycle in
/// which it is written is the old one.
#[derive(Clone, Debug, LogicBlock)]
pub struct Memory {
    pub clock: Signal<In, Clock>,
    /// Whether a word is written.
    pub write: Signal<In, Bit>,
    pub write_address: Bus<In>,
    /// The word written.
    pub d: Bus<In>,
    /// Which word is read.
    pub read_address: Bus<In>,
    /// The word whose address was given in the last cycle.
    pub q: Bus<Out>,
    _words: Vec<Word>,
    _collides: bool,
}

impl Memory {
    /// Words as wide as the parameter `width_name` says, addresses as the parameter `address_name`.
    pub fn new(width: usize, width_name: &str, address_bits: usize, address_name: &str) -> Self {
        let (d, q) = (Bus::named(width, width_name), Bus::named(width, width_name));
        Memory { d, q, ..Memory::fixed(width, address_bits, address_name) }
    }

    /// Words of a width that no parameter changes, addresses as wide as the parameter `address_name` says.
    pub fn fixed(width: usize, address_bits: usize, address_name: &str) -> Self {
        Memory {
            clock: Signal::default(),
            write: Signal::default(),
            write_address: Bus::named(address_bits, address_name),
            d: Bus::new(width),
            read_address: Bus::named(address_bits, address_name),
            q: Bus::new(width),
            _words: vec![Word::new(0, width); 1 << address_bits],
            _collides: false,
        }
    }

    /// Nobody looks at a word that was read while it was written, so that a synthesis tool need not keep the old one beside the
    /// memory.
    pub fn collides(self) -> Self {
        Memory { _collides: true, ..self }
    }
}

impl Logic for Memory {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = self._words[self.read_address.val().value() as usize];
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
            "reg [{}:0] words [0:{}];\nalways @(posedge clock) begin\n  if (write) words[write_address] <= d;\n  q <= words[read_address];\nend",
            width - 1,
            words - 1
        ))
    }
    fn timing(&self) -> Vec<TimingInfo> {
        let entry = |name: &str| TimingInfo {
            name: name.into(),
            clock: "clock".into(),
            inputs: ["write", "write_address", "d", "read_address"].map(String::from).into(),
            outputs: vec!["q".into()],
        };
        [Some(entry(MEMORY)), self._collides.then(|| entry(COLLIDES))].into_iter().flatten().collect()
    }
}
