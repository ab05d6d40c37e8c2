"""The command ``frit``: ``python -m fritillary simulate rls -n 16``."""

import os
import signal
import sys

from ._native import command


def main() -> None:
    """Runs the command with the arguments of this process, and ends the process with its exit code."""
    # The command has handlers of its own, which leave no unfinished files; Python's would wait for the end of the command.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    code = command(sys.argv[1:])
    # Python would close a stdout that the command has replaced.
    os._exit(code)


if __name__ == "__main__":
    main()
