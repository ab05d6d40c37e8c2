//! `D_axis` from the command line: verified under every engine, generated, refused.

use crate::common;

use common::{have, json, run};
use std::process::Command;

#[test]
fn the_streams_of_several_systems_agree() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let designs = [
        ("rls -n 4 -w 8 --axis", 7),
        ("obf -n 4 -w 8 --axis --buffers 2", 4),
        ("rls -n 4 -w 8 --axis --length 3 --buffers 2", 15),
        ("gsen -n 6 -w 8 --axis --length 2", 19),
        ("obf -n 4 -w 8 --set fanout=per-level --axis --length 2", 6),
        ("rls-folded -n 4 -w 8 --axis --length 2", 18),
        ("benes -n 4 -w 8 --axis --length 2", 11),
    ];
    for &(design, cycles) in common::some(&designs, 1) {
        let report = json(&format!("verify {design} --engines rust-hdl,icarus --require icarus"), 0);
        let streams = &report["streams"];
        assert_eq!((&report["agrees"], &streams["agrees"]), (&true.into(), &true.into()), "{design}");
        assert_eq!(streams["cycles"], cycles, "{design}");
        for engine in ["rust_hdl", "icarus"] {
            assert_eq!(streams[engine]["ran"], true, "{design} {engine}");
            assert!(streams[engine]["words"].as_u64() > Some(0), "{design} {engine}");
        }
    }
}

#[test]
#[ignore = "long: make test-all"]
fn the_streams_agree_under_verilator() {
    if have(&["verilator", "make", "g++"]) {
        let report =
            json("verify rls -n 4 -w 4 --axis --length 2 --engines verilator --require verilator", 0);
        assert_eq!(report["streams"]["verilator"]["agrees"], true, "{report}");
    }
}

#[test]
fn a_fault_below_the_streams_is_found() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    for (design, fault) in [
        ("rls -n 8", "inverted-control:2:1"),
        ("gsen -n 6", "inverted-control:1:1"),
        ("rls -n 4", "swapped-wire:1"),
    ] {
        let report =
            json(&format!("verify {design} -w 8 --axis --engines rust-hdl,icarus --fault {fault}"), 1);
        for engine in ["rust_hdl", "icarus"] {
            let found = &report["streams"][engine];
            assert_eq!(found["agrees"], false, "{design} {engine}");
            assert!(found["complaint"].is_string(), "{found}");
        }
    }
}

#[test]
#[ignore = "long: make test-all"]
fn the_emitted_testbench_says_so_itself() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().display();
    run(&format!("generate rls -n 4 -w 8 --axis --length 3 --buffers 2 --layout files -o {place}"), 0);
    let icarus =
        |plusargs: &str| common::make(folder.path(), &["axis_l3_b2-icarus", &format!("PLUSARGS={plusargs}")]);
    for plusargs in ["", "+seed=7 +offering=256 +taking=256", "+seed=9 +offering=256 +taking=20"] {
        let (passed, text) = icarus(plusargs);
        assert!(passed && text.contains("PASS rls_n4_w8_axis_l3_b2: 4 exchanges of 15 cycles"), "{text}");
    }
    // A word in every cycle at every port, without end.
    let clocks = |exchanges: u32| -> u32 {
        let (passed, text) = icarus(&format!("+exchanges={exchanges} +offering=256 +taking=256"));
        let (_, rest) = text.split_once("clocks=").unwrap();
        assert!(passed, "{text}");
        rest.split(' ').next().unwrap().parse().unwrap()
    };
    assert_eq!(clocks(60) - clocks(10), 50 * 12);
    assert!(!icarus("+exchanges=0").0);
    // A buffer that withdraws its word while another comes in loses nothing, but a word that has come stands at the output.
    let file = folder.path().join("frit_cells/frit_axis_drain.v");
    let whole = std::fs::read_to_string(&file).unwrap();
    let broken = |changes: &[(&str, &str)]| {
        let text = changes.iter().fold(whole.clone(), |text, (from, to)| {
            assert!(text.contains(from));
            text.replace(from, to)
        });
        std::fs::write(&file, text).unwrap();
        let (passed, text) = icarus("");
        assert!(!passed, "{text}");
        text
    };
    let text = broken(&[
        ("moves = ~valid_q | tready_i", "moves = ~valid_q | (tready_i & ~push_i)"),
        (
            "valid_q <= read_q | (valid_q & ~tready_i)",
            "valid_q <= read_q | (valid_q & ~(tready_i & ~push_i))",
        ),
        ("leaves = valid_q & tready_i", "leaves = valid_q & tready_i & ~push_i"),
        ("tvalid_o = valid_q", "tvalid_o = valid_q & ~push_i"),
    ]);
    assert!(text.contains("m_axis_tvalid_o is 0, but a word is left"), "{text}");
    assert!(!text.contains("word 0 from"), "{text}");
    // One whose word changes while it waits breaks the rules of AXI4-Stream.
    let text = broken(&[("tdata_o = data_q", "tdata_o = data_q ^ {W{push_i & ~tready_i}}")]);
    assert!(text.contains("a word was offered and then withdrawn or changed"), "{text}");
}

