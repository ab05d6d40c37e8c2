//! `D_crossbar`: a Beneš network whose settings stand still while words pass, as a crossbar of AXI4-Streams with registers.
//!
//! Beside the network of the words there is one of single bits that leads back: through it each output says after a commit which input it
//! wants, and then whether there is room in its queue. So an input is open only if the settings lead it to an output that wants it, and no
//! word needs a label.

mod contract;
mod registers;

use crate::cells::{
    BeatQueueSpec, CrossbarControlSpec, CrossbarInputSpec, CrossbarOutputSpec, PlainSwitchSpec,
    QueuePointerSpec, ReturnSwitchSpec, RoundDelaySpec, SwitchSpec, TurnMemorySpec,
};
use crate::design::axil::{AXIL, slice};
use crate::design::quads;
use crate::netlist::{Bundle, Expr, Instance, Kind, Module, Net, Netlist, Of, Part};
pub use contract::PORTS;
use contract::contract;
use frit_demand::crossbar::{ADDRESS_BITS, Shape};
use frit_network::{Network, StageIdx, SwitchIdx};
use frit_schedule::plan::Variant;
use registers::Words;
use std::ops::Range;

/// What a design depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hardware {
    pub shape: Shape,
    /// Bits of a word.
    pub width: u32,
    /// In what else its text differs from that of others.
    pub variant: Option<Variant>,
}

impl Hardware {
    /// A crossbar for words of `width` bits.
    pub fn new(shape: Shape, width: u32) -> Self {
        Hardware { shape, width, variant: None }
    }

    /// What it is called.
    pub fn design_name(&self) -> String {
        let radix = if self.shape.has_radix4() { "_radix4" } else { "" };
        let own = format!("benes{radix}_n{}_w{}", self.shape.terminals(), self.width);
        Variant::design_name(self.variant.as_ref(), own)
    }

    /// What its top is called, and so are its testbench and its file lists.
    pub fn top_name(&self) -> String {
        format!("{}_crossbar", self.design_name())
    }

    /// The arguments of `frit generate` that give it again.
    pub fn arguments(&self) -> String {
        let variant = self.variant.as_ref().map_or("", |variant| &variant.arguments);
        let radix = if self.shape.has_radix4() { " --set radix=4" } else { "" };
        format!("benes -n {} -w {}{radix} --crossbar{variant}", self.shape.terminals(), self.width)
    }

    pub fn netlist(&self) -> Netlist {
        let mut netlist = Netlist::of_design(self.design_name());
        netlist.add(Core::new(self).module());
        netlist
    }
}

struct Streams {
    valid: Bundle,
    ready: Bundle,
    data: Bundle,
    last: Bundle,
}

struct Control {
    close: Net,
    busy: Net,
    swap: Net,
    send: Net,
    check: Net,
    wrong: Net,
}

/// What is written: whether, the word, and whether it is to the register of the control.
struct Written {
    write: Net,
    data: Net,
    here: Net,
}

/// A port between two columns: whether there is a word, the word, and what comes back.
struct Lane {
    valid: Expr,
    data: Expr,
    back: Net,
}

/// The bit of the registers that sets a switch.
fn setting(module: &Module, shape: &Shape, settings: &[Net], stage: StageIdx, switch: SwitchIdx) -> Expr {
    let at = stage.0 * shape.switches() + switch.0;
    let word = settings[at as usize / 32];
    match module.signal(word.signal).width {
        1 => word.into(),
        _ => Expr::Concat(vec![slice(word, at % 32, at % 32)]),
    }
}

struct Core {
    shape: Shape,
    width: u32,
    network: Network,
    module: Module,
    clk: Net,
    rst: Net,
}

impl Core {
    fn new(hardware: &Hardware) -> Self {
        let (shape, width) = (hardware.shape, hardware.width);
        let network = shape.network();
        let mut module = Module::new(hardware.top_name(), contract(hardware));
        let clk = module.net(Kind::Input, "clk_i", 1);
        let rst = module.net(Kind::Input, "rst_i", 1);
        Core { shape, width, network, module, clk, rst }
    }

