//! What files, folders and pipes of others cannot do: run anything, hide a verdict, reach the terminal.
#![cfg(unix)]

use crate::common;

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

/// What `frit` prints with these arguments after those of a line, its exit code being `code`.
fn given(line: &str, more: &[&str], code: i32) -> String {
    let output = frit(line).args(more).output().unwrap();
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert_eq!(output.status.code(), Some(code), "frit {line} {more:?}\n{text}");
    text
}

/// The names and texts of the files of a folder, without folders.
fn files(folder: &Path) -> std::collections::BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let entries = entries.filter(|entry| entry.path().is_file());
    let read = |entry: std::fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), std::fs::read_to_string(entry.path()).unwrap())
    };
    entries.map(read).collect()
}

#[test]
fn what_is_given_as_numbers_is_written_as_the_numbers_that_were_read() {
    let place = tempfile::tempdir().unwrap();
    let mut number = 0;
    let mut written = |line: &str, more: &[&str]| {
        number += 1;
        let out = place.path().join(number.to_string());
        given(&format!("generate {line} -o {}", out.display()), more, 0);
        files(&out)
    };
    let expected = written("permute -n 4 -w 8 --kind axes", &["--shape", "4x4", "--axes", "1,0"]);
    for (shape, axes) in [
        (" 4x4", "1,0"),
        ("+4x4", "1,0"),
        ("4x\n4", "1,0"),
        ("004x4", "1,0"),
        ("4x4", "1,\n0"),
        ("4x4", "+1,00"),
    ] {
        let more = ["--shape", shape, "--axes", axes];
        assert!(written("permute -n 4 -w 8 --kind axes", &more) == expected, "{more:?}");
        let set = [format!("shape={shape}"), format!("axes={axes}")];
        let more = ["--set", &set[0], "--set", &set[1]];
        assert!(written("permute -n 4 -w 8 --kind axes", &more) == expected, "{more:?}");
        // The page in a browser.
        let asked = |shape: &str, axes: &str| {
            let options = serde_json::json!({ "kind": "axes", "shape": shape, "axes": axes });
            let input = serde_json::json!({ "system": "permute", "n": 4, "w": 8, "options": options });
            crate::web::ask("files", &input).unwrap()
        };
        assert!(asked(shape, axes) == asked("4x4", "1,0"), "{shape:?} {axes:?}");
    }
    let design = place.path().join("d.toml");
    let toml = "system = \"permute\"\nterminals = 4\n[options]\nkind = \"axes\"\nshape = \"4x\\n4\"\naxes = \" 1,+0\"\n";
    std::fs::write(&design, toml).unwrap();
    assert!(written(&format!("{} -w 8", design.display()), &[]) == expected);
    let text =
        given("compare -n 4 --format csv --stream permute kind=axes", &["shape=4x\n4", "axes= 1,0"], 0);
    assert!(text.contains("shape=4x4") && text.contains("axes=1;0"), "{text}");
    for (line, plain, given) in [
        ("rls -n 4 -w 8", "swapped-wire:1", "swapped-wire:+01"),
        ("transpose -n 4 -w 8", "setting:0", "setting:+000"),
        ("benes -n 4 -w 8 --crossbar", "setting:1", "setting:01"),
    ] {
        assert!(written(line, &["--fault", plain]) == written(line, &["--fault", given]), "{line} {given}");
    }
    for line in ["transpose -n 4 -w 8", "rls -n 4 -w 8"] {
        let odd = line.replace('4', "+04").replace('8', "+08");
        assert!(written(line, &[]) == written(&odd, &[]), "{odd}");
    }
}

#[test]
fn the_name_of_a_file_of_packets_is_no_line_of_what_is_written() {
    let place = tempfile::tempdir().unwrap();
    let mut texts = Vec::new();
    for name in ["p.txt", "a\n`include \"b\".txt", "two words $(touch x).txt", "-p"] {
        let packets = place.path().join(name);
        std::fs::write(&packets, "0 3\n1 2\n").unwrap();
        let out = place.path().join(format!("out{}", texts.len()));
        let traffic = packets.display().to_string();
        given(&format!("generate dilated -n 4 -o {}", out.display()), &["--traffic", &traffic], 0);
        texts.push(files(&out));
    }
    let named = |files: &std::collections::BTreeMap<String, String>, text: &str| {
        files.values().filter(|file| file.contains(text)).count()
    };
    assert!(named(&texts[0], "--traffic p.txt ") > 0);
    for other in &texts[1..] {
        assert!(other.keys().eq(texts[0].keys()));
        let lines = |files: &std::collections::BTreeMap<String, String>| {
            files.iter().map(|(name, text)| (name.clone(), text.lines().count())).collect::<Vec<_>>()
        };
        assert_eq!(lines(other), lines(&texts[0]));
        assert!(
            named(other, "--traffic FILE ") > 0
                && named(other, "include \"b\"") == 0
                && named(other, "touch") == 0
        );
    }
}

