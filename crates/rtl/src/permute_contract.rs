//! The contract of a streamed permutation as a circuit that watches it, for model checkers: what `docs/systems/permute.md` promises of
//! `D_permute`.
//!
//! The properties stand in `permute/contract.sv.tera` and know the ports, the order of the words, the wait of each bank of memories and
//! the queue. What is needed beside them for a proof by induction stands in `permute/lemmas.sv.tera`, and names registers inside.

mod function;
mod path;
mod registers;

use crate::template::{context, fill};
use frit_cells::describe::counter_bits;
use frit_cells::design::permute::{address_bits, arguments, design_name, pointers, tag, top_name};
use frit_network::LaneIdx;
use frit_permute::parts::{Part, Temporal, bits_of};
use frit_permute::{Form, Streamed};
use function::function;
use path::{Column, Path, Place, Station, paths, stations};
use registers::{Register, registers};
use serde::Serialize;
use std::fmt::Write;

/// What the circuit watches for: the bits of its `violation_o`, the lowest first.
pub const PROPERTIES: [&str; 7] = ["hold", "reset", "last", "word", "due", "ready", "error"];

/// Memories with more address bits than this are replaced by ones that keep one word ([`one_word`]).
pub const WHOLE_MEMORY: u32 = 5;

/// The most words of a data set for which a contract is written: where places and addresses are tables, these have a row for each word.
pub fn most_words(form: Form) -> u64 {
    match form {
        Form::OneBank | Form::TwoBanks => 1 << 16,
        Form::Skewed | Form::Coloured => 1 << 12,
        Form::Loaded => 0,
    }
}

/// What the templates are filled with.
#[derive(Serialize)]
struct Contract {
    contract: String,
    top: String,
    command: String,
    lanes: u32,
    width: u32,
    cycles: u32,
    /// Bits of a beat's place in its data set, of a data set's number and how many numbers there are.
    pos_bits: u32,
    set_bits: u32,
    sets: u32,
    words: u64,
    word_bits: u32,
    /// Bits of a number of beats.
    inside_bits: u32,
    address_bits: u32,
    /// Lanes with a register of their own for the place of the oldest beat.
    pointers: Vec<u32>,
    limit: u32,
    banks: Vec<Bank>,
    chains: Vec<Chain>,
    /// The order of the words.
    order: String,
    /// Where the word lies and goes, as functions of its number.
    ways: String,
    probes: String,
    lemmas: Vec<String>,
    /// For each bank whether it keeps one word only.
    one_word: bool,
}

#[derive(Serialize)]
struct Bank {
    tag: &'static str,
    wait: u32,
    /// The place in the chains at which it is written and read.
    level: u32,
    /// Of the cell that decides: bits of its counts, and where they end.
    bits: u32,
    top: u64,
    depth: u64,
    address_bits: u32,
    one_word: bool,
}

/// Valid bits behind each other, from a place at which beats are counted on.
#[derive(Serialize)]
struct Chain {
    last: u32,
    valid: Vec<String>,
}

/// The name of the module for a design.
pub fn module(design: &str) -> String {
    format!("{design}_permute_contract")
}

/// The module that watches `D_permute` of the plan with words of `width` bits.
pub fn render(plan: &Streamed, width: u32) -> String {
    let contract = Contract::new(plan, width);
    let mut values = context(&contract);
    let lemmas = fill(include_str!("../testbench/permute/lemmas.sv.tera"), &values);
    values.insert("lemma_text", &lemmas);
    fill(include_str!("../testbench/permute/contract.sv.tera"), &values)
}

/// The address at which a lane writes or reads in a cycle of a data set, as the hardware has it: pages begin at powers of two.
fn address(memory: &Temporal, turn: usize, write: bool, cycle: u32, lane: LaneIdx) -> u32 {
    let order = &memory.orders[turn];
    let at = match write {
        true => order.write.at(&memory.write_count, cycle, lane),
        false => order.read.at(&memory.read_count, cycle, lane),
    };
    let page = memory.page;
    // A linear address has its page in its bits.
    match page.is_power_of_two() {
        true => at,
        false => ((at / page) << bits_of(page)) | (at % page),
    }
}

/// Names of the parts, and the chain and level at which words come to each.
fn places(plan: &Streamed) -> Vec<Place> {
    let (mut chain, mut level) = (0, 0);
    let mut places = Vec::new();
    for (at, part) in plan.parts.iter().enumerate() {
        let tag = tag(plan.form, at);
        places.push(Place { tag, chain, level });
        match part {
            Part::Spatial(network) => level += network.stages(),
            Part::Temporal(_) => {
                chain += 1;
                level += 2;
            }
        }
    }
    places
}

