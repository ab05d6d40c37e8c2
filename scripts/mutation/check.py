"""Whether the provers know equal mutants from others: a counter with five mutants, of which two are equal; whether words that are not valid
count; whether of the control of a router only short runs count, and only outputs that an instance uses; and what a testbench's end says.
`python3 -m mutation.check` in scripts/; needs Yosys, ABC and a C++ compiler. Exit status: 0, or 1 with what was said wrongly.
"""
import json
import pathlib
import sys
import tempfile

from . import changes, control, pairs, parts, proofs, runs
from .graphs import NONE, Graph
from .tools import verdict_of, yosys

# Mutant 0 counts inverted and is equal, mutant 1 is done two cycles early, and a reset does not clear `done` of mutant 2. The word
# waits for the counter; mutant 3 inverts it twice on the way and is equal, mutant 4 once.
DESIGN = f"""
module wrapper (input clk_i, input rst_i, input start_i, input word_i, input [{changes.NUMBER_BITS - 1}:0] {changes.NUMBER}, output uart_o, output word_o);
  reg [3:0] count = 0;
  reg run = 0, done = 0, word = 0;
  wire inverts = {changes.NUMBER} == 0, hurries = {changes.NUMBER} == 1, keeps = {changes.NUMBER} == 2;
  wire twice = {changes.NUMBER} == 3, once = {changes.NUMBER} == 4;
  wire [3:0] at = count ^ {{4{{inverts & run}}}};
  wire ends = run & (at == (hurries ? 4'd13 : 4'd15));
  wire runs = (run | start_i) & ~ends & ~rst_i;
  wire [3:0] after = run ? at + 4'd1 : 4'd0;
  always @(posedge clk_i) begin
    run <= runs;
    count <= runs ? after ^ {{4{{inverts}}}} : 4'd0;
    done <= ends & (keeps | ~rst_i);
    word <= run ? word ^ (at == 4'd3 & (twice | once)) ^ (at == 4'd9 & twice) : word_i;
  end
  assign uart_o = done;
  assign word_o = word & done;
endmodule
"""
EXPECTED = ["equal", "differs", "differs", "equal", "differs"]

# A part with a lane, of which what stands around it keeps each word, or only those that are valid.
AROUND = """
module \\top.u_part (input clk_i, input rst_i, input word_i, output reg recv_valid_o, output reg recv_data_o);
  always @(posedge clk_i) begin
    recv_valid_o <= word_i & ~rst_i;
    recv_data_o <= word_i ^ recv_data_o;
  end
endmodule
module top (input clk_i, input rst_i, input word_i, output reg word_o);
  wire valid, data;
  \\top.u_part u_part (.clk_i(clk_i), .rst_i(rst_i), .word_i(word_i), .recv_valid_o(valid), .recv_data_o(data));
  always @(posedge clk_i) word_o <= ~rst_i & (KEEPS ? data : word_o);
endmodule
"""

# A port of registers that takes a word in the cycle after it was offered. Mutant 0 takes the address of that cycle, which is equal as long as a host
# keeps what it offers; mutant 1 takes the word of the cycle after, which a host need not offer any more.
HOST = f"""
module top (
  input clk_i, input rst_i, input [{changes.NUMBER_BITS - 1}:0] {changes.NUMBER}, input s_axil_awvalid, input [1:0] s_axil_awaddr, input s_axil_wvalid,
  input [3:0] s_axil_wdata, output s_axil_awready, output s_axil_wready, output [3:0] word_o
);
  reg taken = 0, after = 0, here = 0;
  reg [3:0] data = 0, word = 0;
  assign s_axil_awready = taken, s_axil_wready = taken, word_o = word;
  wire found = {changes.NUMBER} == 0 ? s_axil_awaddr == 2 : here;
  always @(posedge clk_i) begin
    taken <= ~rst_i & s_axil_awvalid & s_axil_wvalid & ~taken;
    after <= ~rst_i & taken & found;
    here <= s_axil_awaddr == 2;
    if (taken & found) data <= s_axil_wdata;
    if (rst_i) word <= 0;
    else if (after) word <= {changes.NUMBER} == 1 ? s_axil_wdata : data;
  end
endmodule
"""
HOST_EXPECTED = ["equal", "differs"]

