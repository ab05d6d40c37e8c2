// The files of tb_gsen_n6_w8, paths relative to this folder.
// Generated; do not edit. Generator: frit generate gsen -n 6 -w 8
frit_cycle_counter.v
frit_sequencer.v
frit_shuffle_terminal_3.v
frit_stage_driver.v
frit_switch.v
gsen_n6_w8_fabric.v
gsen_n6_w8_exchange.v
tb_gsen_n6_w8.sv
