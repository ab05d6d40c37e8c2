//! Waveforms are read back as they were written, and every bad file or request is an error.

use crate::support;
use frit_network::Refusal;

use std::path::Path;

use frit_trace::wave::{MAX_WIDTH_BITS, SignalKind, TraceReader, Value, Wave, WaveWriter};
use support::{cycles, decl, write};

fn bits(text: &str) -> Value {
    Value::Bits(text.to_string())
}

fn value_at_end(wave: &mut Wave, name: &str) -> Value {
    let index = wave.signals().iter().position(|signal| signal.full_name() == name).unwrap();
    let traces = wave.load(&[index]).unwrap();
    traces.value_before(&wave.signals()[index], wave.times().len())
}

#[test]
fn values_of_every_width_come_back() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["w.vcd", "w.fst"] {
        let path = dir.path().join(name);
        let widths = [1, 2, 8, 33, 63, 64, 65, 200, MAX_WIDTH_BITS];
        let decls = widths.map(|width_bits| decl("t.u", &format!("w{width_bits}"), width_bits));
        let mut wave = WaveWriter::create(&path, "10ps", &decls).unwrap();
        let limbs = |width: u32| -> Vec<u64> {
            let mut limbs: Vec<u64> =
                (0..width.div_ceil(64)).map(|limb| 0x9e37_79b9_7f4a_7c15u64.rotate_left(limb) | 1).collect();
            if !width.is_multiple_of(64) {
                *limbs.last_mut().unwrap() &= (1 << (width % 64)) - 1;
            }
            limbs
        };
        for time in 0..4 {
            wave.time(7 * time).unwrap();
            for (index, &width) in widths.iter().enumerate() {
                match time {
                    0 => wave.change(index, &vec![0; width.div_ceil(64) as usize]).unwrap(),
                    1 => wave.change_to_x(index).unwrap(),
                    _ => wave.change(index, &limbs(width)).unwrap(),
                }
            }
        }
        wave.finish().unwrap();

        let mut wave = Wave::open(&path).unwrap();
        assert_eq!(wave.time_unit(), "10ps", "{name}");
        // In VCD the fourth time is there without a change.
        assert_eq!(&wave.times()[..3], [0, 7, 14], "{name}");
        for (index, signal) in wave.signals().to_vec().into_iter().enumerate() {
            let SignalKind::Bits(width) = signal.kind else { panic!("{signal:?}") };
            assert_eq!(signal.full_name(), format!("t.u.w{width}"));
            let traces = wave.load(&[index]).unwrap();
            let value = limbs(width);
            let expected: String = (0..width)
                .rev()
                .map(|bit| if value[bit as usize / 64] >> (bit % 64) & 1 == 1 { '1' } else { '0' })
                .collect();
            let width = width as usize;
            assert_eq!(traces.value_before(&signal, 0), bits(&"x".repeat(width)), "{name} before");
            assert_eq!(traces.value_before(&signal, 1), bits(&"0".repeat(width)), "{name} zero");
            assert_eq!(traces.value_before(&signal, 2), bits(&"x".repeat(width)), "{name} x");
            assert_eq!(traces.value_before(&signal, 3), bits(&expected), "{name} value of {width}");
        }
    }
}

#[test]
fn the_same_calls_give_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    for extension in ["vcd", "fst"] {
        let run = cycles(50);
        let first = write(&dir.path().join(format!("1.{extension}")), "tb", &run);
        let second = write(&dir.path().join(format!("2.{extension}")), "tb", &run);
        assert_eq!(std::fs::read(first).unwrap(), std::fs::read(second).unwrap());
    }
}

#[test]
fn a_vcd_reads_like_a_simulators() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("w.vcd");
    let mut wave = WaveWriter::create(&path, "1ns", &[decl("tb.b", "v", 8), decl("tb", "clk", 1)]).unwrap();
    wave.change(0, &[5]).unwrap();
    wave.change(1, &[1]).unwrap();
    wave.time(3).unwrap();
    wave.change(1, &[1]).unwrap();
    wave.change_to_x(0).unwrap();
    wave.finish().unwrap();
    let expected = "$version\n    fritillary\n$end\n$timescale 1 ns $end\n$scope module tb $end\n\
        $var wire 1 ! clk $end\n$scope module b $end\n$var wire 8 \" v [7:0] $end\n$upscope $end\n\
        $upscope $end\n$enddefinitions $end\n#0\nb101 \"\n1!\n#3\nbx \"\n";
    assert_eq!(std::fs::read_to_string(path).unwrap(), expected);
}

