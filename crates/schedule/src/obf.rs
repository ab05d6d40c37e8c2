//! The optical butterfly with systolic routing: one control bit, taken from a de Bruijn sequence, for all routers at a
//! time ([`systolic`](crate::systolic)).

use crate::de_bruijn::{DeBruijn, SequenceError};
use crate::pipeline::PIPELINE;
use crate::plan::{CUSTOM, Control, Figures, Plan};
use crate::stuck::STUCK;
use crate::systolic::Systolic;
use frit_network::options::{OptionSpec, Request, Row, Values, complete};
use frit_network::{Refusal, optical_butterfly, refusal, refuse};
use std::collections::BTreeMap;

/// Where this comes from.
pub const SOURCE: &str = "Systolic Routing in an Optical Butterfly, sections 2 and 3";

/// The sequences that a request can name; the first is the paper's.
pub const SEQUENCES: &[&str] = &["prefer-one", "prefer-same", "granddaddy"];

/// The option that says which sequence.
pub const SEQUENCE: OptionSpec = OptionSpec {
    name: "sequence",
    values: Values::WordsOrFile(SEQUENCES),
    help: "de Bruijn sequence that controls the routers: a built-in sequence, or a file with your own",
    compared: false,
};

/// The system in the table.
pub static ROW: Row = Row {
    key: "obf",
    title: "Systolic routing in the optical butterfly, one control bit for all routers",
    sizes: "N = 2^r, r >= 2",
    cycles: "2^(r-1) + r - 1",
    drivers: "one for the whole network, a de Bruijn sequence",
    paper: SOURCE,
    options: &[
        SEQUENCE,
        OptionSpec {
            name: "controller",
            values: Values::Words(&["auto", "successor", "feedback", "table"]),
            help: "how the hardware computes the next bit; auto: by the successor rule if the sequence has one",
            compared: false,
        },
        OptionSpec {
            name: "fanout",
            values: Values::Words(&["shared", "per-level"]),
            help: "one control line for all routers, or one register for each level",
            compared: false,
        },
        PIPELINE,
        STUCK,
    ],
    example: 16,
};

/// The largest order for which hardware has a minimised feedback function.
pub const FEEDBACK_MAX_ORDER: u32 = 10;

/// The plan of a request, whose sequence is a built-in one.
pub fn plan(request: &Request) -> Result<Plan, Refusal> {
    let network = optical_butterfly(request.terminals)?;
    let systolic =
        Systolic::new(named(request.terminals, &request.options[SEQUENCE.name]).map_err(Refusal::new)?);
    check_controller(&request.options, systolic.sequence().order())?;
    Ok(build(network, request.options.clone(), systolic))
}

/// The sequence for `terminals` processors with this name.
fn named(terminals: u64, name: &str) -> Result<DeBruijn, SequenceError> {
    let order = terminals.trailing_zeros() - 1;
    match name {
        "prefer-same" => DeBruijn::prefer_same(order),
        "granddaddy" => DeBruijn::granddaddy(order),
        _ => DeBruijn::prefer_one(order),
    }
}

/// Refuses a way to make the next bit that the sequence has not.
fn check_controller(options: &BTreeMap<String, String>, order: u32) -> Result<(), Refusal> {
    let (controller, sequence) = (options["controller"].as_str(), options[SEQUENCE.name].as_str());
    let reason = match controller {
        "successor" if sequence == CUSTOM => {
            "there is a successor rule for prefer-one, not for a sequence from a file".into()
        }
        "successor" if sequence != SEQUENCES[0] => {
            format!("there is a successor rule for prefer-one, not for {sequence}")
        }
        "feedback" if order > FEEDBACK_MAX_ORDER => {
            format!(
                "feedback functions are minimised up to order {FEEDBACK_MAX_ORDER}, this sequence has order {order}"
            )
        }
        _ => return Ok(()),
    };
    Err(refusal!("controller={controller}: {reason}; controller=table always exists, and auto chooses"))
}

/// The plan of a request with a sequence of the user's, which must be of order log2 N - 1, in place of a built-in one; what
/// the request says of the sequence is not looked at. The plan's option `sequence` is [`CUSTOM`], so its request does
/// not give it again.
pub fn plan_with_sequence(request: &Request, sequence: DeBruijn) -> Result<Plan, Refusal> {
    let terminals = request.terminals;
    let mut given = request.options.clone();
    given.remove(SEQUENCE.name);
    let mut options = complete(ROW.key, ROW.options, &given)?;
    options.insert(SEQUENCE.name.into(), CUSTOM.into());
    let network = optical_butterfly(terminals)?;
    let order = terminals.trailing_zeros() - 1;
    if sequence.order() != order {
        refuse!(
            "obf with {terminals} terminals needs a de Bruijn sequence of order {order} (2^{order} bits), not of order {}",
            sequence.order()
        );
    }
    check_controller(&options, order)?;
    Ok(build(network, options, Systolic::new(sequence)))
}

fn build(network: frit_network::Network, options: BTreeMap<String, String>, systolic: Systolic) -> Plan {
    let (terminals, r, rounds) = (network.terminals(), systolic.dimension(), systolic.period());
    let cycles = rounds as u64 + r as u64 - 1;
    let per_level = options.get("fanout").is_some_and(|fanout| fanout == "per-level");
    // Prefer-one is computed from the state alone; the others are read from a table of next bits.
    let stored_bits = if options[SEQUENCE.name] == SEQUENCES[0] { 0 } else { rounds as u64 };
    let reason = format!("each processor takes {terminals} messages, two a step, the first after {r} edges");
    let figures = Figures {
        drivers: if per_level { r as u64 - 1 } else { 1 },
        stored_bits,
        ..Figures::tight(cycles, reason, SOURCE)
    };
    let plan = Plan::new(&ROW, &options, network, rounds, Control::Systolic(systolic), figures);
    // The first edge leads from a processor to a router of level 1.
    Plan { entry_delay: 1, ..plan }
}

#[cfg(test)]
mod tests;
