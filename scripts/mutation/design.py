"""A design, its mutants and what is known of them, in a folder."""
import concurrent.futures
import contextlib
import hashlib
import json
import pathlib
import re
import resource
import shutil
import tempfile

from . import changes, proofs, runs
from .tools import ROOT, run, tool, verdict_of, yosys

# Not mutated: a graph of gates and registers has no clock, so nothing could be proved of its mutants.
CLOCK = re.compile(r"-port (CLK|clk_i) ")
# Not mutated in routers, where a module stands for all its instances: an output that the design leaves open.
OPEN = re.compile(r"-wire unused_")
# What the proofs are made by.
PROVERS = ("proofs.py", "graphs.py", "pairs.py", "pairs.cpp", "parts.py", "states.py", "control.py", "inputs.py")
# The calls of the wires of modules in a testbench of single modules: the module, and the number of its unit. The calls of all else.
WIRES = re.compile(r"`ifndef VERILATOR\n    if \(asked\(\"(\w+)\"\)\) unit_(\d+)\(\);")
OTHERS = re.compile(r"(?<!`ifndef VERILATOR\n)    if \(asked\(\"(\w+)\"\)\) unit_\d+\(\);\n")
# The tops that `frit generate` writes beside D_exchange: the option, and the end of the names of the top and its testbench.
TOPS = {"--axil": "_axil", "--axis": "_axis_", "--selftest": "_selftest_"}


