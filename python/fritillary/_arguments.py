"""From Python values to the arguments of the command ``frit``."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ._errors import UsageError


class Files:
    """Files for values that the command reads from files. They are deleted when no object refers to them."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def write(self, name: str, contents: bytes) -> str:
        """Writes a file, and gives its path."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="fritillary-")
        path = Path(self._folder.name) / name
        path.write_bytes(contents)
        return str(path)


def whole(key: str, given: int, most: int, what: str) -> int:
    """A whole number from 0 to ``most`` for the extension module, which takes no other; ``what`` says which numbers are allowed."""
    if not 0 <= given <= most:
        raise UsageError(f"{key} is {given}; give {what}")
    return given


def name(key: str) -> str:
    """The name of an option: ``per_input`` is ``per-input``."""
    return key.replace("_", "-")


#: Options that are several numbers, and what stands between them.
_LISTS = {"factors": ",", "shape": "x", "axes": ","}


def value(files: Files, key: str, given: Any) -> str:
    """An option's value as text. Sequences of numbers become files of numbers, mappings become JSON files."""
    if isinstance(given, (bool, np.bool_)):
        return "yes" if given else "no"
    if isinstance(given, (str, os.PathLike)):
        return os.fspath(given)
    if key in _LISTS and not np.ndim(given) == 0:
        return _LISTS[key].join(str(int(number)) for number in np.ravel(given))
    if isinstance(given, Mapping):
        return files.write(f"{key}.json", json.dumps(given).encode())
    if isinstance(given, (np.ndarray, list, tuple, range)):
        rows = np.atleast_2d(np.asarray(given))
        if rows.dtype.kind == "b":
            rows = rows.astype(np.uint8)
        if rows.dtype.kind not in "iu" or rows.ndim != 2:
            raise UsageError(f"{key} is an array of {rows.dtype}; give whole numbers, in one dimension or two")
        text = "".join(" ".join(map(str, row)) + "\n" for row in rows.tolist())
        return files.write(f"{key}.txt", text.encode())
    return str(given)


def design(files: Files, system: str | os.PathLike[str], n: int | None, options: Mapping[str, Any]) -> list[str]:
    """The arguments that name a design."""
    given = [os.fspath(system)]
    if n is not None:
        given += ["-n", str(n)]
    for pair in pairs(files, options):
        given += ["--set", pair]
    return given


def pairs(files: Files, options: Mapping[str, Any]) -> list[str]:
    """The options of a system, each as ``key=value``."""
    return [f"{name(key)}={value(files, key, given)}" for key, given in options.items() if given is not None]


def flags(given: Mapping[str, Any]) -> list[str]:
    """Arguments of a command: ``axis=True`` is ``--axis``, ``cells="prefix"`` is ``--cells prefix``; None and False are left out."""
    found: list[str] = []
    for key, one in given.items():
        if one is None or one is False:
            continue
        if one is True:
            found.append(f"--{name(key)}")
        elif isinstance(one, (list, tuple)):
            found += [f"--{name(key)}", ",".join(map(str, one))]
        else:
            found += [f"--{name(key)}", os.fspath(one) if isinstance(one, os.PathLike) else str(one)]
    return found
