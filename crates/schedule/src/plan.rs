//! A plan: the network, its rounds, and how the switches learn their state.

use crate::faults::Faults;
use crate::rotation::RotationLabels;
use crate::second_pass::SecondPass;
use crate::stage_control::StageControl;
use crate::systolic::Systolic;
use crate::tables::Tables;
use crate::window::WindowLabels;
use frit_network::options::{OptionSpec, Row, Values};
use frit_network::{LaneIdx, Name, Network, RoundIdx, StageIdx, StuckSwitches, SwitchIdx, SwitchState};
use frit_traffic::trace::Delivered;
use std::collections::BTreeMap;

/// The value of an option for which the user has brought something of their own, a sequence or a permutation.
pub const CUSTOM: &str = "custom";

/// How the switches learn their state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Control {
    /// Self-routing: every message carries one label bit per stage; 0 takes output 0, 1 takes output 1.
    Labels(Labels),
    /// Stage control: one control word per round; a driver per stage sets the whole stage from it.
    Stages(StageControl),
    /// Stored: the settings or the labels of every round are read from tables.
    Table(Tables),
    /// Systolic: one bit for all switches at a time, a new one in each cycle. Messages carry no label; when one is sent
    /// decides where it arrives.
    Systolic(Systolic),
}

/// Labels that every terminal computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// Rotations through two Butterflies.
    Rotations(RotationLabels),
    /// Numbers of a window, through the general shuffle-exchange network.
    Windows(WindowLabels),
}

impl Labels {
    fn destination(self, round: RoundIdx, source: u32) -> u32 {
        match self {
            Labels::Rotations(rule) => rule.destination(round, source),
            Labels::Windows(rule) => rule.destination(round, source),
        }
    }

    fn label(self, round: RoundIdx, source: u32) -> u64 {
        match self {
            Labels::Rotations(rule) => rule.label(round, source),
            Labels::Windows(rule) => rule.label(round, source),
        }
    }
}

/// How often the rounds are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phases {
    /// Once: every source knows its destinations.
    One,
    /// Twice: the first run carries the labels of the sources, and where they arrive tells each source for which
    /// destination it queues a message; the second carries the messages.
    PrepareAndSend,
}

impl Phases {
    /// How many runs a complete exchange takes.
    pub fn count(self) -> u64 {
        match self {
            Phases::One => 1,
            Phases::PrepareAndSend => 2,
        }
    }
}

/// Which pairs of terminals the rounds of a plan serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// Every terminal has a message for every other and for itself.
    AllToAll,
    /// Only the pairs that some round names have a message: a single permutation, a part of an exchange.
    Scheduled,
    /// Every one of so many first terminals has a message for every other of them and for itself. The terminals behind them
    /// are spare: they neither send nor receive.
    Among(u32),
}

/// Figures that the table of systems shows beside what is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Cycles (of one phase) as the paper states them.
    pub cycles_paper: u64,
    /// No schedule of this kind on this network takes fewer cycles (per phase).
    pub cycles_lower_bound: u64,
    /// Why, in one line.
    pub bound_reason: String,
    /// Control signals that must be generated at one time.
    pub drivers: u64,
    /// Bits of schedule that must be stored in tables.
    pub stored_bits: u64,
    /// Bits of label that each message carries.
    pub label_bits: u32,
    /// Words of buffer in the network beside the output registers of its switches.
    pub buffer_words: u64,
    /// The paper and its section.
    pub source: &'static str,
}

impl Figures {
    /// Of a schedule that takes `cycles`, as its paper says, and no fewer, because of `bound_reason`. All else is 0.
    pub fn tight(cycles: u64, bound_reason: String, source: &'static str) -> Self {
        Figures {
            cycles_paper: cycles,
            cycles_lower_bound: cycles,
            bound_reason,
            drivers: 0,
            stored_bits: 0,
            label_bits: 0,
            buffer_words: 0,
            source,
        }
    }

