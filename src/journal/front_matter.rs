//! Front matter of other programs: YAML at the top of a file, or Logseq's `key:: value` lines.

use jiff::{civil, tz::TimeZone};
use yaml_rust2::{
    Event, Yaml, YamlLoader,
    parser::{MarkedEventReceiver, Parser},
    scanner::{Marker, TScalarStyle},
    yaml::Hash,
};

use super::{
    EntryTime,
    head::{self, Fields, Line},
    value,
};

/// Keys that other programs write the time of a note to.
const CREATED: [&str; 5] = ["created", "created_at", "datetime", "date", "time"];

/// Maximum number of opening brackets, and of columns before the text of a line. Front matter with more is read line by
/// line.
const DEEPEST: usize = 64;

/// Maximum number of lines.
const MOST_FRONT_LINES: usize = 256;

/// Front matter of another program that starts at `opening`, the first line of a file: `key: value` lines up to a second fence.
/// Returns the lines and the closing fence.
pub(super) fn lines(bytes: &[u8], opening: Line) -> Option<(Vec<Line>, Line)> {
    let mut lines = Vec::new();
    let mut line = Line::at(bytes, (opening.next < bytes.len()).then_some(opening.next)?);
    let is_comment = line.text(bytes).starts_with(b"# ");
    if !is_comment {
        head::key_and_value(line.text(bytes))?;
    }
    let mut is_odd = is_comment;
    // A torn or misspelled head must not count as front matter, which is not shown: it is text, so that the user sees
    // it.
    let like_a_head = head::starts_with_known_key(line.text(bytes));
    while !line.is_fence(bytes) {
        let text = line.text(bytes);
        let is_empty = line.is_blank(bytes);
        is_odd |= is_empty;
        // A clock time alone is that of a template.
        let is_time = || head::known_key(text) == Some("time") && !is_clock(text);
        let is_text = like_a_head && (is_empty || is_time());
        if is_text || lines.len() == MOST_FRONT_LINES || line.next >= bytes.len() {
            return None;
        }
        lines.push(line);
        line = Line::at(bytes, line.next);
    }
    // The fence may open the first entry, below front matter that was never closed.
    let opens_entry = line.next < bytes.len() && head::starts_with_known_key(Line::at(bytes, line.next).text(bytes));
    if is_odd && opens_entry {
        return None;
    }
    // With empty lines or comments it might be prose between two rules, which must be shown.
    let is_mapping = || yaml(&String::from_utf8_lossy(&bytes[opening.next..line.start])).is_some();
    (!is_odd && lines.len() <= head::MOST_LINES || is_mapping()).then_some((lines, line))
}

/// Whether a line is a `time:` with only a clock time.
fn is_clock(line: &[u8]) -> bool {
    let written = head::key_and_value(line).and_then(|(_, value)| std::str::from_utf8(value).ok());
    written.is_some_and(|written| of_day(value::bare(written), civil::date(2000, 1, 1), &TimeZone::UTC).is_some())
}

/// The time of a day that is written as `08:15`.
fn of_day(clock: &str, day: civil::Date, zone: &TimeZone) -> Option<EntryTime> {
    EntryTime::parse(&format!("{day}T{clock}"), zone)
}

/// Loads whole numbers as the texts that are written, such as `0912345678` or `0x1F`.
#[derive(Default)]
struct AsWritten(YamlLoader);

impl MarkedEventReceiver for AsWritten {
    fn on_event(&mut self, event: Event, mark: Marker) {
        let event = match event {
            Event::Scalar(text, TScalarStyle::Plain, anchor, None)
                if matches!(Yaml::from_str(&text), Yaml::Integer(_)) =>
            {
                Event::Scalar(text, TScalarStyle::SingleQuoted, anchor, None)
            }
            event => event,
        };
        self.0.on_event(event, mark);
    }
}

/// The keys of a YAML text; `None` if it is no mapping.
pub(super) fn yaml(text: &str) -> Option<Hash> {
    // The library copies what an alias names, and descends into brackets and nested blocks, without a limit. Each block
    // begins at least one column to the right of the one around it.
    let brackets = text.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count();
    let columns = |line: &str| line.len() - line.trim_start_matches(['-', '?', ':', ' ', '\t']).len();
    let is_deep = brackets > DEEPEST || text.lines().any(|line| columns(line) > DEEPEST);
    if is_deep || text.contains('&') && text.contains('*') {
        return None;
    }
    let mut loader = AsWritten::default();
    Parser::new_from_str(text).load(&mut loader, true).ok()?;
    loader.0.documents().first()?.clone().into_hash()
}

/// The fields that kioku knows, and all others as `extra`.
pub(super) fn fields(mapping: &Hash) -> Fields {
    let mut fields = Fields::default();
    for (key, value) in mapping {
        let (Some(key), values) = (key.as_str(), scalars(value)) else { continue };
        let first = || values.first().cloned();
        match key.to_lowercase().as_str() {
            "mood" => fields.mood = first(),
            "event_time" => fields.event_time = first(),
            "tags" | "tag" => match value {
                Yaml::String(list) => fields.tags.extend(tags(list)),
                _ => fields.tags.extend(values.iter().flat_map(|value| tags(value))),
            },
            _ if values.is_empty() => {}
            _ => fields.extra.push((key.to_owned(), values.join(", "))),
        }
    }
    fields
}

