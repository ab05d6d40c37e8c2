//! Emitted Makefiles choose flags for the version of a simulator, or say which version is needed.
#![cfg(unix)]

use crate::common;

use common::{have, json, make, root, run};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A simulator that prints `version` and refuses the options `unknown`; it does nothing but note its arguments in `FOLDER/asked`.
fn pretend(folder: &Path, version: &str, unknown: &str) -> PathBuf {
    let (program, asked) = (folder.join("simulator"), folder.join("asked"));
    let _ = fs::remove_file(&asked);
    let script = format!(
        "#!/bin/sh\nfor option; do case \" {unknown} \" in *\" $option \"*) exit 1 ;; esac; done\n\
         case \" $* \" in *\" --version \"* | *\" -V \"*) echo '{version}' ;; *) echo \" $* \" >>'{}' ;; esac\n",
        asked.display()
    );
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    program
}

/// `make` with a simulator that is none: whether it succeeded, what it said and what it asked of the simulator.
fn with(folder: &Path, variables: &[&str], target: &str, version: &str, unknown: &str) -> (bool, String) {
    let tools = tempfile::tempdir().unwrap();
    let program = pretend(tools.path(), version, unknown);
    let other = pretend(&fs::canonicalize(folder).unwrap(), "", "");
    let mut arguments: Vec<String> =
        ["VERILATOR", "IVERILOG", "VVP"].iter().map(|tool| format!("{tool}={}", other.display())).collect();
    arguments.extend(variables.iter().map(|tool| format!("{tool}={}", program.display())));
    arguments.push(target.to_string());
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (fine, text) = make(folder, &arguments);
    (fine, text + &fs::read_to_string(tools.path().join("asked")).unwrap_or_default())
}

const DEBIAN_12: (&str, &str) = (
    "Verilator 5.006 2023-01-22 rev (Debian 5.006-3)",
    "--quiet --trace-vcd -Wno-WIDTHEXPAND -Wno-MULTIDRIVENPROC",
);
const DEBIAN_13: (&str, &str) =
    ("Verilator 5.032 2025-01-01 rev (Debian 5.032-1)", "--trace-vcd -Wno-MULTIDRIVENPROC");
const NEWEST: (&str, &str) = ("Verilator 5.052 2026-10-01 rev v5.052", "");
/// What the Verilator of some Python packages prints.
const UNTOLD: (&str, &str) = (" rev UNKNOWN.REV", "-Wno-MULTIDRIVENPROC");

#[test]
fn flags_fit_the_version() {
    let dir = tempfile::tempdir().unwrap();
    run(&format!("generate rls -n 4 -w 2 --axis -o {}", dir.path().display()), 0);
    let wave = "build/verilator-vcd/tb_rls_n4_w2";
    type Case<'a> = ((&'a str, &'a str), &'a str, &'a [&'a str], &'a [&'a str]);
    let cases: [Case; 7] = [
        (DEBIAN_12, "lint", &[" -Wno-WIDTH "], &["--quiet", "MULTIDRIVENPROC"]),
        (DEBIAN_13, "lint", &[" --quiet "], &[" -Wno-WIDTH ", "MULTIDRIVENPROC"]),
        (DEBIAN_13, wave, &[" --trace "], &["--trace-vcd"]),
        (UNTOLD, "lint", &[" --quiet "], &[" -Wno-WIDTH ", "MULTIDRIVENPROC"]),
        (UNTOLD, wave, &[" --trace-vcd "], &[" --trace "]),
        (NEWEST, "lint", &[" --quiet ", " -Wno-MULTIDRIVENPROC "], &[" -Wno-WIDTH "]),
        (NEWEST, wave, &[" --trace-vcd "], &[" --trace "]),
    ];
    for ((version, unknown), target, asked, not_asked) in cases {
        let (fine, text) = with(dir.path(), &["VERILATOR"], target, version, unknown);
        assert!(fine && text.contains(" --top-module tb_rls_n4_w2 "), "{version}: {text}");
        assert!(asked.iter().all(|option| text.contains(option)), "{version}: {text}");
        assert!(!not_asked.iter().any(|option| text.contains(option)), "{version}: {text}");
    }
}

