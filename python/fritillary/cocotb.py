"""Drives an emitted design under cocotb, and checks it against the model cycle by cycle.

A test module needs ten lines::

    import cocotb
    from fritillary.cocotb import Exchange

    @cocotb.test()
    async def exchanges_are_those_of_the_model(dut):
        exchange = Exchange(dut)
        await exchange.reset()
        for seed in range(2):
            await exchange.check(exchange.random(seed))

``run_tests`` writes the design, compiles it, and runs such a module. The design under test is ``D_exchange`` (docs/rtl.md), or with a
demand ``D_loaded``, whose schedule is loaded (docs/demand.md); ``Loaded`` drives that. ``Crossbar`` drives ``D_crossbar``, and ``Permutation`` a
``transpose`` or ``permute`` with any of its tops. These are made of agents (``Bench``, ``Source``, ``Sink``, ``Registers``, ``Starts``, ``Marks``), which drive other tops as well.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._agents import Bench, Marks, Mismatch, Pace, Registers, Sink, Source, Starts, lanes
from ._crossbar import Crossbar
from ._demand import Demand, given as demand_of
from ._designs import Plan, plan as make_plan
from ._environment import VARIABLE, of_environment, plan_of_environment
from ._errors import UsageError
from ._files import Generated, generate
from ._permutation import Permutation
from ._simulate import simulate
from ._words import random_words, word_bytes, word_numbers, words

__all__ = ["Bench", "Crossbar", "Exchange", "Loaded", "Marks", "Mismatch", "Pace", "Permutation", "Registers", "Sink", "Source", "Starts", "run_tests"]


class Exchange:
    """A design ``D_exchange`` with a clock.

    Outputs are read, and inputs change, at the falling edge: in the middle of a cycle. Cycle 0 is the cycle after ``start_i``.

    Attributes:
        plan: the plan of the design.
        width: bits of a word, as the ports have them.
        cycles: the clock cycles that the last exchange took, as ``cycles_o`` says.
        log: of the last exchange, each arrival: cycle, terminal, source, word.
    """

    def __init__(self, dut: Any, plan: Plan | None = None, *, period_ns: int = 10) -> None:
        """Takes the design.

        Args:
            dut: cocotb's handle of ``D_exchange``.
            plan: its plan; by default the plan of ``run_tests``.
            period_ns: the period of the clock, in nanoseconds.

        Raises:
            UsageError: no plan, or a plan that does not fit the ports.
        """
        self.dut = dut
        self.plan = plan_of_environment("Exchange") if plan is None else plan
        self.lanes = self.plan.lanes
        self.terminals = self.plan.network.terminals
        if len(dut.send_valid_o) != self.lanes:
            raise UsageError(f"{dut._name} has {len(dut.send_valid_o)} lanes, but {self.plan.name} has {self.lanes}; give its plan")
        self.width = len(dut.send_data_i) // self.lanes
        self.address_bits = len(dut.send_dest_o) // self.lanes
        self.cycles = 0
        self.log: list[tuple[int, int, int, int]] = []
        self._bench = Bench(dut, period_ns=period_ns)
        self._starts = Starts(self._bench)

    async def reset(self) -> None:
        """Starts the clock, and resets the design for as many cycles as its registers need to fill with zeros."""
        self.dut.send_data_i.value = 0
        await self._bench.reset(self.plan.cycles - self.plan.rounds + 3)
        await self._bench.step()

    def random(self, seed: int = 1) -> NDArray[Any]:
        """Random words of the width of the ports, of shape [n, n] (row = source): unsigned numbers, or bytes of wide words."""
        return random_words((self.plan.n, self.plan.n), self.width, seed)

    async def exchange(self, payload: ArrayLike) -> NDArray[Any]:
        """Runs one exchange.

        Args:
            payload: the words, of shape [n, n] (row = source), as ``simulate`` takes them.

        Returns:
            What the terminals received, of the same shape and dtype, row = receiver; zero where nothing arrived.

        Raises:
            Mismatch: ``done_o`` does not come in time.
        """
        sent = words(payload, (self.plan.n, self.plan.n), self.width)
        size, n, dut = sent.size, self.plan.n, self.dut
        matrix = [int.from_bytes(bytes(word), "little") for word in sent.bytes.reshape(-1, size)]
        received = np.zeros((n * n, size), dtype=np.uint8)
        lanes_each = self.lanes // self.terminals
        self.log = []
        self._starts.left = 1
        while self._starts.left:
            await self._bench.step()
        for cycle in range(self.plan.cycles + 1):
            for lane, source, word in self._arrivals():
                terminal = lane // lanes_each
                self.log.append((cycle, terminal, source, word))
                if terminal < n and source < n:
                    received[terminal * n + source] = np.frombuffer(word.to_bytes(size, "little"), dtype=np.uint8)
            if int(dut.done_o.value) == 1:
                self.cycles = int(dut.cycles_o.value)
                break
            dut.send_data_i.value = sum(
                matrix[lane // lanes_each * n + to] << lane * self.width for lane, to in self._asked() if max(lane // lanes_each, to) < n
            )
            await self._bench.step()
        else:
            raise Mismatch(f"done_o is low in cycle {self.plan.cycles}, the cycle of the last delivery")
        await self._bench.step()
        return sent.back(received.reshape(-1), (n, n))

    async def check(self, payload: ArrayLike) -> NDArray[Any]:
        """Runs one exchange, and compares every arrival, the cycles and the words received with the model.

        Args:
            payload: the words, as for ``exchange``.

        Returns:
            What the terminals received.

        Raises:
            Mismatch: the first difference.
        """
        model = simulate(self.plan, payload, width=self.width, deliveries=True)
        received = await self.exchange(payload)
        assert model.deliveries is not None and model.received is not None
        told = model.deliveries
        payloads = words(told.payload, told.payload.shape, self.width)
        numbers = [int.from_bytes(bytes(word), "little") for word in payloads.bytes.reshape(-1, payloads.size)]
        expected = sorted(zip(told.cycle.tolist(), told.output.tolist(), told.source.tolist(), numbers, strict=True))
        for want, got in zip(expected, sorted(self.log)):
            if want != got:
                raise Mismatch(f"the model has {_arrival(want)}, and the design {_arrival(got)}")
        if len(expected) != len(self.log):
            raise Mismatch(f"{len(self.log)} words arrived, expected {len(expected)}")
        if self.cycles != self.plan.cycles:
            raise Mismatch(f"cycles_o is {self.cycles}, expected {self.plan.cycles}")
        if received.tobytes() != model.received.tobytes():
            raise Mismatch("the words received differ from the words of the model")
        return received

    def _asked(self) -> list[tuple[int, int]]:
        """The lanes that take a word in this cycle, and the destination of each."""
        return self._valid(self.dut.send_valid_o, self.dut.send_dest_o)

    def _arrivals(self) -> list[tuple[int, int, int]]:
        """The lanes with an arrival in this cycle, the source of each and its word."""
        arrived = self._valid(self.dut.recv_valid_o, self.dut.recv_source_o)
        if not arrived:
            return []
        data = int(self.dut.recv_data_o.value)
        mask = (1 << self.width) - 1
        return [(lane, source, data >> lane * self.width & mask) for lane, source in arrived]

    def _valid(self, valid: Any, numbers: Any) -> list[tuple[int, int]]:
        lanes = int(valid.value)
        if lanes == 0:
            return []
        packed, mask = int(numbers.value), (1 << self.address_bits) - 1
        return [(lane, packed >> lane * self.address_bits & mask) for lane in range(self.lanes) if lanes >> lane & 1]


def _arrival(arrival: tuple[int, int, int, int]) -> str:
    cycle, terminal, source, word = arrival
    return f"in cycle {cycle} at terminal {terminal} the word {word:#x} of source {source}"


#: Kinds of events, in the order of ``_native.loaded``.
KINDS = ("start", "error_load_o", "error_start_o", "error_stray_o", "done_o", "word")
#: Of 256 cycles those in which a word of a program is offered, and in which an exchange starts: without pauses, and with them.
STEADY, PAUSES = (256, 256), (120, 24)

#: An event at the ports: cycle, kind, terminal, source, word (0 where a kind has none).
Event = tuple[int, str, int, int, int]


class Loaded:
    """A design ``D_loaded`` with a clock: a Beneš network whose next schedule is loaded while the last one runs (docs/demand.md).

    Outputs are read, and inputs change, at the falling edge: in the middle of a cycle. Cycle 0 is the first one after a reset.

    Attributes:
        n: number of terminals.
        width: bits of a word, as the ports have them.
        entries: entries of a bank.
        log: of the last check, each event: cycle, kind, terminal, source, word.
    """

    def __init__(self, dut: Any, entries: int | None = None, *, period_ns: int = 10) -> None:
        """Takes the design.

        Args:
            dut: cocotb's handle of ``D_loaded``.
            entries: entries of a bank; without a number, the entries of ``run_tests``.
            period_ns: the period of the clock, in nanoseconds.

        Raises:
            UsageError: no number of entries.
        """
        self.dut = dut
        self.n = len(dut.send_valid_i)
        self.width = len(dut.send_data_i) // self.n
        self.entries = int(of_environment("Loaded its entries")[3] if entries is None else entries)
        self.log: list[Event] = []
        self._bench = Bench(dut, period_ns=period_ns)
        self._programs, self._starts = Source(self._bench), Starts(self._bench)
        self._marks = Marks(self._bench, ["done_o"], stay=KINDS[1:4])

    async def reset(self) -> None:
        """Starts the clock, and resets the design for one cycle; every check begins with this."""
        self.dut.send_valid_i.value = self.dut.send_data_i.value = 0
        await self._bench.reset()

    async def check(
        self, demands: Sequence[Demand | ArrayLike], payloads: Sequence[ArrayLike] | None = None, *, pauses: bool = False
    ) -> list[NDArray[Any]]:
        """Plans demands, loads each program while the exchange before it runs, and compares all that is seen with the model.

        Compared are the cycle of every start, end, error and word, and where, from whom and which word arrives.

        Args:
            demands: words of each pair, of shape [n, n] (row = source), or each a ``Demand``.
            payloads: of each demand its words, of one dimension, in the order of sources, then of destinations; random without them.
            pauses: the sender of the programs pauses, and so does who starts the exchanges.

        Returns:
            Of each demand what was received, in the order of receivers, then of sources.

        Raises:
            UsageError: a demand that the network cannot have, or a payload that is not its words.
            Mismatch: the first difference.
        """
        planned = [demand_of(one) for one in demands]
        for one in planned:
            if one.n != self.n:
                raise UsageError(f"the demand has {one.n} terminals, but the design has {self.n}; give a demand of {self.n} terminals")
        offering, starting = PAUSES if pauses else STEADY
        programs, cycles, seen = _native.loaded([one._native for one in planned], self.entries, offering, starting)
        counts = [one.words.astype(np.int64) for one in planned]
        if payloads is None:
            payloads = [random_words((int(count.sum()),), self.width, 1 + at) for at, count in enumerate(counts)]
        sent = [words(payload, (int(count.sum()),), self.width) for payload, count in zip(payloads, counts, strict=True)]
        exchanges = [_queues(word_numbers(one.bytes, one.size), count) for one, count in zip(sent, counts, strict=True)]
        due = {pair: deque(word for queues in exchanges for word in queues.get(pair, ())) for pair in np.ndindex(self.n, self.n)}
        columns = (seen[name].tolist() for name in ("cycle", "what", "terminal", "source"))
        expected: list[Event] = [
            (cycle, KINDS[what], terminal, source, due[source, terminal].popleft() if KINDS[what] == "word" else 0)
            for cycle, what, terminal, source in zip(*columns, strict=True)
        ]
        beats = [(int(word), int(at + 1 == len(program))) for program in programs for at, word in enumerate(program)]
        await self.reset()
        self._programs.pace, self._starts.pace = Pace(offering), Pace(starting, byte=1)
        self._programs.send(beats)
        self._starts.left = len(exchanges)
        await self._run(exchanges, cycles)
        for want, got in zip_longest(sorted(expected), sorted(self.log)):
            if want != got:
                raise Mismatch(f"the model has {_event(want)}, and the design {_event(got)}")
        found = _received(self.log, counts)
        return [one.back(word_bytes(numbers, one.size), (-1,)) for one, numbers in zip(sent, found, strict=True)]

    async def _run(self, exchanges: list[dict[tuple[int, int], deque[int]]], cycles: int) -> None:
        """So many cycles: the terminals give the words that the rounds ask for."""
        dut, current, bits, words = self.dut, 0, len(self.dut.send_dest_o) // self.n, list[Event]()
        asked: list[int] = []
        ends = False
        left = [{pair: deque(queue) for pair, queue in queues.items()} for queues in exchanges]
        for cycle in range(cycles):
            arrived = [terminal for terminal, valid in enumerate(lanes(dut.recv_valid_o, 1, range(self.n))) if valid]
            sources, data = lanes(dut.recv_source_o, bits, arrived), lanes(dut.recv_data_o, self.width, arrived)
            words += [(cycle, "word", *arrival) for arrival in zip(arrived, sources, data, strict=True)]
            given = [left[current][source, to].popleft() if left[current].get((source, to)) else None for source, to in enumerate(asked)]
            dut.send_valid_i.value = sum(1 << source for source, word in enumerate(given) if word is not None)
            dut.send_data_i.value = sum(word << source * self.width for source, word in enumerate(given) if word is not None)
            current += ends
            asked = lanes(dut.send_dest_o, bits, range(self.n)) if int(dut.send_ready_o.value) == 1 else []
            ends = bool(asked) and int(dut.send_last_o.value) == 1
            await self._bench.step()
        said = [*self._marks.log, *((cycle, "start") for cycle in self._starts.cycles)]
        self.log = [*words, *((cycle, kind, 0, 0, 0) for cycle, kind in said)]


def _queues(numbers: list[int], counts: NDArray[np.int64]) -> dict[tuple[int, int], deque[int]]:
    """The words of each pair that has some, in their order."""
    rest = iter(numbers)
    return {(int(s), int(d)): deque(next(rest) for _ in range(counts[s, d])) for s, d in zip(*np.nonzero(counts), strict=True)}


def _received(log: list[Event], counts: list[NDArray[np.int64]]) -> list[list[int]]:
    """The words of each exchange in the order of receivers, then of sources. Those of a pair arrive in the order of the exchanges."""
    arrived: dict[tuple[int, int], deque[int]] = {}
    for _, kind, terminal, source, word in sorted(log):
        if kind == "word":
            arrived.setdefault((terminal, source), deque()).append(word)
    pairs = [(count.T, zip(*np.nonzero(count.T), strict=True)) for count in counts]
    return [[arrived[int(r), int(s)].popleft() for r, s in places for _ in range(count[r, s])] for count, places in pairs]


def _event(event: Event | None) -> str:
    if event is None:
        return "nothing more"
    cycle, kind, terminal, source, word = event
    return _arrival((cycle, terminal, source, word)) if kind == "word" else f"{kind} in cycle {cycle}"


def run_tests(
    system: str,
    n: int,
    width: int,
    module: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    sim: str = "icarus",
    seed: int = 1,
    options: Mapping[str, Any] | None = None,
    demand: Demand | ArrayLike | str | os.PathLike[str] | None = None,
    entries: int | None = None,
    crossbar: bool = False,
    port_style: str | None = None,
    axil: bool = False,
    reset: str | None = None,
    reset_level: str | None = None,
    changed: Any = None,
) -> tuple[int, int]:
    """Writes a design, compiles it, and runs a module of cocotb tests on it.

    Args:
        system: the key of a planned system, ``transpose`` or ``permute``.
        n: number of terminals.
        width: bits of a word.
        module: the path of the module with the tests.
        folder: where the design and the files of the simulator are.
        sim: ``icarus`` or ``verilator``, which must be on PATH.
        seed: of the tests' random choices.
        options: the options of the system; words and numbers only.
        demand: for ``benes``: the design is ``D_loaded``, made for this demand, in place of ``D_exchange``.
        entries: with a demand: entries of a bank.
        crossbar: for ``benes``: the design is ``D_crossbar``.
        port_style, axil, reset, reset_level: for ``transpose`` and ``permute``: the top, as ``frit generate`` takes these options.
        changed: called with what was written before it is compiled, for a test of the tests.

    Returns:
        Number of tests, and of those that failed.

    Raises:
        UsageError: ``plan`` or ``generate`` refuses the input.
    """
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import get_runner

    module, folder = Path(module).resolve(), Path(folder).resolve()
    flags: dict[str, Any] = {"demand": demand, "entries": entries, "crossbar": crossbar}
    flags |= {"port_style": port_style, "axil": axil, "reset": reset, "reset_level": reset_level}
    plan = make_plan(system, n, **(options or {}))
    made: Generated = generate(plan, width, folder / "rtl", **flags)
    if changed is not None:
        changed(made)
    top = made.report["top"]
    own_list = crossbar or demand is not None
    listed = (made.folder / f"{top if own_list else made.design}.f").read_text().splitlines()
    sources = [made.folder / file for file in listed if file and not file.startswith("//")]
    fast = ["--timescale", "1ns/1ps", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"]
    runner = get_runner(sim)
    runner.build(
        sources=sources,
        hdl_toplevel=top,
        build_dir=folder / sim,
        build_args=fast if sim == "verilator" else ["-g2012"],
        timescale=("1ns", "1ps"),
        always=True,
    )
    results = folder / sim / "results.xml"
    results.unlink(missing_ok=True)
    try:
        runner.test(
            hdl_toplevel=top,
            test_module=module.stem,
            test_dir=module.parent,
            seed=seed,
            build_dir=folder / sim,
            results_xml=str(results),
            extra_env={VARIABLE: json.dumps([system, n, dict(options or {}), made.report.get("entries")])},
        )
    except SystemExit:
        # Under pytest, cocotb ends the process where a test failed. The results say which.
        if not results.exists():
            raise
    tests, failed = get_results(results)
    return tests, failed
