//! A matrix of 8 × 8 words, transposed by an exchange; then the Verilog of the network that did it.

use fritillary::{Payload, Request, Style, design, exchange, plan, verilog};

fn main() -> Result<(), fritillary::Refusal> {
    let plan = plan(&Request::new("rls", 8))?;
    let words = Payload::random(8, 16, 1);
    let outcome = exchange(&plan, Some(&words), &mut ());
    assert_eq!(outcome.received, Some(words.transposed()));
    println!("{} cycles, {} messages", outcome.run.cycles, outcome.run.delivered);
    for file in verilog(&design::build(&plan, 16), Style::Unrolled) {
        println!("{}: {} lines", file.name, file.text.lines().count());
    }
    Ok(())
}
