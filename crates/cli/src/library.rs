//! Commands for other programs: arguments as on the command line, with the command's checks and the texts of its errors; values in
//! place of what the command prints.

use crate::args::{
    Cli, Command, DesignArgs, EventSink, Given, OptionArgs, RouteFormat, SimulateArgs, WidthArgs,
};
use crate::commands;
use crate::commands::demand::{Carriage, Carried};
use crate::kind::loaded;
use crate::memory::{self, estimate};
use crate::ui::{Ui, exit_code, text_of, without_head};
use crate::watch::{PARTS, Watch};
use crate::{design as designs, payload, streamed};
use frit_demand::program::Program;
use frit_demand::run::{Arrival, Observer};
use frit_demand::{Demand, Exchange};
use frit_network::facts::Facts;
use frit_permute::Streamed;
use frit_schedule::Plan;
use frit_traffic::event::EventColumns;
use std::ffi::OsString;
use std::sync::Arc;

pub use crate::design::Design;

/// Why a command did nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The exit code that the command ends with: 2 unusable input, 3 a tool is missing.
    pub code: u8,
    /// The text of the error, without `error:` in front.
    pub text: String,
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Failure { code: exit_code(&error), text: text_of(&error) }
    }
}

/// The command of these arguments; the first is the name of the program.
fn parsed(arguments: Vec<OsString>) -> Result<Command, Failure> {
    match Cli::parse(arguments, designs::system_row) {
        Ok(cli) => Ok(cli.command),
        Err(error) => {
            Err(Failure { code: error.exit_code() as u8, text: without_head(&error.render().to_string()) })
        }
    }
}

/// Arguments that are those of another command.
fn another(expected: &str) -> Failure {
    Failure { code: 2, text: format!("these are not the arguments of frit {expected}") }
}

/// A design: its system (or design file), its size if the file does not say it, its options as `key=value`. With it the bits of a word
/// that hold when nobody says: those of the design file, or 32.
///
/// # Errors
///
/// As every command that takes a design.
pub fn design(system: &str, terminals: Option<&str>, options: Vec<String>) -> Result<(Design, u32), Failure> {
    let options = OptionArgs { given: options };
    let (system, terminals) = (system.to_string(), terminals.map(String::from));
    let args = DesignArgs { system, terminals, options, given: Given::default() };
    let chosen = designs::design(&args)?;
    let width = chosen.width(&WidthArgs { width: None })?;
    Ok((chosen.design, width))
}

/// Refuses an exchange for which there is no memory: with its words, if it has any, and with all settings and deliveries, if they are
/// kept.
///
/// # Errors
///
/// Both figures, and what to do.
pub fn check_exchange(plan: &Plan, width: u32, words: bool, traces: bool) -> Result<(), Failure> {
    let terminals = plan.network.terminals();
    if words {
        payload::check_payload_size(terminals, width)?;
    }
    // The words and what is received, and the bytes of this; with spare terminals each a second time, for the terminals that are served.
    let of_words = match words {
        true => 2 * estimate::words(terminals, width) + estimate::words_in_file(terminals, width, true),
        false => 0,
    };
    let of_words = if plan.has_spare() { 2 * of_words } else { of_words };
    let traces = if traces { estimate::trace(plan) } else { 0 };
    let run = estimate::run(plan, 0..plan.rounds);
    let needed = of_words + traces + run;
    Ok(memory::need(&format!("the exchange of {}", plan.name()), needed, "use a smaller -n or -w")?)
}

/// What `frit simulate --format json` says of a run, without what it says of the words.
pub use crate::summary::facts as summary;

/// What `frit simulate --format json` says of a streamed permutation: data sets through the bare switches and memories, every word
/// compared with its place.
///
/// # Errors
///
/// There is no memory for it.
pub fn stream(plan: &Streamed) -> Result<Facts, Failure> {
    streamed::need(&format!("a run of {}", plan.name()), plan.order.words())?;
    Ok(commands::streamed::checked(plan).0)
}

