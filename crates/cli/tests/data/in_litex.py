"""Uses the modules that frit writes for LiteX.

in_litex.py soc FOLDER OUT LIST [NAME=COUNT...]: puts LIST.py of FOLDER into a SoC of LiteX with a bus master, and writes OUT/gateware/sim.v and
OUT/csr.csv; each NAME is a port of the module, or a list of streams with COUNT endpoints.

in_litex.py turn FOLDER OUT LIST LANES WIDTH ROWS COLUMNS: runs a corner turn in LiteX's own simulation. A counter feeds its sink; what leaves its
source is compared with the transpose; the simulation ends with a line PASS or FAIL.
"""
import importlib
import os
import sys
import types

from migen import Array, Case, Cat, Display, Finish, If, Signal

# LiteX's simulation asks where a package for Ethernet is, which this test does not use.
sys.modules["pythondata_misc_tapcfg"] = types.SimpleNamespace(data_location="")

from litex.build.generic_platform import Pins
from litex.build.sim import SimPlatform
from litex.build.sim.config import SimConfig
from litex.gen import LiteXModule
from litex.build.io import CRG
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCMini
from litex.soc.interconnect import wishbone


def core_of(folder, name):
    """The class of the module in a file: the only one that has sources of its own."""
    sys.path.insert(0, folder)
    module = importlib.import_module(name)
    (core,) = [kind for kind in vars(module).values() if isinstance(kind, type) and kind.__module__ == name]
    return core


def platform():
    return SimPlatform("SIM", [("sys_clk", 0, Pins(1))])


def soc(folder, out, name):
    io = platform()
    core = core_of(folder, name)(io)
    system = SoCMini(io, clk_freq=int(1e6), ident="", ident_version=False)
    system.crg = CRG(io.request("sys_clk"))
    system.core = core
    system.bus.add_master("host", wishbone.Interface())
    if hasattr(core, "bus"):
        system.bus.add_slave("core", core.bus, SoCRegion(origin=0x3000_0000, size=0x1000, cached=False))
    Builder(system, output_dir=out, csr_csv=os.path.join(out, "csr.csv"), compile_software=False).build(
        run=False, sim_config=SimConfig(default_clk="sys_clk")
    )
    for attribute in ("sink", "sinks", "source", "sources", "program", "bus"):
        found = getattr(core, attribute, None)
        if found is not None:
            print("attribute", attribute, len(found) if isinstance(found, list) else 1)
    print("sources", *[os.path.basename(file) for file, *_ in io.sources])


class Turn(LiteXModule):
    """Sends data sets from a counter, with pauses; compares what leaves, with pauses; ends the simulation."""

    def __init__(self, io, core, lanes, width, rows, columns, sets=3):
        self.crg = CRG(io.request("sys_clk"))
        self.core = core
        words, beats = rows * columns, rows * columns // lanes
        total = sets * beats
        value = lambda at, word: (at * words + word) % (1 << width)
        # Place column * rows + row has the word row * columns + column.
        turned = [place % rows * columns + place // rows for place in range(words)]
        beat = lambda at, first: sum(value(at, turned[first + lane]) << lane * width for lane in range(lanes))
        expected = Array(beat(at, first) for at in range(sets) for first in range(0, words, lanes))
        time, sent, got = Signal(16), Signal(max=total + 1), Signal(max=total + 1)
        offer, bad = Signal(), Signal()
        data = [Signal(width) for _ in range(lanes)]
        position = [Signal(max=beats) for _ in range(2)]
        self.comb += [word.eq(sent * lanes + lane) for lane, word in enumerate(data)]
        self.comb += [
            core.sink.valid.eq(offer & (sent != total)),
            core.sink.data.eq(Cat(*data)),
            core.sink.last.eq(position[0] == beats - 1),
            core.source.ready.eq(time[1:3] != 2),
        ]
        advance = lambda count, at: [count.eq(count + 1), If(at == beats - 1, at.eq(0)).Else(at.eq(at + 1))]
        wrong = (core.source.data != expected[got]) | (core.source.last != (position[1] == beats - 1))
        self.sync += [
            time.eq(time + 1),
            If(~core.sink.valid | core.sink.ready, offer.eq(time[:3] != 5)),
            If(core.sink.valid & core.sink.ready, *advance(sent, position[0])),
            If(core.source.valid & core.source.ready, If(wrong, bad.eq(1)), *advance(got, position[1])),
            If(
                (got == total) | (time == 8 * total + 100),
                If((got == total) & ~bad & ~core.ports["error_o"], Display("PASS: %0d beats", got)).Else(
                    Display("FAIL: %0d beats", got)
                ),
                Finish(),
            ),
        ]


def turn(folder, out, name, *sizes):
    io = platform()
    core = core_of(folder, name)(io, with_csr=False)
    io.build(
        Turn(io, core, *map(int, sizes)), sim_config=SimConfig(default_clk="sys_clk"), build_dir=out, interactive=False, verbose=False
    )


{"soc": soc, "turn": turn}[sys.argv[1]](*sys.argv[2:])
