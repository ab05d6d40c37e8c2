//! Every kind of unusable input gets one message: what was given, what is allowed, what to do. Exit code 2.

use crate::common;

use common::run;
use std::fs;

fn refused(arguments: &str) -> String {
    let (stdout, stderr) = run(arguments, 2);
    assert_eq!(stdout, "", "frit {arguments}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    stderr.trim_end().to_string()
}

#[test]
fn networks_of_the_users_that_do_not_work() {
    let omega = common::root().join("examples/omega8");
    let (network, schedule) = (omega.join("network.json"), omega.join("schedule.json"));
    let (network, schedule) = (network.display().to_string(), schedule.display().to_string());
    let dir = tempfile::tempdir().unwrap();
    let broken = dir.path().join("broken.json");
    let text = fs::read_to_string(&network).unwrap().replacen(
        "[0, 2, 4, 6, 1, 3, 5, 7]",
        "[0, 2, 4, 6, 1, 3, 5, 5]",
        1,
    );
    fs::write(&broken, text).unwrap();
    let broken = broken.display().to_string();
    let refused = |arguments: &str| {
        refused(arguments).replace(&*omega.display().to_string(), "").replace(&broken, "BROKEN")
    };
    for (arguments, expected) in [
        (
            format!("simulate user --network {network}"),
            "error: the system user needs a network and a schedule; give --network FILE.json and --schedule FILE.json",
        ),
        (
            format!("simulate rls -n 8 --network {network}"),
            "error: --network and --schedule do not apply to rls; use them with the system user",
        ),
        (
            format!("simulate user --network {network} --schedule {schedule} -n 16"),
            "error: /network.json is a network of 8 terminals, but -n 16 was given; leave -n out or give -n 8",
        ),
        (
            format!("simulate user --network {network} --schedule {schedule} --set a=b"),
            "error: the system user has two options, pipeline and stuck; its two files describe everything else (frit schedule user --algorithm exact searches for a schedule)",
        ),
        (
            format!("simulate user --network {broken} --schedule {schedule}"),
            "error: BROKEN: link column 0: the wires from ports 6 and 7 both end at port 5",
        ),
        (
            format!("simulate user --network {schedule} --schedule {network}"),
            "error: /schedule.json: not a network file: missing field `name` at line 13 column 1; it needs the members format, name, terminals and links",
        ),
        (
            "schedule gsen -n 8 --round 0 --paths".into(),
            "error: --paths does not apply to gsen, which has no channels between routers; use rls-flattened",
        ),
    ] {
        assert_eq!(refused(&arguments), expected);
    }
}

#[test]
fn sizes_that_do_not_exist() {
    for (arguments, expected) in [
        (
            "simulate rls -n 3",
            "error: the Butterfly-Butterfly does not exist with 3 terminals; it needs a power of two from 4 to 1048576, and the nearest size is 4",
        ),
        (
            "simulate rls -n 0",
            "error: the Butterfly-Butterfly does not exist with 0 terminals; it needs a power of two from 4 to 1048576, and the nearest size is 4",
        ),
        (
            "simulate gsen -n 7",
            "error: the general shuffle-exchange network does not exist with 7 terminals; it needs an even number from 4 to 1048576, and the nearest size is 8",
        ),
        (
            "simulate gsen --algorithm ata2 -n 12",
            "error: gsen --algorithm ata2 does not exist with 12 terminals; it needs N = 2^n + 2 with n >= 2 (6, 10, 18, 34, ...), and the nearest size is 10",
        ),
        (
            "simulate rls -n 1048576·1048576",
            "error: -n 1048576·1048576 is not a number of terminals; give a whole number, for example -n 16",
        ),
        (
            "simulate rls -n 1099511627776",
            "error: the Butterfly-Butterfly does not exist with 1099511627776 terminals; it needs a power of two from 4 to 1048576, and the nearest size is 1048576",
        ),
        (
            "simulate rls -n 32768 --settings /tmp/never.csv",
            "error: 32768 terminals are too many to write settings, deliveries, words or waves (at most 16384); leave these options out, or use a smaller -n",
        ),
        (
            "simulate gsen -n 131070 --rounds 0..99999",
            "error: 131070 terminals: the table of pairs that arrive in 100000 rounds needs 3 GiB, more than the 1 GiB allowed; choose all rounds (leave --rounds out), which need no such table, or fewer rounds, or use a smaller -n",
        ),
        (
            "generate rls -n 8192 -o /tmp/never",
            "error: 8192 terminals are too many to emit Verilog; use -n up to 4096",
        ),
        (
            "simulate benes -n 8192",
            "error: 8192 rounds of 8192 lanes exceed the 16777216 entries of a stored schedule; give fewer rounds or a smaller network",
        ),
        ("simulate rls", "error: -n is missing; rls needs N = 2^n, n >= 2, for example -n 16"),
        (
            "simulate rls -n 4,8",
            "error: this command takes one number of terminals, but 4,8 were given; give one -n",
        ),
        (
            "simulate rls -n -4",
            "error: -n -4 is not a number of terminals; give a whole number, for example -n 16",
        ),
        // What would take gigabytes is refused before it starts.
        (
            "simulate rls -n 16384 -w 1024 --payload random",
            "error: 16384 x 16384 words of 1024 bits need 32 GiB, more than the 2 GiB allowed; use a smaller -n or -w",
        ),
        (
            "schedule rls -n 8192",
            "error: 8192 rounds of 8192 destinations are too many to print (at most 16777216 destinations); print one round with --round K",
        ),
        (
            "schedule rls -n 4096 --format json",
            "error: 4096 rounds of 4096 destinations are too many to print (at most 4194304 destinations); print one round with --round K",
        ),
        (
            "schedule rls -n 131072 --check",
            "error: 131072 terminals are too many for --check (at most 65536); route one round with --round K",
        ),
        (
            "network rls -n 32768 --format svg",
            "error: 475136 switches are too many to draw (at most 262144); use a smaller -n, or --format json for the tables",
        ),
    ] {
        assert_eq!(refused(arguments), expected, "frit {arguments}");
    }
    assert!(refused("simulate gsen --algorithm ata2 -n 4").contains("third bit"));
}

#[test]
fn widths_systems_and_options() {
    for (arguments, expected) in [
        ("simulate rls -n 8 -w 0", "error: words of 0 bits are not possible; give a width from 1 to 1024"),
        (
            "simulate rls -n 8 -w 65536",
            "error: words of 65536 bits are not possible; give a width from 1 to 1024",
        ),
        ("simulate rls -n 8 -w x", "error: -w x is not a width; give a whole number of bits, 1 to 1024"),
        ("simulate mesh -n 8", "error: \"mesh\" is not a system; the systems are "),
        (
            "generate transpos -n 8 -o out",
            "error: \"transpos\" is not a system; did you mean transpose? the systems are ",
        ),
        (
            "simulate rls -n 8 --algorithm ata2",
            "error: rls has no option \"algorithm\"; the options of rls are: direction=right|left, conflict=yes|no, pipeline=1..4, stuck=STAGE:SWITCH:STATE[,...]|FILE, choose=loss|spread|crosstalk[:SWITCH]",
        ),
        (
            "simulate rls -n 8 --set direction",
            "error: --set direction is not of the form KEY=VALUE; write for example --set algorithm=ata2",
        ),
        (
            "simulate rls -n 8 --direction left --set direction=right",
            "error: option direction was given twice, as left and as right; give it once",
        ),
        (
            "simulate rls -n 8 --direction up",
            "error: rls: direction cannot be \"up\"; give one of right, left",
        ),
        (
            "generate obf -n 16 --set controller=successor --set sequence=granddaddy -o /tmp/never",
            "error: controller=successor: there is a successor rule for prefer-one, not for granddaddy; ",
        ),
        (
            "generate obf -n 4096 --set controller=feedback -o /tmp/never",
            "error: controller=feedback: feedback functions are minimised up to order 10, this sequence has order 11; ",
        ),
        ("schedule rls -n 8 --round 8", "error: --round 8 is out of range; rls_n8 has rounds 0 to 7"),
        ("simulate rls -n 8 --rounds 5..8", "error: --rounds 5..8 is out of range; rls_n8 has rounds 0 to 7"),
        (
            "simulate rls -n 8 --rounds 5..2",
            "error: invalid value '5..2' for '--rounds <K|FIRST..LAST>': \"5..2\" is not a round or a range of rounds; give a number or FIRST..LAST, for example 5 or 5..8",
        ),
        (
            "simulate rls -n 8 --rounds 5 --wave w.fst",
            "error: the argument '--rounds <K|FIRST..LAST>' cannot be used with '--wave <FILE>'",
        ),
        (
            "verify rls -n 8 --fault explode",
            "error: --fault \"explode\" is not a fault of an exchange; give one of these:\n  swapped-wire:STAGE  ",
        ),
        (
            "generate rls -n 8 --fault late-driver:1 -o /tmp/never",
            "error: --fault late-driver:1 has no place in this design: no such driver; ",
        ),
    ] {
        let text = refused(arguments);
        assert!(text.starts_with(expected), "frit {arguments}: {text}");
    }
}

#[test]
fn payload_files() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    fs::write(path("rows.csv"), "1,2,3,4\n1,2,3,4\n1,2,3,4\n").unwrap();
    fs::write(path("wide.csv"), "1,2,3,4\n1,2,300,4\n1,2,3,4\n1,2,3,4\n").unwrap();
    fs::write(path("word.csv"), "1,2,3,4\n1,2,z,4\n1,2,3,4\n1,2,3,4\n").unwrap();
    fs::write(path("short.bin"), [0; 15]).unwrap();
    fs::write(path("text.csv"), [0xff, 0xfe]).unwrap();
    for (file, expected) in [
        ("rows.csv", "the payload has 3 rows, expected 4 (row = source, column = destination)"),
        ("wide.csv", "row 1, column 2: 300 does not fit into 8 bits; give a larger -w or mask the data"),
        ("word.csv", "row 1, column 2: \"z\" is not a decimal word"),
        ("short.bin", "the payload has 15 bytes, expected 16: 4 x 4 little-endian words of 1 bytes"),
        ("text.csv", "is not a text file; name a file of raw binary words .bin"),
        ("absent.csv", "cannot read"),
    ] {
        let text = refused(&format!("simulate rls -n 4 -w 8 --payload {}", path(file)));
        assert!(text.contains(expected) && text.contains(file), "{file}: {text}");
    }
    let text = refused("simulate rls -n 4 --received r.csv");
    assert_eq!(text, "error: --received needs words to exchange; add --payload FILE or --payload random");
}

