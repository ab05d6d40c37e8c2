#!/usr/bin/env python3
"""Runs test_loaded.py on a Beneš network whose schedule is loaded: run.py [--sim icarus] [-n 8] [-w 16] [--entries 64].

Run it with a Python that has cocotb and the package of python/: pip install './python[cocotb]'
Exit code: 0 every test passed, 1 one did not, 2 the design does not exist.
"""

import argparse
import sys
from pathlib import Path

import fritillary
from fritillary.cocotb import run_tests

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--sim", choices=["icarus", "verilator"], default="icarus")
parser.add_argument("-o", "--output", type=Path, default=Path("out/cocotb-loaded"), help="folder for all files")
parser.add_argument("-n", "--terminals", type=int, default=8)
parser.add_argument("-w", "--width", type=int, default=16)
parser.add_argument("--entries", type=int, default=64, help="entries of a bank")
given = parser.parse_args()
module = Path(__file__).with_name("test_loaded.py")
try:
    # The testbench that frit writes beside the design runs this demand; the test has others.
    demand = fritillary.demand("zipf", given.terminals, words=3)
    tests, failed = run_tests(
        "benes", given.terminals, given.width, module, given.output, sim=given.sim, demand=demand, entries=given.entries
    )
except fritillary.UsageError as error:
    print(f"run.py: {error}", file=sys.stderr)
    sys.exit(2)
print(f"benes, loaded, under {given.sim}: {tests - failed} of {tests} tests passed")
sys.exit(1 if failed or not tests else 0)
