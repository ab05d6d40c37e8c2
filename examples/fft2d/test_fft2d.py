"""Matrices through the two-dimensional FFT; run.py starts it."""

import os
from pathlib import Path

import cocotb

from fft import BITS, bounds, dft_2d, packed, unpacked
from run import matrices, picture, spectrum
from streaming import side_by_side, stream, write_png

FOLDER = Path(os.environ["FRIT_FOLDER"])
ROWS, COLUMNS, LANES = (int(number) for number in os.environ["FRIT_SIZE"].split())
SENT = matrices(ROWS, COLUMNS)
DUE = [dft_2d(matrix) for matrix in SENT]
BEATS = ROWS * COLUMNS // LANES


async def transform(dut, pauses):
    """Sends the matrices and compares their spectra. Returns the cycles in which beats left."""
    data = [[word for row in matrix for word in row] for matrix in SENT]
    beats = [[packed(words[at : at + LANES]) for at in range(0, len(words), LANES)] for words in data]
    taken, cycles = await stream(dut, beats, pauses, 40 * BEATS)
    assert [last for _, last in taken] == ([0] * (BEATS - 1) + [1]) * len(SENT)
    words = [word for beat, _ in taken for word in unpacked(beat, LANES)]
    got = [words[at : at + ROWS * COLUMNS] for at in range(0, len(words), ROWS * COLUMNS)]
    bound, size = bounds([COLUMNS, ROWS], max(abs(word) for words in data for word in words))
    assert size < 1 << BITS - 1, "a word could become too large for its bits"
    for name, ours, due in zip(["picture", "noise"], got, DUE):
        exact = [word for column in due for word in column]
        error, at = max((abs(a - b), at) for at, (a, b) in enumerate(zip(ours, exact)))
        dut._log.info("%s: the largest error is %.2f, at most %.2f is allowed (units of the last place)", name, error, bound)
        assert error <= bound, f"{name}: word {at} of the spectrum is {ours[at]}, expected {exact[at]:.1f}"
    columns = [got[0][at : at + ROWS] for at in range(0, ROWS * COLUMNS, ROWS)]
    write_png(FOLDER / "spectrum.png", side_by_side([picture(ROWS, COLUMNS), spectrum(columns)], max(1, 256 // ROWS)))
    return cycles


@cocotb.test()
async def without_pauses(dut):
    """A beat leaves in each cycle from the first one on, also between the matrices."""
    cycles = await transform(dut, 0)
    dut._log.info("the first beat leaves %d cycles after the first one entered", cycles[0])
    assert cycles == list(range(cycles[0], cycles[0] + len(SENT) * BEATS))


@cocotb.test()
async def with_pauses(dut):
    await transform(dut, 0.4)
