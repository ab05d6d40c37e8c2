//! `D_side_c`: the buffers of a side, what it asks for, and the ports that it is committed to.

use super::Hardware;
use super::column::{Column, bits, bits_part};
use super::merge::{Offer, Take, merge};
use crate::cells::{
    BankMemorySpec, BankReaderSpec, CountAdderSpec, CountRestSpec, FillPointerSpec, GhostEndSpec,
    PortChoiceSpec, RankEdgeSpec, SideCommitSpec,
};
use crate::design::tree::{Ranks, rank_bits};
use crate::netlist::{Bundle, Expr, Instance, Kind, Module, Net, Of, Part};

/// What the ports of a side are for.
const PORTS: &[(&str, &str)] = &[
    ("clk_i", "clock, rising edge"),
    ("rst_i", "reset, synchronous, active high"),
    ("place_i", "word_i holds a message for this side"),
    ("word_i", "remaining address bits and payload of the message"),
    ("unasked_i", "step 1 of a phase: small sides commit"),
    ("decide_i", "grants are valid"),
    ("set_i", "the nodes of the column become inputs"),
    ("snap_i", "a round of moves begins"),
    ("settle_i", "ghosts are created or deleted"),
    ("kept_i", "number of ghosts needed"),
    ("grant_i", "ports that are granted, one bit for each port"),
    ("turn_i", "ports whose in-port at the far end has its turn"),
    ("request_o", "size that the side asks for on all its ports, from the smallest size that must ask on"),
    ("report_o", "full buffers of each port that have not been sent"),
    ("offer_o", "port on which the word of each bank is sent"),
    ("word_o", "next message of each bank"),
    ("sends_o", "a message is sent"),
    ("holds_o", "the side holds messages"),
    ("full_o", "the side has no room for another message"),
];

struct Side {
    column: Column,
    module: Module,
    clk: Net,
    rst: Net,
}

/// The nets that say how far a side is filled.
struct Filled {
    fill: Net,
    limit: Net,
    end: Net,
    write: Net,
}

/// When a side is committed: unasked, or to granted ports.
struct Commit {
    first: Net,
    granted: Net,
}

/// What the ranker of a side that asks finds: the ports granted, and for each port its rank among them, a bit for each bank.
struct Ranked {
    grants: Net,
    place: Bundle,
}

pub(super) fn module(hardware: &Hardware, column: Column) -> Module {
    let what = format!("A side of a node of column {}: its buffers, its size, its ports.", column.number());
    let name = format!("{}_side_{}", hardware.design_name(), column.number());
    let mut module = Module::new(name, hardware.header(&what));
    let clk = module.net(Kind::Input, "clk_i", 1);
    let rst = module.net(Kind::Input, "rst_i", 1);
    let mut side = Side { column, module, clk, rst };
    let holds = side.module.net(Kind::Output, "holds_o", 1);
    let (filled, fresh) = side.pointers();
    let (commit, ranked) = side.commit(filled.end);
    let waits = side.banks(&filled, &commit, ranked.as_ref());
    let mut any = vec![Part::from(fresh)];
    any.extend((0..waits.lanes()).map(|bank| Part::from(waits.lane(bank))));
    side.module.assigns.push((holds, Expr::Any(any)));
    side.module.explain(PORTS);
    side.module
}

impl Side {
    fn input(&mut self, name: &str, width: u32) -> Net {
        self.module.net(Kind::Input, name, width)
    }

    fn wire(&mut self, name: &str, width: u32) -> Net {
        self.module.net(Kind::Wires, name, width)
    }

    /// A cell with a clock and a reset.
    fn cell(&self, name: impl Into<String>, of: Of) -> Instance {
        Instance::new(name, of).input("clk_i", self.clk).input("rst_i", self.rst)
    }

    /// m, e, and what m was when the round began; and whether a message has come since. Column 0 has no ghosts.
    fn pointers(&mut self) -> (Filled, Net) {
        let (count_bits, banks) = (self.column.count_bits(), self.column.banks());
        let place = self.input("place_i", 1);
        let snap = self.input("snap_i", 1);
        let [fill, limit] = ["fill", "limit"].map(|name| self.wire(name, count_bits));
        let write = self.wire("write", banks);
        let fresh = self.wire("fresh", 1);
        let pointer = self
            .cell("u_fill", Of::cell(FillPointerSpec { bits: count_bits, banks }))
            .input("place_i", place)
            .input("snap_i", snap)
            .input("bank_i", self.column.bank_of(fill))
            .output("fill_o", fill)
            .output("limit_o", limit)
            .output("write_o", write)
            .output("fresh_o", fresh);
        self.module.instances.push(pointer);
        let end = match self.column.number() {
            0 => {
                let full = self.module.net(Kind::Output, "full_o", 1);
                self.module.assigns.push((full, bits(fill, count_bits - 1, count_bits - 1)));
                fill
            }
            _ => self.ghosts(fill),
        };
        (Filled { fill, limit, end, write }, fresh)
    }

