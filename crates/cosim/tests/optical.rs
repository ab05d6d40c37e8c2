//! The device model of the optical butterfly under whatever simulators are there: `NOT RUN` is printed for those that
//! are not; with FRIT_REQUIRE_TOOLS=1 that is a failure.

use frit_cosim::optical::{Config, DeviceReport, Engine, Kept, State, verify_optical};
use frit_cosim::tools::ToolPath;
use frit_schedule::photonics::Parameters;
use frit_schedule::photonics::device::{DeviceFault, Times};
use frit_schedule::{Request, plan};
use frit_traffic::Payload;
use std::path::Path;

fn verify(folder: &Path, engines: &[Engine], fault: Option<DeviceFault>, tools: &ToolPath) -> DeviceReport {
    let plan = plan(&Request::new("obf", 8)).unwrap();
    let times = Times::new(&Parameters::paper(), Times::PROPAGATION_PS).unwrap();
    verify_optical(&Config {
        plan: &plan,
        times: &times,
        payload: &Payload::random(8, times.packet_bits, 1),
        fault,
        engines,
        folder,
        wave: None,
        tools,
        progress: &|_, _| {},
    })
    .unwrap()
}

#[test]
fn it_passes_and_without_the_gap_it_fails() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("optical");
    let required = std::env::var_os("FRIT_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    for fault in [None, Some(DeviceFault::NoGap)] {
        let report = verify(&folder, &Engine::ALL, fault, &ToolPath::from_environment());
        for engine in &report.engines {
            let State::Ran { kept: Kept { verdict, .. }, .. } = &engine.state else {
                assert!(!required, "FRIT_REQUIRE_TOOLS=1, but {engine:?}");
                eprintln!("NOT RUN: {engine:?}");
                continue;
            };
            assert_eq!(engine.agrees(), Some(fault.is_none()), "{engine:?}");
            if fault.is_none() {
                assert_eq!((verdict.delivered, verdict.touched), (64, 0));
                assert_eq!((verdict.first_light_ps, verdict.last_light_ps), (Some(3858), Some(8958)));
                assert!(report.touch.is_none());
            } else {
                let (error, touch) = (verdict.first_error.clone().unwrap(), report.touch.unwrap());
                assert_eq!((error.ps, error.level, error.row.0), (2560, 1, 0), "{error:?}");
                assert_eq!((touch.first_ps, touch.level, touch.row.0), (2560, 1, 0));
                assert_eq!(error.packet, Some((touch.slot, touch.lane.0)));
            }
        }
    }
}

#[test]
fn nothing_ran_is_not_a_pass() {
    let folder = tempfile::tempdir().unwrap();
    let report = verify(folder.path(), &Engine::ALL, None, &ToolPath::only(Vec::new()));
    assert!(!report.passed());
    assert!(report.engines.iter().all(|engine| matches!(engine.state, State::NotRun { .. })));
}

#[test]
fn engines_that_take_long_are_left_out_and_a_device_that_is_too_large_refused() {
    let folder = tempfile::tempdir().unwrap();
    let times = Times::new(&Parameters::paper(), Times::PROPAGATION_PS).unwrap();
    let tools = ToolPath::only(Vec::new());
    let verify = |terminals: u32, engines: &[Engine]| {
        let plan = plan(&Request::new("obf", terminals.into())).unwrap();
        verify_optical(&Config {
            plan: &plan,
            times: &times,
            payload: &Payload::zero(terminals, times.packet_bits),
            fault: None,
            engines,
            folder: folder.path(),
            wave: None,
            tools: &tools,
            progress: &|_, _| {},
        })
    };
    let why = |report: &DeviceReport, at: usize| match &report.engines[at].state {
        State::NotRun { why } => why.clone(),
        state => panic!("{state:?}"),
    };
    let report = verify(64, &[]).unwrap();
    assert!(why(&report, 0).starts_with("verilator was not found"), "{}", why(&report, 0));
    let left_out = why(&report, 1);
    assert!(
        left_out.starts_with("takes about ") && left_out.ends_with("--engines icarus runs it"),
        "{left_out}"
    );
    // What is asked for by name is run however long it takes.
    assert!(why(&verify(64, &[Engine::Icarus]).unwrap(), 1).starts_with("iverilog was not found"));
    assert_eq!(why(&verify(64, &[Engine::Icarus]).unwrap(), 0), "not asked for");
    let error = verify(256, &[]).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("the device of 256 processors takes more than "), "{text}");
    assert!(text.contains("pass --engines verilator to run it anyway, or use a smaller -n"), "{text}");
}
