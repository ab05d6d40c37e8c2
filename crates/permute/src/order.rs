//! In which order the words of a data set leave: word i of the input is word j of the output.

use crate::gf2::Matrix;

/// The most words of a data set.
pub const MAX_WORDS: u64 = 1 << 24;

/// The most words of a data set whose settings and addresses are stored in tables.
pub const MAX_TABLE: u64 = 1 << 16;

/// The most axes of an array: as many as an array of [`MAX_WORDS`] words has whose axes have a length of two.
pub const MAX_AXES: usize = MAX_WORDS.trailing_zeros() as usize;

/// An order of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// j = matrix·i xor constant, on the bits of the numbers.
    Linear {
        /// The matrix, invertible.
        matrix: Matrix,
        /// What is added.
        constant: u64,
    },
    /// A matrix of rows and columns, row by row, becomes column by column: r·C + c goes to c·R + r.
    Transpose {
        /// Rows R.
        rows: u32,
        /// Columns C.
        columns: u32,
    },
    /// `table[i]` is j.
    Table(Vec<u32>),
}

impl Order {
    /// Where word i goes.
    pub fn destination(&self, word: u64) -> u64 {
        match self {
            Order::Linear { matrix, constant } => matrix.apply(word) ^ constant,
            Order::Transpose { rows, columns } => {
                let (row, column) = (word / u64::from(*columns), word % u64::from(*columns));
                column * u64::from(*rows) + row
            }
            Order::Table(table) => u64::from(table[word as usize]),
        }
    }

    /// The words of a data set.
    pub fn words(&self) -> u64 {
        match self {
            Order::Linear { matrix, .. } => 1 << matrix.height(),
            Order::Transpose { rows, columns } => u64::from(*rows) * u64::from(*columns),
            Order::Table(table) => table.len() as u64,
        }
    }

    /// Cycles by which output must stay behind input: the greatest (cycle in − cycle out) of a word, `lanes` words a cycle.
    pub fn wait(&self, lanes: u32) -> u64 {
        let late =
            |word: u64| (word / u64::from(lanes)).saturating_sub(self.destination(word) / u64::from(lanes));
        (0..self.words()).map(late).max().unwrap_or(0)
    }

    /// The words in the order in which they leave: the number that each one had in the input.
    pub fn sources(&self) -> Vec<u32> {
        let mut sources = vec![0; self.words() as usize];
        for word in 0..self.words() {
            sources[self.destination(word) as usize] = word as u32;
        }
        sources
    }
}

impl Order {
    /// The order with the place of each word; as a matrix, if it is linear on the bits of the numbers.
    pub fn of_table(table: Vec<u32>) -> Order {
        if !table.len().is_power_of_two() {
            return Order::Table(table);
        }
        let bits = table.len().trailing_zeros();
        let constant = u64::from(table[0]);
        let images: Vec<u64> = (0..bits).map(|bit| u64::from(table[1 << bit]) ^ constant).collect();
        let matrix = Matrix::of_images(&images, bits);
        let linear = |(word, &to): (usize, &u32)| matrix.apply(word as u64) ^ constant == u64::from(to);
        match table.iter().enumerate().all(linear) {
            true => Order::Linear { matrix, constant },
            false => Order::Table(table),
        }
    }

    /// The order that brings the words back.
    pub fn inverse(&self) -> Order {
        match self {
            Order::Linear { matrix, constant } => {
                let matrix = matrix.inverse().unwrap_or(Matrix::identity(matrix.height()));
                let constant = matrix.apply(*constant);
                Order::Linear { matrix, constant }
            }
            &Order::Transpose { rows, columns } => Order::Transpose { rows: columns, columns: rows },
            Order::Table(_) => Order::Table(self.sources()),
        }
    }
}

/// The order reversed on the bits of a number.
pub fn bit_reversal(bits: u32) -> Order {
    let images: Vec<u64> = (0..bits).rev().map(|bit| 1 << bit).collect();
    Order::Linear { matrix: Matrix::of_images(&images, bits), constant: 0 }
}

/// A transpose of powers of two, which moves the bits of a number.
pub fn transposed_bits(row_bits: u32, column_bits: u32) -> Order {
    let bits = row_bits + column_bits;
    let images: Vec<u64> = (0..bits).map(|bit| 1 << ((bit + row_bits) % bits.max(1))).collect();
    Order::Linear { matrix: Matrix::of_images(&images, bits), constant: 0 }
}

