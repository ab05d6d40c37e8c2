//! `frit-site MODULE.wasm UNPACK.wasm FOLDER`: writes the pages of `make site`.

use anyhow::{Context, Result, bail};
use frit_trace::output::{OutputFolder, write_file};
use frit_web::site::site;
use std::path::Path;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, unpack, folder] = arguments.as_slice() else {
        bail!("frit-site takes three arguments, MODULE.wasm, UNPACK.wasm and FOLDER; make site gives them");
    };
    let read = |path: &String| std::fs::read(path).with_context(|| path.clone());
    let (bytes, unpack) = (read(module)?, read(unpack)?);
    let folder = OutputFolder::open(Path::new(folder))?;
    for (name, content) in site(&bytes, &unpack).with_context(|| module.clone())? {
        write_file(&folder.path().join(name), content)?;
    }
    Ok(())
}
