//! `D_exchange`: the fabric with its controllers; asks for words and says whose words arrive.

use crate::netlist::{Bundle, Expr, Instance, Kind, Module, Net, Of, Part};
use crate::spec::{CellSpec, MessageWords, counter_bits};
use frit_network::StageIdx;
use frit_schedule::rotation::{Direction, RotationLabels};
use frit_schedule::second_pass::SecondPass;
use frit_schedule::stage_control::{Rule, StageControl, rotate_right};
use frit_schedule::systolic::Systolic;
use frit_schedule::{Control, Plan};

mod tables;

/// What stands around an exchange.
#[derive(Clone, Copy)]
pub(super) struct Form {
    /// The module's name, behind the design's.
    pub name: &'static str,
    /// Words of a message; a round lasts as many cycles.
    pub words: u32,
    /// Whether a word comes from a memory, a cycle after it was asked for: then the fabric and what sets it work a cycle
    /// behind the terminals.
    pub ahead: bool,
}

impl Form {
    /// A word for each message, taken in the cycle in which it is asked for.
    pub const PLAIN: Form = Form { name: "exchange", words: 1, ahead: false };
}

/// The ports and shared nets of the exchange while it is built.
struct Exchange<'a> {
    plan: &'a Plan,
    form: Form,
    module: Module,
    clk: Net,
    rst: Net,
    send_valid: Bundle,
    send_dest: Bundle,
    recv_source: Bundle,
    conflict: Net,
    sending: Net,
    /// High in the last cycle of a round being sent.
    advance: Net,
    /// Whether a word enters the fabric, of each lane.
    entering: Vec<Expr>,
}

pub(super) fn module(plan: &Plan, width: u32, fabric: usize, labels: Option<usize>, form: Form) -> Module {
    let lanes = plan.network.lanes();
    let address = plan.address_bits();
    let what = match form.ahead {
        false => {
            "The exchange: after start_i, lane i takes in each cycle with send_valid_o[i] the word for send_dest_o[i] from send_data_i, in that cycle, and shows the words that arrive, with their source."
        }
        true => {
            "The exchange between memories: as the exchange, but the word asked for is taken from send_data_i one cycle later."
        }
    };
    let mut header = super::header(plan, width, what);
    if form.words > 1 {
        header.push(format!(
            "A message has {} words, asked for by send_word_o: a round lasts as many cycles.",
            form.words
        ));
    }
    if form.ahead {
        header.push(format!("So a run takes {} cycles.", plan.message_cycles(form.words) + 1));
    }
    header.push("done_o is high in the cycle of the last arrival, when cycles_o holds the total. A start while busy is ignored.".into());
    let mut module = Module::new(format!("{}_{}", plan.design_name(width), form.name), header);
    let clk = module.net(Kind::Input, "clk_i", 1);
    let rst = module.net(Kind::Input, "rst_i", 1);
    let start = module.net(Kind::Input, "start_i", 1);
    let send_valid = module.bundle(Kind::Output, "send_valid_o", lanes, 1);
    let send_dest = module.bundle(Kind::Output, "send_dest_o", lanes, address);
    let word_bits = MessageWords::new(form.words).bits;
    let send_word = (form.words > 1).then(|| module.net(Kind::Output, "send_word_o", word_bits));
    let send_data = module.bundle(Kind::Input, "send_data_i", lanes, width);
    let recv_valid = module.bundle(Kind::Output, "recv_valid_o", lanes, 1);
    let recv_source = module.bundle(Kind::Output, "recv_source_o", lanes, address);
    let recv_data = module.bundle(Kind::Output, "recv_data_o", lanes, width);
    let busy = module.net(Kind::Output, "busy_o", 1);
    let done = module.net(Kind::Output, "done_o", 1);
    let conflict = module.net(Kind::Output, "conflict_o", 1);
    let cycles = module.net(Kind::Output, "cycles_o", 32);
    let sending = module.net(Kind::Wires, "sending", 1);

    // What the sequencer counts are the cycles in which words are sent.
    let slots = plan.rounds * form.words;
    let (last, latency) = (u64::from(slots) - 1, plan.latency() as u64 + u64::from(form.ahead));
    let bits = counter_bits(last);
    let spec = match plan.second_pass.map(SecondPass::window) {
        None => CellSpec::Sequencer { bits, last, latency },
        Some(window) => {
            let slot_bits = counter_bits(u64::from(window) - 1);
            CellSpec::PassSequencer { bits, slot_bits, last, window: window as u64, latency }
        }
    };
    let sequencer = Instance::new("u_sequencer", Of::Cell(spec))
        .input("clk_i", clk)
        .input("rst_i", rst)
        .input("start_i", start)
        .output("busy_o", busy)
        .output("sending_o", sending)
        .output("done_o", done)
        .output("cycles_o", cycles);

    let entering = send_valid.drive();
    let mut exchange = Exchange {
        plan,
        form,
        module,
        clk,
        rst,
        send_valid,
        send_dest,
        recv_source,
        conflict,
        sending,
        advance: sending,
        entering,
    };
    exchange.messages(send_word);
    let (sequencer, passes) = exchange.passes(sequencer);
    let controls = match &plan.control {
        Control::Labels(rule) => {
            let labels = labels.expect("a plan with labels has a module that routes them");
            exchange.rotation(*rule, sequencer, labels, &passes)
        }
        Control::Stages(rule) => exchange.stage_control(*rule, sequencer),
        Control::Table(tables) => exchange.tables(tables, sequencer, labels, &passes),
        Control::Systolic(rule) => exchange.systolic(rule, sequencer, busy, done),
    };
    let mut instance = Instance::new("u_fabric", Of::Module(fabric))
        .input("clk_i", clk)
        .input("rst_i", rst)
        .inputs("valid_i", exchange.entering.clone())
        .inputs("data_i", send_data.drive());
    for (port, bits) in controls.into_iter().chain(passes.controls) {
        instance = instance.inputs(port, bits);
    }
    exchange
        .module
        .instances
        .push(instance.outputs("valid_o", recv_valid.driven()).outputs("data_o", recv_data.driven()));
    exchange.module
}

