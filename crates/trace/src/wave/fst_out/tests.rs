//! The same changes through the body writer of `fst-writer` give the same bytes.

use super::*;
use crate::wave::{Value, Wave};
use fst_writer::{FstBodyWriter, FstSignalId};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Event {
    /// So many times, each later by as much.
    Times(u8, u64),
    /// A signal and the limbs of its value, repeated.
    Value(usize, u64),
    Unknown(usize),
    /// The section ends before the next time.
    Flush,
}

fn decls(widths: &[u32]) -> Vec<SignalDecl> {
    let scope: std::sync::Arc<[String]> = ["t".to_string(), "u".to_string()].into();
    let decl = |(index, &width_bits): (usize, &u32)| {
        // The last declared stands first in the file.
        let name = format!("s{:03}", widths.len() - index);
        SignalDecl { scope: scope.clone(), name, width_bits }
    };
    widths.iter().enumerate().map(decl).collect()
}

fn limbs(width_bits: u32, seed: u64) -> Vec<u64> {
    let mut limbs: Vec<u64> = (0..width_bits.div_ceil(64)).map(|limb| seed.rotate_left(limb)).collect();
    *limbs.last_mut().unwrap() &= u64::MAX >> (64 * limbs.len() as u32 - width_bits);
    limbs
}

fn characters(width_bits: u32, seed: u64) -> String {
    let text: String = limbs(width_bits, seed).iter().rev().map(|limb| format!("{limb:064b}")).collect();
    text[text.len() - width_bits as usize..].to_string()
}

/// What goes to both writers: sections end before a time, and have one.
trait Target {
    fn time(&mut self, ticks: u64);
    fn value(&mut self, signal: usize, width_bits: u32, seed: u64);
    fn unknown(&mut self, signal: usize, width_bits: u32);
    fn flush(&mut self);
}

fn play(widths: &[u32], events: &[Event], target: &mut impl Target) {
    let (mut now, mut times, mut flush) = (0, 0, false);
    for event in events {
        match *event {
            Event::Times(count, step) => {
                for _ in 0..count {
                    if std::mem::take(&mut flush) && times > 0 {
                        target.flush();
                        times = 0;
                    }
                    now += step;
                    target.time(now);
                    times += 1;
                }
            }
            Event::Value(signal, seed) => target.value(signal, widths[signal], seed),
            Event::Unknown(signal) => target.unknown(signal, widths[signal]),
            Event::Flush => flush = true,
        }
    }
}

impl Target for FstOut {
    fn time(&mut self, ticks: u64) {
        Format::time(self, ticks).unwrap();
    }
    fn value(&mut self, signal: usize, width_bits: u32, seed: u64) {
        Format::value(self, signal, &limbs(width_bits, seed)).unwrap();
    }
    fn unknown(&mut self, signal: usize, _width_bits: u32) {
        Format::unknown(self, signal).unwrap();
    }
    fn flush(&mut self) {
        FstOut::flush(self).unwrap();
    }
}

struct Reference {
    body: FstBodyWriter<Cursor<Vec<u8>>>,
    ids: Vec<FstSignalId>,
}

impl Target for Reference {
    fn time(&mut self, ticks: u64) {
        self.body.time_change(ticks).unwrap();
    }
    fn value(&mut self, signal: usize, width_bits: u32, seed: u64) {
        self.body.signal_change(self.ids[signal], characters(width_bits, seed).as_bytes()).unwrap();
    }
    fn unknown(&mut self, signal: usize, width_bits: u32) {
        self.body.signal_change(self.ids[signal], &vec![b'x'; width_bits as usize]).unwrap();
    }
    fn flush(&mut self) {
        self.body.flush().unwrap();
    }
}

fn ours(widths: &[u32], events: &[Event]) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    let order: Vec<usize> = (0..widths.len()).rev().collect();
    let mut out = FstOut::start(file.reopen().unwrap(), -9, &decls(widths), &order).unwrap();
    play(widths, events, &mut out);
    out.finish().unwrap();
    file
}

