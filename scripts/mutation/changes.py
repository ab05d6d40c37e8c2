"""Mutants that Yosys' `mutate` has not: exchanged inputs, constants off by one, registers left out (dropped), or, where what they
take next depends on them, held at 0.

They are made in Yosys' JSON, each behind a multiplexer that a number chooses, as `mutate -ctrl` does it: all mutants of a
design are compiled once.
"""
import fnmatch
import random

NUMBER = "mutant_i"
NUMBER_BITS = 16


def listed(design, count, seed, only=None):
    """Up to so many changes of these kinds, (kind, module, cell, port or ports, constant), in the modules that a pattern of `only` names."""
    chosen = [name for name in sorted(design["modules"]) if only is None or any(fnmatch.fnmatchcase(name, part) for part in only)]
    sites = [site for module in chosen for site in sites_of(module, design)]
    random.Random(seed).shuffle(sites)
    return sorted(sites[:count], key=lambda site: (site[0] == "dropped", site))


def sites_of(name, design):
    for cell_name, cell in sorted(design["modules"][name]["cells"].items()):
        inputs = [port for port, way in sorted(cell["port_directions"].items()) if way == "input"]
        bits = cell["connections"]
        if cell["type"] == "$dff":
            yield ("held" if feeds_itself(design["modules"][name], bits) else "dropped", name, cell_name, "Q")
        for port in inputs:
            if bits[port] and all(bit in ("0", "1") for bit in bits[port]):
                yield ("plus-one", name, cell_name, port, next_to(bits[port], 1))
                yield ("minus-one", name, cell_name, port, next_to(bits[port], -1))
        for at, first in enumerate(inputs):
            for second in inputs[at + 1 :]:
                if exchangeable(cell["type"], first, second, bits):
                    yield ("exchanged", name, cell_name, f"{first},{second}")


def feeds_itself(module, register):
    """Whether what the register takes next depends on it without another register between: it cannot be left out."""
    seen, todo = set(register["Q"]), True
    while todo:
        reached = set()
        for cell in module["cells"].values():
            ways, bits = cell["port_directions"], cell["connections"]
            if cell["type"] != "$dff" and any(way == "input" and seen & set(bits[port]) for port, way in ways.items()):
                reached |= {bit for port, way in ways.items() if way == "output" for bit in bits[port]}
        todo = reached - seen
        seen |= reached
    return bool(seen & set(register["D"]))


def exchangeable(kind, first, second, bits):
    """Two inputs of one width with different signals, of a cell to which the order of its inputs matters."""
    ordered = not kind.startswith("$") or kind in ("$mux", "$sub", "$lt", "$le", "$gt", "$ge", "$shl", "$shr", "$shiftx")
    alike = len(bits[first]) == len(bits[second]) and bits[first] != bits[second]
    return ordered and alike and {first, second} <= set(bits) - {"clk_i", "CLK"}


