//! The engines as functions: packet-hops a second, beside copying as many bytes once per stage. Compare figures of one
//! run only.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use frit_schedule::{Request, plan};
use frit_traffic::Payload;
use std::hint::black_box;

fn exchange(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("exchange");
    group.sample_size(10);
    for (system, terminals) in [("rls", 64), ("rls", 256), ("gsen", 64), ("obf", 64)] {
        let plan = plan(&Request::new(system, terminals)).expect("a size of the system");
        let payload = Payload::random(terminals as u32, 32, 1);
        let hops = plan.rounds as u64 * plan.network.lanes() as u64 * plan.network.stages() as u64;
        group.throughput(Throughput::Elements(hops * plan.phases.count()));
        group.bench_function(BenchmarkId::new("model", plan.name()), |bencher| {
            bencher.iter(|| frit_model::exchange(black_box(&plan), Some(&payload), &mut ()));
        });
        group.bench_function(BenchmarkId::new("fast", plan.name()), |bencher| {
            bencher.iter(|| frit_model::fast::exchange(black_box(&plan), None, &mut ()));
        });
        let tokens = vec![0u32; plan.network.lanes() as usize];
        let mut copy = tokens.clone();
        let copies = hops * plan.phases.count() / tokens.len() as u64;
        group.bench_function(BenchmarkId::new("copy", plan.name()), |bencher| {
            bencher.iter(|| {
                for _ in 0..copies {
                    copy.copy_from_slice(black_box(&tokens));
                    black_box(&mut copy);
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, exchange);
criterion_main!(benches);
