//! Three-way merge of the `key: value` lines of a head or a front matter.
//!
//! Lists are merged as sets. Where both sides gave a key different values, the smaller one stays and the other goes to
//! the list `KEY_other`, so that no value is lost and the result does not depend on which side is ours.

use std::collections::BTreeMap;

use super::{
    head::{self, Line},
    merge_lines::LineText,
    value,
};

/// Suffix of the key that lists the values which lost.
const OTHER: &str = "_other";

/// A key with its lines: `key: value`, and the list items, comments and indented lines below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    /// The key and, for a key that occurs again, the number of its occurrence.
    pub key: (String, usize),
    pub lines: Vec<Vec<u8>>,
}

pub(super) struct MergedFields {
    pub fields: Vec<Field>,
    pub clash: bool,
}

/// The fields of these lines; `None` if they are not UTF-8.
pub(super) fn fields(lines: &[Line], bytes: &[u8]) -> Option<Vec<Field>> {
    let mut fields: Vec<Field> = Vec::new();
    for line in lines {
        let text: LineText<'_> = line.text(bytes);
        std::str::from_utf8(text).ok()?;
        match (head::key_and_value(text), fields.last_mut()) {
            (None, Some(above)) => above.lines.push(text.to_vec()),
            (key, _) => {
                let name = key.map_or_else(String::new, |(key, _)| String::from_utf8_lossy(key).into_owned());
                let number = fields.iter().filter(|field| field.key.0 == name).count();
                fields.push(Field { key: (name, number), lines: vec![text.to_vec()] });
            }
        }
    }
    Some(fields)
}

pub(super) fn merge_fields(base: &[Field], ours: &[Field], theirs: &[Field]) -> MergedFields {
    let mut keys: Vec<&(String, usize)> = base.iter().map(|field| &field.key).collect();
    let mut new: Vec<_> = ours.iter().chain(theirs).map(|field| &field.key).filter(|key| !keys.contains(key)).collect();
    new.sort();
    new.dedup();
    keys.append(&mut new);
    let find = |side: &[Field], key: &(String, usize)| side.iter().find(|field| field.key == *key).cloned();
    let mut merged = MergedFields { fields: Vec::new(), clash: false };
    let mut losers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for key in keys {
        let (was, ours, theirs) = (find(base, key), find(ours, key), find(theirs, key));
        let kept = match (ours, theirs) {
            (ours, theirs) if ours == theirs || theirs == was => ours,
            (ours, theirs) if ours == was => theirs,
            // Deleted here and changed there: the change stays.
            (Some(one), None) | (None, Some(one)) => Some(one),
            (None, None) => None,
            (Some(ours), Some(theirs)) => Some(merge_list(was.as_ref(), &ours, &theirs).unwrap_or_else(|| {
                let (first, second) = if ours.lines <= theirs.lines { (ours, theirs) } else { (theirs, ours) };
                if first.text() != second.text() {
                    merged.clash = true;
                    losers.entry(key.0.clone()).or_default().push(second.text());
                }
                first
            })),
        };
        merged.fields.extend(kept);
    }
    losers.into_iter().for_each(|(key, lost)| add_losers(&mut merged.fields, &key, lost));
    merged
}

/// Adds values to the list `KEY_other`, without the value that `KEY` has.
fn add_losers(fields: &mut Vec<Field>, key: &str, mut lost: Vec<String>) {
    let name = (format!("{key}{OTHER}"), 0);
    if let Some(at) = fields.iter().position(|field| field.key == name) {
        let before = fields.remove(at);
        let items = before.items().map(|items| items.into_iter().map(|(item, _)| item).collect());
        lost.extend(items.unwrap_or_else(|| vec![before.text()]));
    }
    let kept = fields.iter().find(|field| field.key.0 == key).map(Field::text);
    lost.retain(|value| Some(value) != kept.as_ref());
    lost.sort();
    lost.dedup();
    fields.push(inline_list(name, &lost));
}

impl Field {
    /// The value after the colon, unquoted; further lines as they are.
    pub fn text(&self) -> String {
        let (_, value) = self.lines.first().and_then(|line| head::key_and_value(line)).unwrap_or_default();
        let mut text = value::unquote(&String::from_utf8_lossy(value));
        for line in &self.lines[1..] {
            text.push('\n');
            text.push_str(&String::from_utf8_lossy(line));
        }
        text
    }

    /// The items with their lines, if the value is a list. Items in brackets have no lines of their own.
    pub fn items(&self) -> Option<Vec<(String, Vec<u8>)>> {
        let (_, value) = head::key_and_value(self.lines.first()?)?;
        let value = String::from_utf8_lossy(value);
        if value.trim().is_empty() && self.lines.len() > 1 {
            let item = |line: &Vec<u8>| {
                let text = value::unquote(&String::from_utf8_lossy(head::list_item(line)?));
                Some((text, line.clone()))
            };
            return self.lines[1..].iter().map(item).collect();
        }
        let is_list = value.trim_start().starts_with('[') || self.key.0 == "tags" || self.key.0.ends_with(OTHER);
        (is_list && self.lines.len() == 1)
            .then(|| value::list(&value).into_iter().map(|item| (item, Vec::new())).collect())
    }
}

