//! The `frit` command: arguments in, files and tables out, exit codes 0 (fine), 1 (a check failed), 2 (unusable
//! input), 3 (a tool is missing).

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(frit_cli::command(std::env::args_os().collect()))
}
