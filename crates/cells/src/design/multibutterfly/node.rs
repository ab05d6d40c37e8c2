//! `D_node_c`: two sides, and what a node has as an output: requests, ghosts, and where its messages come from. `D_sink`: a
//! destination.

use super::Hardware;
use super::column::{Column, bits};
use super::merge::{Offer, Take, merge};
use super::requests;
use crate::cells::{ArrivalSideSpec, CountAdderSpec, GhostCounterSpec, InjectGateSpec};
use crate::design::tree::reduce;
use crate::netlist::{Expr, Instance, Kind, Module, ModuleId, Net, Of, Part};

/// What the ports of a node are for.
const PORTS: &[(&str, &str)] = &[
    ("clk_i", "clock, rising edge"),
    ("rst_i", "reset, synchronous, active high"),
    ("unasked_i", "step 1 of a phase: small sides commit"),
    ("decide_i", "grants are valid"),
    ("set_i", "the nodes of the column become inputs"),
    ("snap_i", "a round of moves begins"),
    ("hear_i", "requests are made or withdrawn"),
    ("weigh_i", "the rounds of requests are over"),
    ("count_i", "inputs report"),
    ("settle_i", "ghosts are created or deleted"),
    ("request_i", "size asked for at each in-port, from the smallest size that must ask on"),
    ("report_i", "number of messages assigned to each in-port"),
    ("take_i", "for each in-port and each bank at its far end: the word of the bank is sent here"),
    ("word_i", "word of each bank: the remaining address bits, then the payload"),
    ("idle_i", "no run is under way: messages can be brought"),
    ("valid_i", "word_i holds a message that is brought"),
    ("ready_o", "the message that is brought is taken"),
    ("grant_i", "ports that are granted, for either side"),
    ("turn_i", "ports whose in-port at the far end has its turn, for either side"),
    ("grant_o", "in-ports whose request is granted"),
    ("request_o", "size that each side asks for"),
    ("report_o", "full buffers of each port that have not been sent, for either side"),
    ("offer_o", "port on which the word of each bank is sent, for either side"),
    ("word_o", "word of each bank, for either side"),
    ("sends_o", "a message is sent"),
    ("holds_o", "the node holds messages"),
    ("valid_o", "payload_o holds a message that arrives"),
    ("payload_o", "payload of the message that arrives"),
];

struct Builder {
    column: Column,
    module: Module,
    clk: Net,
    rst: Net,
}

pub(super) fn module(hardware: &Hardware, column: Column, side: ModuleId) -> Module {
    let what = format!("A node of column {}.", column.number());
    let name = format!("{}_node_{}", hardware.design_name(), column.number());
    let mut module = Module::new(name, hardware.header(&what));
    let clk = module.net(Kind::Input, "clk_i", 1);
    let rst = module.net(Kind::Input, "rst_i", 1);
    let mut node = Builder { column, module, clk, rst };
    match column.number().checked_sub(1).map(|before| hardware.column(before)) {
        None => node.source(side),
        Some(from) => node.inner(side, from),
    }
    node.module.explain(PORTS);
    node.module
}

pub(super) fn sink(hardware: &Hardware) -> Module {
    let last = hardware.columns();
    let name = format!("{}_sink", hardware.design_name());
    let mut module = Module::new(name, hardware.header("A node of the last column: a destination."));
    let (in_ports, from) = (hardware.network().shape().in_ports(last), hardware.column(last - 1));
    if from.asks() {
        let [clk, rst] = ["clk_i", "rst_i"].map(|name| module.net(Kind::Input, name, 1));
        requests::add(&mut module, clk, rst, from, in_ports);
    }
    let valid = module.net(Kind::Output, "valid_o", 1);
    let payload = module.net(Kind::Output, "payload_o", hardware.payload());
    let arriving = words(&mut module, in_ports * from.banks(), hardware.payload());
    module.assigns.push((valid, arriving.take));
    module.assigns.push((payload, arriving.word));
    module.explain(PORTS);
    module
}

