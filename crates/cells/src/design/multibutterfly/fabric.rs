//! `D_fabric`: all nodes with their wires.

use super::Hardware;
use super::column::{Column, bits, bits_part};
use crate::cells::ColumnControlSpec;
use crate::netlist::{Bundle, Expr, Instance, Kind, Module, ModuleId, Net, Of};
use frit_network::RowIdx;
use frit_network::multibutterfly::Node;

/// What the ports of `D_fabric` are for.
const PORTS: &[(&str, &str)] = &[
    ("clk_i", "clock, rising edge"),
    ("rst_i", "reset, synchronous, active high"),
    ("begin_i", "a run begins: the sizes of the sources are set"),
    ("unasked_i", "step 1 of a phase: small sides commit"),
    ("hear_i", "requests are made or withdrawn"),
    ("decide_i", "grants are valid"),
    ("weigh_i", "the rounds of requests are over"),
    ("count_i", "inputs report"),
    ("snap_i", "a round of moves begins"),
    ("clean_i", "a round of moves ends"),
    ("set_i", "the phase ends"),
    ("wave_i", "columns that are inputs, one bit for each column"),
    ("turn_i", "in-port whose turn it is, one bit for each in-port"),
    ("idle_i", "no run is under way: messages can be brought"),
    ("inject_valid_i", "inject_word_i holds a message for the row"),
    ("inject_word_i", "destination of the message, most significant bit on top, then its payload"),
    ("inject_ready_o", "the message is taken"),
    ("deliver_valid_o", "deliver_payload_o holds a message that arrives in the row"),
    ("deliver_payload_o", "payload of the message"),
    ("moves_o", "a message moves"),
    ("holds_o", "messages are left in the network"),
];

/// The name of a node in the fabric.
pub fn node_name(node: Node) -> String {
    format!("u_n{}_{}", node.column, node.row)
}

/// What the nodes of a column send out, by rows.
struct Sent {
    request: Option<Bundle>,
    report: Option<Bundle>,
    offer: Bundle,
    word: Bundle,
    /// What the nodes of the next column grant, by rows and in-ports.
    grant: Option<Bundle>,
}

/// The steps of a phase for a column.
struct Steps {
    unasked: Option<Net>,
    decide: Option<Net>,
    hear: Option<Net>,
    weigh: Option<Net>,
    count: Option<Net>,
    settle: Option<Net>,
    set: Option<Net>,
}

/// Connects an input to a step that is there.
fn step(instance: Instance, port: &str, net: Option<Net>) -> Instance {
    instance.input(port, net.expect("a step that is used is wired"))
}

struct Fabric<'a> {
    hardware: &'a Hardware<'a>,
    module: Module,
    clk: Net,
    rst: Net,
    snap: Net,
    turn: Net,
    sent: Vec<Sent>,
    sends: Bundle,
    holds: Bundle,
}

