//! h-relations: how many packets each terminal has for each other ("Systolic Routing in an Optical Butterfly", section
//! 1: each processor sends at most h packets and receives at most h).
//!
//! A relation is a rule rather than a matrix: [`Relation::row`] fills the counts of one source, the same ones every
//! time, so that a sweep over 4096 terminals needs no memory for 4096² counts.
//!
//! h is what the paper defines, for every kind of relation: [`Relation::h`]. What a source of a random relation sends,
//! by which the paper's Figure 4 goes, is `per_source`.

use crate::random::{SplitMix64, source_stream as stream};
use frit_network::name::beginning;
use frit_network::{Refusal, refusal, refuse};

#[derive(Clone, Debug, PartialEq, Eq)]
enum Rule {
    /// Every packet goes to a terminal chosen at random.
    Random { per_source: u32, seed: u64 },
    /// Every packet of a source goes to the same terminal.
    Permutation { per_source: u32, destinations: Vec<u32> },
    /// Like random, but each packet goes to one terminal with a probability of so many percent.
    HotSpot { per_source: u32, seed: u64, hot: u32, percent: u32 },
    /// (source, destination, packets), sorted.
    List(Vec<(u32, u32, u32)>),
}

/// A line of a file of packets: source, destination, how many packets.
pub type Line = (u32, u32, u32);

/// Which terminal has how many packets for which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    terminals: u32,
    rule: Rule,
}

impl Relation {
    /// The relation of the paper's Figure 4: every source puts `per_source` packets into buffers chosen at random,
    /// independently and uniformly, its own among them. What one receives varies around it.
    pub fn random(terminals: u32, per_source: u32, seed: u64) -> Self {
        Relation { terminals, rule: Rule::Random { per_source, seed } }
    }

    /// Every source has `per_source` packets for one destination, another for each source, in a random order.
    pub fn permutation(terminals: u32, per_source: u32, seed: u64) -> Self {
        let mut destinations: Vec<u32> = (0..terminals).collect();
        let mut random = SplitMix64(seed);
        for last in (1..destinations.len()).rev() {
            destinations.swap(last, below(random.next() >> 32, last as u32 + 1) as usize);
        }
        Relation { terminals, rule: Rule::Permutation { per_source, destinations } }
    }

    /// Every source has `per_source` packets; each goes to `hot` with a probability of `percent`, else anywhere (`hot`
    /// too).
    pub fn hot_spot(
        terminals: u32,
        per_source: u32,
        seed: u64,
        hot: u32,
        percent: u32,
    ) -> Result<Self, Refusal> {
        check("hot spot", hot, terminals)?;
        if percent > 100 {
            refuse!("{percent} % of the packets is too much; give at most 100 % for the hot spot");
        }
        Ok(Relation { terminals, rule: Rule::HotSpot { per_source, seed, hot, percent } })
    }

    /// Packets one by one, as (source, destination).
    pub fn from_pairs(terminals: u32, pairs: &[(u32, u32)]) -> Result<Self, Refusal> {
        for &(source, destination) in pairs {
            check("source", source, terminals)?;
            check("destination", destination, terminals)?;
        }
        Self::list(terminals, pairs.iter().map(|&(s, d)| (s, d, 1)).collect())
    }

    /// A list as text, see [`lines`].
    pub fn parse(text: &str, terminals: u32) -> Result<Self, Refusal> {
        Self::list(terminals, lines(text, terminals)?)
    }

    fn list(terminals: u32, mut packets: Vec<(u32, u32, u32)>) -> Result<Self, Refusal> {
        packets.sort_unstable();
        let mut totals = vec![[0u64; 2]; terminals as usize];
        for &(source, destination, count) in &packets {
            totals[source as usize][0] += count as u64;
            totals[destination as usize][1] += count as u64;
        }
        if totals.into_iter().flatten().any(|total| total > u32::MAX.into()) {
            refuse!(
                "a terminal has more than {} packets to send or to receive; give fewer packets",
                u32::MAX
            );
        }
        Ok(Relation { terminals, rule: Rule::List(packets) })
    }

    /// Number of terminals.
    pub fn terminals(&self) -> u32 {
        self.terminals
    }

    /// h, the paper's: the most packets that any terminal sends or receives. Goes through all rows.
    pub fn h(&self) -> u64 {
        let mut row = vec![0; self.terminals as usize];
        let mut received = vec![0u64; row.len()];
        let mut most_sent = 0;
        for source in 0..self.terminals {
            self.row(source, &mut row);
            most_sent = most_sent.max(row.iter().map(|&count| u64::from(count)).sum());
            received.iter_mut().zip(&row).for_each(|(sum, &count)| *sum += u64::from(count));
        }
        received.into_iter().max().unwrap_or(0).max(most_sent)
    }

