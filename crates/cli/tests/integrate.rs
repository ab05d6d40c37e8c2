//! A design inside other people's systems: `T.py`, a module of LiteX for each top T, and `package_ip.tcl`, which packages the tops for Vivado.

use crate::common;
use crate::ip::{Port, ports};

use common::{have, have_litex, module, root, run, tools_first};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Designs: arguments, name, what the lists and what the module of the last top have behind the name, how many streams go in and out.
const DESIGNS: [(&str, &str, &str, &str, [usize; 2]); 12] = [
    (
        "rls -n 4 -w 8 --axis --port-style axis --tkeep --tuser 4 --axil",
        "rls_n4_w13",
        "_axis_l1_b1_ports_k_u4_axil",
        "_axis_l1_b1_ports_k_u4_axil",
        [4, 4],
    ),
    ("benes -n 4 -w 8 --crossbar", "benes_n4_w8", "_crossbar", "_crossbar", [4, 4]),
    (
        "transpose -n 4 --rows 8 -w 8 --keep yes --user 3",
        "transpose_8x8_p4_keep_u3_w8",
        "",
        "_permute",
        [1, 1],
    ),
    ("benes -w 8 --demand examples/demand4.csv --axis", "benes_n4_w8_e4_l5", "_axis", "_axis", [5, 4]),
    ("rls -n 4 -w 8 --axis --length 2", "rls_n4_w8", "_axis_l2_b1", "_axis_l2_b1", [4, 4]),
    ("rls -n 4 -w 8 --selftest", "rls_n4_w8", "_selftest_d104", "_selftest_d104", [0, 0]),
    (
        "gsen -n 6 -w 8 --reset async --reset-level low",
        "gsen_n6_w8",
        "_exchange_arstn",
        "_exchange_arstn",
        [0, 0],
    ),
    ("benes -w 8 --demand examples/demand4.csv", "benes_n4_w8_e4", "_loaded", "_loaded", [1, 0]),
    ("dilated -n 4 --set bundle=2 --set payload=7", "dilated_n4_b2_p2_strong", "", "_route", [0, 0]),
    (
        "multibutterfly -n 4 --set d=2 --set r=1 --set h=2 --set z=1 --set free=2 --seed 3",
        "multibutterfly_n4_0f2df584",
        "",
        "_route",
        [0, 0],
    ),
    (
        "transpose -n 4 --rows 8 -w 8 --set dims=runtime --port-style axis --axil",
        "transpose_8x8_p4_loaded_w8",
        "",
        "_axil_ports",
        [1, 1],
    ),
    (
        "permute -n 3 --kind stride --words 24 --stride 4 -w 8 --port-style axis --reset-level high",
        "permute_4x6_p3_w8",
        "",
        "_permute_ports_rst",
        [1, 1],
    ),
];

fn generate(arguments: &str) -> TempDir {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    run(&format!("generate {arguments} -o {}", folder.path().display()), 0);
    folder
}

/// What a program says, with the tools of .tools first.
fn said(command: &mut Command) -> Result<String, String> {
    let output = command.env("PATH", tools_first()).output().unwrap();
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    if output.status.success() { Ok(text) } else { Err(text) }
}

/// The bits of a port; the left bound of a range may have the width of a word.
fn bits(port: &Port, word: &Option<String>) -> u32 {
    let Some(left) = &port.2 else { return 1 };
    match left.split_once("*W-1") {
        Some((lanes, _)) => lanes.parse::<u32>().unwrap() * word.as_ref().unwrap().parse::<u32>().unwrap(),
        None => left.parse::<u32>().unwrap() + 1,
    }
}

