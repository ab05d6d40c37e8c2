// An exchange whose `start_i` is wired to its `ready_o`: it never stops. Every word that arrives is the one that was sent so many
// cycles before, and a run of EXCHANGES takes as long as the period says. Words are numbers that are different in every cycle.
`timescale 1ns/1ps
module ties;
  localparam N = 8, W = 16, A = 3, LATENCY = 5, PERIOD = 8, EXCHANGES = 40;
  reg clk = 0, rst = 1;
  always #5 clk = ~clk;
  wire ready, busy, done;
  wire [31:0] cycles;
  wire [N-1:0] asks, comes;
  wire [N*A-1:0] dest, source;
  wire [N*W-1:0] arrived;
  reg [N*W-1:0] words = 0;
  DESIGN dut (
    .clk_i(clk), .rst_i(rst), .start_i(ready), .ready_o(ready), .send_valid_o(asks), .send_dest_o(dest), .send_data_i(words),
    .recv_valid_o(comes), .recv_source_o(source), .recv_data_o(arrived), .busy_o(busy), .done_o(done), .conflict_o(),
    .cycles_o(cycles)
  );
  // What is due at each output, so many cycles from now, from whom.
  reg [W-1:0] due [0:LATENCY][0:N-1];
  reg [A:0] from [0:LATENCY][0:N-1];
  integer lane, later, now = 0, got = 0, ended = 0, wrong = 0, first_done = -1;
  initial begin
    for (later = 0; later <= LATENCY; later = later + 1)
      for (lane = 0; lane < N; lane = lane + 1) from[later][lane] = N;
    repeat (LATENCY + 3) @(negedge clk);
    rst = 0;
    while (ended < EXCHANGES && now < 1000) @(negedge clk);
    if (got != EXCHANGES * N * N || wrong != 0) $display("FAIL: %0d words, %0d wrong", got, wrong);
    else $display("PASS: %0d words in %0d cycles", got, now - first_done);
    $finish;
  end
  always @(negedge clk) for (lane = 0; lane < N; lane = lane + 1) words[lane*W +: W] = now * N + lane;
  always @(posedge clk) if (!rst) begin
    now = now + 1;
    for (lane = 0; lane < N; lane = lane + 1) begin
      if (asks[lane]) begin
        due[LATENCY][dest[lane*A +: A]] = words[lane*W +: W];
        from[LATENCY][dest[lane*A +: A]] = lane;
      end
    end
    for (lane = 0; lane < N; lane = lane + 1) begin
      if (comes[lane] != (from[0][lane] < N)) wrong = wrong + 1;
      else if (comes[lane]) begin
        got = got + 1;
        if (source[lane*A +: A] != from[0][lane] || arrived[lane*W +: W] != due[0][lane]) wrong = wrong + 1;
      end
      for (later = 0; later < LATENCY; later = later + 1) begin
        due[later][lane] = due[later+1][lane];
        from[later][lane] = from[later+1][lane];
      end
      from[LATENCY][lane] = N;
    end
    if (done) begin
      if (first_done < 0) first_done = now;
      ended = ended + 1;
      if (cycles != (LAST) % PERIOD) wrong = wrong + 1;
    end
    if (ended > 0 && !busy) wrong = wrong + 1;
  end
endmodule
