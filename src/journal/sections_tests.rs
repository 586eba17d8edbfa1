use std::path::Path;

use jiff::{civil, tz::TimeZone};
use proptest::prelude::*;

use crate::{
    clock::Clock,
    journal::{
        BodyHash, Change, Edited, Entry, NewEntry, TrashReason, Vault, VaultOptions,
        day_file::{self, Reading},
    },
};

fn read(text: &str) -> Vec<(String, String, String)> {
    let reading = Reading { zone: TimeZone::UTC, day_start: civil::time(4, 0, 0, 0) };
    let scan = day_file::scan(text.as_bytes());
    let entries = day_file::entries(text.as_bytes(), &scan, &"2024-03-01.md".into(), &reading);
    let entries = entries.into_iter().map(|written| written.entry);
    entries.map(|entry| (entry.id.to_string(), entry.time.written, entry.body)).collect()
}

fn vault(home: &Path) -> Vault {
    let clock = Clock::fixed("2024-03-01T15:30:00+00:00[UTC]".parse().unwrap());
    Vault::open(VaultOptions::new(home, clock)).unwrap()
}

/// The entries of the only day of a vault.
fn entries(vault: &Vault) -> Vec<Entry> {
    let day = vault.read_if_there("2024-03-01.md").unwrap().unwrap();
    day.entries.into_iter().map(|written| written.entry).collect()
}

fn bodies(text: &str) -> Vec<String> {
    read(text).into_iter().map(|(.., body)| body).collect()
}

#[test]
fn a_heading_with_a_time_begins_an_entry() {
    let text = "# 2024-03-01\n\nWoke early.\n\n## 09:30\n\nThe ferry.\n\n## 11:05 Harbour\nSoup.\n\n### Menu\n\n## 11:05\nMore.\n\n## 00:40\nLate.";
    let found = read(text);
    let found: Vec<_> = found.iter().map(|(id, time, body)| (id.as_str(), time.as_str(), body.as_str())).collect();
    assert_eq!(
        found,
        [
            ("2024-03-01.md", "2024-03-01", "Woke early."),
            ("2024-03-01.md#09:30", "2024-03-01T09:30", "The ferry."),
            ("2024-03-01.md#11:05~d7cf98f4", "2024-03-01T11:05", "Harbour\nSoup.\n\n### Menu"),
            ("2024-03-01.md#11:05~2e823667", "2024-03-01T11:05", "More."),
            // The day begins at 04:00.
            ("2024-03-01.md#00:40", "2024-03-02T00:40", "Late."),
        ]
    );
}

#[test]
fn the_usual_spellings_of_a_time_are_read() {
    for (heading, time, body) in [
        ("## 9:30 am Walk", "09:30", "Walk\nx"),
        ("### 9:30PM", "21:30", "x"),
        ("# 12:05 am", "00:05", "x"),
        ("## 09:30:15 - Walk", "09:30:15", "Walk\nx"),
        ("## 09:30: Walk", "09:30", "Walk\nx"),
        ("## 09:30\u{2013}10:15 Walk", "09:30", "\u{2013}10:15 Walk\nx"),
        ("** 09:30 Walk", "09:30", "Walk\nx"),
        ("##\t09:30\r", "09:30", "x"),
    ] {
        let found = read(&format!("{heading}\nx\n"));
        assert_eq!(found.len(), 1, "{heading}");
        assert_eq!((&found[0].1[11..], found[0].2.as_str()), (time, body), "{heading}");
        assert!(found[0].0.ends_with(&format!("#{time}")), "{heading}");
    }
    for heading in
        ["## 25:00", "## 9:3", "## 09:30x", "## 930", "## 13:00am", "##09:30", " ## 09:30", "* 09:30", "## 9"]
    {
        assert_eq!(read(&format!("{heading}\nx\n"))[0].0, "2024-03-01.md", "{heading}");
    }
}

#[test]
fn a_day_that_is_not_in_sections_throughout_is_one_entry() {
    for text in [
        "## 09:30\na\n\n## Plans\nb",
        "## Plans\na\n\n## 09:30\nb",
        "## 09:30\na\n\n# Plans\nb",
        "### 09:30\na\n\n## 10:30\nb",
        "- 09:30 a\n- 10:30 b",
        "```\n## 09:30\n```\nb",
    ] {
        assert_eq!(bodies(text), [text]);
    }
    assert_eq!(bodies("## Log\n\n### 09:30\na\n#### Menu\n\n### 10:30\nb"), ["## Log", "a\n#### Menu", "b"]);
    assert_eq!(bodies("## 09:30\n```\n# x\n```\n## 10:30\nb"), ["```\n# x\n```", "b"]);
}

