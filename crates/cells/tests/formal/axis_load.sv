// What is proved of frit_axis_load with frit_axis_marks beside it, for any stream that keeps the rules of AXI4-Stream.
module proof #(parameter A = 2, parameter B = 1, parameter LastTerminal = 2, parameter LastWord = 1) (
  input clk_i,
  input rst_i,
  input tvalid_i,
  input [0:0] tdata_i,
  input [A-1:0] tdest_i,
  input tlast_i,
  input hold_i,
  input soon_i
);
  wire tready, mark, marked, unknown, ready, moves, write, bank, sent_bank, turn, complete, twice, nowhere, uneven;
  wire [A-1:0] dest;
  wire [B-1:0] word;
  wire [0:0] data;
  frit_axis_load #(.TerminalBits(A), .WordIndexBits(B), .W(1), .LastTerminal(LastTerminal), .LastWord(LastWord)) u_load (
    .clk_i(clk_i), .rst_i(rst_i), .tvalid_i(tvalid_i), .tready_o(tready), .tdata_i(tdata_i), .tdest_i(tdest_i),
    .tlast_i(tlast_i), .hold_i(hold_i), .take_i(take_i), .soon_i(soon_i), .marks_ready_i(ready), .marked_i(marked),
    .unknown_i(unknown), .move_o(moves), .mark_o(mark), .write_o(write), .dest_o(dest), .word_o(word), .data_o(data),
    .bank_o(bank), .sent_bank_o(sent_bank), .turn_o(turn), .full_o(complete),
    .double_o(twice), .unknown_o(nowhere), .length_o(uneven));
  frit_axis_marks #(.TerminalBits(A), .LastTerminal(LastTerminal)) u_marks (
    .clk_i(clk_i), .rst_i(rst_i), .move_i(moves), .look_i(tdest_i), .mark_i(mark), .turn_i(turn), .marked_o(marked),
    .unknown_o(unknown), .ready_o(ready));

  // A word that was taken is held, then checked, then written; all wait while the last one must. A set is full when its last word was
  // checked; one cycle later the word checked is of the next set, and two cycles later the word to write.
  reg held = 1'b0, checked = 1'b0, stored = 1'b0;
  reg full = 1'b0, closed = 1'b0, parked = 1'b0;
  reg holds = 1'b0;
  always @(posedge clk_i) holds <= hold_i && !rst_i;
  wire stalls = stored && ((parked && !take_i) || holds);
  wire acts = held && !stalls;
  reg started = 1'b0;
  reg take_i = 1'b0;
  always @(posedge clk_i) take_i <= soon_i && !rst_i;
  always @(posedge clk_i) started <= 1'b1;
  // After the first reset there is no other; a set is taken when its last word was written, and nothing is held back before.
  always @(*) begin
    assume(rst_i == !started);
    assume(!take_i || parked);
    assume(!holds || !full);
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

  // The message of the word held, and the destinations whose message of this set has begun.
  reg [B-1:0] looked = 0;   // the number of the word
  reg [LastTerminal:0] began = 0;
  reg current = 1'b0;       // the message is not dropped
  wire exists = held_dest <= LastTerminal;
  wire again = exists && began[held_dest];
  wire accepted = looked == 0 ? exists && !again : current;
  reg [LastTerminal:0] now;
  always @(*) begin
    now = began;
    if (acts && looked == 0 && exists) now[held_dest] = 1'b1;
  end
  wire completes = acts && accepted && looked == LastWord && &now;
  reg was_again = 1'b0, was_nowhere = 1'b0;
  always @(posedge clk_i) begin
    if (!stalls) begin
      held <= tvalid_i && tready;
      checked <= held && accepted;
      stored <= checked;
    end
    full <= completes || (full && !take_i);
    closed <= full && !take_i;
    parked <= closed && !take_i;
    began <= completes ? 0 : now;
    if (acts) begin
      looked <= looked == LastWord ? 0 : looked + 1;
      current <= accepted;
    end
    was_again <= acts && looked == 0 && again;
    was_nowhere <= acts && looked == 0 && !exists;
    if (rst_i) begin
      held <= 0; checked <= 0; stored <= 0; full <= 0; closed <= 0; parked <= 0; began <= 0; looked <= 0; was_again <= 0;
      was_nowhere <= 0;
    end
  end

  // The words of every destination that were written in this set, and the bank of its words.
  (* anyconst *) reg [A-1:0] pick;
  reg [7:0] words = 0;
  reg set_bank = 1'b1;
  wire picked = write && dest == pick;
  wire [7:0] before = take_i ? 0 : words;
  always @(posedge clk_i) begin
    words <= rst_i ? 0 : before + picked;
    set_bank <= rst_i ? 1 : set_bank ^ take_i;
  end

  always @(*) if (started) begin
    // Each destination gets the words of one message, in order, in one bank, and the set can be taken when all have theirs.
    assert(words <= LastWord + 1);
    if (parked && pick <= LastTerminal) assert(words == LastWord + 1);
    if (pick > LastTerminal) assert(words == 0);
    if (picked) assert(word == before);
    if (write) assert(bank == (set_bank ^ take_i));
    assert(sent_bank != set_bank);
    assert(complete == full);
    assert(turn == completes);
    // A second message is reported, and only that; so is one for nobody.
    assert(twice == was_again);
    assert(nowhere == was_nowhere);
    // A word is taken in every cycle but while one waits.
    assert(tready == (ready && !stalls));
    assert(write == (stored && !stalls));
  end
endmodule
