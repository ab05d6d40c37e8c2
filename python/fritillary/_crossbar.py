"""Drives an emitted crossbar under cocotb: sources through its registers, words through its streams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._agents import Bench, Mismatch, Pace, Registers, Sink, Source
from ._words import random_words, word_bytes, word_numbers, words

#: The register that says whether the settings lead each source to its output, and the one that says that a commit is under way.
STATUS, CONTROL, COMMIT = 0x4, 0x0, 2
#: Of 256 cycles those in which a word is offered and taken, with pauses.
PAUSES = 100
#: Cycles without a word after which one is missing, or none will come: a queue, and the way through the network.
QUIET = 200


class Crossbar:
    """A design ``D_crossbar`` with a clock: each output receives the words of one input (docs/crossbar.md).

    Outputs are read, and inputs change, at the falling edge: in the middle of a cycle.

    Attributes:
        n: number of inputs and of outputs.
        width: bits of a word.
    """

    def __init__(self, dut: Any, *, period_ns: int = 10) -> None:
        """Takes the design.

        Args:
            dut: cocotb's handle of ``D_crossbar``.
            period_ns: the period of the clock, in nanoseconds.
        """
        self.n = len(dut.s_axis_tvalid_i)
        self.width = len(dut.s_axis_tdata_i) // self.n
        self._bench = Bench(dut, period_ns=period_ns)
        self._registers = Registers(self._bench)
        self._source, self._sink = Source(self._bench, lanes=self.n), Sink(self._bench, lanes=self.n, pace=Pace(0))

    async def reset(self) -> None:
        """Starts the clock, and resets the design for one cycle. Afterwards every output is off."""
        await self._bench.reset()

    async def write(self, address: int, word: int) -> None:
        """Writes a register.

        Raises:
            Mismatch: the write was refused.
        """
        await self._registers.write(address, word)

    async def read(self, address: int) -> int:
        """The value of a register.

        Raises:
            Mismatch: the read was refused.
        """
        return await self._registers.read(address)

    async def connect(self, sources: ArrayLike | Sequence[int | None]) -> None:
        """Writes sources and the settings that lead to them, commits, and waits for the end of the commit.

        Args:
            sources: the input of each output; None or -1 switches an output off. If two outputs have one source, the higher one is off.

        Raises:
            UsageError: a source that does not exist, or another number of sources than of outputs.
            Mismatch: a write was refused, or the settings do not lead each source to its output.
        """
        for address, word in zip(*_native.crossbar(self.n, _given(sources)), strict=True):
            await self.write(int(address), int(word))
        while await self.read(CONTROL) & COMMIT:
            pass
        if await self.read(STATUS):
            raise Mismatch("the settings do not lead each source to its output")

    async def check(
        self, sources: ArrayLike | Sequence[int | None], payload: ArrayLike | int = 16, *, pauses: bool = False
    ) -> NDArray[Any]:
        """Connects sources, sends words into all inputs, and compares what each output offers with the words of its source.

        Args:
            sources: as for ``connect``.
            payload: the words of each input, of shape [n, words]; or how many random ones.
            pauses: inputs and outputs pause.

        Returns:
            The words of each output, of shape [n, words]; zeros where the output is off.

        Raises:
            UsageError: as ``connect``, or a payload that is not words of the inputs.
            Mismatch: the first difference.
        """
        payload = random_words((self.n, payload), self.width, 1) if isinstance(payload, int) else np.asarray(payload)
        sent = words(payload, (self.n, payload.shape[-1]), self.width)
        count, numbers = payload.shape[-1], word_numbers(sent.bytes, sent.size)
        queues = [numbers[at * count : (at + 1) * count] for at in range(self.n)]
        await self.connect(sources)
        own = _lower_wins(_given(sources))
        received = await self._run(queues, pauses)
        for output, (source, got) in enumerate(zip(own, received, strict=True)):
            want = [(word, int(at + 1 == count)) for at, word in enumerate(queues[source])] if source >= 0 else []
            if got != want:
                at = next((at for at, pair in enumerate(zip(got, want)) if pair[0] != pair[1]), min(len(got), len(want)))
                raise Mismatch(f"output {output} differs in word {at} of input {source}: {got[at : at + 1]}, expected {want[at : at + 1]}")
        found = [word for got in received for word in ([word for word, _ in got] or [0] * count)]
        return sent.back(word_bytes(found, sent.size), (self.n, count))

    async def _run(self, queues: list[list[int]], pauses: bool) -> list[list[tuple[int, ...]]]:
        """Sends the words of all inputs and waits until no more come: of each output the words, each with its tlast."""
        source, sink, rate = self._source, self._sink, PAUSES if pauses else 256
        source.pace, sink.pace = Pace(rate), Pace(rate, byte=1)
        sink.words, sink.quiet = [[] for _ in queues], 0
        for lane, queue in enumerate(queues):
            source.send([(word, int(at + 1 == len(queue))) for at, word in enumerate(queue)], lane)
        while sink.quiet < QUIET * (8 if pauses else 1):
            await self._bench.step()
        # Inputs that lead nowhere have words left.
        source.reset()
        sink.pace = Pace(0)
        return sink.words


def _given(sources: ArrayLike | Sequence[int | None]) -> list[int]:
    """Sources as numbers, -1 for off."""
    return [-1 if source is None else int(source) for source in np.asarray(sources, dtype=object).reshape(-1)]


def _lower_wins(sources: list[int]) -> list[int]:
    """If two outputs have one source, the higher one is off."""
    return [-1 if source in sources[:at] else source for at, source in enumerate(sources)]
