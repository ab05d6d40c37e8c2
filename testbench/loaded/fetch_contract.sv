
// What frit_schedule_fetch promises, as a circuit beside the cell: the entries of a program that is taken are read once and in order, each
// runs as long as it says, and the next one follows at once if it is there.
module frit_schedule_fetch_contract #(
  parameter integer EntryBits = 4
) (
  input  wire clk_i,
  input  wire rst_i,
  // inputs of the cell; run_i is not 0
  input  wire start_i,
  input  wire full_i,
  input  wire bank_i,
  input  wire [EntryBits-1:0] last_i,
  input  wire [15:0] run_i,
  // its outputs
  input  wire ready_i,
  input  wire take_i,
  input  wire read_i,
  input  wire read_bank_i,
  input  wire [EntryBits-1:0] entry_i,
  input  wire move_i,
  input  wire step_i,
  input  wire round_i,
  input  wire ends_i,
  input  wire error_i,
  // its registers
  input  wire reading_i,
  input  wire fetched_i,
  input  wire ahead_i,
  input  wire [EntryBits-1:0] last_q_i,
  input  wire fetched_last_i,
  input  wire ahead_last_i,
  input  wire running_last_i,
  input  wire [15:0] left_i,
  input  wire only_i,
  input  wire both_i,
  // what is due
  output wire takes_o,                   // a start takes the program
  output wire busy_o,                    // entries are left to read, up to this one
  output wire [EntryBits-1:0] last_o,
  output wire reads_o,                   // this entry of this bank is read
  output wire bank_o,
  output wire [EntryBits-1:0] number_o,
  output wire moves_o,                   // the entry that was read is next
  output wire steps_o,                   // the next entry runs
  output wire out_o,                     // an entry is in the output of the memories; is next; runs
  output wire next_o,
  output wire rounds_o,
  output wire ends_o,                    // the last round of a program
  output wire early_o,                   // a start came too early
  output wire bad_o,                     // a promise is broken
  output wire lemma_o                    // a register does not hold what the proof says
);
  reg busy = 1'b0, bank;
  reg [EntryBits-1:0] number, last;
  reg out = 1'b0, next = 1'b0;
  reg out_last, next_last, is_last;
  reg [15:0] left = 16'd0;   // rounds left of the running entry
  reg early = 1'b0;
  wire ready = full_i && !busy;
  assign takes_o = start_i && ready;
  assign steps_o = next && left <= 1;
  assign moves_o = out && (!next || steps_o);
  assign reads_o = busy && (!out || moves_o);
  always @(posedge clk_i) begin
    if (takes_o) begin
      busy <= 1'b1;
      bank <= bank_i;
      number <= 0;
      last <= last_i;
    end
    if (reads_o) begin
      number <= number + 1'b1;
      busy <= number != last;
      out_last <= number == last;
    end
    out <= reads_o || (out && !moves_o);
    next <= moves_o || (next && !steps_o);
    if (moves_o) next_last <= out_last;
    if (steps_o) is_last <= next_last;
    left <= steps_o ? run_i : left != 0 ? left - 1'b1 : 16'd0;
    if (start_i && !ready) early <= 1'b1;
    if (rst_i) begin
      {busy, out, next, early} <= 4'd0;
      left <= 16'd0;
    end
  end
  assign {busy_o, bank_o, number_o, last_o} = {busy, bank, number, last};
  assign {out_o, next_o, rounds_o} = {out, next, left != 0};
  assign ends_o = left == 1 && is_last;
  assign early_o = early;

  // A start is taken if a program is loaded and the one before has been read; else it is an error. All entries of the bank that was taken are
  // read in order. None is lost or doubled on its way. Each runs as long as it says, and the next one follows at once if it is there.
  assign bad_o = ready_i != ready || take_i != takes_o || error_i != early
    || read_i != reads_o || (reads_o && (read_bank_i != bank || entry_i != number))
    || move_i != moves_o || step_i != steps_o || round_i != rounds_o || ends_i != ends_o;
  // What the registers hold.
  assign lemma_o = {reading_i, fetched_i, ahead_i} != {busy, out, next}
    || (busy && (read_bank_i != bank || entry_i != number || last_q_i != last || number > last))
    || (out && fetched_last_i != out_last) || (next && ahead_last_i != next_last)
    || (left != 0 && (left_i != left || only_i != (left == 1) || running_last_i != is_last))
    || (left > 1 && both_i != (left == 2));
endmodule
