//! `frit prototype`: the self-test of a design as a bitstream for a board, by Yosys, nextpnr and icepack or ecppack.
//!
//! [`sources`] gives the files of the self-test alone, which `frit generate --selftest` writes; [`build`] adds the board's top
//! and pins and runs the tools.

mod usage;

pub use frit_rtl::board::Board;
pub use usage::Usage;

use crate::simulator::{Failed, tool};
use crate::synth::{Device, Family, Timing, bad_output, unreadable};
use crate::tools::{ECPPACK, ICEPACK, Tool, ToolPath, YOSYS};
use crate::yosys::yosys;
use frit_cells::design::selftest;
use frit_cells::netlist::{Netlist, print};
use frit_network::{Refusal, refusal, refuse};
use frit_rtl::board::{self, Placement};
use frit_rtl::library::Sources;
use frit_schedule::Plan;
use frit_trace::output::{make_folder, read, write_file};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The least cycles of a bit of the serial line.
const MIN_DIVIDER: u64 = 4;

/// Cycles of a bit of a serial line of `baud` bits a second.
pub fn divider(clock_hz: u64, baud: u64) -> Result<u64, Refusal> {
    let exact = clock_hz as f64 / baud as f64;
    let divider = exact.round();
    let usable = (MIN_DIVIDER as f64..=1e6).contains(&divider) && (divider / exact - 1.0).abs() <= 0.02;
    if usable {
        Ok(divider as u64)
    } else {
        Err(refusal!(
            "{baud} baud from a clock of {clock_hz} Hz: a bit would last {exact:.2} cycles; it must last {MIN_DIVIDER} to 1000000, exact to 2 %"
        ))
    }
}

/// The files of `D_selftest` and all that it uses, in the order in which tools should read them: (name, text).
pub fn sources(netlist: &Netlist) -> Vec<(String, String)> {
    Sources::new(netlist, print::Style::Unrolled, None).files
}

/// What is built, and how.
pub struct Options<'a> {
    pub board: Board,
    /// The clock, in Hz, made by a PLL; none: the oscillator's.
    pub frequency_hz: Option<u64>,
    /// Bits a second of the serial line.
    pub baud: u64,
    /// The seed of the placer.
    pub seed: u32,
    pub folder: &'a Path,
    /// Where tools are looked for.
    pub tools: &'a ToolPath,
}

/// How it ended.
#[derive(Clone, Debug, PartialEq)]
pub enum PrototypeOutcome {
    Bitstream(PathBuf),
    /// It does not fit: what there is too little of.
    TooLarge(Vec<Usage>),
    /// It fits, but is too slow for the clock.
    TooSlow,
}

/// What was built.
#[derive(Clone, Debug, PartialEq)]
pub struct PrototypeReport {
    pub top: String,
    pub board: Board,
    pub clock_hz: u64,
    /// Bits a second of the serial line.
    pub baud: u64,
    /// What is used of the device.
    pub usage: Vec<Usage>,
    /// The highest clock frequency, in MHz, if it was placed.
    pub fmax_mhz: Option<f64>,
    /// The ends of the slowest path.
    pub critical: Option<(String, String)>,
    pub outcome: PrototypeOutcome,
    /// How long the tools took.
    pub time: Duration,
}

pub fn target(board: Board) -> Device {
    match board {
        Board::Hx8k => Device::Ice40Hx8k,
        Board::IceBreaker => Device::Ice40Up5k,
        Board::Ulx3s => Device::Ecp5_85k,
    }
}

/// Builds the bitstream of a design's self-test. `progress` is told what is being done.
pub fn build(
    plan: &Plan,
    width: u32,
    options: &Options,
    progress: &dyn Fn(&str),
) -> Result<PrototypeReport, Refusal> {
    let board = options.board;
    let pll = match options.frequency_hz {
        None => None,
        Some(hz) => match board.pll(hz) {
            None => refuse!(
                "the PLL of {} cannot make {} MHz from {} MHz (iCE40: 8.33 to 533 MHz, ECP5: 3.13 to 400 MHz, exact to a thousandth); leave --frequency out to use the oscillator as the clock",
                board.title(),
                hz as f64 / 1e6,
                board.oscillator_hz() / 1_000_000
            ),
            pll => pll,
        },
    };
    let clock_hz = pll.map_or(board.oscillator_hz(), |pll| pll.frequency_hz);
    let divider = divider(clock_hz, options.baud)?;
    let tools = Tools { target: target(board), options, top: board::top_name(plan, width, board) };
    tools.find()?;
    let start = Instant::now();
    let command = format!("frit prototype --board {} {} -w {width}", board.name(), plan.arguments());
    let placement = Placement { board, command: &command, pll, clock_hz, baud: options.baud, divider };
    let mut files = sources(&selftest::build(plan, width, divider));
    files.extend(board::render(plan, width, &placement));
    make_folder(options.folder)?;
    for (name, text) in &files {
        write_file(&options.folder.join(name), text)?;
    }
    let names: Vec<&str> =
        files.iter().map(|(name, _)| name.as_str()).filter(|n| n.ends_with(".v")).collect();
    progress("Yosys");
    let needed = tools.map(&names)?;
    let over = |usage: &[Usage]| usage.iter().filter(|usage| usage.too_much()).cloned().collect::<Vec<_>>();
    let mut report = PrototypeReport {
        top: tools.top.clone(),
        board,
        clock_hz,
        baud: options.baud,
        usage: needed,
        fmax_mhz: None,
        critical: None,
        outcome: PrototypeOutcome::TooSlow,
        time: Duration::ZERO,
    };
    progress("nextpnr");
    let placed = if over(&report.usage).is_empty() { tools.place(clock_hz)? } else { Placed::default() };
    // nextpnr packs LUTs, carries and flip-flops together: its counts decide, beside those of Yosys.
    report.usage.extend(placed.usage);
    report.outcome = match placed.timing {
        Some(timing) => {
            report.fmax_mhz = Some(timing.fmax_mhz);
            report.critical = timing.critical;
            if timing.fmax_mhz * 1e6 < clock_hz as f64 {
                PrototypeOutcome::TooSlow
            } else {
                progress("bitstream");
                PrototypeOutcome::Bitstream(tools.pack()?)
            }
        }
        None => PrototypeOutcome::TooLarge(over(&report.usage)),
    };
    report.time = start.elapsed();
    Ok(report)
}

