use std::fs;

use proptest::prelude::*;

use super::*;
use crate::index::testing::vault;

fn look(vault: &Vault, known: &Catalog) -> Option<Catalog> {
    match scan(vault, known, ScanScope::Everywhere, &mut |_| true).unwrap().unwrap() {
        ScanOutcome::Unchanged => None,
        ScanOutcome::Newer(catalog) | ScanOutcome::Changed(catalog) => Some(*catalog),
    }
}

/// Few names and texts, so that collisions are frequent: ids, generated ids, times.
fn entry() -> impl Strategy<Value = String> {
    let id = prop_oneof![
        3 => Just(String::new()),
        3 => (0..6u8).prop_map(|id| format!("id: \"name{id}\"\n")),
        1 => (0..2u8).prop_map(|minute| format!("id: \"2026-11-01T08:0{minute}:00+00:00~0123abcd\"\n")),
    ];
    let parts = (id, 0..8u8, 0..3u8, any::<bool>());
    parts.prop_map(|(id, minute, body, calm)| {
        let mood = if calm { "mood: \"calm\"\n" } else { "" };
        format!("\n---\ntime: \"2026-11-01T08:0{minute}:00+00:00\"\n{mood}{id}---\nText {body}.\n")
    })
}

fn states() -> impl Strategy<Value = Vec<(u8, Option<Vec<String>>)>> {
    let file = prop::option::weighted(0.9, prop::collection::vec(entry(), 0..4));
    prop::collection::vec((1..5u8, file), 1..12)
}

proptest! {
    #[test]
    fn one_changed_file_after_another_comes_to_what_all_read_anew_come_to(states in states(), filed_at in 0..12usize) {
        let dir = tempfile::tempdir().unwrap();
        let vault = vault(dir.path());
        fs::create_dir_all(vault.entries_folder()).unwrap();
        let mut known = Catalog::default();
        for (step, (day, entries)) in states.into_iter().enumerate() {
            let path = vault.entries_folder().join(format!("2026-11-0{day}.md"));
            match entries {
                Some(entries) => {
                    fs::write(&path, format!("# Kioku\n{}", entries.concat())).unwrap();
                    // An old time, so that an unchanged stamp means an unchanged file.
                    let written = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000 + step as u64);
                    fs::File::options().write(true).open(&path).unwrap().set_modified(written).unwrap();
                }
                None => drop(fs::remove_file(&path)),
            }
            if step == filed_at {
                known.write(dir.path(), 1).unwrap();
                known = Catalog::read(dir.path(), 1).unwrap();
            }
            let Some(now) = look(&vault, &known) else { continue };
            let anew = look(&vault, &Catalog::default()).unwrap_or_default();
            prop_assert!(now.entries().iter().eq(anew.entries().iter()));
            // A copy has no name but the written one.
            let copies = |of: &Catalog| {
                let copy = |copy: &Arc<CatalogEntry>| (copy.written_name().to_owned(), copy.place.clone(), copy.hash);
                of.copies().iter().map(copy).collect::<Vec<_>>()
            };
            prop_assert_eq!(copies(&now), copies(&anew));
            prop_assert_eq!(&now.notices, &anew.notices);
            prop_assert!(now.states().eq(anew.states()));
            prop_assert!(anew.entries().iter().all(|entry| now.by_key(entry.key) == Some(entry)));
            let sorted = |mut difference: Difference| {
                difference.remove.sort_unstable();
                difference.ingest.sort_unstable();
                difference
            };
            let expected = difference(&known.states().collect(), &anew, anew.states());
            prop_assert_eq!(sorted(changes(&known, &now)), sorted(expected));
            known = now;
        }
    }

    #[test]
    fn what_was_saved_a_moment_ago_stands_where_a_catalog_made_anew_has_it(minutes in prop::collection::vec(0..30i64, 1..20)) {
        let entry = |(number, minute): (usize, &i64)| {
            let written = format!("2026-11-01T08:{minute:02}:00+00:00");
            let body = "Text.".to_owned();
            let time = crate::journal::EntryTime { at: written.parse().unwrap(), written, offset_seconds: 0 };
            let entry = crate::journal::Entry {
                id: format!("id{number}").as_str().into(),
                day: jiff::civil::date(2026, 11, 1),
                time,
                mood: None,
                tags: Vec::new(),
                event_time: None,
                hash: crate::journal::BodyHash::of(body.as_bytes()),
                body,
                extra: Vec::new(),
                place: crate::journal::Place { file: "2026-11-01.md".into(), position: number as u32, bytes: 0..0 },
            };
            Arc::new(CatalogEntry::of(&entry))
        };
        let all: Vec<_> = minutes.iter().enumerate().map(entry).collect();
        let (before, new) = all.split_at(all.len() / 2);
        let known = Catalog::new(before.iter().cloned(), Vec::new(), Vec::new()).with_new(new.to_vec());
        let anew = Catalog::new(all.iter().cloned(), Vec::new(), Vec::new());
        prop_assert!(known.entries().iter().eq(anew.entries().iter()));
        prop_assert!(all.iter().all(|entry| known.row(entry.key) == anew.row(entry.key)));
    }
}

