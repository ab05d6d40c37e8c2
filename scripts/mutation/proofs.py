"""Whether a mutant differs from its design in anything that its ports show, once a reset has been held.

Both are copies of one and-inverter graph with another number of mutant. At first of one step: from no state that the design reaches
does the mutant show or take anything else. Where that is not so, of both beside each other: registers that are equal by structure are
one; of what is left ABC proves that the outputs never differ, or finds inputs that tell them apart.
"""
import copy
import json
import re
import signal
import subprocess
import tempfile
import threading

from . import changes, control, inputs, pairs, parts, states
from .graphs import FAIR, NONE, Graph
from .tools import tool, yosys

# Periods after a reset in which a register that is reset differently may make a difference inside.
FORGETS = 24
# Searches of ABC and seconds of a processor for each, behind a merge of the registers that correspond: property-directed reachability, where it is
# mostly a matter of luck which way to generalise needs a second and which an hour; and cycle by cycle for what differs late.
QUICK = (("pdr -n", 5), ("pdr -n -r -m", 15))
ENGINES = (("pdr -n", 5), ("pdr -r -m", 5), ("bmc3", 10))
LONG = (("pdr -n", 20), ("pdr -n -r -m", 20))
WITHIN = (("pdr -n", 3),)
NUMBERED = (("pdr -n", 30),)
COUNTED = (("pdr -n", 10), ("pdr -n -r -m", 10))
# Which values an instance's inputs never have.
LIMITS = (("pdr -n", 30), ("pdr -n -r -m", 30))
BESIDE = (("bmc3", 3), ("pdr -n", 20), ("pdr -n -r -m", 15), ("pdr -r -y", 150))
# Controls of routers: the outputs that show that a run begins and how long it is; fewer steps than this many are compared; and the input
# that is high in runs only.
CONTROLS = (("clear_o", "steps_o", 256, None), ("begin_o", "cycles_o", 1 << 14, "set_i"))
# The names under which ABC is installed.
ABC = ("berkeley-abc", "yosys-abc", "abc")


# Registers stay as simple as AIGER has them.
OPT = "opt -nodffe -nosdff\n"


# Clock periods of the reset that precedes everything, in which registers start at 0. Further resets may come at any time.
RESET = 2


