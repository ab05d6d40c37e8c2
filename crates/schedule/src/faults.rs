//! Faults of the hardware of a planned system that the model follows: what it does then is known exactly. Which of them a design can have is in
//! [`faulty`](crate::faulty).

use frit_network::{StageIdx, StuckSwitches, SwitchIdx, SwitchState};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// One fault, as `--fault` names it; numbers count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A switch keeps one state. Labels go on as if it did not: they have switches of their own.
    StuckSwitch(StageIdx, SwitchIdx, bool),
    /// The wire into a port of a stage carries no message.
    BrokenLink(StageIdx, u32),
    /// The bit that sets a whole stage keeps one value.
    StuckDriver(StageIdx, bool),
    /// The bit of a terminal's label that a stage sees keeps one value.
    StuckLabel(u32, StageIdx, bool),
}

impl Fault {
    /// The forms, with what is wrong then.
    pub const FORMS: [&'static str; 4] = [
        "stuck-switch:STAGE:SWITCH:0|1",
        "broken-link:STAGE:PORT",
        "stuck-driver:STAGE:0|1",
        "stuck-label:TERMINAL:STAGE:0|1",
    ];

    /// The place that it is in: equal for two faults that say of one place what it does.
    pub fn place(self) -> Fault {
        match self {
            Fault::StuckSwitch(stage, switch, _) => Fault::StuckSwitch(stage, switch, false),
            Fault::BrokenLink(..) => self,
            Fault::StuckDriver(stage, _) => Fault::StuckDriver(stage, false),
            Fault::StuckLabel(terminal, stage, _) => Fault::StuckLabel(terminal, stage, false),
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Fault> {
        let mut words = text.split(':');
        let word = words.next()?;
        let numbers: Vec<u32> = words.map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let bit = |number: u32| (number <= 1).then_some(number == 1);
        match (word, numbers[..].as_ref()) {
            ("stuck-switch", &[stage, switch, state]) => {
                Some(Fault::StuckSwitch(StageIdx(stage), SwitchIdx(switch), bit(state)?))
            }
            ("broken-link", &[stage, port]) => Some(Fault::BrokenLink(StageIdx(stage), port)),
            ("stuck-driver", &[stage, value]) => Some(Fault::StuckDriver(StageIdx(stage), bit(value)?)),
            ("stuck-label", &[terminal, stage, value]) => {
                Some(Fault::StuckLabel(terminal, StageIdx(stage), bit(value)?))
            }
            _ => None,
        }
    }
}

/// As `--fault` takes it.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fault::StuckSwitch(stage, switch, state) => {
                write!(f, "stuck-switch:{}:{}:{}", stage.0, switch.0, u32::from(state))
            }
            Fault::BrokenLink(stage, port) => write!(f, "broken-link:{}:{port}", stage.0),
            Fault::StuckDriver(stage, value) => write!(f, "stuck-driver:{}:{}", stage.0, u32::from(value)),
            Fault::StuckLabel(terminal, stage, value) => {
                write!(f, "stuck-label:{terminal}:{}:{}", stage.0, u32::from(value))
            }
        }
    }
}

/// The faults of one piece of hardware.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    given: Vec<Fault>,
    stuck: StuckSwitches,
    broken: BTreeSet<(StageIdx, u32)>,
    drivers: BTreeMap<StageIdx, bool>,
    labels: BTreeMap<(u32, StageIdx), bool>,
}

impl FromIterator<Fault> for Faults {
    fn from_iter<I: IntoIterator<Item = Fault>>(faults: I) -> Self {
        let mut all = Faults { given: faults.into_iter().collect(), ..Faults::default() };
        let stuck = all.given.iter().filter_map(|fault| match *fault {
            Fault::StuckSwitch(stage, switch, state) => Some((stage, switch, SwitchState::from_bit(state))),
            _ => None,
        });
        all.stuck = stuck.collect();
        for fault in &all.given {
            match *fault {
                Fault::StuckSwitch(..) => {}
                Fault::BrokenLink(stage, port) => _ = all.broken.insert((stage, port)),
                Fault::StuckDriver(stage, value) => _ = all.drivers.insert(stage, value),
                Fault::StuckLabel(terminal, stage, value) => _ = all.labels.insert((terminal, stage), value),
            }
        }
        all
    }
}

impl Faults {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// All of them.
    pub fn given(&self) -> &[Fault] {
        &self.given
    }

    /// The state of a switch that is to have another one.
    pub fn switch(&self, stage: StageIdx, switch: SwitchIdx, state: bool) -> bool {
        self.stuck.state(stage, switch).map_or(state, |stuck| stuck.bit())
    }

    /// Whether the wire into a port of a stage is broken.
    pub fn is_broken(&self, stage: StageIdx, port: u32) -> bool {
        self.broken.contains(&(stage, port))
    }

    /// The value of a stage's bit that is to have another one.
    pub fn driver(&self, stage: StageIdx, value: bool) -> bool {
        self.drivers.get(&stage).copied().unwrap_or(value)
    }

    /// The label of a terminal that is to have another one, of so many bits.
    pub fn label(&self, terminal: u32, label: u64, bits: u32) -> u64 {
        let own = self.labels.range((terminal, StageIdx(0))..=(terminal, StageIdx(u32::MAX)));
        own.fold(label, |label, (&(_, stage), &value)| {
            let mask = 1u64 << (bits - 1 - stage.0);
            if value { label | mask } else { label & !mask }
        })
    }
}
