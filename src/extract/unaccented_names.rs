//! Candidates for known names in Vietnamese text without accents: `thao`, `chi yen`, `ducanh`.
//!
//! Such a text may be too careless for accent restoration (`unaccented`), so a share of Vietnamese syllables is enough
//! here: a candidate counts only where the journal knows exactly one name with these letters. An everyday syllable
//! (`khoi`: Khôi, or khỏi) is a candidate only behind a title or a word like "with".

use std::{collections::HashSet, ops::Range, sync::LazyLock};

use super::{
    GAZETTEER, Mention, MentionSource, ORDINARY, Shape, is_spelt_right,
    text::{Text, span},
    unaccented::{BARE, is_english},
};

/// Minimum number of syllables that no English word has.
const FEWEST_SURE: usize = 3;
/// Minimum letters of a name of several syllables written as one.
const LEAST_LETTERS: usize = 5;

static PLAIN_TITLES: LazyLock<HashSet<String>> =
    LazyLock::new(|| BARE.titles.keys().cloned().chain(["anh".to_owned()]).collect());

/// Whether a text is Vietnamese written without accents: most words have the shape of its syllables, some are
/// everyday ones, some no English, and almost none has an accent. A name with accents may be among them.
pub(super) fn is_unaccented(text: &Text<'_>) -> bool {
    let (mut words, mut shaped, mut sure, mut known, mut other) = (0, 0, 0, 0, 0);
    for (at, word) in text.words.iter().enumerate() {
        if word.shape != Shape::Lower {
            continue;
        }
        let written = text.written(at);
        words += 1;
        other += usize::from(!written.is_ascii() || is_english(written));
        // Most English texts end here.
        if other * 10 > words + 40 {
            return false;
        }
        if is_syllable(written) {
            shaped += 1;
            sure += usize::from(!ORDINARY.has(written));
            known += usize::from(BARE.syllables.contains(written) || BARE.also_names.contains(written));
        }
    }
    sure >= FEWEST_SURE
        && shaped * 10 >= words * 6
        && known * 10 >= words * 3
        && sure * 5 >= words
        && other * 10 <= words
}

/// The candidates of a text. A capitalised name gets one beside its own mention, which shows where it was written; in
/// any text if it lacks its accents.
pub(super) fn unaccented_names(text: &Text<'_>, names: &[Mention], is_unaccented: bool) -> Vec<Mention> {
    let is_plain = |name: &str| name.is_ascii() && (is_unaccented || lacks_accents(&name.to_ascii_lowercase()));
    let beside = names.iter().filter(|name| name.source == MentionSource::Capitals && is_plain(&name.name));
    let mut found: Vec<Mention> = beside.map(|name| candidate(name.name.clone(), name.span.clone())).collect();
    if !is_unaccented {
        return found;
    }
    for at in (0..text.words.len()).filter(|at| text.words[*at].shape == Shape::Lower) {
        if let Some(words) = name_at(text, at) {
            let bytes = text.bytes(&words);
            let name = (words.start..words.end).map(|at| text.written(at)).collect::<Vec<_>>().join(" ");
            found.push(candidate(name, span(&bytes)));
        }
    }
    found
}

/// Whether a name is a Vietnamese syllable that is a name with accents only, and no name or word of another language:
/// `hien`, but not `hoa`, `tom` or `long`.
fn lacks_accents(name: &str) -> bool {
    let is_other = || GAZETTEER.first_names.contains(name) || is_spelt_right(name);
    is_syllable(name) && !BARE.plain_names.contains(name) && !is_other()
}

fn candidate(name: String, span: Range<u32>) -> Mention {
    Mention::new(name, None, span, MentionSource::Unaccented)
}

