use std::fs;

use jiff::tz::{TimeZone, offset};
use proptest::prelude::*;

use super::*;

fn options() -> ImportOptions {
    ImportOptions::new(TimeZone::fixed(offset(7)))
}

fn import(text: &str) -> Imported {
    let mut imported = Imported::default();
    let day = jiff::civil::date(2026, 5, 1);
    DayReader { path: Path::new("2026-05-01.md"), day, options: &options() }.read(text, &mut imported);
    imported
}

fn pairs(entry: &NewEntry) -> Vec<(&str, &str)> {
    entry.extra.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect()
}

const DAY: &str = "\
# 2026-05-01

---
sleep_hours: 6.5
exercise: true
meals: [rice, soup]
---

## 07:40
mood:: anxious/4
tags:: work, #x
trigger:: [[Hùng]], [[Project X]]
superseded:: 2026-05-02#1

Could not sit still.
## 08:00 is a heading in the text

## 21:05
Walked home.
mood:: not a field any more

---

- list

## 22:10

joy:: a word that is no link
";

#[test]
fn a_day_file_becomes_entries() {
    let imported = import(DAY);
    let [first, second, third] = imported.entries.as_slice() else { panic!("{imported:?}") };
    assert_eq!(first.time.as_ref().unwrap().written, "2026-05-01T07:40:00+07:00");
    assert_eq!(first.id.as_deref(), Some("my-kioku-2026-05-01-1"));
    assert_eq!(first.mood.as_deref(), Some("anxious"));
    assert_eq!(first.tags, ["work", "x"]);
    assert_eq!(
        first.body,
        "trigger:: [[Hùng]], [[Project X]]\n\nCould not sit still.\n## 08:00 is a heading in the text"
    );
    assert_eq!(
        pairs(first),
        [("mood_strength", "4"), ("superseded", "my-kioku-2026-05-02-1"), ("sleep_hours", "6.5"), ("exercise", "true")]
    );
    assert_eq!(second.body, "Walked home.\nmood:: not a field any more\n\n---\n\n- list");
    assert_eq!(second.mood, None);
    assert_eq!(third.body, "joy:: a word that is no link");
    assert_eq!(imported.not_kept.get("meals"), Some(&1));
    assert!(imported.losses.is_empty(), "{:?}", imported.losses);
}

#[test]
fn text_above_the_first_time_is_kept_and_flagged() {
    let imported = import("# 2026-05-01\n\nA slow day.\n\n## 09:00\nx\n");
    assert_eq!(imported.entries[0].body, "A slow day.");
    assert_eq!(imported.entries[0].time.as_ref().unwrap().written, "2026-05-01T12:00:00+07:00");
    assert_eq!(pairs(&imported.entries[0]), [("undated", "true")]);
    assert_eq!(imported.losses.len(), 1);
}

#[test]
fn figures_of_a_day_without_entries_are_counted() {
    let imported = import("---\nsleep_hours: 7\n---\n# 2026-05-01\n");
    assert!(imported.entries.is_empty());
    assert_eq!(imported.not_kept.get("sleep_hours"), Some(&1));
}

#[test]
fn a_vault_with_notes() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let file = folder.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    write("journal/2026/05/2026-05-01.md", DAY);
    write("journal/2026/05/notes.md", "not a day");
    write(
        "entities/Hùng.md",
        "---\ntype: person\naliases: [sếp Hùng, \"boss\"]\ncreated: 2026-01-01\n---\n## Facts\n- leads Project X\n",
    );
    write("entities/Running.md", "---\ntype: activity\naliases:\n  - jogging\n---\n");
    write("entities/Empty.md", "---\ntype: unknown\n---\n");
    write("insights/2026-05.md", "seen\n");
    let imported = read(&Source::at(folder.path()), &options()).unwrap();
    assert_eq!(imported.entries.len(), 3);
    assert_eq!(
        imported.notes,
        [
            ImportedNote {
                file: "Hùng.md".into(),
                text: "---\ntype: person\naliases:\n  - sếp Hùng\n  - boss\ncreated: 2026-01-01\n---\n\n## Facts\n- leads Project X\n"
                    .into()
            },
            ImportedNote { file: "Running.md".into(), text: "---\ntype: topic\naliases:\n  - jogging\n---\n".into() },
        ]
    );
    assert_eq!(imported.losses.len(), 1);
    assert!(matches!(
        read(&Source::at(&folder.path().join("entities")), &options()),
        Err(ExchangeError::NotThere { .. })
    ));
}

#[test]
fn names_with_yaml_syntax_stay_the_same_names() {
    let mut imported = Imported::default();
    let text = "---\naliases:\n  - \"Boss: the first\"\n  - 'Room #4'\n  - 'Team #5 #6'\n  - \"[x]\"\n  - '@linh'\n\
                role: \"lead: platform\"\n---\n";
    note(text, Path::new("Linh.md"), &mut imported);
    let written = crate::journal::note::NoteText::of(&imported.notes[0].text);
    let aliases = ["Boss: the first", "Room #4", "Team #5 #6", "[x]", "@linh"];
    assert_eq!(written.note("Linh.md").aliases, aliases, "{}", imported.notes[0].text);
    assert_eq!(
        imported.notes[0].text,
        "---\naliases:\n  - \"Boss: the first\"\n  - \"Room #4\"\n  - \"Team #5 #6\"\n  - \"[x]\"\n  - \"@linh\"\n\
         role: \"lead: platform\"\n---\n"
    );
}

#[test]
fn a_comma_in_quotes_belongs_to_the_item() {
    let mut imported = Imported::default();
    let text = "---\naliases: [\"Linh, the tall one\", 'O''Neil', \"say \\\"x\\\"\", lin]\nrole: 'it''s'\n---\n";
    note(text, Path::new("Linh.md"), &mut imported);
    let written = crate::journal::note::NoteText::of(&imported.notes[0].text);
    let aliases = ["Linh, the tall one", "O'Neil", "say \"x\"", "lin"];
    assert_eq!(written.note("Linh.md").aliases, aliases, "{}", imported.notes[0].text);
    assert!(imported.notes[0].text.contains("role: it's\n"), "{}", imported.notes[0].text);
    let imported = import("## 07:40\ntags:: [\"a, b\", #c]\n\nx\n\n## 07:50\ntags:: '90s, \"d, e\"\n\ny\n");
    assert_eq!(imported.entries[0].tags, ["a, b", "c"]);
    assert_eq!(imported.entries[1].tags, ["'90s", "d, e"]);
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "(---|## 0[0-9]:[0-9]{2}|mood:: \\PC{0,4}|[a-z]{1,3}: ?\\PC{0,4}|[- #:]{0,3}|\\PC{0,6}|\n){0,14}") {
        import(&text);
        let mut imported = Imported::default();
        note(&text, Path::new("Name.md"), &mut imported);
    }
}
