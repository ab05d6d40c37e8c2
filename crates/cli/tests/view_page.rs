//! What a page of `frit view` does besides showing each cycle: its sentences, its address, the keyboard, files that are saved.

use crate::common;
use crate::view::{ROUTED, events, page, told, with_film};

use common::browser::{drive, have_browser, kept};
use common::{json, run};
use serde_json::{Value, json};
use std::fs;

/// The places of the switches that cross in a line of states.
fn crossing(line: &str) -> Vec<usize> {
    line.chars().enumerate().filter(|(_, state)| *state == 'x').map(|(at, _)| at).collect()
}

/// `0, 2 and 3`.
fn listed(numbers: &[usize]) -> String {
    let texts: Vec<String> = numbers.iter().map(usize::to_string).collect();
    match texts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => texts.concat(),
    }
}

/// What the sentences of a cycle of `rls` have to say of each stage that acts, and of what arrives.
fn sentences(states: &[String], deliveries: &[String]) -> Vec<String> {
    let stage = |(stage, line): (usize, &String)| {
        let crossing = crossing(line);
        let set = match crossing.len() {
            0 => "every switch is set to straight".into(),
            all if all == line.len() => "every switch is set to cross".into(),
            1 => format!("switch {} is set to cross", crossing[0]),
            _ => format!("switches {} are set to cross", listed(&crossing)),
        };
        format!("is at stage {stage}: {set}.")
    };
    let acting = states.iter().enumerate().filter(|(_, line)| line.chars().any(|state| state != '.'));
    let delivered = match deliveries.len() {
        0 => "Nothing ".into(),
        count => format!("Delivered: {count} messages of round "),
    };
    acting.map(stage).chain([delivered]).collect()
}

#[test]
fn the_sentences_of_a_cycle_say_what_the_files_say() {
    if !have_browser() {
        return;
    }
    let expected = told("rls -n 8");
    let watched =
        drive(&[page("sentences", "rls -n 8")], &["saying", "more-text"], "--walk --drawn").remove(0);
    assert_eq!((watched.complaints, watched.stuck), (vec![], None));
    // Two lines at most; what they have no room for is folded.
    assert_eq!(watched.drawn.unwrap().1, 2);
    let missing = |states: &[String], cycle: usize| -> Vec<String> {
        let told = sentences(states, &expected[cycle][4]);
        let shown = ["saying", "more-text"].map(|id| watched.cycles[cycle].text(id)).join(" ");
        told.into_iter().filter(|part| !shown.contains(part)).collect()
    };
    let told = sentences(&expected[4][2], &expected[4][4]);
    assert!(told.iter().any(|part| watched.cycles[4].text("more-text").contains(part)), "{told:?}");
    for (cycle, texts) in expected.iter().enumerate() {
        assert_eq!(missing(&texts[2], cycle), Vec::<String>::new(), "{:?}", watched.cycles[cycle]);
    }
    // Another state is another sentence.
    let mut spoilt = expected[5][2].clone();
    spoilt[2] = spoilt[2].replacen('x', "=", 1);
    assert_eq!(missing(&spoilt, 5).len(), 1);
}

#[test]
fn the_words_of_a_demand_are_counted_and_each_pair_is_filled_with_its_last() {
    if !have_browser() {
        return;
    }
    let file = kept("demand").join("demand.csv");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    // Two words in rounds 0 and 1 of five; the pairs of 1 and 2 have one.
    fs::write(&file, "0,2,0,0\n0,0,1,0\n0,0,0,1\n5,0,0,0\n").unwrap();
    let design = format!("benes -n 4 --demand {}", file.display());
    let pages = [page("demand", &design), page("demand_damaged", &design)];
    let damaged = fs::read_to_string(&pages[1]).unwrap();
    assert_eq!(damaged.matches("\"demand\":[0,2,").count(), 1);
    fs::write(&pages[1], damaged.replace("\"demand\":[0,2,", "\"demand\":[0,-2,")).unwrap();
    let watched = drive(&pages, &["delivered", "saying", "problem"], "--keys Home End");
    let told = |key: usize, id: &str| watched[0].keys[key].1.text(id).to_string();
    assert_eq!(
        (watched[0].complaints.len(), told(0, "delivered"), told(1, "delivered")),
        (0, "0 of 9 words".into(), "9 of 9 words".into())
    );
    assert!(told(1, "saying").contains("(3→0)"), "{}", told(1, "saying"));
    let said = watched[1].start.as_ref().unwrap().text("problem");
    assert!(said.contains("demand[1] is -2"), "{said}");
}

