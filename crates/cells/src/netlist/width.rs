//! The width of words as a parameter of the modules.
//!
//! Nothing in a design computes with a word: words go through registers, multiplexers and memories. So a design for words that
//! are one bit wider is the same but for the widths of what carries words, and what differs between the two is W.

use super::{Expr, Instance, Module, Netlist, Of, Part, Signal};
use crate::cells::CellSpec;

pub const PARAMETER: &str = "W";

impl Netlist {
    /// Makes W, now `bits`, a parameter of every module in which something is as wide as a word, or a word and some bits above it;
    /// `wider` is the same design for words one bit wider. False if the two differ in more than that: then nothing is changed.
    pub fn make_width_a_parameter(&mut self, bits: u32, wider: &Netlist) -> bool {
        let mut pairs = self.modules.iter().zip(&wider.modules);
        if self.modules.len() != wider.modules.len() || !pairs.all(|(one, other)| same(one, other, bits)) {
            return false;
        }
        for at in 0..self.modules.len() {
            let wider = &wider.modules[at];
            // A module comes after those that it uses.
            let words: Vec<bool> = (self.modules[at].instances.iter().zip(&wider.instances))
                .map(|(one, wider)| match one.of {
                    Of::Module(id) => self.modules[id.index()].word.is_some(),
                    Of::Cell(_) => one.of != wider.of,
                })
                .collect();
            let module = &mut self.modules[at];
            for (signal, wider) in module.signals.iter_mut().zip(&wider.signals) {
                signal.above_word = (signal.width != wider.width).then(|| signal.width - bits);
            }
            for (instance, has_word) in module.instances.iter_mut().zip(&words) {
                instance.has_word = *has_word;
            }
            let is_word = |signal: &Signal| signal.above_word.is_some();
            module.word = (words.contains(&true) || module.signals.iter().any(is_word)).then_some(bits);
        }
        true
    }

    /// Gives every width as a number again.
    pub fn fix_width(&mut self) {
        for module in &mut self.modules {
            module.word = None;
            module.signals.iter_mut().for_each(|signal| signal.above_word = None);
            module.instances.iter_mut().for_each(|instance| instance.has_word = false);
        }
    }
}

/// A number of bits, W being `word`: `W`, `W+2`.
pub(crate) fn bits_text(bits: u32, word: u32) -> String {
    match bits - word {
        0 => PARAMETER.into(),
        more => format!("{PARAMETER}+{more}"),
    }
}

/// The place of a bit of a word of `word` bits and what is above it: a number below the word's last bit, else `W-1`, `W`, `W+1`.
pub(crate) fn place_text(bit: u32, word: u32) -> String {
    match (bit + 1).checked_sub(word) {
        None => bit.to_string(),
        Some(0) => format!("{PARAMETER}-1"),
        Some(_) => bits_text(bit, word),
    }
}

/// The same of the last of some bits: the first bit of a word is 0, also of a word of one bit.
pub(crate) fn end_text(bit: u32, word: u32) -> String {
    if bit == 0 { "0".into() } else { place_text(bit, word) }
}

/// Whether two modules are the same but for what is as wide as a word.
fn same(one: &Module, wider: &Module, word: u32) -> bool {
    let pair = Pair { one, wider, word };
    one.signals.len() == wider.signals.len()
        && one.instances.len() == wider.instances.len()
        && one.assigns.len() == wider.assigns.len()
        && one.signals.iter().zip(&wider.signals).all(|(a, b)| same_signal(a, b))
        && one.instances.iter().zip(&wider.instances).all(|(a, b)| pair.same_instance(a, b))
        && one.assigns.iter().zip(&wider.assigns).all(|(a, b)| a.0 == b.0 && pair.same_expr(&a.1, &b.1))
}

/// A module and the same for words one bit wider.
struct Pair<'a> {
    one: &'a Module,
    wider: &'a Module,
    word: u32,
}

