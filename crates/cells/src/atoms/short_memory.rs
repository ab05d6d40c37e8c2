//! A memory that is read in the same cycle.

use super::memory::SHORT;
use super::{Bus, Word};
use rust_hdl::prelude::*;

/// Memory of 2^A words whose widths are the parameters of the cell: one port to write, one to read in the same cycle. Synthesis tools map it to
/// RAM in LUTs, so it is for few words.
#[derive(Clone, Debug, LogicBlock)]
pub struct ShortMemory {
    pub clock: Signal<In, Clock>,
    /// Whether a word is written.
    pub write: Signal<In, Bit>,
    pub write_address: Bus<In>,
    /// The word written.
    pub d: Bus<In>,
    /// Which word is read.
    pub read_address: Bus<In>,
    /// The word at that address.
    pub q: Bus<Out>,
    _words: Vec<Word>,
}

impl ShortMemory {
    /// Words as wide as the parameter `width_name` says, addresses as the parameter `address_name`.
    pub fn new(width: usize, width_name: &str, address_bits: usize, address_name: &str) -> Self {
        ShortMemory {
            clock: Signal::default(),
            write: Signal::default(),
            write_address: Bus::named(address_bits, address_name),
            d: Bus::named(width, width_name),
            read_address: Bus::named(address_bits, address_name),
            q: Bus::named(width, width_name),
            _words: vec![Word::new(0, width); 1 << address_bits],
        }
    }
}

impl Logic for ShortMemory {
    fn update(&mut self) {
        if self.clock.pos_edge() && self.write.val() {
            self._words[self.write_address.val().value() as usize] = self.d.val();
        }
        self.q.next = self._words[self.read_address.val().value() as usize];
    }
    fn connect(&mut self) {
        self.q.connect();
    }
    fn hdl(&self) -> Verilog {
        let (width, words) = (self._words[0].width(), self._words.len());
        Verilog::Custom(format!(
            "reg [{}:0] words [0:{}];\nalways @(posedge clock) if (write) words[write_address] <= d;\nassign q = words[read_address];",
            width - 1,
            words - 1
        ))
    }
    fn timing(&self) -> Vec<TimingInfo> {
        let inputs = ["write", "write_address", "d", "read_address"].map(String::from).into();
        vec![TimingInfo { name: SHORT.into(), clock: "clock".into(), inputs, outputs: vec!["q".into()] }]
    }
}
