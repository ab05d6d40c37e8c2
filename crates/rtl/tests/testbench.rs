//! The rendered testbench under the simulators: it passes a right design and finds every mistake, at its cycle.
//!
//! Needs Verilator, Icarus Verilog and make on PATH. Without one of them a test says `NOT RUN` and returns; with
//! FRIT_REQUIRE_TOOLS=1 that is a failure.

use frit_network::{LaneIdx, RoundIdx};
use frit_rtl::testbench;
use frit_schedule::{Control, Plan, Request, plan};
use frit_traffic::Payload;
use frit_traffic::payload::{Notation, hex, to_csv};
use std::fs;
use std::path::{Path, PathBuf};

mod support;

use support::{some, tools};

const MOCK: &str = include_str!("../testbench/mock_exchange.sv");

/// A design with the mock as its RTL, in a folder of its own, ready for `make`.
struct Bench {
    folder: PathBuf,
    name: String,
    plan: Plan,
}

/// The two simulators, by the name of their target in the Makefile.
const SIMULATORS: [&str; 2] = ["verilator", "icarus"];

impl Bench {
    fn new(test: &str, request: &Request, width_bits: u32) -> Self {
        let plan = plan(request).unwrap();
        let name = plan.design_name(width_bits);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}_{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let payload = Payload::random(plan.network.terminals(), width_bits, 1);
        let exchange = format!("{name}_exchange.sv");
        let files = testbench::render(&plan, width_bits, &payload, std::slice::from_ref(&exchange)).unwrap();
        for (file, contents) in files {
            fs::write(folder.join(file), contents).unwrap();
        }
        fs::write(folder.join(exchange), mock(&plan, width_bits)).unwrap();
        Bench { folder, name, plan }
    }

    /// Builds once per simulator, runs the testbench without trials, which the mock has no hardware for, with plusargs:
    /// whether it passed, and what it printed.
    fn run(&self, simulator: &str, plusargs: &str) -> (bool, String) {
        support::make(&self.folder, &["-s", simulator, &format!("PLUSARGS=+compared {plusargs}")])
    }

    fn passes(&self, simulator: &str, plusargs: &str) {
        let (ok, text) = self.run(simulator, plusargs);
        let terminals = self.plan.network.terminals() as u64;
        let messages = terminals * self.plan.rounds as u64;
        let pass = format!(
            "PASS {}: cycles={} delivered={} duplicates={}\n",
            self.name,
            self.plan.cycles(),
            terminals * terminals,
            messages - terminals * terminals
        );
        let clean = !text.contains("FAIL") && !text.contains("arning");
        assert!(ok && text.contains(&pass) && clean, "{simulator} {plusargs}: {text}");
    }

    /// Runs with a mistake: the testbench must fail, first at this cycle, with this text.
    fn finds(&self, simulator: &str, mistake: &str, cycle: u64, what: &str) {
        let (ok, text) = self.run(simulator, &format!("+break={mistake}"));
        assert!(!ok, "{} {simulator} {mistake}: exit status 0\n{text}", self.name);
        let first = format!("first_error_cycle={cycle}\n");
        let verdict = format!("FAIL {}: ", self.name);
        let found = text.contains(&first) && text.contains(&verdict) && text.contains(what);
        assert!(found, "{} {simulator} {mistake}: expected cycle {cycle}, {what:?}\n{text}", self.name);
    }
}

