//! Waveforms that were damaged, or made to mislead: each is read in full or refused with a reason.

use std::path::{Path, PathBuf};

use frit_trace::diff::{DiffOptions, DiffOutcome, DiffReport, WaveDiff, diff_files};
use frit_trace::wave::Wave;

fn bad(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bad").join(name)
}

fn waves(a: &Path, b: &Path) -> WaveDiff {
    match diff_files(a, b, &DiffOptions::default()) {
        Ok(DiffReport::Waves(report)) => *report,
        other => panic!("{other:?}"),
    }
}

/// Why a file cannot be compared with a good one.
fn refusal(path: &Path) -> String {
    let result = diff_files(&bad("good.fst"), path, &DiffOptions::default());
    assert_eq!(DiffOutcome::of(&result), DiffOutcome::Unusable, "{}", path.display());
    result.unwrap_err().to_string()
}

struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        Files(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

const HEADER: &str = "$timescale 1ns $end\n$scope module tb $end\n$var wire 1 ! clk $end\n$var wire 8 \" d $end\n\
    $upscope $end\n$enddefinitions $end\n";

#[test]
fn damaged_fst_files_are_refused_with_what_is_wrong() {
    for (name, reason) in [
        ("bad_784_0.fst", "the hierarchy at byte 330 gives a signal another width than the geometry"),
        ("bad_1635_5.fst", "the section of values at byte 805 has changes after its end"),
        ("mh93.fst", "the section of values at byte 805 has more signals than the geometry"),
        ("zw_geomcnt.fst", "the geometry at byte 533 claims more signals than it describes"),
    ] {
        let text = refusal(&bad(name));
        assert!(text.contains("is broken: ") && text.contains(reason), "{name}: {text}");
        assert!(!text.contains('\n') && !text.contains("unwrap"), "{text}");
    }
    assert!(waves(&bad("good.fst"), &bad("good.fst")).same());
}

/// The sections of an FST file: kind and content behind the length.
fn sections(file: &[u8]) -> Vec<(u8, Vec<u8>)> {
    let (mut found, mut rest) = (Vec::new(), file);
    while let [kind, tail @ ..] = rest {
        let length = u64::from_be_bytes(tail[..8].try_into().unwrap()) as usize;
        found.push((*kind, tail[8..length].to_vec()));
        rest = &tail[length..];
    }
    found
}

fn joined(sections: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let section = |(kind, content): &(u8, Vec<u8>)| {
        [&[*kind][..], &(content.len() as u64 + 8).to_be_bytes(), content].concat()
    };
    sections.iter().flat_map(section).collect()
}

/// A number of seven bits per byte.
fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

/// `good.fst` with its hierarchy packed twice; the length in between is `between`, or what is true.
fn packed_twice(between: Option<u64>) -> Vec<u8> {
    let mut all = sections(&std::fs::read(bad("good.fst")).unwrap());
    let hierarchy = all.iter_mut().find(|(kind, _)| *kind == 6).unwrap();
    let once = hierarchy.1.split_off(8);
    let length = varint(between.unwrap_or(once.len() as u64));
    assert!(length.len() > 1, "the length has one byte, which hides how it is written");
    *hierarchy = (7, [hierarchy.1.clone(), length, lz4_flex::compress(&once)].concat());
    joined(&all)
}

#[test]
fn a_hierarchy_that_is_packed_twice_is_read() {
    let files = Files::new();
    let twice = files.file("twice.fst", &packed_twice(None));
    assert!(waves(&bad("good.fst"), &twice).same());
    for wrong in [300, 1 << 40, u64::MAX] {
        let text = refusal(&files.file("wrong.fst", &packed_twice(Some(wrong))));
        assert!(text.contains("the hierarchy at byte 330 does not unpack"), "{text}");
    }
}

#[test]
fn a_wrapper_is_unpacked_within_its_limits() {
    let good = std::fs::read(bad("good.fst")).unwrap();
    let wrapped = |claimed: u64| {
        let packed = miniz_oxide::deflate::compress_to_vec(&good, 6);
        let head = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
        joined(&[(254, [&claimed.to_be_bytes()[..], &head, &packed].concat())])
    };
    let files = Files::new();
    assert!(waves(&bad("good.fst"), &files.file("whole.fst", &wrapped(good.len() as u64))).same());
    for claimed in [10, 1 << 30, 1 << 60] {
        let text = refusal(&files.file("wrong.fst", &wrapped(claimed)));
        assert!(text.contains("the wrapper at byte 0 does not unpack"), "{text}");
    }
}

#[test]
fn no_number_of_an_fst_file_can_ask_for_more_than_there_is() {
    // Every run of eight bytes as the largest number, every byte as the continuation of one: a failed allocation would end
    // this process.
    let good = std::fs::read(bad("good.fst")).unwrap();
    let twice = packed_twice(None);
    let files = Files::new();
    for (whole, step) in [(&good, 1), (&twice, 7)] {
        for at in (0..whole.len()).step_by(step) {
            for pattern in
                [&[0x7f, 255, 255, 255, 255, 255, 255, 255][..], &[255], &[255, 255, 255, 255, 0x0f]]
            {
                let mut damaged = whole.clone();
                let end = (at + pattern.len()).min(whole.len());
                damaged[at..end].copy_from_slice(&pattern[..end - at]);
                let path = files.file("damaged.fst", &damaged);
                if let Ok(mut wave) = Wave::open(&path) {
                    let all: Vec<usize> = (0..wave.signals().len()).collect();
                    let _ = wave.load(&all);
                }
            }
        }
    }
}

#[test]
fn changes_that_the_reader_refuses_have_a_place() {
    let files = Files::new();
    let good = std::fs::read(bad("good.fst")).unwrap();
    let mut refused = 0;
    for at in (806..good.len()).step_by(7) {
        let mut damaged = good.clone();
        damaged[at] ^= 0x55;
        let path = files.file("damaged.fst", &damaged);
        let load = |mut wave: Wave| wave.load(&(0..wave.signals().len()).collect::<Vec<_>>()).map(drop);
        if let Err(error) = Wave::open(&path).and_then(load) {
            let text = error.to_string();
            assert!(text.len() < 500, "{text}");
            assert!(text.contains(" at byte ") || text.contains("its time goes back"), "{at}: {text}");
            refused += usize::from(text.contains("has changes that"));
        }
    }
    assert!(refused > 10, "{refused}");
}

#[test]
fn values_on_the_line_of_the_header_count() {
    let report = waves(&bad("ed_101.vcd"), &bad("ed_111.vcd"));
    assert!(!report.same());
    let first = report.first.as_ref().unwrap();
    assert_eq!((first.signal.as_str(), first.a.as_str(), first.b.as_str()), ("tb.d", "0x05", "0x07"));
    assert!(waves(&bad("ed_101.vcd"), &bad("ed_101.vcd")).same());
}

#[test]
fn time_that_goes_back_is_found_wherever_it_stands() {
    for name in ["ts_10.vcd", "ts_11.vcd"] {
        let text = refusal(&bad(name));
        assert!(text.contains("line 16: its time goes back from 15 to 0"), "{text}");
    }
    let files = Files::new();
    let body = |body: &str| files.file("t.vcd", format!("{HEADER}{body}").as_bytes());
    let shared = refusal(&body("#0 0! #7 1!\nb1 \" #5 0!\n"));
    assert!(shared.contains("line 8: its time goes back from 7 to 5"), "{shared}");
    // Short names that look like a time, and comments, are none.
    let text =
        HEADER.replace("8 \" d", "8 #3 d") + "#0\n0!\n$comment #99 $end\n#5\n1!\nb1 #3\n#10\n0!\n#15\n1!\n";
    let path = files.file("names.vcd", text.as_bytes());
    assert_eq!(waves(&path, &path).compared_cycles, 2);
}

#[test]
fn errors_of_a_vcd_name_the_line() {
    let files = Files::new();
    for (text, reason) in [
        (format!("{HEADER}#0\n0!\n1?\n"), "line 9: the signal \"?\" changes, but no $var declares it"),
        (format!("{HEADER}#0\nb1 abcd\n"), "line 8: the signal \"abcd\" changes"),
        (format!("{HEADER}#0\n1\n"), "line 8: a value has no signal"),
        (format!("{HEADER}#0\nb10q1 \"\n"), "line 8: a bit is 'q'"),
        (format!("{HEADER}#0\nb101010101 \"\n"), "line 8: a value of 9 digits for a signal of 8 bits"),
        (format!("{HEADER}#0\nb11 !\n"), "line 8: a value of 2 digits for a signal of 1 bits"),
        (format!("{HEADER}#0\nb \"\n"), "line 8: a value of 0 digits for a signal of 8 bits begins with"),
        (format!("{HEADER}#0\nhh\n"), "line 8: the signal \"h\" changes"),
        (format!("{HEADER}#0\nh\"\n"), "line 8: a value of 1 digits for a signal of 8 bits begins with"),
        (format!("{HEADER}#0\nr1.5 \"\n"), "line 8: a value for a signal of 8 bits begins with b"),
        (
            HEADER.replace("wire 8", "real 64") + "#0\nb1 \"\n",
            "line 8: a value for a real signal begins with r",
        ),
        (HEADER.replace("wire 8", "string 1") + "#0\n1\"\n", "line 8: a value for a string begins with s"),
        (format!("{HEADER}#abc\n"), "line 7: #abc is not a time"),
        (format!("{HEADER}#0\nquack\n"), "line 8: quack is no change of a signal and no time"),
        (format!("{HEADER}#0\nr1.2.3 \"\n"), "line 8: 1.2.3 is not a number"),
        (format!("$upscope $end\n{HEADER}"), "line 1: $upscope closes a scope that is not open"),
        (
            HEADER.replace("$upscope", "$var real 64 \" e $end\n$upscope"),
            "line 5: the short name \"\\\"\" belongs to a signal of 8 bits, and here to a real signal",
        ),
        (HEADER.replace("8 \" d ", ""), "line 4: $var needs a type, a size, a short name and a name"),
        (format!("$date x $end\n$dance $end\n{HEADER}"), "line 2: $dance is no command"),
        (
            HEADER.replace(" d ", " d]] "),
            "line 4: failed to load Vcd: [vcd] failed to parse variable name: `d]]`",
        ),
        (HEADER.replace("module", "modul"), "line 2: failed to load Vcd: [vcd] unknown scope type: modul"),
        (HEADER.replace("wire 8", "wine 8"), "line 4: failed to load Vcd: [vcd] unknown var type: wine"),
        (HEADER.replace("definitions $end", "definitions"), "line 6: $enddefinitions has no $end"),
    ] {
        let error = Wave::open(&files.file("e.vcd", text.as_bytes())).err().unwrap();
        assert!(error.to_string().contains(" is broken: "), "{error}");
        assert!(error.to_string().contains(reason), "{reason}: {error}");
    }
}

#[test]
fn of_two_variables_with_one_name_both_are_compared() {
    let files = Files::new();
    let wave = |name: &str, second: &str| {
        let header = HEADER.replace("$upscope", "$var wire 8 % d $end\n$upscope");
        let body = format!("#0\n0!\nb1 \"\nb{second} %\n#5\n1!\n#10\n0!\n#15\n1!\n");
        files.file(name, format!("{header}{body}").as_bytes())
    };
    let (a, b) = (wave("a.vcd", "10"), wave("b.vcd", "11"));
    assert_eq!(waves(&a, &a).compared_signals, 2);
    let report = waves(&a, &b);
    assert_eq!(report.first.as_ref().map(|first| first.signal.as_str()), Some("tb.d#2"));
    assert!(!report.same());
}

#[test]
fn what_a_terminal_obeys_is_not_shown() {
    let files = Files::new();
    let name = "d\u{1b}]0;owned\u{7}\u{9b}2J";
    let wave = |file: &str, value: &str| {
        let header = HEADER.replace(" d ", &format!(" {name} ")).replace("module tb", "module t\u{1b}[31mb");
        let body = format!("#0\n0!\nb{value} \"\n#5\n1!\n#10\n0!\n#15\n1!\n");
        files.file(file, format!("{header}{body}").as_bytes())
    };
    let report = diff_files(&wave("a.vcd", "1"), &wave("b.vcd", "10"), &DiffOptions::default()).unwrap();
    let text = report.render_text();
    assert!(text.contains("t\\u{1b}[31mb.d\\u{1b}]0;owned\\u{7}\\u{9b}2J"), "{text}");
    let json = serde_json::to_string(&report).unwrap();
    let trace =
        |file: &str, cell: &str| files.file(file, format!("cycle,x\u{1b}\n1,{cell}\u{1b}[2J\n").as_bytes());
    let report = diff_files(&trace("a.csv", "1"), &trace("b.csv", "2"), &DiffOptions::default()).unwrap();
    for shown in [text, json, report.render_text()] {
        assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "{shown:?}");
    }
}

