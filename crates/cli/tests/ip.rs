//! A design as other languages see it: `component.xml` (IP-XACT) and `D_pkg.vhd` (VHDL) beside its Verilog.

use crate::common;

use common::{have_ip, module, root, run};
use frit_cells::registers::{Access, Field, REGISTERS, Register};
use roxmltree::{Document, Node};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

const FULL: &str = "rls -n 4 -w 8 --axis --length 3 --buffers 2 --port-style axis --tkeep --tuser 4 --axil";
const FULL_TOP: &str = "rls_n4_w13_axis_l3_b2_ports_k_u4_axil";

/// A port of a Verilog module: its name, whether it is an input, and the left bound of its range.
pub(crate) type Port = (String, bool, Option<String>);

/// The text of a file.
fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

/// The ports of the module in a Verilog file, and the default of W if that is a parameter.
pub(crate) fn ports(verilog: &str) -> (Vec<Port>, Option<String>) {
    let head = verilog.split_once("\nmodule ").unwrap().1.split_once(");\n").unwrap().0;
    let code = head.lines().map(|line| line.split("//").next().unwrap().trim().trim_end_matches(','));
    let mut word = None;
    let mut ports = Vec::new();
    for line in code {
        if let Some(value) = line.strip_prefix("parameter integer W = ") {
            word = Some(value.to_string());
        }
        let input = line.starts_with("input ");
        if input || line.starts_with("output ") {
            let name = line.rsplit(' ').next().unwrap().to_string();
            let left = line.split_once('[').map(|(_, rest)| rest.split(':').next().unwrap().to_string());
            ports.push((name, input, left));
        }
    }
    (ports, word)
}

/// The text of the first element of this name below a node.
fn value<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.descendants().find(|below| below.has_tag_name((SCHEMA, name)))?.text()
}

const SCHEMA: &str = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014";

/// The elements of this name.
fn all<'a, 'b>(node: Node<'a, 'b>, name: &'static str) -> impl Iterator<Item = Node<'a, 'b>> {
    node.descendants().filter(move |below| below.has_tag_name((SCHEMA, name)))
}

/// Whether the component says what the module and the table of registers say, whose description in SystemRDL is empty without registers.
fn agrees(xml: &str, verilog: &str, rdl: &str) -> Result<(), String> {
    let document = Document::parse(xml).map_err(|error| error.to_string())?;
    let component = document.root_element();
    let port = |node: Node| {
        let left = value(node, "left").map(String::from);
        (value(node, "name").unwrap().to_string(), value(node, "direction") == Some("in"), left)
    };
    let model = all(component, "model").next().ok_or("no model")?;
    let told: Vec<Port> = all(model, "port").map(port).collect();
    let (expected, _) = ports(verilog);
    if told != expected {
        return Err(format!("ports {told:?}, but the module has {expected:?}"));
    }
    let inputs: BTreeMap<&str, bool> =
        expected.iter().map(|(name, input, _)| (name.as_str(), *input)).collect();
    let mut free: BTreeSet<&str> = inputs.keys().copied().collect();
    for bus in all(component, "busInterface") {
        let name = value(bus, "name").unwrap();
        let target = all(bus, "slave").next().is_some();
        let mut logical = BTreeSet::new();
        for map in all(bus, "portMap") {
            let names: Vec<&str> = all(map, "name").filter_map(|node| node.text()).collect();
            let [role, physical] = names[..] else { return Err(format!("{name}: {names:?}")) };
            let input = inputs.get(physical).ok_or(format!("{name}: no port {physical}"))?;
            if !logical.insert(role) {
                return Err(format!("{name}: {role} twice"));
            }
            if ["ACLK", "ARESETn"].contains(&role) {
                free.remove(physical);
                continue;
            }
            // Whoever receives drives only what says that it is ready, and what it answers.
            let answers = role.ends_with("READY") && !["BREADY", "RREADY"].contains(&role)
                || (role.starts_with(['B', 'R']) && !role.ends_with("READY"));
            if *input == (target == answers) || format!("{name}_{}", role.to_lowercase()) != *physical {
                return Err(format!("{name}: {role} is {physical}"));
            }
            if !free.remove(physical) {
                return Err(format!("{physical} is in two interfaces"));
            }
        }
    }
    let control = ["start", "ready", "busy", "done", "cycles", "irq", "areset"];
    if let Some(port) = free.iter().find(|port| !control.contains(port) && !port.starts_with("error_")) {
        return Err(format!("{port} is in no interface"));
    }
    let told: Vec<String> = all(component, "register").flat_map(fields).collect();
    let expected = table(rdl);
    match told.iter().zip(&expected).find(|(told, expected)| told != expected) {
        Some((told, expected)) => Err(format!("{told}, but the table has {expected}")),
        None if told.len() != expected.len() => Err(format!("{} fields, not {}", told.len(), expected.len())),
        None => Ok(()),
    }
}

