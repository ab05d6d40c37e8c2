//! Which signal of A is which signal of B.

use frit_network::{Refusal, refuse};
use std::collections::{BTreeMap, HashMap, HashSet};

use super::{DiffOptions, NameMap};
use crate::shown::ends;
use crate::wave::{SignalKind, Wave};

/// A pair of prefixes is looked up in at most this many scopes of each file, the shallowest.
const MAX_PREFIXES: usize = 64;

/// Name lookups spent on finding the best pair of prefixes; a bound on time, not on results
/// that matter: the likeliest pairs come first.
const MAX_LOOKUPS: usize = 20_000_000;

/// The names of one waveform after mapping, each with its signal.
pub(super) struct Names {
    by_name: BTreeMap<String, usize>,
}

/// Two signals that are compared.
pub(super) struct Pair {
    /// What both are called once the prefixes are gone.
    pub(super) name: String,
    pub(super) a: usize,
    pub(super) b: usize,
}

/// How the names of two files lie over each other.
pub(super) struct Matching {
    pub(super) prefix_a: String,
    pub(super) prefix_b: String,
    pub(super) pairs: Vec<Pair>,
    pub(super) only_in_a: Vec<String>,
    pub(super) only_in_b: Vec<String>,
}

impl Names {
    /// The mapped names of a waveform. Of signals that share one the second is called `name#2`, and so on: the second of A
    /// is compared with the second of B.
    pub(super) fn new(wave: &Wave, maps: &[NameMap]) -> Self {
        let (mut by_name, mut counts) = (BTreeMap::new(), HashMap::new());
        for (index, signal) in wave.signals().iter().enumerate() {
            let name = mapped(&signal.full_name(), maps);
            let count = counts.entry(name.clone()).or_insert(0u32);
            let mut unique = name.clone();
            loop {
                *count += 1;
                if *count > 1 {
                    unique = format!("{name}#{count}");
                }
                if !by_name.contains_key(&unique) {
                    break;
                }
            }
            by_name.insert(unique, index);
        }
        Self { by_name }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, usize)> {
        self.by_name.iter().map(|(name, &index)| (name.as_str(), index))
    }

    /// Names with what follows the prefix; sorted, as all names are.
    fn under<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, usize)> {
        let start =
            self.by_name.range::<str, _>((std::ops::Bound::Included(prefix), std::ops::Bound::Unbounded));
        start
            .take_while(move |(name, _)| name.starts_with(prefix))
            .filter_map(move |(name, &index)| Some((strip_prefix(name, prefix)?, index)))
            .filter(|(rest, _)| !rest.is_empty())
    }

    /// The shallowest scopes, the root (an empty prefix) first, with how many names each holds.
    fn prefixes(&self) -> Vec<(&str, usize)> {
        let mut count: BTreeMap<(usize, &str), usize> = BTreeMap::new();
        for name in self.by_name.keys() {
            *count.entry((0, "")).or_default() += 1;
            for (depth, (dot, _)) in name.match_indices('.').enumerate().take(MAX_PREFIXES) {
                *count.entry((depth + 1, &name[..dot])).or_default() += 1;
            }
        }
        count.into_iter().map(|((_, prefix), names)| (prefix, names)).take(MAX_PREFIXES).collect()
    }

    /// The names, the first few written out.
    pub(super) fn summary(&self) -> String {
        shortened(self.by_name.keys().map(String::as_str), 12)
    }
}

/// Matches names by the pair of prefixes, one stripped from A and one from B, that makes the most
/// of them equal; of pairs that are as good, the shortest prefixes win, then the alphabet.
pub(super) fn match_names(a: &Names, b: &Names) -> Matching {
    let (prefixes_a, prefixes_b) = (a.prefixes(), b.prefixes());
    let mut candidates = Vec::with_capacity(prefixes_a.len() * prefixes_b.len());
    for &(prefix_a, names_a) in &prefixes_a {
        for &(prefix_b, names_b) in &prefixes_b {
            let stripped = depth(prefix_a) + depth(prefix_b);
            candidates.push((usize::MAX - names_a.min(names_b), stripped, prefix_a, prefix_b));
        }
    }
    // No pair can match more names than the smaller side has: the best bound is tried first, and
    // the search ends when no bound is above the best found.
    candidates.sort_unstable();
    let mut best = (0, usize::MAX, "", "");
    let mut lookups = 0;
    for (inverse_bound, stripped, prefix_a, prefix_b) in candidates {
        let bound = usize::MAX - inverse_bound;
        if bound < best.0 || lookups > MAX_LOOKUPS {
            break;
        }
        lookups += a.by_name.len() + b.by_name.len();
        let names: HashSet<&str> = a.under(prefix_a).map(|(name, _)| name).collect();
        let common = b.under(prefix_b).filter(|(name, _)| names.contains(name)).count();
        let better = (common, usize::MAX - stripped) > (best.0, usize::MAX - best.1);
        if common > 0 && better {
            best = (common, stripped, prefix_a, prefix_b);
        }
    }
    join(a, b, best.2, best.3)
}

