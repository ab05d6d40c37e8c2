//! Matrices over GF(2) with at most 64 rows and 64 columns, and subspaces of their vectors.
//!
//! A vector is a `u64`, its bit 0 the least significant. A matrix keeps its rows, row 0 the least significant bit of what it gives.

use frit_network::name::beginning;
use frit_network::{Refusal, refusal, refuse};

/// The most rows and columns.
pub const MAX_BITS: u32 = 64;

/// A matrix over GF(2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    rows: Vec<u64>,
    columns: u32,
}

impl Matrix {
    /// A matrix of these rows.
    ///
    /// # Panics
    ///
    /// If a row has a bit beyond the columns, or there are more than 64 of either.
    pub fn new(rows: Vec<u64>, columns: u32) -> Self {
        assert!(rows.len() <= MAX_BITS as usize && columns <= MAX_BITS, "a matrix of at most 64 x 64");
        assert!(rows.iter().all(|row| row & !ones(columns) == 0), "a row of {columns} columns");
        Matrix { rows, columns }
    }

    /// The matrix without a 1.
    pub fn zero(rows: u32, columns: u32) -> Self {
        Matrix::new(vec![0; rows as usize], columns)
    }

    /// The matrix that changes nothing.
    pub fn identity(size: u32) -> Self {
        Matrix::new((0..size).map(|bit| 1 << bit).collect(), size)
    }

    /// The matrix that sends bit i to `images[i]`, of `rows` bits.
    pub fn of_images(images: &[u64], rows: u32) -> Self {
        let row = |bit| images.iter().enumerate().fold(0, |row, (at, image)| row | (image >> bit & 1) << at);
        Matrix::new((0..rows).map(row).collect(), images.len() as u32)
    }

    /// Reads an invertible matrix: a line for each row, the most significant bit of the result first, and in a line the column
    /// of the most significant bit first; blanks may stand between all bits of a row. Lines starting with `#` are comments. A line `xor BITS` gives the constant that is
    /// added to the result.
    ///
    /// # Errors
    ///
    /// If the text is no such matrix.
    pub fn parse(text: &str) -> Result<(Matrix, u64), Refusal> {
        let lines = || text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
        let lines = || lines().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let constant = lines().find_map(|(at, line)| Some((at, line.strip_prefix("xor ")?.trim())));
        let rows: Vec<(usize, &str)> = lines().filter(|(_, line)| !line.starts_with("xor ")).collect();
        if rows.is_empty() {
            refuse!(
                "the file holds no row; write n lines of n characters 0 or 1, the most significant bit first"
            );
        }
        if rows.len() > MAX_BITS as usize {
            refuse!("the file has {} rows; a matrix has at most {MAX_BITS}", rows.len());
        }
        let size = rows.len() as u32;
        let mut read = Vec::new();
        for &(line, row) in rows.iter().rev() {
            let (value, count) = bits(row).ok_or_else(|| {
                refusal!(
                    "line {line}: {:?} is not a row; a row has the characters 0 and 1 only",
                    beginning(row)
                )
            })?;
            if count != rows.len() {
                refuse!(
                    "line {line} has {count} characters, but the file has {} rows; a matrix has as many columns as rows",
                    rows.len()
                );
            }
            read.push(value);
        }
        let matrix = Matrix::new(read, size);
        let rank = matrix.rank();
        if rank < size {
            refuse!(
                "the matrix is singular: its rank is {rank}, not {size}; give a matrix that can be inverted"
            );
        }
        let Some((line, text)) = constant else { return Ok((matrix, 0)) };
        let (value, count) = bits(text).ok_or_else(|| {
            refusal!("line {line}: {:?} is not a row; a row has the characters 0 and 1 only", beginning(text))
        })?;
        match count == size as usize {
            true => Ok((matrix, value)),
            false => Err(refusal!(
                "the constant has {count} bits, but the matrix has {size} rows; give one bit for each row"
            )),
        }
    }

    /// Its rows, row 0 first.
    pub fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// Number of rows.
    pub fn height(&self) -> u32 {
        self.rows.len() as u32
    }

    /// Number of columns.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Whether it has no 1.
    pub fn is_zero(&self) -> bool {
        self.rows.iter().all(|&row| row == 0)
    }

    /// What a vector becomes.
    pub fn apply(&self, vector: u64) -> u64 {
        let bit = |(at, row): (usize, &u64)| u64::from(parity(row & vector)) << at;
        self.rows.iter().enumerate().map(bit).fold(0, |all, bit| all | bit)
    }

    /// What each bit becomes.
    pub fn images(&self) -> Vec<u64> {
        (0..self.columns).map(|bit| self.apply(1 << bit)).collect()
    }

    /// This matrix after another one.
    pub fn times(&self, other: &Matrix) -> Matrix {
        assert_eq!(self.columns, other.height(), "a product of matrices that fit");
        let images: Vec<u64> = other.images().into_iter().map(|image| self.apply(image)).collect();
        Matrix::of_images(&images, self.height())
    }

