"""The driver for cocotb: emitted designs do what the model does, and a design that does not is found."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path
from typing import Any

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


def test_a_wrong_switch_is_found(tmp_path: Path) -> None:
    def spoil(made: Any) -> None:
        fabric = made.folder / f"{made.design}_fabric.v"
        text = fabric.read_text()
        assert ".state_i(state_i[3])" in text
        fabric.write_text(text.replace(".state_i(state_i[3])", ".state_i(~state_i[3])"))

    assert SIM is not None
    assert run_tests("rls", 4, 8, MODULE, tmp_path, sim=SIM, changed=spoil) == (1, 1)
