//! What a signal that ends the program must not leave behind: unfinished files, temporary folders, and the programs that
//! were started with what they have started themselves.
//!
//! Everything that is to go is written down here while it is there. [`clean_up_on_signals`] waits for SIGINT, SIGTERM and
//! SIGHUP in a thread of its own, ends and removes what is written down, and lets the signal do what it does by default, so
//! that a shell sees that it was a signal.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is there now.
static OPEN: Mutex<Open> = Mutex::new(Open { paths: BTreeSet::new(), groups: BTreeSet::new() });

struct Open {
    paths: BTreeSet<PathBuf>,
    /// Process groups, by their numbers.
    groups: BTreeSet<u32>,
}

fn open() -> MutexGuard<'static, Open> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file or folder that a signal removes, until this is dropped.
#[derive(Debug)]
pub(crate) struct Unfinished(PathBuf);

/// Makes a file or folder and writes it down, with no signal between.
pub(crate) fn while_making<T>(
    make: impl FnOnce() -> std::io::Result<T>,
    path: impl FnOnce(&T) -> PathBuf,
) -> std::io::Result<(T, Unfinished)> {
    let mut there = open();
    let made = make()?;
    // As seen from the root: the program may change its folder.
    let path = path(&made);
    let path = std::path::absolute(&path).unwrap_or(path);
    there.paths.insert(path.clone());
    Ok((made, Unfinished(path)))
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        open().paths.remove(&self.0);
    }
}

/// Runs a program to its end and keeps what it says. It leads a process group of its own: a signal that ends this program
/// ends that one too, and what it has started.
///
/// # Errors
/// If it does not start.
pub fn output(command: &mut Command) -> std::io::Result<Output> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    // Held while the program starts, so that none starts behind the back of a signal.
    let mut there = open();
    let child = command.spawn()?;
    let group = child.id();
    there.groups.insert(group);
    drop(there);
    let output = child.wait_with_output();
    open().groups.remove(&group);
    output
}

/// Begins to wait for the signals that end a program. One that is ignored from the start, as with `nohup`, stays ignored.
///
/// # Errors
/// If the system does not let us.
#[cfg(unix)]
pub fn clean_up_on_signals() -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let heeded = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    let mut signals = signal_hook::iterator::Signals::new(heeded)?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            // Never let go: nobody begins anything any more.
            let there = open();
            there.clean_up();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
            std::process::abort();
        }
    })?;
    Ok(())
}

/// Begins to wait for the signals that end a program: there are none here.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub fn clean_up_on_signals() -> std::io::Result<()> {
    Ok(())
}

/// Whether a signal is ignored, as far as the system tells (Linux does, in hexadecimal, signal 1 lowest).
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

/// Removes a file or folder. A program that was just killed may still write into it, so this tries again for a moment.
#[cfg(unix)]
fn remove(path: &std::path::Path) {
    for _ in 0..50 {
        let removed = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
        if removed.is_ok() || !path.exists() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

#[cfg(unix)]
impl Open {
    fn clean_up(&self) {
        for group in &self.groups {
            let group = i32::try_from(*group).ok().and_then(rustix::process::Pid::from_raw);
            // One that has just ended is no error.
            let _ =
                group.map(|group| rustix::process::kill_process_group(group, rustix::process::Signal::KILL));
        }
        self.paths.iter().for_each(|path| remove(path));
    }
}
