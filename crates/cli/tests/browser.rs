//! The driver of pages: what it reports of a page that does wrong.

use crate::common;

use common::browser::{Watched, drive, have_browser, kept};
use std::path::PathBuf;

/// A page that counts to three, obeys the keys, and runs a script.
fn page(name: &str, script: &str) -> PathBuf {
    let file = kept("driver").join(format!("{name}.html"));
    let text = format!(
        "<!doctype html><title>{name}</title><p><span id=cycle-now>0</span> of <span id=cycle-last>3</span>
<p id=problem hidden>Wrong.
<details><p id=inside>inside</details>
<script>
let now = 0;
function go(cycle) {{ now = Math.max(0, Math.min(3, cycle)); document.getElementById('cycle-now').textContent = now; }}
const keys = {{ArrowRight: () => now + 1, ArrowLeft: () => now - 1, Home: () => 0, End: () => 3}};
addEventListener('keydown', event => {{ if (keys[event.key]) go(keys[event.key]()); }});
{script}
</script>"
    );
    std::fs::write(&file, text).unwrap();
    file
}

/// What the driver reports of pages with these scripts.
fn watch<const N: usize>(scripts: [(&str, &str); N]) -> [Watched; N] {
    let pages = scripts.map(|(name, script)| page(name, script));
    let watched = drive(&pages, &["cycle-now", "problem", "inside", "absent"], "--walk --patience 3");
    watched.try_into().unwrap()
}

#[test]
fn a_page_is_read_in_every_cycle() {
    if !have_browser() {
        return;
    }
    let [watched] = watch([("good", "")]);
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
    let wrong = [
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
        ("socket", "new WebSocket('ws://127.0.0.1:9/x')", "request: ws://127.0.0.1:9/x"),
        (
            "neighbour",
            "document.head.append(Object.assign(document.createElement('script'), {src: 'other.js'}))",
            "other.js",
        ),
    ];
    for ((name, _, complaint), page) in wrong.iter().zip(watch(wrong.map(|(name, script, _)| (name, script))))
    {
        let said = page.complaints;
        assert!(said.iter().any(|said| said.contains(complaint)), "{name}: {said:?}");
        assert_eq!(page.cycles.len(), 4, "{name}");
    }
}

#[test]
#[ignore = "long: make test-all"]
fn a_page_that_does_not_follow_is_given_up() {
    if !have_browser() {
        return;
    }
    let lame = [
        ("skips", "keys.ArrowRight = () => now + 2", "ArrowRight should lead to cycle 1: the page is at 2"),
        (
            "stands",
            "keys.ArrowRight = () => Math.min(2, now + 1)",
            "ArrowRight should lead to cycle 3: the page is at 2",
        ),
        ("empty", "document.getElementById('cycle-last').textContent = ''", "#cycle-last is no number: ''"),
        // The page behind those that were given up is read all the same.
        ("good_again", "", ""),
    ];
    for ((name, _, reason), page) in lame.iter().zip(watch(lame.map(|(name, script, _)| (name, script)))) {
        assert_eq!(page.stuck.as_deref().unwrap_or_default(), *reason, "{name}");
    }
}
