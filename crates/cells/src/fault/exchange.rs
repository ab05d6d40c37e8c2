//! Faults of exchanges, in the tops around them too.

use super::{FaultTable, Planted, invert, row, stuck_at};
use crate::cell::Cell;
use crate::cells::{
    CellSpec, DeBruijnSpec, NextBitTableSpec, PassSequencerSpec, RomSpec, RoundDelaySpec, SequencerSpec,
    SwitchSpec,
};
use crate::design::SWITCHES_PER_ROM;
use crate::netlist::{Expr, Instance, Kind, Module, Net, Netlist, Of, Part};
use frit_network::Refusal;
use frit_schedule::Plan;

pub const EXCHANGE: FaultTable<Netlist> = FaultTable {
    core: "an exchange",
    rows: &[
        row(
            "swapped-wire:STAGE",
            "the wires into the upper inputs of switches 0 and 1 of a stage are swapped",
            |netlist, [stage, ..]| swap_wires(netlist, stage),
        ),
        row(
            "inverted-control:STAGE:SWITCH",
            "the control bit of a switch is inverted",
            |netlist, [stage, switch, ..]| {
                for bit in control(netlist, stage, switch)? {
                    invert(bit, 0).ok_or("no net is there")?;
                }
                Ok(())
            },
        ),
        row(
            "late-driver:STAGE",
            "the driver of a stage, or its table of settings, works one cycle late (not with labels)",
            |netlist, [stage, ..]| Ok(late_driver(netlist, stage).ok_or("no such driver")?),
        ),
        row(
            "dropped-valid:STAGE:SWITCH",
            "the valid bit into the upper input of a switch is lost",
            |netlist, [stage, switch, ..]| {
                *switch_input(netlist, stage, switch, "valid0_i").ok_or("no such switch")? =
                    Expr::constant(0, 1);
                Ok(())
            },
        ),
        row(
            "wrong-label-bit:TERMINAL:STAGE",
            "the bit of a terminal's label that a stage sees is wrong (labels only)",
            |netlist, [terminal, stage, ..]| label_bit(exchange(netlist)?, terminal, stage, None),
        ),
        row("off-by-one-counter", "the sequencer runs one round too few", |netlist, _| {
            one_round_less(exchange(netlist)?)
        }),
        row(
            "stuck-switch:STAGE:SWITCH:0|1",
            "a switch stays straight (0) or crossed (1)",
            |netlist, [stage, switch, state, _]| {
                let bits = control(netlist, stage, switch)?;
                let state = stuck_at(state)?;
                bits.into_iter().for_each(|bit| *bit = state.clone());
                Ok(())
            },
        ),
        row(
            "broken-link:STAGE:PORT",
            "the wire into a port of a stage carries no message: its valid bit and its word are 0",
            |netlist, [stage, port, ..]| {
                for name in ["valid", "data"] {
                    let name = format!("{name}{}_i", port % 2);
                    let fabric = netlist.module_mut("fabric").ok_or("no fabric")?;
                    let widths: Vec<u32> = fabric.signals.iter().map(|signal| signal.width).collect();
                    let input = fabric
                        .instance_mut(&format!("u_s{stage}_{}", port / 2))
                        .and_then(|switch| switch.input_mut(&name)?.first_mut())
                        .ok_or("no such 2x2 switch")?;
                    let wire = input.as_net().ok_or("no wire is there")?;
                    *input = Expr::constant(0, widths[wire.signal.index()]);
                }
                Ok(())
            },
        ),
        row(
            "stuck-driver:STAGE:0|1",
            "the bit that sets a whole stage keeps one value (stage control only)",
            |netlist, [stage, value, ..]| stuck_driver(exchange(netlist)?, stage, value),
        ),
        row(
            "stuck-label:TERMINAL:STAGE:0|1",
            "the bit of a terminal's label that a stage sees keeps one value (labels only)",
            |netlist, [terminal, stage, value, _]| {
                if value > 1 {
                    return Err("a bit is 0 or 1".into());
                }
                label_bit(exchange(netlist)?, terminal, stage, Some(value))
            },
        ),
        row(
            "stuck-select:STAGE:SWITCH",
            "the number that selects the word of the upper output of a switch is always 0 (4x4 switches only)",
            |netlist, [stage, switch, ..]| {
                let fabric = netlist.module_mut("fabric").ok_or("no fabric")?;
                let register = fabric.instance_mut(&format!("u_s{stage}_select_{}", 2 * switch));
                *register
                    .and_then(|register| register.input_mut("ahead_i"))
                    .ok_or("no 4x4 switch ends there")? = vec![Expr::constant(0, 2)];
                Ok(())
            },
        ),
        row(
            "flipped-bit:BIT",
            "a bit of the de Bruijn sequence is wrong (optical butterfly only)",
            |netlist, [bit, ..]| Ok(flip_sequence_bit(exchange(netlist)?, bit)?),
        ),
        row(
            "stuck-again",
            "the inputs never take the words that come back for their second pass (networks that are passed twice only)",
            |netlist, _| {
                let exchange = exchange(netlist)?;
                for instance in ["u_fabric", "u_labels"] {
                    let again =
                        exchange.instance_mut(instance).and_then(|instance| instance.input_mut("again_i"));
                    *again.ok_or("no network is passed twice")? = vec![Expr::constant(0, 1)];
                }
                Ok(())
            },
        ),
        row(
            "wrong-complement:TERMINAL",
            "a processor asks on its second output for the destination of its first (optical butterfly only)",
            |netlist, [terminal, ..]| {
                Ok(wrong_complement(exchange(netlist)?, terminal).ok_or("no such processor")?)
            },
        ),
        row(
            "flipped-setting:STAGE:SWITCH:ROUND",
            "a bit in the table of a stage is wrong (stored settings only)",
            |netlist, [stage, switch, round, _]| {
                let exchange = exchange(netlist)?;
                let (rom, bit) = setting_rom(exchange, stage, switch).ok_or("no such table")?;
                Ok(flip_rom_bit(exchange, &rom, round, bit).ok_or("no such switch or round")?)
            },
        ),
        row(
            "wrong-destination:LANE:ROUND",
            "the lowest bit of an entry in a terminal's table of destinations is wrong (stored schedules only)",
            |netlist, [lane, round, ..]| {
                let table = format!("u_dest_{lane}_rom");
                Ok(flip_rom_bit(exchange(netlist)?, &table, round, 0).ok_or("no such table or round")?)
            },
        ),
    ],
};

