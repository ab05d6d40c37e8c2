//! Which switches and wires exist.
//!
//! A [`Network`] is a sequence of *stages* of 2×2 switches over `L` lanes, joined by `stages + 1` *link columns*:
//! column 0 joins the input lanes to stage 0, column `s` joins stage `s - 1` to stage `s`, the last one joins the
//! last stage to the output lanes. Port `p` of a stage belongs to switch `p / 2`, side `p % 2`. Every other crate
//! (schedules, the model, the rust-hdl cells, the Verilog printer) reads these tables and none restates them.
//!
//! ```
//! use frit_network::{butterfly_butterfly, StageIdx};
//! let network = butterfly_butterfly(8)?;
//! assert_eq!(network.stages(), 5);
//! assert_eq!(network.link(StageIdx(1)), [0, 4, 2, 6, 1, 5, 3, 7]);
//! # Ok::<(), frit_network::Refusal>(())
//! ```
//!
//! Modules in reading order: [`ids`], [`name`], [`network`](mod@network), its [groups](group) of stages, the builders [`butterfly`](mod@butterfly),
//! [`baseline`](mod@baseline), [`benes`](mod@benes), [`cube`], [`shuffle`] and [`optical`], the routers of the [`flattened`] butterfly, switches that are [`stuck`], then [`export`] (JSON,
//! DOT) and [`drawing`] (SVG). Routed networks have edges instead of lanes: [`dilated`] and [`multibutterfly`]. How systems describe themselves and what a user asks
//! of them is in [`options`]. What outputs say of plans, cores and runs are [`facts`](mod@facts). Every error is a [`Refusal`]; readers of JSON share
//! [`file`](mod@file).

#![warn(missing_docs)]

pub mod baseline;
pub mod benes;
pub mod butterfly;
pub mod cube;
pub mod dilated;
pub mod drawing;
pub mod export;
pub mod facts;
pub mod file;
pub mod flattened;
pub mod group;
pub mod ids;
pub mod light;
pub mod multibutterfly;
pub mod name;
pub mod network;
pub mod optical;
pub mod options;
pub mod refusal;
pub mod shuffle;
pub mod stuck;

pub use baseline::baseline;
pub use benes::{benes, benes_radix4, radix4_groups};
pub use butterfly::{butterfly, butterfly_butterfly, butterfly_planes};
pub use cube::generalized_cube;
pub use dilated::DilatedButterfly;
pub use ids::{LaneIdx, PortIdx, RoundIdx, RowIdx, StageIdx, SwitchIdx, TerminalIdx};
pub use light::{Aim, Choice, Light};
pub use multibutterfly::MultiButterfly;
pub use name::Name;
pub use network::{MAX_LANES, MAX_TERMINALS, Network, SwitchState};
pub use optical::optical_butterfly;
pub use refusal::Refusal;
pub use shuffle::shuffle_exchange;
pub use stuck::StuckSwitches;