/// The tree that brings together what comes to a node in `lanes` places.
fn words(module: &mut Module, lanes: u32, width: u32) -> Offer {
    let take = module.bundle(Kind::Input, "take_i", lanes, 1);
    let word = module.bundle(Kind::Input, "word_i", lanes, width);
    let offer = |lane| Offer { take: take.lane(lane).into(), word: word.lane(lane).into() };
    merge(module, "arrival", width, (0..lanes).map(offer).collect(), Take::Used)
}

impl Builder {
    /// A cell with a clock and a reset.
    fn cell(&self, name: &str, of: Of) -> Instance {
        Instance::new(name, of).input("clk_i", self.clk).input("rst_i", self.rst)
    }

    /// A source: messages are brought between runs.
    fn source(&mut self, side: ModuleId) {
        let idle = self.module.net(Kind::Input, "idle_i", 1);
        let valid = self.module.net(Kind::Input, "valid_i", 1);
        let word = self.module.net(Kind::Input, "word_i", self.column.word_bits());
        let ready = self.module.net(Kind::Output, "ready_o", 1);
        let full = self.module.bundle(Kind::Wires, "full", 2, 1);
        let take = self.module.net(Kind::Wires, "take", 1);
        self.module.instances.push(
            Instance::new("u_gate", Of::cell(InjectGateSpec))
                .input("idle_i", idle)
                .input("valid_i", valid)
                .input("full0_i", full.lane(0))
                .input("full1_i", full.lane(1))
                .output("ready_o", ready)
                .output("take_o", take),
        );
        let sides = self.sides(side, take.into(), word);
        for (lane, instance) in (0..).zip(sides) {
            self.module.instances.push(instance.output("full_o", full.lane(lane)));
        }
    }

    /// A node that is an output, too.
    fn inner(&mut self, side: ModuleId, from: Column) {
        let column = self.column;
        let kept = self.ghosts(from);
        let settle = self.module.net(Kind::Input, "settle_i", 1);
        let arriving = words(&mut self.module, column.in_ports() * from.banks(), column.word_bits());
        let word = self.module.net(Kind::Wires, "word", column.word_bits());
        self.module.assigns.push((word, arriving.word));
        for instance in self.sides(side, arriving.take, word) {
            self.module.instances.push(instance.input("settle_i", settle).input("kept_i", kept));
        }
    }

    /// Requests and reports of the inputs, which say how many ghosts are needed.
    fn ghosts(&mut self, from: Column) -> Net {
        let (count_bits, in_ports) = (self.column.count_bits(), self.column.in_ports());
        let sizes = match from.asks() {
            true => requests::add(&mut self.module, self.clk, self.rst, from, in_ports),
            false => Expr::constant(0, count_bits),
        };
        let weigh = self.module.net(Kind::Input, "weigh_i", 1);
        let count = self.module.net(Kind::Input, "count_i", 1);
        let report = self.module.bundle(Kind::Input, "report_i", in_ports, from.bank_bits());
        let wide = |port| match count_bits - from.bank_bits() {
            0 => report.lane(port).into(),
            above => Expr::Concat(vec![Part::Const { value: 0, bits: above }, report.lane(port).into()]),
        };
        let sum = self.sum((0..in_ports).map(wide).collect());
        let [asked, told, kept] =
            ["asked", "told", "kept"].map(|name| self.module.net(Kind::Wires, name, count_bits));
        let counter = self
            .cell("u_ghosts", Of::cell(GhostCounterSpec { bits: count_bits }))
            .input("weigh_i", weigh)
            .input("sizes_i", sizes)
            .input("count_i", count)
            .input("sum_i", sum)
            .output("asked_o", asked)
            .output("told_o", told);
        self.module.instances.push(counter);
        self.module.instances.push(
            Instance::new("u_kept", Of::cell(CountAdderSpec { bits: count_bits }))
                .input("left_i", asked)
                .input("right_i", told)
                .output("sum_o", kept),
        );
        kept
    }

