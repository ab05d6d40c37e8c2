//! `frit demand --schedule`, `--reuse` and `--check`: plans of every planner in every form, plans of the last plan's configurations, and a check that
//! finds what is wrong with a plan.

use crate::common;

use common::{json, refused, run};
use std::fs;

const DEMAND: &str = "0,9,2,0,0\n0,0,1,4,0\n3,0,0,1,0\n1,0,0,2,7\n0,1,0,0,6\n";

#[test]
fn plans_of_every_planner_pass_the_check_and_a_damaged_one_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let demand = path("d.csv");
    fs::write(&demand, DEMAND).unwrap();
    for networks in ["--delta 0", "--delta 3", "--delta 3 --planes 2"] {
        for planner in ["", "--planner exact", "--planner few", "--planner cover", "--planner birkhoff"] {
            for name in ["p.csv", "p.json"] {
                let plan = path(name);
                let made = json(&format!("demand {demand} {networks} {planner} --schedule {plan}"), 0);
                let checked = json(&format!("demand {demand} {networks} --check {plan}"), 0);
                for same in ["schedule_cycles", "configurations", "time_lower_bound", "planes"] {
                    assert_eq!(made[same], checked[same], "{same} {networks} {planner}");
                }
                assert_eq!((&checked["delivered"], &checked["fault"]), (&37.into(), &().into()));
                let wanted = planner.strip_prefix("--planner ").unwrap_or("exact");
                let shortest = planner.is_empty() && networks != "--delta 0";
                assert_eq!(made["planner"], if shortest { "few" } else { wanted });
            }
        }
    }
    let plan = path("p.csv");
    run(&format!("demand {demand} --delta 3 --planner exact --schedule {plan}"), 0);
    let good = fs::read_to_string(&plan).unwrap();
    let rows: Vec<&str> = good.lines().collect();
    assert!(rows[0] == "plane,start,hold,0,1,2,3,4" && rows[1].starts_with("0,3,"), "{good}");
    let (text, _) = run(&format!("demand {demand} --delta 3 --check {plan}"), 0);
    assert!(text.contains("check                 all 37 words are delivered"), "{text}");
    // The plan of no time between configurations has too little of it.
    let fault = |text: &str, options: &str| {
        fs::write(path("bad.csv"), text).unwrap();
        let bad = path("bad.csv");
        let found = json(&format!("demand {demand} {options} --check {bad}"), 1);
        assert!(found["delivered"].is_null(), "{found}");
        let fault = found["fault"].as_str().unwrap().to_string();
        assert!(run(&format!("demand {demand} {options} --check {bad}"), 1).0.contains(&fault));
        fault
    };
    let found = fault(&good, "--delta 4");
    assert!(
        found.starts_with("line 2: plane 0 begins in cycle 3, but it is not ready before cycle 4"),
        "{found}"
    );
    let doubled = format!("{good}{}\n", rows[1]);
    let found = fault(&doubled, "--delta 3");
    assert!(
        found.starts_with("line 3: plane 0 begins") || found.contains("plane 0 begins in cycle 3"),
        "{found}"
    );
    let without: String =
        rows.iter().enumerate().filter(|&(at, _)| at != 1).map(|(_, row)| format!("{row}\n")).collect();
    let found = fault(&without, "--delta 3");
    assert!(found.contains("pairs lack") && found.contains("cycles; "), "{found}");
    let twice = format!("{}\n0,3,9,1,1,2,3,4\n", rows[0]);
    assert!(fault(&twice, "--delta 3").starts_with("line 2: the sources [0, 1] send to 1"));
    // A plan of another program, without starts and without circuits that nobody needs.
    fs::write(path("own.csv"), "hold,0,1,2,3,4\n9,1,3,0,4,\n6,2,,3,0,4\n2,,2,,3,1\n").unwrap();
    let own =
        json(&format!("demand {demand} --delta 5 --check {} --word-bytes 4 --clock 1M", path("own.csv")), 0);
    assert_eq!((&own["schedule_cycles"], &own["time_us"]), (&32.into(), &32.0.into()));
}

