//! A model of ECP5's block RAM `DP16KD`, which Yosys has as a black box: 1,024 words of 18 bits, read and written through two ports of 1, 2,
//! 4, 9 or 18 bits. Words of 36 bits are written through port A and read through port B: each is two words of 18 bits, the lower one at the
//! pins of A. Written from the vendor's description; it models what netlists of Yosys use.

use std::fmt::Write;

pub(super) const NAME: &str = "DP16KD";

pub(super) fn model() -> String {
    let pins = |name: &str, count: u32| {
        (0..count).rev().map(|pin| format!("{name}{pin}")).collect::<Vec<_>>().join(", ")
    };
    let mut text = format!("module {NAME} (\n");
    for port in ["A", "B"] {
        let comma = if port == "A" { "," } else { "" };
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "  input {}, {}, {},\n  input CE{port}, OCE{port}, CLK{port}, WE{port}, RST{port},\n  output {}{comma}",
            pins(&format!("DI{port}"), 18),
            pins(&format!("AD{port}"), 14),
            pins(&format!("CS{port}"), 3),
            pins(&format!("DO{port}"), 18)
        );
    }
    text += ");\n";
    for (name, value) in [("RESETMODE", "SYNC"), ("ASYNC_RESET_RELEASE", "SYNC"), ("GSR", "ENABLED")] {
        let _ = writeln!(text, "  parameter {name} = \"{value}\";");
    }
    for port in ["A", "B"] {
        let _ = writeln!(
            text,
            "  parameter DATA_WIDTH_{port} = 18;\n  parameter REGMODE_{port} = \"NOREG\";\n  parameter CSDECODE_{port} = \"0b000\";\n  \
             parameter WRITEMODE_{port} = \"NORMAL\";\n  parameter CLK{port}MUX = \"CLK{port}\";"
        );
    }
    let initial: Vec<String> = (0..64).map(|row| format!("INITVAL_{row:02X}")).collect();
    for name in &initial {
        let _ = writeln!(text, "  parameter [319:0] {name} = 320'h0;");
    }
    let rows: Vec<&str> = initial.iter().rev().map(String::as_str).collect();
    let _ = writeln!(text, "  wire [20479:0] initial_words = {{{}}};", rows.join(", "));
    text += COMMON;
    for port in ["A", "B"] {
        let lower = port.to_lowercase();
        let _ = writeln!(
            text,
            "  wire [13:0] address_{lower} = {{{}}};\n  wire [17:0] data_{lower} = {{{}}};\n  wire [17:0] now_{lower} = {};\n  assign {{{}}} = REGMODE_{port} == \"OUTREG\" ? out_{lower} : now_{lower};",
            pins(&format!("AD{port}"), 14),
            pins(&format!("DI{port}"), 18),
            if port == "A" { "DATA_WIDTH_B == 36 ? low : read_a" } else { "read_b" },
            pins(&format!("DO{port}"), 18),
        );
        text +=
            &PORT.replace("_A", &format!("_{port}")).replace("_a", &format!("_{lower}")).replace('%', port);
    }
    text + WIDE + "endmodule\n"
}

/// The memory, and where an access has its bits in a word.
const COMMON: &str = "  reg [17:0] memory [0:1023];
  integer word;
  initial for (word = 0; word < 1024; word = word + 1) memory[word] = initial_words[word / 16 * 320 + word % 16 * 20 +: 18];
  reg [17:0] read_a = 0, out_a = 0, read_b = 0, out_b = 0, low = 0;
  // The place of the lowest bit; the upper half of a word begins at bit 9.
  function [4:0] place(input integer width, input [3:0] low);
    case (width)
      18, 36: place = 0;
      9: place = low[3] ? 9 : 0;
      4: place = (low[3] ? 9 : 0) + {low[2], 2'b0};
      2: place = (low[3] ? 9 : 0) + {low[2:1], 1'b0};
      default: place = (low[3] ? 9 : 0) + low[2:0];
    endcase
  endfunction
  // The bits that an access writes; 18 bits have an enable for each half.
  function [17:0] mask(input integer width, input [3:0] low);
    if (width == 18) mask = {{9{low[1]}}, {9{low[0]}}};
    else mask = ((18'd1 << width) - 18'd1) << place(width, low);
  endfunction
";

/// Words of 36 bits, with an enable for each nine.
const WIDE: &str = "  wire [17:0] mask_low = {{9{address_a[1]}}, {9{address_a[0]}}}, mask_high = {{9{address_a[3]}}, {9{address_a[2]}}};
  wire [9:0] row_low = {address_a[13:5], 1'b0};
  always @(posedge CLKA) if (CEA && WEA && DATA_WIDTH_A == 36) begin
    memory[row_low] <= (memory[row_low] & ~mask_low) | (data_a & mask_low);
    memory[row_a] <= (old_a & ~mask_high) | (data_b & mask_high);
  end
  always @(posedge CLKB) begin
    if (CEB && DATA_WIDTH_B == 36) low <= memory[{address_b[13:5], 1'b0}];
    if (RSTB) low <= 0;
  end
";

/// A port; `%` stands for its letter.
const PORT: &str = "  wire [17:0] mask_a = mask(DATA_WIDTH_A, address_a[3:0]);
  wire [4:0] place_a = place(DATA_WIDTH_A, address_a[3:0]);
  wire [9:0] row_a = DATA_WIDTH_A == 36 ? {address_a[13:5], 1'b1} : address_a[13:4];
  wire [17:0] old_a = memory[row_a];
  wire [17:0] new_a = (old_a & ~mask_a) | ((data_a << place_a) & mask_a);
  always @(posedge CLK%) begin
    if (CE%) begin
      if (WE% && DATA_WIDTH_A != 36) memory[row_a] <= new_a;
      if (!WE% || WRITEMODE_A != \"NORMAL\") read_a <= (WE% && WRITEMODE_A == \"WRITETHROUGH\" ? new_a : old_a) >> place_a;
    end
    if (OCE%) out_a <= now_a;
    if (RST%) begin
      read_a <= 0;
      out_a <= 0;
    end
  end
";
