//! NumPy's `.npy` files of whole numbers (NEP 1): the magic, a version, a header that is a Python dictionary, then the numbers.

use frit_network::{Refusal, refusal, refuse};

/// An array of whole numbers in C order: the last index runs first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// The lengths of its axes.
    pub shape: Vec<usize>,
    pub numbers: Vec<u64>,
}

/// The first bytes of such a file.
pub const MAGIC: &[u8] = b"\x93NUMPY";

/// Reads an array of signed or unsigned numbers of 1, 2, 4 or 8 bytes.
pub fn parse(bytes: &[u8]) -> Result<Array, Refusal> {
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
    let Some((size, signed, big)) = kind(&descr) else {
        refuse!(
            "the .npy file has numbers of type {:?}; convert them to whole numbers, for example with astype(numpy.int64)",
            beginning(&descr)
        );
    };
    let shape = shape(member(header, "shape")?)?;
    let count = shape.iter().try_fold(1usize, |all, &axis| all.checked_mul(axis));
    let expected = count.and_then(|count| count.checked_mul(size));
    if expected != Some(data.len()) {
        let expected = expected.map_or("more than there can be".into(), |bytes| bytes.to_string());
        refuse!(
            "the .npy file has {} bytes of numbers, but its header says {expected}; write the array again with numpy.save",
            data.len()
        );
    }
    let mut numbers = Vec::with_capacity(data.len() / size);
    for (at, bytes) in data.chunks_exact(size).enumerate() {
        let byte = |k: usize| if big { bytes[size - 1 - k] } else { bytes[k] };
        let value = (0..size).fold(0u64, |value, k| value | u64::from(byte(k)) << (8 * k));
        let unused = 64 - 8 * size as u32;
        let extended = (value << unused) as i64 >> unused;
        if signed && extended < 0 {
            refuse!("number {at} of the .npy file is {extended}; counts and experts are not negative");
        }
        numbers.push(value);
    }
    match member(header, "fortran_order")? {
        "False" => Ok(Array { shape, numbers }),
        "True" => Ok(Array { numbers: from_fortran(&shape, &numbers), shape }),
        _ => Err(damaged()),
    }
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

/// Bytes of a number, whether it is signed, whether its first byte is the most significant.
fn kind(descr: &str) -> Option<(usize, bool, bool)> {
    let (big, rest) = match descr.split_at_checked(1)? {
        ("<" | "|", rest) => (false, rest),
        (">", rest) => (true, rest),
        _ => return None,
    };
    let signed = match rest.split_at_checked(1)? {
        ("i", _) => true,
        ("u", _) => false,
        _ => return None,
    };
    let size = rest[1..].parse().ok().filter(|size| [1, 2, 4, 8].contains(size))?;
    Some((size, signed, big))
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

/// What an error may show of a text from a file.
fn beginning(text: &str) -> String {
    frit_network::name::beginning(text)
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
        assert_eq!(negative, "number 1 of the .npy file is -1; counts and experts are not negative");
        let float = of("<f8", "False", &[0; 32]).unwrap_err().to_string();
        assert!(float.starts_with("the .npy file has numbers of type \"<f8\"; convert"), "{float}");
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