class Module:
    """A module of the JSON, to which cells are added."""

    def __init__(self, text):
        self.text = text
        bits = [bit for net in text["netnames"].values() for bit in net["bits"]]
        bits += [bit for cell in text["cells"].values() for port in cell["connections"].values() for bit in port]
        self.next = 1 + max((bit for bit in bits if isinstance(bit, int)), default=1)
        if NUMBER not in text["ports"]:
            number = self.fresh(NUMBER_BITS)
            text["ports"][NUMBER] = {"direction": "input", "bits": number}
            text["netnames"][NUMBER] = {"hide_name": 0, "bits": number, "attributes": {}}
        self.number = text["ports"][NUMBER]["bits"]

    def fresh(self, count):
        self.next += count
        return list(range(self.next - count, self.next))

    def add(self, kind, ports, output, parameters):
        """A cell of Yosys' library: its inputs by name, the name and the bits of its output."""
        ways = {**dict.fromkeys(ports, "input"), output[0]: "output"}
        self.text["cells"][f"$mutation${self.next}${len(self.text['cells'])}"] = {
            "hide_name": 1,
            "type": kind,
            "parameters": {name: format(value, "032b") for name, value in parameters.items()},
            "attributes": {},
            "port_directions": ways,
            "connections": {**ports, output[0]: output[1]},
        }
        return output[1]

    def chosen(self, value):
        """A bit that is 1 for this mutant."""
        constant = [str(value >> bit & 1) for bit in range(NUMBER_BITS)]
        width = {"A_SIGNED": 0, "B_SIGNED": 0, "A_WIDTH": NUMBER_BITS, "B_WIDTH": NUMBER_BITS, "Y_WIDTH": 1}
        return self.add("$eq", {"A": self.number, "B": constant}, ("Y", self.fresh(1)), width)

    def either(self, value, healthy, changed, output=None):
        ports = {"A": healthy, "B": changed, "S": self.chosen(value)}
        return self.add("$mux", ports, ("Y", output or self.fresh(len(healthy))), {"WIDTH": len(healthy)})

    def mask(self, ports, shown, valid, value):
        """An output of a cell on each lane whose bit of `valid` is 0 is whatever a new input of the module says, or 0 if the number is
        chosen: no mutant, but what a proof asks once of a design."""
        old, width = ports[shown], len(ports[shown])
        ports[shown] = self.fresh(width)
        noise = self.fresh(width)
        self.text["ports"][f"noise_{shown}"] = {"direction": "input", "bits": noise}
        self.text["netnames"][f"noise_{shown}"] = {"hide_name": 0, "bits": noise, "attributes": {}}
        each = [bit for bit in valid for _ in range(width // len(valid))]
        bitwise = {"A_SIGNED": 0, "B_SIGNED": 0, "A_WIDTH": width, "B_WIDTH": width, "Y_WIDTH": width}
        one = {name: size for name, size in bitwise.items() if not name.startswith("B")}
        meant = self.add("$and", {"A": ports[shown], "B": each}, ("Y", self.fresh(width)), bitwise)
        other = self.add("$not", {"A": each}, ("Y", self.fresh(width)), one)
        noisy = self.add("$and", {"A": noise, "B": other}, ("Y", self.fresh(width)), bitwise)
        self.either(value, self.add("$or", {"A": meant, "B": noisy}, ("Y", self.fresh(width)), bitwise), meant, old)

    def apply(self, change, value):
        """Adds a change, which the number `value` chooses."""
        kind, _, cell, port, *constant = change
        ports = self.text["cells"][cell]["connections"]
        if kind in ("dropped", "held"):
            old = ports["Q"]
            ports["Q"] = self.fresh(len(old))
            self.either(value, ports["Q"], ports["D"] if kind == "dropped" else ["0"] * len(old), old)
        elif kind == "masked":
            for shown, valid in (pair.split(",") for pair in port.split(";")):
                self.mask(ports, shown, ports[valid], value)
        elif kind == "exchanged":
            first, second = port.split(",")
            a, b = ports[first], ports[second]
            ports[first], ports[second] = self.either(value, a, b), self.either(value, b, a)
        else:
            ports[port] = self.either(value, ports[port], list(constant[0]))


def next_to(bits, step):
    """A constant's neighbour, modulo its width; bit 0 is the first character."""
    number = sum((bit == "1") << at for at, bit in enumerate(bits))
    return "".join(str((number + step) >> at & 1) for at in range(len(bits)))


def makes_a_loop(change):
    """Whether behind multiplexers it may close a loop without a register, through what other numbers choose: a register left out,
    or an instance whose inputs change places."""
    return change[0] == "dropped" or change[0] == "exchanged" and not change[2].startswith("$")


def apply(design, base, changes):
    """Adds changes, by their numbers, to `design`, whose modules and cells are those of `base`."""
    modules = {name: Module(text) for name, text in design["modules"].items() if name in base["modules"]}
    for value, change in changes.items():
        modules[change[1]].apply(change, value)
    for module in modules.values():
        for cell in module.text["cells"].values():
            if cell["type"] in modules:
                cell["port_directions"][NUMBER] = "input"
                cell["connections"][NUMBER] = module.number


def number_from_the_command_line(design):
    """In simulation the number is a plusarg: a cell in each module gives it, and the ports are those of the design."""
    for module in design["modules"].values():
        for cell in module["cells"].values():
            if NUMBER in design["modules"].get(cell["type"], {"ports": {}})["ports"]:
                cell["connections"].pop(NUMBER)
                cell["port_directions"].pop(NUMBER, None)
    for module in design["modules"].values():
        if NUMBER in module["ports"]:
            number = module["ports"].pop(NUMBER)["bits"]
            module["cells"]["mutant"] = {
                "hide_name": 0,
                "type": "frit_mutant",
                "parameters": {},
                "attributes": {},
                "port_directions": {"number_o": "output"},
                "connections": {"number_o": number},
            }


PLUSARG = f"""module frit_mutant (output reg [{NUMBER_BITS - 1}:0] number_o);
  initial if (!$value$plusargs("mutant=%d", number_o)) number_o = {NUMBER_BITS}'d{2**NUMBER_BITS - 1};
endmodule
"""
