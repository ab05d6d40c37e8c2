//! The floor of a dilated butterfly's switch, as docs/systems/dilated.md derives it: LUTs with four inputs for the structure of
//! [`frit_cells::design::dilated`], nothing shared and nothing repeated. It is no bound for another structure.

use super::Floor;
use frit_cells::design::dilated::Hardware;
use frit_router::dilated::Switch;

/// What of a switch its floor depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchFloor {
    /// b: edges of a bundle.
    pub bundle: u32,
    /// How much it sees.
    pub switch: Switch,
    /// In bundles: one where packets start, which have no queues, else two.
    pub bundles: u32,
    pub edges: u32,
    /// Whether there is always room behind it.
    pub last: bool,
}

/// LUTs for an OR of `signals`, or for any other function that needs them all: each LUT makes one of four.
fn or(signals: u64) -> u64 {
    signals.saturating_sub(1).div_ceil(3)
}

/// LUTs for an OR of `products` of two signals.
fn any(products: u64) -> u64 {
    or(2 * products)
}

/// Adders of a balanced tree (Brent and Kung) that gives all sums of the first of `terms`.
fn adders(terms: u64) -> u64 {
    match terms {
        0 | 1 => 0,
        _ => terms / 2 + adders(terms / 2) + terms.div_ceil(2) - 1,
    }
}

impl SwitchFloor {
    pub fn inner(bundle: u32, switch: Switch) -> Self {
        SwitchFloor { bundle, switch, bundles: 2, edges: bundle, last: false }
    }

    pub fn of_level(hardware: &Hardware, level: u32) -> Self {
        let last = level + 1 == hardware.network().levels();
        let inner = SwitchFloor::inner(hardware.bundle(), hardware.switch());
        match level {
            0 => SwitchFloor { bundles: 1, edges: hardware.inputs(0), last, ..inner },
            _ => SwitchFloor { last, ..inner },
        }
    }

    fn inputs(&self) -> u64 {
        u64::from(self.bundles * self.edges)
    }

    /// Bits of a rank: those of an edge's number, and one on top that says that it is too large.
    fn rank_bits(&self) -> u64 {
        u64::from(self.bundle.next_power_of_two().ilog2().max(1) + 1)
    }

    /// LUTs of each part, with its name in docs/systems/dilated.md.
    pub fn parts(&self) -> Vec<(&'static str, u64)> {
        let (b, i) = (u64::from(self.bundle), self.inputs());
        let starts = self.bundles == 1;
        let mut parts = vec![
            ("valid and bit of the 2b out edges", 4 * b * any(i)),
            ("a valid and a bit for each in edge and out bundle", 4 * i),
            ("room at the target", if self.last { 0 } else { i * (b + or(b)) }),
            ("queues", if starts { 0 } else { 6 * i }),
            ("wants", i * (or(b) + 2)),
        ];
        match self.switch {
            Switch::Strong => parts.extend([
                ("strong: two trees", 2 * adders(i + 1) * self.rank_bits()),
                ("strong: the choice of a rank", i * (self.rank_bits() + b)),
            ]),
            Switch::Weak => {
                // Which of the two heads can go and does, whose turn it is then, which out bundle, two enables.
                let choice = if starts { 3 } else { 8 };
                let turns = u64::from(self.bundles) * 2 * any(self.edges.into()) + i;
                parts.push(("weak: turns, choice, next edges", turns + choice + b));
            }
        }
        parts
    }