pub(super) fn module(hardware: &Hardware, nodes: &[ModuleId]) -> Module {
    let what = "The network: all nodes. A sequencer outside gives the current step of a phase.";
    let mut module = Module::new(format!("{}_fabric", hardware.design_name()), hardware.header(what));
    let columns = hardware.columns();
    let rows = hardware.network().shape().rows();
    let mut input = |name: &str, width| module.net(Kind::Input, name, width);
    let [clk, rst] = ["clk_i", "rst_i"].map(|name| input(name, 1));
    // Only sources that ask have sizes, which are set when a run begins.
    let begin = hardware.column(0).asks().then(|| input("begin_i", 1));
    let steps = ["unasked_i", "decide_i", "hear_i", "weigh_i", "count_i", "snap_i", "clean_i", "set_i"]
        .map(|name| (name, input(name, 1)));
    let wave = input("wave_i", columns);
    let turn = input("turn_i", hardware.turns());
    let idle = input("idle_i", 1);
    let inject_valid = module.bundle(Kind::Input, "inject_valid_i", rows, 1);
    let inject_word = module.bundle(Kind::Input, "inject_word_i", rows, hardware.word_bits(0));
    let inject_ready = module.bundle(Kind::Output, "inject_ready_o", rows, 1);
    let valid = module.bundle(Kind::Output, "deliver_valid_o", rows, 1);
    let payload = module.bundle(Kind::Output, "deliver_payload_o", rows, hardware.payload());
    let moves_o = module.net(Kind::Output, "moves_o", 1);
    let holds_o = module.net(Kind::Output, "holds_o", 1);
    let sends = module.bundle(Kind::Wires, "sends", columns * rows, 1);
    let holds = module.bundle(Kind::Wires, "holds", columns * rows, 1);
    let snap = steps[5].1;
    let mut fabric = Fabric { hardware, module, clk, rst, snap, turn, sent: Vec::new(), sends, holds };
    for column in 0..columns {
        fabric.declare(hardware.column(column));
    }
    for column in 0..columns {
        let steps = fabric.control(column, begin, &steps, wave);
        for row in 0..rows {
            let node = Node { column, row: RowIdx(row) };
            let mut instance = fabric.node(node, nodes[column as usize], &steps);
            if column == 0 {
                instance = instance
                    .input("idle_i", idle)
                    .input("valid_i", inject_valid.lane(row))
                    .input("word_i", inject_word.lane(row))
                    .output("ready_o", inject_ready.lane(row));
            }
            fabric.module.instances.push(instance);
        }
    }
    let steps = fabric.control(columns, begin, &steps, wave);
    for row in 0..rows {
        let node = Node { column: columns, row: RowIdx(row) };
        let mut sink = Instance::new(node_name(node), Of::Module(nodes[columns as usize]));
        if steps.hear.is_some() {
            sink = sink.input("clk_i", clk).input("rst_i", rst);
        }
        let sink = fabric.arrivals(node, fabric.requests(node, &steps, sink));
        let sink = sink.output("valid_o", valid.lane(row)).output("payload_o", payload.lane(row));
        fabric.module.instances.push(sink);
    }
    for (net, of) in [(moves_o, sends), (holds_o, holds)] {
        let any = Expr::Any((0..of.lanes()).map(|node| of.lane(node).into()).collect());
        fabric.module.assigns.push((net, any));
    }
    fabric.module.explain(PORTS);
    fabric.module
}

