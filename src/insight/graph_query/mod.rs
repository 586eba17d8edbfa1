//! Graph queries in a read-only subset of openCypher, over the stated relations of the graph and the links of records.
//!
//! `syntax` parses, `plan` resolves names, this file matches and returns. A query stops after its time limit. No
//! relation is used twice in one match.

mod error;
mod graph;
mod labels;
mod plan;
mod reader;
mod syntax;
mod value;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

pub use self::error::QueryError;
use self::{
    graph::LabelledGraph,
    labels::{EdgeRef, NodeKey, NodeRef, RelationKey},
    plan::{NodeTest, OrderBy, Output, Plan, Step},
    reader::{Binding, Reader},
    syntax::{Arrow, Direction},
    value::{Key, Value, is_equal},
};
use super::{Evidence, Inputs, Result, quotes, quotes::Quotes, record_graph::RecordGraph};

/// The time that a query may take.
pub const TIME_LIMIT: Duration = Duration::from_secs(2);
/// Maximum number of rows before sorting, and of groups and different values while counting.
const MOST_ROWS: usize = 200_000;
/// Number of quotes in a cell, the newest.
const MOST_QUOTES: usize = 5;
/// Number of steps between two looks at the clock.
const PATIENCE: u32 = 512;

/// The result of a graph query.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GraphTable {
    pub columns: Vec<String>,
    /// One value for each column: a node is `{"name", "kind"}`, a record with its `"id"`, a relation `{"source", "target", "type", "verb",
    /// "weight", "stated"}`, evidence a list of quotes.
    pub rows: Vec<Vec<serde_json::Value>>,
    /// More rows match than LIMIT shows.
    pub more: bool,
}

/// Answers a query, within a time limit.
pub fn query(inputs: &Inputs<'_>, text: &str, limit: Duration) -> Result<Result<GraphTable, QueryError>> {
    let begun = Instant::now();
    let planned = syntax::parse(text).and_then(|query| plan::plan(text, &query));
    let plan = match planned {
        Ok(plan) => plan,
        Err(error) => return Ok(Err(error)),
    };
    let records = if plan.is_of_records() { RecordGraph::of(inputs.snapshot)? } else { Arc::default() };
    let graph = LabelledGraph { entities: &inputs.snapshot.graph, records: &records };
    let mut matcher = Matcher {
        graph,
        plan: &plan,
        bound: vec![Binding::Unbound; plan.slots],
        rows: Rows::of(&plan),
        begun,
        limit,
        steps: 0,
    };
    if let ControlFlow::Break(Some(error)) = matcher.step(0) {
        return Ok(Err(error));
    }
    let (rows, more) = matcher.rows.finished(&plan);
    let cells = Cells { graph, quotes: Quotes::of(inputs.snapshot) };
    let rows = rows.iter().map(|row| row.iter().map(|value| cells.json(value)).collect()).collect::<Result<_, _>>();
    Ok(Ok(GraphTable { columns: plan.columns.into_iter().map(|column| column.name).collect(), rows: rows?, more }))
}

/// Enumerates the matches of a plan, depth first.
struct Matcher<'a> {
    graph: LabelledGraph<'a>,
    plan: &'a Plan,
    bound: Vec<Binding>,
    rows: Rows,
    begun: Instant,
    limit: Duration,
    steps: u32,
}

/// Break: an error, or `None` where there are enough rows.
type Flow = ControlFlow<Option<QueryError>>;

