//! How a system describes itself: a row of the table of systems, its options, and what a user asks of it. Planned and
//! routed systems share this; what is made of a request is theirs.

use crate::{Choice, Name, Refusal, StuckSwitches, refusal, refuse};
use std::collections::BTreeMap;

/// What a user asked for: a system, a size, and options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The system's key, e.g. `rls`.
    pub system: String,
    /// Number of terminals.
    pub terminals: u64,
    /// Options of the system, e.g. `algorithm = ata2`.
    pub options: BTreeMap<String, String>,
}

impl Request {
    /// A request without options.
    pub fn new(system: impl Into<String>, terminals: u64) -> Self {
        Request { system: system.into(), terminals, options: BTreeMap::new() }
    }

    /// The same request with one option set.
    pub fn with(mut self, key: &str, value: &str) -> Self {
        self.options.insert(key.into(), value.into());
        self
    }
}

/// How a system describes itself in the table of systems.
#[derive(Debug)]
pub struct Row {
    /// The name used on the command line.
    pub key: &'static str,
    /// The system in one line.
    pub title: &'static str,
    /// The sizes that exist.
    pub sizes: &'static str,
    /// Cycles of an exchange, or what is known of the steps of a routed one, as a formula.
    pub cycles: &'static str,
    /// What drives the switches.
    pub drivers: &'static str,
    /// The paper and its section.
    pub paper: &'static str,
    /// Options and their values.
    pub options: &'static [OptionSpec],
    /// A size to show in examples.
    pub example: u64,
}

impl Row {
    /// Every combination of the values of its compared options, in the order of the table; one without options if
    /// there are none.
    pub fn variants(&self) -> Vec<Vec<(&'static str, &'static str)>> {
        let compared = self.options.iter().filter(|spec| spec.compared);
        compared.fold(vec![vec![]], |variants, spec| {
            let with = |variant: &Vec<_>, value| [variant.as_slice(), &[(spec.name, value)]].concat();
            variants
                .iter()
                .flat_map(|v| spec.values.words().iter().map(move |&value| with(v, value)))
                .collect()
        })
    }
}

/// An option of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// Its name, e.g. `algorithm`.
    pub name: &'static str,
    /// What it can be.
    pub values: Values,
    /// What it chooses.
    pub help: &'static str,
    /// Whether its words are other fabrics or schedules, with figures of their own, and so stand side by side in a
    /// comparison ([`Row::variants`]). Those that only turn the order of rounds or choose how a bit is computed do not.
    pub compared: bool,
}

/// What an option can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// One of these; the first is the default.
    Words(&'static [&'static str]),
    /// One of these, the first the default, or a file of the user's, which only a program with files can read.
    WordsOrFile(&'static [&'static str]),
    /// A file of the user's; there is no default.
    File,
    /// Whole numbers, absent unless they are given.
    Numbers {
        /// What stands between two of them.
        between: char,
        /// The least that each may be.
        min: u32,
        /// An example.
        example: &'static str,
    },
    /// Switches and the states in which they are stuck, absent unless they are given; or a file with such.
    Stuck,
    /// What settings are chosen for, with which switches; absent unless it is given.
    Choice,
    /// A whole number.
    Number {
        /// The least.
        min: u64,
        /// The greatest; a system may allow fewer at some sizes.
        max: u64,
        /// What holds when none is given.
        default: NumberDefault,
    },
}

/// What holds when no number is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberDefault {
    /// This number.
    Fixed(u64),
    /// What the system computes from its size and its other options, as a formula: `n`, `2d`.
    Computed(&'static str),
}

impl std::fmt::Display for NumberDefault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NumberDefault::Fixed(number) => write!(f, "{number}"),
            NumberDefault::Computed(formula) => f.write_str(formula),
        }
    }
}

