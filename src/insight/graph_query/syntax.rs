//! Syntax of graph queries: a read-only subset of openCypher.
//!
//! ```text
//! query   = MATCH path {, path} [WHERE cond] RETURN [DISTINCT] item {, item}
//!           [ORDER BY expr [ASC|DESC] {, ...}] [SKIP n] [LIMIT n] [;]
//! path    = node {hop node}                       up to 4 hops
//! node    = ( [name] [:Label{|Label}] [{key: literal, ...}] )
//! hop     = -[ [name] [:TYPE{|TYPE}] ]->   <-[ ]-   -[ ]-   -->   <--   --
//! cond    = cond OR cond | cond AND cond | NOT cond | ( cond ) | test
//! test    = expr (= | <> | < | <= | > | >= | CONTAINS | STARTS WITH | ENDS WITH) expr
//!         | expr IN [literal, ...] | expr IS [NOT] NULL
//! expr    = literal | name | name.key | type(name) | toLower(expr) | count(*) | count([DISTINCT] expr)
//! ```

use std::ops::Range;

use winnow::{
    LocatingSlice, ModalParser, ModalResult, Parser,
    ascii::{Caseless, digit1, multispace0},
    combinator::{alt, cut_err, delimited, eof, not, opt, preceded, repeat, separated, terminated},
    error::{ContextError, StrContext, StrContextValue},
    token::{literal, one_of, take_while},
};

use super::{
    error::QueryError,
    value::{Operator, Value},
};

type Input<'a> = LocatingSlice<&'a str>;

/// A part of the query with its bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Spanned<T> {
    pub value: T,
    pub span: Range<usize>,
}

pub type Name = Spanned<String>;

#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    pub paths: Vec<Path>,
    pub condition: Option<Condition>,
    pub distinct: bool,
    pub items: Vec<Item>,
    pub order: Vec<(Spanned<Expr>, Direction)>,
    pub skip: Option<usize>,
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Ascending,
    Descending,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    pub start: Node,
    pub hops: Vec<(Hop, Node)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub name: Option<Name>,
    pub labels: Vec<Name>,
    pub properties: Vec<(Name, Value)>,
}

/// The direction in which a hop follows relations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrow {
    Right,
    Left,
    Either,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Hop {
    pub arrow: Arrow,
    pub name: Option<Name>,
    pub types: Vec<Name>,
    pub span: Range<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub expr: Spanned<Expr>,
    pub alias: Option<Name>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    Literal(Value),
    Name(Name),
    Property(Name, Name),
    Type(Name),
    ToLower(Box<Spanned<Expr>>),
    CountAll,
    Count { distinct: bool, of: Box<Spanned<Expr>> },
}

#[derive(Debug, Clone, PartialEq)]
pub enum Condition<T = Spanned<Expr>> {
    Any(Vec<Self>),
    All(Vec<Self>),
    Not(Box<Self>),
    Compare(T, Operator, T),
    In(T, Vec<Value>),
    IsNull(T),
}

/// Maximum length of a query in bytes, and maximum nesting of brackets: the parser is recursive.
pub const LONGEST: usize = 4_000;
const DEEPEST: usize = 32;

/// Parses a query. The error has the place and what was expected there.
pub fn parse(text: &str) -> Result<Query, QueryError> {
    if text.len() > LONGEST {
        return Err(QueryError::at(text, 0, format!("the query is longer than {LONGEST} bytes")));
    }
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err(QueryError::at(text, at, format!("brackets are nested deeper than {DEEPEST}")));
        }
    }
    query.parse(LocatingSlice::new(text)).map_err(|error| {
        let expected: Vec<String> = error
            .inner()
            .context()
            .filter_map(|context| match context {
                StrContext::Expected(value) => Some(value.to_string()),
                _ => None,
            })
            .collect();
        let found = text[error.offset()..].split_whitespace().next().unwrap_or("the end");
        let found: String = found.chars().take(20).collect();
        let expected = if expected.is_empty() { "something else".to_owned() } else { expected.join(" or ") };
        QueryError::at(text, error.offset(), format!("expected {expected}, found {found}"))
    })
}

fn expected(what: &'static str) -> StrContext {
    StrContext::Expected(StrContextValue::Description(what))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A sign, with the space after it.
fn sign<'a>(text: &'static str) -> impl ModalParser<Input<'a>, (), ContextError> {
    terminated(literal(text), multispace0).void().context(StrContext::Expected(StrContextValue::StringLiteral(text)))
}

