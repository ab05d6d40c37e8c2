"""Parses, elaborates and analyses Verilog with slang: any diagnostic is printed and is a failure.

Usage: .tools/venv/bin/python scripts/slang_lint.py TOP FILE...
"""

import sys

from pyslang import driver


def main(top: str, files: list[str]) -> int:
    """Returns 0 when slang has nothing to say about the files."""
    slang = driver.Driver()
    slang.addStandardArgs()
    arguments = ["slang", "--top", top, "-Wextra", "-Werror", *files]
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
