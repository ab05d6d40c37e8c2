//! The row of the table of routed systems.

use super::parameters::{MAX_BUNDLE, MAX_PAYLOAD, MAX_QUEUE, Mode, Parameters, Switch};
use frit_network::Refusal;
use frit_network::options::{NumberDefault, OptionSpec, Request, Row, Values};

const fn number(name: &'static str, max: u32, default: NumberDefault, help: &'static str) -> OptionSpec {
    OptionSpec { name, values: Values::Number { min: 1, max: max as u64, default }, help, compared: false }
}

/// How the system describes itself.
pub static ROW: Row = Row {
    key: "dilated",
    title: "dilated butterfly: packets in bit steps",
    sizes: "powers of two from 2",
    cycles: "4n + M - 1 if no bundle has more packets than edges",
    drivers: "the packets' headers",
    paper: "Fast algorithms for bit-serial routing on a hypercube, section 2",
    options: &[
        number(
            "bundle",
            MAX_BUNDLE,
            NumberDefault::Computed("for a chance of overload of 1/1000"),
            "edges in a bundle, b",
        ),
        number(
            "per-input",
            MAX_BUNDLE,
            NumberDefault::Computed("n"),
            "packets that each row sends, unless a file lists the packets",
        ),
        number("payload", MAX_PAYLOAD, NumberDefault::Fixed(32), "bits after the header of a packet, M"),
        number("queue", MAX_QUEUE, NumberDefault::Fixed(2), "bits that can wait at the end of an edge, Q"),
        OptionSpec {
            name: "switch",
            values: Values::Words(&["strong", "weak"]),
            help: "strong: a switch examines all its edges in a step; weak: a switch examines one edge of each bundle in a step",
            compared: false,
        },
        OptionSpec {
            name: "mode",
            values: Values::Words(&["unrolled", "barrier"]),
            help: "unrolled: a network for each of the two passes; barrier: one network for both passes, with a barrier between them",
            compared: false,
        },
        OptionSpec {
            name: "release",
            values: Values::Words(&["no", "yes"]),
            help: "yes: an edge can be used again when its packet has left it; no: an edge is used once",
            compared: false,
        },
    ],
    example: 16,
};

/// A dilated butterfly as asked for: without its traffic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dilated {
    /// The parameters. `direct` and `seed` belong to the traffic: they are off and 1 here.
    pub parameters: Parameters,
    /// Packets that each row sends, if no file says it.
    pub per_input: u32,
}

/// The system of a request whose options have been checked against the row.
///
/// # Errors
///
/// A size that does not exist.
pub fn dilated(request: &Request) -> Result<Dilated, Refusal> {
    let text = |name: &str| request.options.get(name).map(String::as_str);
    let number = |name: &str| text(name).and_then(|text| text.parse::<u32>().ok());
    let mut parameters = Parameters::new(request.terminals, 1, 1);
    let dimensions = parameters.network()?.dimensions();
    let per_input = number("per-input").unwrap_or(dimensions);
    parameters.bundle = number("bundle")
        .unwrap_or_else(|| super::claims::bundle_for(dimensions, per_input, 1e-3).min(MAX_BUNDLE));
    parameters.payload = number("payload").unwrap_or(parameters.payload);
    parameters.queue = number("queue").unwrap_or(parameters.queue);
    if text("switch") == Some("weak") {
        parameters.switch = Switch::Weak;
    }
    if text("mode") == Some("barrier") {
        parameters.mode = Mode::Barrier;
    }
    parameters.release = text("release") == Some("yes");
    parameters.network()?;
    Ok(Dilated { parameters, per_input })
}
