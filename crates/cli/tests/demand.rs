//! `frit demand` and `frit simulate --demand`: what is planned is the least, every word arrives, and a bad file is one line.

use crate::common;

use common::{json, run};
use std::fs;

/// 100 words from 0 to 1 and three single ones: cycles of systems that send the same to everyone are many times as many.
const SKEWED: &str = "0,100,0,0\n0,0,1,0\n0,0,0,1\n1,0,0,0\n";

#[test]
fn benes_takes_as_many_rounds_as_the_largest_sum() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("d.csv"), SKEWED).unwrap();
    let rows = path("rows.csv");
    let made = json(&format!("simulate benes -n 4 --demand {} --deliveries {rows}", path("d.csv")), 0);
    assert_eq!((&made["h"], &made["rounds"], &made["cycles"]), (&100.into(), &100.into(), &102.into()));
    // A row for each word: its output and its source are those of the matrix.
    let rows = fs::read_to_string(rows).unwrap();
    let pairs: Vec<(String, String)> = rows
        .lines()
        .skip(1)
        .map(|row| {
            let columns: Vec<&str> = row.split(',').collect();
            (columns[2].to_string(), columns[1].to_string())
        })
        .collect();
    assert_eq!(pairs.len(), 103);
    let from_0 = pairs.iter().filter(|(source, output)| source == "0" && output == "1").count();
    assert_eq!(from_0, 100);
    for pair in [("1", "2"), ("2", "3"), ("3", "0")] {
        assert!(pairs.contains(&(pair.0.into(), pair.1.into())), "{pair:?}");
    }
    for (system, cycles) in [("rls", 102), ("xor", 104), ("gsen", 102), ("obf", 102)] {
        let made = json(&format!("simulate {system} -n 4 --demand {}", path("d.csv")), 0);
        assert_eq!(made["cycles"], cycles, "{system}");
    }
}

#[test]
fn every_kind_is_made_again_from_its_seed_and_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for kind in ["uniform", "zipf", "log-normal", "hot-spot", "block-diagonal", "sparse", "experts"] {
        for name in ["a.csv", "b.csv", "c.npy", "d.json"] {
            run(&format!("demand {kind} -n 8 --seed 3 -o {}", path(name)), 0);
        }
        assert_eq!(fs::read(path("a.csv")).unwrap(), fs::read(path("b.csv")).unwrap(), "{kind}");
        let simulated = |name: &str| {
            let made = json(&format!("simulate benes -n 8 --demand {}", path(name)), 0);
            (made["h"].as_u64().unwrap(), made["rounds"].as_u64().unwrap(), made["cycles"].as_u64().unwrap())
        };
        let (h, rounds, cycles) = simulated("a.csv");
        assert!(h > 0 && rounds == h && cycles == h + 4, "{kind}: {h} {rounds} {cycles}");
        assert_eq!(simulated("c.npy"), (h, rounds, cycles), "{kind}");
        assert_eq!(simulated("d.json"), (h, rounds, cycles), "{kind}");
        run(&format!("demand {kind} -n 8 --seed 4 -o {}", path("a.csv")), 0);
        assert_ne!(fs::read(path("a.csv")).unwrap(), fs::read(path("b.csv")).unwrap(), "{kind}: the seed");
    }
}

#[test]
fn a_file_that_is_no_demand_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("d.csv");
    for text in [
        "",
        "0,-2\n1,0\n",
        "0,1\n1\n",
        "0,1,2\n1,0\n",
        "1,,2\n3,4,\n",
        "0,99999999999999999999\n1,0\n",
        "0,18446744073709551615\n18446744073709551615,0\n",
        "a,b\nc,d\n",
        "\u{0}\u{1}",
    ] {
        fs::write(&path, text).unwrap();
        for command in ["demand", "simulate benes --demand"] {
            let (_, error) = run(&format!("{command} {}", path.display()), 2);
            assert!(
                error.starts_with("error: ") && error.lines().count() == 1,
                "{command} {text:?}: {error}"
            );
            assert!(error.contains("d.csv"), "{command} {text:?}: {error}");
        }
    }
}

