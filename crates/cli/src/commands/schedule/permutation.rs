//! `frit schedule check`: a user's permutation on one Butterfly, by conflict windows and by routing it.

use crate::Verdict;
use crate::args::CheckArgs;
use crate::demand::contents;
use crate::ui::{BAD, GOOD, Ui};
use anyhow::{Context, Result, bail};
use frit_design::permutation::{self, MAX_DRAWN, in_words};
use frit_trace::output;
use frit_traffic::permutation::read;

/// Meetings that are printed; the others are counted.
const PRINTED: usize = 16;

pub(super) fn check(ui: &Ui, args: &CheckArgs) -> Result<Verdict> {
    let name = args.permutation.display().to_string();
    let permutation = read(&contents(&args.permutation)?).context(name.clone())?;
    let checked = permutation::check(permutation).context(name)?;
    if let Some(path) = &args.drawing {
        if checked.terminals() > MAX_DRAWN {
            bail!(
                "--drawing cannot show {} terminals; use a permutation of at most {MAX_DRAWN}",
                checked.terminals()
            );
        }
        output::write_file(path, checked.draw())?;
    }
    let meetings = &checked.meetings;
    ui.report(args.format, &checked.json(), || {
        if meetings.is_empty() {
            return format!("{GOOD}admissible{GOOD:#}: one Butterfly routes it without conflict\n");
        }
        let mut lines: Vec<String> = meetings.iter().take(PRINTED).map(in_words).collect();
        if let Some(more @ 1..) = meetings.len().checked_sub(PRINTED) {
            lines.push(format!("and {more} more (--format json lists all)"));
        }
        format!("{BAD}not admissible{BAD:#}: {}\n", lines.join("\n                "))
    })?;
    Ok(Verdict::of(meetings.is_empty()))
}
