//! Two forms of one design: its Verilog and its netlist, or the unrolled and the compact form.

use super::aiger::{Aig, Latch, Literal};
use super::graph::{Start, graph};
use super::replay::{first_violation, write};
use super::simulate::{Stimuli, counterexample};
use super::{Ground, Proof, Verdict, abc, write_sources};
use crate::campaign::Mapping;
use crate::synth::netlist::{self, FILE};
use frit_cells::netlist::print::{Style, files};
use frit_cells::netlist::{Kind, Netlist};
use frit_network::{Refusal, refusal, refuse};
use frit_trace::output::{make_folder, write_file};
use std::path::Path;
use std::time::Instant;

/// What the unrolled Verilog is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// The netlist that Yosys makes of it.
    Netlist(Mapping),
    Compact,
}

/// The graph of what the two forms do not have in common.
const MITER: &str = "miter.aig";

impl Against {
    /// Its name in reports, and that of its graph.
    fn names(self) -> (String, &'static str) {
        match self {
            Against::Netlist(mapping) => (format!("= its netlist for {}", mapping.family.title()), "netlist"),
            Against::Compact => ("= its compact form".into(), "compact"),
        }
    }
}

/// Proves that `D_exchange` and another form of it show the same at every output in every cycle behind a first one with a
/// reset, all registers being 0 before it. Files: `unrolled/`, those of the other form, and `equal-NAME/`.
pub fn prove_equal(ground: &Ground, design: &Netlist, against: Against) -> Result<Proof, Refusal> {
    let start = Instant::now();
    let (property, name) = against.names();
    let folder = ground.folder.join(format!("equal-{name}"));
    make_folder(&folder)?;
    let exchange = design.top().name.clone();
    write_file(&folder.join("begun.v"), begun(design))?;
    let side = |sources: Vec<String>, name: &str| {
        let files: Vec<String> = sources.into_iter().chain(["begun.v".into()]).collect();
        graph(ground.tools, &folder, name, &files, "begun", Start::Zero)
    };
    let sources = write_sources(ground, "unrolled", &files(design, Style::Unrolled))?;
    let others = match against {
        Against::Compact => write_sources(ground, "compact", &files(design, Style::Compact))?,
        Against::Netlist(mapping) => write_netlist(ground, &folder, mapping, &sources, &exchange)?,
    };
    let ((a, a_symbols), (b, b_symbols)) = (side(sources, "unrolled")?, side(others, name)?);
    let miter = miter(&a, &b)
        .ok_or_else(|| refusal!("{}: the two forms have other ports", folder.join(MITER).display()))?;
    write_file(&folder.join(MITER), miter.write())?;
    if !sees_a_difference(&a, &b, &a_symbols.input("rst_i").unwrap_or_default()) {
        refuse!(
            "{}: the comparison is blind: no planted difference shows at an output",
            folder.join(MITER).display()
        );
    }
    let verdict = match abc::search(ground.tools, &folder, MITER, true, ground.limit)? {
        abc::Answer::Never { depth } => Verdict::Proved { depth, lemmas: 0 },
        abc::Answer::Open => Verdict::Open,
        abc::Answer::Rises { inputs } => {
            let violation = first_violation(&miter, &inputs, miter.outputs[0], &[]);
            let (cycle, _) = violation.ok_or_else(|| {
                refusal!(
                    "the counterexample in {} does not show a violation when it is simulated",
                    folder.display()
                )
            })?;
            let inputs = &inputs[..=cycle as usize];
            let wave = folder.join("unrolled.vcd");
            write(&wave, "begun", &a, &a_symbols, inputs)?;
            write(&folder.join(format!("{name}.vcd")), "begun", &b, &b_symbols, inputs)?;
            Verdict::Refuted { cycle, what: vec!["an output"], wave }
        }
    };
    Ok(Proof { property, engine: "signal correspondence, then IC3", verdict, time: start.elapsed() })
}

/// Maps the design; gives the names of the files of its netlist.
fn write_netlist(
    ground: &Ground,
    folder: &Path,
    mapping: Mapping,
    sources: &[String],
    top: &str,
) -> Result<Vec<String>, Refusal> {
    let mut text = netlist::map(ground.tools, mapping.family, folder, sources, top, &[])?;
    if let Some(lut) = mapping.inverted_lut {
        text = netlist::invert_lut(mapping.family, &text, lut)?;
        write_file(&folder.join(FILE), &text)?;
    }
    write_file(&folder.join("cells.v"), netlist::models(ground.tools, mapping.family, &text)?)?;
    Ok(vec!["cells.v".into(), FILE.into()])
}

