//! Tables for people: columns padded to their widest cell, numbers to the right. And cells of CSV.

use crate::ui::{HEAD, terminal_width};

/// A text as a cell of our CSV files, where a comma ends a cell and quotes have no meaning.
pub fn csv_cell(text: &str) -> String {
    text.replace(',', ";")
}

/// Lays out a header and rows; columns whose cells are all numbers are aligned to the right.
pub fn render(header: &[&str], rows: &[Vec<String>]) -> String {
    let columns = header.len();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| visible(&row[column]));
        cells.chain([header[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let numeric: Vec<bool> = (0..columns)
        .map(|column| {
            rows.iter().all(|row| row[column].chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '.')))
        })
        .collect();
    let line = |cells: &[String]| {
        let padded: Vec<String> = cells
            .iter()
            .enumerate()
            .map(|(column, cell)| {
                let space = " ".repeat(widths[column].saturating_sub(visible(cell)));
                if numeric[column] { format!("{space}{cell}") } else { format!("{cell}{space}") }
            })
            .collect();
        format!("{}\n", padded.join("  ").trim_end())
    };
    let head: Vec<String> = header.iter().map(|cell| cell.to_string()).collect();
    let mut text = format!("{HEAD}{}{HEAD:#}\n", line(&head).trim_end());
    rows.iter().for_each(|row| text += &line(row));
    fitted(text, header, rows, terminal_width())
}

/// A table that is wider than the terminal as records: the first cell of a row, then its other cells with their heads.
fn fitted(table: String, header: &[&str], rows: &[Vec<String>], width: Option<usize>) -> String {
    let widest = table.lines().map(visible).max().unwrap_or(0);
    let Some(width) = width.filter(|&width| width < widest) else { return table };
    let record = |row: &Vec<String>| {
        let cells = header.iter().zip(row).skip(1).filter(|(_, cell)| !matches!(cell.as_str(), "" | "-"));
        let pairs: Vec<String> = cells.map(|(head, cell)| format!("{head}: {cell}")).collect();
        format!("{HEAD}{}{HEAD:#}\n{}\n", row[0], wrapped(&pairs, width))
    };
    rows.iter().map(record).collect()
}

/// Lines of pairs with two blanks between them. A pair is broken only if it is wider than a line.
fn wrapped(pairs: &[String], width: usize) -> String {
    let (mut text, mut at) = (String::new(), 0);
    for pair in pairs {
        let words: Vec<&str> = if visible(pair) + 2 > width { pair.split(' ').collect() } else { vec![pair] };
        for (place, word) in words.into_iter().enumerate() {
            let gap = if place == 0 { "  " } else { " " };
            let before = match at {
                0 => "  ",
                _ if at + gap.len() + visible(word) > width => "\n  ",
                _ => gap,
            };
            at = if before.starts_with('\n') { 2 } else { at + before.len() } + visible(word);
            text += before;
            text += word;
        }
    }
    text
}

/// Names and values, one pair a line.
pub fn pairs(rows: &[(&str, String)]) -> String {
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    rows.iter().map(|(name, value)| format!("  {name:width$}  {value}\n")).collect()
}

/// The width of a cell on the terminal: styles take no room.
fn visible(cell: &str) -> usize {
    let mut count = 0;
    let mut escape = false;
    for c in cell.chars() {
        match (escape, c) {
            (false, '\u{1b}') => escape = true,
            (true, 'm') => escape = false,
            (false, _) => count += 1,
            (true, _) => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_wider_than_the_terminal_is_records() {
        let rows = vec![
            vec!["rls".into(), "16".into(), "-".into(), "a note that is longer than the line".into()],
            vec!["xor".into(), "8".into(), "4".into(), String::new()],
        ];
        let header = ["system", "N", "rounds", "note"];
        let wide = render(&header, &rows);
        assert_eq!(fitted(wide.clone(), &header, &rows, None), wide);
        assert_eq!(fitted(wide.clone(), &header, &rows, Some(100)), wide);
        let narrow = anstream::adapter::strip_str(&fitted(wide, &header, &rows, Some(20))).to_string();
        assert_eq!(
            narrow,
            "rls\n  N: 16  note: a\n  note that is\n  longer than the\n  line\nxor\n  N: 8  rounds: 4\n"
        );
    }

    #[test]
    fn columns_line_up_and_styles_take_no_room() {
        let rows = vec![
            vec!["model".into(), "12".into(), "yes".into()],
            vec!["icarus".into(), "9".into(), format!("{HEAD}no{HEAD:#}")],
        ];
        let text = render(&["engine", "cycles", "agrees"], &rows);
        let plain: String = anstream::adapter::strip_str(&text).to_string();
        assert_eq!(plain, "engine  cycles  agrees\nmodel       12  yes\nicarus       9  no\n");
    }
}
