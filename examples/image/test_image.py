"""A picture through the core of a corner turn; run.py starts it."""

import os
from pathlib import Path

import cocotb

from run import read_pgm, write_pgm
from streaming import stream

FOLDER = Path(os.environ["FRIT_FOLDER"])
LANES = int(os.environ["FRIT_LANES"])
LATENCY = int(os.environ["FRIT_LATENCY"])


def beats(rows):
    """The pixels row by row, as many a beat as there are lanes; lane 0 in the lowest bits."""
    pixels = [pixel for row in rows for pixel in row]
    return [int.from_bytes(bytes(pixels[at : at + LANES]), "little") for at in range(0, len(pixels), LANES)]


async def turn(dut, pauses):
    before = read_pgm(FOLDER / "before.pgm")
    taken, cycles = await stream(dut, [beats(before), beats(before[::-1])], pauses, LATENCY)
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
    return cycles[0]


@cocotb.test()
async def without_pauses(dut):
    """The first pixels leave as many cycles later as frit says."""
    assert await turn(dut, 0) == LATENCY


@cocotb.test()
async def with_pauses(dut):
    await turn(dut, 0.4)