    /// Of a schedule that brings every output one of `messages` messages in each cycle, the first after `stages` stages:
    /// nothing is shorter.
    pub fn full_outputs(messages: u32, stages: u32, source: &'static str) -> Self {
        let reason =
            format!("each output takes {messages} messages, one a cycle, the first after {stages} stages");
        Figures::tight(u64::from(messages) + u64::from(stages) - 1, reason, source)
    }
}

/// The option that leaves out what tells of conflicts.
pub const CONFLICT: OptionSpec = OptionSpec {
    name: "conflict",
    values: Values::Words(&["yes", "no"]),
    help: "yes: conflict_o is high if two messages want the same output of a switch; no: conflict_o is always 0",
    compared: false,
};

/// A network and the rounds that are run through it.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The system's key.
    pub system: &'static str,
    /// The options that the system has.
    pub specs: &'static [OptionSpec],
    /// The options in force, defaults included. Their values stand in what is emitted.
    pub options: BTreeMap<String, Name>,
    /// The switches and wires.
    pub network: Network,
    /// Number of rounds of an exchange.
    pub rounds: u32,
    /// How many exchanges a simulation runs, one behind the other without a gap; the hardware runs as many as are started.
    pub exchanges: u32,
    /// How the switches learn their state.
    pub control: Control,
    /// How often the rounds are run.
    pub phases: Phases,
    /// Which pairs of terminals the rounds serve.
    pub demand: Demand,
    /// Cycles between a message's injection and stage 0.
    pub entry_delay: u32,
    /// Registers that a message passes in each group of stages.
    pub pipeline: u32,
    /// Whether every message passes the network twice.
    pub second_pass: Option<SecondPass>,
    /// Figures from the paper.
    pub figures: Figures,
    /// In what else the text of the design differs from that of others with the same options, if it does.
    pub variant: Option<Variant>,
    /// Switches that are stuck, which every round uses in the state that they have ([`stuck`](crate::stuck)).
    pub stuck: StuckSwitches,
    /// Faults of the hardware, which the model follows and the schedule does not know.
    pub faults: Faults,
}

/// In what else the text of a design differs from that of others with the same options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Fit for a name: `compact`. Empty if nothing in the name says which variant it is.
    pub name: String,
    /// The options of `frit generate` that ask for it, each with a space before.
    pub arguments: String,
    /// The name that the user gave to the design, whatever else would be in it.
    pub given: Option<String>,
}

impl Variant {
    /// The name of a design of this variant whose name would be `own` without it.
    pub fn design_name(variant: Option<&Variant>, own: String) -> String {
        match variant {
            None => own,
            Some(Variant { given: Some(name), .. }) => name.clone(),
            Some(Variant { name, .. }) if name.is_empty() => own,
            Some(Variant { name, .. }) => format!("{own}_{name}"),
        }
    }
}

/// Options that were checked against the table of systems (or are the name of a user's network) as what they are.
fn named(options: &BTreeMap<String, String>) -> BTreeMap<String, Name> {
    let name =
        |value: &String| Name::new(value.as_str()).expect("the values of the table of systems are names");
    options.iter().map(|(key, value)| (key.clone(), name(value))).collect()
}

impl Plan {
    /// A complete exchange in one phase, through a network that is passed once and entered at its first stage: what most
    /// schedules are. The others change what differs.
    pub fn new(
        row: &Row,
        options: &BTreeMap<String, String>,
        network: Network,
        rounds: u32,
        control: Control,
        figures: Figures,
    ) -> Self {
        let plan = Plan {
            system: row.key,
            specs: row.options,
            options: named(options),
            network,
            rounds,
            exchanges: 1,
            control,
            phases: Phases::One,
            demand: Demand::AllToAll,
            entry_delay: 0,
            pipeline: 1,
            second_pass: None,
            figures,
            variant: None,
            stuck: StuckSwitches::default(),
            faults: Faults::default(),
        };
        plan.pipelined_as(options)
    }

    /// Where the message of `lane` goes in `round`: the output lane. Lane l belongs to terminal l / (lanes per terminal).
    pub fn destination(&self, round: RoundIdx, lane: LaneIdx) -> LaneIdx {
        let round = self.of_exchange(round);
        match &self.control {
            Control::Labels(rule) => LaneIdx(rule.destination(round, lane.0)),
            Control::Stages(rule) => rule.destination(&self.network, round, lane),
            Control::Systolic(rule) => rule.destination(round.0.into(), lane),
            Control::Table(tables) => tables.destination(round, lane),
        }
    }

