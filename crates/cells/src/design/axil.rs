//! An AXI4-Lite port of a top: the cell of its handshakes beside the cell of its registers.

use crate::cells::AxilPortSpec;
use crate::netlist::{Expr, Instance, Kind, Module, Net, Of, Part};
use crate::registers::ADDRESS_BITS;

/// The ports: name, whether it is an input, bits, meaning.
pub const AXIL: [(&str, bool, u32, &str); 20] = [
    ("s_axil_awaddr", true, ADDRESS_BITS, "registers, AXI4-Lite: write address"),
    ("s_axil_awprot", true, 3, "write protection, ignored"),
    ("s_axil_awvalid", true, 1, "write address is offered"),
    ("s_axil_awready", false, 1, "write address can be taken"),
    ("s_axil_wdata", true, 32, "write word"),
    ("s_axil_wstrb", true, 4, "bytes of the write word that are valid, one bit for each"),
    ("s_axil_wvalid", true, 1, "write word is offered"),
    ("s_axil_wready", false, 1, "write word can be taken"),
    ("s_axil_bresp", false, 2, "write response: 0 OKAY, 2 SLVERR"),
    ("s_axil_bvalid", false, 1, "write response is offered"),
    ("s_axil_bready", true, 1, "write response can be taken"),
    ("s_axil_araddr", true, ADDRESS_BITS, "read address"),
    ("s_axil_arprot", true, 3, "read protection, ignored"),
    ("s_axil_arvalid", true, 1, "read address is offered"),
    ("s_axil_arready", false, 1, "read address can be taken"),
    ("s_axil_rdata", false, 32, "read word"),
    ("s_axil_rresp", false, 2, "read response: 0 OKAY, 2 SLVERR"),
    ("s_axil_rvalid", false, 1, "read word and read response are offered"),
    ("s_axil_rready", true, 1, "read word can be taken"),
    ("irq", false, 1, "interrupt, as enabled in the registers"),
];

/// Bits of a port, as `(name, high, low)`.
pub(super) type Bits = (&'static str, u32, u32);

/// The number of a register in an address.
const WORDS: [Bits; 2] = [("s_axil_awaddr", ADDRESS_BITS - 1, 2), ("s_axil_araddr", ADDRESS_BITS - 1, 2)];

/// A signal of the module, whose name is known.
pub(super) fn port(module: &Module, name: &str) -> Net {
    Net { signal: module.find(name).unwrap_or_else(|| panic!("{} has a port {name}", module.name)), lane: 0 }
}

/// The bits `high..=low` of a net.
pub(super) fn slice(net: Net, high: u32, low: u32) -> Part {
    Part::Net { net, bits: Some((high, low)), invert: false }
}

/// Adds the cell of the handshakes and wires the cell of the registers to it, in a module that has the ports. The registers see the bits
/// `seen` of a write, the most significant first: they are the inputs `written` of their cell, in the same order.
pub(super) fn add(
    module: &mut Module,
    [clk, rst]: [Expr; 2],
    seen: &[Bits],
    written: &[(&str, u32)],
    registers: Instance,
) {
    let count = seen.iter().map(|(_, high, low)| high - low + 1).sum();
    let [write, word, bits, value] =
        [("axil_write", 1), ("axil_word", WORDS[0].1 - 1), ("axil_bits", count), ("axil_value", 32)]
            .map(|(name, bits)| module.net(Kind::Wires, name, bits));
    let of = |&(name, high, low): &Bits| slice(port(module, name), high, low);
    let [awword, arword] = WORDS.map(|word| Expr::Concat(vec![of(&word)]));
    let refused = registers.outputs.iter().find(|(name, _)| name == "refused_o");
    let refused = refused.and_then(|(_, lanes)| lanes[0]).map_or(Expr::constant(0, 1), Expr::from);
    let mut handshakes = Instance::new("u_port", Of::cell(AxilPortSpec { bits: count }))
        .input("clk_i", clk.clone())
        .input("rst_i", rst.clone())
        .input("awword_i", awword)
        .input("wbits_i", Expr::Concat(seen.iter().map(of).collect()))
        .input("arword_i", arword.clone())
        .input("refused_i", refused)
        .input("value_i", value)
        .output("write_o", write)
        .output("word_o", word)
        .output("bits_o", bits);
    for (name, input, ..) in AXIL.iter().filter(|(name, ..)| *name != "irq") {
        let inside = name.trim_start_matches("s_axil_");
        let handshake = inside.ends_with("valid") || inside.ends_with("ready");
        handshakes = match input {
            true if handshake => handshakes.input(&format!("{inside}_i"), port(module, name)),
            true => handshakes,
            false => handshakes.output(&format!("{inside}_o"), port(module, name)),
        };
    }
    let mut registers = registers
        .input("clk_i", clk)
        .input("rst_i", rst)
        .input("write_i", write)
        .input("word_i", word)
        .input("arword_i", arword)
        .output("value_o", value);
    let mut high = count;
    for &(name, width) in written {
        high -= width;
        registers = registers.input(name, Expr::Concat(vec![slice(bits, high + width - 1, high)]));
    }
    module.instances.extend([handshakes, registers]);
    unused(module, seen);
}

/// Says of the bits that no register looks at that nothing reads them; linters know the names.
fn unused(module: &mut Module, seen: &[Bits]) {
    for (name, input, width, _) in AXIL {
        let looked = seen.iter().chain(&WORDS).find(|(port, ..)| *port == name);
        let (high, low) = match looked {
            Some((_, high, 0)) => (width - 1, high + 1),
            Some((.., low)) => (low - 1, 0),
            None if input && name.ends_with("prot") => (width - 1, 0),
            None => continue,
        };
        if high < low {
            continue;
        }
        let wire = module.net(Kind::Wires, format!("unused_{name}"), high - low + 1);
        let rest = Expr::Concat(vec![slice(port(module, name), high, low)]);
        module.assigns.push((wire, rest));
    }
}
