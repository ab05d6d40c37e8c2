//! What a run is given: the network with its wires, and the messages.

use super::parameters::{MAX_MEMORY, MAX_MESSAGES, Parameters};
use super::wiring;
use frit_network::multibutterfly::Shape;
use frit_network::{MultiButterfly, Refusal, refusal, refuse};
use frit_traffic::Messages;
use std::sync::Arc;

/// Where a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// The row where it starts.
    pub source: u32,
    /// The row where it must arrive.
    pub destination: u32,
}

/// A routing problem: parameters, network and messages, checked. Messages are numbered source by source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    parameters: Parameters,
    network: Arc<MultiButterfly>,
    messages: Vec<Message>,
}

impl Problem {
    /// The messages given, on the network whose wires the seed gives.
    ///
    /// # Errors
    ///
    /// Parameters out of range, rows that are not active, more messages than are declared, and what would need too much
    /// memory.
    pub fn new(parameters: Parameters, messages: &Messages) -> Result<Self, Refusal> {
        let shape = check(&parameters, messages.len() as u64)?;
        // Before the wires are drawn.
        let messages = checked(&parameters, shape, messages)?;
        let network = Arc::new(wiring::random(shape, parameters.seed));
        Ok(Problem { parameters, network, messages })
    }

    /// The messages given, on a network given.
    ///
    /// # Errors
    ///
    /// The same, and a network of another size.
    pub fn on(
        network: Arc<MultiButterfly>,
        parameters: Parameters,
        messages: &Messages,
    ) -> Result<Self, Refusal> {
        let shape = check(&parameters, messages.len() as u64)?;
        let given = network.shape();
        if given != shape {
            refuse!(
                "the wiring has {} rows and d = {}, not {} rows and d = {}",
                given.rows(),
                given.degree(),
                shape.rows(),
                shape.degree()
            );
        }
        let messages = checked(&parameters, shape, messages)?;
        Ok(Problem { parameters, network, messages })
    }

    /// The same problem with twice the declared degree: the rerun of a run that is stuck.
    ///
    /// # Errors
    ///
    /// A degree that is too large.
    pub fn doubled(&self) -> Result<Self, Refusal> {
        let parameters = Parameters { threshold: 2 * self.parameters.threshold, ..self.parameters };
        parameters.shape()?;
        Ok(Problem { parameters, ..self.clone() })
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The network.
    pub fn network(&self) -> &MultiButterfly {
        &self.network
    }

    /// All messages, source by source.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }
}

/// Checks the parameters, and that so many messages fit into memory.
///
/// # Errors
///
/// A parameter out of its range, or too many messages or nodes.
pub fn check(parameters: &Parameters, messages: u64) -> Result<Shape, Refusal> {
    let shape = parameters.shape()?;
    if messages > MAX_MESSAGES {
        let meaning = "messages in all";
        refuse!("messages = {messages}: {meaning}; it must be from 0 to {MAX_MESSAGES}");
    }
    // An edge has its end, the in-port there and its origin, a request and a count; a node two sides with their pointers.
    // A message is in one buffer of each column it has passed, and three ghosts may have kept others.
    let needed = 32 * shape.edges() + 200 * shape.nodes() + 32 * messages * u64::from(shape.dimensions() + 1);
    if needed > MAX_MEMORY {
        refuse!(
            "{} nodes, {} edges, {messages} messages: about {} MiB, at most {} MiB are allowed; take fewer rows, a smaller d, or fewer messages",
            shape.nodes(),
            shape.edges(),
            needed >> 20,
            MAX_MEMORY >> 20
        );
    }
    Ok(shape)
}

/// The messages with their sources, all rows being active and none having more than were declared.
fn checked(parameters: &Parameters, shape: Shape, messages: &Messages) -> Result<Vec<Message>, Refusal> {
    let rows = shape.rows();
    if messages.sources() != rows {
        refuse!(
            "the traffic has {} sources, but the multibutterfly has {rows} rows; give one list for each row",
            messages.sources()
        );
    }
    let mut all = Vec::with_capacity(messages.len());
    let mut received = vec![0u64; rows as usize];
    let most = |given: u64, row: u32, does: &str| match given > parameters.threshold.into() {
        true => Err(refusal!(
            "{given} messages {does} row {row}, but h = {} is declared; give an h of {given} or more",
            parameters.threshold
        )),
        false => Ok(()),
    };
    for source in 0..rows {
        most(messages.of(source).len() as u64, source, "from")?;
        for &destination in messages.of(source) {
            let stride = parameters.stride;
            if source % stride != 0 || destination % stride != 0 || destination >= rows {
                let message = all.len() as u32;
                refuse!(
                    "message {message} goes from row {source} to row {destination}, which are not both active; active rows are the multiples of l = {stride} below {rows}"
                );
            }
            received[destination as usize] += 1;
            all.push(Message { source, destination });
        }
    }
    (0..rows).zip(received).try_for_each(|(row, given)| most(given, row, "for"))?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::super::traffic::Traffic;
    use super::*;

    fn refused(parameters: Parameters, messages: &Messages) -> String {
        Problem::new(parameters, messages).unwrap_err().to_string()
    }

    fn parameters() -> Parameters {
        Parameters { threshold: 2, offered: 2, stride: 2, ..Parameters::new(8, 1) }
    }

    fn lists(of_two: &[u32]) -> Messages {
        Messages::from_lists([&[][..], &[], of_two, &[], &[6], &[], &[], &[]])
    }

    #[test]
    fn what_is_wrong_is_said_with_what_is_allowed() {
        let text = refused(parameters(), &lists(&[3]));
        assert_eq!(
            text,
            "message 0 goes from row 2 to row 3, which are not both active; active rows are the multiples of l = 2 below 8"
        );
        assert!(refused(parameters(), &lists(&[2, 8])).starts_with("message 1 goes from row 2 to row 8, "));
        let text = refused(parameters(), &lists(&[0, 2, 4]));
        assert_eq!(text, "3 messages from row 2, but h = 2 is declared; give an h of 3 or more");
        let text = refused(parameters(), &lists(&[6, 6]));
        assert_eq!(text, "3 messages for row 6, but h = 2 is declared; give an h of 3 or more");
        let text = refused(Parameters { rows: 16, ..parameters() }, &lists(&[]));
        assert!(text.starts_with("the traffic has 8 sources, but the multibutterfly has 16 rows"), "{text}");
        let large = Parameters { rows: 1 << 20, degree: 1000, ..parameters() };
        let text = refused(large, &Messages::from_lists([]));
        assert!(text.contains("edges, 0 messages: about") && text.contains("at most 16384 MiB"), "{text}");
        let network = Arc::new(wiring::random(Shape::new(8, 2).unwrap(), 1));
        let text = Problem::on(network, parameters(), &lists(&[])).unwrap_err().to_string();
        assert_eq!(text, "the wiring has 8 rows and d = 2, not 8 rows and d = 4");
    }

    #[test]
    fn a_problem_can_be_declared_larger() {
        let p = parameters();
        let problem = Problem::new(p, &Traffic::Perm.messages(&p)).unwrap();
        let doubled = problem.doubled().unwrap();
        assert_eq!((doubled.parameters().threshold, doubled.parameters().offered), (4, 2));
        assert_eq!(doubled.messages(), problem.messages());
        assert_eq!(problem.messages()[2].source, 2);
    }
}