class Proofs:
    """Of the mutants of a design in a folder."""

    def __init__(self, folder, top, longer=1, routed=False, rings=False):
        self.folder, self.top, self.longer, self.routed, self.rings = folder, top, longer, routed, rings
        self.base = json.loads((folder / "base.json").read_text())
        self.mutants = json.loads((folder / "mutants.json").read_text())
        self.graphs, self.controls, self.meant, self.cuts, self.alone, self.limited, self.lock = {}, {}, {}, {}, {}, {}, threading.RLock()
        self.pairs = pairs.Pairs(folder)

    def graph(self, file, part, text):
        """The graph of a part in a file of JSON within a text around it; made once."""
        with self.lock:
            if (file, part, text) not in self.graphs:
                self.graphs[file, part, text] = self.read(file, part, text)
            return self.graphs[file, part, text]

    def read(self, file, part, text):
        name, design = f"{file}.{part}.{text.__name__}", json.loads((self.folder / f"{file}.json").read_text())
        if part not in design["modules"]:
            design["modules"][part] = parts.cut(design, self.base, *self.cuts[part])
        modules = parts.with_plain_names(parts.below(design, part))
        (self.folder / f"{name}.v").write_text(text(parts.plain(part), design["modules"][part]["ports"]))
        (self.folder / f"{name}.json").write_text(json.dumps({"modules": modules}))
        script = f"read_json {name}.json\nread_verilog {name}.v\nhierarchy -check -top wrapper\nproc\nflatten\n"
        script += f"{OPT}memory_map\n{OPT}async2sync\nsimplemap\ntechmap\nsetundef -zero -undriven -init\n{OPT}aigmap\nopt_clean\n"
        yosys(self.folder, name, f"{script}write_aiger -ascii -symbols {name}.aag\n")
        (self.folder / f"{name}.json").unlink(missing_ok=True)
        return Graph((self.folder / f"{name}.aag").read_text())

    def prove(self, mutant):
        """`equal`, `differs` or `open`, and what the engine says of it."""
        if self.routed:
            return self.prove_routed(mutant)
        if self.rings:
            return self.prove_between_rings(mutant)
        try:
            graph, number = self.graph_of(mutant)
        except RuntimeError as error:
            if "combinational logic loop" in str(error):
                return "open", "a loop without a register"
            raise
        step = graph.step(NONE, number)
        if step is None:
            return "equal", "structure"
        if not changes.makes_a_loop(self.mutants[mutant]) and self.graph_of(mutant, text=running)[0].forgets(number, FORGETS):
            return "equal", "after a reset"
        if graph.reports and (answer := self.pairs.prove(graph, number, not changes.makes_a_loop(self.mutants[mutant])))[0] != "open":
            return answer
        if self.same_in_all_states(graph, number):
            return "equal", "states of both"
        if limited := self.equal_for_its_inputs(mutant):
            return "equal", limited
        if part := self.equal_within(mutant):
            return "equal", f"within {part}"
        if controlled(graph) and self.ask(graph.miter(NONE, number, self.numbered(graph)), NUMBERED)[0] == "equal":
            return "equal", "control as a number"
        if self.ask(step, QUICK)[0] == "equal":
            return "equal", "step"
        both = graph.miter(NONE, number)
        answer = self.ask(both, ENGINES)
        return ("equal", "step") if answer[0] == "open" and self.ask(step, LONG)[0] == "equal" else answer

    def equal_in_all(self, mutant, module):
        """Whether a module that several instances may share shows the same whatever its inputs do, or else every module that has instances of it."""
        if module == self.top:
            return False
        if self.equal_alone(mutant, module):
            return True
        found = parts.holders(self.base, module)
        return bool(found) and all(self.equal_in_all(mutant, other) for other in found)

    def equal_alone(self, mutant, module):
        """Whether this module shows the same whatever its inputs do."""
        graph, number = self.graph_of(mutant, module, self.used(module))
        both = graph.miter(NONE, number)
        return both is None or self.ask(both, WITHIN)[0] == "equal"

    def used(self, module):
        """The text around a module without the outputs that all of its instances leave open."""
        with self.lock:
            if module not in self.alone:
                hidden = parts.left_open(self.base, module)
                self.alone[module] = lambda name, ports: bare(name, {port: at for port, at in ports.items() if port not in hidden})
                self.alone[module].__name__ = "used"
            return self.alone[module]

    def prove_routed(self, mutant):
        """In a router the whole has thousands of registers, and a module has many instances, so the module alone comes first; a mutant that it
        shows is asked for in the whole for some seconds only. The steps of a run are counted to 2^32, so a counter is compared in short runs
        (`CONTROLS`)."""
        module = self.mutants[mutant][1]
        try:
            if self.equal_in_all(mutant, module):
                return "equal", f"within {module}"
            if control := control_of(self.base["modules"][module]["ports"]):
                graph, number = self.graph_of(mutant, module, short_runs)
                both = graph.miter(NONE, number)
                if both is None or self.ask(both, COUNTED)[0] == "equal":
                    return "equal", f"in runs of fewer than {control[2]} steps"
            graph, number = self.graph_of(mutant)
        except RuntimeError as error:
            if "combinational logic loop" in str(error):
                return "open", "a loop without a register"
            raise
        step = graph.step(NONE, number)
        if step is None or self.ask(step, WITHIN)[0] == "equal":
            return "equal", "step"
        return "open", f"{module} alone shows it, the whole was asked for {sum(seconds for _, seconds in WITHIN) * self.longer} s"

    def prove_between_rings(self, mutant):
        """In a device most registers are places of rings, too many for any question. So the question is whether a module shows the same to the
        instances and the ring in it; or else, whether the ring gives each word as late as it did. Its addresses depend on no input."""
        _, module, cell, *_ = self.mutants[mutant]
        cells = self.base["modules"][module]["cells"]
        ring = next((other for other in cells.values() if other["type"] == "$mem_v2"), None)
        chosen = {name for name, other in cells.items() if other is not ring and other["type"] not in self.base["modules"]}
        if cell not in chosen:
            return "open", "a port of an instance or of a ring"
        part = f"{module}-"
        self.cuts[part] = (module, chosen)
        graph, number = self.graph_of(mutant, part)
        both = graph.miter(NONE, number)
        answer = ("equal", "structure") if both is None else self.ask(both, QUICK)
        if answer[0] == "equal":
            return "equal", f"within {module}"
        if ring is None:
            return answer
        places = int(ring["parameters"]["SIZE"], 2)
        return ("equal", "the same delay") if graph.delays(number, places) else ("open", "another delay")

    def equal_within(self, mutant):
        """The name of a part in which the mutant is that shows the same whatever its inputs do: then the design around it cannot tell."""
        for part, cut in parts.around(self.base, self.mutants[mutant][1]):
            self.cuts[part] = cut
            graph, number = self.graph_of(mutant, part)
            both = graph.miter(NONE, number)
            if both is None or self.same_in_all_states(graph, number) or self.ask(both, WITHIN)[0] == "equal":
                return part
            if self.only_what_is_meant_counts(part):
                graph, number = self.graph_of(mutant, part, meaning)
                both = graph.miter(NONE, number)
                if both is None or self.ask(both, QUICK)[0] == "equal":
                    return f"{part}, what its outputs mean"
        for part, cut in parts.beside(self.base, self.top, self.mutants[mutant]):
            self.cuts[part] = cut
            graph, number = self.graph_of(mutant, part, meaning)
            step = graph.step(NONE, number)
            if step is None or self.ask(step, BESIDE)[0] == "equal" or self.ask(graph.miter(NONE, number), BESIDE)[0] == "equal":
                return part
        return None

    def equal_for_its_inputs(self, mutant):
        """Whether the instance that holds the mutant shows the same for all inputs that it gets in the design; then what those are."""
        module = self.mutants[mutant][1]
        instances = [name for name, cell in self.base["modules"][self.top]["cells"].items() if cell["type"] == module]
        if len(instances) != 1 or "clk_i" not in self.base["modules"][module]["ports"] or not (text := self.limits(instances[0])):
            return None
        graph, number = self.graph_of(mutant, module, text)
        both = graph.miter(NONE, number)
        return f"within {module}, for the inputs it gets" if both is None or self.ask(both, QUICK)[0] == "equal" else None

    def limits(self, instance):
        """The text around an instance whose ports have no value that they never have in the design; None if each may have all. Asked once."""
        with self.lock:
            if instance not in self.limited:
                self.limited[instance] = self.ask_for_limits(instance)
            return self.limited[instance]

    def ask_for_limits(self, instance):
        design = inputs.with_seen_ports(self.base, self.top, instance)
        if design is None:
            return None
        file = f"seen.{instance}"
        (self.folder / f"{file}.json").write_text(json.dumps(design))
        missing, question = inputs.never(self.read(file, self.top, meaning))
        if not missing or self.ask(question, LIMITS)[0] != "equal":
            return None
        return inputs.limited(missing)

    def only_what_is_meant_counts(self, part):
        """Whether it is all the same to the design what a part that it holds shows on lanes that are not valid, whatever that is, and
        the part's reset is the design's: then only what its outputs mean need be the same, from the first reset on. Asked once for a part."""
        with self.lock:
            if part not in self.meant:
                self.meant[part] = self.is_meant(part)
            return self.meant[part]

    def is_meant(self, part):
        top = self.base["modules"][self.top]
        cells = [name for name, cell in top["cells"].items() if cell["type"] == part]
        if len(cells) != 1 or not parts.MEANT.keys() & top["cells"][cells[0]]["connections"].keys():
            return False
        if "rst_i" not in top["ports"] or top["cells"][cells[0]]["connections"].get("rst_i") != top["ports"]["rst_i"]["bits"]:
            return False
        masked = copy.deepcopy(self.base)
        ports = top["cells"][cells[0]]["connections"]
        pairs = ";".join(f"{shown},{valid}" for shown, valid in parts.MEANT.items() if {shown, valid} <= ports.keys())
        changes.apply(masked, self.base, {0: ("masked", self.top, cells[0], pairs)})
        file = f"masked.{cells[0]}"
        (self.folder / f"{file}.json").write_text(json.dumps(masked))
        graph = self.read(file, self.top, wrapper)
        return self.ask(graph.miter(NONE, 0), ENGINES)[0] == "equal"

    def same_in_all_states(self, graph, number):
        """Whether the states of a control say so."""
        return controlled(graph) and states.Copies(graph, NONE, number).equal()

    def numbered(self, graph):
        """A graph's control as a number; made once."""
        with self.lock:
            if graph not in self.controls:
                self.controls[graph] = control.Numbered(graph)
            return self.controls[graph]

    def graph_of(self, mutant, part=None, text=None):
        """The graph of a part, of the whole behind its reset without one, in which a number chooses the mutant, and that number."""
        text = text or (bare if part else wrapper)
        if not changes.makes_a_loop(self.mutants[mutant]):
            return self.graph("chosen", part or self.top, text), mutant
        file, one = f"alone{mutant}", copy.deepcopy(self.base)
        changes.apply(one, self.base, {0: self.mutants[mutant]})
        (self.folder / f"{file}.json").write_text(json.dumps(one))
        return self.graph(file, part or self.top, text), 0

    def ask(self, graph, engines):
        if graph is None:
            return "equal", "structure of both"
        with tempfile.NamedTemporaryFile(suffix=".aig", dir=self.folder) as file:
            file.write(graph)
            file.flush()
            return engine(file.name, [(search, seconds * self.longer) for search, seconds in engines])


