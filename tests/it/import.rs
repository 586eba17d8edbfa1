//! `kioku import`: sources of the wrong format, unreadable sources, and sources of several people. The real binary.

use std::{fs, path::Path};

use crate::cli::Kioku;

fn put(kioku: &Kioku, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = kioku.home.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

fn is_untouched(kioku: &Kioku) -> bool {
    !kioku.journal().exists()
}

#[test]
fn import_refuses_a_source_of_another_format_and_names_the_way_in() {
    let kioku = Kioku::new();
    let fernet = format!("gAAAAABo{}==", "Zm9vLWJhcl9iYXo0".repeat(20));
    let encrypted = put(&kioku, "encrypted.jrnl", fernet);
    let old = put(&kioku, "old.jrnl", (0..200u32).map(|n| (n * 167 % 256) as u8).collect::<Vec<_>>());
    let json = put(
        &kioku,
        "jrnl.json",
        "{\n  \"tags\": {},\n  \"entries\": [\n    {\"title\": \"A walk\", \"body\": \"x\", \"date\": \"2026-02-22\"}\n  ]\n}\n",
    );
    let list = put(&kioku, "list.json", "[{\"time\": \"2026-02-22T09:00:00Z\", \"text\": \"x\"}]");
    let yaml = put(
        &kioku,
        "jrnl.yaml.md",
        "---\ntitle: A walk\ndate: 2026-02-22 09:00\nstarred: False\ntags: a\nbody: |\n    x\n...\n",
    );
    let lines = put(&kioku, "lines.jsonl", "{\"time\": \"2026-02-22T09:00:00Z\", \"text\": \"x\"}\n");
    let day = put(&kioku, "2026-02-22.md", "---\ntime: \"2026-02-22T09:00:00Z\"\n---\nText.\n");
    let text = put(&kioku, "jrnl.txt", "[2026-02-22 09:00] A walk.\nBy the lake.\n");
    let cut = put(&kioku, "cut.zip", &zipped(&[("Journal.json", "{}")])[..40]);
    for (format, path, what, hint) in [
        ("jsonl", &encrypted, "this is an encrypted jrnl file", "asks for its password"),
        ("jrnl", &old, "this is not text", "decrypt it first"),
        ("jsonl", &json, "a JSON export of jrnl", "kioku import jrnl"),
        ("jsonl", &list, "a JSON document", "jq -c"),
        ("jrnl", &list, "a JSON document", "jq -c"),
        ("kioku", &yaml, "a YAML export of jrnl", "kioku import jrnl"),
        ("jrnl", &lines, "one JSON object per line", "kioku import jsonl"),
        ("kioku", &lines, "one JSON object per line", "kioku import jsonl"),
        ("jsonl", &day, "a day file of Kioku", "kioku import kioku"),
        ("my-kioku", &day, "a day file of Kioku", "kioku import kioku"),
        ("kioku", &text, "a jrnl text file", "kioku import jrnl"),
        ("dayone", &cut, "an incomplete or damaged zip archive", "download it again"),
    ] {
        let told = kioku.run(&["import", format, path]).fails(1);
        assert!(told.contains(what) && told.contains(hint), "{format} {path}: {told}");
        kioku.run(&["import", format, path, "--dry-run"]).fails(1);
    }
    assert!(is_untouched(&kioku));
    for (format, path) in [("jsonl", &lines), ("kioku", &day), ("jrnl", &text)] {
        assert!(kioku.run(&["import", format, path]).ok().contains("1 added"), "{format}");
    }
}

#[test]
fn a_folder_of_another_kind_is_refused() {
    let kioku = Kioku::new();
    put(&kioku, "kioku/memory/2026-02-22.md", "---\ntime: \"2026-02-22T09:00:00Z\"\n---\nText.\n");
    put(&kioku, "kioku/trash/2026-02-22.md", "---\ntime: \"2026-02-22T09:00:00Z\"\n---\nDeleted.\n");
    put(&kioku, "my/journal/2026/02/2026-02-22.md", "# 2026-02-22\n\n## 09:00\n\nText.\n");
    put(&kioku, "jrnl/2026/02/22.txt", "[2026-02-22 09:00] Text.\n");
    let path = |name: &str| kioku.home.path().join(name).to_str().unwrap().to_owned();
    for (name, own) in [("kioku", "kioku"), ("my", "my-kioku"), ("jrnl", "jrnl")] {
        let others = ["kioku", "my-kioku", "jrnl", "obsidian", "logseq", "notes"];
        for format in others.into_iter().filter(|format| *format != own) {
            let told = kioku.run(&["import", format, &path(name)]).fails(1);
            assert!(told.contains(&format!("kioku import {own}")), "{format} {name}: {told}");
        }
        assert!(kioku.run(&["import", own, &path(name), "--dry-run"]).ok().contains("1 entry would be read"));
    }
}

#[test]
fn a_source_of_which_nothing_can_be_read_is_a_failure_with_one_warning() {
    let kioku = Kioku::new();
    let lines: String = (0..503).map(|nth| format!("{{\"when\": \"day {nth}\", \"text\": \"x\"}}\n")).collect();
    let path = put(&kioku, "other.jsonl", &lines);
    let told = kioku.run(&["import", "jsonl", &path]).fails(1);
    assert_eq!(told.matches("warning:").count(), 1, "{told}");
    assert!(told.contains("the same in 502 more lines: 2-503") && told.contains("no entries found"), "{told}");
    assert!(is_untouched(&kioku));
    let all = kioku.run(&["import", "jsonl", &path, "--verbose"]).fails(1);
    assert_eq!(all.matches("warning:").count(), 503);
    let some = format!("{{\"time\": \"2026-02-22T09:00:00Z\", \"text\": \"x\"}}\n{lines}");
    let ran = kioku.run(&["import", "jsonl", &put(&kioku, "some.jsonl", some)]);
    assert_eq!((ran.code, ran.err.matches("warning:").count()), (0, 1), "{ran:?}");
    assert!(ran.out.starts_with("1 read") && ran.out.contains("0 with losses, 503 left out"), "{ran:?}");
}

#[test]
fn an_empty_file_is_refused_by_every_importer() {
    let kioku = Kioku::new();
    for name in ["empty.txt", "2026-02-22.md"] {
        let empty = put(&kioku, name, "\n");
        let formats = kioku::journal::exchange::IMPORTERS.iter().map(|importer| importer.name);
        for format in formats.chain(["auto"]) {
            let told = kioku.run(&["import", format, &empty]).fails(1);
            assert!(told.contains("no entries: the file is empty"), "{format} {name}: {told}");
        }
    }
    assert!(is_untouched(&kioku));
}

#[test]
fn different_reasons_of_left_out_lines_are_different_warnings() {
    let kioku = Kioku::new();
    let lines = "{\"text\":\"a\"}\n{\"time\":\"2026-02-22\"}\n{\"time\":\"2026-02-22\",\"text\":\"b\",\"list\":[1]}\n";
    let ran = kioku.run(&["import", "jsonl", &put(&kioku, "some.jsonl", lines)]);
    for told in [":1: left out: no `time`", ":2: left out: no `text`", ":3: uncertain: `list` is not kept"] {
        assert!(ran.err.contains(told), "{ran:?}");
    }
    assert!(ran.out.contains("1 added") && ran.out.contains("1 with losses, 2 left out"), "{ran:?}");
}

/// A folder with the entries of three people, in the layout of the original Kioku.
fn of_three(kioku: &Kioku) -> String {
    for (file, text) in [("memory", "Mine."), ("users/lan/memory", "Of Lan."), ("users/minh/memory", "Of Minh.")] {
        let entry = format!("---\ntime: \"2026-02-22T09:00:00+07:00\"\n---\n{text}\n");
        put(kioku, &format!("shared/{file}/2026-02-22.md"), entry);
    }
    put(kioku, "shared/users/lan/entities/Rex.md", "---\ntype: product\n---\n");
    kioku.home.path().join("shared").to_str().unwrap().to_owned()
}

fn texts(kioku: &Kioku, journal: &str) -> Vec<String> {
    let shown = kioku.run(&["timeline", "--journal", journal, "--json"]);
    let shown: serde_json::Value = serde_json::from_str(&shown.out).unwrap();
    let entries = shown["entries"].as_array().unwrap();
    entries.iter().map(|entry| entry["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_entries_of_several_people_are_never_mixed() {
    let kioku = Kioku::new();
    let folder = of_three(&kioku);
    let told = kioku.run(&["import", "kioku", &folder]).fails(2);
    assert!(told.contains("several users: memory, lan, minh"), "{told}");
    assert!(told.contains("--user NAME") && told.contains("--users-as-journals"), "{told}");
    assert!(is_untouched(&kioku));
    kioku.run(&["import", "kioku", &folder, "--user", "nobody"]).fails(2);
    kioku.run(&["import", "kioku", &folder, "--user", "lan", "--journal", "sister"]).ok();
    assert_eq!(texts(&kioku, "sister"), ["Of Lan."]);

    let dry = kioku.run(&["import", "kioku", &folder, "--users-as-journals", "--dry-run"]).ok();
    assert!(dry.contains("into the journal `lan`"), "{dry}");
    assert!(is_untouched(&kioku));
    for added in ["1 added", "1 already known"] {
        let said = kioku.run(&["import", "kioku", &folder, "--users-as-journals"]).ok();
        assert_eq!(said.matches(added).count(), 3, "{said}");
    }
    for (journal, text) in [("personal", "Mine."), ("lan", "Of Lan."), ("minh", "Of Minh.")] {
        assert_eq!(texts(&kioku, journal), [text]);
    }
    assert!(kioku.home.path().join("home/journals/lan/entities/Rex.md").is_file());
    assert!(!kioku.journal().join("entities").exists());
}

#[test]
fn a_user_never_comes_into_the_journal_that_is_open() {
    let kioku = Kioku::new();
    let folder = of_three(&kioku);
    let told = kioku.run(&["import", "kioku", &folder, "--users-as-journals", "--journal", "lan"]).fails(2);
    assert!(told.contains("--user lan --journal OTHER"), "{told}");
    assert!(!Path::new(&kioku.home.path().join("home/journals/lan/memory")).exists());
}

#[test]
fn text_without_a_date_is_no_jrnl_file() {
    let kioku = Kioku::new();
    let path = put(&kioku, "notes.txt", "A plan for the year.\nAnd more.\n");
    let told = kioku.run(&["import", "jrnl", &path]).fails(1);
    assert!(told.contains("not a jrnl file") && told.contains("[2026-02-22 09:00]"), "{told}");
    assert!(is_untouched(&kioku));
}

#[test]
fn an_import_of_a_flat_folder_reads_what_a_vault_of_it_reads() {
    let kioku = Kioku::new();
    put(&kioku, "notes/2026-02-22.md", "---\ntime: \"2026-02-22T09:00:00Z\"\n---\nAt the top.\n");
    put(&kioku, "notes/2026/02/2026_02_23.md", "---\ntime: \"2026-02-23T09:00:00Z\"\n---\nBelow.\n");
    put(&kioku, "notes/Ideas.md", "An idea.\n");
    let root = kioku.home.path().join("notes").to_str().unwrap().to_owned();
    let ran = kioku.run(&["import", "kioku", &root]);
    assert!(ran.err.contains("its name holds no date"), "{ran:?}");
    assert!(ran.ok().contains("2 added"));
    assert_eq!(texts(&kioku, "personal"), ["At the top.", "Below."]);
}

/// An archive with these files.
fn zipped(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut archive, text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn an_obsidian_vault_is_recognised_and_its_pages_are_listed() {
    let kioku = Kioku::new();
    put(&kioku, "vault/.obsidian/app.json", "{}");
    put(
        &kioku,
        "vault/daily/2024/2024-03-01 A walk.md",
        "---\ntags: [travel, '#home']\nmood: calm\naliases: [Monday]\ncreated: 2024-03-01 08:15\nsleep: 7\n---\n\nTo the [[Island]].\n",
    );
    put(&kioku, "vault/daily/2024-03-02.md", "Woke early.\n\n## 09:30\n\nFerry.\n\n## 20:15 Harbour\nSoup.\n");
    put(&kioku, "vault/daily/2024-03-03.md", "\n");
    for page in ["Ideas.md", "people/Ana.md", "img/a.png", "img/b.png"] {
        put(&kioku, &format!("vault/{page}"), "Text.");
    }
    let vault = kioku.home.path().join("vault").to_str().unwrap().to_owned();
    let dry = kioku.run(&["import", "auto", &vault, "--dry-run"]);
    assert!(dry.err.contains("format: obsidian") && dry.out.contains("4 entries would be read"), "{dry:?}");
    assert!(is_untouched(&kioku));
    let ran = kioku.run(&["import", "obsidian", &vault]);
    assert!(ran.err.contains("a page without a date in its name; the same in 1 more place"), "{ran:?}");
    assert!(ran.err.contains("`file of type png` is not kept (2 times)"), "{ran:?}");
    assert!(ran.ok().contains("4 added"));
    assert!(kioku.run(&["import", "auto", &vault]).ok().contains("0 added, 4 already known"));
    let all = kioku.run(&["timeline", "--json"]).json();
    let entry = |nth: usize| &all["entries"][nth];
    assert_eq!(entry(0)["text"], "# A walk\n\nTo the [[Island]].");
    assert!(entry(0)["time"].as_str().unwrap().starts_with("2024-03-01T08:15:00"), "{}", entry(0));
    assert_eq!((&entry(0)["mood"], &entry(0)["tags"]), (&"calm".into(), &serde_json::json!(["travel", "home"])));
    let file = fs::read_to_string(kioku.journal().join("memory/2024-03-01.md")).unwrap();
    assert!(file.contains("aliases: ") && file.contains("sleep: 7"), "{file}");
    let clocks: Vec<&str> = (1..4).map(|nth| &entry(nth)["time"].as_str().unwrap()[11..16]).collect();
    assert_eq!(clocks, ["09:30", "12:00", "20:15"]);
    assert_eq!(entry(3)["text"], "Harbour\nSoup.");
    assert!(kioku.run(&["import", "logseq", &vault]).fails(1).contains("kioku import obsidian"));
    put(&kioku, "vault/daily/2024-03-02.md", "Woke early.\n\n## 09:30\n\nFerry.\n\n## 20:15 Harbour\nSoup and tea.\n");
    let grown = kioku.run(&["import", "obsidian", &vault]);
    assert!(grown.out.contains("0 added, 3 already known, 1 conflicting"), "{grown:?}");
    assert!(grown.err.contains("exists with another text: kept") && grown.err.contains("kioku rm ID"), "{grown:?}");
    let day = put(&kioku, "2024-03-04.md", "# Moving\n\n## 09:30 Ferry\n\nLate.\n");
    assert!(kioku.run(&["import", "auto", &day]).ok().contains("2 added"));
    let fields = put(&kioku, "2024-03-05.md", "---\nmood: glad\nsleep: 6\nsummary: a calm day\n---\n");
    assert!(kioku.run(&["import", "notes", &fields]).ok().contains("1 added"));
    let file = fs::read_to_string(kioku.journal().join("memory/2024-03-05.md")).unwrap();
    assert!(["mood: \"glad\"", "sleep: 6", "summary: \"a calm day\""].iter().all(|key| file.contains(key)), "{file}");
    let pages = kioku.home.path().join("vault/people").to_str().unwrap().to_owned();
    assert!(kioku.run(&["import", "obsidian", &pages]).fails(1).contains("no entries found"));
}

#[test]
fn a_second_import_never_puts_back_what_was_removed() {
    for empties_trash in [true, false] {
        let kioku = Kioku::new();
        let text = "I had dinner with Linh.\\nShe told me her secret.";
        let source =
            put(&kioku, "c.jsonl", format!("{{\"id\":\"c1\",\"time\":\"2026-01-05T10:00:00Z\",\"text\":\"{text}\"}}"));
        kioku.run(&["import", "jsonl", &source]).ok();
        let day = kioku.journal().join("memory/2026-01-05.md");
        let shorter = fs::read_to_string(&day).unwrap().replace("She told me her secret.\n", "");
        fs::write(&day, &shorter).unwrap();
        if empties_trash {
            fs::remove_dir_all(kioku.journal().join("recent")).unwrap();
        }
        let again = kioku.run(&["import", "jsonl", &source]);
        assert!(again.out.contains("0 added, 0 already known, 1 conflicting"), "{again:?}");
        assert_eq!(fs::read_to_string(&day).unwrap(), shorter);
    }
}

#[test]
fn an_obsidian_note_keeps_captions_code_and_front_matter() {
    let kioku = Kioku::new();
    let folder = kioku.path("vault");
    for image in ["a.png", "b.png"] {
        put(&kioku, &format!("vault/img/{image}"), "PNG");
    }
    let text = "x ![[a.png|Linh at the lake]] y ![[b.png|200]] `![[a.png]]`\n\n```\n![[a.png]]\n```\n\n![](one.png) ![[two.png]]";
    let front = "tags: [a, b]\ntag: c\nphone: 0912345678\nhex: 0x1F\nsleep: 7\nweather:\n  temp: 20\n  note: sunny\n\
                 people:\n  - name: Linh\npoem: |\n  Roses\n  Violets\nrecord: A-side\ntime: \"08:15\"\n";
    put(&kioku, "vault/2026-01-05.md", format!("---\n{front}---\n{text}\n"));
    put(&kioku, "vault/2026-01-06.md", "---\ntime: 2026-01-06T08:15\n---\nLocal.\n");
    put(&kioku, "vault/2026-01-07.md", b"caf\xe9\n");
    let ran = kioku.run(&["import", "obsidian", &folder]);
    assert!(ran.out.contains("3 added"), "{ran:?}");
    for told in [
        "\"one.png\" is missing in the source; the same in 1 more line: 18 \"two.png\"",
        "the lines of `poem` become one",
        "`record` is not kept (1 time)",
        "2026-01-07.md:1: uncertain: bytes that are not UTF-8 were replaced by U+FFFD",
    ] {
        assert!(ran.err.contains(told), "{told}\n{}", ran.err);
    }
    assert!(!ran.err.contains("`time`") && !ran.err.contains("cannot be edited"), "{}", ran.err);
    let all = kioku.run(&["timeline", "--json"]).json();
    let entry = &all["entries"][0];
    let shown = entry["text"].as_str().unwrap();
    assert!(
        shown.contains("x ![Linh at the lake](attachments/") && shown.contains(" y ![200](attachments/"),
        "{shown}"
    );
    assert!(shown.contains("`![[a.png]]`\n\n```\n![[a.png]]\n```"), "{shown}");
    assert_eq!(entry["time"], "2026-01-05T08:15:00+02:00");
    assert_eq!(entry["tags"], serde_json::json!(["a", "b", "c"]));
    assert_eq!(
        entry["extra"],
        serde_json::json!({"phone": "0912345678", "hex": "0x1F", "sleep": "7", "weather": "temp: 20, note: sunny",
            "people": "name: Linh", "poem": "Roses Violets"})
    );
    assert_eq!(all["entries"][1]["time"], "2026-01-06T08:15:00+02:00");
    assert!(kioku.run(&["import", "obsidian", &folder]).ok().contains("0 added, 3 already known"));
    fs::create_dir(kioku.path("empty")).unwrap();
    for format in ["obsidian", "notes", "keep"] {
        assert!(kioku.run(&["import", format, &kioku.path("empty")]).fails(1).contains("no entries found"));
    }
}

#[test]
fn a_zip_of_a_vault_is_read_as_other_systems_spell_its_names() {
    // Composed and decomposed, as macOS writes it.
    let (composed, decomposed) = ("H\u{f9}ng", "Hu\u{300}ng");
    let text = format!("Tea.\n\n![[{composed}.png]]\n");
    let files = [
        (r"Vault\.obsidian\app.json", "{}"),
        (r"Vault\trash\2024-03-02.md", "Deleted."),
        (&format!(r"Vault\2024-03-01 {decomposed}.md"), &text),
        (&format!(r"Vault\img\{decomposed}.png"), "PNG"),
    ];
    let kioku = Kioku::new();
    let zip = put(&kioku, "vault.zip", zipped(&files));
    let ran = kioku.run(&["import", "auto", &zip]);
    assert!(ran.err.contains("format: obsidian") && ran.out.contains("1 read (2024-03-01): 1 added"), "{ran:?}");
    let [entry] = &texts(&kioku, "personal")[..] else { panic!() };
    assert!(entry.starts_with(&format!("# {composed}\n\nTea.\n\n![](attachments/")), "{entry}");
}

#[test]
fn what_was_deleted_from_a_folder_of_notes_is_not_imported() {
    let kioku = Kioku::new();
    put(&kioku, "notes/2024-03-01.md", "Kept.\n");
    let notes = kioku.home.path().join("notes").to_str().unwrap().to_owned();
    kioku.run(&["--vault", &notes, "add", "A secret."]).ok();
    let entries = kioku.run(&["--vault", &notes, "timeline", "--json"]).json();
    let id = entries["entries"][1]["id"].as_str().unwrap().to_owned();
    kioku.run(&["--vault", &notes, "rm", &id]).ok();
    let ran = kioku.run(&["import", "auto", &notes]);
    assert!(ran.out.contains("1 read") && ran.err.contains("a folder that kioku keeps beside the entries"), "{ran:?}");
    assert!(!kioku.run(&["timeline"]).ok().contains("secret"));
}

#[test]
fn a_logseq_graph_is_recognised_without_its_copies() {
    let kioku = Kioku::new();
    let journal = "tags:: work, [[Project X]]\nmood:: glad\nsleep:: 6.5\n\n- Met [[Hùng]].\n  id:: 65\n\t- Deep.\n";
    let files = [
        ("graph/logseq/config.edn", "{}"),
        ("graph/logseq/bak/journals/2024_03_01.md", "Old."),
        ("graph/journals/2024_03_01.md", journal),
        ("graph/journals/2024_03_02.md", "-\n"),
        ("graph/pages/Hùng.md", "boss"),
    ];
    files.iter().for_each(|(name, text)| drop(put(&kioku, name, text)));
    let graph = kioku.home.path().join("graph").to_str().unwrap().to_owned();
    let ran = kioku.run(&["import", "auto", &graph]);
    assert!(ran.err.contains("format: logseq") && ran.err.contains("Hùng.md:1: left out: a page"), "{ran:?}");
    assert!(ran.ok().contains("1 read (2024-03-01): 1 added"));
    let entry = kioku.run(&["show", "2024-03-01", "--json"]).json()["entries"][0].clone();
    assert_eq!((&entry["mood"], &entry["tags"]), (&"glad".into(), &serde_json::json!(["work", "Project X"])));
    assert_eq!(entry["text"], journal.trim_end());
    assert!(fs::read_to_string(kioku.journal().join("memory/2024-03-01.md")).unwrap().contains("sleep: 6.5\n"));
    let zip = put(&kioku, "graph.zip", zipped(&files.map(|(name, text)| (&name["graph/".len()..], text))));
    let ran = kioku.run(&["import", "auto", &zip]);
    assert!(ran.err.contains("format: logseq") && ran.out.contains("0 added, 1 already known"), "{ran:?}");
}

#[test]
fn notes_of_google_keep_come_without_those_in_its_trash() {
    let kioku = Kioku::new();
    let note = |more: &str| {
        format!("{{\"isTrashed\":false,\"isPinned\":false,\"isArchived\":false,\"color\":\"DEFAULT\",{more}}}")
    };
    let text = note(
        "\"title\":\"Ferry\",\"textContent\":\"Leaves at nine.\",\"createdTimestampUsec\":1709280000000000,\"userEditedTimestampUsec\":1709290000000000,\"labels\":[{\"name\":\"travel\"}],\"annotations\":[{\"title\":\"Harbour\",\"url\":\"https://example.org\"},{\"title\":\"\",\"url\":\"https://x.y\"}]",
    );
    let list = "{\"isTrashed\":false,\"isArchived\":true,\"title\":\"\",\"listContent\":[{\"text\":\"Milk\",\"isChecked\":true},{\"text\":\"Tea\",\"isChecked\":false}],\"userEditedTimestampUsec\":\"1709366400000000\"}";
    let photo = note(
        "\"textContent\":\"A photo.\",\"createdTimestampUsec\":1709452800000000,\"attachments\":[{\"filePath\":\"a.jpg\"},{\"filePath\":\"b.jpeg\"}]",
    );
    let files = [
        ("Takeout/Keep/Ferry.json", text.as_str()),
        ("Takeout/Keep/Ferry.html", "<html></html>"),
        ("Takeout/Keep/list.json", list),
        ("Takeout/Keep/photo.json", photo.as_str()),
        (
            "Takeout/Keep/gone.json",
            "{\"isTrashed\":true,\"textContent\":\"Gone.\",\"createdTimestampUsec\":1709280000000000}",
        ),
        ("Takeout/Keep/broken.json", "{"),
        ("Takeout/Keep/Labels.txt", "travel"),
        ("Takeout/Keep/b.jpg", "picture"),
    ];
    files.iter().for_each(|(name, text)| drop(put(&kioku, name, text)));
    let ran = kioku.run(&["import", "auto", kioku.home.path().join("Takeout").to_str().unwrap()]);
    assert!(ran.err.contains("format: keep") && ran.err.contains("left out: a note in the trash of Keep"), "{ran:?}");
    assert!(ran.err.contains("\"a.jpg\" is missing in the source") && ran.err.contains("not JSON"), "{ran:?}");
    assert!(ran.err.contains("the time of the last edit is used"), "{ran:?}");
    assert!(ran.ok().contains("3 added"));
    let zip = put(&kioku, "takeout.zip", zipped(&files));
    assert!(kioku.run(&["import", "keep", &zip]).ok().contains("0 added, 3 already known"));
    let found = texts(&kioku, "personal");
    assert_eq!(
        found[..2],
        ["# Ferry\n\nLeaves at nine.\n\n[Harbour](https://example.org)\n<https://x.y>", "- [x] Milk\n- [ ] Tea"]
    );
    let photo = found[2].strip_prefix("A photo.\n\n![](").unwrap().strip_suffix(")").unwrap();
    assert_eq!(fs::read(kioku.journal().join(photo)).unwrap(), b"picture", "it is packed under another ending");
    let ferry = &kioku.run(&["timeline", "--json"]).json()["entries"][0];
    assert_eq!(ferry["tags"], serde_json::json!(["travel"]));
}

#[test]
fn pages_of_apples_journal_are_read() {
    let kioku = Kioku::new();
    let page = |header: &str, grid: &str, body: &str| {
        format!(
            "<!DOCTYPE html>\n<html dir=\"auto\"><head></head><body>\n<p class=\"p1\"><span class=\"s1\"><div class='pageContainer'>    \
             <div class=\"pageHeader\">{header}</div>    <div class=\"assetGrid\">{grid}</div>\
             <div class='reflectionPrompt'>How was it?</div><div class='title'>At the sea</div><div class='bodyText'></span></p>\n\
             {body}\n<p class=\"p1\"><span class=\"s1\"></div></div></span></p>\n</body></html>"
        )
    };
    let grid = "<div id=\"A\" class=\"gridItem assetType_stateOfMind\"><div class=\"gridItemOverlayText gridItemOverlayHeader\">Sad, Tired</div></div>\
                <div id=\"L\" class=\"gridItem assetType_multiPinMap\"><div class=\"gridItemOverlayFooter\">Old Town</div></div>\
                <div id=\"B\" class=\"gridItem assetType_photo\"><img src=\"../Resources/B.heic\"/></div>\
                <div id=\"C\" class=\"gridItem assetType_photo\"><img src=\"../Resources/C.heic\"/></div>";
    let body = "<p class=\"p2\"><span class=\"s2\">Ferry &amp; soup.</span></p>\n<p class=\"p2\"><span class=\"s2\">Slept.</span></p>";
    let (english, french) = (page("Friday, 1 March 2024", grid, body), page("samedi 2 mars 2024", "", body));
    let files = [
        ("AppleJournalEntries/index.html", "<html></html>"),
        ("AppleJournalEntries/Entries/2024-03-01.html", english.as_str()),
        ("AppleJournalEntries/Entries/2024-03-02_At_the_sea.html", french.as_str()),
        ("AppleJournalEntries/Entries/other.html", "<html><body>Other.</body></html>"),
        ("AppleJournalEntries/Resources/B.heic", "picture"),
    ];
    files.iter().for_each(|(name, text)| drop(put(&kioku, name, text)));
    let folder = kioku.home.path().join("AppleJournalEntries").to_str().unwrap().to_owned();
    let ran = kioku.run(&["import", "auto", &folder]);
    assert!(ran.err.contains("format: apple-journal"), "{ran:?}");
    assert!(ran.err.contains("\"C.heic\" is missing in the source"), "{ran:?}");
    assert!(ran.err.contains("is not English") && ran.err.contains("no page of Apple's Journal"), "{ran:?}");
    assert!(ran.ok().contains("2 read (2024-03-01 to 2024-03-02): 2 added"));
    let zip = put(&kioku, "AppleJournalEntries.zip", zipped(&files));
    assert!(kioku.run(&["import", "auto", &zip]).ok().contains("0 added, 2 already known"));
    let entry = &kioku.run(&["timeline", "--json"]).json()["entries"][0];
    let text = entry["text"].as_str().unwrap();
    let written = "# At the sea\n\n> How was it?\n\nFerry & soup.\n\nSlept.\n\n![](attachments/";
    assert!(text.starts_with(written) && text.ends_with(".heic)"), "{text}");
    assert_eq!(entry["mood"], "Sad");
    let file = fs::read_to_string(kioku.journal().join("memory/2024-03-01.md")).unwrap();
    assert!(file.contains("state_of_mind: \"Sad, Tired\"") && file.contains("location: \"Old Town\""), "{file}");
}
