//! Values of an entry's head as typed.

use crate::{journal::written_list, report::Report};

/// Checks and trims a value of the head: one line without control characters.
pub fn one_line(what: &str, text: &str) -> Result<String, Report> {
    if text.contains(char::is_control) {
        return Err(Report::usage(format!("{what} takes one line of plain text")));
    }
    Ok(text.trim().to_owned())
}

/// Checks and trims a value of the head that may be absent; an empty one counts as absent.
pub fn optional_line(what: &str, text: Option<impl AsRef<str>>) -> Result<Option<String>, Report> {
    let text = text.map(|text| one_line(what, text.as_ref())).transpose()?;
    Ok(text.filter(|text| !text.is_empty()))
}

/// Splits typed tags at commas and semicolons; double quotes keep a tag with one of them whole.
pub fn split_tags(typed: &str) -> Vec<String> {
    if !typed.contains([',', ';']) {
        return vec![typed.to_owned()];
    }
    let (mut is_quoted, mut is_escaped) = (false, false);
    let with_commas: String = typed
        .chars()
        .map(|c| {
            is_quoted ^= c == '"' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            if c == ';' && !is_quoted { ',' } else { c }
        })
        .collect();
    written_list(&with_commas)
}

/// Normalises tags as typed on the command line: see [`split_tags`].
pub fn typed_tags(given: &[String]) -> Result<Vec<String>, Report> {
    tags(&given.iter().flat_map(|typed| split_tags(typed)).collect::<Vec<_>>())
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
        let typed = ["a,b", "work; #home x ;gym", "\"c; d\", e", "project x"].map(str::to_owned);
        assert_eq!(typed_tags(&typed).unwrap(), ["a", "b", "work", "home x", "gym", "c; d", "e", "project x"]);
    }
}
