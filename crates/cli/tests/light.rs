//! Optical switches, on the binary: `frit light`, and hardware with settings that were chosen (`--choose`).

use crate::common;

use common::{documented, have, json, refused, run};
use serde_json::json;
use std::fs;

#[test]
fn figures_are_those_of_the_settings_that_are_built() {
    // What --choose stores is what frit light chose, and looked at again it is as made.
    for (system, aim) in [("benes", "loss"), ("rls", "spread"), ("rls", "crosstalk")] {
        let of = |arguments: &str| json(&format!("light {system} -n 16 {arguments}"), 0)["figures"].clone();
        let (free, chosen) = (of("--list"), of(&format!("--choose {aim}")));
        let row = |figures: &serde_json::Value| -> serde_json::Value {
            figures.as_array().unwrap().iter().find(|row| row["aim"] == aim).unwrap().clone()
        };
        assert_eq!(row(&free)["chosen_db"], row(&chosen)["own_db"], "{system} {aim}");
        assert_ne!(row(&free)["own_db"], row(&free)["chosen_db"]);
        let list = row(&free)["list"].as_array().unwrap().clone();
        assert_eq!((list.len(), row(&free)["rounds"].as_u64()), (16, Some(16)));
        // Crosstalk is below 0 dB and worst nearest to it.
        let worst = list.iter().map(|round| round[1].as_f64().unwrap()).fold(f64::MIN, f64::max);
        assert_eq!(row(&free)["chosen_db"], json!(worst));
    }
}

#[test]
fn where_no_other_settings_are_known_none_are_said_to_be_best() {
    for design in ["gsen -n 10", "xor -n 8", "rls -n 8 --stuck 0:0:1"] {
        let row = json(&format!("light {design} --switch 2,-30,.9,-25,.3"), 0)["figures"][0].clone();
        assert!(row["own_db"].as_f64().unwrap() > 0.0);
        assert_eq!(
            [&row["chosen_db"], &row["bound_db"], &row["rounds_at_bound"]],
            [&serde_json::Value::Null; 3]
        );
    }
    let (text, _) = run("light gsen -n 6", 0);
    assert!(text.contains("No other settings of these rounds are known"), "{text}");
    // The switch is that for which settings were chosen.
    assert_eq!(json("light benes -n 4 --choose loss:ring", 0)["switch"]["name"], "ring");
    assert_eq!(json("light benes -n 4 --choose loss:ring --switch mzi", 0)["switch"]["name"], "mzi");
}

#[test]
fn hardware_with_chosen_settings_agrees() {
    for design in ["rls -n 8 --choose loss", "benes -n 8 --choose spread:1.5,-28,0.5,-33,0.1 --radix 4"] {
        assert_eq!(json(&format!("verify {design} -w 8 --engines rust-hdl"), 0)["agrees"], true);
    }
    if have(&["verilator", "iverilog", "vvp", "make", "g++"]) {
        let engines = "--engines rust-hdl,verilator,icarus";
        assert_eq!(json(&format!("verify benes -n 8 -w 8 --choose crosstalk {engines}"), 0)["agrees"], true);
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let made = json(&format!("generate rls -n 4 -w 8 --choose loss:1,-20,2,-20 -o {}", out.display()), 0);
    assert_eq!(made["design"], "rls_loss_1000_20000_2000_20000_0_n4_w8");
    let text = fs::read_to_string(out.join("rls_loss_1000_20000_2000_20000_0_n4_w8.v")).unwrap();
    assert!(
        text.contains("frit generate rls -n 4 --set choose=loss-1000-20000-2000-20000-0 -w 8"),
        "{}",
        &text[..400]
    );
}

#[test]
fn every_permutation_and_other_squares() {
    let every = json("light benes -n 8 --every", 0);
    assert_eq!(every["permutations"], 40_320);
    assert_eq!(every["figures"][0]["over_looping"], json!({"mean_db": 1.451, "most_db": 4.172}));
    let squares = json("light benes -n 8 --squares --switch ring", 0);
    let xor = squares["figures"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["square"] == "i ^ k" && row["aim"] == "spread");
    assert_eq!(xor.unwrap()["own_db"], 0.0);
    // All members are documented.
    let listed = json("light rls -n 4 --list", 0);
    for value in [&every, &squares, &listed, &every["figures"][0], &listed["figures"][0], &listed["switch"]] {
        documented(value);
    }
    assert!(listed["switch"]["source"].as_str().unwrap().contains("Optics Express"));
}

#[test]
fn what_is_wrong_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p.txt"), "3 2 1 0").unwrap();
    for (arguments, text) in [
        (
            "light rls -n 8 --switch mzi2",
            "\"mzi2\" is not a switch; give mzi, ring, linbo3, or four or five figures in dB",
        ),
        (
            "light rls -n 8 --switch 2,-30,1",
            "or four or five figures in dB: loss and crosstalk straight, loss and crosstalk crossed",
        ),
        ("light rls-folded -n 8", "light is not followed through rls-folded"),
        ("light benes -n 512", "512 terminals are too many: light is followed through up to 256"),
        ("light benes -n 16 --every", "benes_n16 has 56 switches, too many for --every"),
        (
            "light rls -n 8 --switch 2,30,1,-30",
            "\"30\" is not the crosstalk of a straight switch; give -100 to -0.001 dB",
        ),
        (
            "light xor -n 8 --squares",
            "other Latin squares are known on the networks of rls and benes; leave --squares out",
        ),
        (
            "light rls -n 8 --stuck 0:0:1 --every",
            "look at a network without stuck switches; leave --stuck out",
        ),
        ("light dilated -n 8", "dilated is a routed system and has no rounds"),
        (
            "simulate rls -n 8 --choose noise",
            "rls: choose: \"noise\" is nothing to choose settings for; give loss, spread or crosstalk",
        ),
        ("simulate rls -n 8 --choose loss:3", "rls: choose: \"3\" is not a switch"),
        ("simulate rls -n 8 --choose loss --stuck 2:1:1", "give one of the options stuck and choose"),
        ("verify xor -n 8 --choose loss", "xor has no option"),
        (
            &format!("light benes --permutation {} --every", folder.path().join("p.txt").display()),
            "leave --permutation out",
        ),
    ] {
        let stderr = refused(arguments);
        assert!(stderr.contains(text), "frit {arguments}: {stderr}");
    }
}
