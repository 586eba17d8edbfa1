//! Import and export, through files and a real vault.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use jiff::tz::{TimeZone, offset};
use kioku::{
    clock::Clock,
    journal::{
        Entry, NewEntry, Vault, VaultOptions, demo,
        exchange::{EXPORTERS, IMPORTERS, ImportOptions, Imported, Source, exporter, importer},
    },
};
use proptest::prelude::*;

fn zone() -> TimeZone {
    TimeZone::fixed(offset(7))
}

fn vault(root: &Path) -> Vault {
    let now = jiff::civil::date(2026, 8, 31).at(12, 0, 0, 0).to_zoned(zone()).unwrap();
    Vault::open(VaultOptions::new(root, Clock::fixed(now))).unwrap()
}

fn entries(vault: &Vault) -> Vec<Entry> {
    let files = vault.files().unwrap();
    files.iter().flat_map(|stamp| vault.read(&stamp.file).unwrap().entries).map(|written| written.entry).collect()
}

fn read(format: &str, path: &Path) -> Imported {
    (importer(format).unwrap().read)(&Source::at(path), &ImportOptions::new(zone())).unwrap()
}

/// Time on the clock and text of the entries of a file, and the losses, after the check of its content.
fn read_text(format: &str, text: &str, time_format: Option<&str>) -> (Vec<(String, String)>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal");
    fs::write(&file, text).unwrap();
    let options = ImportOptions { time_format: time_format.map(str::to_owned), ..ImportOptions::new(zone()) };
    let imported = importer(format).unwrap().import(&Source::at(&file), &options).unwrap();
    let clock = |entry: &NewEntry| entry.time.as_ref().unwrap().day_and_clock();
    let entries = imported.entries.iter().map(|entry| (clock(entry), entry.body.clone())).collect();
    let losses = imported.losses.iter().map(|loss| format!("{}: {}", loss.line, loss.message)).collect();
    (entries, losses)
}

#[track_caller]
fn assert_read(found: &[(String, String)], expected: &[(&str, &str)]) {
    let found: Vec<(&str, &str)> = found.iter().map(|(time, text)| (time.as_str(), text.as_str())).collect();
    assert_eq!(found, expected);
}

