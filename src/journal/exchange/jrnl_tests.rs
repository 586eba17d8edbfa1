use std::fs;

use jiff::tz::{TimeZone, offset};
use proptest::prelude::*;

use super::*;

fn options() -> ImportOptions {
    ImportOptions::new(TimeZone::fixed(offset(7)))
}

fn try_import(text: &str, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    let mut imported = Imported::default();
    let path = Path::new("/nowhere/journal.txt");
    Reader::new(path, options, &mut imported)?.file(text, path, &mut imported)?;
    Ok(imported)
}

fn import(text: &str) -> Imported {
    try_import(text, &options()).unwrap()
}

fn times(imported: &Imported) -> Vec<&str> {
    imported.entries.iter().map(|entry| entry.time.as_ref().unwrap().written.as_str()).collect()
}

fn lines(imported: &Imported) -> Vec<usize> {
    imported.losses.iter().map(|loss| loss.line).collect()
}

#[test]
fn a_file_of_today() {
    let imported = import(concat!(
        "[2026-08-07 09:00:00 PM] Ate with @Linh by the lake. *\nSecond line, #Food and [1] a note.\n\n",
        "# heading stays, a#b is no tag\n\n",
        "[2026-08-08 07:15:00 AM] Ran in *the rain*\n",
    ));
    assert_eq!(times(&imported), ["2026-08-07T21:00:00+07:00", "2026-08-08T07:15:00+07:00"]);
    let first = &imported.entries[0];
    assert_eq!(
        first.body,
        "Ate with @Linh by the lake.\nSecond line, #Food and [1] a note.\n\n# heading stays, a#b is no tag"
    );
    assert_eq!(first.tags, ["linh", "food"]);
    assert_eq!(first.extra, [("star".to_string(), "true".to_string())]);
    assert_eq!(imported.entries[1].body, "Ran in *the rain*");
    assert!(imported.entries[1].extra.is_empty());
    assert!(imported.losses.is_empty());
}

#[test]
fn a_file_without_brackets() {
    let imported = import("2013-06-09 15:39 First title *\ntext\n\n2013-06-10 08:00 Second\n2013 was warm\n");
    assert_eq!(times(&imported), ["2013-06-09T15:39:00+07:00", "2013-06-10T08:00:00+07:00"]);
    assert_eq!(imported.entries[0].body, "First title\ntext");
    assert_eq!(imported.entries[0].extra[0].0, "star");
    assert_eq!(imported.entries[1].body, "Second\n2013 was warm");
}

#[test]
fn text_before_the_first_date_is_kept_and_flagged() {
    let imported = import("A plan for the year.\n\n[2026-01-02 10:00] New year\n");
    assert_eq!(imported.entries[0].body, "A plan for the year.");
    assert_eq!(imported.entries[0].extra, [("undated".to_string(), "true".to_string())]);
    assert_eq!(lines(&imported), [1]);
    assert_eq!(imported.entries[1].body, "New year");
}

#[test]
fn a_file_without_any_date_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.txt");
    fs::write(&file, "only text\n[1] a note\n").unwrap();
    let refused = read(&Source::at(&file), &options()).unwrap_err().to_string();
    assert!(refused.contains("no line begins with a date"), "{refused}");
}

#[test]
fn day_and_month_are_settled_by_another_date_of_the_file() {
    let imported = import("[03/04/2024 10:00] one\n[25/04/2024 10:00] two\n");
    assert_eq!(times(&imported), ["2024-04-03T10:00:00+07:00", "2024-04-25T10:00:00+07:00"]);
}

#[test]
fn day_and_month_are_never_guessed() {
    for text in [
        "[03/04/2024 10:00] one\n[05/06/2024 10:00] two\n",
        "[03/04/2024 10:00] one\n[25/04/2024 10:00] two\n[04/26/2024 10:00] three\n",
        "[03/04/24 10:00] one\n",
    ] {
        let error = try_import(text, &options()).unwrap_err();
        assert!(error.to_string().contains("--time-format"), "{error}");
    }
    let given = ImportOptions { time_format: Some("%d/%m/%Y %H:%M".into()), ..options() };
    let imported = try_import("[03/04/2024 10:00] one\n[05/06/2024] note\n[05/06/2024 10:00] two\n", &given).unwrap();
    assert_eq!(times(&imported), ["2024-04-03T10:00:00+07:00", "2024-06-05T10:00:00+07:00"]);
    assert_eq!(imported.entries[0].body, "one\n[05/06/2024] note");
    assert_eq!(lines(&imported), [2]);
    let with_offset = ImportOptions { time_format: Some("%Y-%m-%d %H:%M %z".into()), ..options() };
    let imported = try_import("[2026-02-22 09:00 +0700] Title\n", &with_offset).unwrap();
    assert_eq!(times(&imported), ["2026-02-22T09:00:00+07:00"]);
    let bad = ImportOptions { time_format: Some("%H:%M".into()), ..options() };
    assert!(matches!(try_import("[10:00] x\n", &bad), Err(ExchangeError::TimeFormat { .. })));
}

