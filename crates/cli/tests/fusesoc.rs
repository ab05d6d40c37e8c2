//! The packaging files of a design: they name what there is, and FuseSoC runs them.

use crate::common;

use common::{have, run, tools_first};
use serde_yaml_ng::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The files that a file list names.
fn listed(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().filter(|line| !line.starts_with("//") && !line.starts_with('+')).map(String::from).collect()
}

fn yaml(path: &Path) -> Value {
    serde_yaml_ng::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The names in a list of files, each a string or a name with attributes.
fn names(files: &Value) -> Vec<String> {
    let name = |file: &Value| match file {
        Value::Mapping(file) => file.keys().next().unwrap().as_str().unwrap().to_string(),
        _ => file.as_str().unwrap().to_string(),
    };
    files.as_sequence().unwrap().iter().map(name).collect()
}

/// The files of a list that are the design's own: without the cells that designs share.
fn own(list: Vec<String>) -> Vec<String> {
    list.into_iter().filter(|file| !file.starts_with("frit_cells/")).collect()
}

/// A design in a new folder.
fn generate(arguments: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    run(&format!("generate {arguments} -o {}", dir.path().display()), 0);
    dir
}

/// The library of a design, and what the name of its top ends with.
fn kind(design: &str) -> (&'static str, &'static str) {
    match design.split('_').next() {
        Some("dilated" | "multibutterfly") => ("router", "_route"),
        Some("transpose") => ("stream", "_permute"),
        _ if design.ends_with("_loaded") => ("loaded", ""),
        _ => ("exchange", "_exchange"),
    }
}

/// What `fusesoc run` says about a target of the design, and whether it is content.
fn fusesoc(folder: &Path, target: &str, design: &str, options: &[&str]) -> (bool, String) {
    let (library, _) = kind(design);
    let output = Command::new("fusesoc")
        .args(["--cores-root", ".", "run", &format!("--target={target}")])
        .arg(format!("fritillary:{library}:{design}"))
        .args(options)
        .current_dir(folder)
        .env("PATH", tools_first())
        // What the user's own configuration would add.
        .env("XDG_CONFIG_HOME", folder)
        .output()
        .unwrap();
    (output.status.success(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[test]
fn every_list_names_the_same_files_and_they_exist() {
    for (arguments, name) in
        [("rls -n 4 -w 3", "rls_n4_w3"), ("benes -n 4 -w 8", "benes_n4_w8"), ("obf -n 4 -w 8", "obf_n4_w8")]
    {
        let dir = generate(&format!("{arguments} --layout files"));
        let path = |name: &str| dir.path().join(name);
        let all_rtl = listed(&path(&format!("{name}.f")));
        let rtl = own(all_rtl.clone());
        let testbench = format!("tb_{name}.sv");
        let all = [all_rtl.clone(), vec![testbench.clone()]].concat();
        assert_eq!(listed(&path(&format!("{name}_tb.f"))), all);
        let core = yaml(&path(&format!("{name}.core")));
        assert!(core["name"].as_str().unwrap().starts_with(&format!("fritillary:exchange:{name}:")));
        let sets = &core["filesets"];
        assert_eq!(names(&sets["rtl"]["files"]), rtl);
        let cells = yaml(&path("frit_cells/frit_cells.core"));
        assert_eq!(sets["rtl"]["depend"][0], cells["name"]);
        let shared = names(&cells["filesets"]["rtl"]["files"]);
        for cell in all_rtl.iter().filter_map(|file| file.strip_prefix("frit_cells/")) {
            assert!(shared.contains(&cell.to_string()), "{cell}");
        }
        let tb = names(&sets["tb"]["files"]);
        assert_eq!(tb[0], testbench);
        let bender = yaml(&path("Bender.yml"));
        assert_eq!(bender["package"]["name"], name);
        assert_eq!(names(&bender["sources"][0]["files"]), rtl);
        assert_eq!(bender["dependencies"]["frit_cells"]["path"], "frit_cells");
        assert_eq!(bender["sources"][0].as_mapping().unwrap().len(), 1, "for every target");
        assert_eq!(names(&bender["sources"][1]["files"]), [testbench]);
        assert_eq!(bender["sources"][1]["target"], "test");
        // The testbench finds its tables in the folder where it runs.
        let tables = ["payload", "schedule", "settings"].map(|table| format!("{name}_{table}.memh"));
        assert_eq!(tb[1..], tables);
        for file in all_rtl.iter().chain(&tb) {
            assert!(path(file).is_file(), "{file}");
        }
    }
}

/// Whether the packages of a routed or streamed design name its files and no others, and FuseSoC runs it: it writes the file of the first
/// plusarg, with so many lines.
fn packages_name_exactly_its_files(arguments: &str, name: &str, plusargs: &[&str], lines: usize) {
    let dir = generate(arguments);
    let path = |name: &str| dir.path().join(name);
    let core = yaml(&path(&format!("{name}.core")));
    let (library, top) = kind(name);
    assert!(core["name"].as_str().unwrap().starts_with(&format!("fritillary:{library}:{name}:")));
    let (rtl, tb) = (names(&core["filesets"]["rtl"]["files"]), names(&core["filesets"]["tb"]["files"]));
    assert_eq!(rtl, own(listed(&path(&format!("{name}.f")))));
    assert_eq!(core["targets"]["default"]["toplevel"], format!("{name}{top}"));
    assert_eq!(core["targets"]["sim"]["toplevel"], format!("tb_{name}"));
    for plusarg in plusargs {
        assert_eq!(core["parameters"][*plusarg]["paramtype"], "plusarg");
    }
    // What is written and not named there is for other tools, or a package itself.
    let mut named = [rtl.clone(), tb].concat();
    let of_tools = ["core", "yml", "md", "f", "vhd", "h", "py", "tcl"];
    let files = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|file| {
        file.is_file() && file.extension().is_some_and(|e| !of_tools.iter().any(|of| e == *of))
    });
    let mut files: Vec<String> =
        files.map(|file| file.file_name().unwrap().to_string_lossy().into_owned()).collect();
    named.sort();
    files.sort();
    assert_eq!(named, files);
    let bender = yaml(&path("Bender.yml"));
    assert_eq!(bender["package"]["name"], name);
    assert_eq!(names(&bender["sources"][0]["files"]), rtl);
    assert_eq!(names(&bender["sources"][1]["files"]), [format!("tb_{name}.sv")]);

    if have(&["fusesoc", "verilator", "iverilog", "vvp", "make"]) {
        let fusesoc = |target: &str, options: &[&str]| fusesoc(dir.path(), target, name, options);
        let (fine, text) = fusesoc("sim", &["--tool=icarus", &format!("--{}=events.csv", plusargs[0])]);
        assert!(fine && text.contains(&format!("PASS {name}")), "{text}");
        let built = fs::read_dir(dir.path().join("build")).unwrap().next().unwrap().unwrap().path();
        assert_eq!(fs::read_to_string(built.join("sim/events.csv")).unwrap().lines().count(), 1 + lines);
        let (fine, text) = fusesoc("lint", &[]);
        assert!(fine && !text.contains("%Warning"), "{text}");
    }
}

#[test]
fn the_packages_of_a_router_name_exactly_its_files() {
    packages_name_exactly_its_files(
        "dilated -n 4 --set bundle=2 --set payload=7",
        "dilated_n4_b2_p2_strong",
        &["shunts", "arrivals"],
        26,
    );
}

#[test]
#[ignore = "long: make test-all"]
fn the_packages_of_a_stream_name_exactly_its_files() {
    packages_name_exactly_its_files("transpose -n 4 --rows 8 -w 8", "transpose_8x8_p4_w8", &["beats"], 348);
}

#[test]
#[ignore = "long: make test-all"]
fn the_packages_of_a_loaded_schedule_name_exactly_its_files() {
    let demand = concat!("benes -w 8 --demand ", env!("CARGO_MANIFEST_DIR"), "/../../examples/demand4.csv");
    packages_name_exactly_its_files(demand, "benes_n4_w8_e4_loaded", &["events"], 3912);
}

#[test]
fn the_packages_of_a_multibutterfly_name_exactly_its_files() {
    packages_name_exactly_its_files(
        "multibutterfly -n 4 --set d=2 --set r=1 --set h=2 --set z=1 --set free=2 --seed 3",
        "multibutterfly_n4_0f2df584",
        &["events"],
        // Commits, placements, deliveries; R is 1.
        14 + 8 + 8,
    );
}

#[test]
fn streams_and_self_test_have_cores_of_their_own() {
    let dir =
        generate("gsen -n 4 -w 8 --axis --length 2 --selftest --clock 1000000 --baud 250000 --layout files");
    let path = |name: &str| dir.path().join(name);
    let base = own(listed(&path("gsen_n4_w8.f")));
    let bender = yaml(&path("Bender.yml"));
    assert_eq!(bender["package"]["name"], "gsen_n4_w8_axis_l2_b1_selftest_d4");
    let mut all = base.clone();
    let tops = ["gsen_n4_w8_axis_l2_b1", "gsen_n4_w8_selftest_d4"];
    for top in tops {
        let core = yaml(&path(&format!("{top}.core")));
        let own = own(listed(&path(&format!("{top}.f"))));
        let more: Vec<String> = own.iter().filter(|file| !base.contains(file)).cloned().collect();
        let sets = &core["filesets"];
        assert_eq!(names(&sets["rtl"]["files"]), more);
        assert_eq!(sets["rtl"]["depend"][1], yaml(&path("gsen_n4_w8.core"))["name"]);
        assert_eq!(names(&sets["tb"]["files"]), [format!("tb_{top}.sv")]);
        all.extend(more);
        if have(&["fusesoc", "verilator", "iverilog", "vvp", "make"]) && common::some(&tops, 1).contains(&top)
        {
            let fusesoc = |what: &str, options: &[&str]| fusesoc(dir.path(), what, top, options);
            let (fine, text) = fusesoc("sim", &["--tool=icarus"]);
            assert!(fine && text.contains("PASS"), "{text}");
            let (fine, text) = fusesoc("lint", &[]);
            assert!(fine && !text.contains("%Warning"), "{text}");
        }
    }
    // In Bender's one list, every file once.
    let mut files = names(&bender["sources"][0]["files"]);
    files.sort();
    all.sort();
    assert_eq!(files, all);
}

/// All tops of a design are in its file, which the core of the first one names; the cores of the others depend on that one.
#[test]
fn tops_in_one_file_have_cores_of_their_own() {
    let dir = generate("gsen -n 4 -w 8 --axis --length 2");
    let (design, top) = ("gsen_n4_w8", "gsen_n4_w8_axis_l2_b1");
    let [base, core] = [design, top].map(|name| yaml(&dir.path().join(format!("{name}.core"))));
    assert_eq!(names(&base["filesets"]["rtl"]["files"]), ["gsen_n4_w8.v"]);
    assert!(core["filesets"]["rtl"].get("files").is_none(), "FuseSoC refuses an empty list");
    assert_eq!(core["filesets"]["rtl"]["depend"][0], base["name"]);
    let bender = yaml(&dir.path().join("Bender.yml"));
    assert_eq!(names(&bender["sources"][0]["files"]), ["gsen_n4_w8.v"]);
    if have(&["fusesoc", "iverilog", "vvp", "make"]) {
        let (fine, text) = fusesoc(dir.path(), "sim", top, &["--tool=icarus"]);
        assert!(fine && text.contains(&format!("PASS {top}")), "{text}");
    }
}

#[test]
fn fusesoc_simulates_with_both_simulators_and_lints() {
    if !have(&["fusesoc", "verilator", "iverilog", "vvp", "make", "g++"]) {
        return;
    }
    let dir = generate("rls -n 4 -w 2");
    let fusesoc = |target: &str, options: &[&str]| fusesoc(dir.path(), target, "rls_n4_w2", options);
    let (fine, text) = fusesoc("sim", &["--tool=icarus", "--deliveries=out.csv"]);
    assert!(fine && text.contains("PASS rls_n4_w2"), "{text}");
    let (fine, text) = fusesoc("sim", &[]);
    assert!(fine && text.contains("PASS rls_n4_w2") && text.contains("Verilator"), "{text}");
    let (fine, text) = fusesoc("lint", &[]);
    assert!(fine && !text.contains("%Warning"), "{text}");
    // The plusarg reached the testbench: a line for every message.
    let built = fs::read_dir(dir.path().join("build")).unwrap().next().unwrap().unwrap().path();
    let deliveries = fs::read_to_string(built.join("sim/out.csv")).unwrap();
    assert_eq!(deliveries.lines().count(), 1 + 4 * 4);
}

#[test]
fn fusesoc_fails_where_the_design_does() {
    if !have(&["fusesoc", "verilator", "iverilog", "vvp", "make"]) {
        return;
    }
    let dir = generate("rls -n 4 -w 2 --fault inverted-control:1:1");
    let name = "rls_n4_w2_fault_inverted_control_1_1";
    let fusesoc = |target: &str, options: &[&str]| fusesoc(dir.path(), target, name, options);
    let (fine, text) = fusesoc("sim", &["--tool=icarus"]);
    assert!(!fine && text.contains(&format!("FAIL {name}")), "{text}");
    let file = dir.path().join(format!("{name}.v"));
    let wrong = fs::read_to_string(&file).unwrap().replace("endmodule", "  wire lost;\nendmodule");
    fs::write(&file, wrong).unwrap();
    let (fine, text) = fusesoc("lint", &[]);
    assert!(!fine && text.contains("UNUSED"), "{text}");
}

#[test]
fn fusesoc_makes_a_netlist_for_both_families() {
    if !have(&["fusesoc", "yosys", "make"]) {
        return;
    }
    let dir = generate("gsen -n 4 -w 1");
    for (target, register) in [("synth", "SB_DFF"), ("synth_ecp5", "TRELLIS_FF")] {
        let (fine, text) = fusesoc(dir.path(), target, "gsen_n4_w1", &[]);
        assert!(fine, "{text}");
        let built = fs::read_dir(dir.path().join("build")).unwrap().next().unwrap().unwrap().path();
        let netlist = fs::read_dir(built.join(target)).unwrap().map(|entry| entry.unwrap().path());
        let netlist = netlist.into_iter().find(|path| path.extension().is_some_and(|e| e == "json")).unwrap();
        let netlist: serde_json::Value = serde_json::from_str(&fs::read_to_string(netlist).unwrap()).unwrap();
        let cells = netlist["modules"]["gsen_n4_w1_exchange"]["cells"].as_object().unwrap();
        assert!(cells.values().any(|cell| cell["type"] == register), "{target}");
    }
    // A word that Yosys does not know is an error, through Tcl as well.
    let file = dir.path().join("gsen_n4_w1.v");
    fs::write(&file, "module gsen_n4_w1_exchange (input wire clk_i) endmodule\n").unwrap();
    let (fine, text) = fusesoc(dir.path(), "synth", "gsen_n4_w1", &[]);
    assert!(!fine && text.contains("syntax error"), "{text}");
}
