"""The notebooks of examples/notebooks run to their end, and show what docs/notebooks has. UPDATE_EXPECT=1 writes docs/notebooks.

Without nbconvert, a kernel and matplotlib they do not run, and the report says so.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

MISSING = [name for name in ("nbclient", "nbconvert", "nbformat", "ipykernel", "matplotlib") if importlib.util.find_spec(name) is None]
if MISSING:
    text = f"NOT RUN: the notebooks; {', '.join(MISSING)} missing (pip install './python[notebooks]')"
    if os.environ.get("FRIT_REQUIRE_TOOLS") == "1":
        raise ModuleNotFoundError(text)
    pytest.skip(text, allow_module_level=True)

import nbformat  # noqa: E402
from nbclient.exceptions import CellExecutionError  # noqa: E402
from rendered import page, run  # noqa: E402

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
PAGES = ROOT / "docs" / "notebooks"


def different(made: dict[str, bytes], folder: Path, stem: str) -> list[str]:
    """The files of a notebook's page that are not those of a folder."""
    there = {str(path.relative_to(folder)) for path in folder.rglob(f"{stem}*") if path.is_file()}
    names = sorted(there | set(made))
    return [name for name in names if name not in there or made.get(name) != (folder / name).read_bytes()]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_a_notebook_shows_what_its_page_has(path: Path) -> None:
    made = page(path)
    assert any(name.endswith(".svg") for name in made)
    if os.environ.get("UPDATE_EXPECT") == "1":
        for name in different(made, PAGES, path.stem):
            (PAGES / name).unlink(missing_ok=True)
        for name, contents in made.items():
            (PAGES / name).parent.mkdir(parents=True, exist_ok=True)
            (PAGES / name).write_bytes(contents)
    assert different(made, PAGES, path.stem) == [], "look at the difference, then write docs/notebooks with UPDATE_EXPECT=1"
    text = b"".join(made.values()).decode()
    assert str(ROOT) not in text and sys.prefix not in text and not re.search(r"\b20\d\d-\d\d-\d\d", text)


def test_a_page_that_is_not_what_the_notebook_shows_is_found() -> None:
    made = {path.name if path.suffix == ".md" else f"images/{path.name}": path.read_bytes() for path in PAGES.rglob("moe*")}
    assert len(made) > 1 and different(made, PAGES, "moe") == []
    assert different({**made, "moe.md": made["moe.md"] + b"."}, PAGES, "moe") == ["moe.md"]
    assert different(made | {"images/moe_9.svg": b""}, PAGES, "moe") == ["images/moe_9.svg"]
    assert different({"moe.md": made["moe.md"]}, PAGES, "moe") == sorted(set(made) - {"moe.md"})


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_a_notebook_is_kept_without_results(path: Any) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert all(cell.cell_type != "code" or not cell.outputs and cell.execution_count is None for cell in notebook.cells)


def test_a_wrong_result_is_found(tmp_path: Path) -> None:
    notebook = nbformat.read(NOTEBOOKS[0], as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"][0]
    assert "run.received == picture.T" in code.source
    code.source = code.source.replace("run.received == picture.T", "run.received == picture.T[::-1]")
    with pytest.raises(CellExecutionError, match="AssertionError"):
        run(notebook, tmp_path)
