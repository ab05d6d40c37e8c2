//! The switches: a batch of rounds on its way through all stages.
//!
//! A row has the planes of a message side by side: first those of the sender's number, then whether there is a message, unless every
//! lane has one, then the label bits, that of the last stage first. So what a message still needs behind a stage is the beginning of its row. Written so that the
//! compiler makes vectors of it; `multiversion` compiles it for several instruction sets and chooses at run time.

use super::check::{Check, Numbers};
use super::order::{Four, Order, Pair, Step};
use super::plane::{
    Plane, Vector, WORDS, count, plane, planes_per_vector, repeat, select, set_plane, splat, spread,
};
use super::rotation::Rotations;
use super::window::Windows;

/// The most label bits that a message has.
const MAX_LABEL_BITS: usize = 64;

/// How the switches of a batch are set.
pub(super) enum States<'a, const W: usize> {
    /// By the labels of the messages.
    Labels(Labels<'a, W>),
    /// For each stage by the bits for even and for odd switches.
    Stages(&'a [[Vector; 2]]),
}

/// What makes labels.
#[derive(Clone, Copy)]
pub(super) enum Labels<'a, const W: usize> {
    /// Those of rotations.
    Rotations(&'a Rotations<W>),
    /// Those of a window.
    Windows(&'a Windows<W>),
}

impl<const W: usize> Labels<'_, W> {
    /// Writes the label bits of as many lanes as planes fit in a vector, the least significant bit first.
    #[inline(always)]
    fn write(self, lanes: &[u32], label: &mut [Vector]) {
        match self {
            Labels::Rotations(rotations) => rotations.labels(lanes, label),
            Labels::Windows(windows) => windows.labels(lanes, label),
        }
    }
}

/// What is the same for all messages of a batch.
pub(super) struct Batch<'a, const W: usize> {
    pub order: &'a Order,
    /// Bits of a lane's number.
    pub source_bits: usize,
    /// Bits of a label.
    pub label_bits: usize,
    pub states: States<'a, W>,
    /// The rounds there are.
    pub active: Plane<W>,
    /// If not every lane has a message in every round: a plane for each lane that says in which it has.
    pub present: Option<&'a [u64]>,
}

impl<const W: usize> Batch<'_, W> {
    /// Planes in front of the label.
    fn head(&self) -> usize {
        self.source_bits + self.present.is_some() as usize
    }

    /// Vectors of a row.
    fn vectors(&self) -> usize {
        vectors::<W>(self.head() + self.label_bits)
    }
}

/// Vectors that hold so many planes.
pub(super) fn vectors<const W: usize>(planes: usize) -> usize {
    planes.div_ceil(planes_per_vector::<W>())
}

/// What came of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Passed<const W: usize> {
    /// The rounds in which two messages wanted one output.
    pub conflict: Plane<W>,
    /// The rounds in which a message arrived where it should not.
    pub astray: Plane<W>,
    /// Messages that arrived where they should.
    pub arrived: u64,
    /// Those of them whose pair counts in another round; see [`super::arrived::Arrived`].
    pub again: u64,
}

/// Where rows are made and checked.
#[derive(Default)]
struct Room {
    label: Label,
    numbers: Numbers,
}

#[repr(align(64))]
struct Label([Vector; MAX_LABEL_BITS]);

impl Default for Label {
    fn default() -> Self {
        Label([[0; WORDS]; MAX_LABEL_BITS])
    }
}

/// Takes a batch through the network.
///
/// With W = 8 the label bit that a stage has read stays in the row of the switch's upper input.
#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx+avx2+bmi1+bmi2",
    "x86_64+avx+avx2+bmi1+bmi2"
))]
pub(super) fn pass<const W: usize>(batch: &Batch<W>, rows: &mut [Vector], check: &mut Check<W>) -> Passed<W> {
    let mut passed = Passed { conflict: [0; W], astray: [0; W], arrived: 0, again: 0 };
    let (order, vectors) = (batch.order, batch.vectors());
    let mut room = Room::default();
    let label = |stage: usize| batch.head() + batch.label_bits - 1 - stage;
    for step in &order.steps {
        match (step.clone(), &batch.states) {
            (Step::Inject(range), _) => inject(batch, &order.rows[range], rows, &mut room),
            (Step::Deliver(range), _) => {
                deliver(batch, &order.rows[range], rows, check, &mut passed, &mut room);
            }
            (Step::Pairs { stage, pairs }, States::Labels(_)) => {
                label_pairs(&order.pairs[pairs], vectors, label(stage), rows, &mut passed.conflict);
            }
            (Step::Fours { stage, fours }, States::Labels(_)) => {
                label_fours(&order.fours[fours], vectors, label(stage), rows, &mut passed.conflict);
            }
            (Step::Pairs { stage, pairs }, States::Stages(masks)) => {
                stage_pairs(&order.pairs[pairs], vectors, &masks[stage], rows);
            }
            (Step::Fours { stage, fours }, States::Stages(masks)) => {
                stage_fours(&order.fours[fours], vectors, [&masks[stage], &masks[stage + 1]], rows);
            }
        }
    }
    passed.conflict = std::array::from_fn(|w| passed.conflict[w] & batch.active[w]);
    passed
}

