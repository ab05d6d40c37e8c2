//! Tables of numbers as spreadsheets, pandas and NumPy write them: lines of cells between commas, semicolons, tabs or blanks. The first line
//! may name the columns, and the first column may name or number the rows.

use frit_network::name::beginning;
use frit_network::{Refusal, refusal, refuse};
use frit_traffic::npy::whole;

/// A source, a destination, and the words from one to the other.
type Pair = (u64, u64, u64);

/// The numbers of a table, without names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The names of the columns, if the first line has them.
    pub header: Option<Vec<String>>,
    /// The numbers of a line, and which line of the file it is.
    pub rows: Vec<(usize, Vec<u64>)>,
}

/// Names of a column that numbers the rows.
const INDEX: [&str; 3] = ["", "index", "unnamed: 0"];

/// Names of a column that numbers the rows if its numbers do.
const RANKS: [&str; 8] = ["rank", "row", "id", "gpu", "node", "device", "terminal", "source"];

/// What the three columns of a list are called, in any order.
const LIST: [&[&str]; 3] = [
    &["source", "src", "from", "sender"],
    &["destination", "dest", "dst", "to", "receiver"],
    &["words", "word", "count", "counts", "tokens", "value", "values"],
];

/// Reads a table. Lines that start with `#` are comments.
pub fn parse(text: &str) -> Result<Table, Refusal> {
    let lines = (1..).zip(text.lines().map(|line| line.trim_matches([' ', '\r'])));
    let mut lines: Vec<(usize, &str)> =
        lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')).collect();
    let Some(&(_, first)) = lines.first() else { return Ok(Table { header: None, rows: Vec::new() }) };
    let separator = [',', ';', '\t'].into_iter().find(|&separator| first.contains(separator));
    let names_a_row = |(_, line): &(usize, &str)| is_name(cells(line, separator).next().unwrap_or_default());
    // The column of names may have none itself, and the line of names may have only numbers.
    let named = lines.len() > 1 && lines[1..].iter().all(names_a_row);
    let headed = match named {
        true => cells(first, separator).skip(1).any(is_name),
        false => cells(first, separator).any(is_name) || first.starts_with(',') || first.starts_with(';'),
    };
    let mut header: Option<Vec<String>> =
        headed.then(|| cells(lines.remove(0).1, separator).map(str::to_string).collect());
    let columns = lines.first().map_or(0, |(_, line)| cells(line, separator).count());
    let counts = |from: usize| {
        lines
            .iter()
            .zip(from..)
            .all(|((_, line), at)| cells(line, separator).next().unwrap_or_default().parse() == Ok(at))
    };
    let numbered = header.as_deref().is_some_and(|header| {
        let called =
            |names: &[&str]| header.len() == columns && names.contains(&header[0].to_lowercase().as_str());
        let spare = columns == lines.len() + 1 || called(&RANKS);
        columns > 1 && order(header).is_none() && (called(&INDEX) || spare && (counts(0) || counts(1)))
    });
    let skipped = usize::from(named || numbered);
    if let Some(header) = header.as_mut().filter(|header| header.len() + skipped > columns) {
        header.drain(..skipped);
    }
    let row = |&(line, text): &(usize, &str)| Ok((line, numbers(line, skipped, cells(text, separator))?));
    let rows = lines.iter().map(row).collect::<Result<_, Refusal>>()?;
    Ok(Table { header, rows }.without_numbers_of_columns())
}

impl Table {
    /// In pandas a table without names has numbered columns. Three columns are a list, whose first line may look the same.
    fn without_numbers_of_columns(mut self) -> Table {
        let (lines, first) = (self.rows.len(), self.rows.first().map_or(&[][..], |(_, row)| row));
        let counted = |from: u64| first.iter().copied().eq(from..from + first.len() as u64);
        if self.header.is_none() && first.len() > 3 && lines == first.len() + 1 && (counted(0) || counted(1))
        {
            self.rows.remove(0);
        }
        self
    }

