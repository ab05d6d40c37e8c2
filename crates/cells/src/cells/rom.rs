use crate::atoms::Word;
use crate::table::*;
use std::fmt::Write;

cell! {
    /// A column of a stored schedule: a word for every round.
    ///
    /// rust-hdl's kernels have no table, so this cell gives its Verilog itself, like [`NextBitTable`](super::NextBitTable);
    /// the tests hold it to its simulation. The text is a `case` over the rounds, which synthesis tools map to memory or to logic.
    Rom, RomSpec, "frit_rom_TABLE" of name:
    "Table of a stored schedule: one word for every round. Combinational.";
    "It is printed as a case over the rounds; a round after the last has the word 0. The name of the module says what the table holds (frit_rom_state_2, frit_rom_dest_5; with the name of a design, benes_n8_w8_rom_state_2). state_S: the states of the switches of stage S, switch 0 in the lowest bit (if a stage has more than 64 switches, state_S_F holds the 64 from switch F on). dest_L and source_L: the destination and the source of lane L. label_L: the label of lane L, where it differs from the destination. No state.";
    owned {
        name: String = "example".into(), "the name of the table, part of the module's";
        bits: u32 = 2, "bits of a round's number";
        width: u32 = 3, "bits of a word, 1 to 64";
        words: Vec<u64> = vec![0, 5, 3], "the word of every round; a round without a word has 0";
    }
    ports {
        In round_i: Bus(bits), "number of the round";
        Out word_o: Bus(width), "word of the round, same cycle";
    }
    with {
        assert!((1..=1 << bits).contains(&words.len()), "{} words do not fit into {bits} bits", words.len());
    }
    parts {
        _words: Vec<u64> = words;
    }
    describe {
        fn fixed(&self) -> Vec<Parameter> {
            vec![
                Parameter::plain("RoundBits", self.bits, "bits of the number of a round"),
                Parameter::plain("W", self.width, "bits of a word, 1 to 64"),
            ]
        }
        fn canonical(&self) -> Self {
            self.clone()
        }
    }
}

impl kernel::Kernel for Rom {
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
        let mut text = format!(
            "function [{}:0] word_of (\n  input [{}:0] round_f\n);\n  case (round_f)\n",
            width - 1,
            bits - 1
        );
        for (round, word) in self._words.iter().enumerate() {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "    {bits}'d{round}: word_of = {width}'h{word:0digits$x};");
        }
        let _ = write!(text, "    default: word_of = {width}'h{:0digits$x};\n  endcase\nendfunction\nassign word_o = word_of(round_i);", 0);
        Verilog::Custom(text)
    }
}