fn write(root: &Path, path: &str, text: &str) {
    let file = root.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

/// A page of Apple's Journal, with its markup as it is exported.
const APPLE_PAGE: &str = "<!DOCTYPE html>\n<html dir=\"auto\">\n<head><style>p.p1 {margin: 0}</style></head>\n<body>\n<p class=\"p1\"><span class=\"s1\"><div class='pageContainer'>    <div class=\"pageHeader\">Sunday, 22 February 2026</div>    <div class=\"assetGrid\">    <div id=\"A\" class=\"gridItem assetType_stateOfMind\">\n        <div class=\"gridItemOverlayText gridItemOverlayHeader\">Sad, Tired</div>\n    </div>    <div id=\"B\" class=\"gridItem assetType_photo\">\n        <img src=\"../Resources/B.heic\" class=\"asset_image\"/>\n    </div></div><div class='title'>At the sea</div><div class='bodyText'></span></p>\n<p class=\"p2\"><span class=\"s2\">Ferry &amp; soup.</span></p>\n<p class=\"p2\"><span class=\"s2\">Slept.</span></p>\n<p class=\"p1\"><span class=\"s1\"></div></div></span></p>\n</body>\n</html>\n";

/// One source per format, each with a difficulty: a rule in a body, a star, two entries in one minute, text without a
/// date.
fn sources(root: &Path) -> BTreeMap<&'static str, PathBuf> {
    write(
        root,
        "a.jsonl",
        concat!(
            "{\"id\":\"one\",\"time\":\"2026-02-22T08:30:00Z\",\"text\":\"Met Hùng.\\n---\\ntime: 10:00 dentist\",\"mood\":\"calm\"}\n",
            "{\"time\":\"2026-02-22T15:30:00+07:00\",\"text\":\"same minute\",\"tags\":[\"a, b\",\"it's\"]}\n",
            "{\"time\":\"2026-02-22T15:30:00+07:00\",\"text\":\"same minute, other text\",\"sleep\":6.5}\n",
            "broken\n",
        ),
    );
    write(root, "jrnl.txt", "before\n[2026-02-22 09:00] Title. *\ntext\n\n[2026-02-22 09:00] Twin\n---\n");
    write(
        root,
        "my/journal/2026/02/2026-02-22.md",
        "# 2026-02-22\n\n## 09:00\nmood:: calm/3\n\none\n\n## 09:00\n\ntwo\n",
    );
    write(root, "my/entities/Hùng.md", "---\ntype: person\n---\nboss\n");
    write(
        root,
        "old/memory/2026-02-22.md",
        "# Kioku — 2026-02-22\n\n---\ntime: \"2026-02-22T15:30:00.5+07:00\"\ntags: ['x']\n---\nOld.\n\n---\n\nStill old.\n",
    );
    write(root, "notes.txt", "2026-02-22 09:00 One.\n\n2026-02-22 09:00 Two.\n");
    write(root, "table.csv", "date,text,rating\n2026-02-22 09:00,\"One, two.\",4\n2026-02-22 09:00,Twin.,\n");
    write(root, "vault/.obsidian/app.json", "{}");
    write(
        root,
        "vault/daily/2026-02-22 A walk.md",
        "---\naliases: [x]\ntags: [a]\n---\n\nFerry.\r\n\n## 09:00\nSoup.\n",
    );
    write(root, "vault/Ideas.md", "An idea.");
    write(root, "graph/logseq/config.edn", "{}");
    write(root, "graph/logseq/bak/journals/2026_02_22.md", "Old.");
    write(root, "graph/journals/2026_02_22.md", "mood:: calm\nsleep:: 7\n- Met [[Hùng]].\n  collapsed:: true");
    write(root, "dated/20260222.txt", "One.");
    write(
        root,
        "Takeout/Keep/note.json",
        "{\"title\":\"List\",\"isTrashed\":false,\"createdTimestampUsec\":1771725600000000,\"listContent\":[{\"text\":\"Milk\",\"isChecked\":true},{\"text\":\"Tea\",\"isChecked\":false}],\"labels\":[{\"name\":\"home\"}]}",
    );
    write(root, "apple/index.html", "<html></html>");
    write(root, "apple/Entries/2026-02-22.html", APPLE_PAGE);
    crate::agent_stores::claude_mem(&root.join("claude-mem.db"));
    crate::agent_stores::remy(&root.join("remy.db"));
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/journals");
    let own = [
        ("jsonl", "a.jsonl"),
        ("jrnl", "jrnl.txt"),
        ("my-kioku", "my"),
        ("kioku", "old"),
        ("text", "notes.txt"),
        ("csv", "table.csv"),
        ("obsidian", "vault"),
        ("logseq", "graph"),
        ("notes", "dated"),
        ("keep", "Takeout"),
        ("apple-journal", "apple"),
        ("claude-mem", "claude-mem.db"),
        ("remy", "remy.db"),
    ]
    .map(|(format, path)| (format, root.join(path)));
    let foreign = [
        ("dayone", "dayone.zip"),
        ("tui-journal", "tui-journal/entries.db"),
        ("journey", "journey.zip"),
        ("diarium", "diarium.diary"),
        ("daylio", "backup.daylio"),
        ("rednotebook", "rednotebook"),
        ("org", "org"),
    ]
    .map(|(format, path)| (format, samples.join(path)));
    own.into_iter().chain(foreign).collect()
}

#[test]
fn an_org_heading_with_a_timestamp_is_an_entry_and_one_without_a_date_is_reported() {
    let text = "* TODO [2026-04-02 Thu 12:30] call the bank\n* DONE <2026-04-03 Fri> pay rent\n\
                * Meeting with Linh [2026-04-05 Sun 09:15]\nnotes\n** Agenda\n* Ideas without date\nsome idea\n";
    let (entries, losses) = read_text("org", text, None);
    let expected = [
        ("2026-04-02 12:30", "call the bank"),
        ("2026-04-03 12:00", "pay rent"),
        ("2026-04-05 09:15", "# Meeting with Linh\n\nnotes\n** Agenda"),
    ];
    assert_read(&entries, &expected);
    assert_eq!(losses, ["6: no date in the heading, above it in the outline or in the name of the file"]);
}

