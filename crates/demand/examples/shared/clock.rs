//! The clock of examples that measure.

/// Processor time of this thread's process, in seconds (Linux; 0 elsewhere).
pub fn seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()).unwrap_or(0.0)
        / 1e9
}
