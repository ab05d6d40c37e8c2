//! Sweeps of uneven demands: every planner on every demand, for each time that a network takes to change its configuration, beside the
//! lower bound. Every plan sends its words through the bare network.

use crate::args::DemandArgs;
use crate::demand::make::{arguments, make, makes};
use crate::demand::{compared, need_plan};
use crate::memory::{self, estimate};
use crate::plot::figure::{BARS, Figure, Ink};
use crate::sweep::grid::Grid;
use crate::sweep::kind::sweep_file;
use crate::sweep::lists::OneOrMore;
use crate::sweep::seeds::SeedsFile;
use anyhow::{Context, Result, bail};
use frit_demand::exchange::STORED;
use frit_demand::few::Fabric;
use frit_demand::{Demand, Machine};
use frit_design::compare::demand::{
    COLUMNS as COMPARED, CYCLIC, DemandRequest, PLANNERS, carry, cyclic_plan,
};
use frit_network::facts::Facts;
use frit_traffic::fnv::Fnv64;
use frit_traffic::pace::Pace;
use serde::Deserialize;
use std::time::Duration;

sweep_file! {
    "demand": DemandFile {
        /// Each as the arguments of `frit demand`.
        demands: Vec<String>,
        /// Numbers of terminals; of a file it has none.
        terminals: Option<OneOrMore<u64>>,
        #[serde(default)]
        seeds: SeedsFile,
        planners: Vec<String>,
        delta: Option<OneOrMore<u32>>,
        planes: Option<OneOrMore<u32>>,
        matchings: Option<OneOrMore<Most>>,
        word_bytes: Option<u32>,
        link: Option<String>,
        clock: Option<String>,
    }
}

const KEY: &str = "demand terminals seed delta planes matchings planner system";
/// Those of `frit compare --demand` without the time.
const FACTS: &str =
    "h rounds configurations reconfiguring cycles cycles_lower_bound ratio settings_bits buffer_words";

/// The most configurations of a network.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "a number, \"N\", \"2N\" and so on, or \"any\"")]
enum Most {
    Number(u32),
    Word(String),
}

impl Most {
    fn of(&self, terminals: u32) -> Result<Option<u32>> {
        let word = match self {
            Most::Number(number) => return Ok(Some(*number)),
            Most::Word(word) if word == "any" => return Ok(None),
            Most::Word(word) => word,
        };
        let times = match word.strip_suffix('N') {
            Some("") => Some(1),
            Some(times) => times.parse().ok().filter(|times: &u32| *times > 0),
            None => None,
        };
        let most = times.and_then(|times| times.checked_mul(terminals));
        let allowed = || format!("matchings = {word:?}: it is a number, \"N\", \"2N\" and so on, or \"any\"");
        most.map(Some).with_context(allowed)
    }
}

/// The planner of a word: one of `benes`, or behind `ideal` one of the ideal crossbar; or a system of which each round has a length, or with two hops.
fn planner(word: &str) -> Result<(&'static str, &'static str)> {
    let two_hops = word.strip_suffix(" two-hop");
    let system = CYCLIC.into_iter().find(|system| *system == two_hops.unwrap_or(word));
    let (machine, named) = match word.strip_prefix("ideal ") {
        Some(named) => ("ideal", named),
        None => ("benes", word),
    };
    let stored = || PLANNERS.into_iter().find(|planner| *planner == named).map(|planner| (planner, machine));
    let planner = system.map(|system| (if two_hops.is_some() { "two-hop" } else { "lengths" }, system));
    planner.or_else(stored).with_context(|| {
        format!(
            "planners = {word:?}: give one of {}, on benes, or with \"ideal \" in front, on an ideal crossbar; or one of {}, alone or with \" two-hop\"",
            PLANNERS.join(", "),
            CYCLIC.join(", ")
        )
    })
}

