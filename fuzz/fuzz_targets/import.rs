//! Any bytes as a file to import, in every format: nothing panics, the same file gives the same entries, and what is exported and
//! read again is what was read first.
#![no_main]

use std::path::Path;

use jiff::tz::TimeZone;
use kioku::journal::{
    BodyHash, Entry, EntryTime, NewEntry, Place,
    exchange::{IMPORTERS, ImportOptions, Imported, Importer, exporter, importer},
};
use libfuzzer_sys::fuzz_target;

fn read(importer: &Importer, bytes: &[u8]) -> Option<Imported> {
    let path = kioku_fuzz::folder().join("2026-02-22.md");
    std::fs::write(&path, bytes).expect("a file of the run");
    let options = ImportOptions::new(TimeZone::UTC);
    (importer.read)(&path, &options).ok()
}

fn written(new: &NewEntry, number: usize) -> Entry {
    let time = new.time.clone().unwrap_or_else(|| EntryTime::of(&kioku_fuzz::now()));
    Entry {
        id: new.id.clone().unwrap_or_else(|| format!("number{number}")).as_str().into(),
        day: time.local().date(),
        time,
        mood: new.mood.clone(),
        tags: new.tags.clone(),
        event_time: new.event_time.clone(),
        hash: BodyHash::of(new.body.as_bytes()),
        body: new.body.clone(),
        extra: new.extra.clone(),
        place: Place { file: "2026-02-22.md".into(), position: number as u32, bytes: 0..0 },
    }
}

fuzz_target!(|data: &[u8]| {
    for importer in IMPORTERS {
        let imported = read(importer, data);
        // A file without dates of its own is dated by when it was changed.
        let texts = |imported: &Option<Imported>| {
            imported.iter().flat_map(|imported| &imported.entries).map(|entry| entry.body.clone()).collect::<Vec<_>>()
        };
        assert_eq!(texts(&imported), texts(&read(importer, data)), "{}: read twice, and differently", importer.name);
        for entry in imported.iter().flat_map(|imported| &imported.entries) {
            assert!(entry.id.as_deref().is_none_or(|id| !Path::new(id).is_absolute() || !id.is_empty()));
        }
    }
    let jsonl = importer("jsonl").expect("it is there");
    let Some(first) = read(jsonl, data) else { return };
    let entries: Vec<Entry> = first.entries.iter().enumerate().map(|(number, new)| written(new, number)).collect();
    let mut exported = Vec::new();
    (exporter("jsonl").expect("it is there").document)(&entries, &mut exported).expect("writing to memory");
    let again = read(jsonl, &exported).expect("what was exported reads");
    assert_eq!(again.entries.len(), entries.len());
    for (entry, again) in entries.iter().zip(&again.entries) {
        assert_eq!(again.body, entry.body);
        assert_eq!(again.id.as_deref(), Some(entry.id.as_str()));
        assert_eq!(again.time.as_ref().map(|time| &time.written), Some(&entry.time.written));
        assert_eq!((&again.mood, &again.tags, &again.extra), (&entry.mood, &entry.tags, &entry.extra));
    }
});
