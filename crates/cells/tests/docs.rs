//! docs/cells.md lists every cell with its ports and parameters, in their order, and nothing else.

use frit_cells::cell::Dir;
use frit_cells::spec::CellSpec;
use std::path::Path;

/// The names in the first column of a table, with the columns after it that the test knows.
fn rows(section: &str, columns: usize) -> Vec<Vec<String>> {
    section
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.split('|').skip(1).map(|cell| cell.trim().trim_matches('`').to_string()).collect())
        .map(|cells: Vec<String>| cells.into_iter().take(columns).collect())
        .collect()
}

#[test]
fn every_port_and_parameter_is_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cells.md");
    let text = std::fs::read_to_string(path).unwrap();
    let sections: Vec<(&str, &str)> =
        text.split("\n## ").skip(1).map(|section| section.split_once('\n').unwrap()).collect();
    let cells = CellSpec::all();
    assert_eq!(sections.len(), cells.len());
    for (spec, (title, section)) in cells.iter().zip(&sections) {
        // Some modules' names end in a number, the S stages or the order L, which is also in their widths.
        let numbers: &[(u32, &str)] = match spec {
            CellSpec::ShuffleTerminal { stages, .. } => &[(*stages, "S")],
            CellSpec::Successor { order }
            | CellSpec::Feedback { order, .. }
            | CellSpec::NextBitTable { order, .. }
            | CellSpec::RoutingWord { order, .. } => &[(*order, "L")],
            CellSpec::Rom { bits, width, .. } => &[(*bits, "K"), (*width, "W")],
            _ => &[],
        };
        let named = |module: String, (number, letter): &(u32, &str)| {
            module.replace(&format!("_{number}"), &format!("_{letter}"))
        };
        let module = numbers.iter().fold(spec.module(), named);
        let module = module.replace("prefer_one", "SEQUENCE").replace("example", "TABLE");
        assert_eq!(*title, module);
        let (parameters, ports) = section.split_once("| port |").expect("a table of ports");
        let expected: Vec<Vec<String>> =
            spec.parameters().iter().map(|p| vec![p.name.to_string(), p.value.to_string()]).collect();
        assert_eq!(rows(parameters, 2), expected, "parameters of {module}");
        let expected: Vec<Vec<String>> = spec
            .ports()
            .into_iter()
            .map(|port| {
                let direction = if port.dir == Dir::In { "in" } else { "out" };
                let bits = match numbers.iter().find(|(number, _)| port.width == *number) {
                    Some((_, letter)) => letter.to_string(),
                    None => port.width_name.unwrap_or(port.width.to_string()),
                };
                vec![port.name.to_string(), direction.to_string(), bits]
            })
            .collect();
        assert_eq!(rows(ports, 3), expected, "ports of {module}");
    }
}
