//! Values of an entry's head as typed.

use crate::report::Report;

/// Checks and trims a value of the head: one line without control characters.
pub fn one_line(what: &str, text: &str) -> Result<String, Report> {
    if text.contains(char::is_control) {
        return Err(Report::usage(format!("{what} takes one line of plain text")));
    }
    Ok(text.trim().to_owned())
}

/// Normalises tags: without `#` and duplicates, in the order given.
pub fn tags(given: &[String]) -> Result<Vec<String>, Report> {
    let mut tags = Vec::new();
    for tag in given {
        let tag = one_line("a tag", tag)?;
        let tag = tag.trim_start_matches('#').trim();
        if !tag.is_empty() && !tags.iter().any(|known| known == tag) {
            tags.push(tag.to_owned());
        }
    }
    Ok(tags)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_lose_their_mark_and_their_copies() {
        let given = ["#work", "work", " project x ", ""].map(str::to_owned);
        assert_eq!(tags(&given).unwrap(), ["work", "project x"]);
        assert!(tags(&["a\nb".to_owned()]).is_err());
    }
}
