use proptest::prelude::*;

use super::*;
use crate::journal::write;

fn revise(file: &str, at: usize, lines: &[(&str, Option<&str>)], body: Option<&str>) -> Result<String, String> {
    let scan = day_file::scan(file.as_bytes());
    let lines = lines.iter().map(|(key, line)| ((*key).to_owned(), line.map(str::to_owned))).collect();
    let revision = Revision { lines, body: body.map(str::as_bytes) };
    let new = rewritten(file.as_bytes(), &scan.blocks[at], &revision)?;
    Ok(String::from_utf8(replaced(file.as_bytes(), &scan, at, &new)?).unwrap())
}

const FILE: &str = "# Kioku\n\n---\ntime: \"2026-02-22T15:30:00+07:00\"\nweather: [odd,  \"spacing\"]\n# note\nid: 'k1'\n---\none\n\n---\ntime: \"2026-02-22T16:00:00+07:00\"\n---\ntwo\n";

#[test]
fn only_what_is_named_changes() {
    let mood = [("mood", Some("mood: \"glad\""))];
    assert_eq!(revise(FILE, 0, &mood, None).unwrap(), FILE.replace("\nweather", "\nmood: \"glad\"\nweather"));
    assert_eq!(revise(FILE, 0, &[], Some("ONE\n")).unwrap(), FILE.replace("one\n", "ONE\n\n"));
    assert_eq!(
        revise(FILE, 0, &[("weather", None)], None).unwrap(),
        FILE.replace("weather: [odd,  \"spacing\"]\n", "")
    );
    assert_eq!(
        revise(FILE, 1, &[("id", Some("id: \"k2\""))], None).unwrap(),
        FILE.replace("16:00:00+07:00\"\n", "16:00:00+07:00\"\nid: \"k2\"\n")
    );
}

#[test]
fn keys_go_where_kioku_writes_them() {
    let all = [
        ("why", Some("why: x")),
        ("tags", Some("tags: []")),
        ("star", Some("star: true")),
        ("event_time", Some("event_time: 2026")),
        ("trashed", Some("trashed: y")),
        ("mood", Some("mood: z")),
    ];
    let file = revise(FILE, 0, &all, Some("---\nid: x")).unwrap();
    let head = "time: \"2026-02-22T15:30:00+07:00\"\nmood: z\ntags: []\nevent_time: 2026\nweather: [odd,  \"spacing\"]\n# note\nstar: true\nescaped: true\ntrashed: y\nwhy: x\nid: 'k1'\n---\n\\---\nid: x\n";
    assert!(file.contains(head), "{file}");
}

#[test]
fn tags_on_lines_of_their_own_are_replaced_whole() {
    let file = "---\ntime: 2026-02-22T15:30:00Z\ntags:\n  - a\n  - b\nweather:\n  - kept\n---\nx";
    assert_eq!(
        revise(file, 0, &[("tags", Some("tags: [\"c\"]"))], None).unwrap(),
        file.replace("tags:\n  - a\n  - b\n", "tags: [\"c\"]\n")
    );
}

#[test]
fn a_files_own_line_endings_are_kept() {
    let file = FILE.replace('\n', "\r\n");
    let edited = revise(&file, 0, &[("mood", Some("mood: \"glad\""))], Some("ONE")).unwrap();
    assert_eq!(edited, file.replace("\r\nweather", "\r\nmood: \"glad\"\r\nweather").replace("one", "ONE"));
}

#[test]
fn a_head_that_would_be_too_long_is_refused() {
    let file = format!("---\ntime: 2026-02-22T15:30:00Z\n{}---\nx", "k: v\n".repeat(63));
    assert!(revise(&file, 0, &[("mood", Some("mood: x"))], None).unwrap_err().contains("65 lines"));
}