#[test]
fn plans_have_times_and_other_forms() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let demand = path("d.csv");
    fs::write(&demand, DEMAND).unwrap();
    let write = |name: &str, options: &str| {
        json(&format!("demand {demand} --delta 3 --planner exact {options} --schedule {}", path(name)), 0);
        fs::read_to_string(path(name)).unwrap()
    };
    let pace = "--word-bytes 4 --clock 1M";
    let csv = write("p.csv", pace);
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("plane,start,hold,start_us,hold_us,0,1,2,3,4"));
    let row: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!((row[1], row[3], row[2]), ("3", "3", row[4]));
    let of = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let plan = of(&write("p.json", pace));
    assert_eq!((&plan["delta"], &plan["planes"]), (&3.into(), &1.into()));
    assert_eq!(plan["configurations"][0]["start_us"], 3.0);
    // htsim has flows of 4 bytes a word, which start with their configuration.
    let flows = write("p.cm", pace);
    assert!(flows.starts_with("Nodes 5\nConnections "), "{flows}");
    let bytes = |line: &str| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap();
    assert_eq!(flows.lines().skip(2).map(bytes).sum::<u64>(), 4 * (37 - 8));
    assert!(flows.lines().nth(2).unwrap().contains(" id 1 start 3000000 size "), "{flows}");
    let slices = of(&write("o.json", &format!("{pace} --schedule-form openoptics")));
    assert_eq!((&slices["nb_node"], &slices["nb_link"]), (&5.into(), &2.into()));
    let cycles = slices["nb_time_slices"].as_u64().unwrap() * slices["time_slice_cycles"].as_u64().unwrap();
    assert_eq!(plan["cycles"], cycles);
    let circuits = of(&write("c.json", "--schedule-form openconfig"));
    let first = &circuits["configurations"][0]["port-connections"]["port-connection"][0];
    let to = plan["configurations"][0]["destinations"][0].as_u64().unwrap();
    assert_eq!(first["config"]["peer-port"], (5 + to).to_string());
    // A name says the form, and an option says another one.
    assert!(write("x.cm", "--schedule-form csv").starts_with("plane,start,hold,0,1"));
}

#[test]
fn what_is_no_plan_is_refused_and_no_file_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let demand = path("d.csv");
    fs::write(&demand, DEMAND).unwrap();
    fs::write(path("four.csv"), "hold,0,1,2,3\n5,1,0,3,2\n").unwrap();
    let (plan, four) = (path("p.cm"), path("four.csv"));
    for (options, said) in [
        (format!("--schedule {plan}"), "flows of htsim start at a time in picoseconds"),
        (
            format!("--schedule {plan} --schedule-form openoptics --planes 2"),
            "the plan has 2 planes, but openoptics",
        ),
        (format!("--schedule {plan} --matchings 2 --planner few"), "2 configurations are too few"),
        (
            format!("--schedule {plan} --matchings 9 --planner cover --schedule-form csv"),
            "--matchings applies to the planner few only",
        ),
        ("--planner few".into(), "--schedule <FILE>"),
        ("--schedule-form csv".into(), "--schedule <FILE>"),
        (format!("--schedule {plan} --check {four}"), "cannot be used with"),
        (
            format!("--check {four}"),
            "the plan has 4 terminals, but the demand has 5; give a plan of this demand",
        ),
        (format!("--check {demand}"), "the first line \"0,9,2,0,0\" is not that of a plan; it has the names"),
        (format!("--check {}", path("none.csv")), "none.csv"),
    ] {
        let pace = if options.contains("matchings 2") { "--word-bytes 4 --clock 1M" } else { "" };
        let (_, error) = run(&format!("demand {demand} {options} {pace}"), 2);
        assert!(error.contains(said), "{options}: {error}");
        assert!(fs::metadata(&plan).is_err(), "{options}");
    }
}

#[test]
fn a_plan_for_other_networks_is_refused_and_no_input_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (demand, plan) = (path("d.csv"), path("p.json"));
    fs::write(&demand, DEMAND).unwrap();
    run(&format!("demand {demand} --delta 3 --planes 2 --schedule {plan}"), 0);
    let wide = fs::read_to_string(&plan).unwrap().replace("\"plane\":1", "\"plane\":7");
    fs::write(path("wide.json"), &wide).unwrap();
    for (options, said) in [
        (format!("--check {plan}"), "the plan is made for --delta 3, not for 0; give --delta 3"),
        (format!("--delta 3 --planes 1 --check {plan}"), "is of plane 1, but --planes 1 are given"),
        (
            format!("--delta 3 --check {}", path("wide.json")),
            "is of plane 7, but the plan says that it has 2",
        ),
        (format!("--schedule {demand}"), "the input and --schedule name the same file"),
        (format!("-o {demand}"), "the input and -o name the same file"),
    ] {
        let (_, error) = run(&format!("demand {demand} {options}"), 2);
        assert!(error.contains(said), "{options}: {error}");
    }
    assert_eq!(fs::read_to_string(&demand).unwrap(), DEMAND);
    // Planes that are not used do not count, whatever their numbers are.
    fs::write(path("wide.json"), wide.replace("\"planes\": 2,", "")).unwrap();
    assert_eq!(json(&format!("demand {demand} --delta 3 --check {}", path("wide.json")), 0)["planes"], 2);
    // A plan that leaves words out has no ratio to the bound.
    fs::write(path("short.csv"), "hold,0,1,2,3,4\n1,1,0,3,2,4\n").unwrap();
    let (text, _) = run(&format!("demand {demand} --check {}", path("short.csv")), 1);
    assert!(text.contains("1 cycles, 1 configurations\n"), "{text}");
}

