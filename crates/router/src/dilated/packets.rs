//! What a run is given: for each packet its rows and its payload.

use super::parameters::{MAX_MEMORY, MAX_PACKETS, Mode, Parameters};
use frit_network::{DilatedButterfly, Refusal, refuse};
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
    pub fn new(parameters: Parameters, messages: &Messages) -> Result<Self, Refusal> {
        let network = check(&parameters, messages.len() as u64)?;
        let rows = network.rows();
        if messages.sources() != rows {
            refuse!(
                "the traffic has {} sources, but the butterfly has {} rows; give one list for each row",
                messages.sources(),
                parameters.rows
            );
        }
        let mut middles = stream(parameters.seed, TAGS[1]);
        let mut packets = Vec::with_capacity(messages.len());
        for source in 0..rows {
            for (packet, &given) in messages.of(source).iter().enumerate() {
                if given >= rows {
                    let packet = packet as u32;
                    refuse!(
                        "packet {packet} of row {source} goes to row {given}, which does not exist; rows are 0..{rows}"
                    );
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
    pub fn through(mut self, middles: &[u32]) -> Result<Self, Refusal> {
        let (packets, rows) = (self.packets.len(), self.network.rows());
        if middles.len() != packets {
            refuse!("intermediate rows for {} packets, but there are {packets}", middles.len());
        }
        for (number, (packet, &middle)) in self.packets.iter_mut().zip(middles).enumerate() {
            if middle >= rows {
                refuse!(
                    "packet {number} goes through row {middle}, which does not exist; rows are 0..{rows}"
                );
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
    pub fn with_payload(mut self, payload: Vec<u64>) -> Result<Self, Refusal> {
        if payload.len() != self.payload.len() {
            refuse!(
                "{} words of payload, but {} packets of {} bits need {} (of 64 bits, each packet from a new one)",
                payload.len(),
                self.packets.len(),
                self.parameters.payload,
                self.payload.len()
            );
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

    /// Runs of the network that bring the packets to their destinations: 2 with a barrier, but 1 without intermediate rows.
    pub fn runs(&self) -> u32 {
        if self.parameters.mode == Mode::Barrier { self.parameters.passes() } else { 1 }
    }

    /// The most packets that start in a row, in any of these runs.
    pub fn per_input(&self) -> u32 {
        let most = |start: fn(&Packet) -> u32| {
            let mut starts = vec![0u32; self.network.rows() as usize];
            self.packets.iter().for_each(|packet| starts[start(packet) as usize] += 1);
            starts.into_iter().max().unwrap_or(0)
        };
        let sources = most(|packet| packet.source);
        if self.runs() == 1 { sources } else { sources.max(most(|packet| packet.middle)) }
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

    /// Bits that can be in a queue: an edge has the bits of one packet at a time, so a longer queue is never full.
    pub fn queue(&self) -> u32 {
        self.parameters.queue.min(self.packet_bits())
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

/// Checks ranges and the memory that a run with so many packets takes, in the plain engine.
///
/// # Errors
///
/// Parameters out of range, and what would need too much memory.
pub fn check(parameters: &Parameters, packets: u64) -> Result<DilatedButterfly, Refusal> {
    let network = parameters.network()?;
    if packets > MAX_PACKETS {
        let meaning = "packets in all";
        refuse!("packets = {packets}: {meaning}; it must be from 0 to {MAX_PACKETS}");
    }
    let bits = bits_of_packet(parameters, network.dimensions());
    let needed = bytes(parameters, &network, packets);
    if needed > MAX_MEMORY {
        refuse!(
            "{} edges with queues of {} bits, {packets} packets of {bits} bits: about {} MiB, at most {} MiB are allowed; take fewer rows, smaller bundles or queues, or a shorter payload",
            network.edges(),
            parameters.queue,
            needed >> 20,
            MAX_MEMORY >> 20
        );
    }
    Ok(network)
}

/// Bits of a packet, header and payload.
fn bits_of_packet(parameters: &Parameters, dimensions: u32) -> u64 {
    u64::from(parameters.passes() * dimensions + parameters.payload)
}

/// Bytes that a run of so many packets takes: two states, 32 bytes and a byte for every bit that can be in a queue for an edge;
/// for a packet what it sends and what has arrived.
pub fn bytes(parameters: &Parameters, network: &DilatedButterfly, packets: u64) -> u64 {
    let queue = u64::from(parameters.queue).min(bits_of_packet(parameters, network.dimensions()));
    2 * network.edges() * (32 + queue) + bytes_of_packets(parameters, network, packets)
}

/// Bytes of the packets alone, of which a run in the fast engine keeps little else.
pub fn bytes_of_packets(parameters: &Parameters, network: &DilatedButterfly, packets: u64) -> u64 {
    let bits = bits_of_packet(parameters, network.dimensions());
    packets * (64 + 4 * bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(parameters: Parameters, messages: &Messages) -> String {
        Packets::new(parameters, messages).unwrap_err().to_string()
    }

    #[test]
    fn what_is_wrong_is_said_with_what_is_allowed() {
        let good = Parameters::new(8, 4, 1);
        let traffic = permutations(8, 3, 1);
        let text = refused(Parameters { bundle: 0, ..good }, &traffic);
        assert_eq!(text, "bundle = 0: edges in a bundle; it must be from 1 to 65536");
        let text = refused(Parameters { queue: 0, ..good }, &traffic);
        assert!(
            text.starts_with("queue = 0: bits that can wait at the end of an edge; it must be from 1"),
            "{text}"
        );
        let text = refused(Parameters { payload: 0, ..good }, &traffic);
        assert!(text.starts_with("payload = 0: bits after the header"), "{text}");
        let text = refused(Parameters { rows: 12, ..good }, &traffic);
        assert!(text.contains("the dilated butterfly does not exist with 12 terminals"), "{text}");
        let text = refused(good, &permutations(4, 3, 1));
        assert!(text.starts_with("the traffic has 4 sources, but the butterfly has 8 rows"), "{text}");
        let lists: [&[u32]; 8] = [&[1], &[], &[2, 8], &[], &[], &[], &[], &[]];
        let text = refused(good, &Messages::from_lists(lists));
        assert_eq!(text, "packet 1 of row 2 goes to row 8, which does not exist; rows are 0..8");
        let large = Parameters { rows: 1 << 20, bundle: 65536, ..good };
        let text = refused(large, &Messages::from_lists([]));
        assert!(text.contains("MiB, at most 16384 MiB are allowed; take fewer rows"), "{text}");
        let packets = Packets::new(good, &traffic).unwrap();
        let text = packets.clone().with_payload(vec![0; 3]).unwrap_err().to_string();
        assert!(text.starts_with("3 words of payload, but 24 packets of 32 bits need 24"), "{text}");
        let text = packets.clone().through(&[0; 23]).unwrap_err().to_string();
        assert_eq!(text, "intermediate rows for 23 packets, but there are 24");
        let text = packets.through(&[9; 24]).unwrap_err().to_string();
        assert_eq!(text, "packet 0 goes through row 9, which does not exist; rows are 0..8");
    }

    #[test]
    fn headers_lead_through_the_middle_row_to_the_destination() {
        let packets = Packets::new(Parameters::new(8, 4, 1), &bit_reversal(8, 1)).unwrap();
        let Packet { source, middle, destination } = packets.packets()[3];
        assert_eq!((source, destination), (3, 0b110));
        let bits: Vec<bool> = (0..6).map(|bit| packets.bit(3, bit)).collect();
        let row = |bits: &[bool]| bits.iter().rev().fold(0, |row, &bit| row << 1 | u32::from(bit));
        assert_eq!((row(&bits[..3]), row(&bits[3..])), (middle, destination));
        let payload = (0..32).map(|bit| u64::from(packets.bit(3, 6 + bit)) << bit).sum::<u64>();
        assert_eq!([payload], packets.payload(3));
        assert_eq!(transpose(8, 1).destinations(), [0, 4, 1, 5, 2, 6, 3, 7]);
    }
}
