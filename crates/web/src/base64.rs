//! Bytes as text.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes in base 64, filled up with `=` (RFC 4648).
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let number =
            three.iter().fold(0u32, |number, &byte| number << 8 | u32::from(byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let digit = DIGITS[(number >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= three.len() { digit.into() } else { '=' });
        }
    }
    text
}

/// The bytes of a text in base 64; none if it is not one.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let digits = text.as_bytes();
    if !digits.len().is_multiple_of(4) {
        return None;
    }
    for (at, four) in digits.chunks(4).enumerate() {
        let last = 4 * (at + 1) == digits.len();
        let filled = four.iter().rev().take_while(|&&digit| digit == b'=').count();
        if filled > 2 || filled > 0 && !last {
            return None;
        }
        let number =
            four[..4 - filled].iter().try_fold(0u32, |number, &digit| Some(number << 6 | value(digit)?))?;
        let number = number << (6 * filled);
        bytes.extend(&number.to_be_bytes()[1..4 - filled]);
    }
    Some(bytes)
}

fn value(digit: u8) -> Option<u32> {
    Some(
        match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        }
        .into(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_standard() {
        let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| encode(text.as_bytes()));
        assert_eq!(texts, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
        assert_eq!(encode(&[0xfb, 0xff]), "+/8=");
        for bytes in [&b""[..], b"f", b"fo", b"foo", b"foob", &[0xfb, 0xff]] {
            assert_eq!(decode(&encode(bytes)).as_deref(), Some(bytes));
        }
        for text in ["Zg=", "Z===", "Zg==Zg==", "Z!==", "=Zg="] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
