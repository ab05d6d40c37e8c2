# SPDX-License-Identifier: MIT OR Apache-2.0
# Packages the tops of this design for Vivado's IP catalog, each into a folder ip/TOP beside this script:
#
#   vivado -mode batch -source package_ip.tcl
#
# Vivado was not available where this script was written, and nobody has run it in Vivado. The script is run in tclsh only, with
# stubs in place of Vivado's commands, which check the calls.
# Generated; do not edit. Generator (frit generate rls -n 8 -w 8 --layout files --axis --length 4 --buffers 1 --port-style axis)

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
    ipx::package_project -root_dir [file join $folder ip $top] -vendor fritillary -library exchange -taxonomy /UserIP -import_files -force
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

set core [open_core rls_n8_w8_exchange "Latin square of rotations on the Butterfly-Butterfly, self-routing labels: 8 terminals, 8 bits" [list \
    "../frit_cells/frit_cycle_counter.v" \
    "../frit_cells/frit_delay_line.v" \
    "../frit_cells/frit_flight.v" \
    "../frit_cells/frit_label_entry.v" \
    "../frit_cells/frit_label_gen.v" \
    "../frit_cells/frit_label_switch.v" \
    "../frit_cells/frit_round_delay.v" \
    "../frit_cells/frit_sequencer.v" \
    "../frit_cells/frit_switch.v" \
    "../frit_cells/frit_terminal.v" \
    "rls_n8_w8_fabric.v" \
    "rls_n8_w8_labels.v" \
    "rls_n8_w8_exchange.v"]]
add_bus $core clk_i signal:clock slave {
    "CLK clk_i"
}
add_bus $core rst_i signal:reset slave {
    "RST rst_i"
} POLARITY ACTIVE_HIGH
ipx::associate_bus_interfaces -clock clk_i -reset rst_i $core
close_core $core

set core [open_core rls_n8_w8_axis_l4_b1 "Latin square of rotations on the Butterfly-Butterfly, self-routing labels: 8 terminals, 8 bits" [list \
    "../frit_cells/frit_axis_control.v" \
    "../frit_cells/frit_axis_drain.v" \
    "../frit_cells/frit_axis_load.v" \
    "../frit_cells/frit_axis_marks.v" \
    "../frit_cells/frit_bank_memory.v" \
    "../frit_cells/frit_begin_copy.v" \
    "../frit_cells/frit_cycle_counter.v" \
    "../frit_cells/frit_delay_line.v" \
    "../frit_cells/frit_flight.v" \
    "../frit_cells/frit_label_entry.v" \
    "../frit_cells/frit_label_gen.v" \
    "../frit_cells/frit_label_switch.v" \
    "../frit_cells/frit_modulo_counter.v" \
    "../frit_cells/frit_round_delay.v" \
    "../frit_cells/frit_sequencer.v" \
    "../frit_cells/frit_switch.v" \
    "../frit_cells/frit_terminal.v" \
    "rls_n8_w8_fabric.v" \
    "rls_n8_w8_labels.v" \
    "rls_n8_w8_axis_l4_b1_core.v" \
    "rls_n8_w8_axis_l4_b1.v"]]