#[test]
fn racks_are_planned_in_two_files_that_the_check_reads_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let demand = path("d.npy");
    run(&format!("demand uniform -n 24 --words 300 -o {demand}"), 0);
    let racks = format!("demand {demand} --racks 4 --uplinks 2 --delta 20");
    let files = format!("--schedule {} --circuits {}", path("p.csv"), path("c.json"));
    let made = json(&format!("{racks} {files}"), 0);
    let number = |fact: &str| made[fact].as_u64().unwrap();
    assert_eq!((number("racks"), number("uplinks"), &made["planner"]), (4, 2, &"racks".into()));
    assert!(number("time_lower_bound") <= number("schedule_cycles"), "{made}");
    assert!(number("schedule_cycles") < number("alone_cycles"), "{made}");
    let (text, _) = run(&racks, 0);
    assert!(text.contains("(4 racks, uplinks of each: 2, 20 cycles for each configuration)"), "{text}");
    let alone = format!("each level alone      {} cycles", number("alone_cycles"));
    assert!(text.replace(',', "").contains(&alone), "{text}");
    let check = format!("{racks} --check {} --circuits", path("p.csv"));
    let checked = json(&format!("{check} {}", path("c.json")), 0);
    for same in ["schedule_cycles", "configurations", "time_lower_bound", "words_between_racks"] {
        assert_eq!(made[same], checked[same], "{same}");
    }
    assert_eq!(checked["delivered"], made["words"]);
    // Without its last permutation an optical switch does not join racks whose terminals send.
    let mut plan: serde_json::Value = serde_json::from_slice(&fs::read(path("c.json")).unwrap()).unwrap();
    plan["configurations"].as_array_mut().unwrap().pop();
    fs::write(path("less.json"), plan.to_string()).unwrap();
    let found = json(&format!("{check} {}", path("less.json")), 1);
    assert!(found["fault"].as_str().unwrap().starts_with("line "), "{found}");
    assert!(found["fault"].as_str().unwrap().contains("optical switches join these racks"), "{found}");
    // A plan that leaves words out has no time, as the first one has.
    let paced =
        |circuits: &str, code| json(&format!("{check} {} --word-bytes 64 --link 400G", path(circuits)), code);
    assert!(paced("c.json", 0).get("gb_per_s").is_some() && paced("less.json", 1).get("gb_per_s").is_none());
    // A plan of another kind, and too few uplinks: said in the words of racks.
    let (csv, circuits, flat) = (path("p.csv"), path("c.json"), path("flat.json"));
    run(&format!("demand {demand} --delta 20 --schedule {flat}"), 0);
    let mixed = format!("{racks} --check {flat} --circuits {circuits}");
    let fewer =
        format!("demand {demand} --racks 4 --uplinks 1 --delta 20 --check {csv} --circuits {circuits}");
    let swapped = format!("{racks} --check {csv} --circuits {csv}");
    for (command, says) in [
        (mixed, "is not the plan of the terminals of racks"),
        (fewer, "but --uplinks 1 are given"),
        (swapped, "the plan has 24 terminals, but there are 4 racks; give the plan of the optical switches"),
    ] {
        let error = refused(&command);
        assert!(error.contains(says), "{error}");
    }
    // As many uplinks as terminals, in OpenConfig's form.
    let all = json(&format!("demand {demand} --racks 4 {files} --schedule-form openconfig"), 0);
    assert_eq!(all["uplinks"], 6);
    for (options, says) in [
        (
            "--racks 5",
            "5 racks are not allowed; 24 terminals fill racks of equal size if there are 2 or 3 or 4",
        ),
        ("--racks 4 --schedule p.csv", "a plan of racks is two files; add --circuits FILE"),
        ("--racks 4 --circuits c.csv", "add --schedule or --check, or leave it out"),
        ("--racks 4 --schedule p.csv --circuits p.csv", "p.csv"),
        ("--racks 4 --planes 2", "'--planes <S>'"),
        ("--uplinks 2", "--racks"),
        ("--racks 4 --uplinks 0", "0 is not in 1..=256"),
        ("--racks 4 --schedule p.cm --circuits c.csv", "add --word-bytes 4096 --link 400G"),
    ] {
        let (_, error) = run(&format!("demand {demand} {options}"), 2);
        assert!(error.contains(says), "{options}: {error}");
    }
    assert!(!fs::exists("p.csv").unwrap());
}

