//! Pages of `frit view` in a real browser: what each shows in every cycle is what `frit simulate` writes into its files.

use crate::common;

use common::browser::{Shown, Watched, drive, have_browser, kept};
use common::film::{COMPARED, Expected, differences, expected};
use common::{frit, json, run};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// A planned design of each kind.
const DESIGNS: [&str; 13] = [
    "rls -n 16",
    "gsen -n 10",
    "gsen --algorithm ata2 -n 6",
    "gsen --algorithm latin --pad -n 5",
    "obf -n 8",
    "rls-folded -n 8 --set plan=windowed",
    "rls-folded -n 8 --set plan=buffered",
    "rls-flattened -n 8",
    "benes -n 8",
    "xor -n 8",
    "atape -n 8",
    "user --network examples/omega8/network.json --schedule examples/omega8/schedule.json",
    "user --network examples/omega8/network.json --schedule examples/omega8/labels.json",
];

/// Routers, their worms blocked, their nodes full; and the column of their events that says when.
pub const ROUTED: [(&str, &str); 3] = [
    ("dilated -n 4 --bundle 4 --per-input 8 --seed 1", "step"),
    ("multibutterfly -n 16 --seed 1", "stage"),
    ("multibutterfly -n 16 --d 2 --r 1 --h 4 --ha 4 --traffic bitrev --seed 3", "stage"),
];

/// `rls -n 8`, whose switches are set as they should be, one of them doing the opposite.
const FAULTY: &str = "rls -n 8 --fault inverted-control:2:1";

/// Besides what is compared.
const SIGNS: [&str; 2] = ["problem", "difference"];

fn slug(design: &str) -> String {
    let words = design.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.filter(|word| !["examples", "json", "set"].contains(word)).collect::<Vec<_>>().join("_")
}

/// The page of a design, in the folder of a test.
pub fn page(test: &str, design: &str) -> PathBuf {
    let page = kept(test).join(format!("{}.html", slug(design)));
    run(&format!("view {design} -o {}", page.display()), 0);
    page
}

/// What the files of the model say that it must show.
pub fn told(design: &str) -> Expected {
    let dir = tempfile::tempdir().unwrap();
    let files = ["settings", "deliveries"].map(|name| dir.path().join(format!("{name}.csv")));
    let [settings, deliveries] = files.each_ref().map(|file| file.display());
    let report = json(&format!("simulate {design} --settings {settings} --deliveries {deliveries}"), 0);
    let terminals = report["terminals"].as_u64().unwrap() + report["spare"].as_u64().unwrap_or(0);
    let [settings, deliveries] = files.map(|file| fs::read_to_string(file).unwrap());
    expected(&settings, &deliveries, terminals as usize)
}

fn watch(pages: &[PathBuf], arguments: &str) -> Vec<Watched> {
    drive(pages, &[&COMPARED[..], &SIGNS[..]].concat(), arguments)
}

fn watch_one(page: PathBuf, arguments: &str) -> Watched {
    watch(&[page], arguments).remove(0)
}

/// The film of a page, changed.
pub fn with_film(page: &PathBuf, change: impl FnOnce(&mut Value)) {
    with_film_text(page, |film| changed(film, change));
}

/// The same of its text.
pub fn with_film_text(page: &PathBuf, change: impl FnOnce(&str) -> String) {
    let text = fs::read_to_string(page).unwrap();
    let begin = "<script type=\"application/json\" id=\"film\">";
    let (head, rest) = text.split_once(begin).unwrap();
    let (film, tail) = rest.split_once("</script>").unwrap();
    fs::write(page, format!("{head}{begin}{}</script>{tail}", change(film))).unwrap();
}

#[test]
fn every_cycle_of_a_page_is_what_the_files_say() {
    if !have_browser() {
        return;
    }
    let designs = common::some(&DESIGNS, 2);
    let pages: Vec<_> = designs.iter().map(|design| page("designs", design)).collect();
    let watched = watch(&pages, &format!("--walk --screenshot 6 --out {}", kept("screenshots").display()));
    for (design, watched) in designs.iter().zip(watched) {
        let expected = told(design);
        assert_eq!(differences(&expected, &watched), [], "{design}");
        the_comparison_finds_a_character(design, &expected, &watched);
        assert_eq!(watched.complaints, Vec::<String>::new(), "{design}");
        assert_eq!((watched.pictures.len(), watched.stuck), (4, None), "{design}");
        for shown in watched.cycles.iter().chain(&watched.start) {
            let signs = SIGNS.map(|id| (id, shown.visible(id)));
            assert_eq!(signs, [("problem", false), ("difference", false)], "{design}: {shown:?}");
        }
    }
}