fn mock(plan: &Plan, width_bits: u32) -> String {
    let network = &plan.network;
    let (stages, odd) = match &plan.control {
        Control::Labels(_) | Control::Table(_) => (false, false),
        Control::Stages(_) => (true, plan.options["algorithm"] == "ata2"),
        Control::Systolic(_) => (true, false),
    };
    let timeline = frit_schedule::Timeline::new(plan, width_bits);
    let (mut ports, mut wires, mut connections) = (String::new(), String::new(), String::new());
    for (port, switch) in [("stage_i", 0), ("stage_odd_i", 1)].iter().take(stages as usize + odd as usize) {
        ports += &format!("    input  logic [S-1:0]   {port},\n");
        wires += &format!(
            "  logic [S-1:0] {port};\n  for (genvar s = 0; s < S; s++) begin : gen_{port}\n    assign {port}[s] = state[s*H+{switch}];\n  end\n"
        );
        connections += &format!("      .{port} ({port}),\n");
    }
    if !stages {
        ports += "    input  logic [S*H-1:0] state_i,\n";
        connections += "      .state_i (state),\n";
    }
    // What trials force; the testbench names it even if it makes none.
    let labels = match plan.self_routing() {
        true => format!(
            "{0}_labels #(L, {1}) u_labels (send_valid_o, {{(L*{1}){{1'b0}}}});",
            plan.design_name(width_bits),
            plan.hops()
        ),
        false => String::new(),
    };
    MOCK.replace("@D@", &plan.design_name(width_bits))
        .replace("@N@", &network.terminals().to_string())
        .replace("@W@", &width_bits.to_string())
        .replace("@A@", &plan.address_bits().to_string())
        .replace("@S@", &network.stages().to_string())
        .replace("@H@", &network.switches_per_stage().to_string())
        .replace("@LATE@", if plan.joins_late(1) { ">=" } else { "==" })
        .replace("@R@", &plan.rounds.to_string())
        .replace("@MESSAGE_RUN@", &timeline.prepare_runs.to_string())
        .replace("@LABELS@", &labels)
        .replace("@CONTROL_PORTS@\n", &ports)
        .replace("@CONTROL_WIRES@\n", &wires)
        .replace("@CONTROL_CONNECTIONS@\n", &connections)
}

fn gsen(terminals: u64, algorithm: &str) -> Request {
    Request::new("gsen", terminals).with("algorithm", algorithm)
}

#[test]
fn a_right_design_passes_and_every_mistake_is_found_at_its_cycle() {
    if !tools() {
        return;
    }
    let designs = [
        (Request::new("rls", 4), 8),
        (gsen(6, "ata2"), 8),
        (gsen(6, "stage-control"), 1),
        (Request::new("rls", 8), 8),
        (gsen(6, "stage-control"), 8),
        (gsen(6, "latin"), 8),
    ];
    for &(ref request, width) in some(&designs, 2) {
        let bench = Bench::new("mistakes", request, width);
        let latency = u64::from(bench.plan.latency());
        let (last, rounds) = (bench.plan.cycles(), u64::from(bench.plan.rounds));
        for simulator in SIMULATORS {
            bench.passes(simulator, "");
            let finds = |mistake, cycle, what| bench.finds(simulator, mistake, cycle, what);
            finds("dropped", latency + 2, "output 1, round 2: missing delivery from source");
            finds("extra", latency - 1, "output 0: extra delivery of");
            finds("word", latency + 1, "output 2, round 1: ");
            finds("source", last, "output 2, round ");
            finds("late", latency, "missing delivery from source");
            finds("ready", 2, "ready_o is 1, expected 0");
            finds("done-late", last, "done_o is 0, expected 1");
            finds("never-done", last, "done_o is 0, expected 1");
            finds("done-twice", last - 1, "done_o is 1, expected 0");
            finds("busy-short", last, "busy_o is 0, expected 1");
            finds("count", 5, "cycles_o is 6, expected 5");
            finds("conflict", 3, "conflict_o is 1, expected 0");
            finds("not-sent", 1, "lane 2: send_valid_o is 0, expected 1");
            finds("sent-again", rounds, "lane 1: send_valid_o is 1, expected 0");
            finds("wrong-destination", 2, "by the schedule");
            finds("state", 3, "stage 1, switch 0, round 2: state is");
            if width > 1 {
                finds("swapped", latency, "output 0, round 0: "); // at W = 1 the words may be equal
            }
            if simulator == "icarus" {
                // Verilator knows no X: there the bit reads 0.
                finds("unknown", latency + 2, "output 1, round 2: recv_valid_o is x, expected 1");
                finds("unknown-idle", latency - 1, "output 1: recv_valid_o is x, expected 0");
            } else {
                finds("unknown", latency + 2, "output 1, round 2: missing delivery");
            }
            if bench.plan.phases.count() == 2 {
                finds("label", latency + 1, "by the labels that arrived");
                finds("label", latency + 1, "this lane's label did not arrive");
                finds("wrong-destination-later", 2, "by the labels that arrived");
            }
        }
    }
}

