//! Deliberate faults of a multibutterfly: changes of its netlist that every engine must find.
//!
//! The same changed netlist is simulated by rust-hdl and printed as Verilog, so each fault is put into both. A fault is in all
//! nodes of a column, which are one module.

use crate::cells::{CountAdderSpec, PassGateSpec, WordMergeSpec};
use crate::design::multibutterfly::Hardware;
use crate::netlist::{Expr, Instance, Kind, Module, Net, Netlist, Of};
use frit_network::PortIdx;
use std::str::FromStr;

/// A deliberate fault of the nodes of a column, which is not the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A request that is taken back at an in-port stands on.
    LostCancel { column: u32, port: PortIdx },
    /// Either side has a ghost too many.
    GhostTooMany { column: u32 },
    /// An in-port is granted whatever others ask for.
    GrantToTwo { column: u32, port: PortIdx },
    /// What comes as a report at an in-port is one less, unless it is nothing.
    CountOneShort { column: u32, port: PortIdx },
}

/// Why a fault cannot be put into a netlist, or is not one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultError {
    #[error("{given:?} is not a fault of a multibutterfly; the faults are {}", Fault::FORMS.join(", "))]
    Unknown { given: String },
    #[error("this design has no place for {fault}: {why}")]
    NoPlace { fault: Fault, why: &'static str },
}

impl Fault {
    /// How faults are written.
    pub const FORMS: [&str; 4] = [
        "lost-cancel:COLUMN:PORT",
        "ghost-too-many:COLUMN",
        "grant-to-two:COLUMN:PORT",
        "count-one-short:COLUMN:PORT",
    ];

    fn column(self) -> u32 {
        match self {
            Fault::LostCancel { column, .. }
            | Fault::GhostTooMany { column }
            | Fault::GrantToTwo { column, .. }
            | Fault::CountOneShort { column, .. } => column,
        }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::LostCancel { column, port } => write!(f, "lost-cancel:{column}:{port}"),
            Fault::GhostTooMany { column } => write!(f, "ghost-too-many:{column}"),
            Fault::GrantToTwo { column, port } => write!(f, "grant-to-two:{column}:{port}"),
            Fault::CountOneShort { column, port } => write!(f, "count-one-short:{column}:{port}"),
        }
    }
}

impl FromStr for Fault {
    type Err = FaultError;

    fn from_str(text: &str) -> Result<Self, FaultError> {
        let unknown = || FaultError::Unknown { given: text.into() };
        let mut words = text.split(':');
        let name = words.next().unwrap_or_default();
        let numbers: Vec<u32> = words.map(str::parse).collect::<Result<_, _>>().map_err(|_| unknown())?;
        Ok(match (name, numbers.as_slice()) {
            ("lost-cancel", &[column, port]) => Fault::LostCancel { column, port: PortIdx(port) },
            ("ghost-too-many", &[column]) => Fault::GhostTooMany { column },
            ("grant-to-two", &[column, port]) => Fault::GrantToTwo { column, port: PortIdx(port) },
            ("count-one-short", &[column, port]) => Fault::CountOneShort { column, port: PortIdx(port) },
            _ => return Err(unknown()),
        })
    }
}

/// Puts a fault into the netlist of a design.
///
/// # Errors
/// If the design has no such place.
pub fn inject(netlist: &mut Netlist, hardware: &Hardware, fault: Fault) -> Result<(), FaultError> {
    let none = |why| FaultError::NoPlace { fault, why };
    let column = fault.column();
    if column == 0 || column >= hardware.columns() {
        return Err(none("it must be a column that is neither the first nor the last"));
    }
    let module = netlist.module_mut(&format!("node_{column}")).ok_or_else(|| none("no such column"))?;
    let count_bits = hardware.count_bits();
    match fault {
        Fault::LostCancel { port, .. } => {
            lose_cancel(module, port).ok_or_else(|| none("nothing is asked for there"))
        }
        Fault::GrantToTwo { port, .. } => {
            let sizes = hardware.column(column - 1).sizes();
            let request = module.instance_mut(&format!("u_request_{port}"));
            let twice = request.and_then(|request| request.input_mut("twice_i"));
            *twice.ok_or_else(|| none("nothing is asked for there"))? = vec![Expr::constant(0, sizes)];
            Ok(())
        }
        Fault::GhostTooMany { .. } => add_ghost(module, count_bits).ok_or_else(|| none("it has no ghosts")),
        Fault::CountOneShort { port, .. } => {
            let bits = hardware.column(column - 1).bank_bits();
            shorten(module, port, bits).ok_or_else(|| none("no such in-port"))
        }
    }
}

