//! Writers of demands: the forms that [`read`](mod@crate::read) reads, and the list of flows of packet simulators.

use crate::demand::Demand;
use frit_traffic::npy;
use std::fmt::Write;

/// N lines of N numbers.
pub fn csv(demand: &Demand) -> String {
    let line = |source| {
        let row: Vec<String> = demand.row(source).iter().map(u32::to_string).collect();
        row.join(",") + "\n"
    };
    (0..demand.terminals()).map(line).collect()
}

/// `source,destination,words`, a line for each pair that has words. The number of terminals is lost if the last one has none.
pub fn list(demand: &Demand) -> String {
    let line = |(source, destination, words)| format!("{source},{destination},{words}\n");
    "source,destination,words\n".to_string() + &demand.pairs().map(line).collect::<String>()
}

/// A matrix as JSON, a row on each line.
pub fn json(demand: &Demand) -> String {
    let rows: Vec<String> = csv(demand).lines().map(|row| format!("  [{row}]")).collect();
    format!("[\n{}\n]\n", rows.join(",\n"))
}

/// A NumPy array.
pub fn npy(demand: &Demand) -> Vec<u8> {
    let n = demand.terminals() as usize;
    npy::to_npy(&[n, n], demand.matrix().iter().map(|&words| u64::from(words)))
}

/// The connection matrix of htsim, the packet simulator: a flow for each pair of different terminals that has words, all of them
/// beginning at time 0, with `bytes_per_word` bytes for each word.
pub fn htsim(demand: &Demand, bytes_per_word: u32) -> String {
    let flows: Vec<_> = demand.pairs().filter(|(source, destination, _)| source != destination).collect();
    let mut text = format!("Nodes {}\nConnections {}\n", demand.terminals(), flows.len());
    for ((source, destination, words), id) in flows.into_iter().zip(1..) {
        let size = u64::from(words) * u64::from(bytes_per_word);
        writeln!(text, "{source}->{destination} id {id} start 0 size {size}").expect("a text takes all");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{Reading, read};

    #[test]
    fn what_is_written_is_read() {
        let demand = Demand::from_list(4, [(0, 1, 5), (3, 2, 7), (2, 2, 1)]).unwrap();
        let four = Reading { terminals: Some(4), ..Reading::default() };
        for bytes in [csv(&demand).into(), list(&demand).into(), json(&demand).into(), npy(&demand)] {
            assert_eq!(read(&bytes, four).unwrap(), demand);
        }
        assert_eq!(
            htsim(&demand, 4),
            "Nodes 4\nConnections 2\n0->1 id 1 start 0 size 20\n3->2 id 2 start 0 size 28\n"
        );
    }
}
