//! What the inputs, latches, outputs and wires of an and-inverter graph are called: the map that Yosys writes beside it.

use super::aiger::{Aig, Literal};
use frit_network::{Refusal, refusal};
use std::collections::BTreeMap;

/// Names, each with the literals of its bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    /// Inputs, by their numbers.
    pub inputs: BTreeMap<String, BTreeMap<u32, u32>>,
    /// All that has a name of its own.
    pub wires: BTreeMap<String, BTreeMap<u32, Literal>>,
    /// Outputs, by their numbers.
    pub outputs: BTreeMap<String, BTreeMap<u32, u32>>,
    /// The latch that tells the first cycle from the others, in which registers without an initial value take inputs.
    pub started: Option<u32>,
}

/// A map that cannot be used.
fn symbols_have(what: impl std::fmt::Display) -> Refusal {
    refusal!("the map of the and-inverter graph has {what}")
}

impl Symbols {
    /// Reads a map: `wire LITERAL BIT NAME`, and the same of inputs, latches and outputs by their numbers.
    pub fn read(text: &str, aig: &Aig) -> Result<Self, Refusal> {
        let mut symbols = Symbols::default();
        for line in text.lines() {
            let refused = || symbols_have(format_args!("a line that is not understood: {line:?}"));
            let mut words = line.splitn(4, ' ');
            let mut next = || words.next().ok_or_else(refused);
            let (kind, number) = (next()?, next()?.parse::<u32>().map_err(|_| refused())?);
            if kind == "ninitff" {
                symbols.started = Some(number);
                continue;
            }
            let (bit, name) = (next()?.parse::<u32>().map_err(|_| refused())?, next()?.to_string());
            let limit = match kind {
                "input" | "init" => aig.inputs,
                "output" => aig.outputs.len() as u32,
                "latch" | "invlatch" => aig.latches.len() as u32,
                "wire" => 2 * aig.variables(),
                _ => return Err(refused()),
            };
            if number >= limit {
                return Err(refused());
            }
            let of = match kind {
                "input" => &mut symbols.inputs,
                "output" => &mut symbols.outputs,
                "wire" => &mut symbols.wires,
                _ => continue,
            };
            of.entry(name).or_default().insert(bit, number);
        }
        Ok(symbols)
    }

    /// The numbers of an input, bit by bit.
    pub fn input(&self, name: &str) -> Result<Vec<u32>, Refusal> {
        let found = self.inputs.get(name).map(|bits| bits.values().copied().collect());
        found.ok_or_else(|| symbols_have(format_args!("no input {name}")))
    }

    /// The numbers of an output, of each bit that is not constant.
    pub fn output(&self, name: &str) -> Result<&BTreeMap<u32, u32>, Refusal> {
        self.outputs
            .get(name)
            .ok_or_else(|| symbols_have(format_args!("no output {name}, or one that is constant")))
    }

    /// Signals of which every bit is there, for a waveform.
    pub fn signals(&self) -> impl Iterator<Item = (&str, Vec<Literal>)> {
        let plain =
            |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.[]".contains(&byte));
        self.wires.iter().filter(move |(name, _)| plain(name)).filter_map(|(name, bits)| {
            let whole = bits.keys().copied().eq(0..bits.len() as u32);
            whole.then(|| (name.as_str(), bits.values().copied().collect()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::aiger::Latch;
    use super::*;

    #[test]
    fn names_are_read() {
        let aig = Aig { inputs: 2, latches: vec![Latch { next: 2 }], outputs: vec![6], ..Aig::default() };
        let text = "input 0 0 a_i\ninput 1 1 a_i\noutput 0 0 b_o\nlatch 0 0 u.q\nwire 6 0 u.q\nwire 4 1 u.part\nwire 1 0 $no\nninitff 0\n";
        let symbols = Symbols::read(text, &aig).unwrap();
        assert_eq!(symbols.input("a_i"), Ok(vec![0, 1]));
        assert_eq!(symbols.output("b_o"), Ok(&BTreeMap::from([(0, 0)])));
        assert_eq!(symbols.signals().collect::<Vec<_>>(), [("u.q", vec![6])]);
        assert_eq!(symbols.started, Some(0));
        for wrong in ["input 2 0 c", "latch 1 0 c", "wire 8 0 c", "hm 0 0 c", "input", "input x 0 c"] {
            assert!(Symbols::read(wrong, &aig).is_err(), "{wrong}");
        }
        assert!(symbols.input("c").is_err() && symbols.output("c").is_err());
    }
}