#[test]
fn a_version_that_is_too_old_is_refused_with_the_one_that_is_needed() {
    let dir = tempfile::tempdir().unwrap();
    run(&format!("generate rls -n 4 -w 2 --axis -o {}", dir.path().display()), 0);
    let old = "Verilator 4.038 2020-07-11 rev v4.036";
    let icarus = |version: &str| format!("Icarus Verilog version {version} (stable) ()");
    let run_time = "Icarus Verilog runtime version 10.3 (stable) ()";
    for (tool, target, version, found, needed) in [
        ("VERILATOR", "lint", old, "Verilator 4.038", "version 5.006 or newer"),
        ("VERILATOR", "sim", old, "Verilator 4.038", "version 5.030 or newer"),
        ("VERILATOR", "sim", DEBIAN_12.0, "Verilator 5.006", "version 5.030 or newer"),
        ("VERILATOR", "axis_l1_b1-verilator", DEBIAN_12.0, "Verilator 5.006", "version 5.030 or newer"),
        ("IVERILOG", "icarus", &icarus("10.3"), "version 10.3", "version 11 or newer"),
        ("VVP", "need-vvp", run_time, "version 10.3", "version 11 or newer"),
    ] {
        let (fine, text) = with(dir.path(), &[tool], target, version, "");
        let said = [" is too old: ", found, needed, &format!("give {tool}=path")]
            .iter()
            .all(|part| text.contains(part));
        assert!(!fine && said, "{version}: {text}");
    }
    for version in ["11.0", "12.0", "13.0"] {
        let (fine, text) = with(dir.path(), &["IVERILOG"], "lint", &icarus(version), "");
        assert!(fine, "{version}: {text}");
    }
}

/// A file of the user's that tells a time scale, which the design's own do not, may stand anywhere in a list.
#[test]
fn a_file_with_a_timescale_fits_into_the_lists() {
    if !have(&["verilator", "iverilog", "vvp", "make"]) {
        return;
    }
    for first in [true, false] {
        let dir = tempfile::tempdir().unwrap();
        run(&format!("generate rls -n 4 -w 2 -o {}", dir.path().display()), 0);
        let own = "`timescale 1ns/1ps\nmodule own (input wire a_i, output wire b_o);\n  assign b_o = a_i;\nendmodule\n";
        fs::write(dir.path().join("own.v"), own).unwrap();
        for list in ["rls_n4_w2.f", "rls_n4_w2_tb.f"] {
            let list = dir.path().join(list);
            let text = fs::read_to_string(&list).unwrap();
            fs::write(list, if first { format!("own.v\n{text}") } else { format!("{text}own.v\n") }).unwrap();
        }
        let (fine, text) = make(dir.path(), &["lint", "icarus"]);
        assert!(fine && text.contains("PASS rls_n4_w2") && !text.contains("arning"), "{text}");
        // Nor does Verilator warn without `--timescale`, as somebody else calls it, but where a file has lost the line that says so.
        let makefile = fs::read_to_string(dir.path().join("Makefile")).unwrap();
        fs::write(dir.path().join("Makefile"), makefile.replace(" --timescale 1ns/1ps", "")).unwrap();
        let (fine, text) = make(dir.path(), &["lint"]);
        assert!(fine && !text.contains("TIMESCALEMOD"), "{text}");
        let design = fs::read_to_string(dir.path().join("rls_n4_w2.v")).unwrap();
        fs::write(dir.path().join("rls_n4_w2.v"), design.replace("// verilator lint_off TIMESCALEMOD\n", ""))
            .unwrap();
        let (fine, text) = make(dir.path(), &["lint"]);
        assert!(fine == first && text.contains("TIMESCALEMOD") != first, "{text}");
    }
}

