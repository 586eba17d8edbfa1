//! The demo journal: one season of a person who builds river gauges.

use std::path::Path;

use jiff::{ToSpan, Zoned, civil};

use super::{VaultError, files};

/// The markdown files of a folder of the demo, by name without ending, as pairs of file name and text.
macro_rules! demo_files {
    ($folder:literal: $($name:literal)*) => {
        &[$((concat!($name, ".md"), include_str!(concat!("../../assets/demo/", $folder, "/", $name, ".md")))),*]
    };
}

/// Every day file of the demo, by name.
const DAYS: &[(&str, &str)] = demo_files! { "memory":
    "2025-06-11" "2025-07-19" "2025-08-02" "2025-08-15" "2026-05-04" "2026-05-06" "2026-05-08" "2026-05-10"
    "2026-05-11" "2026-05-14" "2026-05-16" "2026-05-19" "2026-05-22" "2026-05-24" "2026-05-27" "2026-05-30"
    "2026-06-01" "2026-06-03" "2026-06-04" "2026-06-07" "2026-06-08" "2026-06-09" "2026-06-10" "2026-06-11"
    "2026-06-12" "2026-06-13" "2026-06-15" "2026-06-18" "2026-06-20" "2026-06-21" "2026-06-24" "2026-06-25"
    "2026-06-28" "2026-07-01" "2026-07-03" "2026-07-05" "2026-07-07" "2026-07-08" "2026-07-09" "2026-07-10"
    "2026-07-11" "2026-07-14" "2026-07-15" "2026-07-16" "2026-07-19" "2026-07-22" "2026-07-25" "2026-07-28"
    "2026-07-31" "2026-08-02" "2026-08-05" "2026-08-07" "2026-08-09" "2026-08-11" "2026-08-13" "2026-08-15"
    "2026-08-18" "2026-08-20" "2026-08-21" "2026-08-23" "2026-08-27" "2026-08-28" "2026-08-30"
};

/// The entity notes of the demo, by file name.
const NOTES: &[(&str, &str)] = demo_files! { "entities":
    "Asano River" "Bà Sáu" "Bảo" "Câu Lâu" "Giao Thủy" "Heron" "Huế" "Hạnh" "Hội An" "Kanazawa" "Khoa" "Má" "Mỹ Khê"
    "Ngân" "Nông Sơn" "Peugeot" "Thư" "Tomoko" "Tư" "Đà Nẵng"
};

/// Writes the demo's day files and notes into the vault folder `into`. Returns the number of new files. Existing files
/// are kept: the user may have edited them.
#[cfg(any(test, feature = "lab"))]
pub fn write_demo(into: &Path) -> Result<usize, VaultError> {
    Ok(write_new(&into.join("memory"), DAYS)? + write_new(&into.join("entities"), NOTES)?)
}

/// Writes the demo with all its dates moved, so that its last entry was written today, before `now`.
pub fn write_demo_until(into: &Path, now: &Zoned) -> Result<usize, VaultError> {
    let day_of = |name: &str| name.strip_suffix(".md")?.parse::<civil::Date>().ok();
    let last = DAYS.iter().filter_map(|(name, _)| day_of(name)).max().unwrap_or_else(|| now.date());
    let by = last.until(now.date()).map_or(0, |span| span.get_days());
    let days: Vec<(String, String)> = DAYS
        .iter()
        .filter_map(|(name, text)| {
            let day = day_of(name)?;
            let mut text = moved(text, day, by);
            if day == last {
                text = not_after(&text, now);
            }
            Some((format!("{}.md", day.saturating_add(by.days())), text))
        })
        .collect();
    Ok(write_new(&into.join("memory"), &days)? + write_new(&into.join("entities"), NOTES)?)
}

/// A day file with every date, month and weekday moved by a number of days. A date with its year in words stays.
fn moved(text: &str, day: civil::Date, by: i32) -> String {
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let begins = !made.ends_with(char::is_alphanumeric);
        let (taken, new) = begins.then(|| date(rest, day, by)).flatten().unwrap_or((letter.len_utf8(), letter.into()));
        made.push_str(&new);
        rest = &rest[taken..];
    }
    made
}

