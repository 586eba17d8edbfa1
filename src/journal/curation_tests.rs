use std::fs;

use proptest::prelude::*;

use super::*;
use crate::journal::{NoteField, NoteList, RelationKind, Verdict};

fn vault() -> (tempfile::TempDir, Vault) {
    let folder = tempfile::tempdir().unwrap();
    let vault = Vault::of_test(folder.path());
    (folder, vault)
}

fn add(list: NoteList, item: &str) -> NoteEdit {
    NoteEdit::Add(list, item.to_owned())
}

fn text_of(folder: &tempfile::TempDir, file: &str) -> String {
    fs::read_to_string(folder.path().join("entities").join(file)).unwrap()
}

#[test]
fn what_the_user_decides_stands_one_item_a_line() {
    let (folder, vault) = vault();
    let edits = [
        add(NoteList::Reject, "causal -> stressed @ 2026-02-22T15:30:00+07:00"),
        add(NoteList::Aliases, "anh Hùng"),
        add(NoteList::Aliases, "H: the \"boss\""),
        NoteEdit::Set(NoteField::Hidden, Some("true".to_owned())),
        add(NoteList::Merged, "Hung"),
    ];
    let (note, _) = vault.curate("Hùng", Some(EntityKind::Person), &edits).unwrap();
    assert_eq!(
        text_of(&folder, "Hùng.md"),
        "---\ntype: person\naliases:\n  - anh Hùng\n  - \"H: the \\\"boss\\\"\"\nmerged:\n  - Hung\nhidden: true\nreject:\n  - causal -> stressed @ 2026-02-22T15:30:00+07:00\n---\n"
    );
    assert_eq!((note.name.as_str(), note.kind, note.hidden), ("Hùng", Some(EntityKind::Person), true));
    assert_eq!(note.aliases, ["anh Hùng", "H: the \"boss\""]);
    let verdict = Verdict {
        kind: RelationKind::Causal,
        target: "stressed".to_owned(),
        entry: Some("2026-02-22T15:30:00+07:00".into()),
    };
    assert_eq!(note.reject, [verdict]);
    assert_eq!(vault.entity_notes().unwrap(), [note]);
}

#[test]
fn a_name_that_looks_like_a_number_or_a_boolean_stays_a_text() {
    let (folder, vault) = vault();
    fs::create_dir(folder.path().join("entities")).unwrap();
    fs::write(folder.path().join("entities/Big.md"), "---\naliases: [\"1984\", 'no']\nyear: \"007\"\n---\n").unwrap();
    let (note, _) = vault.curate("Big", None, &[add(NoteList::Aliases, "2001")]).unwrap();
    assert_eq!(note.aliases, ["1984", "no", "2001"]);
    let aliases = "aliases:\n  - \"1984\"\n  - \"no\"\n  - \"2001\"\n";
    assert_eq!(text_of(&folder, "Big.md"), format!("---\n{aliases}year: \"007\"\n---\n"));
}

#[test]
fn a_change_touches_its_own_lines_only() {
    let (folder, vault) = vault();
    let text = "\u{feff}---\r\ncreated: 2026-01-01\r\naliases: [a, \"b c\"]\r\n# mine\r\ntype:  Person \r\n---\r\n\r\n## Facts\r\n- x\r\n";
    fs::create_dir(folder.path().join("entities")).unwrap();
    fs::write(folder.path().join("entities/Linh.md"), text).unwrap();
    let (note, undo) = vault.curate("Linh", Some(EntityKind::Person), &[add(NoteList::Merged, "L")]).unwrap();
    assert_eq!(
        (note.kind, note.aliases.len(), note.notes.as_str()),
        (Some(EntityKind::Person), 2, "\r\n## Facts\r\n- x\r\n")
    );
    assert_eq!(
        text_of(&folder, "Linh.md"),
        text.replace("type:  Person \r\n", "type:  Person \r\nmerged:\r\n  - L\r\n")
    );
    vault.curate("Linh", None, &undo).unwrap();
    assert_eq!(text_of(&folder, "Linh.md"), text);
    vault.curate("Linh", None, &[add(NoteList::Aliases, "d")]).unwrap();
    let spread = text.replace("aliases: [a, \"b c\"]\r\n", "aliases:\r\n  - a\r\n  - b c\r\n  - d\r\n");
    assert_eq!(text_of(&folder, "Linh.md"), spread);
}

