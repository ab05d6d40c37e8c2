//! The plots of the handbook that are drawn from its tables: `make figures` draws them afresh.

use super::figure::{Corner, Figure, Ink, Mean, Series};
use super::look::{PlotFile, Scale};
use super::svg;
use std::path::Path;

/// The rows of a table of the handbook as its columns' names and cells.
fn table(text: &str) -> Vec<Vec<(&str, &str)>> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    lines.map(|line| names.iter().copied().zip(line.split(',')).collect()).collect()
}

fn cell<'a>(row: &[(&str, &'a str)], column: &str) -> &'a str {
    row.iter().find(|(name, _)| *name == column).unwrap_or_else(|| panic!("no column {column}")).1
}

/// A line of the means of a column, over all rows of the same x.
fn line(rows: &[&Vec<(&str, &str)>], x: &str, column: &str, name: &str) -> Series {
    let mut xs: Vec<u32> = rows.iter().map(|row| cell(row, x).parse().unwrap()).collect();
    xs.sort_unstable();
    xs.dedup();
    let mean = |at: &u32| {
        let there = rows.iter().filter(|row| cell(row, x) == at.to_string());
        let values: Vec<f64> = there.map(|row| cell(row, column).parse().unwrap()).collect();
        Mean::single((*at).into(), values.iter().sum::<f64>() / values.len() as f64)
    };
    Series::new(name.into(), xs.iter().map(mean).collect(), Ink::Step)
}

fn panel(title: &str, x: &str, series: Vec<Series>) -> Figure {
    let limit = Some((1.0, "lower bound".into()));
    Figure { series, legend: Corner::Above, limit, ..Figure::new(title, x, "time / lower bound") }
}

/// `docs/others.csv`, one network: time by the lower bound against δ, a panel for each kind of demand.
fn others(text: &str) -> String {
    let rows = table(text);
    let panel = |(demand, title)| {
        let there = |row: &&Vec<_>| {
            cell(row, "workload").starts_with(demand)
                && cell(row, "planes") == "1"
                && cell(row, "delta") != "0"
        };
        let rows: Vec<_> = rows.iter().filter(there).collect();
        let planners = [
            ("few_mean", "few"),
            ("exact_mean", "exact (Solstice)"),
            ("cover_mean", "cover (Spectra)"),
            ("eclipse_mean", "Eclipse"),
            ("sunflow_mean", "Sunflow"),
        ];
        let series = planners.map(|(column, name)| line(&rows, "delta", column, name)).into();
        panel(title, "δ: time to change a configuration, in words", series)
    };
    let panels = [
        ("megatron", "megatron: W0 to W7, 64 terminals"),
        ("qwen-moe", "qwen-moe: 32 and 64 terminals"),
        ("flows", "flows: 16 for each of 100 terminals"),
        ("fb2010", "fb2010: coflows of 150 terminals"),
    ]
    .map(panel);
    let look = PlotFile { height: 900, ..PlotFile::default() };
    svg(&[&panels[..2], &panels[2..]], &look).unwrap()
}

/// `docs/replanning.csv`, 64 terminals and δ = 10: time by the lower bound against the drift of the demand.
fn replanning(text: &str) -> String {
    let rows = table(text);
    let panel = |(demand, title)| {
        let there = |row: &&Vec<_>| {
            [("demand", demand), ("terminals", "64"), ("delta", "10"), ("layers", "1")]
                .iter()
                .all(|(column, value)| cell(row, column) == *value)
        };
        let rows: Vec<_> = rows.iter().filter(there).collect();
        let plans = [("planned", "anew"), ("reuse", "reuse"), ("stale", "stale"), ("rotation", "rotation")];
        let series = plans.map(|(column, name)| line(&rows, "drift", column, name)).into();
        panel(title, "drift of the demand in %", series)
    };
    let panels = [("uniform", "uniform"), ("sparse", "sparse"), ("w6", "w6 of Megatron-LM")].map(panel);
    let look = PlotFile { x_scale: Scale::Linear, width: 1200, height: 480, ..PlotFile::default() };
    svg(&[&panels], &look).unwrap()
}

/// The drawings of a folder of the handbook that are not those of its tables.
fn stale(docs: &Path) -> Vec<&'static str> {
    let drawn = [("others", others as fn(&str) -> String), ("replanning", replanning)];
    let read = |file: String| std::fs::read_to_string(docs.join(file)).unwrap_or_default();
    let is_stale = |(name, draw): &(&str, fn(&str) -> String)| {
        let svg = draw(&read(format!("{name}.csv")));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(docs.join(format!("images/{name}.svg")), &svg).unwrap();
        }
        svg != read(format!("images/{name}.svg"))
    };
    drawn.into_iter().filter(is_stale).map(|(name, _)| name).collect()
}

#[test]
fn drawings_of_tables_show_the_tables() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    assert_eq!(stale(&docs), [""; 0], "make figures draws them again");
    // A table that was edited is seen.
    let copy = tempfile::tempdir().unwrap();
    std::fs::create_dir(copy.path().join("images")).unwrap();
    for file in ["others.csv", "replanning.csv", "images/others.svg", "images/replanning.svg"] {
        std::fs::copy(docs.join(file), copy.path().join(file)).unwrap();
    }
    let edited = copy.path().join("others.csv");
    let text = std::fs::read_to_string(&edited).unwrap();
    let other = text.replace("flows,100,100,1,1.1", "flows,100,100,1,1.6");
    assert_ne!(other, text);
    std::fs::write(edited, other).unwrap();
    if std::env::var_os("UPDATE_EXPECT").is_none() {
        assert_eq!(stale(copy.path()), ["others"]);
    }
}
