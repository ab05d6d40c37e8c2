//! The register behind an output of a block RAM of ECP5, which Yosys leaves unused. Where a flip-flop takes each bit of the output and
//! nothing else does, the register of the RAM takes the place of the flip-flops, with their enable: the way out of the RAM is then short.

use serde_json::{Map, Value};
use std::collections::HashMap;

/// An output of a block RAM `DP16KD`: the ports whose pins, registers and enables it has, the one with its clock last.
type Output = &'static [char];

/// The output of a RAM whose port B reads words of 36 bits. They leave through the pins of both ports, so both registers take part.
const WIDE: [Output; 1] = [&['A', 'B']];
/// The outputs of a RAM with words of up to 18 bits.
const NARROW: [Output; 2] = [&['A'], &['B']];

/// The cells of a module, with what reads each of its bits: a cell and its pin, or a port.
struct Module<'a> {
    cells: &'a Map<String, Value>,
    readers: HashMap<u64, Vec<(&'a str, &'a str)>>,
}

/// An output whose register is used: the RAM, the output, the enable of the register, and for each pin the flip-flop that goes.
type Found = (String, Output, Value, Vec<(String, String)>);

/// Uses the registers in a netlist that Yosys wrote as JSON: the netlist, and how many flip-flops have gone.
///
/// # Errors
///
/// If it is no JSON.
pub(super) fn merge(json: &str) -> Result<(String, u64), serde_json::Error> {
    let mut design: Value = serde_json::from_str(json)?;
    let mut gone = 0;
    let modules = design.get_mut("modules").and_then(Value::as_object_mut);
    for module in modules.into_iter().flat_map(Map::values_mut) {
        let found = Module::new(module).map_or_else(Vec::new, |module| module.found());
        let Some(cells) = module.get_mut("cells").and_then(Value::as_object_mut) else { continue };
        for (ram, output, enable, pairs) in found {
            for (pin, flip_flop) in pairs {
                let went = cells.shift_remove(&flip_flop);
                cells[&ram]["connections"][&pin] =
                    went.map_or(Value::Null, |cell| cell["connections"]["Q"].clone());
                gone += 1;
            }
            for port in output {
                cells[&ram]["parameters"][format!("REGMODE_{port}")] = "OUTREG".into();
                cells[&ram]["connections"][format!("OCE{port}")] = enable.clone();
            }
        }
    }
    Ok((serde_json::to_string_pretty(&design)?, gone))
}

/// The one bit at a pin, if it is a net.
fn bit(cell: &Value, pin: &str) -> Option<u64> {
    cell["connections"][pin].get(0)?.as_u64()
}

impl<'a> Module<'a> {
    fn new(module: &'a Value) -> Option<Self> {
        let cells = module.get("cells")?.as_object()?;
        let mut readers: HashMap<u64, Vec<(&str, &str)>> = HashMap::new();
        let mut read = |bits: &Value, by: (&'a str, &'a str)| {
            for bit in bits.as_array().into_iter().flatten().filter_map(Value::as_u64) {
                readers.entry(bit).or_default().push(by);
            }
        };
        for (name, cell) in cells {
            for (pin, bits) in cell["connections"].as_object()? {
                if cell["port_directions"][pin] != "output" {
                    read(bits, (name, pin));
                }
            }
        }
        for (name, port) in module.get("ports")?.as_object()? {
            read(&port["bits"], ("", name));
        }
        Some(Module { cells, readers })
    }

    fn found(&self) -> Vec<Found> {
        let rams = self.cells.iter().filter(|(_, cell)| cell["type"] == "DP16KD");
        // A number is 32 digits.
        let wide = |ram: &Value, width: &str| {
            ram["parameters"][width].as_str().is_some_and(|width| width.ends_with("100100"))
        };
        let outputs = rams.flat_map(|(name, ram)| {
            let outputs: &[Output] = match (wide(ram, "DATA_WIDTH_A"), wide(ram, "DATA_WIDTH_B")) {
                (_, true) => &WIDE,
                (false, false) => &NARROW,
                // No design has a memory that is written in words of 36 bits and read in narrower ones.
                (true, false) => &[],
            };
            outputs.iter().map(move |output| (name, ram, *output))
        });
        let found = |(name, ram, output): (&String, &Value, Output)| {
            let (enable, flip_flops) = self.flip_flops(ram, output)?;
            Some((name.clone(), output, enable, flip_flops))
        };
        outputs.filter_map(found).collect()
    }

    /// The flip-flops that take the bits of an output, if nothing else does, and their enable.
    fn flip_flops(&self, ram: &Value, output: Output) -> Option<(Value, Vec<(String, String)>)> {
        let (reads, one) = (*output.last()?, Value::from(vec!["1"]));
        let clock = bit(ram, &format!("CLK{reads}"))?;
        let plain = ram["connections"][format!("OCE{reads}")] == one
            && output.iter().all(|port| {
                let [clocked, register] = [format!("CLK{port}"), format!("REGMODE_{port}")];
                let mux = &ram["parameters"][format!("{clocked}MUX")];
                *mux == *clocked
                    && bit(ram, &clocked) == Some(clock)
                    && ram["parameters"][register] == "NOREG"
            });
        if !plain {
            return None;
        }
        let (mut pairs, mut enable) = (Vec::new(), None);
        for pin in output.iter().flat_map(|port| (0..18).map(move |number| format!("DO{port}{number}"))) {
            let readers = bit(ram, &pin).and_then(|bit| self.readers.get(&bit));
            match readers.map_or(&[][..], Vec::as_slice) {
                [] => {}
                [(cell, "DI")] => {
                    let flip_flop = self.cells.get(*cell).filter(|cell| is_plain(cell, clock))?;
                    let own = taken_while(flip_flop)?;
                    enable.get_or_insert_with(|| own.clone());
                    enable.as_ref().filter(|enable| **enable == own)?;
                    let already = pairs.iter().any(|(_, other)| other == cell);
                    bit(flip_flop, "Q").filter(|_| !already)?;
                    pairs.push((pin, cell.to_string()));
                }
                _ => return None,
            }
        }
        Some((enable?, pairs))
    }
}

