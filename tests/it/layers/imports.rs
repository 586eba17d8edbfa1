//! Imports between the files of a folder, and the cycles among them.
//!
//! A file depends on the file that defines a name: a re-exported name (`pub use`, or an import that child modules
//! see) is resolved to its origin. Re-exporting is no dependency.

use std::collections::{BTreeMap, BTreeSet};

use super::scan::{Found, Import, Source};

/// Maximum length of a chain of re-exports.
const LONGEST_CHAIN: usize = 8;

/// The modules of the library, by path: `search/legs` for both `search/legs.rs` and `search/legs/mod.rs`, none for `lib.rs`.
pub struct Imports<'s>(BTreeMap<&'s str, Module<'s>>);

struct Module<'s> {
    file: &'s str,
    paths: Vec<Found>,
    /// Imported names, and their paths as written.
    names: BTreeMap<String, Vec<String>>,
}

impl<'s> Imports<'s> {
    pub fn of(sources: &'s [(String, Source)]) -> Self {
        let library = sources.iter().filter(|(file, _)| !file.starts_with("bin/") && file != "main.rs");
        let module = |(file, source): &'s (String, Source)| {
            let paths = source.paths();
            let imports = paths.iter().filter(|found| found.import != Import::No);
            let names = imports.filter_map(|found| Some((found.segments.last()?.clone(), found.segments.clone())));
            (module_of(file), Module { file, names: names.collect(), paths })
        };
        Self(library.map(module).collect())
    }

    /// The files of each cycle inside `folder`, such as `index/graph`.
    pub fn cycles(&self, folder: &str) -> Vec<Vec<&'s str>> {
        let inside = |module: &str| module == folder || module.strip_prefix(folder).is_some_and(|m| m.starts_with('/'));
        let modules = self.0.iter().filter(|(path, _)| inside(path));
        let edges: BTreeMap<&str, BTreeSet<&str>> = modules
            .map(|(path, module)| {
                let used = module.paths.iter().filter(|found| found.import != Import::Public);
                let used = used.filter_map(|found| self.defining(path, &found.segments, LONGEST_CHAIN));
                (*path, used.filter(|other| other != path && inside(other)).collect())
            })
            .collect();
        let reach: BTreeMap<&str, BTreeSet<&str>> = edges.keys().map(|path| (*path, reached(path, &edges))).collect();
        let circles = reach.iter().filter(|(path, out)| out.contains(*path)).map(|(path, out)| {
            let circle = out.iter().filter(|other| reach.get(*other).is_some_and(|back| back.contains(path)));
            circle.map(|path| self.0[path].file).collect()
        });
        circles.collect::<BTreeSet<Vec<&str>>>().into_iter().collect()
    }

    /// The module whose file defines the item that `segments` name in `module`; `None` for items of other crates.
    fn defining(&self, module: &str, segments: &[String], chain: usize) -> Option<&'s str> {
        let first = segments.first()?.as_str();
        let (mut at, rest) = match first {
            "crate" => ("", &segments[1..]),
            "self" | "super" => (self.known(module)?, segments),
            _ if segments.len() > 1 => (self.known(&below(module, first))?, &segments[1..]),
            _ => return None,
        };
        for segment in rest {
            at = match segment.as_str() {
                "self" => at,
                "super" => at.rsplit_once('/').map_or("", |(parent, _)| parent),
                name => match self.known(&below(at, name)) {
                    Some(child) => child,
                    // An item: defined there, or re-exported from elsewhere.
                    None => {
                        let handed_on = self.0.get(at)?.names.get(name).filter(|_| chain > 0);
                        return handed_on.and_then(|path| self.defining(at, path, chain - 1)).or(Some(at));
                    }
                },
            };
        }
        Some(at)
    }

    fn known(&self, module: &str) -> Option<&'s str> {
        self.0.get_key_value(module).map(|(path, _)| *path)
    }
}

/// Every module reachable from one, transitively.
fn reached<'s>(from: &'s str, edges: &BTreeMap<&'s str, BTreeSet<&'s str>>) -> BTreeSet<&'s str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        let next = edges.get(module).into_iter().flatten();
        open.extend(next.filter(|next| reached.insert(**next)));
    }
    reached
}

fn below(module: &str, name: &str) -> String {
    if module.is_empty() { name.to_owned() } else { format!("{module}/{name}") }
}

fn module_of(file: &str) -> &str {
    let path = file.trim_end_matches(".rs");
    path.strip_suffix("/mod").unwrap_or(if path == "lib" { "" } else { path })
}
