//! What routers' testbenches write.

use crate::rules::{Answer, Outcome, refused};
use crate::scratch::Scratch;
use frit_cosim::{dilated, multibutterfly};
use std::path::Path;

pub(super) fn events(_: &Scratch, input: &[u8]) -> Outcome {
    let path = Path::new("events.csv");
    let rows = input.split(|&byte| byte == b'\n').count();
    let read = [
        dilated::events::shunts(input, path).map(|shunts| shunts.len()),
        dilated::events::arrivals(input, path).map(|arrivals| arrivals.len()),
        multibutterfly::events::events(input, path).map(|events| events.len()),
    ];
    let mut answer = Answer::Refused;
    for read in read {
        match read {
            Ok(count) if count > rows => return Err(format!("{count} events in {rows} lines")),
            Ok(_) => answer = Answer::Taken,
            Err(error) => drop(refused(&error, &[", line "])?),
        }
    }
    Ok(answer)
}
