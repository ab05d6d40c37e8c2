//! What is declared at the head of a waveform: signals, their scopes, the unit of time.

use frit_network::{Refusal, refusal, refuse};
use std::collections::BTreeMap;
use std::sync::Arc;

use vcd::TimescaleUnit;

/// The widest signal that can be written.
pub const MAX_WIDTH_BITS: u32 = 65_536;

/// FST holds a character per bit of the values at the start of a section; `fst-writer` counts them with 32 bits.
const MAX_TOTAL_BITS: u64 = 1 << 31;

/// The FST format reserves 512 bytes for a name; the rest is for the range behind it.
const MAX_NAME_BYTES: usize = 480;

/// A signal to be written: where it stands, its name and its width.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SignalDecl {
    /// The scopes around it, outermost first; at least one. Signals of a scope may share them.
    pub scope: Arc<[String]>,
    /// The name inside the innermost scope, without a range.
    pub name: String,
    /// 1 to [`MAX_WIDTH_BITS`].
    pub width_bits: u32,
}

impl SignalDecl {
    pub(super) fn full_name(&self) -> String {
        format!("{}.{}", self.scope.join("."), self.name)
    }

    /// `checked_scope` is one that was checked.
    fn check(&self, checked_scope: Option<&Arc<[String]>>) -> Result<(), Refusal> {
        let declaration =
            |reason: String| refusal!("signal {:?} cannot be declared: {reason}", self.full_name());
        if self.scope.is_empty() {
            return Err(declaration("it must stand in at least one scope".to_string()));
        }
        let checked = checked_scope.is_some_and(|checked| Arc::ptr_eq(checked, &self.scope));
        let scope = if checked { &[] } else { &*self.scope };
        for part in scope.iter().chain([&self.name]) {
            let printable = part.bytes().all(|byte| byte.is_ascii_graphic());
            if part.is_empty() || part.len() > MAX_NAME_BYTES || !printable || part.starts_with('[') {
                return Err(declaration(format!(
                    "each part of its name must be 1 to {MAX_NAME_BYTES} printable ASCII characters without a space"
                )));
            }
        }
        if !(1..=MAX_WIDTH_BITS).contains(&self.width_bits) {
            return Err(declaration(format!(
                "it is {} bits wide; 1 to {MAX_WIDTH_BITS} are allowed",
                self.width_bits
            )));
        }
        Ok(())
    }

    pub(super) fn limbs(&self) -> usize {
        self.width_bits.div_ceil(64) as usize
    }
}

/// Factor and unit, and the exponent of both in seconds.
pub(super) fn parse_timescale(text: &str) -> Result<(u32, TimescaleUnit, i8), Refusal> {
    let unknown = || {
        refusal!(
            "the timescale {text:?} is not known: give 1, 10 or 100 followed by s, ms, us, ns, ps or fs, such as 1ns"
        )
    };
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (factor, power) = match &text[..digits] {
        "1" => (1, 0),
        "10" => (10, 1),
        "100" => (100, 2),
        _ => return Err(unknown()),
    };
    let (unit, exponent) = match text[digits..].trim() {
        "s" => (TimescaleUnit::S, 0),
        "ms" => (TimescaleUnit::MS, -3),
        "us" => (TimescaleUnit::US, -6),
        "ns" => (TimescaleUnit::NS, -9),
        "ps" => (TimescaleUnit::PS, -12),
        "fs" => (TimescaleUnit::FS, -15),
        _ => return Err(unknown()),
    };
    Ok((factor, unit, exponent + power))
}

/// The order in which signals are declared: scopes are contiguous in it.
pub(super) fn checked_order(decls: &[SignalDecl]) -> Result<Vec<usize>, Refusal> {
    let mut scope = None;
    for decl in decls {
        decl.check(scope)?;
        scope = Some(&decl.scope);
    }
    let bits: u64 = decls.iter().map(|decl| u64::from(decl.width_bits)).sum();
    if bits > MAX_TOTAL_BITS {
        refuse!(
            "the {} signals hold {bits} bits together, more than the {MAX_TOTAL_BITS} that one waveform can: declare fewer",
            decls.len()
        );
    }
    // Scopes and names are long to compare: numbers stand for them.
    let key = |(index, place): (usize, usize)| (place, start_of(&decls[index].name), index);
    let mut order: Vec<(usize, u128, usize)> = scope_places(decls).into_iter().enumerate().map(key).collect();
    order.sort_unstable_by(|a, b| {
        (a.0, a.1).cmp(&(b.0, b.1)).then_with(|| decls[a.2].name.cmp(&decls[b.2].name))
    });
    let order: Vec<usize> = order.into_iter().map(|(.., index)| index).collect();
    for pair in order.windows(2) {
        let (first, second) = (&decls[pair[0]], &decls[pair[1]]);
        if first.name == second.name && first.scope == second.scope {
            let reason = "it is declared twice; names must differ inside a scope".to_string();
            refuse!("signal {:?} cannot be declared: {reason}", first.full_name());
        }
    }
    Ok(order)
}

/// The place of the scope of each signal among all scopes.
fn scope_places(decls: &[SignalDecl]) -> Vec<usize> {
    let runs = || decls.chunk_by(|a, b| Arc::ptr_eq(&a.scope, &b.scope));
    let scopes: BTreeMap<&[String], usize> = runs().map(|run| (&*run[0].scope, 0)).collect();
    let scopes: BTreeMap<&[String], usize> = scopes.into_keys().zip(0..).collect();
    runs().flat_map(|run| std::iter::repeat_n(scopes[&*run[0].scope], run.len())).collect()
}

/// The first characters of a name as a number that sorts as they do.
fn start_of(name: &str) -> u128 {
    let mut start = [0; 16];
    let length = name.len().min(start.len());
    start[..length].copy_from_slice(&name.as_bytes()[..length]);
    u128::from_be_bytes(start)
}

/// Calls `leave` and `enter` so that the scopes change from `from` to `to`.
pub(super) fn move_scope<E>(
    from: &[String],
    to: &[String],
    mut step: impl FnMut(Option<&str>) -> Result<(), E>,
) -> Result<(), E> {
    let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
    for _ in common..from.len() {
        step(None)?;
    }
    to[common..].iter().try_for_each(|scope| step(Some(scope)))
}