#[test]
fn an_org_task_with_a_time_is_at_that_time() {
    let text = "* 2026-04-02\n** TODO 13:00 call the bank\n** 14:00 walk\n";
    let (found, _) = read_text("org", text, None);
    assert!(found[0].0.ends_with("13:00") && found[1].0.ends_with("14:00"), "{found:?}");
}

#[test]
fn a_day_of_tui_journal_stays_that_day_in_every_zone() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("entries.json");
    let text = r#"[{"id":0,"date":"2026-03-01T00:00:00Z","title":"A","content":"b","tags":[],"priority":null}]"#;
    fs::write(&path, text).unwrap();
    for zone in ["America/New_York", "Europe/Paris"] {
        let options = ImportOptions::new(TimeZone::get(zone).unwrap());
        let read = importer("tui-journal").unwrap().import(&Source::at(&path), &options).unwrap();
        let entry = &read.entries[0];
        assert!(entry.time.as_ref().unwrap().written.starts_with("2026-03-01T12:00:00"), "{entry:?}");
        assert_eq!(entry.extra, [("undated".to_owned(), "true".to_owned())]);
    }
}

#[test]
fn an_org_heading_that_begins_with_a_date_keeps_its_time_and_text() {
    let text = "* 2026-04-01 Wed 12:30 call the bank\n* 2026-04-02 Thursday holiday in Hue\n** 10:00 breakfast\n\
                ** Ideas\nsome idea\n* 2026-04-03 Friday\n** 08:15 Ran\n#+begin_src\n";
    let (entries, losses) = read_text("org", text, None);
    let expected = [
        ("2026-04-01 12:30", "call the bank"),
        ("2026-04-02 12:00", "holiday in Hue"),
        ("2026-04-02 10:00", "breakfast"),
        ("2026-04-02 12:00", "# Ideas\n\nsome idea"),
        ("2026-04-03 08:15", "# Ran\n\n#+begin_src"),
    ];
    assert_read(&entries, &expected);
    assert!(losses.is_empty(), "{losses:?}");
}

#[test]
fn an_org_date_tree_has_its_entries_below_the_days() {
    let text = "* 2026\n** 2026-04 April\n*** 2026-04-01 Wednesday\n**** A walk\nBy the lake.\n***** deeper\n\
                **** 18:30 Dinner\n*** 2026-04-02 Donnerstag\n**** Rain\n";
    let (entries, losses) = read_text("org", text, None);
    let expected = [
        ("2026-04-01 12:00", "# A walk\n\nBy the lake.\n***** deeper"),
        ("2026-04-01 18:30", "Dinner"),
        ("2026-04-02 12:00", "Rain"),
    ];
    assert_read(&entries, &expected);
    assert!(losses.is_empty(), "{losses:?}");
}

#[test]
fn an_org_day_with_a_weekday_in_any_language_is_no_entry_of_its_own() {
    let (entries, _) = read_text("org", "* 2026-04-02 czwartek\n** 10:00 kawa\n* 2026-04-05 sunny\n", None);
    assert_read(&entries, &[("2026-04-02 10:00", "kawa"), ("2026-04-05 12:00", "sunny")]);
}

#[test]
fn a_table_with_a_date_and_a_time_column_is_read_with_any_separator() {
    for separator in [",", ";", "\t"] {
        let text = "date;time;text\n2026-04-02;9:05;call\n2026-04-03;;rent\n".replace(';', separator);
        let (entries, losses) = read_text("csv", &text, None);
        assert_read(&entries, &[("2026-04-02 09:05", "call"), ("2026-04-03 12:00", "rent")]);
        assert!(losses.is_empty(), "{losses:?}");
    }
    for format in ["%d.%m.%Y", "%d.%m.%Y %H:%M"] {
        let (entries, _) = read_text("csv", "date;time;text\n02.04.2026;12:30;call\n", Some(format));
        assert_read(&entries, &[("2026-04-02 12:30", "call")]);
    }
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "day.csv", "date,text\r\n2026-04-03,rent\r\n2026-04-02 09:05,call\r\n:bad:,x\r\n");
    let read = read("csv", &folder.path().join("day.csv"));
    assert_eq!(read.entries[0].extra, [("undated".to_owned(), "true".to_owned())]);
    assert_eq!(read.entries[1].time.as_ref().unwrap().written, "2026-04-02T09:05:00+07:00");
    assert_eq!((read.entries[1].extra.len(), read.losses[0].line), (0, 4));
    write(folder.path(), "x.csv", "a:b\n1:2\n");
    let source = Source::at(&folder.path().join("x.csv"));
    let error = importer("csv").unwrap().import(&source, &ImportOptions::new(zone())).unwrap_err().to_string();
    assert!(error.contains("separated by commas, semicolons or tabs"), "{error}");
}

