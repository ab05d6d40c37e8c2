use crate::table::*;
use frit_schedule::de_bruijn::DeBruijn as Sequence;

/// The bits of the longest literal: Icarus reads none of 16384 digits, and a reader none of much fewer.
const PIECE: usize = 256;

cell! {
    /// The next bit of a de Bruijn sequence from a table with a bit for every state.
    ///
    /// rust-hdl's kernels have no constant of 2^l bits, so this one cell gives its Verilog itself; the tests hold it to its
    /// simulation like every other.
    NextBitTable, NextBitTableSpec, "frit_next_bit_table_SEQUENCE_ORDER" of sequence, order:
    "Next bit of a de Bruijn sequence from a table with one bit for every state. Combinational.";
    "It works for every sequence, including a user's own. No state.";
    owned {
        order: u32 = 2, "the order of the sequence";
        sequence: String = "prefer_one".into(), "the name of the sequence, part of the module's";
        table: Vec<bool> = NextBitTableSpec::of(&Sequence::prefer_one(2).expect("a small order"), "").table,
            "the next bit of every state";
    }
    ports {
        In state_i: Bus(order), "state, the bit that leaves first on top";
        Out bit_o: Bit, "bit that enters, same cycle";
    }
    with {
        assert_eq!(table.len(), 1 << order, "a next-bit table has a bit for every state");
    }
    parts {
        _table: Vec<bool> = table;
    }
    describe {
        fn fixed(&self) -> Vec<Parameter> {
            vec![
                Parameter::plain("Order", self.order, "order of the sequence, bits of a state; the module's name contains the order and the sequence"),
            ]
        }
        fn canonical(&self) -> Self {
            self.clone()
        }
    }
}

impl NextBitTableSpec {
    pub fn of(sequence: &Sequence, name: &str) -> Self {
        let (order, bits) = (sequence.order(), sequence.feedback());
        let table = (0..1usize << order).map(|state| bits.get(state)).collect();
        NextBitTableSpec { order, sequence: name.into(), table }
    }
}

impl kernel::Kernel for NextBitTable {
    fn update(&mut self) {
        self.bit_o.next = self._table[self.state_i.val().value() as usize];
    }
    fn connect(&mut self) {
        self.bit_o.connect();
    }
    fn hdl(&self) -> Verilog {
        let bits = self._table.len();
        let digit = |nibble: &[bool]| {
            let value = nibble.iter().rev().fold(0, |value, bit| value << 1 | *bit as u32);
            char::from_digit(value, 16).unwrap_or('0') // a nibble is always a digit
        };
        let digits: String = self._table.chunks(4).map(digit).rev().collect();
        let value = if bits <= PIECE {
            format!("{bits}'h{digits}")
        } else {
            // Both are powers of two, and so all pieces are of the same length.
            let pieces = digits.as_bytes().chunks(PIECE / 4).map(String::from_utf8_lossy);
            let lines: Vec<String> = pieces.map(|piece| format!("  {PIECE}'h{piece}")).collect();
            format!("{{\n{}\n}}", lines.join(",\n"))
        };
        Verilog::Custom(format!(
            "localparam [{}:0] TABLE = {value};\n\nassign bit_o = TABLE[state_i];",
            bits - 1
        ))
    }
}
