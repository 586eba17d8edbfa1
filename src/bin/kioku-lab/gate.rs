//! `kioku-lab gate`: lists the claims that the word lists propose, and fits the gate that accepts or rejects them.

mod labelled;
pub mod sparse_logistic;

use std::{collections::BTreeMap, fmt::Write as _, fs, path::PathBuf};

use clap::Args;
use kioku::{
    cli::lab::{Context, Done, Outcome, Output},
    extract::Gated,
    report::Report,
};
use serde::Serialize;

use self::{
    labelled::{Labelled, Task},
    sparse_logistic::{Case, Penalty, fit, probability},
};

const PENALTY: Penalty = Penalty { sparse: 0.0001, small: 0.002 };
/// How much more the weight of a cue that is a word of the text is held down: what a sentence is about says less than how
/// it is built.
const WORDS: f64 = 10.0;
/// The cues that are words of the text.
const WORD_CUES: [&str; 10] = [
    "word:",
    "near:",
    "cause:",
    "effect:",
    "cause-beside:",
    "effect-beside:",
    "subject:",
    "before12:",
    "before:",
    "after:",
];
/// Groups of writers, each of which is left out once.
const GROUPS: usize = 8;
/// Cues of fewer cases are left out.
const FEWEST: usize = 3;
/// Weights closer to zero than this are not written.
const LEAST: f64 = 0.02;

/// Fit the gate for proposed claims on labelled ones, and write its weights
#[derive(Debug, Args)]
#[command(after_help = "\
FOLDER has texts.jsonl, lines {\"id\": ID, \"text\": TEXT}, and labels.jsonl, lines {\"id\": ID, \"feeling\": NAME, \"spans\":
[[FROM, TO]], \"labels\": LETTERS}: a letter of each reader, y for true, n for false, p for a cause that is cut. Spans are in
characters; a cause has two, and no feeling. The part of an ID before its dash names the writer.

Every figure is of writers that the weights were not fitted on.")]
pub struct Gate {
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// Further labelled claims: lines {"text", "task": F or C, "spans", "label": yes, no or partial}
    #[arg(long, value_name = "FILE")]
    also: Vec<PathBuf>,
    /// Sentences of the news: lines {"text", "pairs": [{"cause": {"start", "end"}, "effect"}]}
    #[arg(long, value_name = "FILE")]
    news: Vec<PathBuf>,
    /// Labelled claims, as for --also, that are judged and not fitted on
    #[arg(long, value_name = "FILE")]
    test: Option<PathBuf>,
    /// List the claims that are proposed for the texts in place of fitting
    #[arg(long)]
    list: bool,
    /// The share of true ones among the accepted feelings, and among the accepted causes
    #[arg(long, num_args = 2, value_names = ["FEELINGS", "CAUSES"], default_values_t = [0.85, 0.88])]
    precision: Vec<f64>,
    /// Write the labelled claims here, each with the logit that the weights give it without its group of writers
    #[arg(long, value_name = "FILE")]
    claims: Option<PathBuf>,
    /// The folder to write the weights to
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    #[arg(long)]
    json: bool,
}

/// How the gate does on writers that it was not fitted on.
#[derive(Debug, Serialize)]
struct HeadJson {
    task: &'static str,
    cases: usize,
    true_ones: usize,
    /// Precision and recall of the rules alone, and of the gate.
    rules: [f64; 2],
    gate: [f64; 2],
    /// The share of accepted claims of which no reader accepts anything.
    false_ones: f64,
    /// The probability that a true claim is ranked before a false one.
    auc: f64,
    line: f64,
    weights: usize,
    /// Precision and recall on the claims of `--test`.
    test: Option<[f64; 2]>,
    /// Precision and recall by writer.
    writers: BTreeMap<String, [f64; 2]>,
}

#[derive(Debug, Serialize)]
struct GateJson {
    heads: Vec<HeadJson>,
}

impl Gate {
    pub fn run(self, context: &mut Context) -> Outcome {
        if self.list {
            for folder in &self.folders {
                labelled::list(folder)?.iter().for_each(|listed| context.out.line(listed));
            }
            return Ok(Done::Done);
        }
        let mut labelled = Vec::new();
        for folder in &self.folders {
            labelled.extend(labelled::read(folder)?);
        }
        for file in &self.also {
            labelled.extend(labelled::read_spans(file)?);
        }
        for file in &self.news {
            labelled.extend(labelled::read_pairs(file)?);
        }
        let test = self.test.as_deref().map(labelled::read_spans).transpose()?.unwrap_or_default();
        let mut answer = GateJson { heads: Vec::new() };
        let mut claims = Vec::new();
        for ((task, list), precision) in
            [(Task::Feeling, Gated::Feelings), (Task::Cause, Gated::Causes)].into_iter().zip(&self.precision)
        {
            let own: Vec<&Labelled> = labelled.iter().filter(|one| one.task == task).collect();
            let test: Vec<&Labelled> = test.iter().filter(|one| one.task == task).collect();
            let (head, text, held_out) = head(task, &own, &test, list, *precision);
            for (claim, probability) in own.into_iter().zip(held_out) {
                claims.push(ClaimJson::new(claim, probability));
            }
            if let Some(folder) = &self.out {
                let path = folder.join(format!("{}.txt", list.name()));
                fs::write(&path, text).map_err(|error| Report::data(format!("writing {}: {error}", path.display())))?;
            }
            answer.heads.push(head);
        }
        if let Some(path) = &self.claims {
            let lines: Result<Vec<String>, _> = claims.iter().map(serde_json::to_string).collect();
            let text = lines.map_err(|error| Report::data(error.to_string()))?.join("\n");
            fs::write(path, text).map_err(|error| Report::data(format!("writing {}: {error}", path.display())))?;
        }
        context.answer(&answer, self.json, print)
    }
}

/// A labelled claim for other models to be trained on.
#[derive(Debug, Serialize)]
struct ClaimJson<'a> {
    task: &'static str,
    writer: &'a str,
    text: &'a str,
    /// In characters: of the feeling, or of cause and effect.
    spans: &'a [(usize, usize)],
    truth: f64,
    weight: f64,
    logit: f64,
    /// Of a feeling.
    family: Option<&'a str>,
    /// Whether a connective links cause and effect.
    linked: bool,
}

