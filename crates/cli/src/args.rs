//! What the command line takes. Help texts are written here and nowhere else.

use crate::memory;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use frit_network::options::Row;
use std::ffi::OsString;
use std::path::PathBuf;

mod compare;
mod demand;
mod device;
pub mod diagnose;
mod diff;
mod groups;
pub mod light;
mod optical;
pub mod options;
mod pace;
mod plan;
mod prototype;
mod route;
mod schedule;
mod short;
mod simulate;
mod streams;
mod sweep;
mod synth;
mod verify;
pub mod view;

pub use compare::{CompareArgs, CompareFormat};
pub use demand::{DemandArgs, DemandForm, DemandKind, PlacementArg};
pub use device::{DeviceArgs, DeviceEngineArg};
pub use diagnose::DiagnoseArgs;
pub use diff::DiffArgs;
pub use groups::grouped;
pub use light::LightArgs;
pub use optical::{PhotonicsArgs, SequenceArgs, SequenceKind};
pub use options::{Given, OptionArgs};
pub use pace::PaceArgs;
pub use plan::{PlanArgs, PlanForm, PlannerArg, RacksArgs};
pub use prototype::{PrototypeArgs, SelftestArgs};
pub use route::{EventSink, RouteArgs, RouteFormat, Seeds, TrafficArgs};
pub use schedule::{CheckArgs, ExactArgs, ScheduleArgs, ScheduleCommand, ScheduleFormat};
pub use simulate::SimulateArgs;
pub use streams::StreamArgs;
pub use sweep::{MergeArgs, Shard, ShardArg, SweepArgs, SweepCommand, SweepEngine};
pub use synth::{PartArg, SynthArgs, SynthFormat, TargetArg};
pub use verify::{
    CoreArgs, CrossbarArgs, EngineArg, FabricStyle, FamilyArg, GenerateArgs, LoadedArgs, PacketArgs,
    VerifyArgs, WaveArg,
};
pub use view::ViewArgs;

/// All-to-all personalized exchange on multistage networks: schedules, a cycle-exact model, Verilog, and the proof
/// that they agree.
#[derive(Debug, Parser)]
#[command(name = "frit", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "Examples:
  frit systems                         list the systems and their sizes
  frit compare -n 16                   the systems side by side
  frit simulate rls -n 16              run the model
  frit generate rls -n 8 -w 32 -o out  Verilog, testbench, Makefile
  frit verify rls -n 8 -w 32           model = rust-hdl = Verilator = Icarus

Exit codes: 0 fine, 1 a check failed, 2 unusable input, 3 a tool is missing.")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Options of every command.
    #[command(flatten)]
    pub global: Global,
}

impl Cli {
    /// These arguments, that of the program first; `row` finds the row of the system that an argument names.
    pub fn parse(
        arguments: Vec<OsString>,
        row: impl Fn(&str) -> Option<&'static Row>,
    ) -> Result<Self, clap::Error> {
        let plain = options::of_system(Cli::command(), None);
        let system = options::named_system(&plain, &arguments);
        let row = system.and_then(|name| row(&name));
        let mut command = options::of_system(Cli::command(), row);
        if short::is_asked(&arguments) {
            command = short::shortened(command);
        }
        if groups::is_asked(&arguments) {
            command = groups::grouped(command);
        }
        let matches = command.try_get_matches_from_mut(arguments);
        let parsed = matches.and_then(|matches| Cli::from_arg_matches(&matches));
        parsed.map_err(|error| options::explain(error.format(&mut command), row))
    }
}

