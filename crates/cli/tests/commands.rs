//! The other commands on the binary: what they print and write.

use crate::common;

use common::{have, json, root, run};
use std::fs;

#[test]
fn simulate_reproduces_the_reference_vectors() {
    let vectors = root().join("crates/trace/tests/data/vectors");
    let mut count = 0;
    for entry in fs::read_dir(&vectors).unwrap().map(Result::unwrap).filter(|e| e.path().is_dir()) {
        let name = entry.file_name().into_string().unwrap();
        let (system, n) = name.rsplit_once("_n").unwrap();
        let arguments = match system.split_once('-') {
            Some((system, algorithm)) => format!("{system} --algorithm {algorithm} -n {n}"),
            None => format!("{system} -n {n}"),
        };
        let dir = tempfile::tempdir().unwrap();
        let (settings, deliveries) = (dir.path().join("s.csv"), dir.path().join("d.csv"));
        run(
            &format!(
                "simulate {arguments} --settings {} --deliveries {}",
                settings.display(),
                deliveries.display()
            ),
            0,
        );
        let normal = |path: &std::path::Path| fs::read_to_string(path).unwrap().replace("\r\n", "\n");
        assert_eq!(normal(&settings), normal(&entry.path().join("settings.csv")), "{name}");
        assert_eq!(normal(&deliveries), normal(&entry.path().join("deliveries.csv")), "{name}");
        count += 1;
    }
    assert!(count >= 3);
}

#[test]
fn a_network_of_the_users_runs_like_a_built_in_one() {
    let omega = root().join("examples/omega8");
    let design = omega.join("omega8.toml").display().to_string();
    let summary = json(&format!("simulate {design} --payload random"), 0);
    for (member, expected) in [("system", "user".into()), ("cycles", 10.into()), ("delivered", 64.into())] {
        let expected: serde_json::Value = expected;
        assert_eq!(summary[member], expected);
    }
    let (network, labels) = (omega.join("network.json"), omega.join("labels.json"));
    let files = format!("--network {} --schedule {}", network.display(), labels.display());
    for design in [design, format!("user {files} -w 8")] {
        let report = json(&format!("verify {design} --engines rust-hdl"), 0);
        assert_eq!(report["rust_hdl"]["cycles"], 10);
        if have(&["iverilog", "vvp"]) {
            let report = json(&format!("verify {design} --engines icarus"), 0);
            assert_eq!(
                (&report["icarus"]["cycles"], &report["icarus"]["agrees"]),
                (&10.into(), &true.into())
            );
        }
    }
    // The documentation shows the files as they are.
    let page = fs::read_to_string(root().join("docs/user-networks.md")).unwrap();
    for file in ["network.json", "schedule.json"] {
        assert!(page.contains(&fs::read_to_string(omega.join(file)).unwrap()), "{file}");
    }
}

#[test]
fn a_built_in_schedule_is_a_schedule_file() {
    let dir = tempfile::tempdir().unwrap();
    for (system, cycles) in [("rls -n 8", 12), ("xor -n 8", 10), ("gsen -n 10", 19)] {
        let files = ["network", "schedule"].map(|command| {
            let (text, _) = run(&format!("{command} {system} --format json"), 0);
            let path = dir.path().join(format!("{command}.json"));
            fs::write(&path, text).unwrap();
            path.display().to_string()
        });
        let summary = json(&format!("simulate user --network {} --schedule {}", files[0], files[1]), 0);
        assert_eq!((&summary["cycles"], &summary["missing"]), (&cycles.into(), &0.into()), "{system}");
    }
}

#[test]
fn paths_of_the_flattened_butterfly_use_its_channels_evenly() {
    let report = json("schedule rls-flattened -n 16 --check", 0);
    let expected = serde_json::json!({"count": 24, "load_min": 32, "load_max": 32, "words_a_cycle": 1});
    assert_eq!(report["channels"], expected);
    let report = json("schedule rls-flattened -n 16 --set capacity=2 --check", 0);
    assert_eq!(report["channels"]["words_a_cycle"], 2);
    let (text, _) = run("schedule rls-flattened -n 8 --round 1 --paths", 0);
    assert!(text.contains("     6            5  3 of 4           3-1>1 1-0>0 0-1>2 2=2"), "{text}");
    let paths = json("schedule rls-flattened -n 8 --round 1 --paths", 0);
    assert_eq!(
        paths["paths"][6]["hops"][1],
        serde_json::json!({"stage": 1, "cycle": 2, "router": 1, "dimension": 0, "to": 0})
    );
    let (csv, _) = run("schedule rls-flattened -n 8 --round 1 --paths --format csv", 0);
    assert_eq!(csv.lines().count(), 1 + 8 * 5);
}

