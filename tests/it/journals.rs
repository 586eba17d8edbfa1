//! Journals of other programs, written by those programs or after their published samples, through the real binary.

use std::{fs, path::Path};

use serde_json::{Value, json};

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
    let would = kioku.run(&["import", "auto", &path, "--dry-run"]).ok();
    assert!(would.contains("would be read") && would.contains(": 0 added"), "{would}");
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
        // Blanks are a part of a password.
        for wrong in [&b"wrong\n"[..], b" correct horse\n", b"correct horse \n"] {
            let told = kioku.piped(&["import", "jrnl", &path, "--password-stdin"], wrong).fails(1);
            assert!(told.contains("wrong password"), "{version}: {told}");
        }
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
    assert!(
        told.contains("not recognised") && told.contains("`text`") && told.contains("kioku import --help"),
        "{told}"
    );
    let told = kioku.run(&["import", "foo", &kioku.path("absent")]).fails(2);
    assert!(told.contains("unknown format `foo`") && told.contains("formats: auto"), "{told}");
    assert!(kioku.run(&["import", "auto", &kioku.path("absent")]).fails(1).contains("absent"));
}

#[test]
fn a_folder_of_which_nothing_can_be_read_is_a_failure() {
    let kioku = Kioku::new();
    kioku.write("folder/readme", "Words.");
    for format in ["dayone", "journey", "diarium", "rednotebook", "org", "jrnl", "my-kioku"] {
        kioku.run(&["import", format, &kioku.path("folder")]).fails(1);
        kioku.run(&["import", format, &kioku.path("folder"), "--dry-run"]).fails(1);
    }
}

#[test]
fn a_format_is_named_where_another_was_asked_for() {
    let kioku = Kioku::new();
    for (name, format) in [
        ("dayone.zip", "dayone"),
        ("dayone", "dayone"),
        ("journey.zip", "journey"),
        ("diarium.json", "diarium"),
        ("diarium.diary", "diarium"),
        ("daylio.csv", "daylio"),
        ("backup.daylio", "daylio"),
        ("rednotebook", "rednotebook"),
        ("org", "org"),
        ("tui-journal/entries.json", "tui-journal"),
        ("tui-journal/entries.db", "tui-journal"),
    ] {
        let other = if format == "dayone" { "jrnl" } else { "dayone" };
        let told = kioku.run(&["import", other, &sample(name)]).fails(1);
        assert!(told.contains(&format!("`kioku import {format}")), "{name}: {told}");
    }
    let truncated = fs::read(sample("dayone.zip")).unwrap();
    let path = kioku.path("cut.zip");
    fs::write(&path, &truncated[..truncated.len() / 2]).unwrap();
    assert!(kioku.run(&["import", "dayone", &path]).fails(1).contains("cut.zip"));
}

/// Entry, field by field: time, text, mood, tags, extra keys.
fn fields(entry: &Value) -> (&str, &str, &Value, &Value, &Value) {
    let text = |key: &str| entry[key].as_str().unwrap();
    (text("time"), text("text"), &entry["mood"], &entry["tags"], &entry["extra"])
}

/// A dry run's messages.
fn losses(format: &str, name: &str) -> String {
    Kioku::new().run(&["import", format, &sample(name), "--dry-run"]).err
}

