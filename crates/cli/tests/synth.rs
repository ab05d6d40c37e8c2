//! `frit synth`: areas at the floor, clock frequencies, what does not fit, and what goes wrong.

use crate::common;

use common::{frit, have, json, run};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

#[test]
fn switches_and_fabrics_are_at_the_floor_on_both_families() {
    if !have(&["yosys"]) {
        return;
    }
    // 6 switches; 4 routers, and a column of links more than levels.
    let designs = [
        ("rls -n 4 -w 32 --target ice40-hx8k", 6 * 66, 6 * 66),
        ("obf -n 4 -w 8 --target ecp5-85k", 4 * 18, 4 * 18 + 8 * 9),
        ("rls -n 4 -w 32 --target ecp5-25k", 6 * 66, 6 * 66),
    ];
    for &(design, luts, ffs) in common::some(&designs, 2) {
        let report = json(&format!("synth {design} --no-pnr --part fabric --prove"), 0);
        let fabric = &report["modules"][0];
        assert_eq!(fabric["proved"], true, "{report}");
        assert_eq!((&fabric["luts"], &fabric["ffs"]), (&luts.into(), &ffs.into()), "{report}");
        assert_eq!((&fabric["lut_ratio"], &fabric["ff_ratio"]), (&1.0.into(), &1.0.into()));
        assert_eq!(fabric["fmax_mhz"], serde_json::Value::Null);
    }
}

/// Families that nothing here places: a fabric is at its floor, and Fmax is not a number.
#[test]
fn other_families_have_areas_only() {
    if !have(&["yosys"]) {
        return;
    }
    for library in common::some(&["gatemate", "xilinx", "intel", "gowin", "nexus"], 1) {
        let design = format!("synth rls -n 4 -w 8 --target {library} --part fabric");
        let report = json(&design, 0);
        let fabric = &report["modules"][0];
        // 6 switches.
        assert_eq!((&fabric["luts"], &fabric["ffs"]), (&(6 * 18).into(), &(6 * 18).into()), "{report}");
        assert_eq!((&fabric["lut_ratio"], &fabric["ff_ratio"]), (&1.0.into(), &1.0.into()));
        assert_eq!((&fabric["fmax_mhz"], &report["capacity"]), (&Value::Null, &Value::Null));
        assert_eq!((&report["seeds"], &report["fits"]), (&0.into(), &true.into()));
    }
}

/// The memories of a corner turn, one for each word of a cycle, are block RAM in every family.
#[test]
#[ignore = "long: make test-all"]
fn memories_are_block_rams_in_other_families() {
    if !have(&["yosys"]) {
        return;
    }
    // Yosys takes two of GateMate's for each.
    for (library, brams) in [("gatemate", 16), ("xilinx", 8), ("intel", 8), ("gowin", 8), ("nexus", 8)] {
        let arguments = format!("synth transpose -n 8 --rows 64 -w 16 --target {library} --part permute");
        let report = json(&arguments, 0);
        assert_eq!(report["modules"][0]["brams"], brams, "{report}");
    }
}

/// The block RAMs that Yosys takes for streams are those that are computed before it runs (the unit test of `commands::synth::axis` has the
/// same figures).
#[test]
#[ignore = "long: make test-all"]
fn block_rams_of_streams_are_those_of_yosys() {
    if !have(&["yosys"]) {
        return;
    }
    for (design, brams) in [
        ("rls -n 8 -w 32", 40),
        ("rls -n 8 -w 29", 32),
        ("rls -n 4 -w 32", 0),
        ("rls -n 16 -w 4", 16),
        ("rls -n 16 -w 16 --length 8 --buffers 2", 48),
        ("obf -n 8 -w 8 --buffers 2", 32),
    ] {
        let report =
            json(&format!("synth {design} --axis --part axis --no-pnr"), if brams > 32 { 1 } else { 0 });
        assert_eq!(report["modules"][0]["brams"], brams, "{report}");
    }
}

