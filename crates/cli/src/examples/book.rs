//! The pages of the handbook, read as Markdown: what they link, and which commands they show.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct Page {
    pub path: PathBuf,
    pub text: String,
}

/// A command that a page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// As a shell takes it, `target/release/frit` being `frit`.
    pub line: String,
    /// What the page says behind it.
    pub comment: String,
    /// The line of the page, from 0.
    pub at: usize,
    /// What it prints, where the page shows that: lines of the page.
    pub output: Option<std::ops::Range<usize>>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The page that is made with the book and that git ignores. The book adds it to its summary.
pub const CELLS: &str = "docs/cells.md";

/// Every page that docs/SUMMARY.md names, and docs/SUMMARY.md.
pub fn pages() -> Vec<Page> {
    let summary = Page::read(Path::new("docs/SUMMARY.md"));
    let named: Vec<Page> = summary.links().iter().map(|link| Page::read(&summary.target(link))).collect();
    [vec![summary], named, vec![Page::read(Path::new(CELLS))]].concat()
}

impl Page {
    fn read(path: &Path) -> Self {
        if path == Path::new(CELLS) {
            return Page { path: path.into(), text: frit_cells::handbook::page() };
        }
        let text = std::fs::read_to_string(root().join(path));
        Page { path: path.into(), text: text.unwrap_or_else(|error| panic!("{}: {error}", path.display())) }
    }

    /// The lines, each with the word behind the fence of the block of code that it is in; an indented block has none.
    fn lines(&self) -> Vec<(&str, Option<&str>)> {
        let (mut fence, mut indented, mut blank) = (None, false, true);
        let mut lines = Vec::new();
        for line in self.text.lines() {
            let mark = line.trim_start().strip_prefix("```");
            if let Some(word) = mark {
                fence = if fence.is_some() { None } else { Some(word.trim()) };
                lines.push((line, Some("```")));
                continue;
            }
            let deep = line.starts_with("    ");
            indented = deep && (indented || blank) || line.trim().is_empty() && indented;
            blank = line.trim().is_empty();
            lines.push((line, fence.or(if indented && deep { Some("") } else { None })));
        }
        lines
    }

    /// The lines of more than so many columns, counted from 1. Tables, code, targets of links, and lists that frit printed (from
    /// `<!-- frit` to `<!-- end`) do not count.
    pub fn long_lines(&self, columns: usize) -> Vec<usize> {
        let mut printed = false;
        let mut long = Vec::new();
        for (at, (line, code)) in self.lines().into_iter().enumerate() {
            printed = line.starts_with("<!-- frit") || printed && !line.starts_with("<!-- end");
            let words: String = line.split('`').step_by(2).collect();
            let (first, rest) = words.split_once("](").unwrap_or((&words, ""));
            let links = rest.split("](").map(|part| part.split_once(')').map_or("", |(_, text)| text));
            let width = first.chars().count() + links.map(|text| text.chars().count()).sum::<usize>();
            if code.is_none() && !printed && !line.starts_with('|') && width > columns {
                long.push(at + 1);
            }
        }
        long
    }

    /// Its text without code.
    pub fn prose(&self) -> String {
        let mut text = String::new();
        for (line, _) in self.lines().into_iter().filter(|(_, code)| code.is_none()) {
            // Spans of code are every second part, where their ticks come in pairs.
            let parts: Vec<&str> = line.split('`').collect();
            let spans = parts.len() % 2 == 1;
            text.extend(
                parts.into_iter().enumerate().filter(|(at, _)| !spans || at % 2 == 0).map(|(_, part)| part),
            );
            text.push('\n');
        }
        text
    }

    /// What it links in the repository, images included: a path, or a path and an anchor.
    pub fn links(&self) -> Vec<String> {
        let prose = self.prose();
        let ends = prose.match_indices("](").map(|(at, _)| &prose[at + 2..]);
        let links = ends.filter_map(|rest| rest.split([')', ' ', '\n']).next());
        links.filter(|link| !link.contains("://") && !link.is_empty()).map(String::from).collect()
    }

    /// The file that a link names, as a path in the repository.
    pub fn target(&self, link: &str) -> PathBuf {
        let path = link.split('#').next().unwrap();
        if path.is_empty() {
            return self.path.clone();
        }
        let mut target = self.path.parent().unwrap().to_path_buf();
        for part in Path::new(path) {
            match part.to_str() {
                Some("..") => assert!(target.pop(), "{}: {link} leaves the repository", self.path.display()),
                Some(".") => {}
                _ => target.push(part),
            }
        }
        target
    }

