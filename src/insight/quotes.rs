//! Quotes: verbatim parts of an entry's body, a few lines at most; for a claim from the head, that line.

use std::{cell::RefCell, ops::Range, rc::Rc};

use super::{Basis, Evidence, Result};
use crate::{
    extract::without_strength,
    index::{
        EntryKey, Snapshot,
        catalog::KeyMap,
        graph::EntityRef,
        keyword::analyzer::{fold, stem},
    },
};

/// Maximum length of a quote in bytes.
const LONGEST: usize = 216;
/// Maximum length of a passage of up to three sentences in bytes.
const LONGEST_PASSAGE: usize = 480;
/// Bytes before the relevant span, in a sentence that is too long.
const CONTEXT: usize = 70;
/// Abbreviations whose full stop does not end a sentence.
const ABBREVIATIONS: [&str; 9] = ["Dr", "Mr", "Mrs", "Ms", "Prof", "St", "vs", "Mt", "Jr"];

/// The bodies of a snapshot, each read once.
pub struct Quotes<'s> {
    snapshot: &'s Snapshot,
    bodies: RefCell<KeyMap<Rc<str>>>,
}

impl<'s> Quotes<'s> {
    pub fn of(snapshot: &'s Snapshot) -> Self {
        Self { snapshot, bodies: RefCell::default() }
    }

    /// The body of an entry; empty where no index has it any more.
    pub fn body(&self, key: EntryKey) -> Result<Rc<str>> {
        if let Some(body) = self.bodies.borrow().get(&key) {
            return Ok(body.clone());
        }
        let body: Rc<str> = self.snapshot.texts(&[key])?.pop().unwrap_or_default().into();
        self.bodies.borrow_mut().insert(key, body.clone());
        Ok(body)
    }

    /// The quote at `span`; `None` for an entry that is not in the catalog or a span outside its text.
    fn at(&self, key: EntryKey, span: Range<usize>, basis: Basis) -> Result<Option<Evidence>> {
        self.at_most(LONGEST, key, span, basis)
    }

    fn at_most(&self, longest: usize, key: EntryKey, span: Range<usize>, basis: Basis) -> Result<Option<Evidence>> {
        let body = self.body(key)?;
        let shown = shortened(&body, trimmed(&body, span), longest);
        let known = self.snapshot.catalog.by_key(key);
        let text = body.get(shown.clone()).filter(|text| !text.is_empty());
        Ok(known.zip(text).map(|(known, text)| Evidence {
            starts_inside: sentence(&body, shown.start..shown.start).start < shown.start,
            goes_on: goes_on(&body, shown.end),
            ..Evidence::new(known.id.clone(), known.time.written.clone(), text.to_owned(), basis)
        }))
    }

    /// The whole sentences around a span; of a very long one the part with the span.
    pub fn around(&self, key: EntryKey, span: Range<usize>, basis: Basis) -> Result<Option<Evidence>> {
        self.around_most(LONGEST, key, span, basis)
    }

    fn around_most(&self, longest: usize, key: EntryKey, span: Range<usize>, basis: Basis) -> Result<Option<Evidence>> {
        let body = self.body(key)?;
        let whole = with_prose(&body, sentence(&body, span.clone()));
        self.at_most(longest, key, beginning_near(&body, whole, span, longest), basis)
    }

    /// The sentences of `span`, or of its beginning where they are too long, with the one before and the one after them, as far as
    /// these are prose and fit.
    pub fn passage(&self, key: EntryKey, span: Range<usize>) -> Result<Option<Evidence>> {
        let body = self.body(key)?;
        let all = sentence(&body, span.clone());
        let whole = if all.len() <= LONGEST_PASSAGE { all } else { sentence(&body, span.start..span.start) };
        let mut shown = whole.clone();
        let (above, below) = (body.get(..whole.start).unwrap_or_default(), body.get(whole.end..).unwrap_or_default());
        if let Some(last) = above.trim_end().char_indices().next_back() {
            let before = sentence(&body, last.0..last.0);
            if is_prose(&body[before.clone()]) && whole.end - before.start <= LONGEST_PASSAGE {
                shown.start = before.start;
            }
        }
        let next = whole.end + below.len() - below.trim_start().len();
        if next < body.len() {
            let after = sentence(&body, next..next);
            if is_prose(&body[after.clone()]) && after.end - shown.start <= LONGEST_PASSAGE {
                shown.end = after.end;
            }
        }
        // A mark that closes the sentence before.
        let text = &body[shown.clone()];
        if let Some(rest) = text.strip_prefix(['"', '”', '’', ')']).filter(|rest| rest.starts_with(char::is_whitespace))
        {
            shown.start += text.len() - rest.trim_start().len();
        }
        self.at_most(LONGEST_PASSAGE, key, shown, Basis::Inferred)
    }

