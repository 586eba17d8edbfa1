//! Journals of other programs, written by those programs or after their published samples, through the real binary.

use std::{fs, path::Path};

use serde_json::Value;

use crate::cli::Kioku;

fn sample(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/journals").join(name);
    assert!(path.exists(), "{name}");
    path.to_str().unwrap().to_owned()
}

/// The entries of a journal, without what differs between two imports.
fn entries(kioku: &Kioku) -> Vec<Value> {
    let lines = kioku.run(&["export", "jsonl"]).ok();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Imports a sample twice, after a dry run that writes nothing; the second import adds nothing. Returns the entries.
#[track_caller]
fn imported(format: &str, name: &str) -> Vec<Value> {
    let kioku = Kioku::new();
    let path = sample(name);
    let would = kioku.run(&["import", format, &path, "--dry-run"]).ok();
    assert!(would.contains("would be read") && !kioku.journal().exists(), "{would}");
    kioku.run(&["import", format, &path]).ok();
    let first = entries(&kioku);
    let again = kioku.run(&["import", "auto", &path]).ok();
    assert!(again.contains(": 0 added") && again.contains("0 conflicting"), "{name}: {again}");
    assert_eq!(entries(&kioku), first);
    first
}

const PASSWORD: &[u8] = b"correct horse\n";

#[test]
fn every_form_of_a_jrnl_journal_gives_the_same_entries() {
    let plain = imported("jrnl", "jrnl/plain.txt");
    assert_eq!(plain.len(), 3);
    assert_eq!(plain[1]["text"], "A title with a star.\nA line below\n#tag at the end, and a [1] footnote");
    assert_eq!((&plain[1]["extra"]["star"], &plain[1]["tags"][0]), (&"true".into(), &"tag".into()));
    assert_eq!(plain[0]["time"], "2026-08-07T21:00:00+02:00");
    for form in ["jrnl/export.json", "jrnl/yaml"] {
        assert_eq!(imported("jrnl", form), plain, "{form}");
    }
    for version in ["v1", "v2", "v3"] {
        let kioku = Kioku::new();
        let path = sample(&format!("jrnl/{version}.txt"));
        let told = kioku.piped(&["import", "jrnl", &path, "--password-stdin"], b"wrong\n").fails(1);
        assert!(told.contains("wrong password"), "{version}: {told}");
        kioku.piped(&["import", "auto", &path, "--password-stdin"], PASSWORD).ok();
        assert_eq!(entries(&kioku), plain, "{version}");
        let files = walk(kioku.home.path());
        assert!(files.iter().all(|file| !String::from_utf8_lossy(&fs::read(file).unwrap()).contains("correct horse")));
    }
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let items = fs::read_dir(folder).unwrap().map(|item| item.unwrap().path());
    items.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[test]
fn auto_says_what_it_cannot_recognise() {
    let kioku = Kioku::new();
    let told = kioku.run(&["import", "auto", &kioku.write("x.bin", "%PDF-1.4 x")]).fails(1);
    assert!(told.contains("document or picture"), "{told}");
    let told = kioku.run(&["import", "auto", &kioku.write("note.txt", "Just words.")]).fails(1);
    assert!(told.contains("not recognised") && told.contains("kioku import --help"), "{told}");
    assert!(kioku.run(&["import", "auto", &kioku.path("absent")]).fails(1).contains("absent"));
}
