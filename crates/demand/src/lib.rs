//! Uneven exchanges: how many words each terminal has for each other, and plans that carry them in the fewest cycles.
//!
//! A [`Demand`] is a matrix of words. [`read`](mod@read) reads one from a file, [`generate`](mod@generate) makes one from a seed. A planner
//! turns a demand into [`Slot`]s: a state of the whole network, and for how many cycles it is held. [`run`](run::run) sends every word
//! through the bare network, switch by switch, and compares where it arrives with the demand: no planner is trusted.
//!
//! ```
//! use frit_demand::{Demand, Machine, benes};
//! let demand = Demand::from_rows(&[vec![0, 100, 0, 0], vec![1, 0, 0, 0], vec![0, 0, 0, 1], vec![0, 0, 1, 0]])?;
//! let exchange = benes::plan(&demand)?;
//! assert_eq!((demand.h(), exchange.rounds(), exchange.cycles()), (100, 100, 102));
//! let report = frit_demand::run(&demand, &exchange, &mut ())?;
//! assert_eq!((report.words, report.cycles), (103, 102));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Modules in reading order: [`demand`] (the matrix and its bounds); where one comes from: [`reading`], [`coflow`], [`read`](mod@read), [`write`](mod@write), [`chakra`],
//! [`ranks`], [`torch`], [`generate`](mod@generate), [`experts`]; tools of the planners: [`matching`], [`peel`]; what a plan is: [`exchange`], and its
//! checker [`run`](mod@run); the planners [`benes`], [`ideal`], [`cyclic`] with [`walk`], [`two_hop`], [`few`], [`racks`], [`around`] (stuck switches); planners of others: [`baselines`]; plans in files:
//! [`plan_file`], [`plan_forms`] and their checker [`check`](mod@check); the hardware: [`program`] (what its memories are loaded with), [`loadable`] (on which network), and the registers of a crossbar: [`crossbar`]. What is done with this hardware, and what is seen then, is in
//! `frit_model`.

pub mod around;
mod assign;
pub mod baselines;
pub mod benes;
pub mod chakra;
pub mod check;
pub mod coflow;
pub mod crossbar;
pub mod cyclic;
pub mod demand;
pub mod exchange;
pub mod experts;
pub mod few;
pub mod generate;
pub mod ideal;
pub mod loadable;
pub mod matching;
mod order;
pub mod peel;
pub mod plan_file;
pub mod plan_forms;
pub mod program;
pub mod racks;
pub mod ranks;
pub mod read;
pub mod reading;
pub mod run;
mod table;
pub mod torch;
pub mod two_hop;
pub mod walk;
mod weights;
pub mod write;

pub use demand::{Demand, MAX_TERMINALS};
pub use exchange::{Exchange, Machine, Slot};
pub use generate::{Kind, generate};
pub use read::read;
pub use run::{Fault, Report, run};
