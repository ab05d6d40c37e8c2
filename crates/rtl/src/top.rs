//! The modules of a design that a user instantiates, each with its files, as their file lists name them.

use crate::Files;
use serde::Serialize;

/// A module to instantiate, and the files of it and of its testbench in the order in which tools read them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Top {
    pub module: String,
    /// What its file list is called, without `.f`.
    pub list: String,
    /// What its filesets and targets end with: nothing for the first top, `_axis` for `D_axis`.
    pub suffix: String,
    pub rtl: Vec<String>,
    /// Those of them that stand in the folder of the design: not the cells of a library.
    pub own: Vec<String>,
    /// The files of its testbench, whose module is `tb_` and the name of the list.
    pub tb: Vec<String>,
    /// The tables that the testbench reads.
    pub tables: Vec<String>,
}

impl Top {
    /// The module `module` of the design `name`, whose files `files` has.
    pub fn of(name: &str, module: &str, files: &Files) -> Self {
        let main = ["_exchange", "_route", "_permute"].iter().find_map(|suffix| module.strip_suffix(suffix));
        Top::listed(name, module, main.unwrap_or(module), files)
    }

    /// The same, whose lists are called `list.f` and `list_tb.f`.
    pub fn listed(name: &str, module: &str, list: &str, files: &Files) -> Self {
        let rtl = listed(files, &format!("{list}.f"));
        let has = |name: &String| files.iter().any(|(file, _)| file == name);
        // A testbench of one file needs no list.
        let tb = [listed(files, &format!("{list}_tb.f")), vec![format!("tb_{list}.sv")]].concat();
        let suffix = list.strip_prefix(name).unwrap_or(list);
        // Those of the other tops make their messages themselves.
        let tables =
            files.iter().map(|(name, _)| name).filter(|file| suffix.is_empty() && file.ends_with(".memh"));
        Top {
            module: module.into(),
            list: list.into(),
            suffix: suffix.into(),
            tb: unique(tb.into_iter().filter(|file| has(file) && !rtl.contains(file))),
            tables: tables.cloned().collect(),
            own: rtl.iter().filter(|file| has(file)).cloned().collect(),
            rtl,
        }
    }
}

/// Each once, where it first stands.
pub(crate) fn unique(names: impl Iterator<Item = String>) -> Vec<String> {
    names.fold(Vec::new(), |mut all, name| {
        if !all.contains(&name) {
            all.push(name);
        }
        all
    })
}

/// The files that a file list names; none if there is no such list.
pub(crate) fn listed(files: &Files, list: &str) -> Vec<String> {
    let text = files.iter().find(|(name, _)| name == list).map_or("", |(_, text)| text);
    text.lines().filter(|line| !line.is_empty() && !line.starts_with("//")).map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_sorted_by_what_they_are_for() {
        let file = |name: &str, text: &str| (name.to_string(), text.to_string());
        let files = vec![
            file("a.v", ""),
            file("d_exchange.v", ""),
            file("tb_d.sv", ""),
            file("d_x.memh", ""),
            file("d.f", "// a comment\na.v\nd_exchange.v\n"),
            file("d_tb.f", "// a comment\na.v\nd_exchange.v\ntb_d.sv\n"),
            file("tb_d_axis.sv", ""),
            file("d_selftest.f", "a.v\nd_selftest.v\n"),
            file("tb_d_selftest.sv", ""),
            file("d_axis.f", "a.v\nd_axis.v\n"),
            file("d_axis_tb.f", "a.v\nd_axis.v\ntb_d_axis.sv\n"),
            file("Makefile", ""),
        ];
        let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let first = Top::of("d", "d_exchange", &files);
        assert_eq!((first.list.as_str(), first.suffix.as_str()), ("d", ""));
        assert_eq!(first.rtl, names(&["a.v", "d_exchange.v"]));
        assert_eq!((first.tb, first.tables), (names(&["tb_d.sv"]), names(&["d_x.memh"])));
        let axis = Top::of("d", "d_axis", &files);
        assert_eq!((axis.list.as_str(), axis.suffix.as_str()), ("d_axis", "_axis"));
        assert_eq!((axis.tb, axis.tables), (names(&["tb_d_axis.sv"]), names(&[])));
        assert_eq!(Top::of("d", "d_selftest", &files).tb, ["tb_d_selftest.sv"]);
    }
}
