// verilog_format: off
// tb_gsen_n6_w8: self-checking testbench of gsen_n6_w8_exchange.
// Generated; do not edit. Generator: frit generate gsen -n 6 -w 8 --layout files
//
// System               Stage control on the general shuffle-exchange network, any even number of terminals
// Source               All-to-all personalized exchange in general shuffle-exchange networks, sections 3 and 4
// Terminals            6, 1 lane each: lane l belongs to terminal l
// Word                 8 bits
// Fabric               3 stages of 3 switches
// Rounds               8, one a cycle (initiation interval 1)
// Latency              3 cycles from send_data_i to recv_data_o
// Last delivery        cycle 10, together with done_o
// Without a gap        the next exchange begins after 8 cycles
// Runs                 1 prepare runs that carry labels, then the message run
//
// Files read           gsen_n6_w8_payload.memh, ..._schedule.memh, ..._settings.memh
// Plusargs             +data=DIR         folder of these files (default: the current folder)
//                      +settings=FILE    writes the switch settings of the message run as CSV
//                      +states=FILE      writes the settings as CSV: cycle,stage,binary number
//                      +deliveries=FILE  writes the deliveries of the message run as CSV
//                      +received=FILE    writes the received matrix (row = receiver) as CSV
//                      +wave=FILE        dumps everything below tb_gsen_n6_w8; no trials
//                      +stop             stops after the first cycle with an error
//                      +compared         ends after the runs that every engine makes; no trials
//                      +exchanges=K      number of exchanges in the message run, without a gap (default 1)
// Exit status          0 and a line `PASS`, or not 0 and a line `FAIL`; the line `RESULT` is read by programs
//
// Time. Clock period p ends with the p-th rising edge. All signals are sampled just before this edge. Reset
// lasts 5 periods, one idle period follows, then start_i is high for one period, cycle -1;
// cycle 0 presents round 0 to stage 0; two periods lie between the last cycle of a run and cycle 0 of the next.
// The testbench computes what should be under way (the ages of the exchanges) from start_i and rst_i alone. The
// number of clock cycles is limited, so no design can make this testbench hang.
//
// Trials. After these runs come 44 trials, which only this testbench makes: complemented and other
// words, exchanges without a gap and with short gaps, starts that must be ignored, late starts,
// a start in the first idle cycle, a reset of one period in any cycle, and
// lanes that do not send (the valid bits are forced).
`timescale 1ns/1ps

module tb_gsen_n6_w8;
  localparam int Terminals = 6;
  localparam int LanesPerTerminal = 1;
  localparam int Lanes = Terminals * LanesPerTerminal;
  localparam int AddressBits = 3;
  localparam int WidthBits = 8;
  localparam int Stages = 3;
  localparam int SwitchesPerStage = 3;
  localparam int Rounds = 8;
  localparam int Hops = 3;          // stages that every message passes
  localparam int EntryDelay = 0;    // cycles before stage 0
  localparam int Latency = 3;       // cycles from send_data_i to recv_data_o
  localparam int LastCycle = 10;     // cycle of the last delivery of an exchange
  localparam int Period = 8;        // cycles from one exchange to the next without a gap
  localparam int Flights = 2;       // exchanges that can be under way at the same time
  localparam int StartsUntil = Period + 3;   // random starts of a trial come before this cycle
  localparam int ResetPeriods = 5;
  localparam int MessageRun = 1;    // number of the message run; prepare runs come before it
  localparam int Pairs = Terminals * Terminals;
  localparam int DuePairs = 36;    // that the rounds serve
  localparam int EqualRows = 0;   // rows of the payload whose words are all equal
  localparam int LoneTrials = 40;    // number of the first trials, in which all lanes send
  localparam int Trials = 44;
  localparam int LaneBits = $clog2(Lanes);
  localparam int PairBits = $clog2(Pairs);
  localparam int Never = 1 << 30;
  localparam int MaxPrinted = 20;   // errors printed; all are counted

  // ---------------------------------------------------------------- design under test
  bit                               clk_i;
  bit                               rst_i;
  bit                               start_i;
  logic                             ready_o;
  logic [Lanes-1:0]                 send_valid_o;
  logic [Lanes*AddressBits-1:0] send_dest_o;
  logic [Lanes*WidthBits-1:0]   send_data_i;
  logic [Lanes-1:0]                 recv_valid_o;
  logic [Lanes*AddressBits-1:0] recv_source_o;
  logic [Lanes*WidthBits-1:0]   recv_data_o;
  logic                             busy_o;
  logic                             done_o;
  logic                             conflict_o;
  logic [31:0]                      cycles_o;

  gsen_n6_w8_exchange u_exchange (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .start_i       (start_i),
    .ready_o       (ready_o),
    .send_valid_o  (send_valid_o),
    .send_dest_o   (send_dest_o),
    .send_data_i   (send_data_i),
    .recv_valid_o  (recv_valid_o),
    .recv_source_o (recv_source_o),
    .recv_data_o   (recv_data_o),
    .busy_o        (busy_o),
    .done_o        (done_o),
    .conflict_o    (conflict_o),
    .cycles_o      (cycles_o)
  );

  // ---------------------------------------------------------------- tables and state
  // Read from files.
  logic [WidthBits-1:0]        payload  [0:Pairs-1];              // [source * Terminals + destination]
  logic [LaneBits-1:0]         schedule [0:Rounds*Lanes-1];   // [round * Lanes + lane]: output lane
  logic [SwitchesPerStage-1:0] settings [0:Rounds*Hops-1];        // [round * Hops + hop]

  // The testbench's count of runs and cycles. The cycle is -1 while start_i is high, and less than -1 before
  // the first run.
  int run_q;
  int cycle_q;
  // The cycle of each exchange under way, the newest exchange first; -1 for no exchange.
  int age_q [0:Flights-1];
  int begun_q;                  // exchanges begun in this run
  bit forced_q;                 // the valid bits of the fabric are forced
  bit over_q;                   // the last trial has ended
  logic [Lanes-1:0] entering;   // valid bits that enter the fabric while they are forced
  logic [Lanes-1:0] sends_q;    // lanes whose message enters in this cycle, if a round enters

  // Observed in the message run.
  logic [WidthBits-1:0] received [0:Pairs-1];   // [receiver * Terminals + source], the first word that arrived
  bit                   arrived  [0:Pairs-1];   // a message of this source has arrived at this receiver
  bit                   correct  [0:Pairs-1];   // the message arrived at the right time with the right word
  int last_delivery;
  int delivered;
  int duplicates;
  int misrouted;
  int conflicts;
  int noted;                    // number of the exchange whose deliveries are being recorded

  // Built in the prepare runs from the labels that arrive.
  logic [AddressBits-1:0] label_seen [0:Rounds*Terminals-1];   // [round * Terminals + receiver]
  int                     queue      [0:Rounds*Terminals-1];   // [round * Terminals + source]: destination

  // Errors.
  int    errors;
  int    first_error_run;
  int    first_error_cycle;
  string first_error;

  // Plusargs.
  string data_dir;
  string settings_name;
  string states_name;
  string deliveries_name;
  string received_name;
  string wave_name;
  int    settings_file;
  int    states_file;
  int    deliveries_file;
  int    received_file;
  bit    stop_at_error;
  int    exchanges;
  int    compared_periods;
  int    runs;

  // ---------------------------------------------------------------- clock and end of simulation
  initial begin : clock
    clk_i = 1'b0;
    #5;
    for (int period = 0; period < compared_periods || (runs > MessageRun + 1 && !over_q); period++) begin
      clk_i = 1'b1;
      #5 clk_i = 1'b0;
      #5;
      if (stop_at_error && errors > 0) conclude();
    end
    conclude();
  end

  // ---------------------------------------------------------------- stimulus
  initial begin : setup
    rst_i = 1'b1;
    start_i = 1'b0;
    run_q = 0;
    cycle_q = -(ResetPeriods + 2);
    for (int f = 0; f < Flights; f++) age_q[f] = -1;
    begun_q = 0;
    noted = 0;
    forced_q = 1'b0;
    over_q = 1'b0;
    sends_q = '1;
    errors = 0;
    first_error_run = -1;
    first_error_cycle = -1;
    first_error = "";
    last_delivery = -1;
    delivered = 0;
    duplicates = 0;
    misrouted = 0;
    conflicts = 0;
    for (int pair = 0; pair < Pairs; pair++) begin
      arrived[pair] = 1'b0;
      correct[pair] = 1'b0;
    end
    for (int entry = 0; entry < Rounds * Terminals; entry++) begin
      label_seen[entry] = '0;
      queue[entry] = -1;
    end
    stop_at_error = $test$plusargs("stop") != 0;
    runs = MessageRun + 1;
    if ($value$plusargs("exchanges=%d", exchanges) == 0) exchanges = 1;
    if (exchanges < 1 || exchanges > 1000000 / Period) begin
      give_up($sformatf("+exchanges=%0d is out of range; give 1 to %0d", exchanges, 1000000 / Period));
    end
    compared_periods = ResetPeriods + 2 + MessageRun * (LastCycle + 3) + last_of(MessageRun) + 3;
    if ($test$plusargs("compared") == 0 && $test$plusargs("wave=") == 0) runs += Trials;
    load_tables();
    open_outputs();
  end

  always @(posedge clk_i) step();

  task automatic step;
    int run;
    int cycle;
    int age [0:Flights-1];
    int begun;
    bit idle;
    // The exchanges under way in the next cycle.
    begun = begun_q;
    idle = 1'b1;
    for (int f = 0; f < Flights; f++) age[f] = age_q[f] < 0 || age_q[f] == LastCycle ? -1 : age_q[f] + 1;
    if (start_i && takes_start()) begin
      for (int f = Flights - 1; f > 0; f--) age[f] = age[f-1];
      age[0] = 0;
      begun = begun + 1;
    end
    for (int f = 0; f < Flights; f++) begin
      if (rst_i) age[f] = -1;
      if (age[f] >= 0) idle = 1'b0;
    end
    run = run_q;
    cycle = cycle_q + 1;
    if (run_q + 1 < runs && ends()) begin
      run = run_q + 1;
      cycle = at_once(run_q) ? 0 : -1 - idle_before(run);
      begun = at_once(run_q) ? 1 : 0;
    end else if (run_q + 1 < runs && cycle_q == stop_of(run_q)) begin
      run = run_q + 1;   // the reset was high in this cycle
      cycle = -2 - idle_before(run);
      begun = 0;
    end
    run_q <= run;
    cycle_q <= cycle;
    begun_q <= begun;
    for (int f = 0; f < Flights; f++) age_q[f] <= age[f];
    rst_i <= (run_q <= MessageRun && cycle_q < -3) || cycle == stop_of(run);
    start_i <= starts(run, cycle)
               || (idle && cycle >= StartsUntil && at_once(run) && run + 1 < runs);
    sends_q <= senders(run, begun - 1, injected(age[0]));
    forced_q <= run > MessageRun + LoneTrials;
    if (run_q == MessageRun + Trials && (ends() || cycle_q == stop_of(run_q))) over_q <= 1'b1;
  endtask

  // ---------------------------------------------------------------- exchanges under way
  function automatic bit under_way();
    under_way = 1'b0;
    for (int f = 0; f < Flights; f++) if (age_q[f] >= 0) under_way = 1'b1;
  endfunction

  // Whether a start is taken: the last round of the newest exchange has entered.
  function automatic bit takes_start();
    takes_start = age_q[0] < 0 || age_q[0] >= Period - 1;
  endfunction

  // The exchange under way that has a round `delay` cycles behind the inputs; -1 if no exchange has one.
  function automatic int flight_at(input int delay);
    flight_at = -1;
    for (int f = 0; f < Flights; f++) if (age_q[f] >= 0 && injected(age_q[f] - delay) >= 0) flight_at = f;
  endfunction

  // The round `delay` cycles behind the inputs; -1 if there is no such round.
  function automatic int round_at(input int delay);
    int flight;
    flight = flight_at(delay);
    round_at = flight < 0 ? -1 : injected(age_q[flight] - delay);
  endfunction

  // The last cycle of a run that every engine makes.
  function automatic int last_of(input int run);
    last_of = run == MessageRun ? LastCycle + (exchanges - 1) * Period : LastCycle;
  endfunction

  // Whether a run is over in this cycle.
  function automatic bit ends();
    ends = run_q <= MessageRun ? cycle_q == last_of(run_q) + 1 : cycle_q >= StartsUntil && !under_way();
  endfunction

  // ---------------------------------------------------------------- trials
  // A random generator that gives the same numbers under every simulator.
  function automatic logic [31:0] mix(input int a, input int b, input int c);
    mix = (32'(a) + 1) * 32'd2654435761 + (32'(b) + 1) * 32'd2246822519 + (32'(c) + 1) * 32'd3266489917;
    mix = (mix ^ (mix >> 15)) * 32'd2246822519;
    mix = (mix ^ (mix >> 13)) * 32'd3266489917;
    mix = mix ^ (mix >> 16);
  endfunction

  function automatic int idle_before(input int run);
    idle_before = run > MessageRun ? (run - MessageRun) % 4 : 0;
  endfunction

  // The cycle of a trial in which reset is high; Never if the trial runs to its end.
  function automatic int stop_of(input int run);
    int trial;
    trial = run - MessageRun - 1;
    stop_of = Never;
    // Each cycle of two exchanges is used in some trial, followed by a whole run.
    if (trial >= 2 && trial < LoneTrials && trial % 2 == 0) stop_of = (trial - 2) / 2;
  endfunction

  // The next run starts in the first idle cycle.
  function automatic bit at_once(input int run);
    at_once = run == MessageRun + 1;
  endfunction

  // The only start after the starts that must be ignored. Each cycle from the last round to done_o
  // is used in some trial.
  function automatic int late_start(input int run);
    late_start = LastCycle - ((run - MessageRun) / 8 * 2 + (run - MessageRun) / 2 % 2) % (LastCycle - Period + 2);
  endfunction

  // start_i is high in cycle -1, and for the next exchange of a message run. In trials it is high
  // throughout, so that the next exchange follows without a gap, or at random, or only where it must
  // be ignored, or never; a late start may follow.
  function automatic bit starts(input int run, input int cycle);
    starts = cycle == -1;
    if (run == MessageRun && cycle > 0) starts = (cycle + 1) % Period == 0 && (cycle + 1) / Period < exchanges;
    if (run > MessageRun && cycle >= 0) begin
      case (stop_of(run) != Never ? 0 : (run - MessageRun) / 2 % 4)
        0: starts = cycle < StartsUntil;
        1: starts = cycle < StartsUntil && ^mix(run, cycle, 0);
        2: starts = cycle < Period - 1 ? ^mix(run, cycle, 0) : cycle == late_start(run);
        default: starts = cycle == late_start(run);
      endcase
    end
  endfunction

  // The lanes that send in a round: all lanes; only some in later trials.
  function automatic logic [Lanes-1:0] senders(input int run, input int exchange, input int round);
    senders = '1;
    if (run > MessageRun + LoneTrials) begin
      // verilator unroll_disable
      for (int lane = 0; lane < Lanes; lane++) begin
        senders[lane] = ^mix(run, exchange * Rounds + round, lane);
      end
    end
  endfunction

  // The valid bits that enter the fabric.
  assign entering = injected(age_q[0]) >= 0 ? sends_q : '0;

  // Forces in the middle of a period. The force is never released and keeps the correct values, because
  // releases of inputs take effect at different times in different simulators.
  always @(negedge clk_i) begin : force_valid
    if (forced_q) force u_exchange.u_fabric.valid_i = entering;
  end

  // The word is requested and given in the same cycle; run_q changes only while nothing is sent. (With a loop
  // in an always_comb, Icarus would wait for every word of the payload: minutes at N = 256.)
  assign send_data_i = words_to_send(send_valid_o & sends_q, send_dest_o, begun_q - 1);

  function automatic logic [Lanes*WidthBits-1:0] words_to_send(
      input logic [Lanes-1:0] valid, input logic [Lanes*AddressBits-1:0] dest, input int exchange);
    words_to_send = '0;
    // verilator unroll_disable
    for (int lane = 0; lane < Lanes; lane++) begin
      if (valid[lane] === 1'b1) begin
        words_to_send[lane*WidthBits +: WidthBits] =
            word_of(lane / LanesPerTerminal, int'(dest[lane*AddressBits +: AddressBits]), exchange);
      end
    end
  endfunction

  // The word that `source` sends to `dest` in an exchange of this run.
  function automatic logic [WidthBits-1:0] word_of(input int source, input int dest, input int exchange);
    // A prepare run carries WidthBits bits of the source's label (its number), lowest bits first.
    if (run_q < MessageRun) word_of = WidthBits'(source >> (run_q * WidthBits));
    else word_of = message(source, dest, exchange);
  endfunction

  // The word of the payload; in trials, in turn, its complement and unrelated words.
  function automatic logic [WidthBits-1:0] message(input int source, input int dest, input int exchange);
    message = payload[source*Terminals+dest];
    if (run_q > MessageRun) begin
      message = (run_q - MessageRun + exchange) % 2 == 1
          ? ~message : WidthBits'({(WidthBits + 31) / 32{mix(run_q, source + exchange * Terminals, dest)}});
    end
  endfunction

  // ---------------------------------------------------------------- checks
  always @(posedge clk_i) begin : check
    if (cycle_q >= -2 || run_q > MessageRun) begin   // reset is over
      check_controller();
      check_send();
      check_receive();
      if (!forced_q) check_settings();
      if (run_q <= MessageRun && ends()) check_run();
    end
  end

  task automatic check_controller;
    bit busy;
    bit done;
    bit ready;
    busy = under_way();
    done = 1'b0;
    for (int f = 0; f < Flights; f++) if (age_q[f] == LastCycle) done = 1'b1;
    ready = takes_start();
    if (busy_o !== busy) fail($sformatf("busy_o is %b, expected %b", busy_o, busy));
    if (done_o !== done) fail($sformatf("done_o is %b, expected %b", done_o, done));
    if (ready_o !== ready) fail($sformatf("ready_o is %b, expected %b", ready_o, ready));
    if (conflict_o !== 1'b0) begin
      fail($sformatf("conflict_o is %b, expected 0", conflict_o));
      if (run_q == MessageRun) conflicts += 1;
    end
    if (cycles_o !== (age_q[0] < 0 ? 0 : age_q[0])) begin
      fail($sformatf("cycles_o is %0d, expected %0d", cycles_o, age_q[0] < 0 ? 0 : age_q[0]));
    end
  endtask

  // The round that is injected in a cycle of an exchange; -1 if no round is injected.
  function automatic int injected(input int cycle);
    injected = cycle >= 0 && cycle < Rounds ? cycle : -1;
  endfunction

  // The round that is injected next; the first round if the exchange has no more rounds.
  function automatic int upcoming(input int cycle);
    upcoming = -1;
    for (int later = cycle; upcoming < 0 && later < LastCycle; later++) upcoming = injected(later);
    if (upcoming < 0) upcoming = 0;
  endfunction

  task automatic check_send;
    int round;
    bit sending;
    int idle_round;
    int want;
    logic [AddressBits-1:0] dest;
    round = injected(age_q[0]);
    sending = round >= 0;
    idle_round = sending || age_q[0] < 0 ? 0 : upcoming(age_q[0]);
    // verilator unroll_disable
    for (int lane = 0; lane < Lanes; lane++) begin
      dest = send_dest_o[lane*AddressBits +: AddressBits];
      // A simulator may carry a forced bit back to the output that drives it.
      if (send_valid_o[lane] !== sending && !(forced_q && send_valid_o[lane] === (sending && sends_q[lane]))) begin
        fail($sformatf("lane %0d: send_valid_o is %b, expected %b", lane, send_valid_o[lane], sending));
      end else if (!sending) begin
        want = int'(schedule[idle_round*Lanes+lane]) / LanesPerTerminal;
        if (dest !== AddressBits'(want)) begin
          fail($sformatf("lane %0d, idle: send_dest_o is %0d, expected %0d", lane, dest, want));
        end
      end else begin
        want = int'(schedule[round*Lanes+lane]) / LanesPerTerminal;
        if (dest !== AddressBits'(want)) begin
          fail($sformatf("lane %0d, round %0d: send_dest_o is %0d, expected %0d by the schedule",
                         lane, round, dest, want));
        end
        want = queue[round*Terminals+lane];
        if (run_q >= MessageRun && want < 0) begin
          fail($sformatf("lane %0d, round %0d: send_dest_o is %0d, but this lane's label did not arrive",
                         lane, round, dest));
        end else if (run_q >= MessageRun && dest !== AddressBits'(want)) begin
          fail($sformatf("lane %0d, round %0d: send_dest_o is %0d, expected %0d by the labels that arrived",
                         lane, round, dest, want));
        end
      end
    end
  endtask

  task automatic check_receive;
    int round;
    int shown;   // the round whose sources are shown; while idle, the next round
    bit receiving;
    logic [Lanes-1:0] sent;
    int due [0:Lanes-1];   // the lane whose message is due at each output lane
    int lane;
    int flight;
    int exchange;
    flight = flight_at(Latency);
    receiving = flight >= 0;
    round = receiving ? injected(age_q[flight] - Latency) : -1;
    exchange = begun_q - 1 - flight;
    shown = receiving ? round : 0;
    // The oldest exchange has the next round.
    if (!receiving) for (int f = 0; f < Flights; f++) if (age_q[f] >= 0) shown = upcoming(age_q[f] - Latency);
    sent = senders(run_q, exchange, round);
    // verilator unroll_disable
    for (int i = 0; i < Lanes; i++) begin
      due[schedule[shown*Lanes+i]] = i;
    end
    // verilator unroll_disable
    for (int i = 0; i < Lanes; i++) begin
      lane = in_order(i);
      if (receiving && sent[due[lane]]) check_delivery(lane, due[lane] / LanesPerTerminal, round, exchange);
      else if (recv_valid_o[lane] !== 1'b0) extra_delivery(lane, round, exchange);
      else if (!receiving) check_idle_output(lane, due[lane] / LanesPerTerminal);
    end
  endtask

  // If two messages arrive at the same terminal, the message with the lower source comes first.
  function automatic int in_order(input int lane);
    in_order = lane;
  endfunction

  task automatic check_delivery(input int lane, input int due, input int round, input int exchange);
    logic [AddressBits-1:0] source;
    logic [WidthBits-1:0]   word;
    logic [WidthBits-1:0]   want;
    bit                     right;
    source = recv_source_o[lane*AddressBits +: AddressBits];
    word = recv_data_o[lane*WidthBits +: WidthBits];
    want = word_of(due, lane / LanesPerTerminal, exchange);
    right = source === AddressBits'(due) && word === want;
    if (recv_valid_o[lane] === 1'b0) begin
      fail($sformatf("output %0d, round %0d: missing delivery from source %0d", lane, round, due));
    end else if (recv_valid_o[lane] !== 1'b1) begin
      fail($sformatf("output %0d, round %0d: recv_valid_o is %b, expected 1",
                     lane, round, recv_valid_o[lane]));
    end else begin
      if (source !== AddressBits'(due)) begin
        fail($sformatf("output %0d, round %0d: recv_source_o is %0d, expected %0d",
                       lane, round, source, due));
      end
      if (word !== want) begin
        fail($sformatf("output %0d, round %0d: %s %h from source %0d, expected %h",
                       lane, round, run_q < MessageRun ? "label" : "word", word, source, want));
      end
      if (run_q == MessageRun) note_delivery(lane / LanesPerTerminal, source, word, round, exchange, right);
      else if (run_q < MessageRun) note_label(lane, word, round);
    end
  endtask

  task automatic check_idle_output(input int lane, input int want);
    logic [AddressBits-1:0] source;
    source = recv_source_o[lane*AddressBits +: AddressBits];
    if (source !== AddressBits'(want)) begin
      fail($sformatf("output %0d, idle: recv_source_o is %0d, expected %0d", lane, source, want));
    end
    // While nothing is sent, zeros enter. No reset has stopped an exchange.
    if (run_q <= MessageRun && recv_data_o[lane*WidthBits +: WidthBits] !== '0) begin
      fail($sformatf("output %0d, idle: recv_data_o is %h, expected 0", lane,
                     recv_data_o[lane*WidthBits +: WidthBits]));
    end
  endtask

  task automatic extra_delivery(input int lane, input int round, input int exchange);
    logic [AddressBits-1:0] source;
    logic [WidthBits-1:0]   word;
    source = recv_source_o[lane*AddressBits +: AddressBits];
    word = recv_data_o[lane*WidthBits +: WidthBits];
    if (recv_valid_o[lane] === 1'b1) begin
      fail($sformatf("output %0d: extra delivery of %h from source %0d", lane, word, source));
      if (run_q == MessageRun) note_delivery(lane / LanesPerTerminal, source, word, round, exchange, 1'b0);
    end else begin
      fail($sformatf("output %0d: recv_valid_o is %b, expected 0", lane, recv_valid_o[lane]));
    end
  endtask

  // Stage s acts on round k in cycle k + EntryDelay + s.
  task automatic check_settings;
    int round;
    int hop;
    logic [SwitchesPerStage-1:0] state;
    logic [SwitchesPerStage-1:0] want;
    // verilator unroll_disable
    for (int stage = 0; stage < Stages; stage++) begin
      round = round_at(EntryDelay + stage);
      hop = stage;
      if (round >= 0) begin
        state = {SwitchesPerStage{u_exchange.u_fabric.stage_i[stage]}};
        want = settings[round*Hops+hop];
        if (state !== want) begin
          // verilator unroll_disable
          for (int i = 0; i < SwitchesPerStage; i++) begin
            if (state[i] !== want[i]) begin
              fail($sformatf("stage %0d, switch %0d, round %0d: state is %b, expected %b",
                             stage, i, round, state[i], want[i]));
            end
          end
        end
        if (settings_file != 0 && run_q == MessageRun) begin
          // verilator unroll_disable
          for (int i = 0; i < SwitchesPerStage; i++) begin
            $fdisplay(settings_file, "%0d,%0d,%0d,%b", cycle_q, stage, i, state[i]);
          end
        end
        if (states_file != 0 && run_q == MessageRun) begin
          $fdisplay(states_file, "%0d,%0d,%b", cycle_q, stage, state);
        end
      end
    end
  endtask

  // Checks the deliveries in the idle period after a run.
  task automatic check_run;
    if (run_q == MessageRun - 1) build_queues();
    if (run_q == MessageRun) begin
      if (delivered != exchanges * DuePairs) begin
        fail($sformatf("%0d pairs delivered, expected %0d", delivered, exchanges * DuePairs));
      end
      if (duplicates != exchanges * (Rounds * Lanes - DuePairs)) begin
        fail($sformatf("%0d duplicates delivered, expected %0d",
                       duplicates, exchanges * (Rounds * Lanes - DuePairs)));
      end
    end
  endtask

  // ---------------------------------------------------------------- observations
  task automatic note_delivery(
      input int receiver, input logic [AddressBits-1:0] source, input logic [WidthBits-1:0] word,
      input int round, input int exchange, input bit right);
    logic [PairBits-1:0] pair;   // index of the pair in received, arrived and correct
    bit                  first;
    // Each exchange delivers every pair.
    if (exchange > noted) begin
      noted = exchange;
      for (int all = 0; all < Pairs; all++) begin
        arrived[all] = 1'b0;
        correct[all] = 1'b0;
      end
    end
    first = 1'b1;
    pair = PairBits'(receiver * Terminals + int'(source));
    if (!$isunknown(source) && int'(source) < Terminals) begin
      first = !arrived[pair];
      if (first) received[pair] = word;
      arrived[pair] = 1'b1;
    end
    last_delivery = cycle_q;
    if (!right) misrouted += 1;
    else if (correct[pair]) duplicates += 1;
    else begin
      correct[pair] = 1'b1;
      delivered += 1;
    end
    if (deliveries_file != 0) begin
      $fdisplay(deliveries_file, "%0d,%0d,%0d,%0d,%b,%h", cycle_q, receiver, source,
                noted * Rounds + round, first, word);
    end
  endtask

  // Prepare run r brings bits r * WidthBits and up of the label.
  task automatic note_label(input int receiver, input logic [WidthBits-1:0] word, input int round);
    for (int i = 0; i < AddressBits; i++) begin
      if (i / WidthBits == run_q) label_seen[round*Terminals+receiver][i] = word[i%WidthBits];
    end
  endtask

  // Output d received label s in round x: source s queues a message for d, to be sent in round x.
  task automatic build_queues;
    int source;
    // verilator unroll_disable
    for (int round = 0; round < Rounds; round++) begin
      // verilator unroll_disable
      for (int receiver = 0; receiver < Terminals; receiver++) begin
        source = int'(label_seen[round*Terminals+receiver]);
        if (source < Terminals) queue[round*Terminals+source] = receiver;
      end
    end
  endtask

  // ---------------------------------------------------------------- files
  // $readmemh only warns of a missing or short file and takes unknown digits and words that are too wide.
  task automatic load_tables;
    string name;
    if ($value$plusargs("data=%s", data_dir) == 0) data_dir = ".";
    name = {data_dir, "/gsen_n6_w8_payload.memh"};
    check_table(name, Pairs, WidthBits);
    $readmemh(name, payload);
    name = {data_dir, "/gsen_n6_w8_schedule.memh"};
    check_table(name, Rounds * Lanes, LaneBits);
    $readmemh(name, schedule);
    name = {data_dir, "/gsen_n6_w8_settings.memh"};
    check_table(name, Rounds * Hops, SwitchesPerStage);
    $readmemh(name, settings);
    check_payload();
  endtask

  // Checks a table: the right number of words, known digits, and no word too wide.
  task automatic check_table(input string name, input int words, input int bits);
    int file;
    int c;
    int found;   // words
    int used;    // bits of the word being read
    bit word;    // within a word
    file = $fopen(name, "r");
    if (file == 0) give_up({"cannot read ", name});
    found = 0;
    used = 0;
    word = 1'b0;
    c = $fgetc(file);
    while (c >= 0) begin
      if (c == 47) begin   // "/": a comment, to the end of the line
        while (c >= 0 && c != 10) c = $fgetc(file);
      end
      if (digit(c) >= 0) begin
        if (!word) found += 1;
        word = 1'b1;
        used = used > 0 ? used + 4 : significant(digit(c));
        if (used > bits) give_up($sformatf("%s: word %0d is wider than %0d bits", name, found - 1, bits));
      end else if (c == 32 || c == 9 || c == 10 || c == 13 || c < 0) begin
        word = 1'b0;
        used = 0;
      end else if (c != 95) begin
        give_up($sformatf("%s: word %0d has the digit %c, expected 0 to 9 and a to f", name, found, 8'(c)));
      end
      if (c >= 0) c = $fgetc(file);
    end
    $fclose(file);
    if (found < words) give_up($sformatf("%s is too short: %0d words, expected %0d", name, found, words));
    if (found > words) give_up($sformatf("%s is too long: %0d words, expected %0d", name, found, words));
  endtask

  function automatic int digit(input int c);
    digit = -1;
    if (c >= 48 && c <= 57) digit = c - 48;        // 0 to 9
    if (c >= 97 && c <= 102) digit = c - 97 + 10;   // a to f
    if (c >= 65 && c <= 70) digit = c - 65 + 10;
  endfunction

  // Bits of a digit without its leading zeros.
  function automatic int significant(input int value);
    significant = value > 7 ? 4 : value > 3 ? 3 : value > 1 ? 2 : value;
  endfunction

  // Rows of equal words would hide messages that are swapped.
  task automatic check_payload;
    int equal;
    bit same;
    equal = 0;
    for (int source = 0; source < Terminals; source++) begin
      same = 1'b1;
      for (int dest = 1; dest < Terminals; dest++) begin
        if (payload[source*Terminals+dest] !== payload[source*Terminals]) same = 1'b0;
      end
      if (same) equal += 1;
    end
    if (equal > EqualRows) begin
      give_up($sformatf("the payload has %0d rows of equal words, expected %0d at most", equal, EqualRows));
    end
  endtask

  task automatic open_outputs;
    settings_file = 0;
    states_file = 0;
    deliveries_file = 0;
    received_file = 0;
    if ($value$plusargs("settings=%s", settings_name) != 0) begin
      settings_file = $fopen(settings_name, "w");
      if (settings_file == 0) give_up({"cannot write ", settings_name});
      $fdisplay(settings_file, "cycle,stage,switch,state");
    end
    if ($value$plusargs("states=%s", states_name) != 0) begin
      states_file = $fopen(states_name, "w");
      if (states_file == 0) give_up({"cannot write ", states_name});
      $fdisplay(states_file, "cycle,stage,states");
    end
    if ($value$plusargs("deliveries=%s", deliveries_name) != 0) begin
      deliveries_file = $fopen(deliveries_name, "w");
      if (deliveries_file == 0) give_up({"cannot write ", deliveries_name});
      $fdisplay(deliveries_file, "cycle,output,source,round,first,payload");
    end
    if ($value$plusargs("received=%s", received_name) != 0) begin
      received_file = $fopen(received_name, "w");
      if (received_file == 0) give_up({"cannot write ", received_name});
    end
    if ($value$plusargs("wave=%s", wave_name) != 0) begin
      $dumpfile(wave_name);
      $dumpvars(0, tb_gsen_n6_w8);
    end
  endtask

  // A word that never arrived is an empty cell.
  task automatic write_received;
    for (int receiver = 0; receiver < Terminals; receiver++) begin
      for (int source = 0; source < Terminals; source++) begin
        if (source > 0) $fwrite(received_file, ",");
        if (arrived[receiver*Terminals+source]) begin
          $fwrite(received_file, "%h", received[receiver*Terminals+source]);
        end
      end
      $fwrite(received_file, "\n");
    end
  endtask

  // ---------------------------------------------------------------- verdict
  // All runs were made and all messages have arrived, whatever other errors were found.
  task automatic check_end;
    if (runs > MessageRun + 1 ? !over_q : run_q < MessageRun || cycle_q <= last_of(MessageRun)) begin
      fail($sformatf("the clock stopped in run %0d of %0d", run_q + 1, runs));
    end
    if (delivered != exchanges * DuePairs) begin
      fail($sformatf("%0d pairs are missing", exchanges * DuePairs - delivered));
    end
  endtask

  task automatic fail(input string text);
    string place;
    place = "";
    if (run_q < MessageRun) place = $sformatf("prepare run %0d: ", run_q);
    if (run_q > MessageRun) place = $sformatf("trial %0d: ", run_q - MessageRun);
    if (errors == 0) begin
      first_error_run = run_q;
      first_error_cycle = cycle_q;
      first_error = {place, text};
    end
    if (errors < MaxPrinted) $display("FAIL: cycle %0d: %s%s", cycle_q, place, text);
    errors += 1;
  endtask

  task automatic give_up(input string text);
    $display("FAIL gsen_n6_w8: %s", text);
    $fatal(1);
  endtask

  task automatic conclude;
    if (!(stop_at_error && errors > 0)) check_end();
    if (received_file != 0) begin
      write_received();
      $fclose(received_file);
    end
    if (settings_file != 0) $fclose(settings_file);
    if (states_file != 0) $fclose(states_file);
    if (deliveries_file != 0) $fclose(deliveries_file);
    if (errors > 0) begin
      $display("FAIL gsen_n6_w8: %0d errors, first at cycle %0d: %s",
               errors, first_error_cycle, first_error);
    end else begin
      $display("PASS gsen_n6_w8: cycles=%0d delivered=%0d duplicates=%0d",
               last_delivery, delivered, duplicates);
    end
    $write("RESULT cycles=%0d delivered=%0d duplicates=%0d missing=%0d misrouted=%0d ",
           last_delivery, delivered, duplicates, exchanges * DuePairs - delivered, misrouted);
    $display("conflicts=%0d errors=%0d first_error_run=%0d first_error_cycle=%0d",
             conflicts, errors, first_error_run, first_error_cycle);
    if (errors > 0) $fatal(1);
    $finish(0);
  endtask

  // Programs define FRIT_MADE_FROM when they compile, to identify the sources.
`ifdef FRIT_MADE_FROM
  initial $display("MADE-FROM %h", `FRIT_MADE_FROM);
`endif
endmodule
