//! docs/racks.csv, and the table of docs/demand.md: 576 terminals in eight racks, planned on both levels together and on each level alone, by the
//! lower bound.
//!
//!     cargo run --release -p frit-demand --example racks > docs/racks.csv

use frit_demand::experts::{Experts, Placement};
use frit_demand::racks::Racks;
use frit_demand::{Demand, Kind, generate};
use std::io::Write;

const TERMINALS: u32 = 576;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let experts = |sigma| {
        Kind::Experts(Experts {
            tokens: 512,
            experts: 1,
            top_k: 8,
            sigma,
            placement: Placement::Blocks,
            ..Experts::USUAL
        })
    };
    let kinds = [
        ("uniform", Kind::Uniform { words: 4000 }),
        ("log-normal", Kind::LogNormal { words: 4000, sigma: 1.0 }),
        ("experts, sigma 0", experts(0.0)),
        ("experts, sigma 0.5", experts(0.5)),
        ("sparse", Kind::Sparse { pairs: 4, words: 1000 }),
        ("block-diagonal", Kind::BlockDiagonal { words: 4000, block: 96 }),
    ];
    let mut out = std::io::stdout().lock();
    writeln!(out, "demand,racks,uplinks,delta,words,words_between_racks,bound,together,alone")?;
    for (name, kind) in kinds {
        let demand: Demand = generate(&kind, TERMINALS.into(), 1)?;
        for (uplinks, delta) in
            [9, 18, 36, 72].into_iter().flat_map(|uplinks| [10, 100].map(|delta| (uplinks, delta)))
        {
            let racks = Racks::new(TERMINALS, 8, Some(uplinks), delta)?;
            let bound = racks.bound(&demand)?;
            let (plan, alone) = racks.plan(&demand, &mut |_, _| ())?;
            racks.check(&demand, &plan)?;
            let ratio = |cycles: u64| cycles as f64 / bound as f64;
            writeln!(
                out,
                "\"{name}\",{},{uplinks},{delta},{},{},{bound},{:.3},{:.3}",
                racks.racks,
                demand.total(),
                racks.between(&demand)?.total(),
                ratio(plan.terminals.cycles()),
                ratio(alone)
            )?;
        }
    }
    Ok(())
}
