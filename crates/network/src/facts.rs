//! What is said of a plan, a core or a run: facts in one order, which every output takes from there.
//!
//! Members of JSON, columns, the page in a browser and attributes have facts by their names. Lines of text and rows of datasheets are
//! templates, in which the names stand in braces: no output has a value that is not a fact.

pub use serde_json::json;
use serde_json::{Map, Value};

/// Facts in order, by the names that they have in JSON, as columns and as attributes.
pub type Facts = Map<String, Value>;

/// Makes [`Facts`](crate::facts::Facts) as `json!` makes objects: `facts! { "terminals": 8, "width": width }`.
#[macro_export]
macro_rules! facts {
    ($($members:tt)*) => { $crate::facts::of($crate::facts::json!({ $($members)* })) };
}

/// The members of an object; a value that is none has no facts.
pub fn of(value: Value) -> Facts {
    match value {
        Value::Object(facts) => facts,
        _ => Facts::new(),
    }
}

/// A value for people, without quotation marks; none for null.
pub fn shown(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(values) => Some(values.iter().filter_map(shown).collect::<Vec<_>>().join(" and ")),
        value => Some(value.to_string()),
    }
}

/// A template with the facts in the place of their names; none if one of them is missing or null.
pub fn text(facts: &Facts, template: &str) -> Option<String> {
    let mut parts = template.split('{');
    let mut text = parts.next()?.to_string();
    for part in parts {
        let (name, rest) = part.split_once('}')?;
        text += &shown(facts.get(name)?)?;
        text += rest;
    }
    Some(text)
}

/// The rows of a table: what stands in front, and a template. A row of which a fact is missing is left out.
pub fn rows(facts: &Facts, rows: &[(&'static str, &str)]) -> Vec<(&'static str, String)> {
    rows.iter().filter_map(|(head, template)| Some((*head, text(facts, template)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_have_the_facts_and_rows_without_them_are_left_out() {
        let facts = facts! { "stages": 5, "network": "bb8", "spare": null, "orders": [2, 1] };
        let found = rows(
            &facts,
            &[
                ("network", "{network}, {stages} stages"),
                ("spare", "{spare}"),
                ("orders", "{orders}"),
                ("no", "{no}"),
            ],
        );
        assert_eq!(found, [("network", "bb8, 5 stages".to_string()), ("orders", "2 and 1".into())]);
        assert_eq!(facts.keys().collect::<Vec<_>>(), ["stages", "network", "spare", "orders"]);
        assert_eq!(text(&facts, "a brace { that stays open"), None);
    }
}