#[test]
fn a_day_one_export_keeps_zone_place_weather_and_star() {
    let entries = imported("dayone", "dayone.zip");
    assert_eq!(imported("dayone", "dayone"), entries);
    assert_eq!(imported("dayone", "dayone/Journal.json"), entries);
    let (time, text, _, tags, extra) = fields(&entries[0]);
    assert_eq!(time, "2026-08-08T06:30:00+07:00", "the day of the writer");
    assert_eq!(text, "# By the lake\n\nIt was calm. Linh laughed!\n\n![](dayone-moment://11AA)");
    assert_eq!(*tags, json!(["walk", "Linh"]));
    assert_eq!(
        *extra,
        json!({"star": "true", "location": "Hoàn Kiếm, Hà Nội, Vietnam", "coordinates": "21.02850, 105.85420",
               "weather": "Partly Cloudy", "temperature": "31.4", "activity": "Walking", "steps": "5210"})
    );
    assert_eq!((entries[1]["text"].as_str(), entries.len()), (Some("## A heading\nOnly rich text."), 2));
    let kioku = Kioku::new();
    let export = fs::read(sample("dayone/Journal.json")).unwrap();
    for (name, bytes) in [("Work", &export[..]), ("Travel", &export)] {
        fs::create_dir_all(kioku.path("several")).unwrap();
        fs::write(kioku.path(&format!("several/{name}.json")), bytes).unwrap();
    }
    kioku.run(&["import", "dayone", &kioku.path("several")]).ok();
    assert_eq!(self::entries(&kioku)[0]["extra"]["journal"], "Travel");
    let told = losses("dayone", "dayone.zip");
    assert!(
        told.contains("Journal.json:1: uncertain: \"photo of the entry 2026-08-07T23:30:00Z\" is missing"),
        "{told}"
    );
    assert!(told.contains("no valid time"), "{told}");
}

#[test]
fn the_three_forms_of_tui_journal_give_the_same_entries() {
    let entries = imported("tui-journal", "tui-journal/entries.json");
    assert_eq!(imported("tui-journal", "tui-journal/export.json"), entries);
    assert_eq!(imported("tui-journal", "tui-journal/entries.db"), entries);
    let (time, text, _, tags, extra) = fields(&entries[0]);
    assert_eq!((time, text), ("2026-08-07T21:00:00+02:00", "# By the lake\n\nIt was calm.\nThe water was still."));
    assert_eq!((tags, extra), (&json!(["walk", "Linh"]), &json!({"priority": "2"})));
    assert_eq!(entries.len(), 2);
}

#[test]
fn a_database_that_its_program_is_writing_is_refused() {
    let kioku = Kioku::new();
    let path = kioku.path("entries.db");
    fs::copy(sample("tui-journal/entries.db"), &path).unwrap();
    fs::write(kioku.path("entries.db-wal"), "pages").unwrap();
    assert!(kioku.run(&["import", "tui-journal", &path]).fails(1).contains("close the program"));
    fs::remove_file(kioku.path("entries.db-wal")).unwrap();
    let before = fs::read_dir(kioku.home.path()).unwrap().count();
    kioku.run(&["import", "tui-journal", &path, "--dry-run"]).ok();
    assert_eq!(fs::read_dir(kioku.home.path()).unwrap().count(), before, "nothing is written beside it");
}

#[test]
fn journey_and_diarium_texts_become_markdown() {
    let journey = imported("journey", "journey.zip");
    let (time, text, _, tags, extra) = fields(&journey[0]);
    let photo = "![](attachments/6e568e1f67fba258-photo.jpg)";
    let wanted = format!("By the **lake** & calm.\n\nSecond paragraph.\n\n{photo}");
    assert_eq!((time, text), ("2026-08-08T02:00:00+07:00", wanted.as_str()));
    assert_eq!(*tags, json!(["walk"]));
    assert_eq!(
        (&extra["star"], &extra["journey_mood"], &extra["coordinates"]),
        (&json!("true"), &json!("2"), &Value::Null)
    );
    assert_eq!(fields(&journey[1]).1, "Plain text, as older versions wrote it.");
    assert_eq!(journey[1]["extra"]["coordinates"], "21.02850, 105.85420");

    let diarium = imported("diarium", "diarium.json");
    let (time, text, _, _, extra) = fields(&diarium[0]);
    assert_eq!((time, text), ("2026-08-07T21:00:00+02:00", "# By the lake\n\nIt was *calm*."));
    assert_eq!(extra["rating"], "4");
    let database = imported("diarium", "diarium.diary");
    assert_eq!(fields(&database[0]).1, text);
    assert_eq!((fields(&database[0]).0, fields(&database[1]).0), (time, "2026-08-08T09:30:00+02:00"));
}