add_bus $core clk_i signal:clock slave {
    "CLK clk_i"
}
add_bus $core rst_i signal:reset slave {
    "RST rst_i"
} POLARITY ACTIVE_HIGH
add_bus $core s00_axis interface:axis slave {
    "TVALID s_axis_tvalid_i 0 0"
    "TREADY s_axis_tready_o 0 0"
    "TDATA s_axis_tdata_i 7 0"
    "TDEST s_axis_tdest_i 2 0"
    "TLAST s_axis_tlast_i 0 0"
}
ipx::associate_bus_interfaces -busif s00_axis -clock clk_i $core
add_bus $core s01_axis interface:axis slave {
    "TVALID s_axis_tvalid_i 1 1"
    "TREADY s_axis_tready_o 1 1"
    "TDATA s_axis_tdata_i 15 8"
    "TDEST s_axis_tdest_i 5 3"
    "TLAST s_axis_tlast_i 1 1"
}
ipx::associate_bus_interfaces -busif s01_axis -clock clk_i $core
add_bus $core s02_axis interface:axis slave {
    "TVALID s_axis_tvalid_i 2 2"
    "TREADY s_axis_tready_o 2 2"
    "TDATA s_axis_tdata_i 23 16"
    "TDEST s_axis_tdest_i 8 6"
    "TLAST s_axis_tlast_i 2 2"
}
ipx::associate_bus_interfaces -busif s02_axis -clock clk_i $core
add_bus $core s03_axis interface:axis slave {
    "TVALID s_axis_tvalid_i 3 3"
    "TREADY s_axis_tready_o 3 3"
    "TDATA s_axis_tdata_i 31 24"
    "TDEST s_axis_tdest_i 11 9"
    "TLAST s_axis_tlast_i 3 3"
}
ipx::associate_bus_interfaces -busif s03_axis -clock clk_i $core
add_bus $core s04_axis interface:axis slave {
    "TVALID s_axis_tvalid_i 4 4"
    "TREADY s_axis_tready_o 4 4"
    "TDATA s_axis_tdata_i 39 32"
    "TDEST s_axis_tdest_i 14 12"
    "TLAST s_axis_tlast_i 4 4"
}
ipx::associate_bus_interfaces -busif s04_axis -clock clk_i $core
add_bus $core s05_axis interface:axis slave {
    "TVALID s_axis_tvalid_i 5 5"
    "TREADY s_axis_tready_o 5 5"
    "TDATA s_axis_tdata_i 47 40"
    "TDEST s_axis_tdest_i 17 15"
    "TLAST s_axis_tlast_i 5 5"
}
ipx::associate_bus_interfaces -busif s05_axis -clock clk_i $core
add_bus $core s06_axis interface:axis slave {
    "TVALID s_axis_tvalid_i 6 6"
    "TREADY s_axis_tready_o 6 6"
    "TDATA s_axis_tdata_i 55 48"
    "TDEST s_axis_tdest_i 20 18"
    "TLAST s_axis_tlast_i 6 6"
}
ipx::associate_bus_interfaces -busif s06_axis -clock clk_i $core
add_bus $core s07_axis interface:axis slave {
    "TVALID s_axis_tvalid_i 7 7"
    "TREADY s_axis_tready_o 7 7"
    "TDATA s_axis_tdata_i 63 56"
    "TDEST s_axis_tdest_i 23 21"
    "TLAST s_axis_tlast_i 7 7"
}
ipx::associate_bus_interfaces -busif s07_axis -clock clk_i $core
add_bus $core m00_axis interface:axis master {
    "TVALID m_axis_tvalid_o 0 0"
    "TREADY m_axis_tready_i 0 0"
    "TDATA m_axis_tdata_o 7 0"
    "TID m_axis_tid_o 2 0"
    "TLAST m_axis_tlast_o 0 0"
}
ipx::associate_bus_interfaces -busif m00_axis -clock clk_i $core
add_bus $core m01_axis interface:axis master {
    "TVALID m_axis_tvalid_o 1 1"
    "TREADY m_axis_tready_i 1 1"
    "TDATA m_axis_tdata_o 15 8"
    "TID m_axis_tid_o 5 3"
    "TLAST m_axis_tlast_o 1 1"
}
ipx::associate_bus_interfaces -busif m01_axis -clock clk_i $core
add_bus $core m02_axis interface:axis master {
    "TVALID m_axis_tvalid_o 2 2"
    "TREADY m_axis_tready_i 2 2"
    "TDATA m_axis_tdata_o 23 16"
    "TID m_axis_tid_o 8 6"
    "TLAST m_axis_tlast_o 2 2"
}
ipx::associate_bus_interfaces -busif m02_axis -clock clk_i $core
add_bus $core m03_axis interface:axis master {
    "TVALID m_axis_tvalid_o 3 3"
    "TREADY m_axis_tready_i 3 3"
    "TDATA m_axis_tdata_o 31 24"
    "TID m_axis_tid_o 11 9"
    "TLAST m_axis_tlast_o 3 3"
}
ipx::associate_bus_interfaces -busif m03_axis -clock clk_i $core
add_bus $core m04_axis interface:axis master {
    "TVALID m_axis_tvalid_o 4 4"
    "TREADY m_axis_tready_i 4 4"
    "TDATA m_axis_tdata_o 39 32"
    "TID m_axis_tid_o 14 12"
    "TLAST m_axis_tlast_o 4 4"
}
ipx::associate_bus_interfaces -busif m04_axis -clock clk_i $core
add_bus $core m05_axis interface:axis master {
    "TVALID m_axis_tvalid_o 5 5"
    "TREADY m_axis_tready_i 5 5"
    "TDATA m_axis_tdata_o 47 40"
    "TID m_axis_tid_o 17 15"
    "TLAST m_axis_tlast_o 5 5"
}
ipx::associate_bus_interfaces -busif m05_axis -clock clk_i $core
add_bus $core m06_axis interface:axis master {
    "TVALID m_axis_tvalid_o 6 6"
    "TREADY m_axis_tready_i 6 6"
    "TDATA m_axis_tdata_o 55 48"
    "TID m_axis_tid_o 20 18"
    "TLAST m_axis_tlast_o 6 6"
}
ipx::associate_bus_interfaces -busif m06_axis -clock clk_i $core
add_bus $core m07_axis interface:axis master {
    "TVALID m_axis_tvalid_o 7 7"
    "TREADY m_axis_tready_i 7 7"
    "TDATA m_axis_tdata_o 63 56"
    "TID m_axis_tid_o 23 21"
    "TLAST m_axis_tlast_o 7 7"
}
ipx::associate_bus_interfaces -busif m07_axis -clock clk_i $core
ipx::associate_bus_interfaces -clock clk_i -reset rst_i $core
close_core $core