impl Contract {
    fn new(plan: &Streamed, width: u32) -> Self {
        let places = places(plan);
        let design = design_name(plan, width);
        let chains = chains(plan, &places);
        let levels: u32 = chains.iter().map(|chain| chain.last + 1).sum();
        let turns = plan.memories().map(|memory| memory.orders.len() as u32).fold(1, lcm);
        // So many numbers of data sets that no two under way in front of the queue have the same.
        let least = 8.max(4 + levels.div_ceil(plan.cycles));
        let sets = turns * least.div_ceil(turns);
        let (address_bits, limit) = plan.queue();
        let most = u64::from(sets * plan.cycles) + (1 << address_bits) + u64::from(levels);
        let mut contract = Contract {
            contract: module(&design),
            top: top_name(plan, width),
            command: format!("frit verify {} --formal", arguments(plan, width)),
            lanes: plan.lanes,
            width,
            cycles: plan.cycles,
            pos_bits: bits_of(plan.cycles),
            set_bits: bits_of(sets),
            sets,
            words: plan.order.words(),
            word_bits: counter_bits(plan.order.words() - 1),
            inside_bits: counter_bits(most) + 1,
            address_bits,
            pointers: pointers(plan, width).collect(),
            limit,
            banks: banks(plan, &places),
            chains,
            order: String::new(),
            ways: String::new(),
            probes: String::new(),
            lemmas: Vec::new(),
            one_word: false,
        };
        contract.one_word = contract.banks.iter().any(|bank| bank.one_word);
        contract.order(plan);
        contract.registers(&registers(plan, &places));
        contract.ways(plan, &places);
        contract.control();
        contract
    }

    /// A function of the word that is watched.
    fn of_word(&self, name: &str, bits: u32, value: impl Fn(usize) -> u64) -> String {
        let values: Vec<u64> = (0..self.words as usize).map(value).collect();
        function(name, bits, ("chosen_word", self.word_bits), &values)
    }

    /// The beats and lanes of words: at the input, and at the output.
    fn order(&mut self, plan: &Streamed) {
        let lanes = plan.lanes;
        let mut place = vec![0; self.words as usize];
        for (at, source) in (0..).zip(plan.order.sources()) {
            place[source as usize] = at;
        }
        let lane_bits = bits_of(lanes).max(1);
        self.order = [
            self.of_word("in_beat", self.pos_bits, |word| word as u64 / u64::from(lanes)),
            self.of_word("in_lane", lane_bits, |word| word as u64 % u64::from(lanes)),
            self.of_word("out_beat", self.pos_bits, |word| u64::from(place[word] / lanes)),
            self.of_word("out_lane", lane_bits, |word| u64::from(place[word] % lanes)),
        ]
        .concat();
    }

    /// A wire inside, under a name of the contract's.
    fn probe(&mut self, name: &str, bits: u32, path: &str) {
        let high = bits - 1;
        let _ = writeln!(self.probes, "  (* hierconn *) wire [{high}:0] \\u_permute.{path} ;");
        let _ = writeln!(self.probes, "  wire [{high}:0] {name} = \\u_permute.{path} ;");
    }

    /// Wires inside side by side, the first one lowest; 0 for one that is not there.
    fn vector(&mut self, name: &str, bits: u32, paths: &[Option<String>]) {
        let mut items = Vec::new();
        for path in paths.iter().rev() {
            let Some(path) = path else {
                items.push(format!("{bits}'d0"));
                continue;
            };
            let _ = writeln!(self.probes, "  (* hierconn *) wire [{}:0] \\u_permute.{path} ;", bits - 1);
            items.push(format!("\\u_permute.{path} "));
        }
        let high = paths.len() as u32 * bits - 1;
        let _ = writeln!(self.probes, "  wire [{high}:0] {name} = {{ {} }};", items.join(", "));
    }

    /// Each register holds what belongs to the beat that passes next.
    fn registers(&mut self, registers: &[Register]) {
        let mut text = String::new();
        for (at, Register { path, bits, place, values }) in registers.iter().enumerate() {
            let number = place.map_or("late_beat".into(), |(chain, level)| format!("beat_{chain}_{level}"));
            self.probe(&format!("register_{at}"), *bits, path);
            for (turn, values) in values.iter().enumerate() {
                let of = (format!("{number}[{}:0]", self.pos_bits - 1), self.pos_bits);
                text += &function(&format!("holds_{at}_{turn}"), *bits, (&of.0, of.1), values);
            }
            let number_bits = self.set_bits + self.pos_bits;
            let set = format!("{number}[{}:{}]", number_bits - 1, self.pos_bits);
            let held = match values.len() as u32 {
                1 => format!("holds_{at}_0"),
                turns => {
                    let of = |set: u32| format!("{set}: held_{at} = holds_{at}_{};", set % turns);
                    let cases: Vec<String> = (0..self.sets).map(of).collect();
                    let _ = writeln!(
                        text,
                        "  reg [{}:0] held_{at};\n  always @(*) case ({set})\n    {}\n    default: held_{at} = 0;\n  endcase",
                        bits - 1,
                        cases.join("\n    ")
                    );
                    format!("held_{at}")
                }
            };
            self.lemmas.push(format!("register_{at} != {held}"));
        }
        self.ways += &text;
    }

