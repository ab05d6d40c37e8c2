//! One target under libFuzzer: `FRIT_FUZZ=vcd frit-fuzz CORPUS...`. `scripts/fuzz` builds it with coverage and runs all.
#![no_main]

use frit_fuzz::{Scratch, SplitMix64, Target};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use std::sync::LazyLock;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("FRIT_FUZZ").unwrap_or_default();
    Target::named(&name).unwrap_or_else(|| panic!("FRIT_FUZZ={name}: no such target"))
});
static SCRATCH: LazyLock<Scratch> = LazyLock::new(|| match std::env::var_os("FRIT") {
    Some(command) => Scratch::new().with_command(command),
    None => Scratch::new(),
});

fuzz_target!(|input: &[u8]| {
    if let Err(fault) = TARGET.run(&SCRATCH, input) {
        panic!("{}: {fault}", TARGET.name);
    }
});

// Half by form, half by the engine's own changes of bytes.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut random = SplitMix64(seed.into());
    if random.below(2) == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let mut input = data[..size].to_vec();
    (TARGET.mutate)(&mut input, &mut random);
    input.truncate(max_size);
    data[..input.len()].copy_from_slice(&input);
    input.len()
});
