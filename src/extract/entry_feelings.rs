//! What the writer of a text feels, as a reader of the whole would say.
//!
//! Stated feelings, and those that a model reads where no word names them. The latter are a guess, not a statement of the
//! writer: they create no entity and no relation.

use super::{Extract, Family, gate::reading::{TextReader, feelings_read}, moods::valence};

/// Probability from which on a feeling that only the model reads is told.
const LIKELY: f32 = 0.4;

/// A feeling in a text: stated, or read by the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Emotion {
    /// The name of the family, or of the feeling itself if it belongs to none (`homesick`, `not happy`).
    pub name: String,
    /// From -1 to 1.
    pub polarity: f32,
    /// From 0 to 1.
    pub strength: f32,
}

/// The feelings of a text, strongest first; none for a neutral one. `extract` is the extraction of the text. Each
/// family occurs once, stated or read.
pub fn emotions(text: &str, extract: &Extract, reader: Option<&dyn TextReader>) -> Vec<Emotion> {
    let read = reader.map_or_else(Vec::new, |reader| feelings_read(text, reader));
    let likely = read.into_iter().filter(|(_, share)| *share >= LIKELY);
    let mut found: Vec<Emotion> = likely
        .map(|(name, strength)| Emotion { name: name.to_owned(), polarity: polarity(name), strength })
        .collect();
    for feeling in extract.feelings.iter().filter(|feeling| feeling.own) {
        let name = feeling.family.map_or_else(|| feeling.name.clone(), |family| family.word().to_owned());
        match found.iter_mut().find(|known| known.name == name) {
            Some(known) => known.strength = known.strength.max(feeling.strength),
            None => {
                let (polarity, strength) = (feeling.polarity, feeling.strength);
                found.push(Emotion { name, polarity, strength });
            }
        }
    }
    found.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    found
}

fn polarity(name: &str) -> f32 {
    valence(name).or_else(|| Family::parse(name).map(Family::polarity)).unwrap_or_default()
}