/// What Yosys says of other families is believed as it stands, without nextpnr.
#[test]
fn luts_of_other_families_have_their_sizes() {
    let cells = r#""SB_LUT4": 5, "LUT3": 7, "LUT6": 2, "CARRY4": 1, "FDRE": 4, "RAMB36E1": 1, "SRL16E": 3"#;
    let yosys = YOSYS.replace("\"SB_LUT4\": 5", cells);
    let text = with_programs(&[("yosys", &yosys)], "--target xilinx", 0);
    assert!(
        text.contains("Fmax is not measured, since no tool here places and routes this family"),
        "{text}"
    );
    assert!(text.contains("gsen_n4_w1_fabric has LUTs of these sizes: 7 LUT3, 2 LUT6"), "{text}");
    assert!(text.contains("gsen_n4_w1_fabric also has: 5 SB_LUT4, 3 SRL16E"), "{text}");
    let text = with_programs(&[("yosys", &yosys)], "--target xilinx --format csv", 0);
    assert_eq!(text.lines().last().unwrap(), "xilinx,fabric,gsen_n4_w1_fabric,,1,9,4,4,2,16,16,,,,true");
    // The floor of dilated's switches is one of LUT4.
    let floors = |library: &str| {
        let yosys = [("yosys", yosys.as_str())];
        let text = with_design(
            "dilated -n 4 --set bundle=2 --part switch",
            &yosys,
            &format!("--target {library} --format csv"),
            0,
        );
        text.lines().skip(1).map(|line| line.split(',').nth(9).unwrap().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(floors("intel"), ["", ""]);
    assert!(floors("nexus").iter().all(|floor| !floor.is_empty()));
}

#[test]
#[ignore = "long: make test-all"]
fn a_router_has_its_switches_its_fabric_and_its_floor() {
    if !have(&["yosys", "nextpnr-ecp5"]) {
        return;
    }
    let report = json("synth dilated -n 2 --set bundle=2 --part switch,fabric,route --no-pnr --prove", 0);
    let about = ["terminals", "width", "bundle", "per_input", "switch"].map(|member| report[member].clone());
    assert_eq!(Value::from(about.to_vec()), json!([2, null, 2, 1, "strong"]));
    let modules = report["modules"].as_array().unwrap();
    let column = |member: &str| Value::from_iter(modules.iter().map(|module| module[member].clone()));
    let design = "dilated_n2_b2_p1_strong";
    let names = ["switch_first", "switch", "fabric", "route"].map(|name| format!("{design}_{name}"));
    assert_eq!(column("name"), json!(names));
    assert_eq!(column("count"), json!([2, 2, 1, 1]));
    assert_eq!(modules[1]["floor"], json!({"luts": 124, "ffs": 28}));
    assert_eq!((&modules[1]["ffs"], &modules[1]["ff_ratio"]), (&28.into(), &1.0.into()));
    let ratio = modules[1]["lut_ratio"].as_f64().unwrap();
    assert!((1.0..1.25).contains(&ratio), "{report}");
    // The whole is beyond the induction.
    assert_eq!(column("proved"), json!([true, true, true, null]));
    let ffs = |at: usize| modules[at]["ffs"].as_u64().unwrap();
    assert_eq!(report["controllers"]["ffs"], ffs(3) - ffs(2));
    // A bundle of one edge, so that the placer is quick.
    let arguments = "synth dilated -n 2 --set bundle=1 --set switch=weak --part switch --seeds 1";
    let placed = json(&format!("{arguments} --target ecp5-25k"), 0);
    assert!(placed["modules"][1]["fmax_mhz"]["median"].as_f64().unwrap() > 1.0, "{placed}");
}

/// The nodes of a multibutterfly, a destination among them, and where their area goes.
#[test]
#[ignore = "long: make test-all"]
fn a_multibutterfly_has_its_nodes_and_their_shares() {
    if !have(&["yosys"]) {
        return;
    }
    let design = "multibutterfly -n 4 --set d=2 --set r=1 --set h=1 --set z=1 --set free=2";
    let report = json(&format!("synth {design} --part node --no-pnr --breakdown"), 0);
    let modules = report["modules"].as_array().unwrap();
    let ends: Vec<&str> =
        modules.iter().map(|m| m["name"].as_str().unwrap().rsplit('_').next().unwrap()).collect();
    assert_eq!(ends, ["0", "1", "sink"]);
    for module in modules {
        assert_eq!((&module["count"], &module["floor"]), (&4.into(), &Value::Null));
        let shares = module["shares"].as_array().unwrap();
        let sum = |member: &str| shares.iter().map(|share| share[member].as_u64().unwrap()).sum::<u64>();
        let whole = |member: &str| module[member].as_u64().unwrap();
        // Each kind for itself takes a little more than all together, and the same memories.
        let (luts, ffs) = (sum("luts"), sum("ffs"));
        assert!((whole("luts")..=whole("luts") * 5 / 4 + 2).contains(&luts), "{luts} {module}");
        assert!((whole("ffs")..=whole("ffs") + 4).contains(&ffs), "{ffs} {module}");
        assert_eq!(sum("brams"), whole("brams"));
        assert_eq!(shares.iter().filter(|share| share["kind"].is_null()).count(), 1, "{module}");
    }
    let text = with_design(design, &[], "--part node", 3);
    assert!(text.starts_with("error: yosys was not found"), "{text}");
    let text = with_design(design, &[("yosys", YOSYS)], "--part node --no-pnr --breakdown", 2);
    assert!(text.contains("breakdown.json; its output is in"), "{text}");
    let strange = format!("{YOSYS}\necho '{{\"modules\": {{}}}}' >breakdown.json");
    let text = with_design(design, &[("yosys", &strange)], "--part node --no-pnr --breakdown", 2);
    assert!(text.contains("breakdown.json has no module multibutterfly_n4"), "{text}");
}

#[test]
#[ignore = "long: make test-all"]
fn the_netlists_of_the_cells_are_proved() {
    if !have(&["yosys"]) {
        return;
    }
    for design in ["gsen -n 4", "rls-folded -n 4"] {
        let report = json(&format!("synth {design} -w 1 --no-pnr --part cells --prove"), 0);
        let modules = report["modules"].as_array().unwrap();
        assert!(modules.iter().any(|m| m["name"].as_str().unwrap().ends_with("sequencer")), "{report}");
        assert!(modules.iter().all(|m| m["proved"] == true), "{report}");
    }
}

#[test]
fn every_level_keeps_its_driver() {
    if !have(&["yosys"]) {
        return;
    }
    let ffs = |options: &str| {
        let report = json(&format!("synth obf -n 16 -w 1 {options} --no-pnr --part exchange"), 0);
        report["modules"][0]["ffs"].as_u64().unwrap()
    };
    // Three levels, whose drivers hold the same bit.
    assert_eq!(ffs("--set fanout=per-level"), ffs("") + 3);
}

#[test]
fn a_fabric_is_placed_and_its_files_stay() {
    if !have(&["yosys", "nextpnr-ice40"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().display();
    let report = json(&format!("synth gsen -n 4 -w 1 --part fabric --seeds 2 -o {out}"), 0);
    let fmax = &report["modules"][0]["fmax_mhz"];
    let mhz = |key: &str| fmax[key].as_f64().unwrap();
    assert_eq!(fmax["seeds"].as_array().unwrap().len(), 2);
    assert!(0.0 < mhz("min") && mhz("min") <= mhz("median") && mhz("median") <= mhz("max"), "{fmax}");
    assert!(fmax["critical_path"]["from"].is_string(), "{fmax}");
    for name in
        ["synth.ys", "yosys.log", "stat.json", "gsen_n4_w1_fabric_harness.v", "seed2.log", "seed2.json"]
    {
        assert!(dir.path().join("gsen_n4_w1_fabric").join(name).is_file(), "{name}");
    }
    // The seed decides everything else.
    let again = json("synth gsen -n 4 -w 1 --part fabric --seeds 1", 0);
    assert_eq!(again["modules"][0]["fmax_mhz"]["seeds"][0], fmax["seeds"][0]);
}

#[test]
#[ignore = "long: make test-all"]
fn the_table_is_csv_too() {
    if !have(&["yosys"]) {
        return;
    }
    let (text, _) = run("synth gsen -n 4 -w 8 --no-pnr --part fabric,cells --format csv", 0);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("target,part,module,parameters,count,lut4,ff,"), "{text}");
    assert!(lines.contains(&"ice40-hx8k,cells,frit_switch,W=8,4,18,18,0,0,18,18,,,,true"), "{text}");
    assert_eq!(*lines.last().unwrap(), "ice40-hx8k,fabric,gsen_n4_w8_fabric,,1,72,72,0,0,72,72,,,,true");
}

#[test]
fn unusable_input_is_refused() {
    for (arguments, expected) in [
        (
            "synth rls -n 8 --target ice40",
            "[possible values: ice40-hx8k, ice40-up5k, ecp5-25k, ecp5-85k, xilinx, intel, gowin, nexus, gatemate]",
        ),
        (
            "synth rls -n 8 --part wires",
            "[possible values: cells, switch, node, fabric, labels, exchange, route, permute, loaded, crossbar, axis]",
        ),
        (
            "synth rls -n 8 --part switch",
            "--part switch does not exist in rls_n8_w32; give one of cells, fabric, ",
        ),
        ("synth dilated -n 4 --part exchange", "give one of cells, switch, fabric, route"),
        ("synth multibutterfly -n 4 --part switch", "give one of cells, node, fabric, route"),
        ("synth multibutterfly -n 4 -w 0", "words of 0 bits"),
        (
            "synth multibutterfly -n 4 -w 63",
            "payload bits = 63 cannot be built in hardware: a word has 64 bits; payload bits must be from 1 to 62",
        ),
        (
            "synth multibutterfly -n 4 --set x=8",
            "the bit model (messages that move bit by bit) cannot be built in hardware",
        ),
        (
            "synth rls -n 8 --seed 3",
            "--seed does not apply to rls, which sends a word from every terminal to every terminal: it is for multibutterfly",
        ),
        ("synth rls -n 8 --breakdown --format csv", "pass --format text or json"),
        ("synth dilated -n 4 -w 8", "--width does not apply to dilated"),
        ("synth dilated -n 4 --set queue=3", "queue = 3 cannot be built in hardware"),
        ("synth dilated -n 3", "does not exist with 3 terminals"),
        (
            "synth rls -n 8 --target xilinx --seeds 3",
            "--seeds does not apply to --target xilinx, for which there are areas only; leave --seeds out",
        ),
        ("synth dilated -n 4 --target gowin --prove", "--prove does not apply to --target gowin"),
        ("synth rls -n 8 --target intel --breakdown", "--breakdown does not apply to --target intel"),
        ("compare -n 8 --synth nexus --seeds 2", "--seeds does not apply to --synth nexus"),
        ("synth rls -n 8 --seeds 0", "0 is not in 1..=100"),
        ("synth rls -n 8 --seeds 2 --no-pnr", "cannot be used with"),
        (
            "synth gsen -n 10 --part labels",
            "--part labels does not exist in gsen_n10_w32; give one of cells, fabric, exchange",
        ),
        ("synth rls -n 3", "the nearest size is 4"),
        (
            "synth transpose -n 8 --rows 128 --cols 384 -w 16",
            "transpose_128x384_p8_w16 needs 512 block RAMs for its memories, but iCE40 HX8K, ct256 has 32; give fewer words",
        ),
        (
            "synth transpose -n 8 --rows 128 --cols 384 -w 16 --target ecp5-25k --part permute,cells",
            "needs 128 block RAMs for its memories, but ECP5 LFE5U-25F, CABGA381, speed grade 6 has 56",
        ),
        (
            "synth rls -n 8 -w 32 --axis",
            "rls_n8_w32_axis_l1_b1 needs 40 block RAMs for the memories of its streams, but iCE40 HX8K, ct256 has 32; words of up to 29 bits fit (-w 29): give these, a smaller -n, another --target, or --no-pnr for areas only",
        ),
        (
            "synth rls -n 64 -w 32 --axis --target ice40-up5k",
            "words of one bit do not fit either: give a smaller -n, another",
        ),
        ("synth dilated -n 4 --axis", "--axis does not apply to dilated"),
        ("synth transpose -n 4 --rows 8 --axis", "--axis does not apply to transpose"),
        ("synth rls -n 8 --axis --part exchange", "give one of cells, axis"),
        ("synth rls -n 8 --axis --length 300", "message length 300 is out of range"),
        ("synth obf -n 8 --axis --length 2", "pass --set fanout=per-level"),
        ("synth rls -n 8192", "too many to emit Verilog; use -n up to 4096"),
    ] {
        let (stdout, stderr) = run(arguments, 2);
        assert_eq!(stdout, "", "frit {arguments}");
        assert!(stderr.contains(expected), "frit {arguments}: {stderr}");
    }
}

/// A program that is not what its name says.
fn pretend(folder: &Path, name: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// What `frit synth gsen -n 4 -w 1 --part fabric` says with these programs and no others.
fn with_programs(programs: &[(&str, &str)], more: &str, code: i32) -> String {
    with_design("gsen -n 4 -w 1 --part fabric", programs, more, code)
}

/// The same of any design.
fn with_design(design: &str, programs: &[(&str, &str)], more: &str, code: i32) -> String {
    let dir = tempfile::tempdir().unwrap();
    programs.iter().for_each(|(name, script)| pretend(dir.path(), name, script));
    let output = frit(&format!("synth {design} {more}"))
        .env("FRITILLARY_TOOLS", "/nonexistent")
        .env("PATH", dir.path())
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert_eq!(output.status.code(), Some(code), "{text}");
    text
}

#[test]
fn missing_tools_are_named() {
    let text = with_programs(&[], "", 3);
    assert!(text.starts_with("error: yosys was not found") && text.contains("scripts/setup"), "{text}");
    let text = with_programs(&[("yosys", "exit 0")], "", 3);
    assert!(text.starts_with("error: nextpnr-ice40 was not found"), "{text}");
    let text = with_programs(&[("yosys", "exit 0")], "--target ecp5-85k", 3);
    assert!(text.starts_with("error: nextpnr-ecp5 was not found"), "{text}");
}

/// Writes what Yosys should write.
const YOSYS: &str = r#"
echo '// no cells' >netlist.v
echo '{"design": {"num_cells_by_type": {"SB_LUT4": 5}}}' >stat.json
echo '{}' >harness.json
while read -r command _ _ what value mark digest; do
  case $command-$mark in
    tee-MADE-FROM) echo "$mark $digest" >"$what" ;;
    setattr-*) case $what in frit_made_from) echo "{\"$what\": $value}" >harness.json ;; esac ;;
  esac
done <"$2"
"#;
/// The start of a nextpnr that writes back what it was given.
const PLACED: &str = "read -r line <harness.json; echo \"$line\" >seed1.placed.json";

#[test]
fn tools_that_fail_or_stop_without_a_word_are_noticed() {
    let no_clock = r#"echo '{"fmax": {}, "critical_paths": []}' >seed1.json"#;
    for (yosys, nextpnr, code, expected) in [
        ("echo 'ERROR: no such pass' >&2; exit 1", "", 2, "yosys failed (exit status: 1)"),
        // Yosys's abc9 can end with exit code 0 and nothing written.
        (&format!("{YOSYS}\necho -n >harness.json"), "", 2, "harness.json; its output is in"),
        ("exit 0", "", 2, "yosys reported success but did not write"),
        (
            &format!("{YOSYS}\necho '{{}}' >stat.json"),
            "",
            2,
            "stat.json cannot be read: missing field `design`",
        ),
        (YOSYS, "echo 'ERROR: unsupported cell'; exit 1", 2, "ERROR: unsupported cell"),
        (YOSYS, "exit 0", 2, "nextpnr-ice40 reported success but did not write"),
        (YOSYS, &format!("{no_clock}; {PLACED}"), 2, "seed1.json has no clock"),
        (YOSYS, &format!("{no_clock}; echo '{{}}' >seed1.placed.json"), 2, "nextpnr did not run the input"),
    ] {
        let text = with_programs(&[("yosys", yosys), ("nextpnr-ice40", nextpnr)], "--seeds 1", code);
        assert!(text.contains(expected), "{yosys} / {nextpnr}: {text}");
    }
    // A proof that fails, and one that cannot be made.
    let share = tempfile::tempdir().unwrap();
    let bin = share.path().join("bin");
    fs::create_dir_all(share.path().join("share/yosys/ice40")).unwrap();
    fs::write(share.path().join("share/yosys/ice40/cells_sim.v"), "").unwrap();
    fs::create_dir(&bin).unwrap();
    let unproven = "Of those cells 3 are proven and 9 are unproven.";
    pretend(&bin, "yosys", &format!("echo '{unproven}' >prove.txt; {YOSYS}"));
    let arguments = "synth gsen -n 4 -w 1 --part fabric --no-pnr --prove";
    let output = frit(arguments).env("FRITILLARY_TOOLS", "/nonexistent").env("PATH", &bin).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains(
            "gsen_n4_w1_fabric: equivalence of netlist and RTL is not proved: 9 pairs of signals are left"
        ),
        "{text}"
    );
    let text = with_programs(&[("yosys", YOSYS)], "--no-pnr --prove", 2);
    assert!(text.contains("Yosys's models of cells were not found in"), "{text}");
    let text = with_programs(&[("yosys", YOSYS)], "--no-pnr", 0);
    assert!(text.contains("gsen_n4_w1_fabric"), "{text}");
}