#[test]
fn homonyms_and_unsafe_names_have_files_of_their_own() {
    let (folder, vault) = vault();
    let hide = [NoteEdit::Set(NoteField::Hidden, Some("true".to_owned()))];
    for (name, kind) in [
        ("Washington", EntityKind::Person),
        ("Washington", EntityKind::Place),
        ("washington", EntityKind::Topic),
        ("AC/DC", EntityKind::Organization),
        ("..", EntityKind::Topic),
    ] {
        vault.curate(name, Some(kind), &hide).unwrap();
        vault.curate(name, Some(kind), &hide).unwrap();
    }
    let notes = vault.entity_notes().unwrap();
    let found: Vec<_> = notes.iter().map(|note| (note.file.as_str(), note.name.as_str(), note.kind.unwrap())).collect();
    assert_eq!(
        found,
        [
            ("AC_DC.md", "AC/DC", EntityKind::Organization),
            ("Washington (place).md", "Washington", EntityKind::Place),
            ("Washington.md", "Washington", EntityKind::Person),
            ("_.md", "..", EntityKind::Topic),
            ("washington (topic).md", "washington", EntityKind::Topic),
        ]
    );
    assert!(text_of(&folder, "AC_DC.md").starts_with("---\nname: AC/DC\n"));
}

#[test]
fn a_note_without_front_matter_keeps_its_text() {
    let (folder, vault) = vault();
    fs::create_dir(folder.path().join("entities")).unwrap();
    for text in ["Just words\n", "---\nunclosed: yes\n", ""] {
        fs::write(folder.path().join("entities/X.md"), text).unwrap();
        vault.curate("X", None, &[add(NoteList::Aliases, "y")]).unwrap();
        assert_eq!(text_of(&folder, "X.md"), format!("---\naliases:\n  - y\n---\n{text}"));
    }
    fs::write(folder.path().join("entities/X.md"), b"caf\xe9").unwrap();
    assert!(matches!(vault.curate("X", None, &[add(NoteList::Aliases, "y")]), Err(VaultError::Refused { .. })));
    assert_eq!(vault.entity_notes().unwrap()[0].notes, "caf\u{fffd}");
}

#[test]
fn verdicts_read_back() {
    for text in ["causal -> stressed", "emotional -> Anna @ home @ k3", "involves -> a -> b"] {
        assert_eq!(Verdict::parse(text).unwrap().to_string(), text);
    }
    assert!(Verdict::parse("because -> x").is_none() && Verdict::parse("causal").is_none());
}

proptest! {
    #[test]
    fn every_item_reads_back_and_every_edit_is_undone(
        front in "((aliases:|type: x|created: 1|  - [a-c]|- d|aliases: \\[a, b\\]|# c)\n){0,6}",
        notes in "(---\n|[a-z\n]){0,6}",
        edits in prop::collection::vec((any::<bool>(), prop_oneof![any::<String>(), "[a-c]".prop_map(|s| s)], any::<bool>()), 1..5)
    ) {
        let before = format!("---\n{front}---\n{notes}");
        let mut text = NoteText::of(&before);
        prop_assert_eq!(&text.text(), &before);
        let list = |aliases: bool| if aliases { NoteList::Aliases } else { NoteList::Merged };
        let lists = |text: &NoteText| {
            let mut lists = [text.list("aliases"), text.list("merged")];
            lists.iter_mut().for_each(|list| list.sort());
            // Duplicates in a list count once.
            lists.iter_mut().for_each(Vec::dedup);
            lists
        };
        let first = lists(&text);
        let mut undo = Vec::new();
        for (adds, item, aliases) in edits {
            let edit = if adds { NoteEdit::Add(list(aliases), item.clone()) } else { NoteEdit::Take(list(aliases), item.clone()) };
            undo.extend(text.apply(&edit));
            text = NoteText::of(&text.text());
            prop_assert_eq!(text.list(list(aliases).word()).contains(&item), adds && !item.is_empty());
        }
        for edit in undo.iter().rev() {
            text.apply(edit);
        }
        prop_assert_eq!(lists(&text), first);
        prop_assert!(text.text().ends_with(&notes));
    }
}

