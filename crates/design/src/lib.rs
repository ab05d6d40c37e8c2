//! What `frit` makes of a design: the files of `frit generate`, the rows of `frit compare`, the films of `frit view`, the verdict on a
//! permutation. Nothing here reads a file, parses arguments or runs a tool: the command and the page in a browser (`crates/web`) call
//! the same functions.
//!
//! Modules in reading order: [`catalog`] (all systems in one list), [`estimate`] (memory), [`compare`] (the systems side by side),
//! [`mod@package`] (the files for other build tools), [`packets`] (what routed systems are given), [`generate`] (the files of a design),
//! [`mod@film`], [`permutation`] (a permutation on one Butterfly), [`exact`] (a search for an exchange), [`reports`] (what runs on routed systems came to).

pub mod catalog;
pub mod compare;
pub mod diagnose;
pub mod dress;
pub mod estimate;
pub mod exact;
pub mod film;
pub mod generate;
pub mod package;
pub mod packets;
pub mod permutation;
pub mod reports;