    /// The sum of counts: a balanced tree.
    fn sum(&mut self, counts: Vec<Expr>) -> Expr {
        let count_bits = self.column.count_bits();
        let module = &mut self.module;
        let mut number = 0;
        reduce(counts, |left, right| {
            let name = format!("sum_{number}");
            number += 1;
            let sum = module.net(Kind::Wires, &name, count_bits);
            module.instances.push(
                Instance::new(format!("u_{name}"), Of::cell(CountAdderSpec { bits: count_bits }))
                    .input("left_i", left)
                    .input("right_i", right)
                    .output("sum_o", sum),
            );
            sum.into()
        })
    }

    /// Both sides, to which what comes in is given by its address bit.
    fn sides(&mut self, side: ModuleId, take: Expr, word: Net) -> Vec<Instance> {
        let column = self.column;
        let (ports, banks, stored) = (column.ports(), column.banks(), column.stored_bits());
        let module = &mut self.module;
        let unasked = module.net(Kind::Input, "unasked_i", 1);
        let snap = module.net(Kind::Input, "snap_i", 1);
        let turn = module.bundle(Kind::Input, "turn_i", 2, ports);
        let report_o =
            column.reports().then(|| module.bundle(Kind::Output, "report_o", 2 * ports, column.bank_bits()));
        let offer_o = module.bundle(Kind::Output, "offer_o", 2 * banks, ports);
        let word_o = module.bundle(Kind::Output, "word_o", 2 * banks, stored);
        let sends_o = module.net(Kind::Output, "sends_o", 1);
        let holds_o = module.net(Kind::Output, "holds_o", 1);
        let asking = column.asks().then(|| {
            let decide = module.net(Kind::Input, "decide_i", 1);
            let set = module.net(Kind::Input, "set_i", 1);
            let grant = module.bundle(Kind::Input, "grant_i", 2, ports);
            let request = module.bundle(Kind::Output, "request_o", 2, column.sizes());
            (decide, set, grant, request)
        });
        let placed = module.bundle(Kind::Vector, "placed", 2, 1);
        let sends = module.bundle(Kind::Wires, "sends", 2, 1);
        let holds = module.bundle(Kind::Wires, "holds", 2, 1);
        for (net, of) in [(sends_o, sends), (holds_o, holds)] {
            module.assigns.push((net, Expr::Any(vec![of.lane(0).into(), of.lane(1).into()])));
        }
        module.instances.push(
            Instance::new("u_arrival", Of::cell(ArrivalSideSpec))
                .input("take_i", take)
                .input("side_i", bits(word, stored, stored))
                .output("upper_o", placed.lane(0))
                .output("lower_o", placed.lane(1)),
        );
        let lanes = |bundle: crate::netlist::Bundle, of: u32, count: u32| {
            (of * count..(of + 1) * count).map(|lane| Some(bundle.lane(lane))).collect::<Vec<_>>()
        };
        let one = |of: u32| {
            let instance = Instance::new(format!("u_side{of}"), Of::Module(side))
                .input("clk_i", self.clk)
                .input("rst_i", self.rst)
                .input("place_i", placed.lane(of))
                .input("word_i", bits(word, stored - 1, 0))
                .input("unasked_i", unasked)
                .input("snap_i", snap)
                .input("turn_i", turn.lane(of))
                .outputs("offer_o", lanes(offer_o, of, banks))
                .outputs("word_o", lanes(word_o, of, banks))
                .output("sends_o", sends.lane(of))
                .output("holds_o", holds.lane(of));
            let instance = match report_o {
                Some(report) => instance.outputs("report_o", lanes(report, of, ports)),
                None => instance,
            };
            match asking {
                Some((decide, set, grant, request)) => instance
                    .input("decide_i", decide)
                    .input("set_i", set)
                    .input("grant_i", grant.lane(of))
                    .output("request_o", request.lane(of)),
                None => instance,
            }
        };
        vec![one(0), one(1)]
    }
}
