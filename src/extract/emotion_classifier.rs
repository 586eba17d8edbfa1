//! Emotion classifier: a linear model over words, for feelings that no word of the text names.
//!
//! Its result is a guess, not a statement of the writer: it creates no entity and no relation. The weights are in
//! `assets/lexicon/emotion-weights.txt`, fitted on GoEmotions (Demszky et al., ACL 2020, CC BY 4.0) and on the
//! entries of `tests/gate/diaries` by the test `fit_the_emotion_weights` in `tests/it/extraction/fit.rs`.

use std::{borrow::Cow, collections::HashMap, sync::LazyLock};

use super::{Extract, Family, fold_case, language::List, lines, text::Text};

/// Number of words up to which a text is a remark. In a longer one a word says less of the whole, and the weights have a
/// bias of its own for it.
const SHORT: usize = 30;

/// One score for each of [`Family::ALL`].
type Scores = [f32; Family::ALL.len()];

struct Weights {
    bias: Scores,
    words: HashMap<&'static str, Scores>,
}

static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
    let mut weights = Weights { bias: [0.0; 6], words: HashMap::new() };
    for line in lines(List::EmotionWeights) {
        let mut columns = line.split('\t');
        let Some(word) = columns.next() else { continue };
        let mut scores = [0.0; 6];
        for (score, column) in scores.iter_mut().zip(columns) {
            *score = column.trim().parse::<f32>().unwrap_or(0.0) / 100.0;
        }
        if word == "(bias)" {
            weights.bias = scores;
        } else {
            weights.words.insert(word, scores);
        }
    }
    weights
});

/// A feeling in a text: stated, or predicted by the classifier.
#[derive(Debug, Clone, PartialEq)]
pub struct Emotion {
    /// The name of the family, or of the feeling itself if it belongs to none (`tired`, `not happy`).
    pub name: String,
    /// From -1 to 1.
    pub polarity: f32,
    /// From 0 to 1.
    pub strength: f32,
}

/// The feelings of a text, strongest first; none for a neutral one. `extract` is the extraction of the text. Each
/// family occurs once, stated or predicted.
pub fn emotions(text: &str, extract: &Extract) -> Vec<Emotion> {
    let weights = &*WEIGHTS;
    let mut scores = weights.bias;
    for feature in tone_features(&without_bare(text), extract) {
        if let Some(known) = weights.words.get(feature.as_str()) {
            scores.iter_mut().zip(known).for_each(|(score, weight)| *score += weight);
        }
    }
    let mut found = Vec::new();
    for (family, score) in Family::ALL.into_iter().zip(scores) {
        let stated = || extract.feelings.iter().filter(move |feeling| feeling.family == Some(family));
        let said = stated().find(|feeling| feeling.own);
        if score <= 0.0 && said.is_none() {
            continue;
        }
        let strength = stated().map(|feeling| feeling.strength).fold(1.0 / (1.0 + (-score).exp()), f32::max);
        let polarity = said.or_else(|| stated().next()).map_or_else(|| family.polarity(), |feeling| feeling.polarity);
        found.push(Emotion { name: family.word().to_owned(), polarity, strength });
    }
    for feeling in extract.feelings.iter().filter(|feeling| feeling.family.is_none() && feeling.own) {
        if !found.iter().any(|known| known.name == feeling.name) {
            found.push(Emotion { name: feeling.name.clone(), polarity: feeling.polarity, strength: feeling.strength });
        }
    }
    found.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    found
}

/// The text without its sentences of unaccented Vietnamese: the weights are for English words, and `met` means "tired"
/// there.
fn without_bare(text: &str) -> Cow<'_, str> {
    let read = Text::new(text, &[]);
    if read.bare.is_empty() {
        return text.into();
    }
    let mut kept = text.to_owned();
    for sentence in read.bare.iter().rev() {
        kept.replace_range(read.bytes(sentence), " ");
    }
    kept.into()
}

/// The features, each once: words, pairs of words, signs, and the families of the feelings that are stated, of the writer
/// or of others.
pub fn tone_features(text: &str, extract: &Extract) -> Vec<String> {
    let folded = fold_case(text).replace('’', "'");
    let words: Vec<&str> = folded
        .split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .map(|word| word.trim_matches('\''))
        .filter(|word| !word.is_empty())
        .collect();
    let mut features: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    features.extend(words.windows(2).map(|pair| format!("{} {}", pair[0], pair[1])));
    if words.len() > SHORT {
        features.push("(long)".to_owned());
    }
    for sign in ["!", "?", "...", ":)", ":(", "lol"] {
        if folded.contains(sign) {
            features.push(format!("({sign})"));
        }
    }
    for feeling in extract.feelings.iter().filter(|feeling| !feeling.denied) {
        if let Some(family) = feeling.family {
            let whose = if feeling.own { "" } else { "not own " };
            features.push(format!("({whose}{})", family.word()));
        }
    }
    features.sort_unstable();
    features.dedup();
    let heard: Vec<String> =
        (0..words.len()).flat_map(|at| LISTED.at(&words, at)).map(|family| format!("[{}]", family.word())).collect();
    features.extend(heard);
    features.sort_unstable();
    // A family counts up to three times: more words are stronger evidence.
    let mut counted: Vec<String> = Vec::with_capacity(features.len());
    for same in features.chunk_by(|a, b| a == b) {
        counted.extend(
            (0..same.len().min(3))
                .map(|nth| if nth == 0 { same[0].clone() } else { format!("{}{}", same[0], nth + 1) }),
        );
    }
    counted
}

/// The word list by first word; a stem with a star is looked up by decreasing length.
struct Listed {
    words: HashMap<&'static str, Vec<Family>>,
    stems: HashMap<&'static str, Vec<Family>>,
}

static LISTED: LazyLock<Listed> = LazyLock::new(|| {
    let mut listed = Listed { words: HashMap::new(), stems: HashMap::new() };
    for line in lines(List::Tones) {
        let Some((family, words)) = line.split_once(':') else { continue };
        let Some(family) = Family::parse(family) else { continue };
        for word in words.split(',').map(str::trim) {
            match word.strip_suffix('*') {
                Some(stem) => listed.stems.entry(stem).or_default().push(family),
                None => listed.words.entry(word).or_default().push(family),
            }
        }
    }
    listed
});

impl Listed {
    /// The families of this word and of the pair that starts here; none if the previous word negates it.
    fn at(&self, words: &[&str], at: usize) -> Vec<Family> {
        let word = words[at];
        let mut found: Vec<Family> = self.words.get(word).into_iter().flatten().copied().collect();
        if let Some(next) = words.get(at + 1) {
            found.extend(self.words.get(format!("{word} {next}").as_str()).into_iter().flatten());
        }
        let mut ends = word.char_indices().map(|(end, _)| end).skip(2).chain([word.len()]);
        if let Some(families) = ends.find_map(|end| self.stems.get(&word[..end])) {
            found.extend(families);
        }
        found.sort_unstable();
        found.dedup();
        let denied = at > 0
            && matches!(words[at - 1], "not" | "never" | "no" | "isn't" | "don't" | "didn't" | "wasn't" | "aren't");
        found.retain(|family| !(denied && *family == Family::Joy));
        found
    }
}
