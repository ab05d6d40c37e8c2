//! What a command will need is estimated before it is allocated: where it is more than there is, the command ends with both
//! figures and exit code 2. An allocation that fails would end the program without a word on what to do.
//!
//! [`need`] is the one place that refuses; what takes how much is [`estimate`]'s. Every estimate is made just before what it is of,
//! and compared with what is left then. Memory below [`SMALL`] is not asked for.

pub use frit_design::estimate;

use anyhow::{Result, bail};
use std::sync::OnceLock;
use sysinfo::{MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, System, get_current_pid};

/// What `--memory` or this variable says: the most that the process may take in all.
pub const VARIABLE: &str = "FRIT_MEMORY";

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

/// What is less is taken without a question.
const SMALL: u64 = 24 * MIB;

/// Address space that a thread reserves (an arena of the allocator, and its stack) whether it uses it or not. It counts against
/// `ulimit -v` only.
const THREAD: u64 = 66 * MIB;

/// What the user allows, if he says so.
static ALLOWED: OnceLock<u64> = OnceLock::new();

/// Takes what the option says, or the variable. Both are in the form of [`parse`].
pub fn allow(option: Option<u64>) -> Result<()> {
    let variable = || match std::env::var(VARIABLE) {
        Ok(text) => match parse(&text) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) => bail!("{VARIABLE}: {error}"),
        },
        Err(_) => Ok(None),
    };
    if let Some(bytes) = option.map_or_else(variable, |bytes| Ok(Some(bytes)))? {
        ALLOWED.get_or_init(|| bytes);
    }
    Ok(())
}

/// A size: a number of bytes, or of KiB, MiB, GiB or TiB with K, M, G or T behind it.
pub fn parse(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let factor = match text[digits.len()..].trim_start().to_ascii_uppercase().as_str() {
        "" | "B" => Some(1),
        "K" | "KIB" => Some(1 << 10),
        "M" | "MIB" => Some(MIB),
        "G" | "GIB" => Some(GIB),
        "T" | "TIB" => Some(GIB << 10),
        _ => None,
    };
    let bytes =
        digits.parse::<u64>().ok().zip(factor).and_then(|(number, factor)| number.checked_mul(factor));
    bytes.ok_or_else(|| {
        format!(
            "{text:?} is not a size; give a number of bytes, or a number with K, M, G or T, for example 4G"
        )
    })
}

/// Refuses what is not there: `what` will take so many bytes; `help` is what can be done beside more memory.
pub fn need(what: &str, bytes: u64, help: &str) -> Result<()> {
    if bytes < SMALL {
        return Ok(());
    }
    let Some(room) = room() else { return Ok(()) };
    if bytes > room.bytes {
        bail!(
            "{what} needs about {}, but only {} is available ({}); {help}, or pass --memory SIZE if more is available",
            shown(bytes),
            shown(room.bytes),
            room.limit
        );
    }
    Ok(())
}

/// The same for several runs in parallel, of so many bytes each: as many as there are cores.
pub fn need_each(what: &str, runs: usize, bytes: u64, help: &str) -> Result<()> {
    let at_once = runs.min(rayon::current_num_threads()) as u64;
    let what = if at_once > 1 { format!("{what}, {at_once} runs at a time") } else { what.into() };
    need(&what, at_once * bytes, help)
}

/// What may be taken from here on, [`SMALL`] at least; any number if nobody knows.
pub fn left() -> u64 {
    room().map_or(u64::MAX, |room| room.bytes).max(SMALL)
}

/// Bytes for people.
pub fn shown(bytes: u64) -> String {
    match bytes {
        0..GIB => format!("{} MiB", bytes.div_ceil(MIB)),
        _ => format!("{:.1} GiB", bytes as f64 / GIB as f64),
    }
}

/// What may be taken, and what says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Room {
    bytes: u64,
    limit: &'static str,
}

/// What the process has taken.
#[derive(Clone, Copy, Debug)]
struct Taken {
    resident: u64,
    reserved: u64,
}