/// The control inputs of the fabric and what drives them.
type Controls = Vec<(&'static str, Vec<Expr>)>;

/// What steers a network that is passed twice; nothing for other networks.
struct Passes {
    controls: Controls,
    /// Whether a round arrives, if the sequencer has an output for it already.
    arriving: Option<Net>,
}

impl Exchange<'_> {
    /// What stands between the terminals and the fabric: a counter of the words of the message being sent, and the
    /// register in which its word waits for the memory.
    fn messages(&mut self, send_word: Option<Net>) {
        if let Some(word) = send_word {
            self.advance = self.module.net(Kind::Wires, "send_round_ends", 1);
            let words = MessageWords::new(self.form.words);
            self.count("send_word", words, self.sending, [Some(word), Some(self.advance)]);
        }
        if self.form.ahead {
            let entering = self.later("entering", self.sending.into(), 1);
            self.entering = vec![entering.into(); self.plan.network.lanes() as usize];
        }
    }

    /// A counter of the steps `step`; what is given are its count and whether it ends.
    fn count(&mut self, name: &str, counted: MessageWords, step: Net, [count, wrap]: [Option<Net>; 2]) {
        let spec = CellSpec::ModuloCounter { bits: counted.bits, last: counted.last };
        self.module.instances.push(
            Instance::new(format!("u_count_{name}"), Of::Cell(spec))
                .input("clk_i", self.clk)
                .input("rst_i", self.rst)
                .input("step_i", step)
                .outputs("count_o", vec![count])
                .outputs("wrap_o", vec![wrap]),
        );
    }

    /// The last cycle of a round that arrives, given the cycles in which its words do.
    fn arrived(&mut self, arriving: Net) -> Net {
        if self.form.words == 1 {
            return arriving;
        }
        let ends = self.module.net(Kind::Wires, "arrive_round_ends", 1);
        self.count("arrive_word", MessageWords::new(self.form.words), arriving, [None, Some(ends)]);
        ends
    }

    /// The numbers of the round being sent and of the one arriving, for controls that follow from them.
    fn rounds(&mut self, sequencer: Instance) -> (Net, Net) {
        let last = u64::from(self.plan.rounds) - 1;
        let rounds = MessageWords { bits: counter_bits(last), last };
        let round = self.module.net(Kind::Wires, "round", rounds.bits);
        let arrival = self.module.net(Kind::Wires, "arrival", rounds.bits);
        if self.form.words == 1 {
            let sequencer = sequencer.output("round_o", round).output("arrival_o", arrival);
            self.module.instances.push(sequencer.unused("arriving_o"));
            return (round, arrival);
        }
        let arriving = self.module.net(Kind::Wires, "arriving", 1);
        let sequencer = sequencer.unused("round_o").unused("arrival_o").output("arriving_o", arriving);
        self.module.instances.push(sequencer);
        let arrived = self.arrived(arriving);
        self.count("round", rounds, self.advance, [Some(round), None]);
        self.count("arrival", rounds, arrived, [Some(arrival), None]);
        (round, arrival)
    }

    /// A control a cycle later, where the fabric works behind the terminals.
    fn in_time(&mut self, name: &str, control: Expr, bits: u32) -> Expr {
        match self.form.ahead {
            true => self.later(name, control, bits).into(),
            false => control,
        }
    }

    fn later(&mut self, name: &str, control: Expr, bits: u32) -> Net {
        let later = self.module.net(Kind::Wires, name, bits);
        self.module.instances.push(
            Instance::new(format!("u_{name}"), Of::Cell(CellSpec::RoundDelay { bits }))
                .input("clk_i", self.clk)
                .input("rst_i", self.rst)
                .input("round_i", control)
                .output("round_o", later),
        );
        later
    }

    /// Connects what a sequencer of two passes has more than another one.
    fn passes(&mut self, sequencer: Instance) -> (Instance, Passes) {
        let Some(second) = self.plan.second_pass else {
            return (sequencer, Passes { controls: Vec::new(), arriving: None });
        };
        let again = self.module.net(Kind::Wires, "again", 1);
        let arriving = self.module.net(Kind::Wires, "arriving", 1);
        let sequencer = sequencer.output("again_o", again).output("arriving_o", arriving);
        let again = if self.form.ahead { self.later("entering_again", again.into(), 1) } else { again };
        // Without a buffer the end of the first pass is one window from the inputs, where the other pass is.
        let deliver = match second.wait {
            0 => Expr::Concat(vec![Part::Net { net: again, bits: None, invert: true }]),
            _ => arriving.into(),
        };
        let controls = vec![("again_i", vec![again.into()]), ("deliver_i", vec![deliver])];
        (sequencer, Passes { controls, arriving: Some(arriving) })
    }

    /// A label generator and a terminal per lane, and the module that routes the labels.
    fn rotation(
        &mut self,
        rule: RotationLabels,
        sequencer: Instance,
        labels: usize,
        passes: &Passes,
    ) -> Controls {
        let (sequencer, arriving) = match passes.arriving {
            Some(arriving) => (sequencer, arriving),
            None => {
                let arriving = self.module.net(Kind::Wires, "arriving", 1);
                let sequencer = sequencer.unused("round_o").unused("arrival_o");
                (sequencer.output("arriving_o", arriving), arriving)
            }
        };
        self.module.instances.push(sequencer);
        let arrived = self.arrived(arriving);
        let (lanes, address) = (self.plan.network.lanes(), self.plan.address_bits());
        let (up, down) = (1, (1u64 << address) - 1);
        let (send_step, receive_step) = match rule.direction {
            Direction::Right => (down, up),
            Direction::Left => (up, down),
        };
        let dest = self.module.bundle(Kind::Wires, "dest", lanes, address);
        let intermediate = self.module.bundle(Kind::Wires, "intermediate", lanes, address);
        let mut label = Vec::new();
        for lane in 0..lanes {
            let terminal = lane as u64;
            let generator = CellSpec::LabelGen { bits: address, terminal, step: send_step };
            self.module.instances.push(
                Instance::new(format!("u_label_gen_{lane}"), Of::Cell(generator))
                    .input("clk_i", self.clk)
                    .input("rst_i", self.rst)
                    .input("advance_i", self.advance)
                    .output("dest_o", dest.lane(lane))
                    .output("intermediate_o", intermediate.lane(lane)),
            );
            let spec = CellSpec::Terminal { bits: address, terminal, step: receive_step };
            self.module.instances.push(
                Instance::new(format!("u_terminal_{lane}"), Of::Cell(spec))
                    .input("clk_i", self.clk)
                    .input("rst_i", self.rst)
                    .input("sending_i", self.sending)
                    .input("dest_i", dest.lane(lane))
                    .input("arriving_i", arrived)
                    .output("send_valid_o", self.send_valid.lane(lane))
                    .output("send_dest_o", self.send_dest.lane(lane))
                    .output("recv_source_o", self.recv_source.lane(lane)),
            );
            let bits = Some((rule.destination_bits() - 1, 0));
            let low = Part::Net { net: dest.lane(lane), bits, invert: false };
            label.push(Expr::Concat(vec![intermediate.lane(lane).into(), low]));
        }
        self.routed_labels(labels, label, passes)
    }

    /// The module that routes labels and sets the switches by them.
    fn routed_labels(&mut self, labels: usize, label: Vec<Expr>, passes: &Passes) -> Controls {
        let states = self.plan.network.switches() as u32;
        let label: Vec<Expr> = (0..)
            .zip(label)
            .map(|(lane, label)| self.in_time(&format!("entering_label_{lane}"), label, self.plan.hops()))
            .collect();
        let state = self.module.bundle(Kind::Vector, "state", states, 1);
        let mut instance = Instance::new("u_labels", Of::Module(labels))
            .input("clk_i", self.clk)
            .input("rst_i", self.rst)
            .inputs("valid_i", self.entering.clone())
            .inputs("label_i", label);
        for (port, bits) in &passes.controls {
            instance = instance.inputs(port, bits.clone());
        }
        let instance = instance.outputs("state_o", state.driven()).output("conflict_o", self.conflict);
        self.module.instances.push(instance);
        vec![("state_i", state.drive())]
    }

    /// A driver per stage, and a terminal per lane that computes the ends of the path of its messages.
    fn stage_control(&mut self, rule: StageControl, sequencer: Instance) -> Controls {
        let (round, arrival) = self.rounds(sequencer);
        let (lanes, stages) = (self.plan.network.lanes(), self.plan.network.stages());
        let off = || Expr::constant(0, 1);
        let alternating = (0..stages).any(|stage| rule.alternating_stage(StageIdx(stage)));
        // The control words of the round being sent and of the one arriving, and whether they alternate.
        let (word, alternate, arrive_word, arrive_alternate) = if alternating {
            let (word, alternate) = self.ata2_word("send", round);
            let (arrive_word, arrive_alternate) = self.ata2_word("arrive", arrival);
            (word, Expr::from(alternate), arrive_word, Expr::from(arrive_alternate))
        } else {
            (round, off(), arrival, off())
        };
        if let Rule::Xor { rotation } = rule.rule {
            self.xor_terminals(rotation, [word, arrive_word]);
        } else {
            self.shuffle_terminals([word, arrive_word], [alternate.clone(), arrive_alternate]);
        }
        for lane in 0..lanes {
            self.module.assigns.push((self.send_valid.lane(lane), self.sending.into()));
        }
        self.module.assigns.push((self.conflict, off()));
        let word = self.in_time("entering_word", word.into(), stages);
        let even = self.module.bundle(Kind::Vector, "stage", stages, 1);
        if !alternating {
            self.stage_drivers(stages, word, even);
            return vec![("stage_i", even.drive())];
        }
        let alternate = self.in_time("entering_alternate", alternate, 1);
        let odd = self.module.bundle(Kind::Vector, "stage_odd", stages, 1);
        self.alternating_drivers(rule, word, alternate, even, odd);
        vec![("stage_i", even.drive()), ("stage_odd_i", odd.drive())]
    }

    /// Terminals that follow the path through the shuffle-exchange network, from the control words of the round being
    /// sent and of the one arriving, and whether each alternates.
    fn shuffle_terminals(&mut self, [word, arrive_word]: [Net; 2], [alternate, arrive_alternate]: [Expr; 2]) {
        let (lanes, stages) = (self.plan.network.lanes(), self.plan.network.stages());
        for lane in 0..lanes {
            let spec = CellSpec::ShuffleTerminal { stages, terminal: lane as u64, half: lanes as u64 / 2 };
            // The terminal takes the bits in the order of the stages, so the word reversed.
            let bit = |at| Part::Net { net: word, bits: Some((at, at)), invert: false };
            self.module.instances.push(
                Instance::new(format!("u_terminal_{lane}"), Of::Cell(spec))
                    .input("send_word_i", Expr::Concat((0..stages).map(bit).collect()))
                    .input("send_alternate_i", alternate.clone())
                    .input("arrive_word_i", arrive_word)
                    .input("arrive_alternate_i", arrive_alternate.clone())
                    .output("send_dest_o", self.send_dest.lane(lane))
                    .output("recv_source_o", self.recv_source.lane(lane)),
            );
        }
    }

    /// Terminals of the XOR method on a network that rotates numbers to the right by `rotation` bits, so that a receiver
    /// rotates them back.
    fn xor_terminals(&mut self, rotation: u32, [word, arrive_word]: [Net; 2]) {
        let bits = self.plan.network.stages();
        let bit = |at: u32| {
            let at = (at + bits - rotation) % bits;
            Part::Net { net: arrive_word, bits: Some((at, at)), invert: false }
        };
        let arrive: Expr = match rotation {
            0 => arrive_word.into(),
            _ => Expr::Concat((0..bits).rev().map(bit).collect()),
        };
        for lane in 0..self.plan.network.lanes() {
            let dest = rotate_right(lane, rotation, bits) as u64;
            let source = rotate_right(lane, bits - rotation, bits) as u64;
            let spec = CellSpec::XorTerminal { bits, dest, source };
            self.module.instances.push(
                Instance::new(format!("u_terminal_{lane}"), Of::Cell(spec))
                    .input("send_word_i", word)
                    .input("arrive_word_i", arrive.clone())
                    .output("send_dest_o", self.send_dest.lane(lane))
                    .output("recv_source_o", self.recv_source.lane(lane)),
            );
        }
    }

    fn ata2_word(&mut self, which: &str, round: Net) -> (Net, Net) {
        let bits = self.plan.network.stages();
        let word = self.module.net(Kind::Wires, format!("{which}_word"), bits);
        let alternate = self.module.net(Kind::Wires, format!("{which}_alternate"), 1);
        self.module.instances.push(
            Instance::new(format!("u_{which}_word"), Of::Cell(CellSpec::Ata2Word { bits }))
                .input("round_i", round)
                .output("word_o", word)
                .output("alternate_o", alternate),
        );
        (word, alternate)
    }

    fn stage_drivers(&mut self, stages: u32, mut word: Expr, state: Bundle) {
        for stage in 0..stages {
            let instance = Instance::new(
                format!("u_stage_driver_{stage}"),
                Of::Cell(CellSpec::StageDriver { bits: stages }),
            )
            .input("clk_i", self.clk)
            .input("rst_i", self.rst)
            .input("word_i", word.clone())
            .output("state_o", state.lane(stage));
            let instance = if stage + 1 < stages {
                let next = self.module.net(Kind::Wires, format!("word_{stage}"), stages);
                word = next.into();
                instance.output("word_o", next)
            } else {
                instance.unused("word_o")
            };
            self.module.instances.push(instance);
        }
    }

    fn alternating_drivers(
        &mut self,
        rule: StageControl,
        mut word: Expr,
        mut alternate: Expr,
        even: Bundle,
        odd: Bundle,
    ) {
        let stages = self.plan.network.stages();
        for stage in 0..stages {
            let instance = Instance::new(
                format!("u_stage_driver_{stage}"),
                Of::Cell(CellSpec::AlternatingDriver { bits: stages }),
            )
            .input("clk_i", self.clk)
            .input("rst_i", self.rst)
            .input("word_i", word.clone())
            .input("alternate_i", alternate.clone())
            .output("even_o", even.lane(stage));
            let instance = if rule.alternating_stage(StageIdx(stage)) {
                instance.output("odd_o", odd.lane(stage))
            } else {
                // All switches of the first and the last stage follow the same bit.
                self.module.assigns.push((odd.lane(stage), even.lane(stage).into()));
                instance.unused("odd_o")
            };
            let instance = if stage + 1 < stages {
                let next_word = self.module.net(Kind::Wires, format!("word_{stage}"), stages);
                let next = self.module.net(Kind::Wires, format!("alternate_{stage}"), 1);
                (word, alternate) = (next_word.into(), next.into());
                instance.output("word_o", next_word).output("alternate_o", next)
            } else {
                instance.unused("word_o").unused("alternate_o")
            };
            self.module.instances.push(instance);
        }
    }

    /// One controller for all routers, one that follows what arrives, and the interfaces of the processors.
    fn systolic(&mut self, rule: &Systolic, sequencer: Instance, busy: Net, done: Net) -> Controls {
        let order = rule.sequence().order();
        let arriving = self.module.net(Kind::Wires, "arriving", 1);
        self.module
            .instances
            .push(sequencer.unused("round_o").unused("arrival_o").output("arriving_o", arriving));
        let arrived = self.arrived(arriving);
        let (long, per_level) = (self.form.words > 1, self.plan.control_per_level());
        // One bit drives all routers, or the bit of the next cycle a register for each level.
        let output = match (long, per_level && !self.form.ahead) {
            (true, _) => None,
            (_, true) => Some(("ahead_o", self.module.net(Kind::Wires, "ahead", 1))),
            (_, false) => Some(("control_o", self.module.net(Kind::Wires, "control", 1))),
        };
        let step = |round_ends: Net| if long { round_ends.into() } else { Expr::constant(1, 1) };
        let (send_step, arrive_step) = (step(self.advance), step(arrived));
        // The routers are driven as long as packets are under way, beyond the last slot.
        let next = self.controller("send", rule, [busy.into(), send_step, done.into()], output);
        let off = Expr::constant(0, 1);
        let next_arrive = self.controller("arrive", rule, [arriving.into(), arrive_step, off], None);
        let word = self.routing_word("send", rule, self.sending.into(), next);
        let arrive_word = self.routing_word("arrive", rule, Expr::constant(1, 1), next_arrive);
        // a_0 = 0 is the top bit of the word.
        let whole = |word: Net| Expr::Concat(vec![Part::Const { value: 0, bits: 1 }, word.into()]);
        for terminal in 0..self.plan.network.terminals() {
            let spec = CellSpec::OpticalTerminal { bits: order + 1, terminal: terminal as u64 };
            let (up, down) = (2 * terminal, 2 * terminal + 1);
            self.module.instances.push(
                Instance::new(format!("u_terminal_{terminal}"), Of::Cell(spec))
                    .input("send_word_i", whole(word))
                    .input("arrive_word_i", whole(arrive_word))
                    .output("up_dest_o", self.send_dest.lane(up))
                    .output("down_dest_o", self.send_dest.lane(down))
                    .output("up_source_o", self.recv_source.lane(up))
                    .output("down_source_o", self.recv_source.lane(down)),
            );
            self.module.assigns.push((self.send_valid.lane(up), self.sending.into()));
            self.module.assigns.push((self.send_valid.lane(down), self.sending.into()));
        }
        self.module.assigns.push((self.conflict, Expr::constant(0, 1)));
        let stages = self.plan.network.stages();
        let Some((_, control)) = output else {
            assert!(per_level, "one control bit for all levels changes in every cycle");
            let stage = self.module.bundle(Kind::Vector, "stage", stages, 1);
            self.held_levels(next, stage);
            return vec![("stage_i", stage.drive())];
        };
        if !per_level {
            return vec![("control_i", vec![self.in_time("entering_control", control.into(), 1)])];
        }
        let stage = self.module.bundle(Kind::Vector, "stage", stages, 1);
        for level in 0..stages {
            self.module.instances.push(
                Instance::new(format!("u_level_driver_{level}"), Of::Cell(CellSpec::LevelDriver { bits: 1 }))
                    .input("clk_i", self.clk)
                    .input("ahead_i", control)
                    .output("control_o", stage.lane(level)),
            );
        }
        vec![("stage_i", stage.drive())]
    }

    /// Drivers of the levels for rounds of several cycles: the bits that the words of a round will meet go on from level
    /// to level with them.
    fn held_levels(&mut self, next: Net, stage: Bundle) {
        let stages = self.plan.network.stages();
        let mut word: Expr = next.into();
        for register in 0..self.plan.entry_delay {
            word = self.later(&format!("edge_word_{register}"), word, stages).into();
        }
        let word = self.in_time("entering_word", word, stages);
        match stages {
            // A word of one bit has nothing to hand on.
            1 => self.module.assigns.push((stage.lane(0), word)),
            _ => self.stage_drivers(stages, word, stage),
        }
    }

    /// A de Bruijn controller with its next-bit rule, that runs, steps and stops as the inputs say; returns the state of its next step.
    fn controller(
        &mut self,
        which: &str,
        rule: &Systolic,
        [run, step, stop]: [Expr; 3],
        output: Option<(&str, Net)>,
    ) -> Net {
        let order = rule.sequence().order();
        let bit = self.module.net(Kind::Wires, format!("{which}_bit"), 1);
        let state = self.module.net(Kind::Wires, format!("{which}_state"), order);
        let next = self.module.net(Kind::Wires, format!("{which}_next"), order);
        self.module.instances.push(
            Instance::new(format!("u_{which}_rule"), Of::Cell(next_bit_rule(self.plan, rule)))
                .input("state_i", state)
                .output("bit_o", bit),
        );
        let spec = CellSpec::DeBruijn { order, start: rule.sequence().word(0) as u64 };
        let instance = Instance::new(format!("u_{which}_controller"), Of::Cell(spec))
            .input("clk_i", self.clk)
            .input("rst_i", self.rst)
            .input("run_i", run)
            .input("step_i", step)
            .input("stop_i", stop)
            .input("bit_i", bit)
            .output("state_o", state)
            .output("next_o", next);
        let used = output.map_or("", |(port, _)| port);
        let mut instance = output.iter().fold(instance, |instance, (port, net)| instance.output(port, *net));
        for port in ["control_o", "ahead_o"].into_iter().filter(|port| *port != used) {
            instance = instance.unused(port);
        }
        self.module.instances.push(instance);
        next
    }

    fn routing_word(&mut self, which: &str, rule: &Systolic, active: Expr, tau: Net) -> Net {
        let order = rule.sequence().order();
        let word = self.module.net(Kind::Wires, format!("{which}_word"), order);
        let spec = CellSpec::RoutingWord { order, idle: rule.routing_word(0) as u64 };
        self.module.instances.push(
            Instance::new(format!("u_{which}_word"), Of::Cell(spec))
                .input("active_i", active)
                .input("tau_i", tau)
                .output("word_o", word),
        );
        word
    }
}

/// The next-bit rule that the plan's option `controller` asks for; `auto` takes the successor rule if the
/// sequence has one, a minimised feedback function up to the order where one is computed, else a table.
fn next_bit_rule(plan: &Plan, rule: &Systolic) -> CellSpec {
    let option = |key: &str| plan.options.get(key).map_or("", String::as_str);
    let name = option("sequence").replace('-', "_");
    let sequence = rule.sequence();
    let successor = CellSpec::Successor { order: sequence.order() };
    let table = || CellSpec::next_bit_table(sequence, &name);
    match option("controller") {
        // One bit of state leaves nothing to compute.
        _ if sequence.order() == 1 => table(),
        "table" => table(),
        "feedback" => CellSpec::feedback(sequence, &name).unwrap_or_else(table),
        _ if name == "prefer_one" => successor,
        _ => CellSpec::feedback(sequence, &name).unwrap_or_else(table),
    }
}
