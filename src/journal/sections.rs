//! Sections of a day file of another program: headings with a time of the day, each an entry of its own.
//!
//! A heading is a time if it begins with one: `## 09:30`, `### 9:30 am A title`, and `** 09:30 A title` in org. A text
//! without a head has sections if, from its first such heading on, every heading of that level or above is a time of
//! that level, and no heading before it is of that level. Otherwise it is one entry. Headings in code blocks do not
//! count; list items with times are text.
//!
//! - The text above the first section is an entry of its own, unless it is only a title of the day.
//! - The body of a section begins with the title in its heading, or else with the first line below it.
//! - The id is the name of the file and the time (`2026-02-22.md#09:30`). Sections of one minute have ids with a part of
//!   their body hash (`2026-02-22.md#09:30~1f2e3d4c`), so that none takes over the id of a deleted one.
//! - Front matter belongs to the first entry of the file; its tags apply to all.
//! - A new entry of a day with sections becomes a section too, if it consists of time and text alone and no entry with
//!   a head precedes it. An edit that a section cannot hold (a mood, another time, a heading within the text) moves the
//!   entry behind the others of the file, with a head.

use std::collections::HashSet;

use jiff::civil;

use super::{
    BodyHash, EntryTime,
    day_names::day_of,
    head::{Line, behind_blank_lines, less_empty_line, less_ending, lines_from},
    time::clock_text,
};

/// The part of a text without a head that a block is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum TextPart {
    #[default]
    Whole,
    /// The text above the first section, which begins at this time.
    Preamble {
        before: civil::Time,
    },
    Section(Section),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Section {
    pub clock: civil::Time,
    /// The first bytes of the body hash, if other entries of the file have this time.
    hash: Option<u32>,
    /// Number among the sections of the same time and hash, from 1.
    nth: usize,
    /// Whether it is the first entry of the file.
    pub leads: bool,
}

impl TextPart {
    pub fn section(self) -> Option<Section> {
        if let Self::Section(section) = self { Some(section) } else { None }
    }
}

impl Section {
    pub fn id(&self, file: &str) -> String {
        format!("{file}#{}", self.name())
    }

    pub fn is_twin_of(self, other: Self) -> bool {
        self.hash.is_some() && (self.clock, self.hash) == (other.clock, other.hash)
    }

    /// `09:30`, `09:30~1f2e3d4c`, or `09:30~1f2e3d4c.2` for a second one of equal text.
    fn name(&self) -> String {
        let clock = clock_text(self.clock);
        match (self.hash, self.nth) {
            (None, _) => clock,
            (Some(hash), 1) => format!("{clock}~{hash:08x}"),
            (Some(hash), nth) => format!("{clock}~{hash:08x}.{nth}"),
        }
    }
}

/// The day file that the id of an entry without a head names.
pub(super) fn file_of_id(id: &str) -> Option<&str> {
    let file = id.rsplit_once('#').map_or(id, |(file, _)| file);
    [file, id].into_iter().find(|name| day_of(name).is_some())
}

/// Whether an id is that of a section.
pub(super) fn is_of_section(id: &str) -> bool {
    file_of_id(id).is_some_and(|file| file != id)
}

/// A part of a text: from its heading to the next one.
pub(super) struct Part {
    pub kind: TextPart,
    pub start: usize,
    /// Offset of the body, behind the heading and its time.
    pub body: usize,
    pub body_end: usize,
    pub end: usize,
}

/// A heading of markdown (`#`) or org (`*`).
#[derive(Clone, Copy)]
struct Heading {
    line: Line,
    mark: u8,
    level: usize,
}