impl Matcher<'_> {
    fn step(&mut self, nth: usize) -> Flow {
        self.steps = self.steps.wrapping_add(1);
        if self.steps % PATIENCE == 1 && self.begun.elapsed() >= self.limit {
            return ControlFlow::Break(Some(QueryError::TimedOut { seconds: self.limit.as_secs() }));
        }
        let (graph, plan) = (self.graph, self.plan);
        let Some(step) = plan.steps.get(nth) else {
            return self.rows.add(plan, Reader { graph, bound: &self.bound });
        };
        match step {
            Step::Start { slot, test } => match self.bound[*slot] {
                Binding::Node(node) => self.at(nth, *slot, node, test),
                _ => {
                    for node in graph.candidates(test.name()) {
                        self.at(nth, *slot, node, test)?;
                        self.bound[*slot] = Binding::Unbound;
                    }
                    ControlFlow::Continue(())
                }
            },
            Step::Follow { from, arrow, kinds, relation, to, test } => {
                let Binding::Node(source) = self.bound[*from] else { return ControlFlow::Continue(()) };
                let outgoing = (*arrow != Arrow::Left).then(|| graph.edges(source, true));
                let incoming = (*arrow != Arrow::Right).then(|| graph.edges(source, false));
                for (edge, other) in outgoing.into_iter().flatten().chain(incoming.into_iter().flatten()) {
                    let is_kind = kinds.is_empty() || graph.edge_type(edge).is_some_and(|kind| kinds.contains(&kind));
                    if !is_kind || self.bound.contains(&Binding::Relation(edge)) {
                        continue;
                    }
                    let before = self.bound[*to];
                    if matches!(before, Binding::Node(node) if node != other) {
                        continue;
                    }
                    self.bound[*relation] = Binding::Relation(edge);
                    self.at(nth, *to, other, test)?;
                    (self.bound[*to], self.bound[*relation]) = (before, Binding::Unbound);
                }
                ControlFlow::Continue(())
            }
        }
    }

    /// Binds a node, tests it and goes on.
    fn at(&mut self, nth: usize, slot: usize, node: NodeRef, test: &NodeTest) -> Flow {
        let is_fit = test.labels.is_empty() || test.labels.contains(&self.graph.label(node));
        let has = |(key, value): &(NodeKey, Value)| is_equal(&self.graph.of_node(node, *key), value);
        if !is_fit || !test.properties.iter().all(has) {
            return ControlFlow::Continue(());
        }
        self.bound[slot] = Binding::Node(node);
        let reader = Reader { graph: self.graph, bound: &self.bound };
        if self.plan.tests[nth].iter().all(|test| reader.test(test) == Some(true)) {
            self.step(nth + 1)
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// The rows so far: as they are, or counted by group.
struct Rows {
    plain: Vec<(Vec<Key>, Vec<Value>)>,
    groups: BTreeMap<Vec<Key>, Group>,
    /// Different values in all counters.
    counted: usize,
    /// Number of rows after which the first ones are known.
    enough: Option<usize>,
}

/// Sort keys, row and counters.
type Group = (Vec<Key>, Vec<Value>, Vec<Counter>);

enum Counter {
    None,
    Number(usize),
    Different(BTreeSet<Key>),
}

fn counters(plan: &Plan) -> Vec<Counter> {
    let counter = |column: &plan::Column| match &column.of {
        Output::Value(_) => Counter::None,
        Output::CountAll | Output::Count { distinct: false, .. } => Counter::Number(0),
        Output::Count { distinct: true, .. } => Counter::Different(BTreeSet::new()),
    };
    plan.columns.iter().map(counter).collect()
}

impl Rows {
    fn of(plan: &Plan) -> Self {
        let is_plain = !plan.is_grouped && plan.order.is_empty();
        let enough = is_plain.then(|| plan.skip.saturating_add(plan.limit).saturating_add(1));
        let mut groups = BTreeMap::new();
        // Only counts: one row also of nothing.
        if plan.columns.iter().all(|column| !matches!(column.of, Output::Value(_))) {
            let row = vec![Value::Null; plan.columns.len()];
            let keys: Vec<Key> = row.iter().map(Value::key).collect();
            groups.insert(keys, (vec![Key::Null; plan.order.len()], row, counters(plan)));
        }
        Self { plain: Vec::new(), groups, counted: 0, enough }
    }

    fn add(&mut self, plan: &Plan, reader: Reader<'_>) -> Flow {
        let value = |output: &Output| match output {
            Output::Value(term) => reader.value(term),
            Output::CountAll | Output::Count { .. } => Value::Null,
        };
        let row: Vec<Value> = plan.columns.iter().map(|column| value(&column.of)).collect();
        let order = |(by, _): &(OrderBy, Direction)| match by {
            OrderBy::Column(column) => ordered(reader.graph, &row[*column]),
            OrderBy::Term(term) => ordered(reader.graph, &reader.value(term)),
        };
        let order = plan.order.iter().map(order).collect();
        if plan.is_grouped {
            self.count(plan, reader, order, row);
        } else {
            self.plain.push((order, row));
        }
        match self.plain.len() + self.groups.len() + self.counted {
            len if self.enough.is_some_and(|enough| len >= enough) => ControlFlow::Break(None),
            len if len > MOST_ROWS => ControlFlow::Break(Some(QueryError::TooManyRows { most: MOST_ROWS })),
            _ => ControlFlow::Continue(()),
        }
    }

    fn count(&mut self, plan: &Plan, reader: Reader<'_>, order: Vec<Key>, row: Vec<Value>) {
        let key: Vec<Key> = row.iter().map(Value::key).collect();
        let (.., counters) = self.groups.entry(key).or_insert_with(|| (order, row, counters(plan)));
        for (column, counter) in plan.columns.iter().zip(counters) {
            match (&column.of, counter) {
                (Output::CountAll, Counter::Number(count)) => *count += 1,
                (Output::Count { of, .. }, Counter::Number(count)) => {
                    *count += usize::from(reader.value(of) != Value::Null)
                }
                (Output::Count { of, .. }, Counter::Different(seen)) => {
                    let value = reader.value(of);
                    self.counted += usize::from(value != Value::Null && seen.insert(value.key()));
                }
                _ => {}
            }
        }
    }

    /// The rows to show, and whether more match.
    fn finished(self, plan: &Plan) -> (Vec<Vec<Value>>, bool) {
        let Self { mut plain, groups, .. } = self;
        for (mut order, mut row, counters) in groups.into_values() {
            for (column, counter) in counters.into_iter().enumerate() {
                let count = match counter {
                    Counter::None => continue,
                    Counter::Number(count) => count,
                    Counter::Different(seen) => seen.len(),
                };
                row[column] = Value::Number(count as f64);
                let keys = order.iter_mut().zip(&plan.order).filter(|(_, (by, _))| *by == OrderBy::Column(column));
                keys.for_each(|(key, _)| *key = row[column].key());
            }
            plain.push((order, row));
        }
        plain.sort_by(|(a, _), (b, _)| {
            let by = a.iter().zip(b).zip(&plan.order).map(|((a, b), (_, direction))| match direction {
                Direction::Ascending => a.cmp(b),
                Direction::Descending => b.cmp(a),
            });
            by.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        });
        let more = plan.limit > 0 && plain.len() > plan.skip.saturating_add(plan.limit);
        let shown = plain.into_iter().skip(plan.skip).take(plan.limit).map(|(_, row)| row);
        (shown.collect(), more)
    }
}

/// The sort key of a value: a node is sorted by its name.
fn ordered(graph: LabelledGraph<'_>, value: &Value) -> Key {
    match value {
        Value::Node(node) => graph.of_node(*node, NodeKey::Name).key(),
        other => other.key(),
    }
}

/// Values as JSON.
struct Cells<'a> {
    graph: LabelledGraph<'a>,
    quotes: Quotes<'a>,
}

impl Cells<'_> {
    fn json(&self, value: &Value) -> Result<serde_json::Value> {
        Ok(match value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(value) => json!(value),
            Value::Number(value) if value.fract() == 0.0 && value.abs() < 1e15 => json!(*value as i64),
            Value::Number(value) => json!((value * 1e6).round() / 1e6),
            Value::Text(text) => json!(text),
            Value::List(list) => json!(list),
            Value::Node(node) => self.graph.node_json(*node),
            Value::Relation(relation) => self.relation(*relation)?,
            Value::Evidence(relation) => json!(self.evidence(*relation)?),
        })
    }

    fn relation(&self, edge: EdgeRef) -> Result<serde_json::Value> {
        let value = |key| self.json(&self.graph.of_edge(edge, key));
        let name = |node| self.json(&self.graph.of_node(node, NodeKey::Name));
        let Some([source, target]) = self.graph.ends(edge) else { return Ok(serde_json::Value::Null) };
        let weight = value(RelationKey::Weight)?.as_f64().map(|weight| (weight * 1e3).round() / 1e3);
        Ok(json!({
            "source": name(source)?,
            "target": name(target)?,
            "type": value(RelationKey::Type)?,
            "verb": value(RelationKey::Verb)?,
            "weight": weight,
            "stated": value(RelationKey::Stated)?,
        }))
    }

    /// The newest quotes of a relation.
    fn evidence(&self, edge: EdgeRef) -> Result<Vec<Evidence>> {
        let relation = match edge {
            EdgeRef::Link(link) => return Ok(self.graph.records.evidence(link).into_iter().collect()),
            EdgeRef::Stated(relation) => relation,
        };
        let Some(stated) = self.graph.entities.relation(relation) else { return Ok(Vec::new()) };
        let mut quotes = Vec::new();
        for said in stated.evidence.iter().rev().take(MOST_QUOTES) {
            let span = quotes::bytes(&said.span);
            quotes.extend(self.quotes.stating(said.entry, span, stated.source, &[stated.target])?);
        }
        Ok(quotes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        clock::Clock,
        index::vector::Ann,
        journal::{NewEntry, VaultOptions},
        session::{Session, SessionOptions},
    };

    /// Runs queries over a journal in which each person makes a feeling.
    fn tables(count: usize, limit: Duration, queries: &[&str]) -> Vec<Result<GraphTable, QueryError>> {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::fixed("2026-11-20T09:00+07:00[+07:00]".parse().unwrap());
        let models = folder.path().join("models");
        let vault = VaultOptions::new(folder.path().join("journal"), clock);
        let options = SessionOptions { vault, models, model: None, encoder: None, ann: Ann::Auto, watch: false };
        let mut session = Session::open(options).unwrap();
        for nth in 0..count {
            let body = format!("joy:: [[Friend {nth} (person)]]");
            session.vault().append(NewEntry { body, mood: Some("calm".into()), ..NewEntry::default() }).unwrap();
        }
        let snapshot = session.snapshot().unwrap();
        queries.iter().map(|text| query(&Inputs::of(&snapshot), text, limit).unwrap()).collect()
    }

    #[test]
    fn a_query_that_takes_too_long_is_stopped() {
        let begun = Instant::now();
        let huge = "MATCH (a), (b), (c), (d), (e), (f) WHERE a.name = 'nobody' OR f.name = 'nobody' RETURN count(*)";
        let results = tables(60, Duration::from_millis(100), &[huge]);
        assert_eq!(results[0], Err(QueryError::TimedOut { seconds: 0 }));
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    }

    #[test]
    fn too_many_rows_are_refused_and_a_limit_stops_early() {
        let (all, some) =
            ("MATCH (a), (b), (c) RETURN a, b, c ORDER BY a", "MATCH (a), (b), (c) RETURN a, b, c LIMIT 3");
        let none = "MATCH (a), (b), (c) RETURN a, b, c LIMIT 0";
        let results = tables(60, Duration::from_secs(30), &[all, some, none]);
        assert_eq!(results[0], Err(QueryError::TooManyRows { most: MOST_ROWS }));
        let some = results[1].as_ref().unwrap();
        assert_eq!((some.rows.len(), some.more), (3, true));
        assert!(!results[2].as_ref().unwrap().more, "no rows were asked for");
    }
}
