//! The registers of `D_crossbar`: what the host writes, and a tree that brings together what it reads.

use super::{Control, Core, Written};
use crate::cells::{
    CrossbarPortSpec, CrossbarSelectSpec, CrossbarWordSpec, RoundDelaySpec, StepRegisterSpec, WordMergeSpec,
};
use crate::design::axil::{AXIL, port, slice};
use crate::design::tree::reduce;
use crate::netlist::{Expr, Instance, Kind, Net, Of, Part};
use frit_demand::crossbar::{ADDRESS_BITS, address};

/// What the registers hold.
pub(super) struct Words {
    /// The port's side of a write.
    pub written: Written,
    /// For each output whether it is off, above the number of its source.
    pub wanted: Vec<Net>,
    /// The states of the switches that are in use.
    pub settings: Vec<Net>,
}

/// A register that may be read: whether it is, and its value.
struct Read {
    selected: Net,
    value: Expr,
}

/// Bits of a register.
const WORD_BITS: u32 = 32;

/// Registers whose values come together before the registers in the tree.
const BEFORE_REGISTER: usize = 4;

/// So many bits that are 0.
fn zeros(bits: u32) -> Part {
    Part::Const { value: 0, bits }
}

impl Core {
    /// Adds the port and the registers.
    pub(super) fn registers(&mut self, control: &Control, open: &[Net]) -> Words {
        let [write, found, here] = ["write", "found", "writes_control"].map(|name| self.wire(name, 1));
        let [data, value] = ["data", "value"].map(|name| self.wire(name, WORD_BITS));
        let written = Written { write, data, here };
        let mut known = vec![here];
        self.module.heading("What the host reads of the state.");
        self.select("s_axil_awaddr", "writes_control", address::CONTROL, here);
        let mut reads = self.states(control, open);
        self.module.heading("The sources that the host writes: off, and the number.");
        let bits = self.shape.steps();
        let above = self.above("source", 30, bits - 1);
        let mut wanted = Vec::new();
        for output in 0..self.shape.terminals() {
            let spec = CrossbarWordSpec { bits, start: 1 << (bits - 1) };
            // The highest bit of the word is that of the register.
            let own = vec![slice(data, 31, 31), slice(data, bits - 2, 0)];
            let (name, address) = (format!("source_{output}"), address::SOURCE + 4 * output);
            let (net, knows) = self.word((&name, address), spec, [Expr::Concat(own), above.clone()], write);
            let shown =
                vec![slice(net, bits - 1, bits - 1), zeros(WORD_BITS - bits), slice(net, bits - 2, 0)];
            reads.push(self.read(&name, address, shown));
            known.push(knows);
            wanted.push(net);
        }
        self.module.heading("The states of the switches that the host writes, and those in use.");
        let mut settings = Vec::new();
        for (at, bits) in (0..).zip(self.shape.setting_words()) {
            let (name, address) = (format!("settings_{at}"), address::SETTINGS + 4 * at);
            let (own, above) = match bits < WORD_BITS {
                true => (Expr::Concat(vec![slice(data, bits - 1, 0)]), self.above(&name, 31, bits)),
                false => (data.into(), Expr::constant(0, 1)),
            };
            let (next, knows) =
                self.word((&name, address), CrossbarWordSpec { bits, start: 0 }, [own, above], write);
            let mut shown: Vec<Part> = vec![next.into()];
            shown.splice(0..0, (bits < WORD_BITS).then(|| zeros(WORD_BITS - bits)));
            reads.push(self.read(&name, address, shown));
            known.push(knows);
            let used = self.wire(format!("state_{at}"), bits);
            let instance = self
                .clocked(format!("u_state_{at}"), Of::cell(StepRegisterSpec { bits, start: 0 }))
                .input("step_i", control.swap)
                .input("data_i", next)
                .output("data_o", used);
            self.module.instances.push(instance);
            settings.push(used);
        }
        // Small crossbars have no register that is so wide.
        let widest = self.shape.setting_words()[0];
        if widest < WORD_BITS - 1 {
            self.unused("data", slice(data, WORD_BITS - 2, widest), WORD_BITS - 1 - widest);
        }
        self.tree(reads, [found, value]);
        self.port(&written, control.busy, known, [found, value]);
        Words { written, wanted, settings }
    }

    /// The registers that are only read.
    fn states(&mut self, control: &Control, open: &[Net]) -> Vec<Read> {
        let busy = vec![zeros(WORD_BITS - 2), control.busy.into(), zeros(1)];
        let wrong = vec![zeros(WORD_BITS - 1), control.wrong.into()];
        let mut reads =
            vec![self.read("control", address::CONTROL, busy), self.read("status", address::STATUS, wrong)];
        for (at, inputs) in (0..).zip(open.chunks(WORD_BITS as usize)) {
            let mut parts: Vec<Part> = inputs.iter().rev().map(|&net| net.into()).collect();
            let above = WORD_BITS - inputs.len() as u32;
            parts.splice(0..0, (above > 0).then(|| zeros(above)));
            reads.push(self.read(&format!("open_{at}"), address::OPEN + 4 * at, parts));
        }
        reads
    }

    /// Whether a register is addressed, one cycle later.
    fn select(&mut self, port_name: &str, name: &str, address: u32, here: Net) {
        let spec = CrossbarSelectSpec { address_bits: ADDRESS_BITS - 2, address: (address / 4).into() };
        let word = slice(port(&self.module, port_name), ADDRESS_BITS - 1, 2);
        let instance = self
            .clocked(format!("u_{name}"), Of::cell(spec))
            .input("word_i", Expr::Concat(vec![word]))
            .output("here_o", here);
        self.module.instances.push(instance);
    }

