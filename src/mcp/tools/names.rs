//! Tools on people, places and things.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Access, Journal, Tool, json, limits};
use crate::{
    insight::{
        connect::Connection,
        names::{Known, Related},
    },
    journal::EntityKind,
    report::Report,
    session::{Curated, Curating, Session},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListEntities {
    /// At most this many: 50 unless given, 500 at most.
    limit: Option<u32>,
    /// Only this kind: person, place, event, emotion, topic, product, organization.
    r#type: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Entities {
    entities: Vec<Known>,
    /// Number of all entities of the kind, listed or not.
    total: usize,
}

impl Tool for ListEntities {
    const NAME: &'static str = "list_entities";
    const TITLE: &'static str = "People, places and things";
    const ABOUT: &'static str = "The names in the journal, most mentioned first.";
    const ACCESS: Access = Access::Reads;
    type Answer = Entities;

    fn answer(&mut self, journal: &mut Journal) -> Result<Value, Report> {
        let (limit, kind) = (limits::limit(self.limit, 50)?, self.r#type.as_deref().map(kind).transpose()?);
        let mut entities = journal.session()?.entities(kind)?;
        let total = entities.len();
        entities.truncate(limit);
        json(&Entities { entities, total })
    }
}

fn kind(word: &str) -> Result<EntityKind, Report> {
    EntityKind::parse(&word.to_lowercase()).ok_or_else(|| {
        let known = EntityKind::ALL.map(EntityKind::word).join(", ");
        Report::usage(format!("unknown type `{}`", word.chars().take(40).collect::<String>()))
            .hint(format!("types: {known}"))
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecallRelated {
    /// A person, place, thing or feeling of the journal.
    entity: String,
    /// Maximum number of links to the name: 2 unless given, 1 to 4.
    #[schemars(range(min = 1, max = 4))]
    max_hops: Option<u8>,
    /// At most this many names: 10 unless given, 500 at most.
    limit: Option<u32>,
}

impl Tool for RecallRelated {
    const NAME: &'static str = "recall_related";
    const TITLE: &'static str = "Related names";
    const ABOUT: &'static str = "The names related to a name, closest first, each with a quote and the id of its \
                                 entry. `stated`: the text says so; `inferred`: they share days.";
    const ACCESS: Access = Access::Reads;
    type Answer = Related;

    fn answer(&mut self, journal: &mut Journal) -> Result<Value, Report> {
        let limit = limits::limit(self.limit, 10)?;
        let hops = self.max_hops.unwrap_or(2);
        if !(1..=4).contains(&hops) {
            return Err(Report::usage("`max_hops` is 1 to 4"));
        }
        let session = journal.session()?;
        let related = session.related(&self.entity, hops, limit)?;
        if related.entity.is_none() {
            return Err(unknown(session, &self.entity));
        }
        json(&related)
    }
}

/// The error for an unknown name, with the most similar one.
fn unknown(session: &mut Session, name: &str) -> Report {
    let report = Report::data(format!("no name `{name}` in the journal"));
    let snapshot = session.snapshot();
    let known = snapshot.iter().flat_map(|snapshot| snapshot.graph.named_entities()).map(|entity| entity.name.as_str());
    report.nearest(name, known, "list_entities lists the names")
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainConnection {
    /// A person, place, thing or feeling; or the id of a record.
    entity_a: String,
    /// Another name or record.
    entity_b: String,
}

impl Tool for ExplainConnection {
    const NAME: &'static str = "explain_connection";
    const TITLE: &'static str = "Connection of two names";
    const ABOUT: &'static str = "How two names are connected, with a quote for each link; of two records, what \
                                 supports, contradicts and cites which. `connected` is false where \
                                 the journal shows no connection.";
    const ACCESS: Access = Access::Reads;
    type Answer = Connection;

    fn answer(&mut self, journal: &mut Journal) -> Result<Value, Report> {
        json(&journal.session()?.connect(&self.entity_a, &self.entity_b)?)
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MergeEntities {
    /// The name that becomes an alias.
    from: String,
    /// The name that stays.
    into: String,
    /// Only count what would change.
    dry_run: Option<bool>,
}

impl Tool for MergeEntities {
    const NAME: &'static str = "merge_entities";
    const TITLE: &'static str = "Merge two names";
    const ABOUT: &'static str = "Treat two names as one. Entries are not changed; `kioku entity undo` undoes it.";
    const ACCESS: Access = Access::Changes;
    type Answer = Curated;

    fn answer(&mut self, journal: &mut Journal) -> Result<Value, Report> {
        let merge = Curating::Merge { from: self.from.clone(), into: self.into.clone() };
        let (dry_run, log) = (self.dry_run.unwrap_or(false), journal.curation_log());
        json(&journal.session()?.curate(&merge, (!dry_run).then_some(&log))?)
    }
}