def controlled(graph):
    """Whether it has a control of few states: a reset and a start; the self-test, which reports, has too many."""
    return {"rst_i", "start_i"} <= set(graph.named) and not graph.reports


def engine(graph, engines):
    """What ABC says of a graph whose output must never be 1: the first answer."""
    with tempfile.TemporaryDirectory() as folder:
        merged = f"{folder}/merged.aig"
        answer = abc(f"read {graph}; strash; scorr; dc2; print_status; write {merged}")
        for search, seconds in engines:
            if answer:
                return answer
            answer = abc(f"read {merged}; {search}; print_status", seconds)
    return answer or ("open", f"within {sum(seconds for _, seconds in engines)} s")


def abc(commands, seconds=None):
    """What ABC says after these commands, within so many seconds of a processor; none if it does not know. ABC's own limits count seconds of the
    wall, so other work on the machine would decide."""
    limit = "" if seconds is None else f"ulimit -S -t {seconds}; "
    done = subprocess.run(["sh", "-c", f'{limit}exec "$@"', "sh", tool(*ABC), "-c", commands], capture_output=True, text=True)
    if -done.returncode == signal.SIGXCPU:
        return None
    if done.returncode != 0:
        raise RuntimeError(f"{ABC[0]}: {(done.stdout + done.stderr)[-2000:]}")
    if "Property proved" in done.stdout:
        return "equal", "proved"
    if match := re.search(r"was asserted in frame (\d+)", done.stdout):
        return "differs", f"after {match[1]} cycles"
    return None


