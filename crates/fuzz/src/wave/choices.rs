//! Choices, read from an input byte by byte: a change of the input is a change of a choice.

/// What is left of an input; behind its end every choice is 0.
pub(crate) struct Choices<'a>(pub &'a [u8]);

impl Choices<'_> {
    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((&first, rest)) => {
                self.0 = rest;
                first
            }
            None => 0,
        }
    }

    /// A number below `limit`, which is at most 256.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::from(self.byte()) % limit.max(1)
    }

    /// True once in so many.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    /// The same by the last byte: what the first ones choose stays as it is.
    pub fn last_once_in(&mut self, times: usize) -> bool {
        let Some((&last, rest)) = self.0.split_last() else { return false };
        self.0 = rest;
        usize::from(last) % times == times - 1
    }

    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// Puts a list into another order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len().min(256)).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
