  // What is proved of frit_crossbar_port. Stands inside the module.
  reg started = 1'b0;
  always @(posedge clk_i) started <= 1'b1;
  always @(*) if (!started) assume(rst_i);

  // Writes and reads that were taken and are not yet answered.
  reg [1:0] w_out, r_out;
  // The last cycle.
  reg        was_reset = 1'b1;
  reg        aw_waits, w_waits, ar_waits, b_waits, r_waits, was_taken, was_okay, was_busy, was_looking, was_found;
  reg [31:0] was_wdata, was_rdata, was_value;
  reg [3:0]  was_wstrb;
  reg [1:0]  was_bresp, was_rresp;
  always @(posedge clk_i) begin
    was_reset <= rst_i;
    w_out <= rst_i ? 2'd0 : w_out + (wvalid_i && wready_o) - (bvalid_o && bready_i);
    r_out <= rst_i ? 2'd0 : r_out + (arvalid_i && arready_o) - (rvalid_o && rready_i);
    aw_waits <= awvalid_i && !awready_o && !rst_i;
    w_waits <= wvalid_i && !wready_o && !rst_i;
    ar_waits <= arvalid_i && !arready_o && !rst_i;
    b_waits <= bvalid_o && !bready_i && !rst_i;
    r_waits <= rvalid_o && !rready_i && !rst_i;
    {was_wdata, was_wstrb, was_busy} <= {wdata_i, wstrb_i, busy_i};
    was_taken <= awready_o && !rst_i;
    was_okay <= wstrb_i == 4'd15 && known_i;
    was_looking <= looking_q && !rst_i;
    {was_found, was_value} <= {found_i, value_i};
    {was_bresp, was_rresp, was_rdata} <= {bresp_o, rresp_o, rdata_o};
  end

  // The host keeps what it offers until it is taken.
  always @(*) if (started) begin
    if (aw_waits) assume(awvalid_i);
    if (w_waits) assume(wvalid_i && wdata_i == was_wdata && wstrb_i == was_wstrb);
    if (ar_waits) assume(arvalid_i);
  end

  always @(*) if (started && !was_reset) begin
    // A response that is offered stays, unchanged, until it is taken.
    if (b_waits) assert(bvalid_o && bresp_o == was_bresp);
    if (r_waits) assert(rvalid_o && rdata_o == was_rdata && rresp_o == was_rresp);
    // Both halves of a write are taken together, when both are offered, no response waits and no commit is under way.
    assert(awready_o == wready_o);
    if (awready_o) assert(aw_waits && w_waits && !bvalid_o && !was_busy);
    if (arready_o) assert(ar_waits && !rvalid_o && !looking_q);
    // What is taken is answered once.
    assert(w_out == {1'b0, answered_q});
    assert(r_out == {1'b0, looking_q} + {1'b0, shown_q});
    // A write takes effect when it is taken, if it has all bytes, and is answered in the next cycle.
    assert(write_o == (awready_o && wstrb_i == 4'd15));
    if (write_o) assert(data_o == wdata_i);
    if (was_taken) assert(bvalid_o && bresp_o == (was_okay ? 2'd0 : 2'd2));
    // What is read is the value in the cycle after the address was taken.
    if (was_looking) assert(rvalid_o && rdata_o == was_value && rresp_o == (was_found ? 2'd0 : 2'd2));
  end