impl<'a> ClaimJson<'a> {
    fn new(claim: &'a Labelled, probability: f64) -> Self {
        let Labelled { task, writer, text, spans, cues, truth, weight, .. } = claim;
        let logit = (probability / (1.0 - probability).max(1e-9)).ln();
        let family = cues.iter().find_map(|cue| cue.strip_prefix("family:")).filter(|_| *task == Task::Feeling);
        let linked = cues.iter().any(|cue| cue == "kind:linked");
        Self { task: task.name(), writer, text, spans, truth: *truth, weight: *weight, logit, family, linked }
    }
}

/// The figures on held-out writers, and the file of the weights that are fitted on all.
fn head(
    task: Task,
    labelled: &[&Labelled],
    test: &[&Labelled],
    list: Gated,
    precision: f64,
) -> (HeadJson, String, Vec<f64>) {
    let names = names(labelled);
    let penalties: Vec<Penalty> = names.keys().map(|cue| penalty(cue)).collect();
    let cases: Vec<Case> = labelled.iter().map(|one| case(one, &names)).collect();
    let mut writers: Vec<&str> = labelled.iter().map(|one| one.writer.as_str()).collect();
    writers.sort_unstable();
    writers.dedup();
    let mut held_out = vec![0.0; cases.len()];
    let group = |one: &Labelled| writers.binary_search(&one.writer.as_str()).unwrap_or_default() % GROUPS;
    for left_out in 0..GROUPS {
        let others = cases.iter().zip(labelled).filter(|(_, one)| group(one) != left_out);
        let others: Vec<&Case> = others.map(|(case, _)| case).collect();
        let weights = fit(&others, &penalties);
        for ((case, one), held_out) in cases.iter().zip(labelled).zip(&mut held_out) {
            if group(one) == left_out {
                *held_out = probability(&weights, &case.cues);
            }
        }
    }
    let own = |at: &usize| !labelled[*at].writer.starts_with('(');
    let all: Vec<usize> = (0..cases.len()).filter(own).collect();
    let truth = |at: usize| cases[at].truth;
    let line = line_for(precision, &all, &held_out, truth);
    let accepted = |at: usize| held_out[at] >= line;
    let by_writer = writers.iter().map(|writer| {
        let own: Vec<usize> = (0..cases.len()).filter(|at| labelled[*at].writer == *writer).collect();
        ((*writer).to_owned(), precision_and_recall(&own, accepted, truth))
    });
    let head = HeadJson {
        task: task.name(),
        cases: all.len(),
        true_ones: all.iter().filter(|at| truth(**at) >= 0.5).count(),
        rules: precision_and_recall(&all, |at| labelled[at].by_rule, truth),
        gate: precision_and_recall(&all, accepted, truth),
        false_ones: {
            let accepted: Vec<usize> = all.iter().copied().filter(|at| accepted(*at)).collect();
            let wrong = accepted.iter().filter(|at| truth(**at) == 0.0).count();
            wrong as f64 / accepted.len().max(1) as f64
        },
        auc: auc(&all, &held_out, truth),
        line,
        weights: 0,
        test: None,
        writers: by_writer.collect(),
    };
    let weights = fit(&cases.iter().collect::<Vec<_>>(), &penalties);
    let mut kept: Vec<(&str, f64)> =
        names.iter().map(|(cue, place)| (*cue, weights[*place as usize])).filter(|(_, w)| w.abs() >= LEAST).collect();
    kept.sort_by(|a, b| a.0.cmp(b.0));
    let mut text = format!("{}\n(line)\t{line:.3}\n", list.heading());
    for (cue, weight) in &kept {
        let _ = writeln!(text, "{cue}\t{weight:.2}");
    }
    let test_cases: Vec<Case> = test.iter().map(|one| case(one, &names)).collect();
    let accepted = |at: usize| probability(&weights, &test_cases[at].cues) >= line;
    let all: Vec<usize> = (0..test_cases.len()).collect();
    let tested = precision_and_recall(&all, accepted, |at| test_cases[at].truth);
    (HeadJson { weights: kept.len(), test: (!test.is_empty()).then_some(tested), ..head }, text, held_out)
}

