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
  wire tready, mark, marked, unknown, ready, write, bank, sent_bank, turn, full, twice, nowhere, uneven;
  wire [A-1:0] dest, look;
  wire [B-1:0] word;
  wire [0:0] data;
  frit_axis_load #(.TerminalBits(A), .WordIndexBits(B), .W(1), .LastTerminal(LastTerminal), .LastWord(LastWord)) u_load (
    .clk_i(clk_i), .rst_i(rst_i), .tvalid_i(tvalid_i), .tready_o(tready), .tdata_i(tdata_i), .tdest_i(tdest_i),
    .tlast_i(tlast_i), .hold_i(hold_i), .take_i(take_i), .marks_ready_i(ready), .marked_i(marked), .unknown_i(unknown),
    .look_o(look), .mark_o(mark), .write_o(write), .dest_o(dest), .word_o(word), .data_o(data), .bank_o(bank), .sent_bank_o(sent_bank), .turn_o(turn), .full_o(full),
    .double_o(twice), .unknown_o(nowhere), .length_o(uneven));
  frit_axis_marks #(.TerminalBits(A), .LastTerminal(LastTerminal)) u_marks (
    .clk_i(clk_i), .rst_i(rst_i), .look_i(look), .mark_i(mark), .turn_i(turn), .marked_o(marked),
    .unknown_o(unknown), .ready_o(ready));

  reg started = 1'b0;
  always @(posedge clk_i) started <= 1'b1;
  // After the first reset there is no other; a set is taken only when it was there before.
  always @(*) begin
    assume(rst_i == !started);
    assume(!take_i || complete);
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

  // A word that was taken is held, and looked at in the next cycle; later if the set before it is complete, or must not change.
  reg held = 1'b0;
  reg complete = 1'b0;
  wire waits = (complete && !take_i) || hold_i;
  wire acts = held && !waits;
  reg [B-1:0] looked = 0;   // its number
  always @(posedge clk_i) begin
    held <= !rst_i && ((tvalid_i && tready) || (held && waits));
    complete <= !rst_i && !take_i && full;
    if (acts) looked <= looked == LastWord ? 0 : looked + 1;
    if (rst_i) looked <= 0;
  end

  // The words of every destination in this set, and messages for it.
  (* anyconst *) reg [A-1:0] pick;
  reg [7:0] words = 0;
  wire picked = write && dest == pick;
  wire [7:0] before = take_i ? 0 : words;
  reg offered = 1'b0;   // a message for it was looked at in this set
  always @(posedge clk_i) begin
    words <= before + picked;
    offered <= (offered && !take_i) || (acts && looked == 0 && held_dest == pick);
    if (rst_i) begin words <= 0; offered <= 1'b0; end
  end
  // The destinations whose message is here to its end.
  reg [LastTerminal:0] have = 0;
  reg [LastTerminal:0] now;
  always @(*) begin
    now = take_i ? 0 : have;
    if (acts && looked == LastWord && held_dest <= LastTerminal) now[held_dest] = 1'b1;
  end
  always @(posedge clk_i) have <= rst_i ? 0 : now;

  always @(*) if (started) begin
    // Each destination gets the words of one message, in order, and the set is full when all have theirs.
    assert(words <= LastWord + 1);
    if (full && pick <= LastTerminal) assert(words + (picked && !take_i) == LastWord + 1);
    if (pick > LastTerminal) assert(words == 0);
    if (picked) assert(word == before);
    assert(full == (complete || &now));
    assert(turn == (&now && !complete));
    // A second message is reported, and only that; so is one for nobody.
    if (acts && looked == 0 && held_dest == pick && pick <= LastTerminal) assert(twice == (offered && !take_i));
    assert(nowhere == (acts && looked == 0 && held_dest > LastTerminal));
    if (twice) assert(acts && looked == 0);
    // A word is taken in every cycle but while one waits.
    assert(tready == (ready && !(held && waits)));
    if (hold_i) assert(!write && !mark);
  end
endmodule
