//! Values of signals, in the four states 0, 1, x and z.

use std::fmt;

use wellen::{BitVecRef, SignalValueRef};

/// The value of a signal at one moment.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A bit vector: one of the characters `0 1 x z` per bit, most significant first.
    Bits(String),
    Real(f64),
    /// A string, such as a simulator's name of a state.
    Text(String),
}

impl Value {
    pub(crate) fn from_wellen(value: SignalValueRef<'_>) -> Self {
        match value {
            SignalValueRef::BitVec(bits) => {
                Self::Bits(bits.iter_msb_to_lsb().map(|bit| state(bit.as_ascii())).collect())
            }
            SignalValueRef::Real(real) => Self::Real(real),
            SignalValueRef::String(text) => Self::Text(text.to_string()),
            SignalValueRef::Event => Self::Bits(String::new()),
        }
    }

    /// The value of a signal of that width before its first change.
    pub(crate) fn unknown(width_bits: u32) -> Self {
        Self::Bits("x".repeat(width_bits as usize))
    }
}

impl fmt::Display for Value {
    /// A single bit as itself, known vectors in hexadecimal, others in binary: nothing is hidden.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Real(real) => write!(f, "{real}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Bits(bits) if bits.len() == 1 => f.write_str(bits),
            Self::Bits(bits) if bits.bytes().all(|bit| matches!(bit, b'0' | b'1')) => {
                let head = bits.len() % 4;
                let nibbles = [&bits.as_bytes()[..head]].into_iter().chain(bits.as_bytes()[head..].chunks(4));
                f.write_str("0x")?;
                nibbles.filter(|nibble| !nibble.is_empty()).try_for_each(|nibble| {
                    let digit = nibble.iter().fold(0, |digit, bit| 2 * digit + (bit - b'0'));
                    write!(f, "{digit:x}")
                })
            }
            Self::Bits(bits) => write!(f, "0b{bits}"),
        }
    }
}

/// The nine states of VHDL, folded into Verilog's four.
fn state(bit: char) -> char {
    match bit {
        '0' | 'l' => '0',
        '1' | 'h' => '1',
        'z' => 'z',
        _ => 'x',
    }
}

/// Whether two values of the same signal agree; no value yet is all `x`.
pub(crate) fn agree(
    a: Option<SignalValueRef<'_>>,
    b: Option<SignalValueRef<'_>>,
    x_is_dont_care: bool,
) -> bool {
    use SignalValueRef::{BitVec, Real, String};
    match (a, b) {
        (None, None) => true,
        (Some(BitVec(a)), Some(BitVec(b))) => bits_agree(a, b, x_is_dont_care),
        (Some(BitVec(bits)), None) | (None, Some(BitVec(bits))) => {
            x_is_dont_care || bits.iter_msb_to_lsb().all(|bit| state(bit.as_ascii()) == 'x')
        }
        (Some(Real(a)), Some(Real(b))) => a == b || (a.is_nan() && b.is_nan()),
        (Some(String(a)), Some(String(b))) => a == b,
        _ => x_is_dont_care && (a.is_none() || b.is_none()),
    }
}

fn bits_agree(a: BitVecRef<'_>, b: BitVecRef<'_>, x_is_dont_care: bool) -> bool {
    if let (Some(a), Some(b)) = (a.be_bytes(), b.be_bytes()) {
        return a == b;
    }
    a.width() == b.width()
        && a.iter_msb_to_lsb().zip(b.iter_msb_to_lsb()).all(|(a, b)| {
            let (a, b) = (state(a.as_ascii()), state(b.as_ascii()));
            a == b || (x_is_dont_care && (matches!(a, 'x' | 'z') || matches!(b, 'x' | 'z')))
        })
}