/// The date at the start of a text: its length, and the text of the moved one.
fn date(text: &str, day: civil::Date, by: i32) -> Option<(usize, String)> {
    let add = |date: civil::Date| date.saturating_add(by.days());
    if let Some(written) = text.get(..10).and_then(|iso| iso.parse().ok()) {
        return Some((10, add(written).to_string()));
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let name = if digits == 0 { text } else { text[digits..].strip_prefix(' ')? };
    let end = name.find(|c: char| !c.is_alphabetic()).unwrap_or(name.len());
    let word = &name[..end];
    let has_year = name[end..].trim_start().starts_with(|c: char| c.is_ascii_digit());
    let length = text.len() - name.len() + end;
    let of = |month: i8, nth: i8| civil::Date::new(day.year(), month, nth).ok();
    let month = (1..=12).find(|month| of(*month, 1).is_some_and(|first| first.strftime("%B").to_string() == word));
    if let Some(month) = month.filter(|_| !has_year) {
        return Some(match text[..digits].parse() {
            Ok(nth) => (length, add(of(month, nth)?).strftime("%-d %B").to_string()),
            Err(_) => (length, add(of(month, 15)?).strftime("%B").to_string()),
        });
    }
    let mut week = day.series(1.day()).take(7);
    let weekday = week.find(|day| digits == 0 && day.strftime("%A").to_string() == word)?;
    Some((length, add(weekday).strftime("%A").to_string()))
}

/// Entries that would be in the future are of now.
fn not_after(text: &str, now: &Zoned) -> String {
    let clock = |line: &str| line.split_once('T').and_then(|(_, clock)| clock.get(..8)?.parse::<civil::Time>().ok());
    let line = |line: &str| match clock(line).filter(|clock| line.starts_with("time:") && *clock > now.time()) {
        Some(late) => line.replacen(&late.to_string(), &now.strftime("%H:%M:00").to_string(), 1),
        None => line.to_owned(),
    };
    text.split_inclusive('\n').map(line).collect()
}

fn write_new<T: AsRef<str>>(folder: &Path, contents: &[(T, T)]) -> Result<usize, VaultError> {
    files::create_dir(folder)?;
    let mut written = 0;
    for (name, text) in contents {
        let path = folder.join(name.as_ref());
        if !path.exists() {
            files::replace(&path, text.as_ref().as_bytes())?;
            written += 1;
        }
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::journal::{EntityKind, NoticeKind, day_file};

    #[test]
    fn every_file_is_built_in() {
        for (folder, table) in [("memory", DAYS), ("entities", NOTES)] {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo").join(folder);
            let on_disk: BTreeSet<String> =
                std::fs::read_dir(path).unwrap().map(|item| item.unwrap().file_name().into_string().unwrap()).collect();
            let built_in: BTreeSet<String> = table.iter().map(|(name, _)| name.to_string()).collect();
            assert_eq!(on_disk, built_in);
        }
    }

    #[test]
    fn every_note_is_on_a_name_of_the_texts() {
        let texts: String = DAYS.iter().map(|(_, text)| *text).collect();
        for (file, text) in NOTES {
            assert!(texts.contains(file.trim_end_matches(".md")), "{file}");
            let kind = text.lines().nth(1).and_then(|line| line.strip_prefix("type: "));
            assert!(kind.and_then(EntityKind::parse).is_some(), "{file}: {kind:?}");
        }
    }

    #[test]
    fn every_entry_reads_without_a_notice_on_the_day_of_its_file() {
        let reading = day_file::Reading { zone: jiff::tz::TimeZone::UTC, day_start: jiff::civil::Time::midnight() };
        let mut ids = BTreeSet::new();
        for (name, text) in DAYS {
            let scan = day_file::scan(text.as_bytes());
            let file = (*name).into();
            assert_eq!(day_file::notices(text.as_bytes(), &scan, &file), [], "{name}: {:?}", NoticeKind::NoHead);
            for written in day_file::entries(text.as_bytes(), &scan, &file, &reading) {
                assert_eq!(format!("{}.md", written.entry.day), *name);
                assert!(!written.entry.body.trim().is_empty(), "{name}");
                assert!(ids.insert(written.entry.id.clone()), "{name}: {} twice", written.entry.id);
            }
        }
        assert!(ids.len() >= 60, "{} entries", ids.len());
    }

    #[test]
    fn the_demo_ends_on_any_day_that_is_today() {
        let reading = day_file::Reading { zone: jiff::tz::TimeZone::UTC, day_start: jiff::civil::Time::midnight() };
        for now in ["2026-11-20T09:00[+07:00]", "2028-02-29T23:59[+07:00]", "2027-01-01T00:05[+07:00]"] {
            let now: Zoned = now.parse().unwrap();
            let folder = tempfile::tempdir().unwrap();
            assert_eq!(write_demo_until(folder.path(), &now).unwrap(), DAYS.len() + NOTES.len());
            let mut days = Vec::new();
            for item in std::fs::read_dir(folder.path().join("memory")).unwrap() {
                let path = item.unwrap().path();
                let text = std::fs::read(&path).unwrap();
                let file = path.file_name().unwrap().to_str().unwrap().into();
                let scan = day_file::scan(&text);
                assert_eq!(day_file::notices(&text, &scan, &file), []);
                for written in day_file::entries(&text, &scan, &file, &reading) {
                    assert_eq!(format!("{}.md", written.entry.day), *file);
                    assert!(written.entry.time.local() <= now.datetime(), "{} is later than {now}", written.entry.id);
                    days.push(written.entry.day);
                }
            }
            assert_eq!(days.iter().max(), Some(&now.date()));
            assert_eq!(days.len(), 72);
        }
    }

    #[test]
    fn dates_in_the_texts_move_with_the_entries() {
        let day = civil::date(2026, 6, 18);
        let by = |by| move |text: &str| moved(text, day, by);
        assert_eq!(
            by(0)("on 10 July, since May, Wednesday, 2026-05-22T05:50"),
            "on 10 July, since May, Wednesday, 2026-05-22T05:50"
        );
        assert_eq!(by(82)("from September to 10 July"), "from December to 30 September");
        assert_eq!(
            by(82)("only Wednesday; gauges 5 to 9: June and July"),
            "only Monday; gauges 5 to 9: September and October"
        );
        assert_eq!(
            by(82)("it is 1 January 2000. 3;2026-05-22T05:50;1.38"),
            "it is 1 January 2000. 3;2026-08-12T05:50;1.38"
        );
        assert_eq!(by(82)("Mayor Mondays ừ 日本 3 apples"), "Mayor Mondays ừ 日本 3 apples");
    }

    #[test]
    fn what_is_there_already_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let day = folder.path().join("memory").join(DAYS[0].0);
        std::fs::create_dir_all(day.parent().unwrap()).unwrap();
        std::fs::write(&day, "mine").unwrap();
        assert_eq!(write_demo(folder.path()).unwrap(), DAYS.len() + NOTES.len() - 1);
        assert_eq!(std::fs::read_to_string(&day).unwrap(), "mine");
        assert_eq!(write_demo(folder.path()).unwrap(), 0);
    }
}
