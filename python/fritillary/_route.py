"""Traffic on any system."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments as arguments
from . import _native
from ._errors import UsageError
from ._progress import Progress, told
from ._table import Table, lists


@dataclass(frozen=True, eq=False)
class Routed:
    """How traffic was routed.

    Attributes:
        ok: every message arrived, and closed forms agree.
        points: the figures of each seed: steps, delivered, and more (docs/formats.md).
        events: for each kind of event its columns (uint32), if asked for: the columns of ``frit route --events``, and ``order``, the place of
            the event among all events. The column of a list holds an array for each event.
        report: what ``frit route --format json`` prints, as Python values.
    """

    ok: bool
    points: list[dict[str, Any]]
    events: dict[str, Table] | None
    report: dict[str, Any]

    @property
    def steps(self) -> int:
        """Steps of the only run; of the multibutterfly, phases of all columns. Of several seeds: the most of all runs."""
        return max(int(point.get("steps", point.get("stages", 0))) for point in self.points)

    @property
    def delivered(self) -> int:
        """Messages that arrived in all runs."""
        return sum(int(point["delivered"]) for point in self.points)


def _messages(messages: ArrayLike) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    array = np.asarray(messages)
    if array.dtype.kind not in "iu" or array.ndim != 2:
        raise UsageError(
            f"messages has the shape {list(array.shape)} and the dtype {array.dtype}; give whole numbers of the shape [messages, 2] "
            "(source, destination), or of the shape [messages, 3] with how often"
        )
    if array.shape[1] not in (2, 3):
        raise UsageError(f"messages has {array.shape[1]} columns; give 2 (source, destination) or 3 (with how often)")
    if array.size and (array.min() < 0 or array.max() >= 1 << 32):
        raise UsageError("messages has numbers below 0 or of more than 32 bits; give numbers of terminals")
    if array.shape[1] == 3:
        array = np.repeat(array[:, :2], array[:, 2].astype(np.intp), axis=0)
    array = array.astype(np.uint32)
    return np.ascontiguousarray(array[:, 0]), np.ascontiguousarray(array[:, 1])


def route(
    system: str | os.PathLike[str],
    n: int | None = None,
    messages: ArrayLike | None = None,
    *,
    traffic: str | os.PathLike[str] | None = None,
    per_source: int | None = None,
    hot: int | None = None,
    percent: int | None = None,
    seed: int | None = None,
    seeds: int | str | None = None,
    direct: bool = False,
    steps: bool = False,
    events: bool = False,
    progress: Progress = None,
    **options: Any,
) -> Routed:
    """Routes traffic over any system: ``route("dilated", 16, messages=[[0, 5], [3, 2]], events=True)``.

    The interpreter's lock is free meanwhile. Ctrl-C ends the call at once, and the run with its next step.

    Args:
        system: the key of a routed or planned system.
        n: number of terminals.
        messages: whole numbers of shape [messages, 2]: source and destination; a third column says how often. Each source sends its
            messages in their order.
        traffic: a kind of traffic, or the path of a file of packets, in place of messages (``frit route --help``).
        per_source: packets that each source sends.
        hot: the hot terminal of the traffic ``hot-spot``.
        percent: how many percent of the packets go there.
        seed: one seed.
        seeds: a number of seeds, or ``"FIRST..LAST"``.
        direct: dilated: no random intermediate rows.
        steps: the plain engine, or step by step where there is a closed form.
        events: keep what every switch or node did (routed systems, one seed).
        progress: called some times a second with the parts done and the parts in all, a thousand for each seed. An exception in it ends
            the call. Without one a notebook shows a line for work of more than a second; False shows nothing.
        options: the options of the system.

    Raises:
        UsageError: the command refuses the same input.
    """
    if messages is not None and traffic is not None:
        raise UsageError("messages and traffic were both given; give one of them")
    files = arguments.Files()
    given = ["route", *arguments.design(files, system, n, options)]
    pairs = None
    if messages is not None:
        pairs = _messages(messages)
        traffic = "messages"
    flags = {
        "traffic": traffic, "per_source": per_source, "hot": hot, "percent": percent, "seed": seed, "seeds": seeds,
        "direct": direct, "steps": steps,
    }  # fmt: skip
    with told(progress, f"route {system}") as tell:
        ok, text, found = _native.route([*given, *arguments.flags(flags)], pairs, events, tell)
    report = json.loads(text)
    return Routed(ok, report["points"], {kind: _table(columns) for kind, columns in found} if events else None, report)


def _table(columns: dict[str, NDArray[np.uint32]]) -> Table:
    ends = columns.pop("ends", None)
    found: dict[str, NDArray[Any]] = dict(columns)
    if ends is not None:
        last = list(columns)[-1]
        found[last] = lists(columns[last], ends)
    return Table(found)
