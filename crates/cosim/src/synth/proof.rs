//! RTL = netlist, by induction over Yosys's equivalence cells.

use super::{Family, bad_output, netlist};
use crate::tools::ToolPath;
use crate::yosys::yosys;
use frit_network::Refusal;
use frit_trace::output::{read, write_file};
use std::path::Path;

/// Whether a netlist was proved to do what its RTL does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Nobody asked, or the module is not one that is proved.
    NotAsked,
    /// Every pair of signals of one name is equal in every reachable state.
    Proved,
    /// So many pairs could not be shown to be equal: the netlist is wrong, or the induction too weak.
    Unproven(u64),
}

/// Proves the netlist of `top` in `folder` ([`netlist::FILE`]) against its `sources` there; writes `cells.v` and `prove.log`.
pub fn prove(
    tools: &ToolPath,
    family: Family,
    folder: &Path,
    sources: &[String],
    top: &str,
) -> Result<Proof, Refusal> {
    let text = String::from_utf8_lossy(&read(&folder.join(netlist::FILE))?).into_owned();
    write_file(&folder.join("cells.v"), netlist::models(tools, family, &text)?)?;
    let side = |name: &str, files: &str| {
        format!(
            "read_verilog {files}\nhierarchy -check -top {top}\nproc\nflatten\nopt_clean\nrename {top} {name}\ndesign -stash {name}\n"
        )
    };
    let script = format!(
        "{}{}design -copy-from gold gold\ndesign -copy-from gate gate\n\
         equiv_make gold gate equiv\nequiv_induct\ntee -q -o {STATUS} equiv_status\n",
        side("gold", &sources.join(" ")),
        side("gate", &format!("cells.v {}", netlist::FILE)),
    );
    yosys(tools, folder, "prove", &script, "prove.log", &[STATUS])?;
    match pairs(&String::from_utf8_lossy(&read(&folder.join(STATUS))?)) {
        Some((proven, 0)) if proven > 0 => Ok(Proof::Proved),
        Some((_, unproven)) if unproven > 0 => Ok(Proof::Unproven(unproven)),
        _ => Err(bad_output("yosys", &folder.join(STATUS), "does not say how many pairs are proved")),
    }
}

/// What Yosys says of the pairs.
const STATUS: &str = "prove.txt";

/// How many pairs Yosys says are proved, and how many are not:
/// `Found 122 $equiv cells in equiv:`, `Of those cells 122 are proven and 0 are unproven.`
fn pairs(status: &str) -> Option<(u64, u64)> {
    let numbers = |line: &str| -> Option<(u64, u64)> {
        let (proven, rest) = line.trim().strip_prefix("Of those cells ")?.split_once(" are proven and ")?;
        Some((proven.parse().ok()?, rest.strip_suffix(" are unproven.")?.parse().ok()?))
    };
    let found: Vec<_> = status.lines().filter_map(numbers).collect();
    (found.len() == 1).then(|| found[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_is_read() {
        let said = "Found 122 $equiv cells in equiv:\n  Of those cells 58 are proven and 64 are unproven.\n";
        assert_eq!(pairs(said), Some((58, 64)));
        assert_eq!(pairs("PASS\nEquivalence successfully proven!\n"), None);
        assert_eq!(pairs(&said.repeat(2)), None);
        assert_eq!(pairs(""), None);
    }
}