    /// For each output lane the terminal whose message the plan brings there in a round: what receivers, who know the schedule, say that
    /// arrived. 0 for a lane to which it brings none.
    pub fn sources(&self, round: RoundIdx) -> Vec<u32> {
        let lanes = self.network.lanes();
        let mut sources = vec![0; lanes as usize];
        for lane in LaneIdx::all(lanes) {
            // A plan that is wrong on purpose may name a lane that does not exist.
            if let Some(source) = sources.get_mut(self.destination(round, lane).idx()) {
                *source = lane.0 / self.lanes_per_terminal();
            }
        }
        sources
    }

    /// The label that `lane` injects in `round` (one bit per hop, the first stage's bit the most significant), or
    /// `None` when the switches are set from outside.
    pub fn label(&self, round: RoundIdx, lane: LaneIdx) -> Option<u64> {
        let round = self.of_exchange(round);
        match &self.control {
            Control::Labels(rule) => Some(rule.label(round, lane.0)),
            Control::Table(tables) => tables.label(round, lane),
            Control::Stages(_) | Control::Systolic(_) => None,
        }
    }

    /// The control word of a round in binary, a bit per stage, the first stage's first, with `~` behind it if the inner
    /// stages alternate; `None` when every message carries a label of its own or every switch has a stored state.
    pub fn control_word(&self, round: RoundIdx) -> Option<String> {
        let (stages, round) = (self.hops(), self.of_exchange(round));
        match &self.control {
            Control::Labels(_) | Control::Table(_) => None,
            Control::Stages(rule) => {
                let mark = if rule.alternates(round) { "~" } else { "" };
                Some(format!("{:0width$b}{mark}", rule.word(round), width = stages as usize))
            }
            Control::Systolic(_) => {
                let state = |stage| self.systolic_state(StageIdx(stage), self.acts_at(stage, round));
                let bit = |stage| state(stage).is_some_and(|state| state.bit());
                Some((0..stages).map(|stage| if bit(stage) { '1' } else { '0' }).collect())
            }
        }
    }

    /// The state that stage control, systolic control or a stored setting gives a switch in `round` at a stage of the
    /// unrolled network, or `None` when the switches route themselves.
    pub fn stage_state(&self, round: RoundIdx, stage: StageIdx, switch: SwitchIdx) -> Option<SwitchState> {
        let round = self.of_exchange(round);
        match &self.control {
            Control::Labels(_) => None,
            Control::Table(tables) => tables.state(round, stage, switch),
            Control::Stages(rule) => Some(rule.state(round, stage, switch)),
            Control::Systolic(_) => self.systolic_state(stage, self.acts_at(stage.0, round)),
        }
    }

    /// By how many lanes a stage of the network turns all of them where its bit is set, if it is a column of multiplexers that turns;
    /// else it has 2×2 switches.
    pub fn turn(&self, stage: StageIdx) -> Option<u32> {
        match &self.control {
            Control::Stages(rule) => rule.turn(stage),
            Control::Labels(_) | Control::Systolic(_) | Control::Table(_) => None,
        }
    }

    /// What a stage has, and how many of it: switches, or a multiplexer for each lane.
    pub fn stage_parts(&self) -> (u32, &'static str) {
        match self.turn(StageIdx(0)) {
            None => (self.network.switches_per_stage(), "switches"),
            Some(_) => (self.network.lanes(), "multiplexers"),
        }
    }

    /// Words that can move at one time on the links that lead from a register to a switch: the lanes of the columns
    /// between stages, those of the way back of a second pass, and those in front of the first stage if a message spends a
    /// cycle on them (the fibres from the processors to level 1 of the optical butterfly). What joins a terminal to the
    /// network without a register of its own is not counted, nor is the column behind the last stage.
    ///
    /// A lane counts where it is emitted, also one that stays inside a router of the flattened butterfly.
    pub fn wires(&self) -> u64 {
        let back = u64::from(self.second_pass.is_some()) + u64::from(self.entry_delay);
        self.network.wires_between_groups() + back * u64::from(self.network.lanes())
    }

