`timescale 1ns/1ps
module tb;
  localparam W = 33;
  reg clk_i = 1'b0;
  reg rst_i = 1'b1;
  reg valid_i = 1'b0;
  reg [W-1:0] data_i = 33'd0;
  wire valid_o;
  wire [W-1:0] data_o;
  integer cycle = 0;
  fabric #(.W(W)) dut (.clk_i(clk_i), .rst_i(rst_i), .valid_i(valid_i), .data_i(data_i), .valid_o(valid_o), .data_o(data_o));
  always #5 clk_i = ~clk_i;
  initial begin
    $dumpfile(`WAVE);
    $dumpvars(0, tb);
  end
  always @(posedge clk_i) begin
    cycle <= cycle + 1;
    rst_i <= cycle < 2;
    valid_i <= cycle[0];
    data_i <= 33'h1_0000_0001 * cycle;
    if (cycle == 16) $finish;
  end
endmodule
