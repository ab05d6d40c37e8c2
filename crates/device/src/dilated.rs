//! A dilated butterfly with packets, and what its testbench runs after them.

mod further;

use crate::{Device, style_name};
use frit_cells::design::dilated::Hardware;
use frit_cells::dilated::fault::DILATED;
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::Style;
use frit_model::dilated::{Trace, trace};
use frit_network::Refusal;
use frit_network::facts;
use frit_network::facts::Facts;
use frit_router::dilated::Packets;
use frit_rtl::Files;
use frit_rtl::dilated::{Expected, Run, package, render};

/// A dilated butterfly with packets, and with what must happen to them.
pub struct DilatedDevice<'a> {
    pub packets: &'a Packets,
    pub hardware: Hardware,
    pub netlist: Netlist,
    pub style: Style,
    /// What the model does.
    pub expected: Trace,
    command: String,
}

impl<'a> DilatedDevice<'a> {
    /// The hardware with a deliberate fault, if one is given, its Verilog in this style; `command` writes its files.
    ///
    /// # Errors
    ///
    /// If it is no fault of a dilated butterfly, or has no place.
    pub fn new(
        packets: &'a Packets,
        hardware: Hardware,
        style: Style,
        fault: Option<&str>,
        command: String,
    ) -> Result<Self, Refusal> {
        let mut netlist = hardware.netlist();
        fault.map_or(Ok(()), |fault| DILATED.plant(&mut netlist, fault))?;
        Ok(DilatedDevice { packets, hardware, netlist, style, expected: trace(packets), command })
    }
}

impl Device for DilatedDevice<'_> {
    fn testbench(&self) -> String {
        self.name()
    }

    fn netlist(&self) -> &Netlist {
        &self.netlist
    }

    fn netlist_mut(&mut self) -> &mut Netlist {
        &mut self.netlist
    }

    fn style(&self) -> Style {
        self.style
    }

    fn sound(&self) -> Option<Netlist> {
        Some(Netlist { names: self.netlist.names.clone(), ..self.hardware.netlist() })
    }

    /// The testbench runs these packets, then those of `further`.
    fn bench(&self, sources: &[String]) -> Files {
        let DilatedDevice { packets, hardware, expected, command, .. } = self;
        let further = further::traffics(packets, expected);
        let first = Run { packets, expected: of_trace(expected), what: "the packets given" };
        let others = further.iter().map(|traffic| Run {
            packets: &traffic.packets,
            expected: of_trace(&traffic.trace),
            what: &traffic.what,
        });
        let runs: Vec<Run> = std::iter::once(first).chain(others).collect();
        render(&runs, hardware, command, sources)
    }

    fn package(&self, files: &Files, library: Option<&str>) -> Files {
        let DilatedDevice { packets, hardware, netlist, expected, command, .. } = self;
        package::render(packets, hardware, netlist, of_trace(expected), command, files, library)
    }

    fn command(&self) -> String {
        self.command.clone()
    }

    fn facts(&self) -> Facts {
        facts! {
            "steps": self.expected.steps, "blocked": self.expected.left.len(),
            "fabric_style": style_name(self.style),
        }
    }
}

fn of_trace(trace: &Trace) -> Expected<'_> {
    let Trace { shunts, arrivals, steps, left, .. } = trace;
    Expected { shunts, arrivals, steps: *steps, last_step: trace.last_step(), left }
}
