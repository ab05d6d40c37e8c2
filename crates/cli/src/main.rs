//! The `frit` command: arguments in, files and tables out, exit codes 0 (fine), 1 (a check failed), 2 (unusable
//! input), 3 (a tool is missing).

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
mod limits;
mod lock;
mod memory;
mod multibutterfly;
#[cfg(test)]
mod omega;
mod payload;
mod plot;
mod share;
mod streamed;
mod sweep;
mod table;
mod toml_text;
mod traffic;
mod ui;

use args::{Cli, Command};
use commands::router::commands;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::from_environment(design::system_row);
    let ui = ui::Ui::new(&cli.global);
    // Where this cannot be had, a signal leaves its traces, as it would without.
    let _ = frit_trace::interrupt::clean_up_on_signals();
    if let Err(error) = memory::allow(cli.global.memory) {
        return ui::report(&error);
    }
    match run(cli.command, &ui) {
        Ok(Verdict::Fine) => ExitCode::SUCCESS,
        Ok(Verdict::Failed) => ExitCode::from(1),
        Err(error) => ui::report(&error),
    }
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
        Command::Generate(args) => {
            commands::generate::run(ui, &args, |router| commands(router).generate(ui, &args))
        }
        Command::Verify(args) => {
            commands::verify::run(ui, &args, |asked, router, many| commands(router).verify(asked, many))
        }
        Command::View(args) => commands::view::run(ui, &args, |router| commands(router).film(&args)),
        Command::Synth(args) => commands::synth::run(ui, &args, |router| commands(router).synth(ui, &args)),
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
