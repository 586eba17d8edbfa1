//! Merges of simulated devices: nothing is lost, and every order of merges gives the same journal.

use std::collections::{BTreeMap, BTreeSet};

use proptest::{prelude::*, test_runner::Config};

use super::*;
use crate::journal::{EntryTime, NewEntry, write};

/// The words of a device's entries, in file order. Every line is a word that occurs once in a history.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Written {
    id: String,
    minute: u32,
    mood: Option<String>,
    tags: Vec<String>,
    lines: Vec<String>,
}

/// A change that a device makes; the numbers choose entry, line and value.
#[derive(Debug, Clone, Copy)]
enum Step {
    Add(u32),
    Edit(usize, usize),
    Continue(usize),
    DeleteLine(usize, usize),
    Delete(usize),
    Mood(usize, usize),
    Tag(usize, usize),
}

fn step() -> impl Strategy<Value = Step> {
    let n = 0..8usize;
    prop_oneof![
        3 => (0..600u32).prop_map(Step::Add),
        4 => (n.clone(), n.clone()).prop_map(|(a, b)| Step::Edit(a, b)),
        3 => n.clone().prop_map(Step::Continue),
        1 => (n.clone(), n.clone()).prop_map(|(a, b)| Step::DeleteLine(a, b)),
        1 => n.clone().prop_map(Step::Delete),
        2 => (n.clone(), n.clone()).prop_map(|(a, b)| Step::Mood(a, b)),
        2 => (n.clone(), n).prop_map(|(a, b)| Step::Tag(a, b)),
    ]
}

fn file(entries: &[Written]) -> Vec<u8> {
    let mut bytes = "# Kioku \u{2014} 2026-02-22\n".as_bytes().to_vec();
    for entry in entries {
        let time = format!("2026-02-22T{:02}:{:02}:00+07:00", 8 + entry.minute / 60, entry.minute % 60);
        let time = EntryTime::parse(&time, &TimeZone::UTC).unwrap();
        let new = NewEntry {
            mood: entry.mood.clone(),
            tags: entry.tags.clone(),
            body: entry.lines.join("\n"),
            ..NewEntry::default()
        };
        bytes.extend(write::separator(&bytes, Ending::Lf));
        bytes.extend(write::block(&new, &time, &entry.id, Ending::Lf).unwrap());
    }
    bytes
}

fn read(bytes: &[u8]) -> Vec<Written> {
    let version = Version::of(bytes).unwrap();
    let entry = |at: usize| {
        let fields = version.scan.blocks[at].fields(bytes);
        let seconds = version.time(at).unwrap().as_second()
            - "2026-02-22T08:00:00+07:00".parse::<Timestamp>().unwrap().as_second();
        let text = String::from_utf8(version.text(at)).unwrap();
        Written {
            id: version.name(at),
            minute: u32::try_from(seconds / 60).unwrap(),
            mood: fields.mood,
            tags: fields.tags,
            lines: text.split('\n').map(str::to_owned).collect(),
        }
    };
    (0..version.scan.blocks.len()).map(entry).collect()
}

/// One device: its file, and a counter for new words.
#[derive(Clone)]
struct Device {
    name: char,
    bytes: Vec<u8>,
    made: usize,
    /// Words that this device deleted or replaced.
    dropped: BTreeSet<String>,
}

impl Device {
    fn new(name: char, bytes: Vec<u8>) -> Self {
        Self { name, bytes, made: 0, dropped: BTreeSet::new() }
    }

    fn word(&mut self) -> String {
        self.made += 1;
        format!("{}{}", self.name, self.made)
    }

