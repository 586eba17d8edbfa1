//! Action terms of a query. An action is told in many ways, its object seldom: "When did Jon receive mentorship?"
//! is answered by "I got mentored yesterday".

use super::question_features;
use crate::{extract, index::keyword::is_function_word};

/// With one of these a question begins.
const ASKING: [&str; 10] = ["when", "what", "where", "why", "how", "who", "which", "did", "do", "does"];
/// Behind these and who does it stands what is done.
const AUXILIARIES: [&str; 3] = ["did", "do", "does"];
const SUBJECTS: [&str; 7] = ["i", "we", "you", "he", "she", "it", "they"];

/// For each word whether it says what is done: one that is hardly ever anything else, or that stands where an English question
/// has its verb.
pub fn says_what_is_done(words: &[String]) -> Vec<bool> {
    let plain: Vec<String> = words.iter().map(|word| question_features::plain(word)).collect();
    let asked = asked_verb(words, &plain);
    plain.iter().enumerate().map(|(place, word)| Some(place) == asked || extract::is_verb(word)).collect()
}

/// "When did Jon receive", "what does she hope": right behind who does it, where that is a name or a pronoun. Where a longer
/// subject ends cannot be told.
fn asked_verb(words: &[String], plain: &[String]) -> Option<usize> {
    let asks = plain.first().is_some_and(|word| ASKING.contains(&word.as_str()));
    let auxiliary = plain.iter().position(|word| AUXILIARIES.contains(&word.as_str())).filter(|_| asks)?;
    let is_subject = |place: usize| {
        let word = plain[place].as_str();
        words[place].starts_with(char::is_uppercase) || SUBJECTS.contains(&word) || word == "and"
    };
    let verb = (auxiliary + 1..words.len()).find(|place| !is_subject(*place) && !plain[*place].ends_with("ly"))?;
    (verb > auxiliary + 1 && !is_function_word(&plain[verb])).then_some(verb)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(query: &str) -> Vec<&str> {
        let words: Vec<String> = query.split(' ').map(str::to_owned).collect();
        let said = says_what_is_done(&words);
        query.split(' ').zip(said).filter(|(_, done)| *done).map(|(word, _)| word).collect()
    }

    #[test]
    fn what_is_done_is_told_from_what_it_is_done_to() {
        assert_eq!(done("When did Jon receive mentorship to promote his venture?"), ["receive"]);
        assert_eq!(done("why did we renovate the kitchen"), ["renovate"]);
        assert_eq!(done("What did Jon and Gina juxtapose?"), ["juxtapose?"]);
        assert_eq!(done("buy bread"), ["buy"]);
        for thing in ["karaoke night", "kiln explosion", "when did I", "Linh", "what does the old doctor"] {
            assert_eq!(done(thing), [""; 0], "{thing}");
        }
    }
}
