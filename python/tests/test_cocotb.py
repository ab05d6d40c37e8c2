"""The driver for cocotb: emitted designs do what the model does, and a design that does not is found."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import fritillary
import pytest
from conftest import ROOT

SIM = next((sim for sim, tool in (("icarus", "iverilog"), ("verilator", "verilator")) if shutil.which(tool)), None)
MISSING = ["cocotb"] if importlib.util.find_spec("cocotb") is None else []
if not MISSING and not os.environ.get("LIBPYTHON_LOC"):
    from find_libpython import find_libpython

    MISSING += [] if find_libpython() else ["the shared library of Python"]
MISSING += [] if SIM else ["iverilog or verilator"]
if MISSING:
    text = f"NOT RUN: the driver for cocotb; {', '.join(MISSING)} missing (pip install './python[cocotb]', and a simulator)"
    if os.environ.get("FRIT_REQUIRE_TOOLS") == "1":
        raise ModuleNotFoundError(text)
    pytest.skip(text, allow_module_level=True)

from fritillary.cocotb import run_tests  # noqa: E402



def spoilt(right: str, wrong: str) -> Any:
    """Changes the Verilog of a design."""

    def change(made: fritillary.Generated) -> None:
        file = made.folder / f"{made.design}.v"
        text = file.read_text()
        assert right in text
        file.write_text(text.replace(right, wrong))

    return change


MODULE = ROOT / "examples" / "cocotb" / "test_exchange.py"
DESIGNS: list[tuple[str, int, int, dict[str, Any]]] = [
    ("rls", 4, 8, {}),
    ("gsen", 6, 5, {}),
    ("obf", 4, 9, {}),
    ("rls-folded", 4, 70, {"plan": "buffered"}),
]


# Verilator compiles each design for half a minute.
TRIED = DESIGNS if SIM == "icarus" or os.environ.get("FRIT_ALL_TESTS") == "1" else DESIGNS[:2]


@pytest.mark.parametrize(("system", "n", "width", "options"), TRIED, ids=[design[0] for design in TRIED])
def test_a_design_does_what_the_model_does(system: str, n: int, width: int, options: dict[str, Any], tmp_path: Path) -> None:
    assert SIM is not None
    assert run_tests(system, n, width, MODULE, tmp_path, sim=SIM, options=options) == (1, 0)


LOADED = ROOT / "examples" / "loaded" / "test_loaded.py"

WORDS = """
import cocotb
import fritillary
import numpy as np
from fritillary.cocotb import Loaded