    fn ghosts(&mut self, fill: Net) -> Net {
        let count_bits = self.column.count_bits();
        let settle = self.input("settle_i", 1);
        let kept = self.input("kept_i", count_bits);
        let end = self.wire(self.column.end_name(), count_bits);
        let ghosts = self
            .cell("u_ghosts", Of::cell(GhostEndSpec { bits: count_bits }))
            .input("settle_i", settle)
            .input("fill_i", fill)
            .input("kept_i", kept)
            .output("end_o", end);
        self.module.instances.push(ghosts);
        end
    }

    /// W and F. A side that never asks commits in the first step in which it can.
    fn commit(&mut self, end: Net) -> (Commit, Option<Ranked>) {
        let unasked = self.input("unasked_i", 1);
        let [first, granted] = ["first", "granted"].map(|name| self.wire(name, 1));
        let cell = self.cell("u_commit", Of::cell(SideCommitSpec));
        let cell = cell.input("unasked_i", unasked);
        let cell = cell.output("first_o", first).output("granted_o", granted);
        if !self.column.asks() {
            let cell = cell.unused("committed_o");
            let [always, never] = [1, 0].map(|value| Expr::constant(value, 1));
            let cell =
                cell.input("small_i", always).input("decide_i", never.clone()).input("enough_i", never);
            self.module.instances.push(cell);
            return (Commit { first, granted }, None);
        }
        let decide = self.input("decide_i", 1);
        let committed = self.wire("committed", 1);
        let cell = cell.output("committed_o", committed);
        let small = self.size(end, committed);
        let (ranked, enough) = self.ranks();
        let cell = cell.input("small_i", small).input("decide_i", decide).input("enough_i", enough);
        self.module.instances.push(cell);
        (Commit { first, granted }, Some(ranked))
    }

    /// W, and what is asked for. Gives whether it is small.
    fn size(&mut self, end: Net, committed: Net) -> Net {
        let column = self.column;
        let set = self.input("set_i", 1);
        let small = self.wire("is_small", 1);
        // Small sizes are never asked for.
        let asked = self.wire("asked_unused_low", column.count_bits());
        let request = self.module.net(Kind::Output, "request_o", column.sizes());
        let top = column.count_bits() - 1;
        self.module.assigns.push((request, bits(asked, top, top + 1 - column.sizes())));
        self.module.instances.push(
            Instance::new("u_size", Of::cell(column.size_cell()))
                .input("clk_i", self.clk)
                .input("set_i", set)
                .input("end_i", end)
                .input("committed_i", committed)
                .output("small_o", small)
                .output("request_o", asked),
        );
        small
    }

    /// The rank of every port among the granted, and whether there are enough of them: a balanced tree of adders.
    fn ranks(&mut self) -> (Ranked, Net) {
        let (ports, banks) = (self.column.ports(), self.column.banks());
        let rank = rank_bits(banks);
        let grants = self.input("grant_i", ports);
        let enough = self.wire("enough", 1);
        let zeros = |count| Part::Const { value: 0, bits: count };
        let term = |port| Expr::Concat(vec![zeros(rank - 1), bits_part(grants, port, port)]);
        // A side with one bank needs any grant; one with more must know how many there are.
        let terms: Vec<Expr> = (0..if banks > 1 { ports } else { ports - 1 }).map(term).collect();
        let adders = Ranks { module: &mut self.module, name: "rank".into(), bits: rank, count: 0 };
        let sums = { adders }.prefix(&terms);
        let total = match sums.last().filter(|_| banks > 1) {
            Some(total) => self.too_many(total.clone(), rank),
            None => Expr::Any(vec![grants.into()]),
        };
        self.module.assigns.push((enough, total));
        let place = self.module.bundle(Kind::Wires, "place", ports, banks);
        for port in 0..ports {
            let below = match port {
                0 => Expr::constant(0, rank),
                _ => sums[port as usize - 1].clone(),
            };
            self.module.instances.push(
                Instance::new(format!("u_place_{port}"), Of::cell(RankEdgeSpec { edges: banks, bits: rank }))
                    .input("want0_i", bits(grants, port, port))
                    .input("want1_i", Expr::constant(0, 1))
                    .input("rank0_i", below)
                    .input("rank1_i", Expr::constant(0, rank))
                    .unused("take_o")
                    .output("edge_o", place.lane(port)),
            );
        }
        (Ranked { grants, place }, enough)
    }

    /// Whether a rank is too large for a bank: then there are enough ports below it.
    fn too_many(&mut self, rank: Expr, rank_bits: u32) -> Expr {
        let below = self.wire("too_few", 1);
        self.module.instances.push(
            Instance::new("u_enough", Of::cell(RankEdgeSpec { edges: self.column.banks(), bits: rank_bits }))
                .input("want0_i", Expr::constant(1, 1))
                .input("want1_i", Expr::constant(0, 1))
                .input("rank0_i", rank)
                .input("rank1_i", Expr::constant(0, rank_bits))
                .output("take_o", below)
                .unused("edge_o"),
        );
        Expr::Concat(vec![Part::Net { net: below, bits: None, invert: true }])
    }

