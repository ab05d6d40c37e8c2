//! Vectors of rounds: bit r of a [`Plane`] belongs to the r-th round of a batch.

/// One bit for each of 64·W rounds.
pub(super) type Plane<const W: usize> = [u64; W];

/// The same bit in every round.
#[inline(always)]
pub(super) fn splat<const W: usize>(bit: bool) -> Plane<W> {
    [if bit { u64::MAX } else { 0 }; W]
}

/// In every round the bit of `cross` where `mask` has a 1, of `straight` elsewhere.
#[inline(always)]
pub(super) fn select<const W: usize>(mask: &Plane<W>, straight: &Plane<W>, cross: &Plane<W>) -> Plane<W> {
    std::array::from_fn(|i| straight[i] & !mask[i] | cross[i] & mask[i])
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
#[inline(always)]
pub(super) fn none<const W: usize>(plane: &Plane<W>) -> bool {
    plane.iter().all(|&word| word == 0)
}

/// How many bits are set.
#[inline(always)]
pub(super) fn count<const W: usize>(plane: &Plane<W>) -> u64 {
    plane.iter().map(|word| word.count_ones() as u64).sum()
}

/// The numbers whose bits stand in `planes`, by round.
#[inline(always)]
pub(super) fn numbers<const W: usize>(planes: &[Plane<W>], numbers: &mut [u32]) {
    numbers.fill(0);
    for (position, plane) in planes.iter().enumerate() {
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
        numbers(&planes, &mut back);
        assert_eq!(back, (0..128).map(of).collect::<Vec<_>>());
        assert_eq!(count(&planes[0]), (0..128).filter(|&round| of(round) % 2 == 1).count() as u64);
        assert_eq!(
            select(&planes[0], &splat(false), &planes[1]),
            [0, 1].map(|i| planes[0][i] & planes[1][i])
        );
        assert!(none(&gather::<1>(64, |_| false)) && !none(&gather::<1>(64, |round| round == 63)));
    }
}
