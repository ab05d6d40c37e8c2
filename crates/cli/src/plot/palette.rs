//! The colours: one for each system, the same in every plot, and a ramp for the steps of a parameter.
//!
//! Those of systems are of the schemes of Okabe and Ito ("Color Universal Design", 2008) and of Paul Tol ("Colour Schemes",
//! SRON/EPS/TN/09-002, issue 3.2), in brackets which: those ten of their 37 colours with a contrast of 3 to white whose smallest
//! distance is the greatest that a search found, as eyes without long, medium or short cones see them, too. `vision` holds them to it.

use plotters::style::RGBColor;

/// The key of each system and its colour.
pub const SYSTEMS: [(&str, RGBColor); 10] = [
    ("rls", RGBColor(0, 119, 187)),           // vibrant blue
    ("rls-folded", RGBColor(213, 94, 0)),     // Okabe and Ito's vermilion
    ("rls-flattened", RGBColor(51, 34, 136)), // muted indigo
    ("gsen", RGBColor(204, 121, 167)),        // Okabe and Ito's reddish purple
    ("obf", RGBColor(34, 85, 85)),            // dark cyan
    ("xor", RGBColor(165, 23, 14)),           // rainbow 26
    ("atape", RGBColor(153, 79, 136)),        // rainbow 6
    ("benes", RGBColor(0, 0, 0)),             // Okabe and Ito's black
    ("dilated", RGBColor(119, 119, 119)),     // rainbow's grey
    ("multibutterfly", RGBColor(66, 21, 10)), // rainbow 28
];

/// Lines that are there to be compared with.
pub const CONTEXT: RGBColor = RGBColor(175, 175, 175);

pub fn system(key: &str) -> RGBColor {
    let found = SYSTEMS.iter().find(|(known, _)| *known == key);
    found.unwrap_or_else(|| panic!("the system {key} has no colour in plot::palette")).1
}

/// Step `at` of `count` of a parameter: from dark blue over purple to orange, ever lighter, so that their order is seen in grey,
/// too. The lightest still has a contrast of 3 to white.
pub fn ramp(at: usize, count: usize) -> RGBColor {
    const STOPS: [(f64, f64, f64); 4] =
        [(10.0, 10.0, 100.0), (90.0, 40.0, 140.0), (180.0, 65.0, 110.0), (226.0, 108.0, 40.0)];
    let place = at as f64 / (count.max(2) - 1) as f64 * (STOPS.len() - 1) as f64;
    let from = (place as usize).min(STOPS.len() - 2);
    let part = place - from as f64;
    let (a, b) = (STOPS[from], STOPS[from + 1]);
    let mix = |a: f64, b: f64| (a + (b - a) * part).round() as u8;
    RGBColor(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}
