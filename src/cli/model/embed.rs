//! `kioku model embed`: vectors of texts, for evaluations by users.

use std::io::{self, BufRead};

use clap::Args;
use serde::Deserialize;

use super::choice::chosen;
use crate::{
    cli::{Context, Done, Outcome, Run},
    report::Report,
};

/// Number of texts embedded at once.
const AT_ONCE: usize = 256;

/// Print the vectors of texts, one JSON array per line
#[derive(Debug, Args)]
#[command(after_help = "A line of stdin is a text or {\"text\": ...}. A text that the model cannot read gives zeros.")]
pub struct Embed {
    /// Read texts from stdin, one per line
    #[arg(long, required_unless_present = "text")]
    batch: bool,
    /// One text
    #[arg(conflicts_with = "batch")]
    text: Option<String>,
    /// Embed as queries; some models use another prefix for them
    #[arg(long)]
    queries: bool,
    /// An installed model, or a folder with one [default: the model in use]
    #[arg(long, value_name = "NAME | FOLDER")]
    model: Option<String>,
}

#[derive(Deserialize)]
struct Line {
    text: String,
}

impl Run for Embed {
    fn run(self, context: &mut Context) -> Outcome {
        let encoder = chosen(context, self.model.as_deref())?;
        let mut print = |texts: &[String]| -> Outcome {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let vectors = if self.queries { encoder.embed_queries(&texts) } else { encoder.embed(&texts) };
            for vector in vectors? {
                context.out.json(&vector);
            }
            context.out.flush()?;
            Ok(Done::Done)
        };
        if let Some(text) = self.text {
            return print(&[text]);
        }
        let mut waiting = Vec::with_capacity(AT_ONCE);
        for line in io::stdin().lock().lines() {
            let line = line.map_err(|error| Report::data(format!("reading stdin: {error}")))?;
            waiting.push(serde_json::from_str::<Line>(&line).map_or(line, |read| read.text));
            if waiting.len() == AT_ONCE {
                print(&waiting)?;
                waiting.clear();
            }
        }
        print(&waiting)
    }
}
