//! Waves for the tests: a design of a clock, a reset and three signals.
#![allow(dead_code)] // Each test binary uses a part of it.

use std::path::{Path, PathBuf};

use frit_trace::wave::{SignalDecl, WaveWriter};

pub const PERIOD: u64 = 10;

/// Values of `valid` (1 bit), `label` (33 bits) and `data` (200 bits) in one cycle; `None` is x.
#[derive(Clone, Debug, PartialEq)]
pub struct Cycle {
    pub reset: bool,
    pub valid: Option<u64>,
    pub label: Option<u64>,
    pub data: Option<[u64; 4]>,
}

pub fn cycles(count: u64) -> Vec<Cycle> {
    (0..count)
        .map(|cycle| Cycle {
            reset: false,
            valid: Some(cycle % 3 % 2),
            label: Some(cycle * 0x1_2345_6789 % (1 << 33)),
            data: Some([cycle, !cycle, cycle << 32, cycle % 256]),
        })
        .collect()
}

/// The same run after some cycles of reset.
pub fn after_reset(reset: usize, cycles: &[Cycle]) -> Vec<Cycle> {
    let idle = Cycle { reset: true, valid: None, label: None, data: None };
    std::iter::repeat_n(idle, reset).chain(cycles.iter().cloned()).collect()
}

pub fn decl(scope: &str, name: &str, width_bits: u32) -> SignalDecl {
    SignalDecl { scope: scope.split('.').map(str::to_string).collect(), name: name.to_string(), width_bits }
}

/// Writes a run under the scopes `top` and `top.u_fabric`: values change on rising edges, and one
/// more edge ends the last cycle.
pub fn write(path: &Path, top: &str, cycles: &[Cycle]) -> PathBuf {
    let fabric = format!("{top}.u_fabric");
    let decls = [
        decl(&fabric, "data_o", 200),
        decl(top, "clk_i", 1),
        decl(top, "rst_i", 1),
        decl(&fabric, "valid_o", 1),
        decl(&fabric, "label", 33),
    ];
    let mut wave = WaveWriter::create(path, "1ns", &decls).unwrap();
    wave.change(1, &[0]).unwrap();
    let mut now = PERIOD / 2;
    for cycle in cycles {
        wave.time(now).unwrap();
        wave.change(1, &[1]).unwrap();
        wave.change(2, &[cycle.reset.into()]).unwrap();
        set(&mut wave, 3, cycle.valid.as_ref().map(std::slice::from_ref));
        set(&mut wave, 4, cycle.label.as_ref().map(std::slice::from_ref));
        set(&mut wave, 0, cycle.data.as_ref().map(|data| data.as_slice()));
        wave.time(now + PERIOD / 2).unwrap();
        wave.change(1, &[0]).unwrap();
        now += PERIOD;
    }
    wave.time(now).unwrap();
    wave.change(1, &[1]).unwrap();
    wave.finish().unwrap();
    path.to_path_buf()
}

fn set(wave: &mut WaveWriter, signal: usize, limbs: Option<&[u64]>) {
    match limbs {
        Some(limbs) => wave.change(signal, limbs).unwrap(),
        None => wave.change_to_x(signal).unwrap(),
    }
}