    /// The passage that names an entity and one of `others`, else the first that names it; as [`Quotes::quote_with`] where only the head
    /// of the entry names it.
    pub fn passage_naming(&self, key: EntryKey, entity: EntityRef, others: &[EntityRef]) -> Result<Option<Evidence>> {
        match self.place_beside(key, &self.places(&self.body(key)?, key, entity), others)? {
            Some(place) => self.passage(key, place),
            None => self.quote_with(key, entity, others),
        }
    }

    /// The quote at `span` without leading headings and fields; as context, it states nothing.
    pub fn prose(&self, key: EntryKey, span: Range<usize>) -> Result<Option<Evidence>> {
        let body = self.body(key)?;
        self.at(key, prose(&body, span), Basis::Inferred)
    }

    /// The first sentence of an entry.
    pub fn opening(&self, key: EntryKey, basis: Basis) -> Result<Option<Evidence>> {
        let body = self.body(key)?;
        self.at(key, opening(&body), basis)
    }

    /// The first sentence that mentions an entity. Where only the head of the entry does, the first sentence with its
    /// name as a word, else that line of the head.
    pub fn mention(&self, key: EntryKey, entity: EntityRef, basis: Basis) -> Result<Option<Evidence>> {
        let marked = self.snapshot.graph.spans(key, entity).into_iter().find(|span| span.start < span.end);
        let span = match marked {
            Some(span) => Some(bytes(&span)),
            None => self.places(&self.body(key)?, key, entity).into_iter().next(),
        };
        if let Some(span) = span {
            return self.around(key, span, basis);
        }
        let opening = self.opening(key, basis)?;
        Ok(self.below_head(key, self.line_naming(key, entity), opening, basis))
    }

    /// The line of the head that names an entity: `tags: swim, lake`, `mood: calm`.
    fn line_naming(&self, key: EntryKey, entity: EntityRef) -> Option<String> {
        let known = self.snapshot.catalog.by_key(key)?;
        let names: Vec<String> = self.snapshot.graph.entity(entity).names().map(|name| fold(name)).collect();
        let is_named = |said: &str| names.contains(&fold(said));
        if known.tags.iter().any(|tag| is_named(tag.trim().trim_start_matches('#'))) {
            return Some(format!("tags: {}", known.tags.join(", ")));
        }
        let moods = |mood: &&String| mood.split([',', ';']).any(|one| is_named(without_strength(one.trim())));
        known.mood.as_ref().filter(moods).map(|mood| format!("mood: {mood}"))
    }

    /// A line of the head, which shows why the entry is quoted, with a sentence of its text below it, which shows the
    /// context.
    fn below_head(
        &self,
        key: EntryKey,
        line: Option<String>,
        below: Option<Evidence>,
        basis: Basis,
    ) -> Option<Evidence> {
        let (head, known) = (Some(line?), self.snapshot.catalog.by_key(key)?);
        let alone = || Evidence::new(known.id.clone(), known.time.written.clone(), String::new(), basis);
        Some(Evidence { head, basis, also: None, ..below.unwrap_or_else(alone) })
    }

    /// The whole sentences around a span that states a relation of `source` and `target`; of very long ones the part
    /// with both, or else with the source: the quote of a cause has to show it.
    pub fn stating(
        &self,
        key: EntryKey,
        span: Range<usize>,
        source: EntityRef,
        target: &[EntityRef],
    ) -> Result<Option<Evidence>> {
        let body = self.body(key)?;
        let ours = self.places(&body, key, source);
        self.stated_at(key, span, &ours, &self.places_of_all(&body, key, target))
    }

