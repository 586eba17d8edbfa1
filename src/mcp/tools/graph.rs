//! `query_graph`: a query over the stated relations.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Access, Journal, Tool, json};
use crate::{insight::graph_query::GraphTable, report::Report};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueryGraph {
    /// `MATCH (a:Person)-[r:CAUSAL]->(b:Emotion) WHERE r.weight > 0.5 RETURN a, b, r.evidence LIMIT 10`
    query: String,
}

impl Tool for QueryGraph {
    const NAME: &'static str = "query_graph";
    const TITLE: &'static str = "Query the graph";
    const ABOUT: &'static str = "Read-only subset of openCypher over the relations that entries state: MATCH with up \
                                 to 4 hops, WHERE, RETURN with count and DISTINCT, ORDER BY, SKIP, LIMIT. Labels: \
                                 Person, Place, Event, Emotion, Topic, Product, Organization, and Record, Source. \
                                 Types: CAUSAL, EMOTIONAL, TEMPORAL, TOPICAL, INVOLVES, and between records SUPPORTS, \
                                 CONTRADICTS, CITED_IN. Nodes have name, kind, aliases, mentions, days, first_seen, \
                                 last_seen, of records id, status; relations type, verb, weight, stated, evidence.";
    const ACCESS: Access = Access::Reads;
    const TEXTS: &'static [&'static str] = &["query"];
    type Answer = GraphTable;

    fn answer(&mut self, journal: &mut Journal) -> Result<Value, Report> {
        let table = journal.session()?.query_graph(&self.query)?;
        json(&table.map_err(|error| Report::usage(error.to_string()))?)
    }
}
