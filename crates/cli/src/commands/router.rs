//! What a routed system does in each command. This is the only place that asks which system it is.

use super::route::{self, report::RouteReport};
use super::verify::routed::{Asked, Verified};
use super::{generate, network, synth, verify, view};
use crate::Verdict;
use crate::args::{GenerateArgs, NetworkArgs, RouteArgs, SynthArgs, ViewArgs};
use crate::ui::Ui;
use anyhow::Result;
use frit_router::Router;
use frit_router::dilated::Dilated;
use frit_router::multibutterfly::Multibutterfly;
use frit_view::Film;

/// The commands of a routed system.
pub trait Commands {
    /// `frit generate`.
    fn generate(&self, ui: &Ui, args: &GenerateArgs) -> Result<Verdict>;
    /// `frit network`: the text that is given.
    fn network(&self, args: &NetworkArgs) -> Result<String>;
    /// `frit route`.
    fn route(&self, ui: &Ui, args: &RouteArgs) -> Result<RouteReport>;
    /// `frit synth`.
    fn synth(&self, ui: &Ui, args: &SynthArgs) -> Result<Verdict>;
    /// `frit verify` of one of `many` designs.
    fn verify(&self, asked: &Asked, many: bool) -> Result<Verified>;
    /// `frit view`: the film of the page.
    fn film(&self, args: &ViewArgs) -> Result<Film>;
}

/// The commands of a router.
pub fn commands(router: &Router) -> &dyn Commands {
    match router {
        Router::Dilated(system) => system,
        Router::Multibutterfly(system) => system,
    }
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
            fn verify(&self, asked: &Asked, many: bool) -> Result<Verified> {
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