/// Messages enter: as many rows at a time as planes fit in a vector.
#[inline(always)]
fn inject<const W: usize>(batch: &Batch<W>, which: &[u32], rows: &mut [Vector], room: &mut Room) {
    let vectors = batch.vectors();
    for which in which.chunks(planes_per_vector::<W>()) {
        let mut lanes = [0; WORDS];
        for (lane, &row) in lanes.iter_mut().zip(which) {
            *lane = batch.order.lane_in[row as usize];
        }
        for (&lane, &row) in lanes.iter().zip(which) {
            let row = &mut rows[row as usize * vectors..][..vectors];
            for bit in 0..batch.source_bits {
                set_plane::<W>(row, bit, &splat(lane >> bit & 1 == 1));
            }
            if let Some(present) = batch.present {
                set_plane::<W>(row, batch.source_bits, &present[lane as usize * W..]);
            }
        }
        let States::Labels(labels) = batch.states else { continue };
        if let (true, &[row]) = (W == WORDS, which) {
            // The planes are vectors of the row.
            let row = &mut rows[row as usize * vectors..][..vectors];
            labels.write(&lanes, &mut row[batch.head()..]);
            continue;
        }
        let label = &mut room.label.0[..batch.label_bits];
        labels.write(&lanes, label);
        for (place, &row) in which.iter().enumerate() {
            let row = &mut rows[row as usize * vectors..][..vectors];
            for (bit, label) in label.iter().enumerate() {
                set_plane::<W>(row, batch.head() + bit, &label[place * W..]);
            }
        }
    }
}

/// Messages leave, and are checked.
#[inline(always)]
fn deliver<const W: usize>(
    batch: &Batch<W>,
    which: &[u32],
    rows: &[Vector],
    check: &mut Check<W>,
    passed: &mut Passed<W>,
    room: &mut Room,
) {
    let vectors = batch.vectors();
    let mut any_astray: Vector = [0; WORDS];
    for which in which.chunks(planes_per_vector::<W>()) {
        let (mut outputs, mut arrived): ([u32; WORDS], [&[Vector]; WORDS]) = ([0; WORDS], [&[]; WORDS]);
        for ((output, arrived), &row) in outputs.iter_mut().zip(&mut arrived).zip(which) {
            *output = batch.order.lane_out[row as usize];
            *arrived = &rows[row as usize * vectors..][..vectors];
        }
        let found = check.arrived(&arrived[..which.len()], batch.source_bits, &outputs, &mut room.numbers);
        let (there, active) = (spread::<W>(|place| place < which.len()), repeat(&batch.active));
        let mut sent: Vector = std::array::from_fn(|w| there[w] & active[w]);
        if batch.present.is_some() {
            for (sent, row) in sent.chunks_exact_mut(W).zip(&arrived[..which.len()]) {
                let present = plane::<W>(row, batch.source_bits);
                sent.iter_mut().zip(present).for_each(|(sent, present)| *sent &= present);
            }
        }
        let astray: Vector = std::array::from_fn(|w| sent[w] & found.astray[w]);
        for (any, astray) in any_astray.iter_mut().zip(&astray) {
            *any |= astray;
        }
        let home: Vector = std::array::from_fn(|w| sent[w] & !found.astray[w]);
        let again: Vector = std::array::from_fn(|w| home[w] & found.again[w]);
        passed.arrived += count(&home);
        passed.again += count(&again);
    }
    for (word, astray) in any_astray.iter().enumerate() {
        passed.astray[word % W] |= astray;
    }
}

/// Both rows of a switch behind it.
#[inline(always)]
fn exchange<const W: usize>(mask: &[u64; W], a: &[u64; W], b: &[u64; W]) -> ([u64; W], [u64; W]) {
    (select(mask, a, b), select(mask, b, a))
}

/// The rounds in which both inputs want one output.
#[inline(always)]
fn note_conflict<const W: usize>(conflict: &mut Plane<W>, a: &Plane<W>, b: &Plane<W>) {
    for w in 0..W {
        conflict[w] |= !(a[w] ^ b[w]);
    }
}

