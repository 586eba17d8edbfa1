//! Import of claude-mem: what a coding agent did, from the SQLite database `claude-mem.db`.
//!
//! Prompts and summaries become turns of a conversation, observations become findings; all with project and session.
//! Older versions have fewer columns, and other names for the two ids of a session.

use std::collections::{HashMap, HashSet};

use jiff::{Timestamp, tz::TimeZone};
use serde_json::Value;

use super::{
    ExchangeError, ImportOptions, Imported, Importer, Source, Spot, database::Database, either, made_id, milliseconds,
    text, time_in,
};
use crate::journal::{EntryTime, NewRecord, RecordKind};

pub(super) const IMPORTER: Importer = Importer {
    name: "claude-mem",
    about: "the database of claude-mem (`~/.claude-mem/claude-mem.db`), as records",
    read,
};

/// The parts of a summary, with their labels.
const SUMMARY: [(&str, &str); 5] = [
    ("investigated", "Investigated"),
    ("learned", "Learned"),
    ("completed", "Completed"),
    ("next_steps", "Next steps"),
    ("notes", "Notes"),
];
const FILES: [(&str, &str); 3] = [("files_modified", "Changed"), ("files_edited", "Changed"), ("files_read", "Read")];
/// Tables with content that has no place in a record.
const NOT_KEPT: [&str; 5] = ["directives", "pending_messages", "memories", "overviews", "transcript_events"];

fn read(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    let database = Database::open(source)?;
    let sessions = database.table("sdk_sessions")?;
    if sessions.is_empty() && database.count("observations") == 0 {
        return Err(source.without("sessions of claude-mem"));
    }
    let mut reader = Reader {
        imported: Imported::default(),
        projects: sessions.iter().map(|session| (content_id(session), text(session, "project"))).collect(),
        content_ids: sessions.iter().map(|session| (memory_id(session), content_id(session))).collect(),
        source,
        zone: &options.zone,
    };
    let prompts = database.table("user_prompts")?;
    let has_prompts: HashSet<&str> = prompts.iter().map(content_id).collect();
    for (index, row) in prompts.iter().enumerate() {
        reader.add("prompt", row, conversation("user", text(row, "prompt_text").to_owned()), index);
    }
    for (index, row) in sessions.iter().enumerate().filter(|(_, row)| !has_prompts.contains(content_id(row))) {
        if !text(row, "user_prompt").trim().is_empty() {
            reader.add("session", row, conversation("user", text(row, "user_prompt").to_owned()), index);
        }
    }
    for (index, row) in database.table("observations")?.iter().enumerate() {
        let mut finding = NewRecord::new(RecordKind::Finding, observation(row));
        finding.category = Some(text(row, "type").to_owned());
        finding.tags = list(row, "concepts");
        reader.add("observation", row, finding, index);
    }
    for (index, row) in database.table("session_summaries")?.iter().enumerate() {
        reader.add("summary", row, conversation("summary", summary(row)), index);
    }
    let mut imported = reader.imported;
    imported.entries.sort_by_key(|entry| entry.time.as_ref().map(|time| time.at));
    for name in NOT_KEPT {
        (0..database.count(name)).for_each(|_| imported.count_not_kept(name));
    }
    Ok(imported)
}

struct Reader<'a> {
    imported: Imported,
    /// By the agent's id of the session.
    projects: HashMap<&'a str, &'a str>,
    /// The agent's id of a session, by that of claude-mem.
    content_ids: HashMap<&'a str, &'a str>,
    source: &'a Source,
    zone: &'a TimeZone,
}

impl Reader<'_> {
    fn add(&mut self, table: &str, row: &Value, mut record: NewRecord, index: usize) {
        let session = match content_id(row) {
            "" => self.content_ids.get(memory_id(row)).copied().unwrap_or(memory_id(row)),
            id => id,
        };
        let merged = ["merged_into_project", "project"].map(|key| text(row, key)).into_iter();
        let project = merged.chain(self.projects.get(session).copied()).find(|name| !name.is_empty());
        let at = time(row, self.zone);
        let instant = at.as_ref().map(|time| time.at.to_string()).unwrap_or_default();
        record.id = Some(made_id("claude-mem", &[table, session, text(row, "id"), &instant]));
        record.time = at;
        record.project = project.map(str::to_owned);
        record.session = Some(session.to_owned());
        record.source = Some("claude-mem".to_owned());
        self.imported.add_record(record, Vec::new(), Spot { path: self.source.path(), line: index + 1 });
    }
}

fn conversation(role: &str, text: String) -> NewRecord {
    NewRecord { role: Some(role.to_owned()), ..NewRecord::new(RecordKind::Conversation, text) }
}

/// The id that the agent gave to a session.
fn content_id(row: &Value) -> &str {
    either(row, ["content_session_id", "claude_session_id"])
}

/// The id that claude-mem gave to a session.
fn memory_id(row: &Value) -> &str {
    either(row, ["memory_session_id", "sdk_session_id"])
}

fn time(row: &Value, zone: &TimeZone) -> Option<EntryTime> {
    let written = either(row, ["created_at", "started_at"]).parse::<Timestamp>().ok();
    let at =
        written.or_else(|| milliseconds(row, "created_at_epoch")).or_else(|| milliseconds(row, "started_at_epoch"));
    Some(time_in(at?, "", zone))
}

fn observation(row: &Value) -> String {
    let lines = ["title", "subtitle", "narrative", "text"].map(|key| text(row, key).trim().to_owned());
    let mut parts: Vec<String> = Vec::new();
    for line in lines {
        if !line.is_empty() && !parts.contains(&line) {
            parts.push(line);
        }
    }
    let facts: Vec<String> = list(row, "facts").iter().map(|fact| format!("- {fact}")).collect();
    parts.extend((!facts.is_empty()).then(|| facts.join("\n")));
    parts.extend(files(row));
    parts.join("\n\n")
}

fn summary(row: &Value) -> String {
    let request = Some(text(row, "request").trim().to_owned()).filter(|request| !request.is_empty());
    let labelled = SUMMARY.iter().filter_map(|(key, label)| {
        let said = text(row, key).trim();
        (!said.is_empty()).then(|| format!("{label}: {said}"))
    });
    request.into_iter().chain(labelled).chain(files(row)).collect::<Vec<_>>().join("\n\n")
}

fn files(row: &Value) -> Option<String> {
    let lines = FILES.iter().filter_map(|(key, label)| {
        let names: Vec<String> = list(row, key).iter().map(|name| format!("`{}`", name.replace('`', "'"))).collect();
        (!names.is_empty()).then(|| format!("{label}: {}", names.join(", ")))
    });
    Some(lines.collect::<Vec<_>>().join("\n")).filter(|lines| !lines.is_empty())
}

/// A column with a JSON list of texts, or with one text.
fn list(row: &Value, key: &str) -> Vec<String> {
    let written = text(row, key).trim();
    let items = serde_json::from_str::<Vec<String>>(written).unwrap_or_else(|_| match written {
        "" | "null" => Vec::new(),
        text => vec![text.to_owned()],
    });
    items.iter().map(|item| item.trim().to_owned()).filter(|item| !item.is_empty()).collect()
}
