//! Templates of this crate, filled.
//!
//! The templates are part of this crate, and so are the structs that fill them: a failure is a mistake in one.

use std::sync::LazyLock;

use serde::Serialize;
use tera::{Context, Kwargs, State, Tera};

/// What a template is filled with.
pub fn context(values: &impl Serialize) -> Context {
    Context::from_serialize(values).expect("a struct of plain fields is a context")
}

/// The template, filled.
pub fn fill(template: &str, context: &Context) -> String {
    ENGINE.render_str(template, context, false).expect("a template of this crate names only what it is given")
}

/// Templates and a filter of ours: `quoted`, a string as JSON and YAML write it.
static ENGINE: LazyLock<Tera> = LazyLock::new(|| {
    let mut engine = Tera::new();
    engine.register_filter("quoted", |text: &str, _: Kwargs, _: &State| serde_json::json!(text).to_string());
    engine
});
