//! The driver of pages: what it reports of a page that does wrong.

mod common;

use common::browser::{Watched, drive, have_browser, kept};

/// A page that counts to three, obeys the keys, and runs a script.
fn page(name: &str, script: &str) -> Watched {
    let file = kept("driver").join(format!("{name}.html"));
    let text = format!(
        "<!doctype html><title>{name}</title><p><span id=cycle-now>0</span> of <span id=cycle-last>3</span>
<p id=problem hidden>Wrong.
<details><p id=inside>inside</details>
<script>
let now = 0;
function go(cycle) {{ now = Math.max(0, Math.min(3, cycle)); document.getElementById('cycle-now').textContent = now; }}
const keys = {{ArrowRight: () => now + 1, ArrowLeft: () => now - 1, Home: () => 0, End: () => 3}};
let step = key => {{ if (keys[key]) go(keys[key]()); }};
addEventListener('keydown', event => step(event.key));
{script}
</script>"
    );
    std::fs::write(&file, text).unwrap();
    drive(&file, &["cycle-now", "problem", "inside", "absent"], "--walk --patience 3")
}

#[test]
fn a_page_is_read_in_every_cycle() {
    if !have_browser() {
        return;
    }
    let watched = page("good", "");
    let cycles: Vec<&str> = watched.cycles.iter().map(|shown| shown.text("cycle-now")).collect();
    assert_eq!(cycles, ["0", "1", "2", "3"]);
    assert_eq!((watched.stuck, watched.complaints), (None, vec![]));
    let start = watched.start.unwrap();
    let seen = ["cycle-now", "problem", "inside", "absent"].map(|id| (start.text(id), start.visible(id)));
    assert_eq!(seen, [("0", true), ("Wrong.", false), ("inside", true), ("", false)]);
}

#[test]
fn what_a_page_does_wrong_is_reported() {
    if !have_browser() {
        return;
    }
    for (name, script, complaint) in [
        ("error", "console.error('an error')", "error: an error"),
        ("warning", "console.warn('a warning')", "warning: a warning"),
        ("exception", "throw new Error('nobody catches it')", "error: nobody catches it"),
        (
            "late",
            "keys.ArrowRight = () => { if (now === 1) setTimeout(() => missing.name); return now + 1; }",
            "error: missing is not defined",
        ),
        ("promise", "Promise.reject(new Error('of a promise'))", "error: of a promise"),
        ("network", "fetch('http://127.0.0.1:9/x').catch(() => 0)", "request: http://127.0.0.1:9/x"),
        ("picture", "new Image().src = 'https://example.org/x.png'", "request: https://example.org/x.png"),
        (
            "neighbour",
            "document.head.append(Object.assign(document.createElement('script'), {src: 'other.js'}))",
            "other.js",
        ),
    ] {
        let watched = page(name, script);
        assert!(
            watched.complaints.iter().any(|said| said.contains(complaint)),
            "{name}: {:?}",
            watched.complaints
        );
        assert_eq!(watched.cycles.len(), 4, "{name}");
    }
}

#[test]
fn a_page_that_does_not_follow_is_given_up() {
    if !have_browser() {
        return;
    }
    for (name, script, reason) in [
        ("skips", "keys.ArrowRight = () => now + 2", "ArrowRight should lead to cycle 1: the page is at 2"),
        (
            "stands",
            "keys.ArrowRight = () => Math.min(2, now + 1)",
            "ArrowRight should lead to cycle 3: the page is at 2",
        ),
        ("empty", "document.getElementById('cycle-last').textContent = ''", "#cycle-last is no number: ''"),
    ] {
        let stuck = page(name, script).stuck.unwrap();
        assert!(stuck.contains(reason), "{name}: {stuck}");
    }
}
