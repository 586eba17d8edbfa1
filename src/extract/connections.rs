//! Relations stated by a sentence, from its connectives and names, with evidence.

use std::ops::Range;

use super::{
    Class, EventTime, Feeling, Gap, Mention, MentionSource, ORDINARY, Relation,
    argument_label::{self, ArgumentLabel},
    beside_feeling::{beside, has_unknown_cause, is_of_another_feeling, points_back},
    causal_links::{Joins, LINKS},
    causes::{Because, POINTED_AT, causes, is_denied_or_no_link},
    class,
    feeling_modifiers::AROUND,
    gate::{Claim, Cues, Gate, cause_cues},
    overlap,
    sense_words::SENSES,
    text::{Text, span},
};
use crate::journal::{EntityKind, RelationKind};

/// Maximum number of relations of one kind per sentence; more mean a list.
const MOST_PAIRS: usize = 4;
/// Maximum number of words of a sentence that is a cause as a whole.
const MOST_WHOLE: usize = 24;
/// Weight of a feeling after an event, which is a weaker causal statement than "because".
const AFTERWARDS: f32 = 0.6;
pub(super) const TOGETHER: f32 = 0.7;
/// Maximum number of words of a phrase that ends a clause.
const LONGEST_CLOSING: usize = 5;
/// Maximum number of words of a phrase that opens a sentence.
const LONGEST_OPENING: usize = 6;

/// The relations of the prose, and the ordinary phrases that are their arguments.
pub(super) fn connections(
    text: &Text<'_>,
    mentions: &[Mention],
    feelings: &[Feeling],
    times: &[EventTime],
    gate: &dyn Gate,
) -> (Vec<Relation>, Vec<Mention>) {
    let mut reader = Reader { text, mentions, feelings, times, gate, relations: Vec::new(), phrases: Vec::new() };
    for because in causes(text) {
        reader.causal(&because);
    }
    for sentence in &text.sentences {
        if !text.asks(sentence) {
            reader.afterwards(sentence);
            reader.about(sentence);
            reader.taking_part(sentence);
            reader.talked_about(sentence);
        }
    }
    reader.beside();
    (reader.relations, reader.phrases)
}

/// State of the extraction of one text.
pub(super) struct Reader<'a> {
    pub text: &'a Text<'a>,
    pub mentions: &'a [Mention],
    pub feelings: &'a [Feeling],
    times: &'a [EventTime],
    gate: &'a dyn Gate,
    pub relations: Vec<Relation>,
    phrases: Vec<Mention>,
}

/// An argument of a relation: a name, with its kind if known here.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct End {
    pub name: String,
    pub feels: bool,
    /// Ordinary phrases, with their byte ranges and classes.
    pub phrase: Option<(Range<u32>, MentionSource)>,
}

impl End {
    pub fn named(mention: &Mention) -> Self {
        Self { name: mention.name.clone(), feels: false, phrase: None }
    }

    pub fn felt(feeling: &Feeling) -> Self {
        Self { name: feeling.name.clone(), feels: true, phrase: None }
    }

    pub fn of(head: ArgumentLabel) -> Self {
        let source = if head.is_clause { MentionSource::Clause } else { MentionSource::Cause };
        Self { name: head.name, feels: false, phrase: Some((head.span, source)) }
    }
}

/// Whether a non-empty mark is in a byte range.
fn inside(outer: &Range<usize>, span: &Range<u32>) -> bool {
    outer.start <= span.start as usize && span.end as usize <= outer.end && span.start < span.end
}

/// The part of a sorted list whose items start in a byte range, so that a sentence reads only its own names.
fn starting_in<'a, T>(all: &'a [T], start: impl Fn(&T) -> u32, bytes: &Range<usize>) -> &'a [T] {
    let first = all.partition_point(|item| (start(item) as usize) < bytes.start);
    let behind = all[first..].partition_point(|item| (start(item) as usize) < bytes.end);
    &all[first..first + behind]
}

impl<'a> Reader<'a> {
    /// The mentions in some words.
    pub fn mentions_in(&self, words: &Range<usize>) -> impl Iterator<Item = &'a Mention> + use<'a> {
        let bytes = self.text.bytes(words);
        let starting = starting_in(self.mentions, |mention| mention.span.start, &bytes);
        starting.iter().filter(move |mention| inside(&bytes, &mention.span))
    }

