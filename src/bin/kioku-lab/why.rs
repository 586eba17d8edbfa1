//! `kioku-lab why`: fits which span of the found entries answers a why question.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write as _,
    fs,
    num::NonZero,
    ops::Range,
    panic::resume_unwind,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread::{self, ScopedJoinHandle},
};

use clap::Args;
use jiff::{ToSpan, Zoned, civil::date, tz::TimeZone};
use kioku::{
    cli::lab::{Context, Failure, Outcome, Output, ProgressLine},
    extract::Cues,
    insight::why::{self, Answer, Question},
    journal::{EntryTime, NewEntry},
    report::Report,
    session::SessionOptions,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{
    confidence::logistic,
    eval,
    gate::sparse_logistic::{Case, Penalty, fit},
};

/// Days between two entries of a writer.
const APART: i64 = 3;
const PENALTY: Penalty = Penalty { sparse: 0.000_02, small: 0.000_2 };
/// Groups of writers, each of which is left out once.
const GROUPS: usize = 6;
/// Cues of fewer candidates are left out.
const FEWEST: usize = 8;
/// Weights closer to zero than this are not written.
const LEAST: f64 = 0.02;
/// Of the candidates that answer nothing, one in this many is fitted on, and weighs as much as all of them.
const OF_WRONG: usize = 6;
/// Penalty of the weights of the parts.
const PARTS_PENALTY: f64 = 1.0;
/// The share of the labelled span's and of the candidate's words in the other, from which on they are the same cause.
const SAME: f64 = 0.5;
/// What a span counts that holds the cause and more, or a part of it.
const CUT: f64 = 0.6;

/// Fit which span of the found entries answers a why question, and write the weights
#[derive(Debug, Args)]
#[command(after_help = "\
FOLDER has texts.jsonl, lines {\"id\": ID, \"text\": TEXT}, and why.jsonl, lines {\"id\": ID, \"q\": QUESTION, \"answer\": CAUSE,
\"effect\": EFFECT}: parts of the text, or null for the cause where no reason is told. The part of an ID before its dash
names the writer, whose entries are a journal of their own.

Every figure is of writers that the weights were not fitted on.")]
pub struct Why {
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// Writers of FOLDER that the reader of answers was not trained on: only these are asked
    #[arg(long, value_name = "WRITER", value_delimiter = ',', required = true)]
    unread: Vec<String>,
    /// A folder that is judged and not fitted on
    #[arg(long, value_name = "FOLDER")]
    test: Option<PathBuf>,
    /// The share of right ones among the answered questions
    #[arg(long, default_value_t = 0.9)]
    precision: f64,
    /// The file to write the weights to
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Take the candidates from this file if it exists, else write them to it: finding them takes half an hour. Remove it when the
    /// reader of answers or a cue has changed
    #[arg(long, value_name = "FILE")]
    candidates: Option<PathBuf>,
    /// List the answers, the likeliest first
    #[arg(long)]
    list: bool,
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Deserialize)]
struct Text {
    id: String,
    text: String,
}

/// A question, and verbatim parts of the entry: the cause and the effect; without the cause no reason is told.
#[derive(Debug, Deserialize)]
struct Asked {
    id: String,
    q: String,
    answer: Option<String>,
    effect: String,
}

/// A question with its candidates.
#[derive(Serialize, Deserialize)]
struct Example {
    writer: String,
    question: String,
    is_answerable: bool,
    candidates: Vec<Candidate>,
}

#[derive(Serialize, Deserialize)]
struct Candidate {
    id: String,
    /// In bytes of the body.
    cause: Range<usize>,
    /// The entry, the cause and the effect, for the list.
    shown: String,
    cues: Vec<u32>,
    /// Log probabilities of cause and effect by the reader of answers.
    pointed: [f32; 2],
    truth: f64,
}

/// What was found for the questions.
#[derive(Serialize, Deserialize)]
struct Found {
    names: CueNames,
    examples: Vec<Example>,
    test: Option<Vec<Example>>,
}

/// Numbers for cues.
#[derive(Default, Serialize, Deserialize)]
struct CueNames {
    places: HashMap<String, u32>,
    names: Vec<String>,
}

impl CueNames {
    fn place(&mut self, cue: &str) -> u32 {
        if let Some(place) = self.places.get(cue) {
            return *place;
        }
        let place = self.names.len() as u32;
        self.names.push(cue.to_owned());
        self.places.insert(cue.to_owned(), place);
        place
    }
}

/// How the questions are answered from a threshold on.
#[derive(Debug, Serialize)]
struct Figures {
    questions: usize,
    answerable: usize,
    /// Those of which a candidate of the right entry is right.
    proposed: usize,
    answered: usize,
    /// Answered rightly, or with a span that is cut or runs on.
    right: usize,
}

#[derive(Debug, Serialize)]
struct WhyJson {
    line: f64,
    weights: usize,
    held_out: Figures,
    test: Option<Figures>,
    #[serde(skip)]
    list: Vec<String>,
}

impl Why {
    pub fn run(self, context: &mut Context) -> Outcome {
        let Found { names, examples, test } = self.found(context)?;
        let mut counts = vec![0; names.names.len()];
        let all = examples.iter().flat_map(|example| &example.candidates);
        all.flat_map(|candidate| &candidate.cues).for_each(|cue| counts[*cue as usize] += 1);
        let is_rare: Vec<bool> = counts.iter().map(|count| *count < FEWEST).collect();
        let mut writers: Vec<&str> = examples.iter().map(|example| example.writer.as_str()).collect();
        writers.sort_unstable();
        writers.dedup();
        if let Some(unknown) = self.unread.iter().find(|name| !writers.contains(&name.as_str())) {
            return Err(Report::data(format!("no question of a writer {unknown}")).into());
        }
        let group = |one: &Example| writers.binary_search(&one.writer.as_str()).unwrap_or_default() % GROUPS;
        let groups: Vec<usize> = examples.iter().map(group).collect();
        // The sums of cues, by weights that were fitted on other writers.
        let mut sums: Vec<Vec<f64>> = vec![Vec::new(); examples.len()];
        for left_out in 0..GROUPS {
            let others: Vec<&Example> = examples.iter().filter(|one| group(one) != left_out).collect();
            let weights = fitted(&others, &is_rare);
            let own = examples.iter().zip(&groups).zip(&mut sums).filter(|((_, group), _)| **group == left_out);
            own.for_each(|((example, _), sums)| *sums = example.sums(&weights));
        }
        let weighed = |kept: &dyn Fn(usize) -> bool| {
            let of = |n: usize| examples[n].candidates.iter().zip(&sums[n]);
            let case = |(one, sum): (&Candidate, &f64)| logistic::Case {
                figures: one.parts(*sum).to_vec(),
                truth: one.truth,
                weight: 1.0,
            };
            let cases: Vec<_> = (0..examples.len()).filter(|n| kept(*n)).flat_map(of).map(case).collect();
            logistic::fit(&cases, PARTS_PENALTY / cases.len() as f64)
        };
        let mut best: Vec<(f64, &Example, &Candidate)> = Vec::new();
        for left_out in 0..GROUPS {
            let parts = weighed(&|n| groups[n] != left_out);
            let own = (0..examples.len()).filter(|n| groups[*n] == left_out);
            best.extend(own.filter_map(|n| likeliest(&examples[n], &sums[n], &parts)));
        }
        best.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (mut right, mut line) = (0.0, 0.99);
        for (nth, (probability, _, candidate)) in best.iter().enumerate() {
            right += f64::from(u8::from(candidate.truth >= CUT));
            if right / (nth + 1) as f64 >= self.precision {
                line = (probability * 1000.0).floor() / 1000.0;
            }
        }
        let weights = fitted(&examples.iter().collect::<Vec<_>>(), &is_rare);
        let mut kept: Vec<(&str, f64)> = names
            .names
            .iter()
            .map(String::as_str)
            .zip(weights.iter().copied())
            .filter(|(_, weight)| weight.abs() >= LEAST)
            .collect();
        kept.sort_by(|a, b| a.0.cmp(b.0));
        let parts = weighed(&|_| true);
        if let Some(file) = &self.out {
            let mut text = format!("(line)\t{line:.3}\n");
            for (part, weight) in why::PARTS.iter().zip(&parts) {
                let _ = writeln!(text, "{part}\t{weight:.3}");
            }
            for (cue, weight) in &kept {
                let _ = writeln!(text, "{cue}\t{weight:.2}");
            }
            fs::write(file, text).map_err(|error| Report::data(format!("writing {}: {error}", file.display())))?;
        }
        let tested = test.map(|test| {
            let best: Vec<_> = test.iter().filter_map(|one| likeliest(one, &one.sums(&weights), &parts)).collect();
            figures(&test.iter().collect::<Vec<_>>(), &best, line)
        });
        let row = |(probability, example, candidate): &(f64, &Example, &Candidate)| {
            let Example { writer, question, .. } = example;
            format!("{probability:.3} {} {writer}: {question} | {}", candidate.truth, candidate.shown)
        };
        let list = if self.list { best.iter().map(row).collect() } else { Vec::new() };
        let held_out = figures(&examples.iter().collect::<Vec<_>>(), &best, line);
        context.answer(&WhyJson { line, weights: kept.len(), held_out, test: tested, list }, self.json, print)
    }
}

impl Why {
    fn found(&self, context: &Context) -> Result<Found, Failure> {
        if let Some(file) = self.candidates.as_ref().filter(|file| file.exists()) {
            let found = lines::<Found>(file)?.pop();
            let found = found.ok_or_else(|| Report::data(format!("{} is empty", file.display())))?;
            if self.test.is_some() && found.test.is_none() {
                return Err(Report::data(format!("{} has no candidates of a test; remove it", file.display())).into());
            }
            return Ok(found);
        }
        let mut names = CueNames::default();
        let mut progress = ProgressLine::stderr();
        let mut gathered = |folders: &[PathBuf], writers: Option<&[String]>| -> Result<Vec<Example>, Failure> {
            let mut examples = Vec::new();
            for folder in folders {
                examples.extend(gather(folder, writers, context, &mut names, &mut progress)?);
            }
            Ok(examples)
        };
        let examples = gathered(&self.folders, Some(&self.unread))?;
        let test = self.test.as_ref().map(|folder| gathered(std::slice::from_ref(folder), None)).transpose()?;
        let found = Found { names, examples, test };
        if let Some(file) = &self.candidates {
            let text = serde_json::to_string(&found).map_err(|error| Report::data(error.to_string()))?;
            fs::write(file, text).map_err(|error| Report::data(format!("writing {}: {error}", file.display())))?;
        }
        Ok(found)
    }
}

fn fitted(examples: &[&Example], is_rare: &[bool]) -> Vec<f64> {
    let all = examples.iter().flat_map(|example| &example.candidates).enumerate();
    let cases: Vec<Case> = all
        .filter(|(nth, one)| one.truth > 0.0 || nth % OF_WRONG == 0)
        .map(|(_, one)| Case {
            cues: one.cues.iter().copied().filter(|cue| !is_rare[*cue as usize]).collect(),
            truth: one.truth,
            weight: if one.truth > 0.0 { 1.0 } else { OF_WRONG as f64 },
        })
        .collect();
    fit(&cases.iter().collect::<Vec<_>>(), &vec![PENALTY; is_rare.len()])
}

impl Example {
    /// The sum of the cues of each candidate.
    fn sums(&self, weights: &[f64]) -> Vec<f64> {
        let sum = |one: &Candidate| one.cues.iter().map(|cue| weights[*cue as usize]).sum();
        self.candidates.iter().map(sum).collect()
    }
}

impl Candidate {
    fn parts(&self, sum: f64) -> [f64; why::PARTS.len()] {
        let [cause, effect] = self.pointed.map(f64::from);
        [1.0, sum, cause, effect]
    }
}

/// The candidate that answers a question most likely.
fn likeliest<'a>(example: &'a Example, sums: &[f64], weights: &[f64]) -> Option<(f64, &'a Example, &'a Candidate)> {
    let judged = |(one, sum): (&Candidate, &f64)| {
        let logit: f64 = one.parts(*sum).iter().zip(weights).map(|(part, weight)| part * weight).sum();
        (logit as f32, one.id.clone(), one.cause.clone())
    };
    let (place, score) = why::likeliest(&example.candidates.iter().zip(sums).map(judged).collect::<Vec<_>>())?;
    Some((f64::from(score), example, &example.candidates[place]))
}

