//! A bank of memories of a streamed permutation: the memory of each lane and its addresses.

use super::{Core, Counted, Entry, Frame, Stage};
use crate::cells::{
    BeatReaderSpec, LinearMapSpec, MeetingMemorySpec, StrideCounterSpec, TurnMemorySpec, WordChoiceSpec,
    WordSumSpec,
};
use crate::describe::counter_bits;
use crate::netlist::{Expr, Instance, Net, Of, Part};
use frit_network::LaneIdx;
use frit_permute::gf2::parity;
use frit_permute::parts::{Address, Addresses, Count, Temporal, bits_of};

/// One side of the memories: which addresses, and where its beats are counted.
struct Side<'a> {
    name: String,
    count: &'a Count,
    addresses: Vec<&'a Address>,
    counted: &'a Counted,
    /// Bits of an address.
    bits: u32,
}

/// What the memories of all lanes are given.
pub(super) struct MemoryPorts {
    pub address_bits: u32,
    /// A word may be read in the cycle in which it is written.
    pub meet: bool,
    pub write: Net,
    /// The address of each lane.
    pub to: Vec<Expr>,
    pub read: Net,
    /// The address of each lane.
    pub from: Vec<Expr>,
}

impl Core<'_> {
    /// The memories: where beats are counted that are read, what is read, and the frame behind. `last`: these are the last memories. `entry` is asked for if these memories are the first part.
    pub(super) fn memory(
        &mut self,
        tag: &str,
        memory: &Temporal,
        stage: Stage,
        (frame, entry): (Option<Frame>, Entry),
        last: bool,
    ) -> (Counted, Stage, Frame) {
        let orders = memory.orders.len() as u32;
        // Of skewed storage a side looks at the digit of the lanes only; behind it an xor network looks at all digits that are read.
        let only = matches!(memory.orders[0].write, Address::Skewed { .. }).then_some(1);
        let first = frame.is_none();
        let writing =
            self.count(&format!("{tag}_write"), &memory.write_count, orders, stage.valid, only, first);
        let frame = frame.unwrap_or_else(|| self.entry(&writing, entry));
        let decided = self.wire(format!("{tag}_decided"), 1);
        let wait = u64::from(memory.wait);
        let reader = self
            .clocked(
                format!("u_{tag}_reader"),
                Of::cell(BeatReaderSpec { bits: counter_bits(wait.max(1)) + 1, lag: wait }),
                true,
            )
            .input("advance_i", frame.gate)
            .input("wrote_i", frame.wrote)
            .input("ends_i", frame.ends)
            .output("due_o", decided);
        self.module.instances.push(reader);
        // The words are at the memories later than what is known of them.
        let due = self.delayed(&format!("{tag}_due"), 1, decided.into(), frame.behind).unwrap_or(decided);
        let looked = only.filter(|_| self.plan.modulo());
        let reading = self.count(&format!("{tag}_read"), &memory.read_count, orders, due, looked, false);
        let after = if last {
            Frame { wrote: decided, ..frame }
        } else {
            let beats = Count::plain(self.plan.cycles);
            let counted = self.count(&format!("{tag}_decided"), &beats, 1, decided, Some(usize::MAX), true);
            let gate = self.delay(&format!("{tag}_gate"), 1, frame.gate.into());
            let ends = counted.ends.expect("asked for");
            Frame { wrote: decided, ends, gate, behind: frame.behind + 2 }
        };
        let bits = address_bits(memory);
        let side = |name: &str, of: fn(&Addresses) -> &Address| {
            (format!("{tag}_{name}"), memory.orders.iter().map(of).collect())
        };
        let (name, addresses) = side("write", |order| &order.write);
        let to =
            self.addresses(&Side { name, count: &memory.write_count, addresses, counted: &writing, bits });
        let (name, addresses) = side("read", |order| &order.read);
        let from =
            self.addresses(&Side { name, count: &memory.read_count, addresses, counted: &reading, bits });
        // In one page a beat is read at the latest when wait + 1 beats more have been written.
        let meet = memory.depth == memory.page && memory.wait + 1 == self.plan.cycles;
        let ports = MemoryPorts { address_bits: bits, meet, write: writing.step, to, read: due, from };
        let stage = self.bank(tag, ports, stage.data);
        (reading, stage, after)
    }

    /// The memories of all lanes, and a register behind each.
    pub(super) fn bank(&mut self, tag: &str, ports: MemoryPorts, words: Vec<Expr>) -> Stage {
        let MemoryPorts { address_bits, meet, write, to, read: due, from } = ports;
        let width = self.width;
        self.module.heading(format!("The memories of the part {tag}."));
        let mut data = Vec::new();
        for (lane, word) in words.into_iter().enumerate() {
            if lane >= self.plan.lanes as usize {
                data.push(Expr::constant(0, self.width));
                continue;
            }
            let read = self.wire(format!("{tag}_read_{lane}"), self.width);
            let of = match meet {
                true => Of::cell(MeetingMemorySpec { address_bits, width }),
                false => Of::cell(TurnMemorySpec { address_bits, width }),
            };
            let instance = self
                .clocked(format!("u_{tag}_{lane}"), of, false)
                .input("write_i", write)
                .input("write_address_i", to[lane].clone())
                .input("data_i", word)
                // What is read when nothing is due goes nowhere.
                .input("read_i", Expr::constant(1, 1))
                .input("read_address_i", from[lane].clone())
                .output("data_o", read);
            self.module.instances.push(instance);
            data.push(self.word(&format!("{tag}_data_{lane}"), self.width, read.into()).into());
        }
        let valid = self.delayed(&format!("{tag}_valid"), 1, due.into(), 2).expect("two cycles");
        Stage { valid, data }
    }

    /// The address of each lane, from registers. Lanes with equal addresses share them.
    fn addresses(&mut self, side: &Side) -> Vec<Expr> {
        self.module.heading(format!("Addresses: {}.", side.name));
        let mut made: Vec<((Vec<Address>, u32), Net)> = Vec::new();
        let mut nets = Vec::new();
        let sums = self.sums(side);
        for lane in 0..self.plan.lanes {
            let own: Vec<Address> =
                side.addresses.iter().map(|address| of_lane(address, LaneIdx(lane))).collect();
            let skewed = own.iter().any(|address| matches!(address, Address::Skewed { skewed: true, .. }));
            let key = (own, if skewed { lane } else { 0 });
            let known = made.iter().find(|(other, _)| *other == key).map(|&(_, net)| net);
            let net = match known {
                Some(net) => net,
                None => {
                    let ahead = self.address(side, &key.0, LaneIdx(lane), sums);
                    // Of the first beat after reset.
                    let start = key.0[0].at(side.count, 0, LaneIdx(key.1)).into();
                    let name = format!("{}_address_{lane}", side.name);
                    let net = self.register(&name, side.bits, start, side.counted.step, ahead);
                    made.push((key, net));
                    net
                }
            };
            nets.push(net.into());
        }
        nets
    }

    /// The address of a lane for the beat after this one; `own` are those of the orders.
    fn address(&mut self, side: &Side, own: &[Address], lane: LaneIdx, sums: Option<Net>) -> Expr {
        match &own[0] {
            Address::Linear(_) => {
                let (place_bits, lane_bits) = (side.count.bits(), self.plan.lanes.trailing_zeros());
                // Linear on the lane as well: it is a constant above the place, so that all lanes have one map.
                let rows = |address: &&Address| match address {
                    Address::Linear(rows) => {
                        rows.iter().map(|(bit, lanes)| (bit.mask | lanes << place_bits, bit.flip)).collect()
                    }
                    _ => unreachable!("orders of one kind"),
                };
                let maps = side.addresses.iter().map(rows).collect();
                let turn_bits = side.counted.turn.map_or(0, |_| bits_of(own.len() as u32));
                let bits = place_bits + lane_bits;
                let spec = LinearMapSpec { name: side.name.clone(), bits, turn_bits, maps };
                let name = format!("{}_{lane}", side.name);
                let ahead = self.wire(format!("{name}_ahead"), side.bits);
                let turn = side.counted.turn.map(Part::from);
                let lane = Part::Const { value: lane.0.into(), bits: lane_bits };
                let place = turn.into_iter().chain([lane]).chain(side.counted.place()).collect();
                self.module.instances.push(
                    Instance::new(format!("u_{name}_map"), Of::cell(spec))
                        .input("place_i", Expr::Concat(place))
                        .output("word_o", ahead),
                );
                ahead.into()
            }
            Address::Table { table, .. } => {
                let page = side.counted.turn.map(|turn| match side.paged() {
                    true => turn.into(),
                    false => Part::Const { value: 0, bits: 1 },
                });
                // What is written in the order in which it comes has its count as address.
                let in_order = table.iter().enumerate().all(|(at, &to)| at == to as usize);
                let within: Vec<Part> = match in_order {
                    true => side.counted.place(),
                    false => {
                        let words = table.iter().map(|&word| word.into()).collect();
                        let name = format!("{}_{lane}_ahead", side.name);
                        let bits = side.count.bits();
                        vec![self.rom(&name, bits, bits, words, side.counted.place()).into()]
                    }
                };
                Expr::Concat(page.into_iter().chain(within).collect())
            }
            Address::Skewed { .. } => self.skewed(side, own, lane, sums),
        }
    }

    /// Of skewed storage what the digits add to the addresses of all lanes, above the digit that the lane changes.
    fn sums(&mut self, side: &Side) -> Option<Net> {
        let weights = |address: &Address| match address {
            Address::Skewed { weights, .. } => Some(weights.clone()),
            _ => None,
        };
        let first = weights(side.addresses[0])?;
        let second = weights(side.addresses[1])?;
        let bits = side.base_bits(self.plan.lanes);
        // Of a matrix of one block nothing is above.
        if bits == 0 {
            return None;
        }
        let one = self.sum(side, "first", &first, bits);
        if first == second {
            return Some(one);
        }
        let other = self.sum(side, "second", &second, bits);
        let to = self.wire(format!("{}_base", side.name), bits);
        let turn = side.counted.turn.expect("two orders");
        self.choose(&format!("{}_base", side.name), bits, turn, [one.into(), other.into()], to);
        Some(to)
    }

    fn choose(&mut self, name: &str, bits: u32, second: Net, words: [Expr; 2], to: Net) {
        let [first, other] = words;
        self.module.instances.push(
            Instance::new(format!("u_{name}_choice"), Of::cell(WordChoiceSpec { bits }))
                .input("second_i", second)
                .input("first_word_i", first)
                .input("second_word_i", other)
                .output("word_o", to),
        );
    }

    /// The sum of what the digits add, above the bits of the digit of the lanes, for the beat after this one.
    fn sum(&mut self, side: &Side, which: &str, weights: &[u32], bits: u32) -> Net {
        let ahead = side.count.digits(1);
        let mut parts: Vec<Net> = Vec::new();
        let mut carry = side.counted.step;
        for at in (0..weights.len()).rev() {
            let (radix, stride) = (side.count.radices[at], u64::from(weights[at] / self.plan.inner_lanes));
            if radix == 1 {
                continue;
            }
            // A digit without a weight still carries; the count of beats has done that already.
            let name = format!("{}_{which}_{at}", side.name);
            let own = if stride == 0 { 1 } else { stride };
            let own_bits = if stride == 0 { bits_of(radix) } else { bits };
            let (first, last) = (u64::from(ahead[at]) * own, u64::from(radix - 1) * own);
            let spec = StrideCounterSpec { bits: own_bits, first, last, stride: own };
            let more = side.count.radices[..at].iter().any(|&radix| radix > 1);
            if stride == 0 {
                carry = self.carrier(&name, spec, carry);
                continue;
            }
            let (count, wrap) = self.counter(&name, spec, carry, more);
            parts.push(count);
            carry = wrap.unwrap_or(carry);
        }
        let name = format!("{}_{which}_sum", side.name);
        let to = self.wire(name.clone(), bits);
        let part = |at: usize| parts.get(at).map_or(Expr::constant(0, bits), |&net| net.into());
        match parts.as_slice() {
            [_, _] => self.module.instances.push(
                Instance::new(format!("u_{name}"), Of::cell(WordSumSpec { bits }))
                    .input("left_i", part(0))
                    .input("right_i", part(1))
                    .output("sum_o", to),
            ),
            _ => self.module.assigns.push((to, part(0))),
        }
        to
    }

    /// A skewed address: the page, the sum of the digits, and the digit that is changed by the lane if it is to be.
    fn skewed(&mut self, side: &Side, own: &[Address], lane: LaneIdx, base: Option<Net>) -> Expr {
        let lane_bits = bits_of(self.plan.lanes);
        let low = side.counted.digits[1].expect("a digit of the lanes");
        let skewed = |address: &Address| matches!(address, Address::Skewed { skewed: true, .. });
        // A bit of the digit is inverted where the lane has a 1.
        let xored = |lane: u32| -> Vec<Part> {
            let bit = |bit| Part::Net { net: low, bits: Some((bit, bit)), invert: lane >> bit & 1 == 1 };
            (0..lane_bits).rev().map(bit).collect()
        };
        let modulus = match &own[0] {
            Address::Skewed { modulus, .. } => *modulus,
            _ => None,
        };
        let changed = match modulus {
            Some(modulus) if own.iter().any(skewed) => {
                let words =
                    (0..modulus).map(|digit| u64::from((lane.0 + modulus - digit) % modulus)).collect();
                let name = format!("{}_less_{lane}", side.name);
                vec![self.rom(&name, lane_bits, lane_bits, words, vec![low.into()]).into()]
            }
            _ => xored(lane.0),
        };
        let of = |address: &Address| if skewed(address) { changed.clone() } else { xored(0) };
        let turn = side.counted.turn.expect("two orders");
        let digit: Vec<Part> = if skewed(&own[0]) == skewed(&own[1])
            || modulus.is_none() && lane == LaneIdx(0)
        {
            of(&own[0])
        } else {
            let name = format!("{}_low_{lane}", side.name);
            let to = self.wire(name.clone(), lane_bits);
            self.choose(&name, lane_bits, turn, [Expr::Concat(of(&own[0])), Expr::Concat(of(&own[1]))], to);
            vec![to.into()]
        };
        let page = side.paged().then(|| turn.into());
        Expr::Concat(page.into_iter().chain(base.map(Part::from)).chain(digit).collect())
    }
}

