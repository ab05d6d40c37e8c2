//! What is seen at the ports of a core: one form for every core, so that files, comparisons and digests are written once.

use frit_traffic::drawn::hexadecimal;

/// A kind of event that a core has.
pub trait Mark: Copy + Ord + Sized + 'static {
    /// All of them. Events of the same cycle are listed in this order.
    const ALL: &'static [Self];

    /// Its name in files.
    fn name(self) -> &'static str;

    /// Its place in [`Mark::ALL`].
    fn code(self) -> u32;

    /// The output that is high when it happens, if one says nothing else.
    fn port(self) -> Option<&'static str>;

    /// Whether this output stays high, as that of an error does, so that it counts once in a phase.
    fn stays(self) -> bool {
        self.port().is_some_and(|port| port.starts_with("error_"))
    }
}

/// The kinds of event of a core, with their names in files, and the outputs that say so.
#[macro_export]
macro_rules! marks {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $mark:ident = $word:literal $(at $port:literal)?,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$doc])* $mark,)+
        }

        impl $crate::event::Mark for $name {
            const ALL: &'static [$name] = &[$($name::$mark),+];

            fn name(self) -> &'static str {
                [$($word),+][self as usize]
            }

            fn code(self) -> u32 {
                self as u32
            }

            fn port(self) -> Option<&'static str> {
                [$(None::<&'static str>$(.or(Some($port)))?),+][self as usize]
            }
        }
    };
}
pub use marks;

/// Something seen at the ports of a core.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event<M> {
    /// The phase of the trial.
    pub phase: usize,
    /// The cycle of the phase.
    pub cycle: u64,
    /// What was seen.
    pub what: M,
    /// The terminal of a word, the input or the output; of a response its code; else 0.
    pub place: u32,
    /// The source of a word that leaves, where the core says it; else 0.
    pub source: u32,
    /// In hexadecimal the word, with `tlast` above it where it has one; else empty.
    pub data: String,
}

/// The first line of a file of events.
pub const HEADER: &str = "phase,cycle,what,place,source,data";

impl<M: Mark> Event<M> {
    /// An event that is no word.
    pub fn mark(phase: usize, cycle: u64, what: M) -> Self {
        Event { phase, cycle, what, place: 0, source: 0, data: String::new() }
    }

    /// A word of so many bits, `tlast` among them where it has one: its place and its source, and the word.
    pub fn word(phase: usize, cycle: u64, what: M, [place, source]: [u32; 2], bits: u32, word: u128) -> Self {
        let data = hexadecimal(1, bits, |_, part| (word >> (32 * part)) as u32);
        Event { phase, cycle, what, place, source, data }
    }

    /// A line of a file.
    pub fn line(&self) -> String {
        let Event { phase, cycle, what, place, source, data } = self;
        format!("{phase},{cycle},{},{place},{source},{data}", what.name())
    }

    /// The event of a line.
    pub fn read(line: &str) -> Option<Self> {
        let mut parts = line.split(',');
        let (phase, cycle) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let name = parts.next()?;
        let what = M::ALL.iter().copied().find(|what| what.name() == name)?;
        let (place, source) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        Some(Event { phase, cycle, what, place, source, data: parts.next()?.into() })
    }
}

/// A phase that was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseRun<M> {
    /// Its events.
    pub events: Vec<Event<M>>,
    /// Its cycles.
    pub cycles: u64,
}

/// All events in one number, as a testbench computes it: FNV of the cycle, of kind, place and source, and of each 32 bits of the word.
///
/// # Panics
///
/// If the data of an event are no hexadecimal digits.
pub fn digest<M: Mark>(events: &[Event<M>]) -> u32 {
    let mut digest = 0x811c_9dc5u32;
    let mut fold = |bits: u32| digest = (digest ^ bits).wrapping_mul(0x0100_0193);
    for Event { cycle, what, place, source, data, .. } in events {
        fold(*cycle as u32);
        fold(what.code() << 16 ^ place << 8 ^ source);
        for part in data.as_bytes().rchunks(8) {
            let part = std::str::from_utf8(part).expect("digits");
            fold(u32::from_str_radix(part, 16).expect("hexadecimal digits"));
        }
    }
    digest
}

#[cfg(test)]
mod tests {
    use super::*;

    marks! {
        /// Two kinds.
        Two {
            /// One.
            One = "one",
            /// Other.
            Other = "other",
        }
    }

    #[test]
    fn a_line_is_read_as_it_was_written_and_a_damaged_one_is_not() {
        let event = Event { phase: 2, cycle: 7, what: Two::Other, place: 3, source: 1, data: "0f".into() };
        assert_eq!(event.line(), "2,7,other,3,1,0f");
        assert_eq!(Event::read(&event.line()), Some(event.clone()));
        for line in ["", "2,7,other,3,1", "2,7,others,3,1,0f", "2,-7,other,3,1,0f", "2,7,other,x,1,0f"] {
            assert_eq!(Event::<Two>::read(line), None, "{line}");
        }
        assert!(event > Event { what: Two::One, ..event.clone() });
    }

    #[test]
    fn every_part_of_an_event_changes_the_digest() {
        let event =
            Event { phase: 0, cycle: 7, what: Two::One, place: 3, source: 1, data: "12345678f".into() };
        let of = |event: Event<Two>| digest(&[event]);
        let all = [
            event.clone(),
            Event { cycle: 8, ..event.clone() },
            Event { what: Two::Other, ..event.clone() },
            Event { place: 2, ..event.clone() },
            Event { source: 0, ..event.clone() },
            Event { data: "12345678e".into(), ..event.clone() },
            Event { data: "02345678f".into(), ..event },
        ];
        let found: std::collections::BTreeSet<u32> = all.into_iter().map(of).collect();
        assert_eq!(found.len(), 7);
    }
}