#[test]
fn the_configurations_of_a_plan_carry_the_next_demand() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (first, next, last) = (path("d.csv"), path("next.csv"), path("p.csv"));
    fs::write(&first, DEMAND).unwrap();
    // Two words more, and a pair that had none.
    fs::write(&next, DEMAND.replace("0,9,2", "0,11,2").replace("0,1,0,0,6", "0,1,5,0,6")).unwrap();
    let mut kept = 0;
    for networks in ["--delta 0", "--delta 3", "--delta 3 --planes 2"] {
        let made = json(&format!("demand {first} {networks} --schedule {last}"), 0);
        // Without a change the plan is as long. It has the networks of the last plan.
        let delta = networks.trim_end_matches(" --planes 2");
        for name in ["q.csv", "q.json"] {
            let plan = path(name);
            let same = json(&format!("demand {first} {delta} --reuse {last} --schedule {plan}"), 0);
            for equal in ["schedule_cycles", "configurations", "planes", "time_lower_bound"] {
                assert_eq!(made[equal], same[equal], "{networks} {equal}");
            }
            assert_eq!((&same["planner"], &same["configurations_new"]), (&"reuse".into(), &0.into()));
            // The last plan does not carry the next demand, and what is made of it does.
            json(&format!("demand {next} {delta} --check {last}"), 1);
            let reused = json(&format!("demand {next} {delta} --reuse {last} --schedule {plan}"), 0);
            let number = |fact: &str| reused[fact].as_u64().unwrap();
            kept += number("configurations_kept");
            assert_eq!(
                number("configurations_kept") + number("configurations_new"),
                number("configurations")
            );
            let checked = json(&format!("demand {next} {delta} --check {plan}"), 0);
            assert_eq!(checked["schedule_cycles"], reused["schedule_cycles"]);
        }
    }
    assert!(kept > 0);
    let (text, _) = run(&format!("demand {next} --delta 3 --reuse {last} --schedule {}", path("q.csv")), 0);
    assert!(
        text.contains("(planner reuse)") && text.contains(" configurations of the last plan; "),
        "{text}"
    );
}

#[test]
fn a_last_plan_that_cannot_be_reused_is_refused_and_no_file_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (demand, last, plan) = (path("d.csv"), path("p.json"), path("q.csv"));
    fs::write(&demand, DEMAND).unwrap();
    run(&format!("demand {demand} --delta 3 --planes 2 --schedule {last}"), 0);
    let before = fs::read_to_string(&last).unwrap();
    fs::write(path("four.csv"), "hold,0,1,2,3\n5,1,0,3,2\n").unwrap();
    fs::write(path("twice.csv"), "hold,0,1,2,3,4\n5,1,0,3,2,4\n5,1,0,,,0\n").unwrap();
    fs::write(path("outside.csv"), "hold,0,1,2,3,4\n5,1,0,3,2,5\n").unwrap();
    for (name, options, said) in [
        ("p.json", "--delta 2".to_string(), "the plan is made for --delta 3, not for 2; give --delta 3"),
        ("p.json", "--delta 3 --planes 1".into(), "is of plane 1, but --planes 1 are given"),
        ("p.json", "--delta 3 --matchings 1".into(), "1 configurations are too few"),
        (
            "p.json",
            "--delta 3 --planner few".into(),
            "'--planner <PLANNER>' cannot be used with '--reuse <PLAN>'",
        ),
        ("p.json", format!("--delta 3 --check {last}"), "cannot be used with"),
        (
            "four.csv",
            String::new(),
            "the plan has 4 terminals, but the demand has 5; give a plan of this demand",
        ),
        (
            "twice.csv",
            String::new(),
            "configuration 1 of the last plan (the first one is 0): sources 1 and 4 send to 0",
        ),
        (
            "outside.csv",
            String::new(),
            "configuration 0 of the last plan (the first one is 0): source 4 sends to 5",
        ),
        ("d.csv", String::new(), "the first line \"0,9,2,0,0\" is not that of a plan"),
        ("none.csv", String::new(), "cannot read"),
    ] {
        let (_, error) =
            run(&format!("demand {demand} {options} --reuse {} --schedule {plan}", path(name)), 2);
        assert!(error.contains(said), "{name} {options}: {error}");
        assert!(fs::metadata(&plan).is_err(), "{name} {options}");
    }
    let (_, error) = run(&format!("demand {demand} --reuse {last}"), 2);
    assert!(error.contains("--schedule <FILE>"), "{error}");
    let (_, error) = run(&format!("demand {demand} --delta 3 --reuse {last} --schedule {last}"), 2);
    assert!(error.contains("the input and --schedule name the same file"), "{error}");
    assert_eq!(fs::read_to_string(&last).unwrap(), before);
}