    /// The (source, destination, words) of each line if the table is a list of pairs: its header says so, or it has none and three
    /// columns, but not three rows.
    pub fn list(&self) -> Result<Option<Vec<Pair>>, Refusal> {
        if self.rows.is_empty() && self.header.as_deref().and_then(order).is_none() {
            refuse!(
                "the file has no numbers; give N lines of N numbers, or lines `source,destination,words`"
            );
        }
        let threes = self.rows.len() != 3 && self.rows.iter().all(|(_, row)| row.len() == 3);
        let order = match &self.header {
            Some(header) => match order(header) {
                None if threes => refuse!(
                    "the columns {:?} fit neither a list (source,destination,words) nor {} terminals; give a line for each pair, or N lines of N numbers",
                    beginning(&header.join(",")),
                    self.rows.len()
                ),
                order => order,
            },
            None => threes.then_some([0, 1, 2]),
        };
        let Some(order) = order else { return Ok(None) };
        let pair = |(line, row): &(usize, Vec<u64>)| match row.len() {
            3 => Ok((row[order[0]], row[order[1]], row[order[2]])),
            _ => {
                let given: Vec<String> = row.iter().map(u64::to_string).collect();
                Err(refusal!(
                    "line {line}: {:?} is not `source,destination,words`",
                    beginning(&given.join(","))
                ))
            }
        };
        Ok(Some(self.rows.iter().map(pair).collect::<Result<_, _>>()?))
    }
}

/// In which columns a list has sources, destinations and words.
fn order(header: &[String]) -> Option<[usize; 3]> {
    let place = |names: &[&str]| header.iter().position(|name| names.contains(&name.to_lowercase().as_str()));
    match (header.len(), LIST.map(place)) {
        (3, [Some(source), Some(destination), Some(words)]) => Some([source, destination, words]),
        _ => None,
    }
}

/// The cells of a line between separators that do not stand in quotes, or between blanks.
pub(crate) fn cells(line: &str, separator: Option<char>) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let between = move |c: char| {
        quoted ^= c == '"';
        !quoted && separator.map_or(c.is_whitespace(), |separator| c == separator)
    };
    fn bare(cell: &str) -> &str {
        cell.trim().trim_matches('"').trim()
    }
    // Several blanks are one.
    line.split(between).filter(move |cell| separator.is_some() || !cell.is_empty()).map(bare)
}

fn is_name(cell: &str) -> bool {
    !cell.is_empty() && cell.parse::<f64>().is_err()
}

