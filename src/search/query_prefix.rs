//! Query prefixes to ignore: `times I felt` in `times I felt lonely`, `notes on` in `notes on bread`.
//!
//! Such words only ask for entries, which all results are. Searched as words they find entries that contain `felt`, and
//! in a vector they outweigh the relevant word: without them P@10 of questions about a feeling rises from .36 to .43.

use crate::index::keyword::is_stop_word;

/// Alternatives for one word.
struct Step {
    any: &'static [&'static str],
    /// It is optional.
    optional: bool,
}

const fn one(any: &'static [&'static str]) -> Step {
    Step { any, optional: false }
}

const fn may(any: &'static [&'static str]) -> Step {
    Step { any, optional: true }
}

const ENTRIES: Step =
    one(&["times", "time", "entries", "entry", "days", "day", "moments", "moment", "nights", "mornings", "notes"]);
const WHEN: Step = one(&["when", "why", "where"]);
const SELF: Step = one(&["i", "we"]);
const BE: Step = one(&["was", "am", "were", "are"]);
const LAST: Step = may(&["last"]);
const SO: Step = may(&["so", "very", "really", "too", "quite"]);

const FRAMES: [&[Step]; 11] = [
    &[
        ENTRIES,
        may(&["when", "where", "that"]),
        SELF,
        may(&["have", "had"]),
        one(&["felt", "feel", "was", "am", "were", "are", "been"]),
        may(&["feeling"]),
        SO,
    ],
    &[ENTRIES, may(&["when", "where", "that"]), one(&["im", "ive"]), may(&["been", "felt"]), may(&["feeling"]), SO],
    &[one(&["entries", "entry", "notes", "everything"]), one(&["about", "on", "of"])],
    &[WHEN, BE, SELF, LAST, may(&["feeling"]), SO],
    &[WHEN, one(&["did", "do", "have", "had"]), SELF, LAST, one(&["feel", "felt", "been"]), may(&["feeling"]), SO],
    &[WHEN, one(&["did", "have", "had"]), SELF, one(&["last"])],
    &[one(&["last"]), one(&["time"]), SELF],
    &[one(&["how"]), one(&["often"]), BE, SELF, may(&["feeling"]), SO],
    &[one(&["how"]), one(&["often"]), one(&["did", "do", "have"]), SELF, one(&["feel", "felt", "been"]), SO],
    &[
        one(&["khi", "lúc", "ngày", "lần"]),
        one(&["nào"]),
        one(&["tôi", "tui", "mình", "em", "con"]),
        may(&["cảm"]),
        may(&["thấy"]),
    ],
    &[
        one(&["những", "các"]),
        one(&["lúc", "khi", "ngày", "lần"]),
        one(&["tôi", "tui", "mình", "em", "con"]),
        may(&["cảm"]),
        may(&["thấy"]),
    ],
];

/// Number of leading words to ignore. 0 if no word would be left.
pub fn length(words: &[String]) -> usize {
    let plain: Vec<String> = words.iter().map(|word| plain(word)).collect();
    let longest = FRAMES.iter().filter_map(|frame| taken(frame, &plain)).max().unwrap_or(0);
    let says_something = |word: &String| !word.is_empty() && !is_stop_word(word);
    if plain[longest..].iter().any(says_something) { longest } else { 0 }
}

/// Number of words matched by the steps; `None` if a required one is missing.
fn taken(steps: &[Step], words: &[String]) -> Option<usize> {
    let mut at = 0;
    for step in steps {
        let there = words.get(at).is_some_and(|word| step.any.contains(&word.as_str()));
        if !there && !step.optional {
            return None;
        }
        at += usize::from(there);
    }
    Some(at)
}

fn plain(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matter(text: &str) -> String {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        words[length(&words)..].join(" ")
    }

    #[test]
    fn the_matter_of_a_question_is_what_is_looked_for() {
        for (query, looked_for) in [
            ("times I felt lonely", "lonely"),
            ("Days when I've been really happy", "happy"),
            ("when was I in Đà Lạt?", "in Đà Lạt?"),
            ("why did I feel ashamed of that letter", "ashamed of that letter"),
            ("entries where I am proud", "proud"),
            ("when did I last sleep well", "sleep well"),
            ("when was I last really happy", "happy"),
            ("last time I swam", "swam"),
            ("how often was I sick", "sick"),
            ("notes on bread", "bread"),
            ("khi nào tôi thấy vui", "vui"),
            ("những lúc mình cảm thấy cô đơn", "cô đơn"),
        ] {
            assert_eq!(matter(query), looked_for);
        }
    }

    #[test]
    fn other_words_stay() {
        for query in [
            "when I was a child we had a dog",
            "times",
            "times I felt",
            "when was I?",
            "notes",
            "day of the dead",
            "what did Linh say",
            "felt hat",
            "I felt lonely",
            "lần đầu",
        ] {
            assert_eq!(matter(query), query);
        }
    }
}
