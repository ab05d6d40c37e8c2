
// What frit_schedule_loader promises, as a circuit beside the cell. It knows the words alone: a program is complete if and only if it has
// as many words as it says, and each of its entries has a round.
module frit_schedule_loader_contract #(
  parameter integer Beats = 2,
  parameter integer EntryBits = 4
) (
  input  wire clk_i,
  input  wire rst_i,
  // inputs of the cell
  input  wire tvalid_i,
  input  wire [EntryBits-1:0] count_i,
  input  wire most_i,
  input  wire above_i,
  input  wire run_i,
  input  wire tlast_i,
  input  wire take_i,
  // its outputs
  input  wire tready_i,
  input  wire [Beats-1:0] write_i,
  input  wire bank_i,
  input  wire [EntryBits-1:0] entry_i,
  input  wire full_i,
  input  wire [EntryBits-1:0] last_i,
  input  wire error_i,
  // its registers
  input  wire loading_i,
  input  wire dropping_i,
  input  wire at_last_i,
  input  wire [EntryBits-1:0] rest_i,
  input  wire [Beats-1:0] beat_i,
  // what is due
  output wire loads_o,                  // a word of an entry comes next
  output wire complete_o,               // a program is complete
  output wire writes_o,                 // this word is one of an entry: of which one, and which word of it
  output wire [EntryBits-1:0] number_o,
  output wire [6:0] place_o,
  output wire [EntryBits-1:0] last_o,   // the last entry of the program
  output wire bank_o,
  output wire failed_o,                 // a program was wrong
  output wire bad_o,                    // a promise is broken
  output wire lemma_o                   // a register does not hold what the proof says
);
  localparam [1:0] Begins = 0, Loads = 1, Drops = 2, Complete = 3;
  reg [1:0] state = Begins;
  reg [EntryBits-1:0] number, last;
  reg [6:0] place;
  reg failed = 1'b0, bank = 1'b0;
  wire taken = tvalid_i && state != Complete;
  wire [EntryBits:0] entries = {most_i, count_i};
  wire possible = !above_i && entries >= 1 && entries <= (1 << EntryBits);
  wire behind = place == Beats - 1;   // the next word is one of the next entry
  wire wrong = (place == 0 && !run_i) || tlast_i != (behind && number == last);
  always @(posedge clk_i) begin
    if (take_i) begin
      state <= Begins;
      bank <= !bank;
    end
    if (taken) begin
      place <= behind ? 7'd0 : place + 1'b1;
      if (behind) number <= number + 1'b1;
      if (state == Begins) begin
        last <= entries - 1'b1;
        number <= 0;
        place <= 7'd0;
      end
      if (state == Drops) state <= tlast_i ? Begins : Drops;
      else if (state == Begins ? tlast_i || !possible : wrong) begin
        failed <= 1'b1;
        state <= tlast_i ? Begins : Drops;
      end else state <= tlast_i ? Complete : Loads;
    end
    if (rst_i) begin
      state <= Begins;
      failed <= 1'b0;
      bank <= 1'b0;
    end
  end
  assign loads_o = state == Loads;
  assign complete_o = state == Complete;
  assign writes_o = taken && loads_o;
  assign {number_o, place_o, last_o} = {number, place, last};
  assign {bank_o, failed_o} = {bank, failed};

  // A program is complete if and only if it has as many words as it says, and each entry has a round. Else there is an error.
  // The words of entries are written, each in its place. Without a word nothing but the place that comes next is written, and nothing
  // at all once the program is complete. The bank changes when the program is taken, and never else.
  assign bad_o = full_i != complete_o || tready_i == full_i || error_i != failed || (full_i && last_i != last)
    || (writes_o && write_i == 0) || (loads_o && write_i != 0 && (write_i != 1 << place || entry_i != number))
    || (complete_o && write_i != 0) || bank_i != bank;
  // What the registers hold.
  assign lemma_o = loading_i != loads_o || dropping_i != (state == Drops)
    || (loads_o && (number > last || place >= Beats || last_i != last || at_last_i != (number == last) || rest_i != last - number
                    || beat_i != 1 << place || entry_i != number));
endmodule
