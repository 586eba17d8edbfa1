//! Sense of a connective: "so" of degree, "since" of time and "hence" of direction are not causal.

use std::ops::Range;

use super::{
    Class, Gap, Shape,
    causal_links::{Joins, LINKS, Link, Side},
    class,
    feelings::{may_name_feeling, names_feeling as feels},
    is_denial, phrase_at,
    psych_verb::{comes_about_so, verb_is_denied},
    sense_words::SENSES,
    text::Text,
    unaccented::is_english,
};

/// Whether the connective is causal here and asserted.
pub(super) fn states(text: &Text<'_>, sentence: &Range<usize>, link: &Range<usize>, said: &Link) -> bool {
    let before = |back: usize| text.key_before(sentence, link.start, back);
    let next = text.key_in(sentence, link.end);
    let is_condition = |word: &String| LINKS.conditions.contains(word.as_str());
    if is_denied(text, sentence, link) || text.keys[sentence.start..link.start].iter().any(is_condition) {
        return false;
    }
    // "Amazing at creating stories", "Creating a family is lovely": a gerund, no result of the preceding clause.
    let is_done = matches!(said.verb, "creating" | "producing" | "generating");
    if is_done && (link.start == sentence.start || class(text, link.start - 1) == Class::Preposition) {
        return false;
    }
    let on_writer = said.joins == Joins::Writer || said.verb.ends_with(" mình") || said.verb.ends_with(" tôi");
    if on_writer && verb_is_denied(text, sentence, link.start) {
        return false;
    }
    match (said.side, said.verb) {
        (Side::From, _) => LINKS.ailments.contains(before(1)) || feels(before(1)),
        (Side::Since, "as") => as_reason(text, sentence, link),
        (Side::Since, _) => is_reason(text, sentence, link),
        (_, "do" | "nên" | "tại") => in_vietnamese(text, sentence),
        (_, "so") => {
            let aims = matches!(before(1), "and" | "or");
            text.words[link.start].gap == Gap::Break
                && !aims
                && !says_how_much(text, link.end, sentence.end)
                && begins_clause(text, link.end, sentence.end)
        }
        (_, verb) if verb.starts_with("so ") => {
            // "So I can sleep" is a purpose; without a comma it may also be "I think so we …".
            let then = text.keys.get(link.start + 2).map_or("", String::as_str);
            let aims = SENSES.aims.contains(then);
            let says = before(1).is_empty() || SENSES.leading_in.contains(before(1));
            let apart = text.words[link.start].gap == Gap::Break || !(aims || says);
            apart && begins_clause(text, link.start + 1, sentence.end)
        }
        // "And so tired" is a degree, "and so to bed" a sequence.
        (_, "and so") => begins_clause(text, link.end, sentence.end) && explains(text, sentence, link),
        // "My results from the doctor".
        (_, "results from" | "result from") => {
            !(link.start > sentence.start && matches!(class(text, link.start - 1), Class::Article | Class::Determiner))
        }
        // "Now that would be something".
        (_, "now that") => {
            begins_clause(text, link.end, sentence.end) || link.end < sentence.end && text.is_possessive(link.end)
        }
        (_, "because" | "because of") => before(1) != "is" || before(2) != "why",
        // "Due to be dropped off", "money due to him", "give thanks to her".
        (_, "due to" | "owing to") => {
            !(next.is_empty() || SENSES.somebody.contains(next) || SENSES.debts.contains(before(1)))
        }
        // "A headache all day thanks to the wine" expresses no thanks.
        (_, "thanks to") => !SENSES.thanks.contains(before(1)) || matches!(before(2), "all" | "whole"),
        // In old letters it means a relative.
        (_, "coz" | "bc") => {
            link.end < sentence.end && text.words[link.start].shape == Shape::Lower && text.follows(link.end)
        }
        (_, "in that") => {
            link.end < sentence.end && matches!(class(text, link.end), Class::Pronoun | Class::Contracted)
        }
        // In old texts a direction.
        (_, "hence") => {
            (text.words[link.start].gap == Gap::Break || before(1) == "and") && !opens_way(text, link.end, sentence.end)
        }
        (_, "thus") => {
            let joined = before(1) == "and" || text.breaks(link.start);
            let goes_on = text.follows(link.end)
                || matches!(text.keys.get(link.end).map(|_| class(text, link.end)), Some(Class::Pronoun));
            joined && goes_on && begins_clause(text, link.end, sentence.end)
        }
        (_, "demanding") => {
            let describes = SENSES.describing.contains(before(1));
            let lasts = link.start > sentence.start && class(text, link.start - 1) == Class::Auxiliary;
            !describes && !lasts
        }
        (_, "following") => {
            // "I was following a recipe", "walked following the river", "the following day".
            let does = (before(1).is_empty() || SENSES.following.contains(before(1)))
                || (link.start > sentence.start && class(text, link.start - 1) == Class::Auxiliary);
            let opens = link.end < sentence.end
                && text.follows(link.end)
                && !matches!(class(text, link.end), Class::Pronoun | Class::Preposition | Class::Closer)
                && !SENSES.not_followed.contains(text.keys[link.end].as_str());
            !does
                && opens
                && !text.keys[sentence.start..link.start].iter().rev().take(4).any(|word| goes(word))
                && !is_way(text, link.end, sentence.end)
                && !is_way(text, link.end + 1, sentence.end)
        }
        // "Those responsible for it", "they held him responsible for it": about a person, not a cause.
        (_, "responsible for") => SENSES.held.contains(before(1)),
        (_, "the cause of") => !matches!(before(1), "to" | "for"),
        (_, "produce") if before(1) == "to" => false,
        (_, "forced") if matches!(next, "on" | "upon") => false,
        (_, "cause" | "causes" | "trigger" | "triggers" | "produce" | "prompts" | "generate") => {
            !SENSES.named.contains(before(1))
        }
        (
            _,
            "produced" | "generated" | "created" | "creating" | "triggered" | "sparked" | "caused" | "prompted"
            | "forced",
        ) => text.follows(link.end) && !matches!(next, "by" | "to"),
        // "He did it to make me laugh": a purpose.
        _ if said.joins == Joins::Writer && before(1) == "to" => false,
        // "It worries me that Linh is ill": the cause follows.
        _ if said.joins == Joins::Feeling => {
            // "As a child the dark scared me", "Minh, who never calls, ...": the subject is unclear.
            let turns = |at: usize| {
                class(text, at) == Class::Closer && !matches!(text.keys[at].as_str(), "and" | "or" | "but" | "because")
            };
            let inner = (sentence.start..link.start.saturating_sub(1)).any(turns);
            !inner
                && before(1) != "me"
                && comes_about_so(text, sentence, link)
                && !matches!(next, "that" | "to" | "how" | "when" | "what" | "if" | "not")
        }
        _ if said.joins == Joins::Writer => moves_the_writer(text, link.end, sentence.end),
        _ => true,
    }
}

