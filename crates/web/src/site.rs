//! The pages of `make site`: a folder for a file server, and one file that opens from disk. The same module gives the same bytes.

use crate::base64;
use crate::calls::call;
use anyhow::{Context, Result, bail};
use lzma_rust2::{LzipOptions, LzipWriter};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::io::Write;

const PAGE: &str = include_str!("../page/index.html");
const STYLE: &str = include_str!("../page/style.css");
/// One script: the parts share their names.
const APP: &str = concat!(include_str!("../page/beside.js"), include_str!("../page/app.js"));
const WORKER: &str = include_str!("../page/worker.js");

/// The module beside the page, packed as `lzip` does it.
pub const MODULE: &str = "fritillary.wasm.lz";
pub const UNPACK: &str = "unpack.wasm";
/// The page in one file.
pub const SINGLE: &str = "fritillary.html";

/// All files of the site, as names and contents; `unpack` unpacks `module`.
///
/// # Errors
/// If one of them is no module, or the page that plays a film has other parts than scripts and one style.
pub fn site(module: &[u8], unpack: &[u8]) -> Result<Vec<(String, Vec<u8>)>> {
    let player = Player::of_page(&film()?)?;
    let beside = Csp { scripts: "'self'", styles: "'self'", workers: "'self'", connect: "'self'" };
    let folder = PAGE
        .replace("@CSP@", &beside.text(&player, &[], &[]))
        .replace("@STYLE@", "<link rel=\"stylesheet\" href=\"style.css\">")
        .replace("@SCRIPTS@", "<script src=\"app.js\"></script>");
    let within = Csp { scripts: "", styles: "", workers: "blob:", connect: "'none'" };
    let (packed, unpack) = (packed(&without_names(module)?)?, without_names(unpack)?);
    let [text_of_module, text_of_unpack] = [&packed, &unpack].map(|bytes| base64::encode(bytes));
    let scripts = format!(
        "<script type=\"text/plain\" id=\"worker\">{WORKER}</script>\n<script type=\"text/plain\" id=\"wasm\">{text_of_module}</script>\n<script type=\"text/plain\" id=\"unpack\">{text_of_unpack}</script>\n<script>{APP}</script>"
    );
    let single = PAGE
        .replace("@CSP@", &within.text(&player, &[APP], &[STYLE]))
        .replace("@STYLE@", &format!("<style>{STYLE}</style>"))
        .replace("@SCRIPTS@", &scripts);
    let text = |name: &str, text: &str| (name.to_string(), text.as_bytes().to_vec());
    Ok(vec![
        text("index.html", &folder),
        text("style.css", STYLE),
        text("app.js", APP),
        text("worker.js", WORKER),
        (MODULE.into(), packed),
        (UNPACK.into(), unpack),
        text(SINGLE, &single),
        // What a file server of a common kind would leave out otherwise.
        text(".nojekyll", ""),
    ])
}

/// The smallest form.
fn packed(module: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut writer = LzipWriter::new(Vec::new(), LzipOptions::with_preset(9));
    writer.write_all(module)?;
    writer.finish()
}

/// What a module does, without its custom sections: names of functions, and what compilers made it.
fn without_names(module: &[u8]) -> Result<Vec<u8>> {
    let (head, mut rest) =
        module.split_at_checked(8).context("no module of WebAssembly: it has less than 8 bytes")?;
    if !head.starts_with(b"\0asm") {
        bail!("no module of WebAssembly: it does not begin with \\0asm");
    }
    let mut kept = head.to_vec();
    while let [kind, behind @ ..] = rest {
        let (length, digits) = length(behind).context("no module of WebAssembly: a section has no length")?;
        let section =
            rest.get(..1 + digits + length).context("no module of WebAssembly: it ends within a section")?;
        if *kind != 0 {
            kept.extend(section);
        }
        rest = &rest[section.len()..];
    }
    Ok(kept)
}

/// A length and the bytes that it takes: seven bits a byte, the lowest first.
fn length(bytes: &[u8]) -> Option<(usize, usize)> {
    let digits = bytes.iter().take(5).position(|byte| byte & 0x80 == 0)? + 1;
    let number = bytes[..digits].iter().rev().fold(0u64, |number, byte| number << 7 | u64::from(byte & 0x7f));
    Some((usize::try_from(number).ok()?, digits))
}

/// A page that plays a film: any.
fn film() -> Result<String> {
    let asked = json!({ "call": "page", "input": { "system": "rls", "n": 4 } });
    let said: Value = serde_json::from_str(&call(&asked.to_string()))?;
    said["answer"]["html"].as_str().map(String::from).context("the film of rls with 4 terminals has no page")
}

/// The digests of what stands in the page that plays films. A page within a page has the rules of both.
struct Player {
    scripts: Vec<String>,
    styles: Vec<String>,
}