    /// The word that is watched is where it must be, and switches and memories do what brings it on.
    fn ways(&mut self, plan: &Streamed, places: &[Place]) {
        let paths = paths(plan);
        let (stations, columns) = stations(plan, places);
        for (at, Station { chain, level, wires }) in stations.iter().enumerate() {
            let bits = bits_of(wires.len() as u32).max(1);
            self.vector(&format!("words_{at}"), self.width, wires);
            self.ways += &self.of_word(&format!("port_{at}"), bits, |word| paths[word].ports[at].into());
            let here = format!("words_{at}[port_{at}*W +: W]");
            self.lemmas.push(format!("at_{chain}[{level}] & ({here} != value)"));
        }
        for (at, column) in columns.iter().enumerate() {
            self.column(at, column, &paths);
        }
        for (at, memory) in plan.memories().enumerate() {
            self.bank(at, memory, &paths);
        }
        let lanes = |name: &str| -> Vec<Option<String>> {
            (0..plan.lanes).map(|lane| Some(name.replace('#', &lane.to_string()))).collect()
        };
        let slots: Vec<Option<String>> = lanes("u_output_#.memory")
            .into_iter()
            .flatten()
            .flat_map(|name| (0..1 << self.address_bits).map(move |slot| Some(format!("{name}[{slot}]"))))
            .collect();
        self.vector("queue", self.width, &slots);
    }

    fn column(&mut self, at: usize, column: &Column, paths: &[Path]) {
        let Column { chain, counted, delays, name, bits } = column;
        self.ways += &self.of_word(&format!("state_{at}"), 1, |word| paths[word].switches[at].1.into());
        if *bits > 1 {
            let select = bits_of(*bits);
            self.ways +=
                &self.of_word(&format!("switch_{at}"), select, |word| paths[word].switches[at].0.into());
        }
        for delay in 0..*delays {
            let wire = format!("state_{at}_{delay}");
            self.probe(&wire, *bits, &format!("{name}_{delay}"));
            let own = if *bits > 1 { format!("{wire}[switch_{at}]") } else { wire };
            let level = counted + 1 + delay;
            self.lemmas.push(format!("at_{chain}[{level}] & ({own} != state_{at})"));
        }
    }

    /// The lane and address of the word in a bank, and all words of its memories.
    fn bank(&mut self, at: usize, memory: &Temporal, paths: &[Path]) {
        let bits = address_bits(memory);
        let lanes = self.lanes;
        self.ways += &self
            .of_word(&format!("lane_{at}"), bits_of(lanes).max(1), |word| paths[word].banks[at].0.into());
        let turns = memory.orders.len() as u32;
        let mut cases = String::new();
        for turn in 0..turns {
            let name = format!("address_{at}_{turn}");
            self.ways += &self.of_word(&name, bits, |word| paths[word].banks[at].1[turn as usize].into());
        }
        for set in 0..self.sets {
            let _ = writeln!(cases, "    {set}: address_{at} = address_{at}_{};", set % turns);
        }
        let _ = write!(
            self.ways,
            "  reg [{}:0] address_{at};\n  always @(*) case (chosen_set)\n{cases}    default: address_{at} = 0;\n  endcase\n",
            bits - 1
        );
        self.ways += &self
            .of_word(&format!("beat_{at}_of_word"), self.pos_bits, |word| paths[word].beats[at + 1].into());
        let tag = self.banks[at].tag;
        let name = |lane: u32, of: &str| Some(format!("u_{tag}_{lane}.{of}"));
        if self.banks[at].one_word {
            let kept: Vec<_> = (0..lanes).map(|lane| name(lane, "kept_q")).collect();
            let spots: Vec<_> = (0..lanes).map(|lane| name(lane, "spot")).collect();
            self.vector(&format!("memory_{at}"), self.width, &kept);
            self.vector(&format!("spots_{at}"), bits, &spots);
        } else {
            let words = |lane| (0..1u32 << bits).map(move |word| (lane, word));
            let all: Vec<_> = (0..lanes)
                .flat_map(words)
                .map(|(lane, word)| name(lane, &format!("memory[{word}]")))
                .collect();
            self.vector(&format!("memory_{at}"), self.width, &all);
        }
    }

