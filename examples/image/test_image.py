"""A picture through the core of a corner turn; run.py starts it."""

import os
import random
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge

from run import read_pgm, write_pgm

FOLDER = Path(os.environ["FRIT_FOLDER"])
LANES = int(os.environ["FRIT_LANES"])
LATENCY = int(os.environ["FRIT_LATENCY"])


def beats(rows):
    """The pixels row by row, as many a beat as there are lanes; lane 0 in the lowest bits."""
    pixels = [pixel for row in rows for pixel in row]
    return [int.from_bytes(bytes(pixels[at : at + LANES]), "little") for at in range(0, len(pixels), LANES)]


async def stream(dut, sent, pauses):
    """Sends data sets and takes as many beats: the beats, and the cycle of the first one after that of the first one sent."""
    dice = random.Random(1)
    data = [(beat, at == len(one) - 1) for one in sent for at, beat in enumerate(one)]
    dut.s_axis_tvalid_i.value = 0
    dut.m_axis_tready_i.value = 0
    dut.rst_i.value = 1
    await RisingEdge(dut.clk_i)
    await RisingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    given, taken, offering, first = 0, [], False, {}
    for cycle in range(40 * len(data) + LATENCY):
        offering = given < len(data) and (offering or dice.random() >= pauses)
        taking = dice.random() >= pauses
        dut.s_axis_tvalid_i.value = int(offering)
        if offering:
            dut.s_axis_tdata_i.value, dut.s_axis_tlast_i.value = data[given]
        dut.m_axis_tready_i.value = int(taking)
        # Both come from registers: what they are now holds at the next rising edge.
        if offering and dut.s_axis_tready_o.value == 1:
            first.setdefault("in", cycle)
            given, offering = given + 1, False
        if taking and dut.m_axis_tvalid_o.value == 1:
            first.setdefault("out", cycle)
            taken.append((int(dut.m_axis_tdata_o.value), int(dut.m_axis_tlast_o.value)))
        assert dut.error_o.value == 0
        await FallingEdge(dut.clk_i)
        if len(taken) == len(data):
            return taken, first["out"] - first["in"]
    raise AssertionError(f"only {len(taken)} of {len(data)} beats left the core")


async def turn(dut, pauses):
    cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
    before = read_pgm(FOLDER / "before.pgm")
    taken, latency = await stream(dut, [beats(before), beats(before[::-1])], pauses)
    half = len(taken) // 2
    height, width = len(before[0]), len(before)
    for name, part, due in [
        ("transposed", taken[:half], zip(*before)),
        ("rotated", taken[half:], zip(*before[::-1])),
    ]:
        pixels = [pixel for beat, _ in part for pixel in beat.to_bytes(LANES, "little")]
        rows = [pixels[row * width : (row + 1) * width] for row in range(height)]
        write_pgm(FOLDER / f"{name}.pgm", rows)
        assert rows == [list(row) for row in due], f"{name}: a pixel is in a wrong place"
        assert [last for _, last in part] == [0] * (half - 1) + [1]
    return latency


@cocotb.test()
async def without_pauses(dut):
    """The first pixels leave as many cycles later as frit says."""
    assert await turn(dut, 0) == LATENCY


@cocotb.test()
async def with_pauses(dut):
    await turn(dut, 0.4)
