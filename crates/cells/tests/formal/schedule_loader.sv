  // What is proved of frit_schedule_loader. Stands inside the module.
  reg started = 1'b0;
  always @(posedge clk_i) started <= 1'b1;
  always @(*) begin
    if (!started) assume(rst_i);
    if (take_i) assume(full_o);
  end

  // A program by the count of its words alone.
  localparam [1:0] Begins = 0, Loads = 1, Drops = 2, Complete = 3;
  reg [1:0] state = Begins;
  reg [7:0] count, number, left;   // entries; words taken and still due
  reg failed = 1'b0, bank = 1'b0;
  wire taken_word = tvalid_i && tready_o;
  wire [EntryBits:0] entries = {most_i, count_i};
  wire possible = !above_i && entries >= 1 && entries <= (1 << EntryBits);
  wire wrong_word = (number % Beats == 0 && !run_i) || tlast_i != (left == 1);
  always @(posedge clk_i) begin
    if (take_i) begin
      state <= Begins;
      bank <= !bank;
    end
    if (taken_word) begin
      number <= number + 1;
      left <= left - 1;
      if (state == Begins) begin
        count <= entries;
        number <= 0;
        left <= entries * Beats;
      end
      if (state == Drops) state <= tlast_i ? Begins : Drops;
      else if (state == Begins ? tlast_i || !possible : wrong_word) begin
        failed <= 1'b1;
        state <= tlast_i ? Begins : Drops;
      end else state <= tlast_i ? Complete : Loads;
    end
    if (rst_i) begin
      state <= Begins;
      failed <= 1'b0;
      bank <= 1'b0;
    end
  end

  always @(*) if (started) begin
    // A program is complete if and only if it has as many words as it says, and each entry has a round. Else there is an error.
    assert(full_o == (state == Complete));
    assert(tready_o == !full_o);
    assert(error_o == failed);
    if (full_o) assert(last_o + 1 == count);
    // The words of entries are written, each in its place, and nothing else.
    assert((write_o != 0) == (taken_word && state == Loads));
    if (write_o != 0) assert(write_o == 1 << (number % Beats) && entry_o == number / Beats);
    // The bank changes when the program is taken, and never else.
    assert(bank_o == bank);
    // What holds besides.
    assert(loading_q == (state == Loads));
    assert(dropping_q == (state == Drops));
    if (state == Loads) assert(left != 0 && number + left == count * Beats && count >= 1 && count <= (1 << EntryBits));
    if (state == Loads) assert(at_last_q == (entry_q == last_q));
    if (state == Loads) assert(beat_q == 1 << (number % Beats) && entry_q == number / Beats && last_q + 1 == count);
  end
