//! The switches: a batch of rounds on its way through all stages.
//!
//! A row is `planes` planes: first those of the sender's number, then the label bits, that of the last stage first. So
//! what a message still needs behind a stage is a prefix of its row, and the label bit of a stage stays behind in the
//! row of the switch's upper input, where [`super::trace`] finds the setting. Written so that the compiler makes vectors of
//! it; `multiversion` compiles it for several instruction sets and chooses at run time.

use super::check::Check;
use super::order::{Four, Order, Pair, Step};
use super::plane::{Plane, count, select, splat};
use super::rotation::Rotations;

/// How the switches of a batch are set.
pub(super) enum States<'a, const W: usize> {
    /// By the labels of the messages.
    Labels(&'a Rotations<W>),
    /// For each stage by the bits for even and for odd switches.
    Stages(&'a [[Plane<W>; 2]]),
}

/// What is the same for all batches, and what a batch is.
pub(super) struct Batch<'a, const W: usize> {
    pub order: &'a Order,
    /// Bits of a lane's number.
    pub source_bits: usize,
    /// Planes of a row.
    pub planes: usize,
    pub states: States<'a, W>,
    /// The rounds there are.
    pub active: Plane<W>,
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
}

/// Takes a batch through the network.
#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx+avx2+bmi1+bmi2",
    "x86_64+avx+avx2+bmi1+bmi2"
))]
pub(super) fn pass<const W: usize>(
    batch: &Batch<W>,
    rows: &mut [Plane<W>],
    check: &mut Check<W>,
) -> Passed<W> {
    let mut passed = Passed { conflict: [0; W], astray: [0; W], arrived: 0 };
    let Batch { order, planes, source_bits, .. } = *batch;
    for step in &order.steps {
        match step.clone() {
            Step::Inject(range) => inject(batch, &order.rows[range], rows),
            Step::Pairs { stage, pairs } => match &batch.states {
                States::Labels(_) => {
                    label_pairs(&order.pairs[pairs], planes, planes - 1 - stage, rows, &mut passed.conflict)
                }
                States::Stages(masks) => stage_pairs(&order.pairs[pairs], planes, &masks[stage], rows),
            },
            Step::Fours { stage, fours } => match &batch.states {
                States::Labels(_) => {
                    label_fours(&order.fours[fours], planes, planes - 1 - stage, rows, &mut passed.conflict)
                }
                States::Stages(masks) => {
                    stage_fours(&order.fours[fours], planes, [&masks[stage], &masks[stage + 1]], rows)
                }
            },
            Step::Deliver(range) => {
                for &row in &order.rows[range] {
                    let source = &rows[row as usize * planes..][..source_bits];
                    let found = check.astray(source, order.lane_out[row as usize]);
                    let active = &batch.active;
                    passed.astray = std::array::from_fn(|w| passed.astray[w] | found[w] & active[w]);
                    let home: Plane<W> = std::array::from_fn(|w| active[w] & !found[w]);
                    passed.arrived += count(&home);
                }
            }
        }
    }
    for w in 0..W {
        passed.conflict[w] &= batch.active[w];
    }
    passed
}

#[inline(always)]
fn inject<const W: usize>(batch: &Batch<W>, which: &[u32], rows: &mut [Plane<W>]) {
    for &row in which {
        let lane = batch.order.lane_in[row as usize];
        let row = &mut rows[row as usize * batch.planes..][..batch.planes];
        let (source, label) = row.split_at_mut(batch.source_bits);
        for (bit, plane) in source.iter_mut().enumerate() {
            *plane = splat(lane >> bit & 1 == 1);
        }
        if let States::Labels(rotations) = batch.states {
            rotations.label(lane, label);
        }
    }
}

/// Both rows of a switch behind it.
#[inline(always)]
fn exchange<const W: usize>(mask: &Plane<W>, a: &Plane<W>, b: &Plane<W>) -> (Plane<W>, Plane<W>) {
    (select(mask, a, b), select(mask, b, a))
}

/// The rounds in which both inputs want one output.
#[inline(always)]
fn note_conflict<const W: usize>(conflict: &mut Plane<W>, a: &Plane<W>, b: &Plane<W>) {
    for w in 0..W {
        conflict[w] |= !(a[w] ^ b[w]);
    }
}

const APART: &str = "the rows of an order are inside and apart";

