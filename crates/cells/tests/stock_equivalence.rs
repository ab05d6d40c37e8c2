//! The Verilog that ships is equivalent to what rust-hdl's own printer makes of the same object.
//!
//! rust-hdl's text has a module per register and fixed widths; ours is parameterised. Yosys matches the registers of
//! both by name and proves by induction that every output and every next state is the same.

use crate::common;

use common::{every, memory, run, tool, tools_found, variants};
use frit_cells::cell::Dir;
use frit_cells::cells::{CellSpec, LabelGenSpec, ShuffleTerminalSpec};
use frit_cells::netlist::print::cell_file;
use rust_hdl::prelude::*;
use std::fmt::Write;

/// rust-hdl's own text, its `$` replaced as our printer does, so that registers have the same names in both, and without the second
/// line of long comments, which rust-hdl does not mark as one.
fn stock_text(spec: &CellSpec) -> String {
    let mut defines = ModuleDefines::default();
    spec.prototype().accept("stock", &mut defines);
    let text = defines.defines().replace('$', "_");
    text.lines()
        .filter(|line| !line.trim_start().starts_with("(\""))
        .map(|line| format!("{line}\n"))
        .collect()
}

#[derive(Clone)]
struct Pair {
    spec: CellSpec,
    ours: String,
}

impl Pair {
    fn of(spec: &CellSpec) -> Self {
        // What is read while it is written is the same word in both, which the attribute leaves open.
        Pair { spec: spec.clone(), ours: cell_file(spec).text.replace("(* no_rw_check *)", "") }
    }
}

const END: &str = "FRIT END OF PAIR";

/// Whether each pair was proved equivalent, with Yosys' text; one process for all, since starting it takes long.
fn prove(pairs: &[Pair]) -> Vec<(bool, String)> {
    let folder = tempfile::tempdir().unwrap();
    let mut script = String::new();
    for (at, Pair { spec, ours }) in pairs.iter().enumerate() {
        std::fs::write(folder.path().join(format!("ours_{at}.v")), ours).unwrap();
        std::fs::write(folder.path().join(format!("stock_{at}.v")), stock_text(spec)).unwrap();
        let parameters: String = spec
            .parameters()
            .iter()
            .map(|p| match p.bits {
                Some(bits) => format!(" -chparam {} {bits}'d{}", p.name, p.value),
                None => format!(" -chparam {} {}", p.name, p.value),
            })
            .collect();
        for (side, top) in [("ours", format!("{}{parameters}", spec.module())), ("stock", "stock".into())] {
            // Neither text may infer a latch; both keep the state under the name `ours` or `stock`.
            writeln!(
                script,
                "design -reset
                 read_verilog {side}_{at}.v
                 hierarchy -check -top {top}
                 proc
                 memory
                 select -assert-none t:$dlatch t:$_DLATCH_*
                 flatten
                 memory_map
                 async2sync
                 check -assert
                 rename -top {side}"
            )
            .unwrap();
            // rust-hdl's text has the words of a memory in a module of their own.
            if let (Some((name, address_bits)), "stock") = (memory(spec), side) {
                for word in 0..1 << address_bits {
                    writeln!(script, "cd stock\nrename {name}.words[{word}] {name}[{word}]\ncd").unwrap();
                }
            }
            writeln!(script, "design -stash {side}").unwrap();
        }
        writeln!(
            script,
            "design -copy-from ours ours
             design -copy-from stock stock
             equiv_make ours stock equiv
             cd equiv
             equiv_simple
             equiv_induct
             equiv_status
             cd
             log {END}"
        )
        .unwrap();
    }
    std::fs::write(folder.path().join("prove.ys"), script).unwrap();
    let log = run(tool("yosys", folder.path()).args(["-s", "prove.ys"]));
    let sections: Vec<&str> = log.split(&format!("\n{END}")).collect();
    assert_eq!(sections.len(), pairs.len() + 1, "Yosys did not come to the end:\n{log}");
    let proved = |text: &str| text.contains("Equivalence successfully proven!");
    sections[..pairs.len()].iter().map(|text| (proved(text), text.to_string())).collect()
}

