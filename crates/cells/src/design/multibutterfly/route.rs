//! `D_route`: the network with its sequencer.

use super::Hardware;
use crate::cells::{ColumnWaveSpec, ModuloCounterSpec, PhaseSequencerSpec, RunControlSpec, TurnRingSpec};
use crate::describe::counter_bits;
use crate::netlist::{Expr, Instance, Kind, Module, ModuleId, Net, Of};
use frit_router::multibutterfly::Parameters;

/// What the ports of `D_route` are for.
const PORTS: &[(&str, &str)] = &[
    ("clk_i", "clock, rising edge"),
    ("rst_i", "reset, synchronous, active high"),
    ("start_i", "starts a run; ignored during a run and in the cycle of done_o"),
    ("busy_o", "a run is under way, from the cycle after start_i on"),
    ("done_o", "high for one cycle after the end of a run"),
    ("stuck_o", "messages that cannot move were left when the last run ended"),
    ("cycles_o", "cycles of the last run"),
    ("phases_o", "phases of the last run"),
    ("inject_valid_i", "inject_word_i holds a message for the row"),
    (
        "inject_word_i",
        "destination of the message, most significant bit on top, then its payload; row by row",
    ),
    ("inject_ready_o", "the message is taken in this cycle: no run is under way, and the row has room"),
    ("deliver_valid_o", "deliver_payload_o holds a message that arrives in the row"),
    ("deliver_payload_o", "payload of the message; row by row"),
];

struct Route {
    module: Module,
    clk: Net,
    rst: Net,
}

impl Route {
    fn wire(&mut self, name: &str, width: u32) -> Net {
        self.module.net(Kind::Wires, name, width)
    }

    /// A cell with a clock and a reset.
    fn cell(&self, name: &str, of: Of) -> Instance {
        Instance::new(name, of).input("clk_i", self.clk).input("rst_i", self.rst)
    }

    /// A counter from 0 to `last`: gives whether a step leads back to 0.
    fn counter(&mut self, name: &str, step: Net, last: u64) -> Net {
        let wrap = self.wire(&format!("{name}_end"), 1);
        let counter = self
            .cell(&format!("u_{name}"), Of::cell(ModuloCounterSpec { bits: counter_bits(last), last }))
            .input("step_i", step)
            .unused("count_o")
            .output("wrap_o", wrap);
        self.module.instances.push(counter);
        wrap
    }
}

pub(super) fn module(hardware: &Hardware, fabric: ModuleId) -> Module {
    let what =
        "The network with its sequencer: runs phases until every message has arrived, or no message moves.";
    let mut module = Module::new(format!("{}_route", hardware.design_name()), hardware.header(what));
    let rows = hardware.network().shape().rows();
    let [clk, rst, start] = ["clk_i", "rst_i", "start_i"].map(|name| module.net(Kind::Input, name, 1));
    let status = [("busy", 1), ("done", 1), ("stuck", 1), ("cycles", 32), ("phases", 8)]
        .map(|(name, width)| (name, module.net(Kind::Output, format!("{name}_o"), width)));
    let inject_valid = module.bundle(Kind::Input, "inject_valid_i", rows, 1);
    let inject_word = module.bundle(Kind::Input, "inject_word_i", rows, hardware.word_bits(0));
    let inject_ready = module.bundle(Kind::Output, "inject_ready_o", rows, 1);
    let valid = module.bundle(Kind::Output, "deliver_valid_o", rows, 1);
    let payload = module.bundle(Kind::Output, "deliver_payload_o", rows, hardware.payload());
    let mut route = Route { module, clk, rst };
    let [begin, end, idle, clear, moves, holds] =
        ["begins", "last_phase", "idle", "clear", "moves", "holds"].map(|name| route.wire(name, 1));
    let names = ["unasked", "hear", "decide", "cancel", "weigh", "count", "snap", "transfer", "clean", "set"];
    let steps = names.map(|name| (name, route.wire(name, 1)));
    let step = |wanted: &str| {
        let found = steps.iter().find(|(name, _)| *name == wanted);
        found.expect("it is one of the steps").1
    };
    let wave = route.wire("wave", hardware.columns() + 1);
    let turn = route.wire("turn", hardware.turns());
    let Parameters { requests, moves: rounds, .. } = *hardware.parameters();
    let requests_end = route.counter("requests", step("cancel"), u64::from(requests) - 1);
    let rounds_end = route.counter("rounds", step("clean"), u64::from(rounds) - 1);
    let slots_end = route.counter("slots", step("transfer"), u64::from(hardware.slots()) - 1);
    let turns_end = route.wire("turns_end", 1);
    let mut sequencer = route
        .cell("u_sequencer", Of::cell(PhaseSequencerSpec))
        .input("begin_i", begin)
        .input("end_i", end)
        .input("requests_end_i", requests_end)
        .input("transfers_end_i", turns_end)
        .input("moves_end_i", rounds_end);
    for (name, net) in steps {
        sequencer = sequencer.output(&format!("{name}_o"), net);
    }
    let ring = route
        .cell("u_ring", Of::cell(TurnRingSpec { bits: hardware.turns() }))
        .input("run_i", step("transfer"))
        .input("step_i", slots_end)
        .output("turn_o", turn)
        .output("wrap_o", turns_end);
    let waves = route
        .cell("u_wave", Of::cell(ColumnWaveSpec { bits: hardware.columns() + 1 }))
        .input("begin_i", begin)
        .input("step_i", step("set"))
        .output("wave_o", wave);
    let limit = u64::from(hardware.parameters().most_phases()) - 1;
    let mut control = route
        .cell("u_control", Of::cell(RunControlSpec { limit }))
        .input("start_i", start)
        .input("open_i", step("unasked"))
        .input("set_i", step("set"))
        .input("moves_i", moves)
        .input("holds_i", holds)
        .input("full_i", super::column::bits(wave, hardware.columns(), hardware.columns()))
        .output("begin_o", begin)
        .output("end_o", end)
        .output("idle_o", idle)
        .output("clear_o", clear);
    for (name, net) in status {
        control = control.output(&format!("{name}_o"), net);
    }
    let mut network = Instance::new("u_fabric", Of::Module(fabric))
        .input("clk_i", clk)
        .input("rst_i", Expr::Any(vec![rst.into(), clear.into()]))
        .input("wave_i", super::column::bits(wave, hardware.columns() - 1, 0))
        .input("turn_i", turn)
        .input("idle_i", idle)
        .inputs("inject_valid_i", inject_valid.drive())
        .inputs("inject_word_i", inject_word.drive())
        .outputs("inject_ready_o", inject_ready.driven())
        .outputs("deliver_valid_o", valid.driven())
        .outputs("deliver_payload_o", payload.driven())
        .output("moves_o", moves)
        .output("holds_o", holds);
    if hardware.column(0).asks() {
        network = network.input("begin_i", begin);
    }
    for (name, net) in steps.into_iter().filter(|(name, _)| !["cancel", "transfer"].contains(name)) {
        network = network.input(&format!("{name}_i"), net);
    }
    route.module.instances.extend([control, sequencer, waves, ring, network]);
    route.module.explain(PORTS);
    route.module
}