/// Options of every command.
#[derive(Debug, Args)]
pub struct Global {
    /// Print results only
    #[arg(short, long, global = true, conflicts_with = "verbose", display_order = 900)]
    pub quiet: bool,
    /// Also print the time of each part and the choices made
    #[arg(short, long, global = true, display_order = 901)]
    pub verbose: bool,
    /// Maximum memory to use, for example 4G [env: FRIT_MEMORY] [default: free memory, within the process's limits]
    #[arg(long, global = true, display_order = 903, value_name = "SIZE", value_parser = memory::parse)]
    pub memory: Option<u64>,
    /// When to use colours
    #[arg(long, global = true, display_order = 902, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// Colours if the output is a terminal.
    Auto,
    /// Colours in all output.
    Always,
    /// No colours.
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the systems: sizes, cycles, drivers, options, papers
    #[command(after_help = "Examples:
  frit systems
  frit systems --format json")]
    Systems(SystemsArgs),
    /// Compare the systems: cycles, switches, drivers, stored bits, wires, buffers; plot them against N
    #[command(after_help = "Examples:
  frit compare -n 16
  frit compare -n 10 --sort cycles_total              gsen exists at 10; the others show the nearest size
  frit compare -n 64 --systems rls,rls-folded --format md
  frit compare -n 16 --sort -switches --format csv > systems.csv
  frit compare -n 8 --synth ecp5-25k -w 8 --sort luts
  frit compare -n 16 --plot systems.svg --sizes 4,8,16,32,64

cycles are measured: the model runs every exchange of up to 4096 terminals. The columns: docs/compare.md.
Exit code 1: an exchange was not complete.")]
    Compare(CompareArgs),
    /// Print the rounds, labels and control words of a schedule; or check a permutation (`frit schedule check`)
    #[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
    #[command(after_help = "Examples:
  frit schedule rls -n 8                        all rounds: destinations and labels
  frit schedule gsen -n 10 --round 10           one round, with the state of every switch
  frit schedule gsen -n 22 --check              route every round; Latin square; certificate
  frit schedule rls -n 16 --format memh         destinations for $readmemh
  frit schedule benes --permutation p.txt       the switch settings that route a permutation
  frit schedule user --network net.json --algorithm exact --format json > schedule.json
                                                look for an exchange of as many rounds as terminals
  frit schedule check --network butterfly --permutation p.txt")]
    Schedule(ScheduleArgs),
    /// Print the switches and wires of a system: summary, JSON, DOT or an SVG drawing
    #[command(after_help = "Examples:
  frit network rls -n 8 --format svg -o rls.svg --round 1   drawn, with the switches as round 1 sets them
  frit network gsen -n 10 --format dot | dot -Tpdf -o gsen.pdf
  frit network gsen -n 10 --format json                     the tables of links, for other programs")]
    Network(NetworkArgs),
    /// Run the Rust model of an exchange, cycle by cycle
    #[command(after_help = "Examples:
  frit simulate rls -n 16
  frit simulate rls -n 65536                   4.3e9 messages, every one checked
  frit simulate rls -n 1048576 --rounds 5..8   some of the rounds of a large network
  frit simulate gsen -n 10 --algorithm ata2 --settings s.csv --deliveries d.csv
  frit simulate rls -n 32 -w 32 --payload matrix.csv --received transpose.csv
  frit simulate rls -n 8 -w 8 --payload random --seed 7 --wave rls.fst
  frit simulate benes -n 16 --demand demand.csv    an uneven exchange (frit demand makes one)")]
    Simulate(SimulateArgs),
    /// Route any traffic over a system: steps, load, waits, messages delivered and messages left over
    #[command(visible_alias = "relation", after_help = route::HELP)]
    Route(RouteArgs),
    /// Make an uneven demand (words between terminals) or describe one: h, skew, lower bounds
    #[command(after_help = demand::HELP)]
    Demand(DemandArgs),
    /// Print or check a de Bruijn sequence, which controls the optical butterfly
    #[command(after_help = "Examples:
  frit sequence 5                              prefer-one, the paper's, for 64 processors
  frit sequence 3 --kind granddaddy --format json
  frit sequence 3 --check mine.txt             is it one? Exit code 1 if not, and why
  frit simulate obf -n 16 --sequence mine.txt  use it")]
    Sequence(SequenceArgs),
    /// Calculate the optical butterfly as a device: slot, fibre, time, power and crosstalk, beside the paper's figures
    #[command(after_help = optical::photonics_help(false), after_long_help = optical::photonics_help(true))]
    Photonics(PhotonicsArgs),
    /// Simulate the optical butterfly as a device, in picoseconds: checks that no packet meets a switch while the switch changes
    #[command(after_help = "Examples:
  frit device obf -n 8                      the paper's slot of 1.28 ns, three engines
  frit device obf -n 8 --mistake no-gap     must fail, and say when and at which switch
  frit device obf -n 8 --mistake skew:30 -o out/device

The model and what it leaves out: docs/optical-device.md.")]
    Device(DeviceArgs),
    /// Run many points in parallel, restartable, or in shards; write a CSV file and a plot (SVG, PNG)
    #[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
    #[command(after_help = "Examples:
  frit sweep examples/figure4.toml -o out        the paper's Figure 4: cost against h
  frit sweep examples/figure4_large.toml -o out  the same to n = 4096 and h = 64 n
  frit sweep examples/cycles.toml -o out         cycles of the systems against n
  frit sweep FILE.toml -o out --shard 2/8        the second of eight parts; frit sweep merge joins them
  frit sweep FILE.toml -o out --engine slurm --tasks 8
  frit sweep FILE.toml -o out --list             the points, and which are known

Points that the CSV file already holds are not run again. The file format is in docs/sweep.md.")]
    Sweep(SweepArgs),
    /// Write Verilog, testbench, tables, file lists and a Makefile
    #[command(after_help = "Examples:
  frit generate rls -n 8 -w 32 -o out/rls_n8_w32
  make -C out/rls_n8_w32 sim        both simulators, without Fritillary
  frit generate designs/transpose32.toml -o out/transpose32 --payload examples/transpose32/matrix.csv")]
    Generate(GenerateArgs),
    /// Run model, rust-hdl and every simulator found, and compare them cycle by cycle
    #[command(after_help = "Examples:
  frit verify rls -n 8 -w 32
  frit verify gsen -n 4,6,8,10 -w 33 --require verilator,icarus
  frit verify rls -n 32 -w 32 -o out/verify --payload examples/transpose32/matrix.csv
  frit verify rls -n 8 -w 8 --fault inverted-control:2:1     must fail, and say where
  frit verify rls -n 8 -w 8 --fault stuck-switch:2:1:1 --expected   as the model says what the fault does
  frit verify rls -n 8 -w 8 --stuck 2:1:1                    the exchange goes round it (docs/stuck.md)
  frit verify rls -n 8 -w 8 --netlist ice40                  the same testbench on the netlist of Yosys
  frit verify benes -n 8 --demand demand.csv --entries 32    a schedule that is loaded (docs/demand.md)
  frit verify benes -n 8 -w 32 --crossbar    a crossbar of streams (docs/crossbar.md)

With -o the files of every engine are in DIR/model, DIR/rust-hdl, DIR/verilator, DIR/icarus, the design in DIR/rtl.")]
    Verify(VerifyArgs),
    /// Say which faults of the hardware explain what arrived, and which faults an exchange tells apart
    #[command(after_help = diagnose::HELP)]
    Diagnose(DiagnoseArgs),
    /// Say what optical switches lose and leak in a design, and what settings chosen with care do
    #[command(after_help = light::HELP)]
    Light(LightArgs),
    /// Write a page that plays a run in a browser, or a drawing of one cycle or round
    #[command(after_help = view::HELP)]
    View(ViewArgs),
    /// Measure area and clock frequency on an FPGA with Yosys and nextpnr, beside the floor
    #[command(after_help = synth::HELP)]
    Synth(SynthArgs),
    /// Make a bitstream for a board: the exchange with its self-test, built by Yosys, nextpnr and icepack or ecppack
    #[command(after_help = prototype::HELP)]
    Prototype(PrototypeArgs),
    /// Compare two waveforms (VCD, FST) or two CSV traces: shows the first difference and the cycles around it
    #[command(after_help = "Examples:
  frit diff --common model.fst verilator.fst
  frit diff a.vcd b.fst --map TOP.tb=tb --ignore-reset
  frit diff out/model/deliveries.csv out/icarus/deliveries.csv

Exit codes: 0 same, 1 different, 2 unusable (no common signals, a broken file). More in docs/diff.md.")]
    Diff(DiffArgs),
    /// List the tools found and their versions, and say how to install missing tools
    #[command(after_help = "Examples:
  frit doctor
  frit doctor --format json

Tools are looked for in .tools/bin of the checkout that frit was built in, or the folder that FRITILLARY_TOOLS names, then in PATH.")]
    Doctor(DoctorArgs),
    /// Print a completion script for a shell
    #[command(after_help = "Examples:
  frit completions bash > ~/.local/share/bash-completion/completions/frit")]
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write one per command into a folder
    #[command(after_help = "Examples:
  frit man | man -l -
  frit man ~/.local/share/man/man1")]
    Man {
        /// Folder for frit.1, frit-verify.1, …
        folder: Option<PathBuf>,
    },
}

