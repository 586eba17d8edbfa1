//! Questions, in a query and in entries. Who asks wants to read what tells: an entry that asks the same is close to the question
//! and seldom its answer, which often stands right after it.

use crate::index::keyword::is_function_word;

/// The first words of a question or a command.
const ASKING: [&str; 31] = [
    "what", "who", "whom", "whose", "when", "where", "why", "how", "which", "did", "do", "does", "was", "were", "is",
    "are", "am", "have", "has", "had", "can", "could", "should", "will", "would", "find", "show", "list", "search",
    "tell", "remind",
];

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
    words.iter().map(|word| word.to_lowercase()).all(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        is_function_word(word) || OF_DAYS.contains(&word)
    })
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

/// Whether a query asks (or bids) for something to be told.
pub fn asks(query: &str) -> bool {
    let mut words = query.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    query.contains(['?', '？', '؟'])
        || words.next().is_some_and(|first| ASKING.contains(&first.to_lowercase().as_str()))
}

/// The part of its own score that an entry loses of whose words `share` stand in sentences that ask.
pub fn lost(share: f32) -> f32 {
    LOSES * share
}

/// How much more an entry gets of the one right before it, of whose words `share` stand in sentences that ask.
pub fn answering(share: f32) -> f32 {
    1.0 + ANSWERS * share
}
