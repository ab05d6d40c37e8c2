//! A streamed permutation as a plan: its order and the parts that bring it about.

use crate::decompose::Blocks;
use crate::order::Order;
use crate::parts::{Part, Temporal};
use crate::skew;
use frit_network::facts;
use frit_network::facts::Facts;
use frit_network::options::Row;
use frit_schedule::plan::Variant;
use std::collections::BTreeMap;

/// How a streamed permutation is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Linear on bits: one bank of memories between two networks.
    OneBank,
    /// Linear on bits: one network between two banks of memories.
    TwoBanks,
    /// Skewed storage.
    Skewed,
    /// Skewed storage of matrices whose sizes are loaded at run time.
    Loaded,
    /// An edge colouring and stored settings.
    Coloured,
}

/// A streamed permutation that has been checked.
#[derive(Clone, Debug)]
pub struct Streamed {
    /// The system.
    pub row: &'static Row,
    /// Its options, defaults included.
    pub options: BTreeMap<String, String>,
    /// Words of a cycle.
    pub lanes: u32,
    /// Lanes of the networks and memories: more than `lanes` where a Beneš network needs a power of two.
    pub inner_lanes: u32,
    /// Cycles of a data set.
    pub cycles: u32,
    /// The order in which words leave.
    pub order: Order,
    /// How it is built.
    pub form: Form,
    /// The parts, in the order in which words pass them.
    pub parts: Vec<Part>,
    /// Cycles by which any circuit's output must stay behind its input.
    pub wait: u32,
    /// Of an order that a file gives: a digest of the places of its words, part of the name.
    pub custom: Option<u32>,
    /// In what else its text differs from that of others with the same options.
    pub variant: Option<Variant>,
}

impl Form {
    /// How a core is built.
    fn in_words(self) -> &'static str {
        match self {
            Form::OneBank => "one bank of memories between two networks",
            Form::TwoBanks => "one network between two banks of memories",
            Form::Skewed => "skewed storage",
            Form::Loaded => "skewed storage, sizes loaded at run time",
            Form::Coloured => "edge colouring, two Benes networks with stored settings",
        }
    }
}

impl Streamed {
    /// Columns of switches.
    pub fn columns(&self) -> u32 {
        self.networks(|stages, _| u64::from(stages)) as u32
    }

    /// Switches.
    pub fn switches(&self) -> u64 {
        self.networks(|_, switches| switches)
    }

    fn networks(&self, figure: impl Fn(u32, u64) -> u64) -> u64 {
        let of = |part: &Part| match part {
            Part::Spatial(network) => figure(network.stages(), network.switches()),
            Part::Temporal(_) => 0,
        };
        self.parts.iter().map(of).sum()
    }

    /// The banks of memories.
    pub fn memories(&self) -> impl Iterator<Item = &Temporal> {
        self.parts.iter().filter_map(|part| match part {
            Part::Temporal(memory) => Some(memory),
            Part::Spatial(_) => None,
        })
    }

    /// Words of all memories.
    pub fn memory_words(&self) -> u64 {
        self.memories().map(|memory| u64::from(memory.depth) * u64::from(self.lanes)).sum()
    }

    /// Whether skewed storage rotates lanes: their number is no power of two.
    pub fn modulo(&self) -> bool {
        self.form == Form::Skewed && !self.lanes.is_power_of_two()
    }

    /// The matrix in blocks, of an order that is linear on bits with a power of two of lanes.
    pub fn blocks(&self) -> Option<Blocks> {
        blocks(&self.order, self.lanes)
    }

    /// The fewest columns with one bank and with two, of an order that is linear on bits.
    pub fn bounds(&self) -> Option<[u32; 2]> {
        self.blocks().map(|blocks| [blocks.columns_one_bank(), blocks.columns_two_banks()])
    }

    /// Cycles that registers add to the latency: one for each column of switches, three for each bank of memories (the decision to read, the
    /// memory, a register behind it), one at the input, two of the queue at the output.
    pub fn registers(&self) -> u32 {
        self.columns() + 3 * self.banks() + 3
    }

    fn banks(&self) -> u32 {
        self.memories().count() as u32
    }

    /// Cycles from the decision to read a beat from the last bank until the queue at the output stores it.
    pub fn flight(&self) -> u32 {
        self.columns() + 2 * self.banks()
    }

    /// Bits of an address of the queue at the output, and the places that are taken when the stream stops. A place is taken with the decision
    /// to read a beat. After the last free place below the limit as many beats more can be decided as banks, and two. The limit is so
    /// high that the queue is empty for at most three cycles before new beats come when the receiver goes on after a pause.
    pub fn queue(&self) -> (u32, u32) {
        let beyond = self.banks() + 2;
        let round_trip = self.flight() + 2 * self.banks() + 3;
        // After a pause of the receiver the output is empty for up to three cycles. With two places more it would be empty for one, but the
        // queue of 16 lanes would have 32 places, not 16: twice the memory, and multiplexers for its words.
        let bits = (round_trip + beyond - 2).next_power_of_two().trailing_zeros();
        (bits, (1 << bits) - beyond)
    }

    /// Cycles from the first beat of a data set in to its first beat out, when nothing pauses.
    pub fn latency(&self) -> u32 {
        self.waits() + self.registers()
    }

    /// Data sets for which the memories have room.
    pub fn pages(&self) -> u32 {
        self.memories().map(|memory| memory.depth / memory.page).max().unwrap_or(1)
    }

