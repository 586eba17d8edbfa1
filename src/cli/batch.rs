//! `--batch` input: one text per line on stdin, plain or as JSON with a time.

use std::io::{self, BufRead};

use jiff::Zoned;
use serde::Deserialize;

use super::{arguments, outcome::Failure, output};
use crate::report::Report;

/// A line in JSON form.
#[derive(Debug, Deserialize)]
struct Line {
    text: String,
    time: Option<String>,
}

/// Calls `each` with every line and its time. If a time cannot be parsed, `now` is used, with the warning `unread`.
pub fn each_line(
    now: &Zoned,
    unread: &str,
    mut each: impl FnMut(String, Zoned) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for (number, line) in io::stdin().lock().split(b'\n').enumerate() {
        let line = line.map_err(|error| Report::data(format!("reading stdin: {error}")))?;
        let line = String::from_utf8_lossy(&line);
        let (text, at) = parsed(line.trim_end_matches('\r'), now);
        let at = at.unwrap_or_else(|report| {
            output::warn(format_args!("line {}: {}; {unread}", number + 1, report.chain.join(": ")));
            now.clone()
        });
        each(text, at)?;
    }
    Ok(())
}

fn parsed(line: &str, now: &Zoned) -> (String, Result<Zoned, Report>) {
    let plain = || Line { text: line.to_owned(), time: None };
    let Line { text, time } = serde_json::from_str(line).unwrap_or_else(|_| plain());
    (text, arguments::at_or_now(time.as_deref(), now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_line_is_plain_or_an_object() {
        let now: Zoned = "2026-08-14T12:00:00+02:00[+02:00]".parse().unwrap();
        for plain in ["what { happened", "{\"broken"] {
            assert_eq!(parsed(plain, &now).0, plain);
        }
        let (text, at) = parsed("{\"text\":\"lake\"}", &now);
        assert_eq!((text.as_str(), at.unwrap()), ("lake", now.clone()));
        let (text, at) = parsed("{\"text\":\"lake\",\"time\":\"2020-01-02T03:04:05Z\"}", &now);
        assert_eq!((text.as_str(), at.unwrap().timestamp().to_string().as_str()), ("lake", "2020-01-02T03:04:05Z"));
        let (kept, at) = parsed("{\"text\":\"lake\",\"time\":\"someday\"}", &now);
        assert!(kept == "lake" && at.is_err());
    }
}
