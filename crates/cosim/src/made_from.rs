//! Evidence that a tool did what it was asked, and not something else: a digest of what it was given, which the tool prints or
//! writes back. A tool that does nothing, an older program that is run in place of the new one, and an answer about another
//! design all lack it.

use frit_network::{Refusal, refusal};
use sha2::{Digest, Sha256};
use std::path::Path;

/// What stands before the digest.
const MARK: &str = "MADE-FROM ";

/// A digest of what a tool is given.
pub struct MadeFrom(u64);

impl MadeFrom {
    /// The digest of files, given as names and contents, and of what is done with them.
    pub fn new<'a>(files: impl Iterator<Item = (&'a str, &'a [u8])>, what: &'a str) -> Self {
        let mut hash = Sha256::new();
        for (name, text) in files.chain([("", what.as_bytes())]) {
            hash.update((name.len() as u64).to_le_bytes());
            hash.update(name);
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
        let digest = hash.finalize();
        MadeFrom(u64::from_be_bytes(digest[..8].try_into().expect("SHA-256 has 32 bytes")))
    }

    /// The digest in hexadecimal.
    pub fn hex(&self) -> String {
        format!("{:016x}", self.0)
    }

    /// The argument with which a simulator is told the digest that a testbench prints.
    pub fn define(&self) -> String {
        format!("-DFRIT_MADE_FROM=64'h{}", self.hex())
    }

    /// The line with the digest.
    pub fn line(&self) -> String {
        format!("{MARK}{}", self.hex())
    }

    /// Refuses an output that does not report this digest, or reports another one as well.
    pub fn check(&self, output: &str, program: &str, log: &Path) -> Result<(), Refusal> {
        let expected = self.hex();
        let mut reported = output.lines().filter_map(|line| line.strip_prefix(MARK)).map(str::trim);
        let (first, other) = (reported.next(), reported.find(|digest| *digest != expected));
        match (first, other) {
            (Some(digest), None) if digest == expected => Ok(()),
            (first, other) => {
                let got = other.or(first).map(|digest| format!("{MARK}{digest}"));
                Err(other_sources(program, &self.line(), got.as_deref(), log))
            }
        }
    }
}

/// A tool reports another digest than it was given, or none.
pub fn other_sources(program: &str, expected: &str, got: Option<&str>, log: &Path) -> Refusal {
    refusal!(
        "{program} did not run the input that it was given: it reports {}, expected {expected} ({}); \
         install {program} again, or name the folder of another installation with FRITILLARY_TOOLS",
        got.unwrap_or("no line MADE-FROM"),
        log.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> MadeFrom {
        MadeFrom::new([("a.v", text.as_bytes())].into_iter(), "verify")
    }

    #[test]
    fn only_its_own_digest_is_evidence() {
        let (one, two) = (of("one"), of("two"));
        let check =
            |output: &str| one.check(output, "vvp", Path::new("run.log")).map_err(|error| error.to_string());
        assert!(check(&format!("noise\n{}\nPASS\n", one.line())).is_ok());
        let error = check("PASS d: cycles=6\nRESULT errors=0\n").unwrap_err();
        assert!(error.contains("no line MADE-FROM") && error.contains(&one.hex()), "{error}");
        let error = check(&format!("{}\n", two.line())).unwrap_err();
        assert!(error.contains(&two.hex()), "{error}");
        assert!(check(&format!("{}\n{}\n", one.line(), two.line())).is_err());
    }

    #[test]
    fn names_contents_and_choices_count() {
        let digests = [
            of("one").hex(),
            of("two").hex(),
            MadeFrom::new([("b.v", "one".as_bytes())].into_iter(), "verify").hex(),
            MadeFrom::new([("a.v", "one".as_bytes())].into_iter(), "prove").hex(),
            MadeFrom::new([("a.", "vone".as_bytes())].into_iter(), "verify").hex(),
        ];
        let different: std::collections::BTreeSet<_> = digests.iter().collect();
        assert_eq!(different.len(), digests.len());
    }
}
