"""Compiles SystemRDL with systemrdl-compiler and prints what it says, a line for each field, its columns parted by blanks:

register, its address and bytes, field, lowest and highest bit, sw, hw, onwrite, singlepulse, hwset, reset (- for none).

Usage: .tools/venv/bin/python registers.py FILE
"""

import sys

from systemrdl import RDLCompileError, RDLCompiler
from systemrdl.node import RegNode


def shown(value: object) -> str:
    """A property as one word; words of the language (sw = rw) are members of an enumeration."""
    if value is None:
        return "-"
    return str(getattr(value, "name", value))


def main(file: str) -> int:
    """Returns 0 if the file is SystemRDL of registers in one address map."""
    compiler = RDLCompiler()
    try:
        compiler.compile_file(file)
        top = compiler.elaborate().top
    except RDLCompileError:
        # The compiler has said where.
        return 1
    for register in top.children(unroll=True):
        if not isinstance(register, RegNode):
            print(f"{register.inst_name} is no register", file=sys.stderr)
            return 1
        for field in register.fields():
            properties = ["sw", "hw", "onwrite", "singlepulse", "hwset", "reset"]
            columns = [register.inst_name, register.absolute_address, register.size, field.inst_name, field.low, field.high]
            print(*columns, *(shown(field.get_property(name)) for name in properties))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
