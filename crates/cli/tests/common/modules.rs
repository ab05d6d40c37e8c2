//! Which module of a crate uses which other, read from the sources: enough of Rust's syntax for `use` declarations and
//! paths that begin with `crate`, `super` or `self`. What is compiled for tests only does not count, nor do comments.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A module's place in its crate, `["netlist", "print"]`; empty for the root.
pub type Place = Vec<String>;

/// The modules of a crate with their texts.
pub type Sources = BTreeMap<Place, String>;

/// Modules with the same parent that use each other in a circle.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Circle {
    /// Their parent, `netlist`; empty for the root.
    pub parent: String,
    /// Their names, sorted.
    pub members: Vec<String>,
}

/// The modules below a folder `src`: every file that some other declares outside of tests.
pub fn sources(src: &Path) -> Sources {
    let mut found = Sources::new();
    let root = ["lib.rs", "main.rs"].into_iter().find(|name| src.join(name).exists()).unwrap();
    let mut open = vec![(Place::new(), src.join(root), src.to_path_buf())];
    while let Some((place, file, folder)) = open.pop() {
        let text = std::fs::read_to_string(&file).unwrap();
        let tokens = tokens(&text);
        for words in tokens.windows(3).filter(|words| words[0] == "mod" && words[2] == ";") {
            let name = words[1].clone();
            let below = folder.join(&name);
            let file = folder.join(format!("{name}.rs"));
            open.push(([place.clone(), vec![name]].concat(), file, below));
        }
        found.insert(place, text);
    }
    found
}

/// All circles of a crate, sorted.
pub fn circles(sources: &Sources) -> Vec<Circle> {
    let uses: BTreeMap<&Place, Uses> =
        sources.iter().map(|(place, text)| (place, Uses::of(place, &tokens(text)))).collect();
    // By parent: which child uses which.
    let mut siblings: BTreeMap<Place, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (place, used) in &uses {
        for path in &used.paths {
            let target = resolve(&uses, path);
            let common = place.iter().zip(&target).take_while(|(a, b)| a == b).count();
            if let (Some(from), Some(to)) = (place.get(common), target.get(common)) {
                let edges = siblings.entry(place[..common].to_vec()).or_default();
                edges.entry(from.clone()).or_default().insert(to.clone());
            }
        }
    }
    let mut found: Vec<Circle> = siblings
        .iter()
        .flat_map(|(parent, edges)| {
            rings(edges).into_iter().map(|members| Circle { parent: parent.join("::"), members })
        })
        .collect();
    found.sort();
    found
}

/// The sets of nodes that reach each other.
fn rings(edges: &BTreeMap<String, BTreeSet<String>>) -> Vec<Vec<String>> {
    let reached = |from: &String| -> BTreeSet<String> {
        let mut seen = BTreeSet::new();
        let mut open = vec![from.clone()];
        while let Some(node) = open.pop() {
            let next = edges.get(&node).into_iter().flatten();
            open.extend(next.filter(|next| seen.insert((*next).clone())).cloned());
        }
        seen
    };
    let reach: BTreeMap<&String, BTreeSet<String>> = edges.keys().map(|node| (node, reached(node))).collect();
    let mutual = |a: &String| -> Vec<String> {
        reach[a].iter().filter(|b| reach.get(b).is_some_and(|back| back.contains(a))).cloned().collect()
    };
    let rings: BTreeSet<Vec<String>> = edges.keys().map(mutual).filter(|ring| !ring.is_empty()).collect();
    rings.into_iter().collect()
}

/// What a module says of others.
#[derive(Default)]
struct Uses {
    /// Names that its `use` declarations bring in, with their paths from the root of the crate.
    names: BTreeMap<String, Place>,
    /// Every path that it names, from the root of the crate.
    paths: Vec<Place>,
}

impl Uses {
    fn of(place: &Place, tokens: &[String]) -> Uses {
        let mut uses = Uses::default();
        let mut at = 0;
        while at < tokens.len() {
            let own = matches!(tokens[at].as_str(), "crate" | "super" | "self");
            if tokens[at] == "use" {
                at = uses.tree(place, tokens, at + 1, &[]);
            } else if own && tokens.get(at + 1).is_some_and(|next| next == "::") {
                let mut path = vec![tokens[at].clone()];
                while tokens.get(at + 1).is_some_and(|next| next == "::") && is_name(tokens.get(at + 2)) {
                    path.push(tokens[at + 2].clone());
                    at += 2;
                }
                uses.paths.extend(absolute(place, &path));
                at += 1;
            } else {
                at += 1;
            }
        }
        uses
    }

