"""Columns of numbers under their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Table(Mapping[str, "NDArray[Any]"]):
    """Columns of equal length: a mapping from names to arrays of one dimension.

    A column is also an attribute: ``table.cycle`` is ``table["cycle"]``. ``pandas.DataFrame(dict(table))`` makes a data frame of it.
    """

    def __init__(self, columns: Mapping[str, NDArray[Any]]) -> None:
        self._columns = dict(columns)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._columns[name]

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

    def __repr__(self) -> str:
        columns = ", ".join(f"{name}: {column.dtype}" for name, column in self.items())
        return f"Table({self.rows} rows of {columns})"


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
