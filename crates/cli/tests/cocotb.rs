//! The cocotb example drives the streams of a design, and notices when it is wrong.

use crate::common;

use common::{have, root, tools_first};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

const TOOLS: [&str; 4] = ["cocotb-python", "iverilog", "vvp", "make"];

/// What the example says of a design under Icarus, and its exit code. `frit` is the program that writes the design.
fn example(frit: &Path, folder: &Path, arguments: &str) -> (Option<i32>, String) {
    script("examples/cocotb/run.py", frit, folder, arguments)
}

fn script(path: &str, frit: &Path, folder: &Path, arguments: &str) -> (Option<i32>, String) {
    let output = Command::new("cocotb-python")
        .args([path, "--sim", "icarus", "--frit"])
        .arg(frit)
        .arg("-o")
        .arg(folder)
        .args(arguments.split(' '))
        .current_dir(root())
        .env("PATH", tools_first())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    (output.status.code(), text)
}

fn frit() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_frit"))
}

#[test]
fn the_example_passes_for_each_kind_of_control() {
    if !have(&TOOLS) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for (arguments, design, tests) in [
        ("rls -n 4 -w 8 --length 3", "rls_n4_w8", 4),
        ("gsen -n 6 -w 5 --length 2 --buffers 2", "gsen_n6_w5", 4),
        ("obf -n 4 -w 9 --tuser 4 --reset async --reset-level high", "obf_n4_w13", 4),
        ("rls -n 4 -w 32 --length 2 --tkeep --tuser 2 --reset async", "rls_n4_w38", 4),
        ("gsen -n 6 -w 12 --tuser 3 --length 2 --axil", "gsen_n6_w15", 6),
    ] {
        let (code, text) = example(frit(), dir.path(), arguments);
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains(&format!("{design} under icarus: {tests} of {tests} tests passed")), "{text}");
    }
}

#[test]
#[ignore = "long: make test-all"]
fn a_picture_is_turned_and_a_fault_is_seen_in_it() {
    if !have(&TOOLS) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let run = |arguments: &str| script("examples/image/run.py", frit(), dir.path(), arguments);
    let (code, text) = run("--force");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("transpose_64x96_p8_w8 under icarus: 2 of 2 tests passed"), "{text}");
    let picture = |name: &str| fs::read(dir.path().join(name)).unwrap();
    assert!(
        picture("before.pgm").starts_with(b"P5\n96 64\n")
            && picture("rotated.pgm").starts_with(b"P5\n64 96\n")
    );
    assert!(picture("turn.png").starts_with(b"\x89PNG"));
    let (code, text) = run("--fault read --force");
    assert!(code == Some(1) && text.contains("transposed: a pixel is in a wrong place"), "{text}");
}

/// The FFT in `examples`, and its exit code. `arguments` come behind `--sim icarus` and may select another simulator.
fn fft2d(examples: &Path, folder: &Path, arguments: &str) -> (Option<i32>, String) {
    script(examples.join("fft2d/run.py").to_str().unwrap(), frit(), folder, arguments)
}

#[test]
#[ignore = "long: make test-all"]
fn spectra_are_right_and_a_wrong_address_is_seen_in_them() {
    if !have(&TOOLS) {
        return;
    }
    let (examples, dir) = (root().join("examples"), tempfile::tempdir().unwrap());
    let run = |arguments: &str| fft2d(&examples, dir.path(), &format!("--size 4 8 2 {arguments}"));
    let (code, text) = run("--force");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("fft2d of 4 x 8 under icarus: 2 of 2 tests passed"), "{text}");
    let (code, text) = run("--fault read --force");
    assert!(code == Some(1) && text.contains("0 of 2 tests passed"), "{text}");
    assert!(text.contains("AssertionError: picture: word"), "{text}");
}

