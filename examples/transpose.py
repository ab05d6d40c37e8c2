#!/usr/bin/env python3
"""transpose.py MATRIX RECEIVED...: is each RECEIVED the transpose of MATRIX, by definition? Exit code 1 if not.

Files are CSV of words. Words are compared as numbers in base 16.
"""
import csv
import sys


def words(path):
    with open(path, newline="") as file:
        return [[int(word, 16) for word in row] for row in csv.reader(file)]


def main():
    matrix, bad = words(sys.argv[1]), 0
    expected = [list(column) for column in zip(*matrix)]
    for path in sys.argv[2:]:
        received = words(path)
        where = [
            (r, c)
            for r, row in enumerate(expected)
            for c, word in enumerate(row)
            if r >= len(received) or c >= len(received[r]) or received[r][c] != word
        ]
        bad += bool(where) or len(received) != len(expected)
        verdict = f"differs first in row {where[0][0]}, column {where[0][1]}" if where else "is the transpose"
        print(f"{path}: {verdict}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
