//! Plain text as Markdown.

/// `text` with every word for which `is_name` holds in backticks.
pub fn with_names(text: &str, is_name: impl Fn(&str) -> bool) -> String {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(part) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c| !part(c)).unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        out += before;
        out += &if is_name(word) { format!("`{word}`") } else { word.into() };
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_are_names() {
        let is_name = |word: &str| word == "a_i" || word == "W";
        assert_eq!(
            with_names("W of a_i, ba_i and a_io: a_i.", is_name),
            "`W` of `a_i`, ba_i and a_io: `a_i`."
        );
        assert_eq!(with_names("2^W ä", is_name), "2^`W` ä");
    }
}
