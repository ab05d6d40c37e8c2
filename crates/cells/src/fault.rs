//! Deliberate faults: changes of a netlist that the checks must find.
//!
//! The same changed netlist is simulated by rust-hdl and printed as Verilog, so each fault is put into both.

mod places;
pub mod rows;

use crate::cell::Cell;
use crate::cells::{
    CellSpec, DeBruijnSpec, NextBitTableSpec, PassSequencerSpec, RomSpec, RoundDelaySpec, SequencerSpec,
    SwitchSpec,
};
use crate::design::SWITCHES_PER_ROM;
use crate::netlist::{Expr, Instance, Kind, Module, Net, Netlist, Of, Part};
use frit_network::{LaneIdx, RoundIdx, TerminalIdx};
use std::str::FromStr;

/// A deliberate fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlantedFault {
    /// The wires into the upper inputs of switches 0 and 1 of a stage are swapped.
    SwappedWire { stage: u32 },
    /// The control bit of a switch is inverted.
    InvertedControl { stage: u32, switch: u32 },
    /// The driver of a stage, or its table of settings, works one cycle late (not with labels).
    LateDriver { stage: u32 },
    /// The valid bit into the upper input of a switch is lost.
    DroppedValid { stage: u32, switch: u32 },
    /// A bit in the table of a stage is wrong (stored settings only).
    FlippedSetting { stage: u32, switch: u32, round: RoundIdx },
    /// The lowest bit of an entry in a terminal's table of destinations is wrong (stored schedules only).
    WrongDestination { lane: LaneIdx, round: RoundIdx },
    /// A bit of the label of a terminal is wrong (labels only); bit 0 is the first stage's.
    WrongLabelBit {
        terminal: TerminalIdx,
        /// The stage whose bit is wrong.
        stage: u32,
    },
    /// The sequencer runs one round too few.
    OffByOneCounter,
    /// A switch stays as it is.
    StuckSwitch {
        stage: u32,
        switch: u32,
        /// Stuck at cross (invert), not at straight (push).
        cross: bool,
    },
    /// A bit of the de Bruijn sequence is wrong (optical butterfly only).
    FlippedBit {
        /// The bit, at least as many as the order of the sequence.
        bit: u32,
    },
    /// The inputs never take what comes back for its second pass (networks that are passed twice only).
    StuckAgain,
    /// A processor asks on `out_down` for the destination of `out_up` (optical butterfly only).
    WrongComplement { terminal: TerminalIdx },
}

/// Why a fault cannot be put into a netlist, or is not one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultError {
    #[error("{given:?} is not a fault; the faults are {}", PlantedFault::FORMS.join(", "))]
    Unknown { given: String },
    #[error("this design has no place for {fault}: {why}")]
    NoPlace { fault: PlantedFault, why: String },
}

impl PlantedFault {
    /// How faults are written.
    pub const FORMS: [&str; 12] = [
        "swapped-wire:STAGE",
        "inverted-control:STAGE:SWITCH",
        "late-driver:STAGE",
        "dropped-valid:STAGE:SWITCH",
        "wrong-label-bit:TERMINAL:STAGE",
        "off-by-one-counter",
        "stuck-switch:STAGE:SWITCH:0|1",
        "flipped-bit:BIT",
        "stuck-again",
        "wrong-complement:TERMINAL",
        "flipped-setting:STAGE:SWITCH:ROUND",
        "wrong-destination:LANE:ROUND",
    ];
}

impl std::fmt::Display for PlantedFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PlantedFault::SwappedWire { stage } => write!(f, "swapped-wire:{stage}"),
            PlantedFault::InvertedControl { stage, switch } => write!(f, "inverted-control:{stage}:{switch}"),
            PlantedFault::LateDriver { stage } => write!(f, "late-driver:{stage}"),
            PlantedFault::DroppedValid { stage, switch } => write!(f, "dropped-valid:{stage}:{switch}"),
            PlantedFault::WrongLabelBit { terminal, stage } => {
                write!(f, "wrong-label-bit:{terminal}:{stage}")
            }
            PlantedFault::OffByOneCounter => write!(f, "off-by-one-counter"),
            PlantedFault::StuckSwitch { stage, switch, cross } => {
                write!(f, "stuck-switch:{stage}:{switch}:{}", *cross as u8)
            }
            PlantedFault::FlippedBit { bit } => write!(f, "flipped-bit:{bit}"),
            PlantedFault::StuckAgain => write!(f, "stuck-again"),
            PlantedFault::WrongComplement { terminal } => write!(f, "wrong-complement:{terminal}"),
            PlantedFault::FlippedSetting { stage, switch, round } => {
                write!(f, "flipped-setting:{stage}:{switch}:{round}")
            }
            PlantedFault::WrongDestination { lane, round } => write!(f, "wrong-destination:{lane}:{round}"),
        }
    }
}

