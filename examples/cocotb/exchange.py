#!/usr/bin/env python3
"""Runs test_exchange.py on a design: exchange.py [--sim icarus] rls 8 16 [KEY=VALUE ...]; system, terminals, bits of a word, options.

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
parser.add_argument("-o", "--output", type=Path, default=Path("out/cocotb-exchange"), help="folder for all files")
parser.add_argument("system")
parser.add_argument("terminals", type=int)
parser.add_argument("width", type=int)
parser.add_argument("options", nargs="*", metavar="KEY=VALUE")
given = parser.parse_args()
options = dict(option.split("=", 1) for option in given.options)
module = Path(__file__).with_name("test_exchange.py")
try:
    tests, failed = run_tests(given.system, given.terminals, given.width, module, given.output, sim=given.sim, options=options)
except fritillary.UsageError as error:
    print(f"exchange.py: {error}", file=sys.stderr)
    sys.exit(2)
print(f"{given.system} under {given.sim}: {tests - failed} of {tests} tests passed")
sys.exit(1 if failed or not tests else 0)
