//! Traffic as lists: what each source sends, in its order.

use crate::random::SplitMix64;
use crate::relation::{Line, lines};
use frit_network::{Refusal, refuse};

/// The most messages that a file may hold: 1 GiB of destinations.
pub const MAX_MESSAGES: u64 = 1 << 28;

/// The destinations of every source's messages, in the order in which the source has them. Message m of source s is
/// number `first(s) + m` of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Messages {
    /// Behind the last message of each source; source 0 starts at 0.
    ends: Vec<u32>,
    destinations: Vec<u32>,
}

impl Messages {
    /// From a list per source.
    pub fn from_lists<'a>(lists: impl IntoIterator<Item = &'a [u32]>) -> Self {
        let mut messages = Messages { ends: Vec::new(), destinations: Vec::new() };
        for list in lists {
            messages.destinations.extend_from_slice(list);
            messages.ends.push(messages.destinations.len() as u32);
        }
        messages
    }

    /// Of `terminals` sources from the text of a file of packets, as [`lines`] reads it: a source has its messages in the
    /// order of the lines.
    pub fn parse(text: &str, terminals: u32) -> Result<Self, Refusal> {
        Self::from_lines(&lines(text, terminals)?, terminals)
    }

    /// Of `terminals` sources from the lines of such a file: (source, destination, packets).
    ///
    /// # Errors
    ///
    /// More than [`MAX_MESSAGES`] messages.
    pub fn from_lines(lines: &[Line], terminals: u32) -> Result<Self, Refusal> {
        let given: u64 = lines.iter().map(|line| u64::from(line.2)).sum();
        if given > MAX_MESSAGES {
            refuse!("{given} messages are too many to keep as a list; give at most {MAX_MESSAGES}");
        }
        let mut lists = vec![Vec::new(); terminals as usize];
        for &(source, destination, count) in lines {
            let list = &mut lists[source as usize];
            list.extend(std::iter::repeat_n(destination, count as usize));
        }
        Ok(Messages::from_lists(lists.iter().map(Vec::as_slice)))
    }

    /// `count` messages per source: message k of source s goes to `destination(s, k)`.
    pub fn from_fn(sources: u32, count: u32, mut destination: impl FnMut(u32, u32) -> u32) -> Self {
        let destinations = (0..sources).flat_map(|s| (0..count).map(move |k| (s, k)));
        let destinations = destinations.map(|(s, k)| destination(s, k)).collect();
        Messages { ends: (1..=sources).map(|s| s * count).collect(), destinations }
    }

    /// `count` messages per source: message k of source s goes to the s-th number of the k-th permutation, which is drawn
    /// from `stream(k)`.
    pub fn permutations(sources: u32, count: u32, mut stream: impl FnMut(u32) -> SplitMix64) -> Self {
        let drawn: Vec<Vec<u32>> = (0..count).map(|k| stream(k).permutation(sources)).collect();
        Messages::from_fn(sources, count, |s, k| drawn[k as usize][s as usize])
    }

    /// Number of sources.
    pub fn sources(&self) -> u32 {
        self.ends.len() as u32
    }

    /// The number of the first message of a source.
    pub fn first(&self, source: u32) -> u32 {
        source.checked_sub(1).map_or(0, |before| self.ends[before as usize])
    }

    /// The destinations of a source's messages.
    pub fn of(&self, source: u32) -> &[u32] {
        &self.destinations[self.first(source) as usize..self.ends[source as usize] as usize]
    }

    /// The destinations of all messages, source by source.
    pub fn destinations(&self) -> &[u32] {
        &self.destinations
    }

    /// Messages in all.
    pub fn len(&self) -> usize {
        self.destinations.len()
    }

    /// No message at all.
    pub fn is_empty(&self) -> bool {
        self.destinations.is_empty()
    }

    /// h, the paper's: the most messages that any of `terminals` terminals sends or receives.
    ///
    /// # Panics
    ///
    /// If a destination is no terminal.
    pub fn degree(&self, terminals: u32) -> u32 {
        let mut received = vec![0; terminals as usize];
        for &destination in &self.destinations {
            received[destination as usize] += 1;
        }
        let sent = (0..self.sources()).map(|source| self.of(source).len() as u32);
        sent.chain(received).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    #[test]
    fn lists_are_kept_in_their_order() {
        let messages = Messages::from_lists([&[3, 1][..], &[], &[2]]);
        assert_eq!((messages.sources(), messages.len(), messages.first(2)), (3, 3, 2));
        assert_eq!([messages.of(0), messages.of(1), messages.of(2)], [&[3, 1][..], &[], &[2]]);
        assert_eq!(messages.degree(4), 2);
        assert_eq!(Messages::from_lists([&[0][..], &[0], &[0]]).degree(3), 3);
    }

    #[test]
    fn a_file_gives_each_source_its_messages_in_the_order_of_the_lines() {
        let messages = Messages::parse("# order counts\n2 1\n0,3,2\n2 0\n0 1\n", 4).unwrap();
        assert_eq!([messages.of(0), messages.of(1), messages.of(2)], [&[3, 3, 1][..], &[], &[1, 0]]);
        assert_eq!((messages.sources(), messages.degree(4)), (4, 3));
        let text = |text| Messages::parse(text, 4).unwrap_err().to_string();
        assert_eq!(text("0 1\n0 4"), "line 2: destination 4 is out of range; terminals are 0..4");
        assert!(text("0 1 4000000000\n1 2 4000000000").contains("8000000000 messages are too many"));
    }

    #[test]
    fn permutations_send_and_receive_as_many() {
        let messages = Messages::permutations(8, 3, |k| stream(1, 0x100 + u64::from(k)));
        assert_eq!((messages.len(), messages.degree(8)), (24, 3));
        assert_eq!(messages.of(5)[2], stream(1, 0x102).permutation(8)[5]);
    }
}