#[test]
fn every_step_of_a_router_is_what_its_events_say() {
    if !have_browser() {
        return;
    }
    let routed = common::some(&ROUTED, 2);
    let pages: Vec<_> = routed.iter().map(|(design, _)| page("routed", design)).collect();
    let texts = ["cycle-now", "events-text", "deliveries-text", "problem"];
    let arguments = format!("--walk --screenshot 2 --out {}", kept("screenshots").display());
    for (&(design, column), watched) in routed.iter().zip(drive(&pages, &texts, &arguments)) {
        let (expected, delivered) = events(design, column);
        let shown: Vec<Vec<&str>> =
            watched.cycles.iter().map(|shown| in_order(&shown.lines("events-text"))).collect();
        assert_eq!(other_step(&expected, &shown), None, "{design}");
        let mut spoilt = expected.clone();
        let busy = spoilt.iter().rposition(|rows| !rows.is_empty()).unwrap();
        spoilt[busy].pop();
        assert_eq!(other_step(&spoilt, &shown), Some(busy), "{design}: a row less");
        let arrived: usize = watched.cycles.iter().map(|shown| shown.lines("deliveries-text").len()).sum();
        assert_eq!(arrived as u64, delivered, "{design}");
        assert_eq!((watched.complaints, watched.stuck), (vec![], None), "{design}");
        assert!(watched.cycles.iter().all(|shown| !shown.visible("problem")), "{design}");
    }
}

#[test]
#[ignore = "long: make test-all"]
fn a_page_of_a_stream_shows_every_word_leave_in_its_cycle() {
    if !have_browser() {
        return;
    }
    let page = page("streamed", "transpose -n 4 --rows 8");
    let watched = drive(&[page], &["deliveries-text", "problem"], "--walk").remove(0);
    assert_eq!((watched.complaints, watched.stuck), (vec![], None));
    assert!(watched.cycles.iter().all(|shown| !shown.visible("problem")));
    let left: Vec<usize> = watched.cycles.iter().map(|shown| shown.lines("deliveries-text").len()).collect();
    // Two data sets of 16 beats, 4 words a beat, behind a latency of 23 cycles.
    assert_eq!(left.len(), 23 + 32 + 1);
    assert!(
        (0..left.len()).all(|cycle| left[cycle] == if (23..55).contains(&cycle) { 4 } else { 0 }),
        "{left:?}"
    );
}

/// The rows of each step in order, its head with it, none where nothing happens; and how many messages arrive.
pub fn events(design: &str, column: &str) -> (Vec<Vec<String>>, u64) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("events.csv");
    let report = frit(&format!("route {design} --events {} --format json", file.display())).output().unwrap();
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    let text = fs::read_to_string(file).unwrap();
    let (head, rows) = text.split_once('\n').unwrap();
    let at = head.split(',').position(|name| name == column).unwrap();
    let mut steps: Vec<Vec<String>> = vec![];
    for row in rows.lines() {
        let step: usize = row.split(',').nth(at).unwrap().parse().unwrap();
        steps.resize(steps.len().max(step + 1), vec![]);
        if steps[step].is_empty() {
            steps[step].push(head.into());
        }
        steps[step].push(row.into());
    }
    steps.iter_mut().for_each(|rows| rows.sort());
    (steps, report["delivered"].as_u64().unwrap())
}

fn in_order<'a>(rows: &[&'a str]) -> Vec<&'a str> {
    let mut rows = rows.to_vec();
    rows.sort_unstable();
    rows
}

/// The first step in which other events are shown than expected; behind the last event nothing happens.
fn other_step(expected: &[Vec<String>], shown: &[Vec<&str>]) -> Option<usize> {
    let none = vec![];
    (0..expected.len().max(shown.len()))
        .find(|&step| shown.get(step).is_none_or(|shown| *expected.get(step).unwrap_or(&none) != *shown))
}

/// With one character of one text in one cycle changed in what is expected, that text differs in that cycle and nothing else.
fn the_comparison_finds_a_character(design: &str, expected: &Expected, watched: &Watched) {
    for (text, id) in COMPARED.into_iter().enumerate() {
        let cycle = (0..expected.len()).rev().find(|&cycle| !expected[cycle][text].is_empty()).unwrap();
        let mut spoilt = expected.clone();
        let line = spoilt[cycle][text].last_mut().unwrap();
        let last = line.pop().unwrap();
        line.push(if last == 'x' { '=' } else { 'x' });
        let found = differences(&spoilt, watched);
        let places: Vec<_> = found.iter().map(|difference| (difference.cycle, difference.id)).collect();
        assert_eq!(places, [(cycle, id)], "{design}");
    }
}

