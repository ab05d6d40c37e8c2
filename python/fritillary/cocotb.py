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

``run_tests`` writes the design, compiles it, and runs such a module. The design under test is ``D_exchange`` (docs/rtl.md).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from ._designs import Plan, plan as make_plan
from ._errors import UsageError
from ._files import Generated, generate
from ._simulate import simulate
from ._words import words

#: The arguments of the design that ``run_tests`` compiled, as JSON, for ``Exchange``.
VARIABLE = "FRITILLARY_DESIGN"


class Mismatch(AssertionError):
    """The design differs from the model; the text says in which cycle and where."""


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
            plan: its plan; without one, that of ``run_tests``.
            period_ns: the period of the clock, in nanoseconds.

        Raises:
            UsageError: no plan, or one that is not that of the ports.
        """
        self.dut = dut
        self.plan = _plan_of_environment() if plan is None else plan
        self.lanes = self.plan.lanes
        self.terminals = self.plan.network.terminals
        if len(dut.send_valid_o) != self.lanes:
            raise UsageError(f"{dut._name} has {len(dut.send_valid_o)} lanes, but {self.plan.name} has {self.lanes}; give its plan")
        self.width = len(dut.send_data_i) // self.lanes
        self.address_bits = len(dut.send_dest_o) // self.lanes
        self.cycles = 0
        self.log: list[tuple[int, int, int, int]] = []
        self._period_ns = period_ns

    async def reset(self) -> None:
        """Starts the clock, and resets the design for as many cycles as its registers need to fill with zeros."""
        self.dut.rst_i.value = 1
        self.dut.start_i.value = 0
        self.dut.send_data_i.value = 0
        cocotb.start_soon(Clock(self.dut.clk_i, self._period_ns, "ns").start())
        for _ in range(self.plan.cycles - self.plan.rounds + 4):
            await FallingEdge(self.dut.clk_i)
        self.dut.rst_i.value = 0
        await FallingEdge(self.dut.clk_i)

    def random(self, seed: int = 1) -> NDArray[Any]:
        """Random words of the width of the ports, of shape [n, n] (row = source): unsigned numbers, or bytes of wide words."""
        size = next((size for size in (1, 2, 4, 8) if 8 * size >= self.width), 8 * ((self.width + 63) // 64))
        bits = np.random.default_rng(seed).integers(0, 2, (self.plan.n, self.plan.n, 8 * size), dtype=np.uint8)
        bits[..., self.width :] = 0
        packed = np.packbits(bits, axis=-1, bitorder="little")
        return packed.view(f"<u{size}" if size <= 8 else f"V{size}")[..., 0]

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
        while int(dut.ready_o.value) == 0:
            await FallingEdge(dut.clk_i)
        dut.start_i.value = 1
        await FallingEdge(dut.clk_i)
        dut.start_i.value = 0
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
            await FallingEdge(dut.clk_i)
        else:
            raise Mismatch(f"done_o is low in cycle {self.plan.cycles}, the cycle of the last delivery")
        await FallingEdge(dut.clk_i)
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
            raise Mismatch("the words received are not those of the model")
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


def _plan_of_environment() -> Plan:
    given = os.environ.get(VARIABLE)
    if given is None:
        raise UsageError(f"which design? Give Exchange its plan, or run the tests by run_tests, which sets {VARIABLE}")
    system, n, options = json.loads(given)
    made: Plan = make_plan(system, n, **options)
    return made


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
    changed: Any = None,
) -> tuple[int, int]:
    """Writes a design, compiles it, and runs a module of cocotb tests on it.

    Args:
        system: the key of a planned system.
        n: number of terminals.
        width: bits of a word.
        module: the path of the module with the tests.
        folder: where the design and the files of the simulator are.
        sim: ``icarus`` or ``verilator``, which must be on PATH.
        seed: of the tests' random choices.
        options: the options of the system; words and numbers only.
        changed: called with what was written before it is compiled, for a test of the tests.

    Returns:
        Number of tests, and of those that failed.

    Raises:
        UsageError: ``plan`` or ``generate`` refuses the input.
    """
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import get_runner

    module, folder = Path(module).resolve(), Path(folder).resolve()
    made: Generated = generate(make_plan(system, n, **(options or {})), width, folder / "rtl")
    if changed is not None:
        changed(made)
    listed = (made.folder / f"{made.design}.f").read_text().splitlines()
    sources = [made.folder / file for file in listed if file and not file.startswith("//")]
    fast = ["--timescale", "1ns/1ps", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"]
    runner = get_runner(sim)
    runner.build(
        sources=sources,
        hdl_toplevel=f"{made.design}_exchange",
        build_dir=folder / sim,
        build_args=fast if sim == "verilator" else ["-g2012"],
        timescale=("1ns", "1ps"),
        always=True,
    )
    results = folder / sim / "results.xml"
    results.unlink(missing_ok=True)
    try:
        runner.test(
            hdl_toplevel=f"{made.design}_exchange",
            test_module=module.stem,
            test_dir=module.parent,
            seed=seed,
            build_dir=folder / sim,
            results_xml=str(results),
            extra_env={VARIABLE: json.dumps([system, n, dict(options or {})])},
        )
    except SystemExit:
        # Under pytest, cocotb ends the process where a test failed. The results say which.
        if not results.exists():
            raise
    tests, failed = get_results(results)
    return tests, failed
