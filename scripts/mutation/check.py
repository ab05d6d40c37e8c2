"""Whether the provers know equal mutants from others: a counter with five mutants, of which two are equal. `python3 -m mutation.check`
in scripts/; needs Yosys, ABC and a C++ compiler. Exit status: 0, or 1 with what was said wrongly.
"""
import pathlib
import sys
import tempfile

from . import changes, control, pairs, proofs
from .graphs import NONE, Graph
from .tools import yosys

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


def graph_of(folder):
    (folder / "design.v").write_text(DESIGN)
    script = f"read_verilog design.v\nproc\nflatten\n{proofs.OPT}simplemap\ntechmap\nsetundef -zero -undriven -init\n{proofs.OPT}aigmap\nopt_clean\n"
    yosys(folder, "design", f"{script}write_aiger -ascii -symbols design.aag\n")
    return Graph((folder / "design.aag").read_text())


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


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        graph = graph_of(folder)
        states = len(control.Numbered(graph).table)
        wrong = [] if states == 18 else [f"the control has {states} states, not 18"]
        for at, (prover, answer) in enumerate(said(folder, graph)):
            if answer != EXPECTED[at // 3]:
                wrong.append(f"{prover}: mutant {at // 3} is {answer}, not {EXPECTED[at // 3]}")
    print("\n".join(wrong) or f"{3 * len(EXPECTED)} answers are right", file=sys.stderr if wrong else sys.stdout)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