/// The rows of some places in an order.
#[inline(always)]
fn apart<'a, const COUNT: usize>(
    rows: &'a mut [Vector],
    which: &[u32; COUNT],
    vectors: usize,
) -> [&'a mut [Vector]; COUNT] {
    let at = which.map(|row| (row >> 1) as usize * vectors);
    rows.get_disjoint_mut(at.map(|at| at..at + vectors)).expect("the rows of a switch are inside and apart")
}

/// A stage under label control: the label bit of the upper input, at place `label`, is the state.
#[inline(always)]
fn label_pairs<const W: usize>(
    pairs: &[Pair],
    row_vectors: usize,
    label: usize,
    rows: &mut [Vector],
    conflict: &mut Plane<W>,
) {
    let moved = vectors::<W>(label);
    for pair in pairs {
        let [a, b] = apart(rows, pair, row_vectors);
        let mask = plane::<W>(a, label);
        note_conflict(conflict, &mask, &plane::<W>(b, label));
        pair_vectors(&mut a[..moved], &mut b[..moved], &repeat(&mask));
    }
}

/// Two stages under label control: the label bits are at place `label` and the one before.
#[inline(always)]
fn label_fours<const W: usize>(
    fours: &[Four],
    row_vectors: usize,
    label: usize,
    rows: &mut [Vector],
    conflict: &mut Plane<W>,
) {
    let next = label - 1;
    let moved = vectors::<W>(next);
    for four in fours {
        let [a, b, c, d] = apart(rows, four, row_vectors);
        let (ab, cd) = (plane::<W>(a, label), plane::<W>(c, label));
        note_conflict(conflict, &ab, &plane::<W>(b, label));
        note_conflict(conflict, &cd, &plane::<W>(d, label));
        let (ac, bd) = exchange(&ab, &plane::<W>(a, next), &plane::<W>(b, next));
        let lower = exchange(&cd, &plane::<W>(c, next), &plane::<W>(d, next));
        note_conflict(conflict, &ac, &lower.0);
        note_conflict(conflict, &bd, &lower.1);
        let masks = [ab, cd, ac, bd].map(|mask| repeat(&mask));
        four_vectors([&mut a[..moved], &mut b[..moved], &mut c[..moved], &mut d[..moved]], &masks);
        if W == WORDS {
            set_plane::<W>(a, next, &ac);
            set_plane::<W>(b, next, &bd);
        }
    }
}

/// A stage under stage or systolic control.
#[inline(always)]
fn stage_pairs(pairs: &[Pair], row_vectors: usize, masks: &[Vector; 2], rows: &mut [Vector]) {
    for pair in pairs {
        let [a, b] = apart(rows, pair, row_vectors);
        pair_vectors(a, b, &masks[pair[0] as usize & 1]);
    }
}

/// Two stages under stage or systolic control.
#[inline(always)]
fn stage_fours(fours: &[Four], row_vectors: usize, masks: [&[Vector; 2]; 2], rows: &mut [Vector]) {
    for four in fours {
        let [ab, ac, cd, bd] = four.map(|row| (row & 1) as usize);
        let [a, b, c, d] = apart(rows, four, row_vectors);
        pair_vectors(a, b, &masks[0][ab]);
        pair_vectors(c, d, &masks[0][cd]);
        pair_vectors(a, c, &masks[1][ac]);
        pair_vectors(b, d, &masks[1][bd]);
    }
}

/// Two rows through a switch. They are apart, which the compiler knows of separate references only.
#[inline(always)]
fn pair_vectors(a: &mut [Vector], b: &mut [Vector], mask: &Vector) {
    for (a, b) in a.iter_mut().zip(b) {
        for w in 0..WORDS {
            let swap = (a[w] ^ b[w]) & mask[w];
            a[w] ^= swap;
            b[w] ^= swap;
        }
    }
}

/// Four rows through two stages.
#[inline(always)]
fn four_vectors([a, b, c, d]: [&mut [Vector]; 4], [ab, cd, ac, bd]: &[Vector; 4]) {
    for (((a, b), c), d) in a.iter_mut().zip(b).zip(c).zip(d) {
        let (first, second) = (exchange(ab, a, b), exchange(cd, c, d));
        (*a, *c) = exchange(ac, &first.0, &second.0);
        (*b, *d) = exchange(bd, &first.1, &second.1);
    }
}

/// The senders of what stands in a row, by round.
#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx+avx2+bmi1+bmi2",
    "x86_64+avx+avx2+bmi1+bmi2"
))]
pub(super) fn senders<const W: usize>(row: &[Vector], source_bits: usize, senders: &mut [u32]) {
    super::plane::numbers::<W>(&row.as_flattened()[..source_bits * W], senders);
}
