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
    /// A row of switches or nodes of a routed system, counted from the top.
    RowIdx,
    ""
);
index!(
    /// A round of a run, counted from its first.
    RoundIdx,
    ""
);
