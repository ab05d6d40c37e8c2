//! `frit demand` on what other programs have recorded: a file of each rank, coflows with their times, workloads of a benchmark.

use crate::common;

use common::{json, root, run};
use std::fs;

fn example(name: &str) -> String {
    root().join("examples").join(name).display().to_string()
}

/// The files of four ranks, without those that are left out.
fn ranks(name: &str, end: &str, left_out: &[usize]) -> String {
    let ranks = (0..4).filter(|rank| !left_out.contains(rank));
    let files: Vec<String> = ranks.map(|rank| example(&format!("ranks/{name}{rank}{end}"))).collect();
    files.join(" ")
}

#[test]
fn the_files_of_all_ranks_are_one_demand() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("d.csv").display().to_string();
    let (counts, traces) =
        (ranks("expert_distribution_rank", ".csv", &[]), ranks("trace_rank", ".json", &[]));
    for line in [
        format!("{counts} --layer 3 --experts-per-rank 2"),
        format!("{traces} --collective 0"),
        // The same words in bytes: 64 elements of 2 bytes in a row.
        format!("{traces} --collective 0 --word-bytes 128"),
    ] {
        json(&format!("demand {line} -o {out}"), 0);
        assert_eq!(
            fs::read_to_string(&out).unwrap(),
            "0,157,3,12\n9,0,41,2\n7,7,0,100\n33,1,5,0\n",
            "{line}"
        );
    }
    // The second collective brings the rows back.
    json(&format!("demand {traces} --collective 1 -o {out}"), 0);
    assert_eq!(fs::read_to_string(&out).unwrap(), "0,9,7,33\n157,0,7,1\n3,41,0,5\n12,2,100,0\n");
    let made = json(&format!("demand {traces} --collective 0 --word-bytes 100 --link 100G"), 0);
    assert_eq!((&made["bytes"], &made["most_sent"]), (&(377 * 128).into(), &221.into()));
    assert!(made["time_us"].as_f64().unwrap() > 0.0);
    let (text, _) = run(&format!("demand {traces} --collective 0 --word-bytes 128"), 0);
    assert!(text.contains("trace_rank0.json and 3 more"), "{text}");
    assert!(text.contains("bytes                 48256"), "{text}");
}

#[test]
fn packed_files_are_read_like_others_and_damaged_ones_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    // Python packs them, with the name of the file inside.
    let pack = "import gzip, sys\nfor name in sys.argv[2:]:\n    gzip.open(sys.argv[1] + '/' + name.split('/')[-1] + '.gz', 'wb').write(open(name, 'rb').read())";
    let traces: Vec<String> = (0..4).map(|rank| example(&format!("ranks/trace_rank{rank}.json"))).collect();
    let table = example("demand4.csv");
    let mut python = std::process::Command::new("python3");
    python.args(["-c", pack, &path("")]).args(&traces).arg(&table);
    assert!(python.status().unwrap().success());
    let packed: Vec<String> = (0..4).map(|rank| path(&format!("trace_rank{rank}.json.gz"))).collect();
    let of = |files: &[String]| json(&format!("demand {} --collective 0", files.join(" ")), 0);
    assert_eq!(of(&packed)["words"], of(&traces)["words"]);
    let of = |file: &str| json(&format!("demand {file}"), 0);
    assert_eq!(of(&path("demand4.csv.gz")), of(&table));
    let mut bytes = fs::read(path("demand4.csv.gz")).unwrap();
    bytes.truncate(bytes.len() - 1);
    fs::write(path("cut.csv.gz"), &bytes).unwrap();
    let (_, error) = run(&format!("demand {}", path("cut.csv.gz")), 2);
    assert!(
        error.contains("cut.csv.gz: the file is packed by gzip") && error.lines().count() == 1,
        "{error}"
    );
}

