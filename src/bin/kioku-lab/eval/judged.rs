//! Judged journals as files: entries, questions, and which entries answer them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use jiff::{Timestamp, Zoned, tz::TimeZone};
use kioku::{
    journal::{
        NewEntry,
        exchange::{self, ImportOptions, Source},
    },
    report::Report,
};
use serde::{Deserialize, de::DeserializeOwned};

/// One question with its answers.
#[derive(Debug, Clone)]
pub struct Question {
    pub text: String,
    /// Ids of entries.
    pub relevant: Vec<String>,
    pub category: String,
    /// Nothing in the journal answers it.
    pub unanswerable: bool,
    /// It is about what was written, but was not so.
    pub false_premise: bool,
    /// When it is asked: dates in it are seen from here.
    pub now: Zoned,
}

#[derive(Debug)]
pub struct Judged {
    pub name: String,
    pub entries: Vec<NewEntry>,
    pub questions: Vec<Question>,
}

/// Journals whose figures are averaged.
#[derive(Debug)]
pub struct Suite {
    pub name: String,
    pub journals: Vec<Judged>,
}

/// A line of `queries.jsonl`.
#[derive(Debug, Deserialize)]
struct QuestionLine {
    query: String,
    #[serde(default)]
    relevant: Vec<String>,
    category: Option<String>,
    time: Option<Timestamp>,
}

const ENTRIES: &str = "entries.jsonl";
const QUESTIONS: &str = "queries.jsonl";
const UNANSWERABLE: &str = "adversarial.jsonl";
/// In place of the two: what is planned of an invented journal, its questions among other things.
const PLAN: &str = "truth.json";

/// What is read of a plan: a question and the ids that answer it, none where the matter was never written of.
#[derive(Debug, Deserialize)]
struct Plan {
    search: Vec<(String, Vec<String>)>,
}

/// The suites at or below a folder: one of its own journals, or one for each folder that holds some.
pub fn suites(folder: &Path, zone: &TimeZone) -> Result<Vec<Suite>, Report> {
    let mut suites = Vec::new();
    if folder.join(ENTRIES).is_file() {
        suites.push(Suite { name: name(folder), journals: vec![judged(folder, zone)?] });
    } else {
        let inside = folders(folder)?;
        let (planned, own): (Vec<&PathBuf>, Vec<&PathBuf>) =
            inside.iter().filter(|path| path.join(ENTRIES).is_file()).partition(|path| path.join(PLAN).is_file());
        // Invented journals of different people have little in common: each is a suite of its own.
        for path in planned {
            suites.push(Suite { name: name(path), journals: vec![judged(path, zone)?] });
        }
        if !own.is_empty() {
            let journals = own.into_iter().map(|path| judged(path, zone)).collect::<Result<_, _>>()?;
            suites.push(Suite { name: name(folder), journals });
        }
        for path in inside.iter().filter(|path| !path.join(ENTRIES).is_file()) {
            if folders(path)?.iter().any(|path| path.join(ENTRIES).is_file()) {
                suites.extend(self::suites(path, zone)?);
            }
        }
    }
    if suites.is_empty() {
        return Err(Report::data(format!("{}: no judged journal in here", folder.display()))
            .hint(format!("a judged journal is a folder with {ENTRIES} and {QUESTIONS}")));
    }
    Ok(suites)
}

fn name(folder: &Path) -> String {
    folder.file_name().map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn folders(folder: &Path) -> Result<Vec<PathBuf>, Report> {
    let fault = |error| Report::data(format!("reading {}: {error}", folder.display()));
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder).map_err(fault)? {
        let path = entry.map_err(fault)?.path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}

fn judged(folder: &Path, zone: &TimeZone) -> Result<Judged, Report> {
    let importer = exchange::importer("jsonl").ok_or_else(|| Report::data("the importer of jsonl is missing"))?;
    let imported = (importer.read)(&Source::at(&folder.join(ENTRIES)), &ImportOptions::new(zone.clone()))
        .map_err(|error| Report::data(error.to_string()))?;
    if let Some(loss) = imported.losses.first() {
        return Err(Report::data(format!("{loss}")));
    }
    // Asked after the last entry was written, unless the question says when.
    let last = imported.entries.iter().filter_map(|entry| Some(entry.time.as_ref()?.at)).max();
    let last = last.unwrap_or(Timestamp::UNIX_EPOCH);
    let lines = |file: &str| lines::<QuestionLine>(&folder.join(file));
    let asked = |line: QuestionLine, unanswerable: bool| Question {
        text: line.query,
        relevant: line.relevant,
        category: line.category.unwrap_or_else(|| "other".to_owned()),
        unanswerable,
        false_premise: unanswerable,
        now: line.time.unwrap_or(last).to_zoned(zone.clone()),
    };
    let mut questions: Vec<Question> = match plan(&folder.join(PLAN))? {
        Some(plan) => plan.search.into_iter().map(|line| planned(line, last.to_zoned(zone.clone()))).collect(),
        None => lines(QUESTIONS)?.into_iter().map(|line| asked(line, false)).collect(),
    };
    if folder.join(UNANSWERABLE).is_file() {
        questions.extend(lines(UNANSWERABLE)?.into_iter().map(|line| asked(line, true)));
    }
    Ok(Judged { name: name(folder), entries: imported.entries, questions })
}

fn plan(path: &Path) -> Result<Option<Plan>, Report> {
    if !path.is_file() {
        return Ok(None);
    }
    let fault = |error: &dyn std::fmt::Display| Report::data(format!("reading {}: {error}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| fault(&error))?;
    serde_json::from_str(&text).map(Some).map_err(|error| fault(&error))
}

fn planned((text, relevant): (String, Vec<String>), now: Zoned) -> Question {
    let unanswerable = relevant.is_empty();
    let category = if unanswerable { "absent" } else { "written" }.to_owned();
    Question { text, relevant, category, unanswerable, false_premise: false, now }
}

fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Report> {
    let text =
        fs::read_to_string(path).map_err(|error| Report::data(format!("reading {}: {error}", path.display())))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line)
                .map_err(|error| Report::data(format!("{}, line {}: {error}", path.display(), number + 1)))
        })
        .collect()
}

impl Suite {
    /// The same questions over one journal with everybody's entries. An id is then `journal/id`.
    pub fn pooled(self) -> Self {
        let mut pool = Judged { name: "pool".to_owned(), entries: Vec::new(), questions: Vec::new() };
        for journal in self.journals {
            let full = |id: &str| format!("{}/{id}", journal.name);
            pool.entries.extend(journal.entries.into_iter().map(|mut entry| {
                entry.id = entry.id.as_deref().map(full);
                entry
            }));
            pool.questions.extend(journal.questions.into_iter().map(|mut question| {
                question.relevant = question.relevant.iter().map(|id| full(id)).collect();
                question
            }));
        }
        pool.entries.sort_by_key(|entry| entry.time.as_ref().map(|time| time.at));
        Self { name: format!("{} pooled", self.name), journals: vec![pool] }
    }
}