/// A keyword in any case, with the space after it.
fn keyword<'a>(word: &'static str) -> impl ModalParser<Input<'a>, (), ContextError> {
    (literal(Caseless(word)), not(one_of(is_word)), multispace0).void().context(expected(word))
}

const RESERVED: [&str; 18] = [
    "match", "where", "return", "order", "by", "skip", "limit", "and", "or", "not", "in", "is", "null", "as",
    "distinct", "contains", "starts", "ends",
];

fn name(input: &mut Input<'_>) -> ModalResult<Name> {
    let plain = (one_of(|c: char| c.is_alphabetic() || c == '_'), take_while(0.., is_word))
        .take()
        .verify(|word: &str| !RESERVED.contains(&word.to_lowercase().as_str()))
        .map(str::to_owned);
    let quoted = delimited('`', take_while(1.., |c| c != '`'), '`').map(str::to_owned);
    terminated(alt((plain, quoted)).with_span(), multispace0)
        .map(|(value, span)| Spanned { value, span })
        .context(expected("a name"))
        .parse_next(input)
}

fn text(input: &mut Input<'_>) -> ModalResult<String> {
    let of = |quote: char| {
        let escaped = preceded('\\', one_of(|_: char| true)).map(|c| match c {
            'n' => '\n',
            't' => '\t',
            other => other,
        });
        let plain = one_of(move |c: char| c != quote && c != '\\');
        delimited(quote, repeat(0.., alt((escaped, plain))), cut_err(quote).context(expected("the end of the text")))
    };
    alt((of('\''), of('"'))).parse_next(input)
}

fn number(input: &mut Input<'_>) -> ModalResult<f64> {
    (opt('-'), digit1, opt(('.', digit1))).take().try_map(str::parse::<f64>).parse_next(input)
}

fn constant(input: &mut Input<'_>) -> ModalResult<Value> {
    alt((
        terminated(text, multispace0).map(Value::Text),
        terminated(number, (not(one_of(is_word)), multispace0)).map(Value::Number),
        keyword("true").map(|()| Value::Bool(true)),
        keyword("false").map(|()| Value::Bool(false)),
        keyword("null").map(|()| Value::Null),
    ))
    .context(expected("a text, a number, true, false or null"))
    .parse_next(input)
}

fn names<'a>(input: &mut Input<'a>) -> ModalResult<Vec<Name>> {
    let listed = preceded(sign(":"), cut_err(separated(1.., name, (sign("|"), opt(sign(":"))))));
    opt(listed).map(Option::unwrap_or_default).parse_next(input)
}

fn node(input: &mut Input<'_>) -> ModalResult<Node> {
    let property = (name, cut_err(preceded(sign(":"), constant)));
    let properties = opt(delimited(sign("{"), cut_err(separated(0.., property, sign(","))), cut_err(sign("}"))));
    let inner = (opt(name), names, properties.map(Option::unwrap_or_default));
    delimited(sign("("), cut_err(inner), cut_err(sign(")")))
        .map(|(name, labels, properties)| Node { name, labels, properties })
        .parse_next(input)
}

fn hop(input: &mut Input<'_>) -> ModalResult<Hop> {
    let inner = delimited(sign("["), cut_err((opt(name), names)), cut_err(sign("]")));
    let bare = opt(inner).map(|inner: Option<(Option<Name>, Vec<Name>)>| inner.unwrap_or_default());
    (alt((sign("<-").map(|()| true), sign("-").map(|()| false))), bare, cut_err(sign("-")), opt(sign(">")))
        .with_span()
        .verify_map(|((left, (name, types), (), right), span)| {
            let arrow = match (left, right.is_some()) {
                (true, false) => Arrow::Left,
                (false, true) => Arrow::Right,
                (false, false) => Arrow::Either,
                (true, true) => return None,
            };
            Some(Hop { arrow, name, types, span })
        })
        .parse_next(input)
}

fn path(input: &mut Input<'_>) -> ModalResult<Path> {
    let next = (hop, cut_err(node).context(expected("a node")));
    (node, repeat(0.., next)).map(|(start, hops)| Path { start, hops }).parse_next(input)
}

