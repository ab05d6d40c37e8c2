//! A corner turn of matrices whose sizes are loaded at run time: skewed storage in two pages.
//!
//! Where a beat is written and read is known where beats enter. Addresses and states of switches are delayed from there as long as the words.

use super::memory::MemoryPorts;
use super::network::State;
use super::{Core, Stage, tag};
use crate::cells::{BeatCheckSpec, MatrixReaderSpec, MatrixWriterSpec};
use crate::netlist::{Expr, Kind, Module, Net, Of, Part};
use frit_permute::Streamed;
use frit_permute::parts::{self, Address, Driver, Spatial, Temporal, bits_of};

/// Bits of a number of blocks up to `most`.
pub(super) fn count_bits(most: u32) -> u32 {
    32 - most.leading_zeros()
}

/// Bits of the inputs of rows and of columns, where sizes are loaded; else 0.
pub fn size_bits(plan: &Streamed) -> [u32; 2] {
    plan.largest().map_or([0; 2], |(rows, columns)| [rows, columns].map(|side| count_bits(side / plan.lanes)))
}

/// What ports are for that are other ones where sizes are loaded.
pub(super) const PORTS: [(&str, &str); 2] = [
    ("s_axis_tready_o", "the beat on tdata is taken; comes from two registers"),
    ("m_axis_tlast_o", "the beat is the last of its data set; comes from the output register of a memory"),
];

/// Where the beat of a cycle is written or read, as the counters say.
#[derive(Clone, Copy)]
struct At {
    page: Net,
    address: Net,
    low: Net,
    /// The beat is the last of its matrix.
    ends: Net,
}

/// What the counters say: when and where a beat is written, and a cycle later whether one is read, and where.
struct Counts {
    step: Net,
    written: At,
    decided: Net,
    read: At,
}

