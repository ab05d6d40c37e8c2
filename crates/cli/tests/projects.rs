//! Several designs in one project: they share their cells, or have cells of their own, and every tool takes them together.

use crate::common;

use common::{have, have_bender, root, run, tools_first};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Designs, the words by which the top calls their modules, and their names.
const DESIGNS: [(&str, &str, &str); 3] = [
    ("rls -n 8 -w 32", "RLS", "rls_n8_w32"),
    ("gsen -n 10 -w 8", "GSEN", "gsen_n10_w8"),
    ("benes -n 4 -w 8", "BENES", "benes_n4_w8"),
];

/// A tool in a folder: whether it is content, and what it says.
fn tool(folder: &Path, program: &str, arguments: &[&str]) -> (bool, String) {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("PATH", tools_first())
        // What the user's own configuration would add.
        .env("XDG_CONFIG_HOME", folder)
        .output()
        .unwrap();
    (output.status.success(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

/// The designs in folders of their own below a new one, each with these options; their names.
fn project(options: [&str; 3]) -> (tempfile::TempDir, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    let made = DESIGNS.iter().zip(options).map(|((arguments, _, name), options)| {
        let command = format!("generate {arguments} {options} -o {}", dir.path().join(name).display());
        common::json(&command, 0)["design"].as_str().unwrap().to_string()
    });
    let names = made.collect();
    fs::copy(root().join("crates/cli/tests/data/project.sv"), dir.path().join("project.sv")).unwrap();
    (dir, names)
}

/// The files of all designs, each once, seen from the folder of the project.
fn files(folder: &Path, names: &[String]) -> Vec<String> {
    let mut files = BTreeSet::new();
    for ((_, _, place), name) in DESIGNS.iter().zip(names) {
        let list = fs::read_to_string(folder.join(place).join(format!("{name}.f"))).unwrap();
        for file in list.lines().filter(|line| !line.starts_with("//")) {
            files.insert(match file.strip_prefix("../") {
                Some(shared) => shared.to_string(),
                None => format!("{place}/{file}"),
            });
        }
    }
    files.into_iter().collect()
}

/// The modules that the top is made of, as definitions of a simulator.
fn definitions(names: &[String]) -> Vec<String> {
    DESIGNS.iter().zip(names).map(|((_, word, _), name)| format!("-D{word}={name}_exchange")).collect()
}

/// What each tool says of the project: it must take it, and Icarus runs it.
fn every_tool_takes(folder: &Path, names: &[String]) {
    let (files, definitions) = (files(folder, names), definitions(names));
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let definitions: Vec<&str> = definitions.iter().map(String::as_str).collect();
    if have(&["iverilog", "vvp"]) {
        let options = ["-g2012", "-s", "project", "-o", "project.vvp", "project.sv"];
        let (fine, text) = tool(folder, "iverilog", &[&options, &definitions[..], &files].concat());
        assert!(fine && text.is_empty(), "{text}");
        assert!(tool(folder, "vvp", &["-n", "project.vvp"]).1.contains("PASS project"));
    }
    if have(&["verilator"]) {
        let options =
            ["--lint-only", "--timing", "--quiet", "-Wno-lint", "-Wno-style", "--top-module", "project"];
        let (fine, text) =
            tool(folder, "verilator", &[&options[..], &["project.sv"], &definitions, &files].concat());
        assert!(fine && text.is_empty(), "{text}");
    }
    if have(&["yosys"]) {
        let reads: String = files.iter().map(|file| format!("read_verilog {file}; ")).collect();
        let (fine, text) = tool(folder, "yosys", &["-q", "-p", &format!("{reads}hierarchy -check")]);
        assert!(fine, "{text}");
        // A module that is there twice is refused: so the designs have none in common but what they share.
        let twice = format!("{reads}read_verilog {}", files[0]);
        assert!(!tool(folder, "yosys", &["-q", "-p", &twice]).0);
    }
}

/// What FuseSoC says while it runs a top that depends on the three designs; nothing without FuseSoC.
fn fusesoc_takes(folder: &Path, names: &[String]) -> String {
    if !have(&["fusesoc", "iverilog", "vvp", "make"]) {
        return String::new();
    }
    let depend: String = names.iter().map(|name| format!("      - fritillary:exchange:{name}\n")).collect();
    let definitions = definitions(names).join(", ");
    let core = format!(
        "CAPI=2:\nname: ::project:0\nfilesets:\n  tb:\n    files:\n      - project.sv: {{file_type: systemVerilogSource}}\n    depend:\n{depend}\
         targets:\n  default:\n    filesets: [tb]\n  sim:\n    filesets: [tb]\n    toplevel: project\n    flow: sim\n    flow_options:\n      \
         tool: icarus\n      iverilog_options: [-g2012, {definitions}]\n"
    );
    fs::write(folder.join("project.core"), core).unwrap();
    let (fine, text) = tool(folder, "fusesoc", &["--cores-root", ".", "run", "--target=sim", "::project:0"]);
    assert!(fine && text.contains("PASS project"), "{text}");
    text
}

/// Whether Bender lists every file of a top that depends on the three designs once, cells first, and Icarus runs what it lists.
fn bender_takes(folder: &Path, names: &[String]) {
    if !(have_bender() && have(&["iverilog", "vvp"])) {
        return;
    }
    let places: String =
        DESIGNS.iter().map(|(_, _, place)| format!("  {place}: {{ path: {place} }}\n")).collect();
    // Packages have the names of the designs, which `--cells prefix` makes others than those of the folders.
    let depend = names.iter().zip(DESIGNS).fold(places, |text, (name, (_, _, place))| {
        text.replace(&format!("  {place}: {{"), &format!("  {name}: {{"))
    });
    let package = format!("package:\n  name: project\ndependencies:\n{depend}sources:\n  - project.sv\n");
    fs::write(folder.join("Bender.yml"), package).unwrap();
    let (fine, text) = tool(folder, "bender", &["script", "flist"]);
    assert!(fine, "{text}");
    let own = folder.canonicalize().unwrap();
    let listed: Vec<&str> = text.lines().filter(|line| line.starts_with('/')).collect();
    let modules: Vec<&str> = listed.iter().map(|file| file.rsplit('/').next().unwrap()).collect();
    assert_eq!(modules.iter().collect::<BTreeSet<_>>().len(), modules.len(), "{text}");
    for file in files(folder, names) {
        assert!(modules.contains(&file.rsplit('/').next().unwrap()), "{file}: {text}");
    }
    assert!(listed.iter().all(|file| Path::new(file).starts_with(&own)), "{text}");
    assert_eq!(modules.last(), Some(&"project.sv"), "{text}");
    // Testbenches are for those who ask for them.
    let (fine, tests) = tool(folder, "bender", &["script", "flist", "-t", "test"]);
    let testbenches = |text: &str| text.lines().filter(|line| line.contains("/tb_")).count();
    assert!(fine && testbenches(&text) == 0 && testbenches(&tests) == DESIGNS.len(), "{tests}");

    let definitions = definitions(names);
    let definitions: Vec<&str> = definitions.iter().map(String::as_str).collect();
    let options = ["-g2012", "-s", "project", "-o", "bender.vvp"];
    let (fine, text) = tool(folder, "iverilog", &[&options, &definitions[..], &listed].concat());
    assert!(fine && text.is_empty(), "{text}");
    assert!(tool(folder, "vvp", &["-n", "bender.vvp"]).1.contains("PASS project"));
}

#[test]
fn designs_that_share_their_cells() {
    let (dir, names) = project(["--cells ../frit_cells"; 3]);
    assert_eq!(names, DESIGNS.map(|(_, _, name)| name));
    every_tool_takes(dir.path(), &names);
    let said = fusesoc_takes(dir.path(), &names);
    assert!(!said.contains("Replacing"), "the cells are there once: {said}");
    bender_takes(dir.path(), &names);
    // Each folder says itself what is needed.
    if have(&["iverilog", "vvp", "make"]) {
        let (fine, text) = tool(&dir.path().join(&names[1]), "make", &["icarus"]);
        assert!(fine && text.contains("PASS gsen_n10_w8"), "{text}");
    }
}

#[test]
fn designs_with_cells_of_their_own() {
    let (dir, names) = project(["--cells prefix", "--cells prefix", "--cells ../frit_cells"]);
    assert_eq!(names, ["rls_n8_w32_own", "gsen_n10_w8_own", "benes_n4_w8"]);
    every_tool_takes(dir.path(), &names);
    fusesoc_takes(dir.path(), &names);
    bender_takes(dir.path(), &names);
}

/// Cells of a design in one file have its name in front, so files of several designs have no module in common.
#[test]
fn designs_in_one_file_each() {
    let (dir, names) = project(["", "--layout file", "--cells ../frit_cells"]);
    assert_eq!(names, DESIGNS.map(|(_, _, name)| name));
    every_tool_takes(dir.path(), &names);
    fusesoc_takes(dir.path(), &names);
    bender_takes(dir.path(), &names);
    let verilog = |place: &str| {
        let entries = fs::read_dir(dir.path().join(place)).unwrap().map(|entry| entry.unwrap().file_name());
        entries.filter(|name| name.to_string_lossy().ends_with(".v")).collect::<Vec<_>>()
    };
    assert_eq!(verilog("rls_n8_w32"), ["rls_n8_w32.v"]);
    if have(&["verilator"]) {
        for (_, _, place) in &DESIGNS[..2] {
            let file = format!("{place}/{place}.v");
            let top = format!("{place}_exchange");
            let (fine, text) =
                tool(dir.path(), "verilator", &["--lint-only", "-Wall", "--top-module", &top, &file]);
            assert!(fine && !text.contains("%Warning"), "{text}");
        }
    }
}

/// The top comes first, and a file holds every module once, with the text that it has in a file of its own.
#[test]
fn one_file_has_all_modules_of_a_core_once() {
    let dir = tempfile::tempdir().unwrap();
    let texts = |options: &str| {
        let folder = dir.path().join("out");
        run(&format!("generate {options} -o {}", folder.display()), 0);
        let texts = texts(&folder);
        fs::remove_dir_all(&folder).unwrap();
        texts
    };
    for (request, top) in [
        ("transpose -n 8 --rows 64 -w 16 --name core", "core_permute"),
        ("rls -n 4 -w 2 --name core --axis --port-style axis --selftest", "core_selftest_d104"),
        ("benes -n 4 -w 2 --name core --crossbar", "core_crossbar"),
        ("dilated -n 4 --set bundle=2 --name core", "core_route"),
    ] {
        let one = texts(request);
        let verilog: Vec<_> = one.keys().filter(|name| name.ends_with(".v")).collect();
        assert_eq!(verilog, ["core.v"], "{request}");
        let text = &one["core.v"];
        let modules: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("module "))
            .map(|line| line.split([' ', '(']).next().unwrap())
            .collect();
        assert_eq!((modules[0], modules.iter().collect::<BTreeSet<_>>().len()), (top, modules.len()));
        let many = texts(&format!("{request} --cells prefix"));
        let apart = many.iter().filter(|(name, _)| name.ends_with(".v"));
        assert_eq!(apart.clone().count(), modules.len(), "{request}");
        // The command stands in comments, which wrap elsewhere.
        let code = |text: &str| -> String {
            text.lines()
                .filter(|line| !line.starts_with(['/', '`']))
                .map(|line| format!("{line}\n"))
                .collect()
        };
        let all = code(text);
        for (name, module) in apart {
            let body = code(module);
            assert!(all.contains(body.trim_end()), "{request}: {name}");
        }
    }
    let both = format!("generate rls -n 4 --layout file --cells x -o {}", dir.path().join("never").display());
    assert!(run(&both, 2).1.contains("--cells does not apply to --layout file"));
}

#[test]
fn fusesoc_takes_designs_that_each_bring_the_cells() {
    let (dir, names) = project(["--layout files"; 3]);
    let said = fusesoc_takes(dir.path(), &names);
    assert!(said.is_empty() || said.matches("Replacing").count() == 2, "{said}");
    bender_takes(dir.path(), &names);
    // Other cells under the same name: another version, which the designs do not ask for.
    if have(&["fusesoc"]) {
        let name = "name: fritillary:cells:frit_cells:0.";
        for (_, _, design) in DESIGNS {
            let core = dir.path().join(design).join("frit_cells/frit_cells.core");
            let text = fs::read_to_string(&core).unwrap();
            assert!(text.contains(name), "{text}");
            fs::write(&core, text.replace(name, &format!("{name}1"))).unwrap();
        }
        let (fine, text) =
            tool(dir.path(), "fusesoc", &["--cores-root", ".", "run", "--target=sim", "::project:0"]);
        assert!(!fine, "{text}");
    }
}

#[test]
fn bender_says_which_file_of_a_package_is_not_there() {
    if !have_bender() {
        return;
    }
    let (dir, _) = project(["--cells ../frit_cells", "", ""]);
    let package = dir.path().join(DESIGNS[0].2);
    assert!(tool(&package, "bender", &["script", "flist"]).0);
    for (file, said) in
        [("rls_n8_w32_labels.v", "rls_n8_w32_labels.v"), ("../frit_cells/frit_switch.v", "frit_switch.v")]
    {
        let path = package.join(file);
        let text = fs::read_to_string(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let (fine, complaint) = tool(&package, "bender", &["script", "flist"]);
        assert!(!fine && complaint.contains(said), "{complaint}");
        fs::write(&path, text).unwrap();
    }
}

#[test]
fn whatever_changes_the_text_is_in_the_name() {
    let dir = tempfile::tempdir().unwrap();
    let sequence = |bits: &str| {
        let path = dir.path().join(format!("{bits}.txt"));
        fs::write(&path, bits).unwrap();
        format!("obf -n 16 --sequence {}", path.display())
    };
    let mut requests: Vec<String> =
        ["", "--fabric-style compact", "--cells prefix", "--fault swapped-wire:1"]
            .iter()
            .map(|options| format!("rls -n 4 -w 2 {options}"))
            .collect();
    requests
        .extend(["rls -n 4 -w 3", "rls -n 8 -w 2", "rls -n 4 -w 2 --set direction=left"].map(String::from));
    // Both start with zeros and are de Bruijn sequences of order 3.
    requests.extend(["00010111", "00011101"].map(|bits| sequence(bits) + " -w 2"));
    requests.push(
        "user --network examples/omega8/network.json --schedule examples/omega8/schedule.json -w 2".into(),
    );
    let mut modules: std::collections::BTreeMap<String, String> = Default::default();
    let tops = [
        "",
        "--axis --length 2",
        "--axis --length 2 --buffers 2",
        "--axis",
        "--axis --port-style axis --axil --tkeep --reset-level high",
        "--reset async",
        "--selftest",
        "--selftest --baud 9600",
        "--axis --port-style axis",
        "--axis --port-style axis --reset async --tuser 1",
        "--axis --port-style axis --axil",
        "--axis --reset async",
        "--reset async --reset-level low",
    ];
    for request in &requests {
        for options in common::some(&tops, 5)
            .iter()
            .filter(|options| options.is_empty() || request.starts_with("rls -n 4 -w 2"))
        {
            if request.contains("fault") && !options.is_empty() {
                continue;
            }
            let folder = dir.path().join("out");
            let made = common::json(
                &format!("generate {request} {options} --layout files -o {}", folder.display()),
                0,
            );
            for file in made["files"].as_array().unwrap().iter().filter_map(|file| file.as_str()) {
                if !file.ends_with(".v") {
                    continue;
                }
                let text = fs::read_to_string(folder.join(file)).unwrap();
                let known = modules.entry(file.to_string()).or_insert_with(|| text.clone());
                assert_eq!(*known, text, "{request} {options}: {file}");
            }
            fs::remove_dir_all(&folder).unwrap();
        }
    }
    assert!(modules.len() > 40, "{}", modules.len());
}

#[test]
fn the_folder_of_the_cells_is_checked() {
    let dir = tempfile::tempdir().unwrap();
    for wrong in ["/tmp/x", "a//b", "..", "a/..", "", "a b", "-x", "$(x)", ".hidden", "a;b"] {
        let output =
            common::frit(&format!("generate rls -n 4 -w 2 -o {}", dir.path().join("never").display()))
                .args([&format!("--cells={wrong}")])
                .output()
                .unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.code() == Some(2) && text.contains("give a folder relative"),
            "{wrong}: {text}"
        );
    }
    assert!(!dir.path().join("never").exists());
    // Cells of another version are not replaced behind the back of the designs that use them.
    let place = dir.path().join("a");
    let generate = |more: &str, code| {
        run(&format!("generate rls -n 4 -w 2 --cells ../cells {more} -o {}", place.display()), code).1
    };
    generate("", 0);
    let core = dir.path().join("cells/frit_cells.core");
    let text = fs::read_to_string(&core).unwrap();
    fs::write(&core, text.replace("frit_cells:0.", "frit_cells:0.9")).unwrap();
    let refused = generate("", 2);
    assert!(refused.contains("of other designs, not "), "{refused}");
    generate("--force", 0);
    assert_eq!(fs::read_to_string(&core).unwrap(), text);
    // A cell that somebody edited stays as it is, too.
    let cell = dir.path().join("cells/frit_switch.v");
    fs::write(&cell, "// mine\n").unwrap();
    assert!(generate("", 2).contains("frit_switch.v; --force replaces them"));
    assert_eq!(fs::read_to_string(&cell).unwrap(), "// mine\n");
}

/// The files of a design in a folder and the folders below it but for the list of digests, by their names.
fn texts(folder: &Path) -> std::collections::BTreeMap<String, String> {
    let files =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    let texts = files.map(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, fs::read_to_string(path).unwrap())
    });
    texts.filter(|(name, _)| name != "SHA256SUMS").collect()
}

