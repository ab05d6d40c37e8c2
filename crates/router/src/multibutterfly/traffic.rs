//! Traffic by rule, on the active rows.

use super::parameters::Parameters;
use frit_traffic::Messages;
use frit_traffic::random::stream;

/// The stream of permutation k is this plus k.
const TAG: u64 = 0x500;

/// A rule for the destinations of the A active rows' messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traffic {
    /// Message k of active row i goes to active row `perm_k[i]`, the permutations being drawn one for each k.
    Perm,
    /// All messages of a row go the same way: one permutation for all k.
    HCopies,
    /// All messages of active row i go to the active row whose number has the bits of i in reverse order.
    BitReversal,
    /// Message k of active row i goes to active row (i · ha + k) mod A.
    Block,
    /// All messages of active row i go to active row (i + A / 2) mod A.
    Shift,
    /// All messages stay in their row.
    Identity,
}

impl Traffic {
    /// All of them, with their names; the first is the default.
    pub const ALL: [(&'static str, Traffic); 6] = [
        ("perm", Traffic::Perm),
        ("hcopies", Traffic::HCopies),
        ("bitrev", Traffic::BitReversal),
        ("block", Traffic::Block),
        ("shift", Traffic::Shift),
        ("identity", Traffic::Identity),
    ];

    /// The rule of a name.
    pub fn named(name: &str) -> Option<Traffic> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, traffic)| traffic)
    }

    /// Its messages: those of `offered` degree for every active row, none for the others.
    pub fn messages(self, parameters: &Parameters) -> Messages {
        let (active, count) = (parameters.active_rows(), parameters.offered);
        let destinations = self.destinations(active, count, parameters.seed);
        let lists = (0..parameters.rows as u32).map(|row| {
            let of = (row / parameters.stride * count) as usize;
            let count = if row % parameters.stride == 0 { count as usize } else { 0 };
            destinations[of..of + count].iter().map(|to| to * parameters.stride).collect()
        });
        let lists: Vec<Vec<u32>> = lists.collect();
        Messages::from_lists(lists.iter().map(Vec::as_slice))
    }

    /// Where the messages go, as numbers of active rows.
    fn destinations(self, active: u32, count: u32, seed: u64) -> Vec<u32> {
        let messages = match self {
            Traffic::Perm => Messages::permutations(active, count, |k| stream(seed, TAG + u64::from(k))),
            Traffic::HCopies => {
                let drawn = stream(seed, TAG).permutation(active);
                Messages::from_fn(active, count, |i, _| drawn[i as usize])
            }
            Traffic::BitReversal => {
                let bits = active.trailing_zeros();
                Messages::from_fn(active, count, |i, _| (u64::from(i.reverse_bits()) >> (32 - bits)) as u32)
            }
            Traffic::Block => {
                let to = |i, k| (u64::from(i) * u64::from(count) + u64::from(k)) % u64::from(active);
                Messages::from_fn(active, count, |i, k| to(i, k) as u32)
            }
            Traffic::Shift => Messages::from_fn(active, count, |i, _| (i + active / 2) % active),
            Traffic::Identity => Messages::from_fn(active, count, |i, _| i),
        };
        messages.destinations().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(traffic: Traffic) -> Vec<Vec<u32>> {
        let parameters = Parameters { offered: 2, stride: 2, ..Parameters::new(16, 3) };
        let messages = traffic.messages(&parameters);
        (0..16).map(|row| messages.of(row).to_vec()).collect()
    }

    #[test]
    fn only_active_rows_send_and_receive() {
        for (name, traffic) in Traffic::ALL {
            assert_eq!(Traffic::named(name), Some(traffic));
            for (row, list) in lists(traffic).iter().enumerate() {
                assert_eq!(list.len(), if row % 2 == 0 { 2 } else { 0 }, "{name}");
                assert!(list.iter().all(|to| to % 2 == 0 && *to < 16), "{name}");
            }
        }
        assert_eq!(Traffic::named("random"), None);
    }

    #[test]
    fn the_rules() {
        let [first, second] = [0, 1].map(|k| stream(3, 0x500 + k).permutation(8));
        assert_eq!(lists(Traffic::Perm)[6], [2 * first[3], 2 * second[3]]);
        assert_eq!(lists(Traffic::HCopies)[6], [2 * first[3], 2 * first[3]]);
        assert_eq!(lists(Traffic::BitReversal)[6], [12, 12]);
        assert_eq!(lists(Traffic::Block)[6], [12, 14]);
        assert_eq!(lists(Traffic::Block)[10], [4, 6]);
        assert_eq!(lists(Traffic::Shift)[10], [2, 2]);
        assert_eq!(lists(Traffic::Identity)[10], [10, 10]);
        let one = Parameters { stride: 16, ..Parameters::new(16, 3) };
        assert_eq!(Traffic::BitReversal.messages(&one).of(0), [0; 8]);
    }
}
