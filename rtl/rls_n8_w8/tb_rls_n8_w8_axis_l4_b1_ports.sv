// verilog_format: off
// tb_rls_n8_w8_axis_l4_b1_ports: self-checking testbench of rls_n8_w8_axis_l4_b1_ports.
// Generated; do not edit. Generator: frit generate rls -n 8 -w 8 --layout files --axis --length 4 --buffers 1 --port-style axis
//
// 4 exchanges, with each terminal's messages in random order and random pauses on both sides. Then come deliberate
// errors: a start without messages, a duplicate message, a message for a terminal that does not exist, a message of the wrong
// length.
//
// Plusargs             +seed=S           order and pauses (default 1, printed)
//                      +offering=P       number of cycles, out of 256, in which a sender offers its word (default 192)
//                      +taking=P         number of cycles, out of 256, in which a receiver is ready (default 160)
//                      +wave=FILE        dumps everything below tb_rls_n8_w8_axis_l4_b1_ports
// Macro TIED           wires start to ready and the tready of each output to its tvalid directly. If the design has a
// combinational
//                      path between these ports, this closes a loop. No deliberate errors are made then
// Exit status          0 and a line `PASS`, or not 0 and a line `FAIL`; the line `RESULT` is read by programs
`timescale 1ns/1ps

module tb_rls_n8_w8_axis_l4_b1_ports;
  localparam int Terminals = 8;
  localparam int AddressBits = 3;
  localparam int WidthBits = 8;
  localparam int Words = 4;         // words of a message
  localparam int Exchanges = 4;
  localparam int Cycles = 37;        // cycles of an exchange, from the plan
  localparam int Settle = (1 << AddressBits) + 4 + 0;    // cycles after reset until the streams are ready
  localparam int Limit = 1360 * Exchanges;      // maximum clock cycles for all exchanges
  localparam int MaxPrinted = 20;   // errors printed; all are counted

  // ---------------------------------------------------------------- design under test
  logic                             clk_i = 1'b0;
  logic                             rst_i = 1'b1;
  logic                             start_i = 1'b0;
  wire                              ready_o;
  wire                              busy_o;
  wire                              done_o;
  wire  [31:0]                      cycles_o;
  wire                              missing_o;
  wire                              double_o;
  wire                              unknown_o;
  wire                              length_o;
  wire                              conflict_o;
  logic [Terminals-1:0]             s_axis_tvalid_i = '0;
  wire  [Terminals-1:0]             s_axis_tready_o;
  logic [Terminals*WidthBits-1:0]   s_axis_tdata_i = '0;
  logic [Terminals*AddressBits-1:0] s_axis_tdest_i = '0;
  logic [Terminals-1:0]             s_axis_tlast_i = '0;
  wire  [Terminals-1:0]             m_axis_tvalid_o;
  logic [Terminals-1:0]             m_axis_tready_i = '0;
  wire  [Terminals*WidthBits-1:0]   m_axis_tdata_o;
  wire  [Terminals*AddressBits-1:0] m_axis_tid_o;
  wire  [Terminals-1:0]             m_axis_tlast_o;

  rls_n8_w8_axis_l4_b1_ports u_axis (
`ifdef TIED
    .start           (ready_o),
    .m00_axis_tready (m_axis_tvalid_o[0]),
    .m01_axis_tready (m_axis_tvalid_o[1]),
    .m02_axis_tready (m_axis_tvalid_o[2]),
    .m03_axis_tready (m_axis_tvalid_o[3]),
    .m04_axis_tready (m_axis_tvalid_o[4]),
    .m05_axis_tready (m_axis_tvalid_o[5]),
    .m06_axis_tready (m_axis_tvalid_o[6]),
    .m07_axis_tready (m_axis_tvalid_o[7]),
