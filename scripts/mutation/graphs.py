"""And-inverter graphs of a design and its mutants: one copy of it, two beside each other, in the formats that ABC reads."""
from . import changes

# An output that is 1 as long as the surroundings keep the rules: nothing counts any more once it was 0.
FAIR = "fair_o"
# The number of no mutant.
NONE = 2**changes.NUMBER_BITS - 1


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
        self.number, self.named, self.shown, self.control, self.reports, self.fair = {}, {}, {}, None, False, None
        for line in lines:
            if line.startswith("c"):
                break
            at, name = line.split(" ", 1)
            if at.startswith("i") and name.startswith(changes.NUMBER):
                bit = int(name[len(changes.NUMBER) :].strip("[]") or 0)
                self.number[self.inputs[int(at[1:])]] = bit
            elif at.startswith("i"):
                self.named[name] = self.inputs[int(at[1:])]
            elif at.startswith("o"):
                self.shown[name] = self.outputs[int(at[1:])]
            self.reports |= at.startswith("o") and name == "uart_o"
            if at.startswith("o") and name == FAIR:
                self.fair = int(at[1:])

    def step(self, first, second):
        """The first copy, with whether the second one would from the same state show or take anything else; None if that is never
        so by structure alone. While it is never so the copies are never in different states."""
        made = Builder()
        shared = {literal: made.input() for literal in self.inputs if literal not in self.number}
        states = [made.latch() for _ in self.latches]
        one, other = [sum(self.copy(made, shared, states, number), []) for number in (first, second)]
        made.next |= dict(zip(states, one))
        bad = made.any([made.other(*pair) for pair in zip(one, other)])
        if self.fair is not None:
            bad = made.both(bad, one[len(states) + self.fair])
        return made.aiger(bad) if bad else None

    def forgets(self, number, periods):
        """Whether the mutant differs from the design after resets only, and for at most so many periods in which nothing of it shows.
        `apart` are the registers that may differ after a reset, where they hold anything in the mutant; no reset in these periods makes
        others differ."""
        name, reset = next(((name, level) for name, level in (("rst_i", 1), ("aresetn", 0)) if name in self.named), (None, None))
        if name is None:
            return False
        made = Builder()

        def beside(one, other, level=None):
            """The next values of both copies, and whether their outputs are the same; with a reset of this level, or any."""
            inputs = {literal: made.input() for literal in self.inputs if literal not in self.number}
            inputs |= {} if level is None else {self.named[name]: level}
            (after_a, shown_a), (after_b, shown_b) = (self.copy(made, inputs, *state) for state in ((one, NONE), (other, number)))
            return after_a, after_b, shown_a == shown_b

        def differ(one, other):
            return {at for at, pair in enumerate(zip(one, other)) if pair[0] != pair[1]}

        held = [made.input() for _ in self.latches]
        after_a, after_b, same = beside(held, held, 1 - reset)
        if not same or after_a != after_b or not beside(held, held)[2]:
            return False
        after_reset, others, _ = beside(held, held, reset)
        apart = differ(after_reset, others)
        while True:
            one, other, more = after_reset, [made.input() if at in apart else value for at, value in enumerate(after_reset)], set()
            for _ in range(periods):
                if one == other:
                    break
                if not beside(one, other)[2]:
                    return False
                more |= differ(*beside(one, other, reset)[:2])
                one, other, _ = beside(one, other, 1 - reset)
            if one != other:
                return False
            if more <= apart:
                return True
            apart |= more

    def delays(self, number, places):
        """Whether the outputs are the address of a ring that comes again after so many periods and not before, from registers at 0 on. No input
        changes it, so its states repeat."""
        states, seen, last, period, ends = [0] * len(self.latches), set(), {}, 0, None
        while ends is None or period < ends:
            if ends is None and tuple(states) in seen:
                ends = period + places
            seen.add(tuple(states))
            after, shown = self.copy(Builder(), {}, states, number)
            if last.get(tuple(shown), period - places) != period - places or (tuple(shown) not in last and period >= places):
                return False
            last[tuple(shown)] = period
            states, period = after, period + 1
        return True

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

    def alone(self):
        """The design without a mutant, every register of it, and an output that is 0."""
        made = Builder()
        shared = {literal: made.input() for literal in self.inputs if literal not in self.number}
        states = [made.latch() for _ in self.latches]
        made.next |= dict(zip(states, self.copy(made, shared, states, NONE)[0]))
        return made.aiger(0, {state: (1, at) for at, state in enumerate(states)})

    def ever(self, conditions):
        """Whether the design without a mutant ever shows one of these conditions, each of which gives values of literals; None by structure alone."""
        made = Builder()
        shared = {literal: made.input() for literal in self.inputs if literal not in self.number}
        states = [made.latch() for _ in self.latches]
        after, shown = self.copy(made, shared, states, NONE)
        made.next |= dict(zip(states, after))
        value = dict(zip(self.outputs, shown))
        bad = made.any(made.all(value[literal] ^ 1 ^ level for literal, level in condition.items()) for condition in conditions)
        if self.fair is not None:
            bad = made.both(bad, shown[self.fair])
        return made.aiger(bad) if bad else None

    def miter(self, first, second, control=None):
        """Both copies, with whether their outputs differ as the only output; None if that is never so by structure alone. `control`
        gives what the registers of the control hold, unless the copies differ there."""
        apart = set()
        while True:
            made = Builder()
            shared = {literal: made.input() for literal in self.inputs if literal not in self.number}
            # A register is one for both copies unless their next values turn out to be different gates.
            states = [made.latch() for _ in self.latches]
            given = control.held(made, shared) if control else {}
            states = [given.get(at, state) for at, state in enumerate(states)]
            others = [made.latch() if at in apart else state for at, state in enumerate(states)]
            next_a, outputs_a = self.copy(made, shared, states, first)
            next_b, outputs_b = self.copy(made, shared, others, second)
            split = {at for at, pair in enumerate(zip(next_a, next_b)) if pair[0] != pair[1]} - apart
            if split & set(given):
                return self.miter(first, second)
            if split:
                apart |= split
                continue
            taken = [*zip(states, next_a), *zip(others, next_b)]
            made.next |= {state: literal for state, literal in taken if state in made.next}
            bad = made.any([made.other(*pair) for pair in zip(outputs_a, outputs_b)])
            places = {other: (2, at) for at, other in enumerate(others)} | {state: (1, at) for at, state in enumerate(states)}
            places |= {state: (3, at) for at, state in enumerate(states) if state == others[at]}
            return made.aiger(bad, places) if bad else None

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

    def all(self, literals):
        return self.any(literal ^ 1 for literal in literals) ^ 1

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

    def aiger(self, output, places=None):
        """The binary format, without what the output does not depend on, but all registers if it is constant; a comment says of
        which copy each is, 1, 2 or 3 for both, and which place it has there."""
        places = places or {}
        gates = {out: pair for pair, out in self.gates.items()}
        needed, todo = set(), [output & ~1] if output > 1 else list(places)
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
        comment = "".join(["c\n", *("{} {}\n".format(*places.get(latch, (3, 0))) for latch in latches)]) if places else ""
        return "\n".join([*lines, ""]).encode() + bytes(body) + comment.encode()


def delta(number):
    """Seven bits a byte, the lowest first."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])
