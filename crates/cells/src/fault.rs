//! Deliberate faults: changes of a netlist that the checks must find.
//!
//! The same changed netlist is simulated by rust-hdl and printed as Verilog, so each fault is put into both. The faults of a kind of core
//! are rows of a table: what a user may name, what is wrong then, and what plants it. Refusals and lists follow from the rows.

mod cores;
mod exchange;

pub use cores::{CROSSBAR, Change, LOADED, MESSAGES, change, top};
pub use exchange::{EXCHANGE, count, plant};

use crate::netlist::{Expr, Part};
use frit_network::{Refusal, StuckSwitches, refusal};

/// What is said if a fault has no place in a design: why.
pub type Planted = Result<(), String>;

/// The numbers that follow the word of a fault; those that its row does not have are 0.
pub type Numbers = [u32; 4];

/// A fault that designs of a kind can have. `S`: what is changed, a netlist or what becomes one.
pub struct FaultRow<S> {
    /// How a user writes it: a word, and the numbers that follow it, as in `stuck-switch:STAGE:SWITCH:0|1`.
    pub form: &'static str,
    /// What is wrong then.
    pub effect: &'static str,
    plant: fn(&mut S, Numbers) -> Planted,
}

/// The faults of a kind of core.
pub struct FaultTable<S: 'static> {
    /// The kind, with its article.
    pub core: &'static str,
    pub rows: &'static [FaultRow<S>],
}

/// A fault that a user named, each of its numbers read.
pub struct Fault<S: 'static> {
    row: &'static FaultRow<S>,
    pub numbers: Numbers,
}

pub const fn row<S>(
    form: &'static str,
    effect: &'static str,
    plant: fn(&mut S, Numbers) -> Planted,
) -> FaultRow<S> {
    FaultRow { form, effect, plant }
}

impl<S> FaultRow<S> {
    pub fn word(&self) -> &'static str {
        self.form.split(':').next().unwrap_or(self.form)
    }

    fn arguments(&self) -> impl Iterator<Item = &'static str> + use<S> {
        self.form.split(':').skip(1)
    }
}

impl<S> FaultTable<S> {
    pub fn words(&self) -> impl Iterator<Item = &'static str> + use<S> {
        self.rows.iter().map(FaultRow::word)
    }

    /// The fault that a user names.
    ///
    /// # Errors
    /// If it is none of the forms.
    pub fn find(&self, given: &str) -> Result<Fault<S>, Refusal> {
        let read = || {
            let mut words = given.split(':');
            let word = words.next()?;
            let row = self.rows.iter().find(|row| row.word() == word)?;
            let read: Vec<u32> = words.map(str::parse).collect::<Result<_, _>>().ok()?;
            let mut numbers = Numbers::default();
            let filled = numbers.get_mut(..read.len()).filter(|_| read.len() == row.arguments().count())?;
            filled.copy_from_slice(&read);
            Some(Fault { row, numbers })
        };
        read().ok_or_else(|| {
            refusal!("--fault {given:?} is not a fault of {}; give one of these:{}", self.core, self.list())
        })
    }

    /// Plants the fault that a user names.
    ///
    /// # Errors
    /// If it is none of the forms, or has no place there.
    pub fn plant(&self, subject: &mut S, given: &str) -> Result<(), Refusal> {
        self.find(given)?.plant(subject)
    }

    /// Plants the stuck switches round which a schedule goes.
    ///
    /// # Errors
    /// If one has no place there.
    pub fn plant_stuck(&self, subject: &mut S, stuck: &StuckSwitches) -> Result<(), Refusal> {
        stuck.iter().try_for_each(|(stage, switch, state)| {
            self.plant(subject, &frit_schedule::Fault::StuckSwitch(stage, switch, state.bit()).to_string())
        })
    }

    /// What a user may give, a line each, with what is wrong then.
    fn list(&self) -> String {
        let width = self.rows.iter().map(|row| row.form.len()).max().unwrap_or(0);
        self.rows.iter().map(|row| format!("\n  {:width$}  {}", row.form, row.effect)).collect()
    }
}