#[test]
fn planners_stand_beside_the_bound() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    run(&format!("demand log-normal -n 16 --words 300 --seed 2 -o {}", path("d.csv")), 0);
    let table = |options: &str| {
        let made = json(&format!("compare --demand {} {options}", path("d.csv")), 0);
        made["rows"].as_array().unwrap().clone()
    };
    let row = |rows: &[serde_json::Value], planner: &str, system: &str| {
        let found = rows.iter().find(|row| row["planner"] == planner && row["system"] == system);
        found.unwrap_or_else(|| panic!("{planner} {system}")).clone()
    };
    let rows = table("");
    assert_eq!(rows.len(), 18);
    for one in &rows {
        assert!(one["cycles"].as_u64() >= one["cycles_lower_bound"].as_u64(), "{one}");
    }
    let exact = row(&rows, "exact", "benes");
    assert_eq!(exact["cycles"], exact["cycles_lower_bound"]);
    let crossbar = row(&rows, "exact", "ideal");
    assert_eq!((&crossbar["cycles"], &crossbar["rounds"]), (&exact["rounds"], &exact["rounds"]));
    // The same figures as those of the runs.
    for (system, more) in
        [("rls", ""), ("xor", ""), ("gsen", ""), ("obf", ""), ("rls", "--two-hop"), ("obf", "--two-hop")]
    {
        let ran = json(&format!("simulate {system} -n 16 --demand {} {more}", path("d.csv")), 0);
        let planner = if more.is_empty() { "lengths" } else { "two-hop" };
        let compared = row(&rows, planner, system);
        for member in ["cycles", "buffer_words"] {
            assert_eq!(compared[member], ran[member], "{system} {more} {member}");
        }
    }
    // A dear change of configurations: few of them are better than exact rounds, and two planes better than one.
    let slow = table("--delta 100");
    let cycles =
        |rows: &[serde_json::Value], planner: &str| row(rows, planner, "benes")["cycles"].as_u64().unwrap();
    assert!(cycles(&slow, "few") < cycles(&slow, "exact"));
    assert!(cycles(&slow, "few") < cycles(&slow, "birkhoff"));
    assert!(cycles(&table("--delta 100 --planes 2"), "few") < cycles(&slow, "few"));
    let few = row(&table("--matchings 16"), "few", "benes");
    assert!(few["configurations"].as_u64().unwrap() <= 16);
    for name in ["p.svg", "p.png"] {
        run(&format!("compare --demand {} --plot {}", path("d.csv"), path(name)), 0);
        assert!(fs::metadata(path(name)).unwrap().len() > 5000, "{name}");
    }
    let refused = run(&format!("compare --demand {} --matchings 3", path("d.csv")), 2).1;
    assert!(refused.contains("3 configurations are too few"), "{refused}");
}

#[test]
fn a_demand_is_a_film_and_a_drawing() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    run(&format!("demand experts -n 8 --tokens 32 --seed 3 -o {}", path("moe.csv")), 0);
    let view = |system: &str, more: &str, code| {
        run(&format!("view {system} --demand {} {more}", path("moe.csv")), code)
    };
    view("benes -n 8", &format!("--timeline -o {}", path("line.svg")), 0);
    let kept = common::root().join("docs/images/demand_timeline.svg");
    assert!(
        fs::read_to_string(path("line.svg")).unwrap() == fs::read_to_string(&kept).unwrap(),
        "docs/images/demand_timeline.svg is not what frit view --timeline draws of this demand"
    );
    view("rls -n 8", &format!("-o {}", path("film.html")), 0);
    let page = fs::read_to_string(path("film.html")).unwrap();
    // The name of the file, not where it lies.
    assert!(page.contains("frit view rls -n 8 --demand moe.csv") && !page.contains(&path("")));
    view("obf", &format!("--round 2 -o {}", path("round.svg")), 0);
    for (system, more, expected) in [
        ("benes -n 8", "--round 177 -o r.svg", "benes_n8, 488 words has rounds 0 to 176"),
        (
            "benes -n 8",
            "--timeline -o r.html",
            "with --still, --round or --timeline give a name that ends in .svg",
        ),
        ("benes -n 8", "--fault x -o r.html", "cannot be used with"),
        ("benes -n 16", "-o r.html", "the demand has 8 terminals, not 16"),
        ("rls-folded -n 8", "-o r.html", "passes its network twice"),
        ("dilated -n 8", "-o r.html", "dilated is a routed system"),
    ] {
        let (_, error) = view(system, more, 2);
        assert!(error.contains(expected), "{system} {more}: {error}");
    }
    run(&format!("demand uniform -n 256 --words 100000 -o {}", path("moe.csv")), 0);
    for system in ["benes", "ideal"] {
        let (_, error) = view(system, "-o r.html", 2);
        assert!(error.contains("are too many to show"), "{error}");
    }
    let (_, error) = view("benes", "--timeline -o r.svg", 2);
    assert!(
        error.contains("256 terminals are too many for --timeline; give a demand of up to 128"),
        "{error}"
    );
}

