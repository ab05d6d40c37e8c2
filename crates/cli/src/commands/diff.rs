//! `frit diff`.

use crate::Verdict;
use crate::args::{DiffArgs, Format};
use crate::ui::Ui;
use anyhow::Result;
use frit_cosim::diff::{DiffOptions, diff_files};

pub fn run(ui: &Ui, args: &DiffArgs) -> Result<Verdict> {
    let options = DiffOptions {
        maps: args.map.clone(),
        align: args.align,
        clock: args.clock.clone(),
        reset: args.reset.clone(),
        ignore_reset: args.ignore_reset,
        context: args.context,
        only: args.only.clone(),
        ignore: args.ignore.clone(),
        x_is_dont_care: args.x_is_dont_care,
        same_length: args.same_length,
        max_differences: args.max_differences,
    };
    let bar = ui.progress("comparing", None);
    let report = diff_files(&args.a, &args.b, &options);
    bar.finish_and_clear();
    let report = report?;
    ui.print(&match args.format {
        Format::Json => format!("{}\n", serde_json::to_string_pretty(&report)?),
        Format::Text => report.render_text(),
    })?;
    Ok(Verdict::of(report.same()))
}
