//! Text on stdout, progress on stderr and only on a terminal, errors with their chain and exit code.

use crate::args::{Color, Format, Global};
use crate::watch::Watch;
use anstyle::{AnsiColor, Style};
use frit_cosim::tools::Missing;
use frit_network::Refusal;
use frit_trace::output::standard_output_is_a_file;
use frit_trace::shown::printable_lines;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::fs::File;
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use terminal_size::{Height, Width};

pub const GOOD: Style = AnsiColor::Green.on_default().bold();
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// What is worth a look.
pub const WARN: Style = AnsiColor::Yellow.on_default();
pub const HEAD: Style = Style::new().bold();

/// The size of the terminal that stdout was when the program began, if it was one.
static TERMINAL: OnceLock<Option<(Width, Height)>> = OnceLock::new();

/// The columns of the terminal on stdout, if that is one.
pub fn terminal_width() -> Option<usize> {
    TERMINAL.get().copied().flatten().map(|(Width(width), _)| width.into())
}

/// How to talk to the user.
pub struct Ui {
    quiet: bool,
    verbose: bool,
    results: Mutex<Box<dyn Write + Send>>,
    /// Who watches the work, of a program that calls the command.
    watch: Option<Arc<Watch>>,
}

impl Ui {
    /// From the options of every command.
    pub fn new(global: &Global) -> Self {
        let choice = match global.color {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
        // Before stdout is one for results only.
        TERMINAL.get_or_init(|| terminal_size::terminal_size_of(std::io::stdout()));
        let results: Box<dyn Write + Send> = match own_stdout() {
            Ok(file) => Box::new(anstream::AutoStream::auto(file)),
            Err(_) => Box::new(anstream::stdout()),
        };
        Ui { quiet: global.quiet, verbose: global.verbose, results: Mutex::new(results), watch: None }
    }

    /// For a command whose results another program wants: they are kept, and nothing else is said.
    pub fn captured(results: &Results) -> Self {
        Ui { quiet: true, verbose: false, results: Mutex::new(Box::new(results.clone())), watch: None }
    }

    /// For a command whose values another program wants, and whose work it watches: nothing is said.
    pub fn watched(watch: Arc<Watch>) -> Self {
        Ui { watch: Some(watch), ..Ui::captured(&Results::default()) }
    }

    /// Who watches the work.
    pub fn watch(&self) -> Option<Arc<Watch>> {
        self.watch.clone()
    }

    /// Prints a result to stdout. A reader that has gone away (`frit … | head`) wants no more text, but the command goes on:
    /// what it checks decides the exit code, not who listens.
    ///
    /// Where stdout is a file that the command writes, results go to stderr.
    pub fn print(&self, text: &str) -> anyhow::Result<()> {
        if self.watch.is_none() && standard_output_is_a_file() {
            return Ok(anstream::stderr().write_all(text.as_bytes())?);
        }
        let mut out = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            written => Ok(written?),
        }
    }

    /// Prints a result as JSON, or as this text.
    pub fn report(
        &self,
        format: Format,
        json: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> anyhow::Result<()> {
        match format {
            Format::Json => self.print(&pretty(json)?),
            Format::Text => self.print(&text()),
        }
    }

    /// Prints what a script that is quiet does not want to see.
    pub fn say(&self, text: &str) -> anyhow::Result<()> {
        if self.quiet { Ok(()) } else { self.print(text) }
    }

    /// Prints to stderr what is no result, such as how long something took: where progress is shown, or if asked for.
    pub fn note(&self, text: &str) {
        if self.verbose || !self.quiet && std::io::stderr().is_terminal() {
            let _ = writeln!(anstream::stderr(), "{text}");
        }
    }

    /// Prints to stderr what the user should know though the command goes on.
    pub fn warn(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(anstream::stderr(), "{WARN}note:{WARN:#} {}", printable_lines(text));
        }
    }

    /// Whether progress is lines on stderr: nobody sees a bar there.
    pub fn wants_lines(&self) -> bool {
        !self.quiet && !std::io::stderr().is_terminal()
    }

    /// Whether to print more.
    pub fn verbose(&self) -> bool {
        self.verbose
    }

    /// A progress bar over work of any unit, which it does not show; hidden unless stderr is a terminal.
    pub fn progress_share(&self, message: &str, work: u64) -> ProgressBar {
        let bar = self.progress(message, Some(work));
        bar.set_style(style("{msg} {bar:30} {percent} % {elapsed}, {eta} left"));
        bar
    }

    /// A progress bar over `length` steps, or a spinner; hidden unless stderr is a terminal.
    pub fn progress(&self, message: &str, length: Option<u64>) -> ProgressBar {
        if self.quiet || !std::io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let bar = match length {
            Some(length) => ProgressBar::new(length).with_style(style("{msg} {bar:30} {pos}/{len} {eta}")),
            None => ProgressBar::new_spinner().with_style(style("{spinner} {msg} {elapsed}")),
        };
        bar.set_message(message.to_string());
        bar.enable_steady_tick(Duration::from_millis(120));
        bar
    }
}

/// A value as JSON for a terminal.
pub fn pretty(value: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// Results that are kept in place of being printed.
#[derive(Clone, Default)]
pub struct Results(Arc<Mutex<Vec<u8>>>);

impl Results {
    /// Their text, without colours.
    pub fn plain(&self) -> String {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        anstream::adapter::strip_str(&String::from_utf8_lossy(&bytes)).to_string()
    }
}

impl Write for Results {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What was stdout when the program began, for results only: what a library prints there by itself, as the reader of
/// waveforms does, goes nowhere, so that a report in JSON stays JSON. Tests of this crate leave stdout to their runner.
#[cfg(all(unix, not(test)))]
fn own_stdout() -> std::io::Result<File> {
    use std::os::fd::AsFd;
    let own = File::from(std::io::stdout().as_fd().try_clone_to_owned()?);
    frit_trace::output::name_standard_output(own.try_clone()?);
    let nowhere = File::options().write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdout(&nowhere)?;
    Ok(own)
}

#[cfg(any(not(unix), test))]
fn own_stdout() -> std::io::Result<File> {
    Err(std::io::ErrorKind::Unsupported.into())
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Prints an error with its causes, and gives its exit code.
pub fn report(error: &anyhow::Error) -> u8 {
    // Nobody may be listening; the exit code says it, too.
    let _ = writeln!(anstream::stderr(), "{BAD}error:{BAD:#} {}", text_of(error));
    exit_code(error)
}

/// The text of an error of the arguments without the head, `error: `, that [`report`] gives all others.
pub fn without_head(text: &str) -> String {
    text.strip_prefix("error: ").unwrap_or(text).trim_end().to_string()
}

/// An error with its causes, fit for a terminal.
pub fn text_of(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        // A library error may already print what caused it.
        if !text.contains(&cause) {
            text += if text.is_empty() { "" } else { ": " };
            text += &cause;
        }
    }
    printable_lines(&text).to_string()
}

/// The exit code of an error: 3 for a missing tool, 2 otherwise.
pub fn exit_code(error: &anyhow::Error) -> u8 {
    let missing = error.chain().any(|cause| {
        cause.is::<Missing>()
            || cause.downcast_ref().is_some_and(|refusal: &Refusal| refusal.detail::<Missing>().is_some())
    });
    if missing { 3 } else { 2 }
}
