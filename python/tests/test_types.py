"""The types of the stubs are those of the module, and mypy finds nothing in the package. A stub that is wrong is found."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import fritillary
import pytest

PACKAGE = Path(fritillary.__file__).parent
CONFIG = Path(__file__).parents[1] / "pyproject.toml"
pytest.importorskip("mypy")

USE = """
import numpy as np
import fritillary
p = fritillary.plan("rls", 32)
reveal_type(p)
reveal_type(fritillary.plan("transpose", 8))
reveal_type(p.cycles)
r = fritillary.simulate(p, payload=np.zeros((32, 32)))
reveal_type(r.settings)
"""


def mypy(*arguments: str | Path, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **({"MYPYPATH": str(path)} if path else {})}
    command = [sys.executable, "-m", "mypy", "--config-file", str(CONFIG), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_the_package_is_typed(tmp_path: Path) -> None:
    assert (PACKAGE / "py.typed").exists()
    copy = shutil.copytree(PACKAGE, tmp_path / "fritillary", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    checked = mypy(copy)
    assert checked.returncode == 0, checked.stdout
    (tmp_path / "use.py").write_text(USE)
    found = mypy(tmp_path / "use.py", path=tmp_path).stdout
    for kind in ("_designs.Plan", "_designs.StreamPlan", 'int"', "_table.Table | None"):
        assert kind in found, found


def stubtest(path: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mypy.stubtest", "fritillary._native", "--mypy-config-file", str(CONFIG)]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(path)}, check=False)


def test_the_stubs_are_those_of_the_module(tmp_path: Path) -> None:
    copy = shutil.copytree(PACKAGE, tmp_path / "fritillary")
    checked = stubtest(tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    # A name that the module does not have, and an argument too few.
    stub = copy / "_native.pyi"
    text = stub.read_text()
    for right, wrong in (("def facts(self)", "def faces(self)"), ("given: list[str]) -> int", ") -> int")):
        assert right in text
        stub.write_text(text.replace(right, wrong, 1))
        checked = stubtest(tmp_path)
        assert checked.returncode != 0, wrong
