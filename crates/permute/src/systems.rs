//! The table of streamed systems, and how their plans are made. Keys, sizes and options are checked here and nowhere else.

use crate::gf2::Matrix;
use crate::linear::{Pages, with_one_bank, with_two_banks};
use crate::named::{self, KINDS, given, small};
pub use crate::order::{MAX_AXES, MAX_TABLE, MAX_WORDS};
use crate::order::{Order, transpose};
use crate::streamed::{Form, Streamed, blocks};
use crate::{coloured, skew};
use frit_network::options::{NumberDefault, OptionSpec, Request, Row, Values, complete};
use frit_network::{Refusal, refusal, refuse};

/// The most rows, and columns, of a matrix whose size is loaded: a register has 16 bits for each.
pub const MAX_SIDE: u64 = (1 << 16) - 1;

/// The most words of a cycle.
pub const MAX_LANES: u64 = 1 << 10;

const SOURCES: &str = "powers of two: F. Serre, T. Holenstein, M. Pueschel (FPGA 2016); skewed storage: K. E. Batcher (AFIPS 1974); any order: D. Koenig (1916), V. E. Benes (1965)";

const BANKS: OptionSpec = OptionSpec {
    name: "banks",
    values: Values::Words(&["1", "2"]),
    help: "powers of two: one bank of memories between two networks (fewest memories), or one network between two banks (fewest switches)",
    compared: false,
};

const PAGES: OptionSpec = OptionSpec {
    name: "pages",
    values: Values::Words(&["auto", "1", "2"]),
    help: "1: a memory has room for one data set, and the addresses change with each data set; 2: room for two data sets; auto: 1 if it takes 16 orders of addresses or fewer",
    compared: false,
};

const DIMS: OptionSpec = OptionSpec {
    name: "dims",
    values: Values::Words(&["fixed", "runtime"]),
    help: "fixed: every matrix has rows x cols; runtime: each matrix has the size that is loaded before it, multiples of N = 2^k up to rows and cols",
    compared: false,
};

const KEEP: OptionSpec = OptionSpec {
    name: "keep",
    values: Values::Words(&["no", "yes"]),
    help: "tkeep on both streams: a bit for each byte of a word, which leaves with the word",
    compared: false,
};

const USER: OptionSpec = OptionSpec {
    name: "user",
    values: Values::Number { min: 0, max: 64, default: NumberDefault::Fixed(0) },
    help: "tuser on both streams: this many bits for each word, which leave with the word; 0: no tuser",
    compared: false,
};

const fn number(name: &'static str, default: NumberDefault, help: &'static str) -> OptionSpec {
    OptionSpec { name, values: Values::Number { min: 1, max: MAX_WORDS, default }, help, compared: false }
}

/// Transposes.
pub static TRANSPOSE: Row = Row {
    key: "transpose",
    title: "Corner turn: a matrix streams in row by row, N words a cycle, and leaves column by column",
    sizes: "N >= 2 words a cycle, rows x columns a multiple of N; fewest parts: powers of two, or rows and columns multiples of N",
    cycles: "rows x columns / N a matrix; the output begins wait + registers cycles after the input",
    drivers: "one bit per column of switches and cycle; any other size: stored settings",
    paper: SOURCES,
    options: &[
        number("rows", NumberDefault::Computed("N"), "rows of the matrix"),
        number("cols", NumberDefault::Computed("rows"), "columns of the matrix"),
        DIMS,
        BANKS,
        PAGES,
        KEEP,
        USER,
    ],
    example: 8,
};

/// The option that takes a matrix.
pub const MATRIX: OptionSpec = OptionSpec {
    name: "matrix",
    values: Values::File,
    help: "matrix over GF(2): n lines of n characters 0 or 1, with or without blanks between them, most significant bit first (row: output, column: input); a line `xor BITS` adds a constant",
    compared: false,
};

/// The option that takes an order of words.
pub const PERMUTATION: OptionSpec = OptionSpec {
    name: "permutation",
    values: Values::File,
    help: "a file with the place of each word in the output, word 0 first",
    compared: false,
};