/// Whether the script for Vivado makes what a module needs: each bit of a stream or of the registers is in one bus, on the side where it belongs;
/// each bus has the clock; clock and reset are what they are. `streams` go in and out.
fn packages(
    folder: &Path,
    script: &str,
    (top, verilog): (&str, &str),
    streams: [usize; 2],
) -> Result<(), String> {
    fs::write(folder.join("package_ip.tcl"), script).unwrap();
    let stubs = root().join("crates/cli/tests/data/vivado.tcl");
    let lines = said(Command::new("tclsh").arg(stubs).arg(folder.join("package_ip.tcl")))?;
    // The last core is that of the top that was asked for; the lines before its name are what it was made of.
    let (before, made) =
        lines.rsplit_once(&format!("core {top} {top}\n")).ok_or(format!("no core {top}: {lines}"))?;
    let before: Vec<&str> = before.lines().collect();
    let begin =
        before.iter().rposition(|line| line.starts_with("core ") || line.starts_with("map ")).unwrap_or(0);
    let words = |line: &str| line.split(' ').map(String::from).collect::<Vec<_>>();
    let of = |lines: &[&str], kind: &str| -> Vec<Vec<String>> {
        lines.iter().map(|line| words(line)).filter(|line| line[0] == kind).collect()
    };
    let made: Vec<&str> = made.lines().collect();
    let (expected, word) = ports(verilog);
    let mut free: BTreeSet<(&str, u32)> =
        expected.iter().flat_map(|port| (0..bits(port, &word)).map(|bit| (port.0.as_str(), bit))).collect();
    let inputs: BTreeMap<&str, &Port> = expected.iter().map(|port| (port.0.as_str(), port)).collect();
    let mut buses = BTreeMap::new();
    for map in of(&made, "map") {
        let [bus, kind, mode, role, name] = [1, 2, 3, 4, 5].map(|at| map[at].as_str());
        let port = inputs.get(name).ok_or(format!("{bus}: no port {name}"))?;
        // Whoever receives drives only what says that it is ready, and what it answers.
        let answers = role == "TREADY"
            || ["AWREADY", "WREADY", "ARREADY"].contains(&role)
            || (role.starts_with(['B', 'R']) && !role.ends_with("READY") && role != "RST");
        if port.1 == ((mode == "slave") == answers) {
            return Err(format!("{bus}: {role} of a {mode} is {name}"));
        }
        let [left, right] = match map.get(6..8) {
            Some([left, right]) => [left, right].map(|bit| bit.parse().unwrap()),
            _ => [bits(port, &word) - 1, 0],
        };
        if (right..=left).any(|bit| !free.remove(&(port.0.as_str(), bit))) {
            return Err(format!("{bus}: bits {left} to {right} of {name} are in another bus, too"));
        }
        buses.insert(bus.to_string(), format!("{} {mode}", kind.trim_start_matches("xilinx.com:")));
    }
    if let Some((port, bit)) =
        free.iter().find(|(port, _)| ["_axis_", "s_axil_"].iter().any(|part| port.contains(part)))
    {
        return Err(format!("bit {bit} of {port} is in no bus"));
    }
    let count = |kind: &str| buses.values().filter(|of| *of == kind).count();
    let counted = [count("interface:axis:1.0 slave"), count("interface:axis:1.0 master")];
    if counted != streams
        || count("interface:aximm:1.0 slave") != usize::from(verilog.contains(" s_axil_awaddr"))
    {
        return Err(format!("{counted:?} streams: {buses:?}"));
    }
    let clocked = of(&before[begin..], "clock");
    for bus in buses.iter().filter(|(_, kind)| kind.starts_with("interface")).map(|(bus, _)| bus) {
        let clock = clocked.iter().find(|line| line[1] == *bus).ok_or(format!("{bus} has no clock"))?;
        if buses.get(&clock[2]).is_none_or(|kind| kind != "signal:clock:1.0 slave") {
            return Err(format!("{bus}: {} is no clock", clock[2]));
        }
    }
    let reset = of(&before[begin..], "reset").pop().ok_or("no reset")?.pop().unwrap();
    let level = if reset.ends_with('n') || reset.ends_with("ni") { "LOW" } else { "HIGH" };
    if !made.contains(&format!("parameter {reset}.POLARITY ACTIVE_{level}").as_str()) {
        return Err(format!("the level of {reset}"));
    }
    Ok(())
}

/// Whether each port of the module is connected once in the module of LiteX, on its side.
fn connects(python: &str, verilog: &str) -> Result<(), String> {
    for (port, input, _) in ports(verilog).0 {
        let line = format!("            {}_{port}=", if input { "i" } else { "o" });
        if python.matches(&line).count() != 1 {
            return Err(format!("{port} is not connected once"));
        }
    }
    Ok(())
}

