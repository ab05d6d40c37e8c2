//! The readers.

mod command;
mod diff;
mod events;
mod lists;
mod network;
mod payload;
mod tables;
mod trace;
mod uneven;
mod wave;

use crate::Target;
use crate::mutate::{self, text};

pub static TARGETS: &[Target] = &[
    Target {
        name: "vcd",
        about: "waveforms as text: read, equal to themselves, written as VCD and FST and read again",
        check: wave::vcd,
        mutate: |input, random| text(input, random, &wave::VCD_WORDS),
        memory_mib: 512,
    },
    Target {
        name: "fst",
        about: "packed waveforms: the same",
        check: wave::fst,
        mutate: mutate::fst,
        memory_mib: 512,
    },
    Target {
        name: "diff",
        about: "a generated wave in two legal forms, with and without edited changes: what `frit diff` must say of them",
        check: diff::waves,
        mutate: mutate::bytes,
        memory_mib: 64,
    },
    Target {
        name: "diff-tables",
        about: "two traces in one file: what `frit diff` must say of them, and of one in another form",
        check: tables::tables,
        mutate: |input, random| text(input, random, &["cycle", ",", "\n", "\"", "0", "1"]),
        memory_mib: 64,
    },
    Target {
        name: "settings",
        about: "settings.csv: written and read again",
        check: trace::settings,
        mutate: |input, random| text(input, random, &[",", "\n", "0", "1"]),
        memory_mib: 64,
    },
    Target {
        name: "deliveries",
        about: "deliveries.csv: written and read again",
        check: trace::deliveries,
        mutate: |input, random| text(input, random, &[",", "\n", "0", "1", "ff"]),
        memory_mib: 64,
    },
    Target {
        name: "states",
        about: "settings as a testbench writes them: written and read again",
        check: trace::states,
        mutate: |input, random| text(input, random, &[",", "\n", "0", "1", "x"]),
        memory_mib: 64,
    },
    Target {
        name: "events",
        about: "what a router's testbench writes: shunts, arrivals, events of the multibutterfly",
        check: events::events,
        mutate: |input, random| text(input, random, &[",", "\n", "0", "1", "x", "z"]),
        memory_mib: 64,
    },
    Target {
        name: "payload",
        about: "words as CSV and raw, any width and notation: written and read again",
        check: payload::payload,
        mutate: payload::mutate,
        memory_mib: 64,
    },
    Target {
        name: "network",
        about: "a user's network: written and read again",
        check: network::network,
        mutate: mutate::json,
        memory_mib: 64,
    },
    Target {
        name: "schedule",
        about: "a user's schedule on a network of four or eight lanes: written and read again, routed by the checker",
        check: network::schedule,
        mutate: network::mutate_schedule,
        memory_mib: 64,
    },
    Target {
        name: "wiring",
        about: "a user's multibutterfly: written and read again",
        check: network::wiring,
        mutate: mutate::json,
        memory_mib: 64,
    },
    Target {
        name: "sequence",
        about: "a de Bruijn sequence: written and read again, every word once",
        check: lists::sequence,
        mutate: |input, random| text(input, random, &["0", "1", "00", "\n"]),
        memory_mib: 64,
    },
    Target {
        name: "permutation",
        about: "a permutation: written and read again, routed on the Benes network",
        check: lists::permutation,
        mutate: |input, random| text(input, random, &[",", "\n", "0", "1", "#"]),
        memory_mib: 64,
    },
    Target {
        name: "relation",
        about: "packets: written and read again, counted in three ways",
        check: lists::relation,
        mutate: |input, random| text(input, random, &[",", "\n", "0", "1", "#"]),
        memory_mib: 64,
    },
    Target {
        name: "demand",
        about: "a demand as CSV, list, JSON, array, trace of coflows or files of ranks: written and read again, planned and run",
        check: uneven::demand,
        mutate: uneven::mutate_demand,
        // A list of three numbers asks for a matrix of all terminals.
        memory_mib: 512,
    },
    Target {
        name: "plan",
        about: "a plan of configurations as CSV and JSON: written and read again, checked against the most that it carries",
        check: uneven::plan,
        mutate: |input, random| {
            text(input, random, &["plane", "start", "hold", ",", "\n", "0", "1", "-1", "[", "]", "#"])
        },
        memory_mib: 64,
    },
    Target {
        name: "matrix",
        about: "a permutation of index bits as a matrix: written and read again",
        check: uneven::matrix,
        mutate: |input, random| text(input, random, &["0", "1", "\n", "xor ", "#"]),
        memory_mib: 64,
    },
];

/// Those that run the command.
pub static COMMANDS: &[Target] = &[
    Target {
        name: "design",
        about: "a design file: the exit code, what is printed, the same twice",
        check: command::design,
        mutate: |input, random| text(input, random, &DESIGN_WORDS),
        memory_mib: 64,
    },
    Target {
        name: "sweep",
        about: "the file of a sweep, read and not run: the exit code, what is printed",
        check: command::sweep,
        mutate: |input, random| text(input, random, &SWEEP_WORDS),
        memory_mib: 64,
    },
    Target {
        name: "sweep-rows",
        about: "the rows that a sweep goes on from: what it writes is the same the next time",
        check: command::rows,
        mutate: |input, random| text(input, random, &[",", "\n", "0x", "inf", "NaN", "1e308", "-0"]),
        memory_mib: 64,
    },
];

const DESIGN_WORDS: [&str; 27] = [
    "system",
    "terminals",
    "width",
    "network",
    "schedule",
    "[options]",
    "user",
    "rls",
    "gsen",
    "benes",
    "obf",
    "atape",
    "rls-folded",
    "dilated",
    "multibutterfly",
    "permutation",
    "sequence",
    "wiring",
    "algorithm",
    "\"network.json\"",
    "\"schedule.json\"",
    "\"permutation.csv\"",
    "\"wiring.json\"",
    "=",
    "\"",
    "[",
    "]",
];
const SWEEP_WORDS: [&str; 24] = [
    "kind",
    "route",
    "exchange",
    "h-relation",
    "terminals",
    "seeds",
    "\"1..3\"",
    "[files]",
    "csv",
    "svg",
    "[plot]",
    "title",
    "width",
    "log",
    "\"64*n\"",
    "n*log2(n)",
    "system",
    "dilated",
    "multibutterfly",
    "=",
    "[",
    "]",
    "\"",
    "0.5",
];