/// Yosys: "Of those cells 21 are proven and 0 are unproven."
fn compared_bits(log: &str) -> u32 {
    let count = log.split("Of those cells ").last().and_then(|tail| tail.split(' ').next());
    count.and_then(|count| count.parse().ok()).unwrap_or(0)
}

#[test]
fn printed_cells_are_equivalent_to_rust_hdls_own_text() {
    if !tools_found(&["yosys"]) {
        return;
    }
    let pairs: Vec<Pair> = every(&variants(), 3).iter().map(Pair::of).collect();
    for (Pair { spec, .. }, (proved, log)) in pairs.iter().zip(prove(&pairs)) {
        assert!(proved, "{spec:?} is not proved:\n{log}");
        let outputs: u32 =
            spec.ports().iter().filter(|port| port.dir == Dir::Out).map(|port| port.width).sum();
        assert!(compared_bits(&log) >= outputs, "{spec:?}: not every output was compared:\n{log}");
    }
}

/// Changes of a cell's text that make it another cell: module, what it has, what it gets instead.
const CHANGES: &[(&str, &str, &str)] = &[
    ("frit_switch", "valid0_q <= valid1_i", "valid0_q <= valid0_i"),
    ("frit_switch", "data1_q <= data1_i", "data1_q <= data0_i"),
    ("frit_switch", "valid0_q <= 1'b0", "valid0_q <= 1'b1"),
    ("frit_switch4", "if (from2_i[HIGH])", "if (from3_i[HIGH])"),
    ("frit_switch4", "data3_q <= data2_i", "data3_q <= data1_i"),
    ("frit_switch4", "valid1_q <= valid3_i", "valid1_q <= valid2_i"),
    ("frit_switch4", "valid2_q <= 1'b0", "valid2_q <= 1'b1"),
    ("frit_plain_switch", "data0_o = state_i ?", "data0_o = ~state_i ?"),
    ("frit_send_ahead", "& ~last_i", "| ~last_i"),
    ("frit_wide_switch", "held1_q <= data1_i", "held1_q <= data0_i"),
    ("frit_wide_switch", "upper_i ? UPPER", "upper_i ? LOWER"),
    ("frit_wide_switch", "valid0_q <= held_valid1_q", "valid0_q <= held_valid0_q"),
    ("frit_wide_switch", "lower_i ? LOWER", "lower_i ? UPPER"),
    ("frit_wide_switch", "held_valid0_q <= 1'b0", "held_valid0_q <= 1'b1"),
    ("frit_self_routing_switch", "valid1_i & ~label1_i", "valid1_i | ~label1_i"),
    ("frit_self_routing_switch", "== label1_i", "!= label1_i"),
    ("frit_self_routing_switch", "<< 1", ">> 1"),
    ("frit_stage_driver", "word_q <= word_i << 1", "word_q <= word_i"),
    ("frit_stage_driver", "TOP = ControlBits - 1", "TOP = ControlBits - 2"),
    ("frit_alternating_driver", "^ alternate_i", "& alternate_i"),
    ("frit_ata2_word", "round_i | INNER", "round_i & INNER"),
    ("frit_label_gen", "dest_q + amount", "dest_q - amount"),
    ("frit_label_gen", "dest_q[TOP] != dest_q[LOW]", "dest_q[TOP] == dest_q[LOW]"),
    ("frit_label_gen", "dest_q <= Terminal", "dest_q <= {TerminalBits{1'b0}}"),
    ("frit_terminal", "send_valid_o = sending_i", "send_valid_o = arriving_i"),
    ("frit_terminal", "arriving_i ? Step", "sending_i ? Step"),
    ("frit_shuffle_terminal_4", "carry_f[TOP]", "~carry_f[TOP]"),
    ("frit_shuffle_terminal_4", "port_of = base_f ^ ONE", "port_of = base_f"),
    ("frit_sequencer", "early_q & nears", "early_q | nears"),
    ("frit_sequencer", "hold_i & ~ends", "~hold_i & ~ends"),
    ("frit_round_counter", "below0 | (below0 << BY1)", "below0 | (below0 << BY2)"),
    ("frit_flight", "only_i & ~begin_i", "only_i | begin_i"),
    ("frit_flight", "stays & ~begin_i", "stays & begin_i"),
    ("frit_round_counter", ")) & kept", ")) | kept"),
    ("frit_round_counter", "~below5 & moving", "below5 & moving"),
    ("frit_label_entry", "label0_o = crossed ? rest1", "label0_o = crossed ? rest0"),
    ("frit_label_switch", "crossed_q <= valid1_i & ~label1_i", "crossed_q <= valid1_i | ~label1_i"),
    ("frit_label_switch", "valid1_o = crossed_q ? valid0_q", "valid1_o = crossed_q ? valid1_q"),
    ("frit_delay_line", "(line_q << 1) | ONE", "(line_q << 1)"),
    ("frit_pass_sequencer", "slot_q == EndSlot", "slot_q == LastSlot"),
    ("frit_cycle_counter", "Most : NONE", "Most : Most"),
    ("frit_cycle_counter", "~below5) & kept", "~below5) | kept"),
    ("frit_optical_switch", "control_i ? data1_i", "control_i ? data0_i"),
    ("frit_optical_switch", "control_i ? valid0_i", "control_i ? valid1_i"),
    ("frit_fifo", "filled_q <= 1'b1", "filled_q <= 1'b0"),
    ("frit_fifo", "memory_write_address = tail_q", "memory_write_address = head_q"),
    ("frit_fifo", "(head_q + 1'b1)", "(head_q - 1'b1)"),
    ("frit_modulo_counter", "count_q == BEFORE_LAST", "count_q != BEFORE_LAST"),
    ("frit_message_memory", "memory_read_address = read_address_i", "memory_read_address = write_address_i"),
    ("frit_bank_memory", "memory_read_address = read_address_i", "memory_read_address = write_address_i"),
    ("frit_axis_load", "held_last_q ^ ends", "held_last_q & ends"),
    ("frit_axis_load", "marked_i | unknown_i", "marked_i"),
    ("frit_axis_load", "full_q <= completes | (full_q & ~take_i)", "full_q <= full_q & ~take_i"),
    ("frit_axis_load", "word_q <= NO_WORD", "word_q <= word_q"),
    ("frit_axis_marks", "odd_turn_q ^ turn_i", "odd_turn_q"),
    ("frit_axis_marks", "mark : ON", "mark : OFF"),
    ("frit_axis_sieve", "push_o = held_q & ~refused", "push_o = held_q"),
    ("frit_axis_drain", "valid_q <= read_q | (valid_q & ~tready_i)", "valid_q <= read_q"),
    ("frit_axis_drain", "owed_q - 1'b1", "owed_q"),
    ("frit_axis_merge", "valid & ends & tready_i", "valid & ends"),
    ("frit_axis_control", "| pending_q) & next_i", "| pending_q) | next_i"),
    ("frit_begin_copy", "begins_q <= soon_i", "begins_q <= ~soon_i"),
    ("frit_exchange_age", "two_q | ~finished_i", "two_q"),
    ("frit_axis_marks", "fresh_q ? ~turned_q", "fresh_q ? 1'b1"),
    ("frit_axis_control", "~clear_i[IS_CONFLICT]", "~clear_i[IS_LENGTH]"),
    ("frit_axil_registers", "? data_i : NO_ERRORS", "? NO_ERRORS : NO_ERRORS"),
    ("frit_axil_port", "aw_held_q <= (aw_held_q | awvalid_i)", "aw_held_q <= (aw_held_q & awvalid_i)"),
    ("frit_reset_sync", "caught_q <= 1'b1", "caught_q <= 1'b0"),
    ("frit_reset_sync", "settled_q <= settling_q", "settled_q <= held_q"),
    ("frit_feedback_mux", "again_i ? back_data_i", "again_i ? data_i"),
    ("frit_pass_gate", "back_valid_o = valid_i & ~deliver_i", "back_valid_o = valid_i & deliver_i"),
    ("frit_pass_sequencer", "again_q <= ~again_q", "again_q <= again_q"),
    ("frit_pass_sequencer", "slot_q == LastSlot", "slot_q != LastSlot"),
    ("frit_checker", "seen_q & (|difference_q)", "seen_q & (~|difference_q)"),
    ("frit_checker", "count_q != Total", "count_q == Total"),
    ("frit_checker", "seen_q ? difference_q", "~seen_q ? difference_q"),
    ("frit_parity", "c_i ^ d_i", "c_i | d_i"),
    ("frit_signature", "sum_q <= next_i", "sum_q <= NONE"),
    ("frit_pattern", "seed_i ^ tag_i", "seed_i | tag_i"),
    ("frit_selftest_control", "judge_q & wrong_q", "judge_q | wrong_q"),
    ("frit_selftest_control", "waited_q == Limit", "waited_q != Limit"),
    ("frit_selftest_control", "cycles_q != RunCycles", "cycles_q == RunCycles"),
    ("frit_report", "digit_i > NINE", "digit_i >= NINE"),
    ("frit_report", "fields_q <= rest_i", "fields_q <= fields_i"),
    ("frit_report", "more_q <= later_i", "more_q <= more_i"),
    ("frit_uart_tx", "timer_q == ALMOST", "timer_q == Divider"),
    ("frit_uart_tx", "sent_q == LAST", "sent_q != LAST"),
    ("frit_window_counter", "count_q > LIMIT", "count_q >= LIMIT"),
    ("frit_window_counter", "? FOLD", "? Step"),
    ("frit_ring_word", "word_q <= word_i", "word_q <= word_q"),
    ("frit_link", "data_q <= data_i", "data_q <= data_q"),
    ("frit_link", "valid_q <= 1'b0", "valid_q <= 1'b1"),
    ("frit_debruijn", "run_i & ~stop_i", "run_i"),
    ("frit_debruijn", "state_q <= Start", "state_q <= ONE"),
    ("frit_debruijn", ") | ONE", ")"),
    ("frit_debruijn", "next_o = following", "next_o = state_q"),
    ("frit_successor_4", "turned_f > normal_3_f", "turned_f >= normal_3_f"),
    ("frit_successor_4", "(normal_1 << 1)", "normal_1"),
    ("frit_successor_4", "(3 - i)", "(2 - i)"),
    ("frit_feedback_prefer_one_3", "== 3'd0", "== 3'd2"),
    ("frit_feedback_prefer_one_3", "^ flip", "| flip"),
    ("frit_next_bit_table_prefer_one_2", "4'h3", "4'h7"),
    ("frit_routing_word", "change & moving", "change | moving"),
    ("frit_routing_word", "word_q[LOW] ^ bit_i", "word_q[LOW] & bit_i"),
    ("frit_source_word", "bit_i ? ~(", "bit_i ? ("),
    ("frit_send_line", "sending_q & ~last_i", "sending_q"),
    (
        "frit_optical_terminal",
        "up_source_o = Terminal ^ arrive_word_i",
        "up_source_o = Terminal ^ send_word_i",
    ),
    ("frit_optical_terminal", "down_dest_o = ~(", "down_dest_o = ("),
];