#[test]
fn the_script_for_vivado_runs_under_stubs_and_has_every_bus_of_the_last_top() {
    if !have(&["yosys"]) {
        return; // tclsh comes with it
    }
    for (arguments, design, list, end, streams) in DESIGNS {
        let folder = generate(arguments);
        let (top, list) = (format!("{design}{end}"), format!("{design}{list}"));
        let [script, python] = ["package_ip.tcl".into(), format!("{list}.py")]
            .map(|name: String| fs::read_to_string(folder.path().join(name)).unwrap());
        let verilog = module(folder.path(), design, &top);
        packages(folder.path(), &script, (&top, &verilog), streams)
            .unwrap_or_else(|said| panic!("{arguments}: {said}"));
        connects(&python, &verilog).unwrap_or_else(|said| panic!("{arguments}: {said}"));
        said(
            Command::new("python3").args(["-m", "py_compile"]).arg(folder.path().join(format!("{list}.py"))),
        )
        .unwrap_or_else(|said| panic!("{arguments}: {said}"));
    }
}

/// Mistakes in a script, and what is said of them.
const MISTAKES: [(&str, &str, &str); 10] = [
    (
        "}\nipx::associate_bus_interfaces -busif m03_axis",
        "\nipx::associate_bus_interfaces -busif m03_axis",
        "missing close-brace",
    ),
    (
        "add_bus $core s02_axis interface:axis slave {",
        "add_bus $core s02_axis interface:axis slave",
        "wrong # args",
    ),
    ("ipx::associate_bus_interfaces -busif s01_axis -clock clk_i $core\n", "", "s01_axis has no clock"),
    ("-busif m01_axis -clock clk_i", "-busif m01_axis -clock rst_i", "m01_axis: rst_i is no clock"),
    (
        "\"TDATA s_axis_tdata_i 15 8\"",
        "\"TDATA s_axis_tdata_i 14 8\"",
        "bit 15 of s_axis_tdata_i is in no bus",
    ),
    ("\"TDATA s_axis_tdata_i 15 8\"", "\"TDATA s_axis_tdata_i 15 7\"", "are in another bus, too"),
    ("\"TVALID m_axis_tvalid_o 0 0\"", "\"TREADY m_axis_tvalid_o 0 0\"", "is there already"),
    ("s00_axis interface:axis slave", "s00_axis interface:axis master", "s00_axis: "),
    ("ACTIVE_HIGH", "ACTIVE_LOW", "the level of rst_i"),
    ("ipx::add_bus_parameter $", "ipx::add_parameter $", "invalid command name"),
];

#[test]
fn mistakes_in_a_script_for_vivado_and_in_a_module_of_litex_are_found() {
    if !have(&["yosys"]) {
        return;
    }
    let (arguments, design, top, _, streams) = DESIGNS[1];
    let folder = generate(arguments);
    let top = format!("{design}{top}");
    let verilog = module(folder.path(), design, &top);
    let script = fs::read_to_string(folder.path().join("package_ip.tcl")).unwrap();
    for (from, to, expected) in MISTAKES {
        assert!(script.contains(from), "{from}");
        let complaint =
            packages(folder.path(), &script.replacen(from, to, 1), (&top, &verilog), streams).unwrap_err();
        assert!(complaint.contains(expected), "{to}: {complaint}");
    }
    let python = fs::read_to_string(folder.path().join(format!("{top}.py"))).unwrap();
    for (from, to) in [("o_error_o=", "i_error_o="), ("i_s_axil_wstrb=", "i_s_axil_wdata=")] {
        assert!(connects(&python.replacen(from, to, 1), &verilog).is_err(), "{to}");
    }
}

/// `in_litex.py` with these arguments.
fn in_litex(arguments: &[&str]) -> Result<String, String> {
    let tools = root().join(".tools");
    let archive =
        fs::read_dir(tools.join("debian/usr/lib")).map(|mut found| found.next().unwrap().unwrap().path());
    let libraries = [tools.join("litex/lib")].into_iter().chain(archive);
    let joined = |paths: Vec<PathBuf>| std::env::join_paths(paths).unwrap();
    let mut python = Command::new("python3");
    python.arg(root().join("crates/cli/tests/data/in_litex.py")).args(arguments);
    python.env("PYTHONPATH", tools.join("litex/python")).env("PYTHONDONTWRITEBYTECODE", "1");
    python.env("CPATH", tools.join("litex/include")).env("LIBRARY_PATH", joined(libraries.collect()));
    // Of the modules that LiteX's simulation may load only the clock is built.
    python.env("LD_LIBRARY_PATH", tools.join("litex/lib")).env("MAKEFLAGS", "MODULES=clocker");
    said(&mut python)
}

