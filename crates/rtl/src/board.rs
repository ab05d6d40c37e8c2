//! Boards: pins, clocks, and the top that puts a self-test onto one.

mod pll;

pub use pll::Pll;

use crate::Files;
use crate::template::{context, fill};
use frit_cells::design::selftest;
use frit_schedule::Plan;
use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Board {
    /// Lattice iCE40-HX8K breakout board.
    Hx8k,
    /// iCEBreaker, with an iCE40 UP5K.
    IceBreaker,
    /// ULX3S, with an ECP5-85F.
    Ulx3s,
}

/// Where a board's pins are.
struct Pins {
    clock: &'static str,
    uart: &'static str,
    pass: &'static str,
    fail: &'static str,
    beat: &'static str,
    /// A pin that must be held high, and what for.
    keep: Option<(&'static str, &'static str)>,
    /// The public file that says so.
    source: &'static str,
}

impl Board {
    pub const ALL: [Board; 3] = [Board::Hx8k, Board::IceBreaker, Board::Ulx3s];

    /// Its name on the command line, also the suffix of the top.
    pub fn name(self) -> &'static str {
        match self {
            Board::Hx8k => "hx8k",
            Board::IceBreaker => "icebreaker",
            Board::Ulx3s => "ulx3s",
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Board::Hx8k => "iCE40-HX8K breakout",
            Board::IceBreaker => "iCEBreaker",
            Board::Ulx3s => "ULX3S (85F)",
        }
    }

    /// The frequency of its oscillator, in Hz.
    pub fn oscillator_hz(self) -> u64 {
        match self {
            Board::Hx8k | Board::IceBreaker => 12_000_000,
            Board::Ulx3s => 25_000_000,
        }
    }

    /// How a bitstream gets onto it: commands, the file's name to be added.
    pub fn flash(self) -> &'static [&'static str] {
        match self {
            Board::Hx8k => &["openFPGALoader -b ice40_generic", "iceprog -S"],
            Board::IceBreaker => &["openFPGALoader -b ice40_generic", "iceprog"],
            Board::Ulx3s => &["openFPGALoader -b ulx3s", "fujprog"],
        }
    }

    /// Whether it has an iCE40; else it has an ECP5.
    fn ice40(self) -> bool {
        self != Board::Ulx3s
    }

    /// The name of its constraint file's kind.
    pub fn constraints_extension(self) -> &'static str {
        if self.ice40() { "pcf" } else { "lpf" }
    }

    fn pins(self) -> Pins {
        match self {
            Board::Hx8k => Pins {
                clock: "J3",
                uart: "B12",
                pass: "B5",
                fail: "B4",
                beat: "C3",
                keep: None,
                source: "iCE40HX-8K Breakout Board User's Guide (Lattice EB85); the same in icestorm examples/hx8kboard/hx8kboard.pcf and picosoc/hx8kdemo.pcf",
            },
            Board::IceBreaker => Pins {
                clock: "35",
                uart: "9",
                pass: "37",
                fail: "11",
                beat: "26",
                keep: None,
                source: "icebreaker-fpga/icebreaker-verilog-examples, icebreaker/icebreaker.pcf (beat: LED1 of the break-off part, high is on)",
            },
            Board::Ulx3s => Pins {
                clock: "G2",
                uart: "L4",
                pass: "B2",
                fail: "C2",
                beat: "H3",
                keep: Some(("L2", "wifi_gpio0 high, or the ESP32 takes the board over")),
                source: "emard/ulx3s, doc/constraints/ulx3s_v20.lpf (clk_25mhz, ftdi_rxd, led[0], led[1], led[7], wifi_gpio0)",
            },
        }
    }

    /// Settings of its PLL for a frequency in Hz, or `None` where there is none that is exact to a thousandth.
    pub fn pll(self, frequency_hz: u64) -> Option<Pll> {
        if self.ice40() {
            Pll::ice40(self.oscillator_hz(), frequency_hz)
        } else {
            Pll::ecp5(self.oscillator_hz(), frequency_hz)
        }
    }
}

/// What the top is filled with.
#[derive(Serialize)]
struct Top<'a> {
    design: &'a str,
    selftest: String,
    top: &'a str,
    title: &'a str,
    command: &'a str,
    family: &'a str,
    primitive: &'a str,
    reference: &'a str,
    oscillator_mhz: f64,
    clock_mhz: f64,
    baud: u64,
    divider: u64,
    pll: Option<Pll>,
    keep: bool,
    led_on: &'a str,
    beat_on: &'a str,
}

