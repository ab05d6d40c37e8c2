//! And-inverter graphs, and the binary form of AIGER in which Yosys and ABC exchange them.

use frit_network::{Refusal, refusal};
use std::fmt::Write;

/// A variable, times two, plus one if it is inverted. Variable 0 is false; inputs follow, then latches, then ANDs.
pub type Literal = u32;

/// A register. It starts with 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latch {
    /// What it takes at the edge of the clock.
    pub next: Literal,
}

/// A sequential circuit of ANDs and inverters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aig {
    pub inputs: u32,
    pub latches: Vec<Latch>,
    /// What is looked at.
    pub outputs: Vec<Literal>,
    /// Two literals each, of variables before the AND's own.
    pub ands: Vec<[Literal; 2]>,
}

impl Aig {
    /// The first literal behind inputs and latches.
    pub fn first_and(&self) -> u32 {
        1 + self.inputs + self.latches.len() as u32
    }

    /// Variables, the constant one included.
    pub fn variables(&self) -> u32 {
        self.first_and() + self.ands.len() as u32
    }

    pub fn input(&self, number: u32) -> Literal {
        2 * (1 + number)
    }

    pub fn latch(&self, number: u32) -> Literal {
        2 * (1 + self.inputs + number)
    }

    /// The latch that a literal is, if it is one that is not inverted.
    pub fn as_latch(&self, literal: Literal) -> Option<u32> {
        let number = (literal / 2).checked_sub(1 + self.inputs)?;
        (literal.is_multiple_of(2) && (number as usize) < self.latches.len()).then_some(number)
    }

    /// The AND of two literals, behind all others unless it is one of them.
    pub fn and(&mut self, a: Literal, b: Literal) -> Literal {
        match (a.min(b), a.max(b)) {
            (0, _) => 0,
            (1, b) => b,
            (a, b) if a == b => a,
            (a, b) if a ^ 1 == b => 0,
            (a, b) => {
                self.ands.push([a, b]);
                2 * (self.variables() - 1)
            }
        }
    }

    /// The OR of many, as a tree.
    pub fn or_all(&mut self, literals: &[Literal]) -> Literal {
        match literals {
            [] => 0,
            [one] => *one,
            _ => {
                let (left, right) = literals.split_at(literals.len() / 2);
                let (left, right) = (self.or_all(left), self.or_all(right));
                self.and(left ^ 1, right ^ 1) ^ 1
            }
        }
    }

    /// The AND of many, as a tree.
    pub fn and_all(&mut self, literals: &[Literal]) -> Literal {
        let inverted: Vec<Literal> = literals.iter().map(|literal| literal ^ 1).collect();
        self.or_all(&inverted) ^ 1
    }

    /// Whether two literals differ.
    pub fn differ(&mut self, a: Literal, b: Literal) -> Literal {
        let (only_a, only_b) = (self.and(a, b ^ 1), self.and(a ^ 1, b));
        self.or_all(&[only_a, only_b])
    }

    /// Reads the binary form.
    pub fn read(bytes: &[u8]) -> Result<Self, Refusal> {
        let mut rest = bytes;
        let header = line(&mut rest)?;
        let refused = || {
            refusal!(
                "not an AIGER file of inputs, latches, outputs and ANDs: it begins with {:?}",
                header.chars().take(40).collect::<String>()
            )
        };
        let numbers: Option<Vec<u32>> =
            header.strip_prefix("aig ").and_then(|text| text.split(' ').map(|n| n.parse().ok()).collect());
        let Some(&[variables, inputs, latches, outputs, ands]) = numbers.as_deref() else {
            return Err(refused());
        };
        let sum = [inputs, latches, ands].iter().try_fold(0u32, |sum, n| sum.checked_add(*n));
        if sum != Some(variables) || variables as usize > bytes.len() + inputs as usize || inputs > 1 << 26 {
            return Err(refused());
        }
        let limit = 2 * variables + 1;
        let literal = |text: &str| text.parse().ok().filter(|literal| *literal <= limit);
        let mut aig = Aig { inputs, ..Aig::default() };
        for _ in 0..latches {
            let text = line(&mut rest)?;
            let (next, reset) = text.split_once(' ').unwrap_or((text, "0"));
            let next = literal(next).ok_or_else(|| broken("a latch is not a number, or too large"))?;
            if reset != "0" {
                return Err(broken("a latch does not start with 0"));
            }
            aig.latches.push(Latch { next });
        }
        for _ in 0..outputs {
            let output = literal(line(&mut rest)?);
            aig.outputs.push(output.ok_or_else(|| broken("an output is not a number, or too large"))?);
        }
        for _ in 0..ands {
            let own = 2 * aig.variables();
            let larger = own.checked_sub(delta(&mut rest)?);
            let smaller =
                larger.map(|larger| delta(&mut rest).map(|delta| larger.checked_sub(delta))).transpose()?;
            match (larger, smaller.flatten()) {
                (Some(larger), Some(smaller)) if larger < own => aig.ands.push([smaller, larger]),
                _ => return Err(broken("an AND has an input behind itself")),
            }
        }
        Ok(aig)
    }

