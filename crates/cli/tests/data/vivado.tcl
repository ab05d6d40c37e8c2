# Runs a script for Vivado with stubs in place of Vivado's commands: tclsh vivado.tcl SCRIPT. The stubs know which objects there are and which
# properties they have; other calls are errors. They print what the script makes: a line for each core, file, map, association and reset.

array set class {fileset fileset}
array set properties {
    fileset   {top}
    core      {name version display_name description}
    bus       {abstraction_type_vlnv bus_type_vlnv interface_mode slave_memory_map_ref}
    map       {physical_name physical_left physical_right}
    parameter {value}
    memory    {name}
    block     {base_address range width usage}
}
set open ""

proc make {object kind} {
    if {[info exists ::class($object)]} { error "$object is there already" }
    set ::class($object) $kind
    return $object
}
proc need {object kind} {
    if {![info exists ::class($object)] || $::class($object) ne $kind} { error "$object is no $kind" }
}
proc set_property {name value object} {
    if {![info exists ::class($object)]} { error "no object $object" }
    if {$name ni $::properties($::class($object))} { error "a $::class($object) has no property $name" }
    set ::value($object,$name) $value
}
proc get_property {name object} { return $::value($object,$name) }
proc create_project {args} {
    if {$::open ne ""} { error "a project is open" }
    set ::open [lindex $args end-1]
}
proc close_project {args} {
    set ::open ""
    foreach object [array names ::class] { if {$object ne "fileset"} { unset ::class($object) } }
    array unset ::value
}
proc add_files {option file} {
    if {$option ne "-norecurse" || ![file isfile $file]} { error "no file $file" }
    puts "file [file tail $file]"
}
proc current_fileset {} { return fileset }
proc update_compile_order {option fileset} {}
namespace eval ipx {
    proc package_project {args} {
        # -import_files and -force have no value.
        foreach {option given} [lrange $args 0 7] {
            if {$option ni {-root_dir -vendor -library -taxonomy} || $given eq ""} { error "package_project: $option $given" }
        }
        if {[lrange $args 8 end] ne "-import_files -force"} { error "package_project: $args" }
        make core core
        make guessed memory
        set ::value(guessed,name) guessed
        make core/s_axis bus
    }
    proc current_core {} { need core core; return core }
    proc remove_all_bus_interface {core} { unset ::class(core/s_axis) }
    proc get_memory_maps {option core} { return guessed }
    proc remove_memory_map {name core} { need $name memory; unset ::class($name) }
    proc add_bus_interface {name core} { need $core core; make $core/$name bus }
    proc get_bus_interfaces {name option core} { need $core/$name bus; return $core/$name }
    proc add_port_map {logical bus} { need $bus bus; make $bus/$logical map }
    proc add_bus_parameter {name bus} { need $bus bus; make $bus.$name parameter }
    proc add_memory_map {name core} { need $core core; make memory_$name memory }
    proc add_address_block {name map} { need $map memory; make $map/$name block }
    proc associate_bus_interfaces {args} {
        if {[llength $args] != 5} { error "associate_bus_interfaces: $args" }
        lassign $args first one second two core
        need $core core
        need $core/$one bus
        need $core/$two bus
        switch "$first $second" {
            "-busif -clock" { puts "clock $one $two" }
            "-clock -reset" { puts "reset $one $two" }
            default { error "associate_bus_interfaces: $args" }
        }
    }
    proc create_xgui_files {core} {}
    proc update_checksums {core} {}
    proc check_integrity {core} {}
    proc save_core {core} {
        puts "core $::value(core,name) $::value(fileset,top)"
        foreach object [lsort [array names ::class]] {
            if {$::class($object) eq "map"} {
                lassign [split $object /] core bus logical
                set bits {}
                foreach end {left right} {
                    if {[info exists ::value($object,physical_$end)]} { lappend bits $::value($object,physical_$end) }
                }
                set bus_type $::value($core/$bus,bus_type_vlnv)
                if {$::value($core/$bus,abstraction_type_vlnv) ne [string map {:1.0 _rtl:1.0} $bus_type]} { error "types of $bus" }
                puts "map $bus $bus_type $::value($core/$bus,interface_mode) $logical $::value($object,physical_name) $bits"
            }
            if {$::class($object) eq "parameter"} { puts "parameter [lindex [split $object /] 1] $::value($object,value)" }
            if {$::class($object) eq "block"} { puts "registers $::value($object,range)" }
        }
    }
}

source [lindex $argv 0]
if {$open ne ""} { error "the project $open is open" }
