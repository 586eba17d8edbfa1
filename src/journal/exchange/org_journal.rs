//! Import of org files of a journal, such as those of org-journal (`* date`, and `** 09:30 title` per entry), date trees
//! of org-capture, and outlines with timestamps in their headings.
//!
//! A heading with a time or a timestamp is an entry. Any other heading is an entry of the day above it in the outline: a
//! heading that is a date, a `:CREATED:` property, or the name of the file. Without a time, the entry is kept at noon with
//! `undated: true`; without a day, it is left out.

use jiff::civil::Date;

use super::{
    ExchangeError, Exporter, Files, ImportOptions, Imported, Importer, LossKind, Record, Source, Spot,
    jrnl_dates::at,
    made_id,
    org_heading::{Heading, date_in, is_period},
    wall_time,
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
        return Err(source.without("org files"));
    }
    for name in names {
        file(&files, name, options, &mut imported)?;
    }
    Ok(imported)
}

/// An entry while its lines are read.
struct Open<'t> {
    line: usize,
    /// 0 above the first heading.
    stars: usize,
    heading: Heading<'t>,
    day: Option<Date>,
    tags: Vec<String>,
    lines: Vec<&'t str>,
    /// Whether the lines contain a heading.
    is_nested: bool,
    id: Option<&'t str>,
    extra: Vec<(&'t str, String)>,
}

impl<'t> Open<'t> {
    fn of(line: usize, stars: usize, heading: Heading<'t>, day: Option<Date>, tags: Vec<String>) -> Self {
        let extra = heading.keyword.map(|keyword| ("todo", keyword.to_owned())).into_iter().collect();
        Self { line, stars, heading, day, tags, lines: Vec::new(), is_nested: false, id: None, extra }
    }

    /// Whether it is a day with one more word, and nothing else.
    fn is_one_word(&self) -> bool {
        let is_bare =
            self.tags.is_empty() && self.extra.is_empty() && self.lines.iter().all(|line| line.trim().is_empty());
        self.heading.is_day && is_bare && !self.heading.title.is_empty() && !self.heading.title.contains(' ')
    }

    /// Whether a heading below this one is a part of its text.
    fn holds(&self, stars: usize, heading: &Heading<'_>) -> bool {
        let is_own = heading.is_dated || heading.clock.is_some() && self.heading.is_dated;
        let is_entry = self.stars > 0 && stars > self.stars && !self.heading.is_day;
        is_entry && !is_own && (self.heading.is_timed || stars > 2)
    }
}

/// A heading above the current line.
struct Above<'t> {
    stars: usize,
    text: &'t str,
    day: Option<Date>,
}

fn file(files: &Files<'_>, name: &str, options: &ImportOptions, imported: &mut Imported) -> Result<(), ExchangeError> {
    let path = files.path(name);
    let text = files.text(name, imported)?;
    let mut file_day = name.rsplit('/').next().and_then(date_in);
    let mut outline: Vec<Above<'_>> = Vec::new();
    let mut open: Option<Open<'_>> = None;
    let (mut is_drawer, mut title, mut tags_of_file) = (false, None, Vec::new());
    let mut closed = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let stars = line.len() - line.trim_start_matches('*').len();
        if let Some(heading) = line.get(stars..).and_then(|rest| rest.strip_prefix(' ')).filter(|_| stars > 0) {
            is_drawer = false;
            let (text, tags) = with_tags(heading.trim());
            let up = outline.iter().rev().find(|above| above.stars < stars);
            let day = up.map_or(file_day, |above| above.day);
            let heading = match day.is_none() && is_period(text, up.map(|above| above.text)) {
                true => Heading { is_day: true, ..Heading::default() },
                false => Heading::of(text, day),
            };
            if let Some(current) = open.as_mut().filter(|current| current.holds(stars, &heading)) {
                current.is_nested = true;
                current.lines.push(line);
                continue;
            }
            let day = heading.date.or(day).or_else(|| date_in(text));
            outline.retain(|above| above.stars < stars);
            outline.push(Above { stars, text, day });
            closed.extend(open.replace(Open::of(index + 1, stars, heading, day, tags)));
            continue;
        }
        let current = open.get_or_insert_with(|| Open::of(index + 1, 0, Heading::default(), file_day, Vec::new()));
        match line.trim() {
            ":PROPERTIES:" | ":LOGBOOK:" if !current.is_nested => is_drawer = true,
            ":END:" if is_drawer => is_drawer = false,
            property if is_drawer => match property.strip_prefix(':').and_then(|property| property.split_once(':')) {
                Some(("CREATED", value)) => {
                    current.day = date_in(value).or(current.day);
                    *outline.last_mut().map_or(&mut file_day, |above| &mut above.day) = current.day;
                }
                Some(("ID", value)) => current.id = Some(value.trim()),
                Some((key, value)) => current.extra.push((key, value.trim().to_owned())),
                None => imported.count_not_kept("LOGBOOK"),
            },
            text => match keyword(text).filter(|_| current.stars == 0 && current.lines.is_empty()) {
                Some((key, value)) => match key.to_lowercase().as_str() {
                    "title" => title = Some(value.trim()),
                    "filetags" => tags_of_file.extend(value.split([':', ' ']).map(str::to_owned)),
                    other => imported.count_not_kept(&format!("#+{other}")),
                },
                None => current.lines.push(line),
            },
        }
    }
    closed.extend(open);
    let is_of_day =
        |title: &&str| matches!(Heading::of(title, file_day), named if named.is_day && named.title.is_empty());
    if let (Some(title), Some(first)) = (title.filter(|title| !is_of_day(title)), closed.first_mut()) {
        match first.lines.iter().all(|line| line.trim().is_empty()) {
            true => imported.count_not_kept("#+title"),
            false => first.heading.title = title.into(),
        }
    }
    let mut closed = closed.into_iter().peekable();
    while let Some(entry) = closed.next() {
        // A weekday in a language that is not known: the entries of the day are below it.
        if closed.peek().is_some_and(|next| next.stars > entry.stars) && entry.is_one_word() {
            imported.count_not_kept("one word behind the date of a day");
            continue;
        }
        add(entry, &tags_of_file, &path, options, imported);
    }
    Ok(())
}

/// The key and value of a `#+key: value` line.
fn keyword(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("#+")?.split_once(':').filter(|(key, _)| !key.contains(' '))
}

fn add(
    open: Open<'_>,
    tags_of_file: &[String],
    path: &std::path::Path,
    options: &ImportOptions,
    imported: &mut Imported,
) {
    let text = plain(&open.lines.join("\n"));
    let (clock, title) = (open.heading.clock, &open.heading.title);
    let has_fields = !open.tags.is_empty() || open.extra.iter().any(|(key, _)| *key == "MOOD");
    if title.is_empty() && text.trim().is_empty() && (open.heading.is_day || !has_fields) {
        return;
    }
    let wall = open.day.map(|day| at(day, clock));
    let made = made_id("org", &[&wall.map(|wall| wall.to_string()).unwrap_or_default(), title, &text]);
    let tags = [&open.tags, tags_of_file].concat();
    let mut record = Record { title, text: &text, tags, ..Record::default() };
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
    record.is_undated = clock.is_none();
    if record.time.is_none() {
        let reason = "no date in the heading, above it in the outline or in the name of the file";
        return imported.lose(LossKind::Skipped, path, open.line, reason);
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