/// Words between the two of "as … as", and the first of them.
const COMPARED: usize = 4;

/// Whether a connective is denied ("not because") or has another sense: "Mum's so worried", "retired as headmistress".
pub(super) fn is_no_link(text: &Text<'_>, sentence: &Range<usize>, link: &Range<usize>, verb: &str) -> bool {
    let of_degree = || {
        let before = link.start.checked_sub(1).filter(|at| *at >= sentence.start && text.follows(link.start));
        before.is_some_and(|at| {
            class(text, at) == Class::Auxiliary && !is_denial(&text.keys[at])
                || ["'s", "'m", "'re"].iter().any(|is| text.keys[at].ends_with(is))
        })
    };
    // "So hard (that)", "so did Linh".
    let of_extent = || {
        let next = link.start + 1;
        let is_degree = |at: usize| {
            SENSES.extent.contains(text.keys[at].as_str())
                || matches!(class(text, at), Class::Auxiliary | Class::Adjective)
                || feels(&text.keys[at])
        };
        text.words[link.start].gap <= Gap::Space && next < sentence.end && is_degree(next)
    };
    // "So am I", "so is Geoff"; "so they say".
    let of_agreement = || {
        let [first, second] = [1, 2].map(|ahead| Some(link.start + ahead).filter(|at| *at < sentence.end));
        let (Some(first), Some(second)) = (first, second) else { return false };
        let is_subject = class(text, second) == Class::Pronoun || text.words[second].shape == Shape::Capital;
        let is_hearsay = || {
            let ends = second + 1 >= sentence.end || text.breaks(second + 1);
            ends && class(text, first) == Class::Pronoun && SENSES.hearsay.contains(text.keys[second].as_str())
        };
        class(text, first) == Class::Auxiliary && is_subject || is_hearsay()
    };
    // "Home from the dentist": only an ailment or a feeling comes from something.
    let is_where = || {
        let before = text.key_before(sentence, link.start, 1);
        !(LINKS.ailments.contains(before) || feels(before))
    };
    // "Tại sao tui buồn?", "hỏi tui buồn vì Bảo hả": nothing is stated.
    let is_asked = || {
        let asks_why = link.end < sentence.end && SENSES.asking.contains(text.keys[link.end].as_str());
        let closing = (link.end..sentence.end).find(|at| *at + 1 == sentence.end || text.breaks(at + 1));
        let asks = |at: usize| SENSES.asking_at_the_end.contains(text.keys[at].as_str());
        !verb.is_ascii() && (asks_why || closing.is_some_and(asks)) || text.asks(sentence)
    };
    match verb {
        _ if is_asked() => true,
        "so" if of_degree() || of_extent() || of_agreement() => true,
        "from" if is_where() => true,
        "as" if !begins_clause(text, link.end, sentence.end) => true,
        // "About as romantic as it gets".
        "as" if (1..=COMPARED).any(|back| text.key_before(sentence, link.start, back) == "as") => true,
        // "Có nên đi không", "chả biết nên nghĩ sao": should. "Lý do", "tự do".
        "nên" if SENSES.before_should.contains(text.key_before(sentence, link.start, 1)) => true,
        "do" if SENSES.before_do.contains(text.key_before(sentence, link.start, 1)) => true,
        // "Không phải hỏng do quá tải": what comes first is denied with its cause.
        _ if !verb.is_ascii() || verb == "do" => {
            let first = sentence.start..sentence.start + 2;
            is_denied(text, sentence, link) || first.end <= link.start && opens_with_denial(text, &first)
        }
        _ => is_denied(text, sentence, link),
    }
}

