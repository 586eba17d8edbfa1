//! Resources: days, names, statistics and the context, by `kioku://` addresses.

use std::collections::BTreeMap;

use jiff::civil;
use rmcp::model::{Resource, ResourceTemplate};
use serde_json::Value;

use super::{
    journal::Journal,
    limits::{self, MOST_WORDS},
    tool::json,
};
use crate::{
    insight::context::{ContextRequest, Focus},
    journal::{EntityKind, Entry, percent_decoded},
    report::Report,
    session::{Session, json::EntriesJson},
    spelling::counted,
};

/// The parts of the journal that can be read by address.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Address {
    Today,
    Day(civil::Date),
    Entity(String),
    Kind(EntityKind),
    Stats,
    /// With a query, or of the journal as a whole.
    Context(Option<String>),
}

/// The text of a resource, and its media type.
pub type Content = (String, &'static str);

const JSON: &str = "application/json";
const TEXT: &str = "text/plain";
const TODAY: &str = "kioku://memories/today";
const STATS: &str = "kioku://stats/summary";
const CONTEXT: &str = "kioku://context";
pub const DAY_TEMPLATE: &str = "kioku://memories/{date}";
pub const ENTITY_TEMPLATE: &str = "kioku://entities/{entity}";
pub const KIND_TEMPLATE: &str = "kioku://entities/{type}";
pub const CONTEXT_TEMPLATE: &str = "kioku://context/{query}";
/// Number of the latest days in the list.
const LISTED_DAYS: usize = 30;
const MOST_ENTITIES: usize = 200;
/// Size of a context, in tokens.
pub const CONTEXT_BUDGET: usize = 2_000;

impl Address {
    /// Parses an address; `None` if it is not one of the journal's.
    pub fn parse(uri: &str) -> Option<Self> {
        let rest = uri.strip_prefix("kioku://").filter(|_| uri.len() <= MOST_WORDS)?;
        let (place, value) = rest.split_once('/').unwrap_or((rest, ""));
        let value = decoded(value)?;
        let kind = |word: &str| EntityKind::parse(&word.to_lowercase());
        match (place, value.as_str()) {
            ("memories", "today") => Some(Self::Today),
            ("memories", day) => Some(Self::Day(day.parse().ok()?)),
            ("entities", word) if kind(word).is_some() => kind(word).map(Self::Kind),
            ("entities", "") => None,
            ("entities", name) => Some(Self::Entity(name.to_owned())),
            ("stats", "summary") => Some(Self::Stats),
            ("context", "") => Some(Self::Context(None)),
            ("context", query) => Some(Self::Context(Some(query.to_owned()))),
            _ => None,
        }
    }

    /// Whether a change of these days may change the resource.
    pub fn is_of(&self, days: &[civil::Date], today: civil::Date) -> bool {
        match self {
            Self::Today => days.contains(&today),
            Self::Day(day) => days.contains(day),
            Self::Entity(_) | Self::Kind(_) | Self::Stats | Self::Context(_) => true,
        }
    }

    /// Reads the resource; `None` if the journal does not have it.
    pub fn read(&self, journal: &mut Journal) -> Result<Option<Content>, Report> {
        let (now, today) = (journal.now(), journal.today());
        let session = journal.session()?;
        let value = match self {
            Self::Today => {
                let entries = session.entries(Some(today), Some(today))?;
                of_day(session, &entries)?
            }
            Self::Day(day) => match session.entries(Some(*day), Some(*day))? {
                entries if entries.is_empty() => return Ok(None),
                entries => of_day(session, &entries)?,
            },
            Self::Entity(name) => match session.profile(name, today)? {
                None => return Ok(None),
                Some(profile) => json(&profile)?,
            },
            Self::Kind(kind) => {
                let mut entities = session.entities(Some(*kind))?;
                entities.truncate(MOST_ENTITIES);
                json(&BTreeMap::from([("entities", entities)]))?
            }
            Self::Stats => json(&session.stats(today)?)?,
            Self::Context(query) => {
                let (query, focus) = (query.clone(), Focus::Journal);
                let request = ContextRequest { query, focus, budget: CONTEXT_BUDGET, now };
                return Ok(Some((session.context(&request)?.text, TEXT)));
            }
        };
        Ok(Some((value.to_string(), JSON)))
    }
}

fn of_day(session: &mut Session, entries: &[Entry]) -> Result<Value, Report> {
    let mut value = json(&EntriesJson::of_entries(entries, &*session.listed()?))?;
    limits::shorten(&mut value);
    Ok(value)
}

/// The resources with fixed addresses, and the latest days.
pub fn listed(journal: &mut Journal) -> Result<Vec<Resource>, Report> {
    let fixed = [
        (TODAY, "today", "Today's entries", JSON),
        (STATS, "summary", "Counts, rhythm and moods of the journal", JSON),
        (CONTEXT, "context", "Recent days, people and threads, as quotes in a bounded block", TEXT),
    ];
    let mut resources: Vec<Resource> = fixed
        .into_iter()
        .map(|(uri, name, about, media)| Resource::new(uri, name).with_description(about).with_mime_type(media))
        .collect();
    let days = journal.session()?.day_counts()?;
    for day in days.iter().rev().take(LISTED_DAYS) {
        let (uri, name) = (format!("kioku://memories/{}", day.day), day.day.to_string());
        let about = counted(day.entries, "entry", "entries");
        resources.push(Resource::new(uri, name).with_description(about).with_mime_type(JSON));
    }
    Ok(resources)
}

pub fn templates() -> Vec<ResourceTemplate> {
    let of = |uri: &str, name: &str, about: &str, media: &str| {
        ResourceTemplate::new(uri, name).with_description(about).with_mime_type(media)
    };
    vec![
        of(DAY_TEMPLATE, "day", "The entries of a day: YYYY-MM-DD", JSON),
        of(ENTITY_TEMPLATE, "entity", "A name: rhythm, moods, relations with quotes; place:Hanoi for homonyms", JSON),
        of(
            KIND_TEMPLATE,
            "entities",
            "All names of a kind: person, place, event, emotion, topic, product, organization",
            JSON,
        ),
        of(CONTEXT_TEMPLATE, "context of a query", "What the journal knows about a query, in a bounded block", TEXT),
    ]
}

/// Decodes `%41`; `None` for invalid escapes and invalid UTF-8.
fn decoded(text: &str) -> Option<String> {
    let is_escape = |after: &str| after.len() > 1 && after.bytes().take(2).all(|byte| byte.is_ascii_hexdigit());
    let decoded = percent_decoded(text);
    // Invalid UTF-8 stays encoded.
    let is_valid = text.split('%').skip(1).all(is_escape) && (decoded != text || !text.contains('%'));
    is_valid.then_some(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed_and_others_refused() {
        let of = |uri| Address::parse(uri);
        assert_eq!(of("kioku://memories/today"), Some(Address::Today));
        assert_eq!(of("kioku://memories/2026-02-22"), Some(Address::Day(civil::date(2026, 2, 22))));
        assert_eq!(of("kioku://entities/PERSON"), Some(Address::Kind(EntityKind::Person)));
        assert_eq!(of("kioku://entities/Linh%20Nguy%E1%BB%85n"), Some(Address::Entity("Linh Nguyễn".into())));
        assert_eq!(of("kioku://context/why%3F"), Some(Address::Context(Some("why?".into()))));
        let wrong = [
            "kioku://memories/2026-02-30",
            "kioku://memories/../../etc/passwd",
            "kioku://entities/",
            "kioku://entities/%ff",
            "kioku://entities/%+1",
            "kioku://stats/",
            "file:///etc/passwd",
            "kioku://",
            "",
        ];
        for uri in wrong {
            assert_eq!(of(uri), None, "{uri}");
        }
    }
}