#[test]
fn a_small_file_cannot_ask_for_all_the_memory() {
    let files = Files::new();
    let scopes = |count| {
        let nest: String =
            (0..count).map(|at| format!("$scope module s{at} $end\n$var wire 1 !{at} x $end\n")).collect();
        let up = "$upscope $end\n".repeat(count);
        format!("$timescale 1ns $end\n{nest}{up}$enddefinitions $end\n#0\n0!1\n")
    };
    let text = refusal(&files.file("deep.vcd", scopes(257).as_bytes()));
    assert!(text.contains("line 514: more than 256 scopes are open"), "{text}");
    let wide = HEADER.replace("wire 8", "wire 16777216") + "#0\n0!\n";
    let text = refusal(&files.file("wide.vcd", wide.as_bytes()));
    assert!(text.contains("line 4: a signal of 16777216 bits: the size is 0 to 8388608"), "{text}");
    let text = refusal(&files.file("no.vcd", HEADER.replace("wire 8", "wire -1").as_bytes()));
    assert!(text.contains("line 4: a signal of -1 bits"), "{text}");
}

#[test]
fn white_space_of_a_declaration_may_be_carriage_returns_and_form_feeds() {
    let files = Files::new();
    let body = "#0\n0!\nb1 \"\n#5\n1!\n#10\n0!\n#15\n1!\n";
    let lines = HEADER.replace(" d $end", "\n d\n$end") + body;
    let (unix, windows) = (files.file("a.vcd", lines.as_bytes()), lines.replace('\n', "\r\n"));
    let fed = "\x0c".to_string() + &lines.replace(" d\n", "\x0cd\x0c\n").replace("$end\n", "$end\n\x0c");
    for (name, other) in [("b.vcd", windows), ("c.vcd", fed)] {
        let report = waves(&unix, &files.file(name, other.as_bytes()));
        assert!(report.same() && report.compared_signals == 1, "{report:?}");
    }
}

#[test]
fn a_length_that_leads_back_does_not_lead_in_a_circle() {
    let files = Files::new();
    // Sections of a length below that of their own head: the reader's test for the format went round for ever.
    let circle = files.file("circle.fst", &[0xff; 89]);
    let error = Wave::open(&circle).err().unwrap();
    assert!(error.to_string().contains(" is neither VCD, nor FST, "), "{error}");
    let mut good = std::fs::read(bad("good.fst")).unwrap();
    let second = 1 + u64::from_be_bytes(good[1..9].try_into().unwrap()) as usize;
    good[second + 1..second + 9].copy_from_slice(&0u64.wrapping_sub(322).to_be_bytes());
    let text = refusal(&files.file("back.fst", &good));
    assert!(text.contains("a section at byte 330 is longer than the file"), "{text}");
}