#[test]
fn a_title_above_the_sections_is_no_entry_and_any_other_text_is() {
    for title in ["# Friday, 1 March 2024", "* Sunday, 03/03/24", "# 2024-03-01", "# Freitag, 1. März 2024", "# Friday"]
    {
        let heading = if title.starts_with('*') { "** 09:30" } else { "## 09:30" };
        assert_eq!(bodies(&format!("{title}\n\n{heading}\na")), ["a"], "{title}");
    }
    for heading in ["* Plans", "# Funeral of Grandma", "# April", "# Sun", "# Wedding of Anna 2024-03-01"] {
        assert_eq!(bodies(&format!("{heading}\n\n** 09:30\na"))[..1], [heading]);
    }
    assert_eq!(bodies("# Friday\n## 20:15\n"), [""]);
    assert_eq!(bodies("# At the sea\nSunny.\n## 09:30\na"), ["# At the sea\nSunny.", "a"]);
}

#[test]
fn front_matter_belongs_to_the_first_entry_and_its_tags_to_all() {
    let text = "---\ntags: [travel]\nmood: calm\nsleep: 7\n---\n## 09:30\na\n\n## 10:30\nb";
    let reading = Reading { zone: TimeZone::UTC, day_start: civil::Time::midnight() };
    let scan = day_file::scan(text.as_bytes());
    let entries = day_file::entries(text.as_bytes(), &scan, &"2024-03-01.md".into(), &reading);
    let fields =
        |at: usize| (entries[at].entry.tags.len(), entries[at].entry.mood.as_deref(), entries[at].entry.extra.len());
    assert_eq!((fields(0), fields(1)), ((1, Some("calm"), 1), (1, None, 0)));
}

#[test]
fn an_entry_behind_the_sections_keeps_its_head() {
    let text = "## 09:30\na\n\n## 10:30\n\n---\ntime: \"2024-03-01T20:00:00Z\"\n---\nc\n\n## 21:00\nd\n";
    assert_eq!(bodies(text), ["a", "", "c\n\n## 21:00\nd"]);
}

#[test]
fn no_section_takes_over_the_id_of_a_deleted_one() {
    let home = tempfile::tempdir().unwrap();
    let day = "## 09:30\na\n\n## 09:30\nb\n\n## 09:30\nb\n\n## 10:00\nc\n";
    std::fs::write(home.path().join("2024-03-01.md"), day).unwrap();
    let vault = vault(home.path());
    let read = || entries(&vault);
    let ids = |entries: &[Entry]| -> Vec<String> { entries.iter().map(|entry| entry.id.to_string()).collect() };
    let seen = read();
    let [a, b] = ["a", "b"].map(|text| format!("2024-03-01.md#09:30~{}", BodyHash::of(text.as_bytes()).short()));
    assert_eq!(ids(&seen), [a.clone(), b.clone(), format!("{b}.2"), "2024-03-01.md#10:00".to_owned()]);
    vault.remove(&seen[0]).unwrap();
    assert_eq!(ids(&read())[0], b);
    vault.remove(&read()[1]).unwrap();
    // The last of its minute has the short id, and is still found by the longer one.
    assert_eq!(ids(&read()), ["2024-03-01.md#09:30", "2024-03-01.md#10:00"]);
    assert!(vault.find("2024-03-01.md", &seen[1].id).unwrap().is_some_and(|entry| entry.body == "b"));
    // What was seen of the deleted one changes and removes nothing else.
    assert!(vault.remove(&seen[0]).is_err());
    let Edited::Saved(b) = vault.edit(&seen[1], change("b, in place")).unwrap() else { panic!() };
    assert_eq!(b.body, "b, in place");
    vault.edit(&seen[0], Change { mood: Some(Some("calm".to_owned())), ..Change::default() }).unwrap();
    let texts: Vec<_> = read().into_iter().map(|entry| (entry.body, entry.mood)).collect();
    let calm = Some("calm".to_owned());
    assert_eq!(texts, [("b, in place".to_owned(), None), ("c".to_owned(), None), ("a".to_owned(), calm)]);
}

fn change(body: &str) -> Change {
    Change { body: Some(body.to_owned()), ..Change::default() }
}

#[test]
fn a_restored_section_does_not_replace_the_one_that_took_its_id() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("2024-03-01.md"), "## 09:30\na\n\n## 09:30\nb\n\n## 09:30\nc\n").unwrap();
    let vault = vault(home.path());
    vault.remove(&entries(&vault)[1]).unwrap();
    vault.edit(&entries(&vault)[1], change("## 11:00 Tea")).unwrap();
    let piece = vault.trash().unwrap().into_iter().find(|piece| piece.why == TrashReason::Deleted).unwrap();
    vault.restore(&piece.handle).unwrap();
    assert_eq!(sorted(&entries(&vault)), ["## 11:00 Tea", "a", "b"]);
}