fn figures(examples: &[&Example], best: &[(f64, &Example, &Candidate)], line: f64) -> Figures {
    let is_right = |candidate: &Candidate| candidate.truth >= CUT;
    let answered = || best.iter().filter(|(probability, ..)| *probability >= line);
    Figures {
        questions: examples.len(),
        answerable: examples.iter().filter(|one| one.is_answerable).count(),
        proposed: examples.iter().filter(|one| one.candidates.iter().any(is_right)).count(),
        answered: answered().count(),
        right: answered().filter(|(.., candidate)| is_right(candidate)).count(),
    }
}

/// The questions of a folder, or of some writers of it, each asked of its writer's journal.
fn gather(
    folder: &Path,
    writers: Option<&[String]>,
    context: &Context,
    names: &mut CueNames,
    progress: &mut ProgressLine,
) -> Result<Vec<Example>, Failure> {
    let mut journals: BTreeMap<String, Vec<Text>> = BTreeMap::new();
    let is_asked = |text: &Text| writers.is_none_or(|writers| writers.iter().any(|one| one == writer(&text.id)));
    for text in lines::<Text>(&folder.join("texts.jsonl"))?.into_iter().filter(is_asked) {
        journals.entry(writer(&text.id).to_owned()).or_default().push(text);
    }
    let mut questions: HashMap<String, Vec<Asked>> = HashMap::new();
    for asked in lines::<Asked>(&folder.join("why.jsonl"))? {
        questions.entry(writer(&asked.id).to_owned()).or_default().push(asked);
    }
    progress.show(format_args!("{}", folder.display()));
    let journals: Vec<(&String, &Vec<Text>, &Vec<Asked>)> =
        journals.iter().filter_map(|(writer, texts)| Some((writer, texts, questions.get(writer)?))).collect();
    let options = context.session_options();
    let next = AtomicUsize::new(0);
    let ask_all = || {
        let mut answered = Vec::new();
        while let Some((writer, texts, asked)) = journals.get(next.fetch_add(1, Ordering::Relaxed)) {
            answered.push((*writer, ask(texts, asked, &options)?));
        }
        Ok::<_, Failure>(answered)
    };
    let answers = thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, NonZero::get);
        let parts: Vec<_> = (0..workers).map(|_| scope.spawn(ask_all)).collect();
        let answered = |part: ScopedJoinHandle<'_, _>| part.join().unwrap_or_else(|fault| resume_unwind(fault));
        parts.into_iter().map(answered).collect::<Result<Vec<Vec<_>>, Failure>>()
    })?;
    let mut answers: BTreeMap<&String, Vec<_>> = answers.into_iter().flatten().collect();
    let mut examples = Vec::new();
    for (writer, texts, questions) in journals {
        let answers = answers.remove(writer).unwrap_or_default();
        for (asked, answers) in questions.iter().zip(answers) {
            let candidates = answers.iter().map(|(id, answer)| candidate(asked, texts, id, answer, names)).collect();
            let is_answerable = asked.answer.is_some();
            examples.push(Example { writer: writer.clone(), question: asked.q.clone(), is_answerable, candidates });
        }
    }
    Ok(examples)
}