    /// The banks with their memories, and what they report. Gives which of them have messages to send.
    fn banks(&mut self, filled: &Filled, commit: &Commit, ranked: Option<&Ranked>) -> Bundle {
        let column = self.column;
        let (ports, banks, bank_bits) = (column.ports(), column.banks(), column.bank_bits());
        let word = self.input("word_i", column.stored_bits());
        let turn = self.input("turn_i", ports);
        let offer = self.module.bundle(Kind::Output, "offer_o", banks, ports);
        let words = self.module.bundle(Kind::Output, "word_o", banks, column.stored_bits());
        let sends_o = self.module.net(Kind::Output, "sends_o", 1);
        let chosen = self.module.bundle(Kind::Vector, "chosen", banks, ports);
        let after = self.module.bundle(Kind::Vector, column.sent_name(), banks, bank_bits);
        let sends = self.module.bundle(Kind::Wires, "sends", banks, 1);
        let waits = self.module.bundle(Kind::Wires, "waits", banks, 1);
        for bank in 0..banks {
            self.choice(bank, chosen.lane(bank), commit, ranked);
            let limit = self.share("limit", filled.limit, bank);
            let reader = self
                .cell(format!("u_bank_{bank}"), Of::cell(BankReaderSpec { ports, bits: bank_bits }))
                .input("chosen_i", chosen.lane(bank))
                .input("turn_i", turn)
                .input("limit_i", limit)
                .output("offer_o", offer.lane(bank))
                .output("sends_o", sends.lane(bank))
                .output("waits_o", waits.lane(bank))
                .output("after_o", after.lane(bank));
            self.module.instances.push(reader);
            let (width, address_bits) = (column.stored_bits(), bank_bits - 1);
            self.module.instances.push(
                Instance::new(format!("u_memory_{bank}"), Of::cell(BankMemorySpec { width, address_bits }))
                    .input("clk_i", self.clk)
                    .input("write_i", bits(filled.write, bank, bank))
                    .input("write_address_i", column.address(filled.fill))
                    .input("data_i", word)
                    .input("read_address_i", bits(after.lane(bank), address_bits - 1, 0))
                    .output("data_o", words.lane(bank)),
            );
        }
        let any = (0..banks).map(|bank| sends.lane(bank).into()).collect();
        self.module.assigns.push((sends_o, Expr::Any(any)));
        if column.reports() {
            self.reports(filled.end, chosen, after);
        }
        waits
    }

    fn choice(&mut self, bank: u32, chosen: Net, commit: &Commit, ranked: Option<&Ranked>) {
        let ports = self.column.ports();
        let none = || Expr::constant(0, ports);
        let (grants, rank) = match ranked {
            Some(Ranked { grants, place }) => {
                let rank = (0..ports).rev().map(|port| bits_part(place.lane(port), bank, bank));
                (Expr::from(*grants), Expr::Concat(rank.collect()))
            }
            None => (none(), none()),
        };
        let choice = self
            .cell(format!("u_choice_{bank}"), Of::cell(PortChoiceSpec { ports, first: 1 << bank }))
            .input("first_i", commit.first)
            .input("granted_i", commit.granted)
            .input("grant_i", grants)
            .input("rank_i", rank)
            .output("chosen_o", chosen);
        self.module.instances.push(choice);
    }

    /// How many of the buffers below `count` are a bank's: those with numbers bank, bank + R, …
    fn share(&mut self, name: &str, count: Net, bank: u32) -> Expr {
        let column = self.column;
        let before = column.banks() - 1 - bank;
        if before == 0 {
            return column.in_bank(count);
        }
        let count_bits = column.count_bits();
        // A bank's buffers are counted by the upper bits.
        let name = format!("{name}_unused_low_{bank}");
        let rounded = self.wire(&name, count_bits);
        self.module.instances.push(
            Instance::new(format!("u_{name}"), Of::cell(CountAdderSpec { bits: count_bits }))
                .input("left_i", count)
                .input("right_i", Expr::constant(before.into(), count_bits))
                .output("sum_o", rounded),
        );
        column.in_bank(rounded)
    }

    /// What the side reports to the output behind each of its ports.
    fn reports(&mut self, end: Net, chosen: Bundle, sent: Bundle) {
        let (ports, bank_bits) = (self.column.ports(), self.column.bank_bits());
        let alive = self.module.bundle(Kind::Wires, "alive", self.column.banks(), bank_bits);
        for bank in 0..self.column.banks() {
            let end = self.share("end", end, bank);
            self.module.instances.push(
                Instance::new(format!("u_alive_{bank}"), Of::cell(CountRestSpec { bits: bank_bits }))
                    .input("all_i", end)
                    .input("gone_i", sent.lane(bank))
                    .output("rest_o", alive.lane(bank)),
            );
        }
        let reports = self.module.bundle(Kind::Output, "report_o", ports, bank_bits);
        for port in 0..ports {
            let of =
                |bank| Offer { take: bits(chosen.lane(bank), port, port), word: alive.lane(bank).into() };
            let offers = (0..self.column.banks()).map(of).collect();
            let report = merge(&mut self.module, &format!("report{port}"), bank_bits, offers, Take::Unused);
            self.module.assigns.push((reports.lane(port), report.word));
        }
    }
}