/// Traffic that was routed.
#[derive(Clone, Debug, PartialEq)]
pub struct Routed {
    /// What `frit route --format json` prints.
    pub json: String,
    pub fine: bool,
    /// The events of every switch or node, if they were asked for.
    pub events: Vec<EventColumns>,
}

/// `frit route` with these arguments (the first is the name of the program), which name no format and no file of events; `packets` is
/// the text of a file of packets, given in place of one. `watch` is told how far the runs are, and may end them.
///
/// # Errors
///
/// As the command.
pub fn route(
    arguments: Vec<OsString>,
    packets: Option<String>,
    events: bool,
    watch: Arc<Watch>,
) -> Result<Routed, Failure> {
    let Command::Route(mut args) = parsed(arguments)? else { return Err(another("route")) };
    args.format = RouteFormat::Json;
    args.traffic.text = packets.map(Into::into);
    let seen = events.then(EventSink::default);
    args.seen.clone_from(&seen);
    let ui = Ui::watched(watch);
    let report =
        commands::route::report(&ui, &args, |router| commands::router::commands(router).route(&ui, &args))?;
    let events = seen.map(|seen| seen.take()).unwrap_or_default();
    Ok(Routed { json: report.print(args.format)?, fine: report.fine(), events })
}

/// The demand that `frit demand` makes or reads with these arguments, of which the first is the name of the program.
///
/// # Errors
///
/// As the command.
pub fn demand(arguments: Vec<OsString>) -> Result<Demand, Failure> {
    let Command::Demand(args) = parsed(arguments)? else { return Err(another("demand")) };
    Ok(crate::demand::make::make(&args)?)
}

/// What `frit demand --format json` says of a demand; the arguments are for `--delta` and `--planes`.
///
/// # Errors
///
/// As the command.
pub fn describe(arguments: Vec<OsString>, demand: &Demand) -> Result<Facts, Failure> {
    let Command::Demand(args) = parsed(arguments)? else { return Err(another("demand")) };
    Ok(commands::demand::described(&args, demand))
}

/// The program of a demand for banks of so many entries, as `frit demand --form program` makes it.
///
/// # Errors
///
/// As the command.
pub fn program(demand: &Demand, entries: Option<u64>) -> Result<Program, Failure> {
    Ok(loaded::program(demand, entries)?)
}

/// A demand that was carried.
pub struct Delivered {
    /// What `frit simulate --demand --format json` prints.
    pub summary: Facts,
    pub fine: bool,
    /// The exchange that carried it; the two of `--two-hop`.
    pub exchanges: Vec<Exchange>,
    /// Every word that arrived, in the order of cycles, then of outputs and sources; empty with `--two-hop`, or if nobody asked.
    pub arrivals: Vec<Arrival>,
}

/// Keeps the arrivals that are wanted, and tells how far the run is.
struct ArrivalWatch<'a> {
    arrivals: Option<Vec<Arrival>>,
    watch: &'a Watch,
}

impl Observer for ArrivalWatch<'_> {
    fn arrival(&mut self, arrival: Arrival) {
        self.arrivals.iter_mut().for_each(|arrivals| arrivals.push(arrival));
    }
    fn wants(&self) -> bool {
        self.arrivals.is_some()
    }
    fn state(&mut self, done: u64, of: u64) {
        self.watch.at(1, done, of);
    }
}