    fn make(&mut self, step: Step) {
        let mut entries = read(&self.bytes);
        let count = entries.len().max(1);
        match step {
            Step::Add(minute) => {
                let (word, more) = (self.word(), self.word());
                let id = format!("id{word}");
                entries.push(Written { id, minute, mood: None, tags: Vec::new(), lines: vec![word, more] });
            }
            Step::Delete(at) if !entries.is_empty() => {
                self.dropped.extend(entries.remove(at % count).lines);
            }
            _ if entries.is_empty() => {}
            Step::Edit(at, line) => {
                let word = self.word();
                let lines = &mut entries[at % count].lines;
                let line = line % lines.len();
                self.dropped.insert(std::mem::replace(&mut lines[line], word));
            }
            Step::Continue(at) => {
                let word = self.word();
                entries[at % count].lines.push(word);
            }
            Step::DeleteLine(at, line) => {
                let lines = &mut entries[at % count].lines;
                if lines.len() > 1 {
                    let line = line % lines.len();
                    self.dropped.insert(lines.remove(line));
                }
            }
            Step::Mood(at, mood) => {
                entries[at % count].mood = ["calm", "sad", "glad"].get(mood % 4).map(|mood| (*mood).to_owned())
            }
            Step::Tag(at, tag) => {
                let (tags, tag) = (&mut entries[at % count].tags, format!("t{}", tag % 4));
                match tags.iter().position(|other| *other == tag) {
                    Some(at) => drop(tags.remove(at)),
                    None => tags.push(tag),
                }
            }
            Step::Delete(_) => {}
        }
        // Heads may hold values that lost a merge, which `Written` does not have: only changed entries are written anew.
        self.bytes = rewritten(&self.bytes, &entries);
    }
}

/// The file with the entries that differ from those in it.
fn rewritten(bytes: &[u8], entries: &[Written]) -> Vec<u8> {
    let (version, old) = (Version::of(bytes).unwrap(), read(bytes));
    let mut file_bytes = bytes[..version.scan.preface].to_vec();
    for (at, entry) in entries.iter().enumerate() {
        let block = match old.iter().position(|old| old == entry) {
            Some(at) => version.block(at).to_vec(),
            None => {
                let whole = file(std::slice::from_ref(entry));
                let new = Version::of(&whole).unwrap();
                let fresh = new.block(0).to_vec();
                match old.iter().position(|old| old.id == entry.id) {
                    Some(at) => with_other_keys(&version, at, &fresh),
                    None => fresh,
                }
            }
        };
        append(&mut file_bytes, &block, at == 0);
    }
    file_bytes
}

/// A rewritten entry with the keys of the old one that [`Written`] does not have.
fn with_other_keys(old: &Version, at: usize, fresh: &[u8]) -> Vec<u8> {
    let others = old.fields(at).unwrap().into_iter().filter(|field| field.key.0.ends_with("_other"));
    let lines: Vec<u8> = others.flat_map(|field| field.lines).flat_map(|line| [&line[..], b"\n"].concat()).collect();
    let id = fresh.windows(4).position(|window| window == b"\nid:").unwrap() + 1;
    [&fresh[..id], &lines, &fresh[id..]].concat()
}

fn merged(base: &[u8], ours: &[u8], theirs: &[u8]) -> Vec<u8> {
    let result = merge(base, ours, theirs);
    let swapped = merge(base, theirs, ours);
    assert_eq!(
        String::from_utf8_lossy(&result.bytes),
        String::from_utf8_lossy(&swapped.bytes),
        "the sides are not alike"
    );
    assert!(!result.has_markers);
    result.bytes
}

/// The entries with the lines of each that are not empty, its tags and moods, whatever the order of lines that several devices added in one place.
fn content(bytes: &[u8]) -> BTreeMap<String, [BTreeSet<String>; 3]> {
    let version = Version::of(bytes).unwrap();
    let entry = |(at, entry): (usize, Written)| {
        let others = version.scan.blocks[at].fields(bytes).extra;
        let moods =
            entry.mood.into_iter().chain(others.iter().flat_map(|(_, other)| crate::journal::value::list(other)));
        (
            entry.id,
            [
                entry.lines.into_iter().filter(|line| !line.is_empty()).collect(),
                entry.tags.into_iter().collect(),
                moods.collect(),
            ],
        )
    };
    read(bytes).into_iter().enumerate().map(entry).collect()
}

