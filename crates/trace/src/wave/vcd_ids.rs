//! The short names that a VCD declares, and which values may be given to them.

use std::collections::{BTreeMap, HashMap};

use super::limits::MAX_READ_BITS;
use crate::shown::beginning;

/// What the values of a signal are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bits(u32),
    Real,
    Text,
    /// An instant, whose value means nothing.
    Event,
}

impl Kind {
    /// By the type of a variable and its size.
    pub(super) fn of(variable: &[u8], bits: u32) -> Self {
        match variable {
            b"real" | b"realtime" | b"shortreal" | b"real_parameter" => Kind::Real,
            b"string" => Kind::Text,
            b"event" => Kind::Event,
            _ => Kind::Bits(bits),
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Kind::Bits(bits) => write!(f, "a signal of {bits} bits"),
            Kind::Real => f.write_str("a real signal"),
            Kind::Text => f.write_str("a string"),
            Kind::Event => f.write_str("an event"),
        }
    }
}

/// What is to be known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Bits {
        digits: usize,
        /// The first digit, and whether all but the last are 0.
        first: Option<u8>,
        small: bool,
    },
    Real,
    Text,
}

impl Shape {
    /// Of the digits of bits.
    pub(super) fn of(digits: &[u8]) -> Self {
        let small = digits.split_last().is_none_or(|(_, others)| others.iter().all(|&digit| digit == b'0'));
        Shape::Bits { digits: digits.len(), first: digits.first().copied(), small }
    }

    /// Whether the reader takes such a value for a signal, all of it: of more digits than the signal has bits it takes the
    /// last for one bit, and ends for more.
    fn fits(self, kind: Kind) -> Result<(), String> {
        match (kind, self) {
            (Kind::Event, _) | (Kind::Real, Shape::Real) | (Kind::Text, Shape::Text) => Ok(()),
            (Kind::Bits(1), Shape::Bits { small: true, .. }) => Ok(()),
            (Kind::Bits(bits), Shape::Bits { digits, first, .. }) => {
                match (digits as u64).cmp(&bits.into()) {
                    std::cmp::Ordering::Equal => Ok(()),
                    std::cmp::Ordering::Less if first.is_some_and(|first| b"01xXzZ".contains(&first)) => {
                        Ok(())
                    }
                    std::cmp::Ordering::Less => Err(format!(
                        "a value of {digits} digits for a signal of {bits} bits begins with 0, 1, x or z"
                    )),
                    std::cmp::Ordering::Greater => {
                        Err(format!("a value of {digits} digits for a signal of {bits} bits"))
                    }
                }
            }
            (Kind::Bits(bits), _) => Err(format!("a value for a signal of {bits} bits begins with b")),
            (Kind::Real, _) => Err("a value for a real signal begins with r".into()),
            (Kind::Text, _) => Err("a value for a string begins with s".into()),
        }
    }
}

/// The characters of short names, `!` to `~`, and how long a name is at most that has a place in the list.
const FIRST: u8 = b'!';
const CHARACTERS: usize = 94;
const LISTED_LENGTH: usize = 3;

/// The short names that were declared.
#[derive(Default)]
pub(super) struct Ids {
    listed: Vec<Option<Kind>>,
    others: HashMap<Vec<u8>, Kind>,
    /// Of signals with a size of 0, what their values are.
    sized: BTreeMap<Vec<u8>, Kind>,
}

impl Ids {
    /// A signal may have many names, but is one: the reader takes what is declared last for all values.
    pub(super) fn declare(&mut self, id: &[u8], kind: Kind) -> Result<(), String> {
        let declared = match place(id) {
            Some(place) => {
                if place >= self.listed.len() {
                    self.listed.resize(place + 1, None);
                }
                *self.listed[place].get_or_insert(kind)
            }
            None => *self.others.entry(id.to_vec()).or_insert(kind),
        };
        match declared == kind {
            true => Ok(()),
            false => Err(format!("the short name {:?} belongs to {declared}, and here to {kind}", shown(id))),
        }
    }

    /// What signals with a size of 0 are by their values, if that is more than an instant. (Some programs write strings and real numbers
    /// for such signals; the reader would take them for events, whose values mean nothing.)
    pub(super) fn sized(self) -> BTreeMap<Vec<u8>, Kind> {
        self.sized
    }

    /// Whether a signal was declared, and takes such a value.
    pub(super) fn check(&mut self, id: &[u8], value: Shape) -> Result<(), String> {
        let declared = match place(id) {
            Some(place) => self.listed.get(place).copied().flatten(),
            None => self.others.get(id).copied(),
        };
        match (declared, id) {
            (Some(Kind::Bits(0)), _) => self.size(id, value),
            (Some(kind), _) => value.fits(kind),
            (None, []) => Err("a value has no signal".into()),
            (None, id) => Err(format!("the signal {:?} changes, but no $var declares it", shown(id))),
        }
    }
}

impl Ids {
    /// Takes a value of a signal with a size of 0.
    fn size(&mut self, id: &[u8], value: Shape) -> Result<(), String> {
        let kind = match value {
            Shape::Bits { digits: 0, .. } => return Ok(()),
            Shape::Bits { digits, .. } => {
                let bits = u32::try_from(digits).ok().filter(|bits| *bits <= MAX_READ_BITS);
                Kind::Bits(bits.ok_or_else(|| format!("a value of {digits} digits"))?)
            }
            Shape::Real => Kind::Real,
            Shape::Text => Kind::Text,
        };
        match (self.sized.get_mut(id), kind) {
            (None, _) => drop(self.sized.insert(id.to_vec(), kind)),
            (Some(Kind::Bits(most)), Kind::Bits(bits)) => *most = bits.max(*most),
            (Some(known), _) if *known == kind => {}
            (Some(known), _) => {
                return Err(format!("the values of {:?} are of two kinds, {known} and {kind}", shown(id)));
            }
        }
        Ok(())
    }
}

/// Names of up to [`LISTED_LENGTH`] characters, numbered.
fn place(id: &[u8]) -> Option<usize> {
    let listed = (1..=LISTED_LENGTH).contains(&id.len()) && id.iter().all(u8::is_ascii_graphic);
    listed.then(|| id.iter().fold(0, |place, byte| CHARACTERS * place + usize::from(byte - FIRST) + 1) - 1)
}

/// A token for people.
pub(super) fn shown(token: &[u8]) -> String {
    beginning(&String::from_utf8_lossy(token))
}