#[test]
fn traces_are_a_file_for_each_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("d.csv"), SKEWED).unwrap();
    run(&format!("demand {} -o {} --bytes-per-word 8", path("d.csv"), path("moe.et")), 0);
    run(&format!("demand {} -o {} --form chakra --bytes-per-word 8", path("d.csv"), path("other.v2")), 0);
    let read = |name: String| fs::read(path(&name)).unwrap();
    for terminal in 0..4 {
        let trace = read(format!("moe.{terminal}.et"));
        assert_eq!(trace, read(format!("other.v2.{terminal}.et")));
        let names = |what: &str| String::from_utf8_lossy(&trace).matches(what).count();
        assert_eq!((names("COMM_SEND_NODE_"), names("COMM_RECV_NODE_")), (1, 1), "{terminal}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 9);
    // 100 words of 8 bytes: the varint of 800, behind the number of its field and its kind.
    let sent = read("moe.0.et".into());
    assert!(sent.windows(3).any(|bytes| bytes == [9 << 3, 0xa0, 0x06]), "{sent:?}");
    let said = run(&format!("demand {} -o {} --bytes-per-word 2147483648", path("d.csv"), path("x.et")), 2).1;
    assert!(said.contains("2147483648 is not in 1..2147483648"), "{said}");
}

/// Files as spreadsheets, pandas, NumPy and servers of language models write them (`tests/data/own`): 377 words of 4 terminals.
#[test]
fn files_of_others_are_taken() {
    let file = |name: &str| common::root().join("crates/cli/tests/data/own").join(name).display().to_string();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("d.csv").display().to_string();
    for name in [
        "bom.csv",
        "float.npy",
        "header.csv",
        "named_rows.csv",
        "one.npz",
        "pandas.csv",
        "savetxt.txt",
        "whole_floats.csv",
        "layers.npy --layer 0",
    ] {
        json(&format!("demand {} -o {out}", file(name)), 0);
        assert_eq!(
            fs::read_to_string(&out).unwrap(),
            "0,157,3,12\n9,0,41,2\n7,7,0,100\n33,1,5,0\n",
            "{name}"
        );
    }
    assert_eq!(json(&format!("demand {}", file("layers.npy --layer 1")), 0)["words"], 754);
    assert_eq!(
        json(&format!("demand {}", file("ranks_by_experts.npy --experts-per-rank 4")), 0)["words"],
        2016
    );
    let routes = format!("demand experts -n 4 --experts 2 --routes {}", file("routes_dropped.npy"));
    assert_eq!(json(&routes, 0)["words"], 22);
    for (line, said) in [
        (file("half.csv"), "line 1, cell 2: \"157.5\" is not a number of words; give whole numbers"),
        (file("ranks_by_experts.npy"), "(frit demand FILE --experts-per-rank 4)"),
        (
            file("layers.npy"),
            "the file has 2 layers of 4 x 4 numbers; choose one (frit demand FILE --layer L, 0 to 1)",
        ),
        (file("bom.csv --experts-per-rank 2"), "4 terminals of 2 experts have 8 columns, but there are 4"),
        ("zipf -n 4 --layer 1".into(), "--layer does not apply to zipf"),
        ("zipf -n 4 --experts-per-rank 1".into(), "--experts-per-rank does not apply to zipf"),
    ] {
        let (_, error) = run(&format!("demand {line}"), 2);
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn words_may_come_from_numpy_and_go_back() {
    let payload = common::root().join("crates/cli/tests/data/own/payload.npy").display().to_string();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let simulate = |words: &str, received: &str| {
        json(&format!("simulate rls -n 8 --payload {words} --received {received}"), 0);
    };
    simulate(&payload, &path("there.npy"));
    simulate(&path("there.npy"), &path("back.csv"));
    simulate(&payload, &path("there.csv"));
    simulate(&path("there.csv"), &path("again.csv"));
    let of = |name: &str| fs::read_to_string(path(name)).unwrap();
    // One file is in hexadecimal, the words are the same.
    assert_eq!(of("back.csv"), of("again.csv"));
    assert!(of("back.csv").starts_with("00000000,00000001,00000002"), "{}", of("back.csv"));
    let (_, error) = run(&format!("simulate rls -n 8 -w 4 --payload {payload}"), 2);
    assert!(error.contains("row 2, column 0: 16 does not fit into 4 bits"), "{error}");
    // 100,000 words in 334 bytes.
    let zeros = common::root().join("crates/cli/tests/data/own/zeros.npz").display().to_string();
    let (_, error) = run(&format!("simulate rls -n 8 --payload {zeros}"), 2);
    assert!(error.contains("has more words than 8 x 8"), "{error}");
    let (_, error) =
        run(&format!("simulate rls -n 8 -w 65 --payload {payload} --received {}", path("x.npy")), 2);
    assert!(error.contains("words of at most 64 bits, not 65"), "{error}");
}

#[test]
fn a_demand_is_answered_in_seconds_and_by_a_schedule() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("d.csv"), SKEWED).unwrap();
    let pace = "--word-bytes 14336 --link 400G";
    let made = json(&format!("demand {} {pace} --schedule {}", path("d.csv"), path("paced.csv")), 0);
    json(&format!("demand {} --schedule {}", path("d.csv"), path("s.csv")), 0);
    // 100 words of 286.72 ns; without a schedule the time is that of the bound, which is the same here.
    assert_eq!((&made["schedule_cycles"], &made["time_us"]), (&100.into(), &28.672.into()));
    assert_eq!((&made["gb_per_s"], &made["imbalance_cycles"]), (&51.5.into(), &75.into()));
    assert_eq!(json(&format!("demand {} {pace}", path("d.csv")), 0)["time_us"], 28.672);
    // The permutations are held long enough for every pair, and for no more cycles than the plan has.
    let rows = fs::read_to_string(path("s.csv")).unwrap();
    let mut lines = rows.lines();
    assert_eq!(lines.next(), Some("plane,start,hold,0,1,2,3"));
    let mut joined = [[0u64; 4]; 4];
    let mut cycles = 0;
    for line in lines {
        let cells: Vec<u64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        assert_eq!(cells[3..].iter().collect::<std::collections::BTreeSet<_>>().len(), 4, "{line}");
        assert_eq!(cells[1], cycles, "{line}");
        cycles += cells[2];
        cells[3..].iter().zip(&mut joined).for_each(|(&to, row)| row[to as usize] += cells[2]);
    }
    assert_eq!(cycles, 100);
    for (line, joined) in SKEWED.lines().zip(&joined) {
        let words = line.split(',').map(|cell| cell.parse::<u64>().unwrap());
        assert!(words.zip(joined).all(|(words, joined)| words <= *joined), "{line} {joined:?}");
    }
    // frit schedule benes has the same rows, and JSON the same configurations.
    let (printed, _) = run(&format!("schedule benes --demand {} --format csv", path("d.csv")), 0);
    assert_eq!(printed, rows);
    let held = json(&format!("schedule benes -n 4 --demand {}", path("d.csv")), 0);
    json(&format!("demand {} --schedule {}", path("d.csv"), path("s.json")), 0);
    let written: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(path("s.json")).unwrap()).unwrap();
    assert_eq!(
        (&held, held["configurations"].as_array().unwrap().len()),
        (&written, rows.lines().count() - 1)
    );
    let (program, _) = run(&format!("schedule benes --demand {} --format memh", path("d.csv")), 0);
    json(&format!("demand {} -o {}", path("d.csv"), path("p.memh")), 0);
    assert_eq!(program, fs::read_to_string(path("p.memh")).unwrap());
    // With a time to change configurations, on two networks.
    let two =
        json(&format!("demand {} --delta 10 --planes 2 --schedule {}", path("d.csv"), path("t.csv")), 0);
    let compared = json(&format!("compare --demand {} --delta 10 --planes 2", path("d.csv")), 0);
    let few = compared["rows"].as_array().unwrap().iter().find(|row| row["planner"] == "few").unwrap();
    assert_eq!(two["configurations"], few["configurations"]);
    let (text, _) = run(&format!("demand {} --delta 10 --planes 2 {pace}", path("d.csv")), 0);
    assert!(
        text.contains("lower bound           55 cycles (2 planes, 10 cycles for each configuration)"),
        "{text}"
    );
    assert!(
        text.contains("time                  15.7696 us at the lower bound, 93.6364 GB/s in all"),
        "{text}"
    );
}

