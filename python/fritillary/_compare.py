"""Systems side by side."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import _arguments as arguments
from ._process import command
from ._table import Table, of_rows


@dataclass(frozen=True, eq=False)
class Comparison:
    """Designs or planners side by side.

    Attributes:
        ok: every exchange that was run was complete.
        rows: a column for each member of the rows that ``frit compare --format json`` prints (docs/formats.md): int64, or float64 where
            there are fractions or gaps (nan), bool, str, or objects.
        report: all that the command prints, as Python values.
    """

    ok: bool
    rows: Table
    report: dict[str, Any]


def compared(given: Sequence[str]) -> Comparison:
    """The comparison of these arguments of ``frit compare``."""
    ok, text = command(["compare", *given, "--format", "json"])
    report = json.loads(text)
    return Comparison(ok, of_rows(report["rows"]), report)


def compare(n: int, systems: Sequence[str] | None = None, *, stream: Sequence[str] | None = None, **flags: Any) -> Comparison:
    """Compares systems of one size: ``compare(16, ["rls", "obf"]).rows.cycles``. ``Demand.compare`` compares planners of a demand.

    The command runs as a process of its own (``python -m fritillary compare``); Ctrl-C ends it.

    Args:
        n: number of terminals.
        systems: keys of systems; all without them.
        stream: in place of exchanges the forms of a streamed permutation with n words a cycle: its key, then options as ``"rows=8"``.
        flags: the arguments of ``frit compare``, with underscores: ``sort="cycles"``, ``plot="plot.svg"``, ``synth="ecp5-25k"``,
            ``permutation=True``, ``relation=4``.

    Raises:
        UsageError: the command refuses the same input.
        MissingToolError: a tool for ``synth`` is missing.
    """
    given = ["-n", str(n), *arguments.flags({"systems": systems, **flags})]
    return compared([*given, *(["--stream", *stream] if stream else [])])