impl Taken {
    /// What is left of a limit on addresses: those that threads reserve and do not use are gone, too, but half of the limit at
    /// most, since the allocator goes without arenas where there is no place.
    fn left_of_addresses(self, limit: u64, threads: u64) -> u64 {
        let unused = (THREAD * (threads + 1)).min(limit / 2).max(self.reserved.saturating_sub(self.resident));
        limit.saturating_sub(self.resident + unused)
    }
}

/// The limits of the process, with the commands of the shell that set them.
#[cfg(unix)]
fn limits_on_addresses() -> Vec<(Option<u64>, &'static str)> {
    use rustix::process::{Resource, getrlimit};
    let named = [(Resource::As, "ulimit -v"), (Resource::Data, "ulimit -d")];
    named.into_iter().map(|(resource, name)| (getrlimit(resource).current, name)).collect()
}

#[cfg(not(unix))]
fn limits_on_addresses() -> Vec<(Option<u64>, &'static str)> {
    Vec::new()
}

/// The smallest of all limits.
fn room() -> Option<Room> {
    let mut system = System::new().ok()?;
    let own = get_current_pid().ok()?;
    system.refresh_processes_specifics(
        ProcessesToUpdate::Some(&[own]),
        false,
        ProcessRefreshKind::nothing().with_memory(),
    );
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    let process = system.process(own)?;
    let taken = Taken { resident: process.memory(), reserved: process.virtual_memory() };
    if let Some(&allowed) = ALLOWED.get() {
        return Some(Room {
            bytes: allowed.saturating_sub(taken.resident),
            limit: "--memory or FRIT_MEMORY",
        });
    }
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    // What a cgroup holds of files goes when memory is asked for.
    let of_cgroup = process.cgroup_limits().map(|of| of.total_memory.saturating_sub(of.rss));
    let limits = [(Some(system.available_memory()), "free memory"), (of_cgroup, "limit of the cgroup")];
    let addresses = limits_on_addresses()
        .into_iter()
        .map(|(limit, name)| (limit.map(|limit| taken.left_of_addresses(limit, threads)), name));
    let limits =
        limits.into_iter().chain(addresses).filter_map(|(bytes, limit)| Some(Room { bytes: bytes?, limit }));
    limits.min_by_key(|room| room.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_a_unit_or_none() {
        let sizes = ["17", "17B", "3k", "2M", "2 MiB", "4G", "1TiB"].map(|text| parse(text).unwrap());
        assert_eq!(sizes, [17, 17, 3 << 10, 2 << 20, 2 << 20, 4 << 30, 1 << 40]);
        for text in ["", "G", "-1", "1.5G", "1X", "99999999999999999999", "20000000T", "1é"] {
            assert!(parse(text).unwrap_err().contains("for example 4G"), "{text}");
        }
    }

    #[test]
    fn what_is_more_than_there_is_is_refused_with_both_figures() {
        let error = need("x", 1 << 60, "take less").unwrap_err().to_string();
        assert!(error.starts_with("x needs about 1073741824.0 GiB, but only "), "{error}");
        assert!(
            error.contains(" is available (") && error.contains("); take less, or pass --memory"),
            "{error}"
        );
        assert!(need("x", SMALL - 1, "").is_ok());
        assert!(left() < 1 << 60);
    }

    #[test]
    fn addresses_of_threads_count() {
        let taken = Taken { resident: 10 * MIB, reserved: 15 * MIB };
        assert_eq!(taken.left_of_addresses(585 * MIB, 2), (585 - 10 - 3 * 66) * MIB);
        // Many threads on a small limit.
        assert_eq!(taken.left_of_addresses(600 * MIB, 64), (600 - 10 - 300) * MIB);
        // Those that run have reserved more than was thought.
        let taken = Taken { reserved: 410 * MIB, ..taken };
        assert_eq!(taken.left_of_addresses(1000 * MIB, 2), (1000 - 410) * MIB);
    }

    #[test]
    fn figures_are_short() {
        let shown = [1, 300 * MIB, 3 * GIB / 2].map(shown);
        assert_eq!(shown, ["1 MiB", "300 MiB", "1.5 GiB"]);
    }
}
