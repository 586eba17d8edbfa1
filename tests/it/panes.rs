//! The cost of a new pane outside its own file: its `mod`, its line in `PANES`, its digit in the application's
//! commands.

use std::{
    fs,
    path::{Path, PathBuf},
};

use kioku::tui::panes::PANES;

/// Places outside its own file that may spell one pane: `mod`, the line in `PANES`, and where others open it, [`Target`].
///
/// [`Target`]: kioku::tui::update_context::Target
const MOST_PLACES: usize = 3;

/// The files of the screens with their code, without comments and tests.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tui");
    let (mut found, mut open) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = open.pop() {
        for item in fs::read_dir(folder).unwrap() {
            let path: PathBuf = item.unwrap().path();
            let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
            if path.is_dir() {
                open.push(path);
            } else if !(name.ends_with("tests.rs") || name.contains("/tests/") || name == "fixtures.rs") {
                let text = fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
                let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
                // A word on the hint line names no pane.
                let code = lines.collect::<Vec<_>>().join("\n").replace(".hint(\"", ".hint(");
                found.push((name, code));
            }
        }
    }
    found.sort();
    found
}

/// `shell.rs: tab!(...)`: the lines outside a pane's own files that say one of the words.
fn places(sources: &[(String, String)], own: &str, words: &[String]) -> Vec<String> {
    let is_own = |name: &str| name == format!("panes/{own}.rs") || name.starts_with(&format!("panes/{own}/"));
    let lines = sources.iter().filter(|(name, _)| !is_own(name)).flat_map(|(name, code)| {
        let says = |line: &&str| words.iter().any(|word| line.contains(word.as_str()));
        code.lines().filter(says).map(move |line| format!("{name}: {}", line.trim()))
    });
    lines.collect()
}

#[test]
fn a_pane_is_spelled_in_three_places_outside_its_own_file() {
    let sources = sources();
    for pane in PANES {
        let name = pane.name;
        let words = [format!("\"{name}\""), format!("mod {name};"), format!("<{name}::"), format!("panes::{name}")];
        let spelled = places(&sources, name, &words);
        println!("{name}: {}\n    {}", spelled.len(), spelled.join("\n    "));
        assert!(spelled.len() >= 2, "{name} is listed somewhere: {spelled:?}");
        assert!(spelled.len() <= MOST_PLACES, "{name} is spelled in {} places: {spelled:#?}", spelled.len());
    }
}

#[test]
fn every_pane_has_its_digit() {
    let digits = places(&sources(), "", &["tab!(".to_owned()]);
    assert_eq!(digits.len(), PANES.len(), "{digits:#?}");
    for (pane, digit) in PANES.iter().zip(&digits) {
        assert!(digit.ends_with(&format!("\"{}\"),", pane.title)), "{} has {digit}", pane.name);
    }
}
