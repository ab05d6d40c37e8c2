//! Snapshots handed over to another thread, as copies: those that were seen are filled again.

use frit_model::{Lanes, Snapshot, WaveObserver};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Bytes of the copies that are handed over together: to wake a thread costs more than to copy a snapshot.
const GROUP_BYTES: usize = 1 << 19;

/// Groups that may wait. Who hands over another waits too, so memory is bounded whatever the length of the run.
const WAITING: usize = 2;

/// Where the run shows its snapshots.
pub(super) struct Copies {
    group: Group,
    full: SyncSender<Group>,
    /// Groups to be filled again.
    seen: Receiver<Group>,
}

/// Where the other thread sees them.
pub(super) struct Shown {
    full: Receiver<Group>,
    seen: SyncSender<Group>,
}

/// The first `count` snapshots are to be seen; those behind them are only there to be filled again.
#[derive(Default)]
struct Group {
    snapshots: Vec<Snapshot>,
    count: usize,
    bytes: usize,
}

/// Both ends.
pub(super) fn pair() -> (Copies, Shown) {
    let (full, shown) = sync_channel(WAITING);
    // All groups that there are: one is being filled, one being seen.
    let (seen, again) = sync_channel(WAITING + 2);
    (Copies { group: Group::default(), full, seen: again }, Shown { full: shown, seen })
}

impl Copies {
    /// Hands over what is left, and closes.
    pub(super) fn finish(mut self) {
        self.hand_over();
    }

    fn hand_over(&mut self) {
        let next = self.seen.try_recv().unwrap_or_default();
        // Nobody takes it: the thread has ended, and says why when it is joined.
        let _ = self.full.send(std::mem::replace(&mut self.group, next));
    }
}

impl WaveObserver for Copies {
    fn snapshot(&mut self, snapshot: &Snapshot) {
        let Group { snapshots, count, bytes } = &mut self.group;
        match snapshots.get_mut(*count) {
            Some(copy) => copy_into(copy, snapshot),
            None => snapshots.push(snapshot.clone()),
        }
        *count += 1;
        *bytes += bytes_of(snapshot);
        if *bytes >= GROUP_BYTES {
            self.hand_over();
        }
    }
}

impl Shown {
    /// Calls `see` for each until the other end closes.
    pub(super) fn each(self, mut see: impl FnMut(&Snapshot)) {
        for mut group in self.full {
            group.snapshots[..group.count].iter().for_each(&mut see);
            (group.count, group.bytes) = (0, 0);
            // Nobody wants it any more when the run has ended.
            let _ = self.seen.try_send(group);
        }
    }
}

/// Nearly all that a snapshot takes.
fn bytes_of(snapshot: &Snapshot) -> usize {
    snapshot.stages.iter().map(|lanes| lanes.valid.len() + 8 * lanes.data.len()).sum()
}

/// A copy into the vectors that are there; the `clone_from` that a struct derives makes new ones.
fn copy_into(copy: &mut Snapshot, snapshot: &Snapshot) {
    // By name, so that none is forgotten.
    let Snapshot {
        period,
        reset,
        start,
        ready,
        busy,
        done,
        conflict,
        cycles,
        send,
        send_destinations,
        receive,
        receive_sources,
        control,
        passes,
        stages,
    } = snapshot;
    (copy.period, copy.reset, copy.start, copy.busy, copy.done) = (*period, *reset, *start, *busy, *done);
    copy.ready = *ready;
    (copy.conflict, copy.cycles, copy.passes) = (*conflict, *cycles, *passes);
    copy.send_destinations.clone_from(send_destinations);
    copy.receive_sources.clone_from(receive_sources);
    copy.control.clone_from(control);
    copy_lanes(&mut copy.send, send);
    copy_lanes(&mut copy.receive, receive);
    copy.stages.iter_mut().zip(stages).for_each(|(copy, lanes)| copy_lanes(copy, lanes));
}

fn copy_lanes(copy: &mut Lanes, lanes: &Lanes) {
    copy.valid.clone_from(&lanes.valid);
    copy.data.clone_from(&lanes.data);
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_schedule::{Request, plan};
    use frit_traffic::Payload;

    /// More snapshots than the groups hold that there may be, so that copies are filled again.
    #[test]
    fn each_snapshot_arrives_as_it_was() {
        for (request, width_bits) in [
            (Request::new("rls", 128), 200),
            (Request::new("obf", 64), 2000),
            (Request::new("gsen", 130).with("algorithm", "ata2"), 200),
            (Request::new("rls-folded", 128), 200),
        ] {
            let plan = plan(&request).unwrap();
            let payload = Payload::random(plan.network.terminals(), width_bits, 1);
            let mut expected: Vec<Snapshot> = Vec::new();
            frit_model::waves(&plan, &payload, &mut expected);
            let bytes: usize = expected.iter().map(bytes_of).sum();
            assert!(bytes > 2 * (WAITING + 2) * GROUP_BYTES, "{request:?} shows only {bytes} bytes");
            let (mut copies, shown) = pair();
            let seen = std::thread::scope(|scope| {
                let thread = scope.spawn(|| {
                    let mut seen = Vec::new();
                    shown.each(|snapshot| seen.push(snapshot.clone()));
                    seen
                });
                frit_model::waves(&plan, &payload, &mut copies);
                copies.finish();
                thread.join().unwrap()
            });
            assert!(seen == expected, "{request:?}");
        }
    }
}
