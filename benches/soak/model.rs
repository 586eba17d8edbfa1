//! What the program acknowledged, and whether it kept its word.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::home::{Home, Kill, Ran};

/// What can be seen of a journal through the program.
#[derive(Debug, Default)]
pub struct Seen {
    /// Id and text of each entry.
    pub entries: Vec<(String, String)>,
    /// Id and text of each piece of the trash.
    pub trash: Vec<(String, String)>,
    /// What the first command that read the journal said about it.
    pub said: Vec<String>,
}

impl Seen {
    /// What `export` and `trash` say. An error names the command that failed.
    pub fn of(home: &Home) -> Result<Self, String> {
        let exported = succeeded(home.run(&["export", "jsonl"]), "export")?;
        let mut entries = Vec::new();
        for line in exported.out.lines() {
            let entry: Value = serde_json::from_str(line).map_err(|error| format!("export: {error}: {line}"))?;
            entries.push((text(&entry["id"]), text(&entry["text"])));
        }
        let listed = succeeded(home.run(&["trash", "--json"]), "trash")?;
        let listed = listed.json().ok_or("trash: no JSON")?;
        let pieces = listed["trash"].as_array().cloned().unwrap_or_default();
        let trash = pieces.iter().map(|piece| (text(&piece["entry"]["id"]), text(&piece["entry"]["text"]))).collect();
        Ok(Self { entries, trash, said: exported.err.lines().map(str::to_owned).collect() })
    }

    pub fn has(&self, id: &str) -> bool {
        self.entries.iter().any(|(known, _)| known == id)
    }

    pub fn text_of(&self, id: &str) -> Option<&str> {
        self.entries.iter().find(|(known, _)| known == id).map(|(_, text)| text.as_str())
    }

    fn id_of(&self, text: &str) -> Option<&str> {
        self.entries.iter().find(|(_, known)| known == text).map(|(id, _)| id.as_str())
    }
}

/// A run that ended well, or what went wrong with it.
pub fn succeeded(ran: Ran, what: &str) -> Result<Ran, String> {
    let panicked = ran.err.contains("panicked");
    if ran.is_ok() && !panicked { Ok(ran) } else { Err(format!("{what}: {}", ran.said())) }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Entries found, best first, with their scores.
pub type Answer = Vec<(String, f64)>;

/// The entries found for each question.
pub fn answers(home: &Home, questions: &[String]) -> Vec<Answer> {
    let ran = home.piped(&["search", "--batch"], questions.join("\n").as_bytes(), Kill::Never);
    let found = ran.out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let hit = |hit: &Value| (text(&hit["id"]), hit["score"].as_f64().unwrap_or_default());
    found.map(|found| found["hits"].as_array().into_iter().flatten().map(hit).collect()).collect()
}

/// Whether two indexes of one journal answer alike. Words are weighed by how many texts have them, and an index counts those that
/// were deleted until it merges its files: scores may differ by some hundredths of the best one, and entries that are that near to
/// each other may change places, or be above the line here and below it there.
pub fn alike(one: &Answer, other: &Answer) -> bool {
    const NEAR: f64 = 0.03;
    let best = one.iter().chain(other).map(|(_, score)| score.abs()).fold(0.0, f64::max);
    let near = |a: f64, b: f64| (a - b).abs() <= NEAR * best;
    let holds = |one: &Answer, other: &Answer| {
        let last = other.last().map_or(0.0, |(_, score)| *score);
        // Sure hits come before weak ones, so scores alone are no order.
        let mut furthest = (0, f64::INFINITY);
        one.iter().all(|(id, score)| {
            let Some(place) = other.iter().position(|(known, _)| known == id) else { return near(*score, last) };
            let there = other[place].1;
            let in_order = place >= furthest.0 || near(there, furthest.1);
            if place >= furthest.0 {
                furthest = (place, there);
            }
            in_order && near(*score, there)
        })
    };
    one.len() == other.len() && holds(one, other) && holds(other, one)
}

/// One change of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Add {
        text: String,
    },
    Edit {
        id: String,
        text: String,
    },
    Remove {
        id: String,
    },
    Restore {
        id: String,
    },
    Forget {
        id: String,
    },
    /// Ids and texts of the file.
    Import {
        entries: Vec<(String, String)>,
    },
    /// No entry may come, go or change.
    Nothing,
}

