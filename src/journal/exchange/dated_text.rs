//! Import of plain text in which every entry begins with a line that begins with a date, in the format that the user
//! gives. An entry whose date has no time is kept at noon with `undated: true`.

use std::ops::Range;

use super::{
    ExchangeError, ImportOptions, Imported, Importer, LossKind, Record, Source, Spot,
    jrnl_dates::{Format, Reading, bare_prefix, has_clock, read as read_date, with_ones},
    made_id, wall_time,
};

pub(super) const IMPORTER: Importer =
    Importer { name: "text", about: "plain text with a date at the start of each entry; see --time-format", read };

fn read(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    let mut imported = Imported::default();
    let format = options.format()?;
    let files = source.files()?;
    for name in &files.names {
        let (path, text) = (files.path(name), files.text(name, &mut imported)?);
        let lines: Vec<&str> = text.lines().collect();
        let mut found = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            match head(line, format.as_ref()) {
                Some(head) => found.push((at, head)),
                None => {
                    if let Some(Head { date, .. }) = head(&with_ones(line), format.as_ref()) {
                        imported.doubt_date(&line[date], Spot { path: &path, line: at + 1 });
                    }
                }
            }
        }
        let order = Reading::common_order(found.iter().map(|(_, head)| head.reading));
        let is_dated = found.iter().any(|(_, head)| matches!(head.reading, Reading::Sure(_)));
        let mut heads = Vec::new();
        for (at, head) in found {
            match head.reading.moment(head.reading.order().or(order)) {
                Some(when) => heads.push((at, when, head)),
                None if is_dated => {
                    imported.lose(LossKind::Doubtful, &path, at + 1, "a date that could mean two days: kept as text");
                }
                None => {
                    let example = lines[at][head.date].to_owned();
                    return Err(ExchangeError::AmbiguousDates { path, line: at + 1, example });
                }
            }
        }
        let before = lines[..heads.first().map_or(lines.len(), |(at, ..)| *at)].join("\n");
        if !before.trim().is_empty() {
            imported.lose(LossKind::Skipped, &path, 1, "text above the first date");
        }
        for (number, (at, when, Head { is_undated, title, .. })) in heads.iter().enumerate() {
            if *is_undated {
                imported.lose(LossKind::Doubtful, &path, at + 1, "no time, kept at noon with undated: true");
            }
            let end = heads.get(number + 1).map_or(lines.len(), |(next, ..)| *next);
            let body = [&[*title], &lines[at + 1..end]].concat().join("\n");
            let record = Record {
                id: made_id("text", &[&when.to_string(), body.trim()]),
                time: wall_time(*when, &options.zone),
                text: &body,
                is_undated: *is_undated,
                ..Record::default()
            };
            imported.add(record, Spot { path: &path, line: at + 1 });
        }
    }
    Ok(imported)
}

/// Marks of markdown in front of a date.
const MARKS: [char; 7] = ['#', '*', '=', '-', '[', ' ', '\t'];

fn prefix(text: &str, format: Option<&Format>) -> Option<(Reading, usize)> {
    let own = |format: &Format| format.prefix(text).map(|(when, length)| (Reading::Sure(when), length));
    format.map_or_else(|| bare_prefix(text), own)
}

/// The line that begins an entry.
struct Head<'l> {
    reading: Reading,
    /// The line is a date without a time.
    is_undated: bool,
    /// Byte range in the line.
    date: Range<usize>,
    title: &'l str,
}

/// Reads a date and a time at the start of a line, behind marks of markdown. Without a format of the user, a line may
/// also be a date alone: with more text, it is prose more often than the start of an entry.
fn head<'l>(line: &'l str, format: Option<&Format>) -> Option<Head<'l>> {
    let start = line.len() - line.trim_start_matches(MARKS).len();
    if let Some((reading, length)) = prefix(&line[start..], format) {
        let date = start..start + length;
        let title = line[date.end..].trim_start_matches([']', ':', ',', '-', '–', '—', '=', '*', ' ', '\t']);
        let is_undated = format.is_some_and(|format| format.clock(&line[date.clone()]).is_none());
        return Some(Head { reading, is_undated, date, title });
    }
    let alone = line[start..].trim_end_matches([']', ':', '=', '*', '#', ' ', '\t']);
    // A dash begins an item of a list.
    if format.is_some() || line[..start].contains('-') {
        return None;
    }
    let reading = read_date(alone).filter(|reading| *reading != Reading::ShortYear)?;
    Some(Head { reading, is_undated: !has_clock(alone), date: start..start + alone.len(), title: "" })
}
