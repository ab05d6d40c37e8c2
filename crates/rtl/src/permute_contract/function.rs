//! A function of a number as Verilog: bits that are linear on those of the number as sums, others as a table.

use std::fmt::Write;

/// The wire `name` of `bits` bits as a function of the wire `of`, which has `of_bits` bits: `values[of]`. Beyond the values it may be anything.
pub(super) fn function(name: &str, bits: u32, (of, of_bits): (&str, u32), values: &[u64]) -> String {
    let high = bits - 1;
    if let Some(rows) = (0..bits).rev().map(|bit| affine(bit, of_bits, values)).collect::<Option<Vec<_>>>() {
        let sums: Vec<String> = rows.iter().map(|&row| sum(of, of_bits, row)).collect();
        return format!("  wire [{high}:0] {name} = {{ {} }};\n", sums.join(", "));
    }
    let mut text = format!("  reg [{high}:0] {name};\n  always @(*) begin\n    case ({of})\n");
    for (at, value) in values.iter().enumerate() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "      {at}: {name} = {bits}'d{value};");
    }
    text + &format!("      default: {name} = 0;\n    endcase\n  end\n")
}

/// The bits that are added, and whether the sum is inverted, if a bit of the values is linear on the number.
fn affine(bit: u32, of_bits: u32, values: &[u64]) -> Option<(u64, bool)> {
    let of = |at: usize| values[at] >> bit & 1 == 1;
    let flip = of(0);
    let known = |at: &u32| (1 << at) < values.len();
    let mask = (0..of_bits).filter(known).fold(0, |mask, at| mask | u64::from(of(1 << at) ^ flip) << at);
    let fits = |at: usize| ((at as u64 & mask).count_ones() % 2 == 1) ^ flip == of(at);
    (0..values.len()).all(fits).then_some((mask, flip))
}

fn sum(of: &str, bits: u32, (mask, flip): (u64, bool)) -> String {
    match (mask, flip) {
        (0, flip) => format!("1'b{}", u8::from(flip)),
        (_, flip) => format!("{}(^({of} & {bits}'d{mask}))", if flip { "~" } else { "" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_linear_is_a_sum() {
        assert_eq!(
            function("f", 2, ("i", 2), &[1, 2, 3, 0]),
            "  wire [1:0] f = { (^(i & 2'd3)), ~(^(i & 2'd1)) };\n"
        );
        assert_eq!(function("f", 1, ("i", 2), &[0, 0, 0]), "  wire [0:0] f = { 1'b0 };\n");
        assert!(function("f", 1, ("i", 2), &[0, 0, 0, 1]).contains("      3: f = 1'd1;\n"));
    }
}