#[test]
fn an_fst_of_many_sections_reads_as_one() {
    // 40 MB of changes: more than is held before a section is written.
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("w.fst");
    let mut wave =
        WaveWriter::create(&path, "1ns", &[decl("t", "wide", 65_536), decl("t", "late", 8)]).unwrap();
    let value = |time: u64| -> Vec<u64> {
        (0..1024).map(|limb| (time + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(limb)).collect()
    };
    for time in 0..9000 {
        wave.time(time).unwrap();
        wave.change(0, &value(time)).unwrap();
        if time.is_multiple_of(4000) {
            wave.change(1, &[time / 4000]).unwrap();
        }
    }
    wave.finish().unwrap();
    let mut wave = Wave::open(&path).unwrap();
    assert_eq!(wave.times().len(), 9000);
    assert_eq!(value_at_end(&mut wave, "t.late"), bits("00000010"));
    let index = wave.signals().iter().position(|signal| signal.name == "wide").unwrap();
    let traces = wave.load(&[index]).unwrap();
    for time in [0, 1, 3999, 4000, 4095, 4096, 8999] {
        let expected: String = value(time).iter().rev().map(|limb| format!("{limb:064b}")).collect();
        assert!(traces.value_before(&wave.signals()[index], time as usize + 1) == bits(&expected), "{time}");
    }
}

#[test]
fn a_wave_without_changes_or_time_is_read() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["w.vcd", "w.fst"] {
        let path = dir.path().join(name);
        let mut wave = WaveWriter::create(&path, "1ns", &[decl("t", "a", 4)]).unwrap();
        wave.change(0, &[3]).unwrap();
        wave.finish().unwrap();
        assert_eq!(Wave::open(&path).unwrap().signals()[0].full_name(), "t.a", "{name}");
    }
}

#[test]
fn requests_that_cannot_be_met_are_errors() {
    let dir = tempfile::tempdir().unwrap();
    let a = [decl("t", "a", 4)];
    let create =
        |name: &str, decls: &[_]| WaveWriter::create(&dir.path().join(name), "1ns", decls).err().unwrap();
    assert!(message(create("w.ghw", &a)).contains("must end in .fst or .vcd"));
    assert!(message(create("w", &a)).contains("must end in .fst or .vcd"));
    assert!(message(create("none/w.vcd", &a)).contains("check that its directory exists"));
    assert!(message(create("w.vcd", &[decl("t", "a", 0)])).contains("0 bits wide; 1 to 65536"));
    assert!(message(create("w.vcd", &[decl("t", "a", 65_537)])).contains("65537 bits wide"));
    assert!(message(create("w.vcd", &[decl("t", "a b", 1)])).contains("without a space"));
    assert!(message(create("w.vcd", &[decl("t", "", 1)])).contains("1 to 480 printable"));
    assert!(message(create("w.fst", &[decl("t", &"n".repeat(481), 1)])).contains("1 to 480 printable"));
    assert!(message(create("w.vcd", &[decl("t", "a", 1), decl("t", "a", 2)])).contains("declared twice"));
    let many: Vec<_> = (0..40_000).map(|index| decl("t", &format!("s{index}"), 65_536)).collect();
    assert!(message(create("w.fst", &many)).contains("declare fewer"));
    let mut no_scope = decl("t", "a", 1);
    no_scope.scope = [].into();
    assert!(message(create("w.vcd", &[no_scope])).contains("at least one scope"));
    let bad_time = WaveWriter::create(&dir.path().join("w.vcd"), "2ns", &a).err().unwrap();
    assert!(message(bad_time).contains("\"2ns\" is not known: give 1, 10 or 100"));

    std::fs::create_dir(dir.path().join("d.vcd")).unwrap();
    assert!(message(create("d.vcd", &a)).starts_with("cannot write the waveform "));
    std::fs::write(dir.path().join("file"), "x").unwrap();
    assert!(message(create("file/w.vcd", &a)).starts_with("cannot write the waveform "));

    for name in ["w.vcd", "w.fst"] {
        let mut wave = WaveWriter::create(&dir.path().join(name), "1ns", &a).unwrap();
        assert!(message(wave.change(1, &[0]).unwrap_err()).contains("has 1 signals"));
        assert!(message(wave.change_to_x(1).unwrap_err()).contains("has 1 signals"));
        assert!(message(wave.change(0, &[16]).unwrap_err()).contains("no bit set at 4 or above"));
        assert!(message(wave.change(0, &[1, 0]).unwrap_err()).contains("1 64-bit limbs"));
        assert!(message(wave.change(0, &[]).unwrap_err()).contains("0 limbs were given"));
        wave.time(5).unwrap();
        assert!(message(wave.time(4).unwrap_err()).contains("from 5 to 4"));
        drop(wave);
        assert!(!dir.path().join(name).exists(), "an unfinished file must not appear");
    }
    let left: Vec<_> =
        std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "temporary files stay behind: {left:?}");
}

fn message(error: Refusal) -> String {
    error.to_string()
}

