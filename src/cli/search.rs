//! `kioku search`: one fused search or a batch, as text or JSON.

use std::num::NonZeroUsize;

use clap::Args;
use jiff::{Zoned, civil};
use serde_json::json;

use super::{Context, Done, Outcome, Output, Run, arguments, batch, context, output, read::record_mark};
use crate::{
    index::{CatalogEntry, LegHealth, Snapshot},
    journal::{EntityKind, Notice, NoticeKind},
    report::Report,
    search::{
        Found, Fusion, Hit, LegId, LegShare, Legs, Search,
        json::{FoundJson, scan_word},
        legs::{self, LegEvidence},
        narrow::filter,
        sort::Sort,
    },
    session::{self, Session, SessionError},
    tui::widgets::cells,
};

/// Find entries by word, by meaning and by connection
#[derive(Debug, Args)]
#[command(after_help = "In the query: mood:calm tag:work from:2026-01 to:2026-03 person:NAME \"a phrase\" -without
(quote the whole query for the shell: kioku search '\"a phrase\" -without')

Examples:
  kioku search 'what helped me sleep'
  kioku search --from 'last spring' --mood calm lake
  kioku search --sort newest --legs keyword,vector lake
  kioku search --json 'tag:work deadline' | jq '.hits[].id'
  kioku search --batch < questions.txt")]
pub struct SearchVerb {
    /// Query; several words need no quotes
    query: Vec<String>,
    /// At most N entries
    #[arg(long, short = 'n', value_name = "N", default_value = "10")]
    limit: NonZeroUsize,
    /// Search methods to use
    #[arg(long, value_name = "LEG", value_enum, value_delimiter = ',')]
    legs: Vec<LegId>,
    /// Rank fusion of the methods: by rank or by score
    #[arg(long, value_name = "RULE", value_enum, default_value_t)]
    fusion: Fusion,
    /// Sort order: of the N most relevant entries; filters without words are sorted before the cut to N
    #[arg(long, value_name = "ORDER", value_enum, default_value_t = Sort::Relevance)]
    sort: Sort,
    /// Print the reasons and scores of each hit
    #[arg(long)]
    explain: bool,
    /// What "today" is for dates in the query
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// One query per line on stdin, plain or {"text","time"}; prints one JSON object per line
    #[arg(long, conflicts_with = "query")]
    batch: bool,
    #[command(flatten)]
    filters: Filters,
}

/// Filters of the results.
#[derive(Debug, Args)]
#[command(next_help_heading = "Filters")]
struct Filters {
    /// From this day on
    #[arg(long, value_name = "DATE")]
    from: Option<String>,
    /// Up to this day
    #[arg(long, value_name = "DATE")]
    to: Option<String>,
    /// Entries with this mood
    #[arg(long)]
    mood: Option<String>,
    /// Entries with this tag; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Entries that mention this name; may be repeated
    #[arg(long = "entity", value_name = "NAME")]
    entities: Vec<String>,
    /// Entries that mention any name of this kind
    #[arg(long, value_enum, ignore_case = true)]
    kind: Option<EntityKind>,
}

impl Run for SearchVerb {
    fn run(self, context: &mut Context) -> Outcome {
        let now = arguments::at_or_now(self.at.as_deref(), &context.now)?;
        let text = self.query.iter().map(|word| word.trim()).collect::<Vec<_>>().join(" ");
        let ask = Search {
            filters: self.filters.in_query_syntax(&now)?,
            legs: legs(&self.legs),
            fusion: self.fusion,
            ..Search::new(text, self.limit.get(), now)
        };
        if !self.batch && is_empty(&ask) {
            return Err(empty_query().into());
        }
        let mut session = context.reading_session()?;
        let snapshot = if ask.legs.has(LegId::Vector) {
            session.prepare_search();
            session.snapshot_with_meaning(&mut session::within_meaning_budget())?
        } else {
            session.snapshot()?
        };
        context::print_warnings(&mut session);
        tell_health(&snapshot, ask.legs, session.options().model.is_some() || !self.legs.is_empty() || self.explain);
        if self.batch {
            let done = batch(&mut context.out, &mut session, &snapshot, &ask, self.sort, self.explain)?;
            context::leave(session);
            return Ok(done);
        }
        let found = search_sorted(&mut session, &snapshot, &ask, self.sort)?;
        if let Some(notice) = &found.notice {
            output::note(notice);
        }
        if found.hits.is_empty() {
            output::note("no entries match");
            tell_unread(&snapshot);
        }
        let found = found.with_progress_of(&snapshot, ask.legs);
        let answer = FoundJson::new(&ask.text, &found, self.explain);
        let done = context.answer_query(!found.hits.is_empty(), &answer, self.json, |out, _| {
            print_found(out, &found, &snapshot, self.explain);
        });
        // Flush now, so that the user does not wait for the index to be saved.
        context.out.flush()?;
        context::leave(session);
        done
    }
}