/// The option that takes an order of words by what leaves.
pub const GATHER: OptionSpec = OptionSpec {
    name: "gather",
    values: Values::File,
    help: "a file with the word of the input that leaves at each place, place 0 first",
    compared: false,
};

/// Any order of words.
pub static PERMUTE: Row = Row {
    key: "permute",
    title: "Any fixed order of the words of a data set that streams through, N words a cycle",
    sizes: "N >= 2 words a cycle, words a multiple of N; a matrix over GF(2) needs N = 2^k",
    cycles: "words / N a data set; the output begins wait + registers cycles after the input",
    drivers: "one bit per column of switches and cycle; any other order: stored settings",
    paper: SOURCES,
    options: &[
        MATRIX,
        PERMUTATION,
        GATHER,
        OptionSpec {
            name: "kind",
            values: Values::Words(KINDS),
            help: "a named order: bit or digit reversal, stride (word i to place i x stride), perfect shuffle (stride 2), affine (i to a x i + c), pfa and crt (Good's and the Chinese order of a prime-factor FFT), or axes of an array",
            compared: false,
        },
        number(
            "words",
            NumberDefault::Computed("N^2"),
            "words of a data set (bitrev, digitrev, stride, shuffle; affine: at most 65536)",
        ),
        number(
            "stride",
            NumberDefault::Fixed(2),
            "distance in the output of words that follow each other in the input (stride)",
        ),
        OptionSpec {
            name: "radix",
            values: Values::Number { min: 2, max: MAX_WORDS, default: NumberDefault::Fixed(4) },
            help: "base of the digits that are reversed; words is a power of it (digitrev)",
            compared: false,
        },
        number("a", NumberDefault::Fixed(5), "factor, with no divisor in common with words (affine)"),
        OptionSpec {
            name: "c",
            values: Values::Number { min: 0, max: MAX_WORDS, default: NumberDefault::Fixed(0) },
            help: "what is added (affine)",
            compared: false,
        },
        OptionSpec {
            name: "factors",
            values: Values::Numbers { between: ',', min: 2, example: "7,9,16" },
            help: "lengths of the axes of a prime-factor FFT; no two have a common divisor (pfa, crt)",
            compared: false,
        },
        OptionSpec {
            name: "shape",
            values: Values::Numbers { between: 'x', min: 1, example: "1x128x12x32" },
            help: "lengths of the axes of an array, the slowest first (axes)",
            compared: false,
        },
        OptionSpec {
            name: "axes",
            values: Values::Numbers { between: ',', min: 0, example: "0,2,1,3" },
            help: "axes of the input in the order of the output, the slowest first (axes)",
            compared: false,
        },
        OptionSpec {
            name: "inverse",
            values: Values::Words(&["no", "yes"]),
            help: "the order that brings the words back: word j of the input leaves as word i",
            compared: false,
        },
        BANKS,
        PAGES,
        KEEP,
        USER,
    ],
    example: 8,
};

/// All streamed systems.
pub static STREAMED: &[&Row] = &[&TRANSPOSE, &PERMUTE];

/// The row of the streamed system with this key.
pub fn streamed_row(key: &str) -> Option<&'static Row> {
    STREAMED.iter().copied().find(|row| row.key == key)
}

/// The plan of a request without files.
///
/// # Errors
///
/// If there is no such system or size.
pub fn streamed(request: &Request) -> Result<Streamed, Refusal> {
    let (row, complete) = completed(request)?;
    if row.key == PERMUTE.key {
        named::refuse_others(request, &complete.options["kind"], PERMUTE.options)?;
    }
    let request = complete;
    let order = match row.key {
        "transpose" if request.options["dims"] == "runtime" => return loaded(row, &request),
        "transpose" => transpose_order(&request)?,
        _ => named::order(&request)?,
    };
    of_order(row, &request, turned(&request, order))
}

/// The order, or the inverse if it is asked for.
fn turned(request: &Request, order: Order) -> Order {
    if request.options.get("inverse").is_some_and(|inverse| inverse == "yes") {
        order.inverse()
    } else {
        order
    }
}

