//! NumPy's files of whole numbers. `.npy` (NEP 1): the magic, a version, a header that is a Python dictionary, then the numbers.
//! `.npz`: a zip of such files.

mod npz;

use frit_network::name::beginning;
use frit_network::{Refusal, refusal, refuse};
pub use npz::unpacked;
use std::borrow::Cow;

/// An array of whole numbers in C order: the last index runs first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// The lengths of its axes.
    pub shape: Vec<usize>,
    /// Its numbers.
    pub numbers: Vec<u64>,
}

/// The first bytes of a `.npy` file.
const MAGIC: &[u8] = b"\x93NUMPY";

/// What [`parse_routes`] has where a file has −1: servers of language models write it for a token that no expert takes.
pub const DROPPED: u64 = u64::MAX;

/// Whether a file begins as `.npy` and `.npz` files do.
pub fn is_array(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || npz::is_zip(bytes)
}

/// The whole number that a floating-point number is, if it is one from 0 to 2^53: greater ones are not exact.
pub fn whole(value: f64) -> Option<u64> {
    let exact = value.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&value);
    exact.then_some(value as u64)
}

/// Reads the array of a `.npy` file, or of a `.npz` file with one array: numbers of 1, 2, 4 or 8 bytes, all of them whole and none below 0.
/// They may be floating-point numbers or truth values.
pub fn parse(bytes: &[u8]) -> Result<Array, Refusal> {
    array(bytes, None)
}

/// The same, but −1 is allowed: it becomes [`DROPPED`].
pub fn parse_routes(bytes: &[u8]) -> Result<Array, Refusal> {
    array(bytes, Some(DROPPED))
}

fn array(bytes: &[u8], dropped: Option<u64>) -> Result<Array, Refusal> {
    let bytes = if npz::is_zip(bytes) { npz::one(bytes)?.into() } else { Cow::Borrowed(bytes) };
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(damaged)?;
    let (length, at) = match rest {
        [1, _, a, b, ..] => (usize::from(u16::from_le_bytes([*a, *b])), 4),
        [2 | 3, _, a, b, c, d, ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, 6),
        _ => refuse!("the header of the .npy file is damaged; write the array again with numpy.save"),
    };
    let header = rest.get(at..).and_then(|rest| rest.get(..length)).ok_or_else(damaged)?;
    let data = &rest[at + length..];
    let header = std::str::from_utf8(header).map_err(|_| damaged())?;
    let descr = member(header, "descr")?.trim_matches(['\'', '"']).to_string();
    let Some(kind) = kind(&descr) else {
        refuse!(
            "the .npy file has numbers of type {:?}; convert them to whole numbers, for example with astype(numpy.int64)",
            beginning(&descr)
        );
    };
    let shape = shape(member(header, "shape")?)?;
    let count = shape.iter().try_fold(1usize, |all, &axis| all.checked_mul(axis));
    let expected = count.and_then(|count| count.checked_mul(kind.size));
    if expected != Some(data.len()) {
        let expected = expected.map_or("more than there can be".into(), |bytes| bytes.to_string());
        refuse!(
            "the .npy file has {} bytes of numbers, but its header says {expected}; write the array again with numpy.save",
            data.len()
        );
    }
    let fortran = match member(header, "fortran_order")? {
        "False" => false,
        "True" => true,
        _ => return Err(damaged()),
    };
    let mut numbers = Vec::with_capacity(data.len() / kind.size);
    for (at, bytes) in data.chunks_exact(kind.size).enumerate() {
        let number = match kind.number(bytes) {
            Number::Whole(number) => Ok(number),
            Number::Negative(-1) => dropped.ok_or_else(|| "-1".into()),
            Number::Negative(number) => Err(number.to_string()),
            Number::Other(number) => Err(number.to_string()),
        };
        numbers.push(number.map_err(|given| {
            refusal!(
                "number {} of the array is {given}; give whole numbers from 0 on",
                place(&shape, at, fortran)
            )
        })?);
    }
    if fortran {
        numbers = from_fortran(&shape, &numbers);
    }
    Ok(Array { shape, numbers })
}

/// The index of the number at a place of the file, as Python writes it.
fn place(shape: &[usize], mut at: usize, fortran: bool) -> String {
    let mut index = vec![0; shape.len()];
    let axes: Vec<usize> =
        if fortran { (0..shape.len()).collect() } else { (0..shape.len()).rev().collect() };
    for axis in axes {
        index[axis] = at % shape[axis];
        at /= shape[axis];
    }
    format!("{index:?}")
}