impl FromStr for PlantedFault {
    type Err = FaultError;

    fn from_str(text: &str) -> Result<Self, FaultError> {
        let unknown = || FaultError::Unknown { given: text.into() };
        let mut words = text.split(':');
        let name = words.next().unwrap_or_default();
        let numbers: Vec<u32> = words.map(str::parse).collect::<Result<_, _>>().map_err(|_| unknown())?;
        Ok(match (name, numbers.as_slice()) {
            ("swapped-wire", &[stage]) => PlantedFault::SwappedWire { stage },
            ("inverted-control", &[stage, switch]) => PlantedFault::InvertedControl { stage, switch },
            ("late-driver", &[stage]) => PlantedFault::LateDriver { stage },
            ("dropped-valid", &[stage, switch]) => PlantedFault::DroppedValid { stage, switch },
            ("wrong-label-bit", &[terminal, stage]) => {
                PlantedFault::WrongLabelBit { terminal: TerminalIdx(terminal), stage }
            }
            ("off-by-one-counter", &[]) => PlantedFault::OffByOneCounter,
            ("stuck-switch", &[stage, switch, state @ 0..=1]) => {
                PlantedFault::StuckSwitch { stage, switch, cross: state == 1 }
            }
            ("flipped-bit", &[bit]) => PlantedFault::FlippedBit { bit },
            ("stuck-again", &[]) => PlantedFault::StuckAgain,
            ("wrong-complement", &[terminal]) => {
                PlantedFault::WrongComplement { terminal: TerminalIdx(terminal) }
            }
            ("flipped-setting", &[stage, switch, round]) => {
                PlantedFault::FlippedSetting { stage, switch, round: RoundIdx(round) }
            }
            ("wrong-destination", &[lane, round]) => {
                PlantedFault::WrongDestination { lane: LaneIdx(lane), round: RoundIdx(round) }
            }
            _ => return Err(unknown()),
        })
    }
}