#[test]
fn nothing_is_written_through_a_link_out_of_a_folder_of_results() {
    use std::os::unix::fs::symlink;
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    std::fs::create_dir_all(at("elsewhere")).unwrap();
    std::fs::write(at("precious"), "precious").unwrap();
    // A new folder with one link in it.
    let folder = |name: &str, link: &str, to: &str| {
        let path = at(name).join(link);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(at(to), path).unwrap();
        at(name).display().to_string()
    };
    let check = |line: &str, link: &str| {
        let text = given(line, &[], 2);
        assert!(
            text.contains(&format!("{link} is a symbolic link; frit writes through no link below")),
            "{text}"
        );
        assert!(text.contains("remove the link, or give another folder"), "{text}");
        assert_eq!(std::fs::read_to_string(at("precious")).unwrap(), "precious", "{line}");
        assert_eq!(std::fs::read_dir(at("elsewhere")).unwrap().count(), 0, "{line}");
    };
    let design = "generate benes -n 4 -w 8 --crossbar --layout files -o";
    for (name, link, to) in [
        ("g1", "component.xml", "precious"),
        ("g2", "frit_cells", "elsewhere"),
        ("g3", "SHA256SUMS", "precious"),
    ] {
        let out = folder(name, link, to);
        for force in ["", "--force"] {
            check(&format!("{design} {out} {force}"), link);
        }
        assert_eq!(std::fs::read_dir(&out).unwrap().count(), 1, "nothing is written beside the link");
    }
    let out = folder("g4", "frit_cells/frit_cells.core", "precious");
    check(&format!("{design} {out} --force"), "frit_cells.core");
    let verify = "verify rls -w 8 --engines rust-hdl --wave none -o";
    check(&format!("{verify} {} -n 4", folder("v1", "rtl", "elsewhere")), "rtl");
    check(&format!("{verify} {} -n 4", folder("v2", "rust-hdl/settings.csv", "precious")), "settings.csv");
    check(&format!("{verify} {} -n 4", folder("v3", "model", "elsewhere")), "model");
    check(&format!("{verify} {} -n 4,8", folder("v4", "rls_n8_w8", "elsewhere")), "rls_n8_w8");
    check(&format!("man {}", folder("m", "frit.1", "precious")), "frit.1");
    let sweep = at("s.toml");
    let text =
        "kind = \"exchange\"\nsystems = [{ system = \"rls\", terminals = [4] }]\n[files]\ncsv = \"x.csv\"\n";
    std::fs::write(&sweep, text).unwrap();
    check(&format!("sweep {} -o {}", sweep.display(), folder("s1", "x.csv", "precious")), "x.csv");
    let shard = folder("s2", "x.shard-1-of-2.csv", "elsewhere/new.csv");
    check(&format!("sweep {} -o {shard} --shard 1/2", sweep.display()), "x.shard-1-of-2.csv");
    // The folder itself may be a link, and so may what is led out of it.
    std::fs::create_dir_all(at("real")).unwrap();
    symlink(at("real"), at("out")).unwrap();
    symlink(at("elsewhere"), at("cells")).unwrap();
    given(&format!("{design} {} --cells ../cells", at("out").display()), &[], 0);
    assert!(at("real/Makefile").is_file() && at("elsewhere/frit_cells.core").is_file());
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
    assert!(
        text.starts_with("same: ") && text.ends_with("  A and B are the same file, compared with itself\n"),
        "{text}"
    );
    assert_eq!(report["one_file"], true);
}

/// Files that are no settings of the design, each with a part of the error: the last column is what stands in the file.
const NO_SETTINGS: [(&str, &str, &str); 6] = [
    ("exchanges", "cycle 13, stage 0, switch 0: rls_n8 has cycles 0 to 12", ""),
    ("header", "expected the header", "cycle,output\n"),
    ("cut", "line 2: expected 4 columns", "cycle,stage,switch,state\n0,0,"),
    (
        "huge",
        "line 2, column cycle: expected a decimal number",
        "cycle,stage,switch,state\n99999999999999999999,0,0,0\n",
    ),
    (
        "far",
        "cycle 18446744073709551615, stage 4294967295",
        "cycle,stage,switch,state\n18446744073709551615,4294967295,0,0\n",
    ),
    ("escape", "got \"\\u{1b}[2J\"", "cycle,stage,switch,state\n\u{1b}[2J,0,0,0\n"),
];

