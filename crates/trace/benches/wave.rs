//! What writing a waveform costs beside the run that it shows: the reference engine with its snapshots, alone and with
//! a file. RLS, N = 256, W = 32, random words. Compare figures of one run only.
//!
//!     cargo bench -p frit-trace --bench wave
//!
//! Two times are taken, each the least of some repetitions: the time that passes, and (under Unix) the time that all threads
//! of the process spend on a core; a thread finds the changes and writes the file while the engine runs. Beside them stands
//! what the parts cost alone, without that thread: finding the changes, writing changes that were found before, and writing
//! the bytes of the finished file.

use frit_model::{Snapshot, WaveObserver};
use frit_schedule::{Plan, Request, plan};
use frit_trace::model_wave::{ModelWave, WaveSink, declarations};
use frit_trace::wave::WaveWriter;
use frit_trace::wave_file::write_model_wave;
use frit_traffic::Payload;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

const REPETITIONS: usize = 15;

/// Looks at every snapshot, and keeps none.
struct Discard;

impl WaveObserver for Discard {
    fn snapshot(&mut self, snapshot: &Snapshot) {
        black_box(snapshot);
    }
}

impl WaveSink for Discard {
    fn time(&mut self, ticks: u64) {
        black_box(ticks);
    }
    fn change(&mut self, signal: usize, limbs: &[u64]) {
        black_box((signal, limbs));
    }
}

enum Event {
    Time(u64),
    Change(usize, Vec<u64>),
}

/// All that a file would be told.
#[derive(Default)]
struct Collect(Vec<Event>);

impl WaveSink for Collect {
    fn time(&mut self, ticks: u64) {
        self.0.push(Event::Time(ticks));
    }
    fn change(&mut self, signal: usize, limbs: &[u64]) {
        self.0.push(Event::Change(signal, limbs.to_vec()));
    }
}

/// Seconds that passed, and that the process spent on cores.
#[derive(Clone, Copy)]
struct Times {
    passed: f64,
    on_cores: f64,
}

/// Seconds that the process has spent on cores.
#[cfg(unix)]
fn on_cores() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Not known here.
#[cfg(not(unix))]
fn on_cores() -> f64 {
    f64::NAN
}

/// The least times of some runs.
fn least(run: impl FnMut()) -> Times {
    least_after(|| (), run)
}

/// The same, with something done before each that is not measured.
fn least_after(mut before: impl FnMut(), mut run: impl FnMut()) -> Times {
    let mut least = Times { passed: f64::INFINITY, on_cores: f64::INFINITY };
    for _ in 0..REPETITIONS {
        before();
        let (start, spent) = (Instant::now(), on_cores());
        run();
        least.on_cores = least.on_cores.min(on_cores() - spent);
        least.passed = least.passed.min(start.elapsed().as_secs_f64());
    }
    least
}

fn print(what: &str, times: Times, run: Times) {
    let Times { passed, on_cores } = times;
    println!(
        "{what:<36} {passed:8.4} {:8.2}   {on_cores:8.4} {:8.2}",
        passed / run.passed,
        on_cores / run.on_cores
    );
}

fn changes(plan: &Plan, payload: &Payload) -> Vec<Event> {
    let mut wave = ModelWave::new(plan, payload.width_bits(), Collect::default());
    frit_model::waves(plan, payload, &mut wave);
    wave.finish().0
}

fn write_changes(path: &Path, plan: &Plan, payload: &Payload, events: &[Event]) {
    let signals = declarations(plan, payload.width_bits());
    let mut writer = WaveWriter::create(path, "1ns", signals).expect("a file");
    for event in events {
        match event {
            Event::Time(ticks) => writer.time(*ticks),
            Event::Change(signal, limbs) => writer.change(*signal, limbs),
        }
        .expect("a change is written");
    }
    writer.finish().expect("the wave is written");
}

fn main() {
    let plan = plan(&Request::new("rls", 256)).expect("a plan");
    let payload = Payload::random(256, 32, 1);
    let folder = tempfile::tempdir().expect("a folder for the waves");
    let run = least(|| frit_model::waves(&plan, &payload, &mut Discard));
    println!("{:<36} {:>8} {:>8}   {:>8} {:>8}", "", "seconds", "/ run", "on cores", "/ run");
    print("run", run, run);
    let found = least(|| {
        let mut wave = ModelWave::new(&plan, 32, Discard);
        frit_model::waves(&plan, &payload, &mut wave);
        wave.finish();
    });
    print("run, and its changes found", found, run);
    let events = changes(&plan, &payload);
    for name in ["wave.vcd", "wave.fst"] {
        let path = folder.path().join(name);
        // Taking the last file away is no part of writing the next.
        let write = |what: &str, write: &dyn Fn()| {
            print(&format!("{name}: {what}"), least_after(|| drop(std::fs::remove_file(&path)), write), run);
        };
        write("run and file", &|| write_model_wave(&path, &plan, &payload).expect("the wave is written"));
        write("file of known changes", &|| write_changes(&path, &plan, &payload, &events));
        let bytes = std::fs::read(&path).expect("the wave is read");
        let what = format!("its {:.1} MB", bytes.len() as f64 * 1e-6);
        write(&what, &|| std::fs::write(&path, &bytes).expect("the bytes are written"));
    }
}
