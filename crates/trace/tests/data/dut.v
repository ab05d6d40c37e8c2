`timescale 1ns/1ps
module stage #(parameter W = 8) (
  input wire clk_i, input wire rst_i, input wire valid_i, input wire [W-1:0] data_i,
  output reg valid_o, output reg [W-1:0] data_o);
  always @(posedge clk_i) begin
    if (rst_i) valid_o <= 1'b0; else valid_o <= valid_i;
    data_o <= data_i;
  end
endmodule
module fabric #(parameter W = 8) (
  input wire clk_i, input wire rst_i, input wire valid_i, input wire [W-1:0] data_i,
  output wire valid_o, output wire [W-1:0] data_o);
  wire valid_mid; wire [W-1:0] data_mid;
  stage #(.W(W)) u_first (.clk_i(clk_i), .rst_i(rst_i), .valid_i(valid_i), .data_i(data_i), .valid_o(valid_mid), .data_o(data_mid));
  stage #(.W(W)) u_second (.clk_i(clk_i), .rst_i(rst_i), .valid_i(valid_mid), .data_i(data_mid), .valid_o(valid_o), .data_o(data_o));
endmodule
