"""Parts of a design in Yosys' JSON, around the module in which a mutant is: what shows the same whatever its inputs do, others cannot
tell from it."""
import re

from .changes import NUMBER

# What lanes show means something where a bit of another port is 1. Destinations are those of words or, before words are given, of a round.
MEANT = {
    "send_dest_o": "send_valid_o",
    "recv_source_o": "recv_valid_o",
    "recv_data_o": "recv_valid_o",
    "m_axis_tdata_o": "m_axis_tvalid_o",
    "m_axis_tid_o": "m_axis_tvalid_o",
    "m_axis_tlast_o": "m_axis_tvalid_o",
    "s_axil_bresp": "s_axil_bvalid",
    "s_axil_rdata": "s_axil_rvalid",
    "s_axil_rresp": "s_axil_rvalid",
    "sink_bit_o": "sink_valid_o",
    "sink_last_o": "sink_valid_o",
    "deliver_payload_o": "deliver_valid_o",
}
ROUND = {"send_dest_o": "send_ready_o"}

# How far a part goes: so many times the cells that read what it drives are added.
GROWTH = 2


def valid_of(name, ports):
    """The one of these ports that says where lanes of a port mean something, or None."""
    return next((valid for rule in (MEANT, ROUND) if (valid := rule.get(name)) in ports), None)


def holders(base, module):
    """The modules that have instances of a module that several instances may share."""
    return sorted(name for name, text in base["modules"].items() if any(cell["type"] == module for cell in text["cells"].values()))


def left_open(base, module):
    """The outputs of a module that all its instances leave open: their bits have no name but that of an unused wire."""
    ports = base["modules"][module]["ports"]
    outputs = {name for name, port in ports.items() if port["direction"] == "output"}
    for holder in holders(base, module):
        text = base["modules"][holder]
        named = {bit for name, net in text["netnames"].items() if not name.startswith("unused_") for bit in net["bits"]}
        for cell in (cell for cell in text["cells"].values() if cell["type"] == module):
            outputs = {name for name in outputs if not named & set(cell["connections"].get(name, []))}
    return outputs if holders(base, module) else set()


def around(base, module):
    """The parts around an instance, by name, the smallest first, without the top: the module itself, with the cells beside it that
    depend on it (the module around it and their names), the module around it, and so on. Instances' names are joined by points."""
    while "." in module:
        yield module, None
        parent = module.rpartition(".")[0]
        cells = base["modules"][parent]["cells"]
        chosen = {name for name, cell in cells.items() if cell["type"] == module}
        for _ in range(GROWTH):
            driven = {bit for name in chosen for bit in bits_of(cells[name], "output")}
            more = {name for name, cell in cells.items() if driven & set(bits_of(cell, "input"))} - chosen
            if not more:
                break
            chosen = chosen | more
            yield f"{module}+{len(chosen) - 1}", (parent, chosen)
        module = parent


def beside(base, top, change):
    """Parts of the top, by name: of a change to a port of an instance the instance and those that share a wire with the port; of one
    within an instance that with the instances that drive it and all gates between instances."""
    _, module, cell, port, *_ = change
    cells = base["modules"][top]["cells"]
    gates = {name for name, other in cells.items() if other["type"] not in base["modules"]}
    if module == top and cell not in gates:
        bits = set(cells[cell]["connections"].get(port.partition("[")[0], []))
        chosen = {name for name, other in cells.items() if bits & {*bits_of(other, "input"), *bits_of(other, "output")}}
        if bits and not chosen & gates:
            yield f"{top}+{cell}", (top, chosen)
    for name in (name for name, other in cells.items() if other["type"] == module):
        chosen = before(cells, gates, {name})
        chosen |= before(cells, gates, chosen) & gates
        yield f"{top}+{name}<{len(chosen - gates) - 1}", (top, chosen)


