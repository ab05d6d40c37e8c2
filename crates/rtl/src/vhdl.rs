//! The modules that a user instantiates, declared for VHDL: `D_pkg.vhd`, a package with a component for each.

use frit_cells::netlist::width::PARAMETER;
use frit_cells::netlist::{Kind, Module, Signal};
use std::fmt::Write;

/// `D_pkg.vhd` of the design `design`, written by `command`.
pub fn render(design: &str, command: &str, modules: &[&Module]) -> (String, String) {
    let package = identifier(&format!("{design}_pkg"));
    let mut text = format!(
        "-- SPDX-License-Identifier: MIT OR Apache-2.0\n-- Components of {design} for VHDL: the Verilog modules of the same names.\n-- Generated; do not edit. Generator: {command}\n\
         library ieee;\nuse ieee.std_logic_1164.all;\n\npackage {package} is\n"
    );
    for module in modules {
        text += &component(module);
    }
    text += "end package;\n";
    (format!("{design}_pkg.vhd"), text)
}

fn component(module: &Module) -> String {
    let name = identifier(&module.name);
    let mut text = format!("\n  component {name} is\n");
    if let Some(bits) = module.word {
        // Writing to a String cannot fail.
        let _ =
            writeln!(text, "    generic (\n      {PARAMETER} : positive := {bits} -- bits of a word\n    );");
    }
    let ports: Vec<(String, &str)> = module.signals.iter().filter_map(port).collect();
    text += "    port (\n";
    for (at, (declaration, meaning)) in ports.iter().enumerate() {
        let end = if at + 1 < ports.len() { ";" } else { "" };
        let _ = writeln!(text, "      -- {meaning}\n      {declaration}{end}");
    }
    text + "    );\n  end component;\n"
}

fn port(signal: &Signal) -> Option<(String, &str)> {
    let direction = match signal.kind {
        Kind::Input => "in",
        Kind::Output => "out",
        Kind::Vector | Kind::Wires | Kind::Array => return None,
    };
    let bits = signal.lanes * signal.width;
    let kind = match signal.above_word {
        Some(above) => {
            let lane = if above == 0 { PARAMETER.into() } else { format!("({PARAMETER} + {above})") };
            format!("std_logic_vector({} * {lane} - 1 downto 0)", signal.lanes)
        }
        None if bits == 1 && !signal.vector => "std_logic".into(),
        None => format!("std_logic_vector({} downto 0)", bits - 1),
    };
    Some((format!("{} : {direction} {kind}", identifier(&signal.name)), signal.meaning))
}

/// A name as VHDL has it: one that is no basic identifier stands between backslashes.
fn identifier(name: &str) -> String {
    let basic =
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains("__") && !name.ends_with('_');
    if basic { name.into() } else { format!("\\{name}\\") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_vhdl_does_not_have_stand_between_backslashes() {
        assert_eq!(identifier("rls_n8_w8_exchange"), "rls_n8_w8_exchange");
        assert_eq!(["a__b", "a_", "_a"].map(identifier), [r"\a__b\", r"\a_\", r"\_a\"]);
    }
}
