//! What the testbenches share that read their phases from a table (`testbench/share/phases.sv.tera`): the ports of the design, the outputs that say
//! that something happened, and the table.

use crate::Files;
use crate::memh::table;
use crate::template::{context, fill};
use crate::testbench::lists;
use frit_cells::design::pinout::Pinout;
use frit_cells::netlist::{Kind, Module, Signal};
use frit_model::event::{Event, Mark, digest};
use frit_model::loaded::script::{Beat, seed};
use serde::Serialize;

/// A port of the design under test.
#[derive(Serialize)]
pub(crate) struct Port {
    name: String,
    /// What it is called where no pinout gives it another name.
    #[serde(skip)]
    inner: String,
    /// The signal of the testbench at the port, and its declaration, unless another design declares it.
    signal: String,
    declared: String,
    input: bool,
    /// Whether it is an input that is high when something is offered or taken.
    offers: bool,
    /// Whether it is an output that is always known.
    known: bool,
}

/// Words in the names of ports that say that something is offered, taken or happens; the others are data.
const CONTROL: [&str; 5] = ["valid", "ready", "start", "done", "error"];

/// The signal of a reset that comes and goes at any time; `rst_i` is the reset that a synchroniser makes of it.
pub(crate) const EARLY_RESET: &str = "early_rst";

/// The ports of a design with this pinout, at signals with the names that they have inside; those that `driven` names are driven by
/// assignments of the testbench.
pub(crate) fn ports(module: &Module, pinout: Pinout, driven: &[String]) -> Vec<Port> {
    let reset = if pinout.reset.asynchronous { EARLY_RESET } else { "rst_i" };
    let port = |signal: &Signal| {
        let name = pinout.inner(&signal.name, signal.kind);
        let declared_name = if name == "rst_i" { reset } else { &name };
        let bits = signal.lanes * signal.width;
        let range = if bits == 1 && !(signal.vector && signal.lanes == 1) {
            String::new()
        } else {
            format!("[{}:0]", bits - 1)
        };
        let control = CONTROL.iter().any(|word| name.contains(word));
        let input = signal.kind == Kind::Input;
        let declared = match (input, driven.contains(&name)) {
            (true, false) => {
                // The design is reset from the begin on. What is not valid is ones.
                let value = if control || name == "clk_i" || name.ends_with("prot") { "'0" } else { "'1" };
                format!("logic {range:9} {declared_name} = {value};")
            }
            _ => format!("wire  {range:9} {name};"),
        };
        let level = |signal: &str| format!("{}{signal}", if pinout.reset.low { "!" } else { "" });
        let at = match name.as_str() {
            "rst_i" => level(reset),
            _ => name.clone(),
        };
        Port {
            inner: name,
            signal: at,
            name: signal.name.clone(),
            declared,
            input,
            offers: input && control,
            known: !input && control,
        }
    };
    module.ports().map(port).collect()
}

/// The ports of a design with this pinout beside another one, which has the same inputs. At outputs at the same signal there are signals with a
/// prefix.
pub(crate) fn ports_beside(module: &Module, pinout: Pinout, first: &[Port], prefix: &str) -> Vec<Port> {
    let shared = |port: Port| match first.iter().find(|other| other.inner == port.inner) {
        None => port,
        Some(_) if port.input => Port { declared: String::new(), ..port },
        Some(_) => {
            let signal = format!("{prefix}{}", port.signal);
            Port { declared: port.declared.replace(&port.signal, &signal), signal, ..port }
        }
    };
    ports(module, pinout, &[]).into_iter().map(shared).collect()
}

#[derive(Serialize)]
struct EventKind {
    name: &'static str,
    port: Option<&'static str>,
    stays: bool,
}

/// A phase: what it is for, and the numbers of its row with the names that they have in the testbench.
pub struct Row {
    what: &'static str,
    numbers: Vec<(String, u32)>,
}