    /// The other registers of the control.
    fn control(&mut self) {
        self.probe("gate", 1, "gate");
        self.probe("tlast", 1, "tlast");
        for (chain, Chain { valid, .. }) in std::mem::take(&mut self.chains).into_iter().enumerate() {
            let paths: Vec<_> = valid.iter().cloned().map(Some).collect();
            self.vector(&format!("valid_{chain}"), 1, &paths);
            self.chains.push(Chain { last: valid.len() as u32 - 1, valid });
        }
        for at in 0..self.banks.len() {
            let Bank { tag, bits, .. } = self.banks[at];
            self.probe(&format!("seen_{at}"), bits, &format!("u_{tag}_reader.seen_q"));
            self.probe(&format!("left_{at}"), bits, &format!("u_{tag}_reader.left_q"));
            if at + 1 < self.banks.len() {
                self.probe(&format!("{tag}_gate"), 1, &format!("{tag}_gate"));
            }
        }
        let address = self.address_bits;
        for (name, bits) in [("used", address + 1), ("stored", address + 1), ("tail", address)] {
            self.probe(&format!("queue_{name}"), bits, &format!("u_output.{name}_q"));
        }
        for name in ["full", "lots", "many", "some", "shown", "freed"] {
            self.probe(&format!("queue_{name}"), 1, &format!("u_output.{name}_q"));
        }
        for lane in self.pointers.clone() {
            for (name, bits) in [("head", address), ("some", 1), ("shown", 1)] {
                self.probe(
                    &format!("queue_{name}_{lane}"),
                    bits,
                    &format!("u_output_pointer_{lane}.{name}_q"),
                );
            }
        }
        for name in ["late", "shown"] {
            self.probe(&format!("end_{name}"), 1, &format!("u_output_end.{name}_q"));
        }
    }
}

fn banks(plan: &Streamed, places: &[Place]) -> Vec<Bank> {
    let parts = plan.parts.iter().zip(places);
    let bank = |(part, place): (&Part, &Place)| match part {
        Part::Spatial(_) => None,
        Part::Temporal(memory) => {
            let bits = counter_bits(u64::from(memory.wait.max(1))) + 1;
            let address_bits = address_bits(memory);
            Some(Bank {
                tag: place.tag,
                wait: memory.wait,
                level: place.level,
                bits,
                top: 1 << (bits - 1),
                depth: 1 << address_bits,
                address_bits,
                one_word: address_bits > WHOLE_MEMORY,
            })
        }
    };
    parts.filter_map(bank).collect()
}

/// The valid bits from each place on at which beats are counted: from the input to the first bank, from each decision to read to the next bank or
/// to the queue.
fn chains(plan: &Streamed, places: &[Place]) -> Vec<Chain> {
    let mut chains = vec![vec!["taken".to_string()]];
    for (part, Place { tag, level, .. }) in plan.parts.iter().zip(places) {
        match part {
            Part::Spatial(network) => {
                let columns = (0..network.stages()).map(|column| format!("{tag}_valid_{column}"));
                chains.last_mut().expect("one at least").extend(columns);
            }
            Part::Temporal(_) => {
                let due = (0..*level).map(|cycle| format!("{tag}_due_{cycle}"));
                let read = (0..2).map(|cycle| format!("{tag}_valid_{cycle}"));
                chains.push([format!("{tag}_decided")].into_iter().chain(due).chain(read).collect());
            }
        }
    }
    chains.into_iter().map(|valid| Chain { last: valid.len() as u32 - 1, valid }).collect()
}

fn lcm(a: u32, b: u32) -> u32 {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// A cell of memory of which one address is watched, which is chosen in the first cycle, instead of a cell that is too large to be proved whole:
/// at this address it is the memory of the design, and at any other what is read may have any value. Small memories are whole.
pub fn one_word(plan: &Streamed, cell: &str) -> Option<String> {
    #[derive(Serialize)]
    struct Memory<'a> {
        cell: &'a str,
        whole: u32,
        meets: bool,
    }
    let meets = match cell {
        "frit_turn_memory" => false,
        "frit_meeting_memory" => true,
        _ => return None,
    };
    let large = plan.memories().any(|memory| address_bits(memory) > WHOLE_MEMORY);
    let text = include_str!("../testbench/permute/one_word.sv.tera");
    large.then(|| fill(text, &context(&Memory { cell, whole: WHOLE_MEMORY, meets })))
}
