//! Designs as a whole are proved to keep their contract, and faults are refuted with a waveform.

use frit_cells::design;
use frit_cells::netlist::print::Style;
use frit_cosim::formal::{Contract, Ground, prove_contract};
use frit_cosim::tools::ToolPath;
use frit_schedule::{Request, plan};
use std::time::Duration;

#[test]
fn try_one() {
    let args: Vec<String> = std::env::var("TRY").unwrap().split(' ').map(String::from).collect();
    let mut request = Request::new(&args[0], args[1].parse().unwrap());
    for option in &args[2..] {
        let (k, v) = option.split_once('=').unwrap();
        request = request.with(k, v);
    }
    let plan = plan(&request).unwrap();
    let netlist = design::build(&plan, 1);
    let folder = tempfile::tempdir().unwrap().keep();
    let tools = ToolPath::from_environment();
    let ground = Ground { folder: &folder, tools: &tools, limit: Duration::from_secs(300) };
    let proof = prove_contract(&ground, &Contract { plan: &plan, width: 1, netlist: &netlist, style: Style::Unrolled, lemmas: true });
    println!("{} {proof:?}", folder.display());
}
