//! The third system goes through the command: no line of the command knows its name.

use crate::args::{Cli, Command};
use crate::commands::router::commands;
use crate::design::{self, design};
use crate::ui::Ui;
use crate::{Verdict, run};
use std::path::Path;
use std::sync::LazyLock;

fn parsed(line: &str) -> Cli {
    let words = ["frit"].into_iter().chain(line.split_whitespace());
    Cli::parse(words.map(Into::into).collect(), design::system_row).unwrap()
}

/// One for all tests: it owns stdout and closes it when it goes.
static UI: LazyLock<Ui> = LazyLock::new(|| Ui::new(&parsed("systems").global));

/// Does what a command line says.
fn does(line: &str) -> anyhow::Result<Verdict> {
    run(parsed(line).command, &UI)
}

/// What `frit route` prints.
fn routed(line: &str) -> String {
    let cli = parsed(line);
    let Command::Route(args) = cli.command else { panic!("{line}") };
    let chosen = design(&args.design).unwrap();
    let report = commands(chosen.routed().unwrap()).route(&UI, &args).unwrap();
    report.print(args.format).unwrap()
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn it_is_routed() {
    assert_eq!(does("route omega -n 8 --seeds 3").unwrap(), Verdict::Fine);
    let csv = routed("route omega -n 8 --per-source 1 --seeds 2 --format csv");
    let cells: Vec<Vec<u32>> =
        csv.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    for (seed, row) in (1..).zip(&cells) {
        // n = 3 stages, then the step in which the last messages come out.
        assert_eq!((row[0], row[1], row[2] + row[3], row[4]), (seed, 4, 8, 8), "{csv}");
        assert!(row[3] > 0, "a random permutation of eight collides: {csv}");
    }
    let error = does("route omega -n 8 --traffic rain").unwrap_err().to_string();
    assert_eq!(error, "--traffic rain is not known to omega; give one of permutation, random");
    assert!(does("route omega -n 6").is_err());
    let error = does("synth omega -n 8").unwrap_err().to_string();
    assert_eq!(error, "frit synth does not apply to omega; use frit route or frit verify");
}

#[test]
fn it_is_swept_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("omega.toml");
    let sweep = "kind = \"route\"\nsystem = \"omega\"\nterminals = [4, 8, 16]\ntraffic = [\"permutation\", \"random\"]\n\
                 seeds = 4\n[drawing]\nx = \"n\"\ny = \"delivered\"\n\
                 [files]\ncsv = \"omega.csv\"\nsvg = \"omega.svg\"\n";
    std::fs::write(&file, sweep).unwrap();
    let out = folder.path().join("out");
    assert_eq!(does(&format!("sweep {} -o {}", file.display(), out.display())).unwrap(), Verdict::Fine);
    let csv = text(&out.join("omega.csv"));
    assert_eq!(csv.lines().count(), 1 + 3 * 2 * 4, "{csv}");
    assert!(csv.starts_with("terminals,per_input,traffic,seed,steps,delivered,dropped,total"), "{csv}");
    assert!(text(&out.join("omega.svg")).contains("Omega"));
    let drawing = folder.path().join("omega_network.svg");
    does(&format!("network omega -n 8 --format svg -o {}", drawing.display())).unwrap();
    assert_eq!(text(&drawing).matches("<rect ").count(), 1 + 3 * 4);
}

#[test]
fn it_is_verified() {
    let folder = tempfile::tempdir().unwrap();
    let line = |fault: &str, out: &str| {
        format!(
            "verify omega -n 8 --seed 2 --engines rust-hdl,icarus {fault} -o {}",
            folder.path().join(out).display()
        )
    };
    assert_eq!(does(&line("--wave fst", "right")).unwrap(), Verdict::Fine);
    assert_eq!(does(&line("--fault swapped-inputs --wave none", "wrong")).unwrap(), Verdict::Failed);
    // Icarus ran: without it nothing would have been compared with rust-hdl's.
    if frit_cosim::tools::ToolPath::from_environment().find(frit_cosim::tools::IVERILOG).is_ok() {
        assert!(text(&folder.path().join("right/icarus/run.log")).contains("PASS omega_n8_k4: delivered="));
        assert!(text(&folder.path().join("wrong/icarus/run.log")).contains("FAIL: cycle "));
    }
}