impl Pair<'_> {
    fn same_instance(&self, one: &Instance, wider: &Instance) -> bool {
        let same_lanes = |ours: &[Expr], theirs: &[Expr]| {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| self.same_expr(a, b))
        };
        (&one.name, &one.outputs, one.inputs.len()) == (&wider.name, &wider.outputs, wider.inputs.len())
            && one.inputs.iter().zip(&wider.inputs).all(|(a, b)| a.0 == b.0 && same_lanes(&a.1, &b.1))
            && same_kind(&one.of, &wider.of, self.word)
    }

    fn same_expr(&self, one: &Expr, wider: &Expr) -> bool {
        let ((any, ours), (other, theirs)) = (one.parts(), wider.parts());
        let same_part = |(a, b): (&Part, &Part)| self.same_part(a, b);
        any == other && ours.len() == theirs.len() && ours.iter().zip(theirs).all(same_part)
    }

    /// Bits that were chosen are the same, counted from the word's last bit if they are not below it.
    fn same_part(&self, one: &Part, wider: &Part) -> bool {
        match (one, wider) {
            (
                Part::Net { net, bits: Some((high, low)), invert },
                Part::Net { net: other, bits: Some((top, end)), invert: inverted },
            ) if self.one.signal(net.signal).width != self.wider.signal(other.signal).width => {
                (net, invert) == (other, inverted)
                    && place_text(*high, self.word) == place_text(*top, self.word + 1)
                    && end_text(*low, self.word) == end_text(*end, self.word + 1)
            }
            (one, wider) => one == wider,
        }
    }
}

fn same_signal(one: &Signal, wider: &Signal) -> bool {
    (&one.name, one.lanes, one.kind) == (&wider.name, wider.lanes, wider.kind)
        && (one.width == wider.width || one.width + 1 == wider.width)
}

/// The same module, or the same cell but for the width of its words.
fn same_kind(one: &Of, wider: &Of, word: u32) -> bool {
    match (one, wider) {
        (Of::Cell(one), Of::Cell(wider)) => one == wider || same_cell(one, wider, word),
        (one, wider) => one == wider,
    }
}

fn same_cell(one: &CellSpec, wider: &CellSpec, word: u32) -> bool {
    let (ours, theirs) = (one.parameters(), wider.parameters());
    one.module() == wider.module()
        && ours.len() == theirs.len()
        && ours.iter().zip(&theirs).all(|(one, wider)| match one == wider {
            true => true,
            false => {
                one.name == PARAMETER
                    && one.value >= u64::from(word)
                    && (one.name, one.value + 1) == (wider.name, wider.value)
            }
        })
}

#[cfg(test)]
mod tests {
    use crate::design::axis::{self, Streams};
    use crate::design::build;
    use crate::netlist::Netlist;
    use frit_schedule::{Request, SYSTEMS, plan};

    #[test]
    fn the_width_is_a_parameter_of_every_system() {
        for system in SYSTEMS.iter().filter(|system| system.row.key != "user") {
            for variant in system.row.variants() {
                let request = variant
                    .iter()
                    .fold(Request::new(system.row.key, system.row.example), |request, (key, value)| {
                        request.with(key, value)
                    });
                let Ok(plan) = plan(&request) else { continue };
                let mark = |width: u32, with: &dyn Fn(u32) -> Option<Netlist>| {
                    let mut netlist = with(width)?;
                    assert!(netlist.make_width_a_parameter(width, &with(width + 1)?), "{}", plan.name());
                    assert_eq!(netlist.top().word, Some(width));
                    assert!(netlist.top().signals.iter().any(|signal| signal.above_word == Some(0)));
                    let mut again = netlist.clone();
                    again.fix_width();
                    assert_eq!(again, with(width)?);
                    Some(())
                };
                for width in [1, 8, 64] {
                    mark(width, &|width| Some(build(&plan, width))).unwrap();
                    let streams = Streams::packed(2, 2);
                    mark(width, &|width| axis::build(&plan, width, streams).ok());
                }
            }
        }
    }

    #[test]
    fn designs_that_differ_in_more_than_widths_stay_as_they_are() {
        let of = |terminals| build(&plan(&Request::new("rls", terminals)).unwrap(), 8);
        let mut netlist = of(4);
        assert!(!netlist.make_width_a_parameter(8, &of(8)));
        let mut wider = build(&plan(&Request::new("rls", 4)).unwrap(), 9);
        wider.modules[0].instances[0].inputs.swap(2, 3);
        assert!(!netlist.make_width_a_parameter(8, &wider));
        assert_eq!(netlist, of(4));
    }
}