/// Puts a fault into a netlist.
pub fn inject(netlist: &mut Netlist, fault: PlantedFault) -> Result<(), FaultError> {
    let none = |why: &str| FaultError::NoPlace { fault, why: why.into() };
    match fault {
        PlantedFault::SwappedWire { stage } => {
            for port in ["valid0_i", "data0_i"] {
                let a = switch_input(netlist, stage, 0, port).ok_or_else(|| none("no such stage"))?.clone();
                let b = switch_input(netlist, stage, 1, port).ok_or_else(|| none("no such stage"))?;
                let b = std::mem::replace(b, a);
                if let Some(slot) = switch_input(netlist, stage, 0, port) {
                    *slot = b;
                }
            }
        }
        PlantedFault::InvertedControl { stage, switch } => {
            let bits = control(netlist, stage, switch).ok_or_else(|| none("no such switch"))?;
            for bit in bits {
                invert(bit, 0);
            }
        }
        PlantedFault::LateDriver { stage } => {
            late_driver(netlist, stage).ok_or_else(|| none("no such driver"))?
        }
        PlantedFault::DroppedValid { stage, switch } => {
            let expr =
                switch_input(netlist, stage, switch, "valid0_i").ok_or_else(|| none("no such switch"))?;
            *expr = Expr::constant(0, 1);
        }
        PlantedFault::WrongLabelBit { terminal, stage } => {
            let exchange = netlist.module_mut("exchange").ok_or_else(|| none("no exchange"))?;
            let widths: Vec<u32> = exchange.signals.iter().map(|signal| signal.width).collect();
            let width = |net: Net| widths[net.signal.index()];
            let labels = exchange
                .instance_mut("u_labels")
                .and_then(|instance| instance.input_mut("label_i"))
                .ok_or_else(|| none("its switches are not set by labels"))?;
            let label = labels.get_mut(terminal.idx()).ok_or_else(|| none("no such terminal"))?;
            flip_bit(label, stage, width).ok_or_else(|| none("no such stage"))?;
        }
        PlantedFault::OffByOneCounter => {
            let exchange = netlist.module_mut("exchange").ok_or_else(|| none("no exchange"))?;
            let of = exchange.instance_mut("u_sequencer").map(|instance| &mut instance.of);
            match of {
                Some(Of::Cell(
                    CellSpec::Sequencer(SequencerSpec { last, .. })
                    | CellSpec::PassSequencer(PassSequencerSpec { last, .. }),
                )) => *last -= 1,
                _ => return Err(none("no sequencer")),
            }
            // Counts that would begin again by themselves do so with the last round.
            for (counter, told) in [("u_rounds", "sending_last"), ("u_arrivals", "done_o")] {
                let told = exchange.find(told).map(|signal| Net { signal, lane: 0 });
                let last = exchange.instance_mut(counter).and_then(|counter| counter.input_mut("last_i"));
                if let (Some(told), Some(last)) = (told, last) {
                    *last = vec![told.into()];
                }
            }
        }
        PlantedFault::StuckSwitch { stage, switch, cross } => {
            let bits = control(netlist, stage, switch).ok_or_else(|| none("no such switch"))?;
            bits.into_iter().for_each(|bit| *bit = Expr::constant(cross as u64, 1));
        }
        PlantedFault::FlippedBit { bit } => {
            let exchange = netlist.module_mut("exchange").ok_or_else(|| none("no exchange"))?;
            flip_sequence_bit(exchange, bit).map_err(none)?;
        }
        PlantedFault::FlippedSetting { stage, switch, round } => {
            let exchange = netlist.module_mut("exchange").ok_or_else(|| none("no exchange"))?;
            let (rom, bit) = setting_rom(exchange, stage, switch).ok_or_else(|| none("no such table"))?;
            flip_rom_bit(exchange, &rom, round, bit).ok_or_else(|| none("no such switch or round"))?;
        }
        PlantedFault::WrongDestination { lane, round } => {
            let exchange = netlist.module_mut("exchange").ok_or_else(|| none("no exchange"))?;
            flip_rom_bit(exchange, &format!("u_dest_{lane}_rom"), round, 0)
                .ok_or_else(|| none("no such table or round"))?;
        }
        PlantedFault::StuckAgain => {
            let exchange = netlist.module_mut("exchange").ok_or_else(|| none("no exchange"))?;
            for instance in ["u_fabric", "u_labels"] {
                let again =
                    exchange.instance_mut(instance).and_then(|instance| instance.input_mut("again_i"));
                *again.ok_or_else(|| none("no network is passed twice"))? = vec![Expr::constant(0, 1)];
            }
        }
        PlantedFault::WrongComplement { terminal } => {
            let exchange = netlist.module_mut("exchange").ok_or_else(|| none("no exchange"))?;
            wrong_complement(exchange, terminal).ok_or_else(|| none("no such processor"))?;
        }
    }
    Ok(())
}

/// The bits that set a switch: one, or one for each half of a wide switch.
fn control(netlist: &mut Netlist, stage: u32, switch: u32) -> Option<Vec<&mut Expr>> {
    const PORTS: [&str; 4] = ["state_i", "control_i", "lower_i", "upper_i"];
    let instance = netlist.module_mut("fabric")?.instance_mut(&format!("u_s{stage}_{switch}"))?;
    let inputs = instance.inputs.iter_mut().filter(|(name, _)| PORTS.contains(&name.as_str()));
    Some(inputs.filter_map(|(_, bits)| bits.first_mut()).collect())
}

/// The ROM that holds the settings of a switch, and the bit in its words.
fn setting_rom(exchange: &mut Module, stage: u32, switch: u32) -> Option<(String, u32)> {
    let first = switch - switch % SWITCHES_PER_ROM;
    let names = [format!("u_state_{stage}_rom"), format!("u_state_{stage}_{first}_rom")];
    let name = names.into_iter().find(|name| exchange.instance_mut(name).is_some())?;
    Some((name, switch - first))
}

