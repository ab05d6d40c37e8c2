//! The comparison of two waveforms, cycle by cycle.

use frit_network::{Refusal, refusal, refuse};
use std::collections::BTreeMap;
use std::iter::Peekable;

use wellen::SignalValueRef;

use super::DiffOptions;
use super::clock::{Side, Timeline};
use super::names::{Matching, Names, Pair, check_maps, match_names, selected, unstripped};
use super::report::{
    Context, ContextRow, FirstDifference, NameList, SignalDifference, WaveDiff, WaveSide, WidthMismatch,
};
use crate::wave::{SignalKind, Traces, Wave, WaveSignal, value};

/// Signals in memory at once.
const CHUNK_SIGNALS: usize = 2048;

/// Rows of the context table.
const CONTEXT_SIGNALS: usize = 8;

/// One file, and how it is read as cycles.
struct Input {
    wave: Wave,
    timeline: Timeline,
    /// Of each time, the first compared cycle that sees a change at that time.
    seen_from: Vec<usize>,
}

/// Where a pair differs.
struct Difference {
    pair: usize,
    first_cycle: usize,
    cycles: u64,
}

pub(super) fn diff_waves(a: Wave, b: Wave, options: &DiffOptions) -> Result<WaveDiff, Refusal> {
    check_maps(&a, &b, options)?;
    let (names_a, names_b) = (Names::new(&a, &options.maps), Names::new(&b, &options.maps));
    let mut matching = match_names(&names_a, &names_b);
    if matching.pairs.is_empty() {
        refuse!(
            "no signal of {a} has the name of a signal of {b}, for any stripped prefix; \
             map one prefix to the other with --map FROM=TO\n  {a} has {}\n  {b} has {}",
            names_a.summary(),
            names_b.summary(),
            a = a.path().display(),
            b = b.path().display()
        );
    }
    let mut a = Input::new(a, &names_a, options, Side::A)?;
    let mut b = Input::new(b, &names_b, options, Side::B)?;
    let cycles = a.timeline.cycles().min(b.timeline.cycles());
    let active: Vec<bool> = (0..cycles)
        .map(|cycle| !(options.ignore_reset && (a.timeline.in_reset(cycle) || b.timeline.in_reset(cycle))))
        .collect();
    let compared_cycles = active.iter().filter(|&&active| active).count();
    if compared_cycles == 0 {
        return Err(no_cycles(&a, &b, cycles));
    }

    let common = matching.pairs.len();
    matching.only_in_a.retain(|name| selected(&[name.as_str()], options));
    matching.only_in_b.retain(|name| selected(&[name.as_str()], options));
    // The two clocks define what a cycle is: sampled at their own edges they say nothing.
    let (prefix_a, prefix_b) = (&matching.prefix_a, &matching.prefix_b);
    matching.pairs.retain(|pair| {
        let (full_a, full_b) = (unstripped(prefix_a, &pair.name), unstripped(prefix_b, &pair.name));
        selected(&[&pair.name, &full_a, &full_b], options)
            && pair.a != a.timeline.clock.1
            && pair.b != b.timeline.clock.1
    });
    let widths = split_width_mismatches(&mut matching, &a.wave, &b.wave);
    if matching.pairs.is_empty() && widths.is_empty() {
        let reason = if options.only.is_empty() && options.ignore.is_empty() {
            "only the clock and events are common"
        } else {
            "by --only and --ignore"
        };
        refuse!(
            "none of the {common} common signals is left to compare ({reason}); widen --only, drop --ignore, or dump more signals"
        );
    }

    let found = compare_all(&mut a, &mut b, &matching.pairs, &active, options)?;
    let mut report = WaveDiff {
        a: a.side(&matching.prefix_a),
        b: b.side(&matching.prefix_b),
        compared_signals: matching.pairs.len(),
        compared_cycles,
        reset_cycles_ignored: cycles - compared_cycles,
        lengths_must_agree: options.same_length,
        common: options.common,
        only_in_a: NameList::new(&matching.only_in_a),
        only_in_b: NameList::new(&matching.only_in_b),
        width_mismatches: widths,
        differences: found.iter().map(|difference| difference.cycles).sum(),
        differing_signals: found.len(),
        first: None,
        signals: Vec::new(),
        context: None,
    };
    show(&mut report, &found, &mut a, &mut b, &matching.pairs, cycles, options)?;
    Ok(report)
}

