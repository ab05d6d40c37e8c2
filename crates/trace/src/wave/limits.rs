//! What is read of others' waveforms. Readers hold a name for each signal that begins with those of all its scopes, and a
//! character for each bit of a value: a small file can ask for all the memory there is.

/// The widest signal that is read: a port of 4096 lanes of 1024 bits, our widest, has half of it.
pub(super) const MAX_READ_BITS: u32 = 1 << 23;

/// The deepest nest of scopes that is read.
pub(super) const MAX_DEPTH: u32 = 256;
