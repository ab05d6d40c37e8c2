// The parts of a streaming FFT that are not permutations (run.py writes the modules that connect them).
`default_nettype none

// One column of butterflies: of each pair of words a, b of a beat it makes (a + w b) / 2 and (a - w b) / 2, rounded. So no value grows,
// and a transform of L words leaves divided by L. A word has its real part in the low half and its imaginary part in the high half.
module fft_column #(
    parameter LANES = 4,                                // words a beat
    parameter BITS = 16,                                // bits of a part of a word, two's complement
    parameter BEATS = 8,                                // beats of a transform
    parameter [BEATS*LANES*BITS-1:0] TWIDDLES = 0       // w for each beat and pair; BITS - 2 bits are behind the point
) (
    input  wire                    clk_i,
    input  wire                    rst_i,
    input  wire                    s_axis_tvalid_i,
    output wire                    s_axis_tready_o,
    input  wire [2*BITS*LANES-1:0] s_axis_tdata_i,
    input  wire                    s_axis_tlast_i,
    output reg                     m_axis_tvalid_o,
    input  wire                    m_axis_tready_i,
    output reg  [2*BITS*LANES-1:0] m_axis_tdata_o,
    output reg                     m_axis_tlast_o,
    output wire                    error_o  // never high
);
  wire step = s_axis_tvalid_i & s_axis_tready_o;
  wire [$clog2(BEATS)-1:0] beat;
  assign error_o = 1'b0;
  assign s_axis_tready_o = ~m_axis_tvalid_o | m_axis_tready_i;

  fft_count #(.BEATS(BEATS)) u_count (.clk_i(clk_i), .rst_i(rst_i), .step_i(step), .beat_o(beat), .last_o());

  always @(posedge clk_i) begin
    if (rst_i) m_axis_tvalid_o <= 1'b0;
    else if (s_axis_tready_o) m_axis_tvalid_o <= s_axis_tvalid_i;
    if (step) m_axis_tlast_o <= s_axis_tlast_i;
  end

  wire [LANES*BITS-1:0] twiddles = TWIDDLES[beat*LANES*BITS+:LANES*BITS];

  genvar pair;
  generate
    for (pair = 0; pair < LANES / 2; pair = pair + 1) begin : g_pair
      localparam FIRST = 4 * BITS * pair;
      // A product of two parts has 2 * BITS bits; the sum of two of them and of a has two more.
      localparam WIDE = 2 * BITS + 2;
      wire signed [BITS-1:0] a_re = s_axis_tdata_i[FIRST+:BITS];
      wire signed [BITS-1:0] a_im = s_axis_tdata_i[FIRST+BITS+:BITS];
      wire signed [BITS-1:0] b_re = s_axis_tdata_i[FIRST+2*BITS+:BITS];
      wire signed [BITS-1:0] b_im = s_axis_tdata_i[FIRST+3*BITS+:BITS];
      wire signed [BITS-1:0] w_re = twiddles[2*BITS*pair+:BITS];
      wire signed [BITS-1:0] w_im = twiddles[2*BITS*pair+BITS+:BITS];
      // Half a unit of the result rounds it to the nearest.
      wire signed [WIDE-1:0] half = 1 << (BITS - 2);
      wire signed [WIDE-1:0] x_re = {{(WIDE - BITS) {a_re[BITS-1]}}, a_re};
      wire signed [WIDE-1:0] x_im = {{(WIDE - BITS) {a_im[BITS-1]}}, a_im};
      wire signed [WIDE-1:0] y_re = b_re * w_re - b_im * w_im;
      wire signed [WIDE-1:0] y_im = b_re * w_im + b_im * w_re;
      wire signed [WIDE-1:0] sum_re = (x_re <<< (BITS - 2)) + y_re + half;
      wire signed [WIDE-1:0] sum_im = (x_im <<< (BITS - 2)) + y_im + half;
      wire signed [WIDE-1:0] difference_re = (x_re <<< (BITS - 2)) - y_re + half;
      wire signed [WIDE-1:0] difference_im = (x_im <<< (BITS - 2)) - y_im + half;
      always @(posedge clk_i) begin
        if (step) begin
          m_axis_tdata_o[FIRST+:BITS]        <= sum_re[BITS-1+:BITS];
          m_axis_tdata_o[FIRST+BITS+:BITS]   <= sum_im[BITS-1+:BITS];
          m_axis_tdata_o[FIRST+2*BITS+:BITS] <= difference_re[BITS-1+:BITS];
          m_axis_tdata_o[FIRST+3*BITS+:BITS] <= difference_im[BITS-1+:BITS];
        end
      end
    end
  endgenerate
endmodule

// Counts the beats of a data set: which beat this is, and whether it is the last.
module fft_count #(
    parameter BEATS = 8  // a power of two
) (
    input  wire                     clk_i,
    input  wire                     rst_i,
    input  wire                     step_i,
    output reg  [$clog2(BEATS)-1:0] beat_o,
    output wire                     last_o
);
  assign last_o = &beat_o;
  always @(posedge clk_i) begin
    if (rst_i) beat_o <= 0;
    else if (step_i) beat_o <= beat_o + 1'b1;
  end
endmodule

`default_nettype wire