/// What nextpnr says.
#[derive(Default)]
struct Placed {
    usage: Vec<Usage>,
    /// None if it does not fit.
    timing: Option<Timing>,
}

struct Tools<'a> {
    target: Device,
    options: &'a Options<'a>,
    top: String,
}

impl Tools<'_> {
    fn ice40(&self) -> bool {
        self.target.family() == Family::Ice40
    }

    fn packer(&self) -> Tool {
        if self.ice40() { ICEPACK } else { ECPPACK }
    }

    fn find(&self) -> Result<(), Refusal> {
        for tool in [YOSYS, self.target.family().nextpnr(), self.packer()] {
            self.options.tools.find(tool)?;
        }
        Ok(())
    }

    /// Runs a tool on relative names in the folder, its output in `log`; `written` is what it must leave.
    fn run(&self, program: Tool, arguments: &[String], log: &str, written: &str) -> Result<(), Refusal> {
        let folder = self.options.folder;
        let mut command = self.options.tools.command(program)?;
        command.args(arguments).current_dir(folder);
        tool(command, &folder.join(log), &[&folder.join(written)]).map(|_| ())
    }

    fn text(&self, name: &str) -> Result<String, Refusal> {
        Ok(String::from_utf8_lossy(&read(&self.options.folder.join(name))?).into_owned())
    }

    /// Maps the design, and says what it takes of the device.
    fn map(&self, names: &[&str]) -> Result<Vec<Usage>, Refusal> {
        let (family, top) = (self.target.family(), &self.top);
        // What is placed may use wide multiplexers; only the tables of `frit synth` may not.
        let map = family.synthesis().trim_end_matches(" -nowidelut");
        let script = format!(
            "read_verilog {}\n{map} -top {top} -json {top}.json\ncheck -assert\ntee -q -o stat.json stat -json\n",
            names.join(" ")
        );
        let products = ["stat.json", &format!("{top}.json")];
        yosys(self.options.tools, self.options.folder, "synth", &script, "yosys.log", &products)?;
        let area = crate::synth::Area::parse(family.library(), &self.text("stat.json")?)
            .map_err(|source| unreadable("yosys", &self.options.folder.join("stat.json"), source))?;
        Ok(usage::of_area(&area, self.target.capacity()))
    }

    fn place(&self, clock_hz: u64) -> Result<Placed, Refusal> {
        let (program, top) = (self.target.family().nextpnr(), &self.top);
        let chip = self.target.nextpnr_arguments().iter().map(|text| text.to_string());
        let (pins, out) = if self.ice40() { ("--pcf", "--asc") } else { ("--lpf", "--textcfg") };
        let mhz = format!("{}", clock_hz as f64 / 1e6);
        let extension = self.options.board.constraints_extension();
        let seed = self.options.seed.to_string();
        let mut arguments: Vec<String> = chip.collect();
        for (option, value) in [
            ("--json", format!("{top}.json")),
            (pins, format!("{top}.{extension}")),
            (out, self.routed()),
            ("--freq", mhz),
            ("--seed", seed),
            ("--report", "timing.json".into()),
        ] {
            arguments.extend([option.to_string(), value]);
        }
        arguments.push("--timing-allow-fail".into());
        match self.run(program, &arguments, "nextpnr.log", &self.routed()) {
            Err(error) if error.detail::<Failed>().is_some() => {
                let usage = usage::of_log(&self.text("nextpnr.log")?);
                if usage.iter().any(Usage::too_much) {
                    return Ok(Placed { usage, timing: None });
                }
                Err(error)
            }
            Err(error) => Err(error),
            Ok(()) => {
                let path = self.options.folder.join("timing.json");
                let timing = Timing::parse(&self.text("timing.json")?)
                    .map_err(|source| unreadable(program.program, &path, source))?
                    .ok_or_else(|| bad_output(program.program, &path, "has no clock"))?;
                Ok(Placed { usage: usage::of_log(&self.text("nextpnr.log")?), timing: Some(timing) })
            }
        }
    }

    fn routed(&self) -> String {
        format!("{}.{}", self.top, if self.ice40() { "asc" } else { "config" })
    }

    fn pack(&self) -> Result<PathBuf, Refusal> {
        let name = format!("{}.{}", self.top, if self.ice40() { "bin" } else { "bit" });
        let arguments = match self.ice40() {
            true => vec![self.routed(), name.clone()],
            false => vec!["--compress".into(), self.routed(), name.clone()],
        };
        self.run(self.packer(), &arguments, "pack.log", &name)?;
        Ok(self.options.folder.join(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_serial_line_is_exact_enough_or_refused() {
        assert_eq!(divider(12_000_000, 115_200).unwrap(), 104);
        assert_eq!(divider(25_000_000, 115_200).unwrap(), 217);
        let text = divider(12_000_000, 9_000_000).unwrap_err().to_string();
        assert!(text.contains("1.33 cycles"), "{text}");
        // 4.44 cycles: 10 % off.
        assert!(divider(12_000_000, 2_700_000).is_err());
    }
}
