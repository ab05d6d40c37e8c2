//! `frit completions` and `frit man`.

use crate::Verdict;
use crate::args::options::{of_all_systems, with_systems};
use crate::args::{Cli, grouped};
use crate::ui::Ui;
use anyhow::Result;
use clap::CommandFactory;
use frit_trace::output::{OutputFolder, write_file};
use std::path::Path;

pub fn completions(ui: &Ui, shell: clap_complete::Shell) -> Result<Verdict> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut with_systems(of_all_systems(Cli::command())), "frit", &mut text);
    ui.print(&String::from_utf8(text)?)?;
    Ok(Verdict::Fine)
}

pub fn man(ui: &Ui, folder: Option<&Path>) -> Result<Verdict> {
    let mut command = grouped(of_all_systems(Cli::command()));
    command.build();
    let Some(folder) = folder else {
        let mut text = Vec::new();
        clap_mangen::Man::new(command).render(&mut text)?;
        ui.print(&String::from_utf8(text)?)?;
        return Ok(Verdict::Fine);
    };
    let folder = OutputFolder::open(folder)?;
    let folder = folder.path();
    write_pages(command, folder)?;
    Ok(Verdict::Fine)
}

/// The page of a command and those of its subcommands, which it refers to.
fn write_pages(command: clap::Command, folder: &Path) -> Result<()> {
    let name = command.get_name().to_string();
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        write_pages(sub.clone().name(format!("{name}-{}", sub.get_name())), folder)?;
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    write_file(&folder.join(format!("{name}.1")), text)?;
    Ok(())
}
