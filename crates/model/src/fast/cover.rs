//! That the rounds of a plan together serve every pair exactly once, without a table of pairs: where rounds are translations.
//!
//! Terminal s has its message of round r, on its lane c, for terminal g(s) ∘ h(r, c): g is what round 0 does on the first lanes, ∘
//! is addition mod N (rotations) or XOR (the XOR method, systolic control, and stage control where N is a power of two). So a
//! pair (s, d) is served in round r on lane c if and only if h(r, c) takes g(s) to d, and there is one such h in the group. Each
//! pair is served once if every *offset* h of the group is that of one round and lane.
//!
//! What has arrived is compared in two ways: every arrival with its destination, by [`Fast`](super::Fast), and who sent what arrived at
//! terminal 0 in each round, from which its offset follows, with the schedule, as one number ([`Cover::senders`]).

use super::check::Expected;
use frit_network::{LaneIdx, RoundIdx};
use frit_schedule::Plan;
use frit_schedule::stage_control::Rule;
use std::ops::Range;

/// How terminals are translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    /// Addition mod N.
    Cyclic,
    /// XOR; N is a power of two.
    Xor,
}

/// A plan whose rounds are translations.
pub struct Cover<'a> {
    plan: &'a Plan,
    group: Group,
    /// Whom terminal s has its message for in round 0, on its first lane.
    base: Vec<u32>,
    /// Who has a message for terminal d there.
    back: Vec<u32>,
}

impl<'a> Cover<'a> {
    /// None if the control is not one whose rounds are translations.
    pub fn new(plan: &'a Plan) -> Option<Self> {
        let terminals = plan.network.terminals();
        let group = match Expected::of(plan) {
            Expected::Rotated(_) | Expected::Windowed(_) => Group::Cyclic,
            Expected::Xor(_) | Expected::Systolic(_) => Group::Xor,
            Expected::Shuffled(control) if control.rule == Rule::Counter => Group::Xor,
            Expected::Shuffled(_) | Expected::Noted => return None,
        };
        if group == Group::Xor && !terminals.is_power_of_two() {
            return None;
        }
        let mut cover = Cover { plan, group, base: vec![], back: vec![0; terminals as usize] };
        cover.base = (0..terminals).map(|source| cover.destination(RoundIdx(0), source, 0)).collect();
        for (source, &destination) in (0..).zip(&cover.base) {
            cover.back[destination as usize] = source;
        }
        Some(cover)
    }

    fn terminals(&self) -> u32 {
        self.plan.network.terminals()
    }

    /// Whom a terminal has its message of a round for, on one of its lanes, counted from its first.
    fn destination(&self, round: RoundIdx, source: u32, lane: u32) -> u32 {
        let owned = self.plan.lanes_per_terminal();
        self.plan.destination(round, LaneIdx(source * owned + lane)).0 / owned
    }

    fn apply(&self, a: u32, b: u32) -> u32 {
        match self.group {
            Group::Cyclic => ((u64::from(a) + u64::from(b)) % u64::from(self.terminals())) as u32,
            Group::Xor => a ^ b,
        }
    }

    fn inverse(&self, offset: u32) -> u32 {
        match self.group {
            Group::Cyclic => (self.terminals() - offset) % self.terminals(),
            Group::Xor => offset,
        }
    }

    /// What takes round 0 on the first lanes to this round on this lane.
    fn offset(&self, round: RoundIdx, lane: u32) -> u32 {
        self.apply(self.destination(round, 0, lane), self.inverse(self.base[0]))
    }

    /// Whether the schedule's rounds are translations (looked at for a few sources in each) with all offsets of the group, each once.
    ///
    /// # Errors
    ///
    /// The round and the lane of which that is not so.
    pub fn every_offset_once(&self) -> Result<(), String> {
        let (terminals, lanes) = (self.terminals(), self.plan.lanes_per_terminal());
        const NONE: u32 = u32::MAX;
        let mut round_of = vec![NONE; terminals as usize];
        for (round, lane) in (0..self.plan.rounds).flat_map(|round| (0..lanes).map(move |lane| (round, lane)))
        {
            let offset = self.offset(RoundIdx(round), lane);
            let some = (round ^ round << 9).wrapping_mul(0x9e37_79b1) % terminals;
            for source in [0, 1, terminals / 2, terminals - 1, some] {
                let destination = self.destination(RoundIdx(round), source, lane);
                if destination != self.apply(self.base[source as usize], offset) {
                    return Err(format!(
                        "round {round}, lane {lane} is no translation: terminal {source} has its message for {destination}"
                    ));
                }
            }
            match std::mem::replace(&mut round_of[offset as usize], round) {
                NONE => (),
                other => return Err(format!("rounds {other} and {round} both have offset {offset}")),
            }
        }
        match round_of.iter().position(|&round| round == NONE) {
            None => Ok(()),
            Some(offset) => Err(format!("no round has offset {offset}")),
        }
    }

