//! Yosys runs scripts, and shows that it ran them to their end.

use crate::made_from::MadeFrom;
use crate::simulator::tool;
use crate::tools::{ToolPath, YOSYS};
use frit_network::Refusal;
use frit_trace::output::{read, write_file};
use std::path::Path;
use std::time::Duration;

/// Has Yosys run `script`, written as `NAME.ys` in `folder`, its output in `log`. It must write `products`, and as its last
/// step `NAME.made` with the digest of the script and of the files that the script reads.
pub(crate) fn yosys(
    tools: &ToolPath,
    folder: &Path,
    name: &str,
    script: &str,
    log: &str,
    products: &[&str],
) -> Result<Duration, Refusal> {
    let read_by_script =
        script.lines().filter(|line| line.starts_with("read_verilog ")).flat_map(str::split_whitespace);
    let files = read_by_script.skip(1).filter(|word| !word.starts_with('-') && *word != "read_verilog");
    let mut contents = Vec::new();
    for file in files {
        contents.push((file, read(&folder.join(file))?));
    }
    let made_from = MadeFrom::new(contents.iter().map(|(file, text)| (*file, text.as_slice())), script);
    let (file, made) = (format!("{name}.ys"), format!("{name}.made"));
    write_file(&folder.join(&file), format!("{script}tee -q -o {made} log {}\n", made_from.line()))?;
    let mut command = tools.command(YOSYS)?;
    // Relative names only: Yosys as WebAssembly does not see the real /tmp.
    command.args(["-q", &file]).current_dir(folder);
    let (log, made) = (folder.join(log), folder.join(made));
    let paths: Vec<_> = products.iter().map(|product| folder.join(product)).chain([made.clone()]).collect();
    let took = tool(command, &log, &paths.iter().map(|path| path.as_path()).collect::<Vec<_>>())?;
    made_from.check(&String::from_utf8_lossy(&read(&made)?), "yosys", &log)?;
    Ok(took)
}
