//! `D_exchange`: the fabric with its controllers; asks for words and says whose words arrive.
//!
//! What is common to all stands here and in `rounds`, each kind of control in a file of its own.

use crate::message::MessageWords;
use crate::netlist::{Bundle, Expr, Instance, Kind, Module, ModuleId, Net, Of};
use frit_schedule::{Control, Labels, Plan};

mod labels;
mod rounds;
mod sequence;
mod stages;
mod systolic;
mod tables;

use sequence::{ExchangeStatus, Sequence};

/// What stands around an exchange.
#[derive(Clone, Copy)]
pub(super) struct Form {
    /// Words of a message; a round lasts as many cycles.
    pub words: u32,
    /// Whether a word comes from a memory, a cycle after it was asked for: then the fabric and what sets it work a cycle
    /// behind the terminals.
    pub ahead: bool,
}

impl Form {
    /// A word for each message, taken in the cycle in which it is asked for.
    pub const PLAIN: Form = Form { words: 1, ahead: false };
}

/// What the ports of `D_exchange` are for.
const PORTS: &[(&str, &str)] = &[
    ("clk_i", "clock, rising edge"),
    ("rst_i", "reset, synchronous, active high"),
    ("start_i", "starts an exchange if ready_o is high; the next cycle is cycle 0"),
    ("ready_o", "a start can be taken: the last round of the exchange before has entered"),
    ("next_o", "ready_o of the next cycle, unless a reset comes between"),
    ("stays_o", "busy_o of the next cycle, unless an exchange begins with it or a reset comes between"),
    ("send_valid_o", "the lane takes a word in this cycle"),
    ("send_dest_o", "destination of the word"),
    ("send_word_o", "number of the word in its message"),
    ("send_data_i", "word for send_dest_o, taken in the same cycle"),
    ("recv_valid_o", "recv_data_o holds a word"),
    ("recv_source_o", "source of the word that arrives"),
    ("recv_data_o", "word that arrives"),
    ("busy_o", "high in every cycle of an exchange"),
    ("done_o", "high in the last cycle of each exchange, the cycle of its last delivery"),
    ("conflict_o", "two messages of the round that arrives wanted the same output of a switch"),
    ("cycles_o", "cycle of the youngest exchange, 0 while busy_o is low"),
];

/// Why `conflict_o` is 0 where no message can meet another.
const NO_CONFLICTS: &str = "No two messages can want one output: a switch is straight or cross for both.";

/// What `send_data_i` is where a word comes from a memory.
const SEND_DATA_AHEAD: (&str, &str) = ("send_data_i", "word for send_dest_o of the last cycle");

/// The ports and shared nets of the exchange while it is built.
struct Exchange<'a> {
    plan: &'a Plan,
    form: Form,
    module: Module,
    clk: Net,
    rst: Net,
    send_valid: Bundle,
    send_dest: Bundle,
    recv_source: Bundle,
    conflict: Net,
    sending: Net,
    /// Copies of it, one for each group of lanes; none if there is one group.
    send_lines: Vec<Net>,
    /// High in the cycles in which words arrive.
    arriving: Net,
    /// High in the last cycle of a round being sent.
    advance: Net,
    /// Whether a word enters the fabric, of each lane.
    entering: Vec<Expr>,
}

/// The contract that stands above the module.
fn contract(plan: &Plan, width: u32, form: Form) -> Vec<String> {
    let what = match form.ahead {
        false => {
            "The exchange. After start_i, in each cycle with send_valid_o[i], lane i takes the word for destination send_dest_o[i] from send_data_i. In each cycle with recv_valid_o[i], recv_data_o holds a word for lane i, and recv_source_o its source."
        }
        true => {
            "The exchange between memories: as the exchange, but the word for send_dest_o is taken from send_data_i one cycle later."
        }
    };
    let mut header = super::header(plan, width, what);
    if form.words > 1 {
        header.push(format!(
            "A message has {} words, selected by send_word_o. A round lasts one cycle for each word.",
            form.words
        ));
    }
    if form.ahead {
        header.push(format!("A run takes {} cycles.", plan.message_cycles(form.words) + 1));
    }
    header.push(format!(
        "A start is taken while ready_o is high: when no exchange is under way, or when the last round has entered{}. Consecutive exchanges begin {} cycles apart. done_o is high in the cycle of the last arrival of each exchange; cycles_o holds the cycle number of the youngest exchange.",
        match plan.joins_late(form.words) {
            true => "",
            false => " in exactly this cycle, because one bit sets all levels",
        },
        plan.message_period(form.words),
    ));
    header
}