#[test]
fn lists_maps_and_links_of_a_head_are_the_same_after_an_export() {
    let head = "mood_other: [\"sad\", \"it's late\"]\nplace: {name: Huế, walks: [1, 2]}\nawake: true\nsleep: 6.5\n\
                up: \"[[Harbour]]\"\ntodo: \"[x] done\"\ntorn: \"[a, b\"\n";
    let home = tempfile::tempdir().unwrap();
    let first = vault(&home.path().join("first"));
    write(
        &home.path().join("first"),
        "memory/2026-02-22.md",
        &format!(
            "# Kioku — 2026-02-22\n\n---\ntime: \"2026-02-22T09:00:00+01:00\"\n{head}id: \"aaaaaaaaaa\"\n---\nText.\n"
        ),
    );
    for format in ["jsonl", "csv", "org"] {
        let (file, to) = (home.path().join("out").with_extension(format), home.path().join(format));
        let mut out = Vec::new();
        (exporter(format).unwrap().document)(&entries(&first), &mut out).unwrap();
        fs::write(&file, out).unwrap();
        vault(&to).append_all(read(format, &file).entries).unwrap();
        let written = fs::read_to_string(to.join("memory/2026-02-22.md")).unwrap();
        for line in head.lines() {
            assert!(written.lines().any(|known| known == line), "{format}: {line} in {written}");
        }
    }
}

#[test]
fn csv_keeps_nul_characters_line_endings_and_outer_spaces() {
    let home = tempfile::tempdir().unwrap();
    let vault = vault(&home.path().join("journal"));
    let source = home.path().join("in.jsonl");
    fs::write(&source, r#"{"time":"2026-02-22T08:30:00Z","text":"  a\u0000b\r\n\"c\" by the lake  \n "}"#).unwrap();
    vault.append_all(read("jsonl", &source).entries).unwrap();
    let stored = entries(&vault);
    assert_eq!(stored[0].body, "  a\0b\r\n\"c\" by the lake  \n ");
    for (format, is_exact) in [("csv", true), ("jrnl", false)] {
        let mut out = Vec::new();
        (exporter(format).unwrap().document)(&stored, &mut out).unwrap();
        let (back, _) = read_text(format, std::str::from_utf8(&out).unwrap(), None);
        assert!(back.len() == 1 && back[0].1.contains("a\0b"), "{format}: {back:?}");
        assert!(!is_exact || back[0].1 == stored[0].body, "{format}: {back:?}");
    }
}

#[test]
fn a_line_of_a_text_with_a_date_that_does_not_exist_is_reported() {
    let (entries, losses) = read_text("text", "01.04.2026 One.\n30.02.2026 Two.\n3 more\n", Some("%d.%m.%Y"));
    assert_read(&entries, &[("2026-04-01 12:00", "One.\n30.02.2026 Two.\n3 more")]);
    assert_eq!(losses[0], "2: line 2 looks like the start of an entry, but \"30.02.2026\" is no date");
}

#[test]
fn a_date_alone_on_its_line_begins_an_entry_of_a_text() {
    let text = "2026-01-05\nA\n\n# Tuesday, January 6, 2026\nB, since\n- 2026-01-01\n2026-01-02 was cold.\n\n2026-01-07 21:30\nC\n\n\
                January 8, 2026, 9 pm:\nD\n2026-02-30\n";
    let (entries, losses) = read_text("text", text, None);
    assert_read(
        &entries,
        &[
            ("2026-01-05 12:00", "A"),
            ("2026-01-06 12:00", "B, since\n- 2026-01-01\n2026-01-02 was cold."),
            ("2026-01-07 21:30", "C"),
            ("2026-01-08 21:00", "D\n2026-02-30"),
        ],
    );
    let no_time = "no time, kept at noon with undated: true";
    let no_day = "line 14 looks like the start of an entry, but \"2026-02-30\" is no date";
    assert_eq!(losses, [format!("14: {no_day}"), format!("1: {no_time}"), format!("4: {no_time}")]);
}

#[test]
fn a_text_with_unquoted_commas_is_whole_and_reported() {
    let (entries, losses) =
        read_text("csv", "date,text\n2026-01-05,I ate bread, cheese and ham\n2026-01-06,x,,\n", None);
    assert_read(&entries, &[("2026-01-05 12:00", "I ate bread, cheese and ham"), ("2026-01-06 12:00", "x")]);
    assert_eq!(losses, ["2: more cells than columns: the rest is joined to the last column"]);
}

#[test]
fn tags_flags_and_lines_of_other_columns_of_a_table_are_kept_or_reported() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "own.csv", "id,time,day,mood,tags,event_time,text\nx,2026-01-05T10:00:00Z,,,#e | b,,Text.\n");
    assert_eq!(read("csv", &folder.path().join("own.csv")).entries[0].tags, ["#e", "b"]);
    write(folder.path(), "flags.csv", "date,text,undated,place\n2026-01-05,x,false,\"a\nb\"\n");
    let flags = read("csv", &folder.path().join("flags.csv"));
    assert_eq!(flags.entries[0].extra, [("undated", "true"), ("place", "a b")].map(|(a, b)| (a.into(), b.into())));
    assert_eq!(flags.losses[0].message, "the lines of `place` become one");
}

