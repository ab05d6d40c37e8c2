//! The colours as eyes with two kinds of cones see them: simulated after Machado, Oliveira and Fernandes, "A Physiologically-based
//! Model for Simulation of Color Vision Deficiency" (2009, severity 1), distances as CIEDE2000, contrast as WCAG 2.

use super::palette::{self, SYSTEMS, ramp};
use frit_network::drawing::{GROUND_DARK, SOURCES, SOURCES_DARK, WRONG, WRONG_DARK};
use plotters::style::{RGBColor, WHITE};

type Three = [f64; 3];

const VISIONS: [(&str, [Three; 3]); 4] = [
    ("normal", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "protanopia",
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    ),
    (
        "deuteranopia",
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    ),
    (
        "tritanopia",
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ),
];

fn times(m: &[Three; 3], v: Three) -> Three {
    m.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum())
}

fn linear(colour: RGBColor) -> Three {
    [colour.0, colour.1, colour.2].map(|c| f64::from(c) / 255.0).map(|c| match c {
        c if c <= 0.04045 => c / 12.92,
        c => ((c + 0.055) / 1.055).powf(2.4),
    })
}

fn luminance(colour: RGBColor) -> f64 {
    let [r, g, b] = linear(colour);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn contrast(one: RGBColor, two: RGBColor) -> f64 {
    let (one, two) = (luminance(one), luminance(two));
    (one.max(two) + 0.05) / (one.min(two) + 0.05)
}

fn contrast_to_white(colour: RGBColor) -> f64 {
    contrast(colour, WHITE)
}

/// CIELAB, D65.
fn lab(colour: RGBColor, vision: &[Three; 3]) -> Three {
    const XYZ: [Three; 3] = [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ];
    let seen = times(vision, linear(colour)).map(|c| c.clamp(0.0, 1.0));
    let [x, y, z] = times(&XYZ, seen);
    let f = |t: f64| if t > 216.0 / 24389.0 { t.cbrt() } else { (24389.0 / 27.0 * t + 16.0) / 116.0 };
    let (x, y, z) = (f(x / 0.95047), f(y), f(z / 1.08883));
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// After Sharma, Wu and Dalal (2005).
fn ciede2000(one: Three, two: Three) -> f64 {
    let seventh = |c: f64| (c.powi(7) / (c.powi(7) + 25f64.powi(7))).sqrt();
    let mean_chroma = (one[1].hypot(one[2]) + two[1].hypot(two[2])) / 2.0;
    let g = 1.5 - 0.5 * seventh(mean_chroma);
    let polar = |[_, a, b]: Three| (b.hypot(a * g), b.atan2(a * g).to_degrees().rem_euclid(360.0));
    let ((c1, h1), (c2, h2)) = (polar(one), polar(two));
    let grey = c1 * c2 == 0.0;
    let turn = match h2 - h1 {
        _ if grey => 0.0,
        d if d > 180.0 => d - 360.0,
        d if d < -180.0 => d + 360.0,
        d => d,
    };
    let h = if grey { h1 + h2 } else { h1 + turn / 2.0 };
    let (l, c) = ((one[0] + two[0]) / 2.0 - 50.0, (c1 + c2) / 2.0);
    let cosine = |factor: f64, shift: f64| (factor * h + shift).to_radians().cos();
    let t = 1.0 - 0.17 * cosine(1.0, -30.0) + 0.24 * cosine(2.0, 0.0) + 0.32 * cosine(3.0, 6.0)
        - 0.20 * cosine(4.0, -63.0);
    let hue = h.rem_euclid(360.0);
    let rotation = -(60.0 * (-((hue - 275.0) / 25.0).powi(2)).exp()).to_radians().sin() * 2.0 * seventh(c);
    let light = (two[0] - one[0]) / (1.0 + 0.015 * l * l / (20.0 + l * l).sqrt());
    let chroma = (c2 - c1) / (1.0 + 0.045 * c);
    let hue = 2.0 * (c1 * c2).sqrt() * (turn / 2.0).to_radians().sin() / (1.0 + 0.015 * c * t);
    (light.powi(2) + chroma.powi(2) + hue.powi(2) + rotation * chroma * hue).sqrt()
}

/// The smallest distance of two of the colours, for each vision.
fn smallest(colours: &[RGBColor]) -> [f64; 4] {
    VISIONS.map(|(_, vision)| {
        let seen: Vec<Three> = colours.iter().map(|&colour| lab(colour, &vision)).collect();
        let pairs = (0..seen.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        pairs.map(|(a, b)| ciede2000(seen[a], seen[b])).fold(f64::INFINITY, f64::min)
    })
}

/// What colours have to keep: a distance of 11 in each vision, and a contrast of 3 to what they are drawn on.
fn faults(colours: &[RGBColor], ground: RGBColor) -> Vec<String> {
    let near = smallest(colours).into_iter().zip(VISIONS).filter(|(distance, _)| *distance < 11.0);
    let near = near.map(|(distance, (vision, _))| format!("{vision}: {distance:.1}"));
    let pale = colours.iter().filter(|colour| contrast(**colour, ground) < 3.0);
    near.chain(pale.map(|colour| format!("{colour:?}: {:.1} to the ground", contrast(*colour, ground))))
        .collect()
}

/// The colours that 15 lines had before: steps of a ramp.
fn old(at: usize, count: usize) -> RGBColor {
    const STOPS: [[f64; 3]; 5] = [
        [68.0, 1.0, 84.0],
        [59.0, 82.0, 139.0],
        [33.0, 145.0, 140.0],
        [94.0, 190.0, 80.0],
        [235.0, 150.0, 20.0],
    ];
    let place = at as f64 / (count - 1) as f64 * 4.0;
    let from = (place as usize).min(3);
    let mix =
        |c: usize| (STOPS[from][c] + (STOPS[from + 1][c] - STOPS[from][c]) * (place - from as f64)).round();
    RGBColor(mix(0) as u8, mix(1) as u8, mix(2) as u8)
}

#[test]
fn distances_are_those_of_the_paper() {
    // Rows 1, 4, 7, 17, 20 and 25 of Sharma's table 1.
    for (one, two, expected) in [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, -1.3802, -84.2814], [50.0, 0.0, -82.7485], 1.0000),
        ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.3669),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
        ([50.0, 2.5, 0.0], [58.0, 24.0, 15.0], 19.4535),
        ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
    ] {
        assert!((ciede2000(one, two) - expected).abs() < 1e-4, "{one:?} {two:?}: {}", ciede2000(one, two));
    }
    assert!((contrast_to_white(RGBColor(0, 0, 0)) - 21.0).abs() < 1e-9);
    assert!((contrast_to_white(RGBColor(119, 119, 119)) - 4.48).abs() < 0.01);
}

