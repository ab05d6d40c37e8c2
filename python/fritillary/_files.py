"""Writes and compares files: Verilog, verification, waveforms and traces."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from . import _arguments as arguments
from . import _demand
from ._designs import Design, Plan
from ._errors import UsageError
from ._process import command
from ._words import words


@dataclass(frozen=True)
class Generated:
    """Files that were written.

    Attributes:
        design: the name of the design, with which its modules begin.
        folder: where the files are.
        files: their names below the folder.
        report: what ``frit generate --format json`` prints, as Python values.
    """

    design: str
    folder: Path
    files: tuple[str, ...]
    report: dict[str, Any]


def _payload(
    files: arguments.Files, design: Design, payload: ArrayLike | str | os.PathLike[str], width: int | None
) -> tuple[str, int | None]:
    """The argument ``--payload``, and the width."""
    if isinstance(payload, (str, os.PathLike)):
        return os.fspath(payload), width
    if not isinstance(design, Plan):
        raise UsageError("payload does not apply to a routed or streamed system; leave it out")
    sent = words(payload, (design.n, design.n), width)
    return files.write("payload.bin", sent.bytes.tobytes()), sent.width


def generate(
    plan: Design,
    width: int | None,
    folder: str | os.PathLike[str],
    *,
    payload: ArrayLike | str | os.PathLike[str] | None = None,
    **flags: Any,
) -> Generated:
    """Writes Verilog, testbench, tables, file lists and a Makefile, byte for byte as ``frit generate`` does.

    The command runs as a process of its own (``python -m fritillary generate``); Ctrl-C ends it, and leaves no unfinished file.

    Args:
        plan: a design of ``plan``, ``permute``, ``transpose`` or ``routed``.
        width: bits of a word; None for the width of the payload, of the design file, or 32.
        folder: where to write.
        payload: the words of the testbench: an array of shape [n, n] (row = source), or a path.
        flags: the arguments of ``frit generate``, with underscores: ``axis=True``, ``cells="prefix"``, ``force=True``, ``seed=3``.
            ``demand``, for ``plan("benes", n)``, makes a network whose schedule is loaded: a ``Demand``, words of each pair, or a path.

    Raises:
        UsageError: the command refuses the same input.
    """
    files = arguments.Files()
    if payload is not None:
        flags["payload"], width = _payload(files, plan, payload, width)
    if flags.get("demand") is not None:
        flags["demand"] = _demand.file(files, flags["demand"])
    given = ["generate", *plan.arguments, *arguments.flags({"width": width, **flags}), "-o", os.fspath(folder), "--format", "json"]
    _, text = command(given)
    report = json.loads(text)
    return Generated(report["design"], Path(folder), tuple(report["files"]), report)


@dataclass(frozen=True)
class Engine:
    """One engine of a verification.

    Attributes:
        name: ``model``, ``rust_hdl``, ``verilator`` or ``icarus``.
        ran: whether it ran.
        agrees: whether it did in every cycle what the model does; None if it did not run.
        reason: why it did not run.
        first_difference: cycle, signal, and both values, if it differs.
        report: its member of the command's JSON.
    """

    name: str
    ran: bool
    agrees: bool | None
    reason: str | None
    first_difference: dict[str, Any] | None
    report: dict[str, Any]


@dataclass(frozen=True)
class Verification:
    """The report of a verification.

    Attributes:
        ok: all engines that ran agree (or every proof holds).
        design: the name of the design.
        engines: the engines by name; empty where the report has none (``formal=True``).
        report: what ``frit verify --format json`` prints, as Python values.
    """

    ok: bool
    design: str | None
    engines: dict[str, Engine]
    report: dict[str, Any]


def verify(
    plan: Design,
    width: int | None = None,
    *,
    engines: Sequence[str] | None = None,
    require: Sequence[str] | None = None,
    folder: str | os.PathLike[str] | None = None,
    payload: ArrayLike | str | os.PathLike[str] | None = None,
    **flags: Any,
) -> Verification:
    """Runs model, rust-hdl and every simulator found, and compares them cycle by cycle.

    The command runs as a process of its own (``python -m fritillary verify``); Ctrl-C ends it and its simulators.

    Args:
        plan: a design of ``plan``, ``permute``, ``transpose`` or ``routed``.
        width: bits of a word; None for the width of the payload, of the design file, or 32.
        engines: ``rust-hdl``, ``verilator``, ``icarus``; by default all that can run.
        require: engines that must run.
        folder: keep all files in this folder.
        payload: the words: an array of shape [n, n] (row = source), or a path.
        flags: the arguments of ``frit verify``, with underscores: ``fault="inverted-control:2:1"``, ``wave="none"``, ``formal=True``.
            ``demand``, for ``plan("benes", n)``, as for ``generate``.

    Raises:
        UsageError: the command refuses the same input.
        MissingToolError: an engine that must run has no tool.
    """
    files = arguments.Files()
    if payload is not None:
        flags["payload"], width = _payload(files, plan, payload, width)
    if flags.get("demand") is not None:
        flags["demand"] = _demand.file(files, flags["demand"])
    asked = {"width": width, "engines": engines, "require": require, "output": folder, **flags}
    ok, text = command(["verify", *plan.arguments, *arguments.flags(asked), "--format", "json"])
    report = json.loads(text)
    found = {key: _engine(key, member) for key, member in report.items() if isinstance(member, dict) and "ran" in member}
    return Verification(ok, report.get("design"), found, report)


def _engine(name: str, member: dict[str, Any]) -> Engine:
    return Engine(
        name, member["ran"], member.get("agrees"), member.get("reason"), member.get("first_difference"), member
    )


@dataclass(frozen=True)
class Difference:
    """The difference between two waveforms or traces.

    Attributes:
        same: whether they are equal.
        report: what ``frit diff --format json`` prints, as Python values (docs/diff.md).
    """

    same: bool
    report: dict[str, Any]


def diff(a: str | os.PathLike[str], b: str | os.PathLike[str], **flags: Any) -> Difference:
    """Compares two waveforms (VCD, FST) or two traces (CSV): the first cycle in which they differ.

    The command runs as a process of its own (``python -m fritillary diff``); Ctrl-C ends it.

    Args:
        a: the reference.
        b: the file that is compared with the reference.
        flags: the arguments of ``frit diff``, with underscores: ``common=True``, ``ignore_reset=True``, ``context=5``.

    Raises:
        UsageError: files that cannot be compared.
    """
    same, text = command(["diff", os.fspath(a), os.fspath(b), *arguments.flags(flags), "--format", "json"])
    return Difference(same, json.loads(text))