#[test]
fn a_date_format_without_a_time_makes_undated_entries() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "t.txt", "05.01.2026\nbody\n");
    let options = ImportOptions { time_format: Some("%d.%m.%Y".to_owned()), ..ImportOptions::new(zone()) };
    let read = importer("text").unwrap().import(&Source::at(&folder.path().join("t.txt")), &options).unwrap();
    assert_eq!(read.entries[0].extra, [("undated".to_owned(), "true".to_owned())]);
    assert_eq!(read.losses[0].message, "no time, kept at noon with undated: true");
}

#[test]
fn title_and_tags_of_an_org_file_are_kept_or_reported() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "20260105.org", "#+title: A trip to Huế\n#+FILETAGS: :daily:travel:\n#+author: me\n\nbody\n");
    write(folder.path(), "20260106.org", "#+title: 2026-01-06\n#+filetags: :daily:\n\n* 09:30 Soup\n");
    write(folder.path(), "20260107.org", "#+begin_quote\nText.\n#+end_quote\n");
    let read = read("org", folder.path());
    let texts: Vec<(&str, &[String])> = read.entries.iter().map(|new| (new.body.as_str(), &new.tags[..])).collect();
    assert_eq!(texts[0], ("# A trip to Huế\n\nbody", &["daily".to_owned(), "travel".to_owned()][..]));
    assert_eq!(texts[1], ("Soup", &["daily".to_owned()][..]));
    assert_eq!((texts[2].0, texts.len()), ("#+begin_quote\nText.\n#+end_quote", 3));
    assert_eq!(read.not_kept.into_iter().collect::<Vec<_>>(), [("#+author".to_owned(), 1)]);
}

