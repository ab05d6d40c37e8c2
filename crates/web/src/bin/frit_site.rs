//! `frit-site MODULE.wasm FOLDER`: writes the pages of `make site`.

use anyhow::{Context, Result, bail};
use frit_trace::output::{make_folder, write_file};
use frit_web::site::site;
use std::path::Path;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = arguments.as_slice() else {
        bail!("frit-site takes two arguments, MODULE.wasm and FOLDER; make site gives them");
    };
    let bytes = std::fs::read(module).with_context(|| module.clone())?;
    make_folder(Path::new(folder))?;
    for (name, content) in site(&bytes).with_context(|| module.clone())? {
        write_file(&Path::new(folder).join(name), content)?;
    }
    Ok(())
}