fn call<'a, T>(
    word: &'static str,
    argument: impl ModalParser<Input<'a>, T, ContextError>,
) -> impl ModalParser<Input<'a>, T, ContextError> {
    preceded((literal(Caseless(word)), multispace0, sign("(")).void(), cut_err(terminated(argument, sign(")"))))
}

fn expr(input: &mut Input<'_>) -> ModalResult<Spanned<Expr>> {
    let counted = (opt(keyword("distinct")), expr);
    let counted = counted.map(|(distinct, of)| Expr::Count { distinct: distinct.is_some(), of: Box::new(of) });
    let property = (name, opt(preceded(sign("."), cut_err(name)))).map(|(of, key)| match key {
        Some(key) => Expr::Property(of, key),
        None => Expr::Name(of),
    });
    alt((
        call("count", alt((sign("*").map(|()| Expr::CountAll), counted))),
        call("type", name).map(Expr::Type),
        call("toLower", expr).map(|of| Expr::ToLower(Box::new(of))),
        constant.map(Expr::Literal),
        property,
    ))
    .with_span()
    .map(|(value, span)| Spanned { value, span })
    .context(expected("a name, a property, a text or a number"))
    .parse_next(input)
}

fn operator(input: &mut Input<'_>) -> ModalResult<Operator> {
    alt((
        sign("=").map(|()| Operator::Equal),
        sign("<>").map(|()| Operator::Differs),
        sign("<=").map(|()| Operator::AtMost),
        sign(">=").map(|()| Operator::AtLeast),
        sign("<").map(|()| Operator::Less),
        sign(">").map(|()| Operator::Greater),
        keyword("contains").map(|()| Operator::Contains),
        (keyword("starts"), cut_err(keyword("with"))).map(|_| Operator::StartsWith),
        (keyword("ends"), cut_err(keyword("with"))).map(|_| Operator::EndsWith),
    ))
    .context(expected("an operator such as = or CONTAINS"))
    .parse_next(input)
}

fn test(input: &mut Input<'_>) -> ModalResult<Condition> {
    enum Rest {
        Null { negated: bool },
        In(Vec<Value>),
        Than(Operator, Spanned<Expr>),
    }
    let null = preceded(keyword("is"), cut_err(terminated(opt(keyword("not")), keyword("null"))));
    let list = delimited(sign("["), cut_err(separated(0.., constant, sign(","))), cut_err(sign("]")));
    let rest = alt((
        null.map(|not| Rest::Null { negated: not.is_some() }),
        preceded(keyword("in"), cut_err(list)).map(Rest::In),
        (operator, cut_err(expr)).map(|(operator, other)| Rest::Than(operator, other)),
    ));
    (expr, cut_err(rest))
        .map(|(left, rest)| match rest {
            Rest::Null { negated: false } => Condition::IsNull(left),
            Rest::Null { negated: true } => Condition::Not(Box::new(Condition::IsNull(left))),
            Rest::In(list) => Condition::In(left, list),
            Rest::Than(operator, right) => Condition::Compare(left, operator, right),
        })
        .parse_next(input)
}

fn negated(input: &mut Input<'_>) -> ModalResult<Condition> {
    let nots: usize = repeat(0.., keyword("not")).parse_next(input)?;
    let inner = alt((delimited(sign("("), cut_err(condition), cut_err(sign(")"))), test)).parse_next(input)?;
    Ok(if nots % 2 == 1 { Condition::Not(Box::new(inner)) } else { inner })
}

fn condition(input: &mut Input<'_>) -> ModalResult<Condition> {
    let all = separated(1.., negated, keyword("and")).map(|all: Vec<_>| single(all, Condition::All));
    separated(1.., all, keyword("or")).map(|any: Vec<_>| single(any, Condition::Any)).parse_next(input)
}

fn single(mut conditions: Vec<Condition>, several: fn(Vec<Condition>) -> Condition) -> Condition {
    match conditions.pop() {
        Some(only) if conditions.is_empty() => only,
        last => {
            conditions.extend(last);
            several(conditions)
        }
    }
}

fn count(input: &mut Input<'_>) -> ModalResult<usize> {
    terminated(digit1, multispace0).try_map(str::parse).context(expected("a number")).parse_next(input)
}

