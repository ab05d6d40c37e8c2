//! The optical butterfly as a device under the simulators: a complete exchange in picoseconds, when every packet passes
//! every switch, and every mistake found at its time and its switch.
//!
//! Needs Verilator, Icarus Verilog and make on PATH. Without one of them a test says `NOT RUN` and returns; with
//! FRIT_REQUIRE_TOOLS=1 that is a failure.

use frit_network::SwitchState;
use frit_rtl::optical::{Fault, Passage, Times, design_name, first_touch, passages, render};
use frit_schedule::photonics::Parameters;
use frit_schedule::{Payload, Plan, Request, plan};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The simulations, by the name of their target in the Makefile.
const TARGETS: [&str; 3] = ["verilator", "icarus", "events"];

/// A device model in a folder of its own, ready for `make`.
struct Bench {
    folder: PathBuf,
    plan: Plan,
    times: Times,
}

impl Bench {
    fn new(test: &str, terminals: u64, times: Times) -> Self {
        let plan = plan(&Request::new("obf", terminals)).unwrap();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}_{}", design_name(&plan)));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let payload = Payload::random(plan.network.terminals(), times.packet_bits, 1);
        for (file, contents) in render(&plan, &times, &payload).unwrap() {
            fs::write(folder.join(file), contents).unwrap();
        }
        Bench { folder, plan, times }
    }

    /// Runs a target of the Makefile: whether it succeeded and what was printed.
    fn make(&self, target: &str, plusargs: &[String]) -> (bool, String) {
        let mut command = Command::new("make");
        command.current_dir(&self.folder).args(["-s", target]);
        let output = command.arg(format!("PLUSARGS={}", plusargs.join(" "))).output().unwrap();
        let text =
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        (output.status.success(), text)
    }

    /// The exchange is complete, and every packet was where and when the arithmetic has it.
    fn passes(&self, target: &str) {
        let file = format!("{target}.csv");
        let (ok, text) = self.make(target, &[format!("+passages={file}")]);
        let (r, slot) = (u64::from(self.plan.latency()), u64::from(self.times.slot_ps));
        let (lead, lit) = (u64::from(self.times.lead_ps), u64::from(self.times.lit_ps()));
        let pass = format!(
            "PASS {}: delivered={}, light at the processors from {} ps to {} ps\n",
            design_name(&self.plan),
            self.plan.network.terminals().pow(2),
            r * slot + lead,
            (r + u64::from(self.plan.rounds) - 1) * slot + lead + lit,
        );
        assert!(ok && text.contains(&pass) && !text.contains("FAIL"), "{target}: expected {pass}{text}");
        assert_eq!(
            read(&self.folder.join(file)),
            passages(&self.plan, &self.times).unwrap(),
            "{target}: when packets pass"
        );
    }

    /// Runs with a mistake: the testbench must fail, first with this line.
    fn finds(&self, target: &str, fault: Fault, line: &str) {
        let (ok, text) = self.make(target, &fault.plusargs());
        assert!(!ok, "{target} {fault:?}: exit status 0\n{text}");
        let first = text.lines().find(|line| line.starts_with("FAIL: ")).unwrap_or("nothing");
        assert_eq!(first, format!("FAIL: {line}"), "{target} {fault:?}");
    }
}

fn read(path: &Path) -> Vec<Passage> {
    let text = fs::read_to_string(path).unwrap();
    let mut rows: Vec<Passage> = text
        .lines()
        .skip(1)
        .map(|line| {
            let n: Vec<u64> = line.split(',').map(|field| field.parse().unwrap()).collect();
            Passage {
                level: n[0] as u32,
                lane: n[1] as u32,
                slot: n[2] as u32,
                source: n[3] as u32,
                destination: n[4] as u32,
                first_ps: n[5],
                end_ps: n[6],
            }
        })
        .collect();
    rows.sort_unstable();
    rows
}

fn paper() -> Times {
    Times::new(&Parameters::paper(), Times::PROPAGATION_PS).unwrap()
}

/// Whether every tool is there; says so when not.
fn tools() -> bool {
    let found = |tool: &str| {
        std::env::var_os("PATH")
            .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(tool).is_file()))
    };
    let missing: Vec<&str> =
        ["verilator", "iverilog", "vvp", "make"].into_iter().filter(|tool| !found(tool)).collect();
    if missing.is_empty() {
        return true;
    }
    let required = std::env::var_os("FRIT_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    assert!(!required, "FRIT_REQUIRE_TOOLS=1, but missing: {}", missing.join(", "));
    eprintln!("NOT RUN: {} missing", missing.join(", "));
    false
}

#[test]
fn the_papers_exchange_passes() {
    if !tools() {
        return;
    }
    let bench = Bench::new("paper", 8, paper());
    for target in TARGETS {
        bench.passes(target);
    }
}
