//! What writing a waveform costs beside the run that it shows: the reference engine with its snapshots, alone and with
//! a file. RLS, N = 256, W = 32, random words. Compare figures of one run only.
//!
//!     cargo bench -p frit-cosim --bench wave
//!
//! Under Unix times are those that the process spent on a core; the least of some repetitions is taken.

use frit_cosim::wave_file::write_model_wave;
use frit_model::{Snapshot, WaveObserver};
use frit_schedule::{Payload, Request, plan};
use std::hint::black_box;

const REPETITIONS: usize = 7;

/// Looks at every snapshot, and keeps none.
struct Discard;

impl WaveObserver for Discard {
    fn snapshot(&mut self, snapshot: &Snapshot) {
        black_box(snapshot);
    }
}

/// Seconds that the process has spent on cores.
#[cfg(unix)]
fn now() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Seconds since some time.
#[cfg(not(unix))]
fn now() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64()
}

/// The least time of some runs, in seconds.
fn least(mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let start = now();
        run();
        now() - start
    };
    (0..REPETITIONS).map(time).fold(f64::INFINITY, f64::min)
}

fn main() {
    let plan = plan(&Request::new("rls", 256)).expect("a plan");
    let payload = Payload::random(256, 32, 1);
    let folder = tempfile::tempdir().expect("a folder for the waves");
    let run = least(|| frit_model::waves(&plan, &payload, &mut Discard));
    println!("{:>12}  {:8.4} s", "run", run);
    for name in ["wave.vcd", "wave.fst"] {
        let path = folder.path().join(name);
        let both = least(|| write_model_wave(&path, &plan, &payload).expect("the wave is written"));
        println!("{:>12}  {:8.4} s  (run + wave) / run = {:.2}", name, both, both / run);
    }
}
