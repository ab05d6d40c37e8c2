//! Runs `D_permute` on the rust-hdl network: the phases of [`frit_permute::script`], and what must hold in each cycle.

use crate::agent::{Core, Stream, Way};
use frit_cells::design::permute::fields;
use frit_cells::design::pinout::Pinout;
use frit_cells::netlist::Netlist;
use frit_cells::netlist::simulate::NamedNet;
use frit_network::Refusal;
use frit_permute::Streamed;
use frit_permute::script::{Beat, Phase, Sets, draw, hexadecimal, limit, phases, seed, shown_size, word};

/// What was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PermuteOutcome {
    pub beats: Vec<Beat>,
    /// What broke the rules of a stream first, if something did.
    pub complaint: Option<String>,
}

/// Runs all phases, and last a data set whose `tlast` comes early. The top of the netlist has this pinout.
///
/// # Errors
///
/// If rust-hdl cannot simulate the design.
pub fn run(
    plan: &Streamed,
    width: u32,
    netlist: &Netlist,
    pinout: Pinout,
) -> Result<PermuteOutcome, Refusal> {
    let mut bench = PermuteBench::new(plan, width, Core::with(netlist, pinout)?);
    for (at, phase) in phases(plan).into_iter().enumerate() {
        bench.phase(at, phase)?;
        if bench.core.high(&bench.ports.error) {
            bench.complain(at, 0, "error_o is high, but every tlast was in its place");
        }
    }
    bench.early_last()?;
    Ok(bench.outcome)
}

struct PermutePorts {
    input: Stream<1>,
    output: Stream<1>,
    /// PermutePorts with lanes of both streams, with the bits of a lane.
    fields: Vec<(u32, NamedNet, NamedNet)>,
    error: NamedNet,
    /// Rows and columns of the next matrix, where they are loaded.
    size: Option<[NamedNet; 2]>,
}

struct PermuteBench<'a> {
    plan: &'a Streamed,
    sets: Sets,
    width: u32,
    core: Core,
    ports: PermutePorts,
    outcome: PermuteOutcome,
}

impl<'a> PermuteBench<'a> {
    fn new(plan: &'a Streamed, width: u32, core: Core) -> Self {
        let port = |name: &str| core.port(name);
        let ports = PermutePorts {
            input: core.stream("s_axis_", Way::In, ["tlast"]),
            output: core.stream("m_axis_", Way::Out, ["tlast"]),
            fields: fields(plan, width)
                .map(|(name, bits)| {
                    (bits, port(&format!("s_axis_{name}_i")), port(&format!("m_axis_{name}_o")))
                })
                .collect(),
            error: port("error_o"),
            size: plan.largest().map(|_| ["rows_i", "columns_i"].map(port)),
        };
        let width = plan.word_bits(width);
        PermuteBench { plan, sets: Sets::of(plan), width, core, ports, outcome: PermuteOutcome::default() }
    }

    fn complain(&mut self, phase: usize, cycle: u64, what: &str) {
        self.outcome.complaint.get_or_insert_with(|| format!("phase {phase}, cycle {cycle}: {what}"));
    }

    fn reset(&mut self) -> Result<(), Refusal> {
        self.core.set(&self.ports.input.valid, 0, 0);
        self.core.reset(2)
    }

    fn offer(&mut self, phase: usize, beat: u64, offered: bool) {
        let (lanes, place) = (u64::from(self.plan.lanes), self.sets.place(beat));
        if let (Some(ports), Some((rows, columns))) =
            (&self.ports.size, shown_size(self.plan, &self.sets, beat))
        {
            for (port, side) in ports.iter().zip([rows, columns]) {
                self.core.set(port, 0, u64::from(side) / lanes);
            }
        }
        for lane in 0..lanes {
            let mut value = word(phase as u64, place.set, place.cycle * lanes + lane, self.width);
            for (bits, port, _) in &self.ports.fields {
                self.core.set(port, lane as u32, value & u64::MAX >> (64 - bits));
                value = value.checked_shr(*bits).unwrap_or(0);
            }
        }
        self.ports.input.offer(&mut self.core, 0, offered, [(place.cycle + 1 == place.cycles).into()]);
    }

    fn shown(&self) -> (bool, String) {
        let value = |lane: u32| {
            let field = |word: u64, (bits, _, port): &(u32, NamedNet, NamedNet)| {
                word.checked_shl(*bits).unwrap_or(0) | self.core.get(port, lane)
            };
            self.ports.fields.iter().rev().fold(0, field)
        };
        let words: Vec<u64> = (0..self.plan.lanes).map(value).collect();
        let data = hexadecimal(self.plan.lanes, self.width, |lane, block| {
            (words[lane as usize] >> (32 * block)) as u32
        });
        (self.core.high(&self.ports.output.payload[0]), data)
    }

    fn phase(&mut self, at: usize, phase: Phase) -> Result<(), Refusal> {
        self.reset()?;
        let (mut taken, mut left, mut offering, mut state) = (0, 0, false, seed(at));
        let mut waiting: Option<(bool, String)> = None;
        for cycle in 0..limit(self.plan, phase) {
            state = draw(state);
            offering |= taken < phase.beats && state & 0xff < phase.pace.offering;
            let ready = state >> 8 & 0xff < phase.pace.taking;
            self.offer(at, taken, offering);
            self.core.set(&self.ports.output.ready, 0, ready.into());
            self.core.settle()?;
            let valid = self.core.high(&self.ports.output.valid);
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
            if self.ports.input.taken(&self.core, 0).is_some() {
                (offering, taken) = (false, taken + 1);
            }
            self.core.edge()?;
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
    fn early_last(&mut self) -> Result<(), Refusal> {
        let phase = phases(self.plan).len();
        self.reset()?;
        self.offer(phase, 0, true);
        self.core.set(&self.ports.input.payload[0], 0, 1);
        self.core.settle()?;
        // Until the first beat is taken, and through the register at the input.
        let taken = if self.ports.size.is_some() { 2 } else { 1 };
        (0..=taken).try_for_each(|_| self.core.edge())?;
        if !self.core.high(&self.ports.error) {
            self.complain(phase, 0, "error_o is low, but tlast came early");
        }
        Ok(())
    }
}
