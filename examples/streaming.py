"""What the examples with one wide AXI4-Stream in and one out share: to compile and drive a core under cocotb, and to write a PNG."""

import json
import random
import struct
import subprocess
import sys
import zlib

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge
from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner


def generate(frit, folder, *request):
    """What `frit generate` says of the design that it writes to a folder, and the paths of its files in their order."""
    command = [frit, "generate", *(str(word) for word in request), "-o", str(folder), "--format", "json"]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(run.returncode)  # frit has said why
    made = json.loads(run.stdout)
    names = (folder / f"{made['design']}.f").read_text().splitlines()
    return made, [folder / name for name in names if not name.startswith("//")]


def simulate(sim, sources, top, module, folder, environment):
    """Compiles a core and runs a module of tests on it: how many tests there are, and how many of them failed."""
    runner = get_runner(sim)
    verilator = ["--timescale", "1ns/1ps", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"]
    runner.build(
        sources=sources,
        hdl_toplevel=top,
        build_dir=folder / sim,
        build_args=verilator if sim == "verilator" else ["-g2012"],
        timescale=("1ns", "1ps"),
        always=True,
    )
    results = runner.test(
        hdl_toplevel=top,
        test_module=module.stem,
        test_dir=module.parent,
        seed=1,
        build_dir=folder / sim,
        results_xml=str(folder / sim / "results.xml"),
        extra_env=environment,
    )
    return get_results(results)


async def stream(dut, sets, pauses, latency):
    """Resets a core, sends data sets (each a list of beats) and takes as many beats: the beats with their tlast, and the cycle of each,
    counted from the first beat that the core took. A core that needs far more cycles than `latency` fails.
    """
    cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
    dice = random.Random(1)
    data = [(beat, at == len(one) - 1) for one in sets for at, beat in enumerate(one)]
    dut.s_axis_tvalid_i.value = 0
    dut.m_axis_tready_i.value = 0
    dut.rst_i.value = 1
    await RisingEdge(dut.clk_i)
    await RisingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    given, taken, cycles, offering, first = 0, [], [], False, None
    for cycle in range(40 * len(data) + latency):
        offering = given < len(data) and (offering or dice.random() >= pauses)
        taking = dice.random() >= pauses
        dut.s_axis_tvalid_i.value = int(offering)
        if offering:
            dut.s_axis_tdata_i.value, dut.s_axis_tlast_i.value = data[given]
        dut.m_axis_tready_i.value = int(taking)
        # Both come from registers: what they are now holds at the next rising edge.
        if offering and dut.s_axis_tready_o.value == 1:
            first = cycle if first is None else first
            given, offering = given + 1, False
        if taking and dut.m_axis_tvalid_o.value == 1:
            cycles.append(cycle - first)
            taken.append((int(dut.m_axis_tdata_o.value), int(dut.m_axis_tlast_o.value)))
        assert dut.error_o.value == 0, f"error_o is high in cycle {cycle}"
        await FallingEdge(dut.clk_i)
        if len(taken) == len(data):
            return taken, cycles
    raise AssertionError(f"only {len(taken)} of {len(data)} beats left the core")


def write_png(path, rows):
    """Writes rows of pixels from 0 to 255."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 9)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def side_by_side(pictures, scale):
    """Pictures with white between them, each pixel as `scale` by `scale`."""
    height = max(len(rows) for rows in pictures)
    wide = [[row + [255] * 8 for row in rows + [[255] * len(rows[0])] * (height - len(rows))] for rows in pictures]
    joined = [[pixel for row in line for pixel in row][:-8] for line in zip(*wide)]
    return [[pixel for pixel in row for _ in range(scale)] for row in joined for _ in range(scale)]
