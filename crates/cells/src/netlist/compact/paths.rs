//! Which signals of a module follow which others in the same cycle: where one loop for all outputs of a cell would be
//! circular.
//!
//! A process of Verilog drives all its outputs from all its inputs, as far as a simulator knows. If `want` and `pop` are
//! outputs of one process, and `take`, which only `pop` follows, is computed from `want`, then the process follows itself.
//! Verilator reports this as UNOPTFLAT and evaluates such a process repeatedly. Two processes cure it.

use crate::netlist::{Expr, Instance, Net, Of, Part, SignalId};
use crate::printer::body::Body;
use std::collections::{BTreeMap, BTreeSet};

/// For each signal the signals that follow it at once.
pub(super) struct Paths {
    next: BTreeMap<SignalId, BTreeSet<SignalId>>,
}

/// For each output of a cell the inputs that it follows.
type Follows = BTreeMap<String, BTreeSet<String>>;

impl Paths {
    /// The paths through assignments and cells. Modules inside count as registers.
    pub(super) fn of(instances: &[Instance], assigns: &[(Net, Expr)]) -> Paths {
        let mut paths = Paths { next: BTreeMap::new() };
        for (target, expr) in assigns {
            paths.add(signals(expr), target.signal);
        }
        // What follows what does not depend on the parameters; None: text of its own, each output may follow each input.
        let mut known: BTreeMap<String, Option<Follows>> = BTreeMap::new();
        for instance in instances {
            let Of::Cell(spec) = &instance.of else { continue };
            let follows = known
                .entry(spec.module())
                .or_insert_with(|| Body::of(&*spec.prototype()).map(|body| follows(&body)));
            for (output, nets) in &instance.outputs {
                for (input, lanes) in &instance.inputs {
                    let through = follows.as_ref().is_none_or(|follows| {
                        follows.get(output).is_some_and(|inputs| inputs.contains(input))
                    });
                    if !through {
                        continue;
                    }
                    for target in nets.iter().flatten() {
                        lanes.iter().for_each(|lane| paths.add(signals(lane), target.signal));
                    }
                }
            }
        }
        paths
    }

    fn add(&mut self, from: impl Iterator<Item = SignalId>, to: SignalId) {
        from.for_each(|from| {
            self.next.entry(from).or_default().insert(to);
        });
    }

    /// The signals that follow one of these.
    fn reached(&self, from: BTreeSet<SignalId>) -> BTreeSet<SignalId> {
        let mut found = BTreeSet::new();
        let mut open: Vec<SignalId> = from.into_iter().collect();
        while let Some(signal) = open.pop() {
            let fresh = self.next.get(&signal).into_iter().flatten().filter(|next| found.insert(**next));
            open.extend(fresh);
        }
        found
    }

    /// The outputs of a loop, in the parts that may each be one process: all together, or, where that would be circular, those
    /// together that follow the same inputs.
    pub(super) fn parts(&self, body: &Body, members: &[&Instance], outputs: Vec<String>) -> Vec<Vec<String>> {
        let follows = follows(body);
        let driven: BTreeSet<SignalId> = members
            .iter()
            .flat_map(|member| &member.outputs)
            .filter(|(output, _)| outputs.contains(output))
            .flat_map(|(_, nets)| nets.iter().flatten().map(|net| net.signal))
            .collect();
        let reached = self.reached(driven.clone());
        let read: BTreeSet<&String> = outputs.iter().flat_map(|output| &follows[output]).collect();
        let circular = members.iter().flat_map(|member| &member.inputs).any(|(input, lanes)| {
            let back = |signal| reached.contains(&signal) || driven.contains(&signal);
            read.contains(input) && lanes.iter().flat_map(signals).any(back)
        });
        if !circular {
            return vec![outputs];
        }
        let mut parts: Vec<(&BTreeSet<String>, Vec<String>)> = Vec::new();
        for output in outputs {
            let inputs = &follows[&output];
            match parts.iter_mut().find(|(known, _)| *known == inputs) {
                Some((_, names)) => names.push(output),
                None => parts.push((inputs, vec![output])),
            }
        }
        parts.into_iter().map(|(_, names)| names).collect()
    }
}

fn follows(body: &Body) -> Follows {
    let inputs: BTreeSet<&String> = body.inputs.iter().map(|input| &input.name).collect();
    let of = |output: &String| {
        let names = body.slice(std::slice::from_ref(output)).1;
        names.into_iter().filter(|name| inputs.contains(name)).collect()
    };
    body.outputs.iter().map(|output| (output.name.clone(), of(&output.name))).collect()
}

fn signals(expr: &Expr) -> impl Iterator<Item = SignalId> {
    expr.parts().1.iter().filter_map(|part| match part {
        Part::Net { net, .. } => Some(net.signal),
        Part::Const { .. } => None,
    })
}
