//! The common form of a router's film: boxes and wires with their places, and for every step what lies on them.

use serde::Serialize;
use std::collections::BTreeMap;

/// A router's run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Routed {
    pub width: u32,
    pub height: u32,
    pub boxes: Vec<Place>,
    pub wires: Vec<[f64; 4]>,
    /// What each wire is called.
    pub wire_names: Vec<String>,
    pub headings: Vec<Heading>,
    /// Frames around boxes that belong together.
    pub bands: Vec<Place>,
    /// Source and destination of each message.
    pub messages: Vec<[u32; 2]>,
    /// What a mark means, by its kind.
    pub marks: Vec<&'static str>,
    /// The columns of the events, as the file of events has them.
    pub columns: String,
    /// Marks on wires: the wire, the message, the kind of the mark, the first frame and the last.
    pub on_wires: Vec<[u32; 5]>,
    /// Marks in boxes, the same.
    pub in_boxes: Vec<[u32; 5]>,
    /// What there is before each step, and what happens in it; last what is left.
    pub frames: Vec<Frame>,
}

impl Routed {
    /// Collects the marks of the frames: most stay for many steps.
    pub(crate) fn finish(mut self) -> Self {
        self.on_wires = spans(self.frames.iter().map(|frame| &frame.wires));
        self.in_boxes = spans(self.frames.iter().map(|frame| &frame.inside));
        self
    }
}

/// From the marks of each frame each mark once with its first and its last frame, in the order of the first.
fn spans<'a>(frames: impl Iterator<Item = &'a Vec<[u32; 3]>>) -> Vec<[u32; 5]> {
    let mut open: BTreeMap<[u32; 3], usize> = BTreeMap::new();
    let mut spans: Vec<[u32; 5]> = Vec::new();
    for (step, marks) in (0..).zip(frames) {
        let mut next = BTreeMap::new();
        for &mark in marks {
            let [place, message, kind] = mark;
            let span = open.get(&mark).copied().unwrap_or_else(|| {
                spans.push([place, message, kind, step, step]);
                spans.len() - 1
            });
            spans[span][4] = step;
            next.insert(mark, span);
        }
        open = next;
    }
    spans
}

#[derive(Clone, Debug, Serialize)]
pub struct Place {
    /// Left, top, width, height.
    pub at: [f64; 4],
    /// What stands in it.
    pub text: String,
}

/// A heading, its middle and its base line.
#[derive(Clone, Debug, Serialize)]
pub struct Heading {
    pub at: [f64; 2],
    pub text: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Frame {
    /// A message on a wire: the wire, the message, the kind of the mark.
    #[serde(skip)]
    pub wires: Vec<[u32; 3]>,
    /// A message in a box: the box, the message, the kind of the mark.
    #[serde(skip)]
    pub inside: Vec<[u32; 3]>,
    /// What a box says in this step, where it says something.
    pub says: Vec<(u32, String)>,
    /// What happens in the step, a line for each event.
    pub events: Vec<String>,
    /// Messages that arrive before the step, which the frame before did not have.
    pub delivered: Vec<u32>,
}

/// The rows of events as their file has them, without its head.
pub(crate) fn rows<E: frit_traffic::event::Event>(events: &[E]) -> (String, Vec<String>) {
    let mut csv = frit_traffic::event::EventsCsv::new::<E>();
    events.iter().for_each(|event| csv.write(event));
    let text = csv.finish();
    let mut lines = text.lines().map(String::from);
    let head = lines.next().unwrap_or_default();
    (head, lines.collect())
}

#[cfg(test)]
mod tests {
    use super::spans;

    #[test]
    fn marks_that_stay_are_one() {
        let frames = [vec![[1, 7, 0]], vec![[1, 7, 0], [2, 7, 1]], vec![[2, 7, 1]], vec![[1, 7, 0]]];
        assert_eq!(spans(frames.iter()), [[1, 7, 0, 0, 1], [2, 7, 1, 1, 2], [1, 7, 0, 3, 3]]);
    }
}