class Design:
    def __init__(self, key, arguments, count, seed, frit, longer=1, only=None, shared=False, simulators=("verilator", "icarus"), changed=None, command="generate", resets=False):
        # The command of frit that writes the design: generate, or device.
        self.command = command
        self.key, self.arguments, self.count, self.seed, self.frit = key, arguments.split(), count, seed, frit
        # Patterns of the modules that are changed, all without one; whether an instance shares its module with others.
        self.longer, self.only, self.shared, self.simulators = longer, only, shared, simulators
        # Of two tops in one testbench the end of the name of the one that is changed.
        self.changed = changed
        # Whether the mutants are the registers that a reset clears, all of them, each without it.
        self.resets = resets
        self.folder = ROOT / "out" / "mutants" / (f"{key}-resets" if resets else f"{key}-{count}-{seed}")

    def prepare(self, again):
        """The design's text, its mutants, and both simulators' programs; what is there for this text stays."""
        if again:
            shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.generate()
        of_text = digest(*(self.folder / file for file in self.files), pathlib.Path(changes.__file__), *(self.only or []))
        sums = self.folder / "rtl" / "SHA256SUMS"
        of_run = digest(of_text, *([sums] if sums.exists() else sorted((self.folder / "rtl").iterdir())))
        self.stage("listed", of_text, self.list_mutants)
        self.of_run = digest(of_run, *self.simulators)
        self.stage("compiled", self.of_run, self.compile)
        self.mutants = json.loads((self.folder / "mutants.json").read_text())
        self.tried = set(OTHERS.findall((self.folder / f"{self.benches()[0]}.sv").read_text()))
        self.verdicts = {name: Rows(self.folder / f"{name}.jsonl", of_run) for name in (*self.simulators, "wires", "long")}
        # A testbench that was changed changes no proof.
        made_by = [pathlib.Path(proofs.__file__).with_name(name) for name in PROVERS]
        self.proofs = Rows(self.folder / "proofs.jsonl", digest(of_text, *made_by))
        self.random = Rows(self.folder / "runs.jsonl", digest(of_text, pathlib.Path(runs.__file__), *made_by))
        if self.longer > 1:
            self.proofs.forget(lambda row: row["proof"] == "open")

    def stage(self, name, digest_now, make):
        """Makes something unless it was made for this digest."""
        made = self.folder / name
        if not made.exists() or made.read_text() != digest_now:
            make()
            made.write_text(digest_now)

    def generate(self):
        shutil.rmtree(self.folder / "rtl", ignore_errors=True)
        if self.command == "device":
            return self.generate_device()
        run([self.frit, "generate", *self.arguments, "--layout", "files", "-o", self.folder / "rtl"], ROOT, "frit generate")
        benches = [path.stem.removeprefix("tb_") for path in (self.folder / "rtl").glob("tb_*.sv")]
        kind = next((end for option, end in TOPS.items() if option in self.arguments), "")
        name = min((name for name in benches if kind in f"{name}_"), key=len)
        inner = next((inner for inner in ("route", "permute") if (self.folder / "rtl" / f"{name}_{inner}.v").exists()), "exchange")
        # The tops of loaded schedules are named as their testbenches.
        own = kind or not (self.folder / "rtl" / f"{name}_{inner}.v").exists()
        self.top, self.tb = name if own else f"{name}_{inner}", f"tb_{name}"
        lines = (self.folder / "rtl" / f"{name}.f").read_text().splitlines()
        self.files = [f"rtl/{line}" for line in lines if not line.startswith("//")]
        self.beside = []
        if self.changed:
            self.top = name + self.changed
            self.beside = [file for file in self.files if file != f"rtl/{self.top}.v"]

    def generate_device(self):
        """The files of a device, which stand beside those of an engine that has run them."""
        with tempfile.TemporaryDirectory(dir=self.folder) as made:
            run([self.frit, "device", *self.arguments, "--engines", "icarus", "-o", made], ROOT, "frit device")
            shutil.move(f"{made}/rtl", self.folder / "rtl")
        (optics,) = (self.folder / "rtl").glob("*_optics.v")
        self.top, self.tb, self.beside = optics.stem, f"tb_{optics.stem.removesuffix('_optics')}", []
        lines = (self.folder / "rtl" / f"{self.tb.removeprefix('tb_')}_tb.f").read_text().splitlines()
        self.files = [f"rtl/{line}" for line in lines if not line.startswith(("//", "tb_"))]

    def list_mutants(self):
        """Those of `mutate` first, then those of `changes`; and the design with all of them in it."""
        top = f"hierarchy -check -top {self.top}\n"
        # The testbench of single modules reads words while they are written.
        as_written = "setattr -unset no_rw_check m:*\n" if self.shared else ""
        # The rings of a device have thousands of places, of which one is as good as the other.
        memory = "memory -nomap" if self.command == "device" else "memory"
        read = f"read_verilog {' '.join(self.files)}\n{top}{self.looked_at()}proc\n{as_written}{memory}\nopt_clean\n{'' if self.shared else 'uniquify'}\n{top}"
        yosys(self.folder, "list", f"{read}write_json base.json\nmutate -list {2 * self.count} -seed {self.seed} -o list.txt {' '.join(self.only or [])}\n")
        base = json.loads((self.folder / "base.json").read_text())
        lines = [line for line in (self.folder / "list.txt").read_text().splitlines() if not CLOCK.search(line)]
        lines = [line for line in lines if not (self.shared and OPEN.search(line))]
        lines = [*forgotten_resets(base)] if self.resets else lines[: self.count]
        lines = [f"{line} -ctrl {changes.NUMBER} {changes.NUMBER_BITS} {at}" for at, line in enumerate(lines)]
        yosys(self.folder, "mutate", "\n".join([read, *lines, "write_json mutated.json\n"]))
        design = json.loads((self.folder / "mutated.json").read_text())
        others = [] if self.resets else changes.listed(base, self.count // 2, self.seed, self.only)
        numbered = dict(enumerate(others, len(lines)))
        changes.apply(design, base, {at: change for at, change in numbered.items() if not changes.makes_a_loop(change)})
        (self.folder / "chosen.json").write_text(json.dumps(design))
        changes.apply(design, base, {at: change for at, change in numbered.items() if changes.makes_a_loop(change)})
        (self.folder / "mutants.json").write_text(json.dumps([named(line) for line in lines] + [list(c) for c in others]))
        changes.number_from_the_command_line(design)
        (self.folder / "simulated.json").write_text(json.dumps(design))

    def looked_at(self):
        """Keeps the signals inside the design that the testbench reads, which may drive nothing."""
        bench = (self.folder / "rtl" / f"{self.tb}.sv").read_text()
        names = sorted(set(re.findall(r"\bu_route(?:\.\w+)*\.(\w+)", bench)))
        return f"setattr -set keep 1 {' '.join(f'w:{name}' for name in names)}\n" if names else ""

    def compile(self):
        # A device has no reset: its registers are 0 at first. Yosys loses this where it changes an output of a register.
        starts = "setundef -init -zero\n" if self.command == "device" else ""
        yosys(self.folder, "write", f"read_json simulated.json\n{starts}write_verilog -noattr mutants.v\n")
        (self.folder / "number.v").write_text(changes.PLUSARG)
        (self.folder / "build").mkdir(exist_ok=True)
        for bench in self.benches():
            text = (self.folder / "rtl" / f"{bench}.sv").read_text()
            (self.folder / f"{bench}.sv").write_text(self.with_derived_names(text))
            sources = ["mutants.v", "number.v", *self.beside, f"{bench}.sv"]
            quick = ["-j", "2", "-MAKEFLAGS", "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O0"]
            options = ["--binary", "--quiet", "--timing", "--timescale", "1ns/1ps", "-Wno-fatal", "-Wno-lint", "-Wno-style"]
            build = [tool("verilator"), *options, *quick, "--top-module", bench, "--Mdir", f"build/{bench}", "-o", "mutants", *sources]
            if "verilator" in self.simulators:
                run(build, self.folder, "verilator")
            self.compile_for_icarus(bench, bench, sources)
        for module, unit in self.with_wires().items():
            self.compile_wires(self.benches()[0], module, unit)

    def compile_for_icarus(self, bench, name, sources):
        run([tool("iverilog"), "-g2012", "-s", bench, "-o", f"{name}.vvp", *sources], self.folder, "iverilog")

    def with_wires(self):
        """The modules whose wires the testbench of single modules tries, which Icarus alone does, with the numbers of the units."""
        return dict(WIRES.findall((self.folder / f"{self.benches()[0]}.sv").read_text()))

    def compile_wires(self, bench, module, unit):
        """A testbench that tries the wires of one module only: all others are empty, since the outputs of its instances are forced."""
        name = f"{bench}.{module}"
        empty = f"blackbox * {module} %d\nwrite_verilog -noattr {name}.v\nwrite_verilog -noattr -blackboxes empty.v\n"
        yosys(self.folder, name, f"read_json simulated.json\n{empty}")
        text = OTHERS.sub("", (self.folder / f"{bench}.sv").read_text())
        for pattern in (r"^  \S+ (#\([^\n]*\) )?u_unit_(?!UNIT )\d+ \($.*?^  \);\n", r"^[^\n]*\bu_unit_(?!UNIT\.)\d+\.[^\n]*\n"):
            text = re.sub(pattern.replace("UNIT", unit), "", text, flags=re.M | re.S)
        (self.folder / f"{name}.sv").write_text(text)
        self.compile_for_icarus(bench, name, [f"{name}.v", "empty.v", "number.v", f"{name}.sv"])

    def benches(self):
        """The testbenches that look at a mutant, that of its modules or of a device with light that is drawn first."""
        more = [f"{self.tb}_{kind}" for kind in ("units", "drawn")]
        return [*(bench for bench in more if (self.folder / "rtl" / f"{bench}.sv").exists()), self.tb]

    def with_derived_names(self, bench):
        """A testbench of single modules, which have the names that Yosys gives them with their parameters."""
        instances = re.findall(r"^  (\w+) (#\(.*\) )?(u_unit_\d+) \($", bench, re.M)
        if not instances:
            return bench
        lines = "".join(f"{module} {parameters} {name} ();\n" for module, parameters, name in instances)
        (self.folder / "units.v").write_text(f"module units;\n{lines}endmodule\n")
        yosys(self.folder, "units", f"read_verilog {' '.join(self.files)} units.v\nhierarchy -top units\nproc\nwrite_json units.json\n")
        cells = json.loads((self.folder / "units.json").read_text())["modules"]["units"]["cells"]
        for module, parameters, name in instances:
            bench = bench.replace(f"  {module} {parameters}{name} (\n", f"  \\{cells[name]['type']} {name} (\n")
        return bench

    def verdict(self, simulator, mutant=None, more=()):
        """What `make sim units` would say, with more plusargs if there are any: passed, failed, or hangs. The module that holds the mutant
        comes first, the testbench of all modules last."""
        runs = [(bench, more) for bench in reversed(self.benches())]
        if self.shared and mutant is not None and (module := base_name(self.mutants[mutant][1])) in self.tried:
            runs.insert(0, (self.benches()[0], [f"+only={module}"]))
        return self.verdict_of_runs(simulator, mutant, runs)

    def verdict_of_wires(self, simulator, module, mutant=None):
        """What the testbench of the wires of a module says."""
        return self.verdict_of_runs(simulator, mutant, [(f"{self.benches()[0]}.{module}", [f"+only={module}"])])

    def verdict_of_runs(self, simulator, mutant, runs):
        """What the first of these testbenches says that does not pass. Each comes with plusargs of its own."""
        programs = {"verilator": ["./build/{}/mutants", "+verilator+quiet"], "icarus": [tool("vvp"), "-n", "{}.vvp"]}
        number = [] if mutant is None else [f"+mutant={mutant}"]
        for bench, plusargs in runs:
            command = [*(word.format(bench) for word in programs[simulator]), "+data=rtl", "+stop", *number, *plusargs]
            if (verdict := verdict_of(command, self.folder, bench.split(".")[0].removeprefix("tb_"))) != "passed":
                return verdict
        return "passed"

    def check_the_design(self):
        """The testbenches pass the design as it is."""
        wires = self.with_wires() if "icarus" in self.simulators else {}
        verdicts = {simulator: self.verdict(simulator) for simulator in self.simulators}
        verdicts |= {f"the wires of {module}": self.verdict_of_wires("icarus", module) for module in wires}
        if wrong := [name for name, verdict in verdicts.items() if verdict != "passed"]:
            raise RuntimeError(f"{self.folder}: the testbench fails the design as it is: {', '.join(wrong)}")

    def run(self, jobs, again):
        """The row of each mutant: its change, the simulator that finds it, or the proof where Verilator does not."""
        self.prepare(again)
        with processor_time(self.folder / "seconds"):
            self.stage("sound", self.of_run, self.check_the_design)
            first, *others = self.simulators
            rows = self.judge(jobs, first, range(len(self.mutants)))
            passed = [at for at, row in rows.items() if row["by"] is None]
            if self.shared:
                # Icarus alone tries the wires of modules, and those of one module take less than a proof.
                with_wires = self.with_wires()
                open_yet = [at for at in passed if self.proofs.known.get(at, {}).get("proof") != "equal" and self.mutants[at][1] in with_wires]
                for simulator in others:
                    rows |= self.judge(jobs, simulator, open_yet, wires=True)
                passed = [at for at in passed if rows[at]["by"] is None]
            proved = self.prove(jobs, passed, [at for at, row in rows.items() if row["verdict"] == "failed"])
            for simulator in others:
                rows |= self.judge(jobs, simulator, [at for at in passed if proved[at]["proof"] != "equal"])
            # What a testbench does only if it is asked to.
            if "plusargs(\"long\")" in (self.folder / "rtl" / f"{self.tb}.sv").read_text():
                left = [at for at in passed if rows[at]["by"] is None and proved[at]["proof"] != "equal"]
                rows |= self.judge(jobs, first, left, ["+long"])
            if not (self.shared or self.command == "device"):
                left = [at for at in passed if rows[at]["by"] is None and proved[at]["proof"] == "open"]
                random = self.try_random_runs(left)
                proved = {at: row | random.get(at, {}) for at, row in proved.items()}
        return [row | {"change": self.mutants[at]} | proved.get(at, {}) for at, row in sorted(rows.items())]

    def try_random_runs(self, mutants):
        """Of mutants that are open those that differ in random runs: no testbench finds them yet."""
        proof = proofs.Proofs(self.folder, self.top)

        def row(mutant):
            graph, number = proof.graph_of(mutant)
            return {"mutant": mutant, "period": runs.apart(graph, number)}

        rows = self.random.complete(1, mutants, row)
        return {at: {"proof": f"differs in period {row['period']} of random runs"} for at, row in rows.items() if row["period"] is not None}

    def judge(self, jobs, simulator, mutants, more=(), wires=False):
        """A simulator's verdict on mutants; or only that of the wires of the module that holds a mutant."""

        def row(mutant):
            verdict = self.verdict_of_wires(simulator, self.mutants[mutant][1], mutant) if wires else self.verdict(simulator, mutant, more)
            return {"mutant": mutant, "by": None if verdict == "passed" else simulator, "verdict": verdict}

        return self.verdicts["wires" if wires else "long" if more else simulator].complete(jobs, mutants, row)

    def prove(self, jobs, passed, caught):
        """Proofs of what passed. Of the mutants that were found one at least is seen to differ, and no question says that it is equal:
        else no proof means anything."""
        proof = proofs.Proofs(self.folder, self.top, self.longer, self.shared, self.command == "device")
        if self.shared:
            # Small modules are told apart in a second, large ones in minutes. Those without registers come last: bmc3 does not take them.
            modules = {at: proof.base["modules"][self.mutants[at][1]] for at in caught}
            caught.sort(key=lambda at: ("clk_i" not in modules[at]["ports"], len(modules[at]["cells"])))
        if proof.rings:
            # Only the cells of a switch are told apart.
            caught.sort(key=lambda at: not self.mutants[at][1].endswith("u_switch") or not self.mutants[at][2].startswith("$"))
        if set(passed) - set(self.proofs.known) and caught:
            seen = next((mutant for mutant in caught[:9] if differs(proof, mutant)), None)
            if seen is None:
                raise RuntimeError(f"{self.folder}: of mutants {caught[:9]}, which fail, none is seen to differ from the design")
            # A module of a router may differ and yet be equal wherever it stands, which is no contradiction.
            equal = proof.equal_alone(seen, self.mutants[seen][1]) if proof.routed else proof.prove(seen)[0] == "equal"
            if equal:
                raise RuntimeError(f"{self.folder}: mutant {seen} differs from the design and is proved equal")

        def row(mutant):
            said, how = proof.prove(mutant)
            return {"mutant": mutant, "proof": said, "how": how}

        return self.proofs.complete(jobs, passed, row)


def differs(proof, mutant):
    """Whether it is told from the design within some seconds; in a router its module is, since the whole takes minutes."""
    if proof.rings:
        return proof.prove(mutant)[0] == "differs"
    module = proof.mutants[mutant][1]
    graph, number = proof.graph_of(mutant, module, proof.used(module)) if proof.routed else proof.graph_of(mutant)
    if graph.reports:
        return proof.prove(mutant)[0] == "differs"
    both = graph.miter(proofs.NONE, number)
    return both is not None and proof.ask(both, (("bmc3", 5),))[0] == "differs"


class Rows:
    """Lines of JSON, one for each mutant, below the digest of what they speak of; others are forgotten."""

    def __init__(self, path, of):
        self.path = path
        lines = path.read_text().splitlines() if path.exists() else []
        if lines[:1] != [of]:
            path.write_text(f"{of}\n")
        self.known = {row["mutant"]: row for row in map(json.loads, lines[1:] if lines[:1] == [of] else [])}

    def forget(self, which):
        """Leaves rows out."""
        self.known = {mutant: row for mutant, row in self.known.items() if not which(row)}

    def complete(self, jobs, mutants, make):
        """The rows of all mutants; `make` makes one."""
        todo = [mutant for mutant in mutants if mutant not in self.known]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool, self.path.open("a") as out:
            for row in (done.result() for done in concurrent.futures.as_completed([pool.submit(make, mutant) for mutant in todo])):
                self.known[row["mutant"]] = row
                out.write(json.dumps(row) + "\n")
                out.flush()
        return {mutant: self.known[mutant] for mutant in mutants}


@contextlib.contextmanager
def processor_time(path):
    """Adds the seconds that the programs run within took of a processor to a file."""
    used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    begin = used()
    try:
        yield
    finally:
        before = float(path.read_text()) if path.exists() else 0.0
        path.write_text(f"{before + used() - begin:.0f}")


def base_name(module):
    """The name that a module has in the text; Yosys puts its parameters behind it."""
    return module.split("\\")[1] if module.startswith("$paramod") else module


def forgotten_resets(base):
    """A command of `mutate` for each register that a reset clears, by which it goes on instead."""
    for name, module in base["modules"].items():
        reset = module["ports"].get("rst_i", {}).get("bits")
        for cell, gate in module["cells"].items():
            if reset and gate["type"] == "$mux" and gate["connections"]["S"] == reset:
                yield f"mutate -mode const0 -module {name} -cell {cell} -port S -portbit 0 -src {gate['attributes'].get('src', 'none').split('|')[0]}"


def named(line):
    """A command of `mutate` as kind, module, cell, port and bit."""
    words = line.split()
    options = dict(zip(words[1::1], words[2::1]))
    wire = f"{options['-wire']}[{options['-wirebit']}]" if "-wire" in options else ""
    place = options.get("-src", "")
    return [options["-mode"], options["-module"], options["-cell"], f"{options['-port']}[{options['-portbit']}]", wire, place]


def digest(*parts):
    """Of texts and files."""
    total = hashlib.sha256()
    for part in parts:
        total.update(part.encode() if isinstance(part, str) else part.read_bytes())
    return total.hexdigest()
