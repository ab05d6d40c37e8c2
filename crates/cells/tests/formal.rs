//! The cells of the streams, of loaded schedules and the registers, proved with Yosys' SAT solver: the rules of AXI4-Stream, nothing lost, doubled or out of order.
//!
//! The properties stand in `tests/formal`: for most cells inside the module, for `frit_axis_load` around it, for the cells of loaded
//! schedules in `testbench/loaded` beside it. All but those of `frit_axis_load` are
//! proved for all times by induction, `frit_axis_load` for as many cycles as it takes to fill two sets.

use crate::common;

use common::{every, text_of, tool, tools_found};
use frit_cells::cells::CellSpec;
use frit_cells::netlist::print::cell_file;

/// The Verilog of the cell whose module is `name`.
fn cell(name: &str) -> String {
    let all = CellSpec::all();
    cell_file(all.iter().find(|spec| spec.module() == name).expect("a cell of this name")).text
}

/// With properties at the end of the module.
fn with(cell: &str, properties: &str) -> String {
    cell.replace("endmodule", &format!("{properties}endmodule"))
}

/// A cell, a module that has it beside its contract, and the contract, which `frit verify --formal` proves too.
fn beside(cell: &str, around: &str, contract: &str) -> String {
    [cell, around, contract].concat()
}

/// Whether Yosys proves what is asserted in `text`; `how` is by induction or up to a number of cycles.
fn proved(text: &str, top: &str, parameters: &str, how: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("proof.sv"), text).unwrap();
    let script = format!(
        "read_verilog -formal -sv proof.sv
         hierarchy -check -top {top} {parameters}
         proc
         flatten
         memory -nomap
         memory_map -formal
         chformal -lower
         async2sync
         opt -keepdc
         sat {how} -prove-asserts -set-assumes"
    );
    std::fs::write(folder.path().join("proof.ys"), script).unwrap();
    let output = tool("yosys", folder.path()).args(["-s", "proof.ys"]).output().unwrap();
    assert!(output.status.success(), "{}", text_of(&output));
    let said = text_of(&output);
    let success = said.contains("SUCCESS!");
    assert_ne!(success, said.contains("FAIL!") || said.contains("proof failed"), "{said}");
    success
}

const INDUCTION: &str = "-tempinduct -maxsteps 6";

/// The Verilog of a cell, by the name of its module.
type Cells<'a> = &'a dyn Fn(&str) -> String;

struct Proof {
    name: &'static str,
    /// What Yosys reads.
    text: fn(Cells) -> String,
    top: &'static str,
    parameters: &'static [&'static str],
    how: &'static str,
    /// Changes of the cell, each of which breaks a property.
    mutations: &'static [(&'static str, &'static str, &'static str)],
}

