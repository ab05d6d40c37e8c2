"""Whether two copies of a graph, each with its number of mutant, show the same in every state that both reach together.

Of each signal is known which pairs of values it may have in the two copies: 00, 01, 10, 11. A word that nobody knows but that is the
same in both is 00 or 11. A state is what the registers of the control hold in both copies: those that a reset clears and that depend
on each other, on resets and on starts alone. Every state that is reached is simulated for a cycle with each choice of these inputs; the
pairs of the next one are joined to those found before, until nothing changes. Where a register of the control may be one of several
pairs each of them is a state. So whatever the design does, the copies are in one of the states found, and its pairs are possible.
"""

# With more states than this nothing is said.
MOST = 200
SAME, PAIRS = (0, 3), range(4)


class Copies:
    """Of a graph, whose inputs `control` are named."""

    def __init__(self, graph, first, second):
        self.graph = graph
        self.latches = [latch[0] for latch in graph.latches]
        self.next = dict(graph.latches)
        self.control = [graph.named[name] for name in ("rst_i", "start_i") if name in graph.named]
        self.number = {literal: (first >> bit & 1) * 2 + (second >> bit & 1) for literal, bit in graph.number.items()}
        self.key = sorted(graph.control_registers())
        self.reached = {}

    def equal(self):
        """True if no output ever differs; False if one may, for all that is known."""
        first = (0,) * len(self.key)
        self.reached = {first: [1] * len(self.latches)}
        todo = [first]
        while todo:
            todo = self.step(sorted(todo))
            if todo is None or len(self.reached) > MOST:
                return False
        return True

    def step(self, states):
        """Simulates a cycle of each: the states of which more is possible than before; None if an output may differ."""
        choices = 1 << len(self.control)
        columns = len(states) * choices
        every = (1 << columns) - 1
        block = (1 << choices) - 1
        values = {0: (every, 0, 0, 0)}
        for literal in self.graph.inputs:
            values[literal] = (every, 0, 0, every)
        for literal, pair in self.number.items():
            values[literal] = tuple(every if at == pair else 0 for at in PAIRS)
        for at, literal in enumerate(self.control):
            ones = sum(1 << column for column in range(columns) if column % choices >> at & 1)
            values[literal] = (every ^ ones, 0, 0, ones)
        for at, latch in enumerate(self.latches):
            held = [self.reached[state][at] for state in states]
            values[latch] = tuple(sum(block << choices * column for column, can in enumerate(held) if can >> pair & 1) for pair in PAIRS)
        for out, a, b in self.graph.ands:
            values[out] = both(of(values, a), of(values, b))
        if any(of(values, output)[1] | of(values, output)[2] for output in self.graph.outputs):
            return None
        after = [of(values, self.next[latch]) for latch in self.latches]
        changed = set()
        for column in range(columns):
            changed |= self.join([sum((can[pair] >> column & 1) << pair for pair in PAIRS) for can in after])
        return changed

    def join(self, can):
        """The states of which these pairs tell more than was known."""
        place = {latch: at for at, latch in enumerate(self.latches)}
        states = [()]
        for latch in self.key:
            states = [(*state, pair) for state in states for pair in PAIRS if can[place[latch]] >> pair & 1]
            if len(states) > MOST:
                break
        wider = set()
        for state in states:
            here = list(can)
            for latch, pair in zip(self.key, state):
                here[place[latch]] = 1 << pair
            before = self.reached.get(state, [0] * len(here))
            joined = [old | new for old, new in zip(before, here)]
            if joined != before:
                self.reached[state] = joined
                wider.add(state)
        return wider


def of(values, literal):
    return values[literal & ~1][::-1] if literal & 1 else values[literal & ~1]


def both(a, b):
    """The pairs of an AND."""
    neither = a[0] | b[0] | a[1] & b[2] | a[2] & b[1]
    return neither, a[1] & (b[1] | b[3]) | a[3] & b[1], a[2] & (b[2] | b[3]) | a[3] & b[2], a[3] & b[3]
