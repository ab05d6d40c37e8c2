//! Agents: each drives and reads some ports of a core on the rust-hdl network. There is one for clock and reset ([`Core`]), for streams
//! ([`Stream`]), and for outputs that say that something happened ([`Marks`]). A bench is made of these and of what is special about its
//! core.
//!
//! A cycle of a bench: set the inputs, [`Core::settle`], look at the outputs, [`Core::edge`].

use frit_cells::design::pinout::Pinout;
use frit_cells::netlist::Netlist;
use frit_cells::netlist::simulate::{NamedNet, Simulated};
use frit_model::event::Mark;
use frit_network::Refusal;

/// The network of a core, with its clock and reset.
pub struct Core {
    design: Simulated,
    pinout: Pinout,
    clk: NamedNet,
    rst: NamedNet,
}

impl Core {
    /// The network of a netlist with ports `clk_i` and `rst_i`.
    ///
    /// # Errors
    ///
    /// If rust-hdl cannot simulate it.
    pub fn new(netlist: &Netlist) -> Result<Core, Refusal> {
        Core::with(netlist, Pinout::OWN)
    }

    /// The network of a netlist whose top has this pinout. A bench calls the ports as they are called inside.
    ///
    /// # Errors
    ///
    /// As [`Core::new`].
    pub fn with(netlist: &Netlist, pinout: Pinout) -> Result<Core, Refusal> {
        let design = Simulated::new(netlist)?;
        let [clk, rst] = ["clk_i", "rst_i"].map(|name| port(&design, pinout.outer(name)));
        Ok(Core { design, pinout, clk, rst })
    }

    /// A port; panics if the core has none of this name.
    pub fn port(&self, name: &str) -> NamedNet {
        port(&self.design, self.pinout.outer(name))
    }

    /// The ports whose names begin with `prefix`.
    pub fn ports<const N: usize>(&self, prefix: &str, names: [&str; N]) -> [NamedNet; N] {
        names.map(|name| self.port(&format!("{prefix}{name}")))
    }

    /// A stream whose ports begin with `prefix`: those of its words are `payload`, valid and ready come by themselves.
    pub fn stream<const N: usize>(&self, prefix: &str, way: Way, payload: [&str; N]) -> Stream<N> {
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
    pub fn get(&self, net: &NamedNet, lane: u32) -> u64 {
        self.design.get(net, lane as usize)
    }

    /// Whether a port of one bit is 1.
    pub fn high(&self, net: &NamedNet) -> bool {
        self.get(net, 0) == 1
    }

    pub fn set(&mut self, net: &NamedNet, lane: u32, value: u64) {
        self.design.set(net, lane as usize, value);
    }

    pub fn settle(&mut self) -> Result<(), Refusal> {
        self.design.settle()
    }

    /// A rising edge of the clock, and the falling one.
    pub fn edge(&mut self) -> Result<(), Refusal> {
        for level in [1, 0] {
            self.design.set(&self.clk, 0, level);
            self.design.settle()?;
        }
        Ok(())
    }

    /// A reset of so many periods. The inputs keep what they have.
    pub fn reset(&mut self, periods: u32) -> Result<(), Refusal> {
        let reset = self.pinout.reset;
        self.design.set(&self.clk, 0, 0);
        self.design.set(&self.rst, 0, u64::from(!reset.low));
        self.design.settle()?;
        (0..periods).try_for_each(|_| self.edge())?;
        self.design.set(&self.rst, 0, reset.low.into());
        self.design.settle()?;
        (0..reset.delay()).try_for_each(|_| self.edge())
    }

    /// A reset of one period in which these inputs are high, in all their lanes.
    ///
    /// # Errors
    ///
    /// As [`Core::settle`].
    pub fn reset_with(&mut self, high: &[&NamedNet]) -> Result<(), Refusal> {
        for net in high {
            (0..net.lanes()).for_each(|lane| self.design.set(net, lane, 1));
        }
        self.reset(1)
    }
}

fn port(design: &Simulated, name: &str) -> NamedNet {
    design.find("", name).unwrap_or_else(|| panic!("the core has a port {name}"))
}

/// Which way the words of a stream go.
#[derive(Clone, Copy)]
pub enum Way {
    In,
    Out,
}

/// A stream, or one for each lane.
pub struct Stream<const N: usize> {
    pub valid: NamedNet,
    pub ready: NamedNet,
    pub payload: [NamedNet; N],
}

impl<const N: usize> Stream<N> {
    /// Offers a word to the core, or none; the payload is driven in either case.
    pub fn offer(&self, core: &mut Core, lane: u32, valid: bool, payload: [u64; N]) {
        core.set(&self.valid, lane, valid.into());
        for (net, value) in self.payload.iter().zip(payload) {
            core.set(net, lane, value);
        }
    }

    /// The word that is taken in this cycle, if one is.
    pub fn taken(&self, core: &Core, lane: u32) -> Option<[u64; N]> {
        let taken = core.get(&self.valid, lane) & core.get(&self.ready, lane) == 1;
        taken.then(|| self.payload.each_ref().map(|net| core.get(net, lane)))
    }
}

impl Stream<2> {
    /// The words (data, `tlast`) that are taken in this cycle: the lane of each, and the word with `tlast` above it.
    pub fn words(&self, core: &Core, width: u32) -> Vec<(u32, u128)> {
        let word = |lane| {
            let [data, last] = self.taken(core, lane)?;
            Some((lane, u128::from(data) | u128::from(last) << width))
        };
        (0..self.valid.lanes() as u32).filter_map(word).collect()
    }
}

/// Outputs that say that something happened: a pulse each time, or, if they stay high, once.
pub struct Marks<W> {
    /// The port, what it says, and for one that stays: whether it was high before.
    ports: Vec<(NamedNet, W, Option<bool>)>,
}

impl<W: Mark> Marks<W> {
    pub fn new(core: &Core) -> Marks<W> {
        let port = |&what: &W| Some((core.port(what.port()?), what, what.stays().then_some(false)));
        Marks { ports: W::ALL.iter().filter_map(port).collect() }
    }

    /// A phase begins.
    pub fn forget(&mut self) {
        self.ports.iter_mut().for_each(|(.., before)| *before = before.map(|_| false));
    }

    /// What is said in this cycle.
    pub fn said(&mut self, core: &Core) -> Vec<W> {
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
