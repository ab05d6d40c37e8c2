//! One module per command.

pub mod compare;
pub mod demand;
pub mod device;
pub mod diagnose;
pub mod diff;
pub mod doctor;
pub mod generate;
pub mod light;
pub mod network;
pub mod photonics;
pub mod prototype;
pub mod route;
pub mod router;
pub mod schedule;
pub mod sequence;
pub mod shell;
pub mod simulate;
pub mod streamed;
pub mod sweep;
pub mod synth;
pub mod systems;
pub mod verify;
pub mod view;
