"""Random runs of a design and a mutant beside each other, many at a time: what no proof decides, and no testbench finds, may differ all the same."""
import functools
import random

from .graphs import NONE

# Runs side by side, and their periods; paces are drawn anew after so many.
RUNS, PERIODS, PACES = 1024, 2000, 40
# One of so many periods is a reset: 2 to this power.
RESETS = 6


def apart(graph, number, periods=PERIODS):
    """The period in which the copies of a graph first show something else, as long as the surroundings keep the rules; None if they do not."""
    draw, whole = random.Random(1), 2**RUNS - 1
    bits = lambda: draw.getrandbits(RUNS)
    seldom = lambda: functools.reduce(int.__and__, (bits() for _ in range(RESETS)))
    names = {literal: name for name, literal in graph.named.items()}
    states, fair, paces = [[0] * len(graph.latches)] * 2, whole, {}
    for period in range(periods):
        inputs = {}
        for literal in (literal for literal in graph.inputs if literal not in graph.number):
            name = names.get(literal, "")
            if name in ("rst_i", "aresetn"):
                inputs[literal] = seldom() ^ (whole if name == "aresetn" else 0)
            elif "valid" in name or "ready" in name:
                # Of four runs one mostly offers or takes, one seldom does, and two do it half of the time.
                if period % PACES == 0:
                    paces[literal] = bits(), bits()
                one, other = paces[literal]
                inputs[literal] = (one & other) | (bits() & (one ^ other)) | (bits() & bits() & bits() & bits())
            else:
                inputs[literal] = bits()
        (states[0], shown), (states[1], of_mutant) = [after(graph, inputs, state, of, whole) for state, of in zip(states, (NONE, number))]
        if graph.fair is not None:
            fair &= shown[graph.fair]
        if any((one ^ other) & fair for one, other in zip(shown, of_mutant)):
            return period
    return None


def after(graph, inputs, state, number, whole):
    """The next states of a copy and what it shows, a bit for each run."""
    value = {0: 0, 1: whole}

    def put(literal, bits):
        value[literal], value[literal ^ 1] = bits, bits ^ whole

    for literal, bit in graph.number.items():
        put(literal, whole * (number >> bit & 1))
    for literal, bits in [*inputs.items(), *((latch[0], bits) for latch, bits in zip(graph.latches, state))]:
        put(literal, bits)
    for out, a, b in graph.ands:
        put(out, value[a] & value[b])
    return [value[latch[1]] for latch in graph.latches], [value[out] for out in graph.outputs]
