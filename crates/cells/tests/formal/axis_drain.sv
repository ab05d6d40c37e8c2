  // What is proved of frit_axis_drain. Stands inside the module; the ghosts count what the cell itself does not.
  localparam integer SET = LastOfSet + 1;
  reg started = 1'b0;
  reg [7:0] due = 8'd0;      // words of announced exchanges that have not come yet
  reg [7:0] stored = 8'd0;   // words inside
  reg [7:0] came = 8'd0;
  reg [7:0] went = 8'd0;
  (* anyconst *) reg [7:0] pick;   // any word, by its number
  reg kept = 1'b0;
  reg [W-1:0] kept_data;
  reg [AddressBits-1:0] kept_at;
  wire [7:0] ahead = pick - went;
  wire [AddressBits-1:0] base = head_q - valid_q - read_q;   // of the oldest word inside
  wire [AddressBits-1:0] second = base + valid_q;
  wire go = tvalid_o && tready_i;
  wire [AddressBits-1:0] left = !valid_q ? place_q : place_q == 0 ? LastOfSet : place_q - 1;   // words of the exchange that have left

  always @(posedge clk_i) begin
    started <= 1'b1;
    if (rst_i) begin
      due <= 0; stored <= 0; came <= 0; went <= 0; kept <= 0;
    end else begin
      due <= due + (begin_i ? SET : 0) - push_i;
      stored <= stored + push_i - go;
      came <= came + push_i;
      went <= went + go;
      if (push_i && came == pick) begin
        kept <= 1'b1;
        kept_data <= data_i;
        kept_at <= tail_q;
      end
      if (go && went == pick) kept <= 1'b0;
    end
  end

  // The environment: the control begins an exchange only where there is room and nothing is under way.
  always @(*) begin
    if (!started) assume(rst_i);
    assume(!push_i || due != 0);
    assume(!begin_i || (room_o && due == push_i));
  end

  always @(*) if (started) begin
    // Nothing that comes finds the memory full.
    assert(stored <= (1 << AddressBits));
    assert(!(push_i && stored == (1 << AddressBits)));
    // Words leave as they came, in their order.
    if (go && went == pick) assert(kept && tdata_o == kept_data);
    // What holds besides, so that one step follows from the one before.
    assert(owed_q <= Sets);
    assert(owed_q * SET == due + stored + left);
    assert(place_q <= LastOfSet);
    if (valid_q) assert(last_of_all_q == (left == LastOfSet));
    assert(due <= SET);
    assert(came - went == stored);
    assert(tail_q == ((base + stored) & ((1 << AddressBits) - 1)));
    assert(stored >= valid_q + read_q);
    assert(filled_q == (stored != valid_q + read_q));
    assert(next_q == ((head_q + 1) & ((1 << AddressBits) - 1)));
    assert(stored >= valid_q + read_q + pushed_q);
    assert(some_q == (stored > valid_q + read_q + pushed_q));
    if (some_q) assert(sole_q == (stored == 1 + valid_q + read_q + pushed_q));
    if (filled_q) assert(newest_q == ((tail_q - 1) & ((1 << AddressBits) - 1)));
    if (valid_q) assert(data_q == memory[base]);
    if (read_q) assert(memory_q == memory[second]);
    assert(!room_q || owed_q != Sets);
    assert((ahead < stored) == kept);
    if (kept) assert(memory[kept_at] == kept_data);
    if (kept) assert(kept_at == ((base + ahead) & ((1 << AddressBits) - 1)));
  end

  // AXI4-Stream: a word that is offered stays, unchanged, until it is taken.
  reg was_valid = 1'b0;
  reg [W-1:0] was_data;
  reg was_last;
  always @(posedge clk_i) begin
    was_valid <= tvalid_o && !tready_i && !rst_i;
    was_data <= tdata_o;
    was_last <= tlast_o;
  end
  always @(*) if (was_valid) begin
    assert(tvalid_o);
    assert(tdata_o == was_data);
    assert(tlast_o == was_last);
    assert(was_data == memory[base]);
  end