def meaning(part, ports):
    """A part behind the same reset, all of which is seen; of streams that it takes as long as they are as they should be."""
    return wrapper(part, ports, "1'b1")


def wrapper(top, ports, seen_while="over"):
    """The design behind a reset of `RESET` periods, in which nothing of it is seen, nor what lanes show that are not valid."""
    shape = {name: f"[{len(port['bits']) - 1}:0] {name}" for name, port in ports.items()}
    clock = [] if "clk_i" in ports else ["input clk_i"]
    declared = ", ".join([*clock, *(f"{port['direction']} {shape[name]}" for name, port in ports.items())])
    given = {name: name if port["direction"] == "input" else f"{name}_raw" for name, port in ports.items()}
    resets = {"rst_i": "rst_i | ~over", "aresetn": "aresetn & over"}
    given |= {name: reset for name, reset in resets.items() if name in ports}
    outputs = [name for name, port in ports.items() if port["direction"] == "output"]
    kept, breaks = map("".join, zip(*[("", "1'b0"), *message_stays(top, ports), *host_keeps(ports)]))
    if kept:
        seen_while, declared = f"({seen_while} && {FAIR})", f"{declared}, output {FAIR}"
        kept += f"""  reg unfair = 0;
  assign {FAIR} = ~unfair & ~({breaks});
  always @(posedge clk_i) unfair <= unfair | (over & ({breaks}));
"""
    raw = "".join(f"  wire {shape[name].replace(name, given[name])};\n" for name in outputs)
    seen = "".join(f"  assign {name} = {meant(name, ports, seen_while)};\n" for name in outputs)
    connected = ", ".join(f".{name}({signal})" for name, signal in given.items())
    return f"""module wrapper ({declared});
  reg [1:0] age = 0;
  wire over = age == {RESET};
  always @(posedge clk_i) if (!over) age <= age + 1;
{raw}  \\{top} u_design ({connected});
{kept}{seen}endmodule
"""


