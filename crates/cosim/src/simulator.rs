//! Builds and runs a testbench under a simulator.

use crate::made_from::MadeFrom;
use crate::tools::{self, Tool, ToolPath};
use frit_network::{Refusal, refusal};
use frit_trace::output::{TemporaryFolder, is_plain, make_folder, read, remove_file, write_file};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The file of switch states, as [`read_states`](frit_trace::trace::read_states) reads it.
pub const STATES_FILE: &str = "states.csv";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Simulator {
    /// Verilator, with its C++ build.
    Verilator,
    Icarus,
}

/// A waveform format that simulators write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WaveKind {
    /// Fast signal trace: small.
    #[default]
    Fst,
    /// Value change dump: read by everything.
    Vcd,
}

impl WaveKind {
    pub fn extension(self) -> &'static str {
        match self {
            WaveKind::Fst => "fst",
            WaveKind::Vcd => "vcd",
        }
    }

    /// Where an engine writes its waveform, its results being in `folder`.
    pub(crate) fn path_in(self, folder: &Path) -> PathBuf {
        folder.join(format!("wave.{}", self.extension()))
    }
}

/// A testbench, and where its results go.
pub struct Job<'a> {
    /// The folder with the sources and the tables.
    pub sources: &'a Path,
    /// The folder of this simulator's results; its builds are below it.
    pub folder: &'a Path,
    pub design: &'a str,
    /// The waveform to write, if any.
    pub wave: Option<WaveKind>,
    /// Whether the run is long: the C++ compiler then takes its time (Verilator only).
    pub long_run: bool,
    /// Further arguments of the testbench.
    pub plusargs: &'a [String],
}

/// The results of a simulation.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Whether the testbench passed by its own account.
    pub passed: bool,
    pub output: String,
    /// The waveform, if one was asked for.
    pub wave: Option<PathBuf>,
    /// Time of each part.
    pub times: Vec<(&'static str, Duration)>,
}

/// The line `RESULT key=value …` that a testbench prints for programs.
#[derive(Clone, Copy, Debug)]
pub struct ResultLine<'a>(&'a str);

impl<'a> ResultLine<'a> {
    /// The last one in what a testbench printed.
    pub fn find(output: &'a str) -> Option<Self> {
        output.lines().rev().find_map(|line| line.strip_prefix("RESULT ")).map(ResultLine)
    }

    /// The number after a key.
    pub fn value(self, key: &str) -> Option<i64> {
        self.0.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('=')?.parse().ok())
    }
}

impl Simulator {
    pub fn needs(self) -> &'static [Tool] {
        match self {
            Simulator::Verilator => &[tools::VERILATOR, tools::MAKE, tools::CXX],
            Simulator::Icarus => &[tools::IVERILOG, tools::VVP],
        }
    }

    /// Builds the testbench and runs it; it writes [`STATES_FILE`], deliveries.csv, received.csv and the waveform into
    /// the job's folder. A testbench that fails is a result, a tool that fails an error.
    pub fn run(self, tools: &ToolPath, job: &Job) -> Result<Finished, Refusal> {
        make_folder(job.folder)?;
        for tool in self.needs() {
            tools.find(*tool)?;
        }
        match self {
            Simulator::Verilator => verilator(tools, job),
            Simulator::Icarus => icarus(tools, job),
        }
    }
}

fn verilator(tools: &ToolPath, job: &Job) -> Result<Finished, Refusal> {
    match verilate(tools, job) {
        // FST needs the headers of zlib and lz4, VCD nothing.
        Err(error)
            if job.wave == Some(WaveKind::Fst)
                && error
                    .detail()
                    .is_some_and(|Failed { tail, .. }| tail.contains("lz4") || tail.contains("zlib")) =>
        {
            verilate(tools, &Job { wave: Some(WaveKind::Vcd), ..*job })
        }
        result => result,
    }
}

