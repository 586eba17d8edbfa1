//! Plan of a graph query: names resolved to slots, labels and keys to those of the graph, conditions to the earliest
//! step that can test them.

use super::{
    error::QueryError,
    labels::{EdgeType, Label, NodeKey, RelationKey},
    syntax::{Arrow, Condition, Direction, Expr, Hop, Item, Name, Node, Path, Query, Spanned},
    value::Value,
};

/// Maximum number of hops in a path.
pub const MOST_HOPS: usize = 4;
/// Maximum number of rows, and the number without LIMIT.
pub const MOST_LIMIT: usize = 10_000;
const DEFAULT_LIMIT: usize = 100;

/// The place of a node or relation in a match.
pub type Slot = usize;

#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    pub steps: Vec<Step>,
    /// For each step, the conditions that can be tested after it.
    pub tests: Vec<Vec<Test>>,
    pub slots: usize,
    pub columns: Vec<Column>,
    /// Rows are groups of matches: it counts, or tells only different rows.
    pub is_grouped: bool,
    pub order: Vec<(OrderBy, Direction)>,
    pub skip: usize,
    pub limit: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Binds a node, or tests one that is bound.
    Start { slot: Slot, test: NodeTest },
    /// Follows a relation from a bound node.
    Follow { from: Slot, arrow: Arrow, kinds: Vec<EdgeType>, relation: Slot, to: Slot, test: NodeTest },
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct NodeTest {
    pub labels: Vec<Label>,
    pub properties: Vec<(NodeKey, Value)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub name: String,
    pub of: Output,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Output {
    Value(Term),
    CountAll,
    Count { distinct: bool, of: Term },
}

/// An expression on slots.
#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    Literal(Value),
    Node(Slot),
    Relation(Slot),
    OfNode(Slot, NodeKey),
    OfRelation(Slot, RelationKey),
    ToLower(Box<Self>),
}

pub type Test = Condition<Term>;

#[derive(Debug, Clone, PartialEq)]
pub enum OrderBy {
    Column(usize),
    Term(Term),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    Node,
    Relation,
}

struct Planner<'t> {
    text: &'t str,
    /// What each slot is, with its name.
    slots: Vec<(Option<String>, Bound)>,
    /// Returned nodes and relations by their other names, which ORDER BY may use.
    aliases: Vec<(String, (Slot, Bound))>,
    steps: Vec<Step>,
}

/// Resolves a query; `text` is its source, for errors and column names.
pub fn plan(text: &str, query: &Query) -> Result<Plan, QueryError> {
    let mut planner = Planner { text, slots: Vec::new(), aliases: Vec::new(), steps: Vec::new() };
    for path in &query.paths {
        planner.path(path)?;
    }
    let mut tests = vec![Vec::new(); planner.steps.len()];
    if let Some(condition) = &query.condition {
        let all = match planner.test(condition)? {
            Test::All(all) => all,
            one => vec![one],
        };
        for test in all {
            let step = planner.step_of(&test);
            tests[step].push(test);
        }
    }
    let columns: Vec<Column> = query
        .items
        .iter()
        .map(|item| {
            let name = item.alias.as_ref().map_or_else(|| planner.source(&item.expr), |alias| alias.value.clone());
            Ok(Column { name, of: planner.output(&item.expr)? })
        })
        .collect::<Result<_, _>>()?;
    let is_grouped = query.distinct || columns.iter().any(|column| !matches!(column.of, Output::Value(_)));
    let mut order = Vec::new();
    let alias = |item: &Item| match &item.expr.value {
        Expr::Name(name) => Some((item.alias.as_ref()?.value.clone(), planner.find(name)?)),
        _ => None,
    };
    planner.aliases = query.items.iter().filter_map(alias).collect();
    for (expr, direction) in &query.order {
        let source = planner.source(expr);
        let same = |at: &usize| columns[*at].name == source || planner.source(&query.items[*at].expr) == source;
        order.push(match (0..columns.len()).find(same) {
            Some(column) => (OrderBy::Column(column), *direction),
            None => {
                let term = planner.term(expr)?;
                // A group has one value for a term only where it is of a returned node or relation.
                let is_of = |column: &Column| matches!(column.of, Output::Value(Term::Node(slot) | Term::Relation(slot)) if term.slot() == Some(slot));
                if is_grouped && term.slot().is_some() && !columns.iter().any(is_of) {
                    let message = "with DISTINCT or count, ORDER BY takes only items of RETURN and their properties";
                    return Err(planner.error(expr.span.start, message));
                }
                (OrderBy::Term(term), *direction)
            }
        });
    }
    let limit = query.limit.unwrap_or(DEFAULT_LIMIT);
    if limit > MOST_LIMIT {
        return Err(QueryError::at(text, text.len(), format!("LIMIT is at most {MOST_LIMIT}")));
    }
    let (slots, steps) = (planner.slots.len(), planner.steps);
    Ok(Plan { steps, tests, slots, columns, is_grouped, order, skip: query.skip.unwrap_or(0), limit })
}

