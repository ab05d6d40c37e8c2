//! The registers of a crossbar as a table, and in SystemRDL.

use crate::template::{context, fill};
use frit_cells::design::crossbar::Hardware;
use frit_demand::crossbar::{Shape, address};
use serde::Serialize;

/// What software does with a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// It writes a 1, which stays until the commit is over.
    Sets,
    /// It reads what the design shows.
    Shown,
    /// It reads what it wrote.
    Written,
}

/// Some bits of a register.
pub(crate) struct Field {
    pub name: &'static str,
    pub low: u32,
    pub bits: u32,
    pub access: Access,
    /// The value after reset.
    pub reset: u32,
    pub meaning: &'static str,
}

/// A register of 32 bits.
pub(crate) struct Register {
    pub name: String,
    /// In bytes.
    pub address: u32,
    pub meaning: &'static str,
    pub fields: Vec<Field>,
}

/// All registers of a crossbar, in the order of their addresses.
pub(crate) fn registers(shape: Shape) -> Vec<Register> {
    let field = |name, (low, bits), access, reset, meaning| Field { name, low, bits, access, reset, meaning };
    let register = |name: String, address, meaning, fields| Register { name, address, meaning, fields };
    let commit = field(
        "COMMIT",
        (1, 1),
        Access::Sets,
        0,
        "write 1: commits all that was written; reads 1 while a commit is under way",
    );
    let wrong = field(
        "ERROR",
        (0, 1),
        Access::Shown,
        0,
        "the settings of the last commit do not lead each source to its output",
    );
    let mut all = vec![
        register("CONTROL".into(), address::CONTROL, "commits", vec![commit]),
        register("STATUS".into(), address::STATUS, "what came of the last commit", vec![wrong]),
    ];
    all.extend((0..shape.open_words()).map(|word| {
        let bits = (shape.terminals() - 32 * word).min(32);
        let open = field("OPEN", (0, bits), Access::Shown, 0, "a bit for each input: it is open");
        register(format!("OPEN_{word}"), address::OPEN + 4 * word, "which inputs are open", vec![open])
    }));
    all.extend((0..shape.terminals()).map(|output| {
        let source = field(
            "INPUT",
            (0, shape.bits()),
            Access::Written,
            0,
            "the input whose words the output receives",
        );
        let off = field("OFF", (31, 1), Access::Written, 1, "the output is off");
        register(
            format!("SOURCE_{output}"),
            address::SOURCE + 4 * output,
            "the source of an output",
            vec![source, off],
        )
    }));
    all.extend((0..).zip(shape.setting_words()).map(|(word, bits)| {
        let states = field(
            "STATES",
            (0, bits),
            Access::Written,
            0,
            "a bit for each switch, stage by stage: 0 straight, 1 cross",
        );
        register(
            format!("SETTINGS_{word}"),
            address::SETTINGS + 4 * word,
            "the states of switches",
            vec![states],
        )
    }));
    all
}

/// What the template is filled with.
#[derive(Serialize)]
struct Map<'a> {
    top: &'a str,
    command: &'a str,
    about: String,
    registers: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: String,
    address: String,
    meaning: &'static str,
    fields: Vec<Part>,
}

#[derive(Serialize)]
struct Part {
    name: &'static str,
    low: u32,
    high: u32,
    properties: &'static str,
    reset: String,
    meaning: &'static str,
}

fn part(field: Field) -> Part {
    let Field { name, low, bits, access, reset, meaning } = field;
    let properties = match access {
        Access::Sets => "sw = rw; onwrite = woset; hw = rw; hwclr;",
        Access::Shown => "sw = r; hw = w;",
        Access::Written => "sw = rw; hw = r;",
    };
    Part { name, low, high: low + bits - 1, properties, reset: format!("{bits}'h{reset:x}"), meaning }
}

/// `T.rdl`: the registers of the crossbar T in SystemRDL 2.0, written by `command`.
pub(crate) fn rdl(hardware: &Hardware, command: &str) -> (String, String) {
    let top = hardware.top_name();
    let row = |register: Register| Row {
        name: register.name,
        address: format!("0x{:03x}", register.address),
        meaning: register.meaning,
        fields: register.fields.into_iter().map(part).collect(),
    };
    let map = Map {
        top: &top,
        command,
        about: format!("Sources and settings of {top}"),
        registers: registers(hardware.shape).into_iter().map(row).collect(),
    };
    let text = fill(include_str!("../testbench/crossbar/map.rdl.tera"), &context(&map));
    (format!("{top}.rdl"), text)
}