#[test]
fn the_keys_move_a_page_and_it_plays() {
    if !have_browser() {
        return;
    }
    let page = page("keys", "rls -n 8");
    let last = (told("rls -n 8").len() - 1).to_string();
    let moves = [
        ("ArrowLeft", "0"),
        ("ArrowRight", "1"),
        ("ArrowRight", "2"),
        ("ArrowLeft", "1"),
        ("End", &last),
        ("ArrowRight", &last),
        ("Home", "0"),
    ];
    let watched = watch_one(page, &format!("--play --keys {}", moves.map(|(key, _)| key).join(" ")));
    let found: Vec<_> =
        watched.keys.iter().map(|(key, shown)| (key.as_str(), shown.text("cycle-now"))).collect();
    assert_eq!(found, moves);
    assert_eq!((watched.plays, watched.complaints, watched.stuck), (Some(true), vec![], None));
}

/// The other value of the first switch of a stage, as a film writes them: behind a colon a character each, else four a digit.
fn flipped(states: &str) -> String {
    let mut flipped: Vec<char> = states.chars().collect();
    let place = usize::from(flipped[0] == ':');
    let mask = if place == 1 { 1 } else { 8 };
    let digit = flipped[place].to_digit(16).expect("the switch acts");
    flipped[place] = char::from_digit(digit ^ mask, 16).unwrap();
    flipped.into_iter().collect()
}

#[test]
fn a_state_flipped_in_a_page_is_found_in_its_cycle_and_nowhere_else() {
    if !have_browser() {
        return;
    }
    // This fault changes words, not settings; what the switches do is not checked against deliveries on its page.
    let page = page("flipped", FAULTY);
    let cycle = flip_in_the_middle(&page);
    let found = differences(&told("rls -n 8"), &watch_one(page, "--walk"));
    let places: Vec<_> = found.iter().map(|difference| (difference.cycle, difference.id)).collect();
    assert_eq!(places, [(cycle, "states-text")], "{found:?}");
    let [expected, found] = [&found[0].expected, &found[0].found].map(|lines| lines.concat());
    let switches = expected.chars().zip(found.chars()).filter(|(expected, found)| expected != found);
    assert_eq!(switches.count(), 1);
}

#[test]
fn a_page_whose_switches_do_not_lead_to_its_deliveries_says_so() {
    if !have_browser() {
        return;
    }
    let designs: Vec<_> = common::every(&DESIGNS, 3).collect();
    let pages: Vec<_> = designs.iter().map(|design| page("contradiction", design)).collect();
    for page in &pages {
        flip_in_the_middle(page);
    }
    for (design, watched) in designs.iter().zip(watch(&pages, "")) {
        assert!(watched.start.unwrap().visible("problem"), "{design}");
        assert_eq!(watched.complaints, Vec::<String>::new(), "{design}");
    }
}

/// Flips the first state reported in the cycle in the middle, or in the last one before it that has any; which cycle.
fn flip_in_the_middle(page: &PathBuf) -> usize {
    let mut flipped_in = 0;
    with_film(page, |film| {
        let states = film["states"].as_array_mut().unwrap();
        let acting = |row: &Value| row.as_array().unwrap().iter().position(|stage| stage != "");
        let cycle = (0..=states.len() / 2).rev().find(|&cycle| acting(&states[cycle]).is_some()).unwrap();
        let stage = acting(&states[cycle]).unwrap();
        states[cycle][stage] = flipped(states[cycle][stage].as_str().unwrap()).into();
        flipped_in = cycle;
    });
    flipped_in
}

/// The text of a film, changed.
pub fn changed(film: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut film = serde_json::from_str(film).unwrap();
    change(&mut film);
    film.to_string().replace("</", "<\\/")
}