`else
    .start           (start_i),
    .m00_axis_tready (m_axis_tready_i[0]),
    .m01_axis_tready (m_axis_tready_i[1]),
    .m02_axis_tready (m_axis_tready_i[2]),
    .m03_axis_tready (m_axis_tready_i[3]),
    .m04_axis_tready (m_axis_tready_i[4]),
    .m05_axis_tready (m_axis_tready_i[5]),
    .m06_axis_tready (m_axis_tready_i[6]),
    .m07_axis_tready (m_axis_tready_i[7]),
`endif
    .aclk            (clk_i),
    .aresetn         (~rst_i),
    .ready           (ready_o),
    .busy            (busy_o),
    .done            (done_o),
    .cycles          (cycles_o),
    .error_missing   (missing_o),
    .error_double    (double_o),
    .error_unknown   (unknown_o),
    .error_length    (length_o),
    .error_conflict  (conflict_o),
    .s00_axis_tdata  (s_axis_tdata_i[0 +: 8]),
    .s00_axis_tdest  (s_axis_tdest_i[0 +: 3]),
    .s00_axis_tlast  (s_axis_tlast_i[0]),
    .s00_axis_tvalid (s_axis_tvalid_i[0]),
    .s00_axis_tready (s_axis_tready_o[0]),
    .s01_axis_tdata  (s_axis_tdata_i[8 +: 8]),
    .s01_axis_tdest  (s_axis_tdest_i[3 +: 3]),
    .s01_axis_tlast  (s_axis_tlast_i[1]),
    .s01_axis_tvalid (s_axis_tvalid_i[1]),
    .s01_axis_tready (s_axis_tready_o[1]),
    .s02_axis_tdata  (s_axis_tdata_i[16 +: 8]),
    .s02_axis_tdest  (s_axis_tdest_i[6 +: 3]),
    .s02_axis_tlast  (s_axis_tlast_i[2]),
    .s02_axis_tvalid (s_axis_tvalid_i[2]),
    .s02_axis_tready (s_axis_tready_o[2]),
    .s03_axis_tdata  (s_axis_tdata_i[24 +: 8]),
    .s03_axis_tdest  (s_axis_tdest_i[9 +: 3]),
    .s03_axis_tlast  (s_axis_tlast_i[3]),
    .s03_axis_tvalid (s_axis_tvalid_i[3]),
    .s03_axis_tready (s_axis_tready_o[3]),
    .s04_axis_tdata  (s_axis_tdata_i[32 +: 8]),
    .s04_axis_tdest  (s_axis_tdest_i[12 +: 3]),
    .s04_axis_tlast  (s_axis_tlast_i[4]),
    .s04_axis_tvalid (s_axis_tvalid_i[4]),
    .s04_axis_tready (s_axis_tready_o[4]),
    .s05_axis_tdata  (s_axis_tdata_i[40 +: 8]),
    .s05_axis_tdest  (s_axis_tdest_i[15 +: 3]),
    .s05_axis_tlast  (s_axis_tlast_i[5]),
    .s05_axis_tvalid (s_axis_tvalid_i[5]),
    .s05_axis_tready (s_axis_tready_o[5]),
    .s06_axis_tdata  (s_axis_tdata_i[48 +: 8]),
    .s06_axis_tdest  (s_axis_tdest_i[18 +: 3]),
    .s06_axis_tlast  (s_axis_tlast_i[6]),
    .s06_axis_tvalid (s_axis_tvalid_i[6]),
    .s06_axis_tready (s_axis_tready_o[6]),
    .s07_axis_tdata  (s_axis_tdata_i[56 +: 8]),
    .s07_axis_tdest  (s_axis_tdest_i[21 +: 3]),
    .s07_axis_tlast  (s_axis_tlast_i[7]),
    .s07_axis_tvalid (s_axis_tvalid_i[7]),
    .s07_axis_tready (s_axis_tready_o[7]),
    .m00_axis_tdata  (m_axis_tdata_o[0 +: 8]),
    .m00_axis_tid    (m_axis_tid_o[0 +: 3]),
    .m00_axis_tlast  (m_axis_tlast_o[0]),
    .m00_axis_tvalid (m_axis_tvalid_o[0]),
    .m01_axis_tdata  (m_axis_tdata_o[8 +: 8]),
    .m01_axis_tid    (m_axis_tid_o[3 +: 3]),
    .m01_axis_tlast  (m_axis_tlast_o[1]),
    .m01_axis_tvalid (m_axis_tvalid_o[1]),
    .m02_axis_tdata  (m_axis_tdata_o[16 +: 8]),
    .m02_axis_tid    (m_axis_tid_o[6 +: 3]),
    .m02_axis_tlast  (m_axis_tlast_o[2]),
    .m02_axis_tvalid (m_axis_tvalid_o[2]),
    .m03_axis_tdata  (m_axis_tdata_o[24 +: 8]),
    .m03_axis_tid    (m_axis_tid_o[9 +: 3]),
    .m03_axis_tlast  (m_axis_tlast_o[3]),
    .m03_axis_tvalid (m_axis_tvalid_o[3]),
    .m04_axis_tdata  (m_axis_tdata_o[32 +: 8]),
    .m04_axis_tid    (m_axis_tid_o[12 +: 3]),
    .m04_axis_tlast  (m_axis_tlast_o[4]),
    .m04_axis_tvalid (m_axis_tvalid_o[4]),
    .m05_axis_tdata  (m_axis_tdata_o[40 +: 8]),
    .m05_axis_tid    (m_axis_tid_o[15 +: 3]),
    .m05_axis_tlast  (m_axis_tlast_o[5]),
    .m05_axis_tvalid (m_axis_tvalid_o[5]),
    .m06_axis_tdata  (m_axis_tdata_o[48 +: 8]),
    .m06_axis_tid    (m_axis_tid_o[18 +: 3]),
    .m06_axis_tlast  (m_axis_tlast_o[6]),
    .m06_axis_tvalid (m_axis_tvalid_o[6]),
    .m07_axis_tdata  (m_axis_tdata_o[56 +: 8]),
    .m07_axis_tid    (m_axis_tid_o[21 +: 3]),
    .m07_axis_tlast  (m_axis_tlast_o[7]),
    .m07_axis_tvalid (m_axis_tvalid_o[7])
  );

  // ---------------------------------------------------------------- state
  // State of each sender: its exchange, the order of its messages, its position.
  int order [0:Terminals*Terminals-1];   // [source * Terminals + k]: the destination of its k-th message
  int send_exchange [0:Terminals-1];
  int send_message  [0:Terminals-1];
  int send_word     [0:Terminals-1];
  // State of each receiver: messages received from each source, and the source and word number of the current message.
  int had         [0:Terminals*Terminals-1];
  int recv_source [0:Terminals-1];
  int recv_word   [0:Terminals-1];
  // Words that stood at an output before the last edge and were not taken.
  logic [Terminals-1:0]             held_valid;
  logic [Terminals*WidthBits-1:0]   held_data;
  logic [Terminals*AddressBits-1:0] held_id;
  logic [Terminals-1:0]             held_last;
  logic [Terminals-1:0]             taken;        // terminals whose word is taken at this edge

  int unsigned random;
  int          offering;
  int          taking;
  int          clocks;
  int          to_send;     // exchanges
  int          received;    // words
  int          begun;       // exchanges
  int          finished;
  int          took;        // cycles of the last exchange
  int          errors;
  int          seed;
  string       wave_name;

  // xorshift32, which gives the same numbers under every simulator.
  function automatic int unsigned draw();
    random = random ^ (random << 13);
    random = random ^ (random >> 17);
    random = random ^ (random << 5);
    return random;
  endfunction

  // The word of a message, computed from its place so that words repeat rarely.
  function automatic logic [WidthBits-1:0] content(
      input int exchange, input int source, input int dest, input int word);
    int unsigned          mix;
    logic [WidthBits-1:0] bits;
    mix = (exchange + 1) * 32'd2654435761 ^ (source + 1) * 32'd2246822519
        ^ (dest + 1) * 32'd3266489917 ^ (word + 1) * 32'd668265263;
    bits = '0;
    for (int at = 0; at < WidthBits; at++) begin
      mix = mix ^ (mix << 13);
      mix = mix ^ (mix >> 17);
      mix = mix ^ (mix << 5);
      bits[at] = mix[15];
    end
    return bits;
  endfunction

  task automatic fail(input string text);
    if (errors < MaxPrinted) $display("FAIL: clock %0d: %s", clocks, text);
    errors += 1;
  endtask

  task automatic shuffle(input int source);
    int other;
    int kept;
    for (int at = 0; at < Terminals; at++) order[source * Terminals + at] = at;
    for (int at = Terminals - 1; at > 0; at--) begin
      other = int'(draw() % (at + 1));
      kept = order[source * Terminals + at];
      order[source * Terminals + at] = order[source * Terminals + other];
      order[source * Terminals + other] = kept;
    end
  endtask

  // Puts the next word of a sender on its stream.
  task automatic present(input int source);
    int dest;
    dest = order[source * Terminals + send_message[source]];
    s_axis_tdest_i[source*AddressBits +: AddressBits] = dest[AddressBits-1:0];
    s_axis_tdata_i[source*WidthBits +: WidthBits] =
        content(send_exchange[source], source, dest, send_word[source]);
    s_axis_tlast_i[source] = send_word[source] == Words - 1;
  endtask

  // Advances a sender whose word was taken.
  task automatic advance(input int source);
    send_word[source] += 1;
    if (send_word[source] == Words) begin
      send_word[source] = 0;
      send_message[source] += 1;
    end
    if (send_message[source] == Terminals) begin
      send_message[source] = 0;
      send_exchange[source] += 1;
      shuffle(source);
    end
  endtask

  // Checks a word that a receiver takes.
  task automatic check(input int dest);
    int                   source;
    logic [WidthBits-1:0] data;
    source = {{(32-AddressBits){1'b0}}, m_axis_tid_o[dest*AddressBits +: AddressBits]};
    data = m_axis_tdata_o[dest*WidthBits +: WidthBits];
    received += 1;
    if (recv_word[dest] > 0 && source != recv_source[dest]) begin
      fail($sformatf("terminal %0d: word from source %0d inside a message from %0d", dest, source,
                     recv_source[dest]));
    end
    recv_source[dest] = source;
    if (source >= Terminals) begin
      fail($sformatf("terminal %0d: word from source %0d, which does not exist", dest, source));
    end else begin
      if (data !== content(had[dest*Terminals + source], source, dest, recv_word[dest])) begin
        fail($sformatf("terminal %0d: word %0d from %0d is %h", dest, recv_word[dest], source, data));
      end
      if (m_axis_tlast_o[dest] !== (recv_word[dest] == Words - 1)) begin
        fail($sformatf("terminal %0d: tlast %b with word %0d", dest, m_axis_tlast_o[dest], recv_word[dest]));
      end
      recv_word[dest] += 1;
      if (recv_word[dest] == Words) begin
        recv_word[dest] = 0;
        had[dest*Terminals + source] += 1;
      end
    end
  endtask

  // Nothing has been sent, and so many exchanges will be.
  task automatic forget(input int exchanges);
    to_send = exchanges;
    received = 0;
    begun = 0;
    finished = 0;
    took = 0;
    held_valid = '0;
    for (int at = 0; at < Terminals; at++) begin
      send_exchange[at] = 0;
      send_message[at] = 0;
      send_word[at] = 0;
      recv_word[at] = 0;
      recv_source[at] = 0;
      shuffle(at);
    end
    for (int at = 0; at < Terminals * Terminals; at++) had[at] = 0;
  endtask

  // ---------------------------------------------------------------- one clock cycle
  // Inputs change after the falling edge; all signals are sampled before the rising edge.
  task automatic idle_cycle;
    clk_i = 1'b0;
    #5;
    clk_i = 1'b1;
    #5;
    clocks += 1;
  endtask

  task automatic reset;
    rst_i = 1'b1;
    start_i = 1'b0;
    s_axis_tvalid_i = '0;
    m_axis_tready_i = '0;
    idle_cycle();
    idle_cycle();
    rst_i = 1'b0;
    for (int at = 0; at < Settle; at++) idle_cycle();
  endtask

  task automatic cycle;
    clk_i = 1'b0;
    for (int at = 0; at < Terminals; at++) begin
      // These are separate conditions, because simulators differ in whether they call draw() for the second operand.
      if (!s_axis_tvalid_i[at] && send_exchange[at] < to_send) begin
        s_axis_tvalid_i[at] = int'(draw() % 256) < offering;
        if (s_axis_tvalid_i[at]) present(at);
      end
      m_axis_tready_i[at] = int'(draw() % 256) < taking;
    end
    start_i = ready_o;
    #5;
`ifdef TIED
    start_i = ready_o;
    m_axis_tready_i = m_axis_tvalid_o;
`endif
    if (done_o) begin
      finished += 1;
      if (finished > begun) fail("done_o without an exchange");
      took = cycles_o;
      if (took != Cycles) fail($sformatf("exchange %0d took %0d cycles, expected %0d", finished, took, Cycles));
    end
    if (start_i && ready_o) begun += 1;
    if (missing_o || double_o || unknown_o || length_o || conflict_o) begin
      fail($sformatf("missing %b double %b unknown %b length %b conflict %b",
                     missing_o, double_o, unknown_o, length_o, conflict_o));
    end
    for (int at = 0; at < Terminals; at++) begin
      // A word that is offered stays unchanged until it is taken.
      if (held_valid[at] && (m_axis_tvalid_o[at] !== 1'b1
          || m_axis_tdata_o[at*WidthBits +: WidthBits] !== held_data[at*WidthBits +: WidthBits]
          || m_axis_tid_o[at*AddressBits +: AddressBits] !== held_id[at*AddressBits +: AddressBits]
          || m_axis_tlast_o[at] !== held_last[at])) begin
        fail($sformatf("terminal %0d: a word was offered and then withdrawn or changed", at));
      end
      if (m_axis_tvalid_o[at] === 1'b1 && m_axis_tready_i[at]) check(at);
    end
    held_valid = m_axis_tvalid_o & ~m_axis_tready_i;
    held_data = m_axis_tdata_o;
    held_id = m_axis_tid_o;
    held_last = m_axis_tlast_o;
    for (int at = 0; at < Terminals; at++) begin
      if (s_axis_tvalid_i[at] && s_axis_tready_o[at]) begin
        advance(at);
        taken[at] = 1'b1;
      end else begin
        taken[at] = 1'b0;
      end
    end
    clk_i = 1'b1;
    #5;
    for (int at = 0; at < Terminals; at++) if (taken[at]) s_axis_tvalid_i[at] = 1'b0;
    clocks += 1;
  endtask

  // ---------------------------------------------------------------- deliberate errors
  // Sends one message of equal words from terminal 0; the input must take each word at once.
  task automatic send_one(input logic [AddressBits-1:0] dest, input int words);
    for (int word = 0; word < words; word++) begin
      s_axis_tvalid_i[0] = 1'b1;
      s_axis_tdest_i[AddressBits-1:0] = dest;
      s_axis_tdata_i[WidthBits-1:0] = '0;
      s_axis_tlast_i[0] = word == words - 1;
      idle_cycle();
    end
    s_axis_tvalid_i[0] = 1'b0;
    idle_cycle();
    idle_cycle();
  endtask

  // The error flags, in the order missing, double, unknown, length.
  task automatic expect_flags(input string what, input logic [3:0] flags);
    if ({missing_o, double_o, unknown_o, length_o} !== flags || conflict_o !== 1'b0 || busy_o !== 1'b0) begin
      fail($sformatf("%s: missing %b double %b unknown %b length %b, expected %b",
                     what, missing_o, double_o, unknown_o, length_o, flags));
    end
  endtask

  task automatic mistakes;
    reset();
    send_one('0, Words);
    expect_flags("one message", 4'b0000);
    start_i = 1'b1;
    idle_cycle();
    start_i = 1'b0;
    idle_cycle();
    expect_flags("a start while messages are missing", 4'b1000);
    send_one('0, Words);
    expect_flags("a second message for a terminal", 4'b1100);
    reset();
    expect_flags("a reset", 4'b0000);
    send_one('0, Words + 1);
    // A message ends when its count of words is reached: an extra word begins another message.
    expect_flags("a message too long", 4'b0101);
    if (Terminals < (1 << AddressBits)) begin
      reset();
      send_one('1, Words);
      expect_flags("a message for a terminal that does not exist", 4'b0010);
    end
  endtask

  // ---------------------------------------------------------------- the run
  initial begin : main
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("offering=%d", offering)) offering = 192;
    if (!$value$plusargs("taking=%d", taking)) taking = 160;
    if ($value$plusargs("wave=%s", wave_name)) begin
      $dumpfile(wave_name);
      $dumpvars(0, tb_rls_n8_w8_axis_l4_b1_ports);
    end
    random = seed * 32'd2654435761 | 32'd1;
    errors = 0;
    clocks = 0;
    forget(Exchanges);
    s_axis_tdata_i = '0;
    s_axis_tdest_i = '0;
    s_axis_tlast_i = '0;
    reset();
    // The last word can be taken before done_o of the last exchange.
    for (int at = 0; at < Limit && errors < MaxPrinted
         && (received < Exchanges * Terminals * Terminals * Words || finished < Exchanges); at++) cycle();
    for (int at = 0; at < Terminals * Terminals; at++) begin
      if (had[at] != Exchanges) begin
        fail($sformatf("terminal %0d has %0d messages from %0d, expected %0d",
                       at / Terminals, had[at], at % Terminals, Exchanges));
      end
    end
    if (finished != Exchanges) fail($sformatf("%0d exchanges ended, expected %0d", finished, Exchanges));
    conclude();
  end

  // The figures are those of the exchanges, the verdict is also that of what comes behind them.
  task automatic conclude;
    int made;
    int words;
    int spent;
    int last;
    made = finished;
    last = took;
    words = received;
    spent = clocks;
`ifndef TIED
    if (errors == 0) mistakes();
`endif
    if (errors > 0) $display("FAIL rls_n8_w8_axis_l4_b1_ports: %0d errors", errors);
    else begin
      $display("PASS rls_n8_w8_axis_l4_b1_ports: %0d exchanges of %0d cycles, seed=%0d",
               made, Cycles, seed);
    end
    $display("RESULT exchanges=%0d cycles=%0d words=%0d clocks=%0d errors=%0d seed=%0d",
             made, last, words, spent, errors, seed);
    if (errors > 0) $fatal(1);
    $finish(0);
  endtask

  // Programs define FRIT_MADE_FROM when they compile, to identify the sources.
`ifdef FRIT_MADE_FROM
  initial $display("MADE-FROM %h", `FRIT_MADE_FROM);
`endif
endmodule
