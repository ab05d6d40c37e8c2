"""Agents for cocotb: each drives and reads some ports of a design, and a bench drives all of them through its cycles.

A cycle is that between two rising edges of the clock. Inputs change in its middle, at the falling edge. When the outputs have settled, every
agent looks at them. This module imports cocotb and the standard library only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

#: What pauses are drawn from, as the model does.
SEED = 0x6C078965
#: The response to an access that changes nothing.
REFUSED = 2


class Mismatch(AssertionError):
    """The design differs from the model; the text says in which cycle and where."""


def drawn(state: int) -> int:
    state ^= state << 13 & 0xFFFFFFFF
    state ^= state >> 17
    return state ^ (state << 5 & 0xFFFFFFFF)


def lanes(port: Any, bits: int, of: Iterable[int]) -> list[int]:
    """The numbers of some lanes of a packed port, of which the others may be unknown."""
    text = str(port.value)
    found = [text[len(text) - (lane + 1) * bits : len(text) - lane * bits] for lane in of]
    if any(set(number) - {"0", "1"} for number in found):
        raise Mismatch(f"{port._name} has bits that are neither 0 nor 1: {text}")
    return [int(number, 2) for number in found]


class Pace:
    """The cycles in which something is done: ``rate`` of 256, drawn from a seed; 256 are all. ``byte``: which byte of a draw decides."""

    def __init__(self, rate: int = 256, seed: int = SEED, byte: int = 0) -> None:
        self._rate, self._state, self._shift = rate, seed, 8 * byte

    def now(self) -> bool:
        self._state = drawn(self._state)
        return self._state >> self._shift & 0xFF < self._rate


class Agent:
    """Some ports of a design."""

    def reset(self) -> None:
        """Drives the inputs of a reset, and forgets what was sent and seen."""

    def drive(self) -> None:
        """Drives the inputs of a cycle."""

    def look(self) -> None:
        """Looks at the outputs of a cycle, and at what is taken at its end."""


class Bench:
    """A design with clock and reset, and its agents.

    Attributes:
        dut: cocotb's handle of the design.
        cycle: the cycle since the last reset, from 0.
    """

    def __init__(self, dut: Any, *, clock: str = "clk_i", reset: str = "rst_i", level: int = 1, held: int = 0, period_ns: int = 10) -> None:
        """Takes the design. Its reset is active at ``level``, and registers hold it for ``held`` cycles more; ``period_ns`` is the period of
        the clock."""
        self.dut, self.cycle = dut, 0
        self._clock, self._reset, self._level = getattr(dut, clock), getattr(dut, reset), level
        self._held, self._period_ns = held, period_ns
        self._runs: Any = None
        self._agents: list[Agent] = []

    def add(self, agent: Agent) -> None:
        """Has an agent drive and look in every cycle. The agents of this module add themselves."""
        self._agents.append(agent)

    async def reset(self, cycles: int = 1) -> None:
        """Starts the clock, if it does not run, and resets the design for this number of cycles. The next cycle is cycle 0."""
        if self._runs is None:
            self._runs = cocotb.start_soon(Clock(self._clock, self._period_ns, "ns").start())
        for agent in self._agents:
            agent.reset()
        self._reset.value = self._level
        for _ in range(cycles + 1):
            await FallingEdge(self._clock)
        self._reset.value = 1 - self._level
        for _ in range(self._held):
            await FallingEdge(self._clock)
        self.cycle = 0

    async def step(self, cycles: int = 1) -> None:
        """Goes through this number of cycles."""
        for _ in range(cycles):
            for agent in self._agents:
                agent.drive()
            await ReadOnly()
            for agent in self._agents:
                agent.look()
            await FallingEdge(self._clock)
            self.cycle += 1


class _Stream(Agent):
    """A stream, or one for each lane of packed ports."""

    def __init__(self, bench: Bench, prefix: str, fields: Sequence[str], lanes: int, pace: Pace | None, ways: str) -> None:
        # The ports of AXI4-Stream's own names do not say their direction.
        plain = hasattr(bench.dut, f"{prefix}tvalid")

        def port(name: str, way: int) -> Any:
            return getattr(bench.dut, f"{prefix}{name}" if plain else f"{prefix}{name}_{ways[way]}")

        self.pace = pace or Pace()
        self._bench, self._prefix, self._every = bench, prefix, range(lanes)
        self._valid, self._ready = port("tvalid", 0), port("tready", 1)
        self._fields = [port(field, 0) for field in fields]
        self._names = list(fields)
        self._bits = [len(str(field.value)) // lanes for field in self._fields]
        bench.add(self)

    def bits(self, field: str) -> int:
        """The bits of a field of a lane."""
        return self._bits[self._names.index(field)]


class Source(_Stream):
    """Sends words into a stream whose ports are ``prefix`` and ``tvalid_i``, ``tready_o`` and the ``fields``, or the same names without ``_i`` and
    ``_o``; a word is a number for each field.

    With several ``lanes`` the ports are packed, and each lane has words of its own. A word that is offered stays until it is taken.

    Attributes:
        pace: the cycles in which an offer begins.
        taken: of each lane, the cycle in which each word was taken.
    """

    def __init__(
        self, bench: Bench, prefix: str = "s_axis_", fields: Sequence[str] = ("tdata", "tlast"), lanes: int = 1, pace: Pace | None = None
    ) -> None:
        super().__init__(bench, prefix, fields, lanes, pace, "io")
        self.reset()

    def send(self, words: Iterable[Sequence[int]], lane: int = 0) -> None:
        """Sends words after the words that a lane still has to send."""
        self._queues[lane].extend(words)

    @property
    def left(self) -> int:
        """Words that have still to be taken."""
        return sum(map(len, self._queues))

    def reset(self) -> None:
        self._queues: list[deque[Sequence[int]]] = [deque() for _ in self._every]
        self._offers = [False for _ in self._every]
        self.taken: list[list[int]] = [[] for _ in self._every]
        self._put()

    def drive(self) -> None:
        for lane, queue in enumerate(self._queues):
            begins = self.pace.now()
            self._offers[lane] |= begins and bool(queue)
        self._put()

    def _put(self) -> None:
        offered = [lane for lane in self._every if self._offers[lane]]
        self._valid.value = sum(1 << lane for lane in offered)
        for at, (port, bits) in enumerate(zip(self._fields, self._bits, strict=True)):
            port.value = sum(self._queues[lane][0][at] << lane * bits for lane in offered)

    def look(self) -> None:
        offered = [lane for lane in self._every if self._offers[lane]]
        for lane, ready in zip(offered, lanes(self._ready, 1, offered), strict=True):
            if ready:
                self._queues[lane].popleft()
                self._offers[lane] = False
                self.taken[lane].append(self._bench.cycle)


class Sink(_Stream):
    """Takes words from a stream whose ports are ``prefix`` and ``tvalid_o``, ``tready_i`` and the ``fields``, or from several, as ``Source``.

    ``Mismatch`` is raised if a word is offered, and then withdrawn or changed before it is taken.

    Attributes:
        pace: the cycles in which a word is taken, if there is one.
        words: of each lane, the words that were taken.
        cycles: of each lane, the cycle in which each word was taken.
        quiet: cycles since the last word was taken.
    """

    def __init__(
        self, bench: Bench, prefix: str = "m_axis_", fields: Sequence[str] = ("tdata", "tlast"), lanes: int = 1, pace: Pace | None = None
    ) -> None:
        super().__init__(bench, prefix, fields, lanes, pace, "oi")
        self.reset()

    def reset(self) -> None:
        self.words: list[list[tuple[int, ...]]] = [[] for _ in self._every]
        self.cycles: list[list[int]] = [[] for _ in self._every]
        self.quiet = 0
        self._waits: dict[int, tuple[int, ...]] = {}
        self._ready.value = 0

    def drive(self) -> None:
        self._takes = [self.pace.now() for _ in self._every]
        self._ready.value = sum(1 << lane for lane in self._every if self._takes[lane])

    def look(self) -> None:
        valid = [lane for lane, valid in enumerate(lanes(self._valid, 1, self._every)) if valid]
        columns = [lanes(port, bits, valid) for port, bits in zip(self._fields, self._bits, strict=True)]
        shown: dict[int, tuple[int, ...]] = dict(zip(valid, zip(*columns, strict=True), strict=True))
        for lane, word in self._waits.items():
            if shown.get(lane) != word:
                raise Mismatch(f"cycle {self._bench.cycle}: {self._prefix} lane {lane}: a word was offered, and then withdrawn or changed")
        taken = [lane for lane in valid if self._takes[lane]]
        for lane in taken:
            self.words[lane].append(shown.pop(lane))
            self.cycles[lane].append(self._bench.cycle)
        self._waits = shown
        self.quiet = 0 if taken else self.quiet + 1


class Registers(Agent):
    """Writes and reads registers at an AXI4-Lite port whose signals are ``prefix`` and ``awaddr``, ``awvalid``, …"""

    def __init__(self, bench: Bench, prefix: str = "s_axil_") -> None:
        self._bench, self._prefix = bench, prefix
        self.reset()
        bench.add(self)

    def _port(self, name: str) -> Any:
        return getattr(self._bench.dut, self._prefix + name)

    def reset(self) -> None:
        self._given: dict[str, dict[str, int]] = {}
        self._answer: tuple[int, int] | None = None
        for name in ("awprot", "arprot"):
            self._port(name).value = 0
        for name in ("bready", "rready"):
            self._port(name).value = 1
        self.drive()

    def drive(self) -> None:
        for channel, fields in (("aw", ("addr",)), ("w", ("data", "strb")), ("ar", ("addr",))):
            given = self._given.get(channel)
            self._port(f"{channel}valid").value = int(given is not None)
            for field in fields:
                self._port(channel + field).value = given[field] if given else 0

    def look(self) -> None:
        for channel in [channel for channel in self._given if int(self._port(f"{channel}ready").value) == 1]:
            del self._given[channel]
        for channel, data in (("b", None), ("r", "rdata")):
            if int(self._port(f"{channel}valid").value) == 1:
                self._answer = int(self._port(f"{channel}resp").value), int(self._port(data).value) if data else 0

    async def _access(self, what: str, **given: dict[str, int]) -> int:
        self._given, self._answer = given, None
        while self._answer is None:
            await self._bench.step()
        response, word = self._answer
        if response == REFUSED:
            raise Mismatch(f"the {what} was refused")
        return word

    async def write(self, address: int, word: int) -> None:
        """Writes a register.

        Raises:
            Mismatch: the write was refused.
        """
        await self._access(f"write of {word:#x} to address {address:#x}", aw={"addr": address}, w={"data": word, "strb": 15})

    async def read(self, address: int) -> int:
        """The value of a register.

        Raises:
            Mismatch: the read was refused.
        """
        return await self._access(f"read of address {address:#x}", ar={"addr": address})


class Starts(Agent):
    """Starts what a design does, as soon as it is ready.

    Attributes:
        left: how often it has still to be started.
        cycles: the cycles in which it was started.
    """

    def __init__(self, bench: Bench, start: str = "start_i", ready: str = "ready_o", pace: Pace | None = None) -> None:
        self.pace = pace or Pace()
        self._bench, self._start, self._ready = bench, getattr(bench.dut, start), getattr(bench.dut, ready)
        self.reset()
        bench.add(self)

    def reset(self) -> None:
        self.left, self.cycles = 0, list[int]()
        self._start.value = 0

    def drive(self) -> None:
        wanted = self.pace.now() and self.left > 0
        starts = wanted and int(self._ready.value) == 1
        self._start.value = int(starts)
        if starts:
            self.left -= 1
            self.cycles.append(self._bench.cycle)


class Marks(Agent):
    """Outputs that say that something happened: each cycle with a pulse counts, and of those that ``stay`` high the first one.

    Attributes:
        log: cycle and output of all that happened.
    """

    def __init__(self, bench: Bench, pulses: Sequence[str] = (), stay: Sequence[str] = ()) -> None:
        self._bench, self._names, self._stay = bench, (*stay, *pulses), stay
        self.reset()
        bench.add(self)

    def reset(self) -> None:
        self.log: list[tuple[int, str]] = []
        self._risen: set[str] = set()

    def look(self) -> None:
        for name in self._names:
            if int(getattr(self._bench.dut, name).value) == 1 and name not in self._risen:
                self.log.append((self._bench.cycle, name))
                self._risen |= {name} & set(self._stay)
