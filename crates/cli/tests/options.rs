//! Options of the systems: one way to give them, one place where they are checked, and help that lists what there is.

use crate::common;

use common::{frit, json, run};
use std::fs;

fn refused(arguments: &str) -> String {
    let (_, text) = run(arguments, 2);
    text
}

#[test]
fn every_option_of_every_system_is_given_in_both_ways() {
    let systems = json("systems", 0);
    let mut seen = 0;
    for system in systems.as_array().unwrap().iter().filter(|system| system["kind"] == "planned") {
        let key = system["system"].as_str().unwrap();
        for option in system["options"].as_array().unwrap() {
            let name = option["name"].as_str().unwrap();
            for value in option["values"].as_array().unwrap().iter().map(|value| value.as_str().unwrap()) {
                // 10 terminals for ata2 and latin, 8 for all others; of labels there is a choice with latin alone.
                let n =
                    if ["ata2", "latin", "adder", "ring"].contains(&value) || name == "pad" { 10 } else { 8 };
                let also = if ["labels", "pad"].contains(&name) { " --algorithm latin" } else { "" };
                // With a size that exists nothing is spare.
                let n = if (name, value) == ("pad", "yes") { 9 } else { n };
                let arguments = format!("simulate {key} -n {n}{also}");
                let words = json(&format!("{arguments} --{name} {value}"), 0);
                let set = json(&format!("{arguments} --set {name}={value}"), 0);
                // `radix=2` is the default and is not written down, so that designs made before the option existed keep their bytes.
                let absent = (name, value) == ("radix", "2");
                let given = words["options"][name].as_str();
                assert_eq!(given, Some(value).filter(|_| !absent), "{key} {name}");
                assert_eq!(words["options"], set["options"]);
                seen += 1;
            }
        }
    }
    assert!(seen >= 20, "{seen}");
    // The option `network` of one system is a word, of another a file.
    assert!(refused("simulate xor -n 8 --network omega.json").contains("give one of butterfly, shuffle"));
}

#[test]
fn help_lists_the_options_that_the_named_system_has_and_no_others() {
    let help = |arguments: &str| run(arguments, 0).0;
    let folded = help("simulate rls-folded --help");
    assert!(folded.contains("Options of rls-folded:"), "{folded}");
    assert!(
        folded.contains("--plan <windowed|buffered|two-plane>") && folded.contains("[default: windowed]")
    );
    assert!(
        folded.contains("--direction")
            && !folded.contains("--algorithm <")
            && !folded.contains("--capacity <")
    );
    assert_eq!(help("simulate -n 8 rls-folded -h"), help("simulate rls-folded -h"));
    let plain = help("simulate --help");
    assert!(!plain.contains("--direction") && !plain.contains("Options of"), "{plain}");
    // Lines are broken where the terminal ends.
    let words = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("SYSTEM --help lists the options"), "{plain}");
    // A design file names a system too.
    assert!(help("simulate designs/gsen10.toml --help").contains("Options of gsen:"));
    assert!(help("schedule user --help").contains("--network <FILE>"));
}

#[test]
fn an_option_that_a_system_has_not_is_named_with_those_that_it_has() {
    let expected = "error: rls-folded has no option \"algorithm\"; the options of rls-folded are: plan=windowed|buffered|two-plane, direction=right|left, conflict=yes|no\n";
    assert_eq!(refused("simulate rls-folded -n 8 --algorithm ata2"), expected);
    assert_eq!(refused("simulate rls-folded -n 8 --set algorithm=ata2"), expected);
    let unheard_of = refused("simulate rls-folded -n 8 --colour red");
    assert!(unheard_of.contains("unexpected argument '--colour'"), "{unheard_of}");
    assert!(
        unheard_of.contains(
            "the options of rls-folded are: plan=windowed|buffered|two-plane, direction=right|left"
        ),
        "{unheard_of}"
    );
    assert!(!refused("systems --colour red").contains("the options of"));
    assert_eq!(
        refused("simulate rls -n 8 --direction left --direction right"),
        "error: option direction was given twice, as left and as right; give it once\n"
    );
}

#[test]
fn the_other_options_hold_beside_a_sequence_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.txt");
    fs::write(&file, "11101000").unwrap();
    let file = file.display();
    for given in [format!("--sequence {file}"), format!("--set sequence={file}")] {
        let summary = json(&format!("simulate obf -n 16 {given} --fanout per-level --controller table"), 0);
        let options = &summary["options"];
        assert_eq!(
            [&options["sequence"], &options["fanout"], &options["controller"]],
            ["custom", "per-level", "table"]
        );
        assert_eq!(summary["drivers"], 3);
    }
    let error = refused(&format!("simulate obf -n 16 --sequence {file} --set controller=successor"));
    assert!(error.contains("not for a sequence from a file"), "{error}");
}

#[test]
fn design_files_hold_words_numbers_and_files_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let flattened = path("a.toml", "system = \"rls-flattened\"\nterminals = 8\n[options]\ncapacity = 2\n");
    assert_eq!(json(&format!("simulate {flattened}"), 0)["options"]["capacity"], "2");
    assert_eq!(json(&format!("simulate {flattened} --capacity 1"), 0)["options"]["capacity"], "1");
    path("mine.txt", "11101000");
    let obf =
        "system = \"obf\"\nterminals = 16\n[options]\nsequence = \"mine.txt\"\nfanout = \"per-level\"\n";
    let obf = path("b.toml", obf);
    assert_eq!(json(&format!("simulate {obf}"), 0)["options"]["sequence"], "custom");
    assert_eq!(
        json(&format!("simulate {obf} --sequence granddaddy"), 0)["options"]["sequence"],
        "granddaddy"
    );
    let wrong = path("c.toml", "system = \"rls-flattened\"\nterminals = 8\n[options]\ncapacity = 3\n");
    assert_eq!(
        refused(&format!("simulate {wrong}")),
        format!(
            "error: the design file {wrong}: rls-flattened: capacity cannot be \"3\"; give one of 1, 2\n"
        )
    );
}

#[test]
fn completions_and_manual_pages_know_all_options() {
    let (script, _) = run("completions bash", 0);
    assert!(script.contains("--capacity") && script.contains("two-plane"));
    // Systems in their place, and `--set KEY=VALUE`.
    let systems = script.lines().filter(|line| line.contains("opts=") && line.contains("rls-folded"));
    assert!(systems.count() >= 8, "{script}");
    assert!(script.contains("algorithm=ata2 ") && script.contains(" transpose"), "{script}");
    let folder = tempfile::tempdir().unwrap();
    frit(&format!("man {}", folder.path().display())).assert().success();
    let page = fs::read_to_string(folder.path().join("frit-simulate.1")).unwrap();
    assert!(page.contains("capacity") && page.contains("atape: banyan network to use"), "{page}");
}