fn penalty(cue: &str) -> Penalty {
    if WORD_CUES.iter().any(|word| cue.starts_with(word)) { PENALTY.times(WORDS) } else { PENALTY }
}

/// The place of each cue that enough cases have.
fn names<'a>(labelled: &[&'a Labelled]) -> BTreeMap<&'a str, u32> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for one in labelled {
        one.cues.iter().for_each(|cue| *counts.entry(cue).or_default() += 1);
    }
    let enough = counts.into_iter().filter(|(_, count)| *count >= FEWEST);
    enough.zip(0..).map(|((cue, _), place)| (cue, place)).collect()
}

fn case(one: &Labelled, names: &BTreeMap<&str, u32>) -> Case {
    let cues = one.cues.iter().filter_map(|cue| names.get(cue.as_str()).copied()).collect();
    Case { cues, truth: one.truth, weight: one.weight }
}

fn precision_and_recall(all: &[usize], accepted: impl Fn(usize) -> bool, truth: impl Fn(usize) -> f64) -> [f64; 2] {
    let sum = |which: &dyn Fn(usize) -> bool| all.iter().filter(|at| which(**at)).map(|at| truth(*at)).sum::<f64>();
    let right = sum(&|at| accepted(at));
    let count = all.iter().filter(|at| accepted(**at)).count();
    [right / count.max(1) as f64, right / sum(&|_| true).max(f64::MIN_POSITIVE)]
}

/// The lowest line from which on enough of the accepted claims are true.
fn line_for(precision: f64, all: &[usize], found: &[f64], truth: impl Fn(usize) -> f64) -> f64 {
    let mut order: Vec<usize> = all.to_vec();
    order.sort_by(|a, b| found[*b].total_cmp(&found[*a]));
    let (mut right, mut line) = (0.0, 0.99);
    for (count, at) in order.iter().enumerate() {
        right += truth(*at);
        if right / (count + 1) as f64 >= precision {
            line = found[*at];
        }
    }
    (line * 1000.0).floor() / 1000.0
}

fn auc(all: &[usize], found: &[f64], truth: impl Fn(usize) -> f64) -> f64 {
    let mut order: Vec<usize> = all.to_vec();
    order.sort_by(|a, b| found[*a].total_cmp(&found[*b]));
    let (mut below, mut pairs, mut trues) = (0.0, 0.0, 0.0);
    for at in order {
        let yes = truth(at);
        pairs += yes * below;
        below += 1.0 - yes;
        trues += yes;
    }
    pairs / f64::max(trues * below, f64::MIN_POSITIVE)
}

fn print(out: &mut Output, answer: &GateJson) {
    for head in &answer.heads {
        let HeadJson { task, cases, true_ones, rules, gate, false_ones, auc, line, weights, test, writers } = head;
        out.line(format_args!(
            "{task}: {true_ones} of {cases} are true; {weights} weights, line {line:.3}, AUC {auc:.3}, {false_ones:.3} wholly false"
        ));
        let rows = [("rules", Some(rules)), ("gate", Some(gate)), ("gate on the test claims", test.as_ref())];
        for (what, [precision, recall]) in rows.into_iter().filter_map(|(what, row)| Some((what, row?))) {
            out.line(format_args!("  {what}: precision {precision:.3}, recall {recall:.3}"));
        }
        for (writer, [precision, recall]) in writers {
            out.line(format_args!("    {writer}: {precision:.3}, {recall:.3}"));
        }
    }
}
