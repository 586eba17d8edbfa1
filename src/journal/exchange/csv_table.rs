//! CSV tables: export of every field, and import of any table with a column of times and one of texts.

use std::{io, path::Path};

use csv::StringRecord;

use super::{
    ExchangeError, Exporter, ImportOptions, Imported, Importer, LossKind, Record, Source, Spot,
    jrnl_dates::read as read_date, made_id, wall_time,
};
use crate::journal::{Entry, EntryTime};

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

const TIME: &[&str] = &["time", "datetime", "date", "created", "day"];
const TEXT: &[&str] = &["text", "body", "content", "note", "entry"];
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
    pub fn read(text: &str, path: &Path, imported: &mut Imported) -> Self {
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
        let names = reader.headers().into_iter().flatten().map(|name| name.trim().to_lowercase()).collect();
        let mut rows = Vec::new();
        for row in reader.records() {
            match row {
                Ok(row) => rows.push(row),
                Err(error) => imported.lose(LossKind::Skipped, path, 1, error.to_string()),
            }
        }
        Self { names, rows }
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
    let text = source.text(&mut imported)?;
    let format = options.format()?;
    let table = Table::read(&text, source.path(), &mut imported);
    let names = &table.names;
    let column = |wanted: &[&str]| wanted.iter().find_map(|name| table.column(name));
    let (Some(time_at), Some(text_at)) = (column(TIME), column(TEXT)) else {
        let expected = "table with a column `time` or `date` and a column `text`";
        return Err(ExchangeError::NotThere { path: source.path().into(), expected });
    };
    let separators: &[char] = if names.starts_with(&OWN.map(str::to_owned)) { &['|'] } else { &[',', '|'] };
    for row in &table.rows {
        let cell = |name: &str| table.cell(row, name);
        let (written, text) = (row.get(time_at).unwrap_or_default(), row.get(text_at).unwrap_or_default());
        let own = || {
            let wall = format.as_ref().map_or_else(|| read_date(written)?.moment(None), |format| format.whole(written));
            wall_time(wall?, &options.zone)
        };
        let time = EntryTime::parse(written, &options.zone).filter(|_| format.is_none()).or_else(own);
        let id = Some(cell("id")).filter(|id| !id.is_empty()).map(str::to_owned);
        let others = names
            .iter()
            .enumerate()
            .filter(|(at, name)| *at != time_at && *at != text_at && !KNOWN.contains(&name.as_str()));
        let record = Record {
            id: id.unwrap_or_else(|| made_id("csv", &[written, cell("title"), text])),
            time,
            title: cell("title"),
            text,
            mood: Some(cell("mood").to_owned()),
            tags: cell("tags").split(separators).map(str::to_owned).collect(),
            event_time: Some(cell("event_time").to_owned()),
            extra: others.filter_map(|(at, name)| Some((name.as_str(), row.get(at)?.to_owned()))).collect(),
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