impl Input {
    fn new(mut wave: Wave, names: &Names, options: &DiffOptions, side: Side) -> Result<Self, Refusal> {
        let timeline = Timeline::new(&mut wave, names, options, side)?;
        let mut seen_from = Vec::with_capacity(wave.times().len());
        let compared = &timeline.edges[timeline.start.min(timeline.edges.len())..];
        let mut cycle = 0;
        for time in 0..wave.times().len() {
            while compared.get(cycle).is_some_and(|&edge| edge <= time) {
                cycle += 1;
            }
            seen_from.push(cycle);
        }
        Ok(Self { wave, timeline, seen_from })
    }

    /// The edge that ends a compared cycle, as an index of its time.
    fn edge(&self, cycle: usize) -> usize {
        self.timeline.edges[self.timeline.start + cycle]
    }

    fn time(&self, cycle: usize) -> u64 {
        self.wave.times()[self.edge(cycle)]
    }

    fn value(&self, traces: &Traces, signal: usize, cycle: usize) -> String {
        traces.value_before(&self.wave.signals()[signal], self.edge(cycle)).to_string()
    }

    fn side(&self, prefix: &str) -> WaveSide {
        WaveSide {
            path: self.wave.path().display().to_string(),
            format: self.wave.format(),
            signals: self.wave.signals().len(),
            stripped_prefix: prefix.to_string(),
            clock: self.timeline.clock.0.clone(),
            reset: self.timeline.reset.as_ref().map(|(name, _)| name.clone()),
            time_unit: self.wave.time_unit().to_string(),
            cycle_0_is: self.timeline.start,
            cycle_0_time: self.time(0),
            cycles: self.timeline.cycles(),
        }
    }
}

fn no_cycles(a: &Input, b: &Input, cycles: usize) -> Refusal {
    refusal!(
        "no cycle is left to compare: {} has {} and {} has {} from where they are aligned{}",
        a.wave.path().display(),
        a.timeline.cycles(),
        b.wave.path().display(),
        b.timeline.cycles(),
        match cycles {
            0 => "; align earlier with --align A:B, or dump a longer run",
            _ => ", all of them in reset; drop --ignore-reset, or dump a longer run",
        }
    )
}

/// Takes the pairs out whose kinds or widths differ, or that are events: their values cannot be compared.
fn split_width_mismatches(matching: &mut Matching, a: &Wave, b: &Wave) -> Vec<WidthMismatch> {
    let mut mismatches = Vec::new();
    matching.pairs.retain(|pair| {
        let (kind_a, kind_b) = (a.signals()[pair.a].kind, b.signals()[pair.b].kind);
        if kind_a != kind_b {
            let signal = pair.name.clone();
            mismatches.push(WidthMismatch { signal, a: describe(kind_a), b: describe(kind_b) });
        }
        // An event is an instant without a value: there is nothing to sample.
        kind_a == kind_b && kind_a != SignalKind::Event
    });
    mismatches
}

fn describe(kind: SignalKind) -> String {
    match kind {
        SignalKind::Bits(1) => "1 bit".to_string(),
        SignalKind::Bits(width_bits) => format!("{width_bits} bits"),
        SignalKind::Real => "real".to_string(),
        SignalKind::Text => "string".to_string(),
        SignalKind::Event => "event".to_string(),
    }
}

/// Every pair that differs somewhere, sorted by the first cycle in which it does, then by name.
fn compare_all(
    a: &mut Input,
    b: &mut Input,
    pairs: &[Pair],
    active: &[bool],
    options: &DiffOptions,
) -> Result<Vec<Difference>, Refusal> {
    // How many of the cycles before each one are compared: what a run of equal values weighs.
    let mut active_before = vec![0u64];
    for &active in active {
        active_before.push(active_before[active_before.len() - 1] + u64::from(active));
    }
    let mut found = Vec::new();
    for (chunk_index, chunk) in pairs.chunks(CHUNK_SIGNALS).enumerate() {
        let traces_a = a.wave.load(&chunk.iter().map(|pair| pair.a).collect::<Vec<_>>())?;
        let traces_b = b.wave.load(&chunk.iter().map(|pair| pair.b).collect::<Vec<_>>())?;
        // Ports of an instance are the same signal as the wires outside: compared once.
        let mut verdicts = BTreeMap::new();
        for (offset, pair) in chunk.iter().enumerate() {
            let (signal_a, signal_b) = (&a.wave.signals()[pair.a], &b.wave.signals()[pair.b]);
            let verdict = *verdicts.entry((signal_a.id, signal_b.id)).or_insert_with(|| {
                let changes_a = Changes::new(&traces_a, signal_a, &a.seen_from);
                let changes_b = Changes::new(&traces_b, signal_b, &b.seen_from);
                compare(changes_a, changes_b, &active_before, options.x_is_dont_care)
            });
            if let Some((first_cycle, cycles)) = verdict {
                found.push(Difference { pair: chunk_index * CHUNK_SIGNALS + offset, first_cycle, cycles });
            }
        }
    }
    // Pairs are sorted by name.
    found.sort_by_key(|difference| (difference.first_cycle, difference.pair));
    Ok(found)
}

