//! Extractive summary of a session: its own sentences, the most telling first. No language model.

use std::collections::{HashMap, HashSet};

use super::turn;
use crate::{
    index::{keyword::is_stop_word, passage::sentences},
    journal::record_title,
    session::tally,
};

/// Maximum number of sentences from the outcomes.
const MOST_SENTENCES: usize = 3;
const MOST_FILES: usize = 10;

/// Summarises the records of a session, given by role and text, oldest first; `None` if there is none.
pub fn summary(session: &[(&str, &str)]) -> Option<String> {
    let of = |wanted: &'static str| session.iter().filter(move |(role, _)| *role == wanted).map(|(_, text)| *text);
    let prompts: Vec<&str> = of("user").map(record_title).collect();
    let turns: Vec<&str> = of("assistant").collect();
    if prompts.is_empty() && turns.is_empty() {
        return None;
    }
    let mut parts: Vec<String> = prompts.first().map(|prompt| format!("Asked: {prompt}")).into_iter().collect();
    if prompts.len() > 1 {
        parts.push(format!("Last asked: {} ({} prompts)", prompts[prompts.len() - 1], prompts.len()));
    }
    let outcomes: Vec<&str> = turns.iter().map(|body| turn::outcome(body)).collect();
    parts.extend(telling(&outcomes, &prompts).into_iter().map(|sentence| format!("- {sentence}")));
    let files = tally(turns.iter().flat_map(|body| turn::changed_files(body)));
    if !files.is_empty() {
        let names: Vec<&str> = files.iter().map(|(file, _)| *file).collect();
        parts.push(turn::line("Changed", &names, MOST_FILES));
    }
    Some(parts.join("\n"))
}

/// The sentences whose words recur most in the session, in their order. The last outcome counts twice.
fn telling<'t>(outcomes: &[&'t str], prompts: &[&str]) -> Vec<&'t str> {
    let mut weights: HashMap<String, f64> = HashMap::new();
    let texts = outcomes.iter().chain(outcomes.last()).chain(prompts);
    texts.flat_map(|text| words(text)).for_each(|word| *weights.entry(word).or_default() += 1.0);
    let mut scored: Vec<(f64, usize, &str)> = Vec::new();
    for sentence in outcomes.iter().flat_map(|text| sentences(text).map(|span| text[span].trim())) {
        let words: HashSet<String> = words(sentence).collect();
        if words.len() < 3 || scored.iter().any(|(_, _, known)| *known == sentence) {
            continue;
        }
        let score = words.iter().filter_map(|word| weights.get(word)).sum::<f64>() / (words.len() as f64).sqrt();
        scored.push((score, scored.len(), sentence));
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.truncate(MOST_SENTENCES);
    scored.sort_by_key(|(_, nth, _)| *nth);
    scored.into_iter().map(|(_, _, sentence)| sentence).collect()
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 2);
    words.map(str::to_lowercase).filter(|word| !is_stop_word(word))
}
