//! `gsen --algorithm latin --pad`: any number of terminals, on a network whose last terminals are spare.

use crate::common;

use common::{frit, have, json, make, run};
use std::fs;

#[test]
fn terminals_are_those_that_are_served() {
    for (arguments, terminals, spare) in
        [("-n 12 --pad", 12, 2), ("-n 13 --pad yes", 13, 1), ("--set pad=yes -n 3", 3, 3)]
    {
        let run = json(&format!("simulate gsen --algorithm latin {arguments}"), 0);
        assert_eq!((&run["terminals"], &run["spare"]), (&terminals.into(), &spare.into()));
        assert_eq!(run["delivered"], terminals * terminals);
        assert_eq!(run["options"]["pad"], "yes");
    }
    let whole = json("simulate gsen --algorithm latin -n 14 --pad", 0);
    assert!(whole.get("spare").is_none() && whole["options"]["pad"] == "no", "{whole}");
    let (text, _) = run("simulate gsen --algorithm latin -n 13 --pad", 0);
    assert!(
        text.contains("gsen_latin_pad_n13") && text.contains("terminal 13 neither sends nor receives"),
        "{text}"
    );
}

#[test]
fn words_are_those_of_the_served_terminals() {
    let dir = tempfile::tempdir().unwrap();
    let [sent, received, deliveries] = ["sent.csv", "received.csv", "deliveries.csv"]
        .map(|name| dir.path().join(name).display().to_string());
    let words = |word: fn(u32, u32) -> u32| -> String {
        let row =
            |row| (0..5).map(|column| word(row, column).to_string()).collect::<Vec<_>>().join(",") + "\n";
        (0..5).map(row).collect()
    };
    fs::write(&sent, words(|row, column| 10 * row + column)).unwrap();
    run(
        &format!(
            "simulate gsen --algorithm latin -n 5 --pad -w 8 --payload {sent} --received {received} --deliveries {deliveries}"
        ),
        0,
    );
    assert_eq!(fs::read_to_string(&received).unwrap(), words(|row, column| 10 * column + row));
    assert_eq!(fs::read_to_string(&deliveries).unwrap().lines().count(), 1 + 25);
    let (_, error) = run(&format!("simulate gsen --algorithm latin -n 6 -w 8 --payload {sent}"), 2);
    assert!(error.contains("5 rows, expected 6"), "{error}");
}

#[test]
fn what_is_not_padded_says_so() {
    for (arguments, what) in [
        ("simulate gsen -n 12 --pad", "pad=yes does not apply to algorithm="),
        ("simulate gsen -n 10 --algorithm ata2 --pad", "pad=yes does not apply to algorithm=ata2"),
        ("simulate gsen -n 1 --algorithm latin --pad", "2 to 1048574 terminals with --pad"),
        ("simulate gsen -n 12 --algorithm latin", "--pad takes the next size"),
        ("simulate gsen -n 12 --algorithm latin --pad maybe", "give one of no, yes"),
        ("simulate rls -n 8 --pad", "rls has no option \"pad\""),
        ("route gsen -n 12 --algorithm latin --pad", "leave --pad out, or give -n 14"),
        ("generate gsen -n 12 --algorithm latin --pad --axis -o never", "has spare terminals"),
        ("network gsen -n 12 --algorithm latin --pad --path 0:12", "terminals 0..12"),
    ] {
        let (_, error) = run(arguments, 2);
        assert!(error.contains(what), "{arguments}: {error}");
    }
}

#[test]
fn the_testbenches_pass_and_see_a_spare_terminal_that_is_served() {
    if !have(&["iverilog", "vvp", "make"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for style in ["unrolled", "compact"] {
        let folder = dir.path().join(style);
        let out = folder.display();
        run(&format!("generate gsen -n 5 --algorithm latin --pad -w 4 --fabric-style {style} -o {out}"), 0);
        let (content, text) = make(&folder, &["icarus"]);
        assert!(content && text.contains("delivered=25 duplicates=0"), "{text}");
        let file = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let file = file.filter(|path| path.to_string_lossy().ends_with(".v")).last().unwrap();
        let right = fs::read_to_string(&file).unwrap();
        let wrong = right.replace("Served(3'd5)", "Served(3'd6)").replace("Served = 3'd5", "Served = 3'd6");
        assert_ne!(right, wrong);
        fs::write(&file, wrong).unwrap();
        let (content, text) = make(&folder, &["icarus"]);
        assert!(!content && text.contains("send_valid_o is 1, expected 0"), "{style}: {text}");
    }
    let folder = dir.path().join("selftest");
    let fast = "--selftest --baud 3000000 --clock 12000000";
    run(&format!("generate gsen -n 7 --algorithm latin --pad -w 3 {fast} -o {}", folder.display()), 0);
    let (content, text) = make(&folder, &["selftest_d4-icarus"]);
    assert!(content && text.contains("PASS gsen_latin_pad_n7_w3_selftest_d4"), "{text}");
}

#[test]
fn engines_agree_and_a_fault_is_seen() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let engines = "-w 5 --engines rust-hdl,icarus";
    run(&format!("verify gsen -n 4,5,11 --algorithm latin --pad {engines}"), 0);
    run(&format!("verify gsen -n 5 --algorithm latin --pad --labels adder --exchanges 3 {engines}"), 0);
    for fault in ["dropped-valid:1:1", "wrong-label-bit:1:1", "stuck-switch:1:1:1"] {
        let output = frit(&format!("verify gsen -n 5 --algorithm latin --pad {engines} --fault {fault}"))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{fault}");
    }
}
