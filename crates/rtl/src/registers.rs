//! The registers of control and status for other tools: SystemRDL, a header for C, a page. All from [`frit_cells::registers`].

use crate::Files;
use crate::template::{context, fill};
use frit_cells::registers::{
    ADDRESS_BITS, Access, Constants, FIXED, Field, ID, REGISTERS, Register, SIZED, SPACE, VERSION,
};
use serde::Serialize;

/// What the templates are filled with.
#[derive(Serialize)]
struct Map<'a> {
    top: &'a str,
    /// The name of the top in capitals.
    macros: String,
    command: &'a str,
    /// What says in C that this map has been read: there are two.
    guard: &'static str,
    version: String,
    space: u32,
    address_bits: u32,
    registers: Vec<Row>,
    /// Those of a corner turn whose sizes are loaded, for the page.
    sized: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    address: String,
    meaning: &'static str,
    /// What it reads, if that is a constant of the design.
    value: Option<String>,
    fields: Vec<Part>,
}

#[derive(Serialize)]
struct Part {
    name: &'static str,
    low: u32,
    high: u32,
    bits: u32,
    mask: String,
    /// As a page says it.
    access: &'static str,
    properties: &'static str,
    /// The value after reset, in SystemRDL; none for what the design says.
    reset: Option<String>,
    meaning: &'static str,
}

impl Row {
    fn of(register: &Register, value: Option<u32>) -> Row {
        Row {
            name: register.name,
            address: format!("0x{:02x}", register.address),
            meaning: register.meaning,
            value: value.map(|value| format!("0x{value:08x}")),
            fields: register.fields.iter().map(|field| Part::of(field, value)).collect(),
        }
    }
}

impl Part {
    fn of(field: &Field, register: Option<u32>) -> Part {
        let Field { name, low, bits, access, meaning } = *field;
        let (access_word, properties) = match access {
            Access::Read => ("read", "sw = r; hw = w;"),
            Access::Constant => ("read, a constant", "sw = r; hw = na;"),
            Access::ReadWrite => ("read and write", "sw = rw; hw = r;"),
            Access::Clear => ("read; write 1 to clear", "sw = rw; onwrite = woclr; hw = r; hwset;"),
            Access::Pulse => ("write 1; reads 0", "sw = w; hw = r; singlepulse;"),
        };
        let constant = register.map(|value| (value & field.mask()) >> low);
        let reset = if access == Access::Read { None } else { Some(constant.unwrap_or(0)) };
        Part {
            name,
            low,
            high: low + bits - 1,
            bits,
            mask: format!("0x{:08x}", field.mask()),
            access: access_word,
            properties,
            reset: reset.map(|value| format!("{bits}'h{value:x}")),
            meaning,
        }
    }
}

/// What says in C that a map has been read.
const GUARD: &str = "FRIT_REGISTERS_VERSION";
const SIZED_GUARD: &str = "FRIT_SIZE_REGISTERS_VERSION";

fn map<'a>(
    top: &'a str,
    command: &'a str,
    guard: &'static str,
    registers: &[Register],
    constant: impl Fn(&str) -> Option<u32>,
) -> Map<'a> {
    Map {
        top,
        macros: top.to_uppercase(),
        command,
        guard,
        version: format!("{}.{}", VERSION >> 16, VERSION & 0xffff),
        space: SPACE,
        address_bits: ADDRESS_BITS,
        registers: registers.iter().map(|register| Row::of(register, constant(register.name))).collect(),
        sized: SIZED.iter().map(|register| Row::of(register, None)).collect(),
    }
}

/// `S.rdl` (SystemRDL 2.0) and `S.h` (C) of the top S with these constants, written by `command`.
pub fn render(top: &str, command: &str, constants: &Constants) -> Files {
    described(map(top, command, GUARD, &REGISTERS, |name| constants.of(name)))
}

/// What a register of a streamed permutation reads, if that is a constant of the design, or its value after a reset; `constants` are those that are
/// not the same in every design.
pub(crate) fn sized_constant(register: &str, constants: &[(&'static str, u32)]) -> Option<u32> {
    let own = |name: &str| constants.iter().find(|(own, _)| *own == name).map(|(_, value)| *value);
    match register {
        "ID" => Some(ID),
        "VERSION" => Some(VERSION),
        // After reset the size is the largest.
        "SIZE" => own("LIMITS"),
        _ => own(register),
    }
}

/// The registers of a streamed permutation, whose sizes are loaded or not.
pub(crate) fn streamed(loads: bool) -> &'static [Register] {
    if loads { &SIZED } else { &FIXED }
}

/// The same of a streamed permutation.
pub fn sized(top: &str, command: &str, loads: bool, constants: &[(&'static str, u32)]) -> Files {
    let value = |name: &str| sized_constant(name, constants);
    described(map(top, command, SIZED_GUARD, streamed(loads), value))
}

fn described(map: Map) -> Files {
    let (top, values) = (map.top, context(&map));
    vec![
        (format!("{top}.rdl"), fill(include_str!("../testbench/registers/map.rdl.tera"), &values)),
        (format!("{top}.h"), fill(include_str!("../testbench/registers/map.h.tera"), &values)),
    ]
}

pub fn page() -> String {
    fill(
        include_str!("../testbench/registers/page.md.tera"),
        &context(&map("S", "", GUARD, &REGISTERS, |_| None)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONSTANTS: Constants = Constants {
        system: 0x89ab_cdef,
        terminals: 8,
        width: 0x8004_0020,
        message: 0x0002_0010,
        run_cycles: 133,
    };

    /// `UPDATE_EXPECT=1` writes the page afresh.
    #[test]
    fn the_page_is_what_the_map_says() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/registers.md");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(file, page()).unwrap();
        }
        assert_eq!(
            std::fs::read_to_string(file).unwrap(),
            page(),
            "UPDATE_EXPECT=1 writes docs/registers.md"
        );
    }

    #[test]
    fn every_register_is_in_the_description_and_in_the_header() {
        let files = render("d_axil", "frit generate", &CONSTANTS);
        let [(_, rdl), (_, header)] = files.as_slice() else { panic!("two files") };
        for register in REGISTERS {
            assert!(rdl.contains(&format!("}} {} @ 0x{:02x};", register.name, register.address)), "{rdl}");
            let line = format!("#define FRIT_{} 0x{:02x}u", register.name, register.address);
            assert!(header.contains(&line), "{header}");
        }
        assert!(
            rdl.contains("} LENGTH[15:0] = 16'h10;") && rdl.contains("} BUFFERS[31:16] = 16'h2;"),
            "{rdl}"
        );
        assert!(rdl.contains("} KEEP[31:31] = 1'h1;") && rdl.contains("} READY[0:0];"), "{rdl}");
        assert!(header.contains("#define FRIT_ERRORS_LENGTH_MASK 0x00000008u"), "{header}");
        assert!(header.contains("#define D_AXIL_SYSTEM 0x89abcdefu"), "{header}");
    }
}
