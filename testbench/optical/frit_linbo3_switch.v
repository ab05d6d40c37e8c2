// frit_linbo3_switch: a 2x2 LiNbO3 switch as a device, in ticks of clk_i (1 tick = 1 ps). Simulation only; the same
// under Verilator and Icarus.
//
// invert_i 0 (push) leads up to up and down to down, 1 (invert) crosses them. A change of invert_i starts a window of
// SWITCHING_PS ticks; a change within it starts it again. In the window the outputs are invalid, which is told by a
// flag beside the light, and light at an input is an error: hit_o, with the packet in hit_tag_o. Light takes
// PROPAGATION_PS ticks from input to output; the state counts that meets it at the input (the field travels with it).
//
// Light is {tag, invalid, value, lit}: lit from the first to the last bit of a packet, value the bit, invalid if it
// went through a window (or if darkness did), tag the packet's number, for messages only.
`timescale 1ps/100fs

module frit_linbo3_switch #(
    parameter SWITCHING_PS = 15,
    parameter PROPAGATION_PS = 70,
    parameter TAG_BITS = 6
) (
    input  wire                clk_i,
    input  wire                invert_i,
    input  wire [TAG_BITS+2:0] up_i,
    input  wire [TAG_BITS+2:0] down_i,
    output wire [TAG_BITS+2:0] up_o,
    output wire [TAG_BITS+2:0] down_o,
    output wire                hit_o,
    output wire [TAG_BITS-1:0] hit_tag_o
);
  localparam BITS = TAG_BITS + 3;
  localparam COUNT_BITS = $clog2(SWITCHING_PS + 1);
  localparam [31:0] REST = SWITCHING_PS - 1;

  reg                  known_q;   // false before the first tick: what the control has then is no change
  reg                  state_q;
  reg [COUNT_BITS-1:0] left_q;    // ticks of the window that are left after this one

  initial begin
    known_q = 1'b0;
    state_q = 1'b0;
    left_q = {COUNT_BITS{1'b0}};
  end

  wire changed = known_q && invert_i != state_q;
  wire busy = changed || left_q != {COUNT_BITS{1'b0}};

  always @(posedge clk_i) begin
    known_q <= 1'b1;
    state_q <= invert_i;
    if (changed) left_q <= REST[COUNT_BITS-1:0];
    else if (left_q != {COUNT_BITS{1'b0}}) left_q <= left_q - 1'b1;
  end

  assign hit_o = busy && (up_i[0] || down_i[0]);
  assign hit_tag_o = up_i[0] ? up_i[BITS-1:3] : down_i[BITS-1:3];

  // In the window some of either light may come out at both sides; none of it can be read.
  wire [BITS-1:0] spoilt = {hit_tag_o, 1'b1, 1'b0, up_i[0] || down_i[0]};
  wire [BITS-1:0] up = busy ? spoilt : invert_i ? down_i : up_i;
  wire [BITS-1:0] down = busy ? spoilt : invert_i ? up_i : down_i;

  frit_fibre #(.DELAY_PS(PROPAGATION_PS), .BITS(BITS)) u_up (.clk_i(clk_i), .light_i(up), .light_o(up_o));
  frit_fibre #(.DELAY_PS(PROPAGATION_PS), .BITS(BITS)) u_down (.clk_i(clk_i), .light_i(down), .light_o(down_o));
endmodule
