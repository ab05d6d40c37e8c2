//! The registers of a design as another compiler reads them: its SystemRDL against its header for C and against the table.

use crate::common;

use common::{have_python, root, run};
use frit_cells::registers::{Access, REGISTERS};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

const TOP: &str = "rls_n4_w13_axis_l3_b2_ports_k_u4_axil";

/// A field as systemrdl-compiler tells it.
#[derive(Debug)]
struct Told {
    register: String,
    address: u32,
    field: String,
    low: u32,
    high: u32,
    /// sw, hw, onwrite, singlepulse, hwset.
    properties: String,
    reset: Option<u32>,
}

/// What the compiler makes of a description, or what it says against it.
fn compiled(file: &Path) -> Result<Vec<Told>, String> {
    let output = Command::new(root().join(".tools/venv/bin/python"))
        .arg(root().join("crates/cli/tests/data/registers.py"))
        .arg(file)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let told = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let [register, address, bytes, field, low, high, properties @ .., reset] = words.as_slice() else {
            panic!("{line}");
        };
        assert_eq!(*bytes, "4", "{line}");
        Told {
            register: register.to_string(),
            address: address.parse().unwrap(),
            field: field.to_string(),
            low: low.parse().unwrap(),
            high: high.parse().unwrap(),
            properties: properties.join(" "),
            reset: reset.parse().ok(),
        }
    };
    Ok(String::from_utf8(output.stdout).unwrap().lines().map(told).collect())
}

/// What SystemRDL should say of such a field.
fn properties(access: Access) -> &'static str {
    match access {
        Access::Read => "r w - False False",
        Access::Constant => "r na - False False",
        Access::ReadWrite => "rw r - False False",
        Access::Clear => "rw r woclr False True",
        Access::Pulse => "w r - True False",
    }
}

/// Whether the compiler tells of the fields of the table, in its order, and of no others.
fn agrees_with_the_table(told: &[Told]) -> Result<(), String> {
    let fields =
        REGISTERS.iter().flat_map(|register| register.fields.iter().map(move |field| (register, field)));
    let fields: Vec<_> = fields.collect();
    if fields.len() != told.len() {
        return Err(format!("{} fields, {} in the table", told.len(), fields.len()));
    }
    for ((register, field), told) in fields.into_iter().zip(told) {
        let place = (register.name, register.address, field.name, field.low, field.low + field.bits - 1);
        let given = (told.register.as_str(), told.address, told.field.as_str(), told.low, told.high);
        if place != given || told.properties != properties(field.access) {
            return Err(format!("{place:?} {:?} of the table is {told:?}", field.access));
        }
        // What a design shows of its state has no value of its own; constants are compared with the header.
        let reset = match field.access {
            Access::Read => told.reset.is_none(),
            Access::Constant => told.reset.is_some(),
            Access::ReadWrite | Access::Clear | Access::Pulse => told.reset == Some(0),
        };
        if !reset {
            return Err(format!("the reset of {told:?}"));
        }
    }
    Ok(())
}

/// The numbers that a header for C should define.
fn numbers(told: &[Told]) -> BTreeMap<String, u32> {
    let mut numbers = BTreeMap::new();
    for Told { register, address, field, low, high, properties, reset } in told {
        numbers.insert(format!("FRIT_{register}"), *address);
        if high - low < 31 {
            let mask = u32::MAX >> (31 - (high - low)) << low;
            numbers.insert(format!("FRIT_{register}_{field}_SHIFT"), *low);
            numbers.insert(format!("FRIT_{register}_{field}_MASK"), mask);
        }
        if properties.starts_with("r na ") {
            *numbers.entry(format!("{}_{register}", TOP.to_uppercase())).or_default() |=
                reset.unwrap() << low;
        }
    }
    numbers
}

/// The numbers that a header does define.
fn defined(header: &str) -> BTreeMap<String, u32> {
    let number = |line: &str| {
        let mut words = line.strip_prefix("#define ")?.split_whitespace();
        let (name, value) = (words.next()?, words.next()?.strip_suffix('u')?);
        let value =
            value.strip_prefix("0x").map_or_else(|| value.parse(), |hex| u32::from_str_radix(hex, 16));
        Some((name.to_string(), value.unwrap()))
    };
    header.lines().filter_map(number).collect()
}

fn agrees(description: &Path, header: &str) -> Result<(), String> {
    let told = compiled(description)?;
    agrees_with_the_table(&told)?;
    let (expected, found) = (numbers(&told), defined(header));
    match expected == found {
        true => Ok(()),
        false => Err(format!("the header has {found:#x?}, not {expected:#x?}")),
    }
}