    /// LUTs and flip-flops. The latter: a target of b + 1 for each in edge, and its queue; ranks or turns.
    pub fn floor(&self) -> Floor {
        let (b, i) = (u64::from(self.bundle), self.inputs());
        let starts = self.bundles == 1;
        let arbitration = match self.switch {
            Switch::Strong => 2 * self.rank_bits(),
            Switch::Weak => i + 2 * b + u64::from(!starts),
        };
        let ffs = i * (b + 1 + if starts { 0 } else { 3 }) + arbitration;
        Floor { luts: self.parts().iter().map(|(_, luts)| luts).sum(), ffs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_router::dilated::packets::permutations;
    use frit_router::dilated::{Packets, Parameters};

    const BUNDLES: [u32; 3] = [2, 4, 8];

    /// The numbers of a row of docs/systems/dilated.md that begins with `head`, before which it may have other cells.
    fn row(document: &str, head: &str) -> Vec<u64> {
        let row = document.lines().find(|line| line.starts_with(&format!("| {head}")));
        let cells = row.unwrap_or_else(|| panic!("no row {head}")).split('|').map(str::trim);
        cells.filter_map(|cell| cell.replace(',', "").parse().ok()).collect()
    }

    #[test]
    fn the_document_has_these_numbers() {
        let document = include_str!("../../../../docs/systems/dilated.md");
        let of = |switch| BUNDLES.map(|bundle| SwitchFloor::inner(bundle, switch));
        for (switch, name) in [(Switch::Strong, "strong"), (Switch::Weak, "weak")] {
            let floors = of(switch);
            for at in 0..floors[0].parts().len() {
                let part = floors[0].parts()[at].0;
                // Of trees the number of adders stands in the row as well, but not as a cell.
                assert_eq!(row(document, part), floors.map(|floor| floor.parts()[at].1), "{part}");
            }
            let luts = floors.map(|floor| floor.floor().luts);
            assert_eq!(row(document, &format!("**{name}**")), luts);
        }
        let (strong, weak) = (of(Switch::Strong), of(Switch::Weak));
        let both = |pick: fn(Floor) -> u64| -> Vec<u64> {
            (0..3).flat_map(|at| [strong[at], weak[at]]).map(|floor| pick(floor.floor())).collect()
        };
        assert_eq!(row(document, "the floor below"), both(|floor| floor.luts));
        assert_eq!(row(document, "flip-flops"), both(|floor| floor.ffs));
    }

    #[test]
    fn trees_have_the_adders_of_the_netlist() {
        for (bundle, switch) in [(2, Switch::Strong), (3, Switch::Strong), (8, Switch::Strong)] {
            let parameters = Parameters { switch, ..Parameters::new(4, bundle, 1) };
            let packets = Packets::new(parameters, &permutations(4, 3, 1)).unwrap();
            let hardware = Hardware::new(&packets).unwrap();
            let netlist = hardware.netlist();
            for (level, name) in [(0, "switch_first"), (1, "switch")] {
                let module = netlist.modules.iter().find(|module| module.name.ends_with(name)).unwrap();
                let count = module.instances.iter().filter(|of| of.name.starts_with("u_sum")).count();
                assert_eq!(
                    2 * adders(u64::from(hardware.inputs(level)) + 1),
                    count as u64,
                    "{bundle} {name}"
                );
            }
        }
    }

    #[test]
    fn a_fabric_is_all_its_switches() {
        let packets = Packets::new(Parameters::new(4, 2, 1), &permutations(4, 2, 1)).unwrap();
        let hardware = Hardware::new(&packets).unwrap();
        let inner = SwitchFloor::inner(2, Switch::Strong);
        let first = SwitchFloor { bundles: 1, edges: 2, ..inner };
        let last = SwitchFloor { last: true, ..inner };
        let [first, inner, last] = [first, inner, last].map(|floor| floor.floor());
        // Where packets start there are two in edges and no queues; at the sinks nobody asks for room.
        assert_eq!((inner.luts - last.luts, inner.ffs), (12, last.ffs));
        assert_eq!((first.luts, first.ffs), (8 + 8 + 6 + 6 + 2 * 2 * 2 + 2 * 4, 2 * 3 + 4));
        let luts = 4 * (first.luts + 2 * inner.luts + last.luts);
        let ffs = 4 * (first.ffs + 2 * inner.ffs + last.ffs);
        assert_eq!(Floor::of_dilated(&hardware), Floor { luts, ffs });
    }
}
