//! Waveforms of a dilated butterfly: the model's is that of every engine, and a fault shows in its first step.

use crate::common;

use common::{frit, have, json, run};
use std::path::Path;
use std::process::Command;

/// The exit code and the output of `frit diff`.
fn diff(a: &Path, b: &Path) -> (i32, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_frit")).args(["diff", "--common"]).args([a, b]).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn every_signal_of_the_model_is_that_of_rust_hdl() {
    let dir = tempfile::tempdir().unwrap();
    // Blocked worms, weak switches, rows with fewer packets, one pass, and one level more than one.
    let packets = dir.path().join("packets.csv");
    std::fs::write(&packets, "0,3,2\n1,3\n1,0\n3,1\n").unwrap();
    for (case, arguments) in [
        "-n 8 --set bundle=6".to_string(),
        "-n 8 --set bundle=2 --set payload=9".into(),
        "-n 8 --set bundle=2 --set switch=weak".into(),
        "-n 4 --set bundle=1 --per-source 5 --set payload=1 --traffic bit-reversal --direct".into(),
        format!("-n 4 --set bundle=3 --traffic {}", packets.display()),
        "-n 2 --set bundle=1".into(),
        // A barrier, with worms that are blocked before and behind it; edges released, with worms of one payload bit; both.
        "-n 8 --set bundle=6 --set mode=barrier".into(),
        "-n 8 --set bundle=1 --set mode=barrier --set payload=9".into(),
        "-n 8 --set bundle=2 --set mode=barrier --set switch=weak --seed 3".into(),
        "-n 8 --set bundle=2 --set release=yes".into(),
        "-n 8 --set bundle=1 --set release=yes --set payload=1".into(),
        "-n 8 --set bundle=3 --set release=yes --set switch=weak".into(),
        "-n 4 --set bundle=1 --set release=yes --set mode=barrier".into(),
        "-n 4 --set bundle=2 --set release=yes --set mode=barrier --set switch=weak --set payload=3".into(),
    ]
    .iter()
    .enumerate()
    {
        let (format, kind) = if case % 2 == 0 { ("vcd", "fst") } else { ("fst", "vcd") };
        let folder = dir.path().join(format!("run{case}"));
        json(
            &format!("verify dilated {arguments} --engines rust-hdl --wave {format} -o {}", folder.display()),
            0,
        );
        let model = dir.path().join(format!("model{case}.{kind}"));
        frit(&format!("route dilated {arguments} --wave {}", model.display())).output().unwrap();
        let (code, text) = diff(&model, &folder.join(format!("rust-hdl/wave.{format}")));
        assert_eq!(code, 0, "{arguments}: {text}");
        assert!(!text.contains("only in A"), "{text}");
        let (code, text) = diff(&model, &folder.join(format!("model/wave.{format}")));
        assert_eq!(code, 0, "{arguments}: {text}");
        assert!(!text.contains("only in A"), "{text}");
    }
}

#[test]
fn every_signal_of_the_model_is_that_of_the_simulators() {
    let verilator = common::all() && have(&["verilator", "make", "g++"]);
    let engines: &[&str] = match (have(&["iverilog", "vvp"]), verilator) {
        (true, true) => &["icarus", "verilator"],
        (true, false) => &["icarus"],
        _ => return,
    };
    for (arguments, engines) in [
        ("-n 4 --set bundle=2 --set payload=7", engines),
        ("-n 4 --set bundle=1 --set payload=5 --set mode=barrier", &engines[..1]),
        ("-n 4 --set bundle=2 --set payload=5 --set mode=barrier --set release=yes", &engines[..1]),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let (folder, list) = (dir.path().join("run"), engines.join(","));
        let run = format!("verify dilated {arguments} --engines {list} --wave vcd -o {}", folder.display());
        let report = json(&run, 0);
        for engine in engines {
            let wave = folder.join(engine).join("wave.vcd");
            assert_eq!(report[engine]["wave"], wave.to_str().unwrap(), "{report}");
            let (code, text) = diff(&folder.join("model/wave.vcd"), &wave);
            assert_eq!(code, 0, "{arguments}, {engine}: {text}");
            assert!(!text.contains("only in A"), "{text}");
            let text = std::fs::read_to_string(&wave).unwrap();
            assert!(text.contains("u_route") && text.contains("e1_valid_0"), "{engine}");
        }
    }
}

#[test]
fn a_fault_shows_in_its_first_step() {
    let dir = tempfile::tempdir().unwrap();
    // The edge that a head is given in a step shows in the next one, when bits follow.
    for (number, (design, fault, step, shown)) in [
        ("-n 8 --set bundle=6", "swapped-bundle:2:3", 4, 4),
        ("-n 8 --set bundle=6", "stuck-room:1:1:1", 3, 3),
        ("-n 8 --set bundle=6", "rank-off-by-one:0", 2, 3),
        ("-n 8 --set bundle=6", "stripped-twice:0", 3, 3),
        ("-n 8 --set bundle=1", "overflow:0:1:0", 3, 3),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = dir.path().join(number.to_string());
        let (text, _) = run(
            &format!("verify dilated {design} --fault {fault} --engines rust-hdl -o {}", folder.display()),
            1,
        );
        assert!(text.contains(&format!("rust-hdl differs first in step {step}")), "{fault}: {text}");
        let waves = ["model", "rust-hdl"].map(|engine| folder.join(engine).join("wave.fst"));
        let [a, b] = &waves;
        assert!(text.contains(&format!("try: frit diff --common {} {}", a.display(), b.display())), "{text}");
        let (code, text) = diff(a, b);
        // Two cycles behind reset step 0 begins.
        let first = format!("first difference: cycle {}, signal", shown + 2);
        assert!(code == 1 && text.contains(&first), "{fault}: {text}");
    }
}

#[test]
fn verify_names_its_waveforms_and_removes_older_ones() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("run");
    let arguments =
        format!("verify dilated -n 4 --set bundle=2 --engines rust-hdl --wave vcd -o {}", folder.display());
    let report = json(&arguments, 0);
    let model = folder.join("model/wave.vcd");
    assert_eq!(report["model"]["wave"], model.to_str().unwrap(), "{report}");
    let without = json(&arguments.replace("--wave vcd", "--wave none"), 0);
    assert_eq!((&without["model"]["wave"], &without["rust_hdl"]["wave"]), (&().into(), &().into()));
    // An older run's are gone.
    assert!(!model.exists() && !folder.join("rust-hdl/wave.vcd").exists());
}

#[test]
fn what_has_no_waveform_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let wave = dir.path().join("w.fst").display().to_string();
    for (arguments, why) in [
        (format!("route obf -n 8 --wave {wave}"), "frit simulate obf --wave"),
        (format!("route dilated -n 4 --seeds 2 --wave {wave}"), "give one --seed"),
        (format!("route dilated -n 4 --set queue=3 --wave {wave}"), "queue = 3"),
        ("route dilated -n 4 --wave waves.txt".into(), "waves.txt"),
    ] {
        let (_, error) = run(&arguments, 2);
        assert!(error.contains(why), "{arguments}: {error}");
    }
    assert!(!Path::new(&wave).exists());
}
