//! Which pairs of terminals stuck switches leave a path, and what no exchange can do without.

use frit_network::{LaneIdx, Network, Refusal, StageIdx, StuckSwitches, SwitchIdx, refusal};

/// Terminals up to which [`forced`] looks at every pair.
const LARGEST_FORCED: u32 = 256;

/// A pair without a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The terminal that would send.
    pub source: u32,
    /// The terminal that would receive.
    pub destination: u32,
}

/// The outputs of a switch at which what comes in at `port` can leave.
fn outputs(stuck: &StuckSwitches, stage: usize, port: u32) -> impl Iterator<Item = u32> + use<> {
    let state = stuck.state(StageIdx(stage as u32), SwitchIdx(port / 2)).map(|state| state.bit());
    [port & !1, port | 1]
        .into_iter()
        .filter(move |out| state.is_none_or(|cross| (out ^ port) & 1 == u32::from(cross)))
}

/// `[column][place]`: from where a destination's lanes can be reached. Place x of column 0 is input lane x, of column k + 1 output x of stage k.
pub(crate) fn leading_to(
    network: &Network,
    stuck: &StuckSwitches,
    is_end: impl Fn(LaneIdx) -> bool,
) -> Vec<Vec<bool>> {
    let stages = network.stages() as usize;
    let last = network.link(StageIdx(network.stages()));
    let mut columns = vec![last.iter().map(|&lane| is_end(LaneIdx(lane))).collect::<Vec<bool>>()];
    for stage in (0..stages).rev() {
        let behind = columns.last().expect("a column");
        let leads = |&port: &u32| outputs(stuck, stage, port).any(|out| behind[out as usize]);
        columns.push(network.link(StageIdx(stage as u32)).iter().map(leads).collect());
    }
    columns.reverse();
    columns
}

/// The first pair that no path joins. Terminal t has the lanes t·k … t·k + k - 1, k lanes for each terminal.
pub fn cut(network: &Network, stuck: &StuckSwitches) -> Option<Cut> {
    let owned = network.lanes() / network.terminals();
    let all = 0..network.terminals();
    let cuts = all.clone().flat_map(|destination| {
        let leads = leading_to(network, stuck, |lane| lane.0 / owned == destination);
        let reaches = |source: u32| (0..owned).any(|lane| leads[0][(source * owned + lane) as usize]);
        let lost: Vec<u32> = all.clone().filter(|&source| !reaches(source)).collect();
        lost.into_iter().map(move |source| Cut { source, destination })
    });
    cuts.min_by_key(|cut| (cut.source, cut.destination))
}

impl Cut {
    /// That there is no exchange, and which stuck switches stand in the way of the pair.
    pub fn refusal(&self, network: &Network, stuck: &StuckSwitches) -> Refusal {
        let owned = network.lanes() / network.terminals();
        let healthy =
            leading_to(network, &StuckSwitches::default(), |lane| lane.0 / owned == self.destination);
        // The switches at which the message would have to turn off.
        let mut at: Vec<u32> = (0..owned).map(|lane| self.source * owned + lane).collect();
        let mut in_the_way = Vec::new();
        for stage in 0..network.stages() as usize {
            let link = network.link(StageIdx(stage as u32));
            let mut behind = Vec::new();
            for &x in &at {
                let port = link[x as usize];
                let leads = |out: &u32| healthy[stage + 1][*out as usize];
                let open: Vec<u32> = outputs(stuck, stage, port).filter(leads).collect();
                let blocked =
                    [port & !1, port | 1].into_iter().any(|out| leads(&out) && !open.contains(&out));
                if blocked {
                    in_the_way.push(format!("switch {} of stage {stage}", port / 2));
                }
                behind.extend(open);
            }
            behind.sort_unstable();
            behind.dedup();
            at = behind;
        }
        in_the_way.dedup();
        let Cut { source, destination } = self;
        let refused = match in_the_way.is_empty() {
            true => refusal!(
                "the network {} has no path from terminal {source} to terminal {destination}",
                network.name()
            ),
            false => refusal!(
                "not possible on {}: every path from terminal {source} to terminal {destination} needs the other state of a switch that is stuck ({}); no exchange between all terminals goes round it",
                network.name(),
                in_the_way.join(", ")
            ),
        };
        refused.with(self.clone())
    }
}

/// Pairs that must take one wire, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forced {
    /// How many: no exchange has fewer rounds.
    pub pairs: u32,
    /// The output port.
    pub port: u32,
    /// Of this stage.
    pub stage: usize,
}

/// The output of a switch that most pairs cannot do without, of a network with one lane for each terminal; none where it
/// would take long.
pub fn forced(network: &Network, stuck: &StuckSwitches) -> Option<Forced> {
    let (lanes, stages) = (network.lanes(), network.stages() as usize);
    if lanes > LARGEST_FORCED {
        return None;
    }
    let mut through = vec![vec![0u32; lanes as usize]; stages];
    for destination in 0..lanes {
        let leads = leading_to(network, stuck, |lane| lane.0 == destination);
        for source in 0..lanes {
            let mut at = vec![source];
            for stage in 0..stages {
                let link = network.link(StageIdx(stage as u32));
                let mut behind: Vec<u32> =
                    at.iter().flat_map(|&x| outputs(stuck, stage, link[x as usize])).collect();
                behind.retain(|&out| leads[stage + 1][out as usize]);
                behind.sort_unstable();
                behind.dedup();
                if let [only] = behind[..] {
                    through[stage][only as usize] += 1;
                }
                at = behind;
            }
        }
    }
    let ports = through
        .iter()
        .enumerate()
        .flat_map(|(stage, row)| (0..).zip(row).map(move |(port, &pairs)| (pairs, stage, port)));
    let (pairs, stage, port) =
        ports.max_by_key(|&(pairs, stage, port)| (pairs, std::cmp::Reverse((stage, port))))?;
    Some(Forced { pairs, port, stage })
}
