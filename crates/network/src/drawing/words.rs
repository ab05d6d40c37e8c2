//! What a system calls its parts.

use serde::Serialize;

/// What a system calls its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Words {
    /// A terminal: terminal, processor, row.
    pub terminal: &'static str,
    /// A switch: switch, router, node.
    pub switch: &'static str,
    /// A column of them: stage, level, dimension.
    pub stage: &'static str,
    /// The number of the first one.
    pub first_stage: u32,
    /// The state of a control bit of 0 and of 1: straight and cross, push and invert.
    pub states: [&'static str; 2],
    /// The upper and the lower port of a switch.
    pub ports: [&'static str; 2],
    /// What a row of switches is, if it is one thing: router.
    pub rows: Option<&'static str>,
}

impl Words {
    /// Those of most planned systems.
    pub const ELECTRONIC: Words = Words {
        terminal: "terminal",
        switch: "switch",
        stage: "stage",
        first_stage: 0,
        states: ["straight", "cross"],
        ports: ["upper", "lower"],
        rows: None,
    };

    /// Those of the optical butterfly, whose processors are level 0 ("Systolic Routing in an Optical Butterfly", section 2).
    pub const OPTICAL: Words = Words {
        terminal: "processor",
        switch: "router",
        stage: "level",
        first_stage: 1,
        states: ["push", "invert"],
        ports: ["up", "down"],
        rows: None,
    };
}
