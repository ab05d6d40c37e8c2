//! Bits of many rounds: bit r of a [`Plane`] belongs to the r-th round of a batch.
//!
//! What is computed is computed in a [`Vector`] of 512 bits, which holds `8 / W` planes of `64 W` rounds: several planes
//! of one message, or one plane of several.

/// One bit for each of 64·W rounds.
pub(super) type Plane<const W: usize> = [u64; W];

/// What is worked on at a time: 8 words.
pub(super) type Vector = [u64; WORDS];

/// Words of a [`Vector`].
pub(super) const WORDS: usize = 8;

/// Vectors that begin where a line of the cache does, so that reading or writing one touches one line.
#[derive(Default)]
pub(super) struct Lines {
    /// Some words in front, then the vectors.
    words: Vec<u64>,
    len: usize,
}

impl Lines {
    /// Makes room for so many vectors. What they hold is not defined.
    pub fn resize(&mut self, vectors: usize) {
        self.len = vectors;
        self.words.resize((vectors + 1) * WORDS, 0);
    }

    pub fn vectors(&self) -> &[Vector] {
        &self.words[self.in_front()..].as_chunks().0[..self.len]
    }

    pub fn vectors_mut(&mut self) -> &mut [Vector] {
        let in_front = self.in_front();
        &mut self.words[in_front..].as_chunks_mut().0[..self.len]
    }

    fn in_front(&self) -> usize {
        self.words.as_ptr().align_offset(size_of::<Vector>()).min(self.words.len())
    }
}

pub(super) const fn planes_per_vector<const W: usize>() -> usize {
    WORDS / W
}

/// Vectors of zeros and of ones: to load one is faster than what compilers make of choosing each word.
static SPLAT: [Vector; 2] = [[0; WORDS], [u64::MAX; WORDS]];

#[inline(always)]
pub(super) fn splat(bit: bool) -> Vector {
    SPLAT[bit as usize]
}

/// The same plane in all of a vector.
#[inline(always)]
pub(super) fn repeat<const W: usize>(plane: &Plane<W>) -> Vector {
    std::array::from_fn(|word| plane[word % W])
}

/// A bit per plane of a vector, in all of that plane's rounds.
#[inline(always)]
pub(super) fn spread<const W: usize>(bit: impl Fn(usize) -> bool) -> Vector {
    if W == WORDS {
        return splat(bit(0));
    }
    std::array::from_fn(|word| if bit(word / W) { u64::MAX } else { 0 })
}

/// The plane at a place in a row of vectors.
#[inline(always)]
pub(super) fn plane<const W: usize>(row: &[Vector], place: usize) -> Plane<W> {
    let words = &row.as_flattened()[place * W..][..W];
    std::array::from_fn(|word| words[word])
}

/// Sets the plane at a place in a row of vectors.
#[inline(always)]
pub(super) fn set_plane<const W: usize>(row: &mut [Vector], place: usize, plane: &[u64]) {
    row.as_flattened_mut()[place * W..][..W].copy_from_slice(&plane[..W]);
}

/// In every bit that of `cross` where `mask` has a 1, of `straight` elsewhere.
#[inline(always)]
pub(super) fn select<const W: usize>(mask: &[u64; W], straight: &[u64; W], cross: &[u64; W]) -> [u64; W] {
    std::array::from_fn(|word| straight[word] & !mask[word] | cross[word] & mask[word])
}

/// The bits that two of three have: what is carried.
#[inline(always)]
pub(super) fn majority(a: &Vector, b: &Vector, c: &Vector) -> Vector {
    std::array::from_fn(|w| (a[w] ^ c[w]) & (b[w] ^ c[w]) ^ c[w])
}

/// Adds to numbers, a vector per bit, the least significant first, or subtracts where the mask has a 1; what is carried out
/// of the highest bit is dropped.
#[inline(always)]
pub(super) fn add(numbers: &mut [Vector], more: &[Vector], subtract: &Vector) {
    let mut carry: Vector = [0; WORDS];
    for (number, more) in numbers.iter_mut().zip(more) {
        let sum = std::array::from_fn(|w| number[w] ^ more[w] ^ carry[w]);
        // A borrow is a carry with the bit that it is taken from inverted.
        let bit: Vector = std::array::from_fn(|w| number[w] ^ subtract[w]);
        carry = majority(&bit, more, &carry);
        *number = sum;
    }
}