#[test]
fn a_page_is_made_of_what_belongs_to_it_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (page, deliveries) = (path("page.html"), path("deliveries.csv"));
    let simulate = format!("simulate rls -n 8 --deliveries {deliveries}");
    run(&format!("{simulate} --exchanges 2 --settings {}", path("exchanges")), 0);
    run(&format!("{simulate} --settings {}", path("settings.csv")), 0);
    let refused = |arguments: &str, part: &str| {
        let (out, text) = run(&format!("view {arguments}"), 2);
        assert!(text.starts_with("error: ") && text.contains(part), "{arguments}: {text}");
        assert!(out.is_empty() && !Path::new(&page).exists(), "{arguments}");
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    };
    for (name, part, text) in NO_SETTINGS {
        if !text.is_empty() {
            std::fs::write(path(name), text).unwrap();
        }
        refused(&format!("rls -n 8 --settings {} --deliveries {deliveries} -o {page}", path(name)), part);
    }
    // What never ends is not read to its end.
    for endless in
        ["--settings /dev/zero --deliveries /dev/zero", "--settings SETTINGS --deliveries /dev/zero"]
    {
        let endless = endless.replace("SETTINGS", &path("settings.csv"));
        refused(&format!("rls -n 8 {endless} -o {page}"), "/dev/zero, line 1: expected the header");
    }
    for (arguments, part) in [
        ("rls -n 1024 --fault swapped-wire:1", "too many to simulate with --fault; give -n up to 512"),
        ("rls -n 4096", "give -n up to 2048"),
        ("rls -n 8 --fault nonsense", "is not a fault"),
        ("rls -n 8 --fault swapped-wire:99", "swapped-wire:99 has no place in this design: no such stage"),
        ("rls -n 8 -w 65 --fault swapped-wire:1", "words of at most 64 bits here, not 65"),
        ("multibutterfly -n 16 --fault swapped-wire:1", "--fault does not apply to multibutterfly"),
        ("obf -n 8 --seed 3", "--seed does not apply to obf"),
        ("rls -n 8 --still 3", "give a name that ends in .svg"),
        ("rls -n 2048 --memory 100M", "MiB is available (--memory"),
    ] {
        refused(&format!("{arguments} -o {page}"), part);
    }
    let places = [
        (path(""), "ends in .html"),
        ("/dev/full".into(), "No space left"),
        (path("none/x.html"), "No such file"),
    ];
    for (place, part) in places {
        refused(&format!("rls -n 8 -o {place}"), part);
    }
}

#[test]
fn of_two_pages_of_one_name_one_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let arguments =
        ["rls -n 64", "obf -n 64"].map(|design| format!("view {design} -q -o {}", page.display()));
    let start = |arguments: &String| {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("frit"));
        command.current_dir(common::root()).args(arguments.split_whitespace()).spawn().unwrap()
    };
    let runs = arguments.each_ref().map(start);
    runs.into_iter().for_each(|mut run| assert!(run.wait().unwrap().success()));
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.starts_with("<!DOCTYPE html>") && text.ends_with("</html>\n"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(unheard(&arguments[0].replace("-q ", "")), Some(0));
    run(&arguments[0], 0);
    let again = std::fs::read_to_string(&page).unwrap();
    run(&arguments[0], 0);
    assert_eq!(std::fs::read_to_string(&page).unwrap(), again, "same input, same bytes");
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_text() {
    let place = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = place.path().join(name);
        std::fs::write(&path, format!("\u{feff}{text}")).unwrap();
        path.display().to_string()
    };
    let traffic = "0 3\n1 2\n";
    for line in [
        format!("demand {}", file("d.csv", "0,157,3,12\n9,0,41,2\n7,7,0,100\n33,1,5,0\n")),
        format!("demand {}", file("d.json", "[[0,1],[2,0]]")),
        format!("simulate permute -n 2 --matrix {}", file("m.txt", "01\n10\n")),
        format!("simulate permute -n 2 --permutation {}", file("p.txt", "3,1,2,0\n")),
        format!("simulate benes --permutation {}", file("q.txt", "3 1 2 0\n")),
        format!("schedule check --network butterfly --permutation {}", file("r.txt", "3 1 2 0\n")),
        format!("simulate {}", file("d.toml", "system = \"rls\"\nterminals = 8\n")),
        format!("simulate obf -n 8 --sequence {}", file("s.txt", "0011")),
        format!("sequence --check {}", file("t.txt", "0011")),
        format!("route dilated -n 4 --traffic {}", file("u.txt", traffic)),
        format!("simulate rls -n 4 -w 8 --payload {}", file("w.csv", &"1,2,3,4\n".repeat(4))),
    ] {
        let output = frit(&line).output().unwrap();
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(matches!(output.status.code(), Some(0 | 1)) && !text.contains("error"), "{line}: {text}");
    }
    // The page in a browser.
    let asked = |mark: &str| {
        let files = serde_json::json!({ "permutation": format!("{mark}3 1 2 0\n") });
        let demand = frit_web::base64::encode(format!("{mark}0,1\n2,0\n").as_bytes());
        let order = serde_json::json!({ "permutation": format!("{mark}3 1 2 0\n") });
        [
            crate::web::ask("figures", &serde_json::json!({ "system": "benes", "files": files })),
            crate::web::ask("check", &order),
            crate::web::ask("demand", &serde_json::json!({ "name": "d.csv", "base64": demand })),
        ]
        .map(|answer| answer.unwrap())
    };
    let without_times = |answers: [serde_json::Value; 3]| {
        answers.map(|answer| answer.as_object().unwrap().keys().cloned().collect::<Vec<_>>())
    };
    assert_eq!(without_times(asked("\u{feff}")), without_times(asked("")));
}