#[test]
fn scales_of_daylio_and_places_of_diarium_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "daylio.csv",
        "full_date,date,weekday,time,mood,activities,scales,note_title,note\n2026-01-05,x,Monday,09:30,good,walk,Stress: 3 | Sleep: 7,,Text.\n",
    );
    let scales = [("Stress", "3"), ("Sleep", "7")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(read("daylio", &folder.path().join("daylio.csv")).entries[0].extra, scales);
    let extra = |location: &str| {
        let entry = format!(r#"[{{"date":"2026-01-05T21:15:00","html":"<p>B</p>","location":{location}}}]"#);
        write(folder.path(), "diarium.json", &entry);
        let read = read("diarium", &folder.path().join("diarium.json"));
        assert!(read.not_kept.is_empty(), "{:?}", read.not_kept);
        read.entries[0].extra.iter().map(|(key, value)| format!("{key}: {value}")).collect::<Vec<_>>()
    };
    assert_eq!(extra(r#""Paris""#), ["location: Paris"]);
    let at = "coordinates: 48.85000, 2.35000";
    assert_eq!(extra(r#"{"name":"Paris","latitude":48.85,"longitude":2.35}"#), ["location: Paris", at]);
    assert_eq!(extra("[48.85,2.35]"), [at]);
}

#[test]
fn day_one_takes_and_gives_back_backslashes_zones_and_days_without_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Journal.json");
    let code = "```\nsed \"s/\\./x/\"\n```\n`a\\.b` and \\(y\\) \\\\. ก\u{200b}ข";
    let given = [
        ("2026-01-06T02:00:00+05:30", code),
        ("2026-01-06T02:00:00-03:30", "Newfoundland"),
        ("2026-01-06T02:00:00+09:00", "Tokyo"),
        ("2026-01-07", "Undated"),
    ];
    let lines = given.map(|(time, text)| serde_json::json!({"time": time, "text": text}).to_string());
    write(folder.path(), "a.jsonl", &lines.join("\n"));
    let vault = vault(&folder.path().join("journal"));
    vault.append_all(read("jsonl", &folder.path().join("a.jsonl")).entries).unwrap();
    let mut out = Vec::new();
    (exporter("dayone").unwrap().document)(&entries(&vault), &mut out).unwrap();
    fs::write(&file, &out).unwrap();
    let back = read("dayone", &file);
    for (time, text) in given {
        let entry = back.entries.iter().find(|entry| entry.body == text).unwrap_or_else(|| panic!("{text}: {back:?}"));
        assert!(entry.time.as_ref().unwrap().written.starts_with(time), "{entry:?}");
        assert_eq!(entry.extra.iter().any(|(key, _)| key == "undated"), text == "Undated");
    }
    assert!(back.losses.is_empty(), "{:?}", back.losses);
    let foreign = r#"{"entries":[{"creationDate":"2026-05-01T20:00:00Z","timeZone":"GMT+0530",
        "text":"One\\. \u200b`a\\.b`\n\n![](dayone-moment:\/\/GONE)"}]}"#;
    fs::write(&file, foreign).unwrap();
    let read = read("dayone", &file);
    assert_eq!(read.entries[0].time.as_ref().unwrap().written, "2026-05-02T01:30:00+05:30");
    assert_eq!(read.entries[0].body, "One. `a\\.b`\n\n![](dayone-moment://GONE)");
    assert_eq!(
        read.losses.iter().map(|loss| &*loss.message).collect::<Vec<_>>(),
        ["\"dayone-moment GONE\" is missing in the source"]
    );
}

/// Every file below a folder with its bytes.
fn bytes_below(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for item in fs::read_dir(root).unwrap() {
        let path = item.unwrap().path();
        if path.is_dir() {
            found.extend(bytes_below(&path));
        } else {
            found.insert(path.clone(), fs::read(path).unwrap());
        }
    }
    found
}

#[test]
fn importing_twice_adds_nothing_and_the_source_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let sources = sources(folder.path());
    assert_eq!(sources.len(), IMPORTERS.len(), "a source for every format");
    let before = bytes_below(folder.path());
    for (format, path) in &sources {
        let home = tempfile::tempdir().unwrap();
        let vault = vault(home.path());
        let imported = read(format, path);
        let count = imported.entries.len();
        assert_eq!(vault.append_all(imported.entries.clone()).unwrap().added.len(), count, "{format}");
        let again = vault.append_all(read(format, path).entries).unwrap();
        assert_eq!((again.added.len(), again.known, again.differing.len()), (0, count, 0), "{format}");
        assert_stands(&imported.entries, &entries(&vault), format);
    }
    assert_eq!(bytes_below(folder.path()), before);
}

/// Every imported entry is in the vault, verbatim.
fn assert_stands(given: &[NewEntry], stored: &[Entry], format: &str) {
    assert_eq!(given.len(), stored.len(), "{format}");
    for new in given {
        let found = stored.iter().find(|entry| entry.body == new.body).unwrap_or_else(|| panic!("{format}: {new:?}"));
        assert_eq!(Some(&found.time), new.time.as_ref(), "{format}");
        assert_eq!((&found.mood, &found.tags, &found.event_time), (&new.mood, &new.tags, &new.event_time), "{format}");
        assert_eq!(found.extra, new.extra, "{format}");
        if let Some(id) = &new.id {
            assert_eq!(found.id.as_str(), id, "{format}");
        }
    }
}

