//! CSV tables: export of every field, and import of any table with a column of times and one of texts.

use std::{io, path::Path};

use csv::StringRecord;

use super::{
    ExchangeError, Exporter, ImportOptions, Imported, Importer, LossKind, Record, Source, Spot,
    jrnl_dates::clock_alone, made_id, source::decode_verbatim, wall_time,
};
use crate::journal::Entry;

pub(super) const IMPORTER: Importer = Importer {
    name: "csv",
    about: "a table with a column time or date, and text; others: title, mood, tags, id",
    read,
};

pub(super) const EXPORTER: Exporter = Exporter::new(
    "csv",
    "a table: id, time, day, mood, tags, event_time, text, and a column per further key",
    document,
);

pub(super) const TIME: &[&str] = &["time", "datetime", "date", "created", "day"];
pub(super) const TEXT: &[&str] = &["text", "body", "content", "note", "entry"];
/// In the order in which they are tried.
pub(super) const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];
/// The first columns of an export. Only there, tags are never separated by commas.
pub(super) const OWN: [&str; 7] = ["id", "time", "day", "mood", "tags", "event_time", "text"];
const KNOWN: &[&str] = &["id", "mood", "title", "tags", "event_time", "day"];

/// A table with named columns.
pub(super) struct Table {
    /// In lower case.
    names: Vec<String>,
    pub rows: Vec<StringRecord>,
}

impl Table {
    /// Reads a table with the first separator that makes the header name a time and a text, or else with commas.
    pub fn read(text: &str, path: &Path, imported: &mut Imported) -> Self {
        let opened = |separator| {
            let mut reader = csv::ReaderBuilder::new().flexible(true).delimiter(separator).from_reader(text.as_bytes());
            let names = reader.headers().into_iter().flatten().map(|name| name.trim().to_lowercase()).collect();
            (reader, Self { names, rows: Vec::new() }, separator)
        };
        let found = SEPARATORS.into_iter().map(opened).find(|(_, table, _)| table.time_and_text().is_some());
        let (mut reader, mut table, separator) = found.unwrap_or_else(|| opened(SEPARATORS[0]));
        for row in reader.records() {
            match row {
                Ok(row) => table.rows.push(table.fitted(row, separator, path, imported)),
                Err(error) => imported.lose(LossKind::Skipped, path, 1, error.to_string()),
            }
        }
        table
    }

    /// The row with what is behind the last column joined to it: a text in the last column has a separator without quotes.
    fn fitted(&self, row: StringRecord, separator: u8, path: &Path, imported: &mut Imported) -> StringRecord {
        let Some(last) =
            self.names.len().checked_sub(1).filter(|last| row.iter().skip(last + 1).any(|cell| !cell.is_empty()))
        else {
            return row;
        };
        let at = spot(&row, path);
        let message = "more cells than columns: the rest is joined to the last column";
        imported.lose(LossKind::Doubtful, at.path, at.line, message);
        let rest = row.iter().skip(last).collect::<Vec<_>>().join(&char::from(separator).to_string());
        let mut fitted: StringRecord = row.iter().take(last).chain([rest.as_str()]).collect();
        fitted.set_position(row.position().cloned());
        fitted
    }

    fn time_and_text(&self) -> Option<(usize, usize)> {
        let column = |wanted: &[&str]| wanted.iter().find_map(|name| self.column(name));
        Some((column(TIME)?, column(TEXT)?))
    }

    fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    pub fn cell<'r>(&self, row: &'r StringRecord, name: &str) -> &'r str {
        self.column(name).and_then(|at| row.get(at)).unwrap_or_default()
    }
}

pub(super) fn spot<'p>(row: &StringRecord, path: &'p Path) -> Spot<'p> {
    Spot { path, line: row.position().map_or(0, |at| at.line() as usize) }
}

fn read(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    let mut imported = Imported::default();
    let mut text = decode_verbatim(&source.bytes()?, source.path(), &mut imported);
    if !text.starts_with(&OWN.join(",")) {
        text = text.replace("\r\n", "\n");
    }
    let format = options.format()?;
    let table = Table::read(&text, source.path(), &mut imported);
    let names = &table.names;
    let Some((time_at, text_at)) = table.time_and_text() else {
        return Err(source.without(
            "table with a column `time` or `date` and a column `text`, separated by commas, semicolons or tabs",
        ));
    };
    let is_own = names.starts_with(&OWN.map(str::to_owned));
    let separators: &[char] = if is_own { &['|'] } else { &[',', '|'] };
    let date_at = table.column("time").and_then(|_| table.column("date").or_else(|| table.column("day")));
    let moment = |written: &str| options.moment(written, format.as_ref());
    for row in &table.rows {
        let cell = |name: &str| table.cell(row, name);
        let column = |at: usize| row.get(at).unwrap_or_default();
        let whole = moment(column(time_at));
        // A column of dates beside one of clock times.
        let date_at = date_at.filter(|_| whole.is_none());
        let written = match date_at {
            Some(at) => format!("{} {}", column(at), column(time_at)).trim().to_owned(),
            None => column(time_at).to_owned(),
        };
        let on_day = || {
            let day = moment(column(date_at?))?.local().date();
            wall_time(day.to_datetime(clock_alone(column(time_at))?), &options.zone)
        };
        let time = whole.or_else(|| moment(&written)).or_else(on_day);
        let has_clock = options.has_clock(&written, format.as_ref()) || clock_alone(column(time_at)).is_some();
        let id = Some(cell("id")).filter(|id| !id.is_empty()).map(str::to_owned);
        let others = names.iter().enumerate().filter(|(at, name)| {
            ![Some(time_at), Some(text_at), date_at].contains(&Some(*at)) && !KNOWN.contains(&name.as_str())
        });
        let record = Record {
            id: id.unwrap_or_else(|| made_id("csv", &[&written, cell("title"), column(text_at)])),
            time,
            title: cell("title"),
            text: column(text_at),
            is_verbatim: is_own,
            is_undated: !has_clock,
            mood: Some(cell("mood").to_owned()),
            tags: cell("tags").split(separators).map(str::to_owned).collect(),
            event_time: Some(cell("event_time").to_owned()),
            extra: others.filter_map(|(at, name)| Some((name.as_str(), row.get(at)?.to_owned()))).collect(),
            ..Record::default()
        };
        imported.add(record, spot(row, source.path()));
    }
    Ok(imported)
}

fn document(entries: &[Entry], out: &mut dyn io::Write) -> io::Result<()> {
    let mut keys: Vec<&str> = Vec::new();
    for (key, _) in entries.iter().flat_map(|entry| &entry.extra) {
        if !keys.contains(&key.as_str()) {
            keys.push(key);
        }
    }
    let mut table = csv::Writer::from_writer(out);
    table.write_record(OWN.iter().chain(&keys))?;
    for entry in entries {
        let (day, tags) = (entry.day.to_string(), entry.tags.join(" | "));
        let event_time = entry.event_time.as_deref().unwrap_or_default();
        let mood = entry.mood.as_deref().unwrap_or_default();
        let fields = [entry.id.as_str(), &entry.time.written, &day, mood, &tags, event_time, &entry.body];
        let value = |key: &&str| entry.extra.iter().find(|(known, _)| known == key).map_or("", |(_, value)| value);
        table.write_record(fields.into_iter().chain(keys.iter().map(value)))?;
    }
    table.flush()
}
