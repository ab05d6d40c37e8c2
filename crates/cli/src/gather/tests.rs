//! The core goes through the command: no line of the command knows its name.

use super::hardware::FAULTS;
use crate::captured;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What a command says, if its tools are there; with FRIT_REQUIRE_TOOLS they must be.
fn frit(line: &str, code: u8) -> Option<String> {
    let words = ["frit"].into_iter().chain(line.split_whitespace());
    let printed = captured(words.map(Into::into).collect());
    if printed.code == 3 && std::env::var_os("FRIT_REQUIRE_TOOLS").is_none() {
        eprintln!("NOT RUN: {}", printed.error);
        return None;
    }
    let said = printed.text + &printed.error;
    assert_eq!(printed.code, code, "{line}: {said}");
    Some(said)
}

/// Runs a sweep, and gives its table.
fn swept(file: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gather.toml");
    fs::write(&path, format!("{file}\n[files]\ncsv = \"gather.csv\"\n")).unwrap();
    frit(&format!("sweep {} -o {}", path.display(), folder.path().join("out").display()), 0)?;
    Some(fs::read_to_string(folder.path().join("out/gather.csv")).unwrap())
}

#[test]
fn it_is_generated_and_what_it_does_not_have_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    frit(&format!("generate gather -n 4 -w 8 -o {}", folder.path().display()), 0);
    let top = fs::read_to_string(folder.path().join("gather_n4_w8.v")).unwrap();
    assert!(top.contains("turn_ring") && folder.path().join("tb_gather_n4_w8_gather.sv").is_file());
    for (line, error) in [
        ("generate gather -n 3 -o o", "gather has 3 inputs here; give 2, 4, 8 or 16"),
        ("generate gather -n 4 --axis -o o", "--axis does not apply to gather, whose core has a stream in"),
        ("verify gather -n 4 --fault turn:4", "has no place in this design: nothing is called u_take_04"),
        ("verify gather -n 4 --fault slow", "is not a fault of gather; give one of these:\n  turn:INPUT"),
    ] {
        let said = frit(line, 2).unwrap();
        assert!(said.contains(error), "{said}");
    }
}

#[test]
fn all_engines_see_what_the_model_sees() {
    for design in ["-n 2 -w 1", "-n 4 -w 40", "-n 16 -w 7"] {
        let line = format!("verify gather {design} --engines rust-hdl,verilator,icarus");
        frit(&line, 0).into_iter().for_each(|said| assert_eq!(said.matches(" yes ").count(), 3, "{said}"));
    }
}

#[test]
fn every_fault_is_found() {
    let file = "kind = \"faults\"\nneed = \"all\"\nengines = [\"rust-hdl\", \"icarus\"]\n[[systems]]\nsystem = \"gather\"\n\
                terminals = [2, 4]\nwidths = 8";
    let Some(csv) = swept(file) else { return };
    assert_eq!(csv.lines().count(), 1 + 2 * 3 + 2 * (2 + 4), "{csv}");
    assert!(FAULTS.words().all(|word| csv.contains(&format!(",{word}"))), "{csv}");
}

#[test]
fn it_is_proved_and_each_fault_is_refuted() {
    for design in ["-n 2", "-n 4 -w 2", "-n 16"] {
        frit(&format!("verify gather {design} --formal"), 0);
    }
    let faults = ["turn:1", "ready:2", "room", "step", "last"];
    assert!(FAULTS.words().eq(faults.map(|fault| fault.split(':').next().unwrap())));
    for (fault, property) in faults.into_iter().zip(["word", "ready", "hold", "ready", "word"]) {
        let Some(said) = frit(&format!("verify gather -n 4 --formal --fault {fault}"), 1) else { return };
        assert!(said.contains("refuted") && said.contains(property), "{fault}: {said}");
    }
}

#[test]
fn it_is_synthesised_and_swept() {
    let Some(said) = frit("synth gather -n 4 -w 8 --no-pnr --format csv", 0) else { return };
    assert!(said.contains(",gather,gather_n4_w8_gather,"), "{said}");
    let systems = "[[systems]]\nsystem = \"gather\"\nterminals = [2, 4, 8]\nwidths = [1, 8]";
    let csv = swept(&format!("kind = \"synth\"\nno_pnr = true\n{systems}")).unwrap();
    let luts = csv.lines().skip(1).map(|line| line.split(',').nth(7).unwrap().parse::<u32>().unwrap());
    assert!(luts.clone().count() == 6 && luts.clone().take(3).is_sorted_by(|a, b| a < b), "{csv}");
    let csv = swept(&format!("kind = \"verify\"\nengines = [\"rust-hdl\"]\n{systems}")).unwrap();
    assert!(csv.matches(",rust-hdl,1,,,").count() == 6 && csv.matches(",1,,,1,").count() == 6, "{csv}");
}

#[test]
fn it_is_driven_from_cocotb_by_the_agents_of_the_python_package() {
    let (folder, tools) = (tempfile::tempdir().unwrap(), frit_cosim::tools::ToolPath::from_environment());
    let Some(python) = tools.find_program("cocotb-python") else {
        assert!(std::env::var_os("FRIT_REQUIRE_TOOLS").is_none(), "cocotb-python is missing");
        return eprintln!("NOT RUN: cocotb-python is missing");
    };
    for file in
        ["src/gather/test_gather.py", "../../python/fritillary/_agents.py", "../../examples/streaming.py"]
    {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        fs::copy(&from, folder.path().join(from.file_name().unwrap())).unwrap();
    }
    for (fault, name, said) in [
        ("", "gather_n4_w8", "2 of 2 tests passed"),
        ("--fault turn:2", "gather_n4_w8_fault_turn_2", "0 of 2 tests passed"),
        ("--fault room", "gather_n4_w8_fault_room", "a word was offered, and then withdrawn or changed"),
    ] {
        let out = folder.path().join(name);
        frit(&format!("generate gather -n 4 -w 8 {fault} -o {}", out.display()), 0);
        let script = folder.path().join("test_gather.py");
        let run = Command::new(&python).arg(script).arg(out).arg(format!("{name}_gather")).output().unwrap();
        let text = String::from_utf8_lossy(&[run.stdout, run.stderr].concat()).into_owned();
        assert_eq!(run.status.code(), Some(i32::from(!fault.is_empty())), "{text}");
        assert!(text.contains(said), "{text}");
    }
}
