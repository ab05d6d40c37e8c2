"""Columns of numbers under their names."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray


# Rows that a table shows.
MOST_SHOWN = 20


class Table(Mapping[str, "NDArray[Any]"]):
    """Columns of equal length: a mapping from names to arrays of one dimension.

    A column is also an attribute: ``table.cycle`` is ``table["cycle"]``. ``table[3]`` is a row, as a dict, and ``table[3:5]`` a table of rows;
    ``table.to_pandas()`` is a data frame.
    """

    def __init__(self, columns: Mapping[str, NDArray[Any]]) -> None:
        self._columns = dict(columns)

    @overload
    def __getitem__(self, name: str) -> NDArray[Any]: ...
    @overload
    def __getitem__(self, name: SupportsIndex) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, name: slice) -> Table: ...
    def __getitem__(self, name: str | SupportsIndex | slice) -> NDArray[Any] | dict[str, Any] | Table:
        if isinstance(name, str):
            return self._columns[name]
        if isinstance(name, slice):
            return Table({column: cells[name] for column, cells in self.items()})
        return {column: cells[name] for column, cells in self.items()}

    def to_pandas(self) -> Any:
        """The table as a ``pandas.DataFrame`` (needs pandas)."""
        import pandas

        return pandas.DataFrame(self._columns)

    def __getattr__(self, name: str) -> NDArray[Any]:
        if name.startswith("_") or name not in self._columns:
            raise AttributeError(f"the table has no column {name!r}; its columns are {', '.join(self)}")
        return self._columns[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._columns]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self._columns.values()))) if self._columns else 0

    def _lines(self) -> list[list[str]]:
        """The names, and the first and last rows, each after its number."""
        half = MOST_SHOWN // 2
        shown = range(self.rows) if self.rows <= MOST_SHOWN else (*range(half), -1, *range(self.rows - half, self.rows))
        rows = [[str(at), *(str(cells[at]) for cells in self.values())] if at >= 0 else ["..."] * (len(self) + 1) for at in shown]
        return [["", *self], *rows]

    def __repr__(self) -> str:
        lines = self._lines()
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        text = "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)
        return f"{text}\n[{self.rows} rows x {len(self)} columns]"

    def _repr_html_(self) -> str:
        rows = ("".join(f"<td>{html.escape(cell)}</td>" for cell in line) for line in self._lines())
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table><p>{self.rows} rows x {len(self)} columns</p>"


def of_rows(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Rows of JSON as columns: int64, or float64 where there are fractions or gaps (nan), bool, str; anything else as objects."""
    return Table({name: _column([row.get(name) for row in rows]) for name in dict.fromkeys(name for row in rows for name in row)})


def _column(cells: list[Any]) -> NDArray[Any]:
    kinds = {type(cell) for cell in cells}
    if kinds <= {int, float, type(None)} and kinds != {type(None)}:
        return np.array(cells, dtype=np.int64 if kinds == {int} else np.float64)
    if kinds in ({bool}, {str}):
        return np.array(cells)
    column = np.empty(len(cells), dtype=object)
    column[:] = cells
    return column


def lists(values: NDArray[np.uint32], ends: NDArray[np.uint32]) -> NDArray[np.object_]:
    """The lists that were joined into ``values``, of which ``ends`` says where each one ends."""
    found = np.empty(len(ends), dtype=object)
    for at, part in enumerate(np.split(values, ends[:-1]) if len(ends) else []):
        found[at] = part
    return found
