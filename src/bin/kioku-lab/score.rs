//! `kioku-lab score`: how well a model's likeness of two sentences agrees with people's, and how often a translation is the
//! closest of all.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use clap::Args;
use kioku::{
    cli::lab::{Context, Outcome, Output, chosen},
    embed::distill::pairs::Pair,
    index::keyword::analyzer::fold,
    report::Report,
};
use serde::{Deserialize, Serialize};

use super::distill;

/// Compare a model's likeness of sentence pairs with what people said
#[derive(Debug, Args)]
#[command(after_help = "\
FILE has one JSON object a line: {\"a\": SENTENCE, \"b\": SENTENCE, \"score\": NUMBER}. The answer is Spearman's rank
correlation, times 100: 0 is no agreement, 100 is full agreement.

A FILE of lines TEXT<TAB>TRANSLATION (.tsv, compressed or not) is searched instead: the share of the texts whose own
translation is the closest of all, or among the closest ten, in both directions.")]
pub struct Score {
    file: PathBuf,
    /// An installed model, or a folder with one; the model in use without this
    #[arg(long, value_name = "NAME | FOLDER")]
    model: Option<String>,
    /// Leave the accents of the translations out, as in quick typing
    #[arg(long)]
    unaccented: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Deserialize)]
struct Rated {
    a: String,
    b: String,
    score: f64,
}

#[derive(Debug, Serialize)]
struct ScoreJson {
    model: String,
    pairs: usize,
    /// Pairs of which the model can read neither or only one: their likeness counts as 0.
    unread: usize,
    spearman: f64,
    microseconds_per_text: f64,
}

impl Score {
    pub fn run(self, context: &mut Context) -> Outcome {
        if self.file.to_string_lossy().trim_end_matches(".gz").ends_with(".tsv") {
            return self.search(context);
        }
        let pairs = read(&self.file)?;
        let encoder = chosen(context, self.model.as_deref())?;
        let texts: Vec<&str> = pairs.iter().flat_map(|pair| [pair.a.as_str(), pair.b.as_str()]).collect();
        let start = Instant::now();
        let vectors = encoder.embed(&texts)?;
        let took = start.elapsed();
        let likeness: Vec<f64> = vectors.chunks_exact(2).map(|two| dot(&two[0], &two[1])).collect();
        let unread = vectors.chunks_exact(2).filter(|two| two.iter().any(|v| v.iter().all(|x| *x == 0.0))).count();
        let said: Vec<f64> = pairs.iter().map(|pair| pair.score).collect();
        let answer = ScoreJson {
            model: encoder.stamp().name.clone(),
            pairs: pairs.len(),
            unread,
            spearman: spearman(&likeness, &said) * 100.0,
            microseconds_per_text: took.as_secs_f64() * 1e6 / texts.len().max(1) as f64,
        };
        context.answer(&answer, self.json, print_score)
    }

    /// The translations of a table of pairs as a search.
    fn search(self, context: &mut Context) -> Outcome {
        let pairs = Pair::read_lines(&distill::read(&self.file)?);
        let encoder = chosen(context, self.model.as_deref())?;
        let texts: Vec<&str> = pairs.iter().map(|pair| pair.english.as_str()).collect();
        let plain = |pair: &Pair| if self.unaccented { fold(&pair.vietnamese) } else { pair.vietnamese.clone() };
        let translations: Vec<String> = pairs.iter().map(plain).collect();
        let translations: Vec<&str> = translations.iter().map(String::as_str).collect();
        let embed = |texts: &[&str]| encoder.embed(texts).map_err(|error| Report::from(&error));
        let (left, right) = (embed(&texts)?, embed(&translations)?);
        let unread = |vectors: &[Vec<f32>]| vectors.iter().filter(|vector| vector.iter().all(|x| *x == 0.0)).count();
        let answer = SearchJson {
            model: encoder.stamp().name.clone(),
            pairs: pairs.len(),
            unread: [unread(&left), unread(&right)],
            to_translation: recall(&left, &right, &translations),
            to_text: recall(&right, &left, &texts),
        };
        context.answer(&answer, self.json, print_search)
    }
}

