//! Every command that the documents and the help texts show is one: its arguments are taken, and its design exists.

#[allow(dead_code)] // the tests on the binary use the rest
mod book;

use crate::args::{Cli, Command, DesignArgs};
use crate::design;
use book::{Page, pages, words};
use clap::CommandFactory;

/// The design that a command names, if it takes one.
fn design_of(command: &Command) -> Option<&DesignArgs> {
    match command {
        // The demand says how many terminals there are.
        Command::Schedule(args) => args.design.0.as_ref().filter(|_| args.demand.is_none()),
        Command::Network(args) => Some(&args.design),
        Command::Simulate(args) => {
            Some(&args.design).filter(|_| args.demand.is_none() || args.design.terminals.is_some())
        }
        Command::Route(args) => Some(&args.design),
        Command::Device(args) => Some(&args.design),
        Command::Generate(args) => Some(&args.core.design),
        Command::Verify(args) => Some(&args.core.design),
        Command::Synth(args) => Some(&args.design),
        Command::Prototype(args) => Some(&args.design),
        _ => None,
    }
}

/// What is wrong with a command, if anything. Designs that need files are not made: tests run elsewhere than their readers.
fn wrong(line: &str) -> Option<String> {
    let words = words(line);
    let parsed = Cli::parse(words.iter().map(Into::into).collect(), design::system_row);
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return Some(format!("{line}: {error}")),
    };
    let in_files = words.iter().any(|word| [".toml", ".json", ".txt"].iter().any(|end| word.ends_with(end)));
    let design = design_of(&cli.command).filter(|_| !in_files)?;
    design::designs(design).err().map(|error| format!("{line}: {error:#}"))
}

fn of_page(page: &Page) -> Vec<String> {
    let shown = page.commands().into_iter().map(|command| command.line).chain(page.spans());
    shown.filter(|line| line.starts_with("frit ")).collect()
}

/// The examples in the help of a command and of those below it.
fn of_help(command: &clap::Command) -> Vec<String> {
    let helps = [command.get_after_help(), command.get_after_long_help()];
    let text: String = helps.into_iter().flatten().map(|help| format!("{help}\n")).collect();
    let page = Page { path: "help".into(), text: format!("```\n{text}\n```\n") };
    [of_page(&page), command.get_subcommands().flat_map(of_help).collect()].concat()
}

#[test]
fn every_command_of_the_documents_is_one() {
    // A datasheet says how it was made but for the folder, which is not a design's; what has changed was once otherwise.
    let told = |page: &Page| page.path.starts_with("rtl") || page.path.ends_with("CHANGELOG.md");
    let pages = pages().into_iter().filter(|page| !told(page));
    let lines: Vec<String> = pages.flat_map(|page| of_page(&page)).collect();
    assert!(lines.len() > 150, "{} commands: are they all seen?", lines.len());
    let wrong: Vec<String> = lines.iter().filter_map(|line| wrong(line)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_example_of_the_help_is_one() {
    let lines = of_help(&Cli::command());
    assert!(lines.len() > 50, "{} commands: are they all seen?", lines.len());
    let wrong: Vec<String> = lines.iter().filter_map(|line| wrong(line)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_wrong_command_of_a_page_is_found() {
    let text = "    frit verify rls -n 8 --enginees icarus   # an option\n\n```console\n$ frit simulate gsen -n 7\n```\n\n\
        `frit synth rls -n 8 --plan windowed`, `frit verify SYSTEM -n 8`\n\n```text\nfrit rls_n8 PASS\n```\n    make book\n";
    let page = Page { path: "docs/some.md".into(), text: text.into() };
    let lines = of_page(&page);
    assert_eq!(lines.len(), 3, "{lines:?}");
    let wrong: Vec<String> = lines.iter().filter_map(|line| wrong(line)).collect();
    for (wrong, part) in wrong.iter().zip(["'--enginees'", "even", "plan"]) {
        assert!(wrong.contains(part), "{wrong}");
    }
    assert_eq!(wrong.len(), 3, "{wrong:?}");
    assert_eq!(words("frit a \"b c\" --d=1 > e"), ["frit", "a", "b c", "--d=1"]);
}
