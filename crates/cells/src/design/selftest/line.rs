//! The line of text that a self-test sends after a run.

use super::signature;
use frit_network::{Refusal, refuse};
use std::fmt;
use std::str::FromStr;

/// What the line says, without its end (carriage return, line feed).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The name of the design.
    pub design: String,
    /// Whether no run has had an error since reset.
    pub passed: bool,
    /// Cycles of the last run.
    pub cycles: u32,
    /// Errors since reset.
    pub errors: u32,
    /// The signature of the words of the last run, which only a line of a failure has.
    pub signature: Option<u32>,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Line { design, passed, cycles, errors, signature } = self;
        let verdict = if *passed { "PASS" } else { "FAIL" };
        write!(f, "frit {design} {verdict} cycles={cycles:08x} errors={errors:08x}")?;
        signature.map_or(Ok(()), |signature| write!(f, " signature={signature:08x}"))
    }
}

impl FromStr for Line {
    type Err = Refusal;

    /// Reads a line as it was sent; blanks and the end of the line around it do no harm.
    ///
    /// # Errors
    /// If it is no such line.
    fn from_str(text: &str) -> Result<Line, Refusal> {
        let number = |word: &str, name: &str| {
            let digits = word.strip_prefix(name)?.strip_prefix('=')?;
            let written = digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            u32::from_str_radix(digits, 16).ok().filter(|_| written)
        };
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let line = match words[..] {
            ["frit", design, "PASS", cycles, errors] => {
                number(cycles, "cycles").zip(number(errors, "errors")).map(|numbers| (design, numbers, None))
            }
            ["frit", design, "FAIL", cycles, errors, signature] => {
                let numbers = number(cycles, "cycles").zip(number(errors, "errors"));
                let signature = number(signature, "signature").filter(|&sum| sum >> signature::BITS == 0);
                numbers.zip(signature).map(|(numbers, sum)| (design, numbers, Some(sum)))
            }
            _ => None,
        };
        match line {
            Some((design, (cycles, errors), signature)) => {
                Ok(Line { design: design.into(), passed: signature.is_none(), cycles, errors, signature })
            }
            None => refuse!(
                "{text:?} is no report of a self-test; give one line as the board sent it, such as \"frit rls_n8_w8 FAIL cycles=0000000c errors=00000008 signature=1b2c3d4e\""
            ),
        }
    }
}
