//! What a switch does to light in each of its states, and what settings are chosen for: a small loss, a small spread of losses or little crosstalk.

use crate::name::beginning;
use crate::{Refusal, SwitchState, refuse};
use std::fmt;
use std::ops::Range;

/// Thousandths of a decibel.
pub type Millidecibels = i64;

/// What a switch does to light in one of its states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfState {
    /// What light loses on its way through the switch, 0 or more.
    pub loss: Millidecibels,
    /// The light that an output has from the wrong input, relative to that from the right input; below 0.
    pub crosstalk: Millidecibels,
}

/// A kind of switch.
///
/// ```
/// use frit_network::Light;
/// let own = Light::parse("2, -30, 0.957, -30")?;
/// assert_eq!((own.cross.loss, own.crossing, own == Light::parse("mzi")?), (957, 0, true));
/// assert!(Light::parse("2,-30,0.957").is_err());
/// # Ok::<(), frit_network::Refusal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Light {
    /// Both inputs go straight on.
    pub straight: OfState,
    /// They change places.
    pub cross: OfState,
    /// Lost where two wires cross in the drawing of a link column: 0 or more.
    pub crossing: Millidecibels,
}

/// A published switch.
#[derive(Debug)]
pub struct Published {
    /// Its name.
    pub name: &'static str,
    /// Its figures.
    pub light: Light,
    /// Where they come from.
    pub source: &'static str,
}

const fn switch(straight: (i64, i64), cross: (i64, i64)) -> Light {
    Light {
        straight: OfState { loss: straight.0, crosstalk: straight.1 },
        cross: OfState { loss: cross.0, crosstalk: cross.1 },
        crossing: 0,
    }
}

/// The switches that have names, the default first.
pub static PUBLISHED: [Published; 3] = [
    Published {
        name: "mzi",
        light: switch((2_000, -30_000), (957, -30_000)),
        source: "silicon Mach-Zehnder interferometer, electro-optic. Loss: L. Lu et al., \"16 x 16 non-blocking silicon optical \
                 switch based on electro-optic Mach-Zehnder interferometers\", Optics Express 24(9), 2016, 9295: about 14 dB through \
                 the 7 stages of a Benes network with all switches straight (all-bar), 6.7 dB with all crossed; a seventh of each. \
                 Crosstalk: an assumption, the same in both states; -30 dB is the best that carrier absorption leaves such a switch \
                 (\"Performance influence of carrier absorption to the Mach-Zehnder-interference based silicon optical switches\")",
    },
    Published {
        name: "ring",
        light: switch((100, -25_000), (500, -25_000)),
        source: "silicon microring: Q. Cheng et al., \"Ultralow-crosstalk, strictly non-blocking microring-based optical switch\", \
                 Photonics Research 7(2), 2019, 155: 0.1 dB off resonance (straight), 0.5 dB on resonance (crossed), an extinction of \
                 more than 25 dB",
    },
    Published {
        name: "linbo3",
        light: switch((4_000, -48_000), (4_000, -48_000)),
        source: "LiNbO3: 4 dB and -48 dB, the defaults of frit photonics; its sources give no figures by state, so both states have the same",
    },
];

/// Losses, and crosstalk.
const LOSS: Range<Millidecibels> = 0..100_001;
const CROSSTALK: Range<Millidecibels> = -100_000..0;

/// The figures of a switch, in the order in which they are given.
const FIGURES: [(&str, Range<Millidecibels>); 5] = [
    ("loss of a straight switch", LOSS),
    ("crosstalk of a straight switch", CROSSTALK),
    ("loss of a crossed switch", LOSS),
    ("crosstalk of a crossed switch", CROSSTALK),
    ("loss of a waveguide crossing", LOSS),
];

impl Light {
    /// How a switch is written.
    pub const FORM: &'static str = "mzi, ring, linbo3, or four or five figures in dB: loss and crosstalk straight, loss and crosstalk crossed, and, if it counts, the loss of a waveguide crossing";

