//! A page of what was read from files says what was compared: switches, deliveries, and words if there are some.

use crate::common;

use common::run;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes the files of a run and gives the arguments that show them, page first.
fn files(dir: &Path, simulate: &str) -> [PathBuf; 3] {
    let [page, settings, deliveries] = ["page.html", "s.csv", "d.csv"].map(|name| dir.join(name));
    let (s, d) = (settings.display(), deliveries.display());
    run(&format!("simulate rls -n 8 {simulate} --settings {s} --deliveries {d}"), 0);
    [page, settings, deliveries]
}

/// What `frit view` prints and the sentences on its page.
fn shown([page, settings, deliveries]: &[PathBuf; 3], more: &str) -> (String, String) {
    let (page, s, d) = (page.display(), settings.display(), deliveries.display());
    let (said, _) = run(&format!("view rls -n 8 --settings {s} --deliveries {d} -o {page} {more}"), 0);
    let text = fs::read_to_string(format!("{page}")).unwrap();
    let (_, film) = text.split_once("\"about\":[").unwrap();
    (said, film.split_once(']').unwrap().0.into())
}

const SAME: &str = "nothing of what was compared differs from the model";

#[test]
fn a_changed_word_is_a_difference() {
    let dir = tempfile::tempdir().unwrap();
    let files = files(dir.path(), "--payload random");
    let (said, about) = shown(&files, "");
    assert!(
        about.contains(SAME) && about.contains("and its word (random words, seed 1, 32 bits)"),
        "{about}"
    );
    assert!(said.contains("compared: ") && !said.contains("first difference"), "{said}");
    let text = fs::read_to_string(&files[2]).unwrap();
    let (line, word) = text.lines().nth(1).and_then(|line| line.rsplit_once(',')).unwrap();
    let other = format!("{}{}", &word[..7], if word.ends_with('0') { '1' } else { '0' });
    fs::write(&files[2], text.replacen(&format!("{line},{word}"), &format!("{line},{other}"), 1)).unwrap();
    let (said, about) = shown(&files, "");
    assert!(!about.contains(SAME), "{about}");
    let at = format!(
        "delivery at output 0 is from 0 in round 0, word 0x{}, expected",
        other.trim_start_matches('0')
    );
    assert!(said.contains("first difference: cycle 5") && said.contains(&at), "{said}");
    // A page names the delivery.
    assert!(fs::read_to_string(&files[0]).unwrap().contains("\"wrong\":[[5,0,0]]"));
}

#[test]
fn other_words_are_named_and_without_words_the_page_says_that_none_were_compared() {
    let dir = tempfile::tempdir().unwrap();
    let seven = files(dir.path(), "--payload random --seed 7");
    assert!(shown(&seven, "").0.contains("first difference"));
    let narrow = files(dir.path(), "--payload random -w 100");
    let about = shown(&narrow, "").1;
    assert!(about.contains(SAME) && about.contains("100 bits"), "{about}");
    let seven = files(dir.path(), "--payload random --seed 7");
    let (said, about) = shown(&seven, "--seed 7");
    assert!(
        about.contains(SAME) && about.contains("seed 7") && !said.contains("first difference"),
        "{about}"
    );
    let none = files(dir.path(), "");
    let about = shown(&none, "").1;
    assert!(about.contains(SAME) && about.contains("not its word: the file has none"), "{about}");
    let [page, s, d] = none.each_ref().map(|file| file.display());
    let refused = run(&format!("view rls -n 8 --settings {s} --deliveries {d} -o {page} --seed 7"), 2).1;
    assert!(refused.contains("the deliveries have none to compare"), "{refused}");
}
