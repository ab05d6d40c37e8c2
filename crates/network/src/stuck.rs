//! Switches that are stuck: which, and in which state.

use crate::name::beginning;
use crate::{Network, Refusal, StageIdx, SwitchIdx, SwitchState, refuse};
use std::collections::BTreeMap;
use std::fmt;

/// Switches of a network that are stuck, each in one state.
///
/// ```
/// use frit_network::{StageIdx, StuckSwitches, SwitchIdx, SwitchState};
/// let stuck = StuckSwitches::parse("4:2:1, 0:3:0")?;
/// assert_eq!(stuck.state(StageIdx(4), SwitchIdx(2)), Some(SwitchState::Cross));
/// assert_eq!((stuck.to_string(), stuck.name()), ("0:3:0,4:2:1".into(), "0-3-0_4-2-1".into()));
/// # Ok::<(), frit_network::Refusal>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StuckSwitches(BTreeMap<(StageIdx, SwitchIdx), SwitchState>);

impl StuckSwitches {
    /// How a switch is written, and an example of several.
    pub const FORM: &'static str = "STAGE:SWITCH:STATE[,...]";

    /// Reads `STAGE:SWITCH:STATE`, numbers counted from 0, STATE 0 (straight) or 1 (cross); several with commas or line breaks between; lines that begin with # do not count.
    /// [`StuckSwitches::name`] is read as well.
    ///
    /// # Errors
    /// If a word is not a switch with its state, if the text names no switch, or if it names one in both states.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let mut stuck = StuckSwitches::default();
        // Lines of a file that begin with # say something to people.
        let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
        let words = lines.flat_map(|line| line.split([',', '_'])).map(str::trim);
        for word in words.filter(|word| !word.is_empty()) {
            let numbers: Option<Vec<u32>> =
                word.split([':', '-']).map(|number| number.trim().parse().ok()).collect();
            let Some(&[stage, switch, state @ (0 | 1)]) = numbers.as_deref() else {
                refuse!(
                    "{:?} is not a switch and its state; give {}, STATE 0 (straight) or 1 (cross), for example 2:0:1",
                    beginning(word),
                    Self::FORM
                );
            };
            let state = SwitchState::from_bit(state == 1);
            if stuck.0.insert((StageIdx(stage), SwitchIdx(switch)), state).is_some_and(|other| other != state)
            {
                refuse!(
                    "switch {switch} of stage {stage} is stuck twice, straight and crossed; give it one state"
                );
            }
        }
        if stuck.0.is_empty() {
            refuse!("no stuck switch is named; give {}, for example 2:0:1", Self::FORM);
        }
        Ok(stuck)
    }

    /// Whether the network has all of them.
    ///
    /// # Errors
    /// If it has not.
    pub fn fits(&self, network: &Network) -> Result<(), Refusal> {
        let (stages, switches) = (network.stages(), network.switches_per_stage());
        match self.iter().find(|(stage, switch, _)| stage.0 >= stages || switch.0 >= switches) {
            None => Ok(()),
            Some((stage, switch, _)) => refuse!(
                "there is no switch {} in stage {}: the network {} has stages 0 to {} with switches 0 to {}; name stuck switches among these",
                switch.0,
                stage.0,
                network.name(),
                stages - 1,
                switches - 1
            ),
        }
    }

    /// The state in which a switch is stuck, if it is.
    pub fn state(&self, stage: StageIdx, switch: SwitchIdx) -> Option<SwitchState> {
        self.0.get(&(stage, switch)).copied()
    }

    /// All of them, in the order of stages and switches.
    pub fn iter(&self) -> impl Iterator<Item = (StageIdx, SwitchIdx, SwitchState)> {
        self.0.iter().map(|(&(stage, switch), &state)| (stage, switch, state))
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no switch is stuck.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As part of a name: `0-3-0_4-2-1`.
    pub fn name(&self) -> String {
        self.written("-", "_")
    }

    fn written(&self, between: &str, behind: &str) -> String {
        let one = |(stage, switch, state): (StageIdx, SwitchIdx, SwitchState)| {
            format!("{}{between}{}{between}{}", stage.0, switch.0, u32::from(state.bit()))
        };
        self.iter().map(one).collect::<Vec<_>>().join(behind)
    }
}

impl FromIterator<(StageIdx, SwitchIdx, SwitchState)> for StuckSwitches {
    fn from_iter<I: IntoIterator<Item = (StageIdx, SwitchIdx, SwitchState)>>(switches: I) -> Self {
        let keyed = |(stage, switch, state)| ((stage, switch), state);
        StuckSwitches(switches.into_iter().map(keyed).collect())
    }
}

/// `0:3:0,4:2:1`.
impl fmt::Display for StuckSwitches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(":", ","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benes;

    #[test]
    fn what_is_no_switch_is_named() {
        let text = |given: &str| StuckSwitches::parse(given).unwrap_err().to_string();
        for given in ["2", "2:0", "2:0:2", "2:0:1:0", "a:0:1", "2:-1:0", "4294967296:0:0"] {
            assert!(
                text(given).contains("give STAGE:SWITCH:STATE[,...], STATE 0"),
                "{given}: {}",
                text(given)
            );
        }
        assert_eq!(
            text(" ,\n"),
            "no stuck switch is named; give STAGE:SWITCH:STATE[,...], for example 2:0:1"
        );
        assert_eq!(
            text("2:0:1,1:1:1,2:0:0"),
            "switch 0 of stage 2 is stuck twice, straight and crossed; give it one state"
        );
        assert_eq!(StuckSwitches::parse("# two\n2:0:1\r\n 02:+0:1\n").unwrap().to_string(), "2:0:1");
    }

    #[test]
    fn a_switch_that_the_network_has_not_is_named() {
        let network = benes(8).unwrap();
        let fits = |text: &str| StuckSwitches::parse(text).unwrap().fits(&network);
        assert!(fits("4:3:1,0:0:0").is_ok());
        assert_eq!(
            fits("4:3:1,4:4:0").unwrap_err().to_string(),
            "there is no switch 4 in stage 4: the network benes has stages 0 to 4 with switches 0 to 3; name stuck switches among these"
        );
        assert!(fits("5:0:1").is_err());
    }
}
