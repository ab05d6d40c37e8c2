// The files of tb_transpose_8x8_p4_w8, paths relative to this folder.
// Generated; do not edit. Generator: frit generate transpose -n 4 --rows 8 -w 8 --layout files
+define+FRIT_ASSERT
../frit_cells/frit_beat_check.v
../frit_cells/frit_beat_end.v
../frit_cells/frit_beat_gate.v
../frit_cells/frit_beat_queue.v
../frit_cells/frit_beat_reader.v
transpose_8x8_p4_w8_map_bank_read.v
transpose_8x8_p4_w8_map_bank_write.v
transpose_8x8_p4_w8_map_behind.v
transpose_8x8_p4_w8_map_front.v
../frit_cells/frit_queue_pointer.v
../frit_cells/frit_round_delay.v
../frit_cells/frit_step_register.v
../frit_cells/frit_stride_counter.v
../frit_cells/frit_turn_memory.v
../frit_cells/frit_turn_switch.v
../frit_cells/frit_turn_word.v
transpose_8x8_p4_w8_permute.v
tb_transpose_8x8_p4_w8.sv
