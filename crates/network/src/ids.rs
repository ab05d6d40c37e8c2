//! Typed indices into the tables of a network.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! index {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as a `usize`, for tables.
            pub fn idx(self) -> usize {
                self.0 as usize
            }

            /// The first `count` of them, in order.
            pub fn all(count: u32) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
                (0..count).map($name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($prefix)?;
                self.0.fmt(f)
            }
        }
    };
}

index!(
    /// A stage of switches, counted from the inputs; also the link column in front of it.
    StageIdx,
    "%s"
);
index!(
    /// A switch within its stage, counted from the top.
    SwitchIdx,
    "%w"
);
index!(
    /// A terminal: it sends and receives words, through one lane or several.
    TerminalIdx,
    ""
);
index!(
    /// A lane: a wire of every link column, counted from the top.
    LaneIdx,
    ""
);
index!(
    /// A port of a stage or of a node, counted from the top.
    PortIdx,
    ""
);
index!(
    /// A row of switches, nodes or words, counted from the top.
    RowIdx,
    ""
);
index!(
    /// A round of a run, counted from its first.
    RoundIdx,
    ""
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_written_as_its_number() {
        assert_eq!(format!("{} {:03}", LaneIdx(7), TerminalIdx(7)), "7 007");
        assert_eq!((StageIdx(7).to_string(), SwitchIdx(7).to_string()), ("%s7".into(), "%w7".into()));
        assert_eq!(serde_json::to_string(&[RoundIdx(1), RoundIdx(2)]).unwrap(), "[1,2]");
        assert_eq!(serde_json::from_str::<PortIdx>("3").unwrap(), PortIdx(3));
        assert!(serde_json::from_str::<RowIdx>("-1").is_err());
    }

    #[test]
    fn all_begin_with_the_first() {
        assert_eq!(RowIdx::all(3).rev().map(RowIdx::idx).collect::<Vec<_>>(), [2, 1, 0]);
        assert_eq!(LaneIdx::all(0).len(), 0);
    }
}