#[test]
fn an_exchange_begins_as_often_as_generate_says() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    // That of two sets is measured in a long test.
    for (design, measured, periods) in [
        ("rls -n 4 --length 3 --buffers 1", true, [29, 12]),
        ("gsen -n 6 --length 4 --buffers 2", false, [32, 32]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let line = format!("generate {design} -w 2 --axis -o {}", folder.path().display());
        let (said, _) = run(&line, 0);
        let streams = json(&line, 0)["streams"].clone();
        assert_eq!([&streams["period"], &streams["period_of_two_sets"]], periods, "{design}");
        let advice = if streams["sets"] == 1 {
            format!("; with --buffers 2 every {}\n", periods[1])
        } else {
            "\n".into()
        };
        let rate = format!("Rate: an exchange begins every {} cycles at best{advice}", periods[0]);
        assert!(said.contains(&rate), "{said}");
        let clocks = |exchanges: u32| -> u32 {
            let plusargs = format!("PLUSARGS=+exchanges={exchanges} +offering=256 +taking=256");
            let (passed, text) = common::make(folder.path(), &["axis_l3_b1-icarus", &plusargs]);
            assert!(passed, "{text}");
            text.split_once("clocks=").unwrap().1.split(' ').next().unwrap().parse().unwrap()
        };
        assert!(!measured || clocks(8) - clocks(4) == 4 * periods[0], "{design}");
    }
}

/// A change of an emitted cell, and what the testbench says of it.
const CHANGES: [(&str, &str, &str, &str); 11] = [
    // An exchange that a reset stops in its first cycle is forgotten.
    ("begin_copy", "begins_q <= 1'b0", "begins_q <= soon_i", "ready_o is 0, expected 1"),
    ("axis_control", "IS_DOUBLE]) | twice_i", "IS_DOUBLE])", "missing, double, unknown, length are"),
    ("axis_control", "~running_i & ~loaded_q", "~loaded_q", "missing, double, unknown, length are"),
    ("axis_control", "busy_o = running_i", "busy_o = running_i & ~finished_i", "busy_o is 0, expected 1"),
    ("axis_control", "done_q <= finished_i", "done_q <= finished_i & ~length_q", "done_o is 0, expected 1"),
    ("axis_control", "cycles_q <= cycles_i", "cycles_q <= cycles_i + 1", "cycles_o is 16, expected 15"),
    (
        "axis_load",
        "stalls = write_q & ~writable_q",
        "stalls = write_q & ~writable_q & count_q[0]",
        "s_axis_tready_o is 1, expected 0",
    ),
    ("axis_load", "full_o = full_q", "full_o = closed_q", "ready_o is 0, expected 1"),
    ("axis_load", "length_q <= acts", "length_q <= acts & first", "missing, double, unknown, length are"),
    (
        "axis_drain",
        "room_q <= ((owed_q != Sets) | leaves) & ~begin_i",
        "room_q <= 1'b1",
        "ready_o is 1, expected 0",
    ),
    (
        "axis_drain",
        "reads = filled_q & fetches",
        "reads = filled_q & fetches & ~(valid_q & tready_i)",
        "m_axis_tvalid_o is 0, but a word is left",
    ),
];

#[test]
fn the_emitted_testbench_knows_what_the_ports_should_show() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    run(
        &format!(
            "generate rls -n 4 -w 8 --axis --length 3 --buffers 2 --layout files -o {}",
            folder.path().display()
        ),
        0,
    );
    for (cell, from, to, said) in CHANGES {
        let file = folder.path().join(format!("frit_cells/frit_{cell}.v"));
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text.matches(from).count(), 1, "{from}");
        std::fs::write(&file, text.replace(from, to)).unwrap();
        let (passed, printed) = common::make(folder.path(), &["axis_l3_b2-icarus"]);
        assert!(!passed && printed.contains(said), "{to}: {printed}");
        std::fs::write(&file, text).unwrap();
    }
}

