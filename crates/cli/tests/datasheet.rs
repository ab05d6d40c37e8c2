//! The datasheet of a design says what the design has and does.

use crate::common;

use common::{have, json, run};
use frit_trace::wave::Wave;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The cells of a Markdown table in the section that starts with `heading`: of every line that has as many as `columns`.
fn table(text: &str, heading: &str, columns: usize) -> Vec<Vec<String>> {
    let section = text.split("\n## ").find(|section| section.starts_with(heading)).unwrap();
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect()
    };
    section
        .lines()
        .filter(|line| line.starts_with('|'))
        .map(cells)
        .filter(|row| row.len() == columns)
        .collect()
}

/// Name, direction and bits of the ports of a module, as its text declares them; W has its default.
fn declared(verilog: &str) -> Vec<[String; 3]> {
    let (head, rest) = verilog.split_once("(\n").unwrap();
    let (word, rest) = match head.ends_with('#') {
        true => {
            let (parameters, rest) = rest.split_once("\n) (\n").unwrap();
            let word = parameters.trim().strip_prefix("parameter integer W = ").unwrap();
            (word.split(' ').next().unwrap().parse().unwrap(), rest)
        }
        false => (0, rest),
    };
    let ports = rest.split_once("\n);").unwrap().0;
    let number = |text: &str| if text == "W" { word } else { text.parse::<u32>().unwrap() };
    let bits_of = |high: &str| match high.strip_suffix("-1") {
        Some(product) => product.split('*').map(number).product(),
        None => number(high) + 1,
    };
    let port = |line: &str| {
        let words: Vec<&str> = line.trim().trim_end_matches(',').split_whitespace().collect();
        let bits = match words[2].strip_prefix('[') {
            Some(range) => bits_of(range.split(':').next().unwrap()),
            None => 1,
        };
        let direction = words[0].trim_end_matches("put");
        [words.last().unwrap().to_string(), direction.to_string(), bits.to_string()]
    };
    // What a port means stands behind it or in lines above.
    let code = ports.lines().map(|line| line.split("//").next().unwrap_or("").trim());
    code.filter(|line| !line.is_empty()).map(port).collect()
}

#[test]
fn ports_and_figures_are_those_of_the_design() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().display();
    for (arguments, compared, name) in [
        ("rls -n 8 -w 5", "rls", "rls_n8_w5"),
        ("gsen -n 10 -w 8", "gsen", "gsen_n10_w8"),
        ("obf -n 8 -w 1", "obf", "obf_n8_w1"),
    ] {
        run(&format!("generate {arguments} --axis --selftest -o {folder}"), 0);
        let read = |file: &str| fs::read_to_string(dir.path().join(file)).unwrap();
        let page = read(&format!("{name}_datasheet.md"));
        for top in ["exchange", "axis_l1_b1", "selftest_d104"] {
            let module = format!("{name}_{top}");
            let ports: Vec<[String; 3]> = table(&page, &format!("Ports of `{module}`"), 5)[2..]
                .iter()
                .map(|row| [row[0].clone(), row[1].clone(), row[2].clone()])
                .collect();
            assert_eq!(ports, declared(&common::module(dir.path(), name, &module)), "{module}");
        }

        let figures: BTreeMap<String, String> =
            table(&page, "Figures", 2).into_iter().map(|row| (row[0].clone(), row[1].clone())).collect();
        let (design, _) = arguments.split_once(" -w").unwrap();
        let summary = json(&format!("simulate {design}"), 0);
        assert_eq!(figures["cycles of a run"], summary["cycles"].to_string());
        assert_eq!(figures["rounds of a run"], summary["rounds"].to_string());

        // The row is that of `frit compare`, without what names it.
        let size = design.split(' ').next_back().unwrap();
        let (text, _) = run(&format!("compare -n {size} --systems {compared} --format md"), 0);
        let lines = text.lines().filter(|line| line.starts_with('|'));
        let rows: Vec<Vec<&str>> =
            lines.map(|line| line.split('|').map(str::trim).skip(3).take(13).collect()).collect();
        let row = table(&page, "In the table", 13);
        assert_eq!((&row[0], &row[2]), (&owned(&rows[0]), &owned(&rows[2])), "{name}");

        for file in [format!("{name}_timing.svg"), format!("{name}_timing.json")] {
            assert!(page.contains(&format!("({file})")) && dir.path().join(&file).is_file(), "{file}");
        }
    }
}

#[test]
fn the_page_of_a_router_says_what_its_design_has() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().display();
    let arguments = "dilated -n 4 --set bundle=2 --set payload=7 --traffic transpose";
    let written = json(&format!("generate {arguments} -o {folder}"), 0);
    let name = written["design"].as_str().unwrap();
    let read = |file: &str| fs::read_to_string(dir.path().join(file)).unwrap();
    let page = read(&format!("{name}_datasheet.md"));
    let module = format!("{name}_route");
    let ports: Vec<[String; 3]> = table(&page, &format!("Ports of `{module}`"), 5)[2..]
        .iter()
        .map(|row| [row[0].clone(), row[1].clone(), row[2].clone()])
        .collect();
    assert_eq!(ports, declared(&common::module(dir.path(), name, &module)));
    let run: BTreeMap<String, String> = table(&page, "Run of the testbench", 2)
        .into_iter()
        .map(|row| (row[0].clone(), row[1].clone()))
        .collect();
    assert_eq!(run["steps until the last payload bit"], written["steps"].to_string());
    assert_eq!(run["packets that are blocked for ever"], written["blocked"].to_string());
    // The instances of a cell, through both kinds of switches.
    let count = |module: &str, cell: &str| {
        let text = common::module(dir.path(), name, &format!("{name}_{module}"));
        text.matches(&format!("{name}_{cell} u_")).count()
    };
    let cells: BTreeMap<String, String> =
        table(&page, "Made of", 2).into_iter().map(|row| (row[0].clone(), row[1].clone())).collect();
    let queues = count("switch", "bit_queue") * count("fabric", "switch");
    assert_eq!(cells[&format!("{name}_bit_queue")], queues.to_string());
    assert!(page.contains("Generated by `frit generate dilated -n 4 --set bundle=2 "), "{page}");
}

