// tb_@D@: testbench of @D@_route. It offers each message in its cycle and compares what comes out in every cycle.
`timescale 1ns/1ps

module tb_@D@;
  localparam int Rows = @ROWS@;
  localparam int Bits = @BITS@;       // of a word: destination, number
  localparam int Number = @NUMBER@;   // bits of the number
  localparam int Cycles = @CYCLES@;

  logic                 clk_i;
  logic                 rst_i;
  logic [Rows-1:0]      inject_valid_i;
  logic [Rows*Bits-1:0] inject_word_i;
  logic [Rows-1:0]      deliver_valid_o;
  logic [Rows*Bits-1:0] deliver_word_o;

  @D@_route u_route (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .inject_valid_i (inject_valid_i),
    .inject_word_i  (inject_word_i),
    .deliver_valid_o(deliver_valid_o),
    .deliver_word_o (deliver_word_o)
  );

  // By cycle and row: whether there is a message, its word; whether one comes out, its number.
  logic [Bits:0]   offered  [0:Rows*Cycles-1];
  logic [Number:0] expected [0:Rows*Cycles-1];
  string data_dir;
  string file_name;
  int    file;
  int    cycle;
  int    errors;
  int    delivered;

  initial begin : clock
    clk_i = 1'b0;
    rst_i = 1'b1;
    inject_valid_i = '0;
    inject_word_i = '0;
    cycle = -3;
    errors = 0;
    delivered = 0;
    if ($value$plusargs("data=%s", data_dir) == 0) data_dir = ".";
    $readmemh({data_dir, "/@D@_offered.memh"}, offered);
    $readmemh({data_dir, "/@D@_expected.memh"}, expected);
    file = 0;
    if ($value$plusargs("arrivals=%s", file_name) != 0) file = $fopen(file_name, "w");
    if (file != 0) $fdisplay(file, "step,row,message");
    if ($value$plusargs("wave=%s", file_name) != 0) begin
      $dumpfile(file_name);
      $dumpvars(0, tb_@D@);
    end
    #5;
    for (int period = 0; period < Cycles + 3; period++) begin
      clk_i = 1'b1;
      #5 clk_i = 1'b0;
      #5;
    end
    if (file != 0) $fclose(file);
    if (errors > 0) $display("FAIL @D@: %0d errors", errors);
    else $display("PASS @D@: delivered=%0d", delivered);
    $display("RESULT cycles=%0d delivered=%0d errors=%0d", Cycles, delivered, errors);
    if (errors > 0) $fatal(1);
    $finish(0);
  end

  always @(posedge clk_i) begin : period
    if (cycle >= 0) check();
    cycle = cycle + 1;
    rst_i <= cycle < -1;
    for (int row = 0; row < Rows; row++) begin
      inject_valid_i[row] <= cycle >= 0 && cycle < Cycles && offered[cycle*Rows+row][Bits];
      inject_word_i[row*Bits +: Bits] <= cycle >= 0 && cycle < Cycles ? offered[cycle*Rows+row][Bits-1:0] : '0;
    end
  end

  task automatic check;
    logic [Number:0] got;
    for (int row = 0; row < Rows; row++) begin
      got = deliver_valid_o[row] === 1'b0 ? '0 : {deliver_valid_o[row], deliver_word_o[row*Bits +: Number]};
      if (got !== expected[cycle*Rows+row]) begin
        $display("FAIL: cycle %0d: row %0d gives %h, expected %h", cycle, row, got, expected[cycle*Rows+row]);
        errors += 1;
      end
      if (got[Number] === 1'b1) begin
        delivered += 1;
        if (file != 0) $fdisplay(file, "%0d,%0d,%0d", cycle, row, got[Number-1:0]);
      end
    end
  endtask

`ifdef FRIT_MADE_FROM
  initial $display("MADE-FROM %h", `FRIT_MADE_FROM);
`endif
endmodule
