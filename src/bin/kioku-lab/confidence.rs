//! `kioku-lab confidence`: fits how likely a hit answers, on judged journals.

mod absent;
pub mod logistic;
mod typed;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

use clap::Args;
use kioku::{
    cli::lab::{Context, Failure, Outcome, Output, ProgressLine},
    embed::bundled::Bundled,
    report::Report,
    search::{
        Search,
        confidence::{Evidence, FIRST, Kind, Model, Models, either, log_odds},
    },
    session::SessionOptions,
};
use serde::Serialize;

use crate::eval::{self, judged, judged::Suite};

/// Hits that a question is fitted on.
const DEPTH: usize = 10;
/// What the hits after the first three weigh in all, beside those.
const LATER: f64 = 0.3;
/// The share of the questions about what was never written that may be answered as if sure.
const ABSENT_SURE: f64 = 0.045;
/// No judged question has a phrase in quotes; an entry that holds one word for word is meant.
const PHRASE: f32 = 5.0;
/// The share of all questions that a kind is fitted on, at least.
const ENOUGH: f64 = 0.2;
/// Bins of the expected calibration error.
const BINS: usize = 10;

/// Fit how likely a hit answers, and write the weights
#[derive(Debug, Args)]
#[command(after_help = "\
Folders as for `eval`. Beside the questions of each journal, those of the other journals are asked of it, and the
subjects in the files of --absent: a line each, SUBJECT | DEED | WORDS, left out where one of the words was written.
Single words and pairs of words of its entries are searched too, as people type them.

Every figure is of a journal that the weights were not fitted on: the expected calibration error; the share called sure
of the questions whose answer comes first, of those that have an answer, and of those that have none.")]
pub struct Confidence {
    /// Folders with judged journals
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// Subjects that a journal may never have mentioned
    #[arg(long, value_name = "FILE")]
    absent: Vec<PathBuf>,
    /// Fit what this installed model gives, in place of no model and the built-in ones
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// The file to write; weights that are not fitted stay as they are there
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// One question with what spoke for its first hits.
struct Example {
    suite: usize,
    journal: usize,
    hits: Vec<(Evidence, bool)>,
    absent: bool,
    weight: f64,
}

impl Example {
    fn found_first(&self) -> bool {
        self.hits.first().is_some_and(|(_, answers)| *answers)
    }

    fn answered(&self) -> bool {
        self.hits.iter().take(FIRST).any(|(_, answers)| *answers)
    }

    fn either(&self, model: &Model) -> f64 {
        f64::from(log_odds(either(self.hits.iter().take(FIRST).map(|(evidence, _)| model.alone(evidence)))))
    }