/// The array as a file of 64-bit numbers.
pub fn to_npy(shape: &[usize], numbers: impl IntoIterator<Item = u64>) -> Vec<u8> {
    let axes: String = shape.iter().map(|axis| format!("{axis}, ")).collect();
    let mut header = format!("{{'descr': '<u8', 'fortran_order': False, 'shape': ({}), }}", axes.trim_end());
    // Magic, version, length and header together are a multiple of 64 bytes, and the header ends a line.
    while !(MAGIC.len() + 4 + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = [MAGIC, &[1, 0], &(header.len() as u16).to_le_bytes(), header.as_bytes()].concat();
    bytes.extend(numbers.into_iter().flat_map(u64::to_le_bytes));
    bytes
}

fn damaged() -> Refusal {
    refusal!("the header of the .npy file is damaged; write the array again with numpy.save")
}

/// The value of a key in the header, without white space around it.
fn member<'a>(header: &'a str, key: &str) -> Result<&'a str, Refusal> {
    let find = || {
        let at = ['\'', '"'].iter().find_map(|quote| {
            let quoted = format!("{quote}{key}{quote}");
            header.find(&quoted).map(|at| at + quoted.len())
        })?;
        let value = header[at..].trim_start().strip_prefix(':')?.trim_start();
        let end = match value.strip_prefix('(') {
            Some(tuple) => tuple.find(')')? + 2,
            None => value.find([',', '}'])?,
        };
        Some(value[..end].trim())
    };
    find().ok_or_else(damaged)
}

/// How the numbers of a file are written.
#[derive(Clone, Copy)]
struct Kind {
    /// Bytes of a number.
    size: usize,
    /// Whether the first byte is the most significant.
    big: bool,
    form: Form,
}

#[derive(Clone, Copy)]
enum Form {
    Unsigned,
    Signed,
    Float,
}

enum Number {
    Whole(u64),
    Negative(i64),
    /// A floating-point number that is not whole, or below 0.
    Other(f64),
}

impl Kind {
    fn number(self, bytes: &[u8]) -> Number {
        let byte = |k: usize| if self.big { bytes[self.size - 1 - k] } else { bytes[k] };
        let value = (0..self.size).fold(0u64, |value, k| value | u64::from(byte(k)) << (8 * k));
        let unused = 64 - 8 * self.size as u32;
        let float = match (self.form, self.size) {
            (Form::Unsigned, _) => return Number::Whole(value),
            (Form::Signed, _) => {
                return match (value << unused) as i64 >> unused {
                    number @ ..0 => Number::Negative(number),
                    number => Number::Whole(number as u64),
                };
            }
            (Form::Float, 2) => half(value as u16),
            (Form::Float, 4) => f32::from_bits(value as u32).into(),
            (Form::Float, _) => f64::from_bits(value),
        };
        match whole(float) {
            Some(number) => Number::Whole(number),
            None if float == -1.0 => Number::Negative(-1),
            None => Number::Other(float),
        }
    }
}

/// A number of IEEE 754's 16 bits.
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let size = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 == 0 { size } else { -size }
}

fn kind(descr: &str) -> Option<Kind> {
    let (big, rest) = match descr.split_at_checked(1)? {
        ("<" | "|", rest) => (false, rest),
        (">", rest) => (true, rest),
        _ => return None,
    };
    let (form, sizes): (_, &[usize]) = match rest.split_at_checked(1)?.0 {
        "i" => (Form::Signed, &[1, 2, 4, 8]),
        "u" => (Form::Unsigned, &[1, 2, 4, 8]),
        "f" => (Form::Float, &[2, 4, 8]),
        "b" => (Form::Unsigned, &[1]),
        _ => return None,
    };
    let size = rest[1..].parse().ok().filter(|size| sizes.contains(size))?;
    Some(Kind { size, big, form })
}

fn shape(tuple: &str) -> Result<Vec<usize>, Refusal> {
    let inner = tuple.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).ok_or_else(damaged)?;
    let axes = inner.split(',').map(str::trim).filter(|axis| !axis.is_empty());
    axes.map(|axis| axis.parse().map_err(|_| damaged())).collect()
}