#[test]
fn what_the_streams_cannot_carry_is_refused() {
    for (arguments, expected) in [
        ("verify rls -n 4 --length 2", "--axis"),
        (
            "generate rls -n 4 -w 8 -o nowhere --axis --length 257",
            "message length 257 is out of range; give a length from 1 to 256",
        ),
        ("generate rls -n 4 -w 8 -o nowhere --axis --length 0", "message length 0 is out of range"),
        ("generate obf -n 8 -w 8 -o nowhere --axis --length 2", "pass --set fanout=per-level"),
        ("generate rls -n 4 -w 8 -o nowhere --axis --buffers 3", "1..=2"),
        ("generate rls -n 4 -w 8 -o nowhere --port-style axis", "--axis"),
        ("generate rls -n 4 -w 8 -o nowhere --tkeep", "--axis"),
        ("generate rls -n 4 -w 8 -o nowhere --axil", "--axis"),
        ("generate rls -n 4 -w 8 -o nowhere --axis --axil", "--axil needs --port-style axis; pass both"),
        ("generate rls -n 4 -w 8 -o nowhere --axis --tkeep", "--tkeep and --tuser need --port-style axis"),
        ("generate rls -n 4 -w 8 -o nowhere --axis --tuser 3", "--tkeep and --tuser need --port-style axis"),
        (
            "generate rls -n 4 -w 1000 -o nowhere --axis --port-style axis --tuser 20 --tkeep",
            "-w 1000 with --tuser 20 and --tkeep is too wide: a word of the exchange has at most 1024 bits",
        ),
        ("verify rls -n 4 -w 8 --axis --port-style axis --tuser 4294967295", "at most 1024 bits"),
        ("verify rls -n 4 -w 8 --reset async", "pass --axis"),
        ("generate rls -n 4 -w 8 -o nowhere --reset maybe", "sync, async"),
        ("generate dilated -n 8 -o nowhere --reset async", "--reset"),
        ("generate multibutterfly -n 8 -o nowhere --reset-level low", "--reset"),
    ] {
        let (_, text) = run(arguments, 2);
        assert!(text.contains(expected), "{arguments}: {text}");
        assert!(!common::root().join("nowhere").exists());
    }
    let folder = tempfile::tempdir().unwrap();
    let [network, schedule] = ["network", "schedule"].map(|name| folder.path().join(name));
    let two =
        r#"{"format": "fritillary-network-1", "name": "two", "terminals": 2, "links": [[0, 1], [0, 1]]}"#;
    std::fs::write(&network, two).unwrap();
    let rounds = r#"{"format": "fritillary-schedule-1", "rounds": [{"states": ["0"]}, {"states": ["1"]}]}"#;
    std::fs::write(&schedule, rounds).unwrap();
    let files = format!("--network {} --schedule {}", network.display(), schedule.display());
    let (_, text) = run(&format!("verify user {files} -w 4 --axis"), 2);
    assert!(text.contains("streams need three terminals or more, and user_two_n2 has 2"), "{text}");
}

#[test]
fn the_streams_agree_whatever_their_ports() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    for (design, module) in [
        ("rls -n 4 -w 5 --length 3 --buffers 2 --axis --port-style axis", "rls_n4_w5_axis_l3_b2_ports"),
        (
            "obf -n 4 -w 12 --axis --port-style axis --tkeep --tuser 3 --reset async",
            "obf_n4_w17_axis_l1_b1_ports_k_u3_arstn",
        ),
        ("gsen -n 6 -w 1 --axis --port-style axis --reset-level high", "gsen_n6_w1_axis_l1_b1_ports_rst"),
        ("rls -n 4 -w 8 --axis --reset async --reset-level low", "rls_n4_w8_axis_l1_b1_arstn"),
        ("rls -n 4 -w 12 --length 2 --axis --port-style axis --axil", "rls_n4_w12_axis_l2_b1_ports_axil"),
    ] {
        let report = json(&format!("verify {design} --engines rust-hdl,icarus --require icarus"), 0);
        assert_eq!(report["streams"]["module"], module);
        assert_eq!(report["streams"]["agrees"], true, "{design}: {report}");
    }
}

