"""A design, its mutants and what is known of them, in a folder."""
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess

from . import changes, proofs
from .tools import ROOT, run, tool, yosys

# Seconds that a testbench of a mutant may take: one that goes on for ever has not passed.
PATIENCE = 300
# Not mutated: a graph of gates and registers has no clock, so nothing could be proved of its mutants.
CLOCK = re.compile(r"-port (CLK|clk_i) ")
# The tops that `frit generate` writes beside D_exchange: the option, and the end of the names of the top and its testbench.
TOPS = {"--axis": "_axis", "--selftest": "_selftest"}


class Design:
    def __init__(self, key, arguments, count, seed, frit):
        self.key, self.arguments, self.count, self.seed, self.frit = key, arguments.split(), count, seed, frit
        self.folder = ROOT / "out" / "mutants" / f"{key}-{count}-{seed}"
        self.results = self.folder / "results.jsonl"

    def prepare(self, again):
        """The design's text, its mutants, and both simulators' programs, unless they are there for this text."""
        if again:
            shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.generate()
        known, now = self.folder / "prepared", (self.folder / "rtl" / "SHA256SUMS").read_text() + own_text()
        if not known.exists() or known.read_text() != now:
            self.results.unlink(missing_ok=True)
            self.list_mutants()
            self.compile()
            known.write_text(now)
        self.mutants = json.loads((self.folder / "mutants.json").read_text())

    def generate(self):
        shutil.rmtree(self.folder / "rtl", ignore_errors=True)
        run([self.frit, "generate", *self.arguments, "-o", self.folder / "rtl"], ROOT, "frit generate")
        end = next((end for option, end in TOPS.items() if option in self.arguments), "")
        name = min((self.folder / "rtl").glob("tb_*.sv"), key=lambda path: len(path.name)).stem.removeprefix("tb_")
        self.top, self.tb = name + (end or "_exchange"), f"tb_{name}{end}"
        lines = (self.folder / "rtl" / f"{name}{end}.f").read_text().splitlines()
        self.files = [f"rtl/{line}" for line in lines if not line.startswith("//")]

    def list_mutants(self):
        """Those of `mutate` first, then those of `changes`; and the design with all of them in it."""
        top = f"hierarchy -check -top {self.top}\n"
        read = f"read_verilog {' '.join(self.files)}\n{top}proc\nmemory\nopt_clean\nuniquify\n{top}"
        yosys(self.folder, "list", f"{read}write_json base.json\nmutate -list {2 * self.count} -seed {self.seed} -o list.txt\n")
        lines = [line for line in (self.folder / "list.txt").read_text().splitlines() if not CLOCK.search(line)]
        lines = [f"{line} -ctrl {changes.NUMBER} {changes.NUMBER_BITS} {at}" for at, line in enumerate(lines[: self.count])]
        yosys(self.folder, "mutate", "\n".join([read, *lines, "write_json mutated.json\n"]))
        base, design = [json.loads((self.folder / f"{name}.json").read_text()) for name in ("base", "mutated")]
        others = changes.listed(base, self.count // 2, self.seed)
        kept = sum(change[0] != "dropped" for change in others)
        changes.apply(design, base, others[:kept], len(lines))
        (self.folder / "chosen.json").write_text(json.dumps(design))
        changes.apply(design, base, others[kept:], len(lines) + kept)
        (self.folder / "mutants.json").write_text(json.dumps([named(line) for line in lines] + [list(c) for c in others]))
        changes.number_from_the_command_line(design, self.top)
        (self.folder / "simulated.json").write_text(json.dumps(design))

    def compile(self):
        yosys(self.folder, "write", "read_json simulated.json\nwrite_verilog -noattr mutants.v\n")
        (self.folder / "number.v").write_text(changes.PLUSARG)
        sources = ["mutants.v", "number.v", f"rtl/{self.tb}.sv"]
        quick = ["-j", "2", "-MAKEFLAGS", "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O0"]
        options = ["--binary", "--quiet", "--timing", "--timescale", "1ns/1ps", "-Wno-fatal", "-Wno-lint", "-Wno-style"]
        build = [tool("verilator"), *options, *quick, "--top-module", self.tb, "--Mdir", "build", "-o", "mutants", *sources]
        run(build, self.folder, "verilator")
        run([tool("iverilog"), "-g2012", "-s", self.tb, "-o", "mutants.vvp", *sources], self.folder, "iverilog")

    def verdict(self, simulator, mutant=None):
        """What `make sim` would say: passed, failed, or hangs."""
        programs = {"verilator": ["./build/mutants", "+verilator+quiet"], "icarus": [tool("vvp"), "-n", "mutants.vvp"]}
        number = [] if mutant is None else [f"+mutant={mutant}"]
        command = [*programs[simulator], "+data=rtl", "+stop", *number]
        try:
            done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return "hangs"
        lines = done.stdout.splitlines()
        passed = any(line.startswith(f"PASS {self.tb.removeprefix('tb_')}:") for line in lines)
        failed = any(line.startswith("FAIL") for line in lines)
        return "passed" if done.returncode == 0 and passed and not failed else "failed"

    def known(self):
        """The last row of each mutant: a proof is a row of its own."""
        if not self.results.exists():
            return {}
        rows = [json.loads(line) for line in self.results.read_text().splitlines()]
        return {row["mutant"]: row for row in rows}

    def judge(self, mutant):
        """Verilator's verdict, Icarus' on what that passes, and a proof for what both pass."""
        row = {"mutant": mutant, "change": self.mutants[mutant], "by": None}
        for simulator in ("verilator", "icarus"):
            verdict = self.verdict(simulator, mutant)
            if verdict != "passed":
                return row | {"by": simulator, "verdict": verdict}
        return row

    def run(self, jobs, again):
        self.prepare(again)
        for simulator in ("verilator", "icarus"):
            if self.verdict(simulator) != "passed":
                raise RuntimeError(f"{self.folder}: the testbench fails the design as it is under {simulator}")
        known = self.known()
        todo = [number for number in range(len(self.mutants)) if number not in known]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool, self.results.open("a") as out:
            for row in pool.map(self.judge, todo):
                out.write(json.dumps(row) + "\n")
        self.prove(jobs)
        return list(self.known().values())

    def prove(self, jobs):
        """Completes the rows of what passed. Mutants that were found are not all proved equal: else no proof means anything."""
        rows = self.known()
        passed = [row for row in rows.values() if row["by"] is None and "proof" not in row]
        if not passed:
            return
        proof = proofs.Proofs(self.folder, self.top)
        caught = [number for number, row in rows.items() if row["by"] and row["verdict"] == "failed"][:5]
        if caught and all(proof.prove(number)[0] == "equal" for number in caught):
            raise RuntimeError(f"{self.folder}: mutants {caught}, which fail, were proved equal to the design")
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool, self.results.open("a") as out:
            for row, (said, how) in zip(passed, pool.map(lambda row: proof.prove(row["mutant"]), passed)):
                out.write(json.dumps(row | {"proof": said, "how": how}) + "\n")
                out.flush()


def named(line):
    """A command of `mutate` as kind, module, cell, port and bit."""
    words = line.split()
    options = dict(zip(words[1::1], words[2::1]))
    wire = f"{options['-wire']}[{options['-wirebit']}]" if "-wire" in options else ""
    place = options.get("-src", "")
    return [options["-mode"], options["-module"], options["-cell"], f"{options['-port']}[{options['-portbit']}]", wire, place]


def own_text():
    """This package: other mutants, other results."""
    return "".join(path.read_text() for path in sorted(pathlib.Path(__file__).parent.glob("*.py")))
