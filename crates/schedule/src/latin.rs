//! Latin squares: every row and every column holds every symbol once.

/// Why a square is not Latin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the text of each error says what it is")]
pub enum NotLatin {
    #[error("row {row}, column {column} holds {symbol}, but the symbols are 0..{order}")]
    Range { row: u32, column: u32, symbol: u32, order: u32 },
    #[error("row {row} holds {symbol} in columns {first} and {second}")]
    Row { row: u32, symbol: u32, first: u32, second: u32 },
    #[error("column {column} holds {symbol} in rows {first} and {second}")]
    Column { column: u32, symbol: u32, first: u32, second: u32 },
}

/// Tests a square of `order` × `order`; `at(row, column)` is a symbol. Reports the first repetition, rows first.
pub fn check(order: u32, at: impl Fn(u32, u32) -> u32) -> Result<(), NotLatin> {
    const NONE: u32 = u32::MAX;
    let mut in_column = vec![NONE; order as usize * order as usize]; // row where (column, symbol) stood
    let mut in_row = vec![NONE; order as usize];
    for row in 0..order {
        in_row.fill(NONE);
        for column in 0..order {
            let symbol = at(row, column);
            let Some(first) = in_row.get_mut(symbol as usize) else {
                return Err(NotLatin::Range { row, column, symbol, order });
            };
            if *first != NONE {
                return Err(NotLatin::Row { row, symbol, first: *first, second: column });
            }
            *first = column;
            let seen = &mut in_column[column as usize * order as usize + symbol as usize];
            if *seen != NONE {
                return Err(NotLatin::Column { column, symbol, first: *seen, second: row });
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
        assert_eq!(check(2, |r, c| r * c), Err(NotLatin::Row { row: 0, symbol: 0, first: 0, second: 1 }));
        assert_eq!(check(2, |_, c| c), Err(NotLatin::Column { column: 0, symbol: 0, first: 0, second: 1 }));
        assert_eq!(check(2, |_, _| 9), Err(NotLatin::Range { row: 0, column: 0, symbol: 9, order: 2 }));
    }
}