/// The words that `frit simulate --deliveries` has in each cycle, as `source>output round` in the order of the outputs.
fn delivered(command: &str) -> Vec<Vec<String>> {
    let file = tempfile::NamedTempFile::new().unwrap();
    let made = json(&format!("simulate {command} --deliveries {}", file.path().display()), 0);
    let mut cycles = vec![vec![]; made["cycles"].as_u64().unwrap() as usize + 1];
    for row in fs::read_to_string(file.path()).unwrap().lines().skip(1) {
        let columns: Vec<&str> = row.split(',').collect();
        let cycle: usize = columns[0].parse().unwrap();
        cycles[cycle].push(format!("{}>{} {}", columns[2], columns[1], columns[3]));
    }
    cycles
}

#[test]
fn the_words_of_a_crossbar_cross_its_wires_when_the_files_say() {
    if !have_browser() {
        return;
    }
    let file = kept("crossbar").join("demand.csv");
    fs::write(&file, "0,2,0,1,0\n1,0,1,0,0\n3,0,0,0,2\n0,0,1,0,0\n0,1,0,1,0\n").unwrap();
    let design = format!("ideal -n 5 --demand {}", file.display());
    let expected = delivered(&design);
    let read = ["delivered", "states-text", "deliveries-text", "saying", "more-text", "problem"];
    let watched = drive(&[page("crossbar", &design)], &read, "--walk --keys Home Tab").remove(0);
    assert_eq!((watched.complaints, watched.stuck, watched.cycles.len()), (vec![], None, expected.len()));
    let mut all = 0;
    for (cycle, (words, shown)) in expected.iter().zip(&watched.cycles).enumerate() {
        assert_eq!(shown.lines("deliveries-text"), *words, "cycle {cycle}");
        let wires = shown.lines("states-text");
        assert_eq!(wires.len(), 5, "cycle {cycle}");
        let crosses = |word: &String| wires.contains(&word.split_once(' ').unwrap().0);
        assert!(words.iter().all(crosses), "cycle {cycle}: {words:?}, {wires:?}");
        all += words.len();
        assert_eq!(shown.text("delivered"), format!("{all} of 13 words"));
        let said = ["saying", "more-text"].map(|id| shown.text(id)).join(" ");
        let round = format!("Round {} crosses: configuration ", cycle.wrapping_sub(1));
        assert_eq!(said.contains(&round), cycle > 0, "{said}");
        assert!(!said.contains("switch") && !said.contains("stage") && !shown.visible("problem"), "{said}");
    }
    assert!(watched.keys[1].1.focus.ends_with(", round 0: waits in its register"), "{:?}", watched.keys);
}

/// More pairs than a call has arguments.
#[test]
fn the_matrix_of_a_large_demand_is_told_as_text() {
    if !have_browser() {
        return;
    }
    let file = kept("matrix").join("demand.csv");
    run(&format!("demand uniform -n 500 --words 2 --seed 7 -o {}", file.display()), 0);
    let page = page("matrix", &format!("ideal --demand {}", file.display()));
    let watched = drive(&[page], &["problem", "matrix-text"], "--keys End").remove(0);
    assert_eq!((watched.complaints, watched.keys[0].1.text("problem")), (vec![], ""));
    assert_eq!(watched.keys[0].1.lines("matrix-text").len(), 500);
}