#[test]
fn an_exchange_has_the_reset_that_was_asked_for() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    for (options, word, from, to) in [
        ("--reset async --reset-level low", "arstn", "~arst_ni", "arst_ni"),
        ("--reset async", "arst", "if (arst_i) begin", "if (arst_i & 1'b0) begin"),
        ("--reset-level low", "rstn", "~rst_ni", "rst_ni"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        run(&format!("generate gsen -n 6 -w 3 {options} --layout files -o {}", folder.path().display()), 0);
        let top = format!("exchange_{word}");
        let (passed, text) = common::make(folder.path(), &[&format!("{top}-icarus")]);
        assert!(passed && text.contains(&format!("PASS gsen_n6_w3_{top}:")), "{text}");
        // A wrong level, and a reset that does not come at once.
        let file = match from.contains("if (") {
            true => folder.path().join("frit_cells/frit_reset_sync.v"),
            false => folder.path().join(format!("gsen_n6_w3_{top}.v")),
        };
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.contains(from), "{text}");
        std::fs::write(&file, text.replace(from, to)).unwrap();
        let (passed, text) = common::make(folder.path(), &[&format!("{top}-icarus")]);
        assert!(!passed && text.contains("FAIL"), "{options}: {text}");
    }
}

#[test]
fn a_wrong_wire_of_a_bundle_is_found() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    for (from, to) in [
        (
            "{s01_axis_tuser, s01_axis_tkeep, s01_axis_tdata[11:0]}",
            "{s01_axis_tuser, s01_axis_tkeep, s01_axis_tdata[12:1]}",
        ),
        ("m03_axis_tuser = m_axis_tdata[67:65]", "m03_axis_tuser = m_axis_tdata[65:63]"),
        ("m00_axis_tready", "m01_axis_tready"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let options = "--axis --port-style axis --tkeep --tuser 3";
        run(&format!("generate obf -n 4 -w 12 {options} --layout files -o {}", folder.path().display()), 0);
        let file = folder.path().join("obf_n4_w17_axis_l1_b1_ports_k_u3.v");
        let text = std::fs::read_to_string(&file).unwrap();
        let (ports, body) = text.split_once(");\n").unwrap();
        assert!(body.contains(from), "{body}");
        std::fs::write(&file, format!("{ports});\n{}", body.replace(from, to))).unwrap();
        let (passed, text) = common::make(folder.path(), &["axis_l1_b1_ports_k_u3-icarus"]);
        assert!(!passed && text.contains("FAIL"), "{to}: {text}");
    }
}

#[test]
fn a_wrong_register_is_found_by_the_emitted_testbench_and_the_header_compiles() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let options = "--axis --port-style axis --tkeep --axil --reset async";
    run(&format!("generate rls -n 4 -w 32 {options} --layout files -o {}", folder.path().display()), 0);
    let (passed, text) = common::make(folder.path(), &["axis_l1_b1_ports_k_axil_arstn-icarus"]);
    assert!(passed, "{text}");
    for (file, from, to, expected) in [
        (
            "rls_n4_w36_axis_l1_b1_ports_k_axil_arstn.v",
            ".clear_o(axil_clear)",
            ".clear_o()",
            "an error that was cleared is still there",
        ),
        (
            "rls_n4_w36_axis_l1_b1_ports_k_axil_arstn.v",
            ".Terminals(32'd4)",
            ".Terminals(32'd5)",
            "TERMINALS reads 00000005",
        ),
        ("frit_cells/frit_axil_registers.v", "exchanges_q + 1'b1", "exchanges_q", "EXCHANGES reads 00000000"),
    ] {
        let path = folder.path().join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from}: {text}");
        std::fs::write(&path, text.replace(from, to)).unwrap();
        let (passed, said) = common::make(folder.path(), &["axis_l1_b1_ports_k_axil_arstn-icarus"]);
        assert!(!passed && said.contains(expected), "{to}: {said}");
        std::fs::write(&path, text).unwrap();
    }
    if !have(&["g++"]) {
        return;
    }
    // With the header of another design.
    run(
        &format!(
            "generate rls -n 8 -w 8 --axis --port-style axis --axil -o {}/other",
            folder.path().display()
        ),
        0,
    );
    let program = "#include \"rls_n4_w36_axis_l1_b1_ports_k_axil_arstn.h\"
