"""Whether a mutant differs from its design in anything that its ports show, once a reset has been held.

Both are copies of one and-inverter graph with another number of mutant. At first of one step: from no state that the design reaches
does the mutant show or take anything else. Where that is not so, of both beside each other: registers that are equal by structure are
one; of what is left ABC proves that the outputs never differ, or finds inputs that tell them apart.
"""
import copy
import json
import re
import subprocess
import tempfile
import threading

from . import changes, parts, states
from .tools import tool, yosys

# Clock periods of the reset that precedes everything, in which registers start at 0. Further resets may come at any time.
RESET = 2
# Searches of ABC and seconds for each, behind a merge of the registers that correspond: property-directed reachability, where it is
# mostly a matter of luck which way to generalise needs a second and which an hour; and cycle by cycle for what differs late.
QUICK = (("pdr -n", 5), ("pdr -n -r -m", 15))
ENGINES = (("pdr -n", 5), ("pdr -r -m", 5), ("bmc3", 10))
LONG = (("pdr -n", 20), ("pdr -n -r -m", 20))
WITHIN = (("pdr -n", 3),)
# The names under which ABC is installed.
ABC = ("berkeley-abc", "yosys-abc", "abc")
NONE = 2**changes.NUMBER_BITS - 1


# Registers stay as simple as AIGER has them.
OPT = "opt -nodffe -nosdff\n"


class Proofs:
    """Of the mutants of a design in a folder."""

    def __init__(self, folder, top):
        self.folder, self.top = folder, top
        self.base = json.loads((folder / "base.json").read_text())
        self.mutants = json.loads((folder / "mutants.json").read_text())
        self.graphs, self.lock = {}, threading.Lock()

    def graph(self, file, part):
        """The graph of a part in a file of JSON, of the whole behind its reset; made once."""
        with self.lock:
            if (file, part) not in self.graphs:
                self.graphs[file, part] = self.read(file, part)
            return self.graphs[file, part]

    def read(self, file, part):
        name, design = f"{file}.{part}", json.loads((self.folder / f"{file}.json").read_text())
        if part not in design["modules"]:
            design["modules"][part] = parts.cut(design, self.base, *dict(parts.around(self.base, part.partition("+")[0]))[part])
        text = wrapper if part == self.top else bare
        (self.folder / f"{name}.v").write_text(text(part, design["modules"][part]["ports"]))
        (self.folder / f"{name}.json").write_text(json.dumps({"modules": parts.below(design, part)}))
        script = f"read_json {name}.json\nread_verilog {name}.v\nhierarchy -check -top wrapper\nproc\nflatten\n"
        script += f"{OPT}memory_map\n{OPT}async2sync\nsimplemap\ntechmap\nsetundef -zero -undriven -init\n{OPT}aigmap\nopt_clean\n"
        yosys(self.folder, name, f"{script}write_aiger -ascii -symbols {name}.aag\n")
        (self.folder / f"{name}.json").unlink(missing_ok=True)
        return Graph((self.folder / f"{name}.aag").read_text())

    def prove(self, mutant):
        """`equal`, `differs` or `open`, and what the engine says of it."""
        try:
            graph, number = self.graph_of(mutant)
        except RuntimeError as error:
            if "combinational logic loop" in str(error):
                return "open", "a loop without a register"
            raise
        step = graph.step(NONE, number)
        if step is None:
            return "equal", "structure"
        if self.same_in_all_states(graph, number):
            return "equal", "states of both"
        if part := self.equal_within(mutant):
            return "equal", f"within {part}"
        if self.ask(step, QUICK)[0] == "equal":
            return "equal", "step"
        both = graph.miter(NONE, number)
        answer = ("equal", "structure of both") if both is None else self.ask(both, ENGINES)
        return ("equal", "step") if answer[0] == "open" and self.ask(step, LONG)[0] == "equal" else answer

    def equal_within(self, mutant):
        """The name of a part in which the mutant is that shows the same whatever its inputs do: then the design around it cannot tell."""
        for part, _ in parts.around(self.base, self.mutants[mutant][1]):
            graph, number = self.graph_of(mutant, part)
            both = graph.miter(NONE, number)
            if both is None or self.same_in_all_states(graph, number) or self.ask(both, WITHIN)[0] == "equal":
                return part
        return None

    def same_in_all_states(self, graph, number):
        """Of a graph with a reset and a start, which has a control then; the self-test, which reports, has too many states."""
        return {"rst_i", "start_i"} <= set(graph.named) and not graph.reports and states.Copies(graph, NONE, number).equal()

    def graph_of(self, mutant, part=None):
        """The graph of a part, the whole without one, in which a number chooses the mutant, and that number."""
        if not changes.makes_a_loop(self.mutants[mutant]):
            return self.graph("chosen", part or self.top), mutant
        file, one = f"alone{mutant}", copy.deepcopy(self.base)
        changes.apply(one, self.base, {0: self.mutants[mutant]})
        (self.folder / f"{file}.json").write_text(json.dumps(one))
        return self.graph(file, part or self.top), 0

    def ask(self, graph, engines):
        with tempfile.NamedTemporaryFile(suffix=".aig", dir=self.folder) as file:
            file.write(graph)
            file.flush()
            return engine(file.name, engines)


