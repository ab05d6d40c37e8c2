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
    /// The same bits column by column, if `by_column_holds`: only searches backwards need them.
    by_column: Vec<u64>,
    by_column_holds: bool,
    /// The row from which a search reached each column.
    from: Vec<u32>,
    /// A bit for each column that a search has not reached.
    free: Vec<u64>,
    /// A bit for each column from which, as a search that failed has seen, no column without a row is reached. The others after it need not look there
    /// until a cell is allowed or a row is taken out.
    dead: Vec<u64>,
    /// A bit for each column without a row.
    open: Vec<u64>,
    /// The columns that a search reached, in order.
    queue: Vec<u32>,
    /// Bits for the columns from which a column without a row is reached in so many steps, and in no fewer: from 0 on, `width` words each.
    steps: Vec<u64>,
    /// The columns of the last of these.
    last: Vec<u32>,
    /// The rows with a cell in one of them.
    reach: Vec<u64>,
    /// A bit for each row that a search backwards has not reached.
    unseen: Vec<u64>,
}

impl Matching {
    /// Nothing is matched, and no cell is allowed.
    pub fn empty(n: usize) -> Self {
        let width = n.div_ceil(64);
        Matching {
            column_of: vec![NONE; n],
            row_of: vec![NONE; n],
            allowed: vec![0; n * width],
            by_column: vec![],
            by_column_holds: false,
            width,
            from: vec![NONE; n],
            free: vec![0; width],
            dead: vec![0; width],
            open: columns(n),
            queue: vec![],
            steps: vec![],
            last: vec![],
            reach: vec![0; width],
            unseen: vec![0; width],
        }
    }

    /// Allows the cells of at least so much weight, and no others.
    pub fn allow(&mut self, weights: &[u32], threshold: u32) {
        self.other_cells();
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
        self.other_cells();
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
        self.other_cells();
        self.allowed.copy_from_slice(bits);
    }

    fn other_cells(&mut self) {
        self.dead.fill(0);
        self.by_column_holds = false;
    }

    /// Takes all rows out.
    pub fn clear(&mut self) {
        self.column_of.fill(NONE);
        self.row_of.fill(NONE);
        self.open = columns(self.column_of.len());
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
        if self.by_column_holds {
            self.by_column[column * self.width + row / 64] &= !(1 << (row % 64));
        }
        if self.column_of[row] == column as u32 {
            self.take_out(row, column);
        }
    }

    /// Allows a cell.
    pub fn permit(&mut self, row: usize, column: usize) {
        self.dead.fill(0);
        self.allowed[row * self.width + column / 64] |= 1 << (column % 64);
        if self.by_column_holds {
            self.by_column[column * self.width + row / 64] |= 1 << (row % 64);
        }
    }

    /// Matches every row, or as many as it can; whether all are.
    pub fn complete(&mut self) -> bool {
        (0..self.column_of.len()).all(|row| self.column_of[row] != NONE || self.augment(row))
    }