#[test]
fn an_entry_changed_since_is_reported_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let vault = vault(folder.path());
    let source = folder.path().join("a.jsonl");
    fs::write(&source, "{\"id\":\"one\",\"time\":\"2026-02-22T08:30:00Z\",\"text\":\"first\"}\n").unwrap();
    vault.append_all(read("jsonl", &source).entries).unwrap();
    fs::write(&source, "{\"id\":\"one\",\"time\":\"2026-02-22T08:30:00Z\",\"text\":\"second\"}\n").unwrap();
    let again = vault.append_all(read("jsonl", &source).entries).unwrap();
    assert_eq!(again.differing.iter().map(|id| id.as_str()).collect::<Vec<_>>(), ["one"]);
    assert_eq!(entries(&vault)[0].body, "first");
}

#[test]
fn the_demo_moves_out_and_in_without_loss() {
    let home = tempfile::tempdir().unwrap();
    demo::write_demo(&home.path().join("demo")).unwrap();
    let demo = vault(&home.path().join("demo"));
    let export = |entries: &[Entry]| {
        let mut out = Vec::new();
        (exporter("jsonl").unwrap().document)(entries, &mut out).unwrap();
        out
    };
    let out = export(&entries(&demo));
    let file = home.path().join("demo.jsonl");
    fs::write(&file, &out).unwrap();
    let imported = read("jsonl", &file);
    assert!(imported.losses.is_empty() && imported.not_kept.is_empty(), "{:?}", imported.losses);
    let back = demo.append_all(imported.entries.clone()).unwrap();
    assert_eq!((back.added.len(), back.differing.len()), (0, 0), "into the journal it came from");
    let copy = vault(&home.path().join("copy"));
    copy.append_all(imported.entries).unwrap();
    assert_eq!(String::from_utf8(export(&entries(&copy))).unwrap(), String::from_utf8(out).unwrap());
}

#[test]
fn readable_markdown_holds_every_text() {
    let home = tempfile::tempdir().unwrap();
    demo::write_demo(home.path()).unwrap();
    let entries = entries(&vault(home.path()));
    let pages = (exporter("md").unwrap().folder.unwrap())(&entries);
    for entry in &entries {
        let page = pages.iter().find(|(name, _)| *name == format!("{}.md", entry.day)).unwrap();
        assert!(page.1.contains(entry.body.trim_end()), "{}", entry.id);
    }
    // An EPUB is compressed; its own test opens it.
    for format in EXPORTERS.iter().filter(|format| format.name != "epub") {
        let mut out = Vec::new();
        (format.document)(&entries, &mut out).unwrap();
        assert!(out.len() > entries.iter().map(|entry| entry.body.len()).sum::<usize>(), "{}", format.name);
    }
}

#[test]
fn a_missing_source_is_an_error_with_its_path() {
    for format in IMPORTERS {
        let error = (format.read)(&Source::at(Path::new("/no/such/journal")), &ImportOptions::new(zone())).unwrap_err();
        assert!(error.to_string().contains("/no/such/journal"), "{}: {error}", format.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// For any file, every importer returns entries or an error.
    #[test]
    fn no_file_makes_an_importer_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400), text in "(---|## 09:00|\\[2026-01-02 10:00\\] |time: \"2026-01-02T10:00\"|\\{\"time\":|\\PC{0,9}|\n){0,20}") {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("2026-01-02.md"), &bytes).unwrap();
        write(folder.path(), "journal/2026/01/2026-01-02.md", &text);
        write(folder.path(), "entities/Name.md", &text);
        write(folder.path(), "memory/2026-01-02.md", &text);
        write(folder.path(), "2026/01/02.txt", &text);
        write(folder.path(), "20260102", &text);
        write(folder.path(), "2026-01.txt", &text);
        write(folder.path(), "a.json", &format!("[{{\"date\": {text:?}, \"tags\": 1, \"dayEntries\": [1]}}, {}]", text.len()));
        for format in IMPORTERS {
            for path in [folder.path().to_path_buf(), folder.path().join("2026-01-02.md"), folder.path().join("memory/2026-01-02.md"), folder.path().join("a.json")] {
                let _ = (format.read)(&Source::at(&path), &ImportOptions::new(zone()));
            }
        }
    }
}