/// The candidates for each question about a writer's entries.
fn ask(texts: &[Text], questions: &[Asked], options: &SessionOptions) -> Result<Vec<Vec<(String, Answer)>>, Failure> {
    let folder = eval::folder()?;
    let entries = texts.iter().enumerate().map(entry).collect::<Result<Vec<_>, _>>()?;
    let mut session = eval::session(folder.path(), options, &entries)?;
    let mut found = Vec::new();
    for asked in questions {
        let question = Question { text: asked.q.clone(), from: None, to: None, now: day(366)? };
        found.push(session.candidate_answers(&question)?);
    }
    session.close()?;
    Ok(found)
}

fn candidate(asked: &Asked, texts: &[Text], id: &str, answer: &Answer, names: &mut CueNames) -> Candidate {
    let body = texts.iter().find(|text| text.id == id).map_or("", |text| text.text.as_str());
    let part = |span: &Range<usize>| body.get(span.clone()).unwrap_or_default();
    let (cause, effect) = (part(&answer.candidate.cause), part(&answer.candidate.effect));
    let mut cues = Vec::new();
    answer.cues(&mut Cues::to(&mut |cue| cues.push(names.place(cue))));
    cues.sort_unstable();
    cues.dedup();
    let truth = if asked.id == id { truth(asked, cause, effect) } else { 0.0 };
    let shown = format!("{id} {cause} => {effect}");
    let (id, cause) = (id.to_owned(), answer.candidate.cause.clone());
    Candidate { id, cause, shown, cues, pointed: answer.pointed(), truth }
}

