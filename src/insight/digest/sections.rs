//! Sections of a digest, made from the answers of the other files.

use std::fmt::Display;

use super::{Section, day_of, named, plain_id, quoted};
use crate::{
    insight::{
        Evidence,
        names::Neighbour,
        patterns::Pattern,
        profile::Profile,
        reflect::{Glance, Line, Named, Reflection, Then, Thread},
        review::{Counts, Moment, Review},
        why::{Cause, Why},
    },
    journal::EntryId,
    spelling::counted,
};

/// Maximum length of a quote, in characters.
const QUOTE: usize = 400;
/// Maximum length of an entry of the day in question, in characters.
const OF_THE_DAY: usize = 2_000;

fn in_days<N: Display + PartialEq + From<u8>>(days: N) -> String {
    counted(days, "day", "days")
}

fn times(count: usize) -> String {
    counted(count, "time", "times")
}

/// `2026-08-12 o4i5oh7qge: "Hùng moved the deadline."`
fn quote(evidence: &Evidence) -> String {
    let head = evidence.head.as_deref().map_or_else(String::new, |head| format!(" {}", named(head)));
    let also = evidence.also.as_deref().map_or_else(String::new, |also| format!(" … {}", quoted(also, QUOTE)));
    let text = quoted(&evidence.text, QUOTE);
    format!("{} {}{head}: {text}{also}", day_of(&evidence.time), plain_id(&evidence.id))
}

/// An item that quotes, with the words before the quote.
fn quoting(before: &str, evidence: &Evidence) -> (String, [EntryId; 1]) {
    (format!("{before}{}", quote(evidence)), [evidence.id.clone()])
}

/// An item with the first characters of an entry's text.
pub(in crate::insight) fn telling(
    time: &str,
    id: &EntryId,
    mood: Option<&str>,
    text: &str,
    most: usize,
) -> (String, [EntryId; 1]) {
    let mood = mood.map_or_else(String::new, |mood| format!(" mood {}", named(mood)));
    (format!("{} {}{mood}: {}", day_of(time), plain_id(id), quoted(text, most)), [id.clone()])
}

/// An item with a name near another.
pub(in crate::insight) fn neighbour(center: &str, near: &Neighbour) -> (String, Option<EntryId>) {
    let how = format!("stated {}, together on {}", times(near.stated), in_days(near.together));
    let via = if near.via.is_empty() { String::new() } else { format!(" via {}", named(&near.via.join(", "))) };
    let said = near.evidence.as_ref().map_or_else(String::new, |evidence| format!("; {}", quote(evidence)));
    let line = format!("{} - {} ({}){via}: {how}{said}", named(center), named(&near.name), near.kind.word());
    (line, near.evidence.as_ref().map(|evidence| evidence.id.clone()))
}

/// An item that quotes nothing.
pub(in crate::insight) fn stating(line: String) -> (String, [EntryId; 0]) {
    (line, [])
}

/// The sections of a day.
pub fn of_reflection(reflection: &Reflection) -> Vec<Section> {
    let Reflection { entries, moods, names, threads, on_this_day, patterns, questions, .. } = reflection;
    vec![
        Section::of("Entries of the day", entries, |Glance { id, time, mood, text, .. }| {
            telling(time, id, mood.as_deref(), text, OF_THE_DAY)
        }),
        of_names("Moods of the day", moods),
        of_names("People and topics of the day", names),
        of_threads(threads),
        of_anniversaries(on_this_day),
        of_patterns(patterns),
        lines("Questions worth asking", questions),
    ]
}

/// The sections of a period.
pub fn of_review(review: &Review) -> Vec<Section> {
    let counts = [("period", review.counts), ("period before", review.counts_before)];
    let counts = Section::of("Counts", counts, |(name, Counts { entries, days, words, .. })| {
        let (entries, words) = (counted(entries, "entry", "entries"), counted(words, "word", "words"));
        stating(format!("{name}: {entries} on {}, {words}", in_days(days)))
    });
    let moods = Section::of("Moods", &review.moods, |mood| {
        let entries = counted(mood.n, "entry", "entries");
        let line = format!("{}: {entries}, {} in the period before", named(&mood.name), mood.before);
        (line, mood.entries.clone())
    });
    let names = Section::of("People and topics", &review.names, |name| {
        let (change, kind) = (&name.change, name.change.kind.word());
        let days = format!("{}, {} in the period before", in_days(change.days), change.before);
        let line = format!("{} ({kind}): {days}{}", named(&change.name), cited(&name.entries));
        (line, name.entries.clone())
    });
    let moments = |title, moments: &[Moment]| {
        Section::of(title, moments, |Moment { mood, evidence, .. }| {
            quoting(&format!("mood {}, ", named(mood)), evidence)
        })
    };
    vec![
        counts,
        moments("Highs", &review.highs),
        moments("Lows", &review.lows),
        moods,
        names,
        of_threads(&review.threads),
        of_patterns(&review.patterns),
        lines("Questions worth asking", &review.questions),
    ]
}

