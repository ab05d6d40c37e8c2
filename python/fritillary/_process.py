"""The command ``frit`` as a process of its own, which can be ended."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from ._errors import FritillaryError, MissingToolError, UsageError


def command(given: Sequence[str]) -> tuple[bool, str]:
    """Runs the command as a process of its own, which ends its simulators when it is ended."""
    program = [sys.executable, "-m", "fritillary", *given]
    with subprocess.Popen(program, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            text, errors = process.communicate()
        except BaseException:
            process.terminate()
            process.wait()
            raise
    if process.returncode in (0, 1):
        return process.returncode == 0, text
    error = errors.strip().removeprefix("error: ")
    kinds: dict[int, type[FritillaryError]] = {2: UsageError, 3: MissingToolError}
    raise kinds.get(process.returncode, FritillaryError)(error or f"frit ended with code {process.returncode}")
