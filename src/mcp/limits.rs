//! Bounds on requests and answers.

use rmcp::model::JsonObject;
use serde_json::Value;

use crate::report::Report;

/// Maximum length of an entry's text, in characters.
const MOST_TEXT: usize = 1_000_000;
/// Maximum length of a query, name, date or mood, in characters.
pub const MOST_WORDS: usize = 2_000;
/// Maximum number of tags or names in a list.
const MOST_ITEMS: usize = 100;
/// Maximum number of results.
const MOST_RESULTS: usize = 500;
/// Texts in lists are shortened to this length, in characters.
const MOST_LISTED: usize = 4_000;

/// Checks the sizes of all arguments of a request. `texts`: names of those that may be as long as an entry.
pub fn check(arguments: &JsonObject, texts: &[&str]) -> Result<(), Report> {
    arguments.iter().try_for_each(|(name, value)| {
        let most = if texts.contains(&name.as_str()) { MOST_TEXT } else { MOST_WORDS };
        match value {
            Value::String(text) => short(name, text, most),
            Value::Array(items) if items.len() > MOST_ITEMS => {
                Err(Report::usage(format!("`{name}` has more than {MOST_ITEMS} items")))
            }
            Value::Array(items) => items.iter().filter_map(Value::as_str).try_for_each(|item| short(name, item, most)),
            _ => Ok(()),
        }
    })
}

fn short(name: &str, text: &str, most: usize) -> Result<(), Report> {
    match text.chars().nth(most) {
        None => Ok(()),
        Some(_) => Err(Report::usage(format!("`{name}` is longer than {most} characters"))),
    }
}

/// The number of results asked for: at least 1, at most [`MOST_RESULTS`].
pub fn limit(asked: Option<u32>, default: usize) -> Result<usize, Report> {
    match asked.map_or(default, |asked| asked as usize) {
        0 => Err(Report::usage("`limit` is at least 1")),
        limit if limit > MOST_RESULTS => Err(Report::usage(format!("`limit` is at most {MOST_RESULTS}"))),
        limit => Ok(limit),
    }
}

/// Shortens the long texts of an answer, and marks each object that has one with `"shortened": true`.
pub fn shorten(answer: &mut Value) {
    match answer {
        Value::Array(items) => items.iter_mut().for_each(shorten),
        Value::Object(fields) => {
            fields.values_mut().for_each(shorten);
            let mut cut = false;
            for (_, text) in fields.iter_mut().filter(|(key, _)| matches!(key.as_str(), "text" | "snippet")) {
                if let Value::String(text) = text
                    && let Some((at, _)) = text.char_indices().nth(MOST_LISTED)
                {
                    text.truncate(at);
                    cut = true;
                }
            }
            if cut {
                fields.insert("shortened".to_owned(), Value::Bool(true));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_long_text_is_cut_between_characters_and_marked() {
        let mut answer = json!({ "hits": [{ "id": "a", "text": "ở".repeat(MOST_LISTED + 1) }, { "text": "short" }] });
        shorten(&mut answer);
        assert_eq!(answer["hits"][0]["text"].as_str().unwrap().chars().count(), MOST_LISTED);
        assert_eq!(answer["hits"][0]["shortened"], true);
        assert_eq!(answer["hits"][1], json!({ "text": "short" }));
    }

    #[test]
    fn limits_are_told_by_name() {
        assert!(limit(Some(0), 10).is_err() && limit(Some(501), 10).is_err());
        assert_eq!((limit(None, 10).unwrap(), limit(Some(500), 10).unwrap()), (10, 500));
        let refused = |arguments: Value| {
            let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
            check(&arguments, &["text"]).map_err(|error| error.chain.join(": ")).err()
        };
        let long = "x".repeat(MOST_WORDS + 1);
        assert_eq!(refused(json!({ "query": long })).unwrap(), "`query` is longer than 2000 characters");
        assert_eq!(refused(json!({ "tags": ["a", long] })).unwrap(), "`tags` is longer than 2000 characters");
        assert_eq!(refused(json!({ "tags": vec!["a"; 101] })).unwrap(), "`tags` has more than 100 items");
        assert_eq!(refused(json!({ "text": long, "limit": 3, "tags": ["a"], "query": "b" })), None);
    }
}