#[test]
fn taking_the_last_entry_out_leaves_the_one_before_as_it_was() {
    let scan = day_file::scan(FILE.as_bytes());
    let one = removed(FILE.as_bytes(), &scan, 1).unwrap();
    assert_eq!(String::from_utf8(one).unwrap(), &FILE[..FILE.find("\n---\ntime: \"2026-02-22T16").unwrap()]);
    let two = removed(FILE.as_bytes(), &scan, 0).unwrap();
    assert_eq!(
        String::from_utf8(two).unwrap(),
        format!("# Kioku\n\n{}", &FILE[FILE.find("---\ntime: \"2026-02-22T16").unwrap()..])
    );
}

fn any_file() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => prop::sample::select(vec!["\n---\ntime: \"2026-02-22T15:30:00+07:00\"\nid: \"a\"\n---\n", "---\r\nmood: \"x\"\r\ntime: 2026-02-22T15:30:00\r\nodd\r\n---\r\n",
            "---\ntime: 2026-02-22T15:30:00\nescaped: true\n---\n\\---\nid: x\n", "---\ntags:\n- a\ntime: 2026-02-22T15:30:00Z\n---\n"]).prop_map(|text| text.as_bytes().to_vec()),
        3 => prop::sample::select(vec!["## 09:30\n", "## 9:30 am Title\n", "\r\n## 10:00\r\n\r\n", "### x\n", "# x\n", "```\n", "** 11:00 x\n"]).prop_map(|text| text.as_bytes().to_vec()),
        4 => prop::sample::select(vec!["\n", "\r\n", "\r", "\n\n", "---", "---\n", "time: x\n", "mood: x\n", "text", "\u{feff}"]).prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..5),
    ];
    prop::collection::vec(piece, 1..12).prop_map(|pieces| pieces.concat())
}

fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "---\n",
            "\\---\n",
            "time: \"2026-02-22T15:30:00+07:00\"\n",
            "id:\n",
            "\n",
            "\r",
            "\r\n",
            "text"
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// Whether another edit may be refused: sections below a fence, which may become front matter.
fn is_torn(file: &[u8], scan: &Scan) -> bool {
    let has_sections = scan.blocks.iter().any(|block| block.part.section().is_some());
    has_sections && file.strip_prefix(day_file::BOM).unwrap_or(file).starts_with(b"---")
}

/// The lines to set, plus those of a new head if the block has none.
fn with_head(block: &Block, lines: Vec<(String, Option<String>)>) -> Vec<(String, Option<String>)> {
    let time = ("time".to_owned(), Some("time: \"2026-02-22T12:00:00+07:00\"".to_owned()));
    let head = block.head.is_absent().then_some(time);
    head.into_iter().chain(lines).collect()
}