#[test]
fn daylio_moods_and_activities_are_kept_also_without_a_note() {
    let table = imported("daylio", "daylio.csv");
    let (time, text, mood, tags, _) = fields(&table[0]);
    assert_eq!((time, mood, tags), ("2026-08-07T21:00:00+02:00", &json!("good"), &json!(["walk", "friends"])));
    assert!(
        text.starts_with("# By the lake\n\nIt was calm, with \"quotes\".") && text.ends_with("Second line."),
        "{text}"
    );
    assert_eq!((fields(&table[1]).1, &table[1]["mood"]), ("", &json!("meh")));
    let backup = imported("daylio", "backup.daylio");
    let (time, text, mood, tags, extra) = fields(&backup[0]);
    assert_eq!((time, text), ("2026-08-07T21:00:00+02:00", "# By the lake\n\nIt was calm."));
    assert_eq!((mood, tags, &extra["star"]), (&json!("content"), &json!(["walk"]), &json!("true")));
    assert_eq!(backup[1]["mood"], "rad");
}

#[test]
fn red_notebook_days_become_markdown_at_noon() {
    let entries = imported("rednotebook", "rednotebook");
    let (time, text, _, tags, extra) = fields(&entries[0]);
    assert_eq!(time, "2026-08-07T12:00:00+02:00");
    assert_eq!(text, "By the **lake** with *calm* water. #walk\n### Later\nSee [the map](https://example.org/a//b).");
    assert_eq!((tags, &extra["undated"]), (&json!(["walk"]), &json!("true")));
    let texts: Vec<&str> = entries.iter().map(|entry| fields(entry).1).collect();
    let (trip, idea) = ("Tiếng Việt: trời đẹp.\n\nIdeas:: A trip", "Rain.\n\nIdeas:: Invent a machine");
    assert_eq!(texts[1..], [trip, "One line of September.", "", idea]);
    let (_, _, mood, tags, _) = fields(&entries[3]);
    assert_eq!((mood, tags), (&json!("good"), &json!(["Movie", "2026"])));
    assert!(!losses("rednotebook", "rednotebook").contains("not kept"));
    assert_eq!(imported("rednotebook", "rednotebook/2026-09.txt").len(), 3);
}

#[test]
fn org_headings_with_a_time_are_entries() {
    let entries = imported("org", "org");
    let shown: Vec<(&str, &str)> = entries.iter().map(|entry| (fields(entry).0, fields(entry).1)).collect();
    assert_eq!(
        shown,
        [
            ("2026-08-07T21:00:00+02:00", "# By the lake\n\nIt was calm.\n* no heading"),
            ("2026-08-07T22:15:00+02:00", "# Later\n\nSecond."),
            ("2026-08-08T09:30:00+02:00", "# Morning\n\nThird.\n*** a deeper heading stays"),
            ("2026-08-08T12:00:00+02:00", "Text of the day without a time."),
        ]
    );
    assert_eq!((&entries[0]["tags"], &entries[1]["id"]), (&json!(["walk"]), &json!("abc-123")));
    assert_eq!(entries[3]["extra"]["undated"], "true");
}

#[test]
fn a_folder_of_org_files_named_after_days_is_recognised() {
    let kioku = Kioku::new();
    for (day, heading) in
        [("20260807", "* 2026-08-07\n** 09:30 By the lake\n"), ("20260808", ":PROPERTIES:\n:END:\nRain.\n")]
    {
        kioku.write(&format!("org/{day}.org"), heading);
    }
    let ran = kioku.run(&["import", "auto", &kioku.path("org")]);
    assert!(ran.err.contains("format: org") && ran.out.contains("2 added"), "{ran:?}");
}

#[test]
fn plain_text_is_cut_at_its_dates() {
    let kioku = Kioku::new();
    let arguments = ["import", "text", &sample("dated.txt"), "--time-format", "%d.%m.%Y %H:%M"];
    let ran = kioku.run(&arguments);
    assert!(ran.out.contains("2 added") && ran.err.contains("text above the first date"), "{ran:?}");
    assert!(kioku.run(&arguments).ok().contains(": 0 added, 2 already known"));
    let entries = entries(&kioku);
    assert_eq!(
        (fields(&entries[0]).0, fields(&entries[0]).1),
        ("2026-08-07T21:00:00+02:00", "By the lake.\nIt was calm.")
    );
    assert_eq!(fields(&entries[1]).1, "Morning.");
    let told = kioku.run(&["import", "text", &sample("dated.txt")]).fails(1);
    assert!(told.contains("dated.txt:3: \"07.08.2026 21:00\" could mean two days"), "{told}");
    assert!(told.contains("--time-format '%d/%m/%Y %H:%M'"), "{told}");
}

