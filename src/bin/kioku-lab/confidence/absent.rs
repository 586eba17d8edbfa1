//! Questions about what a journal never mentions: those of other journals, and subjects that it has no word of.

use std::{
    collections::{BTreeMap, HashSet},
    fs,
    path::PathBuf,
};

use kioku::{index::keyword::analyzer, report::Report, search::Query};

use crate::eval::judged::{Question, Suite};

/// So many questions of another journal are asked at most.
const OF_ANOTHER: usize = 25;
/// More answers than these has a question after something general, which any journal may answer.
const SPECIAL: usize = 3;

/// What may be asked, and the words by which a journal would speak of it.
pub struct Subject {
    ways: Vec<String>,
    stems: Vec<String>,
}

/// Lines `SUBJECT | DEED | WORD,WORD`, each asked as itself and in one other way.
pub fn subjects(files: &[PathBuf]) -> Result<Vec<Subject>, Report> {
    let mut subjects = Vec::new();
    for file in files {
        let text =
            fs::read_to_string(file).map_err(|error| Report::data(format!("reading {}: {error}", file.display())))?;
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        for (number, line) in lines.enumerate() {
            let [subject, deed, words] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
                return Err(Report::data(format!("{}: three parts in {line}", file.display())));
            };
            let word = words.split(',').next().unwrap_or(words);
            let is_english = subject.is_ascii();
            let other = match (number % 3, is_english) {
                (0, true) => format!("When did I {deed}?"),
                (0, false) => format!("khi nào mình {deed}?"),
                (1, true) => format!("why did I {deed}"),
                (1, false) => format!("sao mình {deed}"),
                _ => word.to_owned(),
            };
            subjects.push(Subject { ways: vec![subject.to_owned(), other], stems: stems(words) });
        }
    }
    Ok(subjects)
}

fn stems(text: &str) -> Vec<String> {
    analyzer::tokens(text).into_iter().map(|token| analyzer::stem(&token.folded).into_owned()).collect()
}

/// Adds to each journal the questions that it has no answer to.
pub fn add(suites: &mut [Suite], subjects: &[Subject]) {
    let special = |question: &&Question| {
        let names_days = !Query::parse(&question.text, &question.now).days.is_empty();
        !question.unanswerable && question.relevant.len() <= SPECIAL && !names_days
    };
    let known: Vec<(String, Vec<String>, Vec<String>)> = suites
        .iter()
        .flat_map(|suite| &suite.journals)
        .map(|journal| {
            let mut tags: BTreeMap<&String, usize> = BTreeMap::new();
            journal.entries.iter().flat_map(|entry| &entry.tags).for_each(|tag| *tags.entry(tag).or_default() += 1);
            let mut tags: Vec<(&String, usize)> = tags.into_iter().collect();
            tags.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            let speakers = tags.into_iter().take(2).map(|(tag, _)| tag.clone()).collect();
            let questions = journal.questions.iter().filter(special).map(|question| question.text.clone()).collect();
            (journal.name.clone(), speakers, questions)
        })
        .collect();
    for journal in suites.iter_mut().flat_map(|suite| &mut suite.journals) {
        let Some(now) = journal.questions.first().map(|question| question.now.clone()) else { continue };
        let Some((_, own_speakers, _)) = known.iter().find(|(name, ..)| *name == journal.name) else { continue };
        let mut asked: Vec<String> = Vec::new();
        for (_, speakers, questions) in known.iter().filter(|(name, ..)| *name != journal.name) {
            let step = (questions.len() / OF_ANOTHER).max(1);
            // About the people of this journal: a strange name would tell.
            asked.extend(questions.iter().step_by(step).take(OF_ANOTHER).map(|question| {
                let pairs = speakers.iter().zip(own_speakers);
                pairs.fold(question.clone(), |text, (other, own)| text.replace(other.as_str(), own))
            }));
        }
        let written: HashSet<String> = journal.entries.iter().flat_map(|entry| stems(&entry.body)).collect();
        let unwritten = subjects.iter().filter(|subject| subject.stems.iter().all(|stem| !written.contains(stem)));
        asked.extend(unwritten.flat_map(|subject| subject.ways.clone()));
        journal.questions.extend(asked.into_iter().map(|text| Question {
            text,
            relevant: Vec::new(),
            category: "absent".to_owned(),
            unanswerable: true,
            false_premise: false,
            now: now.clone(),
        }));
    }
}
