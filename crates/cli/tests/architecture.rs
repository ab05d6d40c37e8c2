//! The arrows between the crates are those of ARCHITECTURE.md, and `model` shares nothing with the hardware.

mod common;

use std::collections::BTreeMap;

/// What each crate may use.
const ARROWS: [(&str, &[&str]); 10] = [
    ("network", &[]),
    ("traffic", &["network"]),
    ("schedule", &["network", "traffic"]),
    ("router", &["network", "traffic"]),
    ("model", &["network", "traffic", "schedule", "router"]),
    ("cells", &["network", "traffic", "schedule", "router"]),
    ("rtl", &["network", "traffic", "schedule", "router", "cells"]),
    ("fritillary", &["network", "traffic", "schedule", "router", "model", "cells", "rtl"]),
    ("cosim", &["network", "traffic", "schedule", "router", "model", "cells", "rtl"]),
    ("cli", &["network", "traffic", "schedule", "router", "model", "cells", "rtl", "cosim"]),
];

/// The crates of ours that a manifest names, in any kind of dependencies.
fn uses(manifest: &str) -> Vec<String> {
    let manifest: toml::Table = toml::from_str(manifest).unwrap();
    let tables = ["dependencies", "dev-dependencies", "build-dependencies"];
    tables
        .iter()
        .filter_map(|table| manifest.get(*table)?.as_table())
        .flat_map(|table| table.keys())
        .filter_map(|name| name.strip_prefix("frit-").map(String::from))
        .collect()
}

/// The arrows of a crate that ARCHITECTURE.md does not have.
fn forbidden(krate: &str, manifest: &str) -> Vec<String> {
    let allowed: BTreeMap<_, _> = ARROWS.into_iter().collect();
    uses(manifest).into_iter().filter(|used| !allowed[krate].contains(&used.as_str())).collect()
}

#[test]
fn crates_use_only_what_the_architecture_allows() {
    let folder = common::root().join("crates");
    let mut seen: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    seen.sort();
    let mut known: Vec<String> = ARROWS.iter().map(|(krate, _)| krate.to_string()).collect();
    known.sort();
    assert_eq!(seen, known, "a crate without a row in this test");
    for (krate, _) in ARROWS {
        let manifest = std::fs::read_to_string(folder.join(krate).join("Cargo.toml")).unwrap();
        assert_eq!(forbidden(krate, &manifest), Vec::<String>::new(), "{krate}");
    }
}

#[test]
fn a_forbidden_arrow_is_seen() {
    assert_eq!(forbidden("model", "[dependencies]\nfrit-cells = \"1\"\n"), ["cells"]);
    assert_eq!(forbidden("cells", "[dev-dependencies]\nfrit-model = \"1\"\n"), ["model"]);
}

#[test]
fn the_document_says_the_same() {
    let text = std::fs::read_to_string(common::root().join("ARCHITECTURE.md")).unwrap();
    for (krate, allowed) in ARROWS {
        let row = text.lines().find(|line| line.starts_with(&format!("| `{krate}` |"))).unwrap();
        let last = row.trim_end_matches('|').rsplit('|').next().unwrap().trim();
        let expected = match krate {
            "fritillary" => "all above, which it re-exports".to_string(),
            "cosim" | "cli" => "all above but `fritillary`".to_string(),
            _ if allowed.is_empty() => "–".to_string(),
            _ => allowed.join(", "),
        };
        assert_eq!(last, expected, "{krate}");
    }
}
