//! Import of plain text in which every entry begins with a line that begins with a date, in the format that the user
//! gives.

use jiff::civil::DateTime;

use super::{
    ExchangeError, ImportOptions, Imported, Importer, LossKind, Record, Source, Spot,
    jrnl_dates::{Format, bare_prefix, with_ones},
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
        let mut heads = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            match head(line, format.as_ref()) {
                Some(found) => heads.push((at, found)),
                None => {
                    let inner = line.trim_start_matches(MARKS);
                    if let Some((_, length)) = prefix(&with_ones(inner), format.as_ref()) {
                        imported.doubt_date(&inner[..length], Spot { path: &path, line: at + 1 });
                    }
                }
            }
        }
        let before = lines[..heads.first().map_or(lines.len(), |(at, _)| *at)].join("\n");
        if !before.trim().is_empty() {
            imported.lose(LossKind::Skipped, &path, 1, "text above the first date");
        }
        for (number, (at, (when, title))) in heads.iter().enumerate() {
            let end = heads.get(number + 1).map_or(lines.len(), |(next, _)| *next);
            let body = [&[*title], &lines[at + 1..end]].concat().join("\n");
            let record = Record {
                id: made_id("text", &[&when.to_string(), body.trim()]),
                time: wall_time(*when, &options.zone),
                text: &body,
                ..Record::default()
            };
            imported.add(record, Spot { path: &path, line: at + 1 });
        }
    }
    Ok(imported)
}

/// Marks of markdown in front of a date.
const MARKS: [char; 7] = ['#', '*', '=', '-', '[', ' ', '\t'];

fn prefix(text: &str, format: Option<&Format>) -> Option<(DateTime, usize)> {
    format.map_or_else(|| bare_prefix(text), |format| format.prefix(text))
}

/// The date at the start of a line, behind marks of markdown, and the rest of the line.
fn head<'l>(line: &'l str, format: Option<&Format>) -> Option<(DateTime, &'l str)> {
    let inner = line.trim_start_matches(MARKS);
    let (when, length) = prefix(inner, format)?;
    Some((when, inner[length..].trim_start_matches([']', ':', ',', '-', '–', '—', '=', '*', ' ', '\t'])))
}
