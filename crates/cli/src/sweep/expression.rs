//! Sizes that depend on n: `64`, `n`, `2*n`, `n/4`, `n*log2(n)`.

use anyhow::{Result, bail};
use serde::Deserialize;

/// A number, or a product as text.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "a whole number or an expression of n, like \"64*n\"")]
pub enum Expression {
    Number(u64),
    Text(String),
}

impl Expression {
    /// Its value, rounded to the nearest whole number.
    pub fn value(&self, n: u64) -> Result<u64> {
        let text = match self {
            Expression::Number(value) => return Ok(*value),
            Expression::Text(text) => text,
        };
        let mut value = 1.0;
        let mut rest = text.as_str();
        let mut divide = false;
        loop {
            let end = rest.find(['*', '/']).unwrap_or(rest.len());
            let Some(factor) = factor(rest[..end].trim(), n) else {
                bail!(
                    "{text:?} is not a size: give products and quotients of numbers, n and log2(n), like \"64*n\""
                );
            };
            value = if divide { value / factor } else { value * factor };
            if end == rest.len() {
                break;
            }
            divide = rest[end..].starts_with('/');
            rest = &rest[end + 1..];
        }
        if !(value.is_finite() && value < u64::MAX as f64) {
            bail!("{text:?} is {value} for n = {n}");
        }
        Ok(value.round() as u64)
    }
}

fn factor(text: &str, n: u64) -> Option<f64> {
    match text {
        "n" => Some(n as f64),
        "log2(n)" => Some((n as f64).log2()),
        number => number.parse::<u32>().ok().map(f64::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_quotients() {
        for (text, n, expected) in [
            ("64", 8, 64),
            ("n", 8, 8),
            ("2 * n", 8, 16),
            ("n*log2(n)", 8, 24),
            ("n/4", 8, 2),
            ("n/16", 8, 1),
        ] {
            assert_eq!(Expression::Text(text.into()).value(n).unwrap(), expected, "{text}");
        }
        for text in ["", "m", "2n", "n*", "-1", "n/0", "1+1"] {
            assert!(Expression::Text(text.into()).value(8).is_err(), "{text}");
        }
    }
}