/// What is done to the film of a crossbar, and what its page says then.
type Damage = (fn(&mut Value), &'static str);

#[test]
fn a_damaged_film_of_a_crossbar_is_noticed() {
    if !have_browser() {
        return;
    }
    let damages: [Damage; 6] = [
        (|film| film["columns"][0][1] = film["columns"][0][0].clone(), ", not a wire to each output"),
        (|film| film["columns"][0].as_array_mut().unwrap().swap(0, 1), "the configurations give terminal"),
        (|film| film["configuration"][0] = 99.into(), "configuration[0] is 99"),
        (|film| film["columns"] = json!([]), "columns.length is 0, not above 0"),
        (|film| film["delay"] = json!([0]), "delay has 1 members, not 0"),
        (|film| film["kind"] = "planned".into(), "columns has"),
    ];
    let pages: Vec<_> = damages
        .iter()
        .enumerate()
        .map(|(at, (damage, _))| {
            let page = page(&format!("crossbar_damaged_{at}"), "ideal --demand examples/demand4.csv");
            with_film(&page, damage);
            page
        })
        .collect();
    for ((_, said), watched) in damages.iter().zip(drive(&pages, &["problem"], "")) {
        let start = watched.start.unwrap();
        assert!(start.visible("problem") && start.text("problem").contains(said), "{said}: {start:?}");
        assert_eq!(watched.complaints, Vec::<String>::new(), "{said}");
    }
}

#[test]
fn what_a_router_delivers_is_counted_in_messages_everywhere() {
    if !have_browser() {
        return;
    }
    let pages = ROUTED.map(|(design, _)| page("counted", design));
    let watched = drive(&pages, &["delivered", "saying", "more-text"], "--keys End");
    for (((design, column), page), watched) in ROUTED.into_iter().zip(&pages).zip(watched) {
        let (_, delivered) = events(design, column);
        let shown = watched.keys[0].1.text("delivered").to_string();
        let head = fs::read_to_string(page).unwrap();
        assert!(shown.starts_with(&format!("{delivered} of ")) && shown.ends_with(" messages"), "{shown}");
        assert!(head.contains(&format!(" {shown} arrive within ")), "{design}: {shown}");
        let left = if shown.starts_with("22 of 32") { "10 messages will never arrive." } else { "arrive" };
        let said = ["saying", "more-text"].map(|id| watched.keys[0].1.text(id)).join(" ");
        assert!(said.contains(left), "{design}: {said}");
    }
}

#[test]
fn what_a_stream_delivers_is_counted_in_words() {
    if !have_browser() {
        return;
    }
    let page = page("words", "transpose -n 4 --rows 8");
    let read = ["delivered", "saying", "matrix-text", "cycle-now"];
    let watched = drive(&[page], &read, "--walk").remove(0);
    assert_eq!((watched.complaints, watched.stuck), (vec![], None));
    // Behind a latency of 23 cycles 4 words a cycle leave, of lane 0 at first: word 8 i of the matrix is the i-th of the output.
    let shown = |cycle: usize| [0, 1, 2].map(|at| watched.cycles[cycle].text(read[at]).to_string());
    let [delivered, said, table] = shown(24);
    assert_eq!(delivered, "8 of 128 words");
    assert!(said.contains("words 1 (1→0)") || said.contains("(0→"), "{said}");
    assert_eq!(table, "2 2 2 2\n0 0 0 0\n0 0 0 0\n0 0 0 0");
    assert_eq!(shown(55)[2], "8 8 8 8\n8 8 8 8\n8 8 8 8\n8 8 8 8");
    assert!(shown(55)[0] == "128 of 128 words" && shown(55)[1].contains("All words have arrived."));
}

#[test]
fn text_is_large_enough_to_be_read_and_terminals_have_numbers() {
    if !have_browser() {
        return;
    }
    let small = [
        "rls -n 16",
        "obf -n 16",
        "rls-folded -n 16",
        "rls-flattened -n 16",
        "gsen -n 10",
        "dilated -n 8",
        "multibutterfly -n 16",
        "transpose -n 16",
    ];
    let pages: Vec<_> = small.iter().map(|design| page("text", design)).collect();
    for (design, watched) in small.iter().zip(drive(&pages, &[], "--drawn --keys End ArrowLeft")) {
        let (least, lines, texts) = watched.drawn.unwrap();
        assert!(least > 10.99 && lines <= 2 && texts.len() > 8, "{design}: {least} pixels, {texts:?}");
    }
    let large = ["rls -n 64", "obf -n 64", "multibutterfly -n 64"];
    let pages: Vec<_> = large.iter().map(|design| page("text", design)).collect();
    for (design, watched) in large.iter().zip(drive(&pages, &[], "--drawn")) {
        let (least, _, texts) = watched.drawn.unwrap();
        let numbers = (0..64).filter(|number| texts.contains(&number.to_string())).count();
        assert!(least > 10.99 && numbers >= 16, "{design}: {least} pixels, {numbers} numbers");
    }
}

#[test]
fn the_address_of_a_page_names_its_cycle() {
    if !have_browser() {
        return;
    }
    let page = page("address", "rls -n 8");
    let opened = |hash: &str, keys: &str| {
        let watched =
            drive(std::slice::from_ref(&page), &["cycle-now"], &format!("--hash {hash} --keys {keys}"));
        let watched = watched.into_iter().next().unwrap();
        assert_eq!(watched.complaints, Vec::<String>::new());
        let start = watched.start.unwrap().text("cycle-now").to_string();
        (start, watched.address.unwrap())
    };
    assert_eq!(opened("cycle=5", "ArrowRight"), ("5".into(), ("#cycle=6".into(), 1)));
    // Beyond the end the last cycle; what is no cycle is the first.
    assert_eq!(opened("cycle=999", "ArrowLeft"), ("12".into(), ("#cycle=11".into(), 1)));
    assert_eq!(opened("cycle=<b>", "ArrowRight"), ("0".into(), ("#cycle=1".into(), 1)));
}

#[test]
fn messages_and_switches_are_reached_with_the_keyboard() {
    if !have_browser() {
        return;
    }
    let keys = "Tab ArrowDown Enter ArrowRight Tab ArrowUp Enter";
    let read = ["chosen-title", "cycle-now"];
    let watched = drive(&[page("keyboard", "rls -n 8")], &read, &format!("--keys {keys}")).remove(0);
    assert_eq!((watched.complaints, watched.stuck), (vec![], None));
    let seen: Vec<[&str; 3]> = watched
        .keys
        .iter()
        .map(|(_, shown)| [shown.focus.as_str(), shown.text("chosen-title"), shown.text("cycle-now")])
        .collect();
    let message = "Message from terminal 1 to 1";
    let [first, second] =
        ["stage 0, switch 0", "stage 1, switch 2"].map(|at| format!("{message}, round 0: at {at}"));
    let expected = [
        ["Message from terminal 0 to 0, round 0: at stage 0, switch 0", "Nothing chosen", "0"],
        [&first, "Nothing chosen", "0"],
        [&first, message, "0"],
        // The focus goes on with the message.
        [&second, message, "1"],
        ["switch 0 of stage 0: straight", message, "1"],
        ["switch 3 of stage 4: does not act", message, "1"],
        ["switch 3 of stage 4: does not act", "switch 3 of stage 4", "1"],
    ];
    assert_eq!(seen, expected);
}

/// The check of a chunk (PNG specification, annex D).
fn crc(bytes: &[u8]) -> u32 {
    let bit = |rest: u32| if rest & 1 == 1 { rest >> 1 ^ 0xedb8_8320 } else { rest >> 1 };
    !bytes.iter().fold(!0, |rest, byte| (0..8).fold(rest ^ u32::from(*byte), |rest, _| bit(rest)))
}

/// The types of the chunks of a PNG and their data; an error says which chunk is broken.
fn chunks(png: &[u8]) -> Result<Vec<(String, &[u8])>, String> {
    let mut rest = png.strip_prefix(b"\x89PNG\r\n\x1a\n").ok_or("no signature")?;
    let mut found = vec![];
    while let Some((length, behind)) = rest.split_first_chunk() {
        let length = u32::from_be_bytes(*length) as usize;
        let (typed, behind) = behind.split_at_checked(length + 4).ok_or("cut")?;
        let (check, behind) = behind.split_first_chunk().ok_or("cut")?;
        let name = String::from_utf8_lossy(&typed[..4]).into_owned();
        if crc(typed) != u32::from_be_bytes(*check) {
            return Err(format!("{name}: its check is wrong"));
        }
        found.push((name, &typed[4..]));
        rest = behind;
    }
    Ok(found)
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap())
}