impl Player {
    fn of_page(page: &str) -> Result<Self> {
        let scripts = between(page, "<script>", "</script>");
        let styles = between(page, "<style>", "</style>");
        if scripts.len() != 2 || styles.len() != 1 || page.contains(" style=") {
            bail!(
                "the page of a film has {} scripts and {} styles, expected 2 and 1",
                scripts.len(),
                styles.len()
            );
        }
        Ok(Player { scripts: scripts.iter().map(|text| hash(text)).collect(), styles: vec![hash(styles[0])] })
    }
}

/// What stands between each pair of these tags.
fn between<'a>(page: &'a str, begin: &str, end: &str) -> Vec<&'a str> {
    page.split(begin).skip(1).filter_map(|rest| Some(rest.split_once(end)?.0)).collect()
}

/// The digest of a script or style, as a content security policy names it.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", base64::encode(&Sha256::digest(text.as_bytes())))
}

/// Where a page may load from; everything else is refused.
struct Csp {
    scripts: &'static str,
    styles: &'static str,
    workers: &'static str,
    connect: &'static str,
}

impl Csp {
    fn text(&self, player: &Player, scripts: &[&str], styles: &[&str]) -> String {
        let list = |own: &str, here: &[&str], player: &[String]| {
            let here = here.iter().map(|text| hash(text));
            let all = Some(own.to_string()).filter(|own| !own.is_empty()).into_iter().chain(here);
            all.chain(player.iter().cloned()).collect::<Vec<_>>().join(" ")
        };
        format!(
            "default-src 'none'; script-src {} 'wasm-unsafe-eval'; style-src {}; worker-src {}; connect-src {}; img-src blob:; base-uri 'none'; form-action 'none'",
            list(self.scripts, scripts, &player.scripts),
            list(self.styles, styles, &player.styles),
            self.workers,
            self.connect
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_unpack::unpack;

    /// A module with a custom section and an empty one of types.
    const MODULE_OF_TWO: &[u8] = b"\0asm\x01\0\0\0\0\x03\x02ab\x01\x01\0";

    #[test]
    fn names_are_taken_out_and_nothing_else() {
        assert_eq!(without_names(MODULE_OF_TWO).unwrap(), b"\0asm\x01\0\0\0\x01\x01\0");
        assert_eq!(length(&[0xe5, 0x8e, 0x26, 0]), Some((624_485, 3)));
        for broken in [&b"\0as"[..], b"\0bsm\x01\0\0\0", &MODULE_OF_TWO[..14], &MODULE_OF_TWO[..9]] {
            assert!(site(broken, MODULE_OF_TWO).is_err(), "{broken:?}");
            assert!(site(MODULE_OF_TWO, broken).is_err(), "{broken:?}");
        }
    }

    #[test]
    fn what_is_packed_is_unpacked_and_a_changed_byte_is_seen() {
        let module: Vec<u8> = (0..40_000u32).map(|x| ((x * x) >> 7) as u8).collect();
        let packed = packed(&module).unwrap();
        let mut whole = vec![0; module.len()];
        assert!(unpack(&packed, &mut whole) && whole == module);
        let (mut less, mut more) = (vec![0; module.len() - 1], vec![0; module.len() + 1]);
        assert!(!unpack(&packed, &mut less) && !unpack(&packed, &mut more));
        for at in [0, 4, packed.len() / 2, packed.len() - 20, packed.len() - 1] {
            let mut other = packed.clone();
            other[at] ^= 1;
            assert!(!unpack(&other, &mut whole), "byte {at}");
        }
    }

    #[test]
    fn a_site_is_its_files_and_asks_for_nothing_else() {
        let files = site(MODULE_OF_TWO, MODULE_OF_TWO).unwrap();
        assert_eq!(site(MODULE_OF_TWO, MODULE_OF_TWO).unwrap(), files);
        let text = |name: &str| {
            String::from_utf8(files.iter().find(|file| file.0 == name).unwrap().1.clone()).unwrap()
        };
        for name in ["index.html", SINGLE] {
            let page = text(name);
            assert!(
                ["@CSP@", "@STYLE@", "@SCRIPTS@", "http://", "https://"]
                    .iter()
                    .all(|mark| !page.contains(mark)),
                "{name}"
            );
            assert!(page.contains("default-src 'none'") && !page.contains("'unsafe-inline'"), "{name}");
        }
        // Every reference is to a file of the folder.
        let index = text("index.html");
        let named = between(&index, "src=\"", "\"").into_iter().chain(between(
            &index,
            "rel=\"stylesheet\" href=\"",
            "\"",
        ));
        named.for_each(|name| assert!(files.iter().any(|file| file.0 == name), "{name}"));
        assert_eq!(between(&text(SINGLE), "src=\"", "\""), Vec::<&str>::new());
    }

    #[test]
    fn another_script_has_another_digest() {
        assert_ne!(hash(APP), hash(&APP.replacen("use strict", "use strikt", 1)));
        // That of the standard's example.
        assert_eq!(hash("doSomething();"), "'sha256-RFWPLDbv2BY+rCkDzsE+0fr8ylGr2R2faWMhq4lfEQc='");
        assert!(Player::of_page("<script>a</script>").is_err());
    }
}