const PROOFS: [Proof; 8] = [
    Proof {
        name: "frit_axis_drain",
        text: |cell| with(&cell("frit_axis_drain"), include_str!("formal/axis_drain.sv")),
        top: "frit_axis_drain",
        parameters: &[
            "-chparam AddressBits 2 -chparam W 2 -chparam WordIndexBits 1 -chparam LastOfSet 1 -chparam LastWord 0 -chparam Sets 2",
            "-chparam AddressBits 3 -chparam W 1 -chparam WordIndexBits 2 -chparam LastOfSet 5 -chparam LastWord 2 -chparam Sets 1",
            "-chparam AddressBits 4 -chparam W 1 -chparam WordIndexBits 1 -chparam LastOfSet 7 -chparam LastWord 1 -chparam Sets 2",
        ],
        how: INDUCTION,
        mutations: &[
            ("frit_axis_drain", "reads = filled_q & fetches", "reads = fetches"),
            ("frit_axis_drain", "(owed_q != Sets) | leaves", "1'b1"),
            ("frit_axis_drain", "valid_q & tready_i & last_of_all_q", "valid_q & tready_i"),
            ("frit_axis_drain", "moves = ~valid_q | tready_i", "moves = 1'b1"),
        ],
    },
    Proof {
        name: "frit_axis_merge",
        text: |cell| with(&cell("frit_axis_merge"), include_str!("formal/axis_merge.sv")),
        top: "frit_axis_merge",
        parameters: &["-chparam W 2"],
        how: INDUCTION,
        mutations: &[
            ("frit_axis_merge", "valid & ends & tready_i", "valid & ends"),
            ("frit_axis_merge", "down_q ? 1'b0", "down_q ? tready_i"),
        ],
    },
    Proof {
        name: "frit_axil_port",
        text: |cell| with(&cell("frit_axil_port"), include_str!("formal/axil_port.sv")),
        top: "frit_axil_port",
        parameters: &["-chparam Bits 6", "-chparam Bits 36"],
        how: INDUCTION,
        mutations: &[
            // A write before the word is there, responses that are withdrawn, answered well, or for a refused write.
            ("frit_axil_port", "writing = aw_held_q & w_held_q", "writing = aw_held_q"),
            ("frit_axil_port", "shown_q & ~rready_i", "1'b0"),
            ("frit_axil_port", "read_response_q <= ERROR_RESPONSE", "read_response_q <= OKAY"),
            ("frit_axil_port", "if (refused_i | (aw_word_q >= AT_END))", "if (aw_word_q >= AT_END)"),
        ],
    },
    Proof {
        name: "frit_crossbar_port",
        text: |cell| with(&cell("frit_crossbar_port"), include_str!("formal/crossbar_port.sv")),
        top: "frit_crossbar_port",
        parameters: &[""],
        how: INDUCTION,
        mutations: &[
            // A write without its word, one during a commit, single bytes, a response that is withdrawn, a value of a cycle before.
            ("frit_crossbar_port", "awvalid_i & wvalid_i &", "awvalid_i &"),
            ("frit_crossbar_port", " & ~busy_i", ""),
            ("frit_crossbar_port", "takes & (wstrb_i == ALL)", "takes"),
            ("frit_crossbar_port", "answered_q & ~bready_i", "1'b0"),
            ("frit_crossbar_port", "if (looking_q) begin", "if (reading_q) begin"),
        ],
    },
    Proof {
        name: "frit_axil_registers",
        text: |cell| with(&cell("frit_axil_registers"), include_str!("formal/axil_registers.sv")),
        top: "frit_axil_registers",
        parameters: &["-chparam Terminals 32'd8", "-chparam Terminals 32'd4096 -chparam RunCycles 32'd99"],
        how: INDUCTION,
        mutations: &[
            // A strobe that is not looked at, an end that is lost, a value at another address.
            (
                "frit_axil_registers",
                "if (write_i & strobe_i) begin\n        case",
                "if (write_i) begin\n        case",
            ),
            (
                "frit_axil_registers",
                "if (done_i) begin\n        done_q <= 1'b1",
                "if (done_i) begin\n        done_q <= done_q",
            ),
            (
                "frit_axil_registers",
                "AT_CYCLES: value_of = cycles_i_f",
                "AT_CYCLES: value_of = exchanges_q_f",
            ),
        ],
    },
    Proof {
        name: "frit_schedule_loader",
        text: |cell| {
            beside(
                &cell("frit_schedule_loader"),
                include_str!("formal/schedule_loader.sv"),
                include_str!("../../../testbench/loaded/loader_contract.sv"),
            )
        },
        top: "proof",
        parameters: &["-chparam Beats 3 -chparam EntryBits 2", "-chparam Beats 1 -chparam EntryBits 1"],
        how: INDUCTION,
        mutations: &[
            ("frit_schedule_loader", "if (empty | (tlast_i ^ ends))", "if (tlast_i ^ ends)"),
            ("frit_schedule_loader", "if (empty | (tlast_i ^ ends))", "if (empty | (tlast_i & ~ends))"),
            ("frit_schedule_loader", "loading_q <= fits_i & ~tlast_i", "loading_q <= ~tlast_i"),
            ("frit_schedule_loader", "last_q <= count_i - 1'b1", "last_q <= count_i"),
            ("frit_schedule_loader", "at_last_q <= rest_q == ENTRY_ONE", "at_last_q <= rest_q == ENTRY_ZERO"),
            ("frit_schedule_loader", "odd_q <= ~odd_q", "odd_q <= odd_q"),
        ],
    },
    Proof {
        name: "frit_schedule_fetch",
        text: |cell| {
            beside(
                &cell("frit_schedule_fetch"),
                include_str!("formal/schedule_fetch.sv"),
                include_str!("../../../testbench/loaded/fetch_contract.sv"),
            )
        },
        top: "proof",
        parameters: &["-chparam EntryBits 2", "-chparam EntryBits 1"],
        how: INDUCTION,
        mutations: &[
            ("frit_schedule_fetch", "both_q <= left_q == THREE", "both_q <= left_q == 16'd2"),
            ("frit_schedule_fetch", "both_q <= twice_i", "both_q <= 1'b0"),
            ("frit_schedule_fetch", "(~fetched_q | free)", "1'b1"),
            ("frit_schedule_fetch", "odd_q <= bank_i", "odd_q <= ~odd_q"),
            ("frit_schedule_fetch", "fetched_last_q <= at_last", "fetched_last_q <= 1'b1"),
            ("frit_schedule_fetch", "ready = full_i & ~reading_q", "ready = full_i"),
        ],
    },
    Proof {
        name: "frit_axis_load",
        text: |cell| {
            format!(
                "{}{}{}",
                cell("frit_axis_load"),
                cell("frit_axis_marks"),
                include_str!("formal/axis_load.sv")
            )
        },
        top: "proof",
        parameters: &[
            "-chparam LastTerminal 2 -chparam LastWord 0",
            "-chparam LastTerminal 3 -chparam LastWord 0",
            "-chparam LastTerminal 2 -chparam LastWord 1",
        ],
        how: "-tempinduct-baseonly -maxsteps 20",
        mutations: &[
            ("frit_axis_marks", "fresh_q ?", "1'b0 ?"),
            ("frit_axis_marks", "fresh_q ? ~turned_q", "fresh_q ? 1'b1"),
            ("frit_axis_marks", "odd_turn_q ^ turn_i", "odd_turn_q"),
            ("frit_axis_load", "stalls = write_q & ~writable_q", "stalls = 1'b0"),
            ("frit_axis_load", "odd_turn_q ^ (closed_q | take_i)", "odd_turn_q ^ take_i"),
        ],
    },
];

#[test]
#[ignore = "long: make test-all"]
fn the_cells_of_the_streams_keep_their_promises() {
    if !tools_found(&["yosys"]) {
        return;
    }
    for proof in &PROOFS {
        for parameters in proof.parameters {
            assert!(
                proved(&(proof.text)(&cell), proof.top, parameters, proof.how),
                "{} {parameters}",
                proof.name
            );
        }
    }
}

#[test]
fn a_changed_cell_breaks_them() {
    if !tools_found(&["yosys"]) {
        return;
    }
    for proof in &PROOFS {
        for (module, from, to) in every(proof.mutations, 2) {
            let changed = |name: &str| {
                let text = cell(name);
                if name != module {
                    return text;
                }
                assert!(text.contains(from), "{module} has no `{from}`");
                text.replace(from, to)
            };
            let text = (proof.text)(&changed);
            assert!(
                proof.parameters.iter().any(|parameters| !proved(&text, proof.top, parameters, proof.how)),
                "{module} with `{to}` in place of `{from}` was proved"
            );
        }
    }
}
