//! The rules for kernels, over the tokens of a source file: kernels are plain enough not to need a parser.

use std::collections::BTreeSet;

use crate::keywords::is_keyword;

/// What a kernel does that rust-hdl takes and its Verilog does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A comparison beside a bitwise operator without parentheses: Rust and Verilog read it differently.
    BareComparison,
    /// An integer literal, which rust-hdl prints 32 or 64 bits wide.
    IntegerLiteral,
    /// `..=`, of which rust-hdl unrolls one turn too few.
    InclusiveRange,
    /// `match` on a bool, which prints `true` as a name.
    MatchOnBool,
    /// An index of an index, which prints as a bit of a word.
    NestedIndex,
    /// A bit or bits of an expression in parentheses, which print without them: `(a >> b).get_bit(0)` as `a >> b[0]`.
    BitOfExpression,
    /// An index of anything but loop variables and integers, which rust-hdl cannot unroll.
    IndexNotOfLoop,
    /// Assigned under a condition without a default before it: a latch.
    NoDefault,
    /// A name that is a keyword of SystemVerilog.
    Keyword,
    /// A field called `input`, `output` or `config`, at which rust-hdl's macros stop.
    MacroName,
}

/// A broken rule, and where.
pub type Finding = (Rule, String);

struct Token<'a> {
    text: &'a str,
    line: usize,
}

/// The findings in a source file, and how many kernels it has.
pub fn lint(source: &str) -> (Vec<Finding>, usize) {
    let tokens = tokens(source);
    let mut findings = Vec::new();
    for fields in [&["derive", "(", "LogicBlock", ")"][..], &["ports", "{"], &["parts", "{"]] {
        for at in positions(&tokens, fields) {
            names(braced(&tokens[at..]), &mut findings);
        }
    }
    let kept = kept(&tokens);
    let kernels = positions(&tokens, &["#", "[", "hdl_gen", "]"]);
    for &at in &kernels {
        let kernel = braced(&tokens[at..]);
        patterns(kernel, &mut findings);
        indices(kernel, &mut findings);
        comparisons(kernel, &mut findings);
        bits(kernel, &mut findings);
        defaults(kernel, kept.clone(), &mut findings);
    }
    (findings, kernels.len())
}

/// What the registers of a table take next unless the kernel says otherwise: they keep their value.
fn kept(tokens: &[Token]) -> BTreeSet<String> {
    let parts =
        positions(tokens, &["parts", "{"]).into_iter().flat_map(|at| braced(&tokens[at..]).windows(3));
    parts
        .filter(|part| part[1].text == ":" && ["Reg", "BitReg", "DataReg"].contains(&part[2].text))
        .map(|part| format!("self.{}.d.next", part[0].text))
        .collect()
}

/// Words, numbers, operators and strings; comments are dropped.
fn tokens(source: &str) -> Vec<Token<'_>> {
    const LONG: [&str; 14] =
        ["..=", "..", "<<", ">>", "==", "!=", "<=", ">=", "=>", "->", "::", "&&", "||", "+="];
    let mut tokens = Vec::new();
    for (number, line) in source.lines().enumerate() {
        let mut rest = line.split("//").next().unwrap_or_default().trim_start();
        while let Some(first) = rest.chars().next() {
            let long = LONG.iter().find(|operator| rest.starts_with(**operator));
            let length = if let Some(operator) = long {
                operator.len()
            } else if first == '"' {
                rest[1..].find('"').map_or(rest.len(), |end| end + 2)
            } else if first.is_alphanumeric() || first == '_' {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '#').unwrap_or(rest.len())
            } else {
                first.len_utf8()
            };
            tokens.push(Token { text: &rest[..length], line: number + 1 });
            rest = rest[length..].trim_start();
        }
    }
    tokens
}

fn positions(tokens: &[Token], pattern: &[&str]) -> Vec<usize> {
    let is_here =
        |at: &usize| tokens[*at..].iter().map(|t| t.text).take(pattern.len()).eq(pattern.iter().copied());
    (0..tokens.len()).filter(is_here).collect()
}

/// What stands between the first brace and the one that closes it.
fn braced<'a, 't>(tokens: &'a [Token<'t>]) -> &'a [Token<'t>] {
    let start = tokens.iter().position(|token| token.text == "{").expect("an item has braces") + 1;
    let mut depth = 1;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        depth += (token.text == "{") as usize;
        depth -= (token.text == "}") as usize;
        if depth == 0 {
            return &tokens[start..at];
        }
    }
    panic!("a brace is not closed")
}

fn at_line(token: &Token) -> String {
    format!("line {}: {}", token.line, token.text)
}

fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

fn names(fields: &[Token], findings: &mut Vec<Finding>) {
    for pair in fields.windows(2).filter(|pair| pair[1].text == ":") {
        let name = pair[0].text.trim_start_matches("r#");
        if matches!(name, "input" | "output" | "config") {
            findings.push((Rule::MacroName, at_line(&pair[0])));
        } else if is_keyword(name) {
            findings.push((Rule::Keyword, at_line(&pair[0])));
        }
    }
}

