# Runs a Yosys without Tcl on scripts in Tcl, which FuseSoC writes: tclsh yosys.tcl YOSYS ARGUMENT...
#
# Every command that Tcl does not know is Yosys's. They are collected in order into FILE.ys, and `-p "tcl FILE"`
# becomes `-s FILE.ys`. So a script may compute what it tells Yosys, but cannot ask Yosys anything.

set frit_commands {}

proc yosys {args} {
    global frit_commands
    if {$args eq "-import"} return
    if {[lindex $args 0] eq "tee" || [string match *\n* $args]} {
        error "a script without Tcl cannot do this: $args"
    }
    lappend frit_commands [join $args " "]
}

proc unknown {args} { yosys {*}$args }

set arguments {}
foreach argument [lrange $argv 1 end] {
    if {![regexp {^tcl\s+(\S+)$} $argument all script] || [lindex $arguments end] ne "-p"} {
        lappend arguments $argument
        continue
    }
    source $script
    set file [open $script.ys w]
    puts $file [join $frit_commands "\n"]
    close $file
    set arguments [concat [lrange $arguments 0 end-1] [list -s $script.ys]]
}

if {[catch {exec [lindex $argv 0] {*}$arguments >@ stdout 2>@ stderr <@ stdin} message options]} {
    set code [dict get $options -errorcode]
    exit [expr {[lindex $code 0] eq "CHILDSTATUS" ? [lindex $code 2] : 1}]
}
