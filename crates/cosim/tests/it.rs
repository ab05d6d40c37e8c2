//! The tests of what runs tools and reads files, one module each. They are one program, since linking one takes as long as running many of them.

mod support;

mod device;
mod dilated;
mod faults;
mod formal;
mod formal_crossbar;
mod formal_loaded;
mod formal_permute;
mod formal_ports;
mod formal_streams;
mod multibutterfly;
mod optical;
mod permute;
mod proof;
