//! Perfect matchings of the cells of a square matrix: a cell in each row and each column.

/// No row or column.
pub const NONE: u32 = u32::MAX;

/// A matching that grows, cell by cell, on the cells that are allowed.
#[derive(Clone, Debug)]
pub struct Matching {
    /// The column of each row, or [`NONE`].
    pub column_of: Vec<u32>,
    /// The row of each column, or [`NONE`].
    pub row_of: Vec<u32>,
    /// A bit for each cell that is allowed, row by row, a whole number of words for each row.
    allowed: Vec<u64>,
    /// Words of 64 bits for each row.
    width: usize,
    /// The row from which a search reached each column.
    from: Vec<u32>,
    /// A bit for each column that a search has not reached.
    free: Vec<u64>,
    /// A bit for each column from which, as a search that failed has seen, no column without a row is reached. The others after it need not look there
    /// until a cell is allowed or a row is taken out.
    dead: Vec<u64>,
    /// A bit for each column without a row.
    open: Vec<u64>,
    queue: Vec<u32>,
}

impl Matching {
    /// Nothing is matched, and no cell is allowed.
    pub fn empty(n: usize) -> Self {
        let width = n.div_ceil(64);
        Matching {
            column_of: vec![NONE; n],
            row_of: vec![NONE; n],
            allowed: vec![0; n * width],
            width,
            from: vec![NONE; n],
            free: vec![0; width],
            dead: vec![0; width],
            open: vec![u64::MAX; width],
            queue: Vec::new(),
        }
    }

    /// Allows the cells of at least so much weight, and no others.
    pub fn allow(&mut self, weights: &[u32], threshold: u32) {
        self.dead.fill(0);
        let n = self.column_of.len();
        for (row, words) in weights.chunks_exact(n).zip(self.allowed.chunks_exact_mut(self.width)) {
            for (cells, word) in row.chunks(64).zip(words) {
                let bit = |(at, &weight): (usize, &u32)| u64::from(weight >= threshold) << at;
                *word = cells.iter().enumerate().map(bit).sum();
            }
        }
    }

    /// Allows the cells for which this is so, and no others; takes rows out that are matched elsewhere.
    pub fn allow_where(&mut self, allowed: impl Fn(usize, usize) -> bool) {
        self.dead.fill(0);
        for row in 0..self.column_of.len() {
            for word in 0..self.width {
                let columns = word * 64..self.column_of.len().min(word * 64 + 64);
                let bit = |column: usize| u64::from(allowed(row, column)) << (column % 64);
                self.allowed[row * self.width + word] = columns.map(bit).sum();
            }
            let column = self.column_of[row];
            if column != NONE && !allowed(row, column as usize) {
                self.take_out(row, column as usize);
            }
        }
    }

    /// Allows the cells of these bits, a whole number of words for each row, and no others; every row is matched on one of them, or unmatched.
    pub fn allow_bits(&mut self, bits: &[u64]) {
        self.dead.fill(0);
        self.allowed.copy_from_slice(bits);
    }

    /// Takes all rows out.
    pub fn clear(&mut self) {
        self.column_of.fill(NONE);
        self.row_of.fill(NONE);
        self.open.fill(u64::MAX);
        self.dead.fill(0);
    }

    fn take_out(&mut self, row: usize, column: usize) {
        self.column_of[row] = NONE;
        self.row_of[column] = NONE;
        self.open[column / 64] |= 1 << (column % 64);
        self.dead.fill(0);
    }

    /// Allows a cell no longer, and takes its row out if it is matched there.
    pub fn forbid(&mut self, row: usize, column: usize) {
        self.allowed[row * self.width + column / 64] &= !(1 << (column % 64));
        if self.column_of[row] == column as u32 {
            self.take_out(row, column);
        }
    }

    /// Allows a cell.
    pub fn permit(&mut self, row: usize, column: usize) {
        self.dead.fill(0);
        self.allowed[row * self.width + column / 64] |= 1 << (column % 64);
    }

    /// Matches every row, or as many as it can; whether all are.
    pub fn complete(&mut self) -> bool {
        (0..self.column_of.len()).all(|row| self.column_of[row] != NONE || self.augment(row))
    }

    /// Matches an unmatched row, moving others on a shortest path of allowed cells; false, and nothing is changed, if there is none.
    pub fn augment(&mut self, row: usize) -> bool {
        self.free.iter_mut().zip(&self.dead).for_each(|(free, dead)| *free = !dead);
        self.queue.clear();
        self.queue.push(row as u32);
        let mut next = 0;
        while let Some(&at) = self.queue.get(next) {
            next += 1;
            let allowed = &self.allowed[at as usize * self.width..][..self.width];
            // A column without a row ends the search, whatever else this row reaches.
            let ends = allowed.iter().zip(&self.open).position(|(allowed, open)| allowed & open != 0);
            if let Some(word) = ends {
                let column = word * 64 + (allowed[word] & self.open[word]).trailing_zeros() as usize;
                self.from[column] = at;
                self.turn(column);
                return true;
            }
            for (word, (allowed, free)) in allowed.iter().zip(&mut self.free).enumerate() {
                let mut new = allowed & *free;
                *free &= !new;
                while new != 0 {
                    let column = word * 64 + new.trailing_zeros() as usize;
                    new &= new - 1;
                    self.from[column] = at;
                    self.queue.push(self.row_of[column]);
                }
            }
        }
        self.dead.iter_mut().zip(&self.free).for_each(|(dead, free)| *dead = !free);
        false
    }

    fn turn(&mut self, column: usize) {
        self.open[column / 64] &= !(1 << (column % 64));
        turn(column, &self.from, &mut self.column_of, &mut self.row_of);
    }
}

/// Follows the path that ends at a free column back to its row, and matches its cells; `from` has the row from which each column was reached.
pub(crate) fn turn(column: usize, from: &[u32], column_of: &mut [u32], row_of: &mut [u32]) {
    let mut column = column as u32;
    while column != NONE {
        let row = from[column as usize];
        row_of[column as usize] = row;
        column = std::mem::replace(&mut column_of[row as usize], column);
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
        matching.allow(&weights, 5);
        assert!(matching.augment(0) && matching.augment(1));
        assert_eq!(matching.column_of, [1, 0, NONE]);
        assert!(matching.complete());
        assert_eq!((&matching.column_of[..], &matching.row_of[..]), (&[1, 0, 2][..], &[1, 0, 2][..]));
        matching.forbid(1, 0);
        assert!(!matching.complete());
        assert_eq!(matching.column_of, [1, NONE, 2]);
        matching.permit(1, 0);
        assert!(matching.complete());
    }

    #[test]
    fn more_columns_than_a_word_has_bits() {
        // Row r of 130 has columns r and r + 1 only; row 129 only column 0: all must move.
        let n = 130;
        let mut matching = Matching::empty(n);
        for row in 0..n - 1 {
            matching.permit(row, row);
            matching.permit(row, row + 1);
        }
        matching.permit(n - 1, 0);
        assert!(matching.complete());
        assert!(matching.column_of.iter().enumerate().all(|(row, &column)| column as usize == (row + 1) % n));
    }
}
