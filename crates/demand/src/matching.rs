//! Perfect matchings of the cells of a square matrix: a cell in each row and each column.

/// No row or column.
pub const NONE: u32 = u32::MAX;

/// A matching that grows, cell by cell.
#[derive(Clone, Debug)]
pub struct Matching {
    /// The column of each row, or [`NONE`].
    pub column_of: Vec<u32>,
    /// The row of each column, or [`NONE`].
    pub row_of: Vec<u32>,
    /// The row from which a search reached each column.
    from: Vec<u32>,
    /// The search that reached each column last.
    reached: Vec<u32>,
    searches: u32,
}

impl Matching {
    /// Nothing is matched yet.
    pub fn empty(n: usize) -> Self {
        Matching {
            column_of: vec![NONE; n],
            row_of: vec![NONE; n],
            from: vec![NONE; n],
            reached: vec![0; n],
            searches: 0,
        }
    }

    /// Takes a row out again.
    pub fn unmatch(&mut self, row: usize) {
        let column = std::mem::replace(&mut self.column_of[row], NONE);
        if column != NONE {
            self.row_of[column as usize] = NONE;
        }
    }

    /// Matches an unmatched row, moving others on a shortest path of cells whose weight is at least `threshold`; false, and nothing is
    /// changed, if there is none.
    pub fn augment(&mut self, row: usize, weights: &[u32], threshold: u32) -> bool {
        let n = self.column_of.len();
        self.searches += 1;
        let mut queue = vec![row as u32];
        let mut next = 0;
        while let Some(&at) = queue.get(next) {
            next += 1;
            let cells = &weights[at as usize * n..][..n];
            for (column, &weight) in cells.iter().enumerate() {
                if weight < threshold || self.reached[column] == self.searches {
                    continue;
                }
                self.reached[column] = self.searches;
                self.from[column] = at;
                match self.row_of[column] {
                    NONE => {
                        self.turn(column);
                        return true;
                    }
                    other => queue.push(other),
                }
            }
        }
        false
    }

    /// Follows the path that ends at a free column back to its row, and matches its cells.
    fn turn(&mut self, column: usize) {
        let mut column = column as u32;
        while column != NONE {
            let row = self.from[column as usize];
            self.row_of[column as usize] = row;
            column = std::mem::replace(&mut self.column_of[row as usize], column);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_move_to_make_room() {
        // Row 0 likes columns 0 and 1, row 1 only 0, row 2 only 1 and 2.
        let weights = [5, 5, 0, 5, 0, 0, 0, 5, 5];
        let mut matching = Matching::empty(3);
        assert!(matching.augment(0, &weights, 1) && matching.augment(1, &weights, 1));
        assert_eq!(matching.column_of, [1, 0, NONE]);
        assert!(matching.augment(2, &weights, 5));
        assert_eq!((&matching.column_of[..], &matching.row_of[..]), (&[1, 0, 2][..], &[1, 0, 2][..]));
        matching.unmatch(1);
        assert!(!matching.augment(1, &weights, 6));
        assert_eq!(matching.column_of, [1, NONE, 2]);
    }
}
