//! The testbench around the rust-hdl network of a multibutterfly: it brings the messages, watches what every node does, and checks what
//! comes out.
//!
//! It mirrors the SystemVerilog testbench, which has the same checks.

mod checks;
pub mod fault;
mod probes;

use crate::bench::PeriodObserver;
use crate::design::multibutterfly::{Hardware, message_number, payloads};
use crate::netlist::Netlist;
use crate::netlist::simulate::Simulated;
use frit_network::Refusal;
use frit_network::RowIdx;
use frit_network::multibutterfly::Node;
use frit_router::multibutterfly::{NodeEvent, Problem};
use probes::Probes;

/// What was wrong first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The cycle, from the first of the run.
    pub cycle: u64,
    pub phase: u32,
    pub what: String,
}

/// What the rust-hdl network did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// What the nodes did, cycle by cycle.
    pub events: Vec<NodeEvent>,
    /// What `cycles_o` said; `None` if the run did not end.
    pub cycles: Option<u64>,
    /// What `phases_o` said.
    pub phases: u64,
    /// What `stuck_o` said.
    pub stuck: bool,
    /// The messages that did not arrive.
    pub left: Vec<u32>,
    /// What was wrong by itself.
    pub complaint: Option<Complaint>,
}

struct MultibutterflyBench<'a> {
    problem: &'a Problem,
    hardware: &'a Hardware<'a>,
    design: Simulated,
    probes: Probes,
    payloads: Vec<u64>,
    cycle: u64,
    phase: u32,
    /// Whether a side was committed in the last cycle.
    committed: Vec<[bool; 2]>,
    /// Whether the last cycle was step 1 of a phase.
    unasked: bool,
    arrived: Vec<bool>,
    /// What the nodes must have counted, by what was seen in the last cycle.
    counted: Vec<checks::Counted>,
    found: Run,
    /// The periods since the first of reset, and who sees them.
    period: u64,
    periods: &'a mut dyn PeriodObserver,
}

/// Runs the messages of a problem through `netlist`, the hardware's own or one with a fault, for `limit` cycles at most.
///
/// # Errors
/// If the logic does not settle.
pub fn run(problem: &Problem, hardware: &Hardware, netlist: &Netlist, limit: u64) -> Result<Run, Refusal> {
    run_observed(problem, hardware, Simulated::new(netlist)?, limit, &mut ())
}

/// The same in a design of that netlist, every period of which `periods` sees.
///
/// # Errors
/// If the logic does not settle.
pub fn run_observed(
    problem: &Problem,
    hardware: &Hardware,
    design: Simulated,
    limit: u64,
    periods: &mut dyn PeriodObserver,
) -> Result<Run, Refusal> {
    let probes = Probes::new(&design, hardware);
    let mut bench = MultibutterflyBench {
        problem,
        hardware,
        probes,
        payloads: payloads(problem),
        cycle: 0,
        phase: 0,
        committed: vec![[false; 2]; hardware.nodes().count()],
        unasked: false,
        arrived: vec![false; problem.messages().len()],
        counted: Vec::new(),
        found: Run::default(),
        design,
        period: 0,
        periods,
    };
    for reset in [true, true, false] {
        bench.period(reset, false, None)?;
    }
    bench.bring()?;
    bench.period(false, true, None)?;
    for cycle in 0..=limit {
        bench.cycle = cycle;
        bench.low(false, false, None)?;
        if bench.probes.port(&bench.design, "done_o") {
            let get = |name| bench.design.get(&bench.probes.ports[name], 0);
            (bench.found.cycles, bench.found.phases) = (Some(get("cycles_o")), get("phases_o"));
            bench.found.stuck = bench.probes.port(&bench.design, "stuck_o");
            break;
        }
        bench.look();
        bench.high()?;
    }
    Ok(bench.finish(limit))
}

