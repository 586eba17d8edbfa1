//! Which words of a query say what was done. It is told in many ways, what it was done to seldom: "When did Jon receive mentorship?"
//! is answered by "I got mentored yesterday".

use crate::{extract, index::keyword::is_function_word};

/// Behind these and who does it stands what is done.
const AUXILIARIES: [&str; 3] = ["did", "do", "does"];
/// Behind these stands a thing.
const OPEN_THING: [&str; 10] = ["the", "a", "an", "my", "your", "his", "her", "our", "their", "this"];

/// For each word whether it says what is done: one that is hardly ever anything else, or that stands where an English question
/// has its verb.
pub fn says_what_is_done(words: &[String]) -> Vec<bool> {
    let plain: Vec<String> = words.iter().map(|word| plain(word)).collect();
    let asked = asked_verb(words, &plain);
    plain.iter().enumerate().map(|(place, word)| Some(place) == asked || extract::is_verb(word)).collect()
}

fn plain(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// "When did [my sister] buy", "what does [Gina] hope": over who does it.
fn asked_verb(words: &[String], plain: &[String]) -> Option<usize> {
    let auxiliary = plain.iter().position(|word| AUXILIARIES.contains(&word.as_str()))?;
    let mut thing_follows = false;
    for place in auxiliary + 1..words.len() {
        let word = plain[place].as_str();
        let is_name = words[place].starts_with(char::is_uppercase);
        match () {
            () if OPEN_THING.contains(&word) => thing_follows = true,
            () if is_name => thing_follows = false,
            () if is_function_word(word) || word == "s" => {}
            () if thing_follows => thing_follows = false,
            () => return Some(place),
        }
    }
    None
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
        assert_eq!(done("when did my sister renovate the kitchen"), ["renovate"]);
        assert_eq!(done("What did Jon and Gina juxtapose?"), ["juxtapose?"]);
        assert_eq!(done("buy bread"), ["buy"]);
        for thing in ["karaoke night", "kiln explosion", "when did I", "Linh", "what does the doctor"] {
            assert_eq!(done(thing), [""; 0], "{thing}");
        }
    }
}
