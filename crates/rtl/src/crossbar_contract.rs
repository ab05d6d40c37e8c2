//! The contract of a crossbar as a circuit that watches its ports, for model checkers.

use crate::groups::Group;
use crate::probes::vector;
use crate::template::{context, fill};
use frit_cells::design::crossbar::Hardware;
use frit_demand::crossbar::{Shape, address};
use frit_network::{Network, StageIdx};
use serde::Serialize;

/// What the circuit watches for: the bits of its `violation_o`, the lowest first.
pub const PROPERTIES: [&str; 7] = ["hold", "offered", "word", "ready", "error", "write", "read"];

/// What the template is filled with.
#[derive(Serialize)]
struct Contract {
    contract: String,
    /// The module that it watches.
    top: String,
    command: String,
    terminals: u32,
    /// Bits of a terminal's number.
    bits: u32,
    width: u32,
    stages: u32,
    steps: u32,
    /// Words of a queue.
    depth: u32,
    queue_bits: u32,
    limit: u32,
    /// Ages of a commit.
    swap: u32,
    check: u32,
    last: u32,
    age_bits: u32,
    /// Bits of all settings.
    settings: u32,
    open_at: u32,
    source_at: u32,
    settings_at: u32,
    setting_words: Vec<Word>,
    open_words: Vec<Word>,
    lanes: Vec<u32>,
    /// Columns of registers in the network.
    groups: u32,
    group_list: Vec<Group>,
    /// What the settings of the groups select.
    numbers: String,
    step_list: Vec<u32>,
    /// 2, 4, 8, …
    powers: Vec<u32>,
    columns: Vec<Column>,
    /// The port of the first column of each input.
    first: Vec<u32>,
    /// Of the last stage of each group the port of the next column behind each of its ports, the highest first.
    stages_out: Vec<Vec<u32>>,
    probes: String,
}

/// Bits of a register: how many, and the first of them among all.
#[derive(Serialize)]
struct Word {
    low: u32,
    bits: u32,
}

/// The ports before a stage, or those behind the last one.
#[derive(Serialize)]
struct Column {
    number: u32,
    /// The groups before it, if it does not stand inside a group: then registers store what comes back.
    group: Option<u32>,
    ports: Vec<Port>,
}

/// Where a port leads in the next column (or to which output), and the setting that decides.
#[derive(Serialize)]
struct Port {
    setting: u32,
    straight: u32,
    cross: u32,
}

/// The name of the module for a design.
pub fn module(design: &str) -> String {
    format!("{design}_crossbar_contract")
}

/// The module that watches the hardware.
pub fn render(hardware: &Hardware) -> String {
    let (shape, width) = (hardware.shape, hardware.width);
    let network = shape.network();
    let (stages, steps) = (shape.stages(), shape.steps());
    let contract = Contract {
        contract: module(&hardware.design_name()),
        top: hardware.top_name(),
        command: format!("frit verify {} --formal", hardware.arguments()),
        terminals: shape.terminals(),
        bits: shape.bits(),
        width,
        stages,
        steps,
        depth: 1 << shape.queue_bits(),
        queue_bits: shape.queue_bits(),
        limit: shape.limit(),
        swap: shape.swap_age(),
        check: shape.check_age(),
        last: shape.last_age(),
        age_bits: shape.last_age().ilog2() + 1,
        settings: stages * shape.switches(),
        open_at: address::OPEN / 4,
        source_at: address::SOURCE / 4,
        settings_at: address::SETTINGS / 4,
        setting_words: words(&shape.setting_words()),
        open_words: words(&open_words(shape)),
        lanes: (0..shape.terminals()).collect(),
        groups: shape.groups(),
        group_list: crate::groups::groups(&network),
        numbers: crate::groups::numbers(&network, |stage, switch| {
            format!("state[{}]", stage.0 * shape.switches() + switch.0)
        }),
        step_list: (0..steps).collect(),
        powers: (1..=steps).map(|bits| 1 << bits).collect(),
        columns: (0..=stages).map(|number| column(shape, &network, number)).collect(),
        first: network.link(StageIdx(0)).to_vec(),
        stages_out: crate::groups::groups(&network)
            .iter()
            .map(|group| {
                let stage = group.last;
                (0..shape.terminals()).rev().map(|port| behind(shape, &network, stage, port)).collect()
            })
            .collect(),
        probes: probes(shape, width),
    };
    fill(include_str!("../testbench/crossbar/contract.sv.tera"), &context(&contract))
}

fn open_words(shape: Shape) -> Vec<u32> {
    (0..shape.open_words()).map(|word| (shape.terminals() - 32 * word).min(32)).collect()
}

fn words(bits: &[u32]) -> Vec<Word> {
    (0..).zip(bits).map(|(word, &bits)| Word { low: 32 * word, bits }).collect()
}

/// The port of the next column behind a port of a stage. The last column stands before the last links.
fn behind(shape: Shape, network: &Network, stage: u32, port: u32) -> u32 {
    match stage + 1 == shape.stages() {
        true => port,
        false => network.link(StageIdx(stage + 1))[port as usize],
    }
}

fn column(shape: Shape, network: &Network, number: u32) -> Column {
    let port = |port: u32| match number == shape.stages() {
        true => Port { setting: 0, straight: network.link(StageIdx(number))[port as usize], cross: 0 },
        false => Port {
            setting: number * shape.switches() + port / 2,
            straight: behind(shape, network, number, port),
            cross: behind(shape, network, number, port ^ 1),
        },
    };
    let begins = (0..network.groups()).find(|&group| network.group(group).start == number);
    let group = if number == network.stages() { Some(network.groups()) } else { begins };
    Column { number, group, ports: (0..shape.terminals()).map(port).collect() }
}