# Registers that a mutant resets to the other value: what is shown waits for three periods. Mutant 0 and, by `copy`, mutant 3 are overwritten at
# once, mutant 1 after two periods. Mutant 2 is kept until a word comes, and mutant 4 is shown at once.
RESETS = f"""
module wrapper (input clk_i, input rst_i, input word_i, input [{changes.NUMBER_BITS - 1}:0] {changes.NUMBER}, output [4:0] shown_o);
  reg [1:0] at;
  reg soon, late, kept, first, copy, early;
  wire open = at == 3;
  always @(posedge clk_i) begin
    at <= rst_i ? 0 : open ? at : at + 1;
    soon <= rst_i ? {changes.NUMBER} == 0 : word_i;
    late <= rst_i ? {changes.NUMBER} == 1 : at == 2 ? word_i : late;
    kept <= rst_i ? {changes.NUMBER} == 2 : word_i | kept;
    first <= rst_i ? {changes.NUMBER} == 3 : word_i;
    copy <= first;
    early <= rst_i ? {changes.NUMBER} == 4 : word_i;
  end
  assign shown_o = {{early, {{4{{open}}}} & {{copy, kept, late, soon}}}};
endmodule
"""
FORGOTTEN = [True, True, False, True, False]

# A control of a router, in two instances. Mutant 0 counts wrongly once a bit of the count is set that no run of 16 cycles sets; mutant 1 does
# so in each run. Mutant 2 notes what comes between runs, mutant 3 what comes in them. Mutant 4 changes `note_o`: one instance leaves it open,
# and the other one connects NOTE.
ROUTED = f"""
module control (
  input clk_i, input rst_i, input start_i, input set_i, input [{changes.NUMBER_BITS - 1}:0] {changes.NUMBER},
  output begin_o, output busy_o, output reg [31:0] cycles_o, output reg seen_o, output note_o
);
  reg run = 0;
  assign begin_o = start_i & ~run;
  assign busy_o = run;
  assign note_o = seen_o ^ ({changes.NUMBER} == 4);
  always @(posedge clk_i) begin
    run <= ~rst_i & (run ? ~(&cycles_o[1:0] & set_i) : start_i);
    seen_o <= ~rst_i & (seen_o | (set_i & ({changes.NUMBER} == 2 ? ~run : {changes.NUMBER} == 3 & run)));
    cycles_o <= rst_i | begin_o ? 0 : run ? (cycles_o + 1) ^ ({changes.NUMBER} == 0 && cycles_o[4] ? 32'd4 : 0) ^ ({changes.NUMBER} == 1 && cycles_o[2] ? 32'd4 : 0) : cycles_o;
  end
endmodule
module top (input clk_i, input rst_i, input start_i, input [1:0] set_i, input [{changes.NUMBER_BITS - 1}:0] {changes.NUMBER}, output [1:0] busy_o, output [1:0] seen_o, output [63:0] cycles_o, output note_o);
  wire unused_note, unused_note_1, unused_begin_0, unused_begin_1, note;
  control u_0 (clk_i, rst_i, start_i, set_i[0], {changes.NUMBER}, unused_begin_0, busy_o[0], cycles_o[31:0], seen_o[0], unused_note);
  control u_1 (clk_i, rst_i, start_i, set_i[1], {changes.NUMBER}, unused_begin_1, busy_o[1], cycles_o[63:32], seen_o[1], NOTE);
  assign note_o = note;
endmodule
"""
# What is said of its mutants, by what NOTE is: a wire that nothing uses, or one that the top shows; then what mutants 2 and 4 are in the module
# alone. Mutant 2 shows there what it never shows in a run.
ROUTED_EXPECTED = {
    "unused_note_1": ["equal", "open", "equal", "open", "equal", "differs alone", "equal alone"],
    "note": ["equal", "open", "equal", "open", "open", "differs alone", "differs alone"],
}

# Places of a memory whose address is a count to 11. Mutant 0 inverts place 12, which is never read, and mutant 1 place 3.
PLACES = f"""
module places (input clk_i, input [3:0] address_i, input word_i, input [{changes.NUMBER_BITS - 1}:0] {changes.NUMBER}, output word_o);
  reg [15:0] memory = 0;
  reg word = 0;
  assign word_o = word;
  always @(posedge clk_i) begin
    memory[address_i] <= word_i ^ (address_i == ({changes.NUMBER} == 0 ? 12 : 3) & {changes.NUMBER} < 2);
    word <= memory[address_i];
  end
endmodule
module top (input clk_i, input rst_i, input word_i, input [{changes.NUMBER_BITS - 1}:0] {changes.NUMBER}, output word_o);
  reg [3:0] at = 0;
  always @(posedge clk_i) at <= rst_i | at == 11 ? 0 : at + 1;
  places u_places (clk_i, at, word_i, {changes.NUMBER}, word_o);
endmodule
"""
PLACES_EXPECTED = [True, False, "differs"]

