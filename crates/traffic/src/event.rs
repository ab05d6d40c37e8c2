//! What a routed system reports: events, each a row of named whole numbers.
//!
//! An engine says what it did as values of its own event type; CSV, memory files for testbenches and digests are made
//! of the numbers here, once for all systems.

use crate::fnv::Fnv64;

/// A kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventKind {
    /// Its name.
    pub name: &'static str,
    /// What its numbers are, in order.
    pub columns: &'static [&'static str],
    /// Whether the last name is that of a list: all numbers from there on.
    pub list: bool,
}

/// Something that a node of a routed system did.
pub trait Event {
    /// All kinds.
    const KINDS: &'static [EventKind];
    /// Its place in [`KINDS`](Event::KINDS).
    fn kind(&self) -> usize;
    /// Gives `take` its numbers, one per column of its kind or more if the last is a list.
    fn each_number(&self, take: impl FnMut(u32));

    /// Appends its numbers.
    fn numbers(&self, into: &mut Vec<u32>) {
        self.each_number(|number| into.push(number));
    }
}

/// The digest of events in their order: one chain over all their numbers.
#[derive(Clone, Debug, Default)]
pub struct ChainDigest {
    chain: Fnv64,
}

impl ChainDigest {
    /// Takes the next event.
    pub fn take(&mut self, event: &impl Event) {
        event.each_number(|number| self.chain.word(number));
    }

    /// The digest of the events taken.
    pub fn digest(&self) -> u64 {
        self.chain.digest()
    }

    /// The digest of two runs, of which this is the first: this chain, continued with the digest of `second` as two numbers, its lower
    /// 32 bits first.
    pub fn followed_by(&self, second: &ChainDigest) -> u64 {
        let (mut chain, second) = (self.chain, second.digest());
        chain.words(&[second as u32, (second >> 32) as u32]);
        chain.digest()
    }
}

/// A digest that does not depend on the order of events: the sum of each event's own, of its kind (from 1) and numbers.
#[derive(Clone, Debug, Default)]
pub struct SumDigest {
    sum: u64,
}

impl SumDigest {
    /// Takes an event.
    #[inline]
    pub fn take(&mut self, event: &impl Event) {
        let mut own = Fnv64::default();
        own.word(event.kind() as u32 + 1);
        event.each_number(|number| own.word(number));
        self.sum = self.sum.wrapping_add(own.digest());
    }

    /// The digest of the events taken.
    pub fn digest(&self) -> u64 {
        self.sum
    }
}

/// Events as CSV: a column for every name that some kind has, in the order of the kinds, empty where a kind has it not,
/// and before them `event`, the kind's name, if there are several. The numbers of a list are separated by spaces.
pub struct EventsCsv {
    text: String,
    kinds: &'static [EventKind],
    names: Vec<&'static str>,
    numbers: Vec<u32>,
}

impl EventsCsv {
    /// The header for the kinds of `E`.
    pub fn new<E: Event>() -> Self {
        let mut names: Vec<&str> = Vec::new();
        for name in E::KINDS.iter().flat_map(|kind| kind.columns) {
            if !names.contains(name) {
                names.push(name);
            }
        }
        let several = E::KINDS.len() > 1;
        let head: Vec<&str> = several.then_some("event").into_iter().chain(names.iter().copied()).collect();
        EventsCsv { text: head.join(",") + "\n", kinds: E::KINDS, names, numbers: Vec::new() }
    }

    /// Appends a row.
    pub fn write<E: Event>(&mut self, event: &E) {
        self.numbers.clear();
        event.numbers(&mut self.numbers);
        self.row(event.kind());
    }

    /// The row of the numbers. It knows no type of event, so that it is compiled in this crate, whose loops are optimised.
    fn row(&mut self, kind: usize) {
        let EventsCsv { text, kinds, names, numbers } = self;
        let mut digits = itoa::Buffer::new();
        let mut comma = "";
        let several = kinds.len() > 1;
        let kind = kinds[kind];
        if several {
            text.push_str(kind.name);
            comma = ",";
        }
        for name in names {
            text.push_str(comma);
            comma = ",";
            let Some(at) = kind.columns.iter().position(|column| column == name) else { continue };
            let end = if at + 1 == kind.columns.len() { numbers.len() } else { at + 1 };
            let mut space = "";
            for &number in &numbers[at..end] {
                text.push_str(space);
                text.push_str(digits.format(number));
                space = " ";
            }
        }
        text.push('\n');
    }

    /// The header and all rows.
    pub fn finish(self) -> String {
        self.text
    }
}

/// Events as columns of numbers, those of each kind together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventColumns {
    /// The kind.
    pub kind: EventKind,
    /// The place of each event of this kind among all events, from 0.
    pub order: Vec<u32>,
    /// The numbers of each column, an event behind the other. The last column of a kind with a list has those of all lists.
    pub columns: Vec<Vec<u32>>,
    /// Of a kind with a list: where the list of each event ends among the numbers of the last column. Else empty.
    pub ends: Vec<u32>,
}

