//! What must hold in every cycle, whatever the messages: pointers in order, no output grants a size twice, nothing stands that was taken
//! back, and ghosts are counted as what is there.

use super::MultibutterflyBench;
use super::probes::Steps;
use frit_network::multibutterfly::Node;

/// What a node must have counted behind this cycle.
pub(super) enum Counted {
    Asked(usize, u64),
    Told(usize, u64),
    /// Ghosts are g' + g'' on both sides.
    Settled(usize),
}

impl MultibutterflyBench<'_> {
    pub(super) fn check(&mut self, steps: &Steps) {
        self.check_counted();
        self.check_pointers();
        if steps.decide {
            self.check_grants();
        }
        if steps.weigh {
            self.check_standing();
        }
        self.expect(steps);
    }

    /// The nodes that are outputs in this phase and not destinations, by their place among all.
    fn outputs(&self) -> impl Iterator<Item = (usize, Node)> + use<> {
        let newest = self.phase + 1;
        self.hardware.nodes().enumerate().filter(move |(_, node)| (1..=newest).contains(&node.column))
    }

    /// What must be counted with the next clock edge.
    fn expect(&mut self, steps: &Steps) {
        if !(steps.weigh || steps.count || steps.clean) {
            return;
        }
        let expected = |(at, node): (usize, Node)| match (steps.weigh, steps.count) {
            (true, _) => Counted::Asked(at, self.asked(at, node)),
            (_, true) => Counted::Told(at, self.told(node)),
            _ => Counted::Settled(at),
        };
        self.counted = self.outputs().map(expected).collect();
    }

    /// The sum of the different sizes that stand at a node.
    fn asked(&self, at: usize, node: Node) -> u64 {
        let mut sizes = self.probes.nodes[at].node.lanes(&self.design, "standing");
        sizes.sort_unstable();
        sizes.dedup();
        sizes.iter().sum::<u64>() << self.hardware.column(node.column - 1).first_batch()
    }

    /// Buffers that are assigned to a node and alive.
    fn told(&self, node: Node) -> u64 {
        let network = self.hardware.network();
        let side = network.shape().side_of(node) as usize;
        let banks = u64::from(self.hardware.column(node.column - 1).banks());
        let of = network.origins(node).iter().map(|from| {
            let origin = (node.column - 1) * network.shape().rows() + from.row.0;
            let probe = &self.probes.nodes[origin as usize].sides[side];
            let end = probe.end(&self.design);
            let (chosen, sent) = (probe.lanes(&self.design, "chosen"), probe.sent(&self.design));
            let alive = |bank: usize| (end + banks - 1 - bank as u64) / banks - sent[bank];
            (0..chosen.len()).filter(|&bank| chosen[bank] >> from.port.0 & 1 == 1).map(alive).sum::<u64>()
        });
        of.sum()
    }

    fn check_counted(&mut self) {
        for counted in std::mem::take(&mut self.counted) {
            let (Counted::Asked(at, _) | Counted::Told(at, _) | Counted::Settled(at)) = counted;
            let node = self.hardware.nodes().nth(at).expect("it is one of the nodes");
            let probe = &self.probes.nodes[at];
            let get = |name| probe.node.get(&self.design, name);
            let place = format!("column {} row {}", node.column, node.row);
            let (given, expected, what) = match counted {
                Counted::Asked(_, expected) => (get("asked"), expected, "g' of the sizes that stand"),
                Counted::Told(_, expected) => (get("told"), expected, "g'' of what is assigned to it"),
                Counted::Settled(_) => {
                    let ghosts = probe
                        .sides
                        .each_ref()
                        .map(|side| side.end(&self.design).wrapping_sub(side.get(&self.design, "fill")));
                    let kept = get("asked") + get("told");
                    let wrong = ghosts.into_iter().find(|&ghosts| ghosts != kept);
                    (wrong.unwrap_or(kept), kept, "ghosts on a side")
                }
            };
            if given != expected {
                self.complain(|| format!("{place}: {what}: {given}, expected {expected}"));
            }
        }
    }

    /// sent ≤ m ≤ e ≤ B.
    fn check_pointers(&mut self) {
        let buffers = u64::from(self.hardware.buffers());
        for (at, Node { column, row }) in self.hardware.nodes().enumerate() {
            for side in 0..2 {
                let probe = &self.probes.nodes[at].sides[side];
                let sent: u64 = probe.sent(&self.design).iter().sum();
                let (fill, end) = (probe.get(&self.design, "fill"), probe.end(&self.design));
                if !(sent <= fill && fill <= end && end <= buffers) {
                    self.complain(|| {
                        format!("column {column} row {row} side {side}: sent {sent}, m {fill}, e {end} of {buffers}")
                    });
                }
            }
        }
    }

    /// An output grants a size only to who is alone with it.
    fn check_grants(&mut self) {
        for (at, Node { column, row }) in self.outputs() {
            let node = &self.probes.nodes[at].node;
            let standing = node.lanes(&self.design, "standing");
            let grants = node.lanes(&self.design, "grant_o");
            let asked = |size: u64| standing.iter().filter(|&&other| other == size).count();
            let wrong = (0..standing.len()).find(|&port| grants[port] != 0 && asked(standing[port]) > 1);
            if let Some(port) = wrong {
                self.complain(|| {
                    format!("column {column} row {row} grants in-port {port} a size that another asks for")
                });
            }
        }
    }

    /// Behind the last round of requests no committed side asks.
    fn check_standing(&mut self) {
        let network = self.hardware.network();
        for (at, node) in self.outputs() {
            let standing = self.probes.nodes[at].node.lanes(&self.design, "standing");
            let side = network.shape().side_of(node) as usize;
            for (port, (&size, from)) in standing.iter().zip(network.origins(node)).enumerate() {
                let origin = ((node.column - 1) * network.shape().rows() + from.row.0) as usize;
                if size != 0 && self.committed[origin][side] {
                    let Node { column, row } = node;
                    self.complain(|| {
                        format!(
                            "column {column} row {row} in-port {port}: the request of a committed side stands"
                        )
                    });
                }
            }
        }
    }
}