    /// Reads a `use` tree behind `prefix`; gives the place behind it.
    fn tree(&mut self, place: &Place, tokens: &[String], mut at: usize, prefix: &[String]) -> usize {
        let mut path = prefix.to_vec();
        let mut name = None;
        while let Some(token) = tokens.get(at) {
            match token.as_str() {
                "{" => {
                    at += 1;
                    while tokens.get(at).is_some_and(|token| token != "}") {
                        at = self.tree(place, tokens, at, &path);
                        at += usize::from(tokens.get(at).is_some_and(|token| token == ","));
                    }
                    return at + 1;
                }
                "as" => {
                    name = tokens.get(at + 1).cloned();
                    at += 1;
                }
                "::" => {}
                _ if is_name(Some(token)) => path.push(token.clone()),
                "*" => {}
                _ => break,
            }
            at += 1;
        }
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        // A path that begins with a name is one of a child, or of another crate, which then resolves to this module.
        let target = absolute(place, &path).unwrap_or_else(|| [place.clone(), path.clone()].concat());
        if let Some(name) = name.or_else(|| path.last().cloned()) {
            self.names.insert(name, target.clone());
        }
        self.paths.push(target);
        at
    }
}

/// A path that begins with `crate`, `self` or `super`, from the root of the crate.
fn absolute(place: &Place, path: &[String]) -> Option<Place> {
    let (first, mut rest) = path.split_first()?;
    let mut base = match first.as_str() {
        "crate" => Place::new(),
        "self" => place.clone(),
        "super" => place[..place.len().saturating_sub(1)].to_vec(),
        _ => return None,
    };
    while let Some((_, behind)) = rest.split_first().filter(|(next, _)| *next == "super") {
        base.pop();
        rest = behind;
    }
    base.extend_from_slice(rest);
    Some(base)
}

/// The module where the item of a path is, through re-exports.
fn resolve(uses: &BTreeMap<&Place, Uses>, path: &[String]) -> Place {
    let (mut module, mut rest) = (Place::new(), path.to_vec());
    // Names that lead to each other without end are no program; this many steps are more than any path has.
    for _ in 0..100 {
        let Some(next) = rest.first().cloned() else { break };
        let child = [module.clone(), vec![next.clone()]].concat();
        if uses.contains_key(&child) {
            module = child;
            rest.remove(0);
            continue;
        }
        match uses.get(&module).and_then(|used| used.names.get(&next)) {
            Some(target) if target[..] != child[..] => {
                rest = [target.clone(), rest[1..].to_vec()].concat();
                module = Place::new();
            }
            _ => break,
        }
    }
    module
}

fn is_name(token: Option<&String>) -> bool {
    token.and_then(|token| token.chars().next()).is_some_and(|first| first.is_alphabetic() || first == '_')
}

/// Names, `::`, and single characters, without comments, literals and what is compiled for tests only.
pub fn tokens(text: &str) -> Vec<String> {
    let mut all = lex(text);
    let test: Vec<String> = ["#", "[", "cfg", "(", "test", ")", "]"].map(String::from).into();
    while let Some(start) = all.windows(test.len()).position(|words| words == test) {
        let mut end = start + test.len();
        let mut depth = 0usize;
        while let Some(token) = all.get(end) {
            match token.as_str() {
                "{" | "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                "}" if depth == 1 => break,
                "}" => depth -= 1,
                ";" if depth == 0 => break,
                _ => {}
            }
            end += 1;
        }
        all.drain(start..(end + 1).min(all.len()));
    }
    all
}

fn lex(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let at = |place: usize| chars.get(place).copied().unwrap_or('\0');
    let name = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut place = 0;
    while place < chars.len() {
        let c = chars[place];
        if c == '/' && at(place + 1) == '/' {
            while place < chars.len() && chars[place] != '\n' {
                place += 1;
            }
        } else if c == '/' && at(place + 1) == '*' {
            while place < chars.len() && !(chars[place] == '*' && at(place + 1) == '/') {
                place += 1;
            }
            place += 2;
        } else if c == 'r'
            && (at(place + 1) == '"' || at(place + 1) == '#' && matches!(at(place + 2), '"' | '#'))
        {
            let hashes = chars[place + 1..].iter().take_while(|&&c| c == '#').count();
            let closed = |from: usize| at(from) == '"' && (1..=hashes).all(|k| at(from + k) == '#');
            place += hashes + 2;
            while place < chars.len() && !closed(place) {
                place += 1;
            }
            place += hashes + 1;
        } else if c == '"' {
            place += 1;
            while place < chars.len() && chars[place] != '"' {
                place += if chars[place] == '\\' { 2 } else { 1 };
            }
            place += 1;
        } else if c == '\'' && (at(place + 1) == '\\' || at(place + 2) == '\'') {
            // A character; else it is a lifetime.
            place += if at(place + 1) == '\\' { 3 } else { 2 };
            while place < chars.len() && chars[place] != '\'' {
                place += 1;
            }
            place += 1;
        } else if name(c) {
            let end = (place..chars.len()).find(|&end| !name(chars[end])).unwrap_or(chars.len());
            tokens.push(chars[place..end].iter().collect());
            place = end;
        } else if c == ':' && at(place + 1) == ':' {
            tokens.push("::".into());
            place += 2;
        } else {
            if !c.is_whitespace() {
                tokens.push(c.into());
            }
            place += 1;
        }
    }
    tokens
}
