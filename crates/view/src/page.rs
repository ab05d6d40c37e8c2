//! The page: one file, no request to anywhere.

use crate::escape::escape;
use crate::film::Film;
use serde::Serialize;
use tera::{Context, Tera};

const PAGE: &str = include_str!("../page/page.html.tera");
const STYLE: &str = include_str!("../page/style.css");
/// In the order in which they stand in the page.
const SCRIPTS: [&str; 5] = [
    include_str!("../page/film.js"),
    include_str!("../page/planned.js"),
    include_str!("../page/routed.js"),
    include_str!("../page/draw.js"),
    include_str!("../page/player.js"),
];

/// What the template is filled with.
#[derive(Serialize)]
struct Values<'a> {
    title: String,
    about: Vec<String>,
    unit: &'a str,
    switch: String,
    command: String,
    style: &'a str,
    film: String,
    script: String,
}

/// The film as an HTML page.
pub fn page(film: &Film) -> String {
    let values = Values {
        title: escape(&film.title),
        about: film.about.iter().map(|line| escape(line)).collect(),
        unit: film.unit,
        switch: escape(film.words.switch),
        command: escape(&film.command),
        style: STYLE,
        film: json(film),
        script: SCRIPTS.concat(),
    };
    let context = Context::from_serialize(values).expect("a struct of plain fields is a context");
    Tera::one_off(PAGE, &context, false).expect("the page's template names only what it is given")
}

/// The film as JSON within a page: no text in it ends the element that it stands in.
fn json(film: &Film) -> String {
    let text = serde_json::to_string(film).expect("a film is numbers and texts");
    text.replace('<', "\\u003c")
}