/// All registers and wires that the lemmas speak of.
fn probes(shape: Shape, width: u32) -> String {
    let network = shape.network();
    let mut text = String::new();
    let mut all =
        |name: &str, bits: u32, paths: &[String]| vector(&mut text, "u_crossbar", name, bits, paths);
    let (steps, queue) = (shape.steps(), shape.queue_bits());
    for (name, bits, path) in [
        ("port_taken", 1, "u_port.taken_q"),
        ("port_writing", 1, "u_port.writing_q"),
        ("port_data", 32, "u_port.data_q"),
        ("port_answered", 1, "u_port.answered_q"),
        ("port_reading", 1, "u_port.reading_q"),
        ("port_looking", 1, "u_port.looking_q"),
        ("found_now", 1, "found"),
        ("value_now", 32, "value"),
        ("writes_control", 1, "u_writes_control.here_q"),
        ("reads_control", 1, "u_reads_control.here_q"),
        ("reads_status", 1, "u_reads_status.here_q"),
        ("above_source", 1, "u_above_source.round_q"),
        ("control_busy", 1, "u_control.busy_q"),
        ("control_age", shape.last_age().ilog2() + 1, "u_control.age_q"),
        ("control_send", steps, "u_control.send_q"),
        ("control_hear", steps, "u_control.hear_q"),
        ("control_soon", 1, "u_control.soon_q"),
        ("control_swaps", 1, "u_control.swaps_q"),
        ("control_hits", 1, "u_control.hits_q"),
    ] {
        all(name, bits, &[path.into()]);
    }
    for (word, bits) in shape.setting_words().into_iter().enumerate() {
        all(&format!("settings_{word}"), bits, &[format!("u_settings_{word}.word_q")]);
        all(&format!("state_{word}"), bits, &[format!("u_state_{word}.word_q")]);
        for what in ["writes", "reads"] {
            all(&format!("{what}_settings_{word}"), 1, &[format!("u_{what}_settings_{word}.here_q")]);
        }
        if bits < 32 {
            all(&format!("above_settings_{word}"), 1, &[format!("u_above_settings_{word}.round_q")]);
        }
    }
    for word in 0..shape.open_words() {
        all(&format!("reads_open_{word}"), 1, &[format!("u_reads_open_{word}.here_q")]);
    }
    let lanes = |path: &str| -> Vec<String> {
        (0..shape.terminals()).map(|lane| path.replace('#', &lane.to_string())).collect()
    };
    for (name, bits, path) in [
        ("all_sources", steps, "u_source_#.word_q"),
        ("writes_source", 1, "u_writes_source_#.here_q"),
        ("reads_source", 1, "u_reads_source_#.here_q"),
        ("inputs_open", 1, "u_input_#.open_q"),
        ("inputs_hear", 1, "u_input_#.hears_q"),
        ("inputs_expect", 1, "u_input_#.expects_q"),
        ("inputs_begin", 1, "u_input_#.begins_q"),
        ("inputs_end", 1, "u_input_#.ends_q"),
        ("inputs_on", 1, "u_input_#.on_q"),
        ("inputs_fit", 1, "u_input_#.fits_q"),
        ("inputs_wrong", 1, "u_input_#.wrong_q"),
        ("outputs_say", 1, "u_output_#.says_q"),
        ("outputs_bit", 1, "u_output_#.bit_said_q"),
        ("queues_used", queue + 1, "u_queue_#.used_q"),
        ("queues_stored", queue + 1, "u_queue_#.stored_q"),
        ("queues_full", 1, "u_queue_#.full_q"),
        ("queues_lots", 1, "u_queue_#.lots_q"),
        ("queues_many", 1, "u_queue_#.many_q"),
        ("queues_some", 1, "u_queue_#.some_q"),
        ("queues_shown", 1, "u_queue_#.shown_q"),
        ("queues_freed", 1, "u_queue_#.freed_q"),
        ("queues_tail", queue, "u_queue_#.tail_q"),
        ("pointers_some", 1, "u_pointer_#.some_q"),
        ("pointers_shown", 1, "u_pointer_#.shown_q"),
        ("queues_head", queue, "u_pointer_#.head_q"),
        ("queues_word", width + 1, "u_memory_#.memory_q"),
    ] {
        all(name, bits, &lanes(path));
    }
    let places = |path: String| (0..1u32 << queue).map(move |place| format!("{path}[{place}]"));
    let memory: Vec<String> = lanes("u_memory_#.memory").into_iter().flat_map(places).collect();
    all("queues_memory", width + 1, &memory);
    for column in (0..=shape.stages()).filter(|&number| column(shape, &network, number).group.is_some()) {
        all(&format!("back_{column}"), 1, &lanes(&format!("back_{column}_#")));
    }
    for group in crate::groups::groups(&network) {
        let stage = group.last;
        if group.quads {
            all(&format!("select_{stage}"), 2, &crate::groups::selects(&network, &group));
        }
        all(&format!("valid_{stage}"), 1, &lanes(&format!("s{stage}_valid_#")));
        all(&format!("data_{stage}"), width + 1, &lanes(&format!("s{stage}_data_#")));
    }
    text
}
