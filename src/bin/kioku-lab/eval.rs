//! `kioku-lab eval`: how well the search finds what people judged to be the answer, on any set of judged journals.

pub mod judged;
mod measure;

use std::{collections::BTreeMap, path::PathBuf};

use clap::Args;
use kioku::{
    cli::lab::{Context, Failure, Outcome, Output, ProgressLine},
    journal::{NewEntry, VaultOptions},
    report::Report,
    search::{Fusion, LegId, Legs, Search},
    session::{Session, SessionOptions},
};
use serde::Serialize;

use self::{
    judged::{Question, Suite},
    measure::{Means, Scores},
};

/// As many hits as the deepest measure looks at.
const DEPTH: usize = 10;

/// Measure the search on judged journals; the own journal is not touched
#[derive(Debug, Args)]
#[command(after_help = "\
A judged journal is a folder with two files, a JSON object a line:
  entries.jsonl   {\"id\",\"time\",\"text\",\"tags\"?,\"mood\"?}
  queries.jsonl   {\"query\",\"relevant\":[ids],\"category\"?,\"time\"?}
A folder of such folders is a suite: its figures are means over its journals. Questions in adversarial.jsonl have no
true answer: the share of them answered as if sure is reported beside. An invented journal has truth.json in place of
queries.jsonl: its \"search\" lists [question, [ids]], no ids where nothing was written of it, and it is its own suite.

Columns: share of the answers found in the first 5 and 10; one through the place of the first answer (MRR); nDCG;
share of the first 10 that are answers; share of the questions answered as if sure, and the share of the answers found
by these alone. All for the first 10.")]
pub struct Eval {
    /// Folders with judged journals
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// Every leg alone, and all but each, beside all of them
    #[arg(long)]
    ablate: bool,
    /// All journals of a suite in one index: every question is asked among everybody's entries
    #[arg(long)]
    pooled: bool,
    /// How the ways of finding are made one list
    #[arg(long, value_name = "RULE", value_enum)]
    fusion: Option<Fusion>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// The figures of one suite under one set of legs.
#[derive(Debug, Serialize)]
struct Row {
    suite: String,
    legs: String,
    category: String,
    questions: usize,
    #[serde(flatten)]
    scores: Scores,
    /// Middle and 99th hundredth of the time a question took, in milliseconds.
    p50_ms: f64,
    p99_ms: f64,
}

#[derive(Debug, Serialize)]
struct EvalJson {
    model: Option<String>,
    rows: Vec<Row>,
}

impl Eval {
    pub fn run(self, context: &mut Context) -> Outcome {
        let zone = context.config.clock().zone().clone();
        let mut suites = Vec::new();
        for folder in &self.folders {
            suites.extend(judged::suites(folder, &zone)?);
        }
        let options = context.session_options();
        let mut rows = Vec::new();
        let mut progress = ProgressLine::stderr();
        for suite in suites {
            let suite = if self.pooled { suite.pooled() } else { suite };
            rows.extend(self.measured(&suite, &options, &mut progress)?);
        }
        drop(progress);
        context.answer(&EvalJson { model: options.model, rows }, self.json, print)
    }

    fn measured(
        &self,
        suite: &Suite,
        options: &SessionOptions,
        progress: &mut ProgressLine,
    ) -> Result<Vec<Row>, Failure> {
        let ways = ways(self.ablate);
        let mut asked: Vec<BTreeMap<String, Means>> = ways.iter().map(|_| BTreeMap::new()).collect();
        for (number, journal) in suite.journals.iter().enumerate() {
            progress.show(format_args!("{}: journal {} of {}", suite.name, number + 1, suite.journals.len()));
            let folder = folder()?;
            let mut session = session(folder.path(), options, &journal.entries)?;
            let snapshot = session.snapshot()?;
            for ((_, legs), means) in ways.iter().zip(&mut asked) {
                for question in &journal.questions {
                    let found = session.search_in(&snapshot, &self.ask(question, *legs))?;
                    let ids: Vec<&str> = found.hits.iter().map(|hit| hit.id.as_str()).collect();
                    let scores = Scores::of(&ids, &question.relevant, found.confident);
                    let took = found.took.as_secs_f64() * 1e3;
                    for category in [measure::ALL, &question.category] {
                        // Questions without an answer are no part of the whole.
                        if category != measure::ALL || !question.unanswerable {
                            means.entry(category.to_owned()).or_default().add(number, scores, took);
                        }
                    }
                }
            }
            session.close()?;
        }
        let mut rows = Vec::new();
        for ((name, _), means) in ways.iter().zip(asked) {
            rows.extend(means.into_iter().map(|(category, means)| Row {
                suite: suite.name.clone(),
                legs: name.clone(),
                category,
                questions: means.count(),
                scores: means.macro_mean(),
                p50_ms: means.time(0.5),
                p99_ms: means.time(0.99),
            }));
        }
        Ok(rows)
    }

    fn ask(&self, question: &Question, legs: Legs) -> Search {
        let fusion = self.fusion.unwrap_or_default();
        Search { legs, fusion, ..Search::new(question.text.clone(), DEPTH, question.now.clone()) }
    }
}

/// The sets of legs to be measured, by name.
fn ways(ablate: bool) -> Vec<(String, Legs)> {
    let all = [("all".to_owned(), Legs::ALL)].into_iter();
    let alone = LegId::ALL.map(|leg| (leg.name().to_owned(), Legs::only(leg)));
    let without = LegId::ALL.map(|leg| (format!("no {}", leg.name()), Legs::ALL.set(leg, false)));
    let ablations = alone.into_iter().chain(without).filter(|_| ablate);
    all.chain(ablations).collect()
}

/// A folder that goes with its value.
pub fn folder() -> Result<tempfile::TempDir, Report> {
    tempfile::tempdir().map_err(|error| Report::data(format!("making a folder: {error}")))
}

/// A throwaway journal with these entries, fully indexed.
pub fn session(folder: &std::path::Path, options: &SessionOptions, entries: &[NewEntry]) -> Result<Session, Failure> {
    let vault = VaultOptions { root: folder.join("journal"), ..options.vault.clone() };
    let mut session = Session::open(SessionOptions { vault, ..options.clone() })?;
    session.vault().append_all(entries.to_vec())?;
    session.sync(true, &mut |_| true)?;
    Ok(session)
}

fn print(out: &mut Output, answer: &EvalJson) {
    out.line(format_args!("model: {}", answer.model.as_deref().unwrap_or("none")));
    out.line(format_args!(
        "{:<12} {:<14} {:<14} {:>5}  {:>5} {:>5} {:>5} {:>5} {:>5} {:>5} {:>5}  {:>6} {:>6}",
        "suite", "legs", "category", "n", "r@5", "r@10", "MRR", "nDCG", "P@10", "sure", "by it", "p50 ms", "p99 ms"
    ));
    for row in &answer.rows {
        let Scores { recall_5, recall_10, mrr, ndcg, precision, sure, recall_sure } = row.scores;
        out.line(format_args!(
            "{:<12} {:<14} {:<14} {:>5}  {recall_5:>5.3} {recall_10:>5.3} {mrr:>5.3} {ndcg:>5.3} {precision:>5.3} {sure:>5.3} {recall_sure:>5.3}  {:>6.2} {:>6.2}",
            row.suite, row.legs, row.category, row.questions, row.p50_ms, row.p99_ms
        ));
    }
}
