//! The model's waveform files: their bytes, and that both formats say the same.

use frit_network::Refusal;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use frit_schedule::{Request, plan};
use frit_trace::diff::{DiffOptions, DiffReport, WaveDiff, diff_files};
use frit_trace::wave::{SignalDecl, WaveWriter};
use frit_trace::wave_file::write_model_wave;
use frit_traffic::Payload;

fn write(path: PathBuf, request: &Request, width_bits: u32) -> PathBuf {
    let plan = plan(request).unwrap();
    let payload = Payload::random(plan.network.terminals(), width_bits, 1);
    write_model_wave(&path, &plan, &payload).unwrap();
    path
}

fn differences(a: &Path, b: &Path) -> Box<WaveDiff> {
    match diff_files(a, b, &DiffOptions { same_length: true, ..DiffOptions::default() }).unwrap() {
        DiffReport::Waves(diff) => diff,
        _ => unreachable!("two waveforms"),
    }
}

/// Signals sorted by scope and name, changes of a time in the order of [`frit_trace::model_wave::declarations`], values
/// without zeros in front: a wide port, words of more than a limb, single bits, numbers.
#[test]
fn the_bytes_of_a_vcd() {
    let folder = tempfile::tempdir().unwrap();
    let vcd = write(folder.path().join("w.vcd"), &Request::new("rls", 4), 70);
    expect_file!["data/model_rls_n4_w70.vcd"].assert_eq(&std::fs::read_to_string(vcd).unwrap());
}

#[test]
fn both_formats_say_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let requests = [
        (Request::new("rls", 16), 32),
        (Request::new("gsen", 10).with("algorithm", "ata2"), 9),
        (Request::new("obf", 8), 1),
        (Request::new("atape", 8), 130),
        (Request::new("rls-folded", 8).with("plan", "buffered"), 64),
    ];
    for (request, width_bits) in requests {
        let [vcd, fst] = ["w.vcd", "w.fst"].map(|name| write(folder.path().join(name), &request, width_bits));
        let diff = differences(&vcd, &fst);
        assert!(diff.same() && diff.compared_signals > 0, "{request:?}: {}", diff.render_text());
    }
}

#[test]
fn another_word_is_another_file() {
    let folder = tempfile::tempdir().unwrap();
    let request = Request::new("rls", 8);
    let [vcd, fst] = [("w.vcd", 1), ("w.fst", 2)].map(|(name, seed)| {
        let path = folder.path().join(name);
        write_model_wave(&path, &plan(&request).unwrap(), &Payload::random(8, 8, seed)).unwrap();
        path
    });
    assert!(!differences(&vcd, &fst).same());
}

/// A file that cannot be written any more is an error, also where a thread writes it, and nobody waits for ever.
#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.vcd");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let by_calls = || {
        let signal = SignalDecl { scope: ["t".into()].into(), name: "s".into(), width_bits: 64 };
        let mut wave = WaveWriter::create(&path, "1ns", [signal].as_slice())?;
        for time in 0..1_000_000 {
            wave.time(time)?;
            wave.change(0, &[time])?;
        }
        wave.finish()
    };
    let plan = plan(&Request::new("rls", 128)).unwrap();
    let of_the_model = || write_model_wave(&path, &plan, &Payload::random(128, 64, 1));
    for write in [&by_calls as &dyn Fn() -> Result<(), Refusal>, &of_the_model] {
        let reader = std::thread::spawn({
            let path = path.clone();
            move || drop(std::fs::File::open(path).unwrap())
        });
        let error = write().unwrap_err();
        reader.join().unwrap();
        let reason = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        assert!(format!("{error} {reason}").contains("Broken pipe"), "{error}: {reason}");
    }
}