/// The bit that is 1 while a flip-flop takes its bit.
fn taken_while(cell: &Value) -> Option<Value> {
    match cell["parameters"]["CEMUX"].as_str()? {
        // Behind a text of digits Yosys writes a space, to tell it from a number.
        "1 " => Some(Value::from(vec!["1"])),
        "CE" => Some(cell["connections"]["CE"].clone()),
        _ => None,
    }
}

/// A flip-flop of this clock without a reset.
fn is_plain(cell: &Value, clock: u64) -> bool {
    let (parameters, connections) = (&cell["parameters"], &cell["connections"]);
    cell["type"] == "TRELLIS_FF"
        && parameters["CLKMUX"] == "CLK"
        && parameters["REGSET"] == "RESET"
        && connections["LSR"] == Value::from(vec!["0"])
        && bit(cell, "CLK") == Some(clock)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A RAM of two bits whose flip-flops have the clock `clock` and the enables 8 and `second`; the second bit is also read by the port
    /// `also`.
    fn design(clock: u64, enable: &str, second: u64, also: &[u64]) -> String {
        design_of(18, clock, enable, second, also)
    }

    /// The same with words of `width` bits. The first bit of a word of 36 bits leaves through port A, which has the clock `clock`.
    fn design_of(width: u64, clock: u64, enable: &str, second: u64, also: &[u64]) -> String {
        let (first, write_clock) = if width == 36 { ("DOA0", clock) } else { ("DOB0", 2) };
        let flip_flop = |from: u64, to: u64, by: u64| {
            json!({
                "type": "TRELLIS_FF", "parameters": {"CEMUX": enable, "CLKMUX": "CLK", "REGSET": "RESET"},
                "port_directions": {"CE": "input", "CLK": "input", "DI": "input", "LSR": "input", "Q": "output"},
                "connections": {"CE": [by], "CLK": [clock], "DI": [from], "LSR": ["0"], "Q": [to]},
            })
        };
        let ram = json!({
            "type": "DP16KD",
            "parameters": {"DATA_WIDTH_B": format!("{width:032b}"), "REGMODE_A": "NOREG", "REGMODE_B": "NOREG", "CLKAMUX": "CLKA", "CLKBMUX": "CLKB"},
            "port_directions": {"CLKA": "input", "CLKB": "input", "OCEA": "input", "OCEB": "input", first: "output", "DOB1": "output"},
            "connections": {"CLKA": [write_clock], "CLKB": [2], "OCEA": ["1"], "OCEB": ["1"], first: [3], "DOB1": [4]},
        });
        let outputs: Vec<u64> = [5, 6].iter().chain(also).copied().collect();
        let ports = json!({"clk_i": {"direction": "input", "bits": [2]}, "o": {"direction": "output", "bits": outputs}});
        let cells = json!({"ram": ram, "a": flip_flop(3, 5, 8), "b": flip_flop(4, 6, second)});
        json!({"modules": {"top": {"ports": ports, "cells": cells}}}).to_string()
    }

    #[test]
    fn flip_flops_of_an_output_become_its_register() {
        for (enable, bit) in [("1 ", json!(["1"])), ("CE", json!([8]))] {
            for (width, register_a, enable_a) in [(18, "NOREG", json!(["1"])), (36, "OUTREG", bit.clone())] {
                let (merged, gone) = merge(&design_of(width, 2, enable, 8, &[])).unwrap();
                let merged: Value = serde_json::from_str(&merged).unwrap();
                let cells = &merged["modules"]["top"]["cells"];
                assert_eq!((gone, cells.as_object().unwrap().len()), (2, 1));
                assert_eq!(cells["ram"]["parameters"]["REGMODE_B"], "OUTREG");
                assert_eq!(cells["ram"]["parameters"]["REGMODE_A"], register_a);
                assert_eq!(cells["ram"]["connections"]["DOB1"], json!([6]));
                assert_eq!(cells["ram"]["connections"]["OCEB"], bit);
                assert_eq!(cells["ram"]["connections"]["OCEA"], enable_a);
            }
        }
    }

    #[test]
    fn other_readers_clocks_and_enables_leave_them() {
        for other in [
            design(7, "1 ", 8, &[]),
            design(2, "CE", 9, &[]),
            design(2, "INV", 8, &[]),
            design_of(36, 7, "1 ", 8, &[]),
            // Written in words of 36 bits, read in words of 18.
            design(2, "1 ", 8, &[]).replacen(
                "\"DATA_WIDTH_B\"",
                &format!("\"DATA_WIDTH_A\":\"{:032b}\",\"DATA_WIDTH_B\"", 36),
                1,
            ),
            design_of(36, 2, "1 ", 8, &[3]),
            design(2, "1 ", 8, &[4]),
        ] {
            let (same, gone) = merge(&other).unwrap();
            assert_eq!(
                (gone, serde_json::from_str::<Value>(&same).unwrap()),
                (0, serde_json::from_str(&other).unwrap())
            );
        }
    }
}