    /// Rows and columns of the matrix, if it is a transpose.
    pub fn matrix(&self) -> Option<(u32, u32)> {
        let option = |name: &str| self.options.get(name).and_then(|number| number.parse().ok());
        match self.order {
            Order::Transpose { rows, columns } => Some((rows, columns)),
            _ if self.row.key == "transpose" => {
                let rows = option("rows").unwrap_or(self.lanes);
                Some((rows, option("cols").unwrap_or(rows)))
            }
            _ => None,
        }
    }

    /// The most rows and columns, of transposes whose sizes are loaded at run time.
    pub fn largest(&self) -> Option<(u32, u32)> {
        if self.form == Form::Loaded { self.matrix() } else { None }
    }

    /// The data sets of this size of a design whose sizes are loaded at run time; rows and columns are multiples of the lanes.
    pub fn of_size(&self, rows: u32, columns: u32) -> Streamed {
        let (cycles, order) = (rows * columns / self.lanes, Order::Transpose { rows, columns });
        Streamed {
            cycles,
            wait: order.wait(self.lanes) as u32,
            order,
            // All of a matrix is written before it is read.
            parts: skew::transpose(rows, columns, self.lanes, false, cycles - 1),
            ..self.clone()
        }
    }

    /// The system with what is not its default, as part of file names: `transpose_64x64_p8`.
    pub fn name(&self) -> String {
        let option = |name: &str| self.options.get(name).map_or("", String::as_str);
        let size = match self.matrix() {
            Some((rows, columns)) => format!("{rows}x{columns}"),
            None => format!("{}{}", self.kind(), self.order.words()),
        };
        let banks = if self.form == Form::TwoBanks { "_b2" } else { "" };
        let pages = match option("pages") {
            "1" | "2" => format!("_pages{}", option("pages")),
            _ => String::new(),
        };
        // The digest of an order in a file tells it from its inverse.
        let inverse = if option("inverse") == "yes" && self.custom.is_none() { "_inv" } else { "" };
        let loaded = if self.form == Form::Loaded { "_loaded" } else { "" };
        let keep = if option("keep") == "yes" { "_keep" } else { "" };
        let user = match option("user") {
            "" | "0" => String::new(),
            bits => format!("_u{bits}"),
        };
        format!("{}_{size}_p{}{inverse}{banks}{pages}{loaded}{keep}{user}", self.row.key, self.lanes)
    }

    /// Bits that go with a word of `width` bits, in tkeep and in tuser.
    pub fn side_bits(&self, width: u32) -> [u32; 2] {
        let option = |name: &str| self.options.get(name).map_or("", String::as_str);
        let keep = if option("keep") == "yes" { width.div_ceil(8) } else { 0 };
        [keep, option("user").parse().unwrap_or(0)]
    }

    /// Bits that the core moves for a word of `width` bits.
    pub fn word_bits(&self, width: u32) -> u32 {
        width + self.side_bits(width).iter().sum::<u32>()
    }

    /// The kind of order, as part of a name.
    fn kind(&self) -> String {
        let option = |name: &str| self.options.get(name).cloned().unwrap_or_default();
        match (self.custom, option("kind").as_str()) {
            (Some(digest), _) => format!("{digest:08x}_"),
            (None, "stride") => format!("stride{}_", option("stride")),
            (None, "axes") => {
                // Ten axes have a digit each; more are told apart by what stands between their numbers.
                let axes = option("axes");
                let between = if axes.split(',').count() > 10 { "_" } else { "" };
                format!("{}_{}_", option("shape"), axes.replace(',', between))
            }
            (None, "digitrev") => format!("digitrev{}_", option("radix")),
            (None, "affine") => format!("affine{}_{}_", option("a"), option("c")),
            (None, kind @ ("pfa" | "crt")) => format!("{kind}{}_", option("factors").replace(',', "x")),
            (None, kind) => format!("{kind}_"),
        }
    }

    /// The facts of the plan with words of `width` bits, in order: what all outputs say of it.
    pub fn facts(&self, width: Option<u32>) -> Facts {
        let bounds = self.bounds();
        facts! {
            "name": self.name(), "system": self.row.key, "options": self.options, "lanes": self.lanes, "width": width,
            "side_bits": width.map(|width| self.side_bits(width)), "words": self.order.words(), "cycles": self.cycles,
            "form": self.form.in_words(), "columns": self.columns(), "switches": self.switches(),
            "columns_one_bank": bounds.map(|[one, _]| one), "columns_two_banks": bounds.map(|[_, two]| two),
            "wait": self.wait, "waits": self.waits(), "registers": self.registers(), "latency": self.latency(),
            "pages": self.pages(),
            "address_orders": self.memories().map(|memory| memory.orders.len()).collect::<Vec<_>>(),
            "memory_words": self.memory_words(), "source": self.row.paper,
        }
    }

    /// The beats by which its memories wait: `wait`, or more with two banks.
    pub fn waits(&self) -> u32 {
        self.memories().map(|memory| memory.wait).sum()
    }
}

/// The matrix of an order in blocks, if it is linear and lanes are a power of two.
pub(crate) fn blocks(order: &Order, lanes: u32) -> Option<Blocks> {
    let Order::Linear { matrix, .. } = order else { return None };
    let fits = lanes.is_power_of_two() && lanes.trailing_zeros() <= matrix.height();
    fits.then(|| Blocks::new(matrix.clone(), lanes.trailing_zeros()))
}
