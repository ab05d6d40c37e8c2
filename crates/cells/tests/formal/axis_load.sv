// What is proved of frit_axis_load with frit_axis_marks beside it, for any stream that keeps the rules of AXI4-Stream.
module proof #(parameter A = 2, parameter B = 1, parameter LastTerminal = 2, parameter LastWord = 1) (
  input clk_i,
  input rst_i,
  input tvalid_i,
  input [0:0] tdata_i,
  input [A-1:0] tdest_i,
  input tlast_i,
  input hold_i,
  input take_i
);
  wire tready, mark, marked, unknown, ready, write, bank, full, twice, nowhere, uneven;
  wire [A-1:0] dest;
  wire [B-1:0] word;
  wire [0:0] data;
  frit_axis_load #(.TerminalBits(A), .WordIndexBits(B), .W(1), .LastTerminal(LastTerminal), .LastWord(LastWord)) u_load (
    .clk_i(clk_i), .rst_i(rst_i), .tvalid_i(tvalid_i), .tready_o(tready), .tdata_i(tdata_i), .tdest_i(tdest_i),
    .tlast_i(tlast_i), .hold_i(hold_i), .take_i(take_i), .marks_ready_i(ready), .marked_i(marked), .unknown_i(unknown),
    .mark_o(mark), .write_o(write), .dest_o(dest), .word_o(word), .data_o(data), .bank_o(bank), .full_o(full),
    .double_o(twice), .unknown_o(nowhere), .length_o(uneven));
  frit_axis_marks #(.TerminalBits(A), .LastTerminal(LastTerminal)) u_marks (
    .clk_i(clk_i), .rst_i(rst_i), .look_i(tdest_i), .mark_i(mark), .turn_i(take_i), .marked_o(marked),
    .unknown_o(unknown), .ready_o(ready));

  reg started = 1'b0;
  always @(posedge clk_i) started <= 1'b1;
  // After the first reset there is no other; a set is taken only when it is there.
  always @(*) begin
    assume(rst_i == !started);
    assume(!take_i || full);
  end
  // A destination is the same through its message.
  reg [A-1:0] held_dest;
  reg [B-1:0] sent = 0;
  always @(posedge clk_i) begin
    if (tvalid_i && tready) begin
      held_dest <= tdest_i;
      sent <= sent == LastWord ? 0 : sent + 1;
    end
    if (rst_i) sent <= 0;
  end
  always @(*) if (sent != 0) assume(tdest_i == held_dest);

  // The words of every destination in this set, and messages offered to it.
  (* anyconst *) reg [A-1:0] pick;
  reg [7:0] words = 0;
  reg offered = 1'b0;   // a message for it was taken in this set
  always @(posedge clk_i) begin
    if (write && dest == pick) words <= words + 1;
    if (tvalid_i && tready && sent == 0 && tdest_i == pick) offered <= 1'b1;
    if (take_i || rst_i) begin words <= 0; offered <= 1'b0; end
  end
  // The destinations whose message was taken to its end in this set.
  reg [LastTerminal:0] have = 0;
  always @(posedge clk_i) begin
    if (tvalid_i && tready && sent == LastWord && tdest_i <= LastTerminal) have[tdest_i] <= 1'b1;
    if (take_i || rst_i) have <= 0;
  end
  reg was_offered = 1'b0;
  always @(posedge clk_i) was_offered <= offered && !take_i && !rst_i;
  always @(*) if (started) begin
    // Each destination gets the words of one message, in order, and the set is full when all have theirs.
    assert(words <= LastWord + 1);
    if (full && pick <= LastTerminal) assert(words == LastWord + 1);
    if (pick > LastTerminal) assert(words == 0);
    if (write && dest == pick) assert(word == words);
    // A second message is reported, and only that; so is one for nobody.
    if (twice && dest == pick) assert(was_offered);
    if (nowhere) assert(dest > LastTerminal);
    // Nothing of the next set is taken before this one is handed over.
    if (&have) assert(!tready);
    if (full) assert(&have && !tready);
    if (hold_i) assert(!tready);
  end
endmodule
