//! The map of the registers of control and status (`frit_axil_registers`): the only statement of addresses and bits. The cell, its
//! description in SystemRDL, the header for C and docs/registers.md are made from it.

/// What software may do with a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It reads the state of the design.
    Read,
    /// It reads what a design was generated with.
    Constant,
    ReadWrite,
    /// It reads it, and ends it by writing 1.
    Clear,
    /// It writes 1 to have something done; it reads 0.
    Pulse,
}

/// Bits of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name, in capitals.
    pub name: &'static str,
    pub low: u32,
    pub bits: u32,
    /// What software may do with it.
    pub access: Access,
    /// What it says: a phrase of plain text.
    pub meaning: &'static str,
}

/// A register of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// Its name, in capitals.
    pub name: &'static str,
    /// Its address, in bytes.
    pub address: u32,
    /// Its fields, from the lowest bit on.
    pub fields: &'static [Field],
    /// What it is for: a phrase of plain text.
    pub meaning: &'static str,
}

/// What `ID` reads: the letters FRIT.
pub const ID: u32 = 0x4652_4954;

/// What `VERSION` reads: major and minor number of the map, 16 bits each.
pub const VERSION: u32 = 0x0001_0000;

/// Bits of an address. Behind [`SPACE`] bytes there is nothing.
pub const ADDRESS_BITS: u32 = 8;

/// Bytes in which the registers are; an access behind them is answered with SLVERR.
pub const SPACE: u32 = 64;

const fn whole(name: &'static str, access: Access, meaning: &'static str) -> Field {
    Field { name, low: 0, bits: 32, access, meaning }
}

const fn bit(name: &'static str, low: u32, access: Access, meaning: &'static str) -> Field {
    Field { name, low, bits: 1, access, meaning }
}

const fn part(name: &'static str, low: u32, bits: u32, meaning: &'static str) -> Field {
    Field { name, low, bits, access: Access::Constant, meaning }
}

/// All registers, by their addresses.
pub const REGISTERS: [Register; 14] = [
    Register {
        name: "ID",
        address: 0x00,
        fields: &[whole("ID", Access::Constant, "0x46524954, the letters FRIT")],
        meaning: "identifies the register block",
    },
    Register {
        name: "VERSION",
        address: 0x04,
        fields: &[
            part("MINOR", 0, 16, "grows with additions to the map"),
            part("MAJOR", 16, 16, "grows with incompatible changes of the map"),
        ],
        meaning: "version of this map",
    },
    Register {
        name: "SYSTEM",
        address: 0x08,
        fields: &[whole(
            "SYSTEM",
            Access::Constant,
            "32-bit FNV-1a hash of the design's name, such as rls_n8_w32",
        )],
        meaning: "identifies the design",
    },
    Register {
        name: "TERMINALS",
        address: 0x0c,
        fields: &[whole("TERMINALS", Access::Constant, "the number of terminals, N")],
        meaning: "number of input streams, and of output streams",
    },
    Register {
        name: "WIDTH",
        address: 0x10,
        fields: &[
            part("DATA", 0, 16, "bits of the data in a word"),
            part("USER", 16, 15, "bits of tuser"),
            part("KEEP", 31, 1, "the streams have tkeep"),
        ],
        meaning: "contents of a word",
    },
    Register {
        name: "MESSAGE",
        address: 0x14,
        fields: &[
            part("LENGTH", 0, 16, "words of a message"),
            part("BUFFERS", 16, 16, "sets of messages that the memories can hold"),
        ],
        meaning: "message length and buffers",
    },
    Register {
        name: "RUN_CYCLES",
        address: 0x18,
        fields: &[whole("RUN_CYCLES", Access::Constant, "value of CYCLES after an exchange")],
        meaning: "cycles of an exchange, computed from the plan",
    },
    Register {
        name: "CONTROL",
        address: 0x20,
        fields: &[
            bit(
                "START",
                0,
                Access::Pulse,
                "starts an exchange; if a message is missing, sets MISSING instead",
            ),
            bit("AUTO", 1, Access::ReadWrite, "starts an exchange whenever READY is 1"),
        ],
        meaning: "starts exchanges",
    },
    Register {
        name: "STATUS",
        address: 0x24,
        fields: &[
            bit("READY", 0, Access::Read, "an exchange can begin"),
            bit("BUSY", 1, Access::Read, "an exchange runs"),
        ],
        meaning: "state of the design",
    },
    Register {
        name: "ERRORS",
        address: 0x28,
        fields: &[
            bit("MISSING", 0, Access::Clear, "a start while a message was missing"),
            bit("DOUBLE", 1, Access::Clear, "a duplicate message for a destination was dropped"),
            bit("UNKNOWN", 2, Access::Clear, "a message for a terminal that does not exist was dropped"),
            bit("LENGTH", 3, Access::Clear, "tlast was in the wrong place"),
            bit("CONFLICT", 4, Access::Clear, "two messages wanted one output of a switch"),
        ],
        meaning: "errors",
    },
    Register {
        name: "IRQ_STATUS",
        address: 0x2c,
        fields: &[
            bit("DONE", 0, Access::Clear, "an exchange has ended"),
            bit("ERROR", 1, Access::Read, "a bit of ERRORS is 1"),
        ],
        meaning: "interrupt sources",
    },
    Register {
        name: "IRQ_ENABLE",
        address: 0x30,
        fields: &[
            bit("DONE", 0, Access::ReadWrite, "irq is high while DONE of IRQ_STATUS is 1"),
            bit("ERROR", 1, Access::ReadWrite, "irq is high while ERROR of IRQ_STATUS is 1"),
        ],
        meaning: "interrupt enables",
    },
    Register {
        name: "CYCLES",
        address: 0x34,
        fields: &[whole("CYCLES", Access::Read, "cycles of the last exchange")],
        meaning: "duration of the last exchange",
    },
    Register {
        name: "EXCHANGES",
        address: 0x38,
        fields: &[whole(
            "EXCHANGES",
            Access::Read,
            "exchanges that have ended since reset; 0 follows 2^32 - 1",
        )],
        meaning: "number of exchanges",
    },
];

