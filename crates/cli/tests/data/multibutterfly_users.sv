`timescale 1ns/1ps
module top;
  logic clk_i = 1'b0;
  wire [1:0] finished;
  user_a u_a (.clk_i(clk_i), .finished(finished[0]));
  user_b u_b (.clk_i(clk_i), .finished(finished[1]));
  initial begin
    for (int period = 0; period < 100000 && finished !== 2'b11; period++) begin
      #5 clk_i = 1'b1;
      #5 clk_i = 1'b0;
    end
    if (finished !== 2'b11) $display("FAIL: no end: %b", finished);
    $finish(0);
  end
endmodule
