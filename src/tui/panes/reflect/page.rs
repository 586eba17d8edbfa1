//! An answer as lines: the text of each, and the entries that it comes from.

use jiff::civil;

use crate::{
    insight::{
        patterns::{self, Pattern},
        reflect::{self, Named, Reflection, Then, Thread},
        review::{Counts, Moment, MoodChange, NameChange, Review},
    },
    journal::{EntityKind, EntryId, prose},
    session::View,
    tui::{Cited, Linked, Role, Styled, cells, counted, query::SharedQuery},
};

/// Maximum width of the earlier passage, and of the passage of the day; the rest is one key away.
const THEN: usize = 84;
const NOW: usize = 36;

/// Label of the entries of a day.
pub const OF_DAY: &str = "The day";

/// What a line can be used for, besides opening its entries.
#[derive(Debug, Clone, Default)]
pub struct Lead {
    /// The question, if the line is one.
    pub question: Option<String>,
    /// What a why question would be about, if not the entry.
    pub asks: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub struct Page {
    /// Summary in numbers.
    pub figures: Styled,
    pub lines: Vec<Linked<Lead>>,
}

impl Page {
    pub fn of_day(day: &Reflection, view: &View, query: &SharedQuery) -> Self {
        let mut page = Self { figures: day_figures(day, view), lines: Vec::new() };
        page.add_questions(&day.questions);
        page.add_then("On this day", &day.on_this_day);
        for glance in &day.entries {
            let mut text = Styled::of(clock(&glance.time), Role::Date);
            if let Some(mood) = &glance.mood {
                text.push("  ", Role::Text).push(mood, Role::of_mood(mood));
            }
            text.push("  ", Role::Text).push(&prose(&glance.sentence), Role::Text);
            page.add(OF_DAY, text, vec![Cited::of(&glance.id, &glance.sentence)]);
        }
        page.add_names("Moods", &day.moods);
        page.add_names("Mentions", &day.names);
        page.add_threads(&day.threads, query);
        page.add_patterns(&day.patterns, day.days_to_patterns);
        page
    }

    pub fn of_review(review: &Review, query: &SharedQuery) -> Self {
        let mut page = Self { figures: figures(review), lines: Vec::new() };
        for moment in &review.highs {
            page.add_moment("Good days", moment);
        }
        for moment in &review.lows {
            page.add_moment("Hard days", moment);
        }
        for mood in &review.moods {
            page.add_mood(mood, review.unit.word());
        }
        for name in &review.names {
            page.add_name(name, review.unit.word());
        }
        page.add_threads(&review.threads, query);
        page.add_then("A year ago", &review.on_this_day);
        page.add_patterns(&review.patterns, review.days_to_patterns);
        page.add_questions(&review.questions);
        page
    }

    fn add(&mut self, label: &'static str, text: Styled, sources: Vec<Cited>) {
        self.add_line(label, Linked { sources, ..Linked::plain(0, text) });
    }

    /// Adds a line; the label stays only on the first of a section.
    fn add_line(&mut self, label: &'static str, line: Linked<Lead>) {
        let section = self.lines.iter().rev().find(|line| !line.label.is_empty());
        let begun = section.is_some_and(|first| first.label == label);
        self.lines.push(Linked { label: if begun { "" } else { label }, ..line });
    }

    /// Adds all names on one line; each has the entries that mention it as sources.
    fn add_names(&mut self, label: &'static str, names: &[Named]) {
        let mut text = Styled::default();
        let mut sources: Vec<Cited> = Vec::new();
        for named in names {
            if !text.is_empty() {
                text.push("   ", Role::Text);
            }
            text.push_name(&named.name, named.kind);
            for id in &named.entries {
                if !sources.iter().any(|known| known.id == *id) {
                    sources.push(Cited::of(id, &named.name));
                }
            }
        }
        if !text.is_empty() {
            self.add(label, text, sources);
        }
    }

    /// Adds related earlier passages; with a query, only those it found.
    fn add_threads(&mut self, threads: &[Thread], query: &SharedQuery) {
        let asked = query.is_on() && query.stage().is_some();
        let kept: Vec<&Thread> = threads.iter().filter(|thread| !asked || query.is_sure_of(&thread.then.id)).collect();
        if asked && kept.len() < threads.len() {
            let what = format!("{} of {} match /{}", kept.len(), threads.len(), query.text().trim());
            self.add("Threads", Styled::of(&what, Role::Dim), Vec::new());
        }
        for thread in kept {
            let mut text = Styled::of(&thread.day.to_string(), Role::Date).and("  ", Role::Text);
            let then = cells::truncate(&prose(&thread.then.text), THEN).into_owned();
            text.push("“", Role::Dim).push(&then, Role::Passage).push("”", Role::Dim);
            let now = cells::truncate(&prose(&thread.now.text), NOW).into_owned();
            text.push(&format!("  close to “{now}”"), Role::Dim);
            self.add("Threads", text, vec![Cited::from(&thread.then), Cited::from(&thread.now)]);
        }
    }

    fn add_then(&mut self, label: &'static str, then: &[Then]) {
        for then in then {
            let mut text = Styled::of(&then.day.to_string(), Role::Date).and(&format!("  {}  ", then.when), Role::Dim);
            text.push(&then.evidence.quoted(), Role::Text);
            let others = then.others.iter().map(|id| Cited::of(id, ""));
            self.add(label, text, std::iter::once(Cited::from(&then.evidence)).chain(others).collect());
        }
    }