/// Numbers whose first index ran first.
fn from_fortran(shape: &[usize], numbers: &[u64]) -> Vec<u64> {
    let mut place = vec![0; shape.len()];
    let mut out = Vec::with_capacity(numbers.len());
    for _ in numbers {
        let at = place.iter().zip(shape).rev().fold(0, |at, (&index, &axis)| at * axis + index);
        out.push(numbers[at]);
        for (index, &axis) in place.iter_mut().zip(shape).rev() {
            *index += 1;
            if *index < axis {
                break;
            }
            *index = 0;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        [MAGIC, &[1, 0], &(header.len() as u16).to_le_bytes(), header.as_bytes(), data].concat()
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = to_npy(&[2, 3], [0, 1, 2, 3, 4, 1 << 40]);
        assert_eq!(bytes.len() % 64, 48);
        let array = parse(&bytes).unwrap();
        assert_eq!((array.shape, array.numbers), (vec![2, 3], vec![0, 1, 2, 3, 4, 1 << 40]));
        assert_eq!(parse(&to_npy(&[4], 0..4)).unwrap().shape, [4]);
    }

    #[test]
    fn both_orders_all_sizes_and_both_ends() {
        let of = |descr: &str, fortran: &str, data: &[u8]| {
            let header = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': (2, 2), }}\n");
            parse(&file(&header, data)).map(|array| array.numbers)
        };
        assert_eq!(of("|u1", "False", &[1, 2, 3, 200]).unwrap(), [1, 2, 3, 200]);
        assert_eq!(of("|u1", "True", &[1, 2, 3, 4]).unwrap(), [1, 3, 2, 4]);
        assert_eq!(of("<i2", "False", &[1, 0, 0, 1, 2, 0, 3, 0]).unwrap(), [1, 256, 2, 3]);
        assert_eq!(of(">i2", "False", &[0, 1, 1, 0, 0, 2, 0, 3]).unwrap(), [1, 256, 2, 3]);
        let negative = of("|i1", "False", &[1, 255, 3, 4]).unwrap_err().to_string();
        assert_eq!(negative, "number [0, 1] of the array is -1; give whole numbers from 0 on");
        let negative = of("|i1", "True", &[1, 254, 3, 4]).unwrap_err().to_string();
        assert!(negative.starts_with("number [1, 0] of the array is -2"), "{negative}");
        assert_eq!(of("|b1", "False", &[1, 0, 0, 1]).unwrap(), [1, 0, 0, 1]);
        let complex = of("<c8", "False", &[0; 32]).unwrap_err().to_string();
        assert!(complex.starts_with("the .npy file has numbers of type \"<c8\"; convert"), "{complex}");
    }

    #[test]
    fn floating_point_numbers_are_taken_if_they_are_whole() {
        let of = |descr: &str, data: &[u8]| {
            let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (3,), }}\n");
            parse_routes(&file(&header, data)).map(|array| array.numbers)
        };
        let bytes = |numbers: [f64; 3]| numbers.map(f64::to_le_bytes).concat();
        assert_eq!(of("<f8", &bytes([157.0, -0.0, 9_007_199_254_740_992.0])).unwrap(), [157, 0, 1 << 53]);
        assert_eq!(of("<f8", &bytes([1.0, -1.0, 2.0])).unwrap(), [1, DROPPED, 2]);
        assert_eq!(
            of("<f4", &[1.0f32, 2e9, 0.0].map(f32::to_le_bytes).concat()).unwrap(),
            [1, 2_000_000_000, 0]
        );
        // 1, 2048 and 65504, the greatest, of 16 bits.
        assert_eq!(
            of("<f2", &[0x3c00u16, 0x6800, 0x7bff].map(u16::to_le_bytes).concat()).unwrap(),
            [1, 2048, 65504]
        );
        for (number, given) in
            [(157.5, "157.5"), (f64::NAN, "NaN"), (f64::INFINITY, "inf"), (-2.0, "-2"), (1e17, "1e17")]
        {
            let text = of("<f8", &bytes([0.0, number, 0.0])).unwrap_err().to_string();
            let given = given.parse::<f64>().unwrap();
            assert_eq!(text, format!("number [1] of the array is {given}; give whole numbers from 0 on"));
        }
        assert!(half(0x7c00).is_infinite() && half(0x7e00).is_nan());
        assert_eq!([half(1), half(0xbc00), half(0x3800)], [2f64.powi(-24), -1.0, 0.5]);
    }

    #[test]
    fn the_one_array_of_a_zip_is_read() {
        let array = parse(npz::tests::STORED).unwrap();
        assert_eq!((array.shape, &array.numbers[..4]), (vec![4, 4], [0, 157, 3, 12].as_slice()));
        assert_eq!(parse(npz::tests::DEFLATED).unwrap(), parse(npz::tests::STORED).unwrap());
    }

    #[test]
    fn damaged_files_are_refused() {
        for header in [
            "",
            "{}",
            "{'descr': '<i8'}",
            "{'descr': '<i8', 'fortran_order': False, 'shape': (2, }",
            "{'descr': '<i8', 'fortran_order': False, 'shape': (-2,)}",
            "{'descr': '<i8', 'fortran_order': Maybe, 'shape': ()}",
        ] {
            assert!(parse(&file(header, &[0; 8])).is_err(), "{header}");
        }
        let huge = "{'descr': '<i8', 'fortran_order': False, 'shape': (4611686018427387904, 4), }";
        let text = parse(&file(huge, &[0; 8])).unwrap_err().to_string();
        assert!(text.contains("more than there can be"), "{text}");
        let whole = to_npy(&[2, 2], 0..4);
        for cut in 0..whole.len() {
            assert!(parse(&whole[..cut]).is_err(), "cut at {cut}");
        }
    }
}
