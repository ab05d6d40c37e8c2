//! The tools of the tests.

use frit_cosim::tools::{ABC, ToolPath, YOSYS};
use std::io::Write;

/// Whether this is `make test-all`.
pub fn all() -> bool {
    std::env::var_os("FRIT_ALL_TESTS").is_some()
}

/// The tools of proofs, if they are there; where everything was installed (the environment says so) they must be.
pub fn tools() -> Option<ToolPath> {
    let tools = ToolPath::from_environment();
    for tool in [YOSYS, ABC] {
        if let Err(missing) = tools.find(tool) {
            assert!(std::env::var_os("FRIT_REQUIRE_TOOLS").is_none(), "{missing}");
            let _ = writeln!(std::io::stderr(), "NOT RUN: {missing}");
            return None;
        }
    }
    Some(tools)
}
