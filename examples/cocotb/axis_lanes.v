// The streams of a D_axis one by one: those of terminal k are lane[k].s_axis_* and lane[k].m_axis_*, with the names that
// cocotbext-axi looks for. The module is the macro DUT, its sizes are parameters.
`timescale 1ns/1ps
`default_nettype none
module axis_lanes #(
  parameter N = 4,   // terminals
  parameter W = 8,   // bits of a word
  parameter A = 2    // bits of a terminal's number
) (
  input  wire        clk,
  input  wire        rst,
  input  wire        start,
  output wire        ready,
  output wire        busy,
  output wire        done,
  output wire [31:0] cycles,
  output wire        missing_o,
  output wire        double_o,
  output wire        unknown_o,
  output wire        length_o,
  output wire        conflict_o
);
  wire [N-1:0]   s_valid, s_ready, s_last, m_valid, m_ready, m_last;
  wire [N*W-1:0] s_data, m_data;
  wire [N*A-1:0] s_dest, m_id;

  genvar k;
  generate
    for (k = 0; k < N; k = k + 1) begin : lane
      reg          s_axis_tvalid;
      wire         s_axis_tready;
      reg  [W-1:0] s_axis_tdata;
      reg  [A-1:0] s_axis_tdest;
      reg          s_axis_tlast;
      wire         m_axis_tvalid;
      reg          m_axis_tready;
      wire [W-1:0] m_axis_tdata;
      wire [A-1:0] m_axis_tid;
      wire         m_axis_tlast;
      assign s_valid[k] = s_axis_tvalid;
      assign s_axis_tready = s_ready[k];
      assign s_data[k*W +: W] = s_axis_tdata;
      assign s_dest[k*A +: A] = s_axis_tdest;
      assign s_last[k] = s_axis_tlast;
      assign m_axis_tvalid = m_valid[k];
      assign m_ready[k] = m_axis_tready;
      assign m_axis_tdata = m_data[k*W +: W];
      assign m_axis_tid = m_id[k*A +: A];
      assign m_axis_tlast = m_last[k];
    end
  endgenerate

  `DUT u_axis (
    .clk_i(clk),
    .rst_i(rst),
    .start_i(start),
    .ready_o(ready),
    .busy_o(busy),
    .done_o(done),
    .cycles_o(cycles),
    .missing_o(missing_o),
    .double_o(double_o),
    .unknown_o(unknown_o),
    .length_o(length_o),
    .conflict_o(conflict_o),
    .s_axis_tvalid_i(s_valid),
    .s_axis_tready_o(s_ready),
    .s_axis_tdata_i(s_data),
    .s_axis_tdest_i(s_dest),
    .s_axis_tlast_i(s_last),
    .m_axis_tvalid_o(m_valid),
    .m_axis_tready_i(m_ready),
    .m_axis_tdata_o(m_data),
    .m_axis_tid_o(m_id),
    .m_axis_tlast_o(m_last)
  );
endmodule
`default_nettype wire