    /// Matches an unmatched row, moving others on a shortest path of allowed cells; false, and nothing is changed, if there is none.
    ///
    /// Of the shortest paths it is the first that a breadth-first search from the row finds. The search goes from both ends, from the row and from the
    /// columns without a row, a step at a time where fewer columns are: with a thousand rows each end has seen a few dozen when they meet, and one end alone
    /// most of them.
    pub fn augment(&mut self, row: usize) -> bool {
        self.free.iter_mut().zip(&self.dead).for_each(|(free, dead)| *free = !dead);
        self.unseen.fill(u64::MAX);
        self.queue.clear();
        self.steps.clear();
        self.steps.extend_from_slice(&self.open);
        let mut last = self.open.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        // The rows at one end: the given one, then those of the columns from here on.
        let (mut ends, mut level) = (vec![row as u32], 0);
        let mut step = 0;
        loop {
            // Each turn first looks whether the ends meet, and only then notes what it reaches.
            let met = ends.iter().take(last).find_map(|&row| Some((row, self.ahead(row, step)?)));
            if let Some((row, column)) = met {
                self.from[column] = row;
                self.walk(column, step);
                return true;
            }
            if ends.len() <= last {
                level = self.queue.len();
                ends.iter().for_each(|&row| self.step_on(row));
                ends.clear();
                ends.extend(self.queue[level..].iter().map(|&column| self.row_of[column as usize]));
                if ends.is_empty() {
                    self.dead.iter_mut().zip(&self.free).for_each(|(dead, free)| *dead = !free);
                    return false;
                }
            } else {
                if step == 0 {
                    self.last.clear();
                    self.last.extend(bits(&self.open).map(|column| column as u32));
                }
                self.look_back();
                let reaches = |&row: &u32| self.reach[row as usize / 64] >> (row % 64) & 1 == 1;
                if let Some(at) = ends.iter().position(reaches) {
                    self.walk(self.queue[level + at] as usize, step + 1);
                    return true;
                }
                self.step_back();
                step += 1;
                last = self.last.len();
                if self.last.is_empty() {
                    self.dead.fill(u64::MAX);
                    for step in self.steps.chunks_exact(self.width) {
                        self.dead.iter_mut().zip(step).for_each(|(dead, reach)| *dead &= !reach);
                    }
                    return false;
                }
            }
        }
    }

    /// The first column of a row's cells that is so many steps from a column without a row.
    fn ahead(&self, row: u32, step: usize) -> Option<usize> {
        let allowed = &self.allowed[row as usize * self.width..][..self.width];
        let steps = &self.steps[step * self.width..][..self.width];
        let both = allowed.iter().zip(steps).map(|(allowed, steps)| allowed & steps);
        // Most have none, and a sum without a branch is faster than a search.
        if both.clone().fold(0, |any, both| any | both) == 0 {
            return None;
        }
        { both.enumerate() }
            .find(|(_, both)| *both != 0)
            .map(|(word, both)| word * 64 + both.trailing_zeros() as usize)
    }

    /// Reaches the columns of a row's cells.
    fn step_on(&mut self, row: u32) {
        let allowed = &self.allowed[row as usize * self.width..][..self.width];
        for (word, (allowed, free)) in allowed.iter().zip(&mut self.free).enumerate() {
            let new = allowed & *free;
            *free &= !new;
            for bit in ones(new) {
                self.from[word * 64 + bit] = row;
                self.queue.push((word * 64 + bit) as u32);
            }
        }
    }

    /// The rows with a cell in a column of the last step back.
    fn look_back(&mut self) {
        if !self.by_column_holds {
            self.by_column.resize(self.allowed.len(), 0);
            let n = self.column_of.len();
            for (rows, columns) in
                (0..self.width).flat_map(|rows| (0..self.width).map(move |columns| (rows, columns)))
            {
                let mut square = [0; 64];
                let line = |of: usize| of * 64..n.min(of * 64 + 64);
                for row in line(rows) {
                    square[row % 64] = self.allowed[row * self.width + columns];
                }
                transpose(&mut square);
                for column in line(columns) {
                    self.by_column[column * self.width + rows] = square[column % 64];
                }
            }
            self.by_column_holds = true;
        }
        self.reach.fill(0);
        for &column in &self.last {
            let rows = &self.by_column[column as usize * self.width..][..self.width];
            self.reach.iter_mut().zip(rows).for_each(|(reach, rows)| *reach |= rows);
        }
    }

    /// A step more backwards, to the columns of the rows that [`Self::look_back`] found.
    fn step_back(&mut self) {
        let start = self.steps.len();
        self.steps.resize(start + self.width, 0);
        self.last.clear();
        for (word, (reach, unseen)) in self.reach.iter().zip(&mut self.unseen).enumerate() {
            let new = reach & *unseen;
            *unseen &= !new;
            for bit in ones(new) {
                let column = self.column_of[word * 64 + bit];
                if column != NONE {
                    self.steps[start + column as usize / 64] |= 1 << (column % 64);
                    self.last.push(column);
                }
            }
        }
    }

    /// From a column that is so many steps from a column without a row on to there, then moves the rows of the whole path.
    fn walk(&mut self, mut column: usize, steps: usize) {
        for step in (0..steps).rev() {
            let row = self.row_of[column];
            column = self.ahead(row, step).expect("it is a step less from there");
            self.from[column] = row;
        }
        self.turn(column);
    }

