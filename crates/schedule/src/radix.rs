//! How many lanes the switches of a stage have.

use frit_network::options::{OptionSpec, Values};
use std::collections::BTreeMap;

/// The option that builds groups of stages ([`Network::grouped`](frit_network::Network::grouped)) as columns of 4×4 switches.
pub const RADIX: OptionSpec = OptionSpec {
    name: "radix",
    values: Values::Words(&["2", "4"]),
    help: "2: a register after each stage of 2x2 switches; 4: 4x4 switches, a register after two or three stages of 2x2 switches",
    compared: false,
};

/// Whether 4×4 switches are asked for. What is left of the options is what a design with 2×2 switches has in every file.
pub(crate) fn takes_radix4(options: &mut BTreeMap<String, String>) -> bool {
    let asked = options.get(RADIX.name).is_some_and(|radix| radix == "4");
    if !asked {
        options.remove(RADIX.name);
    }
    asked
}
