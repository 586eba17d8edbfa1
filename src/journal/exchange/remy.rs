//! Import of Remy: facts, goals and the shopping list of its SQLite database `remy.db`.
//!
//! Current versions keep all of them in one table, `knowledge`; what older ones keep in tables of their own is read too,
//! unless Remy has copied it. Times are in UTC.

use std::collections::HashSet;

use jiff::{civil::DateTime, tz::TimeZone};
use serde_json::Value;

use super::{
    ExchangeError, ImportOptions, Imported, Importer, Source, Spot, database::Database, either, made_id, text, time_in,
};
use crate::journal::{EntryTime, NewRecord, RecordKind, RecordStatus, SHOPPING};

pub(super) const IMPORTER: Importer =
    Importer { name: "remy", about: "the database of Remy (`remy.db`), as records", read };

const METADATA: &str = "category status description";
/// Tables with content that has no place in a record.
const NOT_KEPT: [&str; 6] = ["plans", "plan_steps", "counters", "automations", "photos", "shared_notes"];

fn read(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    let database = Database::open(source)?;
    let tables = ["knowledge", "facts", "goals", "conversations"];
    let mut rows: Vec<(&str, Value)> = Vec::new();
    for table in tables {
        rows.extend(database.table(table)?.into_iter().map(|row| (table, row)));
    }
    let mut users: Vec<String> = rows.iter().map(|(_, row)| text(row, "user_id").to_owned()).collect();
    users.sort_unstable();
    users.dedup();
    let path = source.path().to_path_buf();
    match &options.user {
        Some(user) if !users.contains(user) => {
            return Err(ExchangeError::NoSuchUser { path, user: user.clone(), users });
        }
        Some(user) => rows.retain(|(_, row)| text(row, "user_id") == user),
        None if users.len() > 1 => return Err(ExchangeError::SeveralUsers { path, users }),
        None if users.is_empty() => return Err(source.without("knowledge of Remy")),
        None => {}
    }
    let mut imported = Imported::default();
    let mut copied: HashSet<(RecordKind, String)> = HashSet::new();
    for (index, (table, row)) in rows.iter().enumerate() {
        let at = Spot { path: source.path(), line: index + 1 };
        let Some((mut record, extra)) = record(table, row, &mut imported) else { continue };
        let is_new = copied.insert((record.kind, record_key(row)));
        if !is_new && matches!(*table, "facts" | "goals") {
            continue;
        }
        let written = either(row, ["created_at", "started_at"]);
        record.id = Some(made_id("remy", &[table, text(row, "user_id"), text(row, "id"), written]));
        record.time = time(written, &options.zone);
        record.source = Some("remy".to_owned());
        imported.add_record(record, extra, at);
    }
    for name in NOT_KEPT {
        (0..database.count(name)).for_each(|_| imported.count_not_kept(name));
    }
    Ok(imported)
}

/// What Remy compares to tell whether it has copied a row.
fn record_key(row: &Value) -> String {
    either(row, ["content", "title"]).to_lowercase()
}

/// The record of a row, with further keys; `None` for a conversation without a summary.
fn record<'k>(table: &str, row: &Value, imported: &mut Imported) -> Option<(NewRecord, Vec<(&'k str, String)>)> {
    let metadata: Value = serde_json::from_str(text(row, "metadata")).unwrap_or_default();
    imported.count_unknown(&metadata, METADATA);
    let of = |key: &str| [text(&metadata, key), text(row, key)].into_iter().find(|value| !value.is_empty());
    let content = either(row, ["content", "title"]).to_owned();
    let kind = match (table, text(row, "entity_type")) {
        ("facts", _) | (_, "fact") => RecordKind::Fact,
        ("goals", _) | (_, "goal") => RecordKind::Goal,
        ("conversations", _) => RecordKind::Conversation,
        (_, "shopping_item") => RecordKind::Item,
        _ => RecordKind::Note,
    };
    let mut record = NewRecord::new(kind, content);
    let mut extra = Vec::new();
    record.session = Some(either(row, ["source_session", "session_key"]).to_owned());
    match kind {
        RecordKind::Conversation => {
            record.text = text(row, "summary").to_owned();
            record.role = Some("summary".to_owned());
            if record.text.trim().is_empty() {
                return None;
            }
        }
        RecordKind::Item => record.list = Some(SHOPPING.to_owned()),
        RecordKind::Goal => {
            record.text.extend(of("description").map(|description| format!("\n\n{description}")));
            let closed = match of("status") {
                Some("completed" | "complete" | "done") => Some(RecordStatus::Done),
                Some("abandoned" | "cancelled" | "dropped") => Some(RecordStatus::Dropped),
                _ => None,
            };
            if let Some(status) = closed {
                let day = text(row, "updated_at").get(..10).unwrap_or_default();
                extra = vec![("status", status.word().to_owned()), ("closed", day.to_owned())];
            }
        }
        RecordKind::Fact => record.category = of("category").map(str::to_owned),
        _ => record.category = of("entity_type").map(str::to_owned),
    }
    Some((record, extra))
}

/// `2026-03-01 08:15:00`, in UTC.
fn time(written: &str, zone: &TimeZone) -> Option<EntryTime> {
    let wall: DateTime = written.parse().ok()?;
    Some(time_in(TimeZone::UTC.to_timestamp(wall).ok()?, "", zone))
}
