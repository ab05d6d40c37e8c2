//! What the form offers around a streamed permutation, as options beside those of the system: the names are those of `frit generate`.

pub use frit_cells::design::permute::Dress;
use frit_cells::design::pinout::Pinout;
use frit_network::options::{OptionSpec, Values, complete};
use frit_network::{Refusal, refuse};
use std::collections::BTreeMap;

const fn words(name: &'static str, words: &'static [&'static str], help: &'static str) -> OptionSpec {
    OptionSpec { name, values: Values::Words(words), help, compared: false }
}

pub const OPTIONS: &[OptionSpec] = &[
    words(
        "port-style",
        &["packed", "axis"],
        "axis adds a top with the names of AXI4-Stream: aclk, s_axis_tdata",
    ),
    words("reset", &["sync", "async"], "async adds a top whose reset may come and go at any time"),
    words("reset-level", &["usual", "high", "low"], "usual is low with port-style axis, and high without it"),
    words(
        "axil",
        &["no", "yes"],
        "with port-style axis: registers behind an AXI4-Lite port that identify the core",
    ),
];

/// Takes these options out of those that are given for a system.
///
/// # Errors
/// If a word is unknown, or registers are asked for without `port-style` axis.
pub fn taken(system: &'static str, given: &mut BTreeMap<String, String>) -> Result<Dress, Refusal> {
    let mut own = BTreeMap::new();
    for spec in OPTIONS {
        own.extend(given.remove_entry(spec.name));
    }
    let own = complete(system, OPTIONS, &own)?;
    let is = |name: &str, word: &str| own.get(name).is_some_and(|given| given == word);
    let (axis, registers) = (is("port-style", "axis"), is("axil", "yes"));
    if registers && !axis {
        refuse!("axil=yes needs port-style=axis; give both");
    }
    let low = (!is("reset-level", "usual")).then(|| is("reset-level", "low"));
    Ok(Dress { pinout: Pinout::of(axis, is("reset", "async"), low), registers })
}
