//! Files of events, as testbenches write them.

use frit_network::{Refusal, refusal};
use std::io::Read;
use std::path::Path;

/// The rows of a file behind its heading. Only the events of a faulty design hold an x: it is read as 2.
///
/// # Errors
/// If a row has another form.
pub fn rows<const N: usize>(mut file: impl Read, path: &Path) -> Result<Vec<[u32; N]>, Refusal> {
    let error = |line: usize| refusal!("{}, line {} is not a row of {N} numbers", path.display(), line + 1);
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(|_| error(0))?;
    let number = |word: &str| match word {
        "x" | "z" => Ok(2),
        word => word.parse::<u32>(),
    };
    let row = |(at, line): (usize, &str)| {
        let numbers: Result<Vec<u32>, _> = line.split(',').map(number).collect();
        numbers.ok().and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| error(at))
    };
    text.lines().enumerate().skip(1).map(row).collect()
}
