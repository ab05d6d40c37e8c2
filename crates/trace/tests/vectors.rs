//! The model against traces that an independent program made: `data/vectors/<design>/{settings,deliveries}.csv`.

use frit_schedule::Request;
use frit_trace::trace::{DeliveriesCsv, SettingsCsv, Tee, first_difference, read_deliveries, read_settings};
use frit_traffic::trace::Recorder;
use std::path::Path;

fn check(folder: &Path, request: &Request, cycles: u64) {
    let plan = frit_schedule::plan(request).unwrap();
    let mut recorder = Recorder::default();
    let mut settings = SettingsCsv::new(Vec::new());
    let mut deliveries = DeliveriesCsv::new(Vec::new(), 8);
    let mut tee = Tee(vec![&mut recorder, &mut settings, &mut deliveries]);
    let run = frit_model::exchange(&plan, None, &mut tee).run;
    assert!(run.ok());
    assert_eq!(run.cycles, cycles);
    let file = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let expected = Recorder {
        settings: read_settings(&file("settings.csv")[..], "settings.csv").unwrap(),
        deliveries: read_deliveries(&file("deliveries.csv")[..], "deliveries.csv").unwrap(),
    };
    assert_eq!(first_difference(&expected, &recorder), None, "{}", folder.display());
    // Not only the same rows: the same bytes.
    assert_eq!(settings.finish().unwrap(), file("settings.csv"));
    assert_eq!(deliveries.finish().unwrap(), file("deliveries.csv"));
}

#[test]
fn the_model_reproduces_every_vector() {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/vectors");
    let ata2 = Request::new("gsen", 10).with("algorithm", "ata2");
    for (name, request, cycles) in [
        ("rls_n8", Request::new("rls", 8), 12),
        ("gsen_n6", Request::new("gsen", 6), 10),
        ("gsen-ata2_n10", ata2, 13),
        ("obf_n8", Request::new("obf", 8), 6),
    ] {
        check(&vectors.join(name), &request, cycles);
    }
}
