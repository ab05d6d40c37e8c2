// Drives `fabric` as tb.sv does, with one bit wrong in cycle 9.
#include "Vfabric.h"
#include "verilated_fst_c.h"

int main(int argc, char **argv) {
  VerilatedContext context;
  context.traceEverOn(true);
  Vfabric top{&context};
  VerilatedFstC trace;
  top.trace(&trace, 99);
  trace.open("verilator_top.fst");
  top.rst_i = 1;
  for (uint64_t cycle = 0; cycle < 17; cycle++) {
    top.clk_i = 0;
    top.eval();
    trace.dump(10 * cycle);
    top.clk_i = 1;
    top.eval();
    top.rst_i = cycle < 2;
    top.valid_i = cycle & 1;
    top.data_i = (0x100000001ull * cycle ^ (cycle == 9)) & 0x1ffffffffull;
    top.eval();
    trace.dump(10 * cycle + 5);
  }
  trace.close();
}
