//! Completion of a tag, person, name or mood: words of the journal come first.

use std::{borrow::Cow, sync::LazyLock};

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use crate::{
    extract::fold,
    journal::{EntityKind, RecordKind},
    search::query::ANY_RECORD,
    session::View,
    tui::{Pen, Role, Theme, cells, list},
};

/// Maximum number of completions.
const MOST: usize = 6;

/// The kind of the completed word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Tag,
    Person,
    Name,
    /// A word of a small field, inserted as it is.
    Word,
}

/// A list of completions at the caret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    kind: Kind,
    /// Bytes before the caret that an accepted completion replaces.
    pub replaces: usize,
    offers: Vec<String>,
    chosen: Option<usize>,
}

impl Completion {
    /// In the body: after `#`, `@` or `[[`. The first completion is chosen already.
    pub fn in_text(before: &str, view: &View) -> Option<Self> {
        let (kind, replaces, begun) = begun(before)?;
        let words = match kind {
            Kind::Tag => &view.tags,
            Kind::Person => &view.people,
            Kind::Name | Kind::Word => &view.names,
        };
        let offers = matching(words, begun);
        // No completion if the only match is typed already.
        let written = offers.len() == 1 && offers[0] == begun;
        (!offers.is_empty() && !written).then_some(Self { kind, replaces, offers, chosen: Some(0) })
    }

    /// In the tags field: completes the last tag.
    pub fn in_tags(before: &str, view: &View) -> Option<Self> {
        let begun = before.rsplit([',', ' ', '#']).next().unwrap_or_default();
        Self::word(begun, &view.tags)
    }

    /// In a query: filters that the last word may become. `#` means tags, `@` people, `[[` names, as in a text; a
    /// plain word any of them. The first completion is chosen already.
    pub fn in_filters(text: &str, view: &View) -> Option<Self> {
        let begun = last_word(text);
        let (sign, rest) = match begun.strip_prefix('-') {
            Some(rest) => ("-", rest),
            None => ("", begun),
        };
        let (fields, value) = fields(rest, view)?;
        let mut offers = Vec::new();
        for (key, words) in fields {
            let known = matching(&words, value).into_iter();
            let known = known.filter(|word| key != "entity" || !view.people.contains(word));
            offers.extend(known.map(|word| format!("{sign}{key}:{}", in_quotes(&word))));
        }
        offers.truncate(MOST);
        if offers.is_empty() || offers[0] == begun {
            return None;
        }
        Some(Self { kind: Kind::Word, replaces: begun.len(), offers, chosen: Some(0) })
    }

    /// In a field for one of some words. No completion is chosen, so that Enter goes on with the word as typed.
    pub fn word(begun: &str, words: &[String]) -> Option<Self> {
        let offers = matching(words, begun);
        if begun.is_empty() || offers.is_empty() || offers.iter().any(|offer| offer == begun) {
            return None;
        }
        Some(Self { kind: Kind::Word, replaces: begun.len(), offers, chosen: None })
    }

    /// Moves through the completions.
    pub fn step(&mut self, by: isize) {
        self.chosen = Some(list::cycle(self.chosen, by, self.offers.len()));
    }

    /// The text to insert for the chosen completion.
    pub fn accepted(&self) -> Option<String> {
        let offer = &self.offers[self.chosen?];
        Some(match self.kind {
            Kind::Tag => format!("#{offer}"),
            // `@` ends at a space: longer names need brackets.
            Kind::Person if offer.contains(' ') => format!("[[{offer}]]"),
            Kind::Person => format!("@{offer}"),
            Kind::Name => format!("[[{offer}]]"),
            Kind::Word => offer.clone(),
        })
    }

    /// A text that ends with the partial word, with the chosen completion in its place.
    pub fn completed(&self, text: &str) -> Option<String> {
        let begun = text.get(..text.len().saturating_sub(self.replaces)).unwrap_or_default();
        Some(begun.to_owned() + &self.accepted()?)
    }

    pub fn is_chosen(&self) -> bool {
        self.chosen.is_some()
    }

    /// Keeps the earlier choice, if it is still a completion.
    pub fn keep_choice(mut self, before: Option<&Self>) -> Self {
        let offer = before.and_then(|before| before.offers.get(before.chosen?));
        if let Some(offer) = offer.and_then(|offer| self.offers.iter().position(|own| own == offer)) {
            self.chosen = Some(offer);
        }
        self
    }

