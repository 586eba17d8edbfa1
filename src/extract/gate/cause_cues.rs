//! Cues of a causal claim: the connective, both sides, and what stands between them.

use std::ops::Range;

use super::{
    Cues,
    feeling_cues::{bucket, language},
};
use crate::extract::{Family, Feeling, causes::Because, grammar::class, moods::valence, text::Text};

/// Words at the edge of a side that are cues with their place.
const EDGE: usize = 3;

/// The cues of a causal claim. `felt`: its effect, where that is a feeling of the writer.
pub(in crate::extract) fn cues(text: &Text<'_>, because: &Because, felt: Option<&Feeling>, to: &mut Cues<'_>) {
    let feels = felt.is_some();
    let family = felt.map(|felt| felt.family.map_or("none", Family::word));
    let (cause, effect, link) = (&because.cause, &because.effect, &because.link);
    let tongue = if language(text, cause) || language(text, effect) { "vi" } else { "en" };
    let verb = because.verb;
    to.add(format_args!("one"));
    to.add(format_args!("in:{tongue}"));
    to.add(format_args!("verb:{verb}"));
    to.add_if(because.by_rule, format_args!("by-rule"));
    to.add_if(because.by_rule, format_args!("by-rule&{verb}"));
    to.add_if(feels, format_args!("feels"));
    to.add_if(feels, format_args!("feels&{verb}"));
    if let Some(family) = family {
        to.add(format_args!("family:{family}:{verb}"));
    }
    to.add(format_args!("weight:{:.1}", because.weight));
    to.add(format_args!("joins:{:?}", because.joins));
    let kind = if because.has_connective() { "linked" } else { "beside" };
    to.add(format_args!("kind:{kind}"));
    to.add(format_args!("cause-length:{kind}:{}", bucket(cause.len())));
    to.add(format_args!("effect-length:{kind}:{}", bucket(effect.len())));
    to.add_if(cause.start < effect.start, format_args!("cause-first:{kind}"));
    for (side, words) in [("cause", cause), ("effect", effect)] {
        edges(text, side, kind, words, to);
        for at in words.clone() {
            to.add(format_args!("{side}:{}", text.keys[at]));
        }
        let sum: f32 = words.clone().filter_map(|at| valence(&text.keys[at])).sum();
        to.add_if(sum < 0.0, format_args!("{side}-mood:bad:{kind}"));
        to.add_if(sum > 0.0, format_args!("{side}-mood:good:{kind}"));
        to.add_if(text.is_quoted(words.start), format_args!("{side}-quoted:{kind}"));
    }
    if because.has_connective() {
        for distance in 1..=2 {
            if let Some(at) = link.start.checked_sub(distance) {
                to.add(format_args!("link-before{distance}:{}", text.keys[at]));
                to.add_if(distance == 1, format_args!("link-before:{}&{verb}", text.keys[at]));
            }
            if let Some(key) = text.keys.get(link.end + distance - 1) {
                to.add(format_args!("link-after{distance}:{key}"));
                to.add_if(distance == 1, format_args!("link-after:{key}&{verb}"));
            }
        }
        to.add_if(text.breaks(link.start), format_args!("link-apart:{verb}"));
    }
    for (side, words) in [("cause", cause), ("effect", effect)] {
        let Some(sentence) = text.sentence_of(words.start) else { continue };
        let ending = text.ending(sentence);
        to.add_if(ending.contains('?'), format_args!("{side}-ends:?"));
        to.add_if(ending.contains('!'), format_args!("{side}-ends:!:{kind}"));
        for at in sentence.clone() {
            let key = text.keys[at].as_str();
            to.add_if(
                !(cause.contains(&at) || effect.contains(&at) || link.contains(&at)),
                format_args!("{side}-beside:{key}"),
            );
        }
    }
}

/// The words at both edges of a side, with their classes.
fn edges(text: &Text<'_>, side: &str, kind: &str, words: &Range<usize>, to: &mut Cues<'_>) {
    for distance in 0..EDGE.min(words.len()) {
        let (front, back) = (words.start + distance, words.end - 1 - distance);
        to.add(format_args!("{side}-front{distance}:{}:{kind}", text.keys[front]));
        to.add(format_args!("{side}-front{distance}:{:?}:{kind}", class(text, front)));
        to.add_if(distance == 0, format_args!("{side}-back:{}:{kind}", text.keys[back]));
        to.add_if(distance == 0, format_args!("{side}-back:{:?}:{kind}", class(text, back)));
    }
}
