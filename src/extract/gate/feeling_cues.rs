//! Cues of a feeling word: what stands around it, and what the rules say of it.

use std::ops::Range;

use super::Cues;
use crate::extract::{
    feeling_modifiers::AROUND,
    grammar::{Class, class},
    lexicon::ORDINARY,
    plain_names,
    text::Text,
    words::{Gap, Shape},
};

/// Words of the sentence that are cues by themselves, however far from the feeling.
const FAR: usize = 12;

/// What the word list and the rules say of a feeling word.
#[derive(Debug, Clone, Copy)]
pub(in crate::extract) struct Signs<'a> {
    /// The name of the feeling, and of its family.
    pub name: &'a str,
    pub family: &'a str,
    pub ambiguous: bool,
    pub only_felt: bool,
    /// A verb of feeling or being, or a word of degree, is near.
    pub said: bool,
    pub felt: bool,
    /// The word follows such a verb and ends its phrase.
    pub state: bool,
    /// It stands alone.
    pub opens: bool,
    pub denied: bool,
    /// A phrase with "me", and one that is asserted.
    pub brings_about: bool,
    pub comes_about: bool,
    /// What the rules of the experiencer say.
    pub own: bool,
    pub spoken_of: bool,
    pub unreal: bool,
}

impl Signs<'_> {
    /// Whether the rules alone see no feeling here, whoever's.
    pub fn is_doubtful(&self) -> bool {
        self.only_felt
            || self.ambiguous && !(self.said && self.state || self.opens)
            || self.brings_about && !self.comes_about
    }

    /// Whether the rules alone see a feeling of the writer.
    pub fn is_own(&self) -> bool {
        !self.is_doubtful() && (self.comes_about || self.own && !self.spoken_of) && !self.unreal
    }
}

/// The cues of the feeling word at `span`, in `sentence`.
pub(in crate::extract) fn cues(
    text: &Text<'_>,
    sentence: &Range<usize>,
    span: &Range<usize>,
    signs: &Signs<'_>,
    to: &mut Cues<'_>,
) {
    let whole = sentence;
    let sentence = &(behind_time(text, sentence, span.start)..sentence.end);
    let tongue = if language(text, sentence) { "vi" } else { "en" };
    to.add(format_args!("one"));
    to.add(format_args!("in:{tongue}"));
    to.add(format_args!("word:{}", text.keys[span.clone()].join(" ")));
    to.add(format_args!("name:{}", signs.name));
    to.add(format_args!("family:{}", signs.family));
    let flags = [
        (signs.ambiguous, "ambiguous"),
        (signs.only_felt, "only-felt"),
        (signs.said, "said"),
        (signs.felt, "felt"),
        (signs.state, "state"),
        (signs.opens, "opens"),
        (signs.denied, "denied"),
        (signs.brings_about, "brings-about"),
        (signs.comes_about, "comes-about"),
        (signs.is_own(), "own-by-rule"),
        (signs.is_doubtful(), "doubtful"),
        (!signs.own, "not-own"),
        (signs.spoken_of, "spoken-of"),
        (signs.unreal, "unreal"),
    ];
    for (holds, flag) in flags {
        to.add_if(holds, format_args!("is:{flag}"));
        to.add_if(holds && signs.ambiguous && flag != "ambiguous", format_args!("is:{flag}&ambiguous"));
    }
    to.add_if(signs.ambiguous && !(signs.said || signs.opens), format_args!("is:bare&ambiguous"));
    let first = &text.words[span.start];
    to.add_if(first.shape == Shape::AllCapitals, format_args!("shape:all-capitals"));
    to.add_if(text.is_quoted(span.start), format_args!("is:quoted"));
    let ending = text.ending(sentence);
    to.add_if(ending.contains('?'), format_args!("ends:?"));
    to.add_if(ending.contains('!'), format_args!("ends:!"));
    to.add(format_args!("length:{}", bucket(sentence.len() - span.len())));
    around(text, sentence, span, signs, to);
    let part = text.part_start(sentence, span.start, |_| false);
    to.add(format_args!("subject:{}", text.keys[part]));
    to.add(format_args!("subject-class:{:?}", class(text, part)));
    if let Some(person) = nearest_person(text, part..span.start) {
        to.add(format_args!("person:{person}"));
    }
    match nearest_person(text, sentence.start..span.start) {
        Some(person) => to.add(format_args!("person-before:{person}")),
        // "Rang Dad. Sounded tired.": who is spoken of goes on.
        None => {
            let before = whole.start.checked_sub(1).and_then(|last| text.sentence_at(last));
            let carried = before.and_then(|nth| nearest_person(text, text.sentences[nth].clone())).unwrap_or("nobody");
            to.add(format_args!("carried:{carried}"));
            to.add(format_args!("carried:{carried}&{}", text.keys[sentence.start]));
        }
    }
    for at in sentence.start.max(span.start.saturating_sub(FAR))..sentence.end.min(span.end + FAR) {
        if !span.contains(&at) {
            to.add(format_args!("near:{}", text.keys[at]));
        }
    }
}

