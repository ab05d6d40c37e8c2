//! Runs `D_permute` on the rust-hdl network: the phases of [`frit_permute::script`], and what must hold in each cycle.

use crate::design::permute::fields;
use crate::netlist::Netlist;
use crate::netlist::simulate::{NamedNet, SimulateError, Simulated};
use frit_permute::Streamed;
use frit_permute::script::{Beat, Phase, Sets, draw, hexadecimal, limit, phases, seed, shown_size, word};

/// What was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PermuteOutcome {
    /// Each beat that left.
    pub beats: Vec<Beat>,
    /// What broke the rules of a stream first, if something did.
    pub complaint: Option<String>,
}

/// Runs all phases, and last a data set whose `tlast` comes early.
///
/// # Errors
///
/// If rust-hdl cannot simulate the design.
pub fn run(plan: &Streamed, width: u32, netlist: &Netlist) -> Result<PermuteOutcome, SimulateError> {
    let mut bench = Bench::new(plan, width, netlist)?;
    for (at, phase) in phases(plan).into_iter().enumerate() {
        bench.phase(at, phase)?;
        if bench.design.get(&bench.ports.error, 0) == 1 {
            bench.complain(at, 0, "error_o is high, but every tlast was in its place");
        }
    }
    bench.early_last()?;
    Ok(bench.outcome)
}

struct Ports {
    clk: NamedNet,
    rst: NamedNet,
    /// valid, ready, last.
    input: [NamedNet; 3],
    output: [NamedNet; 3],
    /// Ports with lanes of both streams, with the bits of a lane.
    fields: Vec<(u32, NamedNet, NamedNet)>,
    error: NamedNet,
    /// Rows and columns of the next matrix, where they are loaded.
    size: Option<[NamedNet; 2]>,
}

struct Bench<'a> {
    plan: &'a Streamed,
    sets: Sets,
    width: u32,
    design: Simulated,
    ports: Ports,
    outcome: PermuteOutcome,
}

impl<'a> Bench<'a> {
    fn new(plan: &'a Streamed, width: u32, netlist: &Netlist) -> Result<Self, SimulateError> {
        let design = Simulated::new(netlist)?;
        let port =
            |name: &str| design.find("", name).unwrap_or_else(|| panic!("D_permute has a port {name}"));
        let ports = Ports {
            clk: port("clk_i"),
            rst: port("rst_i"),
            input: ["s_axis_tvalid_i", "s_axis_tready_o", "s_axis_tlast_i"].map(port),
            output: ["m_axis_tvalid_o", "m_axis_tready_i", "m_axis_tlast_o"].map(port),
            fields: fields(plan, width)
                .map(|(name, bits)| {
                    (bits, port(&format!("s_axis_{name}_i")), port(&format!("m_axis_{name}_o")))
                })
                .collect(),
            error: port("error_o"),
            size: plan.largest().map(|_| ["rows_i", "columns_i"].map(port)),
        };
        let width = plan.word_bits(width);
        Ok(Bench { plan, sets: Sets::of(plan), width, design, ports, outcome: PermuteOutcome::default() })
    }

    fn complain(&mut self, phase: usize, cycle: u64, what: &str) {
        self.outcome.complaint.get_or_insert_with(|| format!("phase {phase}, cycle {cycle}: {what}"));
    }

    fn edge(&mut self) -> Result<(), SimulateError> {
        for level in [1, 0] {
            self.design.set(&self.ports.clk, 0, level);
            self.design.settle()?;
        }
        Ok(())
    }

    fn reset(&mut self) -> Result<(), SimulateError> {
        self.design.set(&self.ports.clk, 0, 0);
        self.design.set(&self.ports.input[0], 0, 0);
        self.design.set(&self.ports.rst, 0, 1);
        self.design.settle()?;
        (0..2).try_for_each(|_| self.edge())?;
        self.design.set(&self.ports.rst, 0, 0);
        self.design.settle()
    }