/// Plants what the hardware of a plan is verified with: the stuck switches that the plan goes round, and the fault that a user names, if any.
///
/// # Errors
/// If one has no place in the netlist.
pub fn plant(netlist: &mut Netlist, plan: &Plan, fault: Option<&str>) -> Result<(), Refusal> {
    EXCHANGE.plant_stuck(netlist, &plan.stuck)?;
    fault.map_or(Ok(()), |fault| EXCHANGE.plant(netlist, fault))
}

/// How many numbers an argument of these faults has in the exchange of a plan.
pub fn count(plan: &Plan, argument: &str) -> u32 {
    match argument {
        "STAGE" => plan.hops().max(plan.network.stages()),
        "SWITCH" => plan.network.switches_per_stage(),
        "ROUND" => plan.rounds,
        "LANE" | "PORT" => plan.network.lanes(),
        "0|1" => 2,
        _ => plan.network.terminals(),
    }
}

fn exchange(netlist: &mut Netlist) -> Result<&mut Module, &'static str> {
    netlist.module_mut("exchange").ok_or("no exchange")
}

fn swap_wires(netlist: &mut Netlist, stage: u32) -> Planted {
    for port in ["valid0_i", "data0_i"] {
        let mut input = |switch| switch_input(netlist, stage, switch, port).ok_or("no such stage").cloned();
        let inputs = [input(1)?, input(0)?];
        for (switch, other) in (0..).zip(inputs) {
            *switch_input(netlist, stage, switch, port).ok_or("no such stage")? = other;
        }
    }
    Ok(())
}

/// Puts a value in the place of a bit of a label, or inverts it.
fn label_bit(exchange: &mut Module, terminal: u32, stage: u32, value: Option<u32>) -> Planted {
    let widths: Vec<u32> = exchange.signals.iter().map(|signal| signal.width).collect();
    let labels = exchange.instance_mut("u_labels").and_then(|instance| instance.input_mut("label_i"));
    let labels = labels.ok_or("its switches are not set by labels")?;
    let label = labels.get_mut(terminal as usize).ok_or("no such terminal")?;
    Ok(set_bit(label, stage, value, |net| widths[net.signal.index()]).ok_or("no such stage")?)
}

