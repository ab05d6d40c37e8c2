// verilog_format: off
// tb_transpose_8x8_p4_w8: self-checking testbench of transpose_8x8_p4_w8_permute.
// Generated; do not edit. Generator: frit generate transpose -n 4 --rows 8 -w 8 --layout files
//
// Phases with a reset before each: one that a reset ends in the middle of a data set (of a short one: one for each of its beats), one with
// a full queue, one with random pauses, one without a pause, one with a slow and one with a fast receiver; then longer ones with pauses,
// which only this testbench makes. Every beat that leaves is compared with the order of the words (transpose_8x8_p4_w8_sources.memh: the number of the input
// word in each place of the output), word by word, and so is m_axis_tlast_o. A beat that is offered must stay until it is taken. A model of
// the waiting and of the queue says in which cycles s_axis_tready_o and m_axis_tvalid_o are high. Without pauses the first beat must
// leave after exactly 23 cycles, and then one beat in every cycle. Last, s_axis_tlast_i comes early and late, and error_o must tell.
//
// Plusargs             +data=DIR         folder of the table (default: the current folder)
//                      +beats=FILE       writes each beat that leaves: phase,cycle,last,data
//                      +wave=FILE        dumps everything below tb_transpose_8x8_p4_w8
// Exit status          0 and a line `PASS`, or not 0 and a line `FAIL`; the line `RESULT` is read by programs
`timescale 1ns/1ps

module tb_transpose_8x8_p4_w8;
  localparam int Lanes = 4;
  localparam int DataBits = 8;
  localparam int WidthBits = DataBits;   // all that goes with a word
  localparam int Cycles = 16;    // beats of a data set
  localparam int Words = Lanes * Cycles;
  localparam int Latency = 23;   // cycles from the first beat in to the first beat out without pauses
  localparam int Flight = 6;    // cycles from the decision to read a beat from the last memories until the queue stores it
  localparam int Limit = 13;     // places of the queue that are taken while no beat is let in
  localparam int Recorded = 22;  // phases that other engines make as well
  localparam int MaxPrinted = 20;   // errors printed; all are counted

  logic           clk_i = '0;
  logic           rst_i = '1;
  logic           s_axis_tvalid_i = '0;
  wire            s_axis_tready_o;
  wire  [31:0]    s_axis_tdata_i;
  logic           s_axis_tlast_i = '1;
  wire            m_axis_tvalid_o;
  logic           m_axis_tready_i = '0;
  wire  [31:0]    m_axis_tdata_o;
  wire            m_axis_tlast_o;
  wire            error_o;

  transpose_8x8_p4_w8_permute u_permute (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .s_axis_tvalid_i(s_axis_tvalid_i),
    .s_axis_tready_o(s_axis_tready_o),
    .s_axis_tdata_i(s_axis_tdata_i),
    .s_axis_tlast_i(s_axis_tlast_i),
    .m_axis_tvalid_o(m_axis_tvalid_o),
    .m_axis_tready_i(m_axis_tready_i),
    .m_axis_tdata_o(m_axis_tdata_o),
    .m_axis_tlast_o(m_axis_tlast_o),
    .error_o(error_o)
  );

  // All that goes with the words of a beat; in a word tdata is lowest, then come tkeep and tuser if they are there.
  logic [Lanes*WidthBits-1:0] sent;
  wire  [Lanes*WidthBits-1:0] got;
  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
    assign s_axis_tdata_i[lane*DataBits +: DataBits] = sent[lane*WidthBits +: DataBits];
    assign got[lane*WidthBits +: DataBits] = m_axis_tdata_o[lane*DataBits +: DataBits];
  end
  logic [31:0] sources [0:Words-1];   // the number of the input word in each place of the output
  int phase;
  int cycle_number;   // clock cycle of the phase
  int taken;          // beats that went in
  int left;           // beats that came out
  int in_set;         // data set of the beat that goes in next, and its place there
  int in_place;
  int out_set;        // of the beat that comes out next
  int out_place;
  int total;          // beats that came out in all phases
  int clocks;
  int errors;
  int first_in;       // cycle of the first beat in, and of the first out
  int first_out;
  int beats_file;
  bit offering;
  bit waiting;        // a beat stood at the output and was not taken
  // The model: beats that are known to be written to each bank of memories, beats read from it, whether it is read, the same a cycle later.
  int written_0;
  int read_0;
  bit open_0;
  bit decided_0;
  bit entered;        // a beat was taken in the cycle before
  bit [Flight-1:0] flight;   // beats on their way to the queue
  int stored;
  bit due;            // a beat is at the output
  bit freed;          // a beat left its place of the queue
  int places;         // that are taken
  bit full;
  logic [31:0] random;
  logic [Lanes*WidthBits-1:0] shown;
  logic shown_last;
  // Of a phase.
  int beats;
  int cut;
  int offers;
  int takes;
  int limit;
  int kind;           // of the words: 0 random, 1 zeros but for one word of ones in every third data set, 2 the opposite
  logic [31:0] seed;
  string beats_name;
  string data_dir;
  string wave_name;

  task automatic fail(input string what);
    errors++;
    if (errors <= MaxPrinted) $display("FAIL: phase %0d, cycle %0d: %s", phase, cycle_number, what);
  endtask

  // As `block` of the program that wrote this.
  function automatic logic [31:0] block_of(input int first, input int second, input int third, input int fourth);
    logic [31:0] key;
    key = first * 32'h85eb_ca6b + second * 32'hc2b2_ae35 + third * 32'h9e37_79b1 + fourth * 32'h27d4_eb2f;
    key = (key ^ (key >> 15)) * 32'h2c1b_3c6d;
    key = (key ^ (key >> 12)) * 32'h297a_2d39;
    return key ^ (key >> 15);
  endfunction

  // The word of this number of a lane, or of a data set, in this phase.
  function automatic logic [WidthBits-1:0] word_of(input int lane, input int which);
    logic [WidthBits-1:0] bits;
    logic [31:0] part;
    part = '0;
    for (int at = 0; at < WidthBits; at++) begin
      if (at % 32 == 0) part = block_of(phase, lane, which, at / 32);
      bits[at] = part[at % 32];
    end
    return bits;
  endfunction

  task automatic edges;
    #5 clk_i = 1'b1;
    #5 clk_i = 1'b0;
    clocks++;
  endtask

  // xorshift32, which gives the same numbers under every simulator.
  function automatic int unsigned draw();
    random = random ^ (random << 13);
    random = random ^ (random >> 17);
    random = random ^ (random << 5);
    return random;
  endfunction

  // A word of the phase: drawn, or of zeros or ones only.
  function automatic logic [WidthBits-1:0] sent_word(input int set, input int number);
    logic [WidthBits-1:0] bits;
    bits = {WidthBits{(set % 3 == 0) && number == (set / 6) % (Lanes * cycles_of(set))}};
    return kind == 0 ? word_of(set, number) : kind == 1 ? bits : ~bits;
  endfunction

  // The beats that must have been written before beat `beat` is read.
  function automatic int needed(input int beat, input int wait_beats);
    int last;
    last = (beat / Cycles + 1) * Cycles;
    return beat + wait_beats + 1 < last ? beat + wait_beats + 1 : last;
  endfunction

  function automatic int cycles_of(input int set);
    return set < 0 ? 0 : Cycles;
  endfunction

  task automatic give_up(input string text);
    $display("FAIL transpose_8x8_p4_w8: %s", text);
    $fatal(1);
  endtask

  // A clock edge in the model.
  task automatic advance_model(input bit enters);
    bit wrote;
    bit wrote_0;
    bit was_full;
    bit leaves;
    wrote = entered;
    // What was decided in the cycle before is known to the next bank, or takes a place now.
    wrote_0 = wrote;
    wrote = decided_0;
    written_0 += int'(wrote_0);
    decided_0 = open_0 && written_0 >= needed(read_0, 13);
    read_0 += int'(decided_0);
    leaves = stored > 0 && (m_axis_tready_i || !due);
    due = leaves || (due && !m_axis_tready_i);
    stored += int'(flight[Flight-1]) - int'(leaves);
    flight = Flight'({flight, wrote});
    was_full = full;
    full = places >= Limit;
    places += int'(wrote) - int'(freed);
    freed = leaves;
    entered = enters;
    open_0 = !was_full;
  endtask

  // In every second reset a beat is offered with tlast, and taken from the output, which must be ignored.
  task automatic reset;
    s_axis_tvalid_i = phase % 2 == 1;
    s_axis_tlast_i = 1'b1;
    m_axis_tready_i = s_axis_tvalid_i;
    rst_i = 1'b1;
    edges();
    rst_i = 1'b0;
    written_0 = 0;
    read_0 = 0;
    open_0 = 1'b0;
    decided_0 = 1'b0;
    entered = 1'b0;
    flight = '0;
    stored = 0;
    due = 1'b0;
    freed = 1'b0;
    places = 0;
    full = 1'b0;
    taken = 0;
    left = 0;
    in_set = 0;
    in_place = 0;
    out_set = 0;
    out_place = 0;
    first_in = -1;
    first_out = -1;
    offering = 1'b0;
    waiting = 1'b0;
  endtask

  // Compares the beat at the output with the one that is due.
  task automatic compare;
    for (int lane = 0; lane < Lanes; lane++) begin
      automatic int source = int'(sources[out_place * Lanes + lane]);
      automatic logic [WidthBits-1:0] wanted = sent_word(out_set, source);
      if (got[lane*WidthBits +: WidthBits] !== wanted) begin
        fail($sformatf("data set %0d, place %0d: got %h, expected %h (word %0d of the input)", out_set,
                       out_place * Lanes + lane, got[lane*WidthBits +: WidthBits], wanted, source));
      end
    end
    if (m_axis_tlast_o !== (out_place == cycles_of(out_set) - 1)) fail("m_axis_tlast_o is wrong");
    if (beats_file != 0 && phase < Recorded) begin
      $fwrite(beats_file, "%0d,%0d,%0d,%h\n", phase, cycle_number, m_axis_tlast_o, got);
    end
  endtask

  // The next beat goes in, or comes out.
  task automatic count_in;
    taken++;
    in_place++;
    if (in_place == cycles_of(in_set)) begin
      in_place = 0;
      in_set++;
    end
  endtask

  task automatic count_out;
    left++;
    if (phase < Recorded) total++;
    out_place++;
    if (out_place == cycles_of(out_set)) begin
      out_place = 0;
      out_set++;
    end
  endtask

  // One clock cycle of a phase; of 256 cycles the sender offers a beat in `offers`, and the receiver is ready in `takes`.
  task automatic cycle;
    random = draw();
    if (taken < beats && int'(random[7:0]) < offers) offering = 1'b1;
    m_axis_tready_i = int'(random[15:8]) < takes;
    s_axis_tvalid_i = offering;
    // Where no beat is offered, tlast is wrong.
    s_axis_tlast_i = (in_place == cycles_of(in_set) - 1) == offering;
    for (int lane = 0; lane < Lanes; lane++) begin
      sent[lane*WidthBits +: WidthBits] = sent_word(in_set, in_place * Lanes + lane);
    end
    #4;
    if ((s_axis_tready_o ^ m_axis_tvalid_o ^ error_o) === 1'bx) begin
      fail($sformatf("s_axis_tready_o %b, m_axis_tvalid_o %b or error_o %b is unknown",
                     s_axis_tready_o, m_axis_tvalid_o, error_o));
    end
    if (error_o !== 1'b0) fail("error_o is high, but every tlast is in its place");
    if (s_axis_tready_o !== (!full)) fail($sformatf("s_axis_tready_o is %b, but %0d places were taken", s_axis_tready_o, places));
    if (m_axis_tvalid_o !== due) fail($sformatf("m_axis_tvalid_o is %b, expected %b", m_axis_tvalid_o, due));
    if (waiting && (m_axis_tvalid_o !== 1'b1 || got !== shown || m_axis_tlast_o !== shown_last)) begin
      fail("a beat was offered and then withdrawn or changed");
    end
    waiting = m_axis_tvalid_o === 1'b1 && !m_axis_tready_i;
    shown = got;
    shown_last = m_axis_tlast_o;
    if (m_axis_tvalid_o === 1'b1 && m_axis_tready_i) begin
      if (first_out < 0) first_out = cycle_number;
      compare();
      count_out();
    end
    if (s_axis_tvalid_i && s_axis_tready_o === 1'b1) begin
      if (first_in < 0) first_in = cycle_number;
      offering = 1'b0;
      count_in();
    end
    advance_model(s_axis_tvalid_i && s_axis_tready_o === 1'b1);
    edges();
    cycle_number++;
  endtask

  // A phase: until all beats have left or, if `cut` is not negative, until so many were taken.
  task automatic run;
    bit ended;
    reset();
    cycle_number = 0;
    random = seed;
    ended = 1'b0;
    while (!ended && cycle_number < limit && errors < MaxPrinted) begin
      cycle();
      ended = cut < 0 ? left == beats : taken >= cut;
    end
    if (!ended) fail($sformatf("only %0d of %0d beats left in time", left, beats));
    if (offers == 256 && takes == 256 && cut < 0) begin
      if (first_out - first_in != Latency) begin
        fail($sformatf("latency %0d, expected %0d", first_out - first_in, Latency));
      end
      if (cycle_number - first_out != beats) fail("the beats did not leave one in every cycle");
    end
    // No beat follows the last one.
    if (cut < 0) repeat (2 * Flight) cycle();
    phase++;
  endtask

  // A tlast that comes early, or does not come in the last beat of a data set, raises error_o.
  task automatic wrong_last(input bit early);
    reset();
    cycle_number = 0;
    m_axis_tready_i = 1'b1;
    s_axis_tvalid_i = 1'b1;
    sent = '0;
    while (taken < (early ? 1 : cycles_of(0)) && errors < MaxPrinted) begin
      s_axis_tlast_i = early;
      #4;
      if (error_o !== 1'b0) fail("error_o is high too early");
      if (s_axis_tready_o === 1'b1) taken++;
      edges();
      cycle_number++;
    end
    s_axis_tvalid_i = 1'b0;
    // Through the register at the input.
    edges();
    #4;
    if (error_o !== 1'b1) fail("error_o is low, but tlast was in the wrong place");
    repeat (3) edges();
    #4;
    if (error_o !== 1'b1) fail("error_o did not stay");
    phase++;
  endtask
  initial begin
    if ($value$plusargs("data=%s", data_dir) == 0) data_dir = ".";
    // Of a missing or short file $readmemh only warns.
    for (int place = 0; place < Words; place++) sources[place] = '1;
    $readmemh({data_dir, "/transpose_8x8_p4_w8_sources.memh"}, sources);
    beats_file = 0;
    if ($value$plusargs("beats=%s", beats_name) != 0) begin
      beats_file = $fopen(beats_name, "w");
      if (beats_file == 0) give_up({"cannot write ", beats_name});
      $fdisplay(beats_file, "phase,cycle,last,data");
    end
    if ($value$plusargs("wave=%s", wave_name) != 0) begin
      $dumpfile(wave_name);
      $dumpvars(0, tb_transpose_8x8_p4_w8);
    end
    clk_i = 1'b0;
    phase = 0;
    kind = 0;
    cycle_number = 0;
    clocks = 0;
    errors = 0;
    total = 0;
    sent = '0;
    s_axis_tlast_i = 1'b0;
    for (int at = 0; at < 120; at++) begin
      case (at)
        0: begin
          beats = 32;
          cut = 24;
          offers = 160;
          takes = 144;
          limit = 1293;
          seed = 32'h2545f491;
          kind = 0;
        end
        1: begin
          beats = 32;
          cut = 16;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'hbb728d28;
          kind = 0;
        end
        2: begin
          beats = 32;
          cut = 17;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h192b07e3;
          kind = 0;
        end
        3: begin
          beats = 32;
          cut = 18;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'hffe399ba;
          kind = 0;
        end
        4: begin
          beats = 32;
          cut = 19;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h5d981275;
          kind = 0;
        end
        5: begin
          beats = 32;
          cut = 20;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h3250940c;
          kind = 0;
        end
        6: begin
          beats = 32;
          cut = 21;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h90092ec7;
          kind = 0;
        end
        7: begin
          beats = 32;
          cut = 22;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h76c1a09e;
          kind = 0;
        end
        8: begin
          beats = 32;
          cut = 23;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'hd4fe3959;
          kind = 0;
        end
        9: begin
          beats = 32;
          cut = 24;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'haab6b310;
          kind = 0;
        end
        10: begin
          beats = 32;
          cut = 25;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h0b6f35ab;
          kind = 0;
        end
        11: begin
          beats = 32;
          cut = 26;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'he927ce62;
          kind = 0;
        end
        12: begin
          beats = 32;
          cut = 27;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h4fdc403d;
          kind = 0;
        end
        13: begin
          beats = 32;
          cut = 28;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h2d94daf4;
          kind = 0;
        end
        14: begin
          beats = 32;
          cut = 29;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h824d5c8f;
          kind = 0;
        end
        15: begin
          beats = 32;
          cut = 30;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h6005d546;
          kind = 0;
        end
        16: begin
          beats = 32;
          cut = 31;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'hc6326f01;
          kind = 0;
        end
        17: begin
          beats = 80;
          cut = 80;
          offers = 256;
          takes = 24;
          limit = 4296;
          seed = 32'ha4eae1d8;
          kind = 0;
        end
        18: begin
          beats = 64;
          cut = -1;
          offers = 160;
          takes = 144;
          limit = 1464;
          seed = 32'h3aa37b93;
          kind = 0;
        end
        19: begin
          beats = 64;
          cut = -1;
          offers = 256;
          takes = 256;
          limit = 1261;
          seed = 32'h9b5bfc2a;
          kind = 0;
        end
        20: begin
          beats = 64;
          cut = -1;
          offers = 256;
          takes = 80;
          limit = 1835;
          seed = 32'h791076e5;
          kind = 0;
        end
        21: begin
          beats = 64;
          cut = -1;
          offers = 144;
          takes = 152;
          limit = 1464;
          seed = 32'hdfc908bc;
          kind = 0;
        end
        22: begin
          beats = 1024;
          cut = -1;
          offers = 144;
          takes = 152;
          limit = 6584;
          seed = 32'hbd818177;
          kind = 0;
        end
        23: begin
          beats = 1024;
          cut = -1;
          offers = 160;
          takes = 144;
          limit = 6584;
          seed = 32'h13be1b0e;
          kind = 0;
        end
        24: begin
          beats = 1024;
          cut = -1;
          offers = 128;
          takes = 128;
          limit = 7282;
          seed = 32'hf0769dc9;
          kind = 0;
        end
        25: begin
          beats = 256;
          cut = -1;
          offers = 256;
          takes = 24;
          limit = 9928;
          seed = 32'h562f1780;
          kind = 0;
        end
        26: begin
          beats = 2048;
          cut = -1;
          offers = 256;
          takes = 256;
          limit = 7213;
          seed = 32'h34e7a85b;
          kind = 1;
        end
        27: begin
          beats = 2048;
          cut = -1;
          offers = 128;
          takes = 128;
          limit = 13426;
          seed = 32'h8a9c2212;
          kind = 2;
        end
        28: begin
          beats = 32;
          cut = 16;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h6b54a4ad;
          kind = 0;
        end
        29: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'hc90d3d64;
          kind = 0;
        end
        30: begin
          beats = 32;
          cut = 17;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'hafc5b73f;
          kind = 0;
        end
        31: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h0df249f6;
          kind = 0;
        end
        32: begin
          beats = 32;
          cut = 18;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'he3aac3b1;
          kind = 0;
        end
        33: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h40634448;
          kind = 0;
        end
        34: begin
          beats = 32;
          cut = 19;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h261bde03;
          kind = 0;
        end
        35: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h84d050da;
          kind = 0;
        end
        36: begin
          beats = 32;
          cut = 20;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h1a88ea95;
          kind = 0;
        end
        37: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'hfb41632c;
          kind = 0;
        end
        38: begin
          beats = 32;
          cut = 21;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h5979e5e7;
          kind = 0;
        end
        39: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h3f367fbe;
          kind = 0;
        end
        40: begin
          beats = 32;
          cut = 22;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h9deef079;
          kind = 0;
        end
        41: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h73a78a30;
          kind = 0;
        end
        42: begin
          beats = 32;
          cut = 23;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'hd05c0ccb;
          kind = 0;
        end
        43: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'hb6148682;
          kind = 0;
        end
        44: begin
          beats = 32;
          cut = 24;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h14cd1f5d;
          kind = 0;
        end
        45: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'hea859114;
          kind = 0;
        end
        46: begin
          beats = 32;
          cut = 25;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h48b22baf;
          kind = 0;
        end
        47: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h296aac66;
          kind = 0;
        end
        48: begin
          beats = 32;
          cut = 26;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h8f232621;
          kind = 0;
        end
        49: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h6ddbb8f8;
          kind = 0;
        end
        50: begin
          beats = 32;
          cut = 27;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'hc39032b3;
          kind = 0;
        end
        51: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'ha048cb4a;
          kind = 0;
        end
        52: begin
          beats = 32;
          cut = 28;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h06014d05;
          kind = 0;
        end
        53: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'he439c7dc;
          kind = 0;
        end
        54: begin
          beats = 32;
          cut = 29;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h7af65997;
          kind = 0;
        end
        55: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'hd8aed22e;
          kind = 0;
        end
        56: begin
          beats = 32;
          cut = 30;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'hb96754e9;
          kind = 0;
        end
        57: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h1f1feea0;
          kind = 0;
        end
        58: begin
          beats = 32;
          cut = 31;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'hfdd4677b;
          kind = 0;
        end
        59: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h538cf932;
          kind = 0;
        end
        60: begin
          beats = 48;
          cut = 32;
          offers = 256;
          takes = 256;
          limit = 1213;
          seed = 32'h304573cd;
          kind = 0;
        end
        61: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h967df584;
          kind = 0;
        end
        62: begin
          beats = 48;
          cut = 33;
          offers = 256;
          takes = 256;
          limit = 1213;
          seed = 32'h742a8e5f;
          kind = 0;
        end
        63: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'hcae30016;
          kind = 0;
        end
        64: begin
          beats = 48;
          cut = 34;
          offers = 256;
          takes = 256;
          limit = 1213;
          seed = 32'ha89b9ad1;
          kind = 0;
        end
        65: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h09501368;
          kind = 0;
        end
        66: begin
          beats = 48;
          cut = 35;
          offers = 256;
          takes = 256;
          limit = 1213;
          seed = 32'hef089523;
          kind = 0;
        end
        67: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h4dc12ffa;
          kind = 0;
        end
        68: begin
          beats = 48;
          cut = 36;
          offers = 256;
          takes = 256;
          limit = 1213;
          seed = 32'h23f9a1b5;
          kind = 0;
        end
        69: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h81b63a4c;
          kind = 0;
        end
        70: begin
          beats = 48;
          cut = 37;
          offers = 256;
          takes = 256;
          limit = 1213;
          seed = 32'h666ebc07;
          kind = 0;
        end
        71: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'hc42736de;
          kind = 0;
        end
        72: begin
          beats = 48;
          cut = 38;
          offers = 256;
          takes = 256;
          limit = 1213;
          seed = 32'h5adfc899;
          kind = 0;
        end
        73: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h38944150;
          kind = 0;
        end
        74: begin
          beats = 48;
          cut = 39;
          offers = 256;
          takes = 256;
          limit = 1213;
          seed = 32'h994cdbeb;
          kind = 0;
        end
        75: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h7f055da2;
          kind = 0;
        end
        76: begin
          beats = 48;
          cut = 40;
          offers = 256;
          takes = 256;
          limit = 1213;
          seed = 32'hdd3dd67d;
          kind = 0;
        end
        77: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'hb3ea6834;
          kind = 0;
        end
        78: begin
          beats = 48;
          cut = 41;
          offers = 256;
          takes = 256;
          limit = 1213;
          seed = 32'h11a2e2cf;
          kind = 0;
        end
        79: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'hf65b6486;
          kind = 0;
        end
        80: begin
          beats = 32;
          cut = 26;
          offers = 256;
          takes = 24;
          limit = 2760;
          seed = 32'h5413fd41;
          kind = 0;
        end
        81: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h2ac87718;
          kind = 0;
        end
        82: begin
          beats = 32;
          cut = 27;
          offers = 256;
          takes = 24;
          limit = 2760;
          seed = 32'h888109d3;
          kind = 0;
        end
        83: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h6eb9826a;
          kind = 0;
        end
        84: begin
          beats = 32;
          cut = 28;
          offers = 256;
          takes = 24;
          limit = 2760;
          seed = 32'hcf760425;
          kind = 0;
        end
        85: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'had2e9efc;
          kind = 0;
        end
        86: begin
          beats = 32;
          cut = 29;
          offers = 256;
          takes = 24;
          limit = 2760;
          seed = 32'h03e710b7;
          kind = 0;
        end
        87: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'he19fa94e;
          kind = 0;
        end
        88: begin
          beats = 32;
          cut = 30;
          offers = 256;
          takes = 24;
          limit = 2760;
          seed = 32'h46542309;
          kind = 0;
        end
        89: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h240ca5c0;
          kind = 0;
        end
        90: begin
          beats = 32;
          cut = 31;
          offers = 256;
          takes = 24;
          limit = 2760;
          seed = 32'hbac53f9b;
          kind = 0;
        end
        91: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h18fdb052;
          kind = 0;
        end
        92: begin
          beats = 48;
          cut = 32;
          offers = 256;
          takes = 24;
          limit = 3272;
          seed = 32'hfeaa4aed;
          kind = 0;
        end
        93: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h5f62cca4;
          kind = 0;
        end
        94: begin
          beats = 48;
          cut = 33;
          offers = 256;
          takes = 24;
          limit = 3272;
          seed = 32'h3d1b457f;
          kind = 0;
        end
        95: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h93d3df36;
          kind = 0;
        end
        96: begin
          beats = 48;
          cut = 34;
          offers = 256;
          takes = 24;
          limit = 3272;
          seed = 32'h718851f1;
          kind = 0;
        end
        97: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'hd640eb88;
          kind = 0;
        end
        98: begin
          beats = 48;
          cut = 35;
          offers = 256;
          takes = 24;
          limit = 3272;
          seed = 32'hb4796c43;
          kind = 0;
        end
        99: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h0a31e61a;
          kind = 0;
        end
        100: begin
          beats = 48;
          cut = 36;
          offers = 256;
          takes = 24;
          limit = 3272;
          seed = 32'he8ee78d5;
          kind = 0;
        end
        101: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h4ea6f16c;
          kind = 0;
        end
        102: begin
          beats = 48;
          cut = 37;
          offers = 256;
          takes = 24;
          limit = 3272;
          seed = 32'h2f5f8b27;
          kind = 0;
        end
        103: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h8d140dfe;
          kind = 0;
        end
        104: begin
          beats = 48;
          cut = 38;
          offers = 256;
          takes = 24;
          limit = 3272;
          seed = 32'h63cc87b9;
          kind = 0;
        end
        105: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'hc1851870;
          kind = 0;
        end
        106: begin
          beats = 48;
          cut = 39;
          offers = 256;
          takes = 24;
          limit = 3272;
          seed = 32'ha7bd920b;
          kind = 0;
        end
        107: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h046a14c2;
          kind = 0;
        end
        108: begin
          beats = 48;
          cut = 40;
          offers = 256;
          takes = 24;
          limit = 3272;
          seed = 32'h9a22ae9d;
          kind = 0;
        end
        109: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'h78db2754;
          kind = 0;
        end
        110: begin
          beats = 48;
          cut = 41;
          offers = 256;
          takes = 24;
          limit = 3272;
          seed = 32'hde93b9ef;
          kind = 0;
        end
        111: begin
          beats = 16;
          cut = -1;
          offers = 236;
          takes = 220;
          limit = 1136;
          seed = 32'hbf4833a6;
          kind = 0;
        end
        112: begin
          beats = 32;
          cut = 24;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h1d00b461;
          kind = 0;
        end
        113: begin
          beats = 32;
          cut = -1;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'hf3394e38;
          kind = 0;
        end
        114: begin
          beats = 32;
          cut = 29;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h51f1c0f3;
          kind = 0;
        end
        115: begin
          beats = 32;
          cut = -1;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h37ae5a8a;
          kind = 0;
        end
        116: begin
          beats = 48;
          cut = 35;
          offers = 256;
          takes = 256;
          limit = 1213;
          seed = 32'h9466d345;
          kind = 0;
        end
        117: begin
          beats = 32;
          cut = -1;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'h6a1f551c;
          kind = 0;
        end
        118: begin
          beats = 48;
          cut = 41;
          offers = 256;
          takes = 256;
          limit = 1213;
          seed = 32'hc8d7efd7;
          kind = 0;
        end
        default: begin
          beats = 32;
          cut = -1;
          offers = 256;
          takes = 256;
          limit = 1165;
          seed = 32'hae8c606e;
          kind = 0;
        end
      endcase
      run();
    end
    kind = 0;
    wrong_last(1'b1);
    wrong_last(1'b0);
    if (beats_file != 0) $fclose(beats_file);
    if (errors > 0) $display("FAIL transpose_8x8_p4_w8: %0d errors", errors);
    else begin
      $display("PASS transpose_8x8_p4_w8: %0d beats of %0d words, latency %0d",
               total, Lanes, Latency);
    end
    $display("RESULT beats=%0d clocks=%0d errors=%0d", total, clocks, errors);
    if (errors > 0) $fatal(1);
    $finish(0);
  end

  // Programs define FRIT_MADE_FROM when they compile, to identify the sources.
`ifdef FRIT_MADE_FROM
  initial $display("MADE-FROM %h", `FRIT_MADE_FROM);
`endif
endmodule