#[test]
fn a_missing_or_short_table_is_a_failure() {
    if !tools() {
        return;
    }
    let bench = Bench::new("tables", &Request::new("rls", 4), 8);
    for table in ["payload", "schedule", "settings"] {
        let path = bench.folder.join(format!("{}_{table}.memh", bench.name));
        let text = fs::read_to_string(&path).unwrap();
        let (all_but_last, _) = text.trim_end().rsplit_once('\n').unwrap();
        for simulator in SIMULATORS {
            for (contents, what) in [(Some(all_but_last), " is too short"), (None, "cannot read ")] {
                match contents {
                    Some(contents) => fs::write(&path, contents).unwrap(),
                    None => fs::remove_file(&path).unwrap(),
                }
                let (ok, output) = bench.run(simulator, "");
                let found = output.contains(&format!("FAIL {}: ", bench.name)) && output.contains(what);
                assert!(!ok && found, "{simulator} {table}{what}: {output}");
            }
        }
        fs::write(&path, text).unwrap();
    }
}

/// What `+settings` writes, from what `+states` writes.
fn a_switch_a_line(states: &str) -> String {
    let mut settings = String::from("cycle,stage,switch,state\n");
    for line in states.lines().skip(1) {
        let (place, digits) = line.rsplit_once(',').unwrap();
        for (switch, state) in digits.chars().rev().enumerate() {
            settings += &format!("{place},{switch},{state}\n");
        }
    }
    settings
}

#[test]
fn both_simulators_write_the_same_files() {
    if !tools() {
        return;
    }
    for request in some(&[Request::new("rls", 8), gsen(6, "stage-control"), gsen(6, "ata2")], 1) {
        let bench = Bench::new("traces", request, 12);
        let written = |simulator: &str| {
            let files = ["settings", "states", "deliveries", "received"];
            let arguments = files.map(|what| format!("+{what}={}", bench.folder.join(what).display()));
            bench.passes(simulator, &arguments.join(" "));
            files.map(|what| fs::read_to_string(bench.folder.join(what)).unwrap())
        };
        let [settings, states, deliveries, received] = written("verilator");
        assert_eq!([&settings, &states, &deliveries, &received].map(String::from), written("icarus"));
        assert_eq!(settings, a_switch_a_line(&states));
        let (plan, network) = (&bench.plan, &bench.plan.network);
        let payload = Payload::random(network.terminals(), 12, 1);
        assert_eq!(received, to_csv(&payload.transposed(), Notation::Hex));
        assert_eq!(settings.lines().count() as u64, 1 + network.switches() * u64::from(plan.rounds));
        assert_eq!(settings.lines().nth(1), Some("0,0,0,0"));
        let mut seen = plan.due();
        let mut expected = String::from("cycle,output,source,round,first,payload\n");
        for round in 0..plan.rounds {
            let source = |output| {
                (0..network.terminals()).find(|&s| plan.destination(RoundIdx(round), LaneIdx(s)) == output)
            };
            for output in 0..network.terminals() {
                let source = source(LaneIdx(output)).unwrap();
                let first = u32::from(seen.insert(source, output));
                let word = hex(payload.word(source, output), 12);
                let cycle = round + plan.latency();
                expected += &format!("{cycle},{output},{source},{round},{first},{word}\n");
            }
        }
        assert_eq!(deliveries, expected);
    }
}