    /// The published switch that has these figures.
    pub fn published(&self) -> Option<&'static Published> {
        PUBLISHED.iter().find(|published| published.light == *self)
    }

    /// What a switch does in a state.
    pub fn of(&self, state: SwitchState) -> OfState {
        if state.bit() { self.cross } else { self.straight }
    }

    /// Reads the name of a published switch, or figures in decibels with commas between, rounded to thousandths. [`Light::name`] is read as well.
    ///
    /// # Errors
    /// If the text is neither, or a figure is out of range.
    pub fn parse(text: &str) -> Result<Light, Refusal> {
        let text = text.trim();
        if let Some(published) = PUBLISHED.iter().find(|published| published.name == text) {
            return Ok(published.light.clone());
        }
        // As a name has no signs, crosstalk stands without.
        let named = !text.contains(',');
        let words: Vec<&str> = text.split(if named { '-' } else { ',' }).map(str::trim).collect();
        if !(4..=5).contains(&words.len()) {
            refuse!(
                "{:?} is not a switch; give {}, for example 2,-30,0.957,-30",
                beginning(text),
                Self::FORM
            );
        }
        let mut figures = [0; 5];
        for (at, word) in words.into_iter().enumerate() {
            let (name, range) = &FIGURES[at];
            let figure = if named { unsigned(word, range.start < 0) } else { millidecibels(word) };
            let Some(figure) = figure.filter(|figure| range.contains(figure)) else {
                let (least, behind) = (decimal(range.start), decimal(range.end - 1));
                refuse!(
                    "{:?} is not a switch: {:?} is not the {name}; give {least} to {behind} dB, for example 2,-30,0.957,-30",
                    beginning(text),
                    beginning(word)
                );
            };
            figures[at] = figure;
        }
        let [straight, straight_leak, cross, cross_leak, crossing] = figures;
        Ok(Light { crossing, ..switch((straight, straight_leak), (cross, cross_leak)) })
    }

    /// As part of a name: `mzi`, or `2000-30000-500-25000-0`.
    pub fn name(&self) -> String {
        match self.published() {
            Some(published) => published.name.into(),
            None => {
                let [straight, cross] =
                    [self.straight, self.cross].map(|of| format!("{}-{}", of.loss, -of.crosstalk));
                format!("{straight}-{cross}-{}", self.crossing)
            }
        }
    }
}

/// `straight 2 dB, -30 dB; crossed 0.957 dB, -30 dB`, and what a waveguide crossing loses if it does.
impl fmt::Display for Light {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = |of: OfState| format!("{} dB, crosstalk {} dB", decimal(of.loss), decimal(of.crosstalk));
        write!(f, "straight {}; crossed {}", state(self.straight), state(self.cross))?;
        match self.crossing {
            0 => Ok(()),
            lost => write!(f, "; {} dB where waveguides cross", decimal(lost)),
        }
    }
}

/// Thousandths of a decibel in decibels.
pub fn decimal(figure: Millidecibels) -> f64 {
    figure as f64 / 1000.0
}

fn millidecibels(word: &str) -> Option<Millidecibels> {
    let figure = word.parse::<f64>().ok().filter(|figure| figure.abs() < 1e6)?;
    Some((figure * 1000.0).round() as Millidecibels)
}

fn unsigned(word: &str, negative: bool) -> Option<Millidecibels> {
    let figure = word.parse::<u32>().ok().map(Millidecibels::from)?;
    Some(if negative { -figure } else { figure })
}

/// What is to be small in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The loss of the message that loses most.
    Loss,
    /// That less the loss of the message that loses least.
    Spread,
    /// The crosstalk of the message that has most.
    Crosstalk,
}