/// The in-port hears only what is a request.
fn lose_cancel(module: &mut Module, port: PortIdx) -> Option<()> {
    let name = format!("u_request_{port}");
    let request = module.instance_mut(&name)?;
    let asks = Expr::Any(vec![request.input_mut("size_i")?.first()?.as_net()?.into()]);
    let hear = request.input_mut("hear_i")?.first()?.clone();
    let heard = module.net(Kind::Wires, "heard", 1);
    module.instances.push(
        Instance::new("u_heard", Of::cell(PassGateSpec))
            .input("deliver_i", asks)
            .input("valid_i", hear)
            .output("valid_o", heard)
            .unused("back_valid_o"),
    );
    *module.instance_mut(&name)?.input_mut("hear_i")? = vec![heard.into()];
    Some(())
}

fn adder(module: &mut Module, name: &str, bits: u32, left: Expr, right: u64) -> Net {
    let sum = module.net(Kind::Wires, name, bits);
    module.instances.push(
        Instance::new(format!("u_{name}"), Of::cell(CountAdderSpec { bits }))
            .input("left_i", left)
            .input("right_i", Expr::constant(right, bits))
            .output("sum_o", sum),
    );
    sum
}

/// Both sides are told to keep a ghost more.
fn add_ghost(module: &mut Module, bits: u32) -> Option<()> {
    let kept = module.instance_mut("u_side0")?.input_mut("kept_i")?.first()?.clone();
    let wrong = adder(module, "wrong_kept", bits, kept, 1);
    for side in ["u_side0", "u_side1"] {
        *module.instance_mut(side)?.input_mut("kept_i")? = vec![wrong.into()];
    }
    Some(())
}

/// What an in-port is told becomes one less, unless it is 0.
fn shorten(module: &mut Module, port: PortIdx, bits: u32) -> Option<()> {
    let report = module.find("report_i")?;
    if port.0 >= module.signal(report).lanes {
        return None;
    }
    let report = Net { signal: report, lane: port.0 };
    let less = adder(module, "one_less", bits, report.into(), (1 << bits) - 1);
    let short = module.net(Kind::Wires, "short_report", bits);
    module.instances.push(
        Instance::new("u_short_report", Of::cell(WordMergeSpec { width: bits }))
            .input("left_take_i", Expr::Any(vec![report.into()]))
            .input("left_word_i", less)
            .input("right_take_i", Expr::constant(0, 1))
            .input("right_word_i", Expr::constant(0, bits))
            .unused("take_o")
            .output("word_o", short),
    );
    // The adders that take the report, but not the one that makes it less.
    for instance in module.instances.iter_mut().filter(|instance| instance.name.starts_with("u_sum_")) {
        for (_, lanes) in &mut instance.inputs {
            replace(&mut lanes[0], report, short);
        }
    }
    Some(())
}

fn replace(expr: &mut Expr, from: Net, to: Net) {
    let (Expr::Concat(parts) | Expr::Any(parts)) = expr;
    for part in parts {
        if let crate::netlist::Part::Net { net, .. } = part
            && *net == from
        {
            *net = to;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_read_as_they_are_written() {
        for text in ["lost-cancel:1:3", "ghost-too-many:2", "grant-to-two:1:0", "count-one-short:3:1"] {
            assert_eq!(text.parse::<Fault>().unwrap().to_string(), text);
        }
        for text in ["lost-cancel:1", "ghost-too-many:1:1", "overflow:1:1:0", "count-one-short:x:1"] {
            let error = text.parse::<Fault>().unwrap_err().to_string();
            assert!(error.contains("count-one-short:COLUMN:PORT"), "{error}");
        }
    }
}
