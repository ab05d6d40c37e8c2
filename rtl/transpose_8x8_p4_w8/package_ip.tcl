# SPDX-License-Identifier: MIT OR Apache-2.0
# Packages the tops of this design for Vivado's IP catalog, each into a folder ip/TOP beside this script:
#
#   vivado -mode batch -source package_ip.tcl
#
# Vivado was not available where this script was written, and nobody has run it in Vivado. The script is run in tclsh only, with
# stubs in place of Vivado's commands, which check the calls.
# Generated; do not edit. Generator (frit generate transpose -n 4 --rows 8 -w 8 --layout files)

set folder [file dirname [file normalize [info script]]]

# Adds a bus interface with parameters. A map is the name of a logical port, the port of the core, and the highest and lowest bit if the
# logical port has only a part of the port.
proc add_bus {core name kind mode maps args} {
    set bus [ipx::add_bus_interface $name $core]
    set_property abstraction_type_vlnv xilinx.com:${kind}_rtl:1.0 $bus
    set_property bus_type_vlnv xilinx.com:${kind}:1.0 $bus
    set_property interface_mode $mode $bus
    foreach map $maps {
        lassign $map logical port high low
        set port_map [ipx::add_port_map $logical $bus]
        set_property physical_name $port $port_map
        if {$high ne ""} {
            set_property physical_left $high $port_map
            set_property physical_right $low $port_map
        }
    }
    foreach {parameter value} $args {
        set_property value $value [ipx::add_bus_parameter $parameter $bus]
    }
}

# Makes a core of the module $top; it has no bus interface yet.
proc open_core {top description files} {
    global folder
    create_project -force package_$top [file join $folder ip .project]
    foreach file $files {
        add_files -norecurse [file normalize [file join $folder $file]]
    }
    set_property top $top [current_fileset]
    update_compile_order -fileset sources_1
    ipx::package_project -root_dir [file join $folder ip $top] -vendor fritillary -library stream -taxonomy /UserIP -import_files -force
    set core [ipx::current_core]
    set_property name $top $core
    set_property version 0.2 $core
    set_property display_name $top $core
    set_property description $description $core
    # Vivado guesses interfaces from the names of ports; this script adds all of them itself.
    ipx::remove_all_bus_interface $core
    foreach map [ipx::get_memory_maps -of_objects $core] {
        ipx::remove_memory_map [get_property name $map] $core
    }
    return $core
}

proc close_core {core} {
    ipx::create_xgui_files $core
    ipx::update_checksums $core
    ipx::check_integrity $core
    ipx::save_core $core
    close_project -delete
}

set core [open_core transpose_8x8_p4_w8_permute "Corner turn: a matrix streams in row by row, N words a cycle, and leaves column by column: 64 words, 4 a cycle, 8 bits" [list \
    "../frit_cells/frit_beat_check.v" \
    "../frit_cells/frit_beat_end.v" \
    "../frit_cells/frit_beat_gate.v" \
    "../frit_cells/frit_beat_queue.v" \
    "../frit_cells/frit_beat_reader.v" \
    "transpose_8x8_p4_w8_map_bank_read.v" \
    "transpose_8x8_p4_w8_map_bank_write.v" \
    "transpose_8x8_p4_w8_map_behind.v" \
    "transpose_8x8_p4_w8_map_front.v" \
    "../frit_cells/frit_queue_pointer.v" \
    "../frit_cells/frit_round_delay.v" \
    "../frit_cells/frit_step_register.v" \
    "../frit_cells/frit_stride_counter.v" \
    "../frit_cells/frit_turn_memory.v" \
    "../frit_cells/frit_turn_switch.v" \
    "../frit_cells/frit_turn_word.v" \
    "transpose_8x8_p4_w8_permute.v"]]
add_bus $core clk_i signal:clock slave {
    "CLK clk_i"
}
add_bus $core rst_i signal:reset slave {
    "RST rst_i"
} POLARITY ACTIVE_HIGH
add_bus $core s_axis interface:axis slave {
    "TVALID s_axis_tvalid_i"
    "TREADY s_axis_tready_o"
    "TDATA s_axis_tdata_i"
    "TLAST s_axis_tlast_i"
}
ipx::associate_bus_interfaces -busif s_axis -clock clk_i $core
add_bus $core m_axis interface:axis master {
    "TVALID m_axis_tvalid_o"
    "TREADY m_axis_tready_i"
    "TDATA m_axis_tdata_o"
    "TLAST m_axis_tlast_o"
}
ipx::associate_bus_interfaces -busif m_axis -clock clk_i $core
ipx::associate_bus_interfaces -clock clk_i -reset rst_i $core
close_core $core

