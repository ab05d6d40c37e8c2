//! Arguments of `frit light`.

use super::{DesignArgs, Format};
use clap::Args;
use frit_network::Light;

/// `frit light`.
#[derive(Debug, Args)]
pub struct LightArgs {
    /// The design.
    #[command(flatten)]
    pub design: DesignArgs,
    /// The optical switch: mzi, ring or linbo3, or its figures in dB by state: loss and crosstalk straight, loss and crosstalk
    /// crossed, and what a crossing of waveguides loses (0 if left out), for example 2,-30,0.957,-30,0.05 [default: that of
    /// --choose, else mzi]
    #[arg(long, value_parser = Light::parse, allow_hyphen_values = true)]
    pub switch: Option<Light>,
    /// List every round
    #[arg(long)]
    pub list: bool,
    /// Compare other Latin squares on the same network
    #[arg(long, conflicts_with_all = ["list", "every"])]
    pub squares: bool,
    /// All permutations of a small network (up to 20 switches), each with all its settings
    #[arg(long, conflicts_with = "list")]
    pub every: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// What the help of `frit light` ends with.
pub const HELP: &str = "Examples:
  frit light benes -n 16                        what the looping algorithm's settings lose and leak, what chosen ones do
  frit light rls -n 8 --switch ring --list      the same of every round, another switch
  frit light benes -n 8 --every                 what choosing is worth over all 8! permutations
  frit light rls -n 16 --squares                which Latin square is quietest?
  frit verify benes -n 8 -w 16 --choose loss    hardware with the chosen settings

Up to 256 terminals; more than a minute from 128 on. More in docs/light.md.";
