//! Pages of `frit view` whose film or file is damaged: each says so itself, and nothing of it ends on the console alone.

use crate::common;
use crate::view::{changed, film_of, page, with_film, with_film_text};

use common::browser::{Watched, drive, have_browser};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// What is done to the text of a film.
type Damage = fn(&str) -> String;

fn watch(pages: &[PathBuf]) -> Vec<Watched> {
    drive(pages, &["problem"], "--keys ArrowRight End Home --click 0.5,0.5")
}

/// Whether a page says from the start why it does not play, and says it nowhere else.
fn says_so(what: &str, watched: &Watched) {
    let start = watched.start.as_ref().unwrap();
    let words = start.text("problem").split_whitespace().count();
    assert!(start.visible("problem") && words > 3, "{what}: {start:?} {:?}", watched.complaints);
    assert_eq!((&watched.complaints, &watched.stuck), (&vec![], &None), "{what}");
}

#[test]
fn damaged_data_make_a_page_say_so() {
    if !have_browser() {
        return;
    }
    let damages: [(&str, Damage); 5] = [
        ("truncated", |film| film[..film.len() / 2].into()),
        ("empty", |_| String::new()),
        ("list", |_| "[]".into()),
        ("link", |film| changed(film, |film| film["columns"][1][0] = film["columns"][1][1].clone())),
        ("source", |film| changed(film, |film| last_arrivals(film)[1] = 99.into())),
    ];
    let pages = damages.map(|(name, damage)| {
        let page = page(&format!("damaged_{name}"), "rls -n 8");
        with_film_text(&page, damage);
        page
    });
    damages.iter().zip(watch(&pages)).for_each(|((name, _), watched)| says_so(name, &watched));
}

fn last_arrivals(film: &mut Value) -> &mut Value {
    film["deliveries"].as_array_mut().unwrap().last_mut().unwrap()
}

/// A download that broke off: within the film, or within the script behind it.
#[test]
fn a_page_that_was_cut_says_so() {
    if !have_browser() {
        return;
    }
    let pages = ["id=\"film\">{", "class Player {"].map(|place| {
        let page = page(&format!("cut_{}", place.len()), "rls -n 8");
        let text = fs::read_to_string(&page).unwrap();
        fs::write(&page, &text[..text.find(place).unwrap() + place.len()]).unwrap();
        page
    });
    let [film, script] = watch(&pages).try_into().unwrap();
    says_so("film", &film);
    // That the script has no end is told on the console, too.
    let start = script.start.unwrap();
    assert!(start.visible("problem") && start.text("problem").contains("has not started"), "{start:?}");
}

/// What only shows while the page plays ends its playing, and is said then.
#[test]
fn an_exception_while_a_page_plays_is_said() {
    if !have_browser() {
        return;
    }
    let page = page("exception", "rls -n 8");
    let text = fs::read_to_string(&page).unwrap();
    let broken = text.replacen(
        "  deliveriesText(cycle) {",
        "  deliveriesText(cycle) { if (cycle === 12) this.gone.at;",
        1,
    );
    assert!(broken != text);
    fs::write(&page, broken).unwrap();
    let watched = watch(&[page]).remove(0);
    let seen: Vec<bool> = watched.keys.iter().map(|(_, shown)| shown.visible("problem")).collect();
    assert_eq!(seen, [false, true, true], "{:?}", watched.keys);
    let said = watched.keys[1].1.text("problem").to_string();
    assert!(said.starts_with("This page's data is damaged, or its script is"), "{said}");
    assert_eq!(watched.complaints.len(), 1, "the console has it, too: {:?}", watched.complaints);
}

/// The places of a film as JSON pointers: every member of an object, the last member of a list.
fn places(film: &Value, at: &str, found: &mut Vec<String>) {
    let members: Vec<(String, &Value)> = match film {
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(list) => {
            list.iter().enumerate().rev().take(1).map(|(at, value)| (at.to_string(), value)).collect()
        }
        _ => vec![],
    };
    for (name, value) in members {
        let place = format!("{at}/{name}");
        found.push(place.clone());
        places(value, &place, found);
    }
}

/// A small film of each kind, with all of its members.
const FILMS: [&str; 3] = [
    "rls -n 4 --fault stuck-switch:1:0:1",
    "dilated -n 2 --bundle 1 --per-input 2 --seed 1",
    "ideal --demand examples/demand4.csv",
];

/// The pages of a film that has another value in one place each; with every fourth place first.
fn damaged(design: &str, value: &Value) -> Vec<(String, PathBuf)> {
    let mut found = vec![];
    places(&film_of(&page("places", design)), "", &mut found);
    let mut numbered: Vec<(usize, String)> = found.into_iter().enumerate().collect();
    numbered.sort_by_key(|(at, _)| at % 4);
    let page_of = |(at, place): (usize, String)| {
        let page = page(&format!("place_{at}"), design);
        with_film(&page, |film| *film.pointer_mut(&place).unwrap() = value.clone());
        (format!("{design}: {place} is {value}"), page)
    };
    numbered.into_iter().map(page_of).collect()
}

/// No member of a film is a truth value.
#[test]
fn a_value_of_another_type_is_found_wherever_it_is() {
    if !have_browser() {
        return;
    }
    let mut few = vec![];
    for design in FILMS {
        let pages = damaged(design, &json!(true));
        assert!(pages.len() > 30, "{pages:?}");
        few.extend(common::every(&pages, 8).cloned());
    }
    let (names, pages): (Vec<_>, Vec<_>) = few.into_iter().unzip();
    let watched = drive(&pages, &["problem"], "");
    names.iter().zip(watched).for_each(|(name, watched)| says_so(name, &watched));
}

/// Values that may be allowed: whoever opens the page sees what is wrong, or nothing is.
#[test]
#[ignore = "long: make test-all"]
fn no_value_makes_a_page_fail_in_silence() {
    if !have_browser() {
        return;
    }
    let values = [json!(null), json!(-1), json!(0.5), json!("x"), json!([])];
    for (design, value) in FILMS.iter().flat_map(|design| values.clone().map(|value| (design, value))) {
        let (names, pages): (Vec<_>, Vec<_>) = damaged(design, &value).into_iter().unzip();
        let watched = drive(&pages, &["problem"], "--keys End --click 0.5,0.5");
        for (name, watched) in names.iter().zip(watched) {
            let last = &watched.clicks.last().unwrap();
            assert!(
                last.visible("problem") || watched.complaints.is_empty(),
                "{name}: {:?}",
                watched.complaints
            );
            assert_eq!(watched.stuck, None, "{name}");
        }
    }
}