#[test]
fn some_rounds_for_people_and_the_speed_only_where_asked_for() {
    let (text, notes) = run("simulate gsen -n 10 --rounds 3..4 -v", 0);
    assert!(text.contains("  rounds                           3 to 4 of 16\n"), "{text}");
    assert!(text.contains("delivered in cycles 7 to 8\n") && text.contains("20 of 20\n"), "{text}");
    assert!(notes.starts_with("40 messages in ") && notes.contains(" messages/s, "), "{notes}");
    assert_eq!(run("simulate gsen -n 10 --rounds 3..4", 0), (text, String::new()));
}

#[test]
fn the_summary_has_the_documented_members() {
    let summary = json("simulate gsen -n 10 -w 16 --payload random --seed 5", 0);
    for (member, expected) in [
        ("terminals", 10),
        ("width", 16),
        ("stages", 4),
        ("switches", 20),
        ("drivers", 4),
        ("rounds", 16),
        ("cycles", 19),
        ("cycles_total", 38),
        ("cycles_paper", 19),
        ("cycles_lower_bound", 19),
        ("delivered", 100),
        ("duplicates", 60),
        ("missing", 0),
        ("misrouted", 0),
        ("conflicts", 0),
        ("seed", 5),
    ] {
        assert_eq!(summary[member], expected, "{member}");
    }
    let some = json("simulate rls -n 4096 --rounds 5..8", 0);
    for (member, expected) in [
        ("rounds", 4096),
        ("cycles", 8 + 23),
        ("sent", 4 * 4096),
        ("delivered", 4 * 4096),
        ("duplicates", 0),
        ("rounds_with_misroute", 0),
        ("rounds_with_conflict", 0),
    ] {
        assert_eq!(some[member], expected, "{member}");
    }
    assert_eq!(some["rounds_run"], serde_json::json!([5, 8]));
    let text = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    for member in summary.as_object().unwrap().keys().chain(some.as_object().unwrap().keys()) {
        assert!(text.contains(&format!("`{member}`")), "{member} is not in docs/formats.md");
    }
}

#[test]
fn payloads_come_back_transposed_in_their_notation() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    fs::write(path("in.csv"), "1,2,3,4\n5,6,7,8\n9,10,11,12\n13,14,15,16\n").unwrap();
    run(&format!("simulate rls -n 4 -w 5 --payload {} --received {}", path("in.csv"), path("out.csv")), 0);
    let expected = "1,5,9,13\n2,6,10,14\n3,7,11,15\n4,8,12,16\n";
    assert_eq!(fs::read_to_string(path("out.csv")).unwrap(), expected);
    // As a spreadsheet saves it.
    fs::write(path("in.csv"), "\u{feff}1,2,3,4\r\n5,6,7,8\r\n9,10,11,12\r\n13,14,15,16\r\n").unwrap();
    run(&format!("simulate rls -n 4 -w 5 --payload {} --received {}", path("in.csv"), path("out.csv")), 0);
    assert_eq!(fs::read_to_string(path("out.csv")).unwrap(), expected);
    let bytes: Vec<u8> = (0..32).collect();
    fs::write(path("in.bin"), &bytes).unwrap();
    run(&format!("simulate gsen -n 4 -w 16 --payload {} --received {}", path("in.bin"), path("out.bin")), 0);
    let transposed: Vec<u8> =
        (0..4).flat_map(|r| (0..4).flat_map(move |c| [8 * c + 2 * r, 8 * c + 2 * r + 1])).collect();
    assert_eq!(fs::read(path("out.bin")).unwrap(), transposed);
}

