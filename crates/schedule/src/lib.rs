//! How every switch is set in each round of a planned system.
//!
//! A [`Plan`] is a [`Network`](frit_network::Network) plus its rounds: which destination each lane asks for and how
//! the switches learn their state ([`Control`]). Simulator, rust-hdl cells and Verilog are all driven by a plan, so
//! a mistake here is invisible to co-simulation; [`check`] therefore routes every round on the bare network and
//! compares with what was claimed, and the property tests of this crate hold the systems to their papers.
//!
//! ```
//! use frit_schedule::{Request, check::check_plan, plan};
//! let plan = plan(&Request::new("rls", 16))?;
//! assert_eq!(plan.cycles(), 22);
//! let report = check_plan(&plan);
//! assert!(report.complete() && report.first_conflict.is_none());
//! # Ok::<(), frit_schedule::ScheduleError>(())
//! ```
//!
//! Modules in reading order: [`mod@plan`], [`systems`] (the table), [`rotation`] with [`folded`] and
//! [`flattened`], [`stage_control`], [`obf`] with [`de_bruijn`], the baselines [`xor`], [`atape`] and [`benes`] with
//! [`tables`] and [`looping`], then the checkers [`route`], [`check`], [`admissible`], [`latin`], [`certificate`], the
//! clock: [`timing`] and [`timeline`], the inputs that set the switches, [`control_inputs`], and the optical butterfly
//! as a device, [`photonics`].

pub mod admissible;
pub mod atape;
pub mod benes;
pub mod bits;
pub mod certificate;
pub mod check;
pub mod control_inputs;
pub mod de_bruijn;
pub mod flattened;
pub mod folded;
pub mod latin;
pub mod looping;
pub mod obf;
pub mod photonics;
pub mod plan;
pub mod rotation;
pub mod route;
pub mod stage_control;
pub mod systems;
pub mod tables;
pub mod timeline;
pub mod timing;
pub mod user;
pub mod xor;

pub use control_inputs::ControlInputs;
pub use plan::{Control, Demand, Figures, Phases, Plan, Request, ScheduleError};
pub use systems::{SYSTEMS, System, plan, system};
pub use timeline::Timeline;