impl NodeTest {
    /// The name that a node has to have.
    pub fn name(&self) -> Option<&str> {
        self.properties.iter().find_map(|(key, value)| match (key, value) {
            (NodeKey::Name, Value::Text(name)) => Some(name.as_str()),
            _ => None,
        })
    }
}

impl Plan {
    /// Whether the query names records or links of records.
    pub fn is_of_records(&self) -> bool {
        self.steps.iter().any(|step| match step {
            Step::Start { test, .. } => test.labels.iter().any(|label| label.is_of_records()),
            Step::Follow { kinds, test, .. } => {
                let is_link = |kind: &EdgeType| matches!(kind, EdgeType::Link(_));
                kinds.iter().any(is_link) || test.labels.iter().any(|label| label.is_of_records())
            }
        })
    }
}

impl Planner<'_> {
    fn error(&self, at: usize, message: impl Into<String>) -> QueryError {
        QueryError::at(self.text, at, message)
    }

    fn unknown<S: std::borrow::Borrow<str>>(&self, what: &str, name: &Name, known: &[S]) -> QueryError {
        let message = format!("unknown {what} `{}`; expected one of {}", name.value, known.join(", "));
        self.error(name.span.start, message)
    }

    fn source(&self, expr: &Spanned<Expr>) -> String {
        self.text.get(expr.span.clone()).unwrap_or_default().trim().to_owned()
    }

    /// Adds the steps of a path, from the end that fewer nodes fit.
    fn path(&mut self, path: &Path) -> Result<(), QueryError> {
        if let Some((hop, _)) = path.hops.get(MOST_HOPS) {
            return Err(self.error(hop.span.start, format!("a path has at most {MOST_HOPS} hops")));
        }
        let mut nodes: Vec<&Node> = vec![&path.start];
        nodes.extend(path.hops.iter().map(|(_, node)| node));
        let mut hops: Vec<(&Hop, Arrow)> = path.hops.iter().map(|(hop, _)| (hop, hop.arrow)).collect();
        let last = nodes[nodes.len() - 1];
        if self.selectivity(last) > self.selectivity(nodes[0]) {
            nodes.reverse();
            hops.reverse();
            for (_, arrow) in &mut hops {
                *arrow = match arrow {
                    Arrow::Right => Arrow::Left,
                    Arrow::Left => Arrow::Right,
                    Arrow::Either => Arrow::Either,
                };
            }
        }
        let mut from = self.slot(nodes[0].name.as_ref(), Bound::Node)?;
        let test = self.node_test(nodes[0])?;
        self.steps.push(Step::Start { slot: from, test });
        for ((hop, arrow), node) in hops.into_iter().zip(&nodes[1..]) {
            if hop.name.as_ref().is_some_and(|name| self.find(name).is_some()) {
                return Err(self.error(hop.span.start, "a relation is named only once"));
            }
            let relation = self.slot(hop.name.as_ref(), Bound::Relation)?;
            let kinds = hop.types.iter().map(|kind| self.edge_type(kind)).collect::<Result<_, _>>()?;
            let (to, test) = (self.slot(node.name.as_ref(), Bound::Node)?, self.node_test(node)?);
            self.steps.push(Step::Follow { from, arrow, kinds, relation, to, test });
            from = to;
        }
        Ok(())
    }

    fn selectivity(&self, node: &Node) -> u8 {
        let is_bound = node.name.as_ref().is_some_and(|name| self.find(name).is_some());
        match () {
            () if is_bound => 3,
            () if !node.properties.is_empty() => 2,
            () => u8::from(!node.labels.is_empty()),
        }
    }

    fn find(&self, name: &Name) -> Option<(Slot, Bound)> {
        let slot = self.slots.iter().position(|(known, _)| known.as_deref() == Some(name.value.as_str()))?;
        Some((slot, self.slots[slot].1))
    }

    /// The slot of a name: that of the same name before, or a new one.
    fn slot(&mut self, name: Option<&Name>, bound: Bound) -> Result<Slot, QueryError> {
        if let Some(name) = name
            && let Some((slot, known)) = self.find(name)
        {
            let message = format!("`{}` is both a node and a relation", name.value);
            return if known == bound { Ok(slot) } else { Err(self.error(name.span.start, message)) };
        }
        self.slots.push((name.map(|name| name.value.clone()), bound));
        Ok(self.slots.len() - 1)
    }

    fn node_test(&self, node: &Node) -> Result<NodeTest, QueryError> {
        let labels = node.labels.iter().map(|label| self.label(label)).collect::<Result<_, _>>()?;
        let property = |(key, value): &(Name, Value)| Ok((self.key(key, NodeKey::ALL)?, value.clone()));
        Ok(NodeTest { labels, properties: node.properties.iter().map(property).collect::<Result<_, _>>()? })
    }

    fn label(&self, label: &Name) -> Result<Label, QueryError> {
        Label::parse(&label.value.to_lowercase())
            .ok_or_else(|| self.unknown("label", label, &Label::words().collect::<Vec<_>>()))
    }

    fn edge_type(&self, kind: &Name) -> Result<EdgeType, QueryError> {
        EdgeType::parse(&kind.value)
            .ok_or_else(|| self.unknown("type", kind, &EdgeType::all().map(EdgeType::word).collect::<Vec<_>>()))
    }

    fn key<K: Copy>(&self, key: &Name, all: &[(&str, K)]) -> Result<K, QueryError> {
        all.iter()
            .find(|(name, _)| *name == key.value)
            .map(|(_, key)| *key)
            .ok_or_else(|| self.unknown("property", key, &all.iter().map(|(name, _)| *name).collect::<Vec<_>>()))
    }

    fn known(&self, name: &Name) -> Result<(Slot, Bound), QueryError> {
        let alias = self.aliases.iter().find(|(alias, _)| *alias == name.value).map(|(_, of)| *of);
        alias.or_else(|| self.find(name)).ok_or_else(|| {
            let known = self.slots.iter().filter_map(|(name, _)| name.as_deref());
            self.unknown("name", name, &known.collect::<Vec<_>>())
        })
    }

    fn output(&self, expr: &Spanned<Expr>) -> Result<Output, QueryError> {
        Ok(match &expr.value {
            Expr::CountAll => Output::CountAll,
            Expr::Count { distinct, of } => Output::Count { distinct: *distinct, of: self.term(of)? },
            _ => Output::Value(self.term(expr)?),
        })
    }

    fn term(&self, expr: &Spanned<Expr>) -> Result<Term, QueryError> {
        Ok(match &expr.value {
            Expr::Literal(literal) => Term::Literal(literal.clone()),
            Expr::Name(name) => match self.known(name)? {
                (slot, Bound::Node) => Term::Node(slot),
                (slot, Bound::Relation) => Term::Relation(slot),
            },
            Expr::Property(name, key) => match self.known(name)? {
                (slot, Bound::Node) => Term::OfNode(slot, self.key(key, NodeKey::ALL)?),
                (slot, Bound::Relation) => Term::OfRelation(slot, self.key(key, RelationKey::ALL)?),
            },
            Expr::Type(name) => match self.known(name)? {
                (slot, Bound::Relation) => Term::OfRelation(slot, RelationKey::Type),
                (_, Bound::Node) => return Err(self.error(name.span.start, "type() takes a relation")),
            },
            Expr::ToLower(of) => Term::ToLower(Box::new(self.term(of)?)),
            Expr::CountAll | Expr::Count { .. } => {
                return Err(self.error(expr.span.start, "count belongs to RETURN, and is not nested"));
            }
        })
    }

    fn test(&self, condition: &Condition) -> Result<Test, QueryError> {
        let each = |all: &[Condition]| all.iter().map(|one| self.test(one)).collect::<Result<Vec<_>, _>>();
        Ok(match condition {
            Condition::Any(any) => Test::Any(each(any)?),
            Condition::All(all) => Test::All(each(all)?),
            Condition::Not(of) => Test::Not(Box::new(self.test(of)?)),
            Condition::Compare(left, operator, right) => Test::Compare(self.term(left)?, *operator, self.term(right)?),
            Condition::In(of, list) => Test::In(self.term(of)?, list.clone()),
            Condition::IsNull(of) => Test::IsNull(self.term(of)?),
        })
    }

    /// The first step after which all slots of a test are bound.
    fn step_of(&self, test: &Test) -> usize {
        let binds = |step: &Step, slot: Slot| match step {
            Step::Start { slot: bound, .. } => *bound == slot,
            Step::Follow { relation, to, .. } => *relation == slot || *to == slot,
        };
        let first = |slot: Slot| self.steps.iter().position(|step| binds(step, slot)).unwrap_or(0);
        test.slots().into_iter().map(first).max().unwrap_or(0)
    }
}

impl Test {
    fn slots(&self) -> Vec<Slot> {
        match self {
            Self::Any(all) | Self::All(all) => all.iter().flat_map(Self::slots).collect(),
            Self::Not(of) => of.slots(),
            Self::Compare(left, _, right) => left.slot().into_iter().chain(right.slot()).collect(),
            Self::In(of, _) | Self::IsNull(of) => of.slot().into_iter().collect(),
        }
    }
}

impl Term {
    fn slot(&self) -> Option<Slot> {
        match self {
            Self::Literal(_) => None,
            Self::Node(slot) | Self::Relation(slot) | Self::OfNode(slot, _) | Self::OfRelation(slot, _) => Some(*slot),
            Self::ToLower(of) => of.slot(),
        }
    }
}
