"""Parses, elaborates and analyses Verilog with slang: any diagnostic is printed and is a failure.

Usage: .tools/venv/bin/python scripts/slang_lint.py TOP FILE...

The top `-`: every module is one.
"""

import sys

from pyslang import driver


def main(top: str, files: list[str]) -> int:
    """Returns 0 when slang has nothing to say about the files."""
    slang = driver.Driver()
    slang.addStandardArgs()
    tops = [] if top == "-" else ["--top", top]
    # By themselves cells have their smallest widths: a shift by more than those (frit_side_size) is what is meant.
    waived = ["-Wno-shift-count-overflow"] if top == "-" else []
    arguments = ["slang", *tops, "-Weverything", "-Werror", *waived, *files]
    if not slang.parseCommandLine(" ".join(arguments)) or not slang.processOptions():
        return 2
    # Without this, runFullCompilation elaborates nothing.
    parsed = slang.parseAllSources()
    return 0 if slang.runFullCompilation(quiet=True) and parsed else 1


if __name__ == "__main__":
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
