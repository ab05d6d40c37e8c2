# SPDX-License-Identifier: MIT OR Apache-2.0
# Packages the tops of this design for Vivado's IP catalog, each into a folder ip/TOP beside this script:
#
#   vivado -mode batch -source package_ip.tcl
#
# Vivado was not available where this script was written, and nobody has run it in Vivado. The script is run in tclsh only, with
# stubs in place of Vivado's commands, which check the calls.
# Generated; do not edit. Generator (frit generate rls -n 4 -w 12 --layout files --axis --length 1 --buffers 1 --port-style axis --axil --reset async)

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

set core [open_core rls_n4_w12_exchange "Latin square of rotations on the Butterfly-Butterfly, self-routing labels: 4 terminals, 12 bits" [list \
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
    "rls_n4_w12_fabric.v" \
    "rls_n4_w12_labels.v" \
    "rls_n4_w12_exchange.v"]]
add_bus $core clk_i signal:clock slave {
    "CLK clk_i"
}
add_bus $core rst_i signal:reset slave {
    "RST rst_i"
} POLARITY ACTIVE_HIGH
ipx::associate_bus_interfaces -clock clk_i -reset rst_i $core
close_core $core

set core [open_core rls_n4_w12_axis_l1_b1 "Latin square of rotations on the Butterfly-Butterfly, self-routing labels: 4 terminals, 12 bits" [list \
    "../frit_cells/frit_axis_control.v" \
    "../frit_cells/frit_axis_drain.v" \
    "../frit_cells/frit_axis_load.v" \
    "../frit_cells/frit_axis_marks.v" \
    "../frit_cells/frit_begin_copy.v" \
    "../frit_cells/frit_cycle_counter.v" \
    "../frit_cells/frit_delay_line.v" \
    "../frit_cells/frit_flight.v" \
    "../frit_cells/frit_label_entry.v" \
    "../frit_cells/frit_label_gen.v" \
    "../frit_cells/frit_label_switch.v" \
    "../frit_cells/frit_message_memory.v" \
    "../frit_cells/frit_round_delay.v" \
    "../frit_cells/frit_sequencer.v" \
    "../frit_cells/frit_switch.v" \
    "../frit_cells/frit_terminal.v" \
    "rls_n4_w12_fabric.v" \
    "rls_n4_w12_labels.v" \
    "rls_n4_w12_axis_l1_b1_core.v" \
    "rls_n4_w12_axis_l1_b1.v"]]
add_bus $core clk_i signal:clock slave {
    "CLK clk_i"
}
add_bus $core rst_i signal:reset slave {
    "RST rst_i"
} POLARITY ACTIVE_HIGH
add_bus $core s00_axis interface:axis slave {
    "TVALID s_axis_tvalid_i 0 0"
    "TREADY s_axis_tready_o 0 0"
    "TDATA s_axis_tdata_i 11 0"
    "TDEST s_axis_tdest_i 1 0"
    "TLAST s_axis_tlast_i 0 0"
}
ipx::associate_bus_interfaces -busif s00_axis -clock clk_i $core
add_bus $core s01_axis interface:axis slave {
    "TVALID s_axis_tvalid_i 1 1"
    "TREADY s_axis_tready_o 1 1"
    "TDATA s_axis_tdata_i 23 12"
    "TDEST s_axis_tdest_i 3 2"
    "TLAST s_axis_tlast_i 1 1"
}
ipx::associate_bus_interfaces -busif s01_axis -clock clk_i $core
add_bus $core s02_axis interface:axis slave {
    "TVALID s_axis_tvalid_i 2 2"
    "TREADY s_axis_tready_o 2 2"
    "TDATA s_axis_tdata_i 35 24"
    "TDEST s_axis_tdest_i 5 4"
    "TLAST s_axis_tlast_i 2 2"
}
ipx::associate_bus_interfaces -busif s02_axis -clock clk_i $core
add_bus $core s03_axis interface:axis slave {
    "TVALID s_axis_tvalid_i 3 3"
    "TREADY s_axis_tready_o 3 3"
    "TDATA s_axis_tdata_i 47 36"
    "TDEST s_axis_tdest_i 7 6"
    "TLAST s_axis_tlast_i 3 3"
}
ipx::associate_bus_interfaces -busif s03_axis -clock clk_i $core
add_bus $core m00_axis interface:axis master {
    "TVALID m_axis_tvalid_o 0 0"
    "TREADY m_axis_tready_i 0 0"
    "TDATA m_axis_tdata_o 11 0"
    "TID m_axis_tid_o 1 0"
    "TLAST m_axis_tlast_o 0 0"
}
ipx::associate_bus_interfaces -busif m00_axis -clock clk_i $core
add_bus $core m01_axis interface:axis master {
    "TVALID m_axis_tvalid_o 1 1"
    "TREADY m_axis_tready_i 1 1"
    "TDATA m_axis_tdata_o 23 12"
    "TID m_axis_tid_o 3 2"
    "TLAST m_axis_tlast_o 1 1"
}
ipx::associate_bus_interfaces -busif m01_axis -clock clk_i $core
add_bus $core m02_axis interface:axis master {
    "TVALID m_axis_tvalid_o 2 2"
    "TREADY m_axis_tready_i 2 2"
    "TDATA m_axis_tdata_o 35 24"
    "TID m_axis_tid_o 5 4"
    "TLAST m_axis_tlast_o 2 2"
}
ipx::associate_bus_interfaces -busif m02_axis -clock clk_i $core
add_bus $core m03_axis interface:axis master {
    "TVALID m_axis_tvalid_o 3 3"
    "TREADY m_axis_tready_i 3 3"
    "TDATA m_axis_tdata_o 47 36"
    "TID m_axis_tid_o 7 6"
    "TLAST m_axis_tlast_o 3 3"
}
ipx::associate_bus_interfaces -busif m03_axis -clock clk_i $core
ipx::associate_bus_interfaces -clock clk_i -reset rst_i $core
close_core $core