impl MultibutterflyBench<'_> {
    /// The first half of a clock period; `offered` are the messages at the sources.
    fn low(&mut self, reset: bool, start: bool, offered: Option<&[Option<u32>]>) -> Result<(), Refusal> {
        let ports = &self.probes.ports;
        self.design.set(&ports["clk_i"], 0, 0);
        self.design.set(&ports["rst_i"], 0, reset.into());
        self.design.set(&ports["start_i"], 0, start.into());
        for row in 0..self.hardware.network().shape().rows() as usize {
            let message = offered.and_then(|offered| offered[row]);
            let word = message.map_or(0, |message| self.word(message, 0));
            self.design.set(&ports["inject_valid_i"], row, message.is_some().into());
            self.design.set(&ports["inject_word_i"], row, word);
        }
        self.design.settle()?;
        self.periods.period(self.period, &self.design);
        self.period += 1;
        Ok(())
    }

    fn high(&mut self) -> Result<(), Refusal> {
        self.design.set(&self.probes.ports["clk_i"], 0, 1);
        self.design.settle()
    }

    fn period(&mut self, reset: bool, start: bool, offered: Option<&[Option<u32>]>) -> Result<(), Refusal> {
        self.low(reset, start, offered)?;
        self.high()
    }

    /// Brings all messages to their sources, one a cycle and row.
    fn bring(&mut self) -> Result<(), Refusal> {
        let rows = self.hardware.network().shape().rows();
        let messages = self.problem.messages();
        let mut waiting: Vec<_> = (0..rows)
            .map(|row| (0..messages.len() as u32).filter(move |&m| messages[m as usize].source == row))
            .map(|of| of.collect::<std::collections::VecDeque<u32>>())
            .collect();
        while waiting.iter().any(|of| !of.is_empty()) {
            let offered: Vec<_> = waiting.iter().map(|of| of.front().copied()).collect();
            self.low(false, false, Some(&offered))?;
            let ready = |row| self.design.get(&self.probes.ports["inject_ready_o"], row) != 0;
            let taken: Vec<bool> = (0..rows as usize).map(ready).collect();
            if !taken.iter().zip(&offered).any(|(&taken, offer)| taken && offer.is_some()) {
                self.complain(|| "no source takes a message".into());
                return Ok(());
            }
            waiting.iter_mut().zip(taken).filter(|(_, taken)| *taken).for_each(|(of, _)| {
                of.pop_front();
            });
            self.high()?;
        }
        Ok(())
    }

    /// A message as it comes into a column.
    fn word(&self, message: u32, column: u32) -> u64 {
        let destination = u64::from(self.problem.messages()[message as usize].destination);
        let left = self.hardware.columns() - column;
        let address = destination & ((1 << left) - 1);
        address << self.hardware.payload() | self.payloads[message as usize]
    }

    fn complain(&mut self, what: impl FnOnce() -> String) {
        if self.found.complaint.is_none() {
            self.found.complaint = Some(Complaint { cycle: self.cycle, phase: self.phase, what: what() });
        }
    }

    /// What the registers and wires say in a cycle.
    fn look(&mut self) {
        if !self.probes.port(&self.design, "busy_o") {
            self.complain(|| "busy_o is 0 during the run".into());
        }
        let steps = self.probes.steps(&self.design);
        self.commits();
        self.check(&steps);
        self.places();
        self.deliveries();
        self.unasked = steps.unasked;
        self.phase += u32::from(steps.set);
    }

    /// Sides that have committed with the last clock edge.
    fn commits(&mut self) {
        for (at, node) in self.hardware.nodes().enumerate() {
            for side in 0..2 {
                let probe = &self.probes.nodes[at].sides[side];
                let committed = probe.lanes(&self.design, "chosen").iter().any(|port| *port != 0);
                if committed == std::mem::replace(&mut self.committed[at][side], committed) {
                    continue;
                }
                let chosen = probe.lanes(&self.design, "chosen");
                let ports: Vec<u32> = chosen.iter().map(|port| port.trailing_zeros()).collect();
                let empty = probe.end(&self.design) == 0;
                if chosen.iter().any(|port| port.count_ones() != 1) || !ports.is_sorted() {
                    let Node { column, row } = node;
                    self.complain(|| {
                        format!("column {column} row {row} side {side} is committed to the ports {chosen:?}")
                    });
                }
                // A side that has nothing to send and is committed unasked is no event.
                if committed && !(empty && self.unasked) {
                    let (phase, Node { column, row }) = (self.phase, node);
                    self.found.events.push(NodeEvent::Commit {
                        phase,
                        column,
                        side: side as u32,
                        row,
                        ports,
                    });
                }
            }
        }
    }

    /// Messages that come to nodes behind the sources.
    fn places(&mut self) {
        for (at, Node { column, row }) in
            self.hardware.nodes().enumerate().filter(|(_, node)| node.column > 0)
        {
            for side in 0..2 {
                let probe = &self.probes.nodes[at];
                if probe.placed(&self.design, side) == 0 {
                    continue;
                }
                let word = probe.word(&self.design);
                let (buffer, end) =
                    (probe.sides[side].get(&self.design, "fill"), probe.sides[side].end(&self.design));
                let place = format!("column {column} row {row} side {side}");
                let message = message_number(word, self.payloads.len());
                if message >= self.payloads.len() || self.word(message as u32, column) != word {
                    self.complain(|| format!("{place}: the word {word:#x} comes, which is no message"));
                }
                if buffer >= end {
                    self.complain(|| format!("{place}: there is no ghost for message {message}"));
                }
                let (phase, side, buffer) = (self.phase, side as u32, buffer as u32);
                let message = message as u32;
                self.found.events.push(NodeEvent::Place { phase, column, row, side, buffer, message });
            }
        }
    }

    fn deliveries(&mut self) {
        let column = self.hardware.columns();
        for row in 0..self.hardware.network().shape().rows() {
            let get = |name| self.design.get(&self.probes.ports[name], row as usize);
            if get("deliver_valid_o") == 0 {
                continue;
            }
            let payload = get("deliver_payload_o");
            let number = message_number(payload, self.payloads.len());
            let right = self.payloads.get(number) == Some(&payload)
                && self.problem.messages()[number].destination == row
                && !self.arrived[number];
            if right {
                self.arrived[number] = true;
            } else {
                self.complain(|| {
                    format!("row {row}: {payload:#x} arrives, which is no message for it or came before")
                });
            }
            let message = number as u32;
            self.found.events.push(NodeEvent::Deliver {
                phase: self.phase,
                column,
                row: RowIdx(row),
                message,
            });
        }
    }

    fn finish(mut self, limit: u64) -> Run {
        let left = (0..).zip(&self.arrived).filter(|(_, arrived)| !**arrived);
        self.found.left = left.map(|(message, _)| message).collect();
        if self.found.cycles.is_none() {
            self.complain(|| format!("the run did not end in {limit} cycles"));
        } else if self.found.stuck == self.found.left.is_empty() {
            let (stuck, left) = (u8::from(self.found.stuck), self.found.left.len());
            self.complain(|| format!("stuck_o is {stuck} with {left} messages left"));
        }
        self.found
    }
}