/// Splits the text from `start` to `end` into its sections; `None` if it has none. `is_followed`: entries with heads
/// come behind it, and `ids` gives their ids, some of which may be of sections that got a head.
pub(super) fn split(
    bytes: &[u8],
    start: usize,
    end: usize,
    is_followed: bool,
    ids: impl Iterator<Item = String>,
) -> Option<Vec<Part>> {
    let headings = headings(bytes, start, end);
    let timed = |heading: &Heading| clock_of(bytes, heading).is_some();
    let first = headings.iter().find(|heading| timed(heading))?;
    let alike: Vec<&Heading> =
        headings.iter().filter(|other| other.mark == first.mark && other.level <= first.level).collect();
    let is_one = |heading: &&&Heading| heading.level == first.level && timed(heading);
    let from = alike.iter().position(|heading| heading.line.start == first.line.start)?;
    let (above, sections) = alike.split_at(from);
    if above.iter().any(|heading| heading.level == first.level) || !sections.iter().all(|heading| is_one(&heading)) {
        return None;
    }
    let mut taken: HashSet<String> = ids.filter_map(|id| Some(id.rsplit_once('#')?.1.to_owned())).collect();
    let mut parts = Vec::with_capacity(sections.len() + 1);
    let clocks: Vec<civil::Time> = sections.iter().filter_map(|section| Some(clock_of(bytes, section)?.0)).collect();
    if start < first.line.start && !is_title(&bytes[start..first.line.start]) {
        let body_end = less_ending(bytes, start, less_empty_line(bytes, start, first.line.start));
        let kind = TextPart::Preamble { before: clocks[0] };
        parts.push(Part { kind, start, body: start, body_end, end: first.line.start });
    }
    let is_shared = |clock: civil::Time, taken: &HashSet<String>| {
        let (name, with_hash) = (clock_text(clock), format!("{}~", clock_text(clock)));
        clocks.iter().filter(|other| **other == clock).count() > 1
            || taken.iter().any(|id| *id == name || id.starts_with(&with_hash))
    };
    let shared: Vec<bool> = clocks.iter().map(|clock| is_shared(*clock, &taken)).collect();
    for (at, section) in sections.iter().enumerate() {
        let next = sections.get(at + 1).map(|next| next.line.start);
        let (start, end) = (section.line.start, next.unwrap_or(end));
        let (body, body_end) = body(bytes, section, end, is_followed || next.is_some());
        let hash = || {
            let [a, b, c, d, ..] = BodyHash::of(&bytes[body..body_end]).0;
            u32::from_be_bytes([a, b, c, d])
        };
        let mut found = Section { clock: clocks[at], hash: shared[at].then(hash), nth: 1, leads: parts.is_empty() };
        while !taken.insert(found.name()) {
            found.nth += 1;
        }
        let kind = TextPart::Section(found);
        parts.push(Part { kind, start, body, body_end, end });
    }
    Some(parts)
}

/// The headings of a text, without those in code blocks.
fn headings(bytes: &[u8], start: usize, end: usize) -> Vec<Heading> {
    let mut headings = Vec::new();
    let mut fence: Option<(u8, usize)> = None;
    for line in lines_from(bytes, start).take_while(|line| line.start < end) {
        let text = line.text(bytes);
        let indented = text.trim_ascii_start();
        let mark = indented.first().copied().unwrap_or_default();
        let run = indented.iter().take_while(|byte| **byte == mark).count();
        match fence {
            Some((open, length)) if mark == open && run >= length => fence = None,
            None if matches!(mark, b'`' | b'~') && run >= 3 => fence = Some((mark, run)),
            None if indented.len() == text.len() && matches!(mark, b'#' | b'*') && run <= 6 => {
                if matches!(text.get(run), None | Some(b' ' | b'\t')) {
                    headings.push(Heading { line, mark, level: run });
                }
            }
            _ => {}
        }
    }
    headings
}

