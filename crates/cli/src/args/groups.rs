//! The headings under which `--help` and manual pages list the options of a command.

use clap::Command;
use std::ffi::OsString;

/// A heading, and the names of the arguments that stand below it, in words. Others stand below "Options".
const GROUPS: &[(&str, &str)] = &[
    ("Words that are sent", "payload notation seed exchanges rounds received"),
    ("Packets of a routed system", "traffic per_source direct hot percent"),
    ("Uneven exchanges", "demand entries two_hop delta planes matchings planner"),
    ("Terminals in racks", "racks uplinks circuits"),
    ("A demand that is made", "words exponent sigma block pairs"),
    ("Tokens and experts", "tokens experts top_k capacity placement workload workload_step routes"),
    ("A demand that is read", "layer experts_per_rank collective coflow window words_per_mb"),
    ("Streams, ports and resets", "axis length buffers port_style tkeep tuser axil reset reset_level"),
    ("A crossbar", "crossbar sources"),
    ("A self-test on a board", "selftest baud"),
    ("Clock, seconds and bytes", "word_bytes link clock"),
    ("How the text is written", "fabric_style units name layout cells fault"),
    ("Engines and proofs", "engines require wave netlist invert_lut formal proof_time"),
    ("Synthesis", "target parts no_pnr prove breakdown synth"),
    ("What counts as a difference", "align ignore_reset only ignore x_is_dont_care common same_length"),
    ("What is drawn", "messages path states step message expansion"),
    ("Order and plots", "sort reverse plot sizes"),
    ("Traces", "settings deliveries events steps"),
    ("What is written", "output force format form schedule schedule_form"),
    ("Every command", "quiet verbose color memory help version"),
];

/// Whether the arguments may ask for the long help: `--help`, or `frit help`.
pub fn is_asked(arguments: &[OsString]) -> bool {
    arguments.iter().any(|argument| argument == "--help" || argument == "help")
}

/// The command whose subcommands list their options in groups.
pub fn grouped(command: Command) -> Command {
    // Arguments of every command are handed down when it is built.
    let command = command.mut_args(under_its_heading);
    command.mut_subcommands(|sub| sub.mut_args(under_its_heading))
}

fn under_its_heading(argument: clap::Arg) -> clap::Arg {
    let own = |(_, names): &&(&str, &str)| names.split_whitespace().any(|name| argument.get_id() == name);
    match GROUPS.iter().find(own) {
        Some((heading, _)) if !argument.is_positional() && argument.get_help_heading().is_none() => {
            argument.help_heading(*heading)
        }
        _ => argument,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, options};
    use clap::CommandFactory;
    use std::collections::BTreeMap;

    #[test]
    fn no_group_of_a_long_help_is_long_and_every_word_is_an_argument() {
        let mut command = grouped(options::of_system(Cli::command(), None));
        command.build();
        let mut unused: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.split_whitespace()).collect();
        for sub in command.get_subcommands() {
            let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
            for argument in sub.get_arguments().filter(|argument| !argument.is_hide_set()) {
                unused.retain(|name| argument.get_id() != *name);
                *groups.entry(argument.get_help_heading().unwrap_or_default()).or_default() += 1;
            }
            let most = groups.iter().max_by_key(|(_, count)| **count);
            // The parameters of the optical device are one group, as long as the device has parameters.
            let device = sub.get_name() == "photonics";
            assert!(device || most.is_none_or(|(_, count)| *count <= 11), "{}: {groups:?}", sub.get_name());
        }
        unused.retain(|name| !["help", "version"].contains(name));
        assert_eq!(unused, Vec::<&str>::new());
    }
}