fn reference(widths: &[u32], events: &[Event]) -> Vec<u8> {
    let mut head = FstHeaderWriter::new(Cursor::new(Vec::new()), &info(-9)).unwrap();
    let mut ids = Vec::new();
    for name in ["t", "u"] {
        head.scope(name, "", FstScopeType::Module).unwrap();
    }
    for decl in decls(widths).iter().rev() {
        let kind = FstSignalType::bit_vec(decl.width_bits);
        ids.push(head.var(name(decl), kind, FstVarType::Wire, FstVarDirection::Implicit, None).unwrap());
    }
    ids.reverse();
    head.up_scope().unwrap();
    head.up_scope().unwrap();
    let mut body = head.finish().unwrap();
    body.set_deduplicate(false);
    let mut reference = Reference { body, ids };
    play(widths, events, &mut reference);
    reference.body.finish().unwrap().into_inner()
}

fn assert_same_bytes(widths: &[u32], events: &[Event]) {
    let ours = std::fs::read(ours(widths, events).path()).unwrap();
    let reference = reference(widths, events);
    let first = ours.iter().zip(&reference).position(|(ours, theirs)| ours != theirs);
    assert!(ours == reference, "{} and {} bytes, another at {first:?}", ours.len(), reference.len());
}

fn widths() -> impl Strategy<Value = Vec<u32>> {
    proptest::collection::vec(prop_oneof![2 => Just(1u32), 3 => 2u32..=130], 1..8)
}

fn event(signals: usize) -> impl Strategy<Value = Event> {
    // A few values, so that lists can be compressed, and any.
    let seed = prop_oneof![0u64..3, Just(u64::MAX), any::<u64>()];
    prop_oneof![
        8 => (0..signals, seed).prop_map(|(signal, seed)| Event::Value(signal, seed)),
        2 => (0..signals).prop_map(Event::Unknown),
        8 => (1u8..3, 1u64..300).prop_map(|(count, step)| Event::Times(count, step)),
        1 => (30u8..250, 1u64..300).prop_map(|(count, step)| Event::Times(count, step)),
        1 => Just(Event::Flush),
    ]
}

fn wave() -> impl Strategy<Value = (Vec<u32>, Vec<Event>)> {
    widths().prop_flat_map(|widths| {
        let events = proptest::collection::vec(event(widths.len()), 0..200);
        let events = events.prop_map(|mut events| {
            // The crate loses the values of a file without a time.
            events.push(Event::Times(1, 5));
            events
        });
        (Just(widths), events)
    })
}

proptest! {
    #[test]
    fn any_changes((widths, events) in wave()) {
        assert_same_bytes(&widths, &events);
    }
}

/// Of a clock 40,000 changes, which LZ4 takes with a larger table; numbers of times of two and three bytes; a value wider than
/// many chunks; a signal that never changes.
#[test]
fn long_lists_and_wide_values() {
    let mut events = vec![Event::Value(1, 5)];
    for step in 0..100_000 {
        events.push(Event::Times(1, 1));
        events.push(Event::Value(4, step % 2));
        match step {
            70_000 | 80_000 => events.extend([Event::Value(0, step), Event::Value(3, 1), Event::Flush]),
            90_000 => events.extend([Event::Unknown(0), Event::Unknown(3)]),
            _ if step % 1000 == 0 => events.extend([Event::Value(1, step), Event::Value(5, step)]),
            _ => {}
        }
    }
    assert_same_bytes(&[9, 5000, 8, 1, 1, 33], &events);
}

#[test]
fn another_change_gives_other_bytes() {
    let events = |seed| [Event::Times(1, 5), Event::Value(0, seed)];
    assert_ne!(std::fs::read(ours(&[8], &events(1)).path()).unwrap(), reference(&[8], &events(2)));
}

/// The crate loses them.
#[test]
fn values_without_a_time_are_there() {
    let file = ours(&[4, 1], &[Event::Value(0, 10), Event::Value(1, 1), Event::Value(0, 9)]);
    let mut wave = Wave::open(file.path()).unwrap();
    let traces = wave.load(&[0, 1]).unwrap();
    for signal in wave.signals() {
        let expected = if signal.name == "s002" { "1001" } else { "1" };
        assert_eq!(traces.value_before(signal, 1), Value::Bits(expected.to_string()), "{}", signal.name);
    }
}
