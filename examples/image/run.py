#!/usr/bin/env python3
"""Turns a picture with the core of a corner turn, as Verilog in a simulator: run.py [--sim verilator] [OPTION OF frit generate ...]

It makes a picture, streams it through the core twice without a gap, eight pixels a cycle (first row by row from the top, which transposes
it; then from the bottom, which rotates it by a quarter), and compares every pixel. Then the same with pauses on both sides. It writes
before.pgm, transposed.pgm, rotated.pgm and all three side by side in turn.png. Run it with the Python that has cocotb:
    scripts/with-tools cocotb-python examples/image/run.py --frit target/release/frit
Exit code: 0 every pixel is in its place, 1 one is not, 2 or more: frit did not make the core, and says why.
"""

import argparse
import json
import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

HERE = Path(__file__).resolve().parent
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


def write_png(path, rows):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 9)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def side_by_side(pictures):
    """The pictures with white between them, each pixel as two by two."""
    height = max(len(rows) for rows in pictures)
    white = lambda width: [255] * width
    wide = [[row + white(8) for row in rows + [white(len(rows[0]))] * (height - len(rows))] for rows in pictures]
    joined = [[pixel for row in line for pixel in row][:-8] for line in zip(*wide)]
    return [[pixel for pixel in row for _ in range(2)] for row in joined for _ in range(2)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sim", choices=["icarus", "verilator"], default="verilator")
    parser.add_argument("--frit", default=os.environ.get("FRIT", "frit"), help="the frit program (default: $FRIT, or frit)")
    parser.add_argument("-o", "--output", type=Path, default=Path("out/image"), help="folder for all files")
    options, more = parser.parse_known_args()
    output = options.output.resolve()
    size = ["--rows", str(ROWS), "--cols", str(COLUMNS), "-w", "8"]
    command = [options.frit, "generate", "transpose", "-n", str(LANES), *size, "--cells", "prefix", *more]
    run = subprocess.run([*command, "-o", str(output / "rtl"), "--format", "json"], stdout=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(run.returncode)  # frit has said why
    made = json.loads(run.stdout)
    names = (output / "rtl" / f"{made['design']}.f").read_text().splitlines()
    write_pgm(output / "before.pgm", picture())
    top = f"{made['design']}_permute"
    runner = get_runner(options.sim)
    verilator = ["--timescale", "1ns/1ps", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"]
    runner.build(
        sources=[output / "rtl" / name for name in names if not name.startswith("//")],
        hdl_toplevel=top,
        build_dir=output / options.sim,
        build_args=verilator if options.sim == "verilator" else ["-g2012"],
        timescale=("1ns", "1ps"),
        always=True,
    )
    results = runner.test(
        hdl_toplevel=top,
        test_module="test_image",
        test_dir=HERE,
        seed=1,
        build_dir=output / options.sim,
        results_xml=str(output / options.sim / "results.xml"),
        extra_env={"FRIT_FOLDER": str(output), "FRIT_LANES": str(LANES), "FRIT_LATENCY": str(made["latency"])},
    )
    tests, failed = get_results(results)
    print(f"{made['design']} under {options.sim}: {tests - failed} of {tests} tests passed")
    if failed or not tests:
        sys.exit(1)
    write_png(output / "turn.png", side_by_side([read_pgm(output / f"{name}.pgm") for name in ("before", "transposed", "rotated")]))


if __name__ == "__main__":
    main()
