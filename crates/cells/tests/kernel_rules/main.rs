//! Rules for kernels, held over the sources of the cells: each was seen to make rust-hdl and its Verilog disagree
//! without a word from either, so they are looked for in the text.

mod keywords;
mod lint;

use lint::{Rule, lint};
use std::path::Path;

#[test]
fn the_cells_keep_the_rules() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cells");
    let mut cells = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let (findings, kernels) = lint(&std::fs::read_to_string(&path).unwrap());
        // Tables give their Verilog themselves.
        let table = ["linear_map.rs", "next_bit_table.rs", "rom.rs"].iter().any(|name| path.ends_with(name));
        assert_eq!(kernels, usize::from(!table), "kernels of {}", path.display());
        assert!(findings.is_empty(), "{}: {findings:#?}", path.display());
        cells += 1;
    }
    assert_eq!(cells, frit_cells::cells::CellSpec::all().len(), "a file per cell");
}

/// What the lint says about a cell with these fields and this kernel.
fn rules_broken(fields: &str, kernel: &str) -> Vec<Rule> {
    let source = format!(
        "#[derive(LogicBlock)] struct Sample {{ {fields} }}
         impl Logic for Sample {{ #[hdl_gen] fn update(&mut self) {{ {kernel} }} }}"
    );
    let (findings, kernels) = lint(&source);
    assert_eq!(kernels, 1);
    findings.iter().map(|(rule, _)| *rule).collect()
}

#[track_caller]
fn check_kernel(kernel: &str, rules: &[Rule]) {
    assert_eq!(rules_broken("", kernel), rules, "{kernel}");
}

#[test]
fn comparisons_beside_bitwise_operators_need_parentheses() {
    check_kernel("self.x.next = self.a.val() & self.b.val() == self.c.val();", &[Rule::BareComparison]);
    check_kernel("self.x.next = self.a.val() != self.b.val() | self.c.val();", &[Rule::BareComparison]);
    check_kernel(
        "if self.a.val() ^ self.b.val() > self.c.val() { clock!(self, clk_i, x); }",
        &[Rule::BareComparison],
    );
    check_kernel("self.x.next = self.a.val() & (self.b.val() == self.c.val());", &[]);
}

#[test]
fn integers_stand_only_in_indices_and_bounds() {
    check_kernel("self.x.next = self.a.val() + 1;", &[Rule::IntegerLiteral]);
    check_kernel("self.x.next = 0x10.into();", &[Rule::IntegerLiteral]);
    check_kernel("self.x.next = self.a.val().get_bit(0);", &[Rule::IntegerLiteral]);
    check_kernel("for j in 0..4 { self.x[j + 1].next = self.a[0].val().get_bit(j); }", &[]);
}

#[test]
fn ranges_are_half_open() {
    check_kernel("for j in 0..=4 { self.x[j].next = self.a[j].val(); }", &[Rule::InclusiveRange]);
}

#[test]
fn bools_are_not_matched() {
    let kernel = "self.x.next = self.a.val();
        match self.b.val() { true => self.x.next = self.c.val(), false => { } }";
    check_kernel(kernel, &[Rule::MatchOnBool, Rule::MatchOnBool]);
    check_kernel("self.x.next = self.a.val(); match self.b.val() { Op::Keep => {} }", &[]);
}

#[test]
fn indices_have_one_dimension_and_are_of_loop_variables() {
    check_kernel("for j in 0..4 { self.x[1][j].next = self.a[j].val(); }", &[Rule::NestedIndex]);
    check_kernel("self.x[self._last].next = self.a.val();", &[Rule::IndexNotOfLoop]);
    check_kernel("self.x[N].next = self.a.val();", &[Rule::IndexNotOfLoop]);
    check_kernel("for j in 0..4 { } self.x[j].next = self.a.val();", &[Rule::IndexNotOfLoop]);
}

#[test]
fn bits_are_of_signals() {
    let shifted = "self.x.next = (self.a.val() >> self.b.val()).get_bit(self.no.val().index());";
    check_kernel(shifted, &[Rule::BitOfExpression]);
    check_kernel("self.x.next = self.a.val().get_bit((self.b.val() + self.c.val()).index());", &[]);
    check_kernel(
        "self.x.next = (self.a.val() | self.b.val()).get_bits::<N>(self.no.val().index());",
        &[Rule::BitOfExpression],
    );
}

#[test]
fn what_is_assigned_under_a_condition_has_a_default() {
    check_kernel("if self.a.val() { self.x.next = self.b.val(); }", &[Rule::NoDefault]);
    // A default that comes after the condition does not help, nor does one inside of another.
    check_kernel(
        "if self.a.val() { self.x.next = self.b.val(); } self.x.next = self.c.val();",
        &[Rule::NoDefault],
    );
    check_kernel(
        "self.y.next = self.c.val();
         if self.a.val() { self.y.next = self.b.val(); } else if self.b.val() { self.x.next = self.b.val(); }",
        &[Rule::NoDefault],
    );
    check_kernel("for j in 0..4 { if self.a.val() { self.x[j].next = self.b.val(); } }", &[Rule::NoDefault]);
    let arms = "match self.a.val() { Op::Keep => self.x.next = self.b.val(), Op::Drop => {} }";
    check_kernel(arms, &[Rule::NoDefault]);
    check_kernel(&format!("self.x.next = self.c.val(); {arms}"), &[]);
    check_kernel(
        "self.x.next = false; if self.a.val() { } else { self.y.next = self.b.val(); self.x.next = true; }",
        &[Rule::NoDefault],
    );
    check_kernel("self.x.next = false; if self.a.val() { self.x.next = self.b.val(); }", &[]);
}

#[test]
fn registers_of_a_table_keep_their_value() {
    let broken = |part: &str| {
        let kernel = "#[hdl_gen] fn update(&mut self) { if self.a.val() { self.x.d.next = self.b.val(); } }";
        let (findings, _) =
            lint(&format!("cell! {{ parts {{ x: {part}; }} }} impl kernel::Kernel for X {{ {kernel} }}"));
        findings.into_iter().map(|(rule, _)| rule).collect::<Vec<_>>()
    };
    assert_eq!(broken("Reg = Reg::fixed(2)"), []);
    assert_eq!(broken("BitReg"), []);
    assert_eq!(broken("Memory = Memory::new(2)"), [Rule::NoDefault]);
}

#[test]
fn names_are_no_keywords() {
    for (name, rule) in [
        ("bit", Some(Rule::Keyword)),
        ("logic", Some(Rule::Keyword)),
        ("do", Some(Rule::Keyword)),
        ("cross", Some(Rule::Keyword)),
        ("s_until_with", Some(Rule::Keyword)),
        ("input", Some(Rule::MacroName)),
        ("output", Some(Rule::MacroName)),
        ("config", Some(Rule::MacroName)),
        ("input_data", None),
        ("crossed", None),
    ] {
        let broken = rules_broken(&format!("r#{name}: Signal<In, Bit>"), "");
        assert_eq!(broken, Vec::from_iter(rule), "{name}");
        for table in ["ports { In", "parts {"] {
            let (findings, _) = lint(&format!("cell! {{ {table} r#{name}: Bit; }} }}"));
            assert_eq!(
                findings.into_iter().map(|(rule, _)| rule).collect::<Vec<_>>(),
                Vec::from_iter(rule),
                "{table} {name}"
            );
        }
    }
}

#[test]
fn the_list_of_keywords_is_whole() {
    // IEEE 1800-2017 reserves 248 words.
    assert_eq!(keywords::KEYWORDS.split_ascii_whitespace().count(), 248);
    assert!(keywords::KEYWORDS.split_ascii_whitespace().is_sorted());
}