/// `frit simulate --demand` with these arguments (the first is the name of the program) and this demand in place of the file. `watch` is
/// told how far planning and sending are, and may end them.
///
/// # Errors
///
/// As the command.
pub fn carry(
    arguments: Vec<OsString>,
    demand: &Demand,
    arrivals: bool,
    watch: &Watch,
) -> Result<Delivered, Failure> {
    let Command::Simulate(args) = parsed(arguments)? else { return Err(another("simulate")) };
    let system = system(&args)?;
    // A piece of the work is the plan, the other one is the run.
    watch.of(2 * PARTS);
    let mut planned = |done, of| watch.at(0, done, of);
    let carriage = commands::demand::carriage(&args, system, demand, &mut planned)?;
    need_report(demand, &carriage.carried, arrivals)?;
    let kept =
        if arrivals && !matches!(carriage.carried, Carried::Twice(_)) { demand.total() as usize } else { 0 };
    let mut told = ArrivalWatch { arrivals: arrivals.then(|| Vec::with_capacity(kept)), watch };
    let result = commands::demand::carry(demand, &carriage.carried, &mut told);
    watch.at(1, 1, 1);
    let summary = commands::demand::summary(&carriage, demand, &result);
    let Carriage { carried, .. } = carriage;
    let exchanges = match carried {
        Carried::Once(exchange) => vec![exchange],
        Carried::Twice(two) => two.exchanges.into(),
    };
    Ok(Delivered { summary, fine: result.is_ok(), exchanges, arrivals: told.arrivals.unwrap_or_default() })
}

/// Refuses reports for which there is no memory: what becomes of each word, if somebody asked, and where each state of the network leads.
fn need_report(demand: &Demand, carried: &Carried, arrivals: bool) -> anyhow::Result<()> {
    let led =
        |exchange: &Exchange| estimate::led(exchange.slots.len() as u64, exchange.machine.lanes().into());
    let (words, states) = match carried {
        Carried::Once(exchange) => (if arrivals { demand.total() } else { 0 }, led(exchange)),
        Carried::Twice(two) => (0, two.exchanges.iter().map(led).fold(0, u64::saturating_add)),
    };
    let what = format!("the report of {words} words that arrive, and of the states of the network,");
    let bytes = estimate::arrivals(words).saturating_add(states);
    memory::need(&what, bytes, "do not ask for the arrivals, or give a demand of fewer words")
}

