//! What a run is given: for each packet its rows and its payload.

use super::parameters::{DilatedError, MAX_MEMORY, MAX_PACKETS, Parameters};
use frit_network::DilatedButterfly;
use frit_traffic::Messages;
use frit_traffic::random::stream;

/// Streams of the references: permutation k of the default traffic, intermediate rows, payload.
const TAGS: [u64; 3] = [0x100, 0x200, 0x300];

/// Where a packet goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// The row where it starts.
    pub source: u32,
    /// The row after the first of two passes; its source if there is but one.
    pub middle: u32,
    /// Its destination.
    pub destination: u32,
}

/// Parameters and packets, checked: every row exists and all fits into memory. Packets are numbered source by source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packets {
    parameters: Parameters,
    network: DilatedButterfly,
    packets: Vec<Packet>,
    /// 64 bits a word, each packet from a new word, the first bit being the least significant.
    payload: Vec<u64>,
}

/// The default traffic: packet k of row r goes to row `perm_k[r]`, the permutations being drawn one for each k.
pub fn permutations(rows: u32, per_input: u32, seed: u64) -> Messages {
    Messages::permutations(rows, per_input, |k| stream(seed, TAGS[0] + u64::from(k)))
}

/// All packets of a row go to the row whose bits are in reverse order.
pub fn bit_reversal(rows: u32, per_input: u32) -> Messages {
    let bits = rows.trailing_zeros();
    Messages::from_fn(
        rows,
        per_input,
        |row, _| if bits == 0 { row } else { row.reverse_bits() >> (32 - bits) },
    )
}

/// All packets of a row go to the row whose upper and lower bits change places: ⌊n/2⌋ of them.
pub fn transpose(rows: u32, per_input: u32) -> Messages {
    let bits = rows.trailing_zeros();
    let low = bits / 2;
    Messages::from_fn(rows, per_input, |row, _| row >> low | (row & ((1 << low) - 1)) << (bits - low))
}

impl Packets {
    /// Packets with the destinations given, intermediate rows (if not direct) and payload being drawn from the seed.
    ///
    /// # Errors
    ///
    /// Parameters out of range, rows that do not exist, and what would need too much memory.
    pub fn new(parameters: Parameters, messages: &Messages) -> Result<Self, DilatedError> {
        let network = check(&parameters, messages.len() as u64)?;
        let rows = network.rows();
        if messages.sources() != rows {
            return Err(DilatedError::Sources { given: messages.sources().into(), rows: parameters.rows });
        }
        let mut middles = stream(parameters.seed, TAGS[1]);
        let mut packets = Vec::with_capacity(messages.len());
        for source in 0..rows {
            for (packet, &given) in messages.of(source).iter().enumerate() {
                if given >= rows {
                    let packet = packet as u32;
                    return Err(DilatedError::Destination { source_: source, packet, given, rows });
                }
                let middle = if parameters.direct { source } else { middles.below(rows) };
                packets.push(Packet { source, middle, destination: given });
            }
        }
        let words = parameters.payload.div_ceil(64) as usize;
        let spare = 64 * words as u32 - parameters.payload;
        let mut draw = stream(parameters.seed, TAGS[2]);
        let mut payload = Vec::with_capacity(packets.len() * words);
        for _ in 0..packets.len() {
            payload.extend((1..=words).map(|word| draw.next() >> if word == words { spare } else { 0 }));
        }
        Ok(Packets { parameters, network, packets, payload })
    }

    /// The same with other intermediate rows, one for each packet.
    ///
    /// # Errors
    ///
    /// Another number of rows than packets, or rows that do not exist.
    pub fn through(mut self, middles: &[u32]) -> Result<Self, DilatedError> {
        let (packets, rows) = (self.packets.len(), self.network.rows());
        if middles.len() != packets {
            return Err(DilatedError::Count { what: "intermediate rows", given: middles.len(), packets });
        }
        for (number, (packet, &middle)) in self.packets.iter_mut().zip(middles).enumerate() {
            if middle >= rows {
                return Err(DilatedError::Intermediate { packet: number, given: middle, rows });
            }
            packet.middle = middle;
        }
        Ok(self)
    }

    /// The same with another payload: 64 bits a word, the first bit in the least significant place, a packet from a new word.
    ///
    /// # Errors
    ///
    /// Another number of words than the packets need.
    pub fn with_payload(mut self, payload: Vec<u64>) -> Result<Self, DilatedError> {
        if payload.len() != self.payload.len() {
            return Err(DilatedError::Payload {
                given: payload.len(),
                packets: self.packets.len(),
                bits: self.parameters.payload,
                expected: self.payload.len(),
            });
        }
        self.payload = payload;
        Ok(self)
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The network of a pass, or of both if they are one behind the other.
    pub fn network(&self) -> &DilatedButterfly {
        &self.network
    }

    /// All packets, source by source.
    pub fn packets(&self) -> &[Packet] {
        &self.packets
    }

    /// The payload of a packet: 64 bits a word, the first bit in the least significant place.
    pub fn payload(&self, packet: usize) -> &[u64] {
        let words = self.parameters.payload.div_ceil(64) as usize;
        &self.payload[packet * words..(packet + 1) * words]
    }

    /// Routing bits at the start of a packet.
    pub fn header_bits(&self) -> u32 {
        self.parameters.passes() * self.network.dimensions()
    }

    /// Bits of a packet, header and payload.
    pub fn packet_bits(&self) -> u32 {
        self.header_bits() + self.parameters.payload
    }

    /// The header of a packet, the bit that is stripped first in the least significant place.
    pub fn header(&self, packet: usize) -> u64 {
        let packet = self.packets[packet];
        match self.parameters.direct {
            true => packet.destination.into(),
            false => u64::from(packet.destination) << self.network.dimensions() | u64::from(packet.middle),
        }
    }

    /// Bit number `bit` of a packet, from the first of its header to the last of its payload.
    pub fn bit(&self, packet: usize, bit: u32) -> bool {
        match bit.checked_sub(self.header_bits()) {
            None => self.header(packet) >> bit & 1 == 1,
            Some(bit) => self.payload(packet)[bit as usize / 64] >> (bit % 64) & 1 == 1,
        }
    }
}

/// Checks ranges and the memory that a run takes, in the plain engine.
fn check(parameters: &Parameters, packets: u64) -> Result<DilatedButterfly, DilatedError> {
    let network = parameters.network()?;
    if packets > MAX_PACKETS {
        let meaning = "packets in all";
        return Err(DilatedError::Range {
            name: "packets",
            given: packets,
            meaning,
            least: 0,
            most: MAX_PACKETS,
        });
    }
    let bits = u64::from(parameters.passes() * network.dimensions() + parameters.payload);
    // Two states, 32 bytes and a byte for every bit of a queue for an edge; for a packet what it sends and what has arrived.
    let needed = 2 * network.edges() * (32 + u64::from(parameters.queue)) + packets * (64 + 4 * bits);
    if needed > MAX_MEMORY {
        return Err(DilatedError::Memory {
            edges: network.edges(),
            queue: parameters.queue,
            packets,
            bits,
            needed: needed >> 20,
            limit: MAX_MEMORY >> 20,
        });
    }
    Ok(network)
}
