"""The model."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._designs import Plan, StreamPlan
from ._errors import UsageError
from ._pace import Pace
from ._progress import Progress, told
from ._table import Table
from ._words import words


# The facts of a run that are attributes.
COUNTED = ("cycles", "cycles_total", "delivered", "duplicates", "missing", "misrouted", "conflicts")


@dataclass(frozen=True, eq=False)
class Run:
    """How an exchange went.

    Attributes:
        ok: every message arrived where it should, without a conflict.
        received: of the payload's dtype, row = receiver, column = source: the transpose of the payload if all went well. Of a streamed
            permutation: the words in the order in which they leave. None without a payload.
        cycles: clock cycle of the last delivery, of the phase that carries the messages; of a stream, clock cycles of a data set.
        cycles_total: clock cycles of all phases.
        delivered: pairs of terminals with a message that arrived.
        duplicates: messages that arrived again.
        missing: pairs whose message did not arrive.
        misrouted: messages that arrived at another terminal.
        conflicts: how often two messages asked for the same output of a switch.
        first_fault: the first thing that went wrong, with cycle and place.
        settings: every switch setting (columns of settings.csv), if asked for.
        deliveries: every delivery (columns of deliveries.csv; ``payload`` has the words), if asked for.
        seconds: wall time that the model took, in seconds: without words in and out.
        report: what ``frit simulate --format json`` prints, as Python values.
    """

    ok: bool
    received: NDArray[Any] | None
    cycles: int
    cycles_total: int
    delivered: int
    duplicates: int
    missing: int
    misrouted: int
    conflicts: int
    first_fault: str | None
    settings: Table | None
    deliveries: Table | None
    seconds: float
    report: dict[str, Any]


def simulate(
    plan: Plan | StreamPlan,
    payload: ArrayLike | None = None,
    *,
    width: int | None = None,
    exchanges: int = 1,
    settings: bool = False,
    deliveries: bool = False,
    pace: Pace | None = None,
    progress: Progress = None,
) -> Run:
    """Runs the model of an exchange: ``simulate(plan("rls", 32), payload=a).received`` is ``a.T``.

    The interpreter's lock is free while the model runs, and Ctrl-C ends it.

    Args:
        plan: the plan to run.
        payload: the words, of shape [n, n] (row = source), of any dtype whose items have a fixed size of at most 1024 bits. Of a
            streamed permutation: one data set, of any shape.
        width: bits of a word (default: the bits of the dtype; without a payload the width of the plan).
        exchanges: number of exchanges, one after the other without a gap (1 to 1000).
        settings: keep every switch setting.
        deliveries: keep every delivery.
        pace: adds ``time_us`` and ``gb_per_s`` to the report (not of a streamed permutation).
        progress: called some times a second with the rounds done and the rounds in all. An exception in it ends the run. Without one a
            notebook shows a line for work of more than a second; False shows nothing.

    Raises:
        UsageError: a payload of another shape, too many words, or too little memory.
    """
    if isinstance(plan, StreamPlan):
        if pace is not None:
            raise UsageError("pace applies to exchanges and demands; leave it out")
        return _stream(plan, payload, width, exchanges, settings or deliveries)
    if not 1 <= exchanges <= 1000:
        raise UsageError(f"exchanges is {exchanges}; give 1 to 1000")
    sent = None if payload is None else words(payload, (plan.n, plan.n), width)
    bits = sent.width if sent else (plan.width if width is None else width)
    if not 1 <= bits <= 1024:
        raise UsageError(f"width is {bits}; give a width from 1 to 1024 bits")
    with told(progress, f"simulate {plan.name}") as tell:
        ok, seconds, text, received, set_, delivered = plan._run(
            sent.limbs() if sent else None, bits, exchanges, settings=settings, deliveries=deliveries, progress=tell
        )
    report = json.loads(text)
    if pace is not None:
        report = pace.add(report, "delivered", "cycles_total")
    if delivered is not None:
        carried = delivered.pop("payload")
        if sent:
            delivered["payload"] = sent.back(cast("NDArray[np.uint8]", carried), (-1,))
    return Run(
        ok=ok,
        received=None if sent is None or received is None else sent.back(received, (plan.n, plan.n)),
        **{name: report[name] for name in COUNTED},
        first_fault=report.get("first_fault"),
        settings=None if set_ is None else Table(set_),
        deliveries=None if delivered is None else Table(delivered),
        seconds=seconds,
        report=report,
    )


def _stream(plan: StreamPlan, payload: ArrayLike | None, width: int | None, exchanges: int, traces: bool) -> Run:
    """Data sets through the bare switches and memories, every word compared with its place."""
    if width is not None or exchanges != 1 or traces:
        raise UsageError(f"width, exchanges, settings and deliveries do not apply to {plan.system}, through which words stream")
    begun = time.perf_counter()
    report = json.loads(plan._native.check())
    fault = report.get("first_fault")
    received = None
    if payload is not None:
        array = np.asarray(payload)
        if array.size != plan.words:
            raise UsageError(f"payload has {array.size} words, but a data set of {plan.name} has {plan.words}")
        received = array.reshape(-1)[plan.sources()]
        if plan.matrix is not None:
            rows, columns = plan.matrix
            received = received.reshape(columns, rows)
    return Run(
        ok=fault is None,
        received=received,
        **dict.fromkeys(COUNTED, 0) | {"cycles": plan.cycles, "cycles_total": plan.cycles, "delivered": plan.words if fault is None else 0},
        first_fault=fault,
        settings=None,
        deliveries=None,
        seconds=time.perf_counter() - begun,
        report=report,
    )
