//! Features of questions, in queries and in entries. An entry that asks the same question is similar to the query but
//! rarely its answer, which often is the entry right after it.

use crate::index::keyword::is_function_word;

/// First words of a question or a command.
const ASKING: [&str; 14] = [
    "what", "who", "whom", "whose", "where", "why", "how", "which", "find", "show", "list", "search", "tell", "remind",
];
/// Verbs that form a question if they come first, before their subject.
const ASKING_VERBS: [&str; 16] = [
    "did", "do", "does", "was", "were", "is", "are", "am", "have", "has", "had", "can", "could", "should", "will",
    "would",
];
/// Words after such a verb in a statement without a subject, as in diaries: "had to leave", "was so tired".
const SUBJECT_LEFT_OUT: [&str; 14] =
    ["to", "been", "so", "not", "very", "just", "never", "really", "too", "got", "always", "a", "an", "quite"];
/// Words after "when" that start a subordinate clause: "when I was a child, ...".
const GOES_ON: [&str; 10] = ["i", "we", "he", "she", "it", "they", "you", "my", "our", "that"];

/// The share of its own score that an entry of questions only loses; others in proportion. On judged conversations
/// recall@10 .803 with it, .797 without; nDCG@10 .643 and .629. From .3 to .7 it changes little.
const LOSES: f32 = 0.5;
/// The increase of the neighbour score for an entry right after an entry of questions only; others in proportion. With
/// both recall@10 .808 and nDCG@10 .653; at half or 1.5 times as much .805 and .650.
const ANSWERS: f32 = 0.8;

/// The score for an entry that states a time, if the query asks for one. nDCG@10 of such questions on judged
/// conversations .822 with it, .803 without; twice as much is no better.
pub const TELLS_WHEN: f32 = 0.4;
/// Entries with more words count as stating a time; they are not read for it.
pub const LONG: u32 = 150;

/// Openings of questions for a time, between bars.
const WHEN: &str = "when|what day|what date|what month|what year|which day|which month|which year|how long ago";
/// In Vietnamese the question word is at the end as often as at the start.
const WHEN_VI: &str = "khi nào|bao giờ|lúc nào|hôm nào|ngày nào";

/// Words in a question about whole days: "what happened on", "what did I do", "entry for", "hôm đó có chuyện gì".
const OF_DAYS: &str = "\
    happen happens happened happening do did done doing go going write wrote written entry entries \
    day days diary journal note notes show find like all làm viết chuyện xảy ra ngày";

/// Whether the words other than the named days only ask for the entries of those days.
pub fn asks_of_days_alone(words: &[String]) -> bool {
    let is_of_days = |word: &str| OF_DAYS.split(' ').any(|known| known == word);
    words.iter().map(|word| plain(word)).all(|word| is_function_word(&word) || is_of_days(&word))
}

