//! Traces of engines.

use crate::rules::{Answer, Outcome, equal, refused};
use crate::scratch::Scratch;
use frit_trace::trace::{
    DeliveriesCsv, STATES_HEADER, SettingsCsv, read_deliveries, read_settings, read_states,
};
use frit_traffic::trace::{Observer, Setting};

const PLACES: [&str; 2] = [", line ", ": stream did not contain valid UTF-8"];

pub(super) fn settings(_: &Scratch, input: &[u8]) -> Outcome {
    let settings = match read_settings(input, "settings.csv") {
        Ok(settings) => settings,
        Err(error) => return refused(&error, &PLACES),
    };
    let mut writer = SettingsCsv::new(Vec::new());
    settings.iter().for_each(|&setting| writer.setting(setting));
    let written = writer.finish().map_err(|error| error.to_string())?;
    equal("settings", &read_settings(&written[..], "again").map_err(|e| e.to_string())?, &settings)?;
    Ok(Answer::Taken)
}

pub(super) fn deliveries(_: &Scratch, input: &[u8]) -> Outcome {
    let deliveries = match read_deliveries(input, "deliveries.csv") {
        Ok(deliveries) => deliveries,
        Err(error) => return refused(&error, &PLACES),
    };
    // Words are written in as many digits as the widest has: their values are compared.
    let limbs = deliveries.iter().filter_map(|d| d.payload.as_ref()).map(Vec::len).max().unwrap_or(1);
    let mut wide = deliveries.clone();
    wide.iter_mut().filter_map(|d| d.payload.as_mut()).for_each(|word| word.resize(limbs, 0));
    let mut writer = DeliveriesCsv::new(Vec::new(), 64 * limbs as u32);
    wide.iter().for_each(|delivery| writer.delivery(delivery));
    let written = writer.finish().map_err(|error| error.to_string())?;
    // Sorted as they were by words of other lengths, they need not be any longer.
    match read_deliveries(&written[..], "again") {
        Ok(again) => equal("deliveries", &again, &wide)?,
        Err(error) if error.to_string().contains("sorted") => {}
        Err(error) => return Err(error.to_string()),
    }
    Ok(Answer::Taken)
}

pub(super) fn states(_: &Scratch, input: &[u8]) -> Outcome {
    let settings = match read_states(input, "states.csv") {
        Ok(settings) => settings,
        Err(error) => return refused(&error, &PLACES),
    };
    let mut written = STATES_HEADER.to_string() + "\n";
    // Switch 0 begins a stage.
    let rows = settings.chunk_by(|_, next| next.switch != 0);
    for row in rows {
        let digits: String = row.iter().rev().map(|s| if s.state { '1' } else { '0' }).collect();
        written += &format!("{},{},{digits}\n", row[0].cycle, row[0].stage);
    }
    let again: Vec<Setting> = read_states(written.as_bytes(), "again").map_err(|e| e.to_string())?;
    equal("states", &again, &settings)?;
    Ok(Answer::Taken)
}