/// Any of the bits that `term` gives for each of so many places as `room` has. What is stored there is of no use but that the
/// compiler makes vectors of it.
#[inline(always)]
pub(super) fn any(room: &mut [Vector], term: impl Fn(usize, &Vector) -> Vector) -> Vector {
    let mut any: Vector = [0; WORDS];
    for (place, room) in room.iter_mut().enumerate() {
        let term = term(place, room);
        any = std::array::from_fn(|w| any[w] | term[w]);
        *room = any;
    }
    any
}

/// The bits of each round that `bit` says.
pub(super) fn gather<const W: usize>(rounds: u32, bit: impl Fn(u32) -> bool) -> Plane<W> {
    let mut plane = [0; W];
    for round in 0..rounds {
        plane[round as usize / 64] |= (bit(round) as u64) << (round % 64);
    }
    plane
}

/// Whether no bit is set.
pub(super) fn none(words: &[u64]) -> bool {
    words.iter().all(|&word| word == 0)
}

/// How many bits are set.
#[inline(always)]
pub(super) fn count(words: &[u64]) -> u64 {
    words.iter().map(|word| word.count_ones() as u64).sum()
}

/// The numbers whose bits stand in planes of W words, by round.
#[inline(always)]
pub(super) fn numbers<const W: usize>(planes: &[u64], numbers: &mut [u32]) {
    numbers.fill(0);
    for (position, plane) in planes.chunks_exact(W).enumerate() {
        for (chunk, &word) in numbers.chunks_exact_mut(64).zip(plane) {
            for (half, chunk) in chunk.chunks_exact_mut(32).enumerate() {
                let word = (word >> (32 * half)) as u32;
                for (round, number) in chunk.iter_mut().enumerate() {
                    *number |= (word >> round & 1) << position;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_from_their_planes() {
        let of = |round: u32| round * 37 % 1024;
        let planes: Vec<Plane<2>> = (0..10).map(|j| gather(128, |round| of(round) >> j & 1 == 1)).collect();
        let mut back = vec![9; 128];
        numbers::<2>(planes.as_flattened(), &mut back);
        assert_eq!(back, (0..128).map(of).collect::<Vec<_>>());
        assert_eq!(count(&planes[0]), (0..128).filter(|&round| of(round) % 2 == 1).count() as u64);
        assert_eq!(select(&planes[0], &[0; 2], &planes[1]), [0, 1].map(|i| planes[0][i] & planes[1][i]));
        assert!(none(&gather::<1>(64, |_| false)) && !none(&gather::<1>(64, |round| round == 63)));
    }

    #[test]
    fn vectors_begin_with_lines() {
        let mut lines = Lines::default();
        assert!(lines.vectors().is_empty());
        for len in [1, 5, 1000, 3] {
            lines.resize(len);
            lines.vectors_mut()[len - 1] = [len as u64; WORDS];
            assert_eq!((lines.vectors().len(), lines.vectors()[len - 1][7]), (len, len as u64));
            assert_eq!(lines.vectors().as_ptr() as usize % 64, 0);
        }
    }

    #[test]
    fn numbers_are_added_and_compared() {
        let number = |numbers: [u64; WORDS]| -> Vec<Vector> {
            (0..6).map(|bit| numbers.map(|number| 0u64.wrapping_sub(number >> bit & 1))).collect()
        };
        let (a, b) = ([0, 1, 2, 31, 32, 40, 62, 63], [63, 5, 62, 1, 32, 41, 1, 63]);
        for subtract in [false, true] {
            let mut sum = number(a);
            add(&mut sum, &number(b), &splat(subtract));
            let expected: [u64; WORDS] =
                std::array::from_fn(|w| if subtract { 64 + a[w] - b[w] } else { a[w] + b[w] } % 64);
            assert_eq!(sum, number(expected));
            let other = number(a);
            let differ = any(&mut sum, |bit, sum| std::array::from_fn(|w| sum[w] ^ other[bit][w]));
            assert_eq!(differ, std::array::from_fn(|w| if expected[w] == a[w] { 0 } else { u64::MAX }));
        }
    }

    #[test]
    fn planes_stand_side_by_side_in_vectors() {
        let mut row = [[0; WORDS]; 2];
        set_plane::<2>(&mut row, 5, &[7, 9]);
        assert_eq!(
            (row[1], plane::<2>(&row, 5), plane::<2>(&row, 4)),
            ([0, 0, 7, 9, 0, 0, 0, 0], [7, 9], [0, 0])
        );
        assert_eq!(repeat(&[1, 2, 3, 4]), [1, 2, 3, 4, 1, 2, 3, 4]);
        assert_eq!(spread::<4>(|place| place == 1), [0, 0, 0, 0, u64::MAX, u64::MAX, u64::MAX, u64::MAX]);
        assert_eq!(planes_per_vector::<2>(), 4);
    }
}
