// verilog_format: off
// tb_rls_n4_w12_axis_l1_b1: self-checking testbench of rls_n4_w12_axis_l1_b1.
// Generated; do not edit. Generator: frit generate rls -n 4 -w 12 --layout files --axis --length 1 --buffers 1
//
// 4 exchanges or +exchanges=K, with each terminal's messages in random order and random pauses on both sides. Then come
// trials of the same length: other paces, a reset at any time and, in turn, in every cycle of an exchange, with the last word of each
// terminal and with an error, and deliberate errors: a start without messages, and from each terminal in turn duplicate messages, messages
// for a terminal that does not exist, and messages of the wrong length. The testbench checks all ports in every cycle, except the exact
// cycles in which words leave while an exchange runs.
//
// Plusargs             +seed=S           order, pauses and mistakes (default 1, printed)
//                      +offering=P       number of cycles, out of 256, in which a sender offers its word (default 192)
//                      +taking=P         number of cycles, out of 256, in which a receiver is ready (default 160)
//                      +exchanges=K      number of exchanges before the trials (default 4)
//                      +wave=FILE        dumps everything below tb_rls_n4_w12_axis_l1_b1
// Macro TIED           wires start_i to ready_o and each m_axis_tready_i to its m_axis_tvalid_o directly. If the design has a
//                      combinational path between these ports, this closes a loop. Trials are as long as the exchanges
// Exit status          0 and a line `PASS`, or not 0 and a line `FAIL`; the line `RESULT` is read by programs
`timescale 1ns/1ps

module tb_rls_n4_w12_axis_l1_b1;
  localparam int Terminals = 4;
  localparam int AddressBits = 2;
  localparam int WidthBits = 12;
  localparam int Words = 1;         // words of a message
  localparam int Sets = 1;          // sets of messages that the memories hold
  localparam int Lanes = 1;         // lanes of a terminal
  localparam int Cycles = 7;        // cycles of an exchange, from the plan
  localparam int Period = 4;        // cycles from one exchange to the next without a gap
  localparam int Settle = 1 << AddressBits;    // cycles after reset until the streams are ready
  localparam int Delay = 4;         // maximum cycles from done_o until the last word of a lane can leave
  localparam int Limit = 432;      // maximum clock cycles for an exchange, including all pauses
`ifdef TIED
  localparam int LeastTrials = 0;
