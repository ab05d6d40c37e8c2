//! The time of a benchmark.

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

/// The least time of `repetitions` runs, in seconds.
pub fn least(repetitions: usize, mut run: impl FnMut()) -> f64 {
    let times = (0..repetitions).map(|_| {
        let start = now();
        run();
        now() - start
    });
    times.fold(f64::INFINITY, f64::min)
}

/// The least time of some rounds of `repeats` runs, in seconds for a run, and what each of them came to.
#[allow(dead_code)] // a benchmark takes this or `least`
pub fn of_same<T: PartialEq + std::fmt::Debug>(
    (repeats, repetitions): (u64, usize),
    run: impl Fn() -> T,
) -> (f64, T) {
    let outcome = run();
    let time = least(repetitions, || (0..repeats).for_each(|_| assert_eq!(run(), outcome)));
    (time / repeats as f64, outcome)
}
