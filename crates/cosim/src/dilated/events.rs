//! What an engine saw, and how it is read from the testbench's files.

use crate::campaign::{Printed, rows};
use frit_network::Refusal;
use frit_network::RowIdx;
use frit_router::dilated::{Arrival, Shunt};
use std::io::Read;
use std::path::Path;

/// What an engine saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// Every shunt, in its order.
    pub shunts: Vec<Shunt>,
    /// Every bit that came out, in its order.
    pub arrivals: Vec<Arrival>,
    /// Steps as the design counted them.
    pub steps: u64,
    /// What its bench found wrong first, and in which step.
    pub complaint: Option<(u64, String)>,
}

pub fn shunts(file: impl Read, path: &Path) -> Result<Vec<Shunt>, Refusal> {
    let shunt =
        |[step, level, row, y, e, x, out]: [u32; 7]| Shunt { step, level, row: RowIdx(row), y, e, x, out };
    Ok(rows(file, path)?.into_iter().map(shunt).collect())
}

/// The bits of a file that came out.
pub fn arrivals(file: impl Read, path: &Path) -> Result<Vec<Arrival>, Refusal> {
    let arrival = |[step, row, y, e, bit]: [u32; 5]| Arrival { step, row: RowIdx(row), y, e, bit: bit == 1 };
    Ok(rows(file, path)?.into_iter().map(arrival).collect())
}

/// What the testbench said was wrong first: `FAIL: step S: text`.
pub(super) fn complaint(printed: &Printed) -> Option<(u64, String)> {
    let said = printed.complaint()?;
    let (step, text) =
        said.strip_prefix("step ").and_then(|said| said.split_once(": ")).unwrap_or(("0", said));
    Some((step.parse().unwrap_or(0), text.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn rows_are_read_and_others_refused() {
        let path = Path::new("shunts.csv");
        let text = "step,level,row,y,e,x,out\n0,0,1,0,2,1,3\n";
        let shunt = Shunt { step: 0, level: 0, row: RowIdx(1), y: 0, e: 2, x: 1, out: 3 };
        assert_eq!(shunts(text.as_bytes(), path).unwrap(), [shunt]);
        let error = shunts("heading\n1,2,3\n".as_bytes(), path).unwrap_err().to_string();
        assert_eq!(error, "shunts.csv, line 2 is not a row of 7 numbers");
        assert!(arrivals("heading\n1,2,3,4,x\n".as_bytes(), path).is_ok());
        assert!(arrivals("heading\n1,2,3,4,-1\n".as_bytes(), path).is_err());
    }

    #[test]
    fn a_testbench_that_failed_without_a_word_failed() {
        let printed =
            |passed, output: &str| Printed { passed, output: output.into(), folder: PathBuf::new() };
        assert_eq!(complaint(&printed(true, "PASS d\n")), None);
        assert_eq!(complaint(&printed(false, "FAIL: step 7: no\n")), Some((7, "no".into())));
        assert!(complaint(&printed(false, "")).is_some());
    }
}