pub(super) fn module(
    plan: &Plan,
    width: u32,
    fabric: ModuleId,
    labels: Option<ModuleId>,
    form: Form,
    name: &str,
) -> Module {
    let lanes = plan.network.lanes();
    let address = plan.address_bits();
    let mut module =
        Module::new(format!("{}_{}", plan.design_name(width), name), contract(plan, width, form));
    let clk = module.net(Kind::Input, "clk_i", 1);
    let rst = module.net(Kind::Input, "rst_i", 1);
    let start = module.net(Kind::Input, "start_i", 1);
    let ready = module.net(Kind::Output, "ready_o", 1);
    let [next, stays] =
        ["next_o", "stays_o"].map(|name| form.ahead.then(|| module.net(Kind::Output, name, 1)));
    let send_valid = module.bundle(Kind::Output, "send_valid_o", lanes, 1);
    let send_dest = module.bundle(Kind::Output, "send_dest_o", lanes, address);
    let word_bits = MessageWords::new(form.words).bits;
    let send_word = (form.words > 1).then(|| module.net(Kind::Output, "send_word_o", word_bits));
    let send_data = module.bundle(Kind::Input, "send_data_i", lanes, width);
    let recv_valid = module.bundle(Kind::Output, "recv_valid_o", lanes, 1);
    let recv_source = module.bundle(Kind::Output, "recv_source_o", lanes, address);
    let recv_data = module.bundle(Kind::Output, "recv_data_o", lanes, width);
    let busy = module.net(Kind::Output, "busy_o", 1);
    let done = module.net(Kind::Output, "done_o", 1);
    let conflict = module.net(Kind::Output, "conflict_o", 1);
    let cycles = module.net(Kind::Output, "cycles_o", 32);
    match form.ahead {
        true => module.explain(&[&[SEND_DATA_AHEAD], PORTS].concat()),
        false => module.explain(PORTS),
    }
    let run = Sequence::wires(&mut module, plan, form);
    // Where all lanes send at the same time, their valid bits come from one register, and so synthesis keeps one for all of a stage.
    let entering = match plan.has_spare() {
        true => send_valid.drive(),
        false => vec![run.sending.into(); lanes as usize],
    };
    let mut exchange = Exchange {
        plan,
        form,
        module,
        clk,
        rst,
        send_valid,
        send_dest,
        recv_source,
        conflict,
        sending: run.sending,
        send_lines: Vec::new(),
        arriving: run.arriving,
        advance: run.sending,
        entering,
    };
    exchange.sequence(&run, ExchangeStatus { start, ready, next, stays, busy, done, cycles });
    exchange.messages(send_word);
    let passes = exchange.passes(run.again);
    let controls = match &plan.control {
        Control::Labels(rule) => {
            let labels = labels.expect("a plan with labels has a module that routes them");
            match rule {
                Labels::Rotations(rule) => exchange.rotation(*rule, labels, &passes),
                Labels::Windows(rule) => exchange.window(*rule, plan.labels_in_a_ring(), labels, &passes),
            }
        }
        Control::Stages(rule) => exchange.stage_control(*rule, run.rounds),
        Control::Table(tables) => exchange.tables(tables, run.rounds, labels, &passes),
        Control::Systolic(rule) => exchange.systolic(rule, busy, run.ends.expect("a systolic plan has it")),
    };
    exchange.module.heading("The network.");
    let mut instance = Instance::new("u_fabric", Of::Module(fabric))
        .input("clk_i", clk)
        .input("rst_i", rst)
        .inputs("valid_i", exchange.entering.clone())
        .inputs("data_i", send_data.drive());
    for (port, bits) in controls.into_iter().chain(passes) {
        instance = instance.inputs(port, bits);
    }
    exchange
        .module
        .instances
        .push(instance.outputs("valid_o", recv_valid.driven()).outputs("data_o", recv_data.driven()));
    exchange.module
}

/// The control inputs of the fabric and what drives them.
type Controls = Vec<(&'static str, Vec<Expr>)>;