def before(cells, gates, chosen):
    """Some cells with those that drive them, and all gates in the way."""
    read = {bit for name in chosen for bit in bits_of(cells[name], "input")}
    while more := {bit for gate in gates if read & set(bits_of(cells[gate], "output")) for bit in bits_of(cells[gate], "input")} - read:
        read |= more
    return chosen | {name for name, cell in cells.items() if read & set(bits_of(cell, "output"))}


def below(design, module):
    """A module and all that it is made of."""
    found, todo = {}, [module]
    while todo:
        name = todo.pop()
        if name in design["modules"] and name not in found:
            found[name] = design["modules"][name]
            todo += [cell["type"] for cell in found[name]["cells"].values()]
    return found


def plain(name):
    """The name of a module that Yosys has derived, as Verilog can have it."""
    return re.sub(r"\W", "_", name) if name.startswith("$paramod") else name


def with_plain_names(modules):
    """These modules, the derived ones under names that Verilog can have; they are changed."""
    for module in modules.values():
        for cell in module["cells"].values():
            cell["type"] = plain(cell["type"])
    return {plain(name): module for name, module in modules.items()}


def bits_of(cell, way):
    return [bit for port, bits in cell["connections"].items() if cell["port_directions"][port] == way for bit in bits if isinstance(bit, int)]


def of_mutants(loose, cells):
    """Of the cells that mutants are made of those behind what some cells drive, and those in front of all these."""
    found = {}
    for mine, theirs in (("output", "input"), ("input", "output")):
        bits = {bit for cell in [*cells, *found.values()] for bit in bits_of(cell, mine)}
        while more := {name: cell for name, cell in loose.items() if name not in found and bits & set(bits_of(cell, theirs))}:
            found |= more
            bits |= {bit for cell in more.values() for bit in bits_of(cell, mine)}
    return found


def lanes_agree(module, name, shown):
    """Whether of an output that means something where a lane is valid the bits shown are those of the lanes whose valid bits are shown,
    too: other bits count always, under no port's name."""
    valid_name = valid_of(name, module["ports"])
    if valid_name is None:
        return True
    port, valid = (module["ports"][port]["bits"] for port in (name, valid_name))
    width = len(port) // len(valid)
    return [bit in shown for bit in port] == [bit in shown for bit in valid for _ in range(width)]


def cut(design, base, parent, chosen):
    """Some of the cells of a module, and those of its mutants, as a module: what others drive is an input, what others read an output."""
    module = design["modules"][parent]
    loose = {name: cell for name, cell in module["cells"].items() if name not in base["modules"][parent]["cells"]}
    cells = {name: module["cells"][name] for name in chosen} | of_mutants(loose, [module["cells"][name] for name in chosen])
    number = module["ports"][NUMBER]["bits"] if NUMBER in module["ports"] else []
    driven = dict.fromkeys(bit for cell in cells.values() for bit in bits_of(cell, "output"))
    read = dict.fromkeys(bit for cell in cells.values() for bit in bits_of(cell, "input"))
    others = {bit for name, cell in module["cells"].items() if name not in cells for bit in bits_of(cell, "input")}
    shown = {bit for port in module["ports"].values() if port["direction"] == "output" for bit in port["bits"]}
    inputs = [bit for bit in read if bit not in driven and bit not in number]
    outputs = [bit for bit in driven if bit in others | shown]
    ports, whole = {}, set(outputs)
    for name, port in module["ports"].items():
        # What is a port of the module around is one of the part, under its name, and so are lanes of it.
        left = inputs if port["direction"] == "input" else outputs
        bits = [bit for bit in port["bits"] if bit in left]
        if name != NUMBER and bits and (port["direction"] == "input" or lanes_agree(module, name, whole)):
            ports[name] = {"direction": port["direction"], "bits": bits}
            left[:] = [bit for bit in left if bit not in bits]
    given = {"given_i": ("input", inputs), "shown_o": ("output", outputs), NUMBER: ("input", number)}
    ports |= {name: {"direction": way, "bits": bits} for name, (way, bits) in given.items() if bits}
    return {"attributes": {}, "ports": ports, "cells": cells, "netnames": {}}
