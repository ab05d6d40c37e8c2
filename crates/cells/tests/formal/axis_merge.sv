  // What is proved of frit_axis_merge. Stands inside the module.
  reg started = 1'b0;
  always @(posedge clk_i) started <= 1'b1;
  always @(*) if (!started) assume(rst_i);

  // Both streams that come in keep the rule: a word that is offered stays, unchanged, until it is taken.
  reg up_waits = 1'b0, down_waits = 1'b0, out_waits = 1'b0;
  reg [W-1:0] up_data, down_data, out_data;
  reg up_last, down_last, out_last;
  always @(posedge clk_i) begin
    up_waits <= up_tvalid_i && !up_tready_o && !rst_i;
    down_waits <= down_tvalid_i && !down_tready_o && !rst_i;
    out_waits <= tvalid_o && !tready_i && !rst_i;
    {up_data, up_last} <= {up_tdata_i, up_tlast_i};
    {down_data, down_last} <= {down_tdata_i, down_tlast_i};
    {out_data, out_last} <= {tdata_o, tlast_o};
  end
  always @(*) begin
    if (up_waits) assume(up_tvalid_i && up_tdata_i == up_data && up_tlast_i == up_last);
    if (down_waits) assume(down_tvalid_i && down_tdata_i == down_data && down_tlast_i == down_last);
  end

  always @(*) if (started) begin
    // The stream that goes out keeps it too.
    if (out_waits) assert(tvalid_o && tdata_o == out_data && tlast_o == out_last);
    // Nothing is lost or doubled: one of the two is taken exactly when the output is.
    assert((tvalid_o && tready_i) == ((up_tvalid_i && up_tready_o) || (down_tvalid_i && down_tready_o)));
    assert(!(up_tready_o && down_tready_o));
    if (up_tvalid_i && up_tready_o) assert(tdata_o == up_tdata_i && tlast_o == up_tlast_i);
    if (down_tvalid_i && down_tready_o) assert(tdata_o == down_tdata_i && tlast_o == down_tlast_i);
    // What holds besides.
    if (out_waits) assert(down_q ? down_waits : up_waits);
    if (out_waits) assert({out_data, out_last} == (down_q ? {down_data, down_last} : {up_data, up_last}));
  end

  // The turn changes only behind a last word.
  reg was_down = 1'b0, ended = 1'b0;
  always @(posedge clk_i) begin
    was_down <= down_q && !rst_i;
    ended <= tvalid_o && tready_i && tlast_o && !rst_i;
  end
  always @(*) if (started && !ended) assert(down_q == was_down);
