// The files of gsen_ata2_n6_w8_exchange, paths relative to this folder.
// Generated; do not edit. Generator: frit generate gsen -n 6 --set algorithm=ata2 -w 8
frit_alternating_driver.v
frit_ata2_word.v
frit_cycle_counter.v
frit_sequencer.v
frit_shuffle_terminal_3.v
frit_switch.v
gsen_ata2_n6_w8_fabric.v
gsen_ata2_n6_w8_exchange.v
