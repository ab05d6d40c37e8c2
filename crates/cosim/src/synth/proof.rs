//! RTL = netlist, by induction over Yosys's equivalence cells.

use super::{Family, SynthError, netlist};
use crate::output::{read, write_file};
use crate::simulator::SimulatorError;
use crate::tools::ToolPath;
use crate::yosys::yosys;
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
) -> Result<Proof, SynthError> {
    let text = String::from_utf8_lossy(&read(&folder.join(netlist::FILE))?).into_owned();
    write_file(&folder.join("cells.v"), netlist::models(tools, family, &text)?)?;
    let side = |name: &str, files: &str| {
        format!(
            "read_verilog {files}\nhierarchy -check -top {top}\nproc\nflatten\nopt_clean\nrename {top} {name}\ndesign -stash {name}\n"
        )
    };
    let script = format!(
        "{}{}design -copy-from gold gold\ndesign -copy-from gate gate\n\
         equiv_make gold gate equiv\nequiv_induct\ntee -q -o {STATUS} equiv_status -assert\n",
        side("gold", &sources.join(" ")),
        side("gate", &format!("cells.v {}", netlist::FILE)),
    );
    match yosys(tools, folder, "prove", &script, "prove.log", &[STATUS]) {
        Ok(_) => match proved(&String::from_utf8_lossy(&read(&folder.join(STATUS))?)) {
            true => Ok(Proof::Proved),
            false => {
                let what = "does not say that all pairs are proved".into();
                Err(SynthError::Output { program: "yosys", path: folder.join(STATUS), what })
            }
        },
        Err(SimulatorError::Failed { tail, .. }) if unproven(&tail).is_some() => {
            Ok(Proof::Unproven(unproven(&tail).unwrap_or_default()))
        }
        Err(error) => Err(error.into()),
    }
}

/// What Yosys says of the pairs.
const STATUS: &str = "prove.txt";

/// Whether Yosys says that it proved pairs, and all of them:
/// `Found 122 $equiv cells in equiv:`, `Of those cells 122 are proven and 0 are unproven.`
fn proved(status: &str) -> bool {
    let numbers = |line: &str| -> Option<(u64, u64)> {
        let (proven, rest) = line.trim().strip_prefix("Of those cells ")?.split_once(" are proven and ")?;
        Some((proven.parse().ok()?, rest.strip_suffix(" are unproven.")?.parse().ok()?))
    };
    let found: Vec<_> = status.lines().filter_map(numbers).collect();
    matches!(found[..], [(proven, 0)] if proven > 0)
}

/// How many pairs Yosys says are unproven: `ERROR: Found 64 unproven $equiv cells in 'equiv_status -assert'.`
fn unproven(log: &str) -> Option<u64> {
    let line = log.lines().rev().find(|line| line.contains("unproven $equiv cells"))?;
    line.split_once("Found ")?.1.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_proves_nothing() {
        let said = "Found 122 $equiv cells in equiv:\n  Of those cells 122 are proven and 0 are unproven.\n  Equivalence successfully proven!\n";
        assert!(proved(said));
        assert!(!proved("") && !proved("PASS\nEquivalence successfully proven!\n"));
        assert!(!proved(&said.replace(" 122 are", " 0 are")) && !proved(&said.replace("and 0", "and 1")));
    }

    #[test]
    fn the_verdict_is_read() {
        let log = "x\nERROR: Found 64 unproven $equiv cells in 'equiv_status -assert'.\n";
        assert_eq!(unproven(log), Some(64));
        assert_eq!(unproven("ERROR: Module `gold' not found"), None);
    }
}