`else
  // Clock cycles of the trials, if the exchanges take less: each terminal makes its errors in turn, and small designs are fast.
  localparam int LeastTrials = Terminals <= 8 ? 5000 * Terminals : 20000;
`endif
  // Long enough that an output whose receiver takes nothing runs out of room, although messages come at full speed.
  localparam int Jam = 4 * (Terminals * Words + Cycles);
  localparam int Trial = 8 * (Terminals * Words + Cycles + 16);   // clock cycles of a trial, on average
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

  rls_n4_w12_axis_l1_b1 u_axis (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
`ifdef TIED
    .start_i         (ready_o),
    .m_axis_tready_i (m_axis_tvalid_o),
`else
    .start_i         (start_i),
    .m_axis_tready_i (m_axis_tready_i),
`endif
    .ready_o         (ready_o),
    .busy_o          (busy_o),
    .done_o          (done_o),
    .cycles_o        (cycles_o),
    .missing_o       (missing_o),
    .double_o        (double_o),
    .unknown_o       (unknown_o),
    .length_o        (length_o),
    .conflict_o      (conflict_o),
    .s_axis_tvalid_i (s_axis_tvalid_i),
    .s_axis_tready_o (s_axis_tready_o),
    .s_axis_tdata_i  (s_axis_tdata_i),
    .s_axis_tdest_i  (s_axis_tdest_i),
    .s_axis_tlast_i  (s_axis_tlast_i),
    .m_axis_tvalid_o (m_axis_tvalid_o),
    .m_axis_tdata_o  (m_axis_tdata_o),
    .m_axis_tid_o    (m_axis_tid_o),
    .m_axis_tlast_o  (m_axis_tlast_o)
  );

  // ---------------------------------------------------------------- state
  // State of each sender: its exchange, the order of its messages, its position.
  int order [0:Terminals*Terminals-1];   // [source * Terminals + k]: the destination of its k-th message
  int send_exchange [0:Terminals-1];
  int send_message  [0:Terminals-1];
  int send_word     [0:Terminals-1];
  int stray         [0:Terminals-1];   // destination of a message that must be refused; -1 for none
  // State of each receiver: messages received from each source, and the source and word number of the current message.
  int had         [0:Terminals*Terminals-1];
  int recv_source [0:Terminals-1];
  int recv_word   [0:Terminals-1];
  int left        [0:Terminals-1];   // words that have left
  // Words that stood at an output before the last edge and were not taken.
  logic [Terminals-1:0]             left_valid;
  logic [Terminals*WidthBits-1:0]   left_data;
  logic [Terminals*AddressBits-1:0] left_id;
  logic [Terminals-1:0]             left_last;
  logic [Terminals-1:0]             taken;        // terminals whose word is taken at this edge

  // Expected state of the design.
  int                   since_reset;   // cycles
  int                   begun;         // exchanges
  int                   newest;        // cycle of the youngest exchange; -1 if it has ended
  int                   older;         // cycle of the exchange before it; -1 if it has ended
  int                   done;          // exchanges
  int                   done_before [0:Delay-1];   // value of done one, two, … cycles ago
  int                   came_before [0:Delay-1];   // words that had arrived at each terminal by then
  int                   last_cycles;   // cycles_o
  bit                   pending;       // a start was taken, and its exchange has not begun
  bit                   room;          // all outputs had room for one more exchange, and none began
  bit                   spacious;      // and so it was in the cycle before
  logic [Terminals-1:0] held;          // an input holds a word
  int                   held_dest [0:Terminals-1];   // its destination
  logic [Terminals-1:0] held_last;     // its tlast
  int                   in_word  [0:Terminals-1];   // number of the word held in its message, or of the next word
  int                   complete [0:Terminals-1];   // messages of this set
  logic [Terminals*Terminals-1:0] given;       // [source * Terminals + dest]: the set has this message
  logic [Terminals-1:0] refused;       // the current message is dropped
  logic [Terminals-1:0] checked;       // the word behind the word held is not dropped
  logic [Terminals-1:0] stored;        // there is a word to write
  logic [Terminals-1:0] full;          // all words of the set were checked
  logic [Terminals-1:0] closed;        // and so it was in the cycle before
  logic [Terminals-1:0] parked;        // and in the cycle before that: a word to write belongs to the next set
  logic [Terminals-1:0] fills;         // the word that was checked completes the set
  logic [Terminals-1:0] waits;         // a word must wait: its set is complete, or the only memory is read
  logic [3:0]           flags;         // missing, double, unknown, length
  logic [3:0]           late_flags;    // those of the words that were checked in the last cycle

  // A pace is the number of cycles, out of 256, in which a sender offers its word or a receiver is ready.
  int          offers [0:Terminals-1];
  int          takes  [0:Terminals-1];
  int          trial;       // number of the trial; trial 0 has no errors
  int          culprit;     // terminal that makes the errors of this trial
  bit          doubling;    // the culprit sends duplicate messages
  bit          straying;    // the culprit sends messages for a terminal that does not exist
  bit          misending;   // the culprit sets tlast with a word that is not the last
  bit          hasty;       // starts come while messages are missing
  bit          struck;      // the reset came in the chosen cycle of an exchange
  bit          launched;    // the reset came with a start
  int          strike;      // which
  int          closer;      // terminal with whose last word the reset comes

  int unsigned random;
  int          offering;
  int          taking;
  int          clocks;
  int          exchanges;   // before the trials
  int          received;    // words
  int          finished;    // exchanges
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

  // True with probability `times` / 256.
  function automatic bit chance(input int of_256);
    return int'(draw() % 256) < of_256;
  endfunction

  // A number below a limit.
  function automatic int below(input int limit);
    return int'(draw() % limit);
  endfunction

  // The word of a message, computed from its place so that words repeat rarely; in two trials out of three mostly zeros or mostly ones.
  function automatic logic [WidthBits-1:0] content(
      input int exchange, input int source, input int dest, input int word);
    int unsigned          mix;
    logic [WidthBits-1:0] bits;
    mix = (exchange + 1) * 32'd2654435761 ^ (source + 1) * 32'd2246822519
        ^ (dest + 1) * 32'd3266489917 ^ (word + 1) * 32'd668265263;
    mix = mix ^ trial * 32'd374761393;
    bits = '0;
    for (int at = 0; at < WidthBits; at++) begin
      mix = (mix ^ (mix >> 16)) * 32'd2246822507;
      mix = mix ^ (mix >> 13);
      case (trial % 3)
        0: bits[at] = mix[15];
        1: bits[at] = &mix[15:13];
        default: bits[at] = |mix[15:13];
      endcase
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
    if (send_word[source] == 0 && source == culprit) choose_stray(source);
    dest = stray[source] < 0 ? order[source * Terminals + send_message[source]] : stray[source];
    s_axis_tdest_i[source*AddressBits +: AddressBits] = dest[AddressBits-1:0];
    s_axis_tdata_i[source*WidthBits +: WidthBits] =
        content(send_exchange[source], source, dest, send_word[source]);
    if (stray[source] >= 0) begin
      s_axis_tdata_i[source*WidthBits +: WidthBits] = ~s_axis_tdata_i[source*WidthBits +: WidthBits];
    end
    s_axis_tlast_i[source] = send_word[source] == Words - 1;
    if (misending && source == culprit) s_axis_tlast_i[source] = s_axis_tlast_i[source] ^ chance(32);
  endtask

  // While tvalid is low, the other signals of a stream may have any value.
  task automatic disturb(input int source);
    s_axis_tdest_i[source*AddressBits +: AddressBits] = AddressBits'(draw());
    s_axis_tdata_i[source*WidthBits +: WidthBits] = ~s_axis_tdata_i[source*WidthBits +: WidthBits];
    s_axis_tlast_i[source] = ~s_axis_tlast_i[source];
  endtask

  // Sometimes sends a message that the design must refuse: for a terminal that does not exist, or a duplicate.
  task automatic choose_stray(input int source);
    int at;
    if (!chance(64)) begin
      stray[source] = -1;
    end else if (straying && Terminals < (1 << AddressBits) && (!doubling || chance(128))) begin
      stray[source] = Terminals + below((1 << AddressBits) - Terminals);
    end else if (doubling && send_message[source] > 0) begin
      at = chance(128) ? send_message[source] - 1 : below(send_message[source]);
      stray[source] = order[source * Terminals + at];
    end
  endtask

  // Advances a sender whose word was taken.
  task automatic advance(input int source);
    send_word[source] += 1;
    if (send_word[source] == Words) begin
      send_word[source] = 0;
      if (stray[source] < 0) send_message[source] += 1;
      stray[source] = -1;
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
    left[dest] += 1;
    if (recv_word[dest] > 0 && source != recv_source[dest]) begin
      fail($sformatf("terminal %0d: word from source %0d inside a message from %0d", dest, source,
                     recv_source[dest]));
    end
    recv_source[dest] = source;
    if (source >= Terminals) begin
      fail($sformatf("terminal %0d: word from source %0d, which does not exist", dest, source));
    end else begin
      if (had[dest*Terminals + source] >= begun) begin
        fail($sformatf("terminal %0d: a message from %0d that was not sent", dest, source));
      end
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

  // ---------------------------------------------------------------- expected state of the design
  task automatic forget;
    since_reset = 0;
    begun = 0;
    newest = -1;
    older = -1;
    done = 0;
    for (int at = 0; at < Delay; at++) done_before[at] = 0;
    for (int at = 0; at < Delay; at++) came_before[at] = 0;
    last_cycles = 0;
    given = '0;
    pending = 1'b0;
    room = 1'b0;
    spacious = 1'b0;
    held = '0;
    held_last = '0;
    checked = '0;
    stored = '0;
    closed = '0;
    parked = '0;
    late_flags = '0;
    refused = '0;
    full = '0;
    fills = '0;
    waits = '0;
    flags = '0;
    left_valid = '0;
    s_axis_tvalid_i = '0;
    m_axis_tready_i = '0;
    start_i = 1'b0;
    for (int at = 0; at < Terminals; at++) begin
      in_word[at] = 0;
      held_dest[at] = 0;
      complete[at] = 0;
      left[at] = 0;
      send_exchange[at] = 0;
      send_message[at] = 0;
      send_word[at] = 0;
      stray[at] = -1;
      recv_word[at] = 0;
      recv_source[at] = 0;
      shuffle(at);
    end
    for (int at = 0; at < Terminals * Terminals; at++) had[at] = 0;
  endtask

  // Whether an exchange is under way.
  function automatic bit running();
    return newest >= 0;
  endfunction

  // Whether the word held belongs to a message that is dropped.
  function automatic bit drops(input int source);
    if (in_word[source] > 0) return refused[source];
    return held_dest[source] >= Terminals || given[source*Terminals + held_dest[source]];
  endfunction

  // Checks the word that an input holds.
  task automatic examine(input int source);
    bit ends;
    ends = in_word[source] == Words - 1;
    if (in_word[source] == 0) begin
      refused[source] = drops(source);
      if (held_dest[source] >= Terminals) late_flags[1] = 1'b1;
      else if (refused[source]) late_flags[2] = 1'b1;
      else given[source*Terminals + held_dest[source]] = 1'b1;
    end
    if (held_last[source] !== ends) late_flags[0] = 1'b1;
    if (ends && !refused[source]) complete[source] += 1;
    if (complete[source] == Terminals) begin
      complete[source] = 0;
      given[source*Terminals +: Terminals] = '0;
      fills[source] = 1'b1;
    end
    in_word[source] = ends ? 0 : in_word[source] + 1;
  endtask

  // Whether the exchange takes a start: the last words of the newest one enter or have entered, or nothing is under way.
  function automatic bit takes_start();
    return !running() || newest >= Period - 1;
  endfunction

  // Whether an output lacks room for one more exchange. With two lanes and two sets this depends on the lane of each word.
  function automatic bit crowded();
    crowded = 1'b0;
    for (int at = 0; at < Terminals; at++) if (begun - left[at] / (Terminals * Words) == Sets) crowded = 1'b1;
  endfunction

  task automatic check_control;
    bit loaded;
    bit begins;
    begins = pending && takes_start();
    waits = Sets == 1 && (running() || begins) ? '1 : begins ? '0 : parked;
    loaded = !pending && &closed;
    if (ready_o !== (loaded && spacious) && (Lanes * Sets < 4 || ready_o !== loaded)) begin
      fail($sformatf("ready_o is %b, expected %b", ready_o, loaded && spacious));
    end
    if (busy_o !== running()) fail($sformatf("busy_o is %b, expected %b", busy_o, running()));
    if (done_o !== (done > done_before[0])) begin
      fail($sformatf("done_o is %b, expected %b", done_o, done > done_before[0]));
    end
    if (cycles_o !== last_cycles) fail($sformatf("cycles_o is %0d, expected %0d", cycles_o, last_cycles));
    if ({missing_o, double_o, unknown_o, length_o} !== flags || conflict_o !== 1'b0) begin
      fail($sformatf("missing, double, unknown, length are %b, expected %b; conflict_o is %b",
                     {missing_o, double_o, unknown_o, length_o}, flags, conflict_o));
    end
  endtask

  task automatic check_streams(input int at);
    bit taking_words;
    taking_words = since_reset >= Settle && !(stored[at] && waits[at]);
    if (s_axis_tready_o[at] !== taking_words) begin
      fail($sformatf("terminal %0d: s_axis_tready_o is %b, expected %b", at, s_axis_tready_o[at], taking_words));
    end
    // A word that is offered stays unchanged until it is taken.
    if (left_valid[at] && (m_axis_tvalid_o[at] !== 1'b1
        || m_axis_tdata_o[at*WidthBits +: WidthBits] !== left_data[at*WidthBits +: WidthBits]
        || m_axis_tid_o[at*AddressBits +: AddressBits] !== left_id[at*AddressBits +: AddressBits]
        || m_axis_tlast_o[at] !== left_last[at])) begin
      fail($sformatf("terminal %0d: a word was offered and then withdrawn or changed", at));
    end
    if (m_axis_tvalid_o[at] !== 1'b0 && left[at] == begun * Terminals * Words) begin
      fail($sformatf("terminal %0d: m_axis_tvalid_o is %b, but nothing is left", at, m_axis_tvalid_o[at]));
    end
    if (m_axis_tvalid_o[at] !== 1'b1 && left[at] < came_before[Delay-1]) begin
      fail($sformatf("terminal %0d: m_axis_tvalid_o is %b, but a word is left", at, m_axis_tvalid_o[at]));
    end
    if (m_axis_tvalid_o[at] === 1'b1 && m_axis_tready_i[at]) check(at);
  endtask

  // Words that have arrived at each terminal up to a cycle of an exchange: one a cycle, the last word in the last cycle.
  function automatic int coming(input int in_cycle);
    coming = in_cycle - (Cycles - Terminals * Words);
    if (in_cycle < 0 || coming < 0) coming = 0;
  endfunction

  // Computes the expected state after the next edge; `words` are the words that the inputs take at that edge.
  task automatic learn(input logic [Terminals-1:0] words);
    bit begins;
    begins = pending && takes_start();
    flags |= late_flags;
    late_flags = '0;
    if (start_i && !running() && !(&closed)) flags[3] = 1'b1;
    spacious = room && !begins;
    room = !crowded() && !begins;
    pending = (start_i && ready_o === 1'b1) || (pending && !begins);
    fills = '0;
    for (int at = 0; at < Terminals; at++) begin
      if (!(stored[at] && waits[at])) begin
        stored[at] = checked[at];
        checked[at] = held[at] && !drops(at);
        if (held[at]) examine(at);
        held[at] = words[at];
      end
      if (words[at]) begin
        held_dest[at] = {{(32-AddressBits){1'b0}}, s_axis_tdest_i[at*AddressBits +: AddressBits]};
        held_last[at] = s_axis_tlast_i[at];
        advance(at);
      end
    end
    parked = begins ? '0 : closed;
    closed = begins ? '0 : full;
    full = fills | (begins ? '0 : full);
    since_reset += 1;
    for (int at = Delay - 1; at > 0; at--) came_before[at] = came_before[at-1];
    came_before[0] = done * Terminals * Words + coming(newest) + coming(older);
    for (int at = Delay - 1; at > 0; at--) done_before[at] = done_before[at-1];
    done_before[0] = done;
    if (newest == Cycles || older == Cycles) begin
      done += 1;
      last_cycles = Cycles;
    end
    newest = newest < 0 || newest == Cycles ? -1 : newest + 1;
    older = older < 0 || older == Cycles ? -1 : older + 1;
    if (begins) begin
      begun += 1;
      older = newest;
      newest = 0;
    end
  endtask

  // ---------------------------------------------------------------- one clock cycle
  // Inputs change after the falling edge; all signals are sampled before the rising edge. In a trial the inputs continue in the first cycle
  // of a reset, because their drivers see the reset at the same edge.
  task automatic reset(input int cycles);
    rst_i = 1'b1;
    for (int at = 0; at < cycles; at++) begin
      clk_i = 1'b0;
      if (trial > 0 && at == 0) drive();
      else forget();
      if (launched && at == 0) start_i = 1'b1;
      #5;
      clk_i = 1'b1;
      #5;
      clocks += 1;
    end
    rst_i = 1'b0;
    if (trial > 0) forget();
  endtask

  task automatic drive;
    for (int at = 0; at < Terminals; at++) begin
      if (!s_axis_tvalid_i[at] && (trial > 0 || send_exchange[at] < exchanges)) begin
        s_axis_tvalid_i[at] = chance(offers[at]);
        if (s_axis_tvalid_i[at]) present(at);
        else disturb(at);
      end
      m_axis_tready_i[at] = chance(takes[at]);
    end
    start_i = ready_o;
    if (trial > 0) start_i = (hasty || ready_o === 1'b1 || running()) ? chance(128) : 1'b0;
  endtask

  task automatic cycle;
    clk_i = 1'b0;
    drive();
    #5;
`ifdef TIED
    start_i = ready_o;
    m_axis_tready_i = m_axis_tvalid_o;
`endif
    check_control();
    for (int at = 0; at < Terminals; at++) check_streams(at);
    if (done_o) finished += 1;
    left_valid = m_axis_tvalid_o & ~m_axis_tready_i;
    left_data = m_axis_tdata_o;
    left_id = m_axis_tid_o;
    left_last = m_axis_tlast_o;
    taken = s_axis_tvalid_i & s_axis_tready_o;
    learn(taken);
    clk_i = 1'b1;
    #5;
    s_axis_tvalid_i = s_axis_tvalid_i & ~taken;
    clocks += 1;
  endtask

  // ---------------------------------------------------------------- trials
  // Draws other paces: 0, some, or all of 256 cycles.
  function automatic int pace();
    int unsigned drawn;
    drawn = draw() % 4;
    return drawn == 0 ? 256 : drawn == 1 ? 160 : drawn == 2 ? 32 : 0;
  endfunction

  // A reset, then traffic until the reset of the next trial, at any time or when an exchange reaches the chosen cycle. That reset lasts one
  // period, and traffic continues so that wrong remains of the state can show.
  task automatic try_once;
    int rest;   // cycles of traffic, often too few for the inputs to become ready before the next reset
    bit aimed;
    bit closing;   // the reset comes at the last word of a terminal, else at a cycle of an exchange
    bit tripping;  // or when the culprit's word is found wrong
    bit launching; // or with a start that would be taken
    bit crowding;  // at first all senders offer words in every cycle, and one receiver takes nothing
    trial += 1;
    culprit = trial % Terminals;
    doubling = chance(128);
    straying = chance(128);
    misending = chance(128);
    hasty = chance(128);
    reset(struck ? 1 : 1 + below(2));
    launched = 1'b0;
    for (int at = 0; at < Terminals; at++) begin
      offers[at] = 256;
      takes[at] = 256;
    end
    aimed = chance(128);
    rest = chance(128) && !aimed && !struck ? 1 + below(Settle + 2) : 1 + below(aimed ? Trial : 2 * Trial);
    closing = aimed && chance(128);
    tripping = aimed && !closing && chance(128);
    launching = aimed && !closing && !tripping && chance(96);
    if (tripping) misending = 1'b1;
    else if (launching) hasty = 1'b0;
    else if (closing) closer = (closer + 1) % Terminals;
    else if (aimed) strike = (strike + 1) % (Cycles + 1);
    crowding = chance(64) && !aimed && !struck;
    if (crowding) begin
      rest += Jam;
      doubling = 1'b0;
      straying = 1'b0;
      misending = 1'b0;
      takes[culprit] = 0;
    end
    struck = 1'b0;
    for (int at = 0; at < (aimed ? rest + Trial : rest) && errors == 0 && !struck; at++) begin
      if (!crowding || at >= Jam) begin
        if (chance(64)) offers[below(Terminals)] = pace();
        if (chance(64)) takes[below(Terminals)] = pace();
      end
      cycle();
      struck = newest == strike;
      if (closing) struck = send_message[closer] == Terminals - 1 && send_word[closer] == Words - 1;
      if (tripping) begin
        struck = held_last[culprit] != (in_word[culprit] == Words - 1);
        struck = held[culprit] && (struck || (in_word[culprit] == 0 && drops(culprit)));
      end
      if (launching) struck = ready_o === 1'b1;
      struck = struck && aimed && at >= rest;
    end
    launched = struck && launching;
    if (struck && closing) offers[closer] = 256;
  endtask

  // ---------------------------------------------------------------- the run
  initial begin : main
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("offering=%d", offering)) offering = 192;
    if (!$value$plusargs("taking=%d", taking)) taking = 160;
    if (!$value$plusargs("exchanges=%d", exchanges)) exchanges = 4;
    if (exchanges < 1 || exchanges > 1000000000 / Limit) begin
      $display("FAIL: +exchanges=%0d is out of range; give 1 to %0d", exchanges, 1000000000 / Limit);
      $fatal(1);
    end
    if ($value$plusargs("wave=%s", wave_name)) begin
      $dumpfile(wave_name);
      $dumpvars(0, tb_rls_n4_w12_axis_l1_b1);
    end
    random = seed * 32'd2654435761 | 32'd1;
    errors = 0;
    clocks = 0;
    received = 0;
    finished = 0;
    trial = 0;
    struck = 1'b0;
    launched = 1'b0;
    strike = 0;
    closer = 0;
    culprit = -1;
    misending = 1'b0;
    s_axis_tdata_i = '0;
    s_axis_tdest_i = '0;
    s_axis_tlast_i = '0;
    for (int at = 0; at < Terminals; at++) begin
      offers[at] = offering;
      takes[at] = taking;
    end
    reset(2);
    // The last word can be taken before done_o of the last exchange.
    for (int at = 0; at < exchanges * Limit && errors < MaxPrinted
         && (received < exchanges * Terminals * Terminals * Words || finished < exchanges); at++) cycle();
    for (int at = 0; at < Terminals * Terminals; at++) begin
      if (had[at] != exchanges) begin
        fail($sformatf("terminal %0d has %0d messages from %0d, expected %0d",
                       at / Terminals, had[at], at % Terminals, exchanges));
      end
    end
    if (finished != exchanges) fail($sformatf("%0d exchanges ended, expected %0d", finished, exchanges));
    conclude();
  end

  // The figures count the exchanges only; the verdict includes the trials.
  task automatic conclude;
    int made;
    int words;
    int spent;
    made = finished;
    words = received;
    spent = clocks;
    while (errors == 0 && clocks < spent + (spent > LeastTrials ? spent : LeastTrials)) try_once();
    if (errors > 0) $display("FAIL rls_n4_w12_axis_l1_b1: %0d errors", errors);
    else begin
      $display("PASS rls_n4_w12_axis_l1_b1: %0d exchanges of %0d cycles, seed=%0d",
               made, Cycles, seed);
    end
    $display("RESULT exchanges=%0d cycles=%0d words=%0d clocks=%0d errors=%0d seed=%0d",
             made, Cycles, words, spent, errors, seed);
    if (errors > 0) $fatal(1);
    $finish(0);
  endtask

  // Programs define FRIT_MADE_FROM when they compile, to identify the sources.
`ifdef FRIT_MADE_FROM
  initial $display("MADE-FROM %h", `FRIT_MADE_FROM);
`endif
endmodule