impl Aim {
    /// All of them, with their words.
    pub const ALL: [(&'static str, Aim); 3] =
        [("loss", Aim::Loss), ("spread", Aim::Spread), ("crosstalk", Aim::Crosstalk)];

    /// Its word.
    pub fn word(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

/// What settings are chosen for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What is to be small.
    pub aim: Aim,
    /// With such switches.
    pub light: Light,
}

impl Choice {
    /// How a choice is written.
    pub const FORM: &'static str = "loss|spread|crosstalk[:SWITCH]";

    /// Reads `AIM` or `AIM:SWITCH`, the switch that of [`Light::parse`], the first of [`PUBLISHED`] if there is none. [`Choice::name`] is read as well.
    ///
    /// # Errors
    /// If the text is no choice.
    pub fn parse(text: &str) -> Result<Choice, Refusal> {
        let (word, light) = match text.split_once([':', '-']) {
            Some((word, light)) => (word, Light::parse(light)?),
            None => (text, PUBLISHED[0].light.clone()),
        };
        match Aim::ALL.iter().find(|(known, _)| *known == word.trim()) {
            Some(&(_, aim)) => Ok(Choice { aim, light }),
            None => refuse!(
                "{:?} is nothing to choose settings for; give loss, spread or crosstalk, with a switch behind it if it is not mzi, for example loss:ring",
                beginning(word)
            ),
        }
    }

    /// As part of a name: `loss-mzi`.
    pub fn name(&self) -> String {
        format!("{}-{}", self.aim.word(), self.light.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_read_as_it_is_written_and_as_it_is_named() {
        for (given, name) in [
            ("loss", "loss-mzi"),
            ("spread:ring", "spread-ring"),
            ("crosstalk-linbo3", "crosstalk-linbo3"),
            ("loss:2.000,-30,.957,-30", "loss-mzi"),
            (" loss : 1, -0.001, 0, -100, 0.0454", "loss-1000-1-0-100000-45"),
        ] {
            let choice = Choice::parse(given).unwrap();
            assert_eq!(choice.name(), name, "{given}");
            assert_eq!(Choice::parse(name).unwrap(), choice);
        }
        let longest = Choice::parse("crosstalk:100,-100,100,-100,100").unwrap().name();
        assert!(crate::Name::new(longest).is_ok());
    }

    #[test]
    fn what_is_no_switch_is_named() {
        for given in ["", "mzi2", "2,-30,1", "2,-30,1,-30,0,0", "1-2-3"] {
            let text = Light::parse(given).unwrap_err().to_string();
            assert!(
                text.starts_with(&format!("{given:?} is not a switch; give mzi, ring, linbo3, or four")),
                "{text}"
            );
            assert!(Choice::parse(&format!("loss:{given}")).is_err());
        }
        for (given, says) in [
            ("2,-30,1,30", "\"30\" is not the crosstalk of a crossed switch; give -100 to -0.001 dB"),
            ("-2,-30,1,-30", "\"-2\" is not the loss of a straight switch; give 0 to 100 dB"),
            ("2,0,1,-30", "\"0\" is not the crosstalk of a straight switch"),
            ("101,-30,1,-30", "\"101\" is not the loss of a straight switch"),
            ("nan,-1,1,-1", "\"nan\" is not the loss of a straight switch"),
            ("1,-1,x,-1", "\"x\" is not the loss of a crossed switch"),
            ("1,-1,1,-1,-1", "\"-1\" is not the loss of a waveguide crossing"),
        ] {
            let text = Light::parse(given).unwrap_err().to_string();
            assert!(text.starts_with(&format!("{given:?} is not a switch: {says}")), "{text}");
        }
        let text = Choice::parse("noise:mzi").unwrap_err().to_string();
        assert!(
            text.starts_with("\"noise\" is nothing to choose settings for; give loss, spread or crosstalk"),
            "{text}"
        );
    }

    #[test]
    fn a_switch_says_its_figures() {
        let text = Light::parse("2,-30,0.957,-30.5,0.05").unwrap().to_string();
        assert_eq!(
            text,
            "straight 2 dB, crosstalk -30 dB; crossed 0.957 dB, crosstalk -30.5 dB; 0.05 dB where waveguides cross"
        );
    }
}
