//! Seconds and bytes beside cycles and words: how long a cycle lasts, and how many bytes a word has.

use frit_network::facts::Facts;
use frit_network::name::beginning;
use frit_network::{Refusal, refuse};

/// How long a cycle lasts, and how many bytes a word has. A terminal sends a word in a cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    word_bytes: u32,
    /// Cycles in a second.
    hertz: f64,
}

/// The facts that [`Pace::add`] adds: microseconds, and 10^9 bytes a second of all terminals together.
pub const FACTS: [&str; 2] = ["time_us", "gb_per_s"];

impl Pace {
    /// The pace of a link of so many bits a second (`400G`), on which a cycle is the time of a word; or of a clock of so many cycles a
    /// second (`250M`). None if neither is given.
    ///
    /// # Errors
    /// Both, no bytes of a word, bytes of a word alone, a rate that is none.
    pub fn parse(
        word_bytes: Option<u32>,
        link: Option<&str>,
        clock: Option<&str>,
    ) -> Result<Option<Pace>, Refusal> {
        let hertz = match (word_bytes, link, clock) {
            (None, None, None) => return Ok(None),
            (_, Some(_), Some(_)) => {
                refuse!("link and clock both say how long a cycle lasts; give one of them")
            }
            (Some(_), None, None) => {
                refuse!(
                    "the bytes of a word alone give no time; give a link (400G) or a clock (250M) as well"
                )
            }
            (None, _, _) => refuse!(
                "the bytes of a word are missing, so a link or a clock gives no throughput; give word-bytes as well"
            ),
            (Some(0), _, _) => refuse!("words of 0 bytes are not possible; give word-bytes from 1 on"),
            (Some(bytes), Some(link), _) => {
                rate(link, "link", "bits a second, for example 400G", &["b/s", "bit/s", "bps"])?
                    / (8.0 * f64::from(bytes))
            }
            (_, _, Some(clock)) => rate(clock, "clock", "cycles a second, for example 250M", &["Hz", "hz"])?,
        };
        Ok(word_bytes.map(|word_bytes| Pace { word_bytes, hertz }))
    }

    /// Bytes of a word.
    pub fn word_bytes(&self) -> u32 {
        self.word_bytes
    }

    /// Microseconds of so many cycles, to six digits.
    pub fn time_us(&self, cycles: f64) -> f64 {
        significant(cycles / self.hertz * 1e6)
    }

    /// Picoseconds of so many cycles, rounded.
    pub fn time_ps(&self, cycles: u64) -> u64 {
        (cycles as f64 / self.hertz * 1e12).round() as u64
    }

    /// 10^9 bytes a second of so many words in so many cycles, to six digits; none if they take no cycle.
    pub fn gb_per_s(&self, words: u64, cycles: f64) -> Option<f64> {
        let bytes = words as f64 * f64::from(self.word_bytes);
        (cycles > 0.0).then(|| significant(bytes * self.hertz / cycles / 1e9))
    }

    /// Adds [`FACTS`].
    pub fn add(&self, facts: &mut Facts, words: u64, cycles: f64) {
        let values = [Some(self.time_us(cycles)), self.gb_per_s(words, cycles)];
        facts.extend(FACTS.iter().zip(values).map(|(fact, value)| (fact.to_string(), value.into())));
    }

    /// The same for the words and cycles that the facts have by these names.
    pub fn add_of(&self, facts: &mut Facts, words: &str, cycles: &str) {
        let words = facts[words].as_u64().unwrap_or_default();
        self.add(facts, words, facts[cycles].as_f64().unwrap_or_default());
    }
}

/// A positive number with one of the suffixes k, M, G, T, and perhaps a unit.
fn rate(text: &str, what: &str, allowed: &str, units: &[&str]) -> Result<f64, Refusal> {
    let trimmed = text.trim();
    let bare = units.iter().find_map(|unit| trimmed.strip_suffix(unit)).unwrap_or(trimmed).trim_end();
    let times = match bare.chars().last() {
        Some('k' | 'K') => 1e3,
        Some('M') => 1e6,
        Some('G') => 1e9,
        Some('T') => 1e12,
        _ => 1.0,
    };
    let digits = if times > 1.0 { bare[..bare.len() - 1].trim_end() } else { bare };
    let number = digits.parse::<f64>().map_or(0.0, |number| number * times);
    match (1.0..=1e18).contains(&number) {
        true => Ok(number),
        false => refuse!("{what} {:?} is not a rate; give {allowed}", beginning(text)),
    }
}

/// A number to six significant digits.
fn significant(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_sends_a_word_in_a_cycle() {
        // 14,336 bytes at 400 Gb/s are 286.72 ns.
        let pace = Pace::parse(Some(14336), Some("400G"), None).unwrap().unwrap();
        assert_eq!(pace.time_us(9632.0), 2761.69);
        assert_eq!(pace.time_ps(9632), 2_761_687_040);
        assert_eq!(pace.gb_per_s(9632, 9632.0), Some(50.0));
        assert_eq!(pace.gb_per_s(9632, 0.0), None);
        let mut facts = Facts::new();
        pace.add(&mut facts, 16, 4.0);
        assert_eq!(facts.keys().collect::<Vec<_>>(), FACTS);
        let clock = Pace::parse(Some(4), None, Some("250MHz")).unwrap().unwrap();
        assert_eq!((clock.time_us(19.0), clock.gb_per_s(256, 19.0)), (0.076, Some(13.4737)));
        for same in ["250M", "250 MHz", "0.25G", "250e6", "250000k", "250000000"] {
            assert_eq!(Pace::parse(Some(4), None, Some(same)), Ok(Some(clock)), "{same}");
        }
        for same in ["400Gb/s", "400 Gbps", "0.4T", "400Gbit/s"] {
            assert_eq!(Pace::parse(Some(14336), Some(same), None), Ok(Some(pace)), "{same}");
        }
    }

    #[test]
    fn what_is_no_pace_is_refused() {
        let text = |bytes, link, clock| Pace::parse(bytes, link, clock).unwrap_err().to_string();
        assert_eq!(Pace::parse(None, None, None), Ok(None));
        assert!(text(Some(4), None, None).starts_with("the bytes of a word alone give no time"));
        assert!(text(None, Some("400G"), None).starts_with("the bytes of a word are missing"));
        assert!(text(Some(4), Some("1G"), Some("1M")).starts_with("link and clock both say"));
        assert!(text(Some(0), Some("1G"), None).starts_with("words of 0 bytes"));
        // Bytes a second are not bits a second, and a link has no hertz.
        for wrong in
            ["400GB/s", "", "G", "-1G", "0", "nan", "inf", "1e300", "400GG", "4O0G", "400GHz", "1 000G"]
        {
            let text = text(Some(4), Some(wrong), None);
            assert_eq!(text, format!("link {wrong:?} is not a rate; give bits a second, for example 400G"));
        }
    }
}
