//! jrnl's own exports: one JSON document, and YAML files with one entry each.
//!
//! The JSON has no seconds. The YAML has headings one level deeper than jrnl's own file.

use serde_json::Value;

use super::records::{strings, text};

/// An entry of an export.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Exported {
    /// Date and time as written.
    pub date: String,
    /// Title and body.
    pub text: String,
    pub starred: bool,
    /// With their signs, if the export has them.
    pub tags: Vec<String>,
    /// Fields that kioku has no place for.
    pub not_kept: Vec<String>,
    pub deeper_headings: bool,
}

/// The entries of a JSON export; `None` for another text. An item that is no entry is `None`.
pub(super) fn json(text: &str) -> Option<Vec<Option<Exported>>> {
    let document: Value = text.trim_start().starts_with('{').then(|| serde_json::from_str(text).ok())??;
    Some(document.get("entries")?.as_array()?.iter().map(of_json).collect())
}

fn of_json(item: &Value) -> Option<Exported> {
    let known = ["title", "body", "date", "time", "tags", "starred"];
    let fields = item.as_object()?.keys().filter(|key| !known.contains(&key.as_str()));
    Some(Exported {
        date: format!("{} {}", text(item, "date"), text(item, "time")).trim().to_owned(),
        text: joined(text(item, "title"), text(item, "body")),
        starred: item.get("starred").and_then(Value::as_bool).unwrap_or_default(),
        tags: strings(item, "tags"),
        not_kept: fields.cloned().collect(),
        deeper_headings: false,
    })
}

/// The entry of a YAML export; `None` for another text. It is not YAML for a YAML parser: jrnl indents by tabs.
pub(super) fn yaml(text: &str) -> Option<Exported> {
    let mut lines = text.lines().skip_while(|line| line.trim() == "---");
    let mut title = None;
    let mut exported = Exported::default();
    for line in lines.by_ref() {
        let (key, value) = line.split_once(':')?;
        let value = value.trim();
        match key {
            "title" => title = Some(value),
            "date" => exported.date = value.to_owned(),
            "starred" => exported.starred = value.eq_ignore_ascii_case("true"),
            "tags" => {
                let tags = value.split(',').map(str::trim).filter(|tag| !tag.is_empty());
                exported.tags = tags.map(str::to_owned).collect();
            }
            "body" => break,
            _ => exported.not_kept.push(key.to_owned()),
        }
    }
    let mut body: Vec<&str> = lines.collect();
    if body.last().is_some_and(|line| line.trim() == "...") {
        body.pop();
    }
    let first = body.iter().find(|line| !line.trim().is_empty()).copied().unwrap_or_default();
    let indent = &first[..first.len() - first.trim_start().len()];
    let indent = if indent.starts_with('\t') { "\t" } else { indent };
    let body: Vec<&str> = body.into_iter().map(|line| line.strip_prefix(indent).unwrap_or(line)).collect();
    exported.deeper_headings = body.iter().any(|line| line.starts_with("##"));
    exported.text = joined(title?, body.join("\n").trim_end());
    Some(exported)
}

fn joined(title: &str, body: &str) -> String {
    if body.is_empty() { title.to_owned() } else { format!("{title}\n{body}") }
}
