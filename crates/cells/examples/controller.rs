//! Prints the Verilog of a de Bruijn controller, `controller RULE ORDER [SEQUENCE]`: the rule is successor, feedback or
//! table, the sequence prefer-one, prefer-same or granddaddy, the module `controller`.

#[path = "../tests/common/controller.rs"]
mod controller;

use frit_cells::cells::{CellSpec, FeedbackSpec, NextBitTableSpec, SuccessorSpec};
use frit_cells::netlist::print;
use frit_schedule::de_bruijn::DeBruijn;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (rule, order, name) = match args[..] {
        [rule, order] => (rule, order.parse()?, "prefer-one"),
        [rule, order, name] => (rule, order.parse()?, name),
        _ => return Err("usage: controller RULE ORDER [SEQUENCE]".into()),
    };
    let sequence = match name {
        "prefer-one" => DeBruijn::prefer_one(order)?,
        "prefer-same" => DeBruijn::prefer_same(order)?,
        "granddaddy" => DeBruijn::granddaddy(order)?,
        _ => return Err(format!("no sequence {name}: prefer-one, prefer-same or granddaddy").into()),
    };
    let part = name.replace('-', "_");
    let spec = match rule {
        "successor" if name == "prefer-one" && order > 1 => CellSpec::from(SuccessorSpec { order }),
        "successor" => return Err("the successor rule is that of prefer-one, of order 2 at least".into()),
        "feedback" => FeedbackSpec::of(&sequence, &part)
            .map(CellSpec::from)
            .ok_or_else(|| format!("no feedback function is minimised for order {order}"))?,
        "table" => NextBitTableSpec::of(&sequence, &part).into(),
        _ => return Err(format!("no rule {rule}: successor, feedback or table").into()),
    };
    let netlist = controller::controller("controller", order, sequence.word(0) as u64, spec);
    for file in print::files(&netlist, print::Style::Unrolled) {
        print!("{}", file.text);
    }
    Ok(())
}