#[test]
fn commands_say_seconds_and_bytes_beside_cycles() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("d.csv"), SKEWED).unwrap();
    let pace = "--word-bytes 4 --clock 250M";
    // 19 cycles of 4 ns, 256 words of 4 bytes.
    let run_once = json(&format!("simulate xor -n 16 {pace}"), 0);
    assert_eq!((&run_once["cycles"], &run_once["time_us"]), (&19.into(), &0.076.into()));
    assert_eq!(run_once["gb_per_s"], 13.4737);
    let (text, _) = run(&format!("simulate xor -n 16 {pace}"), 0);
    assert!(text.contains("0.076 us; 13.4737 GB/s in all"), "{text}");
    let carried = json(&format!("simulate benes --demand {} {pace}", path("d.csv")), 0);
    assert_eq!((&carried["cycles"], &carried["time_us"]), (&102.into(), &0.408.into()));
    let (csv, _) = run(&format!("compare -n 16 --systems xor,rls --sort time_us --format csv {pace}"), 0);
    assert!(csv.lines().next().unwrap().ends_with("buffer_words,time_us,gb_per_s,note"), "{csv}");
    assert!(csv.contains(",0.076,13.47,"), "{csv}");
    let planners = json(&format!("compare --demand {} {pace}", path("d.csv")), 0);
    let exact = planners["rows"].as_array().unwrap().iter().find(|row| row["planner"] == "exact").unwrap();
    assert_eq!(exact["time_us"], 0.408);
    // The order of --sort.
    let sorted = json(&format!("compare --demand {} --sort -cycles", path("d.csv")), 0);
    let cycles: Vec<u64> =
        sorted["rows"].as_array().unwrap().iter().map(|row| row["cycles"].as_u64().unwrap()).collect();
    assert!(cycles.windows(2).all(|pair| pair[0] >= pair[1]) && cycles.first() > cycles.last(), "{cycles:?}");
    for (line, said) in [
        ("simulate xor -n 16 --word-bytes 4", "the bytes of a word alone give no time"),
        ("simulate xor -n 16 --clock 250M", "the bytes of a word are missing"),
        (
            "simulate xor -n 16 --word-bytes 4 --link 400GB/s",
            "link \"400GB/s\" is not a rate; give bits a second",
        ),
        ("simulate transpose -n 4 --rows 4 --cols 4 --word-bytes 4 --link 1M", "does not apply to transpose"),
        ("compare -n 8 --permutation --word-bytes 4 --clock 1M", "--link and --clock apply to a comparison"),
        (
            &format!("compare --demand {} --sort luts", path("d.csv")),
            "\"luts\" is not a column; the columns are planner, ",
        ),
        ("compare -n 8 --sort nothing", "with --link or --clock also time_us, gb_per_s"),
        ("demand zipf -n 4 --word-bytes 8", "--word-bytes alone is for files of flows"),
        ("schedule rls -n 4 --demand d.csv", "--demand applies to benes and ideal without options"),
    ] {
        let (_, error) = run(line, 2);
        assert!(error.contains(said), "{line}: {error}");
    }
    // A sweep has the same columns, and another clock is another sweep.
    let sweep = |clock: &str| {
        let file = path("sweep.toml");
        let csv = path("out.csv");
        let text = format!(
            "kind = \"exchange\"\nword_bytes = 4\nclock = \"{clock}\"\n[[systems]]\nsystem = \"xor\"\nterminals = [16]\n[files]\ncsv = \"{csv}\"\n"
        );
        fs::write(&file, text).unwrap();
        run(&format!("sweep {file}"), 0);
        fs::read_to_string(csv).unwrap()
    };
    assert!(sweep("250M").contains("time_us,gb_per_s"), "{}", sweep("250M"));
    assert!(sweep("250M").contains(",0.076,13.4737"), "{}", sweep("250M"));
    fs::remove_file(path("out.csv")).unwrap();
    assert!(sweep("125M").contains(",0.152,6.73684"));
}