/// One bit for all switches of the stage, or one for the even and one for the odd.
fn stuck_driver(exchange: &mut Module, stage: u32, value: u32) -> Planted {
    if value > 1 {
        return Err("a bit is 0 or 1".into());
    }
    if setting_rom(exchange, stage, 0).is_some() {
        return Err("its settings are stored".into());
    }
    let fabric = exchange.instance_mut("u_fabric").ok_or("no fabric")?;
    let mut found = false;
    for port in ["stage_i", "stage_odd_i"] {
        if let Some(bit) = fabric.input_mut(port).and_then(|bits| bits.get_mut(stage as usize)) {
            *bit = Expr::constant(value.into(), 1);
            found = true;
        }
    }
    Ok(found.then_some(()).ok_or("no such driver")?)
}

fn one_round_less(exchange: &mut Module) -> Planted {
    match exchange.instance_mut("u_sequencer").map(|instance| &mut instance.of) {
        Some(Of::Cell(
            CellSpec::Sequencer(SequencerSpec { last, .. })
            | CellSpec::PassSequencer(PassSequencerSpec { last, .. }),
        )) => *last -= 1,
        _ => return Err("no sequencer".into()),
    }
    // Counts that would begin again by themselves do so with the last round.
    for (counter, told) in [("u_rounds", "sending_last"), ("u_arrivals", "done_o")] {
        let told = exchange.find(told).map(|signal| Net { signal, lane: 0 });
        let last = exchange.instance_mut(counter).and_then(|counter| counter.input_mut("last_i"));
        if let (Some(told), Some(last)) = (told, last) {
            *last = vec![told.into()];
        }
    }
    Ok(())
}

/// The bits that set a switch: one, or one for each half of a wide switch.
fn control(netlist: &mut Netlist, stage: u32, switch: u32) -> Result<Vec<&mut Expr>, &'static str> {
    const PORTS: [&str; 4] = ["state_i", "control_i", "lower_i", "upper_i"];
    let fabric = netlist.module_mut("fabric").ok_or("no fabric")?;
    let instance = fabric.instance_mut(&format!("u_s{stage}_{switch}")).ok_or("no such switch")?;
    let inputs = instance.inputs.iter_mut().filter(|(name, _)| PORTS.contains(&name.as_str()));
    Ok(inputs.filter_map(|(_, bits)| bits.first_mut()).collect())
}

/// The ROM that holds the settings of a switch, and the bit in its words.
fn setting_rom(exchange: &mut Module, stage: u32, switch: u32) -> Option<(String, u32)> {
    let first = switch - switch % SWITCHES_PER_ROM;
    let names = [format!("u_state_{stage}_rom"), format!("u_state_{stage}_{first}_rom")];
    let name = names.into_iter().find(|name| exchange.instance_mut(name).is_some())?;
    Some((name, switch - first))
}

fn flip_rom_bit(exchange: &mut Module, rom: &str, round: u32, bit: u32) -> Option<()> {
    match &mut exchange.instance_mut(rom)?.of {
        Of::Cell(CellSpec::Rom(RomSpec { width, words, .. })) if bit < *width => {
            *words.get_mut(round as usize)? ^= 1 << bit;
            Some(())
        }
        _ => None,
    }
}

/// Puts a next-bit table with one wrong entry in the place of the rules of the sending controller and of the routing word beside it.
fn flip_sequence_bit(exchange: &mut Module, bit: u32) -> Result<(), &'static str> {
    const NO_CONTROLLER: &str = "it has no de Bruijn controller";
    const RULES: [&str; 2] = ["u_send_rule", "u_send_word_rule"];
    let start = match exchange.instance_mut("u_send_controller").map(|instance| &instance.of) {
        Some(Of::Cell(CellSpec::DeBruijn(DeBruijnSpec { start, .. }))) => *start,
        _ => return Err(NO_CONTROLLER),
    };
    let Some(rule) = exchange.instance_mut(RULES[0]) else { return Err(NO_CONTROLLER) };
    let Of::Cell(spec) = &rule.of else { return Err(NO_CONTROLLER) };
    let (mut cell, order) = (spec.prototype(), spec.ports()[0].width);
    let mut table: Vec<bool> = (0..1u64 << order)
        .map(|state| {
            cell.drive(0, state);
            settle(&mut *cell);
            cell.read(1) != 0
        })
        .collect();
    let Some(steps) = bit.checked_sub(order).filter(|steps| (*steps as usize) < table.len()) else {
        return Err("the bit is one of the first, which no rule makes, or after the last");
    };
    let step = |state: u64| (state << 1 | table[state as usize] as u64) & ((1 << order) - 1);
    let state = (0..steps).fold(start, |state, _| step(state)) as usize;
    table[state] = !table[state];
    let flipped = NextBitTableSpec { order, sequence: "flipped".into(), table };
    for name in RULES {
        exchange.instance_mut(name).ok_or(NO_CONTROLLER)?.of = Of::cell(flipped.clone());
    }
    Ok(())
}

