  // What is proved of frit_schedule_fetch. Stands inside the module.
  reg started = 1'b0;
  always @(posedge clk_i) started <= 1'b1;
  always @(*) begin
    if (!started) assume(rst_i);
    assume(run_i != 0);
    assume(once_i == (run_i == 1));
  end

  reg busy = 1'b0, bank;                  // entries are left to read, in this bank
  reg [EntryBits-1:0] number, final_one;  // the next one to read, and the last one
  reg out = 1'b0, next = 1'b0;            // an entry is in the output of the memories; is next
  reg out_last, next_last, running_is_last;
  reg [15:0] rounds = 16'd0;              // rounds left of the running entry
  reg early = 1'b0;
  always @(posedge clk_i) begin
    if (take_o) begin
      busy <= 1'b1;
      bank <= bank_i;
      number <= 0;
      final_one <= last_i;
    end
    if (read_o) begin
      number <= number + 1'b1;
      busy <= number != final_one;
      out_last <= number == final_one;
    end
    out <= read_o || (out && !move_o);
    next <= move_o || (next && !step_o);
    if (move_o) next_last <= out_last;
    if (step_o) running_is_last <= next_last;
    rounds <= step_o ? run_i : rounds != 0 ? rounds - 1'b1 : 16'd0;
    if (start_i && !ready_o) early <= 1'b1;
    if (rst_i) begin
      {busy, out, next, early} <= 4'd0;
      rounds <= 16'd0;
    end
  end

  always @(*) if (started) begin
    // A start is taken if a program is loaded and the one before has been read; else it is an error.
    assert(ready_o == (full_i && !busy));
    assert(take_o == (start_i && ready_o));
    assert(error_o == early);
    // All entries of the bank that was taken are read in order.
    if (read_o) assert(busy && bank_o == bank && entry_o == number);
    // None is lost or doubled on its way.
    if (read_o && out) assert(move_o);
    if (move_o) assert(out);
    if (move_o && next) assert(step_o);
    if (step_o) assert(next);
    // Each runs as long as it says, and the next one follows at once if it is there.
    assert(round_o == (rounds != 0));
    assert(step_o == (next && rounds <= 1));
    assert(move_o == (out && (!next || step_o)));
    assert(read_o == (busy && (!out || move_o)));
    assert(ends_o == (rounds == 1 && running_is_last));
    // What holds besides.
    assert({reading_q, fetched_q, ahead_q} == {busy, out, next});
    if (busy) assert(odd_q == bank && entry_q == number && last_q == final_one);
    if (out) assert(fetched_last_q == out_last);
    if (next) assert(ahead_last_q == next_last);
    assert(running_q == (rounds != 0));
    assert(steps_q == (next && rounds <= 1));
    if (rounds != 0) begin
      assert(left_q == rounds && only_q == (rounds == 1) && running_last_q == running_is_last);
      if (!only_q) assert(both_q == (rounds == 2));
    end
  end
