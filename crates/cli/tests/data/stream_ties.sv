// A stream core whose outputs are wired to its own inputs: START says how `start_i` is, READY how `m_axis_tready_i`.
`timescale 1ns/1ps
module ties;
  localparam N = 4, W = 8, A = 2, WORDS = 2;
  reg clk = 0, rst = 1;
  always #5 clk = ~clk;
  wire ready, busy, done;
  wire start = ready;
  wire idle = ~busy & ready;
  wire [N-1:0] take, valid;
  wire [N-1:0] tied = valid;
  reg [N-1:0] offer = 0, last = 0;
  reg [N*W-1:0] words = 0;
  reg [N*A-1:0] dest = 0;
  rls_n4_w8_axis_l2_b1 dut (
    .clk_i(clk), .rst_i(rst), .start_i(`START), .ready_o(ready), .cycles_o(), .busy_o(busy), .done_o(done), .missing_o(),
    .double_o(), .unknown_o(), .length_o(), .conflict_o(), .s_axis_tvalid_i(offer), .s_axis_tready_o(take),
    .s_axis_tdata_i(words), .s_axis_tdest_i(dest), .s_axis_tlast_i(last), .m_axis_tvalid_o(valid),
    .m_axis_tready_i(`READY), .m_axis_tdata_o(), .m_axis_tid_o(), .m_axis_tlast_o()
  );
  integer sent [0:N-1];
  integer at, got = 0;
  always @(posedge clk) if (!rst) begin
    for (at = 0; at < N; at = at + 1) begin
      if (valid[at]) got = got + 1;
      if (offer[at] && take[at]) sent[at] = sent[at] + 1;
    end
  end
  always @(negedge clk) begin
    for (at = 0; at < N; at = at + 1) begin
      offer[at] = !rst && sent[at] < N * WORDS;
      dest[at*A +: A] = sent[at] / WORDS;
      last[at] = sent[at] % WORDS == WORDS - 1;
      words[at*W +: W] = sent[at];
    end
  end
  integer lane;
  initial begin
    for (lane = 0; lane < N; lane = lane + 1) sent[lane] = 0;
    repeat (5) @(posedge clk);
    #1 rst = 0;
    repeat (200) @(posedge clk);
    $display("%s: %0d of %0d words", got == N * N * WORDS ? "PASS" : "FAIL", got, N * N * WORDS);
    $finish;
  end
endmodule
