// verilog_format: off
// tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn: self-checking testbench of rls_n4_w12_axis_l1_b1_ports_axil_arstn.
// Generated; do not edit. Generator: frit generate rls -n 4 -w 12 --layout files --axis --length 1 --buffers 1 --port-style axis --axil --reset async
//
// 4 exchanges, with each terminal's messages in random order and random pauses on both sides. Then come deliberate
// errors: a start without messages, a duplicate message, a message for a terminal that does not exist, a message of the wrong
// length.
// Registers are compared with a model of them in every cycle: each alone, every address, and requests at random, with pauses on every channel, alone
// and while exchanges run. Then the number of exchanges is forced, so that each of its bits changes.
//
// Plusargs             +seed=S           order and pauses (default 1, printed)
//                      +offering=P       number of cycles, out of 256, in which a sender offers its word (default 192)
//                      +taking=P         number of cycles, out of 256, in which a receiver is ready (default 160)
//                      +wave=FILE        dumps everything below tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn
// Macro TIED           wires start to ready and the tready of each output to its tvalid directly. If the design has a
// combinational
//                      path between these ports, this closes a loop. No deliberate errors are made then
// Exit status          0 and a line `PASS`, or not 0 and a line `FAIL`; the line `RESULT` is read by programs
`timescale 1ns/1ps

module tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn;
  localparam int Terminals = 4;
  localparam int AddressBits = 2;
  localparam int WidthBits = 12;
  localparam int Words = 1;         // words of a message
  localparam int Exchanges = 4;
  localparam int Cycles = 7;        // cycles of an exchange, from the plan
  localparam int ResetDelay = 4;     // cycles from the end of a reset until the design has left it
  localparam int Settle = (1 << AddressBits) + 4 + ResetDelay;    // and until the streams are ready
  localparam int Limit = 432 * Exchanges;      // maximum clock cycles for all exchanges
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

  wire [3:0] unused_padding_0;
  wire [3:0] unused_padding_1;
  wire [3:0] unused_padding_2;
  wire [3:0] unused_padding_3;
  logic [7:0] s_axil_awaddr;
  logic [2:0] s_axil_awprot;
  logic s_axil_awvalid;
  wire  s_axil_awready;
  logic [31:0] s_axil_wdata;
  logic [3:0] s_axil_wstrb;
  logic s_axil_wvalid;
  wire  s_axil_wready;
  wire  [1:0] s_axil_bresp;
  wire  s_axil_bvalid;
  logic s_axil_bready;
  logic [7:0] s_axil_araddr;
  logic [2:0] s_axil_arprot;
  logic s_axil_arvalid;
  wire  s_axil_arready;
  wire  [31:0] s_axil_rdata;
  wire  [1:0] s_axil_rresp;
  wire  s_axil_rvalid;
  logic s_axil_rready;
  wire  irq;

  // The registers by a model: what they hold, and what was taken.
  localparam logic [7:0] RegisterSpace = 8'h40;   // no register is from this address on
`ifndef TIED
  localparam int BusyExchanges = Terminals * Words > 32 ? 9 : 69;   // while there are requests at random
  localparam int LoneRounds = Terminals * Words > 32 ? 32 : 128;    // of requests at random without exchanges
`endif
  bit          watching;         // the design has left its reset
  bit          requesting;       // there are requests at random
  bit          lone;             // no message of most terminals is there: no exchange can begin
  logic [4:0]  risks;            // errors that the streams may cause in the next cycle
  bit          counting;         // the next read is one of EXCHANGES
  bit          address_taken;    // with the last edge, and so a word and a read
  bit          word_taken;
  bit          read_taken;
  bit          address_held;     // of a write that is not done
  bit          word_held;
  logic [7:0]  write_at;
  logic [4:0]  write_word;
  bit          write_strobe;
  bit          answered;         // a response waits
  logic [7:0]  written_at;
  logic [1:0]  write_response;
  bit          shown;            // what was read waits
  logic [7:0]  read_at;
  logic [31:0] read_word;
  logic [1:0]  read_response;
  bit          start_set;        // START was written
  bit          auto_set;
  bit          done_set;
  logic [1:0]  enabled;
  logic [31:0] counted;          // EXCHANGES
  // Errors that stay, may come, and must come: conflict, length, unknown, double, missing.
  logic [4:0]  errors_kept;
  logic [4:0]  errors_may;
  logic [4:0]  errors_must;
  bit          start_taken;            // a start was taken at the last edge
  bit          began;            // and an exchange has begun with it, or an older one runs
  bit          was_busy;
  // Of 256 cycles, those in which address, word and read are offered, responses and words taken.
  int          paces [0:4];
  int          starting;         // and those with a start
  logic [7:0]  favourite;        // address of half of the requests

  rls_n4_w12_axis_l1_b1_ports_axil_arstn u_axis (
`ifdef TIED
    .start           (ready_o),
    .m00_axis_tready (m_axis_tvalid_o[0]),
    .m01_axis_tready (m_axis_tvalid_o[1]),
    .m02_axis_tready (m_axis_tvalid_o[2]),
    .m03_axis_tready (m_axis_tvalid_o[3]),
