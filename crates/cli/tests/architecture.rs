//! The arrows between the crates are those of ARCHITECTURE.md, and `model` shares nothing with the hardware. Inside a crate
//! no modules with the same parent use each other in a circle.

use crate::common;

use common::modules::{Place, Sources, circles, sources, tokens};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What each crate may use.
const ARROWS: [(&str, &[&str]); 24] = [
    ("network", &[]),
    ("traffic", &["network"]),
    ("schedule", &["network", "traffic"]),
    ("demand", &["network", "traffic", "schedule"]),
    ("router", &["network", "traffic"]),
    ("permute", &["network", "traffic", "schedule"]),
    ("model", &["network", "traffic", "schedule", "demand", "router", "permute"]),
    ("cells", &["network", "traffic", "schedule", "demand", "router", "permute"]),
    ("trial", &["network", "traffic", "schedule", "demand", "permute", "model", "cells"]),
    ("rtl", &["network", "traffic", "schedule", "demand", "router", "permute", "model", "cells"]),
    (
        "device",
        &["network", "traffic", "schedule", "demand", "router", "permute", "model", "cells", "trial", "rtl"],
    ),
    ("search", &["network", "schedule"]),
    ("view", &["network", "traffic", "schedule", "router", "permute", "model"]),
    ("fuzz", &["network", "traffic", "schedule", "demand", "permute", "trace", "cosim"]),
    ("bench", &["network", "traffic", "schedule", "model"]),
    ("fritillary", &["network", "traffic", "schedule", "router", "permute", "model", "cells", "rtl"]),
    ("trace", &["network", "traffic", "schedule", "model"]),
    (
        "cosim",
        &[
            "network", "traffic", "schedule", "demand", "router", "permute", "model", "cells", "trial",
            "rtl", "device", "trace",
        ],
    ),
    (
        "design",
        &[
            "network", "traffic", "schedule", "demand", "router", "permute", "model", "cells", "rtl",
            "device", "search", "view", "trace",
        ],
    ),
    (
        "web",
        &[
            "network", "traffic", "schedule", "router", "permute", "demand", "model", "view", "trace",
            "search", "design", "unpack",
        ],
    ),
    (
        "cli",
        &[
            "network", "traffic", "schedule", "demand", "router", "permute", "model", "cells", "rtl",
            "device", "search", "view", "trace", "cosim", "fuzz", "design", "web",
        ],
    ),
    ("python", &["demand", "permute", "model", "cli"]),
    ("clock", &[]),
    ("unpack", &[]),
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
            "python" => format!("fritillary, {}", allowed.join(", ")),
            _ if allowed.is_empty() => "–".to_string(),
            _ => allowed.join(", "),
        };
        assert_eq!(last, expected, "{krate}");
    }
}

#[test]
fn no_modules_use_each_other_in_a_circle() {
    let mut found = Vec::new();
    for (krate, _) in ARROWS {
        let folder = common::root().join("crates").join(krate).join("src");
        found.extend(circles(&sources(&folder)).into_iter().map(|circle| (krate.to_string(), circle)));
    }
    assert!(found.is_empty(), "modules that use each other in a circle: {found:#?}");
}

/// What the modules of a Python package import of each other, as a crate would say it.
fn of_python(files: &[(String, String)]) -> Vec<(String, String)> {
    let modules: String = files.iter().map(|(name, _)| format!("pub mod {name};")).collect();
    let of_line = |line: &str| -> Option<String> {
        let (from, names) = line.trim().strip_prefix("from .")?.split_once(" import ")?;
        let names: Vec<&str> = if from.is_empty() { names.split(", ").collect() } else { vec![from] };
        Some(names.iter().map(|name| format!("use crate::{};", name.split(' ').next().unwrap())).collect())
    };
    let texts =
        files.iter().map(|(name, text)| (name.clone(), text.lines().filter_map(of_line).collect::<String>()));
    [(String::new(), modules)].into_iter().chain(texts).collect()
}