#[test]
fn one_changed_place_is_not_equivalent() {
    if !tools_found(&["yosys"]) {
        return;
    }
    // Terminals whose number is not 0, so that it is seen.
    let specs: Vec<CellSpec> = CellSpec::all()
        .into_iter()
        .map(|spec| match spec {
            CellSpec::LabelGen(LabelGenSpec { bits, step, .. }) => {
                CellSpec::from(LabelGenSpec { bits, terminal: 5, step })
            }
            CellSpec::ShuffleTerminal(ShuffleTerminalSpec { stages, .. }) => {
                CellSpec::from(ShuffleTerminalSpec { stages, terminal: 3, half: 5 })
            }
            other => other,
        })
        .collect();
    // Every change fits today's text, whether it is proved here or not.
    let pairs: Vec<Pair> = CHANGES
        .iter()
        .map(|(module, from, to)| {
            let spec = specs.iter().find(|spec| spec.module() == *module).expect("a cell of this name");
            let mut pair = Pair::of(spec);
            assert!(pair.ours.contains(from), "{module} does not contain {from}");
            pair.ours = pair.ours.replacen(from, to, 1);
            pair
        })
        .collect();
    let (changes, pairs) = (every(CHANGES, 5), every(&pairs, 5));
    for ((module, from, to), (proved, log)) in changes.iter().zip(prove(&pairs)) {
        assert!(!proved, "{module} with {to} in place of {from} passed as equivalent");
        assert!(log.contains("unproven"), "{module} with {to} in place of {from}: no verdict\n{log}");
    }
}