# The channels of AXI4-Lite on which a host offers something: what it keeps until it is taken.
OFFERED = {"aw": ("awaddr", "awprot"), "w": ("wdata", "wstrb"), "ar": ("araddr", "arprot")}


def host_keeps(ports):
    """Of each channel of registers what watches that a host keeps what it offers until it is taken, as AXI demands, and what is 1 when it
    does not."""
    reset = "rst_i | ~over" if "rst_i" in ports else "~aresetn | ~over"
    for channel, names in OFFERED.items():
        valid, ready, waits = f"s_axil_{channel}valid", f"s_axil_{channel}ready", f"{channel}_waits"
        if not {valid, ready} <= ports.keys():
            continue
        kept = [name for name in (f"s_axil_{name}" for name in names) if name in ports]
        text = "".join(f"  reg [{len(ports[name]['bits']) - 1}:0] was_{name};\n" for name in kept)
        text += f"  reg {waits} = 0;\n  always @(posedge clk_i) begin\n    {waits} <= {valid} & ~{ready}_raw & ~({reset});\n"
        text += "".join(f"    was_{name} <= {name};\n" for name in kept) + "  end\n"
        changed = "".join(f" | {name} != was_{name}" for name in kept)
        yield text, f" | ({waits} & (~{valid}{changed}))"


# What the rule of messages is about.
STREAM = {"s_axis_tvalid_i", "s_axis_tready_o", "s_axis_tdest_i"}


def running(top, ports):
    """The design without a reset before all else; all that it means is seen."""
    return meaning(top, ports).replace(f"over = age == {RESET};", "over = 1'b1;")