#[test]
fn no_modules_of_the_python_package_use_each_other_in_a_circle() {
    let said = |files: &[(String, String)]| {
        let files = of_python(files);
        circles_of(&files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect::<Vec<_>>())
    };
    let entries = std::fs::read_dir(common::root().join("python/fritillary")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let modules = paths.filter(|path| path.extension().is_some_and(|end| end == "py"));
    let read = |path: PathBuf| {
        (path.file_stem().unwrap().to_str().unwrap().into(), std::fs::read_to_string(path).unwrap())
    };
    let files: Vec<(String, String)> = modules.map(read).collect();
    assert!(files.len() > 10);
    assert_eq!(said(&files), [""; 0]);
    let circle = [("_a", "from . import _b as other"), ("_b", "def f():\n    from ._a import g\n")];
    assert_eq!(said(&circle.map(|(name, text)| (name.into(), text.into()))), [": _a _b"]);
}

/// The circles of a crate with these files, `parent: member member`.
fn circles_of(files: &[(&str, &str)]) -> Vec<String> {
    let place =
        |path: &str| -> Place { path.split("::").filter(|p| !p.is_empty()).map(String::from).collect() };
    let sources: Sources = files.iter().map(|(path, text)| (place(path), text.to_string())).collect();
    circles(&sources)
        .iter()
        .map(|circle| format!("{}: {}", circle.parent, circle.members.join(" ")))
        .collect()
}

#[test]
fn a_circle_is_seen() {
    let root = ("", "pub mod a; pub mod b; pub mod c; pub use b::Item;");
    let c = ("c", "pub struct Leaf;");
    assert_eq!(
        circles_of(&[root, ("a", "use crate::b::Item;"), ("b", "use crate::{a::One, c};"), c]),
        [": a b"]
    );
    // Through a re-export, an inline path, a longer way, and between the files of a module.
    assert_eq!(
        circles_of(&[root, ("a", "use crate::Item;"), ("b", "fn f() { super::a::g() }"), c]),
        [": a b"]
    );
    let long =
        [root, ("a", "use super::b::{self as other};"), ("b", "use crate::c::x;"), ("c", "use super::a;")];
    assert_eq!(circles_of(&long), [": a b c"]);
    let nested = [
        ("", "mod a;"),
        ("a", "mod x; mod y; pub use x::One;"),
        ("a::x", "use super::y::Two;"),
        ("a::y", "use crate::a::One;"),
    ];
    assert_eq!(circles_of(&nested), ["a: x y"]);
}

#[test]
fn what_is_no_circle_is_not_seen() {
    let root = ("", "pub mod a; pub mod b;");
    for b in [
        "/// Like [`a`](crate::a).\nconst TEXT: &str = \"use crate::a;\"; // use crate::a;",
        "#[cfg(test)] mod tests { use crate::a; fn f() { if true { super::super::a::g() } } }",
        "#[cfg(test)] use crate::a::x; pub(crate) struct S<'a>(&'a str); /* use crate::a; */",
        "fn quote() -> char { '\"' } const RAW: &str = r#\"use crate::a; \" \"#;",
        "use crate::Kind; use std::a::b;",
    ] {
        assert_eq!(circles_of(&[root, ("a", "use crate::b::Item;"), ("b", b)]), Vec::<String>::new(), "{b}");
    }
}

/// Names of modules and types that name a routed system by one of its parts; each has one name, `dilated` or `multibutterfly`.
fn second_names(text: &str) -> Vec<String> {
    let words = tokens(text);
    let declared =
        words.windows(2).filter(|pair| matches!(&*pair[0], "mod" | "struct" | "enum" | "trait" | "type"));
    let second = |name: &String| {
        let name = name.to_lowercase().replace('_', "");
        ["worm", "nodefault"].iter().any(|part| name.contains(part)) || name == "splitters"
    };
    declared.map(|pair| pair[1].clone()).filter(second).collect()
}

#[test]
fn a_routed_system_has_one_name() {
    for (krate, _) in ARROWS {
        let folder = common::root().join("crates").join(krate).join("src");
        for (place, text) in sources(&folder) {
            assert_eq!(second_names(&text), Vec::<String>::new(), "{krate}::{}", place.join("::"));
        }
    }
    assert_eq!(second_names("mod worm_fault; pub struct WormsOutcome; enum NodeFault {}").len(), 3);
    assert_eq!(second_names("pub struct SplitterSide; mod stages; fn worm() {} // mod worms;"), [""; 0]);
}

/// Files below a folder with this name.
fn named(folder: &Path, name: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let found = |path: PathBuf| match path.is_dir() {
        true => named(&path, name),
        false if path.ends_with(name) => vec![path],
        false => vec![],
    };
    entries.flat_map(found).collect()
}

#[test]
fn a_module_is_a_file_of_its_name() {
    for (krate, _) in ARROWS {
        let folder = common::root().join("crates").join(krate);
        assert_eq!(named(&folder, "mod.rs"), Vec::<PathBuf>::new(), "NAME.rs beside the folder NAME");
        assert!(!named(&folder, "Cargo.toml").is_empty());
    }
}

/// Whether a crate has an example in its documentation that rustdoc is told to leave out.
fn leaves_out(manifest: &str, texts: &[String]) -> bool {
    let begins = |line: &str| ["/// ```", "//! ```"].contains(&line.trim());
    manifest.contains("doctest = false") && texts.iter().any(|text| text.lines().any(begins))
}

#[test]
fn every_example_is_tested() {
    let example = "    /// ```\n    /// let a = 1;\n    /// ```\n".to_string();
    assert!(leaves_out("[lib]\ndoctest = false\n", std::slice::from_ref(&example)));
    assert!(!leaves_out("[lib]\n", &[example]));
    for (krate, _) in ARROWS {
        let folder = common::root().join("crates").join(krate);
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let texts = sources(&folder.join("src")).into_values().collect::<Vec<_>>();
        assert!(!leaves_out(&manifest, &texts), "{krate}: rustdoc tests no example");
    }
}