/// Lets a combinational cell settle.
fn settle(cell: &mut dyn Cell) {
    cell.update_all();
    while cell.has_changed() {
        cell.update_all();
    }
}

fn wrong_complement(exchange: &mut Module, terminal: u32) -> Option<()> {
    let instance = exchange.instance_mut(&format!("u_terminal_{terminal}"))?;
    let up = instance.outputs.iter().find(|(port, _)| port == "up_dest_o")?.1[0]?;
    let (_, down) = instance.outputs.iter_mut().find(|(port, _)| port == "down_dest_o")?;
    let net = down[0].take()?;
    exchange.assigns.push((net, up.into()));
    Some(())
}

/// An upper input of a switch, `valid0_i` or `data0_i`; of a 4×4 switch that has the switch in its first stage, the input with which it is the same.
fn switch_input<'a>(netlist: &'a mut Netlist, stage: u32, switch: u32, port: &str) -> Option<&'a mut Expr> {
    let fabric = netlist.module_mut("fabric")?;
    let whole = format!("u_s{stage}_{switch}");
    let of_quad = |name: &str| -> Option<u32> {
        let (one, other) = name.strip_prefix(&format!("u_s{stage}_"))?.split_once('_')?;
        [one, other].iter().position(|part| part.parse() == Ok(switch)).map(|at| 2 * at as u32)
    };
    let is_quad = |instance: &Instance| matches!(instance.of, Of::Cell(CellSpec::Switch4(_)));
    let quad = fabric.instances.iter().filter(|instance| is_quad(instance));
    let found = quad.filter_map(|quad| Some((quad.name.clone(), of_quad(&quad.name)?))).next();
    let (name, input) = found.unwrap_or((whole, 0));
    let port = port.replace('0', &input.to_string());
    fabric.instance_mut(&name)?.input_mut(&port)?.first_mut()
}

/// Sets or inverts the bit of a label that `stage` sees: the label's bits, the first stage's first, are split over its parts.
fn set_bit(label: &mut Expr, stage: u32, value: Option<u32>, width: impl Fn(Net) -> u32) -> Option<()> {
    let Expr::Concat(parts) = label else { return None };
    let mut single = Vec::new();
    for part in &*parts {
        let Part::Net { net, bits, invert: false } = part else { return None };
        let (high, low) = bits.unwrap_or((width(*net) - 1, 0));
        for bit in (low..=high).rev() {
            let here = single.len() == stage as usize;
            single.push(match value {
                Some(value) if here => Part::Const { value: value.into(), bits: 1 },
                _ => Part::Net { net: *net, bits: Some((bit, bit)), invert: here },
            });
        }
    }
    *parts = single;
    ((stage as usize) < parts.len()).then_some(())
}

/// Puts registers between a stage's driver and the fabric: a switch that is always straight. Its second lane takes the
/// control bit of the odd switches, where those have one of their own.
fn late_driver(netlist: &mut Netlist, stage: u32) -> Option<()> {
    let exchange = netlist.module_mut("exchange")?;
    let (clk, rst) = (exchange.find("clk_i")?, exchange.find("rst_i")?);
    let net = |signal| Net { signal, lane: 0 };
    if setting_rom(exchange, stage, 0).is_some() {
        return late_table(exchange, stage, net(clk), net(rst));
    }
    let off = || Expr::constant(0, 1);
    let mut late = Instance::new("u_late", Of::cell(SwitchSpec { width: 1 }))
        .input("clk_i", net(clk))
        .input("rst_i", net(rst))
        .input("state_i", off())
        .input("valid0_i", off())
        .input("valid1_i", off())
        .unused("valid0_o")
        .unused("valid1_o");
    for (port, name, data_i, data_o) in
        [("stage_i", "late", "data0_i", "data0_o"), ("stage_odd_i", "late_odd", "data1_i", "data1_o")]
    {
        // One bit for all switches, or one per stage.
        let shared = exchange.instance_mut("u_fabric")?.input_mut("control_i").is_some();
        let port = if shared && port == "stage_i" { "control_i" } else { port };
        let has_port = exchange.instance_mut("u_fabric")?.input_mut(port).is_some();
        if !has_port {
            if port == "stage_i" {
                return None;
            }
            late = late.input(data_i, off()).unused(data_o);
            continue;
        }
        let delayed = exchange.net(Kind::Wires, name, 1);
        let driven = exchange.instance_mut("u_fabric")?.input_mut(port)?.get_mut(stage as usize)?;
        let on_time = std::mem::replace(driven, delayed.into());
        late = late.input(data_i, on_time).output(data_o, delayed);
    }
    exchange.instances.push(late);
    Some(())
}

