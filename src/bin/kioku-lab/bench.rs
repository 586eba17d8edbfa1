//! `kioku-lab bench`: the installed models side by side on the user's own journal.
//!
//! A query is some words of a passage that was written; each model ranks the passages by it. Two models that put the
//! same passages first agree, whichever of them is right.

use std::{collections::HashSet, time::Instant};

use clap::Args;
use kioku::{
    cli::lab::{Context, Outcome, Output, ProgressLine, bytes, installed, warn},
    embed::{Encoder, registry},
    index::passage::{PassageHash, passages},
    report::Report,
};
use serde::Serialize;

/// How many of the first are compared.
const TOP: usize = 10;
/// Words of a query.
const WORDS: usize = 6;
/// Passages embedded between two words of progress.
const BLOCK: usize = 64;

/// Compare the installed models on your own journal: agreement, time and size
#[derive(Debug, Args)]
#[command(after_help = "\
Passages of the journal are drawn by --seed; some words of each are the queries. `own` says how often a model puts the
passage that the words are from among its first ten; agreement is the share of the first ten that two models have in
common. Neither says which model is right about what you would ask.")]
pub struct Bench {
    /// How many queries
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    queries: u32,
    /// Entries at most, drawn from the whole journal
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    entries: u32,
    /// The same seed draws the same passages
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct BenchJson {
    entries: usize,
    passages: usize,
    queries: usize,
    models: Vec<MeasuredJson>,
    agreement: Vec<AgreementJson>,
}

#[derive(Debug, Serialize)]
struct MeasuredJson {
    name: String,
    dimension: usize,
    /// Bytes.
    size: u64,
    load_ms: f64,
    ms_per_entry: f64,
    ms_per_query: f64,
    /// Share of the queries whose own passage is among the first ten.
    own: f64,
    /// Queries of which the model can read nothing.
    unread: usize,
}

#[derive(Debug, Serialize)]
struct AgreementJson {
    models: [String; 2],
    /// Mean share of the first ten that both have; queries that either cannot read are left out.
    top10: Option<f64>,
}

/// What the models are compared on.
struct Sample {
    entries: usize,
    passages: Vec<String>,
    /// Each with the passage that it is from.
    queries: Vec<(usize, String)>,
}

impl Bench {
    pub fn run(self, context: &mut Context) -> Outcome {
        let (models, broken) = installed(context)?;
        broken.iter().for_each(warn);
        let mut session = context.reading_session()?;
        let bodies = session.entries(None, None)?.into_iter().map(|entry| entry.body).collect();
        session.close()?;
        let sample = Sample::draw(bodies, self.entries as usize, self.queries as usize, self.seed);
        if sample.queries.is_empty() {
            return Err(Report::data("the journal has no passage to ask about").into());
        }
        let mut line = ProgressLine::stderr();
        let mut measured = Vec::new();
        for model in &models {
            let started = Instant::now();
            match registry::load(&context.paths.models(), &model.name) {
                Ok(encoder) => {
                    let load_ms = started.elapsed().as_secs_f64() * 1e3;
                    let (mut figures, tops) = measure(encoder.as_ref(), &sample, &mut |done, of| {
                        line.show(format_args!("{}: {done} of {of} passages", model.name));
                    })?;
                    (figures.size, figures.load_ms) = (model.size, round(load_ms));
                    measured.push((figures, tops));
                }
                Err(error) => warn(error),
            }
        }
        drop(line);
        let agreement = agreement(&measured);
        let answer = BenchJson {
            entries: sample.entries,
            passages: sample.passages.len(),
            queries: sample.queries.len(),
            models: measured.into_iter().map(|(figures, _)| figures).collect(),
            agreement,
        };
        context.answer(&answer, self.json, print)
    }
}

fn print(out: &mut Output, answer: &BenchJson) {
    let BenchJson { entries, passages, queries, .. } = answer;
    out.line(format_args!("{queries} queries over {passages} passages of {entries} entries"));
    for model in &answer.models {
        let name = format!("{:<24}", model.name);
        out.line(format_args!(
            "{} {} numbers, {}, {} ms an entry, {} ms a query, own {:.2}{}",
            out.bold(&name),
            model.dimension,
            bytes(model.size),
            model.ms_per_entry,
            model.ms_per_query,
            model.own,
            if model.unread > 0 { format!(", {} not read", model.unread) } else { String::new() },
        ));
    }
    for AgreementJson { models: [a, b], top10 } in &answer.agreement {
        let share = top10.map_or("nothing to compare".to_owned(), |share| format!("{share:.2}"));
        out.line(format_args!("{a} and {b} agree on the first ten: {share}"));
    }
}

impl Sample {
    fn draw(mut bodies: Vec<String>, entries: usize, queries: usize, seed: u64) -> Self {
        // As random as a hash, and the same for the same seed wherever the entry stands.
        let place = |text: &str| PassageHash::of(&format!("{seed} {text}"));
        bodies.sort_by_cached_key(|body| place(body));
        bodies.truncate(entries);
        let mut seen = HashSet::new();
        let of_body = |body: &String| -> Vec<String> {
            let spans =
                passages(body).into_iter().map(|passage| passage.span.start as usize..passage.span.end as usize);
            spans.filter_map(|span| body.get(span).map(str::to_owned)).collect()
        };
        let passages: Vec<String> =
            bodies.iter().flat_map(of_body).filter(|passage| seen.insert(PassageHash::of(passage))).collect();
        let mut order: Vec<usize> = (0..passages.len()).collect();
        order.sort_by_cached_key(|at| place(&format!("query {}", passages[*at])));
        let queries = order.into_iter().filter_map(|at| Some((at, words_of(&passages[at])?))).take(queries).collect();
        Self { entries: bodies.len(), passages, queries }
    }
}

/// Six words of a passage, spread over it, the longer ones first; `None` where it has fewer than three.
fn words_of(passage: &str) -> Option<String> {
    let words: Vec<&str> =
        passage.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|w| !w.is_empty()).collect();
    let mut chosen: Vec<usize> = (0..words.len()).collect();
    chosen.sort_by_key(|at| std::cmp::Reverse(words[*at].chars().count()));
    chosen.truncate(WORDS);
    chosen.sort_unstable();
    (chosen.len() >= 3).then(|| chosen.into_iter().map(|at| words[at]).collect::<Vec<_>>().join(" "))
}

