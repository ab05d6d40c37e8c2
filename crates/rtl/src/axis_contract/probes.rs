//! Registers and wires inside `D_axis` that the lemmas speak of, as vectors over terminals or lanes.

use super::Contract;
use crate::probes::{vector, wire};
use std::fmt::Write;

/// The instance of `D_axis`.
const DESIGN: &str = "u_axis";

impl Contract {
    pub(super) fn all_probes(&self) -> String {
        let Contract { terminals, lanes, address, width, word_bits, .. } = *self;
        let (marks, drain_bits) = (1 << address, self.buffer.ilog2());
        let mut text = format!("  localparam integer Marks = {marks};\n");
        let _ = writeln!(text, "  localparam integer DrainBits = {drain_bits};");
        text += &self.whole_nets();
        let mut each = |name: &str, count: u32, bits: u32, path: &str| {
            vectors(&mut text, name, count, bits, |at| vec![path.replace('#', &at.to_string())]);
        };
        for (name, bits, register) in [
            ("word", word_bits, "word_q"),
            ("held", 1, "held_q"),
            ("last", 1, "held_last_q"),
            ("dest", address, "held_dest_q"),
            ("data", width, "held_data_q"),
            ("counted_before", address, "count_q"),
            ("counted", 1, "counted_q"),
            ("full", 1, "full_q"),
            ("closed", 1, "closed_q"),
            ("write_bank", 1, "write_bank_q"),
            ("at_last", 1, "at_last_q"),
            ("near_last", 1, "near_last_q"),
            ("writable", 1, "writable_q"),
            ("amid", 1, "amid_q"),
            ("at_end", 1, "at_end_q"),
            ("checked", 1, "checked_q"),
            ("checked_dest", address, "checked_dest_q"),
            ("checked_word", word_bits, "checked_word_q"),
            ("checked_data", width, "checked_data_q"),
            ("double", 1, "double_q"),
            ("unknown", 1, "unknown_q"),
            ("length", 1, "length_q"),
            ("write", 1, "write_q"),
            ("write_dest", address, "write_dest_q"),
            ("write_word", word_bits, "write_word_q"),
            ("write_data", width, "write_data_q"),
            ("dropping", 1, "dropping_q"),
            ("bank", 1, "odd_turn_q"),
        ] {
            each(&format!("loads_{name}"), terminals, bits, &format!("u_load_#.{register}"));
        }
        for (name, bits, register) in [
            ("ready", 1, "ready_q"),
            ("odd", 1, "odd_turn_q"),
            ("fresh", 1, "fresh_q"),
            ("turned", 1, "turned_q"),
            ("unknown", 1, "unknown_q"),
            ("looked", address, "looked_q"),
            ("read", 1, "marks_q"),
        ] {
            each(&format!("mark_{name}"), terminals, bits, &format!("u_load_marks_#.{register}"));
        }
        for (name, bits, register) in [
            ("owed", 2, "owed_q"),
            ("head", drain_bits, "head_q"),
            ("tail", drain_bits, "tail_q"),
            ("next", drain_bits, "next_q"),
            ("place", drain_bits, "place_q"),
            ("word", word_bits, "word_q"),
            ("filled", 1, "filled_q"),
            ("read", 1, "read_q"),
            ("valid", 1, "valid_q"),
            ("last", 1, "last_q"),
            ("last_of_all", 1, "last_of_all_q"),
            ("pushed", 1, "pushed_q"),
            ("some", 1, "some_q"),
            ("sole", 1, "sole_q"),
            ("room", 1, "room_q"),
            ("newest", drain_bits, "newest_q"),
            ("data", address + width, "data_q"),
            ("fetched", address + width, "memory_q"),
        ] {
            each(&format!("drains_{name}"), lanes, bits, &format!("u_drain_#.{register}"));
        }
        if self.sieve {
            each("sieve_first", lanes, 1, "sieve_first_#");
            each("sieve_data", lanes, address + width, "sieve_data_#");
        }
        if self.sides == 2 {
            each("merge_down", terminals, 1, "u_merge_#.down_q");
        }
        for (name, count, bits, words, path) in [
            ("all_marks", terminals, 1, marks, "u_load_marks_#.marks"),
            ("all_messages", lanes, width, self.depth, "u_messages_#.memory"),
            ("all_buffers", lanes, address + width, self.buffer, "u_drain_#.memory"),
        ] {
            vectors(&mut text, name, count, bits, |at| {
                (0..words).map(|word| format!("{}[{word}]", path.replace('#', &at.to_string()))).collect()
            });
        }
        text
    }

    fn whole_nets(&self) -> String {
        let Contract { terminals, lanes, address, width, word_bits, .. } = *self;
        let mut text = String::new();
        let mut nets = vec![
            ("inner_running", "running", 1),
            ("inner_finished", "finished", 1),
            ("inner_conflict", "conflict", 1),
            ("run_cycles", "run_cycles", 32),
            ("loaded_all", "u_control.loaded_q", 1),
            ("room_for_all", "u_control.spacious_q", 1),
            ("waits_to_begin", "u_control.pending_q", 1),
            ("begins_now", "u_control.begins_q", 1),
            ("begin_copies", "begins", terminals),
            ("send_dest", "send_dest", lanes * address),
            ("send_data", "send_data", lanes * width),
            ("recv_valid", "recv_valid", lanes),
            ("recv_source", "recv_source", lanes * address),
            ("recv_data", "recv_data", lanes * width),
        ];
        if self.words > 1 {
            nets.push(("send_word", "send_word", word_bits));
        }
        for (name, net, bits) in nets {
            text += &wire(DESIGN, net, bits);
            let _ = writeln!(text, "  wire [{}:0] {name} = \\u_axis.{net} ;", bits - 1);
        }
        text
    }
}

/// A vector of `count` times the wires that `paths` gives, all of `bits` bits, the first one lowest.
fn vectors(text: &mut String, name: &str, count: u32, bits: u32, paths: impl Fn(u32) -> Vec<String>) {
    vector(text, DESIGN, name, bits, &(0..count).flat_map(paths).collect::<Vec<_>>());
}
