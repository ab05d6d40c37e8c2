"""Words of an exchange: arrays of any dtype of a fixed size as bytes, and back."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._errors import UsageError

MOST_BITS = 1024


@dataclass(frozen=True, eq=False)
class Words:
    """The words of an exchange.

    Attributes:
        bytes: uint8, of one dimension: the words row by row, each of ``width`` bits in as few bytes as hold them, the lowest first.
        width: bits of a word.
        dtype: the dtype of the array that they come from.
    """

    bytes: NDArray[np.uint8]
    width: int
    dtype: np.dtype[Any]

    @property
    def size(self) -> int:
        """Bytes of a word."""
        return (self.width + 7) // 8

    def limbs(self) -> NDArray[np.uint8] | NDArray[np.uint64]:
        """The words as the model holds them, if their bytes are that already: not a copy. Else the bytes."""
        if self.width % 64 or sys.byteorder == "big":
            return self.bytes
        whole = self.bytes.view(np.uint64)
        return whole if whole.flags.aligned else self.bytes

    def back(self, received: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
        """Words as an array of this shape with the dtype of those that were sent; not a copy, unless words have spare bytes."""
        if self.size != self.dtype.itemsize:
            received = received.view(np.uint8)
            wide = np.zeros((received.size // self.size, self.dtype.itemsize), dtype=np.uint8)
            wide[:, : self.size] = received.reshape(-1, self.size)
            received = wide.reshape(-1)
        return received.view(self.dtype).reshape(shape)


def words(payload: ArrayLike, shape: tuple[int, ...], width: int | None) -> Words:
    """The words of an array; not a copy if it lies row by row in memory.

    Raises:
        UsageError: an array of another shape, or of objects, or whose words do not fit.
    """
    array = np.asarray(payload)
    if array.shape != shape:
        raise UsageError(f"payload has the shape {list(array.shape)}; give an array of the shape {list(shape)} (row = source)")
    dtype = array.dtype
    if dtype.hasobject or dtype.itemsize == 0:
        raise UsageError(f"payload has the dtype {dtype}; give an array whose items have a fixed size, such as uint32")
    bits = 8 * dtype.itemsize
    if bits > MOST_BITS:
        raise UsageError(f"payload has items of {bits} bits; give items of at most {MOST_BITS}")
    if width is not None and not 1 <= width <= bits:
        raise UsageError(f"width is {width}, but items of {dtype} have {bits} bits; give a width from 1 to {bits}")
    width = bits if width is None else width
    raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    size = (width + 7) // 8
    if size != dtype.itemsize:
        items = raw.reshape(-1, dtype.itemsize)
        if items[:, size:].any():
            raise UsageError(f"a word of payload does not fit into {width} bits; give a larger width")
        raw = np.ascontiguousarray(items[:, :size]).reshape(-1)
    return Words(raw, width, dtype)


def random_words(shape: tuple[int, ...], width: int, seed: int) -> NDArray[Any]:
    """Random words: unsigned numbers, or bytes of wide words."""
    size = next((size for size in (1, 2, 4, 8) if 8 * size >= width), 8 * ((width + 63) // 64))
    bits = np.random.default_rng(seed).integers(0, 2, (*shape, 8 * size), dtype=np.uint8)
    bits[..., width:] = 0
    packed = np.packbits(bits, axis=-1, bitorder="little")
    return packed.view(f"<u{size}" if size <= 8 else f"V{size}")[..., 0]


def word_numbers(raw: NDArray[np.uint8], size: int) -> list[int]:
    return [int.from_bytes(bytes(word), "little") for word in raw.reshape(-1, size)]


def word_bytes(numbers: list[int], size: int) -> NDArray[np.uint8]:
    return np.frombuffer(b"".join(number.to_bytes(size, "little") for number in numbers), dtype=np.uint8)