impl Values {
    /// The words; none for a number or a file.
    pub fn words(&self) -> &'static [&'static str] {
        match self {
            Values::Words(words) | Values::WordsOrFile(words) => words,
            Values::File
            | Values::Numbers { .. }
            | Values::Stuck
            | Values::Choice
            | Values::Number { .. } => &[],
        }
    }

    /// Whether a file can be given: any text that is none of the words names one.
    pub fn takes_file(&self) -> bool {
        matches!(self, Values::WordsOrFile(_) | Values::File | Values::Stuck)
    }

    /// Whether a text is a value and not the name of a file.
    pub fn reads(&self, text: &str) -> bool {
        let has_letters = || text.contains(|c: char| !c.is_ascii_digit() && !":-,_ +".contains(c));
        self.words().contains(&text) || (*self == Values::Stuck && !has_letters())
    }

    /// The value in force when none is given, if that does not depend on the size or on other options.
    pub fn default(&self) -> Option<String> {
        match self {
            Values::Words(words) | Values::WordsOrFile(words) => words.first().map(|word| word.to_string()),
            Values::Number { default: NumberDefault::Fixed(number), .. } => Some(number.to_string()),
            Values::Number { default: NumberDefault::Computed(_), .. }
            | Values::File
            | Values::Numbers { .. }
            | Values::Stuck
            | Values::Choice => None,
        }
    }

    /// The value as it is kept, which is what names and files say: each number is read here and written again, so that it has no
    /// blank, sign or zero in front.
    fn take(&self, system: &'static str, spec: &OptionSpec, given: &str) -> Result<String, Refusal> {
        let option = spec.name;
        match *self {
            Values::Words(words) | Values::WordsOrFile(words) if words.contains(&given) => Ok(given.into()),
            Values::Words(words) | Values::WordsOrFile(words) => {
                refuse!("{system}: {option} cannot be {given:?}; give one of {}", words.join(", "))
            }
            Values::File => refuse!(
                "{system}: {option} {given:?} is a file, which only the command line can read; give --{option} {given}"
            ),
            Values::Numbers { between, min, example } => match numbers(between, given) {
                Some(numbers) if numbers.iter().all(|&number| number >= min) => {
                    let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
                    Ok(words.join(&between.to_string()))
                }
                _ => refuse!(
                    "{system}: {option} cannot be {given:?}; give whole numbers of {min} or more with {between:?} between them, for example {example}"
                ),
            },
            Values::Stuck => {
                let named = |refused: Refusal| refusal!("{system}: {option}: {refused}");
                let stuck = StuckSwitches::parse(given).map_err(named)?;
                match Name::new(stuck.name()) {
                    Ok(name) => Ok(name.to_string()),
                    Err(_) => refuse!(
                        "{system}: {option}: {} switches are too many for one line, which is part of the design's name; give them in a file, --{option} FILE",
                        stuck.len()
                    ),
                }
            }
            Values::Choice => {
                let choice =
                    Choice::parse(given).map_err(|refused| refusal!("{system}: {option}: {refused}"))?;
                Ok(choice.name())
            }
            Values::Number { min, max, .. } => match given.parse::<u64>() {
                Ok(number) if (min..=max).contains(&number) => Ok(number.to_string()),
                Ok(_) => refuse!("{system}: {option}={given} is out of range; give {min} to {max}"),
                Err(_) => {
                    refuse!("{system}: {option} cannot be {given:?}; give a whole number from {min} to {max}")
                }
            },
        }
    }
}

/// The whole numbers of a text, with `between` between two of them; none if it has anything else. Blanks around a number do not count.
pub fn numbers(between: char, text: &str) -> Option<Vec<u32>> {
    text.split(between).map(|word| word.trim().parse().ok()).collect()
}

impl std::fmt::Display for Values {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Values::Words(words) => f.write_str(&words.join("|")),
            Values::WordsOrFile(words) => write!(f, "{}|FILE", words.join("|")),
            Values::File => f.write_str("FILE"),
            Values::Numbers { example, .. } => f.write_str(example),
            Values::Stuck => write!(f, "{}|FILE", StuckSwitches::FORM),
            Values::Choice => f.write_str(Choice::FORM),
            Values::Number { min, max, .. } => write!(f, "{min}..{max}"),
        }
    }
}

impl std::fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.name, self.values)
    }
}

/// The options of a system in one line, `capacity=1|2, direction=right|left`, or `none`.
pub fn list(specs: &[OptionSpec]) -> String {
    let texts: Vec<String> = specs.iter().map(OptionSpec::to_string).collect();
    if texts.is_empty() { "none".into() } else { texts.join(", ") }
}

/// The option that a system has not: attached to its refusal.
pub struct UnknownOption(pub String);

