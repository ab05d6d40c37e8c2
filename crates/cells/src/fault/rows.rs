//! Faults of cores as rows of tables: what a user names, and which inputs of which instances change. Words and refusals follow from the
//! rows.

use super::invert;
use crate::netlist::{Expr, Module, Net, Netlist, Part};

/// What an input of an instance becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A part of its expression is inverted, part 0 the most significant.
    Invert(usize),
    /// It is this bit.
    Constant(u64),
    /// It is this signal of the module.
    Signal(&'static str),
    /// This bit of it is 0.
    Clear(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultRow {
    /// What the user calls it. A row of a stage is named with the number of the stage: `setting:2`.
    pub word: &'static str,
    /// Whether the number of a stage follows, in the name of the instances too.
    pub of_stage: bool,
    /// Whether it is in the core that the top instantiates, not in the top.
    pub in_core: bool,
    /// What the names of its instances begin with.
    pub instances: &'static str,
    /// The input that changes.
    pub port: &'static str,
    pub change: Change,
    /// What is wrong then.
    pub effect: &'static str,
}

/// The faults of a kind of core.
#[derive(Clone, Copy, Debug)]
pub struct FaultTable {
    /// The kind, with its article.
    pub core: &'static str,
    pub rows: &'static [FaultRow],
}

/// Why a fault is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultRefusal {
    #[error("--fault {given:?} is not a fault of {core}; give {words}")]
    Unknown { given: String, core: &'static str, words: String },
    #[error("--fault {word}:{given} has no place; the stages are 0 to {last}")]
    Stage { word: &'static str, given: u32, last: u32 },
}

const fn row(
    word: &'static str,
    (in_core, instances, port): (bool, &'static str, &'static str),
    change: Change,
    effect: &'static str,
) -> FaultRow {
    FaultRow { word, of_stage: false, in_core, instances, port, change, effect }
}

const fn setting(in_core: bool, effect: &'static str) -> FaultRow {
    let instances = "u_switch_";
    FaultRow {
        word: "setting",
        of_stage: true,
        in_core,
        instances,
        port: "state_i",
        change: Change::Invert(0),
        effect,
    }
}

pub const CROSSBAR: FaultTable = FaultTable {
    core: "a crossbar",
    rows: &[
        setting(false, "the settings of a stage are inverted for the words, and not for the way back"),
        row(
            "room",
            (false, "u_output_", "room_i"),
            Change::Constant(1),
            "inputs take words whether or not there is room",
        ),
        row(
            "early",
            (false, "u_state_", "step_i"),
            Change::Signal("close"),
            "the settings change at once, while words are in the network",
        ),
        row(
            "number",
            (false, "u_input_", "check_i"),
            Change::Clear(1),
            "inputs do not compare bit 1 of the number that they hear",
        ),
        row(
            "close",
            (false, "u_input_", "close_i"),
            Change::Constant(0),
            "a commit does not close the inputs",
        ),
    ],
};

/// The faults of a loaded schedule.
pub const LOADED: FaultTable = FaultTable {
    core: "a loaded schedule",
    rows: &[
        setting(false, "the settings of a stage are inverted"),
        row(
            "bank",
            (false, "u_memory_", "read_address_i"),
            Change::Invert(0),
            "the bank that is being loaded runs",
        ),
        row("run", (false, "u_fetch", "run_i"), Change::Invert(0), "run lengths are inverted"),
        row(
            "entry",
            (false, "u_memory_", "write_address_i"),
            Change::Invert(1),
            "the numbers of entries are inverted when they are written",
        ),
        row(
            "label",
            (false, "u_sink_", "dest_i"),
            Change::Invert(0),
            "terminals take only words whose destination has all bits of their number inverted",
        ),
    ],
};

/// The faults of messages around a loaded schedule.
pub const MESSAGES: FaultTable = FaultTable {
    core: "messages around a loaded schedule",
    rows: &[
        setting(true, "the settings of a stage are inverted"),
        row(
            "bank",
            (false, "u_messages_", "read_address_i"),
            Change::Invert(0),
            "rounds read the bank that is loaded",
        ),
        row(
            "place",
            (false, "u_received_", "step_i"),
            Change::Constant(0),
            "all words that arrive are stored at the first place of their message",
        ),
        row(
            "last",
            (false, "u_send_", "at_last_i"),
            Change::Invert(0),
            "whether a word is the last of its message is inverted",
        ),
        row(
            "room",
            (false, "u_control", "even_i"),
            Change::Constant(0),
            "exchanges start while messages that have arrived are in their bank",
        ),
        row(
            "source",
            (false, "u_output_", "source_i"),
            Change::Invert(0),
            "the sources of messages that leave are inverted",
        ),
    ],
};

impl FaultTable {
    /// Every fault of a core with `stages` stages, as a user names it.
    pub fn all(&self, stages: u32) -> Vec<String> {
        let named = |row: &FaultRow| match row.of_stage {
            true => (0..stages).map(|stage| format!("{}:{stage}", row.word)).collect(),
            false => vec![row.word.to_string()],
        };
        self.rows.iter().flat_map(named).collect()
    }

    /// Plants the fault that a user names in a core with `stages` stages.
    ///
    /// # Errors
    ///
    /// If it is no fault of this kind of core, or has no place there.
    pub fn plant(&self, netlist: &mut Netlist, stages: u32, given: &str) -> Result<(), FaultRefusal> {
        let (row, stage) = self.find(given)?;
        if let Some(given) = stage.filter(|stage| *stage >= stages) {
            return Err(FaultRefusal::Stage { word: row.word, given, last: stages - 1 });
        }
        let start = stage.map_or(row.instances.to_string(), |stage| format!("{}{stage}_", row.instances));
        let top = netlist.modules.len() - 1;
        let module = &mut netlist.modules[if row.in_core { top - 1 } else { top }];
        let mut changed = 0;
        for at in 0..module.instances.len() {
            if module.instances[at].name.starts_with(&start) {
                let lane = &module.instances[at].inputs.iter().find(|(port, _)| port == row.port);
                let before = &lane.unwrap_or_else(|| panic!("{start} has no input {}", row.port)).1[0];
                let after = row.change.of(before, module);
                module.instances[at].input_mut(row.port).expect("the same input")[0] = after;
                changed += 1;
            }
        }
        assert!(changed > 0, "{}: no instance is called {start}", row.word);
        Ok(())
    }

    fn find(&self, given: &str) -> Result<(&FaultRow, Option<u32>), FaultRefusal> {
        let (word, stage) = match given.split_once(':') {
            Some((word, stage)) => (word, Some(stage.parse().ok())),
            None => (given, None),
        };
        let fits =
            |row: &&FaultRow| row.word == word && row.of_stage == stage.is_some() && stage != Some(None);
        self.rows.iter().find(fits).map(|row| (row, stage.flatten())).ok_or_else(|| FaultRefusal::Unknown {
            given: given.into(),
            core: self.core,
            words: self.words(),
        })
    }

    /// What a user may give, as a list in words.
    fn words(&self) -> String {
        let word = |row: &FaultRow| format!("{}{}", row.word, if row.of_stage { ":STAGE" } else { "" });
        let words: Vec<String> = self.rows.iter().map(word).collect();
        match words.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, first)) => format!("{} or {last}", first.join(", ")),
            None => String::new(),
        }
    }
}