#[test]
fn the_colours_of_systems_are_told_apart_by_all_eyes() {
    let colours = SYSTEMS.map(|(_, colour)| colour);
    println!("{:.1?}", smallest(&colours));
    assert_eq!(faults(&colours, WHITE), Vec::<String>::new());
}

#[test]
fn the_colours_before_were_not() {
    let before: Vec<RGBColor> = (0..15).map(|at| old(at, 15)).collect();
    println!("{:.1?}", smallest(&before));
    let faults = faults(&before, WHITE);
    for (vision, _) in VISIONS {
        assert!(faults.iter().any(|fault| fault.starts_with(vision)), "{faults:?}");
    }
    assert!(faults.iter().any(|fault| fault.ends_with("to the ground")), "{faults:?}");
}

#[test]
fn steps_of_the_ramp_grow_lighter_for_all_eyes() {
    for count in 1..=16 {
        let steps: Vec<RGBColor> = (0..count).map(|at| ramp(at, count)).collect();
        for (name, vision) in VISIONS {
            let light: Vec<f64> = steps.iter().map(|&step| lab(step, &vision)[0]).collect();
            assert!(light.is_sorted() && light.windows(2).all(|pair| pair[0] < pair[1]), "{name}: {light:?}");
        }
        assert!(steps.iter().all(|&step| contrast_to_white(step) >= 3.0));
    }
}

#[test]
fn every_system_has_a_colour_and_no_other() {
    let planned = frit_schedule::SYSTEMS.iter().map(|system| system.row.key);
    let routed = frit_router::ROUTED.iter().map(|system| system.row.key);
    let keys: Vec<&str> = planned.chain(routed).collect();
    keys.iter().for_each(|key| _ = palette::system(key));
    assert_eq!(keys.len(), SYSTEMS.len());
}

/// A colour `#rrggbb`.
fn hexadecimal(text: &str) -> RGBColor {
    let [r, g, b] = [1, 3, 5].map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap());
    RGBColor(r, g, b)
}

fn with(sources: &[&str], wrong: &str) -> Vec<RGBColor> {
    sources.iter().chain([&wrong]).map(|text| hexadecimal(text)).collect()
}

#[test]
fn the_colours_of_messages_and_of_what_is_wrong_are_told_apart_by_all_eyes() {
    for (sources, wrong, ground) in
        [(SOURCES, WRONG, WHITE), (SOURCES_DARK, WRONG_DARK, hexadecimal(GROUND_DARK))]
    {
        let colours = with(&sources, wrong);
        println!("{:.1?}", smallest(&colours));
        assert_eq!(faults(&colours, ground), Vec::<String>::new());
    }
    // Those before were not: the red of a fault was the page's colour of terminal 0, and stills had a vermilion like it.
    let page = with(&["#b31919"], WRONG);
    assert_eq!(faults(&page, WHITE).len(), 4, "{:?}", smallest(&page));
    let stills = ["#0072b2", "#d55e00", "#009e73", "#a6327a", "#8a6d00", "#3f8fc4", "#5a4fa0", "#7a3b00"];
    assert!(faults(&with(&stills, "#c62828"), WHITE).len() > 1);
}
