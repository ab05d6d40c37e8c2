//! The row of the table of routed systems.

use super::parameters::{MAX_PAYLOAD, MAX_ROUNDS, MAX_THRESHOLD, Order, Parameters};
use frit_network::multibutterfly::shape::MAX_DEGREE;
use frit_network::options::{NumberDefault, OptionSpec, Request, Row, Values};
use frit_network::{MultiButterfly, Refusal, refuse};
use std::sync::Arc;

const fn number(
    name: &'static str,
    min: u64,
    max: u32,
    default: NumberDefault,
    help: &'static str,
) -> OptionSpec {
    OptionSpec { name, values: Values::Number { min, max: max as u64, default }, help, compared: false }
}

const fn words(name: &'static str, words: &'static [&'static str], help: &'static str) -> OptionSpec {
    OptionSpec { name, values: Values::Words(words), help, compared: false }
}

/// The option that takes a user's wires.
pub const WIRING: OptionSpec = OptionSpec {
    name: "wiring",
    values: Values::WordsOrFile(&["random"]),
    help: "random: wires drawn from the seed; or a file with the wires (frit network --format json writes one)",
    compared: false,
};

/// How the system describes itself.
pub static ROW: Row = Row {
    key: "multibutterfly",
    title: "multibutterfly: deterministic h-relations",
    sizes: "powers of two from 2",
    cycles: "O(h ceil(X / log N) + log N) word steps, O(h (X + log N)) bit steps",
    drivers: "requests, grants and ghosts",
    paper: "Deterministic routing of h-relations on the multibutterfly, section 3",
    options: &[
        number(
            "d",
            1,
            MAX_DEGREE,
            NumberDefault::Computed("4, at most n / 2"),
            "ports of a node on each side, d",
        ),
        number(
            "r",
            1,
            MAX_DEGREE,
            NumberDefault::Computed("2, at most d"),
            "ports that a side commits to, R: a power of two",
        ),
        number(
            "h",
            1,
            MAX_THRESHOLD,
            NumberDefault::Fixed(8),
            "declared degree of the h-relation; a side with a size of at most h commits without asking",
        ),
        number(
            "ha",
            0,
            MAX_THRESHOLD,
            NumberDefault::Computed("h"),
            "messages of a row, unless a file lists the messages",
        ),
        number(
            "l",
            1,
            1 << 20,
            NumberDefault::Fixed(1),
            "every l-th row sends and receives, L: a power of two",
        ),
        number("z", 1, MAX_ROUNDS, NumberDefault::Fixed(2), "rounds of requests in a phase, Z"),
        number("y", 1, MAX_ROUNDS, NumberDefault::Fixed(3), "rounds of moves in a phase, Y"),
        words(
            "strict",
            &["yes", "no"],
            "yes: sizes are greater than counts; no: sizes are not less than counts",
        ),
        number(
            "free",
            0,
            1 << 20,
            NumberDefault::Computed("2d"),
            "splitters of at most this many inputs commit without asking",
        ),
        number("x", 0, MAX_PAYLOAD, NumberDefault::Fixed(0), "payload bits, X; 0: messages move as words"),
        words(
            "force",
            &["no", "yes"],
            "yes: a side that is not granted enough ports commits to its least requested ports",
        ),
        words(
            "order",
            &["parallel", "sequential"],
            "parallel: both sides of a node at once; sequential: upper sides first",
        ),
        words("rerun", &["no", "yes"], "yes: if a run is stuck, run again with h doubled"),
        WIRING,
    ],
    example: 16,
};

/// A multibutterfly as asked for: without its traffic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multibutterfly {
    /// The parameters. `seed` belongs to the traffic: it is 1 here.
    pub parameters: Parameters,
    /// A run that is stuck is made again with h doubled, as often as it takes.
    pub rerun: bool,
    /// A user's wires.
    pub wiring: Option<Arc<MultiButterfly>>,
}

