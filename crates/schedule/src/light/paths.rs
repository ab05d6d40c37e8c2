//! The ways of the messages of a round: each takes n - 1 bits c of its own choice through the network, and two messages that never want the same wire
//! can take theirs at once.

use super::Meter;
use crate::stuck::Settings;
use frit_network::light::Millidecibels;
use frit_network::{Network, SwitchState};

/// One way of one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The output of each stage that it takes.
    pub outputs: Vec<u32>,
    /// Which stages it crosses, the first in bit 0.
    pub crossed: u32,
    /// What it loses.
    pub loss: Millidecibels,
}

/// `[source][c]`: all ways of the messages of a round on a Butterfly–Butterfly or a Beneš network.
pub type Ways = Vec<Vec<Way>>;

/// The ways to `destinations[source]`.
pub fn ways(meter: &Meter, destinations: &[u32]) -> Ways {
    let n = meter.network.terminals().trailing_zeros();
    let tails = tails(meter, n);
    let of = |(source, &destination): (usize, &u32)| {
        let label = |c: u32| c << n | tails[destination as usize];
        (0..1 << (n - 1)).map(|c| way(meter, source as u32, label(c)).0).collect()
    };
    destinations.iter().enumerate().map(of).collect()
}

/// The last n bits of a label for each destination, whatever the source and the bits before.
fn tails(meter: &Meter, n: u32) -> Vec<u32> {
    let mut tails = vec![0; 1 << n];
    for tail in 0..1 << n {
        tails[way(meter, 0, tail).1 as usize] = tail;
    }
    tails
}

/// The way of a label, and where it ends.
fn way(meter: &Meter, source: u32, label: u32) -> (Way, u32) {
    let network = meter.network;
    let mut way = Way { outputs: Vec::new(), crossed: 0, loss: 0 };
    let mut at = source;
    for (column, link) in network.links().iter().enumerate() {
        at = link[at as usize];
        way.loss += meter.crossings[column][at as usize];
        if let Some(shift) = (network.stages() - 1).checked_sub(column as u32) {
            let bit = label >> shift & 1;
            let crossed = (at ^ bit) & 1 == 1;
            way.loss += meter.light.of(SwitchState::from_bit(crossed)).loss;
            way.crossed |= u32::from(crossed) << column;
            at = at & !1 | bit;
            way.outputs.push(at);
        }
    }
    (way, at)
}

/// The settings of a round whose messages take these ways.
pub fn settings<'a>(network: &Network, taken: impl Iterator<Item = &'a Way>) -> Settings {
    let mut settings =
        vec![vec![SwitchState::Straight; network.switches_per_stage() as usize]; network.stages() as usize];
    for way in taken {
        for (stage, (row, output)) in settings.iter_mut().zip(&way.outputs).enumerate() {
            row[*output as usize / 2] = SwitchState::from_bit(way.crossed >> stage & 1 == 1);
        }
    }
    settings
}

/// Tries all ways for all messages, the message with the fewest free ones first; `see` is shown every choice in which no two
/// want the same wire, and `allowed` says of a way whether it is worth trying. Whether all were tried before `steps` steps were done.
pub fn all(
    ways: &Ways,
    steps: u64,
    allowed: &mut dyn FnMut(&Way) -> bool,
    see: &mut dyn FnMut(&[&Way]),
) -> bool {
    let stages = ways[0][0].outputs.len();
    let wires = vec![vec![false; ways.len()]; stages];
    Taken { wires, chosen: vec![None; ways.len()], steps }.next(ways, allowed, see)
}

struct Taken<'a> {
    /// `[stage][output]`.
    wires: Vec<Vec<bool>>,
    chosen: Vec<Option<&'a Way>>,
    /// Steps that are left.
    steps: u64,
}

impl<'a> Taken<'a> {
    fn is_free(&self, way: &Way) -> bool {
        self.wires.iter().zip(&way.outputs).all(|(wires, output)| !wires[*output as usize])
    }

    fn mark(&mut self, way: &Way, taken: bool) {
        self.wires.iter_mut().zip(&way.outputs).for_each(|(wires, output)| wires[*output as usize] = taken);
    }

    fn next(
        &mut self,
        ways: &'a Ways,
        allowed: &mut dyn FnMut(&Way) -> bool,
        see: &mut dyn FnMut(&[&Way]),
    ) -> bool {
        let mut fewest: Option<(usize, Vec<&'a Way>)> = None;
        for (message, all) in ways.iter().enumerate().filter(|(message, _)| self.chosen[*message].is_none()) {
            let free: Vec<&Way> = all.iter().filter(|way| self.is_free(way) && allowed(way)).collect();
            if fewest.as_ref().is_none_or(|(_, few)| free.len() < few.len()) {
                fewest = Some((message, free));
            }
        }
        let Some((message, free)) = fewest else {
            let chosen: Vec<&Way> = self.chosen.iter().flatten().copied().collect();
            see(&chosen);
            return true;
        };
        for way in free {
            if self.steps == 0 {
                return false;
            }
            self.steps -= 1;
            self.mark(way, true);
            self.chosen[message] = Some(way);
            let whole = self.next(ways, allowed, see);
            self.mark(way, false);
            self.chosen[message] = None;
            if !whole {
                return false;
            }
        }
        true
    }
}