    /// The anchors of its headings, as forges and mdBook make them.
    pub fn anchors(&self) -> Vec<String> {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let lines = self.lines().into_iter();
        let headings =
            lines.filter(|(line, code)| code.is_none() && line.starts_with('#')).map(|(line, _)| line);
        headings
            .map(|line| {
                let anchor = anchor(line.trim_start_matches('#').trim());
                let count = seen.entry(anchor.clone()).or_default();
                *count += 1;
                if *count == 1 { anchor } else { format!("{anchor}-{}", *count - 1) }
            })
            .collect()
    }

    /// What is wrong with its links: files and anchors that are not there.
    pub fn dead_links(&self, exists: &dyn Fn(&Path) -> bool, pages: &[Page]) -> Vec<String> {
        let dead = |link: &String| {
            let target = self.target(link);
            let wrong = match link.split_once('#') {
                _ if !exists(&target) => "no such file",
                Some((_, anchor)) => match pages.iter().find(|page| page.path == target) {
                    Some(page) if page.anchors().iter().any(|known| known == anchor) => return None,
                    Some(_) => "no such heading",
                    None => "an anchor in a file that docs/SUMMARY.md does not name",
                },
                None => return None,
            };
            Some(format!("{}: {link}: {wrong}", self.path.display()))
        };
        self.links().iter().filter_map(dead).collect()
    }

    /// The commands that it shows in blocks of code. In a block of `console` they stand behind `$ `, and what they print below
    /// them; a block of `text` has none.
    pub fn commands(&self) -> Vec<Command> {
        let lines = self.lines();
        let mut found: Vec<Command> = Vec::new();
        for (at, &(line, code)) in lines.iter().enumerate() {
            let console = code == Some("console");
            let (Some(language), Some(text)) = (code, shown(line, console)) else { continue };
            if language == "text" {
                continue;
            }
            let end = at
                + 1
                + lines[at + 1..]
                    .iter()
                    .take_while(|(line, code)| *code == Some("console") && !line.starts_with("$ "))
                    .count();
            let (line, comment) = uncommented(text);
            found.push(Command {
                line: line.replace("target/release/frit", "frit"),
                comment: comment.into(),
                at,
                output: console.then_some(at + 1..end),
            });
        }
        found
    }

    /// The commands in spans of code in its text that are whole: they have a size, and no word that stands for others.
    pub fn spans(&self) -> Vec<String> {
        let lines = self.lines().into_iter().filter(|(_, code)| code.is_none());
        let spans = lines.flat_map(|(line, _)| line.split('`').skip(1).step_by(2));
        let whole = |span: &&str| {
            let stands =
                |word: &String| word.contains(['…', '|']) || word.chars().all(|c| c.is_ascii_uppercase());
            let words = words(span);
            let sized = words
                .windows(2)
                .any(|pair| pair[0] == "-n" && pair[1].starts_with(|c: char| c.is_ascii_digit()));
            span.starts_with("frit ") && sized && !words.iter().any(stands)
        };
        spans.filter(whole).map(String::from).collect()
    }

    /// Where it shows a line.
    pub fn place(&self, command: &Command) -> String {
        format!("{}:{}: {}", self.path.display(), command.at + 1, command.line)
    }
}

/// The command in a line of code, if it is one.
fn shown(line: &str, console: bool) -> Option<&str> {
    let text = if console { line.strip_prefix("$ ")? } else { line.trim_start() };
    let ours = ["frit ", "target/release/frit ", "make ", "scripts/"];
    ours.iter().any(|begin| text.starts_with(begin)).then_some(text)
}

/// A command, and what stands behind it: after `#` or two spaces.
fn uncommented(text: &str) -> (&str, &str) {
    let end = [text.find("  "), text.find(" #")].into_iter().flatten().min().unwrap_or(text.len());
    (text[..end].trim_end(), text[end..].trim_start_matches([' ', '#']))
}

/// The words of a command up to a pipe or a redirection; double quotes hold words together.
pub fn words(line: &str) -> Vec<String> {
    let (mut words, mut quoted, mut open) = (vec![String::new()], false, false);
    for c in line.chars() {
        match c {
            '"' => (quoted, open) = (!quoted, true),
            '|' | '>' if !quoted => break,
            ' ' if !quoted => {
                if open {
                    words.push(String::new());
                }
                open = false;
            }
            _ => {
                words.last_mut().unwrap().push(c);
                open = true;
            }
        }
    }
    if !open {
        words.pop();
    }
    words
}

fn anchor(heading: &str) -> String {
    // Of a link only its text counts.
    let mut text = heading.to_string();
    while let (Some(at), Some(middle)) = (text.find('['), text.find("](")) {
        let Some(end) = text[middle..].find(')') else { break };
        text = format!("{}{}{}", &text[..at], &text[at + 1..middle], &text[middle + end + 1..]);
    }
    let kept = text.to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}
