//! Options of the systems on the command line: `--key value` for every `key=value` that the table of systems has. Which
//! ones a help text lists depends on the system that stands on the command line, so they are added at run time.

use super::DesignArgs;
use crate::catalog;
use clap::builder::PossibleValuesParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, ValueHint};
use frit_network::options::{NumberDefault, OptionSpec, Row, Values, list};
use std::ffi::OsString;

/// The name of the argument that says which system, in every command that takes one.
const SYSTEM: &str = "system";

/// In front of the name of an option, so that it cannot be that of another argument.
const PREFIX: &str = "option:";

/// The argument that takes any option.
const SET: &str = "set";

/// Options of a system.
#[derive(Clone, Debug, Default)]
pub struct OptionArgs {
    /// Each as `key=value`, in the order of the command line; what `--set` takes may be anything else.
    pub given: Vec<String>,
}

impl FromArgMatches for OptionArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut given = Vec::new();
        for id in matches.ids().map(|id| id.as_str()) {
            let key = id.strip_prefix(PREFIX);
            if key.is_none() && id != SET {
                continue;
            }
            let values = matches.get_many::<String>(id).into_iter().flatten();
            for (place, value) in matches.indices_of(id).into_iter().flatten().zip(values) {
                given.push((place, key.map_or(value.clone(), |key| format!("{key}={value}"))));
            }
        }
        given.sort_unstable();
        Ok(OptionArgs { given: given.into_iter().map(|(_, pair)| pair).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The options that stand on the command line, as the code names them: `port_style`.
#[derive(Clone, Debug, Default)]
pub struct Given(pub Vec<String>);

impl FromArgMatches for Given {
    /// Of all arguments of the command, so what has this must have it first: those that were taken are gone.
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let on_command_line = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let ids = matches.ids().map(|id| id.as_str()).filter(on_command_line);
        Ok(Given(ids.map(String::from).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Given {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

/// Only `--set` is declared here: [`of_system`] and [`of_all_systems`] add the others.
impl Args for OptionArgs {
    fn augment_args(command: Command) -> Command {
        let set = Arg::new(SET).long(SET).value_name("KEY=VALUE").action(ArgAction::Append);
        command.arg(set.help(
            "Set an option of the system (overrides the design file); --KEY VALUE does the same (SYSTEM --help lists the options)",
        ))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// A design, or none where a subcommand stands in its place. (`Option<DesignArgs>` would be none for `clap` whenever what it
/// flattens has arguments of its own.)
#[derive(Debug)]
pub struct DesignIfAny(pub Option<DesignArgs>);

impl FromArgMatches for DesignIfAny {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = matches.contains_id(SYSTEM);
        given.then(|| DesignArgs::from_arg_matches(matches)).transpose().map(DesignIfAny)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for DesignIfAny {
    fn augment_args(command: Command) -> Command {
        // As for an update: nothing is required.
        DesignArgs::augment_args_for_update(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        DesignArgs::augment_args_for_update(command)
    }
}

/// The command with the options of all systems: those of `row` are listed in the help, the others are taken and hidden,
/// so that one check, which names the options that a system has, refuses them.
pub fn of_system(command: Command, row: Option<&'static Row>) -> Command {
    with_options(command, &|sub| {
        let own = row.into_iter().flat_map(|row| row.options.iter().map(move |spec| (row, spec)));
        let own = own.map(|(row, spec)| {
            let default = match spec.values {
                Values::Number { default: NumberDefault::Computed(formula), .. } => Some(formula.to_string()),
                values => values.default(),
            };
            let default = default.map(|default| format!(" [default: {default}]")).unwrap_or_default();
            let shape = spec.values.to_string();
            let help = format!("{}{default}", spec.help);
            argument(spec.name).value_name(shape).help(help).help_heading(format!("Options of {}", row.key))
        });
        own.chain(names(sub).map(|name| argument(name).hide(true))).collect()
    })
}

/// The command with the options of all systems and their values, for completions and manual pages.
pub fn of_all_systems(command: Command) -> Command {
    with_options(command, &|sub| names(sub).map(described).collect())
}

/// The command in which the systems and `KEY=VALUE` of their options are known words, for completions: a parser takes files and numbers as well.
pub fn with_systems(command: Command) -> Command {
    let systems = || PossibleValuesParser::new(catalog::all_rows().map(|row| row.key));
    command.mut_subcommands(|sub| {
        let has = |sub: &Command, name: &str| sub.get_arguments().any(|argument| argument.get_id() == name);
        let sub = match has(&sub, "systems") {
            true => sub.mut_arg("systems", |argument| argument.value_parser(systems())),
            false => sub,
        };
        if !takes_system(&sub) {
            return sub;
        }
        let sub = sub.mut_arg(SYSTEM, |argument| argument.value_parser(systems()));
        if !has(&sub, SET) {
            return sub;
        }
        sub.mut_arg(SET, |argument| argument.value_parser(PossibleValuesParser::new(pairs())))
    })
}

/// `KEY=VALUE` of every option whose values are words, each once.
fn pairs() -> Vec<String> {
    let specs = catalog::all_rows().flat_map(|row| row.options);
    let mut pairs: Vec<String> = specs
        .flat_map(|spec| spec.values.words().iter().map(move |word| format!("{}={word}", spec.name)))
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The command whose subcommands that take a design have these arguments too, but none that they have already.
fn with_options(command: Command, arguments: &dyn Fn(&Command) -> Vec<Arg>) -> Command {
    command.mut_subcommands(|sub| {
        if !takes_system(&sub) {
            return sub;
        }
        arguments(&sub).into_iter().fold(sub, |sub, argument| {
            let has = |other: &Arg| other.get_long() == argument.get_long();
            if sub.get_arguments().any(has) { sub } else { sub.arg(argument) }
        })
    })
}

fn takes_system(command: &Command) -> bool {
    command.get_arguments().any(|argument| argument.get_id() == SYSTEM)
}

fn argument(name: &'static str) -> Arg {
    let argument = Arg::new(format!("{PREFIX}{name}")).long(name).action(ArgAction::Append);
    let argument = argument.allow_negative_numbers(true).display_order(800);
    let specs = catalog::all_rows().flat_map(|row| row.options);
    match specs.filter(|spec| spec.name == name).any(is_switch) {
        true => argument.num_args(0..=1).default_missing_value("yes"),
        false => argument,
    }
}

/// Whether an option is off or on: then its name alone turns it on.
fn is_switch(spec: &OptionSpec) -> bool {
    spec.values.words() == ["no", "yes"]
}

/// The names of all options, each once, in the order of the table.
fn names(_: &Command) -> impl Iterator<Item = &'static str> + use<> {
    let mut names: Vec<&'static str> = Vec::new();
    for spec in catalog::all_rows().flat_map(|row| row.options) {
        if !names.contains(&spec.name) {
            names.push(spec.name);
        }
    }
    names.into_iter()
}

/// The argument of an option with what it is to every system that has one of this name.
fn described(name: &'static str) -> Arg {
    let of = |row: &'static Row| row.options.iter().find(|spec| spec.name == name);
    let found: Vec<(&Row, &OptionSpec)> =
        catalog::all_rows().filter_map(|row| Some((row, of(row)?))).collect();
    let mut texts: Vec<(String, &str)> = Vec::new();
    for (row, spec) in &found {
        match texts.iter_mut().find(|(_, help)| *help == spec.help) {
            Some((systems, _)) => *systems = format!("{systems}, {}", row.key),
            None => texts.push((row.key.into(), spec.help)),
        }
    }
    let texts: Vec<String> = texts.into_iter().map(|(systems, help)| format!("{systems}: {help}")).collect();
    let argument = argument(name).help(texts.join("; "));
    let mut words: Vec<&'static str> =
        found.iter().flat_map(|(_, spec)| spec.values.words()).copied().collect();
    words.sort_unstable();
    words.dedup();
    if found.iter().any(|(_, spec)| spec.values.takes_file()) {
        argument.value_hint(ValueHint::AnyPath).value_name("NAME|FILE")
    } else if words.is_empty() {
        argument.value_name("NUMBER")
    } else {
        argument.value_parser(PossibleValuesParser::new(words)).value_name("NAME")
    }
}

/// What stands on the command line in the place of the system, if the command takes one. Arguments that the command does
/// not know are passed over: whatever is wrong with them is said when they are parsed.
pub fn named_system(command: &Command, arguments: &[OsString]) -> Option<String> {
    let mut words = arguments.iter().skip(1).map(|word| word.to_string_lossy());
    let mut at = command;
    while let Some(word) = words.next() {
        let takes_value = |test: &dyn Fn(&Arg) -> bool| {
            let mut known = at.get_arguments().chain(command.get_arguments());
            known.any(|argument| test(argument) && argument.get_action().takes_values())
        };
        if let Some(long) = word.strip_prefix("--").filter(|long| !long.is_empty()) {
            let named = |argument: &Arg| {
                let aliases = argument.get_all_aliases().unwrap_or_default();
                argument.get_long() == Some(long) || aliases.contains(&long)
            };
            if takes_value(&named) {
                words.next();
            }
        } else if word.starts_with('-') && word.len() > 1 && word != "--" {
            // Of letters behind one dash the first that takes a value takes what follows it, or the next word.
            let last = word.len() - word.chars().next_back().map_or(0, char::len_utf8);
            let taking = word
                .char_indices()
                .skip(1)
                .find(|(_, letter)| takes_value(&|argument: &Arg| argument.get_short() == Some(*letter)));
            if taking.is_some_and(|(place, _)| place == last) {
                words.next();
            }
        } else if word == "--" {
            continue;
        } else if takes_system(at) {
            return Some(word.into_owned());
        } else {
            at = at.find_subcommand(&*word)?;
        }
    }
    None
}

/// An error about an argument that does not exist, with the options of the system that was named.
pub fn explain(mut error: Error, row: Option<&'static Row>) -> Error {
    let Some(row) = row.filter(|_| error.kind() == ErrorKind::UnknownArgument) else { return error };
    let mut tips = match error.remove(ContextKind::Suggested) {
        Some(ContextValue::StyledStrs(tips)) => tips,
        _ => Vec::new(),
    };
    tips.push(format!("the options of {} are: {}", row.key, list(row.options)).into());
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::CommandFactory;

    fn named(line: &str) -> Option<String> {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        named_system(&of_system(Cli::command(), None), &words)
    }

    #[test]
    fn the_system_is_found_wherever_it_stands() {
        for line in [
            "frit simulate rls -n 16",
            "frit --color never simulate -n 16 rls",
            "frit simulate --terminals=16 --plan windowed rls --help",
            "frit generate -o gsen -qn4 rls",
            "frit generate -qo gsen rls",
            "frit -q schedule --round 3 --check -- rls",
            "frit relation --load 3 rls",
            "frit simulate --unheard-of rls",
        ] {
            assert_eq!(named(line).as_deref(), Some("rls"), "{line}");
        }
        for line in [
            "frit systems",
            "frit",
            "frit compare -n 16 --systems rls",
            "frit nothing rls",
            "frit simulate -n 3",
        ] {
            assert_eq!(named(line), None, "{line}");
        }
    }

    #[test]
    fn what_a_command_has_already_is_not_added() {
        // `clap` panics on two arguments of one name.
        of_system(Cli::command(), catalog::row("xor")).debug_assert();
        of_all_systems(Cli::command()).debug_assert();
    }
}
