use crate::atoms::{Bus, Word};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;
use std::fmt::Write;

/// Bits of a result that is linear on the bits of a place: for each bit, from bit 0 on, which bits of the place are added, and whether the
/// result is inverted.
pub type MapRows = Vec<(u64, bool)>;

/// What an instance of [`LinearMap`] is made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearMapSpec {
    /// The name of the map, part of the module's.
    pub name: String,
    /// Bits of a place in a data set.
    pub bits: u32,
    /// Bits of the turn above them, which chooses one of `maps`; 0 if there is one map.
    pub turn_bits: u32,
    /// The maps, each with the same number of rows, 1 to 64.
    pub maps: Vec<MapRows>,
}

impl LinearMapSpec {
    fn width(&self) -> u32 {
        self.maps[0].len() as u32
    }
}

impl Describe for LinearMapSpec {
    fn module(&self) -> String {
        format!("frit_map_{}", self.name)
    }
    fn title(&self) -> &'static str {
        "frit_map_NAME"
    }
    fn summary(&self) -> &'static str {
        "Settings or addresses of a streamed permutation: each bit is the parity of some bits of the count of beats. Combinational."
    }
    fn details(&self) -> &'static str {
        "place_i is the count of beats in the data set; above it stands the turn of the data set, if data sets take several orders in turn. The name of the module says what the map gives: front and behind (states of the columns of switches of a network, column 0 in the lowest bit), write_L and read_L (addresses of the memory of lane L). No state."
    }
    fn fixed(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("PlaceBits", self.bits + self.turn_bits, "bits of a place with its turn"),
            Parameter::plain("W", self.width(), "bits of the result, 1 to 64"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(LinearMap::new(self.clone()))
    }
    fn example() -> Self {
        let maps = vec![vec![(0b101, false), (0b010, true)], vec![(0b011, false), (0, true)]];
        LinearMapSpec { name: "example".into(), bits: 3, turn_bits: 1, maps }
    }
    fn canonical(&self) -> Self {
        self.clone()
    }
}

/// Bits that are linear on a place.
///
/// rust-hdl's kernels have no table, so this cell gives its Verilog itself, like [`Rom`](super::Rom); the tests hold it to its simulation.
#[derive(LogicBlock)]
pub struct LinearMap {
    place_i: Bus<In>,
    word_o: Bus<Out>,
    _spec: LinearMapSpec,
}

impl LinearMap {
    /// As the spec says.
    pub fn new(spec: LinearMapSpec) -> Self {
        assert!(spec.maps.iter().all(|map| map.len() == spec.maps[0].len()), "maps of one width");
        assert!(spec.maps.len() <= 1 << spec.turn_bits, "a turn for each map");
        LinearMap {
            place_i: Bus::new((spec.bits + spec.turn_bits) as usize),
            word_o: Bus::new(spec.width() as usize),
            _spec: spec,
        }
    }

    fn row(&self, (mask, flip): (u64, bool)) -> String {
        let bits = self.place_i.bits();
        let digits = bits.div_ceil(4);
        let odd = format!("^(place_i & {bits}'h{mask:0digits$x})");
        if flip { format!("!({odd})") } else { odd }
    }

    fn lines(&self, map: &MapRows, indent: &str) -> String {
        let mut text = String::new();
        for (bit, &row) in map.iter().enumerate() {
            let place = if map.len() == 1 { String::new() } else { format!("[{bit}]") };
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{indent}word_o{place} = {};", self.row(row));
        }
        text
    }
}

cell_ports!(LinearMap:
    In place_i "place in the data set, with the turn of the data set above it",
    Out word_o "settings or address, same cycle",
);

impl Logic for LinearMap {
    fn update(&mut self) {
        let place = self.place_i.val().value();
        let turn = (place >> self._spec.bits) as usize;
        let map = self._spec.maps.get(turn).unwrap_or(&self._spec.maps[0]);
        let bit = |&(mask, flip): &(u64, bool)| u64::from(((mask & place).count_ones() % 2 == 1) ^ flip);
        let word = map.iter().rev().fold(0, |word, row| word << 1 | bit(row));
        self.word_o.next = Word::new(word, self.word_o.bits());
    }
    fn connect(&mut self) {
        self.word_o.connect();
    }
    fn hdl(&self) -> Verilog {
        let (spec, mut text) = (&self._spec, String::from("always @(*) begin\n"));
        if let [map] = spec.maps.as_slice() {
            text += &self.lines(map, "  ");
        } else {
            let (high, low, bits) = (spec.bits + spec.turn_bits - 1, spec.bits, spec.turn_bits);
            let slice = if high == low { format!("[{low}]") } else { format!("[{high}:{low}]") };
            let _ = writeln!(text, "  case (place_i{slice})");
            for (turn, map) in spec.maps.iter().enumerate().skip(1) {
                let _ = writeln!(text, "    {bits}'d{turn}: begin\n{}    end", self.lines(map, "      "));
            }
            let _ = writeln!(text, "    default: begin\n{}    end\n  endcase", self.lines(&spec.maps[0], "      "));
        }
        text += "end";
        Verilog::Custom(text)
    }
}
