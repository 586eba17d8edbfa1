//! Import of org files of a journal, such as those of org-journal: `* date`, and `** 09:30 title` per entry.
//!
//! The date of a heading comes from its `:CREATED:` property, an ISO date in it, or the name of the file. Text that is
//! not below a time is one entry at noon with `undated: true`.

use jiff::civil::{Date, Time};

use super::{
    ExchangeError, Exporter, Files, ImportOptions, Imported, Importer, Record, Source, Spot, jrnl_dates::clock_alone,
    made_id, wall_time,
};
use crate::journal::Entry;

pub(super) const IMPORTER: Importer =
    Importer { name: "org", about: "org files with dated headings, such as those of org-journal", read };

pub(super) const EXPORTER: Exporter =
    Exporter::new("org", "one org file: a heading per day, and one per entry, as in org-journal", document);

/// Whether a file may be one of a journal in org.
pub(super) fn is_org(name: &str) -> bool {
    name.ends_with(".org") || name.rsplit('/').next().is_some_and(|name| !name.contains('.') && date_in(name).is_some())
}

fn read(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    let mut imported = Imported::default();
    let files = source.files()?;
    let one = !source.is_dir();
    let names: Vec<&String> = files.names.iter().filter(|name| one || is_org(name)).collect();
    if names.is_empty() {
        return Err(ExchangeError::NotThere { path: source.path().into(), expected: "org files" });
    }
    for name in names {
        file(&files, name, options, &mut imported)?;
    }
    Ok(imported)
}

/// An entry while its lines are read.
struct Open<'t> {
    line: usize,
    day: Option<Date>,
    clock: Option<Time>,
    title: &'t str,
    tags: Vec<String>,
    lines: Vec<&'t str>,
    id: Option<&'t str>,
    extra: Vec<(&'t str, String)>,
}

fn file(files: &Files<'_>, name: &str, options: &ImportOptions, imported: &mut Imported) -> Result<(), ExchangeError> {
    let path = files.path(name);
    let text = files.text(name, imported)?;
    let mut day = name.rsplit('/').next().and_then(date_in);
    let mut open: Option<Open<'_>> = None;
    let mut is_drawer = false;
    let mut closed = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let stars = line.len() - line.trim_start_matches('*').len();
        let heading = line.get(stars..).and_then(|rest| rest.strip_prefix(' ')).filter(|_| (1..=2).contains(&stars));
        if let Some(heading) = heading {
            is_drawer = false;
            let (heading, tags) = with_tags(heading.trim());
            let (clock, title) = split_clock(heading);
            let date = (stars == 1 || clock.is_none()).then(|| date_in(heading)).flatten();
            if stars == 1 {
                day = date.or(day);
            }
            closed.extend(open.take());
            // The date in words or in the order of the writer's country.
            let is_date = date.is_some() || heading.bytes().filter(u8::is_ascii_digit).count() >= 4;
            let title = if stars == 1 && clock.is_none() && is_date { "" } else { title };
            let (line, lines, extra) = (index + 1, Vec::new(), Vec::new());
            open = Some(Open { line, day: date.or(day), clock, title, tags, lines, id: None, extra });
            continue;
        }
        let current = open.get_or_insert_with(|| {
            let (lines, tags, extra) = (Vec::new(), Vec::new(), Vec::new());
            Open { line: index + 1, day, clock: None, title: "", tags, lines, id: None, extra }
        });
        match line.trim() {
            ":PROPERTIES:" | ":LOGBOOK:" => is_drawer = true,
            ":END:" if is_drawer => is_drawer = false,
            property if is_drawer => match property.strip_prefix(':').and_then(|property| property.split_once(':')) {
                Some(("CREATED", value)) => {
                    current.day = date_in(value).or(current.day);
                    day = current.day;
                }
                Some(("ID", value)) => current.id = Some(value.trim()),
                Some((key, value)) => current.extra.push((key, value.trim().to_owned())),
                None => imported.count_not_kept("LOGBOOK"),
            },
            keyword if keyword.starts_with("#+") && current.lines.is_empty() => {}
            _ => current.lines.push(line),
        }
    }
    closed.extend(open);
    for entry in closed {
        add(entry, &path, options, imported);
    }
    Ok(())
}