fn flip_rom_bit(exchange: &mut Module, rom: &str, round: RoundIdx, bit: u32) -> Option<()> {
    match &mut exchange.instance_mut(rom)?.of {
        Of::Cell(CellSpec::Rom(RomSpec { width, words, .. })) if bit < *width => {
            *words.get_mut(round.idx())? ^= 1 << bit;
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
        return Err("the bit is one of the first, which no rule makes, or behind the last");
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

fn wrong_complement(exchange: &mut Module, terminal: TerminalIdx) -> Option<()> {
    let instance = exchange.instance_mut(&format!("u_terminal_{terminal}"))?;
    let up = instance.outputs.iter().find(|(port, _)| port == "up_dest_o")?.1[0]?;
    let (_, down) = instance.outputs.iter_mut().find(|(port, _)| port == "down_dest_o")?;
    let net = down[0].take()?;
    exchange.assigns.push((net, up.into()));
    Some(())
}

fn switch_input<'a>(netlist: &'a mut Netlist, stage: u32, switch: u32, port: &str) -> Option<&'a mut Expr> {
    let fabric = netlist.module_mut("fabric")?;
    fabric.instance_mut(&format!("u_s{stage}_{switch}"))?.input_mut(port)?.first_mut()
}

/// Inverts a part of an expression; none if it is no net.
pub(crate) fn invert(expr: &mut Expr, part: usize) -> Option<()> {
    let Expr::Concat(parts) = expr else { return None };
    let Part::Net { invert, .. } = parts.get_mut(part)? else { return None };
    *invert = !*invert;
    Some(())
}

/// Inverts the bit of a label that `stage` sees: the label's bits, the first stage's first, are split over its parts.
fn flip_bit(label: &mut Expr, stage: u32, width: impl Fn(Net) -> u32) -> Option<()> {
    let Expr::Concat(parts) = label else { return None };
    let mut single = Vec::new();
    for part in &*parts {
        let Part::Net { net, bits, invert: false } = part else { return None };
        let (high, low) = bits.unwrap_or((width(*net) - 1, 0));
        for bit in (low..=high).rev() {
            let invert = single.len() == stage as usize;
            single.push(Part::Net { net: *net, bits: Some((bit, bit)), invert });
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
    fn faults_are_read_as_they_are_written() {
        for text in [
            "swapped-wire:1",
            "inverted-control:2:3",
            "late-driver:0",
            "dropped-valid:0:1",
            "wrong-label-bit:4:2",
            "off-by-one-counter",
            "stuck-switch:1:2:1",
            "flipped-bit:5",
            "stuck-again",
            "wrong-complement:3",
            "flipped-setting:2:1:5",
            "wrong-destination:3:1",
        ] {
            assert_eq!(text.parse::<PlantedFault>().unwrap().to_string(), text);
        }
        assert!("late-driver".parse::<PlantedFault>().unwrap_err().to_string().contains("late-driver:STAGE"));
    }

    #[test]
    fn a_fault_without_a_place_is_refused() {
        let mut netlist = design::build(&plan(&Request::new("rls", 8)).unwrap(), 8);
        let error = |n: &mut Netlist, text: &str| inject(n, text.parse().unwrap()).unwrap_err().to_string();
        assert!(error(&mut netlist, "late-driver:1").contains("no such driver"));
        assert!(error(&mut netlist, "dropped-valid:9:0").contains("no such switch"));
        let mut gsen = design::build(&plan(&Request::new("gsen", 6)).unwrap(), 8);
        assert!(error(&mut gsen, "wrong-label-bit:0:0").contains("not set by labels"));
        assert!(error(&mut gsen, "flipped-setting:0:0:0").contains("no such table"));
        let mut benes = design::build(&plan(&Request::new("benes", 8)).unwrap(), 8);
        assert!(error(&mut benes, "flipped-setting:0:4:0").contains("no such switch or round"));
        assert!(error(&mut benes, "flipped-setting:0:3:8").contains("no such switch or round"));
        assert!(error(&mut benes, "wrong-destination:8:0").contains("no such table or round"));
        assert!(error(&mut benes, "late-driver:5").contains("no such driver"));
    }
}