# The address of a ring of 12 places. Mutant 0 exchanges places, mutant 1 leaves one out, and mutant 2 uses one twice.
RING = f"""
module wrapper (input clk_i, input [{changes.NUMBER_BITS - 1}:0] {changes.NUMBER}, output [3:0] at_o);
  reg [3:0] at = 0;
  assign at_o = {changes.NUMBER} == 0 ? at ^ 1 : {changes.NUMBER} == 2 && at == 5 ? 4 : at;
  always @(posedge clk_i) at <= at == ({changes.NUMBER} == 1 ? 10 : 11) ? 0 : at + 1;
endmodule
"""
RING_EXPECTED = [True, False, False]

# Ends of a testbench, as lines of a shell, and what they say of the mutant.
ENDS = {
    "echo PASS d: 3": "passed",
    "echo PASS d: 3; exit 1": "failed",
    "echo PASS d: 3; echo FAIL d: 4": "failed",
    "echo PASS other: 3": "failed",
    "kill -SEGV $$": "failed",
    "while :; do :; done": "hangs",
    "kill -TERM $$": "nothing",
    "kill -KILL $$": "nothing",
}


def graph_of(folder, name, text):
    (folder / f"{name}.v").write_text(text)
    script = f"read_verilog {name}.v\nproc\nflatten\n{proofs.OPT}simplemap\ntechmap\nsetundef -zero -undriven -init\n{proofs.OPT}aigmap\nopt_clean\n"
    yosys(folder, name, f"{script}write_aiger -ascii -symbols {name}.aag\n")
    return Graph((folder / f"{name}.aag").read_text())


def said(folder, graph):
    """What each prover says of the mutants."""
    prover, numbered = pairs.Pairs(folder), control.Numbered(graph)
    for number, _ in enumerate(EXPECTED):
        yield "pairs from the reset on", prover.prove(graph, number, False)[0]
        yield "pairs from each state", prover.prove(graph, number, True)[0]
        yield "control as a number", ask(folder, graph.miter(NONE, number, numbered))


def ask(folder, both):
    if both is None:
        return "equal"
    (folder / "both.aig").write_bytes(both)
    return proofs.engine(folder / "both.aig", (("pdr -n", 10), ("bmc3", 10)))[0]


def only_what_is_valid_counts(folder, keeps):
    """Whether the lemma on lanes that are not valid is said to hold of the part."""
    folder.mkdir()
    (folder / "around.v").write_text(AROUND.replace("KEEPS", keeps))
    yosys(folder, "around", "read_verilog around.v\nhierarchy -check -top top\nproc\nwrite_json base.json\n")
    (folder / "mutants.json").write_text("[]")
    return proofs.Proofs(folder, "top").only_what_is_meant_counts("top.u_part")


def said_of_a_host(folder):
    """What is said of the mutants of a port of registers, of one step and of both copies."""
    folder.mkdir()
    (folder / "host.v").write_text(HOST)
    yosys(folder, "host", "read_verilog host.v\nhierarchy -check -top top\nproc\nwrite_json base.json\nwrite_json chosen.json\n")
    cell = next(iter(json.loads((folder / "base.json").read_text())["modules"]["top"]["cells"]))
    (folder / "mutants.json").write_text(json.dumps([["inv", "top", cell, "", "", ""]] * 2))
    prover = proofs.Proofs(folder, "top")
    graphs = [prover.graph_of(mutant) for mutant in range(2)]
    return [prover.prove(mutant)[0] for mutant in range(2)] + [ask(folder, graph.step(NONE, number)) for graph, number in graphs]


def said_of_places(folder):
    """Whether the mutants of the memory are said to be equal for the addresses that it gets; and what is said of an address that comes, as if no
    run had shown it."""
    folder.mkdir()
    (folder / "places.v").write_text(PLACES)
    yosys(folder, "places", "read_verilog places.v\nhierarchy -check -top top\nproc\nwrite_json base.json\nwrite_json chosen.json\n")
    (folder / "mutants.json").write_text(json.dumps([["inv", "places", "", "", "", ""]] * 2))
    prover = proofs.Proofs(folder, "top")
    equal = [prover.equal_for_its_inputs(mutant) is not None for mutant in range(2)]
    graph = prover.graph("seen.u_places", "top", proofs.meaning)
    ten = {graph.shown[f"seen_address_i[{bit}]"]: 10 >> bit & 1 for bit in range(4)}
    return [*equal, ask(folder, graph.ever([ten]))]


