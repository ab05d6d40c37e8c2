// The files of rls_n4_w12_axis_l1_b1_ports_axil_arstn, paths relative to this folder.
// Generated; do not edit. Generator: frit generate rls -n 4 -w 12 --layout files --axis --length 1 --buffers 1 --port-style axis --axil --reset async
../frit_cells/frit_axil_port.v
../frit_cells/frit_axil_registers.v
../frit_cells/frit_axis_control.v
../frit_cells/frit_axis_drain.v
../frit_cells/frit_axis_load.v
../frit_cells/frit_axis_marks.v
../frit_cells/frit_begin_copy.v
../frit_cells/frit_cycle_counter.v
../frit_cells/frit_delay_line.v
../frit_cells/frit_flight.v
../frit_cells/frit_label_entry.v
../frit_cells/frit_label_gen.v
../frit_cells/frit_label_switch.v
../frit_cells/frit_message_memory.v
../frit_cells/frit_reset_sync.v
../frit_cells/frit_round_delay.v
../frit_cells/frit_sequencer.v
../frit_cells/frit_switch.v
../frit_cells/frit_terminal.v
rls_n4_w12_fabric.v
rls_n4_w12_labels.v
rls_n4_w12_axis_l1_b1_core.v
rls_n4_w12_axis_l1_b1_c.v
rls_n4_w12_axis_l1_b1_ports_axil_arstn.v
