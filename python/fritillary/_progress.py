"""What a notebook shows of work that takes more than a second: how far it is, and for how long it runs."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

#: Called with the parts done and the parts in all. ``False``: nothing is shown, in a notebook either.
Progress = Callable[[int, int], object] | Literal[False] | None

#: Seconds until something is shown, and between two changes of it.
FIRST, NEXT = 1.0, 0.5


#: "no" in this variable of the environment: nothing is shown, for notebooks whose outputs are compared.
VARIABLE = "FRITILLARY_PROGRESS"


def in_notebook() -> bool:
    """Whether a kernel runs this: a notebook, and no program and no terminal."""
    if os.environ.get(VARIABLE) == "no":
        return False
    shell = sys.modules.get("IPython")
    found = shell.get_ipython() if shell is not None else None
    return getattr(found, "kernel", None) is not None


def line(what: str, done: int, total: int, seconds: float) -> str:
    """``simulate rls_n64: 40 % of 64, 3 s``; without a total the seconds alone."""
    part = f"{100 * done // total} % of {total}, " if total > 0 else ""
    return f"{what}: {part}{seconds:.0f} s"


class _Line:
    """A line below the cell that changes, and goes when the work is done."""

    def __init__(self, what: str) -> None:
        self._what, self._begun = what, time.monotonic()
        self._done = (0, 0)
        self._ended = threading.Event()
        # The interpreter's lock is free while the extension module works.
        self._thread = threading.Thread(target=self._show, daemon=True)
        self._thread.start()

    def __call__(self, done: int, total: int) -> None:
        self._done = (done, total)

    def _show(self) -> None:
        if self._ended.wait(FIRST):
            return
        display: Any = sys.modules["IPython.display"]
        shown = display.display({"text/plain": self._text()}, raw=True, display_id=True)
        while not self._ended.wait(NEXT):
            shown.update({"text/plain": self._text()}, raw=True)
        shown.update({"text/plain": ""}, raw=True)

    def _text(self) -> str:
        return line(self._what, *self._done, time.monotonic() - self._begun)

    def end(self) -> None:
        self._ended.set()
        self._thread.join()


@contextmanager
def told(progress: Progress, what: str) -> Iterator[Callable[[int, int], object] | None]:
    """What to call with the progress of work: ``progress`` if one is given, in a notebook a line below the cell, else nothing."""
    if progress is not None or not in_notebook():
        yield progress or None
        return
    shown = _Line(what)
    try:
        yield shown
    finally:
        shown.end()
