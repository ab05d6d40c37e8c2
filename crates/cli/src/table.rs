//! Tables for people: columns padded to their widest cell, numbers to the right.

use crate::ui::HEAD;

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
