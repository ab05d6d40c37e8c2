//! Templates of this crate, filled.
//!
//! The templates are part of this crate, and so are the structs that fill them: a failure is a mistake in one.

use serde::Serialize;
use tera::{Context, Tera};

/// What a template is filled with.
pub fn context(values: &impl Serialize) -> Context {
    Context::from_serialize(values).expect("a struct of plain fields is a context")
}

/// The template, filled.
pub fn fill(template: &str, context: &Context) -> String {
    Tera::one_off(template, context, false).expect("a template of this crate names only what it is given")
}
