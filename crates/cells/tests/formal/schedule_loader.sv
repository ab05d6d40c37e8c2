// frit_schedule_loader beside its contract.
module proof #(
  parameter integer Beats = 2,
  parameter integer EntryBits = 4
) (
  input wire clk_i,
  input wire rst_i,
  input wire tvalid_i,
  input wire [EntryBits-1:0] count_i,
  input wire most_i,
  input wire above_i,
  input wire run_i,
  input wire tlast_i,
  input wire take_i
);
  wire tready, bank, full, error, bad, lemma;
  wire [Beats-1:0] write;
  wire [EntryBits-1:0] entry, last;
  frit_schedule_loader #(.Beats(Beats), .EntryBits(EntryBits)) u_cell (
    .clk_i(clk_i), .rst_i(rst_i), .tvalid_i(tvalid_i), .count_i(count_i), .fits_i(~above_i & (most_i ^ (|count_i))), .run_i(run_i),
    .tlast_i(tlast_i), .take_i(take_i), .tready_o(tready), .write_o(write), .bank_o(bank), .entry_o(entry), .full_o(full),
    .last_o(last), .error_o(error)
  );
  (* hierconn *) wire \u_cell.loading_q ;
  (* hierconn *) wire \u_cell.dropping_q ;
  (* hierconn *) wire \u_cell.at_last_q ;
  (* hierconn *) wire [EntryBits-1:0] \u_cell.rest_q ;
  (* hierconn *) wire [Beats-1:0] \u_cell.beat_q ;
  frit_schedule_loader_contract #(.Beats(Beats), .EntryBits(EntryBits)) u_contract (
    .clk_i(clk_i), .rst_i(rst_i), .tvalid_i(tvalid_i), .count_i(count_i), .most_i(most_i), .above_i(above_i), .run_i(run_i),
    .tlast_i(tlast_i), .take_i(take_i), .tready_i(tready), .write_i(write), .bank_i(bank), .entry_i(entry), .full_i(full),
    .last_i(last), .error_i(error), .loading_i(\u_cell.loading_q ), .dropping_i(\u_cell.dropping_q ),
    .at_last_i(\u_cell.at_last_q ), .rest_i(\u_cell.rest_q ), .beat_i(\u_cell.beat_q ), .bad_o(bad), .lemma_o(lemma)
  );
  reg started = 1'b0;
  always @(posedge clk_i) started <= 1'b1;
  always @(*) begin
    if (!started) assume(rst_i);
    if (take_i) assume(full);
    if (started) assert(!bad && !lemma);
  end
endmodule
