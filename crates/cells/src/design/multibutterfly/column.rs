//! What all nodes of a column have alike.

use super::Hardware;
use crate::cells::SideSizeSpec;
use crate::netlist::{Expr, Net, Part};

/// The numbers of a node of a column of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    number: u32,
    ports: u32,
    banks: u32,
    in_ports: u32,
    count_bits: u32,
    small_bits: u32,
    asks: bool,
    strict: bool,
    reports: bool,
    word_bits: u32,
}

impl Column {
    pub(super) fn new(hardware: &Hardware, number: u32) -> Self {
        let (shape, parameters) = (hardware.network().shape(), hardware.parameters());
        let count_bits = hardware.count_bits();
        // A size is at most the buffers, and one of at most h never asks.
        let small_bits = parameters.threshold.ilog2() + 1;
        Column {
            number,
            ports: shape.ports(number),
            banks: parameters.ports_of(shape, number),
            in_ports: shape.in_ports(number),
            count_bits,
            small_bits,
            asks: shape.inputs(number) > parameters.free && small_bits < count_bits,
            strict: parameters.strict,
            reports: number + 1 < hardware.columns(),
            word_bits: hardware.word_bits(number),
        }
    }

    pub fn number(self) -> u32 {
        self.number
    }

    pub fn ports(self) -> u32 {
        self.ports
    }

    /// Banks of a side, as many as it commits to ports.
    pub fn banks(self) -> u32 {
        self.banks
    }

    /// In-ports of a node; none in column 0.
    pub fn in_ports(self) -> u32 {
        self.in_ports
    }

    /// Whether its sides ever ask: not in small splitters, and not if all sizes are small.
    pub fn asks(self) -> bool {
        self.asks
    }

    /// Whether its sides report what they have: destinations make no ghosts.
    pub fn reports(self) -> bool {
        self.reports
    }

    /// The net that says how many messages of a bank have gone. The top bit of this count is only for reports.
    pub fn sent_name(self) -> &'static str {
        if self.reports { "sent" } else { "sent_unused_top" }
    }

    /// The net that is e of a side. Sources have no ghosts; where nothing asks or reports only the testbench looks at them.
    pub fn end_name(self) -> &'static str {
        match (self.number, self.reports || self.asks) {
            (0, _) => "fill",
            (_, true) => "ghosts_end",
            (_, false) => "ghosts_end_unused",
        }
    }

    pub(super) fn size_cell(self) -> SideSizeSpec {
        let strict = u64::from(self.strict);
        SideSizeSpec { bits: self.count_bits, strict, asks: self.asking_sizes() }
    }

    /// Sizes that ask, from the smallest on a bit for each.
    pub fn sizes(self) -> u32 {
        self.count_bits - self.small_bits.min(self.count_bits)
    }

    /// The sizes that ask, in their places.
    pub fn asking_sizes(self) -> u64 {
        if self.asks { ((1 << self.sizes()) - 1) << self.small_bits } else { 0 }
    }

    /// The place of the smallest batch that is asked for: a batch is a size divided among the banks.
    pub fn first_batch(self) -> u32 {
        self.small_bits - self.banks.ilog2()
    }

    /// Bits of a count of buffers of a side.
    pub fn count_bits(self) -> u32 {
        self.count_bits
    }

    /// Bits of a count of buffers of a bank.
    pub fn bank_bits(self) -> u32 {
        self.count_bits - self.banks.ilog2()
    }

    /// Bits of a word that is stored: the address bit of the column has been used.
    pub fn stored_bits(self) -> u32 {
        self.word_bits - 1
    }

    /// Bits of a word that comes in.
    pub fn word_bits(self) -> u32 {
        self.word_bits
    }

    /// The number of a buffer in its bank, or of buffers in a bank, from a count of a side.
    pub(super) fn in_bank(self, count: Net) -> Expr {
        bits(count, self.count_bits - 1, self.banks.ilog2())
    }

    /// The address of a buffer in its bank.
    pub(super) fn address(self, buffer: Net) -> Expr {
        bits(buffer, self.count_bits - 2, self.banks.ilog2())
    }

    /// The bank of the buffer with this number, as wide as a count.
    pub(super) fn bank_of(self, count: Net) -> Expr {
        match self.banks.ilog2() {
            0 => Expr::constant(0, self.count_bits),
            low => Expr::Concat(vec![
                Part::Const { value: 0, bits: self.count_bits - low },
                Part::Net { net: count, bits: Some((low - 1, 0)), invert: false },
            ]),
        }
    }
}

/// Bits `high` to `low` of a net.
pub(super) fn bits(net: Net, high: u32, low: u32) -> Expr {
    Expr::Concat(vec![bits_part(net, high, low)])
}

pub(super) fn bits_part(net: Net, high: u32, low: u32) -> Part {
    Part::Net { net, bits: Some((high, low)), invert: false }
}