/// Puts one round register too many before the tables of a stage.
fn late_table(exchange: &mut Module, stage: u32, clk: Net, rst: Net) -> Option<()> {
    let (first, _) = setting_rom(exchange, stage, 0)?;
    let round = exchange.instance_mut(&first)?.input_mut("round_i")?.first()?.clone();
    let bits = exchange.signal(round.as_net()?.signal).width;
    let late = exchange.net(Kind::Wires, "late", bits);
    let tables = format!("u_state_{stage}_");
    for rom in exchange.instances.iter_mut().filter(|instance| instance.name.starts_with(&tables)) {
        *rom.input_mut("round_i")? = vec![late.into()];
    }
    exchange.instances.push(
        Instance::new("u_late", Of::cell(RoundDelaySpec { bits }))
            .input("clk_i", clk)
            .input("rst_i", rst)
            .input("round_i", round)
            .output("round_o", late),
    );
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design;
    use frit_schedule::{Request, plan};

    #[test]
    fn a_fault_without_a_place_is_refused() {
        let mut netlist = design::build(&plan(&Request::new("rls", 8)).unwrap(), 8);
        let error = |n: &mut Netlist, text: &str| EXCHANGE.plant(n, text).unwrap_err().to_string();
        assert!(error(&mut netlist, "late-driver:1").contains("no such driver"));
        assert!(error(&mut netlist, "dropped-valid:9:0").contains("no such switch"));
        assert!(error(&mut netlist, "stuck-switch:1:0:2").contains("straight (0) or crossed (1)"));
        let mut gsen = design::build(&plan(&Request::new("gsen", 6)).unwrap(), 8);
        assert!(error(&mut gsen, "wrong-label-bit:0:0").contains("not set by labels"));
        assert!(error(&mut gsen, "flipped-setting:0:0:0").contains("no such table"));
        let mut benes = design::build(&plan(&Request::new("benes", 8)).unwrap(), 8);
        assert!(error(&mut benes, "flipped-setting:0:4:0").contains("no such switch or round"));
        assert!(error(&mut benes, "flipped-setting:0:3:8").contains("no such switch or round"));
        assert!(error(&mut benes, "wrong-destination:8:0").contains("no such table or round"));
        assert!(error(&mut benes, "late-driver:5").contains("no such driver"));
    }

    /// Those of a stage stand for each other: every fault that is listed has a place.
    #[test]
    fn every_fault_that_is_listed_has_a_place() {
        let request = Request::new;
        for (request, forms) in [
            (request("rls", 8), 8),
            (request("gsen", 6), 8),
            (request("obf", 8), 9),
            (request("benes", 8), 9),
            (request("benes", 8).with("radix", "4"), 10),
            (request("benes", 16).with("radix", "4"), 9),
            (request("rls-folded", 8), 9),
            (request("rls-flattened", 8), 9),
        ] {
            let (plan, system) = (plan(&request).unwrap(), request.system);
            let netlist = design::build(&plan, 8);
            let mut with = 0;
            for word in EXCHANGE.words() {
                let mut all = EXCHANGE.all(word, &netlist, |argument| count(&plan, argument));
                with += usize::from(!all.is_empty());
                for fault in &all {
                    assert_eq!(EXCHANGE.find(fault).unwrap().word(), word);
                    let planted = EXCHANGE.plant(&mut netlist.clone(), fault);
                    planted.unwrap_or_else(|error| panic!("{system}: {error}"));
                }
                let listed = all.len();
                all.sort();
                all.dedup();
                assert_eq!(all.len(), listed);
            }
            assert_eq!(with, forms, "{system}");
        }
    }

    #[test]
    fn a_small_design_has_as_many_as_can_be_counted() {
        let plan = plan(&Request::new("rls", 4)).unwrap(); // 3 stages of 2 switches
        let netlist = design::build(&plan, 8);
        let all = |word: &str| EXCHANGE.all(word, &netlist, |argument| count(&plan, argument));
        let words = ["stuck-switch", "swapped-wire", "wrong-label-bit", "late-driver", "no-such-form"];
        assert_eq!(words.map(|word| all(word).len()), [12, 3, 12, 0, 0]);
        // Those of a stage stand side by side.
        assert_eq!(all("wrong-label-bit")[..2], ["wrong-label-bit:0:0", "wrong-label-bit:1:0"]);
    }
}
