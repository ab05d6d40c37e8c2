//! `frit doctor`.

use crate::Verdict;
use crate::args::{DoctorArgs, Format};
use crate::table;
use crate::ui::{GOOD, Ui, WARN, pretty};
use anyhow::Result;
use frit_cosim::tools::{ALL, ToolPath, version};
use serde_json::json;

pub fn run(ui: &Ui, args: &DoctorArgs) -> Result<Verdict> {
    let tools = ToolPath::from_environment();
    let found: Vec<_> = ALL.iter().map(|tool| (tool, tools.find(*tool).ok())).collect();
    if args.format == Format::Json {
        let rows: Vec<_> = found
            .iter()
            .map(|(tool, path)| {
                json!({
                    "program": tool.program, "purpose": tool.purpose, "found": path.is_some(), "path": path,
                    "version": path.as_ref().and_then(|p| version(**tool, p)), "tested": tool.tested,
                    "how": tool.how,
                })
            })
            .collect();
        ui.print(&pretty(&rows)?)?;
        return Ok(Verdict::Fine);
    }
    let rows: Vec<Vec<String>> = found
        .iter()
        .map(|(tool, path)| {
            let state = if path.is_some() {
                format!("{GOOD}found{GOOD:#}")
            } else {
                format!("{WARN}missing{WARN:#}")
            };
            let version = path.as_ref().and_then(|p| version(**tool, p));
            let version =
                version.unwrap_or_else(|| if path.is_some() { "not asked".into() } else { "-".into() });
            vec![tool.program.into(), state, shorten(&version), tool.tested.into(), tool.purpose.into()]
        })
        .collect();
    let mut text = table::render(&["tool", "state", "version", "tested with", "for"], &rows);
    for (tool, path) in &found {
        match path {
            Some(path) => text += &format!("{}: {}\n", tool.program, path.display()),
            None => text += &format!("{} is missing: {}\n", tool.program, tool.how),
        }
    }
    text += "rust-hdl, the model and `frit diff` are built into frit and need no tool.\n";
    ui.print(&text)?;
    Ok(Verdict::Fine)
}

fn shorten(version: &str) -> String {
    let mut text: String = version.chars().take(40).collect();
    if text.len() < version.len() {
        text.push('…');
    }
    text
}