/// Refuses planners of a system that has no network of this size, and those that store more rounds than there is memory for, as far as this is
/// known before they plan.
fn check((planner, system): (&str, &str), demand: &Demand) -> Result<()> {
    let terminals = demand.terminals();
    if STORED.contains(&system) {
        Machine::stored(system, terminals)?;
        return Ok(());
    }
    let plan = cyclic_plan(system, terminals)?;
    if plan.systolic().is_some() {
        let two_hop = planner == "two-hop";
        let rounds = match two_hop {
            true => u64::from(demand.h().div_ceil(terminals)) * u64::from(plan.rounds),
            false => u64::from(demand.h().div_ceil(plan.lanes_per_terminal())),
        };
        let what = format!("the plan of {} for this demand, {rounds} stored rounds or more,", plan.name());
        let help = "give a demand of fewer words, or other planners, for example \"rls\"";
        memory::need(&what, rounds * estimate::stored_round(two_hop), help)?;
    }
    Ok(())
}

impl DemandFile {
    /// The demands of a line: one for each size and seed if they are drawn, else that of the file.
    fn demands(&self, line: &str) -> Result<Vec<DemandArgs>> {
        if line.contains([',', '"', '\n']) {
            bail!(
                "demands = {line:?}: a comma, a quotation mark or a line break would end a cell of the CSV file; rename the file"
            );
        }
        let given = arguments(line)?;
        if given.terminals.is_some() || given.seed.is_some() || given.output.is_some() {
            bail!(
                "demands = {line:?}: terminals and seeds are members of the file, and nothing is written; leave -n, --seed and -o out"
            );
        }
        let (any_size, any_seed) = makes(&given);
        let sizes = match &self.terminals {
            _ if !any_size => vec![None],
            Some(sizes) => sizes.list().iter().copied().map(Some).collect(),
            None => bail!("terminals is missing: {line:?} makes demands of any size"),
        };
        let seeds = match any_seed {
            false => vec![None],
            true => self.seeds.seeds().map(|seeds| (seeds.first..=seeds.last).map(Some).collect())?,
        };
        let of_size = |terminals| seeds.iter().map(move |&seed| (terminals, seed));
        let make = |(terminals, seed)| DemandArgs { terminals, seed, ..given.clone() };
        Ok(sizes.into_iter().flat_map(of_size).map(make).collect())
    }

    /// The networks on which a demand of so many terminals is planned.
    fn fabrics(&self, terminals: u32) -> Result<Vec<Fabric>> {
        let most = match &self.matchings {
            None => vec![None],
            Some(list) => list.list().iter().map(|most| most.of(terminals)).collect::<Result<_>>()?,
        };
        let (deltas, all_planes) =
            (OneOrMore::list_or(&self.delta, &[0]), OneOrMore::list_or(&self.planes, &[1]));
        if let Some(planes) = all_planes.iter().find(|planes| !(1..=64).contains(*planes)) {
            bail!("planes = {planes}: give 1 to 64");
        }
        let mut all = Vec::new();
        for &delta in deltas {
            for &planes in all_planes {
                all.extend(most.iter().map(|&matchings| Fabric { delta, planes, matchings }));
            }
        }
        Ok(all)
    }
}

/// The plan of a point.
struct Case {
    line: String,
    args: DemandArgs,
    fabric: Fabric,
    plan: (&'static str, &'static str),
}

impl Case {
    fn run(&self) -> Result<Facts> {
        let Case { line, args, fabric, plan: (planner, system) } = self;
        let demand = &make(args)?;
        let room = memory::left() / rayon::current_num_threads() as u64;
        let asked = DemandRequest {
            demand,
            name: line,
            fabric: *fabric,
            pace: None,
            room,
            clock: &|| Duration::ZERO,
        };
        let carried = carry(&asked, planner, system).with_context(|| line.clone())?;
        // As the table of the command has them, where a ratio of 1 is 1.0.
        let cells = carried.cells(&asked).into_iter().map(|cell| match cell.is_f64() {
            true => cell.to_string().into(),
            false => cell,
        });
        Ok(COMPARED
            .into_iter()
            .zip(cells)
            .chain([("h", demand.h().into()), ("words", demand.total().into())])
            .map(|(name, cell)| (name.into(), cell))
            .collect())
    }
}