    /// Whether every message carries a label that sets the switches, whatever computes or stores it.
    pub fn self_routing(&self) -> bool {
        match &self.control {
            Control::Labels(_) => true,
            Control::Table(tables) => tables.self_routing(),
            Control::Stages(_) | Control::Systolic(_) => false,
        }
    }

    /// Whether the hardware tells of two messages that want one output of a switch: where labels route themselves, unless the
    /// option says otherwise.
    pub fn tells_conflicts(&self) -> bool {
        let silent = self.options.get(CONFLICT.name).is_some_and(|value| value.as_str() == "no");
        self.self_routing() && !silent
    }

    /// Terminals that send and receive: all of the network, but for the spare ones of a padded exchange.
    pub fn served(&self) -> u32 {
        match self.demand {
            Demand::Among(served) => served,
            Demand::AllToAll | Demand::Scheduled => self.network.terminals(),
        }
    }

    /// Whether some terminals are spare: then not every lane sends in every round.
    pub fn has_spare(&self) -> bool {
        self.served() < self.network.terminals()
    }

    /// Whether `lane` has a message in `round`: it is not that of a spare terminal, and not for one.
    pub fn sends(&self, round: RoundIdx, lane: LaneIdx) -> bool {
        let served = self.served() * self.lanes_per_terminal();
        !self.has_spare() || (lane.0 < served && self.destination(round, lane).0 < served)
    }

    /// Which pairs of terminals the rounds serve, none of them delivered yet. Memory: one bit per pair of terminals, two
    /// where only some are due.
    pub fn due(&self) -> Delivered {
        let terminals = self.network.terminals();
        match self.demand {
            Demand::AllToAll => Delivered::all_pairs(terminals),
            Demand::Among(served) => {
                let pairs = (0..served).flat_map(|source| (0..served).map(move |to| (source, to)));
                Delivered::some_pairs(terminals, pairs)
            }
            Demand::Scheduled => {
                let owned = self.lanes_per_terminal();
                let asked = RoundIdx::all(self.rounds)
                    .flat_map(|round| LaneIdx::all(self.network.lanes()).map(move |lane| (round, lane)));
                Delivered::some_pairs(
                    terminals,
                    asked.map(|(round, lane)| (lane.0 / owned, self.destination(round, lane).0 / owned)),
                )
            }
        }
    }

    /// Pairs of terminals that the rounds serve.
    pub fn pairs_due(&self) -> u64 {
        match self.demand {
            Demand::AllToAll | Demand::Among(_) => u64::from(self.served()).pow(2),
            Demand::Scheduled => self.due().missing_count(),
        }
    }

    /// The systolic routing, if that is what sets the switches.
    pub fn systolic(&self) -> Option<&Systolic> {
        match &self.control {
            Control::Systolic(rule) => Some(rule),
            Control::Labels(_) | Control::Stages(_) | Control::Table(_) => None,
        }
    }

    /// Whether the one control bit of all routers has a driver of its own for each level, or reaches each at another time.
    pub fn control_per_level(&self) -> bool {
        self.pipeline > 1 || self.options.get("fanout").is_some_and(|fanout| *fanout == "per-level")
    }

    /// Whether a terminal has its label from the one before it.
    pub fn labels_in_a_ring(&self) -> bool {
        self.options.get("labels").is_some_and(|labels| *labels == "ring")
    }

    /// Lanes that each terminal owns: lane l belongs to terminal l / this.
    pub fn lanes_per_terminal(&self) -> u32 {
        self.network.lanes() / self.network.terminals()
    }

    /// Bits of a lane's number, ⌈log2 L⌉.
    pub fn lane_bits(&self) -> u32 {
        (self.network.lanes() - 1).ilog2() + 1
    }

    /// Bits of a terminal's number, ⌈log2 N⌉.
    pub fn address_bits(&self) -> u32 {
        (self.network.terminals() - 1).ilog2() + 1
    }
}
