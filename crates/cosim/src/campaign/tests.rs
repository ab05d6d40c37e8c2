//! A campaign of engines that fail in every way.

use super::*;
use crate::tools::VERILATOR;
use frit_network::Refusal;
use frit_trace::output::write_file;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Echo {
    Right,
    Wrong,
    LeftOut,
    Missing,
}

impl Engine for Echo {
    fn name(self) -> &'static str {
        match self {
            Echo::Right => "right",
            Echo::Wrong => "wrong",
            Echo::LeftOut => "left-out",
            Echo::Missing => "missing",
        }
    }
}

/// Engines that say a list of numbers again.
struct Echoes;

impl Campaign for Echoes {
    type Engine = Echo;
    type Reference = Vec<u64>;
    type Got = Vec<u64>;
    type Kept = usize;
    type Difference = FirstDifference;
    const ENGINES: &'static [Echo] = &[Echo::Right, Echo::Wrong, Echo::LeftOut, Echo::Missing];
    const RESULTS: &'static [&'static str] = &["said.txt"];

    fn files(&self) -> Result<Vec<(String, String)>, Refusal> {
        Ok(vec![("numbers.txt".into(), "1 2 3".into())])
    }

    fn reference(&self) -> Result<Vec<u64>, Refusal> {
        Ok(vec![1, 2, 3])
    }

    fn left_out(&self, engine: Echo) -> Option<String> {
        (engine == Echo::LeftOut).then(|| "not asked for".into())
    }

    fn attempt(
        &self,
        engine: Echo,
        sources: &Path,
        ground: &Ground<Echo>,
    ) -> Result<Attempt<Vec<u64>>, Refusal> {
        let got = match engine {
            Echo::Right => vec![1, 2, 3],
            Echo::Wrong => vec![1, 4, 3],
            Echo::LeftOut => unreachable!("an engine that is left out is not attempted"),
            Echo::Missing => {
                return Ok(Attempt::not_run(ToolPath::only(vec![]).find(VERILATOR).unwrap_err()));
            }
        };
        assert_eq!(std::fs::read_to_string(sources.join("numbers.txt")).unwrap(), "1 2 3");
        make_folder(&ground.results(engine))?;
        write_file(&ground.results(engine).join("said.txt"), format!("{got:?}"))?;
        Ok(Attempt::Ran(EngineRun { got, wave: None, times: Vec::new() }))
    }

    fn compare(
        &self,
        reference: &Vec<u64>,
        _: Echo,
        ran: &EngineRun<Vec<u64>>,
    ) -> Result<(usize, Option<FirstDifference>), Refusal> {
        let at = (0..reference.len()).find(|&at| reference.get(at) != ran.got.get(at));
        let first = at.map(|at| FirstDifference {
            run: 0,
            cycle: at as u64,
            signal: "number".into(),
            expected: reference[at].to_string(),
            got: ran.got[at].to_string(),
        });
        Ok((ran.got.len(), first))
    }
}

#[test]
fn what_is_wrong_is_found_and_what_did_not_run_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let tools = ToolPath::only(Vec::new());
    let ground = Ground { folder: folder.path(), tools: &tools, wave: None, progress: &|_, _| {} };
    // What an earlier run left goes; what is not a result stays.
    let old = folder.path().join("missing");
    make_folder(&old).unwrap();
    write_file(&old.join("said.txt"), "old").unwrap();
    write_file(&old.join("notes.txt"), "mine").unwrap();

    let report = run(&Echoes, &ground).unwrap();
    let agrees: Vec<_> = report.engines.iter().map(|engine| (engine.engine, engine.agrees())).collect();
    assert_eq!(
        agrees,
        [(Echo::Right, Some(true)), (Echo::Wrong, Some(false)), (Echo::LeftOut, None), (Echo::Missing, None)]
    );
    assert!(!report.agrees());
    let State::Ran { first_difference: Some(first), kept: 3, .. } = &report.engines[1].state else {
        panic!("{report:?}")
    };
    assert_eq!((first.cycle, first.expected.as_str(), first.got.as_str()), (1, "2", "4"));
    let why = |at: usize| match &report.engines[at].state {
        State::NotRun { why } => why.clone(),
        state => panic!("{state:?}"),
    };
    assert_eq!(why(2), "not asked for");
    assert!(why(3).starts_with("verilator was not found"), "{}", why(3));
    assert!(!old.join("said.txt").exists() && old.join("notes.txt").exists());
    assert!(folder.path().join("right/said.txt").exists());
}
