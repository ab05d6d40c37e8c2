use crate::atoms::Word;
use crate::table::*;
use std::fmt::Write;

/// Bits of a result that is linear on the bits of a place: for each bit, from bit 0 on, which bits of the place are added, and whether the
/// result is inverted.
pub type MapRows = Vec<(u64, bool)>;

cell! {
    /// Bits that are linear on a place.
    ///
    /// rust-hdl's kernels have no table, so this cell gives its Verilog itself, like [`Rom`](super::Rom); the tests hold it to its simulation.
    LinearMap, LinearMapSpec, "frit_map_NAME" of name:
    "Settings or addresses of a streamed permutation: each bit is the parity of some bits of the count of beats. Combinational.";
    "place_i is the count of beats in the data set; above it stands the lane, if the map is that of memories, and above that the turn of the data set, if data sets take several orders in turn. The name of the module says what the map gives: front and behind (states of the columns of switches of a network, column 0 in the lowest bit), write and read (address of the memory of a lane). No state.";
    owned {
        name: String = "example".into(), "the name of the map, part of the module's";
        bits: u32 = 3, "bits of a place in a data set, and of the lane if there is one";
        turn_bits: u32 = 1, "bits of the turn above them, which chooses one of `maps`; 0 if there is one map";
        maps: Vec<MapRows> = vec![vec![(0b101, false), (0b010, true)], vec![(0b011, false), (0, true)]],
            "the maps, each with the same number of rows, 1 to 64";
    }
    ports {
        In place_i: Bus(bits + turn_bits), "place in the data set, with lane and turn of the data set above it";
        Out word_o: Bus(maps[0].len()), "settings or address, same cycle";
    }
    with {
        assert!(maps.iter().all(|map| map.len() == maps[0].len()), "maps of one width");
        assert!(maps.len() <= 1 << turn_bits, "a turn for each map");
    }
    parts {
        _bits: usize = bits;
        _turn_bits: usize = turn_bits;
        _maps: Vec<MapRows> = maps;
    }
    describe {
        fn fixed(&self) -> Vec<Parameter> {
            vec![
                Parameter::plain("PlaceBits", self.bits + self.turn_bits, "bits of a place with its turn"),
                Parameter::plain("W", self.maps[0].len() as u32, "bits of the result, 1 to 64"),
            ]
        }
        fn canonical(&self) -> Self {
            self.clone()
        }
    }
}

impl LinearMap {
    fn row(&self, place: &str, (mask, flip): (u64, bool)) -> String {
        let bits = self.place_i.bits();
        let digits = bits.div_ceil(4);
        let odd = format!("^({place} & {bits}'h{mask:0digits$x})");
        if flip { format!("!({odd})") } else { odd }
    }

    /// The rows of a map, each a bit of `word`.
    fn lines(&self, map: &MapRows, indent: &str, word: &str, place: &str) -> String {
        let mut text = String::new();
        for (bit, &row) in map.iter().enumerate() {
            let at = if map.len() == 1 { String::new() } else { format!("[{bit}]") };
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{indent}{word}{at} = {};", self.row(place, row));
        }
        text
    }
}

impl kernel::Kernel for LinearMap {
    fn update(&mut self) {
        let place = self.place_i.val().value();
        let turn = (place >> self._bits) as usize;
        let map = self._maps.get(turn).unwrap_or(&self._maps[0]);
        let bit = |&(mask, flip): &(u64, bool)| u64::from(((mask & place).count_ones() % 2 == 1) ^ flip);
        let word = map.iter().rev().fold(0, |word, row| word << 1 | bit(row));
        self.word_o.next = Word::new(word, self.word_o.bits());
    }
    fn connect(&mut self) {
        self.word_o.connect();
    }
    fn hdl(&self) -> Verilog {
        if let [map] = self._maps.as_slice() {
            return Verilog::Custom(self.lines(map, "assign ", "word_o", "place_i"));
        }
        let (high, low, bits) = (self._bits + self._turn_bits - 1, self._bits, self._turn_bits);
        let slice = if high == low { format!("[{low}]") } else { format!("[{high}:{low}]") };
        let lines = |map| self.lines(map, "      ", "word_of", "place");
        let mut text = format!(
            "function [{}:0] word_of (\n  input [{high}:0] place\n);\n  case (place{slice})\n",
            self.word_o.bits() - 1
        );
        for (turn, map) in self._maps.iter().enumerate().skip(1) {
            let _ = writeln!(text, "    {bits}'d{turn}: begin\n{}    end", lines(map));
        }
        let _ = writeln!(text, "    default: begin\n{}    end\n  endcase", lines(&self._maps[0]));
        text += "endfunction\nassign word_o = word_of(place_i);";
        Verilog::Custom(text)
    }
}
