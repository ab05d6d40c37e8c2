//! `frit verify`.

use crate::Verdict;
use crate::args::{Format, VerifyArgs};
use crate::emitted::{engine, need_tools};
use crate::kind::Cores;
use crate::ui::Ui;
use crate::verified::report::VerifyRequest;
use crate::verified::required;
use anyhow::Result;
use frit_cosim::tools::{ABC, ToolPath, YOSYS};
use serde_json::{Map, Value};

/// Verifies or proves designs one after the other, and says what came of it.
pub fn run(ui: &Ui, args: &VerifyArgs) -> Result<Verdict> {
    let tools = &ToolPath::from_environment();
    let asked = VerifyRequest { ui, args, tools };
    let cores = Cores::asked("verify", &args.core)?;
    // A required simulator without its tools is an error before anything runs.
    need_tools(required(args).map(|(_, arg)| engine(arg)), tools)?;
    if args.formal {
        tools.find(YOSYS)?;
        tools.find(ABC)?;
    }
    let mut all = Vec::new();
    for core in cores.all() {
        let (text, members, fine, folder) = match args.formal {
            false => core.kind.verify(&asked, &core)?.said(ui),
            true => core.kind.prove(&asked, &core)?.said(),
        };
        if args.format == Format::Text {
            ui.print(&text)?;
        }
        all.push((members, fine, folder));
    }
    let mut values: Vec<&Map<String, Value>> = all.iter().map(|(members, ..)| members).collect();
    if args.format == Format::Json {
        let text = match values.len() {
            1 => serde_json::to_string_pretty(values.remove(0))?,
            _ => serde_json::to_string_pretty(&values)?,
        };
        ui.print(&format!("{text}\n"))?;
    }
    let all_fine = all.iter().all(|(_, fine, _)| *fine);
    for (.., folder) in all.into_iter().filter(|(_, fine, _)| !fine) {
        folder.keep();
    }
    Ok(Verdict::of(all_fine))
}
