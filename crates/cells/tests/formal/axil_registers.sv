  // What is proved of frit_axil_registers. Stands inside the module.
  reg started = 1'b0;
  always @(posedge clk_i) started <= 1'b1;
  always @(*) if (!started) assume(rst_i);

  // The last cycle.
  reg       was_reset = 1'b1;
  reg       was_done, was_write;
  reg [5:0] was_word;
  reg [4:0] was_data;
  reg [1:0] was_enabled;
  reg [31:0] was_exchanges;
  reg       was_auto, was_irq_done;
  always @(posedge clk_i) begin
    was_reset <= rst_i;
    was_done <= done_i && !rst_i;
    was_write <= write_i && strobe_i && !rst_i;
    {was_word, was_data} <= {word_i, data_i};
    {was_enabled, was_auto, was_irq_done} <= {error_enabled_q, done_enabled_q, auto_start_q, done_q};
    was_exchanges <= exchanges_q;
  end

  always @(*) if (started && !was_reset) begin
    // A register changes by a write to its address with the strobe, and then as the word says.
    if (was_write && was_word == 6'd8) assert(auto_start_q == was_data[1] && start_q == was_data[0]);
    else assert(auto_start_q == was_auto && !start_q);
    if (was_write && was_word == 6'd12) assert({error_enabled_q, done_enabled_q} == was_data[1:0]);
    else assert({error_enabled_q, done_enabled_q} == was_enabled);
    // The end of an exchange is not lost, not even by a write of 1 in that cycle.
    if (was_done) assert(done_q);
    else if (was_write && was_word == 6'd11 && was_data[0]) assert(!done_q);
    else assert(done_q == was_irq_done);
    assert(exchanges_q == was_exchanges + was_done);
  end

  always @(*) if (started) begin
    // What is read.
    case (arword_i)
      6'd0: assert(value_o == 32'h46524954);
      6'd3: assert(value_o == Terminals);
      6'd8: assert(value_o == {30'd0, auto_start_q, 1'b0});
      6'd10: assert(value_o == errors_i);
      6'd13: assert(value_o == cycles_i);
      6'd14: assert(value_o == exchanges_q);
      6'd7, 6'd15, 6'd16, 6'd63: assert(value_o == 32'd0);
      default: ;
    endcase
    // Errors end only by a write to their register, and those whose bit is 1.
    assert(clear_o == (write_i && strobe_i && word_i == 6'd10 ? data_i : 5'd0));
    assert(irq_o == ((done_q && done_enabled_q) || (errors_i != 32'd0 && error_enabled_q)));
    assert(start_o == (start_q || (auto_start_q && ready_i)));
  end
