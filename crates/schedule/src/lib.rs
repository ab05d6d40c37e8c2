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
//! # Ok::<(), frit_network::Refusal>(())
//! ```
//!
//! Modules in reading order, none using one that stands later: tools ([`bits`], [`de_bruijn`], [`looping`],
//! [`latin`], [`route`] on the bare network, [`admissible`]); the kinds of control ([`rotation`], [`window`], [`stage_control`] with
//! [`certificate`], [`systolic`], [`tables`]); the [`mod@plan`], its names (`naming`), its clock ([`second_pass`], [`timing`], [`radix`], [`pipeline`], [`timeline`]), what is said of it (`facts`), the
//! inputs that set its switches ([`control_inputs`]) and its checker [`check`]; the systems, each a file that describes it and makes its plan ([`rls`], [`folded`],
//! [`flattened`], [`gsen`], [`obf`], [`xor`], [`atape`], [`benes`], a [`user`]'s, the baseline [`rotator`]); rounds round switches that are [`stuck`]; which of the [`faults`] that the model follows a plan's hardware can have ([`faulty`]); their table [`systems`]; and the optical
//! butterfly as a device, [`photonics`].

#![warn(missing_docs)]

pub mod admissible;
pub mod atape;
pub mod benes;
pub mod bits;
pub mod certificate;
pub mod check;
pub mod control_inputs;
pub mod de_bruijn;
mod facts;
pub mod faults;
pub mod faulty;
pub mod flattened;
pub mod folded;
pub mod gsen;
pub mod latin;
pub mod light;
pub mod looping;
mod naming;
pub mod obf;
pub mod photonics;
pub mod pipeline;
pub mod plan;
pub mod radix;
pub mod rls;
pub mod rotation;
pub mod rotator;
pub mod route;
pub mod second_pass;
pub mod stage_control;
pub mod stuck;
pub mod systems;
pub mod systolic;
pub mod tables;
pub mod timeline;
pub mod timing;
pub mod user;
pub mod window;
pub mod xor;

pub use control_inputs::ControlInputs;
pub use faults::{Fault, Faults};
pub use frit_network::options::Request;
pub use plan::{Control, Demand, Figures, Labels, Phases, Plan};
pub use systems::{BASELINES, SYSTEMS, System, baseline, plan, system};
pub use timeline::Timeline;