impl EventColumns {
    /// No events, of each kind of `E`.
    pub fn new<E: Event>() -> Vec<EventColumns> {
        let none = |kind: &EventKind| EventColumns {
            kind: *kind,
            order: Vec::new(),
            columns: vec![Vec::new(); kind.columns.len()],
            ends: Vec::new(),
        };
        E::KINDS.iter().map(none).collect()
    }

    /// Appends the event that is number `order` of all to the columns of its kind.
    pub fn take<E: Event>(all: &mut [EventColumns], order: u32, event: &E) {
        let mut numbers = Vec::new();
        event.numbers(&mut numbers);
        all[event.kind()].append(order, &numbers);
    }

    fn append(&mut self, order: u32, numbers: &[u32]) {
        self.order.push(order);
        let last = self.columns.len() - usize::from(self.kind.list);
        for (column, &number) in self.columns[..last].iter_mut().zip(numbers) {
            column.push(number);
        }
        if self.kind.list {
            self.columns[last].extend_from_slice(&numbers[last..]);
            self.ends.push(self.columns[last].len() as u32);
        }
    }
}

/// Events as lines of `$readmemh`: kind (from 1) and numbers, 32 bits each, the kind in the most significant word, filled up
/// with zeros to `words` words behind the kind.
///
/// # Panics
///
/// If an event has more numbers.
pub fn memh<E: Event>(events: &[E], words: usize) -> String {
    let mut numbers = Vec::new();
    let mut text = String::new();
    for event in events {
        numbers.clear();
        numbers.push(event.kind() as u32 + 1);
        event.numbers(&mut numbers);
        assert!(numbers.len() <= words + 1, "an event of {} numbers in {words} words", numbers.len() - 1);
        numbers.resize(words + 1, 0);
        text.extend(numbers.iter().map(|number| format!("{number:08x}")));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    enum Sample {
        Taken { step: u32, ports: Vec<u32> },
        Left { step: u32, row: u32 },
    }

    impl Event for Sample {
        const KINDS: &'static [EventKind] = &[
            EventKind { name: "taken", columns: &["step", "ports"], list: true },
            EventKind { name: "left", columns: &["step", "row"], list: false },
        ];
        fn kind(&self) -> usize {
            matches!(self, Sample::Left { .. }) as usize
        }
        fn each_number(&self, mut take: impl FnMut(u32)) {
            match self {
                Sample::Taken { step, ports } => {
                    take(*step);
                    ports.iter().copied().for_each(take);
                }
                Sample::Left { step, row } => [*step, *row].into_iter().for_each(take),
            }
        }
    }

    fn samples() -> [Sample; 2] {
        [Sample::Taken { step: 3, ports: vec![4, 5] }, Sample::Left { step: 9, row: 1 }]
    }

    #[test]
    fn csv_has_every_column_once() {
        let mut csv = EventsCsv::new::<Sample>();
        samples().iter().for_each(|event| csv.write(event));
        assert_eq!(csv.finish(), "event,step,ports,row\ntaken,3,4 5,\nleft,9,,1\n");
    }

    #[test]
    fn columns_have_every_number_once() {
        let mut all = EventColumns::new::<Sample>();
        for (order, event) in (0..).zip(samples().iter().chain(&samples())) {
            EventColumns::take(&mut all, order, event);
        }
        let [taken, left] = all.as_slice() else { panic!("two kinds") };
        assert_eq!((&taken.order, &left.order), (&vec![0, 2], &vec![1, 3]));
        let mut numbers = Vec::new();
        samples()[0].numbers(&mut numbers);
        let lists = [&numbers[1..], &numbers[1..]].concat();
        assert_eq!(taken.columns, [vec![numbers[0]; 2], lists.clone()]);
        assert_eq!(taken.ends, [lists.len() as u32 / 2, lists.len() as u32]);
        assert!(left.ends.is_empty() && left.columns.iter().all(|column| column.len() == 2));
    }

    #[test]
    fn memory_files_are_filled_up() {
        let lines = "00000001000000030000000400000005\n00000002000000090000000100000000\n";
        assert_eq!(memh(&samples(), 3), lines);
    }

    #[test]
    fn a_sum_forgets_the_order_and_a_chain_does_not() {
        let [a, b] = samples();
        let sum = |events: [&Sample; 2]| {
            let mut digest = SumDigest::default();
            events.iter().for_each(|event| digest.take(*event));
            digest.digest()
        };
        let chain = |events: [&Sample; 2]| {
            let mut digest = ChainDigest::default();
            events.iter().for_each(|event| digest.take(*event));
            digest.digest()
        };
        assert_eq!(sum([&a, &b]), sum([&b, &a]));
        assert_ne!(chain([&a, &b]), chain([&b, &a]));
        // By hand: a word of 1.
        let mut one = Fnv64::default();
        one.word(1);
        assert_eq!(one.digest(), (0xcbf2_9ce4_8422_2325u64 ^ 1).wrapping_mul(0x100_0000_01b3));
    }
}