    /// Who the schedule says sends what arrives at terminal 0 in these rounds, as one number: a sum, so that rounds may be run
    /// in any order and parts be added.
    pub fn senders(&self, rounds: Range<u32>) -> u64 {
        let lanes = self.plan.lanes_per_terminal();
        let all = rounds.map(RoundIdx).flat_map(|round| (0..lanes).map(move |lane| (round, lane)));
        all.fold(0, |sum, (round, lane)| {
            let terminal = self.back[self.inverse(self.offset(round, lane)) as usize];
            let source = LaneIdx(terminal * lanes + lane);
            sum.wrapping_add(sender(round, self.plan.destination(round, source), source))
        })
    }
}

/// The term of a round: what arrives at an output lane has come from this lane.
pub(super) fn sender(round: RoundIdx, output: LaneIdx, lane: LaneIdx) -> u64 {
    // Which lane it is must count in each round in another way.
    let seed = u64::from(round.0) << 32 | u64::from(output.0);
    frit_traffic::random::stream(seed, u64::from(lane.0)).next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::Fast;
    use frit_schedule::{Control, Request, plan};

    fn of(system: &str, terminals: u64, options: &[(&str, &str)]) -> Plan {
        let options = options.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        plan(&Request { system: system.into(), terminals, options }).unwrap()
    }

    #[test]
    fn parts_of_every_translating_system_cover_all_pairs() {
        for (system, terminals, options) in [
            ("rls", 64, &[][..]),
            ("rls", 16, &[("direction", "left")]),
            ("gsen", 32, &[]),
            ("xor", 32, &[]),
            ("xor", 16, &[("network", "shuffle")]),
            ("obf", 64, &[]),
            ("obf", 16, &[("sequence", "granddaddy")]),
        ] {
            let plan = of(system, terminals, options);
            let cover = Cover::new(&plan).unwrap();
            assert_eq!(cover.every_offset_once(), Ok(()), "{system} {terminals}");
            let fast = Fast::new(&plan, 0..plan.rounds).unwrap();
            for rounds in [0..plan.rounds, 0..3, 3..plan.rounds, 5..6] {
                let checked = fast.run_some(rounds.clone(), &|_| ());
                assert!(checked.clean() && checked.rounds == rounds, "{checked:?}");
                assert_eq!(
                    checked.senders,
                    Some(cover.senders(rounds.clone())),
                    "{system} {terminals} {rounds:?}"
                );
            }
        }
    }

    #[test]
    fn a_round_that_comes_twice_is_seen() {
        let mut plan = of("obf", 16, &[]);
        plan.rounds += 1; // the sequence begins anew
        let error = Cover::new(&plan).unwrap().every_offset_once().unwrap_err();
        assert!(error.starts_with("rounds 0 and 8 both have offset"), "{error}");
        plan.rounds -= 2;
        let error = Cover::new(&plan).unwrap().every_offset_once().unwrap_err();
        assert!(error.starts_with("no round has offset"), "{error}");
    }

    #[test]
    fn other_senders_are_another_number() {
        let (right, left) = (of("rls", 16, &[]), of("rls", 16, &[("direction", "left")]));
        let number = |plan: &Plan, rounds: Range<u32>| Cover::new(plan).unwrap().senders(rounds);
        assert_ne!(number(&right, 1..2), number(&left, 1..2));
        assert_ne!(number(&right, 1..2), number(&right, 2..3));
        assert_eq!(number(&right, 0..16), number(&right, 0..7).wrapping_add(number(&right, 7..16)));
    }

    #[test]
    fn what_is_no_translation_has_no_cover() {
        for (system, terminals, options) in [
            ("gsen", 10, &[][..]),
            ("gsen", 6, &[("algorithm", "ata2")]),
            ("benes", 8, &[]),
            ("atape", 8, &[]),
        ] {
            assert!(Cover::new(&of(system, terminals, options)).is_none(), "{system} {terminals}");
        }
        // Rounds of the XOR method under a rule for rotations.
        let (mut plan, other) = (of("rls", 16, &[]), of("xor", 16, &[]));
        assert!(matches!(plan.control, Control::Labels(_)));
        let cover =
            Cover { plan: &other, group: Group::Cyclic, base: (0..16).collect(), back: (0..16).collect() };
        assert!(cover.every_offset_once().unwrap_err().contains("is no translation"));
        plan.rounds = 15;
        assert!(Cover::new(&plan).unwrap().every_offset_once().is_err());
    }
}