/// A query word in lower case, without surrounding punctuation.
pub fn plain(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// How much these words describe an event instead of naming something, from 0 to 1. A topic has one or two content
/// words; four or more form a sentence. A sentence of names and numbers counts less, because a vector represents them
/// badly.
pub fn tells(words: &[String]) -> f32 {
    const NAMES: f32 = 1.0;
    const SENTENCE: f32 = 4.0;
    // For footnotes to a diary, which are full of names, .593 find their day with it, .500 without; for memories .728
    // either way.
    const TOO_MANY_NAMES: f32 = 0.5;
    let saying: Vec<(usize, &String)> =
        words.iter().enumerate().filter(|(_, word)| !is_function_word(&word.to_lowercase())).collect();
    let names = saying.iter().filter(|(place, word)| is_name(*place, word)).count() as f32;
    let count = saying.len() as f32;
    let sentence = ((count - NAMES) / (SENTENCE - NAMES)).clamp(0.0, 1.0);
    sentence * (1.0 - names / (count * TOO_MANY_NAMES).max(1.0)).max(0.0)
}

/// Whether it is written like a name within a sentence, or contains a digit.
fn is_name(place: usize, word: &str) -> bool {
    place > 0 && word.starts_with(char::is_uppercase) || word.contains(|c: char| c.is_ascii_digit())
}

/// Whether a query asks for the time of an event.
pub fn asks_when(query: &str) -> bool {
    let lower = query.to_lowercase();
    let begins = |words: &str| {
        lower.trim_start().strip_prefix(words).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    let ends = |words: &str| lower.trim_end_matches(['?', ' ']).ends_with(words);
    WHEN.split('|').chain(WHEN_VI.split('|')).any(begins) || WHEN_VI.split('|').any(ends)
}

/// The maximum score for an entry about a name of the query in similar words, if the query asks for several things:
/// these are spread over the journal, and neighbours of one are not further ones. On judged conversations (better in
/// four of five) recall@10 of questions that need several entries .542 with it, .522 without; of all questions .812 and
/// .808.
const SEVERAL: f32 = 2.0;

/// Maximum position of the plural noun in a question for several things.
const CALLED_WITHIN: usize = 4;
/// Words that end the noun phrase of a question.
const VERBS: [&str; 26] = [
    "did", "do", "does", "is", "was", "has", "have", "had", "can", "could", "will", "would", "might", "should", "to",
    "of", "s", "his", "this", "makes", "helps", "causes", "happens", "keeps", "gives", "goes",
];

/// Whether a query asks for several things: "what books", "how many", "who were", "những nơi nào".
pub fn asks_several(query: &str) -> bool {
    let lower = query.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    match words.as_slice() {
        ["how", "many", ..] | ["what" | "which" | "who" | "where", "are" | "were", ..] | ["in", "what", "ways", ..] => {
            true
        }
        ["what" | "which", rest @ ..] => {
            let called = rest.iter().take(CALLED_WITHIN - 1).take_while(|word| !VERBS.contains(word));
            called.into_iter().any(|word| word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us"))
        }
        _ => asks(query) && (words.iter().any(|word| matches!(*word, "những" | "các")) || lower.contains("bao nhiêu")),
    }
}

/// The score of an entry if the query asks for several things; `named`: how much it is about a name of the query,
/// `likeness`: its word similarity, both from 0 to 1.
pub fn for_several(named: Option<f32>, likeness: Option<f32>) -> f32 {
    SEVERAL * named.unwrap_or(0.0) * likeness.unwrap_or(0.0)
}

/// Whether a query is a question or a command to find something.
pub fn asks(query: &str) -> bool {
    let mut words = query.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase);
    let first = words.next().unwrap_or_default();
    let second = words.next().unwrap_or_default();
    let (first, second) = (first.as_str(), second.as_str());
    query.contains(['?', '？', '؟'])
        || ASKING.contains(&first)
        || first == "when" && !GOES_ON.contains(&second)
        || ASKING_VERBS.contains(&first) && !SUBJECT_LEFT_OUT.contains(&second)
}

/// The share of its own score that an entry loses if the share `share` of its words is in questions.
pub fn lost(share: f32) -> f32 {
    LOSES * share
}

/// The factor on the neighbour score of an entry if the share `share` of the previous entry's words is in questions.
pub fn answering(share: f32) -> f32 {
    1.0 + ANSWERS * share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_told_from_a_sentence_that_begins_like_one() {
        for asks_it in [
            "when did I move",
            "when is the wedding",
            "was the ferry late",
            "had Linh called",
            "Was it a cat?",
            "How come the kiln cracked",
            "tell me about Linh",
            "have I been to Huế",
            "when I moved, was Linh there?",
            "how to bake bread",
            "what a day was it",
        ] {
            assert!(asks(asks_it), "{asks_it}");
        }
        for told in [
            "When I was a child we lived by the sea",
            "when my dog died",
            "Had to take the cat to the vet",
            "was so tired all day",
            "have been ill since Monday",
            "was a good day",
            "the ferry was late",
        ] {
            assert!(!asks(told), "{told}");
        }
    }

    #[test]
    fn a_sentence_tells_more_than_a_name_or_a_matter() {
        let tells = |text: &str| tells(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!([tells(""), tells("kiln"), tells("the kiln")], [0.0; 3]);
        assert!(
            tells("kiln") < tells("kiln explosion") && tells("kiln explosion") < tells("we went swimming by the lake")
        );
        assert_eq!(tells("I took my dog to the park and he met others"), 1.0);
        assert_eq!(tells("John Wilkins, born 1614, Warden of Wadham College, Oxford"), 0.0);
    }

    #[test]
    fn who_asks_for_several_things_says_so_in_the_plural() {
        for several in [
            "What books has Linh read?",
            "which places did we visit",
            "How many times did I swim?",
            "who were at the wedding",
            "In what ways does Khoa help?",
            "what musical instruments does she play",
            "Mình đã đi những nơi nào?",
        ] {
            assert!(asks_several(several), "{several}");
        }
        for one in [
            "What is Linh's job?",
            "what did the boss say about sales",
            "Which class was it?",
            "where did the keys go",
            "walks by the lake",
            "What was the reason of his tears?",
            "what helps me sleep",
            "what makes Linh happy",
            "Mình học tiếng Anh bằng cách nào?",
        ] {
            assert!(!asks_several(one), "{one}");
        }
    }
}
