//! The faults of a design that are planted: all of the forms asked for, or a sample of each.

use anyhow::{Result, bail};
use frit_cells::fault::Faults;
use frit_traffic::random::SplitMix64;

/// Refuses forms that are not `known`.
pub fn check_forms(given: Option<&[String]>, known: &[&str]) -> Result<()> {
    let mut all: Vec<&str> = vec![];
    known.iter().for_each(|word| {
        if !all.contains(word) {
            all.push(word)
        }
    });
    match given {
        Some([]) => bail!("faults needs at least one form; leave faults out for all forms"),
        Some(given) if let Some(word) = given.iter().find(|word| !all.contains(&word.as_str())) => {
            bail!("faults: {word:?} is not a form of fault; give one of {}", all.join(", "))
        }
        _ => Ok(()),
    }
}

/// The faults of these forms for which a design has a place, of all forms without a list; with a `sample` so many at most of each form,
/// drawn with the seed.
pub fn planted(
    faults: &dyn Faults,
    forms: Option<&[String]>,
    sample: Option<usize>,
    seed: u64,
) -> Vec<String> {
    let asked = |word: &&str| forms.is_none_or(|forms| forms.iter().any(|form| form == word));
    let words = faults.words().into_iter().filter(asked);
    words.flat_map(|word| drawn(faults.all(word), sample, seed)).collect()
}

/// So many of them, in their order.
fn drawn(faults: Vec<String>, sample: Option<usize>, seed: u64) -> Vec<String> {
    let count = sample.unwrap_or(faults.len()).min(faults.len());
    let mut places: Vec<usize> = (0..faults.len()).collect();
    SplitMix64(seed).shuffle(&mut places);
    places.truncate(count);
    places.sort_unstable();
    places.into_iter().map(|at| faults[at].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::designs::Subject;
    use frit_schedule::{Request, plan};

    #[test]
    fn a_sample_is_drawn_of_each_form() {
        let plan = Subject::Planned(Box::new(plan(&Request::new("rls", 8)).unwrap())); // 5 stages of 4 switches
        let (faults, forms) = (plan.faults(8), ["stuck-switch".into(), "swapped-wire".into()]);
        let names = |sample, seed| planted(faults.as_ref(), Some(&forms), sample, seed);
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
        let known = ["swapped-wire", "page", "swapped-wire"];
        let error = |given: &[String]| check_forms(Some(given), &known).unwrap_err().to_string();
        assert_eq!(
            error(&["page".into(), "stuck".into()]),
            "faults: \"stuck\" is not a form of fault; give one of swapped-wire, page"
        );
        assert!(error(&[]).starts_with("faults needs at least one form"));
        assert!(check_forms(Some(&["page".into()]), &known).is_ok() && check_forms(None, &known).is_ok());
    }
}