    /// The binary form.
    pub fn write(&self) -> Vec<u8> {
        let counts = [self.latches.len(), self.outputs.len(), self.ands.len()].map(|n| n.to_string());
        let mut text = format!("aig {} {} {}\n", self.variables() - 1, self.inputs, counts.join(" "));
        for literal in self.latches.iter().map(|latch| latch.next).chain(self.outputs.iter().copied()) {
            writeln!(text, "{literal}").expect("a string grows");
        }
        let mut bytes = text.into_bytes();
        for (at, &[a, b]) in self.ands.iter().enumerate() {
            let own = 2 * (self.first_and() + at as u32);
            push_delta(&mut bytes, own - a.max(b));
            push_delta(&mut bytes, a.max(b) - a.min(b));
        }
        bytes
    }
}

fn broken(what: &str) -> Refusal {
    refusal!("a broken AIGER file: {what}")
}

fn line<'a>(rest: &mut &'a [u8]) -> Result<&'a str, Refusal> {
    let end = rest.iter().position(|byte| *byte == b'\n').ok_or_else(|| broken("it ends in a line"))?;
    let (text, behind) = rest.split_at(end);
    *rest = &behind[1..];
    std::str::from_utf8(text).map_err(|_| broken("a line is no text"))
}

/// A number in groups of seven bits, the lowest first.
fn delta(rest: &mut &[u8]) -> Result<u32, Refusal> {
    let mut number = 0u64;
    for group in 0..5 {
        let (&byte, behind) = rest.split_first().ok_or_else(|| broken("it ends in an AND"))?;
        *rest = behind;
        number |= u64::from(byte & 0x7f) << (7 * group);
        if byte < 0x80 {
            return u32::try_from(number).map_err(|_| broken("a number is too large"));
        }
    }
    Err(broken("a number is too long"))
}

fn push_delta(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A latch that keeps whether input 0 and input 1 ever differed.
    fn example() -> Aig {
        let mut aig = Aig { inputs: 2, latches: vec![Latch { next: 0 }], ..Aig::default() };
        let differ = aig.differ(aig.input(0), aig.input(1));
        let latch = aig.latch(0);
        aig.latches[0].next = aig.or_all(&[differ, latch]);
        aig.outputs.push(latch);
        aig
    }

    #[test]
    fn what_is_written_is_read_again() {
        let aig = example();
        assert_eq!(aig.write()[..14], *b"aig 7 2 1 1 4\n");
        assert_eq!(Aig::read(&aig.write()), Ok(aig));
    }

    #[test]
    fn simple_ands_need_no_node() {
        let mut aig = Aig { inputs: 1, ..Aig::default() };
        let input = aig.input(0);
        assert_eq!([aig.and(input, 1), aig.and(0, input), aig.and(input, input ^ 1)], [input, 0, 0]);
        assert!(aig.ands.is_empty());
    }

    #[test]
    fn damage_is_an_error() {
        let whole = example().write();
        for end in 0..whole.len() {
            assert!(Aig::read(&whole[..end]).is_err(), "{end}");
        }
        for at in 0..whole.len() {
            for byte in [0, 0x7f, 0x80, 0xff, b'9'] {
                let mut bytes = whole.clone();
                bytes[at] = byte;
                if let Ok(aig) = Aig::read(&bytes) {
                    assert!(aig.variables() < 100);
                }
            }
        }
    }
}
