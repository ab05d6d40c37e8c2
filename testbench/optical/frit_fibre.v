// frit_fibre: a piece of fibre, DELAY_PS ticks of clk_i long (1 tick = 1 ps). Simulation only.
// Light is {tag, invalid, value, lit}, see frit_linbo3_switch. The light inside is a ring and the register at its end,
// which simulates six times faster under Icarus than a ring that is read in place.
`timescale 1ps/100fs

module frit_fibre #(
    parameter DELAY_PS = 1280,
    parameter BITS = 9
) (
    input  wire            clk_i,
    input  wire [BITS-1:0] light_i,
    output wire [BITS-1:0] light_o
);
  localparam RING = DELAY_PS > 1 ? DELAY_PS - 1 : 1;
  localparam AT_BITS = RING > 1 ? $clog2(RING) : 1;
  localparam [31:0] LAST = RING - 1;

  generate
    if (DELAY_PS == 0) begin : gen_none
      wire unused_clk = clk_i;
      assign light_o = light_i;
    end else begin : gen_ring
      reg [BITS-1:0]    ring_q [0:RING-1];
      reg [AT_BITS-1:0] at_q;
      reg [BITS-1:0]    light_q;

      integer i;
      initial begin
        at_q = {AT_BITS{1'b0}};
        light_q = {BITS{1'b0}};
        for (i = 0; i < RING; i = i + 1) ring_q[i] = {BITS{1'b0}};
      end

      assign light_o = light_q;
      always @(posedge clk_i) begin
        light_q <= DELAY_PS == 1 ? light_i : ring_q[at_q];
        ring_q[at_q] <= light_i;
        at_q <= at_q == LAST[AT_BITS-1:0] ? {AT_BITS{1'b0}} : at_q + 1'b1;
      end
    end
  endgenerate
endmodule
