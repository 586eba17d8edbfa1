//! `reflect`, `review`, `stats`, `themes`.

use clap::Args;
use jiff::{Zoned, civil};

use super::{Context, Outcome, Output, Run, WIDTH, arguments, cited, heading, plain, quotes, section, shown, wrapped};
use crate::{
    cli::{counted, output},
    insight::{
        patterns::{self, Pattern},
        reflect::{Line, Reflection, Then, Thread},
        review::{Counts, Moment, Review, Unit},
        stats::Stats,
        themes::{Theme, Trend},
    },
    report::Report,
};

/// Show a day, related entries from the past, and questions
#[derive(Debug, Args)]
pub struct ReflectVerb {
    /// The day: "yesterday", "2026-02-22" [default: today]
    date: Vec<String>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Run for ReflectVerb {
    fn run(self, context: &mut Context) -> Outcome {
        let day = crate::arguments::one_day(Some(&self.date.join(" ")), &context.now)?;
        let answer = context.ask(|session| session.reflect(day, &context.now))?;
        context.answer_query(!answer.entries.is_empty(), &answer, self.json, print_reflection)
    }
}

fn print_reflection(out: &mut Output, day: &Reflection) {
    let date = day.day.strftime("%A %Y-%m-%d").to_string();
    let date = out.bold(&date);
    out.line(format_args!("{date}  {}", counted(day.entries.len(), "entry", "entries")));
    for entry in &day.entries {
        let clock = entry.time.get(11..16).unwrap_or_default().to_owned();
        let mood = entry.mood.as_deref().map_or_else(String::new, |mood| format!("{}  ", plain(out, mood)));
        let text = shown(out, &entry.sentence, 48);
        cited(out, 2, &format!("{clock}  {mood}{text}"), std::slice::from_ref(&entry.id));
    }
    section(out, "People and topics", &day.names, |out, named| {
        let line = format!("{}  {}", plain(out, &named.name), named.kind.word());
        cited(out, 2, &line, &named.entries);
    });
    print_past(out, &day.threads, &day.on_this_day);
    print_patterns(out, &day.patterns, day.days_to_patterns);
    print_questions(out, &day.questions);
}

fn print_patterns(out: &mut Output, patterns: &[Pattern], days_missing: usize) {
    if patterns.is_empty() && days_missing > 0 {
        out.line(format_args!("\nPatterns\n  {}", patterns::none_yet(days_missing)));
    }
    section(out, "Patterns", patterns, |out, pattern| {
        let (name, mood) = (plain(out, &pattern.name), plain(out, &pattern.mood));
        out.line(format_args!("  {name} {} {mood}  {}", pattern.verb(), pattern.counts()));
        quotes(out, 4, pattern.evidence.first());
    });
}

fn print_past(out: &mut Output, threads: &[Thread], then: &[Then]) {
    section(out, "Threads", threads, |out, thread| {
        quotes(out, 2, [&thread.then]);
        let now = shown(out, &thread.now.text, 48);
        cited(out, 4, &format!("close to “{now}”"), std::slice::from_ref(&thread.now.id));
    });
    section(out, "On this day", then, |out, then| {
        out.line(format_args!("  {}", then.when));
        quotes(out, 4, [&then.evidence]);
        if !then.others.is_empty() {
            out.line(format_args!("    and {} more that day: kioku show {}", then.others.len(), then.day));
        }
    });
}

fn print_questions(out: &mut Output, questions: &[Line]) {
    section(out, "Ask yourself", questions, |out, question| {
        let text = plain(out, &question.text);
        let mut lines = wrapped(&text, WIDTH - 2);
        let last = lines.pop().unwrap_or_default();
        lines.iter().for_each(|line| out.line(format_args!("  {line}")));
        cited(out, 2, &last, &question.entries);
    });
}

/// Compare a week, month or year with the one before
#[derive(Debug, Args)]
pub struct ReviewVerb {
    /// A period: "last month", "2026-10", "2026"; or week, month or year, with a day in it [default: week]
    #[arg(value_name = "PERIOD")]
    period: Vec<String>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Run for ReviewVerb {
    fn run(self, context: &mut Context) -> Outcome {
        let (unit, day) = reviewed(&self.period, &context.now)?;
        let answer = context.ask(|session| session.review(unit, day, &context.now))?;
        context.answer_query(answer.counts.entries > 0, &answer, self.json, print_review)
    }
}

/// The unit that was typed, else the shortest one that holds the period that was typed, and a day in it.
fn reviewed(typed: &[String], now: &Zoned) -> Result<(Unit, civil::Date), Report> {
    let named = typed.first().and_then(|word| Unit::parse(&word.to_lowercase()));
    let rest = typed[usize::from(named.is_some())..].join(" ");
    let days = arguments::days(if rest.is_empty() { "today" } else { &rest }, now)?;
    let shortest = || Unit::ALL.into_iter().find(|unit| unit.around(days.first).to >= days.last);
    Ok((named.or_else(shortest).unwrap_or(Unit::Year), days.first))
}

fn print_review(out: &mut Output, review: &Review) {
    let unit = review.unit.word();
    let head = format!("The {unit} {} to {}", review.period.from, review.period.to);
    out.line(out.bold(&head));
    out.line(format_args!("  {}", counts(review.counts)));
    out.line(format_args!("  the {unit} before: {}", counts(review.counts_before)));
    print_moments(out, "Highs", &review.highs);
    print_moments(out, "Lows", &review.lows);
    section(out, &format!("Moods (entries, the {unit} before)"), &review.moods, |out, mood| {
        let name = plain(out, &mood.name);
        cited(out, 2, &format!("{name}  {} ({})", mood.n, mood.before), &mood.entries);
    });
    section(out, &format!("People and topics (days, the {unit} before)"), &review.names, |out, name| {
        let change = &name.change;
        let shown = plain(out, &change.name);
        cited(out, 2, &format!("{shown}  {} ({})", change.days, change.before), &name.entries);
    });
    print_past(out, &review.threads, &review.on_this_day);
    print_patterns(out, &review.patterns, review.days_to_patterns);
    print_questions(out, &review.questions);
}

fn counts(counts: Counts) -> String {
    let valence = match counts.valence {
        Some(valence) => format!(", mood {} (n {})", balance(valence), counts.n_moods),
        None => String::new(),
    };
    format!("{}{valence}", extent(counts.entries, counts.days, counts.words))
}

/// `3 entries on 2 days, 204 words`
fn extent(entries: usize, days: usize, words: u64) -> String {
    let (entries, days) = (counted(entries, "entry", "entries"), counted(days, "day", "days"));
    format!("{entries} on {days}, {}", counted(words as usize, "word", "words"))
}

fn print_moments(out: &mut Output, title: &str, moments: &[Moment]) {
    section(out, title, moments, |out, moment| {
        let mood = plain(out, &moment.mood);
        out.line(format_args!("  {mood}"));
        quotes(out, 4, [&moment.evidence]);
    });
}

/// Show statistics of the journal
#[derive(Debug, Args)]
pub struct StatsVerb {
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Run for StatsVerb {
    fn run(self, context: &mut Context) -> Outcome {
        let answer = context.ask(|session| session.stats(context.now.date()))?;
        context.answer_query(answer.entries > 0, &answer, self.json, print_stats)
    }
}

/// Number of months shown: two years.
const MONTHS: usize = 24;

fn print_stats(out: &mut Output, stats: &Stats) {
    let period = stats.period.map_or_else(String::new, |period| format!(", {} to {}", period.from, period.to));
    out.line(format_args!("{}{period}", extent(stats.entries, stats.days, stats.words)));
    out.line(format_args!("days in a row: {}, at most {}", stats.run.current, stats.run.longest));
    if !stats.mood_counts.is_empty() {
        heading(out, "Moods");
        let moods = stats.mood_counts.iter().take(8).map(|mood| format!("{} {}", mood.name, mood.n));
        let line = shown(out, &moods.collect::<Vec<_>>().join(", "), WIDTH - 2);
        out.line(format_args!("  {line}"));
        for month in &stats.moods[stats.moods.len().saturating_sub(MONTHS)..] {
            out.line(format_args!("  {}  {}  n {}", month.month, balance(month.valence), month.n));
        }
    }
    heading(out, "Rhythm");
    for (name, n) in ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"].into_iter().zip(stats.weekdays) {
        out.line(format_args!("  {name}  {:>5}  {}", n, bar(n, stats.weekdays.into_iter().max())));
    }
    for (at, hours) in stats.hours.chunks(3).enumerate() {
        let most = stats.hours.chunks(3).map(|hours| hours.iter().sum::<u32>()).max();
        let n: u32 = hours.iter().sum();
        out.line(format_args!("  {:02}  {:>5}  {}", at * 3, n, bar(n, most)));
    }
    section(out, "The last 30 days (days, the 30 before)", &stats.names, |out, name| {
        let shown = plain(out, &name.name);
        out.line(format_args!("  {shown}  {} ({})", name.days, name.before));
    });
}

fn bar(n: u32, most: Option<u32>) -> String {
    const LONGEST: f64 = 40.0;
    let most = f64::from(most.unwrap_or(0).max(1));
    "▇".repeat((f64::from(n) / most * LONGEST).round() as usize)
}

/// Draws a valence from -1 to 1 as a position on a line.
fn balance(valence: f32) -> String {
    let place = ((valence + 1.0) * 10.0).round().clamp(0.0, 20.0) as usize;
    (0..=20)
        .map(|at| {
            if at == place {
                '●'
            } else if at == 10 {
                '│'
            } else {
                '·'
            }
        })
        .collect()
}

/// List themes of the journal and their trend
#[derive(Debug, Args)]
pub struct ThemesVerb {
    /// At most N themes
    #[arg(long, short = 'n', value_name = "N", default_value = "12")]
    limit: usize,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Run for ThemesVerb {
    fn run(self, context: &mut Context) -> Outcome {
        let themes = context.ask(|session| session.themes(self.limit))?;
        context.answer_list("themes", &themes, self.json, print_themes)
    }
}

fn print_themes(out: &mut Output, themes: &[Theme]) {
    if themes.is_empty() {
        output::note("too few entries for themes");
    }
    themes.iter().for_each(|theme| print_theme(out, theme));
}

fn print_theme(out: &mut Output, theme: &Theme) {
    let names: Vec<String> = theme.names.iter().map(|member| plain(out, &member.name)).collect();
    let more = theme.size.saturating_sub(names.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let trend = match theme.trend {
        Trend::Rising => "rising",
        Trend::Steady => "steady",
        Trend::Falling => "falling",
        Trend::Past => "past",
    };
    let names = out.bold(&names.join(", ")).into_owned();
    out.line(format_args!("{names}{more}"));
    let [recent, days] = [theme.recent, theme.days].map(|count| counted(count, "day", "days"));
    let recent = format!("{recent} of the last 90, {} of the 90 before", theme.before);
    out.line(format_args!("  {trend}: {recent}; {days}, {} to {}", theme.first, theme.last));
}