/// The first ten of each query; `None` where the model cannot read it.
type Tops = Vec<Option<Vec<usize>>>;

fn measure(
    encoder: &dyn Encoder,
    sample: &Sample,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<(MeasuredJson, Tops), Report> {
    let fault = |error| Report::from(&error);
    let started = Instant::now();
    let mut vectors = Vec::with_capacity(sample.passages.len());
    for block in sample.passages.chunks(BLOCK) {
        progress(vectors.len(), sample.passages.len());
        let block: Vec<&str> = block.iter().map(String::as_str).collect();
        vectors.extend(encoder.embed(&block).map_err(fault)?);
    }
    let embedding = started.elapsed();
    let started = Instant::now();
    let mut asked = Vec::with_capacity(sample.queries.len());
    for (_, query) in &sample.queries {
        // One at a time, as they come from a keyboard.
        asked.extend(encoder.embed_queries(&[query]).map_err(fault)?);
    }
    let asking = started.elapsed();
    let tops: Tops = asked.iter().map(|query| top(query, &vectors)).collect();
    let own =
        sample.queries.iter().zip(&tops).filter(|((at, _), top)| top.as_ref().is_some_and(|top| top.contains(at)));
    let each = |took: std::time::Duration, count: usize| round(took.as_secs_f64() * 1e3 / count.max(1) as f64);
    let figures = MeasuredJson {
        name: encoder.stamp().name.clone(),
        dimension: encoder.stamp().dimension,
        size: 0,
        load_ms: 0.0,
        ms_per_entry: each(embedding, sample.entries),
        ms_per_query: each(asking, sample.queries.len()),
        own: own.count() as f64 / sample.queries.len().max(1) as f64,
        unread: tops.iter().filter(|top| top.is_none()).count(),
    };
    Ok((figures, tops))
}

fn top(query: &[f32], vectors: &[Vec<f32>]) -> Option<Vec<usize>> {
    let readable = |vector: &[f32]| vector.iter().any(|x| *x != 0.0);
    if !readable(query) {
        return None;
    }
    let cosine = |vector: &Vec<f32>| vector.iter().zip(query).map(|(a, b)| a * b).sum::<f32>();
    let rows = vectors.iter().enumerate().filter(|(_, vector)| readable(vector));
    let mut scored: Vec<(usize, f32)> = rows.map(|(at, vector)| (at, cosine(vector))).collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    Some(scored.into_iter().take(TOP).map(|(at, _)| at).collect())
}

fn agreement(measured: &[(MeasuredJson, Tops)]) -> Vec<AgreementJson> {
    let mut found = Vec::new();
    for (at, (a, of_a)) in measured.iter().enumerate() {
        for (b, of_b) in &measured[at + 1..] {
            let both = of_a.iter().zip(of_b).filter_map(|(a, b)| Some((a.as_ref()?, b.as_ref()?)));
            let shares: Vec<f64> = both
                .map(|(a, b)| a.iter().filter(|at| b.contains(at)).count() as f64 / a.len().max(b.len()).max(1) as f64)
                .collect();
            let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
            found.push(AgreementJson {
                models: [a.name.clone(), b.name.clone()],
                top10: (!shares.is_empty()).then_some((mean * 1e4).round() / 1e4),
            });
        }
    }
    found
}

/// To the thousandth.
fn round(milliseconds: f64) -> f64 {
    (milliseconds * 1e3).round() / 1e3
}

#[cfg(test)]
mod tests {
    use kioku::embed::testing::HashEncoder;

    use super::*;

    fn sample() -> Sample {
        let bodies =
            (0..40).map(|at| format!("Lantern number{at} stood beside harbour{at} through evening{at}.")).collect();
        Sample::draw(bodies, 30, 12, 1)
    }

    #[test]
    fn the_sample_follows_the_seed() {
        let drawn = sample();
        assert_eq!((drawn.entries, drawn.passages.len(), drawn.queries.len()), (30, 30, 12));
        assert_eq!(drawn.queries, sample().queries);
        assert!(
            drawn.queries.iter().all(|(at, query)| query.split(' ').all(|word| drawn.passages[*at].contains(word)))
        );
    }

    #[test]
    fn a_model_agrees_with_itself_and_finds_the_passages_of_its_words() {
        let sample = sample();
        let measured: Vec<_> =
            [256, 256, 2].map(|size| measure(&HashEncoder::new(size), &sample, &mut |_, _| {}).unwrap()).into();
        assert_eq!(measured[0].0.own, 1.0);
        let agreement = agreement(&measured);
        assert_eq!(agreement[0].top10, Some(1.0));
        assert!(agreement[1].top10 < Some(0.9), "two buckets know little: {:?}", agreement[1]);
        assert_eq!(agreement.len(), 3);
    }

    #[test]
    fn a_query_is_made_of_the_longer_words_in_their_order() {
        assert_eq!(
            words_of("It is so, as we walked along the narrow harbour wall at dusk").as_deref(),
            Some("walked along narrow harbour wall dusk")
        );
        assert_eq!(words_of("Yes — no."), None);
    }
}