`else
    .start           (start_i),
    .m00_axis_tready (m_axis_tready_i[0]),
    .m01_axis_tready (m_axis_tready_i[1]),
    .m02_axis_tready (m_axis_tready_i[2]),
    .m03_axis_tready (m_axis_tready_i[3]),
`endif
    .aclk            (clk_i),
    .aresetn         (~rst_i),
    .s_axil_awaddr   (s_axil_awaddr),
    .s_axil_awprot   (s_axil_awprot),
    .s_axil_awvalid  (s_axil_awvalid),
    .s_axil_awready  (s_axil_awready),
    .s_axil_wdata    (s_axil_wdata),
    .s_axil_wstrb    (s_axil_wstrb),
    .s_axil_wvalid   (s_axil_wvalid),
    .s_axil_wready   (s_axil_wready),
    .s_axil_bresp    (s_axil_bresp),
    .s_axil_bvalid   (s_axil_bvalid),
    .s_axil_bready   (s_axil_bready),
    .s_axil_araddr   (s_axil_araddr),
    .s_axil_arprot   (s_axil_arprot),
    .s_axil_arvalid  (s_axil_arvalid),
    .s_axil_arready  (s_axil_arready),
    .s_axil_rdata    (s_axil_rdata),
    .s_axil_rresp    (s_axil_rresp),
    .s_axil_rvalid   (s_axil_rvalid),
    .s_axil_rready   (s_axil_rready),
    .irq             (irq),
    .ready           (ready_o),
    .busy            (busy_o),
    .done            (done_o),
    .cycles          (cycles_o),
    .error_missing   (missing_o),
    .error_double    (double_o),
    .error_unknown   (unknown_o),
    .error_length    (length_o),
    .error_conflict  (conflict_o),
    .s00_axis_tdata  ({{4{1'b1}}, s_axis_tdata_i[0 +: 12]}),
    .s00_axis_tdest  (s_axis_tdest_i[0 +: 2]),
    .s00_axis_tlast  (s_axis_tlast_i[0]),
    .s00_axis_tvalid (s_axis_tvalid_i[0]),
    .s00_axis_tready (s_axis_tready_o[0]),
    .s01_axis_tdata  ({{4{1'b1}}, s_axis_tdata_i[12 +: 12]}),
    .s01_axis_tdest  (s_axis_tdest_i[2 +: 2]),
    .s01_axis_tlast  (s_axis_tlast_i[1]),
    .s01_axis_tvalid (s_axis_tvalid_i[1]),
    .s01_axis_tready (s_axis_tready_o[1]),
    .s02_axis_tdata  ({{4{1'b1}}, s_axis_tdata_i[24 +: 12]}),
    .s02_axis_tdest  (s_axis_tdest_i[4 +: 2]),
    .s02_axis_tlast  (s_axis_tlast_i[2]),
    .s02_axis_tvalid (s_axis_tvalid_i[2]),
    .s02_axis_tready (s_axis_tready_o[2]),
    .s03_axis_tdata  ({{4{1'b1}}, s_axis_tdata_i[36 +: 12]}),
    .s03_axis_tdest  (s_axis_tdest_i[6 +: 2]),
    .s03_axis_tlast  (s_axis_tlast_i[3]),
    .s03_axis_tvalid (s_axis_tvalid_i[3]),
    .s03_axis_tready (s_axis_tready_o[3]),
    .m00_axis_tdata  ({unused_padding_0, m_axis_tdata_o[0 +: 12]}),
    .m00_axis_tid    (m_axis_tid_o[0 +: 2]),
    .m00_axis_tlast  (m_axis_tlast_o[0]),
    .m00_axis_tvalid (m_axis_tvalid_o[0]),
    .m01_axis_tdata  ({unused_padding_1, m_axis_tdata_o[12 +: 12]}),
    .m01_axis_tid    (m_axis_tid_o[2 +: 2]),
    .m01_axis_tlast  (m_axis_tlast_o[1]),
    .m01_axis_tvalid (m_axis_tvalid_o[1]),
    .m02_axis_tdata  ({unused_padding_2, m_axis_tdata_o[24 +: 12]}),
    .m02_axis_tid    (m_axis_tid_o[4 +: 2]),
    .m02_axis_tlast  (m_axis_tlast_o[2]),
    .m02_axis_tvalid (m_axis_tvalid_o[2]),
    .m03_axis_tdata  ({unused_padding_3, m_axis_tdata_o[36 +: 12]}),
    .m03_axis_tid    (m_axis_tid_o[6 +: 2]),
    .m03_axis_tlast  (m_axis_tlast_o[3]),
    .m03_axis_tvalid (m_axis_tvalid_o[3])
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
    watch_registers();
    clk_i = 1'b1;
    #5;
    clocks += 1;
  endtask

  task automatic reset;
    rst_i = 1'b1;
    start_i = 1'b0;
    s_axis_tvalid_i = '0;
    m_axis_tready_i = '0;
    watching = 1'b0;
    idle_cycle();
    idle_cycle();
    rst_i = 1'b0;
    settle();
  endtask

  // Until the streams are ready. The registers are watched as soon as they have left the reset.
  task automatic settle;
    for (int at = 0; at < Settle; at++) begin
`ifndef TIED
      if (at == ResetDelay) begin
        forget_registers();
        watching = 1'b1;
      end
`endif
      idle_cycle();
    end
  endtask

  // A cycle with requests at random.
  task automatic request_cycle;
    clk_i = 1'b0;
    drive_registers();
    idle_cycle();
  endtask

  // A reset of one period in which everything goes on.
  task automatic reset_within;
    rst_i = 1'b1;
    watching = 1'b0;
    request_cycle();
    rst_i = 1'b0;
    idle_registers();
    s_axis_tvalid_i = '0;
    m_axis_tready_i = '0;
    settle();
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
    drive_registers();
    if (requesting) start_i = chance(starting);
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
    if ((start_i || start_written()) && ready_o) begun += 1;
    // While there are requests at random some starts come too early.
    if ((missing_o && !requesting) || double_o || unknown_o || length_o || conflict_o) begin
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
    watch_registers();
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
    risks = 5'b01110;
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
    risks = '0;
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

  // ---------------------------------------------------------------- what the registers should hold
  // Behind a reset: nothing is under way, and every register that is written is 0.
  task automatic forget_registers;
    address_held = 1'b0;
    word_held = 1'b0;
    write_strobe = 1'b0;
    answered = 1'b0;
    shown = 1'b0;
    start_set = 1'b0;
    auto_set = 1'b0;
    done_set = 1'b0;
    enabled = '0;
    counted = '0;
    errors_kept = '0;
    errors_may = '0;
    errors_must = '0;
    began = 1'b0;
    start_taken = 1'b0;
    was_busy = 1'b0;
  endtask

  // The registers begin an exchange if one can begin.
  function automatic bit start_written();
    return start_set || (auto_set && ready_o === 1'b1);
  endfunction

  function automatic logic [4:0] errors_shown();
    return {conflict_o, length_o, unknown_o, double_o, missing_o};
  endfunction

  // What a read of an address gives.
  function automatic logic [31:0] word_at(input logic [7:0] address);
    case (address & 8'hfc)
      8'h00: return 32'h46524954;   // ID
      8'h04: return 32'h00010000;   // VERSION
      8'h08: return 32'hf5b46ffa;   // SYSTEM
      8'h0c: return 32'h00000004;   // TERMINALS
      8'h10: return 32'h0000000c;   // WIDTH
      8'h14: return 32'h00010001;   // MESSAGE
      8'h18: return 32'h00000007;   // RUN_CYCLES
      8'h20: return {30'd0, auto_set, 1'b0};
      8'h24: return {30'd0, busy_o, ready_o};
      8'h28: return {27'd0, errors_shown()};
      8'h2c: return {30'd0, |errors_shown(), done_set};
      8'h30: return {30'd0, enabled};
      8'h34: return cycles_o;
      8'h38: return counted;
      default: return 32'd0;
    endcase
  endfunction

  // The response to an access: SLVERR behind the registers, else OKAY.
  function automatic logic [1:0] response_at(input logic [7:0] address);
    return address < RegisterSpace ? 2'b00 : 2'b10;
  endfunction

  function automatic string name_at(input logic [7:0] address);
    case (address & 8'hfc)
      8'h00: return "ID";
      8'h04: return "VERSION";
      8'h08: return "SYSTEM";
      8'h0c: return "TERMINALS";
      8'h10: return "WIDTH";
      8'h14: return "MESSAGE";
      8'h18: return "RUN_CYCLES";
      8'h20: return "CONTROL";
      8'h24: return "STATUS";
      8'h28: return "ERRORS";
      8'h2c: return "IRQ_STATUS";
      8'h30: return "IRQ_ENABLE";
      8'h34: return "CYCLES";
      8'h38: return "EXCHANGES";
      default: return $sformatf("address %h", address);
    endcase
  endfunction

  // Looks at every output of the registers before a rising edge, and works out what they hold behind it.
  task automatic watch_registers;
    if (watching) begin
      check_handshakes();
      check_effects();
      learn_read();
      learn_effects();
      learn_write();
    end
    address_taken = s_axil_awvalid && s_axil_awready === 1'b1;
    word_taken = s_axil_wvalid && s_axil_wready === 1'b1;
    read_taken = s_axil_arvalid && s_axil_arready === 1'b1;
  endtask

  task automatic check_handshakes;
    if (s_axil_awready !== !address_held || s_axil_wready !== !word_held || s_axil_arready !== !shown) begin
      fail($sformatf("awready %b wready %b arready %b, expected %b %b %b", s_axil_awready, s_axil_wready,
                     s_axil_arready, !address_held, !word_held, !shown));
    end
    if (s_axil_bvalid !== answered) fail($sformatf("bvalid is %b, expected %b", s_axil_bvalid, answered));
    if (answered && s_axil_bresp !== write_response) begin
      fail($sformatf("the response to a write to %s is %b, expected %b", name_at(written_at), s_axil_bresp,
                     write_response));
    end
    if (s_axil_rvalid !== shown) fail($sformatf("rvalid is %b, expected %b", s_axil_rvalid, shown));
    if (shown && (s_axil_rdata !== read_word || s_axil_rresp !== read_response)) begin
      fail($sformatf("%s reads %h (response %b), not %h (%b)", name_at(read_at), s_axil_rdata, s_axil_rresp,
                     read_word, read_response));
    end
  endtask

  task automatic check_effects;
    logic [4:0] now;
    now = errors_shown();
    if ((now | errors_may) !== (errors_kept | errors_may) || (now & errors_kept) !== errors_kept
        || (now & errors_must) !== errors_must) begin
      fail($sformatf("errors (conflict, length, unknown, double, missing) are %b, expected %b", now,
                     errors_kept | errors_must));
    end
    if (irq !== ((done_set && enabled[0]) || (now != '0 && enabled[1]))) fail($sformatf("irq is %b", irq));
    if (began && busy_o !== 1'b1) fail("a start begins no exchange");
    if (!began && !was_busy && busy_o !== 1'b0) fail("an exchange begins without a start");
  endtask

  // What a read gives is what stands there when its address is taken.
  task automatic learn_read;
    if (shown && s_axil_rready) shown = 1'b0;
    else if (s_axil_arvalid && s_axil_arready === 1'b1) begin
      shown = 1'b1;
      read_at = s_axil_araddr;
      read_word = word_at(read_at);
      if (read_at == 8'h38) counting = 1'b0;
      read_response = response_at(read_at);
    end
  endtask

  // A write is done as soon as its address and its word are there and no response waits.
  task automatic learn_effects;
    bit         started;
    logic [7:0] changed;    // the register that is written, or an address behind all registers
    started = start_i || start_written();
    changed = 8'hff;
    if (address_held && word_held && !answered && write_strobe) changed = {write_at[7:2], 2'b00};
    errors_kept = errors_shown();
    errors_may = risks;
    errors_must = '0;
    if (started && busy_o === 1'b0 && ready_o === 1'b0 && !start_taken) begin
      errors_may[0] = 1'b1;
      errors_must[0] = lone;
    end
    began = start_taken;
    start_taken = started && ready_o === 1'b1;
    was_busy = busy_o === 1'b1;
    start_set = 1'b0;
    case (changed)
      8'h20: begin
        start_set = write_word[0];
        auto_set = write_word[1];
      end
      8'h28: errors_kept = errors_kept & ~write_word;
      8'h2c: done_set = done_set && !write_word[0];
      8'h30: enabled = write_word[1:0];
      default: ;
    endcase
    if (done_o === 1'b1) begin
      done_set = 1'b1;
      counted += 1;
    end
  endtask

  task automatic learn_write;
    if (answered && s_axil_bready) answered = 1'b0;
    else if (address_held && word_held && !answered) begin
      answered = 1'b1;
      written_at = write_at;
      write_response = response_at(write_at);
      address_held = 1'b0;
      word_held = 1'b0;
    end
    if (s_axil_awvalid && s_axil_awready === 1'b1) begin
      address_held = 1'b1;
      write_at = s_axil_awaddr;
    end
    if (s_axil_wvalid && s_axil_wready === 1'b1) begin
      word_held = 1'b1;
      write_word = s_axil_wdata[4:0];
      write_strobe = s_axil_wstrb[0];
    end
  endtask

  // ---------------------------------------------------------------- requests at random
  // An address: the favourite of these cycles, a register, or any byte.
  function automatic logic [7:0] any_address();
    case (below(4))
      0: return 8'(below(256));
      1: return 8'(below(64));
      default: return favourite;
    endcase
  endfunction

  // True so many times of 256.
  function automatic bit chance(input int of_256);
    return int'(draw() % 256) < of_256;
  endfunction

  // A number below a limit.
  function automatic int below(input int limit);
    return int'(draw() % limit);
  endfunction

  // Half of the words are mostly zeros, or mostly ones.
  function automatic logic [31:0] any_word();
    logic [31:0] first;
    logic [31:0] second;
    first = draw();
    second = draw();
    case (below(4))
      0: return first & second;
      1: return first | second;
      default: return first;
    endcase
  endfunction

  // How often each side of each channel is ready: never, sometimes, mostly or always.
  function automatic int any_pace();
    case (below(4))
      0: return 16;
      1: return 96;
      2: return 208;
      default: return 256;
    endcase
  endfunction

  task automatic change_paces;
    for (int at = 0; at < 5; at++) paces[at] = any_pace();
    starting = any_pace() & ~16;
    favourite = any_address();
    if (below(8) > 0) favourite[7:6] = 2'b00;
  endtask

  // Requests stay until they are taken. Address and word of a write come in any order, and the next ones while a response waits.
  task automatic drive_registers;
    bit offers_address;
    bit offers_word;
    bit offers_read;
    if (requesting) begin
      if (chance(8)) change_paces();
      offers_address = chance(paces[0]);
      offers_word = chance(paces[1]);
      offers_read = chance(paces[2]) | counting;
      if (address_taken) s_axil_awvalid = 1'b0;
      if (word_taken) s_axil_wvalid = 1'b0;
      if (read_taken) s_axil_arvalid = 1'b0;
      if (!s_axil_awvalid && offers_address) s_axil_awaddr = any_address();
      if (!s_axil_wvalid && offers_word) begin
        s_axil_wdata = any_word();
        s_axil_wstrb = 4'(below(16));
        if (chance(192)) s_axil_wstrb[0] = 1'b1;
      end
      if (!s_axil_arvalid && offers_read) begin
        s_axil_araddr = any_address();
        if (counting) s_axil_araddr = 8'h38;
      end
      s_axil_awvalid = s_axil_awvalid | offers_address;
      s_axil_wvalid = s_axil_wvalid | offers_word;
      s_axil_arvalid = s_axil_arvalid | offers_read;
      s_axil_bready = chance(paces[3]);
      s_axil_rready = chance(paces[4]) | counting;
      s_axil_awprot = 3'(below(8));
      s_axil_arprot = 3'(below(8));
      if (lone) start_i = chance(starting / 16);
    end
  endtask

  // ---------------------------------------------------------------- registers
  // A read: the address is taken, the word comes a cycle later. The model looks at the word and the response.
  task automatic read_register(input logic [7:0] address);
    s_axil_araddr = address;
    s_axil_arvalid = 1'b1;
    s_axil_rready = 1'b0;
    idle_cycle();
    s_axil_arvalid = 1'b0;
    idle_cycle();
    s_axil_rready = 1'b1;
    idle_cycle();
    s_axil_rready = 1'b0;
  endtask

  task automatic expect_register(input string name, input logic [7:0] address, input logic [31:0] expected);
    read_register(address);
    if (read_word !== expected) fail($sformatf("%s reads %h, not %h", name, read_word, expected));
  endtask

  // A write of the lowest byte: the word first, then its address.
  task automatic write_register(input logic [7:0] address, input logic [31:0] data);
    s_axil_wdata = data;
    s_axil_wstrb = 4'b0001;
    s_axil_wvalid = 1'b1;
    idle_cycle();
    s_axil_wvalid = 1'b0;
    idle_cycle();
    s_axil_awaddr = address;
    s_axil_awvalid = 1'b1;
    idle_cycle();
    s_axil_awvalid = 1'b0;
    idle_cycle();
    s_axil_bready = 1'b1;
    idle_cycle();
    s_axil_bready = 1'b0;
  endtask

  task automatic idle_registers;
    requesting = 1'b0;
    counting = 1'b0;
    risks = '0;
    s_axil_awaddr = '0;
    s_axil_awprot = '0;
    s_axil_awvalid = 1'b0;
    s_axil_wdata = '0;
    s_axil_wstrb = '0;
    s_axil_wvalid = 1'b0;
    s_axil_bready = 1'b0;
    s_axil_araddr = '0;
    s_axil_arprot = '0;
    s_axil_arvalid = 1'b0;
    s_axil_rready = 1'b0;
  endtask

  // What the design is, a start without messages, what it leads to, and how that ends. Verilator copies a task to each place where it is called:
  // the accesses are a list, and each kind is made in one place.
  task automatic registers;
    string       name;
    logic [7:0]  address;
    logic [31:0] word;
    bit          writes;
    bit          over;
    over = 1'b0;
    // verilator unroll_disable
    for (int step = 0; !over && errors < MaxPrinted; step++) begin
      writes = 1'b0;
      case (step)
        0: begin
          name = "EXCHANGES";
          address = 8'h38;
          word = Exchanges;
        end
        1: begin
          name = "CYCLES";
          address = 8'h34;
          word = Cycles;
        end
        2: begin
          name = "ERRORS";
          address = 8'h28;
          word = 32'd0;
        end
        3: begin
          name = "IRQ_ENABLE";
          address = 8'h30;
          word = 32'd2;
          writes = 1'b1;
        end
        4: begin
          name = "IRQ_ENABLE";
          address = 8'h30;
          word = 32'd2;
        end
        5: begin
          name = "CONTROL";
          address = 8'h20;
          word = 32'd1;
          writes = 1'b1;
        end
        6: begin
          name = "ERRORS";
          address = 8'h28;
          word = 32'd1;
        end
        7: begin
          name = "IRQ_STATUS";
          address = 8'h2c;
          word = 32'd2;
        end
        8: begin
          name = "ERRORS";
          address = 8'h28;
          word = 32'd1;
          writes = 1'b1;
        end
        9: begin
          name = "ERRORS";
          address = 8'h28;
          word = 32'd0;
        end
        10: begin
          name = "ID";
          address = 8'h00;
          word = 32'h46524954;
        end
        11: begin
          name = "VERSION";
          address = 8'h04;
          word = 32'h00010000;
        end
        12: begin
          name = "SYSTEM";
          address = 8'h08;
          word = 32'hf5b46ffa;
        end
        13: begin
          name = "TERMINALS";
          address = 8'h0c;
          word = 32'h00000004;
        end
        14: begin
          name = "WIDTH";
          address = 8'h10;
          word = 32'h0000000c;
        end
        15: begin
          name = "MESSAGE";
          address = 8'h14;
          word = 32'h00010001;
        end
        16: begin
          name = "RUN_CYCLES";
          address = 8'h18;
          word = 32'h00000007;
        end
        default: over = 1'b1;
      endcase
      if (step == 2) reset();
      if (writes) write_register(address, word);
      else if (!over) expect_register(name, address, word);
      if (step == 4 && irq !== 1'b0) fail("irq is high, but no interrupt is enabled and pending");
      if (step == 7 && (irq !== 1'b1 || missing_o !== 1'b1)) fail("no interrupt for a start without messages");
      if (step == 9 && (irq !== 1'b0 || missing_o !== 1'b0)) fail("an error that was cleared is still there");
    end
  endtask

  // Every address is written and read.
  task automatic every_address;
    reset();
    for (int at = 0; at < 256 && errors == 0; at++) begin
      write_register(at[7:0], any_word());
      read_register(at[7:0]);
    end
  endtask

  // Requests at random while nothing but mistakes comes to the streams; resets of one period while they go on.
  task automatic lone_requests(input int rounds);
    lone = 1'b1;
    reset();
    for (int round = 0; round < rounds && errors == 0; round++) begin
      for (int message = 0; message < round % 3; message++) begin
        send_one(round % 5 == 4 ? '1 : '0, Words + round / 3 % 2);
      end
      requesting = 1'b1;
      for (int at = 0; at < 96 && errors == 0; at++) request_cycle();
      if (round % 8 == 3) await_start();
      if (round % 4 == 3) reset_within();
      // What is offered stays while the next messages come.
      requesting = 1'b0;
      start_i = 1'b0;
    end
    lone = 1'b0;
  endtask

  // Until a write of START is about to be done: a reset must end it.
  task automatic await_start;
    for (int at = 0; at < 64 && !(address_held && word_held && !answered && write_strobe
                                  && (write_at & 8'hfc) == 8'h20 && write_word[0]); at++) begin
      favourite = 8'h20;
      request_cycle();
    end
  endtask

  // A number of exchanges done that has its carry anywhere, and any bits above it. It is forced for a cycle without done_o, with whose
  // edge the register takes it.
  task automatic force_count(input int which);
    counted = any_word();
    if (which < 33) counted = counted | (32'hffff_ffff >> which);
    force u_axis.u_registers.exchanges_q = counted;
    cycle();
    release u_axis.u_registers.exchanges_q;
  endtask

  // Exchanges while there are requests at random: they are started by the port and by the registers.
  task automatic exchanges_with_requests(input int exchanges);
    int limit;
    int seen;
    forget(exchanges);
    reset();
    limit = clocks + 8 * exchanges * (Limit / Exchanges);
    change_paces();
    requesting = 1'b1;
    seen = 0;
    while (errors == 0 && clocks < limit
           && (finished < exchanges || received < exchanges * Terminals * Terminals * Words)) begin
      cycle();
      if (finished > seen) begin
        seen = finished;
        // Every other time, so that it can be read one exchange later.
        if (seen % 2 == 0) force_count(seen / 2);
        else counting = 1'b1;
      end
    end
    if (finished < exchanges || received < exchanges * Terminals * Terminals * Words) begin
      fail($sformatf("%0d of %0d exchanges were done, and %0d words came", finished, exchanges, received));
    end
    reset_within();
  endtask

  // ---------------------------------------------------------------- the run
  initial begin : main
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("offering=%d", offering)) offering = 192;
    if (!$value$plusargs("taking=%d", taking)) taking = 160;
    if ($value$plusargs("wave=%s", wave_name)) begin
      $dumpfile(wave_name);
      $dumpvars(0, tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn);
    end
    random = seed * 32'd2654435761 | 32'd1;
    errors = 0;
    clocks = 0;
    forget(Exchanges);
    s_axis_tdata_i = '0;
    s_axis_tdest_i = '0;
    s_axis_tlast_i = '0;
    favourite = '0;
    lone = 1'b0;
    watching = 1'b0;
    idle_registers();
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
    if (errors == 0) registers();
    if (errors == 0) mistakes();
    if (errors == 0) every_address();
    if (errors == 0) exchanges_with_requests(BusyExchanges);
    if (errors == 0) lone_requests(LoneRounds);
`endif
    if (errors > 0) $display("FAIL rls_n4_w12_axis_l1_b1_ports_axil_arstn: %0d errors", errors);
    else begin
      $display("PASS rls_n4_w12_axis_l1_b1_ports_axil_arstn: %0d exchanges of %0d cycles, seed=%0d",
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