/// Whether [`fields`] keeps all of a value, so that a changed one may take its place.
pub(super) fn is_read_whole(key: &str, value: &Yaml) -> bool {
    let is_plain = |text: &str| !text.contains('[');
    match value {
        Yaml::Array(items) => key == "tags" && items.iter().all(|item| item.as_str().is_some_and(is_plain)),
        Yaml::String(text) => is_plain(text),
        _ => !matches!(value, Yaml::Hash(_)),
    }
}

/// The plain values of a value, a list, or a mapping with its keys.
fn scalars(value: &Yaml) -> Vec<String> {
    match value {
        Yaml::Array(items) => items.iter().flat_map(scalars).collect(),
        Yaml::Hash(fields) => {
            let named = |(key, value)| {
                scalars(value).into_iter().map(move |value| format!("{}: {value}", scalar(key).unwrap_or_default()))
            };
            fields.iter().flat_map(named).collect()
        }
        value => scalar(value).into_iter().collect(),
    }
}

/// A plain value as text.
pub(super) fn scalar(value: &Yaml) -> Option<String> {
    match value {
        Yaml::String(text) | Yaml::Real(text) => Some(text.clone()),
        Yaml::Integer(number) => Some(number.to_string()),
        Yaml::Boolean(value) => Some(value.to_string()),
        _ => None,
    }
}

/// `travel, #home, [[Project X]]`.
fn tags(list: &str) -> Vec<String> {
    let clean = |tag: String| tag.trim().trim_start_matches('#').trim_matches(['[', ']']).to_owned();
    value::list(list).into_iter().map(clean).filter(|tag| !tag.is_empty()).collect()
}

/// The `key:: value` lines that a text begins with.
pub(super) fn properties(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let pairs = text.lines().map_while(|line| line.trim_start_matches("- ").trim().split_once("::"));
    pairs.take_while(|(key, _)| !key.contains(char::is_whitespace)).map(|(key, value)| (key, value.trim()))
}

/// Adds mood and tags of the [`properties`] of a text.
pub(super) fn add_properties(fields: &mut Fields, text: &str) {
    for (key, value) in properties(text) {
        match key {
            "mood" if fields.mood.is_none() => fields.mood = Some(value.to_owned()).filter(|mood| !mood.is_empty()),
            "tags" if fields.tags.is_empty() => fields.tags = value.split(',').flat_map(tags).collect(),
            _ => {}
        }
    }
}

/// The time that a note of a day says it was created at, in the zone of the journal.
pub(super) fn created(fields: &Fields, day: civil::Date, zone: &TimeZone) -> Option<EntryTime> {
    let written = |key: &str| fields.extra.iter().find(|(other, _)| other.eq_ignore_ascii_case(key));
    CREATED
        .into_iter()
        .filter_map(written)
        .find_map(|(_, time)| EntryTime::parse(time, zone).or_else(|| of_day(time, day, zone)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_front_matter_is_read() {
        let text = "# made by a program\ntitle: \"A: b\"\nmood: calm # today\ntags:\n  - travel\n  - '#home'\n\naliases: [x, y]\nnested:\n  a: 1\nsleep: 6.5\n";
        let fields = fields(&yaml(text).unwrap());
        assert_eq!((fields.mood.as_deref(), fields.tags), (Some("calm"), vec!["travel".to_owned(), "home".to_owned()]));
        let extra = [("title", "A: b"), ("aliases", "x, y"), ("nested", "a: 1"), ("sleep", "6.5")];
        assert_eq!(fields.extra, extra.map(|(key, value)| (key.to_owned(), value.to_owned())));
        assert_eq!(
            super::fields(&yaml("Tags: travel, [[Project X]]\nmood: [sad, tired]").unwrap()).tags,
            ["travel", "Project X"]
        );
        assert!(yaml("only text").is_none() && yaml("a: b: c").is_none() && yaml("").is_none());
    }

    #[test]
    fn front_matter_nested_without_end_is_no_mapping() {
        let steps = |indicator: &str| (0..200).map(|step| format!("{}{indicator}\n", " ".repeat(step))).collect();
        let texts: [String; 5] = [
            format!("a:\n  {}b", "- ".repeat(20_000)),
            format!("a: 1\n{}b", "? ".repeat(20_000)),
            format!("a: {}", "[".repeat(20_000)),
            steps("a:"),
            steps("-"),
        ];
        for text in texts {
            assert!(yaml(&text).is_none(), "{}", &text[..20]);
        }
        assert!(yaml("a:\n  - - - deep\n    - enough\n").is_some());
    }

    #[test]
    fn properties_of_logseq_are_read_up_to_the_text() {
        let mut fields = Fields::default();
        add_properties(&mut fields, "tags:: #work, [[Project X]]\nmood:: calm\n- Walked with Ana.\n  tags:: later");
        assert_eq!(
            (fields.mood.as_deref(), fields.tags),
            (Some("calm"), vec!["work".to_owned(), "Project X".to_owned()])
        );
    }
}
