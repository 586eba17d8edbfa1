//! Mentions of the names that notes declare, and of their aliases: their words are a mention wherever they occur.
//!
//! Aliases are an input like the entry itself: when they change, the entry is extracted again.

use std::collections::HashMap;

use super::{Gap, Mention, MentionSource, ORDINARY, Shape, fold_case, is_little_word, overlap, text::Text};

/// Aliases, prepared for the search in texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Aliases {
    /// By first word, longest first, then by name.
    by_first: HashMap<String, Vec<Alias>>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Alias {
    /// As written by the user.
    name: String,
    /// In the form in which words are compared.
    keys: Vec<String>,
    /// The gap before each word but the first.
    gaps: Vec<Gap>,
    /// An ordinary word written with a capital: it matches only with that capital, and not at the start of a sentence.
    only_as_written: bool,
}

impl Aliases {
    /// Order is irrelevant. An alias without a word never matches.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut by_first: HashMap<String, Vec<Alias>> = HashMap::new();
        for name in names {
            let text = Text::new(name, &[]);
            let Some((first, rest)) = text.words.split_first() else { continue };
            let key = fold_case(text.bare_key(0));
            let ordinary = rest.is_empty() && (is_little_word(&key) || ORDINARY.has(&key));
            let alias = Alias {
                name: name.to_owned(),
                gaps: rest.iter().map(|word| word.gap).collect(),
                only_as_written: ordinary && first.shape != Shape::Lower,
                keys: text.keys,
            };
            by_first.entry(alias.keys[0].clone()).or_default().push(alias);
        }
        for aliases in by_first.values_mut() {
            aliases.sort_by(|a, b| (b.keys.len(), a).cmp(&(a.keys.len(), b)));
            aliases.dedup_by(|b, a| a.keys == b.keys && a.gaps == b.gaps);
        }
        Self { by_first }
    }

    /// A filter before extraction: false positives are possible (in code, across a comma), false negatives are not.
    /// Costs a tenth of the extraction.
    pub fn may_stand_in(&self, body: &str) -> bool {
        let text = Text::new(body, &[]);
        (0..text.words.len()).any(|at| {
            let same = |alias: &Alias| {
                let mut keys = alias.keys.iter().enumerate();
                let there = |nth| at + nth < text.keys.len();
                let is = |nth: usize, key: &String| text.keys[at + nth] == *key || text.bare_key(at + nth) == key;
                let written = !alias.only_as_written || text.bare_written(at) == alias.name;
                written && keys.all(|(nth, key)| there(nth) && is(nth, key))
            };
            let of = |key: &str| self.by_first.get(key).is_some_and(|aliases| aliases.iter().any(same));
            of(&text.keys[at]) || of(text.bare_key(at))
        })
    }

    /// Adds a mention for each match. Ordinary words, name candidates and shorter names within it are removed; if its
    /// words are part of another certain name, that name is kept.
    pub(super) fn mentions(&self, text: &Text<'_>, mentions: &mut Vec<Mention>) {
        if self.by_first.is_empty() {
            return;
        }
        let mut at = 0;
        while at < text.words.len() {
            let Some((words, alias)) = self.at(text, at) else {
                at += 1;
                continue;
            };
            let span = text.name_span(&(at..at + words));
            at += words;
            let sure = |mention: &Mention| !mention.source.is_candidate() && !mention.source.is_ordinary();
            let gives_way = |mention: &Mention| {
                let inside = span.start <= mention.span.start && mention.span.end <= span.end;
                inside && (!sure(mention) || mention.span.len() < span.len())
            };
            mentions.retain(|mention| !(overlap(&mention.span, &span) && gives_way(mention)));
            if !mentions.iter().any(|mention| overlap(&mention.span, &span) && sure(mention)) {
                let name = alias.name.clone();
                mentions.push(Mention::new(name, None, span, MentionSource::Alias));
            }
        }
    }

    /// The longest alias that starts at a word, and its number of words.
    fn at(&self, text: &Text<'_>, at: usize) -> Option<(usize, &Alias)> {
        let candidates = self.by_first.get(&text.keys[at]).or_else(|| self.by_first.get(text.bare_key(at)))?;
        candidates.iter().find_map(|alias| {
            let count = alias.keys.len();
            let word = |nth: usize| text.words.get(at + nth);
            let same = |nth: usize| {
                let key = &alias.keys[nth];
                text.keys[at + nth] == *key || (nth + 1 == count && text.bare_key(at + nth) == key)
            };
            let stands = (0..count)
                .all(|nth| word(nth).is_some_and(|word| nth == 0 || word.gap == alias.gaps[nth - 1]) && same(nth));
            let written =
                !alias.only_as_written || (text.bare_written(at) == alias.name && text.words[at].gap != Gap::Sentence);
            (stands && written).then_some((count, alias))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Extract, Extractor, Rules, tests::entry};
    use super::*;

    fn read(body: &str, names: &[&str]) -> Extract {
        Rules(None).extract(&entry(body), &Aliases::new(names.iter().copied()))
    }

    fn found(body: &str, names: &[&str]) -> Vec<String> {
        let extract = read(body, names);
        let ours = extract.mentions.iter().filter(|mention| mention.source == MentionSource::Alias);
        ours.map(|mention| body[mention.span.start as usize..mention.span.end as usize].to_owned()).collect()
    }

    #[test]
    fn the_words_of_an_alias_are_a_mention_in_any_case() {
        let body = "The old bear called; the old Bear's daughter too. No old bears.";
        assert_eq!(found(body, &["Old Bear"]), ["old bear", "old Bear"]);
        assert_eq!(found("Bố già gọi mình.", &["bố già"]), ["Bố già"]);
        assert_eq!(found("the boss, the big boss", &["big boss", "boss"]), ["boss", "big boss"]);
        assert_eq!(found("#bear `old bear` https://old.bear", &["old bear"]), [""; 0]);
        assert_eq!(found("anything", &["", "…"]), [""; 0]);
    }

    #[test]
    fn an_ordinary_word_with_a_capital_is_meant_as_it_is_written() {
        assert_eq!(found("I will ask Will. Will it rain? Will knows.", &["Will"]), [""; 0]);
        assert_eq!(found("went with Sunny to the sunny side", &["Sunny"]).len(), found("with Sunny", &["Sunny"]).len());
        assert_eq!(found("the crew and a crew", &["crew"]), ["crew", "crew"]);
    }

    #[test]
    fn where_an_alias_stands_it_may_stand() {
        let names = ["May", "Old Bear", "bố già", "Will", "boss"];
        for body in [
            "Met May in town.",
            "`code` and the old Bear's daughter",
            "bo gia goi minh hom qua",
            "asked Will",
            "# Boss\n\n- the boss, again",
        ] {
            let stands = !found(body, &names).is_empty();
            assert!(!stands || Aliases::new(names).may_stand_in(body), "{body}");
        }
        assert!(Aliases::new(["May"]).may_stand_in("With May's brother"));
        assert!(!Aliases::new(["May"]).may_stand_in("It may rain."), "the month and the name have a capital");
        assert!(!Aliases::new(names).may_stand_in("Nothing of the kind."));
    }

    #[test]
    fn part_of_another_name_is_that_name() {
        assert_eq!(found("Saw Bo Diddley and @Bo and bo.", &["bo"]), ["bo"]);
    }

    #[test]
    fn an_alias_is_an_end_of_what_a_sentence_states() {
        let extract = read("I was angry because of the crew.", &["crew"]);
        assert!(extract.relations.iter().any(|relation| relation.source == "crew"), "{:?}", extract.relations);
    }
}