/// A line for each field of a register.
fn fields<'a>(register: Node<'a, 'a>) -> Vec<String> {
    let of = |node, name| value(node, name).unwrap_or("-");
    let place = format!("{} {}", of(register, "name"), of(register, "addressOffset"));
    let line = |field| {
        let [name, low, bits] = ["name", "bitOffset", "bitWidth"].map(|name| of(field, name));
        let [access, clears] = ["access", "modifiedWriteValue"].map(|name| of(field, name));
        format!("{place} {name} {low} {bits} {access} {clears} {}", of(field, "value"))
    };
    all(register, "field").map(line).collect()
}

/// The same of the table, with the values after reset that SystemRDL has.
fn table(rdl: &str) -> Vec<String> {
    let values = rdl.lines().filter(|line| line.contains("field {")).map(|line| {
        let value = line.rsplit_once(" = ").filter(|(head, _)| head.ends_with(']'));
        value.map_or("-".into(), |(_, value)| value.trim_start_matches(char::is_numeric).replace(';', ""))
    });
    let fields =
        REGISTERS.iter().flat_map(|register| register.fields.iter().map(move |field| (register, field)));
    let line = |((register, field), reset): ((&Register, &Field), String)| {
        let (access, clears) = match field.access {
            Access::Read | Access::Constant => ("read-only", "-"),
            Access::ReadWrite => ("read-write", "-"),
            Access::Clear => ("read-write", "oneToClear"),
            Access::Pulse => ("write-only", "-"),
        };
        let place = format!("{} 'h{:x}", register.name, register.address);
        format!("{place} {} {} {} {access} {clears} {reset}", field.name, field.low, field.bits)
    };
    fields.zip(values).map(line).collect()
}

/// Mistakes in a component, and what is said of them.
const MISTAKES: [(&str, &str, &str); 9] = [
    (">s00_axis_tlast<", ">s01_axis_tlast<", "TLAST is s01_axis_tlast"),
    ("<ipxact:slave/>", "<ipxact:master/>", "s00_axis: "),
    (">TVALID<", ">TREADY<", "s00_axis: TREADY is s00_axis_tvalid"),
    ("<ipxact:left>7<", "<ipxact:left>8<", "ports "),
    ("<ipxact:direction>in<", "<ipxact:direction>out<", "ports "),
    (">'h2c<", ">'h3c<", "IRQ_STATUS 'h3c"),
    (">'h46524954<", ">'h46524955<", "but the table has ID 'h0"),
    ("oneToClear", "zeroToClear", "but the table has ERRORS"),
    ("</ipxact:component>", "", "never closed"),
];

#[test]
fn ip_xact_has_the_ports_of_the_module_and_the_registers_of_the_table() {
    let folder = tempfile::tempdir().unwrap();
    run(&format!("generate {FULL} -o {}", folder.path().display()), 0);
    let (xml, verilog) =
        (text(folder.path(), "component.xml"), module(folder.path(), "rls_n4_w13", FULL_TOP));
    let rdl = text(folder.path(), &format!("{FULL_TOP}.rdl"));
    assert_eq!(table(&rdl).len(), REGISTERS.iter().map(|register| register.fields.len()).sum::<usize>());
    agrees(&xml, &verilog, &rdl).unwrap();
    for (from, to, said) in MISTAKES {
        assert!(xml.contains(from), "{from}");
        let complaint = agrees(&xml.replacen(from, to, 1), &verilog, &rdl).unwrap_err();
        assert!(complaint.contains(said), "{to}: {complaint}");
    }
    // Without registers, and with a reset that AXI does not have.
    let other = tempfile::tempdir().unwrap();
    let options = "obf -n 4 -w 9 --axis --port-style axis --reset-level high";
    run(&format!("generate {options} -o {}", other.path().display()), 0);
    let xml = text(other.path(), "component.xml");
    agrees(&xml, &module(other.path(), "obf_n4_w9", "obf_n4_w9_axis_l1_b1_ports_rst"), "").unwrap();
    assert!(!xml.contains("ARESETn") && !xml.contains("memoryMap"), "{xml}");
}