/// The plan with a matrix over GF(2) and a constant.
///
/// # Errors
///
/// If the words of a cycle do not fit, or an option does not.
pub fn with_matrix(request: &Request, matrix: Matrix, constant: u64) -> Result<Streamed, Refusal> {
    named::refuse_named(request, PERMUTE.options)?;
    let (row, request) = completed(request)?;
    let (bits, lanes) = (matrix.height(), request.terminals);
    if u64::from(bits) > u64::from(MAX_WORDS.trailing_zeros()) {
        let words = 1u64.checked_shl(bits).unwrap_or(u64::MAX);
        refuse!(
            "a matrix of {bits} rows has {words} words, more than the {MAX_WORDS} that are possible; give a smaller matrix"
        );
    }
    if !lanes.is_power_of_two() || lanes > 1 << bits {
        let above = lanes.checked_next_power_of_two().unwrap_or(MAX_LANES);
        let nearest = if above - lanes > lanes - above / 2 { above / 2 } else { above };
        refuse!(
            "-n {lanes}: a matrix over GF(2) needs a power of two of words a cycle, at most its 2^{bits} words; the nearest is -n {}",
            nearest.min(1 << bits)
        );
    }
    let order = turned(&request, Order::Linear { matrix, constant });
    Ok(custom(of_order(row, &request, order)?))
}

/// The plan with the place of each word; [`frit_traffic::permutation::parse`] gives permutations.
///
/// # Errors
///
/// If the words do not fill whole cycles, or an option does not fit.
pub fn with_permutation(request: &Request, permutation: Vec<u32>) -> Result<Streamed, Refusal> {
    named::refuse_named(request, PERMUTE.options)?;
    let (row, request) = completed(request)?;
    let order = turned(&request, Order::of_table(permutation));
    Ok(custom(of_order(row, &request, order)?))
}

/// The plan with a digest of its order (FNV-1a, 32 bits), which tells it from others.
fn custom(streamed: Streamed) -> Streamed {
    let places = (0..streamed.order.words()).map(|word| streamed.order.destination(word) as u32);
    let digest = places.fold(0x811c_9dc5, |digest: u32, place| (digest ^ place).wrapping_mul(0x0100_0193));
    Streamed { custom: Some(digest), ..streamed }
}

fn completed(request: &Request) -> Result<(&'static Row, Request), Refusal> {
    let row = streamed_row(&request.system).ok_or_else(|| {
        refusal!(
            "{:?} is not a streamed system; the streamed systems are transpose and permute",
            request.system
        )
    })?;
    let options = complete(row.key, row.options, &request.options)?;
    if !(2..=MAX_LANES).contains(&request.terminals) {
        refuse!(
            "-n {}: {} moves 2 to {MAX_LANES} words a cycle; give -n in this range, for example -n 8",
            request.terminals,
            row.key
        );
    }
    Ok((row, Request { options, ..request.clone() }))
}

fn transpose_order(request: &Request) -> Result<Order, Refusal> {
    let rows = given(request, "rows", request.terminals);
    let columns = given(request, "cols", rows);
    let (lanes, words) = (request.terminals, rows * columns);
    let what = || format!("a matrix of {rows} x {columns}");
    small(what(), words, MAX_WORDS, "give fewer rows or columns")?;
    if !words.is_multiple_of(lanes) {
        // A multiple of N in place of the columns is enough.
        let (low, high) = (columns / lanes * lanes, columns.next_multiple_of(lanes));
        let advice = match low {
            0 => format!("pad to cols={high}"),
            _ => format!("the nearest sizes are cols={low} and cols={high}; pad to cols={high}"),
        };
        refuse!(
            "{} has {words} words, which is no multiple of the {lanes} words of a cycle (-n); {advice}",
            what()
        );
    }
    Ok(transpose(rows as u32, columns as u32))
}

