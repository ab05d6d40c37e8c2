use crate::atoms::{Bus, Word};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;
use std::fmt::Write;

/// A column of a stored schedule: a word for every round.
///
/// rust-hdl's kernels have no table, so this cell gives its Verilog itself, like [`NextBitTable`](super::NextBitTable);
/// the tests hold it to its simulation. The text is a `case` over the rounds, which synthesis tools map to memory or to logic.
#[derive(LogicBlock)]
pub struct Rom {
    round_i: Bus<In>,
    word_o: Bus<Out>,
    _words: Vec<u64>,
}

impl Rom {
    /// `words[k]`, of `width` bits (1 to 64), is the word of round k; rounds have `bits` bits. A round without a word has 0.
    pub fn new(bits: usize, width: usize, words: Vec<u64>) -> Self {
        assert!((1..=1 << bits).contains(&words.len()), "{} words do not fit into {bits} bits", words.len());
        Rom { round_i: Bus::new(bits), word_o: Bus::new(width), _words: words }
    }
}

cell_ports!(Rom: In round_i, Out word_o);

impl Logic for Rom {
    fn update(&mut self) {
        let word = self._words.get(self.round_i.val().value() as usize).copied().unwrap_or(0);
        self.word_o.next = Word::new(word, self.word_o.bits());
    }
    fn connect(&mut self) {
        self.word_o.connect();
    }
    fn hdl(&self) -> Verilog {
        let (bits, width) = (self.round_i.bits(), self.word_o.bits());
        let digits = width.div_ceil(4);
        let mut text = String::from("always @(*) begin\n  case (round_i)\n");
        for (round, word) in self._words.iter().enumerate() {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "    {bits}'d{round}: word_o = {width}'h{word:0digits$x};");
        }
        let _ = write!(text, "    default: word_o = {width}'h{:0digits$x};\n  endcase\nend", 0);
        Verilog::Custom(text)
    }
}