    fn turn(&mut self, column: usize) {
        self.open[column / 64] &= !(1 << (column % 64));
        turn(column, &self.from, &mut self.column_of, &mut self.row_of);
    }
}

/// A bit for each of n columns.
fn columns(n: usize) -> Vec<u64> {
    (0..n.div_ceil(64)).map(|word| u64::MAX >> (64 - (n - word * 64).min(64))).collect()
}

/// Exchanges rows and columns of 64 × 64 bits: halves of its squares, then quarters, down to single bits (H. Warren, Hacker's Delight, 7-3).
fn transpose(square: &mut [u64; 64]) {
    let (mut size, mut mask) = (32, u64::MAX >> 32);
    while size > 0 {
        for row in (0..64).filter(|row| row & size == 0) {
            let moved = (square[row] >> size ^ square[row + size]) & mask;
            square[row] ^= moved << size;
            square[row + size] ^= moved;
        }
        size /= 2;
        mask ^= mask << size;
    }
}

/// The places of the bits that are set in a word, from the lowest.
fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        bit
    })
}

/// The same in several words.
fn bits(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(word, &bits)| ones(bits).map(move |bit| word * 64 + bit))
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
    use frit_traffic::random::SplitMix64;
    use proptest::prelude::*;

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

    /// What a search from the row alone does, on cells.
    fn plain(cells: &[Vec<bool>], column_of: &mut [u32], row_of: &mut [u32], row: usize) -> bool {
        let mut from = vec![NONE; row_of.len()];
        let mut queue = std::collections::VecDeque::from([row]);
        while let Some(at) = queue.pop_front() {
            let reached: Vec<usize> = (0..row_of.len()).filter(|&column| cells[at][column]).collect();
            if let Some(&column) = reached.iter().find(|&&column| row_of[column] == NONE) {
                from[column] = at as u32;
                turn(column, &from, column_of, row_of);
                return true;
            }
            for column in reached {
                if from[column] == NONE {
                    from[column] = at as u32;
                    queue.push_back(row_of[column] as usize);
                }
            }
        }
        false
    }

    proptest! {
        /// Both ends find the path that one end finds, after any changes.
        #[test]
        fn a_search_from_both_ends_finds_the_path_of_one(n in 1usize..200, percent in 1u32..30, seed in any::<u64>()) {
            let mut random = SplitMix64(seed);
            let mut cells: Vec<Vec<bool>> = (0..n).map(|_| (0..n).map(|_| random.below(100) < percent).collect()).collect();
            let mut matching = Matching::empty(n);
            matching.allow_where(|row, column| cells[row][column]);
            let (mut column_of, mut row_of) = (vec![NONE; n], vec![NONE; n]);
            for _ in 0..3 * n {
                let (row, column) = (random.below(n as u32) as usize, random.below(n as u32) as usize);
                let allowed = random.below(100) < percent;
                match allowed {
                    true => matching.permit(row, column),
                    false => {
                        matching.forbid(row, column);
                        if column_of[row] == column as u32 {
                            (column_of[row], row_of[column]) = (NONE, NONE);
                        }
                    }
                }
                cells[row][column] = allowed;
                // Matched rows lose a column now and then, so that searches have far to go.
                let row = random.below(n as u32) as usize;
                if column_of[row] == NONE {
                    prop_assert_eq!(matching.augment(row), plain(&cells, &mut column_of, &mut row_of, row));
                }
                prop_assert_eq!(&matching.column_of, &column_of);
                prop_assert_eq!(&matching.row_of, &row_of);
            }
        }
    }

    #[test]
    fn bits_are_transposed() {
        let mut random = SplitMix64(7);
        let square: [u64; 64] = std::array::from_fn(|_| random.next());
        let mut turned = square;
        transpose(&mut turned);
        for (row, column) in (0..64).flat_map(|row| (0..64).map(move |column| (row, column))) {
            assert_eq!(square[row] >> column & 1, turned[column] >> row & 1);
        }
    }
}
