// The files of rls_n8_w8_axis_l4_b1, paths relative to this folder.
// Generated; do not edit. Generator: frit generate rls -n 8 -w 8 --layout files --axis --length 4 --buffers 1
../frit_cells/frit_axis_control.v
../frit_cells/frit_axis_drain.v
../frit_cells/frit_axis_load.v
../frit_cells/frit_axis_marks.v
../frit_cells/frit_bank_memory.v
../frit_cells/frit_begin_copy.v
../frit_cells/frit_cycle_counter.v
../frit_cells/frit_delay_line.v
../frit_cells/frit_flight.v
../frit_cells/frit_label_entry.v
../frit_cells/frit_label_gen.v
../frit_cells/frit_label_switch.v
../frit_cells/frit_modulo_counter.v
../frit_cells/frit_round_delay.v
../frit_cells/frit_sequencer.v
../frit_cells/frit_switch.v
../frit_cells/frit_terminal.v
rls_n8_w8_fabric.v
rls_n8_w8_labels.v
rls_n8_w8_axis_l4_b1_core.v
rls_n8_w8_axis_l4_b1.v