/// The axes of an array in another order: axis `axes[0]` of the input is the slowest of the output. Neighbours that stay together
/// are one axis, so that most such orders are a transpose.
pub fn axes(shape: &[u32], axes: &[usize]) -> Order {
    // Axes of length 1 move nothing.
    let kept: Vec<usize> = axes.iter().copied().filter(|&axis| shape[axis] > 1).collect();
    let mut sorted = kept.clone();
    sorted.sort_unstable();
    let place = |axis: usize| sorted.iter().position(|&other| other == axis).unwrap_or(0);
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for &axis in &kept {
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|&last| place(last) + 1 == place(axis)) => run.push(axis),
            _ => runs.push(vec![axis]),
        }
    }
    let size = |run: &[usize]| run.iter().map(|&axis| shape[axis]).product::<u32>();
    if let [first, second] = runs.as_slice() {
        // The slowest axis of the output is the fastest of the input.
        return transpose(size(second), size(first));
    }
    // Strides of the merged axes in the input.
    let mut input = runs.clone();
    input.sort_unstable();
    let strides: Vec<u64> =
        (0..input.len()).map(|at| input[at + 1..].iter().map(|run| u64::from(size(run))).product()).collect();
    let of = |run: &Vec<usize>| {
        let at = input.iter().position(|other| other == run).unwrap_or(0);
        (u64::from(size(run)), strides[at])
    };
    let output: Vec<(u64, u64)> = runs.iter().map(of).collect();
    let words: u64 = output.iter().map(|(size, _)| size).product();
    let source = |mut word: u64| {
        let mut from = 0;
        for &(size, stride) in output.iter().rev() {
            from += word % size * stride;
            word /= size;
        }
        from
    };
    if output.iter().all(|(size, _)| size.is_power_of_two()) {
        let bits = words.trailing_zeros();
        let back: Vec<u64> = (0..bits).map(|bit| source(1 << bit)).collect();
        let matrix = Matrix::of_images(&back, bits).inverse().unwrap_or(Matrix::identity(bits));
        return Order::Linear { matrix, constant: 0 };
    }
    let mut table = vec![0; words as usize];
    (0..words).for_each(|word| table[source(word) as usize] = word as u32);
    Order::Table(table)
}

/// A transpose, on the bits of the numbers if rows and columns are powers of two.
pub fn transpose(rows: u32, columns: u32) -> Order {
    match rows.is_power_of_two() && columns.is_power_of_two() {
        true => transposed_bits(rows.trailing_zeros(), columns.trailing_zeros()),
        false => Order::Transpose { rows, columns },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The axes of an array in another order, by their definition.
    fn by_hand(shape: &[u32], order: &[usize]) -> Vec<u64> {
        let words: u32 = shape.iter().product();
        let digits = |mut word: u32| {
            let mut found = vec![0; shape.len()];
            for axis in (0..shape.len()).rev() {
                found[axis] = word % shape[axis];
                word /= shape[axis];
            }
            found
        };
        let goes = |word| order.iter().fold(0, |to, &axis| to * shape[axis] + digits(word)[axis]);
        (0..words).map(|word| u64::from(goes(word))).collect()
    }

    #[test]
    fn axes_come_down_to_fewer() {
        let cases: [(&[u32], &[usize], &str); 8] = [
            (&[1, 128, 12, 32], &[0, 2, 1, 3], "table"),
            (&[1, 128, 384], &[0, 2, 1], "transpose"),
            (&[4, 8, 16], &[2, 0, 1], "linear"),
            (&[3, 5, 2], &[2, 0, 1], "transpose"),
            (&[3, 5, 2], &[1, 2, 0], "transpose"),
            (&[2, 3, 4], &[2, 1, 0], "table"),
            (&[2, 8, 4, 2], &[3, 1, 0, 2], "linear"),
            (&[6, 4], &[0, 1], "table"),
        ];
        for (shape, order, kind) in cases {
            let found = axes(shape, order);
            let got: Vec<u64> = (0..found.words()).map(|word| found.destination(word)).collect();
            assert_eq!(got, by_hand(shape, order), "{shape:?} {order:?}");
            let is = match found {
                Order::Linear { .. } => "linear",
                Order::Transpose { .. } => "transpose",
                Order::Table(_) => "table",
            };
            assert_eq!(is, kind, "{shape:?} {order:?}");
        }
    }

    #[test]
    fn a_transpose_of_powers_of_two_moves_bits() {
        for (rows, columns) in [(8, 8), (2, 16), (16, 2), (1, 4), (4, 1)] {
            let (bits, plain) = (transpose(rows, columns), Order::Transpose { rows, columns });
            assert!(matches!(bits, Order::Linear { .. }));
            assert!((0..plain.words()).all(|word| bits.destination(word) == plain.destination(word)));
        }
    }

    #[test]
    fn the_wait_is_that_of_the_latest_word() {
        assert_eq!(bit_reversal(10).wait(8), 121);
        assert_eq!(transpose(64, 64).wait(8), 497);
        assert_eq!(Order::Table(vec![2, 3, 0, 1]).wait(2), 1);
    }
}