/// Found as the closest, and among the closest ten.
#[derive(Debug, Serialize)]
struct SearchJson {
    model: String,
    pairs: usize,
    /// Texts and translations that the model cannot read.
    unread: [usize; 2],
    to_translation: [f64; 2],
    to_text: [f64; 2],
}

fn print_search(out: &mut Output, answer: &SearchJson) {
    let SearchJson { model, pairs, unread: [left, right], to_translation, to_text } = answer;
    out.line(format_args!("{model}: {pairs} pairs, {left} texts and {right} translations not read"));
    for (way, [first, ten]) in [("text to translation", to_translation), ("translation to text", to_text)] {
        out.line(format_args!("{way}: closest {first:.3}, among ten {ten:.3}"));
    }
}

/// How often the own text is the closest, and among the closest ten. Equal texts are one.
fn recall(queries: &[Vec<f32>], vectors: &[Vec<f32>], texts: &[&str]) -> [f64; 2] {
    let lower: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
    let mut found = [0usize; 2];
    for (at, query) in queries.iter().enumerate() {
        if query.iter().all(|x| *x == 0.0) {
            continue;
        }
        let own = dot(query, &vectors[at]);
        let closer =
            (0..vectors.len()).filter(|other| lower[*other] != lower[at] && dot(query, &vectors[*other]) >= own);
        let closer = closer.take(10).count();
        found[0] += usize::from(closer == 0);
        found[1] += usize::from(closer < 10);
    }
    found.map(|found| found as f64 / queries.len().max(1) as f64)
}

fn print_score(out: &mut Output, answer: &ScoreJson) {
    let ScoreJson { model, pairs, unread, spearman, microseconds_per_text } = answer;
    out.line(format_args!(
        "{model}: {spearman:.1} on {pairs} pairs ({unread} not read), {microseconds_per_text:.1} µs a text"
    ));
}

fn read(file: &Path) -> Result<Vec<Rated>, Report> {
    let text =
        fs::read_to_string(file).map_err(|error| Report::data(format!("reading {}: {error}", file.display())))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let pair = |(at, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| Report::data(format!("{}:{}: {error}", file.display(), at + 1)))
    };
    lines.map(pair).collect()
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
}

/// Spearman's rank correlation; equal values share the mean of their ranks. 0 where one side is all equal.
fn spearman(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 - 1.0) / 2.0;
    let product = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum() };
    let spread = (product(&a, &a) * product(&b, &b)).sqrt();
    if spread > 0.0 { product(&a, &b) / spread } else { 0.0 }
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for run in order.chunk_by(|a, b| values[*a] == values[*b]) {
        let rank = start as f64 + (run.len() as f64 - 1.0) / 2.0;
        run.iter().for_each(|at| ranks[*at] = rank);
        start += run.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recall_counts_the_closest_and_takes_equal_texts_for_one() {
        let vectors = [vec![1.0, 0.0], vec![0.0, 1.0], vec![0.8, 0.6], vec![1.0, 0.0]];
        let queries = [vec![1.0, 0.0], vec![0.0, 1.0], vec![1.0, 0.0], vec![0.0, 0.0]];
        assert_eq!(recall(&queries, &vectors, &["A", "b", "c", "a"]), [0.5, 0.75]);
    }

    #[test]
    fn rank_correlation_sees_order_only() {
        assert!((spearman(&[1.0, 2.0, 3.0], &[10.0, 100.0, 101.0]) - 1.0).abs() < 1e-12);
        assert!((spearman(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]) + 1.0).abs() < 1e-12);
        assert_eq!(spearman(&[1.0, 1.0], &[1.0, 2.0]), 0.0);
        // By hand: ranks 0.5 0.5 2 3 against 0 1 2 3.
        assert!((spearman(&[1.0, 1.0, 2.0, 3.0], &[1.0, 2.0, 3.0, 4.0]) - 4.5 / (4.5f64 * 5.0).sqrt()).abs() < 1e-12);
    }
}