    /// A register that can be read.
    fn read(&mut self, name: &str, address: u32, value: Vec<Part>) -> Read {
        let name = format!("reads_{name}");
        let selected = self.wire(&name, 1);
        self.select("s_axil_araddr", &name, address, selected);
        Read { selected, value: Expr::Concat(value) }
    }

    /// Whether one of these bits is written, in the cycle in which the write takes effect.
    fn above(&mut self, name: &str, high: u32, low: u32) -> Expr {
        let net = self.wire(format!("above_{name}"), 1);
        let bits = Expr::Any(vec![slice(port(&self.module, "s_axil_wdata"), high, low)]);
        let instance = self
            .clocked(format!("u_above_{name}"), Of::cell(RoundDelaySpec { bits: 1 }))
            .input("round_i", bits)
            .output("round_o", net);
        self.module.instances.push(instance);
        net.into()
    }

    /// A register that the host writes, with its address: its word, and whether it takes what is written.
    fn word(
        &mut self,
        (name, address): (&str, u32),
        spec: CrossbarWordSpec,
        [data, above]: [Expr; 2],
        write: Net,
    ) -> (Net, Net) {
        let [here, known] = ["writes", "known"].map(|what| self.wire(format!("{what}_{name}"), 1));
        self.select("s_axil_awaddr", &format!("writes_{name}"), address, here);
        let word = self.wire(name, spec.bits);
        let instance = self
            .clocked(format!("u_{name}"), Of::cell(spec))
            .input("write_i", write)
            .input("here_i", here)
            .input("above_i", above)
            .input("data_i", data)
            .output("known_o", known)
            .output("data_o", word);
        self.module.instances.push(instance);
        (word, known)
    }

    /// Brings the values together: at most one register is read. Registers in the tree make its ways shorter.
    fn tree(&mut self, mut reads: Vec<Read>, [found, value]: [Net; 2]) {
        self.module.heading("The value of the register that is read.");
        let (mut joined, mut parts) = (0, Vec::new());
        while !reads.is_empty() {
            let rest = reads.split_off(reads.len().min(BEFORE_REGISTER));
            let part = self.merged(std::mem::replace(&mut reads, rest), &mut joined);
            let [kept, held] = [("found_part", 1), ("part", WORD_BITS)]
                .map(|(what, bits)| self.wire(format!("{what}_{}", parts.len()), bits));
            for (name, bits, data, to) in
                [("found_part", 1, part.selected.into(), kept), ("part", WORD_BITS, part.value, held)]
            {
                let instance = self
                    .clocked(format!("u_{name}_{}", parts.len()), Of::cell(RoundDelaySpec { bits }))
                    .input("round_i", data)
                    .output("round_o", to);
                self.module.instances.push(instance);
            }
            parts.push(Read { selected: kept, value: held.into() });
        }
        let all = self.merged(parts, &mut joined);
        self.module.assigns.extend([(found, all.selected.into()), (value, all.value)]);
    }

    /// One register of several, of which at most one is read.
    fn merged(&mut self, reads: Vec<Read>, joined: &mut u32) -> Read {
        reduce(reads, |left, right| {
            let [selected, value] = [("found", 1), ("value", WORD_BITS)]
                .map(|(what, bits)| self.wire(format!("{what}_{joined}"), bits));
            let instance =
                Instance::new(format!("u_merge_{joined}"), Of::cell(WordMergeSpec { width: WORD_BITS }))
                    .input("left_take_i", left.selected)
                    .input("left_word_i", left.value)
                    .input("right_take_i", right.selected)
                    .input("right_word_i", right.value)
                    .output("take_o", selected)
                    .output("word_o", value);
            self.module.instances.push(instance);
            *joined += 1;
            Read { selected, value: value.into() }
        })
    }

    /// Adds the handshakes of the port.
    fn port(&mut self, written: &Written, busy: Net, known: Vec<Net>, [found, value]: [Net; 2]) {
        self.module.heading("The port of the registers.");
        let mut instance = self
            .clocked("u_port", Of::cell(CrossbarPortSpec))
            .input("busy_i", busy)
            .input("known_i", Expr::Any(known.into_iter().map(Part::from).collect()))
            .input("found_i", found)
            .input("value_i", value)
            .output("write_o", written.write)
            .output("data_o", written.data);
        for (name, input, ..) in AXIL.iter().filter(|(name, ..)| *name != "irq") {
            let net = port(&self.module, name);
            let inside = name.trim_start_matches("s_axil_");
            if inside.ends_with("addr") {
                self.unused(name, slice(net, 1, 0), 2);
            } else if inside.ends_with("prot") {
                self.unused(name, slice(net, 2, 0), 3);
            } else if *input {
                instance = instance.input(&format!("{inside}_i"), net);
            } else {
                instance = instance.output(&format!("{inside}_o"), net);
            }
        }
        self.module.instances.push(instance);
    }

    /// Says of bits that nothing reads them; linters know the name.
    fn unused(&mut self, name: &str, bits: Part, count: u32) {
        let wire = self.module.net(Kind::Wires, format!("unused_{name}"), count);
        self.module.assigns.push((wire, Expr::Concat(vec![bits])));
    }
}
