//! Questions that are not about one design: a comparison, a permutation, two files.

use crate::asked::MAX_FILE;
use crate::base64;
use anyhow::{Context, Result, bail};
use frit_design::compare::column::columns;
use frit_design::compare::table::{rows, subjects};
use frit_design::permutation;
use frit_trace::diff::{DiffOptions, diff_files};
use frit_trace::output::unmarked_text;
use frit_trace::wave::with_files;
use frit_traffic::permutation as orders;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::PathBuf;

/// What is compared.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Comparison {
    n: u64,
}

/// The most terminals that are compared: each system runs its exchange.
const MAX_COMPARED: u64 = 1024;

/// Refuses an N at which comparing takes too long.
pub(super) fn check_compared(n: u64) -> Result<()> {
    if n > MAX_COMPARED {
        bail!("N = {n} is too large to compare here; make N at most {MAX_COMPARED}, or use frit compare");
    }
    Ok(())
}

/// The planned systems side by side.
pub(super) fn compare(asked: &Comparison) -> Result<Value> {
    check_compared(asked.n)?;
    let rows = rows(&subjects(&[])?, &[asked.n], |_| ());
    let heads: Vec<Value> = columns(false)
        .map(|column| json!({ "name": column.name, "head": column.head, "numeric": column.numeric }))
        .collect();
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| {
            let cells: Vec<Value> = columns(false).map(|column| column.cell(row)).collect();
            json!({ "cells": cells, "note": row.note() })
        })
        .collect();
    Ok(json!({ "columns": heads, "rows": rows }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Order {
    permutation: String,
}

/// The most terminals of a permutation that is checked here.
const MAX_CHECKED: usize = 1 << 16;
/// The most that are drawn.
const MAX_DRAWN: usize = 64;
const TOLD: usize = 16;

/// A permutation on one Butterfly.
pub(super) fn check(asked: &Order) -> Result<Value> {
    if asked.permutation.len() > MAX_FILE {
        bail!("the permutation has {} bytes; give at most {MAX_FILE}", asked.permutation.len());
    }
    let order = orders::parse(unmarked_text(&asked.permutation)).context("the permutation")?;
    if order.len() > MAX_CHECKED {
        bail!("{} terminals are too many to check here; give at most {MAX_CHECKED}", order.len());
    }
    let checked = permutation::check(order).context("the permutation")?;
    let mut about = checked.json();
    let told: Vec<String> = checked.meetings.iter().take(TOLD).map(permutation::in_words).collect();
    about["words"] = told.into();
    about["drawing"] = (checked.terminals() <= MAX_DRAWN).then(|| checked.draw()).into();
    Ok(about)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Two {
    a: Named,
    b: Named,
    /// Compare what both have.
    #[serde(default)]
    common: bool,
    /// Leave out the cycles in which reset is high.
    #[serde(default)]
    ignore_reset: bool,
}

/// A file that was chosen.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Named {
    name: String,
    /// Its bytes, in base 64.
    base64: String,
}

impl Named {
    fn bytes(&self) -> Result<Vec<u8>> {
        let bytes = base64::decode(&self.base64)
            .with_context(|| format!("the file {} is not in base 64", self.name))?;
        if bytes.len() > MAX_FILE {
            bail!("{} has {} bytes; give at most {MAX_FILE}", self.name, bytes.len());
        }
        Ok(bytes)
    }
}

/// Differences that are told one by one, as for `frit diff`.
const DIFFERENCES: usize = 20;

/// The first difference of two waveforms or traces.
pub(super) fn diff(Two { a, b, common, ignore_reset }: Two) -> Result<Value> {
    let (bytes_a, bytes_b) = (a.bytes()?, b.bytes()?);
    let path_a = PathBuf::from(&a.name);
    let path_b = PathBuf::from(if a.name == b.name { format!("{} (2)", b.name) } else { b.name });
    let options =
        DiffOptions { common, ignore_reset, max_differences: DIFFERENCES, ..DiffOptions::default() };
    let files = [(path_a.clone(), bytes_a), (path_b.clone(), bytes_b)];
    let report = with_files(files, || diff_files(&path_a, &path_b, &options))?;
    Ok(json!({ "same": report.same(), "text": report.render_text() }))
}
