//! Which options each kind of core takes. What other kinds take and a kind does not is refused here, with one text.

use crate::args::DesignArgs;
use crate::catalog::{ADDED, Entry, added};
use anyhow::{Result, bail};
use frit_network::options::Row;
use frit_permute::streamed_row;

/// The kinds that people instantiate. An option that no entry names, be it of these or of [`ADDED`], is for all kinds.
pub const REGISTRY: &[&Entry] = &[&EXCHANGE, &CROSSBAR, &LOADED, &STREAM, &DILATED, &MULTIBUTTERFLY];

fn entries() -> impl Iterator<Item = &'static Entry> {
    REGISTRY.iter().copied().chain(ADDED.iter().map(|system| &system.entry))
}

impl Entry {
    fn takes(&self, command: &str, option: &str) -> bool {
        let named = |taken: &str| match taken.split_once(':') {
            Some((of, taken)) => of == command && taken == option,
            None => taken == option,
        };
        self.takes.split_whitespace().any(named)
    }

    /// Refuses the first option on the command line that other kinds take and this one does not; `system` is the key of its system.
    pub fn refuse(&self, command: &str, system: &str, design: &DesignArgs) -> Result<()> {
        let given = &design.given.0;
        let proved = given.iter().any(|option| option == "formal");
        let wrong = |option: &&String| {
            entries().any(|entry| entry.takes(command, option))
                && !(self.takes(command, option)
                    && !(proved && self.unproved.split_whitespace().any(|other| other == *option)))
        };
        let Some(option) = given.iter().find(wrong) else { return Ok(()) };
        let (beside, others) = match self.takes(command, option) {
            true => (" with --formal", String::new()),
            false => {
                let others = entries().filter(|entry| entry.takes(command, option));
                ("", format!(": it is for {}", others.map(|entry| entry.name).collect::<Vec<_>>().join(", ")))
            }
        };
        bail!(
            "--{} does not apply to {}{beside}, {}{others}; leave it out",
            option.replace('_', "-"),
            if self.by_option { self.name } else { system },
            self.which
        )
    }
}

pub const EXCHANGE: Entry = Entry {
    name: "exchanges of planned systems",
    by_option: false,
    which: "which sends a word from every terminal to every terminal",
    takes: "width payload notation exchanges axis length buffers port_style tkeep tuser axil reset \
            reset_level selftest baud word_bytes link clock fabric_style netlist invert_lut formal proof_time \
            simulate:rounds simulate:settings simulate:deliveries simulate:received simulate:wave \
            view:fault view:settings view:deliveries view:still view:round view:seed network:round \
            network:messages network:path network:states",
    unproved: "",
};

pub const CROSSBAR: Entry = Entry {
    name: "a crossbar (--crossbar)",
    by_option: true,
    which: "which has streams and registers already",
    takes: "width crossbar sources netlist invert_lut formal proof_time",
    unproved: "netlist sources",
};

pub const LOADED: Entry = Entry {
    name: "a loaded schedule (--demand, --entries)",
    by_option: true,
    which: "whose rounds a demand or a user's schedule gives",
    takes: "width generate:demand verify:demand entries axis length netlist invert_lut formal proof_time",
    unproved: "axis length netlist",
};

pub const STREAM: Entry = Entry {
    name: "transpose, permute",
    by_option: false,
    which: "whose core has a stream in and one out already",
    takes: "width port_style axil reset reset_level netlist invert_lut formal proof_time",
    unproved: "netlist port_style axil reset reset_level",
};

pub const DILATED: Entry = Entry {
    name: "dilated",
    by_option: false,
    which: "whose packets --traffic, --seed and --set payload=M (bits) describe",
    takes: "traffic per_source direct units fabric_style netlist invert_lut view:seed network:step \
            network:seed",
    unproved: "",
};

pub const MULTIBUTTERFLY: Entry = Entry {
    name: "multibutterfly",
    by_option: false,
    which: "whose messages --traffic, --seed and --set ha=M (messages of a row) describe",
    takes: "traffic generate:per_source verify:per_source units netlist invert_lut view:seed \
            synth:seed synth:width network:message network:expansion network:seed",
    unproved: "",
};

/// The kind of a system that no option makes another.
pub fn of_system(key: &str) -> &'static Entry {
    match key {
        _ if let Some(added) = added(key) => &added.entry,
        "dilated" => &DILATED,
        "multibutterfly" => &MULTIBUTTERFLY,
        _ if streamed_row(key).is_some() => &STREAM,
        _ => &EXCHANGE,
    }
}

/// Refuses options of a command that other kinds take and that of the system does not.
pub fn refuse(command: &str, row: &Row, args: &DesignArgs) -> Result<()> {
    of_system(row.key).refuse(command, row.key, args)
}