#[test]
#[ignore = "long: make test-all"]
fn every_module_of_litex_becomes_part_of_a_soc() {
    if !have_litex() || !have(&["verilator"]) {
        return;
    }
    for (arguments, design, list, end, streams) in &DESIGNS {
        let (folder, list) = (generate(arguments), format!("{design}{list}"));
        let path = |name: &str| folder.path().join(name).display().to_string();
        let text = in_litex(&["soc", &path(""), &path("soc"), &list])
            .unwrap_or_else(|said| panic!("{arguments}: {said}"));
        let counted = |names: &[&str]| {
            let of = |line: &str| {
                names
                    .iter()
                    .find_map(|name| line.strip_prefix(&format!("attribute {name} "))?.parse::<usize>().ok())
            };
            text.lines().filter_map(of).sum::<usize>()
        };
        assert_eq!(
            [counted(&["sink", "sinks", "program"]), counted(&["source", "sources"])],
            *streams,
            "{text}"
        );
        let csr = fs::read_to_string(path("soc/csr.csv")).unwrap();
        let sources = fs::read_to_string(path(&format!("{list}.f"))).unwrap();
        let sources: Vec<String> = sources.lines().filter(|line| line.ends_with(".v")).map(&path).collect();
        let lint = |sim: &str| {
            let mut verilator = Command::new("verilator");
            verilator.args(["--lint-only", "-Wno-fatal", "--top-module", "sim", sim]).args(&sources);
            let text = said(&mut verilator)?;
            // LiteX's own Verilog has other warnings.
            let of_ports = |line: &&str| line.contains("Warning-PIN") || line.contains("port connection");
            text.lines().find(of_ports).map_or(Ok(()), |line| Err(line.to_string()))
        };
        lint(&path("soc/gateware/sim.v")).unwrap_or_else(|said| panic!("{arguments}: {said}"));
        let verilog = fs::read_to_string(path("soc/gateware/sim.v")).unwrap();
        assert!(verilog.contains(&format!("\n{design}{end} ")), "no {design}{end}: {verilog}");
        // A connection of a port that does not exist.
        let clock = if verilog.contains(".clk_i") { ".clk_i" } else { ".aclk" };
        fs::write(path("wrong.v"), verilog.replacen(clock, ".clock", 1)).unwrap();
        assert!(lint(&path("wrong.v")).is_err());
        // Software has a register for each port of one lane that belongs to no stream.
        let ports = ports(&module(folder.path(), design, &format!("{design}{end}"))).0;
        let short = |port: &Port| port.0.trim_end_matches("_i").trim_end_matches("_o").to_string();
        let ports: BTreeSet<String> = ports.iter().map(short).collect();
        for register in ["start", "ready", "busy", "error", "error_load", "cycles", "irq", "recv_data"] {
            let expected = ports.contains(register) && register != "recv_data";
            assert_eq!(
                csr.contains(&format!("core_{register},")),
                expected,
                "{arguments}: {register}\n{csr}"
            );
        }
    }
}

#[test]
#[ignore = "long: make test-all"]
fn a_corner_turn_runs_in_the_simulation_of_litex() {
    if !have_litex() || !have(&["verilator", "make", "g++"]) {
        return;
    }
    let folder = generate("transpose -n 4 --rows 8 -w 8");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let name = "transpose_8x8_p4_w8";
    let turned = |out: &str| in_litex(&["turn", &path(""), &path(out), name, "4", "8", "8", "8"]).unwrap();
    let text = turned("good");
    assert!(text.contains("PASS: 48 beats"), "{text}");
    // Two lanes change places.
    let file = path(&format!("{name}.v"));
    let verilog = fs::read_to_string(&file).unwrap();
    let wrong = verilog.replacen(".data_i(s_axis_tdata_i[7:0])", ".data_i(s_axis_tdata_i[15:8])", 1);
    assert_ne!(wrong, verilog);
    fs::write(&file, wrong).unwrap();
    let text = turned("wrong");
    assert!(text.contains("FAIL: 48 beats") && !text.contains("PASS"), "{text}");
    // A port of the module in Python has the wrong name.
    fs::write(&file, verilog).unwrap();
    let python = path(&format!("{name}.py"));
    let text = fs::read_to_string(&python)
        .unwrap()
        .replace("i_m_axis_tready_i=self.source.ready", "i_m_axis_tready_i=1");
    fs::write(&python, text).unwrap();
    let text = turned("ready");
    assert!(text.contains("FAIL") && !text.contains("PASS"), "{text}");
}
