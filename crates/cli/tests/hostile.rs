//! What files, folders and pipes of others cannot do: run anything, hide a verdict, reach the terminal.
#![cfg(unix)]

mod common;

use common::{frit, run};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

fn data(name: &str) -> String {
    format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_network_whose_name_is_no_name_is_refused_before_anything_is_written() {
    let (network, schedule) = (data("evil_network.json"), data("evil_schedule.json"));
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for command in [
        format!("verify user --network {network} --schedule {schedule} -w 8 -o {}", out.display()),
        format!("generate user --network {network} --schedule {schedule} -w 8 -o {}", out.display()),
        format!("network user --network {network} --schedule {schedule} --format dot"),
    ] {
        let (_, text) = run(&command, 2);
        assert!(text.contains("evil_network.json") && text.contains("is not allowed"), "{text}");
        assert!(
            text.contains("line 1 column") && text.contains("letters (a-z, A-Z), digits, _ and -"),
            "{text}"
        );
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    }
    assert!(!out.exists());
}

#[test]
fn design_files_and_titles_are_checked_when_they_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let design = file("d.toml", "system = \"rls\\u001b[2J\"\nterminals = 8\n");
    let (_, text) = run(&format!("schedule {design} --check"), 2);
    assert!(text.contains("the name \"rls\\u{1b}[2J\" is not allowed"), "{text}");
    let sweep = "kind = \"exchange\"\nsystems = [{ system = \"rls\" }]\nterminals = [4]\n[files]\ncsv = \"x.csv\"\n\
        [plot]\ntitle = \"a\\nb\"\n";
    let (_, text) = run(&format!("sweep {}", file("s.toml", sweep)), 2);
    assert!(text.contains("the title \"a\\nb\" is not allowed"), "{text}");
    // What an error quotes of a file reaches the terminal as text.
    let payload = file("p.csv", "1,2\u{1b}[2J,3,4\n1,2,3,4\n1,2,3,4\n1,2,3,4\n");
    let (_, text) = run(&format!("simulate rls -n 4 -w 8 --payload {payload}"), 2);
    assert!(text.contains("2\\u{1b}[2J") && !text.contains('\u{1b}'), "{text:?}");
}

/// A program named `name` in `folder` that leaves a file behind when it runs.
fn plant(folder: &Path, name: &str) -> std::path::PathBuf {
    std::fs::create_dir_all(folder).unwrap();
    let (program, mark) = (folder.join(name), folder.join("ran"));
    std::fs::write(&program, format!("#!/bin/sh\n: > '{}'\necho planted 99.9\n", mark.display())).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    mark
}

#[test]
fn tools_are_not_looked_for_around_the_current_folder() {
    let root = tempfile::tempdir().unwrap();
    let below = root.path().join("a/b");
    let planted = root.path().join(".tools/bin");
    let mark = plant(&planted, "iverilog");
    std::fs::create_dir_all(&below).unwrap();
    // Neither as the tools of a checkout nor by an entry of PATH that means the current folder.
    let here = plant(&below, "iverilog");
    let doctor = || frit("doctor --format json");
    let output = doctor().current_dir(&below).env("PATH", ":.:../../.tools/bin:/usr/bin").output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("planted") && !text.contains(planted.to_str().unwrap()), "{text}");
    assert!(!mark.exists() && !here.exists());
    // Who sets the variable chooses; the text names every tool with its path.
    let named = |variable: &Path| {
        let output = frit("doctor").env("FRITILLARY_TOOLS", variable).env("PATH", "").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let text = named(&planted);
    assert!(text.contains(&format!("iverilog: {}/iverilog", planted.display())), "{text}");
    assert!(text.contains("planted 99.9") && mark.exists(), "{text}");
    assert!(!named(root.path()).contains("iverilog: /"));
}

/// The exit code of a command whose stdout nobody reads.
fn unheard(arguments: &str) -> Option<i32> {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("frit"));
    command.current_dir(common::root()).args(arguments.split_whitespace());
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    command.stdout(writer).stderr(Stdio::null()).status().unwrap().code()
}

#[test]
fn a_verdict_does_not_depend_on_who_listens() {
    let fault = "--engines rust-hdl --wave none --fault inverted-control:2:1";
    assert_eq!(unheard(&format!("verify rls -n 8 -w 8 {fault}")), Some(1));
    // The first size passes; the second, which fails, is run although nobody heard of the first.
    assert_eq!(
        unheard("verify rls -n 4,8 -w 8 --engines rust-hdl --wave none --fault swapped-wire:1"),
        Some(1)
    );
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let several = format!("verify rls -n 4,8 -w 8 --engines rust-hdl --wave none -o {}", out.display());
    assert_eq!(unheard(&several), Some(0));
    assert!(out.join("rls_n4_w8").is_dir() && out.join("rls_n8_w8").is_dir());
    let trace = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let (a, b) = (trace("a.csv", "cycle,x\n1,1\n"), trace("b.csv", "cycle,x\n1,2\n"));
    assert_eq!((unheard(&format!("diff {a} {b}")), unheard(&format!("diff {a} {a}"))), (Some(1), Some(0)));
    assert_eq!(unheard("photonics -r 10"), Some(1));
    assert_eq!(unheard("systems"), Some(0));
}

#[test]
fn an_error_that_nobody_reads_keeps_its_code() {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("frit"));
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = command.args(["schedule", "mesh", "-n", "8"]).stderr(writer).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

#[test]
fn the_readers_own_words_are_not_in_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vhdl.vcd").display().to_string();
    // A VHDL variable of a type for which the reader prints a remark on stdout.
    let text = "$timescale 1ns $end\n$scope module tb $end\n$var wire 1 ! clk $end\n\
        $attrbegin misc 02 unsigned 2056 $end\n$var wire 8 \" d $end\n$upscope $end\n$enddefinitions $end\n\
        #0\n0!\nb1 \"\n#5\n1!\n#10\n0!\n#15\n1!\n";
    std::fs::write(&path, text).unwrap();
    let report = common::json(&format!("diff {path} {path}"), 0);
    assert_eq!(report["compared_signals"], 1);
    let (text, _) = run(&format!("diff {path} {path}"), 0);
    assert!(text.starts_with("same: "), "{text}");
}
