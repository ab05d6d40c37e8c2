//! Runs of the multibutterfly, as all commands make them.

use crate::memory::{self, estimate};
pub use frit_design::reports::{bit_steps, multibutterfly as members, order};
use frit_model::multibutterfly::BUFFER_BYTES;
use frit_router::multibutterfly::Parameters;

/// How many buffers the plain engine may have in one run. As many runs as there are cores may share the free memory.
pub fn room() -> u64 {
    memory::left() / rayon::current_num_threads() as u64 / BUFFER_BYTES
}

/// Refuses runs of so many messages for which there is no memory.
pub fn need_memory(parameters: &Parameters, messages: u64, seeds: usize, plain: bool) -> anyhow::Result<()> {
    let shape = parameters.shape()?;
    let plain = plain || parameters.payload > 0;
    let bytes = estimate::multibutterfly(parameters, shape, messages, plain);
    let what = format!("multibutterfly -n {}, d = {}, {messages} messages", parameters.rows, shape.degree());
    memory::need_each(&what, seeds, bytes, "use a smaller -n, a smaller --d, or fewer messages")
}