fn words(bytes: &[u8]) -> BTreeSet<String> {
    read(bytes).into_iter().flat_map(|entry| entry.lines).collect()
}

fn base() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec((1..4usize, 0..600u32), 0..4).prop_map(|entries| {
        let entry = |(at, (count, minute)): (usize, (usize, u32))| Written {
            id: format!("id{at}"),
            minute,
            mood: (at % 2 == 0).then(|| "calm".to_owned()),
            tags: vec!["t0".to_owned()],
            lines: (0..count).map(|line| format!("base{at}line{line}")).collect(),
        };
        file(&entries.into_iter().enumerate().map(entry).collect::<Vec<_>>())
    })
}

proptest! {
    #![proptest_config(Config { cases: 500, ..Config::default() })]

    #[test]
    fn devices_merged_in_every_order_have_the_same_entries_and_lose_none(
        base in base(),
        steps in prop::collection::vec(prop::collection::vec(step(), 0..6), 2..=3),
    ) {
        let devices: Vec<Device> = steps.iter().zip('x'..).map(|(steps, name)| {
            let mut device = Device::new(name, base.clone());
            steps.iter().for_each(|step| device.make(*step));
            device
        }).collect();
        let orders: &[&[usize]] = match devices.len() {
            2 => &[&[0, 1], &[1, 0]],
            _ => &[&[0, 1, 2], &[0, 2, 1], &[1, 0, 2], &[1, 2, 0], &[2, 0, 1], &[2, 1, 0]],
        };
        let results: Vec<Vec<u8>> = orders.iter().map(|order| {
            let mut order = order.iter().map(|at| devices[*at].bytes.clone());
            let first = order.next().unwrap();
            order.fold(first, |merged_so_far, next| merged(&base, &merged_so_far, &next))
        }).collect();
        for result in &results {
            prop_assert_eq!(content(result), content(&results[0]));
        }
        let dropped: BTreeSet<&String> = devices.iter().flat_map(|device| &device.dropped).collect();
        let all = words(&results[0]);
        for word in devices.iter().flat_map(|device| words(&device.bytes)).chain(words(&base)) {
            prop_assert!(all.contains(&word) || dropped.contains(&word), "{} is lost", word);
        }
        // What a device wrote and did not take back itself survives the deletions of the others.
        for device in &devices {
            let own = words(&device.bytes).into_iter().filter(|word| word.starts_with(device.name));
            for word in own {
                prop_assert!(all.contains(&word), "{} is lost", word);
            }
        }
    }

    #[test]
    fn devices_that_sync_again_and_again_end_with_the_same_bytes(
        base in base(),
        rounds in prop::collection::vec((0..3usize, prop::collection::vec(step(), 0..3), any::<bool>()), 1..12),
    ) {
        let mut hub = base.clone();
        let mut devices: Vec<(Device, Vec<u8>)> =
            ('a'..='c').map(|name| (Device::new(name, base.clone()), base.clone())).collect();
        let sync = |(device, synced): &mut (Device, Vec<u8>), hub: &mut Vec<u8>| {
            device.bytes = merged(synced, &device.bytes, hub);
            (*hub, *synced) = (device.bytes.clone(), device.bytes.clone());
        };
        for (at, steps, syncs) in rounds {
            steps.iter().for_each(|step| devices[at].0.make(*step));
            if syncs {
                sync(&mut devices[at], &mut hub);
            }
        }
        for at in [0, 1, 2, 0, 1] {
            sync(&mut devices[at], &mut hub);
        }
        let dropped: BTreeSet<&String> = devices.iter().flat_map(|(device, _)| &device.dropped).collect();
        let all = words(&hub);
        for (device, _) in &devices {
            prop_assert_eq!(&device.bytes, &hub);
            for word in (1..=device.made).map(|n| format!("{}{n}", device.name)) {
                prop_assert!(all.contains(&word) || dropped.contains(&word), "{} is lost", word);
            }
        }
    }

    #[test]
    fn any_bytes_are_merged_without_losing_a_line(
        pieces in prop::collection::vec(prop_oneof![
            Just("---\n"), Just("time: \"2026-02-22T10:00:00Z\"\n"), Just("time: \"2026-02-22T11:00:00Z\"\n"), Just("mood: \"a\"\n"),
            Just("tags:\n"), Just("- x\n"), Just("id: \"a\"\n"), Just("\n"), Just("text\n"), Just("\\---\n"), Just("escaped: true\n"),
            Just("# Kioku\n"), Just("a: [b, c]\n"), Just("x\r\n"), Just("\u{e9}"),
        ], 0..40),
        cuts in prop::array::uniform2(0..40usize),
    ) {
        let whole = pieces.concat().into_bytes();
        let [base, ours] = cuts.map(|cut| pieces[..cut.min(pieces.len())].concat().into_bytes());
        let result = merge(&base, &ours, &whole);
        if ours != base && whole != base {
            for line in ours.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii) {
                let kept = result.bytes.windows(line.len().max(1)).any(|window| window.starts_with(line));
                // The value of a known key may move to a list or be written in another form.
                prop_assert!(kept || line.is_empty() || line.contains(&b':') || line.starts_with(b"-") || line == b"\\---",
                    "{:?}", String::from_utf8_lossy(line));
            }
        }
    }
}

