#!/usr/bin/env python3
"""Turns a picture with the core of a corner turn, as Verilog in a simulator: run.py [--sim verilator] [OPTION OF frit generate ...]

It makes a picture, streams it through the core twice without a gap, eight pixels a cycle (first row by row from the top, which transposes
it; then from the bottom, which rotates it by a quarter), and compares every pixel. Then the same with pauses on both sides. It writes
before.pgm, transposed.pgm, rotated.pgm and all three side by side in turn.png. Run it with the Python that has cocotb:
    scripts/with-tools cocotb-python examples/image/run.py --frit target/release/frit
Exit code: 0 every pixel is in its place, 1 one is not, 2 or more: frit did not make the core, and says why.
"""

import argparse
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from streaming import generate, side_by_side, simulate, write_png

ROWS, COLUMNS, LANES = 64, 96, 8


def picture():
    """Rows of pixels from 0 to 255: a letter that has no symmetry, and a ring, before a slope."""

    def pixel(row, column):
        letter = 12 <= row < 52 and (14 <= column < 22 or (14 <= column < 40 and (row < 20 or 28 <= row < 35)))
        ring = 120 <= (row - 40) ** 2 + (column - 68) ** 2 < 260
        return 0 if letter else 255 if ring else 70 + row + column // 2

    return [[pixel(row, column) for column in range(COLUMNS)] for row in range(ROWS)]


def write_pgm(path, rows):
    head = f"P5\n{len(rows[0])} {len(rows)}\n255\n".encode()
    path.write_bytes(head + bytes(pixel for row in rows for pixel in row))


def read_pgm(path):
    _, size, _, pixels = path.read_bytes().split(b"\n", 3)
    width, height = (int(number) for number in size.split())
    return [list(pixels[row * width : (row + 1) * width]) for row in range(height)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sim", choices=["icarus", "verilator"], default="verilator")
    parser.add_argument("--frit", default=os.environ.get("FRIT", "frit"), help="the frit program (default: $FRIT, or frit)")
    parser.add_argument("-o", "--output", type=Path, default=Path("out/image"), help="folder for all files")
    options, more = parser.parse_known_args()
    output = options.output.resolve()
    size = ["--rows", ROWS, "--cols", COLUMNS, "-w", 8]
    made, sources = generate(options.frit, output / "rtl", "transpose", "-n", LANES, *size, *more)
    write_pgm(output / "before.pgm", picture())
    environment = {"FRIT_FOLDER": str(output), "FRIT_LANES": str(LANES), "FRIT_LATENCY": str(made["latency"])}
    tests, failed = simulate(options.sim, sources, f"{made['design']}_permute", HERE / "test_image.py", output, environment)
    print(f"{made['design']} under {options.sim}: {tests - failed} of {tests} tests passed")
    if failed or not tests:
        sys.exit(1)
    write_png(output / "turn.png", side_by_side([read_pgm(output / f"{name}.pgm") for name in ("before", "transposed", "rotated")], 2))


if __name__ == "__main__":
    main()