fn opens_with_denial(text: &Text<'_>, first: &Range<usize>) -> bool {
    is_denial(&text.keys[first.start]) && text.keys[first.end - 1] == "phải"
}

/// "Not because", "isn't just because", "không phải vì".
pub(super) fn is_denied(text: &Text<'_>, sentence: &Range<usize>, link: &Range<usize>) -> bool {
    let before = |back: usize| text.key_before(sentence, link.start, back);
    let denies = |word: &str| LINKS.never.contains(word) || word.ends_with("n't");
    let pair = format!("{} {}", before(2), before(1));
    denies(before(1))
        || LINKS.never.contains(pair.as_str())
        || denies(before(2)) && SENSES.softening.contains(before(1))
}

/// Whether a clause with its own subject and verb starts here: "I was late", "the shop closed", but not "I home to
/// bed".
pub(super) fn begins_clause(text: &Text<'_>, at: usize, end: usize) -> bool {
    // "So in the end I left": skip the words before the subject.
    let skipped = (at..end.min(at + 2)).find(|at| class(text, *at) != Class::Adverb).unwrap_or(at);
    let subject = match class(text, skipped.min(text.keys.len() - 1)) {
        _ if skipped >= end => return false,
        Class::Contracted => return true,
        Class::Pronoun => skipped + 1,
        _ => match phrase_at(text, skipped, end) {
            Some(phrase) => phrase.name.end,
            None => return !text.keys[skipped].is_ascii(),
        },
    };
    let acts = |at: usize| matches!(class(text, at), Class::Auxiliary | Class::Verb | Class::Either);
    (subject..end.min(subject + 2))
        .find(|at| class(text, *at) != Class::Adverb)
        .is_some_and(|at| text.words[at].gap <= Gap::Space && acts(at))
        || !text.keys[skipped].is_ascii()
}