fn verilate(tools: &ToolPath, job: &Job) -> Result<Finished, Refusal> {
    let tb = format!("tb_{}", job.design);
    let staged = Staged::new(job)?;
    let build = staged.folder.path().join("build");
    make_folder(&build)?;
    let mut command = tools.command(tools::VERILATOR)?;
    // A small testbench is compiled longer than it runs, so the C++ compiler is told to be quick (the options are those of
    // the emitted Makefile); a large one writes so many lines that Verilator's own library must be fast. Measured in
    // docs/rtl-simulation.md.
    match job.long_run {
        true => command.args(["-MAKEFLAGS", "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1"]),
        false => command.args(["-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"]),
    };
    command.args(["--binary", "--timing", "--timescale", "1ns/1ps", "-Wno-fatal", "-j", "2"]);
    command.args(["--top-module", &tb, "-o", &tb]).arg(staged.made_from.define());
    if let Some(wave) = job.wave {
        // Ports of large designs are wider than Verilator traces by default; 0 is no limit.
        command.arg(format!("--trace-{}", wave.extension())).args(["--trace-max-width", "0"]);
    }
    command.args(["--Mdir", "build", "-f", &staged.list]).current_dir(staged.folder.path());
    let log = job.folder.join("build.log");
    let program = build.join(&tb);
    let took = tool(command, &log, &[&program])?;
    let text = std::fs::read_to_string(&log).unwrap_or_default();
    let times = match cpp_build(&text).filter(|build| *build <= took) {
        Some(build) => vec![("verilate", took - build), ("C++ build", build)],
        None => vec![("verilate and C++ build", took)],
    };
    bench(Command::new(program), job, times, &staged.made_from, tools::VERILATOR)
}

/// A private copy of the sources of a testbench, for the build: no object or program of an earlier run can leak in, and the hash
/// describes exactly the files that are compiled.
struct Staged {
    folder: TemporaryFolder,
    /// The list of the testbench's files.
    list: String,
    made_from: MadeFrom,
}

impl Staged {
    /// Verilator hands the names of its folders to a shell and to make, which would interpret what is special in one. So it
    /// works in a folder with a plain name: in that of the results, else where the system keeps what is temporary.
    fn new(job: &Job) -> Result<Self, Refusal> {
        let folder = match absolute(job.folder)? {
            own if is_plain(&own) => TemporaryFolder::inside(&own, "build-")?,
            _ => TemporaryFolder::plain("frit-build-")?,
        };
        let list = format!("{}_tb.f", job.design);
        let text = read(&job.sources.join(&list))?;
        let lines = String::from_utf8_lossy(&text).into_owned();
        let named = lines.lines().map(str::trim);
        let named =
            named.filter(|line| !line.is_empty() && !line.starts_with("//") && !line.starts_with('+'));
        let mut files = vec![(list.clone(), text)];
        for name in named {
            files.push((name.into(), read(&job.sources.join(name))?));
        }
        for (name, text) in &files {
            write_file(&folder.path().join(name), text)?;
        }
        let choices = format!("{} {:?} {}", job.design, job.wave, job.long_run);
        let made_from =
            MadeFrom::new(files.iter().map(|(name, text)| (name.as_str(), text.as_slice())), &choices);
        Ok(Staged { folder, list, made_from })
    }
}

/// The time of the C++ build, from Verilator's own report: `- Verilator: Walltime 2.4 s (elab=…, cvt=…, bld=2.1); …`.
fn cpp_build(log: &str) -> Option<Duration> {
    let line = log.lines().find(|line| line.contains("Verilator: Walltime"))?;
    let (_, rest) = line.split_once("bld=")?;
    let number: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    Duration::try_from_secs_f64(number.parse().ok()?).ok()
}

fn icarus(tools: &ToolPath, job: &Job) -> Result<Finished, Refusal> {
    let (tb, program) = (format!("tb_{}", job.design), absolute(job.folder)?.join("tb.vvp"));
    let staged = Staged::new(job)?;
    let mut compile = tools.command(tools::IVERILOG)?;
    compile
        .args(["-g2012", "-s", &tb, "-f", &staged.list])
        .arg(staged.made_from.define())
        .arg("-o")
        .arg(&program);
    compile.current_dir(staged.folder.path());
    let times = vec![("compile", tool(compile, &job.folder.join("compile.log"), &[&program])?)];
    let mut vvp = tools.command(tools::VVP)?;
    vvp.arg("-n").arg(&program);
    if let Some(wave) = job.wave {
        vvp.arg(format!("-{}", wave.extension()));
    }
    bench(vvp, job, times, &staged.made_from, tools::VVP)
}