def engine(graph, engines):
    """What ABC says of a graph whose output must never be 1: the first answer."""
    for search, seconds in engines:
        commands = f"read {graph}; strash; scorr; dc2; {search} -T {seconds}; print_status"
        done = subprocess.run([tool(*ABC), "-c", commands], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{ABC[0]}: {(done.stdout + done.stderr)[-2000:]}")
        if "Property proved" in done.stdout:
            return "equal", "proved"
        if match := re.search(r"was asserted in frame (\d+)", done.stdout):
            return "differs", f"after {match[1]} cycles"
    return "open", f"within {sum(seconds for _, seconds in engines)} s"


def wrapper(top, ports):
    """The design behind a reset of `RESET` periods, in which nothing of it is seen, and what lanes show that are not valid."""
    shape = {name: f"[{len(port['bits']) - 1}:0] {name}" for name, port in ports.items()}
    clock = [] if "clk_i" in ports else ["input clk_i"]
    declared = ", ".join([*clock, *(f"{port['direction']} {shape[name]}" for name, port in ports.items())])
    given = {name: name if port["direction"] == "input" else f"{name}_raw" for name, port in ports.items()}
    if "rst_i" in ports:
        given["rst_i"] = "rst_i | ~over"
    outputs = [name for name, port in ports.items() if port["direction"] == "output"]
    raw = "".join(f"  wire {shape[name].replace(name, given[name])};\n" for name in outputs)
    seen = "".join(f"  assign {name} = {meant(name, ports)};\n" for name in outputs)
    connected = ", ".join(f".{name}({signal})" for name, signal in given.items())
    return f"""module wrapper ({declared});
  reg [1:0] age = 0;
  wire over = age == {RESET};
  always @(posedge clk_i) if (!over) age <= age + 1;
{raw}  \\{top} u_design ({connected});
{seen}endmodule
"""


def bare(module, ports):
    """A module whose inputs do what they like, from registers at 0 on, and all that it shows counts."""
    declared = ", ".join(f"{port['direction']} [{len(port['bits']) - 1}:0] {name}" for name, port in ports.items())
    connected = ", ".join(f".{name}({name})" for name in ports)
    return f"module wrapper ({declared});\n  \\{module} u_design ({connected});\nendmodule\n"


# What lanes show means something where a bit of another port is 1.
MEANT = {
    "send_dest_o": "send_valid_o",
    "recv_source_o": "recv_valid_o",
    "recv_data_o": "recv_valid_o",
    "m_axis_tdata_o": "m_axis_tvalid_o",
    "m_axis_tid_o": "m_axis_tvalid_o",
    "m_axis_tlast_o": "m_axis_tvalid_o",
}


def meant(name, ports):
    """An output of the wrapper: nothing during reset, and no lane that is not valid."""
    bits = len(ports[name]["bits"])
    valid = MEANT.get(name)
    if valid not in ports:
        return f"over ? {name}_raw : {bits}'d0"
    lanes = len(ports[valid]["bits"])
    each = ", ".join(f"{{{bits // lanes}{{{valid}_raw[{lane}]}}}}" for lane in reversed(range(lanes)))
    return f"over ? {name}_raw & {{{each}}} : {bits}'d0"


class Graph:
    """An and-inverter graph in the AIGER format, as text: literals are twice a variable, plus 1 if inverted."""

    def __init__(self, text):
        lines = iter(text.splitlines())
        header = next(lines).split()
        inputs, latches, outputs, ands = map(int, header[2:6])
        self.inputs = [int(next(lines)) for _ in range(inputs)]
        self.latches = [tuple(map(int, next(lines).split())) for _ in range(latches)]
        self.outputs = [int(next(lines)) for _ in range(outputs)]
        self.ands = [tuple(map(int, next(lines).split())) for _ in range(ands)]
        self.number, self.named, self.control, self.reports = {}, {}, None, False
        for line in lines:
            if line.startswith("c"):
                break
            at, name = line.split(" ", 1)
            if at.startswith("i") and name.startswith(changes.NUMBER):
                bit = int(name[len(changes.NUMBER) :].strip("[]") or 0)
                self.number[self.inputs[int(at[1:])]] = bit
            elif at.startswith("i"):
                self.named[name] = self.inputs[int(at[1:])]
            self.reports |= at.startswith("o") and name == "uart_o"

    def step(self, first, second):
        """The first copy, with whether the second one would from the same state show or take anything else; None if that is never
        so by structure alone. While it is never so the copies are never in different states."""
        made = Builder()
        shared = {literal: made.input() for literal in self.inputs if literal not in self.number}
        states = [made.latch() for _ in self.latches]
        one, other = [sum(self.copy(made, shared, states, number), []) for number in (first, second)]
        made.next |= dict(zip(states, one))
        bad = made.any([made.other(*pair) for pair in zip(one, other)])
        return made.aiger(bad) if bad else None

    def control_registers(self):
        """Those that a reset clears and that depend on each other, on resets and on starts alone, of the design without a mutant."""
        if self.control is None:
            made = Builder()
            shared = {literal: made.input() for literal in self.inputs if literal not in self.number}
            held = [made.latch() for _ in self.latches]
            after, _ = self.copy(made, shared, held, NONE)
            cleared, _ = self.copy(made, shared | {self.named["rst_i"]: 1}, held, NONE)
            reads = [made.reads(literal) for literal in after]
            known = {shared[self.named[name]] for name in ("rst_i", "start_i") if name in self.named}
            key = {at for at in range(len(held)) if cleared[at] == 0 or not reads[at] & set(made.inputs)}
            while less := {at for at in key if reads[at] - known - {held[other] for other in key}}:
                key -= less
            self.control = {self.latches[at][0] for at in key}
        return self.control

    def miter(self, first, second):
        """Both copies, with whether their outputs differ as the only output; None if that is never so by structure alone."""
        apart = set()
        while True:
            made = Builder()
            shared = {literal: made.input() for literal in self.inputs if literal not in self.number}
            # A register is one for both copies unless their next values turn out to be different gates.
            states = [made.latch() for _ in self.latches]
            others = [made.latch() if at in apart else state for at, state in enumerate(states)]
            next_a, outputs_a = self.copy(made, shared, states, first)
            next_b, outputs_b = self.copy(made, shared, others, second)
            split = {at for at, pair in enumerate(zip(next_a, next_b)) if pair[0] != pair[1]} - apart
            if split:
                apart |= split
                continue
            made.next |= dict(zip(states, next_a)) | dict(zip(others, next_b))
            bad = made.any([made.other(*pair) for pair in zip(outputs_a, outputs_b)])
            return made.aiger(bad) if bad else None

    def copy(self, made, shared, states, number):
        """The design with a number of mutant: its registers' next values, and its outputs."""
        value = {0: 0} | shared
        value |= {literal: number >> bit & 1 for literal, bit in self.number.items()}
        value |= {latch[0]: state for latch, state in zip(self.latches, states)}
        for out, a, b in self.ands:
            value[out] = made.both(value[a & ~1] ^ (a & 1), value[b & ~1] ^ (b & 1))
        next_values = [value[latch[1] & ~1] ^ (latch[1] & 1) for latch in self.latches]
        return next_values, [value[out & ~1] ^ (out & 1) for out in self.outputs]


class Builder:
    """A graph that is made: equal gates are one."""

    def __init__(self):
        self.count, self.inputs, self.next, self.gates, self.same = 0, [], {}, {}, {}

    def fresh(self):
        self.count += 1
        return 2 * self.count

    def input(self):
        self.inputs.append(self.fresh())
        return self.inputs[-1]

    def latch(self):
        state = self.fresh()
        self.next[state] = 0
        return state

    def both(self, a, b):
        a, b = sorted((a, b))
        if a == 0 or a == b ^ 1:
            return 0
        if a == 1 or a == b:
            return b
        if (a, b) not in self.gates:
            self.gates[a, b] = self.fresh()
        return self.gates[a, b]

    def any(self, literals):
        none = 1
        for literal in literals:
            none = self.both(none, literal ^ 1)
        return none ^ 1

    def other(self, a, b):
        return self.any([self.both(a, b ^ 1), self.both(a ^ 1, b)])

    def reads(self, literal):
        """The inputs and registers that it depends on."""
        pairs, found, todo, seen = {out: pair for pair, out in self.gates.items()}, set(), [literal & ~1], set()
        while todo:
            at = todo.pop()
            if at and at not in seen:
                seen.add(at)
                todo += [part & ~1 for part in pairs.get(at, ())]
                found |= set() if at in pairs else {at}
        return found

    def aiger(self, output):
        """The binary format, without what the output does not depend on."""
        gates = {out: pair for pair, out in self.gates.items()}
        needed, todo = set(), [output & ~1]
        while todo:
            literal = todo.pop()
            if literal == 0 or literal in needed:
                continue
            needed.add(literal)
            todo += [part & ~1 for part in gates.get(literal, (self.next.get(literal, 0),))]
        inputs = [literal for literal in self.inputs if literal in needed]
        latches = [literal for literal in sorted(self.next) if literal in needed]
        ands = [literal for literal in sorted(gates) if literal in needed]
        name = {0: 0} | {literal: 2 * at for at, literal in enumerate([*inputs, *latches, *ands], 1)}
        of = lambda literal: name[literal & ~1] ^ (literal & 1)
        header = f"aig {len(name) - 1} {len(inputs)} {len(latches)} 1 {len(ands)}"
        lines = [header, *(str(of(self.next[latch])) for latch in latches), str(of(output))]
        body = bytearray()
        for literal in ands:
            low, high = sorted(map(of, gates[literal]))
            body += delta(name[literal] - high) + delta(high - low)
        return "\n".join([*lines, ""]).encode() + bytes(body)


def delta(number):
    """Seven bits a byte, the lowest first."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])