fn owned(row: &[&str]) -> Vec<String> {
    row.iter().map(|cell| cell.to_string()).collect()
}

#[test]
fn the_floor_is_that_of_the_synthesis_report() {
    if !have(&["yosys"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    run(&format!("generate gsen -n 4 -w 3 -o {}", dir.path().display()), 0);
    let page = fs::read_to_string(dir.path().join("gsen_n4_w3_datasheet.md")).unwrap();
    let report = json("synth gsen -n 4 -w 3 --no-pnr --part fabric", 0);
    let fabric = &report["modules"][0];
    let floor = format!("{} LUT4 and {} flip-flops", fabric["floor"]["luts"], fabric["floor"]["ffs"]);
    assert!(page.contains(&floor), "{floor}: {page}");
}

/// The timing diagram of a design: for each signal the text of every cycle from -1 on, without gaps.
fn diagram(path: &Path) -> BTreeMap<String, Vec<String>> {
    let value: serde_json::Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let signals = value["signal"].as_array().unwrap().iter().map(|signal| {
        let mut data = signal["data"].as_array().into_iter().flatten();
        let mut states: Vec<String> = Vec::new();
        for wave in signal["wave"].as_str().unwrap().chars() {
            assert_ne!(wave, '|', "a run with gaps");
            states.push(match wave {
                '.' => states.last().unwrap().clone(),
                '=' => data.next().unwrap().as_str().unwrap().to_string(),
                other => format!("level {other}"),
            });
        }
        (signal["name"].as_str().unwrap().to_string(), states)
    });
    signals.collect()
}

/// The values of the ports of `D_exchange` just before the rising edges of the clock, from the first `start_i` on.
fn observed(path: &Path, design: &str) -> BTreeMap<String, Vec<String>> {
    let mut wave = Wave::open(path).unwrap();
    let prefix = format!("tb_{design}.u_exchange.");
    let all: Vec<usize> = (0..wave.signals().len()).collect();
    let traces = wave.load(&all).unwrap();
    let values = |port: &str| -> Vec<String> {
        let name = format!("{prefix}{port}");
        let signal = wave.signals().iter().find(|signal| signal.full_name() == name).expect(port);
        (0..wave.times().len()).map(|at| traces.value_before(signal, at).to_string()).collect()
    };
    let clock = values("clk_i");
    let edges: Vec<usize> =
        (0..clock.len() - 1).filter(|&at| clock[at] == "0" && clock[at + 1] == "1").collect();
    let start = values("start_i");
    let first = edges.iter().position(|&at| start[at] == "1").unwrap();
    let ports = ["start_i", "ready_o", "busy_o", "send_valid_o", "recv_valid_o", "done_o", "cycles_o"];
    ports
        .map(|port| {
            let values = values(port);
            (port.to_string(), edges[first..].iter().map(|&at| values[at].clone()).collect())
        })
        .into()
}

#[test]
fn the_timing_diagram_is_what_the_design_does() {
    if !have(&["iverilog", "vvp", "make"]) {
        return;
    }
    for (arguments, design) in [
        ("rls -n 4 -w 2", "rls_n4_w2"),
        ("gsen -n 6 -w 8", "gsen_n6_w8"),
        ("obf -n 8 -w 2", "obf_n8_w2"),
        ("rls-folded --set plan=windowed -n 8 -w 2", "rls_folded_n8_w2"),
        ("rls-flattened -n 4 -w 2", "rls_flattened_n4_w2"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        run(&format!("generate {arguments} -o {}", dir.path().display()), 0);
        let (passed, log) = common::make(dir.path(), &["icarus", "PLUSARGS=+wave=run.vcd"]);
        assert!(passed, "{log}");
        let seen = observed(&dir.path().join("run.vcd"), design);
        for (port, states) in diagram(&dir.path().join(format!("{design}_timing.json"))) {
            let Some(values) = seen.get(&port) else {
                assert_eq!(port, "clk_i");
                continue;
            };
            for (at, state) in states.iter().enumerate() {
                // Hexadecimal; nothing unknown is a number.
                let value = values[at].trim_start_matches("0x");
                let number = u64::from_str_radix(value, 16).ok();
                let agrees = match state.as_str() {
                    "level x" => true,
                    // Of every lane.
                    "level 0" => number == Some(0),
                    "level 1" => number == Some(1),
                    cycle if port == "cycles_o" => number == cycle.parse().ok(),
                    _round => number.is_some_and(|lanes| lanes > 0),
                };
                assert!(agrees, "{design}, {port}, cycle {}: {state} in the diagram, {value}", at as i64 - 1);
            }
        }
    }
}
