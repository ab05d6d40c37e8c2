//! The handbook: docs/SUMMARY.md has every page once, links hold, and lines are short.

use crate::common;

use common::book::{CELLS, Page, pages};
use common::root;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn exists(path: &Path) -> bool {
    path == Path::new(CELLS) || root().join(path).is_file()
}

/// The pages in a folder of the repository and below it.
fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let mut found = Vec::new();
    for entry in entries {
        let path = folder.join(entry.file_name().unwrap());
        if entry.is_dir() {
            found.extend(below(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found
}

#[test]
fn the_summary_has_every_page_once() {
    let pages = pages();
    let paths: BTreeSet<&PathBuf> = pages.iter().map(|page| &page.path).collect();
    assert_eq!(paths.len(), pages.len(), "docs/SUMMARY.md names a page twice");
    for path in below(Path::new("docs")) {
        assert!(paths.contains(&path), "{} is not in docs/SUMMARY.md", path.display());
    }
}

#[test]
fn links_hold() {
    let pages = pages();
    let dead: Vec<String> = pages.iter().flat_map(|page| page.dead_links(&exists, &pages)).collect();
    assert_eq!(dead, Vec::<String>::new());
    let links: usize = pages.iter().map(|page| page.links().len()).sum();
    assert!(links > 200, "{links} links: are they all seen?");
    // What a page of the book links is in the book.
    for page in &pages {
        for target in page.links().iter().map(|link| page.target(link)) {
            let in_book = pages.iter().any(|page| page.path == target);
            let markdown = target.extension().is_some_and(|extension| extension == "md");
            assert!(in_book || !markdown, "{} links {}", page.path.display(), target.display());
        }
    }
}

#[test]
fn the_readme_stays_short() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let (bytes, lines) = (text.len(), text.lines().count());
    assert!(
        bytes <= 5120 && lines <= 90,
        "README.md has {bytes} bytes and {lines} lines: move some to docs/"
    );
    for command in ["make demo", "make test"] {
        assert!(text.contains(command), "README.md does not name {command}");
    }
}

fn page(text: &str) -> Page {
    Page { path: "docs/systems/some.md".into(), text: text.into() }
}

#[test]
fn dead_links_are_found() {
    let text = "# One\n## The `first` [part](#one): yes\n## One\n\n[a](#one) [b](#one-1) [c](#the-first-part-yes) [d](#two) `[e](#three)`\n\n    [f](#four)\n\n\
        [g](../idea.md) [h](../gone.md#x) ![i](../images/none.svg) [j](../glossary.md#glossary) [k](../glossary.md#gone) [l](https://example.org/gone)\n";
    let mut pages = pages();
    pages.push(page(text));
    let dead =
        page(text).dead_links(&|path| path == Path::new("docs/systems/some.md") || exists(path), &pages);
    let expected = [
        "#two: no such heading",
        "../gone.md#x: no such file",
        "../images/none.svg: no such file",
        "../glossary.md#gone: no such heading",
    ];
    assert_eq!(dead, expected.map(|wrong| format!("docs/systems/some.md: {wrong}")));
}

/// The lines of a page that are too long.
fn too_long(page: &Page) -> Vec<String> {
    let long = page.long_lines(160).into_iter();
    long.map(|at| format!("{}:{at}: more than 160 columns", page.path.display())).collect()
}

/// Every Markdown file that a person writes: not those that frit or a test writes, nor the list of changes.
fn written() -> Vec<Page> {
    let top = fs::read_dir(root()).unwrap().map(|entry| PathBuf::from(entry.unwrap().file_name()));
    let top = top.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let folders =
        ["crates", "docs", "examples", "testbench"].into_iter().flat_map(|folder| below(Path::new(folder)));
    let made = ["CHANGELOG.md", "crates/cli/tests/golden", CELLS];
    let paths = top.chain(folders).filter(|path| !made.iter().any(|made| path.starts_with(made)));
    let read = |path: &PathBuf| fs::read_to_string(root().join(path)).unwrap();
    paths.map(|path| Page { text: read(&path), path }).collect()
}

#[test]
fn lines_are_short() {
    let pages = written();
    assert!(pages.len() > 40, "{} pages: are they all seen?", pages.len());
    let wrong: Vec<String> = pages.iter().flat_map(too_long).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn long_lines_are_found() {
    let long = "word ".repeat(33);
    let fine = format!(
        "| {long} |\n\n    {long}\n\n[a](https://{}) `{long}`\n<!-- frit -->\n- {long}\n<!-- end -->\n",
        "b".repeat(160)
    );
    assert_eq!(too_long(&page(&fine)), [""; 0]);
    let text = format!("{fine}{long}\n");
    assert_eq!(too_long(&page(&text)), ["docs/systems/some.md:9: more than 160 columns"]);
}

/// The blocks of TOML of a page that are none, by their first line.
fn wrong_toml(text: &str) -> Vec<String> {
    let blocks = text.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap_or(rest));
    let wrong = |block: &&str| toml::from_str::<toml::Table>(block).is_err();
    blocks.filter(wrong).map(|block| block.lines().next().unwrap_or_default().into()).collect()
}

#[test]
fn blocks_of_toml_can_be_read() {
    let pages = written();
    assert!(pages.iter().map(|page| page.text.matches("```toml").count()).sum::<usize>() > 5);
    for page in &pages {
        assert_eq!(wrong_toml(&page.text), [""; 0], "{}", page.path.display());
    }
    // Two lines that were joined by an editor.
    assert_eq!(wrong_toml("```toml\na = 1\n```\n\n```toml\nb = 1 c = 2\n```\n"), ["b = 1 c = 2"]);
}