/// A stage under label control: the label bit of the upper input, in plane `label`, is the state.
#[inline(always)]
fn label_pairs<const W: usize>(
    pairs: &[Pair],
    planes: usize,
    label: usize,
    rows: &mut [Plane<W>],
    conflict: &mut Plane<W>,
) {
    for pair in pairs {
        let ranges = pair.map(|row| (row >> 1) as usize * planes).map(|at| at..at + label + 1);
        let [a, b] = rows.get_disjoint_mut(ranges).expect(APART);
        let ((mask, a), (other, b)) = (split(a), split(b));
        note_conflict(conflict, &mask, &other);
        for (a, b) in a.iter_mut().zip(b) {
            (*a, *b) = exchange(&mask, a, b);
        }
    }
}

/// The last plane and the others.
#[inline(always)]
fn split<const W: usize>(row: &mut [Plane<W>]) -> (Plane<W>, &mut [Plane<W>]) {
    let (last, others) = row.split_last_mut().expect("a row has planes");
    (*last, others)
}

/// Two stages under label control: the label bits are in plane `label` and the one before.
#[inline(always)]
fn label_fours<const W: usize>(
    fours: &[Four],
    planes: usize,
    label: usize,
    rows: &mut [Plane<W>],
    conflict: &mut Plane<W>,
) {
    for four in fours {
        let ranges = four.map(|row| (row >> 1) as usize * planes).map(|at| at..at + label + 1);
        let [a, b, c, d] = rows.get_disjoint_mut(ranges).expect(APART);
        let (ab, cd) = (a[label], c[label]);
        note_conflict(conflict, &ab, &b[label]);
        note_conflict(conflict, &cd, &d[label]);
        let next = label - 1;
        (a[next], b[next]) = exchange(&ab, &a[next], &b[next]);
        (c[next], d[next]) = exchange(&cd, &c[next], &d[next]);
        let (ac, bd) = (a[next], b[next]);
        note_conflict(conflict, &ac, &c[next]);
        note_conflict(conflict, &bd, &d[next]);
        four_planes([&mut a[..next], &mut b[..next], &mut c[..next], &mut d[..next]], [ab, cd, ac, bd]);
    }
}

/// The planes of four rows through two stages.
#[inline(always)]
fn four_planes<const W: usize>(rows: [&mut [Plane<W>]; 4], [ab, cd, ac, bd]: [Plane<W>; 4]) {
    let [a, b, c, d] = rows;
    for (((a, b), c), d) in a.iter_mut().zip(b).zip(c).zip(d) {
        let (first, second) = (exchange(&ab, a, b), exchange(&cd, c, d));
        (*a, *c) = exchange(&ac, &first.0, &second.0);
        (*b, *d) = exchange(&bd, &first.1, &second.1);
    }
}

/// A stage under stage or systolic control.
#[inline(always)]
fn stage_pairs<const W: usize>(pairs: &[Pair], planes: usize, masks: &[Plane<W>; 2], rows: &mut [Plane<W>]) {
    for pair in pairs {
        let ranges = pair.map(|row| (row >> 1) as usize * planes).map(|at| at..at + planes);
        let [a, b] = rows.get_disjoint_mut(ranges).expect(APART);
        let mask = masks[pair[0] as usize & 1];
        for (a, b) in a.iter_mut().zip(b) {
            (*a, *b) = exchange(&mask, a, b);
        }
    }
}

/// Two stages under stage or systolic control.
#[inline(always)]
fn stage_fours<const W: usize>(
    fours: &[Four],
    planes: usize,
    masks: [&[Plane<W>; 2]; 2],
    rows: &mut [Plane<W>],
) {
    for four in fours {
        let ranges = four.map(|row| (row >> 1) as usize * planes).map(|at| at..at + planes);
        let four_rows = rows.get_disjoint_mut(ranges).expect(APART);
        let [ab, ac, cd, bd] = four.map(|row| (row & 1) as usize);
        let states = [masks[0][ab], masks[0][cd], masks[1][ac], masks[1][bd]];
        four_planes(four_rows, states);
    }
}

/// The senders of what stands in a row, by round.
#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx+avx2+bmi1+bmi2",
    "x86_64+avx+avx2+bmi1+bmi2"
))]
pub(super) fn senders<const W: usize>(planes: &[Plane<W>], senders: &mut [u32]) {
    super::plane::numbers(planes, senders);
}
