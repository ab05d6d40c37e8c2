//! The loops of a module in the compact form.

use super::paths::Paths;
use super::table::{Tables, WordTable};
use crate::netlist::text::{slice_text, width, wrap};
use crate::netlist::{Expr, Instance, Kind, Module, Net, Of, Part};
use crate::printer::body::{Body, Local, Next, State};
use crate::printer::renamed;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

// Writing to a String cannot fail, so the results of write! and writeln! are dropped in this file.

/// A search for a 1 among as many bits or more is a loop of its own.
pub(super) const MANY_BITS: usize = 8;

/// How a block begins that is no clocked process.
const COMBINATIONAL: &str = "always @(*)";

/// In a block that is no clocked process. Such a block runs when a signal that it reads changes. An input that has its value from its
/// declaration never changes; this register does, from x to 1 at the first clock edge.
const AWAKE: &str = "    if (awake_q) begin end\n";

/// Writes the processes of one module.
pub(super) struct Writer<'a> {
    module: &'a Module,
    tables: Tables,
    declarations: String,
    text: String,
}

struct Cells<'a> {
    name: &'a str,
    body: &'a Body,
    members: Vec<&'a Instance>,
    /// What the names of the cell are called in the module.
    names: BTreeMap<String, String>,
    /// Parameters whose values differ: name and expression.
    varying: Vec<(String, String)>,
    /// For every register the expression that holds it.
    registers: BTreeMap<String, String>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(module: &'a Module) -> Self {
        Writer { module, tables: Tables::default(), declarations: String::new(), text: String::new() }
    }

    /// Declarations and processes.
    pub(super) fn finish(self) -> (String, String) {
        let declarations = self.declarations + &self.tables.text;
        match self.text.contains(AWAKE) {
            true => (
                declarations
                    + "  // Changes at the first clock edge, so that every block runs then, whatever its inputs do.\n  reg awake_q;\n",
                self.text + "\n  always @(posedge clk_i) awake_q <= 1'b1;\n",
            ),
            false => (declarations, self.text),
        }
    }

    fn net(&mut self, table: &str, nets: &[Net], bits: Option<(u32, u32)>) -> String {
        let signal = self.module.signal(nets[0].signal);
        if nets.iter().all(|net| net == &nets[0]) {
            return slice_text(self.module, nets[0], bits);
        }
        let lanes: Vec<u64> = nets.iter().map(|net| net.lane.into()).collect();
        let at = self.tables.number(table, &lanes);
        let (high, low) = bits.unwrap_or((signal.width - 1, 0));
        let (name, count) = (&signal.name, high - low + 1);
        match signal.kind {
            Kind::Array if count == signal.width => format!("{name}[{at}]"),
            Kind::Array if count == 1 => format!("{name}[{at}][{low}]"),
            Kind::Array => format!("{name}[{at}][{high}:{low}]"),
            _ if signal.width == 1 => format!("{name}[{at}]"),
            _ => {
                let offset = if low > 0 { format!(" + {low}") } else { String::new() };
                format!("{name}[({at}) * {}{offset} +: {count}]", signal.width)
            }
        }
    }

    /// An expression for each member; all have one shape.
    fn expression(&mut self, table: &str, exprs: &[&Expr]) -> String {
        let (any, first) = exprs[0].parts();
        let mut texts = Vec::new();
        for (at, part) in first.iter().enumerate() {
            texts.push(match part {
                Part::Const { value, bits } => format!("{bits}'d{value}"),
                Part::Net { bits, invert, .. } => {
                    let net = |expr: &&Expr| match &expr.parts().1[at] {
                        Part::Net { net, .. } => *net,
                        Part::Const { .. } => unreachable!("expressions of a loop have one shape"),
                    };
                    let nets: Vec<Net> = exprs.iter().map(net).collect();
                    let text = self.net(table, &nets, *bits);
                    if *invert { format!("~{text}") } else { text }
                }
            });
        }
        let text = if texts.len() == 1 { texts.remove(0) } else { format!("{{{}}}", texts.join(", ")) };
        if any { format!("|{text}") } else { text }
    }

    fn input<'m>(&mut self, cells: &Cells<'m>, port: &str) -> Option<String> {
        let lane = |member: &&'m Instance| {
            member.inputs.iter().find(|(name, _)| name == port).map(|(_, lanes)| &lanes[0])
        };
        let exprs: Vec<&Expr> = cells.members.iter().filter_map(lane).collect();
        (!exprs.is_empty()).then(|| self.expression(&format!("{}_{port}", cells.name), &exprs))
    }

    fn output(&mut self, cells: &Cells, port: &str) -> Option<String> {
        let net = |member: &&Instance| {
            member.outputs.iter().find(|(name, _)| name == port).and_then(|(_, lanes)| lanes[0])
        };
        let nets: Vec<Net> = cells.members.iter().filter_map(net).collect();
        (!nets.is_empty()).then(|| self.net(&format!("{}_{port}", cells.name), &nets, None))
    }

    /// The loops of a group of cells: one for what depends on inputs at once, or several where one would be circular, and
    /// one for the registers.
    pub(super) fn cells(&mut self, name: &str, body: &Body, members: &[&Instance], paths: &Paths) {
        let mut cells = Cells {
            name,
            body,
            members: members.to_vec(),
            names: BTreeMap::new(),
            varying: Vec::new(),
            registers: BTreeMap::new(),
        };
        self.constants(&mut cells);
        let mut shown: BTreeSet<&str> = BTreeSet::new();
        for register in &body.registers {
            let by = body.shown_by(&register.name).and_then(|port| Some((port, self.output(&cells, port)?)));
            let place = match by {
                // The register is what it shows.
                Some((port, place)) => {
                    shown.insert(port);
                    place
                }
                None => {
                    let array = format!("{name}_{}_q", register.name);
                    let range = renamed(&register.range, &cells.names);
                    let last = members.len() - 1;
                    let _ = writeln!(self.declarations, "  reg {range}{array} [0:{last}];");
                    format!("{array}[i]")
                }
            };
            cells.registers.insert(register.name.clone(), place);
        }
        let mut targets = BTreeMap::new();
        let mut order = Vec::new();
        for output in body.outputs.iter().filter(|output| !shown.contains(output.name.as_str())) {
            if let Some(place) = self.output(&cells, &output.name) {
                order.push(output.name.clone());
                targets.insert(output.name.clone(), place);
            }
        }
        if !order.is_empty() {
            for (at, wanted) in (1..).zip(paths.parts(body, members, order)) {
                let stores: Vec<String> =
                    wanted.iter().map(|name| format!("{} = at_{name};", targets[name])).collect();
                let what = if at == 1 { "outputs".to_string() } else { format!("outputs{at}") };
                self.process(&cells, COMBINATIONAL, &what, &wanted, &stores);
            }
        }
        if body.registers.is_empty() {
            return;
        }
        let clock = self.input(&cells, "clk_i").expect("a cell with registers has a clock");
        let reset = self.input(&cells, "rst_i");
        let (mut wanted, mut stores) = (Vec::new(), Vec::new());
        for register in &body.registers {
            wanted.extend(register.sources());
            stores.extend(self.stores(&cells, register, reset.as_deref()));
        }
        self.process(&cells, &format!("always @(posedge {clock})"), "registers", &wanted, &stores);
    }

    /// What is stored for one register at a clock edge. The words of a memory are one array for all cells, those of the
    /// first cell first.
    fn stores(&mut self, cells: &Cells, register: &State, reset: Option<&str>) -> Vec<String> {
        let (name, place) = (&register.name, &cells.registers[&register.name]);
        match (&register.next, reset) {
            (Next::Value(Some(value)), Some(reset)) => {
                vec![format!("{place} <= {reset} ? {} : at_{name}_d;", renamed(value, &cells.names))]
            }
            (Next::Value(_), _) => vec![format!("{place} <= at_{name}_d;")],
            (Next::Word(address_width), _) => {
                let words = format!("{}_{name}", cells.name);
                let range = renamed(&register.range, &cells.names);
                let depth = format!("(1 << {})", cells.names[address_width]);
                let count = cells.members.len();
                let _ = writeln!(self.declarations, "  reg {range}{words} [0:{count}*{depth}-1];");
                vec![
                    format!(
                        "if (at_{name}_write) {words}[i * {depth} + at_{name}_write_address] <= at_{name}_d;"
                    ),
                    format!("{place} <= {words}[i * {depth} + at_{name}_read_address];"),
                ]
            }
        }
    }

    /// Widths and constants of a group, and the names of everything in the cell.
    fn constants(&mut self, cells: &mut Cells) {
        let Of::Cell(spec) = &cells.members[0].of else { unreachable!("a loop is of cells") };
        let upper = cells.name.to_uppercase();
        let constant = |name: &str| format!("{upper}_{name}");
        let body = cells.body;
        for local in body.inputs.iter().chain(&body.outputs).chain(&body.locals) {
            cells.names.insert(local.name.clone(), format!("at_{}", local.name));
        }
        for register in &body.registers {
            for end in ["_q", "_d"] {
                let name = format!("{}{end}", register.name);
                cells.names.insert(name.clone(), format!("at_{name}"));
            }
        }
        for parameter in spec.parameters().iter().filter(|p| p.bits.is_none()) {
            let name = constant(parameter.name);
            let _ = writeln!(self.declarations, "  localparam integer {name} = {};", parameter.value);
            cells.names.insert(parameter.name.into(), name);
        }
        for parameter in spec.parameters() {
            let Some(bits) = parameter.bits else { continue };
            let value = |member: &&Instance| match &member.of {
                Of::Cell(spec) => {
                    spec.parameters().iter().find(|p| p.name == parameter.name).map_or(0, |p| p.value)
                }
                Of::Module(_) => unreachable!("a loop is of cells"),
            };
            let values: Vec<u64> = cells.members.iter().map(value).collect();
            let name = parameter.name.to_string();
            if values.iter().all(|value| *value == values[0]) {
                let range = width(bits);
                let _ = writeln!(
                    self.declarations,
                    "  localparam {range}{} = {bits}'d{};",
                    constant(&name),
                    values[0]
                );
                cells.names.insert(name.clone(), constant(&name));
            } else {
                let text = self.tables.word(&constant(&name), &values, bits);
                cells.names.insert(name.clone(), format!("at_{}", name.to_lowercase()));
                cells.varying.push((name, text));
            }
        }
        for (Local { name, .. }, _) in &body.constants {
            cells.names.insert(name.clone(), constant(name));
        }
        for (Local { name, range }, value) in &body.constants {
            let (range, value) = (renamed(range, &cells.names), renamed(value, &cells.names));
            let _ = writeln!(self.declarations, "  localparam {range}{} = {value};", constant(name));
        }
    }

    /// One loop: what the wanted names need is read, computed and stored.
    fn process(&mut self, cells: &Cells, head: &str, what: &str, wanted: &[String], stores: &[String]) {
        let body = cells.body;
        let (lines, mut needed) = body.slice(wanted);
        for register in &body.registers {
            let Next::Value(Some(reset)) = &register.next else { continue };
            needed.extend(cells.varying.iter().map(|(name, _)| name.clone()).filter(|name| name == reset));
        }
        let mut variables: Vec<(String, String)> = Vec::new();
        let mut loads: Vec<String> = Vec::new();
        let spec_parameters = &body.parameters;
        for (name, text) in cells.varying.iter().filter(|(name, _)| needed.contains(name)) {
            let range = spec_parameters.iter().find(|p| p.name == *name).map_or("", |p| &p.range);
            variables.push((cells.names[name].clone(), range.to_string()));
            loads.push(format!("{} = {text};", cells.names[name]));
        }
        for port in body.inputs.iter().filter(|port| needed.contains(&port.name)) {
            let Some(text) = self.input(cells, &port.name) else { continue };
            variables.push((cells.names[&port.name].clone(), port.range.clone()));
            loads.push(format!("at_{} = {text};", port.name));
        }
        for register in &body.registers {
            let (q, d) = (format!("{}_q", register.name), format!("{}_d", register.name));
            if needed.contains(&q) {
                variables.push((cells.names[&q].clone(), register.range.clone()));
                loads.push(format!("at_{q} = {};", cells.registers[&register.name]));
            }
            if needed.contains(&d) {
                variables.push((cells.names[&d].clone(), register.range.clone()));
            }
        }
        for local in body.outputs.iter().chain(&body.locals).filter(|local| needed.contains(&local.name)) {
            variables.push((cells.names[&local.name].clone(), local.range.clone()));
        }
        let count = cells.members.len();
        let first = &cells.members[0].name;
        let Of::Cell(spec) = &cells.members[0].of else { unreachable!("a loop is of cells") };
        let _ = writeln!(self.text, "\n  // {}, {count} times, from {first} on.", spec.module());
        let _ = writeln!(self.text, "  {head} begin : {}_{what}", cells.name);
        let _ = writeln!(self.text, "    integer i;");
        for (name, range) in variables {
            let _ = writeln!(self.text, "    reg {}{name};", renamed(&range, &cells.names));
        }
        if head == COMBINATIONAL {
            self.text += AWAKE;
        }
        let _ = writeln!(self.text, "    // verilator unroll_disable");
        let _ = writeln!(self.text, "    for (i = 0; i < {count}; i = i + 1) begin");
        for line in loads.iter().map(String::as_str) {
            let _ = writeln!(self.text, "      {line}");
        }
        for line in lines.iter().flat_map(|statement| statement.renamed(&cells.names).lines(6)) {
            let _ = writeln!(self.text, "{line}");
        }
        for line in stores {
            let _ = writeln!(self.text, "      {line}");
        }
        let _ = writeln!(self.text, "    end\n  end");
    }

    /// ROMs: the words of a round side by side, and a loop that hands them out, or one assignment to the signals that they
    /// drive.
    pub(super) fn words(&mut self, name: &str, table: &WordTable, members: &[&Instance]) {
        let WordTable { bits, width, rows } = table;
        let (_, round) = members[0].inputs.first().expect("a ROM is given a round");
        let round = self.expression(name, &[&round[0]]);
        let (count, first) = (members.len(), &members[0].name);
        let total = count * *width as usize;
        let _ = writeln!(self.declarations, "  reg [{}:0] {name}_words;", total - 1);
        let _ = writeln!(
            self.text,
            "\n  // {count} ROMs, from {first} on: one word of each for a round, the last ROM first."
        );
        let _ = write!(self.text, "  {COMBINATIONAL} begin : {name}_rounds\n{AWAKE}    case ({round})\n");
        for (round, row) in rows.iter().enumerate() {
            let _ = writeln!(self.text, "      {bits}'d{round}: {name}_words = {total}'h{row};");
        }
        let _ = writeln!(self.text, "      default: {name}_words = {total}'h0;\n    endcase\n  end");
        let net = |member: &&Instance| member.outputs.first().and_then(|(_, nets)| nets[0]);
        let nets: Vec<Net> = members.iter().filter_map(net).collect();
        assert_eq!(nets.len(), count, "every ROM of {name} drives something");
        let _ = writeln!(self.text, "\n  {COMBINATIONAL} begin : {name}_outputs");
        if nets.iter().all(|net| net.signal == nets[0].signal) {
            let target = self.net(&format!("{name}_word_o"), &nets, None);
            let _ = write!(
                self.text,
                "    integer i;\n{AWAKE}    // verilator unroll_disable\n    for (i = 0; i < {count}; i = i + 1) begin\n      {target} = {name}_words[{width} * i +: {width}];\n    end\n"
            );
        } else {
            let targets: Vec<String> =
                nets.iter().rev().map(|net| slice_text(self.module, *net, None)).collect();
            let _ = writeln!(self.text, "{AWAKE}    {{{}}} = {name}_words;", wrap(&targets, 6));
        }
        let _ = writeln!(self.text, "  end");
    }

    /// Assignments of one shape to one signal.
    pub(super) fn assigns(&mut self, members: &[&(Net, Expr)]) {
        let targets: Vec<Net> = members.iter().map(|(net, _)| *net).collect();
        let exprs: Vec<&Expr> = members.iter().map(|(_, expr)| expr).collect();
        let name = |net: Net| format!("{}_lanes_{}", self.module.signal(net.signal).name, net.lane);
        if let (true, bits) = exprs[0].parts()
            && bits.len() >= MANY_BITS
        {
            // Each lane has a search of its own.
            let names: Vec<String> = targets.iter().map(|target| name(*target)).collect();
            for ((name, target), expr) in names.iter().zip(targets).zip(exprs) {
                self.any(name, target, expr.parts().1);
            }
            return;
        }
        let name = name(targets[0]);
        let constant = |expr: &&Expr| expr.parts().1.iter().all(|part| matches!(part, Part::Const { .. }));
        assert!(!exprs.iter().all(constant), "{name}: a process that reads no signal never runs");
        let target = self.net(&format!("{name}_to"), &targets, None);
        let value = self.expression(&format!("{name}_from"), &exprs);
        let count = members.len();
        let _ = write!(
            self.text,
            "\n  {COMBINATIONAL} begin : {name}\n    integer i;\n{AWAKE}    // verilator unroll_disable\n    for (i = 0; i < {count}; i = i + 1) begin\n      {target} = {value};\n    end\n  end\n"
        );
    }

    /// Whether any of many bits is 1.
    fn any(&mut self, name: &str, target: Net, bits: &[Part]) {
        let target = slice_text(self.module, target, None);
        let _ = write!(
            self.text,
            "\n  {COMBINATIONAL} begin : {name}\n    integer i;\n    reg found;\n{AWAKE}    found = 1'b0;\n"
        );
        let mut rest = bits;
        while let [Part::Net { net, bits, invert }, ..] = rest {
            let same = |part: &&Part| matches!(part, Part::Net { net: n, bits: b, invert: v } if n.signal == net.signal && b == bits && v == invert);
            let count = rest.iter().take_while(same).count();
            let nets: Vec<Net> = rest[..count]
                .iter()
                .filter_map(|part| match part {
                    Part::Net { net, .. } => Some(*net),
                    Part::Const { .. } => None,
                })
                .collect();
            let value = self.net(&format!("{name}_{}", self.module.signal(net.signal).name), &nets, *bits);
            let not = if *invert { "~" } else { "" };
            let _ = write!(
                self.text,
                "    // verilator unroll_disable\n    for (i = 0; i < {count}; i = i + 1) begin\n      found = found | (|{not}{value});\n    end\n"
            );
            rest = &rest[count..];
        }
        assert!(rest.is_empty(), "a search for a 1 has no constants");
        let _ = write!(self.text, "    {target} = found;\n  end\n");
    }
}