/// Changes of a description: what stands there, what in its place, and what is said of it by the compiler or here.
const BROKEN: [(&str, &str, &str); 9] = [
    ("} ID @ 0x00;", "} ID @ 0x00", "error"),
    ("@ 0x24", "@ 0x20", "overlap"),
    ("MAJOR[31:16]", "MAJOR[31:8]", "overlap"),
    ("LENGTH[15:0] = 16'h3", "LENGTH[15:0] = 16'h4", "the header has"),
    ("} IRQ_ENABLE @ 0x30", "} IRQ_ENABLE @ 0x3c", "\"IRQ_ENABLE\", 48"),
    ("onwrite = woclr", "onwrite = wzc", "Clear of the table is"),
    ("sw = w; hw = r; singlepulse;", "sw = rw; hw = r;", "Pulse of the table is"),
    ("AUTO[1:1] = 1'h0", "AUTO[1:1] = 1'h1", "the reset of"),
    ("READY[0:0];", "READY[2:2];", "\"READY\", 0, 0"),
];

#[test]
fn another_compiler_reads_the_registers_of_the_table_and_of_the_header() {
    if !have_python("systemrdl") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let options = "--axis --length 3 --buffers 2 --port-style axis --tkeep --tuser 4 --axil";
    run(&format!("generate rls -n 4 -w 8 {options} -o {}", folder.path().display()), 0);
    let description = folder.path().join(format!("{TOP}.rdl"));
    let header = std::fs::read_to_string(folder.path().join(format!("{TOP}.h"))).unwrap();
    agrees(&description, &header).unwrap();

    let text = std::fs::read_to_string(&description).unwrap();
    for (from, to, said) in BROKEN {
        assert!(text.contains(from), "{from}: {text}");
        std::fs::write(&description, text.replacen(from, to, 1)).unwrap();
        let complaint = agrees(&description, &header).unwrap_err();
        assert!(complaint.contains(said), "{to}: {complaint}");
    }
    // Nor does a header pass that lacks a register, or has a value of its own.
    std::fs::write(&description, &text).unwrap();
    for (from, to) in [
        ("#define FRIT_CYCLES ", "#define CYCLES "),
        ("FRIT_STATUS_BUSY_MASK 0x00000002u", "FRIT_STATUS_BUSY_MASK 0x00000003u"),
    ] {
        assert!(header.contains(from), "{from}: {header}");
        assert!(
            agrees(&description, &header.replace(from, to)).unwrap_err().contains("the header has"),
            "{to}"
        );
    }
}

/// The registers of a crossbar of four terminals, as docs/crossbar.md has them.
const CROSSBAR: [&str; 12] = [
    "CONTROL 0 COMMIT 1 1 rw rw woset False False 0",
    "STATUS 4 ERROR 0 0 r w - False False 0",
    "OPEN_0 16 OPEN 0 3 r w - False False 0",
    "SOURCE_0 64 INPUT 0 1 rw r - False False 0",
    "SOURCE_0 64 OFF 31 31 rw r - False False 1",
    "SOURCE_1 68 INPUT 0 1 rw r - False False 0",
    "SOURCE_1 68 OFF 31 31 rw r - False False 1",
    "SOURCE_2 72 INPUT 0 1 rw r - False False 0",
    "SOURCE_2 72 OFF 31 31 rw r - False False 1",
    "SOURCE_3 76 INPUT 0 1 rw r - False False 0",
    "SOURCE_3 76 OFF 31 31 rw r - False False 1",
    "SETTINGS_0 1024 STATES 0 5 rw r - False False 0",
];

fn line(told: Told) -> String {
    let Told { register, address, field, low, high, properties, reset } = told;
    format!("{register} {address} {field} {low} {high} {properties} {}", reset.unwrap())
}

#[test]
fn another_compiler_reads_the_registers_of_a_crossbar() {
    if !have_python("systemrdl") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    run(&format!("generate benes -n 4 -w 8 --crossbar -o {}", folder.path().display()), 0);
    let description = folder.path().join("benes_n4_w8_crossbar.rdl");
    let lines = || compiled(&description).map(|told| told.into_iter().map(line).collect::<Vec<_>>());
    assert_eq!(lines().unwrap(), CROSSBAR);
    let text = std::fs::read_to_string(&description).unwrap();
    std::fs::write(&description, text.replacen("@ 0x004", "@ 0x000", 1)).unwrap();
    assert!(lines().unwrap_err().contains("overlap"));
    // Of a large one the words of settings and of open inputs that are not full.
    run(&format!("generate benes -n 64 -w 1 --crossbar -o {}", folder.path().display()), 0);
    let large = compiled(&folder.path().join("benes_n64_w1_crossbar.rdl")).unwrap();
    let bits = |name: &str| -> Vec<u32> {
        large.iter().filter(|told| told.field == name).map(|told| told.high - told.low + 1).collect()
    };
    assert_eq!((bits("OPEN"), bits("STATES"), bits("INPUT")), (vec![32; 2], vec![32; 11], vec![6; 64]));
}
