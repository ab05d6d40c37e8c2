//! The optical butterfly as a device under the simulators: a complete exchange in picoseconds, when every packet passes
//! every switch, and every mistake found at its time and its switch.
//!
//! Needs Verilator, Icarus Verilog and make on PATH. Without one of them a test says `NOT RUN` and returns; with
//! FRIT_REQUIRE_TOOLS=1 that is a failure.

use frit_model::device::{first_touch, passages};
use frit_network::{LaneIdx, RowIdx, SwitchState};
use frit_rtl::optical::{design_name, plusargs, render};
use frit_schedule::photonics::Parameters;
use frit_schedule::photonics::device::{DeviceFault, Passage, Times};
use frit_schedule::{Plan, Request, plan};
use frit_traffic::Payload;
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
    fn finds(&self, target: &str, fault: DeviceFault, line: &str) {
        let (ok, text) = self.make(target, &plusargs(&fault));
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
                lane: LaneIdx(n[1] as u32),
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

/// A device passes with light and controls that are drawn.
fn passes_drawn(bench: &Bench) {
    let (ok, text) = bench.make("drawn", &[]);
    let pass = format!("PASS {}_drawn: ", design_name(&bench.plan));
    assert!(ok && text.contains(&pass) && !text.contains("FAIL"), "{text}");
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

#[test]
#[ignore = "long: make test-all"]
fn other_times_and_sizes_pass() {
    if !tools() {
        return;
    }
    // No guard but for what the bits leave over, no way through the switch; one of a tick; and a fibre of a tick.
    let tight = Parameters { guard_ps: 0.0, switching_ps: 20.0, ..Parameters::paper() };
    let short = Parameters { packet_bits: 6, switching_ps: 1.0, guard_ps: 1.0, ..Parameters::paper() };
    for (test, terminals, parameters, propagation_ps) in [
        ("tight", 4, tight, 0),
        ("short", 16, short, 1),
        ("shortest", 8, Parameters { packet_bits: 2, ..short }, 19),
    ] {
        let bench = Bench::new(test, terminals, Times::new(&parameters, propagation_ps).unwrap());
        for target in TARGETS {
            bench.passes(target);
        }
        passes_drawn(&bench);
    }
}

#[test]
fn the_smallest_network_passes() {
    if tools() {
        let bench = Bench::new("small", 4, paper());
        TARGETS.iter().for_each(|target| bench.passes(target));
        passes_drawn(&bench);
    }
}

/// Changes that no exchange shows, because its packets meet no window.
#[test]
fn drawn_light_finds_what_an_exchange_does_not() {
    if !tools() {
        return;
    }
    let changes = [
        ("hit_tag_o = up_i[0] ?", "hit_tag_o = !down_i[0] ?"),
        ("left_q <= REST[COUNT_BITS-1:0];", "left_q <= REST[COUNT_BITS-1:0] - 1'b1;"),
    ];
    for (at, (old, new)) in changes.into_iter().enumerate() {
        let bench = Bench::new(&format!("drawn_{at}"), 4, paper());
        let switch = bench.folder.join("frit_linbo3_switch.v");
        let text = fs::read_to_string(&switch).unwrap();
        assert!(text.contains(old), "{old}");
        fs::write(&switch, text.replace(old, new)).unwrap();
        bench.passes("verilator");
        let (ok, text) = bench.make("drawn", &[]);
        assert!(!ok && text.contains("\nFAIL optical_obf_n4_drawn: "), "{new}: {text}");
    }
}

#[test]
fn without_the_gap_the_first_packet_in_a_switch_is_found() {
    if !tools() {
        return;
    }
    let bench = Bench::new("gap", 8, paper());
    // The control bit is 0011: the first change is at slot 2, when slot 1 begins at level 1.
    let at = |ps: u64, destination: u32, slot: u32| {
        format!(
            "{ps} ps, switch (level 1, row 0): packet (source 0, destination {destination}, slot {slot}) is in the \
             switch while it is switching"
        )
    };
    for target in TARGETS {
        bench.finds(target, DeviceFault::NoGap, &at(2560, 2, 1));
    }
    // A packet is in the switch from 2578 ps to 3838 ps, the one before it up to 2558 ps; the window has 15 ps.
    for (ps, first) in [(30, at(2590, 2, 1)), (4, at(2578, 2, 1)), (-3, at(2557, 1, 0))] {
        bench.finds("icarus", DeviceFault::Skew { ps }, &first);
    }
    for (ps, expected) in [(-3, true), (-2, false), (0, false), (3, false), (4, true)] {
        let touch = first_touch(&bench.plan, &bench.times, Some(DeviceFault::Skew { ps })).unwrap();
        assert_eq!(touch.is_some(), expected, "{ps} ps: {touch:?}");
        let (ok, text) = bench.make("verilator", &plusargs(&DeviceFault::Skew { ps }));
        assert_eq!(ok, !expected, "{ps} ps: {text}");
        if let Some(touch) = touch {
            let first = format!(
                "first_error_ps={} first_error_level={} first_error_row={} first_error_slot={} first_error_lane={}\n",
                touch.first_ps, touch.level, touch.row, touch.slot, touch.lane
            );
            assert!(text.contains(&first), "{touch:?}: {text}");
        }
    }
}

#[test]
#[ignore = "long: make test-all"]
fn wrong_control_is_found_at_its_switch() {
    if !tools() {
        return;
    }
    let bench = Bench::new("control", 8, paper());
    let stuck = |level, row, state| DeviceFault::Stuck { level, row, state };
    // Light comes out of a switch 18 ps after the start of a slot and 70 ps after it went in.
    for target in TARGETS {
        bench.finds(
            target,
            DeviceFault::LateStep,
            "2648 ps, switch (level 1, row 0): up: packet (source 0, destination 2, slot 1), expected packet (source 4, \
             destination 1, slot 1)",
        );
        bench.finds(
            target,
            stuck(2, RowIdx(5), SwitchState::Straight),
            "2648 ps, switch (level 2, row 5): up: packet (source 5, destination 4, slot 0), expected packet (source 3, \
             destination 5, slot 0)",
        );
        bench.finds(
            target,
            stuck(1, RowIdx(3), SwitchState::Cross),
            "1368 ps, switch (level 1, row 3): up: packet (source 7, destination 1, slot 0), expected packet (source 3, \
             destination 2, slot 0)",
        );
    }
}

#[test]
#[ignore = "long: make test-all"]
fn fibres_that_are_not_shortened_are_found() {
    if !tools() {
        return;
    }
    let times = paper();
    let bench = Bench::new("fibre", 8, Times { fibre_ps: times.first_fibre_ps, ..times });
    for target in TARGETS {
        let (ok, text) = bench.make(target, &[]);
        let first = text.lines().find(|line| line.starts_with("FAIL: ")).unwrap_or("nothing");
        // Each switch on the way makes the packets 70 ps late; the second is the first to show it.
        let expected = "FAIL: 2648 ps, switch (level 2, row 0): up: no light of packet (source 6, destination 0, slot 0)";
        assert!(!ok && first == expected, "{target}: {text}");
    }
    // The control of step 4 comes while the packets of slot 1 are at level 2.
    let touch = first_touch(&bench.plan, &bench.times, None).unwrap().unwrap();
    assert_eq!((touch.first_ps, touch.level, touch.slot), (5120, 2, 1));
}

/// The switch alone in a folder of its own, its text changed: whether it is right, and what was printed.
fn switch_alone(test: &str, target: &str, change: impl Fn(String) -> String) -> (bool, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("switch_{test}_{target}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let plan = plan(&Request::new("obf", 4)).unwrap();
    let files = render(&plan, &paper(), &Payload::zero(4, paper().packet_bits)).unwrap();
    for (file, text) in files.into_iter().filter(|(file, _)| file.starts_with("frit_")) {
        fs::write(folder.join(file), change(text)).unwrap();
    }
    fs::write(folder.join("switch_alone.sv"), include_str!("../../../testbench/optical/switch_alone.sv"))
        .unwrap();
    let run = |program: &Path, arguments: &str| {
        let mut command = Command::new(program);
        let output = command.current_dir(&folder).args(arguments.split(' ')).output().unwrap();
        let text =
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        (output.status.success(), text)
    };
    let (build, program, arguments) = match target {
        "verilator" => (
            run(
                "verilator".as_ref(),
                "--binary --timing -CFLAGS -O0 -j 2 --top-module switch_alone frit_fibre.v frit_linbo3_switch.v \
                 switch_alone.sv",
            ),
            folder.join("obj_dir/Vswitch_alone"),
            "+none",
        ),
        "icarus" => (
            run(
                "iverilog".as_ref(),
                "-g2012 -o tb.vvp -s switch_alone frit_fibre.v frit_linbo3_switch.v switch_alone.sv",
            ),
            "vvp".into(),
            "-n tb.vvp",
        ),
        _ => (
            run(
                "iverilog".as_ref(),
                "-g2012 -DFRIT_LINBO3_EVENTS -o tb.vvp -s switch_alone frit_linbo3_switch_events.v switch_alone.sv",
            ),
            "vvp".into(),
            "-n tb.vvp",
        ),
    };
    assert!(build.0, "{test} {target}: {}", build.1);
    run(&program, arguments)
}

#[test]
#[ignore = "long: make test-all"]
fn a_window_is_counted_from_the_last_change() {
    if !tools() {
        return;
    }
    for target in TARGETS {
        let (ok, text) = switch_alone("right", target, |text| text);
        assert!(ok && text.contains("PASS: "), "{target}: {text}");
        // Not restarted by a change within the window.
        let (ok, text) = switch_alone("first_change", target, |text| {
            text.replace("if (changed) left_q", "if (changed && left_q == 0) left_q")
                .replace("$time >= changed + SWITCHING_PS", "busy")
        });
        assert!(!ok && text.contains("FAIL: "), "{target}: {text}");
        // A tick too short.
        let (ok, text) = switch_alone("short", target, |text| {
            text.replace("REST = SWITCHING_PS - 1", "REST = SWITCHING_PS - 2")
                .replace("over <= #(SWITCHING_PS)", "over <= #(SWITCHING_PS - 1)")
                .replace("changed + SWITCHING_PS", "changed + SWITCHING_PS - 1")
        });
        assert!(!ok && text.contains("FAIL: "), "{target}: {text}");
    }
}

/// The lanes of the senders that the testbench expects, word by word, and where a packet of the reference is among them.
fn table(plan: &Plan) -> (Vec<u32>, impl Fn(&Passage) -> usize) {
    let payload = Payload::zero(plan.network.terminals(), paper().packet_bits);
    let files = render(plan, &paper(), &payload).unwrap();
    let (_, text) = files.into_iter().find(|(name, _)| name.ends_with("_routes.memh")).unwrap();
    let words = text.lines().filter(|line| !line.starts_with("//"));
    let (levels, lanes) = (plan.latency(), plan.network.lanes());
    let at = move |p: &Passage| ((p.slot * levels + p.level - 1) * lanes + p.lane.0) as usize;
    (words.map(|word| u32::from_str_radix(word, 16).unwrap()).collect(), at)
}

/// Two ways to the same: the testbench's from the states of rounds and stages, the model's from times.
#[test]
fn the_testbench_expects_what_the_model_computes() {
    for r in 2..=6 {
        let plan = plan(&Request::new("obf", 1 << r)).unwrap();
        let (words, at) = table(&plan);
        let passages = passages(&plan, &paper()).unwrap();
        assert_eq!(passages.len(), words.len());
        for passage in &passages {
            assert_eq!(words[at(passage)] / 2, passage.source, "{passage:?}");
        }
    }
}

#[test]
fn a_model_that_switches_a_slot_late_disagrees_with_the_testbench() {
    let plan = plan(&Request::new("obf", 8)).unwrap();
    let (words, at) = table(&plan);
    // Light that needs a slot more to level 1 meets the next state of the control.
    let late = Times { first_fibre_ps: 2 * paper().first_fibre_ps, ..paper() };
    let passages = passages(&plan, &late).unwrap();
    assert!(passages.iter().any(|passage| words[at(passage)] / 2 != passage.source));
}