#[test]
fn files_that_cannot_be_written_leave_nothing() {
    for arguments in [
        "simulate rls -n 4 --settings /proc/frit/s.csv",
        "simulate rls -n 4 --wave /proc/frit/w.fst",
        "generate rls -n 4 -o /proc/frit",
        "verify rls -n 4 -o /proc/frit",
        "network rls -n 4 --format svg -o /proc/frit/x.svg",
    ] {
        let text = refused(arguments);
        assert!(text.contains("/proc/frit"), "{text}");
    }
}

#[test]
fn design_and_permutation_files() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let text = refused(&format!("simulate {}", path("a.toml", "system = \"rls\"\n")));
    assert!(text.contains("-n is missing"), "{text}");
    let text = refused(&format!("simulate {}", path("c.toml", "terminals = 8\n")));
    assert!(text.contains("is not a design file") && text.contains("missing field `system`"), "{text}");
    let text =
        refused(&format!("simulate {}", path("b.toml", "system = \"rls\"\nterminals = 8\ncolour = 1\n")));
    assert!(text.contains("unknown field `colour`"), "{text}");
    let check = |file: String| refused(&format!("schedule check --network butterfly --permutation {file}"));
    assert!(check(path("p", "0 1 1 3")).ends_with("sources 1 and 2 both go to 1"));
    assert!(
        check(path("q", "0 1 2"))
            .ends_with("a permutation of 3 terminals does not fit the Butterfly; its number of terminals is a power of two, at least 4")
    );
    assert!(check(path("r", "")).contains("the file holds no number"));
    let routed = |arguments: &str, file: &str| refused(&format!("schedule {arguments} --permutation {file}"));
    let (eight, three) = (path("eight", "3 7 4 0 2 6 1 5"), path("three", "2 1 0"));
    assert!(routed("benes", &path("s", "0 1 1 3")).ends_with("sources 1 and 2 both go to 1"));
    assert!(routed("benes", &three).contains("the Benes network does not exist with 3 terminals"));
    assert!(
        routed("benes -n 16", &eight)
            .ends_with("is a permutation of 8 terminals, but -n 16 was given; leave -n out or give -n 8")
    );
    assert_eq!(
        routed("rls -n 8", &eight),
        "error: rls has no option \"permutation\"; the options of rls are: direction=right|left, conflict=yes|no, pipeline=1..4, stuck=STAGE:SWITCH:STATE[,...]|FILE, choose=loss|spread|crosstalk[:SWITCH]"
    );
    let twice = routed("benes --set permutation=rotations", &eight);
    assert!(twice.starts_with("error: option permutation was given twice, as rotations and as "), "{twice}");
    assert!(routed("benes", "/nonexistent").contains("/nonexistent"));
}