/// Text for people or JSON for programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A report to read.
    #[default]
    Text,
    /// A JSON object for programs (docs/formats.md).
    Json,
}

/// `frit systems`.
#[derive(Debug, Args)]
pub struct SystemsArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// `frit doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Which design.
#[derive(Clone, Debug, Args)]
pub struct DesignArgs {
    /// The options on the command line.
    #[command(flatten)]
    pub given: Given,
    /// System (`frit systems` lists them), `user` for a network of your own, or a design file (.toml)
    #[arg(value_name = "SYSTEM|FILE.toml")]
    pub system: String,
    /// Number of terminals
    #[arg(short = 'n', long = "terminals", value_name = "N", allow_negative_numbers = true)]
    pub terminals: Option<String>,
    /// Options of the system.
    #[command(flatten)]
    pub options: OptionArgs,
}

/// How wide words are.
#[derive(Clone, Debug, Args)]
pub struct WidthArgs {
    /// Bits of a word, 1 to 1024 [default: width in the design file, or 32]
    #[arg(short = 'w', long = "width", value_name = "W", allow_negative_numbers = true)]
    pub width: Option<String>,
}

/// Which messages.
#[derive(Clone, Debug, Default, Args)]
pub struct PayloadArgs {
    /// Words to exchange: `random`, or a CSV, .bin or .npy file of N x N words (row = source)
    #[arg(long, value_name = "FILE|random")]
    pub payload: Option<String>,
    /// Number base of the words in a CSV file
    #[arg(long, value_enum, default_value_t, value_name = "NOTATION")]
    pub notation: NotationArg,
    /// Seed of random words
    #[arg(long, default_value_t = 1, value_name = "S", allow_negative_numbers = true)]
    pub seed: u64,
}