    /// The sum.
    pub fn plus(&self, other: &Matrix) -> Matrix {
        assert_eq!((self.height(), self.columns), (other.height(), other.columns), "a sum of equal sizes");
        let rows = self.rows.iter().zip(&other.rows).map(|(a, b)| a ^ b).collect();
        Matrix::new(rows, self.columns)
    }

    /// Its rank.
    pub fn rank(&self) -> u32 {
        Space::spanned_by(&self.rows).dimension()
    }

    /// The matrix that undoes it, if there is one.
    pub fn inverse(&self) -> Option<Matrix> {
        let size = self.height();
        if size != self.columns {
            return None;
        }
        let mut left = self.rows.clone();
        let mut right = Matrix::identity(size).rows;
        for bit in 0..size as usize {
            let pivot = (bit..size as usize).find(|&row| left[row] >> bit & 1 == 1)?;
            left.swap(bit, pivot);
            right.swap(bit, pivot);
            for row in (0..size as usize).filter(|&row| row != bit) {
                if left[row] >> bit & 1 == 1 {
                    left[row] ^= left[bit];
                    right[row] ^= right[bit];
                }
            }
        }
        Some(Matrix::new(right, size))
    }

    /// The rows from `low` on, `height` of them, and of these the columns from `left` on, `width` of them.
    pub fn block(&self, low: u32, height: u32, left: u32, width: u32) -> Matrix {
        let rows = &self.rows[low as usize..(low + height) as usize];
        Matrix::new(rows.iter().map(|row| cut(*row, left, width)).collect(), width)
    }

    /// A basis of the vectors that it sends to 0.
    pub fn kernel(&self) -> Vec<u64> {
        // Bits of the image above those of the vector: what is left without an image is the kernel.
        let mut found = Vec::new();
        let mut kept: Vec<(u64, u64)> = Vec::new();
        for bit in 0..self.columns {
            let (mut vector, mut image) = (1u64 << bit, self.apply(1 << bit));
            for &(other, its) in &kept {
                if image & lowest(its) != 0 {
                    (vector, image) = (vector ^ other, image ^ its);
                }
            }
            if image == 0 { found.push(vector) } else { kept.push((vector, image)) }
        }
        found
    }

    /// A vector that it sends to `image`, if there is one.
    pub fn preimage(&self, image: u64) -> Option<u64> {
        let mut kept: Vec<(u64, u64)> = Vec::new();
        for bit in 0..self.columns {
            let (mut vector, mut its) = (1u64 << bit, self.apply(1 << bit));
            for &(other, image) in &kept {
                if its & lowest(image) != 0 {
                    (vector, its) = (vector ^ other, its ^ image);
                }
            }
            if its != 0 {
                kept.push((vector, its));
            }
        }
        let mut found = (0, image);
        for &(vector, its) in &kept {
            if found.1 & lowest(its) != 0 {
                found = (found.0 ^ vector, found.1 ^ its);
            }
        }
        (found.1 == 0).then_some(found.0)
    }
}

impl std::fmt::Display for Matrix {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for row in self.rows.iter().rev() {
            let text: String =
                (0..self.columns).rev().map(|bit| if row >> bit & 1 == 1 { '1' } else { '0' }).collect();
            writeln!(f, "{text}")?;
        }
        Ok(())
    }
}

/// A subspace, by a basis whose leading bits are all different.
#[derive(Clone, Debug, Default)]
pub struct Space {
    basis: Vec<u64>,
}

impl Space {
    /// What these vectors span.
    pub fn spanned_by(vectors: &[u64]) -> Self {
        let mut space = Space::default();
        vectors.iter().for_each(|&vector| {
            space.add(vector);
        });
        space
    }

    /// Its dimension.
    pub fn dimension(&self) -> u32 {
        self.basis.len() as u32
    }

    /// A basis.
    pub fn basis(&self) -> &[u64] {
        &self.basis
    }

    fn rest(&self, vector: u64) -> u64 {
        self.basis.iter().fold(vector, |rest, b| if rest & highest(*b) != 0 { rest ^ b } else { rest })
    }

    /// Whether it holds a vector.
    pub fn holds(&self, vector: u64) -> bool {
        self.rest(vector) == 0
    }

    /// Adds a vector; whether it was new.
    pub fn add(&mut self, vector: u64) -> bool {
        let rest = self.rest(vector);
        if rest != 0 {
            self.basis.push(rest);
            // Leading bits from the highest down, so that one pass reduces a vector.
            self.basis.sort_unstable_by(|a, b| b.cmp(a));
        }
        rest != 0
    }

    /// The sum of two spaces.
    pub fn with(&self, other: &Space) -> Space {
        let mut sum = self.clone();
        other.basis.iter().for_each(|&vector| {
            sum.add(vector);
        });
        sum
    }
}

