//! A value of run-time width.

use rust_hdl::prelude::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr, Sub};

/// A bit vector of 1 to 64 bits. Operators need equal widths and wrap, as sized Verilog does; there is no conversion
/// from integers, so a literal of the wrong width cannot be written in a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Word {
    value: u64,
    width: u8,
}

impl Word {
    /// The low `width` bits of `value`; panics unless 1 ≤ width ≤ 64 (a broken invariant of the caller).
    pub fn new(value: u64, width: usize) -> Self {
        assert!((1..=64).contains(&width), "rust-hdl words have 1 to 64 bits, not {width}");
        Word { value, width: width as u8 }.trimmed()
    }

    fn trimmed(mut self) -> Self {
        if self.width < 64 {
            self.value &= (1u64 << self.width) - 1;
        }
        self
    }

    pub fn value(self) -> u64 {
        self.value
    }

    /// The width in bits.
    pub fn width(self) -> usize {
        self.width as usize
    }

    pub fn get_bit(self, index: usize) -> bool {
        assert!(index < self.width as usize, "bit {index} of a word of {} bits", self.width);
        self.value >> index & 1 == 1
    }

    /// Whether any bit is 1.
    pub fn any(self) -> bool {
        self.value != 0
    }

    /// As a constant's index into another word.
    pub fn index(self) -> usize {
        self.value as usize
    }

    pub(super) fn literal(self) -> VerilogLiteral {
        literal(self.value, self.width as usize)
    }

    pub(super) fn vcd(self) -> VCDValue {
        let bit = |i: u8| self.value >> i & 1 == 1;
        if self.width == 1 {
            bit(0).into()
        } else {
            VCDValue::Vector((0..self.width).rev().map(|i| bit(i).into()).collect())
        }
    }
}

/// A `VerilogLiteral`'s width comes from the type it is made of, so every width is named here once.
fn literal(value: u64, width: usize) -> VerilogLiteral {
    macro_rules! by_width { ($($n:literal)*) => { match width {
        $($n => { let bits: Bits<$n> = value.into(); bits.into() })*
        _ => unreachable!("Word::new checked the width"),
    } } }
    by_width!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
              33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64)
}

macro_rules! operator {
    ($trait:ident, $method:ident, $apply:expr) => {
        impl $trait for Word {
            type Output = Word;
            fn $method(self, other: Word) -> Word {
                assert_eq!(self.width, other.width, "operands of different width");
                let apply: fn(u64, u64) -> u64 = $apply;
                Word { value: apply(self.value, other.value), width: self.width }.trimmed()
            }
        }
    };
}
operator!(Add, add, u64::wrapping_add);
operator!(Sub, sub, u64::wrapping_sub);
operator!(BitAnd, bitand, |a, b| a & b);
operator!(BitOr, bitor, |a, b| a | b);
operator!(BitXor, bitxor, |a, b| a ^ b);

/// As in Verilog the distance has a width of its own, and the result that of what is shifted.
macro_rules! shift {
    ($trait:ident, $method:ident, $apply:expr) => {
        impl $trait for Word {
            type Output = Word;
            fn $method(self, by: Word) -> Word {
                let apply: fn(u64, u32) -> Option<u64> = $apply;
                let value = u32::try_from(by.value).ok().and_then(|by| apply(self.value, by));
                Word { value: value.unwrap_or(0), width: self.width }.trimmed()
            }
        }
    };
}
shift!(Shl, shl, u64::checked_shl);
shift!(Shr, shr, u64::checked_shr);

impl Not for Word {
    type Output = Word;
    fn not(self) -> Word {
        Word { value: !self.value, width: self.width }.trimmed()
    }
}

impl PartialOrd for Word {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        assert_eq!(self.width, other.width, "operands of different width");
        Some(self.value.cmp(&other.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_wraps_at_the_width() {
        let word = |v| Word::new(v, 4);
        assert_eq!(word(15) + word(1), word(0));
        assert_eq!(word(0) - word(1), word(15));
        assert_eq!(!word(5), word(10));
        assert_eq!(word(9) << word(1), word(2));
        assert_eq!(word(9) << Word::new(64, 7), word(0));
        assert_eq!(word(9) >> Word::new(3, 2), word(1));
        assert!(word(9) > word(8) && word(8).get_bit(3));
    }

    #[test]
    fn literals_have_their_width() {
        assert_eq!(Word::new(5, 33).literal().to_string(), "33'h5");
    }

    #[test]
    #[should_panic(expected = "different width")]
    fn widths_must_agree() {
        let _ = Word::new(1, 3) + Word::new(1, 4);
    }
}