#[test]
fn the_designs_in_rtl_are_what_generate_writes() {
    let list = fs::read_to_string(root().join("scripts/rtl-designs.txt")).unwrap();
    for line in list.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("design");
        let design = json(&format!("generate {line} --cells ../frit_cells -o {}", place.display()), 0);
        let kept = root().join("rtl").join(design["design"].as_str().unwrap());
        for file in fs::read_dir(root().join("rtl/frit_cells")).unwrap().map(|entry| entry.unwrap().path()) {
            let ours = dir.path().join("frit_cells").join(file.file_name().unwrap());
            assert!(fs::read(ours).unwrap() == fs::read(&file).unwrap(), "rtl/ is old: {}", file.display());
        }
        let mut names: Vec<_> =
            fs::read_dir(&kept).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        let mut files: Vec<&str> =
            design["files"].as_array().unwrap().iter().map(|f| f.as_str().unwrap()).collect();
        files.push("SHA256SUMS");
        files.sort();
        assert_eq!(names, files, "{line}");
        for name in names {
            let (a, b) = (fs::read_to_string(kept.join(&name)), fs::read_to_string(place.join(&name)));
            assert!(
                a.unwrap() == b.unwrap(),
                "rtl/ is old: {name} of {line}; run make rtl and look at the change"
            );
        }
    }
}

#[test]
fn files_of_another_layout_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let made = |options: &str| run(&format!("generate rls {options} -o {}", dir.path().display()), 0).1;
    assert_eq!(made("-n 4 -w 2 --layout files"), "");
    // Another design in this folder is no layout of the first.
    assert_eq!(made("-n 4 -w 22"), "");
    let noted = made("-n 4 -w 2");
    let files = "rls_n4_w2_exchange.v rls_n4_w2_fabric.v rls_n4_w2_labels.v";
    assert!(noted.contains("3 files are of another --layout") && noted.contains(files), "{noted}");
    fs::remove_file(dir.path().join("rls_n4_w2_exchange.v")).unwrap();
    fs::remove_file(dir.path().join("rls_n4_w2_labels.v")).unwrap();
    assert!(made("-n 4 -w 2").contains("a file is of another --layout"));
    fs::remove_file(dir.path().join("rls_n4_w2_fabric.v")).unwrap();
    assert_eq!(made("-n 4 -w 2"), "");
}