impl<S: Clone> FaultTable<S> {
    /// Every fault with this word that has a place in `subject`, as a user names it; `count`: how many numbers an argument has, from 0.
    /// Faults of one stage, or with the same first number, have places all or not at all.
    pub fn all(&self, word: &str, subject: &S, count: impl Fn(&str) -> u32) -> Vec<String> {
        let Some(row) = self.rows.iter().find(|row| row.word() == word) else { return Vec::new() };
        let has_place = |numbers: &Numbers| (row.plant)(&mut subject.clone(), *numbers).is_ok();
        let mut arguments: Vec<(usize, &str)> = row.arguments().enumerate().collect();
        arguments.sort_by_key(|(_, name)| *name != "STAGE");
        let mut all = vec![Numbers::default()];
        for (at, name) in &arguments {
            let numbered = |numbers: Numbers| {
                (0..count(name)).map(move |number| {
                    let mut more = numbers;
                    more[*at] = number;
                    more
                })
            };
            all = all.into_iter().flat_map(numbered).collect();
            if *name == arguments[0].1 {
                all.retain(has_place);
            }
        }
        all.retain(|numbers| !arguments.is_empty() || has_place(numbers));
        all.into_iter().map(|numbers| Fault { row, numbers }.to_string()).collect()
    }
}

/// The faults of one design, whatever they change.
pub trait Faults {
    fn words(&self) -> Vec<&'static str>;
    /// A fault as files write it.
    ///
    /// # Errors
    /// If it is none of the forms, or has no place in the design.
    fn written(&self, given: &str) -> Result<String, Refusal>;
    /// Every fault with this word that has a place, as a user names it.
    fn all(&self, word: &str) -> Vec<String>;
}

/// A table for a design; `count`: how many numbers an argument has, from 0.
pub struct FaultsOf<S: 'static, C> {
    pub table: &'static FaultTable<S>,
    pub subject: S,
    pub count: C,
}

impl<S: Clone, C: Fn(&str) -> u32> Faults for FaultsOf<S, C> {
    fn words(&self) -> Vec<&'static str> {
        self.table.words().collect()
    }

    fn written(&self, given: &str) -> Result<String, Refusal> {
        let fault = self.table.find(given)?;
        fault.plant(&mut self.subject.clone())?;
        Ok(fault.to_string())
    }

    fn all(&self, word: &str) -> Vec<String> {
        self.table.all(word, &self.subject, &self.count)
    }
}

impl<S> Fault<S> {
    pub fn word(&self) -> &'static str {
        self.row.word()
    }

    /// Plants it.
    ///
    /// # Errors
    /// If it has no place there.
    pub fn plant(&self, subject: &mut S) -> Result<(), Refusal> {
        (self.row.plant)(subject, self.numbers).map_err(|why| {
            refusal!("--fault {self} has no place in this design: {why}; --fault help lists all faults")
        })
    }
}

impl<S> std::fmt::Display for Fault<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())?;
        self.numbers.iter().zip(self.row.arguments()).try_for_each(|(number, _)| write!(f, ":{number}"))
    }
}

/// What sets a switch that is stuck: 0 straight, 1 crossed.
pub(crate) fn stuck_at(state: u32) -> Result<Expr, String> {
    match state {
        0 | 1 => Ok(Expr::constant(state.into(), 1)),
        _ => Err("a switch is straight (0) or crossed (1)".into()),
    }
}

/// Inverts a part of an expression; none if it is no net.
pub(crate) fn invert(expr: &mut Expr, part: usize) -> Option<()> {
    let Expr::Concat(parts) = expr else { return None };
    let Part::Net { invert, .. } = parts.get_mut(part)? else { return None };
    *invert = !*invert;
    Some(())
}