/// Number of words of a time: "sáng hôm nay".
const LONGEST_TIME: usize = 3;

/// The start of a sentence, behind a Vietnamese time without a comma: "hôm nay tôi buồn" is "tôi buồn".
fn behind_time(text: &Text<'_>, sentence: &Range<usize>, until: usize) -> usize {
    let is_time = |at: &usize| AROUND.times.contains(text.keys[*at].as_str());
    (sentence.start..until.min(sentence.start + LONGEST_TIME))
        .take_while(is_time)
        .last()
        .map_or(sentence.start, |last| last + 1)
}

/// The words and word classes next to the feeling, by distance.
fn around(text: &Text<'_>, sentence: &Range<usize>, span: &Range<usize>, signs: &Signs<'_>, to: &mut Cues<'_>) {
    for distance in 1..=4 {
        match span.start.checked_sub(distance).filter(|at| *at >= sentence.start) {
            Some(at) => {
                let broken = (at + 1..=span.start).any(|at| text.breaks(at));
                let side = if broken { "far" } else { "before" };
                beside(text, at, side, distance, signs.name, to);
                to.add_if(
                    distance == 1 && at > sentence.start,
                    format_args!("{side}12:{} {}", text.keys[at.saturating_sub(1)], text.keys[at]),
                );
            }
            None => to.add_if(distance <= 2, format_args!("before{distance}:^")),
        }
        match Some(span.end + distance - 1).filter(|at| *at < sentence.end) {
            Some(at) => {
                let broken = (span.end..=at).any(|at| text.breaks(at));
                let side = if broken { "beyond" } else { "after" };
                beside(text, at, side, distance, signs.name, to);
            }
            None => to.add_if(distance <= 2, format_args!("after{distance}:$")),
        }
    }
}

/// A word at some distance from the feeling, with its class.
fn beside(text: &Text<'_>, at: usize, side: &str, distance: usize, feeling: &str, to: &mut Cues<'_>) {
    let key = &text.keys[at];
    to.add(format_args!("{side}{distance}:{key}"));
    to.add(format_args!("{side}:{key}"));
    to.add_if(distance <= 2, format_args!("{side}{distance}:{:?}", class(text, at)));
    to.add_if(distance == 1, format_args!("{side}1:{:?}&{feeling}", class(text, at)));
    to.add_if(distance == 1, format_args!("{side}1:{key}&{feeling}"));
}

/// The last word of a range that stands for a person, as a class: the writer, another, or a name.
fn nearest_person<'t>(text: &'t Text<'_>, words: Range<usize>) -> Option<&'t str> {
    words.rev().find_map(|at| {
        let key = text.keys[at].as_str();
        match () {
            () if AROUND.own.contains(key) => Some("writer"),
            () if AROUND.others.contains(key) => Some(key),
            () if plain_names::is_relative(text, at) => Some("relative"),
            () if text.is_marked(at) || text.words[at].shape == Shape::Capital && is_unusual(text, at) => Some("name"),
            () if class(text, at) == Class::Contracted => Some(key),
            () => None,
        }
    })
}

/// Whether a capital is not due to the start of a sentence.
fn is_unusual(text: &Text<'_>, at: usize) -> bool {
    text.words[at].gap != Gap::Sentence || !ORDINARY.has(text.bare_key(at))
}

/// Whether most words of a sentence are Vietnamese.
pub(super) fn language(text: &Text<'_>, sentence: &Range<usize>) -> bool {
    let accented = sentence.clone().filter(|at| !text.keys[*at].is_ascii()).count();
    accented * 4 >= sentence.len()
}

/// A coarse length, so that lengths which mean the same are one cue.
pub(super) fn bucket(words: usize) -> &'static str {
    match words {
        0 => "0",
        1 => "1",
        2..=3 => "3",
        4..=6 => "6",
        7..=12 => "12",
        13..=24 => "24",
        _ => "more",
    }
}