/// A module around the design that resets it in the first cycle and shows its outputs from then on, inverted while `flip_i` is
/// high: Yosys leaves constant outputs out of a graph, and there are none then.
fn begun(design: &Netlist) -> String {
    let top = design.top();
    let (mut ports, mut wires, mut connections, mut shown) =
        (String::new(), String::new(), Vec::new(), Vec::new());
    let mut bits = 0;
    for signal in &top.signals {
        let (name, width) = (&signal.name, signal.lanes * signal.width);
        let range = width - 1;
        match signal.kind {
            Kind::Input => {
                ports += &format!("  input wire [{range}:0] {name},\n");
                let driver = if name == "rst_i" { "rst_i | ~begun" } else { name };
                connections.push(format!(".{name}({driver})"));
            }
            Kind::Output => {
                wires += &format!("  wire [{range}:0] {name};\n");
                connections.push(format!(".{name}({name})"));
                shown.push(name.as_str());
                bits += width;
            }
            _ => {}
        }
    }
    format!(
        "module begun (\n{ports}  input wire flip_i,\n  output wire [{}:0] shown_o\n);\n{wires}  reg begun = 1'b0;\n  \
         always @(posedge clk_i) begun <= 1'b1;\n  {} u_exchange ({});\n  \
         assign shown_o = {{{bits}{{flip_i}}}} ^ (begun ? {{{}}} : {bits}'d0);\nendmodule\n",
        bits - 1,
        top.name,
        connections.join(", "),
        shown.join(", ")
    )
}

/// Registers of the other form that are broken, at most, until one shows.
const PLANTED: usize = 16;

/// Whether a difference that is planted into the second graph shows when both are simulated: a register of it takes the opposite
/// of what it should. Else two graphs of nothing, or outputs that are never shown, would be equal.
fn sees_a_difference(a: &Aig, b: &Aig, resets: &[u32]) -> bool {
    let latches = b.latches.len();
    let candidates = (0..latches).step_by((latches / PLANTED).max(1)).take(PLANTED);
    candidates.into_iter().any(|at| {
        let mut broken = b.clone();
        broken.latches[at].next ^= 1;
        let stimuli = Stimuli { rare: resets, cycles: 256, batches: 2 };
        miter(a, &broken).is_some_and(|miter| counterexample(&miter, miter.outputs[0], &stimuli).is_some())
    })
}

/// Both graphs with the same inputs, and one output: whether some output of theirs differs.
fn miter(a: &Aig, b: &Aig) -> Option<Aig> {
    if (a.inputs, a.outputs.len()) != (b.inputs, b.outputs.len()) {
        return None;
    }
    let latches = vec![Latch { next: 0 }; a.latches.len() + b.latches.len()];
    let mut miter = Aig { inputs: a.inputs, latches, ..Aig::default() };
    let mut outputs = Vec::new();
    let mut first_latch = 0;
    for side in [a, b] {
        let mut literals: Vec<Literal> = vec![0];
        literals.extend((0..a.inputs).map(|input| miter.input(input)));
        literals.extend((first_latch..).take(side.latches.len()).map(|latch| miter.latch(latch)));
        let of = |literals: &[Literal], literal: Literal| literals[literal as usize / 2] ^ (literal & 1);
        for &[x, y] in &side.ands {
            let and = miter.and(of(&literals, x), of(&literals, y));
            literals.push(and);
        }
        for (at, latch) in (first_latch..).zip(&side.latches) {
            miter.latches[at as usize].next = of(&literals, latch.next);
        }
        outputs.push(side.outputs.iter().map(|output| of(&literals, *output)).collect::<Vec<_>>());
        first_latch += side.latches.len() as u32;
    }
    let pairs = outputs[0].clone().into_iter().zip(outputs[1].clone());
    let differ: Vec<Literal> = pairs.map(|(x, y)| miter.differ(x, y)).collect();
    let any = miter.or_all(&differ);
    miter.outputs = vec![any];
    Some(miter)
}

#[cfg(test)]
mod tests {
    use super::super::replay::Replay;
    use super::*;

    /// A register that takes what both inputs are together, or what one of them is.
    fn example(either: bool) -> Aig {
        let mut aig = Aig { inputs: 2, latches: vec![Latch { next: 0 }], ..Aig::default() };
        let inputs = [aig.input(0), aig.input(1)];
        aig.latches[0].next = if either { aig.or_all(&inputs) } else { aig.and_all(&inputs) };
        aig.outputs = vec![aig.latch(0)];
        aig
    }

    #[test]
    fn a_blind_comparison_is_noticed() {
        let one = example(false);
        assert!(sees_a_difference(&one, &one, &[]));
        // Outputs that are constant show nothing, and neither do graphs without registers.
        let blind = Aig { outputs: vec![0], ..one.clone() };
        assert!(!sees_a_difference(&blind, &blind, &[]));
        let empty = Aig { inputs: 2, outputs: vec![0], ..Aig::default() };
        assert!(!sees_a_difference(&empty, &empty, &[]));
    }

    #[test]
    fn a_miter_rises_where_the_two_differ() {
        let miter = miter(&example(false), &example(true)).unwrap();
        let mut replay = Replay::new(&miter);
        let mut shown = Vec::new();
        for inputs in [[true, true], [true, false], [false, false], [false, false]] {
            replay.cycle(&inputs);
            shown.push(replay.value(miter.outputs[0]));
        }
        assert_eq!(shown, [false, false, true, false]);
        assert_eq!(super::miter(&miter, &Aig::default()), None);
    }
}