/// A basis of what the spaces of two bases have in common.
pub fn common(a: &[u64], b: &[u64]) -> Vec<u64> {
    // Zassenhaus, with the sums and the first parts in two words.
    let mut kept: Vec<(u64, u64)> = Vec::new();
    let mut found = Space::default();
    for (sum, first) in a.iter().map(|&v| (v, v)).chain(b.iter().map(|&v| (v, 0))) {
        let (mut sum, mut first) = (sum, first);
        for &(other, its) in &kept {
            if sum & lowest(other) != 0 {
                (sum, first) = (sum ^ other, first ^ its);
            }
        }
        if sum == 0 {
            found.add(first);
        } else {
            kept.push((sum, first));
        }
    }
    found.basis
}

/// Whether an odd number of bits is 1.
pub fn parity(word: u64) -> bool {
    word.count_ones() % 2 == 1
}

/// As many ones.
pub fn ones(bits: u32) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> (64 - bits) }
}

/// `width` bits of a word from bit `low` on.
pub fn cut(word: u64, low: u32, width: u32) -> u64 {
    if width == 0 { 0 } else { word >> low & ones(width) }
}

fn lowest(word: u64) -> u64 {
    word & word.wrapping_neg()
}

fn highest(word: u64) -> u64 {
    if word == 0 { 0 } else { 1 << word.ilog2() }
}

/// The bits of a text, without blanks or with blanks between all of them, and how many there are.
fn bits(text: &str) -> Option<(u64, usize)> {
    let digit = |c| match c {
        '0' => Some(0),
        '1' => Some(1),
        _ => None,
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() > 1 && words.iter().any(|word| word.len() > 1) {
        return None;
    }
    let all = words.concat();
    Some((all.chars().try_fold(0, |all: u64, c| Some(all << 1 | digit(c)?))?, all.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_traffic::random::SplitMix64;

    fn any(random: &mut SplitMix64, rows: u32, columns: u32) -> Matrix {
        Matrix::new((0..rows).map(|_| random.next() & ones(columns)).collect(), columns)
    }

    #[test]
    fn an_inverse_undoes_and_a_kernel_vanishes() {
        let mut random = SplitMix64(1);
        let mut inverted = 0;
        for size in (1..=64).chain(1..=64) {
            let matrix = any(&mut random, size, size);
            let kernel = matrix.kernel();
            assert_eq!(kernel.len() as u32, size - matrix.rank());
            assert!(kernel.iter().all(|&vector| matrix.apply(vector) == 0));
            assert_eq!(Space::spanned_by(&kernel).dimension(), kernel.len() as u32);
            let vector = random.next() & ones(size);
            let found = matrix.preimage(matrix.apply(vector)).unwrap();
            assert_eq!(matrix.apply(found), matrix.apply(vector));
            let Some(inverse) = matrix.inverse() else {
                assert!(matrix.rank() < size);
                continue;
            };
            inverted += 1;
            assert_eq!(inverse.times(&matrix), Matrix::identity(size));
            assert_eq!(inverse.apply(matrix.apply(vector)), vector);
        }
        assert!(inverted > 20, "{inverted}");
    }

    #[test]
    fn what_spaces_have_in_common() {
        let mut random = SplitMix64(2);
        for _ in 0..200 {
            let [a, b] = [0; 2].map(|_| any(&mut random, 4, 7).rows);
            let (left, right) = (Space::spanned_by(&a), Space::spanned_by(&b));
            let both = common(&a, &b);
            assert!(both.iter().all(|&v| v != 0 && left.holds(v) && right.holds(v)));
            let dimension = left.dimension() + right.dimension() - left.with(&right).dimension();
            assert_eq!(both.len() as u32, dimension);
        }
    }

    #[test]
    fn a_file_is_read_from_the_most_significant_bit() {
        let (matrix, constant) = Matrix::parse("# j from i\n01\n11\nxor 10\n").unwrap();
        assert_eq!(matrix.rows(), [0b11, 0b01]);
        assert_eq!((matrix.images(), constant), (vec![0b11, 0b01], 2));
        assert_eq!(matrix.to_string(), "01\n11\n");
        assert_eq!(Matrix::parse("# j from i\n0 1\n1\t1\nxor 1  0\n"), Ok((matrix, constant)));
    }

    #[test]
    fn files_that_are_no_matrix_say_so() {
        let text = |text: &str| Matrix::parse(text).unwrap_err().to_string();
        assert_eq!(
            text("11\n11"),
            "the matrix is singular: its rank is 1, not 2; give a matrix that can be inverted"
        );
        assert_eq!(
            text("11\n1"),
            "line 2 has 1 characters, but the file has 2 rows; a matrix has as many columns as rows"
        );
        assert_eq!(text("12\n01"), "line 1: \"12\" is not a row; a row has the characters 0 and 1 only");
        assert!(text("").starts_with("the file holds no row"));
        assert!(text("10\n01\nxor 1").starts_with("the constant has 1 bits"));
        assert!(text(&"1\n".repeat(65)).starts_with("the file has 65 rows"));
    }
}
