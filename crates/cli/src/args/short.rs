//! The short help (`-h`): the arguments that most users need, and the first examples. `--help` lists all arguments.

use clap::Command;
use clap::builder::StyledStr;
use std::ffi::OsString;

/// The names of the arguments that the short help of a command shows, if it has them, in words.
const USUAL: &str = "system what file shell terminals width output format systems demand received wave deliveries \
     engines axis axil crossbar length selftest kind words seed round check synth sort target \
     word_bytes link clock schedule board list layout still delta experts_per_rank help";

/// Lines of examples in the short help, with their heading.
const EXAMPLES: usize = 4;

/// Whether the arguments may ask for the short help: `-h`, alone or among other letters. To shorten the help of all commands takes as long as all else
/// that a command does before it begins.
pub fn is_asked(arguments: &[OsString]) -> bool {
    let letters = |argument: &OsString| {
        let text = argument.to_string_lossy();
        text.starts_with('-') && !text.starts_with("--") && text.contains('h')
    };
    arguments.iter().any(letters)
}

/// The command whose subcommands have a short help and a long one.
pub fn shortened(command: Command) -> Command {
    // Arguments of every command are in the long help only.
    let command = command.mut_args(|argument| {
        let global = argument.is_global_set();
        argument.hide_short_help(global)
    });
    command.mut_subcommands(|sub| {
        let sub = sub.mut_args(|argument| {
            let usual =
                argument.is_positional() || USUAL.split_whitespace().any(|usual| argument.get_id() == usual);
            argument.hide_short_help(!usual)
        });
        let Some(after) = sub.get_after_help().map(StyledStr::to_string) else { return sub };
        let few: Vec<&str> = after.lines().take_while(|line| !line.is_empty()).take(EXAMPLES).collect();
        let long = sub.get_after_long_help().map_or(after.clone(), StyledStr::to_string);
        sub.after_long_help(long).after_help(few.join("\n"))
    })
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
            let hidden = sub
                .get_arguments()
                .filter(|argument| argument.is_hide_short_help_set() && !argument.is_hide_set());
            for long in hidden.filter_map(clap::Arg::get_long) {
                assert!(all.contains(&format!("--{long}")), "{} --help has no --{long}", sub.get_name());
            }
        }
        assert_eq!(unused, Vec::<&str>::new());
    }
}