/// The time that a heading begins with, and the offset behind it and a separator. One star in markdown is a list item.
fn clock_of(bytes: &[u8], heading: &Heading) -> Option<(civil::Time, usize)> {
    if (heading.mark, heading.level) == (b'*', 1) {
        return None;
    }
    let text = heading.line.text(bytes);
    let blank = |at: usize| text[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let start = heading.level + blank(heading.level);
    let (clock, length) = clock(&text[start..])?;
    let mut at = start + length;
    let separator = [&b":"[..], b",", b"-", b"|", "\u{2013}".as_bytes(), "\u{2014}".as_bytes()];
    let behind = at + blank(at);
    if let Some(separator) = separator.iter().find(|separator| text[behind..].starts_with(separator)) {
        let behind = behind + separator.len();
        let is_range = text[behind + blank(behind)..].first().is_some_and(u8::is_ascii_digit);
        if !is_range && (behind == text.len() || blank(behind) > 0) {
            at = behind;
        }
    }
    Some((clock, heading.line.start + at + blank(at)))
}

/// `9:30`, `09:30:15` or `9:30 am` at the start of a text, and its length.
fn clock(text: &[u8]) -> Option<(civil::Time, usize)> {
    let number = |at: usize, least: usize| {
        let digits = text.get(at..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let value = std::str::from_utf8(&text[at..at + digits]).ok()?.parse::<i8>().ok()?;
        (least..=2).contains(&digits).then_some((value, at + digits))
    };
    let (mut hour, at) = number(0, 1)?;
    let (minute, mut at) = number(at + 1, 2).filter(|_| text[at] == b':')?;
    let second = number(at + 1, 2).filter(|_| text[at] == b':');
    let second = second.map_or(0, |(second, end)| {
        at = end;
        second
    });
    let behind = at + usize::from(text.get(at) == Some(&b' '));
    if let Some([half, m]) = text.get(behind..behind + 2)
        && matches!(half, b'a' | b'A' | b'p' | b'P')
        && matches!(m, b'm' | b'M')
        && (1..=12).contains(&hour)
        && text.get(behind + 2).is_none_or(|next| !next.is_ascii_alphanumeric())
    {
        at = behind + 2;
        hour = hour % 12 + if half.eq_ignore_ascii_case(&b'p') { 12 } else { 0 };
    }
    let ends = text.get(at).is_none_or(|next| !next.is_ascii_alphanumeric());
    Some((civil::Time::new(hour, minute, second, 0).ok().filter(|_| ends)?, at))
}

/// Start and end of the body of a section that ends at `end`.
fn body(bytes: &[u8], heading: &Heading, end: usize, is_followed: bool) -> (usize, usize) {
    let title = clock_of(bytes, heading).map_or(heading.line.end, |(_, title)| title);
    let mut start = title;
    if title >= heading.line.end {
        start = behind_blank_lines(bytes, heading.line.next, end);
        if start >= end {
            return (heading.line.end, heading.line.end);
        }
    }
    let until = if is_followed { less_empty_line(bytes, start, end) } else { end };
    (start, less_ending(bytes, start, until).max(start))
}

/// Words of a title that programs write above a day, besides numbers and weekdays.
const OF_TITLES: &str = "kioku journal diary daily note notes log week st nd rd th de of am at t w mon tue wed thu fri sat sun jan feb mar apr may \
     jun jul aug sep oct nov dec january february march april june july august september october november december januar \
     februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août septembre octobre novembre décembre \
     enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre 年月日 月日 tháng năm ngày";
const WEEKDAYS: &str = "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag \
     sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo \
     maandag dinsdag woensdag donderdag vrijdag zaterdag zondag";

/// Whether a text is only a title of the day, in markdown (`# Friday, 1 March 2024`) or org (`* Friday, 03/01/24`).
/// A heading with any other word is text.
pub(super) fn is_title(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let line = text.trim();
    let Some(title) = line.strip_prefix("# ").or_else(|| line.strip_prefix("* ")) else { return false };
    let mark = |c: char| c.is_ascii_digit() || c.is_ascii_punctuation() || matches!(c, '\u{2013}' | '\u{2014}');
    let words = || title.split_whitespace().map(|word| word.replace(mark, "").to_lowercase());
    let is_in = |list: &str, word: &str| list.split_ascii_whitespace().any(|known| known == word);
    let is_known = |word: String| word.is_empty() || is_in(OF_TITLES, &word) || is_in(WEEKDAYS, &word);
    let has_weekday = || line.starts_with('#') && words().any(|word| is_in(WEEKDAYS, &word));
    let names_day = || title.bytes().filter(u8::is_ascii_digit).count() >= 4 || has_weekday();
    title.trim() == "Kioku" || !line.contains('\n') && names_day() && words().all(is_known)
}

/// A text without the empty lines that it begins with.
pub(super) fn below_empty_lines(text: &[u8]) -> &[u8] {
    &text[behind_blank_lines(text, 0, text.len())..]
}

/// The heading of a new section at `time`, in the form of the last section of the file: the same marks, and a line
/// between heading and text if there is one.
pub(super) fn heading_like(last: &[u8], time: &EntryTime, ending: &[u8]) -> Vec<u8> {
    let first = Line::at(last, 0);
    let marks = first.text(last).iter().take_while(|byte| matches!(byte, b'#' | b'*')).count();
    let is_org = last.starts_with(b"*");
    let is_spaced = !is_org && (first.next >= last.len() || Line::at(last, first.next).is_blank(last));
    let above = last[marks..first.end].trim_ascii_start();
    let above = clock(above).map_or(above, |(_, length)| &above[..length]);
    let format = if above.ends_with(b"m") || above.ends_with(b"M") { "%-I:%M %P" } else { "%H:%M" };
    let clock = time.local().strftime(format).to_string();
    let blank = if is_spaced { ending } else { b"" };
    [&last[..marks], b" ", clock.as_bytes(), ending, blank].concat()
}

/// The heading of a section whose body is replaced by `body`. A title stays in its heading; any other text begins below
/// it.
pub(super) fn heading_for(heading: &[u8], old: &[u8], body: &[u8], ending: &[u8]) -> Vec<u8> {
    if heading.is_empty() {
        return Vec::new();
    }
    let first_line = |text: &[u8]| Line::at(text, 0).text(text).to_vec();
    let second_is_blank = |text: &[u8]| {
        let next = Line::at(text, 0).next;
        next >= text.len() || Line::at(text, next).is_blank(text)
    };
    let is_inline = !heading.contains(&b'\n') && !old.is_empty();
    let is_title = !is_inline
        || first_line(old) == first_line(body)
        || second_is_blank(body) && {
            let first = String::from_utf8_lossy(body);
            let is_half = first
                .split(|c: char| !c.is_alphanumeric())
                .next()
                .is_some_and(|word| ["am", "pm"].iter().any(|half| word.eq_ignore_ascii_case(half)));
            first.starts_with(char::is_alphanumeric) && !is_half
        };
    if body.is_empty() {
        heading.trim_ascii_end().to_vec()
    } else if !old.is_empty() && is_title {
        heading.to_vec()
    } else {
        [heading.trim_ascii_end(), ending, ending].concat()
    }
}

#[cfg(test)]
#[path = "sections_tests.rs"]
mod tests;