/// The system of a request whose options have been checked against the row.
///
/// # Errors
///
/// A size that does not exist, and options that contradict each other.
pub fn multibutterfly(request: &Request) -> Result<Multibutterfly, Refusal> {
    let outputs = (request.terminals / 2).clamp(1, MAX_DEGREE.into()) as u32;
    let parameters = parameters(request, request.terminals, outputs.min(4))?;
    if parameters.degree > outputs {
        refuse!(
            "d = {}: the ports of a node on a side lead to different outputs, and the largest splitter has n / 2 = {outputs}; d must be from 1 to {outputs}",
            parameters.degree
        );
    }
    Ok(Multibutterfly { parameters, rerun: word(request, "rerun", "yes"), wiring: None })
}

/// The same on a user's wires, which give the rows, and d unless it is given, too.
///
/// # Errors
///
/// The same, and another d than that of the wires.
pub fn with_wiring(request: &Request, wiring: MultiButterfly) -> Result<Multibutterfly, Refusal> {
    let shape = wiring.shape();
    let parameters = parameters(request, shape.rows().into(), shape.degree())?;
    if parameters.degree != shape.degree() {
        refuse!(
            "the wiring has {} rows and d = {}, not {} rows and d = {}",
            shape.rows(),
            shape.degree(),
            shape.rows(),
            parameters.degree
        );
    }
    Ok(Multibutterfly { parameters, rerun: word(request, "rerun", "yes"), wiring: Some(Arc::new(wiring)) })
}

fn word(request: &Request, name: &str, word: &str) -> bool {
    request.options.get(name).is_some_and(|given| given == word)
}

fn parameters(request: &Request, rows: u64, degree: u32) -> Result<Parameters, Refusal> {
    let number = |name: &str| request.options.get(name).and_then(|text| text.parse::<u32>().ok());
    let default = Parameters::new(rows, 1);
    let degree = number("d").unwrap_or(degree);
    let threshold = number("h").unwrap_or(default.threshold);
    let parameters = Parameters {
        degree,
        threshold,
        committed: number("r").unwrap_or(default.committed.min(degree)),
        offered: number("ha").unwrap_or(threshold),
        stride: number("l").unwrap_or(default.stride),
        requests: number("z").unwrap_or(default.requests),
        moves: number("y").unwrap_or(default.moves),
        strict: !word(request, "strict", "no"),
        free: number("free").unwrap_or(2 * degree),
        payload: number("x").unwrap_or(default.payload),
        force: word(request, "force", "yes"),
        order: if word(request, "order", "sequential") { Order::Sequential } else { Order::Parallel },
        ..default
    };
    parameters.shape()?;
    Ok(parameters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::multibutterfly::wiring;
    use crate::systems::router;
    use frit_network::multibutterfly::Shape;

    #[test]
    fn a_request_gives_its_parameters() {
        let request = Request::new("multibutterfly", 16).with("d", "8").with("r", "4").with("strict", "no");
        let system = router(&request.with("h", "12").with("x", "5")).unwrap();
        let system = system.of::<Multibutterfly>().unwrap().clone();
        let expected = Parameters {
            degree: 8,
            committed: 4,
            threshold: 12,
            offered: 12,
            strict: false,
            free: 16,
            payload: 5,
            ..Parameters::new(16, 1)
        };
        assert_eq!((system.parameters, system.rerun, system.wiring), (expected, false, None));
        let default = router(&Request::new("multibutterfly", 16)).unwrap();
        assert_eq!(default.of::<Multibutterfly>().unwrap().parameters, Parameters::new(16, 1));
    }

    #[test]
    fn a_wiring_gives_rows_and_degree() {
        let wired = || wiring::random(Shape::new(8, 3).unwrap(), 7);
        let request = Request::new("multibutterfly", 0);
        let system = with_wiring(&request, wired()).unwrap();
        assert_eq!((system.parameters.rows, system.parameters.degree, system.parameters.free), (8, 3, 6));
        let text = with_wiring(&request.with("d", "4"), wired()).unwrap_err().to_string();
        assert_eq!(text, "the wiring has 8 rows and d = 3, not 8 rows and d = 4");
    }
}
