//! Demands, and matrices of permuted index bits.

use crate::mutate;
use crate::rules::{Answer, Outcome, equal, refused};
use crate::scratch::Scratch;
use frit_demand::check::check;
use frit_demand::plan_file;
use frit_demand::ranks::{self, RankFile};
use frit_demand::read::Reading;
use frit_demand::{Demand, benes, read, run, write};
use frit_permute::gf2::Matrix;
use frit_traffic::random::SplitMix64;

/// Terminals of a demand that is planned: more take long.
const PLANNED: u32 = 16;

/// A demand in any form: written in each form that can be read and read again; on a small one the plan carries it.
pub(super) fn demand(_: &Scratch, input: &[u8]) -> Outcome {
    let again = |bytes: &[u8]| -> Result<Demand, String> {
        read(bytes, Reading::default()).map_err(|error| error.to_string())
    };
    let made = match read_all(input) {
        Ok(made) => made,
        Err(error) => return refused(&error, &[]),
    };
    let sums = |words: &[u32]| words.iter().map(|&words| u64::from(words)).sum::<u64>();
    equal("sums", &[sums(made.sent()), sums(made.received())], &[made.total(); 2])?;
    let forms = [write::csv(&made).into_bytes(), write::json(&made).into_bytes(), write::npy(&made)];
    for (form, bytes) in ["csv", "json", "npy"].into_iter().zip(forms) {
        equal(form, &again(&bytes)?.matrix().to_vec(), &made.matrix().to_vec())?;
    }
    if made.terminals() > PLANNED || !made.terminals().is_power_of_two() || made.terminals() < 4 {
        return Ok(Answer::Taken);
    }
    let exchange = benes::plan(&made).map_err(|error| error.to_string())?;
    let report = run(&made, &exchange, &mut ()).map_err(|fault| fault.to_string())?;
    equal("rounds", &report.rounds, &u64::from(made.h()))?;
    Ok(Answer::Taken)
}

/// A file, or the files of all ranks with form feeds between them: the first choices that there are.
fn read_all(input: &[u8]) -> Result<Demand, frit_network::Refusal> {
    if !input.contains(&0x0c) {
        return read(input, Reading::default());
    }
    let files = input.split(|&byte| byte == 0x0c).enumerate();
    let files = files.map(|(rank, bytes)| RankFile::parse(&format!("rank{rank}"), bytes));
    let reading = Reading { experts_per_rank: Some(2), word_bytes: Some(4), ..Reading::default() };
    Ok(ranks::demand(files.collect::<Result<_, _>>()?, reading)?.0)
}

/// Numbers in lines, or an array.
pub(super) fn mutate_demand(input: &mut Vec<u8>, random: &mut SplitMix64) {
    match input.starts_with(b"\x93NUMPY") {
        true => mutate::bytes(input, random),
        false => mutate::text(
            input,
            random,
            &[
                "source,destination,words\n",
                "4294967295",
                ",",
                "\n",
                "0",
                "1",
                "[",
                "]",
                "#",
                "\x0c",
                "rank 1: ",
            ],
        ),
    }
}

/// The change time of the plans that are read.
const DELTA: u32 = 3;

/// A plan in any form: written in both forms it is read again as the same plan. On few terminals it is checked against the largest demand that it
/// carries, and against a word more.
pub(super) fn plan(_: &Scratch, input: &[u8]) -> Outcome {
    let plan = match plan_file::read(input, DELTA) {
        Ok(plan) => plan,
        Err(error) => {
            return refused(&error, &["line", "column", "configurations[", "JSON", "text", "ends in"]);
        }
    };
    let again = |write: &dyn Fn(&mut Vec<u8>) -> std::io::Result<()>| {
        let mut bytes = Vec::new();
        write(&mut bytes).map_err(|error| error.to_string())?;
        plan_file::read(&bytes, 0).map_err(|error| error.to_string())
    };
    equal("csv", &again(&|out| plan.csv(out, None))?.rows, &plan.rows)?;
    equal("json", &again(&|out| plan.json(out, None))?.rows, &plan.rows)?;
    if !(2..=PLANNED).contains(&plan.terminals) {
        return Ok(Answer::Taken);
    }
    // What the configurations join, counted in cycles, is the largest demand that they carry.
    let n = plan.terminals as usize;
    let mut words = vec![0u64; n * n];
    for row in &plan.rows {
        for (from, to) in row.circuits().filter(|&(_, to)| usize::from(to) < n) {
            let cell: &mut u64 = &mut words[from * n + usize::from(to)];
            *cell = cell.saturating_add(row.hold);
        }
    }
    let most: Vec<u32> = words.iter().map(|&words| u32::try_from(words).unwrap_or(u32::MAX)).collect();
    let Ok(carried) = Demand::new(plan.terminals, most.clone()) else { return Ok(Answer::Taken) };
    if check(&carried, &plan, 0).is_ok() {
        equal("bound", &(u64::from(carried.h()) <= plan.cycles() * u64::from(plan.planes)), &true)?;
        let more =
            most.iter().zip(&words).position(|(&most, &words)| u64::from(most) == words && most < u32::MAX);
        if let Some(at) = more {
            let mut more = most;
            more[at] += 1;
            let Ok(more) = Demand::new(plan.terminals, more) else { return Ok(Answer::Taken) };
            equal("a word more", &check(&more, &plan, 0).is_ok(), &false)?;
        }
    }
    Ok(Answer::Taken)
}

/// A matrix over GF(2) with a constant: its inverse undoes it, and it is the same when it is written and read again.
pub(super) fn matrix(_: &Scratch, input: &[u8]) -> Outcome {
    let (matrix, constant) = match Matrix::parse(&String::from_utf8_lossy(input)) {
        Ok(read) => read,
        Err(error) => return refused(&error, &["line ", "rows", "no row", "xor", "rank"]),
    };
    let size = matrix.rows().len();
    let line = |bits: u64| format!("{bits:0size$b}\n");
    let rows: String = matrix.rows().iter().rev().map(|&row| line(row)).collect();
    let written = format!("{rows}xor {}", line(constant));
    equal(
        "matrix",
        &Matrix::parse(&written).map_err(|error| error.to_string())?,
        &(matrix.clone(), constant),
    )?;
    equal("rank", &matrix.rank(), &(size as u32))?;
    Ok(Answer::Taken)
}
