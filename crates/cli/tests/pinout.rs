//! Tops of streamed permutations with other ports: names of AXI4-Stream, another reset, registers.

use std::fs;

use crate::common;
use crate::web;

use common::{have, json, run};
use serde_json::{Value, json};
use web::{ask, different};

/// Cores, what is around them, and the module that people instantiate.
const TOPS: [(&str, &str, &str); 5] = [
    ("transpose -n 4 --rows 8 -w 8", "--port-style axis --reset async", "permute_ports_arstn"),
    (
        "transpose -n 4 --rows 8 -w 8 --keep yes",
        "--port-style axis --axil --reset-level high",
        "axil_ports_rst",
    ),
    (
        "transpose -n 2 --rows 4 --cols 4 -w 4 --set dims=runtime",
        "--port-style axis --axil --reset async",
        "axil_ports_arstn",
    ),
    (
        "transpose -n 2 --rows 4 --cols 4 -w 4 --set dims=runtime",
        "--reset async --reset-level low",
        "permute_arstn",
    ),
    ("permute -n 3 --kind stride --words 24 --stride 4 -w 8", "--reset-level low", "permute_rstn"),
];

#[test]
fn tops_with_other_ports_agree_under_every_engine() {
    if !have(&["verilator", "iverilog", "vvp", "make"]) {
        return;
    }
    for (core, around, top) in common::some(&TOPS, 2) {
        let report = json(&format!("verify {core} {around}"), 0);
        assert_eq!(report["agrees"], true, "{core} {around}: {report}");
        let dir = tempfile::tempdir().unwrap();
        let report = json(&format!("generate {core} {around} -o {}", dir.path().join("d").display()), 0);
        let module = report["top"].as_str().unwrap();
        assert!(module.ends_with(top), "{module}, not …{top}");
        let (passed, log) = common::make(&dir.path().join("d"), &["lint"]);
        assert!(passed, "{log}");
    }
}

/// Each port that goes astray, a reset of the wrong level, and registers that say something else are found.
#[test]
fn the_testbench_finds_changes_of_the_tops_around_a_core() {
    if !have(&["iverilog", "vvp", "make"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("turn");
    let arguments = "transpose -n 4 --rows 8 -w 8 --keep yes --port-style axis --axil --reset async";
    run(&format!("generate {arguments} -o {}", folder.display()), 0);
    let file = folder.join("transpose_8x8_p4_keep_w8.v");
    let sound = fs::read_to_string(&file).unwrap();
    let (passed, log) = common::make(&folder, &["icarus"]);
    assert!(passed, "{log}");
    let changes = [
        (".arst_i(~aresetn)", ".arst_i(aresetn)"),
        (".m_axis_tready_i(m_axis_tready)", ".m_axis_tready_i(1'b1)"),
        (".s_axis_tkeep_i(s_axis_tkeep)", ".s_axis_tkeep_i(4'd15)"),
        (".s_axis_tlast_i(s_axis_tlast)", ".s_axis_tlast_i(1'b0)"),
        (".error_o(error)", ".error_o()"),
        (".Terminals(32'd4)", ".Terminals(32'd5)"),
        (".LaneMask(16'd65535)", ".LaneMask(16'd3)"),
        (".limits_i(32'd524296)", ".limits_i(32'd524297)"),
        (".size_i(32'd524296)", ".size_i(32'd0)"),
        (".refused_i(axil_refused)", ".refused_i(1'b0)"),
    ];
    for (from, to) in common::some(&changes, 4) {
        assert!(sound.contains(from), "{from}:\n{}", &sound[..6000]);
        fs::write(&file, sound.replacen(from, to, 1)).unwrap();
        let (passed, log) = common::make(&folder, &["icarus"]);
        assert!(!passed && log.contains("FAIL"), "{from} -> {to} is not found: {log}");
    }
}

#[test]
fn ports_that_do_not_exist_are_refused() {
    for (arguments, said) in [
        ("generate transpose -n 4 --rows 8 -w 9 --port-style axis", "give -w 10"),
        ("generate transpose -n 4 --rows 8 -w 10 --keep yes --port-style axis", "give -w 16"),
        ("generate transpose -n 4 --rows 8 --axil", "--axil needs --port-style axis"),
        ("generate transpose -n 8 --rows 65536 --cols 8 --port-style axis --axil", "up to 65535 x 65535"),
        ("generate transpose -n 4 --rows 8 --tkeep", "--tkeep does not apply to transpose"),
        ("generate rls -n 4 --port-style axis", "--port-style axis needs --axis"),
        ("generate rls -n 4 --buffers 2", "--buffers needs --axis"),
        (
            "verify transpose -n 4 --rows 8 --formal --reset async",
            "does not apply to transpose with --formal",
        ),
    ] {
        let (_, error) = run(
            &format!("{arguments} {}", if arguments.starts_with("generate") { "-o never" } else { "" }),
            2,
        );
        assert!(error.contains(said), "{arguments}: {error}");
    }
}

/// The ports, the reset and the registers of a stream's core are options on the page, with the names that they have on the command line.
#[test]
fn tops_of_streamed_permutations_are_those_of_the_command() {
    let temporary = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let asked = |more: Value| {
        let mut options = json!({ "rows": "8", "port-style": "axis" });
        options.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "system": "transpose", "n": 4, "w": 8, "options": options })
    };
    for (at, more) in
        [json!({}), json!({ "axil": "yes", "reset": "async", "reset-level": "high" })].into_iter().enumerate()
    {
        let path = temporary.path().join(at.to_string());
        let figures = ask("figures", &asked(more.clone())).unwrap();
        let command = figures["command"].as_str().unwrap().strip_prefix("frit generate").unwrap();
        assert!(command.contains("--port-style axis"), "{command}");
        run(&format!("generate {command} -o {}", path.display()), 0);
        let found = ask("files", &asked(more)).unwrap();
        assert_eq!(different(&found, &path), Vec::<String>::new());
    }
    let refused = |input: Value| ask("files", &input).unwrap_err();
    let mut packed = asked(json!({ "axil": "yes" }));
    packed["options"]["port-style"] = "packed".into();
    assert!(refused(packed).contains("axil=yes needs port-style=axis"));
    assert!(refused(asked(json!({ "reset": "never" }))).contains("give one of sync, async"));
    let exchange = json!({ "system": "rls", "n": 4, "w": 8, "options": { "port-style": "axis" } });
    assert!(refused(exchange).contains("port-style"));
}