/// The list without the items that either side removed, with those that either side added.
fn merge_list(base: Option<&Field>, ours: &Field, theirs: &Field) -> Option<Field> {
    let was = base.and_then(Field::items).unwrap_or_default();
    let (our_items, their_items) = (ours.items()?, theirs.items()?);
    let has = |items: &[(String, Vec<u8>)], item: &str| items.iter().any(|(other, _)| other == item);
    let stays = |(item, _): &&(String, Vec<u8>)| has(&our_items, item) && has(&their_items, item);
    let mut items: Vec<_> = was.iter().filter(stays).cloned().collect();
    let mut added: Vec<_> =
        our_items.iter().chain(&their_items).filter(|(item, _)| !has(&was, item)).cloned().collect();
    added.sort_by(|a, b| (&a.0, a.1.is_empty(), &a.1).cmp(&(&b.0, b.1.is_empty(), &b.1)));
    added.dedup_by(|a, b| a.0 == b.0);
    items.append(&mut added);
    let is_block = |field: &Field| field.lines.len() > 1;
    if !is_block(ours) && !is_block(theirs) {
        let items: Vec<String> = items.into_iter().map(|(item, _)| item).collect();
        return Some(inline_list(ours.key.clone(), &items));
    }
    let mut lines = vec![format!("{}:", ours.key.0).into_bytes()];
    let block_item = |item: &str| format!("- {}", value::quoted(item)).into_bytes();
    lines.extend(items.into_iter().map(|(item, line)| if line.is_empty() { block_item(&item) } else { line }));
    Some(Field { key: ours.key.clone(), lines })
}

fn inline_list(key: (String, usize), items: &[String]) -> Field {
    let line = format!("{}: {}", key.0, value::quoted_list(items));
    Field { key, lines: vec![line.into_bytes()] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Field> {
        let lines: Vec<Line> = head::lines_from(text.as_bytes(), 0).collect();
        fields(&lines, text.as_bytes()).unwrap()
    }

    fn merged(base: &str, ours: &str, theirs: &str) -> String {
        let [base, ours, theirs] = [base, ours, theirs].map(read);
        let merged = merge_fields(&base, &ours, &theirs);
        assert_eq!(merged.fields, merge_fields(&base, &theirs, &ours).fields, "the sides are not alike");
        let lines = merged.fields.iter().flat_map(|field| &field.lines);
        lines.map(|line| String::from_utf8_lossy(line).into_owned()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn keys_changed_on_different_sides_are_both_changed() {
        assert_eq!(
            merged("mood: \"a\"\nsleep: 6", "mood: \"b\"\nsleep: 6", "mood: \"a\"\nsleep: 7"),
            "mood: \"b\"\nsleep: 7"
        );
        assert_eq!(merged("mood: \"a\"", "", "mood: \"b\""), "mood: \"b\"");
        assert_eq!(merged("mood: \"a\"", "", "mood: \"a\""), "");
    }

    #[test]
    fn tags_are_merged_as_a_set() {
        assert_eq!(
            merged("tags: [\"a\", \"b\"]", "tags: [\"b\", \"c\"]", "tags: ['a', 'b', 'd']"),
            "tags: [\"b\", \"c\", \"d\"]"
        );
        assert_eq!(merged("", "tags:\n- a\n- b", "tags: [\"b\", \"c\"]"), "tags:\n- a\n- b\n- \"c\"");
        assert_eq!(merged("aliases:\n  - x", "aliases:\n  - x\n  - y", "aliases:\n  - z"), "aliases:\n  - y\n  - z");
    }

    #[test]
    fn a_value_that_lost_is_kept_under_another_key() {
        let both = merged("mood: \"a\"", "mood: \"sad\"", "mood: \"calm\"");
        assert_eq!(both, "mood: \"calm\"\nmood_other: [\"sad\"]");
        assert_eq!(merged("mood: \"a\"", &both, "mood: \"angry\""), "mood: \"angry\"\nmood_other: [\"calm\", \"sad\"]");
        assert_eq!(merged("mood: \"a\"", "mood: 'b'", "mood: \"b\""), "mood: \"b\"");
        let no_list = "mood: \"a\"\nmood_other: b\n  and more";
        let result = merged(no_list, &no_list.replace("\"a\"", "c"), &no_list.replace("\"a\"", "d"));
        assert!(result.contains("and more"), "{result}");
    }
}