impl Change {
    fn of(self, before: &Expr, module: &Module) -> Expr {
        let mut after = before.clone();
        match self {
            Change::Invert(part) => invert(&mut after, part).expect("a net"),
            Change::Constant(value) => after = Expr::constant(value, 1),
            Change::Signal(name) => {
                let signal = module.find(name).unwrap_or_else(|| panic!("no signal {name}"));
                after = Net { signal, lane: 0 }.into();
            }
            Change::Clear(bit) => {
                let net = before.as_net().expect("a net");
                let bits = |high, low| Part::Net { net, bits: Some((high, low)), invert: false };
                let top = module.signal(net.signal).width - 1;
                after = Expr::Concat(vec![
                    bits(top, bit + 1),
                    Part::Const { value: 0, bits: 1 },
                    bits(bit - 1, 0),
                ]);
            }
        }
        after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_says_what_may_be_given() {
        assert_eq!(CROSSBAR.words(), "setting:STAGE, room, early, number or close");
        assert_eq!(MESSAGES.all(2)[..3], ["setting:0", "setting:1", "bank"]);
        for given in ["", "setting", "setting:", "setting:x", "setting:-1", "room:1", "Room", "label "] {
            let error = CROSSBAR.find(given).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!(
                    "--fault {given:?} is not a fault of a crossbar; give setting:STAGE"
                ))
            );
        }
    }

    #[test]
    fn no_word_stands_twice_and_each_has_an_effect() {
        for table in [CROSSBAR, LOADED, MESSAGES] {
            for (at, row) in table.rows.iter().enumerate() {
                assert!(
                    !row.effect.is_empty() && table.rows[..at].iter().all(|other| other.word != row.word)
                );
            }
        }
    }
}