set core [open_core rls_n4_w12_axis_l1_b1_ports_axil_arstn "Latin square of rotations on the Butterfly-Butterfly, self-routing labels: 4 terminals, 12 bits" [list \
    "../frit_cells/frit_axil_port.v" \
    "../frit_cells/frit_axil_registers.v" \
    "../frit_cells/frit_axis_control.v" \
    "../frit_cells/frit_axis_drain.v" \
    "../frit_cells/frit_axis_load.v" \
    "../frit_cells/frit_axis_marks.v" \
    "../frit_cells/frit_begin_copy.v" \
    "../frit_cells/frit_cycle_counter.v" \
    "../frit_cells/frit_delay_line.v" \
    "../frit_cells/frit_flight.v" \
    "../frit_cells/frit_label_entry.v" \
    "../frit_cells/frit_label_gen.v" \
    "../frit_cells/frit_label_switch.v" \
    "../frit_cells/frit_message_memory.v" \
    "../frit_cells/frit_reset_sync.v" \
    "../frit_cells/frit_round_delay.v" \
    "../frit_cells/frit_sequencer.v" \
    "../frit_cells/frit_switch.v" \
    "../frit_cells/frit_terminal.v" \
    "rls_n4_w12_fabric.v" \
    "rls_n4_w12_labels.v" \
    "rls_n4_w12_axis_l1_b1_core.v" \
    "rls_n4_w12_axis_l1_b1_c.v" \
    "rls_n4_w12_axis_l1_b1_ports_axil_arstn.v"]]
add_bus $core aclk signal:clock slave {
    "CLK aclk"
}
add_bus $core aresetn signal:reset slave {
    "RST aresetn"
} POLARITY ACTIVE_LOW
add_bus $core irq signal:interrupt master {
    "INTERRUPT irq"
} SENSITIVITY LEVEL_HIGH
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
add_bus $core s_axil interface:aximm slave {
    "AWADDR s_axil_awaddr"
    "AWPROT s_axil_awprot"
    "AWVALID s_axil_awvalid"
    "AWREADY s_axil_awready"
    "WDATA s_axil_wdata"
    "WSTRB s_axil_wstrb"
    "WVALID s_axil_wvalid"
    "WREADY s_axil_wready"
    "BRESP s_axil_bresp"
    "BVALID s_axil_bvalid"
    "BREADY s_axil_bready"
    "ARADDR s_axil_araddr"
    "ARPROT s_axil_arprot"
    "ARVALID s_axil_arvalid"
    "ARREADY s_axil_arready"
    "RDATA s_axil_rdata"
    "RRESP s_axil_rresp"
    "RVALID s_axil_rvalid"
    "RREADY s_axil_rready"
} PROTOCOL AXI4LITE
ipx::associate_bus_interfaces -busif s_axil -clock aclk $core
ipx::associate_bus_interfaces -clock aclk -reset aresetn $core
set memory_map [ipx::add_memory_map s_axil $core]
set block [ipx::add_address_block registers $memory_map]
set_property base_address 0 $block
set_property range 256 $block
set_property width 32 $block
set_property usage register $block
set_property slave_memory_map_ref s_axil [ipx::get_bus_interfaces s_axil -of_objects $core]
close_core $core

