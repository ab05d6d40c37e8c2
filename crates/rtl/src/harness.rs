//! A module between shift registers: three pins, however many ports it has, so that it can be placed on a device of any
//! package and every path from its inputs and to its outputs lies between registers.
//!
//! Inputs come from shift registers. Outputs are added (XOR) into others, which takes one LUT and one flip-flop each and no
//! control line that could become the slowest path. The reset comes straight from its pin: it is held for many
//! cycles, so that its delay counts for nothing.

use frit_cells::netlist::{Kind, Module};
use std::fmt::Write;

/// The name of the harness of a module.
pub fn name(module: &str) -> String {
    format!("{module}_harness")
}

/// The bits (low, high) of the shift registers that hold `bits` bits together. Yosys as WebAssembly runs out of stack on one
/// of some thousand bits.
fn segments(bits: u32) -> impl Iterator<Item = (u32, u32)> {
    const LENGTH: u32 = 64;
    (0..bits).step_by(LENGTH as usize).map(move |low| (low, (low + LENGTH).min(bits) - 1))
}

/// The harness of a module as Verilog.
pub fn render(module: &Module) -> String {
    let ports = |kind: Kind| {
        let is_port = move |name: &str| !matches!(name, "clk_i" | "rst_i");
        module.signals.iter().filter(move |s| s.kind == kind && is_port(&s.name)).map(|s| {
            let bits = s.lanes * s.width;
            (s.name.as_str(), bits)
        })
    };
    let mut pins: Vec<String> = ["clk_i", "rst_i"]
        .iter()
        .filter(|name| module.find(name).is_some())
        .map(|n| format!(".{n}({n})"))
        .collect();
    let mut connect = |register: &str, kind: Kind| {
        let mut next = 0;
        for (name, bits) in ports(kind) {
            pins.push(format!(".{name}({register}[{}:{next}])", next + bits - 1));
            next += bits;
        }
        next
    };
    let inputs = connect("in_q", Kind::Input);
    let outputs = connect("out", Kind::Output);
    let mut text = String::from("// verilog_format: off\n`default_nettype none\n");
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "// {name}: {module} between shift registers of {inputs} and {outputs} bits, to be placed and timed.\n\
         module {name} (\n  input  wire clk_i,\n  input  wire rst_i,\n  input  wire serial_i,\n  output wire serial_o\n);\n",
        name = name(&module.name),
        module = module.name,
    );
    // No two registers have the same input, nor one of them that of a register of the module: they would be merged. So
    // every bit is inverted on its way, and the second register that starts from the end of another one is fed by two bits.
    if inputs > 0 {
        let _ = writeln!(text, "  reg [{}:0] in_q;", inputs - 1);
        let all: Vec<(u32, u32)> = segments(inputs).collect();
        for (at, (low, high)) in all.iter().enumerate() {
            let first = match at {
                0 => "serial_i".to_string(),
                _ => {
                    let end = all[(at - 1) / 2].1;
                    if at % 2 == 1 {
                        format!("in_q[{end}]")
                    } else {
                        format!("in_q[{end}] ^ in_q[{}]", end - 1)
                    }
                }
            };
            let rest = if high > low { format!("in_q[{}:{low}], ", high - 1) } else { String::new() };
            let _ = writeln!(text, "  always @(posedge clk_i) in_q[{high}:{low}] <= ~{{{rest}{first}}};");
        }
    }
    let _ = writeln!(text, "  wire [{}:0] out;", outputs - 1);
    let _ = writeln!(text, "  reg [{}:0] out_q;", outputs - 1);
    let mut ends = Vec::new();
    for (low, high) in segments(outputs) {
        let rest = if high > low { format!("out_q[{}:{low}], ", high - 1) } else { String::new() };
        let _ = writeln!(
            text,
            "  always @(posedge clk_i) out_q[{high}:{low}] <= {{{rest}1'b0}} ^ out[{high}:{low}];"
        );
        ends.push(format!("out_q[{high}]"));
    }
    let (last, list) = (ends.len() - 1, ends.join(", "));
    let _ = writeln!(text, "  reg [{last}:0] end_q;");
    let _ = writeln!(text, "  always @(posedge clk_i) end_q <= (end_q << 1) ^ {{{list}}};");
    let _ = writeln!(text, "  assign serial_o = end_q[{last}];");
    let _ = writeln!(text, "  {} u_dut (\n    {}\n  );", module.name, pins.join(",\n    "));
    text.push_str("endmodule\n`default_nettype wire\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_port_is_between_registers_but_clock_and_reset() {
        let mut module = Module::new("m", vec![]);
        module.net(Kind::Input, "clk_i", 1);
        module.bundle(Kind::Input, "data_i", 2, 3);
        module.net(Kind::Input, "valid_i", 1);
        module.net(Kind::Wires, "inner", 1);
        module.bundle(Kind::Output, "data_o", 2, 3);
        let text = render(&module);
        for expected in [
            "module m_harness (",
            "reg [6:0] in_q;",
            "in_q[6:0] <= ~{in_q[5:0], serial_i};",
            "out_q[5:0] <= {out_q[4:0], 1'b0} ^ out[5:0];",
            "wire [5:0] out;",
            "m u_dut (\n    .clk_i(clk_i),\n    .data_i(in_q[5:0]),\n    .valid_i(in_q[6:6]),\n    .data_o(out[5:0])\n  );",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
        assert_eq!(segments(130).collect::<Vec<_>>(), [(0, 63), (64, 127), (128, 129)]);
        assert!(!text.contains("inner") && !text.contains(".rst_i"), "{text}");
    }
}