/// Every note with its bytes.
fn bytes_of(folder: &tempfile::TempDir) -> std::collections::BTreeMap<String, Vec<u8>> {
    let Ok(listing) = fs::read_dir(folder.path().join("entities")) else { return Default::default() };
    let names = listing.map(|entry| entry.unwrap());
    names.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

fn any_change() -> impl Strategy<Value = NoteChange> {
    let lists = vec![NoteList::Aliases, NoteList::Merged, NoteList::DistinctFrom, NoteList::Accept, NoteList::Reject];
    let item = prop::sample::select(vec!["Linh", "Hung (topic)", "causal -> x @ y", "a: b"]).prop_map(str::to_owned);
    let fields = vec![NoteField::Name, NoteField::Kind, NoteField::Hidden, NoteField::MergedInto];
    let value = prop::sample::select(vec![None, Some("true"), Some("person"), Some("Linh")]);
    let edit = prop_oneof![
        (prop::sample::select(lists.clone()), item.clone()).prop_map(|(list, item)| NoteEdit::Add(list, item)),
        (prop::sample::select(lists), item).prop_map(|(list, item)| NoteEdit::Take(list, item)),
        (prop::sample::select(fields), value).prop_map(|(field, value)| NoteEdit::Set(field, value.map(str::to_owned))),
    ];
    let kind = prop::sample::select(vec![None, Some(EntityKind::Person), Some(EntityKind::Place)]);
    (prop::sample::select(vec!["Linh", "Hùng", "A/B"]), kind, prop::collection::vec(edit, 0..4))
        .prop_map(|(name, kind, edits)| NoteChange { name: name.to_owned(), kind, edits })
}

proptest! {
    // Few cases, because each one writes dozens of files with fsync.
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_is_taken_back_leaves_the_very_bytes(
        front in "((aliases: \\[a, Linh\\]|type: x|created: 1|merged:|  - Linh|# c)\r?\n){0,5}",
        plain in any::<bool>(),
        steps in prop::collection::vec(prop::collection::vec(any_change(), 1..4), 1..5)
    ) {
        let (folder, vault) = vault();
        fs::create_dir(folder.path().join("entities")).unwrap();
        let text = if plain { "Only notes.\n".to_owned() } else { format!("---\n{front}---\nNotes.\n") };
        fs::write(folder.path().join("entities/Linh.md"), text).unwrap();
        let mut done = Vec::new();
        for changes in &steps {
            let before = bytes_of(&folder);
            let shown = vault.notes_after(changes).unwrap();
            let undo: Vec<NoteUndo> = vault.curate_all(changes).unwrap().into_iter().map(|(_, undo)| undo).collect();
            let by_file = |mut notes: Vec<EntityNote>| {
                // A change without effect creates no note.
                notes.retain(|note| folder.path().join("entities").join(&note.file).exists());
                notes.sort_by(|a, b| a.file.cmp(&b.file));
                notes
            };
            prop_assert_eq!(by_file(shown), by_file(vault.entity_notes().unwrap()));
            done.push((before, undo));
        }
        for (before, undo) in done.iter().rev() {
            vault.uncurate(undo).unwrap();
            prop_assert_eq!(&bytes_of(&folder), before);
        }
    }
}
