#!/usr/bin/env python3
"""Writes matrix.csv: the 32 x 32 matrix of the orthonormal DCT-II in fixed point (Q2.30, two's complement).

A separable two-dimensional transform multiplies by this matrix, transposes, and multiplies again: the transpose is
the all-to-all exchange. Row = source, column = destination, 8 hexadecimal digits a word.
"""
import math
from pathlib import Path

N = 32
rows = []
for k in range(N):
    scale = math.sqrt((1 if k == 0 else 2) / N)
    words = (round(scale * math.cos(math.pi * (2 * i + 1) * k / (2 * N)) * 2**30) & 0xFFFFFFFF for i in range(N))
    rows.append(",".join(f"{word:08x}" for word in words))
Path(__file__).with_name("matrix.csv").write_text("\n".join(rows) + "\n")