fn print_found(out: &mut Output, found: &Found, snapshot: &Snapshot, explain: bool) {
    if explain {
        out.line(out.dim(&how(found)));
    }
    if !found.hits.is_empty() && !found.confident {
        output::note("no strong matches; showing the nearest");
    }
    for (place, hit) in found.hits.iter().enumerate() {
        if place > 0 {
            out.line("");
        }
        let known = snapshot.catalog.by_key(hit.key);
        out.line(headline(out, hit, known, explain));
        let text = out.safe(&hit.text).into_owned();
        // Sanitising may move bytes; if the length is unchanged, the spans are still valid.
        let excerpt = if text.len() == hit.text.len() {
            out.excerpt(&text, hit.snippet.clone(), &hit.matches)
        } else {
            let shown = hit.text.get(hit.snippet.clone()).unwrap_or(&hit.text);
            output::one_line(&out.safe(shown)).trim().to_owned()
        };
        out.line(format_args!("    {excerpt}"));
        for line in why(hit).iter().filter(|_| explain) {
            out.line(format_args!("    {}", out.dim(&out.safe(line))));
        }
    }
}

impl Filters {
    fn in_query_syntax(&self, now: &Zoned) -> Result<Vec<String>, Report> {
        let (from, to) = arguments::period(self.from.as_deref(), self.to.as_deref(), now)?;
        let tags = self.tags.iter().map(|tag| tag.trim_start_matches('#'));
        let filters = [
            from.map(|day| format!("from:{day}")),
            to.map(|day| format!("to:{day}")),
            self.mood.as_deref().map(|mood| filter("mood", mood)),
            self.kind.map(|kind| filter("kind", kind.word())),
        ];
        Ok(filters
            .into_iter()
            .flatten()
            .chain(tags.map(|tag| filter("tag", tag)))
            .chain(self.entities.iter().map(|name| filter("entity", name)))
            .collect())
    }
}

fn legs(chosen: &[LegId]) -> Legs {
    match chosen {
        [] => Legs::ALL,
        chosen => chosen.iter().fold(Legs::NONE, |legs, leg| legs.set(*leg, true)),
    }
}

/// Prints a note for each requested leg that is off or incomplete. For the vector leg only if `meaning`: not for a user
/// who has chosen no model and has not asked for the leg.
fn tell_health(snapshot: &Snapshot, legs: Legs, meaning: bool) {
    for leg in legs.iter().filter(|leg| *leg != LegId::Vector || meaning) {
        let by = leg.method();
        match legs::leg(leg).health(snapshot) {
            LegHealth::Ready => {}
            LegHealth::Building { done, of } => {
                output::note(format_args!(
                    "search by {by} has indexed {done} of {of} passages; run `kioku index` to finish"
                ));
            }
            LegHealth::Off { why } => output::note(format_args!("search by {by} is off: {why}")),
        }
    }
}

/// Prints notes about files that are not read, whose entries cannot be found.
fn tell_unread(snapshot: &Snapshot) {
    let unread = snapshot.catalog.notices.iter().filter(|notice| notice.kind.is_unreadable()).count();
    if unread > 0 {
        let files = if unread == 1 { "one day file".to_owned() } else { format!("{unread} day files") };
        output::note(format_args!("{files} could not be read; run `kioku doctor` for details"));
    }
    let is_left_out = |notice: &Notice| matches!(notice.kind, NoticeKind::ConflictCopy | NoticeKind::Undated);
    if snapshot.catalog.notices.iter().any(is_left_out) {
        output::note("conflict copies and files without a date are not read; `kioku doctor` lists them");
    }
}

fn is_empty(ask: &Search) -> bool {
    ask.text.trim().is_empty() && ask.filters.is_empty()
}

fn empty_query() -> Report {
    Report::usage("empty query").hint("pass words, or a filter such as --tag or --from")
}

/// Searches, and sorts the hits. The answer to a query of filters only is cut newest first, so for the oldest its first
/// days are read instead.
fn search_sorted(session: &mut Session, snapshot: &Snapshot, ask: &Search, sort: Sort) -> Result<Found, SessionError> {
    let mut found = session.search_in(snapshot, ask)?;
    let mut entries = 0;
    let mut reaches_limit = |day: &&(civil::Date, usize)| {
        entries += day.1;
        entries >= ask.limit
    };
    if sort == Sort::Oldest
        && let Some((day, _)) = found.days.iter().rev().find(&mut reaches_limit)
    {
        let mut oldest = Search { limit: usize::MAX, ..ask.clone() };
        oldest.filters.push(format!("to:{day}"));
        found.hits = session.search_in(snapshot, &oldest)?.hits;
    }
    let places = sort.places(&found.hits, Some(&*snapshot.catalog));
    let hits = places.into_iter().take(ask.limit).map(|nth| found.hits[nth].clone()).collect();
    Ok(Found { hits, ..found })
}