fn add(open: Open<'_>, path: &std::path::Path, options: &ImportOptions, imported: &mut Imported) {
    let text = plain(&open.lines.join("\n"));
    if open.title.is_empty() && text.trim().is_empty() {
        return;
    }
    let wall = open.day.map(|day| day.to_datetime(open.clock.unwrap_or(Time::constant(12, 0, 0, 0))));
    let made = made_id("org", &[&wall.map(|wall| wall.to_string()).unwrap_or_default(), open.title, &text]);
    let mut record = Record { title: open.title, text: &text, tags: open.tags, ..Record::default() };
    record.id = open.id.map_or(made, str::to_owned);
    record.time = wall.and_then(|wall| wall_time(wall, &options.zone));
    for (key, value) in open.extra {
        match key {
            "MOOD" => record.mood = Some(value),
            "EVENT_TIME" => record.event_time = Some(value),
            "TIME" => record.time = crate::journal::EntryTime::parse(&value, &options.zone).or(record.time),
            "TAGS" => record.tags = value.split(" | ").map(str::to_owned).collect(),
            _ => record.extra.push((key, value)),
        }
    }
    if open.clock.is_none() {
        record.extra.push(("undated", "true".to_owned()));
    }
    imported.add(record, Spot { path, line: open.line });
}

/// The trailing `:tag:other:` of a heading.
fn with_tags(heading: &str) -> (&str, Vec<String>) {
    let Some((title, tags)) = heading
        .rsplit_once(' ')
        .or(Some(("", heading)))
        .filter(|(_, tags)| tags.len() > 2 && tags.starts_with(':') && tags.ends_with(':'))
    else {
        return (heading, Vec::new());
    };
    (title.trim_end(), tags.split(':').filter(|tag| !tag.is_empty()).map(str::to_owned).collect())
}

/// `09:30 title`, `[2026-08-07 Fri 09:30] title` or `<…>`: the clock time and the title.
fn split_clock(heading: &str) -> (Option<Time>, &str) {
    if let Some((stamp, title)) = heading.strip_prefix(['[', '<']).and_then(|rest| rest.split_once([']', '>'])) {
        return match stamp.rsplit_once(' ').and_then(|(_, clock)| clock_alone(clock)) {
            Some(clock) => (Some(clock), title.trim()),
            None => (None, heading),
        };
    }
    let (first, rest) = heading.split_once(' ').unwrap_or((heading, ""));
    match clock_alone(first).filter(|_| first.contains(':')) {
        Some(clock) => (Some(clock), rest.trim()),
        None => (None, heading),
    }
}

/// The first `2026-08-07` or `20260807` in a text.
fn date_in(text: &str) -> Option<Date> {
    let is_number = |c: char| c.is_ascii_digit() || c == '-';
    text.split(|c| !is_number(c)).find_map(|word| match word.len() {
        10 => word.parse().ok(),
        8 if !word.contains('-') => format!("{}-{}-{}", &word[..4], &word[4..6], &word[6..]).parse().ok(),
        _ => None,
    })
}

/// Whether a line would be read as a part of org's structure: a heading, keyword or drawer, or one that is protected by
/// a comma.
fn is_special(line: &str) -> bool {
    let is_drawer = [":PROPERTIES:", ":LOGBOOK:"].iter().any(|drawer| line.trim_start().starts_with(drawer));
    line.starts_with('*') || line.starts_with("#+") || is_drawer || line.strip_prefix(',').is_some_and(is_special)
}

/// A text without the commas that protect its lines.
fn plain(text: &str) -> String {
    let lines: Vec<&str> =
        text.lines().map(|line| line.strip_prefix(',').filter(|rest| is_special(rest)).unwrap_or(line)).collect();
    lines.join("\n")
}

fn protected(text: &str) -> String {
    let protected = |line: &str| if is_special(line) { format!(",{line}") } else { line.to_owned() };
    text.lines().map(protected).collect::<Vec<_>>().join("\n")
}

fn document(entries: &[Entry], out: &mut dyn std::io::Write) -> std::io::Result<()> {
    let mut day = None;
    for entry in entries {
        if day != Some(entry.day) {
            day = Some(entry.day);
            writeln!(out, "* {}", entry.day.strftime("%F %A"))?;
        }
        let tags: Vec<String> = entry.tags.iter().map(|tag| tag.replace([' ', ':'], "_")).collect();
        let tags = if tags.is_empty() { String::new() } else { format!(" :{}:", tags.join(":")) };
        writeln!(out, "** {}{tags}", entry.time.clock())?;
        writeln!(out, ":PROPERTIES:\n:TIME: {}\n:ID: {}", entry.time.written, entry.id)?;
        let event = entry.event_time.iter().map(|time| ("EVENT_TIME", time));
        let mood = entry.mood.iter().map(|mood| ("MOOD", mood));
        let extra = entry.extra.iter().map(|(key, value)| (key.as_str(), value));
        let whole = entry.tags.join(" | ");
        let altered = entry.tags.iter().any(|tag| tag.contains([' ', ':'])).then_some(("TAGS", &whole));
        for (key, value) in mood.chain(event).chain(altered).chain(extra).filter(|(key, _)| !key.contains([':', ' '])) {
            writeln!(out, ":{key}: {}", value.replace('\n', " "))?;
        }
        writeln!(out, ":END:\n{}\n", protected(entry.body.trim_end_matches('\n')))?;
    }
    Ok(())
}