/// The module is the one that was asked for, its ports are those of its Verilog, and make simulates it.
#[test]
fn generate_ends_with_the_top_its_ports_and_what_to_run() {
    for (options, top, targets) in [
        ("rls -n 4 -w 2", "rls_n4_w2_exchange", "sim"),
        ("rls -n 4 -w 2 --axis", "rls_n4_w2_axis_l1_b1", "axis"),
        ("rls -n 4 -w 2 --selftest", "rls_n4_w2_selftest_d104", "selftest"),
        ("rls -n 4 -w 2 --axis --port-style axis --selftest", "rls_n4_w2_axis_l1_b1_ports", "axis selftest"),
        ("rls -n 4 -w 2 --reset async", "rls_n4_w2_exchange_arst", "exchange_arst"),
        ("transpose -n 2 --rows 4 -w 2", "transpose_4x4_p2_w2_permute", "sim"),
        ("dilated -n 4 --set bundle=2 --units --layout file", "dilated_n4_b2_p2_strong_route", "sim units"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().display().to_string();
        let (text, _) = run(&format!("generate {options} -o {place}"), 0);
        let made = json(&format!("generate {options} -o {place}"), 0);
        let make = format!("make -C {place} {targets}");
        assert_eq!((&made["top"], &made["make"]), (&top.into(), &make.clone().into()));
        assert!(
            text.contains(&format!("\nTop: {top}\n")) && text.ends_with(&format!("\nNext: {make}\n")),
            "{text}"
        );
        // What make is told to do is there.
        let dry = [&["-n"], &*Vec::from_iter(targets.split(' '))].concat();
        assert!(!have(&["make"]) || common::make(dir.path(), &dry).0, "{options}");
        let ports = made["ports"].as_array().unwrap();
        let own = made["files"].as_array().unwrap().iter().filter_map(|file| file.as_str());
        let verilog: String = own
            .clone()
            .filter(|file| file.ends_with(".v"))
            .map(|file| fs::read_to_string(dir.path().join(file)).unwrap())
            .collect();
        let module = verilog.split(&format!("module {top} ")).nth(1).unwrap().split(");").next().unwrap();
        let declared = module.lines().map(str::trim_start);
        let declared =
            declared.filter(|line| line.starts_with("input ") || line.starts_with("output ")).count();
        assert_eq!(ports.len(), declared, "{options}: {module}");
        for port in ports {
            let name = port["name"].as_str().unwrap();
            assert!(module.contains(name), "{name}");
            // A port with a number may be one of those that share a line.
            assert!(name.contains(char::is_numeric) || text.contains(&format!(" {name} ")), "{name}: {text}");
        }
        // All files are named if that is asked for.
        let (long, _) = run(&format!("generate {options} -o {place} -v"), 0);
        assert!(own.clone().all(|file| long.contains(&format!("\n  {file} "))), "{long}");
        assert!(own.clone().all(|file| !text.contains(&format!("\n  {file} "))), "{text}");
    }
}

#[test]
fn an_emitted_design_runs_without_fritillary() {
    if !have(&["verilator", "iverilog", "vvp", "make", "g++"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().display().to_string();
    run(&format!("generate gsen -n 6 -w 8 -o {folder}"), 0);
    let make = |target: &str| common::make(dir.path(), &Vec::from_iter(target.split(' ')));
    let (fine, text) = make("lint");
    assert!(fine && !text.contains("arning"), "{text}");
    let (fine, text) = make("sim");
    assert!(fine && text.matches("PASS gsen_n6_w8").count() == 2, "{text}");
    run(&format!("generate gsen -n 6 -w 8 -o {folder} --fault inverted-control:1:1"), 0);
    let (fine, text) = make("icarus");
    assert!(!fine && text.contains("FAIL gsen_n6_w8_fault_inverted_control_1_1"), "{text}");
}

#[test]
fn waveforms_of_the_model_are_the_same_in_both_formats() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let simulate = |seed: u32, file: &str| {
        run(&format!("simulate rls -n 8 -w 8 --payload random --seed {seed} --wave {}", path(file)), 0);
    };
    simulate(1, "a.fst");
    simulate(1, "b.vcd");
    simulate(2, "c.fst");
    run(&format!("diff {} {}", path("a.fst"), path("b.vcd")), 0);
    let (text, _) = run(&format!("diff {} {}", path("a.fst"), path("c.fst")), 1);
    assert!(text.contains("send_data_i"), "{text}");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    for file in ["1.fst", "2.fst"] {
        run(
            &format!("simulate gsen -n 6 -w 8 --payload random --wave {}", dir.path().join(file).display()),
            0,
        );
    }
    let read = |file: &str| fs::read(dir.path().join(file)).unwrap();
    assert_eq!(read("1.fst"), read("2.fst"));
}

#[test]
fn the_settings_that_route_a_permutation() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("p.txt");
    fs::write(&file, "3 7 4 0 2 6 1 5").unwrap();
    let design = format!("benes --permutation {}", file.display());
    let (text, _) = run(&format!("schedule {design}"), 0);
    for line in ["0  3 7 4 0 2 6 1 5", "stored: 68 bits (20 of control, 24 of destinations, 24 of sources)"] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let schedule = json(&format!("schedule {design}"), 0);
    let states: Vec<&str> =
        schedule["rounds"][0]["states"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
    assert_eq!(states.len(), 5);
    for (stage, row) in states.iter().enumerate() {
        let marks: String = row.chars().map(|bit| if bit == '1' { 'x' } else { '=' }).collect();
        assert!(text.contains(&format!("{stage}  {marks}")), "{text}");
    }
    assert!(run(&format!("schedule {design} --check"), 0).0.contains("complete"));
    let summary = json(&format!("simulate {design}"), 0);
    assert_eq!((&summary["delivered"], &summary["stored_bits"]), (&8.into(), &68.into()));
}

#[test]
fn design_files_and_overrides() {
    let summary = json("simulate designs/gsen10.toml", 0);
    assert_eq!((&summary["terminals"], &summary["width"]), (&10.into(), &32.into()));
    let summary = json("simulate designs/gsen10.toml --set algorithm=ata2 -w 9", 0);
    assert_eq!((&summary["duplicates"], &summary["width"]), (&0.into(), &9.into()));
    for entry in fs::read_dir(root().join("designs")).unwrap() {
        run(&format!("simulate {}", entry.unwrap().path().display()), 0);
    }
}

#[test]
fn every_command_has_help_with_an_example() {
    let (help, _) = run("--help", 0);
    for command in [
        "systems",
        "compare",
        "schedule",
        "network",
        "simulate",
        "route",
        "relation",
        "device",
        "sequence",
        "photonics",
        "sweep",
        "generate",
        "verify",
        "synth",
        "prototype",
        "diagnose",
        "light",
        "diff",
        "doctor",
        "completions",
        "man",
    ] {
        assert!(help.contains(command), "{command}");
        let (text, _) = run(&format!("{command} --help"), 0);
        assert!(text.contains("Example") && text.contains(&format!("frit {command}")), "{text}");
    }
    let (text, _) = run("completions bash", 0);
    assert!(text.contains("_frit"));
    let dir = tempfile::tempdir().unwrap();
    run(&format!("man {}", dir.path().display()), 0);
    let page = fs::read_to_string(dir.path().join("frit-schedule.1")).unwrap();
    assert!(
        page.contains("schedule\\-check(1)") && dir.path().join("frit-schedule-check.1").is_file(),
        "{page}"
    );
    assert!(fs::read_to_string(dir.path().join("frit-verify.1")).unwrap().contains("frit"));
}

#[test]
fn the_optical_butterfly_as_a_device() {
    if !have(&["verilator", "iverilog", "vvp", "make", "g++"]) {
        return;
    }
    let report = json("device obf -n 4", 0);
    for engine in ["verilator", "icarus", "icarus_events"] {
        assert_eq!(
            (&report[engine]["passed"], &report[engine]["delivered"]),
            (&true.into(), &16.into()),
            "{report}"
        );
    }
    let report = json("device obf -n 8 --mistake stuck:2:5:0", 1);
    for engine in ["verilator", "icarus", "icarus_events"] {
        let first = &report[engine]["first_error"];
        assert_eq!(
            (&first["level"], &first["row"], &first["ps"]),
            (&2.into(), &5.into(), &2648.into()),
            "{first}"
        );
    }
    let report = json("device obf -n 4 --engines icarus", 0);
    assert_eq!((&report["icarus"]["passed"], &report["verilator"]["ran"]), (&true.into(), &false.into()));
    assert_eq!(report["verilator"]["reason"], "not asked for");
    let (_, text) = run("device obf -n 256", 2);
    assert!(text.contains("pass --engines verilator to run it anyway, or use a smaller -n"), "{text}");
    let (_, text) = run("device rls -n 8", 2);
    assert!(text.starts_with("error: "), "{text}");
    let (_, text) = run("device obf -n 8 --mistake rain", 2);
    assert!(text.contains("give no-gap, skew:PS"), "{text}");
    let output = common::frit("device obf -n 4")
        .env("FRITILLARY_TOOLS", "/nonexistent")
        .env("PATH", "")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn colours_only_when_asked_for_or_on_a_terminal() {
    assert!(!run("systems", 0).0.contains('\u{1b}'));
    assert!(run("--color always systems", 0).0.contains('\u{1b}'));
}

/// Runs the command on a terminal of so many columns.
const ON_A_TERMINAL: &str = "
import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 50, int(sys.argv[1]), 0, 0))
    os.execv(sys.argv[2], sys.argv[2:])
text = b''
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    text += part
sys.stdout.buffer.write(text)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
";

#[test]
fn tables_fit_the_terminal() {
    let on = |columns: u32| {
        let mut python = std::process::Command::new("python3");
        python.args(["-c", ON_A_TERMINAL, &columns.to_string()]).arg(assert_cmd::cargo::cargo_bin("frit"));
        let output = python.args(["--color", "never", "--quiet", "compare", "-n", "16"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().replace('\r', "")
    };
    let (piped, _) = run("compare -n 16", 0);
    let widest = piped.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest > 120, "{widest}");
    // The lines below the table break as they are.
    let table = |text: &str| text.split("\nThe columns").next().unwrap().to_string();
    let (wide, narrow) = (on(250), on(80));
    assert!(wide.contains(&table(&piped)), "{wide}");
    assert!(table(&narrow).lines().all(|line| line.chars().count() <= 80), "{narrow}");
    assert!(narrow.contains("rls\n  N: 16  rounds: 16"), "{narrow}");
}