/// What was acknowledged.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// In the journal, by id.
    pub live: BTreeMap<String, String>,
    /// In the trash, by id: texts that were deleted or replaced.
    pub trashed: BTreeMap<String, BTreeSet<String>>,
    /// Gone for good.
    pub forgotten: Vec<String>,
}

impl Model {
    /// Takes over what a run came to. Of one that was killed before it answered, what is seen decides: all of it happened, or none.
    pub fn take(&mut self, change: &Change, ran: &Ran, seen: &Seen) {
        let done = ran.is_ok() || ran.code.is_none() && ran.acknowledged().is_some();
        match change {
            Change::Add { text } => {
                let id = if done { ran.acknowledged() } else { seen.id_of(text) };
                if let Some(id) = id {
                    self.live.insert(id.to_owned(), text.clone());
                }
            }
            Change::Edit { id, text } => {
                if done || seen.text_of(id) == Some(text) {
                    self.replace(id, text);
                }
            }
            Change::Remove { id } => {
                if done || !seen.has(id) {
                    self.remove(id);
                }
            }
            Change::Restore { id } => {
                let newest = self.trashed.get(id).and_then(|texts| texts.iter().next_back()).cloned();
                let text = seen.text_of(id).map(str::to_owned).or(newest.filter(|_| done));
                if let Some(text) = text {
                    if let Some(texts) = self.trashed.get_mut(id) {
                        texts.remove(&text);
                    }
                    self.live.insert(id.clone(), text);
                }
            }
            Change::Forget { id } => {
                // A forgetting that was cut off may have begun with either.
                let texts: Vec<String> = self.trashed.remove(id).into_iter().flatten().collect();
                if done || !seen.has(id) {
                    let live = self.live.remove(id);
                    if done {
                        self.forgotten.extend(texts.into_iter().chain(live));
                    }
                }
            }
            Change::Import { entries } => {
                for (id, text) in entries {
                    if done || seen.text_of(id) == Some(text) {
                        self.live.insert(id.clone(), text.clone());
                    }
                }
            }
            Change::Nothing => {}
        }
    }

    fn replace(&mut self, id: &str, text: &str) {
        let before = self.live.insert(id.to_owned(), text.to_owned());
        if let Some(before) = before.filter(|before| before != text) {
            self.trashed.entry(id.to_owned()).or_default().insert(before);
        }
    }

    fn remove(&mut self, id: &str) {
        if let Some(before) = self.live.remove(id) {
            self.trashed.entry(id.to_owned()).or_default().insert(before);
        }
    }

    /// What was acknowledged and is not there, a line each.
    pub fn lost(&self, seen: &Seen) -> Vec<String> {
        let entries = by_id(&seen.entries);
        let trash = by_id(&seen.trash);
        let has = |pieces: &BTreeMap<&str, Vec<&str>>, id: &str, text: &str| {
            pieces.get(id).is_some_and(|texts| texts.iter().any(|found| is_whole(found, text)))
        };
        let mut lost = Vec::new();
        for (id, text) in &self.live {
            if !has(&entries, id, text) {
                let now = seen.text_of(id).map_or("nothing".to_owned(), |now| format!("{now:?}"));
                let where_ = if has(&trash, id, text) { "only in the trash" } else { "gone" };
                lost.push(format!("entry {id} is {where_}: wanted {text:?}, found {now}"));
            }
        }
        for (id, texts) in &self.trashed {
            for text in texts {
                if !has(&trash, id, text) && !has(&entries, id, text) {
                    lost.push(format!("piece {id} of the trash is gone: {text:?}"));
                }
            }
        }
        lost
    }

    /// How many entries have behind them what a kill left of the next one.
    pub fn torn(&self, seen: &Seen) -> usize {
        let entries = seen.entries.iter().filter(|(id, found)| self.live.get(id).is_some_and(|text| text != found));
        entries.count()
    }
}

fn by_id(pieces: &[(String, String)]) -> BTreeMap<&str, Vec<&str>> {
    let mut found: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (id, text) in pieces {
        found.entry(id).or_default().push(text);
    }
    found
}

/// Whether a text is there: as it was, or with the torn head of another entry behind it, which is no entry and is kept as text.
fn is_whole(found: &str, wanted: &str) -> bool {
    found.strip_prefix(wanted).is_some_and(|rest| {
        let rest = rest.trim_start_matches(['\n', '\r']);
        rest.is_empty() || "---".starts_with(rest) || rest.starts_with("---\n")
    })
}
