//! Sweeps of exchanges round stuck switches: rounds against the number of switches, all single ones and drawn sets.

use crate::plot::figure::Figure;
use crate::sweep::designs::{groups, ink, key};
use crate::sweep::grid::Grid;
use crate::sweep::kind::sweep_file;
use crate::sweep::seeds::SeedsFile;
use anyhow::{Result, bail};
use frit_network::facts::Facts;
use frit_network::{StageIdx, StuckSwitches, SwitchIdx, SwitchState, facts};
use frit_schedule::stuck::ways::Cut;
use frit_schedule::{Plan, stuck};
use frit_traffic::random::stream;

/// Terminals up to which sets are gone round with more rounds than terminals.
const MAX_TERMINALS: u64 = 256;

sweep_file! {
    "stuck": StuckFile {
        stuck: Vec<u32>,
        #[serde(default)]
        seeds: SeedsFile,
    }
    systems: SystemFile {}
}

const KEYS: &str = "system options terminals stuck seed";
const FACTS: &str = "switches possible rounds bound rounds_per_terminal";

fn grid(file: &StuckFile) -> Result<Grid> {
    let seeds = file.seeds.seeds()?;
    let mut counts = file.stuck.clone();
    counts.sort_unstable();
    counts.dedup();
    if counts.is_empty() || counts[0] == 0 {
        bail!("stuck needs at least one number of switches, each 1 or more, for example stuck = [1, 2, 5]");
    }
    let plot = Figure::new(
        "Rounds round stuck switches",
        "stuck switches",
        "rounds / terminals, where it is possible",
    );
    let mut grid = Grid::new("stuck", KEYS, FACTS, "rounds_per_terminal", plot);
    let most = |terminals| match terminals > MAX_TERMINALS {
        true => bail!("{terminals} terminals: stuck switches are swept up to {MAX_TERMINALS} terminals"),
        false => Ok(()),
    };
    for SystemFile { system, terminals, options } in &file.systems {
        for group in groups(system, terminals, options, most)? {
            for plan in group.plans {
                check(&plan)?;
                grid.begin(format!("{} n = {}", group.name, plan.network.terminals()), ink(&plan));
                for &count in &counts {
                    if u64::from(count) > plan.network.switches() {
                        bail!("stuck = {count}: {} has {} switches", plan.name(), plan.network.switches());
                    }
                    // Single ones are not drawn: they are numbered, and all are there.
                    let draws: Vec<u64> = match count {
                        1 => (0..2 * plan.network.switches()).collect(),
                        _ => seeds.iter().collect(),
                    };
                    for seed in draws {
                        let key = [key(&plan), vec![count.to_string(), seed.to_string()]].concat();
                        let (plan, name) = (plan.clone(), format!("{} {count} {seed}", plan.name()));
                        grid.once(&key, &name)?;
                        let work = plan.network.switches() * u64::from(plan.rounds);
                        grid.add(f64::from(count), (key, work), name, move |_| {
                            facts_of(&plan, &drawn(&plan, count, seed))
                        })?;
                    }
                }
            }
        }
    }
    grid.filled("no [[systems]]: each has a system, terminals, and options if it should")
}

/// Refuses a plan that does not go round, or goes round other switches already.
fn check(plan: &Plan) -> Result<()> {
    let (system, option) = (plan.system, stuck::STUCK.name);
    if !plan.specs.iter().any(|spec| spec.name == option) {
        bail!("{system} does not go round stuck switches: it has no option {option}");
    }
    if !plan.stuck.is_empty() {
        bail!(
            "options of {system}: {option} says which switches are stuck, and so does this sweep; leave the option out"
        );
    }
    Ok(())
}

/// The figures of an exchange round these switches.
fn facts_of(plan: &Plan, switches: &StuckSwitches) -> Result<Facts> {
    // That a pair has no path is an answer.
    let around = match stuck::around(plan.clone(), switches) {
        Ok(around) => Some(around),
        Err(error) if error.detail::<Cut>().is_some() => None,
        Err(error) => return Err(error.into()),
    };
    let terminals = f64::from(plan.network.terminals());
    let bound =
        |around: &Plan| u64::from(around.rounds) + around.figures.cycles_lower_bound - around.cycles();
    Ok(facts! {
        "switches": switches.name(), "possible": u8::from(around.is_some()),
        "rounds": around.as_ref().map(|around| around.rounds),
        "bound": around.as_ref().map(bound),
        "rounds_per_terminal": around.map(|around| f64::from(around.rounds) / terminals),
    })
}

/// So many switches of a plan's network, each stuck in one state; a single one by its number.
fn drawn(plan: &Plan, count: u32, seed: u64) -> StuckSwitches {
    let row = u64::from(plan.network.switches_per_stage());
    let one = |number: u64, state: bool| {
        let (stage, switch) = ((number / row) as u32, (number % row) as u32);
        (StageIdx(stage), SwitchIdx(switch), SwitchState::from_bit(state))
    };
    if count == 1 {
        return [one(seed / 2, seed % 2 == 1)].into_iter().collect();
    }
    let mut random = stream(seed, count.into());
    let order = random.permutation(plan.network.switches() as u32);
    order[..count as usize].iter().map(|&number| one(number.into(), random.next() & 1 == 1)).collect()
}
