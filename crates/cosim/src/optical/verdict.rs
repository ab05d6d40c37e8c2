//! What the testbench of the device says.

use crate::simulator::ResultLine;
use frit_network::RowIdx;

/// The first error that a testbench found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstError {
    pub ps: u64,
    /// The level of the switch; r are the receiving processors.
    pub level: u32,
    pub row: RowIdx,
    /// The packet, if the error is one of a packet: its slot and the lane of its sender.
    pub packet: Option<(u32, u32)>,
    /// All of it, as the testbench says it.
    pub text: String,
}

/// What a testbench says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub passed: bool,
    /// Packets that arrived at the right place and time, whole.
    pub delivered: u64,
    pub packets: u64,
    /// Windows of switches in which there was light.
    pub touched: u64,
    /// When the first light came to a processor.
    pub first_light_ps: Option<u64>,
    /// When the last light at a processor ended.
    pub last_light_ps: Option<u64>,
    pub errors: u64,
    pub first_error: Option<FirstError>,
}

/// Reads the line `RESULT key=value …` of a testbench.
pub(super) fn verdict(result: ResultLine, output: &str, exit_status: bool) -> Option<Verdict> {
    // -1 is none.
    let some = |key: &str| Some(u64::try_from(result.value(key)?).ok());
    let errors = some("errors")??;
    let first_error = match some("first_error_ps")? {
        None => None,
        Some(ps) => {
            let [slot, lane] = [some("first_error_slot")?, some("first_error_lane")?];
            Some(FirstError {
                ps,
                level: some("first_error_level")?? as u32,
                row: RowIdx(some("first_error_row")?? as u32),
                packet: slot.zip(lane).map(|(slot, lane)| (slot as u32, lane as u32)),
                text: output.lines().find_map(|line| line.strip_prefix("FAIL: ")).unwrap_or("FAIL").into(),
            })
        }
    };
    Some(Verdict {
        passed: exit_status && errors == 0,
        delivered: some("delivered")??,
        packets: some("packets")??,
        touched: some("touched")??,
        first_light_ps: some("first_light_ps")?,
        last_light_ps: some("last_light_ps")?,
        errors,
        first_error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(output: &str, exit_status: bool) -> Option<Verdict> {
        verdict(ResultLine::find(output)?, output, exit_status)
    }

    #[test]
    fn verdicts_are_read() {
        let pass = "PASS d: delivered=64\nRESULT delivered=64 packets=64 touched=0 first_light_ps=3858 last_light_ps=8958 errors=0 first_error_ps=-1 first_error_level=-1 first_error_row=-1 first_error_slot=-1 first_error_lane=-1\n";
        let right = read(pass, true).unwrap();
        assert!(right.passed && right.first_error.is_none());
        assert_eq!((right.delivered, right.first_light_ps), (64, Some(3858)));
        assert!(!read(pass, false).unwrap().passed);
        let fail = "FAIL: 2560 ps, x\nFAIL d: 3 errors\nRESULT delivered=0 packets=64 touched=2 first_light_ps=-1 last_light_ps=-1 errors=3 first_error_ps=2560 first_error_level=1 first_error_row=0 first_error_slot=1 first_error_lane=-1\n";
        let error = read(fail, false).unwrap().first_error.unwrap();
        assert_eq!((error.ps, error.level, error.row.0, error.packet), (2560, 1, 0, None));
        assert_eq!(error.text, "2560 ps, x");
        assert!(read("RESULT delivered=0", true).is_none());
    }
}
