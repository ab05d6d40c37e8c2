//! Reading TOML: an error shows the line that is wrong, unless that is longer than a screen.

use anyhow::{Error, Result, anyhow};
use serde::de::DeserializeOwned;

/// Characters that an error may have as it is shown, where control characters are escaped.
const LONGEST: usize = 1000;

pub fn read<T: DeserializeOwned>(text: &str) -> Result<T> {
    toml::from_str(text).map_err(|error: toml::de::Error| match error.to_string().escape_debug().count() {
        0..=LONGEST => Error::new(error),
        _ => {
            let start = error.span().map_or(0, |span| span.start);
            let line = 1 + text.get(..start).map_or(0, |before| before.matches('\n').count());
            let message: String = error.message().chars().take(200).collect();
            anyhow!("TOML parse error at line {line}: {message}")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_not_shown() {
        let error = |text: &str| read::<toml::Table>(text).unwrap_err().to_string();
        assert!(error("a = 1\nb = = 2\n").contains("b = = 2"));
        let long = error(&format!("a = 1\nb = = {}\n", "9".repeat(2000)));
        assert!(long.starts_with("TOML parse error at line 2: ") && long.len() < 300, "{long}");
        let escaped = error(&"\u{2}".repeat(400));
        assert!(escaped.starts_with("TOML parse error at line 1: ") && escaped.len() < 300, "{escaped}");
    }
}