fn system(args: &SimulateArgs) -> Result<&'static str, Failure> {
    Ok(designs::asked_size(&args.design)?.0.key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::captured;
    use crate::watch::Stopped;
    use frit_traffic::npy;
    use serde_json::Value;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn what_is_captured_is_what_the_command_prints() {
        let printed = captured(words("frit simulate rls -n 8 --format json"));
        assert_eq!((printed.code, printed.error.as_str()), (0, ""));
        let members: Value = serde_json::from_str(&printed.text).unwrap();
        assert_eq!(members["cycles"], 12);
        let text = captured(words("frit --color always simulate rls -n 8")).text;
        assert!(text.starts_with("rls_n8\n"), "{text}");
        let refused = captured(words("frit simulate rls -n 9"));
        assert_eq!((refused.code, refused.text.as_str()), (2, ""));
        assert!(refused.error.contains("nearest size is 8"), "{}", refused.error);
        let unknown = captured(words("frit simulate rls -n 8 --colour red"));
        assert!(unknown.code == 2 && unknown.error.starts_with("unexpected argument '--colour'"));
        let help = captured(words("frit --help"));
        assert!(help.code == 0 && help.text.contains("Usage: frit"));
    }

    #[test]
    fn packets_are_read_as_those_of_a_file() {
        let line = "frit route dilated -n 4 --traffic messages";
        let watch = Arc::new(Watch::default());
        let routed = route(words(line), Some("0 3\n1 2\n1 0\n".into()), true, Arc::clone(&watch)).unwrap();
        assert_eq!(watch.progress(), (PARTS, PARTS));
        let report: Value = serde_json::from_str(&routed.json).unwrap();
        assert_eq!((routed.fine, &report["delivered"]), (true, &3.into()));
        assert_eq!(routed.events.iter().map(|events| events.order.len()).sum::<usize>(), report["shunts"]);
        let error = route(words(line), Some("0 4\n".into()), false, Arc::default()).unwrap_err();
        assert_eq!(error.code, 2);
        assert_eq!(error.text, "messages: line 1: destination 4 is out of range; terminals are 0..4");
        let error = route(words("frit simulate rls -n 8"), None, false, Arc::default()).unwrap_err();
        assert!(error.text.contains("frit route"));
    }

    #[test]
    fn a_demand_is_carried_without_a_file() {
        let demand = demand(words("frit demand zipf -n 8 --words 9")).unwrap();
        let watch = Watch::default();
        let carried = carry(words("frit simulate benes -n 8 --demand it"), &demand, true, &watch).unwrap();
        assert_eq!(watch.progress(), (2 * PARTS, 2 * PARTS));
        assert!(carried.fine && carried.exchanges.len() == 1);
        assert_eq!(carried.arrivals.len() as u64, demand.total());
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("demand.npy");
        let numbers = demand.matrix().iter().map(|&words| words.into());
        std::fs::write(&path, npy::to_npy(&[8, 8], numbers)).unwrap();
        let line = format!("frit simulate benes -n 8 --format json --demand {}", path.display());
        let printed: Value = serde_json::from_str(&captured(words(&line)).text).unwrap();
        assert_eq!(Value::Object(carried.summary), printed);
        assert_eq!(describe(words("frit demand uniform"), &demand).unwrap()["h"], demand.h());
    }

    #[test]
    fn arrivals_for_which_there_is_no_memory_are_refused() {
        let diagonal = (0..16).map(|cell| if cell % 5 == 0 { u32::MAX } else { 0 }).collect();
        let demand = Demand::new(4, diagonal).unwrap();
        let line = |system: &str| words(&format!("frit simulate {system} -n 4 --demand it"));
        for system in ["rls", "benes"] {
            assert!(carry(line(system), &demand, false, &Watch::default()).unwrap().fine);
            let error = carry(line(system), &demand, true, &Watch::default()).err().unwrap();
            let text =
                "the report of 17179869180 words that arrive, and of the states of the network, needs about ";
            assert!(error.code == 2 && error.text.starts_with(text), "{}", error.text);
        }
    }

    #[test]
    fn work_that_is_to_end_ends_wherever_it_is() {
        let demand = demand(words("frit demand zipf -n 8 --words 9")).unwrap();
        let stopped = || {
            let watch = Watch::default();
            watch.stop();
            Arc::new(watch)
        };
        let ends = |work: &dyn Fn()| {
            let payload = catch_unwind(AssertUnwindSafe(work)).expect_err("it ends");
            assert!(payload.is::<Stopped>());
        };
        for line in ["rls -n 8", "rls -n 8 --two-hop", "obf -n 8", "benes -n 8"] {
            let line = format!("frit simulate {line} --demand it");
            ends(&|| drop(carry(words(&line), &demand, false, &stopped())));
        }
        for line in ["dilated -n 8", "dilated -n 8 --steps", "multibutterfly -n 16", "obf -n 8", "rls -n 8"] {
            let line = format!("frit route {line}");
            ends(&|| drop(route(words(&line), None, false, stopped())));
        }
    }

    #[test]
    fn designs_have_the_errors_of_the_command() {
        let (made, width) = design("rls", Some("8"), vec![]).unwrap();
        let Design::Planned(plan) = made else { panic!("planned") };
        assert_eq!((plan.cycles(), width), (12, 32));
        assert!(check_exchange(&plan, 32, true, true).is_ok());
        let error = design("rls", Some("8"), vec!["colour=red".into()]).unwrap_err();
        assert!(error.code == 2 && error.text.contains("has no option"), "{}", error.text);
        assert!(matches!(design("dilated", Some("4"), vec![]).unwrap().0, Design::Routed(_)));
        let (stream, _) = design("transpose", Some("4"), vec![]).unwrap();
        let Design::Streamed(stream) = stream else { panic!("streamed") };
        assert_eq!(super::stream(stream.of().unwrap()).unwrap()["misplaced"], false);
    }
}
