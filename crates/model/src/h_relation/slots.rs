//! Which packets leave in which slot of a plan whose rounds repeat.

use frit_network::{LaneIdx, RoundIdx, TerminalIdx};
use frit_schedule::Plan;
use frit_traffic::relation::Relation;

/// Packets that leave on one lane in one round of an exchange, one in each repetition of it.
pub(super) struct Slot {
    pub round: RoundIdx,
    pub lane: LaneIdx,
    /// At least 1.
    pub packets: u32,
}

/// Packets for which no round has a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Unserved {
    pub packets: u64,
    /// The first source and destination.
    pub first: Option<(u32, u32)>,
}

/// Gives the packets of a relation their slots. A pair that has several in an exchange uses them in turn, so of m packets
/// in s slots ⌈(m − q) / s⌉ leave in slot q.
///
/// # Panics
///
/// If the relation is for another number of terminals.
pub(super) fn slots(plan: &Plan, relation: &Relation, mut see: impl FnMut(Slot)) -> Unserved {
    let terminals = plan.network.terminals();
    assert_eq!(relation.terminals(), terminals, "a relation for the terminals of the plan");
    let owned = plan.lanes_per_terminal();
    let mut unserved = Unserved::default();
    let mut row = vec![0u32; terminals as usize];
    // For each destination: its slots in an exchange, and how many of them have been given packets.
    let mut served = vec![[0u32; 2]; terminals as usize];
    let mut asked = Vec::new();
    for source in 0..terminals {
        relation.row(source, &mut row);
        asked.clear();
        served.fill([0; 2]);
        if row.iter().any(|&packets| packets > 0) {
            for (round, lane) in lanes_of(plan.rounds, TerminalIdx(source), owned) {
                let destination = plan.destination(round, lane).0 / owned;
                asked.push((round, lane, destination));
                served[destination as usize][0] += 1;
            }
        }
        for &(round, lane, destination) in &asked {
            let [slots, given] = &mut served[destination as usize];
            let packets = row[destination as usize].saturating_sub(*given).div_ceil(*slots);
            *given += 1;
            if packets > 0 {
                see(Slot { round, lane, packets });
            }
        }
        for (destination, &packets) in (0..terminals).zip(&row) {
            if packets > 0 && served[destination as usize][0] == 0 {
                unserved.packets += u64::from(packets);
                unserved.first = unserved.first.or(Some((source, destination)));
            }
        }
    }
    unserved
}

/// The rounds of an exchange and in each the lanes of a terminal.
fn lanes_of(rounds: u32, terminal: TerminalIdx, owned: u32) -> impl Iterator<Item = (RoundIdx, LaneIdx)> {
    let lanes = (terminal.0 * owned..(terminal.0 + 1) * owned).map(LaneIdx);
    RoundIdx::all(rounds).flat_map(move |round| lanes.clone().map(move |lane| (round, lane)))
}
