//! What a routed system does in each command. This is the only place that asks which system it is.

use super::route::{self, report::RouteReport};
use super::verify::routed::{Verified, VerifyRequest};
use super::{generate, network, synth, verify, view};
use crate::Verdict;
use crate::args::{GenerateArgs, NetworkArgs, RouteArgs, SynthArgs, ViewArgs};
use crate::ui::Ui;
use anyhow::{Result, bail};
use frit_network::options::Row;
use frit_router::Router;
use frit_router::dilated::Dilated;
use frit_router::multibutterfly::Multibutterfly;
use frit_view::Film;

/// The commands of a routed system. One that a system leaves out is refused.
pub trait Commands: Router {
    /// `frit generate`.
    fn generate(&self, _: &Ui, _: &GenerateArgs) -> Result<Verdict> {
        refused("generate", self.row())
    }
    /// `frit network`: the text that is given.
    fn network(&self, args: &NetworkArgs) -> Result<String>;
    /// `frit route`.
    fn route(&self, ui: &Ui, args: &RouteArgs) -> Result<RouteReport>;
    /// `frit synth`.
    fn synth(&self, _: &Ui, _: &SynthArgs) -> Result<Verdict> {
        refused("synth", self.row())
    }
    /// `frit verify` of one of `many` designs.
    fn verify(&self, asked: &VerifyRequest, many: bool) -> Result<Verified>;
    /// `frit view`: the film of the page.
    fn film(&self, _: &ViewArgs) -> Result<Film> {
        refused("view", self.row())
    }
}

fn refused<T>(command: &str, row: &Row) -> Result<T> {
    bail!("frit {command} does not apply to {}; use frit route or frit verify", row.key)
}

/// The commands of a router that is of a system, if it is.
type Of = fn(&dyn Router) -> Option<&dyn Commands>;

const SYSTEMS: &[Of] = &[
    of::<Dilated>,
    of::<Multibutterfly>,
    #[cfg(test)]
    of::<crate::omega::Omega>,
];

fn of<S: Commands>(router: &dyn Router) -> Option<&dyn Commands> {
    router.of::<S>().map(|system| system as &dyn Commands)
}

pub fn commands(router: &dyn Router) -> &dyn Commands {
    let found = SYSTEMS.iter().find_map(|of| of(router));
    found.unwrap_or_else(|| panic!("{} has no commands", router.row().key))
}

macro_rules! delegate {
    ($system:ty, $module:ident) => {
        impl Commands for $system {
            fn generate(&self, ui: &Ui, args: &GenerateArgs) -> Result<Verdict> {
                generate::$module::run(ui, args, self)
            }
            fn network(&self, args: &NetworkArgs) -> Result<String> {
                network::$module::network(args, self)
            }
            fn route(&self, ui: &Ui, args: &RouteArgs) -> Result<RouteReport> {
                route::$module::route(ui, args, self)
            }
            fn synth(&self, ui: &Ui, args: &SynthArgs) -> Result<Verdict> {
                synth::$module::run(ui, args, self)
            }
            fn verify(&self, asked: &VerifyRequest, many: bool) -> Result<Verified> {
                verify::$module::verify(asked, self, many)
            }
            fn film(&self, args: &ViewArgs) -> Result<Film> {
                view::routed::$module(args, self)
            }
        }
    };
}

delegate!(Dilated, dilated);
delegate!(Multibutterfly, multibutterfly);