#[test]
fn dates_of_vietnamese_and_german_texts_begin_entries() {
    let kioku = Kioku::new();
    let texts = [
        ("vi.txt", "## Thứ hai, ngày 3 tháng 2 năm 2025\nPhở.\n\nngày 4/2/2025\nBún.\nNăm 2024 vui.\n"),
        ("de.txt", "Montag, den 3. März 2025\nKuchen.\n\n04.03.2025\nAm 5. März war Regen.\n25.03.2025\nSonne.\n"),
    ];
    for (name, text) in texts {
        std::fs::write(kioku.path(name), text).unwrap();
        kioku.run(&["import", "text", &kioku.path(name)]).ok();
    }
    let entries = entries(&kioku);
    let read: Vec<_> = entries.iter().map(|entry| (&fields(entry).0[..10], fields(entry).1)).collect();
    let vietnamese = [("2025-02-03", "Phở."), ("2025-02-04", "Bún.\nNăm 2024 vui.")];
    assert_eq!(read[..2], vietnamese);
    let german = [("2025-03-03", "Kuchen."), ("2025-03-04", "Am 5. März war Regen."), ("2025-03-25", "Sonne.")];
    assert_eq!(read[2..], german);
    std::fs::write(kioku.path("two.txt"), "2025-04-01 09:00 One.\n3/4/2025\nTwo.\n").unwrap();
    let ran = kioku.run(&["import", "text", &kioku.path("two.txt")]);
    assert!(
        ran.out.contains("1 added") && ran.err.contains("two.txt:2: uncertain: a date that could mean two days"),
        "{ran:?}"
    );
}

#[test]
fn a_journal_of_red_notebook_in_markdown_stays_as_it_is() {
    let kioku = Kioku::new();
    std::fs::create_dir(kioku.path("data")).unwrap();
    std::fs::write(kioku.path("data/2026-10.txt"), "1: {text: \"+ one\\n+ two --all --now // a // b\"}\n").unwrap();
    std::fs::write(kioku.path("data/journal.cfg"), "markup=markdown\n").unwrap();
    for path in ["data", "data/2026-10.txt"] {
        kioku.run(&["import", "rednotebook", &kioku.path(path)]).ok();
        assert_eq!(fields(&entries(&kioku)[0]).1, "+ one\n+ two --all --now // a // b");
    }
    assert_eq!(entries(&kioku).len(), 1);
}

/// Entries that are hard for a text format: rules, brackets, headings, commas, quotes, several lines.
const DIFFICULT: &str = concat!(
    "{\"id\":\"one\",\"time\":\"2026-02-22T08:30:05+07:00\",\"mood\":\"calm\",\"tags\":[\"a, b\",\"it's\"],\"event_time\":\"2026-02\",\"text\":\"Met Hùng.\\n---\\ntime: 10:00 dentist\\n\\n* a list\\n\\\"quoted\\\", with commas\",\"extra\":{\"star\":\"true\",\"sleep\":\"6.5\"}}\n",
    "{\"id\":\"two\",\"time\":\"2026-02-22T15:30:00+07:00\",\"text\":\"# Title\\n\\n** not a heading\\n:PROPERTIES:\\n#+begin\\n,* comma\\n[2020-01-01 10:00] no entry\"}\n",
    "{\"id\":\"three\",\"time\":\"2026-02-23T15:30:00Z\",\"tags\":[\"walk\"],\"text\":\"Tiếng Việt: <b>trời</b> đẹp & xanh.\"}\n",
);