/// Writes a day file with entries at these minutes, with a new modification time.
fn write(vault: &Vault, day: u8, minutes: &[u8], written: u64) -> Arc<str> {
    let entry = |minute: &u8| format!("\n---\ntime: \"2026-11-0{day}T08:0{minute}:00+00:00\"\n---\nText {minute}.\n");
    let name = format!("2026-11-0{day}.md");
    let path = vault.entries_folder().join(&name);
    fs::write(&path, format!("# Kioku\n{}", minutes.iter().map(entry).collect::<String>())).unwrap();
    let written = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000 + written);
    fs::File::options().write(true).open(&path).unwrap().set_modified(written).unwrap();
    name.into()
}

fn ids(catalog: &Catalog) -> Vec<&str> {
    catalog.entries().iter().map(|entry| &entry.id.as_str()[8..16]).collect()
}

#[test]
fn where_an_entry_was_added_is_looked_at_alone_unless_something_went_from_there() {
    let dir = tempfile::tempdir().unwrap();
    let vault = vault(dir.path());
    fs::create_dir_all(vault.entries_folder()).unwrap();
    let look_in = |known: &Catalog, file: &Arc<str>| match scan(
        &vault,
        known,
        ScanScope::In(std::slice::from_ref(file)),
        &mut |_| true,
    )
    .unwrap()
    .unwrap()
    {
        ScanOutcome::Unchanged => panic!("nothing changed"),
        ScanOutcome::Newer(catalog) => (true, *catalog),
        ScanOutcome::Changed(catalog) => (false, *catalog),
    };
    let first = write(&vault, 1, &[1], 0);
    write(&vault, 2, &[5], 0);
    let known = look(&vault, &Catalog::default()).unwrap();

    write(&vault, 1, &[1, 2], 1);
    write(&vault, 2, &[5, 6], 1);
    let (newer, known) = look_in(&known, &first);
    assert_eq!((newer, ids(&known)), (false, vec!["01T08:01", "01T08:02", "02T08:05"]));
    let known = look(&vault, &known).unwrap();
    assert_eq!(
        ids(&known),
        ["01T08:01", "01T08:02", "02T08:05", "02T08:06"],
        "the rest is found by the next look everywhere"
    );

    write(&vault, 1, &[1, 2], 2);
    let (newer, known) = look_in(&known, &first);
    assert_eq!((newer, known.entries().len()), (true, 4));
    assert!(look(&vault, &known).is_none(), "and is remembered as it is now");

    write(&vault, 1, &[2], 3);
    write(&vault, 3, &[1], 3);
    let (_, known) = look_in(&known, &first);
    assert_eq!(
        ids(&known),
        ["01T08:02", "02T08:05", "02T08:06", "03T08:01"],
        "what went from there may stand elsewhere now"
    );
    let third = write(&vault, 4, &[9], 4);
    assert_eq!(ids(&look_in(&known, &third).1).last(), Some(&"04T08:09"), "a new file");
}
