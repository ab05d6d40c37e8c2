//! The settings as a testbench writes them for `verify`: a line per stage in place of one per switch, of which there would
//! be ten million at N = 1024, and most of the simulation.

use super::{CsvRow, read};
use frit_network::Refusal;
use frit_traffic::trace::Setting;
use std::io::Read;

/// The header of such a file. `states` has a binary digit per switch of the stage, switch 0 last.
pub const STATES_HEADER: &str = "cycle,stage,states";

/// Reads such a file; `file` is its name for messages.
pub fn read_states(reader: impl Read, file: &str) -> Result<Vec<Setting>, Refusal> {
    let mut settings = Vec::new();
    let rows = read(reader, file, STATES_HEADER, |row| {
        let (cycle, stage) = (row.number(0)?, row.number(1)?);
        for (switch, digit) in row.cells[2].bytes().rev().enumerate() {
            let state = state(row, digit)?;
            settings.push(Setting { cycle, stage, switch: switch as u32, state });
        }
        Ok((cycle, stage))
    });
    rows.map(|_: Vec<(u64, u32)>| settings)
}

fn state(row: &CsvRow, digit: u8) -> Result<bool, Refusal> {
    match digit {
        b'0' => Ok(false),
        b'1' => Ok(true),
        _ => Err(row.wrong(2, "a binary digit per switch")),
    }
}
