//! The `frit` command as a library: the program `frit` and the Python package run it.
//!
//! A program calls [`command`], which talks to stdout and stderr. [`captured`] runs a command and gives what it would have printed. The
//! functions of [`library`] take arguments as the command does, with its checks and errors, and give values in place of text.

mod args;
mod catalog;
mod commands;
mod compare;
mod demand;
mod design;
mod dilated;
mod distinct;
mod emitted;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod gather;
mod kind;
pub mod library;
mod limits;
mod lock;
mod memory;
mod multibutterfly;
#[cfg(test)]
mod omega;
mod payload;
mod photonics;
mod plot;
mod progress;
mod registry;
mod share;
mod stream_core;
mod streamed;
mod summary;
mod sweep;
mod table;
mod toml_text;
mod traffic;
mod ui;
mod verified;
pub mod watch;

use args::{Cli, Command};
use commands::router::commands;
use std::ffi::OsString;

/// Runs the command as a process does: results go to stdout, the rest to stderr. The first argument is the name of the program. Gives
/// the exit code: 0 fine, 1 a check failed, 2 unusable input, 3 a tool is missing.
pub fn command(arguments: Vec<OsString>) -> u8 {
    let cli = match Cli::parse(arguments, design::system_row) {
        Ok(cli) => cli,
        Err(error) => {
            // Nobody may be listening; the exit code says it, too.
            let _ = error.print();
            return error.exit_code() as u8;
        }
    };
    let ui = ui::Ui::new(&cli.global);
    // Where this cannot be had, a signal leaves its traces, as it would without.
    let _ = frit_trace::interrupt::clean_up_on_signals();
    let done = memory::allow(cli.global.memory).and_then(|()| run(cli.command, &ui));
    match done {
        Ok(Verdict::Fine) => 0,
        Ok(Verdict::Failed) => 1,
        Err(error) => ui::report(&error),
    }
}

/// What a command printed, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The exit code, as [`command`] gives it.
    pub code: u8,
    /// Its results, without colours.
    pub text: String,
    /// The error, without `error:` in front; empty if there is none.
    pub error: String,
}

/// Runs the command and gives what it prints. Nothing is printed, no progress is shown, and signals are left alone. The first argument is
/// the name of the program.
pub fn captured(arguments: Vec<OsString>) -> Printed {
    let cli = match Cli::parse(arguments, design::system_row) {
        Ok(cli) => cli,
        Err(error) => {
            let text = error.render().to_string();
            let code = error.exit_code() as u8;
            return match code {
                0 => Printed { code, text, error: String::new() },
                _ => Printed { code, text: String::new(), error: ui::without_head(&text) },
            };
        }
    };
    let results = ui::Results::default();
    let ui = ui::Ui::captured(&results);
    let done = memory::allow(cli.global.memory).and_then(|()| run(cli.command, &ui));
    let (code, error) = match done {
        Ok(Verdict::Fine) => (0, String::new()),
        Ok(Verdict::Failed) => (1, String::new()),
        Err(error) => (ui::exit_code(&error), ui::text_of(&error)),
    };
    Printed { code, text: results.plain(), error }
}

/// Does what a command says.
fn run(command: Command, ui: &ui::Ui) -> anyhow::Result<Verdict> {
    match command {
        Command::Systems(args) => commands::systems::run(ui, &args),
        Command::Compare(args) => commands::compare::run(ui, &args),
        Command::Schedule(args) => commands::schedule::run(ui, &args),
        Command::Network(args) => commands::network::run(ui, &args, |router| commands(router).network(&args)),
        Command::Simulate(args) => commands::simulate::run(ui, &args),
        Command::Route(args) => commands::route::run(ui, &args, |router| commands(router).route(ui, &args)),
        Command::Demand(args) => commands::demand::run(ui, &args),
        Command::Sequence(args) => commands::sequence::run(ui, &args),
        Command::Photonics(args) => commands::photonics::run(ui, &args),
        Command::Device(args) => commands::device::run(ui, &args),
        Command::Sweep(args) => commands::sweep::run(ui, &args),
        Command::Generate(args) => commands::generate::run(ui, &args),
        Command::Verify(args) => commands::verify::run(ui, &args),
        Command::Diagnose(args) => commands::diagnose::run(ui, &args),
        Command::Light(args) => commands::light::run(ui, &args),
        Command::View(args) => commands::view::run(ui, &args, |router| commands(router).film(&args)),
        Command::Synth(args) => commands::synth::run(ui, &args),
        Command::Prototype(args) => commands::prototype::run(ui, &args),
        Command::Diff(args) => commands::diff::run(ui, &args),
        Command::Doctor(args) => commands::doctor::run(ui, &args),
        Command::Completions { shell } => commands::shell::completions(ui, shell),
        Command::Man { folder } => commands::shell::man(ui, folder.as_deref()),
    }
}

/// How a command ended, when its input was usable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Done; every check passed.
    Fine,
    /// Done; a check failed and was reported.
    Failed,
}

impl Verdict {
    fn of(fine: bool) -> Self {
        if fine { Verdict::Fine } else { Verdict::Failed }
    }
}