impl Fabric<'_> {
    /// The wires behind a column.
    fn declare(&mut self, column: Column) {
        let rows = self.hardware.network().shape().rows();
        let in_ports = self.hardware.network().shape().in_ports(column.number() + 1);
        let asks = column.asks();
        let mut wires = |name: &str, lanes: u32, width| {
            self.module.bundle(Kind::Wires, format!("{name}{}", column.number()), lanes * rows, width)
        };
        self.sent.push(Sent {
            request: asks.then(|| wires("request", 2, column.sizes())),
            report: column.reports().then(|| wires("report", 2 * column.ports(), column.bank_bits())),
            offer: wires("offer", 2 * column.banks(), column.ports()),
            word: wires("word", 2 * column.banks(), column.stored_bits()),
            grant: asks.then(|| wires("grant", in_ports, 1)),
        });
    }

    /// What the steps of a phase mean for a column; only what its nodes use is wired. The sources' sizes are set when a run begins.
    fn control(&mut self, column: u32, begin: Option<Net>, steps: &[(&str, Net)], wave: Net) -> Steps {
        let asks = |column: u32| column < self.hardware.columns() && self.hardware.column(column).asks();
        let (input, output) = (column < self.hardware.columns(), column > 0);
        let asked = output && asks(column - 1);
        let used = [
            ("unasked", input),
            ("decide", asks(column)),
            ("hear", asked),
            ("weigh", input && output),
            ("count", input && output),
            ("settle", input && output),
            ("set", output && asks(column)),
        ];
        let reach = match column.checked_sub(1) {
            Some(before) => bits(wave, before, before),
            None => Expr::constant(0, 1),
        };
        let mut control = Instance::new(format!("u_control{column}"), Of::cell(ColumnControlSpec))
            .input("active_i", if input { bits(wave, column, column) } else { Expr::constant(0, 1) })
            .input("reach_i", reach);
        for &(name, net) in steps {
            control = control.input(name, net);
        }
        let mut outs = used.map(|_| None);
        for ((name, used), out) in used.into_iter().zip(&mut outs) {
            *out = used.then(|| self.module.net(Kind::Wires, format!("{name}{column}"), 1));
            control = control.outputs(&format!("{name}_o"), vec![*out]);
        }
        if outs.iter().any(Option::is_some) {
            self.module.instances.push(control);
        }
        let [unasked, decide, hear, weigh, count, settle, set] = outs;
        let set = if column == 0 { begin } else { set };
        Steps { unasked, decide, hear, weigh, count, settle, set }
    }

    fn node(&self, node: Node, of: ModuleId, steps: &Steps) -> Instance {
        let (network, column) = (self.hardware.network(), self.hardware.column(node.column));
        let sent = &self.sent[node.column as usize];
        let lanes = |bundle: Bundle, count: u32| {
            (node.row.0 * count..(node.row.0 + 1) * count)
                .map(|lane| Some(bundle.lane(lane)))
                .collect::<Vec<_>>()
        };
        // Which in-port of which node a port leads to, the highest port first.
        let ends = |side| {
            let rows = network.ends(node, side).iter().copied();
            rows.zip(network.numbers(node, side).iter().copied()).rev()
        };
        let turns = [0, 1].map(|side| {
            Expr::Concat(ends(side).map(|(_, number)| bits_part(self.turn, number, number)).collect())
        });
        let number = node.column * network.shape().rows() + node.row.0;
        let mut instance = Instance::new(node_name(node), Of::Module(of))
            .input("clk_i", self.clk)
            .input("rst_i", self.rst)
            .input("snap_i", self.snap)
            .inputs("turn_i", turns.to_vec())
            .outputs("offer_o", lanes(sent.offer, 2 * column.banks()))
            .outputs("word_o", lanes(sent.word, 2 * column.banks()))
            .output("sends_o", self.sends.lane(number))
            .output("holds_o", self.holds.lane(number));
        instance = step(instance, "unasked_i", steps.unasked);
        if let Some(report) = sent.report {
            instance = instance.outputs("report_o", lanes(report, 2 * column.ports()));
        }
        if let (Some(request), Some(grant)) = (sent.request, sent.grant) {
            let in_ports = network.shape().in_ports(node.column + 1);
            let grants = [0, 1].map(|side| {
                let grants = ends(side).map(|(row, number)| grant.lane(row * in_ports + number).into());
                Expr::Concat(grants.collect())
            });
            instance = step(step(instance, "decide_i", steps.decide), "set_i", steps.set)
                .inputs("grant_i", grants.to_vec())
                .outputs("request_o", lanes(request, 2));
        }
        if node.column == 0 {
            return instance;
        }
        let instance = self.reports(node, steps, instance);
        self.arrivals(node, self.requests(node, steps, instance))
    }

    /// What the inputs of a node report, from which it makes its ghosts.
    fn reports(&self, node: Node, steps: &Steps, instance: Instance) -> Instance {
        let before = self.hardware.column(node.column - 1);
        let report = self.sent[node.column as usize - 1].report.expect("this is no destination");
        let side = self.hardware.network().shape().side_of(node);
        let origins = self.hardware.network().origins(node).iter();
        let reports = origins.map(|from| report.lane((2 * from.row.0 + side) * before.ports() + from.port.0));
        let instance = step(step(instance, "weigh_i", steps.weigh), "count_i", steps.count);
        step(instance, "settle_i", steps.settle).inputs("report_i", reports.map(Expr::from).collect())
    }

    /// What a node is asked for and grants, if it is ever asked.
    fn requests(&self, node: Node, steps: &Steps, instance: Instance) -> Instance {
        let sent = &self.sent[node.column as usize - 1];
        let (Some(request), Some(grant)) = (sent.request, sent.grant) else { return instance };
        let side = self.hardware.network().shape().side_of(node);
        let origins = self.hardware.network().origins(node);
        let in_ports = origins.len() as u32;
        let requests = origins.iter().map(|from| request.lane(2 * from.row.0 + side).into());
        let grants = (node.row.0 * in_ports..(node.row.0 + 1) * in_ports).map(|at| Some(grant.lane(at)));
        step(instance, "hear_i", steps.hear)
            .inputs("request_i", requests.collect())
            .outputs("grant_o", grants.collect())
    }

    /// Where the messages of a node come from: bank by bank at the far end of every in-port.
    fn arrivals(&self, node: Node, instance: Instance) -> Instance {
        let network = self.hardware.network();
        let banks = self.hardware.column(node.column - 1).banks();
        let sent = &self.sent[node.column as usize - 1];
        let side = network.shape().side_of(node);
        let origins = network.origins(node).iter();
        let lanes = origins
            .flat_map(|from| (0..banks).map(move |bank| (from, (2 * from.row.0 + side) * banks + bank)));
        let lanes: Vec<_> = lanes.collect();
        let takes = lanes.iter().map(|(from, lane)| bits(sent.offer.lane(*lane), from.port.0, from.port.0));
        let words = lanes.iter().map(|(_, lane)| sent.word.lane(*lane).into());
        instance.inputs("take_i", takes.collect()).inputs("word_i", words.collect())
    }
}