/// Runs the built testbench in the job's folder, with relative names only, so that nothing it writes holds a path.
fn bench(
    mut command: Command,
    job: &Job,
    mut times: Vec<(&'static str, Duration)>,
    made_from: &MadeFrom,
    by: Tool,
) -> Result<Finished, Refusal> {
    let wave = job.wave.map(|kind| format!("wave.{}", kind.extension()));
    command.current_dir(job.folder).args([
        &format!("+states={STATES_FILE}"),
        "+deliveries=deliveries.csv",
        "+received=received.csv",
    ]);
    let mut data = OsString::from("+data=");
    data.push(sources_from_folder(job)?);
    command.arg(data).args(job.plusargs);
    if let Some(wave) = &wave {
        command.arg(format!("+wave={wave}"));
    }
    let start = Instant::now();
    let (output, status) = output(command)?;
    times.push(("run", start.elapsed()));
    let log = job.folder.join("run.log");
    write_file(&log, &output)?;
    if !output.contains("RESULT ") {
        return Err(failed("the testbench", &status.to_string(), &log, &output));
    }
    made_from.check(&output, by.program, &log)?;
    // A `$finish` of the design ends a simulation with status 0, too.
    let passed = status.success() && has_passed(&output);
    Ok(Finished { passed, output, wave: wave.map(|name| job.folder.join(name)), times })
}

/// Whether a testbench said so itself, and nothing else.
fn has_passed(output: &str) -> bool {
    let says = |word: &str| output.lines().any(|line| line.starts_with(word));
    says("PASS") && !says("FAIL")
}

/// Runs a tool that must succeed; its output goes to a log. Returns its time. The files that it must write are removed before, and
/// must exist afterwards: an exit status alone proves nothing.
pub(crate) fn tool(command: Command, log: &Path, products: &[&Path]) -> Result<Duration, Refusal> {
    let program = program(&command);
    for product in products {
        remove_file(product)?;
    }
    let start = Instant::now();
    let (output, status) = output(command)?;
    let took = start.elapsed();
    write_file(log, &output)?;
    if !status.success() {
        return Err(failed(&program, &status.to_string(), log, &output));
    }
    let written = |path: &&&Path| std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() > 0);
    match products.iter().find(|path| !written(path)) {
        Some(path) => Err(refusal!(
            "{program} reported success but did not write {}; its output is in {}",
            path.display(),
            log.display()
        )),
        None => Ok(took),
    }
}

/// A tool reported an error: attached to the refusal.
pub(crate) struct Failed {
    /// Where its output is.
    pub log: PathBuf,
    /// How that ends.
    pub tail: String,
}

fn failed(program: &str, status: &str, log: &Path, output: &str) -> Refusal {
    let lines: Vec<&str> = output.lines().collect();
    let tail = lines[lines.len().saturating_sub(12)..].join("\n");
    refusal!("{program} failed ({status}); its output is in {}; it ends with:\n{tail}", log.display())
        .with(Failed { log: log.into(), tail })
}

fn program(command: &Command) -> String {
    Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Runs a program to its end; gives what it prints, and its exit status. Its temporary files are in a folder of their own, which goes
/// with them: a program that is killed leaves them behind.
fn output(mut command: Command) -> Result<(String, std::process::ExitStatus), Refusal> {
    let temporary = TemporaryFolder::plain("frit-tool-")?;
    command.envs(["TMPDIR", "TMP", "TEMP"].map(|variable| (variable, temporary.path())));
    let output = frit_trace::interrupt::output(&mut command)
        .map_err(|cause| refusal!("{} did not start: {cause}", program(&command)).because(cause))?;
    let text = [output.stdout, output.stderr].concat();
    Ok((String::from_utf8_lossy(&text).into_owned(), output.status))
}

/// The folder of the sources as seen from that of the results. Relative where it can be: Icarus opens no file whose name
/// is not ASCII.
fn sources_from_folder(job: &Job) -> Result<PathBuf, Refusal> {
    match job.sources.file_name() {
        Some(name) if job.sources.parent() == job.folder.parent() => Ok(Path::new("..").join(name)),
        _ => absolute(job.sources),
    }
}

fn absolute(path: &Path) -> Result<PathBuf, Refusal> {
    std::path::absolute(path)
        .map_err(|cause| refusal!("cannot make the folder {}: {cause}", path.display()).because(cause))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_testbench_has_passed_only_if_it_says_so() {
        assert!(has_passed("noise\nPASS d: cycles=6\nRESULT errors=0\n"));
        assert!(!has_passed("RESULT errors=0\n"));
        assert!(!has_passed("FAIL: cycle 3\nPASS d: cycles=6\nRESULT errors=0\n"));
    }

    #[test]
    fn verilators_own_report_splits_the_time() {
        let log = "- V e r i l a t i o n\n- Verilator: Walltime 2.513 s (elab=0.003, cvt=0.081, bld=2.375); cpu 0.1 s\n";
        assert_eq!(cpp_build(log), Some(Duration::from_millis(2375)));
        assert_eq!(cpp_build("nothing"), None);
    }
}
