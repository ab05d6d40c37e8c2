//! The faults of a design that are planted: all of the forms asked for, or a sample of each.

use crate::sweep::designs::Subject;
use anyhow::{Result, bail};
use frit_cells::design;
use frit_cells::fault::PlantedFault;
use frit_device::permute::PermuteFault;
use frit_traffic::random::SplitMix64;

/// The forms asked for, all without a word, those of exchanges first.
pub fn forms(given: Option<&[String]>) -> Result<Vec<&'static str>> {
    let all: Vec<&'static str> = PlantedFault::words().chain(PermuteFault::WORDS).collect();
    let Some(given) = given else { return Ok(all) };
    if let Some(word) = given.iter().find(|word| !all.contains(&word.as_str())) {
        bail!("faults: {word:?}: they are {}", all.join(", "));
    }
    match given.is_empty() {
        true => bail!("faults need a form at least; leave the member out for all"),
        false => Ok(all.into_iter().filter(|word| given.iter().any(|other| other == word)).collect()),
    }
}

/// The faults of these forms for which a design has a place; with a `sample` so many at most of each form, drawn with the seed.
pub fn planted(
    subject: &Subject,
    width: u32,
    words: &[&str],
    sample: Option<usize>,
    seed: u64,
) -> Vec<String> {
    fn text(faults: &[impl ToString]) -> Vec<String> {
        faults.iter().map(ToString::to_string).collect()
    }
    let all: Vec<Vec<String>> = match subject {
        Subject::Planned(plan) => {
            let netlist = design::build(plan, width);
            words.iter().map(|word| text(&PlantedFault::all(word, plan, &netlist))).collect()
        }
        Subject::Streamed(plan) => words.iter().map(|word| text(&PermuteFault::all(word, plan))).collect(),
    };
    all.into_iter().flat_map(|faults| drawn(faults, sample, seed)).collect()
}

/// So many of them, in their order.
fn drawn(mut faults: Vec<String>, sample: Option<usize>, seed: u64) -> Vec<String> {
    let count = sample.unwrap_or(faults.len()).min(faults.len());
    let mut places: Vec<usize> = (0..faults.len()).collect();
    SplitMix64(seed).shuffle(&mut places);
    places.truncate(count);
    places.sort_unstable();
    places.into_iter().map(|at| std::mem::take(&mut faults[at])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_schedule::{Request, plan};

    #[test]
    fn a_sample_is_drawn_of_each_form() {
        let plan = Subject::Planned(plan(&Request::new("rls", 8)).unwrap()); // 5 stages of 4 switches
        let words = forms(Some(&["stuck-switch".into(), "swapped-wire".into()])).unwrap();
        let names = |sample, seed| planted(&plan, 8, &words, sample, seed);
        let all = names(None, 1);
        assert_eq!((all.len(), all[0].as_str()), (5 + 40, "swapped-wire:0"));
        let some = names(Some(6), 1);
        assert_eq!(some.len(), 5 + 6);
        assert!(some.iter().all(|name| all.contains(name)), "{some:?}");
        assert_eq!(names(Some(6), 1), some);
        assert_ne!(names(Some(6), 2), some);
        assert_eq!(names(Some(100), 2), all);
    }

    #[test]
    fn forms_that_there_are_not() {
        let error = forms(Some(&["stuck".into()])).unwrap_err().to_string();
        assert!(error.contains("\"stuck\": they are swapped-wire, inverted-control,"), "{error}");
        assert!(forms(Some(&[])).is_err());
        assert_eq!(forms(None).unwrap().len(), PlantedFault::FORMS.len() + 5);
    }
}
