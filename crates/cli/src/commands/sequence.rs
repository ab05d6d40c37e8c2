//! `frit sequence`.

use crate::Verdict;
use crate::args::{SequenceArgs, SequenceKind};
use crate::ui::{BAD, GOOD, Ui};
use anyhow::{Context, Result};
use frit_network::facts;
use frit_schedule::de_bruijn::{DeBruijn, SequenceError};
use frit_trace::output;
use serde_json::json;
use std::path::Path;

pub fn run(ui: &Ui, args: &SequenceArgs) -> Result<Verdict> {
    if let Some(file) = &args.check {
        return check(ui, args, file);
    }
    let order = args.order.context("the order is missing; give it, for example frit sequence 5")?;
    let (kind, sequence) = match args.kind {
        SequenceKind::PreferOne => ("prefer-one", DeBruijn::prefer_one(order)?),
        SequenceKind::PreferSame => ("prefer-same", DeBruijn::prefer_same(order)?),
        SequenceKind::Granddaddy => ("granddaddy", DeBruijn::granddaddy(order)?),
    };
    let facts = facts! {
        "order": order, "kind": kind, "length": sequence.len(), "sequence": sequence.to_string(),
    };
    ui.report(args.format, &facts, || format!("{sequence}\n"))?;
    Ok(Verdict::Fine)
}

/// Is it one? What cannot be read at all is an error instead.
fn check(ui: &Ui, args: &SequenceArgs, file: &Path) -> Result<Verdict> {
    let name = file.display().to_string();
    let text = output::read_text(file)?;
    let length = text.chars().filter(|c| !c.is_whitespace()).count();
    let order = args.order.unwrap_or_else(|| length.max(2).ilog2());
    let result = DeBruijn::parse(&text, order);
    let fault = match &result {
        Ok(_) => None,
        Err(fault @ (SequenceError::Length { .. } | SequenceError::Repeated { .. })) => Some(fault),
        Err(error) => return Err(error.clone()).context(name),
    };
    let repeated = match fault {
        Some(SequenceError::Repeated { word, first, second, missing }) => {
            Some(json!({"word": word, "first": first, "second": second, "missing": missing}))
        }
        _ => None,
    };
    let facts = facts! {
        "order": order, "length": length, "de_bruijn": fault.is_none(), "reason": fault.map(|f| f.to_string()),
        "repeated": repeated,
    };
    ui.report(args.format, &facts, || match fault {
        None => format!("{GOOD}yes{GOOD:#}: {name} is a de Bruijn sequence of order {order}\n"),
        Some(fault) => {
            format!("{BAD}no{BAD:#}: {name} is not a de Bruijn sequence of order {order}: {fault}\n")
        }
    })?;
    Ok(Verdict::of(fault.is_none()))
}
