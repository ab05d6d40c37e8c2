// A behavioural stand-in for @D@_exchange, right by the tables of the testbench, with mistakes to choose from:
// +break=NAME makes one. It shows that the testbench passes a right design and finds every mistake.
// Three modules stand in this file, the settings have no effect in this fabric, and mistakes are single bits.
// verilator lint_off DECLFILENAME
// verilator lint_off UNUSEDSIGNAL
// verilator lint_off UNUSEDPARAM
// verilator lint_off WIDTHEXPAND
module @D@_fabric #(
    parameter int L = @N@,
    parameter int W = @W@,
    parameter int S = @S@,
    parameter int H = @H@
) (
    input  logic           clk_i,
    input  logic           rst_i,
    input  logic [L-1:0]   valid_i,
    input  logic [L*W-1:0] data_i,
@CONTROL_PORTS@
    output logic [L-1:0]   valid_o,
    output logic [L*W-1:0] data_o
);
  logic [L-1:0]   valid_q [0:S];
  logic [L*W-1:0] data_q  [0:S];
  string mistake;
  bit m_late;
  initial begin
    if ($value$plusargs("break=%s", mistake) == 0) mistake = "none";
    m_late = mistake == "late";
  end
  always_ff @(posedge clk_i) begin
    for (int s = 0; s <= S; s++) begin
      valid_q[s] <= rst_i ? '0 : s == 0 ? valid_i : valid_q[s-1];
      data_q[s] <= s == 0 ? data_i : data_q[s-1];
    end
  end
  assign valid_o = m_late ? valid_q[S] : valid_q[S-1];
  assign data_o = m_late ? data_q[S] : data_q[S-1];
endmodule

// Names for what the testbench forces.
module @D@_labels #(
    parameter int L = @N@,
    parameter int B = @S@
) (
    input logic [L-1:0]   valid_i,
    input logic [L*B-1:0] label_i
);
endmodule

module @D@_exchange #(
    parameter int L = @N@,
    parameter int W = @W@,
    parameter int A = @A@,
    parameter int S = @S@,
    parameter int H = @H@,
    parameter int R = @R@
) (
    input  logic           clk_i,
    input  logic           rst_i,
    input  logic           start_i,
    output logic           ready_o,
    output logic [L-1:0]   send_valid_o,
    output logic [L*A-1:0] send_dest_o,
    input  logic [L*W-1:0] send_data_i,
    output logic [L-1:0]   recv_valid_o,
    output logic [L*A-1:0] recv_source_o,
    output logic [L*W-1:0] recv_data_o,
    output logic           busy_o,
    output logic           done_o,
    output logic           conflict_o,
    output logic [31:0]    cycles_o
);
  localparam int Last = S + R - 1;
  logic [A-1:0] schedule [0:R*L-1];
  logic [H-1:0] settings [0:R*S-1];
  string mistake;
  bit m_ready;
  bit m_busy_short;
  bit m_done_late;
  bit m_never_done;
  bit m_done_twice;
  bit m_count;
  bit m_conflict;
  bit m_not_sent;
  bit m_sent_again;
  bit m_wrong_destination;
  bit m_wrong_destination_later;
  bit m_state;
  bit m_dropped;
  bit m_unknown;
  bit m_unknown_idle;
  bit m_extra;
  bit m_word;
  bit m_label;
  bit m_source;
  bit m_swapped;
  initial begin
    if ($value$plusargs("break=%s", mistake) == 0) mistake = "none";
    m_ready = mistake == "ready";
    m_busy_short = mistake == "busy-short";
    m_done_late = mistake == "done-late";
    m_never_done = mistake == "never-done";
    m_done_twice = mistake == "done-twice";
    m_count = mistake == "count";
    m_conflict = mistake == "conflict";
    m_not_sent = mistake == "not-sent";
    m_sent_again = mistake == "sent-again";
    m_wrong_destination = mistake == "wrong-destination";
    m_wrong_destination_later = mistake == "wrong-destination-later";
    m_state = mistake == "state";
    m_dropped = mistake == "dropped";
    m_unknown = mistake == "unknown";
    m_unknown_idle = mistake == "unknown-idle";
    m_extra = mistake == "extra";
    m_word = mistake == "word";
    m_label = mistake == "label";
    m_source = mistake == "source";
    m_swapped = mistake == "swapped";
    $readmemh("@D@_schedule.memh", schedule);
    $readmemh("@D@_settings.memh", settings);
  end

  logic busy_q;
  logic done_q;
  int   cycle_q;
  int   run_q;
  always_ff @(posedge clk_i) begin
    done_q <= busy_q && cycle_q == Last;
    if (rst_i) begin
      busy_q <= 1'b0;
      cycle_q <= 0;
      run_q <= -1;
    end else if (start_i && !busy_q) begin
      busy_q <= 1'b1;
      cycle_q <= 0;
      run_q <= run_q + 1;
    end else if (busy_q) begin
      busy_q <= cycle_q != Last;
      cycle_q <= cycle_q == Last ? 0 : cycle_q + 1;
    end
  end

  logic [L-1:0]   valid;
  logic [L*W-1:0] data;
  logic [S*H-1:0] state;