    /// Fills `counts` with the packets that `source` has for each destination.
    ///
    /// # Panics
    ///
    /// If there are not as many counts as terminals.
    pub fn row(&self, source: u32, counts: &mut [u32]) {
        assert_eq!(counts.len(), self.terminals as usize, "a count per terminal");
        counts.fill(0);
        match &self.rule {
            Rule::Random { per_source, seed } => {
                let mut random = stream(*seed, source);
                // Two packets from each 64 bits.
                for _ in 0..per_source / 2 {
                    let bits = random.next();
                    counts[below(bits >> 32, self.terminals) as usize] += 1;
                    counts[below(bits & 0xffff_ffff, self.terminals) as usize] += 1;
                }
                if per_source % 2 == 1 {
                    counts[below(random.next() >> 32, self.terminals) as usize] += 1;
                }
            }
            Rule::Permutation { per_source, destinations } => {
                counts[destinations[source as usize] as usize] = *per_source;
            }
            Rule::HotSpot { per_source, seed, hot, percent } => {
                let mut random = stream(*seed, source);
                for _ in 0..*per_source {
                    let bits = random.next();
                    let to = below(bits >> 32, self.terminals);
                    let is_hot = below(bits & 0xffff_ffff, 100) < *percent;
                    counts[if is_hot { *hot } else { to } as usize] += 1;
                }
            }
            Rule::List(packets) => {
                let from = packets.partition_point(|p| p.0 < source);
                for &(_, destination, count) in packets[from..].iter().take_while(|p| p.0 == source) {
                    counts[destination as usize] += count;
                }
            }
        }
    }
}

/// The lines of a file of packets as (source, destination, packets), in their order: on each line `source, destination`
/// for one packet, or `source, destination, packets`; separated by commas or white space. Blank lines and lines that start
/// with `#` are ignored.
pub fn lines(text: &str, terminals: u32) -> Result<Vec<Line>, Refusal> {
    let mut packets = Vec::new();
    let lines = text.lines().enumerate().map(|(line, content)| (line + 1, content.trim()));
    for (line, content) in lines.filter(|(_, c)| !c.is_empty() && !c.starts_with('#')) {
        let words = content.split(|c: char| c == ',' || c.is_whitespace()).filter(|w| !w.is_empty());
        let numbers: Option<Vec<u32>> = words.map(|word| word.parse().ok()).collect();
        let (source, destination, count) = match numbers.as_deref() {
            Some(&[source, destination]) => (source, destination, 1),
            Some(&[source, destination, count]) => (source, destination, count),
            _ => refuse!(
                "line {line}: {:?} is not `source, destination` or `source, destination, packets`",
                beginning(content)
            ),
        };
        let at = |error: Refusal| refusal!("line {line}: {error}");
        check("source", source, terminals).map_err(at)?;
        check("destination", destination, terminals).map_err(at)?;
        packets.push((source, destination, count));
    }
    Ok(packets)
}

/// 32 random bits to a number below `limit`: exactly uniform for a power of two, to one part in 2^32 / limit otherwise.
fn below(bits: u64, limit: u32) -> u32 {
    ((bits * limit as u64) >> 32) as u32
}