fn day(entries: &[(&str, &str, &str)]) -> Vec<u8> {
    let entry = |(id, time, text): &(&str, &str, &str)| {
        format!("\n---\ntime: \"2026-02-22T{time}:00+07:00\"\nid: \"{id}\"\n---\n{text}\n")
    };
    format!("# Kioku \u{2014} 2026-02-22\n{}", entries.iter().map(entry).collect::<String>()).into_bytes()
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_line_below_the_sign_of_an_escaped_text_is_kept() {
    let entry = |text: &str| {
        format!("---\ntime: \"2026-02-22T10:00:00Z\"\nescaped: true\na line of no key\nid: \"a\"\n---\n{text}\n")
    };
    let result = merge(entry("One.").as_bytes(), entry("Two.").as_bytes(), entry("Three.").as_bytes());
    assert!(text_of(&result.bytes).contains("a line of no key\n"), "{}", text_of(&result.bytes));
}

#[test]
fn entries_written_on_two_devices_are_both_kept_in_time_order() {
    let base = day(&[("a", "08:00", "First.")]);
    let ours = day(&[("a", "08:00", "First."), ("c", "12:00", "Laptop.")]);
    let theirs = day(&[("a", "08:00", "First."), ("b", "10:00", "Phone.")]);
    let all = day(&[("a", "08:00", "First."), ("b", "10:00", "Phone."), ("c", "12:00", "Laptop.")]);
    assert_eq!(text_of(&merged(&base, &ours, &theirs)), text_of(&all));
    assert_eq!(text_of(&merged(b"", &ours, &theirs)), text_of(&all), "two journals without a common start");
}

#[test]
fn one_entry_edited_on_both_devices_keeps_both_versions_of_a_line() {
    let base = day(&[("a", "08:00", "One.\n\nTwo.")]);
    let result =
        merge(&base, &day(&[("a", "08:00", "Eins.\n\nTwo.")]), &day(&[("a", "08:00", "Uno.\n\nTwo.\n\nThree.")]));
    assert_eq!(text_of(&result.bytes), text_of(&day(&[("a", "08:00", "Eins.\nUno.\n\nTwo.\n\nThree.")])));
    assert_eq!(result.clashes, ["a"]);
}

#[test]
fn an_entry_deleted_on_one_device_and_edited_on_the_other_stays() {
    let base = day(&[("a", "08:00", "One."), ("b", "09:00", "Two.")]);
    let edited = day(&[("a", "08:00", "One, longer."), ("b", "09:00", "Two.")]);
    assert_eq!(text_of(&merged(&base, &edited, &day(&[]))), text_of(&day(&[("a", "08:00", "One, longer.")])));
    assert_eq!(text_of(&merged(&base, &base, &day(&[]))), text_of(&day(&[])), "deleted and unchanged: deleted");
}

#[test]
fn entries_without_ids_that_share_a_time_are_told_apart() {
    let entry = |text: &str| format!("---\ntime: \"2026-02-22T10:00:00+07:00\"\n---\n{text}\n\n");
    let base = [entry("One."), entry("Two.")].concat();
    let result = merged(
        base.as_bytes(),
        [entry("One!"), entry("Two.")].concat().as_bytes(),
        [&base, &entry("Three.")[..]].concat().as_bytes(),
    );
    let texts: BTreeSet<String> =
        read(&result).into_iter().flat_map(|entry| entry.lines).filter(|line| !line.is_empty()).collect();
    assert_eq!(texts, BTreeSet::from(["One!".to_owned(), "Three.".to_owned(), "Two.".to_owned()]));
}

#[test]
fn notes_without_heads_and_front_matter_are_merged_by_line_and_key() {
    let note = |tags: &str, text: &str| format!("---\ntags: [{tags}]\naliases: [\"day\"]\n---\n# A day\n\n{text}\n");
    let result = merged(
        note("\"a\"", "One.").as_bytes(),
        note("\"a\", \"b\"", "One.\n\nTwo.").as_bytes(),
        note("\"c\"", "Zero.\n\nOne.").as_bytes(),
    );
    assert_eq!(text_of(&result), note("\"b\", \"c\"", "Zero.\n\nOne.\n\nTwo."));
}

#[test]
fn a_file_with_other_line_endings_is_merged_in_them() {
    let base = day(&[("a", "08:00", "One.")]);
    let windows = text_of(&day(&[("a", "08:00", "One.\nTwo.")])).replace('\n', "\r\n");
    let theirs = day(&[("a", "08:00", "One."), ("b", "09:00", "B.")]);
    let all = text_of(&day(&[("a", "08:00", "One.\nTwo."), ("b", "09:00", "B.")])).replace('\n', "\r\n");
    assert_eq!(text_of(&merged(&base, windows.as_bytes(), &theirs)), all);
}

#[test]
fn a_line_that_would_begin_a_head_is_escaped() {
    let base = day(&[("a", "08:00", "One.")]);
    let ours = day(&[("a", "08:00", "---\nOne.")]);
    let theirs = day(&[("a", "08:00", "time: \"2026-02-22T10:00:00+07:00\"\n---\nOne.")]);
    let entries = read(&merged(&base, &ours, &theirs));
    assert_eq!(entries.len(), 1, "{entries:?}");
}

#[test]
fn a_merge_that_would_read_differently_keeps_both_files_between_markers() {
    // Two texts without heads that only together are the head of an entry.
    let result = merge(b"end\n", b"---\ntime: \"2026-02-22T10:00:00Z\"\nend\n", b"end\n---\nText.\n");
    assert!(result.has_markers, "{}", text_of(&result.bytes));
    for line in ["time: \"2026-02-22T10:00:00Z\"", "Text.", "<<<<<<< ours", ">>>>>>> theirs"] {
        assert!(text_of(&result.bytes).contains(line), "{line}");
    }
}

#[test]
fn sections_of_a_text_without_a_head_are_merged_by_line() {
    let base = "## 09:30\n\nFerry.\n\n## 11:00\n\nSoup.\n";
    let ours = base.replace("Ferry", "The ferry");
    let theirs = format!("{base}\n## 20:00\n\nSlept.\n");
    for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
        let merged = merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
        let expected = format!("{}\n## 20:00\n\nSlept.\n", base.replace("Ferry", "The ferry"));
        assert_eq!(String::from_utf8(merged.bytes).unwrap(), expected);
        assert!(merged.clashes.is_empty() && !merged.has_markers);
        assert_eq!(day_file::scan(expected.as_bytes()).blocks.len(), 3);
    }
}
