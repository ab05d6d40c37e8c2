//! The events of a run: as CSV in a file, or as columns for a program that calls the command.

use crate::args::RouteArgs;
use anyhow::Result;
use frit_trace::output;
use frit_traffic::event::{Event, EventColumns, EventsCsv};

/// The events of one run, in the forms that are wanted.
pub struct Log {
    csv: Option<EventsCsv>,
    columns: Option<Vec<EventColumns>>,
    events: u32,
}

impl Log {
    /// No events yet.
    pub fn new<E: Event>(args: &RouteArgs) -> Self {
        Log {
            csv: args.events.as_ref().map(|_| EventsCsv::new::<E>()),
            columns: args.seen.as_ref().map(|_| EventColumns::new::<E>()),
            events: 0,
        }
    }

    /// Whether anybody wants events; telling them takes time.
    pub fn wanted(&self) -> bool {
        self.csv.is_some() || self.columns.is_some()
    }

    /// Takes the next event.
    pub fn write<E: Event>(&mut self, event: &E) {
        if let Some(csv) = &mut self.csv {
            csv.write(event);
        }
        if let Some(columns) = &mut self.columns {
            EventColumns::take(columns, self.events, event);
            self.events += 1;
        }
    }

    /// Writes the file, and hands on the columns.
    pub fn finish(self, args: &RouteArgs) -> Result<()> {
        if let (Some(path), Some(csv)) = (&args.events, self.csv) {
            output::write_file(path, csv.finish())?;
        }
        if let (Some(seen), Some(columns)) = (&args.seen, self.columns) {
            seen.put(columns);
        }
        Ok(())
    }
}