/// Whether the clause before "and so" is a state or did not happen, instead of one step in a sequence.
fn explains(text: &Text<'_>, sentence: &Range<usize>, link: &Range<usize>) -> bool {
    let start = (sentence.start + 1..link.start).rev().find(|at| text.breaks(*at) && link.start - at > 2);
    let cause = &text.keys[start.unwrap_or(sentence.start)..link.start];
    let effect = &text.keys[link.end..sentence.end.min(link.end + 4)];
    let denied =
        effect.iter().any(|word| matches!(word.as_str(), "not" | "could" | "no" | "never") || word.ends_with("n't"));
    let goes_on = !denied && effect.iter().any(|word| goes(word));
    let tells = |word: &String| feels(word) || word.ends_with("n't") || SENSES.telling.contains(word.as_str());
    // "And so they have been using it": a lasting state, no next step.
    let lasts = link.end + 1 < sentence.end
        && class(text, link.end) == Class::Pronoun
        && SENSES.lasting_verbs.contains(text.keys[link.end + 1].as_str());
    let near = if lasts { 30 } else { 14 };
    cause.len() <= near
        && cause.iter().any(tells)
        && (!goes_on || cause.iter().any(|word| matches!(word.as_str(), "not" | "no" | "too") || word.ends_with("n't")))
}

/// Words of movement or of a next step.
fn goes(word: &str) -> bool {
    SENSES.going.contains(word)
}

fn is_way(text: &Text<'_>, at: usize, end: usize) -> bool {
    at < end && SENSES.ways.contains(text.bare_key(at))
}

/// "Hence home", "hence to the office": a direction, no conclusion.
fn opens_way(text: &Text<'_>, at: usize, end: usize) -> bool {
    at >= end
        || matches!(class(text, at), Class::Preposition | Class::Filler | Class::Closer)
        || (text.words[at].gap == Gap::Space && class(text, at) == Class::Pronoun)
}

/// "Made me angry", "made me laugh": not "made me a coffee", "left me at home", "got me up".
fn moves_the_writer(text: &Text<'_>, at: usize, end: usize) -> bool {
    let much = at < end && (class(text, at) == Class::Adverb || SENSES.much.contains(text.keys[at].as_str()));
    let bit =
        much && text.keys[at] == "a" && text.keys.get(at + 1).is_some_and(|next| next == "bit" || next == "little");
    let at = if bit {
        at + 2
    } else if much {
        at + 1
    } else {
        at
    };
    if at >= end || !text.follows(at) {
        return false;
    }
    let key = text.keys[at].as_str();
    let does = match class(text, at) {
        Class::Adjective => !SENSES.weak.contains(key),
        Class::Verb | Class::Either => !SENSES.things.contains(key),
        Class::Gerund => true,
        _ => key.ends_with("er") && key.len() > 4,
    };
    does || may_name_feeling(key) || !key.is_ascii() && text.words[at].shape == Shape::Lower
}

/// "So tired", "so far", "so that": a "so" without a consequence.
fn says_how_much(text: &Text<'_>, at: usize, end: usize) -> bool {
    let Some(next) = text.keys.get(at).filter(|_| at < end && text.follows(at)) else { return true };
    SENSES.degree.contains(next.as_str()) || feels(next) || next.ends_with("ly")
}

/// A name may have accents in any language, but an English sentence needs its function words.
fn in_vietnamese(text: &Text<'_>, sentence: &Range<usize>) -> bool {
    let plain = sentence.clone().filter(|at| *at == sentence.start || text.words[*at].shape == Shape::Lower);
    let words: Vec<&str> = plain.filter(|at| !text.is_marked(*at)).map(|at| text.keys[at].as_str()).collect();
    let english = words.iter().filter(|word| is_english(word)).count();
    words.iter().filter(|word| !word.is_ascii()).count() > english
}