    /// Adds patterns, or how many days are missing for any.
    fn add_patterns(&mut self, patterns: &[Pattern], days_missing: usize) {
        for pattern in patterns {
            let mut text = Styled::default();
            text.push_name(&pattern.name, pattern.kind);
            text.push(&format!(" {} ", pattern.verb()), Role::Dim).push(&pattern.mood, Role::of_mood(&pattern.mood));
            text.push(&format!("  {}", pattern.counts()), Role::Dim);
            let sources = pattern.evidence.iter().map(Cited::from).collect();
            let lead = Lead { asks: Some(pattern.mood.clone()), question: None };
            self.add_line("Patterns", Linked { sources, ..Linked::to(0, text, lead) });
        }
        if patterns.is_empty() && days_missing > 0 {
            let text = Styled::of(&patterns::none_yet(days_missing), Role::Dim);
            self.add("Patterns", text, Vec::new());
        }
    }

    fn add_questions(&mut self, questions: &[reflect::Line]) {
        for line in questions {
            let text = Styled::of(&line.text, Role::Accent);
            let sources = line.entries.iter().map(|id| Cited::of(id, "")).collect();
            let lead = Lead { question: Some(line.text.clone()), asks: None };
            self.add_line("Ask yourself", Linked { sources, ..Linked::to(0, text, lead) });
        }
    }

    fn add_moment(&mut self, label: &'static str, moment: &Moment) {
        let mut text = Styled::of(&moment.day.to_string(), Role::Date).and("  ", Role::Text);
        text.push(&moment.mood, Role::of_mood(&moment.mood));
        text.push("  ", Role::Text).push(&moment.evidence.quoted(), Role::Text);
        self.add(label, text, vec![Cited::from(&moment.evidence)]);
    }

    fn add_mood(&mut self, mood: &MoodChange, unit: &str) {
        let entries = counted(mood.n, "entry", "entries");
        let counts = format!("  {entries} · {} in the {unit} before", mood.before);
        self.add_change("Moods", EntityKind::Emotion, &mood.name, &counts, &mood.entries);
    }

    fn add_name(&mut self, name: &NameChange, unit: &str) {
        let change = &name.change;
        let days = counted(change.days as usize, "day", "days");
        let counts = format!("  {days} · {} in the {unit} before", change.before);
        self.add_change("Mentions", change.kind, &change.name, &counts, &name.entries);
    }

    /// Adds a name with its counts. Its entries are the sources, in which the name is highlighted.
    fn add_change(&mut self, label: &'static str, kind: EntityKind, name: &str, counts: &str, entries: &[EntryId]) {
        let mut text = Styled::default();
        text.push_name(name, kind);
        text.push(counts, Role::Dim);
        let sources = entries.iter().map(|id| Cited::of(id, name)).collect();
        let lead = Lead { asks: Some(name.to_owned()), question: None };
        self.add_line(label, Linked { sources, ..Linked::to(0, text, lead) });
    }
}

/// The page as markdown.
pub fn markdown(title: &str, figures: &Styled, lines: &[Linked<Lead>]) -> String {
    let mut text = format!("# {title}\n\n{}\n", figures.text());
    for line in lines {
        if !line.label.is_empty() {
            text.push_str(&format!("\n## {}\n\n", line.label));
        }
        text.push_str(&format!("- {}\n", line.text.text()));
    }
    text
}

/// `15:30` from a time in the file's format.
fn clock(time: &str) -> &str {
    time.get(11..16).unwrap_or(time)
}

/// A mean valence in words.
fn balance(valence: f32) -> &'static str {
    match Role::of_valence(valence, Role::Mood) {
        Role::Good => "mostly good",
        Role::Low => "mostly hard",
        _ => "mixed",
    }
}

fn day_figures(day: &Reflection, view: &View) -> Styled {
    if day.entries.is_empty() {
        return Styled::of("nothing written", Role::Dim);
    }
    let mut text = Styled::of(&counted(day.entries.len(), "entry", "entries"), Role::Dim);
    if let Some(words) = words(view, day.day) {
        text.push(&format!(" · {}", counted(words as usize, "word", "words")), Role::Dim);
    }
    let moods = day.entries.iter().filter_map(|entry| entry.mood.as_deref());
    for (nth, mood) in moods.enumerate() {
        text.push(if nth == 0 { " · " } else { " → " }, Role::Dim).push(mood, Role::of_mood(mood));
    }
    text
}

fn words(view: &View, day: civil::Date) -> Option<u64> {
    let line = view.line(day).filter(|line| !line.words.is_empty())?;
    Some(line.words.iter().map(|words| u64::from(*words)).sum())
}

fn figures(review: &Review) -> Styled {
    let mut text = Styled::default();
    if review.counts.entries == 0 {
        text.push("nothing written", Role::Dim);
    } else {
        push_counts(&mut text, &review.counts);
    }
    if review.counts_before.entries > 0 {
        text.push(&format!("   the {} before: ", review.unit.word()), Role::Dim);
        push_counts(&mut text, &review.counts_before);
    }
    text
}

fn push_counts(text: &mut Styled, counts: &Counts) {
    let entries = counted(counts.entries, "entry", "entries");
    let days = counted(counts.days, "day", "days");
    text.push(&format!("{entries} on {days} · {}", counted(counts.words as usize, "word", "words")), Role::Dim);
    if let Some(valence) = counts.valence {
        text.push(" · mood ", Role::Dim).push(balance(valence), Role::of_valence(valence, Role::Mood));
        text.push(&format!(" in {}", counted(counts.n_moods, "entry", "entries")), Role::Dim);
    }
}
