//! Registers and wires inside a design that the lemmas of its contract speak of.
//!
//! A wire with the attribute `hierconn` and a dotted name is, for Yosys, that wire below.

use std::fmt::Write;

/// The wire of a path below an instance.
pub(crate) fn wire(instance: &str, path: &str, bits: u32) -> String {
    format!("  (* hierconn *) wire [{}:0] \\{instance}.{path} ;\n", bits - 1)
}

/// The vector `name` of the wires of `paths`, all of `bits` bits, the first one lowest.
pub(crate) fn vector(text: &mut String, instance: &str, name: &str, bits: u32, paths: &[String]) {
    for path in paths {
        *text += &wire(instance, path, bits);
    }
    let items: Vec<String> = paths.iter().rev().map(|path| format!("\\{instance}.{path} ")).collect();
    let high = paths.len() as u32 * bits - 1;
    let _ = writeln!(text, "  wire [{high}:0] {name} = {{ {} }};", items.join(", "));
}
