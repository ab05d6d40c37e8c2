//! The ports of a module as lines of text.

use frit_cells::netlist::Module;
use frit_rtl::datasheet::{Port, ports};

/// A line for each port: direction, bits, name, meaning. Ports that differ only in a number, as those of bundles do, share one.
pub fn lines(module: &Module) -> String {
    let folded = folded(ports(module));
    let rows: Vec<[String; 4]> = folded.iter().map(|(port, last)| row(port, last.as_deref())).collect();
    let wide = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (bits, name) = (wide(1), wide(2));
    let line = |[direction, of, port, meaning]: &[String; 4]| {
        format!("  {direction:3}  {of:>bits$}  {port:name$}  {meaning}\n")
    };
    rows.iter().map(line).collect()
}

fn row(port: &Port, last: Option<&str>) -> [String; 4] {
    let bits =
        if port.lanes > 1 { format!("{} x {}", port.lanes, port.width) } else { port.width.to_string() };
    let name = last.map_or(port.name.into(), |last| format!("{} .. {last}", port.name));
    [port.direction.into(), bits, name, port.meaning.replace('`', "")]
}

/// The first port of all that differ only in a number, with the name of the last one if there are several.
fn folded(ports: Vec<Port<'_>>) -> Vec<(Port<'_>, Option<String>)> {
    let mut folded: Vec<(Port, Option<String>)> = Vec::new();
    for port in ports {
        let place = folded.iter().position(|(first, _)| {
            let numbered = first.name != port.name && without_number(first.name) == without_number(port.name);
            numbered && Port { name: port.name, ..first.clone() } == port
        });
        match place {
            Some(place) => folded[place].1 = Some(port.name.into()),
            None => folded.push((port, None)),
        }
    }
    folded
}

/// A name before and after its first number.
fn without_number(name: &str) -> (&str, &str) {
    let digit = |letter: char| letter.is_ascii_digit();
    let start = name.find(digit).unwrap_or(name.len());
    (&name[..start], name[start..].trim_start_matches(digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_that_differ_only_in_a_number_share_a_line() {
        let port =
            |name, bits| Port { name, direction: "in", bits, lanes: 1, width: bits, meaning: "word".into() };
        let ports = vec![
            port("clk", 1),
            port("s00_tdata", 8),
            port("s00_tlast", 1),
            port("s01_tdata", 8),
            port("s01_tlast", 1),
            port("s02_tdata", 9),
        ];
        let names = |folded: Vec<(Port, Option<String>)>| -> Vec<String> {
            folded.iter().map(|(port, last)| row(port, last.as_deref())[2].clone()).collect()
        };
        assert_eq!(
            names(folded(ports)),
            ["clk", "s00_tdata .. s01_tdata", "s00_tlast .. s01_tlast", "s02_tdata"]
        );
    }
}
