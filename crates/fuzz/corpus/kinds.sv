// Every kind of variable and scope that the two simulators dump.
`timescale 1ns/1ps
module kinds;
  reg clk_i = 0, rst_i = 1;
  reg [7:0] byte_r = 8'bx;
  reg [0:40] up = 41'bz;
  integer count = 0;
  real volts = 0.0;
  time when_t = 0;
  event tick;
  parameter P = 5;
  reg [3:0] memory [0:3];
  genvar g;
  generate for (g = 0; g < 2; g = g + 1) begin : gen
    wire [g:0] bits = byte_r[g:0];
  end endgenerate
  always #5 clk_i = ~clk_i;
  always @(posedge clk_i) begin : work
    integer inner;
    inner = count + 1;
    count <= inner;
    rst_i <= count < 1;
    byte_r <= {count[3:0], count[3:0]};
    up <= count[0] ? {41{1'b1}} : {count, 9'bx};
    volts <= volts + 0.25;
    when_t <= $time;
    memory[count[1:0]] <= count[3:0];
    -> tick;
    if (count == 6) $finish;
  end
  initial begin
    $dumpfile(`WAVE);
    $dumpvars(0, kinds);
    #22 $dumpoff;
    #10 $dumpon;
  end
endmodule