#[test]
fn a_table_and_an_org_file_hold_everything() {
    let kioku = Kioku::new();
    kioku.piped(&["import", "jsonl", "-"], DIFFICULT.as_bytes()).ok();
    let before = entries(&kioku);
    for (format, name) in [("csv", "out.csv"), ("org", "out.org"), ("jsonl", "out.jsonl")] {
        let file = kioku.path(name);
        kioku.run(&["export", format, "--out", &file]).ok();
        assert!(kioku.run(&["export", format, "--out", &file]).fails(1).contains("already exists"), "{format}");
        let fresh = Kioku::new();
        let told = fresh.run(&["import", "auto", &file]);
        assert!(told.out.contains("3 added") && told.out.contains("0 with losses"), "{format}: {told:?}");
        assert_eq!(entries(&fresh), before, "{format}");
    }
}

#[test]
fn what_came_from_jrnl_and_day_one_goes_back_unchanged() {
    for (format, name) in [("jrnl", "jrnl/plain.txt"), ("dayone", "dayone.zip")] {
        let kioku = Kioku::new();
        kioku.run(&["import", format, &sample(name)]).ok();
        let before = entries(&kioku);
        let file = kioku.path("out");
        kioku.run(&["export", format, "--out", &format!("{file}.x")]).ok();
        let fresh = Kioku::new();
        fresh.run(&["import", "auto", &format!("{file}.x")]).ok();
        let mut after = entries(&fresh);
        assert_eq!(after.len(), before.len(), "{format}");
        for (after, before) in after.iter_mut().zip(&before) {
            if format == "dayone" {
                let at = |entry: &Value| entry["time"].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
                assert_eq!((at(after), &after["text"], &after["tags"]), (at(before), &before["text"], &before["tags"]));
                assert_eq!(
                    (&after["id"], &after["extra"]["coordinates"]),
                    (&before["id"], &before["extra"]["coordinates"])
                );
            } else {
                assert_eq!(after, before);
            }
        }
    }
    let kioku = Kioku::new();
    kioku.piped(&["import", "jsonl", "-"], DIFFICULT.as_bytes()).ok();
    let text = kioku.run(&["export", "jrnl"]).ok();
    assert!(text.starts_with("[2026-02-22 08:30:05] Met Hùng. *\n") && text.contains("\n#a,-b #it's\n"), "{text}");
    assert!(kioku.piped(&["--journal", "copy", "import", "jrnl", "-"], text.as_bytes()).ok().contains("3 added"));
}

#[test]
fn the_book_is_one_page_that_loads_nothing() {
    let kioku = Kioku::new();
    kioku.piped(&["import", "jsonl", "-"], DIFFICULT.as_bytes()).ok();
    kioku.add(&[
        "--at",
        "2025-12-31 23:00",
        "With @Hùng at [[Lake Tây]]. Dose 1*5mg am, 2*5mg pm. ![a cat](https://example.org/cat.png) <script>x</script> [bad](javascript:x)",
    ]);
    let page = kioku.run(&["export", "html"]).ok();
    assert!(page.contains("Dose 1*5mg am, 2*5mg pm."));
    assert!(
        page.contains("<h2>2025</h2>")
            && page.contains("<h2>2026</h2>")
            && page.contains("<title>Journal 2025–2026</title>")
    );
    assert!(page.contains("<h3>Sunday 22 February 2026</h3>") && page.contains("calm · #a, b"));
    for loaded in ["<script", "<img", "src=", "javascript:", "<link", "@import", "<b>"] {
        assert!(!page.contains(loaded), "{loaded}: {page}");
    }
    assert!(page.contains("&lt;b&gt;trời&lt;/b&gt; đẹp &amp; xanh."), "{page}");
    let index = page.split_once("id=\"names\"").unwrap().1;
    assert!(index.contains("Hùng: <a href=\"#e0\">2025-12-31</a>"), "{index}");
    for link in
        page.split("href=\"#").skip(1).map(|rest| rest.split_once('"').unwrap().0).filter(|link| !link.is_empty())
    {
        assert!(page.contains(&format!("id=\"{link}\"")), "{link}");
    }
    for element in ["section", "article", "ul", "nav", "header", "p"] {
        let count = |mark: String| page.matches(&mark).count();
        let opened = count(format!("<{element}>")) + count(format!("<{element} "));
        assert_eq!(opened, count(format!("</{element}>")), "{element}");
    }
}