    /// The same for a cause that is only words of the text.
    pub fn stating_words(&self, key: EntryKey, span: Range<usize>, cause: &str) -> Result<Option<Evidence>> {
        let body = self.body(key)?;
        self.stated_at(key, span, &occurrences(&body, cause), &[])
    }

    fn stated_at(
        &self,
        key: EntryKey,
        span: Range<usize>,
        ours: &[Range<usize>],
        theirs: &[Range<usize>],
    ) -> Result<Option<Evidence>> {
        let body = self.body(key)?;
        let whole = with_prose(&body, sentence(&body, span.clone()));
        if whole.len() <= LONGEST {
            return self.at(key, whole, Basis::Stated);
        }
        let inside = |place: &&Range<usize>| span.start <= place.start && place.end <= span.end;
        let (ours, theirs) = (ours.iter().filter(inside), theirs.iter().filter(inside));
        let joined = |a: &Range<usize>, b: &Range<usize>| a.start.min(b.start)..a.end.max(b.end);
        let pairs = ours.clone().flat_map(|a| theirs.clone().map(move |b| joined(a, b)));
        let both = pairs.min_by_key(Range::len).filter(|both| both.len() <= LONGEST - CONTEXT);
        let meant = both.or_else(|| ours.clone().next().cloned()).unwrap_or(span.clone());
        self.at(key, beginning_near(&body, whole, meant, LONGEST), Basis::Stated)
    }

    /// The sentence that names an entity and one of `others`, else the first that names it. Where only the head of
    /// the entry names it (a tag), occurrences of its name as a word count as well; without any, the line of the
    /// head.
    pub fn quote_with(&self, key: EntryKey, entity: EntityRef, others: &[EntityRef]) -> Result<Option<Evidence>> {
        let body = self.body(key)?;
        let ours = self.places(&body, key, entity);
        if !ours.is_empty() {
            return self.of_these(key, &ours, others);
        }
        self.under(key, self.line_naming(key, entity), others)
    }

    /// A line of the head with the first sentence that names one of `others`, or else the opening.
    fn under(&self, key: EntryKey, line: Option<String>, others: &[EntityRef]) -> Result<Option<Evidence>> {
        let named = self.of_these(key, &self.places_of_all(&self.body(key)?, key, others), &[])?;
        let below = if named.is_some() { named } else { self.opening(key, Basis::Inferred)? };
        Ok(self.below_head(key, line, below, Basis::Inferred))
    }

    /// The same for a word that is no entity; where no sentence has it, the line of the head that does.
    pub fn quote_word(&self, key: EntryKey, word: &str, others: &[EntityRef]) -> Result<Option<Evidence>> {
        let body = self.body(key)?;
        let places = occurrences(&body, word);
        if !places.is_empty() {
            return self.of_these(key, &places, others);
        }
        let known = self.snapshot.catalog.by_key(key);
        let line = known.and_then(|known| known.extra.iter().find(|(name, _)| fold(name) == fold(word)));
        self.under(key, line.map(|(name, value)| format!("{name}: {value}")), others)
    }

    /// The spans where an entry names an entity, by its mentions and by its words, in text order.
    fn places(&self, body: &str, key: EntryKey, entity: EntityRef) -> Vec<Range<usize>> {
        let graph = &self.snapshot.graph;
        let spans = graph.spans(key, entity).into_iter().filter(|span| span.start < span.end);
        let mut places: Vec<Range<usize>> = spans.map(|span| bytes(&span)).collect();
        places.extend(graph.entity(entity).names().flat_map(|name| occurrences(body, name)));
        places.sort_by_key(|place| (place.start, place.end));
        places
    }

    /// The same for several entities, one after another.
    fn places_of_all(&self, body: &str, key: EntryKey, entities: &[EntityRef]) -> Vec<Range<usize>> {
        entities.iter().flat_map(|entity| self.places(body, key, *entity)).collect()
    }

    /// The sentence of the first of some spans that also names one of `others`, else of the first.
    fn of_these(&self, key: EntryKey, ours: &[Range<usize>], others: &[EntityRef]) -> Result<Option<Evidence>> {
        match self.place_beside(key, ours, others)? {
            Some(place) => self.around(key, place, Basis::Inferred),
            None => Ok(None),
        }
    }