/// A transpose of matrices whose sizes are loaded at run time.
fn loaded(row: &'static Row, request: &Request) -> Result<Streamed, Refusal> {
    let rows = given(request, "rows", request.terminals);
    let (lanes, columns) = (request.terminals, given(request, "cols", rows));
    let fits = |side: u64| side.is_multiple_of(lanes) && side <= MAX_SIDE;
    if !lanes.is_power_of_two() || !fits(rows) || !fits(columns) || rows.max(columns) == lanes {
        refuse!(
            "dims=runtime with {rows} x {columns} words, {lanes} a cycle: it needs a power of two of words a cycle (-n), rows and cols that are multiples of it, at most {MAX_SIDE}, and not both equal to it; give for example -n 8 --rows 64 --cols 64"
        );
    }
    small(
        format!("a matrix of {rows} x {columns}"),
        rows * columns,
        MAX_WORDS,
        "give fewer rows or columns",
    )?;
    if request.options["banks"] == "2" || request.options["pages"] == "1" {
        refuse!("dims=runtime has one bank of memories and two pages; leave banks and pages out");
    }
    let empty = Streamed {
        row,
        options: request.options.clone(),
        lanes: lanes as u32,
        inner_lanes: lanes as u32,
        cycles: 0,
        order: Order::Transpose { rows: 0, columns: 0 },
        form: Form::Loaded,
        parts: Vec::new(),
        wait: 0,
        custom: None,
        variant: None,
    };
    Ok(empty.of_size(rows as u32, columns as u32))
}

fn of_order(row: &'static Row, request: &Request, order: Order) -> Result<Streamed, Refusal> {
    let (lanes, words) = (request.terminals as u32, order.words());
    if !words.is_multiple_of(lanes.into()) {
        let advice = "give -n that divides the words".to_string();
        let what = "the order".to_string();
        refuse!(
            "{what} has {words} words, which is no multiple of the {lanes} words of a cycle (-n); {advice}"
        );
    }
    let pages = match request.options["pages"].as_str() {
        "1" => Pages::One,
        "2" => Pages::Two,
        _ => Pages::Auto,
    };
    let two_banks = request.options["banks"] == "2";
    let wait = order.wait(lanes) as u32;
    let (form, parts, inner_lanes) = match (blocks(&order, lanes), &order) {
        (Some(cut), Order::Linear { constant, .. }) if two_banks => {
            (Form::TwoBanks, with_two_banks(&cut, *constant, pages)?, lanes)
        }
        (Some(cut), Order::Linear { constant, .. }) => {
            (Form::OneBank, with_one_bank(&cut, *constant, pages)?, lanes)
        }
        _ if two_banks => refuse!(
            "banks=2 is for orders that are linear on the bits of a word's number, and this order is not; leave banks out"
        ),
        (_, &Order::Transpose { rows, columns })
            if rows.is_multiple_of(lanes) && columns.is_multiple_of(lanes) =>
        {
            if pages == Pages::One && rows != columns {
                refuse!(
                    "pages=1 is for matrices whose sizes are powers of two, and for squares; leave pages out, or give pages=2"
                );
            }
            let parts = skew::transpose(rows, columns, lanes, pages != Pages::Two, wait);
            (Form::Skewed, parts, coloured::inner_lanes(lanes))
        }
        _ if pages == Pages::One => refuse!(
            "pages=1 is for matrices whose sizes are powers of two, and for squares; leave pages out, or give pages=2"
        ),
        _ => {
            let advice = "no tables are needed for transposes whose rows and columns are multiples of -n, and for orders that are linear on the bits of a word's number";
            small("an order with stored settings".into(), words, MAX_TABLE, advice)?;
            (Form::Coloured, coloured::parts(&order, lanes, wait), coloured::inner_lanes(lanes))
        }
    };
    let cycles = (words / u64::from(lanes)) as u32;
    let options = request.options.clone();
    Ok(Streamed {
        row,
        options,
        lanes,
        inner_lanes,
        cycles,
        order,
        form,
        parts,
        wait,
        custom: None,
        variant: None,
    })
}

#[cfg(test)]
mod tests;
