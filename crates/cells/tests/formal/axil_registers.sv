  // What is proved of frit_axil_registers. Stands inside the module.
  reg started = 1'b0;
  always @(posedge clk_i) started <= 1'b1;
  always @(*) if (!started) assume(rst_i);

  // What has been taken and not yet answered; what was taken last.
  reg [1:0] aw_out, w_out, r_out;
  reg [5:0] aw_taken, ar_taken;
  reg [4:0] w_taken;
  reg       w_taken_strb;
  // The last cycle.
  reg       was_reset = 1'b1;
  reg       b_waits, r_waits, was_done, was_write, was_strobe;
  reg [5:0] was_word;
  reg [4:0] was_data;
  reg [1:0] was_bresp, was_rresp, was_enabled;
  reg [31:0] was_rdata, was_exchanges, was_cycles;
  reg       was_auto, was_irq_done, was_read;
  always @(posedge clk_i) begin
    was_reset <= rst_i;
    aw_out <= rst_i ? 2'd0 : aw_out + (awvalid_i && awready_o) - (bvalid_o && bready_i);
    w_out <= rst_i ? 2'd0 : w_out + (wvalid_i && wready_o) - (bvalid_o && bready_i);
    r_out <= rst_i ? 2'd0 : r_out + (arvalid_i && arready_o) - (rvalid_o && rready_i);
    if (awvalid_i && awready_o) aw_taken <= awword_i;
    if (wvalid_i && wready_o) {w_taken, w_taken_strb} <= {wdata_i, wstrb_i};
    if (arvalid_i && arready_o) ar_taken <= arword_i;
    b_waits <= bvalid_o && !bready_i && !rst_i;
    r_waits <= rvalid_o && !rready_i && !rst_i;
    was_read <= arvalid_i && arready_o && !rst_i;
    {was_bresp, was_rresp, was_rdata} <= {bresp_o, rresp_o, rdata_o};
    was_done <= done_i && !rst_i;
    // A write is done in the cycle in which both its halves are there and no response waits.
    was_write <= aw_held_q && w_held_q && !answered_q && !rst_i;
    {was_word, was_data, was_strobe} <= {aw_word_q, w_data_q, strobe_q};
    {was_enabled, was_auto, was_irq_done} <= {error_enabled_q, done_enabled_q, auto_start_q, done_q};
    {was_exchanges, was_cycles} <= {exchanges_q, cycles_i};
  end

  always @(*) if (started && !was_reset) begin
    // A response that is offered stays, unchanged, until it is taken.
    if (b_waits) assert(bvalid_o && bresp_o == was_bresp);
    if (r_waits) assert(rvalid_o && rdata_o == was_rdata && rresp_o == was_rresp);
    // One response for an address and a word, whichever came first, and none without both; one for each read.
    assert(aw_out == {1'b0, aw_held_q} + {1'b0, answered_q});
    assert(w_out == {1'b0, w_held_q} + {1'b0, answered_q});
    assert(r_out == {1'b0, shown_q});
    if (bvalid_o) assert(aw_out != 2'd0 && w_out != 2'd0);
    // A write is answered one cycle after both are there, and a read one after its address.
    if (was_write) assert(bvalid_o && bresp_o == (was_word < 6'd16 ? 2'd0 : 2'd2));
    if (was_read) assert(rvalid_o && rresp_o == (ar_taken < 6'd16 ? 2'd0 : 2'd2));
    // What is done is what was taken.
    if (aw_held_q) assert(aw_word_q == aw_taken);
    if (w_held_q) assert({w_data_q, strobe_q} == {w_taken, w_taken_strb});
    // A register changes by a write to its address with the strobe, and then as the word says.
    if (was_write && was_strobe && was_word == 6'd8) assert(auto_start_q == was_data[1] && start_q == was_data[0]);
    else assert(auto_start_q == was_auto && !start_q);
    if (was_write && was_strobe && was_word == 6'd12) assert({error_enabled_q, done_enabled_q} == was_data[1:0]);
    else assert({error_enabled_q, done_enabled_q} == was_enabled);
    // The end of an exchange is not lost, not even by a write of 1 in that cycle.
    if (was_done) assert(done_q);
    else if (was_write && was_strobe && was_word == 6'd11 && was_data[0]) assert(!done_q);
    else assert(done_q == was_irq_done);
    assert(exchanges_q == was_exchanges + was_done);
    // What is read.
    if (was_read && ar_taken == 6'd0) assert(rdata_o == 32'h46524954);
    if (was_read && ar_taken == 6'd3) assert(rdata_o == Terminals);
    if (was_read && ar_taken == 6'd8) assert(rdata_o == {30'd0, was_auto, 1'b0});
    if (was_read && ar_taken == 6'd13) assert(rdata_o == was_cycles);
    if (was_read && ar_taken == 6'd14) assert(rdata_o == was_exchanges);
    if (was_read && ar_taken == 6'd7) assert(rdata_o == 32'd0);
  end

  // Errors end only by a write to their register, and those whose bit is 1.
  always @(*) if (started && !was_reset) begin
    if (aw_held_q && w_held_q && !answered_q && strobe_q && aw_word_q == 6'd10) assert(clear_o == w_data_q);
    else assert(clear_o == 5'd0);
    assert(irq_o == ((done_q && done_enabled_q) || (errors_i != 5'd0 && error_enabled_q)));
    assert(start_o == (start_q || (auto_start_q && ready_i)));
  end
