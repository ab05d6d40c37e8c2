"""Seconds and bytes beside cycles and words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import _native


@dataclass(frozen=True)
class Pace:
    """How long a cycle lasts, and how many bytes a word has: ``Pace(14336, link="400G").time_us(9632)``.

    Attributes:
        word_bytes: bytes of a word.
        link: bits a second that a terminal sends, as ``"400G"``: a cycle is the time of a word.
        clock: cycles a second, as ``"250M"``; one of the two is given.
    """

    word_bytes: int
    link: str | None = None
    clock: str | None = None

    def __post_init__(self) -> None:
        self.time_us(0)

    def time_us(self, cycles: float) -> float:
        """Microseconds of this number of cycles.

        Raises:
            UsageError: a link or a clock that is no rate, both, or neither.
        """
        return self._of(0, cycles)[0]

    def gb_per_s(self, words: int, cycles: float) -> float | None:
        """10^9 bytes a second of this number of words in this number of cycles; None for 0 cycles."""
        return self._of(words, cycles)[1]

    def _of(self, words: int, cycles: float) -> tuple[float, float | None]:
        return _native.pace(self.word_bytes, self.link, self.clock, words, cycles)

    def add(self, report: dict[str, Any], words: str, cycles: str) -> dict[str, Any]:
        """The report with the members ``time_us`` and ``gb_per_s`` of the words and cycles that it has by these names."""
        time, throughput = self._of(report[words], report[cycles])
        return {**report, "time_us": time, "gb_per_s": throughput}