@cocotb.test()
async def what_is_received_is_what_was_sent(dut):
    loaded = Loaded(dut)
    counts = [fritillary.demand("hot-spot", loaded.n, words=5, seed=seed) for seed in range(2)]
    sent = [np.arange(count.words.sum(), dtype=np.int16) - 7 for count in counts]
    pairs = [np.repeat(np.arange(loaded.n**2), count.words.reshape(-1)) for count in counts]
    for received, words, pair in zip(await loaded.check(counts, sent), sent, pairs, strict=True):
        by_receiver = np.argsort(pair % loaded.n * loaded.n + pair // loaded.n, kind="stable")
        assert received.dtype == np.int16 and (received == words[by_receiver]).all()
    assert {kind for _, kind, *_ in loaded.log} == {"start", "done_o", "word"}
    for given, text in ((np.ones((4, 4), int), "terminals"), (np.zeros((loaded.n, loaded.n), int), "no words")):
        try:
            await loaded.check([given])
        except fritillary.UsageError as error:
            assert text in str(error)
        else:
            raise AssertionError(text)
"""


def run_loaded(n: int, width: int, entries: int, module: Path, folder: Path, changed: Any = None) -> tuple[int, int]:
    assert SIM is not None
    demand = fritillary.demand("uniform", n, words=3)
    return run_tests("benes", n, width, module, folder, sim=SIM, demand=demand, entries=entries, changed=changed)


@pytest.mark.parametrize(("n", "width", "entries"), [(4, 7, 16), (8, 70, 32)][: None if SIM == "icarus" else 1])
def test_schedules_are_loaded_as_the_model_says(n: int, width: int, entries: int, tmp_path: Path) -> None:
    assert run_loaded(n, width, entries, LOADED, tmp_path) == (1, 0)


def test_words_of_a_demand_are_received(tmp_path: Path) -> None:
    module = tmp_path / "test_words.py"
    module.write_text(WORDS)
    assert run_loaded(8, 16, 32, module, tmp_path) == (1, 0)


def test_the_example_says_how_it_went(tmp_path: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, LOADED.with_name("run.py"), "--sim", str(SIM), "-o", str(tmp_path), "-n", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    done = run("4", "-w", "8", "--entries", "16")
    assert done.returncode == 0 and f"benes, loaded, under {SIM}: 1 of 1 tests passed" in done.stdout, done.stdout + done.stderr
    refused = run("6")
    assert refused.returncode == 2 and "power of two" in refused.stderr and "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (".state_i(state_0_0[1])", ".state_i(~state_0_0[1])"),
        (".read_address_i({bank, entry})", ".read_address_i({~bank, entry})"),
        (".data1_i({3'd1, label_1, ", ".data1_i({3'd1, ~label_1, "),
    ],
    ids=["switch", "bank", "label"],
)
def test_a_wrong_loaded_design_is_found(right: str, wrong: str, tmp_path: Path) -> None:
    assert run_loaded(8, 16, 32, LOADED, tmp_path, spoilt(right, wrong)) == (1, 1)


CROSSBAR = ROOT / "examples" / "crossbar" / "test_crossbar.py"

SOURCES = """
import cocotb
import fritillary
import numpy as np
from fritillary.cocotb import Crossbar, Mismatch

@cocotb.test()
async def outputs_have_the_sources_that_are_given(dut):
    crossbar = Crossbar(dut)
    await crossbar.reset()
    sent = np.arange(4 * 20, dtype=np.uint16).reshape(4, 20)
    received = await crossbar.check([3, None, 0, 3], sent)
    assert received.dtype == np.uint16
    assert (received == np.stack([sent[3], 0 * sent[0], sent[0], 0 * sent[0]])).all()
    assert [await crossbar.read(0x40 + 4 * output) for output in range(4)] == [3, 1 << 31, 0, 1 << 31]
    for sources, text in (([0, 1, 2], "3 sources were given for 4 outputs"), ([0, 1, 2, 4], "is not a source")):
        try:
            await crossbar.connect(sources)
        except fritillary.UsageError as error:
            assert text in str(error)
        else:
            raise AssertionError(text)
    try:
        await crossbar.write(0x40, 4)
    except Mismatch as error:
        assert "the write of 0x4 to address 0x40 was refused" in str(error)
    else:
        raise AssertionError("a source that does not exist was written")
"""


def run_crossbar(n: int, width: int, module: Path, folder: Path, changed: Any = None) -> tuple[int, int]:
    assert SIM is not None
    return run_tests("benes", n, width, module, folder, sim=SIM, crossbar=True, changed=changed)


@pytest.mark.parametrize(("n", "width"), [(4, 8), (8, 70)][: None if SIM == "icarus" else 1])
def test_a_crossbar_passes_words_from_sources_to_outputs(n: int, width: int, tmp_path: Path) -> None:
    assert run_crossbar(n, width, CROSSBAR, tmp_path) == (1, 0)


def test_outputs_of_a_crossbar_have_the_sources_that_are_given(tmp_path: Path) -> None:
    module = tmp_path / "test_sources.py"
    module.write_text(SOURCES)
    assert run_crossbar(4, 16, module, tmp_path) == (1, 0)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (".data1_i({s_axis_tlast_i[1],", ".data1_i({s_axis_tlast_i[0],"),
        (".state_i(state_0[2]), .valid0_i", ".state_i(~state_0[2]), .valid0_i"),
    ],
    ids=["last", "switch"],
)
def test_a_crossbar_that_does_something_else_is_found(right: str, wrong: str, tmp_path: Path) -> None:
    assert run_crossbar(4, 8, CROSSBAR, tmp_path, spoilt(right, wrong)) == (1, 1)


def test_a_wrong_switch_is_found(tmp_path: Path) -> None:
    assert SIM is not None
    assert run_tests("rls", 4, 8, MODULE, tmp_path, sim=SIM, changed=spoilt(".state_i(state_i[3])", ".state_i(~state_i[3])")) == (1, 1)


STREAMED = ROOT / "examples" / "cocotb" / "test_transpose.py"
TOPS: list[tuple[str, int, int, dict[str, Any], dict[str, Any]]] = [
    ("transpose", 4, 8, {"rows": 8}, {}),
    ("transpose", 4, 8, {"rows": 8, "cols": 12}, {"port_style": "axis", "reset": "async"}),
    ("permute", 3, 8, {"kind": "stride", "words": 24, "stride": 4}, {"port_style": "axis", "axil": True}),
    ("transpose", 2, 4, {"rows": 4, "cols": 8, "dims": "runtime"}, {"reset_level": "low"}),
]


@pytest.mark.parametrize(("system", "n", "width", "options", "top"), TOPS, ids=["own", "axis", "axil", "loaded"])
def test_a_streamed_permutation_does_what_the_model_does(
    system: str, n: int, width: int, options: dict[str, Any], top: dict[str, Any], tmp_path: Path
) -> None:
    assert SIM is not None
    assert run_tests(system, n, width, STREAMED, tmp_path, sim=SIM, options=options, **top) == (2, 0)


@pytest.mark.parametrize(
    ("before", "after"),
    [(".m_axis_tlast_o(m_axis_tlast)", ".m_axis_tlast_o()"), (".s_axis_tdata_i(s_axis_tdata)", ".s_axis_tdata_i({s_axis_tdata[23:0], s_axis_tdata[31:24]})")],
)
def test_a_top_with_a_wrong_wire_is_found(before: str, after: str, tmp_path: Path) -> None:
    assert SIM is not None
    found = run_tests("transpose", 4, 8, STREAMED, tmp_path, sim=SIM, options={"rows": 8}, port_style="axis", changed=spoilt(before, after))
    assert found == (2, 2)