    /// The first of some places whose sentence also names one of `others`, else the first.
    fn place_beside(&self, key: EntryKey, ours: &[Range<usize>], others: &[EntityRef]) -> Result<Option<Range<usize>>> {
        let body = self.body(key)?;
        let theirs = self.places_of_all(&body, key, others);
        let in_one = |place: &&Range<usize>| {
            let whole = sentence(&body, (*place).clone());
            theirs.iter().any(|other| whole.start <= other.start && other.end <= whole.end)
        };
        Ok(ours.iter().find(in_one).or_else(|| ours.first()).cloned())
    }

    /// The place where two entities are closest in an entry: a part that names both if it is short, else a part for
    /// each; where one of them is only in the head, that line and the sentence of the other below it.
    pub fn together(&self, key: EntryKey, one: EntityRef, other: EntityRef) -> Result<Option<Evidence>> {
        let body = self.body(key)?;
        let (ours, theirs) = (self.places(&body, key, one), self.places(&body, key, other));
        let reach = |(a, b): &(&Range<usize>, &Range<usize>)| a.end.max(b.end) - a.start.min(b.start);
        let pairs = ours.iter().flat_map(|a| theirs.iter().map(move |b| (a, b)));
        let is_short = |a: &Range<usize>, b: &Range<usize>| {
            let start = sentence(&body, a.start.min(b.start)..a.start.min(b.start)).start;
            a.end.max(b.end) - start <= LONGEST
        };
        match pairs.min_by_key(reach) {
            // From the beginning of the sentence: its first words may deny the rest.
            Some((a, b)) if is_short(a, b) => self.around(key, a.start.min(b.start)..a.end.max(b.end), Basis::Inferred),
            Some((a, b)) => {
                let (first, second) = if a.start < b.start { (a, b) } else { (b, a) };
                let part = |place: &Range<usize>| self.around_most(LONGEST / 2, key, place.clone(), Basis::Inferred);
                let both = part(first)?.zip(part(second)?);
                Ok(both.map(|(one, two)| Evidence { also: Some(two.text), goes_on: two.goes_on, ..one }))
            }
            None => {
                let missing = if ours.is_empty() { one } else { other };
                let named = if ours.is_empty() { other } else { one };
                match self.line_naming(key, missing) {
                    // The other is in another entry of the day.
                    None => self.of_these(key, &self.places(&body, key, named), &[]),
                    line => self.under(key, line, &[named]),
                }
            }
        }
    }
}

pub fn bytes(span: &Range<u32>) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// The occurrences of the words of a name in a text, ignoring case, accents and regular endings.
fn occurrences(body: &str, name: &str) -> Vec<Range<usize>> {
    let stems = |text: &str| stem(&fold(text)).into_owned();
    let is_between = |c: char| !c.is_alphanumeric();
    let wanted: Vec<String> = name.split(is_between).filter(|word| !word.is_empty()).map(stems).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut end = 0;
    let words = body.split_inclusive(is_between).map(|part| {
        let start = end;
        end += part.len();
        start..start + part.trim_end_matches(is_between).len()
    });
    let words: Vec<Range<usize>> = words.filter(|word| !word.is_empty()).collect();
    let named =
        |run: &&[Range<usize>]| run.iter().zip(&wanted).all(|(word, wanted)| stems(&body[word.clone()]) == *wanted);
    words.windows(wanted.len()).filter(named).map(|run| run[0].start..run[run.len() - 1].end).collect()
}

/// Whether a line or a sentence is more than a heading, a mark or a field.
fn is_prose(text: &str) -> bool {
    let text = text.trim();
    !(text.is_empty() || text.starts_with(['#', '`', '|', '-', '>', '!']) || text.contains("::"))
}

/// Minimum number of words of an opening: "This." says nothing about its entry.
const FEWEST_WORDS: usize = 3;

/// The first line of prose up to the end of a sentence.
fn opening(body: &str) -> Range<usize> {
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        if is_prose(line) {
            let start = at + line.len() - line.trim_start().len();
            let mut ends = ends(&body[start..]).map(|end| start..start + end);
            let is_enough = |part: &Range<usize>| body[part.clone()].split_whitespace().count() >= FEWEST_WORDS;
            return trimmed(body, ends.find(is_enough).unwrap_or(start..body.len()));
        }
        at += line.len();
    }
    trimmed(body, 0..body.len())
}

