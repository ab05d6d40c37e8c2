#!/usr/bin/env python3
"""Runs test_axis.py on a design that frit generates: run.py [--sim icarus] rls -n 4 -w 8 [--length 3] [--tkeep] ...

Run it with the Python that has cocotb; in the repository of Fritillary
    scripts/with-tools cocotb-python examples/cocotb/run.py rls -n 4 -w 8
Exit code: 0 every test passed, 1 one did not, 2 or more: frit did not make the design, and says why.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

HERE = Path(__file__).resolve().parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sim", choices=["icarus", "verilator"], default="icarus")
    parser.add_argument("--frit", default=os.environ.get("FRIT", "frit"), help="the frit program (default: $FRIT, or frit)")
    parser.add_argument("-o", "--output", type=Path, default=Path("out/cocotb"), help="folder for all files")
    parser.add_argument("--seed", type=int, default=1, help="of the words and of the stalls")
    return parser.parse_known_args()


def design(frit, request, folder):
    """What `frit generate --axis --port-style axis` says of the design that it writes (docs/formats.md)."""
    command = [frit, "generate", *request, "--axis", "--port-style", "axis", "-o", str(folder), "--format", "json"]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(run.returncode)  # frit has said why
    return json.loads(run.stdout)


def main():
    options, request = arguments()
    if not request:
        sys.exit("run.py: which system? For example: run.py rls -n 4 -w 8")
    folder = options.output.resolve() / "rtl"
    made = design(options.frit, request, folder)
    streams = made["streams"]
    bundles = streams["bundles"]
    runner = get_runner(options.sim)
    verilator = ["--timescale", "1ns/1ps", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"]
    runner.build(
        sources=[folder / file for file in streams["files"]],
        hdl_toplevel=streams["module"],
        build_dir=options.output.resolve() / options.sim,
        build_args=verilator if options.sim == "verilator" else ["-g2012"],
        timescale=("1ns", "1ps"),
        always=True,
    )
    results = runner.test(
        hdl_toplevel=streams["module"],
        test_module="test_axis",
        test_dir=HERE,
        seed=options.seed,
        build_dir=options.output.resolve() / options.sim,
        results_xml=str(options.output.resolve() / options.sim / "results.xml"),
        extra_env={
            "FRIT_TERMINALS": str(streams["terminals"]),
            "FRIT_DATA_BITS": str(bundles["data_bits"]),
            "FRIT_USER_BITS": str(bundles["user_bits"]),
            "FRIT_KEEP": str(int(bundles["keep"])),
            "FRIT_RESET": bundles["reset"],
            "FRIT_REGISTERS": json.dumps(bundles["registers"]),
            "FRIT_WORDS": str(streams["words"]),
            "FRIT_CYCLES": str(streams["cycles"]),
            "FRIT_SEED": str(options.seed),
        },
    )
    tests, failed = get_results(results)
    print(f"{made['design']} under {options.sim}: {tests - failed} of {tests} tests passed")
    sys.exit(1 if failed or not tests else 0)


if __name__ == "__main__":
    main()