/// A day of another program, and what a user does to its entries, each picked by its number.
fn any_day() -> impl Strategy<Value = String> {
    let pieces = vec![
        "## 09:30\n",
        "## 9:30 am Ferry\n",
        "\n",
        "Soup.\n",
        "### Menu\n",
        "# Friday\n",
        "## 20:15\n\n",
        "```\n",
        "- a\n",
        "## Plans\n",
        "** 10:00 Org\n",
        "\n\n",
        "Slept.\n\n",
        "## 09:31 - Walk\nFar.\n\n",
        "\n---\ntime: \"2024-03-01T12:00:00Z\"\nid: \"own\"\n---\nOwn.\n",
    ];
    let pieces = prop::collection::vec(prop::sample::select(pieces), 1..9);
    (pieces, any::<[bool; 3]>()).prop_map(|(pieces, [windows, bom, front])| {
        let front = if front { "---\ntags: [a]\n---\n" } else { "" };
        let text = format!("{}{front}{}", if bom { "\u{feff}" } else { "" }, pieces.concat());
        if windows { text.replace('\n', "\r\n") } else { text }
    })
}

#[derive(Debug, Clone)]
enum Step {
    Edit(usize, String),
    Mood(usize),
    Remove(usize),
    Restore,
    Append(String),
}

fn any_step() -> impl Strategy<Value = Step> {
    let words =
        prop::sample::select(vec!["Rain", "## 11:00 Tea", "pm is near", "- list", "\n\nBelow", "\n## Plans", "```"]);
    let text = prop::collection::vec(words, 1..3)
        .prop_map(|words| words.join("\n").trim_start().to_owned())
        .prop_filter("an entry without text", |text| !text.is_empty());
    prop_oneof![
        3 => (0usize..9, text.clone()).prop_map(|(at, text)| Step::Edit(at, text)),
        1 => (0usize..9).prop_map(Step::Mood),
        3 => (0usize..9).prop_map(Step::Remove),
        2 => Just(Step::Restore),
        2 => text.prop_map(Step::Append),
    ]
}

fn sorted(entries: &[Entry]) -> Vec<String> {
    let mut bodies: Vec<String> = entries.iter().map(|entry| entry.body.clone()).collect();
    bodies.sort();
    bodies.dedup();
    bodies
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_step_loses_or_changes_another_entry(day in any_day(), steps in prop::collection::vec(any_step(), 1..5)) {
        // Two entries of one id and text are one.
        prop_assume!(day.matches("own").count() < 2);
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("2024-03-01.md"), &day).unwrap();
        let vault = vault(home.path());
        let read = || entries(&vault);
        let mut removed: Vec<Entry> = Vec::new();
        for step in steps {
            let entries = read();
            let pick = |at: usize| (!entries.is_empty()).then(|| at % entries.len());
            let mut expected: Vec<String> = entries.iter().map(|entry| entry.body.clone()).collect();
            match step {
                Step::Edit(at, text) => {
                    let Some(at) = pick(at) else { continue };
                    expected[at] = text.clone();
                    vault.edit(&entries[at], change(&text)).unwrap();
                }
                Step::Mood(at) => {
                    let Some(at) = pick(at) else { continue };
                    vault.edit(&entries[at], Change { mood: Some(Some("calm".to_owned())), ..Change::default() }).unwrap();
                }
                Step::Remove(at) => {
                    let Some(at) = pick(at) else { continue };
                    expected.remove(at);
                    vault.remove(&entries[at]).unwrap();
                    removed.push(entries[at].clone());
                }
                Step::Restore => {
                    let Some(last) = removed.pop() else { continue };
                    expected.push(last.body.clone());
                    let handle = vault.trash().unwrap().into_iter().find(|piece| piece.why == TrashReason::Deleted).unwrap().handle;
                    vault.restore(&handle).unwrap();
                }
                Step::Append(text) => {
                    expected.push(text.clone());
                    vault.append(NewEntry { body: text, ..NewEntry::default() }).unwrap();
                }
            }
            // A restored text that its own minute has already is there.
            expected.sort();
            expected.dedup();
            let file = std::fs::read_to_string(home.path().join("2024-03-01.md")).unwrap();
            prop_assert_eq!(sorted(&read()), expected, "{}", file);
        }
    }
}
