"""What the drivers for cocotb share: random words, random pauses, lanes of packed ports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Mismatch(AssertionError):
    """The design differs from the model; the text says in which cycle and where."""


def random_words(shape: tuple[int, ...], width: int, seed: int) -> NDArray[Any]:
    """Random words: unsigned numbers, or bytes of wide words."""
    size = next((size for size in (1, 2, 4, 8) if 8 * size >= width), 8 * ((width + 63) // 64))
    bits = np.random.default_rng(seed).integers(0, 2, (*shape, 8 * size), dtype=np.uint8)
    bits[..., width:] = 0
    packed = np.packbits(bits, axis=-1, bitorder="little")
    return packed.view(f"<u{size}" if size <= 8 else f"V{size}")[..., 0]


def drawn(state: int) -> int:
    state ^= state << 13 & 0xFFFFFFFF
    state ^= state >> 17
    return state ^ (state << 5 & 0xFFFFFFFF)


def lanes(port: Any, bits: int, of: Sequence[int]) -> list[int]:
    """The numbers of some lanes of a packed port, of which the others may be unknown."""
    text = str(port.value)
    found = [text[len(text) - (lane + 1) * bits : len(text) - lane * bits] for lane in of]
    if any(set(number) - {"0", "1"} for number in found):
        raise Mismatch(f"{port._name} has bits that are neither 0 nor 1: {text}")
    return [int(number, 2) for number in found]


def word_numbers(raw: NDArray[np.uint8], size: int) -> list[int]:
    return [int.from_bytes(bytes(word), "little") for word in raw.reshape(-1, size)]


def word_bytes(numbers: list[int], size: int) -> NDArray[np.uint8]:
    return np.frombuffer(b"".join(number.to_bytes(size, "little") for number in numbers), dtype=np.uint8)