/// The options in force: those given, checked against the table, and the defaults of the others. An option whose default
/// is computed and which is not given is absent: its system computes it. Numbers are in decimal, within their range.
pub fn complete(
    system: &'static str,
    specs: &'static [OptionSpec],
    given: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, Refusal> {
    let defaults = specs.iter().filter_map(|spec| Some((spec.name.to_string(), spec.values.default()?)));
    let mut options: BTreeMap<String, String> = defaults.collect();
    for (key, value) in given {
        let spec = specs.iter().find(|spec| spec.name == key).ok_or_else(|| {
            let options = list(specs);
            refusal!("{system} has no option {key:?}; the options of {system} are: {options}")
                .with(UnknownOption(key.clone()))
        })?;
        options.insert(key.clone(), spec.values.take(system, spec, value)?);
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn option(name: &'static str, values: Values, compared: bool) -> OptionSpec {
        OptionSpec { name, values, help: "", compared }
    }

    const SPECS: &[OptionSpec] = &[
        option("switch", Values::Words(&["strong", "weak"]), true),
        option("wiring", Values::WordsOrFile(&["random"]), false),
        option("queue", Values::Number { min: 1, max: 16, default: NumberDefault::Fixed(2) }, false),
        option("free", Values::Number { min: 0, max: 99, default: NumberDefault::Computed("2d") }, false),
        option("sizes", Values::Numbers { between: 'x', min: 1, example: "4x8" }, false),
    ];

    fn completed(given: &[(&str, &str)]) -> Result<BTreeMap<String, String>, Refusal> {
        let given = given.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        complete("net", SPECS, &given)
    }

    #[test]
    fn defaults_stand_where_nothing_is_given_and_computed_ones_are_left_to_the_system() {
        let text = |options: BTreeMap<String, String>| {
            options.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(text(completed(&[]).unwrap()), "queue=2 switch=strong wiring=random");
        let given = completed(&[("queue", "007"), ("free", "0"), ("switch", "weak")]).unwrap();
        assert_eq!(text(given), "free=0 queue=7 switch=weak wiring=random");
    }

    #[test]
    fn numbers_are_kept_as_they_were_read() {
        for given in ["4x4", " 4x4", "+4x4", "4x\n4", "004x4", "4 x\t4\n"] {
            assert_eq!(completed(&[("sizes", given)]).unwrap()["sizes"], "4x4", "{given:?}");
        }
        assert_eq!(completed(&[("queue", "+7")]).unwrap()["queue"], "7");
        for given in ["", "4x", "4x0", "4,4", "4x4294967296", "4x-1", "4 4"] {
            let error = completed(&[("sizes", given)]).unwrap_err().to_string();
            let says = format!(
                "net: sizes cannot be {given:?}; give whole numbers of 1 or more with 'x' between them, for example 4x8"
            );
            assert_eq!(error, says);
        }
    }

    #[test]
    fn what_is_refused_is_named_with_what_is_allowed() {
        let error = |key, value| completed(&[(key, value)]).unwrap_err().to_string();
        assert_eq!(
            error("colour", "red"),
            "net has no option \"colour\"; the options of net are: switch=strong|weak, wiring=random|FILE, queue=1..16, free=0..99, sizes=4x8"
        );
        assert_eq!(error("switch", "odd"), "net: switch cannot be \"odd\"; give one of strong, weak");
        assert_eq!(error("queue", "two"), "net: queue cannot be \"two\"; give a whole number from 1 to 16");
        assert_eq!(error("queue", "-1"), "net: queue cannot be \"-1\"; give a whole number from 1 to 16");
        assert_eq!(error("queue", "17"), "net: queue=17 is out of range; give 1 to 16");
        assert_eq!(error("queue", "0"), "net: queue=0 is out of range; give 1 to 16");
        let none = complete("bare", &[], &BTreeMap::from([("a".into(), "b".into())])).unwrap_err();
        assert_eq!(none.to_string(), "bare has no option \"a\"; the options of bare are: none");
    }

    #[test]
    fn variants_are_all_combinations_of_what_is_compared() {
        let row = |options| Row {
            key: "net",
            title: "",
            sizes: "",
            cycles: "",
            drivers: "",
            paper: "",
            options,
            example: 8,
        };
        assert_eq!(row(SPECS).variants(), [[("switch", "strong")], [("switch", "weak")]]);
        const BOTH: &[OptionSpec] =
            &[option("a", Values::Words(&["1", "2"]), true), option("b", Values::Words(&["x", "y"]), true)];
        assert_eq!(row(BOTH).variants()[1], [("a", "1"), ("b", "y")]);
        assert_eq!(row(BOTH).variants().len(), 4);
        assert_eq!(row(&[]).variants(), [vec![]]);
    }
}
