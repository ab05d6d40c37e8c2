// The LiNbO3 switch alone under a control that often changes again before a window is over: windows, hits and outputs
// against arithmetic on the time of the last change. With FRIT_LINBO3_EVENTS it is the switch with delays.
`timescale 1ps/100fs

module switch_alone;
  localparam int SwitchingPs = 15;
  localparam int PropagationPs = 7;
  localparam int TagBits = 6;
  localparam int Bits = TagBits + 3;
  localparam int Ticks = 20000;

  logic               clk_i;
  logic               invert_q;
  logic [Bits-1:0]    up_q;
  logic [Bits-1:0]    down_q;
  logic [Bits-1:0]    up;
  logic [Bits-1:0]    down;
  logic               hit;
  logic [TagBits-1:0] hit_tag;

`ifdef FRIT_LINBO3_EVENTS
  frit_linbo3_switch_events #(
`else
  frit_linbo3_switch #(
`endif
    .SWITCHING_PS(SwitchingPs), .PROPAGATION_PS(PropagationPs), .TAG_BITS(TagBits)
  ) u_switch (
    .clk_i(clk_i), .invert_i(invert_q), .up_i(up_q), .down_i(down_q), .up_o(up), .down_o(down),
    .hit_o(hit), .hit_tag_o(hit_tag)
  );

  int              now_q;
  int              changed;        // the tick of the last change, or far back
  int              hits;
  int              restarts;       // changes within a window
  bit              busy;
  bit              lit;
  logic [31:0]     chance;
  logic [Bits-1:0] want_up   [0:Ticks-1];
  logic [Bits-1:0] want_down [0:Ticks-1];
  bit              spoilt    [0:Ticks-1];

  initial begin
    clk_i = 1'b0;
    now_q = 0;
    changed = -1000;
    hits = 0;
    restarts = 0;
    invert_q = 1'b0;
    up_q = '0;
    down_q = '0;
    chance = 32'd1;
    for (int tick = 0; tick < Ticks; tick++) begin
      #0.5 clk_i = 1'b0;
      #0.5 clk_i = 1'b1;
    end
    if (hits < 100 || restarts < 100) fail("fewer than 100 hits or 100 restarted windows: the test is too short");
    $display("PASS: %0d ticks with light in a window, %0d windows restarted", hits, restarts);
    $finish(0);
  end

  always @(posedge clk_i) begin
    busy = now_q - changed < SwitchingPs;
    lit = up_q[0] || down_q[0];
    if (hit !== (busy && lit)) fail("hit_o");
    if (busy && lit) begin
      hits += 1;
      if (hit_tag !== (up_q[0] ? up_q[Bits-1:3] : down_q[Bits-1:3])) fail("hit_tag_o");
    end
    want_up[now_q] = invert_q ? down_q : up_q;
    want_down[now_q] = invert_q ? up_q : down_q;
    spoilt[now_q] = busy;
    if (now_q >= PropagationPs) begin
      compare(up, want_up[now_q-PropagationPs], spoilt[now_q-PropagationPs]);
      compare(down, want_down[now_q-PropagationPs], spoilt[now_q-PropagationPs]);
    end

    chance = chance * 32'd1664525 + 32'd1013904223;
    now_q <= now_q + 1;
    // One change in 16 ticks on average, then in 64.
    if (chance[31:28] == 4'd0 && (now_q < Ticks / 2 || chance[27:26] == 2'd0)) begin
      if (now_q + 1 - changed < SwitchingPs) restarts += 1;
      changed = now_q + 1;
      invert_q <= !invert_q;
    end
    if (chance[25:22] == 4'd0) up_q <= {chance[21:16], 1'b0, chance[15:14]};
    if (chance[13:10] == 4'd0) down_q <= {chance[21:16], 1'b0, chance[9:8]};
  end

  task automatic compare(input logic [Bits-1:0] got, input logic [Bits-1:0] want, input bit is_spoilt);
    if (!is_spoilt) begin
      if (got !== want) fail("an output");
    end
`ifdef FRIT_LINBO3_EVENTS
    else if (got !== {Bits{1'bx}}) fail("an output is not x");
`else
    else if (got[2] !== 1'b1) fail("an output is not invalid");
`endif
  endtask

  task automatic fail(input string text);
    $display("FAIL: %0d ps: %s", now_q, text);
    $fatal(1);
  endtask
endmodule