set core [open_core rls_n8_w8_axis_l4_b1_ports "Latin square of rotations on the Butterfly-Butterfly, self-routing labels: 8 terminals, 8 bits" [list \
    "../frit_cells/frit_axis_control.v" \
    "../frit_cells/frit_axis_drain.v" \
    "../frit_cells/frit_axis_load.v" \
    "../frit_cells/frit_axis_marks.v" \
    "../frit_cells/frit_bank_memory.v" \
    "../frit_cells/frit_begin_copy.v" \
    "../frit_cells/frit_cycle_counter.v" \
    "../frit_cells/frit_delay_line.v" \
    "../frit_cells/frit_flight.v" \
    "../frit_cells/frit_label_entry.v" \
    "../frit_cells/frit_label_gen.v" \
    "../frit_cells/frit_label_switch.v" \
    "../frit_cells/frit_modulo_counter.v" \
    "../frit_cells/frit_round_delay.v" \
    "../frit_cells/frit_sequencer.v" \
    "../frit_cells/frit_switch.v" \
    "../frit_cells/frit_terminal.v" \
    "rls_n8_w8_fabric.v" \
    "rls_n8_w8_labels.v" \
    "rls_n8_w8_axis_l4_b1_core.v" \
    "rls_n8_w8_axis_l4_b1.v" \
    "rls_n8_w8_axis_l4_b1_ports.v"]]