#[test]
fn an_ideal_crossbar_carries_demands_of_any_size() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let demand = path("d.csv");
    run(&format!("demand zipf -n 22 --words 300 -o {demand}"), 0);
    let ran = json(&format!("simulate ideal --demand {demand}"), 0);
    assert_eq!((&ran["cycles"], &ran["missing"]), (&ran["h"], &0.into()));
    // Beside the networks that exist with 22 terminals, and those that do not.
    let compared = json(&format!("compare --demand {demand} --delta 3"), 0);
    let systems: Vec<&str> =
        compared["rows"].as_array().unwrap().iter().map(|row| row["system"].as_str().unwrap()).collect();
    assert_eq!(
        systems[..6],
        ["gsen", "gsen", "gsen latin", "gsen latin", "gsen latin pad", "gsen latin pad"]
    );
    assert_eq!(systems[6..], ["ideal"; 4]);
    let (text, _) = run(&format!("compare --demand {demand}"), 0);
    for missing in ["rls", "xor", "obf", "benes"] {
        assert!(text.contains(&format!("\n{missing}: ")), "{text}");
    }
    let (csv, _) = run(&format!("schedule ideal --demand {demand} --format csv"), 0);
    assert!(csv.lines().count() > 22, "{csv}");
    run(&format!("view ideal --demand {demand} --timeline -o {}", path("x.svg")), 0);
    assert!(fs::read_to_string(path("x.svg")).unwrap().contains("ideal_n22"));
    // Its film, and a drawing of a cycle and of rounds: a wire for each terminal.
    run(&format!("view ideal --demand {demand} -o {}", path("x.html")), 0);
    assert!(fs::read_to_string(path("x.html")).unwrap().contains("\"kind\":\"crossbar\""));
    for (moment, drawn) in [("--still 1", 1), ("--round 0..2", 3)] {
        run(&format!("view ideal --demand {demand} {moment} -o {}", path("y.svg")), 0);
        let svg = fs::read_to_string(path("y.svg")).unwrap();
        assert_eq!(svg.matches("<polyline ").count(), drawn * 22, "{moment}");
    }
    fs::write(path("none.csv"), "0,0,0\n0,0,0\n0,0,0\n").unwrap();
    for (file, moment, said) in [
        (&demand, "--still 9999", "--still 9999 is out of range"),
        (&path("none.csv"), "--round 0", "ideal_n3, 0 words has no rounds to draw"),
    ] {
        let (_, error) = run(&format!("view ideal --demand {file} {moment} -o {}", path("y.svg")), 2);
        assert!(error.contains(said), "{error}");
    }
    // A sweep of the same planners; without a demand there is nothing to run.
    let csv = path("s.csv");
    let text = format!(
        "kind = \"demand\"\nterminals = [6, 22]\ndemands = [\"uniform --words 40\"]\nplanners = [\"ideal few\", \"gsen latin\"]\n[files]\ncsv = \"{csv}\"\n"
    );
    fs::write(path("s.toml"), text).unwrap();
    run(&format!("sweep {}", path("s.toml")), 0);
    let table = fs::read_to_string(path("s.csv")).unwrap();
    assert!(table.contains(",few,ideal,") && table.contains(",lengths,gsen latin,"), "{table}");
    let (_, error) = run("simulate ideal -n 22", 2);
    assert!(error.contains("ideal has no network of switches and no exchange of its own"), "{error}");
}