impl Row {
    /// `driven` is what the phase does, `events` what is seen in its cycles; -1 stands for nothing.
    pub fn new<M: Mark>(
        at: usize,
        what: &'static str,
        driven: &[(&str, i64)],
        (events, cycles): (&[Event<M>], u64),
    ) -> Row {
        let count = |mark: &M| events.iter().filter(|event| event.what.code() == mark.code()).count() as u32;
        let driven = driven.iter().map(|(name, number)| (name.to_string(), *number as u32));
        let own = [("seed", seed(at)), ("cycles", cycles as u32)].map(|(name, number)| (name.into(), number));
        let due = M::ALL.iter().map(|mark| (format!("due_{}", mark.name()), count(mark)));
        let digest = ("due_digest".to_string(), digest(events));
        Row { what, numbers: driven.chain(own).chain(due).chain([digest]).collect() }
    }
}

/// What the templates are filled with.
#[derive(Serialize)]
struct Values<'a, T> {
    design: &'a str,
    top: &'a str,
    tb: &'a str,
    command: &'a str,
    instance: &'a str,
    ports: Vec<Port>,
    /// The outputs that are always known.
    known: String,
    kinds: Vec<EventKind>,
    codes: std::collections::BTreeMap<&'static str, u32>,
    /// The kind whose events are counted in all phases.
    counted: u32,
    fields: Vec<&'a str>,
    phases: usize,
    compared: usize,
    /// How many of the last phases are so long that they are run on demand only.
    long: usize,
    #[serde(flatten)]
    own: T,
}

/// A testbench that reads its phases from a table.
pub struct Phased<'a, M> {
    pub module: &'a Module,
    pub command: &'a str,
    pub instance: &'a str,
    pub template: &'a str,
    pub rows: Vec<Row>,
    /// How many phases every engine runs.
    pub compared: usize,
    /// How many of the last phases are run on demand only.
    pub long: usize,
    pub counted: M,
}

impl<M: Mark> Phased<'_, M> {
    /// `tb_T.sv`, T being the top, `T_phases.memh`, `own_files`, the file lists `T.f` (without testbench) and `T_tb.f`, and the Makefile. `rtl_files` are
    /// the names of the design's own files in the order in which tools should read them; `own` has the other values of the template.
    pub fn render(self, own: impl Serialize, own_files: Files, rtl_files: &[String]) -> Files {
        let design = &self.module.name;
        let tb = format!("tb_{design}");
        let seen = |mark: &M| EventKind { name: mark.name(), port: mark.port(), stays: mark.stays() };
        let fields = self.rows.first().map_or(&[][..], |row| &row.numbers);
        let ports = ports(self.module, Pinout::OWN, &[]);
        let known = ports.iter().filter(|port| port.known).map(|port| port.name.as_str());
        let values = context(&Values {
            known: known.collect::<Vec<_>>().join(", "),
            design,
            top: design,
            tb: &tb,
            command: self.command,
            instance: self.instance,
            ports,
            kinds: M::ALL.iter().map(seen).collect(),
            codes: M::ALL.iter().map(|mark| (mark.name(), mark.code())).collect(),
            counted: self.counted.code(),
            fields: fields.iter().map(|(name, _)| name.as_str()).collect(),
            phases: self.rows.len(),
            compared: self.compared,
            long: self.long,
            own,
        });
        let about = fields.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
        let row = |Row { what, numbers }: &Row| {
            let digits: String = numbers.iter().map(|(_, number)| format!("{number:08x}")).collect();
            format!("// {what}\n{digits}")
        };
        let rows = table(&format!("Phases, numbers of 32 bits: {about}."), self.rows.iter().map(row));
        let mut files =
            vec![(format!("{tb}.sv"), fill(self.template, &values)), (format!("{design}_phases.memh"), rows)];
        files.extend(own_files);
        files.extend(lists(design, self.command, rtl_files));
        files.push(("Makefile".into(), fill(include_str!("../testbench/Makefile.tera"), &values)));
        files
    }
}

/// The table of the beats of programs.
pub(crate) fn beats<'a>(top: &str, beats: impl Iterator<Item = &'a Beat>) -> (String, String) {
    let row = |beat: &Beat| format!("{:09x}", u64::from(beat.last) << 32 | u64::from(beat.word));
    (
        format!("{top}_beats.memh"),
        table("What the testbench loads: tlast, and a word of 32 bits.", beats.map(row)),
    )
}