#include \"other/rls_n8_w8_axis_l1_b1_ports_axil.h\"
#if FRIT_CONTROL != 0x20 || FRIT_ERRORS_CONFLICT_MASK >> FRIT_ERRORS_CONFLICT_SHIFT != 1
#error addresses
#endif
#if RLS_N4_W36_AXIS_L1_B1_PORTS_K_AXIL_ARSTN_TERMINALS != 4 || RLS_N8_W8_AXIS_L1_B1_PORTS_AXIL_TERMINALS != 8
#error values
#endif
#if (RLS_N4_W36_AXIS_L1_B1_PORTS_K_AXIL_ARSTN_WIDTH & FRIT_WIDTH_KEEP_MASK) >> FRIT_WIDTH_KEEP_SHIFT != 1
#error tkeep
#endif
int main(void) { return 0; }
";
    std::fs::write(folder.path().join("registers.c"), program).unwrap();
    let cc = Command::new("g++")
        .args([
            "-x",
            "c",
            "-std=c99",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-pedantic",
            "-fsyntax-only",
            "registers.c",
        ])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(cc.status.success(), "{}", String::from_utf8_lossy(&cc.stderr));
}

/// What the testbench let pass when it wrote three registers only, and never two at once.
#[test]
fn a_subtly_wrong_register_is_found_by_the_emitted_testbench() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let options = "--axis --port-style axis --axil";
    run(&format!("generate rls -n 4 -w 4 {options} --layout files -o {}", folder.path().display()), 0);
    for (cell, from, to) in [
        // START sets AUTO; LENGTH stays; a write behind the registers lands in one.
        ("port", "w_bits_q <= wbits_i;", "w_bits_q <= wbits_i | 6'd2;"),
        ("port", "w_bits_q <= wbits_i;", "w_bits_q <= wbits_i & 6'b110111;"),
        ("port", "aw_word_q <= awword_i;", "aw_word_q <= awword_i & 6'h1f;"),
        // A second write before the first one is answered loses a response.
        ("port", "writing = aw_held_q & w_held_q & ~answered_q", "writing = aw_held_q & w_held_q"),
        // Not seen after an even number of exchanges, and only after 2^31.
        ("registers", "exchanges_q + 1'b1", "(exchanges_q + 1'b1) ^ 32'd16"),
        ("registers", "exchanges_q + 1'b1", "{exchanges_q[31], exchanges_q[30:0] + 1'b1}"),
        ("registers", "error_enabled_q <= 1'b0;", "error_enabled_q <= error_enabled_q;"),
    ] {
        let path = folder.path().join(format!("frit_cells/frit_axil_{cell}.v"));
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from}: {text}");
        std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let (passed, said) = common::make(folder.path(), &["axis_l1_b1_ports_axil-icarus"]);
        std::fs::write(&path, text).unwrap();
        assert!(!passed && said.contains("FAIL: clock"), "{to}: {said}");
    }
}

#[test]
fn the_command_that_a_header_names_makes_the_file() {
    let designs = [
        (
            "rls -n 4 -w 8 --layout files",
            "--axis --length 3 --buffers 2 --port-style axis --tkeep --tuser 2 --reset async",
            3,
        ),
        ("rls -n 4 -w 8", "--axis --length 3 --buffers 2", 1),
        ("rls -n 4 -w 8 --layout files", "--axis --length 3 --buffers 2 --port-style axis --axil", 4),
        ("gsen -n 4 -w 8 --layout files", "--axis --length 3 --buffers 2 --reset-level low", 3),
    ];
    for &(design, options, files) in common::every(&designs, 2) {
        headers_hold(design, options, files);
    }
}

fn headers_hold(design: &str, options: &str, expected: u32) {
    let folder = tempfile::tempdir().unwrap();
    let (given, again) = (folder.path().join("given"), folder.path().join("again"));
    run(&format!("generate {design} {options} -o {}", given.display()), 0);
    let mut with_streams = 0;
    let is_file = |path: &std::path::PathBuf| path.is_file();
    for file in std::fs::read_dir(&given).unwrap().map(|entry| entry.unwrap().path()).filter(is_file) {
        let text = std::fs::read_to_string(&file).unwrap();
        // Long comments go on in the next line.
        let header = text.replace("\n//   ", " ");
        let Some((_, rest)) = header.split_once("// Generated by Fritillary: frit ") else { continue };
        let (command, _) = rest.split_once("; do not edit.").unwrap();
        with_streams += u32::from(command.contains(" --axis --length 3 --buffers 2"));
        run(&format!("{command} -o {}", again.display()), 0);
        let name = file.file_name().unwrap();
        assert_eq!(std::fs::read_to_string(again.join(name)).unwrap(), text, "{name:?}: {command}");
        std::fs::remove_dir_all(&again).unwrap();
    }
    assert_eq!(with_streams, expected, "D_axis, D_axis_core, and what stands around them: {options}");
}