/// Of each bit of the packed ports of a crossbar's streams the interface and role that it has, and a line for each field of a register.
fn crossbar(xml: &str) -> (BTreeMap<(String, u32), String>, Vec<String>) {
    let document = Document::parse(xml).unwrap();
    let component = document.root_element();
    let mut bits = BTreeMap::new();
    for bus in all(component, "busInterface").filter(|bus| value(*bus, "name") != Some("s_axil")) {
        for map in all(bus, "portMap").filter(|map| value(*map, "left").is_some()) {
            let names: Vec<&str> = all(map, "name").filter_map(|node| node.text()).collect();
            let [left, right] =
                ["left", "right"].map(|name| value(map, name).unwrap().parse::<u32>().unwrap());
            for bit in right..=left {
                let role = format!("{} {} {}", value(bus, "name").unwrap(), names[0], bit - right);
                assert_eq!(
                    bits.insert((names[1].to_string(), bit), role),
                    None,
                    "bit {bit} of {} twice",
                    names[1]
                );
            }
        }
    }
    (bits, all(component, "register").flat_map(fields).collect())
}

#[test]
fn ip_xact_of_a_corner_turn_has_its_streams_and_registers() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "transpose -n 4 --rows 8 -w 8 --keep yes --port-style axis --axil";
    run(&format!("generate {arguments} -o {}", folder.path().display()), 0);
    let xml = text(folder.path(), "component.xml");
    let (design, top) = ("transpose_8x8_p4_keep_w8", "transpose_8x8_p4_keep_w8_axil_ports");
    let (ports, _) = ports(&module(folder.path(), design, top));
    for (port, ..) in ports.iter().filter(|(name, ..)| name.contains("_axi")) {
        let logical = port.rsplit('_').next().unwrap().to_uppercase();
        let map = format!(
            "<ipxact:logicalPort><ipxact:name>{logical}</ipxact:name></ipxact:logicalPort>\n              <ipxact:physicalPort><ipxact:name>{port}</ipxact:name>"
        );
        assert_eq!(xml.matches(&map).count(), 1, "{map}\n{xml}");
    }
    // Clock and reset are in each of the three interfaces.
    assert_eq!(
        ["aclk", "aresetn"].map(|port| xml.matches(&format!("Port><ipxact:name>{port}<")).count()),
        [3, 3]
    );
    assert_eq!(xml.matches("<ipxact:register>").count(), 7);
    assert!(xml.contains("<ipxact:slave><ipxact:memoryMapRef"), "{xml}");
}

#[test]
fn ip_xact_of_a_crossbar_has_its_streams_and_registers() {
    let folder = tempfile::tempdir().unwrap();
    run(&format!("generate benes -n 4 -w 3 --crossbar -o {}", folder.path().display()), 0);
    let xml = text(folder.path(), "component.xml");
    let (bits, registers) = crossbar(&xml);
    let (ports, _) = ports(&module(folder.path(), "benes_n4_w3", "benes_n4_w3_crossbar"));
    let of_streams = ports.iter().filter(|(name, ..)| name.contains("_axis_"));
    let width = |left: &Option<String>| left.as_ref().map_or(1, |left| left.parse::<u32>().unwrap() + 1);
    // Every bit of every port of a stream is in one interface, and no other bit is.
    assert_eq!(of_streams.map(|(_, _, left)| width(left)).sum::<u32>() as usize, bits.len());
    for (port, bit, role) in [
        ("s_axis_tvalid_i", 2, "s02_axis TVALID 0"),
        ("s_axis_tready_o", 3, "s03_axis TREADY 0"),
        ("m_axis_tready_i", 1, "m01_axis TREADY 0"),
        ("m_axis_tdata_o", 7, "m02_axis TDATA 1"),
        ("m_axis_tlast_o", 0, "m00_axis TLAST 0"),
    ] {
        assert_eq!(bits.get(&(port.to_string(), bit)).map(String::as_str), Some(role), "{port}[{bit}]");
    }
    assert_eq!(registers[0], "CONTROL 'h0 COMMIT 1 1 read-write oneToSet 'h0");
    assert_eq!(registers[4], "SOURCE_0 'h40 OFF 31 1 read-write - 'h1");
    assert_eq!(
        (registers.len(), registers[11].as_str()),
        (12, "SETTINGS_0 'h400 STATES 0 6 read-write - 'h0")
    );
    let moved = xml.replacen("<ipxact:left>5</ipxact:left>", "<ipxact:left>6</ipxact:left>", 1);
    assert!(xml != moved && std::panic::catch_unwind(|| crossbar(&moved)).is_err());
}

