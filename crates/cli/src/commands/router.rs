//! What a routed system does in the commands that ask how it routes.

use super::route::{self, report::RouteReport};
use super::{network, view};
use crate::args::{NetworkArgs, RouteArgs, ViewArgs};
use crate::ui::Ui;
use anyhow::{Result, bail};
use frit_router::Router;
use frit_router::dilated::Dilated;
use frit_router::multibutterfly::Multibutterfly;
use frit_view::Film;

/// The commands of a routed system. A film that a system leaves out is refused.
pub trait Commands: Router {
    /// `frit network`: the text that is given.
    fn network(&self, args: &NetworkArgs) -> Result<String>;
    fn route(&self, ui: &Ui, args: &RouteArgs) -> Result<RouteReport>;
    /// `frit view`: the film of the page.
    fn film(&self, _: &ViewArgs) -> Result<Film> {
        bail!("frit view does not apply to {}; use frit route or frit verify", self.row().key)
    }
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
            fn network(&self, args: &NetworkArgs) -> Result<String> {
                network::$module::network(args, self)
            }
            fn route(&self, ui: &Ui, args: &RouteArgs) -> Result<RouteReport> {
                route::$module::route(ui, args, self)
            }
            fn film(&self, args: &ViewArgs) -> Result<Film> {
                view::routed::$module(args, self)
            }
        }
    };
}

delegate!(Dilated, dilated);
delegate!(Multibutterfly, multibutterfly);