#[test]
fn a_line_that_only_looks_like_an_entry_is_listed() {
    let imported = import("[2026-01-01 10:00] a\n[2026-01-02 10:00] b\n[2020-05-05 10:00] x\n[2026-01-03 10:00] c\n");
    assert_eq!(imported.entries.len(), 4);
    assert_eq!(lines(&imported), [3]);
    let at_the_end = import("[2026-01-01 10:00] a\n[2026-01-02 10:00] b\n[2020-05-05 10:00] x\n");
    assert_eq!(lines(&at_the_end), [3]);
    let newest_first = import("[2026-01-03 10:00] a\n[2026-01-02 10:00] b\n[2026-01-01 10:00] c\n");
    assert!(newest_first.losses.is_empty());
}

#[test]
fn a_line_with_a_date_that_does_not_exist_is_reported_and_stays_text() {
    for (text, format) in [
        ("[2026-01-01 10:00] a\n[2026-02-30 10:00] b\n[1] a note\n", None),
        ("[01.01.2026 10:00] a\n[30.02.2026 10:00] b\n[1] a note\n", Some("%d.%m.%Y %H:%M")),
        ("2026-01-01 10:00 a\n2026-02-30 10:00 b\n2026 was warm\n", None),
    ] {
        let given = ImportOptions { time_format: format.map(str::to_owned), ..options() };
        let imported = try_import(text, &given).unwrap();
        assert_eq!((imported.entries.len(), lines(&imported)), (1, vec![2]), "{text}");
        let message = &imported.losses[0].message;
        assert!(message.starts_with("line 2 looks like the start of an entry, but \""), "{message}");
        assert!(imported.entries[0].body.contains(" b\n"), "{text}");
    }
}

#[test]
fn a_folder_journal_takes_its_days_from_the_path() {
    let folder = tempfile::tempdir().unwrap();
    let day = |path: &str, text: &str| {
        let file = folder.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    day("2026/04/03.txt", "[03/04/2026 10:00] one\n\n[03/04/2026 11:30 PM] two\n");
    day("2026/04/04.txt", "[09:15] time only\n[x] todo\n");
    day("2026/04/05.txt", "no head\n");
    day("2026/04/06.txt", "[2026-04-07 08:00] other day\n");
    day("2026/readme.txt", "not a day");
    let imported = read(&Source::at(folder.path()), &options()).unwrap();
    assert_eq!(
        times(&imported),
        [
            "2026-04-03T10:00:00+07:00",
            "2026-04-03T23:30:00+07:00",
            "2026-04-04T09:15:00+07:00",
            "2026-04-05T12:00:00+07:00",
            "2026-04-06T08:00:00+07:00"
        ]
    );
    assert_eq!(imported.entries[2].body, "time only\n[x] todo");
    assert_eq!(imported.losses.len(), 2);
    assert!(matches!(
        read(&Source::at(&folder.path().join("2026/04")), &options()),
        Err(ExchangeError::NotThere { .. })
    ));
}

#[test]
fn settings_beside_the_journal_are_used() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("jrnl.yaml"),
        "colors:\n  timeformat: x\ntimeformat: '%d.%m.%Y %H:%M'\ntagsymbols: '+'\n",
    )
    .unwrap();
    let file = folder.path().join("journal.txt");
    fs::write(&file, "[03.04.2024 10:00] one +tag @no\n").unwrap();
    let imported = read(&Source::at(&file), &options()).unwrap();
    assert_eq!(times(&imported), ["2024-04-03T10:00:00+07:00"]);
    assert_eq!(imported.entries[0].tags, ["tag"]);
}

#[test]
fn a_second_import_names_the_entries_alike_even_from_another_zone() {
    let text = "intro\n[2026-01-01 10:00] a\n[2026-01-02 10:00] b *\n";
    let ids = |imported: Imported| imported.entries.into_iter().map(|entry| entry.id).collect::<Vec<_>>();
    let elsewhere = ImportOptions::new(TimeZone::fixed(offset(-3)));
    let first = ids(import(text));
    assert_eq!(first, ids(try_import(text, &elsewhere).unwrap()));
    assert_eq!(first.iter().collect::<std::collections::HashSet<_>>().len(), 3);
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "(\\[?(20[0-9]{2}-0[1-9]-[0-3][0-9]|[0-9]{1,2}/[0-9]{1,2}/(20)?24)( 1[0-9]:00)?\\]? ?|\\PC{0,8}|\n|\\*|#a){0,12}") {
        let _ = try_import(&text, &options());
    }

    /// Every character except white space, heads and stars is in some body.
    #[test]
    fn no_word_of_the_text_is_lost(words in proptest::collection::vec("[a-zé]{1,8}", 1..20), heads in proptest::collection::vec(0usize..20, 0..5)) {
        let mut text = String::new();
        for (index, word) in words.iter().enumerate() {
            if heads.contains(&index) {
                text.push_str("\n[2026-01-01 10:00] ");
            }
            text.push_str(word);
            text.push_str(if index % 3 == 0 { "\n" } else { " " });
        }
        if heads.iter().any(|at| *at < words.len()) {
            let imported = import(&text);
            let kept: Vec<&str> = imported.entries.iter().flat_map(|entry| entry.body.split_whitespace()).collect();
            prop_assert_eq!(kept, words.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }
}
