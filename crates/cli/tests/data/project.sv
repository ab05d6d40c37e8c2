// Three designs in one top, one of them twice with words of 8 and of 13 bits: every one runs its exchange and delivers what it should.
`timescale 1ns/1ps
module project;
  reg clk = 0, rst = 1;
  reg start = 0;
  always #5 clk = ~clk;
  wire [3:0] done;
  wire [7:0] rls_valid;
  wire [9:0] gsen_valid;
  wire [3:0] benes_valid, other_valid;
  wire [51:0] other_data;
  integer rls = 0, gsen = 0, benes = 0, other = 0;

  `RLS u_rls (
    .clk_i(clk), .rst_i(rst), .start_i(start), .send_valid_o(), .send_dest_o(), .send_data_i(256'd0),
    .recv_valid_o(rls_valid), .recv_source_o(), .recv_data_o(), .busy_o(), .done_o(done[0]), .conflict_o(), .cycles_o()
  );
  `GSEN u_gsen (
    .clk_i(clk), .rst_i(rst), .start_i(start), .send_valid_o(), .send_dest_o(), .send_data_i(80'd0),
    .recv_valid_o(gsen_valid), .recv_source_o(), .recv_data_o(), .busy_o(), .done_o(done[1]), .conflict_o(), .cycles_o()
  );
  `BENES u_benes (
    .clk_i(clk), .rst_i(rst), .start_i(start), .send_valid_o(), .send_dest_o(), .send_data_i(32'd0),
    .recv_valid_o(benes_valid), .recv_source_o(), .recv_data_o(), .busy_o(), .done_o(done[2]), .conflict_o(), .cycles_o()
  );
  `BENES #(.W(13)) u_other (
    .clk_i(clk), .rst_i(rst), .start_i(done[2]), .send_valid_o(), .send_dest_o(), .send_data_i({4{13'h1555}}),
    .recv_valid_o(other_valid), .recv_source_o(), .recv_data_o(other_data), .busy_o(), .done_o(done[3]), .conflict_o(), .cycles_o()
  );

  integer at;
  always @(negedge clk) if (!rst) begin
    for (at = 0; at < 8; at = at + 1) if (rls_valid[at]) rls = rls + 1;
    for (at = 0; at < 10; at = at + 1) if (gsen_valid[at]) gsen = gsen + 1;
    for (at = 0; at < 4; at = at + 1) if (benes_valid[at]) benes = benes + 1;
    for (at = 0; at < 4; at = at + 1) if (other_valid[at] && other_data[13*at +: 13] == 13'h1555) other = other + 1;
  end

  initial begin
    repeat (30) @(negedge clk);
    rst = 0;
    @(negedge clk) start = 1;
    @(negedge clk) start = 0;
    repeat (100) @(negedge clk);
    // Stage control has 16 rounds of 10 words.
    if (rls == 64 && gsen == 160 && benes == 16 && other == 16) $display("PASS project");
    else $display("FAIL project: %0d %0d %0d %0d", rls, gsen, benes, other);
    $finish;
  end
endmodule