/// The sections of a question for causes.
pub fn of_why(why: &Why) -> Vec<Section> {
    let mut counts = Section::new("Subject");
    let total = why.days.total;
    let days = format!("on {} of {} with entries", why.days.with_target, in_days(total));
    counts.push(stating(format!("{}: {days}", named(&why.target))));
    let background = Section::of("Background: no claim of a cause", &why.before, |evidence| quoting("", evidence));
    let (claimed, weak): (Vec<&Cause>, Vec<&Cause>) = why.causes.iter().partition(|cause| cause.is_claimed());
    // The subject is named above; here it would be journal text outside quotes.
    let sentence = |cause: &Cause| cause.sentence("");
    vec![
        counts,
        causes("Causes", claimed, &sentence),
        causes("Eased by", why.eased_by.iter().collect(), &Cause::eased_on),
        causes("Weak links: too few to say", weak, &sentence),
        background,
    ]
}

/// The sections of a name: profile, moods, relations.
pub fn of_connections(profile: &Profile) -> Vec<Section> {
    let known = &profile.known;
    let mut about = Section::new("Subject");
    let (mentions, days) = (counted(known.mentions, "mention", "mentions"), in_days(known.days));
    let seen = format!("{mentions} on {days}, {} to {}", known.first_seen, known.last_seen);
    about.push(stating(format!("{} ({}): {seen}", named(&known.name), known.kind.word())));
    let moods = Section::of("Moods on these days", &profile.moods, |mood| {
        stating(format!("{}: {} of its {}", named(&mood.mood), mood.both, in_days(mood.overall)))
    });
    let relations = Section::of("Stated relations", &profile.relations, |relation| {
        let (own, other) = (named(&known.name), named(&relation.other));
        let (source, target) = if relation.is_outgoing { (own, other) } else { (other, own) };
        let line = format!("{source} -> {target}, {}, stated {}", relation.kind.word(), times(relation.stated));
        let quotes: Vec<String> = relation.evidence.iter().map(quote).collect();
        (format!("{line}; {}", quotes.join("; ")), relation.evidence.iter().map(|said| said.id.clone()))
    });
    let mentions = Section::of("Latest mentions", &profile.mentions, |evidence| quoting("", evidence));
    let near = Section::of("Related names", &profile.neighbours, |near| neighbour(&known.name, near));
    vec![about, relations, moods, mentions, near]
}

fn of_names(title: &'static str, names: &[Named]) -> Section {
    Section::of(title, names, |Named { name, kind, entries }| {
        (format!("{} ({}){}", named(name), kind.word(), cited(entries)), entries.clone())
    })
}

pub(in crate::insight) fn of_threads(threads: &[Thread]) -> Section {
    Section::of("Threads: earlier passages of similar meaning", threads, |Thread { then, now, .. }| {
        (format!("{}; close to {}", quote(then), quote(now)), [then.id.clone(), now.id.clone()])
    })
}

pub(in crate::insight) fn of_anniversaries(then: &[Then]) -> Section {
    Section::of("On this day", then, |then| quoting(&format!("{}: ", then.when), &then.evidence))
}

pub(in crate::insight) fn of_patterns(patterns: &[Pattern]) -> Section {
    Section::of("Patterns", patterns, |pattern| {
        let claim = format!("{} {} {}", named(&pattern.name), pattern.verb(), named(&pattern.mood));
        let said = pattern.evidence.first().map_or_else(String::new, |evidence| format!("; {}", quote(evidence)));
        let entries = pattern.evidence.first().map(|evidence| evidence.id.clone());
        (format!("{claim}: {}{said}", pattern.counts()), entries)
    })
}

fn lines(title: &'static str, lines: &[Line]) -> Section {
    Section::of(title, lines, |Line { text, entries }| {
        (format!("{}{}", quoted(text, QUOTE), cited(entries)), entries.clone())
    })
}

fn causes(title: &'static str, causes: Vec<&Cause>, counts: &dyn Fn(&Cause) -> String) -> Section {
    const QUOTES: usize = 3;
    Section::of(title, causes, |cause| {
        let said: Vec<&Evidence> = cause.evidence.iter().take(QUOTES).collect();
        let quotes: String = said.iter().map(|evidence| format!("; {}", quote(evidence))).collect();
        let kind = cause.kind_word().map_or_else(String::new, |kind| format!(" ({kind})"));
        let line = format!("{}{kind}, {}: {}{quotes}", named(&cause.name), cause.strength.word(), counts(cause));
        (line, said.into_iter().map(|evidence| evidence.id.clone()))
    })
}

fn cited(entries: &[EntryId]) -> String {
    const MOST: usize = 5;
    entries.iter().take(MOST).map(|id| format!(" {}", plain_id(id))).collect()
}
