//! Feelings of the writer of a text, as a reader of the whole would name them.
//!
//! Stated feelings, and those that a model reads where no word names them. The latter are a guess, not a statement of the
//! writer: they create no entity and no relation.

use super::{
    Extract, Family, Feeling,
    feelings::family_called,
    gate::reading::{TextReader, feelings_read},
    moods::valence,
    same_feeling::is_alike,
};

/// Strength from which on a feeling that only the model reads is told.
const LIKELY: f32 = 0.55;
/// How much stronger a feeling is that the text states.
const STATED: f32 = 0.35;

/// A feeling in a text: stated, or read by the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Emotion {
    /// The name of the family, or of the feeling itself if it belongs to none (`homesick`, `not happy`).
    pub name: String,
    /// From -1 to 1.
    pub polarity: f32,
    /// From 0 to 1.
    pub strength: f32,
    /// Whether words of the text say it; else a model reads it in the text: a guess that is right in three of five entries.
    pub is_stated: bool,
}

/// The feelings of a text, strongest first; none for a neutral one. `extract` is the extraction of the text. Each
/// feeling occurs once, stated or read.
pub fn emotions(text: &str, extract: &Extract, reader: Option<&dyn TextReader>) -> Vec<Emotion> {
    let mut read = reader.map_or_else(Vec::new, |reader| feelings_read(text, reader));
    // Of alike families the likeliest gives the name.
    read.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut found: Vec<Emotion> = Vec::new();
    for (name, share) in read {
        match found.iter_mut().find(|known| is_alike(&known.name, name)) {
            Some(known) => known.strength += share,
            None => {
                let (name, polarity) = (name.to_owned(), polarity(name));
                found.push(Emotion { name, polarity, strength: share, is_stated: false });
            }
        }
    }
    let denied: Vec<&str> = extract.feelings.iter().filter_map(denied_family).collect();
    found.retain_mut(|one| {
        let own = extract.feelings.iter().filter(|feeling| feeling.own).map(family_of);
        let stated: Vec<&str> = own.filter(|family| is_alike(family, &one.name)).collect();
        if let Some(first) = stated.first() {
            // The word of the text gives the name, not what reads alike.
            if !stated.contains(&one.name.as_str()) {
                (one.name, one.polarity) = ((*first).to_owned(), polarity(first));
            }
            one.is_stated = true;
            one.strength = (one.strength + STATED).min(1.0);
        }
        let is_denied = denied.iter().any(|family| is_alike(family, &one.name));
        one.is_stated || one.strength >= LIKELY && !is_denied
    });
    for feeling in extract.feelings.iter().filter(|feeling| feeling.own) {
        let name = family_of(feeling);
        if !found.iter().any(|known| is_alike(&known.name, name)) {
            let (polarity, strength) = (feeling.polarity, feeling.strength);
            found.push(Emotion { name: name.to_owned(), polarity, strength, is_stated: true });
        }
    }
    found.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    found
}

/// The family of a feeling that the writer denies.
fn denied_family(feeling: &Feeling) -> Option<&'static str> {
    let name = feeling.name.strip_prefix("not ").filter(|_| feeling.denied && feeling.own)?;
    family_called(name).map(Family::word)
}

fn family_of(feeling: &Feeling) -> &str {
    match feeling.family {
        Some(family) => family.word(),
        None => &feeling.name,
    }
}

fn polarity(name: &str) -> f32 {
    valence(name).or_else(|| Family::parse(name).map(Family::polarity)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::extract::{extract_by_rule, gate::reading::FixedReading};

    fn told(text: &str, read: &[(&'static str, f32)]) -> Vec<String> {
        let extract = extract_by_rule(text, date(2026, 2, 22));
        let reader = FixedReading { feelings: read.to_vec(), ..FixedReading::default() };
        emotions(text, &extract, Some(&reader)).into_iter().map(|emotion| emotion.name).collect()
    }

    #[test]
    fn families_that_are_alike_add_up_under_the_name_of_the_likeliest() {
        let shares = [("joy", 0.2), ("love", 0.35), ("calm", 0.05), ("sadness", 0.4)];
        assert_eq!(told("We walked by the river.", &shares), ["love"]);
        assert_eq!(told("We walked by the river.", &[("joy", 0.3), ("sadness", 0.3)]), [""; 0]);
    }

    #[test]
    fn what_is_stated_is_told_and_counts_more() {
        assert_eq!(told("I am sad.", &[("joy", 0.3), ("sadness", 0.2)]), ["sadness"]);
        assert_eq!(told("I am sad.", &[("joy", 0.9)]), ["joy", "sadness"]);
        assert_eq!(told("I am sad.", &[("shame", 0.6), ("sadness", 0.3)]), ["sadness"], "as the text says");
        assert_eq!(told("I am tired.", &[]), ["tired"]);
        assert_eq!(told("I am not sad.", &[("sadness", 0.9)]), ["not sad"], "the text denies what is read");
        let reader = FixedReading { feelings: vec![("joy", 0.9), ("sadness", 0.2)], ..FixedReading::default() };
        let extract = extract_by_rule("I am sad.", date(2026, 2, 22));
        let told = emotions("I am sad.", &extract, Some(&reader));
        let told: Vec<_> = told.iter().map(|one| (one.name.as_str(), one.is_stated)).collect();
        assert_eq!(told, [("joy", false), ("sadness", true)]);
    }
}