/// The registers of a corner turn whose sizes are loaded (`frit_axil_size`), by their addresses. A register that [`REGISTERS`] has as well
/// has the same address in both.
pub const SIZED: [Register; 7] = [
    REGISTERS[0],
    REGISTERS[1],
    REGISTERS[2],
    Register {
        name: "TERMINALS",
        address: 0x0c,
        fields: &[whole("TERMINALS", Access::Constant, "the number of words of a cycle, N")],
        meaning: "number of lanes of each stream",
    },
    REGISTERS[4],
    Register {
        name: "LIMITS",
        address: 0x1c,
        fields: &[
            part("ROWS", 0, 16, "most rows of a matrix"),
            part("COLUMNS", 16, 16, "most columns of a matrix"),
        ],
        meaning: "largest matrix",
    },
    Register {
        name: "SIZE",
        address: 0x3c,
        fields: &[
            Field {
                name: "ROWS",
                low: 0,
                bits: 16,
                access: Access::ReadWrite,
                meaning: "rows: a multiple of N up to LIMITS",
            },
            Field {
                name: "COLUMNS",
                low: 16,
                bits: 16,
                access: Access::ReadWrite,
                meaning: "columns: a multiple of N up to LIMITS",
            },
        ],
        meaning: "size of the next matrix",
    },
];

/// Those of a streamed permutation with one size.
pub const FIXED: [Register; 7] = [
    SIZED[0],
    SIZED[1],
    SIZED[2],
    SIZED[3],
    SIZED[4],
    SIZED[5],
    Register {
        name: "SIZE",
        address: 0x3c,
        fields: &[
            part("ROWS", 0, 16, "rows of a matrix; beats of a data set that is no matrix"),
            part("COLUMNS", 16, 16, "columns of a matrix; words of a beat of a data set that is no matrix"),
        ],
        meaning: "size of a data set; a write is answered with SLVERR",
    },
];

/// The register of this name of a corner turn whose sizes are loaded; panics if there is none.
pub fn sized(name: &str) -> &'static Register {
    SIZED.iter().find(|register| register.name == name).unwrap_or_else(|| panic!("no register {name}"))
}

/// The register of this name; panics if there is none (a broken invariant of the caller).
pub fn register(name: &str) -> &'static Register {
    REGISTERS.iter().find(|register| register.name == name).unwrap_or_else(|| panic!("no register {name}"))
}

impl Register {
    /// The field of this name; panics if there is none.
    pub fn field(&self, name: &str) -> &'static Field {
        let found = self.fields.iter().find(|field| field.name == name);
        found.unwrap_or_else(|| panic!("no field {name} in {}", self.name))
    }

    /// The number of its word.
    pub fn index(&self) -> u64 {
        u64::from(self.address / 4)
    }
}

impl Field {
    /// Its bits as ones.
    pub fn mask(&self) -> u32 {
        (u32::MAX >> (32 - self.bits)) << self.low
    }
}

/// What the constant registers of a design read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constants {
    pub system: u32,
    pub terminals: u32,
    /// `WIDTH`.
    pub width: u32,
    pub message: u32,
    /// `RUN_CYCLES`.
    pub run_cycles: u32,
}

impl Constants {
    /// What a register reads, if that is a constant.
    pub fn of(&self, name: &str) -> Option<u32> {
        Some(match name {
            "ID" => ID,
            "VERSION" => VERSION,
            "SYSTEM" => self.system,
            "TERMINALS" => self.terminals,
            "WIDTH" => self.width,
            "MESSAGE" => self.message,
            "RUN_CYCLES" => self.run_cycles,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_is_in_order_and_nothing_overlaps() {
        for pair in REGISTERS.windows(2) {
            assert!(pair[0].address < pair[1].address, "{}", pair[1].name);
        }
        for register in REGISTERS {
            assert!(register.address.is_multiple_of(4) && register.address < SPACE, "{}", register.name);
            let mut used = 0u32;
            for field in register.fields {
                assert_eq!(used & field.mask(), 0, "{}.{}", register.name, field.name);
                used |= field.mask();
            }
        }
        // Everything that is written is in the lowest 5 bits, which is what the cell keeps of a word.
        let fields = REGISTERS.iter().flat_map(|register| register.fields);
        let written = fields.filter(|field| !matches!(field.access, Access::Read | Access::Constant));
        assert!(written.fold(0, |all, field| all | field.mask()) < 1 << 5);
    }
}
