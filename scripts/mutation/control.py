"""The control of a design as a number: of the registers that a reset clears and that depend on each other, on resets and on starts
alone, all states are visited (there are tens), and a few registers hold which of them it is. What the control's registers hold is read
off that number: a proof need not find out which of their values exclude each other.
"""
from .graphs import NONE, Builder

# With more states than this the control stays as it is.
MOST = 4096


class Numbered:
    """Of a graph with a reset and a start."""

    def __init__(self, graph):
        self.graph = graph
        cleared = graph.control_registers()
        self.places = [at for at, latch in enumerate(graph.latches) if latch[0] in cleared]
        self.table = self.visit()

    def visit(self):
        """Of each state, in the order in which they are found, the registers' values, and the state behind it for each choice of the
        two inputs; None if there are too many."""
        first = (0,) * len(self.places)
        numbers, found, table = {first: 0}, [first], []
        while len(table) < len(found) <= MOST:
            state = found[len(table)]
            after = [self.next_of(state, choice) for choice in range(4)]
            for other in after:
                if other not in numbers:
                    numbers[other] = len(found)
                    found.append(other)
            table.append((state, [numbers[other] for other in after]))
        return table if len(found) <= MOST else None

    def next_of(self, state, choice):
        made = Builder()
        shared = {literal: made.input() for literal in self.graph.inputs if literal not in self.graph.number}
        shared |= {self.graph.named["rst_i"]: choice & 1, self.graph.named["start_i"]: choice >> 1}
        held = [made.latch() for _ in self.graph.latches]
        for at, value in zip(self.places, state):
            held[at] = value
        after, _ = self.graph.copy(made, shared, held, NONE)
        return tuple(after[at] for at in self.places)

    def held(self, made, shared):
        """Registers for the number, in a graph that is made: by place, what the control's registers hold."""
        if self.table is None:
            return {}
        number = [made.latch() for _ in range(max(1, (len(self.table) - 1).bit_length()))]
        inputs = [shared[self.graph.named[name]] for name in ("rst_i", "start_i")]
        is_state = [made.all(bit ^ 1 ^ (at >> place & 1) for place, bit in enumerate(number)) for at in range(len(self.table))]
        is_choice = [made.all(bit ^ 1 ^ (choice >> place & 1) for place, bit in enumerate(inputs)) for choice in range(4)]
        comes = [[] for _ in self.table]
        for here, (_, after) in zip(is_state, self.table):
            for choice, other in zip(is_choice, after):
                comes[other].append(made.both(here, choice))
        for place, bit in enumerate(number):
            made.next[bit] = made.any(term for at, terms in enumerate(comes) if at >> place & 1 for term in terms)
        values = [made.any(here for here, (state, _) in zip(is_state, self.table) if state[at]) for at in range(len(self.places))]
        return dict(zip(self.places, values))
