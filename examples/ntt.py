#!/usr/bin/env python3
"""ntt.py: transforms whose orders are cores of `frit generate permute`, each compared with its definition. Exit code 1 if one differs.

1. A number-theoretic transform of 1,024 points modulo 2013265921 = 15 * 2^27 + 1: bit reversal, then ten columns of butterflies of neighbours with the
   same stride permutation behind each (M. Pease, 1968).
2. The automorphism x -> x^5 of polynomials modulo x^1024 + 1, as homomorphic encryption rotates its slots: between two transforms it is the order
   k -> 5k + 2 of the values, without a sign.
3. A Fourier transform of 1,008 = 7 * 9 * 16 points without twiddle factors (I. J. Good, 1958): its order in, a transform along each axis, and the Chinese
   remainder order out.

Every order runs through the bare switches and memories of its core. Needs the Python package: pip install ./python
"""
import sys

import numpy as np

import fritillary

LANES = 8
N = 1024
BITS = 10
Q = 15 * 2**27 + 1
#: A root of unity of order 2N: 31 generates the numbers that are not 0.
PSI = pow(31, (Q - 1) // (2 * N), Q)


class Core:
    """A streamed permutation that moves arrays."""

    def __init__(self, **options):
        self.plan = fritillary.permute(LANES, **options)

    def __call__(self, values):
        # What moves are the numbers of the words: a word of the core may be narrower than a value.
        ran = fritillary.simulate(self.plan, payload=np.arange(self.plan.words, dtype=np.uint32))
        if not ran.ok:
            raise SystemExit(f"{self.plan.name} brought a word to a wrong place")
        return np.asarray(values)[np.ravel(ran.received)]

    def __str__(self):
        facts = self.plan.facts
        return f"{self.plan.name}: {facts['switches']} switches, latency {self.plan.latency}, {self.plan.cycles} cycles a data set"


def powers(root, count):
    """root^0, root^1, ... modulo Q."""
    found = np.ones(count, np.uint64)
    for at in range(1, count):
        found[at] = found[at - 1] * np.uint64(root) % np.uint64(Q)
    return found


def transform(values, root, reverse, turn):
    """The values at the powers of the root: sum of values[i] * root^(i k), modulo Q."""
    q, at = np.uint64(Q), np.arange(N)
    roots, data = powers(root, N), reverse(values)
    for column in range(BITS):
        # Position p has the word whose number is p rotated to the left by the columns so far.
        number = ((at << column) | (at >> (BITS - column))) & (N - 1)
        exponent = (number[::2] % (1 << column)) << (BITS - 1 - column)
        even, odd = data[::2], data[1::2] * roots[exponent] % q
        data = np.stack([(even + odd) % q, (even + q - odd) % q], axis=1).reshape(N)
        data = turn(data)
    return data


def by_definition(values, root):
    roots = powers(root, N)
    exponents = np.outer(np.arange(N), np.arange(N)) % N
    return (roots[exponents] * values[None, :] % np.uint64(Q)).sum(axis=1) % np.uint64(Q)


def main():
    reverse = Core(kind="bitrev", words=N)
    turn = Core(kind="stride", words=N, stride=N // 2)
    rotate = Core(kind="affine", words=N, a=5, c=2, inverse="yes")
    good = Core(kind="pfa", factors="7,9,16")
    chinese = Core(kind="crt", factors="7,9,16", inverse="yes")
    print(*(f"  {core}" for core in (reverse, turn, rotate, good, chinese)), sep="\n")
    random, q = np.random.default_rng(1), np.uint64(Q)
    values = random.integers(0, Q, N, dtype=np.uint64)
    checks = {}

    root = pow(PSI, 2, Q)
    checks["transform of 1,024 points"] = np.array_equal(transform(values, root, reverse, turn), by_definition(values, root))

    # Values of the polynomial at the odd powers of psi, in the order of the exponents 2k + 1.
    twist, back = powers(PSI, N), powers(pow(PSI, -1, Q), N)
    spectrum = rotate(transform(values * twist % q, root, reverse, turn))
    turned = transform(spectrum, pow(root, -1, Q), reverse, turn) * np.uint64(pow(N, -1, Q)) % q * back % q
    expected = np.zeros(N, np.uint64)
    for i, value in enumerate(values):
        sign, place = divmod(5 * i % (2 * N), N)
        expected[place] = (q - value) % q if sign else value
    checks["automorphism x -> x^5"] = np.array_equal(turned, expected)

    signal = random.standard_normal(1008) + 1j * random.standard_normal(1008)
    cube = np.fft.fftn(good(signal).reshape(7, 9, 16))
    checks["prime-factor transform of 1,008 points"] = np.allclose(chinese(cube.reshape(1008)), np.fft.fft(signal))

    for name, holds in checks.items():
        print(f"{name}: {'as by definition' if holds else 'DIFFERS'}")
    return 0 if all(checks.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