    fn probability(&self, model: &Model) -> f64 {
        if self.hits.is_empty() { 0.0 } else { f64::from(model.first(self.hits.iter().map(|(evidence, _)| *evidence))) }
    }
}

/// The figures of one kind on one suite, or on all.
#[derive(Debug, Serialize)]
struct Row {
    kind: &'static str,
    suite: String,
    questions: usize,
    calibration_error: f64,
    first_sure: f64,
    answerable_sure: f64,
    absent_sure: f64,
}

#[derive(Debug, Serialize)]
struct ConfidenceJson {
    rows: Vec<Row>,
    weights: Models,
}

impl Confidence {
    pub fn run(self, context: &mut Context) -> Outcome {
        let zone = context.config.clock().zone().clone();
        let mut suites = Vec::new();
        for folder in &self.folders {
            suites.extend(judged::suites(folder, &zone)?);
        }
        let subjects = absent::subjects(&self.absent)?;
        absent::add(&mut suites, &subjects);
        typed::add(&mut suites);
        let options = context.session_options();
        let mut progress = ProgressLine::stderr();
        let mut examples: BTreeMap<Kind, Vec<Example>> = BTreeMap::new();
        let models = match &self.model {
            Some(name) => vec![Some(name.clone())],
            None => std::iter::once(None).chain(Bundled::ALL.map(|model| Some(model.name().to_owned()))).collect(),
        };
        for model in models {
            let options = SessionOptions { model, ..options.clone() };
            gather(&suites, &options, &mut examples, &mut progress)?;
        }
        drop(progress);
        let mut weights = self.weights()?;
        let mut rows = Vec::new();
        let all: usize = examples.values().map(Vec::len).sum();
        for (kind, mut examples) in examples {
            // Of a question that a model cannot read the words are left.
            if (examples.len() as f64) < all as f64 * ENOUGH {
                continue;
            }
            weigh(&mut examples);
            rows.extend(held_out(kind, &suites, &examples));
            let model = fitted(&examples.iter().collect::<Vec<_>>());
            match kind {
                Kind::Words => weights.words = model,
                Kind::Vectors => weights.vectors = model,
                Kind::Sentences => weights.sentences = model,
            }
        }
        if let Some(out) = &self.out {
            let text = serde_json::to_string_pretty(&weights).map_err(|error| Report::data(error.to_string()))?;
            fs::write(out, text + "\n").map_err(|error| Report::data(format!("writing {}: {error}", out.display())))?;
        }
        context.answer(&ConfidenceJson { rows, weights }, self.json, print)
    }
}

impl Confidence {
    /// Those in the file that is written, or as shipped.
    fn weights(&self) -> Result<Models, Report> {
        let Some(text) = self.out.as_ref().and_then(|out| fs::read_to_string(out).ok()) else {
            return Ok(*Models::shipped());
        };
        serde_json::from_str(&text).map_err(|error| Report::data(format!("reading the weights: {error}")))
    }
}

/// Asks every question of every journal with one model.
fn gather(
    suites: &[Suite],
    options: &SessionOptions,
    examples: &mut BTreeMap<Kind, Vec<Example>>,
    progress: &mut ProgressLine,
) -> Result<(), Failure> {
    let mut journal_number = 0;
    for (suite_number, suite) in suites.iter().enumerate() {
        for journal in &suite.journals {
            journal_number += 1;
            let model = options.model.as_deref().unwrap_or("no model");
            progress.show(format_args!("{model}: {} of {}", journal.name, suite.name));
            let folder = eval::folder()?;
            let mut session = eval::session(folder.path(), options, &journal.entries)?;
            let snapshot = session.snapshot()?;
            for question in journal.questions.iter().filter(|question| !question.false_premise) {
                let ask = Search::new(question.text.clone(), DEPTH, question.now.clone());
                let found = session.search_in(&snapshot, &ask)?;
                // Questions about days alone are answered by a rule.
                if found.confidence >= 1.0 {
                    continue;
                }
                let answers = |id: &str| question.relevant.iter().any(|relevant| relevant == id);
                let hits = found.hits.iter().map(|hit| (hit.evidence, answers(hit.id.as_str()))).collect();
                let absent = question.unanswerable;
                let example = Example { suite: suite_number, journal: journal_number, hits, absent, weight: 0.0 };
                examples.entry(found.kind).or_default().push(example);
            }
            session.close()?;
        }
    }
    Ok(())
}

/// Suites weigh the same, and so do the journals of a suite, and in each the questions with an answer and those without.
fn weigh(examples: &mut [Example]) {
    let mut counts: BTreeMap<(usize, bool), usize> = BTreeMap::new();
    let mut journals: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for example in examples.iter() {
        *counts.entry((example.journal, example.absent)).or_default() += 1;
        journals.entry(example.suite).or_default().insert(example.journal);
    }
    for example in examples {
        let questions = counts.get(&(example.journal, example.absent)).copied().unwrap_or(1);
        let journals = journals.get(&example.suite).map_or(1, BTreeSet::len);
        example.weight = 1.0 / (questions * journals) as f64;
    }
}

/// Penalty of a weight, through the weight of all cases.
const PENALTY: f64 = 0.003;

fn fitted(examples: &[&Example]) -> Model {
    let hits = examples.iter().flat_map(|example| {
        example.hits.iter().enumerate().map(|(place, (evidence, answers))| {
            let part = if place < FIRST { 1.0 } else { LATER / (DEPTH - FIRST) as f64 };
            logistic::Case {
                figures: evidence.figures().map(f64::from).to_vec(),
                truth: f64::from(u8::from(*answers)),
                weight: example.weight * part / FIRST as f64,
            }
        })
    });
    let weights = logistic::fit(&hits.collect::<Vec<_>>(), PENALTY);
    let mut hit = Evidence::default();
    for (to, weight) in hit.figures_mut().into_iter().zip(weights) {
        // So many digits are kept in the file.
        *to = ((weight * 1e3).round() / 1e3) as f32;
    }
    hit.phrase = PHRASE;
    let mut model = Model { hit, slope: 1.0, offset: 0.0, line: 0.5 };
    let cases = examples.iter().filter(|example| !example.hits.is_empty()).map(|example| logistic::Case {
        figures: vec![1.0, example.either(&model)],
        truth: f64::from(u8::from(example.answered())),
        weight: example.weight,
    });
    if let [offset, slope] = logistic::fit(&cases.collect::<Vec<_>>(), PENALTY)[..] {
        (model.slope, model.offset) = (slope as f32, offset as f32);
    }
    model.line = line(examples, &model);
    model
}

/// The lowest probability at which few enough questions without an answer are called sure.
fn line(examples: &[&Example], model: &Model) -> f32 {
    let absent = examples.iter().filter(|example| example.absent);
    let mut absent: Vec<(f64, f64)> = absent.map(|one| (one.probability(model), one.weight)).collect();
    absent.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut left = ABSENT_SURE * absent.iter().map(|(_, weight)| weight).sum::<f64>();
    for (probability, weight) in absent {
        left -= weight;
        if left < 0.0 {
            return (probability as f32).clamp(0.01, 0.99) + 1e-4;
        }
    }
    0.5
}

/// Each journal by weights that were fitted on the others.
fn held_out(kind: Kind, suites: &[Suite], examples: &[Example]) -> Vec<Row> {
    let journals: BTreeSet<usize> = examples.iter().map(|example| example.journal).collect();
    let mut judged: Vec<(&Example, f64, bool)> = Vec::new();
    for held in journals {
        let others: Vec<&Example> = examples.iter().filter(|example| example.journal != held).collect();
        let model = fitted(&others);
        judged.extend(examples.iter().filter(|example| example.journal == held).map(|example| {
            let probability = example.probability(&model);
            (example, probability, probability >= f64::from(model.line))
        }));
    }
    let row = |suite: Option<usize>| {
        let of: Vec<_> = judged.iter().filter(|(one, ..)| suite.is_none_or(|suite| suite == one.suite)).collect();
        let rate = |which: &dyn Fn(&Example) -> bool| {
            let these = of.iter().filter(|(example, ..)| which(example));
            let (sure, all) = these.fold((0.0, 0.0), |(sure, all), (example, _, is_sure)| {
                (sure + if *is_sure { example.weight } else { 0.0 }, all + example.weight)
            });
            if all > 0.0 { sure / all } else { 0.0 }
        };
        Row {
            kind: match kind {
                Kind::Words => "words",
                Kind::Vectors => "vectors",
                Kind::Sentences => "sentences",
            },
            suite: suite.and_then(|suite| Some(suites.get(suite)?.name.clone())).unwrap_or_else(|| "all".to_owned()),
            questions: of.len(),
            calibration_error: calibration_error(&of),
            first_sure: rate(&Example::found_first),
            answerable_sure: rate(&|example| !example.absent),
            absent_sure: rate(&|example| example.absent),
        }
    };
    let known: BTreeSet<usize> = examples.iter().map(|example| example.suite).collect();
    known.into_iter().map(Some).chain([None]).map(row).collect()
}

/// Expected calibration error: how far the mean probability of a bin is from the share that was answered (Guo et al. 2017).
fn calibration_error(judged: &[&(&Example, f64, bool)]) -> f64 {
    let mut bins = [(0.0, 0.0); BINS];
    for (example, probability, _) in judged {
        let bin = &mut bins[((probability * BINS as f64) as usize).min(BINS - 1)];
        bin.0 += example.weight * (probability - f64::from(u8::from(example.answered())));
        bin.1 += example.weight;
    }
    let all: f64 = bins.iter().map(|(_, weight)| weight).sum();
    bins.iter().map(|(gap, _)| gap.abs()).sum::<f64>() / all.max(f64::MIN_POSITIVE)
}

fn print(out: &mut Output, answer: &ConfidenceJson) {
    out.line(format_args!(
        "{:<10} {:<12} {:>6} {:>6} {:>11} {:>11} {:>11}",
        "kind", "suite", "n", "ECE", "first sure", "answerable", "absent sure"
    ));
    for Row { kind, suite, questions, calibration_error, first_sure, answerable_sure, absent_sure } in &answer.rows {
        out.line(format_args!(
            "{kind:<10} {suite:<12} {questions:>6} {calibration_error:>6.3} {first_sure:>11.3} {answerable_sure:>11.3} {absent_sure:>11.3}"
        ));
    }
}