/// The words of the candidate that ends with this word: the title before it is part of it, as what shows that it is a
/// name.
fn name_at(text: &Text<'_>, at: usize) -> Option<Range<usize>> {
    let word = text.written(at);
    if !word.is_ascii() || word.len() < 2 || !word.chars().all(char::is_alphabetic) {
        return None;
    }
    if !is_syllable(word) {
        let several = word.len() >= LEAST_LETTERS && !ORDINARY.has(word);
        return several.then_some(at..at + 1);
    }
    let before = at.checked_sub(1).filter(|_| text.follows(at)).map(|before| text.written(before));
    let next = Some(at + 1).filter(|next| text.follows(*next)).map(|next| text.written(next));
    let compound = |one: &str, other: &str| BARE.compounds.contains(&format!("{one} {other}"));
    if before.is_some_and(|before| compound(before, word)) || next.is_some_and(|next| compound(word, next)) {
        return None;
    }
    let also = BARE.also_names.contains(word);
    let everyday = also || BARE.syllables.contains(word) || PLAIN_TITLES.contains(word);
    match before {
        Some(title) if PLAIN_TITLES.contains(title) && (also || !everyday) => Some(at - 1..at + 1),
        Some(with) if also && BARE.before_names.contains(with) => Some(at..at + 1),
        _ => (!everyday).then_some(at..at + 1),
    }
}

/// The name behind a title (`chi yen`: `yen`); a name without one is returned as it is.
pub fn untitled(name: &str) -> &str {
    match name.split_once(' ') {
        Some((title, rest)) if PLAIN_TITLES.contains(title) => rest,
        _ => name,
    }
}

/// Whether a word in lower case has the shape of one Vietnamese syllable without accents: `nghieng`, not `cloud`.
pub fn is_syllable(word: &str) -> bool {
    const ONSETS: [&str; 28] = [
        "ngh", "ch", "gh", "gi", "kh", "ng", "nh", "ph", "qu", "th", "tr", "b", "c", "d", "g", "h", "k", "l", "m", "n",
        "p", "r", "s", "t", "v", "x", "q", "",
    ];
    const CODAS: [&str; 9] = ["", "c", "ch", "m", "n", "ng", "nh", "p", "t"];
    ONSETS.iter().filter_map(|onset| word.strip_prefix(onset)).any(|rest| {
        let vowels = rest.bytes().take_while(|letter| b"aeiouy".contains(letter)).count();
        (1..=3).contains(&vowels) && CODAS.contains(&&rest[vowels..])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(body: &str) -> Vec<String> {
        let text = Text::new(body, &[]);
        if !is_unaccented(&text) {
            return Vec::new();
        }
        unaccented_names(&text, &[], true).into_iter().map(|name| name.name).collect()
    }

    #[test]
    fn a_word_that_is_no_everyday_syllable_may_be_a_name() {
        assert!(found("hom qua thao nau mi cho ca phong roi").contains(&"thao".to_owned()));
        assert!(found("ducanh giang 2 tieng moi vo ra roi").contains(&"ducanh".to_owned()));
        assert!(!found("sang nay di choi the thao xong met qua troi").contains(&"thao".to_owned()), "sport");
        assert!(!found("ko muon chui ra khoi chan dau, nguoi met").contains(&"khoi".to_owned()), "out of");
        assert!(found("ko noi chuyen vs khoi 2 ngay nay roi").contains(&"khoi".to_owned()));
    }

    #[test]
    fn a_title_shows_a_name() {
        assert!(found("chi yen cho cai banh mi mang ve nha").contains(&"chi yen".to_owned()));
        assert!(!found("anh hung nhat phim nay la nguoi nhen do").contains(&"anh hung".to_owned()), "a hero");
        assert_eq!((untitled("chi yen"), untitled("thao"), untitled("ha noi")), ("yen", "thao", "ha noi"));
    }

    #[test]
    fn other_languages_have_none() {
        for body in [
            "met an old friend at the hat shop, long chat, can not sing",
            "Hôm qua Thảo nấu mì cho cả phòng.",
            "the cat sat on a mat and I hit my toe",
            "Gestern mit Jonas im Kino, danach noch Pizza, dann heim.",
        ] {
            assert_eq!(found(body), [""; 0], "{body}");
        }
    }
}
