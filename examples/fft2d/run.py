#!/usr/bin/env python3
"""A two-dimensional FFT around a corner turn, as Verilog in a simulator: run.py [--sim verilator] [OPTION OF frit generate transpose ...]

Rows stream through an FFT, frit's corner turn brings the matrix into columns, and columns stream through the same FFT. All permutations
inside the FFT are cores of frit, too (fft.py). Two matrices follow without a gap: a picture and noise. Each word of both spectra is compared
with the DFT by its definition; the error must be within a bound that run.py computes. Then the same with pauses on both sides. The picture
and its spectrum are in spectrum.png. Run it with the Python that has cocotb:
    scripts/with-tools cocotb-python examples/fft2d/run.py --frit target/release/frit
Exit code: 0 every word is within the bound, 1 one is not, 2 or more: frit or run.py refuses the size and says why.
"""

import argparse
import math
import os
import random
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from fft import BITS, transform, transform_2d
from streaming import generate, simulate


def picture(rows, columns):
    """Pixels from 0 to 255: a tilted bar and a disc before grey."""

    def pixel(row, column):
        y, x = row / rows - 0.5, column / columns - 0.5
        bar = abs(x + 0.15 + 0.4 * y) < 0.05 and abs(y) < 0.4
        disc = (x - 0.22) ** 2 + (y - 0.1) ** 2 < 0.02
        return 255 if bar else 0 if disc else 96

    return [[pixel(row, column) for column in range(columns)] for row in range(rows)]


def matrices(rows, columns):
    """What is transformed: the picture, as real numbers, and noise of any phase."""
    dice = random.Random(1)
    noise = [[complex(*(dice.randrange(-23000, 23001) for _ in "ri")) for _ in range(columns)] for _ in range(rows)]
    return [[[complex((pixel - 128) * 250) for pixel in row] for row in picture(rows, columns)], noise]


def spectrum(columns):
    """The picture of a spectrum that is given column by column: the logarithm of each value, the mean in the middle."""
    turned = [list(row) for row in zip(*columns)]
    half = lambda row: row[len(row) // 2 :] + row[: len(row) // 2]
    return [[min(255, round(24 * math.log2(1 + abs(word)))) for word in half(row)] for row in half(turned)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sim", choices=["icarus", "verilator"], default="verilator")
    parser.add_argument("--frit", default=os.environ.get("FRIT", "frit"), help="the frit program (default: $FRIT, or frit)")
    parser.add_argument("-o", "--output", type=Path, default=Path("out/fft2d"), help="folder for all files")
    parser.add_argument("--size", type=int, nargs=3, default=[64, 64, 4], help="rows, columns and words a cycle: powers of two")
    options, more = parser.parse_known_args()
    output, (rows, columns, lanes) = options.output.resolve(), options.size
    if any(size < 2 or size & size - 1 for size in options.size) or min(rows, columns) < 2 * lanes:
        parser.error(f"--size {rows} {columns} {lanes}: give powers of two, rows and columns at least twice the words a cycle")
    sources = [HERE / "fft_column.v", output / "fft2d.v"]

    def core(system, *request):
        made, files = generate(options.frit, output / "rtl", system, "-n", lanes, "-w", 2 * BITS, *request)
        sources.extend(file for file in files if file not in sources)
        return made["design"] + "_permute"

    parts = ["`default_nettype none\n"]
    for length in sorted({rows, columns}):
        reversal = core("permute", "--kind", "bitrev", "--words", length)
        parts.append(transform(length, lanes, reversal, core("permute", "--kind", "stride", "--words", length, "--stride", length // 2)))
    parts.append(transform_2d(rows, columns, lanes, core("transpose", "--rows", rows, "--cols", columns, *more)))
    (output / "fft2d.v").write_text("".join(parts) + "`default_nettype wire\n")
    environment = {"FRIT_FOLDER": str(output), "FRIT_SIZE": f"{rows} {columns} {lanes}"}
    tests, failed = simulate(options.sim, sources, "fft2d", HERE / "test_fft2d.py", output, environment)
    print(f"fft2d of {rows} x {columns} under {options.sim}: {tests - failed} of {tests} tests passed")
    sys.exit(1 if failed or not tests else 0)


if __name__ == "__main__":
    main()
