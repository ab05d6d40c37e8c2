  // What is proved of frit_axil_port. Stands inside the module.
  reg started = 1'b0;
  always @(posedge clk_i) started <= 1'b1;
  always @(*) if (!started) assume(rst_i);

  // What has been taken and not yet answered; what was taken last.
  reg [1:0] aw_out, w_out, r_out;
  reg [5:0] aw_taken, ar_taken;
  reg [Bits-1:0] w_taken;
  // The last cycle.
  reg       was_reset = 1'b1;
  reg       b_waits, r_waits, was_write, was_refused, was_read;
  reg [5:0] was_word;
  reg [1:0] was_bresp, was_rresp;
  reg [31:0] was_rdata, was_value;
  always @(posedge clk_i) begin
    was_reset <= rst_i;
    aw_out <= rst_i ? 2'd0 : aw_out + (awvalid_i && awready_o) - (bvalid_o && bready_i);
    w_out <= rst_i ? 2'd0 : w_out + (wvalid_i && wready_o) - (bvalid_o && bready_i);
    r_out <= rst_i ? 2'd0 : r_out + (arvalid_i && arready_o) - (rvalid_o && rready_i);
    if (awvalid_i && awready_o) aw_taken <= awword_i;
    if (wvalid_i && wready_o) w_taken <= wbits_i;
    if (arvalid_i && arready_o) ar_taken <= arword_i;
    b_waits <= bvalid_o && !bready_i && !rst_i;
    r_waits <= rvalid_o && !rready_i && !rst_i;
    was_read <= arvalid_i && arready_o && !rst_i;
    {was_bresp, was_rresp, was_rdata, was_value} <= {bresp_o, rresp_o, rdata_o, value_i};
    was_write <= write_o && !rst_i;
    {was_word, was_refused} <= {word_o, refused_i};
  end

  always @(*) if (started && !was_reset) begin
    // A response that is offered stays, unchanged, until it is taken.
    if (b_waits) assert(bvalid_o && bresp_o == was_bresp);
    if (r_waits) assert(rvalid_o && rdata_o == was_rdata && rresp_o == was_rresp);
    // What is taken is answered once: at most one write and one read are under way.
    assert(aw_out == {1'b0, aw_held_q} + {1'b0, answered_q});
    assert(w_out == {1'b0, w_held_q} + {1'b0, answered_q});
    assert(r_out == {1'b0, shown_q});
    if (bvalid_o) assert(aw_out != 2'd0 && w_out != 2'd0);
    // A write takes effect when both its halves are there and no response waits, and is answered in the next cycle.
    assert(write_o == (aw_held_q && w_held_q && !bvalid_o));
    if (was_write) assert(bvalid_o && bresp_o == (was_word < 6'd16 && !was_refused ? 2'd0 : 2'd2));
    if (write_o) assert(word_o == aw_taken && bits_o == w_taken);
    // What is read is the value in the cycle in which the address was taken.
    if (was_read) assert(rvalid_o && rdata_o == was_value && rresp_o == (ar_taken < 6'd16 ? 2'd0 : 2'd2));
    // What is done is what was taken.
    if (aw_held_q) assert(aw_word_q == aw_taken);
    if (w_held_q) assert(w_bits_q == w_taken);
  end