/// The values of one signal, as cycles see them.
struct Changes<'a> {
    changes: Peekable<Box<dyn Iterator<Item = (usize, SignalValueRef<'a>)> + 'a>>,
    seen_from: &'a [usize],
    value: Option<SignalValueRef<'a>>,
}

impl<'a> Changes<'a> {
    fn new(traces: &'a Traces, signal: &'a WaveSignal, seen_from: &'a [usize]) -> Self {
        let changes: Box<dyn Iterator<Item = _> + 'a> = Box::new(traces.changes(signal));
        Self { changes: changes.peekable(), seen_from, value: None }
    }

    /// Takes every change that a cycle sees; the first cycle that sees another, if any does.
    fn advance(&mut self, cycle: usize) -> Option<usize> {
        while let Some(&(time, value)) = self.changes.peek() {
            let seen_from = self.seen_from[time];
            if seen_from > cycle {
                return Some(seen_from);
            }
            self.value = Some(value);
            self.changes.next();
        }
        None
    }
}

/// The first active cycle in which two signals differ, and in how many they do.
fn compare(
    mut a: Changes<'_>,
    mut b: Changes<'_>,
    active_before: &[u64],
    x_is_dont_care: bool,
) -> Option<(usize, u64)> {
    let end = active_before.len() - 1;
    let mut found = None;
    let mut cycle = 0;
    while cycle < end {
        let next_a = a.advance(cycle).unwrap_or(end);
        let next_b = b.advance(cycle).unwrap_or(end);
        let next = next_a.min(next_b).min(end);
        let weight = active_before[next] - active_before[cycle];
        if weight > 0 && !value::agree(a.value, b.value, x_is_dont_care) {
            // The first active cycle of this run is the last with as many active ones before it.
            let first = active_before.partition_point(|&count| count <= active_before[cycle]) - 1;
            let (_, cycles) = found.get_or_insert((first, 0));
            *cycles += weight;
        }
        cycle = next;
    }
    found
}

/// Fills in the first difference, the signals that differ and the table around it.
fn show(
    report: &mut WaveDiff,
    found: &[Difference],
    a: &mut Input,
    b: &mut Input,
    pairs: &[Pair],
    cycles: usize,
    options: &DiffOptions,
) -> Result<(), Refusal> {
    let Some(first) = found.first() else { return Ok(()) };
    let at_first = found.iter().take_while(|difference| difference.first_cycle == first.first_cycle);
    let at_first: Vec<&Difference> = at_first.collect();
    let shown = &found[..found.len().min(options.max_differences.max(CONTEXT_SIGNALS))];
    let traces_a = a.wave.load(&shown.iter().map(|it| pairs[it.pair].a).collect::<Vec<_>>())?;
    let traces_b = b.wave.load(&shown.iter().map(|it| pairs[it.pair].b).collect::<Vec<_>>())?;
    let signal = |difference: &Difference| {
        let (pair, cycle) = (&pairs[difference.pair], difference.first_cycle);
        SignalDifference {
            signal: pair.name.clone(),
            first_cycle: cycle,
            cycles: difference.cycles,
            a: a.value(&traces_a, pair.a, cycle),
            b: b.value(&traces_b, pair.b, cycle),
        }
    };
    let cycle = first.first_cycle;
    let SignalDifference { signal: name, a: value_a, b: value_b, .. } = signal(first);
    report.first = Some(FirstDifference {
        cycle,
        time_a: a.time(cycle),
        time_b: b.time(cycle),
        cycle_in_a: a.timeline.start + cycle,
        cycle_in_b: b.timeline.start + cycle,
        signal: name,
        a: value_a,
        b: value_b,
        signals_in_this_cycle: at_first.len(),
    });
    report.signals = shown.iter().take(options.max_differences).map(signal).collect();
    let from = cycle.saturating_sub(options.context);
    let to = cycle.saturating_add(options.context).min(cycles - 1);
    let rows = at_first.iter().take(CONTEXT_SIGNALS).map(|difference| {
        let pair = &pairs[difference.pair];
        ContextRow {
            signal: pair.name.clone(),
            a: (from..=to).map(|cycle| a.value(&traces_a, pair.a, cycle)).collect(),
            b: (from..=to).map(|cycle| b.value(&traces_b, pair.b, cycle)).collect(),
        }
    });
    report.context = Some(Context { first_cycle: from, different_cycle: cycle, rows: rows.collect() });
    Ok(())
}