    /// Offers a beat of the sender.
    fn offer(&mut self, phase: usize, beat: u64, offered: bool) {
        let (lanes, place) = (u64::from(self.plan.lanes), self.sets.place(beat));
        if let (Some(ports), Some((rows, columns))) =
            (&self.ports.size, shown_size(self.plan, &self.sets, beat))
        {
            for (port, side) in ports.iter().zip([rows, columns]) {
                self.design.set(port, 0, u64::from(side) / lanes);
            }
        }
        for lane in 0..lanes {
            let mut value = word(phase as u64, place.set, place.cycle * lanes + lane, self.width);
            for (bits, port, _) in &self.ports.fields {
                self.design.set(port, lane as usize, value & u64::MAX >> (64 - bits));
                value = value.checked_shr(*bits).unwrap_or(0);
            }
        }
        self.design.set(&self.ports.input[0], 0, offered.into());
        self.design.set(&self.ports.input[2], 0, (place.cycle + 1 == place.cycles).into());
    }

    fn shown(&self) -> (bool, String) {
        let value = |lane: usize| {
            let field = |word: u64, (bits, _, port): &(u32, NamedNet, NamedNet)| {
                word.checked_shl(*bits).unwrap_or(0) | self.design.get(port, lane)
            };
            self.ports.fields.iter().rev().fold(0, field)
        };
        let words: Vec<u64> = (0..self.plan.lanes as usize).map(value).collect();
        let data = hexadecimal(self.plan.lanes, self.width, |lane, block| {
            (words[lane as usize] >> (32 * block)) as u32
        });
        (self.design.get(&self.ports.output[2], 0) == 1, data)
    }

    fn phase(&mut self, at: usize, phase: Phase) -> Result<(), SimulateError> {
        self.reset()?;
        let (mut taken, mut left, mut offering, mut state) = (0, 0, false, seed(at));
        let mut waiting: Option<(bool, String)> = None;
        for cycle in 0..limit(self.plan, phase) {
            state = draw(state);
            offering |= taken < phase.beats && state & 0xff < phase.pace.offering;
            let ready = state >> 8 & 0xff < phase.pace.taking;
            self.offer(at, taken, offering);
            self.design.set(&self.ports.output[1], 0, ready.into());
            self.design.settle()?;
            let valid = self.design.get(&self.ports.output[0], 0) == 1;
            let shown = self.shown();
            if waiting.take().is_some_and(|before| !valid || before != shown) {
                self.complain(at, cycle, "a beat was offered and then withdrawn or changed");
            }
            if valid && ready {
                self.outcome.beats.push(Beat { phase: at, cycle, last: shown.0, data: shown.1 });
                left += 1;
            } else if valid {
                waiting = Some(shown);
            }
            if offering && self.design.get(&self.ports.input[1], 0) == 1 {
                (offering, taken) = (false, taken + 1);
            }
            self.edge()?;
            if phase.cut.map_or(left == phase.beats, |cut| taken >= cut) {
                return Ok(());
            }
        }
        self.complain(
            at,
            limit(self.plan, phase),
            &format!("only {left} of {} beats left in time", phase.beats),
        );
        Ok(())
    }

    /// A first beat with `tlast` must raise the error.
    fn early_last(&mut self) -> Result<(), SimulateError> {
        let phase = phases(self.plan).len();
        self.reset()?;
        self.offer(phase, 0, true);
        self.design.set(&self.ports.input[2], 0, 1);
        self.design.settle()?;
        // Until the first beat is taken, and through the register at the input.
        let taken = if self.ports.size.is_some() { 2 } else { 1 };
        (0..=taken).try_for_each(|_| self.edge())?;
        if self.design.get(&self.ports.error, 0) == 0 {
            self.complain(phase, 0, "error_o is low, but tlast came early");
        }
        Ok(())
    }
}
