//! What messages carry, so that each is known wherever it is seen, and a changed bit shows.

use frit_router::multibutterfly::Problem;
use frit_traffic::random::stream;

/// Random bits in front of the number of a message.
const CHECK_BITS: u32 = 8;
/// The stream of payloads.
const TAG: u64 = 0x300;

/// Bits of the numbers of so many messages, 1 at least.
pub fn number_bits(messages: usize) -> u32 {
    messages.next_power_of_two().ilog2().max(1)
}

/// Bits of the payload of each of so many messages.
pub fn payload_bits(messages: usize) -> u32 {
    number_bits(messages) + CHECK_BITS
}

/// The payloads of the messages of a problem: random bits, and below them the number of the message.
pub fn payloads(problem: &Problem) -> Vec<u64> {
    let count = problem.messages().len();
    let mut random = stream(problem.parameters().seed, TAG);
    let bits = number_bits(count);
    (0..count as u64).map(|number| u64::from(random.below(1 << CHECK_BITS)) << bits | number).collect()
}

/// The number of the message with a payload.
pub(crate) fn message_number(payload: u64, messages: usize) -> usize {
    (payload & ((1 << number_bits(messages)) - 1)) as usize
}
