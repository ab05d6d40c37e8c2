//! Why a run is refused.

use frit_network::NetworkError;
use frit_network::multibutterfly::WiringError;

/// Why a run is refused.
#[derive(Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the text of each error says what it is")]
pub enum MultibutterflyError {
    #[error(transparent)]
    Wiring(#[from] WiringError),
    #[error("{name} = {given}: {meaning}; it must be from {least} to {most}")]
    Range { name: &'static str, given: u64, meaning: &'static str, least: u64, most: u64 },
    #[error("{name} = {given}: {meaning}; it must be a power of two, for example {example}")]
    PowerOfTwo { name: &'static str, given: u32, meaning: &'static str, example: u32 },
    #[error(
        "d = {degree}: the ports of a node on a side lead to different outputs, and the largest splitter has n / 2 = {outputs}; d must be from \
         1 to {outputs}"
    )]
    Outputs { degree: u32, outputs: u32 },
    #[error("r = {committed}, but a node has d = {degree} ports on a side; r must not be greater than d")]
    Ports { committed: u32, degree: u32 },
    #[error(
        "h = {threshold}, r = {committed}: a side that commits without a request must not put more than h / r messages on a \
         port, which is less than one; h must be r or more"
    )]
    Declared { threshold: u32, committed: u32 },
    #[error("{given} messages {what}, but h = {threshold} is declared; give an h of {given} or more")]
    Offered { given: u64, what: String, threshold: u32 },
    #[error("the wiring has {given_rows} rows and d = {given_degree}, not {rows} rows and d = {degree}")]
    OtherWiring { given_rows: u32, given_degree: u32, rows: u32, degree: u32 },
    #[error(
        "the traffic has {given} sources, but the multibutterfly has {rows} rows; give one list for each row"
    )]
    Sources { given: u32, rows: u32 },
    #[error(
        "message {message} goes from row {from} to row {to}, which are not both active; active rows are the multiples of l = {stride} below {rows}"
    )]
    Inactive { message: u32, from: u32, to: u32, stride: u32, rows: u32 },
    #[error(
        "{nodes} nodes, {edges} edges, {messages} messages: about {needed} MiB, at most {limit} MiB are allowed; take fewer rows, a \
         smaller d, or fewer messages"
    )]
    Memory { nodes: u64, edges: u64, messages: u64, needed: u64, limit: u64 },
}

impl From<NetworkError> for MultibutterflyError {
    fn from(error: NetworkError) -> Self {
        WiringError::Rows(error).into()
    }
}