#[test]
fn a_page_of_a_fault_says_where_the_run_first_differs() {
    if !have_browser() {
        return;
    }
    let watched = watch_one(page("fault", FAULTY), "--walk");
    // A word is changed in every round: it is seen when the first arrive.
    let first = told("rls -n 8").iter().position(|texts| !texts[4].is_empty()).unwrap().to_string();
    let shown = watched.start.unwrap();
    let difference = shown.text("difference");
    let numbers: Vec<&str> = difference.split(|c: char| !c.is_ascii_digit()).collect();
    assert!(shown.visible("difference") && numbers.contains(&first.as_str()), "{first}: {difference}");
    assert!(!shown.visible("problem"), "{shown:?}");
    assert_eq!(watched.complaints, Vec::<String>::new());
}

/// What the panel tells of what was clicked on: its heading, then its text without blanks between cells.
fn told_of(watched: &Watched) -> Vec<(String, String)> {
    let text =
        |shown: &Shown| (shown.text("chosen-title").to_string(), shown.text("chosen-text").to_string());
    watched.clicks.iter().map(text).collect()
}

#[test]
fn a_click_tells_of_a_message_and_of_a_switch() {
    if !have_browser() {
        return;
    }
    let page = page("click", "rls -n 8");
    let film = film_of(&page);
    let number = |of: &Value| of.as_f64().unwrap();
    let layout = &film["layout"];
    let share =
        |x: f64, y: f64| format!("{},{}", x / number(&layout["width"]), y / number(&layout["height"]));
    // Where messages rest in the first cycle, and in a box of stage 1.
    let (from, to) = (number(&layout["input_x"]), number(&layout["box_x"][0]));
    let message = share(from + 0.06 * (to - from), number(&layout["lane_y"][3]));
    let switch = share(number(&layout["box_x"][1]) + 22.0, number(&layout["lane_y"][2]) + 12.0);
    let watched =
        drive(&[page], &["chosen-title", "chosen-text"], &format!("--click {message} {switch}")).remove(0);
    let told = told_of(&watched);
    let (schedule, _) = run("schedule rls -n 8 --round 0", 0);
    assert_eq!(told[0].0, "Message from terminal 3 to 3", "{schedule}");
    let label = format!("Label {:05b}:", film["labels"][0][3].as_u64().unwrap());
    assert!(told[0].1.contains("delivered in cycle 5.") && told[0].1.contains(&label), "{told:?}");
    assert!(schedule.contains(&label["Label ".len()..label.len() - 1]), "{schedule}");
    assert_eq!(told[1].0, "switch 1 of stage 1");
    // A row for each cycle in which the files say that it acts: cycle, round, state.
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("settings.csv");
    run(&format!("simulate rls -n 8 --settings {}", file.display()), 0);
    let settings = fs::read_to_string(file).unwrap();
    let acts = settings.lines().filter_map(|row| row.split_once(",1,1,"));
    let rows: Vec<String> = acts
        .map(|(cycle, state)| {
            let round = cycle.parse::<u32>().unwrap() - 1;
            format!("{cycle}{round}{}message of", if state == "1" { "cross" } else { "straight" })
        })
        .collect();
    assert_eq!(rows.len(), 8);
    assert!(rows.iter().all(|row| told[1].1.contains(row.as_str())), "{rows:?} {told:?}");
    assert_eq!(watched.complaints, Vec::<String>::new());
}

#[test]
fn what_a_fault_loses_is_told_until_it_should_have_arrived() {
    if !have_browser() {
        return;
    }
    let page = page("lost", "rls -n 8 --fault dropped-valid:1:0");
    let film = film_of(&page);
    let missing = film["missing"].as_array().unwrap();
    assert!(!missing.is_empty());
    let watched = drive(&[page], &["differences-text", "problem"], "--walk").remove(0);
    // Switch 0 of stage 1 acts first in cycle 1; the message is nowhere in the next.
    let texts: Vec<&str> = watched.cycles.iter().map(|shown| shown.text("differences-text")).collect();
    assert_eq!(texts[..2], ["", ""]);
    assert_eq!(texts[2], "the message of 0 in round 0 is lost on the way to stage 2");
    for place in missing {
        let [cycle, output, source] = [0, 1, 2].map(|at| place[at].as_u64().unwrap());
        let line = format!("terminal {output}: the message of {source} does not arrive");
        assert!(texts[cycle as usize].lines().any(|text| text == line), "{line}: {texts:?}");
    }
    assert_eq!((watched.complaints, watched.stuck), (vec![], None));
}

/// The film of a page.
pub fn film_of(page: &PathBuf) -> Value {
    let text = fs::read_to_string(page).unwrap();
    let (_, film) = text.split_once("id=\"film\">").unwrap();
    serde_json::from_str(film.split_once("</script>").unwrap().0).unwrap()
}
