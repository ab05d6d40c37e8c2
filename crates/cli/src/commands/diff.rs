//! `frit diff`.

use crate::Verdict;
use crate::args::DiffArgs;
use crate::ui::Ui;
use anyhow::Result;
use frit_trace::diff::{DiffOptions, diff_files};
use std::path::Path;

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
        common: args.common,
        same_length: args.same_length,
        max_differences: args.max_differences,
    };
    let bar = ui.progress("comparing", None);
    let report = diff_files(&args.a, &args.b, &options);
    bar.finish_and_clear();
    let report = report?;
    let one_file = is_one_file(&args.a, &args.b);
    let mut json = serde_json::to_value(&report)?;
    json["one_file"] = one_file.into();
    let note = if one_file { "  A and B are the same file, compared with itself\n" } else { "" };
    ui.report(args.format, &json, || report.render_text() + note)?;
    Ok(Verdict::of(report.same()))
}

/// Whether both names lead to one file.
fn is_one_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