/// Number base of the words in a CSV file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum NotationArg {
    /// The base that the file itself indicates (docs/formats.md).
    #[default]
    Auto,
    /// Decimal numbers.
    Dec,
    /// Hexadecimal numbers, with or without 0x.
    Hex,
}

/// Formats of `frit network`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum NetworkFormat {
    /// A summary of sizes.
    #[default]
    Text,
    /// The tables of switches and wires.
    Json,
    /// A graph for Graphviz (DOT).
    Dot,
    /// A drawing (SVG).
    Svg,
}

/// `frit network`.
#[derive(Debug, Args)]
pub struct NetworkArgs {
    /// The design.
    #[command(flatten)]
    pub design: DesignArgs,
    /// Draw the switches as this round sets them
    #[arg(long, value_name = "K")]
    pub round: Option<u32>,
    /// Draw the messages of the round on their wires, each with the rest of its label (SVG)
    #[arg(long, requires = "round")]
    pub messages: bool,
    /// Planned systems: show the path of the message from SOURCE to DESTINATION in the first round that carries it (text, SVG)
    #[arg(long, value_name = "SOURCE:DESTINATION", conflicts_with = "round")]
    pub path: Option<Pair>,
    /// Planned systems: draw the two states of a switch with the names of its ports (SVG)
    #[arg(long, conflicts_with_all = ["round", "path"])]
    pub states: bool,
    /// dilated: show the packets in the network after this many bit steps (text, SVG, JSON)
    #[arg(long, value_name = "T")]
    pub step: Option<u64>,
    /// dilated: traffic whose worms are shown: permutation, bit-reversal or transpose [default: permutation]; of the messages of
    /// a multibutterfly: perm, hcopies, bitrev, block, shift or identity [default: perm]
    #[arg(long, value_name = "KIND")]
    pub traffic: Option<String>,
    /// Send packets straight to their destinations, without intermediate rows
    #[arg(long, requires = "step")]
    pub direct: bool,
    /// Seed of the traffic, and of the wires of a multibutterfly [default: 1]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// multibutterfly: show the path of this message (text, SVG, DOT, JSON)
    #[arg(long, value_name = "M")]
    pub message: Option<u32>,
    /// multibutterfly: measure how many outputs a set of inputs reaches, beside the number that the paper needs (text, JSON)
    #[arg(long)]
    pub expansion: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: NetworkFormat,
    /// Write to this file instead of printing
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// A source and a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The terminal that sends.
    pub source: u32,
    /// The terminal that receives.
    pub destination: u32,
}

impl std::str::FromStr for Pair {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (source, destination) = text.split_once(':')?;
            Some(Pair { source: source.parse().ok()?, destination: destination.parse().ok()? })
        };
        read().ok_or_else(|| "not a pair of terminals; give SOURCE:DESTINATION, for example 3:7".into())
    }
}

/// Rounds of a plan, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundRange {
    pub first: u32,
    pub last: u32,
}

impl std::str::FromStr for RoundRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let number = |text: &str| text.trim().parse::<u32>().ok();
        number(first)
            .zip(number(last))
            .filter(|(first, last)| first <= last)
            .map(|(first, last)| RoundRange { first, last })
            .ok_or_else(|| {
                format!("{text:?} is not a round or a range of rounds; give a number or FIRST..LAST, for example 5 or 5..8")
            })
    }
}
