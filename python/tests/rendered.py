"""Notebooks as pages of the handbook: run from the first cell to the last, then written as Markdown with drawings as SVG.

The same notebook gives the same bytes with the versions of requirements-all.txt: no date, no path, no random names in a drawing.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbconvert import MarkdownExporter

#: What is run before the first cell of a notebook.
LOOK = """
%config InlineBackend.figure_formats = ["svg"]
%config InlineBackend.print_figure_kwargs = {"bbox_inches": "tight", "metadata": {"Date": None, "Creator": None}}
import matplotlib as _matplotlib
_matplotlib.rcParams["svg.hashsalt"] = "fritillary"
import os as _os
_os.environ["FRITILLARY_PROGRESS"] = "no"
"""


def run(notebook: Any, folder: Path) -> Any:
    """Runs a notebook in place, in a folder."""
    return NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()


def page(path: Path) -> dict[str, bytes]:
    """The page of a notebook and its drawings, by the names of the files."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(LOOK))
    done = run(notebook, path.parent)
    del done.cells[0]
    for cell in done.cells:
        if cell.cell_type == "code":
            # The first use of matplotlib on a machine says there that it looks for fonts.
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    text, resources = MarkdownExporter().from_notebook_node(done, resources={"unique_key": path.stem, "output_files_dir": "."})
    drawings = {Path(name).name: contents for name, contents in resources["outputs"].items()}
    names = {name: f"{path.stem}_{at}.svg" for at, name in enumerate(sorted(drawings, key=order), 1)}
    for old, new in names.items():
        text = text.replace(f"![svg](./{old})", f"![drawing](images/{new})").replace(f"![svg]({old})", f"![drawing](images/{new})")
    title, rest = text.strip().split("\n", 1)
    head = f"{title}\n\nThis page shows a run of [{path.name}](../../examples/notebooks/{path.name}).\n"
    # No blank at the end of a line, and one empty line at most.
    body = re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+\n", "\n", rest))
    files = {f"{path.stem}.md": (head + body + "\n").encode()}
    return files | {f"images/{names[old]}": contents for old, contents in drawings.items()}


def order(name: str) -> list[int]:
    """Drawings by cell, then by their place in it."""
    return [int(number) for number in re.findall(r"\d+", name)]