fn check(what: &'static str, given: u32, terminals: u32) -> Result<(), Refusal> {
    if given < terminals {
        Ok(())
    } else {
        Err(refusal!("{what} {given} is out of range; terminals are 0..{terminals}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(relation: &Relation) -> Vec<Vec<u32>> {
        let n = relation.terminals();
        (0..n)
            .map(|source| {
                let mut row = vec![7; n as usize];
                relation.row(source, &mut row);
                row
            })
            .collect()
    }

    fn sent(relation: &Relation) -> Vec<u32> {
        rows(relation).iter().map(|row| row.iter().sum()).collect()
    }

    #[test]
    fn random_rows_depend_on_seed_and_source_and_hold_h_packets() {
        let relation = Relation::random(16, 101, 3);
        assert_eq!(sent(&relation), [101; 16]);
        let matrix = rows(&relation);
        assert_eq!(matrix, rows(&Relation::random(16, 101, 3)));
        assert_ne!(matrix, rows(&Relation::random(16, 101, 4)));
        assert_ne!(matrix[0], matrix[1]);
        // The next source is not the next seed.
        assert_ne!(matrix[1], rows(&Relation::random(16, 101, 4))[0]);
    }

    #[test]
    fn random_packets_are_spread_evenly() {
        let (n, h) = (64u32, 6400u32);
        let counts: Vec<f64> =
            rows(&Relation::random(n, h, 1)).into_iter().flatten().map(f64::from).collect();
        let expected = (h / n) as f64;
        let chi_square: f64 = counts.iter().map(|c| (c - expected).powi(2) / expected).sum();
        let freedom = (n * (n - 1)) as f64;
        // Five standard deviations around the mean of the distribution.
        assert!((chi_square - freedom).abs() < 5.0 * (2.0 * freedom).sqrt(), "{chi_square}");
    }

    #[test]
    fn a_permutation_sends_and_receives_h() {
        for seed in 0..20 {
            let matrix = rows(&Relation::permutation(8, 5, seed));
            assert!(matrix.iter().all(|row| row.iter().sum::<u32>() == 5 && row.contains(&5)));
            assert!((0..8).all(|d| matrix.iter().map(|row| row[d]).sum::<u32>() == 5));
        }
    }

    #[test]
    fn h_is_the_most_sent_or_received_whatever_the_packets_come_from() {
        assert_eq!(Relation::permutation(8, 5, 1).h(), 5);
        assert_eq!(Relation::hot_spot(16, 3, 1, 5, 100).unwrap().h(), 48);
        let random = Relation::random(16, 10, 3);
        let received: Vec<u32> = (0..16).map(|d| rows(&random).iter().map(|row| row[d]).sum()).collect();
        assert_eq!(random.h(), u64::from(*received.iter().max().unwrap()));
        assert!(random.h() > 10);
        // The same packets, one by one.
        let pairs: Vec<(u32, u32)> = (0..16)
            .zip(rows(&random))
            .flat_map(|(s, row)| (0..16).zip(row).flat_map(move |(d, count)| vec![(s, d); count as usize]))
            .collect();
        assert_eq!(Relation::from_pairs(16, &pairs).unwrap().h(), random.h());
    }

    #[test]
    fn a_hot_spot_takes_its_share() {
        let hot = |percent| {
            let relation = Relation::hot_spot(16, 1000, 1, 3, percent).unwrap();
            assert_eq!(sent(&relation), [1000; 16]);
            rows(&relation).iter().map(|row| row[3]).sum::<u32>()
        };
        assert_eq!(hot(100), 16_000);
        assert!((7_700..8_700).contains(&hot(47)), "{}", hot(47)); // 47 % and a 16th of the rest: 8050
        assert!((850..1150).contains(&hot(0)));
        let text = |hot, percent| Relation::hot_spot(16, 1, 1, hot, percent).unwrap_err().to_string();
        assert_eq!(text(16, 5), "hot spot 16 is out of range; terminals are 0..16");
        assert_eq!(text(0, 101), "101 % of the packets is too much; give at most 100 % for the hot spot");
    }

    #[test]
    fn a_list_counts_what_is_sent_and_received() {
        let relation = Relation::parse("# packets\n0,1\n0 1\n\n3, 1, 4\r\n2\t2", 4).unwrap();
        assert_eq!(relation.h(), 6);
        assert_eq!(rows(&relation), [[0, 2, 0, 0], [0; 4], [0, 0, 1, 0], [0, 4, 0, 0]]);
        let pairs = [(3, 1), (0, 1), (2, 2), (3, 1), (3, 1), (0, 1), (3, 1)];
        assert_eq!(rows(&Relation::from_pairs(4, &pairs).unwrap()), rows(&relation));
        assert_eq!(Relation::parse("", 4).unwrap().h(), 0);
    }

    #[test]
    fn lists_with_faults_are_explained() {
        let text = |text: &str| Relation::parse(text, 4).unwrap_err().to_string();
        assert_eq!(text("0 1\n0 4"), "line 2: destination 4 is out of range; terminals are 0..4");
        assert_eq!(text("9,1"), "line 1: source 9 is out of range; terminals are 0..4");
        assert!(text(&"x".repeat(1000)).len() < 150);
        for wrong in ["1", "0,-1", "a b", "1 2 3 4"] {
            assert!(text(wrong).contains("is not `source, destination`"), "{}", text(wrong));
        }
        assert!(text("0 1 4000000000\n0 2 4000000000").starts_with("a terminal has more than"));
        assert!(Relation::from_pairs(4, &[(4, 0)]).unwrap_err().to_string().starts_with("source 4"));
    }
}
