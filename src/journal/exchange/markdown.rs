//! Export as readable markdown: a heading per day and per entry, the text unchanged but for quoted heads.
//!
//! One document, or one file per day. Cannot be imported again; use `jsonl` for that.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
};

use jiff::civil::Date;

use super::Exporter;
use crate::journal::{Entry, day_file};

pub(super) const EXPORTER: Exporter = Exporter {
    folder: Some(folder),
    ..Exporter::new("md", "readable markdown: one document, or a folder with one file per day", document)
};

/// Entries as one document.
pub fn as_markdown(entries: &[Entry]) -> String {
    let pages: Vec<String> = by_day(entries).into_iter().map(|(day, entries)| page(day, &entries)).collect();
    pages.join("\n")
}

fn document(entries: &[Entry], out: &mut dyn io::Write) -> io::Result<()> {
    out.write_all(as_markdown(entries).as_bytes())
}

fn folder(entries: &[Entry]) -> Vec<(String, String)> {
    by_day(entries).into_iter().map(|(day, entries)| (format!("{day}.md"), page(day, &entries))).collect()
}

fn by_day(entries: &[Entry]) -> BTreeMap<Date, Vec<&Entry>> {
    let mut days: BTreeMap<Date, Vec<&Entry>> = BTreeMap::new();
    for entry in entries {
        days.entry(entry.day).or_default().push(entry);
    }
    for entries in days.values_mut() {
        entries.sort_by_key(|entry| entry.time.at);
    }
    days
}

fn page(day: Date, entries: &[&Entry]) -> String {
    let mut page = format!("# {}\n", day.strftime("%A %-d %B %Y"));
    let offsets: BTreeSet<i32> = entries.iter().map(|entry| entry.time.offset_seconds).collect();
    for entry in entries {
        page.push_str(&format!("\n## {}\n\n", title(entry, offsets.len() > 1)));
        // A quoted head would make the page an entry, and its folder a journal.
        let escaped = day_file::escaped(entry.body.as_bytes()).and_then(|body| String::from_utf8(body).ok());
        page.push_str(escaped.as_deref().unwrap_or(&entry.body).trim_end_matches('\n'));
        page.push('\n');
    }
    page
}

/// The heading of an entry: `15:30 · stressed · #work #project-x`, and its other fields.
fn title(entry: &Entry, with_offset: bool) -> String {
    let mut parts = vec![clock(entry)];
    if with_offset && entry.has_clock() {
        let offset = jiff::tz::Offset::from_seconds(entry.time.offset_seconds).unwrap_or(jiff::tz::Offset::UTC);
        parts[0].push_str(&format!(" (UTC{offset})"));
    }
    parts.extend(entry.mood.clone());
    if !entry.tags.is_empty() {
        let tags: Vec<String> = entry.tags.iter().map(|tag| format!("#{}", tag.replace(' ', "-"))).collect();
        parts.push(tags.join(" "));
    }
    parts.extend(details(entry));
    parts.join(" · ").replace('\n', " ")
}

/// `15:30`, if it is known.
pub(super) fn clock(entry: &Entry) -> String {
    if entry.has_clock() { entry.time.clock() } else { "no time".to_owned() }
}

/// The fields of an entry besides time, mood and tags.
pub(super) fn details(entry: &Entry) -> impl Iterator<Item = String> {
    let event_time = entry.event_time.iter().map(|time| format!("about {time}"));
    let extra = entry.extra.iter().filter(|(key, value)| key != "undated" || value != "true");
    event_time.chain(extra.map(|(key, value)| match (key.as_str(), value.as_str()) {
        ("star", "true") => "★".to_string(),
        _ => format!("{key} {value}"),
    }))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::journal::{BodyHash, EntryId, EntryTime, Place};

    fn entry(time: &str, body: &str) -> Entry {
        let time = EntryTime::parse(time, &jiff::tz::TimeZone::UTC).unwrap();
        Entry {
            id: EntryId::from(time.written.as_str()),
            day: time.day(jiff::civil::Time::midnight()),
            time,
            mood: None,
            tags: Vec::new(),
            event_time: None,
            body: body.into(),
            hash: BodyHash::of(body.as_bytes()),
            extra: Vec::new(),
            place: Place { file: Arc::from("x.md"), position: 0, bytes: 0..0 },
        }
    }

    #[test]
    fn a_day_reads_like_a_page() {
        let mut evening = entry("2026-11-20T21:05:00+07:00", "Phở with Linh.\n");
        evening.mood = Some("relieved".into());
        evening.tags = vec!["project x".into()];
        evening.event_time = Some("2026-11-19".into());
        evening.extra = vec![("star".into(), "true".into()), ("sleep".into(), "6.5".into())];
        let entries = [evening, entry("2026-11-20T08:12:00+09:00", "Slept well."), entry("2026-11-21T08:00:00Z", "x")];
        let pages = folder(&entries);
        assert_eq!(pages.iter().map(|page| page.0.as_str()).collect::<Vec<_>>(), ["2026-11-20.md", "2026-11-21.md"]);
        assert_eq!(
            pages[0].1,
            "# Friday 20 November 2026\n\n## 08:12 (UTC+09)\n\nSlept well.\n\n\
             ## 21:05 (UTC+07) · relieved · #project-x · about 2026-11-19 · ★ · sleep 6.5\n\nPhở with Linh.\n"
        );
        let mut out = Vec::new();
        document(&entries, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), format!("{}\n{}", pages[0].1, pages[1].1));
    }
}
