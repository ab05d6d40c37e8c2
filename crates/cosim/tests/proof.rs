//! Netlists are proved equal to their RTL, and one with a wrong LUT is not.

use frit_cells::netlist::print;
use frit_cosim::synth::proof::{Proof, prove};
use frit_cosim::synth::{Family, netlist};
use frit_cosim::tools::{ToolPath, YOSYS};
use frit_schedule::{Request, plan};
use frit_trace::output::write_file;
use std::io::Write;

#[test]
fn a_fabric_is_proved_and_a_wrong_lut_is_not() {
    let tools = ToolPath::from_environment();
    if let Err(missing) = tools.find(YOSYS) {
        assert!(std::env::var_os("FRIT_REQUIRE_TOOLS").is_none(), "{missing}");
        let _ = writeln!(std::io::stderr(), "NOT RUN: {missing}");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let design = frit_cells::design::build(&plan(&Request::new("rls", 4)).unwrap(), 2);
    let files = print::files(&design, print::Style::Unrolled);
    let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
    files.iter().for_each(|file| write_file(&dir.path().join(&file.name), &file.text).unwrap());
    let top = "rls_n4_w2_fabric";
    for family in [Family::Ice40, Family::Ecp5] {
        let text = netlist::map(&tools, family, dir.path(), &names, top, &[]).unwrap();
        assert_eq!(prove(&tools, family, dir.path(), &names, top).unwrap(), Proof::Proved, "{family:?}");
        let broken = netlist::invert_lut(family, &text, 7).unwrap();
        write_file(&dir.path().join(netlist::FILE), broken).unwrap();
        let proof = prove(&tools, family, dir.path(), &names, top).unwrap();
        assert!(matches!(proof, Proof::Unproven(pairs) if pairs > 0), "{family:?}: {proof:?}");
    }
}
