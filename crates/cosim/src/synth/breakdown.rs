//! Where the area of a module goes: it is flattened and optimised as a whole, then what each kind of cell was written as becomes
//! a module of its own, and each of these is mapped alone. What one LUT could do for two kinds takes two here, so the shares
//! add up to a little more than the module takes.

use super::parts::Subject;
use super::{Area, Family, bad_output, left_by};
use crate::tools::ToolPath;
use crate::yosys::yosys;
use frit_network::Refusal;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// What Yosys says of all modules.
const FILE: &str = "breakdown.json";

/// What a kind of cell takes in a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// Its name; empty for what lies between the cells.
    pub kind: String,
    /// How many the module has.
    pub count: u64,
    pub area: Area,
}

/// The part of the output that is read.
#[derive(Deserialize)]
struct Stat {
    modules: BTreeMap<String, Counts>,
}

#[derive(Deserialize)]
struct Counts {
    #[serde(default)]
    num_cells_by_type: BTreeMap<String, u64>,
}

/// The shares of the kinds of cells of a module, the largest first. Its sources are in the folder.
pub(super) fn run(
    tools: &ToolPath,
    family: Family,
    folder: &Path,
    subject: &Subject,
) -> Result<Vec<Share>, Refusal> {
    yosys(tools, folder, "breakdown", &script(family, subject), "breakdown.log", &[FILE])?;
    let (path, text) = left_by("yosys", folder, FILE)?;
    parse(family, &subject.module.name, &subject.kinds, &text)
        .map_err(|what| bad_output("yosys", &path, &what))
}

/// The commands of Yosys. The place of a cell in the sources says of which kind it is, whatever optimisation made of it.
fn script(family: Family, subject: &Subject) -> String {
    let names: Vec<&str> = subject.sources.iter().map(|(name, _)| name.as_str()).collect();
    let (map, top) = (family.synthesis(), &subject.module.name);
    let kinds: String =
        subject.kinds.iter().map(|(kind, _)| format!("submod -name {kind} a:src=*{kind}.v:*\n")).collect();
    format!(
        "read_verilog {}\n{map} -top {top} -run begin:map_ram\ncd {top}\n{kinds}cd\nopt_clean\n\
         {map} -noflatten -top {top} -run map_ram:\ntee -q -o {FILE} stat -json\n",
        names.join(" ")
    )
}

/// Reads the areas of all modules. The error is what the figures lack.
fn parse(family: Family, top: &str, kinds: &[(String, u64)], json: &str) -> Result<Vec<Share>, String> {
    let stat: Stat = serde_json::from_str(json).map_err(|error| format!("cannot be read: {error}"))?;
    let between = (top.to_string(), 0);
    let mut shares = Vec::new();
    let mut left = stat.modules;
    for (kind, count) in kinds.iter().chain([&between]) {
        // Optimisation may leave nothing of a kind.
        let cells = left.remove(&format!("\\{kind}")).map(|counts| counts.num_cells_by_type);
        if cells.is_none() && kind == top {
            return Err(format!("has no module {top}"));
        }
        let mut area = Area::default();
        for (cell, number) in cells.into_iter().flatten() {
            if !kinds.iter().any(|(kind, _)| *kind == cell) {
                area.add(family.library(), cell, number);
            }
        }
        let kind = if kind == top { String::new() } else { kind.clone() };
        shares.push(Share { kind, count: *count, area });
    }
    if let Some(more) = left.keys().next() {
        return Err(format!("has a module {more} that is no kind of cell"));
    }
    shares.sort_by_key(|share| std::cmp::Reverse((share.area.luts, share.area.ffs)));
    Ok(shares)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Vec<(String, u64, u64, u64)>, String> {
        let kinds = [("frit_a".to_string(), 3), ("frit_b".to_string(), 1), ("frit_c".to_string(), 2)];
        let shares = parse(Family::Ice40, "D_node", &kinds, json)?;
        let line = |share: Share| (share.kind, share.count, share.area.luts, share.area.ffs);
        Ok(shares.into_iter().map(line).collect())
    }

    const TOP: &str =
        r#""\\D_node": {"num_cells_by_type": {"$scopeinfo": 4, "SB_LUT4": 2, "frit_a": 1, "frit_b": 1}}"#;

    #[test]
    fn kinds_have_what_is_left_of_them() {
        let cells = r#""\\frit_a": {"num_cells_by_type": {"SB_LUT4": 1, "SB_DFFSR": 4}},
                       "\\frit_b": {"num_cells_by_type": {"SB_LUT4": 7}}"#;
        let shares = read(&format!("{{\"modules\": {{{cells}, {TOP}}}}}")).unwrap();
        let line = |kind: &str, count, luts, ffs| (kind.to_string(), count, luts, ffs);
        // Nothing is left of the third.
        let expected =
            [line("frit_b", 1, 7, 0), line("", 0, 2, 0), line("frit_a", 3, 1, 4), line("frit_c", 2, 0, 0)];
        assert_eq!(shares, expected);
    }

    #[test]
    fn other_modules_are_not_passed_over() {
        let more = r#""\\frit_d": {"num_cells_by_type": {"SB_LUT4": 1}}"#;
        let what = read(&format!("{{\"modules\": {{{more}, {TOP}}}}}")).unwrap_err();
        assert_eq!(what, "has a module \\frit_d that is no kind of cell");
        assert_eq!(read(r#"{"modules": {}}"#).unwrap_err(), "has no module D_node");
        assert!(read("{}").unwrap_err().starts_with("cannot be read: missing field `modules`"));
    }
}
