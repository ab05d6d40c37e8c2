"""The notebooks of examples/notebooks run to their end. Without nbclient, a kernel and matplotlib they do not, and the report says so."""

from __future__ import annotations

import importlib.util
import os
from typing import Any

import pytest
from conftest import ROOT

MISSING = [name for name in ("nbclient", "nbformat", "ipykernel", "matplotlib") if importlib.util.find_spec(name) is None]
if MISSING:
    text = f"NOT RUN: the notebooks; {', '.join(MISSING)} missing (pip install './python[notebooks]')"
    if os.environ.get("FRIT_REQUIRE_TOOLS") == "1":
        raise ModuleNotFoundError(text)
    pytest.skip(text, allow_module_level=True)

import nbformat  # noqa: E402
from nbclient import NotebookClient  # noqa: E402
from nbclient.exceptions import CellExecutionError  # noqa: E402

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))


def run(notebook: Any) -> Any:
    return NotebookClient(notebook, timeout=300, kernel_name="python3").execute()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_a_notebook_runs_and_draws(path: Any) -> None:
    done = run(nbformat.read(path, as_version=4))
    outputs = [output for cell in done.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("image/png" in output.get("data", {}) for output in outputs)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_a_notebook_is_kept_without_results(path: Any) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert all(cell.cell_type != "code" or not cell.outputs and cell.execution_count is None for cell in notebook.cells)


def test_a_wrong_result_is_found() -> None:
    notebook = nbformat.read(NOTEBOOKS[0], as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"][0]
    assert "run.received == picture.T" in code.source
    code.source = code.source.replace("run.received == picture.T", "run.received == picture.T[::-1]")
    with pytest.raises(CellExecutionError, match="AssertionError"):
        run(notebook)