    /// Draws the completions under the caret, or above it where there is no room.
    pub fn draw(&self, buffer: &mut Buffer, caret: Position, within: Rect, theme: &Theme) {
        let width = self.offers.iter().map(|offer| cells::text_width(offer)).max().unwrap_or(0) + 2;
        let width = u16::try_from(width).unwrap_or(u16::MAX).min(within.width);
        let height = self.offers.len() as u16;
        let below = within.bottom().saturating_sub(caret.y + 1);
        let y = if below >= height || below >= caret.y.saturating_sub(within.y) {
            caret.y + 1
        } else {
            caret.y.saturating_sub(height)
        };
        let x = caret.x.min(within.right().saturating_sub(width)).max(within.x);
        for (nth, offer) in self.offers.iter().enumerate() {
            let y = y + nth as u16;
            if y < within.y || y >= within.bottom() {
                continue;
            }
            let chosen = self.chosen == Some(nth);
            let style = theme.style(if chosen { Role::Accent } else { Role::Text });
            let style = if chosen { style.patch(theme.style(Role::Selected)) } else { style };
            for x in x..x + width {
                // A style only adds to what is beneath.
                buffer[(x, y)].reset();
            }
            let mut pen = Pen::new(x, y, width);
            pen.blank(buffer, x + width, style);
            pen.write(buffer, if chosen { "›" } else { "│" }, if chosen { style } else { theme.style(Role::Border) });
            pen.write(buffer, &cells::truncate(offer, usize::from(width).saturating_sub(2)), style);
        }
    }
}

/// The values of `record:`, without kinds of the user's own.
static RECORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    RecordKind::ALL.map(|kind| kind.word().to_owned()).into_iter().chain([ANY_RECORD.to_owned()]).collect()
});
/// Filters by day.
const DATE_FILTERS: [&str; 5] = ["from", "to", "before", "after", "on"];
const DATE_WORDS: [&str; 8] =
    ["today", "yesterday", "this week", "last week", "this month", "last month", "this year", "last year"];

/// Dates to complete: words, then the years and months with entries, newest first.
fn dates(view: &View) -> Vec<String> {
    let mut years: Vec<String> = view.days.iter().map(|line| line.day.strftime("%Y").to_string()).collect();
    let mut months: Vec<String> = view.days.iter().map(|line| line.day.strftime("%Y-%m").to_string()).collect();
    years.dedup();
    months.dedup();
    DATE_WORDS.iter().map(|word| (*word).to_owned()).chain(years).chain(months).collect()
}

fn in_quotes(word: &str) -> String {
    if word.contains(char::is_whitespace) { format!("\"{word}\"") } else { word.to_owned() }
}

/// A filter's key and its possible values.
type Words<'a> = (&'a str, Cow<'a, [String]>);

/// The filters that a partial word may become, and the part of it that is their value.
fn fields<'a>(begun: &'a str, view: &'a View) -> Option<(Vec<Words<'a>>, &'a str)> {
    let of = |key: &'a str| {
        let words: &[String] = match key {
            "mood" => &view.moods,
            "tag" => &view.tags,
            "person" => &view.people,
            "record" => &RECORDS,
            key if key == "entity" || EntityKind::parse(key).is_some() => &view.names,
            key if DATE_FILTERS.contains(&key) => return Some((key, Cow::Owned(dates(view)))),
            _ => return None,
        };
        Some((key, Cow::Borrowed(words)))
    };
    if let Some((key, value)) = begun.split_once(':') {
        return Some((vec![of(key)?], value.trim_start_matches('"')));
    }
    for (sign, key) in [("#", "tag"), ("@", "person"), ("[[", "entity")] {
        if let Some(value) = begun.strip_prefix(sign) {
            return Some((vec![of(key)?], value));
        }
    }
    let all = ["mood", "tag", "person", "entity"].into_iter().filter_map(of);
    (!begun.is_empty()).then(|| (all.collect(), begun))
}

/// The text after the last space outside of quotes.
fn last_word(text: &str) -> &str {
    let mut quoted = false;
    let mut start = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            _ if letter.is_whitespace() && !quoted => start = at + letter.len_utf8(),
            _ => {}
        }
    }
    &text[start..]
}

/// The markup at the caret: its kind, its bytes before the caret, and the partial word.
fn begun(before: &str) -> Option<(Kind, usize, &str)> {
    if let Some(open) = before.rfind("[[") {
        let name = &before[open + 2..];
        if name.len() <= 80 && !name.contains([']', '[']) {
            return Some((Kind::Name, before.len() - open, name));
        }
    }
    let start = before
        .rfind(|char: char| !(char.is_alphanumeric() || matches!(char, '_' | '-' | '/' | '\u{300}'..='\u{36f}')))?;
    let kind = match before.as_bytes()[start] {
        b'#' => Kind::Tag,
        b'@' => Kind::Person,
        _ => return None,
    };
    let free = before[..start]
        .chars()
        .next_back()
        .is_none_or(|char| !char.is_alphanumeric() && !matches!(char, '#' | '@' | '/'));
    free.then(|| (kind, before.len() - start, &before[start + 1..]))
}