/// A name of the user's stands wherever the name that frit makes would stand, and in the command that writes the design again.
#[test]
fn a_design_has_the_name_that_the_user_gives_it() {
    let dir = tempfile::tempdir().unwrap();
    for design in [
        "rls -n 4 -w 4 --axis --port-style axis",
        "gsen -n 6 -w 4 --fabric-style compact --fault swapped-wire:1",
        "dilated -n 4 --set switch=weak",
        "multibutterfly -n 4 --seed 3",
        "transpose -n 4 --rows 8 -w 8 --cells prefix",
        concat!(
            "benes -w 8 --fault bank --demand ",
            env!("CARGO_MANIFEST_DIR"),
            "/../../examples/demand4.csv"
        ),
    ] {
        let generate = |name: &str| {
            let folder = dir.path().join("x");
            let _ = fs::remove_dir_all(&folder);
            let report = common::json(&format!("generate {design} {name} -o {}", folder.display()), 0);
            (report["design"].as_str().unwrap().to_string(), texts(&folder))
        };
        let (own, expected) = generate("");
        let (given, found) = generate("--name corner_7");
        assert_eq!(given, "corner_7");
        assert!(found.values().any(|text| text.contains(" --name corner_7")), "{design}");
        // The lines of comments break elsewhere.
        let words =
            |text: &str| text.split_whitespace().filter(|word| *word != "//").collect::<Vec<_>>().join(" ");
        let same = |text: &str| words(text).replace(" --name corner_7", "").replace("corner_7", &own);
        let names: BTreeSet<String> = found.keys().map(|name| same(name)).collect();
        assert!(names.iter().eq(expected.keys()), "{design}: {names:?}");
        for (name, text) in found.iter().filter(|(name, _)| name.ends_with(".v") || name.ends_with(".f")) {
            assert_eq!(same(text), words(&expected[&same(name)]), "{design}: {name}");
        }
    }
    for bad in ["9x", "a__b", "a_", "frit_x", "tb_x", "a-b", "module.x"] {
        let (_, text) =
            run(&format!("generate rls -n 4 --name {bad} -o {}", dir.path().join("no").display()), 2);
        assert!(text.contains("a name begins with a letter"), "{bad}: {text}");
    }
}