fn grid(file: &DemandFile) -> Result<Grid> {
    let planners = file.planners.iter().map(|word| planner(word)).collect::<Result<Vec<_>>>()?;
    let plot = Figure {
        limit: Some((1.0, "the bound".into())),
        bars: BARS.into(),
        ..Figure::new(
            "Uneven demands: time by the lower bound",
            "delta: words in the time of a change of configuration",
            "cycles by the lower bound",
        )
    };
    let mut grid = Grid::new("", KEY, FACTS, "ratio", plot);
    let (mut digest, mut largest) = (Fnv64::default(), 0);
    for line in &file.demands {
        for args in file.demands(line)? {
            // Each demand is made here too, so that a wrong one is refused before any point runs.
            let demand = make(&args).with_context(|| format!("demands = {line:?}"))?;
            need_plan(&demand)?;
            largest = largest.max(compared(&demand));
            // What comes from a file is told apart by its content.
            if args.seed.is_none() {
                demand.pairs().for_each(|(from, to, words)| digest.words(&[from, to, words]));
            }
            for &plan in &planners {
                check(plan, &demand).with_context(|| format!("demands = {line:?}"))?;
            }
            for fabric in file.fabrics(demand.terminals())? {
                for &plan in &planners {
                    add(&mut grid, line, &args, &demand, fabric, plan)?;
                }
            }
        }
    }
    grid.configuration = format!("demand {:016x}", digest.digest());
    let pace = Pace::parse(file.word_bytes, file.link.as_deref(), file.clock.as_deref())?;
    let grid = grid
        .paced(pace, "words", "cycles")
        .filled("no points: a file has demands, planners, and terminals if demands are drawn")?;
    let (what, points) = ("the largest plan of the sweep", grid.points().len());
    memory::need_each(what, points, largest, "sweep demands of fewer terminals")?;
    Ok(grid)
}