fn join(a: &Names, b: &Names, prefix_a: &str, prefix_b: &str) -> Matching {
    let under_a: BTreeMap<&str, usize> = a.under(prefix_a).collect();
    let under_b: BTreeMap<&str, usize> = b.under(prefix_b).collect();
    let missing = |names: &Names, prefix: &str, other: &BTreeMap<&str, usize>| -> Vec<String> {
        let absent = |name: &str| strip_prefix(name, prefix).is_none_or(|rest| !other.contains_key(rest));
        names.by_name.keys().filter(|name| absent(name)).cloned().collect()
    };
    let pairs = under_a
        .iter()
        .filter_map(|(&name, &a)| under_b.get(name).map(|&b| Pair { name: name.to_string(), a, b }))
        .collect();
    Matching {
        prefix_a: prefix_a.to_string(),
        prefix_b: prefix_b.to_string(),
        pairs,
        only_in_a: missing(a, prefix_a, &under_b),
        only_in_b: missing(b, prefix_b, &under_a),
    }
}

/// Every map must fit some name: one that does not is a typing error, and silence would hide it.
pub(super) fn check_maps(a: &Wave, b: &Wave, options: &DiffOptions) -> Result<(), Refusal> {
    for map in &options.maps {
        let mut names = a.signals().iter().chain(b.signals()).map(|signal| signal.full_name());
        if names.any(|name| strip_prefix(&name, &map.from).is_some()) {
            continue;
        }
        let scope = a.signals().first().map(|signal| signal.scope.join(".")).unwrap_or_default();
        refuse!(
            "--map {}={} changes no name of either file; FROM must be whole scopes, such as {}",
            map.from,
            map.to,
            ends(&scope)
        );
    }
    Ok(())
}

/// Keeps what `--only` and `--ignore` leave; a signal fits if any of its names does.
pub(super) fn selected(names: &[&str], options: &DiffOptions) -> bool {
    let fits = |pattern: &String| names.iter().any(|name| fits(pattern, name));
    (options.only.is_empty() || options.only.iter().any(fits)) && !options.ignore.iter().any(fits)
}

/// A name as it is in its file, with the prefix that was stripped.
pub(super) fn unstripped(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_string() } else { format!("{prefix}.{name}") }
}

/// One-bit signals by name: exactly `wanted`, or ending in `.wanted`; the shallowest, then the
/// first in the alphabet.
pub(super) fn find_bit(wave: &Wave, names: &Names, wanted: &str) -> Option<(String, usize)> {
    let at_end =
        |name: &str| name.strip_suffix(wanted).is_some_and(|scope| scope.is_empty() || scope.ends_with('.'));
    names
        .iter()
        .filter(|(name, index)| at_end(name) && wave.signals()[*index].kind == SignalKind::Bits(1))
        .min_by_key(|(name, _)| (depth(name), *name))
        .map(|(name, index)| (name.to_string(), index))
}

/// Characters of the names that an error lists, but for the last one.
const LISTED: usize = 500;

/// The first few of some names, fewer if they are long, and how many there are.
pub(super) fn shortened<'a>(names: impl Iterator<Item = &'a str>, show: usize) -> String {
    let (mut shown, mut count) = (Vec::new(), 0);
    let mut length = 0;
    for name in names {
        if shown.len() == count && count < show && length < LISTED {
            let name = ends(name);
            length += name.len();
            shown.push(name);
        }
        count += 1;
    }
    let left_out = if shown.len() < count { ", ..." } else { "" };
    match count {
        0 => "none".to_string(),
        _ => format!("{count}: {}{left_out}", shown.join(", ")),
    }
}

fn mapped(name: &str, maps: &[NameMap]) -> String {
    for map in maps {
        if let Some(rest) = strip_prefix(name, &map.from) {
            let dot = if map.to.is_empty() || rest.is_empty() { "" } else { "." };
            return format!("{}{dot}{rest}", map.to);
        }
    }
    name.to_string()
}

