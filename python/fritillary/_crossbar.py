"""Drives an emitted crossbar under cocotb: sources through its registers, words through its streams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from . import _native
from ._bench import Mismatch, drawn, lanes, random_words, word_bytes, word_numbers
from ._words import words

#: The register that says whether the settings lead each source to its output, and the one that says that a commit is under way.
STATUS, CONTROL, COMMIT = 0x4, 0x0, 2
#: The response to an access that changes nothing.
REFUSED = 2
#: Of 256 cycles those in which a word is offered and taken, with pauses.
PAUSES = 100
#: Cycles without a word after which one is missing, or none will come: a queue, and the way through the network.
QUIET = 200
#: The inputs of the port.
INPUTS = ("awaddr", "awprot", "awvalid", "wdata", "wstrb", "wvalid", "bready", "araddr", "arprot", "arvalid", "rready")


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
        self.dut = dut
        self.n = len(dut.s_axis_tvalid_i)
        self.width = len(dut.s_axis_tdata_i) // self.n
        self._period_ns = period_ns
        self._clock: Any = None

    async def reset(self) -> None:
        """Starts the clock, and resets the design for one cycle. Afterwards every output is off."""
        dut = self.dut
        if self._clock is None:
            self._clock = cocotb.start_soon(Clock(dut.clk_i, self._period_ns, "ns").start())
        for name in INPUTS:
            getattr(dut, f"s_axil_{name}").value = 0
        for name in ("s_axis_tvalid_i", "s_axis_tdata_i", "s_axis_tlast_i", "m_axis_tready_i"):
            getattr(dut, name).value = 0
        dut.s_axil_bready.value = dut.s_axil_rready.value = 1
        dut.rst_i.value = 1
        await FallingEdge(dut.clk_i)
        await FallingEdge(dut.clk_i)
        dut.rst_i.value = 0

    async def write(self, address: int, word: int) -> None:
        """Writes a register.

        Raises:
            Mismatch: the write was refused.
        """
        dut = self.dut
        dut.s_axil_awaddr.value, dut.s_axil_wdata.value, dut.s_axil_wstrb.value = address, word, 15
        dut.s_axil_awvalid.value = dut.s_axil_wvalid.value = 1
        await self._until(dut.s_axil_awready)
        await FallingEdge(dut.clk_i)
        dut.s_axil_awvalid.value = dut.s_axil_wvalid.value = 0
        await self._until(dut.s_axil_bvalid)
        response = int(dut.s_axil_bresp.value)
        await FallingEdge(dut.clk_i)
        if response == REFUSED:
            raise Mismatch(f"the write of {word:#x} to address {address:#x} was refused")

    async def read(self, address: int) -> int:
        """The value of a register.

        Raises:
            Mismatch: the read was refused.
        """
        dut = self.dut
        dut.s_axil_araddr.value, dut.s_axil_arvalid.value = address, 1
        await self._until(dut.s_axil_arready)
        await FallingEdge(dut.clk_i)
        dut.s_axil_arvalid.value = 0
        await self._until(dut.s_axil_rvalid)
        response, word = int(dut.s_axil_rresp.value), int(dut.s_axil_rdata.value)
        await FallingEdge(dut.clk_i)
        if response == REFUSED:
            raise Mismatch(f"the read of address {address:#x} was refused")
        return word

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
        received = await self._run(queues, sum(count for source in own if source >= 0), pauses)
        for output, (source, got) in enumerate(zip(own, received, strict=True)):
            want = [(word, int(at + 1 == count)) for at, word in enumerate(queues[source])] if source >= 0 else []
            if got != want:
                at = next((at for at, pair in enumerate(zip(got, want)) if pair[0] != pair[1]), min(len(got), len(want)))
                raise Mismatch(f"output {output} differs in word {at} of input {source}: {got[at : at + 1]}, expected {want[at : at + 1]}")
        found = [word for got in received for word in ([word for word, _ in got] or [0] * count)]
        return sent.back(word_bytes(found, sent.size), (self.n, count))

    async def _run(self, queues: list[list[int]], due: int, pauses: bool) -> list[list[tuple[int, int]]]:
        """Sends the words of all inputs until as many as are due have come, and waits for more: each with its tlast."""
        dut, every, width = self.dut, range(self.n), self.width
        taken, offers, state, quiet = [0] * self.n, [False] * self.n, 0x6C078965, 0
        received: list[list[tuple[int, int]]] = [[] for _ in every]
        limit = QUIET * (8 if pauses else 1)
        while quiet < limit:
            ready, valid = lanes(dut.s_axis_tready_o, 1, every), lanes(dut.m_axis_tvalid_o, 1, every)
            takes = []
            for lane in every:
                state = drawn(state)
                offers[lane] |= taken[lane] < len(queues[lane]) and (not pauses or state & 0xFF < PAUSES)
                takes.append(not pauses or state >> 8 & 0xFF < PAUSES)
            offered = [lane for lane in every if offers[lane]]
            dut.s_axis_tvalid_i.value = sum(1 << lane for lane in offered)
            dut.s_axis_tdata_i.value = sum(queues[lane][taken[lane]] << lane * width for lane in offered)
            dut.s_axis_tlast_i.value = sum(1 << lane for lane in offered if taken[lane] + 1 == len(queues[lane]))
            dut.m_axis_tready_i.value = sum(1 << lane for lane in every if takes[lane])
            arrived = [lane for lane in every if valid[lane] and takes[lane]]
            data, last = lanes(dut.m_axis_tdata_o, width, arrived), lanes(dut.m_axis_tlast_o, 1, arrived)
            for lane, word in zip(arrived, zip(data, last, strict=True), strict=True):
                received[lane].append(word)
            for lane in offered:
                if ready[lane]:
                    offers[lane], taken[lane] = False, taken[lane] + 1
            quiet = 0 if arrived else quiet + 1
            await FallingEdge(dut.clk_i)
        dut.s_axis_tvalid_i.value = dut.m_axis_tready_i.value = 0
        return received

    async def _until(self, port: Any) -> None:
        while int(port.value) == 0:
            await FallingEdge(self.dut.clk_i)


def _given(sources: ArrayLike | Sequence[int | None]) -> list[int]:
    """Sources as numbers, -1 for off."""
    return [-1 if source is None else int(source) for source in np.asarray(sources, dtype=object).reshape(-1)]


def _lower_wins(sources: list[int]) -> list[int]:
    """If two outputs have one source, the higher one is off."""
    return [-1 if source in sources[:at] else source for at, source in enumerate(sources)]