/// Words with the prefix `begun`, ignoring case and accents; then those where a later word has it.
fn matching(words: &[String], begun: &str) -> Vec<String> {
    let begun = fold(begun);
    let mut later = Vec::new();
    let mut offers = Vec::new();
    for word in words {
        if offers.len() == MOST {
            break;
        }
        let folded = fold(word);
        if folded.starts_with(&begun) {
            offers.push(word.clone());
        } else if later.len() < MOST && folded.split([' ', '-', '_']).any(|part| part.starts_with(&begun)) {
            later.push(word.clone());
        }
    }
    later.truncate(MOST - offers.len());
    offers.extend(later);
    offers
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn view() -> View {
        let words = |words: &[&str]| Arc::new(words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        View {
            moods: words(&["stressed", "calm", "calmer"]),
            tags: words(&["work", "workshop", "đi-làm"]),
            people: words(&["Hùng", "Linh", "Anna Maria"]),
            names: words(&["Project X", "Hùng"]),
            ..View::default()
        }
    }

    fn accepted(before: &str) -> Option<String> {
        Completion::in_text(before, &view())?.accepted()
    }

    #[test]
    fn marks_complete_from_the_journal_whatever_the_accents() {
        assert_eq!(accepted("met @hu").as_deref(), Some("@Hùng"));
        assert_eq!(accepted("#di").as_deref(), Some("#đi-làm"));
        assert_eq!(accepted("see [[proj").as_deref(), Some("[[Project X]]"));
        assert_eq!(accepted("see [[x").as_deref(), Some("[[Project X]]"));
        assert_eq!(accepted("@maria").as_deref(), Some("[[Anna Maria]]"));
        assert_eq!(accepted("#").as_deref(), Some("#work"));
    }

    #[test]
    fn plain_words_addresses_and_finished_marks_offer_nothing() {
        for before in ["", "work", "me@li", "# work", "[[Project X]] and", "@Linh", "#none"] {
            assert_eq!(accepted(before), None, "{before}");
        }
    }

    #[test]
    fn a_filter_is_offered_from_one_begun_word() {
        let offered = |text: &str| Completion::in_filters(text, &view())?.accepted();
        assert_eq!(offered("cal").as_deref(), Some("mood:calm"));
        assert_eq!(offered("river -wor").as_deref(), Some("-tag:work"));
        assert_eq!(offered("#di").as_deref(), Some("tag:đi-làm"));
        assert_eq!(offered("@mar").as_deref(), Some("person:\"Anna Maria\""));
        assert_eq!(offered("mood:calm [[proj").as_deref(), Some("entity:\"Project X\""));
        assert_eq!(offered("topic:\"project").as_deref(), Some("topic:\"Project X\""));
        for nothing in ["", "mood:calm", "mood:calm ", "from:2026", "\"cal"] {
            assert_eq!(offered(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn a_date_is_completed_from_words_and_the_months_with_entries() {
        let line = |day| crate::session::DayLine { day, words: Vec::new(), records: 0, moods: Vec::new() };
        let days = [jiff::civil::date(2026, 11, 20), jiff::civil::date(2026, 11, 3), jiff::civil::date(2025, 2, 1)];
        let view = View { days: Arc::new(days.map(line).to_vec()), ..view() };
        let offered = |text: &str| Some(Completion::in_filters(text, &view)?.offers);
        let list = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert_eq!(offered("lake from:2026"), None, "it is whole");
        assert_eq!(offered("lake from:202"), list(&["from:2026", "from:2025", "from:2026-11", "from:2025-02"]));
        assert_eq!(offered("-on:yes"), list(&["-on:yesterday"]));
        let last = list(&["to:\"last week\"", "to:\"last month\"", "to:\"last year\""]);
        assert_eq!(offered("to:la"), last);
        assert_eq!(offered("before:xyz"), None);
    }

    #[test]
    fn an_accepted_mark_replaces_exactly_what_was_begun() {
        let completion = Completion::in_text("see [[proj", &view()).unwrap();
        assert_eq!(completion.replaces, "[[proj".len());
        assert_eq!(Completion::in_text("(#wo", &view()).unwrap().replaces, 3);
    }

    #[test]
    fn a_field_never_changes_a_word_unasked() {
        let mut offered = Completion::word("cal", &view().moods).unwrap();
        assert_eq!(offered.accepted(), None);
        offered.step(1);
        assert_eq!(offered.accepted().as_deref(), Some("calm"));
        offered.step(-1);
        assert_eq!(offered.accepted().as_deref(), Some("calmer"));
        assert_eq!(Completion::word("calm", &view().moods), None);
        assert_eq!(Completion::in_tags("work, wor", &view()).unwrap().replaces, 3);
    }
}
