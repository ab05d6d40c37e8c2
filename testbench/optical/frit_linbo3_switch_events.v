// frit_linbo3_switch_events: frit_linbo3_switch once more, written independently of it with delays instead of ticks.
// Simulation only, Icarus only: it needs transport delays and X, which Verilator does not have.
//
// In the window, which ends SWITCHING_PS after the last change of invert_i, the outputs are X. clk_i is not used.
`timescale 1ps/1ps

module frit_linbo3_switch_events #(
    parameter SWITCHING_PS = 15,
    parameter PROPAGATION_PS = 70,
    parameter TAG_BITS = 6
) (
    input  wire                clk_i,
    input  wire                invert_i,
    input  wire [TAG_BITS+2:0] up_i,
    input  wire [TAG_BITS+2:0] down_i,
    output reg  [TAG_BITS+2:0] up_o,
    output reg  [TAG_BITS+2:0] down_o,
    output wire                hit_o,
    output wire [TAG_BITS-1:0] hit_tag_o
);
  localparam BITS = TAG_BITS + 3;

  reg  busy;
  reg  known;     // false at time 0: what the control has then is no change
  reg  over;      // follows next_over, which toggles at every change, SWITCHING_PS later
  reg  next_over;
  time changed;   // when invert_i changed last

  initial begin
    busy = 1'b0;
    known = 1'b0;
    over = 1'b0;
    next_over = 1'b0;
    changed = 0;
    up_o = {BITS{1'b0}};
    down_o = {BITS{1'b0}};
    #1 known = 1'b1;
  end

  always @(invert_i) begin
    if (known) begin
      changed = $time;
      busy = 1'b1;
      next_over = !next_over;
      over <= #(SWITCHING_PS) next_over;
    end
  end
  always @(over) if ($time >= changed + SWITCHING_PS) busy = 1'b0;

  assign hit_o = busy && (up_i[0] === 1'b1 || down_i[0] === 1'b1);
  assign hit_tag_o = up_i[0] === 1'b1 ? up_i[BITS-1:3] : down_i[BITS-1:3];

  wire [BITS-1:0] up = busy ? {BITS{1'bx}} : invert_i ? down_i : up_i;
  wire [BITS-1:0] down = busy ? {BITS{1'bx}} : invert_i ? up_i : down_i;
  always @(up) up_o <= #(PROPAGATION_PS) up;
  always @(down) down_o <= #(PROPAGATION_PS) down;
endmodule