/// What follows a prefix of whole scopes; the name itself after an empty prefix.
fn strip_prefix<'a>(name: &'a str, prefix: &str) -> Option<&'a str> {
    if prefix.is_empty() {
        return Some(name);
    }
    let rest = name.strip_prefix(prefix)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('.') }
}

fn depth(name: &str) -> usize {
    if name.is_empty() { 0 } else { 1 + name.matches('.').count() }
}

/// A pattern without `*` and `?` fits anywhere in the name; one with them fits the whole name.
fn fits(pattern: &str, name: &str) -> bool {
    if !pattern.contains(['*', '?']) {
        return name.contains(pattern);
    }
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut p, mut n) = (0, 0);
    // Where to go back to: behind the last star, and the end of what it has swallowed.
    let mut retry = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                retry = Some((p + 1, n));
                p += 1;
            }
            Some(&byte) if byte == b'?' || byte == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match retry {
                Some((after_star, swallowed)) => {
                    retry = Some((after_star, swallowed + 1));
                    p = after_star;
                    n = swallowed + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&byte| byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Names {
        Names { by_name: list.iter().enumerate().map(|(index, name)| (name.to_string(), index)).collect() }
    }

    fn prefixes(a: &[&str], b: &[&str]) -> (String, String, usize) {
        let matching = match_names(&names(a), &names(b));
        (matching.prefix_a, matching.prefix_b, matching.pairs.len())
    }

    #[test]
    fn a_wrapper_is_stripped_on_either_side() {
        let model = ["tb.dut.clk", "tb.dut.u_fabric.valid_o"];
        let verilator = ["TOP.tb.dut.clk", "TOP.tb.dut.u_fabric.valid_o"];
        let bare = ["dut.clk", "dut.u_fabric.valid_o"];
        assert_eq!(prefixes(&model, &verilator), (String::new(), "TOP".into(), 2));
        assert_eq!(prefixes(&bare, &model), (String::new(), "tb".into(), 2));
        assert_eq!(prefixes(&verilator, &bare), ("TOP.tb".into(), String::new(), 2));
        assert_eq!(prefixes(&["x.u.v", "x.u.w"], &["y.z.u.v", "y.z.u.w"]), ("x".into(), "y.z".into(), 2));
    }

    #[test]
    fn equal_names_are_left_alone() {
        let list = ["tb.a.v", "tb.b.v"];
        assert_eq!(prefixes(&list, &list), (String::new(), String::new(), 2));
        assert_eq!(prefixes(&["tb.a"], &["tb.b"]), (String::new(), String::new(), 0));
    }

    #[test]
    fn scopes_are_not_cut_in_the_middle() {
        assert_eq!(strip_prefix("tb_x.v", "tb"), None);
        assert_eq!(strip_prefix("tb.v", "tb"), Some("v"));
        let map = NameMap { from: "tb".into(), to: "TOP.t".into() };
        assert_eq!(mapped("tb.v", std::slice::from_ref(&map)), "TOP.t.v");
        assert_eq!(mapped("tb_x.v", &[map]), "tb_x.v");
        assert_eq!(mapped("v", &[NameMap { from: String::new(), to: "tb".into() }]), "tb.v");
        assert_eq!(mapped("tb.v", &[NameMap { from: "tb".into(), to: String::new() }]), "v");
    }

    #[test]
    fn patterns() {
        for (pattern, name, fit) in [
            ("valid", "tb.valid_o", true),
            ("*valid", "tb.valid_o", false),
            ("tb.*_o", "tb.u.valid_o", true),
            ("tb.?", "tb.v", true),
            ("tb.?", "tb.vv", false),
            ("*a*b*", "xxaxxbxx", true),
            ("*", "", true),
        ] {
            assert_eq!(fits(pattern, name), fit, "{pattern} on {name}");
        }
    }

    #[test]
    fn a_list_of_long_names_is_cut() {
        let listed = |names: &[&str]| shortened(names.iter().copied(), 3);
        assert_eq!(listed(&[]), "none");
        assert_eq!(listed(&["a", "b", "c"]), "3: a, b, c");
        assert_eq!(listed(&["a", "b", "c", "d"]), "4: a, b, c, ...");
        let (long, medium) = ("u.".repeat(5000), "m".repeat(199));
        let text = listed(&[&long, &medium, &medium]);
        assert!(text.starts_with("3: u.u.") && text.ends_with("mmm") && text.len() < 700, "{text}");
        let many = shortened([long.as_str(); 100].into_iter(), 12);
        assert!(many.starts_with("100: u.") && many.ends_with(", ...") && many.len() < 800, "{many}");
    }
}