/// The numbers of a line behind the cells that are skipped.
pub(crate) fn numbers<'a>(
    line: usize,
    skipped: usize,
    cells: impl Iterator<Item = &'a str>,
) -> Result<Vec<u64>, Refusal> {
    let number = |(at, cell): (usize, &str)| {
        if cell.is_empty() {
            refuse!(
                "line {line}, cell {at} is empty; give a whole number in every cell, 0 where there are no words"
            );
        }
        cell.parse::<u64>().ok().or_else(|| cell.parse().ok().and_then(whole)).ok_or_else(|| {
            refusal!(
                "line {line}, cell {at}: {:?} is not a number of words; give whole numbers from 0 to {}",
                beginning(cell),
                u32::MAX
            )
        })
    };
    (1..).zip(cells).skip(skipped).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn numbers_of(text: &str) -> Vec<Vec<u64>> {
        parse(text).unwrap().rows.into_iter().map(|(_, row)| row).collect()
    }

    #[test]
    fn names_and_numbers_of_rows_and_columns_are_left_out() {
        for text in [
            "0,157,3,12\n9,0,41,2\n7,7,0,100\n33,1,5,0\n",
            "0.0,157.0,3.0,12.0\n9.0,0,4.1e1,2\n7,7,0,100\n33,1,5,-0.0\n",
            "# numpy.savetxt\n0.000e+00 1.570e+02 3.0 12\n9 0 41 2\n7 7 0 100\n33 1 5 0\n",
            ",0,1,2,3\n0,0,157,3,12\n1,9,0,41,2\n2,7,7,0,100\n3,33,1,5,0\n",
            "0,1,2,3\n0,157,3,12\n9,0,41,2\n7,7,0,100\n33,1,5,0\n",
            "1;2;3;4\n0;157;3;12\n9;0;41;2\n7;7;0;100\n33;1;5;0\n",
            "gpu0,gpu1,gpu2,gpu3\r\n0,157,3,12\r\n9,0,41,2\r\n7,7,0,100\r\n33,1,5,0\r\n",
            "source,gpu0,gpu1,gpu2,gpu3\ngpu0,0,157,3,12\ngpu1,9,0,41,2\ngpu2,7,7,0,100\ngpu3,33,1,5,0\n",
            "gpu0 0 157 3 12\ngpu1 9 0 41 2\ngpu2 7 7 0 100\ngpu3 33 1 5 0\n",
            ",0,1,2,3\ngpu0,0,157,3,12\ngpu1,9,0,41,2\ngpu2,7,7,0,100\ngpu3,33,1,5,0\n",
            "rank,a,b,c,d\n1,0,157,3,12\n2,9,0,41,2\n3,7,7,0,100\n4,33,1,5,0\n",
            "\"rank\",\"a, b\",\"b\",\"c\",\"d\"\n\"0\",\"0\",157,3,12\n1,9,0,41,2\n2,7,7,0,100\n3,33,1,5,0\n",
            "\ta\tb\tc\td\n0\t0\t157\t3\t12\n1\t9\t0\t41\t2\n2\t7\t7\t0\t100\n3\t33\t1\t5\t0\n",
        ] {
            assert_eq!(
                numbers_of(text),
                [[0, 157, 3, 12], [9, 0, 41, 2], [7, 7, 0, 100], [33, 1, 5, 0]],
                "{text}"
            );
            assert_eq!(parse(text).unwrap().list().unwrap(), None, "{text}");
        }
        // Four columns, numbers that count up: a matrix is square, so its first column is no numbering.
        assert_eq!(numbers_of("a,b\n0,1\n1,0\n"), [[0, 1], [1, 0]]);
        // Ranks and experts.
        assert_eq!(numbers_of("rank,e0,e1,e2,e3\n0,1,2,3,4\n1,5,6,7,8\n"), [[1, 2, 3, 4], [5, 6, 7, 8]]);
        assert_eq!(numbers_of("rank,e0,e1,e2\n7,2,3,4\n1,5,6,7\n"), [[7, 2, 3, 4], [1, 5, 6, 7]]);
        assert_eq!(numbers_of(",e0,e1,e2,e3\n0,1,2,3,4\n1,5,6,7,8\n"), [[1, 2, 3, 4], [5, 6, 7, 8]]);
    }

    #[test]
    fn lists_may_have_their_columns_in_any_order() {
        for text in [
            "source,destination,words\n0,1,5\n1,0,7\n",
            "dst,src,tokens\n1,0,5\n0,1,7\n",
            ",src,dst,count\n0,0,1,5\n1,1,0,7\n",
            "0 1 5\n1 0 7\n",
        ] {
            assert_eq!(parse(text).unwrap().list().unwrap(), Some(vec![(0, 1, 5), (1, 0, 7)]), "{text}");
        }
        // The counts of one rank by layer and expert are no demand.
        let text = parse("layer_id,expert_id,count\n3,0,24990\n3,1,39249\n")
            .unwrap()
            .list()
            .unwrap_err()
            .to_string();
        assert!(text.starts_with("the columns \"layer_id,expert_id,count\" fit neither a list"), "{text}");
        assert_eq!(parse("a,b,c\n0,1,2\n1,0,0\n0,2,0\n").unwrap().list().unwrap(), None);
    }
}
