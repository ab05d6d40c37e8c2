//! Sweeps of the multibutterfly.

use super::system::{Across, Case, Swept};
use crate::multibutterfly::{members, need_memory, room};
use anyhow::{Context, Result, bail};
use frit_design::reports;
use frit_network::facts::Facts;
use frit_router::Router;
use frit_router::multibutterfly::problem::check;
use frit_router::multibutterfly::traffic::Traffic;
use frit_router::multibutterfly::{Multibutterfly, Parameters, Problem};
use std::sync::Arc;

pub const MULTIBUTTERFLY: Swept = Swept {
    name: "multibutterfly",
    title: "Multibutterfly",
    key: "terminals d r h ha l z y strict free x force order traffic seed",
    facts: "ok stages delivered total max_raw max_fill max_w max_through max_link late requests ghosts_deleted word_steps bit_steps packed_steps digest",
    traffic: &["perm", "hcopies", "bitrev", "block", "shift", "identity"],
    succeeded: |cell| Some(cell("ok")? == 1.0),
    of_all: &["ok", "delivered", "total"],
    bounded: &["max_raw", "max_fill", "max_w", "max_through", "max_link"],
    across: &[
        Across { name: "n", label: "log N: N rows", of: &["terminals"] },
        Across { name: "terminals", label: "N: rows", of: &["terminals"] },
        Across { name: "d", label: "d: ports of a node on each side", of: &["d"] },
        Across { name: "r", label: "R: ports that a side commits to", of: &["r"] },
        Across { name: "h", label: "h: messages that a row may send and receive", of: &["h"] },
        Across { name: "ha", label: "ha: messages of a row", of: &["ha"] },
        Across { name: "l", label: "L: every L-th row sends and receives", of: &["l"] },
        Across { name: "z", label: "Z: rounds of requests in a phase", of: &["z"] },
        Across { name: "y", label: "Y: rounds of moves in a phase", of: &["y"] },
        Across { name: "x", label: "X: payload bits", of: &["x"] },
        Across {
            name: "hx/n+n",
            label: "(h ceil(X / log N) + log N): words that a row sends, and columns",
            of: &["terminals", "x"],
        },
        Across { name: "h(x+n)", label: "h (X + log N): bits that a row sends", of: &["terminals", "x"] },
    ],
    computed: &[("ha", "h"), ("free", "d")],
    word,
    quantity,
    is_formula: |text| FORMULAS.contains(&text),
    formulas: "\"least-stages\" and \"paper-bound\"",
    case,
};

const FORMULAS: [&str; 2] = ["least-stages", "paper-bound"];

/// Parameters without a seed, and traffic.
struct Relation {
    system: Multibutterfly,
    traffic: String,
    rule: Traffic,
}

fn case(router: &dyn Router, traffic: &str, direct: bool) -> Result<Arc<dyn Case>> {
    let Some(system) = router.of::<Multibutterfly>() else {
        bail!("{} is no multibutterfly", router.row().key)
    };
    if direct {
        bail!("direct = true: messages of the multibutterfly have no intermediate rows; leave it out");
    }
    if system.rerun {
        bail!("rerun = \"yes\": a point of a sweep is one run; give a list of values of h");
    }
    let rule = Traffic::named(traffic).with_context(|| format!("no traffic {traffic:?}"))?;
    let p = system.parameters;
    check(&p, u64::from(p.offered) * u64::from(p.active_rows()))?;
    Ok(Arc::new(Relation { system: system.clone(), traffic: traffic.into(), rule }))
}

impl Case for Relation {
    fn parameters(&self) -> Facts {
        let mut members =
            reports::multibutterfly_traffic(&self.system, &self.system.parameters, &self.traffic, true);
        members.insert("h".into(), self.system.parameters.threshold.into()); // in a report that of the run
        members
    }

    fn work(&self) -> u64 {
        let p = &self.system.parameters;
        let n = u64::from(p.rows.ilog2());
        let messages = u64::from(p.offered) * u64::from(p.active_rows());
        (messages + p.rows * u64::from(p.degree)) * n * u64::from(1 + p.payload)
    }

    fn computed(&self, across: &str) -> Option<f64> {
        let p = &self.system.parameters;
        let (n, h, x) = (f64::from(p.rows.ilog2()), f64::from(p.offered), f64::from(p.payload));
        match across {
            // A message without X is one word.
            "hx/n+n" => Some(h * (x / n).ceil().max(1.0) + n),
            "h(x+n)" => Some(h * (x + n)),
            _ => None,
        }
    }

    fn formula(&self, name: &str) -> Option<(String, f64)> {
        let p = &self.system.parameters;
        match (name, p.paper_bound()) {
            ("least-stages", _) => Some(("log N: a phase for each column".into(), f64::from(p.rows.ilog2()))),
            ("paper-bound", Some(bound)) => {
                Some(("the paper's bound: smallest power of two > 4dh / (R - 4)".into(), bound as f64))
            }
            ("paper-bound", None) if p.committed == 4 => {
                let bound = 4.0 * f64::from(p.degree) * f64::from(p.threshold);
                Some(("the same argument for R = 4: 4dh".into(), bound))
            }
            _ => None,
        }
    }

    fn run(&self, seed: u64) -> Result<Facts> {
        let parameters = Parameters { seed, ..self.system.parameters };
        let count = u64::from(parameters.offered) * u64::from(parameters.active_rows());
        // As many points as there are cores run beside it.
        need_memory(&parameters, count, usize::MAX, false)?;
        let problem = Problem::new(parameters, &self.rule.messages(&parameters))?;
        let outcome = frit_model::multibutterfly::simulate(&problem, &room)?;
        Ok(members(&parameters, &outcome))
    }
}

fn word(column: &str, value: &str) -> String {
    let yes = value == "true";
    match column {
        "terminals" => format!("N = {value}"),
        "r" | "l" | "z" | "y" | "x" => format!("{} = {value}", column.to_uppercase()),
        "d" | "h" | "ha" => format!("{column} = {value}"),
        "strict" => if yes { "sizes above counts" } else { "sizes not below counts" }.into(),
        "free" => format!("splitters of {value} free"),
        "force" => if yes { "forced" } else { "not forced" }.into(),
        _ => value.into(),
    }
}

fn quantity(y: &[&str]) -> Option<&'static str> {
    match y {
        ["ok"] => Some("share of runs in which everything arrives"),
        ["stages"] => Some("phases"),
        ["word_steps"] => Some("word steps"),
        ["bit_steps"] => Some("bit steps"),
        ["packed_steps"] => Some("word steps, bits packed into words"),
        ["max_raw"] => Some("buffers of a side that are needed"),
        ["max_w"] => Some("largest W"),
        ["delivered", "total"] => Some("share of messages delivered"),
        _ => None,
    }
}