/// How far a candidate of the right entry is the labelled cause of the labelled effect.
fn truth(asked: &Asked, cause: &str, effect: &str) -> f64 {
    let Some(answer) = &asked.answer else { return 0.0 };
    let (of_cause, of_answer) = shared(cause, answer);
    let (of_effect, of_asked) = shared(effect, &asked.effect);
    if of_effect.max(of_asked) < 0.3 || shared(effect, answer).1 > CUT {
        return 0.0;
    }
    let both = 2.0 * of_cause * of_answer / (of_cause + of_answer).max(f64::MIN_POSITIVE);
    match () {
        () if both >= SAME => 1.0,
        () if of_answer >= 0.8 || of_cause >= 0.9 => CUT,
        () => 0.0,
    }
}

/// The shares of the words of each text that the other has too.
fn shared(one: &str, other: &str) -> (f64, f64) {
    let words = |text: &str| -> Vec<String> {
        let lower = text.to_lowercase();
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (one, mut other) = (words(one), words(other));
    let (first, second) = (one.len().max(1) as f64, other.len().max(1) as f64);
    let mut common = 0.0;
    for word in one {
        if let Some(at) = other.iter().position(|known| *known == word) {
            other.swap_remove(at);
            common += 1.0;
        }
    }
    (common / first, common / second)
}

fn day(nth: usize) -> Result<Zoned, Report> {
    let first = date(2025, 1, 6).at(20, 0, 0, 0);
    first
        .checked_add((nth as i64).days())
        .and_then(|at| at.to_zoned(TimeZone::UTC))
        .map_err(|error| Report::data(error.to_string()))
}

fn entry((nth, text): (usize, &Text)) -> Result<NewEntry, Report> {
    let at = day(nth * APART as usize)?;
    Ok(NewEntry {
        time: Some(EntryTime::of(&at)),
        id: Some(text.id.clone()),
        body: text.text.clone(),
        ..NewEntry::default()
    })
}

fn writer(id: &str) -> &str {
    id.split('-').next().unwrap_or_default()
}

fn lines<T: DeserializeOwned>(file: &Path) -> Result<Vec<T>, Report> {
    let text =
        fs::read_to_string(file).map_err(|error| Report::data(format!("reading {}: {error}", file.display())))?;
    let line = |(at, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| Report::data(format!("{}:{}: {error}", file.display(), at + 1)))
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(line).collect()
}

fn print(out: &mut Output, answer: &WhyJson) {
    answer.list.iter().for_each(|row| out.line(row));
    let rows = [("writers left out", Some(&answer.held_out)), ("test", answer.test.as_ref())];
    for (what, row) in rows.into_iter().filter_map(|(what, row)| Some((what, row?))) {
        let Figures { questions, answerable, proposed, answered, right } = row;
        out.line(format_args!(
            "{what}: {questions} questions, {answerable} with an answer, {proposed} proposed; {answered} answered, {right} rightly"
        ));
    }
    out.line(format_args!("line {:.3}, {} weights", answer.line, answer.weights));
}
