//! One module per command.

pub mod diff;
pub mod doctor;
pub mod generate;
pub mod network;
pub mod schedule;
pub mod shell;
pub mod simulate;
pub mod summary;
pub mod systems;
pub mod verify;
