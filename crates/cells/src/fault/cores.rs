//! Faults of the cores around a network whose settings are written while it works.

use super::{FaultTable, Numbers, Planted, invert, row, stuck_at};
use crate::netlist::{Expr, Instance, Module, Net, Netlist, Part};

/// What an input of an instance becomes.
#[derive(Clone, Copy)]
pub enum Change {
    /// A part of its expression is inverted, part 0 the most significant.
    Invert(usize),
    /// It is this bit.
    Constant(u64),
    /// It is this signal of the module.
    Signal(&'static str),
    /// This bit of it is 0.
    Clear(u32),
}

use Change::{Clear, Constant, Invert, Signal};

pub const CROSSBAR: FaultTable<Netlist> = FaultTable {
    core: "a crossbar",
    rows: &[
        row(
            "setting:STAGE",
            "the settings of a stage are inverted for the words, and not for the way back",
            |netlist, [stage, ..]| invert_settings(top(netlist), stage),
        ),
        row("room", "inputs take words whether or not there is room", |netlist, _| {
            change(top(netlist), "u_output_", "room_i", Constant(1))
        }),
        row("early", "the settings change at once, while words are in the network", |netlist, _| {
            change(top(netlist), "u_state_", "step_i", Signal("close"))
        }),
        row("number", "inputs do not compare bit 1 of the number that they hear", |netlist, _| {
            change(top(netlist), "u_input_", "check_i", Clear(1))
        }),
        row("close", "a commit does not close the inputs", |netlist, _| {
            change(top(netlist), "u_input_", "close_i", Constant(0))
        }),
    ],
};

/// The switch of a network that is loaded is stuck.
fn stick(module: &mut Module, [stage, switch, state, _]: Numbers) -> Planted {
    let state = stuck_at(state)?;
    let name = format!("u_switch_{stage}_{switch}");
    let state_of = module.instance_mut(&name).and_then(|instance| instance.input_mut("state_i"));
    *state_of.ok_or("there is no such switch of two lanes")? = vec![state];
    Ok(())
}

pub const LOADED: FaultTable<Netlist> = FaultTable {
    core: "a loaded schedule",
    rows: &[
        row(
            "stuck-switch:STAGE:SWITCH:0|1",
            "a switch stays straight (0) or crossed (1)",
            |netlist, numbers| stick(top(netlist), numbers),
        ),
        row("setting:STAGE", "the settings of a stage are inverted", |netlist, [stage, ..]| {
            invert_settings(top(netlist), stage)
        }),
        row("bank", "the bank that is being loaded runs", |netlist, _| {
            change(top(netlist), "u_memory_", "read_address_i", Invert(0))
        }),
        row("run", "run lengths are inverted", |netlist, _| {
            change(top(netlist), "u_fetch", "run_i", Invert(0))
        }),
        row("entry", "the numbers of entries are inverted when they are written", |netlist, _| {
            change(top(netlist), "u_memory_", "write_address_i", Invert(1))
        }),
        row(
            "label",
            "terminals take only words whose destination has all bits of their number inverted",
            |netlist, _| change(top(netlist), "u_sink_", "dest_i", Invert(0)),
        ),
    ],
};

pub const MESSAGES: FaultTable<Netlist> = FaultTable {
    core: "messages around a loaded schedule",
    rows: &[
        row(
            "stuck-switch:STAGE:SWITCH:0|1",
            "a switch stays straight (0) or crossed (1)",
            |netlist, numbers| stick(core_of(netlist), numbers),
        ),
        row("setting:STAGE", "the settings of a stage are inverted", |netlist, [stage, ..]| {
            invert_settings(core_of(netlist), stage)
        }),
        row("bank", "rounds read the bank that is loaded", |netlist, _| {
            change(top(netlist), "u_messages_", "read_address_i", Invert(0))
        }),
        row("place", "words that arrive are stored at a place whose number is inverted", |netlist, _| {
            change(top(netlist), "u_words_", "write_address_i", Invert(2))
        }),
        row(
            "last",
            "outputs take the last word of a message for another one, and another one for the last",
            |netlist, _| change(top(netlist), "u_output_", "ends_i", Invert(0)),
        ),
        row("room", "exchanges start while messages that have arrived are in their bank", |netlist, _| {
            change(top(netlist), "u_control", "even_i", Constant(0))
        }),
        row("source", "the sources of messages that leave are inverted", |netlist, _| {
            change(top(netlist), "u_output_", "source_i", Invert(0))
        }),
    ],
};

pub fn top(netlist: &mut Netlist) -> &mut Module {
    netlist.modules.last_mut().expect("a netlist has modules")
}

/// The core that the top instantiates, which has the network.
fn core_of(netlist: &mut Netlist) -> &mut Module {
    let core = netlist.modules.len() - 2;
    &mut netlist.modules[core]
}

/// Inverts what sets the switches of a stage.
fn invert_settings(module: &mut Module, stage: u32) -> Planted {
    let stage_of =
        |instance: &Instance| instance.name.strip_prefix("u_switch_")?.split('_').next()?.parse().ok();
    let last: u32 = module.instances.iter().filter_map(stage_of).max().ok_or("it has no switches")?;
    if stage > last {
        return Err(format!("the stages are 0 to {last}"));
    }
    change(module, &format!("u_switch_{stage}_"), "state_i", Invert(0))
}

/// Changes an input of all instances whose names begin so.
pub fn change(module: &mut Module, instances: &str, port: &str, change: Change) -> Planted {
    let named = |at: &usize| module.instances[*at].name.starts_with(instances);
    let places: Vec<usize> = (0..module.instances.len()).filter(named).collect();
    if places.is_empty() {
        return Err(format!("nothing is called {instances}"));
    }
    for at in places {
        let before = module.instances[at].input_mut(port).ok_or("no such input")?[0].clone();
        let after = change.of(before, module).ok_or("no net is there")?;
        module.instances[at].input_mut(port).ok_or("no such input")?[0] = after;
    }
    Ok(())
}

impl Change {
    fn of(self, mut before: Expr, module: &Module) -> Option<Expr> {
        Some(match self {
            Invert(part) => {
                invert(&mut before, part)?;
                before
            }
            Constant(value) => Expr::constant(value, 1),
            Signal(name) => Net { signal: module.find(name)?, lane: 0 }.into(),
            Clear(bit) => {
                let net = before.as_net()?;
                let bits = |high, low| Part::Net { net, bits: Some((high, low)), invert: false };
                let top = module.signal(net.signal).width - 1;
                Expr::Concat(vec![bits(top, bit + 1), Part::Const { value: 0, bits: 1 }, bits(bit - 1, 0)])
            }
        })
    }
}
