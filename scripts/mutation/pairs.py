"""Whether two copies of a design without data inputs, the self-test, ever show anything else: the states that both reach are visited,
one after the other, until no pair of them is new (pairs.cpp).

The design's own states are visited once and kept. A visit of both starts from each of them, in which the copies hold the same: so the
states that a healthy copy passes on the way, a report of some thousand cycles for each seed, stand beside each other in a word. If the
copies differ behind one of these states, which the mutant may not reach, or have too many behind them (a mutant that holds a seed in
another form never holds the same), a visit from the reset on decides.
"""
import pathlib
import subprocess
import tempfile
import threading

from .graphs import NONE
from .tools import run, tool

# With more states than this nothing is said.
MOST = 3_000_000


class Pairs:
    """Of the mutants of a design in a folder."""

    def __init__(self, folder):
        self.folder, self.states, self.program, self.lock, self.compiling = folder, {}, None, threading.Lock(), threading.Lock()

    def prove(self, graph, number, again):
        """`equal`, `differs` or `open`, and why; `again` if the graph is that of other mutants, too."""
        both = graph.miter(NONE, number)
        if both is None:
            return "equal", "structure of both"
        said, count = self.visit(both, *(["from", self.states_of(graph)] if again else []))
        if again and said != "never":
            said, count = self.visit(both)
        if said == "seen":
            return "differs", f"after {count} cycles"
        if said == "never":
            return "equal", f"{count} states of both" if count else "the same in each state"
        return "open", f"more than {MOST} states of both"

    def states_of(self, graph):
        """The file of the states of a graph's design; made once."""
        with self.lock:
            if graph not in self.states:
                file = self.folder / f"states{len(self.states)}"
                if self.visit(graph.alone(), "to", file)[0] != "never":
                    raise RuntimeError(f"{self.folder}: the design has more than {MOST} states")
                self.states[graph] = file
            return self.states[graph]

    def visit(self, graph, *states):
        """What pairs.cpp says: a word and a number."""
        with self.compiling:
            if not self.program:
                self.program, source = self.folder / "pairs", pathlib.Path(__file__).with_suffix(".cpp")
                run([tool("c++", "g++", "clang++"), "-O2", "-std=c++17", "-o", self.program, source], self.folder, "pairs.cpp")
        with tempfile.NamedTemporaryFile(suffix=".aig", dir=self.folder) as file:
            file.write(graph)
            file.flush()
            said = run([self.program, file.name, str(MOST), *map(str, states)], self.folder, "pairs").split()
            return said[0], int(said[1])
