//! `kioku graph`: queries over the stated relations.

use clap::Args;
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use super::{Context, Outcome, Output, Run, output};
use crate::{insight::graph_query::GraphTable, report::Report, tui::widgets::cells};

/// Query the relations that entries state, in a read-only subset of openCypher
#[derive(Debug, Args)]
#[command(after_help = "`kioku help agents` lists labels, types and properties.

Examples:
  kioku graph 'MATCH (a:Person)-[r:CAUSAL]->(b:Emotion) WHERE r.weight > 0.5 RETURN a, b, r.evidence LIMIT 10'
  kioku graph 'MATCH (a)-[:CAUSAL]->(b {name: \"stressed\"}) RETURN a.name, count(*) AS n ORDER BY n DESC'")]
pub struct Graph {
    /// The query, in quotes
    query: String,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Run for Graph {
    fn run(self, context: &mut Context) -> Outcome {
        let table = context.ask(|session| session.query_graph(&self.query))?;
        let table =
            table.map_err(|error| Report::usage(error.to_string()).hint("`kioku help agents` has the syntax"))?;
        context.answer_query(!table.rows.is_empty(), &table, self.json, print_table)
    }
}

/// Maximum width of a column on a terminal.
const WIDEST: usize = 48;

/// Aligned columns on a terminal, tab-separated values elsewhere.
fn print_table(out: &mut Output, table: &GraphTable) {
    let is_terminal = out.is_terminal();
    let shown = |value: &Value| {
        let text = output::one_line(&text(value)).into_owned();
        if is_terminal { cells::truncate(&out.safe(&text), WIDEST).into_owned() } else { text }
    };
    let head = table.columns.iter().map(|name| shown(&Value::from(name.as_str()))).collect();
    let rows: Vec<Vec<String>> =
        std::iter::once(head).chain(table.rows.iter().map(|row| row.iter().map(shown).collect())).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
    for (nth, row) in rows.iter().enumerate() {
        let line = if is_terminal { aligned(row, &widths) } else { row.join("\t") };
        out.line(if nth == 0 { out.bold(&line).into_owned() } else { line });
    }
    if table.more {
        output::note("more rows match; raise LIMIT or use SKIP");
    }
}

fn aligned(row: &[String], widths: &[usize]) -> String {
    let pad = |(text, width): (&String, &usize)| format!("{text}{}", " ".repeat(width.saturating_sub(text.width())));
    row.iter().zip(widths).map(pad).collect::<Vec<_>>().join("  ").trim_end().to_owned()
}

/// A value on one line: a node by its name, a relation as `Khoa -CAUSAL-> stressed`, a quote with its entry.
fn text(value: &Value) -> String {
    let field = |name: &str| value.get(name).map(text).unwrap_or_default();
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join("; "),
        Value::Object(fields) if fields.contains_key("source") => {
            format!("{} -{}-> {}", field("source"), field("type"), field("target"))
        }
        Value::Object(fields) if fields.contains_key("name") => field("name"),
        Value::Object(fields) if fields.contains_key("id") => format!("{} {}", field("id"), field("text")),
        other => other.to_string(),
    }
}
