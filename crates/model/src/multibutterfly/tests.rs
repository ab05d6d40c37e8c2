//! One corpus for every engine: figures of two independent references, random small problems.

use super::*;
use frit_router::multibutterfly::traffic::Traffic;
use frit_router::multibutterfly::{Parameters, Problem};

/// n, d, R, h, ha, L, Z, strict, traffic, free, seed, force, X -> ok stages delivered/total max_raw max_fill max_W through link late
/// requests ghosts_deleted word_steps digest; of the references.
const VECTORS: &str = "\
4 2 1 2 2 1 1 yes perm 4 18 no 0 -> true 4 32/32 20 10 16 4 3 5 62 368 40 0x5538cecec034440e
4 4 2 4 4 1 1 yes perm 8 5 no 0 -> true 4 64/64 9 6 8 6 4 1 20 272 41 0xed9bc7a0eafb53d8
4 4 2 4 4 1 2 no hcopies 4 1 no 0 -> true 4 64/64 6 4 4 6 3 0 0 192 49 0x2fad8d88e6c05c16
8 8 4 8 8 8 1 yes hcopies 64 1 no 0 -> true 8 256/256 10 8 16 8 5 18 480 7672 79 0xa5c8311742bc8824
8 8 4 8 8 1 2 yes hcopies 64 1 no 0 -> false 9 0/2048 512 512 512 8 0 0 2048 0 90 0xd63d197c75243d00
8 8 4 8 8 1 2 yes hcopies 64 1 yes 0 -> true 8 2048/2048 16 14 16 16 7 0 2864 14336 108 0xc7d227f3f4b03b18
6 8 4 16 8 1 2 yes perm 64 1 no 32 -> true 11 512/512 10 9 16 10 6 0 0 2560 248 0x864ce8b28a2a159e";

fn vector(line: &str) -> (Problem, &str) {
    let (given, expected) = line.split_once(" -> ").unwrap();
    let given: Vec<&str> = given.split(' ').collect();
    let number = |at: usize| given[at].parse::<u32>().unwrap();
    let parameters = Parameters {
        degree: number(1),
        committed: number(2),
        threshold: number(3),
        offered: number(4),
        stride: number(5),
        requests: number(6),
        strict: given[7] == "yes",
        free: number(9),
        force: given[11] == "yes",
        payload: number(12),
        ..Parameters::new(1 << number(0), number(10).into())
    };
    let messages = Traffic::named(given[8]).unwrap().messages(&parameters);
    (Problem::new(parameters, &messages).unwrap(), expected)
}

fn text(got: &RoutingOutcome) -> String {
    let f = got.figures;
    format!(
        "{} {} {}/{} {} {} {} {} {} {} {} {} {} {:#x}",
        got.ok(),
        got.stages,
        got.delivered,
        got.total,
        f.max_raw,
        f.max_fill,
        f.max_w,
        f.max_through,
        f.max_link,
        f.late,
        f.requests,
        f.ghosts_deleted,
        f.word_steps,
        got.digest
    )
}

#[test]
fn the_figures_of_the_references_digest_by_digest() {
    let mut wrong = String::new();
    for line in VECTORS.lines() {
        let (problem, expected) = vector(line);
        let got = text(&run(&problem, |_| ()));
        if got != expected {
            wrong += &format!("{line}\n     got {got}\n");
        }
    }
    assert_eq!(wrong, "", "\n{wrong}");
}
