// frit_schedule_fetch beside its contract.
module proof #(
  parameter integer EntryBits = 4
) (
  input wire clk_i,
  input wire rst_i,
  input wire start_i,
  input wire full_i,
  input wire bank_i,
  input wire [EntryBits-1:0] last_i,
  input wire [15:0] run_i,
  input wire once_i,
  input wire twice_i
);
  wire ready, take, read, bank, move, step, round, ends, error, bad, lemma;
  wire [EntryBits-1:0] entry;
  frit_schedule_fetch #(.EntryBits(EntryBits)) u_cell (
    .clk_i(clk_i), .rst_i(rst_i), .start_i(start_i), .full_i(full_i), .bank_i(bank_i), .last_i(last_i), .run_i(run_i),
    .once_i(once_i), .twice_i(twice_i), .ready_o(ready), .take_o(take), .read_o(read), .bank_o(bank), .entry_o(entry), .move_o(move),
    .step_o(step), .round_o(round), .ends_o(ends), .error_o(error)
  );
  (* hierconn *) wire \u_cell.reading_q ;
  (* hierconn *) wire \u_cell.fetched_q ;
  (* hierconn *) wire \u_cell.ahead_q ;
  (* hierconn *) wire [EntryBits-1:0] \u_cell.last_q ;
  (* hierconn *) wire \u_cell.fetched_last_q ;
  (* hierconn *) wire \u_cell.ahead_last_q ;
  (* hierconn *) wire \u_cell.running_last_q ;
  (* hierconn *) wire [15:0] \u_cell.left_q ;
  (* hierconn *) wire \u_cell.only_q ;
  (* hierconn *) wire \u_cell.both_q ;
  frit_schedule_fetch_contract #(.EntryBits(EntryBits)) u_contract (
    .clk_i(clk_i), .rst_i(rst_i), .start_i(start_i), .full_i(full_i), .bank_i(bank_i), .last_i(last_i), .run_i(run_i),
    .ready_i(ready), .take_i(take), .read_i(read), .read_bank_i(bank), .entry_i(entry), .move_i(move), .step_i(step),
    .round_i(round), .ends_i(ends), .error_i(error), .reading_i(\u_cell.reading_q ), .fetched_i(\u_cell.fetched_q ),
    .ahead_i(\u_cell.ahead_q ), .last_q_i(\u_cell.last_q ), .fetched_last_i(\u_cell.fetched_last_q ),
    .ahead_last_i(\u_cell.ahead_last_q ), .running_last_i(\u_cell.running_last_q ), .left_i(\u_cell.left_q ),
    .only_i(\u_cell.only_q ), .both_i(\u_cell.both_q ), .bad_o(bad), .lemma_o(lemma)
  );
  reg started = 1'b0;
  always @(posedge clk_i) started <= 1'b1;
  always @(*) begin
    if (!started) assume(rst_i);
    assume(run_i != 0);
    assume(once_i == (run_i == 1));
    assume(twice_i == (run_i == 2));
    if (started) assert(!bad && !lemma);
  end
endmodule
