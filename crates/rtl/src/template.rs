//! Templates of this crate, filled.
//!
//! The templates are part of this crate, and so are the structs that fill them: a failure is a mistake in one.

use serde::Serialize;
use std::sync::LazyLock;
use tera::{Context, Kwargs, State, Tera};

/// Templates that others import or include, under these names.
const PARTS: [(&str, &str); 23] = [
    ("bench", include_str!("../testbench/share/bench.tera")),
    ("basics", include_str!("../testbench/share/basics.sv.tera")),
    ("draw", include_str!("../testbench/share/draw.tera")),
    ("lanes", include_str!("../testbench/share/lanes.sv.tera")),
    ("looping", include_str!("../testbench/share/looping.tera")),
    ("phases", include_str!("../testbench/share/phases.sv.tera")),
    ("programs", include_str!("../testbench/share/programs.sv.tera")),
    ("tools", include_str!("../testbench/share/tools.mk.tera")),
    ("axis/count", include_str!("../testbench/axis/count.tera")),
    ("axis/expected", include_str!("../testbench/axis/expected.tera")),
    ("axis/paces", include_str!("../testbench/axis/paces.tera")),
    ("axis/signals", include_str!("../testbench/axis/signals.tera")),
    ("axis/verdict", include_str!("../testbench/axis/verdict.tera")),
    ("dilated/checks", include_str!("../testbench/dilated/checks.tera")),
    ("exchange/checks", include_str!("../testbench/exchange/checks.tera")),
    ("exchange/files", include_str!("../testbench/exchange/files.tera")),
    ("exchange/trials", include_str!("../testbench/exchange/trials.tera")),
    ("multibutterfly/checks", include_str!("../testbench/multibutterfly/checks.tera")),
    ("permute/sizes", include_str!("../testbench/permute/sizes.sv.tera")),
    ("permute/axil", include_str!("../testbench/permute/axil.sv.tera")),
    ("permute/loaded", include_str!("../testbench/permute/loaded.sv.tera")),
    ("permute/registers", include_str!("../testbench/permute/registers.sv.tera")),
    ("permute/identity", include_str!("../testbench/permute/identity.sv.tera")),
];

/// The parts, and filters: `quoted`, a string as JSON, YAML and Python write it; `xml`, text of an element; `tcl`, a word of Tcl; `line`, a part
/// of a line, without control characters.
static ENGINE: LazyLock<Tera> = LazyLock::new(|| {
    let mut engine = Tera::new();
    engine.register_filter("quoted", |text: &str, _: Kwargs, _: &State| serde_json::json!(text).to_string());
    engine.register_filter("xml", |text: &str, _: Kwargs, _: &State| {
        text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
    });
    engine.register_filter("tcl", |text: &str, _: Kwargs, _: &State| tcl(text));
    engine.register_filter("line", |text: &str, _: Kwargs, _: &State| text.replace(char::is_control, " "));
    engine.add_raw_templates(PARTS).expect("a part of this crate is a template");
    engine
});

/// The text as a word of Tcl, between quotes: nothing in it is substituted, and braces do not count.
fn tcl(text: &str) -> String {
    let escaped = |letter: char| match letter {
        '\\' | '"' | '$' | '[' | ']' | '{' | '}' => format!("\\{letter}"),
        _ if letter.is_control() => " ".into(),
        _ => letter.to_string(),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

/// What a template is filled with.
pub fn context(values: &impl Serialize) -> Context {
    Context::from_serialize(values).expect("a struct of plain fields is a context")
}

pub fn fill(template: &str, context: &Context) -> String {
    ENGINE.render_str(template, context, false).expect("a template of this crate names only what it is given")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// Templates below a folder that have more than `most` lines.
    fn longer(folder: &Path, most: usize) -> Vec<String> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                found.extend(longer(&path, most));
            } else if path.extension().is_some_and(|kind| kind == "tera")
                && std::fs::read_to_string(&path).unwrap().lines().count() > most
            {
                found.push(path.file_name().unwrap().to_string_lossy().into_owned());
            }
        }
        found
    }

    #[test]
    fn no_template_is_longer_than_500_lines() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testbench");
        assert_eq!(longer(&folder, 500), Vec::<String>::new());
        assert!(longer(&folder, 400).contains(&"axis.sv.tera".to_string()));
    }

    #[test]
    fn nothing_in_a_word_of_tcl_is_substituted() {
        assert_eq!(tcl("a [b] $c {d \\ \"e\"\n"), r#""a \[b\] \$c \{d \\ \"e\" ""#);
    }

    #[test]
    fn every_part_is_used_and_counted_errors_end_a_simulation() {
        let text = r#"{{<bench.fail unit="step" now="step_q" stamp="step %0d" at="step_q" place="" />}}{{<bench.end />}}"#;
        let filled = fill(text, &Context::new());
        assert!(
            filled.starts_with("  task automatic fail(input string text);\n    string place;\n"),
            "{filled}"
        );
        assert!(filled.contains("$display(\"FAIL: step %0d: %s%s\", step_q, place, text);\n"), "{filled}");
        assert!(filled.ends_with("`endif\nendmodule\n"), "{filled}");
    }
}
