// A user of TOP who treats it as the text of its ports allows, and no better.
`timescale 1ns/1ps
module NAME (input logic clk_i, output logic finished);
  localparam int Rows = ROWS;
  localparam int WordBits = WORD;
  localparam int PayloadBits = PAYLOAD;
  localparam int Messages = MESSAGES;
  localparam int Cycles = CYCLES;
  localparam int Left = LEFT;

  logic rst_i, start_q, tied, busy_o, done_o, stuck_o;
  logic [31:0] cycles_o;
  logic [7:0] phases_o;
  logic [Rows-1:0] inject_valid_i, inject_ready_o, deliver_valid_o;
  logic [Rows*WordBits-1:0] inject_word_i;
  logic [Rows*PayloadBits-1:0] deliver_payload_o;
  wire start_i = tied ? !busy_o : start_q;

  TOP u_route (
    .clk_i(clk_i), .rst_i(rst_i), .start_i(start_i), .busy_o(busy_o), .done_o(done_o), .stuck_o(stuck_o),
    .cycles_o(cycles_o), .phases_o(phases_o), .inject_valid_i(inject_valid_i), .inject_word_i(inject_word_i),
    .inject_ready_o(inject_ready_o), .deliver_valid_o(deliver_valid_o), .deliver_payload_o(deliver_payload_o)
  );

  logic [31+WordBits:0] messages [0:Messages-1];   // source, destination and payload
  bit seen [0:Messages-1];
  int shown [0:Rows-1];
  int arrived, known, errors, runs;

  task automatic fail(input string text);
    $display("FAIL NAME: %s", text);
    errors += 1;
  endtask

  function automatic int source(input int message);
    source = int'(messages[message][WordBits +: 32]);
  endfunction

  // The message of a row behind the first `skip`; Messages if there is none.
  function automatic int of(input int row, input int skip);
    int left;
    of = Messages;
    left = skip;
    for (int i = 0; i < Messages; i++) begin
      if (of == Messages && source(i) == row) begin
        if (left == 0) of = i;
        left -= 1;
      end
    end
  endfunction

  // What arrives is a message of the row, once.
  always @(posedge clk_i) begin
    if (known != 0) begin
      if (^{busy_o, done_o, stuck_o, cycles_o, phases_o, inject_ready_o, deliver_valid_o} === 1'bx) fail("an output is x");
      if (busy_o === 1'b1 && inject_ready_o !== '0) fail("a message is taken during a run");
      for (int r = 0; r < Rows; r++) begin
        if (deliver_valid_o[r] === 1'b1) begin
          bit right;
          right = 1'b0;
          for (int i = 0; i < Messages; i++) begin
            if (messages[i][WordBits-1:0] === {(WordBits - PayloadBits)'(r), deliver_payload_o[r*PayloadBits +: PayloadBits]}
                && !seen[i]) begin
              seen[i] = 1'b1;
              right = 1'b1;
            end
          end
          if (!right) fail($sformatf("row %0d: no message for it arrives, or one again", r));
          arrived += 1;
        end
      end
    end
  end

  task automatic forget;
    arrived = 0;
    for (int i = 0; i < Messages; i++) seen[i] = 1'b0;
    for (int r = 0; r < Rows; r++) shown[r] = 0;
  endtask

  // Drives behind an edge; what was taken is seen just before the next.
  task automatic offer(output bit brought);
    brought = 1'b1;
    for (int r = 0; r < Rows; r++) begin
      inject_valid_i[r] = of(r, shown[r]) < Messages;
      inject_word_i[r*WordBits +: WordBits] = 'x;
      if (inject_valid_i[r]) begin
        brought = 1'b0;
        inject_word_i[r*WordBits +: WordBits] = messages[of(r, shown[r])][WordBits-1:0];
      end
    end
    @(negedge clk_i);
    #4;
    for (int r = 0; r < Rows; r++) if (inject_valid_i[r] && inject_ready_o[r] === 1'b1) shown[r] += 1;
    @(posedge clk_i);
    #1;
  endtask

  task automatic bring;
    bit brought;
    forget();
    brought = 1'b0;
    while (!brought) offer(brought);
    inject_valid_i = '0;
  endtask

  task automatic start;
    start_q = 1'b1;
    @(posedge clk_i);
    #1 start_q = 1'b0;
  endtask

  task automatic reset(input int periods);
    rst_i = 1'b1;
    repeat (periods) @(posedge clk_i);
    #1 rst_i = 1'b0;
  endtask

  // A run of all messages; `pushy`: a user who offers and starts during it.
  task automatic whole(input string what, input bit pushy);
    start();
    if (pushy) begin
      inject_valid_i = '1;
      inject_word_i = '1;
      start_q = 1'b1;
    end
    while (done_o !== 1'b1) @(negedge clk_i);
    #4;
    if (cycles_o !== Cycles) fail($sformatf("%s: %0d cycles, expected %0d", what, cycles_o, Cycles));
    if (stuck_o !== (Left > 0)) fail($sformatf("%s: stuck_o is %b", what, stuck_o));
    if (arrived != Messages - Left) fail($sformatf("%s: %0d messages arrive, expected %0d", what, arrived, Messages - Left));
    inject_valid_i = '0;
    start_q = 1'b0;
    @(posedge clk_i);
    #1;
    if (busy_o !== 1'b0) fail($sformatf("%s: a start with done_o is not ignored", what));
    runs += 1;
  endtask

  initial begin
    $readmemh("DATA_messages.memh", messages);
    finished = 1'b0;
    {known, errors, runs} = '0;
    forget();
    // Nothing is known before reset.
    tied = 1'b0;
    {rst_i, start_q, inject_valid_i, inject_word_i} = 'x;
    repeat (3) @(posedge clk_i);
    #1;
    reset(1);
    start_q = 1'b0;
    inject_valid_i = '0;
    #1 known = 1;
    bring();
    whole("the first run", 1'b0);
    bring();
    whole("the second run, with a user who pushes", 1'b1);
    bring();
    whole("the third run", 1'b0);
    // Reset in the middle of a run, of bringing, of everything.
    for (int cycle = 1; cycle < Cycles; cycle += Cycles / 7) begin
      bring();
      start();
      repeat (cycle) @(posedge clk_i);
      #1 reset(1);
      if (busy_o !== 1'b0) fail("busy_o behind reset");
      bring();
      whole($sformatf("the run behind a reset in cycle %0d", cycle), 1'b0);
    end
    // A run of nothing.
    forget();
    start();
    while (done_o !== 1'b1) @(negedge clk_i);
    if (stuck_o !== 1'b0 || arrived != 0) fail("a run of nothing is stuck");
    @(posedge clk_i);
    #1;
    // start_i is !busy_o: messages come in between the runs.
    if (Left == 0) begin
      bit brought;
      forget();
      tied = 1'b1;
      brought = 1'b0;
      for (int cycle = 0; cycle < Messages * Cycles && arrived < Messages; cycle++) offer(brought);
      if (arrived != Messages) fail($sformatf("start_i = !busy_o: %0d messages arrive", arrived));
    end
    if (errors == 0) $display("PASS NAME: %0d runs", runs);
    finished = 1'b1;
  end
endmodule