#[test]
fn what_does_not_fit_is_said_with_how_much() {
    let yosys = YOSYS.replace("\"SB_LUT4\": 5", "\"SB_LUT4\": 8000");
    let text = with_programs(&[("yosys", &yosys)], "--no-pnr", 1);
    let expected = "gsen_n4_w1_fabric does not fit: it needs 8000 LUT4, but the device has 7680, 320 too few";
    assert!(text.contains(expected), "{text}");
    // It fits, but not with the shift registers around it.
    let nextpnr = "echo 'Info:   ICESTORM_LC:   90/   80   112%'; exit 1";
    let text = with_programs(&[("yosys", YOSYS), ("nextpnr-ice40", nextpnr)], "", 1);
    let expected =
        "with the registers that time it, it needs 90 ICESTORM_LC, but the device has 80, 10 too few";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn the_members_are_documented() {
    let document = fs::read_to_string(common::root().join("docs/formats.md")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    pretend(dir.path(), "yosys", YOSYS);
    for design in ["gsen -n 4 -w 1", "dilated -n 4 --set bundle=2", "multibutterfly -n 4"] {
        let arguments = format!("synth {design} --no-pnr --part fabric --format json");
        let mut command = frit(&arguments);
        let command = command.env("FRITILLARY_TOOLS", "/nonexistent").env("PATH", dir.path());
        let report: serde_json::Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
        let members =
            |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        for member in members(&report).into_iter().chain(members(&report["modules"][0])) {
            assert!(document.contains(&format!("`{member}`")), "{member}");
        }
    }
}
