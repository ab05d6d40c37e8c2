//! The page: one file, no request to anywhere.

use crate::film::{Body, Film};
use frit_network::drawing::escape;
use serde::Serialize;
use tera::{Context, Tera};

const PAGE: &str = include_str!("../page/page.html.tera");
const STYLE: &str = include_str!("../page/style.css");
/// What the page says when the rest of it does not work.
const GUARD: &str = include_str!("../page/problem.js");
/// In the order in which they stand in the page.
const SCRIPTS: [&str; 13] = [
    include_str!("../page/shape.js"),
    include_str!("../page/looks.js"),
    include_str!("../page/film.js"),
    include_str!("../page/planned.js"),
    include_str!("../page/scene.js"),
    include_str!("../page/stories.js"),
    include_str!("../page/routed.js"),
    include_str!("../page/say.js"),
    include_str!("../page/crossbar.js"),
    include_str!("../page/draw.js"),
    include_str!("../page/things.js"),
    include_str!("../page/save.js"),
    include_str!("../page/player.js"),
];

/// What the template is filled with.
#[derive(Serialize)]
struct Values<'a> {
    title: String,
    about: Vec<String>,
    unit: &'a str,
    /// What a switch is called; empty if there are none.
    switch: String,
    command: String,
    style: &'a str,
    guard: &'a str,
    film: String,
    script: String,
}

pub fn page(film: &Film) -> String {
    let values = Values {
        title: escape(&film.title),
        about: film.about.iter().map(|line| escape(line)).collect(),
        unit: film.unit,
        switch: match film.body {
            Body::Crossbar(_) => String::new(),
            _ => escape(film.words.switch),
        },
        command: escape(&film.command),
        style: STYLE,
        guard: GUARD,
        film: json(film),
        script: SCRIPTS.concat(),
    };
    let context = Context::from_serialize(&values).expect("a struct of plain fields is a context");
    Tera::one_off(PAGE, &context, false).expect("the page's template names only what it is given")
}

/// The film as JSON within a page: no text in it ends the element that it stands in.
fn json(film: &Film) -> String {
    let text = serde_json::to_string(film).expect("a film is numbers and texts");
    text.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_network::drawing::{GROUND_DARK, SOURCES, SOURCES_DARK, WRONG, WRONG_DARK};
    use frit_schedule::{Request, plan};
    use frit_traffic::trace::Recorder;

    #[test]
    fn no_text_of_the_data_is_markup() {
        let plan = plan(&Request::new("rls", 4)).unwrap();
        let mut film = crate::planned::film(&plan, &Recorder::default(), None);
        let evil = "</script><script>alert(1)</script><!-- \u{2028}\"&{{ title }}";
        film.title = evil.into();
        film.about.push(evil.into());
        film.command = evil.into();
        film.difference = Some(evil.into());
        let page = page(&film);
        assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (3, 3));
        assert!(!page.contains("alert(1)<") && !page.contains("<!--"));
        let (_, data) = page.split_once("id=\"film\">").unwrap();
        let data: serde_json::Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
        assert_eq!(data["title"], evil);
    }

    /// What a page says before its scripts run: its text, and what screen readers are told.
    fn said(page: &str) -> String {
        let parts: Vec<&str> = page.split("<style>").flat_map(|part| part.split("<script")).collect();
        let shown = parts.iter().map(|part| {
            part.split_once("</script>").or(part.split_once("</style>")).map_or(*part, |(_, behind)| behind)
        });
        shown.collect::<String>().replace("id=\"stage\"", "")
    }

    #[test]
    fn a_page_without_switches_says_nothing_of_them() {
        let plan = plan(&Request::new("rls", 4)).unwrap();
        let mut film = crate::planned::film(&plan, &Recorder::default(), None);
        film.about.clear();
        assert_eq!(said(&page(&film)).matches("switch").count(), 4);
        let Body::Planned(body) = film.body else { panic!("a plan is planned") };
        film.body = Body::Crossbar(body);
        let said = said(&page(&film));
        assert!(!said.contains("switch") && !said.contains("stage"), "{said}");
        assert!(said.contains("The configuration of this cycle, as text"), "{said}");
    }

    /// Relative luminance (WCAG 2) of `#rrggbb`.
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    /// A variable of the style, light and dark.
    fn variable(name: &str) -> [&'static str; 2] {
        let found: Vec<&str> = STYLE.split(&format!("--{name}: ")).skip(1).map(|rest| &rest[..7]).collect();
        found.try_into().unwrap()
    }

    #[test]
    fn messages_and_what_is_wrong_have_the_colours_of_stills() {
        let hues: Vec<&str> =
            STYLE.split("--hues: ").skip(1).map(|rest| rest.split_once(';').unwrap().0).collect();
        assert_eq!(hues, [SOURCES.join(" "), SOURCES_DARK.join(" ")]);
        assert_eq!(variable("wrong"), [WRONG, WRONG_DARK]);
        assert_eq!(variable("ground"), ["#ffffff", GROUND_DARK]);
    }

    #[test]
    fn text_is_readable_in_both_themes() {
        for (text, ground) in ["text", "soft", "wrong", "state"]
            .into_iter()
            .flat_map(|text| ["ground", "panel", "box"].map(|ground| (text, ground)))
        {
            for (text_colour, ground_colour) in variable(text).into_iter().zip(variable(ground)) {
                let (a, b) = (luminance(text_colour), luminance(ground_colour));
                let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
                assert!(contrast >= 4.5, "{text} {text_colour} on {ground} {ground_colour}: {contrast:.2}");
            }
        }
    }
}