/// How the self-test is put onto a board.
pub struct Placement<'a> {
    pub board: Board,
    /// The arguments that made it, for the header.
    pub command: &'a str,
    /// The PLL, or none: the oscillator's clock.
    pub pll: Option<Pll>,
    pub clock_hz: u64,
    /// Bits a second of the serial line.
    pub baud: u64,
    /// Cycles of a bit.
    pub divider: u64,
}

pub fn top_name(plan: &Plan, width_bits: u32, board: Board) -> String {
    format!("{}_{}", plan.design_name(width_bits), board.name())
}

/// `D_<board>.v` and its constraint file.
pub fn render(plan: &Plan, width_bits: u32, placement: &Placement) -> Files {
    let Placement { board, command, pll, clock_hz, baud, divider } = *placement;
    let pins = board.pins();
    let top = top_name(plan, width_bits, board);
    let pad = board == Board::IceBreaker;
    let values = Top {
        design: &plan.design_name(width_bits),
        selftest: format!("{}_{}", plan.design_name(width_bits), selftest::suffix(divider)),
        top: &top,
        title: board.title(),
        command,
        family: if board.ice40() { "ice40" } else { "ecp5" },
        // The clock pin of the iCEBreaker is the PLL's own.
        primitive: if pad { "SB_PLL40_PAD" } else { "SB_PLL40_CORE" },
        reference: if pad { "PACKAGEPIN" } else { "REFERENCECLK" },
        oscillator_mhz: board.oscillator_hz() as f64 / 1e6,
        clock_mhz: clock_hz as f64 / 1e6,
        baud,
        divider,
        pll,
        keep: pins.keep.is_some(),
        led_on: if board == Board::IceBreaker { "~" } else { "" },
        beat_on: "",
    };
    let constraints = format!("{top}.{}", board.constraints_extension());
    vec![
        (format!("{top}.v"), fill(include_str!("../testbench/boards/top.v.tera"), &context(&values))),
        (constraints, self::constraints(board, &pins)),
    ]
}

fn constraints(board: Board, pins: &Pins) -> String {
    let mut ports = vec![
        ("clk_i", pins.clock),
        ("uart_o", pins.uart),
        ("pass_o", pins.pass),
        ("fail_o", pins.fail),
        ("beat_o", pins.beat),
    ];
    let mut text = format!("# {}: pins as in {}.\n", board.title(), pins.source);
    if let Some((pin, why)) = pins.keep {
        ports.push(("keep_o", pin));
        text += &format!("# keep_o: {why}.\n");
    }
    for (port, pin) in ports {
        text += &if board.ice40() {
            format!("set_io {port} {pin}\n")
        } else {
            format!("LOCATE COMP \"{port}\" SITE \"{pin}\";\nIOBUF PORT \"{port}\" IO_TYPE=LVCMOS33;\n")
        };
    }
    let mhz = board.oscillator_hz() / 1_000_000;
    text + &if board.ice40() {
        format!("set_frequency clk_i {mhz}\n")
    } else {
        format!("FREQUENCY PORT \"clk_i\" {mhz} MHZ;\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_schedule::{Request, plan};

    #[test]
    fn every_pin_of_the_top_has_a_place() {
        let plan = plan(&Request::new("rls", 8)).unwrap();
        for board in Board::ALL {
            for pll in [None, board.pll(48_000_000)] {
                let placement =
                    Placement { board, command: "", pll, clock_hz: 48_000_000, baud: 115_200, divider: 417 };
                let files = render(&plan, 8, &placement);
                let (top, constraints) = (&files[0].1, &files[1].1);
                let ports: Vec<&str> = top
                    .lines()
                    .filter(|line| line.starts_with("  input ") || line.starts_with("  output "))
                    .map(|line| line.trim_end_matches(',').rsplit(' ').next().unwrap())
                    .collect();
                let placed = |line: &&str| line.starts_with("set_io") || line.starts_with("LOCATE");
                assert_eq!(constraints.lines().filter(placed).count(), ports.len(), "{board:?}");
                assert!(ports.iter().all(|port| constraints.contains(port)), "{board:?}: {ports:?}");
                assert_eq!(top.contains("u_pll"), pll.is_some(), "{board:?}");
            }
        }
    }
}