#[test]
fn waveforms_that_are_broken_or_share_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let broken = path("broken.vcd", "$timescale 1ns $end $scope module tb $end $var wire 1 !");
    let text = refused(&format!("diff {broken} {broken}"));
    assert!(text.contains("broken.vcd"), "{text}");
    let wave = |name: &str, clock: &str, signal: &str| {
        path(
            name,
            &format!(
                "$timescale 1ns $end\n$scope module top $end\n$var wire 1 ! {clock} $end\n$var wire 1 \" {signal} $end\n$upscope $end\n$enddefinitions $end\n#0\n0!\n0\"\n#5\n1!\n#10\n0!\n#15\n1!\n"
            ),
        )
    };
    let (a, b) = (wave("one.vcd", "clk", "left_signal"), wave("two.vcd", "clock", "right_signal"));
    let text = refused(&format!("diff {a} {b}"));
    assert!(text.contains("left_signal") && text.contains("right_signal"), "{text}");
    assert!(refused(&format!("diff {a} /nonexistent.fst")).contains("/nonexistent.fst"));
}

#[test]
fn a_missing_required_tool_is_exit_code_3() {
    let empty = tempfile::tempdir().unwrap();
    // An engine that is asked for by name is not left out in silence, whichever option names it.
    for option in ["--require verilator", "--engines verilator"] {
        let output = common::frit(&format!("verify rls -n 4 {option}"))
            .env("FRITILLARY_TOOLS", empty.path())
            .env("PATH", "")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(3), "{option}");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(
            text.starts_with("error: verilator was not found") && text.contains("scripts/setup"),
            "{text}"
        );
    }
}