fn batch(
    out: &mut Output,
    session: &mut Session,
    snapshot: &Snapshot,
    ask: &Search,
    sort: Sort,
    explain: bool,
) -> Outcome {
    batch::each_line(&ask.now, "searched as of now", |text, now| {
        let asked = Search { text, now, ..ask.clone() };
        if is_empty(&asked) {
            let Report { chain, hints, .. } = empty_query();
            out.json(&json!({ "query": asked.text, "error": chain.join(": "), "hint": hints.join("; ") }));
            return out.flush();
        }
        let found = search_sorted(session, snapshot, &asked, sort)?.with_progress_of(snapshot, asked.legs);
        out.json(&FoundJson::new(&asked.text, &found, explain));
        // Flush each answer: an interactive sender waits for it before the next query.
        out.flush()
    })?;
    Ok(Done::Done)
}

/// The headline of a hit: `2026-02-22 15:30  [goal done]  stressed  #work  k1 m3 c2  id`. With `explain` the score follows
/// the ranks.
fn headline(out: &Output, hit: &Hit, known: Option<&CatalogEntry>, explain: bool) -> String {
    let id = out.id(hit.id.as_str());
    let has_time = id.starts_with(&hit.time);
    let when = match known {
        // An entry without an id is named by its time.
        _ if has_time => id.clone().into_owned(),
        Some(known) => known.time.day_and_clock(),
        None => hit.time.clone(),
    };
    let mut words = vec![out.bold(&when).into_owned()];
    words.extend(hit.record.as_ref().map(|record| record_mark(out, record)));
    if let Some(known) = known {
        let mood = known.mood.iter().map(|mood| output::one_line(mood).into_owned());
        let tags = known.tags.iter().map(|tag| format!("#{}", output::one_line(tag)));
        words.extend(mood.chain(tags).map(|word| out.safe(&word).into_owned()));
    }
    let rank = |(leg, share): (LegId, &Option<LegShare>)| Some(format!("{}{}", leg.letter(), (*share)?.rank));
    let ranks: Vec<String> = hit.legs.iter().filter_map(rank).collect();
    // A search with filters only has no ranks and no scores.
    let score = (explain && !ranks.is_empty()).then(|| format!("{:.4}", hit.score));
    words.push(ranks.join(" "));
    words.extend(score);
    if hit.weak {
        words.push("weak".to_owned());
    }
    words.extend((!has_time).then(|| out.dim(&id).into_owned()));
    words.retain(|word| !word.is_empty());
    words.join("  ")
}

/// A summary of the search: hits of each leg, entries and time.
fn how(found: &Found) -> String {
    let count = |(leg, count): (LegId, &Option<usize>)| {
        let count = count.map_or_else(|| "off".to_owned(), |count| count.to_string());
        let scan = found.scan.filter(|_| leg == LegId::Vector).map(|scan| format!(" ({})", scan_word(scan)));
        format!("{} {count}{}", leg.name(), scan.unwrap_or_default())
    };
    let counts: Vec<String> = found.counts.iter().map(count).collect();
    let (entries, ms) = (found.total, found.took.as_secs_f64() * 1e3);
    format!("{}; {}; {ms:.1} ms", counts.join(", "), output::counted(entries, "entry", "entries"))
}

/// The components of a hit's score, one per line.
fn why(hit: &Hit) -> Vec<String> {
    let mut lines = Vec::new();
    for (leg, share, evidence) in legs::evidence(hit) {
        let text = match evidence {
            LegEvidence::Words(words) => words.join(", "),
            LegEvidence::Passage(passage) => {
                cells::truncate(&output::one_line(passage.unwrap_or_default()), 90).into_owned()
            }
            LegEvidence::Path(names) => names.join(" > "),
        };
        lines.push(format!("{} {:.3}: {text}", leg.label(), share.score));
    }
    if let Some(likeness) = hit.reason.likeness {
        let pairs: Vec<String> = hit.reason.alike.iter().map(|(asked, said)| format!("{asked} ~ {said}")).collect();
        lines
            .push(format!("similar words {likeness:.3}: {}", pairs.join(", ")).trim_end_matches([':', ' ']).to_owned());
    }
    if let Some(likeness) = hit.reason.in_sentence {
        lines.push(format!("contextual similarity {likeness:.3}"));
    }
    let bonuses = [
        ("nearby ", hit.reason.beside, "good hits at the same time"),
        ("tells when ", hit.reason.tells_when, "names a day or a time"),
        ("one of several ", hit.reason.several, "about the name, in words like yours"),
        ("asks -", hit.reason.asks, "repeats the question"),
    ];
    let given = bonuses.into_iter().filter(|(_, bonus, _)| *bonus > 0.0);
    lines.extend(given.map(|(name, bonus, why)| format!("{name}{bonus:.3}: {why}")));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_leg_named_means_all() {
        assert_eq!(legs(&[]), Legs::ALL);
        assert_eq!(legs(&[LegId::Graph]), Legs::only(LegId::Graph));
    }
}