fn add(
    grid: &mut Grid,
    line: &str,
    args: &DemandArgs,
    demand: &Demand,
    fabric: Fabric,
    plan: (&'static str, &'static str),
) -> Result<()> {
    let Fabric { delta, planes, matchings } = fabric;
    let text = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
    let key = vec![
        line.into(),
        demand.terminals().to_string(),
        text(args.seed),
        delta.to_string(),
        planes.to_string(),
        text(matchings.map(u64::from)),
        plan.0.into(),
        plan.1.into(),
    ];
    grid.once(&key, &format!("{line:?} with {} on {}", plan.0, plan.1))?;
    let more = [(planes > 1).then(|| format!("s = {planes}")), matchings.map(|most| format!("K = {most}"))];
    let networks: String = more.into_iter().flatten().map(|more| format!(", {more}")).collect();
    let name = if plan.1 == "benes" { plan.0.into() } else { format!("{} {}", plan.1, plan.0) };
    let demand_name = format!("{line}, N = {}", demand.terminals());
    let line = format!("{name}: {demand_name}{networks}");
    let network = format!("s = {planes}, K = {}", matchings.map_or("any".into(), |most| most.to_string()));
    grid.line(&line, Ink::Step).parts = vec![demand_name, network, name];
    let case = Case { line, args: args.clone(), fabric, plan };
    grid.add(delta.into(), (key, demand.total().max(1)), "", move |_| case.run())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::rows::Rows;
    use std::collections::BTreeMap;

    const FILE: &str = "kind = \"demand\"\ndemands = [\"zipf --words 50\"]\nterminals = 8\nseeds = 2\n\
        planners = [\"few\", \"exact\", \"rls two-hop\"]\ndelta = [0, 5]\nplanes = [1, 2]\nmatchings = [\"2N\", \"any\"]\n";

    fn sweep(text: &str) -> Result<Grid> {
        grid(&crate::toml_text::read(text)?)
    }

    #[test]
    fn every_combination_is_a_point_and_says_what_the_comparison_says() {
        let sweep = sweep(FILE).unwrap();
        assert_eq!(sweep.points().len(), 2 * 2 * 2 * 2 * 3);
        // Twelve lines of one demand: a panel for each network, with the line of each planner.
        let panels = sweep.figure(&Rows { columns: vec![], cells: BTreeMap::new() }).panels();
        let titles: Vec<&str> = panels.iter().map(|panel| panel.title.as_str()).collect();
        assert_eq!(titles, ["s = 1, K = 16", "s = 1, K = any", "s = 2, K = 16", "s = 2, K = any"]);
        let own = |panel: &Figure| panel.series.iter().filter(|line| line.ink == Ink::Step).count();
        assert!(panels.iter().all(|panel| own(panel) == 3));
        for (at, point) in sweep.points().iter().enumerate() {
            let cell = |column: usize| point.key[column].parse::<u64>().ok();
            let args = DemandArgs { terminals: cell(1), seed: cell(2), ..arguments(&point.key[0]).unwrap() };
            let demand = make(&args).unwrap();
            let [delta, planes] = [3, 4].map(|column| cell(column).unwrap() as u32);
            let fabric = Fabric { delta, planes, matchings: cell(5).map(|most| most as u32) };
            let clock = || Duration::ZERO;
            let asked = DemandRequest {
                demand: &demand,
                name: "",
                fabric,
                pace: None,
                room: u64::MAX,
                clock: &clock,
            };
            let all = frit_design::compare::demand::compare(&asked, &|| ()).unwrap();
            let rows = all.rows(&asked);
            let row = rows.iter().find(|row| row[0] == *point.key[6] && row[1] == *point.key[7]).unwrap();
            let cell = |name| row[COMPARED.iter().position(|column| *column == name).unwrap()].to_string();
            let got = sweep.run(at, &|_| ()).unwrap();
            for (column, got) in FACTS.split(' ').zip(&got).skip(1) {
                assert_eq!(got, &cell(column), "{column} {:?}", point.key);
            }
            assert!(got[6].parse::<f64>().unwrap() >= 1.0);
        }
    }

    #[test]
    fn what_is_wrong_is_said_before_anything_runs() {
        let refused = |from: &str, to: &str| {
            assert!(FILE.contains(from), "{from}");
            sweep(&FILE.replace(from, to)).map(|_| ()).unwrap_err().to_string()
        };
        assert!(refused("\"few\"", "\"fewest\"").contains("give one of exact, few, cover, birkhoff"));
        assert!(refused("\"2N\"", "\"N2\"").contains("matchings = \"N2\""));
        assert!(refused("terminals = 8\n", "").contains("terminals is missing"));
        assert!(refused("zipf --words 50", "zipf --help").contains("unexpected argument '--help'"));
        let missing = sweep(&FILE.replace("= 8", "= 6")).map(|_| ()).unwrap_err();
        assert!(format!("{missing:#}").contains("needs a power of two"), "{missing:#}");
        assert!(refused("[1, 2]", "[0]").contains("planes = 0: give 1 to 64"));
        assert!(refused("zipf --words 50", "zipf --seed 3").contains("leave -n, --seed and -o out"));
        assert!(refused("zipf --words 50", "zipf --wards 3").contains("--wards"));
        assert!(refused("\"zipf --words 50\"", "\"zipf\", \"zipf\"").contains("is listed twice"));
        assert!(refused("zipf --words 50", "a,b.csv").contains("rename the file"));
    }

    #[test]
    fn another_content_of_a_file_is_another_sweep() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("d.csv");
        let of = |text: &str| {
            std::fs::write(&path, text).unwrap();
            sweep(&FILE.replace("zipf --words 50", &path.display().to_string())).unwrap().configuration
        };
        let matrix = |first: &str| format!("{first}\n1,0,0,0\n0,0,0,1\n0,0,1,0\n");
        assert_ne!(of(&matrix("0,1,0,0")), of(&matrix("0,2,0,0")));
        assert_eq!(of(&matrix("0,2,0,0")), of(&matrix("0,2,0,0")));
    }
}