/// The bytes and the text of each block.
fn blocks(file: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let scan = day_file::scan(file);
    let text = |block: &Block| block.text(file, &block.fields(file)).into_owned();
    scan.blocks.iter().map(|block| (file[block.range()].to_vec(), text(block))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn an_edit_is_never_refused_and_leaves_every_other_byte(file in any_file(), pick in any::<prop::sample::Index>(), text in any_text(), mood in any_text()) {
        let scan = day_file::scan(&file);
        prop_assume!(!scan.blocks.is_empty() && !is_torn(&file, &scan));
        let at = pick.index(scan.blocks.len());
        let block = &scan.blocks[at];
        let lines = with_head(block, vec![("mood".to_owned(), Some(write::quoted_line("mood", &mood)))]);
        let revision = Revision { lines, body: Some(text.as_bytes()) };
        let new = rewritten(&file, block, &revision).unwrap();
        let (before, in_place) = (blocks(&file), replaced(&file, &scan, at, &new));
        // The head of a section would take the sections below it.
        let moves = in_place.is_err() && block.head.is_absent();
        let edited = if moves { moved_behind(&file, &scan, at, &new) } else { in_place };
        prop_assert!(edited.is_ok(), "{:?}", edited);
        let edited = edited.unwrap();
        let now = if moves { before.len() - 1 } else { at };
        if !moves {
            prop_assert!(edited.starts_with(&file[..block.head.opening.start]));
            prop_assert!(edited.ends_with(&file[block.end..]));
        }
        let (mut others, mut after) = (before.clone(), blocks(&edited));
        others.remove(at);
        prop_assert_eq!(&after[now].1, text.as_bytes());
        after.remove(now);
        prop_assert_eq!(others, after);
        let fields = day_file::scan(&edited).blocks[now].head.fields(&edited);
        prop_assert_eq!(fields.mood.unwrap_or_default(), mood);
    }

    #[test]
    fn an_edit_of_a_section_keeps_it_one(file in any_file(), pick in any::<prop::sample::Index>(), text in "[a-z]{1,9}(\n\n?[a-z -]{1,9}){0,3}[a-z]") {
        let file = [b"## 08:00 First\nx\n\n", &file[..]].concat();
        let scan = day_file::scan(&file);
        let sections: Vec<usize> = (0..scan.blocks.len()).filter(|at| scan.blocks[*at].part.section().is_some()).collect();
        if sections.is_empty() {
            return Ok(());
        }
        let at = sections[pick.index(sections.len())];
        let block = &scan.blocks[at];
        let new = rewritten(&file, block, &Revision { lines: Vec::new(), body: Some(text.as_bytes()) }).unwrap();
        let edited = replaced(&file, &scan, at, &new).unwrap();
        prop_assert!(edited.starts_with(&file[..block.head.opening.start]));
        prop_assert!(edited.ends_with(&file[block.end..]));
        let now = &day_file::scan(&edited).blocks[at];
        // Its hash is another.
        let place = |block: &Block| block.part.section().map(|section| (section.clock, section.leads));
        prop_assert_eq!(place(now), place(block));
        prop_assert_eq!(&edited[now.body.clone()], text.as_bytes());
    }

    #[test]
    fn a_change_of_the_head_alone_leaves_the_body_and_all_else(file in any_file(), pick in any::<prop::sample::Index>()) {
        let scan = day_file::scan(&file);
        prop_assume!(!scan.blocks.is_empty());
        let at = pick.index(scan.blocks.len());
        let block = &scan.blocks[at];
        let lines = with_head(block, vec![("id".to_owned(), Some("id: \"new\"".to_owned()))]);
        let revision = Revision { lines, body: None };
        prop_assume!(!is_torn(&file, &scan) && (block.part.section().is_none() || !block.body.is_empty()));
        prop_assume!(!block.head.is_absent() || at + 1 == scan.blocks.len() || !scan.blocks[at + 1].head.is_absent());
        let edited = replaced(&file, &scan, at, &rewritten(&file, block, &revision).unwrap()).unwrap();
        prop_assert!(edited.starts_with(&file[..block.head.opening.start]));
        prop_assert!(edited.ends_with(&file[block.body.start..]));
        prop_assert_eq!(&blocks(&edited)[at].1, &blocks(&file)[at].1);
    }

    #[test]
    fn taking_an_entry_out_leaves_every_other_entry(file in any_file(), pick in any::<prop::sample::Index>()) {
        let scan = day_file::scan(&file);
        prop_assume!(!scan.blocks.is_empty() && !is_torn(&file, &scan));
        let at = pick.index(scan.blocks.len());
        let less = removed(&file, &scan, at);
        prop_assert!(less.is_ok(), "{:?}", less);
        let mut before = blocks(&file);
        before.remove(at);
        prop_assert_eq!(before, blocks(&less.unwrap()));
    }

    #[test]
    fn taking_several_entries_out_leaves_every_other_entry(file in any_file(), picks in prop::collection::btree_set(0usize..8, 0..6)) {
        let scan = day_file::scan(&file);
        prop_assume!(!is_torn(&file, &scan));
        let gone: Vec<usize> = picks.into_iter().filter(|at| *at < scan.blocks.len()).collect();
        let less = removed_all(&file, &scan, &gone);
        prop_assert!(less.is_ok(), "{:?}", less);
        let mut before = blocks(&file);
        for at in gone.iter().rev() {
            before.remove(*at);
        }
        prop_assert_eq!(before, blocks(&less.unwrap()));
    }
}
