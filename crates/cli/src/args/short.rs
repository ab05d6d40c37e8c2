//! The short help of `-h`: what a command is mostly given, and its first examples. `--help` has everything.

use clap::Command;
use clap::builder::StyledStr;

/// The arguments that stand in the short help of every command that has them, in words.
const USUAL: &str = "system what file shell terminals width output format systems demand received wave deliveries \
     engines axis axil crossbar length selftest kind words seed round check synth sort target \
     word_bytes link clock schedule board list layout still delta experts_per_rank help";

/// Lines of examples, the heading included.
const EXAMPLES: usize = 4;

/// The command whose subcommands have a short help and a long one.
pub fn shortened(command: Command) -> Command {
    // Those of every command.
    let command = command.mut_args(|argument| match argument.is_global_set() {
        true => argument.hide_short_help(true),
        false => argument,
    });
    command.mut_subcommands(|sub| {
        let sub = sub.mut_args(|argument| {
            let usual =
                argument.is_positional() || USUAL.split_whitespace().any(|usual| argument.get_id() == usual);
            match usual || argument.is_hide_short_help_set() {
                true => argument,
                false => argument.hide_short_help(true),
            }
        });
        let Some(after) = sub.get_after_help().map(StyledStr::to_string) else { return sub };
        let few: Vec<&str> = after.lines().take_while(|line| !line.is_empty()).take(EXAMPLES).collect();
        let long = sub.get_after_long_help().map_or(after.clone(), StyledStr::to_string);
        sub.after_long_help(long).after_help(few.join("\n"))
    })
}

/// Whether an argument is one of the terms of the long help only.
#[cfg(test)]
fn is_long(argument: &clap::Arg) -> bool {
    argument.is_hide_short_help_set()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, options};
    use crate::catalog;
    use clap::CommandFactory;

    #[test]
    fn short_help_fits_a_screen_and_every_word_is_an_argument() {
        let mut command = shortened(options::of_system(Cli::command(), catalog::row("rls")));
        command.build();
        let mut unused: Vec<&str> = USUAL.split_whitespace().collect();
        for sub in command.get_subcommands_mut() {
            unused.retain(|usual| !sub.get_arguments().any(|argument| argument.get_id() == *usual));
            let all = sub.render_long_help().to_string();
            let short = sub.clone().max_term_width(100).term_width(100).render_help().to_string();
            assert!(short.lines().count() <= 40, "{} has {} lines", sub.get_name(), short.lines().count());
            let hidden = sub.get_arguments().filter(|argument| is_long(argument) && !argument.is_hide_set());
            for long in hidden.filter_map(clap::Arg::get_long) {
                assert!(all.contains(&format!("--{long}")), "{} --help has no --{long}", sub.get_name());
            }
        }
        assert_eq!(unused, Vec::<&str>::new());
    }
}
