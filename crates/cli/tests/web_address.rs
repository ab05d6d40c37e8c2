//! Addresses of the page in a browser, which name a design.

use crate::common;
use crate::web;

use common::root;
use serde_json::json;
use web::{ask, folder};

#[test]
fn no_option_has_a_name_that_the_address_needs() {
    let systems = ask("systems", &json!({})).unwrap();
    for row in systems["systems"].as_array().unwrap() {
        for option in row["options"].as_array().unwrap() {
            let own = ["system", "n", "w", "traffic", "seed", "fault", "show"];
            assert!(!own.contains(&option["name"].as_str().unwrap()), "{row}");
        }
    }
}

/// What links of the handbook ask the page for exists.
#[test]
fn addresses_of_the_page_in_the_handbook_show_designs() {
    const PAGE: &str = "(https://fritillary.github.io/fritillary/#";
    let pages = folder(&root().join("docs"), |name| name.ends_with(".md"));
    let links: Vec<&str> = pages
        .values()
        .flat_map(|text| text.split(PAGE).skip(1))
        .filter_map(|rest| rest.split(')').next())
        .collect();
    assert!(links.len() > 10, "{links:?}");
    for link in links {
        let mut asked = json!({ "options": {} });
        for (name, value) in link.split('&').map(|member| member.split_once('=').unwrap()) {
            match name {
                "system" => asked[name] = value.into(),
                "n" | "w" => asked[name] = value.parse::<u64>().unwrap().into(),
                _ => asked["options"][name] = value.into(),
            }
        }
        ask("page", &asked).unwrap_or_else(|error| panic!("{link}: {error}"));
    }
}