#[test]
fn pictures_and_animations_are_saved() {
    if !have_browser() {
        return;
    }
    let out = kept("saved");
    let arguments = format!("--keys End ArrowLeft --save picture animation --out {}", out.display());
    let watched = drive(&[page("saved", "rls -n 4")], &["saved"], &arguments).remove(0);
    assert_eq!((watched.complaints, watched.stuck), (vec![], None));
    let names: Vec<_> =
        watched.saved.iter().map(|file| file.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["rls-n4-cycle-5.png", "rls-n4-animation.png"]);
    let [picture, animation] = [0, 1].map(|at| fs::read(&watched.saved[at]).unwrap());
    let picture = chunks(&picture).unwrap();
    assert!(picture[0].0 == "IHDR" && number(picture[0].1, 0) > 1000, "{:?}", picture[0]);
    // Six frames of each of the seven cycles, all of one size; their numbers have no gap.
    let found = chunks(&animation).unwrap();
    let of =
        |name: &str| found.iter().filter(|(of, _)| of == name).map(|(_, data)| *data).collect::<Vec<_>>();
    assert_eq!((number(of("acTL")[0], 0), of("fcTL").len()), (42, 42));
    assert!(of("fcTL").iter().all(|control| control[4..12] == of("IHDR")[0][..8]));
    let numbered = found.iter().filter(|(name, _)| name == "fcTL" || name == "fdAT");
    let numbers: Vec<u32> = numbered.map(|(_, data)| number(data, 0)).collect();
    assert_eq!(numbers, (0..numbers.len() as u32).collect::<Vec<_>>());
    // A flipped bit is seen.
    let mut broken = animation.clone();
    broken[100] ^= 1;
    assert!(chunks(&broken).is_err());
}