/// What the schema says against a component.
fn by_schema(file: &Path) -> Result<(), String> {
    let output = Command::new("python3")
        .arg(root().join("crates/cli/tests/data/ip_xact.py"))
        .args([&root().join(".tools/ip/schema/index.xsd"), file])
        .env("PYTHONPATH", root().join(".tools/ip/python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&said).into_owned()) }
}

#[test]
#[ignore = "long: make test-all"]
fn the_schema_of_ip_xact_takes_the_components() {
    if !have_ip() {
        return;
    }
    for options in [
        FULL,
        "obf -n 4 -w 9 --axis --port-style axis --reset async",
        "gsen -n 6 -w 1 --axis --port-style axis",
        "benes -n 4 -w 3 --crossbar",
        "transpose -n 4 --rows 8 -w 8 --port-style axis --axil",
        "permute -n 3 --kind stride --words 24 --stride 4 -w 8 --port-style axis --reset async",
    ] {
        let folder = tempfile::tempdir().unwrap();
        run(&format!("generate {options} -o {}", folder.path().display()), 0);
        let file = folder.path().join("component.xml");
        by_schema(&file).unwrap_or_else(|said| panic!("{options}: {said}"));
        let xml = fs::read_to_string(&file).unwrap();
        for (from, to, said) in [
            ("<ipxact:wire>", "<ipxact:wires>", "mismatched tag"),
            ("<ipxact:direction>in</ipxact:direction>", "", "direction"),
            ("<ipxact:moduleName>", "<ipxact:moduleName/><ipxact:moduleName>", "moduleName"),
        ] {
            fs::write(&file, xml.replacen(from, to, 1)).unwrap();
            let complaint = by_schema(&file).unwrap_err();
            assert!(complaint.contains(said), "{to}: {complaint}");
        }
    }
}

/// The components of a package for VHDL: name, ports, and the default of W.
fn components(package: &str) -> Vec<(String, Vec<Port>, Option<String>)> {
    let mut all: Vec<(String, Vec<Port>, Option<String>)> = Vec::new();
    for line in package.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("component ") {
            all.push((name.trim_end_matches(" is").into(), vec![], None));
        } else if let Some((name, kind)) = line.split_once(" : ").filter(|_| !line.starts_with("--")) {
            let last = all.last_mut().unwrap();
            if let Some(value) = kind.strip_prefix("positive := ") {
                last.2 = value.split(' ').next().map(String::from);
                continue;
            }
            let left =
                kind.split_once('(').map(|(_, rest)| rest.split_once(" downto ").unwrap().0.replace(' ', ""));
            last.1.push((name.into(), kind.starts_with("in "), left));
        }
    }
    all
}

/// The left bound of a range, without the factor 1.
fn bound(port: &Port) -> Port {
    let (name, input, left) = port;
    (name.clone(), *input, left.as_ref().map(|left| left.trim_start_matches("1*").to_string()))
}

#[test]
fn a_package_for_vhdl_has_the_ports_of_each_top() {
    let folder = tempfile::tempdir().unwrap();
    run(&format!("generate {FULL} -o {}", folder.path().display()), 0);
    let declared = components(&text(folder.path(), "rls_n4_w13_pkg.vhd"));
    let names: Vec<&str> = declared.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, ["rls_n4_w13_exchange", "rls_n4_w13_axis_l3_b2", FULL_TOP]);
    for (name, told, word) in &declared {
        let (expected, parameter) = ports(&module(folder.path(), "rls_n4_w13", name));
        let [told, expected] = [told, &expected].map(|ports| ports.iter().map(bound).collect::<Vec<_>>());
        assert_eq!((told, word), (expected, &parameter), "{name}");
    }
    assert_eq!(declared[0].2.as_deref(), Some("13"));
    assert_eq!(declared[2].2, None);
}