    /// The feelings in some words.
    pub fn feelings_in(&self, words: &Range<usize>) -> impl Iterator<Item = &'a Feeling> + use<'a> {
        let bytes = self.text.bytes(words);
        let starting = starting_in(self.feelings, |feeling| feeling.span.start, &bytes);
        starting.iter().filter(move |feeling| inside(&bytes, &feeling.span))
    }
}

impl Reader<'_> {
    fn causal(&mut self, because: &Because) {
        let because = &self.with_late_feeling(because);
        // "Not tired because of work" is ambiguous.
        if self.denies(&because.effect) {
            return;
        }
        let targets = self.effects(because);
        let sources = self.causes(because);
        if sources.is_empty() || targets.is_empty() || !self.accepts(because, &targets) {
            return;
        }
        self.state(because, &sources, &targets);
    }

    /// A relation for each pair of a cause and an effect.
    pub fn state(&mut self, because: &Because, sources: &[End], targets: &[End]) {
        if sources.is_empty() || targets.is_empty() || is_denied_or_no_link(self.text, because) {
            return;
        }
        // Without a connective the kind of the relation is shown.
        let verb = if because.has_connective() { because.verb } else { RelationKind::Causal.word() };
        let evidence = span(&self.text.bytes(&because.words()));
        let near = argument_label::nearest(self.text, &because.effect, because.effect.start < because.cause.start);
        let near = span(&self.text.bytes(&near));
        let cause = self.told(because, sources);
        for source in sources {
            for target in targets {
                let clauses = [&because.cause, &because.effect];
                let kind = RelationKind::Causal;
                let stated = self.relate(kind, source, target, verb, &evidence, because.weight, clauses);
                // The effect among everything on that side.
                if let Some(relation) = stated {
                    let told = target.phrase.as_ref().map_or(&near, |(span, _)| span);
                    relation.effect = near.start.min(told.start)..near.end.max(told.end);
                    relation.cause = cause.clone();
                }
            }
        }
    }

    /// The words that tell the cause: the clause next to the connective, or the noun phrase among the sources.
    fn told(&self, because: &Because, sources: &[End]) -> Range<u32> {
        let is_apart = self.text.sentence_of(because.cause.start) != self.text.sentence_of(because.link.start);
        let is_short = because.has_connective() && because.cause.len() <= MOST_WHOLE;
        // "That's why" says it of the whole sentence before.
        if is_apart && (is_short || because.is_pointed_at()) {
            return span(&self.text.bytes(&because.cause));
        }
        let phrase = || sources.iter().find_map(|end| end.phrase.as_ref().map(|(span, _)| span.clone()));
        let thing = (because.joins != Joins::Clauses && !is_apart).then(phrase).flatten();
        let near = || argument_label::nearest(self.text, &because.cause, because.begins_with_cause());
        let clause = || if because.is_pointed_at() { because.cause.clone() } else { near() };
        thing.unwrap_or_else(|| argument_label::whole(self.text, &clause()))
    }

    /// Whether the gate accepts that the one side brought about the other.
    pub fn accepts(&self, because: &Because, targets: &[End]) -> bool {
        let is_target = |feeling: &&Feeling| targets.iter().any(|end| end.name == feeling.name);
        let felt = self.feelings_in(&because.effect).find(is_target);
        let claim = self.claim(because, felt);
        self.gate.judge(&claim, &|to| cause_cues::cues(self.text, because, felt, to)).accepted
    }

    fn claim(&self, because: &Because, felt: Option<&Feeling>) -> Claim<'static> {
        let word = felt.map(|feeling| feeling.span.start as usize..feeling.span.end as usize);
        let effect = word.unwrap_or_else(|| self.text.bytes(&because.effect));
        Claim::Cause { cause: self.text.bytes(&because.cause), effect, linked: because.has_connective() }
    }

    /// "Sandra put me down for the late. Furious.": a feeling whose cause stands beside it without a connective. Of
    /// several parts beside it the likeliest counts.
    fn beside(&mut self) {
        for feeling in self.feelings.iter().filter(|feeling| feeling.is_felt()) {
            let explained = |relation: &Relation| {
                matches!(relation.kind, RelationKind::Causal | RelationKind::Emotional)
                    && relation.target == feeling.name
                    && overlap(&relation.evidence, &feeling.span)
            };
            if self.relations.iter().any(explained) || has_unknown_cause(self.text, feeling) {
                continue;
            }
            let targets = [End::felt(feeling)];
            if let Some(because) = points_back(self.text, feeling).or_else(|| self.likeliest_beside(feeling)) {
                let sources = self.causes(&because);
                self.state(&because, &sources, &targets);
            }
        }
    }

    /// The likeliest of the parts beside a feeling, if the gate accepts it, or else the cause that a model points at.
    fn likeliest_beside(&self, feeling: &Feeling) -> Option<Because> {
        let judged = beside(self.text, feeling).into_iter().map(|because| {
            let claim = self.claim(&because, Some(feeling));
            let cues = &|to: &mut Cues<'_>| cause_cues::cues(self.text, &because, Some(feeling), to);
            (self.gate.judge(&claim, cues), because)
        });
        let best = judged.max_by(|a, b| a.0.probability.total_cmp(&b.0.probability));
        let accepted = best.filter(|(verdict, _)| verdict.accepted).map(|(_, because)| because);
        let found = accepted.or_else(|| self.pointed(feeling))?;
        let is_none = self.is_only_a_time(&found.cause) || self.is_a_place_or_result(&found);
        (!is_of_another_feeling(self.text, &found, feeling) && !is_none).then_some(found)
    }

    /// "Khóc giữa chợ" tells where, "mệt đến mức ngủ quên" what came of it.
    fn is_a_place_or_result(&self, because: &Because) -> bool {
        let (start, keys) = (because.cause.start, &self.text.keys);
        let around = &keys[start.saturating_sub(1)..keys.len().min(start + 2)];
        let comes_of_it =
            because.effect.end <= start && around.iter().any(|key| SENSES.so_far_that.contains(key.as_str()));
        comes_of_it || keys.get(start).is_some_and(|key| SENSES.whereabouts.contains(key.as_str()))
    }

    /// Whether all words of a clause name a time: "Rằm tháng Chạp", "this morning".
    fn is_only_a_time(&self, clause: &Range<usize>) -> bool {
        let bytes = self.text.bytes(clause);
        let near = starting_in(self.times, |time| time.span.start, &bytes);
        let is_named = |at: usize| {
            let word = &self.text.words[at].span;
            AROUND.times.contains(self.text.keys[at].as_str())
                || near.iter().any(|time| time.span.start as usize <= word.start && word.end <= time.span.end as usize)
        };
        clause.clone().all(is_named)
    }

    /// The cause that a model which read the text points at.
    fn pointed(&self, feeling: &Feeling) -> Option<Because> {
        let word = feeling.span.start as usize..feeling.span.end as usize;
        let effect = self.text.words_in(&word);
        let cause = self.with_closing_phrase(self.text.words_in(&self.gate.cause_of(&word)?), &effect);
        let apart = cause.end <= effect.start || effect.end <= cause.start;
        (apart && !cause.is_empty()).then(|| Because::unlinked(cause, effect, POINTED_AT))
    }

    /// "Row with Geoff [over the bungalow]": a cause with the prepositional phrase that ends its clause.
    fn with_closing_phrase(&self, cause: Range<usize>, effect: &Range<usize>) -> Range<usize> {
        let text = self.text;
        let next = cause.end;
        let Some(sentence) = text.sentence_of(cause.start).filter(|_| text.follows(next)) else { return cause };
        let ends = |at: &usize| *at == sentence.end || text.breaks(*at);
        let end = (next + 1..=sentence.end.min(next + LONGEST_CLOSING)).find(ends);
        let is_linked = |at: usize| LINKS.links.at(text, at).is_some();
        match end.filter(|_| next < sentence.end && class(text, next) == Class::Preposition) {
            Some(end) if !(next..end).any(|at| effect.contains(&at) || is_linked(at)) => cause.start..end,
            _ => cause,
        }
    }

    /// "Argued because of money, sad all day": a feeling after the cause belongs to the effect.
    fn with_late_feeling(&self, because: &Because) -> Because {
        let mut because = because.clone();
        let felt = |words: &Range<usize>| self.feelings_in(words).any(|feeling| feeling.own);
        let breaks = |at: &usize| *at > because.cause.start && self.text.words[*at].gap == Gap::Break;
        if because.cause.start > because.effect.start
            && !felt(&because.effect)
            && !self.denies(&because.effect)
            && let Some(comma) = because.cause.clone().find(breaks)
            && felt(&(comma..because.cause.end))
        {
            because.effect = comma..because.cause.end;
            because.cause.end = comma;
        }
        because
    }

    fn denies(&self, clause: &Range<usize>) -> bool {
        self.feelings_in(clause).any(|feeling| feeling.denied)
    }

    /// The feelings of the writer in a range: "Minh was angry" is neither cause nor effect of the writer's feelings.
    pub fn felt(&self, clause: &Range<usize>) -> impl Iterator<Item = End> {
        self.feelings_in(clause).filter(|feeling| feeling.is_felt()).map(End::felt)
    }

    /// "After the call I felt sad", "sad when Linh left": a temporal relation of an event and a feeling or event.
    fn afterwards(&mut self, sentence: &Range<usize>) {
        let text = self.text;
        let key = |at: usize| text.keys[at].as_str();
        let Some(at) = sentence.clone().find(|at| SENSES.in_time.contains(key(*at)) && !self.in_name(*at)) else {
            return;
        };
        let opens = at == sentence.start;
        // "Sau khi": two words.
        let first = if text.key_in(sentence, at + 1) == "khi" { at + 2 } else { at + 1 };
        let (earlier, later) = if opens {
            let rest = first + 1..sentence.end;
            let comma = rest.clone().find(|at| text.breaks(*at));
            let Some(end) = comma.or_else(|| rest.clone().find(|at| SENSES.main_subjects.contains(key(*at)))) else {
                return;
            };
            (first..end, argument_label::nearest(text, &(end..sentence.end), false))
        } else {
            let [behind, before] = [first..sentence.end, sentence.start..at];
            (argument_label::nearest(text, &behind, false), argument_label::nearest(text, &before, true))
        };
        let is_before = key(at) == "before";
        let (earlier, later) = if is_before { (later, earlier) } else { (earlier, later) };
        if earlier.is_empty() || later.is_empty() || sentence.clone().any(|at| SENSES.not_in_time.contains(key(at))) {
            return;
        }
        let (clauses, evidence) = ([&earlier, &later], span(&text.bytes(sentence)));
        let target = self.felt(&later).next().filter(|_| !is_before && self.felt(&earlier).next().is_none());
        let Some(target) = target else {
            let happens = |clause: &Range<usize>| self.event(clause).map(End::named);
            if let (Some(source), Some(target)) = (happens(&earlier), happens(&later)) {
                self.relate(RelationKind::Temporal, &source, &target, "before", &evidence, TOGETHER, clauses);
            }
            return;
        };
        let explains = |known: &Relation| known.kind == RelationKind::Causal && overlap(&known.evidence, &evidence);
        if self.relations.iter().any(explains) {
            return;
        }
        let order = if opens { "(after, first)" } else { "(after)" };
        let because = Because {
            link: at..at + 1,
            weight: AFTERWARDS,
            by_rule: true,
            ..Because::unlinked(earlier.clone(), later.clone(), order)
        };
        let mut sources = self.named(&earlier);
        if sources.is_empty() {
            sources = self.causes(&because);
        }
        if !sources.is_empty() && self.accepts(&because, std::slice::from_ref(&target)) {
            for source in sources.iter().take(2) {
                self.relate(RelationKind::Causal, source, &target, key(at), &evidence, AFTERWARDS, clauses);
            }
        }
    }

    /// People and places in the clause of an event, or behind the one it opens, are its participants.
    fn taking_part(&mut self, sentence: &Range<usize>) {
        let here = || self.mentions_in(sentence);
        let events: Vec<&Mention> = here().filter(|mention| mention.kind == Some(EntityKind::Event)).collect();
        let mut pairs = Vec::new();
        for event in events.into_iter().take(2) {
            let others = here().filter(|one| is_a(one, EntityKind::Person) || is_a(one, EntityKind::Place));
            for other in others.filter(|other| self.takes_part(sentence, event, other)).take(MOST_PAIRS / 2) {
                let pair = [other, event].map(End::named);
                if other.name != event.name && !pairs.contains(&pair) {
                    pairs.push(pair);
                }
            }
        }
        let evidence = span(&self.text.bytes(sentence));
        for [source, target] in pairs {
            let clauses = [sentence, sentence];
            self.relate(RelationKind::Involves, &source, &target, "with", &evidence, TOGETHER, clauses);
        }
    }

    /// Whether no clause begins between an event and a name, but that of the name behind an opening phrase: "at the wedding,
    /// Linh sang". An item of a list begins none.
    fn takes_part(&self, sentence: &Range<usize>, event: &Mention, other: &Mention) -> bool {
        let text = self.text;
        let [event, other] = [event, other].map(|mention| text.words_of(&mention.span));
        let breaks = |at: &usize| text.breaks(*at);
        let is_item = |at: usize| {
            let listed = self.mentions_in(&(at..sentence.end)).next().map(|first| text.words_of(&first.span));
            let next = listed.filter(|words| words.start == at).map(|words| words.end);
            let next = next.filter(|next| *next < sentence.end);
            next.is_some_and(|next| breaks(&next) || matches!(text.keys[next].as_str(), "and" | "và"))
        };
        let between = event.start.min(other.start) + 1..event.start.max(other.start) + 1;
        let first = between.clone().filter(breaks).find(|at| !is_item(*at) && *at + 1 < sentence.end);
        first.is_none_or(|at| at == other.start && event.end <= at && at - sentence.start <= LONGEST_OPENING)
    }

    #[expect(clippy::too_many_arguments, reason = "one call per statement, each part of it named")]
    pub fn relate(
        &mut self,
        kind: RelationKind,
        source: &End,
        target: &End,
        verb: &str,
        evidence: &Range<u32>,
        weight: f32,
        clauses: [&Range<usize>; 2],
    ) -> Option<&mut Relation> {
        let clauses = clauses.map(|words| self.text.bytes(words));
        let effect = span(&clauses[1]);
        let is_known = |known: &Relation| {
            known.effect == effect && known.kind == kind && known.source == source.name && known.target == target.name
        };
        if source.name == target.name || self.relations.iter().any(is_known) {
            return None;
        }
        for (end, other) in [(source, target), (target, source)] {
            let Some((span, said)) = &end.phrase else { continue };
            let last = end.name.rsplit(' ').next().unwrap_or("");
            let source = match said {
                // If the clauses have no names, the statement stays a quote.
                MentionSource::Clause if other.phrase.is_some() && !other.feels => continue,
                MentionSource::Cause if !other.feels && ORDINARY.is_everyday(last) => continue,
                MentionSource::Cause if !other.feels => MentionSource::Phrase,
                said => *said,
            };
            let known = self.phrases.iter_mut().find(|known| known.span == *span && known.name == end.name);
            match known {
                Some(known) if source == MentionSource::Cause => known.source = source,
                Some(_) => {}
                None => self.phrases.push(Mention::new(&end.name, EntityKind::Topic, span.clone(), source)),
            }
        }
        let whole = evidence.start as usize..evidence.end as usize;
        let time_in = |bytes: &Range<usize>| {
            let near = starting_in(self.times, |time| time.span.start, bytes);
            near.iter().find(|time| inside(bytes, &time.span))
        };
        let time = time_in(&clauses[0]).or_else(|| time_in(&whole));
        self.relations.push(Relation {
            source: source.name.clone(),
            target: target.name.clone(),
            kind,
            verb: verb.to_owned(),
            evidence: evidence.clone(),
            weight,
            event_time: time.map(|time| time.days),
            effect,
            cause: span(&clauses[0]),
            clauses: [span(&clauses[0]), span(&clauses[1])],
        });
        self.relations.last_mut()
    }

    /// The names and events of a clause.
    pub fn named(&self, clause: &Range<usize>) -> Vec<End> {
        let mut here: Vec<&Mention> = self.mentions_in(clause).filter(|mention| self.is_certain(mention)).collect();
        // An event is a better cause than its participants.
        here.sort_by_key(|mention| mention.kind != Some(EntityKind::Event));
        here.into_iter().map(End::named).collect()
    }

    pub fn is_certain(&self, mention: &Mention) -> bool {
        match mention.source {
            MentionSource::SentenceStart | MentionSource::LowerCase => mention.guess.is_some(),
            MentionSource::Feeling | MentionSource::Mood | MentionSource::Unaccented => false,
            _ => true,
        }
    }

    /// The first event of a clause.
    pub fn event(&self, clause: &Range<usize>) -> Option<&Mention> {
        self.mentions_in(clause).find(|mention| mention.kind == Some(EntityKind::Event))
    }

    fn in_name(&self, at: usize) -> bool {
        let start = self.text.words[at].span.start as u32;
        self.mentions.iter().any(|mention| mention.span.contains(&start))
    }
}

/// Whether a mention is more than a candidate, and of this kind.
pub(super) fn is_a(mention: &Mention, kind: EntityKind) -> bool {
    mention.kind.or(mention.guess) == Some(kind) && mention.source != MentionSource::SentenceStart
}