@CONTROL_WIRES@
  @LABELS@
  @D@_fabric u_fabric (
      .clk_i   (clk_i),
      .rst_i   (rst_i),
      .valid_i (send_valid_o),
      .data_i  (send_data_i),
@CONTROL_CONNECTIONS@
      .valid_o (valid),
      .data_o  (data)
  );

  // It takes no second exchange; the testbench gives it none.
  assign ready_o = (!busy_q || cycle_q @LATE@ R - 1) ^ (m_ready && cycle_q == 2);
  assign busy_o = busy_q && !(m_busy_short && cycle_q == Last);
  assign done_o = m_done_late ? done_q : m_never_done ? 1'b0 :
                  (m_done_twice && cycle_q == Last - 1) || (busy_q && cycle_q == Last);
  assign cycles_o = m_count && cycle_q > 4 ? cycle_q + 1 : cycle_q;
  assign conflict_o = m_conflict && cycle_q == 3;

  logic wrong_destination;
  assign wrong_destination =
      cycle_q == 2 && (m_wrong_destination || (m_wrong_destination_later && run_q == @MESSAGE_RUN@));
  always_comb begin
    for (int i = 0; i < L; i++) begin
      send_valid_o[i] = (busy_q && cycle_q < R && !(m_not_sent && cycle_q == 1 && i == 2)) ||
                        (m_sent_again && busy_q && cycle_q == R && i == 1);
      send_dest_o[i*A +: A] = schedule[(cycle_q < R ? cycle_q : 0) * L + i] ^
                              A'(i == 0 && wrong_destination);
    end
  end

  // Nothing is written twice in one of these blocks: Icarus would wake them again for ever.
  always_comb begin
    for (int s = 0; s < S; s++) begin
      state[s*H +: H] = (busy_q && cycle_q >= s && cycle_q - s < R ? settings[(cycle_q - s) * S + s] : '0) ^
                        (m_state && cycle_q == 3 && s == 1 ? H'(3) : '0);
    end
  end

  // The source of every output in the round that arrives.
  int round;
  logic [A-1:0] source [0:L-1];
  assign round = cycle_q >= S && cycle_q - S < R ? cycle_q - S : 0;
  always_comb begin
    for (int i = 0; i < L; i++) source[schedule[round*L+i]] = A'(i);
  end
  for (genvar o = 0; o < L; o++) begin : gen_output
    logic [A-1:0] other_source;
    logic [W-1:0] other_word;
    logic [W-1:0] word;
    assign other_source = m_source && o == 2 && cycle_q == Last;
    assign other_word = o == 2 && cycle_q == S + 1 && (m_word || (m_label && run_q == 0));
    assign word = data[source[m_swapped && o < 2 ? 1 - o : o]*W +: W];
    assign recv_valid_o[o] =
        cycle_q == S + 2 && o == 1 && m_dropped ? 1'b0 :
        cycle_q == S + 2 && o == 1 && m_unknown ? 1'bx :
        cycle_q == S - 1 && o == 1 && m_unknown_idle ? 1'bx :
        cycle_q == S - 1 && o == 0 && m_extra ? 1'b1 : valid[source[o]];
    assign recv_source_o[o*A +: A] = source[o] ^ other_source;
    assign recv_data_o[o*W +: W] = word ^ other_word;
  end
endmodule