/// What VHDL has for a range of Verilog.
fn kind(left: &Option<String>) -> String {
    left.as_ref().map_or("std_logic".into(), |left| format!("std_logic_vector({left} downto 0)"))
}

/// A module as an entity without contents, and a design that instantiates the component: both written from the Verilog.
fn black_box(name: &str, package: &str, verilog: &str) -> String {
    let (ports, word) = ports(verilog);
    let direction = |input: bool| if input { "in" } else { "out" };
    let port = |(name, input, left): &Port| format!("{name} : {} {}", direction(*input), kind(left));
    let signal = |(name, _, left): &Port| format!("  signal {name} : {};\n", kind(left));
    let list: Vec<String> = ports.iter().map(port).collect();
    let signals: String = ports.iter().map(signal).collect();
    let maps: Vec<String> = ports.iter().map(|(name, ..)| format!("{name} => {name}")).collect();
    let library = "library ieee;\nuse ieee.std_logic_1164.all;\n";
    let generic = word.as_ref().map_or(String::new(), |word| format!("generic (W : positive := {word}); "));
    let constant = word.as_ref().map_or(String::new(), |_| "  constant W : positive := 5;\n".into());
    let generics = word.map_or("", |_| "generic map (W => W) ");
    format!(
        "{library}entity {name} is {generic}port ({});\nend entity;\narchitecture empty of {name} is begin end architecture;\n\
         {library}use work.{package}.all;\nentity user is end entity;\narchitecture test of user is\n{constant}{signals}begin\n\
         \x20 dut : {name} {generics}port map ({});\nend architecture;\n",
        list.join("; "),
        maps.join(", ")
    )
}

/// Whether GHDL analyses the package and elaborates a design with the module as a black box.
fn elaborates(folder: &Path, package: &str) -> Result<(), String> {
    let steps: [&[&str]; 4] =
        [&["-a", package], &["-a", "box.vhd"], &["-e", "user"], &["-r", "user", "--stop-time=1ns"]];
    for step in steps {
        let mut command = Command::new(root().join(".tools/bin/ghdl"));
        let output = command.args(step).current_dir(folder).output().unwrap();
        if !output.status.success() {
            let said = [output.stdout, output.stderr].concat();
            return Err(String::from_utf8_lossy(&said).into_owned());
        }
    }
    Ok(())
}

#[test]
#[ignore = "long: make test-all"]
fn ghdl_elaborates_the_modules_as_black_boxes() {
    if !have_ip() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (options, name, broken) in [
        (FULL, "rls_n4_w13_exchange", "send_dest_o : out std_logic_vector(7 downto 0)"),
        (FULL, FULL_TOP, "s_axil_wdata : in std_logic_vector(31 downto 0)"),
        ("gsen -n 6 -w 8 --fabric-style compact", "gsen_n6_w8_compact_exchange", "start_i : in std_logic"),
    ] {
        run(&format!("generate {options} -o {} --force", folder.path().display()), 0);
        let design = name.split("_axis").next().unwrap().trim_end_matches("_exchange");
        let package = format!("{design}_pkg");
        let (file, verilog) = (format!("{package}.vhd"), module(folder.path(), design, name));
        fs::write(folder.path().join("box.vhd"), black_box(name, &package, &verilog)).unwrap();
        elaborates(folder.path(), &file).unwrap_or_else(|said| panic!("{name}: {said}"));
        let declared = text(folder.path(), &file);
        assert!(declared.contains(broken), "{declared}");
        let wrong = [
            broken.replace("downto 0)", "downto 1)").replace("in std_logic", "out std_logic"),
            broken.replacen("_", "_x", 1),
        ];
        for wrong in wrong {
            fs::write(folder.path().join("wrong.vhd"), declared.replace(broken, &wrong)).unwrap();
            assert!(elaborates(folder.path(), "wrong.vhd").is_err(), "{wrong}");
        }
    }
}