fn open_error(path: &Path) -> Refusal {
    Wave::open(path).err().unwrap_or_else(|| panic!("{} is read", path.display()))
}

#[test]
fn broken_files_are_errors() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &[u8]| {
        let path = dir.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    };
    assert!(
        message(open_error(&dir.path().join("none.vcd"))).contains(": check the name and its permissions")
    );
    assert!(message(open_error(dir.path())).contains(": check the name and its permissions"));
    assert!(message(open_error(&file("empty.vcd", b""))).contains(" is empty: "));
    assert!(message(open_error(&file("g.vcd", b"garbage\n"))).contains(" is neither VCD, nor FST, "));
    assert!(
        message(open_error(&file("b.vcd", &[0, 255, 3, 7, 0, 0]))).contains(" is neither VCD, nor FST, ")
    );
    assert!(
        message(open_error(&file("n.vcd", b"$enddefinitions $end\n#0\n"))).contains(" declares no signal: ")
    );
    let header = "$timescale 1ns $end\n$scope module t $end\n$var wire 4 ! a $end\n$upscope $end\n$enddefinitions $end\n";
    for (name, body) in [
        ("id.vcd", "#0\n1?\n"),
        ("wide.vcd", "#0\nb10101010101 !\n"),
        ("digit.vcd", "#0\nb10q1 !\n"),
        ("token.vcd", "#0\nhello there\n"),
        ("time.vcd", "#abc\n1!\n"),
        ("cut.vcd", "#0\nb0101"),
        ("back.vcd", "#0\n#7\nb1 !\n#5\nb0 !\n"),
    ] {
        let path = file(name, format!("{header}{body}").as_bytes());
        if let Ok(mut wave) = Wave::open(&path) {
            let error = wave.load(&[0]).err();
            assert!(
                error.as_ref().is_some_and(|error| error.to_string().contains(" is broken: ")),
                "{name}: {error:?}"
            );
        }
    }
    let cut = open_error(&file("cut.vcd", format!("{header}#0\nb0101").as_bytes())).to_string();
    assert!(cut.contains("is broken: it is cut off"), "{cut}");
    assert!(!cut.contains('\n'));
    let back = open_error(&dir.path().join("back.vcd")).to_string();
    assert!(back.contains("its time goes back from 7 to 5"), "{back}");
}

#[test]
fn a_damaged_file_never_panics() {
    let dir = tempfile::tempdir().unwrap();
    let ours =
        ["vcd", "fst"].map(|extension| write(&dir.path().join(format!("w.{extension}")), "tb", &cycles(20)));
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let theirs = ["icarus.fst", "verilator.vcd", "verilator_top.fst"].map(|name| data.join(name));
    for wave in ours.iter().chain(&theirs) {
        let whole = std::fs::read(wave).unwrap();
        let path = dir.path().join("damaged");
        for position in (0..whole.len()).step_by(whole.len() / 150 + 1) {
            let mut flipped = whole.clone();
            flipped[position] ^= 0x15;
            for damaged in [&whole[..position], &flipped] {
                std::fs::write(&path, damaged).unwrap();
                if let Ok(mut wave) = Wave::open(&path) {
                    let all: Vec<usize> = (0..wave.signals().len()).collect();
                    let _ = wave.load(&all);
                }
            }
        }
    }
}

#[test]
fn traces_are_read_cycle_by_cycle() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("settings.csv");
    std::fs::write(&path, "cycle,stage,switch,state\n0,0,0,1\n0,0,1,0\n3,1,0,1\n").unwrap();
    let mut trace = TraceReader::open(&path).unwrap();
    assert_eq!(trace.header(), ["cycle", "stage", "switch", "state"]);
    let first = trace.next_cycle().unwrap().unwrap();
    assert_eq!((first.cycle, first.rows.len(), first.rows[1].line), (0, 2, 3));
    assert_eq!(trace.next_cycle().unwrap().unwrap().rows[0].cells, ["3", "1", "0", "1"]);
    assert_eq!(trace.next_cycle().unwrap(), None);

    for (content, expected) in [
        ("cycle,a\n1\n", "line 2: it has 1 cells; the header names 2"),
        ("cycle,a\nx,1\n", "line 2: the cycle is \"x\"; write it as a decimal number"),
        ("cycle,a\n5,1\n4,1\n", "line 3: cycle 4 comes after cycle 5; sort the lines"),
        ("a,cycle\n", "whose first column is `cycle`"),
    ] {
        std::fs::write(&path, content).unwrap();
        let read = || -> Result<(), Refusal> {
            let mut trace = TraceReader::open(&path)?;
            while trace.next_cycle()?.is_some() {}
            Ok(())
        };
        let error = read().unwrap_err().to_string();
        assert!(error.contains(expected), "{content:?}: {error}");
    }
}
