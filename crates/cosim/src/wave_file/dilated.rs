//! The waveform of a dilated butterfly by its model, with the scopes and names of the emitted testbench.

use frit_cells::design::dilated::{Hardware, switch_name};
use frit_model::dilated::wave::Inputs;
use frit_model::dilated::{DilatedSnapshot, wave};
use frit_network::Refusal;
use frit_router::dilated::Packets;
use frit_schedule::timeline::{FIRST_EDGE_NS, PERIOD_NS};
use frit_trace::model_wave::{Packer, WaveSink};
use frit_trace::wave::{SignalDecl, WaveWriter};
use frit_trace::wave_file::Kept;
use std::path::Path;
use std::sync::Arc;

/// What a signal shows.
#[derive(Clone, Copy)]
enum Source {
    Clock,
    Bit(fn(&DilatedSnapshot) -> bool),
    Steps,
    /// So many bits from this place on.
    Bits(fn(&DilatedSnapshot) -> &[bool], usize, usize),
    /// Of the in edges of the switches behind level 0.
    Queues(fn(&Inputs) -> &[bool], usize, usize),
    /// Of the places where packets start.
    Places(fn(&Inputs) -> &[bool], usize, usize),
}

/// The scopes that hold the top of a routed design: its testbench, and the instance there.
pub(crate) fn scope_of(design: &str) -> [String; 2] {
    [format!("tb_{design}"), "u_route".into()]
}

/// The signals with what they show.
fn signals(hardware: &Hardware) -> (Vec<SignalDecl>, Vec<Source>) {
    let mut all = (Vec::new(), Vec::new());
    let route: Vec<String> = scope_of(&hardware.design_name()).to_vec();
    let fabric: Vec<String> = [&route[..], &["u_fabric".to_string()]].concat();
    let mut declare = |scope: &Arc<[String]>, name: &str, width_bits: usize, source: Source| {
        all.0.push(SignalDecl { scope: scope.clone(), name: name.into(), width_bits: width_bits as u32 });
        all.1.push(source);
    };
    let network = hardware.network();
    let (bundle, rows) = (network.bundle() as usize, network.rows() as usize);
    let level_edges = 2 * bundle * rows;
    let (sinks, places) = (network.edges() as usize - level_edges, rows * hardware.inputs(0) as usize);

    let scope: Arc<[String]> = route.into();
    declare(&scope, "clk_i", 1, Source::Clock);
    declare(&scope, "rst_i", 1, Source::Bit(|s| s.reset));
    declare(&scope, "start_i", 1, Source::Bit(|s| s.start));
    declare(&scope, "busy_o", 1, Source::Bit(|s| s.busy));
    declare(&scope, "done_o", 1, Source::Bit(|s| s.done));
    declare(&scope, "stuck_o", 1, Source::Bit(|s| s.stuck));
    declare(&scope, "steps_o", 32, Source::Steps);
    declare(&scope, "inject_valid_i", places, Source::Bits(|s| &s.sends, 0, places));
    declare(&scope, "inject_bit_i", places, Source::Places(|i| &i.front, 0, places));
    if hardware.release() {
        declare(&scope, "inject_last_i", places, Source::Bits(|s| &s.sends_last, 0, places));
        declare(&scope, "sink_last_o", level_edges, Source::Bits(|s| &s.last, sinks, level_edges));
    }
    declare(&scope, "inject_pop_o", places, Source::Places(|i| &i.pop, 0, places));
    declare(&scope, "sink_valid_o", level_edges, Source::Bits(|s| &s.valid, sinks, level_edges));
    declare(&scope, "sink_bit_o", level_edges, Source::Bits(|s| &s.bit, sinks, level_edges));

    let scope: Arc<[String]> = fabric.clone().into();
    for end in 0..sinks / bundle {
        let (level, lane) = (1 + end / (2 * rows), end % (2 * rows));
        let at = end * bundle;
        declare(&scope, &format!("e{level}_valid_{lane}"), bundle, Source::Bits(|s| &s.valid, at, bundle));
        declare(&scope, &format!("e{level}_bit_{lane}"), bundle, Source::Bits(|s| &s.bit, at, bundle));
        declare(&scope, &format!("e{level}_room_{lane}"), bundle, Source::Bits(|s| &s.room, at, bundle));
        if hardware.release() {
            declare(&scope, &format!("e{level}_last_{lane}"), bundle, Source::Bits(|s| &s.last, at, bundle));
            declare(&scope, &format!("e{level}_free_{lane}"), bundle, Source::Bits(|s| &s.free, at, bundle));
        }
    }
    for number in 0..network.switches() as u32 {
        let node = network.node(number);
        let scope: Arc<[String]> = [&fabric[..], &[switch_name(node)]].concat().into();
        let inputs = hardware.inputs(node.level) as usize;
        let (of, at): (fn(_, _, _) -> Source, usize) = match node.level {
            0 => (Source::Places, node.row.idx() * inputs),
            level => (Source::Queues, ((level - 1) as usize * rows + node.row.idx()) * inputs),
        };
        declare(&scope, "valid", inputs, of(|i| &i.valid, at, inputs));
        declare(&scope, "front", inputs, of(|i| &i.front, at, inputs));
        declare(&scope, "pop", inputs, of(|i| &i.pop, at, inputs));
        declare(&scope, "take", inputs, of(|i| &i.take, at, inputs));
    }
    all
}

impl Source {
    fn value(self, shown: &DilatedSnapshot, limbs: &mut Vec<u64>) {
        let one: bool;
        let bits = match self {
            Source::Steps => {
                limbs.clear();
                return limbs.push(shown.steps.into());
            }
            // The clock moves between snapshots.
            Source::Clock => &[false],
            Source::Bit(of) => {
                one = of(shown);
                std::slice::from_ref(&one)
            }
            Source::Bits(of, at, count) => &of(shown)[at..at + count],
            Source::Queues(of, at, count) => &of(&shown.queues)[at..at + count],
            Source::Places(of, at, count) => &of(&shown.places)[at..at + count],
        };
        let mut packer = Packer::into(limbs);
        bits.iter().for_each(|&bit| packer.put(bit.into(), 1));
        packer.finish();
    }
}

/// Writes the waveform of a run of these packets; `path` ends in `.vcd` or `.fst`.
///
/// # Errors
/// If the file cannot be written, or its name ends otherwise.
pub fn write_dilated_wave(path: &Path, packets: &Packets, hardware: &Hardware) -> Result<(), Refusal> {
    let (declarations, sources) = signals(hardware);
    let clock = sources.iter().position(|source| matches!(source, Source::Clock)).expect("there is a clock");
    let mut file = Kept::new(WaveWriter::create(path, "1ns", declarations)?);
    let (mut periods, mut limbs) = (0, Vec::new());
    wave(packets, |shown| {
        // Values change with the rising edge that starts the period; the writer leaves out what did not.
        let edge = (FIRST_EDGE_NS + periods * PERIOD_NS).saturating_sub(PERIOD_NS);
        file.time(if periods == 0 { 0 } else { edge });
        if periods > 0 {
            file.change(clock, &[1]);
        }
        for (signal, source) in sources.iter().enumerate().filter(|&(at, _)| at != clock || periods == 0) {
            source.value(shown, &mut limbs);
            file.change(signal, &limbs);
        }
        if periods > 0 {
            file.time(edge + PERIOD_NS / 2);
            file.change(clock, &[0]);
        }
        periods += 1;
    });
    // The edge that samples the last period.
    file.time(FIRST_EDGE_NS + (periods - 1) * PERIOD_NS);
    file.change(clock, &[1]);
    file.finish(WaveWriter::finish)
}