/// What two tokens side by side show.
fn patterns(kernel: &[Token], findings: &mut Vec<Finding>) {
    for (at, token) in kernel.iter().enumerate() {
        match (token.text, kernel.get(at + 1).map(|next| next.text)) {
            ("..=", _) => findings.push((Rule::InclusiveRange, at_line(token))),
            ("true" | "false", Some("=>")) => findings.push((Rule::MatchOnBool, at_line(token))),
            ("]", Some("[")) => findings.push((Rule::NestedIndex, at_line(token))),
            _ => {}
        }
    }
}

/// Integers stand in indices and in the bounds of loops only; indices hold only integers and the variables of the
/// loops around them.
fn indices(kernel: &[Token], findings: &mut Vec<Finding>) {
    // For each open brace the variable of its loop, if it is one's.
    let mut loops: Vec<Option<&str>> = Vec::new();
    let mut head: Option<&str> = None;
    let mut brackets = 0;
    let mut reported = false;
    for (at, token) in kernel.iter().enumerate() {
        match token.text {
            "for" => head = kernel.get(at + 1).map(|variable| variable.text),
            "{" => loops.push(head.take()),
            "}" => drop(loops.pop()),
            "[" => (brackets, reported) = (brackets + 1, false),
            "]" => brackets -= 1,
            number if is_number(number) && brackets == 0 && head.is_none() => {
                findings.push((Rule::IntegerLiteral, at_line(token)));
            }
            text if brackets > 0 => {
                let operator = matches!(text, "+" | "-" | "*" | "/" | "(" | ")");
                if !operator && !is_number(text) && !loops.contains(&Some(text)) && !reported {
                    reported = true;
                    findings.push((Rule::IndexNotOfLoop, at_line(token)));
                }
            }
            _ => {}
        }
    }
}

/// Comparisons and bitwise operators of one pair of parentheses, or of one side of a statement.
fn comparisons(kernel: &[Token], findings: &mut Vec<Finding>) {
    let mut open = vec![(false, false)];
    for token in kernel {
        let group = open.last_mut().expect("the kernel's own group stays");
        match token.text {
            "(" => open.push((false, false)),
            ")" => drop(open.pop()),
            ";" | "{" | "}" | "=" | "," | "=>" | "&&" | "||" => *group = (false, false),
            "==" | "!=" | "<" | "<=" | ">" | ">=" => group.0 = true,
            "&" | "|" | "^" => group.1 = true,
            _ => {}
        }
        if let Some(group) = open.last_mut()
            && *group == (true, true)
        {
            findings.push((Rule::BareComparison, at_line(token)));
            *group = (false, false);
        }
    }
}

/// Bits are taken of what a call gives, `self.x.val()`, and not of an expression.
fn bits(kernel: &[Token], findings: &mut Vec<Finding>) {
    // For each open parenthesis, whether it is that of a call.
    let mut open = Vec::new();
    for (at, token) in kernel.iter().enumerate() {
        match token.text {
            "(" => {
                open.push(at > 0 && kernel[at - 1].text.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
            }
            ")" => {
                let is_call = open.pop().expect("parentheses are closed in their order");
                let method = kernel.get(at + 2).map(|token| token.text);
                if !is_call && matches!(method, Some("get_bit" | "get_bits")) {
                    findings.push((Rule::BitOfExpression, at_line(token)));
                }
            }
            _ => {}
        }
    }
}

/// Walks the assignments in their order: under a condition only what already has a value may be assigned.
fn defaults(kernel: &[Token], mut assigned: BTreeSet<String>, findings: &mut Vec<Finding>) {
    // For each open brace, whether what it holds depends on a condition.
    let mut conditional = vec![false];
    let mut statement: Vec<&Token> = Vec::new();
    for token in kernel {
        match token.text {
            "{" => {
                let depends =
                    statement.iter().any(|token| matches!(token.text, "if" | "else" | "match" | "=>"));
                conditional.push(depends || conditional.contains(&true));
                statement.clear();
            }
            ";" | "}" | "," => {
                if let Some(equals) = statement.iter().position(|token| token.text == "=") {
                    // In a match the pattern stands before the target.
                    let start = statement.iter().position(|token| token.text == "=>").map_or(0, |at| at + 1);
                    let target: String = statement[start..equals].iter().map(|token| token.text).collect();
                    if !conditional.contains(&true) {
                        assigned.insert(target);
                    } else if !assigned.contains(&target) {
                        findings.push((Rule::NoDefault, format!("line {}: {target}", statement[0].line)));
                    }
                }
                if token.text == "}" {
                    conditional.pop();
                }
                statement.clear();
            }
            _ => statement.push(token),
        }
    }
}
