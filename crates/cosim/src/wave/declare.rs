//! What is declared at the head of a waveform: signals, their scopes, the unit of time.

use std::collections::BTreeMap;

use vcd::TimescaleUnit;

use super::WaveError;

/// The widest signal that can be written.
pub const MAX_WIDTH_BITS: u32 = 65_536;

/// The FST writer addresses one byte per bit with 32 bits, and keeps three such arrays.
const MAX_TOTAL_BITS: u64 = 1 << 31;

/// The FST format reserves 512 bytes for a name; the rest is for the range behind it.
const MAX_NAME_BYTES: usize = 480;

/// A signal to be written: where it stands, its name and its width.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SignalDecl {
    /// The scopes around it, outermost first; at least one.
    pub scope: Vec<String>,
    /// The name inside the innermost scope, without a range.
    pub name: String,
    /// 1 to [`MAX_WIDTH_BITS`].
    pub width_bits: u32,
}

impl SignalDecl {
    pub(super) fn full_name(&self) -> String {
        let mut parts = self.scope.clone();
        parts.push(self.name.clone());
        parts.join(".")
    }

    fn check(&self) -> Result<(), WaveError> {
        let declaration = |reason: String| WaveError::Declaration { signal: self.full_name(), reason };
        if self.scope.is_empty() {
            return Err(declaration("it must stand in at least one scope".to_string()));
        }
        for part in self.scope.iter().chain([&self.name]) {
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
pub(super) fn parse_timescale(text: &str) -> Result<(u32, TimescaleUnit, i8), WaveError> {
    let unknown = || WaveError::Timescale { given: text.to_string() };
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
pub(super) fn checked_order(decls: &[SignalDecl]) -> Result<Vec<usize>, WaveError> {
    for decl in decls {
        decl.check()?;
    }
    let bits: u64 = decls.iter().map(|decl| u64::from(decl.width_bits)).sum();
    if bits > MAX_TOTAL_BITS {
        return Err(WaveError::TooManyBits { signals: decls.len(), bits, limit: MAX_TOTAL_BITS });
    }
    let mut order: Vec<usize> = (0..decls.len()).collect();
    // Scopes are few, and long to compare: their places among each other are.
    let scopes: BTreeMap<&[String], usize> = decls.iter().map(|decl| (decl.scope.as_slice(), 0)).collect();
    let scopes: BTreeMap<&[String], usize> = scopes.into_keys().zip(0..).collect();
    let place: Vec<usize> = decls.iter().map(|decl| scopes[decl.scope.as_slice()]).collect();
    order.sort_by_key(|&index| (place[index], &decls[index].name));
    for pair in order.windows(2) {
        let (first, second) = (&decls[pair[0]], &decls[pair[1]]);
        if first.scope == second.scope && first.name == second.name {
            let reason = "it is declared twice; names must differ inside a scope".to_string();
            return Err(WaveError::Declaration { signal: first.full_name(), reason });
        }
    }
    Ok(order)
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