def said_of_a_router(folder, note):
    """What is said of the mutants of its control."""
    folder.mkdir()
    (folder / "routed.v").write_text(ROUTED.replace("NOTE", note))
    yosys(folder, "routed", "read_verilog routed.v\nhierarchy -check -top top\nproc\nwrite_json base.json\nwrite_json chosen.json\n")
    (folder / "mutants.json").write_text(json.dumps([["inv", "control", "", "", "", ""]] * 5))
    proofs.CONTROLS = (("begin_o", "cycles_o", 16, "set_i"),)
    prover = proofs.Proofs(folder, "top", routed=True)
    alone = [prover.equal_alone(mutant, "control") for mutant in (2, 4)]
    return [prover.prove(mutant)[0] for mutant in range(5)] + [f"{'equal' if same else 'differs'} alone" for same in alone]


def said_by_its_end(line):
    """What a testbench says that ends like this."""
    try:
        return verdict_of(["sh", "-c", line], ".", "d", patience=1)
    except RuntimeError:
        return "nothing"


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        graph, resets = graph_of(folder, "design", DESIGN), graph_of(folder, "resets", RESETS)
        ring = graph_of(folder, "ring", RING)
        states = len(control.Numbered(graph).table)
        wrong = [] if states == 18 else [f"the control has {states} states, not 18"]
        if (answers := [ring.delays(number, 12) for number, _ in enumerate(RING_EXPECTED)]) != RING_EXPECTED:
            wrong.append(f"whether a ring gives each word as late as it did: {answers}, not {RING_EXPECTED}")
        if (answers := ["equal" if runs.apart(graph, number) is None else "differs" for number, _ in enumerate(EXPECTED)]) != EXPECTED:
            wrong.append(f"what random runs show: {answers}, not {EXPECTED}")
        if (answers := [resets.forgets(number, 4) for number, _ in enumerate(FORGOTTEN)]) != FORGOTTEN:
            wrong.append(f"whether a reset is forgotten: {answers}, not {FORGOTTEN}")
        for at, (prover, answer) in enumerate(said(folder, graph)):
            if answer != EXPECTED[at // 3]:
                wrong.append(f"{prover}: mutant {at // 3} is {answer}, not {EXPECTED[at // 3]}")
        for name, keeps, expected in (("valid", "valid", True), ("all", "1'b1", False)):
            if only_what_is_valid_counts(folder / name, keeps) != expected:
                wrong.append(f"what is kept is {name}: the lemma on lanes that are not valid {'fails' if expected else 'holds'}")
        for note, expected in ROUTED_EXPECTED.items():
            if (answers := said_of_a_router(folder / note, note)) != expected:
                wrong.append(f"a router whose control has {note}: its mutants are {answers}, not {expected}")
        if (answers := said_of_a_host(folder / "host")) != 2 * HOST_EXPECTED:
            wrong.append(f"a port of registers whose host keeps what it offers: its mutants are {answers}, not {2 * HOST_EXPECTED}")
        if (answers := said_of_places(folder / "places")) != PLACES_EXPECTED:
            wrong.append(f"a memory of which some places are not used: {answers}, not {PLACES_EXPECTED}")
    # A part that shows lane 0 and its valid bit; with the valid bit of lane 1 as well; lane 0 with the valid bit of lane 1.
    # Then destinations of a round, which all mean something or none.
    lanes, round_ = ({"send_dest_o": {"bits": [2, 3, 4, 5]}, valid: {"bits": bits}} for valid, bits in (("send_valid_o", [6, 7]), ("send_ready_o", [6])))
    shows = [(lanes, {2, 3, 6}, True), (lanes, {2, 3, 6, 7}, False), (lanes, {2, 3, 7}, False)]
    for ports, shown, expected in [*shows, (round_, {2, 3, 4, 5, 6}, True), (round_, {2, 3, 4, 5}, False)]:
        if parts.lanes_agree({"ports": ports}, "send_dest_o", shown) != expected:
            wrong.append(f"bits {sorted(shown)}: whether lanes and their valid bits agree is not {expected}")
    for line, expected in ENDS.items():
        if (verdict := said_by_its_end(line)) != expected:
            wrong.append(f"a testbench that ends by {line}: {verdict}, not {expected}")
    print("\n".join(wrong) or f"{4 * len(EXPECTED) + 5 + 2 * 7 + 6 + len(PLACES_EXPECTED) + len(RING_EXPECTED) + len(FORGOTTEN) + len(ENDS)} answers are right", file=sys.stderr if wrong else sys.stdout)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