def message_stays(top, ports):
    """Of streams: what watches that the destination of a message does not change within it, as docs/streams.md demands, and what is 1
    when it does; nothing of other tops. Messages have as many words as the name of the top says."""
    words = re.search(r"_axis_l(\d+)_", top)
    if words is None or not STREAM <= ports.keys():
        return
    lanes = range(len(ports["s_axis_tvalid_i"]["bits"]))
    assert len(ports["s_axis_tready_o"]["bits"]) == len(lanes) and len(ports["s_axis_tdest_i"]["bits"]) % len(lanes) == 0, "whole lanes"
    bits, last = len(ports["s_axis_tdest_i"]["bits"]) // len(lanes), int(words[1]) - 1
    dest = [f"[{lane * bits} +: {bits}]" for lane in lanes]
    moves = "".join(f" | (s_axis_tvalid_i[{lane}] & at_{lane} != 0 & s_axis_tdest_i{dest[lane]} != dest{dest[lane]})" for lane in lanes)
    each = "".join(f"""  reg [{last.bit_length()}:0] at_{lane} = 0;
  always @(posedge clk_i) begin
    if (rst_i | ~over) at_{lane} <= 0;
    else if (s_axis_tvalid_i[{lane}] & s_axis_tready_o_raw[{lane}]) at_{lane} <= at_{lane} == {last} ? 0 : at_{lane} + 1;
    if (s_axis_tvalid_i[{lane}] & s_axis_tready_o_raw[{lane}] & at_{lane} == 0) dest{dest[lane]} <= s_axis_tdest_i{dest[lane]};
  end
""" for lane in lanes)
    yield f"  reg [{len(lanes) * bits - 1}:0] dest = 0;\n{each}", moves


def bare(module, ports):
    """A module whose inputs do what they like, from registers at 0 on, and all that it shows counts."""
    declared = ", ".join(f"{port['direction']} [{len(port['bits']) - 1}:0] {name}" for name, port in ports.items())
    connected = ", ".join(f".{name}({name})" for name in ports)
    return f"module wrapper ({declared});\n  \\{module} u_design ({connected});\nendmodule\n"


def control_of(ports):
    """The row of `CONTROLS` for a module with these ports, if it is one."""
    return next((row for row in CONTROLS if {"busy_o", *row[:2]} <= ports.keys()), None)


def short_runs(module, ports):
    """A control of runs behind a reset, of which nothing counts any more once a run has taken too many steps (`CONTROLS`). Steps are counted
    as the control does it, so that an engine merges both counts."""
    begins, _, longest, inner = control_of(ports)
    bits = longest.bit_length() - 1
    shape = {name: f"[{len(port['bits']) - 1}:0] {name}" for name, port in ports.items()}
    declared = ", ".join(f"{port['direction']} {shape[name]}" for name, port in ports.items())
    outputs = [name for name, port in ports.items() if port["direction"] == "output"]
    raw = "".join(f"  wire {shape[name].replace(name, f'{name}_raw')};\n" for name in outputs)
    given = {name: f"{name}_raw" for name in outputs} | {inner: f"{inner} & busy_o_raw"}
    connected = ", ".join(f".{name}({given.get(name, name)})" for name in ports)
    seen = "".join(f"  assign {name} = long ? {len(ports[name]['bits'])}'d0 : {name}_raw;\n" for name in outputs)
    return f"""module wrapper ({declared});
  reg [{bits - 1}:0] steps = 0;
  reg long = 0;
{raw}  \\{module} u_design ({connected});
  always @(posedge clk_i) begin
    long <= long | (busy_o_raw & (&steps));
    if (rst_i | {begins}_raw) steps <= 0;
    else if (busy_o_raw) steps <= steps + 1;
  end
{seen}endmodule
"""


def meant(name, ports, seen_while):
    """An output of the wrapper: nothing while it is not seen, and no lane that is not valid."""
    bits = len(ports[name]["bits"])
    valid = parts.valid_of(name, ports)
    if valid is None:
        return f"{seen_while} ? {name}_raw : {bits}'d0"
    lanes = len(ports[valid]["bits"])
    each = ", ".join(f"{{{bits // lanes}{{{valid}_raw[{lane}]}}}}" for lane in reversed(range(lanes)))
    return f"{seen_while} ? {name}_raw & {{{each}}} : {bits}'d0"
