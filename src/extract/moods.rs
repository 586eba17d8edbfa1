//! Valence of mood words: for colours only, never for a claim.

use std::{collections::HashMap, sync::LazyLock};

use super::{fold, language::List, named_items};

static VALENCES: LazyLock<HashMap<String, f32>> = LazyLock::new(|| {
    let mut valences = HashMap::new();
    let lists = [List::Moods, List::MoodsVietnamese];
    for (_, valence, word) in lists.into_iter().flat_map(named_items) {
        if let Ok(valence) = valence.trim().parse() {
            // For a folded Vietnamese word that is also English, the first list wins.
            valences.entry(key(word)).or_insert(valence);
        }
    }
    valences
});

/// From -1 (unbearable) to 1 (ecstatic); `None` for an unknown mood. Case and accents do not matter; for several moods
/// with commas or slashes the mean, `not`/`không` halves and inverts, `very`, `rất` and the like are ignored, and so is
/// a strength after a slash (`sad/4`).
pub fn valence(mood: &str) -> Option<f32> {
    let known: Vec<f32> = mood.split([',', '/', ';', '+', '&']).filter_map(one).collect();
    (!known.is_empty()).then(|| known.iter().sum::<f32>() / known.len() as f32)
}

fn one(mood: &str) -> Option<f32> {
    let key = key(mood);
    if let Some(valence) = VALENCES.get(&key) {
        return Some(*valence);
    }
    let mut rest = key.as_str();
    let mut sign = 1.0;
    while let Some((first, after)) = rest.split_once(' ') {
        match first {
            "not" | "no" | "khong" | "chang" | "chua" => sign *= -0.5,
            "very" | "so" | "really" | "quite" | "rather" | "pretty" | "a" | "bit" | "little" | "slightly"
            | "somewhat" | "kind" | "of" | "kinda" | "too" | "extremely" | "feeling" | "rat" | "hoi" | "kha"
            | "qua" | "cuc" | "ky" | "cam" | "thay" => {}
            _ => return None,
        }
        rest = after;
        if let Some(valence) = VALENCES.get(rest) {
            return Some(sign * valence);
        }
    }
    None
}

fn key(mood: &str) -> String {
    let folded = fold(mood);
    let words: Vec<&str> = folded
        .split(|c: char| c.is_whitespace() || c == '_' || c == '\u{fe0f}')
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::lines;

    #[test]
    fn moods_are_known_in_two_languages_whatever_their_spelling() {
        assert_eq!(valence("Happy"), valence("hạnh phúc"));
        assert_eq!(valence("hanh phuc"), valence("Hạnh  Phúc"));
        assert!(valence("stressed").unwrap() < 0.0);
        assert!(valence("lo lắng").unwrap() < valence("bình thường").unwrap());
        assert_eq!(valence("❤\u{fe0f}"), valence("loved"));
        assert_eq!(valence("purple"), None);
        assert_eq!(valence(""), None);
    }

    #[test]
    fn several_moods_negation_and_strength() {
        assert_eq!(valence("happy, sad"), Some((0.8 - 0.5) / 2.0));
        assert_eq!(valence("sad/4"), valence("sad"));
        assert!(valence("not happy").unwrap() < 0.0 && valence("không buồn").unwrap() > 0.0);
        assert_eq!(valence("a bit tired"), valence("tired"));
        assert_eq!(valence("rất vui"), valence("vui"));
    }

    #[test]
    fn every_line_of_the_lists_is_understood() {
        let lists = [List::Moods, List::MoodsVietnamese];
        for line in lists.into_iter().flat_map(lines) {
            let (number, words) = line.split_once(':').unwrap();
            assert!((-1.0..=1.0).contains(&number.parse::<f32>().unwrap()), "{line}");
            for word in words.split(',') {
                assert!(valence(word).is_some(), "{word:?} in {line}");
            }
        }
        assert!(VALENCES.len() > 400, "{}", VALENCES.len());
    }
}
