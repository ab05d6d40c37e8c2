//! One set of files for words of any width: W is a parameter of the modules.

use crate::common;

use common::{have, run, tools_first};
use std::fs;
use std::path::Path;
use std::process::Command;

fn tool(folder: &Path, program: &str, arguments: &[String]) -> (bool, String) {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("PATH", tools_first())
        .output()
        .unwrap();
    (output.status.success(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

/// The testbench of a design for words of `width` bits, around the modules of the one for 8: the files of both, seen from
/// the folder of the first.
fn files(dir: &Path, design: &str, width: u32, top: &str, module: &str) -> Vec<String> {
    let name = format!("{design}_w{width}");
    let tb = format!("tb_{name}{top}");
    let path = dir.join(&name).join(format!("{tb}.sv"));
    let text = fs::read_to_string(&path).unwrap();
    let theirs = format!("{name}{module} u_");
    assert_eq!(text.matches(&theirs).count(), 1, "{theirs}");
    fs::write(&path, text.replace(&theirs, &format!("{design}_w8{module} #(.W({width})) u_"))).unwrap();
    let list = fs::read_to_string(dir.join(format!("{design}_w8/{design}_w8{top}.f"))).unwrap();
    let modules = list.lines().filter(|line| !line.starts_with("//"));
    let modules = modules.map(|file| match file.strip_prefix("../") {
        Some(_) => file.to_string(),
        None => format!("../{design}_w8/{file}"),
    });
    modules.chain([format!("{tb}.sv")]).collect()
}

/// The words of a command and the names of files.
fn arguments(words: &str, files: &[String]) -> Vec<String> {
    words.split(' ').map(String::from).chain(files.iter().cloned()).collect()
}

#[test]
fn one_set_of_files_serves_words_of_any_width() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    for request in common::some(&["rls -n 4", "gsen -n 6", "obf -n 4 --set fanout=per-level"], 1) {
        let dir = tempfile::tempdir().unwrap();
        let generate = |width: u32| {
            let folder = dir.path().join("new");
            let streams = "--axis --length 2 --buffers 2 --cells ../frit_cells";
            let made =
                common::json(&format!("generate {request} -w {width} {streams} -o {}", folder.display()), 0);
            let name = made["design"].as_str().unwrap().to_string();
            fs::rename(folder, dir.path().join(&name)).unwrap();
            name
        };
        [1, 13, 33].iter().for_each(|&width| drop(generate(width)));
        let name = generate(8);
        let design = name.strip_suffix("_w8").unwrap();
        for &width in common::some(&[13, 1, 33], 1) {
            for (top, module) in [("", "_exchange"), ("_axis_l2_b2", "_axis_l2_b2")] {
                let (name, folder) =
                    (format!("{design}_w{width}"), dir.path().join(format!("{design}_w{width}")));
                let files = files(dir.path(), design, width, top, module);
                let tb = format!("tb_{name}{top}");
                let (fine, text) = tool(
                    &folder,
                    "iverilog",
                    &arguments(&format!("-g2012 -Wall -Wno-timescale -s {tb} -o {tb}.vvp"), &files),
                );
                assert!(fine && text.is_empty(), "{tb}: {text}");
                let (fine, text) = tool(&folder, "vvp", &arguments(&format!("-n {tb}.vvp"), &[]));
                assert!(fine && text.contains(&format!("PASS {name}{top}:")), "{tb}: {text}");
                if width == 13 && have(&["verilator"]) {
                    let words =
                        format!("--lint-only --timing -Wall --quiet --timescale 1ns/1ps --top-module {tb}");
                    let (fine, text) = tool(&folder, "verilator", &arguments(&words, &files));
                    assert!(fine && !text.contains("%Warning"), "{tb}: {text}");
                }
            }
        }
    }
}

#[test]
fn verilator_runs_another_width_and_a_width_of_0_is_refused() {
    if !have(&["verilator", "iverilog", "vvp", "g++", "make"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for width in [8, 3] {
        let folder = dir.path().join(format!("rls_n4_w{width}"));
        run(&format!("generate rls -n 4 -w {width} --cells ../frit_cells -o {}", folder.display()), 0);
    }
    let files = files(dir.path(), "rls_n4", 3, "", "_exchange");
    let folder = dir.path().join("rls_n4_w3");
    let words =
        "--binary --timing -Wall --quiet --timescale 1ns/1ps --top-module tb_rls_n4_w3 --Mdir build -o tb";
    let (fine, text) = tool(&folder, "verilator", &arguments(words, &files));
    assert!(fine && !text.contains("%Warning"), "{text}");
    let (fine, text) = tool(&folder, "build/tb", &[]);
    assert!(fine && text.contains("PASS rls_n4_w3:"), "{text}");
    let folder = dir.path().join("rls_n4_w8");
    let words = "-g2005 -t null -s rls_n4_w8_exchange -Prls_n4_w8_exchange.W=0 -f rls_n4_w8.f";
    let (fine, text) = tool(&folder, "iverilog", &arguments(words, &[]));
    assert!(!fine && text.contains("rls_n4_w8_exchange_needs_W_of_1_or_more"), "{text}");
}
