"""What the tests share: the command ``frit``, run as a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Frit:
    """The command: that of the environment variable FRIT, or the one that the package brings."""

    def __init__(self) -> None:
        given = os.environ.get("FRIT")
        self.command = [given] if given else [sys.executable, "-m", "fritillary"]

    def run(self, *arguments: str | os.PathLike[str]) -> subprocess.CompletedProcess[str]:
        command = [*self.command, *map(os.fspath, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def json(self, *arguments: str | os.PathLike[str]) -> Any:
        done = self.run(*arguments, "--format", "json")
        assert done.returncode in (0, 1), done.stderr
        return json.loads(done.stdout)

    def error(self, *arguments: str | os.PathLike[str]) -> str | None:
        """The text of the error, if the command refuses its arguments."""
        done = self.run(*arguments)
        return done.stderr.strip().removeprefix("error: ") if done.returncode in (2, 3) else None


@pytest.fixture(scope="session")
def frit() -> Frit:
    return Frit()


counts: dict[str, int] = {}


@pytest.fixture(scope="session")
def count() -> dict[str, int]:
    """How many comparisons of each kind were made; the end of the report says it."""
    return counts


def pytest_terminal_summary(terminalreporter: Any) -> None:
    for kind, number in sorted(counts.items()):
        terminalreporter.write_line(f"equal to the command: {number} {kind}")
    if counts:
        terminalreporter.write_line(f"equal to the command: {sum(counts.values())} comparisons in all")
