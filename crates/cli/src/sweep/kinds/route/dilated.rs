//! Sweeps of the dilated butterfly.

use super::system::{Across, Case, Swept};
use crate::dilated::{self, Figures, KINDS, closed_form};
use anyhow::{Result, bail};
use frit_design::reports;
use frit_network::facts::Facts;
use frit_router::Router;
use frit_router::dilated::packets::check;
use frit_router::dilated::{Packets, Parameters, claims};
use std::sync::Arc;

pub const DILATED: Swept = Swept {
    name: "dilated",
    title: "Dilated butterfly",
    key: "terminals bundle per_input payload queue switch mode release traffic direct seed",
    facts: "steps least_steps closed_form delivered total blocked max_load waits shunts digest",
    traffic: &KINDS,
    succeeded: |cell| Some(cell("blocked")? == 0.0),
    of_all: &["least_steps", "closed_form", "delivered", "total", "blocked", "max_load"],
    bounded: &[],
    across: &[
        Across { name: "n", label: "n: 2^n rows", of: &["terminals"] },
        Across { name: "terminals", label: "rows", of: &["terminals"] },
        Across { name: "bundle", label: "b: edges in a bundle", of: &["bundle"] },
        Across { name: "per_input", label: "packets per row", of: &["per_input"] },
        Across { name: "payload", label: "M: payload bits", of: &["payload"] },
        Across { name: "queue", label: "Q: bits that can wait at the end of an edge", of: &["queue"] },
    ],
    computed: &[("bundle", "terminals"), ("per_input", "terminals")],
    word,
    quantity,
    is_formula: |text| Formula::parse(text).is_some(),
    formulas: "\"closed-form\", \"bit-reversal\" and \"bound P\" with a chance P above 0, like \"bound 1e-3\"",
    case,
};

/// Parameters without a seed, and traffic.
struct Dilated {
    parameters: Parameters,
    per_input: u32,
    traffic: String,
}

fn case(router: &dyn Router, traffic: &str, direct: bool) -> Result<Arc<dyn Case>> {
    let Some(system) = router.of::<frit_router::dilated::Dilated>() else {
        bail!("{} is not dilated", router.row().key)
    };
    let case = Dilated {
        parameters: Parameters { direct, ..system.parameters },
        per_input: system.per_input,
        traffic: traffic.into(),
    };
    check(&case.parameters, u64::from(case.per_input) * case.parameters.rows)?;
    Ok(Arc::new(case))
}

impl Case for Dilated {
    fn parameters(&self) -> Facts {
        reports::dilated_traffic(&self.parameters, &self.traffic, Some(self.per_input))
    }

    fn work(&self) -> u64 {
        let p = &self.parameters;
        let bits = u64::from(2 * p.rows.ilog2() + p.payload);
        p.rows * u64::from(self.per_input) * u64::from(p.rows.ilog2()) * bits
    }

    fn formula(&self, name: &str) -> Option<(String, f64)> {
        Formula::parse(name)?.of(self)
    }

    fn run(&self, seed: u64) -> Result<Facts> {
        let parameters = Parameters { seed, ..self.parameters };
        let count = parameters.rows * u64::from(self.per_input);
        // As many points as there are cores run beside it.
        dilated::need_memory(&parameters, count, usize::MAX, false)?;
        let messages = dilated::messages(&self.traffic, parameters.rows as u32, self.per_input, seed);
        let packets = Packets::new(parameters, &messages)?;
        let outcome = frit_model::dilated::simulate(&packets);
        let figures = Figures::of(&packets);
        if let Some(packet) = outcome.wrong.first() {
            bail!("packet {packet} arrived damaged or in another row");
        }
        if let Some(exact) = figures.exact.filter(|&exact| exact != outcome.steps) {
            bail!("{} steps, but the closed form says {exact}", outcome.steps);
        }
        Ok(dilated::members(&packets, &outcome, &figures))
    }
}

/// What a formula gives for a case.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Formula {
    /// The steps without waiting.
    ClosedForm,
    /// The edges for this chance of an overload.
    Bound(f64),
    /// The load of bit reversal without intermediate rows.
    BitReversal,
}

impl Formula {
    fn parse(text: &str) -> Option<Self> {
        let chance = text.strip_prefix("bound ").and_then(|chance| chance.trim().parse::<f64>().ok());
        match (text, chance) {
            ("closed-form", _) => Some(Formula::ClosedForm),
            ("bit-reversal", _) => Some(Formula::BitReversal),
            (_, Some(chance)) if chance > 0.0 && chance <= 1.0 => Some(Formula::Bound(chance)),
            _ => None,
        }
    }

    /// Its name and its value; none where it says nothing.
    fn of(self, case: &Dilated) -> Option<(String, f64)> {
        let n = case.parameters.rows.ilog2();
        match self {
            Formula::ClosedForm => {
                Some((closed_form(&case.parameters).into(), case.parameters.least_steps() as f64))
            }
            Formula::Bound(chance) => {
                let edges = claims::bundle_for(n, case.per_input, chance);
                let chance = if chance < 0.01 { format!("{chance:e}") } else { chance.to_string() };
                let name = format!("edges for an overload with chance {chance}");
                (!case.parameters.direct).then(|| (name, edges.into()))
            }
            Formula::BitReversal => {
                let load = f64::from(case.per_input) * 2f64.powi(n.div_ceil(2) as i32 - 1);
                let direct = case.parameters.direct && case.traffic == "bit-reversal";
                direct.then(|| ("packets per row x 2^(n/2 - 1)".into(), load))
            }
        }
    }
}

fn word(column: &str, value: &str) -> String {
    let yes = value == "true";
    match column {
        "terminals" => format!("n = {}", value.parse::<u64>().map_or(0, u64::ilog2)),
        "bundle" => format!("b = {value}"),
        "per_input" => format!("{value} packets per row"),
        "payload" => format!("M = {value}"),
        "queue" => format!("Q = {value}"),
        "release" => if yes { "edges released" } else { "edges used once" }.into(),
        "direct" => if yes { "direct" } else { "random rows between" }.into(),
        _ => value.into(),
    }
}

fn quantity(y: &[&str]) -> Option<&'static str> {
    match y {
        ["steps"] => Some("bit steps"),
        ["max_load"] => Some("largest load of a bundle (packets)"),
        ["delivered", "total"] => Some("share of packets delivered"),
        ["waits", "shunts"] => Some("steps that a head waits at a switch"),
        _ => None,
    }
}