/// A design of each kind and the targets of its Makefile.
const DESIGNS: [(&str, &[&str]); 18] = [
    ("rls -n 4 -w 8", &["lint", "sim", "wave"]),
    ("rls -n 8 -w 8 --fabric-style compact", &["lint", "sim"]),
    ("gsen -n 6 -w 8 --fabric-style compact", &["lint", "sim"]),
    ("rls -n 4 -w 8 --axis", &["lint", "sim", "axis_l1_b1"]),
    (
        "rls -n 4 -w 12 --axis --port-style axis --axil --reset async",
        &["lint", "axis_l1_b1_ports_axil_arstn"],
    ),
    ("rls -n 4 -w 8 --selftest", &["lint", "selftest_d104"]),
    ("rls -n 4 -w 8 --reset async", &["lint", "exchange_arst"]),
    ("transpose -n 4 --rows 8 -w 8", &["lint", "sim"]),
    ("transpose -n 2 -w 8 --set dims=runtime --rows 4 --cols 8", &["lint", "sim"]),
    ("permute -n 4 -w 8 --kind bitrev --set words=32", &["lint", "sim"]),
    ("benes -n 4 -w 8 --crossbar", &["lint", "sim"]),
    ("benes -n 4 -w 8 --demand examples/demand4.csv --entries 8", &["lint", "sim"]),
    ("benes -n 4 -w 8 --demand examples/demand4.csv --entries 8 --axis --length 8", &["lint", "sim"]),
    ("dilated -n 4 --set bundle=2 --units", &["lint", "sim", "units"]),
    ("dilated -n 8 --fabric-style compact", &["lint", "sim"]),
    ("multibutterfly -n 4 --units", &["lint", "sim", "units"]),
    (
        "user --network examples/omega8/network.json --schedule examples/omega8/schedule.json -w 8",
        &["lint", "sim"],
    ),
    ("obf", &["lint", "sim"]),
];

/// `scripts/versions` installs the versions.
#[test]
#[ignore = "long: make test-all"]
fn every_version_runs_every_kind() {
    let versions = std::env::var_os("FRIT_VERSIONS").map_or(root().join(".tools/versions"), PathBuf::from);
    let Ok(versions) = fs::read_dir(&versions) else {
        eprintln!("NOT RUN: {} is missing (scripts/versions installs it)", versions.display());
        return;
    };
    let mut versions: Vec<PathBuf> = versions.map(|entry| entry.unwrap().path()).collect();
    versions.sort();
    let mut failed = Vec::new();
    for (design, targets) in DESIGNS {
        let dir = tempfile::tempdir().unwrap();
        // The device is written by the command that also runs it.
        let folder = if design == "obf" { dir.path().join("rtl") } else { dir.path().into() };
        match design {
            "obf" => json(&format!("device obf -n 4 --engines icarus -o {}", dir.path().display()), 0),
            _ => json(&format!("generate {design} -o {}", dir.path().display()), 0),
        };
        for version in &versions {
            let name = version.file_name().unwrap().to_string_lossy();
            let tool =
                |tool: &str, name: &str| format!("{tool}={}", version.join("bin").join(name).display());
            let (tools, one) = match name.starts_with("icarus") {
                true => (vec![tool("IVERILOG", "iverilog"), tool("VVP", "vvp")], "icarus"),
                false => (vec![tool("VERILATOR", "verilator")], "verilator"),
            };
            for target in targets {
                let only = match *target {
                    "sim" => one.to_string(),
                    "lint" | "wave" => target.to_string(),
                    top => format!("{top}-{one}"),
                };
                let mut arguments: Vec<&str> = tools.iter().map(String::as_str).collect();
                arguments.push(&only);
                // Everything is built again by the next version.
                let (fine, text) = make(&folder, &arguments);
                fs::remove_dir_all(folder.join("build")).unwrap_or_default();
                let refused = text.contains("Verilator 5.006") && text.contains("5.030 or newer");
                let as_it_should = match name == "verilator-5.006" && *target != "lint" {
                    true => !fine && refused,
                    false => fine && (*target == "lint" || text.contains("PASS")),
                };
                println!(
                    "{name}: {design}: make {only}: {}",
                    if fine {
                        "ok"
                    } else if refused {
                        "refused"
                    } else {
                        "failed"
                    }
                );
                if !as_it_should {
                    failed.push(format!("{name}: {design}: make {only}: {text}"));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