#[test]
fn what_is_missing_in_files_of_ranks_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let trace = fs::read_to_string(example("ranks/trace_rank3.json")).unwrap();
    fs::write(path("cut.json"), &trace[..trace.len() / 2]).unwrap();
    fs::write(path("negative_rank3.csv"), "layer_id,expert_id,count\n3,1,-7\n").unwrap();
    let (counts, traces) = (
        |left_out: &[usize]| ranks("expert_distribution_rank", ".csv", left_out),
        |left_out: &[usize]| ranks("trace_rank", ".json", left_out),
    );
    for (line, said) in [
        (counts(&[]), "the files have 2 layers, from 3 to 4; choose one"),
        (counts(&[]) + " --layer 3", "say how many are on each terminal, for example --experts-per-rank 2"),
        (counts(&[]) + " --layer 3 --experts-per-rank 1", "counts expert"),
        (counts(&[2]) + " --layer 3 --experts-per-rank 2", "rank 2 is missing"),
        (counts(&[]) + " " + &counts(&[0, 1, 2]), "rank 3 is given twice"),
        (counts(&[1, 2, 3]), "the file is that of one rank"),
        (format!("{} {}", counts(&[3]), path("negative_rank3.csv")), "\"-7\" is not a number of words"),
        (traces(&[]), "2 collectives all_to_allv of 4 ranks; choose one"),
        (traces(&[]) + " --collective 2", "collective 2 is out of range"),
        (traces(&[3]) + " --collective 0", "has no all_to_allv with the split sizes of 3 ranks"),
        (format!("{} {}", traces(&[3]), path("cut.json")), "the trace of PyTorch is damaged"),
        (counts(&[]) + " " + &path("none"), "none"),
        (format!("zipf -n 4 {}", counts(&[])), "another FILE does not apply to zipf"),
        (format!("{} --window 0..9", example("demand4.csv")), "--window does not apply to a table of words"),
        ("zipf -n 4 --window 0..9".into(), "--window does not apply to zipf"),
        ("zipf -n 4 --collective 0".into(), "--collective does not apply to zipf"),
        ("zipf -n 4 --workload w1".into(), "--workload does not apply to zipf"),
    ] {
        let out = path("out.csv");
        let (_, error) = run(&format!("demand {line} -o {out}"), 2);
        assert!(error.contains(said) && error.lines().count() == 1, "{line}: {error}");
        assert!(!folder.path().join("out.csv").exists(), "{line}");
    }
}

#[test]
fn coflows_are_chosen_by_their_time() {
    let of = |options: &str| json(&format!("demand {} {options}", example("coflows.txt")), 0);
    let counts = |options: &str| {
        let made = of(options);
        ["coflows", "coflows_in_trace", "words"].map(|name| made[name].as_u64().unwrap())
    };
    assert_eq!(counts(""), [3, 3, 13]);
    assert_eq!(counts("--coflow 2"), [1, 3, 6]);
    assert_eq!(counts("--window 0..11"), [2, 3, 7]);
    assert_eq!(counts("--window 10..20"), [1, 3, 6]);
    let (text, _) = run(&format!("demand {} --window 0..11", example("coflows.txt")), 0);
    assert!(text.contains("coflows               2 of 3 in the trace"), "{text}");
    for (options, said) in [
        ("--window 11..20", "no coflow arrives in 11..20 ms; the first arrives at 0 ms, the last at 20 ms"),
        ("--window 9", "give two whole numbers of milliseconds"),
        ("--window 9..9", "give two whole numbers of milliseconds"),
        ("--window 0..9 --coflow 1", "cannot be used with"),
    ] {
        let (_, error) = run(&format!("demand {} {options}", example("coflows.txt")), 2);
        assert!(error.contains(said), "{options}: {error}");
    }
}

#[test]
fn workloads_of_a_benchmark_are_kinds_of_experts() {
    let skew = |workload: &str| {
        let line = format!("demand experts -n 8 --experts 4 --tokens 256 --workload {workload} --seed 2");
        json(&line, 0)["skew"].as_f64().unwrap()
    };
    let skews = ["w0", "w1", "w2", "w3", "w4", "w5", "w6 --step 3", "w7 --step 3"].map(skew);
    // Balanced, a terminal of the hot ones, as W1, spread, even, two experts in every word of half the terminals, moved, half of W1.
    assert_eq!(skews[0], 1.0);
    assert_eq!(skews[1], skews[2]);
    assert!(skews[1] > 2.0 && skews[6] > 2.0 && skews[5] > 1.8, "{skews:?}");
    assert!(skews[3] < 1.2 && skews[4] < 1.2 && (1.3..skews[1]).contains(&skews[7]), "{skews:?}");
    for (options, said) in [
        ("--workload w8", "[possible values: w0, w1"),
        ("--workload w1 --sigma 1", "cannot be used with"),
        ("--step 1", "--workload"),
        ("--workload w5 --top-k 5 --experts 1", "top-k 5 is not allowed; give 1 to 4"),
    ] {
        let (_, error) = run(&format!("demand experts -n 8 {options}"), 2);
        assert!(error.contains(said), "{options}: {error}");
    }
}
