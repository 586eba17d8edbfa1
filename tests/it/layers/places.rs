//! Number of places that an extension touches outside its own file: a leg, a verb, an importer.

use std::collections::BTreeSet;

use super::{
    scan::{Found, Import, Source},
    sources,
};

/// Maximum number of places outside its own file.
const MOST_PLACES: usize = 3;

/// Maximum number of other files that need a certain leg, to be lowered only. A field or an array spelled them in 23.
const NAME_A_LEG: usize = 13;

const LEGS: [&str; 3] = ["Keyword", "Vector", "Graph"];

/// The legs that a file names: `LegId::Keyword`, or `keyword::Keyword` in the table of the legs.
fn legs(path: &str, source: &Source) -> BTreeSet<&'static str> {
    let paths = source.paths();
    let names = |leg: &&str| {
        let module = leg.to_lowercase();
        paths.iter().any(|found| match path {
            "search/leg_id.rs" => found.has(&["Self", leg]),
            "search/legs/mod.rs" => found.has(&[&module, leg]),
            _ => found.has(&["LegId", leg]),
        })
    };
    LEGS.into_iter().filter(names).collect()
}

/// The rows of a table, as module and name: `read::Show`.
fn rows(sources: &[(String, Source)], table: &str, is_row: impl Fn(&str) -> bool) -> BTreeSet<(String, String)> {
    let (_, source) = sources.iter().find(|(path, _)| path == table).unwrap();
    let row = |found: Found| match <[String; 2]>::try_from(found.segments) {
        Ok([module, name]) if module.starts_with(char::is_lowercase) && is_row(&name) => Some((module, name)),
        _ => None,
    };
    source.paths().into_iter().filter(|found| found.import == Import::No).filter_map(row).collect()
}

/// The lines outside its own file that name an extension, with the one that declares its module.
fn places(sources: &[(String, Source)], folder: &str, (module, name): &(String, String)) -> Vec<String> {
    let own = format!("{folder}/{module}");
    let is_own = |path: &str| path.strip_prefix(&own).is_some_and(|rest| rest.starts_with(['.', '/']));
    let mut places = BTreeSet::new();
    for (path, source) in sources.iter().filter(|(path, _)| path.starts_with(folder) && !is_own(path)) {
        for found in source.paths().iter().filter(|found| found.has(&[module, name])) {
            places.insert(format!("src/{path}:{}", found.line));
        }
    }
    places.insert(format!("mod {module}"));
    places.into_iter().collect()
}

#[test]
fn a_leg_is_listed_in_at_most_three_files_and_named_in_few() {
    let sources = sources();
    let of = |wanted: &dyn Fn(usize) -> bool| -> Vec<&str> {
        let named = sources.iter().filter(|(path, source)| wanted(legs(path, source).len()));
        named.map(|(path, _)| path.as_str()).collect()
    };
    let listing = of(&|count| count == LEGS.len());
    println!("{} files list the legs: {}", listing.len(), listing.join(" "));
    assert!(listing.contains(&"search/leg_id.rs") && listing.len() <= MOST_PLACES, "{listing:?}");
    let naming = of(&|count| count > 0);
    let naming: Vec<&&str> =
        naming.iter().filter(|path| !(path.starts_with("search/legs/") || **path == "search/leg_id.rs")).collect();
    println!("{} other files name one: {naming:?}", naming.len());
    assert!(naming.len() <= NAME_A_LEG, "{naming:?}");
}

#[test]
fn a_verb_and_an_importer_are_named_in_at_most_three_places() {
    let sources = sources();
    // `Add(write::Add)` in the table of verbs, `jsonl::IMPORTER` in that of importers.
    let verbs = rows(&sources, "cli/mod.rs", |name| name.starts_with(char::is_uppercase) && name != "Error");
    let importers = rows(&sources, "journal/exchange/mod.rs", |name| name == "IMPORTER");
    assert!(verbs.len() > 25 && importers.len() > 3, "{verbs:?} {importers:?}");
    let mut many = Vec::new();
    for (folder, rows) in [("cli", verbs), ("journal/exchange", importers)] {
        for row in rows {
            let places = places(&sources, folder, &row);
            if places.len() > MOST_PLACES {
                many.push(format!("{}::{}: {places:?}", row.0, row.1));
            }
        }
    }
    assert!(many.is_empty(), "\n{}", many.join("\n"));
}
