//! What readers of our JSON files share.

use crate::name::{beginning, ends};
use crate::{Refusal, refusal, refuse};
use serde::de::DeserializeOwned;

/// Reads the JSON of a file that is `what`, whose members an error names: serde's text may quote all of the file.
pub fn parse<T: DeserializeOwned>(what: &str, text: &str, members: &str) -> Result<T, Refusal> {
    serde_json::from_str(text).map_err(|error| {
        let error = ends(&error.to_string());
        refusal!("not {what}: {error}; it needs the members {members}")
    })
}

/// Refuses the `format` member of a file that this version does not read.
pub fn check_format(file: &str, given: &str, expected: &str) -> Result<(), Refusal> {
    if given == expected {
        return Ok(());
    }
    refuse!("{file} has format {:?}, but this version of frit reads {expected:?}", beginning(given));
}