impl Core<'_> {
    pub(super) fn loaded(mut self) -> Module {
        let plan = self.plan;
        let [parts::Part::Spatial(front), parts::Part::Temporal(memory), parts::Part::Spatial(behind)] =
            plan.parts.as_slice()
        else {
            unreachable!("skewed storage stands between two networks")
        };
        let data = self.bundles(Kind::Input, "s_axis", "i");
        let tlast = self.module.net(Kind::Input, "s_axis_tlast_i", 1);
        let sizes = ["rows_i", "columns_i"]
            .into_iter()
            .zip(self.limits())
            .map(|(name, most)| (self.module.net(Kind::Input, name, count_bits(most)), count_bits(most)))
            .collect::<Vec<_>>();
        let output = self.output_ports();
        let error = self.module.net(Kind::Output, "error_o", 1);
        let meanings: Vec<_> = PORTS.iter().chain(super::PORTS).copied().collect();
        self.module.explain(&meanings);
        let Counts { step, written, decided, read } = self.counts(&sizes);
        self.module.heading("The input: a register.");
        let [taken, tlast, ends] = [("taken", step), ("tlast", tlast), ("ends", written.ends)]
            .map(|(name, net)| self.delay(name, 1, net.into()));
        let instance = self
            .clocked("u_check".into(), Of::cell(BeatCheckSpec), true)
            .input("step_i", taken)
            .input("ends_i", ends)
            .input("tlast_i", tlast)
            .output("error_o", error);
        self.module.instances.push(instance);
        let stage = Stage { valid: taken, data: self.input_words(&data) };
        let stage = self.xor_network(0, front, written.low, 0, stage);
        // A deliberate fault reads each beat too early.
        let way = front.stages() - (plan.cycles - 1 - memory.wait);
        let to = self.writing(memory, written, 1 + front.stages());
        let from = self.reading(memory, read, 1 + way);
        let due = self.delayed("bank_due", 1, decided.into(), way).unwrap_or(decided);
        let address_bits = super::address_bits(memory);
        let ports = MemoryPorts { address_bits, meet: false, write: stage.valid, to, read: due, from };
        let stage = self.bank(tag(plan.form, 1), ports, stage.data);
        let stage = self.xor_network(2, behind, read.low, way + 2, stage);
        let ends = self.delayed("output_ends", 1, read.ends.into(), 1 + way + 2 + behind.stages());
        self.queue(stage, decided, ends, output);
        self.module
    }

    /// The most blocks of rows, and of columns.
    fn limits(&self) -> [u32; 2] {
        let (rows, columns) = self.plan.largest().expect("sizes that are loaded");
        [rows, columns].map(|side| side / self.plan.lanes)
    }

    fn counts(&mut self, sizes: &[(Net, u32)]) -> Counts {
        let [row_limit, column_limit] = self.limits();
        let lane_bits = self.plan.lanes.trailing_zeros();
        // Of a size, and of an address in blocks.
        let bits = [bits_of(row_limit * column_limit), count_bits(row_limit.max(column_limit)), 2]
            .into_iter()
            .max()
            .expect("three numbers");
        let tready = std::mem::replace(&mut self.advance, self.module.net(Kind::Wires, "advance", 1));
        let [step, hand, free, page_w, page_r, ends_w, ends_r, decided] =
            ["step", "hand", "free", "write_page", "read_page", "write_ends", "read_ends", "decided"]
                .map(|name| self.wire(name.into(), 1));
        let [rows, columns, address_w, address_r] =
            ["rows", "columns", "write_address", "read_address"].map(|name| self.wire(name.into(), bits));
        let [low_w, low_r] = ["write_low", "read_low"].map(|name| self.wire(name.into(), lane_bits));
        let gate = self.delay("gate", 1, self.advance.into());
        let wide = |at: usize| {
            let (net, own) = sizes[at];
            let above = (own < bits).then_some(Part::Const { value: 0, bits: bits - own });
            Expr::Concat(above.into_iter().chain([net.into()]).collect())
        };
        self.module.heading("Which beats enter and are read, and where.");
        let limits = [row_limit, column_limit].map(u64::from);
        let spec = MatrixWriterSpec { bits, lane_bits, row_limit: limits[0], column_limit: limits[1] };
        let writer = self
            .clocked("u_writer".into(), Of::cell(spec), true)
            .input("tvalid_i", self.valid)
            .input("advance_i", self.advance)
            .input("next_rows_i", wide(0))
            .input("next_columns_i", wide(1))
            .input("free_i", free)
            .output("tready_o", tready)
            .output("step_o", step)
            .output("ends_o", ends_w)
            .output("hand_o", hand)
            .output("rows_o", rows)
            .output("columns_o", columns)
            .output("low_o", low_w)
            .output("address_o", address_w)
            .output("page_o", page_w);
        let reader = self
            .clocked("u_reader".into(), Of::cell(MatrixReaderSpec { bits, lane_bits }), true)
            .input("advance_i", gate)
            .input("hand_i", hand)
            .input("rows_i", rows)
            .input("columns_i", columns)
            .input("page_i", page_w)
            .output("free_o", free)
            .output("due_o", decided)
            .output("ends_o", ends_r)
            .output("low_o", low_r)
            .output("address_o", address_r)
            .output("page_o", page_r);
        self.module.instances.extend([writer, reader]);
        let written = At { page: page_w, address: address_w, low: low_w, ends: ends_w };
        let read = At { page: page_r, address: address_r, low: low_r, ends: ends_r };
        Counts { step, written, decided, read }
    }

    /// A network whose columns are set by the bits of `low`; a word comes `late` cycles later than the first register behind them.
    fn xor_network(&mut self, at: usize, network: &Spatial, low: Net, late: u32, stage: Stage) -> Stage {
        let (tag, columns) = (tag(self.plan.form, at), network.stages());
        let flipped =
            |column: u32| matches!(network.drivers[column as usize], Driver::Stage(bit) if bit.flip);
        let bit = |column| Part::Net { net: low, bits: Some((column, column)), invert: flipped(column) };
        let ahead = Expr::Concat((0..columns).rev().map(bit).collect());
        let word = self.delay(&format!("{tag}_states"), columns, ahead);
        let state = |column| State { word, bit: (columns > 1).then_some(column) };
        self.columns(tag, network, (0..columns).map(state).collect(), late, stage)
    }

    /// Page and address in blocks, and how many bits they have.
    fn place(&self, memory: &Temporal, at: At) -> (Vec<Part>, u32) {
        let low_bits = self.plan.lanes.trailing_zeros();
        let blocks = super::address_bits(memory) - 1 - low_bits;
        let pages = |address: &Address| matches!(address, Address::Skewed { page: 1.., .. });
        let page = match memory.orders.iter().any(|order| pages(&order.write)) {
            true => at.page.into(),
            false => Part::Const { value: 0, bits: 1 },
        };
        (vec![page, Part::Net { net: at.address, bits: Some((blocks - 1, 0)), invert: false }], 1 + blocks)
    }

    /// Where words are written: at one address in all memories.
    fn writing(&mut self, memory: &Temporal, at: At, cycles: u32) -> Vec<Expr> {
        self.module.heading("Addresses of words that are written.");
        let (mut parts, bits) = self.place(memory, at);
        let low_bits = self.plan.lanes.trailing_zeros();
        let wrong = matches!(memory.orders[1].write, Address::Skewed { skewed: true, .. });
        let bit = |bit| Part::Net { net: at.low, bits: Some((bit, bit)), invert: wrong && bit == 0 };
        parts.extend((0..low_bits).rev().map(bit));
        let address = self.delayed("bank_write_address", bits + low_bits, Expr::Concat(parts), cycles);
        vec![address.expect("a column or more").into(); self.plan.lanes as usize]
    }

    /// Where words are read: the lane inverts the low bits.
    fn reading(&mut self, memory: &Temporal, at: At, cycles: u32) -> Vec<Expr> {
        self.module.heading("Addresses of words that are read.");
        let (parts, bits) = self.place(memory, at);
        let low_bits = self.plan.lanes.trailing_zeros();
        let place =
            self.delayed("bank_read_place", bits, Expr::Concat(parts), cycles).expect("a cycle or more");
        let before = self.delayed("bank_read_low", low_bits, at.low.into(), cycles - 1).unwrap_or(at.low);
        let [plain, inverted] =
            [("bank_read_plain", false), ("bank_read_inverted", true)].map(|(name, invert)| {
                let word = Part::Net { net: before, bits: None, invert };
                self.delay(name, low_bits, Expr::Concat(vec![word]))
            });
        let skewed = matches!(memory.orders[0].read, Address::Skewed { skewed: true, .. });
        let of = |lane: u32| {
            let bit = |bit: u32| {
                let net = if skewed && lane >> bit & 1 == 1 { inverted } else { plain };
                Part::Net { net, bits: Some((bit, bit)), invert: false }
            };
            Expr::Concat([place.into()].into_iter().chain((0..low_bits).rev().map(bit)).collect())
        };
        (0..self.plan.lanes).map(of).collect()
    }
}