add_bus $core aclk signal:clock slave {
    "CLK aclk"
}
add_bus $core aresetn signal:reset slave {
    "RST aresetn"
} POLARITY ACTIVE_LOW
add_bus $core s00_axis interface:axis slave {
    "TDATA s00_axis_tdata"
    "TDEST s00_axis_tdest"
    "TLAST s00_axis_tlast"
    "TVALID s00_axis_tvalid"
    "TREADY s00_axis_tready"
}
ipx::associate_bus_interfaces -busif s00_axis -clock aclk $core
add_bus $core s01_axis interface:axis slave {
    "TDATA s01_axis_tdata"
    "TDEST s01_axis_tdest"
    "TLAST s01_axis_tlast"
    "TVALID s01_axis_tvalid"
    "TREADY s01_axis_tready"
}
ipx::associate_bus_interfaces -busif s01_axis -clock aclk $core
add_bus $core s02_axis interface:axis slave {
    "TDATA s02_axis_tdata"
    "TDEST s02_axis_tdest"
    "TLAST s02_axis_tlast"
    "TVALID s02_axis_tvalid"
    "TREADY s02_axis_tready"
}
ipx::associate_bus_interfaces -busif s02_axis -clock aclk $core
add_bus $core s03_axis interface:axis slave {
    "TDATA s03_axis_tdata"
    "TDEST s03_axis_tdest"
    "TLAST s03_axis_tlast"
    "TVALID s03_axis_tvalid"
    "TREADY s03_axis_tready"
}
ipx::associate_bus_interfaces -busif s03_axis -clock aclk $core
add_bus $core s04_axis interface:axis slave {
    "TDATA s04_axis_tdata"
    "TDEST s04_axis_tdest"
    "TLAST s04_axis_tlast"
    "TVALID s04_axis_tvalid"
    "TREADY s04_axis_tready"
}
ipx::associate_bus_interfaces -busif s04_axis -clock aclk $core
add_bus $core s05_axis interface:axis slave {
    "TDATA s05_axis_tdata"
    "TDEST s05_axis_tdest"
    "TLAST s05_axis_tlast"
    "TVALID s05_axis_tvalid"
    "TREADY s05_axis_tready"
}
ipx::associate_bus_interfaces -busif s05_axis -clock aclk $core
add_bus $core s06_axis interface:axis slave {
    "TDATA s06_axis_tdata"
    "TDEST s06_axis_tdest"
    "TLAST s06_axis_tlast"
    "TVALID s06_axis_tvalid"
    "TREADY s06_axis_tready"
}
ipx::associate_bus_interfaces -busif s06_axis -clock aclk $core
add_bus $core s07_axis interface:axis slave {
    "TDATA s07_axis_tdata"
    "TDEST s07_axis_tdest"
    "TLAST s07_axis_tlast"
    "TVALID s07_axis_tvalid"
    "TREADY s07_axis_tready"
}
ipx::associate_bus_interfaces -busif s07_axis -clock aclk $core
add_bus $core m00_axis interface:axis master {
    "TDATA m00_axis_tdata"
    "TID m00_axis_tid"
    "TLAST m00_axis_tlast"
    "TVALID m00_axis_tvalid"
    "TREADY m00_axis_tready"
}
ipx::associate_bus_interfaces -busif m00_axis -clock aclk $core
add_bus $core m01_axis interface:axis master {
    "TDATA m01_axis_tdata"
    "TID m01_axis_tid"
    "TLAST m01_axis_tlast"
    "TVALID m01_axis_tvalid"
    "TREADY m01_axis_tready"
}
ipx::associate_bus_interfaces -busif m01_axis -clock aclk $core
add_bus $core m02_axis interface:axis master {
    "TDATA m02_axis_tdata"
    "TID m02_axis_tid"
    "TLAST m02_axis_tlast"
    "TVALID m02_axis_tvalid"
    "TREADY m02_axis_tready"
}
ipx::associate_bus_interfaces -busif m02_axis -clock aclk $core
add_bus $core m03_axis interface:axis master {
    "TDATA m03_axis_tdata"
    "TID m03_axis_tid"
    "TLAST m03_axis_tlast"
    "TVALID m03_axis_tvalid"
    "TREADY m03_axis_tready"
}
ipx::associate_bus_interfaces -busif m03_axis -clock aclk $core
add_bus $core m04_axis interface:axis master {
    "TDATA m04_axis_tdata"
    "TID m04_axis_tid"
    "TLAST m04_axis_tlast"
    "TVALID m04_axis_tvalid"
    "TREADY m04_axis_tready"
}
ipx::associate_bus_interfaces -busif m04_axis -clock aclk $core
add_bus $core m05_axis interface:axis master {
    "TDATA m05_axis_tdata"
    "TID m05_axis_tid"
    "TLAST m05_axis_tlast"
    "TVALID m05_axis_tvalid"
    "TREADY m05_axis_tready"
}
ipx::associate_bus_interfaces -busif m05_axis -clock aclk $core
add_bus $core m06_axis interface:axis master {
    "TDATA m06_axis_tdata"
    "TID m06_axis_tid"
    "TLAST m06_axis_tlast"
    "TVALID m06_axis_tvalid"
    "TREADY m06_axis_tready"
}
ipx::associate_bus_interfaces -busif m06_axis -clock aclk $core
add_bus $core m07_axis interface:axis master {
    "TDATA m07_axis_tdata"
    "TID m07_axis_tid"
    "TLAST m07_axis_tlast"
    "TVALID m07_axis_tvalid"
    "TREADY m07_axis_tready"
}
ipx::associate_bus_interfaces -busif m07_axis -clock aclk $core
ipx::associate_bus_interfaces -clock aclk -reset aresetn $core
close_core $core

