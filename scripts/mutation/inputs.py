"""Which values the inputs of an instance take in its design: an address whose counter ends early, for one, never has the others."""
import copy
import json
import random

from .graphs import FAIR

# Ports of so many bits are asked about.
WIDTHS = range(2, 7)
# Runs beside each other, and periods of each, in which the values are looked for.
RUNS, PERIODS = 2048, 400
# Of 256 periods, those in which an input bit is 1: each run has one of these, a reset comes in one of 256.
OFTEN = (128, 240, 40, 200)
SEEN = "seen_"


def with_seen_ports(base, top, instance):
    """The design with an output for each of the ports of an instance that are asked about; None if there is none."""
    design = copy.deepcopy(base)
    module = design["modules"][top]
    cell = module["cells"].get(instance)
    if cell is None:
        return None
    for port, bits in cell["connections"].items():
        if cell["port_directions"][port] == "input" and len(bits) in WIDTHS and all(isinstance(bit, int) for bit in bits):
            module["ports"][SEEN + port] = {"direction": "output", "bits": bits}
    return design if any(port.startswith(SEEN) for port in module["ports"]) else None


def values(graph, seed=1):
    """The values of each of these outputs in runs with any inputs, behind a reset."""
    draw = random.Random(seed)
    everyone = (1 << RUNS) - 1
    groups = [sum(1 << at for at in range(RUNS) if at % len(OFTEN) == group) for group in range(len(OFTEN))]

    def bits(of):
        """A word whose bits are 1 in so many of 256."""
        word = 0
        for at in range(8):
            word = word | draw.getrandbits(RUNS) if of >> at & 1 else word & draw.getrandbits(RUNS)
        return word

    ports = {}
    for name, literal in graph.shown.items():
        if name.startswith(SEEN):
            port, _, bit = name.removesuffix("]").rpartition("[")
            ports.setdefault(port, {})[int(bit)] = literal
    seen = {port: set() for port in ports}
    states = {latch[0]: 0 for latch in graph.latches}
    resets = {graph.named[name]: level for name, level in (("rst_i", 1), ("aresetn", 0)) if name in graph.named}
    for _ in range(PERIODS):
        value = {0: 0} | states
        for literal in graph.inputs:
            if literal in graph.number:
                value[literal] = everyone
            elif literal in resets:
                value[literal] = bits(1) if resets[literal] else everyone ^ bits(1)
            else:
                value[literal] = sum((groups[at] & bits(of)) for at, of in enumerate(OFTEN))
        for out, a, b in graph.ands:
            left, right = value[a & ~1], value[b & ~1]
            value[out] = (left ^ everyone if a & 1 else left) & (right ^ everyone if b & 1 else right)
        of = lambda literal: value[literal & ~1] ^ (everyone if literal & 1 else 0)
        for port, places in ports.items():
            words = [of(places[bit]) for bit in sorted(places)]
            for number in range(1 << len(words)):
                if number not in seen[port]:
                    runs = everyone
                    for bit, word in enumerate(words):
                        runs &= word if number >> bit & 1 else word ^ everyone
                    if runs:
                        seen[port].add(number)
        states = {latch[0]: of(latch[1]) for latch in graph.latches}
    return {port.removeprefix(SEEN): found for port, found in seen.items()}, ports


def never(graph):
    """The values that each of these outputs had in no run, and the question whether one of them can come."""
    found, ports = values(graph)
    missing = {port: sorted(set(range(1 << len(ports[SEEN + port]))) - seen) for port, seen in found.items()}
    missing = {port: numbers for port, numbers in missing.items() if numbers}
    wrong = [{ports[SEEN + port][bit]: number >> bit & 1 for bit in ports[SEEN + port]} for port, numbers in missing.items() for number in numbers]
    return missing, graph.ever(wrong)


def limited(missing):
    """The text around a module whose inputs never have these values, all of whose outputs count."""

    def text(module, ports):
        declared = ", ".join(f"{port['direction']} [{len(port['bits']) - 1}:0] {name}" for name, port in ports.items())
        outputs = {name: len(port["bits"]) for name, port in ports.items() if port["direction"] == "output"}
        connected = ", ".join(f".{name}({name}{'_raw' if name in outputs else ''})" for name in ports)
        raw = "".join(f"  wire [{bits - 1}:0] {name}_raw;\n" for name, bits in outputs.items())
        seen = "".join(f"  assign {name} = {FAIR} ? {name}_raw : {bits}'d0;\n" for name, bits in outputs.items())
        breaks = " | ".join(f"({port} == {number})" for port, numbers in missing.items() for number in numbers)
        return f"""module wrapper ({declared}, output {FAIR});
  reg unfair = 0;
  assign {FAIR} = ~unfair & ~({breaks});
  always @(posedge clk_i) unfair <= ~{FAIR};
{raw}  \\{module} u_design ({connected});
{seen}endmodule
"""

    return text
