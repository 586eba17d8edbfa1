//! Questions, in a query and in entries. Who asks wants to read what tells: an entry that asks the same is close to the question
//! and seldom its answer, which often stands right after it.

use crate::index::keyword::is_function_word;

/// The first words of a question or a command.
const ASKING: [&str; 14] = [
    "what", "who", "whom", "whose", "where", "why", "how", "which", "find", "show", "list", "search", "tell", "remind",
];
/// Verbs that ask where they come first and their subject after them.
const ASKING_VERBS: [&str; 16] = [
    "did", "do", "does", "was", "were", "is", "are", "am", "have", "has", "had", "can", "could", "should", "will",
    "would",
];
/// What follows such a verb where the subject is left out, as diaries do: "had to leave", "was so tired".
const SUBJECT_LEFT_OUT: [&str; 14] =
    ["to", "been", "so", "not", "very", "just", "never", "really", "too", "got", "always", "a", "an", "quite"];
/// After "when" nothing is asked yet: "when I was a child, ...".
const GOES_ON: [&str; 10] = ["i", "we", "he", "she", "it", "they", "you", "my", "our", "that"];

/// The part of its own score that an entry loses of which every sentence asks; others in proportion. With it alone recall@10 of
/// judged conversations is .803 instead of .797 and nDCG@10 .643 instead of .629; from .3 to .7 it changes little.
const LOSES: f32 = 0.5;
/// How much more of its neighbour's score an entry gets that follows one of which every sentence asks; others in proportion. With
/// both .808 and .653; at half or one and a half times as much .805 and .650.
const ANSWERS: f32 = 0.8;

/// What an entry gets that says when something was, where that is asked. nDCG@10 of such questions of judged conversations is .822
/// instead of .803 with it; twice as much gives no more.
pub const TELLS_WHEN: f32 = 0.4;
/// Longer ones always say when something was; they are not read for it.
pub const LONG: u32 = 150;

const WHEN: [&str; 9] = [
    "when",
    "what day",
    "what date",
    "what month",
    "what year",
    "which day",
    "which month",
    "which year",
    "how long ago",
];
/// Vietnamese asks at the end as often as at the beginning.
const WHEN_VI: [&str; 5] = ["khi nào", "bao giờ", "lúc nào", "hôm nào", "ngày nào"];

/// What a question about days as a whole has beside them: "what happened on", "what did I do", "entry for", "hôm đó có chuyện gì".
const OF_DAYS: [&str; 31] = [
    "happen",
    "happens",
    "happened",
    "happening",
    "do",
    "did",
    "done",
    "doing",
    "go",
    "going",
    "write",
    "wrote",
    "written",
    "entry",
    "entries",
    "day",
    "days",
    "diary",
    "journal",
    "note",
    "notes",
    "show",
    "find",
    "like",
    "all",
    "làm",
    "viết",
    "chuyện",
    "xảy",
    "ra",
    "ngày",
];

/// Whether the words beside the days that a query names ask for nothing more than what was written then.
pub fn asks_of_days_alone(words: &[String]) -> bool {
    words.iter().map(|word| plain(word)).all(|word| is_function_word(&word) || OF_DAYS.contains(&word.as_str()))
}

/// A word of a query in lower case, without the signs around it.
pub fn plain(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// How far these words tell something that happened rather than name it, from 0 to 1. A name or a matter is one word or two that
/// say something, from four on it is a sentence; and one made of names and numbers says who and what, which a vector blurs.
pub fn tells(words: &[String]) -> f32 {
    const NAMES: f32 = 1.0;
    const SENTENCE: f32 = 4.0;
    // Of footnotes to a diary, which are full of names, .593 find their day so, .500 without; of memories .728 either way.
    const TOO_MANY_NAMES: f32 = 0.5;
    let saying: Vec<(usize, &String)> =
        words.iter().enumerate().filter(|(_, word)| !is_function_word(&word.to_lowercase())).collect();
    let names = saying.iter().filter(|(place, word)| is_name(*place, word)).count() as f32;
    let count = saying.len() as f32;
    let sentence = ((count - NAMES) / (SENTENCE - NAMES)).clamp(0.0, 1.0);
    sentence * (1.0 - names / (count * TOO_MANY_NAMES).max(1.0)).max(0.0)
}

/// Written like a name inside a sentence, or with a number in it.
fn is_name(place: usize, word: &str) -> bool {
    place > 0 && word.starts_with(char::is_uppercase) || word.contains(|c: char| c.is_ascii_digit())
}

/// Whether a query asks when something was.
pub fn asks_when(query: &str) -> bool {
    let lower = query.to_lowercase();
    let begins = |words: &&str| {
        lower.trim_start().strip_prefix(*words).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    let ends = |words: &&str| lower.trim_end_matches(['?', ' ']).ends_with(words);
    WHEN.iter().chain(&WHEN_VI).any(begins) || WHEN_VI.iter().any(ends)
}

/// What an entry gets, at the most, that is about a name of the query in words like its own, where several things are asked for:
/// they stand all over the journal, and what is beside one of them is no other. On judged conversations (five, better in four of
/// them) recall@10 of questions that need several entries is .542 instead of .522 with it, of all questions .812 instead of .808.
const SEVERAL: f32 = 2.0;

/// Where the things asked for are called in the plural, it is by one of the first words.
const CALLED_WITHIN: usize = 4;
/// From here on it is no longer said what is asked for.
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

/// What an entry gets where several things are asked for; `named`: how much it is about a name of the query, `likeness`: how alike
/// its words are, both from 0 to 1.
pub fn for_several(named: Option<f32>, likeness: Option<f32>) -> f32 {
    SEVERAL * named.unwrap_or(0.0) * likeness.unwrap_or(0.0)
}

/// Whether a query asks (or bids) for something to be told.
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

/// The part of its own score that an entry loses of whose words `share` stand in sentences that ask.
pub fn lost(share: f32) -> f32 {
    LOSES * share
}

/// How much more an entry gets of the one right before it, of whose words `share` stand in sentences that ask.
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
