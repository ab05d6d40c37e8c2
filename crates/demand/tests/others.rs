//! The table of "Beside other planners" in docs/demand.md has the figures of docs/others.csv.

use std::collections::BTreeMap;

fn read(name: &str) -> String {
    let path = format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// For each workload (the parts of one are joined) and each δ > 0 the rows for one network: mean of the means, and the worst.
fn table(csv: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut groups: BTreeMap<(usize, u32), Vec<Vec<f64>>> = BTreeMap::new();
    for line in csv.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let name = cells[0].split("-w").next().unwrap();
        let place = names.iter().position(|known| *known == name).unwrap_or(names.len());
        if place == names.len() {
            names.push(name);
        }
        if let (delta @ 1.., "1") = (cells[2].parse().unwrap(), cells[3]) {
            let figures = cells[4..].iter().map(|cell| cell.parse().unwrap()).collect();
            groups.entry((place, delta)).or_default().push(figures);
        }
    }
    let line = |(&(place, delta), rows): (_, &Vec<Vec<f64>>)| {
        let column = |at: usize| rows.iter().map(move |row| row[at]);
        let figures = (0..rows[0].len()).step_by(2).map(|at| {
            let mean = column(at).sum::<f64>() / rows.len() as f64;
            format!(" {mean:.2} ({:.2}) |", column(at + 1).fold(0.0, f64::max))
        });
        format!("| `{}` | {delta} |{}", names[place], figures.collect::<String>())
    };
    groups.iter().map(line).collect()
}

/// The lines that a page lacks.
fn lacking(page: &str, csv: &str) -> Vec<String> {
    table(csv).into_iter().filter(|line| !page.lines().any(|have| have == line)).collect()
}

#[test]
fn the_table_has_the_figures_of_the_file() {
    let (page, csv) = (read("demand.md"), read("others.csv"));
    let lines = lacking(&page, &csv);
    assert!(lines.is_empty(), "docs/demand.md lacks these lines:\n{}", lines.join("\n"));
    // The smallest change of a figure that the table shows is noticed.
    let changed = csv.replacen("gpt,64,100,1,1.000", "gpt,64,100,1,1.020", 1);
    assert_eq!(lacking(&page, &changed).len(), 1);
}