    fn module(mut self) -> Module {
        for (name, input, bits, _) in AXIL.iter().filter(|(name, ..)| *name != "irq") {
            let bits = if name.ends_with("addr") { ADDRESS_BITS } else { *bits };
            self.module.net(if *input { Kind::Input } else { Kind::Output }, *name, bits);
        }
        let inputs = self.streams("s_axis", [Kind::Input, Kind::Output]);
        let outputs = self.streams("m_axis", [Kind::Output, Kind::Input]);
        let error = self.module.net(Kind::Output, "error_o", 1);
        let meanings: Vec<(&str, &'static str)> =
            PORTS.iter().copied().chain(AXIL.iter().map(|&(name, _, _, said)| (name, said))).collect();
        self.module.explain(&meanings);
        let steps = self.shape.steps();
        let [close, busy, swap, wrong] = ["close", "busy", "swap", "wrong"].map(|name| self.wire(name, 1));
        let [send, check] = ["send", "check"].map(|name| self.wire(name, steps));
        let control = Control { close, busy, swap, send, check, wrong };
        self.module.assigns.push((error, wrong.into()));
        let open = self.wires("open", 1);
        let astray = self.wires("astray", 1);
        let Words { written, wanted, settings } = self.registers(&control, &open);
        self.control(&control, &written, &astray);
        let back: Vec<Net> =
            (0..=self.shape.stages()).flat_map(|column| self.wires(&format!("back_{column}"), 1)).collect();
        let lanes = self.inputs(&inputs, &control, [&open, &astray], &back);
        let lanes = self.stages(&settings, lanes, &back);
        self.outputs(&outputs, &control, &wanted, lanes);
        self.module
    }

    fn streams(&mut self, name: &str, [there, back]: [Kind; 2]) -> Streams {
        let (n, width) = (self.shape.terminals(), self.width);
        let direction = |kind| if kind == Kind::Input { "i" } else { "o" };
        let mut port = |kind, what: &str, bits| {
            self.module.bundle(kind, format!("{name}_{what}_{}", direction(kind)), n, bits)
        };
        Streams {
            valid: port(there, "tvalid", 1),
            ready: port(back, "tready", 1),
            data: port(there, "tdata", width),
            last: port(there, "tlast", 1),
        }
    }

    fn wire(&mut self, name: impl Into<String>, bits: u32) -> Net {
        self.module.net(Kind::Wires, name.into(), bits)
    }

    /// A wire for each terminal.
    fn wires(&mut self, name: &str, bits: u32) -> Vec<Net> {
        (0..self.shape.terminals()).map(|terminal| self.wire(format!("{name}_{terminal}"), bits)).collect()
    }

    fn clocked(&self, name: impl Into<String>, of: Of) -> Instance {
        Instance::new(name, of).input("clk_i", self.clk).input("rst_i", self.rst)
    }

    fn control(&mut self, control: &Control, written: &Written, astray: &[Net]) {
        self.module.heading("What happens after a commit.");
        let shape = self.shape;
        let spec = CrossbarControlSpec {
            bits: shape.last_age().ilog2() + 1,
            steps: shape.steps(),
            // Two registers each lead from the comparison of an age to what happens.
            swap: u64::from(shape.swap_age()) - 2,
            check: u64::from(shape.check_age()) - 2,
            last: shape.last_age().into(),
        };
        let instance = self
            .clocked("u_control", Of::cell(spec))
            .input("write_i", written.write)
            .input("here_i", written.here)
            .input("update_i", Expr::Concat(vec![slice(written.data, 1, 1)]))
            .input("wrong_i", Expr::Any(astray.iter().map(|&net| net.into()).collect()))
            .output("close_o", control.close)
            .output("busy_o", control.busy)
            .output("swap_o", control.swap)
            .output("send_o", control.send)
            .output("check_o", control.check)
            .output("wrong_o", control.wrong);
        self.module.instances.push(instance);
    }

    /// What is before the first column of links.
    fn inputs(
        &mut self,
        streams: &Streams,
        control: &Control,
        [open, astray]: [&[Net]; 2],
        back: &[Net],
    ) -> Vec<Lane> {
        self.module.heading("The inputs.");
        (0..self.shape.terminals())
            .map(|terminal| {
                let at = terminal as usize;
                let valid = self.wire(format!("valid_{terminal}"), 1);
                // Where the first column of links leads this input.
                let heard = back[self.network.link(StageIdx(0))[at] as usize];
                let spec =
                    CrossbarInputSpec { steps: self.shape.steps(), number: 2 * u64::from(terminal) + 1 };
                let instance = self
                    .clocked(format!("u_input_{terminal}"), Of::cell(spec))
                    .input("close_i", control.close)
                    .input("check_i", control.check)
                    .input("back_i", heard)
                    .input("tvalid_i", streams.valid.lane(terminal))
                    .output("tready_o", streams.ready.lane(terminal))
                    .output("valid_o", valid)
                    .output("open_o", open[at])
                    .output("wrong_o", astray[at]);
                self.module.instances.push(instance);
                let word: Vec<Part> =
                    [streams.last, streams.data].map(|bundle| bundle.lane(terminal).into()).into();
                Lane { valid: valid.into(), data: Expr::Concat(word), back: heard }
            })
            .collect()
    }

    /// The columns of switches with the way back; what is behind the last column of links.
    fn stages(&mut self, settings: &[Net], lanes: Vec<Lane>, back: &[Net]) -> Vec<Lane> {
        let (n, stages, width) = (self.shape.terminals(), self.shape.stages(), self.width + 1);
        let column = |stage: u32| &back[(stage * n) as usize..((stage + 1) * n) as usize];
        let mut lanes = self.linked(0, lanes);
        for stage in 0..stages {
            let group = self.network.group(self.network.group_of(StageIdx(stage)));
            if group.len() > 1 {
                if stage == group.start {
                    lanes = self.quads(group, settings, lanes, back);
                }
                continue;
            }
            self.module.heading(format!("Stage {stage}: its switches, and the way back through them."));
            let link = self.network.link(StageIdx(stage + 1)).to_vec();
            let mut after = Vec::with_capacity(lanes.len());
            for (switch, pair) in lanes.chunks_exact(2).enumerate() {
                let state =
                    setting(&self.module, &self.shape, settings, StageIdx(stage), SwitchIdx(switch as u32));
                let mut instance = self
                    .clocked(format!("u_switch_{stage}_{switch}"), Of::cell(SwitchSpec { width }))
                    .input("state_i", state.clone());
                let mut returns = self
                    .clocked(format!("u_return_{stage}_{switch}"), Of::cell(ReturnSwitchSpec))
                    .input("state_i", state);
                for (side, lane) in pair.iter().enumerate() {
                    let port = 2 * switch + side;
                    let [valid, data] = [("valid", 1), ("data", width)]
                        .map(|(what, bits)| self.wire(format!("s{stage}_{what}_{port}"), bits));
                    let heard = column(stage + 1)[match stage + 1 == stages {
                        true => port,
                        false => link[port] as usize,
                    }];
                    instance = instance
                        .input(&format!("valid{side}_i"), lane.valid.clone())
                        .input(&format!("data{side}_i"), lane.data.clone())
                        .output(&format!("valid{side}_o"), valid)
                        .output(&format!("data{side}_o"), data);
                    returns = returns
                        .input(&format!("back{side}_i"), heard)
                        .output(&format!("back{side}_o"), column(stage)[port]);
                    after.push(Lane { valid: valid.into(), data: data.into(), back: heard });
                }
                self.module.instances.extend([instance, returns]);
            }
            lanes = self.linked(stage + 1, after);
        }
        lanes
    }

    /// A group of stages as a column of 4×4 switches. The settings stand still while words pass, so it does not matter that what they select is
    /// stored a cycle after them.
    fn quads(&mut self, group: Range<u32>, settings: &[Net], lanes: Vec<Lane>, back: &[Net]) -> Vec<Lane> {
        let (n, shape, width) = (self.shape.terminals(), self.shape, self.width + 1);
        let (first, last, number) =
            (group.start, group.end - 1, self.network.group_of(StageIdx(group.start)));
        self.module.heading(format!(
            "Stages {first} to {last}: what their states select, and the way back through them."
        ));
        let selected =
            quads::numbers(&mut self.module, "u_switch_", &self.network, number, |module, stage, switch| {
                setting(module, &shape, settings, stage, switch)
            });
        let column = |stage: u32| &back[(stage * n) as usize..((stage + 1) * n) as usize];
        // What comes back to the outputs of each stage, the last stage first.
        for stage in group.clone().rev() {
            let link = self.network.link(StageIdx(stage + 1)).to_vec();
            let heard = |port: u32| match stage + 1 == shape.stages() {
                true => column(stage + 1)[port as usize],
                false => column(stage + 1)[link[port as usize] as usize],
            };
            for switch in 0..shape.switches() {
                let state = setting(&self.module, &shape, settings, StageIdx(stage), SwitchIdx(switch));
                let ports = [2 * switch, 2 * switch + 1];
                // Only what leaves the group is stored.
                let out = ports.map(|port| match stage == first {
                    true => self.wire(format!("said_{stage}_{port}"), 1),
                    false => column(stage)[port as usize],
                });
                let spec = PlainSwitchSpec { width: 1 };
                let returns = Instance::new(format!("u_return_{stage}_{switch}"), Of::cell(spec))
                    .input("state_i", state)
                    .input("data0_i", heard(ports[0]))
                    .input("data1_i", heard(ports[1]))
                    .output("data0_o", out[0])
                    .output("data1_o", out[1]);
                self.module.instances.push(returns);
                if stage == first {
                    for (port, said) in ports.into_iter().zip(out) {
                        let register = self
                            .clocked(format!("u_back_{stage}_{port}"), Of::cell(RoundDelaySpec { bits: 1 }))
                            .input("round_i", said)
                            .output("round_o", column(stage)[port as usize]);
                        self.module.instances.push(register);
                    }
                }
            }
        }
        let words: Vec<(Expr, Expr)> = lanes.into_iter().map(|lane| (lane.valid, lane.data)).collect();
        let [valid, data] = quads::column(
            &mut self.module,
            &self.network,
            number,
            width,
            [self.clk, self.rst],
            &selected,
            &words,
        );
        let link = self.network.link(StageIdx(last + 1)).to_vec();
        let after = (0..n)
            .map(|port| {
                let to = if last + 1 == shape.stages() { port } else { link[port as usize] };
                Lane {
                    valid: valid.lane(port).into(),
                    data: data.lane(port).into(),
                    back: column(last + 1)[to as usize],
                }
            })
            .collect();
        self.linked(last + 1, after)
    }

    /// What is behind a link column.
    fn linked(&self, column: u32, lanes: Vec<Lane>) -> Vec<Lane> {
        let mut linked: Vec<(u32, Lane)> =
            self.network.link(StageIdx(column)).iter().copied().zip(lanes).collect();
        linked.sort_by_key(|(to, _)| *to);
        linked.into_iter().map(|(_, lane)| lane).collect()
    }

    /// The queues at the outputs, and what the outputs say.
    fn outputs(&mut self, streams: &Streams, control: &Control, wanted: &[Net], lanes: Vec<Lane>) {
        self.module.heading("The outputs, with their queues.");
        let (bits, width, steps) = (self.shape.queue_bits(), self.width + 1, self.shape.steps());
        for (terminal, lane) in (0..).zip(lanes) {
            let [read_address, write_address] =
                ["head", "tail"].map(|name| self.wire(format!("{name}_{terminal}"), bits));
            let [read, write, room, some, offers] = ["read", "write", "room", "some", "offers"]
                .map(|name| self.wire(format!("{name}_{terminal}"), 1));
            let shown = self.wire(format!("shown_{terminal}"), width);
            let spec =
                BeatQueueSpec { address_bits: bits, used_bits: bits + 1, limit: self.shape.limit().into() };
            let queue = self
                .clocked(format!("u_queue_{terminal}"), Of::cell(spec))
                .input("due_i", lane.valid.clone())
                .input("push_i", lane.valid.clone())
                .input("tready_i", streams.ready.lane(terminal))
                .output("advance_o", room)
                .output("tvalid_o", streams.valid.lane(terminal))
                .output("write_address_o", write_address)
                .output("write_o", write)
                .output("some_o", some)
                .output("shown_o", offers);
            let pointer = self
                .clocked(format!("u_pointer_{terminal}"), Of::cell(QueuePointerSpec { address_bits: bits }))
                .input("some_i", some)
                .input("shown_i", offers)
                .input("tready_i", streams.ready.lane(terminal))
                .output("read_o", read)
                .output("address_o", read_address);
            let memory = Instance::new(
                format!("u_memory_{terminal}"),
                Of::cell(TurnMemorySpec { address_bits: bits, width }),
            )
            .input("clk_i", self.clk)
            .input("write_i", write)
            .input("write_address_i", write_address)
            .input("data_i", lane.data)
            .input("read_i", read)
            .input("read_address_i", read_address)
            .output("data_o", shown);
            let own = wanted[terminal as usize];
            let off = Part::Net { net: own, bits: Some((steps - 1, steps - 1)), invert: true };
            let says = self
                .clocked(format!("u_output_{terminal}"), Of::cell(CrossbarOutputSpec { steps }))
                .input("send_i", control.send)
                .input("wanted_i", Expr::Concat(vec![slice(own, steps - 2, 0), off]))
                .input("room_i", room)
                .output("back_o", lane.back);
            self.module.instances.extend([queue, pointer, memory, says]);
            self.module
                .assigns
                .push((streams.last.lane(terminal), Expr::Concat(vec![slice(shown, width - 1, width - 1)])));
            self.module
                .assigns
                .push((streams.data.lane(terminal), Expr::Concat(vec![slice(shown, width - 2, 0)])));
        }
    }
}
