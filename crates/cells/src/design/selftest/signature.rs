//! The signature of the words of a run: what `D_selftest` adds up, and what it is for words that are known.
//!
//! It is a multiple-input signature register, an element of the field of 2^31 elements (polynomials over two elements modulo x^31 + x^3 + 1, which is
//! primitive). In each cycle of a run it is multiplied by x^64. Then for each lane L the bits of its word that were not the expected ones are
//! added, bit b times x^(L + b), and x^(L + W) if there was a word. The seed of the run is in the word and in the expected one, so it does not matter.
//! No two of the powers by which lanes multiply are equal, so words that two lanes exchange do not cancel; neither do those of two rounds, since
//! 64 is more than most networks have lanes (with x^13 faults of `rls -n 32` looked alike).

use super::{SETTLING, Selftest};
use crate::cells::{ParitySpec, SignatureSpec};
use crate::design::axil::slice;
use crate::netlist::{Expr, Instance, Kind, Net, Of, Part};
use frit_network::LaneIdx;
use frit_schedule::Plan;

/// Bits of the signature.
pub(super) const BITS: u32 = 31;
/// x^31 = x^CARRY + 1.
const CARRY: u32 = 3;
/// The power of x by which a step multiplies.
const STEP: u32 = 64;
/// How many steps follow the word that arrives in cycle 0 of the exchange, less the cycles of the run.
const STEPS_BEHIND: u64 = SETTLING + 2;

/// An element times a power of x.
fn times_power(element: u32, exponent: u32) -> u32 {
    (0..exponent).fold(element, |sum, _| {
        let top = sum >> (BITS - 1);
        (sum << 1) & (u32::MAX >> (32 - BITS)) ^ top ^ top << CARRY
    })
}

/// The signature of one run of a self-test, added up word by word.
pub struct Signature {
    width_bits: u32,
    /// The powers of x that bits of words are times, from x^0 on.
    powers: Vec<u32>,
    /// What is added for the words of each cycle of the exchange.
    of_cycles: Vec<u32>,
}

impl Signature {
    /// Of a run in which no word came.
    pub fn new(plan: &Plan, width_bits: u32) -> Signature {
        let powers = std::iter::successors(Some(1), |&power| Some(times_power(power, 1)));
        let last = plan.message_cycles(1) + STEPS_BEHIND;
        Signature {
            width_bits,
            powers: powers.take((plan.network.lanes() + width_bits) as usize).collect(),
            of_cycles: vec![0; last as usize + 1],
        }
    }

    /// A word comes on a lane in a cycle of the exchange; `wrong` says which of its bits (of `width_bits`) are not the expected ones.
    pub fn word(&mut self, cycle: u64, lane: LaneIdx, wrong: impl Fn(u32) -> bool) {
        let bits = (0..=self.width_bits).filter(|&at| at == self.width_bits || wrong(at));
        let word = bits.fold(0, |word, at| word ^ self.powers[(lane.0 + at) as usize]);
        // A word that comes when the run is over is not seen.
        if let Some(sum) = self.of_cycles.get_mut(cycle as usize) {
            *sum ^= word;
        }
    }

    /// The signature at the end of the run.
    pub fn value(self) -> u32 {
        self.of_cycles.iter().fold(0, |sum, word| times_power(sum, STEP) ^ word)
    }
}

impl Selftest<'_> {
    /// Adds what the checkers say of the lanes, and drives `signature`.
    pub(super) fn signature(&mut self, lanes: &[[Net; 2]], launch: Net, testing: Net, signature: Net) {
        let width = self.width;
        let mut words: Vec<Expr> = Vec::new();
        for (&[seen, wrong], lane) in lanes.iter().zip(0..) {
            words.extend(words_of(lane, width + 1, |at| if at == width { (seen, 0) } else { (wrong, at) }));
        }
        words = self.sums("word", words);
        words.extend(words_of(STEP, BITS, |at| (signature, at)));
        words = self.sums("next", words);
        self.module.instances.push(
            Instance::new("u_signature", Of::cell(SignatureSpec {}))
                .input("clk_i", self.clk)
                .input("rst_i", self.rst)
                .input("clear_i", launch)
                .input("step_i", testing)
                .input("next_i", words.remove(0))
                .output("signature_o", signature),
        );
    }

    /// The sum of words: one word.
    fn sums(&mut self, name: &str, mut words: Vec<Expr>) -> Vec<Expr> {
        let mut count = 0;
        while words.len() > 1 {
            let groups: Vec<Vec<Expr>> = words.chunks(4).map(<[Expr]>::to_vec).collect();
            words.clear();
            for group in groups {
                if let [only] = &group[..] {
                    words.push(only.clone());
                    continue;
                }
                let to = self.module.net(Kind::Wires, format!("{name}_sum_{count}"), BITS);
                let mut instance =
                    Instance::new(format!("u_{name}_sum_{count}"), Of::cell(ParitySpec { width: BITS }));
                for (port, at) in ["a_i", "b_i", "c_i", "d_i"].into_iter().zip(0..) {
                    instance =
                        instance.input(port, group.get(at).cloned().unwrap_or(Expr::constant(0, BITS)));
                }
                self.module.instances.push(instance.output("word_o", to));
                words.push(to.into());
                count += 1;
            }
        }
        words
    }
}

/// The words whose sum has bit b, of `bits`, times x^(from + b): as few as the places allow, since a bit stands in more than one place where its power
/// is above 30. `source` says which bit of which net bit b is.
fn words_of(from: u32, bits: u32, source: impl Fn(u32) -> (Net, u32)) -> Vec<Expr> {
    let mut words: Vec<Vec<Option<u32>>> = Vec::new();
    for at in 0..bits {
        let element = times_power(1, from + at);
        for place in (0..BITS).filter(|place| element >> place & 1 == 1).map(|place| place as usize) {
            match words.iter_mut().find(|word| word[place].is_none()) {
                Some(word) => word[place] = Some(at),
                None => {
                    words.push(vec![None; BITS as usize]);
                    words.last_mut().expect("just pushed")[place] = Some(at);
                }
            }
        }
    }
    words
        .into_iter()
        .map(|word| Expr::Concat(joined(word.into_iter().rev().map(|bit| bit.map(&source)))))
        .collect()
}

/// Bits of nets, the most significant first (none: a 0), in as few parts as they can be said.
fn joined(bits: impl Iterator<Item = Option<(Net, u32)>>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for bit in bits {
        match (parts.last_mut(), bit) {
            (Some(Part::Const { bits, .. }), None) => *bits += 1,
            (Some(Part::Net { net, bits: Some((_, low)), .. }), Some((next, at)))
                if *net == next && at + 1 == *low =>
            {
                *low = at
            }
            (_, None) => parts.push(Part::Const { value: 0, bits: 1 }),
            (_, Some((net, at))) => parts.push(slice(net, at, at)),
        }
    }
    parts
}
