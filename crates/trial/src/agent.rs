//! What drives and reads the ports of a core on the rust-hdl network: its clock and reset, streams, and outputs that say that something
//! happened. A bench is made of these and of what is special about its core.

use frit_cells::netlist::Netlist;
use frit_cells::netlist::simulate::{NamedNet, Simulated};
use frit_model::event::Mark;
use frit_network::Refusal;

/// The network of a core, with its clock and reset.
pub(crate) struct Core {
    design: Simulated,
    clk: NamedNet,
    rst: NamedNet,
}

impl Core {
    pub(crate) fn new(netlist: &Netlist) -> Result<Core, Refusal> {
        let design = Simulated::new(netlist)?;
        let [clk, rst] = ["clk_i", "rst_i"].map(|name| port(&design, name));
        Ok(Core { design, clk, rst })
    }

    pub(crate) fn port(&self, name: &str) -> NamedNet {
        port(&self.design, name)
    }

    /// The ports whose names begin with `prefix`.
    pub(crate) fn ports<const N: usize>(&self, prefix: &str, names: [&str; N]) -> [NamedNet; N] {
        names.map(|name| self.port(&format!("{prefix}{name}")))
    }

    /// A stream whose ports begin with `prefix`: those of its words are `payload`, valid and ready come by themselves.
    pub(crate) fn stream<const N: usize>(&self, prefix: &str, way: Way, payload: [&str; N]) -> Stream<N> {
        let [there, back] = match way {
            Way::In => ["i", "o"],
            Way::Out => ["o", "i"],
        };
        Stream {
            valid: self.port(&format!("{prefix}tvalid_{there}")),
            ready: self.port(&format!("{prefix}tready_{back}")),
            payload: payload.map(|name| self.port(&format!("{prefix}{name}_{there}"))),
        }
    }

    /// The value of a lane of a port.
    pub(crate) fn get(&self, net: &NamedNet, lane: u32) -> u64 {
        self.design.get(net, lane as usize)
    }

    /// Whether a port of one bit is 1.
    pub(crate) fn high(&self, net: &NamedNet) -> bool {
        self.get(net, 0) == 1
    }

    pub(crate) fn set(&mut self, net: &NamedNet, lane: u32, value: u64) {
        self.design.set(net, lane as usize, value);
    }

    pub(crate) fn settle(&mut self) -> Result<(), Refusal> {
        self.design.settle()
    }

    /// A rising edge of the clock, and the falling one.
    pub(crate) fn edge(&mut self) -> Result<(), Refusal> {
        for level in [1, 0] {
            self.design.set(&self.clk, 0, level);
            self.design.settle()?;
        }
        Ok(())
    }

    /// A reset of so many periods. The inputs keep what they have.
    pub(crate) fn reset(&mut self, periods: u32) -> Result<(), Refusal> {
        self.design.set(&self.clk, 0, 0);
        self.design.set(&self.rst, 0, 1);
        self.design.settle()?;
        (0..periods).try_for_each(|_| self.edge())?;
        self.design.set(&self.rst, 0, 0);
        self.design.settle()
    }
}

fn port(design: &Simulated, name: &str) -> NamedNet {
    design.find("", name).unwrap_or_else(|| panic!("the core has a port {name}"))
}

/// Which way the words of a stream go.
#[derive(Clone, Copy)]
pub(crate) enum Way {
    In,
    Out,
}

/// A stream, or one for each lane.
pub(crate) struct Stream<const N: usize> {
    pub(crate) valid: NamedNet,
    pub(crate) ready: NamedNet,
    pub(crate) payload: [NamedNet; N],
}

impl<const N: usize> Stream<N> {
    /// Offers a word to the core, or none; the payload is driven in either case.
    pub(crate) fn offer(&self, core: &mut Core, lane: u32, valid: bool, payload: [u64; N]) {
        core.set(&self.valid, lane, valid.into());
        for (net, value) in self.payload.iter().zip(payload) {
            core.set(net, lane, value);
        }
    }

    /// The word that is taken in this cycle, if one is.
    pub(crate) fn taken(&self, core: &Core, lane: u32) -> Option<[u64; N]> {
        let taken = core.get(&self.valid, lane) & core.get(&self.ready, lane) == 1;
        taken.then(|| self.payload.each_ref().map(|net| core.get(net, lane)))
    }
}

/// Outputs that say that something happened: a pulse each time, or, if they stay high, once.
pub(crate) struct Marks<W> {
    /// The port, what it says, and for one that stays: whether it was high before.
    ports: Vec<(NamedNet, W, Option<bool>)>,
}

impl<W: Mark> Marks<W> {
    pub(crate) fn new(core: &Core) -> Marks<W> {
        let port = |&what: &W| Some((core.port(what.port()?), what, what.stays().then_some(false)));
        Marks { ports: W::ALL.iter().filter_map(port).collect() }
    }

    /// A phase begins.
    pub(crate) fn forget(&mut self) {
        self.ports.iter_mut().for_each(|(.., before)| *before = before.map(|_| false));
    }

    /// What is said in this cycle.
    pub(crate) fn said(&mut self, core: &Core) -> Vec<W> {
        let mut said = Vec::new();
        for (net, what, before) in &mut self.ports {
            let high = core.high(net);
            if high && *before != Some(true) {
                said.push(*what);
            }
            *before = before.map(|_| high);
        }
        said
    }
}
