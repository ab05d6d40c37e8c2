//! Latin squares: every row and every column holds every symbol once.

use frit_network::{Refusal, refuse};

/// Tests a square of `order` × `order`; `at(row, column)` is a symbol. Reports the first repetition, rows first.
pub fn check(order: u32, at: impl Fn(u32, u32) -> u32) -> Result<(), Refusal> {
    const NONE: u32 = u32::MAX;
    let mut in_column = vec![NONE; order as usize * order as usize]; // row where (column, symbol) stood
    let mut in_row = vec![NONE; order as usize];
    for row in 0..order {
        in_row.fill(NONE);
        for column in 0..order {
            let symbol = at(row, column);
            let Some(first) = in_row.get_mut(symbol as usize) else {
                refuse!("row {row}, column {column} holds {symbol}, but the symbols are 0..{order}");
            };
            if *first != NONE {
                refuse!("row {row} holds {symbol} in columns {first} and {column}");
            }
            *first = column;
            let seen = &mut in_column[column as usize * order as usize + symbol as usize];
            if *seen != NONE {
                refuse!("column {column} holds {symbol} in rows {seen} and {row}");
            }
            *seen = row;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Request;
    use frit_network::{LaneIdx, RoundIdx};

    #[test]
    fn the_schedules_are_latin_squares() {
        for (system, key, value, sizes) in [
            ("rls", "direction", "right", [4, 8, 32]),
            ("rls", "direction", "left", [4, 8, 32]),
            ("gsen", "algorithm", "ata2", [6, 10, 34]),
            ("gsen", "algorithm", "stage-control", [4, 8, 16]),
            ("xor", "network", "butterfly", [4, 8, 32]),
            ("xor", "network", "shuffle", [4, 8, 32]),
        ] {
            for n in sizes {
                let plan = crate::plan(&Request::new(system, n).with(key, value)).unwrap();
                check(n as u32, |round, lane| plan.destination(RoundIdx(round), LaneIdx(lane)).0).unwrap();
            }
        }
    }

    #[test]
    fn what_is_not_latin_is_shown() {
        let text = |at: fn(u32, u32) -> u32| check(2, at).unwrap_err().to_string();
        assert_eq!(text(|r, c| r * c), "row 0 holds 0 in columns 0 and 1");
        assert_eq!(text(|_, c| c), "column 0 holds 0 in rows 0 and 1");
        assert_eq!(text(|_, _| 9), "row 0, column 0 holds 9, but the symbols are 0..2");
    }
}