impl Side<'_> {
    /// Whether the two orders are two pages.
    fn paged(&self) -> bool {
        let page = |address: &Address| match address {
            Address::Skewed { page, .. } | Address::Table { page, .. } => *page,
            Address::Linear(_) => 0,
        };
        self.addresses.iter().any(|address| page(address) > 0)
    }

    /// Bits of a skewed address between the page and the digit that the lane changes.
    fn base_bits(&self, lanes: u32) -> u32 {
        self.bits - bits_of(lanes) - u32::from(self.paged())
    }
}

/// Bits of an address. Pages begin at powers of two.
pub fn address_bits(memory: &Temporal) -> u32 {
    match &memory.orders[0].write {
        Address::Linear(rows) => rows.len() as u32,
        _ => bits_of(memory.page).max(1) + bits_of(memory.depth / memory.page),
    }
}

/// The addresses of one lane, as those of lane 0 of a bank of one lane. A skewed digit stays: it is told by the lane.
fn of_lane(address: &Address, lane: LaneIdx) -> Address {
    match address {
        Address::Linear(rows) => {
            let row = |(bit, lanes): &(frit_permute::parts::Affine, u64)| {
                let flip = bit.flip ^ parity(lanes & u64::from(lane.0));
                (frit_permute::parts::Affine { flip, ..*bit }, 0)
            };
            Address::Linear(rows.iter().map(row).collect())
        }
        Address::Table { page, lanes, table } => {
            let own = table.chunks_exact(*lanes as usize).map(|row| row[lane.idx()]).collect();
            Address::Table { page: *page, lanes: 1, table: own }
        }
        Address::Skewed { .. } => address.clone(),
    }
}
