// The files of gsen_n6_w8_exchange, paths relative to this folder.
// Generated; do not edit. Generator: frit generate gsen -n 6 -w 8
frit_cycle_counter.v
frit_sequencer.v
frit_shuffle_terminal_3.v
frit_stage_driver.v
frit_switch.v
gsen_n6_w8_fabric.v
gsen_n6_w8_exchange.v
