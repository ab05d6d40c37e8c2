// The files of tb_gsen_n6_w8, paths relative to this folder.
// Generated; do not edit. Generator: frit generate gsen -n 6 -w 8 --layout files
+define+FRIT_ASSERT
../frit_cells/frit_cycle_counter.v
../frit_cells/frit_delay_line.v
../frit_cells/frit_flight.v
../frit_cells/frit_round_counter.v
../frit_cells/frit_sequencer.v
gsen_n6_w8_shuffle_terminal_3.v
../frit_cells/frit_stage_driver.v
../frit_cells/frit_switch.v
gsen_n6_w8_fabric.v
gsen_n6_w8_exchange.v
tb_gsen_n6_w8.sv
