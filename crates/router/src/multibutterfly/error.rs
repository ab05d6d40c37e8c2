//! Why a run is refused.

use frit_network::NetworkError;
use frit_network::multibutterfly::WiringError;

/// Why a run is refused.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum MultibutterflyError {
    /// There is no such network.
    #[error(transparent)]
    Wiring(#[from] WiringError),
    /// A number out of its range.
    #[error("{name} = {given}: {meaning}; it must be from {least} to {most}")]
    Range {
        /// The parameter.
        name: &'static str,
        /// What was given.
        given: u64,
        /// What it is.
        meaning: &'static str,
        /// The least that is allowed.
        least: u64,
        /// The most that is allowed.
        most: u64,
    },
    /// A number that must be a power of two.
    #[error("{name} = {given}: {meaning}; it must be a power of two, for example {example}")]
    PowerOfTwo {
        /// The parameter.
        name: &'static str,
        /// What was given.
        given: u32,
        /// What it is.
        meaning: &'static str,
        /// The next one that is allowed.
        example: u32,
    },
    /// More ports than outputs.
    #[error(
        "d = {degree}: the ports of a node on a side lead to different outputs, and the largest splitter has n / 2 = {outputs}; d must be from \
         1 to {outputs}"
    )]
    Outputs {
        /// d.
        degree: u32,
        /// Outputs of the largest splitter on a side.
        outputs: u32,
    },
    /// Fewer ports than a side must commit to.
    #[error("r = {committed}, but a node has d = {degree} ports on a side; r must not be greater than d")]
    Ports {
        /// R.
        committed: u32,
        /// d.
        degree: u32,
    },
    /// A declared degree for which batches have less than a message.
    #[error(
        "h = {threshold}, r = {committed}: a side that commits without a request must not put more than h / r messages on a \
         port, which is less than one; h must be r or more"
    )]
    Declared {
        /// h.
        threshold: u32,
        /// R.
        committed: u32,
    },
    /// More messages than were declared.
    #[error("{given} messages {what}, but h = {threshold} is declared; give an h of {given} or more")]
    Offered {
        /// The most of a row.
        given: u64,
        /// Whose they are.
        what: String,
        /// h.
        threshold: u32,
    },
    /// A wiring of another network.
    #[error("the wiring has {given_rows} rows and d = {given_degree}, not {rows} rows and d = {degree}")]
    OtherWiring {
        /// Its rows.
        given_rows: u32,
        /// Its degree.
        given_degree: u32,
        /// Rows asked for.
        rows: u32,
        /// Degree asked for.
        degree: u32,
    },
    /// Traffic for another number of rows.
    #[error(
        "the traffic has {given} sources, but the multibutterfly has {rows} rows; give one list for each row"
    )]
    Sources {
        /// Sources in the traffic.
        given: u32,
        /// Rows.
        rows: u32,
    },
    /// A message from or to a row that has no part in it.
    #[error(
        "message {message} goes from row {from} to row {to}, which are not both active; active rows are the multiples of l = {stride} below {rows}"
    )]
    Inactive {
        /// Its number.
        message: u32,
        /// Its source.
        from: u32,
        /// Its destination.
        to: u32,
        /// L.
        stride: u32,
        /// Rows.
        rows: u32,
    },
    /// Too much for any machine that this is meant for.
    #[error(
        "{nodes} nodes, {edges} edges, {messages} messages: about {needed} MiB, at most {limit} MiB are allowed; take fewer rows, a \
         smaller d, or fewer messages"
    )]
    Memory {
        /// Nodes.
        nodes: u64,
        /// Edges.
        edges: u64,
        /// Messages.
        messages: u64,
        /// The estimate, in MiB.
        needed: u64,
        /// The limit, in MiB.
        limit: u64,
    },
}

impl From<NetworkError> for MultibutterflyError {
    fn from(error: NetworkError) -> Self {
        WiringError::Rows(error).into()
    }
}