/// "Since nobody had read it" is a reason, "since Monday" and "I have slept badly since we moved" are times.
fn is_reason(text: &Text<'_>, sentence: &Range<usize>, link: &Range<usize>) -> bool {
    let finite = |word: &str| {
        SENSES.finite.contains(word)
            || word.ends_with("n't")
            || word.ends_with("ed")
            || word.ends_with("'s")
            || word.ends_with("'m")
            || word.ends_with("'re")
    };
    let after = &text.keys[link.end..sentence.end.min(link.end + 8)];
    let main = text.keys[sentence.start..link.start].iter().chain(&text.keys[link.end + after.len()..sentence.end]);
    let lasting = main.clone().any(|word| SENSES.lasting.contains(word.as_str()) || word.ends_with("'ve"));
    // "Since we last spoke".
    let who_did = |who: &str| SENSES.subjects.contains(who) && !matches!(who, "my" | "the");
    let last_did = matches!(after, [who, last, ..] if last == "last" && who_did(who));
    let time = last_did
        || after
            .first()
            .is_none_or(|word| SENSES.times.contains(word.as_str()) || word.starts_with(|c: char| c.is_ascii_digit()));
    // "Five years since", "the first time since": a time in any case.
    let measures = text.keys[sentence.start..link.start]
        .iter()
        .rev()
        .take(3)
        .any(|word| SENSES.measures.contains(word.trim_end_matches('s')));
    // "Sad since she left": a start in time; before a comma, or with a state, it is a reason.
    let apart = text.breaks(link.start);
    let begins = |at: usize| SENSES.beginnings.contains(text.keys[at].as_str());
    let began = !apart && (link.end + 1..sentence.end.min(link.end + 4)).any(begins);
    !time && !lasting && !measures && !began && after.iter().skip(1).any(|word| finite(word))
}

/// "As they were late" is a reason, "as she was leaving" a time, "as good as", "as I have said" neither.
fn as_reason(text: &Text<'_>, sentence: &Range<usize>, link: &Range<usize>) -> bool {
    let next = |ahead: usize| text.key_in(sentence, link.start + ahead);
    let apart = text.breaks(link.start);
    let subject = SENSES.subjects.contains(next(1));
    // "Such as", "just as", "as well as", "the same as".
    let compares = link.start > sentence.start && SENSES.comparing.contains(text.keys[link.start - 1].as_str());
    let compares = compares
        || text.keys[sentence.start..link.start]
            .iter()
            .rev()
            .take(8)
            .any(|word| matches!(word.as_str(), "as" | "such" | "so"));
    // "As he had promised" is a manner.
    let says = |word: &str| SENSES.telling_how.contains(word);
    let state = |ahead: usize| {
        let then = if SENSES.still.contains(next(ahead + 1)) { next(ahead + 2) } else { next(ahead + 1) };
        let ends = link.start + ahead + 1 >= sentence.end || text.breaks(link.start + ahead + 1);
        match next(ahead) {
            _ if ends => false,
            "was" | "were" | "is" | "are" | "am" => {
                !then.ends_with("ing") && (apart || !then.ends_with("ed") || feels(then))
            }
            "had" => !says(then),
            "have" | "has" => SENSES.lacking.contains(then),
            word => word.ends_with("n't"),
        }
    };
    let verb = match next(1) {
        "the" | "my" => phrase_at(text, link.end, sentence.end).map_or(3, |phrase| phrase.name.end - link.start),
        _ => 2,
    };
    // "As I was two winters ago": a manner.
    let ago = (1..8).take_while(|ahead| text.words.get(link.start + ahead).is_some_and(|word| word.gap <= Gap::Space));
    let ago = ago.clone().any(|ahead| next(ahead) == "ago");
    subject && !compares && !ago && (next(1) == "nobody" || (verb..verb + 2).any(state))
}
