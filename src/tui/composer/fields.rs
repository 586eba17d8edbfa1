//! Conversion of time, mood and tags between an entry's head and the small fields of the form.

use jiff::{Zoned, tz};

use crate::{
    arguments,
    extract::dates,
    journal::{BodyHash, Entry, EntryTime},
};

/// Parses a new time for an entry: a clock time alone keeps the entry's day, a day alone keeps its clock time. In the
/// zone of `now` if the entry's offset is that of the zone, else with the entry's own offset.
pub fn destination(typed: &str, base: &Entry, now: &Zoned) -> Option<EntryTime> {
    let typed = typed.trim();
    if typed.is_empty() {
        return None;
    }
    let written = tz::Offset::from_seconds(base.time.offset_seconds).ok()?;
    let here = now.time_zone().to_offset(base.time.at) == written;
    let zone = if here { now.time_zone().clone() } else { tz::TimeZone::fixed(written) };
    let now = now.with_time_zone(zone);
    let local = base.time.local();
    // A year alone is no clock time.
    let is_day = dates::range(typed, &now).is_some();
    let own_day = || dates::moment(&format!("{} {typed}", local.date()), &now).filter(|_| !is_day);
    let own_time = || {
        let day = dates::moment(&format!("{typed} {}", local.strftime("%H:%M")), &now)?.date();
        day.to_datetime(local.time()).to_zoned(now.time_zone().clone()).ok()
    };
    // A complete date and time needs nothing from the entry.
    let whole = || dates::moment(typed, &now);
    own_day().or_else(own_time).or_else(whole).map(|moment| EntryTime::of(&moment))
}

/// The texts of the small fields for an entry.
pub fn shown(entry: &Entry) -> [String; 3] {
    [entry.time.day_and_clock(), entry.mood.clone().unwrap_or_default(), tags_shown(&entry.tags)]
}

/// The hash of what a form for an entry opens with: its fields and its text.
pub fn opened(entry: &Entry) -> BodyHash {
    let [_, mood, tags] = shown(entry);
    BodyHash::of([&entry.time.written, "\n", &mood, "\n", &tags, "\n", &entry.body].concat().as_bytes())
}

/// Tags as the user would type them.
pub fn tags_shown(tags: &[String]) -> String {
    if tags.iter().all(|tag| !tag.contains([' ', ',', ';'])) {
        return tags.join(" ");
    }
    let is_plain = |tag: &String| !tag.contains([',', ';']) && !tag.starts_with(['[', '"', '\'']);
    let written = |tag| if is_plain(tag) { tag.clone() } else { serde_json::json!(tag).to_string() };
    let tags: Vec<String> = tags.iter().map(written).collect();
    // The comma keeps the words of one tag together.
    if let [tag] = &tags[..] { format!("{tag},") } else { tags.join(", ") }
}

/// Parses tags: separated by commas or semicolons, or without any by spaces; `#` before each is optional.
pub fn tags(typed: &str) -> Vec<String> {
    let is_list = typed.contains([',', ';']);
    let parts: Vec<String> = match is_list {
        true => arguments::split_tags(typed),
        false => typed.split_whitespace().map(str::to_owned).collect(),
    };
    arguments::tags(&parts).unwrap_or(parts)
}

pub fn some(typed: &str) -> Option<String> {
    let typed = typed.trim();
    (!typed.is_empty()).then(|| typed.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_with_a_comma_is_one_tag() {
        for written in [vec!["a, b"], vec!["a;b"], vec!["a,b", "x y"], vec!["'90s", "[x, y]", "say \"z\", w"]] {
            assert_eq!(tags(&tags_shown(&written.iter().map(|&tag| tag.to_owned()).collect::<Vec<_>>())), written);
        }
    }

    #[test]
    fn tags_are_read_with_commas_or_blanks() {
        assert_eq!(tags("work  #lunch work"), ["work", "lunch"]);
        assert_eq!(tags("project x, work,"), ["project x", "work"]);
        assert_eq!(tags("work, home x; gym; #run"), ["work", "home x", "gym", "run"]);
        assert_eq!(tags("project x,"), ["project x"]);
        assert!(tags(" # , ").is_empty());
    }

    #[test]
    fn a_time_keeps_its_offset_and_no_fractions() {
        let moment: Zoned = "2026-02-22T15:30:00.25-03:30[-03:30]".parse().unwrap();
        let time = EntryTime::of(&moment);
        assert_eq!(time.written, "2026-02-22T15:30:00-03:30");
        assert_eq!(time.local(), moment.datetime().with().subsec_nanosecond(0).build().unwrap());
    }
}