/// A range without leading headings and fields, unless there is nothing else.
fn prose(body: &str, span: Range<usize>) -> Range<usize> {
    let span = trimmed(body, span);
    let mut at = span.start;
    for line in body.get(span.clone()).unwrap_or_default().split_inclusive('\n') {
        let text = line.trim();
        if !(text.is_empty() || text.starts_with('#') || text.contains("::")) {
            return trimmed(body, at..span.end);
        }
        at += line.len();
    }
    span
}

/// A field alone has no context: adds the first sentence below it, if that is short enough.
fn with_prose(body: &str, span: Range<usize>) -> Range<usize> {
    let is_field = body.get(span.clone()).is_some_and(|line| line.contains("::"));
    let rest = body.get(span.end..).unwrap_or_default();
    let below = span.end + rest.len() - rest.trim_start().len();
    if !is_field || below == body.len() {
        return span;
    }
    let next = sentence(body, below..below + 1);
    if next.end > span.start + LONGEST || body[next.clone()].contains("::") { span } else { span.start..next.end }
}

/// From the start of the sentence that `span` begins in to the end of the one it ends in. Lines end sentences.
fn sentence(body: &str, span: Range<usize>) -> Range<usize> {
    let (start, end) = (floor(body, span.start), floor(body, span.end).max(floor(body, span.start)));
    let from = ends(&body[..start]).last().unwrap_or(0);
    let to = ends(&body[end..]).next().map_or(body.len(), |at| end + at);
    trimmed(body, from..to)
}

/// A range that starts late enough for its visible part to include the end of `span`, if possible.
fn beginning_near(body: &str, whole: Range<usize>, span: Range<usize>, longest: usize) -> Range<usize> {
    if span.end <= whole.start + longest || whole.len() <= longest {
        return whole;
    }
    let earliest = floor(body, span.start.saturating_sub(CONTEXT).max(whole.start));
    let start = floor(body, span.start).max(earliest);
    let from = body[earliest..start].find(char::is_whitespace).map_or(start, |at| earliest + at);
    trimmed(body, from..whole.end)
}

/// The positions after the end of each sentence of a text.
fn ends(text: &str) -> impl Iterator<Item = usize> {
    text.char_indices().filter_map(move |(at, c)| {
        let after = at + c.len_utf8();
        match c {
            '\n' | '。' | '！' | '？' => Some(after),
            '.' | '!' | '?' | '…' => {
                let rest = text[after..].trim_start_matches(['"', '”', '’', '\'', ')']);
                let word = text[..at].rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
                let closes = rest.is_empty() || rest.starts_with(char::is_whitespace);
                (closes && !ABBREVIATIONS.contains(&word)).then_some(text.len() - rest.len())
            }
            _ => None,
        }
    })
}

/// Length in bytes from which on a line may have been wrapped by an editor.
const WRAPPED: usize = 60;

/// Whether a sentence goes on after `at`: on its line, or in small letters behind a line that was wrapped.
fn goes_on(body: &str, at: usize) -> bool {
    let (before, after) = body.split_at(floor(body, at));
    let (line, below) = after.split_once('\n').unwrap_or((after, ""));
    let ends_here = ends(before).last() == Some(before.len());
    let is_wrapped = || before.len() - before.rfind('\n').map_or(0, |at| at + 1) >= WRAPPED;
    !ends_here && (!line.trim().is_empty() || below.starts_with(char::is_lowercase) && is_wrapped())
}

fn trimmed(body: &str, span: Range<usize>) -> Range<usize> {
    let (start, end) = (floor(body, span.start), floor(body, span.end));
    let text = body.get(start..end.max(start)).unwrap_or_default();
    let from = start + text.len() - text.trim_start().len();
    from..from + text.trim().len()
}

/// At most `longest` bytes, cut between words.
fn shortened(body: &str, span: Range<usize>, longest: usize) -> Range<usize> {
    if span.len() <= longest {
        return span;
    }
    let end = floor(body, span.start + longest);
    let text = &body[span.start..end];
    // The last word may end exactly there.
    let is_whole = !body[end..].starts_with(char::is_alphanumeric);
    let space = text.rfind(char::is_whitespace).filter(|at| *at > longest / 2 && !is_whole);
    let cut = space.unwrap_or(text.len());
    span.start..span.start + text[..cut].trim_end().len()
}

fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(body: &str, word: &str) -> String {
        let start = body.find(word).unwrap();
        body[sentence(body, start..start + word.len())].to_owned()
    }

    #[test]
    fn a_sentence_is_quoted_whole() {
        let body = "Met Dr. Chen at 3.15 today. “Slow down!” he said… I did.\nThen soup";
        assert_eq!(at(body, "Chen"), "Met Dr. Chen at 3.15 today.");
        assert_eq!(at(body, "Slow"), "“Slow down!”");
        assert_eq!(at(body, "did"), "I did.");
        assert_eq!(at(body, "soup"), "Then soup");
    }

    #[test]
    fn a_quote_that_stops_inside_a_sentence_goes_on() {
        for (body, quote, is_cut) in [
            ("My hands are sore but I slept.", "My hands are sore but I", true),
            (
                "Doctor Lindqvist answered within the hour and she wants to meet\nme next tuesday",
                "Doctor Lindqvist answered within the hour and she wants to meet",
                true,
            ),
            ("slept badly\nrowed on the lake", "slept badly", false),
            ("Lil wants to meet\nNext tuesday", "Lil wants to meet", false),
            ("Slept well. And then soup.", "Slept well.", false),
            ("- milk\n- bread", "- milk", false),
            ("He said “go on.” I went.", "He said “go on.”", false),
        ] {
            assert_eq!(goes_on(body, quote.len()), is_cut, "{quote}");
        }
        let said = |goes_on| Evidence {
            starts_inside: goes_on,
            goes_on,
            ..Evidence::new("a".into(), String::new(), "wants to meet".into(), Basis::Stated)
        };
        assert_eq!((said(true).quoted(), said(false).quoted()), ("“…wants to meet…”".into(), "“wants to meet”".into()));
    }

    #[test]
    fn of_an_endless_sentence_the_part_that_tells_is_shown() {
        let body = format!("So {} because of the boat{}", "and then ".repeat(60), " and on".repeat(60));
        let start = body.find("because").unwrap();
        let span = start..start + "because of the boat".len();
        let shown = shortened(&body, beginning_near(&body, sentence(&body, span.clone()), span, LONGEST), LONGEST);
        assert!(body[shown.clone()].contains("because of the boat"), "{:?}", &body[shown]);
    }

    #[test]
    fn a_field_comes_with_the_sentence_below() {
        let body = "trigger:: [[Demo]]\n\nNine weeks left. More.";
        assert_eq!(&body[with_prose(body, sentence(body, 0..18))], "trigger:: [[Demo]]\n\nNine weeks left.");
        assert_eq!(&body[prose(body, 0..body.len())], "Nine weeks left. More.");
        assert_eq!(with_prose("a:: [[B]]", 0..9), 0..9);
        assert_eq!(prose("a:: [[B]]", 0..9), 0..9);
    }

    #[test]
    fn an_opening_begins_with_the_first_words() {
        let body =
            "# Heron\n\ntrigger:: [[Demo]]\n\nMo. 4.20 this morning. Stephen rang at six and I put the phone down.";
        assert_eq!(&body[opening(body)], "Mo. 4.20 this morning.");
        assert_eq!(&"So tired"[opening("So tired")], "So tired");
        assert_eq!(&"# only"[opening("# only")], "# only");
    }

    #[test]
    fn a_word_that_ends_where_the_quote_does_is_kept() {
        let body = format!("{} end, and {}", "x".repeat(LONGEST - 4), "y ".repeat(80));
        assert!(body[shortened(&body, 0..body.len(), LONGEST)].ends_with(" end"));
    }

    proptest! {
        #[test]
        fn any_span_of_any_text_gives_a_part_of_it(body in "[a-zà-ỹ.!? \n]{0,600}", start in 0usize..700, length in 0usize..700) {
            let asked = start..start + length;
            let span = shortened(&body, beginning_near(&body, sentence(&body, asked.clone()), asked, LONGEST), LONGEST);
            prop_assert!(body.get(span.clone()).is_some(), "{span:?}");
            prop_assert!(span.len() <= LONGEST);
        }
    }
}