fn query(input: &mut Input<'_>) -> ModalResult<Query> {
    let item = (expr, opt(preceded(keyword("as"), cut_err(name)))).map(|(expr, alias)| Item { expr, alias });
    let descending = alt((keyword("descending"), keyword("desc"))).map(|()| Direction::Descending);
    let ascending = alt((keyword("ascending"), keyword("asc"))).map(|()| Direction::Ascending);
    let direction = opt(alt((descending, ascending))).map(|direction| direction.unwrap_or(Direction::Ascending));
    (multispace0, cut_err(keyword("MATCH"))).parse_next(input)?;
    let paths = cut_err(separated(1.., path, sign(","))).parse_next(input)?;
    let condition = opt(preceded(keyword("WHERE"), cut_err(condition))).parse_next(input)?;
    let before_return = if condition.is_some() { "AND, OR" } else { "a hop, WHERE" };
    cut_err(keyword("RETURN")).context(expected(before_return)).parse_next(input)?;
    let distinct = opt(keyword("distinct")).parse_next(input)?.is_some();
    let items = cut_err(separated(1.., item, sign(","))).parse_next(input)?;
    let sorted =
        preceded((keyword("order"), cut_err(keyword("by"))), cut_err(separated(1.., (expr, direction), sign(","))));
    let order = opt(sorted).parse_next(input)?.unwrap_or_default();
    let skip = opt(preceded(keyword("skip"), cut_err(count))).parse_next(input)?;
    let limit = opt(preceded(keyword("limit"), cut_err(count))).parse_next(input)?;
    opt(sign(";")).parse_next(input)?;
    cut_err(eof).context(expected("ORDER BY, SKIP, LIMIT or the end")).parse_next(input)?;
    Ok(Query { paths, condition, distinct, items, order, skip, limit })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn the_query_of_the_manual_is_read() {
        let text = "MATCH (a:Person)-[r:CAUSAL]->(b:Emotion) WHERE r.weight > 0.5 AND NOT a.name IN ['x', \"y\"] \
                    RETURN a, b AS feeling, r.evidence ORDER BY r.weight DESC LIMIT 10";
        let query = parse(text).unwrap();
        assert_eq!((query.paths.len(), query.items.len(), query.limit), (1, 3, Some(10)));
        let (hop, node) = &query.paths[0].hops[0];
        assert_eq!((hop.arrow, hop.types[0].value.as_str()), (Arrow::Right, "CAUSAL"));
        assert_eq!(node.labels[0].value, "Emotion");
        let Some(Condition::All(all)) = &query.condition else { panic!("{:?}", query.condition) };
        assert!(matches!(all[1], Condition::Not(_)));
        assert_eq!(query.order[0].1, Direction::Descending);
    }

    #[test]
    fn arrows_quotes_and_case_are_read() {
        let query = parse("match (a {name: 'O\\'Hara'})<--(`b c`)--(d)-->(e) return count(*) as n;").unwrap();
        let arrows: Vec<Arrow> = query.paths[0].hops.iter().map(|(hop, _)| hop.arrow).collect();
        assert_eq!(arrows, [Arrow::Left, Arrow::Either, Arrow::Right]);
        assert_eq!(query.paths[0].start.properties[0].1, Value::Text("O'Hara".into()));
    }

    #[test]
    fn errors_have_line_column_and_what_was_expected() {
        for (text, expected) in [
            ("", "line 1, column 1: expected MATCH"),
            ("DELETE (a)", "line 1, column 1: expected MATCH"),
            ("MATCH (a", "line 1, column 9: expected"),
            ("MATCH (a)\nRETRUN a", "line 2, column 1: expected"),
            ("MATCH (a)-[r](b) RETURN a", "line 1, column 14: expected `-`"),
            ("MATCH (a) WHERE a.name RETURN a", "an operator such as ="),
            ("MATCH (a) WHERE a.mentions >> 1 RETURN a", "a name, a property, a text or a number, found >"),
            ("MATCH (a) RETURN a LIMIT x", "line 1, column 26: expected a number"),
            ("MATCH (a) RETURN a CREATE (b)", "line 1, column 20"),
            ("MATCH (a {name: 'x) RETURN a", "the end of the text"),
        ] {
            assert!(error(text).contains(expected), "{text}: {}", error(text));
        }
        assert!(error(&"(".repeat(40)).contains("nested deeper"));
        assert!(error(&"x".repeat(LONGEST + 1)).contains("longer than"));
    }
}