#[test]
#[ignore = "long: make test-all"]
fn the_picture_of_a_spectrum_is_that_of_the_page_and_lost_bits_are_noticed() {
    if !have(&TOOLS) || !have(&["verilator"]) {
        return;
    }
    let (examples, dir) = (root().join("examples"), tempfile::tempdir().unwrap());
    let (code, text) = fft2d(&examples, dir.path(), "--sim verilator");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("fft2d of 64 x 64 under verilator: 2 of 2 tests passed"), "{text}");
    assert!(
        fs::read(dir.path().join("spectrum.png")).unwrap()
            == fs::read(root().join("docs/images/fft2d.png")).unwrap()
    );
    // The butterflies lose four bits of a part.
    let copy = dir.path().join("examples");
    fs::create_dir_all(copy.join("fft2d")).unwrap();
    for file in ["streaming.py", "fft2d/run.py", "fft2d/fft.py", "fft2d/test_fft2d.py", "fft2d/fft_column.v"]
    {
        let text = fs::read_to_string(examples.join(file)).unwrap();
        let spoilt = text.replace("<= sum_re[BITS-1+:BITS]", "<= {sum_re[BITS+3+:BITS-4], 4'd0}");
        assert_eq!(spoilt != text, file.ends_with(".v"));
        fs::write(copy.join(file), spoilt).unwrap();
    }
    let (code, text) = fft2d(&copy, &dir.path().join("spoilt"), "--size 8 16 4");
    assert!(code == Some(1) && text.contains("0 of 2 tests passed"), "{text}");
    let (code, text) = fft2d(&examples, dir.path(), "--size 8 12 4");
    assert!(code == Some(2) && text.contains("--size 8 12 4: give powers of two"), "{text}");
}

/// The example on `rls -n 4 -w 8`, spoilt by a shell command: it sees the folder as $out, what frit says on stdin.
fn spoilt(command: &str) -> (Option<i32>, String) {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("frit");
    let script = format!(
        "#!/bin/sh\nfor argument; do [ \"$before\" != -o ] || out=$argument; before=$argument; done\n\
         '{}' \"$@\" | {command}\n",
        frit().display()
    );
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    example(&program, &dir.path().join("out"), "rls -n 4 -w 8")
}

#[test]
fn a_wrong_switch_and_a_wrong_number_of_cycles_are_noticed() {
    if !have(&TOOLS) {
        return;
    }
    // Nothing spoilt: the way to spoil it is not what fails.
    let (code, text) = spoilt("cat");
    assert_eq!(code, Some(0), "{text}");
    let (code, text) =
        spoilt("{ cat; sed -i 's/[.]state_i(state_i[[]3])/.state_i(~state_i[3])/' $out/rls_*.v; }");
    assert_eq!(code, Some(1), "{text}");
    // The errors of both exchanges are reported all the same.
    assert!(text.contains("2 of 4 tests passed") && text.contains("AssertionError"), "{text}");
    let (code, text) = spoilt("sed 's/\"cycles\": [0-9]*/\"cycles\": 99/'");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("cycles, expected 99"), "{text}");
}

#[test]
fn a_design_without_streams_is_refused() {
    if !have(&TOOLS) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (code, text) = example(frit(), dir.path(), "rls -n 3 -w 8");
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("the nearest size is 4") && !text.contains("Traceback"), "{text}");
}

#[test]
fn verilator_reads_the_design_of_the_example_without_a_warning() {
    if !have(&["verilator"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    common::run(&format!("generate rls -n 4 -w 9 --axis --port-style axis -o {}", dir.path().display()), 0);
    let output = Command::new("verilator")
        .args(["--lint-only", "--quiet", "-Wall", "--timescale", "1ns/1ps"])
        .args(["--top-module", "rls_n4_w9_axis_l1_b1_ports", "-f", "rls_n4_w9_axis_l1_b1_ports.f"])
        .current_dir(dir.path())
        .env("PATH", tools_first())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !text.contains("%Warning"), "{text}");
}
