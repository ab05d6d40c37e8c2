"""Drives an emitted streamed permutation (``transpose``, ``permute``) under cocotb: data sets in, data sets in another order out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._agents import Bench, Mismatch, Pace, Sink, Source
from ._designs import StreamPlan
from ._environment import plan_of_environment
from ._errors import UsageError
from ._words import random_words, word_bytes, word_numbers, words

#: The names of a clock, and of a reset with the level at which it resets.
CLOCKS = ("clk_i", "aclk")
RESETS = {"rst_i": 1, "rst_ni": 0, "arst_i": 1, "arst_ni": 0, "areset": 1, "aresetn": 0}
#: Cycles for which registers hold a reset that may come and go at any time.
HELD = 4
#: Of 256 cycles those in which a beat is offered and taken, with pauses.
PAUSES = 100
#: Cycles without a beat after which one is missing, or none will come.
QUIET = 100


class Permutation:
    """A top of a streamed permutation with a clock: ``D_permute``, or a top around it with other ports, another reset, or registers.

    Outputs are read, and inputs change, at the falling edge: in the middle of a cycle.

    Attributes:
        plan: the plan of the design.
        width: bits of a word.
    """

    def __init__(self, dut: Any, plan: StreamPlan | None = None, *, period_ns: int = 10) -> None:
        """Takes the design.

        Args:
            dut: cocotb's handle of the top.
            plan: its plan; without one, that of ``run_tests``.
            period_ns: the period of the clock, in nanoseconds.

        Raises:
            UsageError: no plan, or one that is not that of the ports.
        """
        self.dut, self.plan = dut, plan_of_environment("Permutation") if plan is None else plan
        clock = next(name for name in CLOCKS if hasattr(dut, name))
        reset = next(name for name in RESETS if hasattr(dut, name))
        self._bench = Bench(dut, clock=clock, reset=reset, level=RESETS[reset], held=HELD, period_ns=period_ns)
        self._source, self._sink = Source(self._bench), Sink(self._bench, pace=Pace(0))
        bits = self._source.bits("tdata")
        self.width = bits // self.plan.lanes
        if bits != self.width * self.plan.lanes:
            raise UsageError(f"{dut._name} has beats of {bits} bits, but {self.plan.name} has {self.plan.lanes} lanes; give its plan")
        self._error = dut.error_o if hasattr(dut, "error_o") else dut.error

    async def reset(self) -> None:
        """Starts the clock, and resets the design; every check begins with this. Sizes that are loaded are the largest."""
        for name in ("s_axis_tkeep", "s_axis_tuser"):
            for port in (name, f"{name}_i"):
                if hasattr(self.dut, port):
                    getattr(self.dut, port).value = 0
        for at, name in enumerate(("rows", "columns")):
            for port in (name, f"{name}_i"):
                if hasattr(self.dut, port) and self.plan.matrix is not None:
                    getattr(self.dut, port).value = self.plan.matrix[at] // self.plan.lanes
        for name in ("awvalid", "wvalid", "bready", "arvalid", "rready"):
            if hasattr(self.dut, f"s_axil_{name}"):
                getattr(self.dut, f"s_axil_{name}").value = 0
        await self._bench.reset()
        # Of sizes that are loaded the first cycle takes the first one.
        await self._bench.step()

    async def check(self, payload: ArrayLike | int = 2, *, pauses: bool = False) -> NDArray[Any]:
        """Sends data sets, and compares what leaves with the order of the plan: words, tlast, and without pauses the cycle of each beat.

        Args:
            payload: the words of data sets, of shape [sets, words]; or how many random data sets.
            pauses: the sender and the receiver pause.

        Returns:
            The words in the order in which they leave, of shape [sets, words].

        Raises:
            UsageError: a payload that is not data sets of the plan.
            Mismatch: the first difference.
        """
        plan = self.plan
        payload = random_words((payload, plan.words), self.width, 1) if isinstance(payload, int) else np.asarray(payload)
        if payload.ndim < 2 or payload.shape[1] != plan.words:
            raise UsageError(f"payload has the shape {payload.shape}, but {plan.name} has data sets of {plan.words} words; give [sets, words]")
        sets, each = payload.shape[0], plan.lanes
        sent = words(payload, (sets, plan.words), self.width)
        numbers = word_numbers(sent.bytes, sent.size)
        left = (np.arange(sets)[:, None] * plan.words + plan.sources()[None, :]).reshape(-1)
        want = self._beats([numbers[at] for at in left])
        await self.reset()
        begun = self._bench.cycle
        self._source.pace, self._sink.pace = (Pace(PAUSES), Pace(PAUSES, byte=1)) if pauses else (Pace(), Pace())
        self._source.send(self._beats(numbers))
        waits = QUIET + 2 * (plan.latency + plan.cycles)
        while len(self._sink.words[0]) < len(want) and self._sink.quiet < waits:
            await self._bench.step()
        self._sink.quiet = 0
        await self._bench.step(QUIET)
        got = self._sink.words[0]
        for at, (word, due) in enumerate(zip(got, want)):
            if word != due:
                raise Mismatch(f"beat {at}: {word[0]:#x}, tlast {word[1]}; the model has {due[0]:#x}, tlast {due[1]}")
        if len(got) != len(want):
            raise Mismatch(f"{len(got)} beats left, and the model has {len(want)}")
        if int(self._error.value) != 0:
            raise Mismatch("error is high, but every tlast was in its place")
        if not pauses and plan.options.get("dims") != "runtime":
            first = self._source.taken[0][0]
            due_at = [first + plan.latency + at for at in range(len(want))]
            if self._sink.cycles[0] != due_at:
                at = next(at for at, pair in enumerate(zip(self._sink.cycles[0], due_at)) if pair[0] != pair[1])
                raise Mismatch(f"beat {at} left in cycle {self._sink.cycles[0][at] - begun}, and the model has cycle {due_at[at] - begun}")
        mask = (1 << self.width) - 1
        found = [beat >> lane * self.width & mask for beat, _ in got for lane in range(each)]
        return sent.back(word_bytes(found, sent.size), (sets, plan.words))

    def _beats(self, numbers: list[int]) -> list[tuple[int, int]]:
        """The beats of words, each with its tlast."""
        each, cycles = self.plan.lanes, self.plan.cycles
        beats = [numbers[at : at + each] for at in range(0, len(numbers), each)]
        packed = (sum(word << lane * self.width for lane, word in enumerate(beat)) for beat in beats)
        return [(word, int((at + 1) % cycles == 0)) for at, word in enumerate(packed)]
