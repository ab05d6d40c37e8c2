//! What every engine does with a core, done with its rust-hdl network: the phases of a trial are driven at the ports, and what is seen there is
//! listed for comparison with the model. Benches are made of the agents of [`agent`]. The models of the cores are in `frit_model`; this crate knows ports and cycles, not contracts.

pub mod agent;
pub mod crossbar;
pub mod loaded;
pub mod messages;
pub mod permute;
